# expect: LOC304 safe scope=local
import torch


def local(q, k, v, w: int = 2):
    n = q.size(1)
    mask = torch.ones(n, n, dtype=torch.bool).tril() & torch.ones(n, n, dtype=torch.bool).triu(-w)
    att = torch.einsum("bid,bjd->bij", q, k) / q.size(-1) ** 0.5
    att = att.masked_fill(mask.logical_not(), float("-inf"))
    return torch.einsum("bij,bjd->bid", att.softmax(-1), v)


def cases(rng):
    yield (
        "local",
        (
            torch.randn(2, 7, 4, requires_grad=True),
            torch.randn(2, 7, 4, requires_grad=True),
            torch.randn(2, 7, 4, requires_grad=True),
        ),
        {},
    )
