"""What the last step of a loop keeps, kept after the loop.

``if t == n - 1: last = h`` in a loop over ``range(n)`` is ``if n > 0: last = h`` behind it, where
nothing in the loop reads ``last`` and no later statement of the step changes what is kept.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from auditor.lift.bound import stored_in
from auditor.plain.text import Body, Written, loads_in
from auditor.surroundings.purity import impurity
from auditor.tree import everything_in
from auditor.verdict import Edit


def endings(written: Written) -> Iterator[list[Edit]]:
    """One after the other, each condition on the last step of a loop."""
    for block, place in written.own():
        loop = block[place]
        if not isinstance(loop, ast.For) or loop.orelse or not ends_with_a_choice(loop):
            continue
        last = _last(loop)
        if last is None or any(isinstance(n, _LEAVING) for n in everything_in(loop)):
            continue
        for at, choice in enumerate(loop.body):
            kept = _kept(written, loop, at, choice, last)
            if kept is None:
                continue
            body = [*loop.body[:at], *loop.body[at + 1 :]]
            made = deepcopy(loop)
            made.body = deepcopy(body)
            edit = written.replaced([loop], [made, *kept])
            if edit is not None:
                yield [edit]


def ends_with_a_choice(loop: ast.For | ast.While) -> bool:
    """Whether a step may keep something in one case only, when its number is some other."""
    return any(_chooses(statement) for statement in loop.body)


def _chooses(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.If)
        and not node.orelse
        and isinstance(node.test, ast.Compare)
        and isinstance(node.test.ops[0], ast.Eq)
        and all(isinstance(inner, ast.Assign) for inner in node.body)
    )


def _last(loop: ast.For) -> tuple[ast.expr, ast.expr] | None:
    """The number of the last step, and the number of steps."""
    call = loop.iter
    backward = False
    if isinstance(call, ast.Call) and ast.unparse(call.func) == "reversed" and call.args:
        call, backward = call.args[0], True
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != "range" or call.keywords:
        return None
    if len(call.args) == 3 and not backward:
        start, *rest = call.args
        if [ast.unparse(arg) for arg in rest] == ["-1", "-1"]:
            count = ast.BinOp(deepcopy(start), ast.Add(), ast.Constant(1))
            return ast.Constant(0), count
    if len(call.args) != 1:
        return None
    end = call.args[0]
    if backward:
        return ast.Constant(0), end
    return ast.BinOp(end, ast.Sub(), ast.Constant(1)), end


def _kept(
    written: Written, loop: ast.For, at: int, choice: ast.stmt, last: tuple[ast.expr, ast.expr]
) -> Body | None:
    """The statements behind the loop."""
    place, count = last
    if not _chooses(choice) or not isinstance(loop.target, ast.Name):
        return None
    assert isinstance(choice, ast.If)
    assert isinstance(choice.test, ast.Compare)
    sides = {ast.unparse(choice.test.left), ast.unparse(choice.test.comparators[0])}
    if sides != {loop.target.id, ast.unparse(place)} or len(choice.test.ops) > 1:
        return None
    targets = stored_in(choice)
    rest = [*loop.body[:at], *loop.body[at + 1 :]]
    bound = {name for statement in rest for name in stored_in(statement)} | {loop.target.id}
    later = {name for statement in loop.body[at + 1 :] for name in stored_in(statement)}
    if targets & (bound | {name for statement in rest for name in loads_in(statement)}):
        return None
    if loads_in(count) & (bound | targets) or impurity(written.module, count) is not None:
        return None
    for inner in choice.body:
        assert isinstance(inner, ast.Assign)
        read = loads_in(inner.value)
        if any(not isinstance(target, ast.Name) for target in inner.targets):
            return None
        if read & (later | targets | {loop.target.id}):
            return None
        if impurity(written.module, inner.value) is not None:
            return None
    if any(isinstance(n, _CHANGING) for s in loop.body[at + 1 :] for n in everything_in(s)):
        return None
    test = ast.Compare(deepcopy(count), [ast.Gt()], [ast.Constant(0)])
    return [ast.If(test, deepcopy(choice.body), [])]


_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)
_CHANGING = (ast.AugAssign, ast.Delete)
