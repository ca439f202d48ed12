"""What edits make of a file: the text of the statements that they touch, before and after.

``laid_out`` and ``named`` change some of its lines once more; `merged` makes edits of that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from auditor.source import Places
from auditor.tree import every_statement
from auditor.verdict import Edit

_HEADED = (
    ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.FunctionDef
)  # fmt: skip


class Shift(NamedTuple):
    """Where an edit is: what it replaces in the old text, what it wrote in the new one."""

    old_start: int
    old_end: int
    start: int
    end: int


@dataclass(frozen=True)
class Lines:
    """A statement, or the header of one with a body: its lines, and the offsets of these."""

    first: int
    last: int
    start: int
    end: int
    header: bool


@dataclass(frozen=True)
class Written:
    """The old text of whole statements of a file, which begins at an offset of it, and the new one;
    where each edit is in both."""

    before: Places
    begin: int
    old: str
    new: str
    shifts: tuple[Shift, ...]

    def merged(self, changes: Sequence[tuple[Lines, str]]) -> tuple[Edit, ...]:
        """The edits, and other text for some lines of the new one: one edit for each run of edits
        and such lines that meet, the others as they are."""
        runs = [[shift.start, shift.end] for shift in self.shifts]
        runs += [[lines.start, lines.end] for lines, _ in changes]
        joined: list[list[int]] = []
        for start, end in sorted(runs):
            if joined and start <= joined[-1][1]:
                joined[-1][1] = max(joined[-1][1], end)
            else:
                joined.append([start, end])
        return tuple(self._edit(start, end, changes) for start, end in joined)

    def _edit(self, start: int, end: int, changes: Sequence[tuple[Lines, str]]) -> Edit:
        content = self.new[start:end]
        for lines, other in reversed(changes):
            if start <= lines.start and lines.end <= end:
                content = content[: lines.start - start] + other + content[lines.end - start :]
        first, last = _earlier(start, self.shifts, False), _earlier(end, self.shifts, True)
        return Edit(self.before.span(self.begin + first, self.begin + last), content)


def written(tree: ast.Module, text: str, edits: Sequence[Edit]) -> Written | None:
    """What edits make of a file's text; None where they overlap, or lines end in a way of old."""
    first, last = _reach(tree, edits)
    before = Places(text)
    begin, end = before.offset(first, 1), before.offset(last + 1, 1)
    made = [(edit, before.range(edit.span)) for edit in sorted(edits, key=lambda e: e.span)]
    if begin is None or end is None or "\r" in text:
        return None
    new, shifts = "", list[Shift]()
    done = begin
    for edit, place in made:
        if place is None or place[0] < done:
            return None
        new += text[done : place[0]]
        shifts.append(
            Shift(place[0] - begin, place[1] - begin, len(new), len(new) + len(edit.content))
        )
        new += edit.content
        done = place[1]
    new += text[done:end]
    return Written(before, begin, text[begin:end], new, tuple(shifts))


def meet(start: int, end: int, lines: Lines) -> bool:
    """Whether a changed range touches what is written in the lines."""
    return start < lines.end and (end > lines.start or (start == end and start > lines.start))


def statements(text: str) -> Iterator[Lines]:
    """What stands on lines of its own: simple statements, and headers of others."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    places = Places(text)
    for node in every_statement(tree.body):
        body = getattr(node, "body", None)
        if body is not None and not isinstance(node, _HEADED):
            continue
        first, last = node.lineno, (node.end_lineno or node.lineno)
        line = places.lines[last - 1]
        behind = line.encode()[node.end_col_offset or 0 :].decode()
        if body is not None:
            top = body[0].lineno - 1
            while top >= first and not places.lines[top - 1].split("#")[0].rstrip().endswith(":"):
                top -= 1
            last, behind = top, ""
        head = places.lines[first - 1][: node.col_offset]
        if last < first or head.strip() or (behind.strip() and not behind.strip().startswith("#")):
            continue
        start, end = places.offset(first, 1), places.offset(last + 1, 1)
        if start is not None and end is not None:
            yield Lines(first, last, start, end, body is not None)


def _earlier(offset: int, shifts: Sequence[Shift], end: bool) -> int:
    """Where the start or the end of a run of the new text was in the old one."""
    moved = 0
    for shift in shifts:
        if shift.end > offset or (shift.start >= offset and not end):
            break
        moved = shift.old_end - shift.end
    return offset + moved


def _reach(tree: ast.Module, edits: Sequence[Edit]) -> tuple[int, int]:
    """The first and last line of the statements of the file that the edits lie in."""
    first = min(edit.span.line for edit in edits)
    last = max(edit.span.end_line - (edit.span.end_column == 1) for edit in edits)
    last = max(last, first)
    for node in tree.body:
        top = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        end = node.end_lineno or node.lineno
        if top <= last and first <= end:
            first, last = min(first, top), max(last, end)
    return first, last
