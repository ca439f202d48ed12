"""Carried values that are jointly linear over max-plus: each becomes the maximum of some of them,
shifted by what does not depend on them.

A value may take part with its sign turned, which makes minima maxima: a running minimum under a
maximum of differences is linear in the minimum's negative. A boolean takes part as the number that
it is the sign of: ``ok and depth >= 0`` is ``min(ok, depth)``, so that a conjunction of thresholds
keeps the least distance. Such a number is the *margin* of the boolean; whether a margin of 0 means
True is the same at every step.

What an inner loop leaves is linear in what it starts from; its matrix is the product of its
steps' matrices, which is a loop again.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor.algebra.affine import (
    NotAffine,
    aligned_subs,
    chosen,
    function_of_state,
    inline,
    plus,
    times,
)
from auditor.algebra.limits import TooLarge, tick
from auditor.algebra.normal import equal
from auditor.algebra.piecewise import NEGATIVE_INF, extreme
from auditor.algebra.scalars import unnested
from auditor.algebra.states import Dependence
from auditor.notation import (
    FALSE,
    INF,
    ONE,
    TRUE,
    ZERO,
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Scan,
    Term,
    Trace,
    Value,
    refresh,
    substitute,
    walk,
)

Source = Value | None
Row = dict[Source, Term]
"""The maximum over the sources of ``coefficient + source``; None stands for the number 0."""

_BOTH = "both signs of a state"
MOST_STATES = 5
_ORDERS = {"lt": ("lt", False), "le": ("lt", True), "gt": ("gt", False), "ge": ("gt", True)}


@dataclass
class Roles:
    """How each carried value takes part: with which sign, and if it is a boolean, whether a
    margin of 0 means True."""

    signs: dict[Value, int] = field(default_factory=dict)
    inclusive: dict[Value, bool] = field(default_factory=dict)

    def sign(self, state: Value, wanted: int, term: Term) -> None:
        if self.signs.setdefault(state, wanted) != wanted:
            raise NotAffine(term, _BOTH)

    def margin(self, state: Value, inclusive: bool, term: Term) -> None:
        if self.inclusive.setdefault(state, inclusive) != inclusive:
            raise NotAffine(term, "a threshold that is met in one place and exceeded in another")


@dataclass(frozen=True)
class Tropical:
    """``rows[state]``: the next value of ``signs[state] * state``, in terms of the others' with
    their signs. Booleans are listed in ``inclusive``."""

    rows: dict[Value, Row]
    roles: Roles


def tropical(
    carries: Sequence[Carry], updates: Sequence[Term], dependence: Dependence, booleans: set[Value]
) -> Tropical:
    """The carries' updates (definitions inlined) as rows; raises ``NotAffine``."""
    states = [carry.state for carry in carries]
    if len(states) > MOST_STATES:
        raise TooLarge("a matrix of many states")
    reasons: list[NotAffine] = []
    for signs in itertools.product((1, -1), repeat=len(states)):
        roles = Roles(dict(zip(states, signs, strict=True)))
        try:
            return Tropical(
                _Reader(set(states), booleans, dependence, roles).rows(carries, updates), roles
            )
        except NotAffine as reason:
            reasons.append(reason.alone())
    raise next((r for r in reasons if r.reason != _BOTH), reasons[0]).alone()


