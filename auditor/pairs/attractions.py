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
    walk,
)
from auditor.recurrences.recurrence import canonical_subscripts

_LARGEST = 400
_MOST_COLUMNS = 4
_ORDERS = {"eq": operator.eq, "lt": operator.lt, "le": operator.le}
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
    others: bool
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
    column, guarded = total.index, any(map(_is_guard, nodes))
    for positions in _positions(nodes, row, column, part):
        square = _square(positions, row, column, columns)
        for rest in _added(nodes, square, {row, column}):
            for others in (False, True) if rest is not None or guarded else (True,):
                for found in _formulas(nodes, positions, rest, others, row, column):
                    found = replace(found, guarded=guarded, columns=columns)
                    formulas = _formula(found, square, row, column, part)
                    if any(equal(formula, whole) for formula in formulas):
                        return found
    return None


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
        sides = [extents.constant(arg) for arg in condition.args]
        if condition.op not in _ORDERS or len(sides) != 2 or None in sides:
            break
        term = then if _ORDERS[condition.op](*sides) else otherwise
    return term


def _alike(one: Attraction, other: Attraction) -> bool:
    """Whether two coordinates are of the same pull."""
    parts = (
        (one.masses.value, other.masses.value), (one.positions, other.positions),
        (one.gravity and one.gravity.value, other.gravity and other.gravity.value),
    )  # fmt: skip
    softened = (one.softening, other.softening)
    return (
        all(mine is theirs for mine, theirs in parts)
        and (one.sign, one.others, one.guarded) == (other.sign, other.others, other.guarded)
        and len(one.masses.subs) == len(other.masses.subs)
        and (softened == (None, None) or (None not in softened and equal(*softened)))
    )


def _is_guard(node: Term) -> bool:
    """Whether something is chosen where a squared distance is more than nothing."""
    if not isinstance(node, Apply) or node.op != "where":
        return False
    condition = node.args[0]
    return isinstance(condition, Apply) and condition.op == "gt" and condition.args[1] is ZERO


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


def _formula(
    found: Attraction, square: Term, row: Index, column: Index, part: Term
) -> Iterator[Term]:
    """The formula; a guarded one has nothing in the place of what is divided by, or that itself,
    which is nothing as well."""
    base = square if found.softening is None else Apply("add", (square, found.softening))
    weight: Term = Apply("pow", (base, Const(-1.5)))
    for rest in (ZERO, base) if found.guarded else (None,):
        kept = weight
        if rest is not None:
            kept = Apply("where", (Apply("gt", (base, ZERO)), weight, rest))
        pull: Term = Apply("mul", (_apart(found.positions, row, column, part), kept))
        for factor in (found.masses, found.gravity, None if found.sign > 0 else Const(-1)):
            if factor is not None:
                pull = Apply("mul", (pull, factor))
        if found.others:
            pull = Apply("where", (Apply("ne", (row, column)), pull, ZERO))
        yield Reduce("sum", column, pull)
