"""Products of which a triangular mask keeps half, as one call that computes that half.

Finds ``((q @ k.mT) * mask) @ v`` without a softmax in between (linear attention in its quadratic
form): the mask a triangle, made by ``tril``, ``triu``, comparisons of places, ``masked_fill`` or
``where`` with zero, with or without the diagonal, lower or upper; the products in any spelling
(``@``, ``bmm``, ``einsum``), scaled or not; of tensors and of NumPy's arrays. The same with the
sums the other way round: a ``cumsum`` of outer products that a query reads. And, of tensors, scores
that decay from their key on (retention, the quadratic form of Mamba-2): a matrix of
``gamma ** (i - j)``, ``exp(c * (i - j))`` or ``exp(s[i] - s[j])`` of running sums, below the
diagonal.

Legal because what the mask leaves out is multiplied by zero, and what is left is a running sum of
outer products, ``sum_{i <= t} k_i v_i^T``, which a query reads: adding is associative, so the
sequence may be cut into chunks, of which each needs the sum before it and its own triangle. Weights
with f(i, i) = 1 and f(i, j) = a(i) f(i - 1, j), which is asked for all i and j, let the sum decay
by a(i) before each step: an affine map of it.

Pays once the sequence is longer than the vectors: T (C + d) products a channel instead of T^2. The
kernel knows the sizes and computes all scores where these are few. Where a function gives a
triangle of a product, or blocks on its diagonal, or multiplies with a matrix that has nothing else,
and no kernel computes these alone, that is said. Blocks that are put on a diagonal only to be
multiplied (``block_diag(A, B) @ x``) multiply their own parts of the other factor; where nothing
says that they are matrices, the fix is unsafe.
The running sums of the other spelling are T C d numbers, of which the chunks need T C d / 64.

Safe means: equal up to the order of floating-point sums, gradients included. Scores that are used
elsewhere as well stay. Where a key or value after a query is infinite or NaN, zero times it is NaN,
and here it is left out; so are powers above the diagonal, of which the fix says that none is
infinite unless the distances are bounded or masked before (a decay of 0 has infinite ones). Beside
one query a mask of one entry keeps all keys: the call is told the size of a mask of which only
broadcasting says that it is that of the scores, and where that cannot be said the fix is not safe.
Nor is it where a NumPy mask of numbers may widen the scores, or where the factors of running sums
are not made of one array: a single row may be broadcast there.

Sources: Katharopoulos et al., "Transformers are RNNs: Fast Autoregressive Transformers with Linear
Attention" (2020); Sun et al., "Retentive Network" (2023); Dao and Gu, "Transformers are SSMs"
(2024).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from auditor.algebra.normal import expand
from auditor.arrays.facts import leaves
from auditor.arrays.stated_sizes import measured
from auditor.assumed import assuming_too, reason_of
from auditor.attention.decays import Decay
from auditor.attention.masks import Arguments
from auditor.attention.reading import Attention, Scale, used_as_number
from auditor.attention.region import AttentionRegion
from auditor.attention.unnormalised import Triangle, cut, masked_factor, running, triangular
from auditor.expressions.region import Text, text_of
from auditor.lift.objects import Instance
from auditor.matrices.built import blocks
from auditor.notation import Const, Index, Read, Term, Value, free_indices, walk
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.tree import children
from auditor.verdict import Verdict


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    value, node = site.value, site.node
    if site.loop is not None or value is None or node is None or site.statement is None:
        return None
    if value.span != site.lifted.module.span(node) or value.library == "python":
        return None
    summed = running(value)
    found = summed or triangular(value)
    if found is None:
        return blocks(site) or _told(site, value)
    attention, triangle = found
    made = (value, *attention.opened.values)
    numpy = site.lifted.module.library == "numpy" or any(v.library == "numpy" for v in made)
    region = (_OfArrays if numpy else AttentionRegion)(site, attention)
    read = (*attention.opened.values, *_made_of(triangle.masks))
    if region.scripted() or not (numpy or region.tensors(read)):
        return None
    site.require(not region.autocast(), "autocast", "under autocast products have another dtype")
    length = measured(site.lifted, attention.rows.extent)
    short = isinstance(length, Const) and isinstance(length.value, int) and length.value <= _SHORT
    site.require(not short, "short", f"of {length} rows all scores are computed in any case")
    certain = site.lifted.facts.certain
    doubted = not all(certain(axis.extent) for axis in (attention.rows, attention.columns))
    size = _size(region, triangle) if doubted else None
    doubted = doubted and size is None and summed is None and not _of_its_decays(region, triangle)
    if triangle.decay is not None:
        if numpy:
            return None
        alike = region.same_gradients(_made_of(triangle.masks))
        site.require(alike, "gradients", "the decays are computed under another `with` block")
    match = region.match(
        "causal_product",
        lambda: Arguments((*_words(triangle, size), *_decay_words(region, triangle.decay))),
        _MESSAGES[summed is not None],
        scaled=bool(attention.score.scales),
    )
    counted = triangle.multiplied and any(mask.dtype != "bool" for mask in triangle.masks)
    if counted and numpy:
        match = replace(match, safe=False, reason=reason_of(match.reason, _WIDER))
    elif counted or triangle.filled:
        stated = assuming_too(match.reason, ["the scores keep their type beside the mask"])
        match = replace(match, reason=stated)
    if triangle.decay is not None:
        sentences = ["the decays are as precise as the scores"]
        sentences += ["no decay is NaN"] if triangle.replaced else []
        sentences += [_FINITE] if triangle.growing else []
        sentences += ["every decay is below 1"] if triangle.fading else []
        match = replace(match, reason=assuming_too(match.reason, sentences))
    if triangle.fading:
        shown = "of a decay below 1 nothing is left after infinitely many steps, as of later keys"
        match = replace(match, verdicts={"sparsity": Verdict("holds", "structure", shown)})
    if doubted:
        doubt = "a mask of one entry may be broadcast, where there is one query or one key"
        match = replace(match, safe=False, reason=reason_of(match.reason, doubt))
    if summed is not None:
        stated = assuming_too(match.reason, ["the running sums are of floating-point numbers"])
        shown = "of the products of all pairs of rows, those up to each row alone are summed"
        sparse = {"sparsity": Verdict("holds", "structure", shown)}
        match = replace(match, reason=stated, verdicts=sparse)
        if not _of_one_array(region, attention):
            match = replace(match, safe=False, reason=reason_of(match.reason, _WIDENED))
    # 1024 rows of 64 numbers: half the scores of chunks of 64 rows and two products with a state
    return replace(match, gains={"any": 4.0}, counted=True)


def _told(site: Site, value: Value) -> Match | None:
    """What is said of a product of which the function gives a part, which no kernel computes
    alone."""
    returned = site.statement
    module, function = site.lifted.module, site.lifted.node
    text = module.text if isinstance(function, ast.Module) else module.source(function)
    factor = masked_factor(value) if _may_cut(text) else None
    given = isinstance(returned, ast.Return) and returned.value is site.node
    part = factor or (cut(value) if given else None)
    if part is None:
        return None
    where, message = _PARTS[part]
    shown = f"zero but in {where}: the other entries of the product are left out"
    if factor is not None:
        shown, message = f"a factor is zero but in {where}", _FACTORS[part]
    return Match(
        span=site.computation.span,
        message=message,
        computation=site.computation,
        gains={"any": 1.5 if part == "triangle" else 4.0},
        counted=True,
        verdicts={"sparsity": Verdict("holds", "structure", shown)},
    )


def _of_one_array(region: AttentionRegion, found: Attention) -> bool:
    """Whether queries, keys and values are made, row by row, of one array and so have as many rows:
    a single row would be broadcast to those of the others."""
    walked = (
        (found.score.query, found.rows), (found.score.key, found.columns),
        (found.values, found.columns),
    )  # fmt: skip
    places = [
        {
            _through_layers(region, node.value, place)
            for node in walk(expand(term)) if isinstance(node, Read)
            for place, sub in enumerate(node.subs) if row in walk(sub)
        }
        for term, row in walked
    ]  # fmt: skip
    return len(places[0]) == 1 and places[0] == places[1] == places[2]


def _through_layers(region: AttentionRegion, value: Value, place: int) -> tuple[Value, int]:
    """The array whose rows a layer was given one by one, and the place of its rows."""
    call = region.origin(value)
    if value.kind == "opaque" and isinstance(call, ast.Call) and len(call.args) == 1:
        given = region.values.get(call.args[0])
        layer = isinstance(region.values.get(call.func), Instance)
        if layer and isinstance(given, Value) and place < len(given.axes) - 1:
            return given, place
    return value, place


_FINITE = "what the decays would be above the diagonal, which the mask leaves out, is finite"
_SHORT = 128
"""Rows of which the kernel computes all scores: two chunks."""

_WIDENED = "the result differs where one of the factors has a single row and others more"
_MESSAGES = (
    "only a triangle of the scores is used, but all are computed: running sums in chunks compute no"
    " more than that",
    "every running sum of the outer products is stored, and read by one query only: in chunks only"
    " one sum for each chunk is needed",
)
_WIDER = "a mask of numbers may be of a wider type than the scores"
_PARTS = {
    "triangle": (
        "a triangle",
        "only a triangle of the product is kept, but all of it is computed: in blocks of rows, each"
        " as far as the diagonal, half of the multiplications are enough",
    ),
    "blocks": (
        "blocks on the diagonal",
        "only blocks on the diagonal of the product are kept, but all of it is computed: with rows"
        " and columns of each block on an axis of their own (`unflatten`), `bmm` computes these"
        " alone",
    ),
}


@lru_cache(maxsize=4)
def _may_cut(text: str) -> bool:
    """Whether a function may cut a matrix by a mask, which is asked about for each of its parts."""
    return _CUT.search(text) is not None


_CUT = re.compile(r"\btri[lu]\b|//[^\n]*(?:\n[^\n]*){0,3}==|\* self\.\w*(?:mask|tri)\w*")
"""Words by which a factor is known to be cut: others would have most functions looked at."""
_FACTORS = {
    "triangle": "a factor of the product is zero but in a triangle: in blocks of rows, each as far"
    " as the diagonal, half of the multiplications are enough",
    "blocks": "a factor of the product is zero but in blocks on the diagonal: with the rows and"
    " columns of each block on an axis of their own (`unflatten`), `bmm` needs these alone",
}


class _OfArrays(AttentionRegion):
    """The same of NumPy's arrays, where they need no views that are spelled otherwise."""

    def operand(self, term: Term, row: Index, column: Index) -> tuple[Text, list[Scale]]:
        text, scales = super().operand(term, row, column)
        if text.moves:
            raise Refused("layout", "an array has its axes in another order")
        return text, scales

    def returned(self, have: Sequence[Index], want: Sequence[Index]) -> str | None:
        return "" if list(have) == list(want) else None


