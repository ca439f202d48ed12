# expect: SEP204 safe scope=Blur.forward
import torch
import torch.nn.functional as F


class Blur(torch.nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.size = size
        self.sigma = torch.nn.Parameter(torch.tensor(1.5))

    def forward(self, x):
        t = torch.arange(self.size, device=x.device, dtype=x.dtype) - self.size // 2
        g = torch.exp(-0.5 * (t / self.sigma) ** 2)
        kernel = g[:, None] * g[None, :]
        kernel = kernel / kernel.sum()
        channels = x.shape[1]
        weight = kernel.expand(channels, 1, self.size, self.size)
        return F.conv2d(x, weight, padding=self.size // 2, groups=channels)


def cases(rng):
    for shape, k in (((2, 3, 9, 8), 3), ((1, 3, 25, 24), 13), ((2, 1, 30, 31), 23)):
        x = torch.tensor(rng.normal(size=shape), dtype=torch.float32)
        yield f"Blur({k})", (x.requires_grad_(),), {}
