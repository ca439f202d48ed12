# refuse: rows put behind each other are as many as the step says, or one is from before
import torch


def growing(x: torch.Tensor, a: float):
    steps, batch, width = x.shape
    h = torch.zeros(batch, width)
    seen = []
    for t in range(steps):
        h = a * h + x[t]
        seen.append(h[: t + 1])
    return torch.cat(seen)


def behind_the_start(x: torch.Tensor, a: float):
    steps, batch, width = x.shape
    h = torch.zeros(batch, width)
    seen = [h]
    for t in range(steps):
        h = a * h + x[t]
        seen.append(h)
    return torch.cat(seen)


def cases(rng):
    x = torch.tensor(rng.random((3, 4, 2)), dtype=torch.float32)
    yield "growing", (x, 0.9), {}
    yield "behind_the_start", (x, 0.9), {}
