# expect: ASC101 safe scope=run
import torch


def run(x: torch.Tensor, a: torch.Tensor):
    h = torch.zeros_like(x[..., 0])
    y = []
    for t in range(x.shape[-1]):
        h = a * h + x[..., t]
        y.append(h)
    return torch.stack(y, -1)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 3, 9):
        yield "run", (draw(rng, 2, 3, n), torch.rand(3)), {}
