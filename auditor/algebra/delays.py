"""Loops that look at the last few elements: what a step reads of the elements before it is kept of
the first few of a piece, until the piece before is known, and of the last few for the piece after.

With a look back of d elements, the first d steps of a piece cannot be told before their
surroundings are; all later ones can, and are composed. When two pieces meet, the first d steps
of the right one are run on what the left one leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from auditor.algebra.blocks import Block, Kept
from auditor.algebra.choices import settled
from auditor.algebra.monoid import Field, field, renamed
from auditor.algebra.states import Dependence
from auditor.notation import FALSE, NONE, TRUE, Apply, Carry, Read, Term, Value

DEEPEST = 3
_ORDINALS = ("first", "second", "third")


def look_back(carries: Sequence[Carry], dependence: Dependence) -> dict[Value, int]:
    """The carried values that are those of one of the last few elements, and of which: 1 is the
    element before."""
    states = {carry.state for carry in carries}
    ages: dict[Value, int] = {}
    for _ in range(DEEPEST):
        for carry in carries:
            update = carry.update
            if not dependence.mentions(update, states):
                ages[carry.state] = 1
            elif isinstance(update, Read) and update.value in ages and carry.state not in ages:
                age = ages[update.value] + 1
                if age <= DEEPEST:
                    ages[carry.state] = age
    return ages


@dataclass(frozen=True)
class Terms:
    """The fields of a piece and what becomes of them."""

    fields: tuple[Field, ...]
    update: tuple[Term, ...]
    combine: tuple[Term, ...]
    finish: dict[Value, Term]
    joined: tuple[Term, ...]
    started: tuple[Term, ...]


class Delayed:
    """Composes the steps of a loop that looks back. ``inputs`` are what a step reads of its
    element (and of around the loop, which a combine is not given), by the names of their fields."""

    def __init__(
        self,
        keeper: Kept,
        step: Block,
        latest: Sequence[Carry],
        depth: int,
        inputs: dict[Value, tuple[str, str]],
        free: Callable[[str], str],
        start: Callable[[Carry], Term],
    ) -> None:
        self.keeper, self.shape, self.step = keeper, keeper.shape, step
        self.latest, self.depth, self.start = latest, depth, start
        words = [_ORDINALS[k] for k in range(depth)]
        many = depth > 1
        self.seen = [
            field(free(f"seen_{word}" if many else "seen"),
                  f"was there a {word} element?" if many else "was there an element?", FALSE)
            for word in words
        ]  # fmt: skip
        self.early = [
            {
                value: field(free(name.replace("{}", word)), meaning.replace("{}", word), NONE)
                for value, (name, meaning) in inputs.items()
            }
            for word in words
        ]
        self.late = {
            c.state: field(free(f"last_{c.name}"), f"{c.name} after the last element", NONE)
            for c in latest
        }
        self.rest = tuple(keeper.fields.values())
        early = [f for fields in self.early for f in fields.values()]
        self.fields = (*self.seen, *early, *self.late.values(), *self.rest)

    def terms(self) -> Terms:
        """All of it."""
        joined = self._joined()
        return Terms(
            self.fields, self._update(), self._combine(joined), self._finish(), joined,
            self._entries(),
        )  # fmt: skip

    # -- one more element

    def _update(self) -> tuple[Term, ...]:
        own = self.keeper.block("left")
        lasts = {state: f.left for state, f in self.late.items()}
        after = self.keeper.of(self.shape.compose(own, _given(self.step, lasts)))
        out: list[Term] = [TRUE]
        out += [
            Apply("or", (now.left, before.left))
            for before, now in zip(self.seen, self.seen[1:], strict=False)
        ]
        for seen, fields in zip(self.seen, self.early, strict=True):
            out += [_where(seen.left, f.left, Read(v, ())) for v, f in fields.items()]
        out += [renamed(c.update, lasts) for c in self.latest]
        whole = self.seen[-1].left
        out += [_where(whole, new, f.left) for new, f in zip(after, self.rest, strict=True)]
        return tuple(out)

    # -- two pieces

    def _combine(self, joined: tuple[Term, ...]) -> tuple[Term, ...]:
        # both pieces have elements
        left = [TRUE, TRUE, *(f.left for f in self.seen[1:])]
        right = [TRUE, TRUE, *(f.right for f in self.seen[1:])]
        both: list[Term] = [TRUE]
        for k in range(2, self.depth + 1):
            both.append(_either([left[k], *(_and(left[m], right[k - m]) for m in range(1, k))]))
        for k, fields in enumerate(self.early, start=1):
            for value, mine in fields.items():
                term = mine.left
                for m in range(1, k):  # so many of the left piece
                    other = self.early[k - m - 1][value].right
                    term = other if m == 1 else _where(left[m], other, term)
                both.append(_where(left[k], mine.left, term))
        passed = self._passed({s: f.left for s, f in self.late.items()}, "right")
        for c in self.latest:
            values = [*(p[c.state] for p in passed[1:-1]), self.late[c.state].right]
            term = values[0]
            for k, later in enumerate(values[1:], start=2):
                term = _where(right[k], later, term)
            both.append(term)
        both += joined
        some = self.seen[0]
        return tuple(
            _where(some.right, _where(some.left, term, f.right), f.left)
            for term, f in zip(both, self.fields, strict=True)
        )

    def _passed(self, lasts: dict[Value, Term], side: str) -> list[dict[Value, Term]]:
        """The last elements' values, and what they are after each of the first few elements."""
        out = [lasts]
        for fields in self.early:
            by = {**out[-1], **{v: getattr(f, side) for v, f in fields.items()}}
            out.append({c.state: renamed(c.update, by) for c in self.latest})
        return out

    def _joined(self) -> tuple[Term, ...]:
        """The steps that can be told: those of the left piece, of the right one's first few those
        that are no longer among the first, and all others."""
        passed = self._passed({s: f.left for s, f in self.late.items()}, "right")
        block = self.keeper.block("left")
        for j, fields in enumerate(self.early, start=1):
            seam = _given(self.step, {**passed[j - 1], **{v: f.right for v, f in fields.items()}})
            after = self.shape.compose(block, seam)
            there: Term = self.seen[j - 1].right if j > 1 else TRUE
            far = self.seen[self.depth - j].left if self.depth > j else TRUE
            block = _chosen(_and(there, far), after, block)
        return self.keeper.of(self.shape.compose(block, self.keeper.block("right")))

    # -- after the last element

    def _begun(self) -> tuple[list[dict[Value, Term]], list[Block]]:
        """What is passed on from before the loop, and each of the first few steps."""
        passed = self._passed({c.state: self.start(c) for c in self.latest}, "left")
        steps = []
        for lasts, fields in zip(passed, self.early, strict=False):
            step = _given(self.step, {**lasts, **{v: f.left for v, f in fields.items()}})
            steps.append({key: settled(term, {}) for key, term in step.items()})
        return passed, steps

    def _entries(self) -> tuple[Term, ...]:
        steps = self._begun()[1]
        return tuple(term for one in steps for key, term in one.items() if key[1] is not None)

    def _finish(self) -> dict[Value, Term]:
        passed, steps = self._begun()
        blocks = list(accumulate(steps, self.shape.compose))
        carries = (*self.shape.control.carries, *self.shape.rows)
        begun = [self.start(c) for c in self.shape.rows]
        whole = self.shape.compose(blocks[-1], self.keeper.block("left"))
        ends = [self.shape.applied(block, begun) for block in (*blocks[:-1], whole)]
        out: dict[Value, Term] = {}
        for place, carry in enumerate(carries):
            term = self.start(carry)
            for seen, values in zip(self.seen, ends, strict=True):
                term = _where(seen.left, values[place], term)
            out[carry.state] = term
        for c in self.latest:
            term = self.start(c)
            values = [*(p[c.state] for p in passed[1:-1]), self.late[c.state].left]
            for seen, value in zip(self.seen, values, strict=True):
                term = _where(seen.left, value, term)
            out[c.state] = term
        return out


def _given(step: Block, by: dict[Value, Term]) -> Block:
    return {key: renamed(term, by) for key, term in step.items()}


def _chosen(condition: Term, then: Block, other: Block) -> Block:
    return {key: _where(condition, then[key], other[key]) for key in other}


def _where(condition: Term, then: Term, other: Term) -> Term:
    if then is other or condition is TRUE:
        return then
    return Apply("where", (condition, then, other))


def _and(a: Term, b: Term) -> Term:
    return b if a is TRUE else a if b is TRUE else Apply("and", (a, b))


def _either(terms: Iterable[Term]) -> Term:
    out: Term | None = None
    for term in terms:
        if term is TRUE:
            return TRUE
        out = term if out is None else Apply("or", (out, term))
    assert out is not None
    return out
