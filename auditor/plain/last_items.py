"""Items of a list that a loop makes one longer at every step, counted from its end.

``out = [x[0]]`` and then, for each t of ``range(1, n)``, ``out.append(a * out[t - 1] + x[t])``: the
list has t items when the step begins, so that ``out[t - 1]`` is ``out[-1]``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.plain.text import Written, assign, name
from auditor.syntax import constant, is_name
from auditor.tree import everything_in
from auditor.verdict import Edit


def last_items(written: Written) -> Iterator[list[Edit]]:
    """One loop and list after the other."""
    for block, place in written.own():
        loop = block[place]
        if isinstance(loop, ast.For) and not loop.orelse and (held := _read_and_filled(loop)):
            edit = _named(written, block[:place], held)
            if edit is not None:
                yield [edit]
        if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) and not loop.orelse:
            first = _first(loop.iter)
            for held in {n.id for n in everything_in(loop) if isinstance(n, ast.Name)}:
                size = _size(written, block[:place], held) if first is not None else None
                if first is None or size is None or not _grows_by_one(loop, held):
                    continue
                edits = [*_counted(written, loop, held, size - first)]
                if edits:
                    yield edits


def reads_its_list(loop: ast.For) -> bool:
    """Whether a loop ends in appending to a list that it reads as well."""
    return _read_and_filled(loop) is not None


def _read_and_filled(loop: ast.For) -> str | None:
    """The list that a loop ends in appending to and reads as well."""
    last = loop.body[-1]
    call = last.value if isinstance(last, ast.Expr) else None
    held = call.func.value if isinstance(call, ast.Call) and _appends(call) else None  # type: ignore[attr-defined]
    if not isinstance(held, ast.Name):
        return None
    reads = any(
        isinstance(node, ast.Subscript) and is_name(node.value, held.id)
        for node in everything_in(loop)
    )
    return held.id if reads else None


def _named(written: Written, before: list[ast.stmt], held: str) -> Edit | None:
    """A name for the one item that a list begins with."""
    for statement in reversed(before):
        if isinstance(statement, ast.Assign) and is_name(statement.targets[0], held):
            listed = statement.value
            items = listed.elts if isinstance(listed, ast.List) else []
            if len(statement.targets) > 1 or len(items) != 1 or not isinstance(items[0], ast.Call):
                return None
            first = written.fresh(f"{held}_first", set())
            made = ast.List([name(first)], ast.Load())
            return written.replaced([statement], [assign(first, items[0]), assign(held, made)])
        if any(is_name(node, held) for node in everything_in(statement)):
            return None
    return None


def _appends(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "append"


def _first(walked: ast.expr) -> int | None:
    """s of ``range(s, n)``."""
    if not (isinstance(walked, ast.Call) and is_name(walked.func, "range") and not walked.keywords):
        return None
    if not 1 <= len(walked.args) <= 2:
        return None
    first = constant(walked.args[0]) if len(walked.args) == 2 else 0
    return first if isinstance(first, int) and not isinstance(first, bool) else None


def _size(written: Written, before: list[ast.stmt], held: str) -> int | None:
    """How many items the list has where the loop begins."""
    for statement in reversed(before):
        if isinstance(statement, ast.Assign) and is_name(statement.targets[0], held):
            stores = [n for n in written.names[held] if isinstance(n.ctx, ast.Store)]
            plain = isinstance(statement.value, ast.List) and len(stores) == 1
            items = statement.value.elts if isinstance(statement.value, ast.List) else []
            starred = any(isinstance(item, ast.Starred) for item in items)
            return len(items) if plain and not starred and len(statement.targets) == 1 else None
        if any(isinstance(n, ast.Name) and n.id == held for n in everything_in(statement)):
            return None
    return None


def _grows_by_one(loop: ast.For, held: str) -> bool:
    """Whether the last statement appends one item, and the list is only read by subscripts."""
    last = loop.body[-1]
    call = last.value if isinstance(last, ast.Expr) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return False
    if call.func.attr != "append" or not is_name(call.func.value, held):
        return False
    assert isinstance(loop.target, ast.Name)
    stepped = loop.target.id
    read = {id(n.value) for n in everything_in(loop) if isinstance(n, ast.Subscript)}
    read.add(id(call.func.value))
    leaves = any(isinstance(n, (ast.Break, ast.Continue, ast.Return)) for n in everything_in(loop))
    return not leaves and all(
        id(n) in read if n.id == held else isinstance(n.ctx, ast.Load) or n is loop.target
        for n in everything_in(loop)
        if isinstance(n, ast.Name) and n.id in (held, stepped)
    )


def _counted(written: Written, loop: ast.For, held: str, ahead: int) -> Iterator[Edit]:
    """``held[t - c]`` from the end, where the list has ``t + ahead`` items."""
    assert isinstance(loop.target, ast.Name)
    for node in everything_in(loop):
        if not (isinstance(node, ast.Subscript) and is_name(node.value, held)):
            continue
        back = _back(node.slice, loop.target.id)
        if back is not None and back + ahead > 0 and isinstance(node.ctx, ast.Load):
            yield written.swapped(node.slice, f"-{back + ahead}")


def _back(place: ast.expr, stepped: str) -> int | None:
    """c of ``t - c``."""
    if isinstance(place, ast.BinOp) and isinstance(place.op, ast.Sub):
        number = constant(place.right)
        if is_name(place.left, stepped) and isinstance(number, int):
            return number
    return 0 if is_name(place, stepped) else None
