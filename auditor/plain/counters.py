"""Loops that count by themselves, said with a range.

``i = 0`` and then ``while i < n: ...; i += 1`` is ``for i in range(n): ...``, where ``n`` is a
whole number that no step changes and nothing but the loop mentions ``i``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy, deepcopy

from auditor.lift.bound import stored_in
from auditor.plain.text import Body, Written, loads_in, name
from auditor.syntax import constant, is_name
from auditor.tree import descendants, everything_in
from auditor.verdict import Edit

_LEAVES = (ast.Continue, ast.Lambda, ast.Yield, ast.YieldFrom, ast.Await,
           ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)  # fmt: skip
_GROW = frozenset("append extend insert pop remove clear resize resize_ set_".split())


def counters(written: Written) -> Iterator[list[Edit]]:
    """One loop after the other."""
    for block, at in written.own():
        loop = block[at]
        if isinstance(loop, ast.While) and counts_itself(loop):
            found = _ranged(written, block[:at], loop)
            if found is not None:
                begin, made = found
                edits = written.replaced([begin], []), written.replaced([loop], [made])
                yield [edit for edit in edits if edit is not None]


def counts_itself(loop: ast.AST) -> bool:
    """Whether a loop may be one over a range: ``while i < n`` with an ``i += 1`` of its own."""
    if not isinstance(loop, ast.While) or loop.orelse or len(loop.body) < 2:
        return False
    return _counter(loop) is not None


def _counter(loop: ast.While) -> tuple[str, int] | None:
    """The counter, and the place of the one statement that counts."""
    test = loop.test
    if not (isinstance(test, ast.Compare) and isinstance(test.left, ast.Name)):
        return None
    if len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Lt, ast.LtE)):
        return None
    word = test.left.id
    places = [at for at, one in enumerate(loop.body) if word in stored_in(one)]
    if len(places) != 1 or not _adds_one(loop.body[places[0]], word):
        return None
    later = loop.body[places[0] + 1 :]
    return None if any(word in loads_in(one) for one in later) else (word, places[0])


def _adds_one(node: ast.stmt, word: str) -> bool:
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, ast.Add) and constant(node.value) == 1
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return False
    value = node.value
    return (
        isinstance(node.targets[0], ast.Name) and isinstance(value, ast.BinOp)
        and isinstance(value.op, ast.Add)
        and is_name(value.left, word) and constant(value.right) == 1
    )  # fmt: skip


def _ranged(written: Written, before: Body, loop: ast.While) -> tuple[ast.Assign, ast.For] | None:
    """The statement that starts the counter, and the loop over the range."""
    found = _counter(loop)
    assert found is not None and isinstance(loop.test, ast.Compare)
    word, at = found
    begin = next((one for one in reversed(before) if word in stored_in(one)), None)
    if not isinstance(begin, ast.Assign) or len(begin.targets) != 1:
        return None
    start, end = constant(begin.value), loop.test.comparators[0]
    whole = isinstance(start, int) and not isinstance(start, bool)
    if not whole or not is_name(begin.targets[0], word):
        return None
    own = {id(node) for part in (begin, loop) for node in everything_in(part)}
    if any(id(node) not in own for node in written.names[word]) or word in written.arguments:
        return None
    if any(isinstance(node, (*_LEAVES, ast.Global, ast.Nonlocal)) for node in descendants(loop)):
        return None
    if "range" in written.stored or "range" in written.module.bound or not _steady(loop, end):
        return None
    if not _is_whole(written, end):
        return None
    stop = deepcopy(end)
    if isinstance(loop.test.ops[0], ast.LtE):
        stop = ast.BinOp(stop, ast.Add(), ast.Constant(1))
    bounds = [stop] if start == 0 else [deepcopy(begin.value), stop]
    body = _within(written, [one for place, one in enumerate(loop.body) if place != at])
    walked = ast.Call(name("range"), bounds, [])
    return begin, ast.For(name(word, ast.Store()), walked, body, [], lineno=0)


def _within(written: Written, block: Body) -> Body:
    """The statements of a block with the loops among them that count said with ranges as well."""
    made: Body = []
    for at, statement in enumerate(block):
        inner = isinstance(statement, ast.While) and counts_itself(statement)
        found = _ranged(written, block[:at], statement) if inner else None  # type: ignore[arg-type]
        if found is not None:
            begin, statement = found
            made.remove(begin)
        elif isinstance(statement, ast.For):
            statement = copy(statement)
            statement.body = _within(written, statement.body)
        made.append(statement)
    return made


def _steady(loop: ast.While, end: ast.expr) -> bool:
    """Whether no step can change where the loop ends."""
    read = loads_in(end)
    grows = any(
        isinstance(node, ast.Attribute) and node.attr in _GROW
        and isinstance(node.value, ast.Name) and node.value.id in read
        for node in everything_in(loop)
    )  # fmt: skip
    shrinks = any(isinstance(node, (ast.Delete, ast.AugAssign)) and read & _touched(node)
                  for node in everything_in(loop))  # fmt: skip
    return not (read & stored_in(loop) or grows or shrinks)


def _touched(node: ast.Delete | ast.AugAssign) -> frozenset[str]:
    targets = node.targets if isinstance(node, ast.Delete) else [node.target]
    return frozenset(t.id for t in targets if isinstance(t, ast.Name)) | frozenset(
        t.value.id for t in targets
        if isinstance(t, ast.Subscript) and isinstance(t.value, ast.Name)
        and isinstance(node, ast.Delete)
    )  # fmt: skip


def _is_whole(written: Written, node: ast.expr) -> bool:
    """Whether an expression is certainly a whole number: a length, an axis, what is annotated so,
    and sums, differences and products of such."""
    if isinstance(node, ast.BinOp):
        kept = isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv))
        return kept and _is_whole(written, node.left) and _is_whole(written, node.right)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int) and not isinstance(node.value, bool)
    if isinstance(node, ast.Name):
        return _is_whole_name(written, node.id)
    if isinstance(node, ast.Call):
        method = isinstance(node.func, ast.Attribute) and node.func.attr == "size"
        if is_name(node.func, "len"):
            return "len" not in written.stored and "len" not in written.module.bound
        return method and len(node.args) == 1
    return (
        isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute)
        and node.value.attr == "shape" and isinstance(constant(node.slice), int)
    )  # fmt: skip


def _is_whole_name(written: Written, word: str) -> bool:
    stores = [n for n in written.names[word] if not isinstance(n.ctx, ast.Load)]
    if word in written.arguments:
        arguments = written.node.args
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        return not stores and any(
            each.arg == word and is_name(each.annotation, "int") for each in every
        )
    return bool(stores) and all(_given_whole(written, store) for store in stores)


def _given_whole(written: Written, store: ast.Name) -> bool:
    """Whether an assignment certainly gives a name a whole number."""
    parent = written.parents[store]
    if isinstance(parent, ast.Assign) and parent.targets == [store]:
        return store.id not in loads_in(parent.value) and _is_whole(written, parent.value)
    if not isinstance(parent, ast.Tuple):
        return False
    around = written.parents[parent]
    if not isinstance(around, ast.Assign) or around.targets != [parent]:
        return False
    if isinstance(around.value, ast.Tuple) and len(around.value.elts) == len(parent.elts):
        given = around.value.elts[parent.elts.index(store)]
        return store.id not in loads_in(given) and _is_whole(written, given)
    text = around.value.func if isinstance(around.value, ast.Call) else around.value
    return isinstance(text, ast.Attribute) and text.attr in ("shape", "size")
