"""Several names bound at once, as an expression for each:

lo, hi = (a, b) if a < b else (b, a)
carry, digit = divmod(s, 10)
"""

from __future__ import annotations

import ast
from collections.abc import Container

from auditor.tree import everything_in

_AGAIN = frozenset("abs bool float int len max min ord".split())
"""What may be called once for each name."""


def apart(value: ast.expr, count: int, own: Container[str]) -> list[ast.expr] | None:
    """The expressions of the ``count`` items of ``value``, each to be computed by itself; None
    where they are not spelled. ``own`` are names that are none of Python's."""
    if isinstance(value, ast.Tuple):
        starred = any(isinstance(item, ast.Starred) for item in value.elts)
        return None if starred or len(value.elts) != count else value.elts
    if isinstance(value, ast.IfExp) and _repeatable(value.test, own):
        then, other = (apart(side, count, own) for side in (value.body, value.orelse))
        if then is None or other is None:
            return None
        made: list[ast.expr] = [
            ast.IfExp(value.test, one, two) for one, two in zip(then, other, strict=True)
        ]
    elif _divides(value, own) and count == 2:
        made = [
            ast.BinOp(value.args[0], op, value.args[1])  # type: ignore[attr-defined]
            for op in (ast.FloorDiv(), ast.Mod())
        ]
    else:
        return None
    return [ast.fix_missing_locations(ast.copy_location(one, value)) for one in made]


def _divides(value: ast.expr, own: Container[str]) -> bool:
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id == "divmod"
        and "divmod" not in own
        and len(value.args) == 2
        and not value.keywords
        and all(_repeatable(arg, own) for arg in value.args)
    )


def _repeatable(node: ast.expr, own: Container[str]) -> bool:
    """May it be computed more than once?"""
    return all(
        isinstance(inner.func, ast.Name) and inner.func.id in _AGAIN and inner.func.id not in own
        for inner in everything_in(node)
        if isinstance(inner, ast.Call)
    ) and not any(isinstance(inner, (ast.NamedExpr, ast.Await)) for inner in everything_in(node))
