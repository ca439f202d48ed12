"""Sums over all pairs of two sequences, without the pairs in memory.

    total_i = sum_j pair(x_i, y_j)        over all j, j != i, j > i or j < i, or those `near` it

`pair` is a function of single elements, as a loop over i and j would call it. Here it is called on
tiles of pairs: a few rows i against all columns j at once, so that memory grows with the length and
not with its square, and Python is asked once a tile. A sum may be cut anywhere (identity 0, combine
+), so the tiles are added up in any order. Pairs that are left out are never computed: a tile that
the diagonal crosses is a list of the pairs that remain of it, so that a division by a distance of 0
leaves no NaN, in gradients either. So is a tile of which only what is `near` counts.

What `pair` does with one element it has to do with many. For tensors `torch.vmap` sees to that; for
NumPy arrays `PairArray` does, which carries the axes of the pairs in front and shows `pair` only
those behind. Where either cannot (a branch on a value, an unknown function), or where the first
pair on its own has another shape or dtype than in its tile, the plain loops run. A gradient of
many pairs computes each tile again instead of keeping it.

Source: Charlier et al., "Kernel Operations on the GPU, with Autodiff, without Memory Overflows"
(2021), for the reduction of pairs by tiles.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils import checkpoint as checkpoints
from torch.utils.checkpoint import checkpoint

from .pair_array import PairArray, Unsupported
from .surroundings import transformed

TOLERANCE: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-12, 1e-11),
    torch.float32: (1e-5, 1e-4),
    torch.float16: (1e-2, 5e-2),
    torch.bfloat16: (8e-2, 4e-1),
}
"""Largest error against float64 relative to max|reference|: (outputs, gradients).

