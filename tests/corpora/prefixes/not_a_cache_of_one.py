# refuse: RED504 one sequence grows, without keys or values
import torch


def step(x, previous):
    whole = torch.cat([previous, x], dim=1)
    kept = (whole, x)
    return kept


def cases(rng):
    draw = lambda n: torch.tensor(rng.standard_normal((1, n, 4)))
    yield "step", (draw(1), draw(5)), {}
