"""The functions that the normal form has algebra for: exponentials and logarithms, conditions,
maxima, integer division, each as a constructor that returns the canonical polynomial."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from auditor.algebra.bounds import always_negative, integral, never_below_zero, quotient
from auditor.algebra.polynomial import (
    ONE,
    Atom,
    Factors,
    Poly,
    add,
    invert,
    leading,
    leads_positive,
    looks,
    monomial,
    multiply,
    never_negative,
    nonnegative,
    number,
    of,
    power,
    product,
    rational_content,
    scale,
    split_content,
    subtract,
)

INFINITY = of(Atom("inf"))
MOST_CONDITIONS = 4


def call(name: str, *args: Poly) -> Poly:
    """A function without algebra here."""
    return of(Atom("fn", name, args))


def cast(name: str, p: Poly) -> Poly:
    """What is turned into another type; zero stays zero where a condition does not hold."""
    each = [{a for a, e in f if a.kind in ("if", "ifnot") and e == 1} for f in p.terms]
    guards = set.intersection(*each) if each else set()
    for guard in guards:
        p = assume(p, guard.args, guard.kind == "if")
    return multiply(product(map(of, guards)), call(name, p))


def exponential(p: Poly) -> Poly:
    """exp(p): sums split, indicators become cases, an infinite negative term gives 0."""
    conditions = {a.args for f in p.terms for a, _ in f if a.kind in ("if", "ifnot")}
    if len(conditions) > MOST_CONDITIONS:
        return call("exp", p)
    if conditions:
        args = min(conditions, key=lambda args: (looks(args), hash(args)))
        yes, no = assume(p, args, True), assume(p, args, False)
        here = multiply(of(Atom("if", *args)), exponential(yes))
        return add(here, multiply(of(Atom("ifnot", *args)), exponential(no)))
    out = number(1)
    for factors, coefficient in p.terms.items():
        atoms = dict(factors)
        if any(atom.kind == "inf" for atom in atoms):
            rest = [atom for atom in atoms if atom.kind != "inf"]
            if coefficient < 0 and all(map(never_negative, rest)):
                return number(0)
            return call("exp", p)
        atom = next(iter(atoms)) if len(atoms) == 1 else None
        if atom is not None and atom.kind == "fn" and atom.args[0] == "log" and atoms[atom] == 1:
            out = multiply(out, power(atom.args[1][0], coefficient))
        else:
            out = multiply(out, of(Atom("exp", factors), coefficient))
    return out


def assume(p: Poly, condition: tuple[Any, ...], truth: bool) -> Poly:
    """``p`` where a condition is known to hold, or known to fail."""
    held, failed = ("if", "ifnot") if truth else ("ifnot", "if")
    terms = []
    for factors, coefficient in p.terms.items():
        if (Atom(failed, *condition), 1) not in factors:
            terms.append(monomial(factors - {(Atom(held, *condition), 1)}, coefficient))
    return add(*terms)


_E = Fraction(str(math.e))
"""Euler's number to the digits that a float holds, which ``math.e`` stands for."""


def _logarithm_of(coefficient: int | Fraction) -> Poly:
    if coefficient in (1, _E):
        return number(int(coefficient == _E))
    return call("log", number(coefficient))


def logarithm(p: Poly) -> Poly:
    """log(p); a factor that is not negative leaves it."""
    if not p.terms:
        return scale(INFINITY, -1)
    stable = _stable_sum(p) if len(p.terms) == 2 else None
    if stable is not None:
        return stable
    content, rest = split_content(p)
    factors, coefficient = next(iter(content.terms.items()))
    out = _logarithm_of(coefficient)
    for atom, exponent in factors:
        if not never_negative(atom):
            rest = multiply(rest, of(atom, exponent))
        elif atom.kind == "exp":
            out = add(out, monomial(atom.args[0], exponent))
        else:
            out = add(out, scale(call("log", of(atom)), exponent))
    return out if rest.constant == 1 else add(out, call("log", rest))


