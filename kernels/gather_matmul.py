"""The product of a matrix that has few entries in each row with a dense one.

    out_ie = sum_s weights_is  values_{places_is, e}

The rows of the dense matrix that an entry meets are gathered; the entries that are zero are neither
stored nor multiplied: k products a row instead of n (identity 0, combine +). So attention to the k
best keys is computed, and what a sparse autoencoder decodes.

Source: Gupta et al., "Memory-efficient Transformers via Top-k Attention" (2021).
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from .surroundings import autocasting, unseen

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-12, 1e-11),
    torch.float32: (1e-5, 1e-4),
    torch.float16: (4e-3, 2e-2),
    torch.bfloat16: (3.2e-2, 1.6e-1),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients).

A sum of k terms instead of n of which the others are zero: only its order differs.
"""

_PAYS = {"cpu": 128, "cuda": 32}
"""Rows of ``values`` for each that is gathered, from which gathering is the cheaper: a row is moved
three times, at some 30 multiplications for each number moved, or a hundred on a CPU."""

_PAYS_BACKWARD = 4
"""So many times as many where the gradient, which adds up rows, is wanted on a CPU."""

FEW_PRODUCTS = 1 << 22
"""Up to so many multiplications the product of matrices takes less time on a CPU than the calls."""


FEW_BYTES = 1 << 28
"""With fewer bytes of spread weights a product of matrices takes less time on a GPU than the calls
do. Read off an H200 (2026-11-27): 2^23 bytes take 0.11 ms against 0.27, with gradients 0.37 against
0.64; 2^28 0.51 against 0.32 and 1.0 against 1.0; 2^30 2.1 against 0.36 and 5.4 against 1.1."""


def reference(weights: Tensor, places: Tensor, values: Tensor) -> Tensor:
    """What `gather_matmul` computes: the weights spread out over all places, times the values."""
    n = values.shape[-2] if values.ndim > 1 else len(values)
    spread = weights.new_zeros(*weights.shape[:-1], n)
    return spread.scatter(-1, places, weights) @ values


def _pays(weights: Tensor, values: Tensor) -> bool:
    """Whether so small a part is chosen, of so much, that gathering is the cheaper."""
    n, d = values.shape[-2:]
    device = "cpu" if values.is_cpu else values.device.type
    least = _PAYS.get(device, 32) * weights.shape[-1]
    if device == "cpu" and _trains(weights, values):
        least *= _PAYS_BACKWARD
    few = _few(weights.shape[:-1].numel() * n, d, values.element_size(), device)
    return n >= least and not few


def _few(spread: int, d: int, width: int, device: str) -> bool:
    """Whether so many spread weights of `width` bytes times d columns take less than the calls."""
    return spread * d <= FEW_PRODUCTS if device == "cpu" else spread * width < FEW_BYTES


def _trains(weights: Tensor, values: Tensor) -> bool:
    return torch.is_grad_enabled() and (weights.requires_grad or values.requires_grad)


def gather_matmul(weights: Tensor, places: Tensor, values: Tensor) -> Tensor:
    """The sum of the rows of ``values`` at ``places``, times ``weights``.

    Args:
        weights: (..., k). places: as weights, whole numbers from 0 to n - 1, none twice in a row.
        values: (n, d), or (..., n, d) with the axes of ``weights`` before its last two.

    Differentiable in weights and values, any number of times.

    Returns:
        (..., d) in the dtype of weights and values.

    Raises:
        What `reference` raises: operands that do not fit are handed to it, and so are those of
        which too large a part is chosen for gathering to pay.
    """
    fits = (
        values.ndim >= 2
        and weights.ndim >= 1
        and weights.shape == places.shape
        and weights.numel() * values.numel() > 0
        and _pays(weights, values)
        and (values.ndim == 2 or values.shape[:-2] == weights.shape[:-2])
        and weights.dtype == values.dtype
        and weights.is_floating_point()
        and places.dtype == torch.int64
        and weights.device == places.device == values.device
        and not unseen(weights, places, values)
        and not autocasting(weights)
    )
    if not fits:
        return reference(weights, places, values)
    n, d = values.shape[-2:]
    if bool(((places < 0) | (places >= n)).any()):
        return reference(weights, places, values)
    if values.ndim > 2:
        batches = values.shape[:-2].numel()
        first = torch.arange(0, batches * n, n, device=places.device)
        places = places + first.reshape(*values.shape[:-2], 1, 1)
    # torch's sums over bags, which write no rows out, have no gradients of gradients
    bags = values.is_cuda and not _trains(weights, values)
    return (_in_bags if bags else _by_rows)(weights, places, values.reshape(-1, d))


def _in_bags(weights: Tensor, places: Tensor, values: Tensor) -> Tensor:
    """Rows are added up as they are read. values: (n, d)."""
    k = weights.shape[-1]
    bags, each = places.reshape(-1, k), weights.reshape(-1, k)
    found = F.embedding_bag(bags, values, per_sample_weights=each, mode="sum")
    return found.reshape(*weights.shape[:-1], values.shape[-1])


def _by_rows(weights: Tensor, places: Tensor, values: Tensor) -> Tensor:
    """Rows are gathered and multiplied. values: (n, d)."""
    rows = values.index_select(0, places.reshape(-1)).reshape(*places.shape, values.shape[-1])
    return (weights.unsqueeze(-2) @ rows).squeeze(-2)
