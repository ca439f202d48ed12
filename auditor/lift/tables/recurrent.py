"""The cells of torch.nn (``RNNCell``, ``GRUCell``, ``LSTMCell``): one step of a recurrence.

What a cell multiplies with is known to it alone: its products are reductions that have no algebra
but a name, as those of a linear layer. The gates around them are what its documentation says.
"""

from __future__ import annotations

from auditor.lift.arrays import Unsupported
from auditor.lift.calls import Call, Meaning
from auditor.lift.objects import Instance, Obj, Sequence
from auditor.notation import Apply, Index, Reduce, Value


class _Cell:
    """The parts of a cell that is called within a loop."""

    def __init__(self, c: Call) -> None:
        layer = c.obj("layer")
        assert isinstance(layer, Instance)
        if not c.lifter.active:
            raise Unsupported("a cell outside of a loop")
        if not c.has("hx"):
            raise Unsupported("a cell that begins by itself")
        self.c, self.name = c, layer.name
        self.given = c.value("input")

    def gate(self, function: str, name: str, state: Value) -> Value:
        """A function of the sum of the two products."""
        return self.c.ops.pointwise(function, self.sum(name, state))

    def sum(self, name: str, state: Value) -> Value:
        return self.c.ops.pointwise(
            "add",
            self.product(f"i{name}", self.given, state),
            self.product(f"h{name}", state, state),
        )

    def product(self, name: str, value: Value, state: Value) -> Value:
        """A product with the cell's weights, as wide as the state."""
        c = self.c
        c.ops.need_tail(value, 1)
        inner = c.ops.fresh(value.axes)
        out = Index("o", state.axes[-1].extent)
        mixed = Apply("call:at", (c.ops.element(value, inner), out))
        body = Reduce(f"call:{self.name}.{name}", inner[-1], mixed)
        return c.ops.make((*inner[:-1], out), body, value.dtype, "torch")

    def product_of(self, *values: Value) -> Value:
        return self.c.ops.pointwise("mul", *values)

    def state(self) -> Value:
        value = self.c.value("hx")
        self.c.ops.need_tail(value, 1)
        return value


def rnn_cell(c: Call) -> Obj:
    cell = _Cell(c)
    layer = c.obj("layer")
    assert isinstance(layer, Instance)
    if len(layer.args) > 3 or "nonlinearity" in layer.keywords:
        raise Unsupported("a cell of another function")
    return cell.gate("tanh", "h", cell.state())


def gru_cell(c: Call) -> Obj:
    """``h' = (1 - z) n + z h`` with gates r and z, and n of a product of r and the state."""
    cell = _Cell(c)
    h = cell.state()
    r, z = cell.gate("sigmoid", "r", h), cell.gate("sigmoid", "z", h)
    reset = cell.product_of(r, cell.product("hn", h, h))
    n = c.ops.pointwise("tanh", c.ops.pointwise("add", cell.product("in", cell.given, h), reset))
    kept = c.ops.pointwise("sub", c.ops.number(1), z)
    return c.ops.pointwise("add", cell.product_of(kept, n), cell.product_of(z, h))


def lstm_cell(c: Call) -> Obj:
    """``c' = f c + i g`` and ``h' = o tanh(c')``, all gates of the state h."""
    cell = _Cell(c)
    both = c.obj("hx")
    if not isinstance(both, Sequence) or len(both.items) != 2:
        raise Unsupported("a state that is no pair")
    h, kept = (c.lifter.as_value(item) for item in both.items)
    c.ops.need_tail(h, 1)
    i, f, o = (cell.gate("sigmoid", name, h) for name in "ifo")
    g = cell.gate("tanh", "g", h)
    new = c.ops.pointwise("add", cell.product_of(f, kept), cell.product_of(i, g))
    return Sequence((cell.product_of(o, c.ops.pointwise("tanh", new)), new), "tuple")


_CELL = "layer, input, hx=None"
CELLS = {
    "torch.nn.RNNCell": Meaning(_CELL, rnn_cell),
    "torch.nn.GRUCell": Meaning(_CELL, gru_cell),
    "torch.nn.LSTMCell": Meaning(_CELL, lstm_cell),
}
