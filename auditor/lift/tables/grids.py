"""The places of a grid as arrays: ``indices``, ``mgrid``, ``ogrid`` and ``ix_``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call
from auditor.lift.objects import Obj, Sequence, Slice
from auditor.lift.tables.joins import stack_values
from auditor.notation import ONE, ZERO, Apply, Const, Index, Term, Value

if TYPE_CHECKING:
    from auditor.lift.lifter import Lifter


def indices(c: Call) -> Obj:
    """``np.indices``: the number of each place along each axis."""
    if c.flag("sparse", False):
        raise Unsupported("indices that are not spread")
    sizes = c.sizes("dimensions")
    if not sizes:
        raise Unsupported("indices of no axes")
    walks = [_Walk(Index("i", c.lifter.facts.extent(size)), ZERO, ONE) for size in sizes]
    return stack_values(c, [walk.spread(c, walks, c.dtype() or "int64") for walk in walks], 0)


def ix_(c: Call) -> Obj:
    """``np.ix_``: vectors along axes of their own, the others 1 long."""
    obj = c.obj("args")
    assert isinstance(obj, Sequence)
    values = [c.lifter.as_value(item) for item in obj.items]
    if any(value.dtype in (None, "bool") for value in values):
        raise Unsupported("ix_ of what may be a mask")
    made: list[Obj] = []
    for at, value in enumerate(values):
        c.ops.need_rank(value, 1, f"{c.ops.called(value)} has 1 axis, as `ix_` says")
        made.append(_alone(c, value, at, len(values)))
    return Sequence(tuple(made))


def diagonal_places(c: Call) -> Obj:
    """``np.diag_indices``: the same places along each axis."""
    return _diagonal(c, c.size("n"), c.integer("ndim", 2))


def diagonal_of(c: Call) -> Obj:
    """``np.diag_indices_from``: those of an array that is as long along each axis."""
    value = c.value("input")
    if c.ops.group_of(value) is not None or not value.axes:
        raise Unsupported("the diagonal of an array of unknown rank")
    for axis in value.axes[1:]:
        c.lifter.facts.unify(value.axes[0].extent, axis.extent)
    return _diagonal(c, value.axes[0].extent, len(value.axes))


def _diagonal(c: Call, size: Term, count: int) -> Obj:
    axis = Index("i", c.lifter.facts.extent(size))
    return Sequence((c.ops.make((axis,), axis, "int64", "numpy"),) * count)


def grid(lifter: Lifter, path: str, items: Obj) -> Obj | None:
    """``np.mgrid[a:b, c:d]`` and ``np.ogrid``; None for what is no grid."""
    if path not in ("numpy.mgrid", "numpy.ogrid"):
        return None
    c = Call(lifter, {})
    if isinstance(items, Slice):
        walk = _walk(lifter, items)
        return walk.spread(c, [walk], walk.dtype)
    parts = items.items if isinstance(items, Sequence) else ()
    walks = [_walk(lifter, part) for part in parts if isinstance(part, Slice)]
    if not walks or len(walks) != len(parts):
        raise Unsupported("a grid of something else than slices")
    dtype = "float64" if any(walk.dtype == "float64" for walk in walks) else "int64"
    if path == "numpy.ogrid":
        rows = [walk.spread(c, [walk], dtype) for walk in walks]
        return Sequence(tuple(_alone(c, row, at, len(rows)) for at, row in enumerate(rows)))
    return stack_values(c, [walk.spread(c, walks, dtype) for walk in walks], 0)


class _Walk:
    """The numbers ``start + step * axis``."""

    def __init__(self, axis: Index, start: Term, step: Term, dtype: str = "int64") -> None:
        self.axis, self.start, self.step, self.dtype = axis, start, step, dtype

    def spread(self, c: Call, walks: list[_Walk], dtype: str) -> Value:
        """The numbers along their own axis, the same along the others."""
        axes = [Index(walk.axis.name, walk.axis.extent) for walk in walks]
        place = axes[walks.index(self)]
        if self.dtype == "int64":
            body = extents.add(self.start, extents.mul(self.step, place))
        else:
            body = Apply("add", (self.start, Apply("mul", (self.step, place))))
        return c.ops.make(axes, body, dtype, "numpy")


def _walk(lifter: Lifter, part: Slice) -> _Walk:
    """The numbers that a slice names. Raises ``Unsupported``."""
    if part.stop is None:
        raise Unsupported("a grid without an end")
    number = part.step.body if part.step is not None else ONE
    if isinstance(number, Const) and isinstance(number.value, complex):
        return _evenly(lifter, part, number.value)
    start = ZERO if part.start is None else lifter.as_size(part.start)
    step = 1 if part.step is None else extents.constant(lifter.as_size(part.step))
    if any(end is not None and end.dtype == "float" for end in (part.start, part.stop)) or not step:
        raise Unsupported("a grid over fractions")
    length = extents.mul(
        Const(1 if step > 0 else -1), extents.sub(lifter.as_size(part.stop), start)
    )
    if abs(step) != 1:
        length = extents.floordiv(extents.add(length, Const(abs(step) - 1)), Const(abs(step)))
    return _Walk(Index("i", lifter.facts.extent(length)), start, Const(step))


def _evenly(lifter: Lifter, part: Slice, count: complex) -> _Walk:
    """``a:b:nj``: n numbers from a to b, both included."""
    steps = int(abs(count))
    if steps < 1 or part.stop is None:
        raise Unsupported("a grid of no numbers")
    first = ZERO if part.start is None else lifter.ops.element(part.start, ())
    apart = Apply("sub", (lifter.ops.element(part.stop, ()), first))
    step = Apply("div", (apart, Const(max(steps - 1, 1))))
    return _Walk(Index("i", Const(steps)), first, step, "float64")


def _alone(c: Call, value: Value, at: int, count: int) -> Value:
    """A vector along the axis ``at`` of ``count``, the others 1 long."""
    for place in range(count):
        if place != at:
            value = c.ops.unsqueeze(value, place)
    return value
