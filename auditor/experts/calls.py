"""What functions of torch and methods of arrays make of the values of a mixture of experts."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from auditor.experts import views
from auditor.experts.composed import passed
from auditor.experts.operands import Called
from auditor.experts.stacks import activated, stacked
from auditor.experts.subscripts import picked
from auditor.experts.values import (
    GATHERED,
    Alone,
    Array,
    Count,
    Experts,
    Filled,
    Flat,
    Gate,
    Hit,
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
    Rows,
    Slots,
    Tally,
    Thing,
    as_gate,
    axis_of,
)
from auditor.syntax import constant, path_of

if TYPE_CHECKING:
    from auditor.experts.operations import Operations


def called(
    operations: Operations, node: ast.Call, word: str, given: list[ast.expr], method: bool
) -> Thing | None:
    """The value of a call of torch, or of a method."""
    if any(isinstance(each, ast.Starred) for each in given):
        return None
    bare = word.rstrip("_")
    if bare != word and method:
        held = operations.value(given[0])
        if isinstance(given[0], ast.Name) and isinstance(held, Gate):
            return held  # written by the statement already
    for each in (*given, *(k.value for k in node.keywords)):
        operations.value(each)
    call = Called(operations, node, bare, given, method)
    handler = _HANDLERS.get(bare)
    return None if handler is None else handler(call)


def altered(gate: Gate, node: ast.expr) -> Gate | None:
    """Another gate that is zero where this one is."""
    whole = gate.places.distinct and gate.place is None
    if not whole or gate.turned or gate.rest != "zero":
        return None
    return replace(gate, node=node, routing=None, said=())


def _is_last(call: Called, dim: object) -> bool:
    """Whether a dimension of an array over tokens and experts is the last."""
    layout = (*call.leading, "n")
    return axis_of(layout, dim) == len(layout) - 1


def _topk(call: Called) -> Thing | None:
    if not _is_last(call, call.dim(2, -1)) or "cut" in call.words:
        return None
    largest = call.argument(3, "largest")
    scores = call.thing(0, "input") if largest is None and "sorted" not in call.words else None
    k = call.argument(1, "k")
    return _chosen(call, (*call.leading, "k"), scores, constant(k) == 1, k)


def _chosen(
    call: Called, layout: Layout, scores: Thing | None = None, single: bool = False,
    k: ast.expr | None = None,
) -> Thing:  # fmt: skip
    places = Places(None, layout, True, single, scores=call.thing(0, "input"), k=k)
    return Pair(call.node, Slots(None, layout, places, scores), places)


def _extremum(call: Called) -> Thing | None:
    """``max(dim=-1)`` gives values and places, ``argmax(dim=-1)`` places."""
    if not _is_last(call, call.dim()):
        return None
    if isinstance(call.thing(0), Slots):
        return None  # the best of the best
    layout = (*call.leading, "k") if call.flag(2, "keepdim") else call.leading
    if call.word == "argmax":
        return Places(call.node, layout, True, True)
    return _chosen(call, layout, None, True)


def _least(call: Called) -> Thing | None:
    """``best.min(dim=-1, keepdim=True)``, ``amin``: the least of the k best."""
    base = call.thing(0)
    if not isinstance(base, Slots) or base.of is None or base.layout[-1] != "k":
        return None
    if axis_of(base.layout, call.dim()) != len(base.layout) - 1:
        return None
    last = Last(call.node, base.of, base.places, flat=not call.flag(2, "keepdim"))
    return last if call.word == "amin" else Pair(call.node, last, Thing())


def _ordered(call: Called) -> Thing | None:
    """``scores.argsort(dim=-1, descending=True)``"""
    falling = call.argument(2, "descending")
    if falling is None or constant(falling) is not True or "stable" in call.words:
        return None
    return Order(call.node, call.thing(0, "input")) if _is_last(call, call.dim(1, -1)) else None


def _zeros(call: Called) -> Thing:
    return Filled(call.node, 0.0)


def _ones(call: Called) -> Thing:
    return Filled(call.node, 1.0)


def _full(call: Called) -> Thing | None:
    fill = call.argument(1, "fill_value")
    if call.word == "new_full":
        fill = call.argument(2, "fill_value")
    if fill is None:
        return None
    low = call.operations.low(fill)
    if low is not None:
        return Filled(call.node, float("-inf"), low)
    return Filled(call.node, 0.0) if constant(fill) in (0, 0.0, False) else None


def _scatter(call: Called) -> Thing | None:
    base, places = call.thing(0, "input"), call.thing(2, "index")
    if not isinstance(base, Filled) or not isinstance(places, Places):
        return None
    if not {*call.words} <= {"dim", "index", "src", "value"} or len(call.given) > 4:
        return None  # ``reduce``
    layout = (*call.leading, "n")
    if places.layout != (*call.leading, "k") or not _is_last(call, call.dim()):
        return None
    if not places.distinct:
        return None
    given = call.thing(3, "src", "value")
    if base.number == 1:
        written = call.argument(3, "src", "value")
        if written is None or constant(written) not in (0, False):
            return None
        return Gate(call.node, layout, places, turned=True)
    alike = isinstance(given, Slots) and given.layout == places.layout
    said = ((given, ""),) if alike and given is not None else ()
    rest: Literal["zero", "low"] = "zero" if base.number == 0 else "low"
    return Gate(call.node, layout, places, rest, said=said, low=base.low)


def _one_hot(call: Called) -> Thing | None:
    places = call.thing(0)
    if isinstance(places, Plain) and len(call.leading) == 1:
        # as the rest has to say
        supposed = Places(places.node, (*call.leading, "k"), of=places)
        places = call.operations.reader.supposed.setdefault(places, supposed)
    if not isinstance(places, Places):
        return None
    layout = (*places.layout, "n")
    if places.layout == call.leading:
        return Gate(call.node, layout, places)
    return Hit(call.node, layout, places, count=call.argument(1, "num_classes"))


def _masked_fill(call: Called) -> Thing | None:
    """``scores.masked_fill(~chosen, -inf)``."""
    mask, fill = call.thing(1, "mask"), call.argument(2, "value")
    if isinstance(mask, Gate) and mask.turned and fill is not None:
        return _elsewhere(call, mask, fill, call.thing(0, "input"))
    return None


def _rows(call: Called) -> Thing | None:
    """``torch.where(chosen == e)``, ``chosen.nonzero(as_tuple=True)``: places along each axis. Of
    a mask of tokens there is one, which ``nonzero`` gives as a column."""
    hit = call.thing(0)
    if isinstance(hit, Rows):
        column = call.word == "nonzero" and not call.flag(9, "as_tuple")
        made = replace(hit, listed=True, node=None)
        return None if hit.listed else Alone(call.node, made, column)
    if isinstance(hit, Count) and call.word == "nonzero" and not call.node.keywords:
        return replace(hit, chosen=True)
    if not isinstance(hit, Hit) or hit.place is None or hit.weights is not None:
        return None
    if call.word == "nonzero" and not call.flag(9, "as_tuple"):
        return None
    if sorted(hit.layout) != ["k", "t0"]:
        return None
    first, second = (Rows(None, hit, label, listed=True) for label in hit.layout)
    return Pair(call.node, first, second)


def _any(call: Called) -> Thing | None:
    """``(chosen == e).any(dim=-1)``: the tokens that chose an expert."""
    hit = call.thing(0)
    if not isinstance(hit, Hit) or hit.place is None or hit.weights is not None:
        return None
    place = axis_of(hit.layout, call.dim())
    if place is None or hit.layout[place] != "k" or call.flag(2, "keepdim"):
        return None
    reader = call.operations.reader
    return Rows(call.node, reader.mask(hit), "t0") if len(reader.leading) == 1 else None


def _greater(call: Called) -> Thing | None:
    base, other = call.thing(0), call.argument(1, "other")
    return base if isinstance(base, Count) and constant(other) == 0 else None


def _tally(call: Called) -> Thing | None:
    """``chosen.flatten().bincount(minlength=n)``"""
    base, least = call.thing(0, "input"), call.argument(2, "minlength")
    holder = call.operations.reader.holder
    if not isinstance(base, Flat) or least is None or holder is None or len(call.given) != 1:
        return None
    return Tally(call.node, base.places, holder.number(least))


def _modules(call: Called) -> Thing | None:
    """The modules of a dictionary, or its keys and modules."""
    base = call.thing(0)
    if not isinstance(base, Keyed) or base.items or len(call.given) != 1:
        return None
    made = Keyed(call.node, base.attribute, items=True)
    return made if call.word == "items" else Experts(call.node, base.attribute)


def _equal(call: Called) -> Thing | None:
    """``chosen.eq(e)``"""
    if len(call.given) != 2:
        return None
    left, right = call.given
    said = ast.copy_location(ast.Compare(left, [ast.Eq()], [right]), call.node)
    return call.operations.compared(said)


def _item(call: Called) -> Thing | None:
    base = call.thing(0)
    return base if isinstance(base, Place) else None


def _where(call: Called) -> Thing | None:
    if len(call.given) == 1 and not call.method:
        return _rows(call)
    if len(call.given) != 3:
        return None
    mask, then, otherwise = (call.operations.value(each) for each in call.given)
    nothing = isinstance(otherwise, Filled) and otherwise.number == 0
    weighed = _factors(call, call.given[1]) if nothing and isinstance(mask, (Hit, Gate)) else None
    if weighed is not None:
        weight, made = weighed
        share = call.operations.times(mask, weight, call.node)
        return None if share is None else call.operations.times(share, made, call.node)
    if isinstance(mask, (Gate, Rows)) and isinstance(then, Outputs):
        return call.operations.times(mask, then, call.node) if nothing else None
    if isinstance(mask, Gate):
        fill, kept = call.given[1:] if mask.turned else call.given[:0:-1]
        return _elsewhere(call, mask, fill, call.operations.value(kept))
    if isinstance(mask, Hit) and nothing and mask.weights is None:
        return call.operations.times(mask, then, call.node)
    return None


def _factors(call: Called, node: ast.expr) -> tuple[Thing, Outputs] | None:
    """What an expert gives and the weight that it is multiplied with first: where a mask is zero,
    either may be."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return None
    left, right = call.operations.value(node.left), call.operations.value(node.right)
    for weight, made in ((left, right), (right, left)):
        if isinstance(made, Outputs) and made.routing is None and isinstance(weight, Slots):
            return weight, made
    return None


