"""Scores that something is added to in another shape, and branches that end alike.

``s = s.view(b, h, t, u) + mask`` and then ``s = s.view(b * h, t, u)`` is ``s.view(b, h, t, u)
.view(b * h, t, u) + mask.expand(b, h, t, u).reshape(b * h, t, u)``; the last statement of both
branches of a choice may stand behind them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from auditor.plain.text import Body, Written, assign, loads_in
from auditor.surroundings.purity import impurity
from auditor.syntax import constant, is_name, same
from auditor.verdict import Edit

_VIEWS = ("view", "reshape")


def views(written: Written) -> Iterator[list[Edit]]:
    """Each choice whose branches end alike, with the views in it, and each other pair of views."""
    for block, place in written.own():
        statement = block[place]
        if isinstance(statement, ast.If):
            made = _behind(written, statement)
            edit = written.replaced([statement], made) if made is not None else None
        else:
            pair = block[place : place + 2]
            joined = _joined(written, pair)
            edit = written.replaced(pair, [joined]) if joined is not None else None
        if edit is not None:
            yield [edit]


def _behind(written: Written, choice: ast.If) -> Body | None:
    """``if c: a; s`` and ``else: b; s`` as ``if c: a``, ``else: b`` and then ``s``."""
    if not choice.orelse or len(choice.body) < 2 or not same(choice.body[-1], choice.orelse[-1]):
        return None
    last = choice.body[-1]
    if not isinstance(last, ast.Assign):
        return None
    body, orelse = choice.body[:-1], choice.orelse[:-1]
    made: Body = []
    while body:
        joined = _joined(written, body[:2])
        made.append(deepcopy(body[0]) if joined is None else joined)
        body = body[1 if joined is None else 2 :]
    return [ast.If(deepcopy(choice.test), made, deepcopy(orelse)), deepcopy(last)]


def _joined(written: Written, pair: Body) -> ast.stmt | None:
    """The two statements as one."""
    if len(pair) != 2 or not all(isinstance(s, ast.Assign) and len(s.targets) == 1 for s in pair):
        return None
    first, second = pair
    assert isinstance(first, ast.Assign) and isinstance(second, ast.Assign)
    held = first.targets[0]
    if not isinstance(held, ast.Name) or not is_name(second.targets[0], held.id):
        return None
    added = first.value
    if not (isinstance(added, ast.BinOp) and isinstance(added.op, ast.Add)):
        return None
    inner, term = added.left, added.right
    shape, back = _viewed(inner, held.id), _viewed(second.value, held.id)
    if shape is None or back is None or any(held.id in loads_in(part) for part in (*back, term)):
        return None
    if any(constant(part) == -1 for part in shape):
        return None
    if any(impurity(written.module, part) is not None for part in (*shape, *back)):
        return None
    whole = _call(deepcopy(inner), "view", back)
    beside = _call(_call(deepcopy(term), "expand", shape), "reshape", back)
    return assign(held.id, ast.BinOp(whole, ast.Add(), beside))


def _viewed(node: ast.expr, held: str) -> list[ast.expr] | None:
    """The sizes of ``held.view(...)``."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return None
    if node.func.attr not in _VIEWS or not is_name(node.func.value, held) or node.keywords:
        return None
    sizes = node.args
    if len(sizes) == 1 and isinstance(sizes[0], (ast.Tuple, ast.List)):
        sizes = sizes[0].elts
    return None if len(sizes) < 2 or any(isinstance(s, ast.Starred) for s in sizes) else sizes


def _call(array: ast.expr, way: str, sizes: list[ast.expr]) -> ast.expr:
    return ast.Call(ast.Attribute(array, way, ast.Load()), deepcopy(sizes), [])
