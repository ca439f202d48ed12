# expect: SEP202 unsafe scope=adapted
# expect: SEP202 advice scope=merged
import torch


def adapted(x, weight, down, up, alpha, rank):
    (d,) = x.shape
    o, d = weight.shape
    r, d = down.shape
    changed = weight.clone()
    changed += torch.matmul(up, down) * alpha / rank
    return changed @ x


def merged(x: torch.Tensor, weight, down, up, scale):
    return torch.matmul(x, (weight + scale * (up @ down)).t())


def cases(rng):
    def drawn(*shape):
        return torch.tensor(rng.standard_normal(shape), requires_grad=True)

    yield "adapted", (drawn(5), drawn(7, 5), drawn(2, 5), drawn(7, 2), 0.5, 2), {}
    yield "merged", (drawn(3, 5), drawn(7, 5), drawn(2, 5), drawn(7, 2), 0.5), {}
