"""Sums over windows of which only what lies within an array is added, one tap after the other.

    for i in range(h):
        for u in range(k):
            if 0 <= i + u - r < h:      at tap u: i from max(0, r - u) to min(h, h + r - u)
                y[i] += x[i + u - r] * w[u]

The loops over the cells become slices, those over the taps stay: what each of them adds to a cell
is added in the same order, and nothing is multiplied with zeros around the array, which infinite
weights would make NaN.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from auditor.lift import extents
from auditor.lift.dtypes import WHOLE
from auditor.nests.adding import added_to, mentions
from auditor.nests.cell_types import WIDE, no_narrow, same_types
from auditor.nests.code import Code
from auditor.nests.memory import made_anew
from auditor.nests.nest import Nest
from auditor.nests.parts import Filled, indices, put
from auditor.nests.plan import Plan, Sayer
from auditor.nests.reading import guarded_nest_of
from auditor.notation import ONE, ZERO, Apply, Const, Index, Read, Reduce, Symbol, Term, Value, walk
from auditor.rewrite import Site
from auditor.surroundings.region import Region
from auditor.tree import descendants

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_FEWEST = 2
"""Axes along which windows slide: along one, sums over lags have calls of their own."""


@dataclass(frozen=True, eq=False)
class Bounded:
    """What a nest adds to its cells, or takes from them: ``body`` summed over ``taps`` and
    ``others``, where all ``guards`` are at least 0, beside ``alone``, which no guard is asked for.
    ``onto`` says that this is added to what the cell held."""

    onto: bool
    negative: bool
    alone: Term | None
    body: Term
    taps: tuple[Index, ...]
    others: tuple[Index, ...]
    guards: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class End:
    """An end of the cells that are added to: the first at which ``factor * cell + rest`` is at
    least 0, or, where they do not begin ``below`` it, the last at which ``rest - factor * cell``
    is."""

    below: bool
    factor: Term
    rest: Term


def tapped(site: Site) -> TapPlan | None:
    """The plan for a nest that adds up windows within bounds, or None."""
    if site.loop is None or not _may_be_bounded(site.loop.node):
        return None
    nest = guarded_nest_of(site)
    if nest is None or len(nest.filled) != 1 or nest.filled[0].scattered:
        return None
    (filled,) = nest.filled
    found = _bounded(filled)
    ends = None if found is None else _ends(filled, found)
    if found is None or ends is None or not _within(nest, found, ends):
        return None
    return TapPlan(site, Region(site.lifted), nest, nest.filled, found=found, ends=ends)


def _may_be_bounded(node: ast.AST) -> bool:
    """Whether loops within a loop compare something in order."""
    inside = descendants(node)
    loops = sum(isinstance(each, ast.For) for each in inside)
    return loops > _FEWEST and any(
        isinstance(each, ast.If)
        and any(isinstance(n, ast.Compare) and isinstance(n.ops[0], _ORDERS)
                for n in descendants(each.test))
        for each in inside
    )  # fmt: skip


# -- reading


def _bounded(filled: Filled) -> Bounded | None:
    added = added_to(filled.term, filled.old)
    whole = filled.term if added is None else added
    if mentions(whole, filled.old):
        return None
    parts = whole.args if isinstance(whole, Apply) and whole.op == "add" else (whole,)
    sums = [part for part in parts if any(map(_guard, walk(part)))]
    rest = [part for part in parts if part not in sums]
    if len(sums) != 1:
        return None
    (term,) = sums
    negative = False
    gone: list[Index] = []
    guards: list[Term] = []
    while True:
        guard = _guard(term)
        if guard is not None:
            guards.append(guard[0])
            term = guard[1]
        elif isinstance(term, Reduce) and term.op == "sum":
            gone.append(term.index)
            term = term.body
        elif isinstance(term, Apply) and term.op == "neg":
            negative = not negative
            term = term.args[0]
        else:
            break
    if any(map(_guard, walk(term))):
        return None
    asked = {index for guard in guards for index in indices(guard)}
    taps = tuple(index for index in gone if index in asked)
    others = tuple(index for index in gone if index not in taps)
    if asked - {*taps, *filled.axes} or len({tap.name for tap in taps}) < len(taps):
        return None
    alone = None if not rest else rest[0] if len(rest) == 1 else Apply("add", tuple(rest))
    return Bounded(added is not None, negative, alone, term, taps, others, tuple(guards))


def _guard(term: Term) -> tuple[Term, Term] | None:
    """(g, e) of what adds e where g is at least 0."""
    if not isinstance(term, Apply) or term.op != "where" or term.args[2] is not ZERO:
        return None
    test = term.args[0]
    if not isinstance(test, Apply) or test.op != "ge" or test.args[1] is not ZERO:
        return None
    return extents.canonical(test.args[0]), term.args[1]


def _ends(filled: Filled, found: Bounded) -> dict[Index, list[End]] | None:
    """Of each axis of the cells that guards ask about, where its cells are added to; None where a
    guard asks about none or several."""
    ends: dict[Index, list[End]] = {}
    for guard in found.guards:
        cells = [index for index in set(indices(guard)) if index in filled.axes]
        form = _form(guard, cells[0]) if len(cells) == 1 else None
        if form is None:
            return None
        ends.setdefault(cells[0], []).append(End(*form))
    return ends


def _form(term: Term, cell: Index) -> tuple[bool, Term, Term] | None:
    """(True, a, b) of ``a * cell + b``, (False, a, b) of ``b - a * cell``."""
    moving = {atoms: n for atoms, n in extents.polynomial(term).items() if cell in atoms}
    if len(moving) != 1:
        return None
    ((atoms, number),) = moving.items()
    others = [atom for atom in atoms if atom is not cell]
    if len(others) != len(atoms) - 1 or any(isinstance(atom, Index) for atom in others):
        return None
    factor = extents.mul(Const(abs(number)), *others)
    moved = extents.mul(factor, cell)
    below = number > 0
    return below, factor, extents.sub(term, moved) if below else extents.add(term, moved)


def _within(nest: Nest, found: Bounded, ends: Mapping[Index, list[End]]) -> bool:
    """Whether every read that moves with an axis of the cells that is bounded is kept within its
    array, below and above, and all loops there go place by place."""
    if any(extents.constant(nest.walk(index).stride) != 1 for index in (*ends, *found.taps)):
        return False
    slid = set[Index]()
    for node, place, sub in _places(found.body):
        inside = set(indices(sub))
        moved = inside & ends.keys()
        if not moved:
            continue
        form = _form(sub, *moved) if len(moved) == 1 else None
        if form is None or not form[0] or inside - {*found.taps, *moved}:
            return False
        room = extents.sub(extents.sub(node.value.axes[place].extent, ONE), sub)
        whole = sub in moved and (sub, node.value, place) in nest.expressions.whole
        if not whole and not all(_kept(nest, found, end) for end in (sub, room)):
            return False
        slid |= moved if len(inside) > 1 else set()
    return len(slid) >= _FEWEST


def _places(term: Term) -> list[tuple[Read, int, Term]]:
    """Every subscript of what a term reads, with its place."""
    return [
        (node, place, sub) for node in walk(term) if isinstance(node, Read)
        for place, sub in enumerate(node.subs)
    ]  # fmt: skip


def _kept(nest: Nest, found: Bounded, term: Term) -> bool:
    """Whether a number is certainly not negative at the steps that are made."""
    apart = (extents.constant(extents.sub(term, guard)) for guard in found.guards)
    if any(number is not None and number >= 0 for number in apart):
        return True
    least = term
    for index in set(indices(term)):
        factor, held = extents.polynomial(term).get((index,)), nest.walk(index)
        if factor is None:
            return False
        end = held.low if factor > 0 else extents.sub(held.high, ONE)
        least = extents.canonical(put(least, {index: end}))
    number = extents.constant(least)
    return number is not None and number >= 0


# -- code


@dataclass
class _Slices(Code):
    """Says arrays at one tap: along some indices only the cells that ``spans`` says."""

    spans: Mapping[Index, tuple[Symbol, Symbol]] = field(default_factory=dict)

    def item(self, value: Value, position: int, sub: Term) -> tuple[str, Index | None]:
        moved = [index for index in indices(sub) if index in self.spans]
        if not moved:
            return super().item(value, position, sub)
        form = _form(sub, moved[0])
        assert form is not None
        _, factor, offset = form
        text = self.nest.expressions.integers.text
        ends = [text(extents.add(extents.mul(factor, end), offset)) for end in self.spans[moved[0]]]
        stride = [] if factor is ONE else [text(factor)]
        plain = all(end.isidentifier() for end in ends)
        return (":" if plain else " : ").join([*ends, *stride]), moved[0]


@dataclass
class TapPlan(Plan):
    """The replacement of a nest by loops over its taps."""

    found: Bounded = field(kw_only=True)
    ends: Mapping[Index, list[End]] = field(kw_only=True)

    def lines(self, say: Sayer = Code.filled) -> list[str]:
        """The code. Raises ``CannotSay``."""
        (filled,) = self.filled
        found = self.found
        self._types(filled)
        self._read_at_every_tap()
        lines = self._alone(filled)
        code = self._code(filled)
        body = found.body
        for index in reversed(found.others):
            body = Reduce("sum", index, body)
        by: dict[Term, Term] = {tap: self._named(tap.name) for tap in found.taps}
        said = code.arranged(code.said(put(body, by)), filled.axes)
        depth, known = 0, set[Index]()
        for tap in found.taps:
            lines.append(f"{_INDENT * depth}for {tap.name} in {self._range(tap)}:")
            depth, known = depth + 1, known | {tap}
            lines += [_INDENT * depth + line for line in self._spans(code, tap, known, by)]
        sign = "-=" if found.negative else "+="
        lines.append(f"{_INDENT * depth}{self._target(filled, code)} {sign} {said.whole}")
        return lines

    def _types(self, filled: Filled) -> None:
        """What is added up comes out in the type in which the loops do."""
        self.site.require(
            self.library(filled) == "numpy", "library", "the arrays may be no NumPy arrays"
        )
        own = not all(map(self.region.means_builtin, ("max", "min", "range")))
        self.site.require(not own, "names", "the file has its own `max`, `min` or `range`")
        same_types(self, filled, added_to(filled.term, filled.old))
        held = filled.array.dtype
        if not self.found.onto:
            self.site.require(
                held not in WHOLE, "integers", f"`{filled.name}` cuts off the fraction of a sum"
            )
            known = held is not None and not held.startswith(("like", "to"))
            alike = all(value.dtype == held for value in self.read(filled.term))
            self.site.require(
                not known or held in WIDE or alike, "rounding",
                f"`{filled.name}` rounds each sum once, where it is complete",
            )  # fmt: skip
            narrow = f"`{filled.name}` is of no narrower type than what is put into it"
            if held not in WIDE and narrow not in self.reasons:
                self.reasons.append(narrow)
        if self.found.others:
            no_narrow(self, {n.value for n in walk(self.found.body) if isinstance(n, Read)})
        for factor in {end.factor for each in self.ends.values() for end in each}:
            self.nest.expressions.integers.length(extents.sub(factor, ONE))

    def _read_at_every_tap(self) -> None:
        """What a tap reads wherever the cell is, it reads where no cell is added to as well."""
        for node, place, sub in _places(self.found.body):
            inside = set(indices(sub))
            if inside and inside <= {*self.found.taps}:
                said = f"no step reads beyond the end of `{node.value.name}`"
                certain = (self.room(node.value, place, sub) or 0) > 0
                self.reasons += [] if certain or said in self.reasons else [said]

    def _alone(self, filled: Filled) -> list[str]:
        """The line for what is put into each cell, or added to it, whatever the taps add."""
        alone, onto = self.found.alone, self.found.onto
        if alone is None:
            return [] if onto else [f"{filled.name}[:] = 0"]
        zero = isinstance(alone, Const) and alone.value == 0
        zeros = self.nest.expressions.lifted(filled.node)
        made = made_anew(self.region, self.nest.node, filled.name)
        if zero and not onto and zeros is not None and zeros.body is ZERO and made:
            return []
        code = self.code(filled)
        target = self._target(filled, code)
        said = code.arranged(code.said(alone), filled.axes).whole
        if onto:
            return [f"{target} += {said}"]
        return [f"{target if target.endswith(']') else target + '[:]'} = {said}"]

    def _named(self, name: str) -> Symbol:
        """A number by the name that it has in the new code."""
        made = Symbol(f"{name} of a tap")
        self.nest.expressions.integers.texts[made] = name
        return made

    def _code(self, filled: Filled) -> _Slices:
        plain, free = self.code(filled), self.region.free_name
        spans = {
            cell: (self._named(free(f"{cell.name}_start")), self._named(free(f"{cell.name}_stop")))
            for cell in self.ends
        }
        return _Slices(self.nest, plain.library, plain.torch, plain.order, plain.accumulate,
                       spans=spans)  # fmt: skip

    def _range(self, tap: Index) -> str:
        held, text = self.nest.walk(tap), self.nest.expressions.integers.text
        low = "" if held.low is ZERO else f"{text(held.low)}, "
        return f"range({low}{text(held.high)})"

    def _spans(
        self, code: _Slices, tap: Index, known: set[Index], by: dict[Term, Term]
    ) -> list[str]:
        """The lines that say which cells are added to, once all taps are known that this asks."""
        lines = []
        for cell, ends in self.ends.items():
            asked = {index for end in ends for index in indices(end.rest)}
            if not asked <= known or tap not in (asked or self.found.taps[:1]):
                continue
            held = self.nest.walk(cell)
            start, stop = (code.nest.expressions.integers.text(end) for end in code.spans[cell])
            lows = [self._first(end, by) for end in ends if end.below]
            highs = [self._last(end, by) for end in ends if not end.below]
            text = self.nest.expressions.integers.text
            first = _extreme("max", [text(held.low), *lows])
            last = _extreme("min", [text(held.high), *highs])
            lines += [f"{start} = {first}", f"{stop} = max({start}, {last})"]
        return lines

    def _first(self, end: End, by: dict[Term, Term]) -> str:
        """The first cell at which ``factor * cell + rest`` is at least 0."""
        text = self.nest.expressions.integers.text
        rest = put(end.rest, by)
        if end.factor is ONE:
            return text(extents.neg(rest))
        return f"-(({text(rest)}) // {_divisor(text(end.factor))})"

    def _last(self, end: End, by: dict[Term, Term]) -> str:
        """The place behind the last cell at which ``rest - factor * cell`` is at least 0."""
        text = self.nest.expressions.integers.text
        rest = put(end.rest, by)
        if end.factor is ONE:
            return text(extents.add(rest, ONE))
        return f"({text(rest)}) // {_divisor(text(end.factor))} + 1"


_INDENT = "    "


def _divisor(text: str) -> str:
    return text if text.isalnum() else f"({text})"


def _extreme(way: str, said: Sequence[str]) -> str:
    said = list(dict.fromkeys(said))
    return said[0] if len(said) == 1 else f"{way}({', '.join(said)})"
