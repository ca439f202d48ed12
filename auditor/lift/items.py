"""Subscripts: items of arrays, of sequences, and of what a loop fills or writes."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.loop_arrays import read_array
from auditor.lift.module import chained
from auditor.lift.objects import (
    Cell,
    Collected,
    Growing,
    Iteration,
    Literal,
    Named,
    Obj,
    Record,
    Sequence,
    Shape,
    Slice,
    Spread,
    Written,
)
from auditor.lift.options import held_options, item_word
from auditor.lift.tables.grids import grid
from auditor.notation import ONE, Const, Index, Term, Value, substitute
from auditor.syntax import is_name

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter
    from auditor.lift.loops import Loop


def subscript(lifter: Lifter, node: ast.Subscript, env: Env) -> Obj:
    chain = chained(node) if isinstance(node.value, ast.Subscript) else None
    held = None if chain is None else env.get(chain[0])
    if chain is not None and isinstance(held, (Written, Cell)):
        items = chain_items(lifter, chain[1], env)
        if isinstance(held, Written):
            return read_array(written_by(lifter, held), lifter, held, items)
        same_cell(lifter, held, items)
        return held.value
    base = lifter.eval(node.value, env)
    lifter.here(node)
    if isinstance(base, Value) and (item := _option(lifter, node)) is not None:
        return item
    if isinstance(base, (Sequence, Shape)):
        return _pick(lifter, base, lifter.eval(node.slice, env))
    if isinstance(base, Record):
        return _pick(lifter, Sequence(tuple(base.fields.values())), lifter.eval(node.slice, env))
    if isinstance(base, Collected):
        return _pick_collected(lifter, base, node.slice, env)
    if isinstance(base, Iteration):
        rest = lifter.eval(node.slice, env)
        if isinstance(rest, Slice):
            return _part(lifter, base, rest)
        place = extents.constant(lifter.as_size(rest))
        if place is None:
            raise Unsupported("an item at an unknown place of an iteration")
        return base.element(Const(place) if place >= 0 else extents.add(base.extent, Const(place)))
    if isinstance(base, Named):
        return grid(lifter, base.path, lifter.eval(node.slice, env)) or base
    if isinstance(base, Growing):
        return lifter.active[-1].read_list(lifter, base, lifter.eval(node.slice, env))
    items = subscript_items(lifter, node.slice, env)
    if isinstance(base, Written):
        return read_array(written_by(lifter, base), lifter, base, items)
    if isinstance(base, Cell):
        same_cell(lifter, base, items)
        return base.value
    lifter.here(node)  # and not one of the places
    return lifter.ops.subscript(lifter.as_value(base), items)


def _option(lifter: Lifter, node: ast.Subscript) -> Value | None:
    """``options["rate"]`` and ``self.options["rate"]``, read as ``options.rate`` is."""
    word, of = item_word(node), node.value
    if word is None:
        return None
    if isinstance(of, ast.Name):
        stays = node.lineno < lifter.options.get((of.id, word), 0)
    elif isinstance(of, ast.Attribute) and is_name(of.value, "self"):
        stays = of.attr in held_options(lifter.module)
    else:
        stays = False
    if not stays:
        return None
    source = lifter.module.source(node)
    return lifter._leaf(source, source, "attribute")


def _part(lifter: Lifter, base: Iteration, items: Slice) -> Iteration:
    """All items from some place on, or all of them backwards; each one, or each second or k-th."""
    start, stride = (
        default if bound is None else extents.constant(lifter.as_size(bound))
        for bound, default in ((items.start, 0), (items.step, 1))
    )
    if stride is not None and stride < 0 and items.start is None:
        base, stride = base.backwards(), -stride
    if start is None or start < 0 or not stride or stride < 0 or items.stop is not None:
        raise Unsupported("a slice of an iteration")

    def element(step: Term) -> Obj:
        return base.element(extents.add(extents.mul(Const(stride), step), Const(start)))

    left = extents.sub(base.extent, Const(start))
    if stride > 1:
        left = extents.floordiv(extents.add(left, Const(stride - 1)), Const(stride))
    return Iteration(left, element)


def same_cell(lifter: Lifter, cell: Cell, items: list[object]) -> None:
    """Require a subscript to be the one that the loop updates. Raises ``Unsupported``."""
    if len(items) != len(cell.items) or not all(
        a == b
        if not (isinstance(a, Value) and isinstance(b, Value))
        else lifter.ops.element(a, ()) is lifter.ops.element(b, ())
        for a, b in zip(items, cell.items, strict=True)
    ):
        raise Unsupported(f"`{cell.name}` is read or written at two places")


def written_by(lifter: Lifter, array: Written) -> Loop:
    """The loop that writes ``array``."""
    for loop in reversed(lifter.active):
        if loop.arrays.get(array.name) is not None:
            return loop
    raise Unsupported(f"`{array.name}` is written by another loop")


def subscript_items(
    lifter: Lifter, node: ast.expr, env: Env, written: bool = False
) -> list[object]:
    """The items of a subscript, as ``Arrays.subscript`` takes them. Of what is ``written`` beside
    a range there is a place for each of the range."""
    nodes = node.elts if isinstance(node, ast.Tuple) else [node]
    if not isinstance(node, (ast.Tuple, ast.Slice)):
        whole = lifter.eval(node, env)
        if isinstance(whole, Sequence) and whole.kind == "tuple":
            return [_item(lifter, item) for item in whole.items]
        return [_item(lifter, whole)]
    found = [lifter.eval(part, env) for part in nodes]
    for part, obj in zip(nodes, found, strict=True):
        if isinstance(part, ast.Slice) and not isinstance(obj, Slice):
            raise Unsupported(f"`{ast.unparse(part)}` has bounds without notation")  # no place
    beside = 1 if written and any(map(_of_range, found)) else 0
    picked = len(found) > 1 and all(isinstance(obj, Value) for obj in found)
    unknown = [v for v in found if isinstance(v, Value) and lifter.ops.group_of(v) is not None]
    if written and picked and len(unknown) > 1:
        raise Unsupported("a write at places of which there may be several")
    # entries read along every axis are told one by one, however many there are
    picked = picked and not written
    return [_item(lifter, obj, beside, picked) for obj in found]


def _of_range(obj: Obj) -> bool:
    """Whether a subscript takes the places of a range in turn."""
    if isinstance(obj, Iteration):
        return True
    return isinstance(obj, Value) and len(obj.axes) == 1 and obj.body is obj.axes[0]


def chain_items(lifter: Lifter, parts: list[ast.expr], env: Env) -> list[object]:
    """The items of ``a[i][j]`` as those of ``a[i, j]``: each but the last must be one place."""
    items = subscript_items(lifter, ast.Tuple(parts, ast.Load()), env)
    for item in items[:-1]:
        if not isinstance(item, Value) or item.axes or item.dtype != "int":
            raise Unsupported("a part of an array that may be a copy")
    return items


def _item(lifter: Lifter, obj: Obj, axes: int = 0, picked: bool = False) -> object:
    """An item, of as many ``axes`` where that is not known; ``picked`` says that it takes entries
    together with others."""
    if isinstance(obj, Literal) and (obj.value is None or obj.value is Ellipsis):
        return obj.value
    if isinstance(obj, Slice):
        return tuple(
            None if bound is None else lifter.as_size(bound)
            for bound in (obj.start, obj.stop, obj.step)
        )
    if isinstance(obj, Sequence) and obj.kind == "list":
        items = [lifter.as_value(item) for item in obj.items]
        if not 0 < len(items) <= 64 or any(item.axes or item.dtype != "int" for item in items):
            raise Unsupported("a subscript by a list")
        return lifter.ops.listed(items)
    if isinstance(obj, Iteration):  # `x[range(n), places]`
        step = Index("i", obj.extent)
        place = lifter.as_value(obj.element(step))
        if place.axes or place.dtype != "int":
            raise Unsupported("a subscript by what can be walked")
        return lifter.ops.make((step,), lifter.ops.element(place, ()), "int64", None)
    value = lifter.as_value(obj)
    of_unknown = lifter.ops.group_of(value) is not None and not axes
    if of_unknown and value.library is not None and not picked:
        raise Unsupported("a subscript by an array with an unknown number of axes")
    if lifter.ops.group_of(value) is not None:
        said = "has 1 axis, as its use beside a range" if axes else "is an integer, as its use"
        lifter.ops.need_rank(value, axes, f"{lifter.ops.called(value)} {said} says")
    if value.dtype == "bool" and not value.axes:
        # of arrays it takes everything or nothing, along a new axis
        raise Unsupported("one truth value as a subscript")
    return value


def slice_of(lifter: Lifter, node: ast.Slice, env: Env) -> Obj:
    bounds = [
        None if bound is None else lifter.eval(bound, env)
        for bound in (node.lower, node.upper, node.step)
    ]
    known = [
        None
        if bound is None or (isinstance(bound, Literal) and bound.value is None)
        else lifter.as_value(bound)
        for bound in bounds
    ]
    return Slice(*known)


def _pick(lifter: Lifter, base: Sequence | Shape, at: Obj) -> Obj:
    if isinstance(at, Slice):
        bounds = [
            None if bound is None else extents.constant(lifter.ops.element(bound, ()))
            for bound in (at.start, at.stop)
        ]
        if at.step is None and not any(
            bound is not None and number is None
            for bound, number in zip((at.start, at.stop), bounds, strict=True)
        ):
            if isinstance(base, Sequence):
                return Sequence(lifter.counted(base.items)[bounds[0] : bounds[1]], base.kind)
            if base.start is None and base.stop is None:
                return Shape(base.value, bounds[0], bounds[1])
        raise Unsupported("a slice of a sequence with unknown bounds")
    number = extents.constant(lifter.ops.element(lifter.as_value(at), ()))
    if number is None:
        raise Unsupported("an item at an unknown place of a sequence")
    if isinstance(base, Sequence):
        ahead = number >= 0 and not any(isinstance(i, Spread) for i in base.items[: number + 1])
        items = base.items if ahead else lifter.counted(base.items)
        if not -len(items) <= number < len(items):
            raise Unsupported("an item outside a sequence")
        return items[number]
    if base.start is not None or base.stop is not None:
        sizes = lifter.extents_of(base)
        if not -len(sizes) <= number < len(sizes):
            raise Unsupported("an item outside a shape")
        return lifter.ops.scalar(sizes[number])
    return lifter.ops.scalar(lifter.ops.extent_at(base.value, number))


def _pick_collected(lifter: Lifter, base: Collected, node: ast.expr, env: Env) -> Obj:
    at = lifter.eval(node, env)
    if isinstance(at, Slice) and (part := _part_collected(lifter, base, at)) is not None:
        return part
    if isinstance(at, Value) and not at.axes and not base.prefix:
        place = lifter.as_size(at)
        number = extents.constant(place)
        n = base.step.extent
        if number is not None and number < 0:
            place = extents.add(n, place)
        step = extents.sub(extents.sub(n, ONE), place) if base.reverse else place
        return item_at(lifter, base, step)
    raise Unsupported("a subscript of a list built in a loop")


def _part_collected(lifter: Lifter, base: Collected, at: Slice) -> Collected | None:
    """The list backwards, or without the items that were there before the loop, or both."""
    whole = at.start is None and at.stop is None
    start, stop, stride = (
        None if bound is None else extents.constant(lifter.ops.element(bound, ()))
        for bound in (at.start, at.stop, at.step)
    )
    if at.step is not None and stride not in (1, -1):
        return None
    turned = base.backwards() if stride == -1 else base
    if whole:
        return turned
    before = len(base.prefix)
    if stride == -1:
        left = not base.reverse and at.start is None and stop == before - 1
    elif base.reverse:
        left = at.start is None and stop == -before
    else:
        left = at.stop is None and start == before
    return replace(turned, prefix=()) if left and before else None


def item_at(lifter: Lifter, base: Collected, step: Term) -> Value:
    """The item that a loop stored at ``step``."""
    axes = lifter.ops.fresh(base.axes)
    by: dict[Term, Term] = {base.step: step}
    by.update(zip(base.axes, axes, strict=True))
    return lifter.ops.make(axes, substitute(base.element, by), base.dtype, base.library)  # type: ignore[arg-type]
