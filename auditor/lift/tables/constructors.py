"""Arrays made from sizes and numbers."""

from __future__ import annotations

from dataclasses import replace

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Handler
from auditor.lift.dtypes import PYTHON_SCALARS, default_dtype
from auditor.lift.objects import Collected, Iteration, Obj, Sequence, Shape
from auditor.lift.tables.joins import rows, stack_values, stacked
from auditor.notation import ONE, ZERO, Apply, Const, Index, Library, Term, Value

EMPTY = Apply("call:uninitialised", ())
"""What an array that was only allocated holds."""
_LETTERS = "bdefhmnp"
_FLOAT: dict[str, str] = {"torch": "float32", "numpy": "float64"}


def axes_of_size(c: Call) -> tuple[Index, ...]:
    """The axes that a size argument says."""
    sizes = c.obj("size")
    shape = sizes.items[0] if isinstance(sizes, Sequence) and len(sizes.items) == 1 else sizes
    if isinstance(shape, Shape) and shape.start is None and shape.stop is None:
        return c.ops.fresh(shape.value.axes)
    return tuple(
        Index(_LETTERS[p % 8], c.lifter.facts.extent(size))
        for p, size in enumerate(c.sizes("size"))
    )


def full(body: Term | None, library: Library) -> Handler:
    """zeros, ones, empty and full; the fill of ``empty`` is unknown but never read."""

    def call(c: Call) -> Obj:
        if body is not None:
            return c.ops.make(axes_of_size(c), body, c.dtype() or _FLOAT[library], library)
        fill = c.value("fill_value")
        if fill.axes:
            raise Unsupported("a fill that is no number")
        dtype = c.dtype() or default_dtype(fill.dtype, library)
        return c.ops.make(axes_of_size(c), c.ops.element(fill, ()), dtype, library)

    return call


def full_like(body: Term | None, library: Library) -> Handler:
    def call(c: Call) -> Obj:
        value = c.value("input")
        c.ops.must_be_array(value)
        content = body if body is not None else c.ops.element(c.value("fill_value"), ())
        axes = c.ops.fresh(value.axes)
        dtype = c.dtype() or value.dtype
        if dtype in PYTHON_SCALARS and value.library == "python":
            dtype = default_dtype(dtype, library)
        # NumPy's are arrays of NumPy, and of an array of a third library one of that
        known = None if library == "numpy" and value.axes and value.library is None else library
        return c.ops.make(axes, content, dtype, known)

    return call


def new_full(body: Term | None) -> Handler:
    """``x.new_zeros``: of x's dtype."""

    def call(c: Call) -> Obj:
        value = c.value("input")
        content = body if body is not None else c.ops.element(c.value("fill_value"), ())
        return c.ops.make(axes_of_size(c), content, c.dtype() or value.dtype, "torch")

    return call


def array_of(c: Call, data: Obj, library: Library) -> Value:
    """A scalar, a range, a list of scalars or lists, or a list built in a loop, as an array."""
    if isinstance(data, Iteration) and data.listed:
        data = rows(c, data)
    if isinstance(data, Collected):
        value = stacked(c, data, 0)
    elif isinstance(data, Sequence) and not data.items:
        value = c.ops.make((Index("i", ZERO),), ZERO, "float", "python")
    elif isinstance(data, Sequence):
        parts = [array_of(c, item, library) for item in data.items]
        if any(not part.axes for part in parts):  # all parts are of one shape
            for part in parts:
                c.ops.need_rank(part, 0)
        value = stack_values(c, parts, 0)
    else:
        value = c.lifter.as_value(data)
    if value.library in ("torch", "numpy") and value.library != library:
        return c.ops.make(
            axes := c.ops.fresh(value.axes), c.ops.element(value, axes), value.dtype, library
        )
    return replace(value, dtype=default_dtype(value.dtype, library), library=library)


def array(library: Library, copies: bool = True) -> Handler:
    """torch.tensor and numpy.array."""

    def call(c: Call) -> Obj:
        data = c.obj("data")
        rows = c.lifter.rows_at(data) if library == "numpy" else None
        value = array_of(c, data if rows is None else rows, library)
        axes = c.ops.fresh(value.axes)
        dtype = c.dtype()
        if dtype is not None and dtype != value.dtype:
            return c.ops.make(
                axes, Apply(f"cast:{dtype}", (c.ops.element(value, axes),)), dtype, library
            )
        if not copies and isinstance(data, Value) and data.axes and data.library == library:
            return data
        return c.ops.make(axes, c.ops.element(value, axes), value.dtype, library)

    return call


def of_list(dtype: str) -> Handler:
    """``torch.Tensor([..])``: of the items of a list. Of sizes it would be room for so many."""

    def call(c: Call) -> Obj:
        data = c.obj("data")
        items = isinstance(data, Value) and data.axes and data.library == "python"
        if not (items or isinstance(data, (Sequence, Collected))):
            raise Unsupported("a tensor of what may be a size")
        made = array_of(c, data, "torch")
        axes = c.ops.fresh(made.axes)
        return c.ops.make(axes, c.ops.element(made, axes), dtype, "torch")

    return call


