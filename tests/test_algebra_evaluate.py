"""The evaluator against NumPy and torch."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from notation_builders import (
    D,
    E,
    K,
    M,
    N,
    T,
    ap,
    array,
    at,
    exp,
    idx,
    loop,
    red,
    state,
    value,
    where,
)  # fmt: skip

from auditor.algebra.evaluate import evaluate, evaluate_outputs
from auditor.algebra.limits import CannotEvaluate
from auditor.notation import Apply, Carry, Const, Index, Order, Read, Scan, Symbol, Trace, Value

X = array("x", N, M)
DATA = np.random.default_rng(0).normal(size=(3, 4))
SIZES = {N: 3, M: 4, K: 2, T: 4, D: 2}


def run(v: object, **more: object) -> np.ndarray:
    return evaluate(v, {X: DATA}, SIZES, **more)  # type: ignore[arg-type]


def test_softmax_by_named_values() -> None:
    i, k = idx("i", N), idx("k", M)
    m = value("m", (i,), red("max", k, at(X, i, k)))
    a, b = idx("a", N), idx("b", M)
    e = value("e", (a, b), exp(at(X, a, b) - at(m, a)))
    c, d, k2 = idx("c", N), idx("d", M), idx("k", M)
    y = value("y", (c, d), at(e, c, d) / red("sum", k2, at(e, c, k2)))
    assert np.allclose(run(y), torch.softmax(torch.tensor(DATA), -1).numpy())


@pytest.mark.parametrize("op", ["sum", "prod", "max", "min", "argmax", "argmin"])
def test_reductions(op: str) -> None:
    i, k = idx("i", N), idx("k", M)
    got = run(value("r", (i,), red(op, k, at(X, i, k))))
    assert np.allclose(got, getattr(np, op)(DATA, axis=1))


def test_an_empty_axis() -> None:
    k = idx("k", 0)
    assert evaluate(red("sum", k, E(k)).term, {}) == 0
    assert evaluate(red("max", k, E(k) * 1.0).term, {}) == -np.inf


def test_extent_that_depends_on_an_index() -> None:
    i = idx("i", N)
    k = idx("k", (E(i) + 1).term)
    assert np.allclose(run(value("p", (i,), red("sum", k, at(X, i, k)))),
                       [DATA[n, : n + 1].sum() for n in range(3)])  # fmt: skip


@pytest.mark.parametrize("descending", [True, False])
def test_order_is_stable(descending: bool) -> None:
    data = np.array([2.0, 1.0, 2.0, 1.0, 3.0])
    x, r, k = array("x", 5), idx("r", 5), idx("k", 5)
    for what in ("values", "indices"):
        v = Value("v", (r,), Order(k, Read(x, (k,)), r, descending, what))  # type: ignore[arg-type]
        s = torch.sort(torch.tensor(data), stable=True, descending=descending)
        assert np.allclose(evaluate(v, {x: data}), getattr(s, what).numpy())


def test_top_k_of_a_row() -> None:
    i, r, k = idx("i", N), idx("r", K), idx("k", M)
    v = Value("v", (i, r), Order(k, at(X, i, k).term, r, True, "values"))
    assert np.allclose(run(v), torch.topk(torch.tensor(DATA), 2).values.numpy())


def test_scan_with_values_of_the_body_and_outputs_per_step() -> None:
    t, i = idx("t", M), idx("i", N)
    h = state("h", i)
    decay = value("a", (i,), exp(-at(X, i, t)))
    scan = Scan(t)
    update = at(decay, i) * at(h, i) + at(X, i, t)
    scan.carries = (Carry("h", h, Const(0.0), update.term),)
    out = Value("out", (i, t), Trace(scan, 0, t, (i,)))
    expected, current = [], np.zeros(3)
    for step in range(4):
        current = np.exp(-DATA[:, step]) * current + DATA[:, step]
        expected.append(current)
    assert np.allclose(run(out), np.stack(expected, 1))
    initial = Value("initial", (i,), Trace(scan, 0, Const(-1), (i,)))
    assert np.allclose(run(initial), 0)


def test_loop_inside_a_loop() -> None:
    """for i: s = 0; for j <= i: s += x[i, j]; total += s * s"""
    i = idx("i", N)
    j = idx("j", (E(i) + 1).term)
    s, total = state("s"), state("total")
    inner = Scan(j)
    inner.carries = (Carry("s", s, Const(0.0), (at(s) + at(X, i, j)).term),)
    last = Trace(inner, 0, Apply("sub", (j.extent, Const(1))), ())
    outer = loop(i, (total, 0.0, at(total) + E(last) * E(last)))
    expected = sum(DATA[n, : n + 1].sum() ** 2 for n in range(3))
    (got,) = evaluate_outputs(outer, {X: DATA}, SIZES)
    assert np.allclose(got, expected)
    row = Value("rows", (i,), last)
    assert np.allclose(run(row), [DATA[n, : n + 1].sum() for n in range(3)])


def test_broadcast_reads() -> None:
    group, other = (Index(n, Symbol(n), group=True) for n in ("G", "H"))
    x = Value("x", (group, idx("i", N)), kind="input")
    b = Value("b", (idx("one", 1),), kind="input")
    i = idx("i", N)
    y = Value("y", (other, i), (E(Read(x, (other, i), True)) + E(Read(b, (other, i), True))).term)
    data = np.arange(12.0).reshape(2, 2, 3)
    got = evaluate(y, {x: data, b: np.array([5.0])}, {N: 3}, groups={group: (2, 2), other: (2, 2)})
    assert np.allclose(got, data + 5)
    with pytest.raises(CannotEvaluate, match="group"):
        evaluate(y, {x: data, b: np.array([5.0])}, {N: 3})


def test_guarded_reads_outside_the_array() -> None:
    j = idx("j", M)
    i = idx("i", N)
    before = where(E(j) >= 1, at(X, i, E(j) - 1), 0.0)
    got = run(value("shifted", (i, j), before))
    assert np.allclose(got[:, 1:], DATA[:, :-1]) and (got[:, 0] == 0).all()


def test_casts() -> None:
    x = Const(2.7)
    assert evaluate(ap("cast:int64", x).term, {}) == 2
    assert evaluate(ap("cast:bool", x).term, {}) == 1
    assert evaluate(ap("cast:float16", x).term, {}) == 2.7
    assert evaluate(ap("cast:float16", x).term, {}, casts=True) == np.float16(2.7)
    expected = torch.tensor(2.7).to(torch.bfloat16).item()
    assert evaluate(ap("cast:bfloat16", x).term, {}, casts=True) == expected


def test_missing_things_are_named() -> None:
    with pytest.raises(CannotEvaluate, match="'x'"):
        evaluate(at(X, 0, 0).term, {})
    with pytest.raises(CannotEvaluate, match="'N'"):
        evaluate(E(N).term, {})
    with pytest.raises(CannotEvaluate, match="'f'"):
        evaluate(ap("call:f", 1).term, {})
    assert evaluate(ap("call:f", 1).term, {}, functions={"f": lambda x: x + 1}) == 2


def test_complex_numbers_are_no_places() -> None:
    with pytest.raises(CannotEvaluate, match="not an integer"):
        evaluate(Read(X, (Const(0), Const(1j))), {X: np.ones((2, 2))})


def test_nothing_has_no_largest_element() -> None:
    k = idx("k", 0)
    with pytest.raises(CannotEvaluate):
        evaluate(red("argmax", k, E(k)).term, {})


@pytest.mark.parametrize(("steps", "fits"), ((100, True), (1000, False)))
def test_a_loop_of_as_many_steps_as_are_tried(steps: int, fits: bool) -> None:
    total = state("s")
    (ends,) = loop(idx("t", steps), (total, 0, at(total) + 1)).outputs
    if fits:
        assert evaluate(ends, {}) == steps
    else:
        with pytest.raises(CannotEvaluate):
            evaluate(ends, {})
