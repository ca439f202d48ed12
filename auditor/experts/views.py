"""Views of arrays: their axes in another order, new ones and fewer."""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.experts.operands import Called
from auditor.experts.values import (
    Alone,
    Array,
    Count,
    Flat,
    Gate,
    Last,
    Listed,
    Outputs,
    Places,
    Plain,
    Size,
    Slots,
    Taken,
    Thing,
    as_gate,
    axis_of,
    laid,
    with_axis,
    without,
)
from auditor.syntax import constant, is_name


def flattened(call: Called) -> Thing | None:
    """``x[None, tokens].reshape(-1, size)``: the tokens of one expert as rows."""
    base, rest = call.thing(0), list(call.given[1:])
    if isinstance(base, Alone):
        flat = not rest if call.word == "flatten" else [*map(constant, rest)] == [-1]
        return base.item if base.column and flat else None
    if isinstance(base, Places) and (call.word == "flatten" or [*map(constant, rest)] == [-1]):
        whole = base.layout == (*call.leading, "k") and not (call.word == "flatten" and rest)
        return Flat(call.node, base) if whole else None
    if call.word == "flatten":
        return None
    if isinstance(base, Count) and base.chosen and len(rest) == 1 and constant(rest[0]) == -1:
        return base
    if not isinstance(base, Taken) or base.layout not in (("1", "m", "d"), ("m", "d")):
        return None
    if len(rest) == 1 and isinstance(rest[0], (ast.Tuple, ast.List)):
        rest = list(rest[0].elts)
    if len(rest) != 2 or constant(rest[0]) != -1 or not _features(call, rest[1]):
        return None
    return replace(base, layout=("m", "d"), node=call.node)


def _features(call: Called, size: ast.expr) -> bool:
    """Whether a size is that of the tokens' last axis, as what it was unpacked or read of says."""
    if isinstance(call.operations.value(size), Size):
        return True
    if not isinstance(size, ast.Subscript) or constant(size.slice) != -1:
        return False
    sizes = call.operations.value(size.value).node  # where a name stands for them, as well
    return isinstance(sizes, ast.Attribute) and sizes.attr == "shape"


def unsqueeze(call: Called) -> Thing | None:
    base = as_gate(call.thing(0), call.leading, call.node)
    if isinstance(base, Last) and base.flat:
        count = None if "T" in call.leading else len(call.leading)
        return replace(base, flat=False, node=call.node) if call.dim() in (-1, count) else None
    if isinstance(base, Taken) and base.layout == ("m",) and call.dim() in (1, -1):
        return replace(base, layout=("m", "1"), node=call.node)
    if not isinstance(base, Array):
        return None
    layout = with_axis(base.layout, call.dim(), "1")
    return None if layout is None else laid(base, layout, call.node)


def squeeze(call: Called) -> Thing | None:
    base = call.thing(0)
    if isinstance(base, Alone):
        return base.item if base.column and call.dim() in (1, -1) else None
    place = axis_of(base.layout, call.dim()) if isinstance(base, Array) else None
    if place is None or not isinstance(base, Array):
        return None
    chosen = base.places if isinstance(base, Slots) else base
    single = base.layout[place] == "k" and isinstance(chosen, Places) and chosen.single
    if base.layout[place] != "1" and not single:
        return None
    return laid(base, without(base.layout, place), call.node)


def expanded(call: Called) -> Thing | None:
    """Places in a column that are repeated along the features: ``expand(-1, -1, size)``,
    ``repeat(1, 1, size)``."""
    base, rest = call.thing(0), list(call.given[1:])
    if len(rest) == 1 and isinstance(rest[0], (ast.Tuple, ast.List)):
        rest = list(rest[0].elts)
    if not isinstance(base, Places) or base.layout[-1:] != ("1",):
        return None
    once = 1 if call.word == "repeat" else -1
    if len(rest) != len(base.layout) or any(constant(each) != once for each in rest[:-1]):
        return None
    known, width = _width(call, rest[-1])
    made = laid(base, (*base.layout[:-1], "d"), call.node)
    return replace(made, width=width) if known else None


def _width(call: Called, size: ast.expr) -> tuple[bool, ast.expr | None]:
    """Whether a size may be that of what experts give, and the size where that is supposed: it is
    the tokens' or the module's own. Some of these numbers are another size, such as 3."""
    held = call.operations.value(size)
    shape = held.node if isinstance(held, Size) else None
    if shape is None and isinstance(size, ast.Call) and isinstance(size.func, ast.Attribute):
        last = size.func.attr == "size" and [*map(constant, size.args)] == [-1]
        shape = size.func if last else None
    if isinstance(size, ast.Subscript) and constant(size.slice) == -1:
        shape = size.value
    if isinstance(shape, ast.Call):
        shape = shape.func
    if isinstance(shape, ast.Attribute) and shape.attr in ("shape", "size"):
        of = call.operations.value(shape.value)
        if isinstance(of, Outputs):
            return True, None
        return isinstance(of, Plain), size
    own = isinstance(size, ast.Attribute) and is_name(size.value, "self")
    return own, size


def transpose(call: Called) -> Thing | None:
    base = call.thing(0)
    if not isinstance(base, Array):
        return None
    words = [call.argument(1, "dim0"), call.argument(2, "dim1")]
    first, second = (axis_of(base.layout, constant(w)) for w in words)
    if first is None or second is None:
        return None
    layout = list(base.layout)
    layout[first], layout[second] = layout[second], layout[first]
    return laid(base, tuple(layout), call.node)


def permute(call: Called) -> Thing | None:
    base, rest = call.thing(0), list(call.given[1:])
    if len(rest) == 1 and isinstance(rest[0], (ast.Tuple, ast.List)):
        rest = list(rest[0].elts)
    if not isinstance(base, Array):
        return None
    places = [axis_of(base.layout, constant(each)) for each in rest]
    known = [place for place in places if place is not None]
    if sorted(known) != list(range(len(base.layout))):
        return None
    return laid(base, tuple(base.layout[place] for place in known), call.node)


def columns(call: Called) -> Thing | None:
    """``gates.unbind(-1)``, ``gates.split(1, dim=-1)``: one column an expert."""
    base = call.thing(0)
    dim = call.dim(1, 0) if call.word == "unbind" else call.dim(2, 0)
    if not isinstance(base, Gate) or base.place is not None:
        return None
    place = axis_of(base.layout, dim)
    if place is None or base.layout[place] != "n":
        return None
    layout = without(base.layout, place)
    if call.word == "split":
        size = call.argument(1, "split_size")
        if size is None or constant(size) != 1:
            return None
        layout = (*base.layout[:place], "1", *base.layout[place + 1 :])
    return Listed(call.node, replace(base, layout=layout, routing=base.how()))
