"""Applying fixes: whole fixes or nothing, everything outside their edits untouched.

Fixes that overlap are applied in the order of the text; the later one is left for the next round,
when the file has been audited again. A fix whose result is not Python any more is taken back.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import os
import re
import stat
import tempfile
import warnings
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from auditor.notation import Span
from auditor.source import Places, places
from auditor.tree import everything_in
from auditor.verdict import Edit, Finding, Fix
from auditor.writing.imports import (
    Import,
    Unseen,
    bound_name,
    clash,
    import_edits,
    optional,
    shadowed,
    unseen,
)

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
    ranges = _ranges(places(text), edits)
    if _first_overlap(ranges) is not None:
        raise Unapplicable("its edits overlap")
    return _splice(text, ranges)


def joined(lines: Sequence[str], edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The edits, with removals that overlap as one: neighbours on a line each take what is between
    them. A line on which nothing is left goes."""
    removals = sorted(e.span for e in edits if not e.content and e.span.line == e.span.end_line)
    made: list[Span] = []
    for span in removals:
        last = made[-1] if made else None
        if last is not None and last.line == span.line and span.column < last.end_column:
            made[-1] = replace(last, end_column=max(last.end_column, span.end_column))
        else:
            made.append(span)
    if len(made) == len(removals):
        return tuple(edits)
    kept = [e for e in edits if e.span not in removals or e.content]
    taken = [span if span in removals else _tidied(lines, span) for span in made]
    return tuple(sorted([*kept, *(Edit(span, "") for span in taken)]))


def _tidied(lines: Sequence[str], span: Span) -> Span:
    """What is removed at the end of a line, with the separator before it, or the whole line."""
    line = lines[span.line - 1]
    if line[span.end_column - 1 :].strip():
        return span
    before = line[: span.column - 1].rstrip(" \t;")
    if not before:
        return Span(span.line, 1, span.line + 1, 1)
    return replace(span, column=len(before) + 1)


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
    able = adapted(text, tree, fix)
    first = min((edit.span.line for edit in able.edits), default=None)
    edits = (*import_edits(text, tree, able.imports, first_party, first), *able.edits)
    apply_edits(text, edits)
    return edits


def adapted(text: str, tree: ast.Module, fix: Fix) -> Fix:
    """The fix with imports that mean in this file what they say: where the file has another use
    for a name, it is imported under another one. Raises ``Unapplicable`` where that fails, and
    where what the old code or the new code calls as a builtin is something else."""
    lines = [edit.span.line for edit in fix.edits]
    ranges = _ranges(places(text), fix.edits)
    replaced = " ".join(text[start:end] for start, end, _ in ranges)
    for called in sorted(_builtins(replaced) | _builtins(" ".join(e.content for e in fix.edits))):
        if (taken := shadowed(tree, called, lines)) is not None:
            raise Unapplicable(taken)
    fix = _with_unseen(tree, fix, set(_NAMES.findall(replaced)), lines)
    if any(module in ("auditor.kernels", "torch") for module, _ in fix.imports):
        if (without := optional(tree, "torch")) is not None:
            raise Unapplicable(f"the file can do without torch, which line {without} imports")
    for edit in fix.edits:
        ((start, end, _),) = _ranges(places(text), [edit])
        if (local := _meant_otherwise(tree, edit, text[start:end])) is not None:
            raise Unapplicable(f"the name {local} is something else inside this expression")
    for wanted in fix.imports:
        reason = clash(tree, wanted, lines)
        if reason is None:
            continue
        module, name = wanted
        other = (module, f"{name} as {name}_kernel")
        mentioned = name is None or re.search(rf"(?<![\w.]){name}\b", replaced)
        if name is None or mentioned or clash(tree, other, lines) is not None:
            # Code that used the name before the fix may go on using it after.
            raise Unapplicable(reason)
        fix = _renamed(fix, name, wanted, other)
    return fix


def _with_unseen(tree: ast.Module, fix: Fix, old: set[str], lines: list[int]) -> Fix:
    """The fix with the imports of what its code names beyond the ``old`` names, where the file has
    these for other code only. Raises ``Unapplicable``."""
    new = {name for edit in fix.edits for name in _READ.findall(edit.content)} - old
    brought = {bound_name(entry) for entry in fix.imports}
    try:
        lacking = [unseen(tree, name, lines) for name in sorted(new - brought)]
    except Unseen as problem:
        raise Unapplicable(str(problem)) from None
    imports = (*fix.imports, *(entry for entry in lacking if entry is not None))
    return replace(fix, imports=imports)


_NAMES = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_READ = re.compile(r"(?<![\w.])[A-Za-z_]\w*\b(?!\s*=(?!=))")  # neither bound nor a keyword
_BINDING = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)


