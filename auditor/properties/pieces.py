"""A state-dependent branch refuted by running it: the update, composed with itself on a concrete
input, falls into more and more pieces as a function of the state.

A scan needs functions that compose in bounded size. A clamp after a clamp is a clamp, with three
pieces however many steps are taken; ``s + x if s < 10 else 0`` gets another piece with every step.
The input that shows it is part of the evidence.
"""

from __future__ import annotations

import ast
import copy
import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from auditor.algebra.affine import inline
from auditor.algebra.choices import leaves
from auditor.algebra.evaluate import evaluate
from auditor.algebra.few_values import Interval
from auditor.algebra.limits import CannotEvaluate
from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import Poly
from auditor.algebra.rising import rising
from auditor.algebra.sampling import Array
from auditor.algebra.states import Dependence
from auditor.algebra.subterms import values_in
from auditor.algebra.trial import CannotRun, run_of
from auditor.algebra.without_algebra import KNOWN
from auditor.notation import (
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Reduce,
    Symbol,
    Term,
    Value,
    children,
    definition,
    rebuild,
    walk,
)

Moving = Callable[[Value], bool]
_STEPS = (1, 2, 4, 8)
_REACH, _PER_UNIT = 40, 4
_SEEDS = 3
_PARTS = ((-1.5, -1.1, -0.9, -0.6, -0.35, 0.15, 0.4, 0.55, 0.8, 1.2), (0.3, 0.4, 0.55, 0.7))
_DRAWN: tuple[tuple[float, ...], ...] = (
    (1, 2, 3), (-3, -2, -1), (-3, -2, -1, 1, 2, 3), (-9, -4, 1, 2, 6),
    (-7.5, -5, -3.25, -1.5, 0.5, 1.25, 2.75, 4, 6.25, 8),
)  # fmt: skip
_KEPT = (0.75, 1.0)
_APART = (0.9, 0.6)
"""What several inputs that scale the state are, each by itself: of equal ones a branch between
them is none."""
_MOST_FIXED, _ABOVE = 4, 8.0
_DRIFTS = ((0.0, 0.11), (0.0, -0.11), (4.0, 0.11), (4.0, -0.11))
_STEADY = ((0.11, 0.0), (-0.11, 0.0))
_EXACT = 2.0**53
"""Whole numbers below are floats; of larger ones the last bits are missing."""
_COMPARISONS = frozenset("eq ne lt le gt ge".split())
STEPPED = frozenset(("mod", "floordiv", "floor", "ceil", "round"))


def grows(
    carry: Carry, moving: Moving, known: Mapping[Value, Interval], tries: int | None = None
) -> str | None:
    """How the pieces of the update's powers grow on some input, or None where they do not on any
    that is tried."""
    run = _Run(carry, moving, known)
    if run.whole or run.few:
        return None  # on whole numbers they may compose, though not on the points between
    literals = literals_of(carry.update)
    points = points_around(literals)
    every = itertools.chain(
        itertools.product(drawn_inputs(literals), run.scales),
        itertools.product(_drifting_inputs(literals, _STEADY), run.thresholds),
        itertools.product(drawn_inputs(literals), run.sizes),
    )
    for drawn, kept in itertools.islice(every, tries):
        found = run.counted(points, drawn, pieces, kept)
        if found is not None and found.counts[0] < points.shape[1] // 8 and found.finite:
            return (
                f"after 1, 2, 4 and 8 steps{found.given} it has {found.shown} pieces as a "
                f"function of {carry.name}: no summary of bounded size"
            )
    return None


def stretches(carry: Carry, moving: Moving, known: Mapping[Value, Interval]) -> str | None:
    """How many different stretches of whole states there are, by how the update's powers bend
    there or what they make of a far step, if that grows: a quotient or a remainder has a few."""
    run = _Run(carry, moving, known)
    if not run.whole or run.few:
        return None
    every = itertools.chain(
        itertools.product(itertools.islice(drawn_inputs({0.0}), _FEW_DRAWN), (_LONG,)),
        itertools.product(drawn_inputs({0.0}), _WHOLE_STATES),
    )
    for drawn, (states, count, few) in every:
        found = run.counted(states, lambda step, drawn=drawn: round(drawn(step)), count)  # type: ignore[misc]
        if found is not None and found.finite and found.counts[-1] > few:
            return (
                f"after 1, 2, 4 and 8 steps{found.given} whole values of {carry.name} are "
                f"taken apart in {found.shown} different ways: no summary of bounded size"
            )
    return None


