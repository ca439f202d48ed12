"""Numbers that the code states: as literals, or by the name of a constant of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.lift.objects import Obj
from auditor.notation import Const, Value
from auditor.syntax import constant

if TYPE_CHECKING:
    from auditor.lift.lifter import Lifter


def stated(lifter: Lifter, obj: Obj | None) -> object:
    """The number that an object is, or None."""
    if not isinstance(obj, Value) or obj.axes:
        return None
    if isinstance(obj.body, Const):
        return obj.body.value
    if obj.kind == "free" and obj.body is None and obj.name not in lifter.local:
        said = constant(lifter.module.constants.get(obj.name))
        return said if isinstance(said, (int, float)) else None
    return None
