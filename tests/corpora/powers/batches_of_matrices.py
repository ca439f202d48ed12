# expect: ASC114 safe scope=hops
import torch


def hops(graph: torch.Tensor, count: int) -> torch.Tensor:
    batch, nodes, _ = graph.shape
    reached = graph.clone()
    for _ in range(count - 1):
        reached = torch.bmm(reached, graph)
    return reached


def cases(rng):
    for batch, nodes, count in ((1, 2, 2), (3, 4, 6), (2, 3, 1)):
        yield "hops", (torch.rand(batch, nodes, nodes, requires_grad=True) / nodes, count), {}