def new_tensor(c: Call) -> Obj:
    """Of the dtype of the tensor that makes it."""
    made = array_of(c, c.obj("data"), "torch")
    axes = c.ops.fresh(made.axes)
    dtype = c.dtype() or c.value("input").dtype
    return c.ops.make(axes, c.ops.element(made, axes), dtype, "torch")


def number_of(dtype: str, library: Library) -> Handler:
    """``np.float32(x)``: a cast."""

    def call(c: Call) -> Obj:
        value = c.value("input")
        made = c.ops.cast(replace(value, dtype=None), dtype)
        return replace(made, library=library if value.library == "python" else value.library)

    return call


def eye(library: Library) -> Handler:
    def call(c: Call) -> Obj:
        size = c.size("n")
        offset = c.size("k") if c.has("k") else ZERO
        row, column = Index("i", size), Index("j", c.size("m") if c.has("m") else size)
        on = Apply("eq", (row if offset is ZERO else extents.add(row, offset), column))
        dtype = c.dtype() or _FLOAT[library]
        return c.ops.make((row, column), Apply("where", (on, ONE, ZERO)), dtype, library)

    return call


def lower_ones(c: Call) -> Obj:
    """``np.tri``."""
    size = c.size("n")
    offset = c.size("k") if c.has("k") else ZERO
    row, column = Index("i", size), Index("j", c.size("m") if c.has("m") else size)
    on = Apply("le", (column, extents.add(row, offset)))
    body = Apply("where", (on, ONE, ZERO))
    return c.ops.make((row, column), body, c.dtype() or "float64", "numpy")


def arange(library: Library) -> Handler:
    def call(c: Call) -> Obj:
        given = c.obj("bounds")
        assert isinstance(given, Sequence)
        bounds = [c.lifter.as_value(item) for item in given.items]
        for name in ("start", "end", "step"):
            if c.has(name):
                bounds.append(c.value(name))
        if any(value.dtype == "float" for value in bounds):
            return _arange_floats(c, bounds, library)
        terms = [c.lifter.as_size(value) for value in bounds]
        start, stop = (ZERO, terms[0]) if len(terms) == 1 else (terms[0], terms[1])
        step = extents.constant(terms[2]) if len(terms) > 2 else 1
        if not step:
            raise Unsupported("arange with an unknown step")
        length = extents.sub(stop, start)
        if step < 0:
            length = extents.neg(length)
        if abs(step) != 1:
            length = extents.floordiv(extents.add(length, Const(abs(step) - 1)), Const(abs(step)))
        axis = Index("i", c.lifter.facts.extent(length))
        body = extents.add(start, extents.mul(Const(step), axis))
        return c.ops.make((axis,), body, c.dtype() or "int64", library)

    return call


def _arange_floats(c: Call, bounds: list[Value], library: Library) -> Value:
    numbers: list[float] = []
    for value in bounds:
        if not isinstance(value.body, Const) or not isinstance(value.body.value, (int, float)):
            raise Unsupported("arange over fractions that are not stated")
        numbers.append(value.body.value)
    start, stop = (0, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])
    step = numbers[2] if len(numbers) > 2 else 1
    if step == 0:
        raise Unsupported("arange with no step")
    count = max(-int(-(stop - start) // step), 0)
    axis = Index("i", Const(count))
    body = Apply("add", (Const(start), Apply("mul", (Const(step), axis))))
    return c.ops.make((axis,), body, c.dtype() or _FLOAT[library], library)


def linspace(library: Library) -> Handler:
    """start + i (stop - start) / (steps - 1)."""

    def call(c: Call) -> Obj:
        start, stop = c.value("start"), c.value("end")
        if start.axes or stop.axes or not c.flag("endpoint", True) or c.has("retstep"):
            raise Unsupported("linspace of an unusual form")
        steps = c.size("steps") if c.has("steps") else Const(50)
        axis = Index("i", steps)
        a, b = c.ops.element(start, ()), c.ops.element(stop, ())
        last = Apply("max", (extents.sub(steps, ONE), ONE))
        slope = Apply("div", (Apply("sub", (b, a)), last))
        body = Apply("add", (a, Apply("mul", (axis, slope))))
        return c.ops.make((axis,), body, c.dtype() or _FLOAT[library], library)

    return call


def complex_of(c: Call) -> Obj:
    """``torch.complex(a, b)``: a + b i."""
    a, b = c.value("input"), c.value("other")
    imaginary = c.ops.pointwise("mul", b, c.ops.number(1j))
    dtype = {"float32": "complex64", "float64": "complex128"}.get(a.dtype or "")
    made = c.ops.pointwise("add", a, imaginary)
    return replace(made, dtype=dtype)
