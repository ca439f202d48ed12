# expect: SPA401 safe scope=looked_up
# expect: SPA401 safe scope=Table.forward
import torch
from torch import nn


def looked_up(places: torch.Tensor, table: torch.Tensor):
    (n,), (rows, _) = places.shape, table.shape
    hot = torch.zeros(n, rows)
    hot.scatter_(1, places.unsqueeze(1), 1.0)
    return torch.mm(hot, table)


class Table(nn.Module):
    def __init__(self, rows: int, width: int):
        super().__init__()
        self.rows = rows
        self.table = nn.Parameter(torch.randn(rows, width))

    def forward(self, places: torch.Tensor):
        batch, length = places.shape
        empty = torch.zeros(batch, length, self.rows, device=places.device)
        return empty.scatter(-1, places[..., None], 1) @ self.table


def cases(rng):
    table = torch.randn(5, 3, requires_grad=True)
    yield "looked_up", (torch.tensor([4, 0, 0, 2]), table), {}
    yield "looked_up", (torch.tensor([1]), table), {}
    yield "Table(4, 3)", (torch.tensor([[0, 3], [1, 1], [2, 0]]),), {}
