"""Powers of floats that calls in the file take beyond what a float can hold."""

from __future__ import annotations

import ast
import operator

from auditor.lift.module import Module
from auditor.syntax import constant
from auditor.whole_file.own_calls import named_calls

_DOES = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.Pow: operator.pow,
}  # fmt: skip


def overflowing(module: Module, function: ast.AST, power: str) -> int | None:
    """The line of a call of a function with numbers of which ``power``, an expression of its
    parameters, is more than a float can hold; None where the file shows no such call."""
    if not isinstance(function, ast.FunctionDef):
        return None
    spec, said = function.args, ast.parse(power, mode="eval").body
    places = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    offered = dict(zip(reversed(places), reversed(spec.defaults), strict=False))
    for call, passed in named_calls(module, function):
        try:
            _value(said, {**offered, **passed})
        except OverflowError:
            return call.lineno
        except (ValueError, ZeroDivisionError, TypeError):
            continue
    return None


def _value(node: ast.expr, names: dict[str, ast.expr]) -> float:
    """An expression of floats. Raises ``ValueError`` where it is not known, and as Python does."""
    if isinstance(node, ast.BinOp) and type(node.op) in _DOES:
        made = _DOES[type(node.op)](_value(node.left, names), _value(node.right, names))
        if isinstance(made, float):
            return made
    number = constant(names.get(node.id) if isinstance(node, ast.Name) else node)
    if isinstance(number, (int, float)):
        return float(number)
    raise ValueError
