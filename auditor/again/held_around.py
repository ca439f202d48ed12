"""Which names of a function may lead to what a function within it reads, and whether any of them is
changed: by assignment, as parts of containers and objects, through what other functions give back.

By the text alone, and both ways: what a list was made of counts as much as what was made of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from auditor.lift.bound import names_bound
from auditor.lift.call_effects import GROWS, Does, does, given_back
from auditor.lift.changes import changes, dotted, paths_bound
from auditor.lift.module import Module
from auditor.nests.memory import puts
from auditor.syntax import is_name
from auditor.tree import children, descendants

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPUTED = (ast.Compare, ast.Constant, ast.JoinedStr)
_NUMBERS = frozenset("len int float bool str abs ord hash range any all isinstance round".split())
_SEQUENCES = frozenset("list List Sequence Iterable tuple Tuple set Set frozenset deque".split())
_PLAIN = frozenset(("int", "float", "str", "bool", "bytes", "complex"))


def changed_around(module: Module, outer: _Function, function: _Function, name: str) -> str | None:
    """What leads to the container that ``name`` stands for in ``outer`` and may be changed after
    ``function`` was made."""
    return _Around(module, outer, function).changed(name)


class _Around:
    """What the names of ``outer`` may lead to, ``function`` itself left out."""

    def __init__(self, module: Module, outer: _Function, function: _Function) -> None:
        self._module, self._outer, self._function = module, outer, function
        self._nodes = [*self._without(outer)]
        self._flat = frozenset(
            node.arg for node in self._nodes if isinstance(node, ast.arg) and _flat(node.annotation)
        )
        self._numbers = self._only_numbers()
        self._links: dict[str, set[str]] = {}
        for node in self._nodes:
            for path, value in self._given(node):
                self._link(path, self._held(value))

    def _without(self, node: ast.AST) -> Iterator[ast.AST]:
        if node is not self._function:
            yield node
            for child in children(node):
                yield from self._without(child)

    # -- what leads where

    def _link(self, path: str, others: Iterable[str]) -> None:
        for other in others:
            if path not in self._numbers and other not in self._numbers:
                self._links.setdefault(path, set()).add(other)
                self._links.setdefault(other, set()).add(path)

    def _given(self, node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
        """The paths that a node gives what an expression evaluates to."""
        if isinstance(node, ast.Assign):
            yield from (
                (path, node.value) for target in node.targets for path in paths_bound(target)
            )
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr, ast.AugAssign)):
            if node.value is not None:
                yield from ((path, node.value) for path in paths_bound(node.target))
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            if self._items(node.iter):
                yield from ((path, node.iter) for path in paths_bound(node.target))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            yield from ((path, node.context_expr) for path in paths_bound(node.optional_vars))
        elif isinstance(node, ast.Match):
            parts = (part for case in node.cases for part in descendants(case.pattern))
            yield from ((name, node.subject) for part in parts for name in names_bound(part))
        elif isinstance(node, ast.arguments):
            yield from _defaults(node)
        elif isinstance(node, _FUNCTIONS[:2]) and node is not self._outer:
            yield from ((node.name, value) for value in _returned(node))
        elif isinstance(node, ast.ClassDef):
            yield from ((node.name, s.value) for s in node.body if isinstance(s, ast.Assign))
        for holder, put, _ in puts(node):
            path = dotted(holder)
            if path is not None:
                yield from ((path, value) for value in put)

    def _items(self, node: ast.expr) -> bool:
        """Whether the items of an expression may be changed in place."""
        if isinstance(node, ast.Call) and does(self._module, node) is not Does.ANYTHING:
            return any(map(self._items, self._handed(node)))
        return dotted(node) not in self._flat and any(True for _ in self._held(node))

    def _held(self, node: ast.AST) -> Iterator[str]:
        """The paths that the value of an expression may be, or hold."""
        path = dotted(node)
        if path is not None:
            yield path
        elif isinstance(node, _COMPUTED):
            return
        elif isinstance(node, ast.BinOp):
            added = isinstance(node.op, (ast.Add, ast.BitOr, ast.Mult))
            number = isinstance(node.op, ast.Add) and any(
                map(self._is_number, (node.left, node.right))
            )
            if added and not number:
                yield from (*self._held(node.left), *self._held(node.right))
        elif isinstance(node, ast.UnaryOp):
            yield from self._held(node.operand)
        elif isinstance(node, (ast.Subscript, ast.Starred)):
            if self._items(node.value):
                yield from self._held(node.value)
        elif isinstance(node, ast.Attribute):
            yield from self._held(node.value)
        elif isinstance(node, ast.IfExp):
            yield from (*self._held(node.body), *self._held(node.orelse))
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            yield from self._held(node.elt)
        elif isinstance(node, ast.DictComp):
            yield from (*self._held(node.key), *self._held(node.value))
        elif isinstance(node, ast.Call):
            yield from self._called(node)
        elif isinstance(node, ast.Lambda):
            yield from self._held(node.body)
        else:
            yield from (path for part in children(node) for path in self._held(part))

    def _called(self, call: ast.Call) -> Iterator[str]:
        # ``max(a, b)`` is one of the two, ``dict(a=b)`` holds it
        several = isinstance(call.func, ast.Name) and len(call.args) > 1
        whole = several or is_name(call.func, "dict") or does(self._module, call) is Does.ANYTHING
        for part in self._handed(call):
            if whole or self._items(part):
                yield from self._held(part)

    def _handed(self, call: ast.Call) -> list[ast.expr]:
        """What a call may give back, or parts of."""
        if self._is_number(call):
            return []
        given = given_back(self._module, call)
        return [part.value if isinstance(part, ast.Attribute) else part for part in given]

    def _is_number(self, node: ast.AST) -> bool:
        """Whether an expression certainly is nothing that can be changed in place: what the
        function gives back is none."""
        if isinstance(node, ast.Call):
            own = is_name(node.func, self._function.name)
            named = isinstance(node.func, ast.Name) and node.func.id in _NUMBERS
            return own or (named and node.func.id not in self._module.bound)  # type: ignore[attr-defined]
        if isinstance(node, (ast.BinOp, ast.UnaryOp)):
            return all(self._is_number(part) for part in children(node))
        return isinstance(node, _COMPUTED)

    def _only_numbers(self) -> frozenset[str]:
        """The names that are only ever given such."""
        found: dict[str, bool] = {}
        for node in self._nodes:
            for path, value in () if isinstance(node, ast.AugAssign) else self._given(node):
                found[path] = found.get(path, True) and self._is_number(value)
            if isinstance(node, ast.arg):
                found[node.arg] = _is_plain(node.annotation)
        return frozenset(path for path, number in found.items() if number)

    def _reached(self, name: str) -> set[str]:
        """What may lead to the same as a name, or a path below it."""
        found = set[str]()
        waiting = [name, *(path for path in self._links if path.startswith(f"{name}."))]
        while waiting:
            at = waiting.pop()
            if at not in found:
                found.add(at)
                waiting += self._links.get(at, ())
        return found

    # -- what is changed

    def changed(self, name: str) -> str | None:
        """What is changed, or may be, of all that leads to a name."""
        if name in self._numbers:
            return None
        reached = self._reached(name)
        after = self._after()
        found = changes(self._module, after)
        found.bound.clear()
        every = [node for statement in after for node in self._without(statement)]
        for path in sorted(reached):
            if found.touches(path):
                return f"`{path}`"
        for node in every:
            if not reached.isdisjoint(self._written(node)):
                return f"`{self._module.brief(node)}`"
        inner = {node.name for node in self._nodes if isinstance(node, _FUNCTIONS[:2])}
        roots = {path.partition(".")[0] for path in reached} - inner | {self._function.name}
        for call in found.calls:
            if is_name(call.func, self._function.name):
                continue
            if any(isinstance(n, ast.Name) and n.id in roots for n in descendants(call)):
                return f"`{self._module.brief(call.func)}`"
        return None

    def _after(self) -> list[ast.AST]:
        """What may run once the function is made, the bodies of other functions among it."""
        body = self._outer.body
        after: list[ast.AST] = [s for s in body if s.lineno > self._function.lineno]
        if self._function not in body:
            after = [*body]
        after += [n for n in self._nodes if isinstance(n, _FUNCTIONS) and n is not self._outer]
        return [node for node in after if node is not self._function]

    def _written(self, node: ast.AST) -> set[str]:
        """What a node writes into by another way than a name."""
        if isinstance(node, (ast.Subscript, ast.Attribute)):
            if not isinstance(node.ctx, ast.Load):
                return {*self._held(node.value)}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in GROWS and dotted(node.func.value) is None:
                return {*self._held(node.func.value)}
        return set()


def _returned(function: ast.AST) -> Iterator[ast.expr]:
    """What a function gives back."""
    for node in descendants(function):
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value


def _defaults(given: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    """The parameters of a function that have defaults, with these."""
    named = [*given.posonlyargs, *given.args]
    last = named[len(named) - len(given.defaults) :]
    yield from ((arg.arg, value) for arg, value in zip(last, given.defaults, strict=True))
    for arg, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        if default is not None:
            yield arg.arg, default


def _is_plain(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id in _PLAIN


def _flat(annotation: ast.expr | None) -> bool:
    """Whether an annotation says that items are numbers or texts: ``list[int]``."""
    if not isinstance(annotation, ast.Subscript):
        return False
    parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
    named = annotation.value
    word = named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")
    return word in _SEQUENCES and all(_is_plain(part) or _is_dots(part) for part in parts)


def _is_dots(node: ast.expr) -> bool:
    """``...``, as in ``tuple[int, ...]``."""
    return isinstance(node, ast.Constant) and node.value is ...
