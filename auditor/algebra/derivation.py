"""From a loop over scalars to its monoid: the carried values that need each other are summarised
together, by the first algebra in which a step composes in closed form.

Sources: Farzan and Nicolet, "Synthesis of Divide and Conquer Parallelism for Loops" (2017), for
the auxiliary values that a summary needs; Blelloch, "Prefix Sums and Their Applications" (1990),
for composing functions instead of values. Nothing is searched for: the auxiliary values are the
entries of the composed function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from auditor.algebra.block_maps import block_maps
from auditor.algebra.blocks import TooWide
from auditor.algebra.capped import capped
from auditor.algebra.choices import plain_truths
from auditor.algebra.counters import with_floors
from auditor.algebra.domains import cancelled, summarise
from auditor.algebra.extremes import with_extremes
from auditor.algebra.filtered import filtered
from auditor.algebra.finite import TooMany, finite
from auditor.algebra.flags import with_connectives
from auditor.algebra.from_sums import from_sums
from auditor.algebra.hulls import hulls
from auditor.algebra.kept_bounds import unguarded
from auditor.algebra.kept_lengths import lengths
from auditor.algebra.kept_segments import segments
from auditor.algebra.late import late
from auditor.algebra.limits import CannotEvaluate, TooLarge, within
from auditor.algebra.linear_part import Linear, inputs_of, told
from auditor.algebra.log_sums import LOGS, takes_logarithms
from auditor.algebra.matrix_maps import matrix_maps, no_product, takes_matrices
from auditor.algebra.monoid import Monoid, Part
from auditor.algebra.normalised_maps import normalised_maps
from auditor.algebra.ordered import ordered
from auditor.algebra.own_state import ATTEMPTS
from auditor.algebra.positive_counts import positive_counts
from auditor.algebra.quotients import homogeneous
from auditor.algebra.raised import raised
from auditor.algebra.remainders import Modular, modulus_of
from auditor.algebra.resets import with_flags
from auditor.algebra.residues import residues
from auditor.algebra.runs import runs
from auditor.algebra.semirings import (
    GREATEST_PRODUCTS,
    MAXIMA,
    MINIMA,
    SUMS,
    NotLinear,
)
from auditor.algebra.sequences import sequences
from auditor.algebra.shifts import as_numbers
from auditor.algebra.signs import turned, turned_most, turned_sums
from auditor.algebra.sinks import beside, by_sinks, split
from auditor.algebra.states import Dependence
from auditor.algebra.summary import Refused, Summary, rounded, wraps
from auditor.notation import (
    Carry,
    Const,
    Scan,
    Term,
    Value,
)

_STEPS = 80_000
_RINGS = (SUMS, MAXIMA, MINIMA, GREATEST_PRODUCTS)


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
    if any(takes_matrices(carry.update) for carry in carries):
        return (
            matrix_maps(carries, dependence, taken)
            or normalised_maps(carries, dependence, taken)
            or block_maps(carries, dependence, taken)
        )
    for attempt in ATTEMPTS:
        part = attempt(carries, dependence)
        if part is not None:
            return part
    states = frozenset(carry.state for carry in carries)
    carries = [replace(carry, update=as_numbers(carry.update, states)) for carry in carries]
    attempts = [
        *(partial(Linear, carries, dependence, varying, ring) for ring in _RINGS),
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
    counted_up = positive_counts(carries, set(taken))
    if counted_up is not None:
        under = _part(scan, counted_up.carries, dependence, varying, taken)
        if under is not None:
            return counted_up.back(under)
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
            return Linear(carries, dependence, varying, ring, taken).part()
    return None


def _modular(
    carries: list[Carry], dependence: Dependence, varying: _Varying, taken: set[str]
) -> Part | None:
    """Linear modulo a number."""
    states = frozenset(carry.state for carry in carries)
    modulus = modulus_of([carry.update for carry in carries], states)
    if modulus is None or inputs_of([modulus], varying):
        return None
    ring = Modular(carries, modulus)
    linear = Linear(carries, dependence, varying, ring.ring, taken)
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
                part = Linear(mirrored.carries, dependence, varying, ring, taken).part()
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
    return Linear(carries, dependence, varying, LOGS, taken).part()


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
    part = Linear(found.carries, dependence, varying, SUMS, taken).part()
    return found.back(part)


def _why(scan: Scan, carries: list[Carry]) -> str:
    """What the abstract domains say of the loop, where they name a reason."""
    if any(takes_matrices(carry.update) for carry in carries):
        return no_product(carries)
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
            return f"a power of the state in the update of {carry.name}: {told(carry.update)}"
    names = " and ".join(carry.name for carry in carries)
    if stages and all(isinstance(stage, Summary) for stage in stages):
        turn = f"{len(stages)} scans in turn" if len(stages) > 1 else "a scan"
        return f"{names}: {turn}, and no summary of one pass was found"
    return f"no algebra was found for {names}"
