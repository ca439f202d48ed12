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
    statement, which fills a cell of ``array``, perhaps but for the diagonal; ``names`` are what the
    steps bind; ``walked`` is what both loops enumerate, where they do."""

    outer: ast.For
    inner: ast.For
    row: str
    column: str
    store: ast.Assign
    array: str
    names: frozenset[str]
    walked: ast.expr | None


def square_nest(outer: ast.For) -> SquareNest | None:
    """The nest that a loop is, or None."""
    if len(outer.body) != 1 or outer.orelse or not isinstance(outer.body[0], ast.For):
        return None
    inner = outer.body[0]
    counted, walked = _counter(outer), _walked(outer.iter)
    row, column = counted, _counter(inner)
    if row is None or column is None or row == column or inner.orelse:
        return None
    if not same(outer.iter, inner.iter) or (walked is None and not _is_range(outer.iter)):
        return None
    body = _beside_the_diagonal(inner.body, {row, column})
    store = body[-1] if body else None
    if not isinstance(store, ast.Assign) or len(store.targets) != 1:
        return None
    array = _cell_of(store.targets[0], (row, column))
    if array is None or any(isinstance(n, _LEAVING) for s in body for n in descendants(s)):
        return None
    names = [node for node in descendants(outer) if isinstance(node, ast.Name)]
    stored = [node for node in names if not isinstance(node.ctx, ast.Load)]
    bound = frozenset(node.id for node in stored) - {row, column}
    once = all(sum(node.id == name for node in stored) == 1 for name in (row, column))
    sizes = {node.id for node in everything_in(outer.iter) if isinstance(node, ast.Name)}
    alone = sum(node.id == array for node in names) == 1
    if not alone or not once or sizes & (bound | {row, column}):
        return None
    return SquareNest(outer, inner, row, column, store, array, bound, walked)


def _beside_the_diagonal(body: list[ast.stmt], steps: set[str]) -> list[ast.stmt]:
    """The statements of a step, without the test that leaves the diagonal out."""
    first = body[0]
    if not isinstance(first, ast.If) or first.orelse or not isinstance(first.test, ast.Compare):
        return body
    test = first.test
    sides = (test.left, *test.comparators)
    if {side.id for side in sides if isinstance(side, ast.Name)} != steps or len(sides) != 2:
        return body
    if isinstance(test.ops[0], ast.Eq) and len(first.body) == 1:
        return body[1:] if isinstance(first.body[0], ast.Continue) else body
    return first.body if isinstance(test.ops[0], ast.NotEq) and len(body) == 1 else body


def _counter(loop: ast.For) -> str | None:
    """The variable that counts the steps."""
    target = loop.target
    if _walked(loop.iter) is not None:
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
            return None
        target = target.elts[0]
    return target.id if isinstance(target, ast.Name) else None


def _walked(source: ast.expr) -> ast.expr | None:
    """``x`` of ``enumerate(x)``."""
    called = isinstance(source, ast.Call) and isinstance(source.func, ast.Name)
    if not called or source.func.id != "enumerate" or source.keywords:  # type: ignore[attr-defined]
        return None
    given = source.args  # type: ignore[attr-defined]
    plain = len(given) == 1 and isinstance(given[0], (ast.Name, ast.Attribute))
    return given[0] if plain else None


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
