"""A loop over the places of a list, as the loop over its elements that it is: what is derived of it
then takes the elements, and needs no list beside them."""

from __future__ import annotations

import ast
import copy
from dataclasses import replace

from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.tree import everything_in


def elementwise(place: Place) -> Place:
    """The place with ``for i in range(len(xs)): ... xs[i]`` as ``for x in xs: ... x``, in a copy of
    the file; the same place where the loop looks at a list elsewhere too."""
    if not isinstance(place.loop, ast.For) or _lists(place, place.loop) is None:
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, place.loop)
    if found is None or not isinstance(found.loop, ast.For):
        return place
    lists = _lists(found, found.loop)
    if lists is None or not isinstance(found.loop.target, ast.Name):
        return place
    loop, counter = found.loop, found.loop.target.id
    taken = {n.id for n in everything_in(tree) if isinstance(n, ast.Name)}
    names = {}
    for one in lists:
        names[one] = _free(one, taken)
        taken.add(names[one])
    loop.body = [_Elements(names, counter).visit(statement) for statement in loop.body]
    walked: ast.expr = ast.Name(lists[0], ast.Load())
    target: ast.expr = ast.Name(names[lists[0]], ast.Store())
    if len(lists) > 1:
        walked = _call("zip", *(ast.Name(one, ast.Load()) for one in lists))
        target = ast.Tuple([ast.Name(names[one], ast.Store()) for one in lists], ast.Store())
    if any(isinstance(n, ast.Name) and n.id == counter
           for statement in loop.body for n in everything_in(statement)):  # fmt: skip
        walked = _call("enumerate", walked)
        target = ast.Tuple([ast.Name(counter, ast.Store()), target], ast.Store())
    loop.iter, loop.target = walked, ast.copy_location(target, loop.target)
    ast.fix_missing_locations(loop)
    return replace(found, loop=loop, assumptions=place.assumptions)


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def _free(name: str, taken: set[str]) -> str:
    wanted = [name[:-1]] if name.endswith("s") and name[:-1].isidentifier() else []
    return next(n for n in [*wanted, *(f"{name}_{k}" for k in "ijkabcdefgh")] if n not in taken)


class _Elements(ast.NodeTransformer):
    def __init__(self, names: dict[str, str], counter: str) -> None:
        self._names, self._counter = names, counter

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if _at(node, self._counter) and isinstance(node.value, ast.Name):
            name = self._names.get(node.value.id)
            if name is not None:
                return ast.copy_location(ast.Name(name, ast.Load()), node)
        return node


def _at(node: ast.AST, counter: str) -> bool:
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Name)
        and node.slice.id == counter
        and isinstance(node.ctx, ast.Load)
    )


def _lists(place: Place, loop: ast.For) -> list[str] | None:
    """The lists that are looked at in the counter's place alone, first the one that it counts."""
    body = place.function if place.function is not None else place.tree
    if not isinstance(loop.target, ast.Name):
        return None
    counter, counted = loop.target.id, _counted(loop.iter, place)
    if counted is None or _outside(counter, loop, body):
        return None
    nodes = [node for statement in loop.body for node in everything_in(statement)]
    bases = [n.value for n in nodes if isinstance(n, ast.Subscript) and _at(n, counter)]
    lists = list(dict.fromkeys(base.id for base in bases if isinstance(base, ast.Name)))
    if any(not isinstance(base, ast.Name) for base in bases) or counted not in lists:
        return None
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in {*lists, counter}:
            stored = isinstance(node.ctx, ast.Store)
            if stored or (node.id in lists and node not in bases):
                return None
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp,
                             ast.DictComp)):  # fmt: skip
            return None
    return [counted, *(one for one in lists if one != counted)]


def _counted(walked: ast.expr, place: Place) -> str | None:
    """The list whose places a range runs over."""
    body = place.function if place.function is not None else place.tree
    if not isinstance(walked, ast.Call) or ast.unparse(walked.func) != "range" or walked.keywords:
        return None
    length = walked.args[-1] if len(walked.args) in (1, 2) else None
    if len(walked.args) == 2:
        start = walked.args[0]
        if isinstance(start, ast.Name):  # a loop around this one would find it moved on
            known = None if place.outer or _stores(start.id, body) > 2 else _set(start.id, body)
            start = start if known is None else known.value
        if not isinstance(start, ast.Constant) or start.value != 0:
            return None
    since = None
    if isinstance(length, ast.Name) and _stores(length.id, body) == 1:
        since = _set(length.id, body)
        length = None if since is None else since.value
    if not isinstance(length, ast.Call) or ast.unparse(length.func) != "len":
        return None
    base = length.args[0] if len(length.args) == 1 else None
    if not isinstance(base, ast.Name):
        return None
    names = [n for n in everything_in(body) if isinstance(n, ast.Name)]
    later = since is not None and any(
        n.lineno >= since.lineno for n in names if _stored(n, base.id)
    )
    return None if later else base.id


def _set(name: str, body: ast.AST) -> ast.Assign | None:
    """The statement at the head of the function that sets a name alone."""
    for statement in getattr(body, "body", []):
        if isinstance(statement, (ast.For, ast.While)):
            return None
        if isinstance(statement, ast.Assign):
            if any(isinstance(t, ast.Name) and t.id == name for t in statement.targets):
                return statement
            split = _split(statement, name)
            if split is not None:
                return split
    return None


def _split(statement: ast.Assign, name: str) -> ast.Assign | None:
    """The part of ``a, b = 0, 1`` that sets a name."""
    (target, *more), value = statement.targets, statement.value
    if more or not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
        return None
    for one, part in zip(target.elts, value.elts, strict=False):
        if isinstance(one, ast.Name) and one.id == name:
            return ast.copy_location(ast.Assign([one], part), statement)
    return None


def _stored(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)


def _stores(name: str, body: ast.AST) -> int:
    return sum(_stored(node, name) for node in everything_in(body))


def _outside(counter: str, loop: ast.For, body: ast.AST) -> bool:
    """Is the counter looked at elsewhere?"""
    inside = set(everything_in(loop))
    return any(
        isinstance(n, ast.Name) and n.id == counter and isinstance(n.ctx, ast.Load)
        for n in everything_in(body)
        if n not in inside
    )
