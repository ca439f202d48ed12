"""The CPU kernels in C, where they were built: loading them, and calling them on tensors.

`library.c` is compiled when the package is installed, if there is a compiler. Without it `LIBRARY`
is None and nothing here is called: the paths in torch do the same. The library is plain C without
Python's or torch's headers; a call passes sizes, addresses and strides as one array of integers.
ctypes gives up Python's lock meanwhile, so that threads of a pool share the items of a call; what
an item computes does not depend on how many there are.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.machinery
import itertools
import math
import os
import struct
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from ..combine_program import Program

Rows = tuple[Tensor, ...]

VERSION = 3
"""That of the arguments' meaning, as in library.c."""

KINDS = {torch.float32: 0, torch.float64: 1, torch.bfloat16: 2, torch.float16: 3}

PARALLEL, PARALLEL_AWAKE = 1 << 18, 1 << 15
"""So many elementary steps pay for another thread: one that has to be woken, one that waits."""

MOST_PARTS = 16
"""Into so many the channels of a group are cut at most."""

MOST_IN_PLACE = 1024
"""So many columns a linear scan advances together at most, as in library.c."""

MOST_REGISTERS, MOST_PARTS_OF_STATE = 64, 8
"""So much a recurrence's program may use, as in recurrence.h."""

NARROW = 8
"""Up to so many channels of a group have kernels of their own, as in library.c."""

NO_MEMORY = "no memory for a kernel's buffers"

LANES = 32
"""A part of the channels is a multiple of what a kernel advances together."""


def _loaded() -> ctypes.CDLL | None:
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        path = Path(__file__).with_name(f"_library{suffix}")
        if not path.is_file():
            continue
        try:
            library = ctypes.CDLL(str(path))
            found = library.native_version()
        except (OSError, AttributeError):  # another processor's, or another file altogether
            continue
        if found == VERSION:
            library.native_run.argtypes = [
                *[ctypes.c_int] * 3,
                ctypes.c_void_p,
                *[ctypes.c_int64] * 2,
            ]
            if hasattr(library, "native_share"):
                library.native_share.argtypes = [
                    *library.native_run.argtypes,
                    ctypes.c_void_p,
                ]
            return library
    return None


LIBRARY = _loaded()
LEVEL = LIBRARY.native_level() if LIBRARY else 0
"""The instruction set in use."""


def takes(*tensors: Tensor | None) -> bool:
    """Whether the library is there and reads such tensors."""
    return LIBRARY is not None and all(
        each is None
        or (each.device.type == "cpu" and each.dtype in KINDS and each.layout == torch.strided)
        for each in tensors
    )


@functools.cache
def _team() -> int | None:
    """The address of what runs a function on the threads of torch's OpenMP, which are awake and
    would be in the way of others; None where torch has none or `library.c` cannot call it."""
    if not hasattr(LIBRARY, "native_share") or not hasattr(os, "register_at_fork"):
        return None
    try:
        parallel = ctypes.CDLL(None).GOMP_parallel
    except (OSError, AttributeError):
        return None
    return ctypes.cast(parallel, ctypes.c_void_p).value


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads beside the caller's, started when they are needed."""
    return ThreadPoolExecutor(threads, thread_name_prefix="auditor-kernels")


_forked = False


