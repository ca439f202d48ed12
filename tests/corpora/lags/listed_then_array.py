# expect: SYM604 safe scope=causal
# expect: SYM603 safe scope=rolled
import torch


def causal(x: torch.Tensor, h: torch.Tensor):
    (n,) = x.shape
    (n,) = h.shape
    rows = []
    for t in range(n):
        rows.append((h[: t + 1].flip(0) * x[: t + 1]).sum())
    return torch.stack(rows)


def rolled(a: torch.Tensor, b: torch.Tensor):
    (n,) = a.shape
    (n,) = b.shape
    sums = [(a * torch.roll(b, -s)).sum() for s in range(n)]
    return torch.stack(sums)


def cases(rng):
    yield "causal", (torch.randn(7), torch.randn(7)), {}
    yield "causal", (torch.randn(1), torch.randn(1)), {}
    yield "rolled", (torch.randn(7), torch.randn(7)), {}
    yield "rolled", (torch.randn(1), torch.randn(1)), {}
