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
from auditor.plain.array_walks import said_arrays
from auditor.plain.bounds import Asked, Bound, Place, Size, Unread, asked, place_of, size_of
from auditor.plain.choice import choice
from auditor.plain.loop_names import LoopNames, outermost
from auditor.plain.surroundings import Surrounds, surrounds
from auditor.plain.text import Body, Respelled, Written, exchanged, loads_in, name
from auditor.syntax import constant, is_name, path_of
from auditor.tree import descendants, everything_in
from auditor.verdict import Edit

BOUNDED = (
    r"if \(?0 <= \w", r" >= 0 and ", r" < 0 or ", r"if \w+ > 0:\s*\w+\S* \+= ",
    r"\] if \w+[^\n:]* [<>!=]=? [^\n:]* else 0\b", r" 0(?:\.0?)? if \w+ [^\n:]* else \w+\[",
)  # fmt: skip
"""Where a condition may ask for bounds."""

_MAKES = frozenset(
    f"{library}.{made}{like}"
    for library in ("numpy", "torch")
    for made in ("zeros", "ones", "empty", "full") for like in ("", "_like")
)  # fmt: skip
_COPIES = ("copy", "clone")
_ASKED = ("shape", "dtype", "ndim", "size", "device")
_CALLED = ("range", "len", "abs")
_PLAIN = (ast.For, ast.If, ast.Assign, ast.AugAssign, ast.Continue, ast.Pass)
_DIVIDES = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_FURTHEST = 8
_LARGE = 1e9


def padded(written: Written) -> Iterator[Respelled]:
    """One nest after the other: an outermost loop, or those in it where it does more."""
    around = surrounds(written)
    if around is None:
        return
    loops = [*outermost(written)]
    while loops:
        loop = loops.pop()
        try:
            yield _Nest(written, loop, around=around).respelled()
        except Unread:
            loops += [inner for inner in loop.body if isinstance(inner, ast.For)]


