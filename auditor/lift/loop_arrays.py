"""Arrays that a loop writes: one element of one axis a step, or one element over and over. A loop
within a loop writes the part that a step of the outer one writes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from auditor.algebra.subterms import everything
from auditor.lift import dtypes, extents
from auditor.lift.arrays import Unsupported
from auditor.lift.bound import free_names
from auditor.lift.facts import Refine
from auditor.lift.module import chained
from auditor.lift.objects import Cell, Obj, Unknown, Written
from auditor.lift.ownership import holds
from auditor.lift.places import with_places
from auditor.lift.subscripts import WALKED
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
from auditor.syntax import mentions
from auditor.tree import descendants, everything_in

if TYPE_CHECKING:
    from auditor.lift.lifter import Effect, Env, Lifter
    from auditor.lift.loops import Loop

FARTHEST = 3
"""How many steps back a loop may read what it wrote or put into a list."""

PerStep = Callable[[Value], tuple[tuple[Index, ...], Term]]


@dataclass(eq=False)
class ArrayWrite:
    """An array that the loop writes at one element of axis ``axis`` a step; ``item`` is the entry
    of the subscript that says which. ``nested``: a loop within the loop writes that element.
    ``hidden``: what the loop leaves is for the properties only, no rewrite reads it. Where loops
    within the loop write all places at every step, there is no such axis (-1): the array is carried
    as a whole."""

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
    nested: bool = False
    hidden: bool = False

    @property
    def whole(self) -> bool:
        return self.axis < 0


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
            here = with_places(lifter, node, target, env)
            items, nested = _write_items(lifter, target, node, here)
            if _fixed(lifter, loop, items) and not nested:
                env[name] = _cell(lifter, loop, name, held, items)
                continue
            if loop.before.get(name) is held:
                if not _around(lifter, held).nested:
                    continue
                held = env[name] = _part(lifter, held)
                items = projected(lifter, held, items)
            if nested and all(item == WHOLE for item in items) and not held.nested:
                loop.arrays[name] = _carried(lifter, loop, held, items, target)
                continue
            made = _array_write(lifter, loop, held.original, items, target)
            made.nested = nested
            loop.arrays[name] = made
        except Unsupported as problem:
            env[name] = lifter.new_version(held.original, target)
            lifter.effect("mutation", f"writes `{name}` ({problem})", target)
        for other, obj in loop.before.items():
            if other != name and obj is held.original and mentions(node, other):
                loop.block(f"writes `{name}`, of which `{other}` is another name", loop.span)
                axes = lifter.ops.fresh(held.original.axes)
                env[other] = alias = replace(
                    held.original, name=other, axes=axes, body=Read(held.original, axes),
                    kind="derived", owner=held.original.owner,
                )  # fmt: skip
                loop.aliases.add(alias)


def _fixed(lifter: Lifter, loop: Loop, items: list[object]) -> bool:
    """Whether a subscript stays where it is from step to step."""
    numbers = [item for item in items if isinstance(item, Value)]
    return bool(numbers) and not any(
        item.axes or _moves(lifter, loop, lifter.ops.element(item, ())) for item in numbers
    )


def _moves(lifter: Lifter, loop: Loop, term: Term) -> bool:
    """May a term be another one at each step of the loop?"""
    states = set(loop.states.values())
    return any(
        node is loop.step
        or (isinstance(node, Read) and (node.value in states or node.value in lifter.origins.known))
        for node in everything([term])
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


def _carried(
    lifter: Lifter, loop: Loop, held: Written, items: list[object], node: ast.AST
) -> ArrayWrite:
    """An array that loops within the loop update at all places, as a carried value."""
    if len(items) != len(held.original.axes):
        raise Unsupported("at a place that does not move with the loop")
    memory = lifter.memory(held.original)
    others = (obj for name, obj in loop.before.items() if name != held.name)
    if any(holds(lifter, obj, memory) for obj in (*others, *lifter.stored)):
        raise Unsupported("as a whole, and other names reach it")
    key = f"{held.name}[cell]"
    loop.tails[key] = held.original
    state = loop.states[key] = lifter.ops.state(key, held.original)
    return ArrayWrite(
        held.original, -1, -1, ZERO, items, node, value=state, nested=True, hidden=True
    )


WHOLE = (None, None, None)


def _write_items(
    lifter: Lifter, target: ast.AST, node: ast.For | ast.While, env: Env
) -> tuple[list[object], bool]:
    """The subscript of a write, with all places where a loop within the loop says which; and
    whether there is such a loop."""
    if not isinstance(target, ast.Subscript):
        raise Unsupported("`index_copy_` at an unknown place")
    within = _targets_within(node)
    chain = chained(target) if isinstance(target.value, ast.Subscript) else None
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    parts = parts if chain is None else chain[1]
    inner = [any(mentions(part, name) for name in within) for part in parts]
    if not any(inner):
        if chain is not None:
            return lifter.chain_items(parts, env), False
        return lifter.subscript_items(target.slice, env), False
    if any(
        isinstance(part, ast.Slice) for part, nested in zip(parts, inner, strict=True) if nested
    ):
        raise Unsupported("in slices by a loop within it")
    items: list[object] = []
    for part, nested in zip(parts, inner, strict=True):
        items += [WALKED] if nested else lifter.subscript_items(ast.Tuple([part], ast.Load()), env)
    return items, True


def _targets_within(node: ast.For | ast.While) -> set[str]:
    """The names that loops within a loop walk with."""
    return {
        name.id
        for statement in node.body
        for inner in descendants(statement)
        if isinstance(inner, ast.For)
        for name in everything_in(inner.target)
        if isinstance(name, ast.Name)
    }


def whole_array(lifter: Lifter, base: Written) -> Value:
    """The array that a loop writes, also where the loop only writes a part of it."""
    writes = (loop.arrays.get(base.name) for loop in lifter.active)
    return next((write.original for write in writes if write is not None), base.original)


def _around(lifter: Lifter, held: Written) -> ArrayWrite:
    """The write of an array by the loop around."""
    for loop in reversed(lifter.active[:-1]):
        write = loop.arrays.get(held.name)
        if write is not None:
            return write
    raise Unsupported(f"`{held.name}` is written by another loop")


def _part(lifter: Lifter, held: Written) -> Written:
    """What a step of the loop around writes of an array."""
    write = _around(lifter, held)
    now = write.value
    if now is None:
        now = lifter.ops.subscript(write.original, write.items)
    items = iter(write.items)
    at = held.at or tuple(None for _ in write.items)
    places = (next(items) if item is None else item for item in at)
    return Written(held.name, now, tuple(None if item == WHOLE else item for item in places))


def projected(lifter: Lifter, base: Written, items: list[object]) -> list[object]:
    """A subscript of the whole array as one of the part that is written."""
    if not base.nested:
        return items
    if len(items) != len(base.at) or not all(
        kept is None or _same_item(lifter, kept, item)
        for kept, item in zip(base.at, items, strict=True)
    ):
        raise Unsupported(f"`{base.name}` is read or written outside of what the step writes")
    return [item for kept, item in zip(base.at, items, strict=True) if kept is None]


def _array_write(
    lifter: Lifter, loop: Loop, original: Value, items: list[object], node: ast.AST
) -> ArrayWrite:
    moving = [
        position
        for position, item in enumerate(items)
        if isinstance(item, Value) and not item.axes
        and loop.step in walk(lifter.ops.element(item, ()))
    ]  # fmt: skip
    for position, item in enumerate(items):
        constant = isinstance(item, Value) and not item.axes
        if position not in moving and item != WHOLE and item is not Ellipsis and not constant:
            raise Unsupported("at a place that is no whole slice")
    if len(moving) != 1:
        raise Unsupported(_unplaced(lifter, loop, items))
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


def _unplaced(lifter: Lifter, loop: Loop, items: list[object]) -> str:
    """Why the place of a write does not say which steps meet there."""
    numbers = [lifter.ops.element(item, ()) for item in items
               if isinstance(item, Value) and not item.axes]  # fmt: skip
    if not any(_moves(lifter, loop, number) for number in numbers):
        return "at a place that does not move with the loop"
    if any(loop.step in walk(number) for number in numbers):
        return "at a place that several subscripts say"
    return "at places of which two may be the same"


def read_array(loop: Loop, lifter: Lifter, base: Written, items: list[object]) -> Value:
    """An element of an array that the loop writes: what the previous step wrote, or what was
    there before."""
    write = loop.arrays[base.name]
    assert write is not None
    items = projected(lifter, base, items)
    if write.whole and write.value is not None:
        element = lifter.ops.subscript(write.value, items)
        if element.axes or write.original.library not in ("python", "numpy"):
            raise Unsupported(f"a part of `{base.name}` is looked at while the loop writes it")
        return element
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
    items = projected(lifter, base, items)
    if len(items) != len(write.items) or not all(
        _same_item(lifter, a, b) for a, b in zip(items, write.items, strict=True)
    ):
        raise Unsupported("another place than the loop's other writes")
    if lifter.conditional:
        if not all(lifter.joined[lifter.active[-1].branches :]):
            raise Unsupported("under a condition")
        write.hidden = True
        lifter.effect("fills", f"writes `{base.name}` under a condition", node)
    target = lifter.ops.subscript(write.original, items)
    if not target.axes and lifter.ops.group_of(value) is not None:
        lifter.ops.need_number(value, f"as an element of `{base.name}` is set to one")
    axes = lifter.ops.fresh(target.axes)
    if None not in (lifter.ops.group_of(target), lifter.ops.group_of(value)):
        # what is put into a place has the axes of the place, or it would have raised
        axes_, element_term = axes, lifter.ops.fitted(value, replace(target, axes=axes))
    else:
        axes_, (element_term, _) = lifter.ops.align([value, replace(target, axes=axes)])
    if len(axes_) != len(axes):
        _fitted(lifter, value, write.original, len(axes_) - len(axes))
        loop.block("writes a value of another shape", span)
    body = element_term
    known = target.dtype is not None and not target.dtype.startswith("like ")
    if known and target.dtype != value.dtype:
        whole = target.dtype in dtypes.WHOLE  # it cuts off what is put into it
        if whole or value.axes or value.dtype:
            if value.dtype is None or target.library != "python":
                body = Apply(f"cast:{target.dtype}", (body,))
    write.value = Value(base.name, axes_, body, target.dtype or value.dtype, "derived",
                        target.library, span)  # fmt: skip
    write.count += 1


def _fitted(lifter: Lifter, value: Value, array: Value, more: int) -> None:
    """Start again where ``value`` has too many axes for its place, and the array whose shape the
    written one has, or else the one that ``value`` is made of, was only taken to have as many axes
    as it has."""
    guessed = lifter.facts.guessed
    like = {str(axis.extent).rpartition(".shape[")[0] for axis in array.axes}
    for owner in like & guessed if len(like) == 1 else ():
        if lifter.facts.of(owner).rank == len(array.axes):
            raise Refine(owner, "recount", len(array.axes) + more)
    made = {node.value.name for node in everything([value.body or ONE]) if isinstance(node, Read)}
    taken = sorted(made & guessed)
    rank = lifter.facts.of(taken[0]).rank if len(taken) == 1 else None
    if rank is not None and 0 < more < rank:
        raise Refine(taken[0], "recount", rank - more)


Writes = dict[ArrayWrite, tuple[Value | None, int]]


def written_so_far(lifter: Lifter) -> Writes:
    """What the loops being read have written in this step."""
    writes = (write for loop in lifter.active for write in loop.arrays.values())
    return {write: (write.value, write.count) for write in writes if write is not None}


def put_back(before: Writes) -> None:
    """Forget what was written since."""
    for write, (value, count) in before.items():
        write.value, write.count = value, count


def join_writes(
    lifter: Lifter, node: ast.If, test: Value, before: Writes, then: Writes, both: bool
) -> None:
    """What is written after a conditional: by the test, what one branch or the other wrote, or what
    was there. Where a branch leaves the step, it is not followed."""
    for write, (value, count) in before.items():
        if write not in then:  # given up in a branch
            continue
        one, other = then[write][0], write.value
        if one is value and other is value:
            continue
        write.count = max(then[write][1], write.count, count)
        try:
            if not both:
                raise Unsupported("under a condition that leaves the step")
            old = value or lifter.ops.subscript(write.original, write.items)
            joined = lifter.choose(test, one or old, other or old, ())
            if not isinstance(joined, Value):
                raise Unsupported("under a condition")
            write.value = joined
        except Unsupported as problem:
            lifter.effect("mutation", f"writes an element ({problem})", node)
            same = [n for loop in lifter.active for n, one in loop.arrays.items() if one is write]
            leave_open(lifter, *same)


def leave_open(lifter: Lifter, *names: str) -> None:
    """What the loops that are being read leave in these arrays has no notation."""
    for loop in lifter.active:
        loop.arrays.update({name: None for name in names if name in loop.arrays})


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
    if cell.array.nested:
        _fills(lifter, loop, name)
    try:
        write(lifter.written_by(cell.array), lifter, cell.array, list(cell.items), final, loop.node)
    except Unsupported as problem:
        lifter.effect("mutation", f"writes `{name}` ({problem})", loop.node)
    return cell.array


def part_result(lifter: Lifter, loop: Loop, obj: Written, per_step: PerStep, env: Env) -> Obj:
    """The array after a loop within the loop that writes it: that one's step has written a part."""
    left = written_result(lifter, loop, obj.name, obj, per_step)
    made, held = loop.results.get(obj.name), env.get(obj.name)
    try:
        if made is None or not isinstance(held, Written):
            raise Unsupported("at places that are not followed")
        items = [WALKED if item is None else item for item in obj.at]
        write(lifter.written_by(held), lifter, held, items, made, loop.node)
    except Unsupported as problem:
        lifter.effect("mutation", f"writes `{obj.name}` ({problem})", loop.node)
        return held or left
    _fills(lifter, loop, obj.name)
    return held


