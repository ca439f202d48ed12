"""A stand-in for the analysis, so that tests of the shell do not depend on real rules.

Each line of the form ``name = MARK(arguments)`` is a finding whose nature MARK decides. Run as a
module, it is the command line with this analysis in place of the real one.
"""

from __future__ import annotations

import ast
import re
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from auditor import audit, rewrites
from auditor.audit import Options
from auditor.notation import Span
from auditor.source import split_lines
from auditor.verdict import (
    PROPERTIES,
    Edit,
    FileReport,
    Finding,
    Fix,
    Numerics,
    Problem,
    Profit,
    Verdict,
)
from auditor.verify import verification as verify
from auditor.verify.verification import VerifyRow

_LINE = re.compile(r"(\w+) = ([A-Z]+)\((.*)\)")
_KERNEL = (("auditor.kernels", "linear_scan"),)


@dataclass(frozen=True)
class FakeExample:
    before: str = "x = SLOW(a)\n"
    after: str = "x = linear_scan(a)\n"
    title: str = "a slow one"


@dataclass(frozen=True)
class FakeRewrite:
    code: str
    name: str
    applicability: str = "safe"
    summary: str = "a recurrence is a scan"
    doc: str = "\n    What it finds.\n\n    Why it is legal.\n    "
    properties: tuple[str, ...] = ("associativity",)
    kernel: str | None = "auditor.kernels.linear_scan"
    examples: tuple[FakeExample, ...] = field(default=(FakeExample(),))
    becomes: str = ""
    refused: tuple[Any, ...] = ()


CATALOG = (
    FakeRewrite("ASC101", "linear-recurrence"),
    FakeRewrite("ASC106", "reduction-loop", kernel=None),
    FakeRewrite("SEP206", "far-field", "unsafe"),
    FakeRewrite("LOC307", "fuse-region", "advice", kernel=None),
)


def verdicts() -> dict[str, Verdict]:
    """Six answers of every kind."""
    answers = (
        Verdict("holds", "proof", "(a2, b2) . (a1, b1) = (a2 a1, a2 b1 + b2); identity (1, 0)"),
        Verdict("fails", "counterexample", "at i=0, j=1 the mixed difference is 2"),
        Verdict("partial", "structure", "step t reads step t-1 only"),
        Verdict("fails", "structure", "not applicable: no zero entries"),
        Verdict("unknown", None, "too large"),
        Verdict("fails", "structure", "not applicable: one index"),
    )
    return dict(zip(PROPERTIES, answers, strict=True))


def _fix(mark: str, span: Span, name: str, arguments: str) -> Fix | None:
    """The fix that a mark stands for."""
    if mark == "ADVICE":
        return None
    if mark == "BROKEN":
        return Fix("safe", "exact", (Edit(span, "x = ("),))
    if mark == "ENDLESS":
        return Fix("safe", "exact", (Edit(span, f"{name} = ENDLESS({arguments}1)"),))
    if mark == "NEST":
        inner = arguments.removeprefix("NEST(").removesuffix(")") if "NEST(" in arguments else ""
        new = f"{name} = {arguments}" if inner else f"{name} = done({arguments})"
        return Fix("safe", "exact", (Edit(span, new),))
    content = f"{name} = linear_scan({arguments})"
    if mark == "UNSAFE":
        return Fix("unsafe", "exact", (Edit(span, content),), _KERNEL, "approximate")
    numerics: Numerics = "exact" if mark == "EXACT" else "reassociated"
    return Fix("safe", numerics, (Edit(span, content),), _KERNEL)


_CODES = {
    "UNSAFE": ("SEP206", "far-field"),
    "ADVICE": ("LOC307", "fuse-region"),
    "EXACT": ("ASC106", "reduction-loop"),
}


def _finding(path: str, number: int, match: re.Match[str]) -> Finding:
    span = Span(number, match.start() + 1, number, match.end() + 1)
    mark = match[2]
    code, rewrite = _CODES.get(mark, ("ASC101", "linear-recurrence"))
    return Finding(
        path,
        span,
        "Model.forward",
        f"{match[1]} is a linear recurrence",
        verdicts(),
        code=code,
        rewrite=rewrite,
        kernel="auditor.kernels.linear_scan",
        fix=_fix(mark, span, match[1], match[3]),
        profit=Profit("cpu", "launch", 12.0),
    )


def audit_text(text: str, path: str, options: Options) -> FileReport:
    """Findings for the marked lines."""
    ast.parse(text, path)
    findings, computations = [], []
    for number, line in enumerate(split_lines(text), 1):
        match = _LINE.search(line.rstrip("\r\n"))
        if match is None or line.lstrip().startswith(("#", '"')):
            continue
        mark = match[2]
        if mark == "BUG":
            raise ZeroDivisionError("a bug in a rule")
        if mark == "DEEP":
            raise RecursionError
        if mark == "SLEEP":
            Path("asleep").touch()  # tells a test that it has come this far
            time.sleep(60)
        if mark == "PLAIN" and options.everything:
            span = Span(number, match.start() + 1, number, match.end() + 1)
            computations.append(
                Finding(path, span, "f", "a loop", verdicts(), refused="the state is not affine")
            )
        elif mark in {"SLOW", "EXACT", "UNSAFE", "ADVICE", "BROKEN", "ENDLESS", "NEST"}:
            findings.append(_finding(path, number, match))
    problems = (Problem(path, 1, 1, "a part was skipped"),) if "PARTIAL" in text else ()
    return FileReport(path, tuple(findings), tuple(computations), problems)


def verify_text(text: str, path: str, options: Options) -> list[VerifyRow]:
    """One row for each finding; UNSAFE ones do not agree."""
    if "NEEDS_TORCH" in text:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")
    rows = []
    for finding in audit_text(text, path, options).findings:
        agrees = finding.code != "SEP206"
        error = 1e-7 if agrees else float("nan")
        numbers: tuple[Any, ...] = (error, 1e-5, 0.012, 0.0011, 2e6, 1e6)
        place = (path, finding.span.line, finding.code or "", finding.scope)
        rows.append(VerifyRow(*place, "a: (3, 5)", *numbers, agrees, ""))
    return rows


def install(setting: Any) -> None:
    """Put this analysis in place with ``setting(object, name, value)``."""
    setting(audit, "audit_text", audit_text)
    setting(verify, "verify_text", verify_text)
    setting(rewrites, "CATALOG", CATALOG)


if __name__ == "__main__":
    from auditor.cli import main

    install(setattr)
    sys.exit(main())
