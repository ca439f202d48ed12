"""Attention under a mask that keeps a band of the scores, as one call that computes the band alone.

Finds what ``flash-attention`` finds, where the mask keeps the keys from some places before a query
to some places after it: built from differences of places, from triangles of ones, from their
complements; by ``where``, ``masked_fill`` or addition, in one step or several; in place, in
``__init__`` or in another function of the file. And calls of ``scaled_dot_product_attention`` that
are given such a mask; and loops in which a query takes a slice of the keys around its own place
(``k[max(0, i - w) : i + 1]``). Of NumPy's arrays it is only said.

Legal because the weight of a key that is left out is zero, so that no other score is needed. The
bounds of the band are proven: the masks are read as functions of a few comparisons of the query's
place with the key's, and tried in every way in which these can come out.

Pays whenever the window is narrower than the sequence: time and memory grow with the length times
the width, instead of the length squared. How wide it is need not be known here: where the band
holds most of the scores the kernel takes the way of ``flash_attention``.

Safe means: equal up to the order of floating-point sums, gradients included. A query for which no
key is left is NaN if the scores were filled with minus infinity, and the mean of the values if
with a large negative number (``fill=``), as before. A window on one side only leaves half of the
scores and stays a mask.

Source: Beltagy, Peters and Cohan, "Longformer: The Long-Document Transformer" (2020).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from auditor.assumed import assuming
from auditor.attention.bands import Band, Bound, band
from auditor.attention.fused import masked_call
from auditor.attention.masks import Arguments
from auditor.attention.reading import Added, Attention, Filled, attention, used_as_number
from auditor.attention.region import AttentionRegion, attention_at
from auditor.expressions.region import Text, text_of
from auditor.notation import Apply, Const, Read, Symbol, Term, Value, definition, walk
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.verdict import Verdict

_OF_WINDOW = Verdict("holds", "structure", "a query reads the keys of its window alone")
_HIDDEN = Verdict("holds", "structure", "the scores outside of a window have no weight")


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    if site.value is None and isinstance(site.node, ast.Call) and site.statement is not None:
        return _fused(site, site.node)
    region = attention_at(site)
    found = region.found if region is not None else _of_arrays(site)
    if found is None or found.opened.dropouts:
        return None
    kept = band(found.score.masks, found.rows, found.columns)
    if kept is None or not kept.left or not kept.right:
        return None
    if region is None:
        return Match(
            site.computation.span,
            f"{_MESSAGE}; there is no kernel for arrays: take the keys of each window"
            " (`sliding_window_view`)",
            site.computation,
            verdicts={"sparsity": _HIDDEN},
        )
    match = region.match("local_attention", lambda: _arguments(region, kept), _MESSAGE)
    match = replace(match, verdicts={**match.verdicts, "sparsity": _HIDDEN})
    if not found.growing:
        return match
    return replace(match, verdicts={**match.verdicts, "locality": _OF_WINDOW})


def _fused(site: Site, call: ast.Call) -> Match | None:
    """A call of torch's attention with a mask that keeps a band."""
    masked = masked_call(site, call)
    if masked is None:
        return None
    region = AttentionRegion(site, masked.found)
    kept = band(masked.found.score.masks, masked.found.rows, masked.found.columns)
    if kept is None or not (kept.left and kept.right and kept.infinite):
        return None
    if not masked.as_long:
        _state(region, "the mask has a row for each query and a column for each key")
    if not kept.holds_own_place():
        _state(region, "every query has a key in its window")
    words = dict(_arguments(region, kept, as_large=False).words)
    site.require(
        region.steady(masked.mask, list(words.values())),
        "effects",
        "something in between may change the mask",
    )
    given = [*masked.arguments, *(f"{word}={text.text}" for word, text in words.items())]
    names = frozenset().union(*(text.reads for text in words.values()), masked.reads)
    removal = region.removal({call: Text("", names)})
    edits = (region.replacement("local_attention", given), *removal.edits)
    return Match(
        span=site.computation.span,
        message=_MESSAGE,
        computation=site.computation,
        edits=tuple(sorted(edits, key=lambda edit: edit.span)),
        imports=(("auditor.kernels", "local_attention"),),
        reason=assuming(region.reasons),
        kernel="auditor.kernels.local_attention",
        verdicts={
            "locality": _OF_WINDOW,
            "sparsity": _HIDDEN,
            "associativity": Verdict(
                "holds", "structure", "the weights' sum is a fold over the keys, of exponentials"
            ),
        },
    )


