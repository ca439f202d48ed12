"""torch.nn modules held as attributes: what calling them means."""

from __future__ import annotations

from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Meaning, instance_argument
from auditor.lift.objects import Instance, Obj
from auditor.lift.tables import elementwise, torch
from auditor.notation import Index, Value


class _Construct(Meaning):
    """``nn.Linear(...)``: an object that remembers how it was made."""

    def call(self, lifter, args, keywords):  # type: ignore[no-untyped-def]
        if self.signature == "torch.nn.Linear":
            sizes = [*args[:2], *(keywords[name] for name in _SIZES if name in keywords)]
            for size in sizes:
                lifter.as_size(size)
        return Instance(self.signature, tuple(args), dict(keywords))


_SIZES = ("in_features", "out_features")


def construct(path: str) -> Meaning | None:
    """The meaning of a constructor of torch.nn, or None for one that is not known to be pure."""
    if path in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
        return Meaning("input|data, requires_grad=True", parameter)
    return _Construct(path, parameter)


def parameter(c: Call) -> Obj:
    """A parameter: its values are trained, its shape is what it was made with."""
    value = c.value("input")
    axes = c.ops.fresh(value.axes)
    return Value("parameter", axes, None, value.dtype, "attribute", "torch", c.ops.span)


def softmax(log: bool):  # type: ignore[no-untyped-def]
    def call(c: Call) -> Obj:
        dim = instance_argument(c, 0, "dim")
        inner = Call(c.lifter, {"input": c.obj("input"), "dim": dim})
        return torch.log_softmax(inner) if log else torch.softmax(inner)

    return call


def dropout(c: Call) -> Obj:
    given = instance_argument(c, 0, "p", c.ops.number(0.5))
    return torch.dropout(Call(c.lifter, {"input": c.obj("input"), "p": given}))


def linear(c: Call) -> Obj:
    """A linear layer: a value of its own with the last extent replaced."""
    value = c.value("input")
    c.ops.need_tail(value, 1)
    size = c.lifter.as_size(instance_argument(c, 1, "out_features"))
    axes = (*c.ops.fresh(value.axes[:-1]), Index("o", c.lifter.facts.extent(size)))
    layer = c.obj("layer")
    assert isinstance(layer, Instance)
    return Value(f"{layer.name}({value.name})", axes, None, value.dtype, "opaque", "torch",
                 c.ops.span)  # fmt: skip


def same_shape(c: Call) -> Obj:
    """A norm: a value of its own, shaped as its input."""
    value = c.value("input")
    layer = c.obj("layer")
    assert isinstance(layer, Instance)
    axes = c.ops.fresh(value.axes)
    return Value(f"{layer.name}({value.name})", axes, None, value.dtype, "opaque", "torch",
                 c.ops.span)  # fmt: skip


def sequential(c: Call) -> Obj:
    raise Unsupported("a sequence of layers")


def pointwise(op: str):  # type: ignore[no-untyped-def]
    return elementwise.unary(op)


_CALL = "layer, input"

CALLS: dict[str, Meaning] = {
    "torch.nn.Softmax": Meaning(_CALL, softmax(log=False)),
    "torch.nn.LogSoftmax": Meaning(_CALL, softmax(log=True)),
    "torch.nn.Dropout": Meaning(_CALL, dropout),
    "torch.nn.Identity": Meaning(_CALL, torch.identity),
    "torch.nn.Linear": Meaning(_CALL, linear),
    "torch.nn.LayerNorm": Meaning(_CALL, same_shape),
    "torch.nn.RMSNorm": Meaning(_CALL, same_shape),
    "torch.nn.ReLU": Meaning(_CALL, pointwise("relu")),
    "torch.nn.SiLU": Meaning(_CALL, pointwise("silu")),
    "torch.nn.GELU": Meaning(_CALL, pointwise("gelu")),
    "torch.nn.Sigmoid": Meaning(_CALL, pointwise("sigmoid")),
    "torch.nn.Tanh": Meaning(_CALL, pointwise("tanh")),
    "torch.nn.Softplus": Meaning(_CALL, pointwise("softplus")),
}
