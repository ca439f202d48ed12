"""Measuring this machine's rates, for a description that ``--target`` takes.

Each rate is the median over several rounds of a small loop that is long enough to be timed; what
a loop itself costs is taken off. Without torch its launches are taken for NumPy's calls.
"""

from __future__ import annotations

import math
import platform
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy

_ROUNDS = 7
_ENOUGH = 0.02
_LARGE = 1 << 25
_SMALL = 1 << 18


def calibrate() -> dict[str, Any]:
    """The rates of this machine by the names that a target's file has. Takes some ten seconds."""
    numbers = numpy.linspace(0.1, 1.0, 8)

    def step() -> None:
        x, y = 1.5, 0.5
        for _ in range(100):
            x = x * y + y

    def items() -> None:
        sum(_ITEMS)

    measured = {
        "step": _seconds(step) / 200,
        "item": _seconds(items) / len(_ITEMS),
        "call": _seconds(lambda: numpy.add(numbers, numbers)),
        "numpy_view": _seconds(lambda: numbers[2:]),
    }
    measured |= _of_torch() or {"launch": measured["call"], "view": measured["numpy_view"]}
    measured |= _memory() | _arithmetic()
    return {
        "name": "measured",
        "source": f"audit calibrate on {platform.processor() or platform.machine()}"
        f" ({platform.system()}), Python {platform.python_version()}",
        "device": "cpu",
        **{name: float(f"{value:.3g}") for name, value in measured.items()},
    }


_ITEMS = [float(n) for n in range(2000)]


def _seconds(work: Callable[[], object]) -> float:
    """The median time of one call."""
    work()
    number = 1
    while (spent := _timed(work, number)) < _ENOUGH:
        number = max(2 * number, math.ceil(number * _ENOUGH / max(spent, 1e-6)))
    return statistics.median(_timed(work, number) for _ in range(_ROUNDS)) / number


def _timed(work: Callable[[], object], number: int) -> float:
    begin = time.perf_counter()
    for _ in range(number):
        work()
    return time.perf_counter() - begin


def _of_torch() -> dict[str, float] | None:
    try:
        import torch
    except ImportError:
        return None
    small = torch.ones(8)
    return {"launch": _seconds(lambda: small + small), "view": _seconds(lambda: small[2:])}


def _memory() -> dict[str, float]:
    """Bytes read and written a second by a sum of two arrays, from memory and from the cache."""
    rates = []
    for count in (_LARGE // 4, _SMALL):
        left, right = numpy.ones(count, numpy.float32), numpy.ones(count, numpy.float32)
        add = partial(numpy.add, left, right, out=numpy.empty_like(left))
        rates.append(12 * count / _seconds(add))
    return {"bandwidth": rates[0], "cache": 12.0 * _SMALL, "cache_bandwidth": rates[1]}


def _arithmetic() -> dict[str, float]:
    row = numpy.linspace(0.1, 1.0, _SMALL, dtype=numpy.float32)
    square = numpy.ones((512, 512), numpy.float32)
    out, product = numpy.empty_like(row), numpy.empty_like(square)
    return {
        "operations": _SMALL / _seconds(lambda: numpy.multiply(row, row, out=out)),
        "specials": _SMALL / _seconds(lambda: numpy.exp(row, out=out)),
        "products": 512**3 / _seconds(lambda: numpy.matmul(square, square, out=product)),
    }


def described(rates: dict[str, Any]) -> str:
    """The rates as a target's file."""
    lines = [f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}"
             for name, value in rates.items()]  # fmt: skip
    return "\n".join(lines) + "\n"
