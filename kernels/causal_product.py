"""Attention without softmax under a triangular mask: half of the scores, in chunks.

    out_te = sum_{i <= t} (sum_d q_td k_id) v_ie

The sum over i is a running sum of the matrices k_i v_i^T (identity 0, combine +), so that with the
state at the border of a chunk only the scores inside of chunks are needed: `linear_attention`.
Time and memory grow with the length instead of its square. Scores that decay with the distance,

    out_te = sum_{i <= t} a_{i+1} ... a_t (sum_d q_td k_id) v_ie

have the decay a of `linear_attention`, and a matrix of decays is never there.

Sources: Katharopoulos et al., "Transformers are RNNs" (2020); Sun et al., "Retentive Network"
(2023), whose parallel form this is; Dao and Gu, "Transformers are SSMs" (2024).
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
    decay: float | Tensor | None = None,
    log_decay: float | Tensor | None = None,
    log_decays: Tensor | None = None,
) -> Array:
    """What `causal_product` computes: all scores, and the triangle of them."""
    scores = q @ k.swapaxes(-1, -2)
    given = (decay, log_decay, log_decays)
    if given != (None, None, None):
        if diagonal or upper:
            raise ValueError("scores decay from the diagonal down: without `diagonal` and `upper`")
        scores = scores * _decays(*given, size, scores)
    elif size is not None:
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


def _decays(
    decay: float | Tensor | None,
    log_decay: float | Tensor | None,
    log_decays: Tensor | None,
    size: int | None,
    scores: Tensor,
) -> Tensor:
    """(..., rows, columns): what a score has left, zero above the diagonal."""
    if sum(each is not None for each in (decay, log_decay, log_decays)) > 1:
        raise ValueError("the decay is given twice")
    if log_decays is not None:
        size = log_decays.shape[-1]
    rows, columns = scores.shape[-2:] if size is None else (size, size)
    query = torch.arange(rows, device=scores.device)[:, None]
    key = torch.arange(columns, device=scores.device)
    above = query < key
    if log_decays is not None:
        until = log_decays.cumsum(-1)
        exponents = until[..., :, None] - until[..., None, :]
        return exponents.masked_fill(above, -math.inf).exp()
    distance = (query - key).clamp_(min=0).to(scores.dtype)
    factor = log_decay if decay is None else decay
    left = torch.exp(distance * factor) if decay is None else factor**distance
    return left.masked_fill(above, 0)


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
    decay: float | Tensor | None = None,
    log_decay: float | Tensor | None = None,
    log_decays: Tensor | None = None,
) -> Array:
    """The triangle of the products of rows of q and k, times v.

    Args:
        q: (..., T, d). k: (..., S, d). v: (..., S, e); what the types of the products and of v
            make together is what they are multiplied in.
        scale: what the products are multiplied by, a number or an array that they broadcast with.
        diagonal: as `torch.tril` has it (`torch.triu` with ``upper``).
        size: rows and columns of the triangle, where it is a mask that broadcasts with the
            products: one of one entry keeps all of them or none.
        decay: what a product is multiplied by for every step from its key to its query, a number
            or (..., 1, 1); of tensors, and of the lower triangle with its diagonal alone. What
            else broadcasts with the products is taken to the power of the distance as it is.
        log_decay: its logarithm instead: rates of hardly any decay are not rounded to factors.
        log_decays: (..., T), a logarithm for every step.

    Differentiable in q, k, v and the decay, any number of times.

    Returns:
        (..., T, e), an array where q, k and v are arrays of NumPy.

    Raises:
        What `reference` raises: operands that do not fit are handed to it, and so are those that
        are too short for chunks to pay.
    """
    options: dict[str, Any] = {
        "scale": scale, "diagonal": diagonal, "upper": upper, "size": size,
        "decay": decay, "log_decay": log_decay, "log_decays": log_decays,
    }  # fmt: skip
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
        and (_decays_not(**options) if numpy else _decaying(q, **options))
    )
    if not fits:
        return reference(q, k, v, **options)
    if numpy:
        given = tuple(torch.from_numpy(np.array(each, order="C")) for each in given)
    elif _trains(*given):
        # the plain code keeps the products: q and k may be overwritten before the backward pass
        given = (private(q), private(k), v)
    steps = {} if numpy else _steps(q.device, decay, log_decay, log_decays)
    found = linear_attention(
        *given, **steps, dim=-2, reverse=upper, exclusive=diagonal != 0, scale=scale
    )
    assert isinstance(found, Tensor)
    return found.numpy() if numpy else found.to(given[2].dtype)


def _few(scores: int, width: int, device: str) -> bool:
    """Whether so few scores of `width` bytes take less time all at once."""
    if device == "cpu":
        return scores <= FEW_SCORES
    return scores * width < FEW_BYTES


def _decays_not(**options: Any) -> bool:
    return all(options[name] is None for name in ("decay", "log_decay", "log_decays"))


def _decaying(
    q: Tensor,
    *,
    decay: float | Tensor | None,
    log_decay: float | Tensor | None,
    log_decays: Tensor | None,
    diagonal: int,
    upper: bool,
    **_: Any,
) -> bool:
    """Whether `linear_attention` has the decay, if there is one."""
    given = [each for each in (decay, log_decay, log_decays) if each is not None]
    if not given:
        return True
    if diagonal or upper or len(given) > 1:
        return False
    (one,) = given
    if not isinstance(one, Tensor):
        return isinstance(one, (int, float))
    if log_decays is None:
        fits = one.ndim == 0 or one.shape[-2:] == (1, 1)
        whole = (*q.shape[:-2], 1, 1)
    else:
        fits = one.ndim > 0 and one.shape[-1] == q.shape[-2]
        whole = q.shape[:-1]
    return (
        fits
        and one.dtype == q.dtype
        and one.device == q.device
        and one.ndim <= len(whole)
        and all(own in (1, its) for own, its in zip(one.shape[::-1], whole[::-1], strict=False))
    )


def _steps(
    device: torch.device,
    decay: float | Tensor | None,
    log_decay: float | Tensor | None,
    log_decays: Tensor | None,
) -> dict[str, Any]:
    """The decay as `linear_attention` takes it. What a single rate is rounded by as a factor, every
    step would repeat: that is of double precision, in which then everything is computed."""
    if log_decays is not None:
        return {"g": log_decays[..., None]}
    if log_decay is not None:
        decay = torch.as_tensor(log_decay, dtype=torch.float64, device=device).exp()
    elif not isinstance(decay, Tensor) or not decay.ndim:
        return {"decay": decay}
    return {"decay": decay[..., None] if decay.ndim else decay.view(1, 1, 1)}


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
