"""A linear layer whose weights are integers of 8 bits with one scale for each output.

    q_oi = round(w_oi / s_o),   s_o = max_i |w_oi| / 127
    y_o  = s_o sum_i x_i q_oi + bias_o

A weight is off by at most s_o / 2, so that over the reals an output is off by at most

    |y_o - sum_i x_i w_oi - bias_o|  <=  s_o / 2  sum_i |x_i|

which `int8_error` computes. Every |q| <= 127 is a number of each floating dtype, half ones too, so
that nothing but the rounding of the sum comes on top. Weights are turned into numbers on the way
to the product, some rows at a time: of the matrix a quarter of float32's bytes are read (half of
those of the half types), which is what takes the time where the rows of x are few.

Sources: Dettmers et al., "LLM.int8(): 8-bit Matrix Multiplication for Transformers at Scale"
(2022); Jacob et al., "Quantization and Training of Neural Networks" (2018), for scales a channel.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.utils.weak import WeakTensorKeyDictionary

from .surroundings import autocasting, traced
from .triton_runtime import block_size, launches, shared_memory, tl, triton, usable

TOLERANCE: dict[torch.dtype, float] = {
    torch.float64: 1e-13,
    torch.float32: 1e-5,
    torch.float16: 2e-3,
    torch.bfloat16: 1.6e-2,
}
"""Largest error against float64 on the same integers, relative to max|reference|: sums in float32
or wider, rounded once. It comes on top of `int8_error`."""

MOST_ROWS = 64
"""Rows of x up to which integers are read in a Triton kernel; more are bound by the products."""

OUTPUTS = 32
"""Outputs of a Triton program."""

INPUTS_BYTES = 512
"""Bytes of a row of x that it reads at once."""

MOST_STAGES = 4
"""Tiles of weights that are on their way from memory at once, where there is room for them."""

MOST_PACKED_ROWS = 16
"""Rows of bfloat16 up to which torch's own operation for CPUs is the faster one."""

WEIGHTS_AT_ONCE = {"cpu": 1 << 20, "cuda": 1 << 26}
"""Weights that are numbers at the same time: they should stay in a cache of a CPU, and be worth the
launches on a GPU."""

FEW_WEIGHTS = 1 << 23
"""Up to so many weights a GPU turns all of them into numbers in less time than it takes to launch
the Triton kernel. Read off an H200 (2026-11-27), with bfloat16: 2^20 weights take 0.078 ms against
0.098, 2^24 0.14 against 0.11. Weights that are of a half type from the start take 0.045 for 2^24 of
them and 0.16 for 2^28, as long as integers do: with fewer, memory is what those save."""

_kept: Any = WeakTensorKeyDictionary()
"""For each matrix the version it was read at, and its integers with their scales."""


def quantise_int8(weight: Tensor) -> tuple[Tensor, Tensor]:
    """The integers and scales nearest to a matrix.

    weight: (out, in), floating. Returns (out, in) int8 and (out,), float32 or float64.

    Raises:
        ValueError: it is no floating matrix, or an entry is infinite or no number.
    """
    if weight.ndim != 2 or not weight.is_floating_point():
        raise ValueError(f"weights of shape {tuple(weight.shape)} and {weight.dtype}: not a matrix")
    wide = torch.promote_types(weight.dtype, torch.float32)
    w = weight.detach().to(wide)
    if not bool(w.isfinite().all()):
        raise ValueError("an entry of the weights is infinite or no number")
    largest = w.abs().amax(1) if w.shape[1] else w.new_zeros(len(w))
    smallest = torch.finfo(wide).tiny  # a scale that is smaller is no number to divide by
    scale = torch.where(largest > 0, (largest / 127).clamp(min=smallest), 0.0)
    q = (w / torch.where(scale > 0, scale, 1.0)[:, None]).round_().clamp_(-127, 127)
    return q.to(torch.int8), scale