def _size(region: AttentionRegion, triangle: Triangle) -> Text | None:
    """How many rows and columns the mask has, where it is made of nothing but that and the code
    that makes it says it by one name. Two sizes that only a broadcast makes equal are one extent
    here, and no less two names there."""
    sizes = {axis.extent for mask in triangle.masks for axis in mask.axes[-2:]}
    decaying = {*_computed_of(triangle.decay)}
    of_decays = set[str]().union(*map(leaves, decaying))
    plain = all(
        leaves(mask) <= of_decays and (decaying or len(mask.axes) == 2) for mask in triangle.masks
    )
    if len(sizes) != 1 or not plain:
        return None
    extent, names = sizes.pop(), set[str]()
    scope = region.scope(region.statement)
    for mask in triangle.masks:
        for node in _making(region, mask, extent):
            if isinstance(node, ast.Attribute) and node.attr in ("shape", "size"):
                return None
            known = region.values.get(node) if isinstance(node, ast.Name) else None
            if not isinstance(node, ast.Name) or not isinstance(known, Value) or known.axes:
                continue
            if known in decaying:
                continue
            if known.body is not extent or scope.get(node.id) is not known:
                return None
            names.add(node.id)
    return text_of(names.pop()) if len(names) == 1 else None


def _of_its_decays(region: AttentionRegion, triangle: Triangle) -> bool:
    """Whether the triangle is one of the array of the decays of all steps, as large as that."""
    decay = triangle.decay
    if decay is None or decay.logarithm is None or used_as_number(decay.logarithm):
        return False
    if region.found.rows not in free_indices(decay.logarithm):
        return False
    arrays = set[str]().union(*map(leaves, _computed_of(decay)))
    made = [node for mask in triangle.masks for node in _making(region, mask)]
    return all(leaves(mask) <= arrays for mask in triangle.masks) and not any(
        (isinstance(node, ast.Attribute) and node.attr in ("shape", "size"))
        or (isinstance(node, ast.Name) and _is_number(region.values.get(node)))
        for node in made
    )


