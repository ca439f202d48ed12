"""The same function in plain statements, where it spells a loop in another way.

Folds (``reduce``, ``accumulate``), generators, comprehensions that carry a value along and values
kept in a tuple, a dict or an attribute are loops over names in other words. Each *variant* is the
text of the file with one of these said plainly, which changes nothing but the spelling; it is
audited as any other text, and what is found there is told of the original: an edit of a finding
is the difference between the original and the plain text with the finding's own edits made.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from auditor.assumed import assuming_too
from auditor.lift.module import ClassScope, Module, read
from auditor.notation import Span
from auditor.plain.all_pairs import AT_ONCE, all_pairs
from auditor.plain.asked_lists import asked_list, asked_lists
from auditor.plain.attributes import attributes
from auditor.plain.called import called
from auditor.plain.clipped import CUT, clipped
from auditor.plain.counted import counted, counts
from auditor.plain.counters import counters, counts_itself
from auditor.plain.endings import endings, ends_with_a_choice
from auditor.plain.ends import AT_ENDS, ends
from auditor.plain.filled import filled
from auditor.plain.folds import folds
from auditor.plain.gathered import gathered, gathers
from auditor.plain.growing import growing, grows
from auditor.plain.iterators import iterators
from auditor.plain.joined import JOINED, joined
from auditor.plain.last_items import last_items, reads_its_list
from auditor.plain.nests import nests
from auditor.plain.own_arrays import own_arrays
from auditor.plain.padded import BOUNDED, padded
from auditor.plain.partials import partials
from auditor.plain.preallocated import preallocated
from auditor.plain.records import records
from auditor.plain.rows import SHARED, rows
from auditor.plain.side_by_side import BESIDE, side_by_side
from auditor.plain.text import Respelled, Written, loads_in
from auditor.plain.tuples import put_behind, tuples
from auditor.plain.views import views
from auditor.source import split_lines
from auditor.surroundings.outliving import declared_elsewhere
from auditor.surroundings.purity import impurity
from auditor.syntax import is_expression
from auditor.tree import descendants, every_statement, everything_in
from auditor.verdict import Edit, Finding
from auditor.writing.edits import Unapplicable, apply_edits

_DEEPEST = 8
"""How often a text is made plainer."""

_MOST = 6
"""Variants of one function."""

_SPELLINGS: tuple[Callable[[Written], Iterator[list[Edit] | Respelled]], ...] = (
    folds,
    records,
    attributes,
    nests,
    endings,
    growing,
    tuples,
    iterators,
    filled,
    asked_lists,
    last_items,
    own_arrays,
    partials,
    views,
    rows,
    preallocated,
    counted,
    counters,
    joined,
    gathered,
    all_pairs,
    side_by_side,
    ends,
    padded,
    clipped,
    called,
)


@dataclass(frozen=True)
class Variant:
    """A file in which one function is spelled plainly, what that takes for granted, and why it may
    be wrong."""

    original: Module
    module: Module
    line: int
    assumed: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @cached_property
    def _blocks(self) -> list[tuple[str, int, int, int, int]]:
        return _differences(self.original.lines, self.module.lines)

    @cached_property
    def _kept(self) -> set[str]:
        """The original lines of the function."""
        written = _written(self.original, self.line)
        assert written is not None
        return {*self.original.lines[self.line - 1 : written.node.end_lineno]}

    @cached_property
    def _rows(self) -> list[str]:
        """The lists that stand in for arrays here; over no steps they cannot be stacked."""
        text = "".join(self.module.lines)
        return [rows for rows in set(_ROWS.findall(text)) if rows not in self.original.text]

    def changed(self, span: Span) -> bool:
        """Whether any line of ``span`` is not the original's."""
        whole = span.end_column == 1 and span.end_line > span.line  # ends where a line begins
        end = span.end_line - whole
        return any(
            tag != "equal" and start < end and span.line - 1 < max(stop, start + 1)
            for tag, _, _, start, stop in self._blocks
        )

    def told(self, finding: Finding) -> Finding | None:
        """A finding of the variant as one of the original; None where it is about what they have
        in common, or where its edits leave some of the plain spelling behind."""
        touched = [finding.span]
        if finding.fix is not None:
            touched += [edit.span for edit in finding.fix.edits]
        if not any(self.changed(span) for span in touched):
            return None
        span = self._original(finding.span)
        walks = self.original.text.count("accumulate(")
        fewer = self.module.text.count("accumulate(") < walks
        if finding.fix is None:
            kept = fewer and finding.rewrite == "prefix-op"  # ``accumulate`` says it already
            message = _WRITES.sub("", finding.message)
            return None if kept else replace(finding, span=span, message=message)
        if _tests(self.module.text) < _tests(self.original.text):
            return None  # which stops at the first
        try:
            text = apply_edits(self.module.text, finding.fix.edits)
        except Unapplicable:
            return None
        if _loops(text) > _loops(self.original.text):
            return None
        if fewer and walks <= text.count("accumulate("):
            return None  # said again as it was
        line = _moved(self.line, finding.fix.edits)
        text = self._returned_at_once(_without_dead(text, line, self._kept), line)
        if any(re.search(rf"\b{name}\b", text) for name in self._rows):
            return None
        edits = _edits(self.original.lines, split_lines(text))
        if declared_elsewhere(self.original, [edit.span for edit in edits]) is not None:
            return None
        said = [f"no subclass elsewhere overrides `{name}`" for name in self._said_methods(text)]
        reason = assuming_too(finding.fix.reason, [*self.assumed, *said])
        fix = replace(finding.fix, edits=edits, reason=reason)
        for doubt in self.doubts:
            fix = fix.doubted(doubt)
        return replace(finding, span=span, fix=fix)

    def _said_methods(self, text: str) -> list[str]:
        """The methods in the place of which there is now what they compute."""
        before, after = (Counter(_OWN_CALLS.findall(each)) for each in (self.original.text, text))
        return [name for name in before - after if f"def {name}(" in self.original.text]

    def _returned_at_once(self, text: str, line: int) -> str:
        """The text without a new name for what is then returned, and nothing else."""

        def joined(found: re.Match[str]) -> str:
            indent, name, value = found.groups()
            lines = found.group().splitlines(keepends=True)
            written = _written(read(text), line)
            own = "" if written is None else written.module.source(written.node)
            alone = len(re.findall(rf"\b{name}\b", own)) == 2
            if not alone or any(line in self._kept for line in lines) or not is_expression(value):
                return found.group()
            return f"{indent}return {value}\n"

        return _NAMED.sub(joined, text)

    def outdoes(self, told: Finding, other: Finding) -> bool:
        """Whether a safe fix of the original leaves fewer loops than another of the same kind, or
        no more than one of a more general kind."""
        if told.fix is None or other.fix is None or told.fix.applicability != "safe":
            return False
        mine, others = _place(told.code), _place(other.code)
        if mine > others:
            return False
        try:
            after = apply_edits(self.original.text, told.fix.edits)
            rival = apply_edits(self.original.text, other.fix.edits)
        except Unapplicable:
            return False
        if _comprehensions(rival) < _comprehensions(self.original.text):
            return False  # what was spelled out is gone already
        return _loops(after) < _loops(rival) + (mine < others)

    def lines_of(self, first: int, last: int) -> tuple[int, int]:
        """The first and the last line of the original where lines of the plain text come from."""
        spans = [self._original(Span(line, 1, line, 1)) for line in range(first, last + 1)]
        return min(s.line for s in spans), max(s.end_line for s in spans)

    def _original(self, span: Span) -> Span:
        """Where in the original the line is that a span begins at."""
        for tag, start, stop, low, high in self._blocks:
            if low <= span.line - 1 < high:
                if tag == "equal":
                    first = span.line + start - low
                    if span.end_line <= high:
                        last_line = span.end_line + start - low
                        return Span(first, span.column, last_line, span.end_column)
                    end = len(self.original.lines[first - 1].rstrip())
                    return Span(first, span.column, first, end + 1)
                line = self.original.lines[start]
                last = self.original.lines[max(start, stop - 1)].rstrip()
                indent = len(line) - len(line.lstrip())
                return Span(start + 1, indent + 1, max(start + 1, stop), len(last) + 1)
        return span


