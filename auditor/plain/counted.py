"""Counts of a loop's steps, said by its counter.

``n += 1`` at every step of ``for t in range(T)`` makes ``n`` the number of the step: where the loop
reads it, it is ``t`` and what it began with, and after the loop ``T`` and that. Of ``for x in xs``
there are ``len(xs)`` steps.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from auditor.lift.bound import stored_in
from auditor.plain.text import Body, Written, assign, loads_in, name, swap
from auditor.syntax import constant, is_name
from auditor.tree import descendants
from auditor.verdict import Edit

_LEAVES = (ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Lambda,
           ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)  # fmt: skip
_BY = {ast.Add: 1, ast.Sub: -1}


def counted(written: Written) -> Iterator[list[Edit]]:
    """One count after the other."""
    for block, at in written.own():
        loop = block[at]
        if isinstance(loop, ast.For) and not loop.orelse and counts(loop):
            if any(isinstance(node, _LEAVES) for node in descendants(loop)):
                continue
            for update in loop.body:
                edits = _numbered(written, block[:at], loop, update)
                if edits is not None:
                    yield edits


def counts(loop: ast.AST) -> bool:
    """Whether a loop may count its steps beside something else."""
    return (
        isinstance(loop, ast.For)
        and len(loop.body) > 1
        and any(_step(one) is not None for one in loop.body)
    )


def _step(node: ast.stmt) -> tuple[str, int] | None:
    """(n, k) of ``n += k`` and ``n = n + k``."""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        word, op, by = node.target.id, type(node.op), constant(node.value)
    elif (
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.BinOp)
        and is_name(node.value.left, node.targets[0].id)
    ):
        word = node.targets[0].id
        op, by = type(node.value.op), constant(node.value.right)
    else:
        return None
    whole = isinstance(by, int) and not isinstance(by, bool)
    return (word, _BY[op] * by) if whole and op in _BY else None  # type: ignore[operator]


def _numbered(written: Written, before: Body, loop: ast.For, update: ast.stmt) -> list[Edit] | None:
    step = _step(update)
    if step is None:
        return None
    word, by = step
    start = _begins(before, word)
    mentions = written.names.get(word, [])
    inside = {id(node) for node in descendants(loop)}
    stores = [n for n in mentions if not isinstance(n.ctx, ast.Load) and id(n) in inside]
    shared = any(isinstance(n, (ast.Global, ast.Nonlocal)) and word in n.names
                 for n in written.nodes)  # fmt: skip
    if start is None or len(stores) != 1 or shared or word in stored_in(loop.target):
        return None
    if word in loads_in(loop.iter) or not _at_one_level(written, mentions):
        return None
    place = _place(written, loop)
    if place is None:
        return None
    counter, target, walked, end = place
    at = loop.body.index(update)
    body: Body = []
    for position, statement in enumerate(loop.body):
        if statement is not update:
            value = _value(counter, by, start if position < at else start + by)
            body.append(swap(statement, {word: value}))  # type: ignore[arg-type]
    after: Body = []
    if any(isinstance(n.ctx, ast.Load) and id(n) not in inside for n in mentions):
        if end is None:
            return None
        after = [assign(word, _value(end, by, start))]
    made = ast.For(target, walked, body, [], lineno=0)
    edit = written.replaced([loop], [made, *after])
    return None if edit is None else [edit]


def _begins(before: Body, word: str) -> int | None:
    """The number that a name is where a loop begins."""
    last = next((one for one in reversed(before) if word in stored_in(one)), None)
    if not isinstance(last, ast.Assign):
        return None
    begun, target = last.value, last.targets[0]
    if isinstance(target, ast.Tuple) and isinstance(begun, ast.Tuple) and len(last.targets) == 1:
        pairs = zip(target.elts, begun.elts, strict=False)
        begun = next((value for one, value in pairs if is_name(one, word)), begun)
    elif not all(isinstance(t, ast.Name) for t in last.targets):
        return None
    value = constant(begun)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _at_one_level(written: Written, mentions: list[ast.Name]) -> bool:
    """Whether no function within mentions the count."""
    return not any(
        isinstance(above, (*_LEAVES[6:], ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp))
        for node in mentions for above in written.ancestors(node, written.node)
        if above is not written.node
    )  # fmt: skip


def _place(
    written: Written, loop: ast.For
) -> tuple[ast.expr, ast.expr, ast.expr, ast.expr | None] | None:
    """The number of a step, from 0 on; the target and what is walked so that it has one; and, where
    that is known, how many steps there are."""
    call, target = loop.iter, loop.target
    inside = frozenset[str]().union(*map(stored_in, loop.body))
    known = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.keywords
    known = known and call.func.id not in written.stored | written.module.bound.keys()  # type: ignore[attr-defined]
    if known and is_name(call.func, "range") and isinstance(target, ast.Name):  # type: ignore[attr-defined]
        assert isinstance(call, ast.Call)
        if len(call.args) == 1 and target.id not in inside:
            end = call.args[0]
            same = not loads_in(end) & (inside | stored_in(target)) and _is_size(end)
            return name(target.id), target, call, end if same else None
        return None
    if known and is_name(call.func, "enumerate") and isinstance(target, ast.Tuple):  # type: ignore[attr-defined]
        assert isinstance(call, ast.Call)
        first = target.elts[0]
        if len(call.args) == 1 and isinstance(first, ast.Name) and first.id not in inside:
            return name(first.id), target, call, _length(written, loop, call.args[0])
        return None
    if "enumerate" in written.stored | written.module.bound.keys():
        return None
    counter = written.fresh("step", set())
    both = ast.Tuple([name(counter, ast.Store()), deepcopy(target)], ast.Store())
    made = ast.Call(name("enumerate"), [call], [])
    return name(counter), both, made, _length(written, loop, call)


def _length(written: Written, loop: ast.For, walked: ast.expr) -> ast.expr | None:
    """How many steps walk an array by its name, which the function asks for its shape."""
    if not isinstance(walked, ast.Name) or "len" in written.stored | written.module.bound.keys():
        return None
    touched = (walked.id in loads_in(one) | stored_in(one) for one in (*loop.body, loop.target))
    if any(touched) or not any(
        isinstance(node, ast.Attribute) and node.attr in _OF_ARRAYS
        and is_name(node.value, walked.id)
        for node in written.nodes
    ):  # fmt: skip
        return None
    return ast.Call(name("len"), [name(walked.id)], [])


_OF_ARRAYS = frozenset(("shape", "size", "ndim", "dim"))


def _is_size(node: ast.expr) -> bool:
    """Whether a number is certainly not negative: an axis or a length."""
    if isinstance(node, ast.Call):
        return is_name(node.func, "len") or (
            isinstance(node.func, ast.Attribute) and node.func.attr == "size"
        )
    return isinstance(node, ast.Subscript) and (
        isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    )


def _value(number: ast.expr, by: int, start: int) -> ast.expr:
    """``start + by number``."""
    scaled = number if by == 1 else ast.BinOp(ast.Constant(by), ast.Mult(), number)
    return deepcopy(ast.BinOp(scaled, ast.Add(), ast.Constant(start)) if start else scaled)
