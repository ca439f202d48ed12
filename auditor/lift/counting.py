"""``while`` loops that count, and loops that stop when nothing more can change."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.module import descendants
from auditor.lift.objects import Iteration, Obj
from auditor.lift.statements import stored_names
from auditor.notation import ONE, Const, Term, Value

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter
    from auditor.lift.loops import Loop


def counter(lifter: Lifter, node: ast.While, env: Env) -> tuple[str, Iteration] | None:
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


def stops_when_settled(loop: Loop) -> bool:
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
