# expect: ASC101 safe scope=leaky
import torch


def leaky(x, decay: float):
    T = x.shape[-1]
    h = torch.zeros_like(x[..., 0])
    ys = []
    for t in range(T):
        h = decay * h + x[..., t]
        ys.append(h)
    return torch.stack(ys, dim=-1)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 6):
        yield "leaky", (draw(rng, 2, 3, n), 0.7), {}
