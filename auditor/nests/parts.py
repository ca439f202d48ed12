"""What an expression in the body of a nest is: a term over the axes that it has left."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from auditor.lift import extents
from auditor.notation import (
    Apply,
    Const,
    Index,
    Read,
    Term,
    Value,
    free_indices,
    rebuild,
    substitute,
    transform,
    walk,
)


@dataclass(frozen=True, eq=False)
class Walk:
    """The integers that an index stands for: ``low``, ``low + stride``, ... below ``high``.

    ``tiles`` says that a loop over tiles counts so, whose variable is the start of each tile;
    ``within`` is the index of that loop where this one walks through its tiles."""

    index: Index
    low: Term
    high: Term
    stride: Term
    tiles: bool = False
    within: Index | None = None

    @property
    def length(self) -> int | None:
        """How far it walks, where that is a number."""
        return extents.constant(extents.sub(self.high, self.low))


@dataclass(frozen=True, eq=False)
class Part:
    """An array (or number) of which one element, at ``axes``, is ``term``."""

    axes: tuple[Index, ...]
    term: Term


@dataclass(frozen=True, eq=False)
class Moved:
    """An integer that a step computes of the loop variables and reads or writes at: ``place`` as
    it is in a subscript, or ``looked`` where it may only be read at (``auditor.nests.computed``),
    ``number`` as it is elsewhere."""

    place: Term | None
    looked: Term | None
    number: Callable[[], Part]


PLACED = "placed"
"""What marks a loop variable of which a step computes a place: see ``auditor.nests.computed``."""

Scope = dict[str, Part | Moved | Term]
"""What names are bound to in the body: parts; loop variables are integers of notation."""


def integers_of(scope: Scope) -> dict[str, Term]:
    """The loop variables, and what is computed of them."""
    known = {name: held.place if isinstance(held, Moved) else held for name, held in scope.items()}
    return {name: held for name, held in known.items() if isinstance(held, Term)}


@dataclass(frozen=True, eq=False)
class Filled:
    """An array whose cell at ``place`` becomes ``term``, in which a read of ``old`` is what the
    cell held before. ``node`` is how the source names the array; ``stepwise`` says that sums are
    added up in the cell itself, in the array's type. Along ``scattered`` indices the place is
    looked up in an array, so that several steps may meet in one cell; what they do there may be
    done in any order: ``term`` is that of each step.

    ``mirrored`` says that a step writes a cell and the one across the diagonal, with ``bare`` that
    none writes the diagonal, ``half`` which cells are written: those whose column is before, at or
    behind their row. Where ``zero`` is set the term is right only if the array held zeros. A
    ``problem`` is what forbids to say the cells by the one term, by its name. ``rounded`` says that
    a step reads again what it wrote, which the array's type rounded, ``rooted`` that the diagonal
    which is left has a root of 0."""

    name: str
    node: ast.expr
    array: Value
    place: tuple[Term, ...]
    term: Term
    old: Value
    stepwise: bool
    scattered: tuple[Index, ...] = ()
    mirrored: bool = False
    bare: bool = False
    half: frozenset[str] = frozenset("<=>")
    zero: bool = False
    problem: tuple[str, str] | None = None
    rounded: bool = False
    rooted: bool = False

    @property
    def partly(self) -> bool:
        """Whether not all cells are filled, or it is not one term that says with what."""
        return self.problem is not None or len(self.half) < 3

    @property
    def axes(self) -> tuple[Index, ...]:
        """The indices that the place moves with, in the order of the array's axes."""
        return tuple(dict.fromkeys(index for sub in self.place for index in indices(sub)))

    @property
    def along(self) -> bool:
        """Whether one index says several places: the cells lie on a diagonal."""
        return sum(len(indices(sub)) for sub in self.place) > len(self.axes)


def indices(term: Term) -> list[Index]:
    """The indices in a place."""
    return [atom for monomial in extents.polynomial(term) for atom in monomial
            if isinstance(atom, Index)]  # fmt: skip


def lookups(sub: Term) -> frozenset[Index]:
    """The indices of the elements that a place is made of, and those that it is computed of."""
    return frozenset(
        index for node in walk(sub)
        if isinstance(node, Read) or (isinstance(node, Apply) and node.op == PLACED)
        for index in free_indices(node)
    )  # fmt: skip


def put(term: Term, by: dict[Term, Term]) -> Term:
    """``term`` with indices replaced; places stay in canonical form."""
    changed = substitute(term, by)
    return canonical(changed) if changed is not term else term


def canonical(term: Term) -> Term:
    """``term`` with places in canonical form. What is computed of elements keeps its order: those
    of narrow types wrap at one sum and not at another."""

    def change(node: Term) -> Term:
        if isinstance(node, Read):
            return rebuild(node, tuple(map(_canonical_place, node.subs)))
        return node

    return transform(term, change)


def _canonical_place(sub: Term) -> Term:
    return sub if any(isinstance(node, Read) for node in walk(sub)) else extents.canonical(sub)


def linear(sub: Term, index: Index) -> tuple[int, Term] | None:
    """(a, c) of a place ``a * index + c``, where c holds no index."""
    factor, rest = 0, sub
    for monomial, number in extents.polynomial(sub).items():
        if index in monomial:
            if monomial != (index,):
                return None
            factor = number
    rest = extents.sub(sub, extents.mul(Const(factor), index))
    return None if indices(rest) else (factor, rest)


def strided(sub: Term, index: Index) -> tuple[Term, Term] | None:
    """(a, c) of a place ``a * index + c``, where neither holds an index."""
    moving = [atoms for atoms in extents.polynomial(sub) if index in atoms]
    if len(moving) != 1 or moving[0].count(index) != 1:
        return None
    others = [atom for atom in moving[0] if atom is not index]
    factor = extents.mul(Const(extents.polynomial(sub)[moving[0]]), *others)
    rest = extents.sub(sub, extents.mul(factor, index))
    return None if indices(factor) or indices(rest) else (factor, rest)
