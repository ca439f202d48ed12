"""Sums over all pairs that are the pull of particles on each other:

    a[i, k] = g sum_j m[j] (x[j, k] - x[i, k]) / (sum_l (x[j, l] - x[i, l])^2 + s^2)^(3/2)

The formula is built from the parts that a term offers and compared with it in normal form, so that
no spelling of it counts. The coordinates may be computed one by one and joined.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace

from auditor.algebra.normal import equal, expand
from auditor.lift import extents
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    free_indices,
    substitute,
    transform,
    walk,
)
from auditor.recurrences.recurrence import canonical_subscripts

_LARGEST = 400
_MOST_COLUMNS = 4
_ORDERS = {"eq": operator.eq, "lt": operator.lt, "le": operator.le}
_APART = {"gt": True, "ne": True, "eq": False, "le": False}
"""Comparisons of a distance with nothing, and whether they hold of particles that are apart."""
_ROOTS = frozenset(("pow", "sqrt", "rsqrt"))


@dataclass(frozen=True)
class Attraction:
    """``sign`` times the pull on the particles of ``positions`` (n, d). ``masses`` is the element
    that is the mass of another particle. ``softening`` is what is added to the
    squared distances, None where pairs of a particle with itself are left out and nothing is.
    With ``guarded`` particles at one place do nothing to each other. Of ``columns`` the positions
    may have more."""

    positions: Value
    masses: Read
    softening: Term | None
    gravity: Read | None
    sign: int
    others: bool = False
    guarded: bool = False
    columns: int | None = None


def attraction(term: Term, row: Index, part: Term, columns: int | None = None) -> Attraction | None:
    """What pulls, where ``term`` over particles and coordinates, of which there are ``columns``, is
    the sum over the others."""
    whole = canonical_subscripts(expand(term))
    nodes = list(walk(whole))
    if len(nodes) > _LARGEST or any(map(_is_cast, nodes)):
        return None
    total = next((n for n in nodes if isinstance(n, Reduce) and row in free_indices(n)), None)
    if total is None or total.op != "sum":
        return None
    column = total.index
    for positions in _positions(nodes, row, column, part):
        square = _square(positions, row, column, columns)
        told = _by_places(whole, square, row, column)
        pulled = _decided(told, row, column, same=False)
        others = pulled is not told and _nothing(total, square, row, column)
        inner = list(walk(pulled))
        for rest in _added(inner, square, {row, column}):
            if rest is None and not others:
                continue
            for found in _formulas(inner, positions, rest, row, column):
                if equal(_formula(found, square, row, column, part), pulled):
                    if others or pulled is told:
                        return replace(
                            found, others=others, guarded=told is not whole, columns=columns
                        )
    return None


def _by_places(term: Term, square: Term, row: Index, column: Index) -> Term:
    """``term`` with the question whether particles are the same in the place of those whether they
    are at one place."""
    pair = {row, column}

    def change(node: Term) -> Term:
        if not isinstance(node, Apply) or node.op not in _APART or not pair <= free_indices(node):
            return node
        asked, limit = node.args
        if limit is not ZERO or {asked, limit} == pair:
            return node
        if isinstance(asked, Apply) and asked.op == "sqrt":
            asked = asked.args[0]
        moving = [a for a in _addends(asked) if pair & free_indices(a)]
        if not moving or not equal(_sum(moving), square):
            return node
        return Apply("ne" if _APART[node.op] else "eq", (row, column))

    return transform(term, change)


def _decided(term: Term, row: Index, column: Index, same: bool) -> Term:
    """``term`` of a particle and itself (``same``), or of two that are not the same."""

    def change(node: Term) -> Term:
        if isinstance(node, Apply) and node.op == "where":
            if isinstance(decided := node.args[0], Const):  # a matrix of ones and zeros
                return node.args[1 if decided.value else 2]
            if {row, column} <= free_indices(node.args[0]):
                for op, holds in (("eq", same), ("ne", not same)):
                    if equal(_ones(node.args[0]), _ones(Apply(op, (row, column)))):
                        return node.args[1 if holds else 2]
        return node

    return transform(term, change)


def _ones(condition: Term) -> Term:
    return Apply("where", (condition, ONE, ZERO))


def _nothing(total: Reduce, square: Term, row: Index, column: Index) -> bool:
    """Whether a particle does nothing to itself, and nothing is divided by its distance of 0."""
    told = _decided(_by_places(total.body, square, row, column), row, column, same=True)
    alone = substitute(told, {column: row})
    divisors = (node for node in map(_divisor, walk(alone)) if node is not None)
    return not any(equal(node, ZERO) for node in divisors) and equal(alone, ZERO)


def _divisor(node: Term) -> Term | None:
    """What a term divides by."""
    if not isinstance(node, Apply):
        return None
    if node.op == "div":
        return node.args[1]
    if node.op == "pow" and isinstance(exponent := node.args[1], Const):
        return (
            node.args[0]
            if isinstance(exponent.value, (int, float)) and exponent.value < 0
            else None
        )
    return node.args[0] if node.op in ("pow", "rsqrt", "reciprocal") else None


def by_columns(value: Value) -> Attraction | None:
    """The same of coordinates that are computed one by one and joined."""
    if len(value.axes) != 2 or not isinstance(value.body, Apply) or value.body.op != "where":
        return None
    row, part = value.axes
    count = extents.constant(part.extent)
    if row.group or count is None or not 1 < count <= _MOST_COLUMNS:
        return None
    first: Attraction | None = None
    for place in range(count):
        term = _chosen(substitute(value.body, {part: Const(place)}))
        found = attraction(term, row, Const(place), count)
        if found is None or (first is not None and not _alike(first, found)):
            return None
        first = found
    return first


def _chosen(term: Term) -> Term:
    """What of a choice between numbered places a term is."""
    while isinstance(term, Apply) and term.op == "where":
        condition, then, otherwise = term.args
        assert isinstance(condition, Apply)
        sides = [side for arg in condition.args if (side := extents.constant(arg)) is not None]
        if condition.op not in _ORDERS or len(sides) != 2:
            break
        term = then if _ORDERS[condition.op](*sides) else otherwise
    return term


def _alike(one: Attraction, other: Attraction) -> bool:
    """Whether two coordinates are of the same pull."""
    parts = (
        (one.masses.value, other.masses.value), (one.positions, other.positions),
        (one.gravity and one.gravity.value, other.gravity and other.gravity.value),
    )  # fmt: skip
    mine, others = one.softening, other.softening
    softened = mine is others or (mine is not None and others is not None and equal(mine, others))
    return softened and (
        all(here is there for here, there in parts)
        and (one.sign, one.others, one.guarded) == (other.sign, other.others, other.guarded)
        and len(one.masses.subs) == len(other.masses.subs)
    )


def _is_cast(node: Term) -> bool:
    """Whether something is computed in another dtype."""
    return isinstance(node, Apply) and node.op.startswith("cast:")


def _positions(nodes: list[Term], row: Index, column: Index, part: Term) -> Iterator[Value]:
    """The arrays of which an element of one particle is taken from that of another."""
    for node in nodes:
        if isinstance(node, Apply) and node.op == "sub":
            left, right = node.args
            if isinstance(left, Read) and isinstance(right, Read) and left.value is right.value:
                if {left.subs, right.subs} == {(row, part), (column, part)}:
                    yield left.value
                    return


def _square(positions: Value, row: Index, column: Index, columns: int | None) -> Term:
    """The squared distance of two particles."""
    if columns is not None:
        every = [_apart(positions, row, column, Const(place)) for place in range(columns)]
        return _sum([Apply("mul", (apart, apart)) for apart in every])
    place = Index("l", positions.axes[1].extent)
    apart = _apart(positions, row, column, place)
    return Reduce("sum", place, Apply("mul", (apart, apart)))


def _apart(positions: Value, row: Index, column: Index, part: Term) -> Term:
    return Apply("sub", (Read(positions, (column, part)), Read(positions, (row, part))))


def _added(nodes: list[Term], square: Term, pair: set[Index]) -> Iterator[Term | None]:
    """What may be added to the squared distance under a root or power."""
    for node in nodes:
        if not isinstance(node, Apply) or node.op not in _ROOTS or not pair <= free_indices(node):
            continue
        moving = [a for a in _addends(node.args[0]) if pair & free_indices(a)]
        rest = [a for a in _addends(node.args[0]) if not pair & free_indices(a) and a is not ZERO]
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
    nodes: list[Term], positions: Value, rest: Term | None, row: Index, column: Index
) -> Iterator[Attraction]:
    reads = [node for node in nodes if isinstance(node, Read)]
    masses = [r for r in reads if _of_each(r, column)]
    numbers = [r for r in reads if not r.subs and (rest is None or r not in set(walk(rest)))]
    for mass in dict.fromkeys(masses):
        for gravity in dict.fromkeys((None, *numbers)):
            for sign in (1, -1):
                yield Attraction(positions, mass, rest, gravity, sign)


def _of_each(read: Read, column: Index) -> bool:
    """Whether a read is of one element for each particle that pulls."""
    if len(read.subs) == 2 and read.subs[1] is not ZERO:
        return False
    place = read.subs[0] if len(read.subs) in (1, 2) else ZERO
    return column in free_indices(place) and equal(place, column)


def _formula(found: Attraction, square: Term, row: Index, column: Index, part: Term) -> Term:
    base = square if found.softening is None else Apply("add", (square, found.softening))
    weight = Apply("pow", (base, Const(-1.5)))
    pull: Term = Apply("mul", (_apart(found.positions, row, column, part), weight))
    for factor in (found.masses, found.gravity, None if found.sign > 0 else Const(-1)):
        if factor is not None:
            pull = Apply("mul", (pull, factor))
    return Reduce("sum", column, pull)
