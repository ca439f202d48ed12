"""Places and bounds in the conditions of loops: ``0 <= i + d < n`` for each i of ``range(n)``.

A place is a sum of loop variables and a number. A bound says that a place is not before the first
or not behind the last of an axis; what else a condition asks is kept as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from auditor.syntax import constant
from auditor.tree import everything_in

Size = tuple[str, int]
"""The length of an axis of an array, by the array's name."""


@dataclass(frozen=True)
class Place:
    """``times`` of names and sizes, and a number."""

    times: frozenset[tuple[str | Size, int]]
    number: int

    def plus(self, other: Place, sign: int = 1) -> Place:
        total = dict(self.times)
        for atom, often in other.times:
            total[atom] = total.get(atom, 0) + sign * often
        return Place(frozenset((a, n) for a, n in total.items() if n),
                     self.number + sign * other.number)  # fmt: skip

    def shifted(self, by: int) -> Place:
        return Place(self.times, self.number + by)

    def often(self, name: str) -> int:
        return dict(self.times).get(name, 0)

    @property
    def text(self) -> str:
        """A sum of names as code, those that are added first, the number last."""
        said = ""
        named = [(atom, often) for atom, often in self.times if isinstance(atom, str)]
        named.sort(key=lambda each: (each[1] < 0, each))
        for atom, often in [*named, *([("", self.number)] if self.number else [])]:
            many = atom or str(abs(often))
            many = f"{abs(often)} * {atom}" if atom and abs(often) != 1 else many
            sign = "-" if often < 0 else "+"
            said = f"{said} {sign} {many}" if said else f"-{many}" if often < 0 else many
        return said or "0"

    @property
    def names(self) -> frozenset[str]:
        return frozenset(atom for atom, _ in self.times if isinstance(atom, str))

    @property
    def sizes(self) -> dict[Size, int]:
        return {atom: often for atom, often in self.times if not isinstance(atom, str)}


@dataclass(frozen=True)
class Bound:
    """``place`` is not negative, or less than ``size``."""

    place: Place
    size: Size | str | None = None


@dataclass
class Asked:
    """What a condition asks, all of it: bounds, and tests of the ``steps`` alone."""

    bounds: set[Bound] = field(default_factory=set)
    kept: list[ast.expr] = field(default_factory=list)


class Unread(Exception):
    """A place or a condition is something else."""


def place_of(node: ast.expr, known: Mapping[str, Place | ast.expr]) -> Place:
    """A sum of names and numbers; ``known`` says what some of the names stand for. Raises
    ``Unread``."""
    number = constant(node)
    if type(number) is int:
        return Place(frozenset(), number)
    if isinstance(node, ast.Name):
        held = known.get(node.id)
        if isinstance(held, Place):
            return held
        if held is not None:
            return place_of(held, {name: at for name, at in known.items() if name != node.id})
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        sign = 1 if isinstance(node.op, ast.Add) else -1
        return place_of(node.left, known).plus(place_of(node.right, known), sign)
    size = size_of(node)
    if size is not None:
        return Place(frozenset({(size, 1)}), 0)
    raise Unread


def size_of(node: ast.expr) -> Size | None:
    """``x.shape[0]``, ``len(x)``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len":
        alone = len(node.args) == 1 and isinstance(node.args[0], ast.Name)
        return (node.args[0].id, 0) if alone else None  # type: ignore[attr-defined]
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Attribute):
        return None
    axis, held = constant(node.slice), node.value.value
    if node.value.attr != "shape" or type(axis) is not int or axis < 0:
        return None
    return (held.id, axis) if isinstance(held, ast.Name) else None


def asked(
    test: ast.expr,
    holds: bool,
    known: Mapping[str, Place | ast.expr],
    steps: frozenset[str],
    axes: Mapping[str, Size | str],
) -> Asked:
    """What it says that a condition holds, or that it does not, where some names have all places of
    ``axes``. Raises ``Unread``."""
    found = Asked()
    for part in _parts(test, holds):
        try:
            bound = _not_at_an_end(part, known, axes) or _bound(part, known)
        except Unread:
            bound = None
        if bound is not None:
            found.bounds.add(bound)
        elif {n.id for n in everything_in(part) if isinstance(n, ast.Name)} <= steps and not any(
            isinstance(n, (ast.Call, ast.NamedExpr, ast.Subscript)) for n in everything_in(part)
        ):
            found.kept.append(part)
        else:
            raise Unread
    return found


_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
_ORDERS = (ast.Lt, ast.GtE, ast.Gt, ast.LtE)


def _parts(test: ast.expr, holds: bool) -> list[ast.expr]:
    """Tests that hold, each of them, where and only where ``test`` holds (or does not)."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _parts(test.operand, not holds)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) == holds:
        return [part for side in test.values for part in _parts(side, holds)]
    if isinstance(test, ast.Compare):
        sides = [test.left, *test.comparators]
        pairs = [ast.Compare(left, [op], [right])
                 for left, op, right in zip(sides, test.ops, sides[1:], strict=False)]  # fmt: skip
        if holds:
            return list(pairs)
        if len(pairs) == 1 and type(test.ops[0]) in _OPPOSITE:
            return [ast.Compare(test.left, [_OPPOSITE[type(test.ops[0])]()], test.comparators)]
    return [test if holds else ast.UnaryOp(ast.Not(), test)]


def _bound(part: ast.expr, known: Mapping[str, Place | ast.expr]) -> Bound | None:
    """The bound that an inequality is; None where it has no loop variable over an axis."""
    if not isinstance(part, ast.Compare) or not isinstance(part.ops[0], _ORDERS):
        raise Unread
    left, right = place_of(part.left, known), place_of(part.comparators[0], known)
    op = part.ops[0]
    more, less = (left, right) if isinstance(op, (ast.Gt, ast.GtE)) else (right, left)
    # at least 0 from here on
    room = more.plus(less, -1).shifted(-1 if isinstance(op, (ast.Gt, ast.Lt)) else 0)
    sizes = room.sizes
    if not sizes:
        return Bound(room)
    if list(sizes.values()) != [1]:
        raise Unread
    (size,) = sizes
    place = Place(frozenset((a, -n) for a, n in room.times if a != size), -room.number - 1)
    return Bound(place, size)


def _not_at_an_end(
    part: ast.expr, known: Mapping[str, Place | ast.expr], axes: Mapping[str, Size | str]
) -> Bound | None:
    """The bound of the place beside a loop variable that ``i != 0`` or ``i != n - 1`` is."""
    if not isinstance(part, ast.Compare) or not isinstance(part.ops[0], ast.NotEq):
        return None
    left, right = place_of(part.left, known), place_of(part.comparators[0], known)
    for apart in (left.plus(right, -1), right.plus(left, -1)):
        for word, size in axes.items():
            at = Place(frozenset({(word, 1)}), 0)
            if apart == at:
                return Bound(at.shifted(-1))
            if apart == at.plus(Place(frozenset({(size, 1)}), -1), -1):
                return Bound(at.shifted(1), size)
    return None
