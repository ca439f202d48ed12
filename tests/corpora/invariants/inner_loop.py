# expect: RED501 safe scope=rollout

import torch


def rollout(state: torch.Tensor, drift: torch.Tensor):
    kept = []
    for _ in range(3):
        for _ in range(2):
            state = torch.tanh(state) @ torch.matrix_exp(drift)
        kept.append(state)
    return torch.stack(kept)


def cases(rng):
    x = torch.from_numpy(rng.normal(size=(2, 3))).float()
    a = torch.from_numpy(rng.normal(size=(3, 3)) / 4).float()
    yield "rollout", (x, a), {}
