# expect: ASC101 safe scope=stateful
# expect: ASC101 safe scope=stateless
import torch


def stateful(x: torch.Tensor, passes: int):
    batch, length, width = x.shape
    h = torch.zeros(batch, width)
    for _ in range(passes):
        out = []
        for t in range(length):
            h = 0.9 * h + x[:, t]
            out.append(h)
        x = torch.stack(out, 1)
    return x


def stateless(x: torch.Tensor, passes: int):
    batch, length, width = x.shape
    for _ in range(passes):
        h = torch.zeros(batch, width)
        out = []
        for t in range(length):
            h = 0.9 * h + x[:, t]
            out.append(h)
        x = torch.stack(out, 1)
    return x


def cases(rng):
    for length in (1, 7):
        x = torch.tensor(rng.standard_normal((2, length, 3))).float().requires_grad_()
        yield "stateful", (x, 3), {}
        yield "stateless", (x, 3), {}
