# expect: SPA406 advice scope=gathered
import torch


def gathered(x: torch.Tensor, edges: torch.Tensor, n: int):
    """Nothing says that the edges are two rows of numbers."""
    source, target = edges
    out = torch.zeros(n, x.size(1))
    for e in range(edges.size(1)):
        out[target[e]] += x[source[e]]
    return out


def cases(rng):
    for m in (6, 1, 0):
        edges = torch.randint(0, 4, (2, m))
        yield "gathered", (torch.randn(4, 3, requires_grad=True), edges, 4), {}
