"""Carried arrays under matrix products of other semirings: Viterbi's, shortest paths, the forward
algorithm; and what only looks like one."""

from __future__ import annotations

import pytest

from auditor.audit import Options, audit_text
from auditor.verdict import Verdict

HEAD = "import numpy as np\n\n\ndef f(logits: np.ndarray, trans: np.ndarray, d: np.ndarray):\n"
START = "    s = np.zeros(trans.shape[0])\n    for t in range(logits.shape[0]):\n        s = "
LINEAR = {
    "np.max(s[:, None] + trans, axis=0) + logits[t]": "max-plus",
    "np.minimum(s, (s[None, :] + trans).min(axis=1))": "min-plus",
    "np.log(np.exp(s[:, None] + trans).sum(axis=0)) + logits[t]": "log-semiring",
    "np.maximum(np.where(d > 0, (s[:, None] + trans).max(axis=0), s - d), logits[t])": "max-plus",
}
OTHER = (
    "np.max(s[:, None] * trans, axis=0) + logits[t]",
    "np.max(s[:, None] + s[None, :] + trans, axis=0)",
    "np.min(np.max(s[:, None] + trans, axis=0)) - s",
    "np.max(trans - s[:, None], axis=0) + logits[t]",
    "np.log(np.exp(s[:, None] * trans).sum(axis=0)) + logits[t]",
    "np.log(np.exp(s[:, None] + trans).sum(axis=0) ** 2 + 1) + logits[t]",
    "np.where(s > 0, (s[:, None] + trans).max(axis=0), s)",
)


@pytest.mark.parametrize("update, semiring", LINEAR.items())
def test_products_over_a_semiring_hold(update: str, semiring: str) -> None:
    verdict = _asked(update)
    assert verdict.verdict == "holds", verdict.evidence
    assert f"over {semiring}" in verdict.evidence


@pytest.mark.parametrize("update", OTHER)
def test_what_is_no_product_does_not(update: str) -> None:
    assert _asked(update).verdict != "holds"


def _asked(update: str) -> Verdict:
    text = f"{HEAD}{START}{update}\n    return s\n"
    report = audit_text(text, "f.py", Options(everything=True))
    loop = next(f for f in (*report.findings, *report.computations) if f.span.line == 6)
    return loop.properties["associativity"]
