"""What a rewrite is predicted to gain: what the code costs as it stands, and as it would be.

Both texts are lifted and counted; what they have in common cancels out. Extents that the code does
not state are taken at typical sizes, which ``detail`` names.
"""

from __future__ import annotations

import ast
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from auditor.arrays.stated_sizes import offered
from auditor.assumed import ranks_in
from auditor.cost.count import Costs, count
from auditor.cost.target import Target, target
from auditor.cost.work import RESOURCES, Sizes, Work, evaluate, total
from auditor.lift import Contradiction, Lifted, TooLarge, extents, functions, lift, read
from auditor.lift.facts import Facts
from auditor.lift.module import Module
from auditor.lift.opaque import Given
from auditor.notation import ONE, Const, Index, Term, Value, walk
from auditor.rewrite import Match
from auditor.verdict import Cost, Profit
from auditor.writing.edits import Unapplicable, apply_edits

# Of a loop, of each of two and of each of more that stand one within the other; of another axis.
STEPS, AXIS = (1024, 1024, 256, 64), 64
WINDOW = 8
"""What is taken off the steps of a loop: how far a step looks."""
# What does not pay there may pay at sizes so many times as large.
_LARGE = 16
_SHOWN = 4
Stated = Mapping[str, "int | tuple[int, ...]"]
_NOTHING: Stated = {}
_NAME = re.compile(r"[A-Za-z_][\w.]*(\[-?\d+\])?")


def predict(lifted: Lifted, match: Match, name: str, stated: Stated = _NOTHING) -> Profit | None:
    """The gain of a match on the machine ``name``; None where there is nothing to compare.
    ``stated`` are shapes of arrays and sizes of numbers, for what the code leaves open, besides
    those of the inputs that the file makes.
    Advice gains what the match says itself, by count or measurement."""
    machine = target(name)
    counted = match.gains.get(machine.name, match.gains.get("any"))
    if counted is not None and (not match.edits or match.counted):
        detail = "as counted for this code or measured for this rewrite"
        return Profit(machine.name, _limit(lifted, match), counted, detail, certain=True,
                       lost=math.inf if counted < 1 else 0.0)  # fmt: skip
    if not match.edits:
        return None
    after = _rewritten(lifted, match)
    if after is None:
        return None
    before = count(_as_assumed(lifted, match), machine.device)
    left, right = _changed(before, count(after, machine.device, before))
    sizes = {**offered(lifted), **stated}
    made = (*lifted.lifter.leaves.values(), *after.lifter.leaves.values())
    usual, large = (
        _sizes(before, lifted, sizes, match.typical, made, scale) for scale in (1, _LARGE)
    )
    first = _compared(machine, left, right, before.trips, usual)
    if first is not None and first.predicted_speedup >= 1:
        return first
    other = _compared(machine, left, right, before.trips, large)
    return other if other is not None and other.predicted_speedup >= 1 else first


def _limit(lifted: Lifted, match: Match) -> str:
    """What limits code of which only the gain is known: of a loop, and of code without tensors, the
    steps of the interpreter."""
    if "any" not in match.gains:
        return "bandwidth"
    in_python = match.computation.kind == "loop" or not lifted.module.imports_torch
    return "interpreter" if in_python else "launch"


def _rewritten(lifted: Lifted, match: Match) -> Lifted | None:
    """The function after the edits, lifted."""
    try:
        module = read(apply_edits(lifted.module.text, match.edits))
    except (SyntaxError, Unapplicable):
        return None  # told where it is applied
    for origin, name in match.imports:
        if name is None:
            module.names.setdefault(origin.split(".")[0], origin.split(".")[0])
        else:
            module.names.setdefault(name, f"{origin}.{name}")
    return _lifted(lifted, module, {**_ranks(lifted), **_assumed(lifted, match)})


def _as_assumed(lifted: Lifted, match: Match) -> Lifted:
    """The function with as many axes as the match assumes of arrays, where it was read with
    others."""
    ranks, assumed = _ranks(lifted), _assumed(lifted, match)
    if all(ranks.get(name) == rank for name, rank in assumed.items()):
        return lifted
    return _lifted(lifted, lifted.module, {**ranks, **assumed}) or lifted