def _elsewhere(call: Called, mask: Gate, fill: ast.expr, kept: Thing) -> Thing | None:
    """What is ``kept`` where a mask holds, and a number elsewhere."""
    if mask.place is not None or mask.rest != "zero":
        return None
    held = call.operations.value(fill)
    number = held.number if isinstance(held, Filled) else None
    low = held.low if isinstance(held, Filled) else call.operations.low(fill)
    if number is None and low is not None:
        number = float("-inf")
    if number not in (0.0, float("-inf")):
        return None
    if not mask.places.distinct:
        return None
    rest: Literal["zero", "low"] = "zero" if number == 0.0 else "low"
    alike = isinstance(kept, Array) and kept.layout == mask.layout
    alike = alike or kept is mask.places.scores
    said = ((kept, GATHERED),) if alike else ()
    return replace(
        mask, rest=rest, turned=False, node=call.node, routing=None, said=said, low=low or ""
    )


def _softmax(call: Called) -> Thing | None:
    base = call.thing(0)
    if not isinstance(base, Array) or axis_of(base.layout, call.dim()) != len(base.layout) - 1:
        return None
    if isinstance(base, Gate) and base.rest == "low" and not base.turned and base.place is None:
        said: tuple[tuple[Thing, str], ...] = ()
        if set(call.words) <= {"dim"} and len(call.given) <= 2:
            # the others are exp(-inf), so that these are shares of their own sum
            ways = (*base.said, (base, GATHERED))
            said = tuple((thing, f"{done}.softmax(dim=-1)") for thing, done in ways)
        return replace(base, rest="zero", node=call.node, routing=None, said=said)
    return Slots(call.node, base.layout, base.places) if isinstance(base, Slots) else None


