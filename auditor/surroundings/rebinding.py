"""Which statements bind a name, on every way through them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from auditor.syntax import is_name, same
from auditor.tree import descendants


def is_target(target: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in descendants(target))


def leaves_loop(statement: ast.stmt) -> bool:
    """Whether a statement may end a step of the loop around it."""
    nodes = descendants(statement)
    loops = (n for n in nodes if isinstance(n, (ast.For, ast.AsyncFor, ast.While)))
    own = {n for loop in loops for part in loop.body for n in descendants(part)}
    return any(isinstance(n, (ast.Break, ast.Continue)) and n not in own for n in nodes)


def _a_number(node: ast.expr) -> bool:
    """Arithmetic on names, literals and the sizes of arrays."""
    if isinstance(node, ast.BinOp):
        return _a_number(node.left) and _a_number(node.right)
    if isinstance(node, ast.UnaryOp):
        return _a_number(node.operand)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
        return node.value.attr == "shape" and isinstance(node.value.value, ast.Name)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "size" and isinstance(node.func.value, ast.Name)
    return isinstance(node, (ast.Name, ast.Constant))


def binds(statement: ast.stmt, name: str) -> bool:
    """An unconditional binding of ``name``."""
    if isinstance(statement, ast.Assign):
        return any(
            isinstance(node, ast.Name) and node.id == name
            for target in statement.targets
            for node in _targets(target)
        )
    if not isinstance(statement, ast.AnnAssign) or statement.value is None:
        return False
    return is_name(statement.target, name)


def _targets(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _targets(part)
    else:
        yield target


def same_range(one: ast.expr, other: ast.expr, bindings: Mapping[str, int]) -> bool:
    """Two ranges between numbers that the function does not bind anew, where it has so many
    ``bindings`` of each name."""
    named = {n.id for n in descendants(one) if isinstance(n, ast.Name)}
    return (
        same(one, other)
        and isinstance(one, ast.Call)
        and is_name(one.func, "range")
        and all(map(_a_number, one.args))
        and all(bindings[name] <= 1 for name in named)
    )
