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

from auditor.lift import contents, counting, extents, keyed, loop_results, sharing
from auditor.lift.arrays import Unsupported
from auditor.lift.changing import Changing
from auditor.lift.forgotten import forget, forget_others
from auditor.lift.loop_arrays import FARTHEST, ArrayWrite, prepare_writes, previous_key
from auditor.lift.objects import (
    Cell,
    Collected,
    Growing,
    Iteration,
    Literal,
    Obj,
    Sequence,
    Unknown,
    Written,
)
from auditor.lift.runs import Runs
from auditor.lift.statements import block
from auditor.lift.stored import (
    changed_objects,
    grown_names,
    measured,
    stored_arrays,
    stored_chains,
    stored_names,
)
from auditor.lift.walked import forget_written, outgrown
from auditor.notation import (
    ONE,
    ZERO,
    Index,
    Scan,
    Span,
    Term,
    Value,
)
from auditor.syntax import is_name, set_elsewhere
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.lift.lifter import Effect, Env, Lifter


@dataclass
class Loop:
    """A lifted loop. ``blocked`` says why it must stay as it is, if it must; ``steps`` are what it
    writes into arrays at each step, ``places`` where; ``reached`` the states that a call may have
    kept; ``lost`` the carried names whose updates have no notation, ``silent`` those of them that
    never had one and that a step reads as the one before left them. ``born`` are the names that the
    first step binds and the later ones carry on; those in ``nothing`` are None before. ``doubt``
    says how the shapes of the branch that it stands in contradict each other. ``changing`` are the
    arrays that are others at each step, ``aliases`` among them what other names have of an array
    that it writes; ``touched`` the names that calls in it are given, ``handed`` the arrays.
    ``shapes`` are values of the shapes that carried names turned out to have."""

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
    places: list[tuple[Term, ...]] = field(default_factory=list)
    lost: tuple[str, ...] = ()
    early: set[str] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)
    unstable: set[str] = field(default_factory=set)
    born: dict[str, Value] = field(default_factory=dict)
    nothing: set[str] = field(default_factory=set)
    doubt: str | None = None
    changing: Changing = field(default_factory=Changing)
    aliases: set[Value] = field(default_factory=set)
    touched: set[str] = field(default_factory=set)
    handed: set[Value] = field(default_factory=set)
    shapes: dict[str, Value] = field(default_factory=dict)

    def block(self, reason: str, span: Span) -> None:
        if self.blocked is None:
            self.blocked = (reason, span)

    def final(self, inner: Env, key: str) -> Obj | None:
        """What a carried name is bound to at the end of the body."""
        name, bracket, place = key.partition("[")
        if not bracket:
            return inner.get(name)
        held = inner.get(name)
        if place.startswith("-"):
            back = int(place[:-1])
            if back < -1 and isinstance(held, Growing):
                return self.states[f"{name}[{back + 1}]"]
            if not isinstance(held, Growing):
                return None
            return held.back[-1] if held.back else self.states[key]
        if place == "cell]" and isinstance(held, Written):
            write = self.arrays.get(name)
            return write.value if write is not None else None
        if place == "cell]":
            return held.value if isinstance(held, Cell) else None
        if place.startswith("previous "):
            return self.states[previous_key(name, int(place[9:-1]) - 1)]
        if place == "previous]":
            write = self.arrays.get(name)
            return write.value if write is not None else None
        if isinstance(held, Sequence):
            position = int(place[:-1])
            return held.items[position] if position < len(held.items) else None
        return None

    def initial(self, env: Env, key: str) -> Value | None:
        """What a carried name is bound to before the loop."""
        name, bracket, place = key.partition("[")
        if key in self.born:
            # The first step does not read it, so that any value will do.
            return Value("0", (), ZERO, "int", "derived", "python")
        held = env.get(name)
        if not bracket:
            return held if isinstance(held, Value) else None
        if place.startswith(("previous", "cell")):
            return self.tails.get(key)
        if isinstance(held, Sequence) and held.items:
            item = held.items[int(place[:-1])]
            return item if isinstance(item, Value) else None
        return None

    # -- reading what the loop writes

    def read_list(self, lifter: Lifter, base: Growing, at: Obj) -> Obj:
        """``outs[-1]`` in the body: the last item so far; ``outs[-2]`` the one before."""
        number = None
        if isinstance(at, Value):
            number = extents.constant(lifter.ops.element(at, ()))
        if number is None or number >= 0 or base.front:
            raise Unsupported(f"`{base.name}` is read while the loop fills it")
        if -number <= len(base.back):
            return base.back[number]
        before = -number - len(base.back)
        if before > len(base.prefix) or before > FARTHEST:
            raise Unsupported(f"`{base.name}[{number}]` is read before so many are in the list")
        for place in range(1, before + 1):
            key = f"{base.name}[-{place}]"
            if key not in self.states:
                start = base.prefix[-place]
                self.states[key] = lifter.ops.state(key, self.shapes.get(key, start))
        return self.states[f"{base.name}[-{before}]"]


