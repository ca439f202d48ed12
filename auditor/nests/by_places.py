"""A step that adds to a slice, as a loop over the places of the array, of which the slice is some.

    for k in range(m):
        y[k:] += h[k] * x[: n - k]      read as y[p] += h[k] * x[p - k], where k <= p < n

The same is done at each place where what is added is as long as the slice at every step, and
neither is cut off by an end of its array. Where their length would be negative, a slice is empty or
counts from the end; one of them must be empty for certain: then nothing is added, or it raises.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from auditor.arrays.signs import never_negative
from auditor.lift import extents
from auditor.nests.evidence import items_of
from auditor.nests.expressions import Expressions
from auditor.nests.guarded import counted, with_name
from auditor.nests.integers import NoNest
from auditor.nests.parts import Part, Scope, indices, integers_of, put
from auditor.notation import ONE, ZERO, Term, Value
from auditor.syntax import is_name, mentions
from auditor.tree import descendants

Own = Callable[[ast.Name, int], Value]
"""The array that is written, by its name and how many axes are subscripted."""


def by_places(reading: Expressions, node: ast.For, scope: Scope, own: Own) -> ast.For | None:
    """The loop within one over the places of the array that it adds to, whose length is put into
    ``scope``; None where it is another kind of loop. Raises ``NoNest``."""
    if len(node.body) != 1 or not isinstance(add := node.body[0], ast.AugAssign) or node.orelse:
        return None
    target = add.target
    if not isinstance(add.op, (ast.Add, ast.Sub)) or not isinstance(target, ast.Subscript):
        return None
    node = _numbered(reading, node, scope)
    if not isinstance(target.value, ast.Name) or not isinstance(node.target, ast.Name):
        return None
    add, items = node.body[0], items_of(target)
    assert isinstance(add, ast.AugAssign)
    moving = [at for at, item in enumerate(items) if mentions(item, node.target.id)]
    if len(moving) != 1 or not isinstance(items[moving[0]], ast.Slice):
        return None
    taken = {n.id for n in descendants(node) if isinstance(n, ast.Name)} | set(scope)
    name = next((each for each in "pqrstuvw" if each not in taken), None)
    if name is None:
        return None
    before, known = len(reading.guards), dict(scope)
    counted(reading, node.target, node.iter, known)
    del reading.guards[before:]
    array = own(target.value, len(items))
    if len(array.axes) != len(items):
        raise NoNest("a slice of rows")
    sliced = _Sliced(reading, known, scope, name)
    return sliced.loops(node, add, items, moving[0], array)


def _numbered(reading: Expressions, node: ast.For, scope: Scope) -> ast.For:
    """A loop over the elements of an array and their numbers as one over the numbers."""
    called, target = node.iter, node.target
    if not isinstance(called, ast.Call) or not is_name(called.func, "enumerate"):
        return node
    if called.keywords or len(called.args) != 1 or not isinstance(target, ast.Tuple):
        return node
    (given,), (add,) = called.args, node.body
    pair = [each.id for each in target.elts if isinstance(each, ast.Name)]
    if not isinstance(given, ast.Name) or len(pair) != 2 or not isinstance(add, ast.AugAssign):
        return node
    if {"enumerate", "range", "len"} & set(reading.region.module.bound) or pair[0] == pair[1]:
        return node
    if given.id in reading.stored or not reading.is_array(given):
        return node
    number = ast.Name(pair[0], ast.Load())
    value = with_name(add.value, pair[1], ast.Subscript(given, number, ast.Load()))
    steps: list[ast.stmt] = [ast.AugAssign(add.target, add.op, value)]
    size = _length(reading.leaf(given, 1), 0, scope)
    return ast.For(ast.Name(pair[0], ast.Store()), _range(size), steps, [])


@dataclass(frozen=True)
class _Ends:
    """A slice from ``low`` on, ``length`` long, to ``high`` if that is not the end of the array;
    ``sure`` says that it is empty where its length is not more than 0."""

    low: ast.expr
    length: Term
    high: ast.expr | None
    sure: bool


@dataclass
class _Sliced:
    """Reads the slices of one step. ``sizes`` takes the lengths that the new loops name."""

    reading: Expressions
    known: Scope
    sizes: Scope
    name: str
    read: list[_Ends] = field(default_factory=list)

    def loops(
        self, node: ast.For, add: ast.AugAssign, items: list[ast.expr], at: int, array: Value
    ) -> ast.For:
        own = self._ends(items[at], array, at)
        place = ast.Name(self.name, ast.Load())
        value = self._element(add.value, ast.BinOp(place, ast.Sub(), own.low), len(items) - at)
        if not self.read or not (own.sure or any(each.sure for each in self.read)):
            raise NoNest("slices that may count from the end")
        if any(extents.canonical(extents.sub(own.length, r.length)) is not ZERO for r in self.read):
            raise NoNest("slices that may be of different lengths")
        assert isinstance(add.target, ast.Subscript)
        cell = _item(add.target.value, items, at, place, ast.Store())
        step: ast.stmt = ast.AugAssign(cell, add.op, value)
        after = [] if own.high is None else [own.high]
        orders: list[ast.cmpop] = [ast.LtE(), *([ast.Lt()] if after else [])]
        step = ast.If(ast.Compare(own.low, orders, [place, *after]), [step], [])
        within = ast.For(node.target, node.iter, [step], [])
        size = _length(array, at, self.sizes, self.known)
        outer = ast.For(ast.Name(self.name, ast.Store()), _range(size), [within], [])
        for each in descendants(outer):
            if not hasattr(each, "lineno"):
                ast.copy_location(each, node)
        return ast.fix_missing_locations(outer)

    def _ends(self, item: ast.expr, array: Value, at: int) -> _Ends:
        """A slice of an axis, which must not be cut off by its ends. Raises ``NoNest``."""
        if not isinstance(item, ast.Slice) or item.step is not None:
            raise NoNest("a slice of another kind")
        known, whole = integers_of(self.known), array.axes[at].extent
        low = item.lower or ast.Constant(0)
        first = self.reading.integers.term(low, known)
        self._require(first)
        if item.upper is None:
            return _Ends(low, extents.sub(whole, first), None, True)
        last, high = self.reading.integers.term(item.upper, known), item.upper
        if self._positive(extents.sub(extents.neg(last), ONE)):  # counted from the end
            size = _length(array, at, self.sizes, self.known)
            last, high = extents.add(whole, last), ast.BinOp(size, ast.Add(), high)
            return _Ends(low, extents.sub(last, first), high, True)
        self._require(extents.sub(whole, last))
        return _Ends(low, extents.sub(last, first), high, self._positive(last))

    def _require(self, term: Term) -> None:
        if not self._positive(term):
            raise NoNest("a slice that may reach beyond its axis")

    def _positive(self, term: Term) -> bool:
        """Whether an integer is at least 0 at every step."""
        reading = self.reading
        for index in indices(term):
            factor, held = extents.polynomial(term).get((index,)), reading.walks[index]
            if factor is None:
                return False
            end = held.low if factor > 0 else extents.sub(held.high, ONE)
            term = extents.canonical(put(term, {index: end}))
        constant = extents.constant(term)
        if constant is not None:
            return constant >= 0
        return never_negative(reading.region, reading.integers.before, term)

    def _element(self, node: ast.expr, away: ast.expr, right: int) -> ast.expr:
        """What is added at one place, ``away`` from the start of the slice, which ``right`` items
        are behind."""
        if isinstance(node, ast.Constant):
            return node
        if isinstance(node, ast.UnaryOp):
            return ast.UnaryOp(node.op, self._element(node.operand, away, right))
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            sides = [self._element(side, away, right) for side in (node.left, node.right)]
            return ast.BinOp(sides[0], node.op, sides[1])
        if isinstance(node, ast.Name):
            return self._named(node, away, right)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            return self._subscript(node, node.value, away, right)
        raise NoNest("adds something else to a slice")

    def _named(self, node: ast.Name, away: ast.expr, right: int) -> ast.expr:
        """A number, or all of an array."""
        held = self.known.get(node.id)
        if isinstance(held, Part) and not held.axes:
            return node
        reading = self.reading
        lifted = reading.lifted(node)
        rank = reading.arrays.rank_of(lifted) if lifted is not None else None
        if rank == 0 and held is None:
            return node
        if rank is None:  # what is added in place to one axis has no more
            measured = lifted is not None and lifted.axes and not lifted.axes[0].group
            rank = 1 if measured else reading.evidence.axes(node.id)
        if held is not None or (right, rank) != (1, 1) or node.id in reading.stored:
            raise NoNest("adds something else to a slice")
        array = reading.leaf(node, 1)
        self.read.append(_Ends(ast.Constant(0), array.axes[0].extent, None, True))
        return _item(node, [ast.Slice()], 0, away, ast.Load())

    def _subscript(
        self, node: ast.Subscript, base: ast.Name, away: ast.expr, right: int
    ) -> ast.expr:
        items = items_of(node)
        slices = [at for at, item in enumerate(items) if isinstance(item, ast.Slice)]
        if not slices:
            return node
        at = len(items) - right
        if at not in slices or base.id in self.known or base.id in self.reading.stored:
            raise NoNest("adds something else to a slice")
        array = self.reading.leaf(base, len(items))
        if len(array.axes) != len(items):
            raise NoNest("a slice of rows")
        ends = self._ends(items[at], array, at)
        self.read.append(ends)
        place = ast.BinOp(away, ast.Add(), ends.low)
        return _item(base, items, at, place, ast.Load())


def _range(size: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("range", ast.Load()), [size], [])


def _length(array: Value, at: int, *scopes: Scope) -> ast.expr:
    """The length of an axis, by a name that is put into scopes."""
    name = f"{array.name} along {at}"
    for scope in scopes:
        scope[name] = array.axes[at].extent
    return ast.Name(name, ast.Load())


def _item(
    base: ast.expr, items: list[ast.expr], at: int, place: ast.expr, context: ast.expr_context
) -> ast.Subscript:
    """A subscript with one of its items replaced."""
    changed = [*items[:at], place, *items[at + 1 :]]
    what = changed[0] if len(changed) == 1 else ast.Tuple(changed, ast.Load())
    return ast.Subscript(base, what, context)
