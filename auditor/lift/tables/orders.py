"""Orders and selections: sort, top-k, gather and what takes elements by position."""

from __future__ import annotations

from dataclasses import replace

from auditor.algebra.ordered_few import MOST, ordered
from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Handler
from auditor.lift.objects import Obj, Record, Sequence
from auditor.lift.ranks import many
from auditor.notation import ONE, ZERO, Apply, Const, Index, Order, Reduce, Term, Value, refresh

ONE_HOT = "one-hot"


def sort(c: Call) -> Obj:
    value, dim, down = c.value("input"), c.integer("dim", -1), c.flag("descending")
    return Record(
        {
            "values": c.ops.order(value, dim, None, down, "values"),
            "indices": c.ops.order(value, dim, None, down, "indices"),
        }
    )


def argsort(c: Call) -> Obj:
    down = c.flag("descending")
    return c.ops.order(c.value("input"), c.integer("dim", -1), None, down, "indices")


def sorted_array(what: str) -> Handler:
    """NumPy's ``sort`` and ``argsort``."""

    def call(c: Call) -> Obj:
        if "dim" in c.bound and not c.has("dim"):
            raise Unsupported("an order of a flattened array")
        return c.ops.order(c.value("input"), c.integer("dim", -1), None, False, what)

    return call


def topk(c: Call) -> Obj:
    value, dim, down = c.value("input"), c.integer("dim", -1), c.flag("largest", True)
    count = c.size("k")
    if not c.flag("sorted", True) and count is not ONE:
        raise Unsupported("a selection in no order")
    return Record(
        {
            "values": c.ops.order(value, dim, count, down, "values"),
            "indices": c.ops.order(value, dim, count, down, "indices"),
        }
    )


def gather(c: Call) -> Obj:
    """``torch.gather``: the index may be shorter than the input along every axis."""
    value, index = c.value("input"), c.value("index")
    if c.ops.group_of(value) is not None:
        raise Unsupported("a gather of unknown rank")
    c.ops.need_rank(index, len(value.axes))  # or the call had raised
    dim = c.ops.axis(value, c.integer("dim"))
    axes = c.ops.fresh(index.axes)
    subs: list[Term] = list(axes)
    subs[dim] = c.ops.element(index, axes)
    return c.ops.make(axes, c.ops.element(value, subs), value.dtype, value.library)


def scatter(c: Call) -> Obj:
    """``torch.scatter`` of one place along the axis, for each of the other places of the input."""
    value, index, given = c.value("input"), c.value("index"), c.value("src")
    if c.ops.group_of(value) is None and len(value.axes) > 1:
        said = f"{c.ops.called(index)} has {many(len(value.axes))}, as `scatter` says"
        c.ops.need_rank(index, len(value.axes), said)
    ranked = len(index.axes) == len(value.axes) and not given.axes
    if not ranked or any(axis.group for axis in (*value.axes, *index.axes)):
        raise Unsupported("a scatter with arrays of other ranks")
    dim = c.ops.axis(value, c.integer("dim"))
    axes = c.ops.fresh(value.axes)
    for position, (axis, other) in enumerate(zip(axes, index.axes, strict=True)):
        wanted = ONE if position == dim else axis.extent
        if c.lifter.facts.extent(other.extent) is not c.lifter.facts.extent(wanted):
            raise Unsupported("a scatter of several places, or not of all rows")
    places: list[Term] = [ZERO if p == dim else axis for p, axis in enumerate(axes)]
    here = Apply("eq", (c.ops.element(index, places), axes[dim]))
    body: Term = c.ops.element(given, ())
    if given.dtype != value.dtype and not isinstance(body, Const):
        body = Apply(f"cast:{value.dtype}", (body,)) if value.dtype is not None else body
    made = Apply("where", (here, body, c.ops.element(value, axes)))
    result = c.ops.make(axes, made, value.dtype, value.library)
    return replace(result, made=(ONE_HOT, index))


