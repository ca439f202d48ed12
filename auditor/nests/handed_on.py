"""What the steps of a loop hand to each other, and a loop to the one around it.

A cell that moves with the loop stays as it is; what the others hold after all steps is a sum over
them, or an extremum, where that is all that was done.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.nests import extrema, tiles
from auditor.nests.adding import (
    added_at_times,
    added_to,
    combined,
    given,
    mentions,
    or_nothing,
    subs_of,
)
from auditor.nests.cells import WrittenCell
from auditor.nests.forms import (
    name_of,
)
from auditor.nests.integers import NoNest
from auditor.nests.parts import (
    Part,
    indices,
    lookups,
    put,
)
from auditor.nests.triangles import ALL
from auditor.notation import (
    Apply,
    Index,
    Read,
    Term,
    Value,
    walk,
)

if TYPE_CHECKING:
    from auditor.nests.reader import Reader


def leave(reader: Reader, cell: WrittenCell, index: Index, states: set[Value]) -> None:
    """Hand a cell to the loop around."""
    looked = {i for sub in cell.place for i in lookups(sub)}
    counted = {i for sub in cell.place for i in indices(sub)}
    if cell.written and index in looked:
        term = _met(reader, cell, index, states)
    elif cell.written:
        total = held_after(reader, cell.held, cell.old, index, cell.place, states)
        cell.stepwise |= total is not cell.held
        if total is None:
            raise NoNest(f"`{name_of(cell.base)}` keeps what the last step leaves")
        term = total
    elif index in counted:
        # read at places that move, and not written: nothing to hand on
        if cell.held is not Read(cell.old, cell.rest):
            raise NoNest("reads what another loop wrote")
        term = cell.held
    else:
        term = cell.held
    outer = reader.levels[-1].get(cell.key)
    if outer is None:
        reader.levels[-1][cell.key] = replace(cell, held=term)
        return
    if outer.written and (cell.part != outer.part if cell.written else not cell.part <= outer.part):
        raise NoNest("writes a cell under several conditions")
    if cell.written:
        outer.part, outer.last = cell.part, cell.last
    by = reader.renaming(outer.place, cell.place)
    before = put(outer.held, by)
    outer.place, outer.rest = cell.place, cell.rest
    outer.held = given(term, cell.old, before)
    outer.written |= cell.written
    outer.stepwise |= cell.stepwise
    outer.scattered += cell.scattered


def _met(reader: Reader, cell: WrittenCell, index: Index, states: set[Value]) -> Term:
    """A cell whose place is looked up: steps that meet there must do so in any order."""
    read = {node.value for node in walk(cell.held) if isinstance(node, Read)} & states
    if read - {cell.old}:
        raise NoNest("a step needs what another one left")
    if reader.reading.walks[index].tiles:
        raise NoNest("a place that is looked up tile by tile")
    own = {i for sub in cell.place for i in lookups(sub)}
    apart = own <= set(cell.place)  # no two steps name one cell
    if combined(cell.held, cell.old) is None and not (apart and not mentions(cell.held, cell.old)):
        raise NoNest("a step does more than add to what the one before left")
    cell.scattered += (index,)
    return cell.held


def held_after(
    reader: Reader,
    term: Term,
    old: Value,
    index: Index,
    place: tuple[Term, ...],
    states: set[Value],
) -> Term | None:
    """What is held after all steps; None where that is what the last one leaves."""
    read = {node.value for node in walk(term) if isinstance(node, Read)} & states
    moves = any(index in indices(sub) for sub in place)
    others = {value for value in read if not (moves and value.name == old.name)}
    if others - {old}:
        raise NoNest("a step needs what another one left")
    held = reader.reading.walks[index]
    if moves:
        return term
    if any(pair[1] is index and part != ALL for pair, part in reader.reading.beside.items()):
        raise NoNest("adds up what some pairs of steps give")
    if held.tiles and any(
        reader.reading.walks[i].within is index for sub in place for i in indices(sub)
    ):  # fmt: skip
        return tiles.cell_by_cell(reader.reading, term, index)
    if not read:
        return None
    rest = added_to(term, old) or added_at_times(term, old)
    if rest is None:
        kept = extrema.over(reader.reading, term, old, index)
        if kept is None:
            raise NoNest("a step does more than add to what the one before left")
        return kept
    if held.tiles:
        return tiles.tiled(reader.reading, term, rest, index)
    total = reader.reading.reduced(Part((), or_nothing(rest)), index).term
    return Apply("add", (Read(old, subs_of(term, old)), total))
