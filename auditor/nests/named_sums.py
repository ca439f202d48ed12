"""Sums in the body of a nest that are named: an einsum, the norm of a vector, a trace, what ``sum``
or ``max`` makes of a comprehension; and a transpose."""

from __future__ import annotations

import ast
from functools import reduce
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.nests.integers import CannotSay, NoNest
from auditor.nests.parts import Part, Scope
from auditor.nests.spelled import rows
from auditor.nests.walking import walked
from auditor.notation import ZERO, Apply, Index, Term
from auditor.syntax import constant

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions

FOLDS = {"sum": "add", "max": "max", "min": "min"}
"""Functions of a comprehension, and what they make of two of its items."""


def einsum(reading: Expressions, given: list[ast.expr], node: ast.Call, scope: Scope) -> Part:
    """A sum of products as its letters say."""
    pattern = given[0].value if given and isinstance(given[0], ast.Constant) else None
    if not isinstance(pattern, str) or node.keywords:
        raise NoNest("an einsum of what is not known")
    asked, arrow, kept = pattern.replace(" ", "").partition("->")
    each = asked.split(",")
    if not arrow or not all(word.isalpha() for word in [*each, kept or "a"]):
        raise NoNest("an einsum of what is not known")
    if len(each) != len(given) - 1 or any(len(set(w)) < len(w) for w in [*each, kept]):
        raise NoNest("an einsum of what is not known")
    named: dict[str, Index] = {}
    term: Term | None = None
    for word, operand in zip(each, given[1:], strict=True):
        part = reading.part(operand, scope, len(word))
        if len(part.axes) != len(word):
            raise NoNest("an einsum of other axes than its letters")
        axes = tuple(named.setdefault(at, axis) for at, axis in zip(word, part.axes, strict=True))
        factor = reading.matched(part, axes, exact=True)
        term = factor if term is None else Apply("mul", (term, factor))
    if term is None or not set(kept) <= named.keys():
        raise NoNest("an einsum of what is not known")
    gone = [axis for letter, axis in named.items() if letter not in kept]
    whole = Part(tuple(named[letter] for letter in kept), term)
    return Part(whole.axes, reading.reduced(whole, *gone).term)


def norm(reading: Expressions, node: ast.expr, scope: Scope, axis: object = None) -> Part:
    """The length of a vector, or the root of the sum of the squares of a matrix; of rows or columns
    with an ``axis``."""
    part = reading.part(node, scope, 1 if axis is None else 2)
    reading.no_number(part)
    count = len(part.axes)
    if not 1 <= count <= 2 or (axis is not None and type(axis) is not int):
        raise NoNest("a norm of many axes")
    if isinstance(axis, int) and not -count <= axis < count:
        raise NoNest("a norm of many axes")
    if axis is None:
        reading.total(part.term, part.axes)
    gone = part.axes if axis is None else (part.axes[axis],)
    squares = Part(part.axes, Apply("call:squared", (part.term,)))
    kept = tuple(index for index in part.axes if index not in gone)
    return Part(kept, Apply("call:norm", (reading.reduced(squares, *gone).term,)))


def turns(places: list[ast.expr]) -> bool:
    """Whether a ``transpose`` is given the two axes of a matrix."""
    return {constant(place) for place in places} in ({0, 1}, {-1, -2})


def turned(reading: Expressions, node: ast.expr, scope: Scope, exactly: bool) -> Part:
    """A transposed matrix, or a vector as it is where that need not be one."""
    part = reading.part(node, scope, 2)
    if len(part.axes) > 2 or (exactly and len(part.axes) != 2):
        raise NoNest("turns many axes")
    return Part(part.axes[::-1], part.term)


def trace(reading: Expressions, node: ast.expr, scope: Scope) -> Part:
    """The sum of the diagonal of a matrix."""
    part = reading.part(node, scope, 2)
    if len(part.axes) != 2:
        raise NoNest("a trace of no matrix")
    first, second = part.axes
    along = reading.matched(Part((second,), part.term), (first,), exact=True)
    return reading.reduced(Part((first,), along), first)


def folded(
    reading: Expressions, called: str, node: ast.GeneratorExp | ast.ListComp, scope: Scope
) -> Part:
    """``sum(...)``, ``max(...)`` of what a comprehension gives. Raises ``NoNest``."""
    inside = dict(scope)
    gone: list[Index] = []
    for generator in node.generators:
        if generator.is_async:
            raise NoNest("a sum of some elements only")
        found = rows(reading.region, generator)
        if found and len(node.generators) == 1:
            parts = [reading.part(node.elt, {**scope, **step}) for step in found]
            if any(part.axes for part in parts):
                raise NoNest("a sum of arrays")
            terms = [part.term for part in parts]
            return Part((), reduce(lambda one, two: Apply(FOLDS[called], (one, two)), terms))
        if generator.ifs:
            raise NoNest("a sum of some elements only")
        gone.append(walked(reading, generator.target, generator.iter, inside))
    part = reading.part(node.elt, inside)
    if part.axes:
        raise NoNest("a sum of arrays")
    total = reading.reduced(part, *reversed(gone), op=called)
    return _from_zero(total) if called == "sum" else total


def _from_zero(part: Part) -> Part:
    """A sum that Python begins at 0 and takes in the type of its items, however narrow that is."""
    return Part(part.axes, Apply("add", (ZERO, part.term)))


def added_up(reading: Expressions, node: ast.expr, scope: Scope, exactly: bool) -> Part:
    """``sum(x[i : i + k])``: Python's sum of a vector; of rows it would be a row, which is no
    number where there has to be one (``exactly``). Raises ``NoNest``."""
    part = reading.part(node, scope, 1)
    reading.no_number(part)
    if len(part.axes) != 1 or (reading.guesses(part.term) and not exactly):
        raise NoNest("a sum of what may be no vector")
    (axis,) = part.axes
    if extents.constant(axis.extent) is None:  # of nothing it would be an integer of Python's
        try:
            reading.assume(f"`{reading.integers.text(axis.extent)}` is positive")
        except CannotSay as reason:
            raise NoNest(str(reason)) from None
    return _from_zero(reading.reduced(part, axis))
