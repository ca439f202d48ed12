"""The precision that kernels compute in."""

from __future__ import annotations

import torch
from torch import Tensor


def accumulator(*tensors: Tensor | None) -> torch.dtype:
    """The dtype to compute in: that of all tensors together, at least float32."""
    dtype = torch.float32
    for tensor in tensors:
        if tensor is not None:
            dtype = torch.promote_types(dtype, tensor.dtype)
    return dtype


def widened(dtype: torch.dtype) -> torch.dtype:
    """The dtype that sums of a dtype are taken in: half types in float32, others as they are."""
    return torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype
