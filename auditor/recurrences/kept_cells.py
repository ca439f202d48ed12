"""Names for the cell that a step has written, which the next steps read: ``y[n] = ...`` and then
``y2, y1 = y1, y[n]``. Of an array of several axes they are views, of rows that no later step
writes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.surroundings.region import Region
from auditor.syntax import array_name
from auditor.tree import everything_in


def keeps_cells(region: Region, loop: ast.stmt, written: str, name: str) -> bool:
    """Whether the steps of a loop alone read ``name``, and bind it to nothing else than a cell of
    ``written`` that they have written and leave as it is."""
    if not isinstance(loop, (ast.For, ast.While)):
        return False
    return _keeps(region, loop, written, name, frozenset())


def _keeps(
    region: Region, loop: ast.For | ast.While, written: str, name: str, seen: frozenset[str]
) -> bool:
    if not all(region.within(load, loop) for load in region.loads.get(name, ())):
        return False
    bound = [*_bindings(loop, name)]
    stored = [
        node for node in everything_in(loop)
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
    ]  # fmt: skip
    if not bound or len(bound) < len(stored):
        return False
    return all(
        value.id in seen or _keeps(region, loop, written, value.id, seen | {name})
        if isinstance(value, ast.Name)
        else _is_finished(loop, statement, value, written)
        for statement, value in bound
    )


def _bindings(loop: ast.For | ast.While, name: str) -> Iterator[tuple[ast.stmt, ast.expr]]:
    """The assignments of a name that every step makes, each with what it gives it."""
    for statement in loop.body:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target, value = statement.targets[0], statement.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = [*zip(target.elts, value.elts, strict=False)]
        for to, given in pairs:
            if isinstance(to, ast.Name) and to.id == name:
                yield statement, given


def _is_finished(
    loop: ast.For | ast.While, statement: ast.stmt, cell: ast.expr, written: str
) -> bool:
    """Whether an expression is a cell that the step has written before ``statement``, where it is
    the last write of that array."""
    if not (isinstance(cell, ast.Subscript) and isinstance(cell.value, ast.Name)):
        return False
    place = loop.body.index(statement)
    writes = [n for n, part in enumerate(loop.body) if _writes(part, written)]
    if cell.value.id != written or not writes or writes[-1] >= place:
        return False
    last = loop.body[writes[-1]]
    targets = last.targets if isinstance(last, ast.Assign) else [getattr(last, "target", None)]
    return any(t is not None and ast.unparse(t) == ast.unparse(cell) for t in targets)


def _writes(statement: ast.stmt, written: str) -> bool:
    """Whether a statement may write into an array."""
    return any(
        isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
        and array_name(node) == written
        for node in everything_in(statement)
    )  # fmt: skip
