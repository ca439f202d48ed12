"""Quadratic forms, ``sum_ij x[.., i] A[i, j] y[.., j]``, as the product of the matrix with one of
the two, and a sum of that times the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

from auditor.notation import Apply, Index, Read, Reduce, Term, Value


@dataclass(frozen=True)
class Quadratic:
    """``inner`` sums ``matrix`` and ``near``; ``outer``, the last axis of that product, sums it
    times ``far``. ``product`` is the value that the product would be."""

    product: Value
    inner: Index
    outer: Index
    matrix: Term
    near: Read
    far: Read


def quadratic(value: Value, is_matrix: Callable[[Term], bool]) -> Quadratic | None:
    """The form that a value is, in one expression, with such a matrix between two arrays."""
    outer = value.body
    inner = outer.body if isinstance(outer, Reduce) else None
    if not isinstance(outer, Reduce) or not isinstance(inner, Reduce):
        return None
    term = inner.body
    if {outer.op, inner.op} != {"sum"} or not isinstance(term, Apply) or term.op != "mul":
        return None
    indices = (outer.index, inner.index)
    for matrix, near, far in permutations(term.args, 3) if len(term.args) == 3 else ():
        if not is_matrix(matrix) or not isinstance(near, Read) or not isinstance(far, Read):
            continue
        if near.value is not far.value and (
            near.value.dtype is None or near.value.dtype != far.value.dtype
        ):
            continue  # of several types torch makes no such product
        for one, other in (indices, indices[::-1]):
            axes = (*value.axes, other)
            if near.subs == (*value.axes, one) and far.subs == axes:
                product = Value(
                    value.name, axes, Reduce("sum", one, Apply("mul", (matrix, near))),
                    value.dtype, value.kind, value.library, value.span,
                )  # fmt: skip
                return Quadratic(product, one, other, matrix, near, far)
    return None
