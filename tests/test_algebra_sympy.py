"""The second opinion on derived identities: what sympy confirms, and what it must not."""

from __future__ import annotations

import subprocess
import sys

import pytest
from notation_builders import E, N, ap, array, at, idx, term

from auditor.algebra import lifting
from auditor.algebra.sympy_bridge import adds_up, equal, fractional_linear
from auditor.audit import Options, audit_text
from auditor.notation import Apply, Const, Read, Term, Value

X, Y, S = (Value(name, (), kind="input") for name in "xys")
x, y, s = (Read(value, ()) for value in (X, Y, S))


def add(*terms: Term) -> Term:
    return Apply("add", terms)


def mul(*terms: Term) -> Term:
    return Apply("mul", terms)


def call(op: str, *terms: Term) -> Term:
    return Apply(op, terms)


EQUAL = [
    (mul(add(x, y), call("sub", x, y)), call("sub", call("square", x), mul(y, y))),
    (
        call("cos", call("sub", x, y)),
        add(mul(call("cos", x), call("cos", y)), mul(call("sin", x), call("sin", y))),
    ),
    (call("exp", call("sub", x, y)), call("div", call("exp", x), call("exp", y))),
    (call("log", mul(call("exp", x), call("exp", y))), add(x, y)),
    (call("pow", add(x, Const(1)), Const(2)), add(mul(x, x), mul(Const(2), x), Const(1))),
]
DIFFERENT = [
    (x, y),
    (call("sqrt", mul(x, x)), x),
    (call("abs", x), x),
    (call("exp", mul(x, y)), mul(call("exp", x), call("exp", y))),
    (call("tanh", add(x, y)), add(call("tanh", x), call("tanh", y))),
    (mul(x, Const(float("inf"))), mul(y, Const(float("inf")))),
    (call("cos", mul(Const(1000), x)), call("cos", x)),  # no polynomial in cos(x) of degree 1000
]


@pytest.mark.parametrize("one, two", EQUAL)
def test_what_is_equal_is_confirmed(one: Term, two: Term) -> None:
    assert equal(one, two)


@pytest.mark.parametrize("one, two", DIFFERENT)
def test_what_is_not_is_not(one: Term, two: Term) -> None:
    assert not equal(one, two)


def test_elements_are_told_apart_by_their_places() -> None:
    i, a = idx("i", N), array("a", N)
    here, there = term(at(a, i)), term(at(a, E(i) + 1))
    assert equal(add(here, there), add(there, here))
    assert not equal(here, there)
    assert equal(here, term(at(a, E(i) + 1 - 1)))
    assert equal(term(ap("relu", at(a, i)) * 2), add(*[term(ap("relu", at(a, i)))] * 2))


def test_a_fractional_linear_update() -> None:
    update = call("div", add(mul(x, s), y), add(s, Const(2)))
    assert fractional_linear(update, S, (x, y, Const(1), Const(2)))
    assert not fractional_linear(update, S, (x, y, Const(1), Const(3)))
    assert not fractional_linear(update, S, (x, add(y, s), Const(1), Const(2)))


def test_a_coordinate_grows_alike_on_every_path() -> None:
    other = add(s, x)
    assert adds_up(s, [other, add(x, s)], x, [S])
    assert not adds_up(s, [other, add(s, y)], x, [S])
    assert not adds_up(s, [mul(s, s)], call("sub", mul(s, s), s), [S])


WELFORD = """
def mean(xs):
    n = 0
    m = 0.0
    for v in xs:
        n += 1
        m += (v - m) / n
    return m
"""


def _associativity(text: str) -> str:
    report = audit_text(text, "a.py", Options(everything=True))
    (finding,) = (*report.findings, *report.computations)
    return finding.properties["associativity"].evidence


def test_without_sympys_word_there_is_no_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "one pass" in _associativity(WELFORD)
    monkeypatch.setattr(lifting, "_confirmed", lambda *_: False)
    assert "one pass" not in _associativity(WELFORD)


def test_files_without_such_a_finding_do_not_import_it() -> None:
    text = "def ema(xs, a):\n    s = 0.0\n    for x in xs:\n        s = a * s + x\n    return s\n"
    program = (
        "import sys\n"
        "from auditor.audit import Options, audit_text\n"
        f"audit_text({text!r}, 'a.py', Options(everything=True))\n"
        "assert 'sympy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
