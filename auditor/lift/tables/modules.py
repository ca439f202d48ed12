"""torch.nn modules held as attributes: what calling them means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Handler, Meaning, instance_argument
from auditor.lift.objects import Instance, Obj
from auditor.lift.tables import elementwise, networks, recurrent, reductions, views
from auditor.notation import Apply, Const, Index, Reduce, Value

if TYPE_CHECKING:
    from auditor.lift.lifter import Lifter


def _no_handler(c: Call) -> Obj:
    raise Unsupported("a constructor")


@dataclass(frozen=True)
class Construct(Meaning):
    """``nn.Linear(...)``: an object that remembers how it was made."""

    def call(self, lifter: Lifter, args: list[Obj], keywords: dict[str, Obj]) -> Obj:
        if self.signature == "torch.nn.Linear":
            sizes = [*args[:2], *(keywords[name] for name in _SIZES if name in keywords)]
            for size in sizes:
                lifter.as_size(size)
        return Instance(self.signature, tuple(args), dict(keywords))


_SIZES = ("in_features", "out_features")


def construct(path: str) -> Meaning:
    """The meaning of a constructor of torch.nn."""
    if path in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
        return Meaning("input|data, requires_grad=True", parameter)
    return Construct(path, _no_handler)


LIMITS: dict[str, Meaning] = {
    path: Construct(path, _no_handler) for path in ("torch.finfo", "numpy.finfo")
}
"""Objects whose attributes are the limits of a dtype."""


PARAMETER = "parameter"
"""What a parameter with gradients is called, which no integers have."""


def parameter(c: Call) -> Obj:
    """A parameter: its values are trained, and the module may be cast to another precision; its
    shape is what it was made with."""
    value = c.value("input")
    axes = c.ops.fresh(value.axes)
    name = "weights" if c.has("requires_grad") else PARAMETER
    return Value(name, axes, None, None, "attribute", "torch", c.ops.span)


def _written(c: Call) -> Obj:
    c.lifter.effect_here("mutation", "writes in place, by `inplace=`")
    value = c.obj("input")
    if isinstance(value, Value) and c.ops.span is not None:
        c.lifter.overwritten.append((c.lifter.memory(value), c.ops.span))
    raise Unsupported("the result is written in place, by `inplace=`")


WRITTEN = Meaning("layer, input", _written)
"""A layer that changes what it is given."""

MOVED = Meaning("layer, *args, device=None, dtype=None, mode=None", lambda c: c.obj("layer"))
"""A method that gives a layer back, of one that has just been made."""


def just_made(lifter: Lifter, layer: Instance, method: str) -> bool:
    """Whether a constructor has made a layer in place, so that nothing else knows it yet:
    ``self.proj = nn.Linear(n, m).to(device)``; its methods are those of torch."""
    if lifter.setting is None or lifter.active or layer.name:
        return False
    own = lifter.module.classes.get(layer.path.removeprefix("class "))
    if own is None:
        return layer.path.startswith("torch.nn.")
    return bool(own.node.bases) and method not in own.methods


def in_place(layer: Instance) -> bool:
    """Whether a layer may change what it is given: its argument ``inplace`` comes last."""
    name = layer.path.rpartition(".")[2]
    given = layer.keywords.get("inplace")
    if given is None and (place := IN_PLACE.get(name)) is not None and place < len(layer.args):
        given = layer.args[place]
    if given is None:
        return False
    return not (isinstance(given, Value) and isinstance(given.body, Const) and not given.body.value)


IN_PLACE = {
    "ReLU": 0, "ReLU6": 0, "SELU": 0, "SiLU": 0, "Mish": 0, "Hardswish": 0, "Hardsigmoid": 0,
    "LeakyReLU": 1, "ELU": 1, "CELU": 1, "Hardtanh": 2, "Threshold": 2, "RReLU": 2,
    "Dropout": 1, "Dropout1d": 1, "Dropout2d": 1, "Dropout3d": 1, "AlphaDropout": 1,
    "FeatureAlphaDropout": 1,
}  # fmt: skip
"""Layers that may change what they are given, each with the place of the argument that says so."""


def stated(c: Call, names: str) -> dict[str, Obj]:
    """The constructor's arguments by name; ``names`` are its parameters in order, without their
    defaults."""
    layer = c.obj("layer")
    assert isinstance(layer, Instance)
    known = [name.strip() for name in names.split(",") if name.strip()]
    if len(layer.args) > len(known):
        raise Unsupported("a layer with more arguments than its meaning covers")
    bound = dict(zip(known, layer.args, strict=False))
    for name, obj in layer.keywords.items():
        if name in ("device",):
            continue
        if name not in known:
            raise Unsupported(f"the argument `{name}` has no meaning here")
        bound[name] = obj
    bound.pop("inplace", None)  # what writes in place has no meaning: see `in_place`
    return bound


def with_arguments(names: str, handler: Handler) -> Handler:
    """As the function does, with the constructor's arguments."""

    def call(c: Call) -> Obj:
        given = {name: obj for name, obj in c.bound.items() if name != "layer"}
        return handler(Call(c.lifter, {**stated(c, names), **given}))

    return call


def dropout(c: Call) -> Obj:
    given = instance_argument(c, 0, "p", c.ops.number(0.5))
    return networks.dropout(Call(c.lifter, {"input": c.obj("input"), "p": given}))


