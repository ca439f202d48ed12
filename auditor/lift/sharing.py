"""What the results of expressions may share memory with, where notation does not say it.

What is not known to be new may be, hold or be a view of anything that it was given: that is what a
call of an unknown function gives, what a container or a choice gives back, and what a loop or a
write left under another name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.lift.call_effects import VIEWS, given_back
from auditor.lift.objects import Cell, Function, Iteration, Obj, Unknown, Written, arrays_of
from auditor.notation import Value
from auditor.tree import children, descendants

if TYPE_CHECKING:
    from auditor.lift.lifter import Lifter

_ANEW = (ast.Compare, ast.Constant, ast.JoinedStr, ast.Lambda)
VIEWING = (ast.Call, ast.Attribute)
"""Expressions whose results may lie in the memory of others, though their notation is known."""
UNSAID = (Unknown, Iteration)
"""Results of which no notation says what they share memory with."""


def remember(lifter: Lifter, node: ast.expr, result: Obj) -> None:
    """Keep what the value of an expression may share memory with, where its notation does not say
    it: of a result without notation, and of what a call may give that is not known to be new."""
    if isinstance(result, UNSAID):
        key = beneath(result)
        known, looked = lifter.viewed.get(key, ()), looked_at(lifter, node)
        if looked or isinstance(key, str):
            both = dict.fromkeys((*known, *looked)) if known and looked else known or looked
            lifter.viewed[key] = tuple(both)
    elif type(node) in VIEWING and _may_view(node):
        made = [one for one in arrays_of(result) if one.axes and one not in lifter.owned]
        looked = looked_at(lifter, node) if made else ()
        for value in made if looked else ():
            if value not in looked:
                lifter.lies_in[value] = looked


def beneath(obj: Unknown | Iteration) -> str | Unknown | Iteration:
    """By what it is remembered which arrays something without notation may hold."""
    return obj.owner if isinstance(obj, Unknown) and obj.owner else obj


def lies_beneath(lifter: Lifter, obj: Unknown, node: ast.expr) -> None:
    """What is bound to a name may be, hold or be a view of what an expression gave."""
    lifter.viewed[beneath(obj)] = looked_at(lifter, node)


def left(lifter: Lifter, obj: Obj, *held: Obj | None) -> None:
    """What a loop left without notation may be what a name stood for before, or in the loop."""
    if isinstance(obj, Unknown):
        known = lifter.viewed.get(beneath(obj), ())
        more = (value for each in held for value in arrays_of(each))
        lifter.viewed[beneath(obj)] = tuple(dict.fromkeys((*known, *more)))


def _may_view(node: ast.expr) -> bool:
    """Whether an expression is one of those whose results may lie in the memory of others."""
    if isinstance(node, ast.Attribute):
        return node.attr in VIEWS
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in VIEWS or any(word.arg == "copy" for word in node.keywords)


def looked_at(lifter: Lifter, node: ast.expr) -> tuple[Value, ...]:
    """The arrays in whose memory the value of an expression may lie, or that it may hold."""
    found = (one for part in _behind(lifter, node) for one in _held(lifter, part))
    return tuple(dict.fromkeys(found))


def _held(lifter: Lifter, node: ast.expr) -> Iterator[Value]:
    obj = lifter.values.get(node)
    if isinstance(obj, (Unknown, Iteration)) and beneath(obj) in lifter.viewed:
        yield from lifter.viewed[beneath(obj)]
    elif isinstance(obj, Function):
        names = {n.id for n in descendants(obj.node) if isinstance(n, ast.Name)}
        yield from (one for n in names & obj.closure.keys() for one in arrays_of(obj.closure[n]))
    elif obj is not None and (found := list(arrays_of(obj))):
        yield from found
    else:
        yield from looked_at(lifter, node)


def _behind(lifter: Lifter, node: ast.expr) -> Iterator[ast.expr]:
    """The parts of an expression that its value may be, hold or be a view of."""
    if isinstance(node, _ANEW):
        return
    if isinstance(node, ast.Subscript):
        yield node.value
    elif isinstance(node, ast.Call):
        if not _copies_array(lifter, node):
            yield from given_back(lifter.module, node)
    elif isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.UAdd):
            yield node.operand
    elif isinstance(node, ast.BinOp):
        sides = (node.left, node.right)  # of which lists are joined
        if any(isinstance(side, (ast.List, ast.Tuple)) for side in sides):
            yield from sides
    else:
        yield from (part for part in children(node) if isinstance(part, ast.expr))


def _copies_array(lifter: Lifter, call: ast.Call) -> bool:
    """``u.copy()``: what is read of an array that a loop writes has no notation, the copy lies in
    memory of its own."""
    called = call.func
    if not isinstance(called, ast.Attribute) or called.attr != "copy" or call.args or call.keywords:
        return False
    return is_array(lifter.values.get(called.value))


def is_array(held: Obj | None) -> bool:
    """Whether something is an array, or what a loop writes of one."""
    return isinstance(held, (Value, Written, Cell))
