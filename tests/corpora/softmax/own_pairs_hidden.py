# expect: ASC107 safe scope=ntxent
import torch


def ntxent(z, tau: float = 0.5):
    sim = z @ z.T / tau
    n = z.shape[0]
    sim = sim.masked_fill(torch.eye(n, dtype=torch.bool), float("-inf"))
    e = sim.exp()
    p = e / e.sum(dim=1, keepdim=True)
    return -p[torch.arange(n), (torch.arange(n) + n // 2) % n].log().mean()


def cases(rng):
    yield "ntxent", (torch.randn(4, 3, requires_grad=True),), {}
