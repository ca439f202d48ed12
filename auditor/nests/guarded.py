"""Nests whose inner loops end where others are, or skip steps: which steps are made is said by
inequalities between the loop variables, and what a step adds is 0 where one does not hold.

    for t in range(n):
        for k in range(min(t + 1, m)):      k walks 0 .. m - 1, where t - k >= 0
            y[t] += h[k] * x[t - k]
    for i in range(n):
        for j in range(m):
            y[i + j] += x[i] * h[j]         read as y[p] += x[p - j] * h[j], where 0 <= p - j < n
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from auditor.lift import extents
from auditor.nests.expressions import Expressions
from auditor.nests.integers import NoNest
from auditor.nests.parts import Part, Scope, indices, integers_of, put
from auditor.nests.walking import walked
from auditor.notation import ONE, ZERO, Apply, Index, Term, free_indices, walk
from auditor.syntax import is_name
from auditor.tree import descendants, everything_in


def counted(reading: Expressions, target: ast.expr, source: ast.expr, scope: Scope) -> Index:
    """Bind the variables of a loop over an array, or over a range whose ends may move with other
    loops."""
    if not isinstance(source, ast.Call) or is_name(source.func, "enumerate"):
        return walked(reading, target, source, scope)
    called = isinstance(source, ast.Call) and is_name(source.func, "range")
    if not called or "range" in reading.region.module.bound:
        raise NoNest("goes through something else than a range")
    assert isinstance(source, ast.Call)
    if not isinstance(target, ast.Name) or source.keywords or not 1 <= len(source.args) <= 2:
        raise NoNest("an unusual range")
    known = integers_of(scope)
    lows: list[Term] = [ZERO]
    if len(source.args) == 2:
        lows = _ends(reading, "max", source.args[0], known)
    highs = _ends(reading, "min", source.args[-1], known)
    low, high = _end(reading, lows, True), _end(reading, highs, False)
    index = reading.index(target.id, low, high)
    reading.guards += [extents.sub(index, end) for end in lows if end is not low]
    reading.guards += [
        extents.sub(extents.sub(end, ONE), index) for end in highs if end is not high
    ]
    scope[target.id] = index
    return index


def _ends(reading: Expressions, way: str, node: ast.expr, known: Mapping[str, Term]) -> list[Term]:
    """The integers of which an end of a range is the largest or the smallest."""
    if isinstance(node, ast.Call) and is_name(node.func, way) and not node.keywords:
        if way not in reading.region.module.bound and len(node.args) > 1:
            return [end for arg in node.args for end in _ends(reading, way, arg, known)]
    return [extents.canonical(reading.integers.term(node, known))]


def _end(reading: Expressions, given: list[Term], least: bool) -> Term:
    """An end that moves with no other loop: one of those given, or the farthest of the first."""
    fixed = [end for end in given if not free_indices(end)]
    if fixed:
        return fixed[0]
    by: dict[Term, Term] = {}
    for index in indices(given[0]):
        factor, held = extents.polynomial(given[0]).get((index,)), reading.walks[index]
        if factor is None:
            raise NoNest("a range whose ends move with another loop")
        by[index] = held.low if (factor > 0) is least else extents.sub(held.high, ONE)
    found = extents.canonical(put(given[0], by))
    if free_indices(found):
        raise NoNest("a range whose ends move with another loop")
    return found


def conditions(reading: Expressions, test: ast.expr, scope: Scope, holds: bool) -> list[Term]:
    """What has to be at least 0 for a condition to hold, or not to. Raises ``NoNest``."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return conditions(reading, test.operand, scope, not holds)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is holds:
        return [one for each in test.values for one in conditions(reading, each, scope, holds)]
    if not isinstance(test, ast.Compare) or (not holds and len(test.ops) > 1):
        raise NoNest("a condition of another kind")
    known = integers_of(scope)
    sides = [reading.integers.term(side, known) for side in (test.left, *test.comparators)]
    found = []
    for op, left, right in zip(test.ops, sides, sides[1:], strict=False):
        way = _ORDERS.get(type(op))
        if way is None or not any(map(free_indices, (left, right))):
            raise NoNest("a condition of another kind")
        upward, strict = way if holds else (not way[0], not way[1])
        apart = extents.sub(right, left) if upward else extents.sub(left, right)
        found.append(extents.sub(apart, ONE) if strict else apart)
    return found


# whether the right side is the larger one, and strictly so
_ORDERS = {
    ast.Lt: (True, True), ast.LtE: (True, False), ast.Gt: (False, True), ast.GtE: (False, False),
}  # fmt: skip


