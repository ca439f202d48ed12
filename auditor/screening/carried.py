"""What a loop hands from one step to the next, as far as its text says.

Rewrites of loops are about values that a step takes over from the one before. A loop that binds
every name anew before reading it, changes nothing that is there before it and does not stop for
what it has seen has none, and need not be lifted to know that no rewrite applies to it.
"""

from __future__ import annotations

import ast

from auditor.syntax import is_name
from auditor.tree import descendants, everything_in

_GROWING = ("append", "extend", "appendleft", "insert", "add", "update")


def carries(loop: ast.For | ast.While, function: ast.AST) -> bool:
    """Whether a step of a loop may depend on the one before, or leave behind what it found."""
    targets = _stored(loop.target) if isinstance(loop, ast.For) else set()
    step = _Step(set(targets))
    step.block(loop.body)
    if step.changes or not step.read.isdisjoint(step.stored | step.written):
        return True
    kept = step.stored - step.bound.intersection(*step.ends) - targets
    return bool(kept) and not kept.isdisjoint(_read_later(loop, function))


def fills_cells(loop: ast.For | ast.While) -> bool:
    """Whether a loop sets cells of an array at its own places, to what it computes of cells that it
    reads there; what has a name already is computed by the loop where two loops tell the place. A
    condition may tell as well with what."""
    if not isinstance(loop, ast.For):
        return False
    inside = descendants(loop)
    walked = {name for node in inside if isinstance(node, ast.For) for name in _stored(node.target)}
    chooses = any(isinstance(node, ast.If) for node in inside)
    return any(
        isinstance(target, ast.Subscript)
        and _moves(target, walked) > (isinstance(node.value, ast.Name) and not chooses)
        for node in inside
        if isinstance(node, ast.Assign)
        for target in node.targets
        if chooses or not isinstance(node.value, ast.Constant) or is_looked_up(target)
    )


def moves_cells(loop: ast.For | ast.While) -> bool:
    """Whether a loop over numbers hands elements of one array, as they are, to cells of another."""
    walked = loop.iter if isinstance(loop, ast.For) else None
    if not (isinstance(walked, ast.Call) and is_name(walked.func, "range")):
        return False
    return any(
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Subscript)
        and isinstance(node.targets[0], ast.Subscript)
        for node in descendants(loop)
    )


def is_told(place: ast.expr) -> bool:
    """Whether an array tells a place."""
    return any(isinstance(inner, ast.Subscript) for inner in everything_in(place))


def is_looked_up(target: ast.expr) -> bool:
    """Whether a cell has several places, or one that an array tells: ``a[u, v]``, ``c[y[i]]``."""
    return isinstance(target, ast.Subscript) and (
        isinstance(target.slice, ast.Tuple) or is_told(target.slice)
    )


def _moves(place: ast.expr, walked: set[str]) -> int:
    """With how many loops a place moves."""
    return len(walked & {n.id for n in everything_in(place) if isinstance(n, ast.Name)})


def carries_attributes(loop: ast.For | ast.While) -> bool:
    """Whether a loop both reads and binds some attribute, or reads and fills it."""
    found: dict[bool, set[str]] = {True: set(), False: set()}
    filled: list[ast.AST] = []
    for node in descendants(loop):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
            return True
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            if isinstance(node.value, ast.Attribute):
                filled.append(node.value)
                found[False].add(node.value.attr)
        elif isinstance(node, ast.Attribute) and node not in filled:
            found[isinstance(node.ctx, ast.Load)].add(node.attr)
    return not found[True].isdisjoint(found[False])


def _stored(node: ast.AST) -> set[str]:
    return {
        inner.id
        for inner in descendants(node)
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load)
    }


def _read_later(loop: ast.For | ast.While, function: ast.AST) -> set[str]:
    """The names that a function reads after a loop, or anywhere outside of it where the loop may
    be run again."""
    inside = set(descendants(loop))
    again = any(
        isinstance(node, (ast.For, ast.While)) and node is not loop and loop in descendants(node)
        for node in descendants(function)
    )
    return {
        node.id
        for node in descendants(function)
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and node not in inside
        and (again or node.lineno > loop.lineno)
    }


class _Step:
    """One step of a loop, read in order. ``read`` are the names that are read before the step binds
    them, ``bound`` those that are bound at its end, ``stored`` all that it binds and ``written``
    those that it adds to; ``ends`` are what is bound where it ends early. ``changes`` says that it
    changes what is there before it otherwise."""

    def __init__(self, bound: set[str]) -> None:
        self.bound = bound
        self.read: set[str] = set()
        self.stored: set[str] = set()
        self.written: set[str] = set()
        self.ends: list[set[str]] = []
        self.changes = False

    def block(self, body: list[ast.stmt]) -> bool:
        """Read statements; False when control does not reach their end."""
        return all(self._statement(statement) for statement in body)

    def _statement(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.If):
            return self._if(node)
        if isinstance(node, (ast.For, ast.While)):
            self._loop(node)
        elif isinstance(node, ast.Assign):
            self._reads(node.value)
            for target in node.targets:
                self._stores(target)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self._reads(node.value)
                self._stores(node.target)
        elif isinstance(node, ast.Expr):
            self._expression(node.value)
        elif isinstance(node, (ast.Continue, ast.Break)):
            self.ends.append(set(self.bound))
            return False
        elif isinstance(node, (ast.Return, ast.Raise)):
            if isinstance(node, ast.Return) and isinstance(node.value, ast.Constant):
                self.changes |= isinstance(node.value.value, bool)  # any(...), all(...)
            return False
        elif not isinstance(node, ast.Pass):
            self.changes = True
        return True

    def _if(self, node: ast.If) -> bool:
        self._reads(node.test)
        before, self.bound = self.bound, set(self.bound)
        then = self.block(node.body)
        after, self.bound = self.bound, before
        otherwise = self.block(node.orelse)
        if then:
            self.bound = after & self.bound if otherwise else after
        return then or otherwise

    def _loop(self, node: ast.For | ast.While) -> None:
        before, ends = set(self.bound), self.ends
        if isinstance(node, ast.For):
            self._reads(node.iter)
            self._stores(node.target)
        else:
            self._reads(node.test)
        self.ends = []
        self.block(node.body)
        self.bound, self.ends = before, ends
        self.block(node.orelse)

    def _expression(self, node: ast.expr) -> None:
        """A statement of its own: what a list is given is no reading of the list."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            base = node.func.value
            if isinstance(base, ast.Name) and node.func.attr in _GROWING:
                self.written.add(base.id)
                for part in (*node.args, *node.keywords):
                    self._reads(part)
                return
        self._reads(node)
        self.changes |= not isinstance(node, ast.Constant)

    def _reads(self, node: ast.AST) -> None:
        for inner in descendants(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                if inner.id not in self.bound:
                    self.read.add(inner.id)
            elif isinstance(inner, ast.NamedExpr):
                self.stored.add(inner.target.id)
            elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
                name = inner.func.attr
                self.changes |= name.endswith("_") and not name.endswith("__")

    def _stores(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.stored.add(target.id)
            self.bound.add(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self._stores(part)
        elif isinstance(target, ast.Starred):
            self._stores(target.value)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            self.written.add(target.value.id)
            self._reads(target.slice)
        else:
            self._reads(target)
