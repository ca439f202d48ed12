"""Cells of one array that no two steps share: ``out[i, 0]`` and ``out[i, 1]``, ``out[2 * i]`` and
``out[2 * i + 1]``, ``out[i]`` and ``out[n + i]`` where i is less than n."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.nests.parts import indices, linear
from auditor.notation import ONE, Const, Index, Term

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions

Place = tuple[Term, ...]
BESIDE = "beside"


def kind(reading: Expressions, known: dict[str, Place], place: Place) -> str:
    """The kind of cell that a place is: one of those ``known`` unless it is apart from all of
    them, and then another one."""
    for name, other in known.items():
        if not _apart(reading, other, place):
            return name
    name = f"{BESIDE} {len(known)}" if known else ""
    known[name] = place
    return name


def _apart(reading: Expressions, one: Place, other: Place) -> bool:
    """Whether no step's cell at one place is any step's at the other."""
    return len(one) == len(other) and any(
        _never_meet(reading, *subs) for subs in zip(one, other, strict=True)
    )


def _never_meet(reading: Expressions, one: Term, other: Term) -> bool:
    """Whether two subscripts of an axis differ, whichever steps they are of. Places that count
    from the end are not known to."""
    first, second = extents.constant(one), extents.constant(other)
    if first is not None and second is not None:
        return first != second and min(first, second) >= 0
    inside = set(indices(one)) | set(indices(other))
    if len(inside) != 1 or not indices(one) or not indices(other):
        return False
    (index,) = inside
    forms = linear(one, index), linear(other, index)
    if forms[0] is None or forms[1] is None or forms[0][0] != forms[1][0]:
        return False
    (factor, start), (_, end) = forms[0], forms[1]
    if not _counts_up(reading, index, factor, start, end):
        return False
    between, stride = extents.sub(end, start), extents.constant(reading.walks[index].stride)
    number = extents.constant(between)
    if number is not None and stride is not None and number % (factor * stride):
        return True
    length = extents.sub(reading.walks[index].high, reading.walks[index].low)
    reach = extents.mul(Const(factor), extents.sub(length, ONE))
    return any(
        (extents.constant(extents.sub(way, reach)) or 0) > 0
        for way in (between, extents.neg(between))
    )


def _counts_up(reading: Expressions, index: Index, factor: int, start: Term, end: Term) -> bool:
    """Whether places go up from one that is not counted from the end."""
    low = extents.mul(Const(factor), reading.walks[index].low)
    firsts = [extents.add(low, offset) for offset in (start, end)]
    return factor > 0 and not any(map(extents.is_negative, firsts))
