"""Two loops through one range that put a value of each pair of steps into a cell of its own, as
their text says: ``for i in range(n): for j in range(n): ... d[i, j] = e``."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.nests.evidence import items_of
from auditor.syntax import same
from auditor.tree import descendants, everything_in

_LEAVING = (ast.Continue, ast.Break, ast.Return, ast.Raise, ast.While, ast.Try, ast.With,
            ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.Global,
            ast.Nonlocal)  # fmt: skip


@dataclass(frozen=True)
class SquareNest:
    """``outer`` and ``inner`` with the variables ``row`` and ``column``; ``store`` is the last
    statement, which fills a cell of ``array``; ``names`` are what the steps bind."""

    outer: ast.For
    inner: ast.For
    row: str
    column: str
    store: ast.Assign
    array: str
    names: frozenset[str]


def square_nest(outer: ast.For) -> SquareNest | None:
    """The nest that a loop is, or None."""
    if len(outer.body) != 1 or outer.orelse or not isinstance(outer.body[0], ast.For):
        return None
    inner = outer.body[0]
    if inner.orelse or not isinstance(outer.target, ast.Name):
        return None
    if not isinstance(inner.target, ast.Name) or not _is_range(outer.iter):
        return None
    store, row, column = inner.body[-1], outer.target.id, inner.target.id
    if row == column or not same(outer.iter, inner.iter) or not isinstance(store, ast.Assign):
        return None
    array = _cell_of(store.targets[0], (row, column)) if len(store.targets) == 1 else None
    inside = descendants(outer)
    if array is None or any(isinstance(node, _LEAVING) for node in inside):
        return None
    names = [node for node in inside if isinstance(node, ast.Name)]
    bound = frozenset(node.id for node in names if not isinstance(node.ctx, ast.Load))
    rebound = [node for s in inner.body for node in descendants(s) if isinstance(node, ast.Name)
               and node.id in (row, column) and not isinstance(node.ctx, ast.Load)]  # fmt: skip
    sizes = {node.id for node in everything_in(outer.iter) if isinstance(node, ast.Name)}
    alone = sum(node.id == array for node in names) == 1
    return (
        SquareNest(outer, inner, row, column, store, array, bound - {row, column})
        if alone and not rebound and not sizes & bound
        else None
    )


def _cell_of(target: ast.expr, places: tuple[str, str]) -> str | None:
    """The array of ``d[i, j]`` or ``d[i][j]``, in this order or the other."""
    items: list[ast.expr] = []
    while isinstance(target, ast.Subscript):
        items[:0] = items_of(target)
        target = target.value
    named = [item.id for item in items if isinstance(item, ast.Name)]
    if not isinstance(target, ast.Name) or len(named) != len(items):
        return None
    return target.id if sorted(named) == sorted(places) else None


def _is_range(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        and node.func.id == "range" and len(node.args) == 1 and not node.keywords
    )  # fmt: skip
