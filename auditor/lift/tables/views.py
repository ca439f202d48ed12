"""Views, moved and repeated axes: arithmetic on indices."""

from __future__ import annotations

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Handler
from auditor.lift.objects import Named, Obj, Sequence, Shape
from auditor.lift.ranks import many
from auditor.lift.subscripts import ravelled
from auditor.lift.tables.decompositions import part_of
from auditor.notation import ONE, ZERO, Apply, Const, Index, Library, Term, Value


def ranked(c: Call, value: Value, what: str) -> Value:
    """``value``, whose rank must be known."""
    if c.ops.group_of(value) is not None:
        raise Unsupported(f"{what} of a value of unknown rank")
    return value


def clone(c: Call) -> Obj:
    """The same elements in memory of their own."""
    value = c.value("input")
    axes = c.ops.fresh(value.axes)
    made = c.ops.make(axes, c.ops.element(value, axes), value.dtype, value.library)
    c.lifter.owned.add(made)
    return made


def identity(c: Call) -> Obj:
    return c.value("input")


def transpose(c: Call) -> Obj:
    return c.ops.transpose(c.value("input"), c.integer("dim0"), c.integer("dim1"))


def matrix_transpose(c: Call) -> Obj:
    return c.ops.transpose(c.value("input"), -1, -2)


def adjoint(c: Call) -> Obj:
    value = c.ops.transpose(c.value("input"), -1, -2)
    return value if is_real(value) else c.ops.pointwise("conj", value)


def is_real(value: Value) -> bool:
    return value.dtype is not None and not value.dtype.startswith("complex")


def flat_transpose(c: Call) -> Obj:
    """``t()``: of at most two axes."""
    value = c.value("input")
    if c.ops.group_of(value) is not None:
        c.ops.need_rank(value, 2, f"{c.ops.called(value)} has 2 axes, as `t` says")
    return value if len(value.axes) < 2 else c.ops.transpose(value, 0, 1)


def permute(c: Call) -> Obj:
    value, order = c.value("input"), c.integers("dims") or []
    c.ops.need_rank(value, len(order))
    return c.ops.permute(value, [p % len(order) for p in order])


def reversed_axes(c: Call) -> Obj:
    """NumPy's ``transpose``: all axes reversed unless an order is given."""
    value, dims = c.value("input"), c.integers("dims")
    if not dims:
        ranked(c, value, "transpose")
        dims = list(reversed(range(len(value.axes))))
    c.ops.need_rank(value, len(dims))
    return c.ops.permute(value, [p % len(dims) for p in dims])


def movedim(c: Call) -> Obj:
    value = ranked(c, c.value("input"), "movedim")
    sources = c.ops.positions(value, c.integers("source") or [])
    targets = c.ops.positions(value, c.integers("destination") or [])
    order = [p for p in range(len(value.axes)) if p not in sources]
    for target, source in sorted(zip(targets, sources, strict=True)):
        order.insert(target, source)
    return c.ops.permute(value, order)


def reshape(c: Call) -> Obj:
    """A reshape; of a view of ``x``'s own shape, x itself."""
    value, sizes = c.value("input"), c.obj("shape")
    if c.has("order") and c.text("order") != "C":
        raise Unsupported("a reshape in another order")
    only = sizes.items[0] if isinstance(sizes, Sequence) and len(sizes.items) == 1 else sizes
    if isinstance(only, Named):
        raise Unsupported("a view as another dtype")
    if isinstance(only, Shape) and only.start is None and only.stop is None:
        if only.value.axes == value.axes:
            return value
    stated = c.sizes("shape")
    if len(stated) == 1 and extents.constant(stated[0]) == -1:
        return flattened(c, value)
    try:
        return c.ops.view(value, stated)
    except Unsupported:
        c.lifter.sized(stated)
        raise


def reshape_as(c: Call) -> Obj:
    other = ranked(c, c.value("other"), "a reshape to the shape")
    return c.ops.view(c.value("input"), [axis.extent for axis in other.axes])


def flattened(c: Call, value: Value, first: int = 0, last: int = -1) -> Value:
    """The axes ``first`` to ``last`` as one."""
    if c.ops.group_of(value) is not None:
        if first < 0 and last < 0:
            c.ops.need_tail(value, -first)
        elif (first, last) == (0, -1):
            c.lifter.sized([Const(-1)])
        raise Unsupported("flatten of a value of unknown rank")
    if not value.axes:
        return c.ops.unsqueeze(value, 0)
    first, last = first % len(value.axes), last % len(value.axes)
    sizes = [axis.extent for axis in value.axes]
    middle = extents.mul(ONE, *sizes[first : last + 1])
    return c.ops.view(value, [*sizes[:first], middle, *sizes[last + 1 :]])


