# expect: SPA406 safe scope=pooled
# expect: SPA406 safe scope=messages
import torch


def pooled(x: torch.Tensor, segment: torch.Tensor):
    """The places are along the second axis."""
    out = x.new_zeros(x.size(0), 5, x.size(2))
    for t in range(x.size(1)):
        out[:, segment[t]] += x[:, t]
    return out


def messages(edges, ends, nodes: int = 6):
    target = ends[1]
    out = torch.zeros(nodes, edges.size(1))
    for e in range(ends.size(1)):
        out[target[e]] = out[target[e]] + edges[e]
    return out


def cases(rng):
    yield "pooled", (torch.randn(3, 9, 4, requires_grad=True), torch.randint(-5, 5, (9,))), {}
    yield "pooled", (torch.randn(2, 1, 3), torch.randint(0, 5, (1,))), {}
    yield "messages", (torch.randn(9, 4, requires_grad=True), torch.randint(0, 6, (2, 9))), {}
