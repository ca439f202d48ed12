"""Values of a step that builtins hand on without a generator: those of a mapping, and the products
and other combinations of two sequences, by ``map`` and a function of ``operator``."""

from __future__ import annotations

import ast

from auditor.syntax import is_name, same

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Mult: "mul", ast.Add: "add", ast.Sub: "sub", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor",
}  # fmt: skip


def mapping_of(target: ast.expr, source: ast.expr, value: ast.expr) -> ast.expr | None:
    """``d`` where a walk of ``d.items()`` uses the values alone."""
    if not (isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute)):
        return None
    if source.func.attr != "items" or source.args or source.keywords:
        return None
    if not isinstance(target, ast.Tuple) or len(target.elts) != 2 or same(*target.elts):
        return None
    return source.func.value if same(target.elts[1], value) else None


def looked_up(target: ast.expr, source: ast.expr, value: ast.expr) -> bool:
    """Whether each key that is walked is looked up: ``d[key]`` of ``for key in d``."""
    return (
        isinstance(source, ast.Name)
        and isinstance(value, ast.Subscript)
        and same(value.value, source)
        and same(value.slice, target)
    )


def combined(
    target: ast.expr, source: ast.expr, value: ast.expr
) -> tuple[str, list[ast.expr]] | None:
    """(function of ``operator``, sequences) where the values are ``x * y`` of ``zip(xs, ys)``."""
    if not (isinstance(source, ast.Call) and is_name(source.func, "zip") and not source.keywords):
        return None
    if not isinstance(value, ast.BinOp) or not isinstance(target, ast.Tuple):
        return None
    name, parts = _OPERATORS.get(type(value.op)), [value.left, value.right]
    if name is None or len(source.args) != 2 or len(target.elts) != 2:
        return None
    if any(isinstance(walked, ast.Starred) for walked in source.args):
        return None
    if not all(isinstance(part, ast.Name) for part in target.elts) or same(*target.elts):
        return None
    if all(map(same, target.elts, parts)):
        return name, source.args
    return None
