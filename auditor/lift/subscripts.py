"""Views and subscripts: arithmetic on indices."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from auditor.lift import extents
from auditor.lift.facts import TAKEN_RANK
from auditor.lift.objects import Selected
from auditor.lift.ranks import Ranks, Unsupported, grounds_of, many
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Const,
    Index,
    Order,
    Read,
    Term,
    Value,
    definition,
    walk,
)

PLACED = "placed"
"""What was written into one cell of every row, at places that have to be within range."""


class Walked(tuple[None, None, None]):
    """All places of an axis, which a loop walks: unlike a slice that is written, no word for an
    axis."""


WALKED = Walked((None, None, None))


class Subscripts(Ranks):
    """Reshaping and subscripting a value."""

    def view(self, value: Value, sizes: Seq[Term]) -> Value:
        """Reshape in row-major order; one size may be -1."""
        if self.group_of(value) is not None:
            return self._view_group(value, sizes)
        old = [self.facts.extent(axis.extent) for axis in value.axes]
        return self._view_known(value, old, list(sizes), 0, 0)

    def _view_group(self, value: Value, sizes: Seq[Term]) -> Value:
        """A reshape that states every size says how many elements there are, not how many axes:
        what was viewed is taken to keep its leading axes and to split or merge the last."""
        rank = len(sizes)
        if rank == 0:  # a single element is left, and may have had any number of axes
            called = self.called(value)
            raise Unsupported(f"the one element of {called}, which may have any number of axes")
        if self._rows_of(value, sizes):
            raise Unsupported(f"the rows of `{value.name}`, which has an unknown number of axes")
        # x.view(B, T, H, D): the common form splits the last axis of a value with one axis less;
        # x.view(B, T, H * D) merges the last two of one with one axis more.
        merges = isinstance(sizes[-1], Apply) and sizes[-1].op == "mul" if sizes else False
        wanted = max(len(value.axes), rank + 1 if merges else rank - 1)
        ones = sum(self.facts.extent(size) is ONE for size in sizes)
        if ones and not merges:  # x.amax(1).reshape(-1, 1): axes put in beside those that are there
            wanted = max(len(value.axes) - 1, rank - ones, 1)
        axes = "axis" if wanted == 1 else "axes"
        said = f"{self.called(value)} has {wanted} {axes}, as its reshape suggests"
        self.need_rank(value, wanted, said, "reshape")
        raise AssertionError("need_rank refines a value of unknown rank")

    def _rows_of(self, value: Value, sizes: Seq[Term]) -> bool:
        """Whether a reshape keeps the last axes and makes one of all before them, however many
        these are: ``x.reshape(-1, x.shape[-1])``."""
        behind, stated = value.axes[1:], [self.facts.extent(size) for size in sizes]
        return (
            value.axes[0].group
            and len(behind) > 0
            and extents.constant(stated[0]) == -1
            and stated[1:] == [self.facts.extent(axis.extent) for axis in behind]
        )

    def _view_known(
        self, value: Value, old: list[Term], new: list[Term], lead: int, tail: int
    ) -> Value:
        minus = [p for p, size in enumerate(new) if extents.constant(size) == -1]
        if len(minus) > 1:
            raise Unsupported("a reshape with two sizes of -1")
        if minus:
            new[minus[0]] = self._missing(old, new, minus[0])
        if len(new) == len(old) and self._guessed(value):
            # Nobody asks for the shape that is there: it has more axes than was taken.
            raise Unsupported(f"`{value.name}` is reshaped and has an unknown number of axes")
        new = [self.facts.extent(size) for size in new]
        axes = tuple(Index("abcdefgh"[p % 8], size) for p, size in enumerate(new))
        first = 0
        while first < min(len(old), len(new)) and old[first] is new[first]:
            first += 1
        last = 0
        while last < min(len(old), len(new)) - first and old[-1 - last] is new[-1 - last]:
            last += 1
        inner_old, inner_new = old[first : len(old) - last], axes[first : len(axes) - last]
        if len(inner_old) == len(inner_new) == 1:
            self.facts.unify(inner_old[0], inner_new[0].extent)
            middle: list[Term] = list(inner_new)
        else:
            middle = _unravel(ravelled(inner_new), inner_old)
        subs = [*axes[:first], *middle, *axes[len(axes) - last :]]
        return self.make(axes, self.element(value, subs), value.dtype, value.library)

    def _guessed(self, value: Value) -> bool:
        """Whether how many axes a value has was only taken from what is done with it."""
        return not TAKEN_RANK.isdisjoint(grounds_of(self.facts, value))

    def _missing(self, old: Seq[Term], new: Seq[Term], at: int) -> Term:
        """The size that -1 stands for."""
        left, right = list(old), [size for p, size in enumerate(new) if p != at]
        for size in list(right):
            canon = self.facts.extent(size)
            if canon in left:
                left.remove(canon)
                right.remove(size)
        total, known = extents.mul(ONE, *left), extents.mul(ONE, *right)
        return extents.floordiv(total, known) if right else total

    # -- subscripts

    def subscript(self, value: Value, items: Seq[object]) -> Value:
        """``value[items]``: each item is an int scalar Value, a ``(start, stop, step)`` tuple of
        optional Terms, None (a new axis), Ellipsis, or an index-array Value."""
        takes = sum(item is not None and item is not Ellipsis for item in items)
        dots = [p for p, item in enumerate(items) if item is Ellipsis]
        if dots:
            before = sum(item is not None for item in items[: dots[0]])
            if before:
                self.need_lead(value, before)
            if takes - before:
                self.need_tail(value, takes - before)
                self.must_be_subscripted(value)
        else:
            named = self.group_of(value) is not None and takes > 1
            # Nobody writes a last `:` that could be left out, except to name all axes, nor several
            # new axes in front of others.
            several = self.group_of(value) is not None and takes == 1
            several = several and len(items) > 2 and items[1:] == [None] * (len(items) - 1)
            if named and items[-1] is None and value.body is None:
                # not where a size of an axis behind the new one is read
                named = self.facts.of(self.owner_of(value)).size <= takes
            whole = bool(items) and items[-1] == (None, None, None)
            if named and isinstance(items[-1], Walked):
                owner = self.owner_of(value)
                whole = owner not in self.facts.rows
                self.facts.walked.add(owner)
            if several or (named and (whole or items[-1] is None)):
                if items[-1] is None and items[-2] != (None, None, None):
                    self.facts.guessed.add(self.owner_of(value))
                said = f"{self.called(value)} has {many(takes)}, as subscripted"
                self.need_rank(value, takes, said, "subscript")
            behind = len(value.axes) - 1
            single = all(isinstance(item, Value) for item in items)
            made = value.body is not None and named and single and behind <= takes
            made = made or (value.made is not None and behind == takes)
            # Of an order along the last axis places of that are read, not whole rows.
            made = made or (isinstance(value.body, Order) and behind == takes == 1)
            if made and value.axes[0].group and behind > 0:
                # No fewer places than last axes that a result has: the last of them are of those.
                said = f"{self.called(value)} has {many(takes)}, as subscripted"
                self.facts.guessed.add(self.owner_of(value))
                self.need_rank(value, takes, said, "subscript")
            self.need_lead(value, takes)
        source = list(self.fresh(value.axes))
        subs: list[Term] = list(source)
        result: list[Index] = []
        position = 0
        arrays: list[tuple[int, Value]] = []
        numbers: list[tuple[int, int]] = []
        slots: list[int] = []
        for place, item in enumerate(items):
            if item is None:
                result.append(Index("u", ONE))
                continue
            if item is Ellipsis:
                skip = len(source) - takes
                result.extend(source[position : position + skip])
                position += skip
                continue
            if isinstance(item, tuple):
                axis, sub = self._slice(value, source[position], item)
                result.append(axis)
                subs[position] = sub
            else:
                assert isinstance(item, Value)
                if item.axes:
                    self._need_integers(item)
                    arrays.append((position, item))
                    slots.append(place)
                else:
                    subs[position] = self.wrap(item, source[position])
                    numbers.append((place, len(result)))
                if len(arrays) == 1 and item.axes:
                    first = len(result)
            position += 1
        result.extend(source[position:])
        if arrays:
            axes, elements = self.align([item for _, item in arrays])
            for (where, _), element in zip(arrays, elements, strict=True):
                subs[where] = self._wrap_term(element, source[where], certain=False)
            at = self._array_place(value, slots, numbers, first)
            result[at:at] = axes
        return self.make(result, self.element(value, subs), value.dtype, value.library)

    def _need_integers(self, item: Value) -> None:
        """An array subscript must hold integers: a mask selects a number of elements that depends
        on the data."""
        words = item.name.lower()
        if item.dtype == "bool" or (
            item.dtype is None and any(word in words for word in ("mask", "valid", "keep"))
        ):
            raise Unsupported("selection by a boolean mask has a data-dependent size")
        if item.dtype is None:
            self.facts.assume(item.name, f"`{item.name}` holds integers, as a subscript")

    def _array_place(
        self, value: Value, slots: list[int], numbers: list[tuple[int, int]], first: int
    ) -> int:
        """Where the axes of subscript arrays go: to the front when the arrays are not adjacent.
        NumPy counts plain integers among them, torch does not."""
        together = slots[-1] - slots[0] == len(slots) - 1
        every = sorted([*slots, *(place for place, _ in numbers)])
        with_numbers = every[-1] - every[0] == len(every) - 1
        if not numbers or together == with_numbers:
            return first if together else 0
        if value.library == "torch":
            return first if together else 0
        if value.library == "numpy":
            return first if with_numbers else 0
        raise Unsupported("integers and arrays mixed in a subscript of an unknown library")

    def wrap(self, item: Value, axis: Index) -> Term:
        """An integer subscript; a negative one counts from the end."""
        return self._wrap_term(self.element(item, ()), axis, certain=True)

    def _wrap_term(self, term: Term, axis: Index, certain: bool) -> Term:
        if extents.is_negative(term):
            return extents.add(axis.extent, term)
        if not certain:
            return term
        if extents.may_be_negative(term):
            return extents.mod(term, axis.extent)
        least = extents.lowest(term)
        doubtful = extents.ends_below_a_size(least) or any(
            isinstance(part, Read) for part in walk(term)
        )
        if doubtful and not extents.counts_up_to_a_size(term):
            # said without the step, which the code may have no name for
            shown = term if extents.constant(least) is not None else least
            said = str(shown).replace(" + -", " - ")
            self.facts.assume(f"sign of {said}", f"`{said}` is not negative, as a subscript")
        return term

    def _slice(
        self, value: Value, axis: Index, item: tuple[Term | None, Term | None, Term | None]
    ) -> tuple[Index, Term]:
        start, stop, step = item
        n = self.facts.extent(axis.extent)
        stride = 1 if step is None else extents.constant(step)
        if stride is None or stride == 0:
            raise Unsupported("a slice with an unknown step")
        if stride == 1 and start is None and stop is None:
            return axis, axis
        if axis.group:
            raise Unsupported("a slice of an axis of unknown place")
        if stride < 0:
            if start is None and stop is None and stride == -1:
                new = Index(axis.name, n)
                return new, extents.sub(extents.sub(n, ONE), new)
            raise Unsupported("a slice with a negative step")
        low = ZERO if start is None else self._bound(value, start, n)
        high = n if stop is None else self._bound(value, stop, n)
        length = extents.sub(high, low)
        if stride != 1:
            length = extents.floordiv(extents.add(length, Const(stride - 1)), Const(stride))
        if extents.is_negative(length):
            length = ZERO
        new = Index(axis.name, self.facts.extent(length))
        return new, extents.add(low, extents.mul(Const(stride), new))

    def _bound(self, value: Value, bound: Term, n: Term) -> Term:
        """A slice's bound as a place in ``0 .. n``."""
        bound = self.facts.extent(bound)
        if bound is n:
            return n
        if extents.is_negative(bound):
            place = extents.add(n, bound)
            if extents.is_negative(place):
                return ZERO
            self._enough(value, extents.neg(bound), n)
            return place
        if extents.may_be_negative(bound):
            raise Unsupported("a slice with a bound that may be negative")
        beyond = extents.sub(extents.highest(bound), n)
        number = extents.constant(beyond)
        if number is not None and number > 0:
            if extents.constant(extents.sub(bound, n)) is not None:
                return n
            return Apply("min", (bound, n))
        if number is None:
            self._enough(value, bound, n)
            if any(isinstance(part, Read) for part in walk(bound)):
                said = f"`{bound}` is not negative, where a slice ends or begins"
                self.facts.assume(f"sign of {bound}", said, "slice")
        return bound

    def _enough(self, value: Value, count: Term, n: Term) -> None:
        """A slice is taken to stay within its array; where both sizes are known, it does."""
        if extents.constant(extents.sub(extents.highest(count), n)) is None:
            elements = "1 element" if count is ONE else f"{count} elements"
            said = f"the sliced axis of {self.called(value)} has at least {elements}"
            self.facts.assume(f"{value.name}[:{count}]", said, "slice")

    def replaced(self, value: Value, items: Seq[object], new: Value | Selected) -> Value:
        """``value`` after ``value[items] = new``."""
        if items and is_mask(items[-1]):
            return self._masked(value, items, new)
        if isinstance(new, Selected):
            raise Unsupported("a write at places that depend on the data")
        if self.group_of(value) is not None or self.group_of(new) is not None:
            raise Unsupported("a write into an array of unknown rank")
        self.subscript(value, items)
        takes = sum(item is not None and item is not Ellipsis for item in items)
        axes = self.fresh(value.axes)
        inside: list[Term] = []
        kept: list[Term] = []
        paired: list[tuple[Index, Value]] = []
        slots: list[tuple[int, int]] = []
        position = 0
        for item in items:
            if item is Ellipsis:
                skip = len(axes) - takes
                kept.extend(axes[position : position + skip])
                position += skip
                continue
            axis = axes[position]
            position += 1
            if item == (None, None, None):
                kept.append(axis)
            elif isinstance(item, tuple):
                kept.append(self._inside(value, axis, item, inside))
            elif isinstance(item, Value) and item.kind == "opaque":
                raise Unsupported("a write at places that a call gives")
            elif isinstance(item, Value) and not item.axes:
                inside.append(Apply("eq", (axis, self.wrap(item, axis))))
            elif isinstance(item, Value):
                paired.append((axis, item))
                slots.append((len(kept), len(inside)))
            else:
                raise Unsupported("a write at places that depend on the data")
        if paired:
            walked, condition = self._one_each(paired)
            if len(set(slots)) > 1:
                raise Unsupported("a write at places that are not side by side")
            kept.insert(slots[0][0], walked)
            inside.append(condition)
        kept.extend(axes[position:])
        if len(new.axes) > len(kept):
            raise Unsupported("a write of a value with more axes")
        own = kept[len(kept) - len(new.axes) :]
        subs = [
            ZERO if self.facts.extent(axis.extent) is ONE else sub
            for axis, sub in zip(new.axes, own, strict=True)
        ]
        body = self.element(new, subs)
        if value.dtype is not None and new.dtype != value.dtype and value.library != "python":
            body = Apply(f"cast:{value.dtype}", (body,))
        old = self.element(value, axes)
        for condition in reversed(inside):
            body = Apply("where", (condition, body, old))
        made = self.make(axes, body, value.dtype, value.library)
        return replace(made, made=(PLACED, paired[0][1])) if paired else made

    def _masked(self, value: Value, items: Seq[object], given: Value | Selected) -> Value:
        """``value`` after ``value[:, ..., mask] = given``: a number, or what is computed of the
        items there, wherever the mask, as large as the axes that it stands for, is true."""
        mask, before = items[-1], items[:-1]
        assert isinstance(mask, Value)
        new = given.whole if isinstance(given, Selected) else given
        if (new.axes and new is given) or self.group_of(mask) is not None:
            raise Unsupported("a write of several values at places that depend on the data")
        if any(item is not Ellipsis and item != (None, None, None) for item in before):
            raise Unsupported("a write at places that depend on the data")
        if Ellipsis not in before:
            count = len(before) + len(mask.axes)
            said = f"{self.called(value)} has {many(count)}, as subscripted"
            self.need_rank(value, count, said, "subscript")
        self.need_tail(value, len(mask.axes))
        axes = self.fresh(value.axes)
        last = axes[len(axes) - len(mask.axes) :]
        for mine, other in zip(last, mask.axes, strict=True):
            self.facts.unify(mine.extent, other.extent)
        if new.axes and len(new.axes) != len(axes):
            raise Unsupported("a write of several values at places that depend on the data")
        body = self.element(new, axes if new.axes else ())
        if value.dtype is None and new.dtype != "int":  # whole numbers would cut it
            said = f"{self.called(value)} holds floating-point numbers"
            self.facts.assume(value.name, said)
        elif value.dtype is not None and new.dtype != value.dtype and value.library != "python":
            body = Apply(f"cast:{value.dtype}", (body,))
        chosen = Apply("where", (self.element(mask, last), body, self.element(value, axes)))
        return self.make(axes, chosen, value.dtype, value.library)

    def _one_each(self, paired: list[tuple[Index, Value]]) -> tuple[Index, Term]:
        """Of subscripts ``[arange(n), places]``: the axis whose places are all taken in turn, and
        the condition under which a cell beside it is written."""
        if len(paired) != 2 or any(len(item.axes) != 1 for _, item in paired):
            raise Unsupported("a write at places that depend on the data")
        for (axis, item), (other, places) in (paired, paired[::-1]):
            n = self.facts.extent(axis.extent)
            whole = all(self.facts.extent(each.axes[0].extent) is n for each in (item, places))
            taken = self.element(item, (axis,))
            own = definition(taken) if isinstance(taken, Read) else taken
            if whole and own is axis:
                self._need_integers(places)
                place = self._wrap_term(self.element(places, (axis,)), other, certain=True)
                return axis, Apply("eq", (other, place))
        raise Unsupported("a write at places that depend on the data")

    def _inside(
        self,
        value: Value,
        axis: Index,
        item: tuple[Term | None, Term | None, Term | None],
        inside: list[Term],
    ) -> Term:
        """The place in what is written for a place in the axis; adds when it is in range."""
        start, stop, step = item
        if step is not None and step is not ONE:
            raise Unsupported("a write with a step")
        n = self.facts.extent(axis.extent)
        low = ZERO if start is None else self._bound(value, start, n)
        high = n if stop is None else self._bound(value, stop, n)
        if low is not ZERO:
            inside.append(Apply("ge", (axis, low)))
        if high is not n:
            inside.append(Apply("lt", (axis, high)))
        return extents.sub(axis, low)


def ravelled(axes: Seq[Index]) -> Term:
    """The place among all elements of axes that are read as one."""
    total: Term = ZERO
    for axis in axes:
        total = extents.add(extents.mul(total, axis.extent), axis)
    return total


def _unravel(linear: Term, sizes: Seq[Term]) -> list[Term]:
    subs: list[Term] = []
    for position in reversed(range(len(sizes))):
        if position == 0:
            subs.append(linear)
        else:
            subs.append(extents.mod(linear, sizes[position]))
            linear = extents.floordiv(linear, sizes[position])
    return subs[::-1]


def is_mask(item: object) -> bool:
    """Whether an item of a subscript is an array of truth values."""
    return isinstance(item, Value) and bool(item.axes) and item.dtype == "bool"
