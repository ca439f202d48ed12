"""What is kept of the element at which an extreme was reached: the end of the longest run, the
start after the lowest prefix.

The extreme is a maximum of paths, each from what was carried or from nothing; of each path it is
known how large it is. A path that ends in the extreme at some element has what is kept of that
element, so that the larger of two paths decides, and of equally large ones the one that came first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from auditor.algebra.blocks import Kept
from auditor.algebra.choices import settled
from auditor.algebra.extremes import difference, extreme
from auditor.algebra.limits import CannotSpell
from auditor.algebra.monoid import Field, Part, field, free, start_of
from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import scale, subtract
from auditor.algebra.semirings import SUMS, NotLinear, negated
from auditor.algebra.spell import spelled
from auditor.algebra.states import Dependence
from auditor.notation import (
    FALSE,
    NONE,
    ONE,
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

_KEPT, _LEFT, _RIGHT, _NOW, _MIXED = range(5)
"""When a path reached the extreme: before the piece, in the left one, in the right one, now."""


@dataclass(frozen=True)
class Follower:
    """A carried value that is set to ``taken``, and ``times`` the leader's new value, where
    ``leader`` grows."""

    carry: Carry
    leader: Carry
    taken: Term
    times: int = 0

    @property
    def start(self) -> Term:
        """What it begins as, without what it has of the leader."""
        return self.moved(start_of(self.carry), start_of(self.leader), -1)

    def moved(self, term: Term, by: Term, sign: int = 1) -> Term:
        """``term`` with what it has of the leader, or without."""
        if not self.times:
            return term
        return SUMS.add(term, by if self.times == sign else negated(by))


def followers(rows: Sequence[Carry], dependence: Dependence, op: str) -> list[Follower]:
    """The rows that follow another one, which is a ``max`` or ``min``."""
    states = {row.state for row in rows}
    normaliser = Normaliser()
    found = []
    for row in rows:
        if any(dependence.mentions(o.update, (row.state,)) for o in rows if o is not row):
            continue
        for leader in rows:
            taken = None if leader is row else _taken(row, leader, op, normaliser, dependence)
            one = None if taken is None else _follower(row, leader, *taken, states, normaliser)
            if one is not None:
                found.append(one)
                break
    leaders = {one.carry.state for one in found}
    return [one for one in found if one.leader.state not in leaders]


def _follower(
    row: Carry, leader: Carry, taken: Term, new: Term, states: set[Value], normaliser: Normaliser
) -> Follower | None:
    """A row that is set to ``taken`` where the leader becomes ``new``, if it needs no more of what
    is carried than that."""
    if not Dependence().mentions(taken, states):
        return Follower(row, leader, taken)
    number = isinstance(row.init, Const) and type(row.init.value) in (int, float)
    for times in (1, -1) if number else ():
        rest = subtract(normaliser.normal(taken), scale(normaliser.normal(new), times))
        with suppress(CannotSpell):
            left = spelled(rest)
            if not Dependence().mentions(left, states):
                return Follower(row, leader, left, times)
    return None


def _taken(
    row: Carry, leader: Carry, op: str, normaliser: Normaliser, dependence: Dependence
) -> tuple[Term, Term] | None:
    """What a row is set to exactly where the leader takes something else than itself, and what
    that is."""
    update = leader.update
    if isinstance(update, Apply) and update.op == "where":
        update = extreme(update, normaliser) or update
    if not isinstance(update, Apply) or update.op != op or len(update.args) != 2:
        return None
    own = [arg for arg in update.args if dependence.mentions(arg, (leader.state,))]
    if len(own) != 1:
        return None
    new = update.args[0] if update.args[1] is own[0] else update.args[1]
    ends = (new, own[0]) if op == "max" else (own[0], new)
    wanted = difference(*ends, normaliser)
    for node in walk(row.update):
        if not isinstance(node, Apply) or node.op not in ("lt", "gt") or wanted is None:
            continue
        sides = node.args if node.op == "gt" else node.args[::-1]
        if difference(sides[0], sides[1], normaliser) != wanted:
            continue
        then, other = (_where(row.update, node, answer) for answer in (TRUE, FALSE))
        if other is Read(row.state, ()):
            return then, new
    return None


def _where(term: Term, question: Term, answer: Const) -> Term:
    return settled(transform(term, lambda node: answer if node is question else node), {})


def followed(part: Part, keeper: Kept, found: Sequence[Follower], taken: set[str]) -> Part:
    """The part of the leaders' rows with what follows them."""
    for leader in dict.fromkeys(one.leader for one in found):
        part = _Led(part, keeper, leader, [f for f in found if f.leader is leader], taken).part()
    return part


@dataclass(frozen=True)
class _Path:
    """The larger of some paths: its value, when it reached the extreme, as a kind and as a number
    of elements, and what each follower is then."""

    value: Term
    kind: int
    place: Term
    kept: tuple[Term, ...]


