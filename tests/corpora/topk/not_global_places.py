# refuse: the places that are not used belong to the module
import torch

values = places = None


def largest(x: torch.Tensor):
    global values, places
    values, places = torch.sort(x, dim=1, descending=True)
    return values[:, :3].sum()


def cases(rng):
    x = torch.tensor(rng.standard_normal((5, 8)))
    yield "lambda x: (largest(x), values, places)", (x,), {}
