"""Matrix products and other sums of products."""

from __future__ import annotations

from auditor.arrays.complex_numbers import NO_COMPLEX, maybe_complex
from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Handler
from auditor.lift.imaginary import speaks_of_complex
from auditor.lift.objects import Obj, Sequence
from auditor.lift.tables.views import is_real
from auditor.notation import ONE, ZERO, Const, Index, Term, Value


def matmul(c: Call) -> Obj:
    return c.ops.matmul(c.value("input"), c.value("other"))


def of_ranks(left: int, right: int) -> Handler:
    """A product that takes operands of stated ranks only (mm, bmm, mv)."""

    def call(c: Call) -> Obj:
        a, b = c.value("input"), c.value("other")
        c.ops.need_rank(a, left)
        c.ops.need_rank(b, right)
        return _product(c, a, b)

    return call


def _product(c: Call, a: Value, b: Value) -> Value:
    """A product of operands of known ranks, of which batches are not broadcast."""
    if len(a.axes) == len(b.axes) == 3:
        c.ops.facts.unify(a.axes[0].extent, b.axes[0].extent)
    return c.ops.matmul(a, b)


def array_dot(c: Call) -> Obj:
    """``np.dot``: the last axis of a with the last but one of b; not a batched product."""
    a, b = c.value("input"), c.value("other")
    if not a.axes or not b.axes:
        return c.ops.pointwise("mul", a, b)
    c.ops.take_for_length(a, b)
    for value in (a, b):
        if c.ops.group_of(value) is not None:
            c.ops.need_rank(value, 2, f"{c.ops.called(value)} has 2 axes, as `dot` says", "dot")
    if len(b.axes) <= 2:
        return c.ops.matmul(a, b)
    return c.ops.tensordot(a, b, [len(a.axes) - 1], [len(b.axes) - 2])


def add_product(ranks: tuple[int, int] | None = None, summed: bool = False) -> Handler:
    """addmm, baddbmm and their relatives: beta * input + alpha * (a @ b)."""

    def call(c: Call) -> Obj:
        a, b = c.value("mat1"), c.value("mat2")
        if ranks is not None:
            c.ops.need_rank(a, ranks[0])
            c.ops.need_rank(b, ranks[1])
        product = _product(c, a, b)
        if summed:
            product = c.ops.reduce("sum", product, [0])
        base = c.value("input")
        if c.has("alpha"):
            product = c.ops.pointwise("mul", c.value("alpha"), product)
        if c.has("beta"):
            beta = c.value("beta")
            if isinstance(beta.body, Const) and beta.body.value == 0:
                return product
            base = c.ops.pointwise("mul", beta, base)
        return c.ops.pointwise("add", base, product)

    return call


def dot(c: Call) -> Obj:
    a, b = c.value("input"), c.value("other")
    c.ops.need_rank(a, 1)
    c.ops.need_rank(b, 1)
    return c.ops.matmul(a, b)


def vdot(c: Call) -> Obj:
    """``torch.vdot``: of vectors."""
    a, b = c.value("input"), c.value("other")
    c.ops.need_rank(a, 1)
    c.ops.need_rank(b, 1)
    return c.ops.matmul(conjugated(c, a), b)


def inner(c: Call) -> Obj:
    """Over the last axis of both."""
    a, b = c.value("input"), c.value("other")
    if not a.axes or not b.axes:
        return c.ops.pointwise("mul", a, b)
    c.ops.take_for_length(a, b)
    for value in (a, b):
        if c.ops.group_of(value) is not None:
            c.ops.need_rank(value, 1, f"{c.ops.called(value)} has 1 axis, as `inner` says")
    return c.ops.tensordot(a, b, [len(a.axes) - 1], [len(b.axes) - 1])


def flat_dot(c: Call) -> Obj:
    """``np.vdot``: of everything, flattened."""
    a, b = conjugated(c, c.value("input")), c.value("other")
    if "complex" in (a.dtype or "complex") and a.dtype is not None:
        raise Unsupported("a conjugated product")
    if c.ops.group_of(a) is not None or len(a.axes) != len(b.axes):
        raise Unsupported("a flat product of arrays of unknown rank")
    return c.ops.reduce("sum", c.ops.pointwise("mul", a, b), None)


