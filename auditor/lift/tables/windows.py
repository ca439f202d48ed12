"""Windows that slide along an array: views of it in which most elements stand several times."""

from __future__ import annotations

from dataclasses import replace

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call
from auditor.lift.objects import Obj
from auditor.notation import ONE, Index, Symbol, Term, Value

WINDOWS, COLUMNS = "windows", "columns"


def unfold(c: Call) -> Obj:
    """torch's: the axis ``dim`` counts windows, and a last axis goes through each."""
    value, dim = c.value("input"), c.integer("dim")
    if value.made is not None and value.made[0] == WINDOWS and dim >= 0:
        # Nobody slides along the windows themselves, nor along all axes but the last.
        c.ops.need_lead(value, dim + 1)
        said = f"{c.ops.called(value)} has {dim + 2} axes, as what slides along it says"
        c.ops.need_rank(value, dim + 2, said, "uses")
    at = c.ops.axis(value, dim)
    return _slid(c, value, [at], [c.size("size")], c.size("step"))


def columns(c: Call) -> Obj:
    """torch's ``F.unfold``: the windows of images, of all channels, each in a column. What stands
    where has no notation."""
    value = c.value("input")
    if c.ops.group_of(value) is not None:
        c.ops.need_rank(value, 4, f"{c.ops.called(value)} has 4 axes, as images have", "uses")
    said = f"unfold({c.lifter.spoken(value)})"
    places = (Index("m", Symbol(f"{said}.shape[-2]")), Index("l", Symbol(f"{said}.shape[-1]")))
    axes = (*c.ops.fresh(value.axes[:-3]), *places)
    made = (COLUMNS, value)
    return Value(said, axes, None, value.dtype, "opaque", "torch", c.ops.span, made=made)


def sliding(c: Call) -> Obj:
    """NumPy's: as many axes as are given go through the windows, behind all others."""
    value, sizes = c.value("input"), c.sizes("window_shape")
    axes = c.integers("axis")
    if axes is None:
        said = f"{c.ops.called(value)} has as many axes as its windows"
        c.ops.need_rank(value, len(sizes), said if len(sizes) > 1 else None)
        axes = list(range(len(sizes)))
    at = c.ops.positions(value, axes)
    if len(set(at)) < len(at) or len(at) != len(sizes):
        raise Unsupported("windows along one axis twice")
    return _slid(c, value, at, sizes, ONE)


def _slid(c: Call, value: Value, places: list[int], sizes: list[Term], step: Term) -> Value:
    if c.ops.group_of(value) is not None and any(value.axes[at].group for at in places):
        raise Unsupported("windows along an axis of unknown place")
    axes, within = list(c.ops.fresh(value.axes)), []
    subs: list[Term] = list(axes)
    for at, size in zip(places, sizes, strict=True):
        left = extents.sub(axes[at].extent, size)
        count = extents.add(extents.floordiv(left, step), ONE)
        axes[at] = Index(axes[at].name, c.lifter.facts.extent(count))
        inner = Index("w", c.lifter.facts.extent(size))
        subs[at] = extents.add(extents.mul(step, axes[at]), inner)
        within.append(inner)
    body = c.ops.element(value, subs)
    made = c.ops.make((*axes, *within), body, value.dtype, value.library)
    return replace(made, made=(WINDOWS, value))
