"""What is known about ranks, extents and libraries of the values a function does not define.

A lift is a pure function of the source and these facts. When an operation needs to know more (the
last axis of a value of unknown rank, say) it raises ``Refine``; the fact is recorded and the
function is lifted again. Facts only grow, so this ends.

A fact is *certain* when the code would have raised had it been false (an unpacked shape), and
*assumed* when it is only what the code says (a subscript with as many entries as there are axes);
assumptions are kept as sentences, for the evidence and the fix that rest on them, with the ground
that each was made on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from auditor.lift import extents
from auditor.notation import ONE, Const, Index, Library, Span, Symbol, Term, Value, walk

Ground = Literal[
    "uses", "meeting", "vector", "sizes", "product", "dot", "subscript", "reshape", "operation",
    "single", "widest", "slice", "letters", "choice", "least", "real",
]  # fmt: skip
"""What an assumption about the axes of an array rests on: that its uses count axes from both ends
(``uses``), what it meets in an operation (``meeting``; ``vector`` if that has one), that it is
taken to be the widest there (``widest``), sizes that are read of it (``sizes``), a product with
``@`` (at least two axes), ``dot``, a subscript, a reshape, another operation that is for so many
axes (``single`` for one or none), a slice that is taken to stay within the array (``slice``), axes
with one letter in an einsum that are taken to be as long as each other (``letters``), another value
that may stand in its place (``choice``), axes that were added behind it to meet another array, of
which there may be more (``least``); ``real`` is one about what the array holds."""

GUESSED_RANK: frozenset[Ground] = frozenset(("uses", "meeting", "vector", "sizes"))
"""Grounds on which the number of axes is a guess."""
TAKEN_RANK: frozenset[Ground] = frozenset(
    ("uses", "meeting", "sizes", "dot", "subscript", "reshape", "operation")
)
"""Grounds on which more than one axis was taken from what is done with the array."""


class TooLarge(Exception):
    """The function is larger than what is lifted."""


@dataclass
class Refine(Exception):
    """Lift again, knowing this of ``owner``; ``why`` where that replaces another guess."""

    owner: str
    what: str
    amount: int | str
    why: str | None = None


@dataclass
class Known:
    """The shape of one owner: ``rank`` axes exactly, or at least ``lead`` first and ``tail`` last
    ones with any number between. ``size`` counts the first axes whose extents are read; they are
    told apart only while nothing is known of the last ones, with which they may coincide.
    ``truths`` says that it holds truth values."""

    rank: int | None = None
    lead: int = 0
    tail: int = 0
    size: int = 0
    by_dim: bool = False
    sliced: bool = False
    integer: bool = False
    truths: bool = False
    library: Library | None = None

    @property
    def first(self) -> int:
        """How many first axes are told apart."""
        return self.lead if self.tail else max(self.lead, self.size)

    @property
    def counted(self) -> bool:
        """Whether dimension numbers or sizes, not subscripts, say how many first axes there are."""
        return self.by_dim or (self.size > 0 and not self.tail)


Equalities = tuple[dict[Term, Term], set[Term], str | None]


@dataclass
class Facts:
    """Everything learnt about one function, keyed by owner (a parameter, attribute or the place of
    an expression whose rank is its own). ``listed`` are parameters that are lists of numbers,
    ``joined`` texts and lists of what is no number, ``stated`` those whose number of axes the file
    says outright (an annotation, a docstring), ``tensors`` those that it makes itself where it says
    what to measure with, each with its dtype; ``fewest`` says of arrays how many axes they may
    have as well, fewer than was taken, ``columns`` where those are made columns that may be
    vectors; ``covered`` holds the axes of unknown number that were taken to be as many as others,
    ``above`` those of these that stand between as many known ones; ``walked`` are those of which
    loops within loops alone say how many axes they have, ``rows`` those of these that are read as
    rows at such places;
    ``beside`` of those of unknown rank how many axes an attribute has that they meet,
    which may be fewer; ``numbered`` what to doubt where a number of an axis counted from the first
    alone says how many axes stand before those that are known; ``multiplied`` are the owners of
    what stood before a matrix in a product, with any number of axes; ``named`` those whose
    sizes are called by a name that others have as well, ``divided`` the extents that are
    assumed to be whole multiples, each with of what, ``lettered`` where einsums stand of which
    axes with one letter are assumed to be as long as each other, ``blocks`` where ranges stand
    whose step is a variable, ``counted`` where the bounds of ``while`` loops do that are taken for
    integers, each with what is assumed to be one; ``narrow`` are those that were taken for numbers
    where they met axes of extent 1, by the subject of that assumption; with ``sealed`` modules that
    are parts of another are called, not read."""

    known: dict[str, Known] = field(default_factory=dict)
    extents: dict[Term, Term] = field(default_factory=dict)
    assumptions: dict[str, str] = field(default_factory=dict)
    grounds: dict[str, Ground] = field(default_factory=dict)
    arrays: set[str] = field(default_factory=set)
    narrow: dict[str, str] = field(default_factory=dict)
    listed: set[str] = field(default_factory=set)
    joined: set[str] = field(default_factory=set)
    stated: set[str] = field(default_factory=set)
    tensors: dict[str, str | None] = field(default_factory=dict)
    sealed: bool = False
    suspect: str | None = None
    given_up: set[str] = field(default_factory=set)
    guessed: set[str] = field(default_factory=set)
    fewest: dict[str, int] = field(default_factory=dict)
    columns: dict[str, Span] = field(default_factory=dict)
    beside: dict[str, int] = field(default_factory=dict)
    numbered: dict[str, str] = field(default_factory=dict)
    multiplied: set[str] = field(default_factory=set)
    broadcast: set[Term] = field(default_factory=set)
    walked: set[str] = field(default_factory=set)
    rows: set[str] = field(default_factory=set)
    covered: set[tuple[Term, Term]] = field(default_factory=set)
    above: set[tuple[Term, Term]] = field(default_factory=set)
    named: dict[str, str] = field(default_factory=dict)
    divided: set[tuple[Term, Term]] = field(default_factory=set)
    lettered: set[Span] = field(default_factory=set)
    blocks: set[Span] = field(default_factory=set)
    counted: dict[Span, str | None] = field(default_factory=dict)
    scalars: dict[tuple[object, ...], Value] = field(default_factory=dict)
    spent: int = 0
    forgotten: int = 0
    position: int = 0
    touched: dict[str, int] = field(default_factory=dict)

    def of(self, owner: str) -> Known:
        self.touched.setdefault(owner, self.position)
        known = self.known.get(owner)
        if known is None:
            known = self.known[owner] = Known()
        return known

    def learn(self, fact: Refine) -> bool:
        """Record a fact; False when it was known, or contradicts what is known."""
        known = self.of(fact.owner)
        before = (known.rank, known.lead, known.tail, known.library, known.size)
        if fact.what == "library":
            if known.library is None:
                known.library = fact.amount  # type: ignore[assignment]
            return before[3] != known.library
        if fact.what == "array":
            news = fact.owner not in self.arrays
            self.arrays.add(fact.owner)
            self.assumptions.pop(self.narrow.pop(fact.owner, ""), None)
            return news
        amount = int(fact.amount)
        if fact.what == "integer":
            news = not known.integer
            known.rank, known.integer = 0, True
            return news
        if fact.what == "recount" and fact.owner in self.guessed:
            # what the uses suggested was wrong: an operation that ran says so
            self.guessed.discard(fact.owner)
            self.assumptions.pop(fact.owner, None)
            self.grounds.pop(fact.owner, None)
            self.forget_extents()
            self._forget_met()
            known.rank = amount
            if fact.why is not None:
                self.assume(fact.owner, fact.why, "meeting")
            return True
        if fact.what == "rows":
            self.rows.add(fact.owner)
            self.assumptions.pop(fact.owner, None)
            self.grounds.pop(fact.owner, None)
            self.forget_extents()
            known.rank, known.lead = None, amount
            return True
        if fact.what == "size" and self.takes_too_few(fact.owner, amount):
            # a size that is read shows that there are more axes than were taken
            self.guessed.discard(fact.owner)
            del self.assumptions[fact.owner]
            self.grounds.pop(fact.owner, None)
            self.forget_extents()
            known.rank, known.size = None, amount
            return True
        if known.rank is not None:
            return False
        if fact.what == "sliced":
            known.sliced = True
            return True
        if fact.what == "rank":
            known.rank = amount
        elif fact.what in ("lead", "dim"):
            known.lead = max(known.lead, amount)
            known.by_dim |= fact.what == "dim"
            known.sliced |= fact.what == "lead"
        elif fact.what == "size":
            known.size = max(known.size, amount)
        elif fact.what == "tail":
            known.tail = max(known.tail, amount)
        if known.rank is None and known.lead and known.tail:
            # A subscript consumes axes, so what is asked of the rest comes on top; a dimension
            # number counts all of them.
            both = max if known.by_dim else int.__add__
            known.rank = both(known.lead, known.tail)
            if known.by_dim and known.lead == known.tail == 1:
                # Nobody counts the one axis of a vector from both ends.
                known.rank = 2
            if before[2] > 2 and not before[1]:
                # So many last axes were those of the whole array, before anything was taken off.
                behind = known.lead if known.lead == known.tail else known.lead + 1
                known.rank = max(behind, known.tail)
            known.rank = max(known.rank, known.size)  # so many are read of it
            self.assume(
                fact.owner, f"`{fact.owner}` has {known.rank} axes, as its uses say", "uses"
            )
            self.guessed.add(fact.owner)
        return before != (known.rank, known.lead, known.tail, known.library, known.size)

    def takes_too_few(self, owner: str, size: int) -> bool:
        """Whether an array is assumed to have fewer axes than ``size``, and nothing told of these
        before."""
        known = self.of(owner)
        few = known.rank is not None and known.rank < size and known.size < size
        return few and owner in self.assumptions

    def _forget_met(self) -> None:
        """Ranks that were taken from what an array meets, of which one was another: asked again."""
        for owner, sentence in [*self.assumptions.items()]:
            if sentence.endswith("as many as what it meets") and owner in self.known:
                self.known[owner].rank = None
                self.guessed.discard(owner)
                del self.assumptions[owner]

    def forget_extents(self) -> None:
        """A new rank may show that extents met where they do not: what is equal is found again."""
        self.extents.clear()
        self.broadcast.clear()
        self.suspect = None
        self.forgotten += 1

    @property
    def spelled(self) -> frozenset[tuple[str, str]]:
        """The equal extents as text. An extent that the code computes is another term each time
        the function is read: that it is found equal once more is nothing new."""
        return frozenset((str(one), str(other)) for one, other in self.extents.items())

    def equalities(self) -> Equalities:
        """What is known to be equal by now."""
        return self.extents.copy(), self.broadcast.copy(), self.suspect

    def restore(self, equalities: Equalities) -> None:
        """Go back to what was known to be equal then."""
        extents, broadcast, self.suspect = equalities
        self.extents, self.broadcast = extents.copy(), broadcast.copy()

    def give_up(self, place: str) -> bool:
        """An expression whose shape contradicts what is known has no notation; False when that was
        known."""
        if not place or place in self.given_up:
            return False
        self.given_up.add(place)
        return True

    def assume(self, subject: str, sentence: str, ground: Ground | None = None) -> None:
        if subject not in self.assumptions:
            self.assumptions[subject] = sentence
            if ground is not None:
                self.grounds[subject] = ground

    def assume_narrow(self, owner: str, name: str) -> None:
        """What met axes of extent 1 is taken to leave them so, as a number does."""
        subject = f"size of {owner}"
        self.narrow[owner] = subject
        self.assume(subject, f"`{name}` does not widen what it meets")

    def keep(self, key: str, value: Value) -> Value:
        """A scalar without a definition is the same value each time the function is lifted, so
        that what was learnt about sizes in its terms stays true."""
        if value.axes:
            return value
        return self.scalars.setdefault((key, value.dtype, value.kind, value.library), value)

    def unify(self, left: Term, right: Term, broadcast: bool = False) -> bool:
        """Record that two extents are equal; False when nothing new was learnt. With ``broadcast``
        one of them may be 1 as well."""
        left, right = self.extent(left), self.extent(right)
        if broadcast and left is not right:
            self.broadcast.update((left, right))
        if left is right:
            return False
        if isinstance(left, Const) and isinstance(right, Const):
            return False
        if ONE in (left, right) and self.narrow and not broadcast:
            # An array of one element, of all arrays: rather something did widen that axis.
            raise Refine(next(iter(self.narrow)), "array", 0)
        # A constant represents its class; otherwise the shorter name does, for readable evidence.
        if isinstance(left, Const) or (
            not isinstance(right, Const)
            and (len(str(left)), str(left)) < (len(str(right)), str(right))
        ):
            left, right = right, left
        if any(term is left for term in walk(right)) or extents.constant(extents.sub(left, right)):
            self.suspect = f"`{left}` would have to equal `{right}`"
            return False
        self._suspect(left, right)
        self.extents[left] = right
        return True

    def covers(self, wide: Term, other: Term) -> bool:
        """Whether axes of unknown number were taken to have all of ``other``, also by way of what
        stands between."""
        reached, more = set[Term](), {wide}
        while more:
            reached |= more
            more = {to for of, to in self.covered if of in reached} - reached
        return other in reached

    def _suspect(self, left: Term, right: Term) -> None:
        """Two axes of one value found equal: possible, but where ranks were assumed it rather says
        that the assumption is wrong."""
        members = [*self.extents, left, right]
        names = [str(term) for term in members if self.extent(term) in (left, right)]
        seen: dict[tuple[str, bool], str] = {}
        for name in names:
            owner, _, place = name.rpartition(".shape[")
            # Counted from different ends they may be one axis.
            if owner and seen.setdefault((owner, place[0] == "-"), name) != name:
                self.suspect = f"two axes of `{owner}` would have to be equal"

    def extent(self, term: Term) -> Term:
        """The representative of an extent's class."""
        seen = 0
        while term in self.extents and seen < 100:
            term, seen = self.extents[term], seen + 1
        return term

    def certain(self, extent: Term) -> bool:
        """Whether what is known of an extent rests on no broadcast, which 1 passes as well."""
        extent = self.extent(extent)
        return all(self.extent(term) is not extent for term in self.broadcast)

    def axes(self, owner: str, name: str) -> tuple[Index, ...]:
        """Fresh axes for a value whose shape is the owner's own."""
        known = self.of(owner)
        # A name that is bound anew has other sizes than what it stood for before.
        shown = name if self.named.setdefault(name, owner) == owner else owner

        def axis(position: int) -> Index:
            label = f"{shown}.shape[{position}]"
            letter = f"{'ijklmnpq'[position % 8]}"
            return Index(letter, self.extent(Symbol(label)))

        if known.rank is not None:
            return tuple(axis(position) for position in range(known.rank))
        group = Index("g", Symbol(f"{owner}.shape[...]"), group=True)
        lead = tuple(axis(position) for position in range(known.first))
        tail = tuple(axis(position) for position in range(-known.tail, 0))
        return (*lead, group, *tail)
