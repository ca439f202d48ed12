"""An array that is made beforehand and filled a row a step, as the list of what each step puts into
it: ``out[t] = h`` as ``out.append(h)``, whatever place of each step's own that is. A list that
grows at its front, ``out.insert(0, h)``, is the same list from its end."""

from __future__ import annotations

import ast
import copy
from dataclasses import replace

from auditor.derive.array_entries import entries_of
from auditor.derive.begun import constant, empty
from auditor.derive.calls import Purity
from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.notation import ONE, Const
from auditor.tree import everything_in

_MAKERS = frozenset("zeros ones empty full".split())
LEAVES = (ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom)


def filling(place: Place) -> Place:
    """The place with the arrays that its loop fills as lists, in a copy of the file; the same place
    where a step may leave a row out, or looks at the array."""
    if not isinstance(place.loop, ast.For) or not _filled(place):
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, place.loop)
    if found is None or not isinstance(found.loop, ast.For):
        return place
    said = []
    for made, store in _filled(found):
        name, value, at_front = _put(store)
        append = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
        kept = ast.Expr(ast.Call(append, [value], []))
        found.loop.body[found.loop.body.index(store)] = ast.copy_location(kept, store)
        made.value = ast.copy_location(ast.List([], ast.Load()), made.value)
        keeps = "comes out from its end, to be reversed" if at_front else (
            "is the rows that are listed, and keeps them as they are"
        )  # fmt: skip
        said.append(f"`{name}` {keeps}")
    ast.fix_missing_locations(tree)
    return replace(found, assumptions=(*place.assumptions, *said))


def _filled(place: Place) -> list[tuple[ast.Assign, ast.stmt]]:
    """The statements that make an array which the loop fills, each with the one that fills it."""
    loop, function = place.loop, place.function
    if not isinstance(loop, ast.For) or function is None or loop not in function.body:
        return []
    inside = list(everything_in(loop))
    if any(isinstance(node, LEAVES) for node in inside):
        return []
    counter = counter_of(loop)
    stored = [n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    if counter is not None and stored.count(counter) != 1:
        counter = None
    before = function.body[: function.body.index(loop)]
    found = []
    for store in loop.body:
        front = _at_front(store)
        name = front or (None if counter is None else _row(store, counter))
        made = None if name is None else made_before(name, before, place, front is not None)
        mentions = sum(isinstance(n, ast.Name) and n.id == name for n in inside)
        if made is not None and mentions == 1:
            found.append((made, store))
    return found


def _put(store: ast.stmt) -> tuple[str, ast.expr, bool]:
    """What a statement fills, with what, and whether it is put before all that is there."""
    front = _at_front(store)
    if front is not None:
        return front, store.value.args[-1], True  # type: ignore[attr-defined]
    assert isinstance(store, ast.Assign)
    (target,) = store.targets
    assert isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)
    return target.value.id, store.value, False


def _at_front(store: ast.stmt) -> str | None:
    """The list at the front of which a statement puts something."""
    call = store.value if isinstance(store, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.keywords:
        return None
    first = [ast.unparse(arg) for arg in call.args[:-1]]
    puts = first == {"insert": ["0"], "appendleft": []}.get(call.func.attr)
    base = call.func.value
    return base.id if puts and isinstance(base, ast.Name) else None


def counter_of(loop: ast.For) -> str | None:
    """What counts the steps, each of which has a number of its own."""
    walked, target = loop.iter, loop.target
    if isinstance(walked, ast.Call) and ast.unparse(walked.func) == "reversed" and walked.args:
        walked = walked.args[0]
    if isinstance(walked, ast.Subscript) and ast.unparse(walked.slice) == "::-1":
        walked = walked.value
    if not isinstance(walked, ast.Call) or walked.keywords:
        return None
    word = ast.unparse(walked.func)
    if word == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        target = target.elts[0]
    elif word != "range" or not _from_zero(walked.args):
        return None
    return target.id if isinstance(target, ast.Name) else None


def _from_zero(args: list[ast.expr]) -> bool:
    """Is no number of a range below 0, where places are counted from the end?"""
    if len(args) == 1:
        return True
    numbers = [constant(arg) for arg in args]
    step = numbers[2] if len(args) == 3 else ONE
    if not isinstance(step, Const):
        return False
    down = _least(step) < 0
    lowest = numbers[1] if down else numbers[0]
    return isinstance(lowest, Const) and _least(lowest) >= (-1 if down else 0)


def _least(number: Const) -> float:
    return number.value if isinstance(number.value, (int, float)) else float("-inf")


def _row(store: ast.stmt, counter: str) -> str | None:
    """The array of which a statement sets what is this step's alone: a row, or a column."""
    if not isinstance(store, ast.Assign) or len(store.targets) != 1:
        return None
    (target,) = store.targets
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return None
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    own = [part for part in parts if ast.unparse(part) not in (":", "...", "Ellipsis")]
    return target.value.id if len(own) == 1 and _next_to(own[0], counter) else None


def _next_to(node: ast.expr, counter: str) -> bool:
    """Is it the place that is counted, or one so many after it?"""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        by = node.right
        return isinstance(by, ast.Constant) and type(by.value) is int and _next_to(
            node.left, counter
        )  # fmt: skip
    return isinstance(node, ast.Name) and node.id == counter


def made_before(name: str, before: list[ast.stmt], place: Place, grows: bool) -> ast.Assign | None:
    """The statement before the loop that makes an array, which nothing else there mentions."""
    mentioning = [
        statement
        for statement in before
        if any(isinstance(n, ast.Name) and n.id == name for n in everything_in(statement))
    ]
    made = mentioning[0] if len(mentioning) == 1 else None
    if not isinstance(made, ast.Assign) or len(made.targets) != 1:
        return None
    call = made.value
    if not isinstance(made.targets[0], ast.Name):
        return None
    if grows:
        return made if empty(call) in ("list", "deque") else None
    if isinstance(call, ast.BinOp) and isinstance(call.op, ast.Mult):
        sides = (call.left, call.right)
        return made if any(isinstance(s, ast.List) and len(s.elts) == 1 for s in sides) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    maker, modules = call.func.attr, Purity(place.tree, place.loop).modules
    library = isinstance(call.func.value, ast.Name) and modules.get(call.func.value.id)
    plain = maker.removeprefix("new_").removesuffix("_like") in _MAKERS
    if not plain or not (library in ("numpy", "torch") or maker.startswith("new_")):
        return None
    return made if entries_of(call, modules) in (None, "unknown") else None
