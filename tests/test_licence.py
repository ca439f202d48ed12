"""A safe fix rests on a property of its computation, and that property must have been shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from auditor.rewrites import CATALOG

from auditor.audit import Options, audit_text

ROOT = Path(__file__).parents[1]
RESTS_ON = {rewrite.code: rewrite.properties for rewrite in CATALOG}


def programs() -> Iterator[tuple[str, str]]:
    """Every program of the repository that a fix may be offered for."""
    for folder in ("examples", "tests/corpora"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    for rewrite in CATALOG:
        for example in rewrite.examples:
            yield f"{rewrite.code}: {example.title}", example.before


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in programs()])
def test_what_a_safe_fix_rests_on_holds(text: str) -> None:
    for finding in audit_text(text, "program.py", Options()).findings:
        if finding.fix is None or finding.fix.applicability != "safe":
            continue
        assert finding.code is not None
        for name in RESTS_ON[finding.code]:
            verdict = finding.properties[name]
            assert verdict.verdict in ("holds", "partial"), f"{finding.scope}: {name} {verdict}"
