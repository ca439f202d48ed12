"""Scans with any associative combine, and recurrences whose steps compose in closed form.

    inclusive scan      y[0] = e[0],  y[t] = combine(y[t-1], e[t])
    recurrence          h[t] = step(h[t-1], e[t])

A recurrence comes with both functions: ``combine(first, second)`` is the element whose step does
what the steps of the two do in turn,

    step(h, combine(first, second)) = step(step(h, first), second)

and it may be asked of neighbours in any grouping, never out of order. No identity is needed. An
inclusive scan is the recurrence whose state is an element and whose step is ``combine``.

The sequence is cut into chunks of about the square root of its length. All chunks are combined at
once by halving; one pass over the chunks gives the state before each; then all chunks take their
steps at once, from their true states. A combined element reaches no further than its chunk: it
does not overflow where a product over the whole past would, and ties and roundings within a chunk
are those of the plain loop. Should a combined element not be finite, the plain loop runs.

Where torch.compile traces a call it sees one operator (see `generated_operators`).

On a GPU one kernel, printed for the two functions, does the same (see `associative_triton`);
functions that it cannot be printed for run in torch. On a CPU, where no gradient is wanted, the
step is recorded as a list of operations that a loop in C goes through for a block of columns at a
time (see `combine_program` and native/recurrence.h): one step after the other, to the last bit what
the plain loop gives, but for the sign of a zero out of `torch.maximum` or `torch.minimum` of two
zeros of different signs (or a clamp to a tensor), which in torch depends on the place in a row.

Gradients are autograd's own through these calls: right for every element, the initial state and
whatever the functions close over, any number of times, in memory linear in the length.

Sources: Blelloch, "Prefix sums and their applications" (1990); Ladner and Fischer, "Parallel
prefix computation" (1980).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from . import associative_scan_arrays, native
from .associative_triton import flat, loaded, module_source, recurrence
from .combine_program import program
from .generated_operators import Program, associative, registered
from .gradients import differentiable_gradients
from .linear_scan_arrays import are_arrays
from .precision import widened
from .shapes import broadcast
from .surroundings import unseen
from .triton_runtime import usable

SHORT_SEQUENCE = 112
"""Up to so many steps the plain loop is the fastest: combining costs more calls than it saves.
Twice as many for elements of more than six parts, half as many where a gradient is wanted. On one
core of a CPU (2026-11-27) 128 steps that are clamped take 0.57 ms in chunks and 0.64 in a loop, 64
with gradients 1.9 and 2.4."""

SMALL_ROW = {"cpu": 2048, "cuda": 1 << 18}
"""Numbers that a combined row may hold, over all its elements, for chunks to pay: above, bytes
count and not calls, and the plain loop moves fewer of them."""

SMALL_TRAINED_ROW = 512
"""The same where a gradient is wanted, on a CPU: the loop's backward pass moves fewer of them."""

STEPS_IN_C = 100
"""From so many steps on recording one costs less than C saves."""

ROW_IN_C = 8192
"""Numbers that a row may hold, for each thread, for C to pay, which goes through all steps of a few
columns at a time: larger rows the plain loop moves faster."""

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-12, 1e-11),
    torch.float32: (1e-5, 1e-4),
    torch.float16: (2e-3, 8e-3),
    torch.bfloat16: (1.6e-2, 6.4e-2),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients), for functions
