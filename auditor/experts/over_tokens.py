"""A loop of one step for each token, which adds up what the experts that it chose give it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.arrays.facts import size_of
from auditor.experts.found import Found, Names
from auditor.experts.operations import Operations
from auditor.experts.over_experts import puts
from auditor.experts.values import (
    Filled,
    Mixture,
    Outputs,
    Places,
    Plain,
    Routing,
    Slot,
    Token,
)
from auditor.syntax import constant, same
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.experts.reading import Reader


def over_tokens(reader: Reader, loop: ast.For, names: Names, around: object) -> bool:
    """Whether a loop is one of a step for each token, as which it is then read."""
    if len(reader.leading) != 1 or "T" in reader.leading or loop.orelse:
        return False
    counted = _ranged(reader, loop, names)
    base = None if counted is None else size_of(_plainly(reader, counted, names))
    if base is None or not isinstance(loop.target, ast.Name):
        return False
    tokens, bound, token = Operations(reader, names).value(base), dict(names), Token()
    bound[loop.target.id] = token
    found = _body(reader, loop.body, bound, None)
    if found is None:
        return False
    put, made, slot = found
    name, rows, _, _ = puts(put) or ("", loop, loop, False)
    start, places = names.get(name), None if made.place is None else made.place.picked
    same_tokens = made.tokens is tokens and made.own is not None and made.own.token is token
    nothing = isinstance(start, Filled) and not start.number
    fresh = isinstance(start, Plain) and start.fresh and isinstance(put, ast.AugAssign)
    if not (nothing or fresh) or places is None or not same_tokens:
        return False
    if bound.get(rows.id if isinstance(rows, ast.Name) else "") is not token:
        return False
    if not _all_places(places, slot) or (isinstance(put, ast.Assign) and slot is not None):
        return False
    named = sum(isinstance(n, ast.Name) and n.id == name for n in everything_in(loop))
    if named != 1 or (made.routing is None and not places.single):
        return False
    own = {n.id for n in everything_in(loop)
           if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}  # fmt: skip
    names.update({each: Plain() for each in own})
    mixture = Mixture(None, reader.tokens, made.tokens, made.of, None,
                      made.routing or Routing(places), around, skips=True, sparse=True,
                      one_by_one=True)  # fmt: skip
    there = {n: t for n, t in names.items() if n not in own}
    reader.found.append(Found(mixture, loop, loop, there, around, put))
    names[name] = Plain(fresh=True)
    return True


def _body(
    reader: Reader, body: list[ast.stmt], bound: Names, slot: Slot | None
) -> tuple[ast.stmt, Outputs, Slot | None] | None:
    """The statement that adds to the row of a token, which is the last, what it adds, and the loop
    over the places of the token around it."""
    *before, last = body
    for statement in before:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        target = statement.targets[0]
        if not isinstance(target, ast.Name):
            return None
        held = dict(bound)
        reader._effects(statement, bound)
        if any(bound.get(name) is not held[name] for name in held):
            return None
        given = Operations(reader, bound).value(statement.value)
        reader._bind(target, given, bound, statement)
    if isinstance(last, ast.For) and slot is None and isinstance(last.target, ast.Name):
        count = None if last.orelse else _ranged(reader, last, bound)
        if count is None:
            return None
        inner = Slot(count=count)
        bound[last.target.id] = inner
        return _body(reader, last.body, bound, inner)
    put = puts(last)
    made = None if put is None else Operations(reader, bound).value(put[2])
    if put is None or put[3] or not isinstance(made, Outputs) or isinstance(made, Mixture):
        return None
    return last, made, slot


def _ranged(reader: Reader, loop: ast.For, names: Names) -> ast.expr | None:
    """n of ``for i in range(n)``."""
    walked = loop.iter
    called = isinstance(walked, ast.Call) and isinstance(walked.func, ast.Name)
    if not called or not isinstance(walked, ast.Call) or "range" in reader.module.bound:
        return None
    plain = walked.func.id == "range" and len(walked.args) == 1 and not walked.keywords  # type: ignore[attr-defined]
    return walked.args[0] if plain and "range" not in names else None


def _plainly(reader: Reader, node: ast.expr, names: Names) -> ast.expr:
    """What a name stands for, where it is the name of a size."""
    held = Operations(reader, names).value(node)
    return held.node if isinstance(held, Plain) and held.node is not None else node


def _all_places(places: Places, slot: Slot | None) -> bool:
    """Whether the steps go through all places of a token."""
    if slot is None:
        return places.single
    if slot.count is None or places.k is None:
        return False
    number = constant(places.k)
    settled = isinstance(number, int) or (
        isinstance(places.k, ast.Attribute) and isinstance(places.k.value, ast.Name)
    )
    return settled and same(slot.count, places.k)
