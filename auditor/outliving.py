"""Names that outlive the code that binds them: those of the module itself, which another file may
import, and those that a function declares to be its module's or its surrounding function's."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from auditor.notation import Span
from auditor.tree import children, every_statement, everything_in

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_INNER = (*_SCOPES, ast.For, ast.AsyncFor, ast.While, ast.comprehension)


def lost(before: ast.Module, after: ast.Module, spans: Iterable[Span]) -> str | None:
    """A name that an edit of ``spans``, which makes ``after`` of ``before``, takes from those who
    may read it: one of the module that is bound no more, or one declared ``global`` or ``nonlocal``
    where the edit binds it. What only the loops of a script bind counts as theirs."""
    gone = _of_module(before) - _of_module(after) - {"_"}
    if gone:
        return f"`{min(gone)}` may be read by whoever imports this file"
    for name, line in _declared(before, list(spans)):
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
    if not any(isinstance(node, (ast.Global, ast.Nonlocal)) for node in every_statement(tree.body)):
        return
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
