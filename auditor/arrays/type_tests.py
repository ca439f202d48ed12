"""Tests of what a name stands for (``isinstance(x, np.ndarray)``), and what they say where.

A function that asks whether something is an array is called with other things as well: what it does
with arrays in one branch says nothing of another.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, path_of

_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_ARRAYS = frozenset(("ndarray", "Tensor", "Parameter", "shape", "ndim", "dtype", "__array__"))
"""Types of arrays, and attributes that no list has."""


@dataclass(frozen=True)
class _Test:
    """Whether something is an array, or is something else that ``arrays`` are not; ``negated``
    where the test holds if it is not."""

    arrays: bool
    negated: bool

    def told(self, holds: bool) -> bool | None:
        """Whether it is an array where the test holds, or does not; None where it may be."""
        if holds is self.negated:
            return False if self.arrays else None
        return self.arrays


def is_array_at(region: Region, node: ast.expr) -> bool | None:
    """Whether a name is an array where ``node`` reads it, by what the function asks of its type;
    False where it may be something else, None where nothing is asked."""
    if not isinstance(node, ast.Name) or node not in region.parents:
        return None
    if not any(_asks(region, test, node.id) for test in region.nodes):
        return None
    at: ast.AST = node
    while at is not region.lifted.node:
        above = region.parents[at]
        if isinstance(above, (ast.If, ast.IfExp)) and at is not above.test:
            test = _test(region, above.test, node.id)
            body = above.body if isinstance(above.body, list) else [above.body]
            if test is not None:
                return test.told(at in body)
        if isinstance(at, ast.stmt):
            siblings = region.siblings(at)
            for before in reversed(siblings[: siblings.index(at)]):
                if _binds(before, node.id):
                    return None
                passed = _passed(region, before, node.id)
                if passed is not None:
                    return passed[0]
        at = above
    return False


def _passed(region: Region, statement: ast.stmt, name: str) -> tuple[bool | None] | None:
    """What is known of a name behind a statement that tests it, None where that does not."""
    if isinstance(statement, ast.Assert):
        test = _test(region, statement.test, name)
        return None if test is None else (test.told(True),)
    if not isinstance(statement, ast.If) or statement.orelse:
        return None
    test, last = _test(region, statement.test, name), statement.body[-1]
    if test is None:
        return None
    if isinstance(last, _LEAVING):
        return (test.told(False),)
    if isinstance(last, ast.Assign) and _binds(last, name):
        called = getattr(last.value, "func", last.value)
        made = (path_of(region.module, called) or "").startswith(("numpy.", "torch."))
        return (True if made and test.told(False) else None,)
    return None


def _binds(statement: ast.stmt, name: str) -> bool:
    return isinstance(statement, ast.Assign) and any(is_name(t, name) for t in statement.targets)


def _test(region: Region, test: ast.expr, name: str) -> _Test | None:
    """The test of a name's type that an expression is."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _test(region, test.operand, name)
        return None if inner is None else _Test(inner.arrays, not inner.negated)
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and _asks(region, test.left, name):
        differ = isinstance(test.ops[0], (ast.NotEq, ast.IsNot, ast.NotIn))
        return _Test(_all_arrays(test.comparators[0]), differ)
    if not isinstance(test, ast.Call) or not _asks(region, test, name):
        return None
    if len(test.args) == 1:
        return _Test(isinstance(test.func, ast.Attribute), False)  # torch.is_tensor(x)
    return _Test(_all_arrays(test.args[1]), False)


def _asks(region: Region, call: ast.AST, name: str) -> bool:
    """Whether a call asks what a name is."""
    if not isinstance(call, ast.Call) or not call.args or not is_name(call.args[0], name):
        return False
    if isinstance(call.func, ast.Name):
        return call.func.id in ("isinstance", "hasattr", "type") and (
            call.func.id not in region.stores
        )
    return isinstance(call.func, ast.Attribute) and call.func.attr == "is_tensor"


def _all_arrays(kinds: ast.expr) -> bool:
    """Whether types, or an attribute, are those of arrays alone."""
    items = kinds.elts if isinstance(kinds, (ast.Tuple, ast.List)) else [kinds]
    words = [constant(item) if isinstance(item, ast.Constant) else _last(item) for item in items]
    return all(word in _ARRAYS for word in words)


def _last(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]
