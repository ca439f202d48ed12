"""Joining and splitting: stack, cat, split, chunk, unbind and their relatives."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Handler
from auditor.lift.dtypes import result_dtype
from auditor.lift.objects import Collected, Iteration, Obj, Sequence
from auditor.lift.ranks import many
from auditor.lift.tables.views import flattened, ranked
from auditor.notation import ONE, ZERO, Apply, Const, Index, Library, Term, Value, substitute

_MOST = 32
"""A split into more pieces than this is walked, not listed."""


def _library(items: Collected) -> Library | None:
    known: dict[str | None, Library] = {"torch": "torch", "numpy": "numpy", "python": "python"}
    return known.get(items.library)


def stacked(c: Call, items: Collected, dim: int) -> Value:
    """A list that a loop built, stacked along a new axis."""
    rank = len(items.axes)
    if any(axis.group for axis in items.axes) and dim != 0:
        at = next(p for p, axis in enumerate(items.axes) if axis.group)
        if not (0 <= dim <= at or -1 - (rank - at - 1) <= dim < 0):
            raise Unsupported("stacked along an axis of unknown place")
    at = dim if dim >= 0 else rank + 1 + dim
    axes = list(c.ops.fresh(items.axes))
    before = len(items.prefix)
    size = extents.add(items.step.extent, Const(before))
    place = Index(items.step.name, c.lifter.facts.extent(size))
    step: Term = extents.sub(place, Const(before))
    if items.reverse:
        step = extents.sub(extents.sub(items.step.extent, ONE), place)
    by: dict[Term, Term] = {items.step: step}
    by.update(zip(items.axes, axes, strict=True))
    body = substitute(items.element, by)
    for position, value in reversed(list(enumerate(items.prefix))):
        if items.reverse:
            raise Unsupported("a list with items from before the loop")
        first = _prefix_element(c, value, axes)
        body = Apply("where", (Apply("eq", (place, Const(position))), first, body))
    axes.insert(at, place)
    return c.ops.make(axes, body, items.dtype, _library(items))


def rows(c: Call, walked: Iteration) -> Collected:
    """The items of what is walked, which are numbers or arrays, as a list: what an array can do,
    the list of its rows can not."""
    step = Index("t", c.lifter.facts.extent(walked.extent))
    row = c.lifter.as_value(walked.element(step))
    axes = c.ops.fresh(row.axes)
    element = c.lifter.inline(c.ops.element(row, axes), step)
    return Collected(step, axes, element, row.dtype, row.library, None)


def _prefix_element(c: Call, value: Value, axes: list[Index]) -> Term:
    """An item that was in the list before the loop, under the axes of the loop's items."""
    if len(value.axes) != len(axes) or any(axis.group for axis in (*value.axes, *axes)):
        raise Unsupported("a list with items of other ranks from before the loop")
    for mine, theirs in zip(value.axes, axes, strict=True):
        c.lifter.facts.unify(mine.extent, theirs.extent)
    return c.ops.element(value, axes)


def stack_values(c: Call, values: list[Value], dim: int) -> Value:
    """A few known values along a new axis."""
    if not values:
        raise Unsupported("a stack of nothing")
    axes, elements = c.ops.align(values)
    group = next((p for p, axis in enumerate(axes) if axis.group), None)
    at = dim if dim >= 0 else len(axes) + 1 + dim
    if group is not None and not (0 <= dim <= group or (dim < 0 and at > group)):
        raise Unsupported("stacked along an axis of unknown place")
    place = Index("s", Const(len(values)))
    body = elements[-1]
    for position in reversed(range(len(values) - 1)):
        body = Apply("where", (Apply("eq", (place, Const(position))), elements[position], body))
    dtype = result_dtype("max", values) if len(values) > 1 else values[0].dtype
    return c.ops.make([*axes[:at], place, *axes[at:]], body, dtype, values[0].library)


def stack(c: Call) -> Obj:
    items, dim = c.obj("tensors"), c.integer("dim", 0)
    if isinstance(items, Collected):
        return stacked(c, items, dim)
    if isinstance(items, Value) and items.axes and not any(axis.group for axis in items.axes):
        return _rows(c, items, dim)
    return stack_values(c, _items(c), dim)


def _rows(c: Call, value: Value, dim: int) -> Value:
    """The rows of an array (or the items of a list of numbers) along another axis."""
    order = list(range(1, len(value.axes)))
    order.insert(dim % len(value.axes), 0)
    made = c.ops.permute(value, order)
    return replace(made, library=None, dtype=None) if value.library == "python" else made


def _items(c: Call) -> list[Value]:
    """The arrays to join; the rows of an array where that is given."""
    obj = c.obj("tensors")
    if isinstance(obj, Value):
        raise Unsupported("joining the rows of an array")
    return c.values("tensors")


