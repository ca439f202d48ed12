"""Brackets round new expressions that the operators beside them would take apart: ``(a * b).sum()``
may become ``c * d`` in the place of all that stands before the dot."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from dataclasses import replace

from auditor.notation import Span
from auditor.verdict import Edit
from auditor.writing.edits import Unapplicable, apply_edits

_OPERATORS = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda)


def bracketed(text: str, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits of a text, with brackets round the expressions that need them where they go."""
    made = list(edits)
    for number, edit in enumerate(edits):
        if not _has_operator(edit.content) or _meaning(text, [replace(edit, content="_")]) is None:
            continue
        closed = made.copy()
        closed[number] = replace(edit, content=f"({edit.content})")
        meant = _meaning(text, closed)
        if meant is not None and meant != _meaning(text, made):
            made = closed
    return tuple(made)


def is_one_expression(text: str, place: Span, edits: Sequence[Edit]) -> bool:
    """Whether what stands in a place is one expression once the edits are made, and all that they
    change: brackets round it change nothing."""
    if not all(place.covers(edit.span) for edit in edits):
        return False
    opening = Edit(replace(place, end_line=place.line, end_column=place.column), "(")
    closing = Edit(replace(place, line=place.end_line, column=place.end_column), ")")
    meant = _meaning(text, edits)
    return meant is not None and meant == _meaning(text, [opening, *edits, closing])


def _has_operator(code: str) -> bool:
    """Whether code is an expression that ends or begins with an operand of its own operator."""
    try:
        return isinstance(ast.parse(code.strip(), mode="eval").body, _OPERATORS)
    except SyntaxError:
        return False


def _meaning(text: str, edits: Sequence[Edit]) -> str | None:
    """How Python reads the text with the edits made; None where it does not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.dump(ast.parse(apply_edits(text, edits)))
        except (SyntaxError, Unapplicable):
            return None
