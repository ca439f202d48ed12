"""The ranks of ``auditor.algebra.freedom`` without rounding.

Where a step is made of sums, products and quotients it is run on numbers modulo a prime: a rank
found there is one over the reals. With roots, exponentials and circular functions it is run on
numbers of many digits: what a step of a thousandth of a second does to a pendulum takes part in
the tenth derivative with the thirtieth digit.
"""

from __future__ import annotations

import operator
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from auditor.algebra.limits import CannotEvaluate, tick
from auditor.notation import Apply, Carry, Const, Read, Term, Value, walk

_PRIME = 2**61 - 1
_DIGITS = 300
"""Ten times what a tenth derivative of a step of a thousandth needs, whose part is 10^-30."""
_ZERO = 200
"""As many digits of these are enough to be 0: a third may be lost where numbers cancel."""
_LARGEST = 10**4
"""Beyond, exp(-x) is smaller than 10^-4000: a gate is shut to any number of digits."""
_RATIONAL = frozenset("add sub mul div neg reciprocal pow square".split())
_CHOOSING = frozenset("max min abs where eq ne lt le gt ge and or not".split())
_MOST = 3
"""Carried values on which numbers of many digits are spent: the ranks of four would have to get
beyond (4 + 1)^2, and an elimination that large takes seconds."""
_SPARE = 3
"""Runs beyond one for each rank: a point may lie where the rank is lower than elsewhere."""
_SMOOTH = frozenset(
    "exp log sqrt sin cos tan tanh atan sinh cosh sigmoid softplus log1p expm1 logaddexp".split()
)
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt,
    "ge": operator.ge,
}  # fmt: skip


def exact_ranks(
    carries: Sequence[Carry],
    inputs: Sequence[Value],
    fixed: Sequence[Value],
    enough: int,
) -> list[int]:
    """The ranks after 1, 2, ... steps; none where a step has other operations."""
    ops = {
        n.op.removeprefix("call:") for c in carries for n in walk(c.update) if isinstance(n, Apply)
    }
    if (
        not ops
        or not ops <= _RATIONAL | _SMOOTH | _CHOOSING
        or any(v.dtype == "bool" for v in fixed)
    ):
        return []
    numbers: _Numbers
    if ops <= _RATIONAL and all(_whole_powers(c.update) for c in carries):
        numbers = _Modulo()
    elif len(carries) <= _MOST:
        numbers = _Digits()
    else:
        return []
    # a run gives a row for each carried value; of a choice between two or three only some differ
    states = 3 * enough // len(carries) if ops & _CHOOSING else enough + _SPARE
    return _Run(numbers, carries, inputs, fixed, enough, states).ranks()


def _whole_powers(update: Term) -> bool:
    powers = (n.args[1] for n in walk(update) if isinstance(n, Apply) and n.op == "pow")
    return all(isinstance(p, Const) and type(p.value) is int for p in powers)


class _Numbers(ABC):
    """What the steps are run on."""

    @abstractmethod
    def number(self, exact: Fraction) -> Any:
        """A number as one of these."""

    @abstractmethod
    def quotient(self, one: Any, other: Any) -> Any:
        """Of two of these. Raises CannotEvaluate where there is none."""

    def reduced(self, number: Any) -> Any:
        return number

    @abstractmethod
    def is_zero(self, number: Any) -> bool:
        """Whether one of these is 0, up to the digits that there are."""

    def function(self, op: str, x: Any) -> tuple[Any, Any]:
        raise CannotEvaluate(op)

    def power(self, x: Any, y: Any) -> tuple[Any, Any, Any]:
        raise CannotEvaluate("pow")


class _Modulo(_Numbers):
    """Numbers modulo a prime."""

    def number(self, exact: Fraction) -> int:
        return exact.numerator * pow(exact.denominator, -1, _PRIME) % _PRIME

    def quotient(self, one: int, other: int) -> int:
        if not other:
            raise CannotEvaluate("a division by 0")
        return one * pow(other, -1, _PRIME) % _PRIME

    def reduced(self, number: int) -> int:
        return number % _PRIME

    def is_zero(self, number: int) -> bool:
        return not number