@dataclass(frozen=True)
class _Counted:
    """What was counted after 1, 2, 4 and 8 steps, more each time."""

    counts: list[int]
    given: str
    finite: bool

    @property
    def shown(self) -> str:
        return ", ".join(map(str, self.counts))


class _Run:
    """The update of one carried value on many states at once; ``known`` is what the inputs lie
    between."""

    def __init__(self, carry: Carry, moving: Moving, known: Mapping[Value, Interval]) -> None:
        self._dependence = Dependence()
        update = inline(carry.update, frozenset((carry.state,)), self._dependence)
        self._samples = Symbol("samples")
        self._axis = Index("s", self._samples)
        self._state = Value(carry.name, (self._axis,), kind="input")
        self._inputs: dict[Poly, Value] = {}
        place = Read(self._state, (self._axis,))
        self._term = _scalar(update, carry.state, place, self._inputs, self._dependence)
        places = {value: key for key, value in self._inputs.items()}
        self._moving = {value for value in places if any(map(moving, values_in(places[value])))}
        self._rounded = {
            value for value, place in places.items()
            if (read := values_in(place)) and all(one in known and known[one].whole for one in read)
        }  # fmt: skip
        self._between = {
            self._inputs[key]: interval for value, interval in known.items()
            if (key := Normaliser().normal(Read(value, ()))) in self._inputs
        }  # fmt: skip
        self.whole = any(isinstance(n, Apply) and n.op in STEPPED for n in walk(self._term))
        remainders = {
            self._inputs[key] for key in _remainders(update, carry.state, self._dependence)
        }
        self._scaling = _scaling(self._term, self._state) - self._moving
        self.few = bool(self._moving) and self._moving <= remainders
        """Whether a step takes one of a few values, remainders by a number: what grows at first
        need not go on, since there may be no more than so many functions."""

    @property
    def scales(self) -> list[Mapping[Value, float]]:
        """What the inputs that scale the state at every step are tried as, before they are drawn:
        a state that lasts meets the same branch again."""
        if not self._scaling:
            return [{}]
        alike = [dict.fromkeys(self._scaling, one) for one in _KEPT]
        scaling = sorted(self._scaling, key=lambda value: value.name)
        apart = [dict(zip(scaling, itertools.cycle(_APART)))] if len(scaling) > 1 else []
        return [*alike, *apart, {}]

    @property
    def sizes(self) -> list[Mapping[Value, float]]:
        """The other inputs that no step changes, smaller than what is drawn at each: a step that
        goes only so far does not forget the state."""
        return [dict.fromkeys(self._fixed, 1.0)] if self._fixed else []

    @property
    def thresholds(self) -> list[Mapping[Value, float]]:
        """One of those inputs well above what drifts, the others nothing: what is compared with,
        beside what is taken off at each step."""
        if not 1 < len(self._fixed) <= _MOST_FIXED:
            return []
        return [{**dict.fromkeys(self._fixed, 0.0), one: _ABOVE} for one in self._fixed]

    @cached_property
    def _fixed(self) -> list[Value]:
        """What no step changes and does not scale the state."""
        others = set(self._inputs.values()) - self._moving - self._scaling
        return sorted(others, key=lambda value: value.name)

    def counted(
        self,
        points: Array,
        drawn: Callable[[int], float],
        count: Callable[[Array], int],
        kept: Mapping[Value, float] = MappingProxyType({}),
    ) -> _Counted | None:
        """What is counted of the states after some steps, if that grows."""
        counts, now = [], points
        every: dict[Value, list[float]] = {value: [] for value in self._inputs.values()}
        try:
            for step in range(1, _STEPS[-1] + 1):
                env: dict[Value, Array] = {self._state: now.ravel()}
                for value, held in every.items():
                    if not held or value in self._moving:
                        number = drawn(step if value in self._moving else 0)
                        number = kept.get(value, number)
                        if value in self._between:
                            number = self._between[value].holding(number)
                        held.append(round(number) if value in self._rounded else number)
                    env[value] = np.asarray(held[-1])
                with np.errstate(all="ignore"):
                    after = evaluate(
                        self._term, env, {self._samples: now.size}, axes=(self._axis,),
                        functions=KNOWN,
                    )  # fmt: skip
                now = np.asarray(after, float).reshape(points.shape)
                if self.whole and not (np.abs(now) < _EXACT).all():
                    return None
                if step in _STEPS:
                    with np.errstate(all="ignore"):
                        counts.append(count(now))
        except (CannotEvaluate, TypeError):
            return None
        grown = counts[self.whole :]
        if len(rising(grown)) < len(grown):
            return None
        given = "; ".join(
            f"{value.name.strip()} = {', '.join(f'{x:g}' for x in numbers)}"
            if value in self._moving else f"{value.name.strip()} = {numbers[0]:g}"
            for value, numbers in every.items()
        )  # fmt: skip
        return _Counted(counts, f" with {given}" if given else "", bool(np.isfinite(now).all()))


