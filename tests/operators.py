"""Associative combines for the tests of the scans, each with random elements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

Elements = tuple[Tensor, ...]


@dataclass(frozen=True)
class Operator:
    """``draw`` makes one part of an element from standard normal numbers; ``flags`` is how many of
    the first parts are flags, which have no gradient."""

    name: str
    arity: int
    combine: Callable[[Elements, Elements], Elements]
    draw: Callable[[Tensor, int], Tensor] = lambda normal, part: normal
    flags: int = 0


def affine(first, second):
    (a, b), (c, d) = first, second
    return c * a, c * b + d


def max_plus(first, second):
    (a, b), (c, d) = first, second
    return a + c, torch.maximum(b + c, d)


def clamp(first, second):
    (a, low, high), (b, least, most) = first, second
    return (
        a + b,
        torch.minimum(torch.maximum(low + b, least), most),
        torch.minimum(torch.maximum(high + b, least), most),
    )


def matrix(size):
    def combine(first, second):
        return tuple(
            sum(second[row * size + k] * first[k * size + column] for k in range(size))
            for row in range(size)
            for column in range(size)
        )

    return combine


def moebius(first, second):
    a, b, c, d = matrix(2)(first, second)
    size = torch.maximum(a.abs() + b.abs(), c.abs() + d.abs())
    return a / size, b / size, c / size, d / size


def log_semiring(first, second):
    (a, b), (c, d) = first, second
    return a + c, torch.logaddexp(b + c, d)


def best_by_key(first, second):
    (key, payload), (other, load) = first, second
    keep = key >= other
    return torch.where(keep, key, other), torch.where(keep, payload, load)


def segmented_sum(first, second):
    (flag, total), (other, more) = first, second
    return torch.maximum(flag, other), torch.where(other > 0, more, total + more)


def _clamp_part(normal, part):
    return (normal, normal.clamp(max=0) - 0.1, normal.clamp(min=0) + 0.1)[part]


OPERATORS = [
    Operator("affine", 2, affine, lambda x, part: x if part else torch.tanh(x)),
    Operator("max-plus", 2, max_plus),
    Operator("matrix 2", 4, matrix(2), lambda x, part: x * 0.6),
    Operator("matrix 3", 9, matrix(3), lambda x, part: x * 0.5),
    Operator("moebius", 4, moebius),
    Operator("log-semiring", 2, log_semiring),
    Operator("clamp", 3, clamp, _clamp_part),
    Operator("best by key", 2, best_by_key),
    Operator("segmented sum", 2, segmented_sum, lambda x, part: x if part else (x > 1).to(x), 1),
]


def elements(operator: Operator, *shape: int, dtype=torch.float64, device="cpu") -> Elements:
    return tuple(
        operator.draw(torch.randn(*shape, dtype=torch.float64), part).to(device, dtype)
        for part in range(operator.arity)
    )
