"""How parts of arrays meet in an operation, and what has to be known of their axes for that."""

from __future__ import annotations

from dataclasses import dataclass, field

from auditor.assumed import listed
from auditor.lift import extents
from auditor.nests.integers import NoNest, Unsure
from auditor.nests.parts import Part, Walk, put
from auditor.nests.triangles import ALL, Pairs, only
from auditor.notation import (
    ONE,
    Apply,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    free_indices,
    walk,
)


@dataclass(kw_only=True)
class Meeting:
    """Operations on parts of the arrays of a nest. ``walks`` are the integers that each index
    stands for, ``whole`` the axes of arrays that an index walks wholly; what is taken for granted
    is added to ``assumptions``. ``guessed`` are the arrays whose number of axes is not stated,
    ``loose`` those of which only their place says it, ``totalled`` those of which only a total says
    that their rows are no numbers. ``beside`` tells which pairs of the steps of two loops are
    walked, where not all are. What speaks against taking names for arrays, and for those of so many
    axes, goes to ``doubts``, where these are kept, and to ``open`` what decides which arrays meet.
    ``free`` says that no cell tells how many axes an item has (``auditor.nests.listed``)."""

    walks: dict[Index, Walk] = field(default_factory=dict)
    whole: set[tuple[Index, Value, int]] = field(default_factory=set)
    assumptions: list[str] = field(default_factory=list)
    met: set[Index] = field(default_factory=set)
    inserted: set[Index] = field(default_factory=set)
    guessed: set[Value] = field(default_factory=set)
    loose: set[Value] = field(default_factory=set)
    totalled: set[Value] = field(default_factory=set)
    adding: bool = False
    beside: dict[tuple[Index, Index], Pairs] = field(default_factory=dict)
    doubts: list[str] | None = None
    open: list[str] = field(default_factory=list)
    free: bool = False

    def assume(self, sentence: str) -> None:
        if sentence not in self.assumptions:
            self.assumptions.append(sentence)

    def index(self, name: str, low: Term, high: Term, stride: Term = ONE, **more: object) -> Index:
        """A new index and what it stands for."""
        made = Index(name, extents.sub(high, low))
        self.walks[made] = Walk(made, low, high, stride, **more)  # type: ignore[arg-type]
        return made

    def again(self, index: Index) -> Index:
        """Another index that stands for the same integers."""
        held = self.walks[index]
        made = Index(index.name, index.extent)
        self.walks[made] = Walk(made, held.low, held.high, held.stride, held.tiles, held.within)
        if index in self.inserted:
            self.inserted.add(made)
        for other, value, place in list(self.whole):
            if other is index:
                self.whole.add((made, value, place))
        return made

    def array(self, value: Value) -> Part:
        """All of an array, over axes of its own."""
        axes = tuple(map(self.again, value.axes))
        return Part(axes, Read(value, axes))

    def _read(self, *parts: Part) -> set[Value]:
        """The arrays that parts read of whose axes only their use says how many there are."""
        return {n.value for p in parts for n in walk(p.term) if isinstance(n, Read)} & self.guessed

    def pointwise(self, op: str, *parts: Part) -> Part:
        """A function of elements that stand at the same place, aligned from the right."""
        self._firm(parts)
        return self.broadcast(op, *parts)

    def broadcast(self, op: str, *parts: Part) -> Part:
        """``pointwise`` where something else says how many axes the parts have."""
        # of axes that are taken for equally long, those of what is certain tell how long
        axes = list(max(parts, key=lambda part: (len(part.axes), not self._read(part))).axes)
        for part in parts:
            for place, axis in enumerate(part.axes, len(axes) - len(part.axes)):
                if axes[place] in self.inserted:
                    axes[place] = axis
        terms = [
            self.matched(part, tuple(axes[len(axes) - len(part.axes) :]), exact=False)
            for part in parts
        ]
        return Part(tuple(axes), Apply(op, tuple(terms)))

    def guesses(self, term: Term) -> set[Value]:
        """The arrays in a term of which only the term says how many axes they have."""
        return {n.value for n in walk(term) if isinstance(n, Read)} & self.loose

    def _firm(self, parts: tuple[Part, ...]) -> None:
        """Rows meet rows as well as numbers: where an operation makes a row, what stands in it says
        of one array at most that it has rows, and of none that it has numbers. In a sum of all
        products of two rows both have them."""
        most = max(len(part.axes) for part in parts)
        if not most or self._as_long(parts):
            return
        if any(len(part.axes) < most and free_indices(part.term) for part in parts):
            for part in parts:
                self.total(part.term, part.axes)
        guessed = {value for part in parts for value in self.guesses(part.term)}
        placed = {value for value in guessed if value.axes}
        alone = len(guessed) < 2 or self.adding
        for part in parts:
            rows = len(part.axes) == most
            if placed and not (alone and rows is bool(self.guesses(part.term))):
                names = listed(sorted(f"`{value.name}`" for value in guessed))
                holds = "holds" if len(guessed) == 1 else "hold"
                doubt = f"whether {names} {holds} numbers or rows is not known"
                self.unsure(doubt, len(guessed) > 1 or not self.free)

    def _as_long(self, parts: tuple[Part, ...]) -> bool:
        """Whether rows that meet are parts of arrays, as long as each other along each axis by what
        says how long they are: with axes more they would hardly fit, or have as many more."""
        first, *others = parts
        return bool(others) and all(
            len(part.axes) == len(first.axes) > 1
            and all(
                self.walks[mine].length != 1 and extents.constant(self._lengths(mine, theirs)) == 0
                for mine, theirs in zip(part.axes, first.axes, strict=True)
            )
            for part in others
        )

    def _lengths(self, one: Index, other: Index) -> Term:
        """How much longer an index walks than another."""
        mine, theirs = self.walks[one], self.walks[other]
        return extents.sub(extents.sub(mine.high, mine.low), extents.sub(theirs.high, theirs.low))

    def matched(self, part: Part, axes: tuple[Index, ...], exact: bool) -> Term:
        """``part`` at other axes of the same lengths; ``exact`` says that others would raise."""
        by: dict[Term, Term] = {}
        for mine, theirs in zip(part.axes, axes, strict=True):
            if mine is theirs:
                continue
            if exact and {mine, theirs} & self.inserted:
                raise NoNest("an array of length 1 is broadcast")
            if mine in self.inserted:
                continue
            one, two = self.walks[mine], self.walks[theirs]
            same = extents.constant(self._lengths(mine, theirs))
            if same not in (0, None):
                raise NoNest("arrays of different lengths meet")
            if same is None and not exact:
                if 1 in (one.length, two.length):
                    raise NoNest("an array of length 1 is broadcast")
                self.met.add(theirs)
            if one.within is not None or two.within is not None:
                if one.within is not two.within:
                    raise NoNest("tiles of different loops meet")
            by[mine] = extents.add(theirs, extents.sub(one.low, two.low))
            for index, value, place in list(self.whole):
                if index is mine and by[mine] is theirs:
                    self.whole.add((theirs, value, place))
        return put(part.term, by)

    def contract(self, left: Part, right: Part, stacks: bool = True) -> Part:
        """``left @ right`` of vectors, matrices and, if they may be ``stacks``, of several of them
        along axes in front, which only one of both need have; a stack on the left alone is what
        ``dot`` multiplies in the same way."""
        if not (left.axes and right.axes) or (len(right.axes) > 2 and not stacks):
            raise NoNest("a product of many axes")
        for part in (left, right):
            self.no_number(part)
        inner = right.axes[-2] if len(right.axes) > 1 else right.axes[-1]
        before, rest = right.axes[:-2], right.axes[-1:] if len(right.axes) > 1 else ()
        rows, term = left.axes[:-1], right.term
        if before and len(rows) > 1:
            if len(before) != len(rows) - 1:
                raise NoNest("stacks of several numbers of axes meet")
            term = self.matched(Part(before, term), rows[:-1], exact=False)
            before = ()
        axes = (*before, *rows, *rest)
        if inner in self.inserted and left.axes[-1] in self.inserted:  # a column and a row
            return Part(axes, Apply("mul", (left.term, term)))
        term = self.matched(Part((inner,), term), left.axes[-1:], exact=True)
        product = Apply("mul", (left.term, term))
        return self.reduced(Part((*axes, left.axes[-1]), product), left.axes[-1])

    def total(self, term: Term, gone: tuple[Index, ...]) -> None:
        """Of what is added up over all its axes, or meets a number of each step, nothing may be
        known but that a total is taken of its rows: that is a number of any array."""
        reads = {n for n in walk(term) if isinstance(n, Read) and n.value in self.totalled}
        for name in sorted(n.value.name for n in reads if free_indices(n).intersection(gone)):
            self.unsure(f"how many axes `{name}` has is not known")

    def no_number(self, part: Part) -> None:
        """What is added up may hold no name that is only taken for a number."""
        for value in self.guesses(part.term):
            if part.axes and not value.axes:
                self.unsure(f"whether `{value.name}` is a number is not known", True)

    def reduced(self, part: Part, *gone: Index, op: str = "sum") -> Part:
        """The sum, or an extremum, over indices."""
        term = part.term
        for index in gone:
            if index in self.met:
                self.assume("arrays that are multiplied element by element are equally long")
            if index in self.inserted:
                continue
            new = self.again(index)
            for (outer, inner), pairs in self.beside.items():
                if inner is index and pairs != ALL:
                    if op != "sum":
                        raise NoNest("an extremum of some pairs of steps")
                    term = only(pairs, outer, inner, term)
            term = Reduce(op, new, put(term, {index: new}))
        return Part(tuple(axis for axis in part.axes if axis not in gone), term)

    def unsure(self, doubt: str, undecided: bool = False) -> None:
        """What is not known and decides what is computed; ``undecided`` says that one is as likely
        as the other. Raises ``NoNest`` unless doubts are kept."""
        if self.doubts is None:
            raise Unsure(doubt)
        if doubt not in self.doubts:
            self.doubts.append(doubt)
        if undecided:
            self.open.append(doubt)