def drawn_inputs(literals: set[float]) -> Iterator[Callable[[int], float]]:
    """Sequences of inputs, always the same: drawn from few numbers or many, about the size of
    the update's own, or drifting a little at a time. Step 0 is what no step changes."""
    sizes = _sizes(literals) or [1.0]
    pools = (*_DRAWN, *(tuple(size * part for part in parts) for size in sizes for parts in _PARTS))
    for seed, pool in itertools.product(range(_SEEDS), pools):
        yield _Drawn(pool, seed)
    yield from _drifting_inputs(literals, _DRIFTS)
    for apart in (10.5, -10.5):
        yield _Drifting(0.77, apart)


def _drifting_inputs(
    literals: set[float], drifts: Iterable[tuple[float, float]]
) -> Iterator[Callable[[int], float]]:
    for size in (7.0, *(_sizes(literals) or [1.0])):
        for start, slope in drifts:
            yield lambda step, a=start * size, b=slope * size: a + b * step  # type: ignore[misc]


def once_more(drawn: Callable[[int], float], number: int) -> Callable[[int], float]:
    """The same sequence from its beginning, of what is drawn another one for each number."""
    if isinstance(drawn, _Drawn):
        return _Drawn(drawn.pool, drawn.seed, number)
    return copy.deepcopy(drawn)


class _Drifting:
    """Numbers that drift, those of one step far apart: where something begins and ends."""

    def __init__(self, slope: float, apart: float) -> None:
        self._slope, self._apart, self._step, self._given = slope, apart, 0, 0

    def __call__(self, step: int) -> float:
        self._given = self._given + 1 if step == self._step else 0
        self._step = step
        return self._slope * step + self._apart * self._given


class _Drawn:
    """Numbers drawn from a pool, the first one well above it."""

    def __init__(self, pool: tuple[float, ...], seed: int, *more: int) -> None:
        self.pool, self.seed = pool, seed
        self._random = np.random.default_rng((seed, *more) if more else seed)

    def __call__(self, step: int) -> float:
        if step == 0:
            return 4 * max(map(abs, self.pool))
        return float(self._random.choice(self.pool))


def _sizes(literals: set[float]) -> list[float]:
    """The sizes of the literals, of which a few are tried."""
    return sorted({abs(number) for number in literals} - {0.0})[:3]


