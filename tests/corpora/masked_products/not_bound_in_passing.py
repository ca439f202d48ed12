# refuse: SPA404 what is replaced binds a name that it reads elsewhere
import torch


def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    return torch.tril((q := q * 2) @ k.mT) @ (v + q.sum())


def cases(rng):
    yield "attend", (torch.randn(5, 4), torch.randn(5, 4), torch.randn(5, 3)), {}