def take_along(c: Call) -> Obj:
    """``take_along_dim``: as gather, with the other axes broadcast."""
    value, index = c.value("input"), c.value("index")
    if c.ops.group_of(value) is not None:
        raise Unsupported("a selection of unknown rank")
    if c.has("dim"):
        c.ops.need_rank(index, len(value.axes))  # or the call had raised
    if c.ops.group_of(index) is not None:
        raise Unsupported("a selection of unknown rank")
    if not c.has("dim") or len(index.axes) != len(value.axes):
        raise Unsupported("a selection from a flattened array")
    dim = c.ops.axis(value, c.integer("dim"))
    axes: list[Index] = []
    for position, (mine, theirs) in enumerate(zip(value.axes, index.axes, strict=True)):
        one = c.lifter.facts.extent(theirs.extent) is ONE
        chosen = theirs if position == dim or not one else mine
        axes.append(Index(mine.name, c.lifter.facts.extent(chosen.extent)))

    def sub(own: Index, axis: Index) -> Term:
        return ZERO if c.lifter.facts.extent(own.extent) is ONE else axis

    places = [sub(own, axis) for own, axis in zip(index.axes, axes, strict=True)]
    subs = [sub(own, axis) for own, axis in zip(value.axes, axes, strict=True)]
    subs[dim] = c.ops.element(index, places)
    return c.ops.make(axes, c.ops.element(value, subs), value.dtype, value.library)


def index_select(c: Call) -> Obj:
    """Whole slices by position."""
    value, index = c.value("input"), c.value("index")
    if not c.has("dim"):
        c.ops.need_rank(value, 1, f"{c.ops.called(value)} has 1 axis, as `take` says")
    at = c.ops.axis(value, c.integer("dim", 0))
    if any(axis.group for axis in value.axes[:at]):
        axes = c.ops.fresh(value.axes)
        places = c.ops.fresh(index.axes)
        subs: list[Term] = list(axes)
        subs[at] = c.ops.element(index, places)
        kept = [*axes[:at], *places, *axes[at + 1 :]]
        return c.ops.make(kept, c.ops.element(value, subs), value.dtype, value.library)
    return c.ops.subscript(value, [*[(None, None, None)] * at, index])


def select(c: Call) -> Obj:
    value = c.value("input")
    at = c.ops.axis(value, c.integer("dim"))
    axes = c.ops.fresh(value.axes)
    subs: list[Term] = list(axes)
    index = c.value("index")
    c.ops.need_integer(index)
    subs[at] = c.ops.wrap(index, axes[at])
    kept = [axis for p, axis in enumerate(axes) if p != at]
    return c.ops.make(kept, c.ops.element(value, subs), value.dtype, value.library)


def one_hot(c: Call) -> Obj:
    value = c.value("input")
    if not c.has("num_classes"):
        raise Unsupported("one_hot with a number of classes that depends on the data")
    axes = c.ops.fresh(value.axes)
    place = Index("c", c.size("num_classes"))
    here = Apply("eq", (c.ops.element(value, axes), place))
    body = Apply("where", (here, ONE, ZERO))
    made = c.ops.make((*axes, place), body, "int64", value.library)
    return replace(made, made=(ONE_HOT, value))


def _at_rank(c: Call, value: Value, dim: int, rank: Term, keep: bool) -> Record:
    at = c.ops.axis(value, dim)
    axes = list(c.ops.fresh(value.axes))
    inner = c.ops.element(value, axes)
    bound = axes[at]
    kept = [*axes[:at], *([Index("u", ONE)] if keep else []), *axes[at + 1 :]]
    values = Order(bound, inner, rank, False, "values")
    places = Order(bound, refresh(inner), rank, False, "indices")
    return Record(
        {
            "values": c.ops.make(kept, values, value.dtype, value.library),
            "indices": c.ops.make(kept, places, "int64", value.library),
        }
    )