def _after_fork() -> None:
    """A child has none of the threads, and OpenMP does not start them again."""
    global _forked
    _forked = True
    _pool.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _run(kernel: int, wide: torch.dtype, arguments: Sequence[int], items: int, work: int) -> None:
    """Runs the items of a call, on several threads where `work`, in steps, is worth it."""
    numbers = (ctypes.c_int64 * len(arguments))(*arguments)
    head = (kernel, LEVEL, int(wide == torch.float64), numbers)
    most = torch.get_num_threads()
    team = None if most == 1 or _forked else _team()
    threads = max(1, min(most, items, work // (PARALLEL if team is None else PARALLEL_AWAKE)))
    if threads == 1:
        if LIBRARY.native_run(*head, 0, items):
            raise MemoryError(NO_MEMORY)
        return
    if team is not None:
        if LIBRARY.native_share(*head, items, threads, team):
            raise MemoryError(NO_MEMORY)
        return
    borders = [items * number // threads for number in range(threads + 1)]
    others = [
        _pool(most - 1).submit(LIBRARY.native_run, *head, *span)
        for span in itertools.pairwise(borders[1:])
    ]
    try:
        status = LIBRARY.native_run(*head, 0, borders[1])
    finally:
        wait(others)  # they write to the caller's tensors, an interrupt must not free those before
    if status or any(each.result() for each in others):
        raise MemoryError(NO_MEMORY)


def _view(tensor: Tensor | None) -> list[int]:
    """Address, kind and four strides."""
    if tensor is None:
        return [0] * 6
    return [tensor.data_ptr(), KINDS[tensor.dtype], *tensor.stride(), *[0] * (4 - tensor.ndim)]


def _dense(tensor: Tensor) -> list[int]:
    """As `_view`, of a contiguous tensor in the dtype that is computed in: an address is enough."""
    return [tensor.data_ptr(), *[0] * 5]


def _plain(*tensors: Tensor | None) -> list[Tensor | None]:
    """Tensors whose memory holds their values."""
    return [None if each is None else each.resolve_neg() for each in tensors]


# -------------------------------------------------------------------------------- selective scan


def _selective_sizes(
    x: Tensor, B: Tensor, chunk: int, parts: int = MOST_PARTS
) -> tuple[list[int], int, int]:
    """The sizes that a call begins with, its items, its work."""
    batch, length, channels = x.shape
    groups, states = B.shape[2:]
    width = channels // groups
    part = LANES * math.ceil(width / (LANES * parts))
    parts = math.ceil(width / part)
    sizes = [batch, length, groups, states, width, chunk, parts, part]
    return sizes, batch * groups * parts, x.numel() * states


def selective_forward(
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    initial_state: Tensor | None,
    y: Tensor,
    final: Tensor,
    borders: Tensor,
    chunk: int,
) -> None:
    """Writes y, the final state and the states at the borders of chunks, all in place."""
    operands = _plain(x, delta, A, B, C, initial_state)
    sizes, items, work = _selective_sizes(x, B, chunk)
    views = [number for each in (*operands, y, final) for number in _view(each)]
    kernel = 1 if sizes[4] <= NARROW else 0
    _run(kernel, borders.dtype, [*sizes, *views, *_dense(borders)], items, work)


def selective_backward(
    dy: Tensor,
    dfinal: Tensor | None,
    x: Tensor,
    delta: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    borders: Tensor,
    grads: tuple[Tensor, ...],
    chunk: int,
) -> None:
    """Writes the gradients of x, delta, A, B, C and the initial state, in place."""
    dx, ddelta, dA, dB, dC, dinitial = grads
    operands = _plain(x, delta, A, B, C)
    outer = _plain(dy, dfinal)
    # Each part of the channels has its own sums for B and C, together no larger than x and delta.
    # They are added up here, in an order that no thread can change.
    most = min(MOST_PARTS, max(1, x.shape[2] // (B.shape[2] * B.shape[3])))
    sizes, items, work = _selective_sizes(x, B, chunk, most)
    dA_parts = A.new_zeros((x.shape[0], *A.shape), dtype=borders.dtype)
    dB_parts, dC_parts = B.new_zeros((2, sizes[6], *B.shape), dtype=borders.dtype)
    views = [_view(each) for each in (*operands, None, None, None)] + [_dense(borders)]
    views += [_view(each) for each in (*outer, dx, ddelta, dA_parts)]
    views += [_dense(dB_parts), _dense(dC_parts), _view(dinitial)]
    numbers = [*sizes, *(number for view in views for number in view)]
    _run(3 if sizes[4] <= NARROW else 2, borders.dtype, numbers, items, 3 * work)
    for grad, parts in ((dA, dA_parts), (dB, dB_parts), (dC, dC_parts)):
        grad.copy_(parts.sum(0))


# ----------------------------------------------------------------------------------- linear scan


def linear_scan(
    a: Tensor,
    b: Tensor,
    initial: Tensor | None,
    out: Tensor,
    *,
    wide: torch.dtype,
    reverse: bool = False,
    neighbour: bool = False,
    factor: Tensor | None = None,
) -> None:
    """Scans axis 1 of (outer, length, columns) into `out`, computing in `wide`.

    `initial` is (outer, columns). `neighbour` multiplies with the gate of the step visited before,
    and the first step with 1. With `factor` the result is factor[t] h[t-1] instead of h[t].
    """
    outer, length, lanes = b.shape
    operands = _plain(a, b, initial, factor, out)
    if lanes < LANES and outer > lanes:
        operands = [None if each is None else each.transpose(0, -1) for each in operands]
        outer, lanes = lanes, outer
    wanted = math.ceil(torch.get_num_threads() / outer)
    part = min(MOST_IN_PLACE, LANES * math.ceil(lanes / (LANES * wanted)))
    parts = math.ceil(lanes / part)
    views = [_view(each) for each in operands]
    if reverse:
        for view, each in zip(views, operands, strict=True):
            if each is not None and each.ndim == 3:
                view[0] += (length - 1) * view[3] * each.element_size()
                view[3] = -view[3]
    sizes = [outer, length, lanes, int(neighbour), parts, part]
    numbers = [*sizes, *(number for view in views for number in view)]
    _run(4, wide, numbers, outer * parts, b.numel())


def scan_arrays(
    a: np.ndarray, b: np.ndarray, initial: np.ndarray | None, out: np.ndarray, reverse: bool
) -> None:
    """As `linear_scan`, of arrays of float32 and float64, read where they lie, whatever their
    strides; each has the axes (outer, length, columns) or none, `initial` (outer, columns) or none.
    Computed in the dtype of `out`."""
    outer, length, lanes = out.shape
    part = min(MOST_IN_PLACE, LANES * math.ceil(lanes / LANES))
    parts = math.ceil(lanes / part)
    numbers = [outer, length, lanes, 0, parts, part]
    for each in (a, b, initial, None, out):
        if each is None:
            numbers += [0] * 6
            continue
        address, size = each.__array_interface__["data"][0], each.itemsize
        strides = [stride // size for stride in each.strides]
        if reverse and len(strides) == 3:
            address += (length - 1) * each.strides[1]
            strides[1] = -strides[1]
        kind = 0 if size == 4 else 1
        numbers += [address, kind, *strides, *[0] * (4 - len(strides))]
    wide = torch.float32 if out.itemsize == 4 else torch.float64
    _run(4, wide, numbers, outer * parts, out.size)


# --------------------------------------------------------------------------------------- softmax


def fold_exponentials(x: np.ndarray, out: np.ndarray, shifts: np.ndarray | None) -> None:
    """Softmax along the middle axis of (outer, length, inner), of which none is 0, into `out`; or,
    with `shifts`, the largest entries there, where they are finite, and in `out` the sums of the
    exponentials of all less these: both (outer, inner). All dense and of one dtype, float32 or
    float64."""
    outer, length, inner = x.shape
    lanes = LANES if x.itemsize == 4 else LANES // 2
    arrays = (x, out) if shifts is None else (x, out, shifts)
    places = [each.__array_interface__["data"][0] for each in arrays]
    numbers = [outer, length, inner, int(shifts is None), *places, *[0] * (3 - len(places))]
    wide = torch.float32 if x.itemsize == 4 else torch.float64
    items = outer if inner == 1 else outer * math.ceil(inner / lanes)
    _run(8, wide, numbers, items, x.size)


# ---------------------------------------------------------------------------------------- N-body


def nbody(
    x: Tensor, masses: Tensor, softening: Tensor, out: Tensor, g: Tensor | None = None
) -> None:
    """Writes what each particle feels, (3, n); or, where `g` is its gradient, the gradients of x,
    of the masses and, a share for each particle, of the softening: (5, n).

    All contiguous and of one dtype: x and g (3, n), masses (n,), softening ().
    """
    count = len(masses)
    given = [each.data_ptr() for each in (x, masses, softening)] + [
        0 if g is None else g.data_ptr()
    ]
    items = math.ceil(count / (LANES if x.dtype == torch.float32 else LANES // 2))
    _run(5 if g is None else 6, x.dtype, [count, *given, out.data_ptr()], items, count * count)


# --------------------------------------------------------------------------------- recurrences


def has_room_for(program: Program) -> bool:
    """Whether a program fits into the registers."""
    return program.registers <= MOST_REGISTERS and len(program.results) <= MOST_PARTS_OF_STATE


def recurrence(program: Program, elements: Sequence[Tensor], initial: Sequence[Tensor]) -> Rows:
    """The states of a program's step after each element: (outer, length, columns) each.

    elements: (outer, length, columns) each, of any strides; initial: (outer, columns) each. All
    float32 or all float64.
    """
    given, starts = (_plain(*each) for each in (elements, initial))
    dtype = given[0].dtype
    found = tuple(given[0].new_empty(given[0].shape) for _ in starts)
    lanes = LANES if dtype == torch.float32 else LANES // 2
    written: Sequence[Tensor] = found
    outer, length, columns = given[0].shape
    if columns < lanes and outer > columns:
        outer, columns = columns, outer
        given, starts, written = (
            [each.transpose(0, -1) for each in rows] for rows in (given, starts, found)
        )
    blocks = math.ceil(columns / lanes)
    numbers = [
        *(outer, length, columns, len(given), len(starts)),
        *(len(program.constants), len(program.operations), blocks),
        *(number for each in (*given, *starts) for number in (each.data_ptr(), *each.stride())),
        *(number for each, place in zip(written, program.results, strict=True)
          for number in (each.data_ptr(), *each.stride(), place)),
        *(struct.unpack("q", struct.pack("d", each))[0] for each in program.constants),
        *(number for operation in program.operations for number in operation),
    ]  # fmt: skip
    work = outer * length * columns * (len(program.operations) + len(given))
    _run(7, dtype, numbers, outer * blocks, work)
    return found
