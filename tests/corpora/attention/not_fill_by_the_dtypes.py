# refuse: ASC109 the fill depends on the dtypes
import torch


def attend(q, k, v, mask):
    scores = torch.einsum("bid,bjd->bij", q, k)
    scores = scores.masked_fill(~mask, -60000.0 if scores.dtype == v.dtype else -1e9)
    return torch.einsum("bij,bjd->bid", scores.softmax(-1), v)


def cases(rng):
    yield (
        "attend",
        (
            torch.randn(2, 5, 4, requires_grad=True),
            torch.randn(2, 6, 4, requires_grad=True),
            torch.randn(2, 6, 3, requires_grad=True),
            torch.rand(2, 5, 6) > 0.4,
        ),
        {},
    )
