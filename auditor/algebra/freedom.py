"""How many degrees of freedom the functions have that some steps of a loop make of its state.

n steps are a function of the state with the n elements as parameters. If a summary of k numbers
tells what the steps do, then at every point the derivatives by the elements, taken at any sample
of states, are vectors of rank k at most. So a rank that goes on growing with the steps refutes
every such summary. The derivatives are exact ones (dual numbers), at fixed pseudo-random points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from auditor.algebra.as_fold import ScalarFold
from auditor.algebra.exact_ranks import exact_ranks
from auditor.algebra.limits import CannotEvaluate, tick
from auditor.algebra.rising import rising
from auditor.notation import Apply, Carry, Const, Read, Term, Value, walk

Array = np.ndarray[Any, Any]
_MORE = 5
_STATES = 40
_SCALES = (0.5, 2.0, 6.0, 1.2, 0.03)
_SMALL = 1e-9
_CHOOSING = frozenset(
    ("where", "max", "min", "abs", "floordiv", "mod", "lt", "le", "gt", "ge", "eq", "ne")
)
_WHOLE = frozenset(("floordiv", "mod", "bitxor", "bitand", "bitor", "gcd", "lcm"))


def growth(fold: ScalarFold, carries: Sequence[Carry]) -> list[int] | None:
    """The ranks after 1, 2, ... steps of what becomes of some of the carried values, given the
    others, as far as each is larger than the one before; None where they do not get beyond what
    quotients of linear functions of as many values have, the largest family known to compose.
    Raises ``CannotEvaluate`` where a step has an operation without derivatives."""
    ops = {n.op for c in carries for n in walk(c.update) if isinstance(n, Apply)}
    enough = (len(carries) + 1) ** 2 + (_MORE if ops & _CHOOSING else 1)
    read = {n.value for c in carries for n in walk(c.update) if isinstance(n, Read)}
    inputs = [value for value in fold.terms if fold.varying(value) and value.dtype != "bool"]
    inputs = [value for value in inputs if value in read]
    own = {carry.state for carry in carries}
    inputs += [c.state for c in fold.scan.carries if c.state in read - own]
    if not inputs:
        return None
    for seed in range(len(_SCALES)):
        ranks = _ranks(fold, carries, inputs, enough, seed, whole=bool(ops & _WHOLE))
        found = _enough(ranks, enough)
        if found is not None:
            return found
    fixed = sorted(read - set(inputs) - own, key=lambda value: value.name)
    return _enough(exact_ranks(carries, inputs, fixed, enough), enough)


def _enough(ranks: Sequence[int], enough: int) -> list[int] | None:
    """The ranks as long as each is larger than the one before, if they come far enough."""
    found = rising(ranks)
    return found if len(found) > 1 and found[-1] >= enough else None


def _ranks(
    fold: ScalarFold,
    carries: Sequence[Carry],
    inputs: list[Value],
    enough: int,
    seed: int,
    whole: bool,
) -> list[int]:
    steps = min(enough // len(inputs) + 2, enough)
    random = np.random.default_rng(seed)
    places = steps * len(inputs)
    scale = _SCALES[seed]

    def drawn(size: int | None = None) -> Any:
        values = random.uniform(-1, 1, size) * scale * (4 if whole else 1)
        return np.round(values) if whole else values

    fixed = {v: _Dual(np.asarray(drawn()), None) for v in fold.terms if not fold.varying(v)}
    truths = {v for v in fold.terms if v.dtype == "bool"}
    states = {c.state: _Dual(np.asarray(drawn(_STATES)), np.zeros((_STATES, places)))
              for c in carries}  # fmt: skip
    ranks = []
    with np.errstate(all="ignore"):
        for step in range(steps):
            tick(40)
            here = dict(fixed)
            for number, value in enumerate(inputs):
                slope = np.zeros((_STATES, places))
                slope[:, step * len(inputs) + number] = 1
                here[value] = _Dual(np.asarray(drawn()), slope)
            here |= {v: _Dual(np.asarray(random.random() < 0.5), None) for v in truths}
            made = _Made({**states, **here})
            states = {c.state: made.of(c.update) for c in carries}
            rank = _rank(list(states.values()), (step + 1) * len(inputs))
            if rank is None:
                break
            ranks.append(rank)
    return ranks


def _rank(states: list[_Dual], places: int) -> int | None:
    rows = [np.broadcast_to(s.value, (_STATES,)) for s in states]
    good = np.all([np.isfinite(row) for row in rows], axis=0)
    slopes = [s.slope[good, :places] for s in states if s.slope is not None]
    if good.sum() < _STATES // 2 or not slopes:
        return None
    whole = np.concatenate(slopes)
    whole = whole[np.isfinite(whole).all(axis=1)]
    size = np.linalg.norm(whole, axis=0)
    whole = whole / np.where(size > 0, size, 1)
    found = np.linalg.svd(whole, compute_uv=False)
    return int((found > _SMALL * max(float(found[0]), 1e-300)).sum()) if found.size else 0


class _Dual:
    """Values at the sampled states, and their derivatives by the elements (None: all zero)."""

    def __init__(self, value: Array, slope: Array | None) -> None:
        self.value, self.slope = value, slope

    def times(self, factor: Array) -> Array | None:
        if self.slope is None:
            return None
        return np.asarray(np.broadcast_to(factor, (_STATES,))[:, None] * self.slope)


def _sum(*slopes: Array | None) -> Array | None:
    known = [slope for slope in slopes if slope is not None]
    return sum(known[1:], known[0]) if known else None


_FUNCTIONS: dict[str, tuple[Callable[[Array], Array], Callable[[Array], Array]]] = {
    "exp": (np.exp, np.exp),
    "log": (np.log, lambda x: 1 / x),
    "sqrt": (np.sqrt, lambda x: 0.5 / np.sqrt(x)),
    "abs": (np.abs, np.sign),
    "sin": (np.sin, np.cos),
    "cos": (np.cos, lambda x: -np.sin(x)),
    "tan": (np.tan, lambda x: 1 / np.cos(x) ** 2),
    "tanh": (np.tanh, lambda x: 1 / np.cosh(x) ** 2),
    "atan": (np.arctan, lambda x: 1 / (1 + x * x)),
    "sinh": (np.sinh, np.cosh),
    "cosh": (np.cosh, np.sinh),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), lambda x: 1 / (2 + np.exp(x) + np.exp(-x))),
    "softplus": (lambda x: np.logaddexp(0, x), lambda x: 1 / (1 + np.exp(-x))),
    "reciprocal": (lambda x: 1 / x, lambda x: -1 / (x * x)),
    "log1p": (np.log1p, lambda x: 1 / (1 + x)),
    "expm1": (np.expm1, np.exp),
    "neg": (np.negative, lambda x: -np.ones_like(x)),
    "floor": (np.floor, np.zeros_like),
    "ceil": (np.ceil, np.zeros_like),
    "round": (np.round, np.zeros_like),
    "cast:int": (np.trunc, np.zeros_like),
}
_COMPARED: dict[str, Callable[[Array, Array], Array]] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal,
}  # fmt: skip


class _Made:
    """Terms at the sampled states."""

    def __init__(self, known: dict[Value, _Dual]) -> None:
        self._known = known
        self._terms: dict[Term, _Dual] = {}

    def of(self, term: Term) -> _Dual:
        if term not in self._terms:
            self._terms[term] = self._of(term)
        return self._terms[term]

    def _of(self, term: Term) -> _Dual:
        if isinstance(term, Const) and isinstance(term.value, (int, float)):
            return _Dual(np.asarray(term.value), None)
        if isinstance(term, Read) and term.value in self._known:
            return self._known[term.value]
        if not isinstance(term, Apply):
            raise CannotEvaluate("a term without derivatives")
        return self._applied(term.op.removeprefix("call:"), [self.of(arg) for arg in term.args])

    def _applied(self, op: str, args: list[_Dual]) -> _Dual:
        values = [arg.value for arg in args]
        if op in _FUNCTIONS and len(args) == 1:
            function, derivative = _FUNCTIONS[op]
            x = np.asarray(values[0], float)
            return _Dual(np.asarray(function(x)), args[0].times(derivative(x)))
        if op in _COMPARED:
            return _Dual(_COMPARED[op](*values), None)
        if op in ("and", "or", "not", "xor"):
            return _Dual(_logical(op, [np.asarray(v, bool) for v in values]), None)
        if op == "where":
            asked = np.asarray(values[0], bool)
            slopes = [arg.times(pick) for arg, pick in zip(args[1:], (asked, ~asked), strict=True)]
            return _Dual(np.where(asked, values[1], values[2]), _sum(*slopes))
        if op in ("add", "sub"):
            signs = [1 if op == "add" or not n else -1 for n in range(len(args))]
            total = sum(sign * np.asarray(v, float) for sign, v in zip(signs, values, strict=True))
            slopes = [arg.times(np.asarray(s)) for arg, s in zip(args, signs, strict=True)]
            return _Dual(np.asarray(total), _sum(*slopes))
        if op == "mul":
            return self._product(args)
        if op in ("max", "min"):
            return self._extreme(op, args)
        if len(args) == 2:
            return self._pair(op, *args)
        raise CannotEvaluate(f"{op} has no derivative here")

    def _product(self, args: list[_Dual]) -> _Dual:
        out = args[0]
        for other in args[1:]:
            slope = _sum(out.times(other.value), other.times(out.value))
            out = _Dual(np.asarray(out.value * other.value), slope)
        return out

    def _extreme(self, op: str, args: list[_Dual]) -> _Dual:
        out = args[0]
        for other in args[1:]:
            first = out.value >= other.value if op == "max" else out.value <= other.value
            slope = _sum(out.times(first), other.times(~np.asarray(first)))
            out = _Dual(np.where(first, out.value, other.value), slope)
        return out

    def _pair(self, op: str, a: _Dual, b: _Dual) -> _Dual:
        x, y = np.asarray(a.value, float), np.asarray(b.value, float)
        if op == "div":
            return _Dual(x / y, _sum(a.times(1 / y), b.times(-x / (y * y))))
        if op == "pow":
            made = np.power(x, y)
            slope = a.times(y * np.power(x, y - 1))
            if b.slope is not None:
                slope = _sum(slope, b.times(made * np.log(x)))
            return _Dual(made, slope)
        if op == "mod":
            return _Dual(np.mod(x, y), _sum(a.slope, b.times(-np.floor(x / y))))
        if op == "floordiv":
            return _Dual(np.floor_divide(x, y), None)
        if op == "hypot":
            made = np.hypot(x, y)
            return _Dual(made, _sum(a.times(x / made), b.times(y / made)))
        if op == "logaddexp":
            return _Dual(
                np.logaddexp(x, y),
                _sum(a.times(1 / (1 + np.exp(y - x))), b.times(1 / (1 + np.exp(x - y)))),
            )
        raise CannotEvaluate(f"{op} has no derivative here")


def _logical(op: str, values: list[Array]) -> Array:
    if op == "not":
        return ~values[0]
    pick = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}[op]
    out = values[0]
    for other in values[1:]:
        out = pick(out, other)
    return np.asarray(out)
