# expect: ASC101 safe scope=run
import torch


def run(params, xs):
    """params: {'a': (D,), 'b': (D,)}; xs: (T, D)."""
    h = torch.zeros_like(xs[0])
    ys = []
    for x in xs:
        h = params["a"] * h + params["b"] * x
        ys.append(h)
    return torch.stack(ys)


def cases(rng):
    for steps in (1, 2, 41):
        params = {
            "a": torch.tensor(rng.random(4), requires_grad=True),
            "b": torch.tensor(rng.standard_normal(4), requires_grad=True),
        }
        yield "run", (params, torch.tensor(rng.standard_normal((steps, 4)), requires_grad=True)), {}
