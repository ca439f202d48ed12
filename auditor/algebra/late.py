"""Any algebra over what a step leaves of the element before: the rest is summarised as if that were
part of the element, and a piece keeps what it takes of its first element until the piece before is
known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from auditor.algebra.choices import settled
from auditor.algebra.delays import look_back
from auditor.algebra.monoid import Part, field, free, renamed, start_of
from auditor.algebra.states import Dependence
from auditor.notation import (
    FALSE,
    NONE,
    TRUE,
    Apply,
    Carry,
    Read,
    Term,
    Value,
    substitute,
    walk,
)

Under = Callable[[list[Carry], set[Value]], Part | None]


def late(
    carries: Sequence[Carry], dependence: Dependence, taken: set[str], under: Under
) -> Part | None:
    """The carried values that are those of the last element, and what ``under`` finds of the
    others, given which inputs stand for them."""
    carries = _certain(carries)
    ages = look_back(carries, dependence)
    latest = [c for c in carries if c.state in ages]
    rest = [c for c in carries if c.state not in ages]
    if not latest or not rest or set(ages.values()) != {1}:
        return None
    before = {c.state: Value(f"last_{c.name}", (), kind="input") for c in latest}
    by: dict[Value, Term] = {state: Read(value, ()) for state, value in before.items()}
    given = [replace(c, update=renamed(c.update, by)) for c in rest]
    part = under(given, set(before.values()))
    if part is None or part.guarded:
        return None
    names = {f.name for f in part.fields} | (taken - {c.name for c in carries})
    return _Late(part, latest, {c.state: c for c in rest}, before, names).part()


def _certain(carries: Sequence[Carry]) -> list[Carry]:
    """The carried values with what a branch has asked decided within it. Equal values are as good
    as each other: where one equals what takes its place else, it does not matter which it is."""
    flags = {c.state for c in carries if c.init in (TRUE, FALSE)}
    return [replace(c, update=_decided(c.update, flags)) for c in carries]


def _decided(term: Term, flags: set[Value]) -> Term:
    if not isinstance(term, Apply) or term.op != "where":
        return term
    test, then, other = term.args
    then, other = (
        _decided(substitute(side, _sure(_holding(test, answer), flags)), flags)
        for side, answer in ((then, True), (other, False))
    )
    for answer, one, instead in ((True, then, other), (False, other, then)):
        if any(isinstance(held, Apply) and held.op == "eq" and set(held.args) == {one, instead}
               for held in _holding(test, answer)):  # fmt: skip
            return instead
    return then if then is other else Apply("where", (test, then, other))


def _sure(held: tuple[Term, ...], flags: set[Value]) -> dict[Term, Term]:
    """The flags that are up where some terms hold."""
    return {one: TRUE for one in held if isinstance(one, Read) and one.value in flags}


def _holding(test: Term, answer: bool) -> tuple[Term, ...]:
    """What holds where a condition does, or does not."""
    if isinstance(test, Apply) and test.op == "not":
        return _holding(test.args[0], not answer)
    if isinstance(test, Apply) and test.op == ("and" if answer else "or"):
        return tuple(one for arg in test.args for one in _holding(arg, answer))
    if answer:
        return (test,)
    differ = isinstance(test, Apply) and test.op == "ne"
    return (Apply("eq", test.args),) if differ else ()  # type: ignore[attr-defined]


class _Late:
    def __init__(
        self,
        part: Part,
        latest: list[Carry],
        rest: dict[Value, Carry],
        before: dict[Value, Value],
        taken: set[str],
    ) -> None:
        self.under, self.latest, self.rest, self.before = part, latest, rest, before
        own = {f.own for f in part.fields}
        inputs = dict.fromkeys(
            n.value for term in part.update for n in walk(term)
            if isinstance(n, Read) and n.value not in own and n.value not in before.values()
        )  # fmt: skip
        self.seen = field(free("seen", taken), "was there an element?", FALSE)
        self.first = {
            value: field(free(_first(value, n), taken), f"{value.name} of the first element", NONE)
            for n, value in enumerate(inputs)
        }
        self.last = {
            c.state: field(free(f"last_{c.name}", taken), f"{c.name} after the last element", NONE)
            for c in latest
        }

    def part(self) -> Part:
        """All of it."""
        own, seen = self.under, self.seen
        lasts = {self.before[state]: f.left for state, f in self.last.items()}
        update: list[Term] = [TRUE]
        update += [_where(seen.left, f.left, Read(v, ())) for v, f in self.first.items()]
        update += [c.update for c in self.latest]
        stepped = (renamed(term, lasts) for term in own.update)
        update += [_where(seen.left, t, f.left) for t, f in zip(stepped, own.fields, strict=True)]
        fields = (seen, *self.first.values(), *self.last.values(), *own.fields)
        names = ", ".join(c.name for c in self.latest)
        return Part(
            (*(c.state for c in self.latest), *own.carries), fields, tuple(update),
            tuple(_where(seen.right, _where(seen.left, term, f.right), f.left)
                  for term, f in zip(self._both(lasts), fields, strict=True)),
            tuple(self._finish()), f"{own.algebra}, one element late",
            f"{names} is what the element before left: a piece keeps its first element until the "
            f"piece before it is known; {own.proof}", own.numerics,
        )  # fmt: skip

    def _both(self, lasts: dict[Value, Term]) -> list[Term]:
        """The fields of two pieces that both have elements."""
        firsts: dict[Value, Term] = {value: f.right for value, f in self.first.items()}
        seam = [renamed(term, lasts | firsts) for term in self.under.update]
        return [
            TRUE, *(f.left for f in self.first.values()), *(f.right for f in self.last.values()),
            *self._joined(seam, (f.right for f in self.under.fields)),
        ]  # fmt: skip

    def _joined(self, left: Iterable[Term], right: Iterable[Term]) -> list[Term]:
        by: dict[Value, Term] = {}
        for f, one, other in zip(self.under.fields, left, right, strict=True):
            by |= {f.own: one, f.other: other}
        return [settled(renamed(term, by), {}) for term in self.under.combine]

    def _finish(self) -> list[Term]:
        """What is carried after a piece, which begins with what is carried before the loop."""
        fields = self.under.fields
        begun: dict[Value, Term] = {f.own: f.identity for f in fields}
        begun |= {self.before[c.state]: start_of(c) for c in self.latest}
        begun |= {value: f.left for value, f in self.first.items()}
        seam = [settled(renamed(term, begun), {}) for term in self.under.update]
        whole = self._joined(seam, (f.left for f in fields))
        by = {f.own: term for f, term in zip(fields, whole, strict=True)}
        ends = [_where(self.seen.left, f.left, start_of(c))
                for c, f in zip(self.latest, self.last.values(), strict=True)]  # fmt: skip
        after = (settled(renamed(term, by), {}) for term in self.under.finish)
        starts = (start_of(self.rest[state]) for state in self.under.carries)
        return [*ends, *(_where(self.seen.left, a, b) for a, b in zip(after, starts, strict=True))]


def _first(value: Value, number: int) -> str:
    return f"first_{value.name if value.name.isidentifier() else f'part{number}'}"


def _where(condition: Term, then: Term, other: Term) -> Term:
    return then if then is other else Apply("where", (condition, then, other))
