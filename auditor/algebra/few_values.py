"""Whether whole inputs keep what a loop carries among finitely many values.

Of those there are finitely many functions, and a table of them is a summary: that what the steps do
seems to grow on the numbers between refutes nothing. Values are bounded by intervals, from what the
loop begins with to where another step adds nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from auditor.algebra.as_fold import ScalarFold
from auditor.notation import Apply, Carry, Const, Index, Read, Term, Value, definition

_WIDENED, _NARROWED = 4, 4
"""Steps before a bound that still moves is given up, and those that may find it again."""
_LARGEST = 10**30
_BITS = frozenset(("bitor", "bitxor", "bitwise_or", "bitwise_xor"))
_TRUTHS = frozenset(("lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not", "is", "cast:bool"))
_WHOLE = frozenset(
    ("floor", "ceil", "round", "cast:int", "cast:long", "cast:int64", "int", "trunc")
)
_INTEGERS = ("int", "uint", "long", "bool")
_OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq"}


@dataclass(frozen=True)
class Interval:
    """Numbers from ``low`` to ``high``, ``whole`` ones or any."""

    low: float
    high: float
    whole: bool

    @property
    def few(self) -> bool:
        """Are these finitely many numbers?"""
        return self.whole and math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def point(self) -> float | None:
        return self.low if self.low == self.high else None

    @property
    def bounded(self) -> Interval:
        """Without bounds that are too large to compute with."""
        return replace(
            self,
            low=min(self.low, _LARGEST) if self.low > -_LARGEST else -math.inf,
            high=max(self.high, -_LARGEST) if self.high < _LARGEST else math.inf,
        )

    def holding(self, number: float) -> float:
        """A number of the interval: this one, or one that far inside."""
        if self.low == self.high:
            return self.low
        if self.low <= number <= self.high or self.low > self.high:
            return number
        if math.isfinite(self.low) and math.isfinite(self.high):
            return self.low + (number - self.low) % (self.high - self.low)
        edge = self.low if number < self.low else self.high
        return 2 * edge - number

    def joined(self, other: Interval) -> Interval:
        return Interval(
            min(self.low, other.low), max(self.high, other.high), self.whole and other.whole
        )


Env = Mapping[Value, Interval]
_ANYTHING = Interval(-math.inf, math.inf, False)
_ANY_WHOLE = Interval(-math.inf, math.inf, True)
_TRUTH = Interval(0, 1, True)
_BETWEEN = {
    "sigmoid": Interval(0, 1, False),
    "tanh": Interval(-1, 1, False),
    "sin": Interval(-1, 1, False),
    "cos": Interval(-1, 1, False),
} | dict.fromkeys(("exp", "square", "sqrt", "softplus", "relu"), Interval(0, math.inf, False))


def known_inputs(fold: ScalarFold, integers: frozenset[str]) -> dict[Value, Interval]:
    """What the inputs of a loop lie between, where that is known: bounds, or whole numbers."""
    bounds = _Bounds(fold, integers)
    found = {value: bounds.of(term, {}) for value, term in fold.terms.items()}
    return {value: interval for value, interval in found.items() if interval != _ANYTHING}


def few_values(fold: ScalarFold, carries: Iterable[Carry], integers: frozenset[str]) -> bool:
    """Whether what ``carries`` become is among finitely many values; ``integers`` are the inputs
    that are said to hold whole numbers."""
    now = reached(fold, integers)
    return all(now[carry.state].few for carry in carries)


def reached(fold: ScalarFold, integers: frozenset[str]) -> dict[Value, Interval]:
    """What each carried value lies between after a step, whatever is given."""
    bounds = _Bounds(fold, integers)
    starts = {carry.state: bounds.of(carry.init, {}) for carry in fold.scan.carries}
    first = bounds.after(starts)
    now = first
    for count in range(2 * _WIDENED):
        wider = _each(now, bounds.after(now))
        if wider == now:
            break
        now = {v: _widened(now[v], wider[v]) for v in now} if count >= _WIDENED else wider
    else:
        now = dict.fromkeys(now, _ANYTHING)
    for _ in range(_NARROWED):
        now = _each(first, bounds.after(now))
    return now


def _each(one: Env, other: Env) -> dict[Value, Interval]:
    return {value: one[value].joined(other[value]) for value in one}


def _widened(before: Interval, after: Interval) -> Interval:
    """``after`` with a bound that moved left out."""
    return Interval(
        after.low if after.low == before.low else -math.inf,
        after.high if after.high == before.high else math.inf,
        after.whole,
    )


class _Bounds:
    """What the terms of a loop lie between."""

    def __init__(self, fold: ScalarFold, integers: frozenset[str]) -> None:
        self._fold, self._integers = fold, integers

    def after(self, env: Env) -> dict[Value, Interval]:
        """The carried values after a step from those of ``env``."""
        return {carry.state: self.of(carry.update, env) for carry in self._fold.scan.carries}

    def of(self, term: Term, env: Env) -> Interval:
        if isinstance(term, Const):
            number = term.value
            if not isinstance(number, (bool, int, float)) or number != number:
                return _ANYTHING
            return Interval(number, number, number == number // 1).bounded
        if isinstance(term, Index):
            return Interval(0, math.inf, True)
        if isinstance(term, Read):
            return self._read(term, env)
        if not isinstance(term, Apply):
            return _ANYTHING
        if term.op == "where":
            test, *sides = term.args
            then, otherwise = (
                self.of(side, self._where(test, env, holds))
                for side, holds in zip(sides, (True, False), strict=True)
            )
            return then.joined(otherwise)
        if term.op in _TRUTHS:
            return _TRUTH
        if term.op == "mul" and len(term.args) == 2 and term.args[0] is term.args[1]:
            return _squared(self.of(term.args[0], env)).bounded
        op = term.op.removeprefix("call:")
        return _applied(op, [self.of(arg, env) for arg in term.args])

    def _read(self, read: Read, env: Env) -> Interval:
        value = read.value
        if value in env:
            return env[value]
        if value in self._fold.terms:
            return self.of(self._fold.terms[value], {})
        made = definition(read)
        if made is not None:
            return self.of(made, {})
        if value.dtype == "bool":
            return _TRUTH
        whole = value.name in self._integers or (value.dtype or "").startswith(_INTEGERS)
        return _ANY_WHOLE if whole else _ANYTHING

    def _where(self, test: Term, env: Env, holds: bool) -> Env:
        """``env`` where a test comes out so."""
        if not isinstance(test, Apply):
            return env
        if test.op == "not":
            return self._where(test.args[0], env, not holds)
        if test.op == ("and" if holds else "or"):
            for part in test.args:
                env = self._where(part, env, holds)
            return env
        if test.op not in _MIRRORED or len(test.args) != 2 or (test.op == "eq" and not holds):
            return env
        op = test.op if holds else _OPPOSITE[test.op]
        one, other = test.args
        env = self._compared(op, one, self.of(other, env), env)
        return self._compared(_MIRRORED[op], other, self.of(one, env), env)

    def _compared(self, op: str, side: Term, other: Interval, env: Env) -> Env:
        """``env`` where ``side`` is compared so with what lies in ``other``."""
        if not isinstance(side, Read) or side.value not in env:
            return env
        mine = env[side.value]
        gap = 1 if mine.whole and other.whole else 0
        if op in ("lt", "le", "eq"):
            mine = replace(mine, high=min(mine.high, other.high - (gap if op == "lt" else 0)))
        if op in ("gt", "ge", "eq"):
            mine = replace(mine, low=max(mine.low, other.low + (gap if op == "gt" else 0)))
        return {**env, side.value: mine if mine.low <= mine.high else replace(mine, high=mine.low)}


def _applied(op: str, args: list[Interval]) -> Interval:
    """What an operation makes of numbers between these bounds."""
    if op in _WHOLE and len(args) == 1:
        low, high = (round(n) if math.isfinite(n) else n for n in (args[0].low, args[0].high))
        return Interval(low - 1, high + 1, True)
    if op == "len":
        return Interval(0, math.inf, True)
    if op in _BETWEEN and len(args) == 1:
        return _BETWEEN[op]
    if op in ("neg", "abs") and len(args) == 1:
        (one,) = args
        minus = Interval(-one.high, -one.low, one.whole)
        if op == "neg" or one.high <= 0:
            return minus
        return one if one.low >= 0 else Interval(0, max(one.high, minus.high), one.whole)
    if len(args) < 2:
        return _ANYTHING
    result = args[0]
    for other in args[1:]:
        result = _paired(op, result, other).bounded
    return result


def _paired(op: str, a: Interval, b: Interval) -> Interval:
    whole = a.whole and b.whole
    if op == "add":
        return Interval(a.low + b.low, a.high + b.high, whole)
    if op == "sub":
        return Interval(a.low - b.high, a.high - b.low, whole)
    if op == "mul":
        ends = [_times(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        return Interval(min(ends), max(ends), whole)
    if op in ("min", "max"):
        choose = min if op == "min" else max
        return Interval(choose(a.low, b.low), choose(a.high, b.high), whole)
    if op == "mod" and b.low > 0:
        if a.low >= 0 and a.high < b.low:
            return a
        return Interval(0, b.high - 1 if whole else b.high, whole)
    if op == "floordiv" and b.point is not None and b.low >= 1:
        return Interval(a.low // b.low if math.isfinite(a.low) else a.low,
                        a.high // b.low if math.isfinite(a.high) else a.high, True)  # fmt: skip
    if op in ("bitand", "bitwise_and") and max(a.low, b.low) >= 0:
        return Interval(0, min(side.high for side in (a, b) if side.low >= 0), True)
    if op in _BITS and min(a.low, b.low) >= 0 and max(a.high, b.high) < _LARGEST:
        return Interval(0, 2 ** int(max(a.high, b.high)).bit_length() - 1, True)
    if op == "pow" and a.point in (2, 10) and b.point in range(65):
        power = int(a.low) ** int(b.low)
        return Interval(power, power, True)
    if op == "pow" and b.point in (2, 3, 4):
        if b.point == 3:
            return _paired("mul", _paired("mul", a, a), a)
        return _squared(a) if b.point == 2 else _squared(_squared(a))
    return _ANY_WHOLE if op in _BITS or op in ("bitand", "bitwise_and") else _ANYTHING


def _squared(one: Interval) -> Interval:
    ends = (_times(one.low, one.low), _times(one.high, one.high))
    low = 0 if one.low <= 0 <= one.high else min(ends)
    return Interval(low, max(ends), one.whole)


def _times(x: float, y: float) -> float:
    """A product in which 0 times anything is 0."""
    return 0 if x == 0 or y == 0 else x * y
