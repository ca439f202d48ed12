"""Loop distribution: the code that does for all steps at once what a loop does one by one.

Every carried value becomes a *sequence*, an array with the loop's axis among its own: a scan of its
coefficients, a running sum, or just the values it takes. What the loop collects, writes or leaves
behind is then printed over all steps from those sequences and from the user's own arrays; named
temporaries keep their names. Sequences that are read once are put where they are read.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from auditor.algebra.states import Dependence, stages
from auditor.arrays.wider_start import (
    A_STEP,
)
from auditor.lift import extents
from auditor.notation import (
    ONE,
    ZERO,
    Const,
    Index,
    Read,
    Term,
    Trace,
    Value,
    free_indices,
    substitute,
    walk,
)
from auditor.recurrences.after_loop import finals, left_otherwise
from auditor.recurrences.coefficients import (
    NotLinear,
    chosen_numbers,
    coefficients,
    divided,
    gathered,
    left_out,
    let_go,
    made_floats,
    regrouped,
    running_extreme,
    running_kind,
    taken_away,
    turned_negative,
)
from auditor.recurrences.cumulated import cumulate
from auditor.recurrences.element_types import chosen_from_numbers
from auditor.recurrences.extreme_types import assumed_of_extremes
from auditor.recurrences.initial_states import initial, start_of
from auditor.recurrences.layouts import Layouts
from auditor.recurrences.outputs import edits_of
from auditor.recurrences.read_at_steps import final_only, only_put_down, read_at_steps
from auditor.recurrences.recurrence import (
    LoopRegion,
    canonical_subscripts,
    reversed_step,
    steps_backward,
)
from auditor.recurrences.row_ranks import certain_of_axes
from auditor.recurrences.shortened import bound_names
from auditor.recurrences.stacked_lists import outliving, stacked_lists
from auditor.rewrite import Site
from auditor.syntax import without_idle
from auditor.verdict import Edit
from auditor.writing.emit import Renderer
from auditor.writing.named_arrays import item
from auditor.writing.pieces import ENTANGLED, CannotRender, Piece, UnknownRank
from auditor.writing.reshaped import reshaped

Special = Callable[[Term, Renderer], Piece | None]


@dataclass(frozen=True)
class Sequence:
    """All values of a carried value: ``order`` is the layout, the state's axes and the step."""

    name: str
    order: tuple[Index, ...]


