"""What a table of the file holds, where the file makes it of numbers that it writes out: the
statements that make it are interpreted, never run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from auditor.derive.interpreter import ANSWER, CannotRun, Env, Interpreter, Run
from auditor.derive.scopes import top_level_names
from auditor.tree import children, everything_in

_MOST_STEPS = 40_000
"""A table of bytes takes 256 rounds of eight bits, some ten operations each."""
_WIDEST = 1 << 16


def contents(tree: ast.Module, name: str) -> tuple[int, ...] | None:
    """The whole numbers of a list or tuple under a name of the file, if nothing changes them."""
    made = [s for s in tree.body if name in top_level_names(s)]
    if len(made) != 1 or not isinstance(made[0], (ast.Assign, ast.AnnAssign)):
        return None
    building = [s for s in tree.body if _changes(s, name)]
    if building[0] is not made[0] or not _only_read(tree, building, name):
        return None
    bound = [n for s in tree.body for n in top_level_names(s)]
    once = {n: s for s in tree.body for n in top_level_names(s) if bound.count(n) == 1}
    functions = {n: s for n, s in once.items() if isinstance(s, ast.FunctionDef)}
    needed = _needed(building, once)
    statements = [s for s in tree.body if s in building or (s in needed and _is_constant(s))]
    try:
        held = _Builder(frozenset(bound), functions).run(statements, name)
    except (CannotRun, ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        return None
    if not isinstance(held, (list, tuple)) or not 0 < len(held) <= _WIDEST:
        return None
    return tuple(held) if all(type(n) is int for n in held) else None


def _changes(statement: ast.stmt, name: str) -> bool:
    """Does a statement of the module make a name, or mention it in a loop that fills it?"""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    filling = isinstance(statement, (ast.For, ast.While, ast.Expr, ast.AugAssign))
    mentioned = any(isinstance(n, ast.Name) and n.id == name for n in everything_in(statement))
    return name in top_level_names(statement) or (filling and mentioned)


def _needed(building: list[ast.stmt], once: dict[str, ast.stmt]) -> set[ast.stmt]:
    """The statements of the module that those which make a table rest on, by names bound once."""
    found: set[ast.stmt] = set()
    left = list(building)
    while left:
        read = (n.id for n in everything_in(left.pop()) if isinstance(n, ast.Name))
        more = {once[name] for name in read if name in once} - found - set(building)
        found |= more
        left += more
    return found


def _is_constant(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, (ast.Assign, ast.AnnAssign))
        and isinstance(statement.value, ast.Constant)
    )  # fmt: skip


def _only_read(tree: ast.Module, building: list[ast.stmt], name: str) -> bool:
    """Is the name looked up, and nothing else, wherever it stands but in what makes it?"""
    own = {node for statement in building for node in everything_in(statement)}
    for node in everything_in(tree):
        if isinstance(node, ast.Global) and name in node.names:
            return False
        if _binds_otherwise(node) == name:
            return False  # a function around a loop may mean something else by it
        for child in children(node):
            if not isinstance(child, ast.Name) or child.id != name or child in own:
                continue
            looks = isinstance(node, ast.Subscript) and node.value is child
            if not looks or not isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
                return False
    return True


def _binds_otherwise(node: ast.AST) -> str | None:
    """What a parameter, an import or the name of an exception binds."""
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.alias):
        return node.asname or node.name
    return node.name if isinstance(node, ast.ExceptHandler) else None


class _Builder(Interpreter):
    """The statements that make a table, with loops over ranges and functions of the file."""

    def __init__(self, bound: frozenset[str], functions: dict[str, ast.FunctionDef]) -> None:
        super().__init__(bound)
        self._functions = functions
        self._left = _MOST_STEPS
        self._of_module: Env = {}

    def run(self, statements: list[ast.stmt], name: str) -> Any:
        """What ``name`` is after the statements. Raises ``CannotRun``."""
        if self.block(statements)(self._of_module):
            raise CannotRun("an exit")
        return self._of_module[name]

    def _statement(self, node: ast.stmt) -> Callable[[Env], int]:
        if isinstance(node, ast.For) and not node.orelse:
            return self._for(node)
        return super()._statement(node)

    def _for(self, node: ast.For) -> Callable[[Env], int]:
        walked, store, body = self._range(node.iter), self.store(node.target), self.block(node.body)

        def run(env: Env) -> int:
            for one in walked(env):
                store(env, one)
                if body(env):
                    raise CannotRun("what leaves a loop")
            return 0

        return run

    def expression(self, node: ast.expr) -> Run:
        if isinstance(node, ast.ListComp) and len(node.generators) == 1:
            return self._listed(node.elt, node.generators[0])
        if isinstance(node, ast.BinOp) and isinstance(node.left, ast.List):
            return self._repeated(node.left, node.op, node.right)
        return super().expression(node)

    def _listed(self, element: ast.expr, made: ast.comprehension) -> Run:
        if made.ifs or made.is_async:
            raise CannotRun("a condition")
        walked, store = self._range(made.iter), self.store(made.target)
        value = self.expression(element)

        def run(env: Env) -> list[Any]:
            held, inner = [], dict(env)
            for one in walked(env):
                store(inner, one)
                held.append(value(inner))
            return held

        return run

    def _repeated(self, one: ast.List, op: ast.operator, times: ast.expr) -> Run:
        item, count = self.expression(one), self.expression(times)

        def run(env: Env) -> list[Any]:
            if not isinstance(op, ast.Mult) or not 0 <= count(env) <= _WIDEST:
                raise CannotRun("what is no list of one size")
            return list(item(env) * count(env))

        return run

    def _range(self, node: ast.expr) -> Callable[[Env], Iterator[int]]:
        """The numbers of a range, each of which is counted."""
        named = isinstance(node, ast.Call) and ast.unparse(node.func) == "range"
        if not named or "range" in self._defined or node.keywords:  # type: ignore[attr-defined]
            raise CannotRun(ast.unparse(node))
        ends = [self.expression(arg) for arg in node.args]  # type: ignore[attr-defined]

        def run(env: Env) -> Iterator[int]:
            for one in range(*(end(env) for end in ends)):
                self._left -= 1
                if self._left < 0:
                    raise CannotRun("too many steps")
                yield one

        return run

    def _call(self, node: ast.Call) -> Run:
        function = self._functions.get(ast.unparse(node.func))
        if function is None:
            return super()._call(node)
        return self._of_file(function, [self.expression(arg) for arg in node.args], node)

    def _of_file(self, function: ast.FunctionDef, args: list[Run], node: ast.Call) -> Run:
        given = function.args
        plain = not (given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg)
        if not plain or function.decorator_list or node.keywords or len(args) != len(given.args):
            raise CannotRun(function.name)
        body = self.block(_without_text(function.body))

        def run(env: Env) -> Any:
            self._left -= 1
            if self._left < 0:
                raise CannotRun("too many steps")
            inner = {**self._of_module}
            inner |= {one.arg: arg(env) for one, arg in zip(given.args, args, strict=True)}
            body(inner)
            return inner.get(ANSWER)

        return run


def _without_text(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if text else body
