"""The unified diff between a file and its fixed text."""

from __future__ import annotations

import difflib

from auditor.engine import Result
from auditor.report.lines import Line, Style, line

_STYLES: dict[str, Style] = {"+": "good", "-": "bad", "@": "code"}


def unified(result: Result) -> str:
    """What ``--fix`` would change in one file, empty where it changes nothing.

    Bytes that are not UTF-8 survive as surrogate escapes, so that the diff can be written out byte
    for byte.
    """
    if result.after is None:
        return ""
    before, after = (_lines(data) for data in (result.before, result.after))
    # As of GNU diff: a tab says that the blanks before it are of the name.
    name = f"{result.path}\t" if " " in result.path else result.path
    changes = difflib.unified_diff(before, after, name, name)
    return "".join(
        entry if entry.endswith("\n") else f"{entry}\n\\ No newline at end of file\n"
        for entry in changes
    )


def _lines(data: bytes) -> list[str]:
    """Lines as ``patch`` knows them: a line feed ends one, nothing else does."""
    text = data.decode("utf-8", "surrogateescape")
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + [part for part in parts[-1:] if part]


def styled(diff: str) -> list[Line]:
    """The diff with its additions and removals marked."""
    return [
        line((text, _STYLES.get(text[:1], "plain"))) for text in diff.removesuffix("\n").split("\n")
    ]
