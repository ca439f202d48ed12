"""Loops that only fold and keep what they have so far at every step, from the notation of the loop,
whatever the spelling of the fold, of what it walks and of where the values are kept."""

from __future__ import annotations

from auditor.assumed import listed
from auditor.lift.dtypes import NO_NARROW, WHOLE, fits
from auditor.notation import (
    Const,
    Trace,
    Value,
    walk,
)
from auditor.recurrences.coefficients import NotLinear, coefficients, running_extreme, running_kind
from auditor.recurrences.distribution import LoopCode, one_by_one, plainest
from auditor.recurrences.extreme_types import arrays_in
from auditor.recurrences.recurrence import LoopRegion
from auditor.recurrences.walked_tensors import require_tensors, walks_numpy
from auditor.rewrite import Match, Refused, Site
from auditor.writing.pieces import CannotRender

_WORDS = {"sum": "sum", "prod": "product", "max": "maximum", "min": "minimum"}


def running(site: Site) -> Match | None:
    """The match of a loop over tensors all of whose carried values are such, or None. Raises
    ``Refused``."""
    if site.loop is None or not site.loop.finals:
        return None
    if any(key.endswith("[cell]") for key in site.loop.finals):
        return None
    region = LoopRegion(site)
    kinds = kinds_of(region)
    if kinds is None:
        return None
    if not region.of_numpy and (not region.has_torch() or walks_numpy(region)):
        return _told(site, region, kinds)
    region.check_loop()
    region.require_one_type(site)
    try:
        code, edits = plainest(site, region, one_by_one)
    except (CannotRender, NotLinear, Refused) as problem:
        reason = problem.reason if isinstance(problem, Refused) else str(problem)
        condition = problem.condition if isinstance(problem, Refused) else "names"
        refusal = Refused(condition, reason)
        refusal.advice = _told(site, region, kinds, f"; not applied here: {reason}")
        raise refusal from problem
    if not code.prefixes or code.scans:
        return None
    updates = [carry.update for carry in region.scan.carries]
    code.assumptions.extend(require_tensors(region, site, *updates))
    code.assumptions.extend(widths(code, site, kinds))
    exact = set(kinds.values()) <= {"max", "min"}
    return Match(
        span=region.loop.span,
        message=_message(region, kinds),
        computation=site.computation,
        edits=edits,
        imports=region.other_imports(edits),
        numerics="exact" if exact else "reassociated",
        reason=region.stated_assumptions(code.assumptions, code.ranks),
        safe=code.ranks != "uncertain",
    )


def _message(region: LoopRegion, kinds: dict[int, str]) -> str:
    names = listed(f"`{region.scan.carries[slot].name.partition('[')[0]}`" for slot in kinds)
    words = " and a running ".join(dict.fromkeys(_WORDS[kind] for kind in kinds.values()))
    return f"{names}: a running {words}, kept at every step"


def _told(site: Site, region: LoopRegion, kinds: dict[int, str], why: str = "") -> Match | None:
    """What the loop keeps, where no code is written for it."""
    loop = region.loop
    kept = [items.element for items in loop.lists.values()] + list(loop.steps)
    if loop.blocked is not None or not any(isinstance(n, Trace) for e in kept for n in walk(e)):
        return None
    return Match(loop.span, f"{_message(region, kinds)}{why}", site.computation)


def kinds_of(region: LoopRegion) -> dict[int, str] | None:
    """What each carried value is that is a fold; None where one is neither that nor a mere value of
    the step."""
    found: dict[int, str] = {}
    for slot, carry in enumerate(region.scan.carries):
        if carry.state.dtype == "bool":
            return None
        try:
            factor, rest = coefficients(region, slot)
        except CannotRender:
            return None
        except NotLinear:
            extreme = running_extreme(region, slot)
            if extreme is None:
                return None
            found[slot] = extreme[0]
            continue
        if factor is None:
            continue
        kind = running_kind(factor, rest)
        if kind is None:
            return None
        found[slot] = kind
    return found or None


def widths(code: LoopCode, site: Site, kinds: dict[int, str]) -> list[str]:
    """What is assumed of integers: a sum of theirs is wider in the library."""
    region = code.region
    found: list[str] = []
    for slot, kind in kinds.items():
        start = region.init_of(region.scan.carries[slot].name)
        by_float = start is not None and (start.dtype or "").startswith("float")
        if by_float:
            found += _floats(region, site, slot, start, kind)
        if by_float or kind not in ("sum", "prod"):
            continue
        typed = start is None or start.library == "python" or _wide(start)
        site.require(typed, "integers", "the start is of a narrow type")
        leaves = arrays_in(region.scan.carries[slot].update)
        for value in sorted(leaves, key=lambda value: value.name):
            site.require(
                value.dtype is None or _wide(value),
                "integers",
                "the loop adds integers as wide as the array's, the library wider ones",
            )
            if value.dtype is None and value.kind != "state":
                found.append(f"`{value.name}` holds {NO_NARROW}")
    return found


def _floats(region: LoopRegion, site: Site, slot: int, start: Value | None, kind: str) -> list[str]:
    """What is assumed where a fold starts as a floating-point number, which makes such of integers.
    A sum or a product that starts as 0.0, or as 1.0, is the library's alone, and so is an
    extreme."""
    if start is None or start.library != "python":
        return []
    bare = isinstance(start.body, Const) and start.body.value in (0, 1)
    bare = bare or kind not in ("sum", "prod")
    leaves = sorted(arrays_in(region.scan.carries[slot].update), key=lambda value: value.name)
    for value in leaves:
        whole = value.dtype in WHOLE
        site.require(
            not whole, "integers", f"the start makes floats of the integers `{value.name}`"
        )
    return [
        f"`{value.name}` holds {'floating-point numbers' if bare else fits(kind)}"
        for value in leaves
        if value.dtype is None and value.kind != "state"
    ]


def _wide(value: Value) -> bool:
    """Whether a sum of such numbers is as wide as they are."""
    dtype = value.dtype or ""
    return dtype in ("int64", "int") or not dtype.startswith(("int", "uint", "bool"))
