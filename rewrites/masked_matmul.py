"""Products of which a triangular mask keeps half, as one call that computes that half.

Finds ``((q @ k.mT) * mask) @ v`` without a softmax in between (linear attention in its quadratic
form): the mask a triangle, made by ``tril``, ``triu``, comparisons of places, ``masked_fill`` or
``where`` with zero, with or without the diagonal, lower or upper; the products in any spelling
(``@``, ``bmm``, ``einsum``), scaled or not.

Legal because what the mask leaves out is multiplied by zero, and what is left is a running sum of
outer products, ``sum_{i <= t} k_i v_i^T``, which a query reads: adding is associative, so the
sequence may be cut into chunks, of which each needs the sum before it and its own triangle.

Pays once the sequence is longer than the vectors: T (C + d) products a channel instead of T^2. The
kernel knows the sizes and computes all scores where these are few. Where a function gives a
triangle of a product, or blocks on its diagonal, and no kernel computes these alone, that is said.

Safe means: equal up to the order of floating-point sums, gradients included. Scores that are used
elsewhere as well stay. Where a key or value after a query is infinite or NaN, zero times it is NaN,
and here it is left out. Not safe is a mask whose size only broadcasting says to be that of the
scores: beside one query a mask of one entry keeps all keys.

Source: Katharopoulos et al., "Transformers are RNNs: Fast Autoregressive Transformers with Linear
Attention" (2020).
"""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.attention.masks import Arguments
from auditor.attention.region import AttentionRegion
from auditor.attention.unnormalised import Triangle, cut, triangular
from auditor.expression_rewrite import Text, text_of
from auditor.notation import Value
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.verdict import Verdict


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    value, node = site.value, site.node
    if site.loop is not None or value is None or node is None or site.statement is None:
        return None
    if value.span != site.lifted.module.span(node) or value.library == "python":
        return None
    found = triangular(value) if value.library != "numpy" else None
    if found is None:
        return _told(site, value)
    attention, triangle = found
    region = AttentionRegion(site, attention)
    if region.scripted() or not region.tensors(attention.opened.values):
        return None
    site.require(not region.autocast(), "autocast", "under autocast products have another dtype")
    match = region.match(
        "causal_product",
        lambda: Arguments(tuple(_words(triangle))),
        "of the scores a triangle is used and all are computed: running sums in chunks need no more"
        " than it",
        scaled=bool(attention.score.scales),
    )
    if triangle.multiplied:
        stated = "assumes that the scores keep their type beside the mask"
        match = replace(match, reason=_stated(match.reason, stated))
    certain = site.lifted.facts.certain
    if not all(certain(axis.extent) for axis in (attention.rows, attention.columns)):
        doubt = "one query beside several keys, or one key, may meet a mask of one entry"
        match = replace(match, safe=False, reason=_stated(match.reason, doubt))
    # 1024 rows of 64 numbers: half the scores of chunks of 64 rows and two products with a state
    return replace(match, gains={"any": 4.0}, counted=True)


def _told(site: Site, value: Value) -> Match | None:
    """What is said of a product of which the function gives a part, which no kernel computes
    alone."""
    returned = site.statement
    if not isinstance(returned, ast.Return) or returned.value is not site.node:
        return None
    part = cut(value)
    if part is None:
        return None
    shown = f"zero but in {_PARTS[part][0]}: the other entries of the product are left out"
    return Match(
        span=site.computation.span,
        message=_PARTS[part][1],
        computation=site.computation,
        gains={"any": 1.5 if part == "triangle" else 4.0},
        counted=True,
        verdicts={"sparsity": Verdict("holds", "structure", shown)},
    )


_PARTS = {
    "triangle": (
        "a triangle",
        "a triangle of the product is kept and all of it computed: in blocks of rows, each as far"
        " as the diagonal, half of the multiplications are enough",
    ),
    "blocks": (
        "blocks on the diagonal",
        "blocks on the diagonal of the product are kept and all of it computed: with the rows and"
        " columns of each block on an axis of their own (`unflatten`), `bmm` computes these alone",
    ),
}


def _stated(reason: str | None, sentence: str) -> str:
    return f"{reason}; {sentence}" if reason else sentence


def _words(triangle: Triangle) -> list[tuple[str, Text]]:
    found = [("diagonal", text_of(repr(triangle.diagonal)))] if triangle.diagonal else []
    return [*found, *([("upper", text_of("True"))] if triangle.upper else [])]


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
    return causal_product(q, k, v, diagonal=-1, scale=scale)
"""

REWRITE = Rewrite(
    code="SPA404",
    name="masked-matmul",
    summary="a product under a triangular mask computes the triangle",
    doc=__doc__,
    properties=("sparsity", "associativity"),
    find=find,
    seeks=(("triangle", "products"), "cut"),
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
    ),
    refused=(
        RefusedExample("autocast", _BEFORE.replace(
            "    scores = q @ k.transpose(-2, -1)\n    return scores",
            "    with torch.autocast('cpu'):\n        return (q @ k.transpose(-2, -1))")),
        RefusedExample("weights-used", _BEFORE.replace("@ v", "@ v, scores.sum()")),
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
    ),
)  # fmt: skip
