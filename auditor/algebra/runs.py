"""Stretches of elements that are closed where the element says so: runs of equal letters, sessions
between pauses, records between separators. What a stretch has come to is put into a list, or added
to what the others came to, when the next one begins.

Of a piece it is known what the elements before its first end of a stretch do to the one that was
open before it, what all stretches that lie in the piece came to, and what is open after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from auditor.algebra.choices import asked_once, leaves, settled
from auditor.algebra.monoid import Part, field, free, grade, renamed, start_of
from auditor.algebra.own_state import SOME_TEXT
from auditor.algebra.states import Dependence
from auditor.notation import (
    FALSE,
    INF,
    NONE,
    TRUE,
    ZERO,
    Apply,
    Carry,
    Const,
    Read,
    Term,
    Value,
    transform,
    walk,
)

Under = Callable[[list[Carry]], Part | None]
_IDENTITIES: dict[str, Term] = {
    "add": ZERO, "max": Const(float("-inf")), "min": INF,
    "union": Read(Value("set()", (), kind="input"), ()),
}  # fmt: skip


@dataclass(frozen=True)
class _Closed:
    """A carried value that a stretch is put into when it ends: by which operation, and what it is
    then."""

    carry: Carry
    op: str
    update: Term

    @property
    def nothing(self) -> Term:
        """What it is of no stretches."""
        if self.op != "concat":
            return _IDENTITIES[self.op]
        text = isinstance(self.carry.init, Const)
        return Const("") if text else Read(Value("[]", (), kind="input"), ())


@dataclass(frozen=True)
class _Runs:
    """``ends`` says, of the element, when a stretch ends; ``going`` are ``starts`` as a step makes
    them of what is open else, ``begun`` what is open then."""

    ends: Term
    closed: tuple[_Closed, ...]
    starts: tuple[Carry, ...]
    going: tuple[Carry, ...]
    begun: tuple[Term, ...]


def runs(
    carries: Sequence[Carry], dependence: Dependence, taken: set[str], under: Under
) -> Part | None:
    """Stretches that are summarised by what ``under`` finds of the steps within one."""
    if len(carries) < 2:
        return None
    for condition, ends in _conditions(carries, dependence):
        found = _read(carries, condition, ends, dependence)
        part = None if found is None else under(list(found.going))
        if found is not None and part is not None and not part.guarded:
            return _Summary(found, part, taken).part()
    return None


def _conditions(carries: Sequence[Carry], dependence: Dependence) -> Iterator[tuple[Term, Const]]:
    """What is asked of the element at a step, with the answer for which a stretch may end."""
    for carry in carries:
        update, mine = carry.update, Read(carry.state, ())
        if isinstance(update, Apply) and update.op == "where":
            test, then, other = update.args
            if not dependence.states(test) and mine in (then, other):
                yield test, TRUE if other is mine else FALSE


def _read(
    carries: Sequence[Carry], condition: Term, ends: Const, dependence: Dependence
) -> _Runs | None:
    goes = FALSE if ends is TRUE else TRUE
    closed, starts, going, begun = [], [], [], []
    for carry in carries:
        at_end, within = (_answered(carry.update, condition, way) for way in (ends, goes))
        if not dependence.states(at_end):
            starts.append(carry)
            going.append(replace(carry, init=_before(carry), update=within))
            begun.append(at_end)
            continue
        op = _operation(carry, at_end, dependence)
        if op is None or within is not Read(carry.state, ()):
            return None
        closed.append(_Closed(carry, op, at_end))
    kept = {one.carry.state for one in closed}
    if not closed or not going or any(dependence.mentions(c.update, kept) for c in going):
        return None
    if any(dependence.mentions(o.update, kept - {o.carry.state}) for o in closed):
        return None
    asked = condition if ends is TRUE else Apply("not", (condition,))
    return _Runs(asked, tuple(closed), tuple(starts), tuple(going), tuple(begun))


def _before(carry: Carry) -> Term:
    """A start of which nothing is known but whether it is a text: of a piece it is what was open
    before it."""
    text = isinstance(carry.init, Const) and isinstance(carry.init.value, str)
    return Read(Value(SOME_TEXT if text else f"{carry.name} before", (), kind="input"), ())


def _answered(term: Term, condition: Term, answer: Const) -> Term:
    return settled(transform(term, lambda node: answer if node is condition else node), {})


def _operation(carry: Carry, update: Term, dependence: Dependence) -> str | None:
    """The operation by which each leaf of an update puts something into a value, or leaves it."""
    mine, ops = Read(carry.state, ()), set()
    for leaf in leaves(update):
        if leaf is mine:
            continue
        if not isinstance(leaf, Apply) or leaf.op not in ("concat", *_IDENTITIES):
            return None
        if len(leaf.args) != 2 or mine not in leaf.args:
            return None
        if leaf.op == "concat" and leaf.args[0] is not mine:
            return None
        if sum(dependence.mentions(arg, (carry.state,)) for arg in leaf.args) != 1:
            return None
        ops.add(leaf.op)
    tests = [n.args[0] for n in walk(update) if isinstance(n, Apply) and n.op == "where"]
    if len(ops) != 1 or any(dependence.mentions(test, (carry.state,)) for test in tests):
        return None
    return ops.pop()


class _Summary:
    def __init__(self, found: _Runs, under: Part, taken: set[str]) -> None:
        self.found, self.under = found, under
        names = {c.name for c in found.going} | {one.carry.name for one in found.closed}
        taken = (taken - names) | {f.name for f in under.fields}
        self.cut = field(free("ended", taken), "does a stretch end in the piece?", FALSE)
        own = {one.carry.state for one in found.closed} | {c.state for c in found.going}
        inputs = dict.fromkeys(
            n.value for one in found.closed for n in walk(one.update)
            if isinstance(n, Read) and n.value not in own and _named(n.value)
        )  # fmt: skip
        self.at = {
            value: field(free(f"{_word(value, n)}_at_end", taken),
                         f"{value.name} where the first stretch ends", NONE)
            for n, value in enumerate(inputs)
        }  # fmt: skip
        self.closed = [
            field(free(one.carry.name, taken), f"{one.carry.name} of stretches in the piece",
                  one.nothing) for one in found.closed
        ]  # fmt: skip
        self.tail = [
            field(free(f"open_{c.name}", taken), f"{c.name} of what is open after it", NONE)
            for c in found.going
        ]

    def part(self) -> Part:
        """All of it."""
        found, under = self.found, self.under
        fields = (self.cut, *under.fields, *self.at.values(), *self.closed, *self.tail)
        combine = self._combine()
        names = ", ".join(one.carry.name for one in found.closed)
        opened = ", ".join(c.name for c in found.going)
        finish = self._finish()
        return Part(
            tuple(finish), fields, self._update(), combine, tuple(finish.values()),
            f"stretches that end, of {under.algebra}",
            f"{names} is given what a stretch came to where it ends, and {opened} begins anew: of "
            "the first stretch of a piece it is known what the piece does to it, the others are "
            f"known; in a stretch {under.proof}", grade(combine),
        )  # fmt: skip

    def _update(self) -> tuple[Term, ...]:
        found, ends, cut = self.found, self.found.ends, self.cut.left
        tail = {c.state: f.left for c, f in zip(found.going, self.tail, strict=True)}
        stepped = [renamed(c.update, tail) for c in found.going]
        out: list[Term] = [Apply("or", (cut, ends))]
        for f, term in zip(self.under.fields, self.under.update, strict=True):
            out.append(asked_once(cut, f.left, asked_once(ends, f.left, term)))
        for value, f in self.at.items():
            out.append(asked_once(cut, f.left, asked_once(ends, Read(value, ()), f.left)))
        for one, f in zip(found.closed, self.closed, strict=True):
            put = renamed(one.update, {**tail, one.carry.state: f.left})
            out.append(asked_once(cut, asked_once(ends, put, f.left), f.left))
        for begun, step, f in zip(found.begun, stepped, self.tail, strict=True):
            out.append(asked_once(ends, begun, asked_once(cut, step, f.left)))
        return tuple(out)

    def _combine(self) -> tuple[Term, ...]:
        left, right = self.cut.left, self.cut.right
        found, under = self.found, self.under
        heads: dict[Value, Term] = {f.own: f.right for f in under.fields}
        heads |= {c.state: f.left for c, f in zip(found.going, self.tail, strict=True)}
        after = self._opened(heads, "right")
        out: list[Term] = [Apply("or", (left, right))]
        for f, term in zip(under.fields, under.combine, strict=True):
            out.append(asked_once(left, f.left, term))
        out += [asked_once(left, f.left, f.right) for f in self.at.values()]
        at: dict[Value, Term] = {value: f.right for value, f in self.at.items()}
        for one, f in zip(found.closed, self.closed, strict=True):
            put = renamed(one.update, {**at, **after, one.carry.state: f.left})
            whole = Apply(one.op, (put, f.right))
            out.append(asked_once(left, asked_once(right, whole, f.left), f.right))
        for c, f in zip(found.going, self.tail, strict=True):
            out.append(asked_once(right, f.right, asked_once(left, after[c.state], f.left)))
        return tuple(out)

    def _opened(self, by: dict[Value, Term], side: str) -> dict[Value, Term]:
        """What is open after the first stretch's elements of a piece. Of what may be None nothing
        is computed where there are no such elements."""
        fields = self.under.fields
        same = [Apply("is" if f.identity is NONE else "eq", (getattr(f, side), f.identity))
                for f in fields]  # fmt: skip
        still = reduce(lambda one, other: Apply("and", (one, other)), same) if same else FALSE
        ends = dict(zip(self.under.carries, self.under.finish, strict=True))
        after = {state: renamed(term, by) for state, term in ends.items()}
        for start, begun in zip(self.found.starts, self.found.begun, strict=True):
            if same and NONE in (start.init, *leaves(begun)):
                old = by[start.state]
                after[start.state] = asked_once(still, old, after[start.state])
        return after

    def _finish(self) -> dict[Value, Term]:
        found, cut = self.found, self.cut.left
        starts: dict[Value, Term] = {c.state: start_of(c) for c in found.starts}
        after = {state: settled(t, {}) for state, t in self._opened(starts, "left").items()}
        at: dict[Value, Term] = {value: f.left for value, f in self.at.items()}
        out: dict[Value, Term] = {}
        for one, f in zip(found.closed, self.closed, strict=True):
            begun = start_of(one.carry) if one.op != "concat" or not _empty(one.carry) else (
                one.nothing
            )  # fmt: skip
            put = renamed(one.update, {**at, **after, one.carry.state: begun})
            out[one.carry.state] = asked_once(cut, Apply(one.op, (put, f.left)), begun)
        for c, f in zip(found.going, self.tail, strict=True):
            out[c.state] = asked_once(cut, f.left, after[c.state])
        return out


def _empty(carry: Carry) -> bool:
    """Does a list or a text certainly begin with nothing in it?"""
    made = carry.init.value.name if isinstance(carry.init, Read) else ""
    return made == "[]" or carry.init is Const("")


def _named(value: Value) -> bool:
    """Is an input more than a display that is written out?"""
    return value.name not in ("[]", "()", "set()")


def _word(value: Value, number: int) -> str:
    return value.name if value.name.isidentifier() else f"part{number}"
