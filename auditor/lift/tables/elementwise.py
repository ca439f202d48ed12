"""Pointwise functions: their operator by name, and the libraries that have them (``t`` torch,
``n`` NumPy, ``m`` math)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Handler, Meaning
from auditor.lift.objects import Obj
from auditor.notation import Const, Value

_UNARY = """
exp: exp tnm | log: log tn | sqrt: sqrt tnm | rsqrt: rsqrt t | sin: sin tnm | cos: cos tnm
tan: tan tnm | tanh: tanh tnm | sinh: sinh tnm | cosh: cosh tnm | sigmoid: sigmoid t
relu: relu t | abs: abs tn | absolute: abs tn | fabs: abs nm | neg: neg t | negative: neg tn
floor: floor tn | ceil: ceil tn | sign: sign tn | log1p: log1p tnm | expm1: expm1 tnm
exp2: exp2 tnm | log2: log2 tnm | log10: log10 tnm | reciprocal: reciprocal tn
square: square tn | erf: erf tm | logical_not: not tn | conj: conj tn | conjugate: conj n
real: real tn | imag: imag tn | isnan: call:isnan tnm | isinf: call:isinf tnm
isfinite: call:isfinite tnm | erfc: call:erfc tm | asin: call:asin tm | acos: call:acos tm
atan: call:atan tm | arcsin: call:asin tn | arccos: call:acos tn | arctan: call:atan tn
asinh: call:asinh tm | acosh: call:acosh tm | atanh: call:atanh tm | arcsinh: call:asinh tn
arccosh: call:acosh tn | arctanh: call:atanh tn | trunc: call:trunc tn | fix: call:trunc tn
lgamma: call:lgamma tm | gamma: call:gamma m | angle: call:angle tn | signbit: call:signbit tn
sinc: call:sinc tn | cbrt: call:cbrt n | rint: round n | radians: call:radians nm
degrees: call:degrees nm | deg2rad: call:radians tn | rad2deg: call:degrees tn
positive: positive tn | nan_to_num: call:nan_to_num tn
"""
_BINARY = """
add: add tn | sub: sub t | subtract: sub tn | mul: mul t | multiply: mul tn | divide: div n
true_divide: div tn | pow: pow tm | power: pow n | floor_divide: floordiv tn
remainder: mod tn | mod: mod n | fmod: call:fmod tnm | maximum: max tn | minimum: min tn
fmax: call:fmax tn | fmin: call:fmin tn | atan2: atan2 tm | arctan2: atan2 tn
logaddexp: logaddexp tn | logaddexp2: call:logaddexp2 tn | hypot: call:hypot tnm
copysign: call:copysign tnm | heaviside: call:heaviside tn | eq: eq t | ne: ne t | lt: lt t
le: le t | gt: gt t | ge: ge t | equal: eq n | not_equal: ne tn | less: lt tn
less_equal: le tn | greater: gt tn | greater_equal: ge tn | logical_and: and tn
logical_or: or tn | logical_xor: xor tn
"""
_BITWISE = {
    "bitwise_and": "and",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
}


def _parse(text: str) -> dict[str, tuple[str, str]]:
    entries = text.replace("\n", "|").split("|")
    rows = [entry.split() for entry in entries if entry.strip()]
    return {name.rstrip(":"): (op, libraries) for name, op, libraries in rows}


UNARY, BINARY = _parse(_UNARY), _parse(_BINARY)


def unary(op: str) -> Handler:
    if op == "positive":
        return lambda c: c.value("input")
    return lambda c: c.ops.pointwise(op, c.value("input"))


def _tensor(handler: Handler) -> Handler:
    """A function of torch, which takes tensors alone and makes one."""

    def call(c: Call) -> Obj:
        found = handler(c)
        unknown = isinstance(found, Value) and found.body is not None and found.library is None
        return replace(found, library="torch") if unknown else found  # type: ignore[arg-type]

    return call


def binary(op: str) -> Handler:
    def call(c: Call) -> Obj:
        other = c.value("other")
        if c.has("alpha"):
            other = c.ops.pointwise("mul", c.value("alpha"), other)
        return c.ops.pointwise(op, c.value("input"), other)

    return call


def bitwise(op: str) -> Handler:
    return lambda c: c.ops.bitwise(op, c.value("input"), c.value("other"))


def bitwise_not(c: Call) -> Obj:
    value = c.value("input")
    return c.ops.pointwise("not" if value.dtype == "bool" else "call:bitwise_not", value)


def division(c: Call) -> Obj:
    """``torch.div`` with its rounding modes."""
    mode = c.text("rounding_mode") if c.has("rounding_mode") else None
    a, b = c.value("input"), c.value("other")
    if mode is None:
        return c.ops.pointwise("div", a, b)
    if mode == "floor":
        return c.ops.pointwise("floordiv", a, b)
    quotient = c.ops.pointwise("div", a, b)
    whole = c.ops.pointwise("floordiv", a, b).dtype
    return c.ops.pointwise("call:trunc", quotient, dtype=whole)


def rounded(c: Call) -> Obj:
    if c.has("decimals") and c.integer("decimals") != 0:
        raise Unsupported("rounding to decimals")
    return c.ops.pointwise("round", c.value("input"))


def table(library: str) -> dict[str, Meaning]:
    """Meanings of the pointwise functions of one library."""
    first = {"t": "input|self", "n": "input|x", "m": "input|x"}[library]
    pair = {"t": "input|self, other|exponent", "n": "input|x1, other|x2", "m": "input|x, other|y"}
    found = {
        name: Meaning(first, unary(op)) for name, (op, where) in UNARY.items() if library in where
    }
    scaled = {"t": ", alpha=1"}.get(library, "")
    found.update(
        (name, Meaning(pair[library] + (scaled if op in ("add", "sub") else ""), binary(op)))
        for name, (op, where) in BINARY.items()
        if library in where
    )
    if library == "m":
        return found
    if library == "t":
        found = {name: replace(one, handler=_tensor(one.handler)) for name, one in found.items()}
    found.update((name, Meaning(pair[library], bitwise(op))) for name, op in _BITWISE.items())
    found["bitwise_not"] = Meaning(first, bitwise_not)
    return found


# -- activations, each as the composition that it is


def _number(c: Call, name: str, default: float) -> Value:
    return c.value(name) if c.has(name) else c.ops.number(default)


def softplus(c: Call) -> Obj:
    x, beta = c.value("input"), _number(c, "beta", 1.0)
    if isinstance(beta.body, Const) and beta.body.value == 1:
        return c.ops.pointwise("softplus", x)
    scaled = c.ops.pointwise("softplus", c.ops.pointwise("mul", x, beta))
    return c.ops.pointwise("div", scaled, beta)


def gelu(c: Call) -> Obj:
    x = c.value("input")
    if not c.has("approximate") or c.text("approximate") == "none":
        return c.ops.pointwise("gelu", x)
    cubic = c.ops.pointwise(
        "mul", c.ops.number(0.044715), c.ops.pointwise("pow", x, c.ops.number(3))
    )
    inner = c.ops.pointwise("mul", c.ops.number(math.sqrt(2 / math.pi)),
                            c.ops.pointwise("add", x, cubic))  # fmt: skip
    gate = c.ops.pointwise("add", c.ops.number(1.0), c.ops.pointwise("tanh", inner))
    return c.ops.pointwise("mul", c.ops.pointwise("mul", c.ops.number(0.5), x), gate)


def logsigmoid(c: Call) -> Obj:
    return c.ops.pointwise(
        "neg", c.ops.pointwise("softplus", c.ops.pointwise("neg", c.value("input")))
    )


def mish(c: Call) -> Obj:
    x = c.value("input")
    return c.ops.pointwise("mul", x, c.ops.pointwise("tanh", c.ops.pointwise("softplus", x)))


def leaky_relu(c: Call) -> Obj:
    x, slope = c.value("input"), _number(c, "negative_slope", 0.01)
    above = c.ops.pointwise("gt", x, c.ops.number(0))
    return c.ops.pointwise("where", above, x, c.ops.pointwise("mul", slope, x), dtype=x.dtype)


def elu(scale: float, default: float, divided: bool = False) -> Handler:
    """scale * (x if x > 0 else alpha * (exp(x) - 1)); ``celu`` divides x by alpha inside."""

    def call(c: Call) -> Obj:
        x, alpha = c.value("input"), _number(c, "alpha", default)
        inner = c.ops.pointwise("div", x, alpha) if divided else x
        below = c.ops.pointwise("mul", alpha, c.ops.pointwise("expm1", inner))
        above = c.ops.pointwise("gt", x, c.ops.number(0))
        result = c.ops.pointwise("where", above, x, below)
        return result if scale == 1 else c.ops.pointwise("mul", c.ops.number(scale), result)

    return call


def between(low: float, high: float) -> Handler:
    """Clamped between two stated numbers (``hardtanh``, ``relu6``)."""

    def call(c: Call) -> Obj:
        x = c.ops.pointwise("max", c.value("input"), _number(c, "min_val", low))
        return c.ops.pointwise("min", x, _number(c, "max_val", high))

    return call


def _hard(c: Call, x: Value) -> Value:
    shifted = c.ops.pointwise("add", x, c.ops.number(3.0))
    low = c.ops.pointwise("max", shifted, c.ops.number(0.0))
    return c.ops.pointwise("div", c.ops.pointwise("min", low, c.ops.number(6.0)), c.ops.number(6.0))


def hardsigmoid(c: Call) -> Obj:
    return _hard(c, c.value("input"))


def hardswish(c: Call) -> Obj:
    x = c.value("input")
    return c.ops.pointwise("mul", x, _hard(c, x))


def softsign(c: Call) -> Obj:
    x = c.value("input")
    below = c.ops.pointwise("add", c.ops.number(1.0), c.ops.pointwise("abs", x))
    return c.ops.pointwise("div", x, below)


def tanhshrink(c: Call) -> Obj:
    x = c.value("input")
    return c.ops.pointwise("sub", x, c.ops.pointwise("tanh", x))


def threshold(c: Call) -> Obj:
    x = c.value("input")
    above = c.ops.pointwise("gt", x, c.value("threshold"))
    return c.ops.pointwise("where", above, x, c.value("value"))


def hardshrink(c: Call) -> Obj:
    x = c.value("input")
    far = c.ops.pointwise("gt", c.ops.pointwise("abs", x), _number(c, "lambd", 0.5))
    return c.ops.pointwise("where", far, x, c.ops.number(0))


def softshrink(c: Call) -> Obj:
    x, edge = c.value("input"), _number(c, "lambd", 0.5)
    off = c.ops.pointwise("sub", c.ops.pointwise("abs", x), edge)
    rest = c.ops.pointwise("max", off, c.ops.number(0.0))
    return c.ops.pointwise("mul", c.ops.pointwise("sign", x), rest)


def glu(c: Call) -> Obj:
    """The first half times the sigmoid of the second."""
    x = c.value("input")
    first, second = halves(c, x, c.integer("dim", -1))
    return c.ops.pointwise("mul", first, c.ops.pointwise("sigmoid", second))


def halves(c: Call, value: Value, dim: int) -> tuple[Value, Value]:
    from auditor.lift.tables.joins import parts

    first, second = parts(c, value, dim, 2)
    return first, second


def logit(c: Call) -> Obj:
    if c.has("eps"):
        raise Unsupported("logit with eps")
    x = c.value("input")
    rest = c.ops.pointwise("sub", c.ops.number(1.0), x)
    return c.ops.pointwise("log", c.ops.pointwise("div", x, rest))


def xlogy(c: Call) -> Obj:
    """x * log(y), 0 where x is 0."""
    x, y = c.value("input"), c.value("other")
    product = c.ops.pointwise("mul", x, c.ops.pointwise("log", y))
    return c.ops.pointwise(
        "where", c.ops.pointwise("eq", x, c.ops.number(0)), c.ops.number(0.0), product
    )


def entropy(c: Call) -> Obj:
    """-x log(x), 0 at 0 and -inf below."""
    x = c.value("input")
    inside = c.ops.pointwise("neg", c.ops.pointwise("mul", x, c.ops.pointwise("log", x)))
    zero = c.ops.pointwise("eq", x, c.ops.number(0))
    rest = c.ops.pointwise("where", zero, c.ops.number(0.0), inside)
    below = c.ops.pointwise("lt", x, c.ops.number(0))
    return c.ops.pointwise("where", below, c.ops.number(-math.inf), rest)


def frac(c: Call) -> Obj:
    x = c.value("input")
    return c.ops.pointwise("sub", x, c.ops.pointwise("call:trunc", x))


def reversed_sub(c: Call) -> Obj:
    if c.has("alpha"):
        raise Unsupported("rsub with alpha")
    return c.ops.pointwise("sub", c.value("other"), c.value("input"))


def clamp(c: Call) -> Obj:
    value = c.value("input")
    for name, op in (("min", "max"), ("max", "min")):
        if c.has(name):
            value = c.ops.pointwise(op, value, c.given(name))
    return value


def lerp(c: Call) -> Obj:
    start, end, weight = c.value("input"), c.value("end"), c.value("weight")
    step = c.ops.pointwise("mul", weight, c.ops.pointwise("sub", end, start))
    return c.ops.pointwise("add", start, step)


def added(op: str) -> Handler:
    """addcmul and addcdiv: input + value * (tensor1 op tensor2)."""

    def call(c: Call) -> Obj:
        product = c.ops.pointwise(op, c.value("tensor1"), c.value("tensor2"))
        if c.has("value"):
            product = c.ops.pointwise("mul", c.value("value"), product)
        return c.ops.pointwise("add", c.value("input"), product)

    return call


def where(c: Call) -> Obj:
    if not c.has("input"):
        raise Unsupported("the places where a condition holds: a data-dependent size")
    return c.ops.pointwise("where", c.value("condition"), c.value("input"), c.value("other"))


def masked_fill(c: Call) -> Obj:
    value = c.value("input")
    result = c.ops.pointwise("where", c.value("mask"), c.value("value"), value, dtype=value.dtype)
    if c.ops.group_of(value) is None and len(result.axes) > len(value.axes):
        raise Unsupported("masked_fill with a mask of more axes")
    return result


Activation = Callable[[Call], Obj]

ACTIVATIONS: dict[str, tuple[str, Activation]] = {
    "relu": ("", unary("relu")),
    "silu": ("", unary("silu")),
    "sigmoid": ("", unary("sigmoid")),
    "tanh": ("", unary("tanh")),
    "softplus": (", beta=1.0, threshold=20.0", softplus),
    "gelu": (", approximate='none'", gelu),
    "logsigmoid": ("", logsigmoid),
    "mish": ("", mish),
    "leaky_relu": (", negative_slope=0.01", leaky_relu),
    "elu": (", alpha=1.0", elu(1, 1.0)),
    "celu": (", alpha=1.0", elu(1, 1.0, divided=True)),
    "selu": ("", elu(1.0507009873554805, 1.6732632423543772)),
    "relu6": ("", between(0.0, 6.0)),
    "hardtanh": (", min_val=-1.0, max_val=1.0", between(-1.0, 1.0)),
    "hardsigmoid": ("", hardsigmoid),
    "hardswish": ("", hardswish),
    "softsign": ("", softsign),
    "tanhshrink": ("", tanhshrink),
    "threshold": (", threshold, value", threshold),
    "hardshrink": (", lambd=0.5", hardshrink),
    "softshrink": (", lambd=0.5", softshrink),
    "glu": (", dim=-1", glu),
}
"""Activations of torch.nn.functional: the parameters after ``input``, and the meaning."""