def int8_weights(weight: Tensor) -> tuple[Tensor, Tensor]:
    """`quantise_int8(weight)`, kept between calls until torch counts a write to the matrix. What
    torch does not count (a write through ``.data``) is not seen.

    weight: (out, in), floating. Returns (out, in) int8 and (out,), float32 or float64, as that, and
    raises what it raises: ValueError for what is no finite floating matrix."""
    if traced(weight) or weight.is_inference():
        return quantise_int8(weight)
    known = _kept.get(weight)
    if known is None or known[0] != (weight._version, weight.data_ptr()):
        with torch.inference_mode(False):
            _kept[weight] = ((weight._version, weight.data_ptr()), quantise_int8(weight))
        known = _kept[weight]
    found: tuple[Tensor, Tensor] = known[1]
    return found


def int8_error(x: Tensor, scale: Tensor) -> Tensor:
    """The most by which each output may be off. x: (..., in), scale: (out,). Returns (..., out)."""
    return x.abs().sum(-1, keepdim=True).to(scale.dtype) * (scale / 2)


def reference(x: Tensor, weight: Tensor, scale: Tensor, bias: Tensor | None = None) -> Tensor:
    """What `linear_int8` computes, with the whole matrix as numbers."""
    dtype = x.dtype
    wide = torch.promote_types(dtype, torch.float32)
    if dtype != wide:
        x = x.to(wide)
    found = torch.nn.functional.linear(x, weight.to(wide))
    found = found * (scale if scale.dtype == wide else scale.to(wide))
    if bias is not None:
        found = found + bias.to(wide)
    return found if found.dtype == dtype else found.to(dtype)


def linear_int8(x: Tensor, weight: Tensor, scale: Tensor, bias: Tensor | None = None) -> Tensor:
    """x @ (scale * weight).T + bias.

    x: (..., in), floating; weight: (out, in), int8; scale: (out,); bias: (out,) or None.
    Differentiable in x, scale and bias: where a gradient is wanted the reference runs.

    Returns:
        (..., out) in x's dtype.

    Raises:
        What `reference` raises: whatever is not as above is handed to it.
    """
    if _few(weight.numel(), x.dtype, "cpu" if x.is_cpu else x.device.type):
        return reference(x, weight, scale, bias)  # does the same, with fewer questions asked
    given = (x, weight, scale, bias)
    plain = (
        x.ndim >= 1
        and x.is_floating_point()
        and weight.ndim == 2
        and weight.dtype == torch.int8
        and x.shape[-1] == weight.shape[1]
        and scale.shape == weight.shape[:1]
        and (bias is None or bias.shape == scale.shape)
        and len({each.device for each in given if each is not None}) == 1
        and x.numel() * weight.numel() > 0
        and not (torch.is_grad_enabled() and any(e.requires_grad for e in given if e is not None))
        and not traced(*given)
        and not autocasting(x)
    )
    if not plain:
        return reference(x, weight, scale, bias)
    rows = x.reshape(-1, x.shape[-1])
    found = _in_triton if usable(*given) and len(rows) <= MOST_ROWS else _in_parts
    if x.device.type == "cpu" and x.dtype == torch.bfloat16 and _packs(rows, weight):
        found = _packed
    return found(rows, weight, scale, bias).reshape(*x.shape[:-1], len(weight))


def _few(weights: int, dtype: torch.dtype, device: str) -> bool:
    """Whether so few weights are turned into numbers at once in less time."""
    if device == "cpu":
        return dtype != torch.bfloat16 and weights <= WEIGHTS_AT_ONCE["cpu"]
    return weights <= FEW_WEIGHTS


def _packs(x: Tensor, weight: Tensor) -> bool:
    """Whether torch has an operation that takes these sizes: odd ones are read past their end."""
    return (
        hasattr(torch, "_weight_int8pack_mm")
        and 0 < len(x) <= MOST_PACKED_ROWS
        and all(size % 64 == 0 for size in weight.shape)
    )


def _packed(x: Tensor, weight: Tensor, scale: Tensor, bias: Tensor | None) -> Tensor:
    """torch's own operation. x: (rows, in), bfloat16."""
    found = torch._weight_int8pack_mm(x.contiguous(), weight.contiguous(), scale.to(x.dtype))
    return found if bias is None else found + bias.to(x.dtype)