def lift(lifter: Lifter, node: ast.For | ast.While, env: Env) -> None:
    """Execute a loop statement on ``env``."""
    _steps(lifter, node, env)
    for statement in node.orelse:  # run or not, by what the steps find
        reason = "is in the `else` clause of a loop"
        forget(statement, env, reason, lifter)
        lifter.effect("call", reason, statement)


def _steps(lifter: Lifter, node: ast.For | ast.While, env: Env) -> None:
    span = lifter.module.span(node)
    if isinstance(node, ast.For):
        if places := set_elsewhere(node.target):
            said = f"`{lifter.module.source(places[0])}`"
            _give_up(lifter, node, env, f"sets {said} at every step", span)
            lifter.epoch += 1
            return
        keyed.learn(lifter, node.target, node.iter, node.body, env)
        source = lifter.eval(node.iter, env)
        if isinstance(source, Sequence):
            _unroll(lifter, node, source, env)
            return
        try:
            iteration = lifter.iterate(source)
        except Unsupported as problem:
            _give_up(lifter, node, env, f"is not understood: {problem}", span)
            return
        if (changed := outgrown(lifter, node, env)) is not None:
            _give_up(lifter, node, env, f"changes the length of `{changed}`, which it walks", span)
            for name in [name for name, obj in env.items() if obj is env.get(changed)]:
                env[name] = Unknown(f"`{changed}` is of another length", span, f"{name} (changed)")
            return
        _lift(lifter, node, iteration, None, env)
        return
    counter = counting.counter(lifter, node, env)
    if counter is None:
        _give_up(lifter, node, env, "is a `while` loop whose number of steps is not known", span)
        return
    name, iteration = counter
    _lift(lifter, node, iteration, name, env)


def _unroll(lifter: Lifter, node: ast.For, source: Sequence, env: Env) -> None:
    if len(source.items) > 16 or node.orelse:
        how = "has an `else` clause" if node.orelse else "has too many items to be read one by one"
        _give_up(lifter, node, env, how, lifter.module.span(node))
        return
    leaving = {type(inner) for inner in everything_in(node) if isinstance(inner, _LEAVING)}
    # What follows on one path is what both meet in, of a step that is skipped, and all there is of
    # a function that is left.
    both = ast.Continue in leaving and len(leaving) > 1 and not lifter.active
    if ast.Break in leaving or both:
        how = "may end early" if ast.Break in leaving else "leaves steps in more than one way"
        _give_up(lifter, node, env, how, lifter.module.span(node))
        return
    runs = Runs(lifter, node, len(source.items))
    for place, item in enumerate(source.items):
        try:
            lifter.bind(node.target, runs.item(item, node.target), env)
        except Unsupported:
            _give_up(
                lifter, node, env, "binds something unusual at each step", lifter.module.span(node)
            )
            return
        lifter.skipping += ast.Continue in leaving
        try:
            block(lifter, node.body, env)
        finally:
            lifter.skipping -= ast.Continue in leaving
        runs.after(place)


