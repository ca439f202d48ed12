"""Reductions, the softmax family, norms and prefix operations."""

from __future__ import annotations

from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Handler
from auditor.lift.dtypes import floating
from auditor.lift.objects import Obj, Record, Sequence
from auditor.lift.tables.views import flattened
from auditor.notation import INF, ONE, ZERO, Apply, Const, Index, Reduce, Term, Value


def cast(c: Call, value: Value) -> Value:
    """As the ``dtype`` argument says, where there is one."""
    dtype = c.dtype()
    return value if dtype is None else c.ops.cast(value, dtype)


def dimensions(c: Call) -> list[int] | None:
    """``dim`` or ``axis``; None for all."""
    dims = c.integers("dim")
    if dims == []:
        raise Unsupported("a reduction over no dimensions")
    return dims


def reduction(op: str) -> Handler:
    def call(c: Call) -> Obj:
        value = array(c)
        c.ops.must_be_row(value)
        if op in ("any", "all") and value.dtype != "bool":
            value = c.ops.pointwise("ne", value, c.ops.number(0))
        result = c.ops.reduce(op, cast(c, value), dimensions(c), c.flag("keepdim"))
        if c.has("initial"):
            pair = {"sum": "add", "prod": "mul"}.get(op, op)
            result = c.ops.pointwise(pair, c.value("initial"), result)
        return result

    return call


def array(c: Call) -> Value:
    """The input, where NumPy also takes a list of numbers."""
    obj = c.obj("input")
    if isinstance(obj, Sequence) and obj.items:
        from auditor.lift.tables.constructors import array_of

        return array_of(c, obj, "numpy")
    return c.lifter.as_value(obj)


def ufunc_reduction(op: str) -> Handler:
    """``np.add.reduce``: over the first axis unless told otherwise."""

    def call(c: Call) -> Obj:
        dims = c.integers("dim") if "dim" in c.bound else [0]
        value = array(c)
        if op in ("any", "all") and value.dtype != "bool":
            value = c.ops.pointwise("ne", value, c.ops.number(0))
        return c.ops.reduce(op, cast(c, value), dims, c.flag("keepdim"))

    return call


def logaddexp_reduction(c: Call) -> Obj:
    dims = c.integers("dim") if "dim" in c.bound else [0]
    return _logsumexp(c, c.value("input"), dims, c.flag("keepdim"))


def extremum(op: str) -> Handler:
    """torch.max and torch.min: of everything, along a dimension with positions, or of two."""

    def call(c: Call) -> Obj:
        value = c.value("input")
        if not c.has("dim"):
            return c.ops.reduce(op, value, None)
        dim = c.obj("dim")
        if isinstance(dim, Value) and not isinstance(dim.body, Const):
            if dim.library == "python" or (dim.library is None and not dim.axes):
                raise Unsupported("a maximum along a dimension that is not stated")
            return c.ops.pointwise(op, value, dim)
        at, keep = c.integer("dim"), c.flag("keepdim")
        return Record(
            {
                "values": c.ops.reduce(op, value, [at], keep),
                "indices": c.ops.reduce(f"arg{op}", value, [at], keep),
            }
        )

    return call


def both_extrema(c: Call) -> Obj:
    value, dims, keep = c.value("input"), c.integers("dim"), c.flag("keepdim")
    return Record(
        {
            "min": c.ops.reduce("min", value, dims, keep),
            "max": c.ops.reduce("max", value, dims, keep),
        }
    )


def arg_extremum(op: str) -> Handler:
    def call(c: Call) -> Obj:
        value = c.value("input")
        if not c.has("dim"):
            return c.ops.reduce(op, flattened(c, value), [0])
        return c.ops.reduce(op, value, [c.integer("dim")], c.flag("keepdim"))

    return call


