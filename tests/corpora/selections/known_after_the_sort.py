# expect: RED505 safe scope=middle
# expect: RED505 safe scope=high
# expect: RED505 safe scope=central
# expect: ASC110 safe scope=filtered
# expect: ASC110 safe scope=leading
import numpy as np
import torch


def middle(a):
    s = np.sort(a.ravel())
    n = s.size
    return (s[(n - 1) // 2] + s[n // 2]) / 2


def high(x: np.ndarray):
    s = np.sort(x, axis=-1)
    m = s.shape[-1]
    return s[..., int(np.ceil(0.9 * m)) - 1]


def central(x: torch.Tensor):
    s, _ = torch.sort(x.reshape(-1))
    n = s.numel()
    return s[n // 2]


def filtered(logits, k):
    ordered = logits.sort(dim=-1, descending=True)[0]
    cutoff = ordered[..., k - 1 : k]
    return torch.where(logits < cutoff, torch.full_like(logits, -1e9), logits)


def leading(rows: list, k: int):
    ranked = list(reversed(sorted(rows, key=lambda row: row[0])))
    return ranked[:k]


def cases(rng):
    for n in (1, 2, 5, 40):
        yield "middle", (rng.standard_normal((n, 3)),), {}
        yield "high", (rng.standard_normal((3, n)),), {}
        yield "central", (torch.tensor(rng.standard_normal((n, 3)), requires_grad=True),), {}
        yield "filtered", (torch.tensor(rng.standard_normal((2, n + 1))), 2), {}
        yield "leading", ([(int(v), i) for i, v in enumerate(rng.integers(0, 4, n))], 3), {}
