"""Terms of a nest as whole-array expressions: slices, broadcasts, products of matrices, sums."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor.lift import extents
from auditor.nests import applied_code, chosen_code, convolved, counting, diagonals, gathers
from auditor.nests.applied import APPLIED
from auditor.nests.integers import CannotSay
from auditor.nests.nest import Nest
from auditor.nests.parts import PLACED, Walk, linear, lookups, strided
from auditor.nests.said import Said
from auditor.nests.sliding import Window, windows
from auditor.notation import (
    ONE,
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Symbol,
    Term,
    Value,
    free_indices,
    walk,
)

_INFIX = {"add": (" + ", 2), "sub": (" - ", 2), "mul": (" * ", 3), "div": (" / ", 3),
          "pow": ("**", 5), "floordiv": (" // ", 3), "mod": (" % ", 3)}  # fmt: skip
_ATOM = re.compile(r"[\w.]+(\[[^\[\]]*\]|\([^()]*\))?")
_CALLS = {"max": "maximum", "min": "minimum"}
_BOUNDS = {"max": "min", "min": "max"}


@dataclass
class Code:
    """Says the terms of one nest. ``library`` is how the file spells it, ``torch`` whether it is
    torch (None: not known); ``order`` the axes of what is filled; ``accumulate`` the dtype in which
    sums are told to be taken, where they would be taken in a narrower one; ``known`` terms have a
    text of their own."""

    nest: Nest
    library: str | None
    torch: bool | None
    order: tuple[Index, ...]
    accumulate: str | None = None
    olds: dict[Value, Said] = field(default_factory=dict)
    known: dict[Term, Said] = field(default_factory=dict)

    # -- the whole

    def filled(self, term: Term) -> Said:
        """``term`` over the order's axes. Raises ``CannotSay``."""
        return self.arranged(self.said(term), self.order)

    def said(self, term: Term) -> Said:
        """What a term is, over the axes that it has. Raises ``CannotSay``."""
        if term in self.known:
            return self.known[term]
        if self._counts(term):
            text = self.nest.expressions.integers.text(term)
            return Said(text, (), 6 if _ATOM.fullmatch(text) else 2)
        if isinstance(term, Const):
            text = self.nest.expressions.named.get(term) or repr(term.value)
            return Said(text, (), 4 if text.startswith("-") else 6)
        if isinstance(term, Read):
            return self.olds[term.value] if term.value in self.olds else self.read(term)
        if isinstance(term, Reduce):
            return self._sum(term)
        if isinstance(term, Apply):
            return self._apply(term)
        raise CannotSay(f"`{term}` is no array")

    def _counts(self, term: Term) -> bool:
        """Whether a term is an integer that no loop moves, a product of lengths for example."""
        if not isinstance(term, (Apply, Symbol)):
            return False
        known = self.nest.expressions.integers.texts
        if term in known:
            return True
        if isinstance(term, Apply):
            return term.op in ("add", "sub", "mul", "neg") and all(
                (isinstance(arg, Const) and isinstance(arg.value, int))
                or arg in known
                or self._counts(arg)
                for arg in term.args
            )
        return not isinstance(term, Index)

    # -- elements

    def read(self, term: Read) -> Said:
        """An element of an array over all places at which the loops read it."""
        slid = windows(self.nest, term, self.order)
        if slid is not None:
            return self._windows(term, slid)
        if gathers.along_loops(term):
            return gathers.say(self, term)
        value = term.value
        items: list[str] = []
        axes: list[Index] = []
        turned: list[int] = []
        looked = [position for position, sub in enumerate(term.subs) if lookups(sub)]
        for position, sub in enumerate(term.subs):
            if position in looked:
                said = self.said(sub)
                items.append(said.whole)
                found = said.axes
            else:
                back = backwards(sub)
                text, index = self.item(value, position, sub)
                items.append(text)
                found = (index,) if index is not None else ()
                turned += [len(axes)] if back else []
            if set(found) & set(axes):
                if looked or turned:
                    raise CannotSay("one loop variable says two places of an array", "diagonal")
                return diagonals.say(self, term)
            axes += found
        if len(looked) > 1 or (looked and any(":" not in text for p, text in enumerate(items)
                                              if p not in looked)):  # fmt: skip
            raise CannotSay("several places are looked up at once", "places")
        said = Said(value.name, tuple(axes), 6, tuple(items))
        if turned:
            return Said(said.whole + self._turned_round(turned), said.axes)
        return Said(said.whole, said.axes) if looked else said

    def _turned_round(self, places: list[int]) -> str:
        """What walks some axes from their ends."""
        if self.torch is None:
            raise CannotSay("the arrays may be of NumPy or of torch", "library")
        if self.torch:
            return f".flip({', '.join(map(str, places))})"
        items = ["::-1" if place in places else ":" for place in range(max(places) + 1)]
        return f"[{', '.join(items)}]"

    def slices(self, term: Read, slid: dict[int, Window]) -> Said:
        """The part of an array that windows slide over, with the places of the windows for axes."""
        integers = self.nest.expressions.integers
        items: list[str] = []
        axes: list[Index] = []
        for position, sub in enumerate(term.subs):
            window = slid.get(position)
            if window is None:
                text, index = self.item(term.value, position, sub)
            else:
                if not isinstance(window.stride, Const):
                    integers.length(extents.sub(window.stride, ONE))
                text = integers.slice(window.low, window.high, term.value.axes[position].extent)
                index = window.index
            items.append(text)
            if index is not None:
                if index in axes:
                    raise CannotSay("one loop variable says two places of an array", "diagonal")
                axes.append(index)
        return Said(term.value.name, tuple(axes), 6, tuple(items))

    def _windows(self, term: Read, slid: dict[int, Window]) -> Said:
        """Windows that slide along axes of an array, as a view with further axes for them."""
        integers = self.nest.expressions.integers
        part = self.slices(term, slid)
        base, axes = part.whole, part.axes
        at = [(axes.index(slid[position].index), slid[position]) for position in sorted(slid)]
        for _, window in at:
            integers.length(window.size)
        sizes = [integers.text(window.size) for _, window in at]
        turned = [window.backwards for _, window in at]
        kept = (*axes, *(window.within for _, window in at))
        if self.torch:
            for (place, window), size in zip(at, sizes, strict=True):
                base += f".unfold({place}, {size}, {integers.text(window.stride)})"
            back = [str(len(axes) + p) for p, way in enumerate(turned) if way]
            return Said(f"{base}.flip({', '.join(back)})" if back else base, kept)
        if self.library is None or self.torch is None:
            raise CannotSay("the arrays may be of NumPy or of torch", "library")
        places = ", ".join(str(place) for place, _ in at)
        if len(at) > 1:
            given = f"({', '.join(sizes)}), ({places})"
        else:
            given = f"{sizes[0]}, {places}"
        if len(at) == len(axes):
            given = given.rpartition(", (")[0] if len(at) > 1 else sizes[0]
        view = f"{self.library}.lib.stride_tricks.sliding_window_view({base}, {given})"
        strides = {place: f"::{integers.text(window.stride)}" for place, window in at
                   if window.stride is not ONE}  # fmt: skip
        strides |= {len(axes) + p: "::-1" for p, way in enumerate(turned) if way}
        if strides:
            last = max(strides)
            view += f"[{', '.join(strides.get(p, ':') for p in range(last + 1))}]"
        return Said(view, kept)

    def item(self, value: Value, position: int, sub: Term) -> tuple[str, Index | None]:
        """One entry of a subscript, and the index that it leaves."""
        integers = self.nest.expressions.integers
        inside = [node for node in walk(sub) if isinstance(node, Index)]
        if not inside:
            looked_up = isinstance(sub, Read) and sub.value.axes
            return self.said(sub).whole if looked_up else integers.text(sub), None
        if len(inside) > 1:
            raise CannotSay("two loop variables say one place", "places")
        (index,) = inside
        if sub is index and (index, value, position) in self.nest.expressions.whole:
            return ":", index
        held = self.nest.walk(index)
        if backwards(sub):
            if extents.constant(held.stride) != 1:
                raise CannotSay("a place that counts down in steps", "places")
            rest = extents.add(sub, index)
            lowest = extents.sub(rest, extents.sub(held.high, ONE))
            end = extents.add(extents.sub(rest, held.low), ONE)
            return integers.slice(lowest, end, value.axes[position].extent), index
        form = linear(sub, index)
        stride = extents.constant(held.stride)
        apart = strided(sub, index) if form is None else None
        if apart is not None and stride == 1:
            return self._apart(value, position, held, *apart), index
        if form is None or form[0] < 1 or stride is None:
            raise CannotSay("a place that does not count up with the loops", "places")
        factor, offset = form
        low = extents.add(extents.mul(Const(factor), held.low), offset)
        high = extents.add(extents.mul(Const(factor), extents.sub(held.high, ONE)), offset, ONE)
        return integers.slice(low, high, value.axes[position].extent, factor * stride), index

    def _apart(self, value: Value, position: int, held: Walk, factor: Term, offset: Term) -> str:
        """Places that are as far apart as a number says, which has to be positive."""
        integers = self.nest.expressions.integers
        integers.length(extents.sub(factor, ONE))
        low, high = (extents.add(extents.mul(factor, end), offset) for end in (held.low, held.high))
        text = integers.slice(low, high, value.axes[position].extent)
        return f"{text}:{integers.text(factor)}" if ":" in text else text

    # -- operations

    def _apply(self, term: Apply) -> Said:
        if term.op == "neg":
            inner = self.said(term.args[0])
            return Said(f"-{inner.inside(4)}", inner.axes, 4)
        if term.op in _INFIX:
            *before, last = term.args
            left = before[0] if len(before) == 1 else Apply(term.op, tuple(before))
            return self._infix(Apply(term.op, (left, last)))
        if term.op == applied_code.NORM or term.op in APPLIED:
            return applied_code.say(self, term)
        if term.op in chosen_code.SAYS:
            return chosen_code.say(self, term)
        if term.op in counting.NUMBERS:
            return counting.say(self, term)
        if term.op == PLACED:
            return counting.places(self, term.args[0])
        parts = [self.said(arg) for arg in term.args]
        if term.op == "cast:int64":
            way = {True: ".long()", False: ".astype(int)", None: None}[self.torch]
            if way is None:
                raise CannotSay("the arrays may be of NumPy or of torch", "library")
            return Said(f"{parts[0].inside(6)}{way}", parts[0].axes)
        if term.op == "cast:item":
            return parts[0]
        if term.op == "abs" and not parts[0].axes:
            return Said(f"abs({parts[0].whole})", ())  # of a number, which torch's takes for none
        name = _CALLS.get(term.op, term.op)
        if self.torch and len(parts) > 1 and not all(part.axes for part in parts):
            return _bounded(term.op, parts)
        if len(parts) > 1:
            axes = self.ordered({axis for part in parts for axis in part.axes})
            parts = [self.broadcast(part, axes) for part in parts]
        else:
            axes = parts[0].axes
        if self.library is None:
            raise CannotSay("the file does not import the library", "library")
        return Said(f"{self.library}.{name}({', '.join(part.whole for part in parts)})", axes)

    def _infix(self, term: Apply) -> Said:
        symbol, strength = _INFIX[term.op]
        first, second = term.args
        if term.op == "add":
            if _zero(first):
                return self.said(second)
            if _zero(second):
                return self.said(first)
            if isinstance(second, Apply) and second.op == "neg":
                term = Apply("sub", (first, second.args[0]))
                return self._infix(term)
        left, right = self.said(first), self.said(second)
        axes = self.ordered({*left.axes, *right.axes})
        left, right = self.broadcast(left, axes), self.broadcast(right, axes)
        tighter = 4 if term.op == "pow" else strength + 1  # `a**-b`
        if term.op == "pow" and not left.whole.isidentifier():
            symbol = " ** "
        text = f"{left.inside(strength + (term.op == 'pow'))}{symbol}{right.inside(tighter)}"
        return Said(text, axes, strength)

    # -- axes

    def ordered(self, axes: set[Index]) -> tuple[Index, ...]:
        """The axes in the order in which they are laid out; those that are summed come last."""
        known = [axis for axis in self.order if axis in axes]
        rest = sorted(axes.difference(known), key=lambda axis: axis.uid)
        return (*known, *rest)

    def turned(self, said: Said, axes: Sequence[Index]) -> Said:
        """The same with its axes in another order."""
        if list(said.axes) == list(axes):
            return said
        if set(said.axes) != set(axes):
            raise CannotSay("axes are missing")
        text = said.inside(6)
        if len(axes) == 2:
            return Said(f"{text}.T", tuple(axes))
        if self.torch is None:
            raise CannotSay("the arrays may be of NumPy or of torch", "library")
        places = ", ".join(str(said.axes.index(axis)) for axis in axes)
        way = "permute" if self.torch else "transpose"
        return Said(f"{text}.{way}({places})", tuple(axes))

    def broadcast(self, said: Said, axes: Sequence[Index]) -> Said:
        """The same with its axes in the places of ``axes``, which are aligned from the right."""
        said = self.turned(said, [axis for axis in axes if axis in said.axes])
        if not said.axes:
            return said
        first = list(axes).index(said.axes[0])
        missing = [axis not in said.axes for axis in axes[first:]]
        if not any(missing):
            return said
        given = list(said.items) if said.items is not None else [":"] * len(said.axes)
        text, strength = (said.text, 6) if said.items is not None else (said.inside(6), 6)
        items: list[str] = []
        for axis in axes[first:]:
            if axis in said.axes:
                while given and not _keeps(given[0]):
                    items.append(given.pop(0))
                items.append(given.pop(0))
            else:
                items.append("None")
        return Said(text, tuple(axes[first:]), strength, (*items, *given))

    def arranged(self, said: Said, axes: Sequence[Index]) -> Said:
        if not set(said.axes) <= set(axes):
            raise CannotSay("an axis is left over")
        return self.broadcast(said, axes)

    # -- sums

    def _extremum(self, term: Reduce) -> Said:
        gone, body = [term.index], term.body
        while isinstance(body, Reduce) and body.op == term.op:
            gone.append(body.index)
            body = body.body
        part = self.small(body)
        if self.torch is None:
            raise CannotSay("the arrays may be of NumPy or of torch", "library")
        if not set(gone) <= set(part.axes):
            raise CannotSay("an extremum of what does not change")
        name = f"{'a' if self.torch else ''}{term.op}"
        kept = tuple(axis for axis in part.axes if axis not in gone)
        return Said(f"{part.inside(6)}.{name}({_along(part, gone)})", kept)

    def _sum(self, term: Reduce) -> Said:
        if term.op != "sum":
            return self._extremum(term)
        gone: list[Index] = []
        body: Term = term
        while isinstance(body, Reduce) and body.op == "sum":
            gone.append(body.index)
            body = body.body
        summed = set(gone)
        if isinstance(body, Apply) and body.op in ("add", "sub"):
            sides = [self._again(gone, arg) for arg in body.args]
            return self._infix(Apply(body.op, tuple(sides)))
        factors, divisors, negative = _product(body)
        inside = [f for f in factors if summed & free_indices(f)]
        outside = [f for f in factors if not summed & free_indices(f)]
        if any(summed & free_indices(d) for d in divisors) or not inside:
            inside, outside, divisors, negative = [body], [], [], False
        if {i for f in inside for i in free_indices(f)} & summed != summed:
            raise CannotSay("a sum of what does not change")
        made = self._contracted(inside, gone)
        for factor in outside:
            made = self._times(self.said(factor), made, "mul")
        for divisor in divisors:
            made = self._times(made, self.said(divisor), "div")
        return Said(f"-{made.inside(4)}", made.axes, 4) if negative else made

    def _again(self, gone: list[Index], body: Term) -> Term:
        for index in reversed(gone):
            if index not in free_indices(body):
                raise CannotSay("a sum of what does not change")
            body = Reduce("sum", index, body)
        return body

    def _times(self, left: Said, right: Said, op: str) -> Said:
        symbol, strength = _INFIX[op]
        axes = self.ordered({*left.axes, *right.axes})
        left, right = self.broadcast(left, axes), self.broadcast(right, axes)
        return Said(f"{left.inside(strength)}{symbol}{right.inside(strength + 1)}", axes, strength)

    def _contracted(self, factors: list[Term], gone: list[Index]) -> Said:
        parts = [self.small(factor) for factor in factors]
        if len(parts) == 1:
            (part,) = parts
            kept = tuple(axis for axis in part.axes if axis not in gone)
            told = [f"dtype={self.accumulate}"] if self.accumulate else []
            given = ", ".join(filter(None, [_along(part, gone), *told]))
            return Said(f"{part.inside(6)}.sum({given})", kept)
        if len(parts) == 2:
            made = self._matrices(parts[0], parts[1], gone) or self._matrices(
                parts[1], parts[0], gone
            )
            if made is not None:
                return made
        return convolved.say(self, factors, gone) or self._einsum(parts, gone)

    def small(self, term: Term) -> Said:
        """A factor; one that no array in it is as large as would have to be built."""
        said = self.said(term)
        arrays = [
            n for n in walk(term)
            if isinstance(n, (Read, Reduce)) or (isinstance(n, Apply) and n.op in APPLIED)
        ]  # fmt: skip
        read = any(not isinstance(node, Read) or node.subs for node in arrays)
        alone = not read and self._fits(said.axes)
        if not alone and not any(set(said.axes) <= free_indices(node) for node in arrays):
            raise CannotSay("all terms of the sum would be built at once", "memory")
        return said

    def _fits(self, axes: tuple[Index, ...]) -> bool:
        """Whether a table over some axes is no larger than an array that the nest reads or
        fills."""
        sizes = Counter(map(self.steps, axes))
        for filled in self.nest.filled:
            read = (n.subs for n in walk(filled.term) if isinstance(n, Read))
            for subs in (filled.place, *read):
                whole = Counter(self.steps(sub) for sub in subs if isinstance(sub, Index))
                if sizes <= whole:
                    return True
        return False

    def steps(self, index: Index) -> Term:
        """How many steps a loop takes."""
        held = self.nest.walk(index)
        return extents.canonical(extents.sub(held.high, held.low))

    def _matrices(self, left: Said, right: Said, gone: list[Index]) -> Said | None:
        """``left @ right``, with the rows of the left before the columns of the right."""
        if len(gone) != 1 or any(gone[0] not in part.axes for part in (left, right)):
            return None
        (k,) = gone
        shared = [axis for axis in left.axes if axis in right.axes and axis is not k]
        rows = [axis for axis in left.axes if axis not in (k, *shared)]
        columns = [axis for axis in right.axes if axis not in (k, *shared)]
        if len(columns) > 1 or (shared and (len(rows) != 1 or len(columns) != 1)):
            return None
        batch = self.ordered(set(shared))
        kept = (*batch, *self.ordered(set(rows)), *columns)
        if self.ordered(set(kept)) != kept:
            return None
        rows = list(self.ordered(set(rows)))
        one = self.turned(left, (*batch, *rows, k))
        two = self.turned(right, (*batch, k, *columns))
        if self.accumulate is not None:
            if self.library is None:
                raise CannotSay("the file does not import the library", "library")
            given = f"{one.whole}, {two.whole}, dtype={self.accumulate}"
            return Said(f"{self.library}.matmul({given})", kept)
        return Said(f"{one.inside(3)} @ {two.inside(4)}", kept, 3)

    def _einsum(self, parts: list[Said], gone: list[Index]) -> Said:
        if self.library is None:
            raise CannotSay("the file does not import the library", "library")
        names: dict[Index, str] = {}
        for part in parts:
            for axis in part.axes:
                names.setdefault(axis, "abcdefghijklmnopqrstuvwxyz"[len(names)])
        kept = self.ordered(set(names).difference(gone))
        pattern = ",".join("".join(names[axis] for axis in part.axes) for part in parts)
        pattern += "->" + "".join(names[axis] for axis in kept)
        words = "" if self.torch else ", optimize=True"
        words += f", dtype={self.accumulate}" if self.accumulate else ""
        given = ", ".join(part.whole for part in parts)
        return Said(f'{self.library}.einsum("{pattern}", {given}{words})', kept)