def _stable_sum(p: Poly) -> Poly | None:
    """log(exp(a) + exp(a - |d|)) as a + log(1 + exp(d)) - max(d, 0): what is added to the larger
    of two numbers, so that the sum of their exponentials does not overflow."""
    one, other = (_exponent(factors) for factors in p.terms)
    if one is None or other is None or set(p.terms.values()) != {1}:
        return None
    for above, below in ((one, other), (other, one)):
        d = _of_absolute(subtract(above, below))
        if d is not None:
            plain = logarithm(add(number(1), exponential(d)))
            return add(above, subtract(plain, positive_part(d)))
    return None


def _exponent(factors: Factors) -> Poly | None:
    """a of a product of exponentials that is exp(a)."""
    if any(atom.kind != "exp" for atom, _ in factors):
        return None
    return add(*(monomial(atom.args[0], exponent) for atom, exponent in factors))


def _of_absolute(p: Poly) -> Poly | None:
    """d where p is |d|, also as twice the positive part of d without d."""
    for factors, coefficient in p.terms.items():
        atom = monomial(factors).atom
        if atom is None or coefficient < 0 or atom.kind not in ("abs", "relu"):
            continue
        d = scale(atom.args[0], coefficient if atom.kind == "abs" else Fraction(coefficient) / 2)
        left = subtract(p, monomial(factors, coefficient))
        if not add(left, d).terms if atom.kind == "relu" else not left.terms:
            return d
    return None


def raised(base: Poly, exponent: Poly) -> Poly:
    """base ** exponent."""
    if exponent.constant is not None:
        return power(base, exponent.constant)
    known = base.constant
    if known == 1:
        return number(1)
    if (known is not None and known > 0) or (
        base.single is not None and nonnegative(base) and not base.free
    ):
        return exponential(multiply(exponent, logarithm(base)))
    if not integral(exponent):
        return call("pow", base, exponent)
    out = number(1)
    for factors, coefficient in exponent.terms.items():
        if factors == ONE:
            out = multiply(out, power(base, coefficient))
        else:
            out = multiply(out, of(Atom("pow", base, factors), coefficient))
    return out


def below_zero(p: Poly) -> Poly:
    """The indicator of p < 0."""
    known = p.constant
    if known is not None:
        return number(1 if known < 0 else 0)
    infinite = p.terms.get(frozenset(((Atom("inf"), 1),)), 0)
    if infinite and len(p.terms) == 1:
        return number(1 if infinite < 0 else 0)
    if always_negative(p):
        return number(1)
    if never_below_zero(p):
        return number(0)
    p = scale(p, Fraction(1) / rational_content(p))
    if integral(p) and not leads_positive(p):
        # for integers p < 0 is the complement of -p - 1 < 0
        return of(Atom("ifnot", "lt", subtract(scale(p, -1), number(1))))
    return of(Atom("if", "lt", p))


def zero(p: Poly) -> Poly:
    """The indicator of p == 0."""
    known = p.constant
    if known is not None:
        return number(1 if known == 0 else 0)
    conditions = {a.args for f in p.terms for a, _ in f if a.kind in ("if", "ifnot")}
    if len(conditions) == 1:
        args = next(iter(conditions))
        sides = [assume(p, args, truth) for truth in (True, False)]
        if all(side.constant is not None for side in sides):
            yes, no = (number(int(side.constant == 0)) for side in sides)
            return add(multiply(of(Atom("if", *args)), yes), multiply(of(Atom("ifnot", *args)), no))
    if always_negative(p) or always_negative(scale(p, -1)):
        return number(0)
    p = scale(p, Fraction(1) / rational_content(p))
    return of(Atom("if", "eq", p if leads_positive(p) else scale(p, -1)))


def opposite(condition: Poly) -> Poly:
    """1 - condition, for a value that is 0 or 1."""
    atom = condition.atom
    if atom is not None and atom.kind in ("if", "ifnot"):
        return of(Atom("ifnot" if atom.kind == "if" else "if", *atom.args))
    return subtract(number(1), condition)


