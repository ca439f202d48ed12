"""What the functions without algebra (``call:<name>``) do to NumPy arrays, for running notation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np


def _lifted(function: Callable[[float], float]) -> Callable[..., Any]:
    return np.vectorize(function, otypes=[float])


def _of_bits(function: np.ufunc) -> Callable[..., Any]:
    """Samples are floats; bits are those of the integers that they stand for."""
    return lambda *given: function(*(_whole(each) for each in given))


def _whole(given: Any) -> Any:
    array = np.asarray(given)
    return np.trunc(array).astype(np.int64) if array.dtype.kind == "f" else array


KNOWN: dict[str, Callable[..., Any]] = {
    "detach": lambda x: x,
    "uninitialised": lambda: 0.0,
    "int": lambda x: np.trunc(x).astype(np.int64),
    "bool": lambda x: np.asarray(x).astype(bool),
    "trunc": np.trunc,
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
    "signbit": np.signbit,
    "fmax": np.fmax,
    "fmin": np.fmin,
    "fmod": np.fmod,
    "erfc": _lifted(math.erfc),
    "lgamma": _lifted(math.lgamma),
    "gamma": _lifted(math.gamma),
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "sinc": np.sinc,
    "cbrt": np.cbrt,
    "radians": np.radians,
    "degrees": np.degrees,
    "hypot": np.hypot,
    "copysign": np.copysign,
    "heaviside": np.heaviside,
    "logaddexp2": np.logaddexp2,
    "angle": np.angle,
    "nan_to_num": np.nan_to_num,
    "bitwise_and": _of_bits(np.bitwise_and),
    "bitwise_or": _of_bits(np.bitwise_or),
    "bitwise_xor": _of_bits(np.bitwise_xor),
    "bitwise_not": _of_bits(np.bitwise_not),
    "bitwise_left_shift": _of_bits(np.left_shift),
    "bitwise_right_shift": _of_bits(np.right_shift),
}
"""``dropout`` is missing on purpose: it has no value of its own."""
