"""Loops that are no scan: that it is said, and what is said is true of them."""

from __future__ import annotations

import pytest

from auditor.properties import associativity
from auditor.properties.subject import Subject
from auditor.verdict import Verdict
from benchmarks.literature import outermost


def verdict(text: str) -> Verdict:
    (loop,) = outermost(text)
    return associativity.ask(Subject(loop))


ARRAYS = {
    "a gate by the state": """
import numpy as np
def f(X, y, lr):
    w = np.zeros(X.shape[1])
    for i in range(len(X)):
        p = 1 / (1 + np.exp(-X[i] @ w))
        w += lr * (y[i] - p) * X[i]
    return w
""",
    "a product through tanh": """
import torch
def f(a, w):
    h = torch.zeros(w.shape[0])
    for t in range(a.shape[0]):
        h = torch.tanh(w @ h + a[t])
    return h
""",
    "the softmax of the state": """
import torch
def f(a):
    h = torch.zeros(a.shape[1])
    for t in range(a.shape[0]):
        h = torch.softmax(h + a[t], -1)
    return h
""",
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_run_at_a_small_size(name: str) -> None:
    found = verdict(ARRAYS[name])
    assert (found.verdict, found.basis) == ("fails", "counterexample")
    assert "elements, has" in found.evidence and "degrees of freedom" in found.evidence


SCALARS = {
    "values that leave what floats hold": """
def f(noise):
    x, y = 0.1, 0.1
    for e in noise:
        x, y = 1 - 1.4 * x * x + y + e, 0.3 * x
    return x
""",
    "small steps": """
import math
def f(torques):
    theta, omega = 0.0, 0.0
    for u in torques:
        omega += 0.01 * (u - 9.81 * math.sin(theta))
        theta += 0.01 * omega
    return theta
""",
    "a tower of powers": """
def f(xs):
    s = 1.0
    for x in xs:
        s = x**s
    return s
""",
}


@pytest.mark.parametrize("name", SCALARS)
def test_ranks_are_found_without_rounding(name: str) -> None:
    found = verdict(SCALARS[name])
    assert (found.verdict, found.basis) == ("fails", "counterexample")
    assert "degrees of freedom" in found.evidence


COMPOSING = {
    "rows that are normalised": """
import numpy as np
def f(A, obs, pi):
    alpha = pi
    for o in obs:
        alpha = (alpha @ A) * o
        alpha = alpha / alpha.sum()
    return alpha
""",
    "a matrix at each step, normalised": """
import numpy as np
def f(mats, v):
    for M in mats:
        v = M @ v
        v = v / np.linalg.norm(v)
    return v
""",
    "a rational function in disguise": """
def f(zs, q, r):
    p = 1.0
    for z in zs:
        p = p + q * z
        p = (1 - p / (p + r)) * p
    return p
""",
}


@pytest.mark.parametrize("name", COMPOSING)
def test_what_composes_is_not_refuted(name: str) -> None:
    assert verdict(COMPOSING[name]).verdict != "fails"
