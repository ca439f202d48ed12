# expect: ASC109 safe scope=attend
import torch


def attend(q, k, v, mask):
    size, length = q.size(0), k.size(1)
    shape = (size, 1, length)
    scores = q @ k.transpose(1, 2) / q.size(-1) ** 0.5
    hidden = (mask == 0).view(shape).expand_as(scores)
    scores = scores.masked_fill(hidden, float("-inf"))
    return scores.softmax(-1) @ v


def cases(rng):
    yield (
        "attend",
        (
            torch.randn(2, 5, 4, requires_grad=True),
            torch.randn(2, 6, 4, requires_grad=True),
            torch.randn(2, 6, 3, requires_grad=True),
            torch.tensor([[1, 1, 1, 1, 1, 0]] * 2),
        ),
        {},
    )
    yield (
        "attend",
        (
            torch.randn(1, 1, 4, requires_grad=True),
            torch.randn(1, 1, 4, requires_grad=True),
            torch.randn(1, 1, 2, requires_grad=True),
            torch.tensor([[1]]),
        ),
        {},
    )
