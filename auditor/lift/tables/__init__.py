"""What library functions mean in index notation: one table a library, looked up by dotted path."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from auditor.lift.calls import Meaning
from auditor.lift.objects import Instance, Literal, Method, Named, Obj, Sequence, Shape, Unknown
from auditor.lift.own_layers import MOVES
from auditor.lift.tables import builtin, effects, methods, modules, numpy, samplers, torch
from auditor.notation import Value

if TYPE_CHECKING:
    from auditor.lift.lifter import Lifter


def meaning(lifter: Lifter, function: Obj) -> Meaning | None:
    """The meaning of a callable: what it computes, or at least what else it does. None for one
    that may do anything."""
    if isinstance(function, Named):
        return _function(function.path) or effects.function(function.path)
    if isinstance(function, Method):
        return _method(lifter, function)
    if isinstance(function, Instance):
        if modules.in_place(function):
            return modules.WRITTEN
        return modules.CALLS.get(function.path) or effects.layer(function.path)
    return None


def _function(path: str) -> Meaning | None:
    if path in builtin.FUNCTIONS:
        return builtin.FUNCTIONS[path]
    if path in modules.LIMITS:
        return modules.LIMITS[path]
    root, _, rest = path.partition(".")
    if root == "torch":
        if rest.startswith("Tensor."):
            return methods.TENSOR.get(rest.removeprefix("Tensor."))
        found = torch.FUNCTIONS.get(rest)
        if found is None and rest.startswith("nn.") and rest.split(".")[-1][:1].isupper():
            return modules.construct(path)
        return found
    if root == "numpy":
        return numpy.FUNCTIONS.get(rest)
    if root == "scipy":
        return numpy.SCIPY.get(rest)
    return None


def _method(lifter: Lifter, method: Method) -> Meaning | None:
    receiver, name = method.receiver, method.name
    if f"torch.Tensor.{name}" in lifter.module.patched:
        return None
    if isinstance(receiver, Literal):
        return effects.method(name, None)
    if isinstance(receiver, Instance) and name in MOVES:
        return modules.MOVED if modules.just_made(lifter, receiver, name) else None
    if samplers.is_generator(receiver):
        return samplers.METHODS.get(name) or effects.method(name, None)
    if not isinstance(receiver, (Value, Unknown, Sequence, Shape)):
        return None
    if isinstance(receiver, (Sequence, Shape)):
        return effects.Opaque(name) if name in ("index", "count", "numel", "copy") else None
    library: str | None = receiver.library if isinstance(receiver, Value) else None
    if library is None:
        library = lifter.library
    if library == "numpy":
        found = methods.ARRAY.get(name) or methods.ARRAY_IN_PLACE.get(name)
        return found or effects.method(name, library)
    if library is None:
        if name in methods.DIFFERENT:
            return methods.ALIKE.get(name) or effects.Opaque(name)
        found = methods.TENSOR.get(name) or methods.ARRAY.get(name)
        return found or effects.method(name, library)
    found = methods.TENSOR.get(name) or methods.IN_PLACE.get(name)
    return found or effects.method(name, library)


def computes(path: str) -> bool:
    """Whether the function of a dotted path does nothing besides computing a value, as far as is
    known: it has a meaning, or is known to be pure."""
    opaque = effects.function(path)
    return _function(path) is not None or (opaque is not None and not opaque.signature)


@cache
def known_method(name: str) -> bool:
    """Whether a method of that name may have a meaning, or known effects, on anything."""
    if name.endswith("_") or name in ("append", "insert", "extend", "appendleft", "reverse"):
        return True
    tables = (methods.TENSOR, methods.ARRAY, methods.IN_PLACE, methods.DIFFERENT)
    return any(name in table for table in tables) or effects.method(name, None) is not None
