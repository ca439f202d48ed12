"""The first places of an order over what a state held and new entries beside it: the k best so far
and a few more, of which the k best are kept."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.algebra.normal import equal
from auditor.notation import ZERO, Apply, Index, Order, Read, Term, Value


@dataclass(frozen=True)
class KeptPlaces:
    """``entry`` are the new ones, over ``place``, of which the first stands at ``first``: there are
    as many as ``place`` has steps beyond those that are kept."""

    entry: Term
    place: Index
    first: Term
    kept: Term
    largest: bool


def kept_places(update: Term, state: Value) -> KeptPlaces | None:
    """What an update selects from, where it keeps values of its own state's axis of the order of
    old and new ones; None for anything else. What is new may read the state: that is not asked."""
    if not isinstance(update, Order) or update.what != "values" or update.rank not in state.axes:
        return None
    body, place, kept = update.body, update.index, update.rank
    if not isinstance(kept, Index) or not isinstance(body, Apply) or body.op != "where":
        return None
    condition, front, behind = body.args
    if not isinstance(condition, Apply) or condition.op != "lt" or condition.args[0] is not place:
        return None
    cut = condition.args[1]
    if cut is kept.extent and _is_old(front, state, place, ZERO):
        return KeptPlaces(behind, place, cut, kept.extent, update.descending)
    whole = equal(Apply("add", (cut, kept.extent)), place.extent)
    if whole and _is_old(behind, state, place, cut):
        return KeptPlaces(front, place, ZERO, kept.extent, update.descending)
    return None


def _is_old(term: Term, state: Value, place: Index, ahead: Term) -> bool:
    """Whether a term is what the state held, from ``ahead`` on."""
    if not isinstance(term, Read) or term.value is not state:
        return False
    return any(equal(Apply("add", (sub, ahead)), place) for sub in term.subs)
