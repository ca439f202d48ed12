# refuse: the first item was taken from the generator before
import torch


def run(x: torch.Tensor, a: float):
    rows = (r * 2 for r in x)
    first = next(rows)
    h = first
    out = []
    for r in rows:
        h = a * h + r
        out.append(h)
    return torch.stack(out)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (3, 6):
        yield "run", (draw(rng, n, 3), 0.9), {}
