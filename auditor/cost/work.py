"""How much work code is: what each operation costs, as expressions of the extents.

Counts are notation's own integer terms (``3*T*x.shape[1]``), so that they are shown as they are
and evaluated where sizes are known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from auditor.lift import extents
from auditor.notation import ONE, ZERO, Apply, Const, Index, Term

Sizes = Callable[[Term], float]
"""The number taken for a term that the code does not determine."""


@dataclass(frozen=True)
class Work:
    """What one operation does each time, and how many ``times`` it is done.

    ``steps`` are operations of the interpreter on plain numbers and objects, ``items`` objects that
    a builtin walks, ``calls`` of NumPy, ``launches`` of torch's operations, ``views`` ways of
    looking at an array that move nothing (``numpy_views`` of NumPy), ``bytes`` read and written,
    ``operations`` pointwise ones on numbers, ``specials`` exponentials, logarithms and the like,
    ``products`` the multiplications of a contraction.
    """

    times: Term = ONE
    steps: Term = ZERO
    items: Term = ZERO
    calls: Term = ZERO
    launches: Term = ZERO
    views: Term = ZERO
    numpy_views: Term = ZERO
    bytes: Term = ZERO
    operations: Term = ZERO
    specials: Term = ZERO
    products: Term = ZERO


RESOURCES = ("steps", "items", "calls", "launches", "views", "numpy_views", "bytes", "operations",
             "specials", "products")  # fmt: skip


def total(works: Iterable[Work], resource: str) -> Term:
    """All that is used of a resource."""
    parts = [extents.mul(work.times, getattr(work, resource)) for work in works]
    return extents.add(*parts) if parts else ZERO


def evaluate(term: Term, sizes: Sizes) -> float:
    """The number that a count is at these sizes."""
    if isinstance(term, Const):
        return float(term.value) if isinstance(term.value, (int, float)) else 1.0
    if isinstance(term, Index):
        return max(0.0, (evaluate(term.extent, sizes) - 1) / 2)  # its mean
    if not isinstance(term, Apply):
        return sizes(term)
    apply = _ARITHMETIC.get(term.op)
    if apply is None:
        return sizes(term)
    return apply([evaluate(arg, sizes) for arg in term.args])


_ARITHMETIC: dict[str, Callable[[list[float]], float]] = {
    "add": math.fsum,
    "mul": math.prod,
    "sub": lambda args: args[0] - args[1],
    "neg": lambda args: -args[0],
    "floordiv": lambda args: args[0] // args[1] if args[1] else 0.0,
    "mod": lambda args: args[0] % args[1] if args[1] else 0.0,
    "max": max,
    "min": min,
}
