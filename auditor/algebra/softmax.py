"""Recognising softmax, log-softmax and log-sum-exp in any spelling.

A term is read for an exponential that depends on the axis; what is subtracted from its exponent
and does not depend on the axis is dropped (a maximum, a mean, a log-sum-exp: every shift cancels);
then equality with the definition is proven by normal forms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from auditor.algebra.normal import equal, expand, expanded_size
from auditor.notation import (
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    definition,
    free_indices,
    refresh,
    substitute,
    walk,
)

_LOOSE = ("cast:float", "cast:bfloat", "cast:like")
_WIDE = ("cast:float", "cast:float32", "cast:float64")
_ROUNDING = ("cast:float16", "cast:bfloat16")


@dataclass
class Opened:
    """Definitions looked into, in the order in which they were met, and the roundings passed."""

    values: dict[Value, None] = field(default_factory=dict)
    casts: list[str] = field(default_factory=list)
    dropouts: list[Apply] = field(default_factory=list)

    def open(self, term: Term) -> Term:
        """``term`` through the names and views it is read by."""
        while isinstance(term, Read):
            inner = definition(term)
            if inner is None:
                return term
            self.values[term.value] = None
            term = inner
        return term

    def uncast(self, term: Term) -> Term:
        """``term`` through names, views and casts between floating types, but for one that a wider
        type is made of at once: that rounds, and does nothing else."""
        term, widened = self.open(term), False
        while isinstance(term, Apply) and term.op.startswith(_LOOSE):
            if widened and term.op.startswith(_ROUNDING):
                break
            widened = widened or term.op in _WIDE
            self.casts.append(term.op[5:])
            term = self.open(term.args[0])
        return term


def independent(term: Term, *axes: Index) -> bool:
    """Whether a term certainly depends on none of ``axes``."""
    return free_indices(term).isdisjoint(axes) or free_indices(expand(term)).isdisjoint(axes)


def exponentiated(term: Term) -> Term | None:
    """``x`` of ``exp(x)``, which ``math.e ** x`` is too."""
    if not isinstance(term, Apply):
        return None
    if term.op == "pow":
        return term.args[1] if term.args[0] == Const(math.e) else None
    return term.args[0] if term.op == "exp" else None


def exponent(term: Term, index: Index, opened: Opened) -> Term | None:
    """``x`` of the one ``exp(x)`` that makes ``term`` depend on ``index``."""
    term = opened.uncast(term)
    while isinstance(term, Apply) and term.op == "call:dropout":
        opened.dropouts.append(term)
        term = opened.uncast(term.args[0])
    if not isinstance(term, Apply):
        return None
    inner = exponentiated(term)
    if inner is not None:
        return inner
    if term.op == "div":
        return exponent(term.args[0], index, opened)
    if term.op == "mul":
        moving = [arg for arg in term.args if not independent(arg, index)]
        return exponent(moving[0], index, opened) if len(moving) == 1 else None
    return None


def _leaves(term: Term) -> set[Value]:
    """The arrays that a term is computed from."""
    return {node.value for node in walk(expand(term)) if isinstance(node, Read) and node.subs}


def is_shift(term: Term, scores: Term) -> bool:
    """Whether an addend that does not move along the axis may be dropped: a small number, or
    something computed from the scores, as their maximum is. Another array may hold numbers so
    large that adding them rounds the scores away."""
    if isinstance(term, Const):
        return isinstance(term.value, (int, float)) and abs(term.value) <= 1e3
    return bool(_leaves(term) & _leaves(scores))


def unshifted(term: Term, axes: tuple[Index, ...], opened: Opened) -> Term:
    """``term`` without the addends that depend on none of ``axes``, as deep as they are found."""
    probe = Opened()
    inner = probe.uncast(term)
    found = term
    if isinstance(inner, Apply) and inner.op in ("sub", "add"):
        kept = [position for position, arg in enumerate(inner.args)
                if not independent(arg, *axes)]  # fmt: skip
        rest = [arg for position, arg in enumerate(inner.args) if position not in kept]
        if len(kept) == 1 and not all(is_shift(arg, inner.args[kept[0]]) for arg in rest):
            return found
        if len(kept) == 1 and not (inner.op == "sub" and kept[0] == 1):
            found = unshifted(inner.args[kept[0]], axes, probe)
            opened.values.update(probe.values)
            opened.casts.extend(probe.casts)
        elif len(kept) == 1:
            found = Apply("neg", (inner.args[1],))
            opened.values.update(probe.values)
    elif isinstance(inner, Apply) and inner.op in ("mul", "div", "neg"):
        found = _scaled(term, inner, axes, opened, probe)
    return found


def _scaled(
    term: Term, inner: Apply, axes: tuple[Index, ...], opened: Opened, probe: Opened
) -> Term:
    """A multiple of something shifted: the shift is dropped inside the multiple."""
    kept = [p for p, arg in enumerate(inner.args) if not independent(arg, *axes)]
    if len(kept) != 1 or (inner.op == "div" and kept[0] == 1):
        return term
    arg = inner.args[kept[0]]
    rest = unshifted(arg, axes, probe)
    if rest is arg:
        return term
    opened.values.update(probe.values)
    args = tuple(rest if p == kept[0] else other for p, other in enumerate(inner.args))
    return Apply(inner.op, args)


def over(term: Term, axes: tuple[Index, ...]) -> Term:
    """The sum over ``axes`` of exp(term)."""
    bound = [Index(axis.name, axis.extent, axis.group) for axis in axes]
    renamed: dict[Term, Term] = dict(zip(axes, bound, strict=True))
    total: Term = Apply("exp", (substitute(refresh(term), renamed),))
    for index in reversed(bound):
        total = Reduce("sum", index, total)
    return total


def _stops(term: Term) -> frozenset[Value]:
    """The values that ``term`` reads: equality is proven without looking into them."""
    return frozenset(read.value for read in _reads(term))


def _reads(term: Term) -> Iterator[Read]:
    for node in walk(term):
        if isinstance(node, Read) and node.subs:
            yield node


def softmax_scores(term: Term, index: Index, opened: Opened) -> Term | None:
    """``x`` where ``term`` is softmax(x) over ``index``, read at ``index``; else None."""
    found = exponent(term, index, opened)
    if found is None:
        return None
    scores = unshifted(found, (index,), opened)
    share = Apply("div", (Apply("exp", (scores,)), over(scores, (index,))))
    return scores if proven_equal(_rounded(term), share, scores) else None


def _rounded(term: Term) -> Term:
    """``term`` without the roundings and dropouts at its root."""
    inner = Opened().uncast(term)
    while isinstance(inner, Apply) and inner.op == "call:dropout":
        inner = Opened().uncast(inner.args[0])
    return inner


def exponents(term: Term, opened: Opened) -> Iterator[tuple[Term, tuple[Index, ...]]]:
    """Exponents under a sum over some axes, anywhere in ``term``, with these."""
    stack = [term]
    seen: set[Term] = set()
    while stack:
        node = opened.open(stack.pop())
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, Reduce) and node.op == "sum":
            summed, axes = _summed(node, opened)
            inner = exponentiated(opened.uncast(summed))
            if inner is not None:
                yield inner, axes
            continue
        if isinstance(node, Apply):
            stack.extend(reversed(node.args))


def _summed(term: Reduce, opened: Opened) -> tuple[Term, tuple[Index, ...]]:
    """What sums of sums add up, and over which axes."""
    axes = [term.index]
    while True:
        body = opened.uncast(term.body)
        if not (isinstance(body, Reduce) and body.op == "sum"):
            return term.body, tuple(axes)
        term = body
        axes.append(term.index)


def renamings(bound: tuple[Index, ...], axes: tuple[Index, ...]) -> Iterator[dict[Term, Term]]:
    """The ways in which ``bound`` may be so many of ``axes``, which run over the same."""
    same = ([axis for axis in axes if axis.group == index.group and axis.extent is index.extent]
            for index in bound)  # fmt: skip
    for chosen in product(*same):
        if len(set(chosen)) == len(bound):
            yield dict(zip(bound, chosen, strict=True))


def log_sum(scores: Term, axes: tuple[Index, ...]) -> Term:
    return Apply("log", (over(scores, axes),))


def log_mean(scores: Term, axes: tuple[Index, ...]) -> Term:
    count = axes[0].extent if len(axes) == 1 else Apply("mul", tuple(a.extent for a in axes))
    return Apply("log", (Apply("div", (over(scores, axes), count)),))


# Softmaxes of softmaxes double with each; hand-written ones have some dozens of operations.
_LARGEST = 1_000


def proven_equal(term: Term, other: Term, scores: Term) -> bool:
    """Equality by normal forms, first without looking into what ``scores`` reads."""
    stop = _stops(scores)
    if expanded_size(term, stop) > _LARGEST:
        return False
    if equal(expand(term, stop), other, stop=stop):
        return True
    return expanded_size(term) <= _LARGEST and equal(term, other)
