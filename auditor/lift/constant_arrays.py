"""Arrays that a file makes of numbers and binds outside of functions: how large they are.

What they hold may be changed in place, how large they are is not.
"""

from __future__ import annotations

import ast

from auditor.lift.module import Module
from auditor.notation import Library
from auditor.syntax import constant, path_of

_OF_NUMBERS: dict[str, Library] = {
    "numpy.array": "numpy", "numpy.asarray": "numpy", "torch.tensor": "torch",
}  # fmt: skip
_OF_SIZES: dict[str, Library] = {
    f"{library}.{name}": library for library in ("numpy", "torch") for name in ("ones", "zeros")
}


def constant_array(module: Module, node: ast.expr) -> tuple[tuple[int, ...], Library] | None:
    """The sizes and the library of an array that is made of numbers that the code spells, None for
    anything else."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
        sides = (node.left, node.right)
        made = [found for side in sides if (found := constant_array(module, side)) is not None]
        numbers = [side for side in sides if _sizes(side) == ()]
        return made[0] if len(made) == len(numbers) == 1 else None
    if not isinstance(node, ast.Call) or not node.args:
        return None
    path = path_of(module, node.func) or ""
    first = node.args[0]
    if path in _OF_NUMBERS and all(word.arg == "dtype" for word in node.keywords):
        sizes = _sizes(first)
        return (sizes, _OF_NUMBERS[path]) if sizes else None
    if path in _OF_SIZES and isinstance(first, ast.Tuple) and len(node.args) == 1:
        stated = tuple(size for item in first.elts if type(size := constant(item)) is int)
        return (stated, _OF_SIZES[path]) if len(stated) == len(first.elts) > 0 else None
    return None


def _sizes(node: ast.expr) -> tuple[int, ...] | None:
    """The sizes of lists of numbers in one another; None where they differ, or hold more."""
    if isinstance(node, (ast.List, ast.Tuple)):
        inner = {_sizes(item) for item in node.elts}
        first = inner.pop() if len(inner) == 1 else None
        return None if first is None else (len(node.elts), *first)
    if isinstance(node, ast.BinOp):
        return () if _sizes(node.left) == _sizes(node.right) == () else None
    if isinstance(node, ast.UnaryOp):
        return () if _sizes(node.operand) == () else None
    return () if type(constant(node)) in (int, float) else None
