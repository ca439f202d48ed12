"""Sums over a few places around a cell, written out."""

from __future__ import annotations

from dataclasses import replace

from auditor.lift import extents
from auditor.nests.applied import ROW
from auditor.nests.kinds import slides
from auditor.nests.nest import Nest
from auditor.nests.parts import Filled, put
from auditor.notation import Apply, Const, Index, Read, Reduce, Term, transform, walk

_MOST = 9
_WAYS = {"sum": "add", "max": "max", "min": "min"}


def spread(nest: Nest, term: Term) -> Term:
    """``term`` with the sums over short windows as sums of their terms, in the order of the
    loops."""
    return transform(term, lambda node: _spread(nest, node))


def _spread(nest: Nest, node: Term) -> Term:
    if not isinstance(node, Reduce) or node.op not in _WAYS or not slides(
        frozenset((node.index,)), [node.body]
    ):  # fmt: skip
        return node
    if any(isinstance(inner, Apply) and inner.op == ROW for inner in walk(node.body)):
        return node  # a function of the window, not its sum
    if node.op != "sum" and not _of_numpy(nest, node):
        return node
    way = _WAYS[node.op]
    places = _places(nest, node.index)
    terms = list(_summands(node.body, way)) if places else []
    if not places or len(places) * len(terms) > _MOST:
        return node
    parts = [put(term, {node.index: Const(place)}) for place in places for term in terms]
    total = parts[0]
    for part in parts[1:]:
        total = Apply(way, (total, part))
    return total


def _of_numpy(nest: Nest, node: Reduce) -> bool:
    """Whether arrays are certainly NumPy's: of equal largest tensors each has a part in the
    gradient, and not the same in other ways to find them."""
    read = {each.value for each in walk(node) if isinstance(each, Read)}
    return nest.expressions.region.module.library == "numpy" or all(
        value.library == "numpy" for value in read
    )


def _places(nest: Nest, index: Index) -> list[int]:
    held = nest.walk(index)
    bounds = [extents.constant(term) for term in (held.low, held.high, held.stride)]
    if None in bounds:
        return []
    return list(range(*(bound for bound in bounds if bound is not None)))


def _summands(term: Term, way: str) -> list[Term]:
    """The terms of a sum, or of an extremum, that has been written out already."""
    if isinstance(term, Apply) and term.op == way and _alike(term):
        return [part for arg in term.args for part in _summands(arg, way)]
    return [term]


def _alike(term: Apply) -> bool:
    """Whether the two sides of a sum read the same arrays: a window that was written out."""
    arrays = [{n.value for n in walk(arg) if isinstance(n, Read)} for arg in term.args]
    return arrays[0] == arrays[1]


def written_out(nest: Nest, filled: Filled) -> Filled:
    """The array with its windows written out."""
    return replace(filled, term=spread(nest, filled.term))
