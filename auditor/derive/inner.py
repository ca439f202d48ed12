"""Loops within the loop: those that only look at the element make a value of it; one that is all
there is to a step walks the elements' own elements."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from dataclasses import replace

from auditor.derive.places import Place, loop_in
from auditor.derive.scopes import stored_names, target_names
from auditor.tree import everything_in


def flat(place: Place) -> Place:
    """The place with ``for row in rows: for x in row: ...`` as one loop over pairs, in a copy of
    the file; the same place where the steps do anything else."""
    if not isinstance(place.loop, ast.For) or _flat(place.loop) is None:
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, place.loop)
    made = None if found is None or not isinstance(found.loop, ast.For) else _flat(found.loop)
    if found is None or made is None:
        return place
    for node in everything_in(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and found.loop in value:
                value[value.index(found.loop)] = made
    return flat(replace(found, loop=made))


def loop_in_place(tree: ast.Module, loop: ast.stmt) -> Place | None:
    found = loop_in(tree, loop.lineno)
    same = (found.loop.lineno, found.loop.col_offset) == (loop.lineno, loop.col_offset)
    return found if same else None


def _flat(loop: ast.For) -> ast.For | None:
    if len(loop.body) != 1 or not isinstance(inner := loop.body[0], ast.For):
        return None
    if loop.orelse or inner.orelse:
        return None
    if any(isinstance(node, (ast.Break, ast.Return)) for node in everything_in(inner)):
        return None
    outside, inside = target_names(loop.target), target_names(inner.target)
    if outside is None or inside is None or set(outside) & set(inside):
        return None
    changed = {n.id for n in everything_in(ast.Module(inner.body, []))
               if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}  # fmt: skip
    walked = {n.id for n in everything_in(inner.iter) if isinstance(n, ast.Name)}
    if changed & {*outside, *inside, *walked}:
        return None
    names = [*outside, *inside]
    pair = ast.Tuple([ast.Name(name, ast.Load()) for name in names], ast.Load())
    walks = [ast.comprehension(one.target, one.iter, [], 0) for one in (copy.deepcopy(loop), inner)]
    target = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
    made = ast.For(target, ast.GeneratorExp(pair, walks), inner.body, [])
    return ast.fix_missing_locations(ast.copy_location(made, loop))


def preparing(body: Sequence[ast.stmt], live: set[str]) -> int:
    """How many statements at the head of a body make, with a loop of their own, values that only
    look at the element: they set each name before they read it, and nothing else sets it."""
    for count in range(len(body), 0, -1):
        head, rest = body[:count], body[count:]
        if not any(isinstance(statement, (ast.For, ast.While)) for statement in head):
            return 0
        read = {n.id for s in rest for n in everything_in(s) if isinstance(n, ast.Name)}
        walked = {name for s in head for n in everything_in(s) if isinstance(n, ast.For)
                  for name in target_names(n.target) or ()}  # fmt: skip
        if read & walked:
            continue  # where there was none, the name is what the element before left
        if _alone(head, set(stored_names(list(rest))) | live):
            return count
    return 0


def _alone(head: Sequence[ast.stmt], others: set[str]) -> bool:
    own = set(stored_names(list(head)))
    if own & others:
        return False
    known: set[str] = set()
    for statement in head:
        if not _plain(statement):
            return False
        bound: set[str] = set()
        if isinstance(statement, ast.For):
            bound = set(target_names(statement.target) or ())
        read = {n.id for n in everything_in(statement) if isinstance(n, ast.Name)
                and isinstance(n.ctx, ast.Load)}  # fmt: skip
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            read.add(statement.target.id)
        inner = set(stored_names([statement])) - bound
        if isinstance(statement, ast.Assign):
            if read & own - known:
                return False
            known |= inner
        elif (read | inner) & own - known - bound:
            return False
    return True


_INNER = (ast.For, ast.While, ast.If, ast.Assign, ast.AugAssign, ast.Pass, ast.Break, ast.Continue)


def _plain(statement: ast.stmt) -> bool:
    """Assignments to names, loops and branches, and what is known to set nothing else?"""
    if not isinstance(statement, (ast.Assign, ast.For, ast.While)):
        return False
    for node in everything_in(statement):
        if isinstance(node, ast.stmt) and not isinstance(node, _INNER):
            return False
        stored = isinstance(getattr(node, "ctx", None), ast.Store)
        if stored and not isinstance(node, (ast.Name, ast.Tuple)):
            return False
    return True
