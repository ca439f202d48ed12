# expect: ASC101 safe scope=LRU.forward
import torch
from torch import nn


class LRU(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.nu_log = nn.Parameter(torch.rand(n))
        self.theta_log = nn.Parameter(torch.rand(n))
        self.B_re = nn.Parameter(torch.randn(n, d))
        self.B_im = nn.Parameter(torch.randn(n, d))
        self.C_re = nn.Parameter(torch.randn(d, n))
        self.C_im = nn.Parameter(torch.randn(d, n))
        self.D = nn.Parameter(torch.randn(d))

    def forward(self, u):
        lam = torch.exp(torch.complex(-torch.exp(self.nu_log), torch.exp(self.theta_log)))
        B = torch.complex(self.B_re, self.B_im)
        C = torch.complex(self.C_re, self.C_im)
        Bu = u.to(B.dtype) @ B.T
        x = torch.zeros(u.shape[0], lam.shape[0], dtype=lam.dtype)
        ys = []
        for k in range(u.shape[1]):
            x = lam * x + Bu[:, k]
            ys.append((x @ C.T).real + self.D * u[:, k])
        return torch.stack(ys, dim=1)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 7):
        yield "LRU(3, 4)", (draw(rng, 2, n, 3),), {}
