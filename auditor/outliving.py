"""Names that outlive the code that binds them: those of the module itself, which another file may
import, and those that a function declares to be its module's or its surrounding function's."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.lift.module import Module
from auditor.notation import Span
from auditor.tree import children, everything_in

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_INNER = (*_SCOPES, ast.For, ast.AsyncFor, ast.While, ast.comprehension)


def unbound(before: ast.Module, after: ast.Module) -> str | None:
    """A name of the module that is bound no more. What only the loops of a script bind counts as
    theirs."""
    gone = _of_module(before) - _of_module(after) - {"_"}
    return f"`{min(gone)}` may be read by whoever imports this file" if gone else None


def declared_elsewhere(module: Module, spans: list[Span]) -> str | None:
    """A name declared ``global`` or ``nonlocal`` that is bound within ``spans``."""
    if not module.shared_names:
        return None
    for name, line in _declared(module.tree, spans):
        return f"`{name}` outlives the function (line {line})"
    return None


def _of_module(tree: ast.Module) -> set[str]:
    """The names that statements of a module bind outside of loops."""
    found: set[str] = set()
    waiting: list[ast.AST] = [*tree.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if not isinstance(node, _INNER):
            waiting += children(node)
    return found


def _declared(tree: ast.Module, spans: list[Span]) -> Iterator[tuple[str, int]]:
    """Names declared to belong elsewhere that are bound within ``spans``, with the lines of their
    declarations."""
    for function in everything_in(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        declared = {
            name: node.lineno
            for node in everything_in(function)
            if isinstance(node, (ast.Global, ast.Nonlocal))
            for name in node.names
        }
        for node in everything_in(function) if declared else ():
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                if node.id in declared and any(_holds(span, node) for span in spans):
                    yield node.id, declared[node.id]


def _holds(span: Span, node: ast.Name) -> bool:
    place = (node.lineno, node.col_offset + 1)
    return (span.line, span.column) <= place < (span.end_line, span.end_column)