def _pointwise(call: Called) -> Thing | None:
    base = call.thing(0)
    if isinstance(base, Outputs):
        return passed(call, base) if base.stack is None else activated(call, base)
    if isinstance(base, Slots):
        return Slots(call.node, base.layout, base.places)
    keeps = call.word in ("relu", "tanh", "bool", "abs")
    if isinstance(base, Gate) and base.turned and call.word == "bool":
        return replace(base, node=call.node)
    return altered(base, call.node) if isinstance(base, Gate) and keeps else None


def _same(call: Called) -> Thing | None:
    """A conversion: another value of the same meaning."""
    base = call.thing(0)
    if isinstance(base, Rows):
        made = as_gate(base, call.leading, call.node)
        return _widened(call, made) if isinstance(made, Gate) else None
    if isinstance(base, Outputs) and base.hit is not None and call.word in ("to", "type_as"):
        return replace(base, node=call.node)
    if isinstance(base, Gate):
        if base.turned or base.rest == "low":
            return replace(base, node=call.node, said=())
        if base.place is not None and base.how().weights is None and base.how().gate is None:
            return replace(_widened(call, base), node=call.node)
        return altered(base, call.node)
    if isinstance(base, Hit):
        wide = _wide(call)
        if base.weights is not None and wide:
            return None
        return replace(base, node=call.node, widened=base.widened or wide)
    kept = isinstance(base, (Places, Slots, Filled, Tally))
    return replace(base, node=call.node) if kept else None


