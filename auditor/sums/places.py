"""What a loop or a comprehension computes at every place, as one reduction of a term.

A loop within a loop, a generator in a call, slices and running totals that begin anew are all read
as notation says them: ``name[places] = op_within term``, with what is free of ``within`` left out
where it only scales or shifts. No code is written from this: it is for what is told.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from auditor.algebra.limits import TooLarge
from auditor.algebra.nested import flattened
from auditor.algebra.normal import expand
from auditor.algebra.subterms import everything
from auditor.lagged.lags import integral
from auditor.lift import extents
from auditor.notation import (
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Scan,
    Term,
    Trace,
    Value,
    definition,
    free_indices,
)
from auditor.rewrite import Site

_THROUGH = ("neg", "div", "sqrt", "call:float", "call:detach")
"""What may be done to a sum that is told all the same."""


@dataclass(frozen=True)
class Sum:
    """What is called ``name`` at ``places``: ``term`` reduced over ``within``."""

    name: str
    places: tuple[Index, ...]
    op: str
    within: Index
    term: Term

    @property
    def called(self) -> str:
        return f"`{self.name}`" if self.name.isidentifier() else self.name

    @property
    def reads(self) -> list[Read]:
        """The elements that are met, each once."""
        found: dict[Read, None] = {}
        waiting = [self.term]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Read):
                found[node] = None
            elif isinstance(node, Apply):
                waiting += node.args
        return list(found)


def sums_of(site: Site, of: Collection[str] = ()) -> list[Sum]:
    """The reductions that a site puts at places that move with its steps; with ``of`` those alone
    of products in which one of these operations is a factor."""
    try:
        return [found for name, places, term in _cells(site)
                for found in _reduced(name, places, term, of)
                if site.loop is not None or not _of_a_loop(term)]  # fmt: skip
    except TooLarge:
        return []


def _cells(site: Site) -> Iterator[tuple[str, tuple[Index, ...], Term]]:
    """What is put where: a name, the places, and the term at them."""
    computation = site.computation
    if computation.effects:
        return
    if site.loop is None:
        if site.value is not None and site.value.axes and not isinstance(site.node, ast.ListComp):
            yield from _of_value(site.value)
        if isinstance(site.node, ast.ListComp):
            for value in computation.outputs:
                yield from (("the items", places, term) for _, places, term in _of_value(value))
        return
    scan = computation.scan
    if scan is None or site.loop.blocked is not None or site.loop.lost:
        return
    names = (*site.loop.lists, *site.loop.results)
    start = len(scan.carries)
    for number, update in enumerate(computation.per_step):
        place = computation.places[start + number] if computation.places else ()
        term = expand(flattened(update, scan))
        places = _places(place, scan, term)
        if places is not None:
            yield names[number] if number < len(names) else "the result", places, term


def _of_value(value: Value) -> Iterator[tuple[str, tuple[Index, ...], Term]]:
    places = tuple(axis for axis in value.axes if not axis.group)
    if value.body is not None and places:
        yield value.name if value.is_named else "the result", places, value.body


def _of_a_loop(term: Term) -> bool:
    """Whether a value rests on what a loop carries: it is told there."""
    return any(isinstance(node, Trace) for node in everything([term], sizes=False))


def _places(place: tuple[Term, ...], scan: Scan, term: Term) -> tuple[Index, ...] | None:
    """The indices of the steps' places, where each step has its own."""
    found = [sub for sub in place if isinstance(sub, Index)]
    if place and (len(found) < len(place) or scan.step not in found):
        return None
    return tuple(index for index in found if not index.group) or (scan.step,)


def _reduced(
    name: str, places: tuple[Index, ...], term: Term, of: Collection[str]
) -> Iterator[Sum]:
    """The one reduction that a term is, but for what scales it or is added to it."""
    while True:
        if isinstance(term, Read) and (body := definition(term)) is not None:
            term = body
        elif isinstance(term, Apply) and (term.op in _THROUGH or term.op.startswith("cast:")):
            term = term.args[0]
        elif isinstance(term, Apply) and term.op in ("add", "mul"):
            kept = [arg for arg in term.args if not isinstance(arg, Const)]
            if len(kept) != 1:
                return
            (term,) = kept
        else:
            break
    if isinstance(term, Reduce) and not term.index.group:
        heads = _heads(term.body) if of else ()
        if of and not any(isinstance(head, Apply) and head.op in of for head in heads):
            return
        body = expand(term.body)
        if not any(isinstance(part, Reduce) for part in factors(body)):
            yield Sum(name, places, term.op, term.index, body)


def _heads(term: Term) -> Iterator[Term]:
    """The factors of a product whose parts have names."""
    while isinstance(term, Read) and (body := definition(term)) is not None:
        term = body
    parts = factors(term)
    if parts == [term]:
        yield term
    else:
        for part in parts:
            yield from _heads(part)


def factors(term: Term) -> list[Term]:
    """The factors of a product."""
    if isinstance(term, Apply) and term.op == "mul":
        return [part for arg in term.args for part in factors(arg)]
    if isinstance(term, Apply) and (term.op.startswith("cast:") or term.op == "call:float"):
        return factors(term.args[0])
    return [term]


def coefficient(sub: Term, index: Index) -> int | None:
    """By how much a place moves with an index, step by step; None where it does not in that way."""
    moves = 0
    for monomial, factor in extents.polynomial(extents.canonical(integral(sub))).items():
        if index in monomial:
            if len(monomial) > 1:
                return None
            moves = factor
        elif any(index in free_indices(atom) for atom in monomial):
            return None
    return moves


def of_lists(found: Sum) -> bool:
    """Whether all that is read may be lists of numbers."""
    return all(read.value.library in (None, "python") for read in found.reads)
