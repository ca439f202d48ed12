"""The text of a file without what only people read: docstrings and comments.

They speak of softmax and of sums where none is computed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.lift.module import Module

# A quote behind it would make it a part of a string.
_COMMENT = re.compile(r"#[^\n\"']*$", re.MULTILINE)


def code_lines(module: Module) -> list[str]:
    """The lines of a file, those of docstrings empty and comments left out."""
    lines = list(module.lines)
    for statement in _docstrings(module):
        first, last = statement.lineno - 1, (statement.end_lineno or statement.lineno) - 1
        if _alone(statement, lines[first], lines[last]):
            lines[first : last + 1] = ["\n"] * (last + 1 - first)
    return [_COMMENT.sub("", line) if "#" in line else line for line in lines]


def _docstrings(module: Module) -> Iterator[ast.stmt]:
    for statement in module.statements:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            yield statement


def _alone(statement: ast.stmt, first: str, last: str) -> bool:
    """Whether nothing else stands on the lines of a statement."""
    before = first.encode()[: statement.col_offset]
    behind = last.encode()[statement.end_col_offset :]
    return not before.strip() and not behind.strip()
