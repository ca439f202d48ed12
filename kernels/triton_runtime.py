"""Triton where it is there: the import, and the parts that every Triton kernel here needs.

Modules of this package import on machines without Triton (macOS, Windows); their kernels are then
plain functions that nobody launches. With TRITON_INTERPRET=1 set before the first import, the
kernels run on CPU tensors in Python: slow, for tests.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import torch
from torch import Tensor

P = ParamSpec("P")
R = TypeVar("R")

if TYPE_CHECKING:
    import triton
    import triton.language as tl

    AVAILABLE = True
else:
    try:
        import triton
        import triton.language as tl

        AVAILABLE = True
    except ImportError:
        AVAILABLE = False

        class tl:  # the annotations of the kernels, which are never launched
            constexpr = object

        class triton:
            @staticmethod
            def jit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
                return function or (lambda function: function)


__all__ = ["AVAILABLE", "block_size", "launches", "shared_memory", "tl", "triton", "usable"]


def usable(*tensors: Tensor | None) -> bool:
    """Whether Triton kernels of this package can run on these tensors' device."""
    return AVAILABLE and all(each is None or each.is_cuda for each in tensors)


def launches(
    function: Callable[Concatenate[Tensor, P], R],
) -> Callable[Concatenate[Tensor, P], R]:
    """A function that launches kernels, on the device of its first argument: Triton launches on the
    current one, which need not be that of the tensors."""

    @functools.wraps(function)
    def there(first: Tensor, *others: P.args, **options: P.kwargs) -> R:
        with torch.cuda.device_of(first):
            return function(first, *others, **options)

    return there


def block_size(count: int, largest: int) -> int:
    """The smallest power of two that holds `count`, at most `largest`, at least 1."""
    size = 1
    while size < count and size < largest:
        size *= 2
    return size


@functools.cache
def shared_memory(device: torch.device) -> int:
    """Bytes that a program may have of a processor's shared memory."""
    if device.type != "cuda":
        return 1 << 16
    found = torch.cuda.get_device_properties(device)
    return int(getattr(found, "shared_memory_per_block_optin", 1 << 16))