def flatten(c: Call) -> Obj:
    return flattened(c, c.value("input"), c.integer("start_dim", 0), c.integer("end_dim", -1))


def ravel(c: Call) -> Obj:
    if c.has("order") and c.text("order") not in ("C", "A"):
        raise Unsupported("a flattening in another order")
    return flattened(c, c.value("input"))


def unflatten(c: Call) -> Obj:
    value = c.value("input")
    at = c.ops.axis(value, c.integer("dim"))
    sizes = c.sizes("sizes")
    minus = [p for p, size in enumerate(sizes) if extents.constant(size) == -1]
    if minus:
        known = extents.mul(ONE, *(size for p, size in enumerate(sizes) if p != minus[0]))
        whole = c.lifter.facts.extent(value.axes[at].extent)
        sizes[minus[0]] = extents.floordiv(whole, known)
    axes = list(c.ops.fresh(value.axes))
    parts = [Index(f"{axes[at].name}{p}", size) for p, size in enumerate(sizes)]
    subs: list[Term] = list(axes)
    subs[at] = ravelled(parts)
    kept = [*axes[:at], *parts, *axes[at + 1 :]]
    return c.ops.make(kept, c.ops.element(value, subs), value.dtype, value.library)


def unsqueeze(c: Call) -> Obj:
    return c.ops.unsqueeze(c.value("input"), c.integer("dim"))


def expand_dims(c: Call) -> Obj:
    """NumPy's: one or several new axes, counted in the result."""
    value, dims = c.value("input"), c.integers("dim") or []
    if len(dims) == 1:
        return c.ops.unsqueeze(value, dims[0])
    rank = len(ranked(c, value, "several new axes").axes) + len(dims)
    for dim in sorted(dim % rank for dim in dims):
        value = c.ops.unsqueeze(value, dim)
    return value


def squeeze(strict: bool) -> Handler:
    """``strict``: NumPy raises where the extent is not 1; torch leaves such an axis alone."""

    def call(c: Call) -> Obj:
        value = c.value("input")
        if c.has("dim"):
            given = c.integers("dim") or []
            if len(given) == 1:
                return _squeezed(c, value, given[0], strict)
            ranked(c, value, "squeeze of several axes")
            dims = c.ops.positions(value, given)
        else:
            ranked(c, value, "squeeze")
            if any(extents.constant(_extent(c, axis)) is None for axis in value.axes):
                raise Unsupported("squeeze of axes whose extents are not known")
            dims = [p for p, axis in enumerate(value.axes) if _extent(c, axis) is ONE]
        for dim in sorted(dims, reverse=True):
            value = _squeezed(c, value, dim, strict)
        return value

    return call


def _extent(c: Call, axis: Index) -> Term:
    return c.lifter.facts.extent(axis.extent)


def _squeezed(c: Call, value: Value, dim: int, strict: bool) -> Value:
    extent = _extent(c, value.axes[c.ops.axis(value, dim)])
    if extents.constant(extent) not in (None, 1) and not strict:
        return value
    if extent is not ONE and strict:
        c.lifter.facts.unify(extent, ONE)
    if extent is not ONE:
        # Nobody squeezes an axis that is not 1 on purpose; that it is one is only assumed.
        c.lifter.facts.assume(f"{value.name}.squeeze", f"axis {dim} of `{value.name}` has size 1")
    axes = list(c.ops.fresh(value.axes))
    at = c.ops.axis(value, dim)
    subs: list[Term] = list(axes)
    subs[at] = ZERO
    del axes[at]
    return c.ops.make(axes, c.ops.element(value, subs), value.dtype, value.library)


def expand(c: Call) -> Obj:
    value = c.value("input")
    sizes = c.sizes("sizes")
    return c.ops.expand(value, [None if extents.constant(s) == -1 else s for s in sizes])


def expand_as(c: Call) -> Obj:
    other = ranked(c, c.value("other"), "expand to the shape")
    return c.ops.expand(c.value("input"), [axis.extent for axis in other.axes])


def broadcast_together(c: Call) -> Obj:
    obj = c.obj("tensors")
    assert isinstance(obj, Sequence)
    values = [c.lifter.as_value(item) for item in obj.items]
    axes, elements = c.ops.align(values)
    made: list[Obj] = []
    for value, element in zip(values, elements, strict=True):
        own = c.ops.fresh(axes)
        from auditor.notation import substitute

        body = substitute(element, dict(zip(axes, own, strict=True)))
        made.append(c.ops.make(own, body, value.dtype, value.library))
    return Sequence(tuple(made))