def _is_number(value: object) -> bool:
    return isinstance(value, Value) and not value.axes


def _computed_of(decay: Decay | None) -> Iterator[Value]:
    """The values that a decay is computed of."""
    terms = () if decay is None else (decay.factor, decay.logarithm)
    for term in terms:
        if term is not None:
            yield from (node.value for node in walk(expand(term)) if isinstance(node, Read))


def _making(region: AttentionRegion, mask: Value, extent: Term | None = None) -> Iterator[ast.AST]:
    """The code that makes a mask; without arrays that have no axis of ``extent`` and so no say in
    its size, if that is given."""

    def silent(node: ast.AST) -> bool:
        made = region.values.get(node) if isinstance(node, ast.expr) else None
        if not isinstance(made, Value) or not made.axes:
            return False
        return not any(axis.group or axis.extent is extent for axis in made.axes)

    waiting: list[ast.AST | None] = [region.origin(value) for value in _made_of([mask])]
    while waiting:
        node = waiting.pop()
        if node is not None and not (extent is not None and silent(node)):
            yield node
            waiting += children(node)


def _made_of(masks: Iterable[Value]) -> Iterator[Value]:
    """Masks, and what they are made of."""
    waiting = [*masks]
    seen = {*waiting}
    while waiting:
        value = waiting.pop()
        yield value
        inner = walk(value.body) if value.body is not None else ()
        found = {n.value for n in inner if isinstance(n, Read)} - seen
        waiting += found
        seen |= found


