"""Loops in their abstract domains: what is a scan, what is not, and that elements compose."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loops import coupled, mamba, simple, streaming_top_k
from notation_builders import E, N, T, ap, array, at, exp, idx, loop, red, state, where

from auditor.algebra.affine import affine_in, factors
from auditor.algebra.domains import summarise
from auditor.algebra.evaluate import evaluate
from auditor.algebra.joint import one_pass
from auditor.algebra.limits import TooLarge
from auditor.algebra.normal import depends, equal
from auditor.algebra.sampling import inputs
from auditor.algebra.states import Dependence
from auditor.algebra.summary import Refused, Summary
from auditor.notation import Computation, Read, Scan, Trace, show

EXPECTED = {
    "sum": "sum", "product": "product", "ema": "affine", "horner": "affine",
    "running mean": "affine", "max": "max", "max by branch": "max", "min by branch": "min",
    "kadane": "max-plus", "relu walk": "max-plus", "bucket": "max-plus",
    "last seen": "selection", "count": "sum", "previous": "selection",
    "logsumexp": "log-semiring", "log of exps": "log-semiring", "fraction": "projective",
    "moebius": "projective", "parity": "finite", "any": "finite", "wheel": "affine modulo",
    "bits": "exclusive or",
}  # fmt: skip

REFUSED = {
    "tanh": "tanh", "logistic": "product", "rare branch": "s*s", "reset": "branch",
    "saturating int": "wrap", "pointer": "index", "kahan": "deliberate",
    "rounded": "float16", "gauss-seidel": "another element",
}  # fmt: skip


def scan_of(computation: Computation) -> Scan:
    assert computation.scan is not None
    return computation.scan


@pytest.mark.parametrize(("name", "domain"), EXPECTED.items())
def test_single_states(name: str, domain: str) -> None:
    (stage,) = summarise(scan_of(simple()[name]))
    assert isinstance(stage, Summary), stage
    assert stage.domain == domain


@pytest.mark.parametrize(("name", "reason"), REFUSED.items())
def test_refused(name: str, reason: str) -> None:
    refused = [s for s in summarise(scan_of(simple()[name])) if isinstance(s, Refused)]
    assert refused and refused[0].certain
    assert reason in refused[0].reason


@pytest.mark.parametrize("name", ["opaque", "mixed bits"])
def test_an_unknown_call_is_unknown(name: str) -> None:
    (stage,) = summarise(scan_of(simple()[name]))
    assert isinstance(stage, Refused) and not stage.certain


@pytest.mark.parametrize(
    ("name", "domains"),
    [
        ("fibonacci", ["matrix"]), ("iir", ["matrix"]), ("linear rnn", ["matrix"]),
        ("argmax", ["max", "selection"]), ("second largest", ["max", "clamped affine"]),
        ("online softmax", ["max", "affine"]), ("online softmax by branch", ["max", "affine"]),
        ("welford", ["sum", "affine", "sum"]), ("moments", ["sum", "sum"]),
    ],
)  # fmt: skip
def test_stages(name: str, domains: list[str]) -> None:
    stages = summarise(scan_of(coupled()[name]))
    assert [s.domain for s in stages if isinstance(s, Summary)] == domains


def _elements(name: str) -> tuple[Computation, Summary]:
    computation = simple()[name]
    (stage,) = summarise(scan_of(computation))
    assert isinstance(stage, Summary)
    return computation, stage


def applied(stage: Summary, e: dict[str, np.ndarray], old: np.ndarray) -> np.ndarray:
    """The domain's function with elements ``e`` at the state ``old``."""
    if "high" in e:
        return np.minimum(e["high"], np.maximum(e["low"], e.get("a", 1) * old + e.get("b", 0)))
    if stage.domain == "powers":
        return e["factor"] * old ** e["power"]
    if "root" in e:
        return (e["a"] * old ** e["root"] + e["b"]) ** (1 / e["root"])
    if stage.domain == "quotients":
        return (old + e["b"]) // e["m"]
    if "c" in e:
        return (e["a"] * old + e["b"]) / (e["c"] * old + e["d"])
    if stage.domain in ("max", "min"):
        return (np.maximum if stage.domain == "max" else np.minimum)(old, e["x"])
    if stage.domain == "log-semiring":
        return np.logaddexp(old + e["a"], e["b"])
    return e["x"] if "x" in e else e["a"] * old + e["b"]


@pytest.mark.parametrize(
    "name", ["sum", "product", "ema", "horner", "running mean", "last seen", "count", "kadane",
             "relu walk", "bucket", "max", "min by branch", "fraction", "moebius", "logsumexp"],
)  # fmt: skip
def test_elements_are_the_update(name: str) -> None:
    """The elements applied to the previous state give the next one, at every step."""
    computation, stage = _elements(name)
    scan = scan_of(computation)
    t = scan.step
    history = Trace(scan, 0, t, ())
    before = Trace(scan, 0, (at_step := ap("sub", t, 1).term), ())
    given = inputs([history], 1, 5)
    e = {k: np.broadcast_to(evaluate(v, given.env, given.sizes, axes=(t,)), (5,))
         for k, v in stage.elements.items()}  # fmt: skip
    old = evaluate(before, given.env, given.sizes, axes=(t,))
    new = evaluate(history, given.env, given.sizes, axes=(t,))
    assert at_step is not None
    with np.errstate(all="ignore"):
        got = applied(stage, e, old)
    assert np.allclose(got, new)


@pytest.mark.parametrize("name", ["online softmax", "online softmax by branch", "online attention",
                                  "welford", "argmax"])  # fmt: skip