def repeat(c: Call) -> Obj:
    """``tile``: the whole array several times along each axis."""
    value = c.value("input")
    counts = c.sizes("sizes")
    if c.ops.group_of(value) is not None:
        raise Unsupported("repeat of a value of unknown rank")
    while len(value.axes) < len(counts):
        value = c.ops.unsqueeze(value, 0)
    counts = [ONE] * (len(value.axes) - len(counts)) + counts
    axes: list[Index] = []
    subs: list[Term] = []
    for axis, count in zip(value.axes, counts, strict=True):
        extent = _extent(c, axis)
        whole = Index(axis.name, c.lifter.facts.extent(extents.mul(count, extent)))
        axes.append(whole)
        one = extent is ONE
        subs.append(whole if count is ONE else ZERO if one else extents.mod(whole, extent))
    return c.ops.make(axes, c.ops.element(value, subs), value.dtype, value.library)


def repeat_method(c: Call) -> Obj:
    """``x.repeat(...)``, which takes at least as many counts as there are axes."""
    value = c.value("input")
    counts = c.sizes("sizes")
    if c.ops.group_of(value) is not None:
        c.ops.need_rank(
            value, len(counts), f"{c.ops.called(value)} has {many(len(counts))}, as `repeat` says"
        )
    return repeat(c)


def repeat_each(c: Call) -> Obj:
    """Each element several times in a row: ``repeat_interleave`` and ``np.repeat``."""
    value = c.value("input")
    given = c.value("repeats")
    if given.axes or given.dtype != "int":
        raise Unsupported("repeats that differ from item to item")
    count = c.lifter.as_size(given)
    if not c.has("dim"):
        value = flattened(c, value)
    at = c.ops.axis(value, c.integer("dim", 0))
    axes = list(c.ops.fresh(value.axes))
    subs: list[Term] = list(axes)
    size = c.lifter.facts.extent(extents.mul(_extent(c, axes[at]), count))
    axes[at] = Index(axes[at].name, size)
    subs[at] = extents.floordiv(axes[at], count)
    return c.ops.make(axes, c.ops.element(value, subs), value.dtype, value.library)


def flipped(c: Call, value: Value, dims: list[int]) -> Value:
    axes = c.ops.fresh(value.axes)
    subs: list[Term] = list(axes)
    for dim in dims:
        at = c.ops.axis(value, dim)
        if axes[at].group:
            raise Unsupported("flip of an axis of unknown place")
        subs[at] = extents.sub(extents.sub(axes[at].extent, ONE), axes[at])
    return c.ops.make(axes, c.ops.element(value, subs), value.dtype, value.library)


def flip(c: Call) -> Obj:
    value, dims = c.value("input"), c.integers("dims")
    if dims is None:
        dims = list(range(len(ranked(c, value, "flip").axes)))
    return flipped(c, value, dims)


def flip_axis(dim: int) -> Handler:
    return lambda c: flipped(c, c.value("input"), [dim])


def roll(c: Call) -> Obj:
    """Moved along an axis, what falls off coming back at the other end."""
    value, shifts, dims = c.value("input"), c.sizes("shifts"), c.integers("dims")
    if dims is None:
        if c.ops.group_of(value) is not None or len(value.axes) != 1:
            raise Unsupported("roll of a flattened array")
        dims = [0]
    if len(shifts) != len(dims):
        raise Unsupported("roll by other numbers of shifts and axes")
    axes = list(c.ops.fresh(value.axes))
    subs: list[Term] = list(axes)
    for shift, dim in zip(shifts, dims, strict=True):
        at = c.ops.axis(value, dim)
        subs[at] = extents.mod(extents.sub(axes[at], shift), axes[at].extent)
    return c.ops.make(axes, c.ops.element(value, subs), value.dtype, value.library)


# -- diagonals


def diagonal(default: tuple[int, int]) -> Handler:
    def call(c: Call) -> Obj:
        value = c.value("input")
        first, second = c.integer("dim1", default[0]), c.integer("dim2", default[1])
        return c.ops.diagonal(value, c.integer("offset", 0), first, second)

    return call


