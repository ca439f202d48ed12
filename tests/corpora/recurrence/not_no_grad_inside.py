# refuse: the state is made without gradients
import torch


def run(x: torch.Tensor, a: float):
    h = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        with torch.no_grad():
            h = a * h + x[t]
        out.append(h * x[t])
    return torch.stack(out)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    yield "run", (draw(rng, 5, 3), 0.9), {}
