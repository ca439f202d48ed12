"""What is put into names, places of arrays and attributes: outside of loops a write makes a new
version of the whole array, and what may share its memory is unknown from there on."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.lift import contents, sharing
from auditor.lift.arrays import Unsupported
from auditor.lift.forgotten import forget, forget_others
from auditor.lift.loop_arrays import leave_open, write
from auditor.lift.module import chained
from auditor.lift.objects import (
    Cell,
    Collected,
    Growing,
    Named,
    Obj,
    Selected,
    Sequence,
    Unknown,
    Written,
)
from auditor.lift.ownership import holds
from auditor.lift.subscripts import is_mask
from auditor.notation import Value
from auditor.tree import descendants

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter

_OF_ARRAYS = ("data", "dtype", "flat", "imag", "real", "shape", "strides")
"""Attributes of arrays that can be set."""


def store(lifter: Lifter, target: ast.expr, obj: Obj, env: Env) -> None:
    """Assign to a name, a tuple, a subscript or an attribute."""
    if isinstance(target, ast.Subscript):
        _store_subscript(lifter, target, obj, env)
    elif isinstance(target, ast.Attribute):
        base = lifter.eval(target.value, env)
        if isinstance(base, Named) and base.path == "self" and lifter.setting is not None:
            lifter.setting[target.attr] = obj
            return
        lifter.epoch += 1
        lifter.origins.sets(lifter, lifter.module.source(target))
        lifter.effect("mutation", f"sets `{lifter.module.source(target)}`", target)
        if target.attr in _OF_ARRAYS:
            _reshaped(lifter, target, env)
    elif isinstance(target, (ast.Tuple, ast.List)):
        try:
            items = lifter.unpack(obj, target.elts)
        except Unsupported as problem:
            forget(target, env, str(problem), lifter)
            _parts_of(lifter, target, obj, env)
            return
        for part, item in zip(target.elts, items, strict=True):
            store(lifter, part.value if isinstance(part, ast.Starred) else part, item, env)
    else:
        lifter.bind(target, obj, env)


def _parts_of(lifter: Lifter, target: ast.expr, whole: Obj, env: Env) -> None:
    """What names are bound to may be parts of ``whole``."""
    for inner in descendants(target):
        if isinstance(inner, ast.Name) and isinstance(held := env.get(inner.id), Unknown):
            sharing.left(lifter, held, whole)


def _reshaped(lifter: Lifter, target: ast.Attribute, env: Env) -> None:
    """``x.shape = (2, 3)``, ``x.flat = 0``: an array is told to be another one."""
    memory = contents.memory_of(lifter, [target.value])
    for name, obj in env.items():
        if holds(lifter, obj, memory):
            reason = f"`{lifter.module.source(target)}` was set"
            env[name] = Unknown(reason, lifter.module.span(target))
            lifter.origins.anything(lifter, env[name])


def _store_subscript(lifter: Lifter, target: ast.Subscript, obj: Obj, env: Env) -> None:
    name, parts = chained(target) or ("", [])
    base = env.get(name)
    chain = isinstance(target.value, ast.Subscript) and isinstance(base, (Written, Cell))
    if not chain or base is None:
        base = lifter.eval(target.value, env)
    source = lifter.module.source(target)
    whole = base.array if isinstance(base, Cell) else base
    if isinstance(whole, Written):
        lifter.overwritten.append((lifter.memory(whole.original), lifter.module.span(target)))
    elif isinstance(whole, Value):
        lifter.overwritten.append((lifter.memory(whole), lifter.module.span(target)))

    def items() -> list[object]:
        if chain:
            return lifter.chain_items(parts, env)
        return lifter.subscript_items(target.slice, env, written=True)

    lifter.ops.span = lifter.module.span(target)
    try:
        if isinstance(base, Written):
            write(lifter.written_by(base), lifter, base, items(), lifter.as_value(obj), target)
            return
        if isinstance(base, Cell) and (chain or isinstance(target.value, ast.Name)):
            lifter.same_cell(base, items())
            env[base.name] = lifter.cell_written(base, lifter.as_value(obj))
            return
        if isinstance(base, Value) and isinstance(target.value, ast.Name):
            if _fill(lifter, target, target.value, base, obj, env):
                return
            lifter.effect("mutation", f"writes `{source}`", target)
            _write(lifter, target, target.value.id, base, obj, env)
            return
    except Unsupported as problem:
        lifter.effect("mutation", f"writes `{source}` ({problem})", target)
        if isinstance(base, Written):
            leave_open(lifter, base.name)
        return
    lifter.effect("mutation", f"writes `{source}`", target)
    lifter.values.setdefault(target.value, base)
    memory = contents.memory_of(lifter, [target.value])
    contents.written(lifter, target, memory, env)
    if isinstance(target.value, ast.Name):
        if isinstance(base, (Sequence, Growing, Collected)):
            forget_others(lifter, target.value.id, base, target, env)
        env[target.value.id] = Unknown(f"`{source}` was written", lifter.module.span(target))


def _fill(
    lifter: Lifter, target: ast.Subscript, name: ast.Name, base: Value, obj: Obj, env: Env
) -> bool:
    """``base[..., mask] = obj`` of an array that nothing else can see, which is
    ``base.masked_fill_(mask, obj)``; False for other writes."""
    memory = lifter.memory(base)
    alone = all(other == name.id or not holds(lifter, held, memory) for other, held in env.items())
    if not alone or any(value.kind != "derived" for value in memory):
        return False
    try:
        items = lifter.subscript_items(target.slice, env, written=True)
        if not items or not is_mask(items[-1]) or not isinstance(obj, (Value, Selected)):
            return False
        made = lifter.ops.replaced(base, items, obj)
    except Unsupported:
        return False
    made = replace(made, name=base.name, span=lifter.module.span(target))
    lifter.values[target] = made
    lifter.masked[target] = name.id
    lifter.in_place(target, base, made, env)
    lifter.bind(name, made, env)
    return True


def _write(
    lifter: Lifter, target: ast.Subscript, name: str, base: Value, obj: Obj, env: Env
) -> None:
    """``base[...] = obj`` outside a loop that writes the array step by step: a new version of the
    whole array. What else may share its memory is unknown from here on."""
    shared = lifter.storage(base)
    for other, held in list(env.items()):
        if other != name and isinstance(held, Value) and held.axes:
            if held is base or lifter.storage(held) is shared:
                reason = f"`{other}` may share the memory of `{name}`, which was written"
                owner = f"{other} (line {target.lineno})"
                env[other] = Unknown(reason, lifter.module.span(target), owner)
                lifter.viewed[owner] = (held,)
    memory = lifter.memory(base)
    contents.written(lifter, target, memory, {k: v for k, v in env.items() if k != name})
    try:
        items = lifter.subscript_items(target.slice, env, written=True)
        new = obj if isinstance(obj, Selected) else lifter.as_value(obj)
        made = lifter.ops.replaced(base, items, new)
    except Unsupported:
        env[name] = lifter.new_version(base, target)
        return
    object.__setattr__(made, "name", base.name)
    lifter.owned.add(made)
    lifter.moved[made] = base
    env[name] = made