def _ranks(lifted: Lifted) -> dict[str, int]:
    known = {name: lifted.facts.known.get(name) for name in lifted.parameters}
    return {
        name: one.rank for name, one in known.items() if one is not None and one.rank is not None
    }


def _assumed(lifted: Lifted, match: Match) -> dict[str, int]:
    ranks = ranks_in(match.reason or "")
    return {name: rank for name, rank in ranks.items() if name in lifted.parameters}


def _lifted(lifted: Lifted, module: Module, ranks: Mapping[str, int]) -> Lifted | None:
    """The function as a text has it, where its arrays have so many axes."""
    facts = Facts()
    for name, rank in ranks.items():
        facts.of(name).rank = rank
    try:
        if isinstance(lifted.node, ast.Module):
            return lift(module, lifted.scope, module.tree)
        for scope, node, klass in functions(module):
            if scope == lifted.scope and _at(node) >= _at(lifted.node):
                return lift(module, scope, node, klass, lifted.lifter.attributes, facts)
    except (Contradiction, TooLarge, RecursionError):
        pass
    return None


def _at(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Where a function of several of one name stands: edits within it do not move its beginning,
    but for imports, which are added last."""
    return node.lineno


def _changed(before: Costs, after: Costs) -> tuple[tuple[Work, ...], tuple[Work, ...]]:
    """The work of the statements that only one of two texts has, with that of the whole loops
    that they stand in."""
    left = Counter(key for key, _ in before.statements)
    right = Counter(key for key, _ in after.statements)
    other = (left - right) + (right - left)
    loops = {key[0] for key in other if len(key) > 1}
    return _only(before, left - right, loops), _only(after, right - left, loops)


def _only(costs: Costs, wanted: Counter[tuple[str, ...]], loops: set[str]) -> tuple[Work, ...]:
    found: list[Work] = []
    left = wanted.copy()
    for key, works in costs.statements:
        if left[key] > 0 or key[0] in loops:
            left[key] -= 1
            found += works
    return tuple(found)


def _compared(
    machine: Target,
    before: tuple[Work, ...],
    after: tuple[Work, ...],
    trips: frozenset[Term],
    sizes: Sizes,
) -> Profit | None:
    now, then = machine.seconds(before, sizes), machine.seconds(after, sizes)
    slow, fast = sum(now.values()), sum(then.values())
    if not slow or not fast:
        return None
    bound = max(now, key=lambda part: now[part])
    rests = _open((*before, *after), trips)
    return Profit(
        machine.name,
        bound,
        float(f"{slow / fast:.3g}"),
        f"{_time(slow)} before, {_time(fast)} after{_taken(rests, sizes)}",
        _cost(before),
        _cost(after),
        not rests,
        fast - slow,
    )


def _sizes(
    code: Costs,
    lifted: Lifted,
    stated: Stated,
    typical: Mapping[Term, int],
    made: Iterable[object],
    scale: int,
) -> Sizes:
    """The size of each extent: as stated, as in such code (``typical``), or, of the ``made`` arrays
    that calls without notation give, that of what these are given; else one for all."""
    known: dict[str, float] = {}
    for name, shape in stated.items():
        if isinstance(shape, int):
            known[name] = shape
        else:
            known |= _of_shape(name, shape, lifted)
    steps = STEPS[min(code.depth, len(STEPS) - 1)]
    # of sizes some of which are stated those that are typical need not be
    usual = {} if known else _by_name(typical, lifted)
    given: dict[str, float] = {}
    walked, windows = ({str(term) for term in terms} for terms in (code.trips, code.windows))

    def size(term: Term) -> float:
        name = str(term)
        if name in known:
            return known[name]
        if name in usual:
            return float(scale * usual[name])
        if name in given:
            return given[name]
        return float(scale * (WINDOW if name in windows else steps if name in walked else AXIS))

    for value in made:
        if isinstance(value, Value) and value.kind == "opaque":
            for name, extent in _as_given(value, lifted):
                given.setdefault(name, evaluate(extent, size))
    return size


def _by_name(typical: Mapping[Term, int], lifted: Lifted) -> dict[str, float]:
    """Sizes by the names of their extents, and by those that the axes of that extent have in each
    array: the code after a rewrite need not say that they are one."""
    extent = lifted.facts.extent
    usual = {str(extent(term)): float(size) for term, size in typical.items()}
    reader = lifted.lifter
    named = {**lifted.parameters, **reader.leaves}.values()
    for value in (*named, *reader.values.values()) if usual else ():
        if not isinstance(value, Value) or any(axis.group for axis in value.axes):
            continue
        for place, axis in enumerate(value.axes):
            size = usual.get(str(extent(axis.extent)))
            if size is not None:
                places = place, place - len(value.axes)
                usual |= {f"{value.name}.shape[{at}]": size for at in places}
    return usual


def _as_given(value: Value, lifted: Lifted) -> Iterator[tuple[str, Term]]:
    """The extents of what a call gives of which nothing is known, each with that of the first array
    of as many axes that the call is given: mostly they are alike."""
    extent = lifted.facts.extent
    rest = bool(value.axes) and value.axes[0].group
    own = value.axes[1:] if rest else value.axes
    for array in value.given.arrays if isinstance(value.given, Given) else ():
        more = len(array.axes) - len(own)
        if more < 0 or (more and not rest) or any(axis.group for axis in array.axes):
            continue
        for mine, given in zip(own, array.axes[more:], strict=True):
            if str(extent(mine.extent)).startswith(f"{value.owner}."):
                yield str(extent(mine.extent)), extent(given.extent)
        if rest:
            group = extents.mul(ONE, *(extent(axis.extent) for axis in array.axes[:more]))
            yield str(value.axes[0].extent), group
        return


def _of_shape(name: str, shape: tuple[int, ...], lifted: Lifted) -> dict[str, float]:
    """The sizes of an array's axes by the names of their extents; what stands for any number of
    axes has the product of those that are left."""
    known: dict[str, float] = {}
    for place, size in enumerate(shape):
        known[f"{name}.shape[{place}]"] = known[f"{name}.shape[{place - len(shape)}]"] = size
    value = lifted.lifter.leaves.get(name, lifted.parameters.get(name))
    axes = value.axes if isinstance(value, Value) else ()
    rest = list(shape)
    group = next((place for place, axis in enumerate(axes) if axis.group), None)
    tail = axes if group is None else axes[group + 1 :]
    for axis in reversed(tail):
        known[str(lifted.facts.extent(axis.extent))] = rest.pop() if rest else 1
    if group is not None:
        for axis in axes[:group]:
            known[str(lifted.facts.extent(axis.extent))] = rest.pop(0) if rest else 1
        known[str(axes[group].extent)] = math.prod(rest)
    return known


def _open(works: Iterable[Work], trips: frozenset[Term]) -> list[Term]:
    """The sizes that the code leaves open, those of loops first."""
    found = {
        atom
        for work in works
        for name in ("times", *RESOURCES)
        for atom in walk(getattr(work, name))
        if not isinstance(atom, (Const, Index)) and not getattr(atom, "args", None)
    }
    return sorted(found, key=lambda term: (term not in trips, str(term)))


def _taken(rests: list[Term], sizes: Sizes) -> str:
    """The sizes that a prediction rests on, of what has a short name."""
    named = {str(term): sizes(term) for term in rests if _NAME.fullmatch(str(term))}
    shown = [f"{name} = {size:.0f}" for name, size in [*named.items()][:_SHOWN]]
    if not rests:
        return ""
    if not shown:
        return ", at typical sizes"
    others = len({str(term) for term in rests}) > len(shown)
    return f" at {', '.join(shown)}{', ...' if others else ''}"


def _cost(works: tuple[Work, ...]) -> Cost:
    """The counts as they are shown."""
    return Cost(*(str(total(works, name)) for name in RESOURCES))


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