def spread(c: Call) -> Obj:
    """``np.ptp``: the maximum less the minimum."""
    value, dims, keep = c.value("input"), dimensions(c), c.flag("keepdim")
    top, low = c.ops.reduce("max", value, dims, keep), c.ops.reduce("min", value, dims, keep)
    return c.ops.pointwise("sub", top, low)


def mean_of(c: Call, value: Value, dims: list[int] | None, keep: bool) -> Value:
    total = c.ops.reduce("sum", value, dims, keep)
    dtype = floating(value.dtype, value.library)
    return c.ops.pointwise("div", total, c.ops.count(value, dims), dtype=dtype)


def mean(c: Call) -> Obj:
    return mean_of(c, cast(c, array(c)), dimensions(c), c.flag("keepdim"))


def average(c: Call) -> Obj:
    """``np.average``: sum(a w) / sum(w)."""
    value, dims, keep = array(c), dimensions(c), c.flag("keepdim")
    if not c.has("weights"):
        return mean_of(c, value, dims, keep)
    weights = c.value("weights")
    if c.ops.group_of(weights) is not None or c.ops.group_of(value) is not None:
        raise Unsupported("an average of unknown rank")
    if len(weights.axes) != len(value.axes):
        if dims is None or len(dims) != 1 or len(weights.axes) != 1:
            raise Unsupported("weights of another shape")
        at = c.ops.axis(value, dims[0])
        for _ in range(len(value.axes) - at - 1):
            weights = c.ops.unsqueeze(weights, -1)
        for _ in range(at):
            weights = c.ops.unsqueeze(weights, 0)
    total = c.ops.reduce("sum", c.ops.pointwise("mul", value, weights), dims, keep)
    return c.ops.pointwise("div", total, c.ops.reduce("sum", weights, dims, keep))


def _variance(c: Call, root: bool, default: int) -> tuple[Value, Value]:
    """Variance (or its root) and mean."""
    value, keep = array(c), c.flag("keepdim")
    given = c.bound.get("dim")
    unbiased = c.flag("unbiased") if c.has("unbiased") else None
    if isinstance(given, Value) and isinstance(given.body, Const) and given.dtype == "bool":
        dims, unbiased = None, bool(given.body.value)  # torch.var(x, False)
    else:
        dims = dimensions(c)
    correction: Value = c.value("correction") if c.has("correction") else c.ops.number(default)
    if isinstance(correction.body, Const) and isinstance(correction.body.value, bool):
        correction = c.ops.number(int(correction.body.value))  # torch.var(x, -1, False)
    if unbiased is not None:
        correction = c.ops.number(int(unbiased))
    count = c.ops.count(value, dims)
    center = mean_of(c, value, dims, keep=dims is not None)  # of all entries: one number
    off = c.ops.pointwise("sub", value, center)
    total = c.ops.reduce("sum", c.ops.pointwise("square", off), dims, keep)
    below = count
    if not (isinstance(correction.body, Const) and correction.body.value == 0):
        below = c.ops.pointwise("sub", count, correction)
    result = c.ops.pointwise("div", total, below)
    return (c.ops.pointwise("sqrt", result) if root else result), mean_of(c, value, dims, keep)


def variance(root: bool, default: int) -> Handler:
    return lambda c: _variance(c, root, default)[0]


def variance_and_mean(root: bool) -> Handler:
    return lambda c: Sequence(_variance(c, root, 1))


def count_nonzero(c: Call) -> Obj:
    value = c.value("input")
    if value.dtype != "bool":
        value = c.ops.pointwise("ne", value, c.ops.number(0))
    return c.ops.reduce("sum", value, dimensions(c), c.flag("keepdim"))


# -- norms


