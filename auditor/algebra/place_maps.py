"""Carried values that are places in tables which no step changes: a step is a function of the
places that there are, and such functions compose as tables do. Automata with a table of transitions
are of this kind, however many states they have.

Source: Ladner and Fischer, "Parallel Prefix Computation" (1980), on automata.
"""

from __future__ import annotations

from collections.abc import Sequence

from auditor.algebra.states import Dependence
from auditor.notation import Apply, Carry, Index, Order, Read, Term, Trace, Value, walk


def tables_of_places(
    carries: Sequence[Carry], updates: Sequence[Term], step: Index, dependence: Dependence
) -> list[Value] | None:
    """The tables, or None where a value may be something else than a place in one. A step that is
    the same at every step is no transition by what is given: it only follows a table."""
    states = frozenset(carry.state for carry in carries)
    if any(carry.state.axes for carry in carries):
        return None
    nodes = [node for update in updates for node in walk(update)]
    moved = (node for node in nodes if dependence.mentions(node, states))
    if step not in nodes or any(map(_is_unfollowed, moved)):
        return None
    if not all(_of_places(update, states, dependence) for update in updates):
        return None
    read = (node for node in nodes if isinstance(node, Read) and node.value not in states)
    found = dict.fromkeys(node.value for node in read if _placed(node) & states)
    return list(found) or None


def _is_unfollowed(node: Term) -> bool:
    hidden = isinstance(node, Apply) and node.op.startswith("call:value ")
    return hidden or isinstance(node, (Trace, Order))


def _of_places(update: Term, states: frozenset[Value], dependence: Dependence) -> bool:
    """Is the value passed on, or made of states that are all looked up with?"""
    if isinstance(update, Read) and update.value in states:
        return True
    if isinstance(update, Apply) and update.op == "where":
        test, *sides = update.args
        if not dependence.mentions(test, states):
            return all(_of_places(side, states, dependence) for side in sides)
    return (dependence.states(update) & states) <= _looked_up(update)


def _looked_up(term: Term) -> frozenset[Value]:
    """The values that are certainly used as places where a term is computed."""
    if isinstance(term, Read):
        return _placed(term).union(*map(_looked_up, term.subs))
    if not isinstance(term, Apply):
        return frozenset()
    parts = [_looked_up(arg) for arg in term.args]
    if term.op == "where":
        return parts[0] | (parts[1] & parts[2])
    if term.op in ("and", "or"):
        return parts[0]
    return frozenset().union(*parts)


def _placed(read: Read) -> frozenset[Value]:
    """The values that are places themselves in what is read."""
    if read.value.body is not None or read.value.kind in ("state", "opaque"):
        return frozenset()
    return frozenset(sub.value for sub in read.subs if isinstance(sub, Read) and not sub.subs)
