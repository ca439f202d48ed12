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
from auditor.algebra.few_values import Interval, reached
from auditor.algebra.limits import CannotEvaluate, tick
from auditor.algebra.sampling import Array
from auditor.algebra.without_algebra import KNOWN
from auditor.notation import Apply, Carry, Const, Index, Read, Symbol, Term, Value, transform, walk
from auditor.properties.pieces import STEPPED, drawn_inputs, literals_of, pieces, points_around

_STEPS = (2, 4, 8, 16)
_MORE = 4
_SCALES: tuple[tuple[float, ...], ...] = ((), (0.75,), (1.0, -0.75, 0.5, -1.25, 0.9))
"""What inputs that no step changes are: drawn if nothing is said, or these in turn."""
_STARTS = (None, 3.0)


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
    run = _Run(fold, carries)
    for varied in carries:
        within = intervals[varied.state]
        if within.few:
            continue
        points = _points(literals, within)
        starts = _STARTS if len(run.wide(intervals)) > 1 else _STARTS[:1]
        tries = itertools.product(drawn_inputs(literals), _SCALES, starts)
        for number, (drawn, scale, start) in enumerate(tries):
            begun = {} if start is None else dict.fromkeys(run.wide(intervals), start)
            found = run.counted(varied, points, drawn, scale, begun, random.Random(number))
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


class _Run:
    """The updates of several carried values on many states at once."""

    def __init__(self, fold: ScalarFold, carries: Sequence[Carry]) -> None:
        self.fold, self.carries = fold, carries
        self.samples = Symbol("samples")
        self.axis = Index("s", self.samples)
        self.states = {
            carry.state: Value(carry.name, (self.axis,), kind="input") for carry in carries
        }
        own = self.states

        def sampled(node: Term) -> Term:
            if isinstance(node, Read) and node.value in own:
                return Read(own[node.value], (self.axis,))
            return node

        self.terms = {carry.state: transform(carry.update, sampled) for carry in carries}
        read = dict.fromkeys(
            node.value for carry in carries for node in walk(carry.update)
            if isinstance(node, Read) and node.value not in own
        )  # fmt: skip
        self.inputs = list(read)
        others = {carry.state for carry in fold.scan.carries}
        self.moving = {v for v in read if fold.varying(v) or v in others}
        self.enough = 2 * len(carries) + _MORE

    def wide(self, intervals: Mapping[Value, Interval]) -> list[Value]:
        """The states that a number besides what they begin with is tried for."""
        near = ((c.state, intervals[c.state]) for c in self.carries)
        return [s for s, one in near if not one.few and one.low <= _STARTS[1] <= one.high]

    def counted(
        self,
        varied: Carry,
        points: Array,
        drawn: Callable[[int], float],
        scale: tuple[float, ...],
        begun: Mapping[Value, float],
        truths: random.Random,
    ) -> str | None:
        """The pieces as a function of ``varied``, if they grow with the steps and come far."""
        now = {
            c.state: points if c is varied else np.full(points.shape, begun.get(c.state, _start(c)))
            for c in self.carries
        }
        fixed: dict[Value, float] = {}
        counts: dict[Value, list[int]] = {state: [] for state in now}
        given: dict[Value, list[float]] = {value: [] for value in self.inputs}
        try:
            for step in range(1, _STEPS[-1] + 1):
                tick(20)
                for value in self.inputs:
                    number: float
                    if value in fixed and value not in self.moving:
                        number = fixed[value]
                    elif value.dtype == "bool":
                        number = truths.random() < 0.5
                    elif value in self.moving:
                        number = drawn(step)
                    else:
                        number = scale[len(fixed) % len(scale)] if scale else drawn(0)
                    fixed[value] = number
                    given[value].append(number)
                env: dict[Value, Array] = {self.states[s]: array for s, array in now.items()}
                env |= {value: np.asarray(number) for value, number in fixed.items()}
                now = {s: self._made(term, env, points.size) for s, term in self.terms.items()}
                if step in _STEPS:
                    for state, array in now.items():
                        counts[state].append(pieces(array[None, :]))
                    if not any(map(_rising, counts.values())):
                        return None
        except (CannotEvaluate, TypeError, ValueError):
            return None
        for carry in self.carries:
            found = counts[carry.state]
            if _rising(found) and self.enough <= found[-1] <= points.size // 4:
                texts = "; ".join(
                    f"{value.name.strip()} = {', '.join(f'{n:g}' for n in numbers)}"
                    if value in self.moving else f"{value.name.strip()} = {numbers[0]:g}"
                    for value, numbers in given.items()
                )  # fmt: skip
                return (
                    f"after {', '.join(map(str, _STEPS[:-1]))} and {_STEPS[-1]} steps"
                    f"{' with ' + texts if texts else ''} {carry.name} has "
                    f"{', '.join(map(str, found))} pieces as a function of {varied.name}: "
                    "no summary of bounded size"
                )
        return None

    def _made(self, term: Term, env: dict[Value, Array], size: int) -> Array:
        with np.errstate(all="ignore"):
            array = evaluate(term, env, {self.samples: size}, axes=(self.axis,), functions=KNOWN)
        made = np.asarray(np.broadcast_to(array, (size,)), float)
        if not np.isfinite(made).all():
            raise CannotEvaluate("not finite")
        return made


def _rising(counts: Sequence[int]) -> bool:
    return all(one < two for one, two in itertools.pairwise(counts))


def _start(carry: Carry) -> float:
    begun = carry.init.value if isinstance(carry.init, Const) else None
    finite = isinstance(begun, (bool, int, float)) and math.isfinite(begun)
    return begun if finite else 1.0  # type: ignore[return-value]