def _fills(lifter: Lifter, loop: Loop, name: str) -> None:
    """Say of a loop and of those around it that they fill an array together: no rewrite does."""
    reason = f"fills `{name}` in a loop within a loop"
    loop.block(reason, loop.span)
    lifter.effect("fills", reason, loop.node)


def _place(
    lifter: Lifter, write: ArrayWrite, obj: Written, axes: tuple[Index, ...]
) -> tuple[Term, ...]:
    """Where a step writes in the array as a whole, a term for each axis; empty where the value that
    is written has not the ``axes`` of its place."""
    rank = len(write.original.axes)
    missing = rank - sum(item is not Ellipsis for item in write.items)
    items: list[object] = []
    for item in (*write.items, *(() if Ellipsis in write.items else (Ellipsis,))):
        items += [WHOLE] * missing if item is Ellipsis else [item]
    inner = iter(items)
    whole = iter(axes)
    place: list[Term] = []
    for item in (next(inner) if kept is None else kept for kept in obj.at) if obj.at else items:
        if isinstance(item, Value):
            place.append(lifter.ops.element(item, ()))
        else:
            place.append(next(whole, ONE))
    return tuple(place) if sum(item == WHOLE for item in items) == len(axes) else ()


def _changed_besides(lifter: Lifter, loop: Loop, array: Written) -> bool:
    """Whether a step may change an array in other ways than by the writes that are followed, or
    need not come to these."""
    memory = lifter.memory(array.original)

    def apart(effect: Effect) -> bool:
        if effect.kind == "mutation":
            touched = [known for known, span in lifter.overwritten if span == effect.span]
            return bool(touched) and all(memory.isdisjoint(known) for known in touched)
        return effect.kind != "exit"

    calls = any(effect.kind == "call" for effect in loop.effects)
    reached = calls and _reached_by_calls(lifter, loop, array, memory)
    return reached or not all(map(apart, loop.effects))