def _of_arrays(site: Site) -> Attention | None:
    """Attention of NumPy's arrays at the expression of a site."""
    value = site.value
    if site.node is None or value is None or site.statement is None or value.library != "numpy":
        return None
    return attention(value) if value.span == site.lifted.module.span(site.node) else None


_MESSAGE = (
    "this is attention to the keys around each query: no score outside of the window is needed"
)


def _arguments(region: AttentionRegion, kept: Band, as_large: bool = True) -> Arguments:
    """The window, and the fill where some query may have no key in it."""
    require, found = region.site.require, region.found
    region.require_keys(kept)
    for mask in found.score.masks if not found.growing else ():
        term = mask.term if isinstance(mask, Added) else mask.condition
        large = not as_large or _as_large(region, term)
        require(large, "lengths", "the mask may be smaller than the scores")
        region.rests_on_init(term)
    if found.growing and not kept.holds_own_place():
        _state(region, "every query has a key in its window")
    for number in kept.positive:
        _state(region, f"`{_said(region, number).text}` is not negative")
    left, right = _least(region, kept.left), _least(region, kept.right)
    window = Text(f"({left.text}, {right.text})", left.reads | right.reads)
    words = [("window", window)]
    if not kept.infinite:
        words += _fill(region, kept)
    return Arguments(tuple(words))


def _as_large(region: AttentionRegion, term: Term) -> bool:
    """Whether what a mask is made of has the rows and columns of the scores. Where that rests on a
    broadcast, one element would pass as well: then it is stated."""
    rows, columns = region.found.rows, region.found.columns
    for node in walk(term):
        if not isinstance(node, Read) or used_as_number(node):
            continue
        axes = node.value.axes
        for sub, axis in zip(node.subs[len(node.subs) - len(axes) :], axes, strict=True):
            if sub not in (rows, columns):
                continue
            if not region.as_long(axis.extent, sub):
                return False
            if not region.lifted.facts.certain(axis.extent):
                _state(region, "the mask has a row for each query and a column for each key")
    return True


def _is_square(region: AttentionRegion, term: Term) -> bool:
    """Whether a mask is made of an array with as many rows as columns, one each for a query and a
    key."""
    facts, ends = region.lifted.facts, [region.found.rows, region.found.columns]
    return any(
        isinstance(node, Read)
        and list(node.subs) == ends
        and len({facts.extent(axis.extent) for axis in node.value.axes}) == 1
        for node in walk(term)
    )


def _state(region: AttentionRegion, reason: str) -> None:
    if reason not in region.reasons:
        region.reasons.append(reason)


def _fill(region: AttentionRegion, kept: Band) -> list[tuple[str, Text]]:
    """The number that scores are replaced by, unless every query has a key."""
    facts, found = region.lifted.facts, region.found
    square = facts.extent(found.rows.extent) is facts.extent(found.columns.extent)
    if square and kept.holds_own_place():
        return []
    masks = region.masks()
    widths = kept.widths()
    if widths is not None and all(isinstance(mask, Added) for mask in found.score.masks):
        if square or any(_is_square(region, mask.term) for mask in found.score.masks):  # type: ignore[union-attr]
            for width, least in widths.items():
                what = f"{least} or more" if least else "not negative"
                _state(region, f"`{_said(region, width).text}` is {what}")
            return []
    fills = [mask.finite for mask in masks if mask.finite is not None]
    region.site.require(
        len(fills) == len(masks)
        and all(isinstance(mask.source, Filled) for mask in masks)
        and len({fill.text for fill in fills}) == 1,
        "finite-mask",
        "a query without any key in the window would take other weights",
    )
    return [("fill", fill) for fill in fills[:1]]


