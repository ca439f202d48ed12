# refuse: each step draws random numbers between other draws of the caller's stream
import torch


def ornstein_uhlenbeck(steps, n, theta=0.15, sigma=0.2):
    """Exploration noise; the random stream has to be consumed in the same order."""
    x = torch.zeros(n)
    path = []
    for _ in range(steps):
        kick = torch.randn(n) if torch.rand(()) < 0.9 else torch.zeros(n)
        x = (1 - theta) * x + sigma * kick
        path.append(x)
    return torch.stack(path)


def cases(rng):
    yield "ornstein_uhlenbeck", (30, 4), {}
