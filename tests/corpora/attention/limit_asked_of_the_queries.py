# expect: ASC109 safe scope=attend
import torch


def attend(q, k, v, keep):
    scores = (q @ k.mT).masked_fill(~keep[:, None, :], torch.finfo(q.dtype).min)
    return scores.softmax(-1) @ v


def cases(rng):
    for dtype in (torch.float32, torch.float64):
        yield (
            "attend",
            (
                torch.randn(2, 5, 4, dtype=dtype, requires_grad=True),
                torch.randn(2, 6, 4, dtype=dtype, requires_grad=True),
                torch.randn(2, 6, 3, dtype=dtype, requires_grad=True),
                torch.tensor([[True] * 6, [False] * 6]),
            ),
            {},
        )