def _along(part: Said, gone: list[Index]) -> str:
    """The axes that a reduction takes: none where it takes all, however many the array has."""
    places = [str(place) for place, axis in enumerate(part.axes) if axis in gone]
    if len(places) == len(part.axes):
        return ""
    return places[0] if len(places) == 1 else f"({', '.join(places)})"


def _bounded(op: str, parts: list[Said]) -> Said:
    """``x.clamp(min=0)``: torch's ``maximum`` compares tensors with tensors."""
    arrays = [part for part in parts if part.axes]
    if op not in _BOUNDS or len(parts) != 2 or len(arrays) != 1:
        raise CannotSay("torch compares tensors with tensors", "numbers")
    (array,), (number,) = arrays, [part for part in parts if not part.axes]
    return Said(f"{array.inside(6)}.clamp({_BOUNDS[op]}={number.whole})", array.axes)


def backwards(sub: Term) -> bool:
    """Whether a place counts down as the loops count up."""
    inside = [node for node in walk(sub) if isinstance(node, Index)]
    form = linear(sub, inside[0]) if len(inside) == 1 else None
    return form is not None and form[0] == -1


def _keeps(item: str) -> bool:
    """Whether an entry of a subscript leaves an axis."""
    return ":" in item


def _zero(term: Term) -> bool:
    return isinstance(term, Const) and term.value == 0


def _product(term: Term) -> tuple[list[Term], list[Term], bool]:
    """The factors and divisors of a product, and whether its sign is turned."""
    if isinstance(term, Apply) and term.op == "neg":
        factors, divisors, negative = _product(term.args[0])
        return factors, divisors, not negative
    if isinstance(term, Apply) and term.op in ("mul", "div"):
        left, right = _product(term.args[0]), _product(term.args[1])
        if term.op == "div":
            right = ([], [term.args[1]], False)
        return left[0] + right[0], left[1] + right[1], left[2] != right[2]
    if isinstance(term, Apply) and term.op == "square":
        factors, divisors, _ = _product(term.args[0])
        return factors * 2, divisors * 2, False
    return [term], [], False
