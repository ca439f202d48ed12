"""Loops that are no scan: that it is said, and what is said is true of them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from auditor.audit import Options, audit_text
from auditor.derive.found import Nothing, derive_at
from auditor.derive.told import refusal
from auditor.properties import associativity
from auditor.properties.pieces import pieces, points_around
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
    "a gate by the state": """
import math
def f(xs, w, u):
    h = 0.0
    for x in xs:
        h = math.tanh(w * h + u * x)
    return h
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


COUPLED = {
    "two jugs": """
def f(pours):
    a, b = 0, 0
    for p in pours:
        a += p
        moved = min(a, 7 - b)
        a -= moved
        b += moved
        if b == 7:
            b = 0
    return a, b
""",
    "a stop that follows falling prices": """
def f(prices, pct):
    peak = 0.0
    for p in prices:
        peak = max(peak, p)
        if p < peak * (1 - pct):
            peak = p
    return peak
""",
    "a candidate of the majority": """
def f(votes):
    leader, ahead = None, 0
    for v in votes:
        if ahead == 0:
            leader = v
        ahead += 1 if v == leader else -1
    return leader
""",
    "an alarm that begins anew": """
def f(xs, mu, slack, limit):
    s, alarms = 0.0, 0
    for x in xs:
        s = max(0.0, s + x - mu - slack)
        if s > limit:
            alarms, s = alarms + 1, 0.0
    return alarms
""",
    "what begins after the last end": """
def f(starts, ends):
    free = 0.0
    for i in range(len(starts)):
        if starts[i] >= free:
            free = ends[i]
    return free
""",
    "an array that is reset": """
import torch
def f(x):
    mem = torch.zeros_like(x[0])
    for t in range(x.shape[0]):
        mem = 0.8 * mem + x[t]
        mem = torch.where(mem > 1.0, torch.zeros_like(mem), mem)
    return mem
""",
    "a product through relu": """
import torch
def f(x, w):
    h = torch.zeros(2)
    for t in range(x.shape[0]):
        h = torch.relu(w @ h + x[t])
    return h
""",
}


@pytest.mark.parametrize("name", COUPLED)
def test_pieces_of_one_value_as_a_function_of_another(name: str) -> None:
    found = verdict(COUPLED[name])
    assert (found.verdict, found.basis) == ("fails", "counterexample")
    assert "pieces as a function of" in found.evidence


MIXED = {
    "a byte in the middle of a product": """
def f(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h ^= byte
        h = (h * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return h
""",
    "by a factor that is given": """
def f(xs, p):
    h = 0
    for x in xs:
        h = (h ^ x) * p
    return h
""",
    "by shifts": """
def f(text):
    h = 5381
    for c in text:
        h = ((h << 5) + h ^ ord(c)) % 2**32
    return h
""",
}

UNMIXED = {
    "sums under a mask": """
def f(text):
    h = 5381
    for c in text:
        h = ((h << 5) + h + ord(c)) & 0xFFFFFFFF
    return h
""",
    "bits alone": """
def f(data):
    h = 1
    for byte in data:
        h = (h ^ (h << 7) ^ byte) & 0xFFFFFFFF
    return h
""",
    "products by what is given": """
def f(xs):
    h = 1
    for x in xs:
        h = h * (x | 1) & 0xFFFF
    return h
""",
}


@pytest.mark.parametrize("name", MIXED)
def test_bits_that_are_mixed_with_sums(name: str) -> None:
    found = verdict(MIXED[name])
    assert (found.verdict, found.basis) == ("fails", "counterexample")
    assert "of the lowest" in found.evidence


@pytest.mark.parametrize("name", UNMIXED)
def test_bits_that_are_not_mixed_with_sums(name: str) -> None:
    assert verdict(UNMIXED[name]).verdict != "fails"


def test_a_rise_and_a_fall_of_their_own_speed() -> None:
    found = verdict("""
def f(xs, attack, release):
    level = 0.0
    for x in xs:
        over = abs(x)
        speed = attack if over > level else release
        level = speed * level + (1 - speed) * over
    return level
""")
    assert (found.verdict, found.basis) == ("fails", "counterexample")
    (given,) = re.findall(r"abs\(xs\[t\]\) = ([^;]*);", found.evidence)
    assert all(float(number) >= 0 for number in given.split(", "))


# what falls into few pieces, or into as many as a table has rows
ALONE = {
    "between numbers of one": """
def f(xs):
    p = 1.0
    for x in xs:
        p = max(p * x, p - x)
    return p
""",
}


@pytest.mark.parametrize("name", ALONE)
def test_pieces_of_a_value_without_numbers_of_its_own(name: str) -> None:
    found = verdict(ALONE[name])
    assert (found.verdict, found.basis) == ("fails", "counterexample")
    assert "pieces as a function of p" in found.evidence