Only the order of a sum over the columns differs from the plain loops, which round after each term;
half types do that coarsely, here and there.
"""

PAIRS_A_TILE = {"cpu": 1 << 16, "cuda": 1 << 24}
"""Pairs computed at once: what their intermediate results take should stay in a cache."""

FEW_PAIRS = 64
"""So many are computed one at a time: a tile costs as much."""

PAIRS_KEPT = 1 << 20
"""So many pairs are kept for a gradient; more are computed again."""

_STOPPED: Any = getattr(checkpoints, "_StopRecomputationError", ())
"""What a checkpoint around a call raises in it once it has what it needs."""

Array = Any
"""A tensor or a NumPy array; all operands of a call are one or the other."""


def _columns_of(row: int, count: int, pairs: str) -> range | list[int]:
    """The columns that meet a row, in order."""
    if pairs == "all":
        return range(count)
    if pairs == "above":
        return range(row + 1, count)
    if pairs == "below":
        return range(min(row, count))
    return [*range(min(row, count)), *range(row + 1, count)]


def _zeros(like: Array) -> Array:
    return torch.zeros_like(like) if isinstance(like, Tensor) else np.zeros_like(like)


def _begun(total: Any) -> Any:
    """What a sum that is added to `total` starts from."""
    return 0.0 if isinstance(total, float) else 0


def reference(
    pair: Callable[..., Any],
    counts: tuple[int, int],
    rows: Sequence[Array],
    columns: Sequence[Array],
    *,
    to_rows: Sequence[Array] = (),
    to_columns: Sequence[Array] = (),
    totals: Sequence[Any] = (),
    pairs: str = "all",
    near: Callable[..., Any] | None = None,
) -> Any:
    """What `pairwise_reduce` computes, a pair at a time."""
    found = [*map(_zeros, (*to_rows, *to_columns)), *map(_begun, totals)]
    for i in range(counts[0]):
        for j in _columns_of(i, counts[1], pairs):
            given = [*(each[i] for each in rows), *(each[j] for each in columns)]
            if near is not None and not near(*given):
                continue
            values = pair(*given)
            values = values if len(found) > 1 else (values,)
            for place, value in enumerate(values):
                if place < len(to_rows):
                    found[place][i] += value
                elif place < len(to_rows) + len(to_columns):
                    found[place][j] += value
                else:
                    found[place] = found[place] + value
    return found[0] if len(found) == 1 else tuple(found)


def _tiles(counts: tuple[int, int], pairs: str, size: int) -> Iterator[tuple[Any, Any]]:
    """Places of rows and columns, a tile at a time: two slices for all pairs of them, or two lists
    of places, as long as each other."""
    height = max(1, size // max(counts[1], 1))
    for start in range(0, counts[0], height):
        stop = min(start + height, counts[0])
        if pairs == "all":
            yield slice(start, stop), slice(0, counts[1])
            continue
        if pairs != "above" and start and counts[1]:
            yield slice(start, stop), slice(0, min(start, counts[1]))
        if pairs != "below" and stop < counts[1]:
            yield slice(start, stop), slice(stop, counts[1])
        i, j = np.meshgrid(
            np.arange(start, stop), np.arange(start, min(stop, counts[1])), indexing="ij"
        )
        kept = _KEPT[pairs](i, j)
        if kept.any():
            yield i[kept], j[kept]


_KEPT = {"others": operator.ne, "above": operator.lt, "below": operator.gt}
"""How the place of a row that remains compares with that of its column."""


def _sum_of(value: Array, axes: tuple[int, ...]) -> Array:
    return value.sum(axes) if isinstance(value, Tensor) else value.sum(axis=axes)


def _as_added(value: Array, lead: int, onto: Any) -> Array:
    """Values in the dtype that they have when they are added to `onto`; integers and booleans as
    wide as a sum of them is, beside a number `onto` that is a float as such."""
    if isinstance(value, Tensor):
        if not value.is_floating_point() and not value.is_complex():
            begun = isinstance(onto, float)
            return value.to(torch.get_default_dtype()) if begun else value.long()
        if not isinstance(onto, Tensor):
            return value
        # a sum without elements: compilers do not follow `torch.result_type`
        some, alone = (
            each.new_empty((0,) if axes else ())
            for each, axes in ((onto, onto.ndim), (value, value.ndim - lead))
        )
        return value.to((some + alone).dtype)
    if value.dtype.kind not in "fc":
        if isinstance(onto, float):
            return value.astype(float)
        return value.astype(value[:0].sum(axis=0).dtype)
    wide = isinstance(onto, (np.ndarray, np.generic))
    return value.astype(np.result_type(value.dtype, onto.dtype), copy=False) if wide else value


class _Sum:
    """Where one of the values of the tiles is added up: for the rows (`side` 0) or the columns (1)
    of an array `onto`, or all of them for a number `onto` (None)."""

    def __init__(self, onto: Any, side: int | None) -> None:
        self.onto = onto
        self.like: Array | None = None if side is None else onto
        self.side = side or 0
        self.parts: list[tuple[Any, Array]] = []
        self.number: type | None = None
        """Of Python's numbers, what each pair gives."""

    def add(self, places: Sequence[Any], value: Array) -> None:
        """`value`: (rows, columns, ...) of a block or (pairs, ...) of a list."""
        block = isinstance(places[0], slice)
        value = _as_added(value, 2 if block else 1, self.onto)
        if self.like is None:
            self.parts.append((None, _sum_of(value, (0, 1) if block else (0,))))
        elif block:
            self.parts.append((places[self.side], _sum_of(value, (1 - self.side,))))
        else:
            self.parts.append((places[self.side], value))

    def total(self) -> Any:
        if not self.parts:
            return _begun(self.onto) if self.like is None else _zeros(self.like)
        if self.like is None:
            found: Any = 0
            for _, value in self.parts:
                found = found + value
            return found if self.number is None else self.number(found)
        if isinstance(self.like, Tensor):
            return self._tensor(self.like)
        found = np.zeros(self.like.shape, np.result_type(*(value for _, value in self.parts)))
        for places, value in self.parts:
            if isinstance(places, slice):
                found[places] += self._spread(value)
            else:
                np.add.at(found, places, self._spread(value))
        return found.astype(self.like.dtype) if self.like.dtype.kind in "iu" else found

    def _tensor(self, like: Tensor) -> Tensor:
        found = torch.zeros(like.shape, dtype=self.parts[0][1].dtype, device=like.device)
        for places, value in self.parts:
            if isinstance(places, slice):
                found[places] += self._spread(value)
            else:
                places = torch.from_numpy(places).to(like.device)
                found.index_add_(0, places, self._spread(value))
        return found if like.is_floating_point() or like.is_complex() else found.to(like.dtype)

    def _spread(self, value: Array) -> Array:
        """The rows of a value as wide as those of the result."""
        assert self.like is not None
        wide = tuple(self.like.shape[1:])
        ones = (1,) * (len(wide) - (value.ndim - 1))
        value = value.reshape(value.shape[:1] + ones + tuple(value.shape[1:]))
        if isinstance(value, Tensor):
            return value.expand(value.shape[:1] + wide)
        return np.broadcast_to(value, value.shape[:1] + wide)


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


_WIDE = {int: torch.int64, float: torch.float64}


def _as_tensors(value: Any, device: Any) -> tuple[Any, ...]:
    """The values of a pair, with Python's numbers as tensors: each pair gives the same ones."""
    return tuple(
        torch.tensor(each, dtype=_WIDE[type(each)], device=device) if type(each) in _WIDE else each
        for each in _as_tuple(value)
    )


