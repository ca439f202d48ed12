# refuse: the blend of an inpainting loop; each step runs a network on the state
import torch
from torch import nn


class Painter(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.denoiser = nn.Linear(d, d)

    def forward(self, init, mask, noises):
        latents = noises[0]
        for i in range(1, noises.shape[0]):
            latents = latents - 0.1 * self.denoiser(latents)
            known = init + noises[i] / i
            latents = (1 - mask) * known + mask * latents.relu()
        return latents


def cases(rng):
    init = torch.tensor(rng.standard_normal((2, 4)), dtype=torch.float32)
    mask = torch.tensor(rng.random((2, 4)) < 0.5).float()
    noises = torch.tensor(rng.standard_normal((6, 2, 4)), dtype=torch.float32)
    yield "Painter(4)", (init, mask, noises), {}