_WRITES = re.compile(r" \(`audit derive PATH:\d+` writes it\)")
"""Said of a loop that is not in the original."""
_ROWS = re.compile(r"^[ \t]*\w+\[:\] = \w+\.stack\((\w+)\)$", re.MULTILINE)
_OWN_CALLS = re.compile(r"\bself\.(\w+)\(")
_NAMED = re.compile(r"^([ \t]*)(\w+) = (.+)\n\1return \2\n", re.MULTILINE)
_AGAIN = (
    r"[ \t]*(\w+)(?: [-+*/]= .*\b\1\b"
    r"| = (?:\1\[::-1\]|list\(reversed\(\1\)\)|\1\.(?:view|reshape)\(.*\) \+ ))"
)
# Each begins with what is found at once.
_HINTS = tuple(
    re.compile(pattern)
    for pattern in (
        r"reduce\(",
        r"accumulate\(",
        r"= next\(\w+\)",
        r":=",
        r"\.(?:exp|sub|div|mul)_\(",
        r"\)\.add_\(",
        *(rf"{name}(?<=\b{name})\.\w+\((\w+)[^\n]*(?:\bout=|, )\1\)" for name in ("np", "numpy")),
        r"else:\s*\n[^\n]*softmax\(",
        rf"\n{_AGAIN}",
        rf"[:;]{_AGAIN}",
        r" = \[[^\[\]\n]*(?:\] \* ?[\w(]| for \w+ in range\([^\n]*\]\n)",
        BESIDE,
        *AT_ONCE,
        *JOINED,
        *BOUNDED,
        *AT_ENDS,
        CUT,
    )
)
# What takes longer to look for, each with a sign that it has.
_SIGNED = (
    (";", re.compile(SHARED, re.MULTILINE)),
    (
        " /= ",
        re.compile(r"\n[ \t]*(\w+) = (?:torch\.|np\.|)(?:sum\(|)(\w+)\b[^\n]*\n[ \t]*\2 /= \1\b"),
    ),
)
_STAND = tuple(map(re.compile, ("while ", CUT, *AT_ENDS, *BOUNDED)))
"""What a loop over a range, one over whole windows and one without bounds are spelled without,
which are read as they stand."""