def cat(c: Call) -> Obj:
    items = c.obj("tensors")
    if isinstance(items, Collected):
        return _cat_collected(c, items, c.integer("dim", 0))
    values = _items(c)
    if "dim" in c.bound and not c.has("dim"):
        return joined(c, [flattened(c, value) for value in values], 0)
    return joined(c, values, c.integer("dim", 0))


def joined(c: Call, values: list[Value], dim: int) -> Value:
    """Known values one after the other along an axis."""
    if not values:
        raise Unsupported("a concatenation of nothing")
    values = same_ranks(c, values)
    first = values[0]
    at = c.ops.axis(first, dim)
    whole = max(values, key=lambda value: c.ops.group_of(value) is not None)
    axes = list(c.ops.fresh(first.axes))
    for value in values[1:]:
        for place, axis in enumerate(value.axes):
            if place != at and not axis.group:
                c.lifter.facts.unify(axes[place].extent, axis.extent)
    del whole
    total = extents.add(ZERO, *(_extent(c, value, at) for value in values))
    place_ = Index(axes[at].name, c.lifter.facts.extent(total))
    axes = list(c.ops.fresh(axes))
    axes[at] = place_
    offset: Term = ZERO
    parts: list[tuple[Term, Term]] = []
    for value in values:
        subs: list[Term] = list(axes)
        subs[at] = extents.sub(place_, offset)
        offset = extents.add(offset, _extent(c, value, at))
        parts.append((offset, c.ops.element(value, subs)))
    body = parts[-1][1]
    for end, element in reversed(parts[:-1]):
        body = Apply("where", (Apply("lt", (place_, end)), element, body))
    dtype = result_dtype("max", values) if len(values) > 1 else first.dtype
    return c.ops.make(axes, body, dtype, first.library)


def same_ranks(c: Call, values: list[Value]) -> list[Value]:
    """Values that are joined have the same axes: what is known of one is known of all."""
    known = [value for value in values if c.ops.group_of(value) is None]
    groups = [value for value in values if c.ops.group_of(value) is not None]
    if known and groups:
        rank = len(known[0].axes)
        for value in groups:
            c.ops.need_rank(
                value, rank, f"{c.ops.called(value)} has {many(rank)}, as what it is joined to"
            )
    if groups:
        shapes = {
            (c.ops.group_of(v), len(v.axes), str(v.axes[c.ops.group_of(v) or 0].extent))
            for v in groups
        }
        if len(shapes) > 1:
            raise Unsupported("a concatenation of unknown rank")
    if len({len(value.axes) for value in values}) > 1:
        raise Unsupported("a concatenation of arrays of different ranks")
    return values


def _extent(c: Call, value: Value, at: int) -> Term:
    if value.axes[at].group:
        raise Unsupported("a concatenation along an axis of unknown place")
    return c.lifter.facts.extent(value.axes[at].extent)


def _cat_collected(c: Call, items: Collected, dim: int) -> Value:
    """Items of one length, concatenated: a stack without the new axis."""
    at = dim if dim >= 0 else len(items.axes) + dim
    group = next((p for p, axis in enumerate(items.axes) if axis.group), None)
    if group is not None and dim >= 0:
        c.ops.need_lead(c.ops.make(items.axes, items.element), dim + 1, by="dim")
    if not 0 <= at < len(items.axes) or (group is not None and dim < 0):
        raise Unsupported("a concatenation of items of unknown rank")
    size = c.lifter.facts.extent(items.axes[at].extent)
    whole = stacked(c, items, at)
    axes = list(c.ops.fresh(whole.axes))
    step, inner = axes[at], axes[at + 1]
    if extents.lowest(size) is not size and items.step in _below(size):
        raise Unsupported("a concatenation of items of different lengths")
    length = c.lifter.facts.extent(extents.mul(step.extent, size))
    joint = Index(step.name, length)
    subs: list[Term] = list(axes)
    subs[at] = joint if size is ONE else extents.floordiv(joint, size)
    subs[at + 1] = ZERO if size is ONE else extents.mod(joint, size)
    del inner
    kept = [*axes[:at], joint, *axes[at + 2 :]]
    return c.ops.make(kept, c.ops.element(whole, subs), whole.dtype, whole.library)


def _below(term: Term) -> set[Term]:
    from auditor.notation import walk

    return set(walk(term))


