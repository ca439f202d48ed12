"""The report as one JSON object: the form that other programs rely on."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from auditor.engine import Reported, Result
from auditor.report.summary import rule_counts
from auditor.verdict import PROPERTIES, Edit, Finding, Problem, Profit

VERSION = 1


def document(
    results: Sequence[Result], problems: Sequence[Problem], with_statistics: bool = False
) -> str:
    """Every key is always there, whatever was found."""
    data: dict[str, Any] = {
        "version": VERSION,
        "files": len(results),
        "errors": [problem_object(problem) for problem in problems],
        "findings": [_finding(entry) for result in results for entry in result.reported],
        "computations": [_computation(f) for result in results for f in result.computations],
        "warnings": [
            {"path": c.path, "line": c.line, "column": c.column, "message": c.message}
            for result in results
            for c in result.cautions
        ],
    }
    if with_statistics:
        data["statistics"] = [
            {"code": code, "rewrite": name, "count": number, "fixable": fixable}
            for number, code, name, fixable in rule_counts(results)
        ]
    return dumps(data)


def dumps(data: Any) -> str:
    """ASCII only, so that it is the same in every locale."""
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def problem_object(problem: Problem) -> dict[str, Any]:
    """A problem as ``errors`` lists it."""
    return {
        "path": problem.path,
        "line": problem.line,
        "column": problem.column,
        "message": problem.message,
    }


def _finding(entry: Reported) -> dict[str, Any]:
    finding = entry.finding
    return {
        **_place(finding),
        "code": finding.code,
        "rewrite": finding.rewrite,
        "message": finding.message,
        "properties": _properties(finding),
        "kernel": finding.kernel,
        "fix": _fix(entry),
        "not_fixed": entry.blocked,
        "profit": _profit(finding.profit),
        "alternatives": [_alternative(way) for way in finding.alternatives],
    }


def _alternative(finding: Finding) -> dict[str, Any]:
    """Another fix of the same place, chosen with ``--select``."""
    assert finding.fix is not None
    return {
        "code": finding.code,
        "rewrite": finding.rewrite,
        "message": finding.message,
        "kernel": finding.kernel,
        "applicability": finding.fix.applicability,
        "numerics": finding.fix.numerics,
        "reason": finding.fix.reason,
        "profit": _profit(finding.profit),
    }


def _computation(finding: Finding) -> dict[str, Any]:
    return {
        **_place(finding),
        "message": finding.message,
        "properties": _properties(finding),
        "profit": _profit(finding.profit),
        "refused": finding.refused,
    }


def _place(finding: Finding) -> dict[str, Any]:
    span = finding.span
    return {
        "path": finding.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "scope": finding.scope,
    }


def _properties(finding: Finding) -> dict[str, Any]:
    return {name: _verdict(finding, name) for name in PROPERTIES}


def _verdict(finding: Finding, name: str) -> dict[str, Any]:
    verdict = finding.properties.get(name)
    if verdict is None:
        return {"verdict": "unknown", "basis": None, "evidence": "not asked", "numerics": "exact"}
    return {
        "verdict": verdict.verdict,
        "basis": verdict.basis,
        "evidence": verdict.evidence,
        "numerics": verdict.numerics,
    }


def _fix(entry: Reported) -> dict[str, Any] | None:
    fix = entry.finding.fix
    if fix is None:
        return None
    return {
        "applicability": fix.applicability,
        "numerics": fix.numerics,
        "reason": fix.reason,
        "edits": [_edit(edit) for edit in entry.edits],
    }


def _edit(edit: Edit) -> dict[str, Any]:
    return {
        "line": edit.span.line,
        "column": edit.span.column,
        "end_line": edit.span.end_line,
        "end_column": edit.span.end_column,
        "content": edit.content,
    }


def _profit(profit: Profit | None) -> dict[str, Any] | None:
    if profit is None:
        return None
    speedup = profit.predicted_speedup
    return {
        "target": profit.target,
        "bound": profit.bound,
        "predicted_speedup": speedup if math.isfinite(speedup) else None,
        "detail": profit.detail,
        "before": asdict(profit.before) if profit.before else None,
        "after": asdict(profit.after) if profit.after else None,
    }
