"""Recurrences over arrays of NumPy: arrays in, arrays out, without gradients.

One step after the other, as the loop of NumPy has it: with its dtypes (NumPy 2's), its last state,
scalars where rows are, and its warnings. ``step`` is run once on placeholders that record what is
done to them. What was recorded runs in C (native/recurrence.h) where everything is of float32 or of
float64, else, and for few steps or wide rows, in NumPy. A whole number 0 or 1 among the elements
says that nothing is added or multiplied: a product with an infinite state would be NaN, and steps
that only hand a value on keep it. Functions that cannot be recorded are called at every step.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from . import native
from .associative_triton import flat
from .combine_program import ARITHMETIC, Program

Operand = np.ndarray | np.generic | complex
Rows = tuple[Any, ...]

SHORT_SEQUENCE = 100
"""Up to here the steps are taken in NumPy: a call of C costs as much as so many."""

SHORT_WITH_BOUNDS = 20
"""The same of numbers that are kept within bounds: NumPy's extremum of two numbers takes as long as
ten sums."""

WIDE_ROW = 200
"""Rows of more numbers NumPy takes faster: C goes through all steps of a few columns at a time."""

_MOST_KINDS = 3
"""Steps within which a state is of the type and shape that it keeps."""

_FAST = (np.dtype(np.float32), np.dtype(np.float64))
_BOUNDS = {np.maximum: "maximum", np.minimum: "minimum"}
_OF_BOUNDS = {ARITHMETIC[name]: bound for bound, name in _BOUNDS.items()}
_OF_SCALARS = {ARITHMETIC["+"]: operator.add, ARITHMETIC["-"]: operator.sub,
               ARITHMETIC["*"]: operator.mul, **_OF_BOUNDS}  # fmt: skip
_OF_ROWS = {ARITHMETIC["+"]: np.add, ARITHMETIC["-"]: np.subtract,
            ARITHMETIC["*"]: np.multiply, **_OF_BOUNDS}  # fmt: skip


# ------------------------------------------------------------------------------------ recording


class _Unrecorded(Exception):
    """The function does what a program cannot say."""


@dataclass
class _Recording:
    operations: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    registers: int = 0

    def new(self) -> _Recorded:
        self.registers += 1
        return _Recorded(self, self.registers - 1)

    def put(self, name: str, first: _Recorded, second: _Recorded) -> _Recorded:
        result = self.new()
        given = (first.place, second.place, first.place)
        self.operations.append((ARITHMETIC[name], result.place, *given))
        return result


@dataclass(frozen=True, eq=False)
class _Recorded:
    """A register, and what arithmetic makes of it."""

    recording: _Recording
    place: int

    def __add__(self, other: Any) -> _Recorded:
        return self if _is(other, 0) else self._with("+", other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> _Recorded:
        return self if _is(other, 0) else self._with("-", other)

    def __mul__(self, other: Any) -> Any:
        if _is(other, 0):
            return 0
        return self if _is(other, 1) else self._with("*", other)

    __rmul__ = __mul__

    def __array_ufunc__(self, function: np.ufunc, method: str, *given: Any, **how: Any) -> Any:
        name = _BOUNDS.get(function)
        plain = method == "__call__" and not how
        if name is None or not plain or not all(isinstance(each, _Recorded) for each in given):
            raise _Unrecorded(function.__name__)
        return self.recording.put(name, *given)

    def _with(self, name: str, other: Any) -> _Recorded:
        if not isinstance(other, _Recorded):
            raise _Unrecorded(name)
        return self.recording.put(name, self, other)


def _is(value: Any, number: int) -> bool:
    return type(value) is int and value == number


def _recorded(call: _Steps) -> tuple[_Steps, Program] | None:
    """What a step does, registers of states before those of elements, and the call with what is
    an element of the program: 0 and 1 are not."""
    fixed = [_is(each, 0) or _is(each, 1) for each in call.elements]
    return _recorded_with(call, fixed) or (
        _recorded_with(call, [False] * len(fixed)) if any(fixed) else None
    )


def _recorded_with(call: _Steps, fixed: Sequence[bool]) -> tuple[_Steps, Program] | None:
    """The same with those elements that are ``fixed`` as they are: a bound is no number that
    leaves anything out."""
    recording = _Recording()
    state = tuple(recording.new() for _ in call.initial)
    element = tuple(
        each if kept else recording.new()
        for each, kept in zip(call.elements, fixed, strict=True)
    )  # fmt: skip
    try:
        results = call.step(state, element)
    except Exception:  # whatever the function raises of placeholders, it was not recorded
        return None
    if len(results) != len(state) or not all(isinstance(each, _Recorded) for each in results):
        return None
    places = tuple(each.place for each in results)
    program = Program((), tuple(recording.operations), places, recording.registers)
    moving = (each for each, kept in zip(call.elements, fixed, strict=True) if not kept)

    def step(state: Rows, element: Rows) -> Rows:
        return _run(program, state, element)

    return replace(call, step=step, elements=tuple(moving)), program


def _run(program: Program, state: Rows, element: Rows) -> Rows:
    """The program in NumPy, on rows or on all rows at once."""
    registers = [*state, *element, *(None,) * (program.registers - len(state) - len(element))]
    for what, to, first, second, _ in program.operations:
        registers[to] = _OF_SCALARS[what](registers[first], registers[second])
    return tuple(registers[place] for place in program.results)


# --------------------------------------------------------------------------------------- a call


@dataclass(frozen=True)
class _Steps:
    """``elements`` as they were given, of which arrays have time first and are spread over it."""

    step: Callable[[Rows, Rows], Rows]
    elements: Rows
    initial: Rows
    length: int
    axis: int


def reference(
    step: Callable[..., Any],
    elements: Sequence[Operand],
    initial_state: Operand | Sequence[Operand],
    *,
    dim: int,
    reverse: bool = False,
    output_final_state: bool = False,
) -> Any:
    """What `recurrence` computes, one call of ``step`` at a time."""
    call, single = _read(step, elements, initial_state, dim, reverse)
    return _written(call, *_plain(call), single, reverse, output_final_state)


def recurrence(
    step: Callable[..., Any],
    elements: Sequence[Operand],
    initial_state: Operand | Sequence[Operand],
    *,
    dim: int,
    reverse: bool = False,
    output_final_state: bool = False,
) -> Any:
    """state = step(state, element) along ``dim``, as `associative_scan` has it.

    Without a step the last state is the first one, and there are no rows.

    Raises:
        IndexError: ``dim`` is no axis.
    """
    call, single = _read(step, elements, initial_state, dim, reverse)
    found = None
    recorded = _recorded(call)
    if recorded is not None:
        call, program = recorded
        found = _in_one_type(call, program)
    return _written(call, *(found or _plain(call)), single, reverse, output_final_state)


def _read(
    step: Callable[..., Any], elements: Sequence[Operand], initial_state: Any, dim: int,
    reverse: bool,
) -> tuple[_Steps, bool]:  # fmt: skip
    one = isinstance(elements, np.ndarray)
    given: tuple[Any, ...] = (elements,) if one else tuple(elements)
    single = not isinstance(initial_state, (tuple, list))
    initial = (initial_state,) if single else tuple(initial_state)
    shape = np.broadcast_shapes(*map(np.shape, given))
    if not -len(shape) <= dim < len(shape):
        raise IndexError(f"dim {dim} is out of range for elements of {len(shape)} axes")
    axis = dim % len(shape)
    backwards = slice(None, None, -1 if reverse else None)
    rows = tuple(
        _steps_first(_spread(each, shape, axis), axis)[backwards] if np.ndim(each) else each
        for each in given
    )

    def stepped(state: Rows, element: Rows) -> Rows:
        result = step(state[0] if single else state, element[0] if one else element)
        return (result,) if single else tuple(result)

    return _Steps(stepped, rows, initial, shape[axis], axis), single


def _spread(array: np.ndarray, shape: tuple[int, ...], axis: int) -> np.ndarray:
    """An operand with all steps, and no wider otherwise than it is in one step."""
    own = (1,) * (len(shape) - array.ndim) + array.shape
    wide = (*own[:axis], shape[axis], *own[axis + 1 :])
    return array if wide == array.shape else np.broadcast_to(array, wide, subok=True)


def _steps_first(array: np.ndarray, axis: int) -> np.ndarray:
    return np.moveaxis(array, axis, 0) if axis else array


def _rows(call: _Steps) -> Iterator[Rows]:
    columns = [each if np.ndim(each) else (each,) * call.length for each in call.elements]
    return zip(*columns, strict=True)


def _plain(call: _Steps) -> tuple[Rows, Rows]:
    """All states, time first, and the last one."""
    state, kept = call.initial, []
    for element in _rows(call):
        state = call.step(state, element)
        kept.append(state)
    later = state if call.length > len(state) else _settled(call)
    if not kept:
        nothing = tuple(map(np.asarray, later))
        return tuple(np.empty((0, *each.shape), each.dtype) for each in nothing), state
    rows = zip(*kept, strict=True)
    return tuple(itertools.starmap(_stacked, zip(rows, later, strict=True))), state


def _stacked(rows: Rows, later: Any) -> np.ndarray:
    """The values of a state as an array. What it starts as may be handed on for some steps, and is
    a number perhaps where all that comes ``later`` are rows."""
    shape = np.shape(later)
    dtype = np.result_type(*rows[:_MOST_KINDS], rows[-1])
    if all(np.shape(row) == shape for row in rows[:_MOST_KINDS]):
        return np.array(rows, dtype)
    stacked = np.empty((len(rows), *shape), dtype)
    for place, row in enumerate(rows):
        stacked[place] = row
    return stacked


def _settled(call: _Steps) -> Rows:
    """The states after some steps, of which only the types and shapes count."""
    one = tuple(
        np.zeros(each.shape[1:], each.dtype)[()] if np.ndim(each) else each
        for each in call.elements
    )  # fmt: skip
    state = call.initial
    with np.errstate(all="ignore"):
        for _ in state:
            state = call.step(state, one)
    return state


def _written(
    call: _Steps, states: Rows, last: Rows, single: bool, reverse: bool, output_final_state: bool
) -> Any:
    """The states with time where it was, and the last one."""
    laid = tuple(
        np.ascontiguousarray(np.moveaxis(each[::-1] if reverse else each, 0, call.axis))
        for each in states
    )
    if not output_final_state:
        return laid[0] if single else laid
    return (laid[0], last[0]) if single else (laid, last)


# ------------------------------------------------------------------------------------------ in C


def _in_one_type(call: _Steps, program: Program) -> tuple[Rows, Rows] | None:
    """As `_plain`, where all that is computed is of one type and shape; else None."""
    dtype = _dtype(call) if call.length > len(call.initial) else None
    if dtype is None:
        return None
    after = _settled(call)
    shape = np.shape(after[0])
    if not math.prod(shape) or any(
        getattr(each, "dtype", None) != dtype or each.shape != shape for each in after
    ):
        return None
    c = native.LIBRARY is not None and native.has_room_for(program)
    bounded = not shape and any(what in _OF_BOUNDS for what, *_ in program.operations)
    short = min(SHORT_SEQUENCE, SHORT_WITH_BOUNDS) if bounded else SHORT_SEQUENCE
    if c and call.length > short and math.prod(shape) <= WIDE_ROW:
        states = _in_c(call, program, dtype, shape)
        if not all(np.isfinite(each).all() for each in states):
            _overflow_again(call, states)
    elif shape:
        states = _in_place(call, program, dtype, shape)
    else:
        return None
    return states, tuple(each[-1] if each.ndim == 1 else each[-1].copy() for each in states)


def _in_c(call: _Steps, program: Program, dtype: np.dtype, shape: tuple[int, ...]) -> Rows:
    elements = tuple(_with_rank(_tensor(each, dtype), len(shape) + 1) for each in call.elements)
    starts = tuple(_tensor(each, dtype).expand(1, *shape) for each in call.initial)
    found = native.recurrence(
        program,
        flat(elements, (call.length, *shape), call.axis),
        tuple(each[:, 0] for each in flat(starts, (1, *shape), call.axis)),
    )
    laid = (*shape[: call.axis], call.length, *shape[call.axis :])
    return tuple(_steps_first(each.view(laid).numpy(), call.axis) for each in found)


def _in_place(call: _Steps, program: Program, dtype: np.dtype, shape: tuple[int, ...]) -> Rows:
    """Row by row in NumPy, each result where it is kept, without arrays made on the way."""
    states = tuple(np.empty((call.length, *shape), dtype) for _ in call.initial)
    made = {to for _, to, *_ in program.operations}
    kept = {place: states[i] for i, place in enumerate(program.results) if place in made}
    handed_on = [(states[i], place) for i, place in enumerate(program.results)
                 if kept.get(place) is not states[i]]  # fmt: skip
    operations = [
        (
            _OF_ROWS[what], to, first, second,
            iter(kept[to]) if to in kept else itertools.repeat(np.empty(shape, dtype)),
        )
        for what, to, first, second, _ in program.operations
    ]  # fmt: skip
    registers: list[Any] = [None] * program.registers
    inputs = slice(len(call.initial) + len(call.elements))
    before = call.initial
    for t, element in enumerate(_rows(call)):
        registers[inputs] = *before, *element
        for function, to, first, second, where in operations:
            registers[to] = function(registers[first], registers[second], out=next(where))
        for rows, place in handed_on:
            rows[t] = registers[place]
        before = tuple(rows[t] for rows in states)
    return states


def _dtype(call: _Steps) -> np.dtype | None:
    """The dtype that every operation of every step is in, None where that is not so."""
    numpy = [each for each in (*call.elements, *call.initial)
             if isinstance(each, (np.ndarray, np.generic))]  # fmt: skip
    if any(isinstance(each, np.ndarray) and type(each) is not np.ndarray for each in numpy):
        return None  # masks, units and matrices have arithmetic of their own
    dtypes = {each.dtype for each in numpy}
    plain = [each for each in (*call.elements, *call.initial)
             if not isinstance(each, (np.ndarray, np.generic))]  # fmt: skip
    if len(dtypes) != 1 or not dtypes <= set(_FAST) or not all(map(_is_real, plain)):
        return None
    (dtype,) = dtypes
    weak = dtype != np.float64 and any(
        not isinstance(each, (np.ndarray, np.generic)) and each != 0 for each in call.initial
    )
    return None if weak else dtype  # numbers of Python meet in double precision


def _is_real(value: Any) -> bool:
    return type(value) in (int, float)


def _tensor(operand: Any, dtype: np.dtype) -> Tensor:
    """An operand where it lies, unless torch cannot look at it there."""
    array = np.asarray(operand, dtype)
    if not array.flags.writeable or any(
        stride < 0 or stride % array.itemsize for stride in array.strides
    ):
        array = np.array(array)
    return torch.from_numpy(array)


def _with_rank(tensor: Tensor, rank: int) -> Tensor:
    """More axes of extent 1 behind the first one, as broadcasting gives each row."""
    return tensor.reshape(*tensor.shape[:1], *(1,) * (rank - tensor.ndim), *tensor.shape[1:])


def _overflow_again(call: _Steps, states: Rows) -> None:
    """One step of all rows from the rows before them: it warns, or raises, of what overflowed."""
    before = []
    for start, each in zip(call.initial, states, strict=True):
        shifted = np.empty_like(each)
        shifted[0], shifted[1:] = start, each[:-1]
        before.append(shifted)
    call.step(tuple(before), call.elements)
