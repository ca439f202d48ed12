"""Arrays of unknown rank whose rows meet in every step: the new code gives them as many axes.

``x[t] * gate[t]`` is aligned from the right, whatever the two are; ``x * gate`` only where both
have as many axes. Where the code does not say that, ``per_step`` sees to it when it runs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from auditor.notation import ONE, Index, Read, Term, Trace, Value, definition, walk

if TYPE_CHECKING:
    from auditor.recurrences.distribution import LoopCode


class _NotFirst(Exception):
    """An array counts the steps along another axis than its first."""


class _Picked(Exception):
    """A part of an array stands beside the steps, of which only the code knows the axes."""


def aligned(
    code: LoopCode, lines: list[str], outputs: list[str]
) -> tuple[str, list[str], list[str]]:
    """The code with such arrays widened first: ``aligned``. Where that cannot be said, the code as
    it is: ``assumed`` where the steps are behind an axis that all of them have, else
    ``uncertain``."""
    as_it_is = lines, outputs
    try:
        walked, beside = _read(code)
    except _NotFirst:
        return ("assumed", *as_it_is)
    except _Picked:
        return ("uncertain", *as_it_is)
    if not any(axis.group for value in walked.values() for axis in value.axes):
        if not any(axis.group for value in beside.values() for axis in value.axes):
            return ("known", *as_it_is)
    shapes = {len(code.scan.carries[slot].state.axes) for slot in code.sequences}
    plain = len(shapes) < 2 and all(name.isidentifier() for name in walked)
    bound = {name for line in lines for name in _targets(line)}
    if not walked or not plain or bound & walked.keys() or code.leading:
        return ("uncertain", *as_it_is)
    carries = {carry.name: carry.update for carry in code.scan.carries}
    for result in (*code.elements(), *(carries[name] for name in code.finals)):
        if _leaves(code, result) != (walked, beside):
            return ("uncertain", *as_it_is)  # one of the results may have fewer axes
    names = {name: code.fresh(f"{name}_") for name in sorted(walked)}
    given = ", ".join(names)
    if beside:
        tail = "," if len(beside) == 1 else ""
        given += f", beside=({', '.join(sorted(beside))}{tail})"
    left = ", ".join(names.values()) if len(names) > 1 else f"({names[next(iter(names))]},)"
    first = f"{left} = per_step({given})"
    return (
        "aligned",
        [first, *(_renamed(line, names) for line in lines)],
        [_renamed(output, names) for output in outputs],
    )


def _targets(line: str) -> set[str]:
    target, equals, _ = line.partition(" = ")
    return set(re.findall(r"\w+", target)) if equals and "[" not in target else set()


def _renamed(text: str, names: dict[str, str]) -> str:
    """New names on the right of an assignment, or in an expression."""
    target, equals, value = "", "", text
    found = re.match(r"([\w, ()]+|\w+\[[^=]*\])( = )", text)
    if found is not None:
        target, equals, value = found[1], found[2], text[found.end() :]
    for old, new in names.items():
        value = re.sub(rf"(?<![\w.]){old}\b(?!\s*=[^=])", new, value)
    return f"{target}{equals}{value}"


def _read(code: LoopCode) -> tuple[dict[str, Value], dict[str, Value]]:
    """The arrays that the code reads row by row, and the others, by the names that they have."""
    walked: dict[str, Value] = {}
    beside: dict[str, Value] = {}
    for element in [*code.elements(), *(code.scan.carries[slot].update for slot in code.sequences)]:
        rows, others = _leaves(code, element)
        walked |= rows
        beside |= others
    return walked, beside


def _picks(node: Read) -> bool:
    """Whether a read takes one place of an axis that has more."""
    return any(
        not isinstance(sub, Index) and axis.extent is not ONE
        for sub, axis in zip(node.subs, node.value.axes, strict=False)
    )


def _leaves(code: LoopCode, element: Term) -> tuple[dict[str, Value], dict[str, Value]]:
    """As ``_read``, for what one term reads, through the carried values."""
    walked: dict[str, Value] = {}
    beside: dict[str, Value] = {}
    picked: dict[str, bool] = {}
    states = {carry.state: slot for slot, carry in enumerate(code.scan.carries)}
    seen: set[object] = set()
    stack = [code.region.inlined(element)]

    def carried(slot: int) -> None:
        if slot not in seen:
            seen.add(slot)
            stack.append(code.scan.carries[slot].update)

    while stack:
        for node in walk(stack.pop()):
            if isinstance(node, Trace) and node.scan is code.scan:
                carried(node.slot)
            if not isinstance(node, Read) or not node.value.axes:
                continue
            if node.value in states:
                carried(states[node.value])
                continue
            name = code.name_at(node.value)
            if name is None:
                inner = definition(node) or node.value.body
                if inner is not None and node.value not in seen:
                    seen.add(node.value)
                    stack.append(inner)
                continue
            steps = [p for p, sub in enumerate(node.subs) if code.step in set(walk(sub))]
            if steps and steps != [0]:
                raise _NotFirst
            if not steps and _picks(node):
                picked[name] = picked.get(name, True) and not isinstance(node.subs[0], Index)
            else:
                (walked if steps else beside)[name] = node.value
    # One row of what is walked has the axes that all of its rows have.
    if any(name not in walked or not row for name, row in picked.items()):
        raise _Picked
    return walked, beside
