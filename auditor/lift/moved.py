"""Statements that put what an attribute holds elsewhere and leave it the same:
``self.weights = self.weights.to(device)``."""

from __future__ import annotations

import ast

_MOVES = frozenset(("clone", "contiguous", "cpu", "cuda", "pin_memory", "to"))


def moves(statement: ast.AST) -> bool:
    """Whether a statement only gives an attribute what it holds, in other memory."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    (target,), value = statement.targets, statement.value
    if not isinstance(target, ast.Attribute) or not isinstance(value, ast.Call):
        return False
    held = value
    while isinstance(held, ast.Call):
        if not isinstance(held.func, ast.Attribute) or held.func.attr not in _MOVES:
            return False
        if held.func.attr == "to" and not _to_a_device(held):
            return False
        held = held.func.value  # type: ignore[assignment]
    return isinstance(held, ast.Attribute) and ast.unparse(held) == ast.unparse(target)


def _to_a_device(call: ast.Call) -> bool:
    """Whether ``to`` is given a device, by what the argument is called, and no dtype."""
    words = {word.arg: word.value for word in call.keywords}
    if not words.keys() <= {"device", "non_blocking"} or len(call.args) + ("device" in words) != 1:
        return False
    if "device" in words:
        return True
    (given,) = call.args
    if isinstance(given, ast.Constant):
        return isinstance(given.value, str)
    said = given.attr if isinstance(given, ast.Attribute) else getattr(given, "id", "")
    return "device" in said.lower()