def test_one_pass_is_derived(name: str) -> None:
    scan = scan_of(coupled()[name])
    stages = [s for s in summarise(scan) if isinstance(s, Summary)]
    whole = one_pass(scan, stages)
    assert whole is not None
    if name == "argmax":
        assert "earlier" in whole.combine
        return
    # the growths sum to the coordinates of the last state
    names = [key.split(" ", 1)[1] for key in whole.elements if key.startswith("growth")]
    finals = {c.name: Trace(scan, n, ap("sub", scan.step.extent, 1).term, c.state.axes)
              for n, c in enumerate(scan.carries)}  # fmt: skip
    given = inputs(finals.values(), 2, 6)
    state_values = {k: np.ravel(evaluate(v, given.env, given.sizes, axes=v.subs))[:1]
                    for k, v in finals.items()}  # fmt: skip
    for key in names:
        growth = whole.elements[f"growth {key}"]
        axes = (*scan.carries[-1].state.axes, scan.step)
        grown = evaluate(growth, given.env, given.sizes, axes=axes)
        total = grown.reshape(-1, grown.shape[-1]).sum(-1)[0]
        reads = {n.value: state_values[n.value.name] for n in _reads(whole, key)}
        value = evaluate(whole.elements[f"coordinate {key}"], {v: a[0] for v, a in reads.items()})
        assert np.allclose(value, total), key


def _reads(whole: Summary, key: str) -> list[Read]:
    from auditor.notation import walk

    return [n for n in walk(whole.elements[f"coordinate {key}"]) if isinstance(n, Read)]


def test_independent_stages_need_no_lifting() -> None:
    scan = scan_of(coupled()["moments"])
    assert one_pass(scan, [s for s in summarise(scan) if isinstance(s, Summary)]) is None


def test_mamba_keeps_the_users_structure() -> None:
    (stage,) = summarise(scan_of(mamba()))
    assert isinstance(stage, Summary)
    assert show(stage.elements["a"]) == "A_bar[b, d, n]"
    assert show(stage.elements["b"]) == "B[b, t, n]*x[b, t, d]"


def test_top_k_merges() -> None:
    (stage,) = summarise(scan_of(streaming_top_k()))
    assert isinstance(stage, Summary) and stage.domain == "top-k"


def test_affine_in_two_states() -> None:
    p, q, x, t = state("p"), state("q"), array("x", T), idx("t", T)
    found = affine_in((at(p) * at(x, t) - (at(q) - at(p)) / 2 + 1).term, [p, q])
    assert found is not None
    by_name = {place.state.name: show(c) for place, c in found.coefficients.items()}
    assert by_name == {"p": "x[t] + (-(-1/2))", "q": "-(1/2)"} or equal(
        found.constant, ap("add", 0, 1).term
    )
    assert affine_in((at(p) * at(q)).term, [p, q]) is None


def test_factors_group_by_index() -> None:
    a, b, i, j = array("a", N), array("b", N), idx("i", N), idx("j", N)
    product = (-at(a, i) * exp(at(a, i) + at(b, j)) / at(b, j)).term
    found = factors(product, split_exponentials=True)
    on_i = [f for f in found if depends(f.term, i)]
    on_j = [f for f in found if depends(f.term, j)]
    assert len(on_i) == 2 and len(on_j) == 2 and not set(on_i) & set(on_j)
    assert sum(f.inverse for f in found) == 1
    assert not depends(red("sum", i, at(a, i)).term, i)


S, U = state("s"), array("x", T)
STEP = idx("t", T)


@st.composite
def updates(draw: st.DrawFn, depth: int = 4) -> E:
    """Bodies of loops over one carried value, most of them not scans."""
    kind = draw(st.sampled_from(["s", "s", "x", "c", *(["binary", "where", "unary"] * depth)]))
    sub = updates(depth - 1) if depth else None
    if kind == "s" or sub is None:
        return at(S)
    if kind == "x":
        return at(U, STEP)
    if kind == "c":
        return E(draw(st.sampled_from([0, 1, 2, -1, 0.5])))
    if kind == "unary":
        return ap(
            draw(st.sampled_from(["neg", "exp", "log", "relu", "abs", "reciprocal"])), draw(sub)
        )
    if kind == "where":
        op = draw(st.sampled_from(["lt", "le", "gt", "ge", "eq"]))
        return where(ap(op, draw(sub), draw(sub)), draw(sub), draw(sub))
    ops = ["add", "sub", "mul", "max", "min", "div", "logaddexp"]
    return ap(draw(st.sampled_from(ops)), draw(sub), draw(sub))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(updates())
def test_a_domain_found_is_the_update(update: E) -> None:
    """Whatever the domain claims, its elements applied to any state give the update."""
    computation = loop(STEP, (S, 0.5, update))
    try:
        (stage,) = summarise(scan_of(computation))
    except TooLarge:
        return
    if isinstance(stage, Refused) or stage.domain in ("finite", "best"):
        return  # a table says nothing of states that are never reached
    env = {U: np.array([0.3, -1.2, 2.0, -0.4]), S: np.array(0.0)}
    for old in (-2.5, -0.7, 0.0, 0.4, 3.1):
        env[S] = np.array(old)
        e = {k: np.broadcast_to(evaluate(v, env, {T: 4}, axes=(STEP,)), (4,)).astype(float)
             for k, v in stage.elements.items()}  # fmt: skip
        new = evaluate(update.term, env, {T: 4}, axes=(STEP,)).astype(float)
        with np.errstate(all="ignore"):
            got = applied(stage, e, np.array(old))
        fine = np.isfinite(new) & np.isfinite(got) & (np.abs(new) < 1e8)
        assert np.allclose(got[fine], new[fine], rtol=1e-6, atol=1e-6), (stage, old, got, new)
    dependent = [k for k, v in stage.elements.items() if Dependence().mentions(v, {S})]
    assert not dependent
