# may: SPA406 unsafe|advice scope=sums
import torch


def sums(x, labels, n):
    """The steps make no one-hot rows: the comparison is in what they stack."""
    rows = []
    for label in range(n):
        rows.append((x * (labels == label).unsqueeze(-1)).sum(0))
    return torch.stack(rows)


def cases(rng):
    for count in (9, 1):
        x = torch.tensor(rng.standard_normal((count, 3)), requires_grad=True)
        yield "sums", (x, torch.tensor(rng.integers(0, 4, count)), 5), {}
