"""numpy functions, by their path below ``numpy``."""

from __future__ import annotations

from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Meaning
from auditor.lift.objects import Obj, Shape
from auditor.lift.tables import elementwise, methods, torch
from auditor.notation import ONE, ZERO, Value


def as_array(c: Call) -> Obj:
    made = torch.tensor(c)
    assert isinstance(made, Value)
    return Value(made.name, made.axes, made.body, made.dtype, "derived", "numpy", made.span)


def full(body):  # type: ignore[no-untyped-def]
    def call(c: Call) -> Obj:
        made = torch.full(body)(c)
        assert isinstance(made, Value)
        dtype = c.dtype() or "float64"
        return Value(made.name, made.axes, made.body, dtype, "derived", "numpy", made.span)

    return call


def sort(c: Call) -> Obj:
    return c.ops.order(c.value("input"), c.int("dim", -1), None, False, "values")


def argsort(c: Call) -> Obj:
    return c.ops.order(c.value("input"), c.int("dim", -1), None, False, "indices")


def expand_dims(c: Call) -> Obj:
    return c.ops.unsqueeze(c.value("input"), c.int("dim"))


def maximum(op: str):  # type: ignore[no-untyped-def]
    return elementwise.binary(op)


def cumulative(op: str):  # type: ignore[no-untyped-def]
    def call(c: Call) -> Obj:
        value = c.value("input")
        if not c.has("dim"):
            c.ops.need_rank(value, 1, f"`{value.name}` has 1 axis, as its prefix sum says")
            return torch.prefix(c, op, value, 0)
        return torch.prefix(c, op, value, c.int("dim"))

    return call


def transpose(c: Call) -> Obj:
    return methods.numpy_transpose(c)


def count_nonzero(c: Call) -> Obj:
    value = c.value("input")
    if value.dtype != "bool":
        value = c.ops.pointwise("ne", value, c.ops.number(0))
    return c.ops.reduce("sum", value, c.ints("dim"))


def shape(c: Call) -> Obj:
    return Shape(c.value("input"))


def moveaxis(c: Call) -> Obj:
    value = c.value("input")
    if c.ops.group_of(value) is not None:
        raise Unsupported("moveaxis of an array of unknown rank")
    order = list(range(len(value.axes)))
    moved = order.pop(c.int("source") % len(value.axes))
    order.insert(c.int("destination") % len(value.axes), moved)
    return c.ops.permute(value, order)


_REDUCE = "input|a, dim|axis=None, dtype=None, out=None, keepdim|keepdims=False"
_ARG = "input|a, dim|axis=None, out=None, keepdim|keepdims=False"
_VAR = "input|a, dim|axis=None, dtype=None, out=None, correction|ddof=0, keepdim|keepdims=False"

FUNCTIONS: dict[str, Meaning] = {
    **elementwise.table("x"),
    **{
        name: Meaning("input|x1, other|x2", elementwise.binary(op))
        for name, op in elementwise.BINARY.items()
    },
    "sum": Meaning(_REDUCE, torch.reduction("sum")),
    "prod": Meaning(_REDUCE, torch.reduction("prod")),
    "max": Meaning(_ARG, torch.reduction("max")),
    "amax": Meaning(_ARG, torch.reduction("max")),
    "min": Meaning(_ARG, torch.reduction("min")),
    "amin": Meaning(_ARG, torch.reduction("min")),
    "any": Meaning(_ARG, torch.reduction("any")),
    "all": Meaning(_ARG, torch.reduction("all")),
    "argmax": Meaning(_ARG, torch.arg_extremum("argmax")),
    "argmin": Meaning(_ARG, torch.arg_extremum("argmin")),
    "mean": Meaning(_REDUCE, torch.mean),
    "var": Meaning(_VAR, torch.variance(False, 0)),
    "std": Meaning(_VAR, torch.variance(True, 0)),
    "cumsum": Meaning("input|a, dim|axis=None, dtype=None", cumulative("sum")),
    "cumprod": Meaning("input|a, dim|axis=None, dtype=None", cumulative("prod")),
    "maximum.accumulate": Meaning("input|a, dim|axis=0", cumulative("max")),
    "minimum.accumulate": Meaning("input|a, dim|axis=0", cumulative("min")),
    "count_nonzero": Meaning("input|a, dim|axis=None", count_nonzero),
    "sort": Meaning("input|a, dim|axis=-1, kind=None", sort),
    "argsort": Meaning("input|a, dim|axis=-1, kind=None", argsort),
    "matmul": Meaning("input|x1, other|x2", torch.matmul),
    "dot": Meaning("input|a, other|b", torch.matmul),
    "outer": Meaning("input|a, other|b", torch.outer),
    "inner": Meaning("input|a, other|b", torch.dot),
    "einsum": Meaning("equation, *operands, optimize=None", torch.einsum),
    "where": Meaning("condition, input|x, other|y", torch.where),
    "tril": Meaning("input|m, diagonal|k=0", torch.triangle(upper=False)),
    "triu": Meaning("input|m, diagonal|k=0", torch.triangle(upper=True)),
    "clip": Meaning("input|a, min|a_min=None, max|a_max=None", torch.clamp),
    "zeros": Meaning("size|shape, dtype=None, order=None", full(ZERO)),
    "ones": Meaning("size|shape, dtype=None, order=None", full(ONE)),
    "empty": Meaning("size|shape, dtype=None, order=None", full(torch._EMPTY)),
    "full": Meaning("size|shape, fill_value, dtype=None", full(None)),
    "zeros_like": Meaning("input|a, dtype=None", torch.full_like(ZERO)),
    "ones_like": Meaning("input|a, dtype=None", torch.full_like(ONE)),
    "empty_like": Meaning("input|a|prototype, dtype=None", torch.full_like(torch._EMPTY)),
    "full_like": Meaning("input|a, fill_value, dtype=None", torch.full_like(None)),
    "array": Meaning("data|object, dtype=None, copy=None", as_array),
    "asarray": Meaning("data|a, dtype=None", as_array),
    "stack": Meaning("tensors|arrays, dim|axis=0", torch.stack),
    "concatenate": Meaning("tensors|arrays, dim|axis=0", torch.cat),
    "transpose": Meaning("input|a, dims|axes=None", transpose),
    "swapaxes": Meaning("input|a, dim0|axis1, dim1|axis2", torch.transpose),
    "moveaxis": Meaning("input|a, source, destination", moveaxis),
    "reshape": Meaning("input|a, shape|newshape", torch.reshape),
    "expand_dims": Meaning("input|a, dim|axis", expand_dims),
    "squeeze": Meaning("input|a, dim|axis=None", torch.squeeze),
    "flip": Meaning("input|m, dims|axis", torch.flip),
    "arange": Meaning("*bounds, end|stop=None, dtype=None", torch.arange),
    "eye": Meaning("n|N, m|M=None, dtype=None", torch.eye),
    "copy": Meaning("input|a, order=None", torch.clone),
    "shape": Meaning("input|a", shape),
}
