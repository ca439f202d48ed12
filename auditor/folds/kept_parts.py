"""Whether what a loop leaves in a name may be seen to be a part of an array, as an item is: written
into, or given to someone who may. What only computes with its value cannot tell."""

from __future__ import annotations

import ast

from auditor.surroundings.region import Region
from auditor.syntax import is_name

_NUMBERS = frozenset(("float", "int", "bool", "print", "str", "len", "round"))
_ASKED = frozenset(("item", "tolist", "shape", "dtype", "device", "ndim"))


def seen_as_a_part(region: Region, loop: ast.stmt, name: str) -> bool:
    """Whether anything after ``loop`` does more with ``name`` than compute with its value."""
    return region.read_after(loop, name, lambda load: not _computes(region, load))


def _computes(region: Region, load: ast.Name) -> bool:
    """Whether a read only takes part in a computation of something new."""
    parent = region.parents.get(load)
    if isinstance(parent, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.FormattedValue)):
        return True
    if isinstance(parent, ast.AugAssign):
        return parent.value is load
    if isinstance(parent, ast.Attribute):
        return parent.attr in _ASKED
    return isinstance(parent, ast.Call) and any(is_name(parent.func, one) for one in _NUMBERS)