def side_by_side(dim: int, least: int) -> Handler:
    """hstack, vstack, dstack, column_stack: along ``dim`` after raising ranks to ``least``."""

    def call(c: Call) -> Obj:
        items = c.obj("tensors")
        if isinstance(items, Collected):
            if any(axis.group for axis in items.axes):
                raise Unsupported("items of unknown rank")
            if least == 2 and len(items.axes) == 1:  # rows, or columns
                return stacked(c, items, dim)
            if len(items.axes) >= least:
                return _cat_collected(c, items, dim)
            if not items.axes and least == 1:
                return stacked(c, items, 0)
            raise Unsupported("items of another rank")
        values = [ranked(c, value, "joining") for value in _items(c)]
        if not values:
            raise Unsupported("nothing is joined")
        rank = len(values[0].axes)
        if dim == 1 and least == 1:  # hstack
            return joined(c, [_raised(c, v, 1) for v in values], 0 if rank <= 1 else 1)
        if dim == 1:  # column_stack
            columns = [c.ops.unsqueeze(v, 1) if len(v.axes) == 1 else v for v in values]
            return joined(c, columns, 1)
        return joined(c, [_raised(c, v, least) for v in values], dim)

    return call


def _raised(c: Call, value: Value, least: int) -> Value:
    if least == 3 and len(value.axes) in (1, 2):
        value = c.ops.unsqueeze(value, 0) if len(value.axes) == 1 else value
        return c.ops.unsqueeze(value, 2)
    while len(value.axes) < least:
        value = c.ops.unsqueeze(value, 0)
    return value


def append(c: Call) -> Obj:
    """``np.append``: flattened unless an axis is given."""
    value, obj = c.value("input"), c.obj("values")
    if isinstance(obj, Sequence):
        more = stack_values(c, [c.lifter.as_value(item) for item in obj.items], 0)
    else:
        more = c.lifter.as_value(obj)
    if c.has("dim"):
        return joined(c, [value, more], c.integer("dim"))
    if c.ops.group_of(value) is not None:
        c.ops.need_rank(value, 1, f"{c.ops.called(value)} has 1 axis, as `append` says")
    if c.ops.group_of(more) is not None:
        c.ops.need_rank(more, 0, f"{c.ops.called(more)} is a number, as `append` says")
    return joined(c, [flattened(c, value), flattened(c, more)], 0)


# -- splitting


def cut(c: Call, value: Value, at: int, start: Term, stop: Term) -> Value:
    axes = list(c.ops.fresh(value.axes))
    subs: list[Term] = list(axes)
    axes[at] = Index(axes[at].name, c.lifter.facts.extent(extents.sub(stop, start)))
    subs[at] = extents.add(start, axes[at])
    return c.ops.make(axes, c.ops.element(value, subs), value.dtype, value.library)


def _cuts(c: Call, value: Value, at: int, places: list[Term]) -> Sequence:
    pieces = [cut(c, value, at, start, stop) for start, stop in pairwise(places)]
    return Sequence(tuple(pieces))


def parts(c: Call, value: Value, dim: int, count: int) -> list[Value]:
    """``count`` equal parts along ``dim``."""
    at = c.ops.axis(value, dim)
    if value.axes[at].group:
        raise Unsupported("a split of an axis of unknown place")
    n = c.lifter.facts.extent(value.axes[at].extent)
    number = extents.constant(n)
    if number is None:
        c.lifter.facts.assume(
            f"{value.name}.chunk", f"`{value.name}` splits into {count} equal parts"
        )
    size = extents.floordiv(n, Const(count))
    return [
        cut(c, value, at, extents.mul(Const(p), size), extents.mul(Const(p + 1), size))
        for p in range(count)
    ]


def split(c: Call) -> Obj:
    """torch's: pieces of a stated size, or of stated sizes."""
    value, dim = c.value("input"), c.integer("dim", 0)
    at = c.ops.axis(value, dim)
    if value.axes[at].group:
        raise Unsupported("a split of an axis of unknown place")
    n = c.lifter.facts.extent(value.axes[at].extent)
    given = c.obj("sizes")
    if isinstance(given, Sequence):
        places: list[Term] = [ZERO]
        for item in given.items:
            places.append(extents.add(places[-1], c.lifter.as_size(item)))
        return _cuts(c, value, at, places)
    size = c.lifter.as_size(given)
    whole = extents.constant(extents.mod(n, size))
    count = extents.constant(extents.floordiv(n, size))
    number, each = extents.constant(n), extents.constant(size)
    if number is not None and each:
        return _cuts(c, value, at, [Const(min(p, number)) for p in _steps(number, each)])
    if whole != 0:
        c.lifter.facts.assume(
            f"{value.name}.split", f"`{value.name}` splits into pieces of {size} without rest"
        )
        c.lifter.facts.divided.add((n, c.lifter.facts.extent(size)))
    if count is not None and count <= _MOST:
        return _cuts(c, value, at, [extents.mul(Const(p), size) for p in range(count + 1)])
    return _pieces(c, value, at, extents.floordiv(n, size), size)


def _steps(number: int, each: int) -> list[int]:
    return [*range(0, number, each), number]


