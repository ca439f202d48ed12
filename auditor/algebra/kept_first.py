"""What is kept of the first element that meets a condition: nothing changes once a question about
the carried values alone (a flag, a sentinel, None, emptiness) is answered with no.

While the question is open, a step either leaves the carried values or puts what it knows of the
element in their place; what it puts there may leave the question open, and is replaced in turn.
A piece is told by what it puts in place, if anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from auditor.algebra.choices import settled, truth
from auditor.algebra.monoid import Field, Part, field, renamed, start_of
from auditor.algebra.states import Dependence
from auditor.notation import (
    FALSE,
    NONE,
    TRUE,
    Apply,
    Carry,
    Const,
    Read,
    Term,
    Value,
    transform,
    walk,
)

_QUESTIONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "is"))


def first(carries: list[Carry], dependence: Dependence) -> Part | None:
    """Carried values that are replaced together, and only while a question about them is open."""
    if all(isinstance(carry.init, Const) and truth(carry.init) for carry in carries):
        return None
    for question in _questions(carries):
        for answer in (TRUE, FALSE):
            found = _taken(carries, question, answer, dependence)
            if found is not None:
                return _Waiting(carries, question, answer is TRUE, *found).part()
    return None


def _questions(carries: list[Carry]) -> Iterator[Term]:
    """What is asked of carried values alone, in the order of the code."""
    states = {carry.state for carry in carries}
    seen: set[Term] = set()
    for carry in carries:
        for node in walk(carry.update):
            asked: list[Term] = []
            if isinstance(node, Apply) and node.op in _QUESTIONS:
                asked = [node]
            elif isinstance(node, Apply) and node.op in ("where", "and", "or", "not"):
                asked = list(node.args[: 1 if node.op == "where" else None])
                asked = [arg for arg in asked if isinstance(arg, Read)]
            for one in asked:
                reads = [n for n in walk(one) if not isinstance(n, (Apply, Const))]
                alone = all(isinstance(n, Read) and n.value in states for n in reads)
                if reads and alone and one not in seen:
                    seen.add(one)
                    yield one


def _taken(
    carries: list[Carry], question: Term, answer: Const, dependence: Dependence
) -> tuple[Term, dict[Value, Term]] | None:
    """When an element is taken while the question is open, which ``answer`` says that it is, and
    what of it."""
    states = {carry.state for carry in carries}
    closed = FALSE if answer is TRUE else TRUE
    taken: dict[Value, Term] = {}
    conditions: set[Term] = set()
    for carry in carries:
        mine = Read(carry.state, ())
        flag = question is mine and isinstance(carry.init, Const) and truth(carry.init)
        if _answered(carry.update, question, closed) not in ((mine, closed) if flag else (mine,)):
            return None
        update = _answered(carry.update, question, answer)
        condition: Term = TRUE
        if flag:
            if not truth(update):
                return None
            condition, update = _turned(update, answer), closed
        elif isinstance(update, Apply) and update.op == "where" and mine in update.args[1:]:
            test, then, other = update.args
            condition = test if other is mine else Apply("not", (test,))
            update = then if other is mine else other
        if dependence.mentions(update, states) or dependence.mentions(condition, states):
            return None
        taken[carry.state] = update
        conditions.add(condition)
    return (conditions.pop(), taken) if len(conditions) == 1 else None


def _turned(update: Term, answer: Const) -> Term:
    """When a flag that leaves the question open is turned round."""
    by: dict[tuple[Term, ...], bool] = {(TRUE, FALSE): True, (FALSE, TRUE): False}
    if isinstance(update, Apply) and update.op == "where" and update.args[1:] in by:
        condition: Term = update.args[0]
        raises = by[update.args[1:]]
    else:
        condition, raises = update, True
    if raises is (answer is FALSE):
        return condition
    return settled(Apply("not", (condition,)), {})


def _answered(term: Term, question: Term, answer: Const) -> Term:
    """``term`` where the question has this answer. What merely counts as true stays what it is
    where its value is wanted."""
    if not isinstance(question, Read):
        return settled(transform(term, lambda node: answer if node is question else node), {})
    if truth(question) or question.value.dtype == "bool":
        return settled(term, {question.value: answer})

    def change(node: Term) -> Term:
        if not isinstance(node, Apply):
            return node
        if node.op in ("or", "and") and node.args[0] is question and len(node.args) == 2:
            return question if (node.op == "or") == (answer is TRUE) else node.args[1]
        if node.op in ("where", "not") and node.args[0] is question:
            return Apply(node.op, (answer, *node.args[1:]))
        return node

    return settled(transform(term, change), {})


@dataclass(frozen=True)
class _Waiting:
    """Carried values that wait for an element: the question, whether yes leaves it open, when an
    element is taken, and what of it."""

    carries: list[Carry]
    question: Term
    yes: bool
    condition: Term
    taken: dict[Value, Term]

    def part(self) -> Part:
        flag = self._flag()
        names = ", ".join(c.name for c in self.carries if c is not flag)
        sentinel = self._sentinel()
        said: Field | None = None
        fields = {c.state: self._field(c) for c in self.carries if c is not flag}
        if sentinel is None:
            plain = flag is not None and not self.yes
            name = flag.name if plain and flag is not None else f"{self.carries[0].name}_found"
            said = field(name, "was there such an element?", FALSE)
        kept = list(fields.values())
        new = [self.taken[state] for state in fields]
        had = self._had(said, kept, "left")
        both = self._then(kept, had, [f.right for f in kept], self._had(said, kept, "right"))
        step = self._then(kept, had, new, self.condition)
        starts = [start_of(c) for c in self.carries if c is not flag]
        waits = self._open({c.state: start_of(c) for c in self.carries})
        finish: list[Term] = []
        for term, start in zip(kept, starts, strict=True):
            if sentinel is not None:
                finish.append(term.left if waits is TRUE else _where(waits, term.left, start))
            else:
                finish.append(_where(_and(waits, had), term.left, start))
        order = [c.state for c in self.carries if c is not flag]
        if said is not None:
            kept = [said, *kept]
            step = [_or(said.left, self.condition), *step]
            both = [Apply("or", (said.left, said.right)), *both]
        if flag is not None:
            assert said is not None
            turned: Term = Apply("not", (said.left,)) if self.yes else said.left
            order, finish = [flag.state, *order], [turned, *finish]
        return Part(
            tuple(order), tuple(kept), tuple(step), tuple(both), tuple(finish),
            "the first such element",
            f"{names or (flag.name if flag else '')} changes only while nothing is found: of two "
            "pieces the earlier one that has such an element decides", "exact",
        )  # fmt: skip

    def _field(self, carry: Carry) -> Field:
        sentinel = self._sentinel()
        return field(carry.name, f"{carry.name} of the first one", sentinel or NONE)

    def _flag(self) -> Carry | None:
        """The carried value that says by itself whether an element was taken."""
        for carry in self.carries:
            if self.question is Read(carry.state, ()) and isinstance(carry.init, Const):
                if truth(carry.init) and bool(carry.init.value) == self.yes:
                    return carry
        return None

    def _sentinel(self) -> Const | None:
        """The one value that leaves the question open, where the loop begins with it: a piece is
        told by what it makes of that."""
        if len(self.carries) != 1 or not isinstance(self.question, Apply) or not self.yes:
            return None
        (carry,) = self.carries
        mine = Read(carry.state, ())
        if self.question.op not in ("eq", "is") or mine not in self.question.args:
            return None
        (other,) = [arg for arg in self.question.args if arg is not mine] or (mine,)
        return other if isinstance(other, Const) and other is carry.init else None

    def _open(self, by: dict[Value, Term]) -> Term:
        """Whether the question is open for these values."""
        asked = settled(renamed(self.question, by), {})
        if isinstance(asked, Const):
            return TRUE if bool(asked.value) == self.yes else FALSE
        return asked if self.yes else Apply("not", (asked,))

    def _had(self, said: Field | None, kept: list[Field], side: str) -> Term:
        if said is not None:
            return said.left if side == "left" else said.right
        (one,) = kept
        return Apply("not", (self._open({self.carries[0].state: getattr(one, side)}),))

    def _then(self, kept: list[Field], had: Term, new: list[Term], condition: Term) -> list[Term]:
        """What stands in place after what is there, and then maybe something ``new``."""
        if self._sentinel() is not None:
            (one,) = kept
            waits = self._open({self.carries[0].state: one.left})
            fresh = _where(condition, new[0], one.left) if new[0] is not one.right else new[0]
            return [_where(waits, fresh, one.left)]
        by: dict[Value, Term] = {c.state: self.taken[c.state] for c in self.carries}
        names = [c.state for c in self.carries if self._flag() is not c]
        by |= {state: one.left for state, one in zip(names, kept, strict=True)}
        again = self._open(by)
        stays = had if again is FALSE else _and(had, Apply("not", (_and(again, condition),)))
        return [
            _where(stays, one.left, _where(condition, term, one.left) if term is not one.right
                   else term)
            for one, term in zip(kept, new, strict=True)
        ]  # fmt: skip


def _where(condition: Term, then: Term, other: Term) -> Term:
    if isinstance(condition, Const):
        return then if condition.value else other
    if isinstance(condition, Apply) and condition.op == "not":
        return Apply("where", (condition.args[0], other, then))
    return Apply("where", (condition, then, other))


def _and(a: Term, b: Term) -> Term:
    return b if a is TRUE else a if b is TRUE else Apply("and", (a, b))


def _or(a: Term, b: Term) -> Term:
    return TRUE if b is TRUE else Apply("or", (a, b))
