"""Methods of tensors and arrays. ``DIFFERENT`` are those that mean one thing on a tensor and
another on an array: they have no meaning until the library is known."""

from __future__ import annotations

from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Meaning
from auditor.lift.objects import Literal, Named, Obj, Sequence, Shape
from auditor.lift.tables import torch
from auditor.notation import ONE, ZERO, Value


def to(c: Call) -> Obj:
    """``x.to(...)``: a cast where a dtype is stated, otherwise a move."""
    value = c.value("input")
    args = c.obj("args")
    assert isinstance(args, Sequence)
    candidates = [*args.items, *([c.obj("dtype")] if c.has("dtype") else [])]
    for item in candidates:
        named = isinstance(item, Named) and not item.path.startswith("self")
        literal = isinstance(item, Literal) and str(item.value).startswith("dtype:")
        if named or literal:
            return _cast(c, value, item)
        if isinstance(item, Value) and item.axes:
            return _cast_like(c, value, item)
    return value


def _cast(c: Call, value: Value, item: Obj) -> Value:
    dtype = c.lifter.as_dtype(item)
    assert dtype is not None
    return c.ops.cast(value, dtype)


def _cast_like(c: Call, value: Value, other: Value) -> Value:
    return c.ops.cast(value, other.dtype or f"like {other.uid}")


def cast_to(dtype: str):  # type: ignore[no-untyped-def]
    return lambda c: c.ops.cast(c.value("input"), dtype)


def type_as(c: Call) -> Obj:
    return _cast_like(c, c.value("input"), c.value("other"))


def astype(c: Call) -> Obj:
    return _cast(c, c.value("input"), c.obj("dtype"))


def new_full(fill: str):  # type: ignore[no-untyped-def]
    def call(c: Call) -> Obj:
        body = {"zeros": ZERO, "ones": ONE}[fill]
        value = c.value("input")
        made = torch.full(body)(c)
        assert isinstance(made, Value)
        dtype = c.dtype() or value.dtype
        return Value(made.name, made.axes, made.body, dtype, "derived", "torch", made.span)

    return call


def view(c: Call) -> Obj:
    sizes = c.obj("shape")
    if isinstance(sizes, Sequence) and len(sizes.items) == 1 and isinstance(sizes.items[0], Named):
        raise Unsupported("a view as another dtype")
    value = c.value("input")
    only = sizes.items[0] if isinstance(sizes, Sequence) and len(sizes.items) == 1 else None
    if isinstance(only, Shape) and only.start is None and only.stop is None:
        axes = c.ops.fresh(only.value.axes)
        if only.value.axes == value.axes:
            return value
        del axes
    return c.ops.view(value, c.sizes("shape"))


def view_as(c: Call) -> Obj:
    other = c.value("other")
    return c.ops.view(c.value("input"), [axis.extent for axis in other.axes])


def expand_as(c: Call) -> Obj:
    other = c.value("other")
    if any(axis.group for axis in other.axes):
        raise Unsupported("expand to a shape of unknown rank")
    return c.ops.expand(c.value("input"), [axis.extent for axis in other.axes])


def repeat(c: Call) -> Obj:
    raise Unsupported("repeat has no notation yet")


def numpy_transpose(c: Call) -> Obj:
    value, dims = c.value("input"), c.ints("dims")
    if dims is None:
        dims = list(reversed(range(len(value.axes))))
        if c.ops.group_of(value) is not None:
            raise Unsupported("transpose of an array of unknown rank")
    c.ops.need_rank(value, len(dims))
    return c.ops.permute(value, [p % len(dims) for p in dims])


def numel(c: Call) -> Obj:
    return c.ops.count(c.value("input"), None)


def dim(c: Call) -> Obj:
    value = c.value("input")
    if c.ops.group_of(value) is not None:
        raise Unsupported("the rank is not known")
    return c.ops.number(len(value.axes))


def detach(c: Call) -> Obj:
    value = c.value("input")
    axes = c.ops.fresh(value.axes)
    from auditor.notation import Apply

    body = Apply("call:detach", (c.ops.element(value, axes),))
    return c.ops.make(axes, body, value.dtype, value.library)


SHAPE: dict[str, Meaning] = {}