class _Led:
    """One leader: its fields that are paths from elsewhere, with a place and values for each."""

    def __init__(
        self, part: Part, keeper: Kept, leader: Carry, found: Sequence[Follower], taken: set[str]
    ) -> None:
        self.whole, self.leader, self.found = part, leader, found
        self.op = keeper.shape.ring.plus
        state = leader.state
        ends = [f for key, f in keeper.fields.items() if key[1] is state and key[2] is not state]
        alone = len(ends) == 1
        self.count = field(free("count", taken), "how many elements the piece has", ZERO)
        self.places = {
            f: field(free(f"{f.name}_place", taken), f"after how many elements {f.name} is reached",
                     ZERO) for f in ends
        }  # fmt: skip
        self.kept = {
            f: [
                field(free(one.carry.name if alone else f"{one.carry.name}_of_{f.name}", taken),
                      f"{one.carry.name} where {f.name} is reached", NONE)
                for one in found
            ]
            for f in ends
        }  # fmt: skip
        self.by = {f.own: f for f in ends} | {f.other: f for f in ends}

    def part(self) -> Part:
        """All of it."""
        part = self.whole
        taken = tuple(one.taken for one in self.found)
        before = tuple(one.start for one in self.found)
        nothing = tuple(NONE for _ in self.found)
        update = self._of(part.update, _Path(ZERO, _NOW, self.count.left, taken))
        combine = self._of(part.combine, _Path(ZERO, _KEPT, ZERO, nothing))
        where = part.carries.index(self.leader.state)
        end = self._path(part.finish[where], _Path(ZERO, _KEPT, Const(-1), before))
        count = self.count
        more = Apply("add", (count.left, ONE)), Apply("add", (count.left, count.right))
        fields = [*update, count]
        found = Part(
            (*part.carries, *(one.carry.state for one in self.found)),
            (*part.fields, *fields),
            (*part.update, *update.values(), more[0]),
            (*part.combine, *combine.values(), more[1]),
            (*part.finish, *(f.moved(kept, end.value)
                             for f, kept in zip(self.found, end.kept, strict=True))),
            f"{part.algebra}, with where it was",
            f"{part.proof}; {', '.join(one.carry.name for one in self.found)} follows "
            f"{self.leader.name}: of two paths the larger one decides, the earlier one on a tie",
            "reassociated",
        )  # fmt: skip
        return needed(found)

    def _of(self, terms: tuple[Term, ...], else_: _Path) -> dict[Field, Term]:
        """What becomes of the places and the values of each path."""
        out: dict[Field, Term] = {}
        for f, term in zip(self.whole.fields, terms, strict=True):
            if f in self.places:
                path = self._path(term, else_)
                out[self.places[f]] = path.place
                out |= dict(zip(self.kept[f], path.kept, strict=True))
        return out

    def _path(self, term: Term, else_: _Path) -> _Path:
        """The path that a term is the value of; ``else_`` is one of none of the fields."""
        if isinstance(term, Apply) and term.op == "where":
            sides = [self._path(arg, else_) for arg in term.args[1:]]
            return self._either(term.args[0], *sides)
        if isinstance(term, Apply) and term.op == self.op:
            out = self._path(term.args[0], else_)
            for other in term.args[1:]:
                out = self._larger(out, self._path(other, else_))
            return out
        read = {n.value for n in walk(term) if isinstance(n, Read) and n.value in self.by}
        if len(read) > 1:
            raise NotLinear
        if not read:
            return replace(else_, value=term)
        value = read.pop()
        f = self.by[value]
        left = value is f.own
        place = self.places[f].left if left else SUMS.add(self.count.left, self.places[f].right)
        kept = tuple(one.left if left else one.right for one in self.kept[f])
        return _Path(term, _LEFT if left else _RIGHT, place, kept)

    def _larger(self, one: _Path, other: _Path) -> _Path:
        """The better of two paths, on a tie the one that came first."""
        if one.kind > other.kind and one.kind != _MIXED:
            one, other = other, one
        values = (one.value, other.value) if self.op == "max" else (other.value, one.value)
        better: Term = Apply("lt", values)
        if one.kind == other.kind != _NOW or _MIXED in (one.kind, other.kind):
            first = Apply("lt", (other.place, one.place))
            tie = Apply("and", (Apply("eq", (one.value, other.value)), first))
            better = Apply("or", (better, tie))
        whole = self._either(better, other, one)
        return replace(whole, value=Apply(self.op, (one.value, other.value)))

    def _either(self, condition: Term, one: _Path, other: _Path) -> _Path:
        def choose(a: Term, b: Term) -> Term:
            return a if a is b else Apply("where", (condition, a, b))

        return _Path(
            choose(one.value, other.value), one.kind if one.kind == other.kind else _MIXED,
            choose(one.place, other.place),
            tuple(choose(a, b) for a, b in zip(one.kept, other.kept, strict=True)),
        )  # fmt: skip


def needed(part: Part) -> Part:
    """The part without the numbers of elements that nothing asks for."""
    terms = list(zip(part.fields, part.update, part.combine, strict=True))
    read = _read(part.finish)
    kept = [one for one in terms if one[0].identity is not ZERO]
    while True:
        read |= _read(term for one in kept for term in one[1:])
        more = [one for one in terms if one not in kept and {one[0].own, one[0].other} & read]
        if not more:
            break
        kept += more
    left = [one for one in terms if one in kept]
    fields, update, combine = zip(*left, strict=True)
    return replace(part, fields=fields, update=update, combine=combine)


def _read(terms: Iterable[Term]) -> set[Value]:
    return {node.value for term in terms for node in walk(term) if isinstance(node, Read)}
