"""What the steps of a loop are: the integers of a range, rows of arrays, several side by side."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.assumed import listed
from auditor.lift import extents
from auditor.nests.forms import flattened
from auditor.nests.guessed_axes import rows_of_list
from auditor.nests.integers import NoNest
from auditor.nests.parts import Part, Scope, indices, integers_of, put
from auditor.nests.spelled import as_range
from auditor.nests.triangles import triangle
from auditor.notation import ONE, ZERO, Const, Index, Term
from auditor.syntax import is_name, subscripted

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions


def walked(reading: Expressions, target: ast.expr, source: ast.expr, scope: Scope) -> Index:
    """Bind what a loop walks with; the index of its steps."""
    source = as_range(reading.region, source)
    called = source.func.id if isinstance(source, ast.Call) and isinstance(
        source.func, ast.Name) else ""  # fmt: skip
    if called in reading.region.module.bound:
        raise NoNest(f"`{called}` is the file's own")
    if called == "range":
        assert isinstance(source, ast.Call)
        return _range(reading, target, source, scope)
    if called == "enumerate":
        assert isinstance(source, ast.Call)
        if not isinstance(target, ast.Tuple) or len(target.elts) != 2 or len(source.args) != 1:
            raise NoNest("an unusual `enumerate`")
        (given,) = source.args
        zipped = isinstance(given, ast.Call) and is_name(given.func, "zip")
        if zipped:
            index = walked(reading, target.elts[1], given, scope)
        else:
            index = _element(reading, target.elts[1], given, scope)
        _bind(target.elts[0], index, scope)
        return index
    if called == "zip":
        assert isinstance(source, ast.Call)
        return _zip(reading, target, source, scope)
    return _element(reading, target, source, scope)


def _range(reading: Expressions, target: ast.expr, source: ast.Call, scope: Scope) -> Index:
    known = integers_of(scope)
    args = source.args
    if not isinstance(target, ast.Name) or source.keywords or not 1 <= len(args) <= 3:
        raise NoNest("an unusual range")
    low = ZERO if len(args) == 1 else reading.integers.term(args[0], known)
    stop = args[0] if len(args) == 1 else args[1]
    tile = reading.walks.get(low) if isinstance(low, Index) else None
    if tile is not None and tile.tiles and len(args) == 2:
        found = reading.within(tile, stop, known)
        if found is None:
            raise NoNest("a loop through something else than a tile")
        if isinstance(stop, ast.BinOp):
            reading.unbounded.append(found)
        _bind(target, found, scope)
        return found
    high = reading.integers.term(stop, known)
    stride = reading.integers.term(args[2], known) if len(args) == 3 else ONE
    number = extents.constant(stride)
    if number is not None and number < 1:
        raise NoNest("a range counts down")
    if indices(low) or indices(high) or indices(stride):
        return _half(reading, target, low, high, stride, scope)
    index = reading.index(target.id, low, high, stride, tiles=stride is not ONE)
    _bind(target, index, scope)
    return index


def _half(
    reading: Expressions, target: ast.Name, low: Term, high: Term, stride: Term, scope: Scope
) -> Index:
    """The index of a loop from or up to where another one is, as one through all."""
    found = triangle(low, high, reading.walks) if stride is ONE else None
    if found is None:
        raise NoNest("a range whose ends move with another loop")
    outer, pairs, whole = found
    around = reading.walks[outer]
    if extents.constant(extents.sub(whole.high, around.high)) != 0 or (
        extents.constant(extents.sub(whole.low, around.low)) != 0
    ):
        reading.widened[outer] = whole
    index = reading.index(target.id, whole.low, whole.high)
    reading.beside[outer, index] = pairs
    _bind(target, index, scope)
    return index


def _element(reading: Expressions, target: ast.expr, source: ast.expr, scope: Scope) -> Index:
    """The index of a loop over the first axis of an array."""
    flat = flattened(source)
    base = subscripted(source if flat is None else flat)
    if flat is None and not isinstance(source, (ast.Name, ast.Attribute, ast.Subscript)):
        raise NoNest("an unusual loop")
    taken = isinstance(target, ast.Tuple) and all(isinstance(t, ast.Name) for t in target.elts)
    if not taken and not isinstance(target, ast.Name):
        raise NoNest("an unusual loop")
    if reading.read_only(base, scope) and not reading.is_array(base) and not reading.doubted(base):
        raise NoNest(f"`{reading.region.module.source(base)}` is not known to be an array")
    if flat is not None and (flat is not base or not reading.read_only(flat, scope)):
        raise NoNest("a loop over the elements of what the nest makes")
    if flat is not None or (
        isinstance(source, (ast.Name, ast.Attribute)) and reading.read_only(source, scope)
    ):
        rows = rows_of_list(reading, target) if isinstance(target, ast.Name) else 2
        part = reading.array(reading.leaf(source, 1, rows))
    else:
        part = reading.part(source, scope)
    if not part.axes:
        raise NoNest("a loop over a number")
    row = Part(part.axes[1:], part.term)
    if isinstance(target, ast.Name):
        scope[target.id] = row
    else:
        take_apart(reading, target, row, scope)  # type: ignore[arg-type]
    return part.axes[0]


def take_apart(reading: Expressions, target: ast.Tuple, row: Part, scope: Scope) -> None:
    """``u, v = edges[i]``, ``for u, v in edges``: the names of the elements of a row, which are all
    of it."""
    if not row.axes or not all(isinstance(name, ast.Name) for name in target.elts):
        raise NoNest("takes numbers apart")
    axis, rest, count = row.axes[0], row.axes[1:], len(target.elts)
    length = reading.walks[axis].length
    if length is None:
        reading.assume(f"rows that are taken apart hold {count} items")
    elif length != count:
        raise NoNest("takes rows of another length apart")
    for place, name in enumerate(target.elts):
        by: dict[Term, Term] = {each: reading.again(each) for each in rest}
        term = put(row.term, {axis: Const(place), **by})
        scope[name.id] = Part(tuple(by.values()), term)  # type: ignore[attr-defined,arg-type]


def _zip(reading: Expressions, target: ast.expr, source: ast.Call, scope: Scope) -> Index:
    if (
        not isinstance(target, ast.Tuple) or len(target.elts) != len(source.args)
        or source.keywords or not all(isinstance(t, ast.Name) for t in target.elts)
    ):  # fmt: skip
        raise NoNest("an unusual `zip`")
    first: Index | None = None
    for name, base in zip(target.elts, source.args, strict=True):
        index = _element(reading, name, base, scope)
        if first is None:
            first = index
            continue
        assert isinstance(name, ast.Name)
        part = scope[name.id]
        assert isinstance(part, Part)
        whole = Part((index, *part.axes), part.term)
        one, two = reading.walks[index], reading.walks[first]
        if extents.constant(extents.sub(one.high, two.high)) != 0:
            if not reading.arrays.same_length(source.args[0], base):
                _doubt_lengths(reading, source.args[0], base)
        scope[name.id] = Part(part.axes, reading.matched(whole, (first, *part.axes), True))
    if first is None:
        raise NoNest("an unusual `zip`")
    return first


def _doubt_lengths(reading: Expressions, one: ast.expr, other: ast.expr) -> None:
    """Two arrays that are walked together are taken to be equally long, which is said."""
    names = listed(f"`{reading.region.module.source(node)}`" for node in (one, other))
    reading.unsure(f"whether {names} are equally long is not known")


def _bind(target: ast.expr, index: Index, scope: Scope) -> None:
    if not isinstance(target, ast.Name):
        raise NoNest("an unusual loop variable")
    scope[target.id] = index
