# refuse: the state is deliberately stored in half precision between steps
import torch


def quantised_state(a, b):
    """Emulates the accumulator of a small device."""
    h = torch.zeros_like(b[0])
    hs = []
    for t in range(b.shape[0]):
        h = (a[t] * h + b[t]).half().float()
        hs.append(h)
    return torch.stack(hs)


def cases(rng):
    a = torch.tensor(rng.uniform(0, 1, (25, 3)), dtype=torch.float32)
    b = torch.tensor(rng.standard_normal((25, 3)), dtype=torch.float32)
    yield "quantised_state", (a, b), {}