def choose(condition: Poly, then: Poly, otherwise: Poly) -> Poly:
    """``then`` where the condition is 1, ``otherwise`` where it is 0."""
    if condition.constant is not None:
        return then if condition.constant else otherwise
    if then == otherwise:
        return then
    extreme = _as_extreme(condition, then, otherwise)
    if extreme is not None:
        return extreme
    return add(multiply(condition, then), multiply(opposite(condition), otherwise))


def _as_extreme(condition: Poly, then: Poly, otherwise: Poly) -> Poly | None:
    kind = extreme_of(condition, then, otherwise)
    if kind is None:
        return None
    return (maximum if kind == "max" else minimum)((then, otherwise))


def extreme_of(condition: Poly, then: Poly, otherwise: Poly) -> str | None:
    """where(p < 0, u, v) with u - v a multiple of p is the ``max`` or the ``min`` of u and v."""
    atom = condition.atom
    if atom is None or atom.kind not in ("if", "ifnot") or atom.args[0] != "lt":
        return None
    difference = subtract(then, otherwise)
    if atom.kind == "ifnot":
        difference = scale(difference, -1)
    p: Poly = atom.args[1]
    for boundary in [p, add(p, number(1))] if integral(p) else [p]:
        if not boundary.terms or set(boundary.terms) != set(difference.terms):
            continue
        factors = leading(boundary)
        ratio = Fraction(difference.terms[factors]) / boundary.terms[factors]
        if scale(boundary, ratio) == difference:
            # where p is negative the first is chosen: it is the larger one if the ratio is negative
            return "max" if ratio < 0 else "min"
    return None


def maximum(polys: Iterable[Poly]) -> Poly:
    """The largest; of two, as one of them plus the positive part of the difference."""
    found: set[Poly] = set()
    for p in polys:
        atom = p.atom
        found |= atom.args[0] if atom is not None and atom.kind == "maxof" else {p}
    if INFINITY in found:
        return INFINITY
    if len(found) > 1:
        found.discard(scale(INFINITY, -1))
    constants = [p for p in found if p.constant is not None]
    if len(constants) > 1:
        largest = max(constants, key=lambda p: p.constant or 0)
        found -= set(constants) - {largest}
    if len(found) == 1:
        return found.pop()
    if len(found) == 2:
        a, b = found
        if add(a, b).constant == 0:
            return absolute(a)
        return add(a, positive_part(subtract(b, a)))
    common = dict(next(iter(found)).terms)
    for p in found:
        common = {f: c for f, c in common.items() if p.terms.get(f) == c}
    shift = Poly(common)
    return add(shift, of(Atom("maxof", frozenset(subtract(p, shift) for p in found))))


def minimum(polys: Iterable[Poly]) -> Poly:
    return scale(maximum([scale(p, -1) for p in polys]), -1)


def positive_part(p: Poly) -> Poly:
    """max(p, 0); of p and -p the one that leads with a plus is kept."""
    known = p.constant
    if known is not None:
        return number(max(known, 0))
    if nonnegative(p) or never_below_zero(p):
        return p
    if nonnegative(scale(p, -1)) or never_below_zero(scale(p, -1)):
        return number(0)
    weight = rational_content(p)
    p = scale(p, Fraction(1) / weight)
    if leads_positive(p):
        return scale(of(Atom("relu", p)), weight)
    return scale(add(of(Atom("relu", scale(p, -1))), p), weight)


def absolute(p: Poly) -> Poly:
    known = p.constant
    if known is not None:
        return number(known if known > 0 else -known)
    for one in (p, scale(p, -1)):
        if nonnegative(one) or never_below_zero(one):
            return one
    weight = rational_content(p)
    p = scale(p, Fraction(1) / weight)
    return scale(of(Atom("abs", p if leads_positive(p) else scale(p, -1))), weight)


def floor_quotient(p: Poly, q: Poly) -> Poly:
    """p // q; what is certainly a multiple leaves, what is certainly below one vanishes."""
    whole, rest = quotient(p, q)
    return whole if rest is None else add(whole, call("floordiv", rest, q))