def norm_of(
    c: Call, value: Value, order: float, dims: list[int] | None, keep: bool = False
) -> Value:
    """The p-norm of all elements over ``dims``."""
    if (value.dtype or "").startswith("complex"):
        raise Unsupported("a norm of complex numbers")
    if order == float("inf"):
        return c.ops.reduce("max", c.ops.pointwise("abs", value), dims, keep)
    if order == float("-inf"):
        return c.ops.reduce("min", c.ops.pointwise("abs", value), dims, keep)
    if order == 2:
        total = c.ops.reduce("sum", c.ops.pointwise("square", value), dims, keep)
        return c.ops.pointwise("sqrt", total)
    size = c.ops.pointwise("abs", value)
    if order == 1:
        return c.ops.reduce("sum", size, dims, keep)
    if order <= 0:
        raise Unsupported(f"a norm of order {order}")
    powers = c.ops.pointwise("pow", size, c.ops.number(order))
    total = c.ops.reduce("sum", powers, dims, keep)
    return c.ops.pointwise("pow", total, c.ops.number(1 / order), dtype=total.dtype)


def _order(c: Call, name: str) -> float:
    if not c.has(name):
        return 2.0
    value = c.value(name)
    if isinstance(value.body, Const) and isinstance(value.body.value, (int, float)):
        return float(value.body.value)
    raise Unsupported("a norm of an order that is not stated")


def norm(matrices: bool) -> Handler:
    """``matrices``: an order given without a dimension, or with two, is that of a matrix norm."""

    def call(c: Call) -> Obj:
        value, dims, keep = cast(c, c.value("input")), dimensions(c), c.flag("keepdim")
        if matrices and c.has("order"):
            if dims is None:
                c.ops.need_rank(value, 1, f"{c.ops.called(value)} has 1 axis, as its norm says")
            elif len(dims) != 1:
                raise Unsupported("a matrix norm")
        return norm_of(c, value, _order(c, "order"), dims, keep)

    return call


def normalize(c: Call) -> Obj:
    """``F.normalize``: x / max(norm, eps)."""
    value = c.value("input")
    dims = c.integers("dim") if c.has("dim") else [1]
    eps = c.value("eps") if c.has("eps") else c.ops.number(1e-12)
    size = norm_of(c, value, _order(c, "p"), dims, keep=True)
    return c.ops.pointwise("div", value, c.ops.pointwise("max", size, eps))


def distance(c: Call) -> Obj:
    off = c.ops.pointwise("sub", c.value("input"), c.value("other"))
    return norm_of(c, off, _order(c, "p"), None)


def loss(op: str) -> Handler:
    """mse_loss and l1_loss."""

    def call(c: Call) -> Obj:
        off = c.ops.pointwise("sub", c.value("input"), c.value("target"))
        each = c.ops.pointwise(op, off)
        how = c.text("reduction") if c.has("reduction") else "mean"
        if how == "none":
            return each
        if how == "sum":
            return c.ops.reduce("sum", each, None)
        return mean_of(c, each, None, keep=False)

    return call


# -- the softmax family


def _logsumexp(c: Call, value: Value, dims: list[int] | None, keep: bool) -> Value:
    total = c.ops.reduce("sum", c.ops.pointwise("exp", value), dims, keep)
    return c.ops.pointwise("log", total)


def logsumexp(c: Call) -> Obj:
    if c.has("weights"):
        raise Unsupported("a weighted logsumexp")
    return _logsumexp(c, c.value("input"), dimensions(c), c.flag("keepdim"))


def softmax_of(c: Call, value: Value, dims: list[int] | None) -> Value:
    """exp(x - max) / sum exp(x - max)."""
    top = c.ops.reduce("max", value, dims, keepdim=True)
    e = c.ops.pointwise("exp", c.ops.pointwise("sub", value, top))
    return c.ops.pointwise("div", e, c.ops.reduce("sum", e, dims, keepdim=True))


def softmax(c: Call) -> Obj:
    return softmax_of(c, cast(c, c.value("input")), [c.integer("dim")])


def softmin(c: Call) -> Obj:
    value = c.ops.pointwise("neg", cast(c, c.value("input")))
    return softmax_of(c, value, [c.integer("dim")])