def _told(call: Called) -> Thing | None:
    """Numbers of tokens as a list, or where the CPU reads them."""
    base = call.thing(0)
    return base if isinstance(base, (Tally, Own)) else None


def _wide(call: Called) -> bool:
    """Whether a conversion is to a type that the code names."""
    to = call.argument(1, "dtype", "other")
    return call.word in ("float", "double") or (
        to is not None and (path_of(call.operations.module, to) or "").startswith("torch.")
    )


def _widened(call: Called, gate: Gate) -> Gate:
    """A mask of one expert's tokens, converted."""
    routing = gate.how()
    return replace(gate, routing=replace(routing, widened=routing.widened or _wide(call)))


def _gather(call: Called) -> Thing | None:
    """``outputs.gather(1, places.unsqueeze(-1).expand(-1, -1, size))``: what the experts that a
    token chose give."""
    base, places = call.thing(0, "input"), call.thing(2, "index")
    if not isinstance(base, Outputs) or not isinstance(places, Places):
        return None
    if axis_of(base.layout, call.dim()) != len(call.leading) or "sparse_grad" in call.words:
        return None
    return picked(call.operations, base, places, (*call.leading, "k", "d"), call.node)


def _along(call: Called) -> Thing | None:
    """``torch.take_along_dim(outputs, places.unsqueeze(-1), dim=1)``, which repeats the places."""
    base, places = call.thing(0, "input"), call.thing(1, "indices")
    if not isinstance(base, Outputs) or not isinstance(places, Places):
        return None
    if axis_of(base.layout, call.dim(2)) != len(call.leading):
        return None
    return picked(call.operations, base, places, (*call.leading, "k", "1"), call.node)


def _sum(call: Called) -> Thing | None:
    base = call.thing(0)
    if not isinstance(base, Array):
        return None
    if isinstance(base, Hit) and base.place is None and base.layout == ("n", "k", "t0"):
        dims = call.argument(1, "dim", "axis")
        if isinstance(dims, (ast.Tuple, ast.List)):
            both = {constant(each) for each in dims.elts}
            if both in ({-1, -2}, {1, 2}) and not call.flag(2, "keepdim"):
                return Count(call.node, base)
    place = axis_of(base.layout, call.dim())
    kept = call.flag(2, "keepdim")
    if place is None or any(k.arg == "dtype" for k in call.node.keywords):
        return None
    if isinstance(base, Slots):
        # what it is divided by: nothing is said of it
        return None
    return call.operations.sum_over(base, place, kept, call.node)


def _stack(call: Called) -> Thing | None:
    return call.operations.joined(call.node, call.thing(0, "tensors"), call.dim(1, 0), True)


def _cat(call: Called) -> Thing | None:
    return call.operations.joined(call.node, call.thing(0, "tensors"), call.dim(1, 0), False)


def _multiplied(call: Called) -> Thing | None:
    if len(call.given) != 2:
        return None
    return call.operations.times(call.thing(0), call.thing(1), call.node)


def _matrices(call: Called) -> Thing | None:
    if len(call.given) != 2:
        return None
    return call.operations.product(call.thing(0), call.thing(1))


