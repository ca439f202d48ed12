"""Attention in which a query sees only the keys around its own place.

    weights_ij = softmax_j(scale q_i . k_j)  over  i - left <= j <= i + right        out = weights v

A block of b neighbouring queries sees b + left + right neighbouring keys: the queries are cut into
blocks, each with a window on the keys (a view: neighbouring windows overlap), and all blocks are
attended to at once, as batches, under the mask that cuts the slanted edges. So b + left + right
scores a query are computed instead of all, and time and memory grow with the length times the
width, in the backward pass too: blocks and windows are pads and views, and what runs on them is
`flash_attention`, whose derivatives of any order these are. On a GPU a Triton kernel walks over the
tiles of the band instead (see `local_attention_triton`); a gradient of its gradient is that of the
blocks.

Where the band leaves out less than half of the scores, the same function runs on the whole, with
the band as its mask; where a query has no key at all, the plain formula does, since its result is
then NaN or, with a finite fill, the mean of all values. So no call is slower than attention under
a mask, whatever the width.

One difference remains: a NaN or infinite value far from a query spoils its result in the plain
formula (0 times NaN), and does not here.

Source: Beltagy, Peters and Cohan, "Longformer: The Long-Document Transformer" (2020), section 3.1.
"""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from .flash_attention import NEVER_SEEN, flash_attention, folded, four_dimensional, lasting
from .flash_attention import reference as plain_attention
from .gradients import differentiable_gradients
from .local_attention_triton import WIDEST, backward_triton, forward_triton
from .surroundings import autocasting, transformed, unrecorded
from .triton_runtime import usable

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-12, 1e-11),
    torch.float32: (1e-5, 1e-4),
    torch.float16: (4e-3, 2e-2),
    torch.bfloat16: (3.2e-2, 1.6e-1),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients).

