"""What a loop computes at each step, and the code for all steps at once: where there are no steps,
it must raise as little as the loop does."""

from __future__ import annotations

import math

import numpy as np
import pytest

from auditor.audit import Options, audit_text
from auditor.writing import edits

PROGRAM = """
import math

import numpy as np


def f(x: np.ndarray, k: float):
    n = len(x)
    out = np.zeros({shape})
    for i in range(n):
        {step}
    return out
"""

STEPS = (
    ("n", "out[i] = 2.0 / math.sqrt(float(n))"),
    ("n", "out[i] = 1 / n"),
    ("n", "out[i] = x[i] / n"),
    ("n", "out[i] = x[i] * (1 / n)"),
    ("n", "out[i] = x[i] * math.log(n)"),
    ("n", "out[i] = math.cos(math.pi * i / n) * math.sqrt(2 / n)"),
    ("n", "out[i] = x[i] + n ** (n - 1)"),
    ("n", "out[i] = x[i] * (7 % n)"),
    ("(n, n)", "for j in range(n):\n            out[i, j] = (x[i] - x[j]) * (1.0 / n)"),
    ("(n, 2)", "for j in range(2):\n            out[i, j] = x[i] * (j / n)"),
)


@pytest.mark.parametrize(("shape", "step"), STEPS)
def test_no_step_raises_nothing(shape: str, step: str) -> None:
    text = PROGRAM.format(shape=shape, step=step)
    report = audit_text(text, "program.py", Options())
    fixes = [one.fix for one in report.findings if one.fix is not None]
    assert fixes and fixes[0].applicability == "safe"
    changed = edits.apply_edits(text, fixes[0].edits)
    for size in (0, 1, 4):
        before, after = (_run(each, np.linspace(1.0, 2.0, size)) for each in (text, changed))
        np.testing.assert_allclose(after, before)


def _run(text: str, x: np.ndarray) -> np.ndarray:
    scope = {"math": math, "np": np}
    exec(text, scope)
    return scope["f"](x, 2.0)  # type: ignore[no-any-return, operator]


def test_numbers_that_never_raise_are_computed_at_once() -> None:
    text = PROGRAM.format(shape="n", step="out[i] = x[i] * (2 * n + abs(k))")
    (found,) = audit_text(text, "program.py", Options()).findings
    assert found.fix is not None
    assert not any("if" in edit.content for edit in found.fix.edits)


def test_a_running_sum_of_what_may_raise_assumes_a_step() -> None:
    step = "k += x[i] * math.sqrt(1.0 / n)\n        out[i] = k"
    text = PROGRAM.format(shape="n", step=step).replace("n = len(x)", "n, k = len(x), 0.0")
    (found,) = audit_text(text, "program.py", Options()).findings
    assert found.fix is not None and "the loop runs at least once" in (found.fix.reason or "")
