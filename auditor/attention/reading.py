"""Attention in a term: what a weighted sum over keys is made of.

``attention`` reads ``y = sum_j softmax_j(score(i, j)) v(j, e)`` off a term, whatever its spelling,
and ``score`` off its exponent: a contraction of two arrays, numbers that scale it, and what was
added to it or put in place of some of its elements, each with the condition under which it happens.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from auditor.algebra.normal import equal, expand
from auditor.algebra.softmax import (
    Opened,
    exponent,
    independent,
    is_shift,
    over,
    proven_equal,
    softmax_scores,
    unshifted,
)
from auditor.algebra.subterms import element
from auditor.attention.slices import sliced
from auditor.lift.extents import canonical
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
    substitute,
    transform,
)

_LARGE = -1e4
_VERY_LARGE = -1e8


@dataclass(frozen=True)
class Guard:
    """A condition of the program, not of the indices, and the branch taken."""

    condition: Term
    holds: bool


@dataclass(frozen=True)
class Scale:
    """A number that the scores were multiplied by, or divided by."""

    term: Term
    divides: bool = False


@dataclass(frozen=True)
class Added:
    """``term`` was added to the scores (subtracted with ``sign`` -1), and multiplied by numbers
    together with them."""

    term: Term
    sign: int = 1
    guards: tuple[Guard, ...] = ()
    at: Value | None = None
    scales: tuple[Scale, ...] = ()


@dataclass(frozen=True)
class Filled:
    """Where ``condition`` equals ``where`` the scores were replaced by ``fill``; ``finite`` unless
    that is minus infinity."""

    condition: Term
    where: bool
    fill: Term
    finite: bool
    guards: tuple[Guard, ...] = ()
    at: Value | None = None


@dataclass(frozen=True)
class Score:
    """scale * sum_d q k, then masks in the order in which they were applied."""

    query: Term
    key: Term
    inner: Index
    scales: tuple[Scale, ...] = ()
    masks: tuple[Added | Filled, ...] = ()


@dataclass
class Attention:
    """The parts of a weighted sum. ``rows`` and ``columns`` are the indices of queries and keys,
    ``channel`` that of the values, ``batch`` the other axes of the result; ``growing`` where the
    code takes the keys up to each query's place, or around it, which a mask says here; ``supposed``
    are pairs of extents that are one then, ``lengths`` those of keys and queries where a query
    beyond the keys would have none. ``single`` where there is one query, without an axis: then
    ``rows`` is an axis of one element, which the result may have or only the kernel sees."""

    score: Score
    values: Term
    rows: Index
    columns: Index
    channel: Index
    batch: tuple[Index, ...]
    opened: Opened
    weight_casts: list[str] = field(default_factory=list)
    score_casts: list[str] = field(default_factory=list)
    growing: bool = False
    supposed: tuple[tuple[Term, Term], ...] = ()
    lengths: tuple[Term, Term] | None = None
    single: bool = False


def attention(value: Value) -> Attention | None:
    """The attention that ``value`` is, at its root, or None."""
    found = _weighted(value)
    if found is None:
        return None
    weights, values, columns, opened, share = found
    if share:
        scores = _shared_scores(weights, columns, opened)
    else:
        scores = softmax_scores(weights, columns, opened)
    if scores is None:
        return None
    weight_casts, opened.casts = opened.casts, []
    spans = free_indices(values)
    mine = free_indices(weights.args[0] if share and isinstance(weights, Apply) else weights)
    # Batches that only the values have come before the channels.
    channels = [axis for axis in value.axes
                if axis in spans and axis not in mine and not axis.group][-1:]  # fmt: skip
    if not channels:
        return None
    score = _Reader(columns, opened).read(scores)
    if score is None:
        return None
    around = _around(value, score, values, columns)
    if around is not None:
        score, values, columns, spans = around.score, around.values, around.columns, around.spans
    query, key = score.query, score.key
    # The queries' axis is one that neither the keys nor the values have: of several (heads that
    # share their keys) the last one of the weights.
    rows = [
        axis
        for axis in (weights.subs if isinstance(weights, Read) else value.axes)
        if isinstance(axis, Index)
        and axis in value.axes
        and axis in free_indices(query)
        and axis not in free_indices(key) | spans
        and not axis.group
    ][-1:]
    single = not rows
    if single:
        mine = free_indices(query) | free_indices(key) | spans
        one = [axis for axis in value.axes if axis.extent is ONE and axis not in mine]
        rows = one if len(one) == 1 else [Index("query", ONE)]
    batch = tuple(axis for axis in value.axes if axis not in (rows[0], channels[0]))
    known = {*batch, rows[0], columns, score.inner}
    if not (free_indices(query) | free_indices(key) <= known):
        return None
    if not spans <= {*batch, columns, channels[0]}:
        return None
    parts = Attention(
        score, values, rows[0], columns, channels[0], batch, opened, weight_casts, opened.casts,
        single=single,
    )  # fmt: skip
    if around is not None:
        parts.growing, parts.supposed = True, around.supposed
        parts.lengths = around.lengths
    return parts


@dataclass(frozen=True)
class _Around:
    """Scores, values and columns where all keys are taken, under a mask."""

    score: Score
    values: Read
    columns: Index
    supposed: tuple[tuple[Term, Term], ...]
    lengths: tuple[Term, Term] | None

    @property
    def spans(self) -> frozenset[Index]:
        return free_indices(self.values)


def _around(value: Value, score: Score, values: Term, columns: Index) -> _Around | None:
    """Keys that are taken as a slice around the query's own place (``k[: i + 1]``), as all keys
    under a mask; None where they are others."""
    moving = free_indices(expand(columns.extent))
    rows = [axis for axis in value.axes if axis in moving and axis in free_indices(score.query)]
    if len(rows) != 1 or columns.extent is rows[0].extent:
        return None
    key, weighted, query = (_at_places(term) for term in (score.key, values, score.query))
    if key is None or weighted is None or query is None:
        return None
    taken = sliced((key, weighted), rows[0], columns)
    own = next((axis.extent for sub, axis in _places(query) if sub is rows[0]), None)
    if taken is None or own is None or not taken.conditions:
        return None
    every = Index(columns.name, taken.length)
    place = Index(rows[0].name, own)
    kept = Value("kept", (place, taken.place), taken.condition(rows[0], place), "bool")
    mask = Filled(Read(kept, (rows[0], every)), False, Const(float("-inf")), False)
    key, weighted = (
        Read(read.value, tuple(every if columns in free_indices(sub) else sub for sub in read.subs))
        for read in (key, weighted)
    )
    score = replace(score, query=query, key=key, masks=(*score.masks, mask))
    supposed = tuple((taken.length, one) for one in taken.supposed)
    # Where a slice has a start, a query beyond the keys has none.
    starts = any(condition.op == "ge" for condition in taken.conditions)
    return _Around(score, weighted, every, supposed, (taken.length, own) if starts else None)


def _places(read: Read) -> Iterator[tuple[Term, Index]]:
    return zip(read.subs, read.value.axes, strict=False)


def _at_places(term: Term) -> Read | None:
    """The element of an array that a term is, if it has a place along each axis of that."""
    read = element(term)
    if not isinstance(read, Read) or read.aligned or len(read.subs) != len(read.value.axes):
        return None
    return replace(read, subs=tuple(map(canonical, read.subs)))


def _weighted(value: Value) -> tuple[Term, Term, Index, Opened, bool] | None:
    """Weights, values, the index that is summed; whether the weights are divided by their sum
    after they met the values."""
    body, opened = value.body, Opened()
    if isinstance(body, Read) and any(isinstance(sub, Const) for sub in body.subs):
        body = opened.open(body)  # steps that are joined, each of one query
    divisor: Term | None = None
    if isinstance(body, Apply) and body.op == "div":
        divisor = body.args[1]
        body = opened.open(body.args[0])
    if not isinstance(body, Reduce) or body.op != "sum":
        return None
    index, product = body.index, opened.open(body.body)
    if not isinstance(product, Apply) or product.op != "mul" or len(product.args) != 2:
        return None
    for weights, values in (product.args, product.args[::-1]):
        if index not in free_indices(weights) or index not in free_indices(values):
            return None
        if divisor is not None:
            if exponent(weights, index, Opened()) is None:
                continue
            share = Apply("div", (weights, divisor))
            return share, values, index, opened, True
        if exponent(weights, index, Opened()) is not None:
            return weights, values, index, opened, False
    return None


def _shared_scores(share: Term, index: Index, opened: Opened) -> Term | None:
    """As ``softmax_scores`` for weights and their divisor given apart."""
    assert isinstance(share, Apply)
    found = exponent(share.args[0], index, opened)
    if found is None or opened.dropouts:
        return None
    scores = unshifted(found, (index,), opened)
    definition = Apply("div", (Apply("exp", (scores,)), over(scores, (index,))))
    return scores if proven_equal(share, definition, scores) else None


class _Reader:
    """Reads scores: what contains the contraction, and what is done to it."""

    def __init__(self, columns: Index, opened: Opened) -> None:
        self.columns = columns
        self.opened = opened

    def read(self, term: Term, at: Value | None = None) -> Score | None:
        while True:
            if isinstance(term, Read):
                at = term.value
                inner = self._open_once(term)
                if inner is None:
                    return None
                term = inner
            elif isinstance(term, Apply) and term.op.startswith(
                ("cast:float", "cast:bfloat", "cast:like")
            ):
                self.opened.casts.append(term.op[5:])
                term = term.args[0]
            else:
                break
        if isinstance(term, Reduce):
            return self._contraction(term)
        if not isinstance(term, Apply):
            return None
        if term.op == "where":
            return self._where(term, at)
        if term.op in ("add", "sub"):
            return self._sum(term, at)
        if term.op in ("mul", "div", "neg"):
            return self._product(term)
        return None

    def _open_once(self, read: Read) -> Term | None:

        inner = definition(read)
        if inner is not None:
            self.opened.values[read.value] = None
            inner = transform(inner, _rejoined)
        return inner

    def _contraction(self, term: Reduce) -> Score | None:
        product = self.opened.open(term.body)
        if term.op != "sum" or not isinstance(product, Apply) or product.op != "mul":
            return None
        moving = [a for a in product.args if term.index in free_indices(a)]
        still = [a for a in product.args if term.index not in free_indices(a)]
        if len(moving) != 2 or any(free_indices(a) for a in still):
            return None
        with_columns = [a for a in moving if self.columns in free_indices(a)]
        if len(with_columns) != 1:
            return None
        (key,) = with_columns
        (query,) = [a for a in moving if a is not key] or (key,)
        if query is key:
            return None
        return Score(query, key, term.index, tuple(Scale(a) for a in still))

    def _holds(self, term: Term) -> bool:
        """Whether a term may contain the contraction: it has the columns and is worth reading."""
        return _Reader(self.columns, Opened()).read(term) is not None

    def _sum(self, term: Apply, at: Value | None) -> Score | None:
        inside = [p for p, arg in enumerate(term.args)
                  if not independent(arg, self.columns) and self._holds(arg)]  # fmt: skip
        if not inside or not all(isinstance(term.args[p], Read) for p in inside[1:]):
            return None  # of two products the second is added to the first
        score = self.read(term.args[inside[0]])
        if score is None:
            return None
        if term.op == "sub" and inside[0] == 1:
            score = _scaled(score, Scale(Const(-1)))
        masks = []
        for position, arg in enumerate(term.args):
            if position == inside[0] or _nothing(arg):
                continue
            if independent(arg, self.columns) and is_shift(arg, term.args[inside[0]]):
                continue
            sign = -1 if term.op == "sub" and position == 1 else 1
            masks.append(Added(arg, sign, at=at))
        return None if score is None else replace(score, masks=(*score.masks, *masks))

    def _product(self, term: Apply) -> Score | None:
        if term.op == "neg":
            score = self.read(term.args[0])
            return None if score is None else _scaled(score, Scale(Const(-1)))
        inside = [p for p, arg in enumerate(term.args)
                  if not used_as_number(arg) and self._holds(arg)]  # fmt: skip
        if len(inside) != 1 or (term.op == "div" and inside[0] == 1):
            return None
        score = self.read(term.args[inside[0]])
        for position, arg in enumerate(term.args):
            if position != inside[0]:
                if score is None or not (used_as_number(arg) or independent(arg, self.columns)):
                    return None
                score = _scaled(score, Scale(arg, term.op == "div"))
        return score

    def _where(self, term: Apply, at: Value | None) -> Score | None:
        condition, then, otherwise = term.args
        if not free_indices(condition):
            return self._guarded(condition, then, otherwise)
        for where, fill, rest in ((True, then, otherwise), (False, otherwise, then)):
            fill = _element(fill)
            infinite = minus_infinity(fill)
            if infinite is None:
                continue
            score = self.read(rest)
            if score is None:
                return None
            mask = Filled(condition, where, fill, infinite == "finite", at=at)
            return replace(score, masks=(*score.masks, mask))
        return None

    def _guarded(self, condition: Term, then: Term, otherwise: Term) -> Score | None:
        a, b = self.read(then), self.read(otherwise)
        if a is None or b is None or not _same_core(a, b):
            return None
        common = 0
        while common < min(len(a.masks), len(b.masks)) and _same_mask(
            a.masks[common], b.masks[common]
        ):
            common += 1
        masks = list(a.masks[:common])
        for rest, holds in ((a.masks[common:], True), (b.masks[common:], False)):
            masks += [replace(m, guards=(*m.guards, Guard(condition, holds))) for m in rest]
        return replace(a, masks=tuple(masks))


def _rejoined(term: Term) -> Term:
    """An element of an array that was split and merged again, at the place that it is at."""
    if not isinstance(term, Read) or term.aligned:
        return term
    subs = tuple(canonical(sub) if isinstance(sub, Apply) else sub for sub in term.subs)
    return term if subs == term.subs else Read(term.value, subs)


def _element(fill: Term) -> Term:
    """The number that an array is full of, as ``-9e15 * torch.ones_like(scores)`` is."""
    while isinstance(fill, Read) and fill.value.axes and fill.value.body is not None:
        fill = fill.value.body
    if isinstance(fill, Apply) and fill.op == "mul":
        parts = [part.value for arg in fill.args if isinstance(part := _element(arg), Const)]
        numbers = [part for part in parts if isinstance(part, (int, float))]
        if len(numbers) == len(fill.args):
            return Const(math.prod(numbers))
    return fill


def _scaled(score: Score | None, scale: Scale) -> Score | None:
    """The score times a number. What was masked before stays masked where that is positive."""
    if score is None:
        return None
    masks: list[Added | Filled] = []
    for mask in score.masks:
        if isinstance(mask, Added):
            masks.append(replace(mask, scales=(*mask.scales, scale)))
            continue
        if not _positive(scale.term):
            return None
        if isinstance(mask.fill, Const) and mask.fill.value > _VERY_LARGE:  # type: ignore[operator]
            return None
        masks.append(mask)
    return replace(score, scales=(*score.scales, scale), masks=tuple(masks))


def _positive(term: Term) -> bool:
    """Whether a number is certainly positive, and neither huge nor tiny: a literal, or a root."""
    if isinstance(term, Const):
        return isinstance(term.value, (int, float)) and 1e-4 <= term.value <= 1e4
    if isinstance(term, Read):
        return term.value.body is not None and not term.value.axes and _positive(term.value.body)
    if not isinstance(term, Apply):
        return False
    if term.op == "sqrt":
        return not free_indices(term)
    if term.op == "pow":
        power = _literal(term.args[1])
        return not free_indices(term) and power is not None and abs(power) in (0.25, 0.5)
    return term.op in ("mul", "div") and all(map(_positive, term.args))


def _literal(term: Term) -> float | None:
    """The value of a number that is written out, as a quotient too."""
    if isinstance(term, Read) and term.value.body is not None:
        return _literal(term.value.body)
    if isinstance(term, Apply) and term.op in ("div", "neg"):
        values = [_literal(arg) for arg in term.args]
        if None in values or not values[-1]:
            return None
        return values[0] / values[1] if term.op == "div" else -values[0]  # type: ignore[operator]
    return float(term.value) if isinstance(term, Const) else None  # type: ignore[arg-type]


def used_as_number(term: Term) -> bool:
    """A number, or a parameter that is used as one: nothing but its unknown axes says otherwise.
    So is what is computed of such."""
    if not free_indices(term):
        return True
    return isinstance(term, Read) and term.aligned and _without_axes(term.value)


_OF_NUMBERS = frozenset(
    "mul div floordiv add sub pow sqrt rsqrt neg exp log abs max min".split()
    + "sigmoid softplus tanh relu".split()
)


def _without_axes(value: Value) -> bool:
    """Whether a value has no axes that the code shows."""
    if not all(axis.group for axis in value.axes):
        return False
    if not isinstance(value.body, Apply):
        return value.body is None
    return value.body.op in _OF_NUMBERS and all(
        _without_axes(arg.value) if isinstance(arg, Read) else not free_indices(arg)
        for arg in value.body.args
    )


def _nothing(term: Term) -> bool:
    """A product with the number 0, as ``baddbmm`` with ``beta=0`` has."""
    if isinstance(term, Read) and term.value.body is not None:
        return _nothing(term.value.body)
    if isinstance(term, Apply) and term.op == "mul":
        return any(isinstance(a, Const) and a.value == 0 for a in term.args)
    return False


def _same_core(a: Score, b: Score) -> bool:
    by: dict[Term, Term] = {b.inner: a.inner}
    return (
        substitute(b.query, by) is a.query
        and substitute(b.key, by) is a.key
        and len(a.scales) == len(b.scales)
        and all(x == y for x, y in zip(a.scales, b.scales, strict=True))
    )


def _same_mask(a: Added | Filled, b: Added | Filled) -> bool:
    if isinstance(a, Added) and isinstance(b, Added):
        same = a.term is b.term and a.sign == b.sign and a.scales == b.scales
        return same and a.guards == b.guards
    if isinstance(a, Filled) and isinstance(b, Filled):
        return a.condition is b.condition and a.fill is b.fill and a.guards == b.guards
    return False


_LIMITS = ("finfo(…).min", "finfo(…).max")


def limit(term: Term) -> bool:
    """Whether a number is the least or the greatest of a dtype that is not known."""
    while (isinstance(term, Read) and term.value.body is not None) or (
        isinstance(term, Apply) and term.op == "neg"
    ):
        term = term.args[0] if isinstance(term, Apply) else term.value.body  # type: ignore[assignment]
    return isinstance(term, Read) and term.value.name.endswith(_LIMITS)


def as_limit(term: Term) -> Term:
    """The limit of a dtype that a number is, before it was made a tensor; else the number."""
    inner = term
    while isinstance(inner, Read) and not inner.value.axes and inner.value.body is not None:
        inner = inner.value.body
        if isinstance(inner, Apply) and inner.op.startswith("cast:"):
            inner = inner.args[0]
    return inner if isinstance(inner, Read) and limit(inner) else term


def minus_infinity(term: Term) -> str | None:
    """``infinite`` or ``finite`` for a fill that stands for minus infinity, else None."""
    while isinstance(term, Read) and term.value.body is not None:
        term = term.value.body
    sign = 1
    while isinstance(term, Apply) and (term.op == "neg" or term.op.startswith("cast:")):
        sign = -sign if term.op == "neg" else sign
        term = term.args[0]
        while isinstance(term, Read) and term.value.body is not None and not term.value.axes:
            term = term.value.body
    if isinstance(term, Const) and isinstance(term.value, (int, float)):
        number = sign * term.value
        if number == float("-inf"):
            return "infinite"
        return "finite" if number <= _LARGE else None
    if isinstance(term, Read) and term.value.name.endswith(_LIMITS):
        return "finite" if term.value.name.endswith("min") == (sign == 1) else None
    return None


_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt,
    "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip


def decided(term: Term) -> Term:
    """Comparisons of a choice between two numbers with a number, decided."""

    def change(node: Term) -> Term:
        if not isinstance(node, Apply) or node.op not in _COMPARISONS:
            return node
        for position in (0, 1):
            choice, number = node.args[position], node.args[1 - position]
            while isinstance(choice, Apply) and choice.op.startswith("cast:"):
                choice = choice.args[0]
            if not isinstance(choice, Apply) or choice.op != "where":
                continue
            values = (*choice.args[1:], number)
            if not all(isinstance(v, Const) and isinstance(v.value, (int, float)) for v in values):
                continue
            compare = _COMPARISONS[node.op]
            answers = []
            for branch in choice.args[1:]:
                pair = (branch.value, number.value)  # type: ignore[attr-defined]
                first, second = pair if position == 0 else pair[::-1]
                answers.append(Const(bool(compare(first, second))))
            return Apply("where", (choice.args[0], *answers))
        return node

    return transform(expand(term), change)


def causal(condition: Term, where: bool, rows: Index, columns: Index) -> bool:
    """Whether the elements that are kept are exactly those with column <= row."""
    kept = Apply("le", (columns, rows)) if not where else Apply("gt", (columns, rows))
    condition = decided(condition)
    return equal(Apply("where", (condition, Const(1), Const(0))),
                 Apply("where", (kept, Const(1), Const(0))))  # fmt: skip
