"""Places that a condition keeps within an array, as sums that stay there by themselves.

``x[i - 1] if i > 0 else x[0]`` is ``x[max(i - 1, 0)]``; ``x[i + 1] if i < n - 1 else x[0]``, for
each i of ``range(n)``, is ``x[(i + 1) % n]``. So are the places alone,
``before = i - 1 if i > 0 else n - 1``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field

from auditor.plain.bounds import Place, Size, Unread, asked, place_of
from auditor.plain.choice import choice
from auditor.plain.loop_names import LoopNames, outermost
from auditor.plain.text import Written, exchanged
from auditor.syntax import constant
from auditor.tree import descendants, everything_in
from auditor.verdict import Edit

AT_ENDS = (
    r"\] if \w+[^\n:]* [<>!=]=? [^\n:]* else \w+\[",
    r" [-+] 1\)? if \w+ [^\n:]* else ",
    r" if \w+ [^\n:]* else \(?\w+ [-+] 1\b",
    r"else:\n\s*\w+ = (?:\w+\[.*?)?\w+ [-+] 1\b",
)
"""Where a condition may keep a place within an array."""


def ends(written: Written) -> Iterator[list[Edit]]:
    """One outermost loop after the other."""
    if {"max", "min", "range"} & {*written.stored, *written.module.bound}:
        return
    for loop in outermost(written):
        edits = _Nest(written, loop).edits()
        if edits:
            yield edits


@dataclass(frozen=True)
class _Way:
    """Where a condition holds, ``place`` is read, where it does not, ``end``; ``whole`` is what is
    read, with ``node`` as its place."""

    whole: ast.expr
    node: ast.expr
    place: Place
    other: ast.expr
    end: Place

    def at(self, place: ast.expr) -> ast.expr:
        if self.whole is self.node:
            return place
        made = exchanged(ast.Expr(self.whole), {self.node: place})
        assert isinstance(made, ast.Expr)
        return made.value


@dataclass
class _Nest(LoopNames):
    """A nest of loops; ``walked`` are the numbers of places of its loop variables, as they are
    written."""

    walked: dict[str, ast.expr] = field(default_factory=dict)

    def edits(self) -> list[Edit]:
        self.sizes()
        self.known = {word: at for word, at in self.known.items() if self._steady(at)}
        for node in everything_in(self.loop):
            if isinstance(node, ast.For):
                self._walks(node)
        edits = []
        for node in descendants(self.loop):
            statement = choice(node) if isinstance(node, ast.stmt) else None
            if statement is None:
                continue
            by: dict[ast.AST, ast.expr] = {
                each: made for each in everything_in(statement.value)
                if isinstance(each, ast.IfExp) and (made := self._within(each)) is not None
            }  # fmt: skip
            assert isinstance(node, ast.stmt)
            edit = self.written.replaced([node], [exchanged(statement, by)]) if by else None
            edits += [edit] if edit is not None else []
        return edits

    def _walks(self, node: ast.For) -> None:
        """``for i in range(n)``, where i is bound nowhere else and n the same all the time."""
        target, call = node.target, node.iter
        if not isinstance(target, ast.Name) or self.stored(target.id) != 1:
            return
        if not isinstance(call, ast.Call) or len(call.args) != 1 or not isinstance(
            call.func, ast.Name) or call.func.id != "range":  # fmt: skip
            return
        (end,) = call.args
        place = self._place(end)
        if place is None or place.number or [n for _, n in place.times] != [1]:
            return
        ((self.axes[target.id], _),) = place.times
        self.walked[target.id] = end

    def _place(self, node: ast.expr) -> Place | None:
        """A sum of names that are bound once; None where there are others."""
        known = dict(self.known)
        for each in everything_in(node):
            if isinstance(each, ast.Name) and each.id not in known and self.stored(each.id) == 1:
                known[each.id] = Place(frozenset({(each.id, 1)}), 0)
        try:
            found = place_of(node, known)
        except Unread:
            return None
        return found if self._steady(found) else None

    def _steady(self, place: Place | ast.expr) -> bool:
        """Whether the sizes in a place are of arrays that are bound once."""
        sizes = place.sizes if isinstance(place, Place) else ()
        return all(self.stored(array) == 1 for array, _ in sizes)

    def _within(self, node: ast.IfExp) -> ast.expr | None:
        """A choice between two places as one."""
        for read, other, holds in ((node.body, node.orelse, True), (node.orelse, node.body, False)):
            room = self._room(node.test, holds)
            way = self._way(read, other) if room is not None else None
            if room is not None and way is not None:
                place = self._before(way) if room == way.place else self._behind(way, room)
                if place is not None:
                    return way.at(place)
        return None

    def _room(self, test: ast.expr, holds: bool) -> Place | None:
        """What is at least 0 where and only where a condition holds."""
        known = dict(self.known)
        for each in everything_in(test):
            if isinstance(each, ast.Name) and self._place(each) is None:
                return None
            if isinstance(each, ast.Name) and each.id not in known:
                known[each.id] = Place(frozenset({(each.id, 1)}), 0)
        try:
            found = asked(test, holds, known, frozenset(), self.axes)
        except Unread:
            return None
        if len(found.bounds) != 1 or found.kept:
            return None
        (bound,) = found.bounds
        return bound.place if bound.size is None else _last(bound.size).plus(bound.place, -1)

    def _way(self, read: ast.expr, other: ast.expr) -> _Way | None:
        """The one place in which two elements of an array, or two places, differ."""
        one, two, size = read, other, None
        if isinstance(read, ast.Subscript):
            ways = _subscripts(read), _subscripts(other)
            if ways[0] is None or ways[1] is None or ways[0][0] != ways[1][0]:
                return None
            pairs = list(zip(ways[0][1], ways[1][1], strict=False))
            apart = [n for n, (a, b) in enumerate(pairs) if ast.dump(a) != ast.dump(b)]
            if len(ways[0][1]) != len(ways[1][1]) or len(apart) != 1:
                return None
            (one, two), size = pairs[apart[0]], (ways[0][0], apart[0])
        place, end = self._place(one), self._place(two)
        number = constant(two)
        if size is not None and type(number) is int and number < 0:
            steady = self.stored(size[0]) == 1
            end = _last(size).shifted(number + 1) if steady else None
        return None if place is None or end is None else _Way(read, one, place, two, end)

    def _before(self, way: _Way) -> ast.expr | None:
        """A place that is read where it is not before the first."""
        word, end = self._beside(way.place, -1), way.end
        if word is not None:
            end = _at(end, word, Place(frozenset(), 0))
            if end == _last(self.axes[word]):
                return ast.BinOp(deepcopy(way.node), ast.Mod(), deepcopy(self.walked[word]))
        if end == Place(frozenset(), 0):
            return _call("max", way.node, ast.Constant(0))
        return None

    def _behind(self, way: _Way, room: Place) -> ast.expr | None:
        """A place that is read where there is room behind it."""
        last = way.place.plus(room)
        word, end, text = self._beside(way.place, 1), way.end, way.other
        if word is not None and last == _last(self.axes[word]):
            end = _at(end, word, last)
            if end == Place(frozenset(), 0):
                return ast.BinOp(deepcopy(way.node), ast.Mod(), deepcopy(self.walked[word]))
            text = ast.BinOp(self.walked[word], ast.Sub(), ast.Constant(1))
        elif type(constant(text)) is int and constant(text) < 0:  # type: ignore[operator]
            return None
        return _call("min", way.node, text) if end == last else None

    def _beside(self, place: Place, number: int) -> str | None:
        """The loop variable that a place is ``number`` behind."""
        at = [word for word in place.names if word in self.axes]
        alone = len(at) == 1 and place == Place(frozenset({(at[0], 1)}), number)
        return at[0] if alone else None


def _subscripts(node: ast.expr) -> tuple[str, list[ast.expr]] | None:
    """The name of an array and the places of ``x[i, j]`` or ``x[i][j]``."""
    places: list[ast.expr] = []
    while isinstance(node, ast.Subscript):
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        places = [*items, *places]
        node = node.value
    return (node.id, places) if isinstance(node, ast.Name) else None


def _last(size: Size | str) -> Place:
    return Place(frozenset({(size, 1)}), -1)


def _at(place: Place, word: str, value: Place) -> Place:
    """A place where a loop variable has a value."""
    for _ in range(abs(place.often(word))):
        sign = 1 if place.often(word) > 0 else -1
        place = place.plus(Place(frozenset({(word, 1)}), 0), -sign).plus(value, sign)
    return place


def _call(function: str, *args: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(function, ast.Load()), [deepcopy(arg) for arg in args], [])
