"""Steps that are skipped where what they add is zero.

if A[i, j] != 0:                     y[i] += A[i, j] * x[j]
    y[i] += A[i, j] * x[j]

A product with zero adds nothing, if the other factor is finite. A loop that is skipped is better
read by itself.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from auditor.syntax import constant, same
from auditor.tree import descendants


def multiplied(test: ast.expr, skips: bool, body: Sequence[ast.stmt]) -> ast.expr | None:
    """The element that ``test`` asks to be other than zero (with ``skips`` to be zero), where the
    statements that are run then only add products with it."""
    found = _asked(test)
    if found is None or found[1] is skips:
        return None
    return found[0] if body and _only_add(body, found[0]) else None


def _asked(test: ast.expr) -> tuple[ast.expr, bool] | None:
    """The element that is compared with zero, and whether it must be another number."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        found = _asked(test.operand)
        return (found[0], not found[1]) if found is not None else None
    if isinstance(test, (ast.Subscript, ast.Name)):
        return test, True
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    if not isinstance(test.ops[0], (ast.Eq, ast.NotEq)):
        return None
    sides = (test.left, test.comparators[0])
    other = [side for side in sides if not _is_zero(side)]
    if len(other) != 1 or not isinstance(other[0], (ast.Subscript, ast.Name)):
        return None
    return other[0], isinstance(test.ops[0], ast.NotEq)


def _is_zero(node: ast.expr) -> bool:
    number = constant(node)
    return isinstance(number, (int, float)) and number == 0 and not isinstance(number, bool)


def _only_add(body: Sequence[ast.stmt], factor: ast.expr) -> bool:
    read = {n.id for n in descendants(factor) if isinstance(n, ast.Name)}
    return all(isinstance(node, ast.AugAssign) and _adds(node, factor, read) for node in body)


def _adds(node: ast.AugAssign, factor: ast.expr, read: set[str]) -> bool:
    into = {n.id for n in descendants(node.target) if isinstance(n, ast.Name)}
    written = node.target.value if isinstance(node.target, ast.Subscript) else node.target
    root = next((n.id for n in descendants(written) if isinstance(n, ast.Name)), None)
    if not isinstance(node.op, (ast.Add, ast.Sub)) or root in read or not into:
        return False
    return any(same(part, factor) for part in _factors(node.value))


def _factors(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return [*_factors(node.left), *_factors(node.right)]
    return [node]
