"""What statements store: the names that they bind, those whose elements they write, and those whose
values methods change in place."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from auditor.lift.module import chained
from auditor.tree import OfNodes, descendants

if TYPE_CHECKING:
    pass


LIST_METHODS = ("append", "insert", "extend", "appendleft")


def stored_names(body: list[ast.stmt]) -> dict[str, ast.AST]:
    """Names that statements bind, with the first place of each."""
    return _first_of(body, 0)


def grown_names(body: list[ast.stmt]) -> set[str]:
    """Names whose values methods change in place."""
    return {name for statement in body for name in _stores(statement)[2]}


_CHANGING = frozenset(
    "add append appendleft clear discard extend insert pop popleft push put remove reverse "
    "setdefault sort update".split()
)


def changed_objects(body: list[ast.stmt]) -> set[str]:
    """Names of which a statement calls a method for what it changes."""
    calls = (
        node.value.func
        for statement in body
        for node in descendants(statement)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    )
    return {
        call.value.id
        for call in calls
        if isinstance(call, ast.Attribute)
        and call.attr in _CHANGING
        and isinstance(call.value, ast.Name)
    }


def measured(body: list[ast.stmt], targets: Iterable[str]) -> set[str]:
    """Names whose length is compared with that of what the loop walks: rows of an array are all
    alike, and nobody would ask."""
    found: set[str] = set()
    for node in (inner for statement in body for inner in descendants(statement)):
        if isinstance(node, ast.Compare):
            lengths = [_lengths(side) for side in (node.left, *node.comparators)]
            if any(not side.isdisjoint(targets) for side in lengths):
                found.update(*lengths)
    return found - set(targets)


def _lengths(node: ast.expr) -> set[str]:
    """The names whose length, shape or number of elements an expression reads."""
    found = set()
    for inner in descendants(node):
        asked: ast.AST | None = None
        if isinstance(inner, ast.Attribute) and inner.attr in ("shape", "size", "numel"):
            asked = inner.value
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.args:
            asked = inner.args[0] if inner.func.id == "len" else None
        if isinstance(asked, ast.Name):
            found.add(asked.id)
    return found


def _grown(node: ast.AST) -> str | None:
    """The name of what a call of a method changes in place."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    base = node.func.value
    grows = node.func.attr in LIST_METHODS or node.func.attr.endswith("_")
    return base.id if isinstance(base, ast.Name) and grows else None


def stored_arrays(body: list[ast.stmt]) -> dict[str, ast.AST]:
    """Names whose elements statements write, with the first write of each."""
    return _first_of(body, 1)


def stored_chains(body: list[ast.stmt]) -> dict[str, ast.AST]:
    """Names of which statements write elements as ``a[i][j] = e``."""
    found: dict[str, ast.AST] = {}
    for statement in body:
        for node in descendants(statement):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                chain = chained(node) if isinstance(node.value, ast.Subscript) else None
                if chain is not None:
                    found.setdefault(chain[0], node)
    return found


def _first_of(body: list[ast.stmt], which: int) -> dict[str, ast.AST]:
    found: dict[str, ast.AST] = {}
    for statement in body:
        for name, node in _stores(statement)[which].items():
            found.setdefault(name, node)
    return found


_Stores = tuple[dict[str, ast.AST], dict[str, ast.AST], dict[str, ast.AST]]


_STORED = OfNodes[_Stores]("stored")


def _stores(statement: ast.stmt) -> _Stores:
    """The names that a statement binds, those whose elements it writes and those whose values
    methods change; remembered, for the body of a loop is read again and again."""
    known = _STORED.get(statement)
    if known is not None:
        return known
    names: dict[str, ast.AST] = {}
    arrays: dict[str, ast.AST] = {}
    changed: dict[str, ast.AST] = {}
    for node in descendants(statement):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                names.setdefault(node.id, node)
        elif isinstance(node, ast.Subscript):
            if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
                arrays.setdefault(node.value.id, node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            grown = _grown(node)
            if grown is not None:
                names.setdefault(grown, node)
                changed.setdefault(grown, node)
                if node.func.attr == "index_copy_":
                    arrays.setdefault(grown, node)
    return _STORED.keep(statement, (names, arrays, changed))
