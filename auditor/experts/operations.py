"""What expressions are, given what their names are: places of a top-k, gates made of them, what
experts give, their products and sums."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.experts.calls import altered, called
from auditor.experts.composed import applied, multiplied
from auditor.experts.stacks import gated
from auditor.experts.subscripts import subscripted
from auditor.experts.values import (
    EMPTY,
    Array,
    Count,
    Expert,
    Experts,
    Filled,
    Gate,
    Gathered,
    Hit,
    Keyed,
    Last,
    Layout,
    Listed,
    Mixture,
    Outputs,
    Own,
    Pair,
    Place,
    Places,
    Plain,
    Routing,
    Rows,
    Slots,
    Taken,
    Thing,
    as_gate,
    axis_of,
    laid,
    mask_of_one,
    met,
    with_axis,
    without,
)
from auditor.syntax import constant, infinite, lowest, path_of
from auditor.tree import children

if TYPE_CHECKING:
    from auditor.experts.found import Names
    from auditor.experts.reading import Reader

_TRUTHS = (ast.Gt, ast.NotEq)


class Operations:
    """Evaluates expressions with the ``names`` that the reader knows at a place."""

    def __init__(self, reader: Reader, names: Names) -> None:
        self.reader, self.names = reader, names
        self.module = reader.module
        self.seen: dict[ast.expr, Thing] = {}

    def value(self, node: ast.expr) -> Thing:
        known = self.seen.get(node)
        if known is not None:
            return known
        made = self._made(node)
        if made is None:
            made = Plain(node, fresh=isinstance(node, ast.BinOp))
        kept = isinstance(node, ast.Name) or isinstance(made, (Place, Pair)) or made is EMPTY
        if made.node is None and not kept:
            made = replace(made, node=node)
        self.seen[node] = made
        return made

    def _made(self, node: ast.expr) -> Thing | None:
        if isinstance(node, ast.Name):
            found = self.names.get(node.id)
            if found is not None:
                self.reader.read_as[node] = found
            return found
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Subscript):
            return subscripted(self, node)
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.UnaryOp):
            inner = self.value(node.operand)
            if isinstance(node.op, ast.Invert) and isinstance(inner, Gate):
                return turned(inner, node)
            return None
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self.compared(node)
        if isinstance(node, (ast.List, ast.Tuple)) and not node.elts:
            return Listed(item=EMPTY)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return self._listed(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Constant) and constant(node) in (0, 0.0):
            return Filled()
        for below in children(node):
            if isinstance(below, ast.expr):
                self.value(below)
        return None

    def _attribute(self, node: ast.Attribute) -> Thing | None:
        base = self.value(node.value)
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            layers = self.reader.held.get(node.attr)
            kind = Experts if layers is None or layers.keys is None else Keyed
            return None if layers is None else kind(node, node.attr)
        if isinstance(base, Pair) and node.attr in ("values", "indices"):
            return base.values if node.attr == "values" else base.places
        if isinstance(base, Array) and node.attr in ("T", "mT") and len(base.layout) == 2:
            return laid(base, base.layout[::-1], node) if "T" not in base.layout else None
        return None

    # -- arithmetic

    def _binary(self, node: ast.BinOp) -> Thing | None:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.MatMult):
            return self.product(left, right)
        if isinstance(node.op, ast.Div) and isinstance(left, (Gate, Slots)):
            return self._kept(left, right, node)
        if isinstance(node.op, (ast.Mult, ast.BitAnd)):
            return self.times(left, right, node)
        return None

    def _kept(self, one: Gate | Slots, other: Thing, node: ast.expr) -> Thing | None:
        """A gate or weights times something else: zero where it was."""
        if isinstance(other, (Outputs, Listed, Expert)):
            return None
        if isinstance(other, Array) and met(one.layout, other.layout) != one.layout:
            return None
        return altered(one, node) if isinstance(one, Gate) else Slots(node, one.layout, one.places)

    def times(self, left: Thing, right: Thing, node: ast.expr) -> Thing | None:
        if isinstance(left, Outputs) and isinstance(right, Outputs):
            return gated(left, right) or multiplied(left, right, node)
        if isinstance(left, Own) or isinstance(right, Own):
            return self._own(left, right) or self._own(right, left)
        left, right = (as_gate(one, self.reader.leading, None) for one in (left, right))
        left, right = self._single(left, right), self._single(right, left)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, (Outputs, Gate)) and isinstance(other, Slots):
                if one.place is not None and isinstance(one, (Outputs, Gate)):
                    return self._weighed(one, other, node)
            if isinstance(one, Outputs) and isinstance(other, Slots):
                return self._shared(one, other)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Outputs) and isinstance(other, Gate):
                return self._weighted(one, other)
            if isinstance(one, Outputs) and isinstance(other, Taken):
                if one.hit is not other.hit or one.hit is None or one.routing is not None:
                    return None
                if other.layout != ("m", "1"):
                    return None
                routing = Routing(one.hit.places, other.base)
                return replace(one, routing=routing, node=None)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Hit) and one.weights is None and not isinstance(other, Gate):
                return self._hit(one, other, node)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Gate):
                if isinstance(other, (Gate, Plain)) and altered(one, node) is not None:
                    return self._kept(one, other, node)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Slots) and isinstance(other, (Slots, Plain, Filled)):
                return self._kept(one, other, node)
        return None

    def _own(self, one: Thing, weight: Thing) -> Thing | None:
        """What the expert of a step gives its token, times the weight of that."""
        if not isinstance(one, Outputs) or not isinstance(weight, Own) or one.own is None:
            return None
        picked = None if one.place is None else one.place.picked
        beside = weight.base
        if picked is None or one.routing is not None or weight.token is not one.own.token:
            return None
        if not isinstance(beside, Slots) or beside.places is not picked:
            return None
        if self.reader.picked(picked, weight.at) is not one.place:
            return None
        return replace(one, routing=Routing(picked, beside), node=None)

    def _single(self, one: Thing, other: Thing) -> Thing:
        """``(chosen == e) * weights`` of one place a token, as a column, where it meets what an
        expert gives or weights beside it."""
        if not isinstance(one, Hit) or one.place is None or not one.places.single:
            return one
        leading, weights = self.reader.leading, one.weights
        if one.layout != (*leading, "k") or not isinstance(other, Outputs):
            return one
        if weights is not None and not isinstance(weights, Slots):
            return one
        made = mask_of_one(one.places, one.place, (*leading, "1"), one.node, weights)
        return replace(made, routing=replace(made.how(), widened=one.widened))

    def _weighed(self, one: Outputs | Gate, weights: Slots, node: ast.expr) -> Thing | None:
        """The mask of one expert's tokens, or what it gives them, times one weight a token."""
        routing, leading = one.routing, self.reader.leading
        if routing is None or routing.weights is not None or routing.gate is not None:
            return None
        if isinstance(one, Mixture) or not routing.places.single:
            return None
        if weights.places is not routing.places and weights.places is not routing.places.origin:
            return None
        column = weights.layout == (*leading, "1") or weights.layout == (*leading, "k")
        if isinstance(one, Gate) and one.layout == leading == weights.layout:
            said: Thing | None = weights
        elif not column or (isinstance(one, Gate) and one.layout != (*leading, "1")):
            return None
        else:
            said = weights if weights.layout[-1] == "k" else self._flat(weights)
        if said is None:
            return None
        return replace(one, routing=replace(routing, weights=said), node=None)

    def _flat(self, weights: Slots) -> Thing | None:
        """The weights, one a token, that a column of them was made of."""
        node = weights.node
        inner = node.value if isinstance(node, ast.Subscript) else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            inner = node.func.value
        found = None if inner is None else self.value(inner)
        plain = isinstance(found, Slots) and found.layout in (
            self.reader.leading, (*self.reader.leading, "k")
        )  # fmt: skip
        return found if plain else None

    def _shared(self, one: Outputs, weights: Slots) -> Thing | None:
        """What the chosen experts give, times the weights beside their places."""
        routing = one.routing
        if isinstance(one, Mixture) or routing is None or one.layout[-2:] != ("k", "d"):
            return None
        if routing.weights is not None or routing.gate is not None:
            return None
        said = self.beside(weights)
        layout = (*self.reader.leading, "k", "1")
        if said is None or weights.layout != layout or weights.places is not routing.places:
            return None
        return replace(one, routing=replace(routing, weights=said), node=None)

    def _weighted(self, one: Outputs, gate: Gate) -> Thing | None:
        layout = met(one.layout, gate.layout)
        if layout is None or one.routing is not None or gate.turned or gate.rest != "zero":
            return None
        if gate.place is not one.place or isinstance(one, Mixture):
            return None
        return replace(one, layout=layout, routing=gate.how(), node=None)

    def _hit(self, hit: Hit, weights: Thing, node: ast.expr) -> Thing | None:
        if not isinstance(weights, (Slots, Plain)):
            return None
        if isinstance(weights, Slots):
            if met(hit.layout, weights.layout) != hit.layout:
                return None
        elif hit.place is None:
            return None  # laid out along the experts, of unknown axes
        said: Thing = weights
        if hit.place is None and isinstance(weights, Slots):
            # `w.unsqueeze(-1) * one_hot`: said without the new axis
            said = self.beside(weights) or EMPTY
            if said is EMPTY:
                return None
        return replace(hit, weights=said, node=node)

    def beside(self, weights: Slots) -> Thing | None:
        """The weights that a view with one more axis was made of."""
        node = weights.node
        inner: ast.expr | None = None
        if isinstance(node, ast.Subscript):
            inner = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            inner = node.func.value
        if inner is None:
            return None
        found = self.value(inner)
        plain = (*self.reader.leading, "k")
        return found if isinstance(found, Slots) and found.layout == plain else None

    def product(self, left: Thing, right: Thing) -> Thing | None:
        """``gates.unsqueeze(1) @ outputs``, ``outputs @ gates.unsqueeze(-1)``: of matrices."""
        if isinstance(left, Gate) and isinstance(right, Plain):
            plain = left.layout == (*self.reader.leading, "n") and left.rest == "zero"
            plain = plain and left.place is None and not left.turned and left.places.distinct
            return Gathered(None, left, right) if plain else None
        for gate, outputs, turned in ((left, right, False), (right, left, True)):
            if not isinstance(gate, Gate) or not isinstance(outputs, Outputs):
                continue
            if gate.place is not None or gate.turned or gate.rest != "zero":
                return None
            leading = self.reader.leading
            shapes = ((*leading, "1", "n"), (*leading, "n", "d"))
            if turned:
                shapes = ((*leading, "n", "1"), (*leading, "d", "n"))
            whole = outputs.place is None and outputs.routing is None
            if (gate.layout, outputs.layout) != shapes or not whole:
                return None
            layout = (*leading, "d", "1") if turned else (*leading, "1", "d")
            return self.mixed(outputs, layout, gate.how())
        return None

    def mixed(self, one: Outputs, layout: Layout, routing: Routing | None) -> Mixture:
        return Mixture(None, layout, one.tokens, one.of, None, routing, one.around,
                       stack=one.stack, composed=one.composed)  # fmt: skip

    def compared(self, node: ast.Compare) -> Thing | None:
        left, right = self.value(node.left), self.value(node.comparators[0])
        (op,) = node.ops
        zero = constant(node.comparators[0]) in (0, 0.0, False)
        if isinstance(left, Gate) and left.rest == "zero" and zero and not left.turned:
            # of a mask: where it is zero, a token did not choose the expert
            if isinstance(op, ast.Eq):
                return turned(left, node)
            return altered(left, node) if isinstance(op, _TRUTHS) else None
        if isinstance(left, Count) and zero and isinstance(op, _TRUTHS):
            return left
        last = right if isinstance(right, Last) and not right.flat else None
        if last is not None and last.scores is left and isinstance(op, (ast.Lt, ast.GtE)):
            layout = (*self.reader.leading, "n")
            return Gate(node, layout, last.places, turned=isinstance(op, ast.Lt), tied=True)
        if not isinstance(op, ast.Eq):
            return None
        for one, other in ((left, right), (right, left)):
            if isinstance(other, Place):
                places = one if isinstance(one, Places) else None
                if places is None and isinstance(one, Plain):
                    # places that something else chose: those of a token side by side
                    places = Places(one.node, (*self.reader.leading, "k"), of=one)
                    places = self.reader.supposed.setdefault(one, places)
                if places is not None and places.layout == (*self.reader.leading, "k"):
                    return Hit(node, places.layout, places, other)
                if places is not None and places.layout == self.reader.leading == ("t0",):
                    hit = Hit(node, places.layout, places, other)
                    return Rows(node, self.reader.mask(hit), "t0")
                if places is not None and places.layout == self.reader.leading and places.single:
                    return mask_of_one(places, other, places.layout, node)
        return None

    # -- lists

    def _listed(self, node: ast.ListComp | ast.GeneratorExp) -> Thing | None:
        """``[expert(x) for expert in self.experts]``."""
        if len(node.generators) != 1 or node.generators[0].ifs or node.generators[0].is_async:
            return None
        (each,) = node.generators
        inner = Operations(self.reader, dict(self.names))
        place = self.reader.step(each.target, each.iter, inner.names)
        if place is None:
            return None
        item = inner.value(node.elt)
        if not isinstance(item, Outputs) or item.place is not place:
            return None
        return Listed(node, item, place)

    def joined(self, node: ast.Call, listed: Thing, dim: object, new: bool) -> Thing | None:
        """What each expert gives, along an axis."""
        if not isinstance(listed, Listed) or not isinstance(listed.item, Outputs):
            return None
        layout = listed.item.layout
        if new:
            made = with_axis(layout, dim, "n")
        else:
            place = axis_of(layout, dim)
            if place is None or layout[place] != "1":
                return None
            made = (*layout[:place], "n", *layout[place + 1 :])
        if made is None:
            return None
        return replace(listed.item, layout=made, place=None, node=node)

    # -- calls

    def _call(self, node: ast.Call) -> Thing | None:
        function = node.func
        if isinstance(function, (ast.Name, ast.Subscript)):
            target = self.value(function)
            if isinstance(target, Expert) and len(node.args) == 1 and not node.keywords:
                tokens = self.value(node.args[0])
                if isinstance(tokens, Outputs):
                    return applied(target, tokens, node)
                if isinstance(tokens, (Listed, Expert, Place)):
                    return None
                around = self.reader.around
                if isinstance(tokens, Own) or target.place.picked is not None:
                    if not isinstance(tokens, Own) or not isinstance(tokens.base, Plain):
                        return None
                    if target.place.picked is None or tokens.at is not None:
                        return None
                    return Outputs(node, ("d",), tokens.base, target.of, target.place, None,
                                   around, own=tokens)  # fmt: skip
                if isinstance(tokens, Taken):
                    if tokens.layout != ("m", "d") or tokens.hit.place is not target.place:
                        return None
                    return Outputs(node, tokens.layout, tokens.base, target.of, target.place,
                                   None, around, tokens.hit)  # fmt: skip
                layout = self.reader.tokens
                return Outputs(node, layout, tokens, target.of, target.place, None, around)
        path = path_of(self.module, function)
        if path is not None:
            word = path.rpartition(".")[2]
            if path == "auditor.kernels.streaming_topk":
                word = "topk"  # which takes and gives what torch's does
            if path.startswith("torch.") or word == "topk":
                return called(self, node, word, list(node.args), method=False)
            self._arguments(node)
            return None
        if isinstance(function, ast.Attribute):
            if not (isinstance(function.value, ast.Name) and function.value.id == "self"):
                given = [function.value, *node.args]
                return called(self, node, function.attr, given, method=True)
        if isinstance(function, ast.Name) and function.id == "sum" and len(node.args) == 1:
            return self._summed(node)
        if isinstance(function, ast.Name) and function.id == "int" and len(node.args) == 1:
            number = self.value(node.args[0])
            return number if isinstance(number, Place) else None
        self._arguments(node)
        return None

    def _arguments(self, node: ast.Call) -> None:
        for given in (*node.args, *(word.value for word in node.keywords)):
            self.value(given)

    def _summed(self, node: ast.Call) -> Thing | None:
        """``sum(gates[..., e : e + 1] * expert(x) for e, expert in enumerate(self.experts))``"""
        listed = self.value(node.args[0])
        item = listed.item if isinstance(listed, Listed) else None
        if "sum" in self.module.bound or not isinstance(item, Outputs) or item.routing is None:
            return None
        return self.mixed(item, item.layout, item.routing)

    def low(self, node: ast.expr) -> str | None:
        """Whether a fill is minus infinity, or a finite number that stands for it, whose text is
        given then: beside what was chosen it is no weight at all."""
        if infinite(self.module, node) < 0:
            return ""
        number = constant(node)
        finite = isinstance(number, (int, float)) and number <= _VERY_LOW
        return ast.unparse(node) if finite or lowest(self.module, node) else None

    def sum_over(self, base: Array, place: int, kept: bool, node: ast.expr) -> Thing | None:
        """A sum along one axis."""
        label = base.layout[place]
        layout = without(base.layout, place)
        if kept:
            layout = (*base.layout[:place], "1", *base.layout[place + 1 :])
        if isinstance(base, Mixture):
            return None
        if isinstance(base, Outputs) and label in "nk" and base.routing is not None:
            return self.mixed(base, layout, base.routing)
        if isinstance(base, Hit) and label == "k":
            weights = base.weights
            if base.place is None and weights is None:
                if not base.places.distinct:
                    return None
                return Gate(node, layout, base.places)
            if weights is None:
                return None
            routing = Routing(base.places, weights, widened=base.widened)
            return Gate(node, layout, base.places, "zero", base.place, routing)
        return None


_VERY_LOW = -1e8


def turned(gate: Gate, node: ast.expr) -> Gate | None:
    """The mask of all other places."""
    if gate.turned:
        return None  # the mask itself, whose name or text says so better
    made = altered(gate, node)
    return None if made is None else replace(made, turned=True)
