"""Names of places: ``top = i * stride`` and then ``x[top : top + k]``.

What a step reads or writes at is an integer, or it raises; so are the numbers that it is added up
or multiplied of.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from auditor.nests.computed import computed
from auditor.nests.integers import NoNest
from auditor.nests.parts import Moved, Part, Scope, integers_of
from auditor.notation import free_indices
from auditor.tree import descendants, everything_in

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions

_ARITHMETIC = (ast.Name, ast.Constant, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Load)


def places(node: ast.For) -> frozenset[str]:
    """The names of a nest that say a place: those in its subscripts, and those that the former are
    sums and products of."""
    inside = descendants(node)
    found = {
        name.id for at in inside if isinstance(at, ast.Subscript)
        for name in everything_in(at.slice) if isinstance(name, ast.Name)
    }  # fmt: skip
    bound = [pair for at in inside if isinstance(at, ast.Assign) for pair in _pairs(at)]
    for target, value in reversed(bound):
        if target in found and all(isinstance(at, _ARITHMETIC) for at in everything_in(value)):
            found |= {at.id for at in everything_in(value) if isinstance(at, ast.Name)}
    return frozenset(found)


def _pairs(node: ast.Assign) -> list[tuple[str, ast.expr]]:
    """The names that a statement binds, and what to."""
    (first, *others) = node.targets
    both = isinstance(first, ast.Tuple) and isinstance(node.value, ast.Tuple)
    targets = first.elts if both else [first]  # type: ignore[attr-defined]
    values = node.value.elts if both else [node.value]  # type: ignore[attr-defined]
    if others or len(targets) != len(values):
        return []
    pairs = zip(targets, values, strict=True)
    return [(target.id, value) for target, value in pairs if isinstance(target, ast.Name)]


def moved(reading: Expressions, value: ast.expr, scope: Scope) -> Moved | None:
    """What a step binds the name of a place to, where it moves with the loops."""
    known = {name for name, held in scope.items() if not isinstance(held, Part)}
    if not any(isinstance(at, ast.Name) and at.id in known for at in everything_in(value)):
        return None
    number = partial(reading.part, value, dict(scope))
    try:
        place = reading.integers.term(value, integers_of(scope))
    except NoNest:
        looked = computed(reading, value, scope)
        return None if looked is None else Moved(None, looked, number)
    return Moved(place, None, number) if free_indices(place) else None
