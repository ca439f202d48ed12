"""What is known of the contents of arrays and lists, until something may write into them.

An array is known by what made it: ``np.eye(n)`` is an identity. A write under its own name makes a
new version of it (``lift.statements``). Any other write (through a view, an item of a container, a
method, a function that is handed it) reaches it unnamed: whoever holds that memory has an array of
the same shape afterwards, of which no more is known.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.lift.call_effects import Does, calls_given, does, writes_into_parameters, written_into
from auditor.lift.changes import changes
from auditor.lift.objects import (
    Collected,
    Function,
    Growing,
    Iteration,
    Method,
    Obj,
    Record,
    Sequence,
    Unknown,
    arrays_of,
)
from auditor.lift.sharing import beneath, looked_at
from auditor.notation import Read, Value, walk
from auditor.tree import descendants

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter

_LISTS = (Collected, Growing, Sequence)


def written(lifter: Lifter, node: ast.AST, memory: frozenset[Value], env: Env) -> None:
    """``node`` wrote into ``memory``, under whatever name."""
    _items_changed(lifter, node, memory, env)
    _forget(lifter, node, memory, env, lambda _: True)


def handed(lifter: Lifter, node: ast.AST, memory: frozenset[Value], env: Env) -> None:
    """``node`` handed ``memory`` to what is not known, which may write there: what holds the same
    numbers in every run need not hold them any more."""
    _forget(lifter, node, memory, env, _constant)


def after_call(lifter: Lifter, node: ast.Call, env: Env, sure: bool = False) -> None:
    """A call that does more than compute may write into all that it reaches; ``sure`` says that it
    does."""
    what = does(lifter.module, node)
    called = calls_given(lifter.module, node) is not None
    if what not in (Does.WRITES, Does.ANYTHING) and not sure and not called:
        return
    parts = [node.func, *node.args, *(word.value for word in node.keywords)]
    given = [lifter.values.get(part) for part in parts]
    given += [one.receiver for one in given if isinstance(one, Method)]
    _forget_lists(lifter, node, given, env)
    into: list[ast.expr] = []
    if isinstance(node.func, ast.Name) and writes_into_parameters(lifter.module, node.func.id):
        into = parts
    elif sure or what is Does.WRITES:
        into = written_into(lifter.module, node)
    memory = memory_of(lifter, into)
    if memory:
        lifter.overwritten.append((memory, lifter.module.span(node)))
    written(lifter, node, memory, env)
    handed(lifter, node, memory_of(lifter, parts), env)


def by_text(lifter: Lifter, node: ast.AST, env: Env) -> None:
    """What a statement that is not read may write into."""
    done = changes(lifter.module, [node])
    roots = {path.partition(".")[0] for path in done.written | done.grown}
    held = [env[name] for name in sorted(roots & env.keys())]
    names = {n.id for call in done.calls for n in descendants(call) if isinstance(n, ast.Name)}
    given = [env[name] for name in sorted(names & env.keys())]
    _forget_lists(lifter, node, [*held, *given], env)
    written(lifter, node, frozenset[Value]().union(*map(lifter.memory, held)), env)
    handed(lifter, node, frozenset[Value]().union(*map(lifter.memory, given)), env)


def memory_of(lifter: Lifter, parts: Iterable[ast.expr]) -> frozenset[Value]:
    """The memory that expressions reach: of what they are, hold, are views of or close over."""
    found = frozenset[Value]()
    for part in parts:
        for value in _reached(lifter, part):
            found |= lifter.memory(value)
    return found


def _reached(lifter: Lifter, part: ast.expr) -> Iterator[Value]:
    obj = lifter.values.get(part)
    if isinstance(obj, Method):
        yield from arrays_of(obj.receiver)
    if isinstance(obj, Function):
        names = {n.id for n in descendants(obj.node) if isinstance(n, ast.Name)}
        for name in names & obj.closure.keys():
            yield from arrays_of(obj.closure[name])
    elif isinstance(obj, (Unknown, Iteration)) and beneath(obj) in lifter.viewed:
        yield from lifter.viewed[beneath(obj)]
    elif obj is not None and (held := list(arrays_of(obj))):
        yield from held
    else:
        yield from looked_at(lifter, part)


def _items_changed(lifter: Lifter, node: ast.AST, memory: frozenset[Value], env: Env) -> None:
    """What a loop left may be the last item of a list that the loop filled, and the items that were
    there before are what they were: changing either in place changes that item."""
    for loop in lifter.loops:
        lists = [o for o in env.values() if isinstance(o, Collected) and o.scan is loop.scan]
        left = next((key for key, value in loop.results.items() if value in memory), None)
        first = (one.name for each in lists for one in each.prefix
                 if not memory.isdisjoint(lifter.memory(one)))  # fmt: skip
        changed = left or next(first, None)
        if lists and changed is not None:
            reason = f"leaves `{changed}`, which is changed in place while a list may hold it"
            line = getattr(node, "lineno", 0)
            loop.block(f"{reason} (line {line})", lifter.module.span(node))


def refresh(lifter: Lifter, env: Env) -> bool:
    """Put what is known by now in the place of what was; whether that changed anything."""
    news = {name: new for name, obj in env.items() if (new := _renewed(lifter, obj)) is not obj}
    env.update(news)
    return bool(news)


def _forget(
    lifter: Lifter,
    node: ast.AST,
    memory: frozenset[Value],
    env: Env,
    counts: Callable[[Value], bool],
) -> None:
    """Of what lies in ``memory``, the values that ``counts`` are arrays of their shape."""
    known = (value for obj in env.values() for value in arrays_of(obj)) if memory else ()
    for value in dict.fromkeys(known):
        array = bool(value.axes) or value.library == "torch"
        if value.kind == "derived" and array and value not in lifter.stale and counts(value):
            if not memory.isdisjoint(lifter.memory(value)):
                lifter.stale[value] = lifter.new_version(value, node)
    if lifter.stale:
        refresh(lifter, env)


def _constant(value: Value) -> bool:
    """Whether an array is made of nothing that the function is given."""
    if value.body is None:
        return False
    return all(_constant(node.value) for node in walk(value.body) if isinstance(node, Read))


def _forget_lists(lifter: Lifter, node: ast.AST, given: Iterable[Obj | None], env: Env) -> None:
    """Items may have been put into the lists among what was given, or taken out."""
    for obj in given:
        for part in obj.items if isinstance(obj, Sequence) else ():
            _forget_lists(lifter, node, [part], env)
        if isinstance(obj, _LISTS) and (not isinstance(obj, Sequence) or obj.kind == "list"):
            reason = "a list that may hold other items by now"
            lifter.stale[obj] = Unknown(reason, lifter.module.span(node))
            refresh(lifter, env)


def _renewed(lifter: Lifter, obj: Obj) -> Obj:
    """An object as it is known by now."""
    if isinstance(obj, (Value, *_LISTS)) and obj in lifter.stale:
        return lifter.stale[obj]
    if isinstance(obj, Sequence):
        items = tuple(_renewed(lifter, item) for item in obj.items)
        if any(a is not b for a, b in zip(items, obj.items, strict=True)):
            lifter.stale[obj] = replace(obj, items=items)  # the same one under every name
        return lifter.stale.get(obj, obj)
    if isinstance(obj, (Record, Collected)) and any(one in lifter.stale for one in arrays_of(obj)):
        return Unknown("holds an array that was written into")
    return obj
