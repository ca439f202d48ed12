# expect: ASC109 safe scope=NonLocal.forward
import torch
import torch.nn.functional as F
from torch import nn


class NonLocal(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.theta = nn.Conv2d(c, c // 2, 1)
        self.phi = nn.Conv2d(c, c // 2, 1)
        self.g = nn.Conv2d(c, c // 2, 1)

    def forward(self, x):
        b, c, h, w = x.shape
        theta = self.theta(x).view(b, c // 2, -1).permute(0, 2, 1)
        phi = self.phi(x).view(b, c // 2, -1)
        g = self.g(x).view(b, c // 2, -1).permute(0, 2, 1)
        f = F.softmax(torch.matmul(theta, phi), dim=-1)
        y = torch.matmul(f, g).permute(0, 2, 1).contiguous()
        return y.view(b, c // 2, h, w)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield "NonLocal(4)", (draw(2, 4, 3, 2),), {}
