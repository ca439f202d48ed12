"""torch functions, by their path below ``torch``."""

from __future__ import annotations

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Meaning
from auditor.lift.objects import Collected, Iteration, Obj, Record, Sequence, Shape
from auditor.lift.tables import elementwise
from auditor.notation import INF, ONE, ZERO, Apply, Const, Index, Reduce, Term, Value


def _cast(c: Call, value: Value) -> Value:
    dtype = c.dtype()
    return value if dtype is None else c.ops.cast(value, dtype)


def _torch(value: Value) -> Value:
    return value


# -- reductions


def reduction(op: str):  # type: ignore[no-untyped-def]
    def call(c: Call) -> Obj:
        value = _cast(c, c.value("input"))
        return c.ops.reduce(op, value, c.ints("dim"), c.flag("keepdim"))

    return call


def extremum(op: str):  # type: ignore[no-untyped-def]
    """torch.max and torch.min: of everything, along a dimension with positions, or of two."""

    def call(c: Call) -> Obj:
        value = c.value("input")
        if not c.has("dim"):
            return c.ops.reduce(op, value, None)
        dim = c.obj("dim")
        if isinstance(dim, Value) and not isinstance(dim.body, Const):
            return c.ops.pointwise(op, value, dim)
        at, keep = c.int("dim"), c.flag("keepdim")
        return Record(
            {
                "values": c.ops.reduce(op, value, [at], keep),
                "indices": c.ops.reduce(f"arg{op}", value, [at], keep),
            }
        )

    return call


def arg_extremum(op: str):  # type: ignore[no-untyped-def]
    def call(c: Call) -> Obj:
        value = c.value("input")
        if not c.has("dim"):
            if len(value.axes) != 1 or value.axes[0].group:
                raise Unsupported("a position in a flattened array")
            return c.ops.reduce(op, value, None)
        return c.ops.reduce(op, value, [c.int("dim")], c.flag("keepdim"))

    return call


def mean(c: Call) -> Obj:
    value = _cast(c, c.value("input"))
    dims = c.ints("dim")
    total = c.ops.reduce("sum", value, dims, c.flag("keepdim"))
    return c.ops.pointwise("div", total, c.ops.count(value, dims))


def variance(root: bool, default: int):  # type: ignore[no-untyped-def]
    def call(c: Call) -> Obj:
        value = c.value("input")
        dims, keep = c.ints("dim"), c.flag("keepdim")
        correction = c.int("correction", default)
        if c.has("unbiased"):
            correction = int(c.flag("unbiased"))
        count = c.ops.count(value, dims)
        center = c.ops.pointwise("div", c.ops.reduce("sum", value, dims, True), count)
        off = c.ops.pointwise("sub", value, center)
        total = c.ops.reduce("sum", c.ops.pointwise("square", off), dims, keep)
        below = c.ops.pointwise("sub", count, c.ops.number(correction)) if correction else count
        result = c.ops.pointwise("div", total, below)
        return c.ops.pointwise("sqrt", result) if root else result

    return call


def logsumexp(c: Call) -> Obj:
    total = c.ops.reduce(
        "sum", c.ops.pointwise("exp", c.value("input")), c.ints("dim"), c.flag("keepdim")
    )
    return c.ops.pointwise("log", total)


def softmax_of(c: Call, value: Value, dim: int) -> Value:
    """exp(x - max) / sum exp(x - max)."""
    top = c.ops.reduce("max", value, [dim], keepdim=True)
    e = c.ops.pointwise("exp", c.ops.pointwise("sub", value, top))
    return c.ops.pointwise("div", e, c.ops.reduce("sum", e, [dim], keepdim=True))


def softmax(c: Call) -> Obj:
    value = _cast(c, c.value("input"))
    return softmax_of(c, value, c.int("dim"))


