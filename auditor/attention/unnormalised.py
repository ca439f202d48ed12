"""Attention without softmax in a term: a product of arrays under a triangular mask, summed with
values."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce

from auditor.algebra.normal import equal, expand
from auditor.algebra.softmax import Opened
from auditor.attention.decays import Decay, decay, exponential
from auditor.attention.reading import (
    Attention,
    Scale,
    Score,
    decided,
    minus_infinity,
    used_as_number,
)
from auditor.notation import (
    ONE,
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    definition,
    free_indices,
    transform,
    walk,
)


@dataclass(frozen=True)
class Triangle:
    """The part of the scores that is kept: to ``diagonal`` below, or above with ``upper``;
    ``multiplied`` where the mask is a factor of ones and zeros, ``filled`` where the rest is a zero
    of a type of its own. ``masks`` are the arrays that say what is kept; with a ``decay`` it is
    multiplied by what decays from each key to each query, ``replaced`` by zero where it is NaN;
    with ``growing`` it grows in the other direction, up to infinity, and ``fading`` says that the
    mask is what is left of a decay below 1 after infinitely many steps."""

    diagonal: int
    upper: bool
    multiplied: bool = False
    filled: bool = False
    masks: tuple[Value, ...] = ()
    decay: Decay | None = None
    replaced: bool = False
    growing: bool = False
    fading: bool = False


def _summed_product(value: Value) -> tuple[Index, tuple[Term, ...], Opened] | None:
    """What a sum of products of two factors runs over, the factors, and what was opened for it."""
    total, opened = value.body, Opened()
    if not isinstance(total, Reduce) or total.op != "sum":
        return None
    product = opened.open(total.body)
    if isinstance(product, Reduce) and product.op == "sum":
        return _regrouped(value, (total.index, product.index), product.body, opened)
    if not isinstance(product, Apply) or product.op != "mul" or len(product.args) != 2:
        return None
    return total.index, product.args, opened


def _regrouped(
    value: Value, summed: tuple[Index, Index], product: Term, opened: Opened
) -> tuple[Index, tuple[Term, ...], Opened] | None:
    """A product of all factors that is summed over two indices at once, with the sum of queries
    and keys inside: ``sum_d sum_j q[i, d] k[j, d] w[i, j] v[j, e]``."""
    factors = _factors(product)
    for columns, inner in (summed, summed[::-1]):
        scores = [f for f in factors if inner in free_indices(f)]
        others = [f for f in factors if inner not in free_indices(f)]
        if len(scores) != 2:
            continue
        one, other = map(free_indices, scores)  # what one of them alone has is a query's or a key's
        values = [f for f in others if columns in free_indices(f)
                  and free_indices(f) & {*value.axes} - (one | other)
                  and not free_indices(f) & {*value.axes} & (one ^ other)]  # fmt: skip
        if len(values) != 1:
            continue
        beside = [factor for factor in others if factor is not values[0]]
        weights = _product([Reduce("sum", inner, _product(scores)), *beside])
        return columns, (weights, values[0]), opened
    return None


def _factors(product: Term) -> list[Term]:
    """What is multiplied, from left to right."""
    factors, waiting = list[Term](), [product]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Apply) and part.op == "mul":
            waiting += part.args[::-1]
        else:
            factors.append(part)
    return factors


def _product(factors: list[Term]) -> Term:
    return reduce(lambda left, right: Apply("mul", (left, right)), factors)


def triangular(value: Value) -> tuple[Attention, Triangle] | None:
    """What ``value`` sums: ``sum_j [j <= i] (sum_d q[i, d] k[j, d]) v[j, e]``."""
    summed = _summed_product(value)
    if summed is None:
        return None
    columns, factors, opened = summed
    for weights, values in (factors, factors[::-1]):
        if not isinstance(values, Read) or columns not in free_indices(weights):
            continue
        mine = Opened(dict(opened.values))
        found = _Weights(columns, mine).read(weights)
        if found is None:
            continue
        if found.score is None:
            continue
        attention = _attention(value, weights, values, columns, found.score, mine)
        if attention is None:
            continue
        triangle = _triangle(found.masks, attention.rows, columns)
        if triangle is None:
            continue
        triangle = replace(
            triangle,
            multiplied=found.multiplied,
            filled=found.filled,
            masks=tuple(found.arrays),
        )
        if not found.powers:
            return attention, triangle
        decays = [decay(power, attention.rows, columns) for power in found.powers]
        if len(decays) == 1 and decays[0] is not None and not (triangle.diagonal or triangle.upper):
            growing = not (found.cut or _bounded(found.powers[0], columns))
            return attention, replace(
                triangle,
                decay=decays[0],
                replaced=found.replaced,
                growing=growing,
                fading=found.fading,
            )
    return None


def running(value: Value) -> tuple[Attention, Triangle] | None:
    """The same with the sums the other way round: what ``value`` reads is a running sum of outer
    products, ``sum_d q[i, d] (sum_j [j <= i] k[j, d] v[j, e])``."""
    total, opened = value.body, Opened()
    for query, memory in _pairs(total, opened):
        mine = Opened(dict(opened.values))
        kept = mine.open(memory)
        if not isinstance(kept, Reduce) or kept.op != "sum":
            continue
        masked, columns = mine.open(kept.body), kept.index
        if not isinstance(masked, Apply) or masked.op != "where" or not _zero(masked.args[2]):
            continue
        outer = mine.open(masked.args[1])
        if not isinstance(outer, Apply) or outer.op != "mul" or len(outer.args) != 2:
            continue
        assert isinstance(total, Reduce)
        for key, values in (outer.args, outer.args[::-1]):
            score = Score(query, key, total.index)
            weights = Apply("mul", (query, key))
            if {columns, total.index} <= free_indices(key) and isinstance(values, Read):
                attention = _attention(value, weights, values, columns, score, mine)
                if attention is None or columns not in free_indices(values):
                    continue
                triangle = _triangle([(masked.args[0], True)], attention.rows, columns)
                if triangle is not None and columns not in free_indices(query):
                    return attention, triangle
    return None


def _pairs(total: Term | None, opened: Opened) -> list[tuple[Term, Term]]:
    """The two factors that are summed over, in either order."""
    if not isinstance(total, Reduce) or total.op != "sum":
        return []
    product = opened.open(total.body)
    if not isinstance(product, Apply) or product.op != "mul" or len(product.args) != 2:
        return []
    first, second = product.args
    reads = total.index in free_indices(first) and total.index in free_indices(second)
    return [(first, second), (second, first)] if reads else []


def cut(value: Value) -> str | None:
    """Which part of a product of two matrices a mask keeps: one ``triangle`` or ``blocks`` on the
    diagonal; None where it is no such thing."""
    if value.body is None or len(value.axes) < 2 or any(a.group for a in value.axes[-2:]):
        return None
    rows, columns = value.axes[-2:]
    found = _Weights(columns, Opened()).read(value.body)
    if found is None or rows not in free_indices(found.score.query if found.score else ONE):
        return None
    if _triangle(found.masks, rows, columns) is not None:
        return "triangle"
    ((condition, keeps), *more) = found.masks
    return "blocks" if keeps and not more and _blocks(condition, rows, columns) else None


def masked_factor(value: Value) -> str | None:
    """Which part of a factor of a product is not zero, ``sum_j [j <= i] w[i, j] x[j, e]``: one
    ``triangle`` or ``blocks`` on the diagonal; None where it is no such thing."""
    summed = _summed_product(value)
    if summed is None:
        return None
    columns, factors, _ = summed
    for factor in factors:
        rows = [axis for axis in value.axes if axis in free_indices(factor) and not axis.group]
        weights = _Weights(columns, Opened())
        kept = weights.masked(factor)
        if not rows or kept is None or not isinstance(kept, (Read, Reduce)):
            continue  # of a computed one the computing could be left out as well
        if _triangle(weights.masks, rows[-1], columns) is not None:
            return "triangle"
        ((condition, keeps), *more) = weights.masks
        if keeps and not more and _blocks(condition, rows[-1], columns):
            return "blocks"
    return None


def _blocks(condition: Term, rows: Index, columns: Index) -> bool:
    """Whether a condition holds where both places lie in the same block of so many."""
    opened = Opened()
    condition = opened.open(condition)
    if not isinstance(condition, Apply) or condition.op != "eq":
        return False
    sides = [_expanded(arg) for arg in condition.args]
    if not all(isinstance(side, Apply) and side.op == "floordiv" for side in sides):
        return False
    (one, size), (other, again) = (side.args for side in sides if isinstance(side, Apply))
    return {one, other} == {rows, columns} and size is again and size is not ONE


def _expanded(term: Term) -> Term:
    return transform(
        term,
        lambda node: (
            _expanded(body)
            if isinstance(node, Read) and (body := definition(node)) is not None
            else node
        ),
    )


def _attention(
    value: Value, weights: Term, values: Term, columns: Index, score: Score, opened: Opened
) -> Attention | None:
    spans = free_indices(values)
    mine = free_indices(weights)
    channels = [a for a in value.axes if a in spans and a not in mine and not a.group][-1:]
    rows = [
        a for a in value.axes
        if a in free_indices(score.query) and a not in free_indices(score.key) | spans
        and not a.group
    ][-1:]  # fmt: skip
    if not rows or not channels:
        return None
    batch = tuple(axis for axis in value.axes if axis not in (rows[0], channels[0]))
    known = {*batch, rows[0], columns, score.inner}
    reads = free_indices(score.query) | free_indices(score.key)
    if not reads <= known or not spans <= {*batch, columns, channels[0]}:
        return None
    casts, opened.casts = opened.casts, []
    return Attention(score, values, rows[0], columns, channels[0], batch, opened, [], casts)


class _Weights:
    """Reads scores: one contraction, numbers that scale it, masks that keep some of it."""

    def __init__(self, columns: Index, opened: Opened) -> None:
        self.columns, self.opened = columns, opened
        self.masks: list[tuple[Term, bool]] = []
        self.multiplied = self.filled = self.replaced = self.cut = self.fading = False
        self.arrays: list[Value] = []
        self.powers: list[Term] = []
        self.scales: list[Scale] = []
        self.score: Score | None = None

    def read(self, term: Term) -> _Weights | None:
        while self.score is None:
            term = self.opened.open(term)
            if isinstance(term, Apply) and term.op.startswith(("cast:float", "cast:bfloat")):
                self.opened.casts.append(term.op[5:])
                term = term.args[0]
                continue
            inner = self._step(term)
            if inner is None:
                return None
            term = inner
        return self if self.masks else None

    def masked(self, term: Term) -> Term | None:
        """What the masks are put on, if there are any, whatever it is."""
        while True:
            term = self.opened.open(term)
            inner = self._step(term)
            if inner is None or inner is term:
                return term if self.masks else None
            term = inner

    def _step(self, term: Term) -> Term | None:
        if isinstance(term, Reduce):
            return self._contraction(term)
        if not isinstance(term, Apply):
            return None
        if term.op == "where":
            condition, then, otherwise = term.args
            for keeps, left, rest in ((True, then, otherwise), (False, otherwise, then)):
                if _zero(rest):
                    inner, positive = _indicator(condition) or (condition, True)
                    self.masks.append((inner, keeps is positive))
                    self.filled = not isinstance(rest, Const) or isinstance(rest.value, float)
                    self.arrays += [n.value for n in walk(condition) if isinstance(n, Read)]
                    return left
            return None
        if term.op in ("mul", "div") and len(term.args) == 2:
            first, second = term.args
            if used_as_number(second):
                self.scales.append(Scale(second, term.op == "div"))
                return first
            if term.op == "div":
                return None
            if used_as_number(first):
                self.scales.append(Scale(first))
                return second
            for one, other in ((first, second), (second, first)):
                kept = _indicator(other)
                if kept is not None:
                    self.masks.append(kept)
                    self.multiplied = True
                    self.arrays += [n.value for n in walk(other) if isinstance(n, Read)]
                    return one
            for one, other in ((first, second), (second, first)):
                if self._decays(other):
                    self.multiplied = True
                    self.arrays += [n.value for n in walk(other) if isinstance(n, Read)]
                    return one
        return None

    def _decays(self, factor: Term) -> bool:
        """Reads a matrix of powers or exponentials, masked inside or outside of these."""
        opened, masks = Opened(), list[tuple[Term, bool]]()
        while True:
            factor = opened.uncast(factor)
            if not isinstance(factor, Apply):
                return False
            if exponential(factor) is not None or factor.op == "pow":
                break
            if factor.op == "call:nan_to_num" and len(factor.args) == 1:
                factor, self.replaced, self.fading = factor.args[0], True, True
                continue
            number = _not_nan(factor)
            if number is not None:
                factor, self.replaced = number, True
                continue
            kept = _kept(factor) or _multiplied(factor)
            if kept is None:
                return False
            factor, mask = kept
            masks.append(mask)
        raised = exponential(factor)
        inside = opened.uncast(raised[0]) if raised is not None and raised[1] > 0 else ONE
        while (kept := _kept(inside, "infinite")) is not None:
            inside, mask = opened.uncast(kept[0]), kept[1]
            masks.append(mask)
            self.cut = True
            factor = Apply(factor.op, (*factor.args[:-1], inside))
        if (faded := _faded(factor)) is not None:
            factor, mask = faded
            masks.append(mask)
            self.fading = self.cut = True
        self.masks += masks
        self.powers.append(factor)
        return True

    def _contraction(self, term: Reduce) -> Term | None:
        product = self.opened.open(term.body)
        if term.op != "sum" or not isinstance(product, Apply) or product.op != "mul":
            return None
        factors = _factors(product)
        outside = [factor for factor in factors if term.index not in free_indices(factor)]
        inside = [factor for factor in factors if term.index in free_indices(factor)]
        if outside and inside:  # the same for all entries of queries and keys
            return _product([Reduce("sum", term.index, _product(inside)), *outside])
        if len(product.args) != 2:
            return None
        keys = [a for a in product.args if self.columns in free_indices(a)]
        queries = [a for a in product.args if self.columns not in free_indices(a)]
        if len(keys) != 1 or len(queries) != 1:
            return None
        if not all(term.index in free_indices(a) for a in product.args):
            return None
        self.score = Score(queries[0], keys[0], term.index, tuple(self.scales))
        return term


def _bounded(power: Term, columns: Index) -> bool:
    """Whether the distances in a power are bounded, those above the diagonal by zero."""
    return any(
        isinstance(node, Apply) and node.op in ("max", "min", "abs")
        and columns in free_indices(node)
        for node in walk(expand(power))
    )  # fmt: skip


def _faded(power: Apply) -> tuple[Apply, tuple[Term, bool]] | None:
    """The power of a number below 1, or the exponential of a multiple of one below 0, which is zero
    where the exponent is infinite, and where it is not."""
    opened = Opened()
    raised = exponential(power)
    factors = [opened.uncast(factor) for factor in _factors(opened.uncast(power.args[-1]))]
    for place, factor in enumerate(factors):
        if (kept := _kept(factor, "unending")) is not None:
            rest = [*factors[:place], *factors[place + 1 :]]
            if raised is not None and _not_negative([*rest, Const(raised[1])]):
                return None
            return Apply(power.op, (*power.args[:-1], _product([kept[0], *rest]))), kept[1]
    return None


def _not_negative(factors: list[Term]) -> bool:
    """Whether numbers that are written down are multiplied, and their product is not below
    0."""
    numbers = [factor.value for factor in factors if isinstance(factor, Const)]
    told = [number for number in numbers if isinstance(number, (int, float))]
    return len(told) == len(factors) and math.prod(told) >= 0


_RESTS: dict[str, Callable[[Term], bool]] = {
    "zero": lambda term: _zero(term),
    "infinite": lambda term: minus_infinity(term) == "infinite",
    "unending": lambda term: minus_infinity(Apply("neg", (term,))) == "infinite",
}


def _kept(term: Term, rest: str = "zero") -> tuple[Term, tuple[Term, bool]] | None:
    """What is kept where a condition holds, or does not, and the ``rest`` is zero, or one of the
    infinities."""
    if not isinstance(term, Apply) or term.op != "where":
        return None
    condition, then, otherwise = term.args
    for keeps, left, other in ((True, then, otherwise), (False, otherwise, then)):
        if _RESTS[rest](other):
            inner, positive = _indicator(condition) or (condition, True)
            return left, (inner, keeps is positive)
    return None


def _not_nan(term: Apply) -> Term | None:
    """What has zeros in the place of what is NaN."""
    if term.op != "where" or not _zero(term.args[1]):
        return None
    condition, _, number = term.args
    asked = definition(condition) if isinstance(condition, Read) else condition
    same = isinstance(asked, Apply) and asked.op == "ne" and asked.args == (number, number)
    return number if same else None


def _multiplied(term: Apply) -> tuple[Term, tuple[Term, bool]] | None:
    """What is multiplied by 1 where a condition holds, and by 0 elsewhere."""
    if term.op != "mul" or len(term.args) != 2:
        return None
    for one, other in (term.args, term.args[::-1]):
        kept = _indicator(other)
        if kept is not None:
            return one, kept
    return None


def _zero(term: Term) -> bool:
    term = Opened().uncast(term) if isinstance(term, Apply) else term
    while isinstance(term, Read) and term.value.body is not None:
        term = term.value.body
    return isinstance(term, Const) and term.value in (0, False)


def _one(term: Term) -> bool:
    while isinstance(term, Read) and term.value.body is not None:
        term = term.value.body
    return term is ONE or (isinstance(term, Const) and term.value in (1, True))


def _indicator(term: Term) -> tuple[Term, bool] | None:
    """The condition under which a factor is 1, where it is 0 otherwise."""
    opened = Opened()
    while True:
        term = opened.open(term)
        if isinstance(term, Apply) and term.op.startswith("cast:"):
            term = term.args[0]
            continue
        break
    if not isinstance(term, Apply):
        return None
    if term.op in ("le", "lt", "ge", "gt", "eq"):
        return term, True
    if term.op == "where":
        condition, then, otherwise = term.args
        if _one(then) and _zero(otherwise):
            return condition, True
        if _zero(then) and _one(otherwise):
            return condition, False
    return None


def _triangle(masks: list[tuple[Term, bool]], rows: Index, columns: Index) -> Triangle | None:
    """The triangle that one mask keeps."""
    if len(masks) != 1:
        return None
    condition, keeps = masks[0]
    kept = Apply("where", (decided(condition), Const(1 if keeps else 0), Const(0 if keeps else 1)))
    for upper in (False, True):
        for diagonal in (0, 1 if upper else -1):
            edge = Apply("add", (rows, Const(diagonal))) if diagonal else rows
            inside = Apply("ge" if upper else "le", (columns, edge))
            if equal(kept, Apply("where", (inside, Const(1), Const(0)))):
                return Triangle(diagonal, upper)
    return None