def degrees(carry: Carry, moving: Moving, known: Mapping[Value, Interval]) -> str | None:
    """How the degree of the update's powers grows, as a polynomial of the state."""
    if not all(_polynomial(node) for node in walk(carry.update)):
        return None
    inputs = {
        node.value for node in walk(carry.update)
        if isinstance(node, Read) and node.value is not carry.state
    }  # fmt: skip
    truths = sorted((v for v in inputs if v.dtype == "bool"), key=lambda value: value.name)
    met = _compared_with(carry.update, inputs)
    tries = [(dict.fromkeys(inputs, Fraction(n)), f" on {n}") for n in (2, 3)]
    for beside in (0, 1, -1) if met else ():
        near = {value: number + beside for value, number in met.items()}
        shown = "; ".join(f"{value.name.strip()} = {float(n):.12g}" for value, n in near.items())
        tries.append(({**tries[0][0], **near}, f" with {shown}"))
    for numbers, said in tries:
        for asked in itertools.product((True, False), repeat=min(len(truths), 3)):
            given: dict[Value, Any] = {**numbers, **dict(zip(truths, asked, strict=False))}
            found = [_degree(carry, given, n) for n in (1, 2, 3)]
            grown = [degree for degree in found if degree is not None]
            if len(grown) == len(found) and grown[0] < grown[1] < grown[2]:
                shown = ", ".join(map(str, grown))
                where = "".join(
                    f", {v.name} being {a}" for v, a in zip(truths, asked, strict=False)
                )
                return (
                    f"after 1, 2 and 3 steps{said if len(inputs) > len(truths) else ''}{where} it "
                    f"is a polynomial of degree {shown} in what {carry.name} was: no summary of "
                    "bounded size"
                )
    return None


def _compared_with(update: Term, inputs: Collection[Value]) -> dict[Value, Fraction]:
    """The number that each input is compared with, which seldom is met."""
    found = {}
    for node in walk(update):
        if isinstance(node, Apply) and node.op in _COMPARISONS and len(node.args) == 2:
            for one, other in (node.args, node.args[::-1]):
                number = other.value if isinstance(other, Const) else None
                if isinstance(one, Read) and one.value in inputs and _is_finite(number):
                    found[one.value] = Fraction(number)  # type: ignore[arg-type]
    return found


def _is_finite(number: object) -> bool:
    return type(number) is int or (type(number) is float and math.isfinite(number))


def _polynomial(node: Term) -> bool:
    """Is an operation none but a small power, so that numbers stay of a size to compute with?"""
    if not isinstance(node, Apply) or node.op != "pow":
        return True
    power = node.args[-1]
    return isinstance(power, Const) and power.value in (2, 3, 4)


def _degree(carry: Carry, given: dict[Value, Any], steps: int) -> int | None:
    """The degree of so many steps, by differences of exact values."""
    values: list[Fraction] = []
    step = run_of(carry.update, {})
    for start in range(12):
        now: Any = Fraction(start)
        for _ in range(steps):
            try:
                now = step({**given, carry.state: now})
            except (CannotRun, ArithmeticError, TypeError, ValueError):
                return None
        if not isinstance(now, (int, Fraction)):
            return None
        values.append(Fraction(now))
    degree = -1
    while any(values):
        degree += 1
        values = [b - a for a, b in itertools.pairwise(values)]
    return degree if len(values) > 1 else None


def _scalar(
    term: Term, state: Value, place: Term, inputs: dict[Poly, Value], dependence: Dependence
) -> Term:
    """``term`` with the state at its samples and what does not depend on it as scalar inputs."""
    if isinstance(term, Read) and term.value is state:
        return place
    if isinstance(term, Reduce) and term.index.group and term.op == "any":
        return _scalar(term.body, state, place, inputs, dependence)  # the truth of one element
    if dependence.mentions(term, (state,)):
        if not isinstance(term, Apply):
            raise CannotEvaluate("a reduction of the state")
        parts = (_scalar(part, state, place, inputs, dependence) for part in children(term))
        return rebuild(term, tuple(parts))
    if isinstance(term, Const):
        return term
    if isinstance(term, Apply) and term.op not in STEPPED:  # of inputs that others may be made of
        parts = (_scalar(part, state, place, inputs, dependence) for part in children(term))
        return rebuild(term, tuple(parts))
    key = Normaliser().normal(term)
    if key not in inputs:
        name = term.value.name if isinstance(term, Read) else f"u{len(inputs)}"
        inputs[key] = Value(name, (), kind="input")
    return Read(inputs[key], ())


def _read(term: Term) -> set[Value]:
    return {node.value for node in walk(term) if isinstance(node, Read)}


def _scaling(term: Term, state: Value) -> set[Value]:
    """The inputs that the state is multiplied by."""
    found = set()
    for node in walk(term):
        if isinstance(node, Apply) and node.op == "mul":
            read = [
                leaf.value for part in node.args for leaf in leaves(part) if isinstance(leaf, Read)
            ]
            if any(value is state for part in node.args for value in _read(part)):
                found |= {value for value in read if value is not state}
    return found


