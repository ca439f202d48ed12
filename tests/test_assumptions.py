"""What a fix has to say of its inputs: each program with what it assumes, and a neighbour that
need not."""

from __future__ import annotations

import pytest

from auditor import audit

EXISTS = """\
import torch


def f(x: torch.Tensor):
{before}    for i in range(1, len(x)):
        x[i] = x[i] + 0.5 * x[i - 1]
    return x
"""
FINITE = """\
import torch


def f(x: torch.Tensor, keep: torch.Tensor):
    h = torch.zeros(3)
    out = []
    for t in range(x.shape[0]):
        h = {step}
        out.append(h)
    return torch.stack(out)
"""
APART = """\
import torch

kept = torch.ones(6, 2)


class Filter:
    def __init__(self, buffer):
        self.buffer = buffer
        self.out = buffer[1:]

    def run(self, x: torch.Tensor):
        s = torch.zeros(2)
        source = {source}
        target = {target}
        for i in range(5):
            s = 0.5 * s + source[i]
            target[i] = s
        return target
"""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (EXISTS.format(before=""), "`x[0]` exists"),
        (EXISTS.format(before="    x[0] = 1.0\n"), None),
        (EXISTS.format(before="    first = x[1].sum()\n"), None),
        (FINITE.format(step="torch.where(keep[t], 0.5 * h, 0.0) + x[t]"), "`h` stays finite"),
        (
            FINITE.format(step="0.5 * h * keep[t] + x[t]"),
            "floating-point numbers, or `h` is float32",
        ),
        (FINITE.format(step="0.5 * h * (1 - keep[t]) + x[t]"), "numbers, or `h` is float32"),
        (FINITE.format(step="0.5 * h * (x[t] > 0) + x[t]"), "`h` is float32"),
        (FINITE.format(step="0.5 * h * keep[t].float() + x[t]"), None),
        (FINITE.format(step="0.5 * (1.0 - keep[t]) * h + x[t]"), None),
        (FINITE.format(step="0.5 * h * torch.sigmoid(keep[t]) + x[t]"), None),
        (FINITE.format(step="h * keep[t] + x[t]"), None),
        (FINITE.format(step="torch.where(keep[t], 0.5 * h + x[t], h)"), "`h` is float32"),
        (FINITE.format(step="0.5 * torch.where(keep[t], h, 0) + x[t]"), "`h` is float32"),
        (APART.format(source="self.buffer", target="self.out"), "do not overlap"),
        (APART.format(source="x", target="self.out"), "do not overlap"),
        (APART.format(source="kept", target="x"), "do not overlap"),
        (APART.format(source="self.buffer", target="torch.zeros(5, 2)"), None),
    ],
)
def test_what_a_fix_assumes(text: str, sentence: str | None) -> None:
    report = audit.audit_text(text, "program.py", audit.Options())
    assert not report.problems, report.problems
    (found,) = [finding for finding in report.findings if finding.code == "ASC101"]
    assert found.fix is not None and found.fix.applicability == "safe"
    reason = found.fix.reason or ""
    if sentence is not None:
        assert sentence in reason
    else:
        assert not any(word in reason for word in ("exists", "finite", "overlap", "float32"))


def test_what_is_assumed_of_a_script() -> None:
    """What only its loop binds may go, and it is said; a list that others may import stays one."""
    script = """\
import torch

x = torch.ones(7, 3)
h = torch.zeros(3)
out = []
for t in range(x.shape[0]):
    h = 0.5 * h + x[t]
    out.append(h)
y = torch.stack(out)
"""
    for text, sentence in (
        (script, "no other file reads `t`"),
        ("if __name__ == '__main__':\n    " + script.replace("\n", "\n    "), None),
    ):
        report = audit.audit_text(text, "program.py", audit.Options())
        (found,) = [finding for finding in report.findings if finding.code == "ASC101"]
        assert found.fix is not None and found.fix.applicability == "safe"
        assert (sentence in (found.fix.reason or "")) if sentence else found.fix.reason is None
