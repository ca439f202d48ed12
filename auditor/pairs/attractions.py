"""Sums over all pairs that are the pull of particles on each other:

    a[i, k] = g sum_j m[j] (x[j, k] - x[i, k]) / (sum_l (x[j, l] - x[i, l])^2 + s^2)^(3/2)

The formula is built from the parts that a term offers and compared with it in normal form, so that
no spelling of it counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from auditor.algebra.normal import equal, expand
from auditor.notation import (
    ZERO,
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    free_indices,
    walk,
)

_LARGEST = 400
_ROOTS = frozenset(("pow", "sqrt", "rsqrt"))


@dataclass(frozen=True)
class Attraction:
    """``sign`` times the pull on the particles of ``positions`` (n, d). ``masses`` is the element
    that is the mass of another particle. ``softening`` is what is added to the
    squared distances, None where pairs of a particle with itself are left out and nothing is."""

    positions: Value
    masses: Read
    softening: Term | None
    gravity: Read | None
    sign: int
    others: bool


def attraction(term: Term, axes: Sequence[Index]) -> Attraction | None:
    """What pulls, where ``term`` over particles and coordinates is the sum over the others."""
    if not (isinstance(term, Reduce) and term.op == "sum") or len(axes) != 2:
        return None
    row, part = axes
    whole = expand(term)
    assert isinstance(whole, Reduce)
    nodes = list(walk(whole))
    if len(nodes) > _LARGEST or any(map(_is_cast, nodes)):
        return None
    for positions in _positions(nodes, row, whole.index, part):
        square = _square(positions, row, whole.index)
        for rest in _added(nodes, square, {row, whole.index}):
            for others in (False, True) if rest is not None else (True,):
                for found in _formulas(nodes, positions, rest, others, row, whole.index):
                    if equal(_formula(found, square, row, whole.index, part), whole):
                        return found
    return None


def _is_cast(node: Term) -> bool:
    """Whether something is computed in another dtype."""
    return isinstance(node, Apply) and node.op.startswith("cast:")


def _positions(nodes: list[Term], row: Index, column: Index, part: Index) -> Iterator[Value]:
    """The arrays of which an element of one particle is taken from that of another."""
    for node in nodes:
        if isinstance(node, Apply) and node.op == "sub":
            left, right = node.args
            if isinstance(left, Read) and isinstance(right, Read) and left.value is right.value:
                if {left.subs, right.subs} == {(row, part), (column, part)}:
                    yield left.value
                    return


def _square(positions: Value, row: Index, column: Index) -> Reduce:
    """The squared distance of two particles."""
    place = Index("l", positions.axes[1].extent)
    apart = _apart(positions, row, column, place)
    return Reduce("sum", place, Apply("mul", (apart, apart)))


def _apart(positions: Value, row: Index, column: Index, part: Index) -> Term:
    return Apply("sub", (Read(positions, (column, part)), Read(positions, (row, part))))


def _added(nodes: list[Term], square: Term, pair: set[Index]) -> Iterator[Term | None]:
    """What may be added to the squared distance under a root or power."""
    for node in nodes:
        if not isinstance(node, Apply) or node.op not in _ROOTS or not pair <= free_indices(node):
            continue
        moving = [a for a in _addends(node.args[0]) if pair & free_indices(a)]
        rest = [a for a in _addends(node.args[0]) if not pair & free_indices(a)]
        if moving and equal(_sum(moving), square):
            yield _sum(rest) if rest else None
            return


def _addends(term: Term) -> list[Term]:
    if isinstance(term, Apply) and term.op == "add":
        return [part for each in term.args for part in _addends(each)]
    return [term]


def _sum(terms: list[Term]) -> Term:
    return terms[0] if len(terms) == 1 else Apply("add", tuple(terms))


def _formulas(
    nodes: list[Term], positions: Value, rest: Term | None, others: bool, row: Index, column: Index
) -> Iterator[Attraction]:
    reads = [node for node in nodes if isinstance(node, Read)]
    masses = [r for r in reads if _of_each(r, column)]
    numbers = [r for r in reads if not r.subs and (rest is None or r not in set(walk(rest)))]
    for mass in dict.fromkeys(masses):
        for gravity in dict.fromkeys((None, *numbers)):
            for sign in (1, -1):
                yield Attraction(positions, mass, rest, gravity, sign, others)


def _of_each(read: Read, column: Index) -> bool:
    """Whether a read is of one element for each particle that pulls."""
    if len(read.subs) == 2 and read.subs[1] is not ZERO:
        return False
    place = read.subs[0] if len(read.subs) in (1, 2) else ZERO
    return column in free_indices(place) and equal(place, column)


def _formula(found: Attraction, square: Term, row: Index, column: Index, part: Index) -> Term:
    base = square if found.softening is None else Apply("add", (square, found.softening))
    pull: Term = Apply("div", (_apart(found.positions, row, column, part),
                               Apply("pow", (base, Const(1.5)))))  # fmt: skip
    for factor in (found.masses, found.gravity, None if found.sign > 0 else Const(-1)):
        if factor is not None:
            pull = Apply("mul", (pull, factor))
    if found.others:
        pull = Apply("where", (Apply("ne", (row, column)), pull, ZERO))
    return Reduce("sum", column, pull)
