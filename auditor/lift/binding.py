"""Walking and unpacking: what a ``for`` takes its items from, what a target is bound to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.lift import extents, keyed
from auditor.lift.arrays import Unsupported
from auditor.lift.objects import (
    Collected,
    Iteration,
    Obj,
    Record,
    Sequence,
    Shape,
    Spread,
    Unknown,
    arrays_of,
)
from auditor.notation import ONE, Const, Term, Value

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter


def iterate(lifter: Lifter, obj: Obj) -> Iteration:
    """What a ``for`` walks. Raises ``Unsupported``."""
    if isinstance(obj, Iteration):
        return obj
    if isinstance(obj, Collected) and not obj.prefix:
        n = obj.step.extent

        def item(step: Term) -> Obj:
            return lifter.item_at(
                obj, extents.sub(extents.sub(n, ONE), step) if obj.reverse else step
            )

        return Iteration(n, item)
    value = keyed.walked(lifter, lifter.as_value(obj))
    ops = lifter.ops
    ops.need_lead(value, 1)

    def element(step: Term) -> Obj:
        return ops.subscript(value, [ops.scalar(step)])

    return Iteration(lifter.facts.extent(value.axes[0].extent), element)


def bind(lifter: Lifter, target: ast.expr, obj: Obj, env: Env) -> None:
    """Assign ``obj`` to a target. Raises ``Unsupported``."""
    if isinstance(target, ast.Name):
        if target.id in lifter.declared_within:
            obj = changed_within(lifter, target)
        if isinstance(obj, Unknown) and obj.owner:
            line = obj.span.line if obj.span else 0
            owner = lifter.mine(f"{target.id} (line {line})")
            lifter.viewed[owner] = lifter.viewed.get(obj.owner, ())
            obj = lifter.opaque(lifter.mine(target.id), owner, obj)
        if isinstance(obj, Value) and obj.kind == "derived" and not obj.is_named:
            # The value was made by this very assignment and nothing else has seen its name.
            object.__setattr__(obj, "name", target.id)
        env[target.id] = obj
    elif isinstance(target, (ast.Tuple, ast.List)):
        parts = lifter.unpack(obj, target.elts)
        for part, item in zip(target.elts, parts, strict=True):
            lifter.bind(part.value if isinstance(part, ast.Starred) else part, item, env)
    else:
        raise Unsupported("an assignment to an attribute or subscript")


def changed_within(lifter: Lifter, name: ast.Name | ast.arg) -> Unknown:
    """What a name holds that a function within declares ``nonlocal``."""
    said = name.id if isinstance(name, ast.Name) else name.arg
    return Unknown(f"`{said}` may be changed by a function within", lifter.module.span(name))


def _with_sizes(lifter: Lifter, items: list[Obj], count: int) -> list[Obj]:
    """``*x.shape, n``: as many sizes as make ``count`` items of them."""
    spread = [item for item in items if isinstance(item, Spread)]
    if len(spread) != 1 or count < len(items):
        raise Unsupported("an unpacking of another length")
    shape = spread[0].shape
    if shape.start is None and shape.stop is None:
        lifter.ops.need_rank(shape.value, count - len(items) + 1)
    sizes: list[Obj] = [lifter.ops.scalar(extent) for extent in lifter.extents_of(shape)]
    at = items.index(spread[0])
    found = [*items[:at], *sizes, *items[at + 1 :]]
    if len(found) != count:
        raise Unsupported("an unpacking of another length")
    return found


def _made_alike(lifter: Lifter, items: Collected, targets: list[ast.expr]) -> list[Obj]:
    """The items of a comprehension under names: arrays of their own with as many axes. What makes
    them may be another layer for each, so that nothing more is said of them."""
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    if len(names) != len(targets) or lifter.active or any(axis.group for axis in items.axes):
        raise Unsupported("an unpacking of unknown length")
    found: list[Obj] = []
    for target, name in zip(targets, names, strict=True):
        owner = lifter.mine(f"{name} (line {target.lineno})")
        lifter.facts.of(owner).rank = len(items.axes)
        lifter.viewed[owner] = tuple(arrays_of(items))
        found.append(lifter._leaf(lifter.mine(name), owner, "opaque", items.dtype))
    return found


def unpack(lifter: Lifter, obj: Obj, targets: list[ast.expr]) -> list[Obj]:
    """The items of ``obj`` for a tuple of targets."""
    star = [p for p, target in enumerate(targets) if isinstance(target, ast.Starred)]
    count = len(targets)
    if isinstance(obj, Record):
        obj = Sequence(tuple(obj.fields.values()))
    if isinstance(obj, Sequence):
        items = list(obj.items)
        if star:
            if len(items) < count - 1:
                raise Unsupported("an unpacking of another length")
            cut = len(items) - (count - star[0] - 1)
            middle = Sequence(tuple(items[star[0] : cut]), "list")
            return [*items[: star[0]], middle, *items[cut:]]
        if len(items) != count:
            items = _with_sizes(lifter, items, count)
        return items
    if isinstance(obj, Shape):
        if star:
            before, after = star[0], count - star[0] - 1
            value = obj.value
            if before:
                lifter.ops.need_lead(value, before, by="dim")
            if after:
                lifter.ops.need_tail(value, after)
            sizes: list[Obj] = [
                lifter.ops.scalar(lifter.facts.extent(axis.extent)) for axis in value.axes[:before]
            ]
            rest: list[Obj] = (
                [
                    lifter.ops.scalar(lifter.facts.extent(axis.extent))
                    for axis in value.axes[len(value.axes) - after :]
                ]
                if after
                else []
            )
            middle_shape = Shape(value, before or None, -after or None)
            return [*sizes, middle_shape, *rest]
        if obj.start is None and obj.stop is None:
            lifter.ops.need_rank(obj.value, count)
        extents_ = lifter.extents_of(obj)
        if len(extents_) != count:
            raise Unsupported("an unpacking of another length")
        return [lifter.ops.scalar(extent) for extent in extents_]
    if isinstance(obj, Iteration):
        number = extents.constant(obj.extent)
        if number is None or number == count:
            return [obj.element(Const(p)) for p in range(count)]
    if isinstance(obj, Value) and not star:
        lifter.ops.need_lead(obj, 1)
        lifter.facts.unify(obj.axes[0].extent, Const(count))
        return [lifter.ops.subscript(obj, [lifter.ops.number(p)]) for p in range(count)]
    if isinstance(obj, Collected) and obj.scan is None and not obj.prefix and not star:
        return _made_alike(lifter, obj, targets)
    if isinstance(obj, Unknown):
        pieces: list[Obj] = [
            Unknown(obj.reason, obj.span, f"{obj.owner}.{p}" if obj.owner else "")
            for p in range(count)
        ]
        for piece in pieces:
            lifter.origins.passed_on(obj, piece)
        return pieces
    raise Unsupported("an unpacking of unknown length")
