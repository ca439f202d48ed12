"""Matrices of SciPy whose entries depend on how far row and column are apart."""

from __future__ import annotations

from auditor.lift import extents
from auditor.lift.calls import Call
from auditor.lift.dtypes import result_dtype
from auditor.lift.objects import Obj
from auditor.lift.tables.views import is_real
from auditor.notation import Apply, Index, Term, Value


def toeplitz(c: Call) -> Obj:
    """The first column below the diagonal and the first row above it, which without one is the
    conjugate of the column."""
    column = _vector(c, "column", "toeplitz")
    row = _vector(c, "row", "toeplitz") if c.has("row") else column
    i, j = Index("i", _length(c, column)), Index("j", _length(c, row))
    above = c.ops.element(row, (extents.sub(j, i),))
    if row is column and not is_real(column):
        above = Apply("conj", (above,))
    below = c.ops.element(column, (extents.sub(i, j),))
    body = Apply("where", (Apply("ge", (i, j)), below, above))
    return c.ops.make((i, j), body, result_dtype("max", [column, row]), "numpy")


def circulant(c: Call) -> Obj:
    """Each column is the one before it, rolled on by one place."""
    first = _vector(c, "first", "circulant")
    size = _length(c, first)
    i, j = Index("i", size), Index("j", size)
    body = c.ops.element(first, (extents.mod(extents.sub(i, j), size),))
    return c.ops.make((i, j), body, first.dtype, "numpy")


def _vector(c: Call, name: str, what: str) -> Value:
    value = c.value(name)
    c.ops.need_rank(value, 1, f"`{value.name}` has 1 axis, as `{what}` says")
    return value


def _length(c: Call, value: Value) -> Term:
    return c.lifter.facts.extent(value.axes[0].extent)
