"""Applying fixes: whole fixes or nothing, everything outside their edits untouched.

Fixes that overlap are applied in the order of the text; the later one is left for the next round,
when the file has been audited again. A fix whose result is not Python any more is taken back.
"""

from __future__ import annotations

import ast
import contextlib
import os
import stat
import tempfile
import warnings
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from auditor.imports import clash, import_edits
from auditor.source import Places
from auditor.verdict import Edit, Finding, Fix

_Ranges = list[tuple[int, int, str]]


@dataclass(frozen=True)
class Applied:
    """A text after one round of fixes; ``refused`` says why a fix cannot be applied at all."""

    text: str
    applied: tuple[Finding, ...] = ()
    deferred: tuple[Finding, ...] = ()
    refused: tuple[tuple[Finding, str], ...] = ()


class Unapplicable(ValueError):
    """Edits that cannot be applied; the text says why."""


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with the edits made; raises ``Unapplicable`` where they overlap or miss it."""
    ranges = _ranges(Places(text), edits)
    if _first_overlap(ranges) is not None:
        raise Unapplicable("its edits overlap")
    return _splice(text, ranges)


def _ranges(places: Places, edits: Iterable[Edit]) -> _Ranges:
    """The edits as offsets, with line endings as the text has them at that place."""
    ranges = []
    for edit in edits:
        found = places.range(edit.span)
        if found is None:
            raise Unapplicable("an edit lies outside the file")
        content = edit.content.replace("\r\n", "\n").replace("\n", places.newline(edit.span.line))
        ranges.append((*found, content))
    # Stable, and by offsets alone: insertions at one place keep the order they were given in.
    return sorted(ranges, key=lambda entry: entry[:2])


def _first_overlap(ranges: _Ranges) -> int | None:
    """The index of the first range that begins before an earlier one has ended."""
    furthest = 0
    for number, (start, end, _) in enumerate(ranges):
        if start < furthest:
            return number
        furthest = max(furthest, end)
    return None


def _splice(text: str, ranges: _Ranges) -> str:
    pieces, done = [], 0
    for start, end, content in ranges:
        pieces += [text[done:start], content]
        done = end
    return "".join([*pieces, text[done:]])


def completed(
    text: str, tree: ast.Module, fix: Fix, first_party: Collection[str] = ()
) -> tuple[Edit, ...]:
    """The edits of one fix with those that add its imports; raises ``Unapplicable``."""
    lines = [edit.span.line for edit in fix.edits]
    for wanted in fix.imports:
        if (reason := clash(tree, wanted, lines)) is not None:
            raise Unapplicable(reason)
    added = import_edits(text, tree, fix.imports, first_party, min(lines, default=None))
    edits = (*added, *fix.edits)
    apply_edits(text, edits)
    return edits


def apply_fixes(
    text: str, findings: Sequence[Finding], first_party: Collection[str] = ()
) -> Applied:
    """One round: every fix that fits is applied."""
    if not findings:
        return Applied(text)
    if (reason := unsound(text)) is not None:
        return Applied(text, refused=tuple((f, f"the file itself: {reason}") for f in findings))
    tree = ast.parse(text)
    fitting: list[Finding] = []
    deferred: list[Finding] = []
    refused: list[tuple[Finding, str]] = []
    for finding in sorted(findings, key=lambda f: (f.span, f.code or "")):
        try:
            completed(text, tree, _fix_of(finding), first_party)
        except Unapplicable as error:
            refused.append((finding, str(error)))
            continue
        (fitting if _fits(text, (*fitting, finding)) else deferred).append(finding)
    result, failing = _apply_sound(text, fitting, first_party)
    refused += failing
    bad = [finding for finding, _ in failing]
    return Applied(
        result, tuple(f for f in fitting if f not in bad), tuple(deferred), tuple(refused)
    )


def _fix_of(finding: Finding) -> Fix:
    if finding.fix is None:
        raise Unapplicable("it has no fix")
    return finding.fix


def _fits(text: str, findings: Sequence[Finding]) -> bool:
    """Whether the edits of all the findings can be made together."""
    edits = [edit for finding in findings for edit in _fix_of(finding).edits]
    return _first_overlap(_ranges(Places(text), edits)) is None


def _apply_sound(
    text: str, findings: Sequence[Finding], first_party: Collection[str]
) -> tuple[str, list[tuple[Finding, str]]]:
    """The text after those of the fixes that leave it Python, and the others with the reason."""
    try:
        return _applied_together(text, findings, first_party), []
    except Unapplicable:
        good: list[Finding] = []
        failing: list[tuple[Finding, str]] = []
        for finding in findings:
            try:
                _applied_together(text, [*good, finding], first_party)
            except Unapplicable as error:
                failing.append((finding, str(error)))
            else:
                good.append(finding)
        return _applied_together(text, good, first_party), failing


def _applied_together(text: str, findings: Sequence[Finding], first_party: Collection[str]) -> str:
    """All the fixes and their imports at once; raises ``Unapplicable`` if that is not Python."""
    if not findings:
        return text
    fixes = [_fix_of(finding) for finding in findings]
    result = apply_edits(text, [edit for fix in fixes for edit in fix.edits])
    if (reason := unsound(result)) is not None:
        raise Unapplicable(f"after the fix {reason}")
    wanted = [entry for fix in fixes for entry in fix.imports]
    if wanted:
        first = min((edit.span.line for fix in fixes for edit in fix.edits), default=None)
        added = import_edits(result, ast.parse(result), wanted, first_party, first)
        result = apply_edits(result, added)
        if (reason := unsound(result)) is not None:
            raise Unapplicable(f"after adding imports {reason}")
    return result


def unsound(text: str) -> str | None:
    """Why ``text`` cannot be edited: it does not compile, or libcst does not give it back."""
    import libcst

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<fixed>", "exec", dont_inherit=True)
        same = libcst.parse_module(text).code == text
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"it does not compile: {error}"
    except libcst.ParserSyntaxError as error:
        return f"it does not parse: {error.message}"
    return None if same else "its layout cannot be reproduced exactly"


def write_atomically(path: Path, data: bytes, expected: bytes) -> None:
    """Replace a file's content in one step, keeping its mode; a link stays a link.

    Raises OSError where that is not possible or where the file no longer holds ``expected``.
    """
    target = Path(os.path.realpath(path))
    if target.read_bytes() != expected:
        raise OSError("the file changed while it was being audited")
    if not os.access(target, os.W_OK):
        raise PermissionError("the file is read-only")
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
