"""Calls of what is certainly neither an operation nor a function that can be read in its place.

The lifter takes such a call for one that may do anything, and leaves the loop around it alone. So
the loop need not be lifted to know that no rewrite applies to it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.lift.invocation import is_plain
from auditor.lift.module import ClassScope, Module, canonical
from auditor.surroundings.purity import is_pure
from auditor.syntax import path_of
from auditor.tree import descendants, every_statement

_KEEPING = ("heapq.", "bisect.")
"""Modules whose functions keep lists in order."""
_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Raise)


@dataclass(frozen=True)
class Scope:
    """The function that a piece of code stands in. ``called`` says that it is read in place of a
    call, so that its parameters may be anything that the file knows."""

    function: ast.AST
    klass: ClassScope | None = None
    called: bool = False


class Foreign:
    """Looks at the calls of one file."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._called_only: dict[str, bool] = {}
        self._doomed: dict[ast.AST, bool] = {}
        self._bound: dict[tuple[ast.AST, str], list[ast.AST]] = {}

    def calls(self, node: ast.AST, scope: Scope) -> bool:
        """Whether evaluating an expression calls something foreign, whatever its parts are."""
        return any(
            isinstance(part, ast.Call) and self._is_foreign(part, scope)
            for part in _evaluated(node)
        )

    def _is_foreign(self, call: ast.Call, scope: Scope) -> bool:
        if is_pure(self._module, call):
            return False
        if isinstance(call.func, ast.Name):
            return self._name(call.func.id, path_of(self._module, call.func), scope)
        root = _root(call.func)
        if root is not None and not self.bindings(scope, root):
            path = path_of(self._module, call.func)
            if path is not None:
                return not _computes(path)
        if not isinstance(call.func, ast.Attribute):
            return False
        receiver, name = call.func.value, call.func.attr
        if isinstance(receiver, ast.Name) and self.is_self(receiver.id, scope):
            return self._own_method(name, scope)
        if _known_method(name) or self._is_part(receiver, name, scope):
            return False
        return not self._may_be_self(receiver, scope) or self._is_only_called(name)

    def _is_part(self, receiver: ast.expr, name: str, scope: Scope) -> bool:
        """Whether a method may be one of the file's own on what the constructor made."""
        if not (isinstance(receiver, ast.Attribute) and isinstance(receiver.value, ast.Name)):
            return False
        if not self.is_self(receiver.value.id, scope):
            return False
        return any(name in klass.methods for klass in self._module.classes.values())

    def _may_be_self(self, receiver: ast.expr, scope: Scope) -> bool:
        """Whether a method may be one of the file's own: not on what a parameter holds, on a name
        that nothing here binds, or on a part of something."""
        if scope.called:
            return True
        if not isinstance(receiver, ast.Name):
            return False
        bound, given = self.bindings(scope, receiver.id), _parameters(scope.function)
        return not all(node in given for node in bound)

    def _name(self, name: str, path: str | None, scope: Scope) -> bool:
        """Whether a call of a plain name is foreign."""
        bound = self.bindings(scope, name)
        if not bound:
            if path is not None:
                return not _computes(path)
            module = self._module
            if name in module.functions:
                return self._is_doomed(module.functions[name], None)
            if name in module.bound:
                return not self._makes_record(name)
            return not _computes(name)
        if all(isinstance(node, ast.FunctionDef) for node in bound):
            return all(node.decorator_list or self._is_doomed(node, None) for node in bound
                       if isinstance(node, ast.FunctionDef))  # fmt: skip
        return self.is_given(name, scope) or _only_walked(scope.function, bound)

    def _makes_record(self, name: str) -> bool:
        """Whether a name of the file may make values of several parts, nothing else."""
        klass, constant = self._module.classes.get(name), self._module.constants.get(name)
        if klass is not None:
            module = "forward" in klass.methods  # made with weights, which are drawn
            return not module and bool(klass.node.decorator_list or klass.node.bases)
        return isinstance(constant, ast.Call)

    def _own_method(self, name: str, scope: Scope) -> bool:
        """Whether ``self.name(...)`` is foreign: kept by nobody, or a method that cannot be read in
        its place."""
        assert scope.klass is not None
        method = scope.klass.methods.get(name)
        if self._keeps(scope.klass, name):
            return False
        return method is None or bool(method.decorator_list) or self._is_doomed(method, scope.klass)

    def _keeps(self, klass: ClassScope, name: str) -> bool:
        """Whether the constructor may set an attribute to something that has a meaning, which what
        it was merely given has not."""
        init = klass.methods.get("__init__")
        if init is None:
            return False
        scope = Scope(init, klass)
        plain = {
            target
            for node in every_statement(init.body)
            if isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Name)
            and self.is_given(node.value.id, scope)
            for target in node.targets
        }
        return any(
            (isinstance(node, ast.Attribute) and node.attr == name and node not in plain
             and not isinstance(node.ctx, ast.Load))
            or (isinstance(node, ast.Constant) and node.value == name)
            for node in descendants(init)
        )  # fmt: skip

    def is_self(self, name: str, scope: Scope) -> bool:
        """Whether a name is certainly the object that a method belongs to."""
        function = scope.function
        if scope.klass is None or not isinstance(function, ast.FunctionDef):
            return False
        static = any(isinstance(d, ast.Name) and d.id == "staticmethod"
                     for d in function.decorator_list)  # fmt: skip
        return not static and self.bindings(scope, name) == _parameters(function)[:1]

    def _is_doomed(self, function: ast.FunctionDef, klass: ClassScope | None) -> bool:
        """Whether a function can never be read in place of a call."""
        if function not in self._doomed:
            self._doomed[function] = False  # while it is looked at: it may call itself
            scope = Scope(function, klass, called=True)
            returns = isinstance(function.body[-1], ast.Return)
            self._doomed[function] = not (returns and is_plain(function)) or any(
                self.calls(part, scope) for part in _always(function.body)
            )
        return self._doomed[function]

    def _is_only_called(self, name: str) -> bool:
        """Whether the file knows a name only as a method that it calls: it defines no such
        function and keeps nothing under it."""
        if name not in self._called_only:
            text = self._module.text
            self._called_only[name] = text.count(name) == text.count(f".{name}(")
        return self._called_only[name]

    def is_given(self, name: str, scope: Scope) -> bool:
        """Whether a name is a parameter that keeps what the function was given for it."""
        bound, given = self.bindings(scope, name), _parameters(scope.function)
        return not scope.called and bool(bound) and all(node in given for node in bound)

    def bindings(self, scope: Scope, name: str) -> list[ast.AST]:
        """What may bind a name in a function."""
        key = (scope.function, name)
        if key not in self._bound:
            self._bound[key] = [
                node
                for node in descendants(scope.function)
                if node is not scope.function and _binds(node, name)
            ]
        return self._bound[key]


