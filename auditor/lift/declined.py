"""Functions that could not be read in place of a call, remembered.

Reading a function's body only to find that it has effects is most of the work on code that is no
computation: it calls such functions again and again, and so do those. What happens in a body is
decided by what the arguments are, so that it need be found out once for each kind of argument.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable
from typing import TYPE_CHECKING

from auditor.lift.objects import Function, Literal, Method, Named, Obj, Sequence, Shape, Unknown
from auditor.notation import Const, Value

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter

Case = tuple[Hashable, ...]


def case(lifter: Lifter, function: ast.FunctionDef, env: Env) -> Case:
    """What decides how the body of a function is read: the function, what its names are bound to,
    where it is called from. Equal for calls that are read alike."""
    bound = frozenset((name, _kind(obj)) for name, obj in env.items())
    around = (lifter.depth, bool(lifter.active), len(lifter.facts.given_up))
    return (function, bound, *around)


def _kind(obj: Obj) -> Hashable:
    """What of an object may decide a branch or the meaning of a call; without that, itself."""
    if isinstance(obj, Value):
        body = obj.body if isinstance(obj.body, Const) else None
        axes = tuple(
            (axis.group, axis.extent if isinstance(axis.extent, Const) else None)
            for axis in obj.axes
        )
        return (Value, obj.kind, obj.dtype, obj.library, body, axes)
    if isinstance(obj, Literal):
        return (Literal, type(obj.value), obj.value)
    if isinstance(obj, Named):
        return (Named, obj.path)
    if isinstance(obj, Unknown):
        return (Unknown, bool(obj.owner))
    if isinstance(obj, Sequence):
        return (Sequence, obj.kind, tuple(map(_kind, obj.items)))
    if isinstance(obj, Method):
        return (Method, _kind(obj.receiver), obj.name)
    if isinstance(obj, Shape):
        return (Shape, _kind(obj.value), obj.start, obj.stop)
    if isinstance(obj, Function) and not obj.closure:
        return (Function, obj.node)
    return obj
