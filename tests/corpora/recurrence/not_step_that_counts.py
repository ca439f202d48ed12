# refuse: the step function counts its calls
import torch


def run(x: torch.Tensor, a: float):
    count = [0]

    def step(h, xt):
        count[0] += 1
        return a * h + count[0] * xt

    h = torch.zeros(x.shape[1])
    out = []
    for t in range(x.shape[0]):
        h = step(h, x[t])
        out.append(h)
    return torch.stack(out), count


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 6):
        yield "run", (draw(rng, n, 3), 0.9), {}
