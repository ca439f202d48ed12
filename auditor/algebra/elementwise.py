"""What each pointwise operator and each reduction of the notation does to NumPy arrays."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from auditor.algebra.limits import CannotEvaluate

Array = np.ndarray[Any, Any]


def apply(
    op: str, args: list[Array], functions: Mapping[str, Callable[..., Any]], casts: bool
) -> Array:
    """``op`` of ``args``, elementwise."""
    with np.errstate(all="ignore"):
        if op.startswith("cast:"):
            return _cast(op[5:], args[0], casts)
        if op.startswith("call:"):
            if op[5:] not in functions:
                raise CannotEvaluate(f"the function '{op[5:]}' is unknown")
            try:
                return np.asarray(functions[op[5:]](*args))
            except (TypeError, OverflowError) as error:  # bits of what is no whole number
                raise CannotEvaluate(f"'{op[5:]}' of such values") from error
        if op not in _FOLDED and op not in _FUNCTIONS:
            raise CannotEvaluate(f"the operator '{op}' is unknown")
        try:
            if op in _FOLDED:
                return np.asarray(functools.reduce(_FOLDED[op], args))
            return np.asarray(_FUNCTIONS[op](*args))
        except (TypeError, ArithmeticError) as error:  # text, or an integer too large for NumPy
            raise CannotEvaluate(f"the operator '{op}' on such values") from error


def reduce(op: str, body: Array, inside: Array | None) -> Array:
    """Reduce the first dimension, over the elements that are ``inside``."""
    if inside is not None:
        body = np.where(inside, body, _neutral(op, body))
    with np.errstate(all="ignore"):
        if op in ("max", "min"):
            if body.dtype.kind == "b":
                return np.asarray((np.any if op == "max" else np.all)(body, axis=0))
            if body.shape[0] == 0:
                body = body.astype(float)
            start = -math.inf if op == "max" else math.inf
            if body.dtype.kind in "iu":
                limits = np.iinfo(body.dtype)
                start = limits.min if op == "max" else limits.max
            return np.asarray((np.max if op == "max" else np.min)(body, axis=0, initial=start))
        if op in ("argmax", "argmin"):
            if body.shape[0] == 0:
                raise CannotEvaluate("nothing has no largest element")
            return np.asarray((np.argmax if op == "argmax" else np.argmin)(body, axis=0))
        if op in _REDUCTIONS:
            return np.asarray(_REDUCTIONS[op](body, axis=0))
    raise CannotEvaluate(f"the reduction '{op}' is unknown")


def _neutral(op: str, body: Array) -> Any:
    if op in ("sum", "any"):
        return body.dtype.type(0)
    if op in ("prod", "all"):
        return body.dtype.type(1)
    low = op in ("max", "argmax")
    if body.dtype.kind in "iu":
        limits = np.iinfo(body.dtype)
        return body.dtype.type(limits.min if low else limits.max)
    return -math.inf if low else math.inf


_ROUNDING = {"float16": np.float16, "float32": np.float32, "half": np.float16}
_INTEGERS = {
    "int": np.int64, "long": np.int64, "int64": np.int64, "int32": np.int32, "int16": np.int16,
    "int8": np.int8, "uint8": np.uint8, "uint16": np.uint16, "uint32": np.uint32,
    "uint64": np.uint64,
}  # fmt: skip


def _cast(dtype: str, array: Array, rounding: bool) -> Array:
    """Keep the widest type; only the values are those of ``dtype``."""
    if dtype == "bool":
        return np.asarray(array != 0)
    if dtype in _INTEGERS:
        whole = np.trunc(array) if array.dtype.kind == "f" else array
        return np.asarray(whole).astype(_INTEGERS[dtype])
    if dtype.startswith("complex"):
        return array.astype(np.complex128)
    if array.dtype.kind == "c":
        return array.real
    wide = array.astype(np.float64)
    if rounding and dtype in _ROUNDING:
        return wide.astype(_ROUNDING[dtype]).astype(np.float64)
    if rounding and dtype == "bfloat16":
        return _bfloat16(wide)
    return wide


def _bfloat16(array: Array) -> Array:
    """Round to nearest even at the upper sixteen bits of a float32."""
    bits = array.astype(np.float32).view(np.uint32).astype(np.uint64)
    rounded = bits + np.uint64(0x7FFF) + ((bits >> np.uint64(16)) & np.uint64(1))
    kept = (rounded & np.uint64(0xFFFF0000)).astype(np.uint32).view(np.float32)
    return np.where(np.isfinite(array), kept.astype(np.float64), array)


def _add(a: Array, b: Array) -> Any:
    if a.dtype.kind == "b" and b.dtype.kind == "b":
        return a.astype(np.int64) + b  # in Python True + True is 2
    return a + b


def _power(a: Array, b: Array) -> Any:
    if a.dtype.kind in "iub" and b.dtype.kind in "iub" and (b < 0).any():
        return np.power(a.astype(float), b)
    return np.power(a, b)


def _sigmoid(x: Array) -> Any:
    return 0.5 * (1 + np.tanh(0.5 * x))


def _erf(x: Array) -> Any:
    return np.vectorize(math.erf, otypes=[float])(x)


def _minus(x: Array) -> Any:
    return -(x.astype(np.int64) if x.dtype.kind == "b" else x)


def _real(x: Array) -> Array:
    return x.astype(float) if x.dtype.kind in "iub" else x


_FOLDED: dict[str, Callable[[Any, Any], Any]] = {
    "add": _add,
    "mul": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
    "and": np.logical_and,
    "or": np.logical_or,
}

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sub": lambda a, b: _add(a, _minus(b)),
    "div": np.true_divide,
    "pow": _power,
    "floordiv": np.floor_divide,
    "mod": np.mod,
    "atan2": np.arctan2,
    "neg": _minus,
    "abs": np.abs,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(_real(x)),
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "sigmoid": _sigmoid,
    "relu": lambda x: np.maximum(x, 0),
    "softplus": lambda x: np.logaddexp(0.0, x),
    "silu": lambda x: x * _sigmoid(x),
    "gelu": lambda x: 0.5 * x * (1 + _erf(x / math.sqrt(2))),
    "erf": _erf,
    "floor": np.floor,
    "ceil": np.ceil,
    "round": np.round,
    "sign": np.sign,
    "log1p": np.log1p,
    "expm1": np.expm1,
    "exp2": np.exp2,
    "log2": np.log2,
    "log10": np.log10,
    "reciprocal": lambda x: 1 / _real(x),
    "square": lambda x: x * x,
    "not": np.logical_not,
    "conj": np.conj,
    "real": np.real,
    "imag": np.imag,
    "logaddexp": np.logaddexp,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "xor": np.logical_xor,
    "where": np.where,
}

_REDUCTIONS: dict[str, Callable[..., Any]] = {
    "sum": np.sum,
    "prod": np.prod,
    "any": np.any,
    "all": np.all,
}
