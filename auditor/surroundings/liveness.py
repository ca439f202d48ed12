"""Which statements of a function only serve code that an edit takes away.

A backward pass over the statements says which names are read after each of them, with the removed
statements left out and the replaced expressions reading what their new text reads. What binds only
names that nobody reads, and does nothing else, is dead; what an edit may drop is what is dead
after it and was not before.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from auditor.lift.attempts import only_raises
from auditor.tree import children, descendants

_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPOUND = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try)


@dataclass
class Liveness:
    """``replaced`` maps expressions to the names that their new text reads; ``pure`` says whether
    executing a node does nothing but compute values; ``alive`` stays whatever it binds;
    ``loops`` may go as a whole, and ``writes`` are statements that write cells of arrays which
    only the function sees, with their names."""

    function: ast.FunctionDef | ast.AsyncFunctionDef
    pure: Callable[[ast.AST], bool]
    replaced: Mapping[ast.expr, frozenset[str]] = field(default_factory=dict)
    alive: frozenset[ast.stmt] = frozenset()
    loops: frozenset[ast.stmt] = frozenset()
    writes: Mapping[ast.stmt, str] = field(default_factory=dict)
    gone: set[ast.stmt] = field(default_factory=set)
    after: dict[ast.stmt, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.captured = frozenset(
            name
            for node in descendants(self.function)
            if node is not self.function
            for name in self._escaping(node)
        )

    @cached_property
    def _own(self) -> frozenset[str]:
        """The names that the function itself binds: what a method is called on is else a module."""
        nodes = descendants(self.function)
        return frozenset(
            node.arg if isinstance(node, ast.arg) else node.id
            for node in nodes
            if isinstance(node, ast.arg)
            or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        )

    def _escaping(self, node: ast.AST) -> Iterator[str]:
        """Names that outlive the order of the statements."""
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        elif isinstance(node, _NESTED):
            for inner in descendants(node):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                    yield inner.id

    def settle(self) -> set[ast.stmt]:
        """Remove what is dead until nothing more is; the statements that are gone."""
        while True:
            self.after = {}
            self._block(self.function.body, frozenset(), frozenset())
            found = {
                statement
                for statement in self.after
                if statement not in self.gone and self._dead(statement)
            }
            if not found:
                return self.gone
            self.gone |= found

    # -- what is read

    def reads(self, node: ast.AST) -> frozenset[str]:
        """The names that evaluating ``node`` reads."""
        found: set[str] = set()
        stack: list[ast.AST] = [node]
        while stack:
            at = stack.pop()
            if isinstance(at, ast.expr) and at in self.replaced:
                found |= self.replaced[at]
                continue
            if isinstance(at, ast.Name) and not isinstance(at.ctx, ast.Store):
                found.add(at.id)
            if isinstance(at, ast.AugAssign) and isinstance(at.target, ast.Name):
                found.add(at.target.id)
            stack.extend(children(at))
        return frozenset(found)

    def _block(
        self, body: list[ast.stmt], live: frozenset[str], loop: frozenset[str]
    ) -> frozenset[str]:
        for statement in reversed(body):
            live = self._statement(statement, live, loop)
        return live

    def _statement(
        self, node: ast.stmt, live: frozenset[str], loop: frozenset[str]
    ) -> frozenset[str]:
        self.after[node] = live | self.captured
        if node in self.gone:
            return live
        if isinstance(node, ast.If):
            then = self._block(node.body, live, loop)
            return then | self._block(node.orelse, live, loop) | self.reads(node.test)
        if isinstance(node, ast.Match):
            met = (self._block(case.body, live, loop) for case in node.cases)
            tests = (self.reads(part) for c in node.cases for part in (c.pattern, c.guard) if part)
            return live.union(self.reads(node.subject), *met, *tests)
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            return self._loop(node, live, loop)
        if isinstance(node, (ast.With, ast.AsyncWith)):
            inside = self._block(node.body, live, loop)
            return inside.union(*(self.reads(item) for item in node.items))
        if isinstance(node, ast.Try):
            return self._attempt(node, live, loop)
        if isinstance(node, (ast.Return, ast.Raise)):
            return self.reads(node)
        if isinstance(node, (ast.Break, ast.Continue)):
            return loop | live
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {name for target in targets for name in bound(target)}
            return (live - names) | self.reads(node)
        return live | self.reads(node)

    def _attempt(self, node: ast.Try, live: frozenset[str], loop: frozenset[str]) -> frozenset[str]:
        """From anywhere in the body, what handlers and the block at the end read may come next;
        and what follows, unless all of them raise."""
        beside = frozenset().union(*map(self.reads, (*node.handlers, *node.finalbody)))
        if not only_raises(node):
            beside |= live | loop
        after = live | beside
        head = self._block([*node.body, *node.orelse], after, loop | beside) | beside
        for part in (*(handler.body for handler in node.handlers), node.finalbody):
            self._block(part, after | loop, loop)
        for inner in descendants(node):
            if isinstance(inner, ast.stmt) and inner is not node:
                self.after[inner] = self.after.get(inner, live | loop) | beside
        return head

    def _loop(
        self, node: ast.For | ast.AsyncFor | ast.While, live: frozenset[str], outer: frozenset[str]
    ) -> frozenset[str]:
        head = live | self._block(node.orelse, live, outer)
        head |= self.reads(node.test if isinstance(node, ast.While) else node.iter)
        while True:
            again = head | self._block(node.body, head, head)
            if again == head:
                return head
            head = again

    # -- what is dead

    def _dead(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.If):
            rest = [*node.body, *node.orelse]
            return all(inner in self.gone for inner in rest) and self.pure(node.test)
        if isinstance(node, ast.With):
            return all(inner in self.gone for inner in node.body) and all(
                item.optional_vars is None and _switch(item.context_expr) for item in node.items
            )
        if node in self.alive:
            return False
        if node in self.loops:
            stored = {
                inner.id
                for inner in descendants(node)
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
            }
            grown = (_grown(node) | _filled(node)) & self._own
            return not (stored | grown) & self.after[node] and self.pure(node)
        names = self._binds_only(node)
        return bool(names) and not names & self.after[node] and self.pure(node)

    def _binds_only(self, node: ast.stmt) -> frozenset[str]:
        """The names that a statement binds or writes cells of, if that is all it does."""
        if node in self.writes:
            return frozenset((self.writes[node],))
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and node.value is not None:
            targets = [node.target]
        elif isinstance(node, ast.Expr):
            call = node.value
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                base = call.func.value
                if isinstance(base, ast.Name) and call.func.attr.endswith("_"):
                    return frozenset((base.id,))
            return frozenset()
        else:
            return frozenset()
        if not all(_plain(target) for target in targets):
            return frozenset()
        if any(isinstance(inner, ast.NamedExpr) for inner in descendants(node)):
            return frozenset()
        return frozenset(name for target in targets for name in bound(target))


def _grown(node: ast.stmt) -> set[str]:
    """The names of what a loop may add items to."""
    return {
        inner.func.value.id
        for inner in descendants(node)
        if isinstance(inner, ast.Call)
        and isinstance(inner.func, ast.Attribute)
        and isinstance(inner.func.value, ast.Name)
    }


def _filled(node: ast.stmt) -> set[str]:
    """The names of the arrays whose cells a loop writes."""
    return {
        inner.value.id
        for inner in descendants(node)
        if isinstance(inner, ast.Subscript)
        and isinstance(inner.ctx, ast.Store)
        and isinstance(inner.value, ast.Name)
    }


def _plain(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple):
        return all(_plain(part) for part in target.elts)
    return isinstance(target, ast.Name)


def _switch(context: ast.expr) -> bool:
    """``torch.no_grad()`` and its relatives, which do nothing of their own."""
    return ast.unparse(context).split("(")[0].split(".")[-1] in (
        "no_grad", "enable_grad", "inference_mode", "autocast",
    )  # fmt: skip


def bound(target: ast.expr) -> Iterator[str]:
    """The names that a target binds."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from bound(part)
    elif isinstance(target, ast.Starred):
        yield from bound(target.value)
