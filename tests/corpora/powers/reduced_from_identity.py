# expect: ASC114 safe scope=chain
import functools

import torch


def chain(matrix: torch.Tensor, k: int):
    size, _ = matrix.shape
    return functools.reduce(
        lambda total, one: one @ total, [matrix for _ in range(k)], torch.eye(size)
    )


def cases(rng):
    for size, k in ((1, 2), (3, 5), (4, 0)):
        yield "chain", ((torch.rand(size, size) / size).requires_grad_(), k), {}