_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Raise)


def _give_up(lifter: Lifter, node: ast.For | ast.While, env: Env, reason: str, span: Span) -> None:
    """A loop without notation: what it binds is unknown afterwards."""
    step = Index("t", ONE)
    loop = Loop(node, span, step, Scan(step, span), dict(env))
    loop.block(reason, span)
    lifter.loops.append(loop)
    before = dict(env)
    names = [*{**stored_names([node]), **stored_arrays([node])}]
    for name in names:
        env[name] = Unknown(
            f"bound by a loop without notation: {reason}", span, f"{name} (line {span.line})"
        )
        sharing.left(lifter, env[name], before.get(name))
    lifter.origins.left(lifter, node, [env[name] for name in names], before)
    for statement in node.body:
        contents.by_text(lifter, statement, env)
    lifter.effect("call", reason, node)


def _lift(
    lifter: Lifter, node: ast.For | ast.While, iteration: Iteration, counter: str | None, env: Env
) -> None:
    span = lifter.module.span(node)
    marks = (len(lifter.effects), len(lifter.loops))
    shapes: dict[str, Value] = {}
    born: dict[str, Value] = {}
    for name in grown_names(node.body):
        if isinstance(env.get(name), (Sequence, Growing)):
            forget_others(lifter, name, env[name], node, env)
    longer: set[str] = set()
    for _ in range(5):
        del lifter.effects[marks[0] :], lifter.loops[marks[1] :]
        loop, inner = _read_body(lifter, node, iteration, counter, env, shapes, born, span, longer)
        if lifter.stale and contents.refresh(lifter, env):
            continue
        if more := _of_other_lengths(inner, env):
            longer |= more
            continue
        unborn = _unborn(loop, env) - born.keys()
        if unborn and not born:
            born.update(_first_values(lifter, loop, iteration, env, unborn))
            del lifter.effects[marks[0] :], lifter.loops[marks[1] :]
            if born:
                continue
            loop, inner = _read_body(
                lifter, node, iteration, counter, env, shapes, born, span, longer
            )
        changed = _settle(lifter, loop, inner, env, shapes)
        if not changed:
            break
    else:
        # nothing in the body is to be known by the shapes of one reading
        del lifter.effects[marks[0] :], lifter.loops[marks[1] :]
        loop, inner = _read_body(
            lifter, node, iteration, counter, env, shapes, born, span, longer, unstable=True
        )
        loop.unstable |= set(shapes)
        loop.block("carries a value whose shape changes from step to step", span)
    loop.effects = tuple(lifter.effects[marks[0] :])
    if counting.stops_when_settled(loop):
        loop.effects = tuple(
            replace(e, kind="stop") if e.kind == "exit" else e for e in loop.effects
        )
    for effect in loop.effects:
        loop.block(f"{effect.reason} (line {effect.span.line})", effect.span)
    loop_results.finish(lifter, loop, inner, env, iteration)
    for key in loop.unstable:
        name = key.partition("[")[0]
        env[name] = Unknown(f"the shape of `{name}` changes from step to step", span,
                            f"{name} (line {span.line})")  # fmt: skip
    for name, obj in env.items():
        if obj is not loop.before.get(name):
            sharing.left(lifter, obj, loop.before.get(name), inner.get(name))
    lifter.loops.append(loop)


