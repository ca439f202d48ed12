"""Tuples that statements make longer, said with a list.

``outs = ()`` and then ``outs += (h,)`` is ``outs = []`` and ``outs.append(h)`` where the function
does nothing else with the tuple than stack it or ask its length.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.plain.growing import JOINS
from auditor.plain.text import Written, append
from auditor.syntax import is_name, path_of
from auditor.tree import everything_in
from auditor.verdict import Edit

_STACKS = (*JOINS, "torch.stack", "numpy.stack", "numpy.array", "numpy.asarray")
_Puts = dict[ast.stmt, list[ast.expr]]


def tuples(written: Written) -> Iterator[list[Edit]]:
    """One tuple after the other."""
    longer: dict[str, _Puts] = {}
    for block, place in written.own():
        found = put_behind(block[place])
        if found is not None:
            longer.setdefault(found[0], {})[block[place]] = found[1]
    for held, puts in longer.items():
        start = None if held in _of_others(written) else _start(written, held, puts)
        if start is None:
            continue
        items = start.elts if isinstance(start, ast.Tuple) else []
        edits = [written.swapped(start, ast.unparse(ast.List(items, ast.Load())))]
        for put, more in puts.items():
            edit = written.replaced([put], [append(held, item) for item in more])
            edits += [edit] if edit is not None else []
        if len(edits) == 1 + len(puts):
            yield edits


def _of_others(written: Written) -> frozenset[str]:
    """The names that the function is given or that others see."""
    shared = (node for node in written.nodes if isinstance(node, (ast.Global, ast.Nonlocal)))
    return written.arguments.union(*(node.names for node in shared))


def put_behind(statement: ast.stmt) -> tuple[str, list[ast.expr]] | None:
    """The name and the items of ``out += (h,)``, ``out = out + (h,)``, ``out = (*out, h)``."""
    if isinstance(statement, ast.AugAssign):
        target: ast.expr = statement.target
        more = [statement.value] if isinstance(statement.op, ast.Add) else []
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        more = _after(statement.value, target)
    else:
        return None
    items = more[0].elts if len(more) == 1 and isinstance(more[0], ast.Tuple) else []
    if not isinstance(target, ast.Name) or any(isinstance(item, ast.Starred) for item in items):
        return None
    return (target.id, items) if items else None


def _after(value: ast.expr, target: ast.expr) -> list[ast.expr]:
    """The tuple that an expression puts behind that of a name."""
    if not isinstance(target, ast.Name):
        return []
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        return [value.right] if is_name(value.left, target.id) else []
    if not isinstance(value, ast.Tuple) or not value.elts:
        return []
    first = value.elts[0]
    whole = isinstance(first, ast.Starred) and is_name(first.value, target.id)
    return [ast.Tuple(value.elts[1:], ast.Load())] if whole else []


def _start(written: Written, held: str, puts: _Puts) -> ast.expr | None:
    """The tuple that a name is first bound to; None where the name is used otherwise."""
    own = {id(node) for put in puts for node in everything_in(put)}
    inside = {id(node) for more in puts.values() for item in more for node in everything_in(item)}
    starts: list[ast.expr | None] = []
    for node in written.names[held]:
        if id(node) in inside:
            return None
        if isinstance(node.ctx, ast.Store) and id(node) not in own:
            plain = not isinstance(written.parents[node], ast.AnnAssign)
            starts.append(written.bound(node) if plain else None)
        elif id(node) not in own and not _only_read(written, node):
            return None
    start = starts[0] if len(starts) == 1 else None
    if isinstance(start, ast.Tuple):
        return None if any(isinstance(item, ast.Starred) for item in start.elts) else start
    return start if start is not None and ast.unparse(start) == "tuple()" else None


def _only_read(written: Written, node: ast.Name) -> bool:
    """Whether a name is given to what does the same with a tuple and with a list."""
    call = written.parents[node]
    if not isinstance(call, ast.Call) or call.args[:1] != [node]:
        return False
    return is_name(call.func, "len") or path_of(written.module, call.func) in _STACKS
