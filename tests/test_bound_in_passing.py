"""Names that expressions bind with ``:=``: a comprehension that carries one is a loop."""

from __future__ import annotations

import pytest

from auditor.audit import Options, audit_text

CARRIED = {
    "largest": "max((s := s * s - x) for x in xs)",
    "added": "sum((s := (s * s + x) % 1009) for x in xs)",
    "under a test": "sum(1 for x in xs if x < s - 1 and (s := x) is not None)",
    "reset in a test": "sum(x for x in xs if (s := 0 if s > 9 else s + x) > 4)",
    "transcendental": "sum((s := math.tanh(s + x)) for x in xs)",
    "read behind a conjunction": "sum(s for x in xs if x > 0 or (s := x))",
    "read in a lambda": "sum((lambda: s)() + (s := x) for x in xs)",
    "in a comprehension within": "sum(sum((s := s * s + y) for y in range(x)) for x in xs)",
}


@pytest.mark.parametrize("expression", CARRIED.values(), ids=CARRIED)
def test_a_comprehension_that_carries_a_value_is_no_reduction(expression: str) -> None:
    text = f"import math\n\n\ndef f(xs: list[int]):\n    s = 0\n    return {expression}\n"
    report = audit_text(text, "program.py", Options(everything=True))
    assert not report.problems
    for found in report.computations:
        verdicts = {name: verdict.verdict for name, verdict in found.properties.items()}
        assert "holds" not in verdicts.values(), verdicts


def test_what_each_item_binds_before_it_reads_it_is_its_own() -> None:
    text = "def f(xs: list[float]):\n    return sum((y := x + 1) * y for x in xs)\n"
    report = audit_text(text, "program.py", Options(everything=True))
    (found,) = report.computations
    assert found.properties["associativity"].verdict == "holds"
    assert found.properties["symmetry"].verdict == "holds"


CALLED = {"added": "sum(f(x) for x in xs)", "beside": "sum(f(x) * 2 + x for x in xs)",
          "largest": "max(f(x) * 2 + x for x in xs)"}  # fmt: skip


@pytest.mark.parametrize("expression", CALLED.values(), ids=CALLED)
def test_what_a_call_gives_for_each_item_is_no_constant(expression: str) -> None:
    text = f"def g(xs: list[int], f):\n    return {expression}\n"
    report = audit_text(text, "program.py", Options(everything=True))
    for found in report.computations:
        assert found.properties["associativity"].verdict == "unknown", found.properties
