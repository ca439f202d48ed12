"""Loops of small operations that have nothing to do with one another, as one operation.

Finds nests of loops that fill an array with what single elements or rows of others give:
``out[i, j] = a[i] * b[j] + c[i, j]``, pointwise functions, outer products and broadcasts spelt
out, places that are looked up in an array of integers (``x[b, idx[b]]``) or computed of a loop
variable (``x[(i + 1) % n]``, ``x[max(i - 1, 0)]``, ``x[i // 2]``), elements between bounds, sums,
norms and extrema of one row after the other; what a condition on elements chooses
(``if x[i] > t: out[i] = x[i]``), in NumPy one on where a cell lies (``if abs(i - j) <= w``); tables
of what the loop variables are (``pe[t, i] = np.sin(t / 10000 ** (i / d))``), also two cells at a
step; diagonals (``a[i, i] += lam``); elements that are only moved
(``out[j, n - 1 - i] = a[i, j]``), windows that are laid out (``frames[i] = x[i * hop : i * hop +
n]``); functions of all pairs of rows that are no product (``out[i, j] = np.abs(x[i] -
y[j]).sum()``), one row after the other, since of all pairs at once there would be too much. The
same where the steps put what they compute into a list of which an array is made:
``torch.stack([torch.relu(x[i] * w) for i in range(n)])``.

Legal because every cell is written once, at its own place, from arrays that the loops do not write.

Pays because each small operation costs an interpreted step and, on a device, a launch of its own.

Safe means: the same operations on the same elements. What the array held before stays where the
loops do not write. Both ways of a choice are computed for all cells, so that a choice stays a loop
where one of them divides, takes a root or a logarithm or looks something up, where it is made by a
flag, and where only it keeps a step within an array. Numbers that loop variables are in may not
outgrow 64 bits: of products of two or three of them that is said where their ranges do not show it,
larger products stay loops. No tensor stands beside them. A loop that reads what an earlier step
wrote stays, as does one that fills an array which shares memory with what it reads, as far as the
function shows; of arrays that it is given it is said that they do not overlap. Products of matrices
are LOC301's. A list of no items makes no array of the right axes: there is a step, which is said,
as it is that places looked up in a tensor have 32 or 64 bits: one short integer is a place, an
array of them is none. What is read by places
alone is taken for an array, which is said; of a list that steps fill, where nothing says that a
name is an array, or of how many axes, the fix is not safe, or none.

Source: the documentation of NumPy on broadcasting.
"""

from __future__ import annotations

from dataclasses import replace

from auditor.assumed import listed
from auditor.nests.kinds import (
    LOOKS_UP,
    computes,
    elementwise,
    from_the_end,
    looks_up,
    neighbours,
    reduces,
)
from auditor.nests.listed import (
    filling,
    part_of_a_nest,
    plan,
    too_large_around,
    within_loop,
)
from auditor.nests.parts import Filled
from auditor.notation import Read, walk
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.verdict import Answer, Verdict


def find(site: Site) -> Match | None:
    """The match of a nest, or None. Raises ``Refused``."""
    nest = filling(site)
    if nest is None or not all(elementwise(one) or reduces(one) for one in nest.filled):
        return None
    if within_loop(site) and not all(map(elementwise, nest.filled)) and not too_large_around(site):
        return None  # a row of pairs, of which the loop around has all
    if nest.expressions.plain:
        return None  # which numbers in a list are as well computed one by one
    inner = within_loop(site)
    if inner and any(map(from_the_end, nest.filled)):
        return None  # a row of lags, of which the loop around makes a matrix
    if any(map(neighbours, nest.filled)) or not any(
        computes(one) or reduces(one) or (_moves(one) and (one.along or not part_of_a_nest(site)))
        for one in nest.filled
    ):
        return None
    names = listed(dict.fromkeys(f"`{filled.name}`" for filled in nest.filled))
    match = plan(site, nest, nest.filled).match(
        f"{names}: the loops do one small operation at a time, which operations on whole"
        " arrays do at once"
    )
    reads = _reads(nest.filled)
    if reads is None:
        return match
    way: Answer = "holds" if reads == _ITS_OWN else "partial"
    return replace(match, verdicts={"locality": Verdict(way, "structure", reads)})


_ITS_OWN = "a step reads no element: its place alone says what it writes"


def _moves(filled: Filled) -> bool:
    """Whether elements of another array are moved: to a diagonal, turned, taken from the end."""
    return any(isinstance(n, Read) and n.subs for n in walk(filled.term))


def _reads(filled: tuple[Filled, ...]) -> str | None:
    """What a step reads that is not at its own place."""
    if any(map(reduces, filled)):
        return "a step reads all of its own rows, and no others"
    if not any(isinstance(node, Read) and node.subs for one in filled for node in walk(one.term)):
        return _ITS_OWN
    if any(map(looks_up, filled)):
        return LOOKS_UP
    return None


_OUTER = """\
import numpy as np


def table(a: np.ndarray, b: np.ndarray, c: np.ndarray):
    n, m = c.shape
    out = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            out[i, j] = a[i] * b[j] + c[i, j]
    return out
"""

_OUTER_AFTER = """\
import numpy as np


def table(a: np.ndarray, b: np.ndarray, c: np.ndarray):
    n, m = c.shape
    out = np.empty((n, m))
    out[:] = a[:n, None] * b[:m] + c
    return out
"""

_ROWS = """\
import torch


def scaled(x: torch.Tensor, weight: torch.Tensor):
    n, d = x.shape
    (rows,) = weight.shape
    out = torch.zeros(n, d)
    for i in range(n):
        out[i] = torch.exp(-x[i]) * weight[i]
    return out
"""

_ROWS_AFTER = """\
import torch


def scaled(x: torch.Tensor, weight: torch.Tensor):
    n, d = x.shape
    (rows,) = weight.shape
    out = torch.zeros(n, d)
    out[:] = torch.exp(-x) * weight[:n, None]
    return out
"""

REWRITE = Rewrite(
    code="LOC306",
    name="batched-small-ops",
    summary="a loop of independent small operations is one operation",
    doc=__doc__,
    properties=("locality",),
    find=find,
    seeks=("loop", "listed"),
    becomes="a[:, None] * b + c",
    examples=(
        Example("an outer product", _OUTER, _OUTER_AFTER,
                "((np.ones(3), np.arange(2.0), np.ones((3, 2))),)"),
        Example("rows", _ROWS, _ROWS_AFTER,
                "((torch.randn(3, 2, requires_grad=True), torch.randn(3, requires_grad=True)),)"),
    ),
    refused=(
        RefusedExample("names", _ROWS.replace("return out", "return out, i")),
        RefusedExample("aliasing", _OUTER.replace("np.empty((n, m))", "c[:]")),
    ),
    unmatched=(
        _OUTER.replace("a[i] *", "out[i - 1, j] *"),
        _OUTER.replace("+ c[i, j]", "+ c[i, j]\n            print(i)"),
        _OUTER.replace("a[i] * b[j] + c[i, j]", "0.0"),
        _OUTER.replace("a[i] * b[j] + c[i, j]", "a[i] / b[j] if b[j] != 0 else c[i, j]"),
        _OUTER.replace("a[i] * b[j] + c[i, j]", "a[i] if i > j else c[i, j]"),
    ),
)  # fmt: skip
