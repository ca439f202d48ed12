"""Types of running extrema of NumPy's arrays: whether all steps at once give what the loop gives.

A maximum is one of what it is taken of: Python's is the very number, NumPy's is promoted. Both are
of the type of what the loop walks where that is one of floating-point numbers and the start gives
way to the first of them, or where the start is one of them itself.
"""

from __future__ import annotations

from auditor.assumed import hold
from auditor.lift.dtypes import WHOLE
from auditor.notation import Apply, Const, Read, Term, Value, children, definition
from auditor.recurrences.recurrence import LoopRegion
from auditor.syntax import infinite
from auditor.writing.pieces import CannotRender


def begins_at_the_end(region: LoopRegion, slot: int, kind: str) -> bool:
    """Whether a running maximum starts as minus infinity, or a minimum as infinity."""
    name = region.scan.carries[slot].name
    binding = region.binding_before(region.node, name) if name.isidentifier() else None
    way = {"max": -1, "min": 1}.get(kind, 0)
    return binding is not None and way != 0 and infinite(region.module, binding.value) == way


def assumed_of_extremes(region: LoopRegion, slot: int, kind: str, rest: Term) -> list[str]:
    """What is assumed of what ``slot`` is the running extremum of. Raises ``CannotRender``."""
    name = region.scan.carries[slot].name
    start, rest = region.init_of(name), region.inlined(rest)
    begun = start.body if start is not None else None
    if isinstance(begun, Read) and isinstance(rest, Read) and begun.value is rest.value:
        return []
    endless = begins_at_the_end(region, slot, kind)
    if not endless and not (isinstance(begun, Const) and not region.loop.lists):
        raise CannotRender(f"`{name}` may start in a type of its own")
    arrays = sorted(arrays_in(rest), key=lambda value: value.name)
    if not arrays or any(value.dtype in WHOLE for value in arrays):
        raise CannotRender(f"the start makes floats of the integers that `{name}` meets")
    names = [f"`{value.name}`" for value in arrays if value.dtype is None]
    said = [f"{one} holds floating-point numbers" for one in names]
    if endless and region.loop.lists:
        said.append(hold((f"`{value.name}`" for value in arrays), "no infinite numbers"))
    return said


def arrays_in(term: Term) -> set[Value]:
    """The arrays that a term takes its numbers of in the end: what only chooses between them is
    none."""
    found: set[Value] = set()
    stack, seen = [term], set[Term]()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, Read) and node.value.axes:
            inner = definition(node)
            found |= {node.value} if inner is None else arrays_in(inner)
        chooses = isinstance(node, Apply) and node.op == "where"
        stack += children(node)[1:] if chooses else children(node)
    return found
