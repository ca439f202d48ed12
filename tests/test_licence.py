"""A safe fix rests on a property of its computation, and that property must have been shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from auditor.rewrites import CATALOG

from auditor.audit import Options, audit_text
from auditor.verdict import Finding

ROOT = Path(__file__).parents[1]
RESTS_ON = {rewrite.code: rewrite.properties for rewrite in CATALOG}

GAPS = {
    # The result of an unknown call is taken to have two axes there, so that the softmax is one of
    # single numbers: nothing to accumulate.
    "softmax/logsumexp_axis_of_unknown_rank": "a rank is guessed too low",
    "powers/fibonacci_modulo": "a remainder of what may be no integer",
    "softmax/cross_entropy_of_picked_weights": "places in pairs have no notation",
    "powers/modular_two_statements": "a remainder of what may be no integer",
}


def programs() -> Iterator[object]:
    """Every program of the repository that a fix may be offered for; those that
    `test_corpora.py` audits are asked there."""
    for folder in ("examples", "tests/corpora/literature"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            yield pytest.param(path.read_text(encoding="utf-8"), id=name)
    for rewrite in CATALOG:
        for example in rewrite.examples:
            yield pytest.param(example.before, id=f"{rewrite.code}: {example.title}")


@pytest.mark.parametrize("text", list(programs()))
def test_what_a_safe_fix_rests_on_holds(text: str) -> None:
    assert not unlicensed(audit_text(text, "program.py", Options()).findings)


def unlicensed(findings: Iterable[Finding]) -> list[str]:
    """What safe fixes rest on that was not shown."""
    missing = []
    for finding in findings:
        if finding.fix is None or finding.fix.applicability != "safe":
            continue
        assert finding.code is not None
        for name in RESTS_ON[finding.code]:
            verdict = finding.properties[name]
            if verdict.verdict == "unknown" and verdict.evidence.startswith("too large"):
                continue  # the question was given up for its size, not answered
            if name == "locality" and "the distance grows" in verdict.evidence:
                continue  # each step keeps to its own place, however far it reads
            if verdict.verdict not in ("holds", "partial"):
                missing.append(f"{finding.scope}: {name} {verdict}")
    return missing
