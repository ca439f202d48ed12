"""Matrices of SciPy whose entries depend on how far row and column are apart, and NumPy's sums over
such distances."""

from __future__ import annotations

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Handler
from auditor.lift.dtypes import result_dtype
from auditor.lift.objects import Obj
from auditor.lift.tables.views import is_real
from auditor.notation import ONE, ZERO, Apply, Const, Index, Reduce, Term, Value


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


def convolution(turned: bool) -> Handler:
    """``np.convolve``; with ``turned``, ``np.correlate``."""

    def call(c: Call) -> Obj:
        one, other = c.value("input"), c.value("other")
        for value in (one, other):
            c.ops.need_rank(value, 1)
        m, n = _length(c, one), _length(c, other)
        mode = c.text("mode") if c.has("mode") else "valid" if turned else "full"
        start, count = _kept(mode, m, n)
        place, within = Index("p", count), Index("k", n)
        lag = extents.add(place, start)
        if turned:
            at = extents.sub(extents.add(lag, within), extents.sub(n, ONE))
        else:
            at = extents.sub(lag, within)
        second = c.ops.element(other, (within,))
        if turned and not is_real(other):
            second = Apply("conj", (second,))
        inside = Apply("and", (Apply("ge", (at, ZERO)), Apply("lt", (at, m))))
        product = Apply("mul", (c.ops.element(one, (at,)), second))
        body = Reduce("sum", within, Apply("where", (inside, product, ZERO)))
        return c.ops.make((place,), body, result_dtype("mul", (one, other)), "numpy")

    return call


def _kept(mode: str, m: Term, n: Term) -> tuple[Term, Term]:
    """Where in the full sum the result begins, and how long it is."""
    whole = extents.sub(extents.add(m, n), ONE)
    if mode == "full":
        return ZERO, whole
    long, short = extents.constant(m), extents.constant(n)
    if mode not in ("same", "valid") or long is None or short is None:
        raise Unsupported("a part of a convolution of unknown length")
    if short > long:
        raise Unsupported("a convolution with what is longer")
    if mode == "same":
        return Const((short - 1) // 2), Const(long)
    return Const(short - 1), Const(long - short + 1)


def _vector(c: Call, name: str, what: str) -> Value:
    value = c.value(name)
    c.ops.need_rank(value, 1, f"{c.ops.called(value)} has 1 axis, as `{what}` says")
    return value


def _length(c: Call, value: Value) -> Term:
    return c.lifter.facts.extent(value.axes[0].extent)
