"""Neighbours that a step adds only where there are any, as those of an array with zeros around it.

``if 0 <= i + d < n: s += x[i + d]`` for each i of ``range(n)`` adds what ``s += padded[i + d + 1]``
adds, where ``padded`` is ``np.pad(x, 1)``: beyond the ends that is 0. The steps d are spelled, so
that it is known how far they go, and what the loops fill is made in the function, so that it is not
what they read.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from copy import deepcopy
from dataclasses import dataclass, field

from auditor.notation import Span
from auditor.plain.bounds import Asked, Bound, Place, Size, Unread, asked, place_of, size_of
from auditor.plain.text import Body, Written, loads_in, name
from auditor.syntax import constant, path_of
from auditor.tree import descendants, everything_in
from auditor.verdict import Edit

BOUNDED = (r"if \(?0 <= \w", r" >= 0 and ", r" < 0 or ", r"if \w+ > 0:\s*\w+\S* \+= ")
"""Where a condition may ask for bounds."""

_MAKES = frozenset(
    f"numpy.{made}{like}" for made in ("zeros", "ones", "empty", "full") for like in ("", "_like")
)
_CALLED = ("range", "len", "abs")
_PLAIN = (ast.For, ast.If, ast.Assign, ast.AugAssign, ast.Continue, ast.Pass)
_FURTHEST = 8
_LARGE = 1e9

_Reach = tuple[int, int]
"""How far steps go, back and on."""


def padded(written: Written) -> Iterator[list[Edit]]:
    """One outermost loop after the other."""
    if written.module.library != "numpy":
        return
    for block, place in written.own():
        loop = block[place]
        inside = isinstance(loop, ast.For) and any(
            isinstance(above, ast.For) for above in written.ancestors(loop, written.node)
        )
        if isinstance(loop, ast.For) and not inside:
            try:
                yield _Nest(written, loop).edits()
            except Unread:
                continue


@dataclass
class _Nest:
    """A nest of loops with bounds. ``axes`` says of which axis each loop variable has all places,
    ``reach`` how far the spelled steps go; ``array`` is what is read within bounds, ``furthest``
    how far beyond its ends, ``made`` the name of that with zeros around it. ``noted`` are the
    statements that name places, of which those are ``unneeded`` whose names nothing reads but what
    is ``answered``."""

    written: Written
    loop: ast.For
    known: dict[str, Place | ast.expr] = field(default_factory=dict)
    axes: dict[str, Size] = field(default_factory=dict)
    reach: dict[str, _Reach] = field(default_factory=dict)
    made: str = ""
    array: str = ""
    rank: int = 0
    furthest: int = 0
    edited: list[Edit] = field(default_factory=list)
    answered: set[ast.AST] = field(default_factory=set)
    noted: list[ast.Assign] = field(default_factory=list)
    unneeded: set[ast.Assign] = field(default_factory=set)

    def edits(self) -> list[Edit]:
        """The nest without its bounds, behind the array with zeros around it. Raises ``Unread``."""
        self._plain()
        self._names()
        self.made = self.written.fresh("padded", set())
        before = dict(self.known)
        self._blocks(self.loop.body)  # which says how far the nest reads
        if not 0 < self.furthest <= _FURTHEST:
            raise Unread
        self._is_array()
        self.edited, self.known = [], before
        self.unneeded = {node for node in self.noted if self._unneeded(node)}
        self._blocks(self.loop.body)
        module = self.written.module
        library = next((n for n, path in module.names.items() if path == "numpy"), None)
        indent = module.lines[self.loop.lineno - 1][: self.loop.col_offset]
        if library is None or library in self.written.stored or indent.strip():
            raise Unread
        text = f"{indent}{self.made} = {library}.pad({self.array}, {self.furthest})\n"
        at = self.loop.lineno
        return [Edit(Span(at, 1, at, 1), text), *self.edited]

    # -- what the nest may be

    def _plain(self) -> None:
        """Nothing but loops, choices and assignments, and what is filled is made here."""
        stored = {*self.written.stored, *self.written.module.bound}
        for node in descendants(self.loop):
            if isinstance(node, ast.stmt) and not isinstance(node, _PLAIN):
                raise Unread
            if isinstance(node, ast.For) and node.orelse:
                raise Unread
            if isinstance(node, ast.Call):
                called = node.func.id if isinstance(node.func, ast.Name) else ""
                if called not in _CALLED or called in stored:
                    raise Unread
            if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
                held = node.value
                if not isinstance(held, ast.Name) or not self._made_here(held.id):
                    raise Unread

    def _made_here(self, array: str) -> bool:
        """Whether a name is bound once in the function, to a new array."""
        value = self._once(array)
        made = isinstance(value, ast.Call) and path_of(self.written.module, value.func)
        return made in _MAKES

    def _once(self, word: str) -> ast.expr | None:
        """What a name is bound to, once in the function and alone, before the loop."""
        stores = [n for n in self.written.names.get(word, ()) if not isinstance(n.ctx, ast.Load)]
        if len(stores) != 1 or word in self.written.arguments:
            return None
        (store,) = stores
        return self.written.bound(store) if store.lineno < self.loop.lineno else None

    def _names(self) -> None:
        """What the names in conditions and places stand for."""
        for node in self.written.nodes:
            if isinstance(node, ast.Assign) and node.lineno < self.loop.lineno:
                self._sizes(node)
        for node in everything_in(self.loop):
            if isinstance(node, ast.For):
                self._walked(node)

    def _sizes(self, node: ast.Assign) -> None:
        """``n = len(x)``, ``h, w = x.shape``."""
        (target, *more), value = node.targets, node.value
        if more:
            return
        if isinstance(target, ast.Name) and self._once(target.id) is value:
            if size_of(value) is not None:
                self.known[target.id] = place_of(value, {})
        of = value.value if isinstance(value, ast.Attribute) and value.attr == "shape" else None
        if not isinstance(target, ast.Tuple) or not isinstance(of, ast.Name):
            return
        for axis, each in enumerate(target.elts):
            if isinstance(each, ast.Name) and self._stored(each.id) == 1:
                self.known[each.id] = Place(frozenset({((of.id, axis), 1)}), 0)

    def _stored(self, word: str) -> int:
        """How often the function binds a name, as a parameter too."""
        stores = [n for n in self.written.names.get(word, ()) if not isinstance(n.ctx, ast.Load)]
        return len(stores) + (word in self.written.arguments)

    def _walked(self, node: ast.For) -> None:
        """``for i in range(n)``, ``for d in (-1, 0, 1)``, ``for a, b in ((0, 1), (1, 0))``."""
        targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
        words = [target.id for target in targets if isinstance(target, ast.Name)]
        if len(words) != len(targets) or any(self._stored(word) != 1 for word in words):
            return
        rows = self._rows(node.iter, len(words))
        if rows:
            for word, column in zip(words, zip(*rows, strict=True), strict=True):
                self.reach[word] = (min(column), max(column))
                self.known[word] = Place(frozenset({(word, 1)}), 0)
            return
        call = node.iter
        if not isinstance(call, ast.Call) or len(call.args) != 1 or not isinstance(
            call.func, ast.Name) or call.func.id != "range":  # fmt: skip
            return
        end = place_of(call.args[0], self.known)
        if end.number == 0 and list(end.sizes.values()) == [1] and len(end.times) == 1:
            (self.axes[words[0]],) = end.sizes
            self.known[words[0]] = Place(frozenset({(words[0], 1)}), 0)

    def _rows(self, node: ast.expr, count: int) -> list[tuple[int, ...]] | None:
        """The integers that a loop walks, where they are spelled."""
        module = self.written.module
        if isinstance(node, ast.Name):
            if node.id in self.written.stored:
                node = self._once(node.id) or node
            else:
                node = module.constants.get(node.id, node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            ends = [end for arg in node.args if type(end := constant(arg)) is int]
            if node.func.id != "range" or len(ends) != len(node.args) or not 1 <= len(ends) <= 2:
                return None
            return [(number,) for number in range(*ends)] if count == 1 else None
        if not isinstance(node, (ast.Tuple, ast.List)):
            return None
        rows = []
        for item in node.elts:
            parts = item.elts if isinstance(item, (ast.Tuple, ast.List)) else [item]
            numbers = tuple(number for part in parts if type(number := constant(part)) is int)
            if len(numbers) != len(parts) or len(numbers) != count:
                return None
            rows.append(numbers)
        return rows

    def _note(self, node: ast.Assign) -> bool:
        """Whether ``y = i + d``, ``y, x = i + dy, j + dx`` names places, which are known then."""
        (target, *more), value = node.targets, node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=False))
        for each, made in pairs:
            if more or not isinstance(each, ast.Name) or self._stored(each.id) != 1:
                return False
            if self._read_after(each.id):
                return False
            try:
                self.known[each.id] = place_of(made, self.known)
            except Unread:
                return False
        self.noted.append(node)
        return True

    def _unneeded(self, node: ast.Assign) -> bool:
        bound = [n.id for n in everything_in(node.targets[0]) if isinstance(n, ast.Name)]
        return all(
            read in self.answered or not isinstance(read.ctx, ast.Load)
            for word in bound for read in self.written.names[word]
        )  # fmt: skip

    def _is_array(self) -> None:
        """What is read is an array of as many axes as it is read with, the same all the time.
        Raises ``Unread``."""
        sizes = self.axes.values()
        if self._stored(self.array) != 1 or any(owner != self.array for owner, _ in sizes):
            raise Unread
        shapes = [
            self.written.parents.get(node) for node in self.written.nodes
            if isinstance(node, ast.Attribute) and node.attr == "shape"
            and isinstance(node.value, ast.Name) and node.value.id == self.array
        ]  # fmt: skip
        counted = any(
            isinstance(at, ast.Assign)
            and isinstance(at.targets[0], ast.Tuple)
            and len(at.targets[0].elts) == self.rank
            for at in shapes
        )
        if not counted and not (self.rank == 1 and shapes and self._fills_vectors()):
            raise Unread

    def _fills_vectors(self) -> bool:
        """Whether the cells that the nest writes are numbers, as what is put into them is then."""
        filled = {
            node.value.id for node in everything_in(self.loop)
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
        }  # fmt: skip
        made = [value for array in filled if isinstance(value := self._once(array), ast.Call)]
        return all(
            not str(path_of(self.written.module, call.func)).endswith("_like")
            and call.args
            and size_of(self._meant(call.args[0])) is not None
            for call in made
        )

    def _meant(self, node: ast.expr) -> ast.expr:
        return (self._once(node.id) or node) if isinstance(node, ast.Name) else node

    # -- its statements

    def _blocks(self, body: Body) -> None:
        """Take the bounds from all that a loop does."""
        for position, statement in enumerate(body):
            if isinstance(statement, ast.For):
                self._blocks(statement.body)
            elif isinstance(statement, ast.Assign):
                if self._note(statement) and statement in self.unneeded:
                    self._replace([statement], [])
            elif isinstance(statement, ast.If) and self._asked(statement) is not None:
                skips = _skips(statement)
                rest: Body = body[position:] if skips else [statement]
                self._replace(rest, self._opened(rest, frozenset()))
                if skips:
                    return

    def _replace(self, old: Body, new: Body) -> None:
        edit = self.written.replaced(old, new)
        if edit is None:
            raise Unread
        self.edited.append(edit)

    def _opened(self, body: Body, bounds: frozenset[Bound]) -> Body:
        """Statements that are run within bounds, run without them. Raises ``Unread``."""
        made: Body = []
        for position, statement in enumerate(body):
            if isinstance(statement, ast.If):
                test = self._asked(statement)
                if test is None:
                    raise Unread
                self.answered.update(everything_in(statement.test))
                skips = _skips(statement)
                rest = body[position + 1 :] if skips else statement.body
                inner = self._opened(rest, bounds | test.bounds)
                kept = _all_of(test.kept)
                if kept is not None and skips:
                    inner = [ast.If(_not(kept), [ast.Continue()], []), *inner]
                elif kept is not None:
                    inner = [ast.If(kept, inner, [])]
                made += inner
                if skips:
                    break
            elif isinstance(statement, ast.For) and bounds:
                inner = self._opened(statement.body, bounds)
                made.append(ast.For(statement.target, statement.iter, inner, [], lineno=0))
            elif isinstance(statement, ast.AugAssign) and bounds:
                made.append(self._added(statement, bounds))
            elif isinstance(statement, ast.Assign) and bounds and self._note(statement):
                made += [] if statement in self.unneeded else [deepcopy(statement)]
            else:
                raise Unread
        return made

    def _asked(self, node: ast.If) -> Asked | None:
        """The bounds that a choice asks for, and what else; None where it asks for none."""
        if node.orelse:
            return None
        try:
            found = asked(node.test, not _skips(node), self.known, frozenset(self.reach))
        except Unread:
            return None
        within = bool(found.bounds) or bool(found.kept)
        return found if within and all(self._on_an_axis(b.place) for b in found.bounds) else None

    def _on_an_axis(self, place: Place) -> bool:
        """Whether a place is a loop variable over an axis, moved by steps and numbers."""
        over = [word for word in place.names if word in self.axes]
        moved = place.names - set(over) <= self.reach.keys()
        return len(over) == 1 and (over[0], 1) in place.times and moved and not place.sizes

    def _added(self, node: ast.AugAssign, bounds: frozenset[Bound]) -> ast.stmt:
        """``s += x[y]`` within bounds, as that of a neighbour of the array with zeros."""
        target = node.target
        if isinstance(target, ast.Name):
            local = not self._read_after(target.id) and not self._divides(target.id)
        else:
            local = isinstance(target, ast.Subscript)
        if not isinstance(node.op, (ast.Add, ast.Sub)) or not local:
            raise Unread
        return ast.AugAssign(deepcopy(target), node.op, self._said(node.value, bounds))

    def _read_after(self, word: str) -> bool:
        """Whether a name is read outside of the nest: it may be of another type there."""
        inside = {id(node) for node in everything_in(self.loop)}
        return any(
            isinstance(n.ctx, ast.Load) and id(n) not in inside
            for n in self.written.names.get(word, ())
        )

    def _divides(self, word: str) -> bool:
        """Whether something is divided by a name: by Python's 0 it would raise, by another not."""
        return any(
            isinstance(node, (ast.BinOp, ast.AugAssign))
            and isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow))
            and word in loads_in(node.right if isinstance(node, ast.BinOp) else node.value)
            for node in everything_in(self.loop)
        )

    def _said(self, node: ast.expr, bounds: frozenset[Bound]) -> ast.expr:
        """Neighbours that are added up or multiplied by numbers, each 0 beyond the bounds."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            return ast.UnaryOp(node.op, self._said(node.operand, bounds))
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, (ast.Add, ast.Sub)):
                sides = [self._said(side, bounds) for side in (node.left, node.right)]
                return ast.BinOp(sides[0], node.op, sides[1])
            if isinstance(node.op, ast.Mult) and _is_number(node.left):
                return ast.BinOp(deepcopy(node.left), node.op, self._said(node.right, bounds))
            if isinstance(node.op, ast.Mult) and _is_number(node.right):
                return ast.BinOp(self._said(node.left, bounds), node.op, deepcopy(node.right))
        return self._neighbour(node, bounds)

    def _neighbour(self, node: ast.expr, bounds: frozenset[Bound]) -> ast.expr:
        """``x[y, z]``, which is read where and only where the bounds let it."""
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            raise Unread
        subs = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        array, places = node.value.id, [place_of(sub, self.known) for sub in subs]
        if self.array not in ("", array) or self.rank not in (0, len(places)):
            raise Unread
        self.array, self.rank = array, len(places)
        self.answered.update(everything_in(node.slice))
        asked_for = set(bounds)
        for axis, place in enumerate(places):
            if not self._on_an_axis(place):
                raise Unread
            (over,) = (word for word in place.names if word in self.axes)
            least = place.number + sum(n * self._end(w, n, 0) for w, n in place.times if w != over)
            most = place.number + sum(n * self._end(w, n, 1) for w, n in place.times if w != over)
            size = (array, axis)
            if self.axes[over] != size:
                raise Unread
            if Bound(place) not in bounds and least < 0:
                raise Unread
            if Bound(place, size) not in bounds and most > 0:
                raise Unread
            asked_for -= {Bound(place), Bound(place, size)}
            self.furthest = max(self.furthest, -least, most)
        if asked_for:
            raise Unread  # a step is left out whose neighbour is none beyond the ends
        said = [_expression(place.shifted(self.furthest), self.axes) for place in places]
        made = said[0] if len(said) == 1 else ast.Tuple(said, ast.Load())
        return ast.Subscript(name(self.made), made, ast.Load())

    def _end(self, word: str | Size, times: int, end: int) -> int:
        """How far a step goes at most, back (0) or on (1)."""
        assert isinstance(word, str)
        return self.reach[word][end if times > 0 else 1 - end]


def _skips(node: ast.If) -> bool:
    return len(node.body) == 1 and isinstance(node.body[0], ast.Continue) and not node.orelse


def _all_of(tests: list[ast.expr]) -> ast.expr | None:
    if not tests:
        return None
    return deepcopy(tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests))


def _not(test: ast.expr) -> ast.expr:
    """The opposite of a test, as a person would write it."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test)


def _is_number(node: ast.expr) -> bool:
    number = constant(node)
    return type(number) in (int, float) and abs(number) < _LARGE  # type: ignore[arg-type]


def _expression(place: Place, first: Collection[str | Size]) -> ast.expr:
    """A place as code, some names first."""
    made: ast.expr | None = None
    order = sorted(place.times, key=lambda each: (each[0] not in first, str(each[0])))
    for word, times in order:
        each: ast.expr = name(str(word))
        if abs(times) != 1:
            each = ast.BinOp(ast.Constant(abs(times)), ast.Mult(), each)
        if made is None:
            made = each  # a loop variable over an axis, which is never subtracted
        else:
            made = ast.BinOp(made, ast.Add() if times > 0 else ast.Sub(), each)
    assert made is not None
    if place.number:
        op = ast.Add() if place.number > 0 else ast.Sub()
        made = ast.BinOp(made, op, ast.Constant(abs(place.number)))
    return made
