"""What is computed of an array where a mask holds and put back there: ``r[r > 0] = 1 / r[r > 0]``.

Item by item, so that it is the same at all places, chosen by the mask.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable
from typing import TYPE_CHECKING

from auditor.lift.objects import Obj, Selected
from auditor.notation import Apply, Const, Index, Read, Term, Value, definition
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter


def selected(lifter: Lifter, target: ast.expr, source: ast.expr, env: Env) -> Selected | None:
    """What ``source`` puts at the places of a mask that ``target`` says, if it is computed of
    arrays at these places alone."""
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return None
    if isinstance(target.slice, (ast.Slice, ast.Tuple, ast.Constant, ast.UnaryOp)):
        if not isinstance(target.slice, ast.UnaryOp) or not isinstance(target.slice.op, ast.Invert):
            return None
    spelled = ast.dump(target.slice)
    parts = [
        node for node in everything_in(source)
        if isinstance(node, ast.Subscript) and ast.dump(node.slice) == spelled
    ]  # fmt: skip
    base = env.get(target.value.id)
    if not parts or not isinstance(base, Value) or not _of_parts(source, parts, env):
        return None
    whole = lifter.eval(_without(source, parts), env)
    arrays = {lifter.values.get(part.value) for part in parts}
    if isinstance(whole, Value) and len(whole.axes) == len(base.axes):
        axes = lifter.ops.fresh(whole.axes)
        if _item_by_item(lifter.ops.element(whole, axes), axes, arrays):
            return Selected(whole)
    return None


def _of_parts(source: ast.expr, parts: Iterable[ast.Subscript], env: Env) -> bool:
    """Whether an expression is computed of parts of arrays and numbers alone: what else has axes is
    as large as the parts."""
    inside = {node for part in parts for node in everything_in(part)}
    for node in everything_in(source):
        if node in inside:
            continue
        if isinstance(node, ast.Name) and isinstance(held := env.get(node.id), Value):
            if held.axes:
                return False
        elif isinstance(node, ast.Call) and inside.isdisjoint(everything_in(node)):
            return False
    return True


def _without(source: ast.expr, parts: Iterable[ast.Subscript]) -> ast.expr:
    """An expression with the whole arrays in the place of parts of them."""
    memo = {id(part): part.value for part in parts}
    return copy.deepcopy(source, memo)


def _item_by_item(term: Term, axes: tuple[Index, ...], arrays: set[Obj | None]) -> bool:
    """Whether each item of a term is computed of numbers and the items of ``arrays`` at its own
    place."""
    if isinstance(term, Apply):
        return all(_item_by_item(arg, axes, arrays) for arg in term.args)
    if not isinstance(term, Read):
        return isinstance(term, Const)
    if term.value in arrays:
        return tuple(term.subs) == axes
    inner = definition(term)
    return not term.subs if inner is None else _item_by_item(inner, axes, arrays)