def _pieces(c: Call, value: Value, at: int, count: Term, size: Term) -> Iteration:
    if size is ONE:
        c.ops.must_be_subscripted(value)  # as by `x[:, t : t + 1]`

    def piece(step: Term) -> Obj:
        start = extents.mul(step, size)
        return cut(c, value, at, start, extents.add(start, size))

    return Iteration(count, piece)


def chunk(c: Call) -> Obj:
    """torch's: pieces of ceil(n / count), of which there may be fewer than ``count``."""
    value, dim = c.value("input"), c.integer("dim", 0)
    at = c.ops.axis(value, dim)
    n = c.lifter.facts.extent(value.axes[at].extent)
    if not value.axes[at].group and c.lifter.as_size(c.obj("chunks")) is n:
        return _pieces(c, value, at, n, ONE)
    count = c.integer("chunks")
    number = extents.constant(n)
    if number is not None and count > 0:
        each = max(-(-number // count), 1)
        return _cuts(c, value, at, [Const(min(p, number)) for p in _steps(number, each)])
    return Sequence(tuple(parts(c, value, dim, count)))


def split_at(default: int | None, uneven: bool) -> Handler:
    """NumPy's split: into a number of parts, or at stated places. ``uneven`` parts are allowed by
    ``array_split`` and ``tensor_split``: the first ones are longer by one."""

    def call(c: Call) -> Obj:
        value = c.value("input")
        dim = c.integer("dim", 0) if default is None else default
        if default == 1 and c.ops.group_of(value) is None and len(value.axes) == 1:
            dim = 0
        at = c.ops.axis(value, dim)
        n = c.lifter.facts.extent(value.axes[at].extent)
        given = c.obj("sections")
        if isinstance(given, Sequence):
            places = [c.lifter.as_size(item) for item in given.items]
            if any(extents.may_be_negative(place) for place in places):
                raise Unsupported("a split at places from the end")
            return _cuts(c, value, at, [ZERO, *places, n])
        count, number = c.integer("sections"), extents.constant(n)
        if number is not None and number % count and uneven:
            small, longer = divmod(number, count)
            sizes = [small + (p < longer) for p in range(count)]
            return _cuts(c, value, at, [Const(sum(sizes[:p])) for p in range(count + 1)])
        return Sequence(tuple(parts(c, value, dim, count)))

    return call


def unbind(c: Call) -> Obj:
    value, dim = c.value("input"), c.integer("dim", 0)
    c.ops.need_lead(value, dim + 1)  # as a subscript, it takes the axis off
    at = c.ops.axis(value, dim)
    if value.axes[at].group:
        raise Unsupported("unbinding an axis of unknown place")
    c.ops.must_be_subscripted(value)
    n, ops = c.lifter.facts.extent(value.axes[at].extent), c.ops

    def element(step: Term) -> Obj:
        axes = ops.fresh(value.axes)
        subs: list[Term] = list(axes)
        subs[at] = step
        kept = [axis for p, axis in enumerate(axes) if p != at]
        return ops.make(kept, ops.element(value, subs), value.dtype, value.library)

    number = extents.constant(n)
    if number is not None and number <= _MOST:
        return Sequence(tuple(element(Const(p)) for p in range(number)))
    return Iteration(n, element)


def narrow(c: Call) -> Obj:
    value = c.value("input")
    at = c.ops.axis(value, c.integer("dim"))
    if value.axes[at].group:
        raise Unsupported("a part of an axis of unknown place")
    start = c.size("start")
    if extents.is_negative(start):
        start = extents.add(value.axes[at].extent, start)
    return cut(c, value, at, start, extents.add(start, c.size("length")))


def meshgrid(indexing: str | None) -> Handler:
    """Vectors spread along axes of their own."""

    def call(c: Call) -> Obj:
        obj = c.obj("tensors")
        assert isinstance(obj, Sequence)
        items = obj.items
        if len(items) == 1 and isinstance(items[0], Sequence):
            items = items[0].items
        values = [c.lifter.as_value(item) for item in items]
        for value in values:
            c.ops.need_rank(value, 1, f"{c.ops.called(value)} has 1 axis, as `meshgrid` says")
        how = c.text("indexing") if c.has("indexing") else indexing
        if how not in ("ij", "xy"):
            raise Unsupported("meshgrid without an order of its axes")
        made: list[Obj] = []
        for position, value in enumerate(values):
            axes = [Index(v.axes[0].name, v.axes[0].extent) for v in values]
            body = c.ops.element(value, (axes[position],))
            if how == "xy" and len(axes) > 1:
                axes[0], axes[1] = axes[1], axes[0]
            made.append(c.ops.make(axes, body, value.dtype, value.library))
        return Sequence(tuple(made))

    return call
