"""h_t = a_t h_{t-1} + b_t over the rows of a tensor, in place, with few and large torch calls.

Shared by the CPU paths of `linear_scan` and `selective_scan`. A Python loop over time pays one
dispatch a step. Here neighbouring steps are first combined into one by the semigroup of affine
maps (a pair reads "multiply by a, then add b"):

    identity               (1, 0)
    combine, first (a, b), then (c, d)   (c a, c b + d)

then the half-length recurrence is scanned and the skipped rows are filled in. Each halving costs
one and a half passes over the rows and saves half of the dispatches; recursion stops once a row
is so large, or the rows so few, that dispatch no longer matters. Only products of neighbouring
gates are formed, never quotients or logarithms, so gates may be zero, negative or complex.

A product of gates can overflow where the recurrence itself does not (large gates meeting a zero
state); `safe_levels` bounds the halvings so that no product can. One that underflows would make NaN
of an infinite state that decays: where a state is not finite, `scanned` takes the steps one by one.

Source: Blelloch, "Prefix sums and their applications" (1990), the work-efficient up/down sweep.
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor


def safe_levels(log_gate: float, wanted: int, dtype: torch.dtype) -> int:
    """How many halvings, at most `wanted`, keep products of gates finite in `dtype`.

    `log_gate` bounds the natural logarithm of the gates' magnitude; NaN gives 0, the plain loop.
    """
    if log_gate <= 0:
        return wanted
    # half of the exponent range, so that gate product times state has room as well
    room = math.log(torch.finfo(dtype).max) / 2
    if not log_gate <= room:
        return 0
    return min(wanted, int(math.log2(room / log_gate)))


def scan_rows_(gates: Tensor, rows: Tensor, levels: int) -> None:
    """Replaces `rows` (T, ...), holding b, by h, with h_{-1} = 0; destroys `gates`.

    `gates` and `rows` have the same shape and dtype. Fold an initial state in beforehand:
    `rows[0] += gates[0] * initial`.
    """
    length = rows.shape[0]
    if levels <= 0 or length < 4:
        previous = None
        for gate, row in zip(gates.unbind(0), rows.unbind(0), strict=True):
            if previous is not None:
                row.addcmul_(gate, previous)
            previous = row
        return
    pairs = length // 2
    even_gates, even_rows = gates[0::2], rows[0::2]
    odd_gates, odd_rows = gates[1::2], rows[1::2]
    odd_rows.addcmul_(odd_gates, even_rows[:pairs])
    odd_gates.mul_(even_gates[:pairs])
    scan_rows_(odd_gates, odd_rows, levels - 1)
    even_rows[1:].addcmul_(even_gates[1:], odd_rows[: even_rows.shape[0] - 1])


def scan_rows_reverse_(gates: Tensor, rows: Tensor, levels: int) -> None:
    """As `scan_rows_`, from the last row to the first: h_t = a_t h_{t+1} + b_t, h_T = 0."""
    length = rows.shape[0]
    if levels <= 0 or length < 4:
        previous = None
        for gate, row in zip(reversed(gates.unbind(0)), reversed(rows.unbind(0)), strict=True):
            if previous is not None:
                row.addcmul_(gate, previous)
            previous = row
        return
    # The last row plays the part of row 0: `second` are the rows one, three, ... from the end.
    odd = length % 2
    second_gates, second_rows = gates[odd : length - 1 : 2], rows[odd : length - 1 : 2]
    second_rows.addcmul_(second_gates, rows[odd + 1 :: 2])
    second_gates.mul_(gates[odd + 1 :: 2])
    scan_rows_reverse_(second_gates, second_rows, levels - 1)
    first_gates, first_rows = gates[1 - odd : length - 2 : 2], rows[1 - odd : length - 2 : 2]
    first_rows.addcmul_(first_gates, second_rows[1 - odd :])


def scanned(
    fill: Callable[[], tuple[Tensor, Tensor]], levels: int, *, reverse: bool = False
) -> Tensor:
    """The states of the gates and rows that `fill` writes, which may be asked for them twice."""
    scan = scan_rows_reverse_ if reverse else scan_rows_
    gates, rows = fill()
    scan(gates, rows, levels)
    last = rows[0 if reverse else -1]  # what is not finite stays so, times a finite product
    numbers = rows.is_floating_point() or rows.is_complex()
    if levels and numbers and not bool(last.isfinite().all()):
        gates, rows = fill()
        scan(gates, rows, 0)
    return rows
