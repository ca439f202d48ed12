"""Loops that certainly stay as they are, because of what their steps do besides computing.

A call that may do anything, an exception, a write to an attribute: the lifter meets it whatever a
step does, and no rewrite takes it along. So the loop need not be lifted to know that.
"""

from __future__ import annotations

import ast

from auditor.derive.tallies import tallies
from auditor.pairs.squares import square_nest
from auditor.screening.foreign import Foreign, Scope
from auditor.tree import descendants

_LEAVING = (ast.Break, ast.Continue, ast.Return)
_EFFECTS = (ast.Try, ast.With, ast.AsyncWith, ast.AsyncFor, ast.Assert, ast.Raise)


class Blocked:
    """Looks at the loops of one function, as they are ``spelled`` or, without that, as they may be
    in a plainer spelling, which makes names of attributes and of what is kept together."""

    def __init__(self, foreign: Foreign, scope: Scope, spelled: bool = True) -> None:
        self._foreign, self._scope, self._spelled = foreign, scope, spelled

    def stays(self, loop: ast.For | ast.While) -> bool:
        """Whether the steps of a loop do what no rewrite takes along."""
        if isinstance(loop, ast.For) and square_nest(loop) is not None:
            return False  # cells of a list of lists, which are no array
        if isinstance(loop, ast.For) and (_fills_lists(loop) or tallies(loop)):
            return False
        return self._block(loop.body)

    def _block(self, body: list[ast.stmt]) -> bool:
        for statement in body:
            if self._statement(statement):
                return True
            if isinstance(statement, _LEAVING) or self._may_leave(statement):
                return False
        return False

    def _may_leave(self, node: ast.stmt) -> bool:
        """Whether a condition that the lifter may decide can end the step."""
        if not isinstance(node, ast.If) or self._is_open(node.test):
            return False
        return any(isinstance(inner, (*_LEAVING, ast.Raise)) for inner in descendants(node))

    def _statement(self, node: ast.stmt) -> bool:
        if isinstance(node, _EFFECTS):
            return True
        if isinstance(node, ast.If):
            if self._calls(node.test):
                return True
            return self._is_open(node.test) and (self._block(node.body) or self._block(node.orelse))
        if isinstance(node, ast.For):
            return self._calls(node.iter) or (self._steps(node.iter) and self._block(node.body))
        if isinstance(node, ast.While):
            return self._block(node.body)
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            return self._calls(node.value) or any(map(self._is_outside, targets))
        if isinstance(node, (ast.Expr, ast.Return)):
            return self._calls(node.value)
        return False

    def _calls(self, node: ast.expr | None) -> bool:
        return node is not None and self._foreign.calls(node, self._scope)

    def _steps(self, source: ast.expr) -> bool:
        """Whether what a loop walks is certainly no list that the code spells, whose items the
        lifter takes one by one: there may be none."""
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name):
            return source.func.id == "range" or all(map(self._steps, source.args))
        return self._is_given(source)

    def _is_outside(self, target: ast.expr) -> bool:
        """An attribute, or an item of something that is no name; `a[u][v]` may be a cell."""
        if isinstance(target, (ast.Tuple, ast.List)):
            return any(map(self._is_outside, target.elts))
        if isinstance(target, ast.Subscript):
            return self._spelled and not isinstance(_array_of(target), ast.Name)
        if not isinstance(target, ast.Attribute):
            return False
        if self._spelled or not isinstance(target.value, ast.Name):
            return True
        if target.value.id == "self":
            return self._scope.klass is None
        return self._is_given(target.value)

    # -- conditions

    def _is_open(self, test: ast.expr) -> bool:
        """Whether the lifter certainly cannot decide a condition: it depends on an argument."""
        if isinstance(test, ast.BoolOp):
            return all(map(self._is_open, test.values))
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._is_open(test.operand)
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            (op,), (other,) = test.ops, test.comparators
            if isinstance(op, (ast.In, ast.NotIn)):
                return True
            return self._is_open(test.left) or self._is_open(other)
        return self._is_given(test)

    def _is_given(self, node: ast.expr) -> bool:
        """A parameter that keeps what it was given, or a key or plain attribute of one."""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return isinstance(node.slice.value, str) and self._is_given(node.value)
        if isinstance(node, ast.Attribute):
            return node.attr not in _ABOUT and self._is_given(node.value)
        return isinstance(node, ast.Name) and self._foreign.is_given(node.id, self._scope)


def _array_of(cell: ast.expr) -> ast.expr:
    """a of ``a[u]``, ``a[u][v]``."""
    while isinstance(cell, ast.Subscript):
        cell = cell.value
    return cell


def _fills_lists(loop: ast.For) -> bool:
    """Whether nested loops set or add to cells of lists of lists: ``c[i][j] += e``, ``u[t + 1][i] =
    e``."""
    nested = [node for node in descendants(loop) if isinstance(node, ast.For)]
    walked = {node.target.id for node in nested if isinstance(node.target, ast.Name)}
    return len(nested) > 1 and any(
        isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Subscript) and isinstance(node.value.value, ast.Name)
        and _walked_with(node.slice) in walked and _walked_with(node.value.slice) in walked
        for node in descendants(loop)
    )  # fmt: skip


def _walked_with(place: ast.expr) -> str | None:
    """The name of a place that is one, or one a few places further."""
    if isinstance(place, ast.BinOp) and isinstance(place.right, ast.Constant):
        place = place.left
    return place.id if isinstance(place, ast.Name) else None


_ABOUT = ("shape", "ndim", "dtype", "size", "T", "mT", "device")
