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

from auditor.lift.module import Module
from auditor.source import split_lines
from auditor.verdict import Edit
from auditor.writing.blank_lines import without_blanks
from auditor.writing.written import Lines, Shift, meet, statements, written

WIDTH = 88
_TEXTS, _UNBROKEN = ('"""', "'''"), "#'\""
_SINGLE_QUOTED = re.compile(r"(?<![\w\"'])'[^'\"\n]*'")
_FEW = 2  # statements that show how a file is laid out


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


def laid_out(module: Module, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits of a file with the statements that they change laid out, and no more blank lines
    between statements than there were."""
    text = module.text.replace("\r\n", "\n")
    edits = tuple(Edit(e.span, e.content.replace("\r\n", "\n")) for e in edits)
    edits = without_blanks(split_lines(text), edits)
    made = written(module.tree, text, edits)
    if made is None:
        return edits
    style = _Style(
        width_of(made.before.lines), module.block_indent, not _SINGLE_QUOTED.search(text)
    )
    changes = list(_changes(made.old, made.new, made.shifts, style))
    if not changes:
        return edits
    fitted = made.new
    for lines, laid in reversed(changes):
        fitted = fitted[: lines.start] + laid + fitted[lines.end :]
    if not _same_program(fitted, made.new):
        return edits
    return made.merged(changes)


def _changes(
    old: str, new: str, shifts: Sequence[Shift], style: _Style
) -> Iterator[tuple[Lines, str]]:
    """The statements of the new text that an edit changes and that Black lays out otherwise."""
    lines = split_lines(new)
    for found in statements(new):
        touching = [shift for shift in shifts if meet(shift.start, shift.end, found)]
        if not touching:
            continue
        mine = "".join(lines[found.first - 1 : found.last])
        laid = _formatted(mine, found.header, style)
        if laid is not None and laid != mine:
            if style.too_long(mine) or _settled(old, touching, style):
                yield found, laid


def _settled(old: str, touching: Sequence[Shift], style: _Style) -> bool:
    """Whether what the edits replace was laid out as Black does, by the first few statements."""
    lines = split_lines(old)
    replaced = (
        each for each in statements(old)
        if any(meet(shift.old_start, shift.old_end, each) for shift in touching)
    )  # fmt: skip
    for each in itertools.islice(replaced, _FEW):
        mine = "".join(lines[each.first - 1 : each.last])
        if _formatted(mine, each.header, style) != mine:
            return False
    return True


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
