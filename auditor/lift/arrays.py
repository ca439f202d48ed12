"""Whole-array operations in index notation: what broadcasting, reductions, views, subscripts and
contractions mean, element by element. Every function takes and returns ``Value``s."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from auditor.lift import extents
from auditor.lift.facts import Facts, Refine
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
    Span,
    Symbol,
    Term,
    Value,
)

PYTHON_SCALARS = ("bool", "int", "float", "complex")


class Unsupported(Exception):
    """The operation has no notation here; the message says why."""


class Arrays:
    """Operations under the facts known so far. ``place`` names the expression being lifted: it
    owns what cannot be attributed to an operand."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.place: str | None = ""
        self.span: Span | None = None

    # -- making values

    def make(
        self,
        axes: Seq[Index],
        body: Term,
        dtype: str | None = None,
        library: Library | None = None,
    ) -> Value:
        return Value(str(body)[:60], tuple(axes), body, dtype, "derived", library, self.span)

    def number(self, value: int | float | complex | bool) -> Value:
        return Value(str(value), (), Const(value), type(value).__name__, "derived", "python")

    def scalar(self, term: Term, dtype: str | None = "int") -> Value:
        return Value(str(term), (), term, dtype, "derived", "python", self.span)

    def leaf(self, name: str, owner: str, kind: str, dtype: str | None = None) -> Value:
        known = self.facts.of(owner)
        axes = self.facts.axes(owner, name)
        library = known.library
        if known.integer:
            dtype, library = "int", "python"
        return Value(name, axes, None, dtype, kind, library, self.span)  # type: ignore[arg-type]

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

    def need_tail(self, value: Value, count: int) -> None:
        """Require ``count`` axes after the group."""
        at = self.group_of(value)
        if at is None:
            if len(value.axes) < count:
                raise Unsupported(f"`{value.name}` has {len(value.axes)} axes, {count} are needed")
            return
        have = len(value.axes) - at - 1
        if have < count:
            owner = self._owner(value.axes[at])
            raise Refine(owner, "tail", self.facts.of(owner).tail + count - have)

    def need_lead(self, value: Value, count: int, by: str = "lead") -> None:
        """Require ``count`` axes before the group."""
        at = self.group_of(value)
        if at is None:
            if len(value.axes) < count:
                raise Unsupported(f"`{value.name}` has {len(value.axes)} axes, {count} are needed")
            return
        owner = self._owner(value.axes[at])
        known = self.facts.of(owner)
        if at < count:
            raise Refine(owner, by, known.lead + count - at)
        if by == "lead" and count and not known.sliced:
            raise Refine(owner, "sliced", known.lead)

    def need_rank(self, value: Value, rank: int, why: str | None = None) -> None:
        """Require exactly ``rank`` axes; ``why`` when that is an assumption."""
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
            self.facts.assume(owner, why)
        raise Refine(owner, "rank", known.lead + known.tail + size)

    def must_be_array(self, value: Value) -> None:
        """Note that a value of unknown rank is no number: its shape is taken."""
        at = self.group_of(value)
        if at is not None:
            self.facts.arrays.add(self._owner(value.axes[at]))

    def need_integer(self, value: Value) -> None:
        """Require an integer scalar, which a size, a bound or a subscript is."""
        at = self.group_of(value)
        if at is not None and len(value.axes) == 1:
            owner = self._owner(value.axes[at])
            if not self.facts.of(owner).lead and not self.facts.of(owner).tail:
                raise Refine(owner, "integer", 0)
        if value.axes:
            raise Unsupported(f"`{value.name}` is no integer")

    def axis(self, value: Value, dim: int) -> int:
        """The position of dimension ``dim`` among the axes."""
        if dim < 0:
            self.need_tail(value, -dim)
            return len(value.axes) + dim
        self.need_lead(value, dim + 1, by="dim")
        return dim

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
                self.facts.unify(left, right)
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

    def _align_groups(self, values: Seq[Value]) -> tuple[tuple[Index, ...], list[Term]]:
        def informed(value: Value) -> int:
            return sum(not axis.group for axis in value.axes)

        exact = [value for value in values if self.group_of(value) is None]
        known_rank = max((len(value.axes) for value in exact), default=0)
        ones = max(
            (len(value.axes) - p for value in exact for p, axis in enumerate(value.axes)
             if self.facts.extent(axis.extent) is ONE),
            default=0,
        )  # fmt: skip
        for value in values:
            at = self.group_of(value)
            have = informed(value)
            if at is None or not have or have > known_rank:
                continue
            known = self.facts.of(self._owner(value.axes[at]))
            rank, why = known_rank, "as many as what it meets"
            if known.by_dim and not known.sliced and at == have:
                rank, why = have, "as the sizes read from it say"
                if have == known_rank:
                    continue
            elif known.by_dim and have == known_rank:
                continue
            elif not known.sliced and not known.by_dim and ones <= have:
                # It may have fewer axes than what it meets: read broadcast.
                continue
            self.need_rank(value, rank, f"`{value.name}` has {rank} axes, {why}")
        arrays = [value for value in values if value.axes]
        best = max(arrays, key=lambda value: (informed(value), self._sliced(value)))
        if not informed(best) and not self._sliced(best):
            shapes = {value.axes[0].extent for value in values if value.axes}
            if len(shapes) > 1:
                place = self.place
                if place is None and self.span is not None:
                    place = f"expression at {self.span.line}:{self.span.column}"
                place = place or ""
                axes = self.facts.axes(place, place)
                return axes, [self._element_aligned(value, axes) for value in values]
        same = [value for value in values if self._fits(value, best)]
        at = self.group_of(best)
        tails = [value.axes if value in same else self._tail(value) for value in values]
        axes = tuple(
            axis
            if position == at
            else self._join([
                tail[position - len(best.axes)] for tail in tails
                if len(tail) >= len(best.axes) - position
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
        if ones:
            self.need_tail(value, max(ones))

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
        if at is None or len(value.axes) != len(best.axes) or mine != at:
            return False
        return value.axes[mine].extent is best.axes[at].extent

    def _element_aligned(self, value: Value, axes: Seq[Index]) -> Term:
        return Read(value, tuple(axes), aligned=True) if value.axes else self.element(value, ())

    def element(self, value: Value, subs: Seq[Term]) -> Term:
        """The element of ``value`` at ``subs``. Scalars that are constants are themselves."""
        if not value.axes and isinstance(value.body, (Const, Symbol, Index)):
            return value.body
        if not value.axes and value.dtype == "int" and value.body is not None:
            return value.body
        return Read(value, tuple(subs))

    def pointwise(self, op: str, *values: Value, dtype: str | None = None) -> Value:
        """``op`` element by element, broadcast."""
        axes, elements = self.align(values)
        if not axes and op in ("add", "sub", "mul", "floordiv", "mod", "neg"):
            if all(value.dtype == "int" for value in values):
                return self.scalar(getattr(extents, op)(*elements))
            folded = _fold(op, elements)
            if folded is not None:
                return self.number(folded)
        body = Apply(op, tuple(elements))
        library = _library(values)
        if (
            library is None
            and axes
            and any(value.library is None and value.axes for value in values)
        ):
            library = None
        return self.make(axes, body, dtype or result_dtype(op, values), library)

    # -- reductions

    def reduce(self, op: str, value: Value, dims: Seq[int] | None, keepdim: bool = False) -> Value:
        """``op`` over the given dimensions (None: all)."""
        if dims is None:
            bound = list(range(len(value.axes)))
        else:
            bound = sorted({self.axis(value, dim) for dim in dims})
        axes = self.fresh(value.axes)
        body = self.element(value, axes)
        for position in reversed(bound):
            body = Reduce(op, axes[position], body)
        kept: list[Index] = []
        for position, axis in enumerate(axes):
            if position not in bound:
                kept.append(axis)
            elif keepdim:
                if axis.group:
                    raise Unsupported("keepdim over axes of unknown number")
                kept.append(Index(axis.name, ONE))
        dtype = {"argmax": "int64", "argmin": "int64", "any": "bool", "all": "bool"}.get(
            op, value.dtype
        )
        if op in ("sum", "prod") and value.dtype == "bool":
            dtype = "int64"
        return self.make(kept, body, dtype, value.library)

    def count(self, value: Value, dims: Seq[int] | None) -> Value:
        """How many elements a reduction over ``dims`` takes in."""
        axes = value.axes if dims is None else [value.axes[self.axis(value, dim)] for dim in dims]
        return self.scalar(extents.mul(ONE, *(self.facts.extent(axis.extent) for axis in axes)))

    # -- axes and views

    def permute(self, value: Value, order: Seq[int]) -> Value:
        axes = self.fresh(value.axes)
        body = self.element(value, axes)
        return self.make([axes[p] for p in order], body, value.dtype, value.library)

    def transpose(self, value: Value, first: int, second: int) -> Value:
        a, b = self.axis(value, first), self.axis(value, second)
        order = list(range(len(value.axes)))
        order[a], order[b] = order[b], order[a]
        return self.permute(value, order)

    def unsqueeze(self, value: Value, dim: int) -> Value:
        if dim < 0:
            self.need_tail(value, -dim - 1)
            at = len(value.axes) + dim + 1
        else:
            self.need_lead(value, dim, by="dim")
            at = dim
        axes = list(self.fresh(value.axes))
        body = self.element(value, tuple(axes))
        axes.insert(at, Index("u", ONE))
        return self.make(axes, body, value.dtype, value.library)

    def squeeze(self, value: Value, dim: int) -> Value:
        at = self.axis(value, dim)
        if self.facts.extent(value.axes[at].extent) is not ONE:
            raise Unsupported("squeeze of an axis whose extent is not known to be 1")
        axes = list(self.fresh(value.axes))
        subs: list[Term] = list(axes)
        subs[at] = ZERO
        del axes[at]
        return self.make(axes, self.element(value, subs), value.dtype, value.library)

    def expand(self, value: Value, sizes: Seq[Term | None]) -> Value:
        """Broadcast to ``sizes``; None keeps an extent."""
        self.need_rank_at_most(value, len(sizes))
        extra = len(sizes) - len(value.axes)
        axes: list[Index] = []
        for position, size in enumerate(sizes):
            old = value.axes[position - extra] if position >= extra else None
            if size is None:
                if old is None:
                    raise Unsupported("expand adds an axis of unknown extent")
                size = old.extent
            elif old is not None and self.facts.extent(old.extent) is not ONE:
                self.facts.unify(old.extent, size)
            axes.append(Index(old.name if old else "e", self.facts.extent(size)))
        return self.make(axes, self._read_right(value, axes), value.dtype, value.library)

    def need_rank_at_most(self, value: Value, rank: int) -> None:
        if self.group_of(value) is not None:
            self.need_rank(value, rank, f"`{value.name}` has {rank} axes, as its expansion says")
        if len(value.axes) > rank:
            raise Unsupported(f"`{value.name}` has more than {rank} axes")

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
        # x.view(B, T, H, D): the common form splits the last axis of a value with one axis less.
        wanted = max(len(value.axes), rank - 1)
        self.need_rank(value, wanted, f"`{value.name}` has {wanted} axes, as its reshape suggests")
        raise AssertionError("need_rank refines a value of unknown rank")

    def _view_known(
        self, value: Value, old: list[Term], new: list[Term], lead: int, tail: int
    ) -> Value:
        minus = [p for p, size in enumerate(new) if extents.constant(size) == -1]
        if len(minus) > 1:
            raise Unsupported("a reshape with two sizes of -1")
        if minus:
            new[minus[0]] = self._missing(old, new, minus[0])
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
            middle = _unravel(_ravel(inner_new), inner_old)
        subs = [*axes[:first], *middle, *axes[len(axes) - last :]]
        return self.make(axes, self.element(value, subs), value.dtype, value.library)

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
        else:
            self.need_lead(value, takes)
            if takes > 1 and (items[-1] == (None, None, None) or items[-1] is None):
                # Nobody writes a last `:` that could be left out, except to name all axes.
                self.need_rank(value, takes, f"`{value.name}` has {takes} axes, as subscripted")
        source = list(self.fresh(value.axes))
        subs: list[Term] = list(source)
        result: list[Index] = []
        position = 0
        arrays: list[tuple[int, Value]] = []
        array_slot = 0
        for item in items:
            if item is None:
                result.append(Index("u", ONE))
                continue
            if item is Ellipsis:
                skip = len(source) - takes
                result.extend(source[position : position + skip])
                position += skip
                continue
            if isinstance(item, tuple):
                axis, sub = self._slice(source[position], item)
                result.append(axis)
                subs[position] = sub
            else:
                assert isinstance(item, Value)
                if item.axes:
                    if not arrays:
                        array_slot = len(result)
                    arrays.append((position, item))
                else:
                    subs[position] = self._wrap(item, source[position])
            position += 1
        result.extend(source[position:])
        if arrays:
            if any(value.dtype == "bool" for _, value in arrays):
                raise Unsupported("selection by a boolean mask has a data-dependent size")
            axes, elements = self.align([item for _, item in arrays])
            for (where, _), element in zip(arrays, elements, strict=True):
                subs[where] = element
            result[array_slot:array_slot] = axes
        return self.make(result, self.element(value, subs), value.dtype, value.library)

    def _wrap(self, item: Value, axis: Index) -> Term:
        """An integer subscript; negative constants count from the end."""
        term = self.element(item, ())
        number = extents.constant(term)
        if number is not None and number < 0:
            return extents.add(axis.extent, term)
        return term

    def _slice(
        self, axis: Index, item: tuple[Term | None, Term | None, Term | None]
    ) -> tuple[Index, Term]:
        start, stop, step = item
        n = axis.extent
        stride = 1 if step is None else extents.constant(step)
        if stride is None or stride == 0:
            raise Unsupported("a slice with an unknown step")
        if stride == 1 and start is None and stop is None:
            return axis, axis
        if stride < 0:
            if start is None and stop is None and stride == -1:
                new = Index(axis.name, n)
                return new, extents.sub(extents.sub(n, ONE), new)
            raise Unsupported("a slice with a negative step")
        low = self._bound(start, n, ZERO)
        high = self._bound(stop, n, n)
        # x[:k] keeps min(k, n) elements; that k <= n is what the code says.
        length = extents.sub(high, low)
        if stride != 1:
            length = extents.floordiv(extents.add(length, Const(stride - 1)), Const(stride))
        new = Index(axis.name, self.facts.extent(length))
        return new, extents.add(low, extents.mul(Const(stride), new))

    def _bound(self, bound: Term | None, extent: Term, default: Term) -> Term:
        if bound is None:
            return default
        number = extents.constant(bound)
        if number is not None and number < 0:
            return extents.add(extent, bound)
        return self.facts.extent(bound)

    # -- contractions

    def einsum(self, pattern: str, operands: Seq[Value]) -> Value:
        """``torch.einsum``; letters may also be words (einops), one label each."""
        left, arrow, right = pattern.partition("->")
        inputs = [_labels(part) for part in left.split(",")]
        if len(inputs) != len(operands):
            raise Unsupported("an einsum pattern with another number of operands")
        output = _labels(right) if arrow else None
        if any("..." in labels for labels in inputs):
            return self._einsum_dots(inputs, output, operands)
        bound: dict[str, Index] = {}
        elements: list[Term] = []
        for labels, operand in zip(inputs, operands, strict=True):
            self.need_rank(operand, len(labels)) if self.group_of(operand) is not None else None
            if len(operand.axes) != len(labels):
                raise Unsupported("an einsum pattern with another number of axes")
            subs: list[Term] = []
            for label, axis in zip(labels, operand.axes, strict=True):
                extent = self.facts.extent(axis.extent)
                known = bound.get(label)
                if known is None or (known.extent is ONE and extent is not ONE):
                    bound[label] = Index(label, extent)
                elif known.extent is not extent and extent is not ONE:
                    self.facts.unify(known.extent, extent)
                subs.append(ZERO if extent is ONE else bound[label])
            elements.append(self.element(operand, subs))
        if output is None:
            letters = [label for labels in inputs for label in labels]
            output = sorted(label for label in set(letters) if letters.count(label) == 1)
        body: Term = elements[0] if len(elements) == 1 else Apply("mul", tuple(elements))
        for label in reversed(list(bound)):
            if label not in output:
                body = Reduce("sum", bound[label], body)
        axes = [bound[label] for label in output]
        return self.make(axes, body, result_dtype("mul", operands), _library(operands))

    def _einsum_dots(
        self, inputs: list[list[str]], output: list[str] | None, operands: Seq[Value]
    ) -> Value:
        groups: dict[Term, Index] = {}
        widths = set()
        for labels, operand in zip(inputs, operands, strict=True):
            if "..." not in labels:
                continue
            at = labels.index("...")
            if at:
                self.need_lead(operand, at)
            self.need_tail(operand, len(labels) - at - 1)
            middle = operand.axes[at : len(operand.axes) - (len(labels) - at - 1)]
            widths.add(len(middle))
            if len(middle) == 1 and middle[0].group:
                groups[middle[0].extent] = middle[0]
        if len(groups) > 1 or (groups and widths != {1}):
            raise Unsupported("an einsum whose `...` stands for different axes")
        width = widths.pop() if len(widths) == 1 else None
        if width is None:
            raise Unsupported("an einsum whose `...` stands for different numbers of axes")
        names = [f"_{p}" for p in range(width)]

        def spelled(labels: list[str]) -> list[str]:
            at = labels.index("...") if "..." in labels else None
            return labels if at is None else [*labels[:at], *names, *labels[at + 1 :]]

        full = [spelled(labels) for labels in inputs]
        if output is None:
            letters = [label for labels in inputs for label in labels if label != "..."]
            output = ["...", *sorted(x for x in set(letters) if letters.count(x) == 1)]
        target = spelled(output)
        bound: dict[str, Index] = {}
        elements: list[Term] = []
        for labels, operand in zip(full, operands, strict=True):
            subs: list[Term] = []
            for label, axis in zip(labels, self.fresh(operand.axes), strict=True):
                known = bound.setdefault(label, Index(axis.name, axis.extent, axis.group))
                if known.extent is not axis.extent:
                    self.facts.unify(known.extent, axis.extent)
                subs.append(known)
            elements.append(self.element(operand, subs))
        body: Term = elements[0] if len(elements) == 1 else Apply("mul", tuple(elements))
        for label in reversed(list(bound)):
            if label not in target:
                body = Reduce("sum", bound[label], body)
        axes = [bound[label] for label in target]
        return self.make(axes, body, result_dtype("mul", operands), _library(operands))

    def matmul(self, left: Value, right: Value) -> Value:
        """``left @ right`` with the batch axes broadcast."""
        for value in (left, right):
            if self.group_of(value) is not None:
                self.need_tail(value, 2)
        if not left.axes or not right.axes:
            raise Unsupported("a matrix product with a scalar")
        if len(left.axes) == 1 or len(right.axes) == 1:
            return self._matvec(left, right)
        a, b = self.fresh(left.axes), self.fresh(right.axes)
        self.facts.unify(a[-1].extent, b[-2].extent)
        inner = Index("k", self.facts.extent(a[-1].extent))
        stub_left = replace(left, axes=a[:-2], body=None)
        stub_right = replace(right, axes=b[:-2], body=None)
        batch, reads = self.align([stub_left, stub_right])
        row = Index(a[-2].name, a[-2].extent)
        column = Index("e" if b[-1].name == a[-2].name else b[-1].name, b[-1].extent)
        terms = []
        for value, read, extra in (
            (left, reads[0], (row, inner)),
            (right, reads[1], (inner, column)),
        ):
            aligned = isinstance(read, Read) and read.aligned
            subs = (*batch, *extra) if aligned else (*_subs(read), *extra)
            terms.append(Read(value, subs, aligned=True) if aligned else self.element(value, subs))
        body = Reduce("sum", inner, Apply("mul", tuple(terms)))
        axes = (*batch, row, column)
        return self.make(axes, body, result_dtype("mul", (left, right)), _library((left, right)))

    def _matvec(self, left: Value, right: Value) -> Value:
        a, b = self.fresh(left.axes), self.fresh(right.axes)
        inner_left, inner_right = a[-1], b[0 if len(b) == 1 else -2]
        self.facts.unify(inner_left.extent, inner_right.extent)
        inner = Index("k", self.facts.extent(inner_left.extent))
        left_subs = (*a[:-1], inner)
        right_subs = tuple(inner if axis is inner_right else axis for axis in b)
        body = Reduce(
            "sum",
            inner,
            Apply("mul", (self.element(left, left_subs), self.element(right, right_subs))),
        )
        axes = (*a[:-1], *(axis for axis in b if axis is not inner_right))
        return self.make(axes, body, result_dtype("mul", (left, right)), _library((left, right)))

    # -- orders

    def order(
        self, value: Value, dim: int, count: Term | None, descending: bool, what: str
    ) -> Value:
        """The first ``count`` (None: all) of ``value`` ordered along ``dim``."""
        at = self.axis(value, dim)
        axes = list(self.fresh(value.axes))
        bound = axes[at]
        inner = self.element(value, tuple(axes))
        rank = Index("r", self.facts.extent(count) if count is not None else bound.extent)
        body = Order(bound, inner, rank, descending, "values" if what == "values" else "indices")
        axes[at] = rank
        dtype = value.dtype if what == "values" else "int64"
        return self.make(axes, body, dtype, value.library)

    def cast(self, value: Value, dtype: str) -> Value:
        if value.dtype == dtype:
            return value
        axes = self.fresh(value.axes)
        body = Apply(f"cast:{dtype}", (self.element(value, axes),))
        return self.make(axes, body, dtype, value.library)


def _subs(term: Term) -> tuple[Term, ...]:
    return term.subs if isinstance(term, Read) else ()


def _ravel(axes: Seq[Index]) -> Term:
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


def _labels(text: str) -> list[str]:
    """The labels of one einsum operand: letters, or words where the text has spaces between."""
    text = text.strip()
    if " " in text and any(len(word) > 1 and word != "..." for word in text.split()):
        return text.split()
    compact = text.replace(" ", "")
    labels: list[str] = []
    while compact:
        take = 3 if compact.startswith("...") else 1
        labels.append(compact[:take])
        compact = compact[take:]
    return labels


def _library(values: Seq[Value]) -> Library | None:
    libraries = [value.library for value in values]
    for name in ("torch", "numpy"):
        if name in libraries:
            return name  # type: ignore[return-value]
    return None if None in libraries else "python"


def _fold(op: str, terms: Seq[Term]) -> int | float | complex | None:
    """Arithmetic on literal numbers."""
    numbers = [term.value for term in terms if isinstance(term, Const)]
    if len(numbers) != len(terms) or any(isinstance(n, (str, type(None))) for n in numbers):
        return None
    a = numbers[0]
    try:
        if op == "neg":
            return -a  # type: ignore[operator]
        b = numbers[1]
        table = {"add": "__add__", "sub": "__sub__", "mul": "__mul__", "mod": "__mod__"}
        method = {"floordiv": "__floordiv__"}.get(op) or table[op]
        result = getattr(a, method)(b)
        if result is NotImplemented:
            result = getattr(type(b)(a), method)(b)  # type: ignore[arg-type,call-arg]
    except (ArithmeticError, TypeError, ValueError):
        return None
    return result  # type: ignore[no-any-return]


_WIDTH = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32",
          "float64", "complex64", "complex128"]  # fmt: skip
_KNOWN = frozenset((*_WIDTH, *PYTHON_SCALARS))
_KIND = {"bool": 0, "int": 1, "float": 2, "complex": 3}


def kind_of(dtype: str) -> int:
    """0 boolean, 1 integer, 2 floating, 3 complex."""
    if dtype == "bool":
        return 0
    if dtype.startswith("complex"):
        return 3
    return 2 if dtype.startswith(("float", "bfloat")) else 1


def result_dtype(op: str, values: Seq[Value]) -> str | None:
    """The dtype of a pointwise result, or None where that is not known."""
    if op in ("eq", "ne", "lt", "le", "gt", "ge", "not", "and", "or"):
        return "bool"
    if op == "where":
        values = values[1:]
    dtypes = [value.dtype for value in values]
    if any(dtype not in _KNOWN for dtype in dtypes):
        return dtypes[0] if len(set(dtypes)) == 1 and op not in _FLOATING else None
    arrays = [value.dtype for value in values if value.dtype not in PYTHON_SCALARS]
    scalars = [value.dtype for value in values if value.dtype in PYTHON_SCALARS]
    best: str | None = None
    for dtype in arrays:
        assert dtype is not None
        if best is None or _WIDTH.index(dtype) > _WIDTH.index(best):
            best = ({dtype, best} == {"float16", "bfloat16"} and "float32") or dtype
    for dtype in scalars:
        assert dtype is not None
        if best is None or kind_of(dtype) > kind_of(best):
            if best is None or best in PYTHON_SCALARS:
                best = dtype
            else:
                best = None  # the default floating dtype of the library
                break
    if op in _FLOATING and best is not None and kind_of(best) < 2:
        return "float" if best in PYTHON_SCALARS else None
    return best


_FLOATING = frozenset({
    "div", "exp", "log", "sqrt", "rsqrt", "sin", "cos", "tan", "tanh", "sigmoid", "softplus", "silu",
    "gelu", "erf", "log1p", "expm1", "exp2", "log2", "log10", "reciprocal",
})  # fmt: skip
