# expect: RED509 unsafe scope=directions
# expect: RED509 unsafe scope=overlaps
# The second axis is the last one of a matrix, and none of the last ones of a batch of them.
import torch


def directions(weights, basis: torch.Tensor):
    scaled = torch.diag_embed(weights)
    return (scaled @ basis.T).sum(dim=1)


def overlaps(a, b):
    pair = torch.stack([a, b], -1)
    return (pair @ pair.transpose(-2, -1)).sum(1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s)).float()
    yield "directions", (draw(2, 3), draw(5, 3)), {}
    yield "overlaps", (draw(2, 3), draw(2, 3)), {}
