"""Attention without softmax under a triangular mask: half of the scores, in chunks.

    out_te = sum_{i <= t} (sum_d q_td k_id) v_ie

The sum over i is a running sum of the matrices k_i v_i^T (identity 0, combine +), so that with the
state at the border of a chunk only the scores inside of chunks are needed: `linear_attention`
without a decay. Time and memory grow with the length instead of its square.

Source: Katharopoulos et al., "Transformers are RNNs" (2020).
"""

from __future__ import annotations

from torch import Tensor

from .linear_attention import TOLERANCE, linear_attention
from .surroundings import autocasting, unseen

__all__ = ["TOLERANCE", "causal_product", "reference"]

_CHUNK = 64
"""Rows whose scores `linear_attention` computes whole."""


def reference(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    scale: float | Tensor | None = None,
    diagonal: int = 0,
    upper: bool = False,
) -> Tensor:
    """What `causal_product` computes: all scores, and the triangle of them."""
    scores = q @ k.transpose(-2, -1)
    scores = scores.triu(diagonal) if upper else scores.tril(diagonal)
    return (scores if scale is None else scores * scale) @ v


def causal_product(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    scale: float | Tensor | None = None,
    diagonal: int = 0,
    upper: bool = False,
) -> Tensor:
    """The triangle of the products of rows of q and k, times v.

    Args:
        q: (..., T, d). k: (..., S, d). v: (..., S, e).
        scale: what the products are multiplied by, a number or an array that they broadcast with.
        diagonal: as `torch.tril` has it (`torch.triu` with ``upper``).

    Differentiable in q, k, v, any number of times.

    Returns:
        (..., T, e).

    Raises:
        What `reference` raises: operands that do not fit are handed to it, and so are those that
        are too short for chunks to pay.
    """
    options = {"scale": scale, "diagonal": diagonal, "upper": upper}
    given = (q, k, v)
    fits = (
        diagonal in ((0, 1) if upper else (0, -1))
        and not isinstance(scale, Tensor)
        and min(each.ndim for each in given) >= 2
        and len({each.shape[:-1] for each in given}) == 1
        and q.shape[-1] == k.shape[-1]
        and len({each.dtype for each in given}) == 1
        and len({each.device for each in given}) == 1
        and q.is_floating_point()
        and q.shape[-2] > 2 * max(_CHUNK, q.shape[-1], v.shape[-1])
        and not unseen(*given)
        and not autocasting(q)
    )
    if not fits:
        return reference(q, k, v, **options)  # type: ignore[arg-type]
    found = linear_attention(q, k, v, dim=-2, reverse=upper, exclusive=diagonal != 0, scale=scale)
    assert isinstance(found, Tensor)
    return found
