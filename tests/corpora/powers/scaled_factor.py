# expect: ASC114 safe scope=damped
import torch


def damped(weights: torch.Tensor, damping: float, rounds: int):
    n, _ = weights.shape
    out = torch.eye(n, dtype=weights.dtype)
    for _ in range(rounds):
        mixed = damping * weights
        out = out @ mixed
    return out


def cases(rng):
    for n, rounds in ((2, 3), (4, 8), (3, 0)):
        yield (
            "damped",
            ((torch.rand(n, n, dtype=torch.float64) / n).requires_grad_(), 0.85, rounds),
            {},
        )