def diag(library: Library | None = None) -> Handler:
    """A vector as a diagonal matrix; the diagonal of a matrix. The matrix is one of the library,
    where that makes its own arrays of all that it is given."""

    def call(c: Call) -> Obj:
        value, offset = c.value("input"), c.integer("diagonal", 0)
        part = (
            part_of(value) if c.ops.group_of(value) is not None and len(value.axes) == 2 else None
        )
        if part is not None:
            c.ops.need_rank(value, 1, f"{c.ops.called(part)} has 1 axis, as `diag` says", "single")
        if (
            len(value.axes) == 1
            and c.ops.group_of(value) is not None
            and c.ops.span in c.lifter.middles
        ):
            said = f"{c.ops.called(value)} has 1 axis, as a diagonal between two matrices"
            c.ops.need_rank(value, 1, said, "single")
        value = ranked(c, value, "diag")
        if len(value.axes) == 2:
            return c.ops.diagonal(value, offset, 0, 1)
        if len(value.axes) != 1:
            raise Unsupported("diag of an array with more than two axes")
        return _diagonal_matrix(c, value, offset, library)

    return call


def diag_embed(c: Call) -> Obj:
    if c.has("dim1") or c.has("dim2"):
        raise Unsupported("diag_embed along other axes")
    value = c.value("input")
    c.ops.need_tail(value, 1)
    return _diagonal_matrix(c, value, c.integer("offset", 0))


def diagflat(c: Call) -> Obj:
    """All elements on the diagonal of a matrix."""
    value = ranked(c, c.value("input"), "diagflat")
    line = value if len(value.axes) == 1 else c.ops.view(value, [Const(-1)])
    return _diagonal_matrix(c, line, c.integer("diagonal", 0))


def filled_diagonal(c: Call) -> Obj:
    """``x.fill_diagonal_(v)``, as a value."""
    value, fill = ranked(c, c.value("input"), "fill_diagonal"), c.value("fill_value")
    if len(value.axes) != 2 or c.has("wrap"):
        raise Unsupported("the diagonal of something else than a matrix is filled")
    row, column = axes = c.ops.fresh(value.axes)
    if len(fill.axes) == 1 and fill.axes[0].group:
        raise Unsupported("a diagonal is filled with an array of unknown rank")
    if len(fill.axes) > 1:
        raise Unsupported("a diagonal is filled with a matrix")
    for axis in value.axes if fill.axes else ():
        if c.lifter.facts.extent(axis.extent) is not c.lifter.facts.extent(fill.axes[0].extent):
            c.lifter.facts.assume(fill.name, f"`{fill.name}` is as long as the diagonal")
            c.lifter.facts.unify(axis.extent, fill.axes[0].extent)
    body = c.ops.element(fill, (row,) if fill.axes else ())
    if value.dtype is not None and fill.dtype != value.dtype:
        body = body if fill.library == "python" else Apply(f"cast:{value.dtype}", (body,))
    on = Apply("where", (Apply("eq", (column, row)), body, c.ops.element(value, axes)))
    return c.ops.make(axes, on, value.dtype, value.library)


def _diagonal_matrix(c: Call, value: Value, offset: int, library: Library | None = None) -> Value:
    axes = c.ops.fresh(value.axes)
    size = extents.add(axes[-1].extent, Const(abs(offset)))
    row, column = Index("i", size), Index("j", size)
    place = row if offset >= 0 else column
    on = Apply("eq", (column, extents.add(row, Const(offset))))
    zero = Const(False) if value.dtype == "bool" else ZERO
    body = Apply("where", (on, c.ops.element(value, (*axes[:-1], place)), zero))
    return c.ops.make((*axes[:-1], row, column), body, value.dtype, library or value.library)


def triangle(upper: bool, library: Library | None = None) -> Handler:
    """tril and triu; those of a library that makes its own arrays of all that they are given."""

    def call(c: Call) -> Obj:
        value = c.value("input")
        diagonal = c.size("diagonal") if c.has("diagonal") else ZERO
        c.ops.need_tail(value, 2)
        axes = c.ops.fresh(value.axes)
        row, column = axes[-2], axes[-1]
        edge = extents.add(row, diagonal)
        keep = Apply("ge" if upper else "le", (column, edge))
        zero = Const(False) if value.dtype == "bool" else ZERO
        body = Apply("where", (keep, c.ops.element(value, axes), zero))
        return c.ops.make(axes, body, value.dtype, library or value.library)

    return call


# -- shapes


def size_of(c: Call) -> Obj:
    value = c.value("input")
    if c.has("dim"):
        return c.ops.scalar(c.ops.extent_at(value, c.integer("dim")))
    return Shape(value)


def shape(c: Call) -> Obj:
    return Shape(c.value("input"))


