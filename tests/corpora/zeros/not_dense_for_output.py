# refuse: SPA407 the dense matrix is what is asked for
import torch


def table(rows, columns, values):
    return torch.sparse_coo_tensor(torch.stack([rows, columns]), values, (3, 3)).to_dense()


def cases(rng):
    places = torch.tensor([0, 1, 2])
    yield "table", (places, places, torch.tensor(rng.standard_normal(3))), {}
