"""Attention whose weights are never written to memory.

    weights = softmax(scale q k^T + mask)        out = weights v

The softmax is a fold over the keys with the state (m, s, o): the largest score, the sum of
exp(score - m), and the sum of exp(score - m) v:

    identity   (-inf, 0, 0)
    combine    m = max(m1, m2);  s = s1 exp(m1 - m) + s2 exp(m2 - m);  o likewise

so keys can be taken in tiles. torch's `scaled_dot_product_attention` does this on every device and
is the best implementation there is; this function makes it total: whatever it does not take, or
means differently (ranks, broadcast batches, a tensor scale, dropout), goes to the reference.
torch's fused backward has no derivative of its own: a gradient that must be differentiable itself
is that of the reference, and so are tangents of forward mode. It loses the weights of a query whose
every key a large added number hides, so that such gradients are the reference's, too; on a GPU the
fused forward would, where that number is near the end of its range, which is taken out first.

One difference remains: a row whose boolean mask keeps no key is NaN in the plain formula and may
be 0 here.

Sources: Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018); Dao et al.,
"FlashAttention" (2022).
"""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from .gradients import differentiable_gradients, private
from .shapes import broadcast
from .surroundings import transformed, unseen

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-12, 1e-11),
    torch.float32: (1e-5, 1e-4),
    torch.float16: (4e-3, 2e-2),
    torch.bfloat16: (3.2e-2, 1.6e-1),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients).

