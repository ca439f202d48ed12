"""A nest of loops as the arrays that it fills.

The body is read once for all steps. Each array is written at one place, whose subscripts are the
loop variables; a name or a cell that a loop carries starts as an unknown ``old`` value. When a loop
has been read, a cell that moves with it stays as it is, and what the others hold is a sum over its
steps where all that was done is adding (``old + e`` becomes ``old + sum e``), in whatever order the
loops stand. Whatever else a step hands to the next is no nest (``NoNest``).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from functools import partial

from auditor.lift import extents
from auditor.nests import (
    choices,
    disjoint,
    extrema,
    filling,
    guarded,
    listings,
    spelled,
    tiles,
    zero_factors,
)
from auditor.nests.adding import (
    given,
)
from auditor.nests.by_places import by_places
from auditor.nests.cells import WrittenCell, require_axes
from auditor.nests.expressions import Expressions
from auditor.nests.forms import (
    added_either_way,
    added_to_itself,
    appends,
    ends_step,
    name_of,
    skips,
)
from auditor.nests.handed_on import held_after, leave
from auditor.nests.integers import Integers, NoNest, TooWide
from auditor.nests.moved import moved, places
from auditor.nests.nest import Copied, Nest
from auditor.nests.other_rows import unwritten
from auditor.nests.parts import (
    Moved,
    Part,
    Scope,
    integers_of,
)
from auditor.nests.triangles import ALL, Pairs, as_loops, compared, flipped
from auditor.nests.walking import take_apart, walked
from auditor.nests.written_cells import cell_at, pairs_at, written_array
from auditor.notation import (
    ZERO,
    Apply,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    free_indices,
    walk,
)
from auditor.surroundings.region import Region
from auditor.syntax import subscripted
from auditor.tree import descendants, everything_in

_AUGMENTED = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
_DEEPEST = 8


@dataclass
class Reader:
    """Reads one nest. ``lists`` are those that the steps fill, each with the number of loops around
    it and, once a step has put an item into it, what it holds; ``nested`` says that items may be
    lists as well. ``views`` are the names of cells, by their array. ``spelled`` says that the steps
    of loops over a few numbers are read one by one, ``copies`` how often the statements are that
    are read; ``counts`` that loop variables may be numbers. ``places`` are the kinds of cells that
    no two steps share."""

    region: Region
    node: ast.For
    guarded: bool = False
    levels: list[dict[tuple[str, str], WrittenCell]] = field(default_factory=list)
    active: list[Index] = field(default_factory=list)
    loops: list[Index] = field(default_factory=list)
    olds: list[dict[str, Value]] = field(default_factory=list)
    first: dict[str, tuple[Term, ...]] = field(default_factory=dict)
    places: dict[str, dict[str, disjoint.Place]] = field(default_factory=dict)
    writes: int = 0
    lists: dict[str, tuple[int, Part | None]] = field(default_factory=dict)
    nested: bool = False
    views: dict[str, set[str]] = field(default_factory=dict)
    spelled: bool = False
    copies: int = 1
    counts: bool = False

    def __post_init__(self) -> None:
        inside = descendants(self.node)
        self.names = frozenset(
            n.id for n in inside if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
        )
        bound = {
            t.id for n in inside if isinstance(n, (ast.Assign, ast.AnnAssign, ast.For))
            for target in (n.targets if isinstance(n, ast.Assign) else [n.target])
            for t in descendants(target) if isinstance(t, ast.Name)
            and not isinstance(t.ctx, ast.Load)
        }  # fmt: skip
        self.added = frozenset(
            n.target.id for n in inside
            if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)
            and n.target.id not in bound and self._is_array(n.target)
        )  # fmt: skip
        self.names -= self.added
        self.targets: dict[str, list[ast.Subscript]] = {}
        for n in inside:
            if isinstance(n, ast.Subscript) and not isinstance(n.ctx, ast.Load):
                base = subscripted(n)
                if isinstance(base, ast.Name):
                    self.targets.setdefault(base.id, []).append(n)
        self.arrays = self.added | frozenset(self.targets)
        self.placing = places(self.node)
        stored = self.names | self.arrays
        integers = Integers(
            self.region, self.node, stored, self.arrays - self.names, wraps=self.guarded
        )
        self.reading = Expressions(self.region, integers, stored, self._own, items=self._items)
        self.region.lifted.knotted.append(self)
        self.reading.counts = self.counts

    def nest(self) -> Nest:
        if not self.arrays:
            raise NoNest("fills no array")
        if self.names & self.arrays:
            raise NoNest("binds and fills one name")
        self.levels.append({})
        scope: Scope = {}
        self._loop(self.node, scope)
        (cells,) = self.levels
        written = {cell.key: cell for cell in cells.values() if cell.written}
        names = dict.fromkeys(name for name, _ in written)
        filled = tuple(
            replace(one, term=extrema.settled(self.reading, one.term))
            for name in names for one in filling.fills(self, written, name)
        )  # fmt: skip
        if not filled or not all(one.axes or one.scattered for one in filled):
            raise NoNest("fills no array")
        if any(_items(one.term) for one in filled):
            raise NoNest("computes with items, which are no tensors")
        tiles.require_whole(self.reading, filled)
        for one in filled:
            choices.require_plain(one)
        return Nest(self.node, self.reading, filled, self.names, tuple(self.loops))

    def list_of(self, name: str, nested: bool) -> None:
        """Read the loop as one that fills a list. Raises ``NoNest``."""
        if self.arrays or name in self.names:
            raise NoNest("fills arrays as well")
        self.lists[name], self.nested = (0, None), nested
        self.levels.append({})
        self._loop(self.node, {})

    def copied(self) -> Copied | None:
        """See ``copied``."""
        self.levels.append({})
        self._loop(self.node, {})
        (cells,) = self.levels
        if len(cells) != 2 or len({cell.base.id for cell in cells.values()}) != 1:  # type: ignore[attr-defined]
            return None
        to, source = sorted(cells.values(), key=lambda cell: not cell.written)
        if source.written or to.held is not Read(source.old, to.rest) or len(to.place) != 2:
            return None
        i, j = filling.pair(self, to, source)
        if source.place != to.place[::-1] or self.names & self.arrays:
            return None
        half = to.part if to.place == (i, j) else flipped(to.part)
        if {"<", ">"} <= half:
            return None
        return Copied(name_of(to.base), half, self.reading.widened.get(i) or self.reading.walks[i])

    # -- statements

    def _block(self, body: list[ast.stmt], scope: Scope, whole: bool = False) -> None:
        """Statements one after the other; ``whole`` says that they are all that a loop does."""
        for position, statement in enumerate(body):
            if isinstance(statement, ast.If) and not self.spelled:
                rest = body[position + 1 :]
                if whole and skips(statement) and self._adds_nothing(statement, True, rest, scope):
                    self._block(rest, scope)
                    return
                if self._adds_nothing(statement, False, statement.body, scope):
                    self._block(statement.body, scope)
                    continue
            if isinstance(statement, ast.If) and self.spelled:
                holds = spelled.decided(statement.test, scope)
                if holds is not None:
                    if whole and skips(statement) and holds:
                        return
                    if not skips(statement):
                        self._block(statement.body if holds else statement.orelse, scope)
                    continue
            if whole and isinstance(statement, ast.If) and skips(statement):
                if self.guarded:
                    self._where(statement.test, False, body[position + 1 :], scope)
                    return
                apart = self._apart(statement.test, scope)
                if apart is not None:
                    self._under(apart[0], ALL - apart[1], body[position + 1 :], scope)
                    return
            if (
                whole
                and not self.guarded
                and isinstance(statement, ast.If)
                and ends_step(statement)
            ):
                then, rest = statement.body[:-1], body[position + 1 :]
                choices.either(self, statement.test, then, rest, scope)
                return
            self._statement(statement, scope)

    def _adds_nothing(
        self, node: ast.If, skipped: bool, body: list[ast.stmt], scope: Scope
    ) -> bool:
        """Whether ``body`` adds nothing but zeros where the condition says that it is not run."""
        factor = None if node.orelse else zero_factors.multiplied(node.test, skipped, body)
        if factor is None or (isinstance(factor, ast.Name) and factor.id not in scope):
            return False  # a setting may be no number
        of_numpy = self.region.module.library == "numpy"
        if not of_numpy and self.reading.arrays.library(subscripted(factor)) != "numpy":
            return False  # a tensor's zero has a gradient, where it is not skipped
        text = self.region.module.source(factor)
        self.reading.unsure(
            f"where `{text}` is zero, what it is multiplied with must be finite: it is not read"
        )
        return True

    def _apart(self, test: ast.expr, scope: Scope) -> tuple[tuple[Index, Index], Pairs] | None:
        """The pairs of steps that a condition on two loop variables lets through."""
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return None
        known = integers_of(scope)
        names = [n.id for n in everything_in(test) if isinstance(n, ast.Name)]
        if not names or not all(name in known for name in names):
            return None
        sides = [self.reading.integers.term(side, known) for side in (test.left, *test.comparators)]
        found = compared(test.ops[0], *sides)
        if found is None or not all(index in self.active for index in found[:2]):
            return None
        i, j, part = found
        one, two = (self.reading.widened.get(k) or self.reading.walks[k] for k in (i, j))
        if (one.low, one.high, one.stride) != (two.low, two.high, two.stride):
            return None
        turned = self.active.index(i) > self.active.index(j)
        return ((j, i), flipped(part)) if turned else ((i, j), part)

    def _where(self, test: ast.expr, holds: bool, body: list[ast.stmt], scope: Scope) -> None:
        """Statements that are run where a condition holds, or where it does not."""
        guards = self.reading.guards
        before = len(guards)
        guards += guarded.conditions(self.reading, test, scope, holds)
        inner = dict(scope)
        self._block(body, inner)
        scope.update({name: inner[name] for name in scope if name in inner})
        del guards[before:]

    def _under(
        self, pair: tuple[Index, Index], part: Pairs, body: list[ast.stmt], scope: Scope
    ) -> None:
        """Statements that are run at some pairs of steps only; what they bind is theirs."""
        around = self.reading.beside.get(pair, ALL)
        if not part & around:
            return
        self.reading.beside[pair] = part & around
        self._block(body, scope)
        self.reading.beside[pair] = around
        for statement in body:
            for node in descendants(statement):
                if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                    if part & around != around:
                        scope.pop(node.id, None)

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        added = added_to_itself(node) if self.reading.guards else None
        if isinstance(node, ast.For):
            self._loop(node, scope)
        elif added is not None:
            self._augmented(added, scope)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if len(targets) == 1:
                self._assign(targets[0], node.value, scope)
            else:
                self._assign_all(list(targets), node.value, scope)
        elif isinstance(node, ast.AugAssign):
            self._augmented(node, scope)
        elif (appended := appends(node)) is not None:
            self._append(*appended, scope)
        elif isinstance(node, ast.If):
            self._kept(node, scope)
        elif not (
            isinstance(node, ast.Pass)
            or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        ):
            raise NoNest(f"line {node.lineno} does something else")

    def _assign(self, target: ast.expr, value: ast.expr, scope: Scope) -> None:
        if self.reading.guards and (not isinstance(target, ast.Name) or target.id in scope):
            raise NoNest("sets what only some steps set")
        if isinstance(target, ast.Name) and isinstance(value, ast.List) and not value.elts:
            if target.id in scope or target.id in self.lists:
                raise NoNest("a list that is made twice")
            self.lists[target.id] = (len(self.active), None)
        elif isinstance(target, ast.Name):
            scope[target.id] = self._bound(target.id, value, scope)
        elif isinstance(target, ast.Subscript):
            part = self._for(cell_at(self, target, scope), value, scope)
            self._store(cell_at(self, target, scope), part)
        elif isinstance(target, ast.Tuple) and not isinstance(value, ast.Tuple):
            take_apart(self.reading, target, self.reading.part(value, scope, 1), scope)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and (
            len(target.elts) == len(value.elts)
        ):  # fmt: skip
            names = [each.id for each in target.elts if isinstance(each, ast.Name)]
            if len(names) < len(target.elts):
                raise NoNest("takes values apart")
            pairs = zip(names, value.elts, strict=True)
            scope.update({name: self._bound(name, each, scope) for name, each in pairs})
        else:
            raise NoNest("takes values apart")

    def _bound(self, name: str, value: ast.expr, scope: Scope) -> Part | Moved | Term:
        """What a name is bound to."""
        counted = self._counted(name, value, scope) if self.guarded else None
        if counted is not None:
            return counted
        if name in self.placing and not self.guarded:
            found = moved(self.reading, value, scope)
            if found is not None:
                return found
        part = self.reading.part(value, scope, self.reading.evidence.axes(name))
        self._view(name, value, part)
        return part

    def _view(self, name: str, value: ast.expr, part: Part) -> None:
        """Note that a name is bound to a cell itself; of an array of NumPy a number is none."""
        base = subscripted(value)
        if isinstance(value, ast.Subscript) and isinstance(base, ast.Name):
            number = self.region.module.library == "numpy" and not part.axes
            if base.id in self.arrays and not number:
                self.views.setdefault(base.id, set()).add(name)

    def _append(self, name: str, item: ast.expr, scope: Scope) -> None:
        """``rows.append(item)``, once at every step of the loop before which the list was made."""
        depth, held = self.lists.get(name, (-1, None))
        guarded = self.reading.guards or any(
            part != ALL for pair, part in self.reading.beside.items() if set(pair) <= {*self.active}
        )
        if depth + 1 != len(self.active) or held is not None or guarded or name in scope:
            raise NoNest("a list that not every step makes one longer")
        inner = self.nested and isinstance(item, (ast.Name, ast.ListComp))
        if inner and isinstance(item, ast.ListComp):
            part: Part | None = listings.listing(self.reading, item, scope, 0, True)
        elif inner and item.id in self.lists:  # type: ignore[attr-defined]
            part = self._items(item, scope)
        else:
            part = self.reading.part(item, scope)
        if part is None or filling.states(part.term) or any(cells for cells in self.levels):
            raise NoNest("an item that another step has a part in")
        self.lists[name] = (depth, listings.along(self.reading, self.active[-1], part))

    def _items(self, node: ast.expr, scope: Scope) -> Part | None:
        """What a list holds that the steps so far have filled."""
        if not isinstance(node, ast.Name) or node.id not in self.lists:
            return None
        depth, part = self.lists[node.id]
        return part if depth == len(self.active) and node.id not in scope else None

    def _counted(self, name: str, value: ast.expr, scope: Scope) -> Term | None:
        """The integer that moves with the loops which a name is bound to, if it is one."""
        if isinstance(scope.get(name), Part):
            return None
        try:
            found = self.reading.integers.term(value, integers_of(scope))
        except NoNest:
            return None
        return found if free_indices(found) else None

    def _assign_all(self, targets: list[ast.expr], value: ast.expr, scope: Scope) -> None:
        """``c[i, j] = c[j, i] = e``, which is computed once."""
        if not all(isinstance(target, ast.Subscript) for target in targets):
            raise NoNest("binds several names at once")
        cells = [
            cell_at(self, target, scope) for target in targets if isinstance(target, ast.Subscript)
        ]
        if len({name_of(cell.base) for cell in cells}) > 1:
            raise NoNest("binds several names at once")
        part = self._for(cells[0], value, scope)
        for cell in cells:
            self._store(cell, part)

    def _for(self, cell: WrittenCell, value: ast.expr, scope: Scope) -> Part:
        """What a cell is given: a number where the cell is certainly one."""
        number = not cell.rest and cell.array not in self.reading.guessed
        return self.reading.part(value, scope, len(cell.rest), number)

    def _kept(self, node: ast.If, scope: Scope) -> None:
        """``if j >= i: ...``, ``if x > best: best = x``."""
        test, body = node.test, node.body
        if self.guarded:
            added = added_either_way(node)
            if added is not None:
                self._augmented(added, scope)
                return
            if node.orelse:
                raise NoNest("does something else where a condition does not hold")
            self._where(test, True, body, scope)
            return
        apart = self._apart(test, scope)
        if apart is not None:
            self._under(apart[0], apart[1], body, scope)
            self._under(apart[0], ALL - apart[1], node.orelse, scope)
            return
        if not extrema.kept(self, node, scope):
            choices.either(self, test, body, node.orelse, scope)

    def _augmented(self, node: ast.AugAssign, scope: Scope) -> None:
        op = _AUGMENTED.get(type(node.op))
        if op is None:
            raise NoNest("changes something in another way than by arithmetic")
        if isinstance(node.target, ast.Name) and node.target.id not in self.added:
            part = guarded.where(self.reading.guards, self.reading.part(node.value, scope))
            held = scope.get(node.target.id)
            if not isinstance(held, Part):
                raise NoNest(f"`{node.target.id}` is not bound yet")
            if held.axes:
                raise NoNest(f"changes `{node.target.id}` in place, which may be an array")
            if part.axes:
                raise NoNest(f"`{node.target.id}` becomes an array")
            scope[node.target.id] = Part((), Apply(op, (held.term, part.term)))
            return
        if not isinstance(node.target, (ast.Subscript, ast.Name)):
            raise NoNest("changes an attribute")
        part = self._for(cell_at(self, node.target, scope), node.value, scope)
        part = guarded.where(self.reading.guards, part)
        cell = cell_at(self, node.target, scope)
        require_axes(self.reading, cell, part)
        now = self._left(cell)
        if len(part.axes) > len(cell.rest):
            raise TooWide("adds what has more axes")
        self._store(cell, self.reading.broadcast(op, now, part))

    def _store(self, cell: WrittenCell, part: Part) -> None:
        if len(part.axes) > len(cell.rest):
            raise TooWide("a cell is given an array")
        require_axes(self.reading, cell, part)
        ghost = Part(cell.rest, ZERO)
        both = self.reading.broadcast("add", ghost, part)
        assert isinstance(both.term, Apply)
        pairs = pairs_at(self, cell.place, True)
        if cell.written and pairs != cell.part:
            raise NoNest("writes a cell under several conditions")
        self.writes += 1
        self.reading.stale |= self.views.get(name_of(cell.base), set())
        cell.held, cell.written, cell.part, cell.last = both.term.args[1], True, pairs, self.writes

    # -- arrays that are written

    def _own(self, node: ast.Subscript | ast.Name, scope: Scope) -> Part | None:
        """What a cell of a written array holds."""
        base = subscripted(node)
        if not isinstance(base, ast.Name) or base.id in scope:
            return None
        if base.id not in self.arrays:
            return None
        before = unwritten(self, node, base, scope)
        if before is not None:
            return before
        cell = cell_at(self, node, scope)
        if cell.written and not pairs_at(self, cell.place) <= cell.part:
            raise NoNest("reads a cell that not every step writes")
        return self._left(cell)

    def _left(self, cell: WrittenCell) -> Part:
        """What a cell holds by now."""
        cell.rounded |= cell.written and any(isinstance(n, Read) for n in walk(cell.held))
        return Part(cell.rest, cell.held)

    def renaming(self, old: tuple[Term, ...], new: tuple[Term, ...]) -> dict[Term, Term]:
        """The indices that make one place another: both walk the same integers, to the end."""
        by: dict[Term, Term] = {}
        if len(old) != len(new):
            raise NoNest("an array is written in several ways")
        for before, after in zip(old, new, strict=True):
            if extents.canonical(before) is extents.canonical(after):
                continue
            if not (isinstance(before, Index) and isinstance(after, Index)):
                raise NoNest("an array is read or written at two places")
            one, two = self.reading.walks[before], self.reading.walks[after]
            same = (one.low, one.high, one.stride, one.within) == (
                two.low, two.high, two.stride, two.within)  # fmt: skip
            if not same or before in self.active or after in self.active:
                raise NoNest("an array is read or written at two places")
            by[before] = after
        return by

    # -- loops

    def _loop(self, node: ast.For, scope: Scope) -> None:
        node = as_loops(self.region, node) or self._by_cells(node, scope) or node
        steps = spelled.steps(self, node)
        if steps is not None:
            spelled.written_out(self, node, steps, scope)
            return
        if node.orelse or len(self.active) >= _DEEPEST:
            raise NoNest("an unusual loop")
        inner: Scope = dict(scope)
        guards = len(self.reading.guards)
        bind = partial(guarded.counted if self.guarded else walked, self.reading)
        index = bind(node.target, node.iter, inner)
        stored = {
            n.id for s in node.body for n in descendants(s)
            if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
        } - self.added  # fmt: skip
        olds: dict[str, Value] = {}
        for name in stored:
            held = scope.get(name)
            if isinstance(held, Part):
                olds[name] = Value(name, (), None, None, "state")
                inner[name] = Part(held.axes, Read(olds[name], held.axes))
            elif name in inner and not isinstance(held, Part) and name in scope:
                raise NoNest(f"binds the loop variable `{name}`")
        self.active.append(index)
        self.loops.append(index)
        self.levels.append({})
        self._block(node.body, inner, True)
        del self.reading.guards[guards:]
        cells = self.levels.pop()
        self.active.pop()
        states = {*olds.values(), *(cell.old for cell in cells.values())}
        for name in stored:
            held, before = inner.get(name), scope.get(name)
            if name not in olds:
                scope.pop(name, None)
                continue
            if not isinstance(held, Part) or not isinstance(before, Part):
                raise NoNest(f"`{name}` becomes something else")
            term = held_after(self, held.term, olds[name], index, (), states)
            if term is None:
                scope.pop(name)
                continue
            scope[name] = Part(held.axes, given(term, olds[name], before.term))
        targets = {n.id for n in everything_in(node.target) if isinstance(n, ast.Name)}
        for name in targets:
            scope.pop(name, None)
        for cell in cells.values():
            leave(self, cell, index, states)

    def _by_cells(self, node: ast.For, scope: Scope) -> ast.For | None:
        """A loop over what is added to cells, as one over the cells."""
        if not self.guarded:
            return None
        made = partial(written_array, self)
        return guarded.gathered(node) or by_places(self.reading, node, scope, made)

    def _is_array(self, node: ast.Name) -> bool:
        held = self.region.scope(self.node).get(node.id)
        return isinstance(held, Value) and bool(held.axes) and held.library in ("torch", "numpy")


def _items(term: Term) -> bool:
    """Whether a term is made of items of tensors, places aside: they have no gradient."""
    if isinstance(term, Apply):
        return term.op == "cast:item" or any(map(_items, term.args))
    return isinstance(term, Reduce) and _items(term.body)
