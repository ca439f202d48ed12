"""Which attributes a method writes into: by a subscript, an operation in place or ``out=``, on the
attribute itself or on a name for it or for a part of it."""

from __future__ import annotations

import ast
from functools import cached_property
from weakref import WeakKeyDictionary

from auditor.tree import children, descendants

_FRESH = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Constant, ast.JoinedStr)
FILLING = frozenset("fill put itemset resize partition setfield".split())
"""Methods of arrays that change them, though their names do not end in ``_``."""
_WRITING = frozenset((ast.AugAssign, ast.Subscript, ast.Call))
_BINDING = frozenset((ast.Assign, ast.For, ast.comprehension, ast.AnnAssign, ast.NamedExpr))
_CHANGING = FILLING | {"sort"}  # which torch's method does not
FILLING_FIRST = frozenset("copyto fill_diagonal place put put_along_axis putmask".split())
"""Functions of NumPy that change what they are given first."""


def changed_names(node: ast.AST) -> set[str]:
    """The names of arrays that a statement may change in place, whatever it executes."""
    nodes = descendants(node)
    found = {
        name.id
        for inner in nodes for part in _written(inner) for name in descendants(part)
        if isinstance(name, ast.Name)
    }  # fmt: skip
    before = -1
    while len(found) > before:
        before = len(found)
        for target, value in (pair for inner in nodes for pair in _bindings(inner)):
            if isinstance(value, _FRESH) or found.isdisjoint(_names(target)):
                continue
            found |= _names(value)
    return found


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in descendants(node) if isinstance(inner, ast.Name)}


class Filling:
    """The writes of one method or statement. Names are followed wherever they are bound, in any
    order."""

    def __init__(self, method: ast.AST) -> None:
        nodes = descendants(method)
        self.written = [
            part for node in nodes if type(node) in _WRITING for part in _written(node)
        ]  # fmt: skip
        self.held: dict[str, set[str]] = {}
        self.bindings = [
            pair for node in (nodes if self.written else ()) if type(node) in _BINDING
            for pair in _bindings(node)
        ]  # fmt: skip
        while self.written and self._follow():
            pass

    @cached_property
    def attributes(self) -> set[str]:
        """The attributes that are written into."""
        return {name for part in self.written for name in self._of(part)}

    @cached_property
    def of_others(self) -> set[str]:
        """Those that are not only attributes of ``self``."""
        inner = [
            node for part in self.written for node in descendants(part)
            if isinstance(node, ast.Attribute)
        ]  # fmt: skip
        own = {node.attr for node in inner if ast.unparse(node.value) == "self"}
        others = {node.attr for node in inner if ast.unparse(node.value) != "self"}
        return self.attributes - (own - others)

    @staticmethod
    def of(method: ast.AST) -> Filling:
        """The same, worked out once for a method."""
        if method not in _known:
            _known[method] = Filling(method)
        return _known[method]

    def _follow(self) -> bool:
        """One more step from names to what they are bound to; whether it found anything."""
        news = False
        for target, value in self.bindings:
            found = self._of(value)
            for name in descendants(target) if found else ():
                if isinstance(name, ast.Name):
                    held = self.held.setdefault(name.id, set())
                    news |= not found <= held
                    held |= found
        return news

    def _of(self, node: ast.AST) -> set[str]:
        """The attributes that what an expression gives may be, or be a part of."""
        if isinstance(node, _FRESH):
            return set()
        if isinstance(node, ast.Name):
            return self.held.get(node.id, set())
        if isinstance(node, ast.Subscript):
            return self._of(node.value)
        if isinstance(node, ast.Attribute):
            return {node.attr, *self._of(node.value)}
        return {name for part in children(node) for name in self._of(part)}


def _bindings(node: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    """What a node binds, with what it is bound to."""
    if isinstance(node, ast.Assign):
        return [(target, node.value) for target in node.targets]
    if isinstance(node, (ast.For, ast.comprehension)):
        return [(node.target, node.iter)]
    if isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        return [(node.target, node.value)]
    return []


def _written(node: ast.AST) -> list[ast.AST]:
    """The expressions whose arrays a node writes into."""
    if isinstance(node, ast.AugAssign):
        return [node.target]
    if isinstance(node, ast.Subscript):
        return [] if isinstance(node.ctx, ast.Load) else [node.value]
    if not isinstance(node, ast.Call):
        return []
    found: list[ast.AST] = [word.value for word in node.keywords if word.arg == "out"]
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    in_place = name.endswith("_") and not name.endswith("__")
    if in_place or name in _CHANGING:
        assert isinstance(node.func, ast.Attribute)
        found.append(node.func.value)
    if name in FILLING_FIRST or (in_place and _fills_first(node.func)):
        found += node.args[:1]
    return found


def _fills_first(function: ast.expr) -> bool:
    """``nn.init.zeros_(x)``, ``init.normal_(x)``."""
    owner = function.value if isinstance(function, ast.Attribute) else None
    return (owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")) == "init"


_known: WeakKeyDictionary[ast.AST, Filling] = WeakKeyDictionary()
