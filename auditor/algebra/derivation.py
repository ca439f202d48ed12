"""From a loop over scalars to its monoid: the carried values that need each other are summarised
together, by the first algebra in which a step composes in closed form.

Sources: Farzan and Nicolet, "Synthesis of Divide and Conquer Parallelism for Loops" (2017), for
the auxiliary values that a summary needs; Blelloch, "Prefix Sums and Their Applications" (1990),
for composing functions instead of values. Nothing is searched for: the auxiliary values are the
entries of the composed function.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from auditor.algebra.blocks import Kept, Shape, TooWide, kept
from auditor.algebra.capped import capped
from auditor.algebra.choices import leaves, plain_truths
from auditor.algebra.counters import with_floors
from auditor.algebra.delays import Delayed, look_back
from auditor.algebra.domains import cancelled, summarise
from auditor.algebra.extremes import with_extremes
from auditor.algebra.filtered import filtered
from auditor.algebra.finite import Control, TooMany, finite
from auditor.algebra.flags import with_connectives
from auditor.algebra.followers import followed, followers
from auditor.algebra.from_sums import from_sums
from auditor.algebra.hulls import hulls
from auditor.algebra.kept_bounds import unguarded
from auditor.algebra.kept_lengths import lengths
from auditor.algebra.kept_segments import segments
from auditor.algebra.late import late
from auditor.algebra.limits import CannotEvaluate, TooLarge, within
from auditor.algebra.log_sums import LOGS, takes_logarithms
from auditor.algebra.monoid import Monoid, Part, commutes, field, free, grade, renamed, start_of
from auditor.algebra.normal import Normaliser
from auditor.algebra.ordered import ordered
from auditor.algebra.own_state import ATTEMPTS
from auditor.algebra.piecewise import NEGATIVE_INF
from auditor.algebra.polynomial import nonnegative
from auditor.algebra.quotients import homogeneous
from auditor.algebra.raised import raised
from auditor.algebra.remainders import REMAINDERS, Modular, modulus_of
from auditor.algebra.resets import with_flags
from auditor.algebra.residues import residues
from auditor.algebra.runs import runs
from auditor.algebra.semirings import (
    GREATEST_PRODUCTS,
    LOG_SUMS,
    MAXIMA,
    MINIMA,
    SUMS,
    NotLinear,
    Semiring,
    same_number,
)
from auditor.algebra.sequences import EMPTY, SEQUENCES, sequences
from auditor.algebra.shifts import as_numbers
from auditor.algebra.signs import pushed, turned, turned_most, turned_sums
from auditor.algebra.sinks import beside, by_sinks, split
from auditor.algebra.states import Dependence
from auditor.algebra.summary import Refused, Summary, rounded, wraps
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
    Scan,
    Term,
    Value,
    show,
    walk,
)

_STEPS = 80_000
_RINGS = (SUMS, MAXIMA, MINIMA, GREATEST_PRODUCTS)
_LONGEST = 90


@dataclass(frozen=True)
class NoMonoid:
    """Why some carried values have no summary."""

    names: tuple[str, ...]
    reason: str


def derive(scan: Scan, varying: Callable[[Value], bool]) -> Monoid | NoMonoid:
    """The monoid of a loop whose carried values are scalars. ``varying`` says of an input whether
    it differs from element to element."""
    dependence = Dependence()
    scan = ordered(unguarded(with_floors(with_connectives(scan))))
    for carry in scan.carries:
        update = carry.update
        dropped = cancelled(carry, update, scan, dependence) or rounded(carry, update, dependence)
        if dropped is not None:
            return NoMonoid((carry.name,), dropped)
    parts: list[Part] = []
    taken = {carry.name for carry in scan.carries}
    for group in components(scan, dependence):
        if wraps(group, dependence):
            names = tuple(carry.name for carry in group)
            return NoMonoid(names, f"{' and '.join(names)}: integers that may wrap around")
        try:
            with within(_STEPS):
                part = _part(scan, group, dependence, varying, taken)
        except (TooLarge, CannotEvaluate):
            part = None
        if part is None:
            names = tuple(carry.name for carry in group)
            return NoMonoid(names, _why(scan, group))
        parts.append(tidied(with_flags(part)))
        taken |= {one.name for one in part.fields}
    return Monoid(tuple(parts))


def tidied(part: Part) -> Part:
    """The same terms, with choices between truth values said as such."""
    flags = {
        value
        for one in part.fields
        if isinstance(one.identity, Const) and isinstance(one.identity.value, bool)
        for value in (one.own, one.other)
    }

    def tidy(terms: Iterable[Term]) -> tuple[Term, ...]:
        return tuple(plain_truths(term, flags) for term in terms)

    return replace(
        part, update=tidy(part.update), combine=tidy(part.combine), finish=tidy(part.finish)
    )


def components(scan: Scan, dependence: Dependence) -> list[list[Carry]]:
    """The carried values in groups that do not read each other."""
    states = {carry.state: n for n, carry in enumerate(scan.carries)}
    group = list(range(len(scan.carries)))
    for n, carry in enumerate(scan.carries):
        for state in dependence.states(carry.update):
            if state in states:
                old, new = group[states[state]], group[n]
                group = [new if g == old else g for g in group]
    out: dict[int, list[Carry]] = {}
    for number, carry in zip(group, scan.carries, strict=True):
        out.setdefault(number, []).append(carry)
    return list(out.values())


def _part(
    scan: Scan,
    carries: list[Carry],
    dependence: Dependence,
    varying: Callable[[Value], bool],
    taken: set[str],
) -> Part | None:
    for attempt in ATTEMPTS:
        part = attempt(carries, dependence)
        if part is not None:
            return part
    states = frozenset(carry.state for carry in carries)
    carries = [replace(carry, update=as_numbers(carry.update, states)) for carry in carries]
    attempts = [
        *(partial(_Linear, carries, dependence, varying, ring) for ring in _RINGS),
    ]
    for made in attempts:
        try:
            return made(set(taken)).part()
        except (NotLinear, TooMany, TooWide):
            continue
    for other in (capped, _sequenced, _modular, _turned, _logarithmic, _fractional):
        try:
            part = other(carries, dependence, varying, set(taken))
        except (NotLinear, TooMany, TooWide):
            continue
        if part is not None:
            return part
    stretches = segments(carries, dependence, taken)
    if stretches is not None:
        return stretches
    counted_on = lengths(
        carries, dependence, taken,
        lambda under, place: segments(under, dependence, {*taken, place.name}),
    )  # fmt: skip
    if counted_on is not None:
        return counted_on
    ended = runs(
        carries, dependence, taken,
        lambda under: _part(scan, under, dependence, varying, taken),
    )  # fmt: skip
    if ended is not None:
        return ended
    delayed = late(
        carries, dependence, taken,
        lambda under, before: _part(
            scan, under, dependence, lambda value: value in before or varying(value), taken
        ),
    )  # fmt: skip
    if delayed is not None:
        return delayed
    from auditor.algebra.coordinates import coordinates
    from auditor.algebra.over_base import counted

    few = residues(carries, dependence)
    if few is not None:
        under = _part(scan, few.carries, dependence, varying, taken)
        if under is not None:
            return few.back(under)
    plain, carries = carries, with_extremes(carries)
    interval = hulls(carries, dependence, taken)
    if interval is not None:
        return interval
    several = split(carries, dependence, set(taken))
    apart = by_sinks(
        several.carries,
        dependence,
        lambda under: _part(scan, under, dependence, varying, taken),
    )
    if apart is not None:
        return several.back(apart)
    for measured in from_sums(carries, dependence, taken):
        under = _part(scan, measured.carries, dependence, varying, taken)
        alone = None if under is None else _part(scan, [measured.base], dependence, varying, taken)
        if under is not None and alone is not None and not under.guarded:
            return measured.back(beside(alone, under))
    flagged = raised(carries, dependence, set(taken))
    if flagged is not None:
        under = _part(scan, flagged.carries, dependence, varying, taken)
        if under is not None:
            return flagged.back(under)
    found = coordinates(scan, carries) or filtered(
        plain, dependence, lambda under: _part(scan, under, dependence, varying, taken)
    )
    if found is not None or len(carries) == 1:
        return found
    return counted(
        carries, dependence, lambda under: _part(scan, under, dependence, varying, taken)
    )


_Varying = Callable[[Value], bool]


def _sequenced(
    carries: list[Carry], dependence: Dependence, varying: _Varying, taken: set[str]
) -> Part | None:
    """A list or a text that is added to, under control or by the element before."""
    for carry in carries:
        if any(dependence.mentions(c.update, (carry.state,)) for c in carries if c is not carry):
            continue
        ring = sequences(carry)
        if ring is not None:
            return _Linear(carries, dependence, varying, ring, taken).part()
    return None


def _modular(
    carries: list[Carry], dependence: Dependence, varying: _Varying, taken: set[str]
) -> Part | None:
    """Linear modulo a number."""
    states = frozenset(carry.state for carry in carries)
    modulus = modulus_of([carry.update for carry in carries], states)
    if modulus is None or _inputs([modulus], varying):
        return None
    ring = Modular(carries, modulus)
    linear = _Linear(carries, dependence, varying, ring.ring, taken)
    part = linear.part()
    return ring.back(part, {row.state for row in linear.rows}, taken)


def _turned(
    carries: list[Carry], dependence: Dependence, varying: _Varying, taken: set[str]
) -> Part | None:
    """Minima among maxima, maxima among minima, and sums of which the negative is compared."""
    for mirror, rings in (
        (turned, (MAXIMA,)), (turned_most, (MINIMA,)), (turned_sums, (MAXIMA, MINIMA)),
    ):  # fmt: skip
        mirrored = mirror(carries, set(taken))
        if mirrored is None:
            continue
        for ring in rings:
            try:
                part = _Linear(mirrored.carries, dependence, varying, ring, taken).part()
            except (NotLinear, TooMany, TooWide):
                continue
            return mirrored.back(part)
    return None


def _logarithmic(
    carries: list[Carry], dependence: Dependence, varying: _Varying, taken: set[str]
) -> Part | None:
    """Logarithms of sums of exponentials."""
    states = frozenset(carry.state for carry in carries)
    if not any(takes_logarithms(carry.update, states) for carry in carries):
        return None
    return _Linear(carries, dependence, varying, LOGS, taken).part()


def _fractional(
    carries: list[Carry], dependence: Dependence, varying: _Varying, taken: set[str]
) -> Part | None:
    """Quotients of linear functions with one divisor."""
    states = {carry.state for carry in carries}
    latest = {c.state for c in carries if not dependence.mentions(c.update, states)}
    controlled = finite(carries, latest, dependence)
    rows = [c for c in carries if c.state not in latest and c not in controlled]
    found = homogeneous(carries, rows, taken)
    if found is None:
        return None
    part = _Linear(found.carries, dependence, varying, SUMS, taken).part()
    return found.back(part)


def _why(scan: Scan, carries: list[Carry]) -> str:
    """What the abstract domains say of the loop, where they name a reason."""
    sub = Scan(scan.step)
    sub.carries = tuple(carries)
    try:
        stages = summarise(sub)
    except TooLarge:
        return "the update is too large to be decided"
    for stage in stages:
        if isinstance(stage, Refused):
            return stage.reason
    for carry, stage in zip(carries, stages, strict=False):
        if isinstance(stage, Summary) and stage.domain == "powers":
            return f"a power of the state in the update of {carry.name}: {_told(carry.update)}"
    names = " and ".join(carry.name for carry in carries)
    if stages and all(isinstance(stage, Summary) for stage in stages):
        turn = f"{len(stages)} scans in turn" if len(stages) > 1 else "a scan"
        return f"{names}: {turn}, and no summary of one pass was found"
    return f"no algebra was found for {names}"


class _Linear:
    """Carried values that are linear in each other, under finite control, after the last element
    and thresholds have been taken out."""

    def __init__(
        self,
        carries: list[Carry],
        dependence: Dependence,
        varying: Callable[[Value], bool],
        ring: Semiring,
        taken: set[str],
    ) -> None:
        self.carries, self.dependence, self.varying = carries, dependence, varying
        self.ring, self.taken = ring, taken
        self.states = {carry.state for carry in carries}
        self.rows: tuple[Carry, ...] = ()

    def part(self) -> Part:
        """Raises ``NotLinear``, ``TooMany`` or ``TooWide``."""
        ages = look_back(self.carries, self.dependence)
        latest = [c for c in self.carries if c.state in ages]
        if len(latest) == len(self.carries) and set(ages.values()) == {1}:
            return self._last(latest)
        settled = [c for c in latest if isinstance(c.update, Const)]
        open_ = self.carries if len(settled) == len(latest) else [
            c for c in self.carries if c not in settled
        ]  # fmt: skip
        controlled = finite(open_, {c.state for c in latest}, self.dependence)
        latest = [c for c in latest if c not in controlled]
        rows = [c for c in self.carries if c not in controlled and c not in latest]
        read = {s for c in (*rows, *controlled) for s in self.dependence.states(c.update)}
        led = (
            followers(rows, self.dependence, self.ring.plus)
            if self.ring in (MAXIMA, MINIMA) and not latest else []
        )  # fmt: skip
        rows = [c for c in rows if all(c is not one.carry for one in led)]
        limits = [self._threshold(c, read) for c in rows] if self.ring is MINIMA else []
        found = {one.flag.state: one for one in limits if one is not None}
        rows = [found[c.state].carry if c.state in found else c for c in rows]
        shape = Shape(Control(controlled), tuple(rows), self.ring)
        if self.ring.name == SEQUENCES:
            if len(rows) > 1:
                raise NotLinear
        elif not all(map(_numeric, rows)):
            raise NotLinear
        self.rows = tuple(rows)
        step = shape.step()
        keeper = kept(shape, step, self.taken - {c.name for c in (*rows, *controlled)})
        scaled = [
            r for r in rows if any(k[1] is r.state and k[2] is r.state for k in keeper.fields)
        ]
        if self.ring is SUMS and any(_infinite(r) for r in scaled):
            raise NotLinear  # nothing times infinity is no number
        if self.ring is GREATEST_PRODUCTS and not _never_negative(
            rows, [entry for key, entry in step.items() if key[1] is not None]
        ):
            raise NotLinear  # a negative factor turns the order round
        made = self._delayed(ages, latest, keeper) if latest else self._plain(keeper)
        if led:
            self.taken -= {one.carry.name for one in led}
            made = followed(made, keeper, led, self.taken)
        return self._thresholds(made, list(found.values())) if found else made

    # -- without a look at the element before

    def _plain(self, keeper: Kept) -> Part:
        shape = keeper.shape
        own = keeper.block("left")
        combined = keeper.of(shape.compose(own, keeper.block("right")))
        after = shape.applied(own, [start_of(row) for row in shape.rows])
        carries = (*shape.control.carries, *shape.rows)
        fields = tuple(keeper.fields.values())
        return Part(
            tuple(carry.state for carry in carries),
            fields,
            keeper.of(shape.compose(own, shape.step())),
            combined,
            tuple(after),
            self._algebra(shape),
            self._proof(shape),
            grade(combined),
            commutes=commutes(fields, combined),
        )

    # -- with the last element's values

    def _last(self, latest: list[Carry]) -> Part:
        """Nothing but values of the last element."""
        seen = field(free("seen", self.taken), "was there an element?", FALSE)
        last = [field(c.name, f"{c.name} of the last element", NONE) for c in latest]
        fields = (seen, *last)
        combined = (
            Apply("or", (seen.left, seen.right)),
            *(Apply("where", (seen.right, f.right, f.left)) for f in last),
        )
        return Part(
            tuple(c.state for c in latest), fields, (TRUE, *(c.update for c in latest)), combined,
            tuple(Apply("where", (seen.left, f.left, start_of(c)))
                  for c, f in zip(latest, last, strict=True)),
            "the last element", "a step forgets what was carried; of two pieces the later one "
            "decides", "exact",
        )  # fmt: skip

    def _delayed(self, ages: dict[Value, int], latest: list[Carry], keeper: Kept) -> Part:
        """A step looks at elements before it: a piece keeps what its first steps need, and what
        all later ones do."""
        shape, depth = keeper.shape, max(ages[c.state] for c in latest)
        late_ones = {c.state for c in latest}
        if any(self.dependence.states(c.update) & self.states - late_ones for c in latest):
            raise NotLinear
        step = shape.step()
        # a combine is given no parameters of the loop: they are kept with the first element
        read = [*step.values(), *(c.update for c in latest if depth > 1)]
        inputs = {
            value: self._kept_as(value, n)
            for n, value in enumerate(_inputs(read, lambda value: True))
        }
        delayed = Delayed(
            keeper, step, latest, depth, inputs, lambda name: free(name, self.taken), start_of
        )
        made = delayed.terms()
        if not all(_finite_number(leaf, shape.ring) for t in made.started for leaf in leaves(t)):
            raise NotLinear  # nothing times infinity is no number, nor is it times None
        names = ", ".join(c.name for c in latest)
        late = "one element" if depth == 1 else f"{depth} elements"
        what = "element" if depth == 1 else f"{depth} elements"
        return Part(
            tuple(made.finish),
            made.fields,
            made.update,
            made.combine,
            tuple(made.finish.values()),
            f"{self._algebra(shape)}, {late} late",
            f"{names} is what the {what} before left: a piece keeps its first {what} until the "
            f"piece before it is known; {self._proof(shape)}",
            grade(made.joined),
        )

    def _kept_as(self, value: Value, number: int) -> tuple[str, str]:
        """The name and the meaning of an input of one of the first elements."""
        name = _identifier(value.name, number)
        if self.varying(value):
            return f"{{}}_{name}", f"{value.name} of the {{}} element"
        return name, value.name

    # -- thresholds

    def _threshold(self, carry: Carry, read: set[Value]) -> _Threshold | None:
        """A flag that falls once a carried value crosses a limit, as the least distance to it."""
        if carry.init not in (TRUE, FALSE):
            return None
        update = plain_truths(carry.update, {carry.state})
        mine = Read(carry.state, ())
        asked = ((to, _kept_where(update, mine, to)) for to in (FALSE, TRUE))
        falls_to, condition = next((pair for pair in asked if pair[1] is not None), (FALSE, None))
        if condition is None or condition is TRUE:
            return None
        if self.dependence.mentions(condition, (carry.state,)):
            return None
        margin = self._margin(condition, False)
        if margin is None:
            return None
        distance, strict = margin
        name = free(f"{carry.name}_margin", self.taken)
        low = Value(name, (), kind="state")
        lowest = Carry(name, low, INF, Apply("min", (Read(low, ()), distance)))
        if carry.state in {s for c in self.carries if c is not carry
                           for s in self.dependence.states(c.update)}:  # fmt: skip
            return None
        crossed = Apply("le" if strict is False else "lt", (Read(low, ()), Const(0)))
        return _Threshold(carry, lowest, crossed, falls_to)

    def _margin(self, condition: Term, falls: bool) -> tuple[Term, bool | None] | None:
        """A number below zero exactly where the condition is as asked (or, where the second is
        False, at or below it)."""
        if isinstance(condition, Const):
            return (NEGATIVE_INF if bool(condition.value) == falls else INF), None
        if not self.dependence.mentions(condition, self.states):
            sides = (NEGATIVE_INF, INF) if falls else (INF, NEGATIVE_INF)
            return Apply("where", (condition, *sides)), None
        if not isinstance(condition, Apply):
            return None
        op, args = condition.op, condition.args
        if op == "not":
            return self._margin(args[0], not falls)
        if op in ("lt", "le", "gt", "ge"):
            return _compared(condition, falls)
        if op == "where" and not self.dependence.mentions(args[0], self.states):
            pair = [self._margin(arg, falls) for arg in args[1:]]
            return _both(pair, lambda a, b: Apply("where", (args[0], a, b)))
        if op in ("and", "or"):
            pair = [self._margin(arg, falls) for arg in args]
            if (op == "or") == falls:
                return _both(pair, lambda a, b: Apply("min", (a, b)))
            for first, second in (args, args[::-1]):
                if not self.dependence.mentions(first, self.states):
                    inner = self._margin(second, falls)
                    neither = (INF, None)
                    order = [inner, neither] if op == "and" else [neither, inner]
                    return _both(order, lambda a, b: Apply("where", (first, a, b)))  # noqa: B023
        return None

    def _thresholds(self, part: Part, found: list[_Threshold]) -> Part:
        by = {one.carry.state: one for one in found}
        carries, finish = [], []
        for state, term in zip(part.carries, part.finish, strict=True):
            one = by.get(state)
            if one is not None:
                term = Apply(
                    "where",
                    (renamed(one.crossed, {state: term}), one.falls_to, start_of(one.flag)),
                )
                state = one.flag.state
            carries.append(state)
            finish.append(term)
        names = ", ".join(one.flag.name for one in found)
        return Part(
            tuple(carries), part.fields, part.update, part.combine, tuple(finish), part.algebra,
            f"{names} asks for the least value of what is compared; {part.proof}", part.numerics,
            part.guarded, part.commutes,
        )  # fmt: skip

    # -- words

    def _algebra(self, shape: Shape) -> str:
        tables = f"tables of {len(shape.control.states)} states" if shape.control.carries else ""
        if not shape.rows:
            return tables
        single = len(shape.rows) == 1
        name = {
            SUMS.name: "(+, *)", MAXIMA.name: "(max, +)", MINIMA.name: "(min, +)",
            GREATEST_PRODUCTS.name: "(max, *)", LOG_SUMS: "(logaddexp, +)", REMAINDERS: "(+, *)",
            SEQUENCES: "sequences",
        }  # fmt: skip
        kind = "linear functions" if single else "matrices"
        whole = f"{kind} over {name[shape.ring.name]}"
        return f"{tables} times {whole}" if tables else whole

    def _proof(self, shape: Shape) -> str:
        parts = []
        if shape.control.carries:
            names = ", ".join(c.name for c in shape.control.carries)
            parts.append(f"{names} takes {len(shape.control.states)} values: a step is a table")
        if shape.rows:
            given = " given them" if shape.control.carries else ""
            rows = "; ".join(f"{c.name}' = {_told(c.update)}" for c in shape.rows)
            parts.append(f"{rows}: linear{given}, and linear functions compose as matrices do")
        return "; ".join(parts)


@dataclass(frozen=True, eq=False)
class _Threshold:
    flag: Carry
    carry: Carry
    crossed: Term
    falls_to: Term


def _kept_where(term: Term, mine: Term, falls_to: Const) -> Term | None:
    """When ``term`` is ``mine``, if it is ``falls_to`` otherwise."""
    if term is mine:
        return TRUE
    if term is falls_to:
        return FALSE
    if not isinstance(term, Apply):
        return None
    if term.op == "where":
        test = term.args[0]
        then, other = (_kept_where(arg, mine, falls_to) for arg in term.args[1:])
        return None if then is None or other is None else _branch(test, then, other)
    if term.op == ("and" if falls_to is FALSE else "or"):
        held = [_kept_where(arg, mine, falls_to) for arg in term.args]
        place = next((n for n, one in enumerate(held) if one not in (None, FALSE)), None)
        kept = None if place is None else held[place]
        for n, arg in enumerate(term.args):
            if kept is not None and n != place:
                other = arg if falls_to is FALSE else Apply("not", (arg,))
                kept = other if kept is TRUE else Apply("and", (other, kept))
        return kept
    return None


def _branch(test: Term, then: Term, other: Term) -> Term:
    """A branch between truths, by connectives where one is a constant."""
    if then is other:
        return then
    denied = Apply("not", (test,))
    if then is TRUE:
        return test if other is FALSE else Apply("or", (test, other))
    if then is FALSE:
        return denied if other is TRUE else Apply("and", (denied, other))
    if other is FALSE:
        return Apply("and", (test, then))
    return Apply("or", (denied, then)) if other is TRUE else Apply("where", (test, then, other))


def _both(
    pair: list[tuple[Term, bool | None] | None], make: Callable[[Term, Term], Term]
) -> tuple[Term, bool | None] | None:
    """Two margins as one, if a tie means the same in both."""
    first, second = pair
    if first is None or second is None:
        return None
    kinds = {first[1], second[1]} - {None}
    if len(kinds) > 1:
        return None
    return make(first[0], second[0]), kinds.pop() if kinds else None


def _compared(condition: Apply, holds: bool) -> tuple[Term, bool]:
    """What is negative (strictly: True) where a comparison is as asked."""
    op, (a, b) = condition.op, condition.args
    if op in ("gt", "ge"):
        a, b, op = b, a, {"gt": "lt", "ge": "le"}[op]
    if not holds:
        a, b, op = b, a, {"lt": "le", "le": "lt"}[op]
    apart = a if same_number(b, ZERO) else Apply("add", (a, pushed(Apply("neg", (b,)))))
    return apart, op == "lt"


def _numeric(carry: Carry) -> bool:
    """Does the value begin as a number, as far as one can see?"""
    return not isinstance(carry.init, Const) or (
        isinstance(carry.init.value, (int, float)) and not isinstance(carry.init.value, bool)
    )


def _finite_number(term: Term, ring: Semiring) -> bool:
    """May a constant stand in a product of the ring?"""
    if ring.name == SEQUENCES or not isinstance(term, Const):
        return True
    if not isinstance(term.value, (int, float)):
        return False
    return ring.times != "mul" or math.isfinite(term.value)


def _never_negative(rows: Iterable[Carry], entries: Iterable[Term]) -> bool:
    """Are the rows finite numbers that are no less than 0, and stay so?"""
    starts = [row.init.value if isinstance(row.init, Const) else None for row in rows]
    normaliser = Normaliser()
    return all(
        isinstance(start, (int, float)) and 0 <= start < math.inf for start in starts
    ) and all(
        nonnegative(normaliser.normal(entry))
        and all(_finite_number(leaf, GREATEST_PRODUCTS) for leaf in leaves(entry))
        for entry in entries
    )


def _infinite(carry: Carry) -> bool:
    return isinstance(carry.init, Const) and carry.init.value in (float("inf"), float("-inf"))


def _block(step: dict, by: dict[Value, Term]) -> dict:  # type: ignore[type-arg]
    return {key: renamed(term, by) for key, term in step.items()}


def _inputs(terms: Iterable[Term], varying: Callable[[Value], bool]) -> list[Value]:
    """The inputs that differ from element to element, in order."""
    found: list[Value] = []
    for term in terms:
        for node in walk(term):
            if isinstance(node, Read) and node.value.kind == "input" and varying(node.value):
                if node.value not in found and node is not EMPTY:
                    found.append(node.value)
    return found


def _identifier(text: str, number: int) -> str:
    return text if text.isidentifier() else f"part{number}"


def _told(term: Term) -> str:
    text = show(term)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
