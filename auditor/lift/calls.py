"""Calling a function with a meaning: its signature, and typed access to bound arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from auditor.lift.arrays import Unsupported
from auditor.lift.objects import Instance, Literal, Obj, Sequence, Shape, Spread
from auditor.lift.stated import stated
from auditor.notation import Const, Term, Value

if TYPE_CHECKING:
    from auditor.lift.lifter import Lifter


Handler: TypeAlias = "Callable[[Call], Obj]"


@dataclass(frozen=True)
class Meaning:
    """What a function computes. ``signature`` lists its parameters as Python would, defaults as
    literals; ``*name`` takes the rest; alternative names are separated by ``|``
    (``dim|axis=None``)."""

    signature: str
    handler: Handler

    @cached_property
    def parameters(self) -> list[tuple[tuple[str, ...], bool]]:
        """(names, takes the rest) for each parameter, in order."""
        parts = [part.strip() for part in self.signature.split(",") if part.strip()]
        return [
            (tuple(part.split("=")[0].strip().lstrip("*").split("|")), part.startswith("*"))
            for part in parts
        ]

    def call(self, lifter: Lifter, args: list[Obj], keywords: dict[str, Obj]) -> Obj:
        """Bind and evaluate. Raises ``Unsupported`` for arguments without a meaning here."""
        bound: dict[str, Obj] = {}
        rest = list(args)
        for names, variadic in self.parameters:
            if variadic:
                bound[names[0]] = Sequence(tuple(rest))
                rest = []
            elif rest:
                bound[names[0]] = rest.pop(0)
            for name in names:
                if name in keywords:
                    bound[names[0]] = keywords[name]
        if rest:
            raise Unsupported("more arguments than the function's meaning covers")
        known = {name for names, _ in self.parameters for name in names}
        for name in keywords:
            if name not in known and name not in ("out", "inplace"):
                raise Unsupported(f"the argument `{name}` has no meaning here")
        for name in ("out", "inplace"):
            given = bound.get(name, keywords.get(name))
            if given is not None and not (_is_none(given) if name == "out" else _is_off(given)):
                lifter.effect_here("mutation", f"writes in place, by `{name}=`")
                changed = given if name == "out" else next(iter(bound.values()), None)
                if isinstance(changed, Value) and lifter.ops.span is not None:
                    lifter.overwritten.append((lifter.memory(changed), lifter.ops.span))
                raise Unsupported(f"the result is written in place, by `{name}=`")
        return self.handler(Call(lifter, bound))


def _is_none(obj: Obj) -> bool:
    return isinstance(obj, Literal) and obj.value is None


def _is_off(obj: Obj) -> bool:
    """None or False, which an array of zeros is not."""
    if isinstance(obj, Value) and not obj.axes and isinstance(obj.body, Const):
        return not obj.body.value
    return _is_none(obj)


class Call:
    """Bound arguments with typed access; anything unexpected is ``Unsupported``."""

    def __init__(self, lifter: Lifter, bound: dict[str, Obj]) -> None:
        self.lifter = lifter
        self.ops = lifter.ops
        self.bound = bound

    def has(self, name: str) -> bool:
        """Whether the argument was given and is not None."""
        obj = self.bound.get(name)
        return obj is not None and not (isinstance(obj, Literal) and obj.value is None)

    def obj(self, name: str) -> Obj:
        if name not in self.bound:
            raise Unsupported(f"the argument `{name}` is missing")
        return self.bound[name]

    def value(self, name: str) -> Value:
        """An array or scalar."""
        return self.lifter.as_value(self.obj(name))

    def given(self, name: str) -> Value:
        """An array or scalar, where None would mean that there is none."""
        value = self.value(name)
        if value.kind == "input" and value.body is None and value.name in self.lifter.optional:
            raise Unsupported(f"the argument `{name}` may be None")
        return value

    def values(self, name: str) -> list[Value]:
        """The items of a list or tuple of arrays."""
        obj = self.obj(name)
        if isinstance(obj, Sequence) and len(obj.items) == 1 and isinstance(obj.items[0], Sequence):
            obj = obj.items[0]
        if not isinstance(obj, Sequence):
            raise Unsupported(f"the argument `{name}` is no list of known items")
        return [self.lifter.as_value(item) for item in obj.items]

    def integer(self, name: str, default: int | None = None) -> int:
        """An integer that the code states."""
        if not self.has(name):
            if default is None:
                raise Unsupported(f"the argument `{name}` is missing")
            return default
        number = stated(self.lifter, self.obj(name))
        if not isinstance(number, int):
            raise Unsupported(f"the argument `{name}` is not a stated integer")
        return number

    def integers(self, name: str) -> list[int] | None:
        """One or several integers, or None when absent."""
        if not self.has(name):
            return None
        obj = self.obj(name)
        items = obj.items if isinstance(obj, Sequence) else (obj,)
        if len(items) == 1 and isinstance(items[0], Sequence):
            items = items[0].items
        numbers = [stated(self.lifter, item) for item in items]
        if not all(isinstance(number, int) for number in numbers):
            raise Unsupported(f"the argument `{name}` is not made of stated integers")
        return [number for number in numbers if isinstance(number, int)]

    def flag(self, name: str, default: bool = False) -> bool:
        """A boolean that the code states."""
        if not self.has(name):
            return default
        number = stated(self.lifter, self.obj(name))
        if not isinstance(number, int):
            raise Unsupported(f"the argument `{name}` is not a stated boolean")
        return bool(number)

    def size(self, name: str) -> Term:
        """An extent: an integer scalar as a term."""
        return self.lifter.as_size(self.obj(name))

    def sizes(self, name: str) -> list[Term]:
        """Extents given one by one, as a tuple, or as a shape."""
        obj = self.obj(name)
        items: tuple[Obj, ...] = obj.items if isinstance(obj, Sequence) else (obj,)
        if len(items) == 1 and isinstance(items[0], (Sequence, Shape)):
            first = items[0]
            items = first.items if isinstance(first, Sequence) else (first,)
        found: list[Term] = []
        for item in items:
            if isinstance(item, Spread):
                item = item.shape
            if isinstance(item, Shape):
                found.extend(self.lifter.extents_of(item))
            else:
                found.append(self.lifter.as_size(item))
        return found

    def text(self, name: str) -> str:
        obj = self.obj(name)
        if not (isinstance(obj, Literal) and isinstance(obj.value, str)):
            raise Unsupported(f"the argument `{name}` is not a literal string")
        return obj.value

    def dtype(self, name: str = "dtype") -> str | None:
        """A dtype by its torch name, or None when absent."""
        if not self.has(name):
            return None
        return self.lifter.as_dtype(self.obj(name))


def instance_argument(c: Call, position: int, name: str, default: Obj | None = None) -> Obj:
    """An argument that a module was constructed with."""
    layer = c.obj("layer")
    assert isinstance(layer, Instance)
    if name in layer.keywords:
        return layer.keywords[name]
    if position < len(layer.args):
        return layer.args[position]
    if default is None:
        raise Unsupported(f"the argument `{name}` is missing")
    return default