def _of_them_near(
    near: Callable[..., Any], rows: Sequence[Array], columns: Sequence[Array], places: Any
) -> tuple[np.ndarray, np.ndarray] | None:
    """The pairs of a tile that count, as two lists of places; None where none does."""
    i, j = places
    tensors = isinstance((*rows, *columns)[0], Tensor)
    with torch.no_grad():
        values = (
            _tensors_at(near, rows, columns, places, True)
            if tensors
            else (_arrays_at(near, rows, columns, places))
        )
    (mask,) = (each.numpy(force=True) for each in values) if tensors else values
    block = isinstance(i, slice)
    if mask.dtype != bool or mask.ndim != (2 if block else 1):
        raise Unsupported("whether a pair counts is more than one truth value")
    if block:
        low, high = np.nonzero(mask)
        i, j = low + i.start, high + j.start
    else:
        i, j = i[mask], j[mask]
    return (i, j) if len(i) else None


def _tensors_at(
    pair: Callable[..., Any],
    rows: Sequence[Tensor],
    columns: Sequence[Tensor],
    places: Any,
    kept: bool,
) -> tuple[Tensor, ...]:
    """The values of a tile of pairs of tensors; not `kept`, a gradient computes them again."""
    i, j = places
    if not isinstance(i, slice):
        device = (*rows, *columns)[0].device
        i, j = (torch.from_numpy(each).to(device) for each in (i, j))
    given = [*(each[i] for each in rows), *(each[j] for each in columns)]

    def one(*given: Tensor) -> tuple[Tensor, ...]:
        return _as_tensors(pair(*given), given[0].device)

    def run(*given: Tensor) -> tuple[Tensor, ...]:
        if not isinstance(i, slice):
            return _as_tuple(torch.vmap(one)(*given))
        first, second = (0,) * len(rows), (0,) * len(columns)
        inner = torch.vmap(one, (*(None for _ in rows), *second)) if columns else one
        return _as_tuple(torch.vmap(inner, (*first, *(None for _ in columns)))(*given))

    if torch.is_grad_enabled() and not kept and not torch.compiler.is_compiling():
        return checkpoint(run, *given, use_reentrant=False, preserve_rng_state=False)
    return run(*given)


def _arrays_at(
    pair: Callable[..., Any], rows: Sequence[np.ndarray], columns: Sequence[np.ndarray], places: Any
) -> tuple[np.ndarray, ...]:
    """The values of a tile of pairs of arrays."""
    i, j = places
    if isinstance(i, slice):
        lead = (i.stop - i.start, j.stop - j.start)
        given = [*(each[i, None] for each in rows), *(each[None, j] for each in columns)]
    else:
        lead = (len(i),)
        given = [*(each[i] for each in rows), *(each[j] for each in columns)]
    values = _as_tuple(pair(*(PairArray(each, len(lead)) for each in given)))
    return tuple(PairArray.spread(value, lead) for value in values)


def _fits(value: Array, single: Any, lead: int, like: Array | None) -> bool:
    """Whether the values of a tile are what a pair on its own gives, and can be added to `like`."""
    numbers = (int, float, complex, np.generic, np.ndarray, Tensor)
    if type(single) in _WIDE and isinstance(value, Tensor):
        single = torch.tensor(single, dtype=_WIDE[type(single)])
    if not isinstance(single, numbers) or isinstance(value, Tensor) != isinstance(single, Tensor):
        return False
    shape = tuple(single.shape) if hasattr(single, "shape") else ()
    dtype = single.dtype if hasattr(single, "dtype") else np.asarray(single).dtype
    if tuple(value.shape[lead:]) != shape or value.dtype != dtype:
        return False
    if like is None:
        return hasattr(single, "dtype") or type(single) in _WIDE
    can = _can_hold if isinstance(value, Tensor) else _can_cast
    wide = tuple(like.shape[1:])
    return can(value.dtype, like.dtype) and (
        len(shape) <= len(wide)
        and all(a in (1, b) for a, b in zip(reversed(shape), reversed(wide), strict=False))
    )


def _can_hold(dtype: torch.dtype, to: torch.dtype) -> bool:
    """`torch.can_cast`, which compilers do not follow."""

    def kind(each: torch.dtype) -> int:
        if each.is_complex or each.is_floating_point:
            return 3 if each.is_complex else 2
        return 0 if each == torch.bool else 1

    return kind(dtype) <= kind(to)


def _can_cast(dtype: Any, to: Any) -> bool:
    return bool(np.can_cast(dtype, to, "same_kind"))


