"""Names that the analysis gives to what the code has no name for, put as the code writes it.

A value is called ``expression at 12:5-12:20`` where it came out of a call, by the name of what
was called and where, or by a name and the line that binds it. In a sentence for people stands the
text at that place, or its line, and nothing but code stands between backticks.
"""

from __future__ import annotations

import re

from auditor.assumed import BEGINS
from auditor.notation import Span

_PLACED = re.compile(r"`expression at (\d+):(\d+)-(\d+):(\d+)(?: \(called at [\d:]+\))?`")
_CALLED = re.compile(r"``([^`]+)`(?: \(line (\d+)\))?(?: \(line \d+\))?([^`]*)`")
_BOUND = re.compile(r"`([^`]+) (\(line \d+\))`")
_LONGEST = 60


def worded(sentence: str, lines: list[str]) -> str:
    """A sentence with such names replaced; ``lines`` are those of the file."""
    sentence = _PLACED.sub(lambda found: _text(Span(*map(int, found.groups())), lines), sentence)
    parts = _BOUND.sub(r"`\1` \2", _CALLED.sub(_named, sentence)).split("; ")
    begins = BEGINS if parts[0].startswith(BEGINS) else ""
    parts[0] = parts[0].removeprefix(BEGINS)
    return begins + "; ".join(dict.fromkeys(parts))  # two places may have one text


def _text(span: Span, lines: list[str]) -> str:
    rows = lines[span.line - 1 : span.end_line]
    if rows:
        rows[-1] = rows[-1][: span.end_column - 1]
        rows[0] = rows[0][span.column - 1 :]
    text = " ".join(" ".join(rows).split())
    return f"`{text}`" if 0 < len(text) <= _LONGEST else f"what line {span.line} computes"


def _named(found: re.Match[str]) -> str:
    code = f"`{found[1]}{found[3]}`"
    return f"{code} (line {found[2]})" if found[2] else code
