# expect: ASC109 safe scope=decode_step
import math

import torch


def decode_step(q, keys, values, padding):
    """q: (B, H, D); keys, values: (B, H, S, D); padding: (B, S)"""
    scores = torch.einsum("bhd,bhsd->bhs", q, keys) / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(padding[:, None, :], float("-inf"))
    return torch.einsum("bhs,bhsd->bhd", scores.softmax(-1), values)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for length in (1, 7):
        padding = torch.zeros(2, length, dtype=torch.bool)
        padding[1, 3:] = True
        yield (
            "decode_step",
            (draw(2, 3, 4), draw(2, 3, length, 4), draw(2, 3, length, 5), padding),
            {},
        )
