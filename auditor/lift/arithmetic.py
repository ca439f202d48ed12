"""Operators on numbers, arrays, lists and texts."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.objects import Obj, Sequence, Shape
from auditor.notation import Index, Read, Value, free_indices

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter

_SEVERAL = (Sequence, Shape)
_BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "call:bitwise_left_shift", ast.RShift: "call:bitwise_right_shift",
}  # fmt: skip


def binop(lifter: Lifter, node: ast.BinOp, env: Env) -> Obj:
    """``left op right``."""
    left, right = lifter.eval(node.left, env), lifter.eval(node.right, env)
    lifter.here(node)
    return binary(lifter, node.op, left, right)


def binary(lifter: Lifter, op: ast.operator, left: Obj, right: Obj) -> Obj:
    """A binary operator on objects."""
    if isinstance(op, ast.Add) and isinstance(left, _SEVERAL) and isinstance(right, _SEVERAL):
        kind = left.kind if isinstance(left, Sequence) else "tuple"
        return Sequence((*lifter.items_of(left), *lifter.items_of(right)), kind)
    if isinstance(op, ast.Mult):
        for many, count in ((left, right), (right, left)):
            if isinstance(many, Sequence) and isinstance(count, Value):
                return _repeat(lifter, many, count)
    if isinstance(op, ast.MatMult):
        return lifter.ops.matmul(lifter.as_value(left), lifter.as_value(right))
    if not any(getattr(side, "library", None) in ("torch", "numpy") for side in (left, right)):
        if any(is_list(lifter, s) or isinstance(s, _SEVERAL) for s in (left, right)):
            raise Unsupported("operators join and repeat lists")
        if any(_is_joined(lifter, side) for side in (left, right)):
            raise Unsupported("operators put together what is no number")
    name = _BINARY.get(type(op))
    if name is None:
        raise Unsupported(f"the operator `{type(op).__name__}` has no notation")
    if isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
        return lifter.ops.bitwise(name, lifter.as_value(left), lifter.as_value(right))
    return lifter.ops.pointwise(name, lifter.as_value(left), lifter.as_value(right))


def is_list(lifter: Lifter, obj: Obj) -> bool:
    """Whether a value with axes is a list and no array."""
    if not isinstance(obj, Value) or not obj.axes:
        return False
    return obj.library == "python" or _taken_from(obj, lifter.facts.listed)


def _is_joined(lifter: Lifter, obj: Obj) -> bool:
    """Whether a value is a text, or something else that is no number, as annotations say."""
    return isinstance(obj, Value) and _taken_from(obj, lifter.facts.joined)


def of_its_own_length(lifter: Lifter, value: Value) -> bool:
    """Whether a value is an item of a list, of which others may be longer: of one that is
    annotated so, or in a file that has no arrays."""
    if value.body is None or not free_indices(value.body) - {*value.axes}:
        return False
    if lifter.module.arrays:
        return _taken_from(value, lifter.facts.listed | lifter.facts.joined)
    return value.library not in ("torch", "numpy")


def _repeat(lifter: Lifter, many: Sequence, count: Value) -> Obj:
    """``[0.0] * n``: a list of equal items."""
    if len(many.items) == 1 and isinstance(many.items[0], Value):
        item = many.items[0]
        size = lifter.as_size(count)
        number = extents.constant(size)
        if number is not None and 0 <= number <= 8:
            return Sequence(many.items * number, many.kind)
        if not item.axes:
            axis = Index("p", size)
            body = lifter.ops.element(item, ())
            return lifter.ops.make((axis,), body, item.dtype, "python")
    raise Unsupported("a repeated list")


def unaryop(lifter: Lifter, node: ast.UnaryOp, env: Env) -> Obj:
    """``-x``, ``~x``, ``not x``."""
    operand = lifter.eval(node.operand, env)
    lifter.here(node)
    value = lifter.as_value(operand)
    if isinstance(node.op, ast.USub):
        return lifter.ops.pointwise("neg", value)
    if isinstance(node.op, ast.Not):
        return lifter.negate(value)
    if isinstance(node.op, ast.Invert):
        if _is_plain(lifter, value):
            return lifter.ops.pointwise("call:bitwise_not", value)
        return lifter.ops.bitwise("not", value)
    return value


def _is_plain(lifter: Lifter, value: Value) -> bool:
    """Whether a value is a number of Python's, of which ``~`` is another even where it is a
    truth value."""
    if value.library in ("torch", "numpy"):
        return False
    return not lifter.module.arrays or (value.library == "python" and not value.axes)


def _taken_from(value: Value, names: set[str]) -> bool:
    """Whether a value is one of the parameters ``names``, or an item of one."""
    while True:
        if value.kind == "state" and value.start is not None:
            value = value.start
        elif isinstance(value.body, Read):
            value = value.body.value
        else:
            return value.kind == "input" and value.name in names