def log_softmax_of(c: Call, value: Value, dims: list[int] | None) -> Value:
    top = c.ops.reduce("max", value, dims, keepdim=True)
    off = c.ops.pointwise("sub", value, top)
    total = c.ops.reduce("sum", c.ops.pointwise("exp", off), dims, keepdim=True)
    return c.ops.pointwise("sub", off, c.ops.pointwise("log", total))


def log_softmax(c: Call) -> Obj:
    return log_softmax_of(c, cast(c, c.value("input")), [c.integer("dim")])


def softmax_over(log: bool) -> Handler:
    """scipy's, over any axes."""

    def call(c: Call) -> Obj:
        over = log_softmax_of if log else softmax_of
        return over(c, c.value("input"), dimensions(c))

    return call


def cosine_similarity(c: Call) -> Obj:
    """x . y / (max(|x|, eps) max(|y|, eps))."""
    x, y = c.value("input"), c.value("other")
    dims = [c.integer("dim", 1)]
    eps = c.value("eps") if c.has("eps") else c.ops.number(1e-8)
    above = c.ops.reduce("sum", c.ops.pointwise("mul", x, y), dims)
    sizes = [c.ops.pointwise("max", norm_of(c, v, 2, dims), eps) for v in (x, y)]
    return c.ops.pointwise("div", above, c.ops.pointwise("mul", *sizes))


# -- prefix operations


def cumulative(op: str, first: bool = False) -> Handler:
    """``first``: along the first axis unless told otherwise, as NumPy's ``accumulate``."""

    def call(c: Call) -> Obj:
        value = c.value("input")
        if not c.has("dim") and not first:
            if c.ops.group_of(value) is not None:
                c.ops.need_rank(value, 1, f"{c.ops.called(value)} has 1 axis, as its prefix says")
            value, dim = flattened(c, value), 0
        else:
            dim = c.integer("dim", 0)
        result = prefix(c, op, cast(c, value), dim)
        if op in ("sum", "prod") and result.dtype in ("bool", "int32", "int16", "int8"):
            return c.ops.make(result.axes, _body(result), "int64", result.library)
        return result

    return call


def _body(value: Value) -> Term:
    assert value.body is not None
    return value.body


def prefix(c: Call, op: str, value: Value, dim: int) -> Value:
    """``op`` over all elements up to each one."""
    at = c.ops.axis(value, dim)
    axes = c.ops.fresh(value.axes)
    inner = Index("k", axes[at].extent)
    subs = [inner if p == at else axis for p, axis in enumerate(axes)]
    neutral = {"sum": ZERO, "prod": ONE, "max": Const(float("-inf")), "min": INF}[op]
    body = Apply("where", (Apply("le", (inner, axes[at])), c.ops.element(value, subs), neutral))
    return c.ops.make(axes, Reduce(op, inner, body), value.dtype, value.library)


def cumulative_extremum(op: str) -> Handler:
    def call(c: Call) -> Obj:
        values = prefix(c, op, c.value("input"), c.integer("dim"))
        places = Value("indices", values.axes, None, "int64", "opaque", "torch")
        return Record({"values": values, "indices": places})

    return call


def logcumsumexp(c: Call) -> Obj:
    e = c.ops.pointwise("exp", c.value("input"))
    return c.ops.pointwise("log", prefix(c, "sum", e, c.integer("dim")))


def difference(c: Call) -> Obj:
    """x[1:] - x[:-1]."""
    value = c.value("input")
    if c.has("prepend") or c.has("append"):
        raise Unsupported("a difference with further items")
    for _ in range(c.integer("n", 1)):
        at = c.ops.axis(value, c.integer("dim", -1))
        before: list[object] = [(None, None, None)] * at
        later = c.ops.subscript(value, [*before, (ONE, None, None), Ellipsis])
        earlier = c.ops.subscript(value, [*before, (None, Const(-1), None), Ellipsis])
        value = c.ops.pointwise("sub", later, earlier)
    return value
