"""What names stand for is not known any more: where statements are not read, and where a list
grows that other names hold."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.lift import contents
from auditor.lift.filled import changed_names
from auditor.lift.objects import Obj, Sequence, Unknown
from auditor.lift.ownership import holds
from auditor.notation import Value
from auditor.tree import descendants

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter


def forget(node: ast.AST, env: Env, reason: str, lifter: Lifter) -> None:
    """Every name bound in ``node`` is unknown from here on, and what it changes in place is
    changed."""
    contents.by_text(lifter, node, env)
    for name in sorted(changed_names(node)):
        held = env.get(name)
        if isinstance(held, Value):
            memory = lifter.memory(held)
            lifter.in_place(node, held, Unknown(reason), env)
            for other, obj in env.items():
                if holds(lifter, obj, memory):
                    env[other] = Unknown(reason, lifter.module.span(node))
    for inner in descendants(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, (ast.Store, ast.Del)):
            env[inner.id] = Unknown(
                reason, lifter.module.span(inner), f"{inner.id} (line {inner.lineno})"
            )
            lifter.origins.anything(lifter, env[inner.id])


def forget_others(lifter: Lifter, name: str, held: Obj, node: ast.AST, env: Env) -> None:
    """A list grows: what other names have of it is no longer known."""
    for other, obj in env.items():
        if other != name and _has(obj, held):
            reason = f"`{other}` has the list `{name}`, which grows"
            env[other] = forgotten = Unknown(reason, lifter.module.span(node))
            lifter.origins.carried(forgotten)


def _has(obj: Obj, held: Obj) -> bool:
    return obj is held or (isinstance(obj, Sequence) and any(_has(i, held) for i in obj.items))
