"""Counts of which a step asks whether they are 0: a truth value beside each says it, so that what
they control is a table. Where two counts are added up, their sum is counted too.

A count begins at a whole number, grows by whole numbers, and is set to one or to another count, so
that it is never below 0: whether it is 0 after a step follows from whether the counts were before.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from auditor.algebra.choices import settled, where_held
from auditor.algebra.monoid import Part, free, renamed
from auditor.notation import (
    FALSE,
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

_POSITIVE = {("gt", 0), ("ge", 1), ("ne", 0)}
_ZERO = {("le", 0), ("lt", 1), ("eq", 0)}
_MIRRORED = {"gt": "lt", "lt": "gt", "ge": "le", "le": "ge", "eq": "eq", "ne": "ne"}
_TREE = 64
"""Leaves that a sum of two counts may have."""


@dataclass(frozen=True, eq=False)
class Counted:
    """Carried values with ``begun``, what was put beside them and what each of it begins as."""

    carries: list[Carry]
    begun: dict[Value, Const]

    def back(self, part: Part) -> Part:
        """The part without what was put beside."""
        by: dict[Value, Term] = dict(self.begun)
        kept = [
            (state, renamed(term, by))
            for state, term in zip(part.carries, part.finish, strict=True)
            if state not in self.begun
        ]
        states, finish = zip(*kept, strict=True)
        return replace(part, carries=states, finish=finish)


def positive_counts(carries: Sequence[Carry], taken: set[str]) -> Counted | None:
    """The carried values with truth values for the counts that conditions ask about."""
    counts = _counts(carries)
    carries = [replace(c, update=_as_branches(c.update, counts)) for c in carries]
    counts = _counts(carries)
    asked = {state for carry in carries for state in _asked(carry.update, counts)}
    if not asked:
        return None
    flags = {
        carry.state: Value(free(f"{carry.name}_some", taken), (), kind="state")
        for carry in carries if carry.state in counts
    }  # fmt: skip
    made = [replace(c, update=_flagged(c.update, flags)) for c in carries]
    begun: dict[Value, Const] = {}
    for carry in made[: len(carries)]:
        if carry.state not in flags:
            continue
        assert isinstance(carry.init, Const) and isinstance(carry.init.value, int)
        flag, start = flags[carry.state], Const(carry.init.value > 0)
        made.append(Carry(flag.name, flag, start, _sign(carry.update, flags)))
        begun[flag] = start
    summed = _with_sums(made, [c for c in made if c.state in flags], taken)
    begun |= {c.state: c.init for c in summed[len(made) :] if isinstance(c.init, Const)}
    return Counted(summed, begun)


def _as_branches(term: Term, counts: set[Value]) -> Term:
    """A term with ``min(count, 1)`` as the branch that it is."""

    def change(node: Term) -> Term:
        if isinstance(node, Apply) and node.op == "min" and ONE in node.args:
            others = [arg for arg in node.args if isinstance(arg, Read) and arg.value in counts]
            if len(others) == 1 and len(node.args) == 2:
                return Apply("where", (Apply("gt", (others[0], ZERO)), ONE, ZERO))
        return node

    return transform(term, change)


def _counts(carries: Sequence[Carry]) -> set[Value]:
    """The carried values that count."""
    found = {
        c.state for c in carries
        if isinstance(c.init, Const) and type(c.init.value) is int and c.init.value >= 0
    }  # fmt: skip
    while True:
        kept = {c.state for c in carries if c.state in found and _counting(c.update, found)}
        kept = {s for s in kept if all(_only_asked(c.update, s) for c in carries)}
        if kept == found:
            return found
        found = kept


def _counting(term: Term, counts: set[Value]) -> bool:
    if isinstance(term, Const):
        return type(term.value) is int and term.value >= 0
    if isinstance(term, Read):
        return term.value in counts
    if isinstance(term, Apply) and term.op == "where":
        return all(_counting(side, counts) for side in term.args[1:])
    return isinstance(term, Apply) and term.op == "add" and all(
        _counting(arg, counts) for arg in term.args
    )  # fmt: skip


def _asking(term: Term) -> tuple[Value, bool] | None:
    """The value of which a condition asks whether it is more than 0, or whether it is not."""
    if isinstance(term, Read):
        return term.value, True
    if not isinstance(term, Apply) or term.op not in _MIRRORED or len(term.args) != 2:
        return None
    one, other = term.args
    op = term.op
    if isinstance(one, Const):
        op, one, other = _MIRRORED[op], other, one
    if not isinstance(one, Read) or not isinstance(other, Const):
        return None
    if (op, other.value) in _POSITIVE:
        return one.value, True
    return (one.value, False) if (op, other.value) in _ZERO else None


def _conditions(term: Term) -> Iterator[Term]:
    """The conditions of the branches of a term, connectives taken apart."""
    for node in walk(term):
        if isinstance(node, Apply) and node.op == "where":
            stack = [node.args[0]]
            while stack:
                one = stack.pop()
                if isinstance(one, Apply) and one.op in ("and", "or", "not"):
                    stack.extend(one.args)
                else:
                    yield one


def _asked(update: Term, counts: set[Value]) -> Iterator[Value]:
    for one in _conditions(update):
        found = _asking(one)
        if found is not None and found[0] in counts:
            yield found[0]


def _only_asked(update: Term, state: Value) -> bool:
    """Do conditions ask of a value nothing but whether it is 0?"""
    for one in _conditions(update):
        read = any(isinstance(n, Read) and n.value is state for n in walk(one))
        if read and _asking(one) is None:
            return False
    return True


def _flagged(term: Term, flags: Mapping[Value, Value]) -> Term:
    """A term of which the conditions ask the truth values."""

    def condition(one: Term) -> Term:
        if isinstance(one, Apply) and one.op in ("and", "or", "not"):
            return Apply(one.op, tuple(map(condition, one.args)))
        found = _asking(one)
        if found is None or found[0] not in flags:
            return one
        flag = Read(flags[found[0]], ())
        return flag if found[1] else Apply("not", (flag,))

    def change(node: Term) -> Term:
        if isinstance(node, Apply) and node.op == "where":
            return Apply("where", (condition(node.args[0]), *node.args[1:]))
        return node

    return transform(term, change)


def _sign(term: Term, flags: Mapping[Value, Value]) -> Term:
    """Whether what a count becomes is more than 0."""
    if isinstance(term, Const):
        return Const(bool(term.value))
    if isinstance(term, Read):
        return Read(flags[term.value], ())
    assert isinstance(term, Apply)
    if term.op == "where":
        then, other = (_sign(side, flags) for side in term.args[1:])
        return then if then is other else Apply("where", (term.args[0], then, other))
    parts = [_sign(arg, flags) for arg in term.args]
    if TRUE in parts:
        return TRUE
    left = [one for one in parts if one is not FALSE]
    if len(left) < 2:
        return left[0] if left else FALSE
    return Apply("or", tuple(left))


# -- sums of counts


def _with_sums(carries: list[Carry], counts: list[Carry], taken: set[str]) -> list[Carry]:
    """The carried values with the sums of two counts that are added up."""
    made = list(carries)
    for a, b in itertools.combinations(counts, 2):
        pair = (Read(a.state, ()), Read(b.state, ()))
        if not any(_adds(carry.update, pair) for carry in made):
            continue
        both = Value(free(f"{a.name}_and_{b.name}", taken), (), kind="state")
        assert isinstance(a.init, Const) and isinstance(b.init, Const)
        start = Const(int(a.init.value or 0) + int(b.init.value or 0))  # type: ignore[arg-type]
        tree = _tree(a.update, b.update, _TREE)
        if tree is None:
            continue
        made = [replace(c, update=_together(c.update, pair, both)) for c in made]
        made.append(Carry(both.name, both, start, _together(tree, pair, both)))
    return made


def _terms(node: Term) -> list[Term]:
    if isinstance(node, Apply) and node.op == "add":
        return [one for arg in node.args for one in _terms(arg)]
    return [node]


def _adds(term: Term, pair: tuple[Term, Term]) -> bool:
    sums = (_terms(n) for n in walk(term) if isinstance(n, Apply) and n.op == "add")
    return any(all(one in parts for one in pair) for parts in sums)


def _together(term: Term, pair: tuple[Term, Term], both: Value) -> Term:
    """A term with the sum of two values read where they are added up."""

    def change(node: Term) -> Term:
        if not isinstance(node, Apply) or node.op != "add":
            return node
        parts = _terms(node)
        while all(one in parts for one in pair):
            for one in pair:
                parts.remove(one)
            parts.append(Read(both, ()))
        number = sum(p.value for p in parts if _is_whole(p))  # type: ignore[attr-defined]
        rest = [p for p in parts if not _is_whole(p)]
        whole = [*rest, Const(number)] if number or not rest else rest
        return whole[0] if len(whole) == 1 else _added(whole)

    return transform(term, change)


def _is_whole(term: Term) -> bool:
    return isinstance(term, Const) and type(term.value) is int


def _added(parts: list[Term]) -> Term:
    out = parts[0]
    for part in parts[1:]:
        out = Apply("add", (out, part))
    return out


def _tree(a: Term, b: Term, room: int) -> Term | None:
    """The sum of two trees of branches as one."""
    for one, other, first in ((a, b, True), (b, a, False)):
        if isinstance(one, Apply) and one.op == "where":
            if room < 2:
                return None
            test = one.args[0]
            sides = []
            for side, answer in zip(one.args[1:], (TRUE, FALSE), strict=True):
                left = _knowing(other, test, answer)
                pair = (side, left) if first else (left, side)
                sides.append(_tree(*pair, room // 2))
            if sides[0] is None or sides[1] is None:
                return None
            return Apply("where", (test, sides[0], sides[1]))
    return Apply("add", (a, b)) if a is not ZERO and b is not ZERO else b if a is ZERO else a


def _knowing(term: Term, test: Term, answer: Const) -> Term:
    return settled(where_held(term, {test: answer}), {})
