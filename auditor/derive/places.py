"""The loop at a line of a file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.tree import children, everything_in

Function = ast.FunctionDef | ast.AsyncFunctionDef


class NoLoop(Exception):
    """There is no such line, or no loop on it."""


@dataclass(frozen=True, eq=False)
class Place:
    """A loop with what is around it: the function, and the loops that it stands in;
    ``assumptions`` are made where it is not spelled as in the file."""

    tree: ast.Module
    loop: ast.For | ast.While | ast.AsyncFor
    function: Function | None
    scope: str
    outer: tuple[ast.stmt, ...]
    assumptions: tuple[str, ...] = ()


def loop_at(text: str, line: int) -> Place:
    """The innermost loop at ``line``. Raises ``NoLoop`` and ``SyntaxError``."""
    tree = ast.parse(text)
    lines = len(text.splitlines())
    if not 1 <= line <= lines:
        raise NoLoop(f"there is no line {line}: the file has {lines} lines")
    return loop_in(tree, line)


def loop_in(tree: ast.Module, line: int) -> Place:
    """The innermost loop at ``line`` of a file that is parsed. Raises ``NoLoop``."""
    scope: list[str] = []
    function: Function | None = None
    loop: ast.For | ast.While | ast.AsyncFor | None = None
    outer: list[ast.stmt] = []
    node: ast.AST = tree
    while True:
        below = [
            child
            for child in _statements(node)
            if _first_line(child) <= line <= (child.end_lineno or child.lineno)
        ]
        if not below:
            break
        node = below[0]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            function, loop, outer = node, None, []
            scope.append(node.name)
        elif isinstance(node, ast.ClassDef):
            scope.append(node.name)
            loop, outer = None, []
        elif isinstance(node, (ast.For, ast.While, ast.AsyncFor)):
            if loop is not None:
                outer.append(loop)
            loop = node
    if loop is None:
        starts = sorted({n.lineno for n in everything_in(tree) if isinstance(n, ast.For)})
        near = sorted(starts, key=lambda start: abs(start - line))[:3]
        where = f"; loops begin on {_lines(sorted(near))}" if near else " and none in the file"
        raise NoLoop(f"there is no loop on line {line}{where}")
    return Place(tree, loop, function, ".".join(scope) or "<module>", tuple(outer))


def _first_line(node: ast.stmt) -> int:
    marks: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(mark.lineno for mark in marks)])


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    for child in children(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
            yield from _statements(child)


def _lines(numbers: list[int]) -> str:
    return f"line{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