class _Digits(_Numbers):
    """Numbers of many digits."""

    def __init__(self) -> None:
        import mpmath

        self.mp = mpmath.mp.clone()
        self.mp.dps = _DIGITS
        self.small = self.mp.mpf(10) ** -_ZERO
        mp = self.mp
        self.functions: dict[str, Callable[[Any], tuple[Any, Any]]] = {
            "exp": lambda x: (mp.exp(x),) * 2,
            "log": lambda x: (mp.log(x), 1 / x),
            "sqrt": lambda x: (mp.sqrt(x), 1 / (2 * mp.sqrt(x))),
            "sin": lambda x: (mp.sin(x), mp.cos(x)),
            "cos": lambda x: (mp.cos(x), -mp.sin(x)),
            "tan": lambda x: (mp.tan(x), 1 / mp.cos(x) ** 2),
            "tanh": lambda x: (mp.tanh(x), 1 - mp.tanh(x) ** 2),
            "atan": lambda x: (mp.atan(x), 1 / (1 + x * x)),
            "sinh": lambda x: (mp.sinh(x), mp.cosh(x)),
            "cosh": lambda x: (mp.cosh(x), mp.sinh(x)),
            "sigmoid": lambda x: (1 / (1 + mp.exp(-x)), 1 / (2 + mp.exp(x) + mp.exp(-x))),
            "softplus": lambda x: (mp.log(1 + mp.exp(x)), 1 / (1 + mp.exp(-x))),
            "log1p": lambda x: (mp.log(1 + x), 1 / (1 + x)),
            "expm1": lambda x: (mp.exp(x) - 1, mp.exp(x)),
        }

    def number(self, exact: Fraction) -> Any:
        return self.mp.mpf(exact.numerator) / exact.denominator

    def quotient(self, one: Any, other: Any) -> Any:
        if not other:
            raise CannotEvaluate("a division by 0")
        return one / other

    def is_zero(self, number: Any) -> bool:
        return bool(abs(number) < self.small)

    def function(self, op: str, x: Any) -> tuple[Any, Any]:
        if abs(x) > _LARGEST or (op in ("log", "sqrt") and x <= 0) or (op == "log1p" and x <= -1):
            raise CannotEvaluate(f"{op} outside of where it is asked about")
        return self.functions[op](x)

    def power(self, x: Any, y: Any) -> tuple[Any, Any, Any]:
        whole = y == int(y) if abs(y) < _LARGEST else False
        if abs(y) > _LARGEST or (x <= 0 and not whole) or not x:
            raise CannotEvaluate("a power of what is not positive")
        made = x**y
        return made, y * made / x, made * self.mp.log(x) if x > 0 else None


_States = dict[Value, tuple[Any, dict[int, Any] | None]]
"""Numbers with their derivatives by the elements, by the number of the element."""


