"""The code that replaces a nest, and what has to hold for it: nothing that the nest binds is read
later, what it fills shares no memory with what it reads, no step cuts off what the sum keeps."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from auditor.arrays.overwritten import multiplied
from auditor.assumed import assuming, reason_of, together
from auditor.lift import extents
from auditor.lift.dtypes import SHORT, WHOLE
from auditor.nests import counting, gathers, scatter
from auditor.nests.adding import added_to
from auditor.nests.cell_types import (
    WIDE,
    as_put,
    from_float,
    looked_up,
    no_half,
    no_narrow,
    of_floats,
    same_types,
    unsummed,
)
from auditor.nests.choices import values
from auditor.nests.chosen_meaning import meaning
from auditor.nests.chosen_types import of_numbers
from auditor.nests.code import Code, backwards
from auditor.nests.every_step import may_raise
from auditor.nests.harmless import goes_round, protected, untouched
from auditor.nests.integers import CannotSay
from auditor.nests.memory import made_anew, paths_in
from auditor.nests.nest import Nest
from auditor.nests.parts import Filled, indices, put
from auditor.nests.said import Said
from auditor.nests.sliding import windows
from auditor.notation import (
    ONE,
    ZERO,
    Computation,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    transform,
    walk,
)
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.tree import everything_in
from auditor.verdict import Numerics

_FRACTIONS = frozenset("float16 bfloat16 float32 float64 complex64 complex128".split())
_KINDS = {"numpy": "an array of NumPy", "torch": "a tensor"}

Sayer = Callable[[Code, Term], Said]


@dataclass
class Plan:
    """The replacement of one nest, and of a statement ``after`` it that then has nothing to do.
    ``say`` gives the text of what is put into a cell, ``smooth`` says that the roots in it have
    gradients of 0."""

    site: Site
    region: Region
    nest: Nest
    filled: tuple[Filled, ...]
    reasons: list[str] = field(default_factory=list)
    after: ast.stmt | None = None
    smooth: bool = False

    def match(
        self, message: str, say: Sayer = Code.filled, numerics: Numerics = "reassociated"
    ) -> Match:
        """The match. Raises ``Refused``."""
        nest, region = self.nest, self.region
        if nest.expressions.open:
            self._memory()
            return self.advice(message, nest.expressions.open[0])
        for filled in self.filled:
            self._cells(filled)
            self.reasons += counting.require(self.site, filled, self.library(filled))
            if counting.counts(filled.term):
                no_narrow(self, unsummed(filled.term))
            self.reasons += self.of_some_steps(filled)
            of_floats(self, filled)
        read = {n.value for one in self.filled for n in walk(one.term) if isinstance(n, Read)}
        averaged = (each for each, of in self.nest.expressions.summed.items() if of == "mean")
        no_half(self, (value for value in averaged if value.axes and value in read))
        self.names()
        self._memory()
        lines: list[str] = []
        try:
            lines = self.lines(say)
        except CannotSay as problem:
            self.site.require(False, problem.condition, str(problem))
        return Match(
            span=region.module.span(nest.node),
            message=message,
            computation=self.computation(),
            edits=(region.replace_lines(nest.node, lines),),
            numerics=numerics,
            safe=not nest.expressions.doubts,
            reason=self.told([*nest.expressions.assumptions, *self.reasons, *self.of_sizes()]),
        )

    def lines(self, say: Sayer = Code.filled) -> list[str]:
        """The code. Raises ``CannotSay``."""
        lines: list[str] = []
        for filled in self.filled:
            _add(lines, self._guarded(filled, self._line(filled, say)))
            lines += self._diagonal(filled)
        return lines

    def advice(self, message: str, why: str) -> Match:
        """What the nest computes, where the code for it depends on what is not known."""
        span = self.region.module.span(self.nest.node)
        return Match(span, f"{message}; not applied here: {why}", self.computation())

    def told(self, assumed: list[str], *doubts: str) -> str | None:
        """What is assumed, and what speaks against that."""
        said = [assuming(together(assumed)), *(self.nest.expressions.doubts or ()), *doubts]
        return reason_of(*said)

    # -- conditions

    def _cells(self, filled: Filled) -> None:
        """Where not every cell is written, or one is copied to another: what it held before."""
        if filled.problem is not None:
            self.site.require(False, *filled.problem)
        self.site.require(
            not filled.rooted or self.library(filled) == "numpy" or self.smooth, "diagonal",
            "the root of what the diagonal would be has no gradient",
        )  # fmt: skip
        zeros = self.nest.expressions.lifted(filled.node)
        certain = zeros is not None and zeros.body is ZERO and made_anew(
            self.region, self.nest.node, filled.name)  # fmt: skip
        self.site.require(
            certain or not filled.zero, "zeros",
            f"`{filled.name}` is not made of zeros right before the loops, which leave a part of it"
            if filled.bare or filled.partly else
            f"what `{filled.name}` held before is copied from one triangle to the other",
        )  # fmt: skip
        if filled.partly or filled.bare:
            last = [indices(sub) for sub in filled.place[-2:]]
            square = len(last) == 2 and all(len(sub) == 1 for sub in last)
            self.site.require(
                square and (len(filled.place) == 2 or not filled.bare), "axes",
                f"the triangle of `{filled.name}` is not one of its last two axes",
            )  # fmt: skip
        if filled.bare and self.library(filled) != "numpy":
            (index,) = indices(filled.place[-1])
            size = self.nest.expressions.integers.text(self.nest.walk(index).high)
            self.reasons.append(f"`{size}` is not 1, where there are no pairs to have gradients")

    def of_some_steps(self, filled: Filled, listed: bool = False) -> list[str]:
        """What is assumed where a step chooses, or looks something up beside its own place."""
        said = of_numbers(self.site, filled, self.library(filled), listed)
        some = protected(filled.term) | untouched(filled.term, filled.old)
        for read in sorted(some, key=lambda read: read.value.name):
            own = read.value is filled.old
            value, subs = (filled.array, filled.place) if own else (read.value, read.subs)
            rooms = [self.room(value, place, sub) for place, sub in enumerate(subs)]
            beyond = any(
                room < 1 if room is not None else not isinstance(sub, Index)
                for room, sub in zip(rooms, subs, strict=True)
            )
            self.site.require(
                not beyond, "bounds", f"a step may read beyond the end of `{value.name}`"
            )
            if None in rooms:
                said.append(f"no step reads beyond the end of `{value.name}`")
        return said + self._places(filled)

    def _places(self, filled: Filled) -> list[str]:
        """What is assumed of what is looked up. One element of a tensor of short integers is a
        place, of all of them torch makes none, or a mask."""
        torch = self.library(filled) == "torch"
        looked = gathers.places_in(filled, torch)
        odd = SHORT if torch else frozenset(("bool",))
        self.site.require(
            all(value.dtype not in odd for value in looked), "integers",
            "truth values and integers of 8 or 16 bits are no places" if torch
            else "truth values are no places",
        )  # fmt: skip
        held = self._held_by_places(filled)
        return [f"`{value.name}` holds {held}" for value in sorted(looked, key=lambda v: v.name)
                if value.dtype not in WHOLE]  # fmt: skip

    def _held_by_places(self, filled: Filled) -> str:
        torch = self.library(filled) == "torch"
        return "integers of 32 or 64 bits" if torch else "integers"

    def room(self, value: Value, place: int, sub: Term) -> int | None:
        """How many places of an axis are left at the last step, and the last of them; None where
        that is not known."""
        if goes_round(sub, value.axes[place].extent):
            return 1
        last = sub
        for index in indices(sub):
            if (index, value, place) in self.nest.expressions.whole and sub is index:
                return 1
            last = put(last, {index: extents.sub(self.nest.walk(index).high, ONE)})
        return extents.constant(extents.sub(value.axes[place].extent, last))

    def names(self) -> None:
        region, node = self.region, self.nest.node
        also = everything_in(self.after) if self.after is not None else ()
        names = {n.id for n in also if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for name in sorted(names | self.nest.names):
            later = region.read_after(self.after or node, name)
            self.site.require(not later, "names", f"`{name}` is read after the loops")

    def _memory(self) -> None:
        """Nothing that the loops read changes while they write."""
        region, node = self.region, self.nest.node
        written = [
            filled.name for filled in self.filled if not made_anew(region, node, filled.name)
        ]
        read = paths_in(
            n for leaf, at in self.nest.expressions.nodes.items() if leaf not in self._own
            for n in everything_in(at)
        )  # fmt: skip
        met = region.overlapping(written, read, node)
        self.site.require(
            met is None, "aliasing", "`{}` may share memory with `{}`".format(*met or "  ")
        )
        arrays = {
            n.id for leaf, at in self.nest.expressions.nodes.items() for n in everything_in(at)
            if isinstance(n, ast.Name) and leaf.axes and leaf not in self._own
        }  # fmt: skip
        self.reasons.extend(region.apart(written, arrays, node))

    @cached_property
    def _own(self) -> set[Value]:
        """The arrays that are filled."""
        return {filled.array for filled in self.filled}

    def of_sizes(self) -> list[str]:
        """What is assumed of sizes."""
        walks = self.nest.expressions.walks
        texts = self.nest.expressions.integers.texts
        strides = [
            walks[index].stride for index in self.nest.loops
            if walks[index].tiles and not isinstance(walks[index].stride, Const)
        ]  # fmt: skip
        positive = [f"`{texts.get(stride, stride)}` is positive" for stride in strides]
        return [*self.nest.expressions.integers.assumed, *positive, *self._read_once()]

    def _read_once(self) -> list[str]:
        """What is assumed of arrays of which a step reads a place by its number, where there may be
        no step: the new code reads it all the same."""
        if all(map(self._certain, self.nest.loops)):
            return []
        fewest: dict[str, int] = {}
        read = (n for each in self.filled for n in walk(each.term) if isinstance(n, Read))
        for node in (n for n in read if n.value.kind == "input" and not n.aligned):
            for place, (sub, axis) in enumerate(zip(node.subs, node.value.axes, strict=True)):
                least = _least(sub, axis.extent)
                if least is not None:
                    said = f"{node.value.name}.shape[{place}]"
                    fewest[said] = max(least, fewest.get(said, 0))
        return [f"`{said}` is {least} or more" for said, least in sorted(fewest.items())]

    # -- code

    def _guarded(self, filled: Filled, line: str) -> list[str]:
        """The line where there is anything to do: no window is as long as what is shorter, and what
        is the same at every step may raise where there is none."""
        slid = [
            window for node in walk(filled.term) if isinstance(node, Read)
            for window in (windows(self.nest, node, filled.axes) or {}).values()
        ]  # fmt: skip
        # a loop from a later start on may have no step: a window is never of a negative length
        later = [w.within for w in slid if extents.polynomial(w.size).get((), 0) < 0]
        asked = [*(window.index for window in slid), *later]
        if may_raise(filled.term, self.nest.expressions.nodes):
            asked += [index for index in self.nest.loops if not self._certain(index)]
        tests = [self._any_step(index) for index in dict.fromkeys(asked)]
        return [f"if {' and '.join(dict.fromkeys(tests))}:", f"    {line}"] if tests else [line]

    def _certain(self, index: Index) -> bool:
        """Whether a loop takes at least one step."""
        held = self.nest.walk(index)
        count = extents.constant(extents.sub(held.high, held.low))
        return count is not None and count > 0

    def _any_step(self, index: Index) -> str:
        """The test whether a loop takes any step."""
        held, integers = self.nest.walk(index), self.nest.expressions.integers
        return f"{integers.text(held.high)} > {integers.text(held.low)}"

    def _diagonal(self, filled: Filled) -> list[str]:
        """The zeros that the loops leave on the diagonal."""
        if not filled.bare:
            return []
        code = self.code(filled)
        if code.torch is None or code.library is None:
            raise CannotSay("the arrays may be of NumPy or of torch", "library")
        if code.torch:
            return [f"{filled.name}.fill_diagonal_(0)"]
        return [f"{code.library}.fill_diagonal({filled.name}, 0)"]

    def _triangle(self, filled: Filled, code: Code, said: Said) -> Said:
        """Of what is said of all cells, that of those which are written."""
        if not filled.partly:
            return said
        if code.torch is None or code.library is None:
            raise CannotSay("the arrays may be of NumPy or of torch", "library")
        way = "triu" if ">" in filled.half else "tril"
        apart = "" if "=" in filled.half else ", 1" if way == "triu" else ", -1"
        return Said(f"{code.library}.{way}({said.whole}{apart})", said.axes)

    def _line(self, filled: Filled, say: Sayer) -> str:
        added = added_to(filled.term, filled.old)
        code = self.code(filled)
        self._one_library(filled)
        if filled.scattered:
            looked_up(self, filled)
            return scatter.line(code, filled)
        if not any(isinstance(node, Reduce) for node in walk(filled.term)) and (
            filled.array.dtype not in _FRACTIONS
        ):
            added = None  # set as the loop sets it, which cuts off where the array holds integers
        same_types(self, filled, added)
        target = self._target(filled, code)
        if added is None:
            term = filled.term
            # the backward pass of a product needs what is overwritten
            kept = ".clone()" if code.torch and multiplied(term, filled.old) else ""
            code.olds[filled.old] = Said(f"{target}{kept}", filled.axes)
            whole = self._triangle(filled, code, say(code, term)).whole
            return f"{target if target.endswith(']') else target + '[:]'} = {whole}"
        said = self._triangle(filled, code, say(code, added))
        if said.strength == 4 and said.text.startswith("-"):
            return f"{target} -= {_bare(said.whole[1:])}"
        return f"{target} += {said.whole}"

    def code(self, filled: Filled) -> Code:
        library = self.library(filled)
        spelling = next(
            (name for name, path in self.region.module.names.items() if path == library), None
        )
        return Code(
            self.nest, spelling, None if library is None else library == "torch", filled.axes,
            self._accumulate(filled, library, spelling),
        )  # fmt: skip

    def library(self, filled: Filled) -> str | None:
        """torch or numpy, where that is certain."""
        found = filled.array.library
        if found in ("torch", "numpy"):
            return found
        reading = self.nest.expressions
        held = reading.arrays.library(filled.node)
        others = {v.library for v in reading.nodes} & {"torch", "numpy"}
        return held or (others.pop() if len(others) == 1 else self.region.module.library)

    def _accumulate(self, filled: Filled, library: str | None, spelling: str | None) -> str | None:
        """The dtype that sums are told, where the loops add up in a wider one than the arrays'."""
        read = self.read(filled.term)
        whole = bool(read) and all(value.dtype in WHOLE for value in read)
        numbers = library == "numpy" and whole and from_float(filled.term)
        told = numbers and filled.array.dtype in WIDE
        if spelling is None or not (told or self.widens(filled, library)):
            return None
        return f"{filled.name}.dtype"

    def widens(self, filled: Filled, library: str | None) -> bool:
        """Whether the loops add up in double precision, in the cells, what may be of less."""
        held = filled.array.dtype
        known = all(value.dtype == held for value in self.read(filled.term))
        return library is not None and filled.stepwise and held in WIDE and not known

    def read(self, term: Term) -> list[Value]:
        """The arrays that a term reads."""
        found = {n.value for n in values(term) if isinstance(n, Read) and n.value.axes}
        return sorted((v for v in found if v.kind == "input"), key=lambda v: v.name)

    def _one_library(self, filled: Filled) -> None:
        """A cell takes a number of either library; not all arrays can be put into one of the
        other. In a file that has both, what nothing tells of is taken for this one's."""
        library = self.library(filled)
        every = [node for term in (filled.term, *filled.place) for node in walk(term)]
        read = [node.value for node in every if isinstance(node, Read) and node.value.axes]
        others = {"torch", "numpy"} - {library} if library else set()
        other = next((v.name for v in read if v.library in others), None)
        said = f"`{filled.name}` and `{other}` are arrays of two libraries"
        self.site.require(other is None, "libraries", said)
        if library in _KINDS and self.region.module.library is None:
            unknown = sorted({v.name for v in read if v.kind == "input" and v.library is None})
            told = filled.array.library or self.nest.expressions.arrays.library(filled.node)
            unknown += [filled.name] * (told is None)
            self.reasons += [f"`{name}` is {_KINDS[library]}" for name in unknown]

    def _target(self, filled: Filled, code: Code) -> str:
        if filled.along:
            return self._along(filled, code)
        said = code.read(Read(filled.array, filled.place))
        if said.items is None:  # from the end: of NumPy's arrays a view, of torch's a copy
            name, torch = filled.array.name, code.torch
            if torch is not False or not any(map(backwards, filled.place)):
                raise CannotSay("the places that are written are no view", "places")
            return filled.name + said.text.removeprefix(name)
        return Said(filled.name, said.axes, 6, said.items).whole

    def _along(self, filled: Filled, code: Code) -> str:
        """The cells of a diagonal, each by its own places."""
        *before, one, other = filled.place
        beside = [indices(sub) for sub in filled.place[-2:]]
        whole = {(index, filled.array, place) for place, index in enumerate(before)}
        if beside[0] != beside[1] or len(beside[0]) != 1 or beside[0][0] in before or (
            not whole <= self.nest.expressions.whole
        ):  # fmt: skip
            raise CannotSay("one loop variable says two places of an array", "diagonal")
        for sub in (one, other):
            low = put(sub, {beside[0][0]: self.nest.walk(beside[0][0]).low})
            if (extents.constant(low) or 0) < 0 or extents.may_be_negative(low):
                raise CannotSay("a place may be counted from the end", "bounds")
        as_put(self, filled)
        items = [":" for _ in before] + [counting.places(code, sub).text for sub in (one, other)]
        return f"{filled.name}[{', '.join(items)}]"

    # -- what is told

    def computation(self) -> Computation:
        """What the nest computes, as an expression over the axes of what it fills; where places are
        looked up, as what becomes of a cell."""
        scattered = [filled for filled in self.filled if filled.scattered]
        if scattered:
            return scatter.computation(self.site.computation, scattered)
        outputs = []
        for filled in self.nest.filled:
            before = Value(filled.name, filled.array.axes, None, None, "input")

            def start(node: Term, old: Value = filled.old, place: tuple[Term, ...] = filled.place,
                      before: Value = before) -> Term:  # fmt: skip
                return Read(before, place) if isinstance(node, Read) and node.value is old else node

            body = meaning(transform(filled.term, start))
            outputs.append(Value(filled.name, filled.axes, body, filled.array.dtype, "derived"))
        span = self.region.module.span(self.nest.node)
        scope = self.site.computation.scope
        places = tuple(filled.place for filled in self.nest.filled)
        return Computation("expression", scope, span, tuple(outputs), places=places)


def _least(sub: Term, extent: Term) -> int | None:
    """How long an axis of unknown length has to be for a place of it that has a number of its
    own, counted from either end; None for other places."""
    if extents.constant(extent) is not None:
        return None
    first, last = extents.constant(sub), extents.constant(extents.sub(extent, sub))
    if first is None:
        return last
    return first + 1 if first >= 0 else -first


def _bare(text: str) -> str:
    """A text without the brackets around all of it."""
    depth = 0
    for position, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            whole = position == len(text) - 1 and text.startswith("(")
            return text[1:-1] if whole else text
    return text


def _add(lines: list[str], more: list[str]) -> None:
    """Put lines below others; what runs under the condition of the last runs there."""
    tests = [line for line in lines if not line.startswith(" ")]
    lines += more[1:] if len(more) > 1 and tests[-1:] == more[:1] else more
