"""The fold of an axis with any associative combine, in a tree.

    reduce(combine, e) = combine(... combine(combine(e[0], e[1]), e[2]) ..., e[n-1])

Neighbours are combined in pairs until one element is left: as many calls as the length has binary
digits, and no identity. The order is kept, so the combine need not commute. An odd element at the
end waits for the result of those before it. Should a combined element not be finite, the plain loop
runs: a product may overflow where the loop, which meets a zero first, does not.

On a GPU one kernel, printed for the function, folds parts of the axis and then those (see
`associative_triton`); functions that it cannot be printed for run in torch.

Gradients are autograd's own through these calls. torch.compile sees one operator (see
`generated_operators`). Source: Ladner and Fischer, "Parallel prefix
computation" (1980).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from .associative_scan import (
    TOLERANCE,
    Differentiated,
    Rows,
    as_tensors,
    integral,
    over_tuples,
    rows_of,
    wide,
)
from .associative_triton import flat, fold, loaded, module_source
from .generated_operators import Program, associative, registered
from .surroundings import unseen
from .triton_runtime import usable

SHORT_SEQUENCE = 64
"""Up to so many elements the plain loop is the fastest on a CPU: the calls of a tree do more."""

SMALL_ROW = 640
"""Numbers that a row may hold on a CPU, over all parts, for a tree to pay: above, bytes count."""

__all__ = ["TOLERANCE", "reduce", "reference"]


def reference(
    combine: Callable[..., Any], elements: Tensor | Sequence[Tensor | complex], *, dim: int
) -> Any:
    """What `reduce` computes, one element after the other."""
    combined, rows, single = _read(combine, elements, dim)
    found = functools.reduce(combined, rows_of(rows, len(rows[0])))
    return found[0] if single else found


def _read(
    combine: Callable[..., Any], elements: Tensor | Sequence[Tensor | complex], dim: int
) -> tuple[Callable[[Rows, Rows], Rows], Rows, bool]:
    """The combine of tuples, the elements in full shape with the axis first, and whether they are
    one tensor."""
    single = isinstance(elements, Tensor)
    tensors = as_tensors((elements,) if single else tuple(elements), finite=True)  # type: ignore[arg-type]
    rows = tuple(each.movedim(dim, 0) for each in torch.broadcast_tensors(*tensors))
    if not len(rows[0]):
        raise ValueError("nothing to combine: the axis has no elements")
    return over_tuples(combine, single, single), rows, single


def reduce(
    combine: Callable[..., Any], elements: Tensor | Sequence[Tensor | complex], *, dim: int
) -> Any:
    """All elements along an axis as one.

    Args:
        combine: ``combine(first, second)``, associative and elementwise, of tuples of tensors, or
            of tensors where ``elements`` is a single one.
        elements: tensors and numbers that are broadcast against each other.
        dim: the axis, counted in the broadcast shape.

    Returns:
        The combined element without the axis.

    Raises:
        ValueError: the axis has no elements.
        TypeError: no element is a tensor.
        IndexError: ``dim`` is no axis.
    """
    combined, rows, single = _read(combine, elements, dim)
    found: Rows | None = None
    if torch.compiler.is_compiling():
        name = operator_name(combine, single, len(rows))
        if name is not None:
            found = tuple(associative(name, list(rows), []))
    found = found or _run(combined, rows)
    return found[0] if single else found


def _run(combined: Callable[[Rows, Rows], Rows], rows: Rows) -> Rows:
    """The combined element, in the way that pays."""
    found = None
    if len(rows[0]) >= 4 and not unseen(*rows):
        if usable(*rows):
            found = with_triton(combined, rows)
        narrow = any(
            each.dtype in (torch.float16, torch.bfloat16) or integral(each) for each in rows
        )
        row, device = rows[0][0].numel(), rows[0].device.type
        small = row * len(rows) <= SMALL_ROW and len(rows[0]) >= SHORT_SEQUENCE
        if found is None and not narrow and (small or device != "cpu"):
            found = _tree(combined, rows)
    return found or functools.reduce(combined, rows_of(rows, len(rows[0])))


def with_triton(
    combine: Callable[[Rows, Rows], Rows], rows: Rows, parts: int | None = None
) -> Rows | None:
    """As `_tree`, by one kernel; None for functions and dtypes that it does not take, and where a
    combined element is not finite."""
    dtypes, shape = {each.dtype for each in rows}, rows[0].shape
    computed = {each.dtype for each in map(wide, rows)}
    if len(dtypes) > 1 or not computed <= {torch.float32, torch.float64} or not shape.numel():
        return None
    once = tuple(each[0] for each in rows)
    if any(each.dtype not in dtypes for each in combine(once, once)):
        return None
    text = module_source(combine, combine, len(rows), len(rows))
    if text is None:
        return None
    with torch.no_grad():
        found = fold(loaded(text), flat(tuple(map(wide, rows)), shape, 0), parts)
    if found is None:
        return None
    folded = tuple(each.view(shape[1:]).to(*dtypes) for each in found)

    def again(*operands: Tensor) -> Rows:
        return _tree(combine, operands) or functools.reduce(combine, rows_of(operands, shape[0]))

    return Differentiated.apply(again, folded, *rows)


@torch.compiler.assume_constant_result
def operator_name(combine: Callable[..., Any], single: bool, arity: int) -> str | None:
    """The name of the operator that folds with this function, or None where there is none."""
    combined = over_tuples(combine, single, single)

    def run(rows: Rows, initial: Rows) -> Rows:
        return _run(combined, rows)

    def shaped(rows: Rows, initial: Rows) -> Rows:
        once = tuple(each[0] for each in rows)
        return combined(once, once) if len(rows[0]) > 1 else once

    return registered("fold", Program(run, shaped), (combined, arity, arity))


def _tree(combine: Callable[[Rows, Rows], Rows], rows: Rows) -> Rows | None:
    """All elements as one by halving; None where one that was combined is not finite."""
    waiting: Rows | None = None
    finite: list[Tensor] = []
    while (length := len(rows[0])) > 1:
        if length % 2:
            last = tuple(each[-1:] for each in rows)
            waiting = last if waiting is None else combine(last, waiting)
        pairs = length - length % 2
        first = tuple(each[0:pairs:2] for each in rows)
        second = tuple(each[1:pairs:2] for each in rows)
        rows = combine(first, second)
        finite += [each.detach().isfinite().all() for each in (*rows, *(waiting or ()))]
    rows = rows if waiting is None else combine(rows, waiting)
    finite += [each.detach().isfinite().all() for each in rows]
    return tuple(each[0] for each in rows) if bool(torch.stack(finite).all()) else None
