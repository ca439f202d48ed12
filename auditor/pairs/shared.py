"""How much two sets share, as a value of a pair that is the same both ways.

    len(a & b) / len(a | b)     len(a.intersection(b))     a.isdisjoint(b)
    len(a & b) / max(1, len(a | b))     len(a & b) / len(a | b) if a | b else 0.0

The size of what two sets have in common, have together or do not share does not mind which of them
is named first, whatever kinds of sets they are. Notation has no sets, so that the text is compared
with itself, the steps exchanged and what commutes put in order.
"""

from __future__ import annotations

import ast
import copy

from auditor.pairs.squares import SquareNest
from auditor.tree import descendants

_BOTH_WAYS = (ast.BitAnd, ast.BitOr, ast.BitXor)
_METHODS = frozenset("intersection union symmetric_difference".split())
_NUMBERS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv)
_PLACES = (ast.Name, ast.Subscript, ast.Load, ast.Constant)


def alike_both_ways(nest: SquareNest) -> bool:
    """Whether the value of a pair counts what two sets share, the same both ways, and a step does
    nothing else."""
    value = _meant(nest)
    if value is None:
        return False
    try:
        one, other = (
            _Ordered().visit(copy.deepcopy(each)) for each in (value, _turned(value, nest))
        )
    except _OtherWords:
        return False
    counted = any(isinstance(node, ast.Call) for node in descendants(one))
    return counted and ast.dump(one) == ast.dump(other)


def _meant(nest: SquareNest) -> ast.expr | None:
    """The value of a cell with the names that a step gives as what they stand for."""
    named: dict[str, ast.expr] = {}
    for statement in nest.inner.body[:-1]:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        (target,) = statement.targets
        pairs = [(target, statement.value)]
        if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
            if len(target.elts) != len(statement.value.elts):
                return None
            pairs = list(zip(target.elts, statement.value.elts, strict=True))
        given = [(t, _Named(named).visit(copy.deepcopy(v))) for t, v in pairs]
        for name, value in given:
            if not isinstance(name, ast.Name) or name.id in named:
                return None
            named[name.id] = value
    if nest.inner.body[-1] is not nest.store:
        return None
    value = _Named(named).visit(copy.deepcopy(nest.store.value))
    return value if isinstance(value, ast.expr) else None


def _turned(value: ast.expr, nest: SquareNest) -> ast.expr:
    """The value with the steps exchanged."""
    row, column = (ast.Name(name, ast.Load()) for name in (nest.row, nest.column))
    turned = _Named({nest.row: column, nest.column: row}).visit(copy.deepcopy(value))
    assert isinstance(turned, ast.expr)
    return turned


class _Named(ast.NodeTransformer):
    """Names as what they stand for."""

    def __init__(self, named: dict[str, ast.expr]) -> None:
        self.named = named

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.named[node.id]) if node.id in self.named else node


class _OtherWords(Exception):
    """The value is made of something else than sizes of sets."""


class _Ordered(ast.NodeTransformer):
    """Sizes of what two sets share with these in one order, and numbers made of such sizes."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        raise _OtherWords

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if not isinstance(node.value, (int, float)):
            raise _OtherWords
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.BinOp:
        if not isinstance(node.op, _NUMBERS):
            raise _OtherWords
        node.left, node.right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, (ast.Add, ast.Mult)):
            node.left, node.right = _in_order(node.left, node.right)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        """A number unless something is empty, or has no more than so many elements."""
        test = node.test
        if isinstance(test, ast.BinOp) and isinstance(test.op, _BOTH_WAYS):
            _both_ways(test)
        elif isinstance(test, ast.Compare):
            test.left = self.visit(test.left)
            test.comparators = [self.visit(each) for each in test.comparators]
        else:
            node.test = self.visit(test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        func = node.func
        extremum = isinstance(func, ast.Name) and func.id in ("min", "max")
        if node.keywords or not node.args or (len(node.args) > 1 and not extremum):
            raise _OtherWords
        if len(node.args) > 1:
            node.args = sorted((self.visit(each) for each in node.args), key=ast.dump)
            return node
        (given,) = node.args
        if isinstance(func, ast.Attribute) and func.attr == "isdisjoint":
            func.value, node.args[0] = _in_order(_place(func.value), _place(given))
            return node
        if not isinstance(func, ast.Name) or func.id not in ("len", "float", "min", "max"):
            raise _OtherWords
        if func.id != "len":
            node.args = [self.visit(given)]
            return node
        if isinstance(given, ast.BinOp) and isinstance(given.op, _BOTH_WAYS):
            _both_ways(given)
        elif isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute):
            if given.func.attr not in _METHODS or given.keywords or len(given.args) != 1:
                raise _OtherWords
            sides = _in_order(_place(given.func.value), _place(given.args[0]))
            given.func.value, given.args[0] = sides
        else:
            _place(given)
        return node


def _both_ways(node: ast.BinOp) -> None:
    """What two sets have in common, together or apart, with these in order."""
    node.left, node.right = _in_order(_place(node.left), _place(node.right))


def _place(node: ast.expr) -> ast.expr:
    """A set that is there already: a name, or an item of one."""
    if not all(isinstance(each, _PLACES) for each in descendants(node)):
        raise _OtherWords
    return node


def _in_order(one: ast.expr, other: ast.expr) -> tuple[ast.expr, ast.expr]:
    return (one, other) if ast.dump(one) <= ast.dump(other) else (other, one)
