"""A list that begins empty, of which a step asks what it ends with, or whether it is empty: the
last element and a flag, carried beside it."""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.algebra.choices import leaves, settled
from auditor.derive.fold import Fold
from auditor.notation import (
    FALSE,
    NONE,
    TRUE,
    ZERO,
    Apply,
    Carry,
    Read,
    Scan,
    Term,
    Value,
    transform,
    walk,
)

_LAST, _LENGTH = "call:_0[-1]", "call:len(_0)"
_FULL = frozenset(("gt", "ne"))


def with_ends(fold: Fold) -> list[Fold]:
    """The fold with what its lists end with as values of their own, if a step asks for that."""
    lists = [carry for carry in fold.scan.carries if _begins_empty(carry)]
    if len(lists) != 1 or fold.keyed is not None:
        return []
    (carry,) = lists
    names = {f"{carry.name}_end", f"{carry.name}_begun"}
    if names & {*fold.parameters, *fold.names, *(c.name for c in fold.scan.carries)}:
        return []
    end, begun = (Value(f"{carry.name}_{word}", (), kind="state") for word in ("end", "begun"))
    carries = [replace(c, update=_told(c.update, carry, end, begun)) for c in fold.scan.carries]
    if all(new.update is c.update for new, c in zip(carries, fold.scan.carries, strict=True)):
        return []
    own = next(c for c in carries if c.state is carry.state)
    inputs = {n.value.name: n for c in carries for n in walk(c.update)
              if isinstance(n, Read) and n.value.kind == "input"}  # fmt: skip
    last, some = _ending(own.update, own, end, inputs), _beginning(own.update, own, begun)
    if last is None or some is None:
        return []
    scan = Scan(fold.scan.step)
    scan.carries = (
        *carries,
        Carry(end.name, end, NONE, _up_to_equality(last, end)),
        Carry(begun.name, begun, FALSE, _certain(some, begun)),
    )
    return [replace(fold, scan=scan)]


def _begins_empty(carry: Carry) -> bool:
    return isinstance(carry.init, Read) and carry.init.value.name == "[]"


def _told(term: Term, carry: Carry, end: Value, begun: Value) -> Term:
    """``term`` that asks for the end and the flag instead of the list."""
    mine, last, flag = Read(carry.state, ()), Read(end, ()), Read(begun, ())
    length = Apply(_LENGTH, (mine,))

    def asked(node: Term) -> Term:
        if node is mine:
            return flag
        if isinstance(node, Apply) and node.op in ("and", "or", "not"):
            return Apply(node.op, tuple(map(asked, node.args)))
        if isinstance(node, Apply) and node.args == (length, ZERO):
            if node.op in _FULL:
                return flag
            return Apply("not", (flag,)) if node.op == "eq" else node
        return flag if node is length else node

    def change(node: Term) -> Term:
        if node is Apply(_LAST, (mine,)):
            return last
        if isinstance(node, Apply) and node.op == "where":
            return Apply("where", (asked(node.args[0]), *node.args[1:]))
        return node

    return transform(term, change)


def _ending(term: Term, carry: Carry, end: Value, inputs: dict[str, Read]) -> Term | None:
    """What the list ends with after a step."""
    if isinstance(term, Read):
        return Read(end, ()) if term.value is carry.state else None
    if not isinstance(term, Apply):
        return None
    if term.op == "where":
        sides = [_ending(arg, carry, end, inputs) for arg in term.args[1:]]
        return None if None in sides else Apply("where", (term.args[0], *sides))  # type: ignore[arg-type]
    if term.op != "concat":
        return None
    added = term.args[1]
    if isinstance(added, Apply) and added.op == "call:[_0]":
        return added.args[0]
    if not isinstance(added, Read):
        return None
    node = ast.parse(added.value.name, mode="eval").body
    if not isinstance(node, ast.List) or len(node.elts) != 1:
        return None
    text = ast.unparse(node.elts[0])
    return inputs.get(text) or Read(Value(text, (), kind="input"), ())


def _beginning(term: Term, carry: Carry, begun: Value) -> Term | None:
    """Does the list hold something after a step?"""
    if isinstance(term, Read):
        return Read(begun, ())
    if isinstance(term, Apply) and term.op == "where":
        sides = [_beginning(arg, carry, begun) for arg in term.args[1:]]
        return None if None in sides else Apply("where", (term.args[0], *sides))  # type: ignore[arg-type]
    return TRUE


def _up_to_equality(update: Term, end: Value) -> Term:
    """What a value becomes, if equal values are as good as each other: where it equals what may
    take its place, it does not matter which of the two it is."""
    mine = Read(end, ())
    ends = {leaf for leaf in leaves(update) if leaf is not mine}
    if len(ends) != 1:
        return update
    (new,) = ends

    def differ(node: Term) -> Term:
        if isinstance(node, Apply) and node.op in ("eq", "ne") and set(node.args) == {mine, new}:
            return FALSE if node.op == "eq" else TRUE
        if isinstance(node, Apply) and node.op == "where":
            return Apply("where", (_truth(node.args[0]), *node.args[1:]))
        return node

    return settled(transform(update, differ), {})


def _truth(condition: Term) -> Term:
    """A condition of which it only matters whether it holds."""
    if isinstance(condition, Apply) and condition.op in ("and", "or"):
        args = tuple(map(_truth, condition.args))
        decisive = FALSE if condition.op == "and" else TRUE
        return decisive if decisive in args else Apply(condition.op, args)
    return condition


def _certain(update: Term, begun: Value) -> Term:
    """True, where it is that whatever the flag was."""
    always = all(settled(update, {begun: held}) is TRUE for held in (FALSE, TRUE))
    return TRUE if always else update