The weights are rounded to the input's dtype before they meet v: four units in the last place for
half types, and gradients multiply two such roundings. float32 sums over keys and channels.
"""


def reference(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    attn_mask: Tensor | None = None,
    is_causal: bool = False,
    scale: float | Tensor | None = None,
    enable_gqa: bool = False,
    dropout_p: float = 0.0,
    fill: float = -math.inf,
    bias: Tensor | float | None = None,
) -> Tensor:
    """What `flash_attention` computes, with the weights in memory."""
    if enable_gqa:
        k = k.repeat_interleave(q.shape[-3] // k.shape[-3], dim=-3)
        v = v.repeat_interleave(q.shape[-3] // v.shape[-3], dim=-3)
    fill = _within(fill, q.dtype)
    scores = q @ k.transpose(-2, -1)
    scores = scores / math.sqrt(q.shape[-1]) if scale is None else scores * scale
    if bias is not None:
        scores = scores + bias
    if is_causal:
        kept = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).tril()
        scores = scores.masked_fill(~kept, fill)
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        scores = scores.masked_fill(~attn_mask, fill)
    elif attn_mask is not None:
        scores = scores + attn_mask
    weights = _weights(scores)
    if dropout_p:
        weights = F.dropout(weights, dropout_p)
    return weights.to(v.dtype) @ v


def _weights(scores: Tensor) -> Tensor:
    """The softmax of scores; of complex ones, of which torch has none, by its formula."""
    if not scores.is_complex():
        return torch.softmax(scores, dim=-1)
    top = scores.real.amax(-1, keepdim=True) if scores.shape[-1] else 0.0
    weights = torch.exp(scores - top)
    return weights / weights.sum(-1, keepdim=True)


def _within(fill: float, dtype: torch.dtype) -> float:
    """`fill` as `dtype` holds it: -inf below its range, as where a tensor is cast."""
    reached = not dtype.is_floating_point or fill >= torch.finfo(dtype).min
    return fill if reached else -math.inf


def _broadcasts(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    """Whether `shape` broadcasts to exactly `to`."""
    return len(shape) <= len(to) and all(
        have in (1, want) for have, want in zip(reversed(shape), reversed(to), strict=False)
    )


def four_dimensional(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, enable_gqa: bool
) -> tuple[Tensor, Tensor, Tensor, Tensor | None, tuple[int, ...]] | None:
    """The operands as (batch, heads, length, channels), which is what fused kernels take.

    Also the batch shape to restore. None where torch's function does not cover the call.
    """
    rank = q.ndim
    if not rank == k.ndim == v.ndim and not enable_gqa and min(rank, k.ndim, v.ndim) >= 2:
        # arrays that all batches share
        rank = max(rank, k.ndim, v.ndim)
        q, k, v = (each[(None,) * (rank - each.ndim)] for each in (q, k, v))
    queries, keys, values = tuple(q.shape), tuple(k.shape), tuple(v.shape)
    if not rank == len(keys) == len(values) >= 2 or (enable_gqa and rank < 3):
        return None
    if not q.is_floating_point() or not q.dtype == k.dtype == v.dtype:
        return None
    if not q.device == k.device == v.device or 0 in (*queries, *keys, *values):
        return None
    if queries[-1] != keys[-1] or keys[-2] != values[-2]:
        return None
    batch = queries[:-2]
    if enable_gqa:
        if not queries[:-3] == keys[:-3] == values[:-3] or keys[-3] != values[-3]:
            return None
        if queries[-3] % keys[-3]:
            return None
    elif not batch == keys[:-2] == values[:-2]:
        try:
            batch = tuple(broadcast(batch, keys[:-2], values[:-2]))
        except RuntimeError:
            return None
        q, k, v = (each.expand(*batch, *each.shape[-2:]) for each in (q, k, v))
    if mask is not None:
        if mask.dtype not in (torch.bool, q.dtype) or mask.device != q.device:
            return None
        if not _broadcasts(tuple(mask.shape), (*batch, queries[-2], keys[-2])):
            return None
        if mask.ndim < 2 or (rank > 4 and mask.ndim > 3):
            return None
    if rank == 3 and not enable_gqa:
        # a batch without heads
        q, k, v = (each.unsqueeze(1) for each in (q, k, v))
        if mask is not None and mask.ndim == 3:
            mask = mask.unsqueeze(1)
    elif rank < 4:
        q, k, v = (each[(None,) * (4 - rank)] for each in (q, k, v))
    elif rank > 4:
        q, k, v = (each.flatten(0, -4) for each in (q, k, v))
    if mask is not None and mask.ndim < 4:
        mask = mask[(None,) * (4 - mask.ndim)]
    return q, k, v, mask, batch


NEVER_SEEN = -1e4
"""A score below this leaves a key no weight beside any key that is kept."""


ROUNDED_OFF = 1e3
"""Beside a number as large, the logarithm of a sum in float32 loses digits that weights need."""


OUT_OF_REACH = -1e30
"""Beside a number as low, scores are rounded away."""


def _open_rows(q: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor | None]:
    """Queries and mask under which a query that has no key left takes all keys equally, as it does
    where a finite number replaces its scores; no gradient passes through such a query."""
    if mask is None or mask.dtype != torch.bool or not mask.ndim or not mask.shape[-1]:
        return q, mask
    some = mask.any(-1, keepdim=True)
    return torch.where(some, q, 0), mask | ~some


def _shown(bias: Tensor, keep: Tensor, fill: float) -> Tensor:
    """What is added to the scores that are kept, and hides the others; nothing is added where a
    finite number replaces all scores of a query."""
    hidden = torch.full((), -math.inf, dtype=bias.dtype, device=bias.device)
    if fill > -math.inf:
        hidden = torch.where(keep.any(-1, keepdim=True), hidden, 0)
    return torch.where(keep, bias, hidden)


def _differentiated(*operands: Tensor | None) -> bool:
    """Whether a gradient may be asked for with respect to one of the operands."""
    return torch.is_grad_enabled() and any(
        each is not None and each.requires_grad for each in operands
    )


def _loses_weights(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> bool:
    """Whether a gradient may pass through a query whose every key an added number hides. The fused
    backward computes its weights again from the logarithm of their sum, which beside such a number
    is rounded away: each would be 1."""
    if mask is None or mask.dtype == torch.bool or not _differentiated(q, k, v, mask):
        return False
    return unseen(mask) or bool((mask.detach().amax(-1).abs() > ROUNDED_OFF).any())


def hiding_none(q: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Queries and mask that give a query whose every key a number near the end of its range hides
    the weights that such numbers leave it: their differences alone, for what is added to them is
    rounded away. Fused kernels of a GPU scale such a number to -inf and would give it none."""
    top = mask.amax(-1, keepdim=True)
    hidden = (top < OUT_OF_REACH) & (top > -math.inf)
    return torch.where(hidden, 0, q), torch.where(hidden, mask - top, mask)


