"""Fixes inside of lambdas, where only an expression may take the place of the body: nothing can
stand before it."""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.lift.module import Module
from auditor.notation import Span
from auditor.source import places
from auditor.verdict import Finding
from auditor.writing.brackets import is_one_expression


def within_lambda(module: Module, function: ast.FunctionDef, finding: Finding) -> Finding:
    """A finding in a lambda, without a fix that would need statements."""
    fix = finding.fix
    if fix is not None and not is_one_expression(module.text, _body(module, function), fix.edits):
        fix = None
    others = tuple(within_lambda(module, function, other) for other in finding.alternatives)
    return replace(finding, fix=fix, alternatives=others)


def _body(module: Module, function: ast.FunctionDef) -> Span:
    """Where the body of a lambda stands, with the brackets round it."""
    whole, inner = module.span(function), module.span(function.body[0])
    header = Span(whole.line, whole.column, inner.line, inner.column)
    found = places(module.text).range(header)
    assert found is not None
    start, _ = found
    line, column = places(module.text).place(start + module.slice(header).rindex(":") + 1)
    return Span(line, column, whole.end_line, whole.end_column)
