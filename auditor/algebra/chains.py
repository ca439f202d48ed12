"""Chains of products: which factors a contraction multiplies, in which order, at what cost.

A chain is a row of matrices, with a vector possibly at either end, each summed against the next
over one index. Every order of its products gives the same result over the reals; their costs
differ (Godbole, "On Efficient Computation of Matrix Chain Products", 1973). Costs count
multiplications as polynomials in the extents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product as choices
from math import prod
from typing import TypeAlias

from auditor.notation import (
    ONE,
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    definition,
)

LONGEST = 6

# An order of the products: the place of one factor, or the two parts that are multiplied last.
Order: TypeAlias = "int | tuple[Order, Order]"
Cost = Mapping[tuple[Term, ...], int]


@dataclass(frozen=True)
class Factor:
    """A factor, and the indices of its rows and columns; None at the vector end of a chain."""

    read: Read
    row: Index | None
    column: Index | None

    @property
    def transposed(self) -> bool:
        """Whether the factor is stored with its columns first."""
        return len(self.read.subs) == 2 and self.read.subs[0] is self.column


@dataclass(frozen=True)
class Chain:
    """``factors`` from left to right, the ``order`` in which the code multiplies them, and the
    ``products`` that the code makes on the way, the last one left out."""

    factors: tuple[Factor, ...]
    order: Order
    products: tuple[Value, ...]

    def extents(self) -> list[Term]:
        """The extents along the chain, one more than there are factors."""
        first = self.factors[0].row
        rest = [factor.column for factor in self.factors]
        return [index.extent if index is not None else ONE for index in (first, *rest)]


@dataclass
class _Leaf:
    read: Read


@dataclass
class _Product:
    left: _Leaf | _Product
    right: _Leaf | _Product
    index: Index


def chain(value: Value) -> Chain | None:
    """The chain of three factors or more that ``value`` is the product of, or None."""
    if value.body is None or not 1 <= len(value.axes) <= 2:
        return None
    products: list[Value] = []
    tree = _product(value.body, products)
    if tree is None:
        return None
    leaves = list(_leaves(tree))
    if not 3 <= len(leaves) <= LONGEST or not all(_plain(leaf.read) for leaf in leaves):
        return None
    return _along(tree, leaves, value.axes, tuple(products))


def _product(term: Term, products: list[Value]) -> _Product | None:
    at_once = _several(term, products)
    if at_once is not None:
        return at_once
    factors = summed_pair(term)
    if factors is None:
        return None
    left, right, index = factors
    return _Product(_side(left, products), _side(right, products), index)


def summed_pair(term: Term) -> tuple[Read, Read, Index] | None:
    """The two arrays of a product that is summed over an index of both, and the index."""
    if not isinstance(term, Reduce) or term.op != "sum" or not isinstance(term.body, Apply):
        return None
    args = term.body.args
    if term.body.op != "mul" or len(args) != 2:
        return None
    left, right = args
    if not isinstance(left, Read) or not isinstance(right, Read):
        return None
    if term.index not in left.subs or term.index not in right.subs:
        return None
    return left, right, term.index


def _several(term: Term, products: list[Value]) -> _Product | None:
    """Several factors summed at once, as by ``einsum``, which takes them from the left."""
    summed: list[Index] = []
    while isinstance(term, Reduce) and term.op == "sum":
        summed.append(term.index)
        term = term.body
    if not (isinstance(term, Apply) and term.op == "mul" and len(term.args) > 2):
        return None
    reads = [arg for arg in term.args if isinstance(arg, Read)]
    if len(reads) != len(term.args) or len(summed) != len(reads) - 1:
        return None
    tree: _Leaf | _Product = _side(reads[0], products)
    for place, read in enumerate(reads[1:], 1):
        before = {sub for one in reads[:place] for sub in one.subs}
        shared = [index for index in summed if index in before and index in read.subs]
        if len(shared) != 1:
            return None
        tree = _Product(tree, _side(read, products), shared[0])
    assert isinstance(tree, _Product)
    return tree


def _side(read: Read, products: list[Value]) -> _Leaf | _Product:
    """A factor; itself a product if it was defined as one, through views in between."""
    at, passed = read, []
    while True:
        inner = definition(at) if not at.aligned else None
        passed.append(at.value)
        if isinstance(inner, Read):
            at = inner
            continue
        found = _product(inner, products) if inner is not None else None
        if found is None:
            return _Leaf(read)
        products.extend(passed)
        return found


def _leaves(tree: _Leaf | _Product) -> Iterator[_Leaf]:
    if isinstance(tree, _Leaf):
        yield tree
    else:
        yield from _leaves(tree.left)
        yield from _leaves(tree.right)


def _plain(read: Read) -> bool:
    """A matrix or a vector, read at indices of its own."""
    subs = read.subs
    indices = [sub for sub in subs if isinstance(sub, Index) and not sub.group]
    return not read.aligned and 1 <= len(subs) == len(set(indices)) <= 2


def _along(
    tree: _Product, leaves: list[_Leaf], axes: tuple[Index, ...], products: tuple[Value, ...]
) -> Chain | None:
    """The factors in the order in which their indices connect them, from the result's first axis
    to its last; where there is one axis only, in the direction that needs fewer transposes."""
    found = [_path(leaves, axes[0], axes[1:])]
    if len(axes) == 1:
        found.append(_path(leaves, None, axes))
    rows = [factors for factors in found if factors is not None]
    if not rows:
        return None
    best = min(rows, key=lambda factors: sum(factor.transposed for factor in factors))
    place = {factor.read: position for position, factor in enumerate(best)}
    if len(place) != len(leaves):
        return None
    order = _order(tree, place)
    return Chain(tuple(best), order, products) if order is not None else None


def _path(leaves: list[_Leaf], start: Index | None, end: tuple[Index, ...]) -> list[Factor] | None:
    left = [leaf.read for leaf in leaves]
    if len(set(left)) != len(left):
        return None
    counts = Counter(sub for read in left for sub in read.subs)
    at = start
    row: list[Factor] = []
    while left:
        if at is None and not row:
            # a vector in front: the one whose index is not the result's
            first = [r for r in left if len(r.subs) == 1 and r.subs[0] not in end]
            here = first[:1]
        else:
            here = [read for read in left if at in read.subs]
        if len(here) != 1:
            return None
        (read,) = here
        left.remove(read)
        others = [sub for sub in read.subs if sub is not at]
        if len(others) > 1 or (not others and left):
            return None
        column = others[0] if others else None
        assert column is None or isinstance(column, Index)
        row.append(Factor(read, at, column))
        at = column
    if at is not (end[0] if end else None):
        return None
    ends = {index for index in (start, *end) if index is not None}
    if any(counts[index] != (1 if index in ends else 2) for index in counts):
        return None
    return row


def _order(tree: _Leaf | _Product, place: Mapping[Read, int]) -> Order | None:
    if isinstance(tree, _Leaf):
        return place[tree.read]
    parts = [_order(side, place) for side in (tree.left, tree.right)]
    left, right = parts
    if left is None or right is None:
        return None
    (a, b), (c, d) = _ends(left), _ends(right)
    if b + 1 == c:
        return left, right
    return (right, left) if d + 1 == a else None


def _ends(order: Order) -> tuple[int, int]:
    if isinstance(order, int):
        return order, order
    return _ends(order[0])[0], _ends(order[1])[1]


def orders(first: int, last: int) -> Iterator[Order]:
    """Every order of the products of the factors ``first`` to ``last``."""
    if first == last:
        yield first
        return
    for cut in range(first, last):
        yield from choices(orders(first, cut), orders(cut + 1, last))


def cost(order: Order, extents: list[Term]) -> Cost:
    """The multiplications that an order takes, as a polynomial: extents to coefficient."""
    total: Counter[tuple[Term, ...]] = Counter()
    _count(order, extents, total)
    return total


def _count(order: Order, extents: list[Term], total: Counter[tuple[Term, ...]]) -> None:
    if isinstance(order, int):
        return
    first, middle = _ends(order[0])
    last = _ends(order[1])[1]
    number, names = 1, []
    for extent in (extents[first], extents[middle + 1], extents[last + 1]):
        if isinstance(extent, Const) and isinstance(extent.value, int):
            number *= extent.value
        else:
            names.append(extent)
    total[tuple(sorted(names, key=str))] += number
    _count(order[0], extents, total)
    _count(order[1], extents, total)


def saves(before: Cost, after: Cost) -> bool:
    """Whether ``after`` is certainly below ``before`` wherever every extent is at least 2: the
    difference in terms of what the extents exceed 2 by has no negative coefficient."""
    total: Counter[tuple[Term, ...]] = Counter()
    for sign, polynomial in ((1, before), (-1, after)):
        for names, number in polynomial.items():
            for kept in choices((False, True), repeat=len(names)):
                above = tuple(name for name, keep in zip(names, kept, strict=True) if keep)
                total[above] += sign * number * prod(2 for keep in kept if not keep)
    return min(total.values(), default=0) >= 0 and any(total.values())


def at_size(polynomial: Cost, size: int) -> int:
    """The multiplications where every unknown extent is ``size``."""
    return sum(number * size ** len(names) for names, number in polynomial.items())
