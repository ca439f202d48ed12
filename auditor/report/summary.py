"""The last line of a report, and counts by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from auditor.engine import Reported, Result
from auditor.report.lines import Line, line


def count(number: int, noun: str) -> str:
    """``1 finding``, ``2 findings``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def reported(results: Sequence[Result]) -> list[Reported]:
    """All findings, in order."""
    return [entry for result in results for entry in result.reported]


def summary(results: Sequence[Result], fixing: bool) -> Line:
    """How much was found, how much of it can be fixed, and whether files are missing from that."""
    findings = reported(results)
    fixed = sum(len(result.fixed) for result in results)
    failed = sum(bool(result.problems) for result in results)
    files = f" in {count(len(results) - failed, 'file')}"
    parts = [f"fixed {count(fixed, 'finding')}"] if fixing and fixed else []
    if findings:
        parts.append(f"{count(len(findings), 'finding')}{' left' if parts else files}")
    elif not parts:
        parts.append(f"nothing to rewrite{files}")
    safe = 0 if fixing else sum(entry.blocked is None for entry in findings)
    unsafe = sum("--unsafe-fixes" in (entry.blocked or "") for entry in findings)
    if safe:
        parts.append(f"{safe} fixable with --fix")
    if unsafe:
        parts.append(
            f"{unsafe} more with --unsafe-fixes" if safe else f"{unsafe} with --unsafe-fixes"
        )
    if failed:
        parts.append(f"{count(failed, 'file')} with errors")
    text = ", ".join(parts)
    return line((text[:1].upper() + text[1:] + ".", "strong"))


def statistics(results: Sequence[Result]) -> list[Line]:
    """Findings counted by rule, the most frequent first."""
    rows = rule_counts(results)
    width = len(str(rows[0][0])) if rows else 1
    return [
        line(f"{number:>{width}}  ", (code, "code"), f"  [{'*' if fixable else ' '}]  {name}")
        for number, code, name, fixable in rows
    ]


def rule_counts(results: Sequence[Result]) -> list[tuple[int, str, str, bool]]:
    """Number, code, name, and whether ``--fix`` applies to all of them, for each rule."""
    findings = reported(results)
    counts = Counter((f.finding.code or "", f.finding.rewrite or "") for f in findings)
    blocked = {f.finding.code for f in findings if f.blocked is not None}
    rows = [(n, code, name, code not in blocked) for (code, name), n in counts.items()]
    return sorted(rows, key=lambda row: (-row[0], row[1]))


def fixes(results: Sequence[Result]) -> list[Line]:
    """What was fixed, by file and rule."""
    lines = []
    for result in results:
        counts = Counter((f.code or "", f.rewrite or "") for f in result.fixed)
        for (code, name), number in sorted(counts.items()):
            lines.append(line((result.path, "place"), f": {number} x ", (code, "code"), f" {name}"))
    return lines