def folded(q: Tensor, scale: Tensor) -> tuple[Tensor, float] | None:
    """Queries that are scaled already, and the scale that is left; None where a scale differs
    between keys, or would change the dtype or the shape of the queries."""
    if scale.ndim and (scale.shape[-1] != 1 or scale.dtype != q.dtype or scale.ndim > q.ndim):
        return None
    return (q * scale, 1.0) if not scale.is_complex() else None


def lasting(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """Operands that the backward pass may read. The fused kernel keeps them all, the plain formula
    only what the gradient of another operand needs: the rest a caller may have overwritten."""
    needs = [each is not None and each.requires_grad for each in (q, k, v, mask)]
    if not _differentiated(q, k, v, mask):
        return q, k, v, mask
    return (
        q if needs[1] else private(q),
        k if needs[0] else private(k),
        v if needs[0] or needs[1] or needs[3] else private(v),
        None if mask is None else private(mask),
    )


_FUSED_ON_CPU = "ScaledDotProductFlashAttentionForCpuBackward0"


def _reference_where_differentiable(
    found: tuple[Tensor | None, ...], douts: tuple[Tensor | None, ...]
) -> tuple[Tensor | None, ...] | None:
    """A hook behind the fused backward on a CPU: where its gradients must be differentiable, those
    of the reference instead. It costs a tenth of what a function of its own would, and keeps
    nothing that the fused backward does not keep."""
    if not torch.is_grad_enabled():
        return None
    fused: Any = torch._C._current_autograd_node()
    operands = fused._saved_query, fused._saved_key, fused._saved_value, fused._saved_attn_mask

    def results_of(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> tuple[Tensor]:
        options = {"is_causal": fused._saved_is_causal, "scale": fused._saved_scale}
        return (reference(q, k, v, attn_mask=mask, **options),)

    grads = differentiable_gradients(results_of, operands, douts[:1])
    return (*grads[:3], *found[3:])


class _Result(torch.autograd.Function):
    """A copy of the fused result, whose gradient goes through the fused backward, or through the
    reference where it must be differentiable: where no hook does that.

    The copy is the caller's to overwrite: the fused backward reads its own.
    """

    @staticmethod
    def forward(
        ctx: Any,
        out: Tensor,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        mask: Tensor | None,
        is_causal: bool,
        scale: float | None,
        enable_gqa: bool,
    ) -> Tensor:
        ctx.is_causal, ctx.scale, ctx.enable_gqa = is_causal, scale, enable_gqa
        ctx.save_for_backward(q, k, v, mask)
        return out.clone(memory_format=torch.contiguous_format)

    @staticmethod
    def backward(ctx: Any, dout: Tensor) -> tuple[Tensor | None, ...]:
        if not torch.is_grad_enabled():
            return dout, *(None,) * 7
        q, k, v, mask = ctx.saved_tensors

        def results_of(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> tuple[Tensor]:
            options = {"is_causal": ctx.is_causal, "enable_gqa": ctx.enable_gqa}
            return (reference(q, k, v, attn_mask=mask, scale=ctx.scale, **options),)

        grads = differentiable_gradients(results_of, (q, k, v, mask), (dout,))
        return None, *grads, None, None, None


def _fused_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    batch: tuple[int, ...],
    is_causal: bool,
    scale: float | None,
    enable_gqa: bool,
) -> Tensor:
    """torch's fused attention of what `four_dimensional` gives, as differentiable as the plain
    formula and as its result a caller's own."""
    wide = mask is not None and mask.dtype not in (torch.bool, torch.float16)
    elsewhere = q.device.type != "cpu"
    if mask is not None and wide and elsewhere and not _differentiated(q, k, v, mask):
        q, mask = hiding_none(q, mask)
    q, k, v, mask = lasting(q, k, v, mask)
    out = F.scaled_dot_product_attention(
        q, k, v, attn_mask=mask, is_causal=is_causal, scale=scale, enable_gqa=enable_gqa
    )
    if out.requires_grad and torch.compiler.is_compiling():
        out = out.clone(memory_format=torch.contiguous_format)
    elif out.requires_grad:
        fused = out.grad_fn
        if type(fused).__name__ == _FUSED_ON_CPU and not enable_gqa:
            fused.register_hook(_reference_where_differentiable)
            out = out.clone(memory_format=torch.contiguous_format)
        else:
            out = _Result.apply(out, q, k, v, mask, is_causal, scale, enable_gqa)
    return (out if len(batch) == 2 else out.reshape(*batch, *out.shape[-2:])).contiguous()


def flash_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    attn_mask: Tensor | None = None,
    is_causal: bool = False,
    scale: float | Tensor | None = None,
    enable_gqa: bool = False,
    dropout_p: float = 0.0,
    fill: float = -math.inf,
    bias: Tensor | float | None = None,
) -> Tensor:
    """softmax(scale q k^T + mask) v, without the weights in memory.

    Args:
        q: (..., Lq, D); any rank from 2. k: (..., Lk, D). v: (..., Lk, Dv). The leading axes
            broadcast as in torch.matmul.
        attn_mask: broadcasts to the scores (..., Lq, Lk): boolean, True keeps; else it is added.
        is_causal: query i sees keys 0 to i (aligned at the top left, also where Lq != Lk); may be
            combined with a mask.
        scale: a number or a tensor; None is 1 / sqrt(D).
        enable_gqa: axis -3 of q has a multiple of the heads of k and v, neighbours share them.
        dropout_p: always active when above 0, drawn with one F.dropout on the weights.
        fill: the score of what a boolean mask leaves out, whatever is added to the others. A large
            negative number differs from -inf for a query that no key is left for: it gets the mean
            of v, not NaN. One that the dtype does not reach is -inf.
        bias: is added whatever its dtype, a boolean one as ones and zeros; a number, too.

    Floating dtypes, equal for q and k; the weights are rounded to that of v. Differentiable in
    q, k, v, a tensor scale and an added mask, any number of times. The result, the mask and what
    the plain formula would not keep for its backward pass may be overwritten before that. A key
    behind the mask has to be finite all the same: its score is added to -inf, not replaced.

    Returns:
        (..., Lq, Dv) in the dtype of v.

    Raises:
        What `reference` raises: whatever torch's fused function does not cover is handed to it.
    """
    fused = None
    scaled = folded(q, scale) if isinstance(scale, Tensor) else (q, scale)
    if is_causal and isinstance(scale, (int, float)) and not scale > 0:
        # torch scales the -inf of what is not seen, too
        scaled = q * scale, 1.0
    if (
        not dropout_p
        and scaled is not None
        and sum((is_causal, attn_mask is not None or bias is not None)) <= 1
        and (bias is None or attn_mask is None or attn_mask.dtype == torch.bool)
        and fill < NEVER_SEEN
        and fill == _within(fill, q.dtype)
        and (bias is None or isinstance(bias, Tensor))
        and not transformed()
    ):
        queries, factor = scaled
        mask = attn_mask
        if fill > -math.inf:
            queries, mask = _open_rows(queries, mask)
        if bias is not None:
            added = bias if bias.is_floating_point() else bias.to(q.dtype)
            mask = added if attn_mask is None else _shown(added, attn_mask, fill)
        fused = four_dimensional(queries, k, v, mask, enable_gqa)
    if fused is not None and not _loses_weights(*fused[:4]):
        return _fused_attention(*fused, is_causal, factor, enable_gqa)
    return reference(
        q,
        k,
        v,
        attn_mask=attn_mask,
        is_causal=is_causal,
        scale=scale,
        enable_gqa=enable_gqa,
        dropout_p=dropout_p,
        fill=fill,
        bias=bias,
    )
