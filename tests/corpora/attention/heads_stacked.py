# expect: ASC109 safe scope=heads
import math

import torch
import torch.nn.functional as F


def heads(q, k, v):
    out = []
    for i in range(q.shape[1]):
        s = q[:, i] @ k[:, i].transpose(-1, -2) / math.sqrt(q.shape[-1])
        out.append(F.softmax(s, dim=-1) @ v[:, i])
    return torch.stack(out, dim=1)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    yield (
        "heads",
        (
            draw(2, 3, 5, 4),
            draw(2, 3, 7, 4),
            draw(2, 3, 7, 6),
        ),
        {},
    )
