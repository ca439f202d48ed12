"""Arrays that a loop changes under another name, or where notation does not follow: who reads one
of these in the loop reads another array at each step."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.lift.objects import arrays_of
from auditor.lift.stored import stored_arrays
from auditor.notation import Read, Term, Value
from auditor.tree import descendants

if TYPE_CHECKING:
    from auditor.lift.lifter import Lifter
    from auditor.lift.loops import Loop


@dataclass(frozen=True, eq=False)
class Changing:
    """The ``arrays`` that a loop changes as it goes; ``settled`` is what was made before the loop,
    and what notation follows: neither shows what it was made of."""

    arrays: frozenset[Value] = frozenset()
    settled: frozenset[Value] = frozenset()

    def stop(self, known: dict[Value, Term]) -> dict[Value, Term]:
        """What is not to be expanded, besides what is ``known`` not to be."""
        return {**{value: Read(value, value.axes) for value in self.settled}, **known}


def changed(value: Value) -> str:
    """What such an array is called in notation: a function of the step."""
    return f"call:value {value.name} (changed by the loop)"


def changing(lifter: Lifter, loop: Loop) -> Changing:
    """What the body of a loop overwrites, but for the arrays that it fills under their own names
    and the values that it carries."""
    assert isinstance(loop.node, (ast.For, ast.While))
    touched: set[Value] = set()
    for memory, span in lifter.overwritten:
        if loop.span.covers(span):
            touched |= memory
    names = {key.partition("[")[0] for key in loop.mutated} | _items_changed(loop.node)
    names |= {name for name in stored_arrays(loop.node.body) if loop.arrays.get(name) is None
              and isinstance(loop.before.get(name), Value)}  # fmt: skip
    for value in (value for name in names for value in arrays_of(loop.before.get(name))):
        if value.library != "python" or value.axes:
            touched |= lifter.memory(value)
    if not touched and not loop.aliases:
        return Changing()
    filled = {write.original for write in loop.arrays.values() if write is not None}
    under = {*loop.arrays, *(k.removesuffix("[cell]") for k in loop.states if k.endswith("[cell]"))}
    filled.update(value for name in under for value in arrays_of(loop.before.get(name)))
    followed = filled | set(loop.states.values())
    before = {value for obj in loop.before.values() for value in arrays_of(obj)}
    shared = {value for value in before if not touched.isdisjoint(lifter.memory(value))}
    arrays = frozenset((touched | shared) - followed) | loop.aliases
    return Changing(arrays, frozenset(before | followed) | loop.aliases) if arrays else Changing()


def _items_changed(node: ast.For | ast.While) -> set[str]:
    """The names of what a loop changes an item of in place."""
    return {
        inner.target.value.id
        for statement in node.body
        for inner in descendants(statement)
        if isinstance(inner, ast.AugAssign)
        and isinstance(inner.target, ast.Subscript)
        and isinstance(inner.target.value, ast.Name)
    }