# -- the bounds as code


def _least(region: AttentionRegion, bounds: Sequence[Bound]) -> Text:
    texts = [_limit(region, bound) for bound in bounds]
    if len(texts) == 1:
        return texts[0]
    reads = frozenset({"min"}).union(*(text.reads for text in texts))
    return Text(f"min({', '.join(text.text for text in texts)})", reads)


def _limit(region: AttentionRegion, bound: Bound) -> Text:
    """The largest whole number within a bound. The kernel rounds a fraction down."""
    number = bound.number
    if bound.strict:
        whole = number == int(number) and all(_whole(region, term) for term, _ in bound.terms)
        region.site.require(whole, "whole-window", "the window may be no whole number")
        number -= 1
    made, reads = "", frozenset[str]()
    for term, times in sorted(bound.terms, key=lambda each: each[1] < 0):
        said = _said(region, term)
        reads |= said.reads
        part = said.multiplied() if abs(times) == 1 else f"{abs(times)} * {said.multiplied()}"
        sign = "-" if times < 0 else "+"
        made = f"{made} {sign} {part}" if made else ("-" if times < 0 else "") + part
    if number or not made:
        shown = repr(int(number) if number == int(number) else number)
        sign = "-" if number < 0 else "+"
        made = f"{made} {sign} {shown.removeprefix('-')}" if made else shown
    return Text(made, reads)


def _said(region: AttentionRegion, term: Term) -> Text:
    """A number as code at the call."""
    said = None
    if isinstance(term, Read):
        said = region.say(term.value)
    if said is None:
        said = region.number(term) or _kept_by_constructor(region, term)
    if said is None and isinstance(term, Apply) and term.op in _SPELLED:
        parts = [_said(region, arg).multiplied() for arg in term.args]
        said = text_of(f" {_SPELLED[term.op]} ".join(parts))
    if said is None:
        raise Refused("window", f"the width `{term}` cannot be said at the call")
    return said


def _kept_by_constructor(region: AttentionRegion, term: Term) -> Text | None:
    """A number that the constructor was given or computed, as the attribute that it put it in."""
    for name, held in region.lifted.lifter.attributes.items():
        if not isinstance(held, Value) or held.axes or name in region.changing:
            continue
        read = term.value if isinstance(term, Read) else None
        if held.body is term or held is read or (read is not None and _is_kept(read, held, name)):
            _state(region, f"`self.{name}` is what `__init__` made it")
            return text_of(f"self.{name}")
    return None


def _is_kept(read: Value, held: Value, name: str) -> bool:
    """Whether a method of the object read what the constructor put into an attribute."""
    return read.name == f"self.{name}" and not read.axes and read.body is held.body


_SPELLED = {"add": "+", "sub": "-", "mul": "*", "floordiv": "//", "div": "/"}
_KEEPS_WHOLE = ("add", "sub", "mul", "neg", "floordiv", "mod", "min", "max", "abs")


def _whole(region: AttentionRegion, term: Term) -> bool:
    """Whether a number is a whole one. A parameter that nothing is known of is one: it counts
    places. That is stated."""
    if isinstance(term, Symbol):
        return True
    if isinstance(term, Const):
        return isinstance(term.value, int)
    if isinstance(term, Apply):
        if term.op in ("floor", "ceil", "round") or term.op.startswith("cast:int"):
            return True
        return term.op in _KEEPS_WHOLE and all(_whole(region, arg) for arg in term.args)
    if not isinstance(term, Read):
        return False
    dtype = term.value.dtype
    if dtype is not None:
        return dtype.startswith(("int", "uint"))
    inner = definition(term)
    if inner is not None:
        return _whole(region, inner)
    _state(region, f"`{term.value.name}` is a whole number")
    return True


