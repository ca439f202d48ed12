"""Texts that steps put together: joined one behind the other, no numbers that add up."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from auditor.syntax import is_name

_MADE_BY = frozenset(
    "strip lower upper lstrip rstrip title replace removeprefix removesuffix zfill center ljust "
    "rjust join format capitalize swapcase decode hexdigest".split()
)
_FUNCTIONS = ("str", "repr", "chr", "format")


def is_text(node: ast.expr, before: Mapping[str, ast.expr | None]) -> bool:
    """Whether an expression gives a text for certain; ``before`` says what names are bound to."""
    if isinstance(node, ast.Name):
        made = before.get(node.id)
        return made is not None and not is_name(made, node.id) and is_text(made, {})
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return is_text(node.left, before) or is_text(node.right, before)
    if isinstance(node, ast.IfExp):
        return is_text(node.body, before) or is_text(node.orelse, before)
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        # frames and arrays have a `replace` of their own, which takes no texts alone
        texts = [isinstance(arg, ast.Constant) and isinstance(arg.value, str) for arg in node.args]
        return node.func.attr in _MADE_BY and (node.func.attr != "replace" or all(texts))
    return any(is_name(node.func, name) for name in _FUNCTIONS)
