"""Expressions in the body of a nest as terms: elements and slices of arrays, arithmetic, pointwise
functions, products of vectors and matrices, sums."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field

from auditor.algebra.choices import truth
from auditor.arrays.containers import is_container
from auditor.arrays.facts import Arrays
from auditor.lift import extents
from auditor.lift.constant_arrays import constant_array
from auditor.lift.objects import Written
from auditor.nests import calls, choices, conditions, counting, named_sums, operand_axes
from auditor.nests.computed import computed
from auditor.nests.copies import sized_as
from auditor.nests.evidence import Evidence, is_new_axis, items_of
from auditor.nests.forms import flattened, is_length
from auditor.nests.guessed_axes import (
    first_factor,
    inside,
    made_with,
    met_with,
    named_as_matrix,
    taken_from,
)
from auditor.nests.integers import Integers, NoNest, Unmeasured
from auditor.nests.meeting import Meeting
from auditor.nests.memory import may_be_array
from auditor.nests.parts import Moved, Part, Scope, Walk, integers_of, put
from auditor.nests.surrounded import surrounded
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Const,
    Index,
    Read,
    Term,
    Value,
    walk,
)
from auditor.surroundings.purity import impurity
from auditor.surroundings.region import Region
from auditor.syntax import constant, infinite, is_whole, path_of
from auditor.tree import everything_in

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow",
    ast.FloorDiv: "floordiv", ast.Mod: "mod",
}  # fmt: skip
CONSTANTS = {
    f"{library}.{name}": Const(value) for library in ("math", "numpy", "torch")
    for name, value in (("pi", math.pi), ("e", math.e))
}  # fmt: skip


@dataclass
class Expressions(Meeting):
    """Reads the expressions of one nest; ``nodes`` tells how the source names each array.
    ``fitted`` are the arrays taken to have more axes than their uses ask for, as many as the row
    that they stand in. ``widened`` tells what a loop would walk for all pairs of steps, where that
    is more. ``guards`` are what has to be at least 0 for a step to be made, where nests are read so
    (``auditor.nests.guarded``). ``listed`` are the steps that put an item into a list each,
    ``items`` tells of a name what the list holds; ``plain`` says that lists are filled, ``tied``
    are the names of arrays in whose shape others are made, with the number of axes that only the
    use of both says; ``named`` are numbers with the names that libraries give them; ``stale`` are
    names of views whose cell was written since; ``counts`` says that loop variables may be numbers.
    ``summed`` are the arrays of which a library is asked for the sum or the mean."""

    region: Region
    integers: Integers
    stored: frozenset[str]
    cell: Callable[[ast.Subscript | ast.Name, Scope], Part | None]
    nodes: dict[Value, ast.expr] = field(default_factory=dict)
    leaves: dict[str, Value] = field(default_factory=dict)
    fitted: set[Value] = field(default_factory=set)
    unbounded: list[Index] = field(default_factory=list)
    widened: dict[Index, Walk] = field(default_factory=dict)
    guards: list[Term] = field(default_factory=list)
    plain: bool = False
    meeting: bool = False
    numbers: bool = False
    tied: dict[str, int] = field(default_factory=dict)
    named: dict[Const, str] = field(default_factory=dict)
    stale: set[str] = field(default_factory=set)
    listed: list[Index] = field(default_factory=list)
    counts: bool = False
    summed: dict[Value, str] = field(default_factory=dict)
    items: Callable[[ast.expr, Scope], Part | None] = lambda node, scope: None

    def __post_init__(self) -> None:
        self.arrays = Arrays(self.region)
        self.evidence = Evidence(self.region)

    # -- arrays

    def lifted(self, node: ast.expr) -> Value | None:
        """What an array was lifted to, as it is before the nest. A write leaves its axes."""
        found = self.region.values.get(node)
        if isinstance(node, ast.Name):
            found = self.region.scope(self.integers.before).get(node.id)
            if not isinstance(found, (Value, Written)):
                made = self.arrays.assigned(node.id)
                made = node if made is None and self._is_constant(node) else made
                found = self.region.values.get(made) if made is not None else None
        found = found.original if isinstance(found, Written) else found
        return found if isinstance(found, Value) else None

    def _is_constant(self, node: ast.Name) -> bool:
        """Whether a name is that of an array which the file makes of numbers that it spells."""
        module = self.region.module
        bound = module.constants.get(node.id) if node.id not in self.region.stores else None
        return bound is not None and constant_array(module, bound) is not None

    def leaf(self, node: ast.expr, least: int, hint: int = 0, every: bool = False) -> Value:
        """An array that the nest only reads, by its text; ``least`` is how many axes are
        subscripted, which is how many it has where nothing else says so, or ``hint``; ``every``
        says that a last ``:`` names them all."""
        text = self.region.module.source(node)
        if text in self.leaves:
            held = self.leaves[text]
            if len(held.axes) < least:
                raise NoNest(f"`{text}` is subscripted in several ways")
            return held
        for inner in everything_in(node):
            if isinstance(inner, ast.Name) and inner.id in self.stored:
                raise NoNest(f"`{text}` is bound by the nest")
        lifted = self.lifted(node)
        rank = 1 if flattened(node) is not None else self.arrays.asserted_rank(node)
        rank = self._rank(node, lifted) if rank is None else rank
        like = self.evidence.like(node) if rank is None else None
        stated = self.arrays.stated_rank(like or node) if rank is None else None
        if stated is not None and stated[0] >= least:
            rank, said = stated
            self.assume(said)
        longer = surrounded(self, node, least) or []
        rank = len(longer) or rank
        guessed, fitted = rank is None, False
        used = self._asked(node) if guessed else 0
        if rank is None:
            made = 0 if like is not None else made_with(lifted)
            rank = max(least, self.tied.get(text) or max(used, hint, made))
            asked = max(least, made, self._asked(node, totals=False))
            fitted = rank > max(least, used, made) and text not in self.tied
            met = met_with(lifted if like is None else self.lifted(like)) if self.meeting else 0
            if rank < met:
                self.unsure(f"how many axes `{text}` has is not known")
                rank = met
            if like is not None:
                self.tied[self.region.module.source(like)] = rank
            if not rank and may_be_array(self.region, node):
                raise NoNest(f"whether `{text}` is a number is not known")
            if not rank:
                self.assume(f"`{text}` is a number")
            else:
                count = "axis" if rank == 1 else "axes"
                self.assume(f"`{text}` has {rank} {count}")
        elif rank < least:
            raise NoNest(f"`{text}` has fewer axes than are subscripted")
        known = longer if len(longer) == rank else [None] * rank
        of = sized_as(self.evidence, node)
        first = self.arrays.assigned(of.id) if isinstance(of, ast.Name) and of is not node else None
        sized = lifted if of is node else None if first is None else self.arrays.value(first)
        axes = tuple(self._axis(of, sized, place, rank, known[place]) for place in range(rank))
        dtype = lifted.dtype if lifted is not None else None
        library = lifted.library if lifted is not None else None
        library = "numpy" if library is None and self.evidence.of_numpy(node) else library
        value = Value(text, axes, None, dtype, "input", library)
        self.leaves[text], self.nodes[value] = value, node
        if guessed:
            self.guessed.add(value)
            self.fitted |= {value} if fitted else set()
            self.totalled |= {value} if rank > asked else set()
            if used <= least and not every:
                self.loose.add(value)
        if axes and not self.is_array(node):
            if is_container(self.region, node):
                self.open.append(f"`{text}` is a list or another container, not an array")
            made = lifted is not None and self._made(lifted)
            self.assume(f"`{text}` is an array{', as `get_inputs` says' if made else ''}")
            if not (made or self.region.module.arrays):
                self.unsure(f"whether `{text}` is an array is not known")
            if self.free and not self.doubted(node):
                raise NoNest(f"`{text}` is not known to be an array")
        for place, axis in enumerate(axes):
            self.whole.add((axis, value, place))
        return value

    def _rank(self, node: ast.expr, lifted: Value | None) -> int | None:
        """How many axes an array has, where that is certain."""
        like = self.evidence.like(node)
        if like is not None and self.arrays.rank_of(self.lifted(like)) is None:
            return None
        known = self.arrays.rank_of(lifted)
        known = self.arrays.allocated_rank(node, lifted) if known is None else known
        return self.arrays.padded_rank(node) if known is None else known

    def _asked(self, node: ast.expr, totals: bool = True) -> int:
        """How many axes the uses of an array ask for (``Evidence.axes``), and those of what it is
        made like."""
        every = (node, self.evidence.like(node))
        named = [ast.unparse(n) for n in every if isinstance(n, (ast.Name, ast.Attribute))]
        return max((self.evidence.axes(name, totals=totals) for name in named), default=0)

    def is_array(self, node: ast.expr) -> bool:
        """Whether something is certainly an array: no list, no dictionary."""
        value = self.lifted(node)
        if value is not None and value.library in ("torch", "numpy") and value.kind != "state":
            return True  # a state starts as what may be none
        whole = flattened(node)
        return self.evidence.array(node if whole is None else whole)

    def _axis(
        self, of: ast.expr, sized: Value | None, place: int, rank: int, extent: Term | None = None
    ) -> Index:
        """An axis of what has the sizes ``of`` an array, ``sized``."""
        text = f"{self.region.module.source(of)}.shape[{place}]"
        extent = extent or self._known_extent(sized, place, rank) or self.integers.size(text)
        self.integers.sizes.setdefault(extent, text)
        return self.index("abcdefgh"[place % 8], ZERO, extent)

    def _known_extent(self, lifted: Value | None, place: int, rank: int) -> Term | None:
        facts = self.region.lifted.facts
        if lifted is None:
            return None
        known = next((at for at, axis in enumerate(lifted.axes) if axis.group), None)
        if known is not None and (place >= known or lifted.kind == "opaque"):
            return None
        if known is None and len(lifted.axes) != rank:
            return None
        extent = lifted.axes[place].extent
        return facts.extent(extent) if facts.certain(extent) else None

    # -- expressions

    def part(self, node: ast.expr, scope: Scope, least: int = 0, exactly: bool = False) -> Part:
        """What an expression is; ``least`` is how many axes it has to have left, which says how
        many an array has of which nothing else does; ``exactly`` that more would raise. Raises
        ``NoNest``."""
        number = constant(node)
        if isinstance(number, (int, float)) and not isinstance(number, bool):
            return Part((), Const(number))
        if isinstance(node, ast.Name):
            return self._name(node, scope, least)
        without_bound = infinite(self.region.module, node)
        if without_bound:
            endless = Const(without_bound * math.inf)
            self.named.setdefault(endless, self.region.module.source(node))
            return Part((), endless)
        if is_length(node):
            return Part((), self.integers.term(node, integers_of(scope)))
        if isinstance(node, ast.Subscript):
            return self._subscript(node, scope, least)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, scope, least)
        if conditions.is_condition(node):
            return conditions.condition(self, node, scope)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            inner = self.part(node.operand, scope, least, exactly)
            negative = isinstance(node.op, ast.USub)
            return Part(inner.axes, Apply("neg", (inner.term,))) if negative else inner
        if isinstance(node, ast.BinOp):
            return self._binary(node, scope, least, exactly)
        if isinstance(node, ast.Call):
            return calls.call(self, node, scope, least, exactly)
        if isinstance(node, ast.IfExp):
            if self.integers.wraps:
                return self._either(node, scope)
            return choices.picked(self, node, scope, least)
        raise NoNest(f"`{self.region.module.source(node)}` is not followed")

    def _either(self, node: ast.IfExp, scope: Scope) -> Part:
        """One of two numbers, by an inequality between the loop variables."""
        from auditor.nests.guarded import conditions

        guards = conditions(self, node.test, scope, True)
        one, other = (self.part(side, scope, 0, True) for side in (node.body, node.orelse))
        if len(guards) != 1 or one.axes or other.axes:
            raise NoNest(f"`{self.region.module.source(node)}` is not followed")
        return Part((), Apply("where", (Apply("ge", (guards[0], ZERO)), one.term, other.term)))

    def _name(self, node: ast.Name, scope: Scope, least: int) -> Part:
        held = scope.get(node.id)
        if isinstance(held, Part):
            if node.id in self.stale:
                raise NoNest(f"`{node.id}` changes with a cell")
            # each use walks by itself: of `outer(r, r)` one goes along, the other down
            by: dict[Term, Term] = {axis: self.again(axis) for axis in held.axes}
            return Part(tuple(by[axis] for axis in held.axes), put(held.term, by))  # type: ignore[misc]
        if isinstance(held, Moved):
            return held.number()
        if isinstance(held, Const):
            return Part((), held)
        if held is not None and not self.counts:
            raise counting.Counting(f"computes with the loop variable `{node.id}`")
        if held is not None:
            return counting.number(held)
        own = self.cell(node, scope)
        if own is not None:
            return own
        if node.id in self.stored:
            raise NoNest(f"`{node.id}` is not bound yet")
        return self.array(self.leaf(node, 0, least))

    def _attribute(self, node: ast.Attribute, scope: Scope, least: int) -> Part:
        if node.attr in ("T", "mT"):
            return named_sums.turned(self, node.value, scope, node.attr == "mT")
        number = CONSTANTS.get(path_of(self.region.module, node) or "")
        if number is not None:
            self.named.setdefault(number, self.region.module.source(node))
            return Part((), number)
        if not self._plain(node):
            raise NoNest(f"`{self.region.module.source(node)}` is not followed")
        return self.array(self.leaf(node, 0, least))

    def _plain(self, node: ast.expr) -> bool:
        """A dotted name that is an attribute of an object and no other kind of thing."""
        if node.attr in _ABOUT:  # type: ignore[attr-defined]
            return False
        if impurity(self.region.module, node) is not None:
            return False  # a property
        at: ast.expr = node
        while isinstance(at, ast.Attribute):
            at = at.value
        return isinstance(at, ast.Name) and at.id == "self"

    def _subscript(self, node: ast.Subscript, scope: Scope, least: int) -> Part:
        own = self.cell(node, scope)
        if own is not None:
            return own
        chain: list[list[ast.expr]] = []
        at: ast.expr = node
        while isinstance(at, ast.Subscript):
            chain.insert(0, items_of(at))
            at = at.value
        if isinstance(at, (ast.Name, ast.Attribute)) and self.read_only(at, scope):
            taken = [item for items in chain for item in items if not is_new_axis(item)]
            places = sum(not isinstance(item, ast.Slice) for item in taken)
            named = len(taken)
            if len(chain) > 1 and not self.is_array(at):
                self.unsure(f"`{self.region.module.source(at)}` may be a list of lists", True)
            every = bool(taken) and is_whole(taken[-1])
            found = self.array(self.leaf(at, named, named if every else places + least, every))
        else:
            found = self.part(at, scope)
        for items in chain:
            found = self.at(found, items, scope)
        return found

    def read_only(self, node: ast.expr, scope: Scope) -> bool:
        if isinstance(node, ast.Name):
            return node.id not in scope and node.id not in self.stored
        return isinstance(node, ast.Attribute) and self._plain(node)

    def at(self, part: Part, items: list[ast.expr], scope: Scope) -> Part:
        """A subscript of a part."""
        axes = list(part.axes)
        if sum(not is_new_axis(item) for item in items) > len(axes):
            if self.guesses(part.term):
                self.unsure("how many axes the arrays have is not known", True)
            raise Unmeasured("a subscript of what may be a number")
        by: dict[Term, Term] = {}
        kept: list[Index] = []
        for item in items:
            if is_new_axis(item):
                kept.append(self.index("u", ZERO, ONE))
                self.inserted.add(kept[-1])
                continue
            axis = axes.pop(0)
            if self.walks[axis].within is not None and not is_whole(item):
                raise NoNest("a place within a tile")
            if isinstance(item, ast.Slice):
                new, sub = self._slice(axis, item, scope)
                kept.append(new)
                if new is not axis:
                    by[axis] = sub
            else:
                by[axis] = self.place(item, scope, read=True)
        return Part((*kept, *axes), put(part.term, by))

    def place(self, item: ast.expr, scope: Scope, read: bool = False) -> Term:
        """A place that a subscript names: an integer of the loop variables, or an element of an
        array of integers; where it is only read, what is computed of a loop variable as well."""
        known = integers_of(scope)
        try:
            place = self.integers.term(item, known)
            self._one_place(item, item, known)
            return place
        except NoNest:
            found = computed(self, item, scope) if read and not self.integers.wraps else None
            if found is not None:
                return found
            part = self.part(item, scope)
            read = any(isinstance(node, Read) for node in walk(part.term))
            if part.axes or not read or counting.counts(part.term):
                raise
            if isinstance(part.term, Apply) and truth(part.term):
                raise NoNest("one truth value as a subscript") from None
            return part.term

    def _one_place(self, node: ast.expr, item: ast.expr, known: Mapping[str, Term]) -> None:
        """Several places, ``row[order]``, would be an axis of their own. Raises ``NoNest``."""
        if is_length(node) or isinstance(node, ast.Constant):
            return
        if isinstance(node, (ast.BinOp, ast.UnaryOp)):
            sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.operand,)
            for side in sides:
                self._one_place(side, item, known)
            return
        if (isinstance(node, ast.Name) and node.id in known) or self.arrays.whole(node):
            return
        value = self.arrays.value(node)
        looked_up = isinstance(node, ast.Subscript)
        if (value is not None and value.axes) or looked_up or may_be_array(self.region, node):
            raise NoNest(f"`{self.region.module.source(node)}` may be several places")
        if not any(isinstance(at, ast.Name) and at.id in known for at in everything_in(item)):
            text = self.region.module.source(node)
            self.unsure(f"whether `{text}` is one place or several is not known", True)

    def _slice(self, axis: Index, item: ast.Slice, scope: Scope) -> tuple[Index, Term]:
        """The index that walks a slice of an axis, and the places that it walks."""
        if constant(item.step) == -1 and item.lower is None and item.upper is None:
            held = self.walks[axis]
            new = self.index("w", ZERO, held.high)
            return new, extents.sub(extents.sub(held.high, ONE), new)
        if item.step is not None and constant(item.step) != 1:
            raise NoNest("a slice with a step")
        if item.lower is None and item.upper is None:
            return axis, axis
        known = integers_of(scope)
        whole = self.walks[axis]
        extent = whole.high
        lower = ZERO if item.lower is None else self.integers.term(item.lower, known)
        tile = self.walks.get(lower) if isinstance(lower, Index) else None
        if tile is not None and tile.tiles and item.upper is not None:
            return self._tile(tile, item.upper, scope)
        upper = extent if item.upper is None else self.integers.term(item.upper, known)
        lower, upper = (
            extents.add(extent, end) if (extents.constant(end) or 0) < 0 else end
            for end in (lower, upper)
        )
        inside(self, lower, upper, extent, item)
        length = extents.sub(upper, lower)
        self.integers.length(length)
        new = self.index("w", ZERO, length)
        return new, extents.add(lower, new)

    def _tile(self, tile: Walk, upper: ast.expr, scope: Scope) -> tuple[Index, Term]:
        """A slice of one tile, as the walk through all of them."""
        index = self.within(tile, upper, integers_of(scope))
        if index is None:
            raise NoNest("a slice of something else than a tile")
        if not isinstance(upper, ast.Call) and index not in self.unbounded:
            self.unbounded.append(index)
        return index, index

    def within(self, tile: Walk, upper: ast.expr, known: Mapping[str, Term]) -> Index | None:
        """The index through all tiles, where ``upper`` is the end of one: ``start + size``, or the
        minimum of that and the end of all."""
        ends = [upper]
        if isinstance(upper, ast.Call) and isinstance(upper.func, ast.Name):
            if upper.func.id != "min" or len(upper.args) != 2 or upper.keywords:
                return None
            ends = list(upper.args)
        said = {extents.canonical(self.integers.term(end, known)) for end in ends}
        end = extents.canonical(extents.add(tile.index, tile.stride))
        if said not in ({end}, {end, tile.high}):
            return None
        for index, held in self.walks.items():
            if held.within is tile.index:
                return index
        name = tile.index.name
        return self.index(name, tile.low, tile.high, ONE, within=tile.index)

    # -- operations

    def _binary(self, node: ast.BinOp, scope: Scope, least: int, exactly: bool) -> Part:
        if isinstance(node.op, ast.MatMult):
            return self._product(node.left, node.right, scope, least, exactly)
        known, assumed = dict(self.leaves), list(self.assumptions)
        left, right = (self.part(side, scope, 0, exactly) for side in (node.left, node.right))
        if max(len(left.axes), len(right.axes)) < least:
            # what nothing said before this has more axes
            self.leaves, self.assumptions[:] = known, assumed
            sides = (node.left, node.right)
            placed = [any(isinstance(n, ast.Subscript) for n in everything_in(s)) for s in sides]
            rows = self.free and self.adding
            whole = taken_from(*sides) or taken_from(*sides[::-1])
            if whole is not None:
                self.tied.setdefault(self.region.module.source(whole), least)
            left, right = (
                self.part(side, scope, least if at or rows or not any(placed) else 0, exactly)
                if whole is None
                else self.part(side, scope, least if side is whole else 0, exactly)
                for side, at in zip(sides, placed, strict=True)
            )
        elif self.adding and len(left.axes) != len(right.axes):
            # what has as many axes as its uses ask for at least has those of a window
            most = max(len(left.axes), len(right.axes))
            sides = (node.left, node.right)
            left, right = (
                operand_axes.at_least(self, side, part, most, known, scope)
                for side, part in zip(sides, (left, right), strict=True)
            )
        left, right = (
            operand_axes.as_row(self, node.left, left, right, known),
            operand_axes.as_row(self, node.right, right, left, known),
        )
        if isinstance(node.op, ast.Add):
            left, right = (
                operand_axes.as_bias(self, node.left, left, node.right, known, scope),
                operand_axes.as_bias(self, node.right, right, node.left, known, scope),
            )
        op = _OPERATORS.get(type(node.op))
        if op is None:
            raise NoNest(f"`{self.region.module.source(node)}` is not followed")
        if op == "pow" and self.counts:
            right = counting.power(left, right)
        return self.pointwise(op, left, right)

    def _product(
        self, left: ast.expr, right: ast.expr, scope: Scope, least: int, exactly: bool,
        stacks: bool = True,
    ) -> Part:  # fmt: skip
        """A product of vectors, matrices or, where ``stacks`` are multiplied one by one, of those,
        that has ``least`` axes left."""
        moving = [side for side in (left, right) if self.moves(side, scope)]
        matrices = self.free and (len(moving) == 2 or any(map(named_as_matrix, moving)))
        if self.free and self._is_form(first_factor(left), right, scope):
            least, matrices = 0, False  # ``v @ a @ w``
        known, assumed = dict(self.leaves), list(self.assumptions)
        first = self.part(left, scope, 2 if least > 1 or matrices else 1)
        if matrices:
            least = max(least, 2)
        second = self.part(right, scope, 1 + max(0, least - len(first.axes) + 1))
        if len(first.axes) == len(second.axes) == least == 1:
            # what is left of it are rows, which a product of two vectors is none of
            self.leaves, self.assumptions[:] = known, assumed
            first, second = self.part(left, scope, 2), self.part(right, scope, 1)
        for name in sorted(self.tied.keys() & {v.name for v in self._read(first, second)}):
            self.unsure(f"how many axes `{name}` has is not known")
        for value in sorted(
            self.guesses(first.term) | self.guesses(second.term), key=lambda value: value.name
        ):
            if not exactly and not self.evidence.axes(value.name):
                doubt = f"whether `{value.name}` is a vector or a matrix is not known"
                if not self.free:
                    raise NoNest(doubt)
                self.unsure(doubt)
        return self.contract(first, second, stacks)

    def _is_form(self, first: ast.expr, last: ast.expr, scope: Scope) -> bool:
        """Whether a product begins and ends with vectors: with certain ones, as rows of a matrix
        are, or with one that is both, which what is between then is no stack for."""
        if not all(isinstance(node, (ast.Name, ast.Subscript)) for node in (first, last)):
            return False
        if not (self.moves(first, scope) and self.moves(last, scope)):
            return False
        parts = [self.part(node, scope) for node in (first, last)]
        certain = not any(self.guesses(part.term) for part in parts)
        one = ast.unparse(first) == ast.unparse(last)
        return all(len(part.axes) == 1 for part in parts) and (certain or one)

    def moves(self, node: ast.expr, scope: Container[str]) -> bool:
        """Whether an expression reads what a loop walks."""
        return any(
            isinstance(inner, ast.Name) and inner.id in scope for inner in everything_in(node)
        )

    def _made(self, value: Value) -> bool:
        """Whether a value is what the file itself makes to measure with, which are tensors."""
        return value.kind == "input" and value.name in self.region.lifted.facts.tensors

    def doubted(self, node: ast.expr) -> bool:
        """Whether what may be an array is taken for one, which is then said."""
        held = self.region.scope(self.integers.before).get(getattr(node, "id", ""))
        if not isinstance(held, Value) or held.kind != "input":
            held = self.region.values.get(node)  # ``u = u.copy()``
        if isinstance(node, ast.Name) and node.id not in self.region.bound:
            held = self.region.lifted.parameters.get(node.id, held)  # which a loop changes
        if not isinstance(held, Value) or held.kind != "input":
            return False
        if not self._made(held):
            self.unsure(f"whether `{self.region.module.source(node)}` is an array is not known")
        return True


_ABOUT = frozenset("shape ndim dtype size device T mT".split())