def remainder(p: Poly, q: Poly) -> Poly:
    return subtract(p, multiply(q, floor_quotient(p, q)))


def negative_symmetric(name: str, p: Poly, sign: int) -> Poly:
    """f(p) for an odd (sign -1) or an even function (sign 1)."""
    if not p.terms:
        return number(0 if sign < 0 else 1)
    if leads_positive(p):
        return call(name, p)
    return scale(call(name, scale(p, -1)), sign)


def applied(op: str, args: list[Poly]) -> Poly | None:
    """A pointwise operator of the notation on canonical arguments, or None where ``op`` is not
    one that has algebra (``where`` and the logical operators need to know what is a condition)."""
    x = args[0]
    if op == "add":
        return add(*args)
    if op == "mul":
        return product(args)
    if op == "max":
        return maximum(args)
    if op == "min":
        return minimum(args)
    if op in _TWO and len(args) == 2:
        return _binary(op, x, args[1])
    if op == "call:hypot" and len(args) == 2:
        return power(add(power(x, 2), power(args[1], 2)), Fraction(1, 2))
    if op in _ODD:
        return negative_symmetric(op, x, -1)
    if op == "cos":
        return negative_symmetric(op, x, 1)
    if op in ("floor", "ceil", "round", "trunc") and integral(x):
        return x
    return _unary(op, x) if len(args) == 1 else None


_TWO = frozenset(
    ("sub", "div", "pow", "floordiv", "mod", "logaddexp", "eq", "ne", "lt", "le", "gt", "ge")
)
_ODD = frozenset(("sin", "tan", "tanh", "erf", "sign"))


def _binary(op: str, x: Poly, y: Poly) -> Poly:
    if op == "sub":
        return subtract(x, y)
    if op == "div":
        return multiply(x, invert(y))
    if op == "pow":
        return raised(x, y)
    if op == "floordiv":
        return floor_quotient(x, y)
    if op == "mod":
        return remainder(x, y)
    if op == "logaddexp":
        return logarithm(add(exponential(x), exponential(y)))
    if op in ("eq", "ne"):
        same = zero(subtract(x, y))
        return same if op == "eq" else opposite(same)
    if op == "lt":
        return below_zero(subtract(x, y))
    if op == "gt":
        return below_zero(subtract(y, x))
    if op == "ge":
        return opposite(below_zero(subtract(x, y)))
    return opposite(below_zero(subtract(y, x)))


def _unary(op: str, x: Poly) -> Poly | None:
    one, half = number(1), Fraction(1, 2)
    if op == "neg":
        return scale(x, -1)
    if op == "abs":
        return absolute(x)
    if op == "relu":
        return positive_part(x)
    if op == "exp":
        return exponential(x)
    if op == "exp2":
        return raised(number(2), x)
    if op == "expm1":
        return subtract(exponential(x), one)
    if op == "log":
        return logarithm(x)
    if op in ("log2", "log10"):
        return multiply(logarithm(x), invert(logarithm(number(2 if op == "log2" else 10))))
    if op == "log1p":
        return logarithm(add(one, x))
    if op == "sqrt":
        return power(x, half)
    if op == "rsqrt":
        return power(x, -half)
    if op == "square":
        return power(x, 2)
    if op == "reciprocal":
        return invert(x)
    if op in ("sigmoid", "silu"):
        weight = invert(add(one, exponential(scale(x, -1))))
        return weight if op == "sigmoid" else multiply(x, weight)
    if op == "softplus":
        return logarithm(add(one, exponential(x)))
    if op == "gelu":
        inside = negative_symmetric("erf", multiply(x, power(number(2), -half)), -1)
        return scale(multiply(x, add(one, inside)), half)
    if op in ("sinh", "cosh"):
        sign = -1 if op == "sinh" else 1
        up, down = exponential(x), exponential(scale(x, -1))
        return scale(add(up, scale(down, sign)), half)
    return None
