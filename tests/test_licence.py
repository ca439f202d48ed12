"""A safe fix rests on a property of its computation, and that property must have been shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from auditor.rewrites import CATALOG

from auditor.audit import Options, audit_text

ROOT = Path(__file__).parents[1]
RESTS_ON = {rewrite.code: rewrite.properties for rewrite in CATALOG}

GAPS = {
    # The result of an unknown call is taken to have two axes there, so that the softmax is one of
    # single numbers: nothing to accumulate.
    "tests/corpora/softmax/logsumexp_axis_of_unknown_rank.py": "a rank is guessed too low",
    "tests/corpora/moments/variance_over_the_first_axis.py": "the axes left over have no number",
    "tests/corpora/powers/fibonacci_modulo.py": "a remainder of what may be no integer",
    "tests/corpora/softmax/cross_entropy_of_picked_weights.py": "places in pairs have no notation",
    "tests/corpora/matmul/not_to_the_diagonal.py": "every range that grows counts as a distance",
    "tests/corpora/symmetric_pairs/not_by_place.py": "every range that grows counts as a distance",
    "tests/corpora/powers/modular_two_statements.py": "a remainder of what may be no integer",
}


def programs() -> Iterator[tuple[str, str]]:
    """Every program of the repository that a fix may be offered for."""
    for folder in ("examples", "tests/corpora"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    for rewrite in CATALOG:
        for example in rewrite.examples:
            yield f"{rewrite.code}: {example.title}", example.before


def _parameters() -> Iterator[object]:
    for name, text in programs():
        gap = pytest.mark.xfail(reason=GAPS[name], strict=True) if name in GAPS else ()
        yield pytest.param(text, id=name, marks=gap)


@pytest.mark.parametrize("text", list(_parameters()))
def test_what_a_safe_fix_rests_on_holds(text: str) -> None:
    for finding in audit_text(text, "program.py", Options()).findings:
        if finding.fix is None or finding.fix.applicability != "safe":
            continue
        assert finding.code is not None
        for name in RESTS_ON[finding.code]:
            verdict = finding.properties[name]
            if verdict.verdict == "unknown" and verdict.evidence.startswith("too large"):
                continue  # the question was given up for its size, not answered
            assert verdict.verdict in ("holds", "partial"), f"{finding.scope}: {name} {verdict}"
