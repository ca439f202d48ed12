# expect: ASC101 safe scope=run
import torch


def run(x, decay, reset):
    steps, batch, width = x.shape
    h = x.new_zeros(batch, width)
    out = torch.empty_like(x)
    for t in range(steps):
        keep = 1.0 - reset[t].float()
        h = decay * h * keep[:, None] + x[t]
        out[t] = h
    return out


def cases(rng):
    for n in (1, 6):
        x = torch.tensor(rng.random((n, 2, 3)), dtype=torch.float32, requires_grad=True)
        yield "run", (x, 0.9, torch.tensor(rng.random((n, 2)) < 0.3)), {}
