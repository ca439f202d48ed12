"""What a fold is split by: a state with an identity and an associative combine, as terms.

    fold(xs) = finish(update(... update(init, x1) ..., xn))
    update(combine(a, b), x) = combine(a, update(b, x))

so the elements may be cut anywhere, each piece folded from ``init``, and the pieces combined in
order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from auditor.notation import Apply, Carry, Const, Read, Term, Value, substitute, walk
from auditor.verdict import Numerics


@dataclass(frozen=True, eq=False)
class Field:
    """One component of the state. ``own`` and ``other`` are the values that the terms read: the
    component of the state itself (of the left one in a combine), and of the right one."""

    name: str
    meaning: str
    own: Value
    other: Value
    identity: Term

    @property
    def left(self) -> Term:
        return Read(self.own, ())

    @property
    def right(self) -> Term:
        return Read(self.other, ())


def field(name: str, meaning: str, identity: Term) -> Field:
    own, other = (Value(name, (), kind="state") for _ in range(2))
    return Field(name, meaning, own, other, identity)


def start_of(carry: Carry) -> Term:
    """What a carried value begins as: a number, or what it is before the loop."""
    return carry.init if isinstance(carry.init, Const) else Read(carry.state, ())


def free(name: str, taken: set[str]) -> str:
    """A name that is not taken, which it is from now on."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


@dataclass(frozen=True, eq=False)
class Part:
    """The summary of some carried values that need each other, by one monoid.

    ``update`` and ``combine`` have a term for each field; ``finish`` one for each carried value,
    over the fields and the carried values' states, which stand for what they held before the loop.
    ``guarded``: a side equal to the identity leaves the other as it is, and the terms of
    ``combine`` are not asked. ``commutes``: the order of the pieces does not matter.
    """

    carries: tuple[Value, ...]
    fields: tuple[Field, ...]
    update: tuple[Term, ...]
    combine: tuple[Term, ...]
    finish: tuple[Term, ...]
    algebra: str
    proof: str
    numerics: Numerics
    guarded: bool = False
    commutes: bool = False


@dataclass(frozen=True, eq=False)
class Monoid:
    """``Monoid(init, update, combine, finish)`` of a whole loop: its parts side by side."""

    parts: tuple[Part, ...]

    @property
    def fields(self) -> tuple[Field, ...]:
        return tuple(field for part in self.parts for field in part.fields)

    @property
    def init(self) -> tuple[Term, ...]:
        """The identity: the state of no elements."""
        return tuple(field.identity for field in self.fields)

    @property
    def update(self) -> tuple[Term, ...]:
        """The state after one more element."""
        return tuple(term for part in self.parts for term in part.update)

    @property
    def combine(self) -> tuple[Term, ...]:
        """The state of two pieces, from the state of each."""
        return tuple(term for part in self.parts for term in part.combine)

    @property
    def finish(self) -> dict[Value, Term]:
        """What each carried value is after the loop."""
        return {
            carry: term
            for part in self.parts
            for carry, term in zip(part.carries, part.finish, strict=True)
        }

    @property
    def numerics(self) -> Numerics:
        grades: tuple[Numerics, ...] = ("exact", "reassociated", "conditioned")
        return max((part.numerics for part in self.parts), key=grades.index, default="exact")

    @property
    def commutes(self) -> bool:
        return all(part.commutes for part in self.parts)


def renamed(term: Term, by: dict[Value, Term]) -> Term:
    """``term`` with scalar values replaced."""
    return substitute(term, {Read(value, ()): new for value, new in by.items()})


def grade(terms: Iterable[Term]) -> Numerics:
    """What floating point does to a combine, by the operations in it."""
    ops = {node.op for term in terms for node in walk(term) if isinstance(node, Apply)}
    if ops & {"mul", "div", "exp", "log", "pow", "logaddexp"}:
        return "conditioned"
    return "reassociated" if ops & {"add", "sub", "neg"} else "exact"


def commutes(fields: tuple[Field, ...], combine: tuple[Term, ...]) -> bool:
    """Is each component an operation of its two sides that does not mind their order?"""
    return all(
        isinstance(term, Apply)
        and term.op in ("add", "mul", "max", "min")
        and set(term.args) == {one.left, one.right}
        for one, term in zip(fields, combine, strict=True)
    )
