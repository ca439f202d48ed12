"""Sums of products of which one factor is read at a distance from the place that is filled.

    y[i] = sum_k a[i - k + c] b[k]          a convolution; with i + k a correlation
    y[i] = sum_k a[(i - k + c) mod n] b[k]  a circular one: the matrix is circulant

That is a Toeplitz matrix times a vector, however the matrix came about: its entries are looked at
through the names that made them. Which pairs (i, k) take part is said by inequalities; they must be
those at which ``a`` and ``b`` have elements, no fewer and no more, so that the sum is all of a
convolution at that place. A mask that cuts elsewhere, or a place that wraps round to the end
without a modulus, is no convolution. Entries on both sides of the diagonal are those of one longer
vector (``auditor.lagged.two_sided``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from auditor.algebra.normal import expand
from auditor.lagged.two_sided import Halves, Square
from auditor.lift import extents
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Symbol,
    Term,
    Value,
    definition,
    free_indices,
    substitute,
    transform,
    walk,
)

Bounds = Callable[[Index], tuple[Term, Term]]
"""The first integer that an index stands for, and the first one behind the last."""
Extent = Callable[[Term], Term]
"""The length of an axis, as the facts know it."""

_AT_MOST = 4  # factors of a product that are looked at


@dataclass(frozen=True)
class Lagged:
    """``sum_within moving[.., ways . (index, within) + offset, ..] still[.., within, ..]``.

    ``at`` and ``place`` are the axes of ``moving`` and ``still`` that move; ``period`` is the
    modulus of a circular one. ``taps`` is how many elements of ``still`` take part where that is
    not all of them; ``reach`` is that of ``moving`` in a circular one, and in others the number of
    its places where an inequality names it. ``opened`` are the matrices that were looked into,
    ``casts`` the types that elements are converted to, ``halves`` what the array that moves is put
    together from where the matrix has entries on both sides of the diagonal."""

    moving: Read
    still: Read
    at: int
    place: int
    index: Index
    within: Index
    ways: tuple[int, int]
    offset: Term
    period: Term | None = None
    taps: Term | None = None
    reach: Term | None = None
    opened: tuple[Value, ...] = ()
    casts: tuple[str, ...] = ()
    halves: Halves | None = None

    @property
    def vectors(self) -> list[Value]:
        """The arrays that are read, each once."""
        moving = [self.moving.value] if self.halves is None else self.halves.values
        return list(dict.fromkeys((*moving, self.still.value)))


def lagged(
    term: Term, axes: Iterable[Index], bounds: Bounds, extent: Extent, wraps: bool = True
) -> Lagged | None:
    """``term``, an element at ``axes``, as such a sum; None where it is none. ``wraps`` says that a
    remainder may be meant as one (``auditor.arrays.wrapping``)."""
    while isinstance(term, Read) and (body := definition(term)) is not None:
        term = body
    if not isinstance(term, Reduce) or term.op != "sum" or not _meets(term.body, set()):
        return None
    term = _steady(term, bounds)
    within = term.index
    for index in axes:
        if index.group or within.group:
            continue
        for views, sides in ((False, False), (True, False), (False, True)):
            found = _lagged(term.body, index, within, views, sides, bounds, extent, wraps)
            if found is not None:
                return found
    return None


def _meets(term: Term, seen: set[Value]) -> bool:
    """Whether somewhere an element lies at a place that two indices tell: without one there is no
    lag, and that is known sooner."""
    for node in walk(term):
        if isinstance(node, Read):
            if any(not isinstance(s, Index) and len(free_indices(s)) > 1 for s in node.subs):
                return True
            if node.value not in seen:
                seen.add(node.value)
                if node.value.body is not None and _meets(node.value.body, seen):
                    return True
    return False


def _steady(term: Reduce, bounds: Bounds) -> Reduce:
    """A sum whose end moves with the place that is filled, as one to a fixed end, of which the
    steps behind the first one add nothing."""
    moves = [index for index in free_indices(term.index.extent) if not index.group]
    if not moves or bounds(term.index)[0] is not ZERO:
        return term
    ends = _least_of(term.index.extent)
    fixed = [end for end in ends if not free_indices(end)]
    last = fixed[0] if fixed else _farthest(ends[0], bounds)
    if last is None:
        return term
    index = Index(term.index.name, last)
    body = substitute(term.body, {term.index: index})
    for end in ends:
        if end is not last:
            body = Apply("where", (Apply("lt", (index, end)), body, ZERO))
    return Reduce(term.op, index, body)


def _least_of(end: Term) -> list[Term]:
    if isinstance(end, Apply) and end.op == "min":
        return [each for arg in end.args for each in _least_of(arg)]
    return [extents.canonical(end)]


def _farthest(end: Term, bounds: Bounds) -> Term | None:
    """The largest that an end gets, where it goes with the places that it moves with or against
    them, step by step."""
    parts = extents.polynomial(end)
    by: dict[Term, Term] = {}
    for index in free_indices(end):
        factor = parts.get((index,))
        if factor not in (1, -1):
            return None
        low, high = bounds(index)
        by[index] = low if factor == -1 else extents.sub(high, ONE)
    found = extents.canonical(substitute(end, by))
    return None if free_indices(found) else found


def _lagged(
    body: Term,
    index: Index,
    within: Index,
    views: bool,
    sides: bool,
    bounds: Bounds,
    extent: Extent,
    wraps: bool,
) -> Lagged | None:
    if not _multiplies(body, index, within, views, sides):
        return None
    opened: dict[Value, None] = {}
    casts: list[str] = []
    halves: dict[Value, Halves] = {}
    product = _opened(body, index, within, views, opened)
    if sides:
        ranges = [bounds(each) for each in (index, within)]
        if any(low is not ZERO for low, _ in ranges):
            return None
        square = Square(index, within, ranges[0][1], ranges[1][1], extent)
        product = square.joined(product, halves)
        if len(halves) != 1:
            return None
    parts = _factors(product, casts)
    if parts is None or len(parts[0]) != 2:
        return None
    reads, guards = parts
    domain = _Domain(index, within, bounds, guards, wraps, bool(opened)).settled()
    for moving, still in (reads, reads[::-1]):
        found = domain.lag(moving, still, extent, halves.get(moving.value))
        if found is not None and bool(halves) is (found.halves is not None):
            return replace(found, opened=tuple(opened), casts=tuple(casts))
    return None


def _multiplies(term: Term, index: Index, within: Index, views: bool, sides: bool) -> bool:
    """Whether ``term`` may be a product of two elements as ``_factors`` reads it, one of them at a
    lag, once it is opened and, for ``sides``, choices are joined: what is none is told so without
    opening the rest."""

    def nothing(branch: Term) -> bool:
        body = _within_reach(branch, index, within, views) if isinstance(branch, Read) else branch
        return body is not None and _zero(body)

    reads, lags = 0, False
    stack = [term]
    while stack:
        node = stack.pop()
        if isinstance(node, Read):
            body = _within_reach(node, index, within, views)
            if body is None:
                reads += 1
                lags |= any(type(sub) is not Index and {index, within} <= free_indices(sub)
                            for sub in node.subs)  # fmt: skip
            else:
                stack.append(body)
        elif isinstance(node, Apply) and node.op == "mul":
            stack += node.args
        elif isinstance(node, Apply) and node.op == "where":
            zero = [nothing(arg) for arg in node.args[1:]]
            if any(zero):
                stack.append(node.args[1 if zero[1] else 2])
            elif sides:
                reads, lags = reads + 1, True
            else:
                return False
        elif isinstance(node, Apply) and node.op.startswith("cast:"):
            stack.append(node.args[0])
        elif not _compares(node) and not (isinstance(node, Const) and node.value == 1):
            return False
        if reads > _AT_MOST:
            return False
    return lags


def _opened(
    term: Term, index: Index, within: Index, views: bool, opened: dict[Value, None]
) -> Term:
    """``term`` with the entries of matrices over both indices as what they are, and, with
    ``views``, elements of what only moves those of another array."""

    def change(node: Term) -> Term:
        if not isinstance(node, Read):
            return node
        body = _within_reach(node, index, within, views)
        if body is not None:
            opened[node.value] = None
            return transform(body, change)
        if {index, within} <= free_indices(node):
            subs = tuple(integral(expand(sub)) for sub in node.subs)
            return Read(node.value, subs, node.aligned)
        return node

    return transform(term, change)


def _within_reach(node: Read, index: Index, within: Index, views: bool) -> Term | None:
    """The definition of an element over both indices, where it is opened."""
    if not {index, within} <= free_indices(node):
        return None
    both = index in node.subs and within in node.subs
    if not both and not views:
        return None
    body = definition(node)
    return body if body is not None and (both or _moved(body) or _zero(body)) else None


def _moved(term: Term) -> bool:
    """Whether an element is one of another array, or 0: nothing is computed."""
    if isinstance(term, Apply) and term.op == "where":
        return all(_zero(arg) or _moved(arg) for arg in term.args[1:])
    return isinstance(term, Read)


def _factors(term: Term, casts: list[str]) -> tuple[list[Read], list[Term]] | None:
    """The arrays of a product, and what has to be at least 0 for it not to be 0."""
    reads: list[Read] = []
    guards: list[Term] = []
    stack = [term]
    while stack:
        node = stack.pop()
        if isinstance(node, Read):
            reads.append(node)
            if len(reads) > _AT_MOST:
                return None
        elif isinstance(node, Apply) and node.op == "mul":
            stack += node.args
        elif isinstance(node, Apply) and node.op == "where" and _zero(node.args[2]):
            more = inequalities(node.args[0])
            if more is None:
                return None
            guards += more
            stack.append(node.args[1])
        elif isinstance(node, Apply) and node.op == "where" and _zero(node.args[1]):
            more = inequalities(node.args[0], False)
            if more is None:
                return None
            guards += more
            stack.append(node.args[2])
        elif isinstance(node, Apply) and node.op.startswith("cast:"):
            if not _compares(node.args[0]):
                casts.append(node.op.removeprefix("cast:"))
            stack.append(node.args[0])
        elif _compares(node):
            more = inequalities(node)
            if more is None:
                return None
            guards += more
        elif not (isinstance(node, Const) and node.value == 1):
            return None
    return reads, guards


def integral(term: Term) -> Term:
    """Arithmetic of integers in canonical form, within other functions too."""

    def change(node: Term) -> Term:
        if not isinstance(node, Apply):
            return node
        if node.op == "add":
            return extents.add(*node.args)
        if node.op == "mul":
            return extents.mul(*node.args)
        if node.op == "sub":
            return extents.sub(*node.args)
        return extents.neg(node.args[0]) if node.op == "neg" else node

    return transform(term, change)


def _zero(term: Term) -> bool:
    return isinstance(term, Const) and not isinstance(term.value, (str, bool)) and term.value == 0


def _compares(term: Term) -> bool:
    return isinstance(term, Apply) and term.op in ("le", "lt", "ge", "gt", "and")


_OPPOSITE = {"le": "gt", "gt": "le", "lt": "ge", "ge": "lt"}


def inequalities(condition: Term, holds: bool = True) -> list[Term] | None:
    """What has to be at least 0 for a condition on integers to hold, or not to; None where it is
    no conjunction of inequalities."""
    if not isinstance(condition, Apply):
        return None
    if condition.op == "not":
        return inequalities(condition.args[0], not holds)
    if condition.op in ("and", "mul", "or"):
        if (condition.op == "or") is holds:
            return None
        parts = [inequalities(arg, holds) for arg in condition.args]
        return None if None in parts else [one for part in parts for one in part or ()]
    if condition.op not in _OPPOSITE:
        return None
    op = condition.op if holds else _OPPOSITE[condition.op]
    left, right = (integral(expand(arg)) for arg in condition.args)
    if op in ("le", "lt"):
        left, right = right, left
    apart = extents.sub(left, right)
    return [apart if op in ("le", "ge") else extents.sub(apart, ONE)]


@dataclass(frozen=True)
class _Domain:
    """The pairs of two indices at which ``guards`` are no less than 0. ``wraps`` says that a
    remainder may be meant as one, ``built`` that a matrix of the products' factors is made."""

    index: Index
    within: Index
    bounds: Bounds
    guards: list[Term]
    wraps: bool
    built: bool

    def settled(self) -> _Domain:
        """With remainders of what is less than a period away from 0 as what they say of it: where
        ``-n < p < n``, ``p mod 2 n < n`` is ``p >= 0``."""
        return replace(self, guards=[self._settled(guard) for guard in self.guards])

    def _settled(self, guard: Term) -> Term:
        parts = extents.polynomial(guard)
        rests = [m[0] for m, f in parts.items() if f == -1 and len(m) == 1
                 and isinstance(m[0], Apply) and m[0].op == "mod"]  # fmt: skip
        if len(rests) != 1:
            return guard
        (rest,) = rests
        assert isinstance(rest, Apply)
        period = rest.args[1]
        place = _without_whole(rest.args[0], period)
        limit = extents.add(guard, rest)  # the largest remainder that is let through
        beyond = extents.sub(extents.sub(extents.add(place, period), limit), ONE)
        if self.surely(beyond, ()) and self.surely(extents.sub(limit, place), ()):
            return place
        return guard

    def lag(
        self, moving: Read, still: Read, extent: Extent, halves: Halves | None
    ) -> Lagged | None:
        """The sum as one over a lag of ``moving``, if it is one."""
        if moving.aligned or still.aligned:
            return None
        places = [p for p, sub in enumerate(still.subs) if free_indices(sub) & {self.within}]
        moved = [p for p, sub in enumerate(moving.subs) if self.within in free_indices(sub)]
        if len(places) != 1 or len(moved) != 1 or self.index in free_indices(still):
            return None
        (place,), (at,) = places, moved
        if extents.canonical(still.subs[place]) is not self.within:
            return None
        if any(
            self.index in free_indices(sub) for p, sub in enumerate(moving.subs) if p != at
        ) or not _plain(moving, at) or not _plain(still, place):  # fmt: skip
            return None
        sub, period = self._resolved(moving.subs[at]), None
        if isinstance(sub, Apply) and sub.op == "mod":
            sub, period = sub.args
            parts = extents.polynomial(extents.canonical(period))
            if parts and all(extents.polynomial(sub).get(m) == f for m, f in parts.items()):
                sub = extents.sub(sub, period)
        form = self._linear(sub)
        if form is None:
            return None
        ways, offset = form
        if ways not in ((1, -1), (-1, 1), (1, 1)):
            return None
        have, taps = (extent(read.value.axes[p].extent) for read, p in
                      ((moving, at), (still, place)))  # fmt: skip
        found = Lagged(moving, still, at, place, self.index, self.within, ways, offset, period,
                       halves=halves)  # fmt: skip
        if period is not None:
            return self._circular(found, have, taps)
        return self._straight(found, sub, have, taps)

    def _circular(self, found: Lagged, have: Term, taps: Term) -> Lagged | None:
        """The sum where all places of a period take part; what operands hold beyond does not."""
        period = found.period
        assert period is not None
        low, high = self.bounds(self.within)
        first, last = self.bounds(self.index)
        whole = _same(high, period) and _same(last, period)
        if not whole or any(each is not ZERO for each in (low, first, found.offset)):
            return None
        if not all(self.surely(guard, ()) for guard in self.guards):
            return None
        return replace(found, reach=None if _same(have, period) else period,
                       taps=None if _same(taps, period) else period)  # fmt: skip

    def _straight(self, found: Lagged, sub: Term, have: Term, count: Term) -> Lagged | None:
        low, high = self.bounds(self.within)
        first, _ = self.bounds(self.index)
        if first is not ZERO or low is not ZERO:
            return None
        reach = taps = None
        guarded = False
        if not self._implied(extents.sub(extents.sub(high, ONE), self.within), sub):
            taps = high
        for guard in self.guards:
            if _same(guard, sub) or _same(guard, self.within):
                guarded = guarded or _same(guard, sub)
                continue
            others = [each for each in (*self.guards, sub) if each is not guard]
            over = extents.add(guard, sub)
            if not free_indices(over):
                if reach is not None and not _same(reach, extents.add(over, ONE)):
                    return None
                reach = extents.add(over, ONE)
                if not _same(extents.sub(reach, have), ZERO):
                    return None
            elif self.surely(guard, others):
                continue
            elif not free_indices(extents.add(guard, self.within)):
                end = extents.add(extents.add(guard, self.within), ONE)
                if taps is not None and not _same(extents.sub(taps, end), ZERO):
                    return None
                taps = end
            else:
                return None
        if not guarded and not self.surely(sub, self.guards):
            return None
        if not (guarded or self.built) and reach is None and found.halves is None:
            return None  # windows that lie within: no element is left out
        if taps is not None and _same(extents.sub(taps, count), ZERO):
            taps = None
        return replace(found, taps=taps, reach=reach)

    def _implied(self, own: Term, sub: Term) -> bool:
        """Whether the last step of the sum is told by what else holds, whatever its range is."""
        for each in (*self.guards, sub):
            apart = extents.sub(own, each)
            if self.within not in free_indices(apart) and self._least(apart):
                return True
        return False

    def _linear(self, sub: Term) -> tuple[tuple[int, int], Term] | None:
        parts = dict(extents.polynomial(sub))
        ways = parts.pop((self.index,), 0), parts.pop((self.within,), 0)
        rest = extents.sub(sub, extents.add(extents.mul(Const(ways[0]), self.index),
                                            extents.mul(Const(ways[1]), self.within)))  # fmt: skip
        return None if free_indices(rest) else (ways, rest)

    def _resolved(self, sub: Term) -> Term:
        """A place without the bounds that it keeps in any case."""

        def change(node: Term) -> Term:
            if isinstance(node, Apply) and node.op == "abs":
                return node.args[0] if self.surely(node.args[0], self.guards) else node
            if not isinstance(node, Apply) or len(node.args) != 2:
                return node
            left, right = node.args
            if node.op in ("max", "min"):
                apart = extents.sub(left, right)
                if self.surely(apart, self.guards):
                    return left if node.op == "max" else right
                if self.surely(extents.neg(apart), self.guards):
                    return right if node.op == "max" else left
            if node.op == "mod":
                left = _without_whole(left, right)
                node = Apply("mod", (left, right))
            if node.op == "mod" and self.surely(left, self.guards):
                if not self.wraps:
                    return left
                if self.surely(extents.sub(extents.sub(right, ONE), left), self.guards):
                    return left
            return node

        return _turned(extents.canonical(transform(sub, change)))

    def surely(self, term: Term, given: Iterable[Term]) -> bool:
        """Whether ``term`` is at least 0 at all pairs at which ``given`` are."""
        if self._least(term):
            return True
        return any(self._least(extents.sub(term, each)) for each in given)

    def _least(self, term: Term) -> bool:
        """Whether the least value over both ranges is at least 0. Neither range is empty where a
        pair is, so that what one ends at is at least one more than where it begins."""
        apart = []
        for index in (self.index, self.within):
            low, high = self.bounds(index)
            factor = extents.polynomial(term).get((index,), 0)
            term = substitute(term, {index: low if factor >= 0 else extents.sub(high, ONE)})
            apart.append(extents.sub(extents.sub(high, low), ONE))
        left = extents.polynomial(extents.canonical(term))
        if _no_less(left):
            return True
        return any(
            _no_less(extents.polynomial(extents.sub(extents.canonical(term), each)))
            for each in apart
        )


