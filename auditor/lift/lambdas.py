"""Lambdas that a statement gives a name or a place to, as functions of their own: ``f = lambda x:
e`` is ``def f(x): return e``, but that only another expression may take the place of ``e``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

NAME = "<lambda>"


def kept(statement: ast.stmt) -> list[tuple[str, ast.FunctionDef]]:
    """The lambdas that a statement keeps or returns, themselves or in a display, each under the
    name that it is given. One that is handed on to a call gets what the other side gives it, of
    which nothing is known."""
    if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Return)):
        return []
    name = NAME
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
        match statement.targets:
            case [ast.Name(id=name)]:
                pass
    return [(name, _as_function(node)) for node in _lambdas(statement.value)]


def _lambdas(value: ast.expr | None) -> Iterator[ast.Lambda]:
    parts: list[ast.expr] = []
    if isinstance(value, ast.Lambda):
        if value.args.args:
            yield value
    elif isinstance(value, (ast.List, ast.Tuple)):
        parts = value.elts
    elif isinstance(value, ast.Dict):
        parts = value.values
    elif isinstance(value, ast.IfExp):
        parts = [value.body, value.orelse]
    for part in parts:
        yield from _lambdas(part)


def _as_function(node: ast.Lambda) -> ast.FunctionDef:
    """The function that a lambda is, in its place."""
    returned = ast.copy_location(ast.Return(node.body), node.body)
    return ast.copy_location(ast.FunctionDef(NAME, node.args, [returned], []), node)


def is_lambda(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == NAME