_BEFORE = """\
import math

import torch


def attend(q, k, v, window: int):
    place = torch.arange(q.size(-2), device=q.device)
    ahead = place[:, None] - place
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    scores = scores.masked_fill((ahead < 0) | (ahead >= window), float("-inf"))
    return scores.softmax(dim=-1) @ v
"""

_AFTER = """\
import math

import torch
from auditor.kernels import local_attention


def attend(q, k, v, window: int):
    return local_attention(q, k, v, window=(window - 1, 0))
"""

_TRIANGLES_BEFORE = """\
import torch


def near(length, radius, device):
    ones = torch.ones(length, length, device=device)
    return ones.tril(radius) * ones.triu(-radius)


def attend(x, radius: int):
    length = x.shape[1]
    scores = (x @ x.mT) * x.shape[-1] ** -0.5
    scores = scores.masked_fill(near(length, radius, x.device) == 0, -1e9)
    return torch.softmax(scores, dim=-1) @ x
"""

_TRIANGLES_AFTER = """\
import torch
from auditor.kernels import local_attention


def near(length, radius, device):
    ones = torch.ones(length, length, device=device)
    return ones.tril(radius) * ones.triu(-radius)


def attend(x, radius: int):
    return local_attention(
        x, x, x, window=(radius, radius), fill=-1e9, scale=x.shape[-1] ** -0.5
    )
"""

_ADDED = """\
import torch


def attend(q, k, v, window: int):
    place = torch.arange(q.size(-2), device=q.device)
    behind = place[:, None] - place
    far = (behind < 1) | (behind > window)
    scores = q @ k.mT + far * -1e9
    return scores.softmax(dim=-1) @ v
"""

_CASES = (
    "(torch.randn(2, 3, 9, 4), torch.randn(2, 3, 9, 4), torch.randn(2, 3, 9, 6), 3)",
    "(torch.randn(400, 4), torch.randn(400, 4), torch.randn(400, 6), 5)",
)

REWRITE = Rewrite(
    code="LOC304",
    name="windowed-attention",
    summary="attention to a window computes the scores in it, not all of them",
    doc=__doc__,
    properties=("locality", "associativity"),
    find=find,
    seeks=(("exponential", "products"), ("softmax", "products"), "fused"),
    inside=True,
    kernel="auditor.kernels.local_attention",
    becomes="local_attention(q, k, v, window=(left, right))",
    examples=(
        Example("the last keys", _BEFORE, _AFTER, ", ".join(_CASES)),
        Example(
            "triangles of another function",
            _TRIANGLES_BEFORE,
            _TRIANGLES_AFTER,
            "(torch.randn(2, 9, 4), 2), (torch.randn(1, 300, 4), 3), (torch.randn(2, 5, 4), -1)",
        ),
    ),
    refused=(
        RefusedExample("finite-mask", _ADDED),
        RefusedExample("whole-window", _BEFORE.replace(">= window", ">= window / 2")),
        RefusedExample(
            "weights-used",
            _BEFORE.replace("scores.softmax(dim=-1) @ v", "scores.softmax(dim=-1) @ v, scores"),
        ),
    ),
    unmatched=(
        _BEFORE.replace("(ahead < 0) | (ahead >= window)", "ahead < 0"),
        _BEFORE.replace("(ahead < 0) | (ahead >= window)", "ahead >= window"),
        _BEFORE.replace("(ahead < 0) | (ahead >= window)", "(ahead < 0) & (ahead >= window)"),
        _BEFORE.replace("ahead >= window", "ahead % window == 0"),
        _BEFORE.replace("ahead >= window", "ahead >= window * place"),
        _BEFORE.replace("ahead >= window", "scores < 0"),
    ),
)
