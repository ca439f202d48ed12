"""One pass instead of several: coordinates of the state that a step merely adds to.

When a stage of a loop depends on a running quantity of the same loop (softmax's sum on its
maximum, Welford's squares on its mean), the stages are scans one after the other. Often there are
functions phi of the whole state with phi(f(s, x)) - phi(s) independent of s; if they determine the
state, halves combine by adding them: phi(s) = phi(s1) + phi(s2).

They are *derived*: over a small basis (monomials of the state, times the exponential of one
carried value) the candidates are the null space of a matrix of sampled differences; each is then
proven by normal forms, on every path of the body separately.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from auditor.algebra.affine import NotAffine, is_number
from auditor.algebra.limits import tick
from auditor.algebra.normal import Normaliser
from auditor.algebra.paths import paths
from auditor.algebra.piecewise import NEGATIVE_INF, clamped
from auditor.algebra.polynomial import subtract
from auditor.algebra.scalars import as_scalars
from auditor.algebra.spell import spelled
from auditor.algebra.states import Dependence
from auditor.algebra.subterms import values_in
from auditor.algebra.summary import Summary
from auditor.notation import (
    INF,
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Symbol,
    Term,
    Trace,
    Value,
    children,
    rebuild,
    walk,
)
from auditor.writing.readable import readable

_SPARE = 8
_DEGREE = 3
_MOST_CASES = 8
_SAMPLED = 100  # steps of work


@dataclass(frozen=True)
class _Basis:
    """A monomial of the states, times exp(sign * state) of one of them."""

    powers: tuple[int, ...]
    exponent: tuple[int, int] | None = None

    def of(self, states: Sequence[Any], exp: Any) -> Any:
        out: Any = 1.0
        for power, state in zip(self.powers, states, strict=True):
            for _ in range(power):
                out = out * state
        if self.exponent is not None:
            place, sign = self.exponent
            out = out * exp(sign * states[place])
        return out

    def term(self, states: Sequence[Term]) -> Term:
        factors = [s for n, s in zip(self.powers, states, strict=True) for _ in range(n)]
        if self.exponent is not None:
            place, sign = self.exponent
            inside = states[place] if sign > 0 else Apply("neg", (states[place],))
            factors.append(Apply("exp", (inside,)))
        return factors[0] if len(factors) == 1 else Apply("mul", tuple(factors))


Coordinate = tuple[tuple[_Basis, Fraction], ...]


def lifted(
    slots: tuple[int, ...],
    carries: tuple[Carry, ...],
    updates: tuple[Term, ...],
    base: frozenset[int] = frozenset(),
) -> Summary | None:
    """A summary of carries that depend on each other by coordinates of their own; ``updates`` are
    theirs with definitions inlined. Of those whose places are in ``base`` one is known without the
    others; else it is the running extremes that are."""
    scalar = as_scalars(carries, updates) if len(carries) <= 4 else None
    if scalar is None or any(isinstance(node, Trace) for u in updates for node in walk(u)):
        return None
    carries, updates = scalar
    dependence = Dependence()
    keys = dict.fromkeys(base, "value") if base else _keys(carries, updates, dependence)
    generic = [carry.state for carry in carries]
    cases = _cases(list(updates), frozenset(generic)) if base else _Case(tuple(updates), None)
    every = [path for leaf in cases.leaves for path in leaf.paths(generic)]
    basis = _monomials(len(carries)) if base else _candidates(len(carries), list(keys))
    if not basis:
        return None
    found = [
        (coordinate, grows)
        for coordinate in _null_space(every, generic, basis)
        if (grows := cases.grows(coordinate, generic)) is not None
    ]
    solved = _solve([c for c, _ in found], len(carries), list(keys))
    if solved is None or not all(
        leaf.confirms([found[n][0] for _, n in solved], generic) for leaf in cases.leaves
    ):
        return None
    names = [carry.name for carry in carries]
    combine = [f"{names[n]} is the {how} of both" for n, how in keys.items() if not base]
    proof, elements = [], {}
    reads = [Read(g, ()) for g in generic]
    for place, number in solved:
        coordinate, grows = found[number]
        shown = _show(coordinate, names, "")
        combine.append(_combination(coordinate, place, names))
        proof.append(f"{shown} grows by {readable(grows)[0]}")
        elements[f"coordinate {names[place]}"] = _term(coordinate, reads)
        elements[f"growth {names[place]}"] = grows
        start = _term(coordinate, [carry.init for carry in carries])
        if Normaliser().normal(start).terms:
            # both halves count it
            combine[-1] += f", less what {shown} is at the start"
            elements[f"start {names[place]}"] = start
    running = {} if base else keys
    kept = "".join(f"{names[n]} is a running {how}; " for n, how in running.items())
    return Summary(
        "lifted", tuple(slots), ", ".join(combine), None,
        f"one pass: {kept}{', '.join(proof)} at each step whatever the state", "reassociated",
        elements,
    )  # fmt: skip


def _keys(
    carries: Sequence[Carry], updates: Sequence[Term], dependence: Dependence
) -> dict[int, str]:
    """The running extremes of inputs, by place: of both halves the better one is right."""
    found = {}
    states = {carry.state for carry in carries}
    for place, (carry, update) in enumerate(zip(carries, updates, strict=True)):
        if dependence.states(update) & states != {carry.state}:
            continue
        try:
            clamp = clamped(update, carry.state, dependence)
        except NotAffine:
            continue
        if is_number(clamp.a, 1) and is_number(clamp.b, 0):
            if (clamp.low is NEGATIVE_INF) != (clamp.high is INF):
                found[place] = "max" if clamp.high is INF else "min"
    return found


def _candidates(count: int, keys: list[int]) -> list[_Basis]:
    others = [n for n in range(count) if n not in keys]
    found = []
    for degree in range(1, _DEGREE + 1):
        for chosen in itertools.combinations_with_replacement(others, degree):
            found.append(_Basis(tuple(chosen.count(n) for n in range(count))))
    for place in range(count):
        for sign in (1, -1):
            for other in others:
                if other != place:
                    powers = tuple(int(n == other) for n in range(count))
                    found.append(_Basis(powers, (place, sign)))
    return found


def _monomials(count: int) -> list[_Basis]:
    return [
        _Basis(tuple(chosen.count(n) for n in range(count)))
        for degree in (1, 2)
        for chosen in itertools.combinations_with_replacement(range(count), degree)
    ]


class _Sampler:
    """Updates with the states and everything that does not depend on them as sampled numbers."""

    def __init__(self, generic: list[Value]) -> None:
        self.samples = Symbol("samples")
        self.axis = Index("s", self.samples)
        self.states = {state: self._array(state.name) for state in generic}
        self.inputs: list[Value] = []
        self._opaque: dict[Term, Term] = {}
        self._dependence = Dependence()

    def _array(self, name: str) -> Value:
        return Value(name, (Index("s", self.samples),), kind="input")

    def scalar(self, term: Term) -> Term:
        if isinstance(term, Read) and term.value in self.states:
            return Read(self.states[term.value], (self.axis,))
        if self._dependence.mentions(term, self.states):
            return rebuild(term, tuple(self.scalar(part) for part in children(term)))
        if isinstance(term, Const):
            return term
        if term not in self._opaque:
            self.inputs.append(self._array(f"u{len(self.inputs)}"))
            self._opaque[term] = Read(self.inputs[-1], (self.axis,))
        return self._opaque[term]


def _null_space(
    every: list[list[Term]], generic: list[Value], basis: list[_Basis]
) -> list[Coordinate]:
    """The combinations of the basis whose sampled growth does not depend on the state. A path can
    only strike out what those before it left, and most loops are through after the first one."""
    import numpy as np

    random = np.random.default_rng(7)
    kept = None
    for path in every:
        tick(_SAMPLED)
        rows = _differences(path, generic, basis, len(basis) if kept is None else len(kept), random)
        if rows is None:
            return []
        if kept is None:
            scales = np.abs(rows).max(axis=0)  # no norm: its squares may overflow
            scales[scales < 1e-9] = 1.0
            kept = np.diag(1 / scales)
        kept = _annihilated(rows, kept)
        if not len(kept):
            return []
    return [] if kept is None else _rational(kept, basis)


def _differences(
    path: list[Term], generic: list[Value], basis: list[_Basis], wanted: int, random: Any
) -> Any:
    """What a step adds to each of the basis at one state less what it adds at another, at some
    more samples than are ``wanted``; None where it is no number."""
    import numpy as np

    from auditor.algebra.evaluate import evaluate

    count = wanted + _SPARE
    sampler = _Sampler(generic)
    terms = [sampler.scalar(term) for term in path]
    inputs = {value: random.uniform(0.5, 2.0, count) for value in sampler.inputs}
    growth = []
    for _ in range(2):
        before = [random.uniform(0.5, 2.0, count) for _ in generic]
        env = {**inputs, **dict(zip(sampler.states.values(), before, strict=True))}
        sizes = {sampler.samples: count}
        with np.errstate(all="ignore"):
            after = [evaluate(t, env, sizes, axes=(sampler.axis,)) for t in terms]
            if any(np.asarray(one).dtype.kind not in "biuf" for one in after):
                return None  # texts
            columns = [b.of(after, np.exp) - b.of(before, np.exp) for b in basis]
        growth.append(np.stack(columns, axis=-1))
    with np.errstate(all="ignore"):
        rows = growth[0] - growth[1]
    return rows if np.isfinite(rows).all() else None


def _annihilated(rows: Any, vectors: Any) -> Any:
    """What of the span of ``vectors`` the rows take to zero. Elimination by complete pivots: small
    matrices for which LAPACK would start threads that cost more than the work."""
    import numpy as np

    image = rows @ vectors.T
    least = 1e-9 * max(float((np.abs(rows) @ np.abs(vectors.T)).max()), 1.0)
    pivots: list[int] = []
    while len(pivots) < len(vectors):
        rest = np.abs(image[len(pivots) :])
        rest[:, pivots] = 0.0
        row, column = divmod(int(rest.argmax()), len(vectors))
        if rest[row, column] <= least:
            break
        done, row = len(pivots), len(pivots) + row
        image[[done, row]] = image[[row, done]]
        image[done] /= image[done, column]
        factors = image[:, column].copy()
        factors[done] = 0.0
        image -= np.multiply.outer(factors, image[done])
        pivots.append(column)
    free = [n for n in range(len(vectors)) if n not in pivots]
    taken = image[: len(pivots), free].T
    return vectors[free] - np.einsum("fp,pb->fb", taken, vectors[pivots])


def _rational(vectors: Any, basis: list[_Basis]) -> list[Coordinate]:
    """Row-reduce, so that each vector has few entries, and read them as small fractions."""
    import numpy as np

    rows = np.array(vectors)
    found: list[Coordinate] = []
    pivots = 0
    for column in reversed(range(len(basis))):
        if pivots == len(rows):
            break
        best = pivots + int(np.abs(rows[pivots:, column]).argmax())
        if abs(rows[best, column]) < 1e-7:
            continue
        rows[[pivots, best]] = rows[[best, pivots]]
        rows[pivots] /= rows[pivots, column]
        for other in range(len(rows)):
            if other != pivots:
                rows[other] -= rows[other, column] * rows[pivots]
        pivots += 1
    for row in rows[:pivots]:
        entries = [
            (b, Fraction(float(x)).limit_denominator(24)) for b, x in zip(basis, row, strict=True)
        ]
        kept = tuple((b, x) for b, x in entries if x)
        exact = np.allclose([float(x) for _, x in entries], row, atol=1e-6)
        if kept and exact and len(kept) <= 6:
            found.append(kept)
    return found


def _term(coordinate: Coordinate, states: Sequence[Term]) -> Term:
    parts = [
        b.term(states) if c == 1 else Apply("mul", (_constant(c), b.term(states)))
        for b, c in coordinate
    ]
    return parts[0] if len(parts) == 1 else Apply("add", tuple(parts))


def _constant(value: Fraction) -> Const:
    return Const(value.numerator if value.denominator == 1 else float(value))


def _proven(coordinate: Coordinate, every: list[list[Term]], generic: list[Value]) -> Term | None:
    """How much the coordinate grows in a step, if that is the same for all states and paths."""
    normaliser = Normaliser()
    reads = [Read(g, ()) for g in generic]
    before = normaliser.normal(_term(coordinate, reads))
    growths = set()
    for path in every:
        tick()
        growth = subtract(normaliser.normal(_term(coordinate, path)), before)
        if values_in(growth) & set(generic):
            return None
        growths.add(growth)
    return spelled(growths.pop()) if len(growths) == 1 else None


@dataclass(frozen=True)
class _Case:
    """What a step does where it is known what the element decides, or (``split``) a condition on
    the element with what it does where that holds and where it does not."""

    updates: tuple[Term, ...]
    split: tuple[Term, _Case, _Case] | None

    @property
    def leaves(self) -> list[_Case]:
        if self.split is None:
            return [self]
        return [leaf for side in self.split[1:] for leaf in side.leaves]

    def paths(self, generic: list[Value]) -> list[list[Term]]:
        return paths(list(self.updates), frozenset(generic), Dependence())

    def grows(self, coordinate: Coordinate, generic: list[Value]) -> Term | None:
        """How much the coordinate grows in a step, if that is the same for all states."""
        if self.split is None:
            return _proven(coordinate, self.paths(generic), generic)
        condition, *sides = self.split
        then, other = (side.grows(coordinate, generic) for side in sides)
        if then is None or other is None:
            return None
        return then if then is other else Apply("where", (condition, then, other))

    def confirms(self, coordinates: list[Coordinate], generic: list[Value]) -> bool:
        """Does sympy prove that the coordinates grow so?"""
        every = self.paths(generic)
        grown = [(one, _proven(one, every, generic)) for one in coordinates]
        told = [(one, grows) for one, grows in grown if grows is not None]
        return len(told) == len(grown) and _confirmed(told, every, generic)


def _confirmed(
    found: list[tuple[Coordinate, Term]], every: list[list[Term]], generic: list[Value]
) -> bool:
    """Does sympy prove the same identities? It is imported once a loop has got this far."""
    from auditor.algebra.sympy_bridge import adds_up

    reads = [Read(g, ()) for g in generic]
    return all(
        adds_up(
            _term(coordinate, reads), [_term(coordinate, path) for path in every], grows, generic
        )
        for coordinate, grows in found
    )


def _cases(updates: list[Term], states: frozenset[Value], most: int = _MOST_CASES) -> _Case:
    """The cases that the element alone decides."""
    dependence = Dependence()
    for update in updates:
        if most < 2 or not isinstance(update, Apply) or update.op != "where":
            continue
        condition = update.args[0]
        if dependence.mentions(condition, states):
            continue
        sides = [
            _cases([_chosen(u, condition, holds) for u in updates], states, most // 2)
            for holds in (True, False)
        ]
        return _Case(tuple(updates), (condition, sides[0], sides[1]))
    return _Case(tuple(updates), None)


def _chosen(term: Term, condition: Term, holds: bool) -> Term:
    """``term`` where the element decides a condition so."""
    while isinstance(term, Apply) and term.op == "where" and term.args[0] is condition:
        term = term.args[1 if holds else 2]
    return term


def _solve(
    coordinates: list[Coordinate], count: int, keys: list[int]
) -> list[tuple[int, int]] | None:
    """Which coordinate gives which carried value, in an order in which each follows from the
    earlier ones; None unless all of them follow."""
    known = set(keys)
    solved: list[tuple[int, int]] = []
    while len(known) < count:
        for number, coordinate in enumerate(coordinates):
            place = _solvable(coordinate, known, count)
            if place is not None:
                known.add(place)
                solved.append((place, number))
                break
        else:
            return None
    return solved


def _solvable(coordinate: Coordinate, known: set[int], count: int) -> int | None:
    """The one unknown that the coordinate is linear in."""
    unknown = {
        n
        for b, _ in coordinate
        for n in range(count)
        if n not in known and (b.powers[n] or (b.exponent is not None and b.exponent[0] == n))
    }
    if len(unknown) != 1:
        return None
    (place,) = unknown
    linear = [b for b, _ in coordinate if b.powers[place]]
    exponents = any(b.exponent is not None and b.exponent[0] == place for b, _ in coordinate)
    return place if len(linear) == 1 and linear[0].powers[place] == 1 and not exponents else None


def _show(coordinate: Coordinate, names: list[str], mark: str) -> str:
    separator = "_" if mark and any(name[-1:].isdigit() for name in names) else ""
    states = [Read(Value(name + separator + mark, ()), ()) for name in names]
    return readable(_term(coordinate, states))[0]


def _combination(coordinate: Coordinate, place: int, names: list[str]) -> str:
    halves = f"{_show(coordinate, names, '1')} + {_show(coordinate, names, '2')}"
    rest = tuple((b, c) for b, c in coordinate if not b.powers[place])
    minus = f" - {_show(rest, names, '')}" if rest else ""
    (lead,) = [b for b, _ in coordinate if b.powers[place]]
    powers = tuple(p - (n == place) for n, p in enumerate(lead.powers))
    if not any(powers) and lead.exponent is None:
        return f"{names[place]} = {halves}{minus}"
    divisor = _show(((_Basis(powers, lead.exponent), Fraction(1)),), names, "")
    return f"{names[place]} = ({halves}{minus}) / {divisor}"
