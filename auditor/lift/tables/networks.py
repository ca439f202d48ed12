"""What networks are made of and has no algebra here: dropout, norms, attention already fused."""

from __future__ import annotations

from dataclasses import replace

from auditor.lift.calls import Call, Handler
from auditor.lift.objects import Obj
from auditor.notation import Apply, Const, Read, Value, walk


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


def detach(c: Call) -> Obj:
    value = c.value("input")
    axes = c.ops.fresh(value.axes)
    body = Apply("call:detach", (c.ops.element(value, axes),))
    return c.ops.make(axes, body, value.dtype, value.library)


def taken_out(c: Call, value: Value, array: bool = False) -> Value:
    """A number that is taken out of a tensor: no gradient reaches what it was computed of. With
    ``array`` it is certain that it was in one, and is no number of Python's."""
    whole = value.dtype is not None and value.dtype.startswith(("int", "uint", "bool"))
    if whole or value.library in ("numpy", "python") or c.lifter.module.library == "numpy":
        return value
    body = value.body
    element = array or any(
        isinstance(node, Read) and node.value.axes for node in (walk(body) if body else ())
    )
    if value.library is None and not element:
        return value
    inner = Apply("call:detach", (c.ops.element(value, ()),))
    return replace(value, body=inner, kind="derived")


def same_shape(name: str) -> Handler:
    """A value of its own, shaped as its input."""

    def call(c: Call) -> Obj:
        value = c.value("input")
        axes = c.ops.fresh(value.axes)
        made = f"{name}({c.lifter.spoken(value)})"
        return Value(made, axes, None, value.dtype, "opaque", "torch", c.ops.span)

    return call


def attention(c: Call) -> Obj:
    """Already the fused form: a value of its own, so that nothing looks inside."""
    q, v = c.value("query"), c.value("value")
    c.ops.need_tail(q, 2)
    c.ops.need_tail(v, 1)
    axes = (*c.ops.fresh(q.axes[:-1]), *c.ops.fresh(v.axes[-1:]))
    return Value("attention", axes, None, q.dtype, "opaque", "torch", c.ops.span)
