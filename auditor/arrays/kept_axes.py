"""How many axes an array has at least: those that a subscript keeps as slices, of what is taken or
joined."""

from __future__ import annotations

import ast

from auditor.arrays.facts import Arrays
from auditor.syntax import called_name

_JOINS = frozenset("concatenate concat cat vstack hstack".split())


def least_axes(arrays: Arrays, node: ast.expr) -> int:
    """The axes that ``node`` has for certain where it is an array."""
    at = _made(arrays, node)
    parts = [at]
    if isinstance(at, ast.Call) and called_name(at) in _JOINS and at.args:
        joined = at.args[0]
        if isinstance(joined, (ast.List, ast.Tuple)):
            parts = [_made(arrays, one) for one in joined.elts]
    return max(map(_slices, parts), default=0)


def _made(arrays: Arrays, node: ast.expr) -> ast.expr | None:
    return arrays.assigned(node.id) if isinstance(node, ast.Name) else node


def _slices(node: ast.expr | None) -> int:
    if not isinstance(node, ast.Subscript):
        return 0
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return sum(isinstance(item, ast.Slice) for item in items)
