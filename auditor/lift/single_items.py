"""Lists that take in one item in the words for many: ``out.extend([h])`` is ``out.append(h)``."""

from __future__ import annotations

import ast
import re

from auditor.tree import every_statement

_WORDS = re.compile(r"\.extend\(\s*[\[(]")


def as_appends(text: str, tree: ast.Module) -> bool:
    """Replace such calls of a module. Gives whether there are any."""
    if _WORDS.search(text) is None:
        return False
    changed = False
    for statement in every_statement(tree.body):
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
            continue
        if call.func.attr != "extend" or len(call.args) != 1 or call.keywords:
            continue
        (given,) = call.args
        one = isinstance(given, (ast.List, ast.Tuple)) and len(given.elts) == 1
        if one and not isinstance(given.elts[0], ast.Starred):  # type: ignore[attr-defined]
            call.func.attr, call.args = "append", given.elts  # type: ignore[attr-defined]
            changed = True
    return changed
