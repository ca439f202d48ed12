# expect: ASC109 safe scope=aggregate
import torch


def aggregate(q, k, v, adjacency):
    e = torch.matmul(q, k.transpose(1, 2))
    zero_vec = -9e15 * torch.ones_like(e)
    attention = torch.where(adjacency > 0, e, zero_vec)
    attention = torch.softmax(attention, dim=2)
    return torch.matmul(attention, v)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for nodes in (1, 5):
        adjacency = torch.eye(nodes)
        adjacency[nodes // 2] = 0
        yield "aggregate", (draw(2, nodes, 4), draw(2, nodes, 4), draw(2, nodes, 6), adjacency), {}
