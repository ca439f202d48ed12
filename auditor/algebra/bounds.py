"""What is known of integer expressions over indices and extents: whether they are integers, how
large and how small they get, what they are divided by. This is what makes views meet: reading
``x.view(B, T, H, D)`` at ``h * D + d`` needs ``(h * D + d) // D = h``."""

from __future__ import annotations

from fractions import Fraction

from auditor.algebra.polynomial import (
    ONE,
    Atom,
    Factors,
    Number,
    Poly,
    add,
    monomial,
    multiply,
    number,
    of,
    scale,
    subtract,
    tidy,
)

_INTEGERS = frozenset(("int", "int8", "int16", "int32", "int64", "uint8", "long", "bool"))
_ROUNDINGS = frozenset(
    ("floor", "ceil", "round", "cast:int", "cast:long", "cast:int64", "call:int", "call:trunc")
)
_WHOLE = frozenset(("var", "sym", "step", "axis", "if", "ifnot", "bcast", "arg"))


def integral(p: Poly) -> bool:
    """Certainly an integer."""
    return all(
        coefficient.denominator == 1
        and all(
            exponent.denominator == 1 and exponent > 0 and _whole(atom)
            for atom, exponent in factors
        )
        for factors, coefficient in p.terms.items()
    )


def _whole(atom: Atom) -> bool:
    if atom.kind in _WHOLE:
        return True
    if atom.kind == "read":
        return atom.args[0].dtype in _INTEGERS
    if atom.kind in ("relu", "abs"):
        return integral(atom.args[0])
    if atom.kind == "bind":
        return integral(atom.args[2])
    if atom.kind == "order":
        return bool(atom.args[-1] == "indices")
    if atom.kind == "fn":
        if atom.args[0] == "floordiv":
            return True
        return atom.args[0] in _ROUNDINGS
    return False


def highest(p: Poly) -> Poly | None:
    """An upper bound over all indices, as a polynomial of extents."""
    return _extreme(p, True)


def lowest(p: Poly) -> Poly | None:
    return _extreme(p, False)


def _extreme(p: Poly, top: bool) -> Poly | None:
    out = number(0)
    for factors, coefficient in p.terms.items():
        bound: Poly | None = number(1)
        for atom, exponent in factors:
            bound = None if bound is None else _times_bound(
                bound, atom, exponent, top == (coefficient > 0)
            )  # fmt: skip
        if bound is None:
            return None
        out = add(out, scale(bound, coefficient))
    return out


def _times_bound(bound: Poly, atom: Atom, exponent: Number, top: bool) -> Poly | None:
    """``bound`` times the extreme of a factor that is not negative."""
    if exponent.denominator != 1 or exponent < 0:
        return None
    if atom.kind == "sym":
        return multiply(bound, of(atom, exponent))
    if atom.kind in ("if", "ifnot"):
        return bound if top else number(0)
    if atom.kind in ("var", "bcast"):
        if not top:
            return number(0)
        extent: Poly | None = atom.args[1]
        limit = None if extent is None else highest(extent)
        if limit is None:
            return None
        for _ in range(int(exponent)):
            bound = multiply(bound, subtract(limit, number(1)))
        return bound
    if atom.kind == "fn" and atom.args[0] == "floordiv":
        numerator, divisor = atom.args[1]
        low, known = lowest(numerator), divisor.constant
        if low is None or not _not_negative(low):
            return None
        if not top:
            return number(0)
        limit = highest(numerator)
        if limit is None or known is None or known <= 0 or exponent != 1:
            return None
        if limit.constant is not None:
            return multiply(bound, number(Fraction(limit.constant) // known))
        return None
    return None


def _not_negative(p: Poly) -> bool:
    """Are all coefficients of a polynomial of extents positive?"""
    return all(c > 0 and all(a.kind == "sym" and e > 0 for a, e in f) for f, c in p.terms.items())


def never_below_zero(p: Poly) -> bool:
    low = lowest(p)
    return low is not None and _not_negative(low)


def always_negative(p: Poly) -> bool:
    """For integers: the largest value is at most -1."""
    high = highest(p)
    return high is not None and _not_negative(subtract(number(-1), high))


def quotient(p: Poly, q: Poly) -> tuple[Poly, Poly | None]:
    """p // q as a whole part and the numerator that still has to be divided, if any."""
    single = q.single
    if single is None or single[1] <= 0:
        return number(0), p
    whole, rest = number(0), number(0)
    for factors, coefficient in p.terms.items():
        divided = _divide(factors, coefficient, *single)
        part = monomial(factors, coefficient)
        if divided is not None and integral(divided):
            whole = add(whole, divided)
        else:
            rest = add(rest, part)
    if never_below_zero(rest) and always_negative(subtract(rest, q)):
        return whole, None
    return whole, rest


def _divide(factors: Factors, coefficient: Number, by: Factors, weight: Number) -> Poly | None:
    left = dict(factors)
    for atom, exponent in by:
        remaining = left.get(atom, 0) - exponent
        if remaining < 0:
            return None
        left[atom] = tidy(remaining)
    kept = frozenset((a, e) for a, e in left.items() if e)
    return monomial(kept or ONE, Fraction(coefficient) / weight)
