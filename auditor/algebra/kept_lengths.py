"""How long the best stretch is, counted step by step: a length goes on by one or is begun anew, and
is kept where the best is met.

A length is how many steps there were less how many there were as it was begun. Both are places, as
of an enumeration, which no step looks at but to keep them: a loop that keeps places is summarised
as such, and the places of a piece are those within it, moved on by how long what comes before is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from auditor.algebra.choices import decided
from auditor.algebra.monoid import Field, Part, field, free, renamed
from auditor.algebra.states import Dependence
from auditor.notation import NONE, ZERO, Apply, Carry, Const, Read, Term, Value, walk

Under = Callable[[list[Carry], Value], Part | None]


class _NoLength(Exception):
    """A value is something else than a length or what is kept of one."""


def lengths(
    carries: Sequence[Carry], dependence: Dependence, taken: set[str], under: Under
) -> Part | None:
    """The summary of values of which one is a length; ``under`` is that of the values with places
    in its stead, given what is the place of an element."""
    if len(carries) < 3:
        return None
    for carry in carries:
        by = _longer_by(carry, dependence)
        if by is None:
            continue
        try:
            placed = _Placed(carries, carry, by, dependence, set(taken))
        except _NoLength:
            continue
        part = under(placed.carries, placed.place)
        if part is not None and not part.guarded:
            return placed.back(part)
    return None


def _longer_by(carry: Carry, dependence: Dependence) -> Const | None:
    """What a step adds to a length that goes on, where it is begun anew as a number else."""
    if not isinstance(carry.update, Apply) or carry.update.op != "where":
        return None
    found: set[Const] = set()
    anew = False
    for leaf in _leaves(carry.update, carry.state, dependence):
        if isinstance(leaf, Const):
            anew = True
        elif (by := _more(leaf, carry.state)) is not None:
            found.add(by)
        else:
            return None
    return found.pop() if len(found) == 1 and anew else None


def _leaves(term: Term, state: Value, dependence: Dependence) -> list[Term]:
    """What a choice ends in; none where it asks for the value itself."""
    if not isinstance(term, Apply) or term.op != "where":
        return [term]
    if dependence.mentions(term.args[0], (state,)):
        return [NONE]
    return [leaf for arg in term.args[1:] for leaf in _leaves(arg, state, dependence)]


def _more(term: Term, state: Value) -> Const | None:
    """The number that is added to a value."""
    if not isinstance(term, Apply) or term.op != "add" or len(term.args) != 2:
        return None
    for one, other in (term.args, term.args[::-1]):
        if isinstance(one, Read) and one.value is state and isinstance(other, Const):
            return other if type(other.value) is int and other.value != 0 else None
    return None


@dataclass(frozen=True)
class _Pair:
    """A length as two places: where it is kept, and where it was begun."""

    end: Term
    start: Term


class _Placed:
    """Carried values with places in the stead of a length and of what is kept of it."""

    def __init__(
        self, carries: Sequence[Carry], length: Carry, by: Const, dependence: Dependence,
        taken: set[str],
    ) -> None:  # fmt: skip
        self.length, self.by, self.dependence = length, by, dependence
        self.place = Value(free("place", taken), (), kind="input")
        self.total = free(f"{length.name}_steps", taken)
        self.begun = Value(free(f"{length.name}_begun", taken), (), kind="state")
        self.marks: dict[Value, tuple[Carry, Value, Value]] = {}
        for carry in carries:
            if carry is not length and dependence.mentions(carry.update, (length.state,)):
                ends = (free(f"{carry.name}_{word}", taken) for word in ("end", "begun"))
                one, other = (Value(name, (), kind="state") for name in ends)
                self.marks[carry.state] = (carry, one, other)
        self.carries = [new for carry in carries for new in self._placed(carry)]

    def _placed(self, carry: Carry) -> list[Carry]:
        if carry is self.length:
            start = self._pair(carry.update, None).start
            return [Carry(self.begun.name, self.begun, _less(ZERO, carry.init), start)]
        if carry.state not in self.marks:
            if self.dependence.mentions(carry.update, self.marks):
                raise _NoLength
            return [carry]
        _, end, begun = self.marks[carry.state]
        pair = self._pair(carry.update, carry)
        return [
            Carry(end.name, end, carry.init, pair.end), Carry(begun.name, begun, ZERO, pair.start)
        ]  # fmt: skip

    def _pair(self, term: Term, mark: Carry | None) -> _Pair:
        place = Read(self.place, ())
        if isinstance(term, Apply) and term.op == "where":
            condition, then, other = term.args
            if self.dependence.mentions(condition, (self.length.state, *self.marks)):
                raise _NoLength
            one, two = self._pair(then, mark), self._pair(other, mark)
            return _Pair(
                decided(Apply("where", (condition, one.end, two.end))),
                decided(Apply("where", (condition, one.start, two.start))),
            )
        if isinstance(term, Const) and type(term.value) is int:
            return _Pair(place, _less(place, term))
        if _more(term, self.length.state) is self.by:
            return _Pair(place, Read(self.begun, ()))
        if isinstance(term, Read) and term.value is self.length.state:
            return _Pair(_less(place, self.by), Read(self.begun, ()))
        if mark is not None and isinstance(term, Read) and term.value is mark.state:
            _, end, begun = self.marks[mark.state]
            return _Pair(Read(end, ()), Read(begun, ()))
        raise _NoLength

    def back(self, part: Part) -> Part | None:
        """The part with lengths, which counts its steps too."""
        places = self._fields_of_places(part)
        if places is None:
            return None
        steps = field(self.total, f"how much {self.length.name} grows in all", ZERO)
        update = [renamed(t, {self.place: Apply("add", (steps.left, self.by))})
                  for t in part.update]  # fmt: skip
        moved = {f.other: _moved(f, steps) for f in places}
        combine = [renamed(term, moved) for term in part.combine]
        ends = dict(zip(part.carries, part.finish, strict=True))
        before = {self.begun: _less(ZERO, Read(self.length.state, ()))}
        for carry, end, begun in self.marks.values():
            before |= {end: Read(carry.state, ()), begun: ZERO}
        finish: dict[Value, Term] = {}
        marked = {value: held for held in self.marks.values() for value in held[1:]}
        for state, term in ends.items():
            term = renamed(term, before)
            if state is self.begun:
                finish[self.length.state] = _less(steps.left, term)
            elif state in marked:
                carry, end, begun = marked[state]
                finish[carry.state] = _less(*(renamed(ends[v], before) for v in (end, begun)))
            else:
                finish[state] = term
        return replace(
            part, carries=tuple(finish), fields=(*part.fields, steps),
            update=(*update, Apply("add", (steps.left, self.by))),
            combine=(*combine, Apply("add", (steps.left, steps.right))),
            finish=tuple(finish.values()), commutes=False,
            proof=f"{part.proof}; {self.length.name} is the steps since it was begun",
        )  # fmt: skip

    def _fields_of_places(self, part: Part) -> list[Field] | None:
        """The fields that hold places, which nothing may look at but to keep them."""
        held: list[Field] = []
        while True:
            values = {self.place, *(v for f in held for v in (f.own, f.other))}
            found = [
                f for f, *terms in zip(part.fields, part.update, part.combine, strict=True)
                if any(_reads(term, values) for term in terms)
            ]  # fmt: skip
            if found == held:
                break
            held = found
        terms = (*part.update, *part.combine, *part.finish)
        looked = any(_looks_at(term, values) for term in terms)
        return None if looked else held


def _reads(term: Term, values: set[Value]) -> bool:
    """Is it, where nothing is asked, one of the values?"""
    if isinstance(term, Apply) and term.op == "where":
        return any(_reads(arg, values) for arg in term.args[1:])
    return any(isinstance(node, Read) and node.value in values for node in walk(term))


def _looks_at(term: Term, values: set[Value]) -> bool:
    """Is one of the values asked for, but whether it is None?"""
    return any(
        isinstance(node, Read) and node.value in values
        for choice in walk(term) if isinstance(choice, Apply) and choice.op == "where"
        for asked in walk(choice.args[0]) if isinstance(asked, Apply) and asked.op != "is"
        for node in asked.args
    )  # fmt: skip


def _moved(one: Field, steps: Field) -> Term:
    moved = Apply("add", (steps.left, one.right))
    if one.identity is not NONE:
        return moved
    return Apply("where", (Apply("is", (one.right, NONE)), NONE, moved))


def _less(a: Term, b: Term) -> Term:
    if b is ZERO:
        return a
    if isinstance(a, Const) and isinstance(b, Const):
        if isinstance(a.value, (int, float)) and isinstance(b.value, (int, float)):
            return Const(a.value - b.value)
    return Apply("sub", (a, b))
