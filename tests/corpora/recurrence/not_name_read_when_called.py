# refuse: what is called later reads what the loop left in `gate`
import torch


def twice(x: torch.Tensor, a: torch.Tensor):
    last = None
    for _ in range(2):
        if last is None:
            gate = a[0]
            last = lambda: gate
        h, out = torch.zeros(x.shape[1]), torch.zeros_like(x)
        for t in range(x.shape[0]):
            gate = a[t].sigmoid()
            h = gate * h + x[t]
            out[t] = h
    return out, last()


def cases(rng):
    x = torch.tensor(rng.standard_normal((5, 3)), dtype=torch.float32)
    yield "twice", (x, x.cos()), {}
