# expect: ASC109 safe scope=attn
import torch


def attn(q, k, v):
    a = torch.softmax(torch.einsum("dk,dq->kq", k, q) / 2.0, dim=0)
    return torch.einsum("kq,dk->dq", a, v)


def cases(rng):
    yield (
        "attn",
        (
            torch.randn(4, 5, requires_grad=True),
            torch.randn(4, 6, requires_grad=True),
            torch.randn(3, 6, requires_grad=True),
        ),
        {},
    )
