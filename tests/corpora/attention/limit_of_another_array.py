# expect: ASC109 safe scope=attend
import torch


def lowest(t):
    return -torch.finfo(t.dtype).max


def attend(q, k, v, mask, like):
    scores = torch.einsum("bid,bjd->bij", q, k)
    scores = scores.masked_fill(~mask, lowest(like))
    return torch.einsum("bij,bjd->bid", scores.softmax(-1), v)


def cases(rng):
    yield (
        "attend",
        (
            torch.randn(2, 5, 4, requires_grad=True),
            torch.randn(2, 6, 4, requires_grad=True),
            torch.randn(2, 6, 3, requires_grad=True),
            torch.rand(2, 5, 6) > 0.4,
            torch.ones(1),
        ),
        {},
    )
