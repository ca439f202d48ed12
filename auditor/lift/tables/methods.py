"""Methods of tensors and arrays. ``DIFFERENT`` are those that mean one thing on a tensor and
another on an array: they have no meaning until the library is known."""

from __future__ import annotations

from dataclasses import replace

from auditor.lift.calls import Call, Handler, Meaning
from auditor.lift.objects import Literal, Named, Obj, Sequence
from auditor.lift.tables import (
    constructors,
    contractions,
    elementwise,
    networks,
    numpy,
    orders,
    reductions,
    torch,
    views,
    windows,
)
from auditor.notation import ONE, ZERO, Apply, Value


def to(c: Call) -> Obj:
    """``x.to(...)``: a cast where a dtype is stated, otherwise a move."""
    value = c.value("input")
    args = c.obj("args")
    assert isinstance(args, Sequence)
    candidates = [*args.items, *([c.obj("dtype")] if c.has("dtype") else [])]
    if c.has("other"):
        candidates.append(c.obj("other"))
    for item in candidates:
        named = isinstance(item, Named) and not item.path.startswith("self")
        literal = isinstance(item, Literal) and str(item.value).startswith("dtype:")
        if isinstance(item, Literal) and item.value == f"dtype:like {value.uid}":
            return value  # of its own dtype it is
        if named or literal:
            return _cast(c, value, item)
        if isinstance(item, Value) and item.axes:
            # Unannotated, it may well be a dtype: said as it stands, it is right for both.
            return c.ops.cast(value, item.dtype or f"to {item.uid}")
    if c.lifter.active and value.name.isidentifier():
        said = f"{c.ops.called(value)} is on the device that the loop moves it to"
        c.lifter.facts.assume(f"device of {value.name}", said)
    return value


def _cast(c: Call, value: Value, item: Obj) -> Value:
    dtype = c.lifter.as_dtype(item)
    assert dtype is not None
    return c.ops.cast(value, dtype)


def cast_like(c: Call, value: Value, other: Value) -> Value:
    if value is other:
        return value
    return c.ops.cast(value, other.dtype or f"like {other.uid}")


def cast_to(dtype: str) -> Handler:
    return lambda c: c.ops.cast(c.value("input"), dtype)


def type_as(c: Call) -> Obj:
    return cast_like(c, c.value("input"), c.value("other"))


def astype(c: Call) -> Obj:
    return _cast(c, c.value("input"), c.obj("dtype"))


def where(c: Call) -> Obj:
    return c.ops.pointwise("where", c.value("condition"), c.value("input"), c.value("other"))


def item(c: Call) -> Obj:
    """The only element, as a Python number."""
    value = c.value("input")
    if c.ops.group_of(value) is not None:
        c.ops.need_rank(value, 0, f"{c.ops.called(value)} is a number without axes, as `item` says")
    for axis in value.axes:
        c.lifter.facts.unify(axis.extent, ONE)
    dtype = {"int64": "int", "int32": "int", "bool": "bool"}.get(value.dtype or "")
    if value.dtype in ("float16", "bfloat16", "float32", "float64"):
        dtype = "float"
    body = c.ops.element(value, [ZERO for _ in value.axes])
    inner = networks.taken_out(c, c.ops.make((), body, value.dtype, value.library), array=True)
    return replace(inner, dtype=dtype, library="python", name=value.name)


def filled(body: str) -> Handler:
    """``x.fill_(v)`` and ``x.zero_()``, as a value."""

    def call(c: Call) -> Obj:
        value = c.value("input")
        fill = c.value("value") if body == "value" else c.ops.number(0)
        axes = c.ops.fresh(value.axes)
        return c.ops.make(axes, c.ops.element(fill, ()), value.dtype, value.library)

    return call


