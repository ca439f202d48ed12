# expect: RED501 safe scope=mix

import torch


def mix(x: torch.Tensor, logits: torch.Tensor):
    for _ in range(4):
        gates = torch.softmax(logits / 2, dim=-1)
        x = torch.tanh(x @ gates) + x
    return x


def cases(rng):
    for n, d in ((3, 5), (1, 1)):
        x = torch.from_numpy(rng.normal(size=(n, d))).float().requires_grad_()
        w = torch.from_numpy(rng.normal(size=(d, d))).float().requires_grad_()
        yield "mix", (x, w), {}