def _in_parts(x: Tensor, weight: Tensor, scale: Tensor, bias: Tensor | None) -> Tensor:
    """Some outputs at a time. x: (rows, in)."""
    wide = torch.promote_types(x.dtype, torch.float32)
    given = x.to(wide)
    out = torch.empty(len(x), len(weight), dtype=x.dtype, device=x.device)
    room = WEIGHTS_AT_ONCE.get(x.device.type, 1 << 20)
    height = max(1, room // weight.shape[1])
    for start in range(0, len(weight), height):
        some = slice(start, start + height)
        found = given @ weight[some].to(wide).t() * scale[some].to(wide)
        out[:, some] = found if bias is None else found + bias[some].to(wide)
    return out


@triton.jit
def _kernel(  # type: ignore[no-untyped-def]
    x_ptr,
    weight_ptr,
    scale_ptr,
    bias_ptr,
    out_ptr,
    rows,
    inputs,
    outputs,
    x_row,
    x_input,
    weight_output,
    weight_input,
    HAS_BIAS: tl.constexpr,
    ACCUMULATOR: tl.constexpr,
    OPERAND: tl.constexpr,
    BLOCK_ROW: tl.constexpr,
    BLOCK_OUTPUT: tl.constexpr,
    BLOCK_INPUT: tl.constexpr,
    STAGES: tl.constexpr,
):
    row = tl.arange(0, BLOCK_ROW).to(tl.int64)  # products with strides pass 2^31
    output = tl.program_id(0).to(tl.int64) * BLOCK_OUTPUT + tl.arange(0, BLOCK_OUTPUT)
    total = tl.zeros((BLOCK_ROW, BLOCK_OUTPUT), ACCUMULATOR)
    for start in tl.range(0, inputs, BLOCK_INPUT, num_stages=STAGES):
        at = (start + tl.arange(0, BLOCK_INPUT)).to(tl.int64)
        x_at = row[:, None] * x_row + at[None, :] * x_input
        inside = (row < rows)[:, None] & (at < inputs)[None, :]
        x = tl.load(x_ptr + x_at, mask=inside, other=0.0).to(OPERAND)
        w_at = output[None, :] * weight_output + at[:, None] * weight_input
        inside = (output < outputs)[None, :] & (at < inputs)[:, None]
        w = tl.load(weight_ptr + w_at, mask=inside, other=0).to(OPERAND)
        total += tl.dot(x, w, out_dtype=ACCUMULATOR, input_precision="ieee")
    scale = tl.load(scale_ptr + output, mask=output < outputs, other=0.0).to(ACCUMULATOR)
    total *= scale[None, :]
    if HAS_BIAS:
        bias = tl.load(bias_ptr + output, mask=output < outputs, other=0.0).to(ACCUMULATOR)
        total += bias[None, :]
    out_at = row[:, None] * outputs + output[None, :]
    inside = (row < rows)[:, None] & (output < outputs)[None, :]
    tl.store(out_ptr + out_at, total.to(out_ptr.dtype.element_ty), mask=inside)


@launches
def _in_triton(x: Tensor, weight: Tensor, scale: Tensor, bias: Tensor | None) -> Tensor:
    """A block of outputs a program, all rows at once. x: (rows, in)."""
    if x.dtype == torch.float64:
        return _in_parts(x, weight, scale, bias)
    out = torch.empty(len(x), len(weight), dtype=x.dtype, device=x.device)
    # half types multiply as they are, with sums in float32; the interpreter has no bfloat16
    half = x.dtype if x.is_cuda else torch.float32
    operand = {torch.float16: tl.float16, torch.bfloat16: tl.bfloat16}.get(half, tl.float32)
    rows = max(16, block_size(len(x), MOST_ROWS))
    inputs = INPUTS_BYTES // x.element_size()
    tile = OUTPUTS * inputs + rows * INPUTS_BYTES
    # some of the room is for the tile that is being multiplied
    stages = max(1, min(MOST_STAGES, shared_memory(x.device) * 3 // 4 // tile))
    _kernel[(-(-len(weight) // OUTPUTS),)](
        x,
        weight,
        scale,
        scale if bias is None else bias,
        out,
        len(x),
        x.shape[1],
        len(weight),
        x.stride(0),
        x.stride(1),
        weight.stride(0),
        weight.stride(1),
        HAS_BIAS=bias is not None,
        ACCUMULATOR=tl.float32,
        OPERAND=operand,
        BLOCK_ROW=rows,
        BLOCK_OUTPUT=OUTPUTS,
        BLOCK_INPUT=inputs,
        STAGES=stages,
    )
    return out
