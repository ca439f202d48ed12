"""Scalar terms as linear functions of carried values over a semiring: sums of products, or
maxima (minima) of sums. Linear functions compose as matrices do, whatever the semiring.

A branch that compares what it chooses between is a maximum or a minimum, however it is spelled.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from auditor.algebra.affine import NotAffine, interpret
from auditor.algebra.extremes import extreme
from auditor.algebra.limits import CannotSpell
from auditor.algebra.normal import Normaliser
from auditor.algebra.spell import spelled
from auditor.algebra.states import Dependence
from auditor.notation import ONE, ZERO, Apply, Const, Read, Term, Value

Row = dict[Value | None, Term]
"""The coefficient of each carried value, and (None) the constant; what is absent is zero."""


@dataclass(frozen=True)
class Semiring:
    """``plus`` and ``times`` with their neutral elements; ``zero`` also annihilates.

    ``reader`` says how a term is a linear function, where that is not by its sums and products;
    ``tidy`` is applied to what a composition computes.
    """

    name: str
    plus: str
    times: str
    zero: Term
    one: Const
    reader: Callable[[Term, frozenset[Value]], Row] | None = None
    tidy: Callable[[Term], Term] = lambda term: term

    def add(self, a: Term, b: Term) -> Term:
        if a is self.zero or (a is b and self.plus in ("max", "min")):
            return b
        if b is self.zero:
            return a
        if isinstance(a, Const) and isinstance(b, Const):
            return self._numbers(self.plus, a, b)
        if isinstance(a, Apply) and a.op == self.plus and _choice(b):
            for place, part in enumerate(a.args):
                if _choice(part) and part.args[0] is b.args[0]:
                    rest = [*a.args[:place], *a.args[place + 1 :]]
                    return (
                        self.add(rest[0], self.add(part, b))
                        if len(rest) == 1
                        else Apply(self.plus, (*rest, self.add(part, b)))
                    )
        if _choice(a) and _choice(b) and a.args[0] is b.args[0]:
            then, other = (self.add(x, y) for x, y in zip(a.args[1:], b.args[1:], strict=True))
            return chosen(a.args[0], then, other)
        return Apply(self.plus, (a, b))

    def multiply(self, a: Term, b: Term) -> Term:
        if a is self.zero or b is self.zero:
            return self.zero
        if same_number(a, self.one):
            return b
        if same_number(b, self.one):
            return a
        if isinstance(a, Const) and isinstance(b, Const):
            return self._numbers(self.times, a, b)
        for choice, by, swapped in ((a, b, False), (b, a, True)):
            if _choice(choice) and any(self._neutral(arg) for arg in choice.args[1:]):
                pairs = [(by, arg) if swapped else (arg, by) for arg in choice.args[1:]]
                then, other = (self.multiply(x, y) for x, y in pairs)
                return chosen(choice.args[0], then, other)
        return Apply(self.times, (a, b))

    def _neutral(self, term: Term) -> bool:
        return self.is_zero(term) or same_number(term, self.one)

    def is_zero(self, term: Term) -> bool:
        """Is it the neutral element of ``plus``, as a number where it is one?"""
        zero = self.zero
        return term is zero or (isinstance(zero, Const) and same_number(term, zero))

    def _numbers(self, op: str, a: Const, b: Const) -> Term:
        x, y = a.value, b.value
        if op == "logaddexp" or not all(isinstance(v, (int, float)) for v in (x, y)):
            return Apply(op, (a, b))
        return Const(_COMPUTED[op](x, y))


_COMPUTED: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add, "mul": operator.mul, "max": max, "min": min,
}  # fmt: skip
LOG_SUMS = "logarithms of sums"
SUMS = Semiring("sums of products", "add", "mul", ZERO, ONE)
MAXIMA = Semiring("maxima of sums", "max", "add", Const(float("-inf")), ZERO)
MINIMA = Semiring("minima of sums", "min", "add", Const(float("inf")), ZERO)
# of numbers that are never negative
GREATEST_PRODUCTS = Semiring("maxima of products", "max", "mul", ZERO, ONE)


def _choice(term: Term) -> TypeGuard[Apply]:
    return isinstance(term, Apply) and term.op == "where"


class NotLinear(Exception):
    """The term is not linear over the semiring."""


def same_number(term: Term, other: Const) -> bool:
    """Equal as numbers: 0.0 and 0 are the same neutral element."""
    return (
        isinstance(term, Const)
        and isinstance(term.value, (int, float))
        and not isinstance(term.value, bool)
        and term.value == other.value
    )


def linear(term: Term, states: Sequence[Value], ring: Semiring) -> Row:
    """``term`` as a linear function of ``states``. Raises ``NotLinear``."""
    if ring.reader is not None:
        return ring.reader(term, frozenset(states))
    return _Linear(frozenset(states), ring).row(term)


class _Linear:
    def __init__(self, states: frozenset[Value], ring: Semiring) -> None:
        self.states, self.ring = states, ring
        self.dependence = Dependence()
        self.normaliser = Normaliser()

    def row(self, term: Term) -> Row:
        if not self.dependence.mentions(term, self.states):
            return {} if self.ring.is_zero(term) else {None: term}
        if isinstance(term, Read):
            return {term.value: self.ring.one}
        if not isinstance(term, Apply):
            raise NotLinear
        if self.ring is SUMS:
            return self._sum_of_products(term)
        op, args = term.op, term.args
        if op == self.ring.plus:
            return self._joined([self.row(arg) for arg in args])
        if op == "where":
            return self._branch(*args)
        if op in ("add", "sub") and self.ring.times == "add":
            return self._shifted(term)
        if op == "mul" and self.ring.times == "mul":
            return self._scaled(args)
        raise NotLinear

    def _scaled(self, args: tuple[Term, ...]) -> Row:
        """A product of which one factor holds the states: it scales every coefficient."""
        moving = [arg for arg in args if self.dependence.mentions(arg, self.states)]
        if len(moving) != 1:
            raise NotLinear
        row = self.row(moving[0])
        for by in (arg for arg in args if arg is not moving[0]):
            row = {key: self.ring.multiply(value, by) for key, value in row.items()}
        return row

    def _sum_of_products(self, term: Apply) -> Row:
        try:
            found = interpret(term, self.states, self.dependence)
        except NotAffine:
            raise NotLinear from None
        row: Row = {place.state: c for place, c in found.coefficients.items()}
        if not same_number(found.constant, ZERO):
            row[None] = found.constant
        return row

    def _shifted(self, term: Apply) -> Row:
        """A sum of which one summand holds the states: it moves every coefficient."""
        moving = [arg for arg in term.args if self.dependence.mentions(arg, self.states)]
        if len(moving) != 1:
            return self.row(self._spread(term))
        if term.op == "sub" and moving[0] is term.args[1]:
            turned = negated(moving[0])
            if isinstance(turned, Apply) and turned.op == "neg":
                raise NotLinear
            return self._shifted(Apply("add", (term.args[0], turned)))
        row = self.row(moving[0])
        rest = [arg for arg in term.args if arg is not moving[0]]
        if term.op == "sub":
            rest = [negated(rest[0])]
        for by in rest:
            row = {key: self.ring.multiply(value, by) for key, value in row.items()}
        return row

    def _spread(self, term: Apply) -> Term:
        """A sum with an extreme among its summands, as the extreme of sums: what is taken of a
        stock but no more than there is leaves no less than nothing."""
        from auditor.algebra.signs import pushed

        args = list(term.args)
        if term.op == "sub":
            args = [args[0], pushed(Apply("neg", (args[1],)))]
        extreme = next(
            (a for a in args if isinstance(a, Apply) and a.op == self.ring.plus
             and self.dependence.mentions(a, self.states)), None,
        )  # fmt: skip
        if extreme is None:
            raise NotLinear
        rest = [arg for arg in args if arg is not extreme]
        try:
            sums = (
                spelled(self.normaliser.normal(Apply("add", (*rest, one)))) for one in extreme.args
            )
            return Apply(extreme.op, tuple(sums))
        except CannotSpell:
            raise NotLinear from None

    def _joined(self, rows: list[Row]) -> Row:
        out: Row = {}
        for row in rows:
            for key, value in row.items():
                out[key] = self.ring.add(out.get(key, self.ring.zero), value)
        return out

    def _branch(self, condition: Term, then: Term, other: Term) -> Row:
        if not self.dependence.mentions(condition, self.states):
            a, b = self.row(then), self.row(other)
            zero = self.ring.zero
            return {
                key: chosen(condition, a.get(key, zero), b.get(key, zero)) for key in {**a, **b}
            }
        if not isinstance(condition, Apply):
            raise NotLinear
        op, args = condition.op, condition.args
        if op == "not":
            return self._branch(args[0], other, then)
        if op in ("and", "or"):
            first, second = args
            if self.dependence.mentions(first, self.states):
                first, second = second, first
            if self.dependence.mentions(first, self.states):
                raise NotLinear
            inner = Apply("where", (second, then, other))
            parts = (first, inner, other) if op == "and" else (first, then, inner)
            return self._branch(*parts)
        if self.ring is SUMS:
            raise NotLinear
        return self.row(self._extreme(op, args, then, other))

    def _extreme(self, op: str, args: tuple[Term, ...], then: Term, other: Term) -> Term:
        """A choice between two terms by which of them, moved alike, is the larger."""
        found = extreme(Apply("where", (Apply(op, args), then, other)), self.normaliser)
        if found is None or found.op != self.ring.plus:
            raise NotLinear
        return found


def negated(term: Term) -> Term:
    if isinstance(term, Const) and isinstance(term.value, (int, float)):
        return Const(-term.value)
    if isinstance(term, Apply) and term.op == "neg":
        return term.args[0]
    return Apply("neg", (term,))


def chosen(condition: Term, then: Term, other: Term) -> Term:
    """A branch, decided where it can be."""
    if then is other:
        return then
    if isinstance(condition, Const):
        return then if condition.value else other
    return Apply("where", (condition, then, other))
