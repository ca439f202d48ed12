"""One carried value under maxima, minima and divisions: the clamped affine and the projective
domain. A function that stays in its domain composes with the others there in closed form."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.algebra.affine import (
    NotAffine,
    Place,
    chosen,
    divided,
    function_of_state,
    interpret,
    plus,
    times,
)
from auditor.algebra.functions import extreme_of
from auditor.algebra.limits import TooLarge
from auditor.algebra.normal import Normaliser, equal
from auditor.algebra.states import Dependence
from auditor.notation import INF, ONE, ZERO, Apply, Const, Read, Term, Trace, Value

NEGATIVE_INF = Const(float("-inf"))


@dataclass(frozen=True)
class Clamped:
    """min(high, max(low, a s + b)) with low <= high wherever both are finite."""

    a: Term
    b: Term
    low: Term = NEGATIVE_INF
    high: Term = INF

    @property
    def free(self) -> bool:
        return self.low is NEGATIVE_INF and self.high is INF


def clamped(term: Term, state: Value, dependence: Dependence) -> Clamped:
    """``term`` (definitions inlined) as a clamped affine function of ``state``."""
    states = (state,)
    if not dependence.mentions(term, states):
        return Clamped(ZERO, term)
    if isinstance(term, Read):
        if term.value is state and term.subs == state.axes:
            return Clamped(ONE, ZERO)
        raise NotAffine(term, "another element of the state")
    if not isinstance(term, Apply):
        known = not isinstance(term, Trace)
        raise NotAffine(term, "a reduction of the state", certain=known)
    op, args = term.op, term.args
    if op == "relu":
        op, args = "max", (args[0], ZERO)
    if op in ("max", "min"):
        found = [clamped(arg, state, dependence) for arg in args]
        out = found[0]
        for other in found[1:]:
            out = _extreme(op, out, other, term)
        return out
    if op in ("add", "sub", "neg", "mul", "div"):
        return _arithmetic(op, args, state, dependence, term)
    if op == "where":
        condition, then, otherwise = args
        if not dependence.mentions(condition, states):
            one, two = (clamped(arg, state, dependence) for arg in (then, otherwise))
            return Clamped(
                *(
                    chosen(condition, getattr(one, name), getattr(two, name))
                    for name in ("a", "b", "low", "high")
                )
            )
        kind = extreme(term)
        if kind is not None:
            return clamped(Apply(kind, (then, otherwise)), state, dependence)
        cut = _cut(condition, then, otherwise, state, dependence)
        if cut is None:
            raise NotAffine(term, "a branch that depends on the state")
        return cut
    if op.startswith(("cast:float", "cast:bfloat", "cast:double", "cast:half")):
        return clamped(args[0], state, dependence)
    raise NotAffine(term, function_of_state(op))


def extreme(term: Apply) -> str | None:
    """Is a ``where`` the larger or the smaller of its branches?"""
    condition, then, otherwise = term.args
    try:
        normaliser = Normaliser()
        return extreme_of(
            normaliser.truth(condition), normaliser.normal(then), normaliser.normal(otherwise)
        )
    except TooLarge:
        return None


def _cut(
    condition: Term, then: Term, otherwise: Term, state: Value, dependence: Dependence
) -> Clamped | None:
    """``where(p > c, c, q)`` where q is p clamped below c: clamped from above by c as well."""
    if not isinstance(condition, Apply) or condition.op not in ("lt", "le", "gt", "ge"):
        return None
    moving = [dependence.mentions(side, (state,)) for side in condition.args]
    fixed = [not dependence.mentions(side, (state,)) for side in (then, otherwise)]
    if moving[0] == moving[1] or fixed[0] == fixed[1]:
        return None
    p, limit = condition.args if moving[0] else reversed(condition.args)
    # p is above its limit where the condition holds, or where it does not
    above = (condition.op in ("gt", "ge")) == moving[0]
    top = above == fixed[0]
    constant, other = (then, otherwise) if fixed[0] else (otherwise, then)
    inner, line = clamped(other, state, dependence), clamped(p, state, dependence)
    same = line.free and equal(line.a, inner.a) and equal(line.b, inner.b)
    if not same or not equal(constant, limit):
        return None
    bound = inner.low if top else inner.high
    beyond = inner.high if top else inner.low
    within = bound in (NEGATIVE_INF, INF) or _below(*(bound, limit) if top else (limit, bound))
    if not within or beyond not in (NEGATIVE_INF, INF):
        return None
    low, high = (inner.low, limit) if top else (limit, inner.high)
    return Clamped(inner.a, inner.b, low, high)


def _below(low: Term, high: Term) -> bool:
    """Certainly not above?"""
    numbers = [Normaliser().normal(term).constant for term in (low, high)]
    return None not in numbers and numbers[0] <= numbers[1]  # type: ignore[operator]


def _extreme(op: str, one: Clamped, two: Clamped, term: Term) -> Clamped:
    for moving, fixed in ((one, two), (two, one)):
        if fixed.a is ZERO and fixed.free:
            return Clamped(
                moving.a,
                moving.b,
                _bound(op, moving.low, fixed.b),
                _bound(op, moving.high, fixed.b),
            )
    if one.a is two.a and one.free and two.free:
        return Clamped(one.a, Apply(op, (one.b, two.b)))
    if equal(one.a, two.a) and equal(one.b, two.b):
        return _of_one_line(op, one, two)
    raise NotAffine(term, f"the {op} of two functions of the state")


def _of_one_line(op: str, one: Clamped, two: Clamped) -> Clamped:
    """Extrema of one line and of bounds are that line between what they come to at its two ends:
    the normal form of a lattice polynomial (Goodstein)."""
    lows = [one.low, two.low]
    if op == "max":
        lows = [_joined("min", side.low, side.high) for side in (one, two)]
    return Clamped(one.a, one.b, _joined(op, *lows), _joined(op, one.high, two.high))


def _joined(op: str, one: Term, two: Term) -> Term:
    return _bound(op, two, one) if two in (NEGATIVE_INF, INF) else _bound(op, one, two)


def _bound(op: str, limit: Term, by: Term) -> Term:
    infinite = {NEGATIVE_INF: ("max", by), INF: ("min", by)}
    if limit in infinite:
        neutral, other = infinite[limit]
        return other if op == neutral else limit
    return Apply(op, (limit, by))


def _arithmetic(
    op: str, args: tuple[Term, ...], state: Value, dependence: Dependence, term: Term
) -> Clamped:
    moving = [arg for arg in args if dependence.mentions(arg, (state,))]
    if len(moving) > 1:
        whole = interpret(term, frozenset((state,)), dependence)
        if not whole.diagonal(state.axes):
            raise NotAffine(term, "another element of the state")
        return Clamped(whole.coefficients.get(Place(state, state.axes), ZERO), whole.constant)
    inner = clamped(moving[0], state, dependence)
    rest = [arg for arg in args if arg is not moving[0]]
    if op == "add" or (op == "sub" and moving[0] is args[0]):
        by: Term = ZERO
        for arg in rest:
            by = plus(by, arg if op == "add" else times(Const(-1), arg))
        return _moved(inner, ONE, by)
    if op == "sub":
        return _moved(inner, Const(-1), args[0])
    if op == "neg":
        return _moved(inner, Const(-1), ZERO)
    if op == "mul":
        return _moved(inner, times(*rest), ZERO)
    if moving[0] is not args[0]:
        raise NotAffine(term, "a division by the state")
    return _moved(inner, divided(ONE, args[1]), ZERO)


def _moved(inner: Clamped, by: Term, shift: Term) -> Clamped:
    """The image under by * s + shift; a negative factor swaps the limits."""
    a, b = times(by, inner.a), plus(times(by, inner.b), shift)
    if inner.free:
        return Clamped(a, b)
    up = _image(inner.low, by, shift, False), _image(inner.high, by, shift, False)
    down = _image(inner.high, by, shift, True), _image(inner.low, by, shift, True)
    if isinstance(by, Const) and isinstance(by.value, (int, float)):
        return Clamped(a, b, *(up if by.value >= 0 else down))
    negative = Apply("lt", (by, ZERO))
    return Clamped(a, b, chosen(negative, down[0], up[0]), chosen(negative, down[1], up[1]))


def _image(limit: Term, by: Term, shift: Term, negative: bool) -> Term:
    if limit in (INF, NEGATIVE_INF):
        return limit if not negative else NEGATIVE_INF if limit is INF else INF
    return plus(times(by, limit), shift)


@dataclass(frozen=True)
class Projective:
    """(a s + b) / (c s + d)."""

    a: Term
    b: Term
    c: Term
    d: Term


def projective(term: Term, state: Value, dependence: Dependence) -> Projective:
    """``term`` (definitions inlined) as a fractional linear function of ``state``."""
    if not dependence.mentions(term, (state,)):
        return Projective(ZERO, term, ZERO, ONE)
    if isinstance(term, Read) and term.value is state and term.subs == state.axes:
        return Projective(ONE, ZERO, ZERO, ONE)
    if not isinstance(term, Apply):
        raise NotAffine(term, "not a quotient")
    op, args = term.op, term.args
    moving = [arg for arg in args if dependence.mentions(arg, (state,))]
    if op == "div" and len(moving) == 2:
        above, below = (_linear(arg, state, dependence) for arg in args)
        return Projective(*above, *below)
    if op == "where" and moving and moving[0] is not args[0]:
        one, two = (projective(arg, state, dependence) for arg in args[1:])
        return Projective(
            *(chosen(args[0], getattr(one, n), getattr(two, n)) for n in ("a", "b", "c", "d"))
        )
    if op == "reciprocal":
        op, args = "div", (ONE, args[0])
        moving = [args[1]]
    if len(moving) != 1 or op not in ("add", "sub", "neg", "mul", "div"):
        raise NotAffine(term, function_of_state(op))
    inner = projective(moving[0], state, dependence)
    rest = [arg for arg in args if arg is not moving[0]]
    if op == "div":
        if moving[0] is args[0]:
            return Projective(inner.a, inner.b, times(args[1], inner.c), times(args[1], inner.d))
        return Projective(times(args[0], inner.c), times(args[0], inner.d), inner.a, inner.b)
    if op == "mul":
        return Projective(times(*rest, inner.a), times(*rest, inner.b), inner.c, inner.d)
    sign = Const(-1) if op == "neg" or (op == "sub" and moving[0] is not args[0]) else ONE
    shift: Term = ZERO
    for arg in rest:
        minus = op == "sub" and arg is args[1]
        shift = plus(shift, times(Const(-1), arg) if minus else arg)
    return Projective(
        plus(times(sign, inner.a), times(shift, inner.c)),
        plus(times(sign, inner.b), times(shift, inner.d)),
        inner.c,
        inner.d,
    )


def _linear(term: Term, state: Value, dependence: Dependence) -> tuple[Term, Term]:
    found = interpret(term, frozenset((state,)), dependence)
    if not found.diagonal(state.axes):
        raise NotAffine(term, "another element of the state")
    return found.coefficients.get(Place(state, state.axes), ZERO), found.constant