def hints(text: str) -> list[int]:
    """Where a text may spell a loop without one, by a fold or a walrus, or an array by changes of
    another and in another shape."""
    every = [*_HINTS]
    every += [pattern for sign, pattern in _SIGNED if sign in text]
    return sorted(match.start() for pattern in every for match in pattern.finditer(text))


def calls_generators(module: Module, node: ast.stmt) -> bool:
    """Whether a function may call one of the file that yields."""
    if not module.generators:
        return False
    own = "".join(module.lines[node.lineno - 1 : node.end_lineno]).partition("(")[2]
    return any(f"{name}(" in own for name in module.generators)


def keeps_together(loop: ast.AST) -> bool:
    """Whether a loop binds a tuple or another value of several parts, a part of such, or an
    attribute, joins what it makes to an array, keeps something at one step only or reads the items
    of a list that it makes longer; or counts its steps, or by itself."""
    if isinstance(loop, (ast.For, ast.While)) and ends_with_a_choice(loop):
        return True
    if isinstance(loop, ast.For) and (reads_its_list(loop) or counts(loop)):
        return True
    if counts_itself(loop) or asked_list(loop) is not None or gathers(loop):
        return True
    for node in descendants(loop):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Attribute):
                return True
        if isinstance(node, ast.For) and node is not loop:
            return True
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return True
        if isinstance(node, ast.stmt) and (grows(node) or put_behind(node) is not None):
            return True
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if isinstance(node.value, (ast.Tuple, ast.List)):
                return True
            if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name):
                return True
    return False


def variants(module: Module, node: ast.FunctionDef) -> Iterator[Variant]:
    """The variants of one function of a file: each place alone, then all of them together, which
    may be one computation."""
    line = node.lineno
    seen: set[str] = set()
    for variant in _plainer(Variant(module, module, line), alone=False):
        plainer = variant.module
        if any(len(way.findall(plainer.text)) < len(way.findall(module.text)) for way in _STAND):
            seen.add(plainer.text)
            yield variant
        variant = _plainest(variant, alone=True)
        if variant.module.text not in seen:
            seen.add(variant.module.text)
            yield variant
        if len(seen) >= _MOST:
            return
    if len(seen) > 1:
        whole = _plainest(variant, alone=False)
        if whole.module.text not in seen:
            yield whole


def _plainest(variant: Variant, alone: bool) -> Variant:
    """A variant made plainer as often as that can be: with ``alone`` only where it is another text
    than the original already."""
    for _ in range(_DEEPEST):
        more = next(_plainer(variant, alone), None)
        if more is None:
            break
        variant = more
    return variant