def _read_body(
    lifter: Lifter,
    node: ast.For | ast.While,
    iteration: Iteration,
    counter: str | None,
    env: Env,
    shapes: dict[str, Value],
    born: dict[str, Value],
    span: Span,
    longer: set[str],
    unstable: bool = False,
) -> tuple[Loop, Env]:
    """One reading of the body: the loop, and the names bound at its end. ``longer`` are tuples that
    have another number of items after a step; ``unstable`` says that what is carried in one of
    ``shapes`` gets another one at every step."""
    step = Index("t", lifter.facts.extent(iteration.extent), said=_said(node))
    loop = Loop(
        node, span, step, Scan(step, span), dict(env), counter=counter, branches=lifter.branches,
        shapes=shapes,
    )  # fmt: skip
    loop.born, loop.nothing = dict(born), {name for name in born if env.get(name) is not None}
    inner = dict(env)
    names, arrays = stored_names(node.body), stored_arrays(node.body)
    for name, target in stored_chains(node.body).items():
        if isinstance(env.get(name), (Value, Written, Cell)):
            arrays = {name: target, **arrays}
    targets: set[str] = set()
    if isinstance(node, ast.For):
        item = iteration.element(step)
        loop.target_values.append(item)
        try:
            lifter.bind(node.target, item, inner)
        except Unsupported as problem:
            loop.block(f"is not understood: {problem}", span)
        targets = set(stored_names([ast.copy_location(ast.Expr(node.target), node)]))
    elif counter is not None:
        inner[counter] = iteration.element(step)
        targets = {counter}
    for name in [*names, *arrays]:
        start = env.get(name)
        if unstable and name in shapes:
            inner[name] = Unknown(f"the shape of `{name}` changes from step to step", span)
            lifter.origins.carried(inner[name])
            continue
        if start is None and name in lifter.module.shared_names:
            start = lifter._leaf(name, name, "free")
        if name in targets or name in loop.states:
            continue
        if name in born:
            loop.states[name] = inner[name] = lifter.ops.state(name, shapes.get(name, born[name]))
            continue
        if start is None:
            inner[name] = Unknown(f"`{name}` is bound by the loop only", span)
            lifter.origins.unbound[inner[name]] = name
            continue
        if name in arrays and isinstance(start, Value):
            inner[name] = Written(name, start)
        elif isinstance(start, Value):
            loop.states[name] = inner[name] = lifter.ops.state(name, shapes.get(name, start))
        elif isinstance(start, Sequence) and start.kind == "list" and _all_values(start):
            prefix = tuple(item for item in start.items if isinstance(item, Value))
            inner[name] = Growing(name, prefix)
        elif isinstance(start, Sequence) and _all_values(start):
            if name in longer:
                inner[name] = Unknown(f"the length of `{name}` changes from step to step", span)
                lifter.origins.carried(inner[name])
                continue
            parts: list[Obj] = []
            for position, item in enumerate(start.items):
                key = f"{name}[{position}]"
                assert isinstance(item, Value)
                loop.states[key] = lifter.ops.state(key, shapes.get(key, item))
                parts.append(loop.states[key])
            inner[name] = Sequence(tuple(parts), start.kind)
        elif isinstance(start, (Growing, Written, Cell)):
            pass
        else:
            inner[name] = Unknown(f"`{name}` is carried from step to step and not understood", span)
            lifter.origins.carried(inner[name])
            lifter.origins.silent[inner[name]] = name
    for name in sorted(changed_objects(node.body)):
        if isinstance(env.get(name), (Value, Unknown)):
            loop.states.pop(name, None)
            inner[name] = Unknown(f"`{name}` is changed by its methods", span)
            lifter.origins.carried(inner[name])
    for name in sorted(measured(node.body, targets) & loop.states.keys()):
        loop.states.pop(name)
        inner[name] = Unknown(f"a step asks how long `{name}` is, so that lengths differ", span)
        lifter.origins.carried(inner[name])
    lifter.active.append(loop)
    try:
        prepare_writes(lifter, loop, node, arrays, inner)
        forget_written(lifter, loop, targets, arrays, inner)
        if node.orelse:
            loop.block("has an `else` clause", span)
        block(lifter, node.body, inner)
    finally:
        lifter.active.pop()
    return loop, inner


def _of_other_lengths(inner: Env, env: Env) -> set[str]:
    """The tuples that a step leaves with another number of items than the loop found."""
    return {
        name
        for name, start in env.items()
        if isinstance(start, Sequence)
        and start.kind != "list"
        and isinstance(held := inner.get(name), Sequence)
        and len(held.items) != len(start.items)
    }