class _Run:
    def __init__(
        self,
        numbers: _Numbers,
        carries: Sequence[Carry],
        inputs: Sequence[Value],
        fixed: Sequence[Value],
        enough: int,
        states: int,
    ) -> None:
        self.numbers, self.carries, self.inputs, self.fixed = numbers, carries, inputs, fixed
        self.enough, self.states = enough, states

    def ranks(self) -> list[int]:
        best: list[int] = []
        for seed, low in ((1, Fraction(1, 5)), (2, Fraction(-1))):
            drawn = random.Random(seed)

            def draw(drawn: random.Random = drawn, low: Fraction = low) -> Any:
                return self.numbers.number(low + Fraction(drawn.randint(1, 999), 500))

            fixed = {value: (draw(), None) for value in self.fixed}
            runs: list[_States] = [
                {c.state: (draw(), None) for c in self.carries} for _ in range(self.states)
            ]
            found: list[int] = []
            for step in range(self.enough):
                runs = self._stepped(runs, {**fixed, **self._elements(step, draw)})
                if len(runs) * len(self.carries) < self.enough:
                    break
                rows = [slope or {} for run in runs for _, slope in run.values()]
                found.append(self._rank(rows, (step + 1) * len(self.inputs)))
                if found[-1] >= self.enough or found[-2:-1] >= found[-1:]:
                    break
            best = max(best, found, key=lambda ranks: ranks[-1:])
            if best[-1:] >= [self.enough]:
                break
        return best

    def _elements(self, step: int, draw: Callable[[], Any]) -> _States:
        """What is given at a step: as many directions as there are inputs."""
        one = self.numbers.number(Fraction(1))
        first = step * len(self.inputs)
        return {value: (draw(), {first + n: one}) for n, value in enumerate(self.inputs)}

    def _stepped(self, runs: list[_States], given: _States) -> list[_States]:
        """The states after one more step, without those that have left where it is defined."""
        found = []
        for states in runs:
            tick(40)
            made: dict[Term, Any] = {}
            try:
                found.append(
                    {c.state: self._of(c.update, {**states, **given}, made) for c in self.carries}
                )
            except (CannotEvaluate, ArithmeticError):
                continue
        return found

    def _of(self, term: Term, known: Mapping[Value, Any], made: dict[Term, Any]) -> Any:
        if term not in made:
            made[term] = self._made(term, known, made)
        return made[term]

    def _made(self, term: Term, known: Mapping[Value, Any], made: dict[Term, Any]) -> Any:
        if isinstance(term, Const) and isinstance(term.value, (int, float)):
            return self.numbers.number(Fraction(term.value)), None
        if isinstance(term, Read) and term.value in known:
            return known[term.value]
        if not isinstance(term, Apply):
            raise CannotEvaluate("a term without derivatives")
        op = term.op.removeprefix("call:")
        args = [self._of(arg, known, made) for arg in term.args]
        if op in _CHOOSING:
            return self._chosen(op, args)
        reduced = self.numbers.reduced
        if op in ("add", "sub", "neg"):
            signs = [1 if op == "add" or (op == "sub" and not n) else -1 for n in range(len(args))]
            total = sum(sign * x for sign, (x, _) in zip(signs, args, strict=True))
            slopes = [slope for _, slope in args]
            return reduced(total), self._sum(list(zip(signs, slopes, strict=True)))
        if op in ("mul", "square"):
            out = args[0]
            for other in args[1:] if op == "mul" else args:
                slope = self._sum([(other[0], out[1]), (out[0], other[1])])
                out = reduced(out[0] * other[0]), slope
            return out
        (x, dx), *rest = args
        if op in ("div", "reciprocal"):
            if op == "reciprocal":
                (x, dx), rest = (self.numbers.number(Fraction(1)), None), args
            y, dy = rest[0]
            made_of = self.numbers.quotient(x, y)
            inverse = self.numbers.quotient(self.numbers.number(Fraction(1)), y)
            return made_of, self._sum([(inverse, dx), (-made_of * inverse, dy)])
        if op == "pow":
            return self._power(term, args)
        if op == "logaddexp":
            y, dy = rest[0]
            difference, slope = self.numbers.function("softplus", y - x)
            return x + difference, self._sum([(1 - slope, dx), (slope, dy)])
        made_of, slope = self.numbers.function(op, x)
        return made_of, self._sum([(slope, dx)])

    def _chosen(self, op: str, args: list[Any]) -> Any:
        values = [value for value, _ in args]
        if op == "where":
            return args[1] if values[0] else args[2]
        if op in ("max", "min"):
            return (max if op == "max" else min)(args, key=lambda arg: arg[0])
        if op == "abs":
            ((x, dx),) = args
            return abs(x), dx if x >= 0 else self._sum([(-1, dx)])
        if op in _COMPARED:
            return _COMPARED[op](*values), None
        return {"and": all(values), "or": any(values), "not": not values[0]}[op], None

    def _power(self, term: Apply, args: list[Any]) -> Any:
        (x, dx), (y, dy) = args
        power = term.args[1]
        if isinstance(power, Const) and type(power.value) is int and abs(power.value) < 64:
            one = self.numbers.number(Fraction(1))
            base, whole = x, power.value
            if whole < 0:
                base = self.numbers.quotient(one, x)
            made = one
            for _ in range(abs(whole)):
                made = self.numbers.reduced(made * base)
            slope = self.numbers.quotient(made, x) * whole if whole else None
            return made, None if slope is None else self._sum([(slope, dx)])
        made, by_base, by_power = self.numbers.power(x, y)
        if dy is not None and by_power is None:
            raise CannotEvaluate("a power of what is not positive")
        return made, self._sum([(by_base, dx), (by_power, dy)])

    def _sum(self, parts: Sequence[tuple[Any, dict[int, Any] | None]]) -> dict[int, Any] | None:
        out: dict[int, Any] | None = None
        for factor, slope in parts:
            if slope is None:
                continue
            out = {} if out is None else out
            for place, number in slope.items():
                out[place] = self.numbers.reduced(out.get(place, 0) + factor * number)
        return out

    def _rank(self, slopes: list[dict[int, Any]], places: int) -> int:
        """The rank, each row and then each column measured by its largest number."""
        numbers = self.numbers
        left = [[slope.get(n, 0) for n in range(places)] for slope in slopes]
        if not isinstance(numbers, _Modulo):
            left = _measured(list(zip(*_measured(left), strict=True)))
            left = [list(row) for row in zip(*left, strict=True)]
        rank, width = 0, len(left[0]) if left else 0
        for column in range(width):
            pivot = max(left, key=lambda row: abs(row[column]), default=None)
            if pivot is None or numbers.is_zero(pivot[column]):
                continue
            rank += 1
            left = [row for row in left if row is not pivot]
            for row in left:
                if row[column]:
                    factor = numbers.quotient(row[column], pivot[column])
                    for n in range(column, width):
                        row[n] = numbers.reduced(row[n] - factor * pivot[n])
        return rank


def _measured(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """The rows that are not 0, each divided by its largest number."""
    sizes = [max(map(abs, row), default=0) for row in rows]
    return [[x / size for x in row] for row, size in zip(rows, sizes, strict=True) if size]