@dataclass
class _Nest(LoopNames):
    """A nest of loops with bounds. ``array`` is what is read within bounds, ``furthest`` how far
    beyond its ends, ``made`` the name of that with zeros around it. ``noted`` are the statements
    that name places, of which those are ``unneeded`` whose names nothing reads but what is
    ``answered``. ``chosen`` are the names and expressions that are a neighbour or a zero that is
    written, ``zeros`` the types of these."""

    around: Surrounds = field(kw_only=True)
    made: str = ""
    array: str = ""
    rank: int = 0
    furthest: int = 0
    edited: list[Edit] = field(default_factory=list)
    answered: set[ast.AST] = field(default_factory=set)
    noted: list[ast.Assign] = field(default_factory=list)
    unneeded: set[ast.Assign] = field(default_factory=set)
    chosen: set[str | ast.AST] = field(default_factory=set)
    zeros: set[type] = field(default_factory=set)

    def respelled(self) -> Respelled:
        """The nest without its bounds, behind the array with zeros around it. Raises ``Unread``."""
        self._plain()
        self.read()
        self.made = self.written.fresh("padded", set())
        before = dict(self.known)
        self._blocks(self.loop.body)  # which says how far the nest reads
        if not 0 < self.furthest <= _FURTHEST:
            raise Unread
        doubt = self._doubt()
        self.edited, self.known = [], before
        self._is_harmless()
        self.unneeded = {node for node in self.noted if self._unneeded(node)}
        self._blocks(self.loop.body)
        indent = self.written.module.lines[self.loop.lineno - 1][: self.loop.col_offset]
        if indent.strip():
            raise Unread
        zeros = self.around.zeros(self.array, self.rank, self.furthest)
        at = self.loop.lineno
        edits = [Edit(Span(at, 1, at, 1), f"{indent}{self.made} = {zeros}\n"), *self.edited]
        held = "floating-point numbers" if float in self.zeros else "no truth values"
        assumed = (f"`{self.array}` holds {held}",) if self.zeros else ()
        return Respelled(edits, assumed, doubt)

    # -- what the nest may be

    def _made_here(self, array: str) -> bool:
        """Whether a name is bound once in the function, to a new array."""
        value = self.once(array)
        if not isinstance(value, ast.Call):
            return False
        copied = value.func.value if isinstance(value.func, ast.Attribute) else None
        if isinstance(copied, ast.Name) and value.func.attr in _COPIES:  # type: ignore[attr-defined]
            return not value.args and not value.keywords
        return path_of(self.written.module, value.func) in _MAKES

    def _has_another_name(self, array: str) -> bool:
        """Whether something else may hold the memory of an array once the nest runs: it is handed
        on before, or behind the nest in a loop around that and the making of it."""
        made = self.once(array)
        parents, last = self.written.parents, self.loop.end_lineno or self.loop.lineno
        beside = made is not None and parents[parents[made]] is parents[self.loop]
        again = not beside and any(
            isinstance(above, (ast.For, ast.While))
            for above in self.written.ancestors(self.loop, self.written.node)
        )
        return any(
            isinstance(use.ctx, ast.Load) and (use.lineno <= last or again)
            and not self._is_only_asked(use)
            for use in self.written.names[array]
        )  # fmt: skip

    def _is_only_asked(self, use: ast.Name) -> bool:
        """Whether an array is asked for its shape, or written to, or for elements in the nest."""
        parent = self.written.parents[use]
        if isinstance(parent, ast.Subscript) and parent.value is use:
            within = self.loop.lineno <= use.lineno <= (self.loop.end_lineno or 0)
            return within or isinstance(parent.ctx, ast.Store)
        if isinstance(parent, ast.Call):
            return is_name(parent.func, "len")
        return isinstance(parent, ast.Attribute) and parent.attr in _ASKED

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
                if self._has_another_name(held.id):
                    raise Unread

    def _note(self, node: ast.Assign) -> bool:
        """Whether ``y = i + d``, ``y, x = i + dy, j + dx`` names places, which are known then."""
        (target, *more), value = node.targets, node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=False))
        for each, made in pairs:
            if more or not isinstance(each, ast.Name) or self.stored(each.id) != 1:
                return False
            if self.read_after(each.id):
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

    def _doubt(self) -> str | None:
        """Why what is read, the same all the time, may be no array of as many axes as it is read
        with. Raises ``Unread``."""
        sizes, array = self.axes.values(), self.array
        if any(size[0] != array for size in sizes) or not self._one_shape(array):
            raise Unread
        if self._fills(array):
            raise Unread
        counted = any(
            isinstance(node, ast.Assign)
            and isinstance(value := node.value, ast.Attribute)
            and value.attr == "shape" and is_name(value.value, array)
            and isinstance(node.targets[0], ast.Tuple)
            and len(node.targets[0].elts) == self.rank
            for node in self.written.nodes
        )  # fmt: skip
        sure = array in said_arrays(self.written.node)
        if counted or (self.rank == 1 and sure and self._fills_vectors()):
            return None
        if self.rank == 1 and self._fills_vectors():
            return f"whether `{array}` is an array is not known"
        axes = "1 axis" if self.rank == 1 else f"{self.rank} axes"
        return f"nothing says that `{array}` has {axes}: with others the result may differ"

    def _one_shape(self, array: str) -> bool:
        """Whether a name is bound once, or else to what the nest has filled, which is made anew
        each time before it, in the shape of the array."""
        more = self.stored(array) - 1
        if more == 0:
            return True
        stores = [n for n in self.written.names[array] if not isinstance(n.ctx, ast.Load)]
        return sum(self._is_next(self.written.bound(store), array) for store in stores) == more

    def _is_next(self, value: ast.expr | None, array: str) -> bool:
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            return value.func.attr in _COPIES and is_name(value.func.value, array)
        made = self.once(value.id) if isinstance(value, ast.Name) else None
        if not isinstance(made, ast.Call) or not isinstance(value, ast.Name):
            return False
        beside = self.written.parents[self.loop]
        if self.written.parents[self.written.parents[made]] is not beside:
            return False
        function = made.func
        copied = isinstance(function, ast.Attribute) and function.attr in _COPIES
        like = str(path_of(self.written.module, function)).endswith("_like")
        shaped = made.args[0] if like and made.args else function.value if copied else None  # type: ignore[attr-defined]
        return shaped is not None and is_name(shaped, array) and self._made_here(value.id)

    def _fills(self, array: str) -> bool:
        """Whether the nest writes to an array."""
        return any(
            isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
            and is_name(node.value, array)
            for node in everything_in(self.loop)
        )  # fmt: skip

    def _fills_vectors(self) -> bool:
        """Whether the cells that the nest writes are numbers, as what is put into them is then."""
        filled = {
            node.value.id for node in everything_in(self.loop)
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
        }  # fmt: skip
        made = [value for array in filled if isinstance(value := self.once(array), ast.Call)]
        return all(
            not str(path_of(self.written.module, call.func)).endswith("_like")
            and call.args
            and size_of(self._meant(call.args[0])) is not None
            for call in made
        )

    def _meant(self, node: ast.expr) -> ast.expr:
        return (self.once(node.id) or node) if isinstance(node, ast.Name) else node

    # -- its statements

    def _blocks(self, body: Body) -> None:
        """Take the bounds from all that a loop does."""
        for position, statement in enumerate(body):
            if isinstance(statement, ast.For):
                self._blocks(statement.body)
            elif isinstance(statement, ast.Assign) and self._note(statement):
                if statement in self.unneeded:
                    self._replace([statement], [])
            elif (chosen := choice(statement)) is not None:
                self._without_choices(statement, chosen)
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

    def _without_choices(self, node: ast.stmt, statement: ast.Assign | ast.AugAssign) -> None:
        """``left = x[i - 1] if i > 0 else 0.0``, which a node is or says, as the neighbour in the
        array with zeros."""
        by: dict[ast.AST, ast.expr] = {}
        for each in everything_in(statement.value):
            if isinstance(each, ast.IfExp) and (read := self._read_where(each)) is not None:
                inner, bounds = read
                by[each] = self._said(inner, bounds)
                self.answered.update(everything_in(each.test))
        if not by:
            return
        self.chosen |= {*by, *_bound_by(statement)}
        self._replace([node], [exchanged(statement, by)])

    def _read_where(self, node: ast.IfExp) -> tuple[ast.expr, frozenset[Bound]] | None:
        """What is read within which bounds by a choice between that and a zero."""
        for read, zero, holds in ((node.body, node.orelse, True), (node.orelse, node.body, False)):
            number = constant(zero)
            if type(number) not in (int, float) or number != 0:
                continue
            found = self._asked_by(node.test, holds)
            if found is not None and found.bounds and not found.kept:
                self.zeros.add(type(number))
                return read, frozenset(found.bounds)
        return None

    def _is_harmless(self) -> None:
        """Nothing is done with a neighbour or a zero that a zero of an array does in another way:
        where something is divided by a zero that is written, or that by nothing, it raises. Raises
        ``Unread``."""
        within = list(everything_in(self.loop))
        while True:
            more = {
                word for node in within if isinstance(node, (ast.Assign, ast.AugAssign))
                if self._has_chosen(node.value) and not self._has_element(node.value)
                for word in _bound_by(node)
            } - self.chosen  # fmt: skip
            if not more:
                break
            self.chosen |= more
        if any(isinstance(each, str) and self.read_after(each) for each in self.chosen):
            raise Unread
        for node in within:
            if isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, _DIVIDES):
                left, right = (
                    (node.left, node.right) if isinstance(node, ast.BinOp)
                    else (node.target, node.value)
                )  # fmt: skip
                number = self._has_chosen(left) and not self._has_element(left)
                if self._has_chosen(right) or (number and not _is_positive(right)):
                    raise Unread

    def _has_chosen(self, node: ast.expr) -> bool:
        return any(
            each in self.chosen or (isinstance(each, ast.Name) and each.id in self.chosen)
            for each in everything_in(node)
        )

    def _has_element(self, node: ast.expr) -> bool:
        """Whether an element of the array takes part in a sum or product, whatever is chosen."""
        if isinstance(node, (ast.BinOp, ast.UnaryOp)):
            parts = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
            return any(map(self._has_element, parts))
        if isinstance(node, ast.Name) and node.id not in self.written.arguments:
            stores = [n for n in self.written.names[node.id] if not isinstance(n.ctx, ast.Load)]
            bound = [self.written.bound(store) for store in stores]
            return bool(bound) and all(map(self._is_element, bound))
        return self._is_element(node)

    def _is_element(self, node: ast.expr | None) -> bool:
        return isinstance(node, ast.Subscript) and is_name(node.value, self.array)

    def _asked(self, node: ast.If) -> Asked | None:
        """The bounds that a choice asks for, and what else; None where it asks for none."""
        return None if node.orelse else self._asked_by(node.test, not _skips(node))

    def _asked_by(self, test: ast.expr, holds: bool) -> Asked | None:
        try:
            found = asked(test, holds, self.known, frozenset(self.reach), self.axes)
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
            local = not self.read_after(target.id) and not self._divides(target.id)
        else:
            local = isinstance(target, ast.Subscript)
        if not isinstance(node.op, (ast.Add, ast.Sub)) or not local:
            raise Unread
        return ast.AugAssign(deepcopy(target), node.op, self._said(node.value, bounds))

    def _divides(self, word: str) -> bool:
        """Whether something is divided by a name: by Python's 0 it would raise, by another not."""
        return any(
            isinstance(node, (ast.BinOp, ast.AugAssign))
            and isinstance(node.op, _DIVIDES)
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


def _bound_by(node: ast.Assign | ast.AugAssign) -> Iterator[str]:
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        for each in everything_in(target):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                yield each.id


def _is_positive(node: ast.expr) -> bool:
    number = constant(node)
    return type(number) in (int, float) and number > 0  # type: ignore[operator]


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
