# refuse: SPA401 every sample has a table of its own
import torch
import torch.nn.functional as F


def chosen(tables: torch.Tensor, places: torch.Tensor):
    batch, n, width = tables.shape
    batch, count = places.shape
    return torch.bmm(F.one_hot(places, n).float(), tables)


def cases(rng):
    yield "chosen", (torch.randn(2, 3, 4), torch.tensor([[0, 2], [1, 1]])), {}
