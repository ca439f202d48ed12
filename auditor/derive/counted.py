"""A ``while`` loop that counts, as the ``for`` loop over a range that it is."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import replace

from auditor.derive.places import Place, loop_in
from auditor.tree import children, everything_in

_TURNED = {ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Lt: ast.Gt, ast.LtE: ast.GtE}


def counting(place: Place) -> Place:
    """The place with ``while i < n: ...; i += 1`` as ``for i in range(i, n): ...``, in a copy of
    the file; the same place where the loop is none that counts, or changes its limit."""
    if not isinstance(place.loop, ast.While) or _range(place.loop) is None:
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in(tree, place.loop.lineno)
    loop, walked = found.loop, None
    if isinstance(loop, ast.While):
        walked = _range(loop)
    if walked is None or not isinstance(loop, ast.While):
        return place
    name, numbers = walked
    made = ast.For(ast.Name(name, ast.Store()), numbers, loop.body[:-1] or [ast.Pass()], [])
    made = ast.fix_missing_locations(ast.copy_location(made, loop))
    for node in everything_in(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and loop in value:
                value[value.index(loop)] = made
    return replace(found, loop=made)


def _range(loop: ast.While) -> tuple[str, ast.expr] | None:
    """The counter and the range of its values."""
    test = loop.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or loop.orelse:
        return None
    counter, limit, way = test.left, test.comparators[0], type(test.ops[0])
    by = _counted(loop.body[-1])
    if by is not None and isinstance(limit, ast.Name) and limit.id == by[0]:
        counter, limit, way = limit, counter, _TURNED.get(way, way)
    if by is None or not isinstance(counter, ast.Name) or counter.id != by[0]:
        return None
    name, step = by
    ways = (ast.Lt, ast.LtE) if step > 0 else (ast.Gt, ast.GtE)
    if way not in ways or any(isinstance(n, ast.Continue) for n in _own(loop)):
        return None
    if not isinstance(limit, ast.Constant) and not _fixed(limit, loop):
        return None
    stored = [n.id for n in everything_in(loop) if isinstance(n, ast.Name)
              and isinstance(n.ctx, ast.Store)]  # fmt: skip
    if stored.count(name) != 1:
        return None
    if way in (ast.LtE, ast.GtE):
        more = ast.Add() if step > 0 else ast.Sub()
        limit = ast.BinOp(limit, more, ast.Constant(1))
    args = [ast.Name(name, ast.Load()), limit]
    if step != 1:
        args.append(ast.UnaryOp(ast.USub(), ast.Constant(-step)) if step < 0
                    else ast.Constant(step))  # fmt: skip
    return name, ast.Call(ast.Name("range", ast.Load()), args, [])


def _counted(last: ast.stmt) -> tuple[str, int] | None:
    """The name that a statement adds a number to, and the number."""
    if isinstance(last, ast.AugAssign) and isinstance(last.target, ast.Name):
        name, op, by = last.target.id, last.op, last.value
    elif (
        isinstance(last, ast.Assign)
        and len(last.targets) == 1
        and isinstance(last.targets[0], ast.Name)
        and isinstance(last.value, ast.BinOp)
        and isinstance(last.value.left, ast.Name)
        and last.value.left.id == last.targets[0].id
    ):
        name, op, by = last.targets[0].id, last.value.op, last.value.right
    else:
        return None
    if not isinstance(by, ast.Constant) or type(by.value) is not int or by.value <= 0:
        return None
    if isinstance(op, ast.Add):
        return name, by.value
    return (name, -by.value) if isinstance(op, ast.Sub) else None


def _own(loop: ast.While) -> Iterator[ast.AST]:
    """What stands in the loop, but not in a loop within it."""
    stack: list[ast.AST] = list(loop.body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (ast.For, ast.While)):
            stack.extend(children(node))


def _fixed(limit: ast.expr, loop: ast.While) -> bool:
    """Does the limit stay what it is? It is a name, or the length of one, that nothing changes."""
    if isinstance(limit, ast.Call):
        called = isinstance(limit.func, ast.Name) and limit.func.id == "len"
        if not called or len(limit.args) != 1 or not isinstance(limit.args[0], ast.Name):
            return False
        base = limit.args[0].id
        reads = [n for n in everything_in(loop) if isinstance(n, ast.Name) and n.id == base]
        parts = [n.value for n in everything_in(loop) if isinstance(n, ast.Subscript)
                 and isinstance(n.ctx, ast.Load)]  # fmt: skip
        inside = [n for n in everything_in(loop.test) if isinstance(n, ast.Name)]
        return all(node in parts or node in inside for node in reads)
    if isinstance(limit, ast.BinOp):
        return all(
            isinstance(s, ast.Constant) or _fixed(s, loop) for s in (limit.left, limit.right)
        )
    return isinstance(limit, ast.Name) and not any(
        isinstance(n, ast.Name) and n.id == limit.id and isinstance(n.ctx, ast.Store)
        for n in everything_in(loop)
    )
