"""Carried values measured from a running sum: the least prefix sum so far, the lead of one sum over
another.

If moving a sum and what is measured from it by the same amount moves nothing else, a step only sees
how far they are apart, and may as well take the sum to be 0: `best = max(best, s - lo)` with
`lo = min(lo, s)` is Kadane's loop in ``s - lo``. The sum is a loop of its own.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from auditor.algebra.monoid import Part, free, renamed, start_of
from auditor.algebra.normal import equal
from auditor.algebra.semirings import SUMS, NotLinear, linear, negated, same_number
from auditor.algebra.signs import pushed
from auditor.algebra.states import Dependence
from auditor.notation import ONE, ZERO, Apply, Carry, Const, Read, Term, Value

_MOST = 5
"""Carried values beyond which the ways to measure them are not gone through."""
_COMPARE = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
_ALIKE = frozenset(("max", "min"))

Weights = Mapping[Value, int]


@dataclass(frozen=True, eq=False)
class Measured:
    """Carried values of which some are ``old`` ones measured from the sum ``base``: with the sign
    with which the sum stands in them."""

    base: Carry
    carries: list[Carry]
    old: dict[Value, tuple[Carry, int]]

    def back(self, part: Part) -> Part:
        """The part, which has the sum too, with the values themselves."""
        by = dict(zip(part.carries, part.finish, strict=True))
        total = by[self.base.state]
        starts = {
            new: _apart(start_of(carry), start_of(self.base), sign)
            for new, (carry, sign) in self.old.items()
        }
        finish: dict[Value, Term] = {}
        for state, term in by.items():
            term = renamed(term, starts)
            if state in self.old:
                carry, sign = self.old[state]
                finish[carry.state] = SUMS.add(term, total if sign > 0 else negated(total))
            else:
                finish[state] = term
        names = ", ".join(carry.name for carry, _ in self.old.values())
        return replace(
            part,
            carries=tuple(finish),
            finish=tuple(finish.values()),
            proof=f"with {names} measured from {self.base.name}, {part.proof}",
        )


def from_sums(
    carries: Sequence[Carry], dependence: Dependence, taken: set[str]
) -> Iterator[Measured]:
    """The ways to measure carried values from a sum; ``taken`` are names that what is measured may
    not have."""
    if not 2 <= len(carries) <= _MOST:
        return
    for base in carries:
        grows = _grows(base, dependence)
        others = [carry for carry in carries if carry is not base]
        read = any(dependence.mentions(carry.update, (base.state,)) for carry in others)
        weights = _weights(base, others) if grows is not None and read else None
        if grows is not None and weights is not None:
            yield _measured(base, grows, others, weights, set(taken))


def _grows(carry: Carry, dependence: Dependence) -> Term | None:
    """What a step adds to a value, if it does nothing else with it, nor asks for others."""
    if not dependence.states(carry.update) <= {carry.state} or not _number(carry.init):
        return None
    try:
        row = linear(carry.update, [carry.state], SUMS)
    except NotLinear:
        return None
    return row.get(None, ZERO) if same_number(row.get(carry.state, ZERO), ONE) else None


def _number(term: Term) -> bool:
    """Does a sum that begins so stay a number?"""
    if not isinstance(term, Const):
        return True
    value = term.value
    plain = isinstance(value, (int, float)) and not isinstance(value, bool)
    return plain and math.isfinite(value)  # type: ignore[arg-type]


def _weights(base: Carry, others: Sequence[Carry]) -> Weights | None:
    """With which sign the others move when the sum does, some of them at least."""
    ways = itertools.product((0, 1, -1), repeat=len(others))
    for signs in sorted(ways, key=lambda signs: (signs.count(-1), -signs.count(0))):
        weights = {base.state: 1}
        weights |= {carry.state: sign for carry, sign in zip(others, signs, strict=True)}
        moves = _Moves(weights)
        if any(signs) and all(
            not weights[c.state] or _measurable(c.init) for c in others
        ) and all(moves.by(c.update, weights[c.state]) for c in others):  # fmt: skip
            return weights
    return None


def _measurable(term: Term) -> bool:
    return not isinstance(term, Const) or (
        isinstance(term.value, (int, float)) and not isinstance(term.value, bool)
    )


@dataclass(frozen=True)
class _Moves:
    """How far terms move when each carried value moves by its weight."""

    weights: Weights

    def by(self, term: Term, wanted: int) -> bool:
        try:
            return self.of(term) in (wanted, None)
        except _Otherwise:
            return False

    def of(self, term: Term) -> Fraction | None:
        """None for what is infinite, which may move by anything. Raises ``_Otherwise``."""
        if isinstance(term, Const):
            infinite = isinstance(term.value, float) and math.isinf(term.value)
            return None if infinite else Fraction(0)
        if isinstance(term, Read):
            return Fraction(self.weights.get(term.value, 0))
        if not isinstance(term, Apply):
            raise _Otherwise
        op, args = term.op, term.args
        if op == "where":
            if self.of(args[0]):
                raise _Otherwise
            return self._same(args[1:])
        if op in _COMPARE:
            self._same(args)
            return Fraction(0)
        if op in _ALIKE:
            return self._same(args)
        moved = [self.of(arg) for arg in args]
        if op in ("add", "sub", "neg"):
            signed = [m or Fraction(0) for m in moved]
            if op != "add":
                signed[-1] = -signed[-1]
            return None if None in moved else sum(signed, Fraction(0))
        if op == "mul" and len(args) == 2:
            for one, other in ((0, 1), (1, 0)):
                factor = args[one]
                if isinstance(factor, Const) and isinstance(factor.value, int):
                    return factor.value * (moved[other] or Fraction(0))
        if any(moved):
            raise _Otherwise
        return Fraction(0)

    def _same(self, args: Sequence[Term]) -> Fraction | None:
        moved = {self.of(arg) for arg in args} - {None}
        if len(moved) > 1:
            raise _Otherwise
        return moved.pop() if moved else None


class _Otherwise(Exception):
    """The term moves in some other way."""


def _measured(
    base: Carry, grows: Term, others: Sequence[Carry], weights: Weights, taken: set[str]
) -> Measured:
    old: dict[Value, tuple[Carry, int]] = {}
    by: dict[Value, Term] = {base.state: ZERO}
    states: dict[Value, Value] = {}
    for carry in others:
        sign = weights[carry.state]
        if sign:
            joint = "from" if sign > 0 else "and"
            new = Value(free(f"{carry.name}_{joint}_{base.name}", taken), (), kind="state")
            old[new], by[carry.state], states[carry.state] = (carry, sign), Read(new, ()), new
    made = []
    for carry in others:
        update = renamed(carry.update, by)
        state, init = carry.state, carry.init
        if carry.state in states:
            state, sign = states[carry.state], weights[carry.state]
            update, init = _apart(update, grows, sign), _apart(init, base.init, sign)
        made.append(Carry(state.name, state, init, _plain(pushed(update))))
    return Measured(base, made, old)


def _apart(term: Term, base: Term, sign: int) -> Term:
    """``term`` without ``sign`` times the base."""
    return SUMS.add(term, negated(base) if sign > 0 else base)


def _plain(term: Term) -> Term:
    """``term`` without zeros that are added, and with what is added said of each choice."""
    if not isinstance(term, Apply):
        return term
    args = tuple(map(_plain, term.args))
    if term.op == "add" and len(args) == 2:
        return _sum(*args)
    if term.op == "sub":
        if same_number(args[1], ZERO):
            return args[0]
        return _sum(args[0], negated(args[1])) if same_number(args[0], ZERO) else Apply("sub", args)
    return Apply(term.op, args)


def _sum(a: Term, b: Term) -> Term:
    for one, other in ((a, b), (b, a)):
        if same_number(one, ZERO):
            return other
        if isinstance(one, Apply) and one.op in ("max", "min", "where"):
            kept = 1 if one.op == "where" else 0
            moved = (_sum(arg, other) for arg in one.args[kept:])
            return Apply(one.op, (*one.args[:kept], *moved))
    return ZERO if equal(a, negated(b)) else SUMS.add(a, b)
