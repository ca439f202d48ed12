"""An array of which each step writes a row and reads the one that the step before wrote, as the
list of the rows and a name for the last of them:

    y[0] = x[0]                              y_last = x[0]
    for i in range(1, n):                    for i in range(1, n):
        y[i] = a * x[i] + b * y[i - 1]           y_last = a * x[i] + b * y_last
                                                 y.append(y_last)
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace

from auditor.derive.filled import LEAVES, counter_of, made_before
from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.tree import children, everything_in, replaced

_ZEROS = ("zeros", "zeros_like", "new_zeros")


@dataclass(frozen=True)
class _Rows:
    """The array ``name``, and the statements that make it and (if any) give it its first row."""

    name: str
    made: ast.Assign
    first: ast.Assign | None


@dataclass(frozen=True)
class _Row:
    """What of an array a subscript means: ``offset`` rows after the one that is counted, ``beside``
    what it says of the other axes."""

    offset: int
    beside: tuple[str, ...]


def previous_rows(place: Place) -> Place:
    """The place with such arrays so, in a copy of the file; the same place where there are none."""
    if not isinstance(place.loop, ast.For) or not any(_found(place)):
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, place.loop)
    if found is None or found.function is None or not isinstance(found.loop, ast.For):
        return place
    said = []
    for rows in list(_found(found)):
        _rewrite(found.loop, found.function.body, rows)
        said.append(f"`{rows.name}` is the rows that the loop writes, and keeps them as they are")
    ast.fix_missing_locations(tree)
    return replace(found, assumptions=(*place.assumptions, *said))


def _found(place: Place) -> Iterator[_Rows]:
    loop, function = place.loop, place.function
    if not isinstance(loop, ast.For) or function is None or loop not in function.body:
        return
    if loop.orelse or any(isinstance(node, LEAVES) for node in everything_in(loop)):
        return
    written = dict.fromkeys(filter(None, map(_stored, loop.body)))
    counter, start = counter_of(loop), _start(loop)
    if not written or counter is None or start is None:
        return
    inside = [n for n in everything_in(loop) if isinstance(n, ast.Name)]
    stored = [n.id for n in inside if isinstance(n.ctx, ast.Store)]
    if stored.count(counter) != 1:
        return
    walked = {n.id for n in everything_in(loop.iter) if isinstance(n, ast.Name)}
    names = {n.id for n in everything_in(place.tree) if isinstance(n, ast.Name)}
    before = function.body[: function.body.index(loop)]
    for name in written:
        if _last(name) in names or name in walked:
            continue
        offset = _written_in_turn(loop, name, counter)
        begun = None if offset is None else _begun(name, before, place, start + offset - 1)
        if begun is not None:
            yield _Rows(name, *begun)


def _start(loop: ast.For) -> int | None:
    """Where a loop over a range begins that goes up by one."""
    call = loop.iter
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != "range":
        return None
    if len(call.args) != 2:
        return 0 if len(call.args) == 1 else None
    start = call.args[0].value if isinstance(call.args[0], ast.Constant) else None
    return start if type(start) is int else None


def _stored(statement: ast.stmt) -> str | None:
    """The array of which a statement of the body sets a part."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return None
    return target.value.id


def _last(name: str) -> str:
    return f"{name}_last"


def _written_in_turn(loop: ast.For, name: str, counter: str) -> int | None:
    """How far this step's row is after the one that is counted, if what stands before the statement
    that writes it reads the row before and what follows this one."""
    store = next(n for n, statement in enumerate(loop.body) if _stored(statement) == name)
    target = loop.body[store].targets[0]  # type: ignore[attr-defined]
    own = _row(target, counter)
    if own is None:
        return None
    read_before = False
    for number, statement in enumerate(loop.body):
        for row, node in _mentions(statement, name, counter):
            if row is None or row.beside != own.beside:
                return None
            writes = isinstance(node.ctx, ast.Store)
            behind = number > store or (number == store and writes)
            if row.offset != (own.offset if behind else own.offset - 1):
                return None
            if writes and not _whole_statement(statement, node):
                return None
            read_before = read_before or not behind
    return own.offset if read_before else None


