"""The report for people: for each finding the code, the six verdicts, what it becomes, the gain."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from auditor.engine import Reported, Result
from auditor.report.lines import Line, Segment, Style, line, told
from auditor.source import places, split_lines
from auditor.verdict import PROPERTIES, Finding, Fix, Profit, Verdict
from auditor.writing.edits import apply_edits

_SHOWN_LINES = 16
_STYLES: dict[str, Style] = {"holds": "good", "partial": "fair", "fails": "dim", "unknown": "dim"}
_BOUNDS = {
    "launch": "kernel launches",
    "bandwidth": "memory bandwidth",
    "compute": "arithmetic",
    "interpreter": "the interpreter's steps",
}
_FLOATING_POINT = {
    "exact": "bit for bit the same result",
    "reassociated": "same result up to rounding",
    "conditioned": "same result up to rounding, which can be magnified here",
}


@dataclass(frozen=True)
class Page:
    """Where the report will be read: which signs can be shown, and how wide (None: any width)."""

    unicode: bool = True
    width: int | None = None

    @property
    def signs(self) -> dict[str, str]:
        """The sign for each answer, for source marks and for omissions."""
        names = ("holds", "partial", "fails", "unknown", "mark", "more")
        shown = ("✓", "≈", "✗", "?", "▌", "…") if self.unicode else ("+", "~", "-", "?", ">", "...")
        return dict(zip(names, shown, strict=True))

    def paragraph(self, text: str, lead: Segment, style: Style = "plain") -> list[Line]:
        """``text`` after ``lead``, wrapped below itself."""
        indent = len(lead[0])
        if self.width is None or self.width - indent < 20:
            return [line(lead, (text, style))]
        rows = textwrap.wrap(text, self.width - indent, break_on_hyphens=False) or [""]
        return [line(lead if n == 0 else " " * indent, (row, style)) for n, row in enumerate(rows)]


def full(results: Sequence[Result], page: Page) -> list[Line]:
    """All findings, then the computations that have no rewrite."""
    lines: list[Line] = []
    for result in results:
        for entry in result.reported:
            lines += [*_finding(entry, result.text, page), ()]
        for finding in result.computations:
            lines += [*_computation(finding, result.text, page), ()]
    return lines


def _finding(entry: Reported, text: str, page: Page) -> list[Line]:
    finding = entry.finding
    after = _after(entry, text)
    lines = [
        _heading(finding),
        *page.paragraph(told(finding), ("  ", "plain"), "strong"),
        (),
        *_source(finding, text, page),
        (),
        *_verdicts(finding, page),
    ]
    if after:
        lines += [(), line("  ", ("becomes", "title")), *_new_lines(text, after, page)]
    lines.append(())
    if finding.profit is not None:
        lines += page.paragraph(_gain(finding.profit), ("  gain  ", "title"))
    lines += page.paragraph(_fix(entry), ("  fix   ", "title"))
    for way in finding.alternatives:
        lines += page.paragraph(_alternative(way, finding.fix), ("  or    ", "title"))
    return lines


def _alternative(way: Finding, best: Fix | None) -> str:
    """Another fix of the same place, and how to have it."""
    assert way.fix is not None
    said = best is not None and best.reason == way.fix.reason
    safe = way.fix.applicability == "safe"
    gain = f", about {way.profit.predicted_speedup:.3g}x" if way.profit is not None else ""
    reason = f" ({'as above' if said else way.fix.reason})" if way.fix.reason else ""
    unsafe = "" if safe else " --unsafe-fixes"
    return (
        f"{way.code} {way.rewrite}: {way.message}; {way.fix.applicability}{reason}{gain};"
        f" --select {way.code}{unsafe} chooses it"
    )


def _computation(finding: Finding, text: str, page: Page) -> list[Line]:
    reason = finding.refused or "no rewrite applies"
    return [
        _heading(finding),
        *page.paragraph(finding.message, ("  ", "plain")),
        *_source(finding, text, page),
        *_verdicts(finding, page, brief=True),
        *page.paragraph(reason, ("  no rewrite: ", "title")),
    ]


def _heading(finding: Finding) -> Line:
    place = f"{finding.path}:{finding.span.line}:{finding.span.column}"
    rule: tuple[str | Segment, ...] = ()
    if finding.code:
        rule = ("  ", (finding.code, "code"), f" {finding.rewrite or ''}")
    scope: Segment = (f"  in {finding.scope}" if finding.scope else "", "dim")
    return line((place, "place"), *rule, scope)


def _source(finding: Finding, text: str, page: Page) -> list[Line]:
    """The lines of the finding, marked; a part of one line is underlined."""
    span = finding.span
    rows = [(n, row, "mark") for n, row in _rows(text, span.line, span.end_line)]
    lines = _numbered(rows, page)
    if span.line == span.end_line and rows:
        indent = len(rows[0][1]) - len(rows[0][1].lstrip())
        width = min(span.end_column, len(rows[0][1]) + 1) - span.column
        if 0 < width < len(rows[0][1].strip()):
            gutter = len(f"  {span.line} ") + 2
            lines.append(line(" " * (gutter + span.column - 1 - indent), ("^" * width, "fair")))
    return lines


def _rows(text: str, first: int, last: int) -> list[tuple[int, str]]:
    rows = places(text).lines[first - 1 : last]
    return [(first + n, row.rstrip("\r\n").expandtabs(4)) for n, row in enumerate(rows)]


def _numbered(rows: Sequence[tuple[int, str, str]], page: Page, digits: int = 1) -> list[Line]:
    """Source rows with their numbers, without their common indentation, cut in the middle."""
    shown = list(rows)
    left_out = len(shown) - _SHOWN_LINES
    bodies = [row for _, row, _ in shown if row.strip()]
    indent = min((len(row) - len(row.lstrip()) for row in bodies), default=0)
    digits = max(digits, len(str(shown[-1][0])) if shown else 1)
    lines = [_numbered_row(n, row[indent:], kind, digits, page) for n, row, kind in shown]
    if left_out > 1:
        note = f"  {' ' * digits}   {page.signs['more']} {left_out} more lines"
        lines[_SHOWN_LINES - 4 : -4] = [line((note, "dim"))]
    return lines


def _numbered_row(number: int, row: str, kind: str, digits: int, page: Page) -> Line:
    mark: Segment = (page.signs["mark"], "fair") if kind == "mark" else ("+", "good")
    room = (page.width or 10**9) - digits - 6
    body = row if len(row) <= room else row[: room - 3] + page.signs["more"]
    style: Style = "plain" if kind == "mark" else "good"
    return line((f"  {number:>{digits}} ", "dim"), mark, " ", (body, style))


def _verdicts(finding: Finding, page: Page, brief: bool = False) -> list[Line]:
    """The six answers in a row, then the evidence of those that hold."""
    answers = [(name, finding.properties.get(name)) for name in PROPERTIES]
    row: list[str | Segment] = ["  "]
    for name, verdict in answers:
        answer = verdict.verdict if verdict else "unknown"
        row += [(f"{page.signs[answer]} {name}", _STYLES[answer]), "  "]
    lines = [line(*row)]
    told = [(name, v) for name, v in answers if v and v.verdict in ("holds", "partial")]
    if brief:
        told = [(name, v) for name, v in answers if v and v.verdict != "unknown"]
    for name, verdict in told:
        lines += _evidence(name, verdict, page)
    return lines


def _evidence(name: str, verdict: Verdict, page: Page) -> list[Line]:
    lead: Segment = (f"    {name:<14}", _STYLES[verdict.verdict])
    return page.paragraph(f"{verdict.evidence} ({verdict.basis})", lead)


def _after(entry: Reported, text: str) -> str:
    return apply_edits(text, entry.edits) if entry.edits else ""


def _new_lines(before: str, after: str, page: Page) -> list[Line]:
    """The lines that the fix brings in, numbered as they will be."""
    old, new = split_lines(before), split_lines(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    changes = [c for c in matcher.get_opcodes() if c[0] in ("replace", "insert")]
    digits = len(str(changes[-1][4])) if changes else 1
    lines: list[Line] = []
    for _, _, _, start, end in changes:
        rows = _trimmed(_rows(after, start + 1, end))
        lines += _numbered([(n, row, "new") for n, row in rows], page, digits)
    return lines or [line("  ", ("(removed)", "dim"))]


def _trimmed(rows: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Rows without the blank ones around them."""
    while len(rows) > 1 and not rows[-1][1].strip():
        rows.pop()
    while len(rows) > 1 and not rows[0][1].strip():
        rows.pop(0)
    return rows


def _gain(profit: Profit) -> str:
    bound = _BOUNDS.get(profit.bound, profit.bound)
    detail = f"; {profit.detail}" if profit.detail else ""
    speedup = f"{profit.predicted_speedup:.3g}x"
    return f"about {speedup} on {profit.target} (predicted; now limited by {bound}){detail}"


def _fix(entry: Reported) -> str:
    """What --fix does with it, and on what terms."""
    fix = entry.finding.fix
    if fix is None:
        return entry.blocked or "advice only"
    reason = f" ({fix.reason})" if fix.reason else ""
    rounding = f", {_FLOATING_POINT[fix.numerics]}" if fix.applicability == "safe" else ""
    terms = f"{fix.applicability}{reason}{rounding}"
    return f"{terms}; {_step(entry, fix)}"


def _step(entry: Reported, fix: Fix) -> str:
    if entry.blocked is None:
        flags = "--fix --unsafe-fixes" if fix.applicability == "unsafe" else "--fix"
        return f"{flags} applies it"
    if "--unsafe-fixes" in entry.blocked:
        return "--fix --unsafe-fixes applies it"
    return f"not applied: {entry.blocked}"
