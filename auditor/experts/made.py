"""What modules are constructed from: the calls behind names, behind lists that are filled and
unpacked, and behind functions of the file that return a module."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import chain

from auditor.lift.module import ClassScope, Module
from auditor.syntax import is_name, path_of
from auditor.tree import everything_in

_FILLS = {"append": 0, "extend": 0, "insert": 1}
"""Methods that put modules into a list, and which argument these are."""
_HARMLESS = frozenset(("staticmethod", "classmethod"))


@dataclass(frozen=True)
class Maker:
    """A function in which modules are constructed, of a class or none."""

    module: Module
    klass: ClassScope | None
    function: ast.FunctionDef | ast.Lambda | None

    def modules(self, node: ast.expr) -> list[ast.expr] | None:
        """The calls that construct what an expression holds, ``*layers`` too: every one that it may
        hold, in no order. None where others may be among them."""
        if isinstance(node, ast.Starred):
            return self.modules(node.value)
        if isinstance(node, (ast.List, ast.Tuple)):
            parts = [self.modules(each) for each in node.elts]
            known = [part for part in parts if part is not None]
            return [*chain.from_iterable(known)] if len(known) == len(parts) else None
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return self.modules(node.elt)
        if isinstance(node, ast.IfExp):
            return self.modules(ast.List([node.body, node.orelse], ast.Load()))
        if isinstance(node, ast.Name):
            return self._named(node.id)
        return [node]

    def called(self, node: ast.Call) -> Maker | None:
        """The function of the file, a method or one within this one, that a call runs."""
        function, called = node.func, None
        if isinstance(function, ast.Name):
            called = self._inner(function.id) or self.module.functions.get(function.id)
            klass = None
        elif isinstance(function, ast.Attribute) and self.klass is not None:
            klass = self.klass
            if is_name(function.value, "self") or is_name(function.value, klass.node.name):
                called = self.module.method(klass, function.attr)
        if called is None or any(
            not isinstance(each, ast.Name) or each.id not in _HARMLESS
            for each in getattr(called, "decorator_list", ())
        ):
            return None
        return Maker(self.module, klass, called)

    def returned(self) -> list[ast.expr]:
        """What the function may return."""
        if isinstance(self.function, ast.Lambda):
            return [self.function.body]
        found = [
            node.value or ast.Constant(None) for node in everything_in(self.function)
            if isinstance(node, ast.Return)
        ] if self.function is not None else []  # fmt: skip
        return found or [ast.Constant(None)]

    def _inner(self, name: str) -> ast.FunctionDef | ast.Lambda | None:
        """The function within this one, or the lambda that a name of it holds."""
        if self.function is None or isinstance(self.function, ast.Lambda):
            return None
        made = [n for n in everything_in(self.function)
                if isinstance(n, ast.FunctionDef) and n.name == name]  # fmt: skip
        held = self._given(name)
        if len(made) + len(held) != 1 or (made and self._stores(name)):
            return None
        both: list[ast.AST] = [*made, *held]
        (found,) = both
        return found if isinstance(found, (ast.FunctionDef, ast.Lambda)) else None

    def _given(self, name: str) -> list[ast.expr]:
        """What a name of the function is set to, and what is put into the list that it is."""
        found = []
        for node in everything_in(self.function) if self.function is not None else ():
            if isinstance(node, ast.Assign) and any(is_name(t, name) for t in node.targets):
                found.append(node.value)
            elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and is_name(node.target, name):
                found += [node.value] if node.value is not None else []
            elif isinstance(node, ast.Call) and _fills(node, name):
                assert isinstance(node.func, ast.Attribute)
                found.append(node.args[_FILLS[node.func.attr]])
        return found

    def _stores(self, name: str) -> int:
        inside = everything_in(self.function) if self.function is not None else []
        return sum(isinstance(node, ast.Name) and node.id == name
                   and isinstance(node.ctx, ast.Store) for node in inside)  # fmt: skip

    def _named(self, name: str) -> list[ast.expr] | None:
        """Of a name that is bound by assignments alone, and only filled and put into modules."""
        given = self._given(name)
        inside = list(everything_in(self.function)) if self.function is not None else []
        fills = [node for node in inside if isinstance(node, ast.Call) and _fills(node, name)]
        arguments = {node.arg for node in inside if isinstance(node, ast.arg)}
        if not given or name in arguments or len(given) != len(fills) + self._stores(name):
            return None
        used = {node for node in inside if is_name(node, name) and _is_load(node)}
        used -= {node.func.value for node in fills if isinstance(node.func, ast.Attribute)}
        for node in inside:
            if isinstance(node, ast.Return):
                used.discard(node.value)
            elif isinstance(node, (ast.List, ast.Tuple)):
                used -= set(map(_unpacked, node.elts))
            elif isinstance(node, ast.Call) and self._joins(node):
                used -= set(map(_unpacked, node.args))
        if used or any(is_name(inner, name) for each in given for inner in everything_in(each)):
            return None
        return self.modules(ast.List(given, ast.Load()))

    def _joins(self, node: ast.Call) -> bool:
        fills = isinstance(node.func, ast.Attribute) and node.func.attr in _FILLS
        return fills or path_of(self.module, node.func) == "torch.nn.Sequential"


def _fills(node: ast.Call, name: str) -> bool:
    """``layers.append(...)``"""
    function = node.func
    if not isinstance(function, ast.Attribute) or not is_name(function.value, name):
        return False
    return len(node.args) == _FILLS.get(function.attr, -2) + 1 and not node.keywords


def _is_load(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def _unpacked(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Starred) else node