def _remainders(term: Term, state: Value, dependence: Dependence) -> Iterator[Poly]:
    """What of the inputs of ``_scalar`` is the remainder of something by a number."""
    if dependence.mentions(term, (state,)):
        for part in children(term):
            yield from _remainders(part, state, dependence)
        return
    if _is_remainder(term):
        yield Normaliser().normal(term)


def _is_remainder(term: Term) -> bool:
    if isinstance(term, Read):
        made = definition(term)
        return _is_remainder(made) if made is not None else _spells_remainder(term.value.name)
    return isinstance(term, Apply) and term.op == "mod" and isinstance(term.args[1], Const)


def _spells_remainder(text: str) -> bool:
    """Whether a value that is called what its code says is a remainder by a number."""
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return False
    if not isinstance(node, ast.BinOp):
        return False
    return isinstance(node.op, ast.Mod) and isinstance(node.right, ast.Constant)


def literals_of(update: Term) -> set[float]:
    """0 and the numbers that the update names."""
    named = (n.value for n in walk(update) if isinstance(n, Const))
    return {0.0} | {float(v) for v in named if isinstance(v, (int, float)) and np.isfinite(v)}


def points_around(literals: set[float]) -> Array:
    """States around each literal, a row each, and from far below to far above 0, by the sizes of
    the literals."""
    around = np.arange(-_REACH * _PER_UNIT, _REACH * _PER_UNIT + 1) / _PER_UNIT
    rows = [centre + around for centre in sorted(literals)]
    rows += [np.linspace(-4 * size, 4 * size, around.size) for size in _sizes(literals)]
    return np.stack(rows)


def pieces(rows: Array) -> int:
    """The pieces of the row that has the most: rows overlap."""
    return int(pieces_of_each(rows).max())


def pieces_of_each(rows: Array) -> Array:
    """One more than the places where the slope changes in each row, neighbouring ones together."""
    slopes = np.diff(rows, axis=1)
    size = np.maximum(1.0, np.abs(slopes[:, 1:]) + np.abs(slopes[:, :-1]))
    bent = np.abs(np.diff(slopes, axis=1)) > 1e-9 * size
    starts = bent[:, 1:] & ~bent[:, :-1]
    return np.asarray(1 + starts.sum(axis=1) + bent[:, :1].sum(axis=1))


def _bends(rows: Array) -> int:
    """How many different stretches of three second differences there are."""
    return _sequences(np.diff(rows[0], 2), 3)


def _shifts(rows: Array) -> int:
    """How many different distances two states come to that were ``_FAR`` apart."""
    return len(np.unique(np.round(rows[0, _FAR:] - rows[0, :-_FAR], 6)))


def _stretches(rows: Array) -> int:
    """How many different stretches of ``_LENGTH`` differences there are."""
    return _sequences(np.diff(rows[0]), _LENGTH)


def _sequences(numbers: Array, length: int) -> int:
    """How many different runs of so many numbers there are."""
    _, kinds = np.unique(np.round(numbers, 6), return_inverse=True)
    # sums of random whole numbers, modulo 2^64, tell the runs apart
    weights = np.random.default_rng(0).integers(
        1, 2**63, size=(length, 1 + kinds.max()), dtype=np.uint64
    )
    count = len(numbers) - length + 1
    told = sum(weights[n, kinds[n : n + count]] for n in range(length))
    return len(np.unique(told))


_FAR, _LENGTH = 4096, 12
_FEW_STRETCHES = (_LENGTH + 1) ** 2
"""A quotient or a remainder of the state has one more than their length at most (Morse and Hedlund,
"Symbolic Dynamics II", 1940); a sum of two has as many as pairs of them."""
_FEW_DRAWN = 2
_Count = tuple[Array, Callable[[Array], int], int]
_LONG: _Count = (np.arange(0, _FAR + 1024, dtype=float)[None, :], _stretches, _FEW_STRETCHES)
_WHOLE_STATES: tuple[_Count, ...] = (
    (np.arange(-_REACH, 12 * _REACH, dtype=float)[None, :], _bends, 0),
    (np.arange(0, _FAR + 1024, dtype=float)[None, :], _shifts, 0),
)
