"""What the handlers of a ``try`` answer for stays within it, and nothing comes under them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from auditor.lift.module import Module
from auditor.notation import Span
from auditor.tree import everything_in
from auditor.verdict import Edit


def divided(module: Module, function: ast.AST, edits: Sequence[Edit]) -> str | None:
    """Why edits may carry a computation over the border of what handlers answer for."""
    if "except" not in module.text:
        return None
    for node in everything_in(function):
        if not isinstance(node, ast.Try) or not node.handlers:
            continue
        last = node.body[-1]
        body = Span(node.body[0].lineno, 1, (last.end_lineno or last.lineno) + 1, 1)
        inside = [body.covers(edit.span) for edit in edits]
        if any(inside) and not all(inside):
            return f"what the handlers at line {node.handlers[0].lineno} answer for would change"
    return None
