"""Loops to scans: what is carried from step to step, what each step leaves behind.

The body is read once with every carried name bound to a *state*, a value without a definition;
what the names are bound to at the end of the body is their update. Lists that grow and arrays that
are written one element a step become per-step terms. A value's shape may change in the first step
(``h = 0`` and then an array): the body is read again with the new shape until it is stable.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.inline import inline, settled
from auditor.lift.module import descendants
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
from auditor.lift.statements import block, stored_arrays, stored_names
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Scan,
    Span,
    Term,
    Trace,
    Value,
    substitute,
    transform,
)

if TYPE_CHECKING:
    from auditor.lift.lifter import Effect, Env, Lifter


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


@dataclass
class Loop:
    """A lifted loop. ``blocked`` says why it must stay as it is, if it must; ``steps`` are what it
    writes into arrays at each step; ``reached`` the states that a call may have kept;
    ``lost`` the carried names whose updates have no notation."""

    node: ast.For | ast.While | ast.expr
    span: Span
    step: Index
    scan: Scan
    before: Env
    states: dict[str, Value] = field(default_factory=dict)
    arrays: dict[str, ArrayWrite | None] = field(default_factory=dict)
    lists: dict[str, Collected] = field(default_factory=dict)
    results: dict[str, Value] = field(default_factory=dict)
    written: dict[str, ArrayWrite] = field(default_factory=dict)
    after: Env = field(default_factory=dict)
    tails: dict[str, Value] = field(default_factory=dict)
    finals: dict[str, Value] = field(default_factory=dict)
    target_values: list[Obj] = field(default_factory=list)
    effects: tuple[Effect, ...] = ()
    temporaries: frozenset[str] = frozenset()
    blocked: tuple[str, Span] | None = None
    counter: str | None = None
    branches: int = 0
    mutated: set[str] = field(default_factory=set)
    stop: dict[Value, Term] = field(default_factory=dict)
    reached: frozenset[Value] = frozenset()
    steps: list[Term] = field(default_factory=list)
    lost: tuple[str, ...] = ()
    unstable: set[str] = field(default_factory=set)

    def block(self, reason: str, span: Span) -> None:
        if self.blocked is None:
            self.blocked = (reason, span)

    # -- reading what the loop writes

    def read_list(self, lifter: Lifter, base: Growing, at: Obj) -> Obj:
        """``outs[-1]`` in the body: the last item so far."""
        number = None
        if isinstance(at, Value):
            number = extents.constant(lifter.ops.element(at, ()))
        if number != -1 or base.front:
            raise Unsupported(f"`{base.name}` is read while the loop fills it")
        if base.back:
            return base.back[-1]
        if not base.prefix:
            raise Unsupported(f"`{base.name}[-1]` is read before anything is in the list")
        key = f"{base.name}[-1]"
        if key not in self.states:
            first = base.prefix[-1]
            self.states[key] = _state(lifter, key, first)
        return self.states[key]

    def read_array(self, lifter: Lifter, base: Written, items: list[object]) -> Value:
        """An element of an array that the loop writes: what the previous step wrote, or what was
        there before."""
        write = self.arrays[base.name]
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
            extents.sub(
                substitute(write.place, {self.step: extents.add(self.step, ONE)}), write.place
            )
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
        if distance != stride:
            raise Unsupported(f"`{base.name}` is read {distance} elements behind")
        if write.value is not None:
            raise Unsupported(f"`{base.name}` is read behind after it was written")
        key = f"{base.name}[previous]"
        if key not in self.states:
            first = extents.canonical(substitute(place, {self.step: ZERO}))
            start = [lifter.ops.scalar(first) if p == write.item else item
                     for p, item in enumerate(items)]  # fmt: skip
            self.states[key] = _state(lifter, key, lifter.ops.subscript(write.original, start))
            self.tails[key] = lifter.ops.subscript(write.original, start)
        return self.states[key]

    def write(
        self, lifter: Lifter, base: Written, items: list[object], value: Value, node: ast.AST
    ) -> None:
        write = self.arrays[base.name]
        assert write is not None
        span = lifter.module.span(node)
        if len(items) != len(write.items) or not all(
            _same_item(lifter, a, b) for a, b in zip(items, write.items, strict=True)
        ):
            raise Unsupported("another place than the loop's other writes")
        if lifter.conditional:
            element = lifter.ops.subscript(write.original, items)
            del element
            raise Unsupported("under a condition")
        target = lifter.ops.subscript(write.original, items)
        axes = lifter.ops.fresh(target.axes)
        axes_, (element_term, _) = lifter.ops.align([value, replace(target, axes=axes)])
        if len(axes_) != len(axes):
            self.block("writes a value of another shape", span)
        body = element_term
        if target.dtype is not None and target.dtype != value.dtype:
            if value.dtype is None or target.library != "python":
                body = Apply(f"cast:{target.dtype}", (body,)) if value.axes or value.dtype else body
        write.value = Value(base.name, axes_, body, target.dtype or value.dtype, "derived",
                            target.library, span)  # fmt: skip
        write.count += 1


def _same_item(lifter: Lifter, left: object, right: object) -> bool:
    if isinstance(left, Value) and isinstance(right, Value):
        if left.axes or right.axes:
            return left is right
        return lifter.ops.element(left, ()) is lifter.ops.element(right, ())
    return left == right


def _state(lifter: Lifter, name: str, like: Value) -> Value:
    return Value(name, lifter.ops.fresh(like.axes), None, like.dtype, "state", like.library)


def lift(lifter: Lifter, node: ast.For | ast.While, env: Env) -> None:
    """Execute a loop statement on ``env``."""
    span = lifter.module.span(node)
    if isinstance(node, ast.For):
        source = lifter.eval(node.iter, env)
        if isinstance(source, Sequence):
            _unroll(lifter, node, source, env)
            return
        try:
            iteration = lifter.iterate(source)
        except Unsupported as problem:
            _give_up(lifter, node, env, str(problem), span)
            return
        _lift(lifter, node, iteration, None, env)
        return
    counter = _counter(lifter, node, env)
    if counter is None:
        _give_up(lifter, node, env, "a `while` loop whose number of steps is not known", span)
        return
    name, iteration = counter
    _lift(lifter, node, iteration, name, env)


def _unroll(lifter: Lifter, node: ast.For, source: Sequence, env: Env) -> None:
    if len(source.items) > 16 or node.orelse:
        _give_up(lifter, node, env, "a loop over many known items", lifter.module.span(node))
        return
    for item in source.items:
        try:
            lifter.bind(node.target, item, env)
        except Unsupported:
            _give_up(lifter, node, env, "an unusual loop target", lifter.module.span(node))
            return
        block(lifter, node.body, env)


def _give_up(lifter: Lifter, node: ast.For | ast.While, env: Env, reason: str, span: Span) -> None:
    """A loop without notation: what it binds is unknown afterwards."""
    step = Index("t", ONE)
    loop = Loop(node, span, step, Scan(step, span), dict(env))
    loop.block(reason, span)
    lifter.loops.append(loop)
    for name in {**stored_names([node]), **stored_arrays([node])}:
        env[name] = Unknown(
            f"bound by a loop without notation: {reason}", span, f"{name} (line {span.line})"
        )
    lifter.effect("call", reason, node)


def _counter(lifter: Lifter, node: ast.While, env: Env) -> tuple[str, Iteration] | None:
    """``while i < n`` with one unconditional ``i += 1``."""
    test = node.test
    if not (
        isinstance(test, ast.Compare)
        and len(test.ops) == 1
        and isinstance(test.left, ast.Name)
        and isinstance(test.ops[0], (ast.Lt, ast.LtE, ast.GtE, ast.Gt))
    ):
        return None
    name = test.left.id
    start = env.get(name)
    if not isinstance(start, Value) or start.axes or start.dtype != "int":
        return None
    stride = _stride(node.body, name)
    if stride not in (1, -1) or (stride > 0) != isinstance(test.ops[0], (ast.Lt, ast.LtE)):
        return None
    bound_names = {n.id for n in descendants(test.comparators[0]) if isinstance(n, ast.Name)}
    if bound_names & set(stored_names(node.body)):
        return None
    try:
        stop = lifter.as_size(lifter.eval(test.comparators[0], env))
    except Unsupported:
        return None
    first = lifter.ops.element(start, ())
    length = extents.mul(Const(stride), extents.sub(stop, first))
    if isinstance(test.ops[0], (ast.LtE, ast.GtE)):
        length = extents.add(length, ONE)

    def element(step: Term) -> Obj:
        return lifter.ops.scalar(extents.add(first, extents.mul(Const(stride), step)))

    return name, Iteration(length, element)


def _stride(body: list[ast.stmt], name: str) -> int:
    """The step of the only assignment to a counter, 0 when there is another."""
    found = 0
    for statement in body:
        for inner in descendants(statement):
            if (
                isinstance(inner, ast.Name)
                and isinstance(inner.ctx, ast.Store)
                and inner.id == name
            ):
                if found or inner is not getattr(statement, "target", None):
                    return 0
                if not (
                    isinstance(statement, ast.AugAssign)
                    and isinstance(statement.op, (ast.Add, ast.Sub))
                    and isinstance(statement.value, ast.Constant)
                    and statement.value.value == 1
                ):
                    return 0
                found = 1 if isinstance(statement.op, ast.Add) else -1
    return found


def _lift(
    lifter: Lifter, node: ast.For | ast.While, iteration: Iteration, counter: str | None, env: Env
) -> None:
    span = lifter.module.span(node)
    marks = (len(lifter.effects), len(lifter.loops))
    shapes: dict[str, Value] = {}
    for _ in range(4):
        del lifter.effects[marks[0] :], lifter.loops[marks[1] :]
        loop, inner = _read_body(lifter, node, iteration, counter, env, shapes, span)
        changed = _settle(lifter, loop, inner, env, shapes)
        if not changed:
            break
    else:
        loop.unstable |= set(shapes)
        loop.block("the shape of a carried value changes from step to step", span)
    loop.effects = tuple(lifter.effects[marks[0] :])
    if _stops_when_settled(loop):
        loop.effects = tuple(
            replace(e, kind="stop") if e.kind == "exit" else e for e in loop.effects
        )
    for effect in loop.effects:
        loop.block(f"{effect.reason} (line {effect.span.line})", effect.span)
    _finish(lifter, loop, inner, env, iteration)
    for key in loop.unstable:
        name = key.partition("[")[0]
        env[name] = Unknown(f"the shape of `{name}` changes from step to step", span,
                            f"{name} (line {span.line})")  # fmt: skip
    lifter.loops.append(loop)


def _stops_when_settled(loop: Loop) -> bool:
    """Whether the only way out is ``if c: found = True; break``: going on would change nothing."""
    *before, last = loop.node.body if isinstance(loop.node, (ast.For, ast.While)) else [None]
    if not isinstance(last, ast.If) or last.orelse or not isinstance(last.body[-1], ast.Break):
        return False
    names: set[str] = set()
    for statement in last.body[:-1]:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Constant):
            return False
        names.update(t.id for t in statement.targets if isinstance(t, ast.Name))
    others = [inner for statement in before if statement for inner in ast.walk(statement)]
    return (
        not any(isinstance(inner, ast.Break) for inner in others)
        and loop.states.keys() <= names
        and not names & {n.id for n in others if isinstance(n, ast.Name)}
        and not loop.arrays
    )


def _read_body(
    lifter: Lifter,
    node: ast.For | ast.While,
    iteration: Iteration,
    counter: str | None,
    env: Env,
    shapes: dict[str, Value],
    span: Span,
) -> tuple[Loop, Env]:
    """One reading of the body: the loop, and the names bound at its end."""
    step = Index("t", lifter.facts.extent(iteration.extent))
    loop = Loop(
        node, span, step, Scan(step, span), dict(env), counter=counter, branches=lifter.branches
    )
    inner = dict(env)
    names, arrays = stored_names(node.body), stored_arrays(node.body)
    targets: set[str] = set()
    if isinstance(node, ast.For):
        item = iteration.element(step)
        loop.target_values.append(item)
        try:
            lifter.bind(node.target, item, inner)
        except Unsupported as problem:
            loop.block(str(problem), span)
        targets = set(stored_names([ast.copy_location(ast.Expr(node.target), node)]))
    elif counter is not None:
        inner[counter] = iteration.element(step)
        targets = {counter}
    for name in [*names, *arrays]:
        start = env.get(name)
        if start is None and name in lifter.module.shared_names:
            start = lifter._leaf(name, name, "free")
        if name in targets or start is None or name in loop.states:
            continue
        if name in arrays and isinstance(start, Value):
            inner[name] = Written(name, start)
        elif isinstance(start, Value):
            loop.states[name] = inner[name] = _state(lifter, name, shapes.get(name, start))
        elif isinstance(start, Sequence) and start.kind == "list" and _all_values(start):
            prefix = tuple(item for item in start.items if isinstance(item, Value))
            inner[name] = Growing(name, prefix)
        elif isinstance(start, Sequence) and _all_values(start):
            parts: list[Obj] = []
            for position, item in enumerate(start.items):
                key = f"{name}[{position}]"
                assert isinstance(item, Value)
                loop.states[key] = _state(lifter, key, shapes.get(key, item))
                parts.append(loop.states[key])
            inner[name] = Sequence(tuple(parts), start.kind)
        elif isinstance(start, (Growing, Written, Cell)):
            pass
        else:
            inner[name] = Unknown(f"`{name}` is carried and has no notation", span)
            lifter.origins.carried(inner[name])
    lifter.active.append(loop)
    try:
        _prepare_writes(lifter, loop, node, arrays, inner)
        if node.orelse:
            loop.block("has an `else` clause", span)
        block(lifter, node.body, inner)
    finally:
        lifter.active.pop()
    return loop, inner


def _all_values(sequence: Sequence) -> bool:
    return all(isinstance(item, Value) for item in sequence.items)


def _prepare_writes(
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
        item.axes or loop.step in _atoms(lifter.ops.element(item, ())) for item in numbers
    )


def _cell(lifter: Lifter, loop: Loop, name: str, held: Written, items: list[object]) -> Cell:
    """One element that the loop updates, as a carried value."""
    array: Value | Written = held if loop.before.get(name) is held else held.original
    if isinstance(array, Written):
        start = lifter.written_by(array).read_array(lifter, array, items)
    else:
        start = lifter.ops.subscript(array, items)
    key = f"{name}[cell]"
    loop.tails[key] = start
    loop.states[key] = _state(lifter, key, start)
    return Cell(name, array, tuple(items), loop.states[key])


def _reads(node: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in descendants(node))


def _write_items(lifter: Lifter, target: ast.AST, env: Env) -> list[object]:
    if isinstance(target, ast.Subscript):
        return lifter.subscript_items(target.slice, env)
    assert isinstance(target, ast.Call)
    return lifter.index_copy_items(target, env)


def _array_write(
    lifter: Lifter, loop: Loop, original: Value, items: list[object], node: ast.AST
) -> ArrayWrite:
    moving = [
        position
        for position, item in enumerate(items)
        if isinstance(item, Value) and not item.axes
        and loop.step in _atoms(lifter.ops.element(item, ()))
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


def _atoms(term: Term) -> set[Term]:
    from auditor.notation import walk

    return set(walk(term))


def _settle(lifter: Lifter, loop: Loop, inner: Env, env: Env, shapes: dict[str, Value]) -> bool:
    """Whether a carried value came out with another shape than it was given."""
    changed = False
    for key, state in loop.states.items():
        final = _final(loop, inner, key)
        if not isinstance(final, Value):
            continue
        same_rank = len(final.axes) == len(state.axes)
        same = same_rank and all(
            lifter.facts.extent(a.extent) is lifter.facts.extent(b.extent) and a.group == b.group
            for a, b in zip(final.axes, state.axes, strict=True)
        )
        dtype = final.dtype if final.dtype != state.dtype else state.dtype
        if not same or dtype != state.dtype:
            if len(final.axes) < len(state.axes):
                loop.block(f"`{key}` loses axes from step to step", loop.span)
                loop.unstable.add(key)
                continue
            shapes[key] = final
            changed = True
    return changed


def _final(loop: Loop, inner: Env, key: str) -> Obj | None:
    """What a carried name is bound to at the end of the body."""
    name, bracket, place = key.partition("[")
    if not bracket:
        return inner.get(name)
    held = inner.get(name)
    if place == "-1]":
        return held.back[-1] if isinstance(held, Growing) and held.back else loop.states[key]
    if place == "cell]":
        return held.value if isinstance(held, Cell) else None
    if place == "previous]":
        write = loop.arrays.get(name)
        return write.value if write is not None else None
    if isinstance(held, Sequence):
        position = int(place[:-1])
        return held.items[position] if position < len(held.items) else None
    return None


def _initial(lifter: Lifter, loop: Loop, env: Env, key: str) -> Value | None:
    name, bracket, place = key.partition("[")
    held = env.get(name)
    if not bracket:
        return held if isinstance(held, Value) else None
    if place in ("previous]", "cell]"):
        return loop.tails.get(key)
    if isinstance(held, Sequence) and held.items:
        item = held.items[-1 if place == "-1]" else int(place[:-1])]
        return item if isinstance(item, Value) else None
    return None


def _finish(lifter: Lifter, loop: Loop, inner: Env, env: Env, iteration: Iteration) -> None:
    """Build the scan and bind what the loop leaves behind."""
    span, step, scan = loop.span, loop.step, loop.scan
    kept: list[str] = []
    finals: dict[str, Value] = {}
    for key, state in loop.states.items():
        final = _final(loop, inner, key)
        start = _initial(lifter, loop, env, key)
        if not isinstance(final, Value) or start is None:
            reason = final.reason if isinstance(final, Unknown) else "it has no notation"
            loop.block(f"`{key}` is carried and not understood: {reason}", span)
            loop.unstable.add(key)
            continue
        if final is state:
            continue
        kept.append(key)
        finals[key] = final
    _check_mutations(lifter, loop, inner)
    slots = {key: slot for slot, key in enumerate(kept)}
    stop: dict[Value, Term] = {}
    varying = lifter.origins.varying
    carries = []
    for key in kept:
        state, start = loop.states[key], _initial(lifter, loop, env, key)
        assert start is not None
        axes = state.axes
        init = _broadcast_to(lifter, start, axes)
        update = inline(_broadcast_to(lifter, finals[key], axes), step, varying=varying)
        carries.append(Carry(key, state, init, update))
        stop[finals[key]] = Const(slots[key])
    scan.carries = tuple(carries)
    _check_views(lifter, loop, [carry.update for carry in carries])
    lost = frozenset(
        state for key, state in loop.states.items()
        if key not in finals and _final(loop, inner, key) is not state
    )  # fmt: skip
    loop.lost = tuple(sorted(state.name for state in lost))
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
        final = _final(loop, inner, key)
        if not isinstance(final, Value):
            continue
        memory = lifter.memory(final)
        held = [value for other in loop.states if other != key
                if isinstance(value := _final(loop, inner, other), Value)]  # fmt: skip
        reached = [value for value in memory if value not in loop.states.values()]
        if (
            any(value.kind in ("input", "attribute", "free", "opaque") for value in reached)
            or any(not memory.isdisjoint(lifter.memory(value)) for value in held)
            or any(not memory.isdisjoint(lifter.memory(value)) for value in lifter.stored)
        ):
            loop.block(f"changes `{key}` in place, which something else holds", loop.span)


def _check_views(lifter: Lifter, loop: Loop, terms: list[Term]) -> None:
    """A view of an array that the loop writes changes under the loop's feet; a result of a call
    without notation may differ from step to step."""
    from auditor.notation import walk

    written = {write.original for write in loop.arrays.values() if write is not None}
    appended = list(loop.lists.values())
    for term in [*terms, *(item.element for item in appended)]:
        for node in walk(term):
            if not isinstance(node, Read):
                continue
            value = node.value
            if value not in written and lifter.storage(value) in written:
                loop.block(f"reads `{value.name}`, a view of what it writes", loop.span)
            if value.kind == "opaque" and value.span is not None and _inside(value.span, loop.span):
                loop.block(f"`{value.name}` comes from a call without notation", value.span)


def _inside(inner: Span, outer: Span) -> bool:
    return (outer.line, outer.column) <= (inner.line, inner.column) and (
        inner.end_line,
        inner.end_column,
    ) <= (outer.end_line, outer.end_column)


def _broadcast_to(lifter: Lifter, value: Value, axes: tuple[Index, ...]) -> Term:
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


def _traced(term: Term, scan: Scan, states: dict[Value, int], stop: dict[Value, Term]) -> Term:
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
        term = inline(
            lifter.ops.element(value, axes), step, loop.stop, varying=lifter.origins.varying
        )
        _check_views(lifter, loop, [term])
        term = lifter.origins.shown(term, loop, lost, lifter.active)
        return axes, settled(_traced(term, scan, states, loop.stop), step)

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
        if name in loop.states or env.get(name) is obj:
            continue
        if isinstance(obj, Growing):
            if name not in env or not isinstance(env[name], Sequence):
                continue
            if not obj.back and not obj.front:
                continue
            if len(obj.back) + len(obj.front) != 1 or (obj.front and obj.prefix):
                env[name] = Unknown(f"`{name}` gets several items a step", span)
                loop.block(f"`{name}` gets several items a step", span)
                continue
            item = (*obj.back, *obj.front)[0]
            try:
                axes, term = per_step(item)
            except Unsupported as problem:
                env[name] = Unknown(str(problem), span, f"{name} (line {span.line})")
                loop.block(f"`{name}`: {problem}", span)
                continue
            env[name] = loop.lists[name] = Collected(
                step, axes, term, item.dtype, item.library, scan, bool(obj.front), span, obj.prefix
            )
        elif isinstance(obj, Cell):
            env[name] = _cell_result(lifter, loop, obj, slots.get(f"{name}[cell]"))
        elif isinstance(obj, Written):
            try:
                env[name] = _written_result(lifter, loop, name, obj, per_step)
            except Unsupported as problem:
                env[name] = Unknown(str(problem), span, f"{name} (line {span.line})")
                loop.block(f"`{name}`: {problem}", span)
        elif isinstance(obj, Sequence) and isinstance(env.get(name), Sequence):
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


def _cell_result(lifter: Lifter, loop: Loop, cell: Cell, slot: int | None) -> Obj:
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
        lifter.written_by(cell.array).write(lifter, cell.array, list(cell.items), final, loop.node)
    except Unsupported as problem:
        lifter.effect("mutation", f"writes `{name}` ({problem})", loop.node)
    return cell.array


def _written_result(lifter: Lifter, loop: Loop, name: str, obj: Written, per_step) -> Obj:  # type: ignore[no-untyped-def]
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
