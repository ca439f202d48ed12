"""Values, their ranks and broadcasting: what every whole-array operation rests on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from collections.abc import Sequence as Seq

from auditor.assumed import has_axes
from auditor.lift.facts import Facts, Ground, Refine
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Const,
    Index,
    Library,
    Order,
    Read,
    Reduce,
    Sources,
    Span,
    Symbol,
    Term,
    Trace,
    Value,
    children,
    walk,
)


class Unsupported(Exception):
    """The operation has no notation here; the message says why."""


def placed(span: Span) -> str:
    """The name of an expression, as an owner of its shape."""
    return f"expression at {span.line}:{span.column}-{span.end_line}:{span.end_column}"


def many(axes: int) -> str:
    """A number of axes in a sentence."""
    return "1 axis" if axes == 1 else f"{axes} axes"


def grounds_of(facts: Facts, value: Value) -> set[Ground]:
    """On what the axes of a value are assumed."""
    place = placed(value.span) if value.span is not None else None
    return {
        ground
        for subject, ground in facts.grounds.items()
        if subject in (value.name, value.owner, place)
        or (place is not None and subject.startswith(f"{place} ("))  # what was broadcast there
    }


def _as_many(value: Value) -> Value | None:
    """What ``value`` is computed of that has as many axes."""
    parts = (node.value for node in walk(value.body) if isinstance(node, Read))  # type: ignore[arg-type]
    return next((part for part in parts if len(part.axes) == len(value.axes)), None)


_LONGEST = 60
_NAMED = re.compile(r"[\w.]+|(?:eigen|singular )(?:values|vectors) of [\w.]+")
"""Values that have a name, or are a part of what a call gives."""
_QUOTED = re.compile(r"`[^`]+`")
"""What a call without notation gives, by its text."""
"""Longer texts are not put into a sentence."""


def _whole_reads(term: Term) -> Iterator[Value]:
    """What a term reads, through definitions and loops, but for what is reduced over all of its
    axes: of that there is one number whatever it holds."""
    seen: set[Term] = set()
    stack = [term]
    while stack:
        node = stack.pop()
        if node in seen or (isinstance(node, (Reduce, Order)) and node.index.group):
            continue
        seen.add(node)
        stack.extend(children(node))
        if isinstance(node, Read):
            yield node.value
            stack.append(node.value.body or ONE)
        elif isinstance(node, Trace):
            stack.extend(term for c in node.scan.carries for term in (c.init, c.update))


class Ranks:
    """Making and aligning values under the facts known so far. ``place`` names the expression
    being lifted: it owns what cannot be attributed to an operand. ``broadcasts`` are the axes that
    met in each shape of unknown rank."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.place: str | None = ""
        self.broadcasts: dict[str, tuple[tuple[Index, ...], ...]] = {}
        self.span: Span | None = None
        self.text_of: Callable[[Span], str] = lambda _: ""

    def called(self, value: Value) -> str:
        """A value in a sentence: by its name if the code gives it one, else by the text that
        computes it, or by its place."""
        if _QUOTED.fullmatch(value.name):
            return value.name
        if value.span is None or _NAMED.fullmatch(value.name):
            return f"`{value.name}`"
        text = " ".join(self.text_of(value.span).split())
        return f"`{text}`" if 0 < len(text) <= _LONGEST else f"what line {value.span.line} computes"

    def located(self) -> str:
        """The name of the expression being lifted."""
        if self.place is None and self.span is not None:
            return placed(self.span)
        return self.place or ""

    # -- making values

    def make(
        self,
        axes: Seq[Index],
        body: Term,
        dtype: str | None = None,
        library: Library | None = None,
    ) -> Value:
        """A value of a term. Raises ``Unsupported`` where two of its axes stand for any number."""
        if sum(axis.group for axis in axes) > 1:
            raise Unsupported("axes of unknown number in two places")
        return Value(None, tuple(axes), body, dtype, "derived", library, self.span)

    def number(self, value: int | float | complex | bool) -> Value:
        return Value(str(value), (), Const(value), type(value).__name__, "derived", "python")

    def scalar(self, term: Term, dtype: str | None = "int") -> Value:
        return Value(str(term), (), term, dtype, "derived", "python", self.span)

    def leaf(
        self, name: str, owner: str, kind: str, dtype: str | None = None, imaginary: bool = False,
        given: Sources | None = None,
    ) -> Value:  # fmt: skip
        known = self.facts.of(owner)
        axes = self.facts.axes(owner, name)
        library = known.library
        if known.integer:
            dtype, library = "int", "python"
        return Value(
            name, axes, None, dtype, kind, library, self.span,  # type: ignore[arg-type]
            owner=owner, made_complex=imaginary, given=given,
        )  # fmt: skip

    def state(self, name: str, like: Value) -> Value:
        """A carried value of the shape of ``like``, without a definition."""
        axes = self.fresh(like.axes)
        return Value(
            name, axes, None, like.dtype, "state", like.library,
            start=like, made_complex=like.imaginary,
        )  # fmt: skip

    def fresh(self, axes: Seq[Index]) -> tuple[Index, ...]:
        return tuple(Index(axis.name, self.facts.extent(axis.extent), axis.group) for axis in axes)

    # -- ranks

    def group_of(self, value: Value) -> int | None:
        """The position of the group among the axes, or None when the rank is known."""
        for position, axis in enumerate(value.axes):
            if axis.group:
                return position
        return None

    def _owner(self, axis: Index) -> str:
        return str(axis.extent).removesuffix(".shape[...]")

    def owner_of(self, value: Value) -> str:
        """Whose number of axes a value of unknown rank has."""
        return next(self._owner(axis) for axis in value.axes if axis.group)

    def need_tail(self, value: Value, count: int) -> None:
        """Require ``count`` axes after the group."""
        at = self.group_of(value)
        if at is None:
            self._need_known(value, count)
            return
        have = len(value.axes) - at - 1
        if have < count:
            owner = self._owner(value.axes[at])
            raise Refine(owner, "tail", self.facts.of(owner).tail + count - have)

    def need_lead(self, value: Value, count: int, by: str = "lead") -> None:
        """Require ``count`` axes before the group."""
        at = self.group_of(value)
        if at is None:
            self._need_known(value, count)
            return
        owner = self._owner(value.axes[at])
        known = self.facts.of(owner)
        behind = len(value.axes) - at - 1
        if at < count and by == "dim" and behind > known.tail:
            # A dimension number counts the last axes, which come from elsewhere, as well; nobody
            # sums up what was made of a single number.
            alone = behind == 1 and not (known.first or known.tail)
            rank = max(count, at + behind + alone)
            called = self.called(value)
            if rank == 2:  # of matrices or of batches of them: both are common
                self.facts.numbered[owner] = f"{called} has more than 2 axes"
            self.need_rank(value, rank, f"{called} has {many(rank)}, as its uses say", "uses")
        if at < count and by == "dim" and behind < known.tail and value.body is not None:
            # The last axes were summed up: they are none of those that are counted.
            rank, called = max(count, at + behind), self.called(value)
            self.need_rank(value, rank, f"{called} has {many(rank)}, as its uses say", "uses")
        if at < count:
            raise Refine(owner, by, known.first + count - at)
        if by == "lead" and count and not known.sliced:
            raise Refine(owner, "sliced", known.lead)

    def _need_known(self, value: Value, count: int) -> None:
        """Require ``count`` axes of a value that is known to have so many, or was made of an array
        that was taken to have fewer than it has, as subscripted."""
        missing = count - len(value.axes)
        if missing <= 0:
            return
        for leaf in _whole_reads(value.body or ONE):
            if leaf.body is None and self.facts.grounds.get(leaf.name) == "subscript":
                rank = len(leaf.axes) + missing
                self.facts.guessed.add(leaf.name)
                said = f"{self.called(leaf)} has {many(rank)}, as its uses say"
                raise Refine(leaf.name, "recount", rank, said)
        raise Unsupported(f"{has_axes(value.name, len(value.axes))}, and {count} are needed")

    def need_rank(
        self, value: Value, rank: int, why: str | None = None, ground: Ground = "operation"
    ) -> None:
        """Require exactly ``rank`` axes; ``why`` and on what ``ground``, where that is assumed."""
        at = self.group_of(value)
        if at is None:
            if len(value.axes) != rank:
                raise Unsupported(f"`{value.name}` has {len(value.axes)} axes, not {rank}")
            return
        owner = self._owner(value.axes[at])
        known = self.facts.of(owner)
        size = rank - (len(value.axes) - 1)
        if size < 0:
            raise Unsupported(f"`{value.name}` has more than {rank} axes")
        if why is not None:
            if self.facts.grounds.get(owner) in ("product", "least"):  # which say less
                del self.facts.assumptions[owner]
            few = ground == "operation" and rank <= 1
            self.facts.assume(owner, why, "single" if few else ground)
        raise Refine(owner, "rank", known.first + known.tail + size)

    def recount(self, value: Value, rank: int, met: bool = False, why: str | None = None) -> None:
        """Start again where ``value`` certainly has ``rank`` axes and what it is a part of was only
        taken to have so many that it has another number of them. With ``met`` that is assumed
        where dimension numbers alone told of its axes, or where its first and its last ones, which
        may be the same, were added up: it meets what has so many. With ``why`` it is assumed, on
        that ground."""
        whole, taken = value, 0
        while True:
            if isinstance(whole.body, Read):
                inner = whole.body.value
            elif met and whole.body is not None and (same := _as_many(whole)) is not None:
                inner = same
            else:
                break
            taken += len(inner.axes) - len(whole.axes)
            whole = inner
        known = self.facts.of(whole.name)
        fewer = rank < len(value.axes) and max(known.lead, known.tail) <= rank + taken
        more = rank > len(value.axes) and known.lead and known.tail
        if met and not known.by_dim and not fewer and not more:
            return
        if not met and self.facts.grounds.get(whole.name) == "subscript":
            self.facts.guessed.add(whole.name)
        if whole.body is None and whole.name in self.facts.guessed:
            axes = rank + taken
            why = why or ("as many as what it meets" if met else None)
            said = None if why is None else f"{self.called(whole)} has {many(axes)}, {why}"
            raise Refine(whole.name, "recount", axes, said)

    def must_be_row(self, value: Value) -> None:
        """Note that what is reduced as a whole is a row, where only loops that walk the array say
        that it is a number."""
        whole = value
        while isinstance(whole.body, Read):
            whole = whole.body.value
        if not value.axes and whole.name in self.facts.walked - self.facts.rows:
            raise Refine(whole.name, "rows", len(whole.axes))

    def must_be_array(self, value: Value) -> None:
        """Note that a value of unknown rank is no number: its shape is taken."""
        at = self.group_of(value)
        if at is not None:
            self.facts.arrays.add(self._owner(value.axes[at]))

    def must_be_subscripted(self, value: Value) -> None:
        """Note that a value of unknown rank is certainly an array."""
        at = self.group_of(value)
        if at is not None:
            owner = self._owner(value.axes[at])
            if not self.facts.of(owner).sliced:
                raise Refine(owner, "sliced", 0)

    def need_integer(self, value: Value) -> None:
        """Require an integer scalar, which a size, a bound or a subscript is."""
        at = self.group_of(value)
        if at is not None and value.body is not None:
            # Only numbers broadcast to a number.
            for node in walk(value.body):
                if isinstance(node, Read) and self.group_of(node.value) is not None:
                    self.need_integer(node.value)
        if at is not None and len(value.axes) == 1:
            owner = self._owner(value.axes[at])
            if not self.facts.of(owner).first and not self.facts.of(owner).tail:
                raise Refine(owner, "integer", 0)
        if value.axes:
            raise Unsupported(f"`{value.name}` is no integer")
        leaf = value.body is None and value.dtype is None and value.owner is not None
        if leaf and value.kind != "state" and not self.facts.of(str(value.owner)).integer:
            raise Refine(str(value.owner), "integer", 0)

    def need_number(self, value: Value, why: str, items: bool = False) -> None:
        """Take a value of unknown rank for a number; ``why`` says what suggests it. With ``items``
        only what comes out of another value by a subscript or an iteration."""
        read = [value] if value.body is None else []
        read += _whole_reads(value.body or ONE)
        for leaf in read:
            at = self.group_of(leaf)
            if leaf.body is not None or at is None:
                continue
            owner = self._owner(leaf.axes[at])
            known, rank = self.facts.of(owner), len(leaf.axes) - 1
            if leaf.kind == "state" and not rank:
                rank = known.first + known.tail
            if known.rank is None and known.first + known.tail == rank and rank >= items:
                said = self.called(leaf) if owner.startswith("expression at") else f"`{owner}`"
                self.facts.assume(owner, f"{said} holds numbers, {why}")
                raise Refine(owner, "rank", rank)

    def extent_at(self, value: Value, dim: int) -> Term:
        """``value.shape[dim]``."""
        at = self.group_of(value)
        if at == 0 == dim and isinstance(value.body, Order) and len(value.axes) == 2:
            # Of an order along the last axis it is asked how many places there are.
            self.facts.guessed.add(self.owner_of(value))
            self.need_rank(value, 1, f"{self.called(value)} has 1 axis, as ordered", "subscript")
        if at is not None and dim >= at and value.body is None:
            owner = self._owner(value.axes[at])
            if self.facts.of(owner).tail:
                return self.facts.extent(Symbol(f"{value.name}.shape[{dim}]"))
            self.need_lead(value, dim + 1, by="size")
        if at is None and value.body is None and self.facts.takes_too_few(value.name, dim + 1):
            raise Refine(value.name, "size", dim + 1)
        return self.facts.extent(value.axes[self.axis(value, dim)].extent)

    def axis(self, value: Value, dim: int) -> int:
        """The position of dimension ``dim`` among the axes."""
        if dim < 0:
            self.need_tail(value, -dim)
            return len(value.axes) + dim
        self.need_lead(value, dim + 1, by="dim")
        return dim

    def positions(self, value: Value, dims: Seq[int]) -> list[int]:
        """The positions of several dimensions; what all of them need is asked for at once."""
        self.need_tail(value, max((-dim for dim in dims), default=0))
        self.need_lead(value, max((dim + 1 for dim in dims), default=0), by="dim")
        return [self.axis(value, dim) for dim in dims]

    # -- broadcasting

    def align(self, values: Seq[Value]) -> tuple[tuple[Index, ...], list[Term]]:
        """The axes of the broadcast result and each operand's element at them."""
        rows = [value.axes for value in values]
        tensors = [row for row in rows if row]
        if not tensors:
            return (), [self.element(value, ()) for value in values]
        if any(axis.group for row in tensors for axis in row):
            return self._align_groups(values)
        rank = max(map(len, tensors))
        carried = any(value.kind == "state" and len(value.axes) == rank for value in values)
        for value in values:
            if 2 < len(value.axes) < rank:
                # Arrays of three axes are not often broadcast in front.
                self.recount(value, rank, met=True)
            elif len(value.axes) < rank and carried:
                self.recount(value, rank, met=True)  # a state is mostly as wide as what it takes in
        axes = tuple(
            self._join([row[p - rank] for row in tensors if len(row) >= rank - p])
            for p in range(rank)
        )
        return axes, [self._read_right(value, axes) for value in values]

    def _join(self, parts: Seq[Index]) -> Index:
        """One result axis from the operands' axes that meet in it."""
        best = parts[0]
        for part in parts[1:]:
            left, right = self.facts.extent(best.extent), self.facts.extent(part.extent)
            if left is right or right is ONE:
                continue
            if left is ONE:
                best = part
            elif isinstance(left, (Symbol, Read)) or isinstance(right, (Symbol, Read)):
                self.facts.unify(left, right, broadcast=True)
        return Index(best.name, self.facts.extent(best.extent), best.group)

    def _read_right(self, value: Value, axes: Seq[Index]) -> Term:
        """The element of ``value`` under right-aligned ``axes`` of known rank."""
        mine = value.axes
        theirs = axes[len(axes) - len(mine) :]
        subs: list[Term] = []
        for own, axis in zip(mine, theirs, strict=True):
            one = self.facts.extent(own.extent) is ONE
            subs.append(ZERO if one and axis.extent is not ONE else axis)
        return self.element(value, subs)

    def _need_known_ranks(self, values: Seq[Value]) -> None:
        """What has axes of unknown number has as many as what it meets, where its code says so."""
        exact = [value for value in values if self.group_of(value) is None]
        known_rank = max((len(value.axes) for value in exact), default=0)
        ones = max(
            (len(value.axes) - p for value in exact for p, axis in enumerate(value.axes)
             if self.facts.extent(axis.extent) is ONE),
            default=0,
        )  # fmt: skip
        for value in values:
            at = self.group_of(value)
            have = _informed(value)
            if at is None or not have or have > known_rank:
                continue
            if at == 0 and self._widened(value) and have < known_rank:
                # An axis was added at the end so that the others stand before what it meets.
                owner = self._owner(value.axes[at])
                said = f"{self.called(value)} has at least {known_rank} axes"
                self.facts.assume(owner, said, "least")
                known = self.facts.of(owner)
                if self.span is not None and not (known.first or known.sliced):
                    self.facts.columns.setdefault(owner, self.span)
                self.need_tail(value, known_rank)
            known = self.facts.of(self._owner(value.axes[at]))
            rank, why = known_rank, "as many as what it meets"
            ground: Ground = "meeting" if rank > 1 else "vector"
            counted = known.counted and known.size == have
            if counted and not known.sliced and at == have == known.first:
                rank, why, ground = have, "as the sizes read from it say", "sizes"
            elif not (known.sliced or known.counted or ones > have or self._enclosed(value)):
                # It may have fewer axes than what it meets: read broadcast.
                continue
            last = self.facts.extent(value.axes[at - 1].extent) if at else None
            if last is ONE and rank > have and known.first == at - 1 == 1:
                # `u[:, None]`: a column, or rows with an axis put in
                self.facts.fewest[self._owner(value.axes[at])] = known.first + known.tail
            self.need_rank(value, rank, f"{self.called(value)} has {many(rank)}, {why}", ground)

    def _align_groups(self, values: Seq[Value]) -> tuple[tuple[Index, ...], list[Term]]:
        self._need_known_ranks(values)
        arrays = [value for value in values if value.axes]
        # What has axes of unknown number as well has at least as many as what has none; what was
        # taken to have those of what it meets has them here as well, and so has what is put back
        # to where it was read.
        best = max(
            arrays,
            key=lambda v: (
                _informed(v), self._sliced(v), self.group_of(v) is not None,
                _is_put_back(v), self._covers(v, arrays),
            ),
        )  # fmt: skip
        if not _informed(best) and not self._sliced(best):
            met = {value.axes[0].extent for value in values if value.axes}
            # Broadcasting twice against the same shape is broadcasting once.
            shapes = met - {part for shape in met for part in self._broadcast_from(shape)}
            if len(shapes) == 1 < len(met):
                widest = next(v for v in arrays if v.axes[0].extent in shapes)
                axes = self.fresh(widest.axes)
                return axes, [self._element_aligned(value, axes) for value in values]
            if len(shapes) > 1:
                owner = self._broadcast_owner(values, shapes)
                axes = self.facts.axes(owner, owner)
                return axes, [self._element_aligned(value, axes) for value in values]
        self._assume_widest(best, arrays)
        if best.kind == "attribute" and self.group_of(best) is None:
            for value in arrays:
                if value.kind == "input" and not _informed(value):
                    self.facts.beside.setdefault(self._owner(value.axes[0]), len(best.axes))
        same = [value for value in values if self._fits(value, best)]
        at = self.group_of(best)
        tails = [
            value.axes if value in same or self._meets(value, best) else self._tail(value)
            for value in values
        ]
        axes = tuple(
            axis
            if position == at
            else self._join([
                tail[position - len(best.axes)] for tail in tails
                if len(tail) >= len(best.axes) - position
                and (at is None or position > at or any(a.group for a in tail))
                and not tail[position - len(best.axes)].group
            ])
            for position, axis in enumerate(self.fresh(best.axes))
        )  # fmt: skip
        fits = set(same)
        for value in values:
            if value.axes and value not in fits:
                self._need_beyond_ones(value, best)
        return axes, [
            self._read_right(value, axes) if value in fits else self._element_aligned(value, axes)
            for value in values
        ]

    def _enclosed(self, value: Value) -> bool:
        """Whether axes of extent 1 were added on both sides of axes of unknown number: those in
        front are for nothing unless there are as many as in what it meets."""
        return self._widened(value) and not (value.axes[0].group or value.axes[-1].group)

    def _widened(self, value: Value) -> bool:
        """Whether axes of extent 1 were added behind axes of unknown number."""
        ones = [self.facts.extent(axis.extent) is ONE for axis in value.axes if not axis.group]
        return bool(ones) and all(ones)

    def _covers(self, value: Value, arrays: Seq[Value]) -> bool:
        """Whether what was computed of arrays was taken to have all the axes of these; what a loop
        carries has its own from the start."""
        at = self.group_of(value)
        if at is None or not isinstance(value.body, Apply):
            return False
        if any(one.kind == "state" for one in arrays):
            return False
        mine = value.axes[at].extent
        groups = [v.axes[p].extent for v in arrays if (p := self.group_of(v)) is not None]
        return all(one is mine or (mine, one) in self.facts.covered for one in groups)

    def _assume_widest(self, best: Value, arrays: Seq[Value]) -> None:
        """What most is known of is taken to have all the axes of what it meets."""
        at = self.group_of(best)
        if at is None:
            return
        mine = best.axes[at].extent
        for value in arrays:
            theirs = self.group_of(value)
            if theirs is not None and value.axes[theirs].extent is not mine:
                self.facts.covered.add((mine, value.axes[theirs].extent))
                if theirs == at and 1 < len(value.axes) == len(best.axes):
                    self._cover(mine, value.axes[theirs].extent)
                if _is_put_back(best):
                    continue  # else what is put there would not fit
                said = f"{self.called(best)} has the axes of what it meets"
                self.facts.assume(self._owner(best.axes[at]), said, "widest")

    def _cover(self, wide: Term, other: Term) -> None:
        """Note that axes of unknown number stand above others, which are alike where these were
        taken to have all of them in turn."""
        self.facts.above.add((wide, other))
        reached, more = set[Term](), {other}
        while more:
            reached |= more
            more = {to for of, to in self.facts.above if of in reached} - reached
        if wide in reached:
            self.facts.unify(wide, other, broadcast=True)

    def _broadcast_owner(self, values: Seq[Value], shapes: set[Term]) -> str:
        """The owner of the shape that these shapes broadcast to: the same for the same shapes."""
        text = ", ".join(sorted(str(shape).removesuffix(".shape[...]") for shape in shapes))
        if len(text) > 60:
            text = hashlib.sha1(text.encode()).hexdigest()[:12]
        owner = f"{self.located()} ({text})"
        self.broadcasts[owner] = tuple(value.axes for value in values if value.axes)
        return owner

    def _broadcast_from(self, shape: Term) -> set[Term]:
        """The shapes that met in ``shape``, at first or later."""
        found: set[Term] = set()
        stack = [shape]
        while stack:
            rows = self.broadcasts.get(str(stack.pop()).removesuffix(".shape[...]"), ())
            parts = {row[0].extent for row in rows if len(row) == 1 and row[0].group} - found
            found |= parts
            stack += parts
        return found - {shape}

    def _tail(self, value: Value) -> tuple[Index, ...]:
        """The axes that are certainly last."""
        at = self.group_of(value)
        return value.axes if at is None else value.axes[at + 1 :]

    def _need_beyond_ones(self, value: Value, best: Value) -> None:
        """A value of unknown rank that meets axes of extent 1 decides their extents."""
        if self.group_of(value) != 0:
            return
        at = self.group_of(best)
        tail = best.axes if at is None else best.axes[at + 1 :]
        ones = [len(tail) - p for p, axis in enumerate(tail)
                if self.facts.extent(axis.extent) is ONE]  # fmt: skip
        if ones and at is None and self._is_bare(value):
            self.facts.assume_narrow(self._owner(value.axes[0]), value.name)
        elif ones:
            self.need_tail(value, max(ones))

    def _is_bare(self, value: Value) -> bool:
        """A parameter that nothing says to be an array, or something made of such: most are
        numbers."""
        if not value.axes:
            return True
        if len(value.axes) > 1 or not value.axes[0].group:
            return False
        owner = self._owner(value.axes[0])
        if owner in self.facts.arrays:
            return False
        if value.body is not None:
            return all(self._is_bare(n.value) for n in walk(value.body) if isinstance(n, Read))
        known = self.facts.of(owner)
        return value.kind == "input" and not (
            known.sliced or known.first or known.tail or known.library
        )

    def _sliced(self, value: Value) -> bool:
        """A value of unknown rank that the code subscripts: certainly an array, where a bare
        parameter beside it may be a number."""
        at = self.group_of(value)
        return at is not None and self.facts.of(self._owner(value.axes[at])).sliced

    def _fits(self, value: Value, best: Value) -> bool:
        """Whether ``value`` reads plainly under the axes of ``best``, aligned from the right."""
        at, mine = self.group_of(best), self.group_of(value)
        if mine is None:
            tail = len(best.axes) if at is None else len(best.axes) - at - 1
            return len(value.axes) <= tail
        if at is None or mine > at or len(value.axes) - mine != len(best.axes) - at:
            return False
        return value.axes[mine].extent is best.axes[at].extent

    def _meets(self, value: Value, best: Value) -> bool:
        """Whether an array of unknown rank has its first axes where ``best`` has axes of extent 1,
        as `y[None, :]` beside `x[:, None]`: both then have equally many axes."""
        at = self.group_of(best)
        if not at or self.group_of(value) != at or len(value.axes) != len(best.axes):
            return False
        crossed = any(
            self.facts.extent(mine.extent) is ONE and self.facts.extent(theirs.extent) is not ONE
            for mine, theirs in zip(best.axes[:at], value.axes[:at], strict=True)
        )
        if crossed:
            owner = self._owner(best.axes[at])
            self.facts.assume(
                f"{owner} beside {value.name}",
                f"`{best.name}` and `{value.name}` have equally many axes",
            )
        return crossed

    def fitted(self, value: Value, place: Value) -> Term:
        """The element of ``value`` under the axes of ``place``, to which it broadcasts."""
        if self._fits(value, place):
            return self._read_right(value, place.axes)
        return self._element_aligned(value, place.axes)

    def _element_aligned(self, value: Value, axes: Seq[Index]) -> Term:
        return Read(value, tuple(axes), aligned=True) if value.axes else self.element(value, ())

    def element(self, value: Value, subs: Seq[Term]) -> Term:
        """The element of ``value`` at ``subs``. Scalars that are constants are themselves."""
        if not value.axes and isinstance(value.body, (Const, Symbol, Index)):
            return value.body
        if not value.axes and value.dtype == "int" and value.body is not None:
            return value.body
        if len(subs) != len(value.axes):
            raise Unsupported(f"`{value.name}` has {len(value.axes)} axes, not {len(subs)}")
        return Read(value, tuple(subs))


def _is_put_back(value: Value) -> bool:
    """Whether a loop carries a value in an array, one place after the other."""
    return value.kind == "state" and "[previous" in value.name


def _informed(value: Value) -> int:
    """How many axes of a value are told apart."""
    return sum(not axis.group for axis in value.axes)
