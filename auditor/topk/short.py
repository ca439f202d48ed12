"""Rows that the code states to be short: they are ordered whole before a selection has begun. And
selections of everything, which are none.

Measured, ``np.partition`` overtakes ``np.sort`` at some 200 numbers and ``heapq`` overtakes
``sorted`` at some 100; below, each call of them costs up to four times as much.
"""

from __future__ import annotations

import ast

from auditor.arrays.facts import Arrays, size_of
from auditor.notation import Const, Term, Value
from auditor.surroundings.region import Region
from auditor.syntax import constant, same
from auditor.topk.cuts import Cut
from auditor.topk.orderings import Ordering

_SHORT = 100


def is_short(region: Region, ordering: Ordering) -> bool:
    """Whether what is ordered certainly is no longer than that."""
    size = _size(region, ordering)
    return size is not None and size <= _SHORT


def _size(region: Region, ordering: Ordering) -> int | None:
    operand, arrays = ordering.operand, Arrays(region)
    value = arrays.value(operand)
    named = arrays.assigned(operand.id) if isinstance(operand, ast.Name) else None
    operand = named if isinstance(named, ast.Subscript) else operand  # a list may be filled later
    if isinstance(operand, (ast.List, ast.Tuple)):
        starred = any(isinstance(item, ast.Starred) for item in operand.elts)
        return None if starred else len(operand.elts)
    if isinstance(operand, ast.Subscript) and ordering.dim is None:
        cut = operand.slice.elts[-1] if isinstance(operand.slice, ast.Tuple) else operand.slice
        upper = constant(cut.upper) if isinstance(cut, ast.Slice) and cut.upper else None
        if isinstance(upper, int) and upper >= 0:
            return upper
    dim = -1 if ordering.dim is None else constant(ordering.dim)
    extent = _extent(value, dim) if value is not None and isinstance(dim, int) else None
    return extent.value if isinstance(extent, Const) and isinstance(extent.value, int) else None


def takes_all(region: Region, ordering: Ordering, cut: Cut) -> bool:
    """Whether as many places are used as there are: ``sort(x)[: len(x)]``."""
    arrays, facts = Arrays(region), region.lifted.facts
    value, count = arrays.value(ordering.operand), region.values.get(cut.k)
    extent = _extent(value, cut.axis) if value is not None else None
    if extent is not None and isinstance(count, Value) and count.body is not None:
        one = facts.extent(count.body) is facts.extent(extent)
        return one and facts.certain(extent)  # not by what it met
    counted = size_of(cut.k)
    return cut.axis == 0 and counted is not None and same(counted, ordering.operand)


def _extent(value: Value, axis: int) -> Term | None:
    """The extent of an axis, counted from either end, unless axes of unknown number are between."""
    if not -len(value.axes) <= axis < len(value.axes):
        return None
    counted = value.axes[axis:] if axis < 0 else value.axes[: axis + 1]
    return None if any(one.group for one in counted) else value.axes[axis].extent