def copied(c: Call) -> Obj:
    """``x.copy_(y)``: y broadcast to x's shape and cast to its dtype."""
    value, source = c.value("input"), c.value("other")
    axes, (element, _) = c.ops.align([source, replace(value, body=None)])
    if value.dtype is not None and source.dtype != value.dtype and source.library != "python":
        element = Apply(f"cast:{value.dtype}", (element,))
    return c.ops.make(axes, element, value.dtype, value.library)


_NOT_METHODS = frozenset({
    "zeros", "ones", "empty", "full", "tensor", "as_tensor", "asarray", "from_numpy", "eye",
    "arange", "stack", "cat", "concat", "concatenate", "einsum", "where", "zeros_like",
    "ones_like", "empty_like", "full_like", "scalar_tensor", "linspace", "complex", "hstack",
    "vstack", "dstack", "column_stack", "meshgrid", "broadcast_tensors", "chain_matmul",
    "tensordot", "var_mean", "std_mean", "atleast_1d", "atleast_2d", "atleast_3d", "rsub",
    "cosine_similarity", "real", "imag", "svd_lowrank", "Tensor", "FloatTensor", "DoubleTensor",
})  # fmt: skip
_TORCH = {
    name: entry
    for name, entry in torch.FUNCTIONS.items()
    if "." not in name and name not in _NOT_METHODS
}
_SAME = ("contiguous", "cpu", "cuda", "pin_memory", "resolve_conj")
_SIZED = "input, " + torch._SIZED

TENSOR: dict[str, Meaning] = {
    **_TORCH,
    **{name: Meaning("input, memory_format=None, *rest", views.identity) for name in _SAME},
    "permute": Meaning("input, *dims", views.permute),
    "view": Meaning("input, *shape", views.reshape),
    "reshape": Meaning("input, *shape", views.reshape),
    "view_as": Meaning("input, other", views.reshape_as),
    "reshape_as": Meaning("input, other", views.reshape_as),
    "unflatten": Meaning("input, dim, *sizes", views.unflatten),
    "unfold": Meaning("input, dim|dimension, size, step", windows.unfold),
    "expand": Meaning("input, *sizes, implicit=False", views.expand),
    "expand_as": Meaning("input, other", views.expand_as),
    "broadcast_to": Meaning("input, *sizes", views.expand),
    "repeat": Meaning("input, *sizes|repeats", views.repeat_method),
    "tile": Meaning("input, *sizes|dims", views.repeat),
    "flip": Meaning("input, *dims", views.flip),
    "size": Meaning("input, dim=None", views.size_of),
    "numel": Meaning("input", views.numel),
    "nelement": Meaning("input", views.numel),
    "dim": Meaning("input", views.rank),
    "ndimension": Meaning("input", views.rank),
    "to": Meaning("input, *args, dtype=None, device=None, non_blocking=False, copy=False,"
                  " memory_format=None, other=None", to),
    "type": Meaning("input, *args, dtype=None", to),
    "type_as": Meaning("input, other", type_as),
    "float": Meaning("input", cast_to("float32")),
    "double": Meaning("input", cast_to("float64")),
    "half": Meaning("input", cast_to("float16")),
    "bfloat16": Meaning("input", cast_to("bfloat16")),
    "bool": Meaning("input", cast_to("bool")),
    "long": Meaning("input", cast_to("int64")),
    "int": Meaning("input", cast_to("int32")),
    "short": Meaning("input", cast_to("int16")),
    "char": Meaning("input", cast_to("int8")),
    "byte": Meaning("input", cast_to("uint8")),
    "where": Meaning("input, condition, other", where),
    "item": Meaning("input", item),
    "new_zeros": Meaning(_SIZED, constructors.new_full(ZERO)),
    "new_ones": Meaning(_SIZED, constructors.new_full(ONE)),
    "new_empty": Meaning(_SIZED, constructors.new_full(constructors.EMPTY)),
    "new_full": Meaning("input, size, fill_value, dtype=None, device=None, requires_grad=False",
                        constructors.new_full(None)),
    "new_tensor": Meaning("input, data, dtype=None, device=None, requires_grad=False",
                          constructors.new_tensor),
}  # fmt: skip

