"""Rows of an array that a nest fills, of which it fills others: ``u[t, i]`` beside ``u[t + 1, i] =
...``, as the sweeps of a scheme write one level of time after the other.

What no step writes is read as it was before the nest, like another array.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.arrays.signs import never_negative
from auditor.lift import extents
from auditor.nests.evidence import items_of
from auditor.nests.integers import NoNest
from auditor.nests.parts import Part, Scope
from auditor.nests.written_cells import written_array
from auditor.notation import Term

if TYPE_CHECKING:
    from auditor.nests.reading import Reader


def unwritten(reader: Reader, node: ast.Subscript | ast.Name, base: ast.Name, scope: Scope) -> (
    Part | None
):  # fmt: skip
    """What ``node``, of a written array, is where it lies in none of the rows that are written;
    else None."""
    targets = reader.targets.get(base.id)
    if not isinstance(node, ast.Subscript) or not targets or base.id in reader.added:
        return None
    items = _items(node)
    if not all(_elsewhere(reader, items, _items(target)) for target in targets):
        return None
    array = written_array(reader, base, len(items))
    return reader.reading.at(reader.reading.array(array), items, scope)


def _items(node: ast.expr) -> list[ast.expr]:
    """The items of ``u[t][i]``, of ``u[t, i]``; of a slice of a slice none."""
    own: list[ast.expr] = []
    while isinstance(node, ast.Subscript):
        items = items_of(node)
        if own and any(isinstance(item, ast.Slice) for item in items):
            return []
        own[:0] = items
        node = node.value
    return own


def _elsewhere(reader: Reader, read: list[ast.expr], written: list[ast.expr]) -> bool:
    """Whether some subscript, which no step changes, is another one at both places."""
    return any(_differ(reader, *pair) for pair in zip(read, written, strict=False))


def _differ(reader: Reader, one: ast.expr, other: ast.expr) -> bool:
    """Whether two places are certainly not the same: places from the end may be."""
    places: list[Term] = []
    for item in (one, other):
        if isinstance(item, ast.Slice):
            return False
        try:
            places.append(reader.reading.integers.term(item, {}))
        except NoNest:
            return False
    region, before = reader.region, reader.node
    apart = extents.constant(extents.sub(*places))
    return bool(apart) and all(never_negative(region, before, place) for place in places)
