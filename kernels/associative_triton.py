"""Recurrences with any combine in Triton: a kernel is printed for each pair of functions.

Programs own a block of columns and a part of the sequence, walk it in tiles, and scan the elements
of a tile in registers; each prefix then takes one step from the state before the tile. Where there
are too few columns to fill a GPU the sequence is cut into parts: first each part's combined
element, then the same scan over the parts, then each part again from its true initial state. No
identity is needed: a tile's places behind its part come last and are not read.

A prefix that is not finite is reported, and the caller does without the kernel: it may have
overflowed where the steps, taken one by one, do not.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

from .combine_source import source
from .triton_runtime import block_size

TILE = 2048
"""Numbers of a tile, over all parts of an element, that the registers of four warps hold."""

PROGRAMS = 528
"""Programs to aim for when cutting the sequence: four for each processor of a large GPU."""

Rows = tuple[Tensor, ...]

_HEADER = '''\
"""Printed by auditor.kernels.associative_triton."""
import triton
import triton.language as tl


@triton.jit
def _logaddexp(a, b):
    m = tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)
    total = m + tl.log(1.0 + tl.exp(-tl.abs(a - b)))
    return tl.where(tl.abs(m) == float("inf"), m, total)


'''

_KERNEL = """\
@triton.jit
def scan_kernel(
    {element_pointers}, {initial_pointers}, {out_pointers}, flag_ptr,
    length, columns, part_length, parts, {strides},
    SUMMARY: tl.constexpr, ACCUMULATOR: tl.constexpr,
    BLOCK_TIME: tl.constexpr, BLOCK_COLUMN: tl.constexpr,
):
    blocks = tl.cdiv(columns, BLOCK_COLUMN)
    outer = (tl.program_id(0) // blocks).to(tl.int64)
    part = tl.program_id(1).to(tl.int64)
    column = (tl.program_id(0) % blocks).to(tl.int64) * BLOCK_COLUMN + tl.arange(0, BLOCK_COLUMN)
    valid = column < columns
    start = part * part_length
    stop = tl.minimum(start + part_length, length)
    border = (outer * parts + part) * columns + column
    lane = tl.arange(0, BLOCK_TIME)
    bad = tl.zeros((BLOCK_TIME, BLOCK_COLUMN), tl.int32)
{begin}
    position = start
    while position < stop:
        at = position + lane
        kept = (at < stop)[:, None] & valid[None, :]
        last = (at == tl.minimum(position + BLOCK_TIME, stop) - 1)[:, None]
{load}
        {elements} = {scanned}
{check}
        if SUMMARY:
{total}
        else:
            target = (outer * length + at[:, None]) * columns + column[None, :]
{walk}
        position += BLOCK_TIME
    if SUMMARY:
{store}
    tl.store(flag_ptr + tl.program_id(0) * parts + part, tl.max(tl.max(bad, 1), 0))
"""


def _kernel(arity: int, states: int) -> str:
    """The source of the kernel for so many parts of an element and of a state."""
    each, every = range(arity), range(states)
    elements = ", ".join(f"e{i}" for i in each)
    totals = ", ".join(f"t{i}" for i in each)
    news = ", ".join(f"n{j}" for j in every)
    single = arity == 1

    def lines(indent: int, *texts: str) -> str:
        return "\n".join(" " * indent + text for text in texts)

    return _KERNEL.format(
        element_pointers=", ".join(f"e{i}_ptr" for i in each),
        initial_pointers=", ".join(f"s{j}_ptr" for j in every),
        out_pointers=", ".join(f"o{k}_ptr" for k in range(max(arity, states))),
        strides=", ".join(f"e{i}_outer, e{i}_time, e{i}_column" for i in each),
        begin=lines(
            4,
            *(f"t{i} = tl.zeros((1, BLOCK_COLUMN), ACCUMULATOR)" for i in each),
            *(f"s{j} = tl.zeros((1, BLOCK_COLUMN), ACCUMULATOR)" for j in every),
            "if not SUMMARY:",
            *(
                f"    s{j} = tl.load(s{j}_ptr + border, mask=valid, other=0.0)"
                ".to(ACCUMULATOR)[None, :]"
                for j in every
            ),
        ),
        load=lines(
            8,
            *(
                f"e{i} = tl.load(e{i}_ptr + outer * e{i}_outer + at[:, None] * e{i}_time"
                f" + column[None, :] * e{i}_column, mask=kept, other=0.0).to(ACCUMULATOR)"
                for i in each
            ),
        ),
        elements=elements,
        scanned="tl.associative_scan(e0, 0, combine)"
        if single
        else f"tl.associative_scan(({elements}), 0, combine)",
        # e - e would be the rounding error of e, where a compiler makes one operation of a product
        # and a difference
        check=lines(
            8,
            *(f"off{i} = (e{i} != e{i}) | (tl.abs(e{i}) == float('inf'))" for i in each),
            *(f"bad |= (kept & off{i}).to(tl.int32)" for i in each),
        ),
        total=lines(
            12,
            *(f"x{i} = tl.sum(tl.where(last, e{i}, 0.0), 0)[None, :]" for i in each),
            f"{', '.join(f'y{i}' for i in each)} = "
            f"combine({totals}, {', '.join(f'x{i}' for i in each)})",
            *(f"t{i} = tl.where(position == start, x{i}, y{i})" for i in each),
        ),
        walk=lines(
            12,
            *(f"w{j} = tl.broadcast_to(s{j}, (BLOCK_TIME, BLOCK_COLUMN))" for j in every),
            f"{news} = step({', '.join(f'w{j}' for j in every)}, {elements})",
            *(
                f"tl.store(o{j}_ptr + target, n{j}.to(o{j}_ptr.dtype.element_ty), mask=kept)"
                for j in every
            ),
            *(f"s{j} = tl.sum(tl.where(last, n{j}, 0.0), 0)[None, :]" for j in every),
        ),
        store=lines(
            8,
            *(f"tl.store(o{i}_ptr + border[None, :], t{i}, mask=valid[None, :])" for i in each),
        ),
    )


def module_source(
    combine: Callable[..., Any], step: Callable[..., Any], arity: int, states: int
) -> str | None:
    """The module of one pair of functions over tuples, or None where torch has to run them."""
    first, second, state, element = (
        tuple(f"{letter}{i}" for i in range(count))
        for letter, count in (("a", arity), ("b", arity), ("h", states), ("e", arity))
    )
    functions = (source("combine", combine, first, second), source("step", step, state, element))
    if None in functions:
        return None
    return _HEADER + "\n\n".join([*map(str, functions), _kernel(arity, states)])


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Where this process keeps the modules that it makes; gone when it ends."""
    return tempfile.TemporaryDirectory(prefix="auditor-kernels-")


@functools.lru_cache(maxsize=256)
def loaded(text: str) -> ModuleType:
    """The module of a source. Triton reads the text of its functions from a file."""
    name = f"auditor_scan_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    path = Path(_folder().name) / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _Cut:
    """Elements, each (outer, length, columns) of any strides, as the programs of one launch own
    them; a state has ``states`` parts. ``parts`` overrides how often the sequence is cut."""

    def __init__(self, module: ModuleType, elements: Rows, states: int, parts: int | None) -> None:
        self.module, self.elements, self.count = module, elements, states
        self.outer, self.length, self.columns = elements[0].shape
        tile = TILE // block_size(len(elements), TILE)
        self.block_column = block_size(self.columns, min(32, tile))
        self.block_time = block_size(self.length, max(1, tile // self.block_column))
        self.programs = self.outer * -(-self.columns // self.block_column)
        if parts is None:
            most = max(1, self.length // (4 * self.block_time))
            parts = min(-(-PROGRAMS // self.programs), most)
        self.part_length = -(-self.length // (parts * self.block_time)) * self.block_time
        self.parts = -(-self.length // self.part_length)

    def totals(self) -> Rows | None:
        """Each part's combined element, (outer, parts, columns)."""
        unread = (self.elements[0],) * self.count
        return self._launch(True, unread, len(self.elements), self.parts)

    def states(self, starts: Rows) -> Rows | None:
        """All states, from those before each part."""
        return self._launch(False, starts, self.count, self.length)

    def _launch(self, summary: bool, starts: Rows, count: int, rows: int) -> Rows | None:
        """None where a prefix is not finite."""
        given = self.elements[0]
        results = tuple(given.new_empty((self.outer, rows, self.columns)) for _ in range(count))
        unwritten = max(len(self.elements), self.count) - count
        flags = given.new_empty((self.programs, self.parts), dtype=torch.int32)
        with torch.cuda.device_of(given):
            self.module.scan_kernel[(self.programs, self.parts)](
                *self.elements,
                *starts,
                *results,
                *(results[0],) * unwritten,
                flags,
                self.length,
                self.columns,
                self.part_length,
                self.parts,
                *(stride for each in self.elements for stride in each.stride()),
                SUMMARY=summary,
                ACCUMULATOR=_triton_dtype(given.dtype),
                BLOCK_TIME=self.block_time,
                BLOCK_COLUMN=self.block_column,
            )
        return None if bool(flags.any()) else results


def recurrence(
    module: ModuleType, elements: Rows, initial: Rows, parts: int | None = None
) -> Rows | None:
    """All states: ``elements`` are (outer, length, columns) of any strides, ``initial`` is
    (outer, columns) each. None where a combined element is not finite. ``parts`` overrides the
    number of cuts."""
    cut = _Cut(module, elements, len(initial), parts)
    starts = tuple(each.contiguous() for each in initial)
    if cut.parts > 1:
        totals = cut.totals()
        after = totals and recurrence(module, totals, initial, parts=1)
        if after is None:
            return None
        starts = tuple(
            torch.cat((one[:, None], states[:, :-1]), 1)
            for one, states in zip(initial, after, strict=True)
        )
    return cut.states(starts)


def fold(module: ModuleType, elements: Rows, parts: int | None = None) -> Rows | None:
    """All elements as one, whose parts are (outer, columns): first each part of the sequence, then
    those. None where a combined element is not finite."""
    cut = _Cut(module, elements, len(elements), parts)
    totals = cut.totals()
    if totals is None or cut.parts > 1:
        return totals and fold(module, totals, parts=1)
    return tuple(each[:, 0] for each in totals)


def _triton_dtype(dtype: torch.dtype) -> Any:
    from .triton_runtime import tl

    return tl.float64 if dtype == torch.float64 else tl.float32


def flat(rows: Rows, shape: tuple[int, ...], axis: int) -> Rows:
    """Rows with time first as (outer, length, columns), time where it was at ``axis``."""
    whole = (each.expand(shape).movedim(0, axis) for each in rows)
    outer, inner = math.prod(shape[1 : axis + 1]), math.prod(shape[axis + 1 :])
    return tuple(each.reshape(outer, shape[0], inner) for each in whole)
