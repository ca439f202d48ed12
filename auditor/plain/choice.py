"""Choices between two values for one name."""

from __future__ import annotations

import ast


def choice(node: ast.stmt) -> ast.Assign | ast.AugAssign | None:
    """An assignment as it is; ``if c: x = a``, ``else: x = b`` as ``x = a if c else b``."""
    if isinstance(node, (ast.Assign, ast.AugAssign)):
        return node
    if not isinstance(node, ast.If) or len(node.body) != 1 or len(node.orelse) != 1:
        return None
    one, other = node.body[0], node.orelse[0]
    if not isinstance(one, ast.Assign) or not isinstance(other, ast.Assign):
        return None
    names = [each.targets[0] for each in (one, other) if len(each.targets) == 1]
    words = {target.id for target in names if isinstance(target, ast.Name)}
    if len(names) != 2 or not all(isinstance(n, ast.Name) for n in names) or len(words) != 1:
        return None
    value = ast.copy_location(ast.IfExp(node.test, one.value, other.value), node)
    return ast.copy_location(ast.Assign(one.targets, value), node)