def where(guards: list[Term], part: Part) -> Part:
    """What a step adds that is made where ``guards`` are at least 0."""
    term = part.term
    for guard in guards:
        term = Apply("where", (Apply("ge", (guard, ZERO)), term, ZERO))
    return Part(part.axes, term)


def whole_places(place: tuple[Term, ...]) -> None:
    """Raises ``NoNest`` where a cell that is written is found by more than sums of variables."""
    for sub in place:
        if any(isinstance(node, Apply) and node.op in ("mod", "abs") and free_indices(node)
               for node in walk(sub)):  # fmt: skip
            raise NoNest("writes at a place that wraps around")


def gathered(node: ast.For) -> ast.For | None:
    """Two loops that add to the cell at the sum of their variables, as loops over the cells: the
    outer one walks the sums, and its old variable is what is left of them."""
    if len(node.body) != 1 or not isinstance(inner := node.body[0], ast.For):
        return None
    if len(inner.body) != 1 or not isinstance(add := inner.body[0], ast.AugAssign):
        return None
    if not isinstance(add.op, (ast.Add, ast.Sub)) or not isinstance(add.target, ast.Subscript):
        return None
    one, two, place = node.target, inner.target, add.target.slice
    if not isinstance(one, ast.Name) or not isinstance(two, ast.Name) or node.orelse:
        return None
    ranges = [_range_to(each.iter) for each in (node, inner)]
    first, second = ranges
    wraps = isinstance(place, ast.BinOp) and isinstance(place.op, ast.Mod)
    added = place.left if wraps and isinstance(place, ast.BinOp) else place
    if first is None or second is None or not isinstance(added, ast.BinOp) or inner.orelse:
        return None
    if not isinstance(added.op, ast.Add) or not all(
        isinstance(side, ast.Name) for side in (added.left, added.right)
    ):
        return None
    if {added.left.id, added.right.id} != {one.id, two.id} or one.id == two.id:  # type: ignore[attr-defined]
        return None
    if any(isinstance(n, ast.Name) and n.id == one.id for n in everything_in(inner.iter)):
        return None
    cell = ast.Name(f"{one.id} + {two.id}", ast.Load())
    left: ast.expr = ast.BinOp(cell, ast.Sub(), two)
    if wraps:
        assert isinstance(place, ast.BinOp)
        if ast.dump(place.right) != ast.dump(first):
            return None
        left = ast.BinOp(left, ast.Mod(), place.right)
        count: ast.expr = first
    else:
        count = ast.BinOp(ast.BinOp(first, ast.Add(), second), ast.Sub(), ast.Constant(1))
    base = add.target.value
    value = with_name(add.value, one.id, left)
    step: ast.stmt = ast.AugAssign(ast.Subscript(base, cell, ast.Store()), add.op, value)
    if not wraps:
        test = ast.Compare(ast.Constant(0), [ast.LtE(), ast.Lt()], [left, first])
        step = ast.If(test, [step], [])
    within = ast.For(two, inner.iter, [step], [])
    outer = ast.For(ast.Name(cell.id, ast.Store()),
                    ast.Call(ast.Name("range", ast.Load()), [count], []), [within], [])  # fmt: skip
    for each in descendants(outer):
        if not hasattr(each, "lineno"):
            ast.copy_location(each, node)
    return ast.fix_missing_locations(outer)


def _range_to(node: ast.expr) -> ast.expr | None:
    """n of ``range(n)``."""
    if isinstance(node, ast.Call) and is_name(node.func, "range") and not node.keywords:
        return node.args[0] if len(node.args) == 1 else None
    return None


def with_name(node: ast.expr, name: str, value: ast.expr) -> ast.expr:
    """An expression with another one in the place of a variable; what has none of it stays the same
    node."""
    if isinstance(node, ast.Name) and node.id == name:
        return value
    if not any(isinstance(each, ast.Name) and each.id == name for each in everything_in(node)):
        return node
    if isinstance(node, ast.BinOp):
        return ast.BinOp(
            with_name(node.left, name, value), node.op, with_name(node.right, name, value)
        )
    if isinstance(node, ast.Subscript):
        return ast.Subscript(node.value, with_name(node.slice, name, value), node.ctx)
    if isinstance(node, ast.Tuple):
        return ast.Tuple([with_name(each, name, value) for each in node.elts], node.ctx)
    raise NoNest("an unusual step")
