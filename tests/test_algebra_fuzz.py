"""Differential fuzzing: whatever is said to hold of a random loop is compared with running it."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Sequence

import domain_functions
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from loop_bodies import FLAG, STEP, T, X, Y, body

from auditor.algebra.domains import summarise
from auditor.algebra.evaluate import evaluate
from auditor.algebra.finite import values_of
from auditor.algebra.joint import monoids
from auditor.algebra.states import Dependence
from auditor.algebra.summary import Refused, Summary
from auditor.notation import Carry, Computation, Const, Read, Scan, Term, Value, transform, walk

COUNT = 160
Arrays = dict[str, np.ndarray]


class Probes:
    """Random states and inputs, one set for each place along the step's axis: numbers of all
    sizes, small integers (which meet), and every literal of the body with its neighbours."""

    def __init__(self, scan: Scan, seed: int) -> None:
        self.scan, self.random = scan, np.random.default_rng(seed)
        literals = {
            float(node.value)
            for carry in scan.carries for node in walk(carry.update)
            if isinstance(node, Const) and isinstance(node.value, (int, float))
            and np.isfinite(node.value)
        }  # fmt: skip
        self.literals = [c + d for c in literals for d in (-1.0, 0.0, 1.0)]
        self.env: dict[Value, np.ndarray] = {
            X: self.numbers(), Y: self.numbers(), FLAG: self.random.integers(0, 2, COUNT) == 1
        }  # fmt: skip
        self.states: dict[Value, Value] = {}
        for carry in scan.carries:
            held = Value(carry.name, (STEP,), dtype=carry.state.dtype)
            self.states[carry.state] = held
            self.env[held] = self.start(carry)

    def numbers(self) -> np.ndarray:
        out = self.random.normal(0, 2, COUNT)
        whole = self.random.integers(-3, 4, COUNT).astype(float)
        kinds = self.random.random(COUNT)
        out = np.where(kinds < 0.45, whole, out)
        if self.literals:
            out = np.where(kinds > 0.75, self.random.choice(self.literals, COUNT), out)
        return out

    def start(self, carry: Carry) -> np.ndarray:
        if carry.state.dtype == "bool" or carry.init in (Const(True), Const(False)):
            return self.random.integers(0, 2, COUNT) == 1
        if carry.state.dtype == "int":
            return np.round(self.numbers())
        return self.numbers()

    def of(self, state: Value) -> np.ndarray:
        return self.env[self.states[state]]

    def run(self, term: Term) -> np.ndarray:
        """``term`` at every probe."""

        def change(node: Term) -> Term:
            if isinstance(node, Read) and node.value in self.states:
                return Read(self.states[node.value], (STEP,))
            # scalar copies that a joint domain works on
            if isinstance(node, Read) and node.value.kind == "state":
                same = [s for s in self.states if s.name == node.value.name]
                return Read(self.states[same[0]], (STEP,))
            return node

        with np.errstate(all="ignore"):
            found = evaluate(transform(term, change), self.env, {T: COUNT}, axes=(STEP,))
        return np.broadcast_to(found, (COUNT,))


def agree(got: np.ndarray, wanted: np.ndarray, where: np.ndarray | None = None) -> bool:
    got, wanted = np.asarray(got, float), np.asarray(wanted, float)
    fine = np.isfinite(got) & np.isfinite(wanted) & (np.abs(wanted) < 1e9)
    if where is not None:
        fine &= where
    return bool(np.allclose(got[fine], wanted[fine], rtol=1e-6, atol=1e-6))


def check(part: Summary, probes: Probes) -> None:
    """One step of the loop is what the summary says."""
    scan = probes.scan
    carries = [scan.carries[slot] for slot in part.state]
    old = [probes.of(carry.state) for carry in carries]
    new = [probes.run(carry.update) for carry in carries]
    if part.domain in ("controlled", "first steps", "side by side"):
        for inner in part.parts:
            check(inner, probes)
        if part.domain != "side by side":
            _check_control(part, scan)
        return
    if part.domain == "truth" or part.domain.endswith(" product"):
        return
    if part.domain == "best":
        for inner in part.parts:
            check(inner, probes)
        _check_halves(part, scan, probes)
        return
    if part.domain == "lifted":
        _check_lifted(part, probes)
        return
    if part.domain == "finite" and "if_true" not in part.elements:
        _check_table(carries, probes)
        return
    if part.domain == "max-times":
        _check_largest(part, carries, probes)
        return
    e = {name: probes.run(term) for name, term in part.elements.items()}
    with np.errstate(all="ignore"):
        if part.domain == "matrix":
            got = domain_functions.matrix(e, old)
        elif part.domain == "max-plus matrix":
            got = domain_functions.max_plus(e, old)
        elif part.domain == "joint lattice":
            got = domain_functions.lattice(e, old)
        else:
            got = [domain_functions.single(part, e, old[0])]
    # over the reals: what is no number says nothing
    where = np.logical_and.reduce([~np.isnan(np.asarray(v, float)) for v in (*e.values(), *new)])
    given = part.proof.partition("maxima of minima where ")[2]
    if part.domain == "joint lattice" and given:
        kept = given.partition(", which")[0].split(" and ")
        by_name = {carry.name: value for carry, value in zip(carries, old, strict=True)}
        pairs = [pair.split(" <= ") for pair in kept]
        ordered = [by_name[low] <= by_name[high] for low, high in pairs]
        where = np.logical_and.reduce([where, *ordered])
        for low, high in pairs:
            after = {c.name: value for c, value in zip(carries, new, strict=True)}
            assert bool(np.all((after[low] <= after[high])[where]))
    for one, other, carry in zip(got, new, carries, strict=True):
        assert agree(one, other, where), (part, carry.name)
    mentioned = {c.state for c in carries}
    for name, term in part.elements.items():
        assert not Dependence().mentions(term, mentioned), (name, part)


def _check_largest(part: Summary, carries: Sequence[Carry], probes: Probes) -> None:
    """What is linear over (max, *) makes the larger of two results of the larger of two states; of
    negated states the smaller."""
    negated = part.proof.partition(", with ")[2].partition(" negated")[0].split(" and ")
    folds = [np.minimum if carry.name in negated else np.maximum for carry in carries]

    def results(states: list[np.ndarray]) -> list[np.ndarray]:
        for carry, value in zip(carries, states, strict=True):
            probes.env[probes.states[carry.state]] = value
        return [probes.run(carry.update) for carry in carries]

    one = [probes.of(carry.state) for carry in carries]
    two = [probes.start(carry) for carry in carries]
    both = [fold(a, b) for fold, a, b in zip(folds, one, two, strict=True)]
    of_two, of_both, of_one = results(two), results(both), results(one)
    for fold, got, a, b, carry in zip(folds, of_both, of_one, of_two, carries, strict=True):
        told = ~np.isnan(a.astype(float)) & ~np.isnan(b.astype(float))
        assert agree(got, fold(a, b), told), (part, carry.name)


def _check_control(part: Summary, scan: Scan) -> None:
    """The control does not depend on the rest; the rest is forgotten in time."""
    control = [scan.carries[slot] for slot in sorted(part.control)]
    inside = {carry.state for carry in control}
    others = {carry.state for carry in scan.carries} - inside
    for carry in control:
        assert not Dependence().mentions(carry.update, others)
    if control:
        updates = [carry.update for carry in control]
        assert values_of(control, updates, Dependence()) is not None


def _check_table(carries: Sequence[Carry], probes: Probes) -> None:
    """From every value that is reached only values of the set are reached."""
    values = values_of(carries, [c.update for c in carries], Dependence())
    assert values is not None
    for row in itertools.product(*values.values()):
        for state, value in zip(values, row, strict=True):
            assert value.value is not None
            probes.env[probes.states[state]] = np.full(COUNT, value.value)
        for carry in carries:
            known = [float(v.value) for v in values[carry.state] if v.value is not None]
            assert set(probes.run(carry.update).astype(float)) <= set(known), carry.name


def _check_lifted(part: Summary, probes: Probes) -> None:
    scan = probes.scan
    before = {name: probes.run(term) for name, term in part.elements.items()}
    after = {carry.state: probes.run(carry.update) for carry in scan.carries}
    for state, value in after.items():
        probes.env[probes.states[state]] = value
    for name in before:
        if name.startswith("coordinate "):
            growth = before[name.replace("coordinate", "growth")]
            later = probes.run(part.elements[name])
            small = np.abs(before[name]) < 1e6
            assert agree(later - before[name], growth, small), name


def _check_halves(part: Summary, scan: Scan, probes: Probes) -> None:
    """Where the key is a plain extreme, halves summarised apart combine to the whole."""
    cores = [core for core in part.parts if core.domain in ("max", "min")]
    if len(cores) != 1 or len(part.parts) != 1:
        return
    key = cores[0].state[0]
    followers = [slot for slot in part.state if slot != key]
    largest = cores[0].domain == "max"
    given = (probes.env[X], probes.env[Y], probes.env[FLAG])
    inputs = {name: value[:12] for name, value in zip("xyf", given, strict=True)}
    if "both" in part.combine or "counted" in part.combine:
        return
    whole = _run(scan, inputs, 0, 12)
    cut = int(probes.random.integers(1, 12))
    left = _run(scan, inputs, 0, cut)
    right = _run(scan, inputs, cut, 12)
    ahead = right[key] > left[key] if largest else right[key] < left[key]
    tie = right[key] == left[key]
    later = bool(ahead or (tie and "later" in part.combine))
    for slot in followers:
        assert np.isclose(float((right if later else left)[slot]), float(whole[slot])), part


def _run(scan: Scan, inputs: dict[str, np.ndarray], start: int, stop: int) -> list[float]:
    """The loop from its own start over some of the inputs."""
    env: dict[Value, np.ndarray] = {X: inputs["x"], Y: inputs["y"], FLAG: inputs["f"]}
    held = {carry.state: np.asarray(carry.init.value) for carry in scan.carries
            if isinstance(carry.init, Const)}  # fmt: skip
    for t in range(start, stop):
        with np.errstate(all="ignore"):
            made = [
                evaluate(c.update, {**env, **held}, {T: 12}, axes=(STEP,)) for c in scan.carries
            ]
        for carry, value in zip(scan.carries, made, strict=True):
            held[carry.state] = np.broadcast_to(value, (12,))[t]
    return [held[carry.state] for carry in scan.carries]


def contradiction(computation: Computation, seed: int) -> int:
    """Check all that is found of a loop; how many of its claims there were."""
    scan = computation.scan
    assert scan is not None
    stages = summarise(scan)
    found = [stage for stage in stages if isinstance(stage, Summary)]
    for stage in found:
        check(stage, Probes(scan, seed))
    if any(isinstance(stage, Refused) for stage in stages):
        return len(found)
    together = monoids(scan, found) or []
    for part in together:
        check(part, Probes(scan, seed))
    return len(found) + len(together)


@settings(max_examples=300, deadline=None, derandomize=True,
          suppress_health_check=list(HealthCheck))  # fmt: skip
@given(st.integers(0, 1 << 40))
def test_what_holds_is_what_runs(seed: int) -> None:
    contradiction(body(seed), seed)


@pytest.mark.slow
@pytest.mark.skipif("AUDIT_SLOW" not in os.environ, reason="takes minutes; set AUDIT_SLOW to run")
def test_twenty_thousand_bodies() -> None:
    claims = sum(contradiction(body(seed), seed) for seed in range(20_000))
    assert claims > 15_000


# -- what the domains' functions do composes


def _random(names: Sequence[str], chance: np.random.Generator, absent: float = 0.3) -> Arrays:
    out = {}
    for name in names:
        value = chance.integers(-4, 5, COUNT).astype(float)
        out[name] = np.where(chance.random(COUNT) < absent, -np.inf, value)
    return out


def test_max_plus_matrices_compose() -> None:
    chance = np.random.default_rng(1)
    names = [f"a{i}{j}" for i in range(2) for j in range(2)] + ["b0", "b1"]
    signs = {"sign0": np.array(1.0), "sign1": np.array(1.0)}
    first, second = _random(names, chance), _random(names, chance)

    def times(p: np.ndarray, q: np.ndarray) -> np.ndarray:
        return np.where(np.isneginf(p) | np.isneginf(q), -np.inf, p + q)

    both = {}
    for i in range(2):
        for j in range(2):
            both[f"a{i}{j}"] = np.maximum.reduce(
                [times(second[f"a{i}{k}"], first[f"a{k}{j}"]) for k in range(2)]
            )
        parts = [times(second[f"a{i}{k}"], first[f"b{k}"]) for k in range(2)]
        both[f"b{i}"] = np.maximum.reduce([*parts, second[f"b{i}"]])
    old = [chance.normal(size=COUNT) for _ in range(2)]
    middle = domain_functions.max_plus({**first, **signs}, old)
    stepwise = domain_functions.max_plus({**second, **signs}, middle)
    at_once = domain_functions.max_plus({**both, **signs}, old)
    for one, other in zip(stepwise, at_once, strict=True):
        assert np.allclose(one, other)


def test_lattice_polynomials_compose() -> None:
    """In the form of one coefficient for each set of states."""
    chance = np.random.default_rng(2)
    sets = ["", "0", "1", "01"]
    first, second = (
        {f"c{i}_{s}": chance.integers(-4, 5, COUNT).astype(float) for i in range(2) for s in sets}
        for _ in range(2)
    )
    old = [chance.integers(-4, 5, COUNT).astype(float) for _ in range(2)]
    stepwise = domain_functions.lattice(second, domain_functions.lattice(first, old))
    # the coefficient of a set is the value where exactly its states are large
    at_once = {}
    for chosen in sets:
        place = [np.full(COUNT, np.inf if str(n) in chosen else -np.inf) for n in range(2)]
        middle = domain_functions.lattice(first, place)
        for row, value in enumerate(domain_functions.lattice(second, middle)):
            at_once[f"c{row}_{chosen}"] = value
    for one, other in zip(stepwise, domain_functions.lattice(at_once, old), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("tie", ["earlier", "later"])
def test_a_best_prefix_and_its_place_compose(tie: str) -> None:
    """The key follows another state: of the halves the better wins, with the rule on a tie."""
    chance = random.Random(3)
    for _ in range(300):
        data = [chance.randrange(-2, 3) for _ in range(8)]
        cut = chance.randrange(1, 8)

        def run(
            start: int, stop: int, total: int, best: float, place: int
        ) -> tuple[int, float, int]:
            for n in range(start, stop):
                total += data[n]  # noqa: B023
                if total > best or (tie == "later" and total == best):
                    best, place = total, n
            return total, best, place

        left = run(0, cut, 0, 0, -1)
        right = run(cut, 8, 0, float("-inf"), -1)
        moved = (left[0] + right[1], right[2])
        ahead = moved[0] > left[1] or (tie == "later" and moved[0] == left[1])
        best, place = moved if ahead else (left[1], left[2])
        assert (left[0] + right[0], best, place) == run(0, 8, 0, 0, -1)
