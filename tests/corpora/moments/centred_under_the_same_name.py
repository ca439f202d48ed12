# expect: ASC108 safe scope=LayerNorm.forward
# expect: ASC108 safe scope=embed
# expect: ASC108 safe scope=steps
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, width, eps=1e-6):
        super().__init__()
        self.gain = nn.Parameter(torch.linspace(0.5, 1.5, width))
        self.eps = eps

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        h = h - h.mean(dim=-1, keepdim=True)
        spread = (h * h).mean(dim=-1, keepdim=True)
        return self.gain * (h * torch.rsqrt(spread + self.eps))


def embed(table: torch.Tensor, codes: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    rows = table[codes]
    rows = rows - torch.mean(rows, -1, keepdim=True)
    rows = rows / torch.sqrt(torch.mean(rows**2, -1, keepdim=True) + eps)
    return torch.tanh(rows)


def steps(x: torch.Tensor) -> torch.Tensor:
    x = x - x.mean(-1, keepdim=True)
    scale = (x.square().mean(-1, keepdim=True) + 1e-5) ** -0.5
    out = x * scale
    x = out.abs()
    return x + out


def cases(rng):
    for shape in ((1, 2), (3, 5), (2, 3, 8)):
        x = torch.from_numpy(rng.normal(size=shape)).requires_grad_()
        yield f"LayerNorm({shape[-1]}).double()", (x,), {}
        codes = torch.from_numpy(rng.integers(0, shape[0], 4))
        yield "embed", (torch.from_numpy(rng.normal(size=shape)).requires_grad_(), codes), {}
        yield "steps", (torch.from_numpy(rng.normal(size=shape)).requires_grad_(),), {}