@dataclass
class LoopCode:
    """The code for one loop. ``scans`` counts the carried values that need a scan, ``prefixes``
    those that are running sums, products or extrema. With ``late``,
    last values get names of their own until all of the code has read the first ones; with
    ``unnamed``, temporaries that have the name of a carried value do without; with ``leading``,
    everything is computed with the steps as first axis, so that what has axes of unknown number
    broadcasts as it does in one step; ``elements_read`` are the assumptions that an element which
    a step reads exists."""

    site: Site
    region: LoopRegion
    lines: list[str] = field(default_factory=list)
    introduced: list[str] = field(default_factory=list)
    edges: dict[tuple[str, ...], str] = field(default_factory=dict)
    sequences: dict[int, Sequence] = field(default_factory=dict)
    shifted: dict[int, str] = field(default_factory=dict)
    assumptions: list[str] = field(default_factory=list)
    scans: int = 0
    prefixes: int = 0
    late: bool = False
    leading: bool = False
    unnamed: bool = False
    closing: list[str] = field(default_factory=list)
    uncertain: bool = False
    ranks: str = "known"
    kept: dict[Value, Piece] = field(default_factory=dict)
    elements_read: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        region = self.region
        self.loop, self.step, self.scan = region.loop, region.step, region.scan
        updates = [carry.update for carry in self.scan.carries]
        outputs = [items.element for items in self.loop.lists.values()]
        self.reverse = steps_backward([*updates, *outputs], self.step)
        if any(key.endswith("[cell]") for key in self.loop.finals):
            raise CannotRender("an element of an array is carried")
        self.stacks = stacked_lists(region)
        self.outliving = outliving(region, self.stacks)
        self.writes = dict(self.loop.written)
        self.layouts = Layouts(region, self.stacks, self.writes, self.leading)
        self.finals = finals(region)
        for name in self.loop.nothing & set(self.finals):
            raise CannotRender(f"`{name}` is None after a loop without steps")
        self.slots = {carry.name: slot for slot, carry in enumerate(self.scan.carries)}
        self.taken = {node for names in (region.loads, region.stores) for node in names}

    # -- carried values

    def needed(self) -> list[int]:
        """As ``needed_stages``. Raises ``CannotRender`` for values that depend on one another."""
        found = self.needed_stages()
        if any(len(stage) > 1 for stage in found):
            raise CannotRender(ENTANGLED)
        return [slot for (slot,) in found]

    def needed_stages(self) -> list[tuple[int, ...]]:
        """The carried values that the outputs depend on, in an order in which they can be
        computed, those that depend on one another together."""
        mentions = Dependence().states
        states = {carry.state: slot for slot, carry in enumerate(self.scan.carries)}
        wanted = {self.slots[name] for name in self.finals}
        for element in self.elements():
            wanted |= {node.slot for node in walk(element)
                       if isinstance(node, Trace) and node.scan is self.scan}  # fmt: skip
        while True:
            more = {
                states[state]
                for slot in wanted
                for state in mentions(self.scan.carries[slot].update)
                if state in states
            }
            if more <= wanted:
                break
            wanted |= more
        return [stage for stage in stages(self.scan, Dependence()) if wanted.issuperset(stage)]

    def elements(self) -> list[Term]:
        """What each output is at a step."""
        found = [stacked.items.element for stacked in self.stacks]
        for write in self.writes.values():
            assert write.value is not None
            found.append(self.region.traced(write.value, write.value.axes))
        return found

    def sequence(self, slot: int) -> None:
        """Write the code of one carried value."""
        kind, factor, rest = self._step_of(slot)
        order = self.layouts.of(slot)
        renderer = self.renderer(order)
        name = self._list_name(slot, order) or self._fresh(self.scan.carries[slot].name)
        kind = kind or running_kind(factor, rest)
        if kind is not None:
            moving = renderer.array(factor if kind == "prod" and factor is not None else rest)
            self.collect(renderer)
            cumulate(self, slot, kind, name, renderer, moving, order)
        elif factor is None:
            final = self.final_name(slot)
            added = renderer.array(rest)
            self.collect(renderer)
            if final is not None:
                raise CannotRender(f"`{final}` of the last step is used after the loop")
            self._need(added, order)
            self._introduce(name, added.text)
        else:
            self._scanned(slot, name, renderer, factor, rest)
        self.sequences[slot] = Sequence(name, order)

    def _step_of(self, slot: int) -> tuple[str | None, Term | None, Term]:
        """What a step does to a carried value: the extremum that it keeps, or None, what it
        multiplies it with, or None, and what it adds."""
        carry = self.scan.carries[slot]
        kind: str | None = None
        try:
            factor, rest = coefficients(self.region, slot)
            if factor is not None:
                self.assumptions.extend(let_go(self.region, slot))
                self.assumptions.extend(divided(self.region, slot))
            if factor is not None and self.region.of_numpy:
                self.assumptions.extend(gathered(self.region, slot))
                if not (running_kind(factor, rest) and only_put_down(self, slot)):
                    self.assumptions.extend(self.region.array_types.assumed(slot, factor, rest))
            elif factor is not None:
                self.assumptions.extend(regrouped(self.region, slot))
                self.assumptions.extend(taken_away(self.region, slot))
                self.assumptions.extend(turned_negative(factor, rest))
                self.assumptions.extend(chosen_numbers(self.region, slot, factor, rest))
                self.assumptions.extend(made_floats(self.region, slot, factor, rest))
                self.assumptions.extend(left_out(self.region, slot, factor, rest))
        except NotLinear:
            extreme = running_extreme(self.region, slot)
            if extreme is None:
                raise
            kind, rest = extreme
            factor = None
            if self.region.of_numpy:
                self.assumptions.extend(assumed_of_extremes(self.region, slot, kind, rest))
        flat: dict[Term, Term] = dict.fromkeys(self.layouts.flat(slot), ZERO)
        if flat:
            if carry.name in self.finals:
                raise CannotRender(f"`{carry.name}` keeps an axis of extent 1 for the steps")
            rest = canonical_subscripts(substitute(rest, flat))
            factor = None if factor is None else canonical_subscripts(substitute(factor, flat))
        if self.reverse:
            factor = None if factor is None else reversed_step(factor, self.step)
            rest = reversed_step(rest, self.step)
        return kind, factor, rest

    def _scanned(self, slot: int, name: str, renderer: Renderer, factor: Term, rest: Term) -> None:
        """A carried value that is multiplied and added to, as a scan."""
        order = renderer.order
        if self.region.of_numpy and not self._held_at_all_steps(order, factor, rest):
            raise CannotRender("all steps at once would take more memory than the arrays do")
        final = self.final_name(slot)
        if final is not None:
            self.assumptions += left_otherwise(self.region, self.scan.carries[slot].name)
        b = renderer.array(rest)
        self.collect(renderer)
        counted = renderer.counts(factor)
        a = renderer.counted(factor, rest) if counted else renderer.array(factor)
        if not b.axes:
            raise CannotRender("the term that is added is a number")
        spread = (renderer.spread(a, order), renderer.spread(b, order))
        self.collect(renderer)
        self.need_all((a, b), order, spread)
        args = [*map(self._own, spread)]
        if self.region.of_numpy and chosen_from_numbers(factor):
            args[0] = renderer.as_beside(spread[0], rest)
        args.extend(initial(self, slot))
        args.append(f"dim={self.layouts.dim(order)}")
        if self.reverse:
            args.append("reverse=True")
        if final is None:
            self._introduce(name, f"linear_scan({', '.join(args)})")
        else:
            args.append("output_final_state=True")
            kept = self._unused() if final_only(self, slot) else name
            self.lines.append(f"{kept}, {final} = linear_scan({', '.join(args)})")
        self.scans += 1

    def _held_at_all_steps(self, order: tuple[Index, ...], *terms: Term) -> bool:
        """Whether an array that is read or left has all axes of a carried value and the steps."""
        left = [len(stacked.order(self.step)) for stacked in self.stacks]
        left += [len(write.original.axes) for write in self.writes.values()]
        axes = set(order)
        return max(left, default=0) >= len(order) or any(
            axes <= free_indices(node)
            for term in terms for node in walk(self.region.inlined(term)) if isinstance(node, Read)
        )  # fmt: skip

    def jointly(self, slots: tuple[int, ...], call: str, orders: list[tuple[Index, ...]]) -> None:
        """Bind what a call returns for carried values that it computes together: all their values
        laid out in ``orders``, and the last ones where those are read after the loop."""
        last = [self.final_name(slot) for slot in slots]
        read = [read_at_steps(self, slot, slots) for slot in slots]
        unused = self._unused()
        names = []
        for slot, order, wanted in zip(slots, orders, read, strict=True):
            key = self.scan.carries[slot].name
            names.append((self._list_name(slot, order) or self._fresh(key)) if wanted else unused)
            self.sequences[slot] = Sequence(names[-1], order)
        self.scans += 1
        if len(slots) == 1 and last[0] is None:
            self._introduce(names[0], call)
            return
        target = ", ".join(names) if any(read) else unused
        if any(name is not None for name in last):
            call = f"{call[:-1]}, output_final_state=True)"
            ends = ", ".join(name or unused for name in last)
            both = len(slots) > 1
            target = f"({target})" if both and any(read) else target
            target += f", ({ends})" if both else f", {ends}"
        self.lines.append(f"{target} = {call}")

    def _unused(self) -> str:
        """A name for what nobody reads; elsewhere `_` may be a value, or gettext."""
        return self._fresh("unused", suffix="") if self.region.loads.get("_") else "_"

    def final_name(self, slot: int) -> str | None:
        """The name for the last value of ``slot``, if it is read after the loop."""
        name = self.scan.carries[slot].name
        if name not in self.finals:
            return None
        final = name.partition("[")[0]
        self.needs_a_step(slot)
        if not self.late:
            return final
        last = self._fresh(final, suffix="_last")
        self.closing.append(f"{final} = {last}")
        return last

    def needs_a_step(self, slot: int) -> None:
        """The first step makes an array of a number, which stays one where there is no step."""
        carry = self.scan.carries[slot]
        start = self.region.init_of(carry.name)
        if start is None or isinstance(self.step.extent, Const) or A_STEP in self.assumptions:
            return
        number = start.library == "python" or (not start.axes and isinstance(start.body, Const))
        if number or len(start.axes) < len(carry.state.axes):
            self.assumptions.append(A_STEP)

    def _own(self, piece: Piece) -> str:
        """The text of an argument of a scan, which its backward still needs while arrays that the
        loop wrote are written: a part of such an array is copied."""
        if self.region.of_numpy:
            return piece.text  # there is no backward pass
        base = re.match(r"\w+", piece.text)
        view = re.fullmatch(
            r"\w+(\[[^()]*\])?(\.(transpose|permute|movedim|swapaxes)\([^()]*\))?", piece.text
        )
        if base is not None and view is not None and base[0] in self.writes:
            return self.region.words.copied(piece.text)
        return piece.text

    # -- rendering

    def outside(self, order: tuple[Index, ...]) -> Renderer:
        """A renderer of values from before the loop, by names that still hold them."""
        renderer = self.region.renderer(order, self.region.node)
        name_of, scalar_of = renderer.name_of, renderer.scalar_of
        dtype_of = renderer.dtype_of

        def name(value: Value) -> str | None:
            return self._still(name_of(value), renderer)

        def scalar(term: Term) -> str | None:
            return self._still(scalar_of(term), renderer)

        def dtype(known: str) -> str | None:
            return self._still(dtype_of(known), renderer)

        renderer.name_of, renderer.scalar_of, renderer.dtype_of = name, scalar, dtype
        renderer.fresh, renderer.edges = self.fresh, self.edges
        if self.unnamed:
            carried = {key.partition("[")[0] for key in self.slots}
            renderer.keeps = lambda value: self.region.keeps(value) and value.name not in carried
        return renderer

    def name_at(self, value: Value) -> str | None:
        """The name that holds a value from before the loop."""
        return self._still(self.region.name_at(value, self.region.node), None)

    def _still(self, name: str | None, renderer: Renderer | None) -> str | None:
        lines = [*self.lines, *(renderer.lines if renderer is not None else ())]
        if name is not None and name.split(".")[0] in bound_names(lines):
            raise BoundAgain(f"`{name}` is bound again before it is read")
        return name

    def renderer(self, order: tuple[Index, ...], special: Special | None = None) -> Renderer:
        """A renderer that knows the sequences."""
        renderer = self.outside(order)
        renderer.known.update(self.kept_pieces())

        def known(term: Term, asking: Renderer) -> Piece | None:
            found = special(term, asking) if special is not None else None
            return found or self._special(term, asking)

        renderer.special = known
        if self.reverse:
            renderer.reindex = lambda term: reversed_step(term, self.step)
        return renderer

    def kept_pieces(self) -> dict[Term, Piece]:
        return {Read(value, value.axes): piece for value, piece in self.kept.items()}

    def collect(self, renderer: Renderer) -> None:
        """Take over the lines of named temporaries that a renderer wrote."""
        self.lines.extend(line for line in renderer.lines if line not in self.lines)
        renderer.lines.clear()
        for term, piece in renderer.known.items():
            if isinstance(term, Read) and term.subs == term.value.axes:
                self.kept.setdefault(term.value, piece)
        self.assumptions.extend(renderer.assumptions)
        self.uncertain |= renderer.uncertain

    def _special(self, term: Term, renderer: Renderer) -> Piece | None:
        """Carried values after a step and before it."""
        if isinstance(term, Trace) and term.scan is self.scan:
            now = self._reindexed(self.step)
            before = self._reindexed(extents.sub(self.step, ONE))
            step = extents.canonical(term.step)
            if step is extents.canonical(now):
                return self._piece(term.slot, term.subs, renderer, shifted=False)
            if step is extents.canonical(before):
                return self._piece(term.slot, term.subs, renderer, shifted=True)
            raise CannotRender("an output reads the state of another step")
        if isinstance(term, Read):
            for slot, carry in enumerate(self.scan.carries):
                if term.value is carry.state:
                    return self._piece(slot, term.subs, renderer, shifted=True)
                if term.value is self.loop.finals[carry.name] and slot in self.sequences:
                    return self._piece(slot, term.subs, renderer, shifted=False)
        return None

    def _reindexed(self, step: Term) -> Term:
        return reversed_step(step, self.step) if self.reverse else step

    def _piece(
        self, slot: int, subs: tuple[Term, ...], renderer: Renderer, *, shifted: bool
    ) -> Piece:
        sequence = self.sequences.get(slot)
        if sequence is None:
            raise CannotRender(f"`{self.scan.carries[slot].name}` is needed before it is known")
        state = self.scan.carries[slot].state
        if len(subs) != len(state.axes):
            # its axes of unknown number meet another number of axes
            raise CannotRender(f"the number of axes of `{state.name}` is not known")
        rename = dict(zip(state.axes, subs, strict=True))
        if shifted and self.layouts.flat(slot):
            raise CannotRender("the values before each step, with an axis of extent 1")
        name = self._shifted(slot) if shifted else sequence.name
        reads = tuple(rename.get(axis, axis) for axis in sequence.order)
        name, subs, own = reshaped(renderer, name, reads, sequence.order)
        items = [
            (":", axis) if axis is self.step else _place(renderer, sub, axis)
            for sub, axis in zip(subs, own, strict=True)
        ]
        axes = tuple(axis for _, axis in items if axis is not None)
        if len(set(axes)) < len(axes):
            raise CannotRender("a diagonal of the state")
        texts = [
            "..." if axis.group and text == ":" else text
            for (text, _), axis in zip(items, own, strict=True)
        ]
        kept = without_idle(texts)
        name += f"[{', '.join(kept)}]" if kept else ""
        return renderer.arranged(Piece(name, axes))

    def _shifted(self, slot: int) -> str:
        """The values before each step: the initial one, then all but the last."""
        if slot in self.shifted:
            return self.shifted[slot]
        sequence = self.sequences[slot]
        key = self.scan.carries[slot].name
        position = sequence.order.index(self.step)
        dim = self.layouts.dim(sequence.order)
        if dim < 0:
            raise CannotRender("the values before each step, along an axis of unknown place")
        lead = ":, " * position
        one = f"{sequence.name}[{lead}{'-1:' if self.reverse else ':1'}]"
        start, words = start_of(self, key), self.region.words
        if self.region.of_numpy:
            # whether the start is a number or has axes
            first = f"{words.module}.full_like({one}, {'0' if start is None else start.text})"
        elif start is None:
            first = f"{words.module}.zeros_like({one})"
        elif not start.axes:
            first = f"{words.module}.full_like({one}, {start.text})"
            if start.text.isidentifier():
                raise CannotRender("the initial state may be a number or a tensor")
        else:
            first = words.spread_like(words.with_axis(start.inside(6), dim), one)
            if not certain_of_axes(self, slot):
                self.assumptions.append(f"`{key}` starts in the shape that it has after a step")
            kept = self._keeps_type(key, self.scan.carries[slot].update)
            also = "" if kept else f"`{key}` starts in the type that it has after one, and "
            self.assumptions.append(f"the loop takes more than one step, or {also}has no gradient")
        rest = f"{sequence.name}[{lead}{'1:' if self.reverse else ':-1'}]"
        parts = [rest, first] if self.reverse else [first, rest]
        name = self._fresh(f"{sequence.name}_before", suffix="")
        self._introduce(name, words.joined(parts, dim))
        self.shifted[slot] = name
        return name

    def _keeps_type(self, name: str, update: Term) -> bool:
        """Whether a state certainly starts in the type that it has after a step."""
        start = self.region.init_of(name)
        read = {node.value for node in walk(update) if isinstance(node, Read)}
        return start is not None and start.dtype is not None and all(
            value.kind == "state" or value.library == "python" or value.dtype == start.dtype
            for value in read
        )  # fmt: skip

    def _need(self, piece: Piece, order: tuple[Index, ...]) -> None:
        self.need_all((piece,), order)

    def need_all(
        self, pieces: tuple[Piece, ...], order: tuple[Index, ...], spread: tuple[Piece, ...] = ()
    ) -> None:
        """That every axis is one of what is added; of those of extent 1, that it is inserted."""
        axes = {axis for piece in pieces for axis in piece.axes}
        axes |= {axis for piece in spread for axis in piece.axes if axis and axis.extent is ONE}
        missing = [axis.name for axis in order if axis not in axes]
        if missing:
            raise CannotRender(f"nothing that is added has the axis `{', '.join(missing)}`")

    def _fresh(self, key: str, suffix: str = "s") -> str:
        """A name that the function does not use."""
        base = key.partition("[")[0] if "[previous" in key or "[-" in key else key
        final = self.loop.finals.get(key)
        if "[" in base and final is not None and final.name.isidentifier():
            base = final.name
        base = re.sub(r"\W+", "_", base).strip("_")
        name = f"{base}{suffix}"
        if suffix and len(base) > 1 and base.endswith("s"):
            name = f"all_{base}"
        while name in self.taken or name in self.introduced or keyword.iskeyword(name):
            name += "_"
        self.taken.add(name)
        return name

    def fresh(self, name: str) -> str:
        """``name``, or one like it that the function does not use."""
        return self._fresh(name, suffix="")

    def introduce(self, key: str, text: str, also: str | None = None) -> str:
        """Bind ``text`` to a new name (and its second result to ``also``)."""
        name = self._fresh(key, suffix="")
        if also is None:
            self._introduce(name, text)
        else:
            self.lines.append(f"{name}, {also} = {text}")
        return name

    def _list_name(self, slot: int, order: tuple[Index, ...]) -> str | None:
        """The name of the list that collects just this carried value, laid out and turned as the
        sequence is: it is free to take."""
        axes = self.scan.carries[slot].state.axes
        for stacked in self.stacks:
            element, items = stacked.items.element, stacked.items
            if not isinstance(element, Trace) or element.scan is not self.scan or stacked.merged:
                continue
            if element.slot != slot or element.step is not self.step or items.prefix:
                continue
            if len(element.subs) != len(axes) or not self.region.whole(element.subs, axes):
                continue
            if stacked.name in self.outliving:
                continue
            plain = element.subs == items.axes and stacked.joined is None
            there = dict(zip(element.subs, axes, strict=True))
            laid = tuple(there.get(axis, axis) for axis in stacked.order(self.step))
            if plain and laid == order and items.reverse == self.reverse:
                if stacked.name not in self.introduced:
                    return stacked.name
        return None

    def _introduce(self, name: str, text: str) -> None:
        self.introduced.append(name)
        self.lines.append(f"{name} = {text}")


