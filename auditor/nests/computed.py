"""Places that a step computes of a loop variable: ``x[(i + 1) % n]``, ``x[max(i - 1, 0)]``,
``x[i // 2]``. All at once they are looked up in an array of integers, ``(np.arange(n) + 1) % n``.
"""

from __future__ import annotations

import ast
from functools import reduce
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.nests.forms import is_length
from auditor.nests.integers import CannotSay, NoNest
from auditor.nests.memory import may_be_array
from auditor.nests.parts import PLACED, Moved, Scope
from auditor.notation import Apply, Const, Index, Read, Term, free_indices
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions

_INFIX: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Mod: "mod", ast.FloorDiv: "floordiv",
}  # fmt: skip
_DIVIDES = ("mod", "floordiv")
_LARGEST = 2**20


def computed(reading: Expressions, item: ast.expr, scope: Scope) -> Term | None:
    """The place that a step computes of one loop variable, or None."""
    try:
        found = _term(reading, item, scope)
    except NoNest:
        return None
    if isinstance(found, Apply) and found.op == PLACED:
        return found.args[0]  # the place of the loop variable itself
    return found if len(free_indices(found)) == 1 else None


def _term(reading: Expressions, node: ast.expr, scope: Scope) -> Term:
    """An integer whose loop variables are arrays of their values. Raises ``NoNest``."""
    held = scope.get(node.id) if isinstance(node, ast.Name) else None
    if isinstance(held, Index):
        return Apply(PLACED, (held,))
    if isinstance(held, Moved) and held.looked is not None:
        return held.looked
    if isinstance(held, Const):
        return held  # of a loop whose steps are read one by one
    if all(scope.get(at.id) is None for at in everything_in(node) if isinstance(at, ast.Name)):
        return _fixed(reading, node)
    if isinstance(node, ast.BinOp) and type(node.op) in _INFIX:
        op = _INFIX[type(node.op)]
        left, right = (_term(reading, side, scope) for side in (node.left, node.right))
        if op in _DIVIDES:
            _require_positive(reading, right, free_indices(left))
            if op == "mod" and _walks_all(reading, left, right):
                return left
        if op == "mul":
            _assume_small(reading, left, right)
        return _moved_by(op, left, right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        op = node.func.id
        if op in ("max", "min") and op not in reading.region.module.bound and len(node.args) > 1:
            terms = [_term(reading, side, scope) for side in node.args]
            return reduce(lambda one, other: Apply(op, (one, other)), terms)
    raise NoNest(f"`{reading.region.module.source(node)}` moves with the loops")


def _moved_by(op: str, left: Term, right: Term) -> Term:
    """``left op right``, where a number that is added or subtracted stands as it would be
    written."""
    number = right.value if isinstance(right, Const) else None
    if op not in ("add", "sub") or not isinstance(number, int):
        return Apply(op, (left, right))
    if number == 0:
        return left
    if number > 0:
        return Apply(op, (left, right))
    return Apply("sub" if op == "add" else "add", (left, Const(-number)))


def _walks_all(reading: Expressions, place: Term, size: Term) -> bool:
    """Whether a place is a loop variable that is never less than 0 nor as much as ``size``."""
    if not isinstance(place, Apply) or place.op != PLACED or not isinstance(place.args[0], Index):
        return False
    walk = reading.walks[place.args[0]]
    low = extents.constant(walk.low)
    return low == 0 and extents.canonical(walk.high) == extents.canonical(size)


def _fixed(reading: Expressions, node: ast.expr) -> Term:
    """An integer that no step changes and that leaves a place within 64 bits; an array would be
    places of its own. Raises ``NoNest``."""
    value = reading.arrays.value(node)
    called = any(isinstance(at, ast.Call) and not is_length(at) for at in everything_in(node))
    called = called or may_be_array(reading.region, node)
    if called or (value is not None and value.axes):
        raise NoNest(f"whether `{reading.region.module.source(node)}` is a number is not known")
    number = reading.integers.term(node, {})
    if abs(extents.constant(number) or 0) > _LARGEST:
        raise NoNest("computes with large integers")
    if isinstance(number, Read):  # nothing else says so of a name
        reading.assume(f"`{reading.integers.text(number)}` is a number")
    return number


def _assume_small(reading: Expressions, *factors: Term) -> None:
    """Integers of Python's have no largest one. Raises ``NoNest``."""
    fixed = [factor for factor in factors if not free_indices(factor)]
    if len(fixed) < len(factors) - 1:
        raise NoNest("multiplies loop variables")
    for factor in fixed:
        if extents.constant(factor) is None:
            try:
                name = reading.integers.text(factor)
            except CannotSay as problem:
                raise NoNest(str(problem)) from problem
            reading.assume(f"products with `{name}` are smaller than 64 bits")


def _require_positive(reading: Expressions, size: Term, loops: frozenset[Index]) -> None:
    """Whether a step divides by something positive: by 0 it would raise, where an array does not.
    How far a loop goes that makes a step is positive. Raises ``NoNest``."""
    number = extents.constant(size)
    if free_indices(size) or (number is not None and number <= 0):
        raise NoNest("a step divides by what may be 0")
    walks = [reading.walks[index] for index in loops]
    if number is None and not any(
        (extents.constant(held.low) or 0) >= 0
        and extents.canonical(held.high) == extents.canonical(size)
        for held in walks if extents.constant(held.low) is not None
    ):  # fmt: skip
        reading.assume(f"`{reading.integers.text(size)}` is positive")