def _plainer(variant: Variant, alone: bool) -> Iterator[Variant]:
    """A variant with one thing more said plainly; with ``alone`` only where its text is already
    another than the original's."""
    module = variant.module
    written = _written(module, variant.line)
    if written is None:
        return
    for spelling in _SPELLINGS:
        for found in spelling(written):
            made = found if isinstance(found, Respelled) else Respelled(found)
            if alone and not any(variant.changed(edit.span) for edit in made.edits):
                continue
            try:
                plainer = read(apply_edits(module.text, made.edits))
            except (Unapplicable, SyntaxError):
                continue
            yield replace(
                variant,
                module=plainer,
                assumed=(*variant.assumed, *made.assumed),
                doubts=(*variant.doubts, *([made.doubt] if made.doubt else [])),
            )


def _written(module: Module, line: int) -> Written | None:
    """The function whose ``def`` stands in a line, in a tree that has the spelling of the text."""
    statements = _statements(module.text) if module.respelled else module.statements
    for node in statements:
        if isinstance(node, ast.FunctionDef) and node.lineno == line:
            return Written(module, node)
        if isinstance(node, ast.ClassDef):
            methods = {s.name: s for s in node.body if isinstance(s, ast.FunctionDef)}
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.lineno == line:
                    return Written(module, method, ClassScope(node, methods))
    return None


@lru_cache(maxsize=4)
def _statements(text: str) -> tuple[ast.stmt, ...]:
    """The statements of a text, kept while it is worked on: nothing changes them. Raises
    SyntaxError."""
    return tuple(every_statement(ast.parse(text).body))


def _moved(line: int, edits: Iterable[Edit]) -> int:
    """The line that a line is once what stands before it was edited: decorated, for one."""
    return line + sum(
        edit.content.count("\n") - (edit.span.end_line - edit.span.line)
        for edit in edits
        if (edit.span.end_line, edit.span.end_column) <= (line, 1)
    )


def _without_dead(text: str, line: int, kept: set[str]) -> str:
    """The text without new assignments, in the function at ``line``, of what nothing reads."""
    while True:
        written = _written(read(text), line)
        assert written is not None
        read_names = loads_in(written.node)
        lines = written.module.lines
        dead = next(
            (
                statement
                for block, place in written.own()
                if isinstance(statement := block[place], ast.Assign)
                and len(statement.targets) == 1
                and isinstance(target := statement.targets[0], ast.Name)
                and target.id not in read_names
                and len(block) > 1
                and lines[statement.lineno - 1] not in kept
                and impurity(written.module, statement.value) is None
            ),
            None,
        )
        edit = written.replaced([dead], []) if dead is not None else None
        if edit is None:
            return text
        text = apply_edits(text, [edit])


@lru_cache(maxsize=64)
def _place(code: str | None) -> int:
    """The place of a rewrite in the catalog, which goes from the special to the general."""
    from auditor.rewrites import CATALOG

    return [rewrite.code for rewrite in CATALOG].index(code or "")


def _loops(text: str) -> int:
    return sum(isinstance(node, (ast.For, ast.While)) for node in everything_in(ast.parse(text)))


def _comprehensions(text: str) -> int:
    nodes = everything_in(ast.parse(text))
    return sum(isinstance(node, (ast.GeneratorExp, ast.ListComp)) for node in nodes)


def _tests(text: str) -> int:
    return len(re.findall(r"\b(?:any|all)\(", text))


def _differences(old: list[str], new: list[str]) -> list[tuple[str, int, int, int, int]]:
    """As ``difflib``'s opcodes, with the common beginning and end taken off first."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    middle = difflib.SequenceMatcher(
        None, old[first : len(old) - last], new[first : len(new) - last], autojunk=False
    )
    found = [("equal", 0, first, 0, first)] if first else []
    found += [
        (tag, a + first, b + first, c + first, d + first)
        for tag, a, b, c, d in middle.get_opcodes()
    ]
    if last:
        found.append(("equal", len(old) - last, len(old), len(new) - last, len(new)))
    return found


def _edits(old: list[str], new: list[str]) -> tuple[Edit, ...]:
    """What makes the new lines of the old ones."""
    return tuple(
        Edit(Span(start + 1, 1, stop + 1, 1), "".join(new[low:high]))
        for tag, start, stop, low, high in _differences(old, new)
        if tag != "equal"
    )
