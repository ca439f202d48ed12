"""A matrix of weights as the product of a column and a row.

    w[u, v] = s a[u] b[v]

A matrix whose entries the code states is looked at as exact fractions: it has rank 1 where every
minor of two rows and columns is 0, and `minor` is one that is not. Any other has to be a product
whose factors each move with one of the axes, through the names and views that made it; or
exponentials of a sum whose parts do, as a Gaussian is. Those are positive, so that the sums of rows
and of columns are such factors, their product being all of the matrix times the sum of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from auditor.algebra.normal import expand
from auditor.lift import extents
from auditor.notation import (
    Apply,
    Const,
    Index,
    Read,
    Term,
    Value,
    definition,
    free_indices,
    substitute,
)

_MOST = 1024  # entries that are looked at one by one

Numbers = tuple[Fraction, ...]


@dataclass(frozen=True)
class Outer:
    """``column[u] row[v]`` times ``scales``, or divided by it where True stands beside a scale. A
    vector may have a group besides its axis, where a matrix that has one is known to have two axes.
    With ``sums`` both are the matrix itself, of whose rows and columns the sums are the factors."""

    column: Value | Numbers
    row: Value | Numbers
    scales: tuple[tuple[Term, bool], ...] = ()
    negative: bool = False
    sums: bool = False


def outer_product(
    term: Term,
    u: Index,
    v: Index,
    sizes: tuple[Term, Term],
    named: Callable[[Value], bool] = lambda value: True,
) -> Outer | None:
    """``term``, an entry of a matrix over ``u`` and ``v``, as such a product, or None; ``named``
    says which matrices the code has a name for, whose sums may be taken."""
    rows, columns = (extents.constant(size) for size in sizes)
    if rows is not None and columns is not None and 0 < rows * columns <= _MOST:
        known = table(term, u, v, rows, columns)
        if known is not None:
            return None if minor(known) is not None else _factors(known)
    found = _Product(u, v, named)
    if not found.read(term, False):
        return None
    if found.whole is not None and found.column is None and found.row is None:
        return Outer(found.whole, found.whole, tuple(found.scales), found.negative, sums=True)
    if found.column is None or found.row is None or found.whole is not None:
        return None
    return Outer(found.column, found.row, tuple(found.scales), found.negative)


def vectors_of(matrix: Value) -> Outer | None:
    """The vectors of a matrix that is made of two, and of numbers."""
    if len(matrix.axes) != 2 or matrix.body is None or any(axis.group for axis in matrix.axes):
        return None
    u, v = matrix.axes
    found = outer_product(matrix.body, u, v, (u.extent, v.extent))
    if found is None or found.sums or found.negative:
        return None
    vectors = (found.column, found.row)
    if not all(isinstance(one, Value) and len(one.axes) == 1 for one in vectors):
        return None
    if any(isinstance(one, Value) and one.axes[0].group for one in vectors):
        return None
    plain = all(isinstance(term, (Const, Read)) and not below for term, below in found.scales)
    return found if plain else None


def table(term: Term, u: Index, v: Index, rows: int, columns: int) -> list[Numbers] | None:
    """The entries, where all of them are stated."""
    whole = expand(term)
    made = []
    for p in range(rows):
        row = []
        for q in range(columns):
            number = _number(substitute(whole, {u: Const(p), v: Const(q)}))
            if number is None:
                return None
            row.append(number)
        made.append(tuple(row))
    return made


def minor(entries: list[Numbers]) -> tuple[int, int, int, int] | None:
    """Rows p, r and columns q, s whose four entries are no product of two vectors; None where there
    are none, so that the matrix has rank 1 or is 0."""
    pivot = _pivot(entries)
    if pivot is None:
        return None
    p, q = pivot
    for r, row in enumerate(entries):
        for s, entry in enumerate(row):
            if entry * entries[p][q] != row[q] * entries[p][s]:
                return p, r, q, s
    return None


def _pivot(entries: list[Numbers]) -> tuple[int, int] | None:
    return next(((p, q) for p, row in enumerate(entries) for q, e in enumerate(row) if e), None)


def _factors(entries: list[Numbers]) -> Outer | None:
    pivot = _pivot(entries)
    if pivot is None:
        return None
    p, q = pivot
    return Outer(tuple(row[q] for row in entries), tuple(e / entries[p][q] for e in entries[p]))


def _number(term: Term) -> Fraction | None:
    """The number that a term without variables is, decimals as they are written."""
    if isinstance(term, Const):
        if isinstance(term.value, (bool, int)):
            return Fraction(int(term.value))
        if isinstance(term.value, float) and abs(term.value) < float("inf"):
            return Fraction(repr(term.value))
        return None
    if not isinstance(term, Apply):
        return None
    if term.op == "where":
        chosen = _number(term.args[0])
        return None if chosen is None else _number(term.args[1 if chosen else 2])
    if term.op in ("cast:float32", "cast:float64"):
        return _number(term.args[0])
    args = [_number(arg) for arg in term.args]
    known = [arg for arg in args if arg is not None]
    if len(known) < len(args):
        return None
    return _computed(term.op, known)


def _computed(op: str, known: list[Fraction]) -> Fraction | None:
    first, second = known[0], known[-1]
    if op == "add":
        return sum(known, Fraction(0))
    if op == "mul":
        total = Fraction(1)
        for each in known:
            total *= each
        return total
    if op == "div":
        return first / second if second else None
    if op == "pow":
        whole = second.denominator == 1 and 0 <= second <= 16
        return first ** int(second) if whole else None
    found = {
        "sub": first - second, "neg": -first, "abs": abs(first), "square": first * first,
        "eq": Fraction(first == second), "ne": Fraction(first != second),
        "lt": Fraction(first < second), "le": Fraction(first <= second),
        "gt": Fraction(first > second), "ge": Fraction(first >= second),
    }  # fmt: skip
    return found.get(op)


class _Product:
    """Takes a product apart."""

    def __init__(self, u: Index, v: Index, named: Callable[[Value], bool]) -> None:
        self.u, self.v, self._named = u, v, named
        self.column: Value | None = None
        self.row: Value | None = None
        self.scales: list[tuple[Term, bool]] = []
        self.negative = False
        self.whole: Value | None = None
        self._around: Value | None = None

    def read(self, term: Term, below: bool) -> bool:
        """Whether a factor, or divisor, is one of those that are looked for."""
        free = free_indices(term)
        if not free & {self.u, self.v}:
            self.scales.append((term, below))
            return not free
        if isinstance(term, Read):
            return self._element(term, below)
        if isinstance(term, Apply) and term.op == "mul":
            return all(self.read(arg, below) for arg in term.args)
        if isinstance(term, Apply) and term.op == "div" and not below:
            return self.read(term.args[0], False) and self.read(term.args[1], True)
        if isinstance(term, Apply) and term.op == "exp" and not below:
            return self._gaussian(term.args[0])
        if isinstance(term, Apply) and term.op in ("cast:float32", "cast:float64"):
            return self._around is not None and self.read(term.args[0], below)
        if isinstance(term, Apply) and term.op == "neg":
            self.negative = not self.negative
            return self.read(term.args[0], below)
        return False

    def _gaussian(self, exponent: Term) -> bool:
        """An exponential of a sum: that of the matrix that it is in."""
        if self._around is None or not self._adds(expand(exponent)):
            return False
        if self.whole not in (None, self._around):
            return False  # of two matrices each
        self.whole = self._around
        return True

    def _adds(self, term: Term) -> bool:
        """Whether a term is a sum of parts that each move with one of the axes."""
        term = _plain(term)
        free = free_indices(term) & {self.u, self.v}
        if len(free) < 2:
            return not free_indices(term) - free
        if isinstance(term, Read):
            body = definition(term)
            return body is not None and self._adds(body)
        if not isinstance(term, Apply):
            return False
        if term.op in ("add", "sub", "neg") or term.op in ("cast:float32", "cast:float64"):
            return all(map(self._adds, term.args))
        moving = [arg for arg in term.args if free_indices(arg) & {self.u, self.v}]
        scaled = term.op == "mul" or (term.op == "div" and moving == [term.args[0]])
        return scaled and len(moving) == 1 and self._adds(moving[0])

    def _element(self, read: Read, below: bool) -> bool:
        value = read.value
        before, negative, around = len(self.scales), self.negative, self._around
        named = around is not None and self._named(around)
        if read.subs == (self.u, self.v) and not read.aligned and not named:
            self._around = value
        subs = [sub for sub in read.subs if not (isinstance(sub, Index) and sub.group)]
        known = [axis for axis in value.axes if not axis.group]
        if len(known) == len(subs) == 1 and not below:
            if subs[0] is self.u and self.column is None:
                self.column = value
                return True
            if subs[0] is self.v and self.row is None:
                self.row = value
                return True
        body = definition(read)
        found = body is not None and self.read(body, below)
        self._around = around
        if found and self.whole is value:  # it holds what scales it
            del self.scales[before:]
            self.negative = negative
        return found


def _plain(term: Term) -> Term:
    """The square of a square root as what it is of, also where that is scaled."""
    if isinstance(term, Apply) and (
        term.op == "square" or (term.op == "pow" and term.args[1] in (Const(2), Const(2.0)))
    ):
        base = term.args[0]
        while isinstance(base, Read) and (body := definition(base)) is not None:
            base = body
        if isinstance(base, Apply) and base.op == "sqrt":
            return base.args[0]
        if isinstance(base, Apply) and base.op in ("mul", "div", "neg"):
            parts = tuple(_plain(Apply("pow", (arg, Const(2)))) for arg in base.args)
            return parts[0] if base.op == "neg" else Apply(base.op, parts)
    return term