def _said(node: ast.For | ast.While) -> str:
    """What the source calls the number of a step: ``it`` in ``for it in range(n)``."""
    if not isinstance(node, ast.For) or not isinstance(node.target, ast.Name):
        return ""
    call = node.iter
    counted = isinstance(call, ast.Call) and is_name(call.func, "range") and len(call.args) == 1
    return node.target.id if counted else ""


def _unborn(loop: Loop, env: Env) -> set[str]:
    """Names that the body reads although nothing, or None, is bound to them before the loop."""
    assert isinstance(loop.node, (ast.For, ast.While))
    nothing = {
        name
        for name in stored_names(loop.node.body)
        if isinstance(held := env.get(name), Literal) and held.value is None
    }
    return {name for name in loop.early if env.get(name) is None} | nothing


def _first_values(
    lifter: Lifter, loop: Loop, iteration: Iteration, env: Env, names: set[str]
) -> dict[str, Value]:
    """What the first step binds those of ``names`` to that it does not read before: the body is
    read for this step alone, in which its conditions on the step are decided."""
    assert isinstance(loop.node, (ast.For, ast.While))
    inner = dict(env)
    for name in names:
        if env.get(name) is None:
            inner[name] = Unknown(f"`{name}` is bound by the loop only", loop.span)
            lifter.origins.unbound[inner[name]] = name
    first = Loop(loop.node, loop.span, Index("t", ONE), Scan(loop.step), dict(env),
                 branches=lifter.branches)  # fmt: skip
    stored = set(lifter.stored)
    lifter.active.append(first)
    try:
        if isinstance(loop.node, ast.For):
            lifter.bind(loop.node.target, iteration.element(ZERO), inner)
        elif loop.counter is not None:
            inner[loop.counter] = iteration.element(ZERO)
        block(lifter, loop.node.body, inner)
    except Unsupported:
        return {}
    finally:
        lifter.active.pop()
        lifter.stored = stored
    return {
        name: value
        for name in names - first.early
        if isinstance(value := inner.get(name), Value) and value.kind != "opaque"
    }


def _all_values(sequence: Sequence) -> bool:
    return all(isinstance(item, Value) for item in sequence.items)


def _settle(lifter: Lifter, loop: Loop, inner: Env, env: Env, shapes: dict[str, Value]) -> bool:
    """Whether a carried value came out with another shape than it was given."""
    changed = False
    for key, state in loop.states.items():
        final = loop.final(inner, key)
        if not isinstance(final, Value):
            continue
        same_rank = len(final.axes) == len(state.axes)
        same = same_rank and all(
            lifter.facts.extent(a.extent) is lifter.facts.extent(b.extent) and a.group == b.group
            for a, b in zip(final.axes, state.axes, strict=True)
        )
        if not same and same_rank and _in_turn(lifter, final, state):
            changed = True  # each was taken to have the axes of the other one
            continue
        dtype = final.dtype if final.dtype != state.dtype else state.dtype
        if not same or dtype != state.dtype:
            if len(final.axes) < len(state.axes):
                loop.block(f"carries `{key}`, which is not known to keep its axes", loop.span)
                loop.unstable.add(key)
                continue
            shapes[key] = final
            changed = True
    return changed


def _in_turn(lifter: Lifter, final: Value, state: Value) -> bool:
    """Whether two values of unknown ranks were taken to have the axes of each other, which makes
    these the same: noted, if it was not known."""
    pairs = [
        (a.extent, b.extent)
        for a, b in zip(final.axes, state.axes, strict=True)
        if lifter.facts.extent(a.extent) is not lifter.facts.extent(b.extent)
    ]
    facts = lifter.facts
    if not all(facts.covers(one, other) and facts.covers(other, one) for one, other in pairs):
        return False
    learnt = [facts.unify(one, other, broadcast=True) for one, other in pairs]
    return any(learnt)
