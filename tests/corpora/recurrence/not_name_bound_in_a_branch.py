# refuse: the second loop may read what the first left in `gate`
import torch


def twice(x: torch.Tensor, a: torch.Tensor, again: bool):
    h, out = torch.zeros(x.shape[1]), torch.zeros_like(x)
    for t in range(x.shape[0]):
        gate = a[t].sigmoid()
        h = gate * h + x[t]
        out[t] = h
    best = torch.zeros(())
    for t in range(x.shape[0]):
        if again:
            gate = x[t].tanh()
        best = torch.sin(best + (gate * out[t]).sum())
    return out, best


def cases(rng):
    for again in (False, True):
        x = torch.tensor(rng.standard_normal((5, 3)), dtype=torch.float32)
        yield "twice", (x, x.cos(), again), {}
