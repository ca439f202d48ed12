"""Whether what a fix assumes holds where its code begins, as far as that can be looked at.

A fix that assumes that ``n - 1`` is more than 1 promises nothing of a run in which it is not, and a
set of inputs that leads there is none to compare. Sizes and axes of what is there already are read
off the frame that is about to run the code; what cannot be read is taken to hold.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Callable

from auditor.assumed import conditions_in
from auditor.tree import everything_in

_READ = (
    ast.Expression, ast.Name, ast.Load, ast.Constant, ast.BinOp, ast.operator, ast.UnaryOp,
    ast.unaryop, ast.Compare, ast.cmpop, ast.Tuple, ast.Slice, ast.Subscript,
)  # fmt: skip
_SIZES = ("shape", "size", "ndim")
_FUNCTIONS = ("len", "min", "max")

Holds = Callable[[types.FrameType], bool]


def holding(reason: str) -> Holds:
    """A question to a frame: whether what the reason says of sizes and axes is so."""
    conditions = [compile(code, "<assumed>", "eval") for code in conditions_in(reason)
                  if _only_reads(code)]  # fmt: skip

    def holds(frame: types.FrameType) -> bool:
        return not any(_denied(condition, frame) for condition in conditions)

    return holds


def _only_reads(code: str) -> bool:
    """Whether an expression reads names, entries and sizes, and does nothing else."""
    try:
        tree = ast.parse(code, mode="eval")
    except SyntaxError:
        return False
    return all(map(_reads, everything_in(tree)))


def _reads(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _SIZES or isinstance(node.value, ast.Name)
    if isinstance(node, ast.Call):
        plain = isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS
        size = isinstance(node.func, ast.Attribute) and node.func.attr == "size"
        return (plain or size) and not node.keywords
    return isinstance(node, _READ)


def _denied(condition: types.CodeType, frame: types.FrameType) -> bool:
    try:
        return not eval(condition, frame.f_globals, frame.f_locals)
    except Exception:
        return False
