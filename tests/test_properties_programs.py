"""Programs with the verdicts that they must get, whatever their spelling.

The files of tests/verdicts hold one function a program. The comments above it say what is expected:

    # associativity: holds proof "a2 a1"
    # symmetry: fails|unknown

a verdict (or several that are as good), the basis where it matters, and in quotes words of which
one must stand in the evidence. Functions whose names differ only behind two underscores are guises
of one program: what is expected of them is the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from auditor.audit import Options, audit_text
from auditor.verdict import PROPERTIES, Finding

FOLDER = Path(__file__).parent / "verdicts"
_LINE = re.compile(r'# (\w+): ([\w|]+)(?: (\w+))?(?: "(.+)")?$')


@dataclass(frozen=True)
class Expected:
    """What one property must come to."""

    property: str
    verdicts: tuple[str, ...]
    basis: str | None
    words: tuple[str, ...]


@dataclass(frozen=True)
class Program:
    """One function with the imports of its file."""

    name: str
    text: str
    expected: tuple[Expected, ...]


def programs() -> Iterator[Program]:
    for path in sorted(FOLDER.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        tree = ast.parse(text)
        imports = [ast.get_source_segment(text, n) or "" for n in tree.body
                   if isinstance(n, (ast.Import, ast.ImportFrom))]  # fmt: skip
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                body = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                head = "\n".join(imports)
                yield Program(f"{path.stem}.{node.name}", f"{head}\n\n\n{body}\n",
                              tuple(_expected(lines, node.lineno - 2)))  # fmt: skip


def _expected(lines: list[str], last: int) -> Iterator[Expected]:
    while lines[last].startswith("#"):
        found = _LINE.fullmatch(lines[last])
        assert found is not None and found[1] in PROPERTIES, lines[last]
        words = tuple(found[4].split("|")) if found[4] else ()
        yield Expected(found[1], tuple(found[2].split("|")), found[3], words)
        last -= 1


@cache
def audited(text: str) -> Finding:
    """What is said of the outermost loop of the function, or else of its last expression."""
    report = audit_text(text, "program.py", Options(everything=True))
    assert not report.problems
    known: Finding | None = None
    for finding in sorted((*report.findings, *report.computations), key=lambda f: f.span):
        if known is None or (
            known.span.line == known.span.end_line and not known.span.covers(finding.span)
        ):
            known = finding
    assert known is not None, "nothing was analysed"
    return known


ALL = list(programs())

# What is not answered yet, each with what is missing; none of it is answered "holds".
GAPS = {
    "the call has no notation, or none for axes of unknown number": (
        "locality.convolution__unfold locality.embedding__functional loops_that_do_not.mode__torch "
        "sparsity.gate__generator loops_that_do_not.rounded__round"
    ),
    "rounding to an integer is not refuted": "loops_that_do_not.truncated__int",
    "one pass over states of several shapes": "loops_that_split.online_attention__torch",
    "the permutation that shows is another": (
        "symmetry.self_attention__identity loops_that_do_not.median__sorted"
    ),
}
MISSING = {name: reason for reason, names in GAPS.items() for name in names.split()}


def test_the_corpus_is_large() -> None:
    assert len(ALL) >= 150
    assert set(MISSING) <= {program.name for program in ALL}
    assert len(MISSING) < len(ALL) / 10


def _marked(program: Program) -> object:
    reason = MISSING.get(program.name)
    marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
    return pytest.param(program, id=program.name, marks=marks)


@pytest.mark.parametrize("program", ALL, ids=[p.name for p in ALL])
def test_never_a_false_holds(program: Program) -> None:
    """Whatever is not answered: no program gets a ``holds`` that it must not get."""
    if program.name in MISSING and "nothing was analysed" in str(_outcome(program.text)):
        return
    found = audited(program.text).properties
    for wanted in program.expected:
        if "holds" not in wanted.verdicts:
            assert found[wanted.property].verdict != "holds", found[wanted.property].evidence


def _outcome(text: str) -> AssertionError | None:
    try:
        audited(text)
    except AssertionError as nothing:
        return nothing
    return None


@pytest.mark.parametrize("program", [_marked(program) for program in ALL])
def test_verdicts(program: Program) -> None:
    found = audited(program.text).properties
    for wanted in program.expected:
        verdict = found[wanted.property]
        shown = f"{wanted.property}: {verdict.verdict} ({verdict.basis}): {verdict.evidence}"
        assert verdict.verdict in wanted.verdicts, shown
        assert wanted.basis in (None, verdict.basis), shown
        assert not wanted.words or any(w in verdict.evidence for w in wanted.words), shown
