"""What a call runs inside of: transforms of functions, tracers, autocast.

Kernels look at values (the largest gate, whether two entries are equal) and have operators without
derivatives of every kind. Where values cannot be seen, or other derivatives are taken, the plain
code of a kernel runs instead.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor
from torch.autograd import forward_ad

_KEYS = torch._C._TorchDispatchModeKey


def transformed() -> bool:
    """Whether this runs inside a transform of torch.func or a level of forward mode.

    Those differentiate to any order, forward too, and add axes, for which kernels have no rules;
    an operator without a rule would drop a tangent without a word.
    """
    if torch.compiler.is_compiling():
        return False
    return forward_ad._current_level >= 0 or torch._C._are_functorch_transforms_active()


def capturing() -> bool:
    """Whether what runs is recorded as a graph of CUDA, which no look at a value may interrupt."""
    return torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing()


def traced(*tensors: Tensor | None) -> bool:
    """Whether the call is recorded or transformed, or one of the tensors has no values."""
    return (
        torch.compiler.is_compiling()
        or transformed()
        or torch.jit.is_tracing()
        or torch._C._get_dispatch_mode(_KEYS.PROXY) is not None
        or torch._C._get_dispatch_mode(_KEYS.FAKE) is not None
        or any(isinstance(each, FakeTensor) or each.is_meta for each in tensors if each is not None)
    )


def unseen(*tensors: Tensor | None) -> bool:
    """Whether values must not decide what is done."""
    return traced(*tensors) or capturing()


def autocasting(tensor: Tensor) -> bool:
    """Whether autocast chooses the dtypes of operations on the tensor's device."""
    device = tensor.device.type
    return torch.amp.is_autocast_available(device) and torch.is_autocast_enabled(device)
