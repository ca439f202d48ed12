"""Bounds that carried values keep, and what they decide of the updates: a best value that starts
at 0 and only grows is never below 0, so that a branch that skips what is negative skips nothing."""

from __future__ import annotations

from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import subtract
from auditor.notation import Apply, Carry, Const, Read, Scan, Term, transform

_NOTHING = Const(float("-inf"))


def unguarded(scan: Scan) -> Scan:
    """The loop with ``max(s, e if not c else -inf)`` and ``max(s, e) if not c else s`` as
    ``max(s, e)``, where c means that e is negative and s never is."""
    carries = []
    for carry in scan.carries:
        update = carry.update
        if never_negative(carry):
            update = transform(update, lambda node, mine=carry: _kept(node, mine))  # type: ignore[misc]
        carries.append(Carry(carry.name, carry.state, carry.init, update))
    if all(one.update is other.update for one, other in zip(carries, scan.carries, strict=True)):
        return scan
    out = Scan(scan.step, scan.span)
    out.carries = tuple(carries)
    return out


def never_negative(carry: Carry) -> bool:
    """Does the value start at 0 or above, and never shrink?"""
    start = carry.init
    if not isinstance(start, Const) or not isinstance(start.value, (int, float)):
        return False
    return start.value >= 0 and _grows(carry.update, Read(carry.state, ()))


def _grows(term: Term, mine: Term) -> bool:
    if term is mine:
        return True
    if not isinstance(term, Apply):
        return False
    if term.op == "max":
        return any(_grows(arg, mine) for arg in term.args)
    if term.op != "where":
        return False
    condition, then, other = term.args
    if isinstance(condition, Apply) and len(condition.args) == 2:
        a, b = condition.args
        # then is taken where it is larger
        if (condition.op in ("gt", "ge") and (a, b) == (then, mine)) or (
            condition.op in ("lt", "le") and (a, b) == (mine, then)
        ):
            return _grows(other, mine)
    return _grows(then, mine) and _grows(other, mine)


def _kept(node: Term, carry: Carry) -> Term:
    mine = Read(carry.state, ())
    if not isinstance(node, Apply):
        return node
    if node.op == "max" and len(node.args) == 2 and mine in node.args:
        other = node.args[1] if node.args[0] is mine else node.args[0]
        if isinstance(other, Apply) and other.op == "where" and other.args[1] is _NOTHING:
            return _freed(other.args[0], Apply("max", (mine, other.args[2])), other.args[2], node)
    if node.op == "where" and node.args[1] is mine:
        condition, _, rest = node.args
        new = _larger(rest, mine)
        if new is not None:
            return _freed(condition, Apply("max", (mine, new)), new, node)
    return node


def _larger(term: Term, mine: Term) -> Term | None:
    """The other one, of a term that is the larger of it and ``mine``."""
    if isinstance(term, Apply) and term.op == "max" and len(term.args) == 2 and mine in term.args:
        return term.args[1] if term.args[0] is mine else term.args[0]
    if isinstance(term, Apply) and term.op == "where" and term.args[2] is mine:
        condition, then = term.args[:2]
        if condition in (Apply("gt", (then, mine)), Apply("ge", (then, mine)),
                         Apply("lt", (mine, then)), Apply("le", (mine, then))):  # fmt: skip
            return then
    return None


def _freed(condition: Term, freed: Term, new: Term, node: Term) -> Term:
    """``freed`` where the condition says that ``new`` is not above 0."""
    if isinstance(condition, Apply) and condition.op in ("lt", "le", "gt", "ge"):
        low, high = condition.args if condition.op in ("lt", "le") else condition.args[::-1]
        normaliser = Normaliser()
        gap = subtract(normaliser.normal(low), normaliser.normal(high))
        if subtract(normaliser.normal(new), gap).terms == {}:
            return freed
    return node
