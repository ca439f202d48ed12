# refuse: a function changes the item
import torch


def anneal(params):
    params["a"] = params["a"] * 0.9


def run(params, xs: torch.Tensor):
    h = torch.zeros_like(xs[0])
    ys = []
    for x in xs:
        h = params["a"] * h + x
        anneal(params)
        ys.append(h)
    return torch.stack(ys), params["a"]


def cases(rng):
    for steps in (1, 2, 41):
        params = {"a": torch.tensor(rng.random(4)), "b": torch.tensor(rng.random(4))}
        yield "run", (params, torch.tensor(rng.standard_normal((steps, 4)))), {}
