"""What library functions mean in index notation: one table a library, looked up by dotted path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.lift.calls import Meaning
from auditor.lift.objects import Instance, Method, Named, Obj, Sequence, Shape, Unknown, Value
from auditor.lift.tables import builtin, methods, modules, numpy, torch

if TYPE_CHECKING:
    from auditor.lift.lifter import Lifter


def meaning(lifter: Lifter, function: Obj) -> Meaning | None:
    """The meaning of a callable, or None."""
    if isinstance(function, Named):
        return _function(function.path)
    if isinstance(function, Method):
        return _method(lifter, function)
    if isinstance(function, Instance):
        return modules.CALLS.get(function.path)
    return None


def _function(path: str) -> Meaning | None:
    if path in builtin.FUNCTIONS:
        return builtin.FUNCTIONS[path]
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
    return None


def _method(lifter: Lifter, method: Method) -> Meaning | None:
    receiver = method.receiver
    if isinstance(receiver, Shape):
        return methods.SHAPE.get(method.name)
    if isinstance(receiver, (Value, Unknown, Sequence)):
        if isinstance(receiver, Sequence):
            return None
        library = receiver.library if isinstance(receiver, Value) else None
        if library is None:
            library = lifter.module.library  # type: ignore[assignment]
        table = methods.ARRAY if library == "numpy" else methods.TENSOR
        if library is None and method.name in methods.DIFFERENT:
            return None
        return table.get(method.name)
    return None
