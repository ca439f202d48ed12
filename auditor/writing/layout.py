"""Lines that fit: what a fix writes is laid out by Black, as a formatter of its style lays it out.

Whole statements are: what stands around a new expression decides where it is broken. A statement of
the user's own in another layout is left in it, unless the fix makes a line of it too long.
"""

from __future__ import annotations

import ast
import itertools
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from auditor.lift.module import Module
from auditor.source import Places, split_lines
from auditor.tree import every_statement
from auditor.verdict import Edit
from auditor.writing.blank_lines import without_blanks

WIDTH = 88
_TEXTS, _UNBROKEN = ('"""', "'''"), "#'\""
_SINGLE_QUOTED = re.compile(r"(?<![\w\"'])'[^'\"\n]*'")
_FEW = 2  # statements that show how a file is laid out
_HEADED = (
    ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.FunctionDef
)  # fmt: skip


def width_of(lines: Sequence[str]) -> int:
    """The line length that a file keeps to: the usual one, or its own longest line. Comments and
    texts are no sign of it: formatters leave them as long as they are."""
    longest, within = 0, False
    for line in lines:
        marks = sum(map(line.count, _TEXTS))
        if not (within or marks or any(sign in line for sign in _UNBROKEN)):
            longest = max(longest, len(line.rstrip()))
        within ^= marks % 2 == 1
    return WIDTH if longest <= WIDTH else min(longest, 120)


def literal(value: object) -> str:
    """A number as formatters write it: ``1e20``."""
    return repr(value).replace("e+", "e") if isinstance(value, float) else repr(value)


