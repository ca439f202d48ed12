"""Arrays that a loop fills row by row, said with a list of the rows.

``out = torch.empty(n, d)`` and then, for each i of ``range(n)``, ``out[i] = row`` is
``rows.append(torch.broadcast_tensors(row, out[i])[0])`` there and ``out[:] = torch.stack(rows)``
behind it; of another axis, ``out[:, i] = row`` or ``out[:, i : i + 1] = rows``, likewise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

from auditor.lift.bound import stored_in
from auditor.plain.text import Body, Written, append, assign, name
from auditor.syntax import is_name, path_of
from auditor.tree import everything_in
from auditor.verdict import Edit

_SIZED = frozenset(("zeros", "empty", "ones", "new_zeros", "new_empty", "new_ones"))
_ALIKE = frozenset(("zeros_like", "empty_like", "ones_like"))
_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)


@dataclass(frozen=True)
class _Row:
    """``held[:, i] = value``: the array, the axis that the counter runs along, and whether it keeps
    that axis (``i : i + 1``)."""

    held: str
    axis: int
    kept: bool
    target: ast.Subscript
    value: ast.expr


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
        row = _row(statement, loop.target.id)
        if row is not None:
            uses = [n for n in everything_in(loop) if is_name(n, row.held)]
            return at if len(uses) == 1 else None
    return None


def _row(statement: ast.stmt, counter: str) -> _Row | None:
    """The row at the counter that a statement sets."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return None
    items = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    places = [at for at, item in enumerate(items) if not _is_whole(item)]
    if len(places) != 1:
        return None
    (axis,) = places
    if any(isinstance(item, ast.Constant) for item in items[:axis]):  # `...`
        if axis != 1 or len(items) != 2:
            return None
        axis = -1
    elif any(isinstance(item, ast.Constant) for item in items):
        return None
    kept = ast.unparse(items[places[0]]) == f"{counter}:{counter} + 1"
    if not kept and not is_name(items[places[0]], counter):
        return None
    return _Row(target.value.id, axis, kept, target, statement.value)


def _is_whole(item: ast.expr) -> bool:
    """``:`` and ``...``."""
    if isinstance(item, ast.Slice):
        return item.lower is item.upper is item.step is None
    return isinstance(item, ast.Constant) and item.value is ...


def _collected(written: Written, block: Body, place: int, at: int) -> Edit | None:
    loop = block[place]
    assert isinstance(loop, ast.For) and isinstance(loop.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    row = _row(loop.body[at], loop.target.id)
    torch = next((short for short, path in written.module.names.items() if path == "torch"), None)
    rebound = loop.target.id in stored_in(ast.Module(loop.body, []))
    if row is None or torch is None or rebound:
        return None
    made = _made(block, place, row.held)
    steps = loop.iter.args
    if made is None or len(steps) != 1 or not _whole(written, made, steps[0], row.axis):
        return None
    rows = written.fresh(f"{row.held}_rows", set())
    like = ast.Subscript(name(row.held), row.target.slice, ast.Load())
    together = ast.Attribute(name(torch), "broadcast_tensors")
    both = ast.Call(together, [deepcopy(row.value), like], [])
    item = ast.Subscript(both, ast.Constant(0), ast.Load())
    plain = deepcopy(loop)
    plain.body[at] = append(rows, item)
    whole = ast.Subscript(name(row.held), ast.Slice(), ast.Store())
    words = [ast.keyword("dim", ast.Constant(row.axis))] if row.axis else []
    joining = ast.Attribute(name(torch), "cat" if row.kept else "stack")
    new: Body = [
        assign(rows, ast.List([], ast.Load())),
        plain,
        ast.Assign([whole], ast.Call(joining, [name(rows)], words), lineno=0),
    ]
    return written.replaced([loop], new)


def _made(block: Body, place: int, held: str) -> ast.Call | None:
    """The call that made the array, above in the same block, where nothing in between has it."""
    for earlier in reversed(block[:place]):
        if any(is_name(node, held) for node in everything_in(earlier)):
            if isinstance(earlier, ast.Assign) and is_name(earlier.targets[0], held):
                return earlier.value if isinstance(earlier.value, ast.Call) else None
            return None
    return None


def _whole(written: Written, made: ast.Call, steps: ast.expr, axis: int) -> bool:
    """Whether a count of steps is the extent of an axis of a new array."""
    path = path_of(written.module, made.func)
    method = made.func.attr if isinstance(made.func, ast.Attribute) else ""
    called = path.rpartition(".")[2] if path else method
    if not made.args or (path is not None and not path.startswith("torch.")):
        return False
    if called in _SIZED:
        first = made.args[0]
        sizes = first.elts if isinstance(first, (ast.Tuple, ast.List)) else made.args
        if any(isinstance(size, ast.Starred) for size in sizes) or not -1 <= axis < len(sizes):
            return False
        return _steady(written, sizes[axis]) and ast.unparse(sizes[axis]) == ast.unparse(steps)
    if called not in _ALIKE or not isinstance(made.args[0], ast.Name):
        return False
    like = made.args[0].id
    said = (f"{like}.shape[{axis}]", f"{like}.size({axis})", "" if axis else f"len({like})")
    if ast.unparse(steps) in said:
        return True
    return isinstance(steps, ast.Name) and _is_size(written, steps.id, like, axis)


def _steady(written: Written, size: ast.expr) -> bool:
    """Whether the text of a size means the same before the loop as where the array was made."""
    return all(
        len(stores) <= 1
        for node in everything_in(size)
        if isinstance(node, ast.Name)
        for stores in [[n for n in written.names[node.id] if isinstance(n.ctx, ast.Store)]]
    )


def _is_size(written: Written, size: str, array: str, axis: int) -> bool:
    """Whether the function says once and for all that a name is the size of an axis."""
    stores = [n for n in written.names[size] if isinstance(n.ctx, ast.Store)]
    if len(stores) != 1:
        return False
    parent = written.parents[stores[0]]
    if not isinstance(parent, ast.Tuple) or not -1 <= axis < len(parent.elts):
        return False
    starred = any(isinstance(part, ast.Starred) for part in parent.elts)
    if starred or parent.elts[axis] is not stores[0]:
        return False
    around = written.parents[parent]
    return isinstance(around, ast.Assign) and ast.unparse(around.value) in (
        f"{array}.shape",
        f"{array}.size()",
    )
