"""Whole-array operations in index notation: what pointwise functions, reductions, orders and moved
axes mean, element by element. Every function takes and returns ``Value``s."""

from __future__ import annotations

from collections.abc import Sequence as Seq

from auditor.lift import extents
from auditor.lift.contractions import Contractions
from auditor.lift.dtypes import library_of, result_dtype, summed
from auditor.lift.ranks import Unsupported, many
from auditor.lift.subscripts import Subscripts
from auditor.notation import ONE, Apply, Const, Index, Order, Reduce, Term, Value

__all__ = ["Arrays", "Unsupported"]


class Arrays(Subscripts, Contractions):
    """Operations under the facts known so far."""

    def pointwise(self, op: str, *values: Value, dtype: str | None = None) -> Value:
        """``op`` element by element, broadcast."""
        if op in ("add", "sub") and len(values) == 2:
            self._square(*values)
            self._square(*values[::-1])
        axes, elements = self.align(values)
        if not axes and op in ("add", "sub", "mul", "floordiv", "mod", "neg"):
            if all(value.dtype == "int" for value in values):
                return self.scalar(getattr(extents, op)(*elements))
            folded = _fold(op, elements)
            if folded is not None:
                return self.number(folded)
        library = library_of(values)
        if library in ("torch", "numpy") and {value.dtype for value in values} == {"bool"}:
            op = {"add": "or", "mul": "and", "max": "or", "min": "and"}.get(op, op)
        result = dtype or result_dtype(op, values)
        return self.make(axes, Apply(op, tuple(elements)), result, library)

    def _square(self, value: Value, other: Value) -> None:
        """What a square matrix is added to (``a + eye(len(a))``), of as many rows, has its axes."""
        alone = self.group_of(value) == 1 and len(value.axes) == 2
        if not alone or self.group_of(other) is not None or len(other.axes) != 2:
            return
        rows = self.facts.extent(value.axes[0].extent)
        if all(self.facts.extent(axis.extent) is rows for axis in other.axes):
            said = f"{self.called(value)} has 2 axes, as the square matrix that it meets"
            self.facts.assume(self.owner_of(value), said)  # no guess: a batch would hardly fit
            self.need_rank(value, 2)

    def bitwise(self, op: str, *values: Value) -> Value:
        """``& | ^ ~`` (as ``and or xor not``): logic on booleans, bits on integers. The last bits
        of a Python integer are a remainder: ``n & 0xFF`` is ``n % 0x100``."""
        kinds = {value.dtype for value in values}
        if "bool" in kinds or (op == "not" and kinds == {None}):
            for value in values:
                if value.dtype is None:
                    self.facts.assume(
                        value.name, f"{self.called(value)} is boolean, as its use says"
                    )
            kinds.discard(None)
        if kinds <= {"bool"}:
            return self.pointwise(op, *values, dtype="bool")
        if op == "and" and kinds == {"int"} and library_of(values) == "python":
            for kept, mask in (values, values[::-1]):
                ones = mask.body.value if isinstance(mask.body, Const) else None
                if isinstance(ones, int) and ones > 0 and ones & (ones + 1) == 0:
                    return self.pointwise("mod", kept, self.number(ones + 1))
        return self.pointwise(f"call:bitwise_{op}", *values)

    def listed(self, values: Seq[Value]) -> Value:
        """A list of scalars as an array with one axis."""
        axis = Index("s", Const(len(values)))
        body = self.element(values[-1], ())
        for position in reversed(range(len(values) - 1)):
            here = Apply("eq", (axis, Const(position)))
            body = Apply("where", (here, self.element(values[position], ()), body))
        kinds = {value.dtype for value in values}
        dtype = kinds.pop() if len(kinds) == 1 else None
        return self.make((axis,), body, dtype, library_of(values))

    # -- reductions

    def reduce(self, op: str, value: Value, dims: Seq[int] | None, keepdim: bool = False) -> Value:
        """``op`` over the given dimensions (None: all)."""
        if dims is None:
            bound = list(range(len(value.axes)))
        else:
            bound = sorted(set(self.positions(value, dims)))
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
        dtype = value.dtype
        if op in ("argmax", "argmin"):
            dtype = "int64"
        elif op in ("any", "all"):
            dtype = "bool"
        elif op in ("sum", "prod"):
            dtype = summed(dtype, value.library)
        return self.make(kept, body, dtype, value.library)

    def count(self, value: Value, dims: Seq[int] | None) -> Value:
        """How many elements a reduction over ``dims`` takes in."""
        axes = value.axes if dims is None else [value.axes[p] for p in self.positions(value, dims)]
        return self.scalar(extents.mul(ONE, *(self.facts.extent(axis.extent) for axis in axes)))

    # -- axes and views

    def permute(self, value: Value, order: Seq[int]) -> Value:
        axes = self.fresh(value.axes)
        body = self.element(value, axes)
        return self.make([axes[p] for p in order], body, value.dtype, value.library)

    def transpose(self, value: Value, first: int, second: int) -> Value:
        a, b = self.positions(value, (first, second))
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

    def diagonal(self, value: Value, offset: int, first: int, second: int) -> Value:
        """The elements whose ``second`` index is the ``first`` plus ``offset``, as a last axis."""
        a, b = self.positions(value, (first, second))
        if any(axis.group for axis in value.axes[min(a, b) :]) and min(a, b) >= 0:
            if self.group_of(value) is not None and value.axes[min(a, b)].group:
                raise Unsupported("a diagonal of axes of unknown place")
        axes = list(self.fresh(value.axes))
        rows, columns = axes[a].extent, axes[b].extent
        shift = Const(abs(offset))
        if offset >= 0:
            columns = extents.sub(columns, shift)
        else:
            rows = extents.sub(rows, shift)
        rows, columns = self.facts.extent(rows), self.facts.extent(columns)
        m, n = extents.constant(rows), extents.constant(columns)
        size: Term = rows if rows is columns else Apply("min", (rows, columns))
        if m is not None and n is not None:
            size = Const(max(min(m, n), 0))
        line = Index("d", size)
        subs: list[Term] = list(axes)
        subs[a] = line if offset >= 0 else extents.add(line, shift)
        subs[b] = extents.add(line, shift) if offset >= 0 else line
        kept = [axis for position, axis in enumerate(axes) if position not in (a, b)]
        return self.make((*kept, line), self.element(value, subs), value.dtype, value.library)

    def expand(self, value: Value, sizes: Seq[Term | None]) -> Value:
        """Broadcast to ``sizes``; None keeps an extent."""
        self.need_rank_at_most(value, len(sizes))
        extra = len(sizes) - len(value.axes)
        if extra > 0:  # what a subscript leaves to others, rather than axes in front
            certain = None in sizes[:extra]
            self.recount(value, len(sizes), why=None if certain else "as its expansion says")
        maybe_one = False
        axes: list[Index] = []
        for position, size in enumerate(sizes):
            old = value.axes[position - extra] if position >= extra else None
            if size is None:
                if old is None:
                    raise Unsupported("expand adds an axis of unknown extent")
                size = old.extent
            elif old is not None and self.facts.extent(old.extent) is not ONE:
                known = extents.constant(self.facts.extent(old.extent)) is not None
                if known:
                    self.facts.unify(old.extent, size)
                elif self.facts.extent(old.extent) is not self.facts.extent(size):
                    maybe_one = True
            axes.append(Index(old.name if old else "e", self.facts.extent(size)))
        body = self._element_aligned(value, axes) if maybe_one else self._read_right(value, axes)
        return self.make(axes, body, value.dtype, value.library)

    def need_rank_at_most(self, value: Value, rank: int) -> None:
        if self.group_of(value) is not None:
            said = f"{self.called(value)} has {many(rank)}, as its expansion says"
            self.need_rank(value, rank, said)
        if len(value.axes) > rank:
            raise Unsupported(f"`{value.name}` has more than {rank} axes")

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
            assert b is not None
            result = getattr(type(b)(a), method)(b)  # type: ignore[arg-type]
    except (ArithmeticError, TypeError, ValueError):
        return None
    return result  # type: ignore[no-any-return]
