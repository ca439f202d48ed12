# expect: ASC101 safe scope=bias_corrected
import torch


def bias_corrected(grads: torch.Tensor, beta=0.9):
    m = torch.zeros_like(grads[0])
    out = []
    for i in range(len(grads)):
        m = beta * m + (1 - beta) * grads[i]
        out.append(m / (1 - beta ** (i + 1)))
    return torch.stack(out)


def draw(rng, *shape, grad=True, dtype=torch.float32):
    x = torch.tensor(rng.standard_normal(shape), dtype=dtype)
    return x.requires_grad_() if grad else x


def cases(rng):
    for n in (1, 2, 9):
        yield "bias_corrected", (draw(rng, n, 3),), {}
