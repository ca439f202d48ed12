# expect: SPA407 advice scope=spread
import torch


def spread(x, rows, columns, values):
    graph = torch.sparse_coo_tensor(torch.stack([rows, columns]), values, (3, 3))
    return graph.to_dense() @ x


def cases(rng):
    places = torch.tensor([0, 1, 2])
    values = torch.tensor([1.0, 2.0, 3.0])
    yield "spread", (torch.tensor(rng.standard_normal((3, 2))).float(), places, places, values), {}