As for `flash_attention`, which computes each block: the weights are rounded to the input's dtype
before they meet v, and gradients multiply two such roundings.
"""

SHORTEST_BLOCK = 64
"""Queries a block: fewer are too little work for one entry of a batch, and more than the width of
the band compute more than twice of what it holds."""

ON_TRITON = (torch.float16, torch.bfloat16, torch.float32)
"""Dtypes that the Triton kernel is faster in. Read off an H200 (2026-11-27), a window of 512: in
bfloat16 (4, 16, 4096, 128) takes 0.27 ms against 0.98 in blocks, with gradients 1.4 against 3.9; in
float32 (2, 8, 4096, 128) 0.84 against 1.3 and 3.6 against 4.6."""

Bound = int | float | Tensor | None


def band(
    queries: int, keys: int, left: Bound, right: Bound, device: torch.device | None = None
) -> Tensor:
    """True where query i sees key j: i - left <= j <= i + right. (queries, keys)."""
    i = torch.arange(queries, device=device)[:, None]
    j = torch.arange(keys, device=device)
    seen = torch.ones(queries, keys, dtype=torch.bool, device=device)
    if left is not None:
        seen = seen & (i - j <= left)
    if right is not None:
        seen = seen & (j - i <= right)
    return seen


def reference(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    window: tuple[Bound, Bound],
    scale: float | Tensor | None = None,
    enable_gqa: bool = False,
    fill: float = -math.inf,
) -> Tensor:
    """What `local_attention` computes, with all scores in memory."""
    seen = band(q.shape[-2], k.shape[-2], *window, device=q.device)
    return plain_attention(q, k, v, attn_mask=seen, scale=scale, enable_gqa=enable_gqa, fill=fill)


def _bounds(queries: int, keys: int, window: tuple[Bound, Bound]) -> tuple[int, int] | None:
    """The window in whole numbers no wider than the scores are; None where it is no number, or
    some query has no key in it."""
    left, right = (math.inf if bound is None else bound for bound in window)
    if not all(isinstance(bound, (int, float)) for bound in (left, right)):
        return None
    if math.isnan(left) or math.isnan(right):
        return None
    first = math.floor(min(left, queries - 1))
    last = math.floor(min(right, keys - 1))
    # the last query must have a key to its left, the first one to its right
    if queries == 0 or queries - 1 - first > keys - 1 or last < 0 or first + last < 0:
        return None
    return first, last


def _well_formed(q: Tensor, k: Tensor, v: Tensor) -> bool:
    """Whether the operands are floating and fit, but for their leading axes."""
    if not q.is_floating_point() or not q.dtype == k.dtype == v.dtype:
        return False
    if min(q.ndim, k.ndim, v.ndim) < 2 or not q.device == k.device == v.device:
        return False
    return q.shape[-1] == k.shape[-1] and k.shape[-2] == v.shape[-2]


def _blockwise(
    q: Tensor, k: Tensor, v: Tensor, left: int, right: int, size: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Queries in blocks of `size`, and the keys, values and mask that each block sees."""
    queries, keys = q.shape[-2], k.shape[-2]
    blocks = -(-queries // size)
    span = size + left + right
    ends = (0, 0, left, blocks * size + right - keys)
    q = F.pad(q, (0, 0, 0, blocks * size - queries)).unflatten(-2, (blocks, size))
    k, v = (
        F.pad(each, ends).unfold(-2, span, size).transpose(-2, -1) for each in (k, v)
    )  # fmt: skip
    starts = torch.arange(blocks, device=q.device)[:, None, None] * size
    i = torch.arange(size, device=q.device)[:, None]
    j = torch.arange(span, device=q.device) - left
    seen = (i - j <= left) & (j - i <= right) & (starts + j >= 0) & (starts + j < keys)
    # a query that only fills up the last block must not be without keys: it would be NaN
    return q, k, v, seen | (starts + i >= queries)


def _in_torch(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    left: int,
    right: int,
    scale: float | Tensor | None,
    enable_gqa: bool,
) -> Tensor:
    """Blocks, or all at once where the band leaves out too little. The bounds are those of
    `_bounds`."""
    queries, keys = q.shape[-2], k.shape[-2]
    size = max(SHORTEST_BLOCK, left + right)
    scores = -(-queries // size) * size * (size + left + right)
    scaled = folded(q, scale) if isinstance(scale, Tensor) else (q, scale)
    if 2 * scores > queries * keys or scaled is None:
        causal = left >= queries - 1 and right == 0
        mask = None
        if not causal and (left < queries - 1 or right < keys - 1):
            mask = band(queries, keys, left, right, device=q.device)
        options: dict[str, Any] = {"scale": scale, "enable_gqa": enable_gqa}
        return flash_attention(q, k, v, is_causal=causal, attn_mask=mask, **options)
    q, number = scaled
    if enable_gqa:
        k = k.repeat_interleave(q.shape[-3] // k.shape[-3], dim=-3)
        v = v.repeat_interleave(q.shape[-3] // v.shape[-3], dim=-3)
    q, k, v, seen = _blockwise(q, k, v, left, right, size)
    out = flash_attention(q, k, v, attn_mask=seen, scale=number)
    return out.flatten(-3, -2)[..., :queries, :].contiguous()


# ------------------------------------------------------------------------------------ Triton path


def _computed(
    q: Tensor, k: Tensor, v: Tensor, left: int, right: int, scale: float, keep: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """The result for q (batch, heads, Lq, D), k and v (batch, heads of keys, Lk, D or Dv). With
    `keep` a copy of it and the logarithms for the backward pass, empty without."""
    out, kept, lse = _forward_fake(q, k, v, left, right, scale, keep)
    kept_or_not = (kept, lse) if keep else (None, None)
    forward_triton(q, k, v, (left, right), scale, out, *kept_or_not)
    return out, kept, lse


_forward = torch.library.custom_op("auditor::local_attention", _computed, mutates_args=())


def _forward_fake(
    q: Tensor, k: Tensor, v: Tensor, left: int, right: int, scale: float, keep: bool
) -> tuple[Tensor, Tensor, Tensor]:
    shape = (*q.shape[:3], v.shape[3])
    kept = shape if keep else (0,)
    lse = shape[:3] if keep else (0,)
    return v.new_empty(shape), v.new_empty(kept), v.new_empty(lse, dtype=torch.float32)


@torch.library.custom_op("auditor::local_attention_backward", mutates_args=())
def _backward(
    do: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    kept: Tensor,
    lse: Tensor,
    left: int,
    right: int,
    scale: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of q, k and v."""
    grads = _backward_fake(do, q, k, v, kept, lse, left, right, scale)
    backward_triton(do, q, k, v, kept, lse, (left, right), scale, *grads)
    return grads


def _backward_fake(
    do: Tensor,
    q: Tensor,
    k: Tensor,
    v: Tensor,
    kept: Tensor,
    lse: Tensor,
    left: int,
    right: int,
    scale: float,
) -> tuple[Tensor, Tensor, Tensor]:
    return q.new_empty(q.shape), k.new_empty(k.shape), v.new_empty(v.shape)


def _setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
    q, k, v, *ctx.numbers, _ = inputs
    ctx.set_materialize_grads(False)
    # the result itself is the caller's to overwrite
    ctx.save_for_backward(q, k, v, *output[1:])


def _differentiate(
    ctx: Any, do: Tensor | None, _dkept: Tensor | None, _dlse: Tensor | None
) -> tuple[Tensor | None, ...]:
    q, k, v, kept, lse = ctx.saved_tensors
    grads: Any = (None, None, None)
    if do is not None and torch.is_grad_enabled():
        # create_graph: the gradients must be differentiable themselves

        def results_of(q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor]:
            return (_in_torch(q, k, v, *ctx.numbers, enable_gqa=q.shape[1] != k.shape[1]),)

        grads = differentiable_gradients(results_of, (q, k, v), (do,))
    elif do is not None:
        grads = _backward(do, q, k, v, kept, lse, *ctx.numbers)
    return (*grads, None, None, None, None)


_forward.register_fake(_forward_fake)
_backward.register_fake(_backward_fake)
_forward.register_autograd(_differentiate, setup_context=_setup_context)


def _has_kernel(q: Tensor, v: Tensor) -> bool:
    """Whether the Triton kernel takes operands of these dtypes and widths, on their device."""
    return (
        usable(q)
        and q.dtype in ON_TRITON
        and max(q.shape[-1], v.shape[-1]) <= WIDEST
        and (not autocasting(q) or torch.get_autocast_dtype("cuda") == q.dtype)
        and torch.cuda.is_available()  # not where tensors are imagined
        and torch.cuda.get_device_properties(q.device).major >= 8  # before, no bfloat16
    )


def _in_triton(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    left: int,
    right: int,
    scale: float | Tensor | None,
    enable_gqa: bool,
) -> Tensor | None:
    """As `_in_torch`, where the operands can be laid out for the kernel."""
    scaled = folded(q, scale) if isinstance(scale, Tensor) else (q, scale)
    fitting = None if scaled is None else four_dimensional(scaled[0], k, v, None, enable_gqa)
    if scaled is None or fitting is None:
        return None
    q, k, v, _, batch = fitting
    q, k, v, _ = lasting(q, k, v, None)
    number = 1 / math.sqrt(q.shape[-1]) if scaled[1] is None else float(scaled[1])
    keep = torch.is_grad_enabled() and any(each.requires_grad for each in (q, k, v))
    attend = _computed if unrecorded(q, k, v) else _forward
    out, _, _ = attend(q, k, v, left, right, number, keep)
    return out.reshape(*batch, *out.shape[-2:])


# -------------------------------------------------------------------------------- public function


def local_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    window: tuple[Bound, Bound],
    scale: float | Tensor | None = None,
    enable_gqa: bool = False,
    fill: float = -math.inf,
) -> Tensor:
    """Attention of each query to the keys from `left` places before its own to `right` after.

    Args:
        q: (..., Lq, D); any rank from 2. k: (..., Lk, D). v: (..., Lk, Dv). The leading axes
            broadcast as in torch.matmul.
        window: (left, right), so that query i sees keys i - left to i + right, both included and
            counted from the start (also where Lq != Lk). None is no bound; (w, 0) is causal. A
            negative number leaves out the query's own place.
        scale: a number or a tensor; None is 1 / sqrt(D).
        enable_gqa: axis -3 of q has a multiple of the heads of k and v, neighbours share them.
        fill: the score of what the window leaves out. A large negative number differs from -inf
            for a query that no key is left for: it gets the mean of v, not NaN.

    Floating dtypes, equal for q and k; the weights are rounded to that of v. Differentiable in
    q, k, v and a tensor scale, any number of times. A key or value that is infinite or NaN may
    make those queries NaN as well that do not see it but are near.

    Returns:
        (..., Lq, Dv) in the dtype of v.

    Raises:
        What `reference` raises: whatever has no blocks is handed to it.
    """
    options: dict[str, Any] = {"scale": scale, "enable_gqa": enable_gqa}
    bounds = None
    if _well_formed(q, k, v) and fill < NEVER_SEEN and not transformed():
        bounds = _bounds(q.shape[-2], k.shape[-2], window)
    if bounds is None:
        return reference(q, k, v, window=window, fill=fill, **options)
    left, right = bounds
    # what torch's own kernels do without a mask
    plain = left >= q.shape[-2] - 1 and (right == 0 or right >= k.shape[-2] - 1)
    found = None
    if not plain and _has_kernel(q, v):
        found = _in_triton(q, k, v, left, right, **options)
    return _in_torch(q, k, v, left, right, **options) if found is None else found