_SAME = ("contiguous", "cpu", "cuda", "item", "requires_grad_", "pin_memory")

_COMMON: dict[str, Meaning] = {
    name: torch.FUNCTIONS[name]
    for name in torch.FUNCTIONS
    if "." not in name
    and name not in ("zeros", "ones", "empty", "full", "tensor", "as_tensor", "from_numpy", "eye")
    and name not in ("arange", "stack", "cat", "concat", "concatenate", "einsum", "where")
}

TENSOR: dict[str, Meaning] = {
    **_COMMON,
    **{name: Meaning("input, memory_format=None, *rest", torch.identity) for name in _SAME},
    "clone": Meaning("input, memory_format=None", torch.clone),
    "copy": Meaning("input, order=None", torch.clone),
    "permute": Meaning("input, *dims", torch.permute),
    "view": Meaning("input, *shape", view),
    "reshape": Meaning("input, *shape", view),
    "view_as": Meaning("input, other", view_as),
    "reshape_as": Meaning("input, other", view_as),
    "expand": Meaning("input, *sizes", torch.expand),
    "expand_as": Meaning("input, other", expand_as),
    "repeat": Meaning("input, *sizes", repeat),
    "flip": Meaning("input, *dims", torch.flip),
    "size": Meaning("input, dim=None", torch.size_of),
    "numel": Meaning("input", numel),
    "dim": Meaning("input", dim),
    "t": Meaning("input, dim0=0, dim1=1",
                 lambda c: c.ops.transpose(c.value("input"), -1, -2)),
    "to": Meaning("input, *args, dtype=None, device=None, non_blocking=False, copy=False", to),
    "type": Meaning("input, *args, dtype=None", to),
    "type_as": Meaning("input, other", type_as),
    "float": Meaning("input", cast_to("float32")),
    "double": Meaning("input", cast_to("float64")),
    "half": Meaning("input", cast_to("float16")),
    "bfloat16": Meaning("input", cast_to("bfloat16")),
    "bool": Meaning("input", cast_to("bool")),
    "long": Meaning("input", cast_to("int64")),
    "int": Meaning("input", cast_to("int32")),
    "where": Meaning("input, condition, other",
                     lambda c: c.ops.pointwise("where", c.value("condition"), c.value("input"),
                                               c.value("other"))),
    "detach": Meaning("input", detach),
    "new_zeros": Meaning(f"input, {torch._SIZED}", new_full("zeros")),
    "new_ones": Meaning(f"input, {torch._SIZED}", new_full("ones")),
}  # fmt: skip

DIFFERENT = frozenset(
    {"max", "min", "sort", "argsort", "std", "var", "transpose", "repeat", "view", "split", "clip"}
    - {"clip"}
)

ARRAY: dict[str, Meaning] = {
    **{name: entry for name, entry in _COMMON.items() if name not in DIFFERENT},
    **{name: Meaning("input, *rest", torch.identity) for name in ("item",)},
    "max": Meaning("input, dim|axis=None, keepdim|keepdims=False", torch.reduction("max")),
    "min": Meaning("input, dim|axis=None, keepdim|keepdims=False", torch.reduction("min")),
    "argmax": Meaning("input, dim|axis=None, keepdim|keepdims=False",
                      torch.arg_extremum("argmax")),
    "argmin": Meaning("input, dim|axis=None, keepdim|keepdims=False",
                      torch.arg_extremum("argmin")),
    "mean": Meaning("input, dim|axis=None, dtype=None, keepdim|keepdims=False", torch.mean),
    "var": Meaning("input, dim|axis=None, dtype=None, correction|ddof=0, keepdim|keepdims=False",
                   torch.variance(False, 0)),
    "std": Meaning("input, dim|axis=None, dtype=None, correction|ddof=0, keepdim|keepdims=False",
                   torch.variance(True, 0)),
    "reshape": Meaning("input, *shape", view),
    "transpose": Meaning("input, *dims", numpy_transpose),
    "copy": Meaning("input, order=None", torch.clone),
    "astype": Meaning("input, dtype, copy=True", astype),
    "sum": Meaning("input, dim|axis=None, dtype=None, keepdim|keepdims=False",
                   torch.reduction("sum")),
    "dot": Meaning("input, other|b", torch.matmul),
}  # fmt: skip