def _whole_statement(statement: ast.stmt, target: ast.Subscript) -> bool:
    """Does a statement do nothing but set its one target?"""
    if isinstance(statement, ast.Assign):
        return statement.targets == [target]
    return isinstance(statement, ast.AugAssign) and statement.target is target


def _mentions(
    statement: ast.AST, name: str, counter: str
) -> Iterator[tuple[_Row | None, ast.Subscript]]:
    """Every mention of an array, with what it means of it; None where that is not a row."""
    for node in everything_in(statement):
        for child in children(node):
            if isinstance(child, ast.Name) and child.id == name:
                if isinstance(node, ast.Subscript) and node.value is child:
                    yield _row(node, counter), node
                else:
                    yield None, ast.Subscript(child, ast.Constant(None), ast.Load())


def _row(node: ast.Subscript, counter: str) -> _Row | None:
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    offsets = [_offset(part, counter) for part in parts]
    known = [offset for offset in offsets if offset is not None]
    beside = tuple(
        "row" if offset is not None else ast.unparse(part)
        for part, offset in zip(parts, offsets, strict=True)
    )
    if len(known) != 1 or set(beside) - {"row", ":", "...", "Ellipsis"}:
        return None
    return _Row(known[0], beside)


def _offset(node: ast.expr, counter: str) -> int | None:
    """How far a place is after the one that is counted."""
    if isinstance(node, ast.Name):
        return 0 if node.id == counter else None
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Add, ast.Sub)):
        return None
    inner, by = _offset(node.left, counter), node.right
    if inner is None or not isinstance(by, ast.Constant) or type(by.value) is not int:
        return None
    return inner + (by.value if isinstance(node.op, ast.Add) else -by.value)


def _begun(
    name: str, before: list[ast.stmt], place: Place, first: int
) -> tuple[ast.Assign, ast.Assign | None] | None:
    """The statements that make an array and set its row ``first``; zeros need none that does."""
    mentioning = [
        s for s in before
        if any(isinstance(n, ast.Name) and n.id == name for n in everything_in(s))
    ]  # fmt: skip
    if not mentioning or len(mentioning) > 2:
        return None
    made = made_before(name, mentioning[:1], place, False)
    if made is None or not isinstance(made.value, ast.Call):
        return None  # lists are made plainer with all of their items
    if len(mentioning) == 1:
        word = ast.unparse(made.value.func).rpartition(".")[2]
        return (made, None) if word in _ZEROS else None
    row = mentioning[1]
    if not isinstance(row, ast.Assign) or _stored(row) != name:
        return None
    target = row.targets[0]
    assert isinstance(target, ast.Subscript)
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    own = [part for part in parts if ast.unparse(part) not in (":", "...", "Ellipsis")]
    if len(own) != 1 or not isinstance(own[0], ast.Constant) or own[0].value != first:
        return None
    read = {n.id for n in everything_in(row.value) if isinstance(n, ast.Name)}
    return None if name in read else (made, row)


def _rewrite(loop: ast.For, body: list[ast.stmt], rows: _Rows) -> None:
    last = _last(rows.name)

    def named(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            if node.value.id == rows.name:
                return ast.copy_location(ast.Name(last, node.ctx), node)
        return None

    for number, statement in enumerate(loop.body):
        if isinstance(statement, ast.AugAssign) and named(statement.target) is not None:
            read = copy.deepcopy(statement.target)
            read.ctx = ast.Load()
            value = ast.BinOp(read, statement.op, statement.value)
            statement = ast.copy_location(ast.Assign([statement.target], value), statement)
        loop.body[number] = replaced(statement, named)
    append = ast.Attribute(ast.Name(rows.name, ast.Load()), "append", ast.Load())
    kept = ast.Expr(ast.Call(append, [ast.Name(last, ast.Load())], []))
    loop.body.append(ast.copy_location(kept, loop.body[-1]))
    rows.made.value = ast.copy_location(ast.List([], ast.Load()), rows.made.value)
    if rows.first is None:
        zero = ast.Assign([ast.Name(last, ast.Store())], ast.Constant(0.0))
        body.insert(body.index(rows.made), ast.copy_location(zero, rows.made))
    else:
        rows.first.targets = [ast.copy_location(ast.Name(last, ast.Store()), rows.first)]
