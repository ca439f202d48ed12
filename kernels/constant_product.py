"""The product of two matrices that do not change from call to call, kept between calls.

    constant_product(a, b) = a @ b

Where gradients are wanted the product is taken anew. Where they are not (inference) it is kept
until one of the factors changes: torch counts the writes to a tensor (its version), and a factor
that was replaced is another tensor. A product that somebody wrote into is taken anew as well. What
torch does not count (a write through ``.data``, ``.numpy()`` or another process) is not seen.

The factors are held weakly, so that a product goes with its first factor.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils.weak import WeakTensorKeyDictionary

from .surroundings import autocasting

FEW = 1 << 12
"""Entries of both factors up to which a CPU multiplies in less time than it takes to find what was
kept."""


@dataclass(frozen=True)
class _Kept:
    """A product and what it was made from."""

    right: weakref.ReferenceType[torch.Tensor]
    versions: tuple[int, int, int]
    product: torch.Tensor


_Layout = tuple[Any, ...]
_kept: Any = WeakTensorKeyDictionary()
"""For each left factor its products, by the layouts of both and the right factor."""


def reference(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """``a @ b``."""
    return a @ b


def constant_product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """``a @ b``, kept between calls while neither changes and no gradient is wanted.

    a, b: tensors of whatever shapes and dtypes ``@`` takes.

    Returns:
        What ``@`` returns; it may be the one of an earlier call: do not write into it.

    Raises:
        What ``@`` raises.
    """
    if (a.is_cpu and a.numel() <= FEW and b.numel() <= FEW) or not _may_keep(a, b):
        return a @ b
    left, right = (t._base if t._base is not None else t for t in (a, b))
    key = (_layout(a), _layout(b), id(right))
    products = _kept.setdefault(left, {})
    known: _Kept | None = products.get(key)
    if known is not None and known.right() is right:
        if known.versions == (a._version, b._version, known.product._version):
            return known.product
    with torch.inference_mode(False), torch.no_grad():
        product = a @ b  # a tensor whose writes are counted, also in inference mode
    versions = (a._version, b._version, product._version)
    for other in [k for k, kept in products.items() if kept.right() is None]:
        products.pop(other, None)
    products[key] = _Kept(weakref.ref(right), versions, product)
    return product


def _may_keep(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Plain tensors with a count of their writes, outside of compilers, autocast and gradients."""
    plain = (torch.Tensor, torch.nn.Parameter)
    if type(a) not in plain or type(b) not in plain or torch.compiler.is_compiling():
        return False
    if torch.is_grad_enabled() and (a.requires_grad or b.requires_grad):
        return False
    if a.is_inference() or b.is_inference():
        return False
    if autocasting(a) or "meta" in (a.device.type, b.device.type):
        return False
    return _stored(a) and _stored(b)


def _stored(t: torch.Tensor) -> bool:
    """Whether a tensor lies in memory of its own: sparse ones and those that ``torch.func`` passes
    through a function do not."""
    try:
        t.data_ptr()
    except RuntimeError:
        return False
    return True


def _layout(t: torch.Tensor) -> _Layout:
    """What a view reads of its base."""
    return (t.storage_offset(), t.shape, t.stride(), t.dtype, t.is_conj(), t.is_neg(), t.data_ptr())
