"""What a loop leaves behind: its scan, its last values, the lists and arrays that it filled."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.changing import changing
from auditor.lift.inline import inline, settled
from auditor.lift.loop_arrays import cell_result, part_result, written_result
from auditor.lift.objects import (
    Cell,
    Collected,
    Growing,
    Iteration,
    Obj,
    Sequence,
    Unknown,
    Written,
)
from auditor.notation import (
    ONE,
    Carry,
    Const,
    Index,
    Read,
    Scan,
    Span,
    Term,
    Trace,
    Value,
    transform,
    walk,
)

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter
    from auditor.lift.loops import Loop


def finish(lifter: Lifter, loop: Loop, inner: Env, env: Env, iteration: Iteration) -> None:
    """Build the scan and bind what the loop leaves behind."""
    span, step, scan = loop.span, loop.step, loop.scan
    kept: list[str] = []
    finals: dict[str, Value] = {}
    for key, state in loop.states.items():
        final = loop.final(inner, key)
        start = loop.initial(env, key)
        if not isinstance(final, Value) or start is None:
            reason = final.reason if isinstance(final, Unknown) else "it has no notation"
            loop.block(f"carries `{key}`, which is not understood: {reason}", span)
            loop.unstable.add(key)
            continue
        if final is state:
            continue
        kept.append(key)
        finals[key] = final
    _check_mutations(lifter, loop, inner)
    slots = {key: slot for slot, key in enumerate(kept)}
    stop: dict[Value, Term] = {}
    loop.changing = changing(lifter, loop)
    varying = [*lifter.origins.varying, *loop.changing.arrays]
    carries = []
    for key in kept:
        state, start = loop.states[key], loop.initial(env, key)
        assert start is not None
        axes = state.axes
        init = broadcast_to(lifter, start, axes)
        update = inline(
            broadcast_to(lifter, finals[key], axes), step, loop.changing.stop({}), varying=varying
        )
        carries.append(Carry(key, state, init, update, start.dtype))
        stop[finals[key]] = Const(slots[key])
    scan.carries = tuple(carries)
    _check_views(lifter, loop, [carry.update for carry in carries])
    lost = frozenset(
        state for key, state in loop.states.items()
        if key not in finals and loop.final(inner, key) is not state
    )  # fmt: skip
    loop.lost = tuple(sorted({state.name for state in lost} | loop.early | loop.silent))
    scan.carries = tuple(
        replace(carry, update=lifter.origins.shown(carry.update, loop, lost, lifter.active))
        for carry in carries
    )
    loop.finals = finals
    loop.stop = stop
    states = {loop.states[key]: slots[key] for key in kept}
    _bind_results(lifter, loop, inner, env, slots, states, lost)
    _check_views(lifter, loop, [])
    for write in loop.written.values():
        assert write.value is not None
        element = lifter.ops.element(write.value, lifter.ops.fresh(write.value.axes))
        _check_views(lifter, loop, [inline(element, step)])
    loop.after = env


def _check_mutations(lifter: Lifter, loop: Loop, inner: Env) -> None:
    """What a step changes in place is what the step before left: nothing else may hold that."""
    for key in loop.mutated:
        final = loop.final(inner, key)
        if not isinstance(final, Value):
            continue
        memory = lifter.memory(final)
        held = [value for other in loop.states if other != key
                if isinstance(value := loop.final(inner, other), Value)]  # fmt: skip
        reached = [value for value in memory if value not in loop.states.values()]
        if (
            any(value.kind in ("input", "attribute", "free", "opaque") for value in reached)
            or any(not memory.isdisjoint(lifter.memory(value)) for value in held)
            or any(not memory.isdisjoint(lifter.memory(value)) for value in lifter.stored)
        ):
            loop.block(f"changes `{key}` in place, which something else holds", loop.span)


def _check_views(lifter: Lifter, loop: Loop, terms: list[Term]) -> None:
    """A view of an array that the loop writes, or what that is a view of, changes under the loop's
    feet; a result of a call without notation may differ from step to step."""
    written = {write.original for write in loop.arrays.values() if write is not None}
    memory = {lifter.storage(value) for value in written}
    appended = list(loop.lists.values())
    for term in [*terms, *(item.element for item in appended)]:
        for node in walk(term):
            if not isinstance(node, Read):
                continue
            value = node.value
            if value not in written and lifter.storage(value) in memory:
                loop.block(f"reads `{value.name}`, which shares what it writes", loop.span)
            if value.kind == "opaque" and value.span is not None and _inside(value.span, loop.span):
                loop.block(
                    f"reads `{value.name}`, which comes from a call without notation", value.span
                )


def _inside(inner: Span, outer: Span) -> bool:
    return (outer.line, outer.column) <= (inner.line, inner.column) and (
        inner.end_line,
        inner.end_column,
    ) <= (outer.end_line, outer.end_column)


def broadcast_to(lifter: Lifter, value: Value, axes: tuple[Index, ...]) -> Term:
    """The element of ``value`` under ``axes``, aligned from the right."""
    if any(axis.group for axis in axes) or lifter.ops.group_of(value) is not None:
        same = len(value.axes) == len(axes) and all(
            a.group == b.group for a, b in zip(value.axes, axes, strict=True)
        )
        if same or not value.axes:
            return lifter.ops.element(value, axes if same else ())
        return Read(value, axes, aligned=True)
    if len(value.axes) > len(axes):
        return Read(value, axes[-len(value.axes) :], aligned=True)
    return lifter.ops._read_right(value, axes)


def traced(term: Term, scan: Scan, states: dict[Value, int], stop: dict[Value, Term]) -> Term:
    """Reads of states and of their updates as traces of the scan."""

    def change(node: Term) -> Term:
        if isinstance(node, Read) and node.value in states:
            before = extents.sub(scan.step, ONE)
            return Trace(scan, states[node.value], before, node.subs)
        if isinstance(node, Read) and node.value in stop:
            slot = stop[node.value]
            assert isinstance(slot, Const) and isinstance(slot.value, int)
            subs = node.subs[len(node.subs) - len(node.value.axes) :]
            return Trace(scan, slot.value, scan.step, subs)
        return node

    return transform(term, change)


def _bind_results(
    lifter: Lifter,
    loop: Loop,
    inner: Env,
    env: Env,
    slots: dict[str, int],
    states: dict[Value, int],
    lost: frozenset[Value],
) -> None:
    span, step, scan = loop.span, loop.step, loop.scan
    n = step.extent

    def per_step(value: Value) -> tuple[tuple[Index, ...], Term]:
        axes = lifter.ops.fresh(value.axes)
        varying = [*lifter.origins.varying, *loop.changing.arrays]
        stop = loop.changing.stop(loop.stop)
        term = inline(lifter.ops.element(value, axes), step, stop, varying=varying)
        _check_views(lifter, loop, [term])
        term = lifter.origins.shown(term, loop, lost, lifter.active)
        return axes, settled(traced(term, scan, states, loop.stop), step)

    for key, slot in slots.items():
        if "[" in key:
            continue
        state = loop.states[key]
        axes = lifter.ops.fresh(state.axes)
        last = Trace(scan, slot, extents.sub(n, ONE), axes)
        result = Value(key, axes, last, state.dtype, "derived", state.library, span)
        env[key] = loop.results[key] = result
    temporaries = set()
    for name, obj in inner.items():
        if name in loop.states or env.get(name) is obj or obj in loop.aliases:
            continue
        if isinstance(obj, Growing):
            if not obj.back and not obj.front:
                continue
            if isinstance(env.get(name), Growing):
                loop.block(f"fills `{name}`, which a loop around it fills too", span)
                env[name] = Unknown(
                    f"`{name}` is filled by a loop", span, f"{name} (line {span.line})"
                )
            if name not in env or not isinstance(env[name], Sequence):
                continue
            if len(obj.back) + len(obj.front) != 1 or (obj.front and obj.prefix):
                env[name] = Unknown(f"`{name}` gets several items a step", span)
                loop.block(f"appends several items to `{name}` at each step", span)
                continue
            item = (*obj.back, *obj.front)[0]
            try:
                axes, term = per_step(item)
            except Unsupported as problem:
                env[name] = Unknown(str(problem), span, f"{name} (line {span.line})")
                loop.block(f"fills `{name}` in a way that is not followed: {problem}", span)
                continue
            env[name] = loop.lists[name] = Collected(
                step, axes, term, item.dtype, item.library, scan, bool(obj.front), span, obj.prefix
            )
            if obj.rows:  # a list of lists is no array
                env[name] = Unknown(
                    f"`{name}` is a list of lists", span, f"{name} (line {span.line})"
                )
        elif isinstance(obj, Cell):
            env[name] = cell_result(lifter, loop, obj, slots.get(f"{name}[cell]"))
        elif isinstance(obj, Written):
            try:
                if obj.nested:
                    env[name] = part_result(lifter, loop, obj, per_step, env)
                    continue
                env[name] = written_result(lifter, loop, name, obj, per_step)
            except Unsupported as problem:
                env[name] = Unknown(str(problem), span, f"{name} (line {span.line})")
                loop.block(f"fills `{name}` in a way that is not followed: {problem}", span)
        elif isinstance(obj, Sequence) and f"{name}[0]" in loop.states:
            items: list[Obj] = []
            for position, _ in enumerate(obj.items):
                found = slots.get(f"{name}[{position}]")
                if found is None:
                    items.append(Unknown(f"`{name}` is carried", span, f"{name}[{position}]"))
                    continue
                state = loop.states[f"{name}[{position}]"]
                axes = lifter.ops.fresh(state.axes)
                last = Trace(scan, found, extents.sub(n, ONE), axes)
                items.append(Value(name, axes, last, state.dtype, "derived", state.library, span))
            env[name] = Sequence(tuple(items), obj.kind)
        else:
            temporaries.add(name)
            env[name] = Unknown(
                f"`{name}` holds what the last step of a loop left",
                span,
                f"{name} (line {span.line})",
            )
    loop.temporaries = frozenset(temporaries)
    for name, obj in list(env.items()):
        if isinstance(obj, Unknown) and name in loop.states and name not in loop.results:
            env[name] = Unknown(obj.reason, span, f"{name} (line {span.line})")
