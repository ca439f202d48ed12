"""Vectors as columns and as rows: ``z.reshape(-1, 1)``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.nests.integers import NoNest
from auditor.nests.parts import Part, Scope, integers_of
from auditor.notation import ONE, ZERO, Index
from auditor.syntax import constant

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions

NAMES = ("reshape", "view")


def laid_out(reading: Expressions, given: list[ast.expr], scope: Scope) -> Part:
    """A vector with axes of one entry beside its own."""
    array, *sizes = given
    if len(sizes) == 1 and isinstance(sizes[0], (ast.Tuple, ast.List)):
        sizes = sizes[0].elts
    part = reading.part(array, scope, 1)
    reading.no_number(part)
    if len(part.axes) != 1 or [constant(size) == 1 for size in sizes].count(False) != 1:
        raise NoNest("a reshape of what is no vector")
    (own,) = part.axes
    vectors = reading.guesses(part.term)  # as is assumed
    reading.loose -= vectors
    reading.fitted -= vectors
    return Part(tuple(_axis(reading, size, own, scope) for size in sizes), part.term)


def _axis(reading: Expressions, size: ast.expr, own: Index, scope: Scope) -> Index:
    """The axis of a given size: the vector's own, which is as long, or it would have raised."""
    if constant(size) == 1:
        new = reading.index("u", ZERO, ONE)
        reading.inserted.add(new)
        return new
    if constant(size) != -1:
        length = reading.integers.term(size, integers_of(scope))
        walk = reading.walks[own]
        if extents.constant(extents.sub(extents.sub(walk.high, walk.low), length)) not in (0, None):
            raise NoNest("a reshape of what is no vector")
    return own