def _einsum(call: Called) -> Thing | None:
    """``einsum("bn,bnd->bd", gates, outputs)``."""
    spec = constant(call.given[0]) if call.given else None
    if not isinstance(spec, str) or "->" not in spec or not 3 <= len(call.given) <= 4:
        return None
    left, _, right = spec.replace(" ", "").replace("...", ".").partition("->")
    words = left.split(",")
    things = [call.thing(place) for place in range(1, len(call.given))]
    if len(words) != len(things):
        return None
    made = stacked(call, words, things, right)
    if made is not None or len(words) != 2:
        return made
    if isinstance(things[0], Gate) and isinstance(things[1], Plain):
        first, second = words
        batch = first[:-2]
        plain = len(set(first + second[-1:])) == len(first) + 1 and len(first) > 1
        if (
            plain
            and second[:-1] in (batch + first[-1], first[-1])
            and right == (batch + first[-2] + second[-1])
        ):
            if second[:-1] == batch + first[-1] and len(first) == len(things[0].layout):
                return call.operations.product(*things)
        return None
    means: dict[str, str] = {}
    for word, thing in zip(words, things, strict=True):
        if not isinstance(thing, (Gate, Outputs)) or len(word) != len(thing.layout):
            return None
        for letter, label in zip(word, thing.layout, strict=True):
            if means.setdefault(letter, label) != label or (letter == ".") != (label == "T"):
                return None
    if len(set(means.values())) != len(means) or "1" in means.values():
        return None
    outputs = next((t for t in things if isinstance(t, Outputs)), None)
    gate = next((t for t in things if isinstance(t, Gate)), None)
    if outputs is None or gate is None or set(means.values()) != {*call.leading, "n", "d"}:
        return None
    whole = outputs.place is None and outputs.routing is None and gate.place is None
    if not whole or isinstance(outputs, Mixture) or gate.turned or gate.rest != "zero":
        return None
    if any(letter not in means for letter in right) or "n" in (means[c] for c in right):
        return None
    layout = tuple(means[letter] for letter in right)
    if sorted(layout) != sorted((*call.leading, "d")):
        return None
    return call.operations.mixed(outputs, layout, gate.how())


def _fresh(call: Called) -> Thing:
    return Plain(call.node, fresh=True)


_HANDLERS: dict[str, Callable[[Called], Thing | None]] = {
    "topk": _topk, "argsort": _ordered, "max": _extremum, "argmax": _extremum,
    "min": _least, "amin": _least,
    "zeros_like": _zeros, "zeros": _zeros, "new_zeros": _zeros,
    "full_like": _full, "full": _full, "new_full": _full,
    "scatter": _scatter, "scatter_add": _scatter, "one_hot": _one_hot,
    "masked_fill": _masked_fill, "where": _where, "nonzero": _rows, "any": _any,
    "greater": _greater, "gt": _greater,
    "values": _modules, "items": _modules,
    "bincount": _tally, "tolist": _told, "cpu": _told, "numpy": _told,
    "reshape": views.flattened, "view": views.flattened, "flatten": views.flattened,
    "item": _item, "eq": _equal,
    "softmax": _softmax,
    "gelu": _pointwise, "silu": _pointwise, "softplus": _pointwise, "elu": _pointwise,
    "selu": _pointwise, "mish": _pointwise, "relu6": _pointwise,
    "sigmoid": _pointwise, "relu": _pointwise, "exp": _pointwise, "tanh": _pointwise,
    "to": _same, "float": _same, "half": _same, "double": _same, "bfloat16": _same,
    "type_as": _same, "contiguous": _same, "long": _same, "int": _same,
    "clone": _same,
    "bool": _pointwise, "abs": _pointwise, "unsqueeze": views.unsqueeze, "squeeze": views.squeeze,
    "expand": views.expanded, "repeat": views.expanded, "gather": _gather,
    "take_along_dim": _along,
    "transpose": views.transpose, "permute": views.permute, "sum": _sum,
    "stack": _stack, "cat": _cat, "concat": _cat, "unbind": views.columns, "split": views.columns,
    "mul": _multiplied, "multiply": _multiplied, "bmm": _matrices, "matmul": _matrices,
    "einsum": _einsum, "ones_like": _ones, "ones": _ones, "new_ones": _ones, "empty_like": _fresh,
}  # fmt: skip