def conjugated(c: Call, value: Value) -> Value:
    """The first factor of a product that conjugates it, where the file has complex numbers;
    elsewhere what is of no known type is assumed to have none."""
    if is_real(value):
        return value
    if speaks_of_complex(c.lifter.module.text):
        return c.ops.pointwise("conj", value)
    if maybe_complex(value):
        called = c.ops.called(value)
        c.lifter.facts.assume(f"conjugate of {called}", f"{called} holds {NO_COMPLEX}", "real")
    return value


def vecdot(c: Call) -> Obj:
    product = c.ops.pointwise("mul", conjugated(c, c.value("input")), c.value("other"))
    return c.ops.reduce("sum", product, [c.integer("dim", -1)])


def outer(c: Call) -> Obj:
    return outer_with("mul", c)


def outer_with(op: str, c: Call) -> Value:
    a, b = c.value("input"), c.value("other")
    c.ops.need_rank(a, 1, f"{c.ops.called(a)} has 1 axis, as an outer product says")
    c.ops.need_rank(b, 1, f"{c.ops.called(b)} has 1 axis, as an outer product says")
    return c.ops.pointwise(op, c.ops.unsqueeze(a, 1), c.ops.unsqueeze(b, 0))


def kron(c: Call) -> Obj:
    """Every element of a times the whole of b, side by side."""
    a, b = c.value("input"), c.value("other")
    unknown = any(c.ops.group_of(value) is not None for value in (a, b))
    if unknown or len(a.axes) != len(b.axes):
        raise Unsupported("a Kronecker product of arrays of unknown or of different rank")
    axes: list[Index] = []
    outer: list[Term] = []
    inner: list[Term] = []
    for one, other in zip(a.axes, b.axes, strict=True):
        count, size = c.lifter.facts.extent(one.extent), c.lifter.facts.extent(other.extent)
        axis = Index(other.name if count is ONE else one.name, extents.mul(count, size))
        axes.append(axis)
        outer.append(
            ZERO if count is ONE else axis if size is ONE else extents.floordiv(axis, size)
        )
        inner.append(ZERO if size is ONE else axis if count is ONE else extents.mod(axis, size))
    left = c.ops.make(axes, c.ops.element(a, outer), a.dtype, a.library)
    right = c.ops.make(axes, c.ops.element(b, inner), b.dtype, b.library)
    return c.ops.pointwise("mul", left, right)


def multi_dot(c: Call) -> Obj:
    values = c.values("tensors")
    if not values:
        raise Unsupported("a product of nothing")
    result = values[0]
    for value in values[1:]:
        result = c.ops.matmul(result, value)
    return result


def tensordot(c: Call) -> Obj:
    """Over the last axes of a and the first of b, or over stated ones."""
    a, b = c.value("input"), c.value("other")
    if c.ops.group_of(a) is not None and c.ops.group_of(b) is not None:
        raise Unsupported("a tensor product of unknown rank")
    given = c.obj("dims") if c.has("dims") else c.ops.number(2)
    if isinstance(given, Sequence):
        if len(given.items) != 2:
            raise Unsupported("a tensor product over unusual axes")
        pairs = [Call(c.lifter, {"axes": item}).integers("axes") for item in given.items]
        left, right = pairs[0] or [], pairs[1] or []
    else:
        count = c.integer("dims", 2)
        left, right = list(range(-count, 0)), list(range(count))
    if len(left) != len(right):
        raise Unsupported("a tensor product over different numbers of axes")
    return c.ops.tensordot(a, b, c.ops.positions(a, left), c.ops.positions(b, right))


def einsum(c: Call) -> Obj:
    operands = c.obj("operands")
    if isinstance(operands, Sequence) and len(operands.items) == 1:
        only = operands.items[0]
        operands = only if isinstance(only, Sequence) else operands
    assert isinstance(operands, Sequence)
    return c.ops.einsum(
        c.text("equation"), [c.lifter.as_value(operand) for operand in operands.items]
    )


def linear(c: Call) -> Obj:
    value, weight = c.value("input"), c.value("weight")
    c.ops.need_rank(weight, 2)
    c.ops.need_tail(value, 1)
    last = c.ops.axis(value, -1)
    result = c.ops.tensordot(value, weight, [last], [1])
    return c.ops.pointwise("add", result, c.value("bias")) if c.has("bias") else result


def trace(c: Call) -> Obj:
    value = c.value("input")
    c.ops.need_rank(value, 2, f"{c.ops.called(value)} has 2 axes, as `trace` says")
    return c.ops.reduce("sum", c.ops.diagonal(value, 0, 0, 1), [0])