def kthvalue(c: Call) -> Obj:
    rank = extents.sub(c.size("k"), ONE)
    return _at_rank(c, c.value("input"), c.integer("dim", -1), rank, c.flag("keepdim"))


def median(c: Call) -> Obj:
    """torch's median is the lower of the two in the middle."""
    value = c.value("input")
    if not c.has("dim"):
        c.ops.need_rank(value, 1, f"{c.ops.called(value)} has 1 axis, as its median says")
    at = c.ops.axis(value, c.integer("dim", 0))
    last = extents.sub(c.lifter.facts.extent(value.axes[at].extent), ONE)
    found = _at_rank(c, value, at, extents.floordiv(last, Const(2)), c.flag("keepdim"))
    return found if c.has("dim") else found.fields["values"]


def few_in_order(c: Call, obj: Obj) -> list[Value] | None:
    """Two or three numbers that the code writes out, from the least to the largest."""
    if not isinstance(obj, Sequence) or not 2 <= len(obj.items) <= MOST:
        return None
    values = [c.lifter.as_value(item) for item in obj.items]
    for value in values:
        c.ops.need_number(value, "as their order says")
    if any(value.axes or value.dtype == "bool" for value in values):
        return None
    return [one_of(value, values) for value in ordered(values, c.ops.pointwise)]


def one_of(result: Value, values: list[Value]) -> Value:
    """What Python chose among values: of the library and the type of whichever it is."""
    if len({value.library for value in values}) > 1:
        return replace(result, library=None, dtype=None)
    return result


def quantile(scale: int, at: float | None = None) -> Handler:
    """A quantile between the two elements around it; ``at`` where the name says which."""

    def call(c: Call) -> Obj:
        if at == 0.5 and (few := few_in_order(c, c.obj("input"))) is not None and len(few) == 3:
            return few[1]
        value = c.value("input")
        if any(c.has(name) for name in ("method", "interpolation", "keepdim", "out", "weights")):
            raise Unsupported("a quantile by another rule")
        where = at if at is not None else _fraction(c) / scale
        if not c.has("dim"):
            c.ops.need_rank(value, 1, f"{c.ops.called(value)} has 1 axis, as its quantile says")
        dim = c.ops.axis(value, c.integer("dim", 0))
        last = extents.sub(c.lifter.facts.extent(value.axes[dim].extent), ONE)
        place = Apply("mul", (Const(where), last))
        low, high = (Apply("cast:int64", (Apply(op, (place,)),)) for op in ("floor", "ceil"))
        axes = list(c.ops.fresh(value.axes))
        bound = axes.pop(dim)
        inner = c.ops.element(value, [*axes[:dim], bound, *axes[dim:]])
        below = Order(bound, inner, low, False, "values")
        above = refresh(Order(bound, inner, high, False, "values"))
        between = Apply("mul", (Apply("sub", (place, low)), Apply("sub", (above, below))))
        return c.ops.make(axes, Apply("add", (below, between)), None, value.library)

    return call


def _fraction(c: Call) -> float:
    body = c.value("q").body
    if not isinstance(body, Const) or not isinstance(body.value, (int, float)):
        raise Unsupported("a quantile at a place that the code does not state")
    return float(body.value)


def mode(c: Call) -> Obj:
    """Python's mode: the first element of those that the most elements are equal to."""
    value = c.value("input")
    c.ops.need_rank(value, 1, f"{c.ops.called(value)} has 1 axis, as its mode says")
    (place,) = c.ops.fresh(value.axes)
    (other,) = c.ops.fresh(value.axes)
    alike = Apply("eq", (c.ops.element(value, (other,)), c.ops.element(value, (place,))))
    count = Reduce("sum", other, Apply("where", (alike, ONE, ZERO)))
    most = Reduce("argmax", place, count)
    return c.ops.make((), c.ops.element(value, (most,)), value.dtype, value.library)
