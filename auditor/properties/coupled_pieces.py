"""Values that need each other under branches, refuted by running them: what becomes of one of them,
as a function of what another one was, falls into more and more pieces.

Only what is reached is looked at, and only along a value of which there are not finitely many: a
counter that a table is made of falls into as many pieces as the table has rows.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from auditor.algebra.as_fold import ScalarFold
from auditor.algebra.evaluate import evaluate
from auditor.algebra.few_values import Interval, known_inputs, reached
from auditor.algebra.limits import CannotEvaluate, tick
from auditor.algebra.rising import rising
from auditor.algebra.sampling import Array
from auditor.algebra.without_algebra import KNOWN
from auditor.notation import Apply, Carry, Const, Index, Read, Symbol, Term, Value, transform, walk
from auditor.properties.pieces import (
    STEPPED,
    drawn_inputs,
    literals_of,
    once_more,
    pieces_of_each,
    points_around,
)

_STEPS = (2, 4, 8, 16)
_OTHER_PIECES = 4
"""Along one value, what composes has a border below and one above each of the carried values, as a
clamp and a table of thresholds have; these are asked beyond, for what the first steps choose."""
_POINTS_A_PIECE = 4
"""Three make a slope that changes; of narrower pieces several may be taken for one."""
_SCALES: tuple[tuple[float, ...], ...] = ((), (0.75,), (1.0, -0.75, 0.5, -1.25, 0.9))
"""What inputs that no step changes are: drawn if nothing is said, or these in turn."""
_STARTS = (None, 3.0)
"""What the others begin with: what the code says, or a number that no branch is about."""
_FAR_START = 40.0
"""Where a state is asked to equal something: a count that does not run out in so many steps."""
_ROUNDS = 2
"""Other numbers from the same pools: one sequence in fifty meets the branches of two rows."""
_AT_ONCE = 64
"""Tries that are run together: most of the time goes to each operation, not to its numbers."""


def grow_together(
    fold: ScalarFold, carries: Sequence[Carry], integers: frozenset[str]
) -> str | None:
    """How the pieces of one value as a function of another grow on some input, or None where they
    do not on any that is tried."""
    ops = {node.op for c in carries for node in walk(c.update) if isinstance(node, Apply)}
    if ops & STEPPED or not ops & {"where", "max", "min", "abs"}:
        return None
    intervals = reached(fold, integers)
    literals = {0.0}.union(*(literals_of(carry.update) for carry in carries))
    run = _Run(fold, carries, known_inputs(fold, integers))
    wide = run.wide(intervals)
    for varied in carries:
        within = intervals[varied.state]
        if within.few:
            continue
        points = _points(literals, within)
        starts: tuple[float | None, ...] = _STARTS if len(wide) > 1 else _STARTS[:1]
        if len(starts) > 1 and "eq" in ops:
            starts = (*starts, _FAR_START)
        tries = itertools.product(range(_ROUNDS), drawn_inputs(literals), _SCALES, starts)
        made = (
            _Try(run, once_more(one, number), scale, dict.fromkeys(wide, start), number)
            for number, (_, one, scale, start) in enumerate(tries)
        )
        while some := list(itertools.islice(made, _AT_ONCE)):
            found = run.counted(varied, points, some)
            if found is not None:
                return found
    return None


def _points(literals: set[float], within: Interval) -> Array:
    """The states that are tried, those that are reached alone."""
    rows = points_around(literals)
    whole = np.round(rows) if within.whole else rows
    low, high = (side if math.isfinite(side) else np.inf * side for side in
                 (within.low, within.high))  # fmt: skip
    kept = [np.unique(row[(row >= low) & (row <= high)]) for row in whole]
    longest = max(kept, key=len)
    return np.asarray(longest, float)


class _Try:
    """What is given at each step of a run."""

    def __init__(
        self,
        run: _Run,
        drawn: Callable[[int], float],
        scale: tuple[float, ...],
        begun: Mapping[Value, float | None],
        seed: int,
    ) -> None:
        self._run, self._drawn, self._scale = run, drawn, scale
        self._truths = random.Random(seed)
        self._fixed: dict[Value, float] = {}
        self._begun = begun
        self.given: dict[Value, list[float]] = {value: [] for value in run.inputs}

    def start_of(self, carry: Carry) -> float:
        begun = self._begun.get(carry.state)
        return _start(carry) if begun is None else begun

    def step(self, step: int) -> None:
        for value, numbers in self.given.items():
            number: float
            if value in self._fixed and value not in self._run.moving:
                number = self._fixed[value]
            elif value.dtype == "bool":
                number = self._truths.random() < 0.5
            elif value in self._run.moving:
                number = self._drawn(step)
            elif self._scale:
                number = self._scale[len(self._fixed) % len(self._scale)]
            else:
                number = self._drawn(0)
            between = self._run.known.get(value)
            self._fixed[value] = number if between is None else between.holding(number)
            numbers.append(self._fixed[value])

    @property
    def shown(self) -> str:
        texts = "; ".join(
            f"{value.name.strip()} = {', '.join(f'{n:g}' for n in numbers)}"
            if value in self._run.moving else f"{value.name.strip()} = {numbers[0]:g}"
            for value, numbers in self.given.items()
        )  # fmt: skip
        return f" with {texts}" if texts else ""


class _Run:
    """The updates of several carried values, on many states and in several tries at once."""

    def __init__(
        self, fold: ScalarFold, carries: Sequence[Carry], known: Mapping[Value, Interval]
    ) -> None:
        self.fold, self.carries, self.known = fold, carries, known
        self.sizes = Symbol("tries"), Symbol("samples")
        self.axes = Index("n", self.sizes[0]), Index("s", self.sizes[1])
        read = dict.fromkeys(
            node.value for carry in carries for node in walk(carry.update) if isinstance(node, Read)
        )
        own = {carry.state for carry in carries}
        self.inputs = [value for value in read if value not in own]
        others = {carry.state for carry in fold.scan.carries}
        self.moving = {v for v in self.inputs if fold.varying(v) or v in others}
        self.sampled = {v: Value(v.name, self.axes[:1], kind="input") for v in self.inputs}
        self.sampled |= {state: Value(state.name, self.axes, kind="input") for state in own}

        def sampled(node: Term) -> Term:
            if not isinstance(node, Read):
                return node
            value = self.sampled[node.value]
            return Read(value, self.axes[: len(value.axes)])

        self.terms = {carry.state: transform(carry.update, sampled) for carry in carries}
        self.enough = 2 * len(carries) + _OTHER_PIECES

    def wide(self, intervals: Mapping[Value, Interval]) -> list[Value]:
        """The states that a number besides what they begin with is tried for."""
        other = _STARTS[1]
        assert other is not None
        near = ((c.state, intervals[c.state]) for c in self.carries)
        return [s for s, one in near if not one.few and one.low <= other <= one.high]

    def counted(self, varied: Carry, points: Array, tries: list[_Try]) -> str | None:
        """The pieces as a function of ``varied``, if they grow with the steps and come far in one
        of the tries."""
        now = {
            c.state: np.stack([
                points if c is varied
                else np.full(points.shape, one.start_of(c)) for one in tries
            ])
            for c in self.carries
        }  # fmt: skip
        counts: dict[Value, list[Array]] = {state: [] for state in now}
        for step in range(1, _STEPS[-1] + 1):
            tick(20)
            for one in tries:
                one.step(step)
            try:
                now = self._stepped(now, tries)
            except (CannotEvaluate, TypeError, ValueError):
                return None
            kept = np.all([np.isfinite(array).all(axis=1) for array in now.values()], axis=0)
            if step in _STEPS:
                grown = np.zeros(len(tries), bool)
                for state, array in now.items():
                    with np.errstate(all="ignore"):
                        counts[state].append(pieces_of_each(array))
                    pairs = itertools.pairwise(counts[state])
                    grown |= np.all([np.ones(len(tries), bool), *(a < b for a, b in pairs)], axis=0)
                kept &= grown
            if not kept.all():
                now = {state: array[kept] for state, array in now.items()}
                counts = {s: [one[kept] for one in several] for s, several in counts.items()}
                tries = [one for one, keep in zip(tries, kept, strict=True) if keep]
            if not tries:
                return None
        return self._told(varied, counts, tries, points.size // _POINTS_A_PIECE)

    def _told(
        self, varied: Carry, counts: Mapping[Value, list[Array]], tries: list[_Try], most: int
    ) -> str | None:
        for number, one in enumerate(tries):
            for carry in self.carries:
                found = [int(each[number]) for each in counts[carry.state]]
                if len(rising(found)) == len(found) and self.enough <= found[-1] <= most:
                    return (
                        f"after {', '.join(map(str, _STEPS[:-1]))} and {_STEPS[-1]} steps"
                        f"{one.shown} {carry.name} has {', '.join(map(str, found))} pieces as a "
                        f"function of {varied.name}: no summary of bounded size"
                    )
        return None

    def _stepped(self, now: Mapping[Value, Array], tries: list[_Try]) -> dict[Value, Array]:
        """The states after one more step, a row a try."""
        shape = next(iter(now.values())).shape
        env = {self.sampled[state]: array for state, array in now.items()}
        for value in self.inputs:
            env[self.sampled[value]] = np.asarray([one.given[value][-1] for one in tries])
        sizes = dict(zip(self.sizes, shape, strict=True))
        made = {}
        with np.errstate(all="ignore"):
            for state, term in self.terms.items():
                array = evaluate(term, env, sizes, axes=self.axes, functions=KNOWN)
                made[state] = np.asarray(np.broadcast_to(array, shape), float)
        return made


def _start(carry: Carry) -> float:
    begun = carry.init.value if isinstance(carry.init, Const) else None
    finite = isinstance(begun, (bool, int, float)) and math.isfinite(begun)
    return begun if finite else 1.0  # type: ignore[return-value]
