"""A function of tensors as the source of a Triton function.

The function is run once on placeholders that record what is done to them; what was recorded is
printed, one line an operation. What has no place here (other operations, captured tensors, control
flow that looks at values) gives None, and the caller keeps to torch.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import torch
from torch import fx

INFIX = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/",
    operator.gt: ">", operator.ge: ">=", operator.lt: "<", operator.le: "<=",
    operator.eq: "==", operator.ne: "!=", operator.and_: "&", operator.or_: "|",
    torch.add: "+", torch.sub: "-", torch.mul: "*", torch.div: "/",
    torch.gt: ">", torch.ge: ">=", torch.lt: "<", torch.le: "<=", torch.eq: "==", torch.ne: "!=",
    torch.logical_and: "&", torch.logical_or: "|",
}  # fmt: skip

NAMES = {
    torch.abs: "abs", abs: "abs", torch.exp: "exp", torch.log: "log", torch.sqrt: "sqrt",
    torch.sin: "sin", torch.cos: "cos", torch.maximum: "maximum", torch.minimum: "minimum",
    torch.where: "where", torch.clamp: "clamp", torch.logaddexp: "logaddexp",
    torch.relu: "relu", torch.neg: "neg", operator.neg: "neg",
    torch.square: "square", torch.reciprocal: "reciprocal",
}  # fmt: skip

METHODS = frozenset(NAMES.values()) - {"where"}

_TEXTS = {
    "abs": "tl.abs({0})",
    "exp": "tl.exp({0})",
    "log": "tl.log({0})",
    "sqrt": "tl.sqrt({0})",
    "sin": "tl.sin({0})",
    "cos": "tl.cos({0})",
    "neg": "-{0}",
    "square": "{0} * {0}",
    "reciprocal": "1.0 / {0}",
    "relu": "tl.maximum({0}, 0.0, propagate_nan=tl.PropagateNan.ALL)",
    "maximum": "tl.maximum({0}, {1}, propagate_nan=tl.PropagateNan.ALL)",
    "minimum": "tl.minimum({0}, {1}, propagate_nan=tl.PropagateNan.ALL)",
    "where": "tl.where({0}, {1}, {2})",
    "logaddexp": "_logaddexp({0}, {1})",
}


class Unsupported(Exception):
    """The function does what is not said here in another language."""


def traced(
    function: Callable[..., Any], *groups: tuple[str, ...]
) -> tuple[list[fx.Node], list[Any]] | None:
    """What a function does to parameters of these names, each group a tuple argument: operations in
    their order and results; None where that cannot be recorded."""
    tracer = fx.Tracer()
    tracer.graph = fx.Graph()
    tracer.root = torch.nn.Module()
    tracer.tensor_attrs = {}
    try:
        arguments = [
            tuple(tracer.create_proxy("placeholder", each, (), {}) for each in group)
            for group in groups
        ]
        results = [getattr(each, "node", each) for each in function(*arguments)]
    except Exception:  # whatever the function raises of placeholders, it was not recorded
        return None
    return list(tracer.graph.nodes), results


def source(name: str, function: Callable[..., Any], *groups: tuple[str, ...]) -> str | None:
    """``def name(...)`` with the parameters of all groups in a row, each group a tuple argument of
    the function; or None."""
    found = traced(function, *groups)
    if found is None:
        return None
    nodes, results = found
    try:
        lines = [_line(node) for node in nodes if node.op != "placeholder"]
        returned = ", ".join(map(_operand, results))
    except Unsupported:
        return None
    parameters = ", ".join(each for group in groups for each in group)
    body = "".join(f"    {line}\n" for line in [*lines, f"return {returned}"])
    return f"@triton.jit\ndef {name}({parameters}):\n{body}"


def _line(node: fx.Node) -> str:
    if node.op == "call_function":
        return f"{node.name} = {_call(node, node.target)}"
    if node.op == "call_method" and node.target in METHODS:
        return f"{node.name} = {_text(str(node.target), node)}"
    raise Unsupported(str(node.target))


def _call(node: fx.Node, target: Any) -> str:
    infix = INFIX.get(target)
    if infix is not None and len(node.args) == 2 and not node.kwargs:
        return f"{_operand(node.args[0])} {infix} {_operand(node.args[1])}"
    name = NAMES.get(target)
    if name is None:
        raise Unsupported(str(target))
    return _text(name, node)


def _text(name: str, node: fx.Node) -> str:
    if name == "clamp":
        return _clamped(node)
    template = _TEXTS[name]
    wanted = 1 + max(number for number in range(3) if f"{{{number}}}" in template)
    if len(node.args) != wanted or node.kwargs:
        raise Unsupported(name)
    return template.format(*map(_operand, node.args))


def _clamped(node: fx.Node) -> str:
    bounds = dict(zip(("min", "max"), node.args[1:], strict=False)) | node.kwargs
    if not bounds.keys() <= {"min", "max"}:
        raise Unsupported("clamp")
    text = _operand(node.args[0])
    for end, name in (("min", "maximum"), ("max", "minimum")):
        if bounds.get(end) is not None:
            text = _TEXTS[name].format(text, _operand(bounds[end]))
    return text


def _operand(value: Any) -> str:
    if isinstance(value, fx.Node):
        return value.name
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Unsupported(str(value))
    if not math.isfinite(value):
        return f'float("{value}")'
    return repr(value) if value >= 0 else f"({value!r})"
