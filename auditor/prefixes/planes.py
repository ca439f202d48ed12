"""Sums over all cells before a place, along two axes: running sums of running sums.

S[i, j] = x[i - 1, j - 1] + S[i - 1, j] + S[i, j - 1] - S[i - 1, j - 1]
run += x[i, j]; S[i, j] = run + (S[i - 1, j] if i > 0 else 0)

The difference of neighbouring rows of S is a running sum along the row, of which S is the running
sum down the columns. Before the first row and column there are zeros, as the array that is filled
holds them, or as the conditions say.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass, field

from auditor.arrays.facts import Arrays
from auditor.assumed import assuming
from auditor.plain.bounds import Place, Unread, place_of, size_of
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.syntax import array_name, constant, is_name, path_of
from auditor.tree import everything_in
from auditor.verdict import Verdict

_RUN, _CELL, _ADDED = "run", "cell", "added"
_Atom = tuple[str, int, int]
_FLOATS = frozenset(("float", "numpy.float64", "numpy.double"))
_HOLDS = Verdict("holds", "structure", "a sum over two axes is one along rows, then down columns")


class _Other(Exception):
    """The loops do something else."""


def plane(site: Site, region: Region, node: ast.For) -> Match | None:
    """The match of two loops that fill an array so, or None. Raises ``Refused``."""
    try:
        filled = _Filled(region, node)
        filled.read()
    except (_Other, Unread):
        return None
    name = filled.name
    message = f"`{name}`: each cell is a sum over all before it, along two axes"
    told = Match(
        region.module.span(node), f"{message}: running sums of running sums", site.computation,
        verdicts={"associativity": _HOLDS},
    )  # fmt: skip
    made = region.binding_before(node, name)
    value = made.value if made is not None else None
    line = filled.line(value) if isinstance(value, ast.Call) else None
    if line is None or made is None or not made.unread:
        return told
    arrays = Arrays(region)
    if arrays.library(filled.cells.value) != "numpy" or not arrays.certain(filled.cells.value):
        return told
    for word in filled.bound:
        site.require(not region.read_after(node, word), "names", f"`{word}` is used after the loop")
    source = f"`{filled.source}`"
    reasons = [f"{source} is an array", f"{source} holds no complex numbers"]
    reasons += [] if filled.run else [f"{source} holds no infinite numbers"]
    return Match(
        span=region.module.span(node),
        message=f"{message}, and is computed in an interpreted step",
        computation=site.computation,
        edits=(region.replace_lines(node, [line]),),
        reason=assuming(reasons),
        verdicts={"associativity": _HOLDS},
    )


def _nowhere() -> ast.Subscript:
    return ast.Subscript(ast.Name(""), ast.Constant(None), ast.Load())


@dataclass
class _Filled:
    """What two loops fill: ``name``, by cells like ``cells``, with sums of ``added``. ``state`` is
    what a cell and the running sum hold, in terms of the cells before."""

    region: Region
    node: ast.For
    rows: str = ""
    columns: str = ""
    run: str = ""
    name: str = ""
    bound: tuple[str, ...] = ()
    cells: ast.Subscript = field(default_factory=_nowhere)
    added: ast.Subscript = field(default_factory=_nowhere)
    state: dict[str, Counter[_Atom]] = field(default_factory=dict)
    at: tuple[int, int] = (0, 0)

    def read(self) -> None:
        """Read the loops. Raises ``_Other`` and ``Unread``."""
        *before, inner = self.node.body
        if not isinstance(inner, ast.For) or inner.orelse or self.node.orelse:
            raise _Other
        if not isinstance(self.node.target, ast.Name) or not isinstance(inner.target, ast.Name):
            raise _Other
        self.rows, self.columns = self.node.target.id, inner.target.id
        for statement in before:
            if len(before) > 1 or not isinstance(statement, ast.Assign):
                raise _Other
            first = statement.targets[0]
            if not _zero(statement.value) or not isinstance(first, ast.Name):
                raise _Other
            self.run = first.id
            self.state[_RUN] = Counter({(_RUN, 0, 0): 1})
        self.bound = tuple(filter(None, (self.rows, self.columns, self.run)))
        self.inner = inner
        for each in inner.body:
            self._statement(each)
        whole = [(_ADDED, 0, 0), (_CELL, -1, 0)]
        cell = {atom: n for atom, n in self.state.get(_CELL, Counter()).items() if n}
        run = {atom: n for atom, n in self.state.get(_RUN, Counter()).items() if n}
        if self.run:
            right = run == {(_RUN, 0, 0): 1, whole[0]: 1}
            right = right and cell == {(_RUN, 0, 0): 1, whole[0]: 1, whole[1]: 1}
        else:
            right = cell == {whole[0]: 1, whole[1]: 1, (_CELL, 0, -1): 1, (_CELL, -1, -1): -1}
        if not right:
            raise _Other

    def _statement(self, node: ast.stmt, guarded: frozenset[str] = frozenset()) -> None:
        if isinstance(node, ast.If) and not guarded:
            asked = self._asked(node.test)
            if not node.orelse:
                for each in node.body:
                    if not isinstance(each, ast.AugAssign):
                        raise _Other
                    self._statement(each, asked)
                return
            raise _Other
        target: ast.expr
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            (target,) = node.targets
            held = self._value(node.value, guarded)
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Add, ast.Sub)):
            target = node.target
            held = Counter(self._held(target))
            sign = 1 if isinstance(node.op, ast.Add) else -1
            _into(held, self._value(node.value, guarded), sign)
        else:
            raise _Other
        if is_name(target, self.run) and self.run:
            self.state[_RUN] = held
            return
        if not isinstance(target, ast.Subscript):
            raise _Other
        self._cell(target)
        self.state[_CELL] = held

    def _held(self, target: ast.expr) -> Counter[_Atom]:
        if self.run and is_name(target, self.run):
            return self.state[_RUN]
        if not self.name:
            if isinstance(target, ast.Subscript) and array_name(target) is not None:
                raise _Other  # what the array held before
        if _CELL not in self.state:
            raise _Other
        return self.state[_CELL]

    def _cell(self, target: ast.Subscript) -> None:
        """The place that a step writes, always the same."""
        name, places = self._place(target)
        if self.name and (name, places) != (self.name, self.at):
            raise _Other
        self.name, self.at, self.cells = name, places, target
        base = target
        while isinstance(base.value, ast.Subscript):
            base = base.value
        self.cells = base

    def _place(self, node: ast.Subscript) -> tuple[str, tuple[int, int]]:
        """The array of a cell, and how far its place is from those of the loops."""
        items = _items(node)
        base = array_name(node)
        if base is None or len(items) != 2:
            raise _Other
        far = []
        for item, word in zip(items, (self.rows, self.columns), strict=True):
            place = place_of(item, {word: Place(frozenset({(word, 1)}), 0)})
            if place.times != frozenset({(word, 1)}):
                raise _Other
            far.append(place.number)
        return base, (far[0], far[1])

    def _asked(self, test: ast.expr) -> frozenset[str]:
        """The loop variables that a condition says are behind the first place."""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            return frozenset().union(*map(self._asked, test.values))
        if isinstance(test, ast.Name) and test.id in (self.rows, self.columns):
            return frozenset({test.id})
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            number = constant(test.comparators[0])
            least = {ast.Gt: 0, ast.GtE: 1, ast.NotEq: 0}.get(type(test.ops[0]))
            if isinstance(test.left, ast.Name) and type(number) is int and number == least:
                if test.left.id in (self.rows, self.columns):
                    return frozenset({test.left.id})
        raise _Other

    def _value(self, node: ast.expr, guarded: frozenset[str]) -> Counter[_Atom]:
        """What an expression is, in terms of the cells before and of what is added."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            total = Counter(self._value(node.left, guarded))
            sign = 1 if isinstance(node.op, ast.Add) else -1
            _into(total, self._value(node.right, guarded), sign)
            return total
        if isinstance(node, ast.IfExp) and _zero(node.orelse):
            return self._value(node.body, guarded | self._asked(node.test))
        if isinstance(node, ast.Name) and self.run and node.id == self.run:
            return self.state[_RUN]
        if not isinstance(node, ast.Subscript):
            raise _Other
        name, place = self._place(node)
        if not self.name:
            self._first(name)
        if name != self.name:
            if self.source and ast.dump(self.added) != ast.dump(node):
                raise _Other
            self.added, self.apart = node, place
            return Counter({(_ADDED, 0, 0): 1})
        far = (place[0] - self.at[0], place[1] - self.at[1])
        if far == (0, 0):
            return self._held(node)
        if far not in ((-1, 0), (0, -1), (-1, -1)):
            raise _Other
        self._reaches(far, guarded)
        return Counter({(_CELL, *far): 1})

    def _first(self, name: str) -> None:
        """Learn what the loops fill before it is read."""
        for node in everything_in(self.inner):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                self._cell(node)
        if not self.name:
            raise _Other

    def _reaches(self, far: tuple[int, int], guarded: frozenset[str]) -> None:
        """A cell before the first one is one of zeros, or is not read."""
        for place, (each, loop) in enumerate(((far[0], self.node), (far[1], self.inner))):
            word = (self.rows, self.columns)[place]
            first = self._range(loop)[0] + self.at[place]
            if each < 0 and (first < 1) is (word not in guarded):
                raise _Other

    def _range(self, loop: ast.For) -> tuple[int, ast.expr]:
        """Where a loop begins and ends."""
        call = loop.iter
        if not isinstance(call, ast.Call) or not is_name(call.func, "range") or call.keywords:
            raise _Other
        if len(call.args) == 1:
            return 0, call.args[0]
        start = constant(call.args[0])
        if len(call.args) != 2 or type(start) is not int or start < 0:
            raise _Other
        return start, call.args[1]

    @property
    def source(self) -> str:
        """The array whose elements are added."""
        return array_name(self.added) or ""

    # -- the code

    def line(self, made: ast.Call) -> str | None:
        """One line for the loops, where the array is made by ``made``; None where it is another
        one, or what is added is not all of an array."""
        path = path_of(self.region.module, made.func)
        words = {word.arg: word.value for word in made.keywords}
        kind = words.get("dtype", made.args[1] if len(made.args) > 1 else None)
        if path != "numpy.zeros" or len(made.args) > 2 or words.keys() - {"dtype", "shape"}:
            return None
        typed = None if kind is None else path_of(self.region.module, kind) or ast.unparse(kind)
        sides = words.get("shape", made.args[0] if made.args else None)
        if typed is not None and typed not in _FLOATS:
            return None
        source, places = self.source, self.apart
        if source in ("", self.name, *self.bound) or not self._same_since_measured(source):
            return None
        starts = []
        for axis, loop in enumerate((self.node, self.inner)):
            first, stop = self._range(loop)
            if first + places[axis] != 0:
                return None
            end = self._sized(stop)
            whole = Place(frozenset({((source, axis), 1)}), 0)
            if end.shifted(places[axis]) != whole:
                return None
            if self._side(sides, axis) != end.shifted(self.at[axis]):
                return None
            starts.append(first + self.at[axis])
        cells = ", ".join(f"{start}:" if start else ":" for start in starts)
        running = f"{source}.cumsum(0, dtype={self.name}.dtype).cumsum(1)"
        return f"{self.name}[{cells}] = {running}"

    def _same_since_measured(self, name: str) -> bool:
        """Whether an array is bound at most once, before anything asks how large it is."""
        nodes = [n for n in self.region.nodes if isinstance(n, ast.Name) and n.id == name]
        stores = [n.lineno for n in nodes if isinstance(n.ctx, ast.Store)]
        asked = [n.lineno for n in nodes if isinstance(self.region.parents.get(n), ast.Attribute)]
        return len(stores) < 2 and all(line < min(asked, default=0) for line in stores)

    def _side(self, sides: ast.expr | None, axis: int) -> Place | None:
        """How long an axis of the array is made."""
        if isinstance(sides, ast.Tuple) and len(sides.elts) == 2:
            return self._sized(sides.elts[axis])
        if isinstance(sides, ast.Attribute) and sides.attr == "shape":
            held = sides.value
            return (
                Place(frozenset({((held.id, axis), 1)}), 0) if isinstance(held, ast.Name) else None
            )
        return None

    def _sized(self, node: ast.expr) -> Place:
        """A length in terms of those of arrays. Raises ``Unread``."""
        names = {n.id for n in everything_in(node) if isinstance(n, ast.Name)}
        known = {word: at for word in names if (at := self._length(word)) is not None}
        return place_of(node, known)

    def _length(self, word: str) -> Place | None:
        """What a name that is bound once to the length of an axis stands for."""
        stores = [n for n in self.region.nodes if isinstance(n, ast.Name) and n.id == word
                  and isinstance(n.ctx, ast.Store)]  # fmt: skip
        if len(stores) != 1 or word in self.region.stores - self.region.bound:
            return None
        holder = self.region.parents.get(stores[0])
        if isinstance(holder, ast.Assign) and (size := size_of(holder.value)) is not None:
            return Place(frozenset({(size, 1)}), 0)
        above = self.region.parents.get(holder) if isinstance(holder, ast.Tuple) else None
        if not isinstance(above, ast.Assign) or not isinstance(above.value, ast.Attribute):
            return None
        held = above.value.value
        if above.value.attr != "shape" or not isinstance(held, ast.Name):
            return None
        assert isinstance(holder, ast.Tuple)
        return Place(frozenset({((held.id, holder.elts.index(stores[0])), 1)}), 0)


def _into(total: Counter[_Atom], more: Counter[_Atom], sign: int) -> None:
    for atom, often in more.items():
        total[atom] += sign * often


def _zero(node: ast.expr) -> bool:
    number = constant(node)
    return type(number) in (int, float) and number == 0


def _items(node: ast.Subscript) -> list[ast.expr]:
    """``[i, j]`` and ``[i][j]``."""
    inner = _items(node.value) if isinstance(node.value, ast.Subscript) else []
    return [*inner, *(node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])]
