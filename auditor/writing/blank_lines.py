"""Blank lines around statements that a fix removes: no more of them are left than there were."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.notation import Span
from auditor.verdict import Edit


def without_blanks(lines: Sequence[str], edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits; where whole lines go between blank ones, those behind them go as well."""
    taken = {e.span.line for e in edits if e.content}
    made: list[Edit] = []
    for edit in sorted(edits, key=lambda e: e.span):
        span = edit.span
        whole = not edit.content and span.column == span.end_column == 1
        last = made[-1] if made else None
        if whole and last is not None and not last.content and last.span.end_line == span.line:
            if last.span.column == last.span.end_column == 1:
                made[-1] = Edit(Span(last.span.line, 1, span.end_line, 1), "")
                continue
        made.append(edit)
    return tuple(_closed(lines, edit, taken) for edit in made)


def _closed(lines: Sequence[str], edit: Edit, taken: set[int]) -> Edit:
    span = edit.span
    if edit.content or span.column != 1 or span.end_column != 1 or span.line == span.end_line:
        return edit
    above = below = 0
    while span.line - 2 - above >= 0 and not lines[span.line - 2 - above].strip():
        above += 1
    while span.end_line - 1 + below < len(lines) and not lines[span.end_line - 1 + below].strip():
        if span.end_line + below in taken:
            return edit
        below += 1
    opened = span.line >= 2 and lines[span.line - 2].split("#")[0].rstrip().endswith(":")
    extra = below if opened else min(above, below)
    return Edit(Span(span.line, 1, span.end_line + extra, 1), "") if extra else edit