@dataclass
class _Reader:
    states: set[Value]
    booleans: set[Value]
    dependence: Dependence
    roles: Roles

    def rows(self, carries: Sequence[Carry], updates: Sequence[Term]) -> dict[Value, Row]:
        """The rows of all carries, which have their signs or get the first that one asks for."""
        pending = {c.state: update for c, update in zip(carries, updates, strict=True)}
        found: dict[Value, Row] = {}
        while pending:
            ready = [state for state in pending if state in self.roles.signs]
            state = ready[0] if ready else next(iter(pending))
            sign = self.roles.signs.setdefault(state, 1)
            update = pending.pop(state)
            if state in self.booleans:
                found[state] = self.margin(update, sign, state)
            else:
                found[state] = self.number(update, sign)
        return found

    def free(self, term: Term) -> bool:
        return not self.dependence.mentions(term, self.states)

    def number(self, term: Term, sign: int) -> Row:
        """``sign * term`` as a maximum of shifted states."""
        tick()
        if self.free(term):
            return {None: term if sign > 0 else times(Const(-1), term)}
        if isinstance(term, Read):
            return self._read(term, sign)
        if isinstance(term, Trace):
            return self._inner(term, sign)
        if not isinstance(term, Apply):
            raise NotAffine(term, "a reduction of the state", certain=False)
        op, args = term.op, term.args
        if op == "relu":
            op, args = "max", (args[0], ZERO)
        if op in ("max", "min"):
            if (op == "max") != (sign > 0):
                raise NotAffine(term, f"a {op} of a state under the opposite")
            return _larger([self.number(arg, sign) for arg in args])
        if op == "neg":
            return self.number(args[0], -sign)
        if op in ("add", "sub"):
            signs = [sign, *[sign if op == "add" else -sign] * (len(args) - 1)]
            moving = [n for n, arg in enumerate(args) if not self.free(arg)]
            if len(moving) > 1:
                raise NotAffine(term, "a sum of states under a maximum")
            row = self.number(args[moving[0]], signs[moving[0]])
            for n, arg in enumerate(args):
                if n != moving[0]:
                    row = _shifted(row, arg if signs[n] > 0 else times(Const(-1), arg))
            return row
        if op == "where":
            return self._branch(term, sign)
        if op.startswith(("cast:float", "cast:bfloat", "cast:double", "cast:half")):
            return self.number(args[0], sign)
        raise NotAffine(term, function_of_state(op))

    def _read(self, read: Read, sign: int) -> Row:
        if read.value not in self.states or read.value in self.booleans:
            raise NotAffine(read, "a truth value under a maximum")
        subs = aligned_subs(read) if read.aligned else read.subs
        if subs != read.value.axes:
            raise NotAffine(read, "another element of the state", certain=subs is not None)
        self.roles.sign(read.value, sign, read)
        return {read.value: ZERO}

    def _branch(self, term: Apply, sign: int) -> Row:
        condition, then, otherwise = term.args
        if self.free(condition):
            return _either(condition, self.number(then, sign), self.number(otherwise, sign))
        kind = extreme(term)
        if kind is None:
            raise NotAffine(term, "a branch that depends on the state")
        return self.number(Apply(kind, (then, otherwise)), sign)

    # -- truths

    def margin(self, term: Term, sign: int, owner: Value) -> Row:
        """``sign`` times a number whose sign is the truth of ``term``."""
        tick()
        if self.free(term):
            limit = (INF, NEGATIVE_INF) if sign > 0 else (NEGATIVE_INF, INF)
            if term in (TRUE, FALSE):
                return _plain(limit[term is FALSE])
            return {None: Apply("where", (term, *limit))}
        if isinstance(term, Read) and term.value in self.states & self.booleans:
            if term.subs != term.value.axes:
                raise NotAffine(term, "another element of the state")
            self.roles.sign(term.value, sign, term)
            self._same(term.value, owner, term)
            return {term.value: ZERO}
        if isinstance(term, Trace):
            return self._inner(term, sign, owner)
        if not isinstance(term, Apply):
            raise NotAffine(term, "a truth of the state")
        op, args = term.op, term.args
        if op == "not":
            return self._denied(args[0], sign, owner)
        if op in ("and", "or"):
            if (op == "or") != (sign > 0):
                raise NotAffine(term, "both a conjunction and a disjunction of thresholds")
            return _larger([self.margin(arg, sign, owner) for arg in args])
        if op == "where":
            condition, then, otherwise = args
            if self.free(condition):
                both = (self.margin(arg, sign, owner) for arg in (then, otherwise))
                return _either(condition, *both)
            return self.margin(_as_connective(term), sign, owner)
        if op == "cast:bool":
            return self.margin(args[0], sign, owner)
        if op in _ORDERS:
            way, inclusive = _ORDERS[op]
            self.roles.margin(owner, inclusive, term)
            ahead, behind = args if way == "gt" else (args[1], args[0])
            return self.number(Apply("sub", (ahead, behind)), sign)
        raise NotAffine(term, function_of_state(op))

    def _denied(self, term: Term, sign: int, owner: Value) -> Row:
        """The margin of ``not term``."""
        opposite = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
        if isinstance(term, Apply) and term.op in opposite:
            return self.margin(Apply(opposite[term.op], term.args), sign, owner)
        if isinstance(term, Apply) and term.op in ("and", "or"):
            other = "or" if term.op == "and" else "and"
            denied = tuple(Apply("not", (arg,)) for arg in term.args)
            return self.margin(Apply(other, denied), sign, owner)
        if isinstance(term, Apply) and term.op == "not":
            return self.margin(term.args[0], sign, owner)
        raise NotAffine(term, "the contrary of a carried truth")

    def _same(self, state: Value, owner: Value, term: Term) -> None:
        """Two booleans, one of which is made from the other, meet their thresholds alike."""
        known = self.roles.inclusive
        for one, other in ((state, owner), (owner, state)):
            if one in known:
                self.roles.margin(other, known[one], term)
                return
        if state is not owner:
            raise NotAffine(term, "a truth made from another one")

    # -- inner loops

    def _inner(self, trace: Trace, sign: int, owner: Value | None = None) -> Row:
        """What an inner loop leaves, in terms of what it starts from."""
        scan = trace.scan
        if not equal(Apply("add", (trace.step, ONE)), scan.step.extent):
            raise NotAffine(trace, "an inner loop over the state", certain=False)
        if self.dependence.mentions(scan.step.extent, self.states):
            raise NotAffine(trace, "an inner loop as long as the state says")
        if any(carry.state.axes for carry in scan.carries) or trace.subs:
            raise NotAffine(trace, "an inner loop over arrays", certain=False)
        wanted = _needed(scan, trace.slot, self.dependence)
        carries = [scan.carries[slot] for slot in wanted]
        target = scan.carries[trace.slot]
        inner = _Reader(
            {c.state for c in carries} | self.states,
            self.booleans | {c.state for c in carries if self._truth(c)},
            self.dependence,
            self.roles,
        )
        self.roles.signs.setdefault(target.state, sign)
        if self.roles.signs[target.state] != sign:
            raise NotAffine(trace, _BOTH)
        if (target.state in inner.booleans) != (owner is not None):
            raise NotAffine(trace, "a truth value under a maximum")
        from auditor.algebra.nested import flattened

        mine = frozenset(inner.states)
        updates = [
            flattened(inline(unnested(c.update), mine, self.dependence), scan) for c in carries
        ]
        rows = inner.rows(carries, updates)
        if owner is not None and target.state in self.roles.inclusive:
            self.roles.margin(owner, self.roles.inclusive[target.state], trace)
        out: Row = {}
        names = [carry.state for carry in carries]
        sources: list[Source] = list(
            dict.fromkeys([*names, *(s for r in rows.values() for s in r)])
        )
        for source, coefficient in _product(scan, rows, names, sources, target.state).items():
            if source in names:
                carry = carries[names.index(source)]
                start = self._start(carry, inner, owner)
                out = _larger([out, _shifted(start, coefficient)])
            else:
                out = _larger([out, {source: coefficient}])
        return out

    def _truth(self, carry: Carry) -> bool:
        """Is an inner loop's value a boolean?"""
        started = isinstance(carry.init, Read) and carry.init.value in self.booleans
        return boolean(carry, init=TRUE if started else carry.init)

    def _start(self, carry: Carry, inner: _Reader, owner: Value | None) -> Row:
        sign = self.roles.signs[carry.state]
        if carry.state in inner.booleans:
            return self.margin(carry.init, sign, carry.state)
        return self.number(carry.init, sign)


