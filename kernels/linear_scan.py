"""The linear recurrence along any axis, forward or reversed.

    h[t] = a[t] h[t-1] + b[t]

A step "multiply by a, then add b" is an element (a, b) of the semigroup of affine maps:

    identity                             (1, 0)
    combine, first (a, b), then (c, d)   (c a, c b + d)

Gradients, with g[t] the gradient of h[t] from all later steps, are a scan in the other direction:

    g[t] = dh[t] + a[t+1] g[t+1]        db[t] = g[t]        da[t] = g[t] h[t-1]
    dinitial = a[0] g[0]

The backward pass reads what the loop's own would: the gates, and for their gradient the initial
state and a copy of `b`, from which it recomputes h: `b` and the result may be overwritten.

Gates may be zero, negative, complex or larger than one: only products of neighbouring gates are
formed, never quotients, logarithms or a product over the whole past that is divided out again.

Sources: Martin and Cundy, "Parallelizing linear recurrent neural nets over sequence length"
(2018); Blelloch, "Prefix sums and their applications" (1990).
"""

from __future__ import annotations

import functools
import math
from typing import Any

import torch
from torch import Tensor

from . import linear_scan_arrays, native
from .gradients import differentiable_gradients, distinct, private
from .precision import widened
from .scan_rows import safe_levels, scanned
from .shapes import broadcast
from .surroundings import capturing, transformed, unrecorded
from .triton_runtime import usable
from .triton_scan import affine_scan

CHUNK_ELEMENTS = 1 << 18
"""Elements that one CPU pass advances together: gates and rows of a chunk stay in the cache."""

SMALL_ROW = 4096
"""Up to here a CPU time step costs less than its dispatch, and halvings pay."""

SHORT_SEQUENCE = 16
"""Up to here the plain loop is the fastest on CPU: an operator call costs as much as 16 steps."""

SHORT = 8
"""Rows left over for the plain loop when halving."""

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-12, 1e-11),
    torch.float32: (1e-5, 1e-4),
    torch.float16: (2e-3, 8e-3),
    torch.bfloat16: (1.6e-2, 6.4e-2),
    torch.complex64: (1e-5, 1e-4),
    torch.complex128: (1e-12, 1e-11),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients).

