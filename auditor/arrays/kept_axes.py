"""How many axes an array has at least: those that a subscript keeps as slices, of what is taken or
joined."""

from __future__ import annotations

import ast

from auditor.arrays.facts import Arrays
from auditor.syntax import called_name

_JOINS = frozenset("concatenate concat cat vstack hstack".split())


def least_axes(arrays: Arrays, node: ast.expr) -> int:
    """The axes that ``node`` has for certain where it is an array."""
    at = arrays.assigned(node.id) if isinstance(node, ast.Name) else node
    if isinstance(at, ast.Subscript):
        items = at.slice.elts if isinstance(at.slice, ast.Tuple) else [at.slice]
        return sum(isinstance(item, ast.Slice) for item in items)
    if isinstance(at, ast.Call) and called_name(at) in _JOINS and at.args:
        joined = at.args[0]
        if isinstance(joined, (ast.List, ast.Tuple)):
            return max(
                (least_axes(arrays, one) for one in joined.elts if one is not node), default=0
            )
    return 0
