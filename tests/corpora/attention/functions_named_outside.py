# expect: ASC109 safe scope=attend
from functools import partial

import torch

normalise = lambda scores: torch.softmax(scores, dim=-1)  # noqa: E731
similarity = partial(torch.einsum, "bid,bjd->bij")


def attend(q, k, v):
    return normalise(similarity(q, k)) @ v


def cases(rng):
    yield (
        "attend",
        (
            torch.randn(2, 5, 4, requires_grad=True),
            torch.randn(2, 6, 4, requires_grad=True),
            torch.randn(2, 6, 3, requires_grad=True),
        ),
        {},
    )
    yield (
        "attend",
        (
            torch.randn(1, 1, 4, requires_grad=True),
            torch.randn(1, 2, 4, requires_grad=True),
            torch.randn(1, 2, 3, requires_grad=True),
        ),
        {},
    )
