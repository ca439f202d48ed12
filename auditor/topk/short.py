"""Rows that the code states to be short: they are ordered whole before a selection has begun.

Measured, ``np.partition`` overtakes ``np.sort`` at some 200 numbers and ``heapq`` overtakes
``sorted`` at some 100; below, each call of them costs up to four times as much.
"""

from __future__ import annotations

import ast

from auditor.arrays.facts import Arrays
from auditor.notation import Const
from auditor.surroundings.region import Region
from auditor.syntax import constant
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
    if value is None or not isinstance(dim, int):
        return None
    if not -len(value.axes) <= dim < len(value.axes):
        return None
    counted = value.axes[dim:] if dim < 0 else value.axes[: dim + 1]
    if any(axis.group for axis in counted):
        return None
    extent = value.axes[dim].extent
    return extent.value if isinstance(extent, Const) and isinstance(extent.value, int) else None
