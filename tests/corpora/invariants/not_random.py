# refuse: RED501 random numbers are drawn at each step

import torch


def noisy(x: torch.Tensor, scale: torch.Tensor):
    for _ in range(3):
        x = torch.tanh(x) @ torch.randn(scale.shape[0], scale.shape[0]).softmax(-1)
    return x


def cases(rng):
    x = torch.from_numpy(rng.normal(size=(2, 3))).float()
    yield "noisy", (x, torch.ones(3)), {}