def _binds(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.arg):
        return node.arg == name
    # An import is the same name everywhere in the file.
    return getattr(node, "name", None) == name and not isinstance(node, ast.alias)


def _parameters(function: ast.AST) -> list[ast.arg]:
    """Those that hold one argument each."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return []
    spec = function.args
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]


def _computes(path: str) -> bool:
    from auditor.lift import tables

    return path.startswith(_KEEPING) or tables.computes(canonical(path))


def _known_method(name: str) -> bool:
    from auditor.lift import tables

    return tables.known_method(name)


_VALUES = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)


def _always(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """What a block evaluates whichever branches are taken, as far as it is certain to get."""
    for statement in body:
        if isinstance(statement, ast.If):
            yield statement.test
            if any(isinstance(inner, _LEAVING) for inner in every_statement([statement])):
                return
        elif isinstance(
            statement, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
        ):
            if statement.value is not None:
                yield statement.value


# The parts of an expression that are read whatever the others are.
_PARTS = {
    ast.Call: ("func", "args", "keywords"),
    ast.keyword: ("value",),
    ast.Starred: ("value",),
    ast.Attribute: ("value",),
    ast.Subscript: ("value",),
    ast.BinOp: ("left", "right"),
    ast.UnaryOp: ("operand",),
    ast.BoolOp: ("values",),
    ast.Compare: ("left",),
    ast.IfExp: ("test",),
    ast.Tuple: ("elts",),
    ast.List: ("elts",),
    ast.Dict: ("keys", "values"),
    ast.Set: ("elts",),
    ast.JoinedStr: ("values",),
    ast.FormattedValue: ("value",),
    ast.NamedExpr: ("value",),
    ast.Await: ("value",),
}


def _evaluated(node: ast.AST | None) -> Iterator[ast.AST]:
    """An expression and those of its parts that are always read."""
    if node is None:
        return
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


def _only_walked(function: ast.AST, bound: list[ast.AST]) -> bool:
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
