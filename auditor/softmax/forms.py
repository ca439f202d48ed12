"""Which softmax a value is, proven: softmax, log-softmax or log-sum-exp, of what scores, over which
axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from auditor.algebra.flat_sums import apart, is_flat, unflattened
from auditor.algebra.normal import expand
from auditor.algebra.softmax import (
    Opened,
    exponentiated,
    exponents,
    log_mean,
    log_sum,
    over,
    proven_equal,
    renamings,
    unshifted,
)
from auditor.notation import Apply, Index, Read, Term, Value, substitute

_OUTERMOST = 3


@dataclass(frozen=True)
class SoftmaxForm:
    """``kind`` of ``scores`` over ``axes``, which are axes of the scores; ``mean`` says that the
    exponentials are averaged, not added up."""

    kind: str
    scores: Term
    axes: tuple[Index, ...]
    shifted: bool
    opened: Opened
    plain: Term
    mean: bool = False


def softmax_form(value: Value) -> SoftmaxForm | None:
    """What ``value`` is, proven, or None. Raises ``TooLarge``."""
    body = value.body
    assert body is not None
    opened = Opened()
    # Each softmax of a softmax lies one deeper: what a value is, its outermost ones say.
    for found, bound in islice(exponents(body, opened), _OUTERMOST):
        if len(bound) == 1 and is_flat(bound[0]) and (parts := apart(bound[0], found)) is not None:
            value, bound, found = replace(value, body=unflattened(expand(body))), *parts
        for form in _candidates(value, found, bound, opened):
            return form
    return None


def _candidates(
    value: Value, found: Term, bound: tuple[Index, ...], opened: Opened
) -> Iterator[SoftmaxForm]:
    assert value.body is not None
    probe = Opened()
    shorter = unshifted(found, bound, probe)
    scores = shorter
    shifted = shorter is not found
    for renamed in renamings(bound, value.axes):
        axes: tuple[Index, ...] = tuple(renamed.values())  # type: ignore[arg-type]
        here, plain = (substitute(term, renamed) for term in (scores, found))
        share = Apply("div", (Apply("exp", (here,)), over(here, axes)))
        log = Apply("sub", (here, log_sum(here, axes)))
        for kind, definition in (("softmax", share), ("log_softmax", log)):
            if proven_equal(value.body, definition, here):
                yield SoftmaxForm(kind, here, axes, shifted, opened, plain)
                return
    free = tuple(Index(index.name, index.extent, index.group) for index in bound)
    renamed = dict(zip(bound, free, strict=True))
    here, plain = (substitute(term, renamed) for term in (scores, found))
    if proven_equal(value.body, log_sum(here, free), here):
        yield SoftmaxForm("logsumexp", here, free, shifted, opened, plain)
    elif isinstance(plain, Read) and proven_equal(value.body, log_sum(plain, free), plain):
        # Scores that were shifted before they were named; the shift meets another of its kind.
        yield SoftmaxForm("logsumexp", plain, free, False, opened, plain)
    elif proven_equal(value.body, log_mean(here, free), here):
        yield SoftmaxForm("logsumexp", here, free, shifted, opened, plain, mean=True)


def exponential(value: Value) -> bool:
    """Whether a value is made of exponentials that the rewrite is to spare."""
    seen: set[Term] = set()
    stack: list[Term] = [value.body] if value.body is not None else []
    while stack:
        term = stack.pop()
        if term in seen or len(seen) > 200:
            continue
        seen.add(term)
        if isinstance(term, Apply):
            if exponentiated(term) is not None:
                return True
            stack.extend(term.args)
        elif isinstance(term, Read) and term.value.body is not None:
            stack.append(term.value.body)
        elif hasattr(term, "body") and isinstance(term.body, Term):
            stack.append(term.body)
    return False
