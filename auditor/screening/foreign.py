"""Calls of what is certainly neither an operation nor a function of the file.

A loop that makes such a call at every step can be neither read as a scan nor taken for a fold: the
call may do anything. So it need not be lifted to know that no rewrite applies to it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.lift.module import Module, canonical, descendants, every_statement
from auditor.purity import is_pure
from auditor.syntax import path_of

_KEEPING = ("heapq.", "bisect.")
"""Modules whose functions keep lists in order."""
_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Raise)


class Foreign:
    """Looks at the loops of one file."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._called_only: dict[str, bool] = {}

    def in_loop(self, loop: ast.For | ast.While, function: ast.stmt) -> bool:
        """Whether each step of a loop calls something foreign, whatever its branches do."""
        return any(
            isinstance(node, ast.Call) and self._is_foreign(node, function)
            for statement in _always(loop.body)
            for node in _evaluated(statement)
        )

    def _is_foreign(self, call: ast.Call, function: ast.stmt) -> bool:
        from auditor.lift import tables

        if is_pure(self._module, call):
            return False
        path, root = path_of(self._module, call.func), _root(call.func)
        if path is not None and root is not None and not _bindings(function, root):
            return not (path.startswith(_KEEPING) or tables.computes(canonical(path)))
        if isinstance(call.func, ast.Attribute):
            name = call.func.attr
            if tables.known_method(name):
                return False
            return not _may_be_self(call.func.value, function) or self._only_called(name)
        if not isinstance(call.func, ast.Name):
            return False
        bound = _bindings(function, call.func.id)
        return bool(bound) and _only_walked(function, bound)

    def _only_called(self, name: str) -> bool:
        """Whether the file knows a name only as a method that it calls: it defines no such
        function and keeps nothing under it."""
        if name not in self._called_only:
            text = self._module.text
            self._called_only[name] = text.count(name) == text.count(f".{name}(")
        return self._called_only[name]


def _always(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """What a block evaluates whichever branches are taken, as far as it is certain to get."""
    for statement in body:
        if isinstance(statement, ast.If):
            yield statement.test
            if any(isinstance(inner, _LEAVING) for inner in every_statement([statement])):
                return
        elif isinstance(statement, ast.For):
            yield statement.iter
        elif isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)):
            if statement.value is not None:
                yield statement.value
        elif isinstance(statement, _LEAVING):
            return


# The parts of an expression that are evaluated whatever the others are.
_PARTS = {
    ast.Call: ("func", "args", "keywords"),
    ast.keyword: ("value",),
    ast.Starred: ("value",),
    ast.Attribute: ("value",),
    ast.Subscript: ("value",),
    ast.BinOp: ("left", "right"),
    ast.UnaryOp: ("operand",),
    ast.Compare: ("left",),
    ast.Tuple: ("elts",),
    ast.List: ("elts",),
}


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """An expression and those of its parts that are always evaluated."""
    yield node
    for name in _PARTS.get(type(node), ()):
        part = getattr(node, name)
        for inner in part if isinstance(part, list) else (part,):
            yield from _evaluated(inner)


def _root(node: ast.expr) -> str | None:
    """The name that a dotted path begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _bindings(function: ast.stmt, name: str) -> list[ast.AST]:
    """What may bind a name in a function."""
    return [
        node
        for node in descendants(function)
        if (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.arg) and node.arg == name)
        or getattr(node, "name", None) == name
    ]


def _may_be_self(receiver: ast.expr, function: ast.stmt) -> bool:
    """Whether a method may be one of the same class: not on what a parameter other than the first
    holds, or on a part of something."""
    if not isinstance(receiver, ast.Name):
        return False
    first = isinstance(function, ast.FunctionDef) and function.args.args[:1]
    bound = _bindings(function, receiver.id)
    return not bound or not all(isinstance(n, ast.arg) and n not in (first or ()) for n in bound)


def _only_walked(function: ast.stmt, bound: list[ast.AST]) -> bool:
    """Whether a name is only ever bound to the items that loops walk: none of them is a function
    that the code defines, unless the loop walks a list of such."""
    targets: set[ast.AST] = set()
    for node in descendants(function):
        if isinstance(node, ast.For) and _no_literal(node.iter):
            targets.update(descendants(node.target))
    return all(node in targets for node in bound)


def _no_literal(source: ast.expr) -> bool:
    """Attributes and what is called on them: ``enumerate(zip(self.layers, self.norms))``."""
    if isinstance(source, ast.Call):
        plain = isinstance(source.func, ast.Name) and source.func.id in ("enumerate", "zip")
        return plain and all(_no_literal(arg) for arg in source.args)
    return isinstance(source, ast.Attribute)
