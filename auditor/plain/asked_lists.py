"""A list that a loop asks whether it has an item yet, said with the item that it had last.

``out.append(x if not out else a * out[-1] + x)``, of a list that begins empty, is
``h = x if h is None else a * h + x`` and then ``out.append(h)``, where ``h`` begins as None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from auditor.plain.text import Body, Written, append, assign, name
from auditor.syntax import constant, is_name
from auditor.tree import everything_in
from auditor.verdict import Edit

_EMPTY = {("Eq", 0): True, ("NotEq", 0): False, ("Gt", 0): False, ("GtE", 1): False,
          ("Lt", 1): True}  # fmt: skip
"""How a length is compared, and whether that asks whether there is none."""


def asked_lists(written: Written) -> Iterator[list[Edit]]:
    """One loop after the other."""
    for block, place in written.own():
        loop = block[place]
        held = asked_list(loop)
        if held is None or not _begins_empty(written, block[:place], held):
            continue
        assert isinstance(loop, (ast.For, ast.While))
        last = written.fresh(f"{held}_last", set())
        body = _ended([_Asked(held, last).visit(deepcopy(one)) for one in loop.body], held, last)
        if body is None or any(is_name(n, held) for one in body for n in everything_in(one)):
            continue
        said = deepcopy(loop)
        said.body = [*body, append(held, name(last))]
        edit = written.replaced([loop], [assign(last, ast.Constant(None)), said])
        if edit is not None:
            yield [edit]


def asked_list(loop: ast.AST) -> str | None:
    """The list that every step of a loop ends in appending to, and that it asks for its last item
    and whether there is one."""
    if not isinstance(loop, (ast.For, ast.While)) or loop.orelse:
        return None
    held = _appended(loop.body[-1])
    if held is None:
        return None
    nodes = [node for one in loop.body for node in everything_in(one)]
    asks = any(
        (isinstance(n, (ast.If, ast.IfExp)) and _says_empty(n.test, held) is not None)
        for n in nodes
    )
    return held if asks and any(_last_of(n, held) for n in nodes) else None


def _appended(statement: ast.stmt) -> str | None:
    """The list that a statement appends an item to, whichever way it goes."""
    if isinstance(statement, ast.If) and statement.orelse:
        held = _appended(statement.body[-1])
        return held if held == _appended(statement.orelse[-1]) else None
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
        return None
    called = call.func
    if not (isinstance(called, ast.Attribute) and called.attr == "append"):
        return None
    return called.value.id if isinstance(called.value, ast.Name) else None


def _last_of(node: ast.AST, held: str) -> bool:
    loaded = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
    return loaded and is_name(node.value, held) and constant(node.slice) == -1  # type: ignore[attr-defined]


def _says_empty(test: ast.expr, held: str) -> bool | None:
    """Whether a condition is that the list has no item (True) or that it has one (False)."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _says_empty(test.operand, held)
        return None if inner is None else not inner
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and _length_of(test.left, held):
        bound = constant(test.comparators[0])
        return _EMPTY.get((type(test.ops[0]).__name__, bound)) if type(bound) is int else None
    return False if is_name(test, held) or _length_of(test, held) else None


def _length_of(node: ast.expr, held: str) -> bool:
    return (
        isinstance(node, ast.Call)
        and is_name(node.func, "len")
        and len(node.args) == 1
        and is_name(node.args[0], held)
    )


def _begins_empty(written: Written, before: Body, held: str) -> bool:
    """Whether the list is bound once, to an empty one, and not touched until the loop."""
    stores = [node for node in written.names[held] if isinstance(node.ctx, ast.Store)]
    for statement in reversed(before):
        if any(is_name(node, held) for node in everything_in(statement)):
            if not isinstance(statement, ast.Assign) or len(stores) != 1:
                return False
            value = statement.value
            return isinstance(value, ast.List) and not value.elts and len(statement.targets) == 1
    return False


def _ended(body: Body, held: str, last: str) -> Body | None:
    """The statements with the item that they end in appending bound to a name instead."""
    *rest, end = body
    if _appended(end) != held:
        return None
    if isinstance(end, ast.If):
        then, otherwise = _ended(end.body, held, last), _ended(end.orelse, held, last)
        if then is None or otherwise is None:
            return None
        return [*rest, ast.If(end.test, then, otherwise)]
    assert isinstance(end, ast.Expr) and isinstance(end.value, ast.Call)
    return [*rest, assign(last, end.value.args[0])]


class _Asked(ast.NodeTransformer):
    """Copies statements with a name for the last item of a list, None where there is none."""

    def __init__(self, held: str, last: str) -> None:
        self._held, self._last = held, last

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if _last_of(node, self._held):
            return name(self._last)
        self.generic_visit(node)
        return node

    def visit_If(self, node: ast.If) -> ast.stmt:
        node.test = self._asked(node.test)
        self.generic_visit(node)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        node.test = self._asked(node.test)
        self.generic_visit(node)
        return node

    def _asked(self, test: ast.expr) -> ast.expr:
        empty = _says_empty(test, self._held)
        if empty is None:
            return test
        return ast.Compare(
            name(self._last), [ast.Is() if empty else ast.IsNot()], [ast.Constant(None)]
        )