WITNESSED = {
    "a step of limited size": """
def f(xs, s, r):
    for x in xs:
        s += min(max(x - s, -r), r)
    return s
""",
    "a threshold": """
def f(xs, s, r):
    for x in xs:
        if abs(x - s) > r:
            s = x
    return s
""",
    "a distance": """
def f(xs, s, r):
    for x in xs:
        s = abs(s - x) + r
    return s
""",
}


@pytest.mark.parametrize("name", WITNESSED)
def test_what_was_seen_is_seen_again(name: str) -> None:
    """The inputs that are told, given to the code itself."""
    evidence = verdict(WITNESSED[name]).evidence
    told = re.search(r"2, 4 and 8 steps with (.*) it has ([\d, ]+) pieces", evidence)
    assert told is not None, evidence
    given = dict(part.split(" = ") for part in told[1].split("; "))
    xs = [float(x) for x in given.pop("xs[t]").split(", ")]
    held: dict[str, Any] = {}
    exec(WITNESSED[name], held)
    states = points_around({0.0})[0].tolist()
    for steps, count in zip((1, 2, 4, 8), told[2].split(", "), strict=True):
        others = {value: float(number) for value, number in given.items()}
        left = [held["f"](xs[:steps], state, **others) for state in states]
        assert pieces(np.asarray([left])) == int(count)


def test_whole_numbers_that_are_rounded_refute_nothing() -> None:
    found = verdict("""
def f(xs):
    s = 1
    for x in xs:
        s = (s * 1000000007 + x) // 2
    return s
""")
    assert found.verdict != "fails" or "different ways" not in found.evidence


TABLES = {
    "a cycle of a hundred beside a sum": """
def f(xs):
    c, s = 0, 0.0
    for x in xs:
        s = s + x if c == 5 else s
        c = c + 1 if c < 99 and s > -1e9 else 0
    return s
""",
    "two best in order": """
def f(xs):
    a, b = 0.0, 0.0
    for x in xs:
        if x > a:
            a, b = x, a
        elif x > b:
            b = x
    return a, b
""",
}


@pytest.mark.parametrize("name", TABLES)
def test_few_pieces_refute_nothing(name: str) -> None:
    assert verdict(TABLES[name]).verdict != "fails"


def test_derive_tells_what_the_audit_saw() -> None:
    text = SCALARS["values that leave what floats hold"]
    found = derive_at(text, 4)
    assert isinstance(found, Nothing) and found.refutation is None
    assert "degrees of freedom: no summary" in refusal(found, text, "loop.py", 4)
    sound = "def f(xs):\n    d = {}\n    for k, v in xs:\n        d[k] = d[v] + 1\n    return d\n"
    found = derive_at(sound, 3)
    assert isinstance(found, Nothing)
    assert "Refuted" not in refusal(found, sound, "loop.py", 3)


@pytest.mark.parametrize(
    "loop, said",
    [
        (
            "while n != 1:\n        n = n // 2 if n % 2 == 0 else 3 * n + 1",
            "`while n != 1` (line 2)",
        ),
        ("for op in n:\n        s.append(s.pop() * op)", "the loop calls `s.pop` (line 3)"),
    ],
)
def test_what_is_not_known_is_told(loop: str, said: str) -> None:
    report = audit_text(
        f"def f(n, s):\n    {loop}\n    return n\n", "m.py", Options(everything=True)
    )
    (found,) = [r.properties["associativity"] for r in report.computations]
    assert found.verdict == "unknown" and said in found.evidence


CELL = """
import torch
class Model(torch.nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.cell = torch.nn.{cell}(d, n)
    def forward(self, x, h, c):
        for t in range(x.shape[1]):
            {step}
        return h
"""


@pytest.mark.parametrize(
    "cell, step",
    [
        ("RNNCell", "h = self.cell(x[:, t], h)"),
        ("GRUCell", "h = self.cell(x[:, t], h)"),
        ("LSTMCell", "h, c = self.cell(x[:, t], (h, c))"),
        ("Linear", "h = torch.tanh(self.cell(h) + x[:, t])"),
    ],
)
def test_cells_are_run_too(cell: str, step: str) -> None:
    report = audit_text(CELL.format(cell=cell, step=step), "m.py", Options(everything=True))
    (found,) = [r.properties["associativity"] for r in report.computations]
    assert (found.verdict, found.basis) == ("fails", "counterexample")
    assert "degrees of freedom" in found.evidence


def test_a_linear_layer_is_not_refuted() -> None:
    text = CELL.format(cell="Linear", step="h = self.cell(h) + x[:, t]")
    report = audit_text(text, "m.py", Options(everything=True))
    (found,) = [r.properties["associativity"] for r in report.computations]
    assert found.verdict != "fails"


def test_a_square_is_run_as_what_is_never_negative() -> None:
    found = verdict("""
def f(pairs):
    a = b = 1.0
    for x, y in pairs:
        a, b = max(x * x * a, y * y * b), min(x * x * a, y * y * b)
    return a
""")
    assert (found.verdict, found.basis) == ("fails", "counterexample")
    assert "*pairs[t, 0] = " in found.evidence and " = -" not in found.evidence
    assert ", -" not in found.evidence