def linear(c: Call) -> Obj:
    """A linear layer: a value of its own with the last extent replaced."""
    value = c.value("input")
    c.ops.need_tail(value, 1)
    size = c.lifter.as_size(instance_argument(c, 1, "out_features"))
    layer = c.obj("layer")
    assert isinstance(layer, Instance)
    out = Index("o", c.lifter.facts.extent(size))
    inner = c.ops.fresh(value.axes)
    axes = (*inner[:-1], out)
    if not c.lifter.active:
        name = f"{layer.name}({c.lifter.spoken(value)})"
        return Value(name, axes, None, value.dtype, "opaque", "torch", c.ops.span)
    # Inside a loop it differs from step to step, so what it depends on must show: a reduction of
    # the last axis that has no algebra but a name.
    mixed = Apply("call:at", (c.ops.element(value, inner), out))
    return c.ops.make(axes, Reduce(f"call:{layer.name}", inner[-1], mixed), value.dtype, "torch")


def embedding(c: Call) -> Obj:
    """A row of the table for each index: a value of its own with one more axis."""
    value = c.value("input")
    layer = c.obj("layer")
    assert isinstance(layer, Instance)
    size = c.lifter.as_size(instance_argument(c, 1, "embedding_dim"))
    if "max_norm" in layer.keywords or len(layer.args) > 3:
        raise Unsupported("an embedding that changes its table")
    axes = (*c.ops.fresh(value.axes), Index("o", c.lifter.facts.extent(size)))
    return Value(
        f"{layer.name}({c.lifter.spoken(value)})", axes, None, None, "opaque", "torch", c.ops.span
    )


def same_shape(c: Call) -> Obj:
    """A norm: a value of its own, shaped as its input."""
    layer = c.obj("layer")
    assert isinstance(layer, Instance)
    return networks.same_shape(layer.name)(c)


def flatten(c: Call) -> Obj:
    first = instance_argument(c, 0, "start_dim", c.ops.number(1))
    last = instance_argument(c, 1, "end_dim", c.ops.number(-1))
    inner = Call(c.lifter, {"input": c.obj("input"), "start_dim": first, "end_dim": last})
    return views.flatten(inner)


def sequential(c: Call) -> Obj:
    """One layer after the other, where each of them has a meaning."""
    layer = c.obj("layer")
    assert isinstance(layer, Instance)
    from auditor.lift import tables

    current = c.obj("input")
    for inner in layer.args:
        if not isinstance(inner, Instance):
            raise Unsupported("a sequence of unknown layers")
        meaning = tables.meaning(c.lifter, inner)
        if meaning is None:
            raise Unsupported("a sequence of unknown layers")
        current = meaning.call(c.lifter, [inner, current], {})
    return current


_CALL = "layer, input"
_PAIR = "layer, input, target"
_PARAMETERS = {
    "Softplus": "beta, threshold", "GELU": "approximate", "LeakyReLU": "negative_slope, inplace",
    "ELU": "alpha, inplace", "CELU": "alpha, inplace", "Hardtanh": "min_val, max_val, inplace",
    "Threshold": "threshold, value, inplace", "Hardshrink": "lambd", "Softshrink": "lambd",
    "GLU": "dim",
}  # fmt: skip
_NAMES = {
    "ReLU": "relu", "SiLU": "silu", "Sigmoid": "sigmoid", "Tanh": "tanh", "Softplus": "softplus",
    "GELU": "gelu", "LogSigmoid": "logsigmoid", "Mish": "mish", "LeakyReLU": "leaky_relu",
    "ELU": "elu", "CELU": "celu", "SELU": "selu", "ReLU6": "relu6", "Hardtanh": "hardtanh",
    "Hardsigmoid": "hardsigmoid", "Hardswish": "hardswish", "Softsign": "softsign",
    "Tanhshrink": "tanhshrink", "Threshold": "threshold", "Hardshrink": "hardshrink",
    "Softshrink": "softshrink", "GLU": "glu",
}  # fmt: skip
_LOSS = "size_average, reduce, reduction"

CALLS: dict[str, Meaning] = {
    **{
        f"torch.nn.{name}": Meaning(
            _CALL,
            with_arguments(_PARAMETERS.get(name, "inplace"), elementwise.ACTIVATIONS[function][1]),
        )
        for name, function in _NAMES.items()
    },
    "torch.nn.Softmax": Meaning(_CALL, with_arguments("dim", reductions.softmax)),
    "torch.nn.LogSoftmax": Meaning(_CALL, with_arguments("dim", reductions.log_softmax)),
    "torch.nn.Softmin": Meaning(_CALL, with_arguments("dim", reductions.softmin)),
    "torch.nn.CosineSimilarity": Meaning(
        "layer, input|x1, other|x2", with_arguments("dim, eps", reductions.cosine_similarity)
    ),
    "torch.nn.MSELoss": Meaning(_PAIR, with_arguments(_LOSS, reductions.loss("square"))),
    "torch.nn.L1Loss": Meaning(_PAIR, with_arguments(_LOSS, reductions.loss("abs"))),
    "torch.nn.Unflatten": Meaning(_CALL, with_arguments("dim, sizes", views.unflatten)),
    "torch.nn.Flatten": Meaning(_CALL, flatten),
    "torch.nn.Dropout": Meaning(_CALL, dropout),
    "torch.nn.Identity": Meaning(_CALL, views.identity),
    "torch.nn.Linear": Meaning(_CALL, linear),
    "torch.nn.Embedding": Meaning(_CALL, embedding),
    "torch.nn.LayerNorm": Meaning(_CALL, same_shape),
    "torch.nn.RMSNorm": Meaning(_CALL, same_shape),
    "torch.nn.Sequential": Meaning(_CALL, sequential),
    **recurrent.CELLS,
}