def numel(c: Call) -> Obj:
    if c.has("dim"):
        return size_of(c)
    return c.ops.count(c.value("input"), None)


def rank(c: Call) -> Obj:
    return c.ops.number(len(ranked(c, c.value("input"), "the rank").axes))


def at_least(count: int) -> Handler:
    """atleast_1d and its relatives."""

    def call(c: Call) -> Obj:
        value = ranked(c, c.value("input"), "atleast")
        if len(value.axes) >= count:
            return value
        if count == 3 and len(value.axes) == 2:
            return c.ops.unsqueeze(value, 2)
        if count == 3 and len(value.axes) == 1:
            return c.ops.unsqueeze(c.ops.unsqueeze(value, 0), 2)
        while len(value.axes) < count:
            value = c.ops.unsqueeze(value, 0)
        return value

    return call


def pad(c: Call) -> Obj:
    """A constant, or what the mode makes of the array, around it; pairs of counts from the last
    axis backwards."""
    value, counts = c.value("input"), c.sizes("pad")
    if len(counts) % 2 or not counts:
        raise Unsupported("padding by an odd number of counts")
    if any((extents.constant(count) or 0) < 0 for count in counts):
        raise Unsupported("padding by a negative count")
    pairs = [(counts[p], counts[p + 1]) for p in range(0, len(counts), 2)]
    c.ops.need_tail(value, len(pairs))
    return _around(c, value, pairs)


def numpy_pad(c: Call) -> Obj:
    """A constant, or what the mode makes of the array, around it: one count for all sides, a pair
    for all axes, or one for each."""
    value = ranked(c, c.value("input"), "padding")
    pairs = _widths(c, len(value.axes))
    if any((extents.constant(count) or 0) < 0 for pair in pairs for count in pair):
        raise Unsupported("padding by a negative count")
    return _around(c, value, pairs)


def _around(c: Call, value: Value, pairs: list[tuple[Term, Term]]) -> Obj:
    """The array with a constant around it, or with something that is not followed."""
    if not c.has("mode") or c.text("mode") == "constant":
        return _padded(c, value, pairs)
    axes = list(c.ops.fresh(value.axes))
    for distance, pair in enumerate(pairs, 1):
        axis = axes[-distance]
        axes[-distance] = Index(axis.name, c.lifter.facts.extent(extents.add(axis.extent, *pair)))
    name = f"pad({c.lifter.spoken(value)})"
    return Value(name, tuple(axes), None, value.dtype, "opaque", value.library, c.ops.span)


def _widths(c: Call, rank: int) -> list[tuple[Term, Term]]:
    """What ``np.pad`` puts before and behind each axis, from the last one backwards."""
    given = c.obj("pad_width")
    if isinstance(given, Sequence) and any(isinstance(item, Sequence) for item in given.items):
        rows = [
            [c.lifter.as_size(count) for count in item.items] if isinstance(item, Sequence) else []
            for item in given.items
        ]
        if len(rows) not in (1, rank) or any(len(row) not in (1, 2) for row in rows):
            raise Unsupported("padding of other axes than there are")
        return [(row[0], row[-1]) for row in reversed(rows * (rank if len(rows) == 1 else 1))]
    counts = c.sizes("pad_width")
    if len(counts) not in (1, 2):
        raise Unsupported("padding of other axes than there are")
    return [(counts[0], counts[-1])] * rank


def _padded(c: Call, value: Value, pairs: list[tuple[Term, Term]]) -> Obj:
    """The array with counts of a constant around it, from the last axis backwards."""
    fill = c.ops.element(c.value("value"), ()) if c.has("value") else ZERO
    axes = list(c.ops.fresh(value.axes))
    subs: list[Term] = list(axes)
    inside: Term | None = None
    for distance, (before, after) in enumerate(pairs, 1):
        at = len(axes) - distance
        extent = axes[at].extent
        size = c.lifter.facts.extent(extents.add(extent, before, after))
        axes[at] = Index(axes[at].name, size)
        subs[at] = extents.sub(axes[at], before)
        bounds: list[Term] = []
        if before is not ZERO:
            bounds.append(Apply("ge", (axes[at], before)))
        if after is not ZERO:
            bounds.append(Apply("lt", (axes[at], extents.add(before, extent))))
        for bound in bounds:
            inside = bound if inside is None else Apply("and", (inside, bound))
    body = c.ops.element(value, subs)
    if inside is not None:
        body = Apply("where", (inside, body, fill))
    return c.ops.make(axes, body, value.dtype, value.library)
