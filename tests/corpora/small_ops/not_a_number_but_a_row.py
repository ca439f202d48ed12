# refuse: the sum is of a row, for the view has two axes
import torch


def unit_rows(x: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    out = x.clone()
    rows = out.view(-1, x.size(-1))
    for i, row in enumerate(rows):
        length = torch.sqrt((row * row).sum() + eps)
        rows[i] = row / length
    return out


def cases(rng):
    yield "unit_rows", (torch.from_numpy(rng.normal(size=(2, 3, 4))),), {}
    yield "unit_rows", (torch.from_numpy(rng.normal(size=(4, 4))),), {}
