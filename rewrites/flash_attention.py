"""Attention whose weights are written to memory, as one call that never writes them.

Finds ``softmax(scale q k^T + mask) v`` by what it computes, for many queries or for one: einsum,
``@``, ``matmul``, ``bmm``, ``baddbmm`` or a broadcast product and a sum; the scale on the queries,
the keys or the scores; the softmax of torch, of a module, or written by hand, stable or not,
normalised before or after it meets the values; masks filled in, chosen by ``where`` or added, under
a condition of the program or not; dropout that is inactive. How heads are split before and merged
after stays as it was.

Legal because a weight is an exponential of a score divided by the sum of all of them: the cascade
of maximum, sum and weighted sum is a fold over the keys with the state (m, s, o), whose combine
rescales both sides to the larger maximum. The keys can be taken in tiles.

Pays whenever the scores do not stay in cache: they are written and read four times.

Safe means: equal up to the order of floating-point sums, gradients included. A row that a boolean
mask leaves without any key is NaN in the original if it was filled with minus infinity, and then
nothing is promised; a mask that leaves the first query none in every run is refused. Filled with a
large negative number the row is the mean of the values, and that is kept (``fill=``). Stated where
it matters: that scores that a mask hides are finite (minus infinity is added to them here), that a
number that they are divided by is not zero (its reciprocal is taken), that no axis of an einsum is
stretched. Weights that anything else needs are a refusal, unless a flag that is off by default asks
for them: they are computed under it, and the attention goes without them.

Sources: Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018); Dao et al.,
"FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness" (2022).
"""

from __future__ import annotations

from auditor.attention.region import attention_at
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    region = attention_at(site)
    if region is None:
        return None
    return region.match(
        "flash_attention",
        region.mask_arguments,
        "this is attention: its weights are a softmax over the keys, which is folded key by key"
        " without keeping the weights",
    )


_BEFORE = """\
import math

import torch
import torch.nn.functional as F


def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    return weights @ v
"""

_AFTER = """\
import math

import torch
import torch.nn.functional as F
from auditor.kernels import flash_attention


def attend(q, k, v, mask=None):
    return flash_attention(q, k, v, attn_mask=None if mask is None else mask != 0)
"""

_EINSUM_BEFORE = """\
import torch


def attend(q, k, v, bias):
    # (batch, length, heads, channels)
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) + bias
    scores = scores - scores.amax(dim=-1, keepdim=True)
    weights = scores.exp()
    weights = weights / weights.sum(dim=-1, keepdim=True)
    out = torch.einsum("bhqk,bkhd->bqhd", weights, v)
    return out.flatten(2)
"""

_EINSUM_AFTER = """\
import torch
from auditor.kernels import flash_attention


def attend(q, k, v, bias):
    # (batch, length, heads, channels)
    out = flash_attention(
        q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), bias=bias, scale=1.0
    ).transpose(1, 2)
    return out.flatten(2)
"""

_CASES = "(torch.randn(2, 3, 5, 4), torch.randn(2, 3, 7, 4), torch.randn(2, 3, 7, 6))"
_EINSUM_CASES = (
    "(torch.randn(2, 5, 3, 4), torch.randn(2, 7, 3, 4), torch.randn(2, 7, 3, 6),"
    " torch.randn(3, 5, 7))"
)

REWRITE = Rewrite(
    code="ASC109",
    name="flash-attention",
    summary="attention runs without writing its weights to memory",
    doc=__doc__,
    properties=("associativity", "separability"),
    find=find,
    seeks=(
        ("exponential", "products"),
        ("softmax", "products"),
        ("exponential", "product", "loop"),
    ),
    inside=True,
    kernel="auditor.kernels.flash_attention",
    becomes="flash_attention(q, k, v)",
    examples=(
        Example("with a mask that may be absent", _BEFORE, _AFTER, _CASES),
        Example("by hand, channels last", _EINSUM_BEFORE, _EINSUM_AFTER, _EINSUM_CASES),
    ),
    refused=(
        RefusedExample(
            "weights-used", _BEFORE.replace("return weights @ v", "return weights @ v, weights")
        ),
        RefusedExample(
            "finite-mask",
            _BEFORE.replace('float("-inf")', "-1e9")
            .replace("    weights =", "    scores = scores + v.mean()\n    weights =")
            .replace("v.mean()", "(k.mean(-1)[..., None, :] > 0).float()"),
        ),
        RefusedExample(
            "query-without-keys",
            _BEFORE.replace("mask=None", "n")
            .replace("    if mask is not None:\n        scores", "    scores")
            .replace("mask == 0", "torch.ones(n, n).triu() == 1"),
        ),
        RefusedExample(
            "mask-guards",
            _BEFORE.replace("mask=None):", "mask=None, bias=None):").replace(
                "    weights =",
                "    scores = scores if bias is None else scores + bias\n    weights =",
            ),
        ),
        RefusedExample(
            "effects", _BEFORE.replace("    weights =", "    mask.zero_()\n    weights =")
        ),
        RefusedExample(
            "dtype",
            _BEFORE.replace("F.softmax(scores", "F.softmax(scores.half()").replace(
                "weights @ v", "weights @ v.half()"
            ),
        ),
        RefusedExample(
            "rounding",
            _BEFORE.replace("F.softmax(scores", "F.softmax(scores.half()").replace(
                "weights @ v", "weights.to(v.dtype) @ v"
            ),
        ),
        RefusedExample(
            "gradients",
            _BEFORE.replace("    weights =", "    with torch.autocast('cpu'):\n        weights ="),
        ),
    ),
    unmatched=(
        _BEFORE.replace("dim=-1)", "dim=-2)"),
        _BEFORE.replace("weights @ v", "(weights * mask) @ v"),
        _BEFORE.replace("F.softmax(scores, dim=-1)", "torch.sigmoid(scores)"),
        _BEFORE.replace("F.softmax(scores, dim=-1)", "F.softmax(torch.tanh(scores), dim=-1)"),
    ),
)