def _place(renderer: Renderer, sub: Term, axis: Index) -> tuple[str, Index | None]:
    """What a subscript says of one axis of a sequence, and what is left of the axis."""
    if sub is ZERO:
        return "0", None
    text, left = item(renderer, sub, axis)
    return text, left if isinstance(left, Index) else None


def plainest(
    site: Site, region: LoopRegion, written: Callable[[LoopCode], tuple[Edit, ...]]
) -> tuple[LoopCode, tuple[Edit, ...]]:
    """The code of a loop in the plainest form in which ``written`` can write it, with its edits.
    Raises ``CannotRender`` and ``NotLinear``."""
    late = leading = unnamed = False
    while True:
        code = LoopCode(site, region, late=late, leading=leading, unnamed=unnamed)
        try:
            return code, written(code)
        except BoundAgain:
            if unnamed:
                raise
            late, unnamed = True, late
        except UnknownRank:
            if leading:
                raise
            leading = True


def one_by_one(code: LoopCode) -> tuple[Edit, ...]:
    """The edits where each carried value is a recurrence of its own; none where nothing was
    scanned."""
    for slot in code.needed():
        code.sequence(slot)
    return edits_of(code) if code.scans or code.prefixes else ()


class BoundAgain(CannotRender):
    """The new code binds a name before it reads the value from before the loop."""