def _meant_otherwise(tree: ast.Module, edit: Edit, replaced: str) -> str | None:
    """A name of the new code that a comprehension or lambda around it binds, and that the old code
    did not read there."""
    span = edit.span
    new: set[str] = set(_NAMES.findall(edit.content)) - set(_NAMES.findall(replaced))
    if not new:
        return None
    for node in everything_in(tree):
        if not isinstance(node, _BINDING):
            continue
        if not _encloses(node, span):
            continue
        generators = getattr(node, "generators", [])
        if generators and _encloses(generators[0].iter, span, whole=True):
            continue  # evaluated outside, before anything is bound
        bound = {
            a.arg for n in everything_in(node) if isinstance(n, ast.Lambda) for a in _arguments(n)
        }
        bound |= {
            inner.id
            for inner in everything_in(node)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
        }
        if new & bound:
            return min(new & bound)
    return None


def _encloses(node: ast.expr, span: Span, whole: bool = False) -> bool:
    """Whether ``span`` lies in an expression, and is not (unless ``whole``) all of it."""
    start = (node.lineno, node.col_offset + 1)
    end = (node.end_lineno or node.lineno, (node.end_col_offset or 0) + 1)
    first, last = (span.line, span.column), (span.end_line, span.end_column)
    return start <= first and last <= end and (whole or (first, last) != (start, end))


def _arguments(node: ast.Lambda) -> list[ast.arg]:
    given = node.args
    extra = [a for a in (given.vararg, given.kwarg) if a is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *extra]


_CALLED = re.compile(r"(?<![\w.])([A-Za-z]\w*)(?=\()")
_GIVEN = re.compile(r"[(,=] ?(max|min|sum|any|all|abs|len|pow|sorted)(?=[,)])")


def _builtins(code: str) -> set[str]:
    """The builtins that code calls, or gives to something that calls them."""
    called = {name for name in _CALLED.findall(code) if hasattr(builtins, name)}
    return called | set(_GIVEN.findall(code))


def _renamed(fix: Fix, name: str, wanted: Import, other: Import) -> Fix:
    """The fix calling what it imports as ``name`` by its other name."""
    call = re.compile(rf"(?<![\w.]){name}(?=\()")
    edits = tuple(Edit(e.span, call.sub(f"{name}_kernel", e.content)) for e in fix.edits)
    imports = tuple(other if entry == wanted else entry for entry in fix.imports)
    return replace(fix, edits=edits, imports=imports)


_Fixing = tuple[Finding, Fix]


def apply_fixes(
    text: str, findings: Sequence[Finding], first_party: Collection[str] = ()
) -> Applied:
    """One round: every fix that fits is applied."""
    if not findings:
        return Applied(text)
    if (reason := unsound(text)) is not None:
        return Applied(text, refused=tuple((f, f"the file itself: {reason}") for f in findings))
    tree = ast.parse(text)
    fitting: list[_Fixing] = []
    deferred: list[Finding] = []
    refused: list[tuple[Finding, str]] = []
    for finding in sorted(findings, key=lambda f: (f.span, f.code or "")):
        try:
            fixing = finding, _sound_alone(text, tree, finding, first_party)
        except Unapplicable as error:
            refused.append((finding, str(error)))
            continue
        if _fits(text, [*fitting, fixing]):
            fitting.append(fixing)
        else:
            deferred.append(finding)
    result, failing = _apply_sound(text, fitting, first_party)
    bad = [finding for finding, _ in failing]
    applied = tuple(finding for finding, _ in fitting if finding not in bad)
    return Applied(result, applied, tuple(deferred), (*refused, *failing))


def _sound_alone(
    text: str, tree: ast.Module, finding: Finding, first_party: Collection[str]
) -> Fix:
    """The finding's fix as this file needs it; raises ``Unapplicable``."""
    if finding.fix is None:
        raise Unapplicable("it has no fix")
    completed(text, tree, finding.fix, first_party)
    return adapted(text, tree, finding.fix)


def _fits(text: str, fixings: Sequence[_Fixing]) -> bool:
    """Whether the edits of all the fixes can be made together."""
    edits = [edit for _, fix in fixings for edit in fix.edits]
    return _first_overlap(_ranges(places(text), edits)) is None


def _apply_sound(
    text: str, fixings: Sequence[_Fixing], first_party: Collection[str]
) -> tuple[str, list[tuple[Finding, str]]]:
    """The text after those of the fixes that leave it Python, and the others with the reason."""
    try:
        return _applied_together(text, fixings, first_party), []
    except Unapplicable:
        good: list[_Fixing] = []
        failing: list[tuple[Finding, str]] = []
        for fixing in fixings:
            try:
                _applied_together(text, [*good, fixing], first_party)
            except Unapplicable as error:
                failing.append((fixing[0], str(error)))
            else:
                good.append(fixing)
        return _applied_together(text, good, first_party), failing


def _applied_together(text: str, fixings: Sequence[_Fixing], first_party: Collection[str]) -> str:
    """All the fixes and their imports at once; raises ``Unapplicable`` if that is not Python."""
    if not fixings:
        return text
    fixes = [fix for _, fix in fixings]
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
    """Replace a file's content in one step, keeping its owner and mode; a link stays a link.

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
        _keep_owner_and_mode(temporary, target.stat())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _keep_owner_and_mode(path: str, of: os.stat_result) -> None:
    """Give a new file what an old one has; only root may give files away, whose own they would
    be (in a container, say)."""
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):
            os.chown(path, of.st_uid, of.st_gid)
    os.chmod(path, stat.S_IMODE(of.st_mode))
