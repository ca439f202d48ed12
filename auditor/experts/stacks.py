"""Experts that are slices of arrays: products of all tokens with one matrix for each expert.

einsum("td,ndh->tnh", x, w)         every expert on every token
einsum("tnh,nho->tno", hidden, v)   the second product of each
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.experts.values import Gate, Layout, Matrices, Mixture, Outputs, Plain, Stack, Thing

if TYPE_CHECKING:
    from auditor.experts.operands import Called

ACTIVATIONS = frozenset("relu gelu silu tanh sigmoid softplus elu selu mish relu6".split())


def stacked(call: Called, words: list[str], things: list[Thing], right: str) -> Thing | None:
    """An ``einsum`` of what is known, as experts, or None. ``...`` is written as a dot."""
    gates = [at for at, thing in enumerate(things) if isinstance(thing, Gate)]
    if len(things) == 3 and len(gates) == 1:
        return _mixed(call, words, things, right, gates[0])
    if len(things) != 2 or gates:
        return None
    for one, other in ((0, 1), (1, 0)):
        tokens, weights = things[one], things[other]
        if not isinstance(weights, Plain):
            continue
        if isinstance(tokens, Outputs):
            return _second(call, tokens, words[one], weights, words[other], right)
        found = _first(call, tokens, words[one], weights, words[other])
        if found is not None and isinstance(tokens, Plain):
            layout, letters, matrices = found
            means = dict(zip(letters, layout, strict=True))
            if sorted(right) == sorted(letters):
                return Outputs(call.node, tuple(means[c] for c in right), tokens,
                               around=call.operations.reader.around, stack=Stack(None, matrices),
                               )  # fmt: skip
    return None


def _first(
    call: Called, tokens: Thing, word: str, weights: Thing, other: str
) -> tuple[Layout, str, Matrices] | None:
    """Tokens times the matrices of all experts: the axes of it with their letters, and those."""
    leading = call.leading
    if len(word) != len(leading) + 1 or (leading == ("T",)) != word.startswith("."):
        return None
    lead, width = word[:-1], word[-1]
    if len(set(word)) != len(word) or "." in lead[1:] or len(other) != 3 or len(set(other)) != 3:
        return None
    if width not in other[1:] or set(lead) & set(other) or "." in other:
        return None
    out = other[2] if other[1] == width else other[1]
    matrices = Matrices(None, weights, other[2] == width)
    return (*leading, "n", "d"), lead + other[0] + out, matrices


def _second(
    call: Called, hidden: Outputs, word: str, weights: Thing, other: str, right: str
) -> Thing | None:
    """What all experts hold times their second matrices."""
    stack = hidden.stack
    if stack is None or stack.last is not None or not stack.activation:
        return None
    if isinstance(hidden, Mixture) or hidden.routing is not None:
        return None
    if len(word) != len(hidden.layout) or len(other) != 3 or len(set(word)) != len(word):
        return None
    if any((c == ".") != (label == "T") for c, label in zip(word, hidden.layout, strict=True)):
        return None
    letters = dict(zip(hidden.layout, word, strict=True))
    if sorted(hidden.layout) != sorted((*call.leading, "n", "d")):
        return None
    expert, width = letters["n"], letters["d"]
    if other[0] != expert or width not in other[1:] or len(set(other)) != 3:
        return None
    out = other[2] if other[1] == width else other[1]
    if out in word or sorted(right) != sorted(word.replace(width, out)):
        return None
    means = {c: label for label, c in letters.items() if c != width} | {out: "d"}
    last = Matrices(None, weights, other[2] == width)
    return replace(hidden, layout=tuple(means[c] for c in right), node=call.node,
                   stack=replace(stack, last=last))  # fmt: skip


def _mixed(
    call: Called, words: list[str], things: list[Thing], right: str, at: int
) -> Thing | None:
    """Tokens, matrices and a gate in one ``einsum``, summed over the experts."""
    gate, word = things[at], words[at]
    rest = [place for place in range(3) if place != at]
    for one, other in (rest, rest[::-1]):
        tokens, weights = things[one], things[other]
        if not isinstance(tokens, Plain) or not isinstance(weights, Plain):
            return None
        found = _first(call, tokens, words[one], weights, words[other])
        if found is None:
            continue
        layout, letters, matrices = found
        lead, expert, out = letters[:-2], letters[-2], letters[-1]
        assert isinstance(gate, Gate)
        plain = gate.layout == (*call.leading, "n") and gate.place is None
        if not plain or gate.turned or gate.rest != "zero":
            return None
        if word != lead + expert or sorted(right) != sorted(lead + out):
            return None
        means = dict(zip(lead + out, (*call.leading, "d"), strict=True))
        made = Outputs(call.node, layout, tokens, around=call.operations.reader.around,
                       stack=Stack(None, matrices))  # fmt: skip
        return call.operations.mixed(made, tuple(means[c] for c in right), gate.how())
    return None


def activated(call: Called, base: Outputs) -> Thing | None:
    """A pointwise function of what the experts hold between both products."""
    stack = base.stack
    if stack is None or stack.last is not None or stack.activation or base.routing is not None:
        return None
    if call.word not in ACTIVATIONS or len(call.given) != 1 or call.node.keywords:
        return None
    if call.method:
        named = (n for n, p in call.operations.module.names.items() if p == "torch")
        torch = next(named, None)
        if torch is None or call.word not in ("relu", "tanh", "sigmoid"):
            return None
        said = f"{torch}.{call.word}"
    else:
        said = call.operations.module.source(call.node.func)
    return replace(base, node=call.node, stack=replace(stack, activation=said))


def gated(left: Outputs, right: Outputs) -> Thing | None:
    """``silu(x G) * (x A)``, in any order."""
    for one, other in ((left, right), (right, left)):
        gate, first = one.stack, other.stack
        if gate is None or first is None or not gate.activation or first.activation:
            continue
        alone = (gate.last, gate.gate, first.last, first.gate) == (None,) * 4
        same = one.tokens is other.tokens and one.layout == other.layout
        if alone and same and one.routing is other.routing is None:
            made = Stack(None, first.first, None, gate.first, gate.activation)
            return replace(one, node=None, stack=made)
    return None