def _reached_by_calls(lifter: Lifter, loop: Loop, array: Written, memory: frozenset[Value]) -> bool:
    """Whether a function that a loop calls may know an array: it was made elsewhere, or given to a
    call, kept in a list, or named in a function within the function."""
    names = {name for name, obj in loop.before.items() if holds(lifter, obj, memory)} | {array.name}
    given = (*loop.handed, *lifter.origins.handed, *lifter.stored)
    inner = (node for node in descendants(lifter.root) if node is not lifter.root)
    functions = (node for node in inner if isinstance(node, (ast.FunctionDef, ast.Lambda)))
    return (
        any(value.kind != "derived" for value in memory)
        or any(not memory.isdisjoint(lifter.memory(value)) for value in given)
        or not names.isdisjoint(lifter.origins.touched)
        or any(not names.isdisjoint(free_names(function)) for function in functions)
    )


def written_result(lifter: Lifter, loop: Loop, name: str, obj: Written, per_step: PerStep) -> Obj:
    """The array after the loop that wrote it."""
    write = loop.arrays.get(name)
    if write is None or write.value is None or write.whole or _changed_besides(lifter, loop, obj):
        return lifter.new_version(obj.original, loop.node)
    loop.written[name] = write
    original = write.original
    axes = lifter.ops.fresh(original.axes)
    inner_axes, term = per_step(write.value)
    loop.steps.append(term)
    loop.places.append(_place(lifter, write, obj, inner_axes))
    at = axes[write.axis]
    stride = extents.constant(
        extents.sub(substitute(write.place, {loop.step: extents.add(loop.step, ONE)}), write.place)
    )
    start = extents.canonical(substitute(write.place, {loop.step: ZERO}))
    if stride not in (1, -1):
        return lifter.new_version(original, loop.node)
    when = extents.mul(Const(stride), extents.sub(at, start))
    kept = [axis for p, axis in enumerate(axes) if p != write.axis]
    constants = [
        p for p, item in enumerate(write.items) if isinstance(item, Value) and p != write.item
    ]
    if constants or len(kept) != len(inner_axes):
        return lifter.new_version(original, loop.node)
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
    lifter.moved[result] = original
    if write.hidden:
        # no rewrite reads what such loops leave: its name stays without notation
        return Unknown(f"`{name}` was written", loop.span, f"{name} (line {loop.span.line})")
    return result
