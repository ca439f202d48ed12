"""Which names of a function may lead to the same object: by how they are assigned, walked and put
into others. All that comes from outside may be one object, unless arguments are taken to be apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from auditor.lift.bound import COMPREHENSIONS
from auditor.lift.call_effects import given_back
from auditor.lift.changes import dotted
from auditor.lift.module import Module
from auditor.syntax import path_of
from auditor.tree import children, descendants

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
WALKING = frozenset("map filter zip enumerate iter".split())
"""Builtins that walk what they are given as they are walked themselves."""
_OUTSIDE = "<outside>"
_ABOUT = (".shape", ".dtype", ".device", ".ndim")
_PUTS = frozenset("append appendleft insert add extend extendleft update setdefault".split())


def walks(module: Module, call: ast.Call) -> bool:
    """Whether a call gives back what walks its arguments as it is walked."""
    if isinstance(call.func, ast.Name) and call.func.id in WALKING:
        return call.func.id not in module.bound and call.func.id not in module.names
    return (path_of(module, call.func) or "").startswith("itertools.")


def root_of(path: str) -> str:
    return path.partition(".")[0]


class Reaching:
    """The names of ``nodes``, what ``scope`` evaluates itself, of which it binds ``bound``.
    ``apart`` says that what a function is given shares no memory."""

    def __init__(
        self,
        module: Module,
        scope: ast.AST,
        nodes: list[ast.AST],
        bound: set[str],
        apart: bool,
    ) -> None:
        self._module, self._bound = module, bound
        self._given: set[str] = set()
        if isinstance(scope, FUNCTIONS) and not apart:
            self._given = {n.arg for n in descendants(scope.args) if isinstance(n, ast.arg)}
        self._same, self._holds = _Groups(), _Groups()
        for node in nodes:
            self._link(node)

    def is_part(self, path: str, other: str) -> bool:
        """Whether what two paths name may be one, or lie in or hold the other's."""
        return self._meet(self._holds, path, other)

    def is_same(self, path: str, other: str) -> bool:
        """Whether two paths may name one object."""
        return self._meet(self._same, path, other)

    def linked(self, path: str, name: str) -> bool:
        """As ``is_part``, of whatever has the same root."""
        return self._holds.one(self._key(path), self._key(name))

    def _meet(self, groups: _Groups, path: str, other: str) -> bool:
        if root_of(path) == root_of(other):
            return path == other or path.startswith(f"{other}.") or other.startswith(f"{path}.")
        return groups.one(self._key(path), self._key(other))

    def _key(self, path: str) -> str:
        """A name as what may lead elsewhere: all that comes from outside may be one."""
        root = root_of(path)
        return _OUTSIDE if root in self._given or root not in self._bound else root

    def _link(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._tie(target, node.value, True)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            self._tie(node.target, node.value, True)
        elif isinstance(node, (ast.For, ast.comprehension)):
            self._tie(node.target, node.iter, False)
        elif isinstance(node, ast.AugAssign) and isinstance(node.value, (ast.List, ast.Tuple)):
            self._tie(node.target, node.value, False)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in _PUTS:
                for arg in node.args:
                    self._tie(node.func.value, arg, False)

    def _tie(self, target: ast.expr, value: ast.expr, same: bool) -> None:
        names = [n.id for n in descendants(target) if isinstance(n, ast.Name)]
        for held in self.held(value):
            for name in names:
                self._holds.tie(self._key(name), self._key(held))
                if same and not isinstance(value, (ast.List, ast.Tuple, ast.Set, ast.Dict)):
                    self._same.tie(self._key(name), self._key(held))

    def held(self, node: ast.AST) -> Iterator[str]:
        """The paths of what the value of an expression may be, hold or lie in."""
        path = dotted(node)
        if path is not None:
            if not path.endswith(_ABOUT) and root_of(path) not in self._module.names:
                yield path
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in ("range", "len"):
                return
            if walks(self._module, node):
                parts: Iterable[ast.expr] = node.args
            else:
                parts = given_back(self._module, node)
            yield from (held for part in parts for held in self.held(part))
        elif isinstance(node, ast.BinOp):
            sides = (node.left, node.right)
            if any(isinstance(side, (ast.List, ast.Tuple)) for side in sides):
                yield from (held for side in sides for held in self.held(side))
        elif isinstance(node, ast.Subscript):
            yield from self.held(node.value)
        elif isinstance(node, COMPREHENSIONS):
            parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            yield from (held for part in parts for held in self.held(part))
        elif not isinstance(node, (ast.Compare, ast.Constant, ast.UnaryOp, ast.Lambda)):
            yield from (held for part in children(node) for held in self.held(part))


class _Groups:
    """Names that belong together."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def tie(self, one: str, other: str) -> None:
        self._above[self._top(one)] = self._top(other)

    def one(self, one: str, other: str) -> bool:
        return self._top(one) == self._top(other)

    def _top(self, name: str) -> str:
        while self._above.get(name, name) != name:
            name = self._above[name]
        return name
