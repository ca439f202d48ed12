# refuse: SPA406 two axes that do not stand together are looked up
import torch


def pooled(x: torch.Tensor, rows: torch.Tensor, columns: torch.Tensor):
    out = torch.zeros(4, x.size(1), 4)
    for t in range(x.size(0)):
        out[rows[t], :, columns[t]] += x[t]
    return out


def cases(rng):
    yield "pooled", (torch.randn(5, 3), *torch.randint(0, 4, (2, 5))), {}
