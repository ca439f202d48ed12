"""Identities confirmed by sympy: a second algebra, which shares nothing with our own normal form
but the names of the opaque parts.

What the auditor derives (a coordinate that a step merely adds to, the matrix of a fractional linear
update, the factors of a body) is an identity between terms. Our normal form finds it; here it is
written in sympy from the terms themselves and has to vanish. Only ``expand`` and ``cancel`` are
used, which are complete for rational functions and take milliseconds; importing sympy takes longer
than that, so it happens on the first identity and not before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from auditor.algebra.limits import TooLarge, tick
from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import Atom, Factors, Poly, of
from auditor.algebra.subterms import values_in
from auditor.notation import Apply, Const, Read, Term, Value, definition

if TYPE_CHECKING:
    import sympy

__all__ = [
    "Bridge",
    "Unconfirmed",
    "adds_up",
    "equal",
    "fractional_linear",
    "sum_of_products",
]

_LARGEST = 400
_CONFIRMED = 500  # steps of work
_MULTIPLE = 8
"""Angles are opened up to so many times one: of the polynomial in its sine and cosine, the time
grows with the cube."""
_FUNCTIONS = ("exp", "log", "sqrt", "sin", "cos")


class Unconfirmed(Exception):
    """The identity has a part that sympy is not asked about, or is too large."""


class Bridge:
    """Terms and normal forms as sympy expressions, equal opaque parts as equal symbols.

    ``states`` are the values whose elements are symbols of their own whatever their subscripts.
    Every symbol is real but those of what may be complex; quotients are equal where both are
    defined.
    """

    def __init__(
        self, normaliser: Normaliser | None = None, states: Mapping[Value, str] | None = None
    ) -> None:
        import sympy

        self._sympy: Any = sympy
        self._normaliser = normaliser or Normaliser()
        self._symbols: dict[Any, sympy.Symbol] = {}
        self._states = dict(states or {})
        self._terms: dict[Term, sympy.Expr] = {}

    def symbol(self, key: object, name: str | None = None) -> sympy.Symbol:
        """The symbol for an opaque part; the same for an equal ``key``."""
        if key not in self._symbols:
            called = name or f"u{len(self._symbols)}"
            real = None if getattr(key, "imaginary", False) else True
            self._symbols[key] = self._sympy.Dummy(called, real=real)
        return self._symbols[key]

    def state(self, value: Value) -> sympy.Symbol:
        """The symbol of one of ``states``."""
        return self.symbol(value, self._states.get(value, value.name))

    def term(self, term: Term) -> sympy.Expr:
        """``term``, definitions followed; what is not arithmetic is opaque."""
        if term not in self._terms:
            self._terms[term] = self._term(term)
        return self._terms[term]

    def _term(self, term: Term) -> sympy.Expr:
        if isinstance(term, Read):
            if term.value in self._states:
                return self.state(term.value)
            body = definition(term)
            return self.poly(self._normal(term)) if body is None else self.term(body)
        if not isinstance(term, Apply):
            return self.poly(self._normal(term))
        op, args = term.op, term.args
        make = _MAKERS.get(op)
        if make is not None:
            return make(self._sympy, [self.term(arg) for arg in args])
        if op == "pow" and isinstance(args[1], Const) and _small(args[1].value):
            return self.term(args[0]) ** self._sympy.Integer(args[1].value)
        if op.startswith(("cast:float", "cast:double", "cast:half", "cast:bfloat")):
            return self.term(args[0])
        return self.poly(self._normal(term))

    def poly(self, p: Poly) -> sympy.Expr:
        """A normal form."""
        if len(p.terms) > _LARGEST:
            raise Unconfirmed("too large")
        found = [
            self._number(coefficient) * self._monomial(factors)
            for factors, coefficient in p.terms.items()
        ]
        return self._sympy.Add(*found)

    def _monomial(self, factors: Factors) -> sympy.Expr:
        parts = [self._atom(atom) ** self._number(exponent) for atom, exponent in factors]
        return self._sympy.Mul(*parts)

    def _atom(self, atom: Atom) -> sympy.Expr:
        kind, args = atom.kind, atom.args
        if kind in ("inf", "nan", "pole"):
            raise Unconfirmed(f"a {kind} is no number")
        if kind == "read" and args[0] in self._states:
            return self.state(args[0])
        if kind == "exp":
            return self._sympy.exp(self._monomial(args[0]))
        if kind == "poly":
            return self.poly(args[0])
        if kind == "num":
            return self._sympy.Integer(args[0])
        if kind == "i":
            return self._sympy.I
        if kind == "fn" and args[0] in _FUNCTIONS:
            return getattr(self._sympy, args[0])(self.poly(args[1][0]))
        if kind != "var" and _reads(atom, self._states):
            raise Unconfirmed(f"a '{kind}' of the state")
        return self.symbol(atom)

    def _number(self, value: int | Fraction) -> sympy.Expr:
        return self._sympy.Rational(value.numerator, value.denominator)

    def _normal(self, term: Term) -> Poly:
        try:
            return self._normaliser.normal(term)
        except TooLarge as large:
            raise Unconfirmed("too large") from large

    def vanishes(self, expression: sympy.Expr) -> bool:
        """Is it zero wherever it is defined?"""
        if expression.is_zero:
            return True
        tick(_CONFIRMED)
        if self._sympy.count_ops(expression) > _LARGEST:
            raise Unconfirmed("too large")
        opened = self._sympy.expand(expression, log=False, trig=self._small_angles(expression))
        return bool(opened == 0 or self._sympy.cancel(opened) == 0)

    def _small_angles(self, expression: sympy.Expr) -> bool:
        """Is no sine or cosine one of a large multiple? Left as it is, it cancels with its like."""
        waves = expression.atoms(self._sympy.sin, self._sympy.cos)
        parts = (part for wave in waves for part in self._sympy.Add.make_args(wave.args[0]))
        multiples = (part.as_coeff_Mul()[0] for part in parts if not part.is_number)
        return all(abs(one) <= _MULTIPLE for one in multiples if one.is_Integer)

    def free_of(self, expression: sympy.Expr, values: Iterable[Value]) -> bool:
        """Does it read none of these states, once like terms have cancelled?"""
        kept = {self.state(value) for value in values}
        if not expression.free_symbols & kept:
            return True
        opened = self._sympy.expand(expression, log=False)
        if opened.free_symbols & kept:
            opened = self._sympy.cancel(opened)
        return not opened.free_symbols & kept


def equal(one: Term, two: Term) -> bool:
    """Does sympy confirm that two scalar terms are equal over the reals? False also where it is
    not known."""
    try:
        bridge = Bridge()
        return bridge.vanishes(bridge.term(one) - bridge.term(two))
    except Unconfirmed:
        return False


def adds_up(coordinate: Term, after: Iterable[Term], growth: Term, states: Iterable[Value]) -> bool:
    """Is ``growth`` free of the states, and is ``after`` - ``coordinate`` equal to it on every
    path? ``after`` is the coordinate of the updated states, a term a path."""
    states = tuple(states)
    try:
        bridge = Bridge(states={state: state.name for state in states})
        grown = bridge.term(growth)
        before = bridge.term(coordinate)
        return bridge.free_of(grown, states) and all(
            bridge.vanishes(bridge.term(one) - before - grown) for one in after
        )
    except Unconfirmed:
        return False


def fractional_linear(update: Term, state: Value, matrix: tuple[Term, Term, Term, Term]) -> bool:
    """Is ``update`` (a s + b) / (c s + d) for the matrix (a, b, c, d) free of the state s?"""
    try:
        bridge = Bridge(states={state: state.name})
        a, b, c, d = (bridge.term(part) for part in matrix)
        s = bridge.state(state)
        if any(s in part.free_symbols for part in (a, b, c, d)):
            return False
        return bridge.vanishes(bridge.term(update) - (a * s + b) / (c * s + d))
    except Unconfirmed:
        return False


def sum_of_products(
    term: Term, products: Iterable[tuple[Poly, Poly]], normaliser: Normaliser
) -> bool:
    """Is ``term`` the sum of these products of two factors?"""
    try:
        bridge = Bridge(normaliser)
        found = [bridge.poly(one) * bridge.poly(two) for one, two in products]
        return bridge.vanishes(bridge.term(term) - sum(found))
    except Unconfirmed:
        return False


def _small(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 8


def _reads(atom: Atom, states: Mapping[Value, str]) -> bool:
    """Does an opaque part read a state?"""
    return bool(states) and not values_in(of(atom)).isdisjoint(states)


_Maker = Callable[[Any, list[Any]], Any]
_MAKERS: dict[str, _Maker] = {
    "add": lambda s, a: s.Add(*a),
    "mul": lambda s, a: s.Mul(*a),
    "sub": lambda s, a: a[0] - a[1],
    "div": lambda s, a: a[0] / a[1],
    "neg": lambda s, a: -a[0],
    "square": lambda s, a: a[0] ** 2,
    "reciprocal": lambda s, a: 1 / a[0],
    "exp": lambda s, a: s.exp(a[0]),
    "log": lambda s, a: s.log(a[0]),
    "sqrt": lambda s, a: s.sqrt(a[0]),
    "rsqrt": lambda s, a: 1 / s.sqrt(a[0]),
    "sin": lambda s, a: s.sin(a[0]),
    "cos": lambda s, a: s.cos(a[0]),
}
