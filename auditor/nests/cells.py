"""The cells that a nest writes, and how many axes must be known of what is put into them.

``out[i] = w[i] * x`` is ``out[:] = w * x`` where a cell is a number. Where it may be a row, what is
put there is the same for all steps at once only if everything in it has as many axes.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.assumed import listed
from auditor.nests.adding import mentions
from auditor.nests.expressions import Expressions
from auditor.nests.forms import name_of
from auditor.nests.parts import Part
from auditor.nests.triangles import ALL, Pairs
from auditor.notation import Apply, Index, Read, Reduce, Term, Value, free_indices, walk


@dataclass(eq=False)
class WrittenCell:
    """One array while the nest is read: the place, what it holds there, what it held when the
    loop's step began. ``stepwise`` says that sums are added up in the cell itself. Of an array that
    is also written with two loops exchanged, ``kind`` tells such cells (``there``) and those of the
    diagonal (``along``); ``part`` tells at which pairs of steps it is, ``last`` orders writes;
    ``rounded`` says that what was written, in the array's type, is read again."""

    base: ast.expr
    array: Value
    place: tuple[Term, ...]
    rest: tuple[Index, ...]
    held: Term
    old: Value
    written: bool = False
    stepwise: bool = False
    scattered: tuple[Index, ...] = ()
    kind: str = ""
    part: Pairs = ALL
    last: int = 0
    rounded: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return name_of(self.base), self.kind


def require_axes(reading: Expressions, cell: WrittenCell, part: Part) -> None:
    """Doubt (``Expressions.unsure``) what is put into a cell, where how many axes something in it
    has is not known and decides what all steps put there."""
    if cell.rest:
        _require_of_rows(reading, cell, part)
    elif cell.array in reading.guessed or _of_any_size(reading, cell):
        _require_of_what_may_be_rows(reading, cell, part)


def _require_of_rows(reading: Expressions, cell: WrittenCell, part: Part) -> None:
    """A row takes a number as well as a row; a product of matrices says itself what they are."""
    if cell.array in reading.totalled and _has_numbers(reading, part, cell):
        reading.unsure(f"how many axes `{cell.array.name}` has is not known")
    summed = {node.index for node in walk(part.term) if isinstance(node, Reduce)}
    for node in walk(part.term):
        if isinstance(node, Apply):
            free = free_indices(node)
            # numbers that differ from step to step meet, before rows do
            stepwise = free and summed.isdisjoint(free) and free.isdisjoint(part.axes)
            if stepwise or _laid_otherwise(part, node):
                _require_numbers(reading, node)
        if not isinstance(node, Read) or node.value not in reading.guessed:
            continue
        if node.value in reading.fitted and summed.isdisjoint(free_indices(node)):
            doubt = f"whether `{node.value.name}` holds numbers or rows is not known"
            reading.unsure(doubt, True)
        if not node.value.axes and cell.place[-len(cell.rest) :] != cell.rest:
            reading.unsure(f"whether `{node.value.name}` is a number is not known", True)
        narrow = len(node.value.axes) == 1 and not set(part.axes) & free_indices(node)
        if node.value.axes and (narrow or len(part.axes) != len(cell.rest)):
            reading.unsure(f"how many axes `{node.value.name}` has is not known", True)


def _laid_otherwise(part: Part, term: Apply) -> bool:
    """Whether what stands in a term would be laid out otherwise if it were a row and no number:
    beside another axis than the last, as in a factor of an outer product."""
    met = [axis for axis in part.axes if axis in free_indices(term)]
    return bool(met) and met[-1] is not part.axes[-1]


def _require_numbers(reading: Expressions, term: Apply) -> None:
    """What may be a row itself is a number in a term."""
    for node in term.args:
        if isinstance(node, Read) and node.value in reading.guessed and not node.value.axes:
            reading.unsure(f"whether `{node.value.name}` is a number is not known", True)


def _require_of_what_may_be_rows(reading: Expressions, cell: WrittenCell, part: Part) -> None:
    """What differs from step to step stands in the rows of all steps as in each only where it has
    as many axes as they have."""
    places = (sub for node in walk(part.term) if isinstance(node, Read) for sub in node.subs)
    guesses = reading.guesses(part.term).difference(*map(reading.guesses, places))
    if cell.array in reading.guessed and len(cell.array.axes) == 1:
        rows = {_as_wide_as(reading, reading.nodes[value]) for value in guesses if value.axes}
        if mentions(part.term, cell.old):
            rows.add(_as_wide_as(reading, cell.base))
        if len(rows) > 1:
            names = listed(f"`{name}`" for name in sorted(rows))
            reading.unsure(f"whether {names} have equally many axes is not known", True)
        if rows and reading.evidence.of_several_sizes(name_of(cell.base)):
            reading.unsure(f"how many axes `{name_of(cell.base)}` has is not known", True)
        if rows and _has_numbers(reading, part, cell):
            name = min(rows)
            reading.unsure(f"whether `{name}` has more than 1 axis is not known", True)
    if free_indices(part.term):
        for value in sorted(guesses, key=lambda value: value.name):
            if not value.axes and reading.is_array(reading.nodes[value]):
                reading.unsure(f"whether `{value.name}` is a number is not known", True)


def _has_numbers(reading: Expressions, part: Part, cell: WrittenCell) -> bool:
    """Whether something in a part certainly has as many axes at each step, another one at each."""
    return any(
        node.value not in reading.guessed and node.value is not cell.old and free_indices(node)
        for node in walk(part.term)
        if isinstance(node, Read)
    )


def _of_any_size(reading: Expressions, cell: WrittenCell) -> bool:
    """Whether an array was allocated with what may be one size or several; one, as is said."""
    if reading.evidence.of_one_number(name_of(cell.base)):
        return False
    count = len(cell.place)
    reading.assume(f"`{name_of(cell.base)}` has {count} {'axis' if count == 1 else 'axes'}")
    return True


def _as_wide_as(reading: Expressions, node: ast.expr) -> str:
    """The array that another was made like, or itself."""
    return reading.region.module.source(reading.evidence.like(node) or node)
