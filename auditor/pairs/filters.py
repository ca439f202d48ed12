"""Which pairs count: what a step asks of its places and of its values before it adds anything.

    if i == j:                       if i != j and d < radius:
        continue                         near += 1
    if d >= cutoff:
        continue

A question about the places chooses one kind of pairs, whatever the values. Those about values are
``Test``s, of which each has to hold; they are asked one beside the other, so that all but the first
must not be able to fail where those before them do not hold.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from auditor.syntax import is_name
from auditor.tree import everything_in


class Unasked(Exception):
    """What a step depends on is no comparison, or more than can be asked at once."""


@dataclass(frozen=True)
class Test:
    """``left sign right`` of numbers of a pair."""

    left: ast.expr
    sign: str
    right: ast.expr


@dataclass
class Body:
    """The statements of a step without questions, of which those about places leave the pairs of
    ``kind``, and ``tests`` are asked before the statement at ``tested``."""

    statements: list[ast.stmt] = field(default_factory=list)
    kind: str | None = None
    tests: list[Test] = field(default_factory=list)
    tested: int = 0


_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_TURNED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_KINDS = {"!=": "others", "<": "above", ">": "below"}


def filtered(body: list[ast.stmt], row: str, column: str) -> Body:
    """The step of a loop over pairs of places. Raises ``Unasked``."""
    found, rest = Body(), list(body)
    while rest:
        statement = rest.pop(0)
        asked = statement if isinstance(statement, ast.If) and not statement.orelse else None
        skips = asked is not None and len(asked.body) == 1 and _continues(asked.body[0])
        if asked is None or skips != bool(rest):
            found.statements.append(statement)
            continue
        _ask(found, list(_parts(asked.test, skips)), row, column)
        rest = rest if skips else list(asked.body)
    return found


def both(kind: str, guard: str | None) -> str:
    """The pairs of one kind that another leaves. Raises ``Unasked``."""
    if guard is None or guard == kind or (guard == "others" and kind != "all"):
        return kind
    if kind in ("all", "others"):
        return guard
    raise Unasked("no pairs are left")


def _continues(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Continue)


def _ask(found: Body, parts: list[Test], row: str, column: str) -> None:
    for part in parts:
        sign = _of_places(part, row, column)
        if sign is None:
            at = len(found.statements)
            if found.tests and (at != found.tested or not _harmless(part)):
                raise Unasked("what a pair is asked depends on what it was asked before")
            found.tests.append(part)
            found.tested = at
        elif sign not in _KINDS:
            raise Unasked("pairs are chosen by their places in another way")
        else:
            found.kind = both(found.kind or "all", _KINDS[sign])


def _of_places(test: Test, row: str, column: str) -> str | None:
    """How the place of the row compares with that of the column."""
    if is_name(test.left, row) and is_name(test.right, column):
        return test.sign
    if is_name(test.left, column) and is_name(test.right, row):
        return _TURNED[test.sign]
    return None


def _parts(test: ast.expr, turned: bool) -> Iterator[Test]:
    """The comparisons that hold where ``test`` does, or with ``turned`` where it does not."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _parts(test.operand, not turned)
        return
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or if turned else ast.And):
        for each in test.values:
            yield from _parts(each, turned)
        return
    if not isinstance(test, ast.Compare) or (turned and len(test.ops) > 1):
        raise Unasked("what is added depends on more than comparisons")
    sides = [test.left, *test.comparators]
    if not all(isinstance(each, (ast.Name, ast.Constant)) for each in sides[1:-1]):
        raise Unasked("a value is compared twice")
    for left, op, right in zip(sides, test.ops, sides[1:], strict=False):
        sign = _OPERATORS.get(type(op))
        if sign is None:
            raise Unasked("what is added depends on more than comparisons")
        yield Test(left, _OPPOSITE[sign] if turned else sign, right)


_HARMLESS = (ast.Name, ast.Constant, ast.Load, ast.Add, ast.Sub, ast.Mult, ast.BinOp)


def _harmless(test: Test) -> bool:
    """Whether a comparison can be made whatever the numbers are."""
    return all(
        isinstance(node, _HARMLESS)
        for side in (test.left, test.right)
        for node in everything_in(side)
    )
