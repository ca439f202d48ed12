"""Exponentials that are multiplied before they are divided by their sum: a softmax with weights.

    e_j m_j / sum_k e_k m_k = softmax(s + log m)_j     where no m is negative

A mask of zeros and ones is such a factor.
"""

from __future__ import annotations

from auditor.algebra.softmax import exponentiated
from auditor.notation import Apply, Index, Read, Reduce, Term, Value


def weighted(value: Value) -> bool:
    """Whether ``value`` is an array of weighted exponentials over its own sum along one axis."""
    body = value.body
    if not (isinstance(body, Apply) and body.op == "div"):
        return False
    above, below = body.args
    if not isinstance(above, Read) or not isinstance(below, Read):
        return False
    total = below.value.body
    if not (isinstance(total, Reduce) and total.op == "sum" and isinstance(total.body, Read)):
        return False
    summed = total.body
    return (
        summed.value is above.value
        and total.index in summed.subs
        and _in_order(summed)
        and _in_order(above)
        and _weights(above.value)
    )


def _in_order(read: Read) -> bool:
    """Whether all axes are read, each at an index of its own."""
    return all(isinstance(sub, Index) for sub in read.subs) and len(set(read.subs)) == len(
        read.subs
    )


def _weights(value: Value) -> bool:
    """Whether a value is one exponential times what holds none."""
    body = None if value.body is None else behind_names(value.body)
    if not (isinstance(body, Apply) and body.op == "mul" and len(body.args) == 2):
        return False
    parts = [behind_names(arg) for arg in body.args]
    nested = any(isinstance(part, Apply) and part.op in ("div", "mul") for part in parts)
    return not nested and sum(exponentiated(part) is not None for part in parts) == 1


def behind_names(term: Term) -> Term:
    """What a term reads, as far as names go."""
    while isinstance(term, Read) and term.value.body is not None:
        term = term.value.body
    return term