def _words(triangle: Triangle, size: Text | None) -> list[tuple[str, Text]]:
    found = [("diagonal", text_of(repr(triangle.diagonal)))] if triangle.diagonal else []
    found += [("upper", text_of("True"))] if triangle.upper else []
    return [*found, *([("size", size)] if size is not None else [])]


def _decay_words(region: AttentionRegion, decay: Decay | None) -> list[tuple[str, Text]]:
    """The decay as an argument: as it broadcasts with the scores, or the logarithms of all steps,
    (..., T)."""
    if decay is None:
        return []
    if decay.factor is not None:
        return [("decay", _beside_scores(region, decay.factor))]
    assert decay.logarithm is not None
    rows = region.found.rows
    if rows in free_indices(decay.logarithm) and not used_as_number(decay.logarithm):
        target = [*region.found.batch, rows]
        return [("log_decays", region.placed(decay.logarithm, "decay", target))]
    return [("log_decay", _beside_scores(region, decay.logarithm))]


def _beside_scores(region: AttentionRegion, term: Term) -> Text:
    number = region.number(term) if used_as_number(term) else None
    target = region.target(region.found.rows, region.found.columns)
    return number if number is not None else region.placed(term, "decay", target)


_BEFORE = """\
import torch


def attend(q, k, v):
    scores = q @ k.transpose(-2, -1)
    return scores.tril() @ v
"""

_AFTER = """\
import torch
from auditor.kernels import causal_product


def attend(q, k, v):
    return causal_product(q, k, v)
"""

_ARRAYS = """\
import numpy as np


def attend(q, k, v):
    return np.tril(q @ k.T) @ v
"""

_ARRAYS_AFTER = """\
import numpy as np
from auditor.kernels import causal_product


def attend(q, k, v):
    return causal_product(q, k, v)
"""

_SQUARE = """\
import torch


def attend(q, k, v):
    T = q.shape[-2]
    mask = torch.tril(torch.ones(T, T, dtype=torch.bool))
    return (q @ k.transpose(-2, -1)).masked_fill(~mask, 0) @ v
"""

_SQUARE_AFTER = """\
import torch
from auditor.kernels import causal_product


def attend(q, k, v):
    T = q.shape[-2]
    return causal_product(q, k, v, size=T)
"""

_MASKED = """\
import torch


def attend(q, k, v, scale: float):
    B, H, T, D = q.shape
    B, H, T, D = k.shape
    mask = torch.tril(torch.ones(T, T, device=q.device), diagonal=-1)
    scores = torch.einsum("bhid,bhjd->bhij", q, k) * scale * mask
    return torch.einsum("bhij,bhjd->bhid", scores, v)
"""

_MASKED_AFTER = """\
import torch
from auditor.kernels import causal_product


def attend(q, k, v, scale: float):
    B, H, T, D = q.shape
    B, H, T, D = k.shape
    return causal_product(q, k, v, diagonal=-1, size=T, scale=scale)
"""

_BLOCKS = """\
import torch


def grouped(a: torch.Tensor, b: torch.Tensor, x: torch.Tensor):
    m, n = a.shape
    p, q = b.shape
    return torch.block_diag(a, b) @ x
"""

_BLOCKS_AFTER = """\
import torch


def grouped(a: torch.Tensor, b: torch.Tensor, x: torch.Tensor):
    m, n = a.shape
    p, q = b.shape
    return torch.cat(
        [block @ part for block, part in zip((a, b), x.split([a.shape[1], b.shape[1]]))]
    )
"""

