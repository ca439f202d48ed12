"""Arrays that a loop fills row by row, said with a list of the rows.

``out = torch.empty(n, d)`` and then, for each i of ``range(n)``, ``out[i] = row`` is
``rows.append(row.expand_as(out[i]))`` there and ``out[:] = torch.stack(rows)`` behind it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from auditor.plain.text import Body, Written, append, assign, name, stored_in
from auditor.syntax import is_name, path_of
from auditor.tree import everything_in
from auditor.verdict import Edit

_SIZED = frozenset(("zeros", "empty", "ones", "new_zeros", "new_empty", "new_ones"))
_ALIKE = frozenset(("zeros_like", "empty_like", "ones_like"))
_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)


def filled(written: Written) -> Iterator[list[Edit]]:
    """One after the other, each new array of torch that a loop fills over all of its rows."""
    for block, place in written.own():
        loop = block[place]
        if isinstance(loop, ast.For):
            at = fills(loop)
            if at is not None and not any(isinstance(n, _LEAVING) for n in everything_in(loop)):
                edit = _collected(written, block, place, at)
                if edit is not None:
                    yield [edit]


def fills(loop: ast.For) -> int | None:
    """The place of the one statement ``out[i] = row`` of a loop over a range, which says nothing
    else of ``out``."""
    counted = isinstance(loop.iter, ast.Call) and is_name(loop.iter.func, "range")
    if not counted or not isinstance(loop.target, ast.Name) or loop.orelse:
        return None
    for at, statement in enumerate(loop.body):
        held = _row(statement, loop.target.id)
        if held is not None:
            uses = [n for n in everything_in(loop) if is_name(n, held)]
            return at if len(uses) == 1 else None
    return None


def _row(statement: ast.stmt, counter: str) -> str | None:
    """The array of which a statement sets the row at the counter."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return None
    return target.value.id if is_name(target.slice, counter) else None


def _collected(written: Written, block: Body, place: int, at: int) -> Edit | None:
    loop = block[place]
    assert isinstance(loop, ast.For) and isinstance(loop.target, ast.Name)
    statement = loop.body[at]
    assert isinstance(statement, ast.Assign) and isinstance(loop.iter, ast.Call)
    held = _row(statement, loop.target.id)
    made = _made(block, place, held)
    torch = next((short for short, path in written.module.names.items() if path == "torch"), None)
    rebound = loop.target.id in stored_in(ast.Module(loop.body, []))
    if held is None or made is None or torch is None or rebound:
        return None
    if len(loop.iter.args) != 1 or not _whole(written, made, loop.iter.args[0]):
        return None
    rows = written.fresh(f"{held}_rows", set())
    like = ast.Subscript(name(held), name(loop.target.id), ast.Load())
    row = ast.Call(ast.Attribute(deepcopy(statement.value), "expand_as"), [like], [])
    plain = deepcopy(loop)
    plain.body[at] = append(rows, row)
    whole = ast.Subscript(name(held), ast.Slice(), ast.Store())
    stacked = ast.Call(ast.Attribute(name(torch), "stack"), [name(rows)], [])
    new: Body = [
        assign(rows, ast.List([], ast.Load())),
        plain,
        ast.Assign([whole], stacked, lineno=0),
    ]
    return written.replaced([loop], new)


def _made(block: Body, place: int, held: str | None) -> ast.Call | None:
    """The call that made the array, above in the same block, where nothing in between has it."""
    for earlier in reversed(block[:place]):
        if any(is_name(node, held) for node in everything_in(earlier) if held is not None):
            if isinstance(earlier, ast.Assign) and is_name(earlier.targets[0], held or ""):
                return earlier.value if isinstance(earlier.value, ast.Call) else None
            return None
    return None


def _whole(written: Written, made: ast.Call, steps: ast.expr) -> bool:
    """Whether a count of steps is that of the rows of a new array."""
    path = path_of(written.module, made.func)
    method = made.func.attr if isinstance(made.func, ast.Attribute) else ""
    called = path.rpartition(".")[2] if path else method
    if not made.args or (path is not None and not path.startswith("torch.")):
        return False
    if called in _SIZED:
        first = made.args[0]
        if isinstance(first, (ast.Tuple, ast.List)) and first.elts:
            first = first.elts[0]
        return _steady(written, first) and ast.unparse(first) == ast.unparse(steps)
    if called not in _ALIKE or not isinstance(made.args[0], ast.Name):
        return False
    like = made.args[0].id
    if ast.unparse(steps) in (f"{like}.shape[0]", f"{like}.size(0)", f"len({like})"):
        return True
    return isinstance(steps, ast.Name) and _first_size(written, steps.id, like)


def _steady(written: Written, size: ast.expr) -> bool:
    """Whether the text of a size means the same before the loop as where the array was made."""
    return all(
        len(stores) <= 1
        for node in everything_in(size)
        if isinstance(node, ast.Name)
        for stores in [[n for n in written.names[node.id] if isinstance(n.ctx, ast.Store)]]
    )


def _first_size(written: Written, size: str, array: str) -> bool:
    """Whether the function says once and for all that a name is the first size of an array."""
    stores = [n for n in written.names[size] if isinstance(n.ctx, ast.Store)]
    if len(stores) != 1:
        return False
    parent = written.parents[stores[0]]
    if not isinstance(parent, ast.Tuple) or parent.elts[0] is not stores[0]:
        return False
    around = written.parents[parent]
    return isinstance(around, ast.Assign) and ast.unparse(around.value) in (
        f"{array}.shape",
        f"{array}.size()",
    )