def _needed(scan: Scan, slot: int, dependence: Dependence) -> list[int]:
    """The slots that a slot depends on, itself among them."""
    slots = {carry.state: n for n, carry in enumerate(scan.carries)}
    found, stack = {slot}, [slot]
    while stack:
        for state in dependence.states(scan.carries[stack.pop()].update):
            other = slots.get(state)
            if other is not None and other not in found:
                found.add(other)
                stack.append(other)
    return sorted(found)


def _product(
    scan: Scan, rows: dict[Value, Row], names: list[Value], sources: list[Source], target: Value
) -> Row:
    """The row of ``target`` in the product of the matrices of all steps, as loops.

    The entry (i, j) of the product is carried as a value of its own, which starts as the unit
    matrix; only entries that can differ from minus infinity are there."""
    made = Scan(Index(scan.step.name, scan.step.extent), scan.span)
    moved: dict[Term, Term] = {scan.step: made.step}
    reach = {name: set(rows[name]) | {name} for name in names}
    growing = True
    while growing:
        growing = False
        for name in names:
            more = {s for k in reach[name] if k in reach for s in reach[k]}
            if not more <= reach[name]:
                reach[name] |= more
                growing = True
    entries = [(i, j) for i in names for j in sources if j in reach[i]]
    if len(entries) > 16:
        raise TooLarge("a product of large matrices")
    held = {
        (i, j): Value(f"{i.name}<-{'1' if j is None else j.name}", (), kind="state")
        for i, j in entries
    }
    carries = []
    for i, j in entries:
        row: list[Term] = []
        for k, coefficient in rows[i].items():
            moving = substitute(refresh(coefficient), moved)
            if k in rows and (k, j) in held:
                row.append(_above(moving, Read(held[k, j], ())))
            elif k not in rows and k is j:
                row.append(moving)
        update: Term = row[0] if row else NEGATIVE_INF
        for other in row[1:]:
            update = Apply("max", (update, other))
        start = ZERO if i is j else NEGATIVE_INF
        carries.append(Carry(held[i, j].name, held[i, j], start, update))
    made.carries = tuple(carries)
    last = Apply("sub", (made.step.extent, ONE))
    return {
        j: Trace(made, entries.index((target, j)), last, ()) for j in sources if (target, j) in held
    }