def _turned(sub: Term) -> Term:
    """A place counted from the end of a period as one modulo it: what is left of ``n - 1`` without
    a remainder is a remainder."""
    parts = extents.polynomial(sub)
    rests = [m[0] for m, f in parts.items() if f == -1 and len(m) == 1]
    for rest in rests:
        if isinstance(rest, Apply) and rest.op == "mod":
            place, period = rest.args
            last = extents.sub(period, ONE)
            if extents.add(sub, rest) is extents.canonical(last):
                return Apply("mod", (_without_whole(extents.sub(last, place), period), period))
    return sub


def _without_whole(term: Term, period: Term) -> Term:
    """``term`` without the multiples of a period that it is said to have."""
    divisor = extents.polynomial(period)
    if len(divisor) != 1:
        return term
    ((atoms, factor),) = divisor.items()
    for monomial, number in extents.polynomial(term).items():
        over = list(monomial)
        if not atoms or number % factor or not all(atom in over for atom in atoms):
            continue
        part = extents.mul(Const(number), *monomial)
        term = extents.sub(term, part)
    return term


def _no_less(parts: dict[tuple[Term, ...], int]) -> bool:
    """Whether a sum of sizes is at least 0."""
    return all(
        factor >= 0 and all(isinstance(atom, Symbol) for atom in monomial)
        for monomial, factor in parts.items()
    )


def _same(left: Term, right: Term) -> bool:
    return extents.canonical(extents.sub(left, right)) is ZERO


def _plain(read: Read, at: int) -> bool:
    """Whether the other axes are read at indices, each at its own."""
    others = [sub for p, sub in enumerate(read.subs) if p != at]
    return all(isinstance(sub, Index) for sub in others) and len(set(others)) == len(others)
