"""Rows of an array that a nest fills, of which it fills others: ``u[t, i]`` beside ``u[t + 1, i] =
...``, as the sweeps of a scheme write one level of time after the other.

What no step writes is read as it was before the nest, like another array.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.arrays.signs import never_negative
from auditor.lift import extents
from auditor.lift.module import Module
from auditor.nests.evidence import items_of
from auditor.nests.integers import NoNest
from auditor.nests.parts import Part, Scope
from auditor.nests.written_cells import written_array
from auditor.notation import Term
from auditor.syntax import constant, is_name
from auditor.tree import ancestors, descendants

if TYPE_CHECKING:
    from auditor.nests.reader import Reader


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
    if isinstance(one, ast.Slice) or isinstance(other, ast.Slice):
        return False
    try:
        places = [reader.reading.integers.term(item, {}) for item in (one, other)]
    except NoNest:
        return False
    apart = extents.constant(extents.sub(*places)) or 0
    return apart != 0 and all(_never_negative(reader, place) for place in places)


def _never_negative(reader: Reader, place: Term) -> bool:
    parts = dict(extents.polynomial(place))
    number = parts.pop((), 0)
    if len(parts) == 1:
        ((monomial, factor),) = parts.items()
        name = reader.reading.integers.texts.get(monomial[0], "")
        first = _least(reader, name) if len(monomial) == 1 and factor > 0 else None
        if first is not None:
            return factor * first + number >= 0
    return never_negative(reader.region, reader.node, place)


def _least(reader: Reader, name: str) -> int | None:
    """The least that a variable of a loop around the nest may be."""
    region = reader.region
    for loop in ancestors(reader.node, region.parents):
        bound = [n for n in descendants(loop) if is_name(n, name)
                 and not isinstance(n.ctx, ast.Load)]  # type: ignore[attr-defined]  # fmt: skip
        if bound:
            plain = isinstance(loop, ast.For) and bound == [loop.target]
            return _least_of(region.module, loop.iter) if plain else None  # type: ignore[attr-defined]
    return None


def _least_of(module: Module, walked: ast.expr) -> int | None:
    """The least number of a range, be it counted up or down."""
    if not isinstance(walked, ast.Call) or not is_name(walked.func, "range"):
        return None
    if "range" in module.bound or walked.keywords:
        return None
    start, stop, step = (*walked.args, *[None] * 3)[:3]
    if stop is None:
        return 0
    way = 1 if step is None else constant(step)
    end = constant(start) if isinstance(way, int) and way > 0 else constant(stop)
    if not isinstance(way, int) or way == 0 or not isinstance(end, int):
        return None
    return end if way > 0 else end + 1