def _above(coefficient: Term, source: Term) -> Term:
    """Their sum, where minus infinity wins over infinity."""
    if not any(node is NEGATIVE_INF for node in walk(coefficient)):
        return plus(coefficient, source)
    absent = Apply("eq", (coefficient, NEGATIVE_INF))
    return Apply("where", (absent, NEGATIVE_INF, plus(coefficient, source)))


def _as_connective(term: Apply) -> Term:
    """A branch between truths, by connectives; one of its sides is a constant."""
    condition, then, otherwise = term.args
    if then is TRUE:
        return condition if otherwise is FALSE else Apply("or", (condition, otherwise))
    if otherwise is FALSE:
        return Apply("and", (condition, then))
    if then is FALSE:
        denied = Apply("not", (condition,))
        return denied if otherwise is TRUE else Apply("and", (denied, otherwise))
    if otherwise is TRUE:
        return Apply("or", (Apply("not", (condition,)), then))
    raise NotAffine(term, "a branch that depends on the state")


def _plain(constant: Term) -> Row:
    return {} if constant is NEGATIVE_INF else {None: constant}


def _larger(rows: list[Row]) -> Row:
    out: Row = {}
    for row in rows:
        for source, coefficient in row.items():
            old = out.get(source)
            if old is None or coefficient is INF:
                out[source] = coefficient
            elif old is not INF and old is not coefficient:
                out[source] = Apply("max", (old, coefficient))
    return out


def _either(condition: Term, then: Row, otherwise: Row) -> Row:
    sources = [*then, *(s for s in otherwise if s not in then)]
    return {
        s: chosen(condition, then.get(s, NEGATIVE_INF), otherwise.get(s, NEGATIVE_INF))
        for s in sources
    }


def _shifted(row: Row, by: Term) -> Row:
    return {source: plus(coefficient, by) for source, coefficient in row.items()}


_TRUTHS = frozenset(("and", "or", "xor", "not", "eq", "ne", "lt", "le", "gt", "ge", "cast:bool"))


def boolean(carry: Carry, update: Term | None = None, init: Term | None = None) -> bool:
    """Is the carried value True or False at every step?"""
    if carry.state.dtype is not None:
        return carry.state.dtype == "bool"
    started = (init or carry.init) in (TRUE, FALSE)
    return started and _truth_valued(update or carry.update, carry.state)


def _truth_valued(term: Term, state: Value) -> bool:
    if isinstance(term, Read):
        return term.value is state or term.value.dtype == "bool"
    if isinstance(term, Apply):
        if term.op == "where":
            return all(_truth_valued(arg, state) for arg in term.args[1:])
        return term.op in _TRUTHS
    if isinstance(term, Trace):
        inner = term.scan.carries[term.slot]
        started = isinstance(inner.init, Read) and inner.init.value is state
        return started and _truth_valued(inner.update, inner.state)
    return term in (TRUE, FALSE)
