# expect: SPA404 safe scope=of_keys
# may: SPA404 unsafe scope=unnamed
# expect: SPA404 safe scope=counted
# may: SPA404 unsafe scope=bound_again
# A mask of the size of the keys gives one query as many rows.
import torch


def of_keys(q, k, v):
    n = q.shape[-2]
    m = k.shape[-2]
    mask = torch.tril(torch.ones(m, m, dtype=torch.bool))
    return ((q @ k.mT) / n * mask) @ v


def unnamed(q, k, v):
    n = q.shape[-2]
    mask = torch.tril(torch.ones(k.shape[-2], k.shape[-2], dtype=torch.bool))
    return ((q @ k.mT) / n * mask) @ v


def counted(q, k, v):
    n, m = q.shape[-2], k.size(-2)
    i, j = torch.arange(m), torch.arange(m)
    return ((q @ k.mT) * (i[:, None] >= j)) @ v / n


def bound_again(q, k, v):
    n, d = q.shape
    mask = torch.tril(torch.ones(n, n, dtype=torch.bool))
    n, d = k.shape
    return ((q @ k.mT) * mask) @ v / n


def cases(rng):
    def make(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32)

    for name in ("of_keys", "unnamed", "counted", "bound_again"):
        yield name, (make(1, 3), make(5, 3), make(5, 2)), {}
        yield name, (make(4, 3), make(4, 3), make(4, 2)), {}
