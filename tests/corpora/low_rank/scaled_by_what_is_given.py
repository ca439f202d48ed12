# expect: SEP202 unsafe scope=adapted
# expect: SEP202 advice scope=merged
# expect: SEP202 advice scope=under_a_name
# expect: SEP202 advice scope=by_a_quotient
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


def under_a_name(x, weight, down, up):
    change = up.matmul(down)
    return torch.nn.functional.linear(x, weight + change)


def by_a_quotient(x, weight, down, up, alpha):
    rank = down.shape[0]
    change = (alpha / rank) * torch.matmul(up, down)
    return torch.nn.functional.linear(x, weight + change)


def cases(rng):
    def drawn(*shape):
        return torch.tensor(rng.standard_normal(shape), requires_grad=True)

    yield "adapted", (drawn(5), drawn(7, 5), drawn(2, 5), drawn(7, 2), 0.5, 2), {}
    yield "merged", (drawn(3, 5), drawn(7, 5), drawn(2, 5), drawn(7, 2), 0.5), {}
    yield "under_a_name", (drawn(3, 5), drawn(7, 5), drawn(2, 5), drawn(7, 2)), {}
    yield "by_a_quotient", (drawn(3, 5), drawn(7, 5), drawn(2, 5), drawn(7, 2), 0.5), {}
