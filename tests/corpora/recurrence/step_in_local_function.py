# expect: ASC101 safe scope=smooth
import torch


def smooth(x: torch.Tensor, a: float):
    def step(h, xt):
        return a * h + (1 - a) * xt

    h = x[0]
    outs = []
    for t in range(x.shape[0]):
        h = step(h, x[t])
        outs.append(h)
    return torch.stack(outs)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 5):
        yield "smooth", (draw(rng, n, 3), 0.9), {}
