"""Sums in the body of a nest that are named: an einsum, the norm of a vector, a trace."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.nests.integers import NoNest
from auditor.nests.parts import Part
from auditor.notation import Apply, Index, Term

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions, Scope


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
        factor = reading._matched(part, axes, exact=True)
        term = factor if term is None else Apply("mul", (term, factor))
    if term is None or not set(kept) <= named.keys():
        raise NoNest("an einsum of what is not known")
    gone = [axis for letter, axis in named.items() if letter not in kept]
    whole = Part(tuple(named[letter] for letter in kept), term)
    return Part(whole.axes, reading.reduced(whole, *gone).term)


def norm(reading: Expressions, node: ast.expr, scope: Scope) -> Part:
    """The length of a vector, or the root of the sum of the squares of a matrix."""
    part = reading.part(node, scope, 1)
    reading._no_number(part)
    if not 1 <= len(part.axes) <= 2:
        raise NoNest("a norm of many axes")
    squares = Part(part.axes, Apply("call:squared", (part.term,)))
    return Part((), Apply("call:norm", (reading.reduced(squares, *part.axes).term,)))


def trace(reading: Expressions, node: ast.expr, scope: Scope) -> Part:
    """The sum of the diagonal of a matrix."""
    part = reading.part(node, scope, 2)
    if len(part.axes) != 2:
        raise NoNest("a trace of no matrix")
    first, second = part.axes
    along = reading._matched(Part((second,), part.term), (first,), exact=True)
    return reading.reduced(Part((first,), along), first)
