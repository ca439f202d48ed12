"""Operands that are objects of a program's own: what their operators and methods do is not known.

An array is what a name is taken for that nothing is said of. Of these something is said: a class
made them, of this file or of another library, or a parameter is annotated as one. Their ``@`` may
count its calls, draw random numbers, or give another value each time.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from auditor.lift.module import Module
from auditor.syntax import path_of
from auditor.tree import descendants

_ARRAYS = ("torch", "numpy", "pandas")
_OPERATORS = ("scipy.sparse.linalg.aslinearoperator", "scipy.sparse.linalg.LinearOperator")


def asks_an_object(
    module: Module, function: ast.AST, single: Mapping[str, ast.Assign], node: ast.expr
) -> bool:
    """Whether evaluating ``node`` multiplies with an object of a class that is no array, or calls
    a method of an object of a class of this file. ``single`` are the names of ``function`` that one
    assignment gives a value."""
    for inner in descendants(node):
        if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.MatMult):
            sides = (inner.left, inner.right)
            if any(_object(module, function, single, side, False) for side in sides):
                return True
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            if _object(module, function, single, inner.func.value, True):
                return True
    return False


def _object(
    module: Module, function: ast.AST, single: Mapping[str, ast.Assign], node: ast.expr, own: bool
) -> bool:
    """Whether a class made what a name, or a view of it, stands for."""
    while isinstance(node, ast.Attribute) and node.attr in ("T", "H", "mT"):
        node = node.value
    if not isinstance(node, ast.Name):
        return False
    if node.id in single:
        made: ast.expr | None = single[node.id].value
    else:
        said = _annotation(function, node.id)
        if said is not None:
            return _class(module, said, True)
        made = module.constants.get(node.id)
    return isinstance(made, ast.Call) and _class(module, made.func, own)


def _class(module: Module, node: ast.expr, own: bool) -> bool:
    """Whether an expression names a class that is no array: of this file, or (unless ``own``) of
    another library."""
    if isinstance(node, ast.Name) and node.id in module.classes:
        return True
    path = path_of(module, node) or ""
    if path in _OPERATORS:
        return True
    root, _, name = path.partition(".")
    return not own and root not in _ARRAYS and name.rpartition(".")[2][:1].isupper()


def _annotation(function: ast.AST, name: str) -> ast.expr | None:
    if not isinstance(function, ast.FunctionDef):
        return None
    given = function.args
    every = (*given.posonlyargs, *given.args, *given.kwonlyargs)
    return next((arg.annotation for arg in every if arg.arg == name), None)
