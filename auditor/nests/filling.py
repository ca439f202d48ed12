"""What becomes of the arrays that a nest writes to, by the kinds of cells that its steps fill."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.nests import disjoint
from auditor.nests.adding import (
    combined,
    mentions,
)
from auditor.nests.cells import WrittenCell
from auditor.nests.forms import (
    name_of,
)
from auditor.nests.integers import NoNest
from auditor.nests.parts import (
    Filled,
    put,
)
from auditor.nests.triangles import ALL, Cell, flipped, square
from auditor.notation import (
    Index,
    Read,
    Term,
    Value,
    walk,
)

if TYPE_CHECKING:
    from auditor.nests.reader import Reader


def fills(reader: Reader, written: dict[tuple[str, str], WrittenCell], name: str) -> list[Filled]:
    """What becomes of an array: one thing, or what is done to cells that no two steps share, or
    that are looked up in several ways, in any order."""
    cells = [cell for (other, _), cell in written.items() if other == name]
    beside = any(cell.kind.startswith(disjoint.BESIDE) for cell in cells)
    if not beside and (len(cells) == 1 or not all(cell.scattered for cell in cells)):
        return [_filled(reader, written, name)]
    if beside and any(cell.part != ALL or cell.scattered for cell in cells):
        raise NoNest("writes a cell under several conditions")
    every = (way for cell in cells if (way := combined(cell.held, cell.old)))
    ways = {way if way[0] == "set" else way[0] for way in every}
    if (len(ways) > 1 and not beside) or any(states(cell.held) - {cell.old} for cell in cells):
        raise NoNest("a step needs what another one left")
    return [
        Filled(name, cell.base, cell.array, cell.place, cell.held, cell.old,
               cell.stepwise or mentions(cell.held, cell.old), cell.scattered)
        for cell in cells
    ]  # fmt: skip


def _filled(reader: Reader, written: dict[tuple[str, str], WrittenCell], name: str) -> Filled:
    """What becomes of an array."""
    kinds = {kind: cell for (other, kind), cell in written.items() if other == name}
    cell = kinds.get("") or kinds.get("along")
    if cell is None or (len(kinds) > 1 and not kinds.get("")):
        raise NoNest("copies a part of an array to another one")
    own = {each.old for kind, each in kinds.items() if kind != "along"} | {cell.old}
    if any(states(each.held) - own - {each.old} for each in kinds.values()):
        raise NoNest("a step needs what another one left")
    stepwise = any(c.stepwise or mentions(c.held, c.old) for c in kinds.values())
    rounded = any(each.rounded for each in kinds.values())
    if len(kinds) > 1 or cell.part != ALL:
        found = _square(reader, cell, kinds.get("there"), kinds.get("along"), stepwise)
        return replace(found, rounded=rounded)
    return Filled(name, cell.base, cell.array, cell.place, cell.held, cell.old, stepwise,
                  cell.scattered, rounded=rounded)  # fmt: skip


def _square(
    reader: Reader,
    cell: WrittenCell,
    there: WrittenCell | None,
    along: WrittenCell | None,
    stepwise: bool,
) -> Filled:
    """An array of which a step writes two cells, or of which not all are written."""
    i, j = pair(reader, cell, there or along)
    exchanged = tuple({i: j, j: i}.get(sub, sub) for sub in cell.place)  # type: ignore[call-overload]
    diagonal = tuple(i if sub is j else sub for sub in cell.place)
    found = square(
        (i, j), Cell(cell.place, cell.held, cell.old, cell.part, cell.last),
        _named(reader, there, exchanged), _named(reader, along, diagonal),
        i in reader.reading.widened,
    )  # fmt: skip
    term, place = found.term, found.place
    if i in reader.reading.widened:
        whole = reader.reading.widened[i]
        by: dict[Term, Term] = {i: reader.reading.index(i.name, whole.low, whole.high)}
        term, place = put(term, by), tuple(put(sub, by) for sub in place)
    half = found.half if cell.place.index(i) < cell.place.index(j) else flipped(found.half)
    return Filled(
        name_of(cell.base), cell.base, cell.array, place, term, cell.old, stepwise, (),
        there is not None, found.bare, half, found.zero, found.problem,
        rooted=found.rooted,
    )  # fmt: skip


def pair(reader: Reader, cell: WrittenCell, other: WrittenCell | None) -> tuple[Index, Index]:
    """The two loops whose steps tell the place of a cell, the outer one first."""
    for pair, part in reader.reading.beside.items():
        if part != ALL and set(pair) <= set(cell.place):
            return pair
    if other is not None:
        turned = [
            sub for sub, at in zip(cell.place, other.place, strict=True)
            if sub is not at and isinstance(sub, Index)
        ]  # fmt: skip
        if len(turned) == 2:
            i, j = sorted(turned, key=reader.loops.index)
            one, two = reader.reading.walks[i], reader.reading.walks[j]
            if (one.low, one.high, one.stride) == (two.low, two.high, two.stride):
                return i, j
    raise NoNest("an array is read or written at two places")


def _named(reader: Reader, cell: WrittenCell | None, place: tuple[Term, ...]) -> Cell | None:
    """A cell with the steps named as ``place`` names them."""
    if cell is None:
        return None
    by = reader.renaming(cell.place, place)
    return Cell(place, put(cell.held, by), cell.old, cell.part, cell.last)


def states(term: Term) -> set[Value]:
    """What a term reads of what the steps leave."""
    read = {node.value for node in walk(term) if isinstance(node, Read)}
    return {value for value in read if value.kind == "state"}
