"""An array that is made beforehand and filled a row a step, as the list of what each step puts into
it: ``out[t] = h`` as ``out.append(h)``."""

from __future__ import annotations

import ast
import copy
from dataclasses import replace

from auditor.derive.array_entries import entries_of
from auditor.derive.calls import Purity
from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.tree import everything_in

_MAKERS = frozenset("zeros ones empty full".split())
_LEAVES = (ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom)


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
        (target,) = store.targets
        assert isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)
        name = target.value.id
        append = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
        kept = ast.Expr(ast.Call(append, [store.value], []))
        found.loop.body[found.loop.body.index(store)] = ast.copy_location(kept, store)
        made.value = ast.copy_location(ast.List([], ast.Load()), made.value)
        said.append(f"`{name}` is the rows that are listed, and keeps them as they are")
    ast.fix_missing_locations(tree)
    return replace(found, assumptions=(*place.assumptions, *said))


def _filled(place: Place) -> list[tuple[ast.Assign, ast.Assign]]:
    """The statements that make an array which the loop fills, each with the one that fills it."""
    loop, function = place.loop, place.function
    counter = _counter(loop) if isinstance(loop, ast.For) else None
    if counter is None or function is None or loop not in function.body:
        return []
    inside = list(everything_in(loop))
    if any(isinstance(node, _LEAVES) for node in inside):
        return []
    stored = [n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    if stored.count(counter) != 1:
        return []
    before = function.body[: function.body.index(loop)]
    found = []
    for store in loop.body:
        name = _row(store, counter)
        made = None if name is None else _made(name, before, place)
        mentions = sum(isinstance(n, ast.Name) and n.id == name for n in inside)
        if made is not None and mentions == 1:
            found.append((made, store))
    return found  # type: ignore[return-value]


def _counter(loop: ast.For) -> str | None:
    """What counts the steps from 0."""
    walked, target = loop.iter, loop.target
    if not isinstance(walked, ast.Call) or walked.keywords or len(walked.args) != 1:
        return None
    word = ast.unparse(walked.func)
    if word == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        target = target.elts[0]
    elif word != "range":
        return None
    return target.id if isinstance(target, ast.Name) else None


def _row(store: ast.stmt, counter: str) -> str | None:
    """The array whose row of this step a statement sets."""
    if not isinstance(store, ast.Assign) or len(store.targets) != 1:
        return None
    (target,) = store.targets
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return None
    plain = isinstance(target.slice, ast.Name) and target.slice.id == counter
    return target.value.id if plain else None


def _made(name: str, before: list[ast.stmt], place: Place) -> ast.Assign | None:
    """The statement before the loop that makes an array, which nothing else there mentions."""
    mentioning = [
        statement
        for statement in before
        if any(isinstance(n, ast.Name) and n.id == name for n in everything_in(statement))
    ]
    made = mentioning[0] if len(mentioning) == 1 else None
    if not isinstance(made, ast.Assign):
        return None
    call = made.value
    alone = len(made.targets) == 1 and isinstance(made.targets[0], ast.Name)
    if not alone or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    maker, modules = call.func.attr, Purity(place.tree, place.loop).modules
    library = isinstance(call.func.value, ast.Name) and modules.get(call.func.value.id)
    plain = maker.removeprefix("new_").removesuffix("_like") in _MAKERS
    if not plain or not (library in ("numpy", "torch") or maker.startswith("new_")):
        return None
    return made if entries_of(call, modules) in (None, "unknown") else None
