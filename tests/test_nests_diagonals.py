"""Loops that read an array at two places of one loop variable: the code for all steps at once."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.audit import Options, audit_text
from auditor.writing import edits

PROGRAM = """
import numpy as np


def f(s: np.ndarray, n: int):
    out = np.zeros({shape})
    for i in range({steps}):
        {step}
    return out
"""


@pytest.mark.parametrize(
    ("shape", "steps", "step"),
    (
        ("n", "n", "out[i] = 1.0 / s[i, i]"),
        ("n", "n", "out[i] = s[i, i] + s[i, i + 1]"),
        ("n", "1, n", "out[i] = s[i, i - 1] * 2.0"),
        ("(n, n)", "n", "out[i, i] = 1.0 / s[i, i]"),
        (
            "(n, n)",
            "n",
            "for j in range(n):\n            out[i, j] = s[i, j] / (s[i, i] * s[j, j])",
        ),
    ),
)
def test_each_by_its_own_places(shape: str, steps: str, step: str) -> None:
    text = PROGRAM.format(shape=shape, steps=steps, step=step)
    (found, *_) = audit_text(text, "program.py", Options()).findings
    assert found.fix is not None and found.fix.applicability == "safe"
    changed = edits.apply_edits(text, found.fix.edits)
    assert "for i" not in changed
    s = np.random.default_rng(0).random((4, 5))
    for size in (0, 1, 4):
        np.testing.assert_allclose(_run(changed, s, size), _run(text, s, size))
    for each in (text, changed):
        with pytest.raises(IndexError):
            _run(each, s, 6)


def _run(text: str, s: np.ndarray, n: int) -> np.ndarray:
    scope = {"np": np}
    exec(text, scope)
    return scope["f"](s, n)  # type: ignore[no-any-return, operator]


def test_a_place_that_is_counted_from_the_end_stays() -> None:
    text = PROGRAM.format(shape="n", steps="n", step="out[i] = s[i, i - 1]")
    findings = audit_text(text, "program.py", Options()).findings
    assert not any(one.fix is not None for one in findings)