def log_softmax(c: Call) -> Obj:
    value = _cast(c, c.value("input"))
    dim = c.int("dim")
    top = c.ops.reduce("max", value, [dim], keepdim=True)
    off = c.ops.pointwise("sub", value, top)
    total = c.ops.reduce("sum", c.ops.pointwise("exp", off), [dim], keepdim=True)
    return c.ops.pointwise("sub", off, c.ops.pointwise("log", total))


# -- prefix operations


def cumulative(op: str):  # type: ignore[no-untyped-def]
    def call(c: Call) -> Obj:
        return prefix(c, op, _cast(c, c.value("input")), c.int("dim"))

    return call


def prefix(c: Call, op: str, value: Value, dim: int) -> Value:
    """``op`` over all elements up to each one."""
    at = c.ops.axis(value, dim)
    axes = c.ops.fresh(value.axes)
    inner = Index("k", axes[at].extent)
    subs = [inner if p == at else axis for p, axis in enumerate(axes)]
    neutral = {"sum": ZERO, "prod": ONE, "max": Apply("neg", (INF,)), "min": INF}[op]
    body = Apply("where", (Apply("le", (inner, axes[at])), c.ops.element(value, subs), neutral))
    return c.ops.make(axes, Reduce(op, inner, body), value.dtype, value.library)


def cumulative_extremum(op: str):  # type: ignore[no-untyped-def]
    def call(c: Call) -> Obj:
        values = prefix(c, op, c.value("input"), c.int("dim"))
        raise_indices = Value("indices", values.axes, None, "int64", "opaque", "torch")
        return Record({"values": values, "indices": raise_indices})

    return call


# -- orders


def sort(c: Call) -> Obj:
    value, dim, down = c.value("input"), c.int("dim", -1), c.flag("descending")
    return Record(
        {
            "values": c.ops.order(value, dim, None, down, "values"),
            "indices": c.ops.order(value, dim, None, down, "indices"),
        }
    )


def argsort(c: Call) -> Obj:
    return c.ops.order(c.value("input"), c.int("dim", -1), None, c.flag("descending"), "indices")


def topk(c: Call) -> Obj:
    value, dim, down = c.value("input"), c.int("dim", -1), c.flag("largest", True)
    count = c.size("k")
    return Record(
        {
            "values": c.ops.order(value, dim, count, down, "values"),
            "indices": c.ops.order(value, dim, count, down, "indices"),
        }
    )


def gather(c: Call) -> Obj:
    value, index = c.value("input"), c.value("index")
    dim = c.ops.axis(value, c.int("dim"))
    if c.ops.group_of(value) is not None or c.ops.group_of(index) is not None:
        raise Unsupported("a gather of unknown rank")
    axes = c.ops.fresh(index.axes)
    subs: list[Term] = list(axes)
    subs[dim] = c.ops.element(index, axes)
    return c.ops.make(axes, c.ops.element(value, subs), value.dtype, value.library)


# -- contractions


def matmul(c: Call) -> Obj:
    return c.ops.matmul(c.value("input"), c.value("other"))


def add_product(c: Call) -> Obj:
    """addmm, baddbmm and their relatives: beta * input + alpha * (a @ b)."""
    product = c.ops.matmul(c.value("mat1"), c.value("mat2"))
    base = c.value("input")
    if c.has("alpha"):
        product = c.ops.pointwise("mul", c.value("alpha"), product)
    if c.has("beta"):
        base = c.ops.pointwise("mul", c.value("beta"), base)
    return c.ops.pointwise("add", base, product)


def dot(c: Call) -> Obj:
    a, b = c.value("input"), c.value("other")
    c.ops.need_rank(a, 1)
    c.ops.need_rank(b, 1)
    return c.ops.matmul(a, b)


def outer(c: Call) -> Obj:
    a, b = c.value("input"), c.value("other")
    c.ops.need_rank(a, 1)
    c.ops.need_rank(b, 1)
    return c.ops.pointwise("mul", c.ops.unsqueeze(a, 1), c.ops.unsqueeze(b, 0))


