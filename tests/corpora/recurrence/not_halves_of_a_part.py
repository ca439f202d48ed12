# refuse: what is reshaped is a part of the state
import torch


def of_a_part(x: torch.Tensor, w: torch.Tensor, a: float):
    batch, steps, width = x.shape
    heads, own = w.shape
    h = torch.zeros(batch, width)
    seen = []
    for t in range(steps):
        h = a * h + x[:, t]
        seen.append(h[:, : heads * own].reshape(batch, heads, own))
    return torch.stack(seen, dim=1)


def cases(rng):
    x = torch.tensor(rng.random((2, 5, 8)), dtype=torch.float32)
    yield "of_a_part", (x, torch.ones(2, 3), 0.9), {}
