"""Places that a step computes before it writes there: ``k = T - 1 - t`` and then ``out[k] = h``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.lift.arrays import Unsupported
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter

_NUMBERS = (
    ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.operator,
    ast.unaryop, ast.expr_context,
)  # fmt: skip


def with_places(lifter: Lifter, loop: ast.For | ast.While, target: ast.AST, env: Env) -> Env:
    """The names as they are where the body of a loop writes ``target``, as far as the place is
    made of them: those that the body binds once, to numbers of the step, before it writes."""
    read = {node.id for node in everything_in(target) if isinstance(node, ast.Name)}
    bound = [
        node.id for statement in loop.body for node in everything_in(statement)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    ]  # fmt: skip
    if read.isdisjoint(bound):
        return env
    here, changing = dict(env), set(bound)
    for statement in loop.body:
        if any(node is target for node in everything_in(statement)):
            break
        name = _name(statement)
        if name is None or bound.count(name) > 1 or not isinstance(statement, ast.Assign):
            continue
        used = {n.id for n in everything_in(statement.value) if isinstance(n, ast.Name)}
        if used.isdisjoint(changing) and all(map(_is_number, everything_in(statement.value))):
            try:
                here[name] = lifter.eval(statement.value, here)
            except Unsupported:
                continue
            changing.discard(name)
    return here


def _name(statement: ast.stmt) -> str | None:
    """The one name that a statement binds."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    return target.id if isinstance(target, ast.Name) else None


def _is_number(node: ast.AST) -> bool:
    """Whether a part of an expression does nothing but calculate."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "len" and not node.keywords
    return isinstance(node, _NUMBERS)
