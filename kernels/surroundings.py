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

_PLAIN = (Tensor, torch.nn.Parameter)
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
        or any(map(_imagined, tensors))
    )


def _imagined(tensor: Tensor | None) -> bool:
    """Whether it has no values."""
    return tensor is not None and (tensor.is_meta or isinstance(tensor, FakeTensor))


def unseen(*tensors: Tensor | None) -> bool:
    """Whether values must not decide what is done."""
    return traced(*tensors) or capturing()


def unrecorded(*tensors: Tensor | None) -> bool:
    """Whether no gradient is wanted, and nothing records the operations or puts others in their
    place: what an operator does may then be done without it, whose call takes as long as five
    small operations of torch."""
    if torch.compiler.is_compiling() or torch._C._len_torch_dispatch_stack():
        return False
    if torch.jit.is_tracing() or torch._C._len_torch_function_stack():
        return False
    recorded = torch.is_grad_enabled()
    return not any(
        type(each) not in _PLAIN or each.is_meta or (recorded and each.requires_grad)
        for each in tensors
        if each is not None
    )


def autocasting(tensor: Tensor) -> bool:
    """Whether autocast chooses the dtypes of operations on the tensor's device."""
    if not torch.compiler.is_compiling() and not torch._C._is_any_autocast_enabled():
        return False  # which is told in less time than asking for one device takes
    device = tensor.device.type
    return torch.amp.is_autocast_available(device) and torch.is_autocast_enabled(device)
