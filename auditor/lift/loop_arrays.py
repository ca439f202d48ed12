"""Arrays that a loop writes: one element of one axis a step, or one element over and over."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.algebra.subterms import everything
from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.facts import Refine
from auditor.lift.objects import Cell, Obj, Unknown, Written
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Const,
    Index,
    Read,
    Term,
    Trace,
    Value,
    substitute,
    walk,
)
from auditor.tree import descendants

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter
    from auditor.lift.loops import Loop

FARTHEST = 3
"""How many steps back a loop may read what it wrote or put into a list."""

PerStep = Callable[[Value], tuple[tuple[Index, ...], Term]]


@dataclass
class ArrayWrite:
    """An array that the loop writes at one element of axis ``axis`` a step; ``item`` is the entry
    of the subscript that says which."""

    original: Value
    axis: int
    item: int
    place: Term
    items: list[object]
    node: ast.AST
    value: Value | None = None
    count: int = 0
    previous: Value | None = None
    augmented: bool = False


def _same_item(lifter: Lifter, left: object, right: object) -> bool:
    if isinstance(left, Value) and isinstance(right, Value):
        if left.axes or right.axes:
            return left is right
        return lifter.ops.element(left, ()) is lifter.ops.element(right, ())
    return left == right


def prepare_writes(
    lifter: Lifter, loop: Loop, node: ast.For | ast.While, arrays: dict[str, ast.AST], env: Env
) -> None:
    """Where each written array is written, before the body is read."""
    for name, target in arrays.items():
        held = env.get(name)
        if not isinstance(held, Written):
            continue
        try:
            items = _write_items(lifter, target, env)
            if _fixed(lifter, loop, items):
                env[name] = _cell(lifter, loop, name, held, items)
                continue
            if loop.before.get(name) is held:
                continue
            loop.arrays[name] = _array_write(lifter, loop, held.original, items, target)
        except Unsupported as problem:
            env[name] = Unknown(f"`{name}` is written: {problem}", lifter.module.span(target))
            lifter.effect("mutation", f"writes `{name}` ({problem})", target)
        for other, obj in loop.before.items():
            if other != name and obj is held.original and _reads(node, other):
                loop.block(f"`{other}` is another name of `{name}`, which it writes", loop.span)


def _fixed(lifter: Lifter, loop: Loop, items: list[object]) -> bool:
    """Whether a subscript stays where it is from step to step."""
    numbers = [item for item in items if isinstance(item, Value)]
    return bool(numbers) and not any(
        item.axes or loop.step in walk(lifter.ops.element(item, ())) for item in numbers
    )


def _cell(lifter: Lifter, loop: Loop, name: str, held: Written, items: list[object]) -> Cell:
    """One element that the loop updates, as a carried value."""
    array: Value | Written = held if loop.before.get(name) is held else held.original
    if isinstance(array, Written):
        start = read_array(lifter.written_by(array), lifter, array, items)
    else:
        start = lifter.ops.subscript(array, items)
    key = f"{name}[cell]"
    loop.tails[key] = start
    loop.states[key] = lifter.ops.state(key, start)
    return Cell(name, array, tuple(items), loop.states[key])


def _reads(node: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in descendants(node))


def _write_items(lifter: Lifter, target: ast.AST, env: Env) -> list[object]:
    if isinstance(target, ast.Subscript):
        return lifter.subscript_items(target.slice, env)
    raise Unsupported("`index_copy_` at an unknown place")


def _array_write(
    lifter: Lifter, loop: Loop, original: Value, items: list[object], node: ast.AST
) -> ArrayWrite:
    moving = [
        position
        for position, item in enumerate(items)
        if isinstance(item, Value) and not item.axes
        and loop.step in walk(lifter.ops.element(item, ()))
    ]  # fmt: skip
    whole = (None, None, None)
    for position, item in enumerate(items):
        constant = isinstance(item, Value) and not item.axes
        if position not in moving and item != whole and item is not Ellipsis and not constant:
            raise Unsupported("at a place that is no whole slice")
    if len(moving) != 1:
        raise Unsupported("at a place that does not move with the loop")
    lifter.ops.subscript(original, items)
    item = items[moving[0]]
    assert isinstance(item, Value)
    place = moving[0]
    if Ellipsis in items[:place]:
        axis = len(original.axes) - (len(items) - place)
    else:
        axis = place
    where = lifter.ops.wrap(item, lifter.ops.fresh(original.axes)[axis])
    moved = substitute(where, {loop.step: extents.add(loop.step, ONE)})
    if extents.constant(extents.sub(moved, where)) is None:
        raise Unsupported("at a place that may be counted from the end")
    return ArrayWrite(original, axis, place, where, items, node)


def read_array(loop: Loop, lifter: Lifter, base: Written, items: list[object]) -> Value:
    """An element of an array that the loop writes: what the previous step wrote, or what was
    there before."""
    write = loop.arrays[base.name]
    assert write is not None
    if len(items) != len(write.items):
        raise Unsupported(f"`{base.name}` is read at another place than it is written")
    for position, (read, wrote) in enumerate(zip(items, write.items, strict=True)):
        if position != write.item and not _same_item(lifter, read, wrote):
            raise Unsupported(f"`{base.name}` is read at another place than it is written")
    moving = items[write.item]
    if not isinstance(moving, Value) or moving.axes:
        raise Unsupported(f"`{base.name}` is read as a whole while the loop writes it")
    place = lifter.ops.element(moving, ())
    if extents.is_negative(place):
        place = lifter.ops.wrap(moving, write.original.axes[write.axis])
    stride = extents.constant(
        extents.sub(substitute(write.place, {loop.step: extents.add(loop.step, ONE)}), write.place)
    )
    distance = extents.constant(extents.sub(write.place, place))
    if distance is None or not stride:
        raise Unsupported(f"`{base.name}` is read at a place that depends on the data")
    if distance == 0:
        if write.value is not None:
            return write.value
        return lifter.ops.subscript(write.original, items)
    if distance * stride < 0 and distance % stride == 0:
        if write.count:
            raise Unsupported(f"`{base.name}` is read ahead after it was written")
        return lifter.ops.subscript(write.original, items)
    back = distance // stride
    if distance % stride or not 0 < back <= FARTHEST:
        raise Unsupported(f"`{base.name}` is read {distance} elements behind")
    if write.value is not None:
        raise Unsupported(f"`{base.name}` is read behind after it was written")
    for steps in range(1, back + 1):
        key = previous_key(base.name, steps)
        if key not in loop.states:
            at = extents.sub(write.place, Const(steps * stride))
            first = extents.canonical(substitute(at, {loop.step: ZERO}))
            start = [lifter.ops.scalar(first) if p == write.item else item
                     for p, item in enumerate(items)]  # fmt: skip
            loop.tails[key] = lifter.ops.subscript(write.original, start)
            loop.states[key] = lifter.ops.state(key, loop.tails[key])
    return loop.states[previous_key(base.name, back)]


def previous_key(name: str, steps: int) -> str:
    """What is carried where a loop reads what it wrote so many steps before."""
    return f"{name}[previous]" if steps == 1 else f"{name}[previous {steps}]"


def write(
    loop: Loop, lifter: Lifter, base: Written, items: list[object], value: Value, node: ast.AST
) -> None:
    write = loop.arrays[base.name]
    assert write is not None
    span = lifter.module.span(node)
    if len(items) != len(write.items) or not all(
        _same_item(lifter, a, b) for a, b in zip(items, write.items, strict=True)
    ):
        raise Unsupported("another place than the loop's other writes")
    if lifter.conditional:
        raise Unsupported("under a condition")
    target = lifter.ops.subscript(write.original, items)
    if not target.axes and lifter.ops.group_of(value) is not None:
        lifter.ops.need_number(value, f"as an element of `{base.name}` is set to one")
    axes = lifter.ops.fresh(target.axes)
    axes_, (element_term, _) = lifter.ops.align([value, replace(target, axes=axes)])
    if len(axes_) != len(axes):
        _fitted(lifter, value, len(axes_) - len(axes))
        loop.block("writes a value of another shape", span)
    body = element_term
    if target.dtype is not None and target.dtype != value.dtype:
        if value.dtype is None or target.library != "python":
            body = Apply(f"cast:{target.dtype}", (body,)) if value.axes or value.dtype else body
    write.value = Value(base.name, axes_, body, target.dtype or value.dtype, "derived",
                        target.library, span)  # fmt: skip
    write.count += 1


def _fitted(lifter: Lifter, value: Value, more: int) -> None:
    """Start again where ``value`` has too many axes for its place, and one array that it is made of
    was only taken to have as many axes as it has."""
    guessed = lifter.facts.guessed
    made = {node.value.name for node in everything([value.body or ONE]) if isinstance(node, Read)}
    taken = sorted(made & guessed)
    rank = lifter.facts.of(taken[0]).rank if len(taken) == 1 else None
    if rank is not None and 0 < more < rank:
        raise Refine(taken[0], "recount", rank - more)


def cell_result(lifter: Lifter, loop: Loop, cell: Cell, slot: int | None) -> Obj:
    """The array after the loop that updated one element of it."""
    name, span = cell.name, loop.span
    unknown = Unknown(f"`{name}` was written", span, f"{name} (line {span.line})")
    if slot is None:
        return unknown
    state = loop.states[f"{name}[cell]"]
    axes = lifter.ops.fresh(state.axes)
    last = Trace(loop.scan, slot, extents.sub(loop.step.extent, ONE), axes)
    final = Value(name, axes, last, state.dtype, "derived", state.library, span)
    if not isinstance(cell.array, Written):
        return unknown
    try:
        write(lifter.written_by(cell.array), lifter, cell.array, list(cell.items), final, loop.node)
    except Unsupported as problem:
        lifter.effect("mutation", f"writes `{name}` ({problem})", loop.node)
    return cell.array


def written_result(lifter: Lifter, loop: Loop, name: str, obj: Written, per_step: PerStep) -> Obj:
    """The array after the loop that wrote it."""
    write = loop.arrays.get(name)
    if write is None or write.value is None:
        return Unknown(f"`{name}` was written", loop.span, f"{name} (line {loop.span.line})")
    loop.written[name] = write
    original = write.original
    axes = lifter.ops.fresh(original.axes)
    inner_axes, term = per_step(write.value)
    loop.steps.append(term)
    at = axes[write.axis]
    stride = extents.constant(
        extents.sub(substitute(write.place, {loop.step: extents.add(loop.step, ONE)}), write.place)
    )
    start = extents.canonical(substitute(write.place, {loop.step: ZERO}))
    if stride not in (1, -1):
        return Unknown(
            f"`{name}` was written with a stride", loop.span, f"{name} (line {loop.span.line})"
        )
    when = extents.mul(Const(stride), extents.sub(at, start))
    kept = [axis for p, axis in enumerate(axes) if p != write.axis]
    constants = [
        p for p, item in enumerate(write.items) if isinstance(item, Value) and p != write.item
    ]
    if constants or len(kept) != len(inner_axes):
        return Unknown(
            f"a part of `{name}` was written", loop.span, f"{name} (line {loop.span.line})"
        )
    by: dict[Term, Term] = {loop.step: when}
    by.update(zip(inner_axes, kept, strict=True))
    body = substitute(term, by)
    n = loop.step.extent
    low = start if stride == 1 else extents.sub(start, extents.sub(n, ONE))
    high = extents.add(low, n)
    conditions: list[Term] = []
    if low is not ZERO:
        conditions.append(Apply("ge", (at, low)))
    if high is not lifter.facts.extent(at.extent):
        conditions.append(Apply("lt", (at, high)))
    old = lifter.ops.element(original, axes)
    for condition in conditions:
        body = Apply("where", (condition, body, old))
    result = Value(name, axes, body, original.dtype, "derived", original.library, loop.span)
    loop.results[name] = result
    return result
