"""Python's own functions: builtins, math, operator and functools."""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.lift import extents, keyed
from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Handler, Meaning
from auditor.lift.objects import (
    Collected,
    Function,
    Iteration,
    Literal,
    Method,
    Named,
    Obj,
    Sequence,
    Shape,
    Slice,
    Written,
)
from auditor.lift.tables import einops, elementwise, joins, networks, orders
from auditor.notation import ONE, ZERO, Apply, Const, Index, Library, Order, Reduce, Term, Value


def _sequence(c: Call, name: str) -> Sequence:
    obj = c.obj(name)
    assert isinstance(obj, Sequence)
    return obj


# -- iteration


def range_(c: Call) -> Obj:
    bounds = [c.lifter.as_size(item) for item in _sequence(c, "bounds").items]
    if not 1 <= len(bounds) <= 3:
        raise Unsupported("a range of an unusual form")
    start, stop = (ZERO, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    step = extents.constant(bounds[2]) if len(bounds) > 2 else 1
    if step is None:
        return _by_blocks(c, start, stop, bounds[2])
    if not step:
        raise Unsupported("a range with a step of 0")
    length = extents.sub(stop, start)
    if step < 0:
        length = extents.neg(length)
    if abs(step) != 1:
        length = extents.floordiv(extents.add(length, Const(abs(step) - 1)), Const(abs(step)))
    if extents.constant(length) is not None and extents.is_negative(length):
        length = ZERO

    scalar = c.ops.scalar

    def element(s: Term) -> Obj:
        return scalar(extents.add(start, extents.mul(Const(step), s)))

    return Iteration(c.lifter.facts.extent(length), element, listed=True)


def _by_blocks(c: Call, start: Term, stop: Term, step: Term) -> Obj:
    """``range(0, n, size)``: as many steps as there are blocks of that size, if it is positive."""
    if c.ops.span is not None:
        c.lifter.facts.blocks.add(c.ops.span)
    more = extents.add(extents.sub(stop, start), step, Const(-1))
    scalar = c.ops.scalar
    return Iteration(
        c.lifter.facts.extent(extents.floordiv(more, step)),
        lambda s: scalar(extents.add(start, extents.mul(step, s))),
    )


def reversed_(c: Call) -> Obj:
    obj = c.obj("items")
    if isinstance(obj, Sequence):
        return Sequence(obj.items[::-1], obj.kind)
    if isinstance(obj, Collected):
        return obj.backwards()
    return c.lifter.iterate(obj).backwards()


def enumerate_(c: Call) -> Obj:
    start = c.size("start") if c.has("start") else ZERO
    obj = c.obj("items")
    if isinstance(obj, Sequence):
        pairs = tuple(
            Sequence((c.ops.scalar(extents.add(start, Const(p))), item))
            for p, item in enumerate(obj.items)
        )
        return Sequence(pairs, "list")
    inner, scalar = c.lifter.iterate(obj), c.ops.scalar
    return Iteration(
        inner.extent,
        lambda s: Sequence((scalar(extents.add(start, s)), inner.element(s))),
    )


def zip_(c: Call) -> Obj:
    parts = _sequence(c, "parts").items
    known = [part.items for part in parts if isinstance(part, Sequence)]
    if len(known) == len(parts):
        rows = zip(*known, strict=False)
        return Sequence(tuple(Sequence(tuple(row)) for row in rows), "list")
    if known:
        # Known items beside an iteration: the iteration is read at known places.
        count = min(len(items) for items in known)
        items = [_listed(c, part, count) for part in parts]
        return Sequence(tuple(Sequence(row) for row in zip(*items, strict=True)), "list")
    inner = [c.lifter.iterate(part) for part in parts]
    lengths = list(dict.fromkeys(c.lifter.facts.extent(it.extent) for it in inner))
    if c.has("strict") and c.flag("strict"):
        for other in lengths[1:]:
            c.lifter.facts.unify(lengths[0], other)
        lengths = lengths[:1]
    shortest = lengths[0] if len(lengths) == 1 else Apply("min", tuple(lengths))
    return Iteration(shortest, lambda s: Sequence(tuple(it.element(s) for it in inner)))


def _listed(c: Call, part: Obj, count: int) -> list[Obj]:
    if isinstance(part, Sequence):
        return list(part.items[:count])
    inner = c.lifter.iterate(part)
    if extents.constant(inner.extent) is None:
        c.lifter.facts.assume("zip", "what is zipped together has equal lengths")
    elif (extents.constant(inner.extent) or 0) < count:
        raise Unsupported("a zip of different lengths")
    return [inner.element(Const(p)) for p in range(count)]


def called(c: Call, function: Obj, args: list[Obj]) -> Obj:
    """What a function that was passed as an argument returns."""
    from auditor.lift import tables

    if isinstance(function, Function):
        place = ast.copy_location(ast.Name("map", ast.Load()), function.node)
        node = ast.copy_location(ast.Call(place, [], []), function.node)
        result = c.lifter.inline_call(function, args, {}, node)
        if node in c.lifter.changing:
            c.lifter.effect("mutation", "calls a function that changes what it is given", node)
            raise Unsupported("a function that changes what it is given")
        return result
    meaning = tables.meaning(c.lifter, function)
    if meaning is None or not isinstance(function, (Named, Method)):
        raise Unsupported("a function that is not known")
    return meaning.call(c.lifter, args, {})


def map_(c: Call) -> Obj:
    parts = _sequence(c, "parts").items
    known = [part for part in parts if isinstance(part, Sequence)]
    if len(known) != len(parts):
        raise Unsupported("map over items that are not known")
    rows = zip(*(part.items for part in known), strict=False)
    return Sequence(tuple(called(c, c.obj("function"), list(row)) for row in rows), "list")


def folded(c: Call) -> Obj:
    """``functools.reduce`` over known items."""
    items = c.obj("items")
    if not isinstance(items, Sequence):
        raise Unsupported("a reduction over items that are not known")
    rest = list(items.items)
    if "initial" in c.bound:
        rest.insert(0, c.obj("initial"))
    if not rest:
        raise Unsupported("a reduction over nothing")
    result = rest[0]
    for item in rest[1:]:
        result = called(c, c.obj("function"), [result, item])
    return result


def len_(c: Call) -> Obj:
    obj = c.obj("items")
    if isinstance(obj, Sequence):
        return c.ops.number(len(c.lifter.counted(obj.items)))
    if isinstance(obj, Collected):
        return c.ops.scalar(extents.add(obj.step.extent, Const(len(obj.prefix))))
    if isinstance(obj, Iteration):
        return c.ops.scalar(obj.extent)
    if isinstance(obj, Shape):
        if obj.start is not None or obj.stop is not None:
            return c.ops.number(len(c.lifter.extents_of(obj)))
        if c.ops.group_of(obj.value) is not None:
            raise Unsupported("the rank is not known")
        return c.ops.number(len(obj.value.axes))
    value = obj.original if isinstance(obj, Written) else c.lifter.as_value(obj)
    length = c.ops.extent_at(value, 0)
    return c.ops.scalar(_own_length(value) if c.lifter.of_its_own_length(value) else length)


def _own_length(item: Value) -> Term:
    """The length of one of several lists or texts, which is no size of the whole."""
    assert item.body is not None
    term = item.body
    for axis in reversed(item.axes):
        term = Reduce("call:some", axis, term)
    return Apply("call:len", (term,))


def as_list(kind: str) -> Handler:
    def call(c: Call) -> Obj:
        if not c.has("items"):
            return Sequence((), kind)
        obj = c.obj("items")
        if isinstance(obj, Collected):
            return obj
        if isinstance(obj, Iteration):
            return replace(obj, listed=True)
        if isinstance(obj, (Sequence, Shape)):
            return Sequence(c.lifter.items_of(obj), kind)
        value = keyed.walked(c.lifter, c.lifter.as_value(obj))
        if value.library != "python":
            return joins.rows(c, c.lifter.iterate(value))
        axes = c.ops.fresh(value.axes)  # another object than the list of which it has the items
        return c.ops.make(axes, c.ops.element(value, axes), value.dtype, value.library)

    return call


def deque(c: Call) -> Obj:
    if c.has("items") or c.has("maxlen"):
        raise Unsupported("a deque with items")
    return Sequence((), "list")


def slice_(c: Call) -> Obj:
    items = _sequence(c, "bounds").items
    bounds = [
        None if isinstance(item, Literal) and item.value is None else c.lifter.as_value(item)
        for item in items
    ]
    if len(bounds) == 1:
        return Slice(None, bounds[0], None)
    return Slice(bounds[0], bounds[1], bounds[2] if len(bounds) > 2 else None)


def first_argument(c: Call) -> Obj:
    return c.obj("items")


# -- reductions over iterables

_PAIRS = {"sum": "add", "prod": "mul", "any": "or", "all": "and"}


def fold(op: str) -> Handler:
    """sum, max, min, any, all and prod over an iterable."""

    def call(c: Call) -> Obj:
        items = _sequence(c, "items").items
        start: Value | None = None
        if op in ("sum", "prod") and len(items) == 2:
            start = c.lifter.as_value(items[-1])
            items = items[:1]
        elif c.has("start"):
            start = c.value("start")
        if len(items) > 1 and op in ("max", "min"):
            return _few(c, op, items)
        if len(items) != 1:
            raise Unsupported(f"`{op}` of an unusual form")
        source = items[0]
        if isinstance(source, Shape):
            source = Sequence(tuple(c.ops.scalar(s) for s in c.lifter.extents_of(source)))
        if isinstance(source, Sequence):
            result: Value = _few(c, op, source.items)
        else:
            result = _many(c, op, source)
        return result if start is None else c.ops.pointwise(_PAIRS[op], start, result)

    return call


def _few(c: Call, op: str, items: tuple[Obj, ...]) -> Value:
    """Of known items."""
    if not items:
        raise Unsupported(f"`{op}` of nothing")
    values = [c.lifter.as_value(item) for item in items]
    if op != "sum" and op != "prod" and any(value.axes for value in values):
        for value in values:
            if op in ("max", "min"):
                # Python compares arrays only where they have one element
                c.ops.need_number(value, f"as Python's `{op}` of them says")
        raise Unsupported(f"`{op}` of arrays")
    if op in ("any", "all"):
        values = [_truth(c, value) for value in values]
    result = values[0]
    for value in values[1:]:
        result = c.ops.pointwise(_PAIRS.get(op, op), result, value)
    return orders.one_of(result, values) if op in ("max", "min") else result


def _truth(c: Call, value: Value) -> Value:
    if value.dtype == "bool":
        return replace(value, library="python")
    made = c.ops.pointwise("ne", value, c.ops.number(0), dtype="bool")
    return replace(made, library="python")


def _many(c: Call, op: str, source: Obj) -> Value:
    """Of the items of an iteration."""
    if isinstance(source, Collected):
        if source.prefix or source.reverse:
            raise Unsupported(f"`{op}` of a list with items from before the loop")
        step, axes, term = source.step, source.axes, source.element
        dtype, library = source.dtype, source.library
    else:
        iteration = c.lifter.iterate(source)
        step = Index("t", iteration.extent)
        value = c.lifter.as_value(iteration.element(step))
        axes = c.ops.fresh(value.axes)
        term = c.lifter.inline(c.ops.element(value, axes), step)
        dtype, library = value.dtype, value.library
    if axes and op != "sum":
        if op in ("max", "min"):
            c.ops.need_number(Value("item", axes, term), f"as Python's `{op}` of them says")
        raise Unsupported(f"`{op}` of arrays")
    if op in ("any", "all"):
        if dtype != "bool":
            term = Apply("ne", (term, ZERO))
        dtype, library = "bool", "python"
    elif op in ("sum", "prod") and dtype == "bool":
        dtype = "int" if library == "python" else "int64"
    known: dict[str | None, Library] = {"torch": "torch", "numpy": "numpy", "python": "python"}
    return c.ops.make(axes, Reduce(op, step, term), dtype, known.get(library))


def _listed_library(item: Value) -> Library | None:
    """Of a list: plain where its items are."""
    return "python" if item.library == "python" else None


def sorted_(c: Call) -> Obj:
    """Of numbers, by themselves or by a key: the elements at the places that the order names."""
    obj = c.obj("items")
    if not c.has("key") and (few := orders.few_in_order(c, obj)) is not None:
        return Sequence(tuple(reversed(few) if c.flag("reverse", False) else few))
    if isinstance(obj, Value):
        obj = keyed.walked(c.lifter, obj)
        c.ops.need_rank(obj, 1, f"`{obj.name.strip('`')}` is a list of numbers, as its order says")
    items = c.lifter.iterate(obj)
    down = c.flag("reverse", False)
    bound = Index("k", c.lifter.facts.extent(items.extent))
    item = c.lifter.as_value(items.element(bound))
    if item.axes:
        raise Unsupported("an order of what are no numbers")
    place = Index("r", bound.extent)
    by = c.obj("key") if c.has("key") else None
    if by is None:
        order = Order(bound, c.ops.element(item, ()), place, down, "values")
        return c.ops.make((place,), order, item.dtype, _listed_library(item))
    key = c.lifter.as_value(called(c, by, [item]))
    at = Order(bound, c.ops.element(key, ()), place, down, "indices")
    chosen = c.lifter.as_value(items.element(at))
    return c.ops.make((place,), c.ops.element(chosen, ()), item.dtype, _listed_library(item))


# -- numbers


def scalar(c: Call, name: str = "input") -> Value:
    """A single number, as every function of math takes."""
    value = c.value(name)
    if c.ops.group_of(value) is not None:
        c.ops.need_rank(
            value, 0, f"{c.ops.called(value)} is a number without axes, as its use says"
        )
    for axis in value.axes:
        c.lifter.facts.unify(axis.extent, ONE)
    if value.axes:
        body = c.ops.element(value, [ZERO] * len(value.axes))
        return c.ops.make((), body, value.dtype, value.library)
    return value


def number(c: Call, name: str = "input") -> Value:
    """A single number that becomes one of Python."""
    return networks.taken_out(c, scalar(c, name))


def of_numbers(op: str, dtype: str = "float") -> Handler:
    """A function of math, of one number or two: always a Python number."""

    def call(c: Call) -> Obj:
        values = [number(c)]
        if "other" in c.bound:
            values.append(number(c, "other"))
        made = c.ops.pointwise(op, *values, dtype=dtype)
        return made if isinstance(made.body, Const) else replace(
            made, dtype=dtype, library="python"
        )  # fmt: skip

    return call


def whole(op: str) -> Handler:
    """floor, ceil, trunc and int: an integer; the number itself where it is one already."""

    def call(c: Call) -> Obj:
        obj = c.obj("input")
        if isinstance(obj, Literal) and isinstance(obj.value, str):
            try:
                return c.ops.number(int(obj.value))
            except ValueError:
                raise Unsupported("a text that is no integer") from None
        value = scalar(c)
        if value.dtype == "int":
            return value
        if isinstance(value.body, Const) and isinstance(value.body.value, (int, float)):
            import math

            exact = {"floor": math.floor, "ceil": math.ceil}.get(op, int)
            return c.ops.number(exact(value.body.value))
        made = c.ops.pointwise(op, value, dtype="int")
        return replace(made, library="python")

    return call


def logarithm(c: Call) -> Obj:
    top = c.ops.pointwise("log", number(c), dtype="float")
    if not c.has("base"):
        return replace(top, library="python")
    bottom = c.ops.pointwise("log", number(c, "base"), dtype="float")
    return replace(c.ops.pointwise("div", top, bottom, dtype="float"), library="python")


def degrees(factor: float) -> Handler:
    def call(c: Call) -> Obj:
        made = c.ops.pointwise("mul", number(c), c.ops.number(factor), dtype="float")
        return replace(made, library="python")

    return call


def power(c: Call) -> Obj:
    if c.has("modulus"):
        raise Unsupported("a power modulo a number")
    return c.ops.pointwise("pow", c.value("input"), c.value("other"))


def absolute(c: Call) -> Obj:
    return c.ops.pointwise("abs", c.value("input"))


def rounded(c: Call) -> Obj:
    if c.has("digits"):
        raise Unsupported("rounding to decimals")
    value = c.value("input")
    if value.axes or value.library != "python":
        return c.ops.pointwise("round", value)
    return value if value.dtype == "int" else c.ops.pointwise("round", value, dtype="int")


def floating(c: Call) -> Obj:
    obj = c.obj("input")
    if isinstance(obj, Literal) and isinstance(obj.value, str):
        try:
            return c.ops.number(float(obj.value))
        except ValueError:
            raise Unsupported("float() of text that is no number") from None
    value = number(c)
    if isinstance(value.body, Const) and isinstance(value.body.value, (int, float)):
        return c.ops.number(float(value.body.value))
    return Value(f"float({value.name})", (), c.ops.element(value, ()), "float", "derived",
                 "python", c.ops.span)  # fmt: skip


def boolean(c: Call) -> Obj:
    value = c.lifter.truth(c.obj("input"))
    return value if value.axes else _truth(c, value)


def complex_(c: Call) -> Obj:
    real, imaginary = scalar(c), scalar(c, "other") if c.has("other") else c.ops.number(0)
    turned = c.ops.pointwise("mul", imaginary, c.ops.number(1j), dtype="complex")
    return c.ops.pointwise("add", real, turned, dtype="complex")


def division(c: Call) -> Obj:
    a, b = c.value("input"), c.value("other")
    return Sequence((c.ops.pointwise("floordiv", a, b), c.ops.pointwise("mod", a, b)))


def product_sum(c: Call) -> Obj:
    raise Unsupported("fsum rounds once, on purpose")


def asked(c: Call) -> Obj:
    """isinstance and hasattr: a condition without notation."""
    return Value("isinstance()", (), None, "bool", "free", "python", c.ops.span)


def operator(op: str) -> Handler:
    def call(c: Call) -> Obj:
        a = c.value("input")
        return c.ops.pointwise(op, a, c.value("other")) if "other" in c.bound else (
            c.ops.pointwise(op, a)
        )  # fmt: skip

    return call


def matrix_product(c: Call) -> Obj:
    return c.ops.matmul(c.value("input"), c.value("other"))


_TWO = {name for name, (_, libraries) in elementwise.BINARY.items() if "m" in libraries}
_BOOLEAN = {"isnan", "isinf", "isfinite"}
_MATH: dict[str, Meaning] = {
    f"math.{name}": Meaning(
        "input|x, other|y" if name in _TWO else "input|x",
        of_numbers(op, "bool" if name in _BOOLEAN else "float"),
    )
    for name, (op, libraries) in {**elementwise.UNARY, **elementwise.BINARY}.items()
    if "m" in libraries
}
_CMATH: dict[str, Meaning] = {
    f"cmath.{name}": Meaning("input|x", of_numbers(name, "complex"))
    for name in ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh")
}
_OPERATORS: dict[str, Meaning] = {
    f"operator.{name}": Meaning("input, other", operator(op))
    for name, op in (
        ("add", "add"), ("sub", "sub"), ("mul", "mul"), ("truediv", "div"), ("pow", "pow"),
        ("floordiv", "floordiv"), ("mod", "mod"), ("lt", "lt"), ("le", "le"), ("gt", "gt"),
        ("ge", "ge"), ("eq", "eq"), ("ne", "ne"),
    )
}  # fmt: skip
_PROGRESS = "items, desc=None, total=None, leave=True, disable=False, unit=None, ncols=None"

FUNCTIONS: dict[str, Meaning] = {
    **_MATH,
    **_CMATH,
    **_OPERATORS,
    **einops.FUNCTIONS,
    "operator.neg": Meaning("input", operator("neg")),
    "operator.matmul": Meaning("input, other", matrix_product),
    "math.log": Meaning("input|x, base=None", logarithm),
    "math.floor": Meaning("input|x", whole("floor")),
    "math.ceil": Meaning("input|x", whole("ceil")),
    "math.trunc": Meaning("input|x", whole("call:int")),
    "math.degrees": Meaning("input|x", degrees(57.29577951308232)),
    "math.radians": Meaning("input|x", degrees(0.017453292519943295)),
    "math.prod": Meaning("*items, start=None", fold("prod")),
    "math.fsum": Meaning("*items", product_sum),
    "statistics.median": Meaning("input|data", orders.quantile(1, 0.5)),
    "statistics.mode": Meaning("input|data", orders.mode),
    "functools.reduce": Meaning("function, items, initial", folded),
    "range": Meaning("*bounds", range_),
    "numba.prange": Meaning("*bounds", range_),
    "reversed": Meaning("items", reversed_),
    "enumerate": Meaning("items, start=0", enumerate_),
    "zip": Meaning("*parts, strict=False", zip_),
    "tqdm.tqdm": Meaning(_PROGRESS, first_argument),
    "tqdm.trange": Meaning(f"*bounds, {_PROGRESS}", range_),
    "tqdm.auto.tqdm": Meaning(_PROGRESS, first_argument),
    "map": Meaning("function, *parts", map_),
    "len": Meaning("items", len_),
    "sum": Meaning("*items, start=None", fold("sum")),
    "max": Meaning("*items", fold("max")),
    "min": Meaning("*items", fold("min")),
    "any": Meaning("*items", fold("any")),
    "all": Meaning("*items", fold("all")),
    "sorted": Meaning("items, key=None, reverse=False", sorted_),
    "list": Meaning("items", as_list("list")),
    "tuple": Meaning("items", as_list("tuple")),
    "collections.deque": Meaning("items, maxlen=None", deque),
    "slice": Meaning("*bounds", slice_),
    "abs": Meaning("input", absolute),
    "pow": Meaning("input, other, modulus=None", power),
    "round": Meaning("input, digits=None", rounded),
    "divmod": Meaning("input, other", division),
    "int": Meaning("input", whole("call:int")),
    "float": Meaning("input", floating),
    "bool": Meaning("input", boolean),
    "complex": Meaning("input|real, other|imag", complex_),
    "isinstance": Meaning("a, b", asked),
    "hasattr": Meaning("a, b", asked),
}
