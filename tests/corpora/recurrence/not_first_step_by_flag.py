# refuse: which steps restart is decided by Python values
import torch


def run(x: torch.Tensor, a: float, flag):
    out = []
    for t in range(x.shape[0]):
        if flag[t]:
            h = x[t]
        else:
            h = a * h + x[t]
        out.append(h)
    return torch.stack(out)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 4):
        yield "run", (draw(rng, n, 3), 0.5, [True, False, True, False]), {}