def indented(line: str, step: str) -> str:
    """``line``, which is indented by fours, in a file that indents its blocks by ``step``."""
    inner = line.lstrip(" ")
    return step * ((len(line) - len(inner)) // 4) + inner


@dataclass(frozen=True)
class _Style:
    """How a file is laid out: its line length, what it indents a block by, its quotes."""

    width: int
    step: str
    double_quotes: bool

    def too_long(self, text: str) -> bool:
        """Whether the code of a line is, without the comment behind it."""
        lines = (line.partition("  #")[0].rstrip() for line in text.splitlines())
        return any(len(line) > self.width for line in lines)


class _Shift(NamedTuple):
    """Where an edit is: what it replaces in the old text, what it wrote in the new one."""

    old_start: int
    old_end: int
    start: int
    end: int


@dataclass(frozen=True)
class _Lines:
    """A statement, or the header of one with a body: its lines, and the offsets of these."""

    first: int
    last: int
    start: int
    end: int
    header: bool


def laid_out(module: Module, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits of a file with the statements that they change laid out, and no more blank lines
    between statements than there were."""
    text = module.text.replace("\r\n", "\n")
    edits = tuple(Edit(e.span, e.content.replace("\r\n", "\n")) for e in edits)
    edits = without_blanks(split_lines(text), edits)
    first, last = _reach(module.tree, edits)
    before = Places(text)
    begin, end = before.offset(first, 1), before.offset(last + 1, 1)
    made = [(edit, before.range(edit.span)) for edit in sorted(edits, key=lambda e: e.span)]
    if begin is None or end is None or "\r" in text:
        return edits
    old, new, shifts = text[begin:end], "", list[_Shift]()
    done = begin
    for edit, place in made:
        if place is None or place[0] < done:
            return edits
        new += text[done : place[0]]
        written = len(new), len(new) + len(edit.content)
        shifts.append(_Shift(place[0] - begin, place[1] - begin, *written))
        new += edit.content
        done = place[1]
    new += text[done:end]
    style = _Style(width_of(before.lines), module.block_indent, not _SINGLE_QUOTED.search(text))
    changes = list(_changes(old, new, shifts, style))
    if not changes:
        return edits
    fitted = new
    for lines, laid in reversed(changes):
        fitted = fitted[: lines.start] + laid + fitted[lines.end :]
    if not _same_program(fitted, new):
        return edits
    return tuple(_merged(before, begin, new, shifts, changes))


def _changes(
    old: str, new: str, shifts: Sequence[_Shift], style: _Style
) -> Iterator[tuple[_Lines, str]]:
    """The statements of the new text that an edit changes and that Black lays out otherwise."""
    lines = split_lines(new)
    for found in _statements(new):
        touching = [shift for shift in shifts if _meet(shift.start, shift.end, found)]
        if not touching:
            continue
        mine = "".join(lines[found.first - 1 : found.last])
        laid = _formatted(mine, found.header, style)
        if laid is not None and laid != mine:
            if style.too_long(mine) or _settled(old, touching, style):
                yield found, laid


def _settled(old: str, touching: Sequence[_Shift], style: _Style) -> bool:
    """Whether what the edits replace was laid out as Black does, by the first few statements."""
    lines = split_lines(old)
    replaced = (
        each for each in _statements(old)
        if any(_meet(shift.old_start, shift.old_end, each) for shift in touching)
    )  # fmt: skip
    for each in itertools.islice(replaced, _FEW):
        mine = "".join(lines[each.first - 1 : each.last])
        if _formatted(mine, each.header, style) != mine:
            return False
    return True


def _meet(start: int, end: int, lines: _Lines) -> bool:
    """Whether a changed range touches what is written in the lines."""
    return start < lines.end and (end > lines.start or (start == end and start > lines.start))


def _statements(text: str) -> Iterator[_Lines]:
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
            yield _Lines(first, last, start, end, body is not None)


@lru_cache(maxsize=256)
def _formatted(text: str, header: bool, style: _Style) -> str | None:
    """Lines of a statement as Black lays them out; None where it cannot."""
    import black
    from black.mode import TargetVersion
    from black.parsing import InvalidInput

    indent = text[: len(text) - len(text.lstrip())]
    source = textwrap.dedent(text) + ("    pass\n" if header else "")
    if style.too_long(text):
        source = _with_brackets(source)
    mode = black.Mode(
        target_versions={TargetVersion.PY310},
        line_length=max(style.width - len(indent.expandtabs(4)), 1),
        string_normalization=style.double_quotes,
    )
    try:
        laid = black.format_str(source, mode=mode)
    except (InvalidInput, ValueError):
        return None
    lines = laid.splitlines()[: -1 if header else None]
    return "".join(f"{indent}{indented(line, style.step)}\n" if line else "\n" for line in lines)


def _with_brackets(source: str) -> str:
    """``a, b = x, y`` with the second pair in brackets, which opens these before its own."""
    try:
        (statement,) = ast.parse(source).body
    except SyntaxError:
        return source
    value = getattr(statement, "value", None)
    if not isinstance(value, ast.Tuple) or "\n" in source.rstrip() or "#" in source:
        return source
    at = value.col_offset
    code = source.encode()
    bare = value.elts and value.elts[0].col_offset == at
    return f"{code[:at].decode()}({code[at:].decode().rstrip()})\n" if bare else source


def _same_program(one: str, other: str) -> bool:
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _merged(
    before: Places,
    begin: int,
    new: str,
    shifts: Sequence[_Shift],
    changes: Sequence[tuple[_Lines, str]],
) -> Iterator[Edit]:
    """One edit for each run of edits and laid out statements that meet, the others as they are."""
    waiting = list(changes)
    runs = [[shift.start, shift.end] for shift in shifts]
    runs += [[lines.start, lines.end] for lines, _ in waiting]
    joined: list[list[int]] = []
    for start, end in sorted(runs):
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    for start, end in joined:
        content = new[start:end]
        for lines, laid in reversed(waiting):
            if start <= lines.start and lines.end <= end:
                content = content[: lines.start - start] + laid + content[lines.end - start :]
        span = before.span(
            begin + _earlier(start, shifts, False), begin + _earlier(end, shifts, True)
        )
        yield Edit(span, content)


def _earlier(offset: int, shifts: Sequence[_Shift], end: bool) -> int:
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
