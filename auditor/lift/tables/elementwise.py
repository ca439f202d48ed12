"""Pointwise functions: their operator by name, for every library that has them."""

from __future__ import annotations

from collections.abc import Callable

from auditor.lift.calls import Call, Meaning
from auditor.lift.objects import Obj

UNARY = {
    "exp": "exp", "log": "log", "sqrt": "sqrt", "rsqrt": "rsqrt", "sin": "sin", "cos": "cos",
    "tan": "tan", "tanh": "tanh", "sinh": "sinh", "cosh": "cosh", "sigmoid": "sigmoid",
    "expit": "sigmoid", "relu": "relu", "abs": "abs", "absolute": "abs", "fabs": "abs",
    "neg": "neg", "negative": "neg", "floor": "floor", "ceil": "ceil", "sign": "sign",
    "sgn": "sign", "log1p": "log1p", "expm1": "expm1", "exp2": "exp2", "log2": "log2",
    "log10": "log10", "reciprocal": "reciprocal", "square": "square", "erf": "erf",
    "logical_not": "not", "conj": "conj", "conjugate": "conj", "real": "real", "imag": "imag",
    "isnan": "call:isnan", "isinf": "call:isinf", "isfinite": "call:isfinite",
    "softplus": "softplus", "silu": "silu",
}  # fmt: skip

BINARY = {
    "add": "add", "sub": "sub", "subtract": "sub", "mul": "mul", "multiply": "mul",
    "div": "div", "divide": "div", "true_divide": "div", "pow": "pow", "power": "pow",
    "floor_divide": "floordiv", "remainder": "mod", "maximum": "max", "minimum": "min",
    "fmax": "call:fmax", "fmin": "call:fmin", "atan2": "atan2", "arctan2": "atan2",
    "logaddexp": "logaddexp", "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt",
    "ge": "ge", "equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le",
    "greater": "gt", "greater_equal": "ge", "logical_and": "and", "logical_or": "or",
    "logical_xor": "xor",
}  # fmt: skip


def unary(op: str) -> Callable[[Call], Obj]:
    return lambda c: c.ops.pointwise(op, c.value("input"))


def binary(op: str) -> Callable[[Call], Obj]:
    def call(c: Call) -> Obj:
        other = c.value("other")
        if c.has("alpha"):
            other = c.ops.pointwise("mul", c.value("alpha"), other)
        return c.ops.pointwise(op, c.value("input"), other)

    return call


def table(first: str) -> dict[str, Meaning]:
    """Meanings of all pointwise functions whose first parameter is called ``first``."""
    one = {name: Meaning(f"input|{first}", unary(op)) for name, op in UNARY.items()}
    two = {
        name: Meaning(f"input|{first}, other|x2, alpha=1", binary(op))
        for name, op in BINARY.items()
    }
    return {**one, **two}
