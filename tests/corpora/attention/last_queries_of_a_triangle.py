# expect: ASC109 safe scope=causal
import torch


def causal(q, k, v):
    w = torch.matmul(q, k.transpose(-1, -2)) / (v.size(-1) ** 0.5)
    nd, ns = q.size(-2), k.size(-2)
    m = torch.tril(torch.ones(ns, ns, dtype=torch.bool))[ns - nd : ns, :ns]
    w = torch.where(m, w, torch.full([], torch.finfo(w.dtype).min, dtype=w.dtype))
    return torch.softmax(w, -1) @ v


def cases(rng):
    yield (
        "causal",
        (
            torch.randn(2, 2, 3, 4, requires_grad=True),
            torch.randn(2, 2, 5, 4, requires_grad=True),
            torch.randn(2, 2, 5, 4, requires_grad=True),
        ),
        {},
    )
    yield (
        "causal",
        (
            torch.randn(2, 2, 5, 4, requires_grad=True),
            torch.randn(2, 2, 5, 4, requires_grad=True),
            torch.randn(2, 2, 5, 4, requires_grad=True),
        ),
        {},
    )