Half types accumulate in float32 and round once, at the end: two units in the last place, four
times that for gradients, whose operands were rounded too. Wider types sum as many terms as the
gates let live, hence about a hundred eps.
"""


def reference(
    a: Tensor | complex,
    b: Tensor,
    initial_state: Tensor | complex | None = None,
    *,
    dim: int,
    reverse: bool = False,
    output_final_state: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """What `linear_scan` computes, one step at a time; without a step the state stays as it is."""
    if isinstance(a, Tensor) and a.ndim > 0:
        if a.shape != b.shape:
            a, b = torch.broadcast_tensors(a, b)
        gates = a.unbind(dim)
    else:
        gates = (a,) * b.shape[dim]
    h = 0 if initial_state is None else initial_state
    if b.shape[dim] == 0:
        nothing = (a * b).to(_result_dtype(a, b, initial_state, b.ndim))
        if initial_state is None:
            h = nothing.sum(dim, dtype=nothing.dtype)
        return (nothing, h) if output_final_state else nothing
    steps = [*zip(gates, b.unbind(dim), strict=True)]
    rows = []
    for gate, drive in reversed(steps) if reverse else steps:
        h = gate * h + drive
        rows.append(h)
    out = torch.stack(rows[::-1] if reverse else rows, dim)
    return (out, h) if output_final_state else out


# ------------------------------------------------------------------------------------- CPU path


def _halvings(gates: Tensor, rows: int, row: int, dtype: torch.dtype) -> int:
    """Halvings of a scan over `rows` rows of `row` elements that pay and cannot overflow."""
    if row > SMALL_ROW or rows <= SHORT:
        return 0
    wanted = int(math.log2(rows / SHORT))
    if not dtype.is_floating_point and not dtype.is_complex:
        return wanted  # integers wrap around, and so do their products
    if capturing():
        return 0  # the largest gate would have to be looked at
    gates = distinct(gates)
    if gates.is_complex():
        largest = float(gates.abs().amax())
    else:
        low, high = torch.aminmax(gates)
        largest = max(-float(low), float(high))
    return wanted if largest <= 1 else safe_levels(math.log(largest), wanted, dtype)


def _step_torch(
    gates: Tensor, drive: Tensor, state: Tensor | None, reverse: bool, out: Tensor, neighbour: bool
) -> Tensor:
    """As `_scan_torch`, time first, one step a call: for rows so large that only bytes count."""
    length = len(out)
    if state is None:
        state = torch.zeros_like(out[0])
    order = range(length)
    visited: Tensor | None = None
    for t in reversed(order) if reverse else order:
        gate = gates[t]
        if not neighbour:
            torch.addcmul(drive[t], gate, state, out=out[t])
        elif visited is None:
            torch.add(drive[t], state, out=out[t])
        else:
            torch.addcmul(drive[t], visited, state, out=out[t])
        visited, state = gate, out[t]
    return state.clone()


def _scan_torch(
    a: Tensor,
    b: Tensor,
    initial: Tensor | None,
    dim: int,
    reverse: bool,
    out: Tensor,
    *,
    neighbour: bool = False,
) -> Tensor:
    """Writes the scan to `out` and returns its last state, in the accumulator dtype.

    `neighbour` multiplies with the gate of the step visited before, and the first step with 1:
    the scan of the backward pass.
    """
    gates_of, b_of, out_of = (each.movedim(dim, 0) for each in (a, b, out))
    dtype = widened(out.dtype)
    length, rest = b_of.shape[0], b_of.shape[1:]
    row = rest.numel()
    state = None if initial is None else initial.to(dtype)
    if length == 0 or row == 0:
        return b.new_zeros(rest, dtype=dtype) if state is None else state.clone()
    size = min(length, max(1, CHUNK_ELEMENTS // row))
    levels = _halvings(a, size, row, dtype)
    last_axis = dim == out.ndim - 1
    if levels == 0 and not last_axis and a.dtype == b.dtype == out.dtype == dtype:
        return _step_torch(gates_of, b_of, state, reverse, out_of, neighbour)
    # rows of one step must be contiguous where steps are taken one by one
    in_place = out.dtype == dtype and (levels > 0 or not last_axis)
    layout = out_of[:size]
    gate_buffer = (
        torch.empty_like(layout, dtype=dtype)
        if in_place
        else layout.new_empty(layout.shape, dtype=dtype)
    )
    row_buffer = None if in_place else torch.empty_like(gate_buffer)

    def fill(time: slice) -> tuple[Tensor, Tensor]:
        """Gates and rows of some steps, the state before them within."""
        count = time.stop - time.start
        gates = gate_buffer[:count]
        if neighbour:
            _visited_before(gates_of, time, reverse, gates)
        else:
            gates.copy_(gates_of[time])
        rows = out_of[time] if row_buffer is None else row_buffer[:count]
        rows.copy_(b_of[time])
        if state is not None:
            first = -1 if reverse else 0
            rows[first].addcmul_(gates[first], state)
        return gates, rows

    starts = range(0, length, size)
    for start in reversed(starts) if reverse else starts:
        time = slice(start, min(start + size, length))
        rows = scanned(functools.partial(fill, time), levels, reverse=reverse)
        state = rows[0 if reverse else -1].clone()
        if row_buffer is not None:
            out_of[time].copy_(rows)
    return state


def _visited_before(gates_of: Tensor, time: slice, reverse: bool, gates: Tensor) -> None:
    """Writes for each of some steps the gate of the step visited before it, 1 for the first."""
    start, stop, length = time.start, time.stop, len(gates_of)
    if reverse:
        last = min(stop + 1, length)
        gates[: last - start - 1].copy_(gates_of[start + 1 : last])
    else:
        gates[max(0, 1 - start) :].copy_(gates_of[max(start - 1, 0) : stop - 1])
    if stop == length if reverse else start == 0:
        gates[-1 if reverse else 0].fill_(1)


def _gate_gradient_torch(
    a: Tensor,
    b: Tensor,
    initial: Tensor | None,
    g: Tensor,
    dim: int,
    reverse: bool,
    da: Tensor,
) -> None:
    """da[t] = g[t] conj(h[t-1]), h recomputed."""
    h = torch.empty(b.shape, dtype=g.dtype, device=g.device)
    _scan_torch(a, b, initial, dim, reverse, h)
    length = b.shape[dim]
    da_of, g_of, h_of = (each.movedim(dim, 0) for each in (da, g, h.conj()))
    if length == 0:
        return
    if reverse:
        da_of[:-1].copy_(g_of[:-1] * h_of[1:])
    else:
        da_of[1:].copy_(g_of[1:] * h_of[:-1])
    first = da_of[-1 if reverse else 0]
    if initial is None:
        first.zero_()
    else:
        first.copy_(g_of[-1 if reverse else 0] * initial.conj())


# ---------------------------------------------------------------------------------- Triton path


def _triton_takes(*tensors: Tensor | None) -> bool:
    return usable(*tensors) and all(each is None or each.is_floating_point() for each in tensors)


def _as_columns(tensor: Tensor, dim: int) -> Tensor:
    """(..., T, ...) as (outer, T, columns): a view where the strides allow it."""
    return tensor.reshape(
        math.prod(tensor.shape[:dim]), tensor.shape[dim], math.prod(tensor.shape[dim + 1 :])
    )


def _scan_triton(
    a: Tensor,
    b: Tensor,
    initial: Tensor | None,
    dim: int,
    reverse: bool,
    out: Tensor,
    *,
    neighbour: bool = False,
    factor: Tensor | None = None,
    parts: int | None = None,
) -> None:
    """Writes the scan to the contiguous `out`, or factor[t] h[t-1] where a factor is given."""
    columns = _as_columns(b, dim)
    affine_scan(
        _as_columns(a, dim),
        columns,
        None if initial is None else initial.reshape(columns.shape[0], columns.shape[2]),
        _as_columns(out, dim),
        reverse=reverse,
        neighbour=neighbour,
        factor=None if factor is None else _as_columns(factor, dim),
        parts=parts,
    )


# --------------------------------------------------------------------------------- compiled path


def _scan_native(
    a: Tensor,
    b: Tensor,
    initial: Tensor | None,
    dim: int,
    reverse: bool,
    out: Tensor,
    *,
    neighbour: bool = False,
    factor: Tensor | None = None,
) -> None:
    """As `_scan_triton`, in C; computed in the dtype of `factor` or of `out`."""
    columns = _as_columns(b, dim)
    native.linear_scan(
        _as_columns(a, dim),
        columns,
        None if initial is None else initial.reshape(columns.shape[0], columns.shape[2]),
        _as_columns(out, dim),
        wide=widened((out if factor is None else factor).dtype),
        reverse=reverse,
        neighbour=neighbour,
        factor=None if factor is None else _as_columns(factor, dim),
    )


# ------------------------------------------------------------------------------ operator wiring


def _computed(
    a: Tensor, b: Tensor, initial_state: Tensor | None, dim: int, reverse: bool, dtype: torch.dtype
) -> tuple[Tensor, Tensor]:
    """`a` and `b` of one shape, the initial state of that shape without `dim`, one device."""
    out, final = _forward_fake(a, b, initial_state, dim, reverse, dtype)
    if _triton_takes(a, b, initial_state, out) and b.numel():
        _scan_triton(a, b, initial_state, dim, reverse, out)
        final.copy_(out.select(dim, 0 if reverse else -1))
    elif native.takes(a, b, initial_state, out) and b.numel():
        _scan_native(a, b, initial_state, dim, reverse, out)
        final.copy_(out.select(dim, 0 if reverse else -1))
    else:
        final.copy_(_scan_torch(a, b, initial_state, dim, reverse, out))
    return out, final


_forward = torch.library.custom_op("auditor::linear_scan", _computed, mutates_args=())


@_forward.register_fake
def _forward_fake(
    a: Tensor, b: Tensor, initial_state: Tensor | None, dim: int, reverse: bool, dtype: torch.dtype
) -> tuple[Tensor, Tensor]:
    rest = (*b.shape[:dim], *b.shape[dim + 1 :])
    return b.new_empty(b.shape, dtype=dtype), b.new_empty(rest, dtype=dtype)


@torch.library.custom_op("auditor::linear_scan_backward", mutates_args=())
def _backward(
    dh: Tensor,
    dfinal: Tensor | None,
    a: Tensor,
    b: Tensor,
    initial_state: Tensor | None,
    dim: int,
    reverse: bool,
    needs_gate: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of a (empty unless `needs_gate`), b and the initial state, in their dtypes."""
    da, db, dinitial = _backward_fake(dh, dfinal, a, b, initial_state, dim, reverse, needs_gate)
    dtype = widened(dh.dtype)
    g = db if db.dtype == dtype else torch.empty_like(db, dtype=dtype)
    if _triton_takes(a, b, initial_state, dh, dfinal) and b.numel():
        _scan_triton(a, dh, dfinal, dim, not reverse, g, neighbour=True)
        if needs_gate:
            _scan_triton(a, b, initial_state, dim, reverse, da, factor=g)
    elif native.takes(a, b, initial_state, dh, dfinal, g) and b.numel():
        _scan_native(a, dh, dfinal, dim, not reverse, g, neighbour=True)
        if needs_gate:
            _scan_native(a, b, initial_state, dim, reverse, da, factor=g)
    else:
        _scan_torch(a.conj(), dh, dfinal, dim, not reverse, g, neighbour=True)
        if needs_gate:
            _gate_gradient_torch(a, b, initial_state, g, dim, reverse, da)
    if g is not db:
        db.copy_(g)
    if b.shape[dim]:
        first = b.shape[dim] - 1 if reverse else 0
        dinitial.copy_(a.select(dim, first).conj() * g.select(dim, first))
    elif dfinal is None:
        dinitial.zero_()
    else:
        dinitial.copy_(dfinal)
    return da, db, dinitial


