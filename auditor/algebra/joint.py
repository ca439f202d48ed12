"""One pass instead of several: a stage of a loop that reads an earlier one's values is a scan after
a scan; here both become one monoid, so that halves of the data are summarised apart.

Every carried value that no other one reads is taken with all that it rests on, and these groups
are summarised one by one:

- jointly linear: one matrix for the whole group, over the reals or over max-plus;
- a lattice: values that only exchange places;
- a best value with what is remembered of where it was reached;
- finite control, or values that are forgotten after a few steps, with any of these on top: for
  every value of the control, or after the first few steps, the rest is as if alone;
- coordinates that a step merely adds to (``auditor.algebra.lifting``);
- an extreme over an axis of other states: for every place of the axis one value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from auditor.algebra.affine import NotAffine, inline
from auditor.algebra.best import remembered
from auditor.algebra.coupled import finite_control, joint_matrix, max_plus, ordered
from auditor.algebra.domains import summarise
from auditor.algebra.finite import values_of
from auditor.algebra.kept_bounds import unguarded
from auditor.algebra.lifting import lifted
from auditor.algebra.limits import CannotEvaluate, CannotSpell, TooLarge, within
from auditor.algebra.nested import flattened
from auditor.algebra.paths import Unresolved
from auditor.algebra.scalars import as_scalars, unnested
from auditor.algebra.spread import spread
from auditor.algebra.states import Dependence, stages
from auditor.algebra.summary import Summary
from auditor.notation import Carry, Index, Scan, Term, Value
from auditor.verdict import Numerics

STEPS = 20_000
_Stages = tuple[tuple[tuple[int, ...], str], ...]
# Rewrites and properties ask the same of a loop.
_known: WeakKeyDictionary[Scan, dict[_Stages, list[Summary] | None]] = WeakKeyDictionary()
_GRADES: tuple[Numerics, ...] = ("exact", "reassociated", "conditioned")


@dataclass(frozen=True)
class Group:
    """Some carries of a loop with the updates that are interpreted: what else they read are
    inputs."""

    slots: tuple[int, ...]
    carries: tuple[Carry, ...]
    updates: tuple[Term, ...]
    dependence: Dependence
    step: Index

    def part(self, chosen: Sequence[int]) -> Group:
        """The carries with these slots."""
        places = [n for n, slot in enumerate(self.slots) if slot in chosen]
        return Group(
            tuple(self.slots[n] for n in places),
            tuple(self.carries[n] for n in places),
            tuple(self.updates[n] for n in places),
            self.dependence,
            self.step,
        )

    def needs(self) -> dict[int, set[int]]:
        """For each slot the slots of the group that its update reads."""
        own = {carry.state: slot for slot, carry in zip(self.slots, self.carries, strict=True)}
        return {
            slot: {own[s] for s in self.dependence.states(update) if s in own}
            for slot, update in zip(self.slots, self.updates, strict=True)
        }

    def names(self) -> str:
        return ", ".join(carry.name for carry in self.carries)


def one_pass(scan: Scan, found: list[Summary]) -> Summary | None:
    """A summary of the whole loop by one monoid, where its stages depend on each other."""
    if len(found) < 2:
        return None
    dependence = Dependence()
    states = frozenset(carry.state for carry in scan.carries)
    if all(dependence.states(c.update) & states <= {c.state} for c in scan.carries):
        return None
    parts = monoids(scan, found)
    if parts is None:
        return None
    return parts[0] if len(parts) == 1 else _beside(scan, parts)


def mergeable(scan: Scan) -> Summary | None:
    """The summary of a loop of several carried values that one pass can merge, or None where there
    is none or it is not found in time."""
    try:
        return one_pass(scan, _of_their_own(scan))
    except (TooLarge, CannotEvaluate):
        return None


def _of_their_own(scan: Scan) -> list[Summary]:
    """The stages that are scans and need nothing of one that is none."""
    dependence = Dependence()
    lost: set[Value] = set()
    found: list[Summary] = []
    for stage in summarise(scan):  # each after those that it needs
        carries = [scan.carries[slot] for slot in stage.state]
        needs = any(dependence.states(carry.update) & lost for carry in carries)
        if isinstance(stage, Summary) and not needs:
            found.append(stage)
        else:
            lost |= {carry.state for carry in carries}
    return found


def monoids(scan: Scan, found: list[Summary]) -> list[Summary] | None:
    """The loop as monoids side by side (a value may be in several of them), or None."""
    if scan not in _known:
        _known[scan] = {}
    key = tuple((stage.state, stage.domain) for stage in found)
    if key not in _known[scan]:
        _known[scan][key] = _monoids(scan, found)
    return _known[scan][key]


def _monoids(scan: Scan, found: list[Summary]) -> list[Summary] | None:
    dependence = Dependence()
    slots = tuple(slot for stage in found for slot in stage.state)
    free = unguarded(scan)
    carries = tuple(free.carries[slot] for slot in slots)
    states = frozenset(carry.state for carry in carries)
    try:
        with within(STEPS):
            updates = tuple(
                unnested(flattened(inline(carry.update, states, dependence), scan))
                for carry in carries
            )
            group = Group(slots, carries, updates, dependence, scan.step)
            parts = _separate(group, found, scan)
    except TooLarge:
        return None
    pairs = zip(free.carries, scan.carries, strict=True)
    freed = {n for n, (one, other) in enumerate(pairs) if one.update is not other.update}
    return parts and [_with_bounds(part, free, freed) for part in parts]


def _with_bounds(part: Summary, scan: Scan, freed: set[int]) -> Summary:
    """The summary with what it takes as known of some of its states."""
    names = [scan.carries[slot].name for slot in part.state if slot in freed]
    if not names:
        return part
    return replace(part, proof=f"{part.proof}, where {' and '.join(names)} is never negative")


def _separate(group: Group, found: list[Summary], scan: Scan) -> list[Summary] | None:
    """A summary for each value that no other one reads, with what it rests on."""
    needs = group.needs()
    closed = {slot: _closure(slot, needs) for slot in group.slots}
    alone = [slot for slot in group.slots if not any(
        slot in closed[other] and other not in closed[slot] for other in group.slots
    )]  # fmt: skip
    out: list[Summary] = []
    covered: set[int] = set()
    for slot in alone:
        if slot in covered:
            continue
        covered |= closed[slot]
        part = _joined(group.part(sorted(closed[slot])), found, scan)
        if part is None:
            return None
        out.append(part)
    return out


def _closure(slot: int, needs: dict[int, set[int]]) -> set[int]:
    found, stack = {slot}, [slot]
    while stack:
        for other in needs[stack.pop()] - found:
            found.add(other)
            stack.append(other)
    return found


def _joined(group: Group, found: list[Summary], scan: Scan) -> Summary | None:
    """One monoid for the group."""
    for stage in found:
        if set(stage.state) == set(group.slots):
            return stage
    given = (group.slots, group.carries, group.updates, group.dependence)
    attempts: list[Callable[[], Summary | None]] = [
        lambda: finite_control(*given),
        lambda: joint_matrix(*given, group.step),
        lambda: max_plus(*given, group.step),
        lambda: ordered(*given, group.step),
        lambda: _with_place(group, found, scan),
        lambda: _under_control(group, found, scan),
        lambda: lifted(group.slots, group.carries, group.updates),
        lambda: _by_place(group, found, scan),
    ]
    for attempt in attempts:
        try:
            summary = attempt()
        except (NotAffine, TooLarge, Unresolved, CannotSpell, CannotEvaluate):
            continue
        if summary is not None:
            return summary
    return None


def _with_place(group: Group, found: list[Summary], scan: Scan) -> Summary | None:
    """Values that are remembered from where another one was best."""
    needs = group.needs()
    last = [
        slot
        for slot in group.slots
        if not any(slot in needs[other] for other in group.slots if other != slot)
    ]
    rest = [slot for slot in group.slots if slot not in last]
    if not last or not rest:
        return None
    core = _separate(group.part(rest), found, scan)
    if core is None:
        return None
    scalar = as_scalars(group.carries, group.updates)
    if scalar is None:
        return None
    carries = dict(zip(group.slots, scalar[0], strict=True))
    updates = dict(zip(group.slots, scalar[1], strict=True))
    ties: set[str] = set()
    keys: dict[int, str] = {}
    elements: dict[str, Term] = {}
    for slot in last:
        for key in rest:
            rule = remembered(
                carries[slot], updates[slot], carries[key], updates[key],
                [carries[other] for other in rest], group.dependence,
            )  # fmt: skip
            if rule is not None:
                ties.add(rule.tie)
                keys[key] = rule.extreme
                elements |= {f"{carries[slot].name} {k}": v for k, v in rule.elements.items()}
                elements["key"] = rule.key
                break
        else:
            return None
    if len(keys) != 1 or len(ties) != 1:
        return None
    ((key, extreme),) = keys.items()
    (tie,) = ties
    name = carries[key].name
    how = {
        "earlier": "the earlier one on a tie",
        "later": "the later one on a tie",
        "both": "on a tie the later one's steps are counted on",
    }[tie]
    beside = [part for part in core if part.domain not in ("max", "min")]
    given = f"; {beside[0].proof}; combine {beside[0].combine}" if beside else ""
    return Summary(
        "best", group.slots, f"the half with the better {name}, {how}", None,
        f"one pass: ({group.names()}) is kept from where {name} is the {extreme}{given}",
        max((part.numerics for part in core), key=_GRADES.index), elements, tuple(core),
    )  # fmt: skip


def _by_place(group: Group, found: list[Summary], scan: Scan) -> Summary | None:
    """Extremes over an axis of other states, each carried for every place of that axis."""
    needs = group.needs()
    carries, updates = list(group.carries), list(group.updates)
    spread_out = []
    for n, slot in enumerate(group.slots):
        if any(slot in needs[other] for other in group.slots if other != slot):
            continue
        others = [carry for carry in group.carries if carry is not group.carries[n]]
        made = spread(group.carries[n], group.updates[n], others, group.dependence)
        if made is not None:
            carries[n], updates[n] = made, made.update
            spread_out.append(made)
    if not spread_out:
        return None
    places = Group(group.slots, tuple(carries), tuple(updates), group.dependence, group.step)
    inner = _joined(places, found, scan)
    if inner is None:
        return None
    names = ", ".join(carry.name for carry in spread_out)
    axis = spread_out[0].state.axes[0].name
    return Summary(
        "by place", group.slots, f"for every {axis}: {inner.combine}", inner.identity,
        f"one pass: {names} is the extreme over {axis} of values that see one place each; "
        f"{inner.proof}", inner.numerics, {}, (inner,),
    )  # fmt: skip


def _under_control(group: Group, found: list[Summary], scan: Scan) -> Summary | None:
    """Finite control and values that are soon forgotten, and the rest given them."""
    control = _finite_slots(group)
    soon, depth = _forgotten(group, control)
    above = control | soon.keys()
    rest = [slot for slot in group.slots if slot not in above]
    if not above or not rest:
        return None
    inner = _separate(group.part(rest), found, scan)
    if inner is None:
        return None
    name = {slot: carry.name for slot, carry in zip(group.slots, group.carries, strict=True)}
    said, how = [], []
    if control:
        names = ", ".join(name[slot] for slot in sorted(control))
        said.append(f"{names} takes a few known values")
        how.append(f"a table over {names}")
    if soon:
        names = ", ".join(name[slot] for slot in sorted(soon))
        steps = "one step" if depth == 1 else f"{depth} steps"
        said.append(f"{names} is forgotten after {steps}")
        how.append(f"the first {steps} of each half run again from what the half before leaves")
    inside = "; ".join(part.proof for part in inner)
    combine = "; ".join(part.combine for part in inner)
    return Summary(
        "controlled" if not soon else "first steps", group.slots,
        f"{' and '.join(how)}, of: {combine}", None,
        f"one pass: {' and '.join(said)}; given that, {inside}",
        max((part.numerics for part in inner), key=_GRADES.index), {}, tuple(inner),
        frozenset(control), depth,
    )  # fmt: skip


def _finite_slots(group: Group) -> set[int]:
    """The carries that only take a few known values, whatever the others do."""
    needs = group.needs()
    chosen: set[int] = set()
    for stage in _stages(group):
        if all(needs[slot] <= chosen | set(stage) for slot in stage):
            part = group.part(sorted(chosen | set(stage)))
            if values_of(part.carries, part.updates, group.dependence) is not None:
                chosen |= set(stage)
    return chosen


def _stages(group: Group) -> list[tuple[int, ...]]:
    made = Scan(group.step)
    made.carries = tuple(
        Carry(c.name, c.state, c.init, u) for c, u in zip(group.carries, group.updates, strict=True)
    )
    return [tuple(group.slots[n] for n in stage) for stage in stages(made, group.dependence)]


def _forgotten(group: Group, control: set[int]) -> tuple[dict[int, int], int]:
    """The carries whose value a few steps later does not depend on it now, and after how many."""
    needs = group.needs()
    depth: dict[int, int] = {}
    growing = True
    while growing:
        growing = False
        for slot in group.slots:
            if slot not in depth and slot not in control and needs[slot] <= depth.keys():
                depth[slot] = 1 + max((depth[other] for other in needs[slot]), default=0)
                growing = True
    readers = {s for slot in group.slots if slot not in depth for s in needs[slot]}
    kept = {slot: d for slot, d in depth.items() if _closure_reaches(slot, readers, needs)}
    return kept, max(kept.values(), default=0)


def _closure_reaches(slot: int, readers: set[int], needs: dict[int, set[int]]) -> bool:
    return any(slot in _closure(reader, needs) for reader in readers)


def _beside(scan: Scan, parts: list[Summary]) -> Summary:
    """Monoids side by side are one."""
    slots = tuple(dict.fromkeys(slot for part in parts for slot in part.state))
    shown = []
    for part in parts:
        names = ", ".join(scan.carries[slot].name for slot in part.state)
        shown.append((f"({names}) {part.proof}", f"({names}) {part.combine}"))
    return Summary(
        "side by side", slots, "; ".join(combine for _, combine in shown), None,
        " | ".join(proof for proof, _ in shown),
        max((part.numerics for part in parts), key=_GRADES.index), {}, tuple(parts),
    )  # fmt: skip
