"""One carried value that is affine in other coordinates: powers of it, its logarithm, its quotient.

s' = c s^a                       log s' = a log s + log c
s' = (a s^k + b)^(1/k)           s'^k = a s^k + b
s' = (s + b) // m                the quotients of a sum by a product, for whole numbers
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from auditor.algebra.affine import NotAffine, Place, divided, interpret, is_number, plus, times
from auditor.algebra.bounds import integral
from auditor.algebra.limits import CannotSpell
from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import Poly, tidy
from auditor.algebra.spell import spelled
from auditor.algebra.states import Dependence
from auditor.algebra.summary import integer
from auditor.notation import ONE, ZERO, Apply, Carry, Const, Read, Term, Value


@dataclass(frozen=True)
class Monomial:
    """``coefficient`` times the state to the power ``exponent``."""

    exponent: Term
    coefficient: Term


@dataclass(frozen=True)
class PowerSum:
    """The state to the power ``power`` is affine in itself: ``a`` times it plus ``b``."""

    power: int
    a: Term
    b: Term


@dataclass(frozen=True)
class Floored:
    """(state + b) // m, with b whole and m a positive whole number."""

    b: Term
    m: int


def monomial_in(term: Term, state: Value, dependence: Dependence) -> Monomial | None:
    """``term`` as a power of the state with a coefficient that does not depend on it, or None."""
    if not dependence.mentions(term, (state,)):
        return Monomial(ZERO, term)
    if isinstance(term, Read):
        own = term.value is state and term.subs == state.axes
        return Monomial(ONE, ONE) if own else None
    if not isinstance(term, Apply):
        return None
    op, args = term.op, term.args
    if op == "where" and not dependence.mentions(args[0], (state,)):
        one, two = (monomial_in(arg, state, dependence) for arg in args[1:])
        if one is None or two is None:
            return None
        return Monomial(
            *(
                u if u is v else Apply("where", (args[0], u, v))
                for u, v in ((one.exponent, two.exponent), (one.coefficient, two.coefficient))
            )
        )
    if op == "pow" and dependence.mentions(args[1], (state,)):
        return None
    powers: dict[str, Term] = {"sqrt": Const(0.5), "square": Const(2), "reciprocal": Const(-1)}
    if op == "pow":
        powers["pow"] = args[1]
    if op in powers:
        inner = monomial_in(args[0], state, dependence)
        if inner is None:
            return None
        by = powers[op]
        whole = isinstance(by, Const) and isinstance(by.value, int)
        if not whole and inner.exponent is not ONE:
            return None  # the root of a square is no power of what may be negative
        factor = inner.coefficient
        factor = ONE if is_number(factor, 1) else Apply("pow", (factor, by))
        return Monomial(times(by, inner.exponent), factor)
    if op not in ("mul", "div"):
        return None
    parts = [monomial_in(arg, state, dependence) for arg in args]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    exponent, factor = known[0].exponent, known[0].coefficient
    for part in known[1:]:
        if op == "mul":
            exponent = plus(exponent, part.exponent)
            factor = times(factor, part.coefficient)
        else:
            exponent = plus(exponent, times(Const(-1), part.exponent))
            factor = divided(factor, part.coefficient)
    return Monomial(exponent, factor)


def power_sum(term: Term, state: Value, dependence: Dependence) -> PowerSum | None:
    """``term`` as a root of what is affine in that power of the state, or None."""
    rooted = _rooted(term)
    if rooted is None:
        return None
    inside, power = rooted
    normaliser = Normaliser()
    own = normaliser.normal(Read(state, state.axes)).atom
    other = Value(f"{state.name}^{power}", state.axes, None, state.dtype, "state", state.library)
    new = normaliser.normal(Read(other, other.axes)).atom
    if own is None or new is None:
        return None
    terms = {}
    for factors, weight in normaliser.normal(inside).terms.items():
        held = Fraction(sum(e for atom, e in factors if atom == own))
        rest = frozenset((atom, e) for atom, e in factors if atom != own)
        if held % power:
            return None
        if held:
            rest |= {(new, tidy(held / power))}
        terms[rest] = weight
    try:
        found = spelled(Poly(terms))
    except CannotSpell:
        return None
    if dependence.mentions(found, (state,)):
        return None
    try:
        form = interpret(found, frozenset((other,)), dependence)
    except NotAffine:
        return None
    if not form.diagonal(other.axes):
        return None
    return PowerSum(power, form.coefficients.get(Place(other, other.axes), ZERO), form.constant)


def _rooted(term: Term) -> tuple[Term, int] | None:
    """What a root is taken of, and which."""
    if not isinstance(term, Apply):
        return None
    if term.op == "sqrt":
        return term.args[0], 2
    if term.op in ("hypot", "call:hypot") and len(term.args) == 2:
        squares = (Apply("mul", (arg, arg)) for arg in term.args)
        return Apply("add", tuple(squares)), 2
    if term.op == "pow":
        exponent = Normaliser().normal(term.args[1]).constant
        if (
            exponent is not None
            and exponent > 0
            and Fraction(1, 1) / Fraction(exponent) in (2, 3, 4)
        ):
            return term.args[0], int(1 / Fraction(exponent))
    return None


def floored(term: Term, carry: Carry, dependence: Dependence) -> Floored | None:
    """``term`` as the quotient of the state plus something by a positive whole number. Raises
    ``NotAffine`` where it is not certain that all are whole."""
    state = carry.state
    if not isinstance(term, Apply) or term.op != "floordiv":
        return None
    inside, by = term.args
    if not isinstance(by, Const) or not isinstance(by.value, int) or by.value < 1:
        if dependence.mentions(by, (state,)):
            return None
        raise NotAffine(term, "a quotient by what may be negative", certain=False)
    form = interpret(inside, frozenset((state,)), dependence)
    factor = form.coefficients.get(Place(state, state.axes), ZERO)
    if not form.diagonal(state.axes) or not is_number(factor, 1):
        return None
    if not integer(carry) or not integral(Normaliser().normal(form.constant)):
        raise NotAffine(term, "integers are not certain under a quotient", certain=False)
    return Floored(form.constant, by.value)
