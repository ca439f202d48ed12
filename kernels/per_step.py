"""What counts steps along its first axis, made to broadcast over all steps at once as its rows do
within each.

`x[t] * gate[t]` aligns what is left of both from the right; `x * gate` would align the steps of the
narrower one with another axis. Axes of extent 1 behind the first make up for that. A list of rows
is an array of them first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

Rows: TypeAlias = "Tensor | Iterable[Any]"


def per_step(
    *rows: Rows, beside: Sequence[Any] = (), like: Tensor | None = None
) -> tuple[Tensor, ...]:
    """Tensors with equally many axes, `(steps, 1, ..., 1, *rest)`, as views where that can be: as
    many as the widest has, and one more than the widest of what stands `beside` them in every step
    (tensors, arrays or numbers). An iterable of tensors is stacked; one of numbers, which do not
    widen what they meet, gets the dtype of ``like`` or else of the first floating-point tensor
    among the others.

    Raises:
        IndexError: a tensor has no axis. RuntimeError: rows do not have one shape.

    >>> per_step(torch.zeros(9, 4, 3), torch.ones(9))[1].shape
    torch.Size([9, 1, 1])
    >>> per_step([torch.zeros(3), torch.ones(3)])[0].shape
    torch.Size([2, 3])
    """
    if all(isinstance(one, np.ndarray) for one in rows) and not any(
        isinstance(one, Tensor) for one in beside
    ):
        return tuple(_of_arrays(rows, beside))  # type: ignore[arg-type]
    given = [one if isinstance(one, Tensor) or hasattr(one, "ndim") else list(one) for one in rows]
    if like is None or not like.is_floating_point():
        found = [_floating(one) for one in (*given, *beside)]
        like = next((tensor for tensor in found if tensor is not None), None)
    tensors = [_together(one, like) for one in given]
    if any(tensor.ndim == 0 for tensor in tensors):
        raise IndexError("a tensor without an axis has no rows")
    width = _width(tensors, beside)
    return tuple(_widened(tensor, width) for tensor in tensors)


def _of_arrays(rows: Sequence[np.ndarray], beside: Sequence[Any]) -> list[Any]:
    """The same of arrays of NumPy alone, which stay such."""
    if any(array.ndim == 0 for array in rows):
        raise IndexError("an array without an axis has no rows")
    width = _width(rows, beside)
    return [array.reshape(len(array), *(1,) * (width - array.ndim), *array.shape[1:])
            for array in rows]  # fmt: skip


def _width(rows: Iterable[Any], beside: Sequence[Any]) -> int:
    lead = (1 + getattr(one, "ndim", 0) for one in beside)
    return max((*(array.ndim for array in rows), *lead), default=0)


def _floating(given: Any) -> Tensor | None:
    """A floating-point tensor among what was given."""
    one = given[0] if isinstance(given, list) and given else given
    return one if isinstance(one, Tensor) and one.is_floating_point() else None


def _together(rows: Any, like: Tensor | None) -> Tensor:
    """Rows as one tensor."""
    if isinstance(rows, Tensor):
        return rows
    if isinstance(rows, list):
        if any(getattr(row, "ndim", 0) or isinstance(row, Tensor) for row in rows):
            return torch.stack([torch.as_tensor(row) for row in rows])
    if like is not None and not any(
        getattr(r, "shape", ()) or isinstance(r, complex) for r in rows
    ):
        return torch.tensor(rows, dtype=like.dtype, device=like.device)
    return torch.as_tensor(rows)


def _widened(tensor: Tensor, width: int) -> Tensor:
    if tensor.ndim == width:
        return tensor
    steps, *rest = tensor.shape
    return tensor.reshape(steps, *(1,) * (width - tensor.ndim), *rest)