that do not amplify roundings. Half types are computed in float32 and rounded once, at the end."""

Rows = tuple[Tensor, ...]
Function = Callable[..., Any]


@dataclass(frozen=True)
class _Steps:
    """A call: ``elements`` have time first and one rank. What does not change along an axis has
    extent 1 there and is never expanded. ``initial`` is None for an inclusive scan; ``axis`` is
    where time was; ``bounds`` are the places of elements that are an infinite number."""

    combine: Callable[[Rows, Rows], Rows]
    step: Callable[[Rows, Rows], Rows]
    elements: Rows
    initial: Rows | None
    length: int
    axis: int
    bounds: tuple[int, ...] = ()


def reference(
    combine: Function,
    elements: Tensor | Sequence[Tensor | complex],
    *,
    dim: int,
    reverse: bool = False,
    step: Function | None = None,
    initial_state: Any = None,
    output_final_state: bool = False,
) -> Any:
    """What `associative_scan` computes, one step at a time."""
    call, axis, single = _read(combine, elements, dim, reverse, step, initial_state)
    return _written(_loop(call), axis, single, reverse, output_final_state)


def _loop(call: _Steps) -> tuple[Rows, Rows]:
    """All states, time first, and the last one."""
    if call.length == 0:
        return _no_steps(call)
    states: list[Rows] = []
    state = call.initial
    for element in rows_of(call.elements, call.length):
        state = element if state is None else call.step(state, element)
        states.append(state)
    return _stacked(states), states[-1]


def _no_steps(call: _Steps) -> tuple[Rows, Rows]:
    """Arrays of the right shape and dtype without rows."""
    if call.initial is None:
        return call.elements, ()  # no element, no state
    one = tuple(each.new_ones((1, *each.shape[1:]))[0] for each in call.elements)
    after = call.step(call.initial, one)
    return tuple(each.new_empty((0, *each.shape)) for each in after), call.initial


def rows_of(elements: Sequence[Tensor], length: int, axis: int = 0) -> Iterator[Rows]:
    """The elements at each place of an axis."""
    split = [
        each.unbind(axis) * length if each.shape[axis] == 1 else each.unbind(axis)
        for each in elements
    ]
    return zip(*split, strict=True)


def _stacked(states: Sequence[Rows], axis: int = 0) -> Rows:
    return tuple(torch.stack(rows, axis) for rows in zip(*states, strict=True))


# ------------------------------------------------------------------------------- reading a call


def _read(
    combine: Function,
    elements: Tensor | Sequence[Tensor | complex],
    dim: int,
    reverse: bool,
    step: Function | None,
    initial_state: Any,
) -> tuple[_Steps, int, bool]:
    """The call, the axis of time, and whether the state is one tensor rather than a tuple."""
    one = isinstance(elements, Tensor)
    given: tuple[Any, ...] = (elements,) if one else tuple(elements)
    single = not isinstance(initial_state, (tuple, list))
    states = (initial_state,) if single else tuple(initial_state)
    # a number that a state of double precision is multiplied with is not rounded to less
    tensors = as_tensors(given, [each for each in states if inexact(each)], step is None)
    shape = broadcast(*(each.shape for each in tensors))
    rank = len(shape)
    if not -rank <= dim < rank:
        raise IndexError(f"dim {dim} is out of range for elements of {rank} axes")
    axis = dim % rank
    if step is None:
        tensors = tuple(each.expand(shape) for each in tensors)
    first = tuple(_time_first(each, rank, axis) for each in tensors)
    if reverse:
        first = tuple(each.flip(0) if each.shape[0] > 1 else each for each in first)
    combined = over_tuples(combine, one, one)
    if step is None:
        if initial_state is not None:
            raise TypeError("an initial state needs the step that starts from it")
        return _Steps(combined, combined, first, None, shape[axis], axis), axis, one
    initial = as_tensors(states, tensors)
    stepped = over_tuples(step, single, one)
    bounds = tuple(
        place for place, value in enumerate(given)
        if not isinstance(value, Tensor) and value in (math.inf, -math.inf)
    )  # fmt: skip
    return _Steps(combined, stepped, first, initial, shape[axis], axis, bounds), axis, single


def _time_first(tensor: Tensor, rank: int, axis: int) -> Tensor:
    """A tensor of that rank with the axis of time in front."""
    if tensor.ndim < rank:
        tensor = tensor.reshape((1,) * (rank - tensor.ndim) + tensor.shape)
    return tensor.movedim(axis, 0) if axis else tensor


def inexact(value: Any) -> bool:
    """Whether a value is a tensor of rounded numbers."""
    return isinstance(value, Tensor) and (value.is_floating_point() or value.is_complex())


def as_tensors(
    values: Sequence[Tensor | complex], beside: Sequence[Tensor] = (), finite: bool = False
) -> Rows:
    """Numbers as tensors without axes, of a dtype that does not widen the others', as beside an
    array of torch. With ``finite`` an infinite one becomes the largest finite one, whose product
    with zero is zero."""
    tensors = [each for each in (*values, *beside) if isinstance(each, Tensor)]
    if not tensors:
        raise TypeError("one of the elements must be a tensor")
    floats = [each.dtype for each in tensors if inexact(each)]
    whole = functools.reduce(torch.promote_types, (each.dtype for each in tensors))
    dtype = functools.reduce(torch.promote_types, floats or [torch.get_default_dtype()])

    def tensor(value: Tensor | complex) -> Tensor:
        if isinstance(value, Tensor):
            return value
        own = dtype
        if isinstance(value, bool) or (isinstance(value, int) and not floats):
            own = torch.as_tensor(value).dtype
            bounds = None if isinstance(value, bool) or whole is torch.bool else torch.iinfo(whole)
            if bounds is not None and bounds.min <= value <= bounds.max:
                own = whole
        elif isinstance(value, complex):
            own = (torch.zeros((), dtype=dtype) * 1j).dtype
        elif finite and value in (math.inf, -math.inf):
            value = math.copysign(torch.finfo(dtype).max, value)
        return torch.full((), value, dtype=own, device=tensors[0].device)

    return tuple(tensor(each) for each in values)


def over_tuples(
    function: Function, first_alone: bool, second_alone: bool
) -> Callable[[Rows, Rows], Rows]:
    """The function with tuples for its arguments and its result."""

    def called(first: Rows, second: Rows) -> Rows:
        result = function(first[0] if first_alone else first, second[0] if second_alone else second)
        return (result,) if first_alone else tuple(result)

    return called


def _written(
    found: tuple[Rows, Rows], axis: int, single: bool, reverse: bool, output_final_state: bool
) -> Any:
    """The states with time where it was, and the last one."""
    states, final = found
    if reverse:
        states = tuple(each.flip(0) for each in states)
    if axis:
        states = tuple(each.movedim(0, axis) for each in states)
    states = tuple(each.contiguous() for each in states)
    if not output_final_state:
        return states[0] if single else states
    if not final:
        raise ValueError("no final state: there are no elements and there is no initial state")
    return (states[0], final[0]) if single else (states, final)


# -------------------------------------------------------------------------------------- chunks


def _chunk_size(length: int) -> int:
    """The power of two that leaves the fewest steps: over chunks, within one, and left over."""
    sizes = [1 << power for power in range(length.bit_length())]
    return min(sizes, key=lambda size: length // size + size + length % size)


def _in_chunks(call: _Steps, chunks: bool = True) -> tuple[Rows, Rows] | None:
    """As `_loop`, in one call or all `chunks` at once; None where that cannot be relied on."""
    if call.length < 2:
        return None
    if call.initial is None:
        first = tuple(each[0] for each in call.elements)
        rest = tuple(each[1:] for each in call.elements)
        inner = replace(call, elements=rest, initial=first, length=call.length - 1)
        found = _in_chunks(inner, chunks)
        if found is None:
            return None
        joined = zip(first, found[0], strict=True)
        return tuple(torch.cat((one[None], others)) for one, others in joined), found[1]
    after = call.step(call.initial, tuple(each[0] for each in call.elements))
    rank = after[0].ndim
    if any(each.ndim != rank for each in after) or not _one_precision(call, after):
        return None
    elements = tuple(wide(_with_rank(each, rank + 1)) for each in call.elements)
    initial = tuple(
        wide(each.to(shaped.dtype)).expand(shaped.shape)
        for each, shaped in zip(call.initial, after, strict=True)
    )
    found = (
        (_on_gpu(call, elements, initial) if chunks else None)
        or in_c(call, elements, initial)
        or (_chunked(call, elements, initial) if chunks else None)
    )
    if found is None:
        return None
    states, final = (
        tuple(each.to(like.dtype) for each, like in zip(rows, after, strict=True)) for rows in found
    )
    return states, final


def _on_gpu(call: _Steps, elements: Rows, initial: Rows) -> tuple[Rows, Rows] | None:
    """The kernel that is printed for these functions, where there is one."""
    return with_triton(call, elements, initial) if usable(*elements, *initial) else None


def in_c(call: _Steps, elements: Rows, initial: Rows) -> tuple[Rows, Rows] | None:
    """As `_loop`, one step after the other in C; None for functions and operands that it does not
    take, and where a gradient is wanted."""
    tensors, shape = (*elements, *initial), initial[0].shape
    dtype = elements[0].dtype
    whole = broadcast(*(each.shape[1:] for each in elements), shape)
    if (
        not native.takes(*tensors)
        or dtype not in (torch.float32, torch.float64)
        or any(each.dtype != dtype for each in tensors)
        or any(each.shape != whole for each in initial)
        or _wants_gradient(*tensors)
    ):
        return None
    steps = program(call.step, len(initial), len(elements))
    if steps is None or not native.has_room_for(steps):
        return None
    axis = call.axis if len(whole) + 1 == call.elements[0].ndim else 0
    found = native.recurrence(
        steps,
        flat(elements, (call.length, *whole), axis),
        tuple(
            each[:, 0] for each in flat(tuple(each[None] for each in initial), (1, *whole), axis)
        ),
    )
    laid_out = (*whole[:axis], call.length, *whole[axis:])
    states = tuple(each.view(laid_out).movedim(axis, 0) for each in found)
    return states, tuple(each[-1] for each in states)


def _bounded(call: _Steps, elements: Rows) -> Rows:
    """Elements as they are combined: the largest finite number, whose product with zero is zero,
    for an infinite one."""
    return tuple(
        torch.full_like(each, math.copysign(torch.finfo(each.dtype).max, float(each.flatten()[0])))
        if place in call.bounds else each
        for place, each in enumerate(elements)
    )  # fmt: skip


def _reach(call: _Steps, states: Rows) -> bool:
    """Whether states reach the numbers that stand for infinite bounds, and are held by them."""
    return bool(call.bounds) and not all(
        bool((each.detach().abs() < torch.finfo(each.dtype).max).all()) for each in states
    )


def with_triton(
    call: _Steps, elements: Rows, initial: Rows, parts: int | None = None
) -> tuple[Rows, Rows] | None:
    """As `_chunked`, by one kernel; None for functions and dtypes that it does not take."""
    shape, tensors = initial[0].shape, (*elements, *initial)
    dtype = elements[0].dtype
    whole = broadcast(*(each.shape[1:] for each in elements), shape)
    if (
        any(each.dtype != dtype for each in tensors)
        or dtype not in (torch.float32, torch.float64)
        or any(each.shape != whole for each in initial)
    ):
        return None
    text = module_source(call.combine, call.step, len(elements), len(initial))
    if text is None:
        return None
    starts = tuple(each[None] for each in initial)
    axis = call.axis if len(whole) + 1 == call.elements[0].ndim else 0
    with torch.no_grad():
        found = recurrence(
            loaded(text),
            flat(_bounded(call, elements), (call.length, *whole), axis),
            tuple(each[:, 0] for each in flat(starts, (1, *whole), axis)),
            parts,
        )
    if found is None or _reach(call, (*initial, *found)):
        return None
    laid_out = (*whole[:axis], call.length, *whole[axis:])
    states = tuple(each.view(laid_out).movedim(axis, 0) for each in found)

    def again(*operands: Tensor) -> Rows:
        rows, starts = operands[: len(elements)], operands[len(elements) :]
        in_chunks = _chunked(call, rows, starts)
        return (in_chunks or _loop(replace(call, elements=rows, initial=starts)))[0]

    states = Differentiated.apply(again, states, *tensors)
    return states, tuple(each[-1] for each in states)


class Differentiated(torch.autograd.Function):
    """Results with the gradients of ``again``, which computes them anew in torch."""

    @staticmethod
    def forward(ctx: Any, again: Callable[..., Rows], results: Rows, *operands: Tensor) -> Rows:
        ctx.again = again
        ctx.save_for_backward(*operands)
        return results

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        with torch.enable_grad():
            found = differentiable_gradients(ctx.again, ctx.saved_tensors, grads)
        return (None, None, *found)


def _one_precision(call: _Steps, after: Rows) -> bool:
    """Whether elements and states are floating point numbers of one dtype, or truth values: a
    combined element is then as exact as a state."""
    tensors = (*call.elements, *after)
    dtypes = {each.dtype for each in tensors} - {torch.bool}
    inclusive = call.step is call.combine
    return not any(map(integral, tensors)) and (inclusive or len(dtypes) <= 1)


def integral(tensor: Tensor) -> bool:
    """Whether combined elements may wrap around: other groupings then give other results."""
    return not inexact(tensor) and tensor.dtype != torch.bool


def wide(tensor: Tensor) -> Tensor:
    return tensor.to(widened(tensor.dtype))


def _with_rank(tensor: Tensor, rank: int) -> Tensor:
    """More axes of extent 1 behind the first one, as broadcasting gives each row."""
    missing = max(0, rank - tensor.ndim)
    return tensor.reshape(tensor.shape[0], *(1,) * missing, *tensor.shape[1:])


def _chunked(call: _Steps, elements: Rows, initial: Rows) -> tuple[Rows, Rows] | None:
    """As `_loop`, all chunks at once; None where combined elements are not finite, or of another
    dtype than what they are made of."""
    size = _chunk_size(call.length)
    count = call.length // size

    def in_rows(elements: Rows) -> Rows:
        return tuple(
            each[None] if each.shape[0] == 1 else each[: count * size].unflatten(0, (count, size))
            for each in elements
        )

    totals = _combined(call.combine, in_rows(_bounded(call, elements)), size)
    if any(one.dtype != each.dtype for one, each in zip(totals, elements, strict=True)):
        return None
    if not all(bool(each.detach().isfinite().all()) for each in totals):
        return None
    starts = [initial]
    for total in rows_of(totals, count):
        starts.append(call.step(starts[-1], total))
    state, final = _stacked(starts[:-1]), starts[-1]
    states = []
    for element in rows_of(in_rows(elements), size, axis=1):
        state = call.step(state, element)
        states.append(state)
    found = tuple(each.flatten(0, 1) for each in _stacked(states, axis=1))
    if _reach(call, (*initial, *found)):
        return None
    left = call.length - count * size
    if left:
        behind = tuple(each if each.shape[0] == 1 else each[-left:] for each in elements)
        states = []
        for element in rows_of(behind, left):
            final = call.step(final, element)
            states.append(final)
        found = tuple(map(torch.cat, zip(found, _stacked(states), strict=True)))
    return found, final


def _combined(combine: Callable[[Rows, Rows], Rows], within: Rows, size: int) -> Rows:
    """All elements of each chunk, (chunks, size, ...), as one: neighbours by halving."""
    while size > 1:
        first = tuple(each if each.shape[1] == 1 else each[:, 0::2] for each in within)
        second = tuple(each if each.shape[1] == 1 else each[:, 1::2] for each in within)
        within = combine(first, second)
        size //= 2
    return tuple(each[:, 0] for each in within)


# ------------------------------------------------------------------------------ public function


def _chunks_pay(call: _Steps) -> bool:
    """Whether there are enough steps, and so small ones that calls are what they cost."""
    count = len(call.elements)
    wanted = _wants_gradient(*call.elements, *(call.initial or ()))
    if call.length * (2 if wanted else 1) <= SHORT_SEQUENCE * (1 if count <= 6 else 2):
        return False
    if unseen(*call.elements, *(call.initial or ())):
        return False  # whether a combined element is finite has to be looked at
    device = call.elements[0].device.type
    largest = SMALL_ROW.get(device, 0)
    if device == "cpu" and wanted:
        largest = SMALL_TRAINED_ROW
    row = _row(call)
    if row == 0 or count * row <= largest:
        return row > 0
    if row > largest:
        return False
    with torch.no_grad():
        first, second = (tuple(each[:1] for each in call.elements) for _ in range(2))
        return sum(each.numel() for each in call.combine(first, second)) <= largest


def _wants_gradient(*tensors: Tensor) -> bool:
    return torch.is_grad_enabled() and any(each.requires_grad for each in tensors)


def _c_pays(call: _Steps) -> bool:
    """Whether there are enough steps to record one of them, not too wide, and C may take all."""
    tensors = (*call.elements, *(call.initial or ()))
    if call.length <= STEPS_IN_C or unseen(*tensors) or not native.takes(*tensors):
        return False
    return _row(call) <= ROW_IN_C * torch.get_num_threads()


def _row(call: _Steps) -> int:
    """How many numbers the largest row has."""
    rows = [each[:1].numel() for each in call.elements]
    return max([*rows, *(each.numel() for each in call.initial or ())])


def associative_scan(
    combine: Function,
    elements: Tensor | Sequence[Tensor | complex],
    *,
    dim: int,
    reverse: bool = False,
    step: Function | None = None,
    initial_state: Any = None,
    output_final_state: bool = False,
) -> Any:
    """The inclusive scan of ``elements`` by ``combine``, or all states of a recurrence.

    Args:
        combine: ``combine(first, second)``, associative, of two elements: tuples of tensors as
            ``elements`` is one, or tensors where ``elements`` is a single tensor. It returns the
            same. It need not commute. It must work elementwise: it is asked of many rows at once,
            with axes more than a row has.
        elements: what each step does; tensors and numbers that are broadcast against each other.
            An infinite number is combined as the largest finite one, and is one in ``step``.
        dim: the axis of time, counted in the broadcast shape.
        reverse: run from the last step to the first; the result keeps the order of the input.
        step: ``step(state, element)``, elementwise as well, of which ``combine`` is the
            composition: the result is then the state after each step, not the combined elements.
        initial_state: with ``step``, the state before the first one: a tensor, a number, or a
            tuple of them, which then makes the state a tuple.
        output_final_state: return the state after the last step taken as well.

    Any strides. The dtypes are those that a plain loop would give. Half types accumulate in
    float32. A recurrence over arrays of NumPy gives arrays, and scalars for numbers (see
    `associative_scan_arrays`).

    Returns:
        The states, with the axis of time in its place, as one tensor or as a tuple; or
        (states, final state).

    Raises:
        TypeError: no element is a tensor, or an initial state without a step.
        ValueError: the final state of no elements, without an initial one.
        IndexError: ``dim`` is no axis.
    """
    starts = initial_state if isinstance(initial_state, (tuple, list)) else (initial_state,)
    if step is not None and not isinstance(elements, Tensor) and are_arrays(*elements, *starts):
        return associative_scan_arrays.recurrence(
            step, elements, initial_state, dim=dim, reverse=reverse,
            output_final_state=output_final_state,
        )  # fmt: skip
    call, axis, single = _read(combine, elements, dim, reverse, step, initial_state)
    if torch.compiler.is_compiling() and call.length:
        name = operator_name(
            combine, step, isinstance(elements, Tensor), single, len(call.elements),
            len(call.initial or ()),
        )  # fmt: skip
        if name is not None:
            states = tuple(associative(name, list(call.elements), list(call.initial or ())))
            final = tuple(each[-1] for each in states)
            return _written((states, final), axis, single, reverse, output_final_state)
    return _written(_run(call), axis, single, reverse, output_final_state)


def _run(call: _Steps) -> tuple[Rows, Rows]:
    """All states, time first, and the last one, in the way that pays."""
    chunks = _chunks_pay(call)
    found = _in_chunks(call, chunks) if chunks or _c_pays(call) else None
    return found or _loop(call)


@torch.compiler.assume_constant_result
def operator_name(
    combine: Function, step: Function | None, one: bool, single: bool, arity: int, states: int
) -> str | None:
    """The name of the operator that scans with these functions, None where there is none.

    Elements have ``arity`` parts, or are a tensor (``one``); states have ``states`` parts, or are a
    tensor (``single``)."""
    combined = over_tuples(combine, one, one)
    stepped = combined if step is None else over_tuples(step, single, one)

    def call(elements: Rows, initial: Rows, length: int, bounds: tuple[int, ...] = ()) -> _Steps:
        # where time was decides how columns lie in memory only
        axis = elements[0].ndim - 1
        return _Steps(combined, stepped, elements, initial or None, length, axis, bounds)

    def length_of(elements: Rows) -> int:
        return max(each.shape[0] for each in elements)

    def run(elements: Rows, initial: Rows) -> Rows:
        bounds = tuple(
            place for place, each in enumerate(elements)
            if step is not None and each.numel() == 1 and bool(each.detach().isinf().all())
        )  # fmt: skip
        return _run(call(elements, initial, length_of(elements), bounds))[0]

    def shaped(elements: Rows, initial: Rows) -> Rows:
        length = length_of(elements)
        first = tuple(each[:1] for each in elements)
        twice = tuple(each.expand(2, *each.shape[1:]) for each in first)
        states, _ = _loop(call(twice, initial, 2))
        return tuple(each.new_empty((length, *each.shape[1:])) for each in states)

    functions = [(combined, arity, arity)]
    if step is not None:
        functions.append((stepped, states, arity))
    kind = "scan" if step is None else "recurrence"
    return registered(kind, Program(run, shaped), *functions)