def einsum(c: Call) -> Obj:
    operands = c.obj("operands")
    if isinstance(operands, Sequence) and len(operands.items) == 1:
        only = operands.items[0]
        operands = only if isinstance(only, Sequence) else operands
    assert isinstance(operands, Sequence)
    return c.ops.einsum(
        c.text("equation"), [c.lifter.as_value(operand) for operand in operands.items]
    )


def linear(c: Call) -> Obj:
    value, weight = c.value("input"), c.value("weight")
    c.ops.need_rank(weight, 2)
    result = c.ops.matmul(value, c.ops.transpose(weight, 0, 1))
    return c.ops.pointwise("add", result, c.value("bias")) if c.has("bias") else result


# -- masks and choices


def where(c: Call) -> Obj:
    return c.ops.pointwise("where", c.value("condition"), c.value("input"), c.value("other"))


def masked_fill(c: Call) -> Obj:
    value = c.value("input")
    result = c.ops.pointwise("where", c.value("mask"), c.value("value"), value)
    if c.ops.group_of(value) is None and len(result.axes) > len(value.axes):
        raise Unsupported("masked_fill with a mask of more axes")
    return c.ops.cast(result, value.dtype) if value.dtype and result.dtype is None else result


def triangle(upper: bool):  # type: ignore[no-untyped-def]
    def call(c: Call) -> Obj:
        value, diagonal = c.value("input"), c.int("diagonal", 0)
        c.ops.need_tail(value, 2)
        axes = c.ops.fresh(value.axes)
        row, column = axes[-2], axes[-1]
        edge = extents.add(row, Const(diagonal))
        keep = Apply("ge" if upper else "le", (column, edge))
        zero = Const(False) if value.dtype == "bool" else ZERO
        body = Apply("where", (keep, c.ops.element(value, axes), zero))
        return c.ops.make(axes, body, value.dtype, value.library)

    return call


def clamp(c: Call) -> Obj:
    value = c.value("input")
    if c.has("min"):
        value = c.ops.pointwise("max", value, c.value("min"))
    if c.has("max"):
        value = c.ops.pointwise("min", value, c.value("max"))
    return value


def lerp(c: Call) -> Obj:
    start, end, weight = c.value("input"), c.value("end"), c.value("weight")
    step = c.ops.pointwise("mul", weight, c.ops.pointwise("sub", end, start))
    return c.ops.pointwise("add", start, step)


def addcmul(c: Call) -> Obj:
    product = c.ops.pointwise("mul", c.value("tensor1"), c.value("tensor2"))
    if c.has("value"):
        product = c.ops.pointwise("mul", c.value("value"), product)
    return c.ops.pointwise("add", c.value("input"), product)


# -- constructors


def full(body: Term | None):  # type: ignore[no-untyped-def]
    """zeros, ones, empty and full; the fill of ``empty`` is unknown but never read."""

    def call(c: Call) -> Obj:
        sizes = c.obj("size")
        dtype = c.dtype() or "float32"
        content = body
        if content is None:
            fill = c.value("fill_value")
            content = c.ops.element(fill, ())
        shape = sizes.items[0] if isinstance(sizes, Sequence) and len(sizes.items) == 1 else sizes
        if isinstance(shape, Shape) and shape.start is None and shape.stop is None:
            axes = c.ops.fresh(shape.value.axes)
        else:
            letters = "bdefhmnp"
            axes = tuple(
                Index(letters[p % 8], c.lifter.facts.extent(size))
                for p, size in enumerate(c.sizes("size"))
            )
        return c.ops.make(axes, content, dtype, "torch")

    return call


