"""One line for each finding."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.engine import Reported, Result
from auditor.report.lines import Line, line, told
from auditor.verdict import PROPERTIES, Finding


def concise(results: Sequence[Result]) -> list[Line]:
    """``path:line:column: CODE [*] message``; the star marks what ``--fix`` applies."""
    lines = []
    for result in results:
        lines += [_finding(entry) for entry in result.reported]
        lines += [_computation(finding) for finding in result.computations]
    return lines


def _place(finding: Finding) -> str:
    return f"{finding.path}:{finding.span.line}:{finding.span.column}:"


def _finding(entry: Reported) -> Line:
    star = "[*] " if entry.blocked is None else ""
    code = entry.finding.code or ""
    return line(
        (_place(entry.finding), "place"), " ", (code, "code"), f" {star}", told(entry.finding)
    )


def _computation(finding: Finding) -> Line:
    held = [name for name in PROPERTIES if _answer(finding, name) in ("holds", "partial")]
    found = ", ".join(held) if held else "no property holds"
    reason = f"; {finding.refused}" if finding.refused else ""
    return line((_place(finding), "place"), (f" analysed: {found}{reason}", "dim"))


def _answer(finding: Finding, name: str) -> str:
    verdict = finding.properties.get(name)
    return verdict.verdict if verdict else "unknown"
