"""Decays in a term: what every step between a key and a query multiplies the weight of the key by.

A factor of the weights with f(i, i) = 1 and f(i, j) = a(i) f(i - 1, j), written out as a matrix:
``gamma ** (i - j)``, ``exp(c * (i - j))``, ``exp(s[i] - s[j])`` of running sums ``s``; powers of
another number as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.algebra.affine import times
from auditor.algebra.normal import equal, expand
from auditor.algebra.softmax import Opened, exponentiated
from auditor.attention.reading import used_as_number
from auditor.notation import (
    ZERO,
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    definition,
    free_indices,
    substitute,
    walk,
)


@dataclass(frozen=True)
class Decay:
    """What a step multiplies by: ``factor``, the same at every step, or the exponential of
    ``logarithm``, which is read at the place of the query or is the same at every step. What has
    unknown axes and is used as a number may have some: it broadcasts with the weights."""

    factor: Term | None = None
    logarithm: Term | None = None


def decay(power: Term, rows: Index, columns: Index) -> Decay | None:
    """The decay that a factor of the weights of queries at ``rows`` and keys at ``columns`` is."""
    distance = Apply("sub", (rows, columns))
    if isinstance(power, Apply) and power.op == "pow":
        factor, exponent = power.args
        still = used_as_number(factor) or not {rows, columns} & free_indices(expand(factor))
        if still and _equal(exponent, distance, rows, columns):
            return Decay(factor=factor)
    raised = exponential(power)
    if raised is None:
        return None
    exponent, unit = raised
    logarithm = _rate(exponent, distance, rows, columns, unit)
    for sign in (1, -1) if logarithm is None else ():
        signed = exponent if sign > 0 else Apply("neg", (exponent,))
        if (added := _step(signed, rows, columns)) is not None:
            logarithm = _times(sign * unit, added)
    return Decay(logarithm=logarithm) if logarithm is not None else None


def exponential(term: Term) -> tuple[Term, float] | None:
    """``x`` of a power ``b ** x`` of a positive number, and the logarithm of that."""
    inner = exponentiated(term)
    if inner is not None:
        return inner, 1
    if not isinstance(term, Apply):
        return None
    if term.op == "exp2":
        return term.args[0], math.log(2)
    if term.op == "pow" and isinstance(base := term.args[0], Const):
        if isinstance(base.value, (int, float)) and base.value > 0:
            return term.args[1], math.log(base.value)
    return None


def _times(unit: float, term: Term) -> Term:
    if abs(unit) != 1:
        return Apply("mul", (Const(unit), term))
    return term if unit > 0 else Apply("neg", (term,))


def _rate(exponent: Term, distance: Term, rows: Index, columns: Index, unit: float) -> Term | None:
    """``c`` of ``c * (i - j)``, in parts of ``unit``."""
    sign, parts = 1, [exponent]
    still: list[Term] = []
    while parts:
        part = parts.pop()
        if used_as_number(part) or not {rows, columns} & free_indices(part):
            still.append(part)
            continue
        opened = Opened().uncast(part)
        if isinstance(opened, Apply) and opened.op == "neg":
            sign, parts = -sign, [*parts, *opened.args]
        elif isinstance(opened, Apply) and opened.op == "mul":
            parts += opened.args
        elif _equal(opened, distance, rows, columns):
            distance = Const(1)
        elif _equal(Apply("neg", (opened,)), distance, rows, columns):
            sign, distance = -sign, Const(1)
        else:
            return None
    if not still or distance != Const(1):
        return None
    return _times(sign * unit, times(*still))


def _equal(some: Term, other: Term, rows: Index, columns: Index) -> bool:
    """Whether two terms are equal for every query and the keys up to its own place."""
    steps = Index("steps", rows.extent)
    before: dict[Term, Term] = {columns: Apply("sub", (rows, steps))}
    return equal(substitute(expand(some), before), substitute(expand(other), before))


def _step(exponent: Term, rows: Index, columns: Index) -> Term | None:
    """``a[i]`` of ``sum_{j < k <= i} a[k]``, as a difference of running sums."""
    whole = expand(exponent)
    for place, read in _running(exponent, rows):
        added = _uncut(read, columns)
        if added is None:
            continue
        kept = Apply("where", (Apply("le", (place, rows)), expand(added), ZERO))
        total = Reduce("sum", place, kept)
        until = substitute(total, {rows: columns})
        if equal(whole, Apply("sub", (total, until))):
            return substitute(added, {place: rows})
        later = Apply("where", (Apply("gt", (place, columns)), kept, ZERO))
        if added is not read and equal(whole, Reduce("sum", place, later)):
            return substitute(added, {place: rows})
    return None


def _uncut(term: Term, columns: Index) -> Term | None:
    """What is added at all steps, where a mask has zeros at some of each key's."""
    while columns in free_indices(term):
        if isinstance(term, Read) and (inner := definition(term)) is not None:
            term = inner
        elif isinstance(term, Apply) and term.op == "where" and ZERO in term.args[1:]:
            term = term.args[2 if term.args[1] == ZERO else 1]
        else:
            return None
    return term


def _running(term: Term, rows: Index) -> Iterator[tuple[Index, Term]]:
    """What sums in a term add, if not at all places, and the index that they run over."""
    for node in walk(term):
        if isinstance(node, Read):
            inner = definition(node)
            if inner is not None and rows in free_indices(node):
                yield from _running(inner, rows)
        elif isinstance(node, Reduce) and node.op == "sum" and rows in free_indices(node):
            kept = node.body
            while isinstance(kept, Read) and (inner := definition(kept)) is not None:
                kept = inner
            if not isinstance(kept, Apply) or kept.op != "where":
                continue
            if rows not in free_indices(kept.args[1]):
                yield node.index, kept.args[1]