def full_like(body: Term | None):  # type: ignore[no-untyped-def]
    def call(c: Call) -> Obj:
        value = c.value("input")
        c.ops.must_be_array(value)
        content = body if body is not None else c.ops.element(c.value("fill_value"), ())
        axes = c.ops.fresh(value.axes)
        return c.ops.make(axes, content, c.dtype() or value.dtype, value.library or "torch")

    return call


def tensor(c: Call) -> Obj:
    """torch.tensor of a scalar, of a list of scalars, of a list built in a loop."""
    data = c.obj("data")
    dtype = c.dtype()
    if isinstance(data, Collected):
        value = stacked(c, data, 0)
    elif isinstance(data, Sequence):
        value = stack_values(c, [c.lifter.as_value(item) for item in data.items], 0)
    else:
        value = c.lifter.as_value(data)
    axes = c.ops.fresh(value.axes)
    return c.ops.make(axes, c.ops.element(value, axes), dtype or value.dtype, "torch")


def eye(c: Call) -> Obj:
    size = c.size("n")
    axes = (Index("i", size), Index("j", c.size("m") if c.has("m") else size))
    body = Apply("where", (Apply("eq", axes), ONE, ZERO))
    return c.ops.make(axes, body, c.dtype() or "float32", "torch")


def arange(c: Call) -> Obj:
    bounds = [c.lifter.as_size(item) for item in c.obj("bounds").items]  # type: ignore[union-attr]
    if c.has("end"):
        bounds.append(c.size("end"))
    start, stop = (ZERO, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    step = extents.constant(bounds[2]) if len(bounds) > 2 else 1
    if step not in (1, -1):
        raise Unsupported("arange with a step")
    length = extents.mul(Const(step), extents.sub(stop, start))
    axis = Index("i", c.lifter.facts.extent(length))
    body = extents.add(start, extents.mul(Const(step), axis))
    return c.ops.make((axis,), body, c.dtype() or "int64", "torch")


# -- joining and splitting


def stacked(c: Call, items: Collected, dim: int) -> Value:
    """A list that a loop built, stacked along a new axis."""
    if items.prefix:
        raise Unsupported("a list with items from before the loop")
    rank = len(items.axes)
    if any(axis.group for axis in items.axes) and dim != 0:
        at = next(p for p, axis in enumerate(items.axes) if axis.group)
        if not (0 <= dim <= at or -1 - (rank - at - 1) <= dim < 0):
            raise Unsupported("stacked along an axis of unknown place")
    at = dim if dim >= 0 else rank + 1 + dim
    axes = list(c.ops.fresh(items.axes))
    item = c.lifter.item_at(items, items.step)
    place = Index(items.step.name, items.step.extent)
    step: Term = place
    if items.reverse:
        step = extents.sub(extents.sub(place.extent, ONE), place)
    del item
    from auditor.notation import substitute

    by: dict[Term, Term] = {items.step: step}
    by.update(zip(items.axes, axes, strict=True))
    body = substitute(items.element, by)
    axes.insert(at, place)
    return c.ops.make(axes, body, items.dtype, items.library)  # type: ignore[arg-type]


def stack_values(c: Call, values: list[Value], dim: int) -> Value:
    """A few known values along a new axis."""
    if not values:
        raise Unsupported("a stack of nothing")
    axes, elements = c.ops.align(values)
    at = dim if dim >= 0 else len(axes) + 1 + dim
    place = Index("s", Const(len(values)))
    body = elements[-1]
    for position in reversed(range(len(values) - 1)):
        body = Apply("where", (Apply("eq", (place, Const(position))), elements[position], body))
    return c.ops.make([*axes[:at], place, *axes[at:]], body, values[0].dtype, values[0].library)


def stack(c: Call) -> Obj:
    items, dim = c.obj("tensors"), c.int("dim", 0)
    if isinstance(items, Collected):
        return stacked(c, items, dim)
    return stack_values(c, c.values("tensors"), dim)


def cat(c: Call) -> Obj:
    items, dim = c.obj("tensors"), c.int("dim", 0)
    if isinstance(items, Collected):
        return _cat_collected(c, items, dim)
    values = c.values("tensors")
    at = c.ops.axis(values[0], dim)
    if any(c.ops.group_of(value) is not None for value in values):
        raise Unsupported("a concatenation of unknown rank")
    axes = list(c.ops.fresh(values[0].axes))
    total = extents.add(*(value.axes[at].extent for value in values))
    joined = Index(axes[at].name, c.lifter.facts.extent(total))
    axes[at] = joined
    offset: Term = ZERO
    parts: list[tuple[Term, Term]] = []
    for value in values:
        subs: list[Term] = list(axes)
        subs[at] = extents.sub(joined, offset)
        offset = extents.add(offset, value.axes[at].extent)
        parts.append((offset, c.ops.element(value, subs)))
    body = parts[-1][1]
    for end, element in reversed(parts[:-1]):
        body = Apply("where", (Apply("lt", (joined, end)), element, body))
    return c.ops.make(axes, body, values[0].dtype, values[0].library)


def _cat_collected(c: Call, items: Collected, dim: int) -> Value:
    """Items of extent 1 along ``dim``, concatenated: a stack without the new axis."""
    at = dim if dim >= 0 else len(items.axes) + dim
    if at >= len(items.axes) or c.lifter.facts.extent(items.axes[at].extent) is not ONE:
        raise Unsupported("a concatenation of items of unknown length")
    whole = stacked(c, items, at)
    return c.ops.squeeze(whole, at + 1)


def split(c: Call) -> Obj:
    value, dim = c.value("input"), c.int("dim", 0)
    at = c.ops.axis(value, dim)
    n = c.lifter.facts.extent(value.axes[at].extent)
    given = c.obj("sizes")
    if isinstance(given, Sequence):
        sizes = [c.lifter.as_size(item) for item in given.items]
    else:
        size = c.lifter.as_size(given)
        count = extents.constant(extents.floordiv(n, size))
        if count is None or count > 16:
            return _pieces(c, value, at, extents.floordiv(n, size), size)
        sizes = [size] * count
    return _parts(c, value, at, sizes)


def _parts(c: Call, value: Value, at: int, sizes: list[Term]) -> Obj:
    items: list[Obj] = []
    start: Term = ZERO
    for size in sizes:
        stop = extents.add(start, size)
        items.append(_cut(c, value, at, start, stop))
        start = stop
    return Sequence(tuple(items))


def _cut(c: Call, value: Value, at: int, start: Term, stop: Term) -> Value:
    axes = list(c.ops.fresh(value.axes))
    subs: list[Term] = list(axes)
    axes[at] = Index(axes[at].name, c.lifter.facts.extent(extents.sub(stop, start)))
    subs[at] = extents.add(start, axes[at])
    return c.ops.make(axes, c.ops.element(value, subs), value.dtype, value.library)


def _pieces(c: Call, value: Value, at: int, count: Term, size: Term) -> Iteration:
    def piece(step: Term) -> Obj:
        start = extents.mul(step, size)
        return _cut(c, value, at, start, extents.add(start, size))

    return Iteration(count, piece)


def chunk(c: Call) -> Obj:
    value, dim, count = c.value("input"), c.int("dim", 0), c.int("chunks")
    at = c.ops.axis(value, dim)
    n = c.lifter.facts.extent(value.axes[at].extent)
    # chunk gives equal parts only where the extent divides; the code that unpacks a fixed number
    # of them says so.
    size = extents.floordiv(n, Const(count))
    return _parts(c, value, at, [size] * count)


def unbind(c: Call) -> Obj:
    value, dim = c.value("input"), c.int("dim", 0)
    at = c.ops.axis(value, dim)
    n = c.lifter.facts.extent(value.axes[at].extent)

    def element(step: Term) -> Obj:
        axes = c.ops.fresh(value.axes)
        subs: list[Term] = list(axes)
        subs[at] = step
        kept = [axis for p, axis in enumerate(axes) if p != at]
        return c.ops.make(kept, c.ops.element(value, subs), value.dtype, value.library)

    number = extents.constant(n)
    if number is not None and number <= 16:
        return Sequence(tuple(element(Const(p)) for p in range(number)))
    return Iteration(n, element)


def flip(c: Call) -> Obj:
    value, dims = c.value("input"), c.ints("dims") or []
    axes = c.ops.fresh(value.axes)
    subs: list[Term] = list(axes)
    for dim in dims:
        at = c.ops.axis(value, dim)
        subs[at] = extents.sub(extents.sub(axes[at].extent, ONE), axes[at])
    return c.ops.make(axes, c.ops.element(value, subs), value.dtype, value.library)


def select(c: Call) -> Obj:
    value = c.value("input")
    at = c.ops.axis(value, c.int("dim"))
    items: list[object] = [(None, None, None)] * at
    return c.ops.subscript(value, [*items, c.value("index")])


def narrow(c: Call) -> Obj:
    value = c.value("input")
    start = c.size("start")
    return _cut(
        c, value, c.ops.axis(value, c.int("dim")), start, extents.add(start, c.size("length"))
    )


# -- views


def transpose(c: Call) -> Obj:
    return c.ops.transpose(c.value("input"), c.int("dim0"), c.int("dim1"))


def permute(c: Call) -> Obj:
    value, order = c.value("input"), c.ints("dims") or []
    c.ops.need_rank(value, len(order))
    return c.ops.permute(value, [p % len(order) for p in order])


def reshape(c: Call) -> Obj:
    value = c.value("input")
    return c.ops.view(value, c.sizes("shape"))


def unsqueeze(c: Call) -> Obj:
    return c.ops.unsqueeze(c.value("input"), c.int("dim"))


def squeeze(c: Call) -> Obj:
    if not c.has("dim"):
        raise Unsupported("squeeze without a dimension")
    return c.ops.squeeze(c.value("input"), c.int("dim"))


def expand(c: Call) -> Obj:
    value = c.value("input")
    sizes = c.sizes("sizes")
    return c.ops.expand(value, [None if extents.constant(s) == -1 else s for s in sizes])


def flatten(c: Call) -> Obj:
    value = c.value("input")
    if c.ops.group_of(value) is not None:
        raise Unsupported("flatten of a value of unknown rank")
    first = c.int("start_dim", 0) % len(value.axes)
    last = c.int("end_dim", -1) % len(value.axes)
    sizes = [axis.extent for axis in value.axes]
    middle = extents.mul(ONE, *sizes[first : last + 1])
    return c.ops.view(value, [*sizes[:first], middle, *sizes[last + 1 :]])


def identity(c: Call) -> Obj:
    return c.value("input")


def clone(c: Call) -> Obj:
    """The same elements in memory of their own."""
    value = c.value("input")
    axes = c.ops.fresh(value.axes)
    made = c.ops.make(axes, c.ops.element(value, axes), value.dtype, value.library)
    c.lifter.owned.add(made)
    return made


def dropout(c: Call) -> Obj:
    """Identity where it is certainly inactive, otherwise a random function."""
    value = c.value("input")
    p = c.obj("p") if c.has("p") else c.ops.number(0.5)
    if isinstance(p, Value) and isinstance(p.body, Const) and p.body.value == 0:
        return value
    if c.has("training"):
        training = c.obj("training")
        if isinstance(training, Value) and isinstance(training.body, Const):
            if not training.body.value:
                return value
    axes = c.ops.fresh(value.axes)
    body = Apply("call:dropout", (c.ops.element(value, axes),))
    return c.ops.make(axes, body, value.dtype, value.library)


def sdpa(c: Call) -> Obj:
    """Already the fused form: a value of its own, so that nothing looks inside."""
    q, v = c.value("query"), c.value("value")
    c.ops.need_tail(q, 2)
    c.ops.need_tail(v, 1)
    axes = (*c.ops.fresh(q.axes[:-1]), *c.ops.fresh(v.axes[-1:]))
    return Value("attention", axes, None, q.dtype, "opaque", "torch", c.ops.span)


def size_of(c: Call) -> Obj:
    value = c.value("input")
    if c.has("dim"):
        axis = value.axes[c.ops.axis(value, c.int("dim"))]
        return c.ops.scalar(c.lifter.facts.extent(axis.extent))
    return Shape(value)


def like_number(c: Call) -> Obj:
    """`.item()`, `float(x)`: the same number."""
    return c.value("input")


_SOFTMAX = "input, dim=None, _stacklevel=3, dtype=None"
_DIMS = "input, dim|axis=None, keepdim|keepdims=False, dtype=None, out=None"
_LIKE = "dtype=None, device=None, requires_grad=False, layout=None, memory_format=None"
_SIZED = f"*size, {_LIKE}, pin_memory=None, out=None"
_EMPTY = Apply("call:uninitialised", ())

FUNCTIONS: dict[str, Meaning] = {
    **elementwise.table("input"),
    "sum": Meaning(_DIMS, reduction("sum")),
    "prod": Meaning(_DIMS, reduction("prod")),
    "any": Meaning(_DIMS, reduction("any")),
    "all": Meaning(_DIMS, reduction("all")),
    "amax": Meaning(_DIMS, reduction("max")),
    "amin": Meaning(_DIMS, reduction("min")),
    "max": Meaning("input, dim|other=None, keepdim=False", extremum("max")),
    "min": Meaning("input, dim|other=None, keepdim=False", extremum("min")),
    "argmax": Meaning("input, dim=None, keepdim=False", arg_extremum("argmax")),
    "argmin": Meaning("input, dim=None, keepdim=False", arg_extremum("argmin")),
    "mean": Meaning(_DIMS, mean),
    "var": Meaning("input, dim|axis=None, correction=1, keepdim=False, unbiased=None",
                   variance(False, 1)),
    "std": Meaning("input, dim|axis=None, correction=1, keepdim=False, unbiased=None",
                   variance(True, 1)),
    "logsumexp": Meaning("input, dim, keepdim=False", logsumexp),
    "softmax": Meaning("input, dim, dtype=None", softmax),
    "log_softmax": Meaning("input, dim, dtype=None", log_softmax),
    "special.softmax": Meaning("input, dim, dtype=None", softmax),
    "special.log_softmax": Meaning("input, dim, dtype=None", log_softmax),
    "special.logsumexp": Meaning("input, dim, keepdim=False", logsumexp),
    "nn.functional.softmax": Meaning(_SOFTMAX, softmax),
    "nn.functional.log_softmax": Meaning(_SOFTMAX, log_softmax),
    "cumsum": Meaning("input, dim, dtype=None", cumulative("sum")),
    "cumprod": Meaning("input, dim, dtype=None", cumulative("prod")),
    "cummax": Meaning("input, dim", cumulative_extremum("max")),
    "cummin": Meaning("input, dim", cumulative_extremum("min")),
    "sort": Meaning("input, dim=-1, descending=False, stable=False", sort),
    "argsort": Meaning("input, dim=-1, descending=False, stable=False", argsort),
    "topk": Meaning("input, k, dim=-1, largest=True, sorted=True", topk),
    "gather": Meaning("input, dim, index, sparse_grad=False", gather),
    "matmul": Meaning("input, other", matmul),
    "mm": Meaning("input, other|mat2", matmul),
    "bmm": Meaning("input, other|mat2", matmul),
    "mv": Meaning("input, other|vec", matmul),
    "dot": Meaning("input, other|tensor", dot),
    "inner": Meaning("input, other", dot),
    "outer": Meaning("input, other|vec2", outer),
    "addmm": Meaning("input, mat1, mat2, beta=1, alpha=1", add_product),
    "baddbmm": Meaning("input, mat1|batch1, mat2|batch2, beta=1, alpha=1", add_product),
    "einsum": Meaning("equation, *operands", einsum),
    "nn.functional.linear": Meaning("input, weight, bias=None", linear),
    "where": Meaning("condition, input|self, other", where),
    "masked_fill": Meaning("input, mask, value", masked_fill),
    "tril": Meaning("input, diagonal=0", triangle(upper=False)),
    "triu": Meaning("input, diagonal=0", triangle(upper=True)),
    "clamp": Meaning("input, min=None, max=None", clamp),
    "clip": Meaning("input, min=None, max=None", clamp),
    "lerp": Meaning("input, end, weight", lerp),
    "addcmul": Meaning("input, tensor1, tensor2, value=1", addcmul),
    "zeros": Meaning(_SIZED, full(ZERO)),
    "ones": Meaning(_SIZED, full(ONE)),
    "empty": Meaning(_SIZED, full(_EMPTY)),
    "full": Meaning(f"size, fill_value, {_LIKE}", full(None)),
    "zeros_like": Meaning(f"input, {_LIKE}", full_like(ZERO)),
    "ones_like": Meaning(f"input, {_LIKE}", full_like(ONE)),
    "empty_like": Meaning(f"input, {_LIKE}", full_like(_EMPTY)),
    "full_like": Meaning(f"input, fill_value, {_LIKE}", full_like(None)),
    "tensor": Meaning(f"data, {_LIKE}", tensor),
    "as_tensor": Meaning(f"data, {_LIKE}", tensor),
    "from_numpy": Meaning("data", tensor),
    "eye": Meaning(f"n, m=None, {_LIKE}", eye),
    "arange": Meaning(f"*bounds, end=None, {_LIKE}", arange),
    "stack": Meaning("tensors, dim|axis=0", stack),
    "cat": Meaning("tensors, dim|axis=0", cat),
    "concat": Meaning("tensors, dim|axis=0", cat),
    "concatenate": Meaning("tensors, dim|axis=0", cat),
    "split": Meaning("input|tensor, sizes|split_size_or_sections, dim=0", split),
    "chunk": Meaning("input, chunks, dim=0", chunk),
    "unbind": Meaning("input, dim=0", unbind),
    "flip": Meaning("input, dims", flip),
    "select": Meaning("input, dim, index", select),
    "narrow": Meaning("input, dim, start, length", narrow),
    "transpose": Meaning("input, dim0, dim1", transpose),
    "swapaxes": Meaning("input, dim0|axis0, dim1|axis1", transpose),
    "permute": Meaning("input, dims", permute),
    "reshape": Meaning("input, shape", reshape),
    "unsqueeze": Meaning("input, dim", unsqueeze),
    "squeeze": Meaning("input, dim=None", squeeze),
    "flatten": Meaning("input, start_dim=0, end_dim=-1", flatten),
    "clone": Meaning("input, memory_format=None", clone),
    "nn.functional.dropout": Meaning("input, p=0.5, training=True, inplace=False", dropout),
    "nn.functional.relu": Meaning("input, inplace=False", elementwise.unary("relu")),
    "nn.functional.silu": Meaning("input, inplace=False", elementwise.unary("silu")),
    "nn.functional.sigmoid": Meaning("input", elementwise.unary("sigmoid")),
    "nn.functional.tanh": Meaning("input", elementwise.unary("tanh")),
    "nn.functional.softplus": Meaning("input", elementwise.unary("softplus")),
    "nn.functional.gelu": Meaning("input", elementwise.unary("gelu")),
    "nn.functional.scaled_dot_product_attention": Meaning(
        "query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,"
        " enable_gqa=False",
        sdpa,
    ),
}  # fmt: skip
