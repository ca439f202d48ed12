"""A tensor that is written into needs the gradients of what is written, of nothing as well: a fix
that writes all steps at once says that there are some."""

from __future__ import annotations

import pytest

from auditor.arrays.wider_start import A_STEP
from auditor.audit import Options, audit_text

PROGRAM = """
import torch


def f(x: torch.Tensor, y: torch.Tensor, idx, n):
    {start}
    for i in range({count}):
        {step}
    return out
"""


@pytest.mark.parametrize(
    ("start", "count", "step", "stated"),
    [
        ("out = torch.zeros(n)", "n", "out[i] = x[i] * 2", True),
        ("out = torch.zeros(n)", "len(idx)", "out[idx[i]] += x[i]", True),
        ("out = torch.zeros(3)", "3", "out[i] = x[i] * 2", False),
        ("out = torch.zeros(n, dtype=torch.bool)", "n", "out[i] = x[i] > 2", False),
        (
            "h, out = torch.zeros(x.shape[1]), torch.empty_like(x)",
            "x.shape[0]",
            "h = 0.5 * h + x[i]\n        out[i] = h",
            True,
        ),
    ],
)
def test_what_is_assumed_of_the_steps(start: str, count: str, step: str, stated: bool) -> None:
    text = PROGRAM.format(start=start, count=count, step=step)
    fixes = [f.fix for f in audit_text(text, "f.py", Options()).findings if f.fix is not None]
    assert fixes and fixes[0].applicability == "safe"
    assert (A_STEP in (fixes[0].reason or "")) is stated, fixes[0].reason
