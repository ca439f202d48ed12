"""Statements that share a line, each on one of its own: rewrites replace whole lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from auditor.notation import Span
from auditor.plain.text import Body, Written
from auditor.verdict import Edit

SHARED = r"^[^#\"'\n]*;[ \t]*[A-Za-z_(\[]"
"""A line that may hold several statements."""


def rows(written: Written) -> Iterator[list[Edit]]:
    """All such lines of the function at once."""
    edits = [edit for block in _blocks(written) for edit in _parted(written, block)]
    if edits:
        yield edits


def _blocks(written: Written) -> Iterator[Body]:
    for block, place in written.own():
        if place == 0:
            yield block


def _parted(written: Written, block: Body) -> Iterator[Edit]:
    """A new line between each two statements of a line, and behind the header that they follow."""
    pairs = [(a, b) for a, b in pairwise(block) if a.end_lineno == b.lineno]
    if not pairs:
        return
    module, first = written.module, block[0]
    line = module.lines[first.lineno - 1]
    before = line[: module.column(first.lineno, first.col_offset) - 1]
    indent = (re.match(r"[ \t]*", line) or [""])[0]
    if before.strip():  # the header of the block
        indent += "    "
        start = Span(first.lineno, len(before.rstrip()) + 1, first.lineno, len(before) + 1)
        yield Edit(start, f"\n{indent}")
    for one, other in pairs:
        left, right = module.span(one), module.span(other)
        between = Span(left.end_line, left.end_column, right.line, right.column)
        yield Edit(between, f"\n{indent}")
