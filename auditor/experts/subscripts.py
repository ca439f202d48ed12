"""What subscripts take: one expert's column of a gate, the tokens of an expert, what all experts
give for their tokens, modules of lists and dictionaries."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.arrays.facts import size_of
from auditor.experts.layers import numbered
from auditor.experts.values import (
    EMPTY,
    Alone,
    Array,
    Expert,
    Experts,
    Gate,
    Hit,
    Key,
    Keyed,
    Last,
    Layout,
    Mixture,
    Order,
    Outputs,
    Own,
    Pair,
    Place,
    Places,
    Plain,
    Routing,
    Rows,
    Slot,
    Slots,
    Taken,
    Tally,
    Thing,
    Token,
    as_gate,
    laid,
)
from auditor.syntax import constant, is_dots, is_whole, path_of
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.experts.operations import Operations


def subscripted(operations: Operations, node: ast.Subscript) -> Thing | None:
    base = operations.value(node.value)
    items = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if len(operations.reader.leading) == 1 and isinstance(base, (Plain, Places, Slots, Own)):
        own = _own(operations, base, items, node)
        if own is not None:
            return own
    if isinstance(base, Experts) and len(items) == 1:
        place = operations.value(items[0])
        if isinstance(place, Place) and operations.reader.covers(place, base.attribute):
            return Expert(node, place, base.attribute)
        return None
    if isinstance(base, Keyed) and len(items) == 1:
        at = _place_of(operations, items[0], base)
        return None if at is None else Expert(node, at, base.attribute)
    if isinstance(base, Tally) and len(items) == 1:
        place = operations.value(items[0])
        if not isinstance(place, Place) or not base.count:
            return None
        alike = operations.reader.counts(place) == base.count
        return replace(base, place=place, node=node) if alike else None
    if isinstance(base, Pair) and len(items) == 1:
        number = constant(items[0])
        return base.values if number == 0 else base.places if number == 1 else None
    if isinstance(base, Alone) and constant(items[-1]) == 0:
        whole = base.column and len(items) == 2 and is_whole(items[0])
        return base.item if whole or (not base.column and len(items) == 1) else None
    if isinstance(base, Place) and len(items) == 1 and constant(items[0]) == 0:
        return base  # of an index with one element
    if isinstance(base, Taken) and base.layout == ("m",) and len(items) == 2:
        if constant(items[1]) is None and (is_dots(items[0]) or is_whole(items[0])):
            return replace(base, layout=("m", "1"), node=node)
    if isinstance(base, Slots) and base.of is not None and _last_of_each(base, items):
        return Last(node, base.of, base.places)
    if isinstance(base, Slots) and base.of is not None and constant(items[-1]) == -1:
        if _all_before(base, items[:-1]):
            return Last(node, base.of, base.places, flat=True)
    if isinstance(base, Order):
        leading = operations.reader.leading
        first = _first_of_each(items, len(leading) if "T" not in leading else None)
        return Places(node, (*leading, "k"), True, scores=base.scores) if first else None
    taken = _taken(operations, base, items, node) or _of_each(operations, base, items, node)
    if taken is not None:
        return taken
    if any(constant(item) is None for item in items):
        base = as_gate(base, operations.reader.leading, node)
    if isinstance(base, Array):
        return _items(operations, base, items, node)
    return None


def _own(
    operations: Operations, base: Thing, items: list[ast.expr], node: ast.expr
) -> Thing | None:
    """``x[t]``, ``places[t, j]``, ``weights[t][j]``: what the token of a step has."""
    first, *rest = (operations.value(item) for item in items)
    if isinstance(base, Own) and base.at is None and not rest:
        token, rest, base = base.token, [first], base.base
    elif isinstance(first, Token) and len(rest) < 2 and not isinstance(base, Own):
        token = first
    else:
        return None
    at = rest[0] if rest else None
    if at is not None and not isinstance(at, Slot):
        return None
    leading = operations.reader.leading
    layout = leading if at is None else (*leading, "k")
    if isinstance(base, Places) and base.layout == layout:
        whole = at is None or (at.count is not None and base.k is not None)
        return operations.reader.picked(base, at) if whole else None
    fits = not isinstance(base, Array) or base.layout in (layout, (*leading, "k"))
    return Own(node, base, token, at) if fits else None


def _place_of(operations: Operations, key: ast.expr, base: Keyed) -> Place | None:
    """The number of the module that a dictionary has under a key."""
    found = operations.value(key)
    if isinstance(found, Key):
        return found.place if found.of == base.attribute else None
    for name in everything_in(key):
        if not isinstance(name, ast.Name):
            continue
        place = operations.value(name)
        if isinstance(place, Place) and operations.reader.covers(place, base.attribute):
            alike = numbered(key, name) == operations.reader.held[base.attribute].keys
            return place if alike else None
    return None


def picked(
    operations: Operations, one: Outputs, places: Places, layout: Layout, node: ast.expr
) -> Outputs | None:
    """Of what all experts give, that of those at ``places``, laid out as ``layout``."""
    leading = operations.reader.leading
    whole = one.place is None and one.routing is None and one.hit is None
    if not whole or isinstance(one, Mixture) or one.layout != (*leading, "n", "d"):
        return None
    if not places.distinct or places.layout != layout:
        return None
    if layout == leading:
        return operations.mixed(one, operations.reader.tokens, Routing(places))
    plain = places.origin or places
    if plain.layout != (*leading, "k"):
        return None
    routing = Routing(plain, width=places.width)
    return replace(one, layout=(*leading, "k", "d"), routing=routing, node=node)


def _of_each(
    operations: Operations, base: Thing, items: list[ast.expr], node: ast.expr
) -> Thing | None:
    """``outputs[torch.arange(len(x)), places]``, or the other way round where the experts come
    first: of each token what its expert gives."""
    leading = operations.reader.leading
    if not isinstance(base, Outputs) or len(items) != 2 or len(leading) != 1:
        return None
    if base.layout[:2] == ("n", *leading):
        base, items = replace(base, layout=(*leading, "n", *base.layout[2:])), items[::-1]
    places = operations.value(items[1])
    if not isinstance(places, Places) or not _all_tokens(operations, items[0], base):
        return None
    return picked(operations, base, places, leading, node)


def _all_tokens(operations: Operations, node: ast.expr, base: Outputs) -> bool:
    """Whether an expression is ``torch.arange`` over all tokens."""
    if not isinstance(node, ast.Call) or path_of(operations.module, node.func) != "torch.arange":
        return False
    if len(node.args) != 1 or any(word.arg != "device" for word in node.keywords):
        return False
    count = node.args[0]
    unpacked = operations.value(count).node if isinstance(count, ast.Name) else None
    counted = size_of(unpacked or count)
    held = operations.value(counted) if counted is not None else None
    if isinstance(counted, ast.Name) and unpacked is not None:
        held = operations.reader.read_as.get(counted)  # what it was when it was unpacked
    return held is base.tokens or (isinstance(held, Array) and held.layout[:1] == ("t0",))


def _beside(
    operations: Operations, base: Thing, items: list[ast.expr], node: ast.expr
) -> Thing | None:
    """``weights[chosen == e]``, ``share[mask]``: one weight for each token of an expert."""
    at = operations.value(items[0])
    if isinstance(base, (Slots, Plain)) and isinstance(at, Hit) and at.place is not None:
        if at.weights is None and at.places.distinct and at.layout == (
            *operations.reader.leading, "k"
        ):  # fmt: skip
            return Taken(node, base, operations.reader.mask(at), ("m",))
    if isinstance(base, Gate) and isinstance(at, Rows) and base.routing is not None:
        routing, hit = base.routing, at.hit
        own = base.place is hit.place and routing.places is hit.places
        masked = operations.reader.masks.get((hit.places, hit.place or EMPTY)) is hit
        if own and masked and routing.weights is not None and not routing.widened:
            layout = {1: ("m",), 2: ("m", "1")}.get(len(base.layout))
            if layout is not None and base.layout[0] == "t0":
                return Taken(node, routing.weights, hit, layout)
    return None


def _taken(
    operations: Operations, base: Thing, items: list[ast.expr], node: ast.expr
) -> Thing | None:
    """``x[tokens]``, ``weights[tokens, places, None]``: what one expert is given."""
    if len(items) == 1 and len(operations.reader.leading) == 1:
        beside = _beside(operations, base, items, node)
        if beside is not None:
            return beside
    if len(operations.reader.leading) != 1 or not isinstance(base, (Plain, Slots)):
        return None
    found = [operations.value(item) for item in items]
    rows = [each for each in found if isinstance(each, Rows)]
    if not rows or len({id(row.hit) for row in rows}) != 1:
        return None
    labels = [row.label for row in rows]
    hit = rows[0].hit
    if labels == ["t0"] and isinstance(base, Slots) and base.layout == operations.reader.leading:
        return Taken(node, base, hit, ("m",)) if len(items) == 1 else None
    if labels == ["t0"] and isinstance(base, Plain):
        if len(items) == 1:
            return Taken(node, base, hit, ("m", "d"))
        if len(items) == 2 and constant(items[0]) is None:
            return Taken(node, base, hit, ("1", "m", "d"))
        return None
    if labels == ["t0", "k"] and isinstance(found[0], Rows) and isinstance(found[1], Rows):
        rest = items[2:]
        if not rest:
            return Taken(node, base, hit, ("m",))
        if len(rest) == 1 and constant(rest[0]) is None:
            return Taken(node, base, hit, ("m", "1"))
    return None


def _items(
    operations: Operations, base: Array, items: list[ast.expr], node: ast.expr
) -> Thing | None:
    """``gates[..., e]``, ``gates[:, e : e + 1]``, ``gates[..., None]``."""
    dots = [p for p, item in enumerate(items) if is_dots(item)]
    news = sum(constant(item) is None for item in items)
    count = len(items) - news - len(dots)
    layout = base.layout
    if len(dots) > 1 or count > len(layout) or ("T" in layout and not dots and count):
        if not (len(dots) == 0 and "T" in layout and layout.index("T") >= count):
            return None
    first = items[: dots[0]] if dots else items
    last = items[dots[0] + 1 :] if dots else []
    place: Place | None = None
    made: list[str] = []
    at = 0
    for item in first:
        if constant(item) is None:
            made.append("1")
            continue
        label, found = _item(operations, layout[at], item)
        if label is None:
            return None
        made += [label] if label else []
        place, at = found or place, at + 1
    tail: list[str] = []
    end = len(layout)
    for item in reversed(last):
        if constant(item) is None:
            tail.insert(0, "1")
            continue
        end -= 1
        if end < at:
            return None
        label, found = _item(operations, layout[end], item)
        if label is None:
            return None
        tail[0:0] = [label] if label else []
        place = found or place
    whole = (*made, *layout[at:end], *tail)
    if place is None:
        return laid(base, whole, node)
    if isinstance(base, Hit) and base.place is None and base.weights is None:
        return replace(base, layout=whole, node=node, place=place)
    if isinstance(base, Gate) and base.place is None:
        return replace(base, layout=whole, node=node, place=place, routing=base.how())
    return None


def _item(operations: Operations, label: str, item: ast.expr) -> tuple[str | None, Place | None]:
    """The axis that is left of one with a subscript; the expert that it takes."""
    if isinstance(item, ast.Slice):
        if item.lower is None and item.upper is None and item.step is None:
            return label, None
        place = operations.value(item.lower) if item.lower is not None else None
        if label == "n" and isinstance(place, Place) and _next(operations, item, place):
            return "1", place
        return None, None
    place = operations.value(item)
    return ("", place) if label == "n" and isinstance(place, Place) else (None, None)


def _next(operations: Operations, item: ast.Slice, place: Place) -> bool:
    upper = item.upper
    return (
        item.step is None
        and isinstance(upper, ast.BinOp)
        and isinstance(upper.op, ast.Add)
        and operations.value(upper.left) is place
        and constant(upper.right) == 1
    )


def _first_of_each(items: list[ast.expr], before: int | None) -> bool:
    """``[..., :k]``, or ``[:, :k]`` with so many axes before."""
    *rest, last = items
    few = isinstance(last, ast.Slice) and last.lower is None and last.step is None
    if not few or not isinstance(last, ast.Slice) or last.upper is None:
        return False
    number = constant(last.upper)
    if isinstance(number, int) and number < 1:
        return False
    dots = len(rest) == 1 and is_dots(rest[0])
    return dots or (len(rest) == before and all(map(is_whole, rest)))


def _last_one(node: ast.expr) -> bool:
    """``-1:``, or the list that holds -1 alone."""
    if isinstance(node, ast.List):
        return len(node.elts) == 1 and constant(node.elts[0]) == -1
    if not isinstance(node, ast.Slice) or node.upper is not None or node.step is not None:
        return False
    return constant(node.lower) == -1


def _last_of_each(base: Slots, items: list[ast.expr]) -> bool:
    """``[..., -1:]``, ``[..., -1, None]``, ``[:, -1:]``: the last of the best, as a column."""
    if len(items) > 2 and constant(items[-1]) is None and constant(items[-2]) == -1:
        before = items[:-2]
    elif items and _last_one(items[-1]):
        before = items[:-1]
    else:
        return False
    return _all_before(base, before)


def _all_before(base: Slots, before: list[ast.expr]) -> bool:
    """``[...,``, or ``[:,`` with as many axes as there are before the last."""
    if len(before) == 1 and is_dots(before[0]):
        return True
    whole = "T" not in base.layout and len(before) == len(base.layout) - 1
    return whole and all(map(is_whole, before))
