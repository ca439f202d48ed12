"""Inverses of matrices: values of their own, of which it is known what they are the inverse of."""

from __future__ import annotations

from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Handler
from auditor.lift.dtypes import kind_of
from auditor.lift.objects import Obj
from auditor.notation import ONE, ZERO, Apply, Library, Value

INVERSE = "inverse"


def inverse(library: Library) -> Handler:
    """``inv``, of a matrix or of a batch of them."""
    return lambda c: _inverse_of(c, c.value("input"), library)


def power(library: Library) -> Handler:
    """``matrix_power`` of -1."""

    def call(c: Call) -> Obj:
        if c.integer("n") != -1:
            raise Unsupported("a power of a matrix")
        return _inverse_of(c, c.value("input"), library)

    return call


def solve(library: Library) -> Handler:
    """``solve`` for the columns of the identity matrix."""

    def call(c: Call) -> Obj:
        given, value = c.value("other"), c.value("input")
        if not (c.flag("left", True) and _is_identity(given)):
            raise Unsupported("a system of equations")
        if value.axes and given.axes[0].extent is c.lifter.facts.extent(value.axes[0].extent):
            c.ops.need_rank(
                value, 2, f"{c.ops.called(value)} has 2 axes, as the identity of its size says"
            )
        if c.ops.group_of(value) is not None or len(value.axes) != 2:
            raise Unsupported("systems of equations of unknown number")
        if library == "numpy" and not _may_be_alike(value, given):
            raise Unsupported("a system of equations whose sides may have different dtypes")
        c.lifter.facts.unify(given.axes[0].extent, value.axes[-1].extent)
        return _inverse_of(c, value, library)

    return call


def _may_be_alike(value: Value, given: Value) -> bool:
    """Whether a matrix and an identity may have the precision of their solution: where nothing
    is known of the matrix it may be double, whole numbers are inverted in double."""
    if given.dtype is not None and given.dtype in (value.dtype, f"like {value.uid}"):
        return True
    known = value.dtype
    whole = known is not None and not known.startswith("like") and kind_of(known) < 2
    return given.dtype == "float64" and (known is None or whole)


def _inverse_of(c: Call, value: Value, library: Library) -> Value:
    c.ops.need_tail(value, 2)
    c.lifter.facts.unify(value.axes[-2].extent, value.axes[-1].extent)
    dtype = value.dtype
    if library == "numpy" and dtype is not None and kind_of(dtype) < 2:
        dtype = "float64"
    return Value(
        f"inverse of {c.lifter.spoken(value)}", c.ops.fresh(value.axes), None, dtype, "opaque",
        library, c.ops.span, made=(INVERSE, value),
    )  # fmt: skip


def _is_identity(value: Value) -> bool:
    body = value.body
    if not (isinstance(body, Apply) and body.op == "where" and body.args[1:] == (ONE, ZERO)):
        return False
    on = body.args[0]
    return isinstance(on, Apply) and on.op == "eq" and set(on.args) == set(value.axes)
