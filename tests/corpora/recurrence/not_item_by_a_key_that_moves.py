# refuse: a key that is not written out may be any
import torch


def run(params, xs: torch.Tensor, keys: list):
    h = torch.zeros_like(xs[0])
    ys = []
    for x, key in zip(xs, keys):
        h = params["a"] * h + x
        params[key] = params["b"] * 0.9
        ys.append(h)
    return torch.stack(ys), params["a"]


def cases(rng):
    for steps in (1, 2, 41):
        params = {"a": torch.tensor(rng.random(4)), "b": torch.tensor(rng.random(4))}
        yield "run", (params, torch.tensor(rng.standard_normal((steps, 4))), ["a"] * steps), {}