IN_PLACE: dict[str, Meaning] = {
    "fill": Meaning("input, value", filled("value")),
    "zero": Meaning("input", filled("zero")),
    "fill_diagonal": Meaning("input, fill_value, wrap=None", views.filled_diagonal),
    "copy": Meaning("input, other|src, non_blocking=False", copied),
}
"""What ``x.name_(...)`` leaves in x, where there is no method ``name``."""

ARRAY_IN_PLACE = {"fill_diagonal": IN_PLACE["fill_diagonal"]}
"""What ``np.name(x, ...)`` leaves in x."""

DIFFERENT = frozenset({
    "max", "min", "sort", "argsort", "std", "var", "transpose", "repeat", "view", "item", "trace",
    "squeeze", "cumsum", "cumprod", "dot", "round", "flatten", "take", "fill", "astype",
})  # fmt: skip
"""Methods that mean something else, or fail otherwise, in the other library."""

ALIKE: dict[str, Meaning] = {
    "max": Meaning("input", reductions.reduction("max")),
    "min": Meaning("input", reductions.reduction("min")),
}
"""What methods of these mean in both libraries, given nothing more."""

_ARG = "input, " + numpy.ARG.partition(", ")[2]
_REDUCE = "input, " + numpy.REDUCE.partition(", ")[2]
_VAR = "input, " + numpy.VAR.partition(", ")[2]
_ACCUMULATE = "input, dim|axis=None, dtype=None, out=None"

ARRAY: dict[str, Meaning] = {
    "copy": Meaning("input, order=None", views.clone),
    "sum": Meaning(_REDUCE, reductions.reduction("sum")),
    "prod": Meaning(_REDUCE, reductions.reduction("prod")),
    "max": Meaning(_ARG, reductions.reduction("max")),
    "min": Meaning(_ARG, reductions.reduction("min")),
    "any": Meaning(_ARG, reductions.reduction("any")),
    "all": Meaning(_ARG, reductions.reduction("all")),
    "argmax": Meaning(_ARG, reductions.arg_extremum("argmax")),
    "argmin": Meaning(_ARG, reductions.arg_extremum("argmin")),
    "mean": Meaning(_REDUCE, reductions.mean),
    "var": Meaning(_VAR, reductions.variance(False, 0)),
    "std": Meaning(_VAR, reductions.variance(True, 0)),
    "cumsum": Meaning(_ACCUMULATE, reductions.cumulative("sum")),
    "cumprod": Meaning(_ACCUMULATE, reductions.cumulative("prod")),
    "argsort": Meaning("input, dim|axis=-1, kind=None", orders.sorted_array("indices")),
    "take": Meaning("input, index|indices, dim|axis=None", orders.index_select),
    "dot": Meaning("input, other|b", contractions.array_dot),
    "trace": Meaning("input", contractions.trace),
    "clip": Meaning("input, min=None, max=None", elementwise.clamp),
    "round": Meaning("input, decimals=0", elementwise.rounded),
    "conj": Meaning("input", elementwise.unary("conj")),
    "conjugate": Meaning("input", elementwise.unary("conj")),
    "reshape": Meaning("input, *shape, order='C'", views.reshape),
    "flatten": Meaning("input, order='C'", views.ravel),
    "ravel": Meaning("input, order='C'", views.ravel),
    "transpose": Meaning("input, *dims", views.reversed_axes),
    "swapaxes": Meaning("input, dim0|axis1, dim1|axis2", views.transpose),
    "squeeze": Meaning("input, dim|axis=None", views.squeeze(strict=True)),
    "repeat": Meaning("input, repeats, dim|axis=None", views.repeat_each),
    "diagonal": Meaning("input, offset=0, dim1|axis1=0, dim2|axis2=1", views.diagonal((0, 1))),
    "astype": Meaning("input, dtype, copy=True, order=None", astype),
    "item": Meaning("input", item),
}
