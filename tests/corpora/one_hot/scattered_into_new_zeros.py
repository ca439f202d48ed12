# expect: SPA401 safe scope=looked_up
# refuse: several places of a row are set
import torch


def looked_up(y: torch.Tensor, table: torch.Tensor):
    (n,) = y.shape
    v, d = table.shape
    hot = torch.zeros(n, v).scatter_(1, y.unsqueeze(1), 1.0)
    return torch.mm(hot, table)


def several(y: torch.Tensor, table: torch.Tensor):
    n, k = y.shape
    v, d = table.shape
    hot = torch.zeros(n, v).scatter_(1, y, 1.0)
    return torch.mm(hot, table)


def cases(rng):
    for n in (1, 5):
        table = torch.tensor(rng.normal(size=(7, 3)), dtype=torch.float32, requires_grad=True)
        yield "looked_up", (torch.tensor(rng.integers(0, 7, n)), table), {}
        yield "several", (torch.tensor(rng.integers(0, 7, (n, 2))), table), {}