_DECAYING = """\
import torch


def retain(q, k, v, g):
    until = g.cumsum(-1)
    decays = torch.exp(until[..., :, None] - until[..., None, :])
    return (q @ k.mT * decays.tril()) @ v
"""

_DECAYING_AFTER = """\
import torch
from auditor.kernels import causal_product


def retain(q, k, v, g):
    return causal_product(q, k, v, log_decays=g)
"""

REWRITE = Rewrite(
    code="SPA404",
    name="masked-matmul",
    summary="a product under a triangular mask computes the triangle",
    doc=__doc__,
    properties=("sparsity", "associativity"),
    find=find,
    seeks=(("triangle", "products"), ("decays", "products"), ("running", "product"), "cut"),
    inside=True,
    kernel="auditor.kernels.causal_product",
    becomes="causal_product(q, k, v)",
    examples=(
        Example("a triangle of scores", _BEFORE, _AFTER,
                "((torch.randn(2, 5, 3), torch.randn(2, 5, 3), torch.randn(2, 5, 4)),"
                " (torch.randn(150, 3), torch.randn(150, 3), torch.randn(150, 2)),"
                " (torch.randn(5, 3), torch.randn(4, 3), torch.randn(4, 2)))"),
        Example("a mask without the diagonal", _MASKED, _MASKED_AFTER,
                "((torch.randn(1, 2, 140, 3), torch.randn(1, 2, 140, 3), torch.randn(1, 2, 140, 3),"
                " 0.5),)"),
        Example("scores that decay", _DECAYING, _DECAYING_AFTER,
                "((torch.randn(2, 5, 3), torch.randn(2, 5, 3), torch.randn(2, 5, 4),"
                " -torch.rand(2, 5)),"
                " (torch.randn(1, 150, 3), torch.randn(1, 150, 3), torch.randn(1, 150, 2),"
                " -torch.rand(150)))"),
        Example("blocks on a diagonal", _BLOCKS, _BLOCKS_AFTER,
                "((torch.randn(2, 3), torch.randn(4, 5), torch.randn(8)),"
                " (torch.randn(1, 1), torch.randn(4, 0), torch.randn(1, 6)))"),
        Example("arrays of NumPy", _ARRAYS, _ARRAYS_AFTER,
                "tuple(tuple(torch.randn(n, 3).double().numpy() for _ in range(3))"
                " for n in (5, 150))"),
        Example("a mask of a stated size", _SQUARE, _SQUARE_AFTER,
                "((torch.randn(2, 5, 3), torch.randn(2, 5, 3), torch.randn(2, 5, 4)),"
                " (torch.randn(150, 3), torch.randn(150, 3), torch.randn(150, 2)),"
                " (torch.randn(1, 3), torch.randn(4, 3), torch.randn(4, 2)))"),
    ),
    refused=(
        RefusedExample("autocast", _BEFORE.replace(
            "    scores = q @ k.transpose(-2, -1)\n    return scores",
            "    with torch.autocast('cpu'):\n        return (q @ k.transpose(-2, -1))")),
        RefusedExample("short", _MASKED.replace(
            "    B, H, T, D = q.shape\n    B, H, T, D = k.shape\n",
            "    T = 64\n    q, k, v = (q.view(2, 3, T, 8), k.view(2, 3, T, 8),"
            " v.view(2, 3, T, 8))\n")),
        RefusedExample("gradients", _DECAYING.replace(
            "    decays = torch",
            "    with torch.enable_grad():\n        decays = torch")),
        RefusedExample("weights-used", _BEFORE.replace("@ v", "@ v, scores.sum()")),
        RefusedExample("product-used", _BLOCKS.replace(
            "return torch.block_diag(a, b) @ x",
            "d = torch.block_diag(a, b)\n    return d @ x, d")),
        RefusedExample("effects", _BEFORE.replace("    return", "    refresh(q)\n    return")),
    ),
    unmatched=(
        _AFTER,
        _BEFORE.replace("scores.tril()", "scores"),
        _BEFORE.replace("scores.tril()", "scores.tril(2)"),
        _BEFORE.replace("scores.tril()", "scores.exp().tril()"),
        _BEFORE.replace("scores.tril()", "(scores.tril() + 1)"),
        _MASKED.replace("torch.ones(T, T, device=q.device)", "torch.rand(T, T)"),
        _MASKED.replace("scale * mask", "scale - mask"),
        _DECAYING.replace("decays.tril()", "decays"),
    ),
)  # fmt: skip
