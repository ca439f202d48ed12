"""Loops that only fill an array which nothing but the replaced expression reads: they may go with
it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from auditor.expressions.region import ExpressionRegion
from auditor.notation import Value
from auditor.syntax import path_of
from auditor.tree import everything_in

_MAKERS = frozenset("zeros empty ones full zeros_like empty_like ones_like full_like".split())


def own_fills(region: ExpressionRegion, values: Iterable[Value]) -> dict[Value, ast.stmt]:
    """The loops that fill some of ``values``. Raises ``Refused`` where something else may hold an
    array that is filled."""
    found: dict[Value, ast.stmt] = {}
    for value in values:
        for loop in region.lifted.lifter.loops:
            if value in loop.results.values() and isinstance(loop.node, ast.stmt):
                own = _own(region, value.name, loop.node)
                region.site.require(own, "aliasing", f"`{value.name}` may have another name")
                found[value] = loop.node
    return found


def _own(region: ExpressionRegion, name: str, loop: ast.stmt) -> bool:
    """Whether an array is the function's own, made once and named in no other place than the loop
    that fills it and what reads it afterwards: nothing else can hold it."""
    stores = [n for n in region.nodes if _is(n, name) and isinstance(n.ctx, ast.Store)]  # type: ignore[attr-defined]
    if len(stores) != 1:
        return False
    made = region.parents.get(stores[0])
    if not isinstance(made, ast.Assign) or not isinstance(made.value, ast.Call):
        return False
    path = path_of(region.module, made.value.func) or ""
    if path.partition(".")[0] not in ("numpy", "torch") or path.rpartition(".")[2] not in _MAKERS:
        return False
    inside = set(everything_in(loop))
    loads = [n for n in region.nodes if _is(n, name) and n is not stores[0]]
    between = [n for n in loads if n not in inside and n.lineno < loop.lineno]  # type: ignore[attr-defined]
    held = [n for n in loads if n in inside and not _cell(region, n)]
    return not between and not held


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _cell(region: ExpressionRegion, node: ast.AST) -> bool:
    """Whether a name stands for a cell or row of the array that is written."""
    holder = region.parents.get(node)
    return isinstance(holder, ast.Subscript) and isinstance(holder.ctx, ast.Store)
