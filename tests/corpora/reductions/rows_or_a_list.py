# expect: ASC106 unsafe scope=total
"""Nothing says whether the rows are those of a tensor or of a list."""

from __future__ import annotations

import torch


def total(rows, acc: torch.Tensor):
    for row in rows:
        acc = torch.add(acc, row)
    return acc


def cases(rng):
    for count in (1, 4):
        rows = torch.from_numpy(rng.standard_normal((count, 3))).requires_grad_()
        start = torch.from_numpy(rng.standard_normal(3))
        yield "total", (rows, start), {}
        yield "total", (list(rows), start), {}