@_backward.register_fake
def _backward_fake(
    dh: Tensor,
    dfinal: Tensor | None,
    a: Tensor,
    b: Tensor,
    initial_state: Tensor | None,
    dim: int,
    reverse: bool,
    needs_gate: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    rest = (*b.shape[:dim], *b.shape[dim + 1 :])
    da = a.new_empty(b.shape if needs_gate else (0,))
    start = dh if initial_state is None else initial_state
    return da, b.new_empty(b.shape), start.new_empty(rest)


def _setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
    a, b, initial, ctx.dim, ctx.reverse, ctx.dtype = inputs
    ctx.set_materialize_grads(False)
    if not ctx.needs_input_grad[0]:
        # of these only shape and dtype matter: a caller may overwrite them
        b = b.new_zeros(()).expand(b.shape)
        initial = None if initial is None else initial.new_zeros(()).expand(initial.shape)
    ctx.save_for_backward(a, b, initial)


def _differentiate(ctx: Any, dh: Tensor | None, dfinal: Tensor | None) -> tuple[Tensor | None, ...]:
    operands = ctx.saved_tensors
    a, b, initial = operands
    if dh is None and dfinal is None:
        return (None,) * 6
    if torch.is_grad_enabled():
        # create_graph: the gradients must be differentiable themselves
        results_of = functools.partial(
            reference, dim=ctx.dim, reverse=ctx.reverse, output_final_state=True
        )
        if not ctx.needs_input_grad[0]:
            needs = ctx.needs_input_grad[1:3]
            b, initial = (
                None if each is None else each.detach().requires_grad_(need)
                for each, need in zip((b, initial), needs, strict=True)
            )
            operands = a, b, initial
        return (*differentiable_gradients(results_of, operands, (dh, dfinal)), None, None, None)
    if dh is None:
        dh = torch.zeros_like(b, dtype=ctx.dtype)
    needs_gate = ctx.needs_input_grad[0]
    da, db, dinitial = _backward(dh, dfinal, a, b, initial, ctx.dim, ctx.reverse, needs_gate)

    return (da if needs_gate else None, db, None if initial is None else dinitial, None, None, None)


_forward.register_autograd(_differentiate, setup_context=_setup_context)


# ------------------------------------------------------------------------------ public function


def _result_dtype(
    a: Tensor | complex, b: Tensor, initial: Tensor | complex | None, rank: int
) -> torch.dtype:
    """The dtype that a step of the reference has; scalars and 0-d tensors promote less."""
    if not isinstance(a, Tensor):
        plain = b.is_floating_point() and isinstance(a, (int, float))
    else:
        plain = a.dtype == b.dtype
    alike = isinstance(initial, Tensor) and initial.dtype == b.dtype
    if plain and (initial is None or alike):
        return b.dtype

    def step(operand: Tensor | complex) -> Tensor | complex:
        """An operand of one step of the loop, without elements where it has a shape."""
        if not isinstance(operand, Tensor):
            return operand
        shape = (0,) * (0 if operand.ndim == 0 else rank - 1)
        return torch.zeros(shape, dtype=operand.dtype, device=b.device)

    gate, h = step(a), 0 if initial is None else step(initial)
    drive = torch.zeros((0,) * (rank - 1), dtype=b.dtype, device=b.device)
    for _ in range(2):  # the second step multiplies with the first one's dtype
        h = gate * h + drive
    return h.dtype


def _as_operand(value: Tensor | complex, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Scalars and 0-d tensors of any device as tensors that the operator takes."""
    if not isinstance(value, Tensor):
        return torch.full((), value, dtype=widened(dtype), device=device)
    if value.ndim == 0 and value.device != device:
        return value.to(device)
    return value.to(dtype) if dtype.is_complex else value


def _canonical(
    a: Tensor | complex, b: Tensor, initial: Tensor | complex | None, dim: int
) -> tuple[Tensor, Tensor, Tensor | None, int, torch.dtype] | None:
    """The operands expanded to the operator's shapes, or None where the reference must run."""
    tensors = [each for each in (a, b, initial) if isinstance(each, Tensor)]
    if any(each.dtype == torch.bool for each in tensors) or any(
        each.ndim > 0 and each.device != b.device for each in tensors
    ):
        return None
    shape = b.shape
    if isinstance(a, Tensor) and a.ndim > 0 and a.shape != shape:
        try:
            shape = broadcast(a.shape, b.shape)
        except RuntimeError:
            return None
    rank = len(shape)
    if not -rank <= dim < rank:
        return None
    dim %= rank
    rest = (*shape[:dim], *shape[dim + 1 :])
    dtype = _result_dtype(a, b, initial, rank)
    if dtype == torch.bool:
        return None
    if initial is not None:
        if (
            isinstance(initial, Tensor)
            and initial.dtype != dtype
            and not (initial.is_floating_point() or initial.is_complex())
        ):
            return None  # the first product may be one of integers, which wraps around
        initial = _as_operand(initial, dtype, b.device)
        if initial.ndim > len(rest) or any(
            have not in (1, want)
            for have, want in zip(reversed(initial.shape), reversed(rest), strict=False)
        ):
            return None
        initial = initial.expand(rest)
    a = _as_operand(a, dtype, b.device).expand(shape)
    b = _as_operand(b, dtype, b.device).expand(shape)
    return a, b, initial, dim, dtype


def _evidently_short(a: Tensor | complex, b: Tensor, dim: int) -> bool:
    """Whether few steps on a CPU are seen before the operands are laid out."""
    alike = not isinstance(a, Tensor) or a.ndim == 0 or a.shape == b.shape
    within = -b.ndim <= dim < b.ndim and b.device.type == "cpu"
    return alike and within and b.shape[dim] <= SHORT_SEQUENCE


def linear_scan(
    a: Tensor | complex,
    b: Tensor,
    initial_state: Tensor | complex | None = None,
    *,
    dim: int,
    reverse: bool = False,
    output_final_state: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    """h_t = a_t h_{t-1} + b_t along `dim`.

    Args:
        a: the gates, a tensor or a number. `a` and `b` are broadcast against each other first;
            `dim` counts the axes of the result.
        b: what each step adds.
        initial_state: h before the first step: a number, or a tensor that broadcasts to the
            result's shape without `dim`; None is zero.
        dim: the axis of time.
        reverse: run from the last step to the first, h_t = a_t h_{t+1} + b_t; the result keeps
            the order of the input, the final state is that of step 0.
        output_final_state: return the state after the last step taken as well.

    Any strides and any numeric dtype, complex and integer included; results have the dtype that a
    step of the plain loop has. Half types accumulate in float32. Differentiable in `a`, `b`, the
    initial and the final state, any number of times.

    Returns:
        h, shaped as the broadcast of `a` and `b`; or (h, final state), the latter without `dim`.
        Where there are no steps the final state is `initial_state` itself, as given.

    Raises:
        What `reference` raises: whatever the operator does not cover is handed to it.
    """
    if not isinstance(b, Tensor) and linear_scan_arrays.are_arrays(a, b, initial_state):
        return linear_scan_arrays.linear_scan(
            a, b, initial_state, dim=dim, reverse=reverse, output_final_state=output_final_state
        )
    plain = transformed() or _evidently_short(a, b, dim)
    operands = None if plain else _canonical(a, b, initial_state, dim)
    if operands is None or (
        operands[1].shape[dim] <= (SHORT_SEQUENCE if operands[1].device.type == "cpu" else 0)
    ):
        return reference(
            a, b, initial_state, dim=dim, reverse=reverse, output_final_state=output_final_state
        )
    gates, drive, initial, axis, dtype = operands
    if gates.requires_grad and torch.is_grad_enabled():
        drive = private(drive)
    scan = _computed if unrecorded(gates, drive, initial) else _forward
    out, final = scan(gates, drive, initial, axis, reverse, dtype)
    return (out, final) if output_final_state else out
