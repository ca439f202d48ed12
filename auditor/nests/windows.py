"""Sums over a few places around a cell, written out."""

from __future__ import annotations

from dataclasses import replace

from auditor.lift import extents
from auditor.nests.kinds import slides
from auditor.nests.parts import Filled, put
from auditor.nests.reading import Nest
from auditor.notation import Apply, Const, Index, Read, Reduce, Term, transform, walk

_MOST = 9


def spread(nest: Nest, term: Term) -> Term:
    """``term`` with the sums over short windows as sums of their terms, in the order of the
    loops."""
    return transform(term, lambda node: _spread(nest, node))


def _spread(nest: Nest, node: Term) -> Term:
    if not isinstance(node, Reduce) or node.op != "sum" or not slides(
        frozenset((node.index,)), [node.body]
    ):  # fmt: skip
        return node
    places = _places(nest, node.index)
    terms = list(_summands(node.body)) if places else []
    if not places or len(places) * len(terms) > _MOST:
        return node
    parts = [put(term, {node.index: Const(place)}) for place in places for term in terms]
    total = parts[0]
    for part in parts[1:]:
        total = Apply("add", (total, part))
    return total


def _places(nest: Nest, index: Index) -> list[int]:
    held = nest.walk(index)
    bounds = [extents.constant(term) for term in (held.low, held.high, held.stride)]
    if None in bounds:
        return []
    return list(range(*(bound for bound in bounds if bound is not None)))


def _summands(term: Term) -> list[Term]:
    """The terms of a sum that has been written out already."""
    if isinstance(term, Apply) and term.op == "add" and _alike(term):
        return [part for arg in term.args for part in _summands(arg)]
    return [term]


def _alike(term: Apply) -> bool:
    """Whether the two sides of a sum read the same arrays: a window that was written out."""
    arrays = [{n.value for n in walk(arg) if isinstance(n, Read)} for arg in term.args]
    return arrays[0] == arrays[1]


def written_out(nest: Nest, filled: Filled) -> Filled:
    """The array with its windows written out."""
    return replace(filled, term=spread(nest, filled.term))