def _kind(operands: Sequence[Array]) -> str | None:
    """`torch` or `numpy` where all operands are that, and have a first axis."""
    if not operands or any(getattr(each, "ndim", 0) < 1 for each in operands):
        return None
    if all(type(each) in (Tensor, torch.nn.Parameter) for each in operands):
        return "torch" if len({each.device for each in operands}) == 1 else None
    if all(type(each) is np.ndarray and each.dtype.kind in "fiucb" for each in operands):
        mixed = len({each.dtype for each in operands}) > 1
        # before 2.0 the dtype of a result depended on whether an operand had axes
        return None if mixed and np.__version__.startswith("1.") else "numpy"
    return None


def pairwise_reduce(
    pair: Callable[..., Any],
    counts: tuple[int, int],
    rows: Sequence[Array],
    columns: Sequence[Array],
    *,
    to_rows: Sequence[Array] = (),
    to_columns: Sequence[Array] = (),
    totals: Sequence[Any] = (),
    pairs: str = "all",
    near: Callable[..., Any] | None = None,
) -> Any:
    """Sums of `pair(x_i, ..., y_j, ...)` over pairs of elements, for each i, for each j or of all.

    Args:
        pair: a function without effects of one element of each of `rows` and of `columns`; may
            read other values. Returns one value, or a tuple of as many as there are sums.
        counts: so many elements of the rows and of the columns take part, the first ones.
        rows, columns: tensors or arrays, (n, ...) and (m, ...).
        to_rows, to_columns: the arrays that sums for each i, then for each j, are meant for,
            (n, ...) and (m, ...): they have their shapes, and a value is broadcast to a row of it.
            They are not written to.
        totals: what the sums of further values, over all pairs, are to be added to.
        pairs: "all"; "others" without i = j; "above" those with i < j, "below" with i > j.
        near: a function as `pair`, of whether a pair counts; None: each of `pairs` does.

    Differentiable with tensors, any number of times, in the operands and in what `pair` reads.

    Returns:
        The sums, a tuple where they are several, to be added to what they are for. A total is 0
        where there is no pair.

    Raises:
        What `reference` raises: where the tiles cannot be computed, it runs.
    """
    counts = (max(counts[0], 0), max(counts[1], 0))
    options: dict[str, Any] = {
        "to_rows": to_rows, "to_columns": to_columns, "totals": totals, "pairs": pairs,
        "near": near,
    }  # fmt: skip
    kind = _kind([*rows, *columns])
    reach = [(rows, counts[0]), (columns, counts[1]), (to_rows, counts[0]), (to_columns, counts[1])]
    tiled = (
        kind is not None
        and counts[0] * counts[1] > FEW_PAIRS
        and all(_kind([each]) == kind for each in (*to_rows, *to_columns))
        and all(len(each) >= count for group, count in reach for each in group)
        and next(_tiles(counts, pairs, 1), None) is not None
        and not transformed()
    )
    if tiled:
        try:
            return _by_tiles(pair, counts, rows, columns, **options)
        except _STOPPED:
            raise
        except Exception:  # what fails on tiles works, or raises, a pair at a time
            tiled = False
    return reference(pair, counts, rows, columns, **options)


def _by_tiles(
    pair: Callable[..., Any],
    counts: tuple[int, int],
    rows: Sequence[Array],
    columns: Sequence[Array],
    *,
    to_rows: Sequence[Array],
    to_columns: Sequence[Array],
    totals: int,
    pairs: str,
    near: Callable[..., Any] | None,
) -> Any:
    tensors = isinstance((*rows, *columns)[0], Tensor)
    kept = counts[0] * counts[1] <= PAIRS_KEPT
    device = (*rows, *columns)[0].device.type if tensors else "cpu"
    sums = [_Sum(like, 0) for like in to_rows] + [_Sum(like, 1) for like in to_columns]
    sums += [_Sum(start, None) for start in totals]
    singles: tuple[Any, ...] | None = None
    for tile in _tiles(counts, pairs, PAIRS_A_TILE.get(device, 1 << 20)):
        places = tile if near is None else _of_them_near(near, rows, columns, tile)
        if places is None:
            continue
        if tensors:
            values = _tensors_at(pair, rows, columns, places, kept)
        else:
            values = _arrays_at(pair, rows, columns, places)
        block = isinstance(places[0], slice)
        if singles is None:
            i, j = (each.start if block else int(each[0]) for each in places)
            with torch.no_grad():
                singles = _as_tuple(pair(*(x[i] for x in rows), *(y[j] for y in columns)))
        for each, value, single in zip(sums, values, singles, strict=True):
            if not _fits(value, single, 2 if block else 1, each.like):
                raise Unsupported("a tile of pairs is not made of what a pair gives")
            each.number = type(single) if type(single) in _WIDE else None
            each.add(places, value)
    found = [each.total() for each in sums]
    return found[0] if len(found) == 1 else tuple(found)
