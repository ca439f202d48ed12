"""Carried arrays that a step multiplies by matrices: from the left, from the right, from both
sides, over sums of products or over maxima, minima and log-sum-exps of sums.

What is carried may be a vector or a matrix. A step is h -> L h R + b; two in turn are
L2 L1 h R1 R2 + (L2 b1 R2 + b2), so that a piece keeps the products and what it adds. Weights of
places are factors too: (h R) * w is h (R * w), with the weight of each column in it. Where each row
of what is carried has weights of its own, it has a matrix of its own.

What is put into the terms checks how many axes arrays have as it runs, since nothing in the text of
a loop tells a vector from a matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeGuard

from auditor.algebra.monoid import Field, Part, field, free
from auditor.algebra.states import Dependence
from auditor.notation import NONE, ONE, Apply, Carry, Const, Read, Term, Value, walk
from auditor.verdict import Numerics

SUM, MAX, MIN, LOG = "sum", "max", "min", "logaddexp"
_WORDS = {SUM: "(+, *)", MAX: "(max, +)", MIN: "(min, +)", LOG: "(logaddexp, +)"}
_GRADES: dict[str, Numerics] = {
    SUM: "conditioned", MAX: "reassociated", MIN: "reassociated", LOG: "conditioned",
}  # fmt: skip
ALGEBRA = "products of matrices over "


class NotLinear(Exception):
    """Why an update is no product with matrices."""


def takes_matrices(term: Term) -> bool:
    """Are carried arrays multiplied or reduced in a term?"""
    return any(isinstance(n, Apply) and is_of_arrays(n.op) for n in walk(term))


def is_of_arrays(op: str) -> bool:
    return op in ("matmul", "outer", "swapped") or op.startswith(("total:", "expand:"))


def matrix_maps(carries: list[Carry], dependence: Dependence, taken: set[str]) -> Part | None:
    """The summary of one carried array."""
    if len(carries) != 1:
        return None
    (carry,) = carries
    if not isinstance(carry.init, Read):
        return None
    try:
        return Summary(carry, dependence, set(taken)).part()
    except NotLinear:
        return None


def no_product(carries: list[Carry]) -> str:
    """Why carried arrays have no summary as products of matrices."""
    names = " and ".join(carry.name for carry in carries)
    if len(carries) > 1:
        return f"{names}: arrays that need each other, and no product of one matrix was found"
    (carry,) = carries
    if not isinstance(carry.init, Read):
        return f"{names} begins as {carry.init}, which no matrix can be multiplied by"
    try:
        Summary(carry, Dependence(), set()).part()
    except NotLinear as reason:
        return f"{names} is no product with a matrix and something added: {reason}"
    return f"{names}: no summary was found"


def call(text: str, *args: Term) -> Term:
    return Apply(f"call:{text}", args)


def _outer(first: Term | None, second: Term | None) -> Term | None:
    if first is None or second is None:
        return None
    return call("outer(_0, _1)", first, second)


def _nonlinear(op: str) -> str:
    words = {"matmul": "a product of it with itself", "mul": "a product of it with itself",
             "div": "a division by it", "swapped": "it is transposed"}  # fmt: skip
    return words.get(op) or f"`{op.removeprefix('call:').partition('(')[0]}` of it"


def _is_column(term: Term) -> TypeGuard[Apply]:
    return isinstance(term, Apply) and term.op in ("expand:1:1", "expand:-1:", "expand:1:")


_Product = Callable[[tuple[Term, ...]], tuple[Term, Term | None]]


@dataclass(frozen=True)
class _Map:
    """h -> left h right, or, without matrices, weight h; and what is added to that."""

    left: Term | None = None
    right: Term | None = None
    weight: Term | None = None
    added: Term | None = None

    @property
    def plain(self) -> bool:
        return self.left is None and self.right is None


class _Reader:
    """Reads an update as a map of one carried array, over the ring that its reductions tell.

    ``rank`` is the number of axes that the array has to have, where something tells; ``rows``
    whether rows may have matrices of their own.
    """

    def __init__(self, state: Value, dependence: Dependence, ring: str) -> None:
        self.state, self._dependence, self.ring = state, dependence, ring
        self.rank: int | None = None
        self.rows = False
        self.times = "mul" if ring == SUM else "add"

    def free(self, term: Term) -> bool:
        return not self._dependence.mentions(term, (self.state,))

    def of(self, term: Term) -> _Map:
        if isinstance(term, Read) and term.value is self.state:
            return _Map()
        if not isinstance(term, Apply):
            raise NotLinear("it is put in again as a whole")
        op, args = term.op, term.args
        if op == "matmul" and self.ring == SUM:
            return self._product(*args)
        if op == "outer" and self.ring == SUM:
            return self._outer(*args)
        if op.startswith("total:"):
            return self._total(op, args[0])
        if op == self.times and len(args) == 2:
            first, second = args
            if op == "mul" and (outer := self._as_outer(first, second)) is not None:
                return outer
            if self.free(first):
                return self._weighted(self.of(second), first)
            if self.free(second):
                return self._weighted(self.of(first), second)
        elif op == "div" and self.ring == SUM and self.free(args[1]):
            return self._weighted(self.of(args[0]), Apply("div", (ONE, args[1])))
        elif op == "sub" and self.ring != SUM and self.free(args[1]):
            return self._weighted(self.of(args[0]), Apply("neg", (args[1],)))
        elif op == "neg" and self.ring == SUM:
            return self._weighted(self.of(args[0]), Const(-1))
        elif op in ("add", "sub") and self.ring == SUM and len(args) == 2:
            return self._sum(op, *args)
        raise NotLinear(_nonlinear(op))

    # -- matrices

    def _product(self, first: Term, second: Term) -> _Map:
        if self.free(first):
            made, factor = self.of(second), call("matrix(_0)", first)
            added = None if made.added is None else call("_0 @ _1", factor, made.added)
            if not made.plain:
                left = factor if made.left is None else call("_0 @ _1", factor, made.left)
                return replace(made, left=left, added=added)
            if made.weight is not None:
                factor = self._columns(factor, self._of_places(made.weight))
            return _Map(left=factor, added=added)
        if self.free(second):
            made, factor = self.of(first), call("matrix(_0)", second)
            added = None if made.added is None else call("_0 @ _1", made.added, factor)
            if not made.plain:
                right = factor if made.right is None else self._in_turn(made.right, factor)
                return replace(made, right=right, added=added)
            if made.weight is not None:
                factor = self._rows(factor, made.weight)
            return _Map(right=factor, added=added)
        raise NotLinear("parts of it are multiplied otherwise")

    def _in_turn(self, first: Term, second: Term) -> Term:
        return in_turn(self.ring, first, second)

    def _outer(self, first: Term, second: Term) -> _Map:
        """The outer product of a vector that the carried matrix makes and another one."""
        if self.free(second):
            through, added = self._vector(first, self._times_vector)
            return _Map(right=_outer(through, second), added=_outer(added, second))
        if self.free(first):
            through, added = self._vector(second, self._vector_times)
            return _Map(left=_outer(first, through), added=_outer(first, added))
        raise NotLinear("parts of it are multiplied otherwise")

    def _as_outer(self, first: Term, second: Term) -> _Map | None:
        """``u[:, None] * w[None, :]``, of which the carried matrix makes one."""
        if self.free(second) and _is_column(first):
            return self._outer(first.args[0], call("only_row(_0)", second))
        if self.free(first) and _is_column(second):
            return self._outer(second.args[0], call("only_row(_0)", first))
        return None

    def _times_vector(self, args: tuple[Term, ...]) -> tuple[Term, Term | None]:
        """What the carried matrix times a vector is a product of."""
        if not self.free(args[1]):
            raise NotLinear("parts of it are multiplied otherwise")
        made, vector = self.of(args[0]), call("vector(_0)", args[1])
        if made.left is not None:
            raise NotLinear("parts of it are multiplied otherwise")
        added = None if made.added is None else call("_0 @ _1", made.added, vector)
        if made.right is not None:
            return call("_0 @ _1", made.right, vector), added
        return self._numbered(made.weight, vector), added

    def _vector_times(self, args: tuple[Term, ...]) -> tuple[Term, Term | None]:
        """What a vector times the carried matrix is a product of."""
        first, second = args
        transposed = isinstance(first, Apply) and first.op == "swapped"
        inner = first.args[0] if isinstance(first, Apply) and transposed else second
        by = second if transposed else first
        if not self.free(by):
            raise NotLinear("parts of it are multiplied otherwise")
        made, vector = self.of(inner), call("vector(_0)", by)
        if made.right is not None:
            raise NotLinear("parts of it are multiplied otherwise")
        added = None if made.added is None else call("_0 @ _1", vector, made.added)
        if made.left is not None:
            return call("_0 @ _1", vector, made.left), added
        return self._numbered(made.weight, vector), added

    def _numbered(self, weight: Term | None, vector: Term) -> Term:
        """A vector times what has to be one number."""
        if weight is None:
            return vector
        number = weight if isinstance(weight, Const) else call("number(_0)", weight)
        return Apply("mul", (number, vector))

    def _vector(self, term: Term, product: _Product) -> tuple[Term, Term | None]:
        """A vector as a product with the carried matrix, and what is added to that."""
        if not isinstance(term, Apply):
            raise NotLinear("parts of it are multiplied otherwise")
        op, args = term.op, term.args
        if op == "matmul":
            return product(args)
        if op in ("add", "sub") and len(args) == 2 and any(map(self.free, args)):
            minus, (first, second) = op == "sub", args
            if self.free(first):
                through, added = self._vector(second, product)
                if minus:
                    through, added = _negative(through), None if added is None else _negative(added)
                return through, _both(first, added)
            through, added = self._vector(first, product)
            return through, _both(added, _negative(second) if minus else second)
        if op == "mul" and len(args) == 2 and any(map(self.free, args)):
            weight, inner = args if self.free(args[0]) else args[::-1]
            through, added = self._vector(inner, product)
            scaled = None if added is None else self._numbered(weight, added)
            return self._numbered(weight, through), scaled
        raise NotLinear("parts of it are multiplied otherwise")

    # -- sums

    def _sum(self, op: str, first: Term, second: Term) -> _Map:
        minus = op == "sub"
        if self.free(second):
            made = self.of(first)
            return replace(made, added=_both(made.added, _negative(second) if minus else second))
        made = self.of(second)
        if minus:
            made = self._weighted(made, Const(-1))
        if self.free(first):
            return replace(made, added=_both(first, made.added))
        return self._together(self.of(first), made)

    def _together(self, a: _Map, b: _Map) -> _Map:
        added = _both(a.added, b.added)
        if a.plain and b.plain:
            one, other = (m.weight or ONE for m in (a, b))
            return _Map(weight=Apply("add", (one, other)), added=added)
        if b.plain:
            a, b = b, a
        if b.left is not None and b.right is not None:
            raise NotLinear("parts of it are multiplied otherwise")
        if a.plain:
            weight = a.weight or ONE
            if b.left is not None:
                weight = self._of_places(weight)
            self.rows = self.rows or not isinstance(weight, Const)
            word = "with_diagonal(_0, _1)"
            if b.left is not None:
                return _Map(left=call(word, b.left, weight), added=added)
            assert b.right is not None
            return _Map(right=call(word, b.right, weight), added=added)
        if a.left is not None and a.right is None and b.left is not None:
            return _Map(left=Apply("add", (a.left, b.left)), added=added)
        if a.right is not None and a.left is None and b.right is not None:
            return _Map(right=Apply("add", (a.right, b.right)), added=added)
        raise NotLinear("parts of it are multiplied otherwise")

    # -- weights

    def _weighted(self, made: _Map, weight: Term) -> _Map:
        """A map with a weight for its places afterwards."""
        added = None if made.added is None else Apply(self.times, (made.added, weight))
        if made.plain:
            both = weight
            if made.weight is not None:
                both = Apply(self.times, (made.weight, weight))
            return _Map(weight=both, added=added)
        if made.left is None:
            assert made.right is not None
            return replace(made, right=self._columns(made.right, weight), added=added)
        if made.right is None:
            weight = self._of_places(weight)
            return replace(made, left=self._rows(made.left, weight), added=added)
        number = weight if isinstance(weight, Const) else call("number(_0)", weight)
        return replace(made, left=Apply(self.times, (made.left, number)), added=added)

    def _of_places(self, weight: Term) -> Term:
        """A weight of what a matrix is multiplied by from the left: of each place of a vector."""
        if not isinstance(weight, Const):
            self.ranked(1)
        return weight

    def _columns(self, matrix: Term, weight: Term) -> Term:
        return self._scaled("columns", matrix, weight)

    def _rows(self, matrix: Term, weight: Term) -> Term:
        return self._scaled("rows", matrix, weight)

    def _scaled(self, what: str, matrix: Term, weight: Term) -> Term:
        if isinstance(weight, Const):
            return Apply(self.times, (matrix, weight))
        self.rows = True
        word = "scaled" if self.ring == SUM else "raised"
        return call(f"{what}_{word}(_0, _1)", matrix, weight)

    def ranked(self, rank: int) -> None:
        if self.rank not in (None, rank):
            raise NotLinear("parts of it are multiplied otherwise")
        self.rank = rank

    # -- reductions

    def _total(self, op: str, term: Term) -> _Map:
        """A reduction of what is carried and a matrix beside each other."""
        _, ring, over = op.split(":")
        if ring != self.ring:
            raise NotLinear("parts of it are multiplied otherwise")
        factors = _flat(self.times, term)
        moving = [one for one in factors if not self.free(one)]
        others = [one for one in factors if self.free(one)]
        if len(moving) != 1 or not others:
            raise NotLinear("parts of it are multiplied otherwise")
        (inner,) = moving
        if isinstance(inner, Apply) and inner.op.startswith("expand:"):
            _, axis, axes = inner.op.split(":")
            place, known = int(axis), int(axes) if axes else None
            (inner,) = inner.args
        else:
            place, known = 0, 1  # a vector beside a matrix is a row of it
        column, rank = _stands(place, known, int(over))
        if rank is not None:
            self.ranked(rank)
        self.rows = self.rows or rank != 1
        matrix = others[0]
        for other in others[1:]:
            matrix = Apply(self.times, (matrix, other))
        matrix = call("square(_0)" if column else "transposed(_0)", matrix)
        made = self.of(inner)
        if made.left is not None or made.added is not None:
            raise NotLinear("parts of it are multiplied otherwise")
        if made.right is not None:
            return replace(made, right=self._in_turn(made.right, matrix))
        if made.weight is not None:
            matrix = self._rows(matrix, made.weight)
        return _Map(right=matrix)


def _stands(place: int, known: int | None, over: int) -> tuple[bool, int | None]:
    """Whether what is carried stands as a column and the sum goes down it, or as a row and the sum
    goes along it; and how many axes it then has, where that is told."""
    if place < 0 and over < 0 and known is None:
        if (place, over) in ((-1, -2), (-2, -1)):
            return place == -1, None
        raise NotLinear("parts of it are multiplied otherwise")
    found = []
    for rank in (1, 2) if known is None else (known,):
        whole = rank + 1
        one, other = (n + whole if n < 0 else n for n in (place, over))
        if (one, other) == (rank, rank - 1):
            found.append((True, rank))
        elif (one, other) == (rank - 1, rank):
            found.append((False, rank))
    if len(found) != 1:
        raise NotLinear("parts of it are multiplied otherwise")
    return found[0]


def _flat(op: str, term: Term) -> list[Term]:
    if isinstance(term, Apply) and term.op == op:
        return [one for arg in term.args for one in _flat(op, arg)]
    return [term]


def _both(a: Term | None, b: Term | None) -> Term | None:
    if a is None or b is None:
        return a if b is None else b
    return Apply("add", (a, b))


def _negative(term: Term) -> Term:
    return Apply("neg", (term,))


def in_turn(ring: str, first: Term, second: Term) -> Term:
    """The product of two matrices over a ring."""
    return call("_0 @ _1" if ring == SUM else f"{ring}_product(_0, _1)", first, second)


def ring_of(term: Term) -> str:
    """What the reductions in a term add up by."""
    rings = {n.op.split(":")[1] for n in walk(term)
             if isinstance(n, Apply) and n.op.startswith("total:")}  # fmt: skip
    return min(rings, default=SUM)  # of several the others are refused


class Summary:
    """The part of one carried array. A branch that the element decides takes either map; one that
    leaves the array as it is leaves the summary."""

    def __init__(self, carry: Carry, dependence: Dependence, taken: set[str]) -> None:
        self._carry, self._taken = carry, taken
        self._reader = _Reader(carry.state, dependence, ring_of(carry.update))

    def part(self) -> Part:
        carry, reader = self._carry, self._reader
        maps = list(self._maps(carry.update))
        made = [one for one in maps if one is not None]
        sides = {(one.left is None, one.right is None) for one in made}
        if len(sides) != 1 or (True, True) in sides:
            raise NotLinear("not each step multiplies it from the same side")
        if len({one.added is None for one in made}) > 1:
            raise NotLinear("parts of it are multiplied otherwise")
        (first, *_) = made
        self._fields(first, first.added is not None)
        ring = _WORDS[reader.ring]
        return Part(
            (carry.state,), self.fields, self._updated(carry.update), self._combined(),
            (self._finished(),), f"{ALGEBRA}{ring}", self._proof(first, made), _GRADES[reader.ring],
        )  # fmt: skip

    def _maps(self, term: Term) -> Iterable[_Map | None]:
        if isinstance(term, Apply) and term.op == "where" and self._reader.free(term.args[0]):
            yield from self._maps(term.args[1])
            yield from self._maps(term.args[2])
        else:
            own = isinstance(term, Read) and term.value is self._carry.state
            yield None if own else self._read(term)

    def _read(self, term: Term) -> _Map:
        """What a step does, a number that it adds put into every place."""
        made = self._reader.of(term)
        if made.added is None or any(isinstance(node, Read) for node in walk(made.added)):
            return made
        by, axis = (made.left, 0) if made.right is None else (made.right, 1)
        if by is None or (made.left is not None and made.right is not None):
            raise NotLinear("a number is added to every place")
        self._reader.ranked(1)
        return replace(made, added=call(f"spread(_0, _1, {axis})", made.added, by))

    def _fields(self, one: _Map, adds: bool) -> None:
        name, made = self._carry.name, list[Field]()
        self.left = self.right = self.added = None
        if one.left is not None:
            self.left = field(free(f"{name}_left", self._taken),
                              f"what {name} is multiplied by from the left", NONE)  # fmt: skip
            made.append(self.left)
        if one.right is not None:
            self.right = field(free(f"{name}_right", self._taken),
                               f"what {name} is multiplied by from the right", NONE)  # fmt: skip
            made.append(self.right)
        if adds:
            self.added = field(free(f"{name}_added", self._taken),
                               f"what the piece adds to {name}", NONE)  # fmt: skip
            made.append(self.added)
        self.fields = tuple(made)
        self.asked = made[0]

    def _updated(self, term: Term) -> tuple[Term, ...]:
        if isinstance(term, Apply) and term.op == "where" and self._reader.free(term.args[0]):
            both = zip(self._updated(term.args[1]), self._updated(term.args[2]), strict=True)
            return tuple(Apply("where", (term.args[0], a, b)) for a, b in both)
        own = tuple(one.left for one in self.fields)
        if isinstance(term, Read):
            return own
        step = self._read(term)
        new = tuple(
            value for value in (step.left, step.right, step.added) if value is not None
        )  # fmt: skip
        return self._where_empty(self.asked.left, new, self._then(own, new))

    def _combined(self) -> tuple[Term, ...]:
        own = tuple(one.left for one in self.fields)
        new = tuple(one.right for one in self.fields)
        both = self._where_empty(self.asked.left, new, self._then(own, new))
        return self._where_empty(self.asked.right, own, both)

    def _where_empty(
        self, asked: Term, then: tuple[Term, ...], other: tuple[Term, ...]
    ) -> tuple[Term, ...]:
        nothing = Apply("is", (asked, NONE))
        return tuple(Apply("where", (nothing, a, b)) for a, b in zip(then, other, strict=True))

    def _then(self, own: tuple[Term, ...], new: tuple[Term, ...]) -> tuple[Term, ...]:
        """The fields of one stretch and then another."""
        before = dict(zip(self.fields, own, strict=True))
        after = dict(zip(self.fields, new, strict=True))
        found = []
        for one in self.fields:
            if one is self.left:
                found.append(in_turn(self._reader.ring, after[one], before[one]))
            elif one is self.right:
                found.append(in_turn(self._reader.ring, before[one], after[one]))
            else:
                found.append(self._added(before[one], after))
        return tuple(found)

    def _added(self, before: Term, after: dict[Field, Term]) -> Term:
        """What was added before as the matrices after it leave it, and what they add."""
        assert self.added is not None
        passed = self._through(before, after)
        return call("added(_0, _1)", passed, after[self.added])

    def _through(self, value: Term, by: dict[Field, Term]) -> Term:
        if self.left is not None:
            value = call("_0 @ _1", by[self.left], value)
        if self.right is not None:
            plain = self._reader.ring == SUM and not self._reader.rows
            text = "_0 @ _1" if plain else f"{self._reader.ring}_through(_0, _1)"
            value = call(text, value, by[self.right])
        return value

    def _finished(self) -> Term:
        start: Term = Read(self._carry.state, ())
        rank = self._reader.rank
        axes = "2" if self.left and self.right else "1, 2" if self.left else ""
        if rank is not None:
            axes = str(rank)
        begun = call(f"with_axes(_0, {axes})", start) if axes else start
        whole = self._through(begun, {one: one.left for one in self.fields})
        if self.added is not None:
            whole = call("added(_0, _1)", whole, self.added.left)
        return Apply("where", (Apply("is", (self.asked.left, NONE)), start, whole))

    def _proof(self, one: _Map, made: list[_Map]) -> str:
        name = self._carry.name
        left = "L " if one.left is not None else ""
        right = " R" if one.right is not None else ""
        adds = " + b" if self.added is not None else ""
        terms = [one for one, has in (("L2 L1", left), ("R1 R2", right)) if has]
        if adds:
            moved = f"{'L2 ' if left else ''}b1{' R2' if right else ''}"
            terms.append(f"{moved} + b2")
        return f"{name}' = {left}{name}{right}{adds}; two steps in turn are ({', '.join(terms)})"
