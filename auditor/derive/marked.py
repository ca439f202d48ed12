"""A loop within a loop with more around it, as one loop over marked elements:

    for row in rows:              for step, row, x in steps:
        s = 0                         if step == 0:
        for x in row:                     s = 0
            s += x                    elif step == 1:
        best = max(best, s)               s += x
                                      else:
                                          best = max(best, s)

The elements decide which of the three a step does, so that what composes under such control is
found as for any other loop.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import replace

from auditor.derive.begun import before, constant
from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.derive.scopes import stored_names, target_names
from auditor.tree import everything_in

_LEAVING = (ast.Break, ast.Return, ast.Continue, ast.Yield, ast.YieldFrom)


def marked(place: Place) -> Place:
    """The place with an inner loop and what is around it as one loop, in a copy of the file; the
    same place where that is not what a step is."""
    if not isinstance(place.loop, ast.For) or _parts(place.loop) is None:
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, place.loop)
    if found is None or not isinstance(found.loop, ast.For):
        return place
    taken = {n.id for n in everything_in(tree) if isinstance(n, ast.Name)}
    mark = next(name for name in ("step", "mark", *(f"step_{k}" for k in range(99)))
                if name not in taken)  # fmt: skip
    made = _marked(found.loop, mark)
    begun = _begun(found, found.loop)
    for node in everything_in(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and found.loop in value:
                at = value.index(found.loop)
                value[at : at + 1] = [*begun, made]
    return replace(found, loop=made, assumptions=place.assumptions)


def _parts(loop: ast.For) -> tuple[list[ast.stmt], ast.For, list[ast.stmt]] | None:
    """What a step does before its inner loop, that, and what it does after it."""
    inner = [n for n, one in enumerate(loop.body) if isinstance(one, (ast.For, ast.While))]
    if len(inner) != 1 or not isinstance(within := loop.body[inner[0]], ast.For):
        return None
    head, tail = loop.body[: inner[0]], loop.body[inner[0] + 1 :]
    if not (head or tail) or loop.orelse or within.orelse:
        return None
    around = [n for s in (*head, *tail) for n in everything_in(s)]
    nodes = list(everything_in(within))
    if any(isinstance(n, _LEAVING) for n in around):
        return None
    if any(isinstance(n, (ast.Break, ast.Return, ast.For, ast.While))
           for n in nodes if n is not within):  # fmt: skip
        return None
    outside, inside = target_names(loop.target), target_names(within.target)
    if outside is None or inside is None or set(outside) & set(inside):
        return None
    stored = set(stored_names(loop.body))
    own = set(stored_names([*head, *within.body, *tail]))
    walked = {n.id for n in everything_in(within.iter) if isinstance(n, ast.Name)}
    read = {n.id for n in around if isinstance(n, ast.Name)}
    if stored & walked or own & {*outside, *inside} or read & set(inside):
        return None
    return head, within, tail


def _marked(loop: ast.For, mark: str) -> ast.For:
    parts = _parts(loop)
    assert parts is not None
    head, inner, tail = parts
    outside = list(target_names(loop.target) or ())
    inside = list(target_names(inner.target) or ())

    def load(name: str) -> ast.expr:
        return ast.Name(name, ast.Load())

    def step(number: int, values: list[ast.expr]) -> ast.expr:
        return ast.Tuple([ast.Constant(number), *values], ast.Load())

    nothing: list[ast.expr] = [ast.Constant(0) for _ in inside]
    walk = ast.comprehension(inner.target, inner.iter, [], 0)
    each = ast.GeneratorExp(step(1, [load(name) for name in inside]), [walk])
    steps: list[ast.expr] = [ast.Starred(each, ast.Load())]
    body: list[ast.stmt] = inner.body
    if tail:
        steps.append(step(2, nothing))
        body = [ast.If(_is(mark, 1), body, tail)]
    if head:
        steps.insert(0, step(0, nothing))
        body = [ast.If(_is(mark, 0), head, body)]
    names = [mark, *outside, *inside]
    inside_target = ast.Tuple([ast.Name(n, ast.Store()) for n in (mark, *inside)], ast.Store())
    walks = [
        ast.comprehension(copy.deepcopy(loop.target), loop.iter, [], 0),
        ast.comprehension(inside_target, ast.List(steps, ast.Load()), [], 0),
    ]
    whole = ast.Tuple([load(name) for name in names], ast.Load())
    target = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
    made = ast.For(target, ast.GeneratorExp(whole, walks), body, [])
    return ast.fix_missing_locations(ast.copy_location(made, loop))


def _is(mark: str, number: int) -> ast.expr:
    return ast.Compare(ast.Name(mark, ast.Load()), [ast.Eq()], [ast.Constant(number)])


def _begun(place: Place, loop: ast.For) -> list[ast.stmt]:
    """Assignments of what each round begins with, to names that nothing is bound to before."""
    parts, known = _parts(loop), before(place, loop)
    found: dict[str, ast.stmt] = {}
    for statement in parts[0] if parts is not None else ():
        for name in stored_names([statement]):
            if name in known or name in found:
                continue
            value = getattr(statement, "value", None)
            plain = isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
            if not plain or value is None or constant(value) is None:
                value = ast.Constant(0)  # the first step sets it
            made = ast.Assign([ast.Name(name, ast.Store())], copy.deepcopy(value))
            found[name] = ast.fix_missing_locations(ast.copy_location(made, loop))
    return list(found.values())
