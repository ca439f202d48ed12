"""Short spellings for notation in tests."""

from __future__ import annotations

from typing import Any

from auditor.notation import (
    Apply,
    Carry,
    Computation,
    Const,
    Index,
    Read,
    Reduce,
    Scan,
    Span,
    Symbol,
    Term,
    Trace,
    Value,
)

HERE = Span(1, 1, 1, 2)
N, M, D, T, K = (Symbol(name) for name in "NMDTK")


def term(x: Any) -> Term:
    if isinstance(x, E):
        return x.term
    if isinstance(x, Term):
        return x
    if isinstance(x, Value):
        return Read(x, ())
    return Const(x)


class E:
    """A term with arithmetic."""

    def __init__(self, x: Any) -> None:
        self.term = term(x)

    def __add__(self, other: Any) -> E:
        return ap("add", self, other)

    def __radd__(self, other: Any) -> E:
        return ap("add", other, self)

    def __sub__(self, other: Any) -> E:
        return ap("sub", self, other)

    def __rsub__(self, other: Any) -> E:
        return ap("sub", other, self)

    def __mul__(self, other: Any) -> E:
        return ap("mul", self, other)

    def __rmul__(self, other: Any) -> E:
        return ap("mul", other, self)

    def __truediv__(self, other: Any) -> E:
        return ap("div", self, other)

    def __rtruediv__(self, other: Any) -> E:
        return ap("div", other, self)

    def __pow__(self, other: Any) -> E:
        return ap("pow", self, other)

    def __neg__(self) -> E:
        return ap("neg", self)

    def __floordiv__(self, other: Any) -> E:
        return ap("floordiv", self, other)

    def __mod__(self, other: Any) -> E:
        return ap("mod", self, other)

    def __gt__(self, other: Any) -> E:
        return ap("gt", self, other)

    def __lt__(self, other: Any) -> E:
        return ap("lt", self, other)

    def __ge__(self, other: Any) -> E:
        return ap("ge", self, other)

    def __le__(self, other: Any) -> E:
        return ap("le", self, other)

    def eq(self, other: Any) -> E:
        return ap("eq", self, other)


def ap(op: str, *args: Any) -> E:
    return E(Apply(op, tuple(term(a) for a in args)))


def exp(x: Any) -> E:
    return ap("exp", x)


def log(x: Any) -> E:
    return ap("log", x)


def maximum(a: Any, b: Any) -> E:
    return ap("max", a, b)


def minimum(a: Any, b: Any) -> E:
    return ap("min", a, b)


def where(c: Any, a: Any, b: Any) -> E:
    return ap("where", c, a, b)


def red(op: str, index: Index, body: Any) -> E:
    return E(Reduce(op, index, term(body)))


def idx(name: str, extent: Any) -> Index:
    return Index(name, term(extent))


def array(name: str, *extents: Any, dtype: str | None = None, kind: Any = "input") -> Value:
    axes = tuple(idx(f"{name}{n}", extent) for n, extent in enumerate(extents))
    return Value(name, axes, dtype=dtype, kind=kind)


def value(name: str, axes: tuple[Index, ...], body: Any) -> Value:
    return Value(name, axes, term(body))


def at(v: Value, *subs: Any) -> E:
    return E(Read(v, tuple(term(s) for s in subs)))


def state(name: str, *axes: Index) -> Value:
    return Value(name, axes, kind="state")


def loop(step: Index, *carries: tuple[Value, Any, Any], per_step: Any = None) -> Computation:
    """A loop that collects ``per_step(scan)`` if given, else ends with all its states."""
    scan = Scan(step)
    scan.carries = tuple(Carry(v.name, v, term(init), term(update)) for v, init, update in carries)
    last = Apply("sub", (step.extent, Const(1)))
    if per_step is not None:
        terms = tuple(term(t) for t in per_step(scan))
        outputs = tuple(Value(f"out{n}", (step,), t) for n, t in enumerate(terms))
        return Computation("loop", "f", HERE, outputs, scan, terms)
    outputs = tuple(
        Value(v.name, v.axes, Trace(scan, slot, last, v.axes))
        for slot, (v, _, _) in enumerate(carries)
    )
    return Computation("loop", "f", HERE, outputs, scan, (), tuple(range(len(carries))))


def expression(*outputs: Value, kind: Any = "expression") -> Computation:
    return Computation(kind, "f", HERE, outputs)
