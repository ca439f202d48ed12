"""Attention without softmax under a triangular mask: half of the scores, in chunks.

    out_te = sum_{i <= t} (sum_d q_td k_id) v_ie

The sum over i is a running sum of the matrices k_i v_i^T (identity 0, combine +), so that with the
state at the border of a chunk only the scores inside of chunks are needed: `linear_attention`
without a decay. Time and memory grow with the length instead of its square.

Source: Katharopoulos et al., "Transformers are RNNs" (2020).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .gradients import private
from .linear_attention import TOLERANCE, linear_attention
from .surroundings import autocasting, traced

__all__ = ["TOLERANCE", "causal_product", "reference"]

_CHUNK = 64
"""Rows whose scores `linear_attention` computes whole, where nothing decays."""

FEW_SCORES = 1 << 20
"""Up to so many scores a CPU takes them all in less time than it takes to cut them into chunks."""

FEW_BYTES = 1 << 28
"""Fewer bytes of scores a GPU takes at once in less time than Python takes for the chunks. Read off
an H200 (2026-11-27): 2^25 bytes take 0.16 ms against 0.54 in chunks, with gradients 0.64 against
2.2; 2^28 0.74 against 0.53 and 1.9 against 2.0; 2^31 5.3 against 0.95 and 13.9 against 3.6."""

Array = Any
"""A tensor or a NumPy array; the operands of a call are one or the other."""


def reference(
    q: Array,
    k: Array,
    v: Array,
    *,
    scale: float | Array | None = None,
    diagonal: int = 0,
    upper: bool = False,
    size: int | None = None,
) -> Array:
    """What `causal_product` computes: all scores, and the triangle of them."""
    scores = q @ k.swapaxes(-1, -2)
    if size is not None:
        scores = scores * _mask(scores, size, diagonal, upper)
    elif isinstance(scores, Tensor):
        scores = scores.triu(diagonal) if upper else scores.tril(diagonal)
    else:
        scores = np.triu(scores, diagonal) if upper else np.tril(scores, diagonal)
    scores = scores if scale is None else scores * scale
    if isinstance(scores, Tensor) and scores.dtype != v.dtype:
        dtype = torch.promote_types(scores.dtype, v.dtype)
        return scores.to(dtype) @ v.to(dtype)
    return scores @ v


def _mask(scores: Array, size: int, diagonal: int, upper: bool) -> Array:
    """Ones in the triangle and zeros elsewhere, (size, size), in the dtype of the scores."""
    if isinstance(scores, Tensor):
        whole = scores.new_ones(size, size)
        return whole.triu(diagonal) if upper else whole.tril(diagonal)
    ones = np.ones((size, size), scores.dtype)
    return np.triu(ones, diagonal) if upper else np.tril(ones, diagonal)


def causal_product(
    q: Array,
    k: Array,
    v: Array,
    *,
    scale: float | Array | None = None,
    diagonal: int = 0,
    upper: bool = False,
    size: int | None = None,
) -> Array:
    """The triangle of the products of rows of q and k, times v.

    Args:
        q: (..., T, d). k: (..., S, d). v: (..., S, e); what the types of the products and of v
            make together is what they are multiplied in.
        scale: what the products are multiplied by, a number or an array that they broadcast with.
        diagonal: as `torch.tril` has it (`torch.triu` with ``upper``).
        size: rows and columns of the triangle, where it is a mask that broadcasts with the
            products: one of one entry keeps all of them or none.

    Differentiable in q, k, v, any number of times.

    Returns:
        (..., T, e), an array where q, k and v are arrays of NumPy.

    Raises:
        What `reference` raises: operands that do not fit are handed to it, and so are those that
        are too short for chunks to pay.
    """
    options: dict[str, Any] = {"scale": scale, "diagonal": diagonal, "upper": upper, "size": size}
    if isinstance(q, Tensor) and q.ndim > 1:
        shape = q.shape
        if _few(math.prod(shape[:-1]) * shape[-2], q.itemsize, "cuda" if q.is_cuda else "cpu"):
            return reference(q, k, v, **options)  # asked first: there every call counts
    given = (q, k, v)
    numpy = all(type(each) is np.ndarray for each in given)
    fits = (
        diagonal in ((0, 1) if upper else (0, -1))
        and not isinstance(scale, (Tensor, np.ndarray))
        and (numpy or all(isinstance(each, Tensor) for each in given))
        and min(each.ndim for each in given) >= 2
        and len({each.shape[:-1] for each in given}) == 1
        and q.shape[-1] == k.shape[-1]
        and len({each.dtype for each in given}) == 1
        and size in (None, q.shape[-2])
        and q.shape[-2] > 2 * max(_CHUNK, q.shape[-1], v.shape[-1])
        and not _few(
            math.prod(q.shape[:-1]) * q.shape[-2],
            q.itemsize,
            "cpu" if numpy else q.device.type,
        )
        and (q.dtype in (np.float32, np.float64) if numpy else _runs(*given))
    )
    if not fits:
        return reference(q, k, v, **options)
    if numpy:
        given = tuple(torch.from_numpy(np.array(each, order="C")) for each in given)
    elif _trains(*given):
        # the plain code keeps the products: q and k may be overwritten before the backward pass
        given = (private(q), private(k), v)
    found = linear_attention(*given, dim=-2, reverse=upper, exclusive=diagonal != 0, scale=scale)
    assert isinstance(found, Tensor)
    return found.numpy() if numpy else found


def _few(scores: int, width: int, device: str) -> bool:
    """Whether so few scores of `width` bytes take less time all at once."""
    if device == "cpu":
        return scores <= FEW_SCORES
    return scores * width < FEW_BYTES


def _trains(*given: Tensor) -> bool:
    return torch.is_grad_enabled() and any(each.requires_grad for each in given)


def _runs(*given: Tensor) -> bool:
    """Whether `linear_attention` has a path of its own for them."""
    return (
        len({each.device for each in given}) == 1
        and given[0].is_floating_point()
        and not traced(*given)
        and not autocasting(given[0])
    )
