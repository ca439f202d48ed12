"""Builtins, math, functools and einops."""

from __future__ import annotations

from dataclasses import replace

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Meaning
from auditor.lift.objects import (
    Collected,
    Function,
    Iteration,
    Literal,
    Obj,
    Sequence,
    Written,
)
from auditor.lift.tables import elementwise
from auditor.notation import ONE, ZERO, Apply, Const, Index, Reduce, Term, Value


def range_(c: Call) -> Obj:
    bounds = [c.lifter.as_size(item) for item in c.obj("bounds").items]  # type: ignore[union-attr]
    start, stop = (ZERO, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    step = extents.constant(bounds[2]) if len(bounds) > 2 else 1
    if not step:
        raise Unsupported("a range with an unknown step")
    length = extents.sub(stop, start)
    if step < 0:
        length = extents.neg(length)
    if abs(step) != 1:
        length = extents.floordiv(extents.add(length, Const(abs(step) - 1)), Const(abs(step)))

    def element(s: Term) -> Obj:
        return c.ops.scalar(extents.add(start, extents.mul(Const(step), s)))

    return Iteration(c.lifter.facts.extent(length), element)


def reversed_(c: Call) -> Obj:
    obj = c.obj("items")
    if isinstance(obj, Sequence):
        return Sequence(obj.items[::-1], obj.kind)
    if isinstance(obj, Collected) and not obj.prefix:
        return replace(obj, reverse=not obj.reverse)
    inner = c.lifter.iterate(obj)
    last = extents.sub(inner.extent, ONE)
    return Iteration(inner.extent, lambda s: inner.element(extents.sub(last, s)))


def enumerate_(c: Call) -> Obj:
    start = c.size("start") if c.has("start") else ZERO
    obj = c.obj("items")
    if isinstance(obj, Sequence):
        pairs = tuple(
            Sequence((c.ops.scalar(extents.add(start, Const(p))), item))
            for p, item in enumerate(obj.items)
        )
        return Sequence(pairs, "list")
    inner = c.lifter.iterate(obj)
    return Iteration(
        inner.extent,
        lambda s: Sequence((c.ops.scalar(extents.add(start, s)), inner.element(s))),
    )


def zip_(c: Call) -> Obj:
    parts = c.obj("parts")
    assert isinstance(parts, Sequence)
    if all(isinstance(part, Sequence) for part in parts.items):
        rows = zip(*(part.items for part in parts.items), strict=False)  # type: ignore[union-attr]
        return Sequence(tuple(Sequence(tuple(row)) for row in rows), "list")
    inner = [c.lifter.iterate(part) for part in parts.items]
    lengths = list(dict.fromkeys(c.lifter.facts.extent(it.extent) for it in inner))
    strict = c.flag("strict") if c.has("strict") else False
    if strict:
        for other in lengths[1:]:
            c.lifter.facts.unify(lengths[0], other)
        lengths = lengths[:1]
    shortest = lengths[0] if len(lengths) == 1 else Apply("min", tuple(lengths))
    return Iteration(shortest, lambda s: Sequence(tuple(it.element(s) for it in inner)))


def map_(c: Call) -> Obj:
    parts = c.obj("parts")
    assert isinstance(parts, Sequence)
    function = c.obj("function")
    if len(parts.items) != 1 or not isinstance(parts.items[0], Sequence):
        raise Unsupported("map over items that are not known")
    if not isinstance(function, Function):
        raise Unsupported("map of an unknown function")
    import ast

    node = ast.copy_location(ast.Call(ast.Name("map", ast.Load()), [], []), function.node)
    items = [c.lifter.inline_call(function, [item], {}, node) for item in parts.items[0].items]
    return Sequence(tuple(items), "list")


def len_(c: Call) -> Obj:
    obj = c.obj("items")
    if isinstance(obj, Sequence):
        return c.ops.number(len(obj.items))
    if isinstance(obj, Collected):
        return c.ops.scalar(obj.step.extent)
    if isinstance(obj, Iteration):
        return c.ops.scalar(obj.extent)
    value = obj.original if isinstance(obj, Written) else c.lifter.as_value(obj)
    c.ops.need_lead(value, 1)
    return c.ops.scalar(c.lifter.facts.extent(value.axes[0].extent))


def fold(op: str):  # type: ignore[no-untyped-def]
    """sum, max, min, any, all over an iterable."""

    def call(c: Call) -> Obj:
        items = c.obj("items")
        assert isinstance(items, Sequence)
        if len(items.items) > 1 and op in ("max", "min"):
            values = [c.lifter.as_value(item) for item in items.items]
            if any(value.axes for value in values):
                raise Unsupported(f"`{op}` of arrays")
            return c.ops.pointwise(op, *values)
        source = items.items[0]
        if isinstance(source, Sequence):
            values = [c.lifter.as_value(item) for item in source.items]
            if not values or op in ("any", "all"):
                raise Unsupported(f"`{op}` of a few known items")
            result = values[0]
            for value in values[1:]:
                pointwise = {"sum": "add"}.get(op, op)
                result = c.ops.pointwise(pointwise, result, value)
            return result
        if isinstance(source, Collected):
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
            raise Unsupported(f"`{op}` of arrays")
        body: Term = Reduce(op, step, term)
        if op == "sum" and c.has("start"):
            body = Apply("add", (c.ops.element(c.value("start"), ()), body))
        return c.ops.make(axes, body, dtype, library)  # type: ignore[arg-type]

    return call


def power(c: Call) -> Obj:
    return c.ops.pointwise("pow", c.value("input"), c.value("other"))


def as_list(kind: str):  # type: ignore[no-untyped-def]
    def call(c: Call) -> Obj:
        if not c.has("items"):
            return Sequence((), kind)
        obj = c.obj("items")
        if isinstance(obj, (Sequence, Collected)):
            return obj if isinstance(obj, Collected) else Sequence(obj.items, kind)
        if isinstance(obj, Iteration):
            return obj
        return c.lifter.as_value(obj)

    return call


def deque(c: Call) -> Obj:
    if c.has("items"):
        raise Unsupported("a deque with items")
    return Sequence((), "list")


def absolute(c: Call) -> Obj:
    return c.ops.pointwise("abs", c.value("input"))


def integer(c: Call) -> Obj:
    """``int(x)``: the number itself where it is one already."""
    value = c.value("input")
    if value.axes or value.dtype == "int" or isinstance(value.body, Const):
        return value
    return c.ops.pointwise("call:int", value, dtype="int")


def floating(c: Call) -> Obj:
    obj = c.obj("input")
    if isinstance(obj, Literal) and isinstance(obj.value, str):
        return c.ops.number(float(obj.value))
    value = c.lifter.as_value(obj)
    if isinstance(value.body, Const) and isinstance(value.body.value, (int, float)):
        return c.ops.number(float(value.body.value))
    if c.ops.group_of(value) is not None:
        c.ops.need_rank(value, 0, f"`{value.name}` is a number, as float() says")
    if value.axes:
        raise Unsupported("float() of an array")
    return Value(f"float({value.name})", (), c.ops.element(value, ()), "float", "derived",
                 "python", c.ops.span)  # fmt: skip


def isinstance_(c: Call) -> Obj:
    return Value("isinstance", (), None, "bool", "free", "python", c.ops.span)


# -- einops


def _sides(c: Call) -> tuple[list[list[str]], list[list[str]]]:
    left, arrow, right = c.text("pattern").partition("->")
    if not arrow:
        raise Unsupported("an einops pattern without an arrow")
    return _groups(left), _groups(right)


def _groups(text: str) -> list[list[str]]:
    groups: list[list[str]] = []
    inside: list[str] | None = None
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            inside = []
            groups.append(inside)
        elif token == ")":
            inside = None
        elif inside is not None:
            inside.append(token)
        else:
            groups.append([token])
    return groups


def _split_axes(c: Call, value: Value, left: list[list[str]]) -> dict[str, Index]:
    """The axes that the left side of an einops pattern names, and the element they read."""
    if any("..." in group for group in left):
        raise Unsupported("an einops pattern with `...`")
    c.ops.need_rank(value, len(left))
    sizes: dict[str, Term] = {}
    given = c.obj("sizes") if c.has("sizes") else Sequence(())
    assert isinstance(given, Sequence)
    for pair in given.items:
        assert isinstance(pair, Sequence)
        name, size = pair.items
        assert isinstance(name, Literal)
        sizes[str(name.value)] = c.lifter.as_size(size)
    axes: dict[str, Index] = {}
    for group, axis in zip(left, value.axes, strict=True):
        extent = c.lifter.facts.extent(axis.extent)
        missing = [name for name in group if name not in sizes and name != "1"]
        if len(missing) > 1:
            raise Unsupported("an einops pattern with two unknown sizes in one axis")
        known = extents.mul(ONE, *(sizes[name] for name in group if name in sizes))
        for name in group:
            size = extents.floordiv(extent, known) if name in missing else sizes.get(name, ONE)
            axes[name] = Index(name, c.lifter.facts.extent(size))
    return axes


def _merged(c: Call, groups: list[list[str]], axes: dict[str, Index]) -> list[Term]:
    return [torch_ravel([axes[name] for name in group if name != "1"]) for group in groups]


def torch_ravel(axes: list[Index]) -> Term:
    total: Term = ZERO
    for axis in axes:
        total = extents.add(extents.mul(total, axis.extent), axis)
    return total


def _einops(c: Call, op: str | None, new: bool) -> Obj:
    value = c.value("input")
    left, right = _sides(c)
    axes = _split_axes(c, value, left)
    given = c.obj("sizes") if c.has("sizes") else Sequence(())
    assert isinstance(given, Sequence)
    named = {name for group in left for name in group}
    target = [name for group in right for name in group if name != "1"]
    if new:
        for pair in given.items:
            assert isinstance(pair, Sequence)
            name, size = pair.items
            assert isinstance(name, Literal)
            if name.value not in named:
                axes[str(name.value)] = Index(str(name.value), c.lifter.as_size(size))
    if not set(target) <= set(axes):
        raise Unsupported("an einops pattern with an axis of unknown size")
    element = c.ops.element(value, _merged(c, left, axes))
    for name in reversed([n for group in left for n in group if n not in target and n != "1"]):
        if op is None:
            if axes[name].extent is not ONE:
                raise Unsupported("an einops pattern that drops an axis")
            continue
        if op == "mean":
            element = Apply("div", (Reduce("sum", axes[name], element), axes[name].extent))
        else:
            element = Reduce(op, axes[name], element)
    result: list[Index] = []
    by: dict[Term, Term] = {}
    for group in right:
        names = [name for name in group if name != "1"]
        if len(names) == 1:
            result.append(axes[names[0]])
            continue
        size = extents.mul(ONE, *(axes[name].extent for name in names))
        whole = Index("_".join(names) or "u", c.lifter.facts.extent(size))
        rest: Term = whole
        for position, name in reversed(list(enumerate(names))):
            if position == 0:
                by[axes[name]] = rest
            else:
                by[axes[name]] = extents.mod(rest, axes[name].extent)
                rest = extents.floordiv(rest, axes[name].extent)
        result.append(whole)
    from auditor.notation import substitute

    return c.ops.make(result, substitute(element, by), value.dtype, value.library)


def rearrange(c: Call) -> Obj:
    return _einops(c, None, new=False)


def repeat(c: Call) -> Obj:
    return _einops(c, None, new=True)


def reduce(c: Call) -> Obj:
    op = c.text("reduction")
    if op not in ("sum", "mean", "max", "min", "prod"):
        raise Unsupported(f"the reduction `{op}`")
    return _einops(c, op, new=False)


def einops_einsum(c: Call) -> Obj:
    args = c.obj("args")
    assert isinstance(args, Sequence)
    pattern = args.items[-1]
    if not (isinstance(pattern, Literal) and isinstance(pattern.value, str)):
        raise Unsupported("an einsum pattern that is not a literal string")
    return c.ops.einsum(pattern.value, [c.lifter.as_value(item) for item in args.items[:-1]])


class _Sized(Meaning):
    """einops functions take the sizes of axes as keywords of any name."""

    def call(self, lifter, args, keywords):  # type: ignore[no-untyped-def]
        known = {name for names, _ in self.parameters for name in names}
        sizes = [
            Sequence((Literal(name), obj)) for name, obj in keywords.items() if name not in known
        ]
        rest = {name: obj for name, obj in keywords.items() if name in known}
        return super().call(lifter, args, {**rest, "sizes": Sequence(tuple(sizes))})


_EINOPS = "input|tensor, pattern, sizes="

FUNCTIONS: dict[str, Meaning] = {
    **{f"math.{name}": entry for name, entry in elementwise.table("x").items()},
    "math.pow": Meaning("input|x, other|y", power),
    "math.prod": Meaning("*items", fold("prod")),
    "math.fsum": Meaning("*items", lambda c: (_ for _ in ()).throw(
        Unsupported("fsum rounds once, on purpose"))),
    "range": Meaning("*bounds", range_),
    "reversed": Meaning("items", reversed_),
    "enumerate": Meaning("items, start=0", enumerate_),
    "zip": Meaning("*parts, strict=False", zip_),
    "tqdm.tqdm": Meaning("items, desc=None, total=None, leave=True, disable=False",
                         lambda c: c.obj("items")),
    "map": Meaning("function, *parts", map_),
    "len": Meaning("items", len_),
    "sum": Meaning("*items, start=0", fold("sum")),
    "max": Meaning("*items", fold("max")),
    "min": Meaning("*items", fold("min")),
    "any": Meaning("*items", fold("any")),
    "all": Meaning("*items", fold("all")),
    "list": Meaning("items", as_list("list")),
    "tuple": Meaning("items", as_list("tuple")),
    "collections.deque": Meaning("items, maxlen=None", deque),
    "abs": Meaning("input", absolute),
    "pow": Meaning("input, other", power),
    "int": Meaning("input", integer),
    "float": Meaning("input", floating),
    "isinstance": Meaning("a, b", isinstance_),
    "hasattr": Meaning("a, b", isinstance_),
    "einops.rearrange": _Sized(_EINOPS, rearrange),
    "einops.repeat": _Sized(_EINOPS, repeat),
    "einops.reduce": _Sized("input|tensor, pattern, reduction, sizes=", reduce),
    "einops.einsum": Meaning("*args", einops_einsum),
}  # fmt: skip
