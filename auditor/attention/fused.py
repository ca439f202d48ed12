"""Calls of torch's own attention that are given a mask."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass

from auditor.algebra.softmax import Opened
from auditor.attention.reading import Added, Attention, Filled, Score
from auditor.lift.facts import Facts
from auditor.lift.module import Module
from auditor.notation import ONE, ZERO, Const, Index, Read, Value
from auditor.rewrite import Site
from auditor.syntax import constant, path_of
from auditor.tree import everything_in

_OPERANDS = ("query", "key", "value")


@dataclass(frozen=True)
class MaskedCall:
    """``arguments`` are those of the call but the mask, as code, and ``reads`` what they read;
    ``as_long`` where the code shows a row of the mask for each query, a column for each key."""

    found: Attention
    mask: list[Value]
    arguments: list[str]
    reads: frozenset[str]
    as_long: bool


def attends_with_mask(module: Module, node: ast.expr) -> bool:
    """Whether an expression calls torch's attention with a mask."""
    if not isinstance(node, ast.Call):
        return False
    path = path_of(module, node.func)
    if path != "torch.nn.functional.scaled_dot_product_attention":
        return False
    return len(node.args) > 3 or any(word.arg == "attn_mask" for word in node.keywords)


def masked_call(site: Site, call: ast.Call) -> MaskedCall | None:
    """The parts of such a call; None where it drops weights, or the mask is no matrix that the code
    makes."""
    lifted = site.lifted
    if not attends_with_mask(lifted.module, call) or len(call.args) > 4:
        return None
    words = {word.arg: word.value for word in call.keywords}
    if None in words or any(isinstance(arg, ast.Starred) for arg in call.args):
        return None
    if constant(words.pop("dropout_p", ast.Constant(0.0))) not in (0, 0.0):
        return None
    if constant(words.pop("is_causal", ast.Constant(False))) is not False:
        return None
    node = call.args[3] if len(call.args) > 3 else words.pop("attn_mask")
    mask, values = lifted.lifter.values.get(node), lifted.lifter.values
    given = [call.args[n] if n < len(call.args) else words.get(name)
             for n, name in enumerate(_OPERANDS)]  # fmt: skip
    if not isinstance(mask, Value) or mask.body is None or None in given:
        return None
    if len(mask.axes) != 2 or any(axis.group for axis in mask.axes) or mask.dtype is None:
        return None
    rows, columns = mask.axes
    whole = Read(mask, mask.axes)
    masked = Filled(whole, False, Const(-math.inf), False) if mask.dtype == "bool" else Added(whole)
    score = Score(ZERO, ZERO, Index("d", ONE), (), (masked,))
    found = Attention(score, ZERO, rows, columns, Index("e", ONE), (), Opened())
    lengths = [values.get(part) for part in given[:2] if part is not None]
    long = all(_as_long(lifted.facts, one, axis)
               for one, axis in zip(lengths, mask.axes, strict=True))  # fmt: skip
    source = lifted.module.source
    rest = [f"{name}={source(word)}" for name, word in words.items()]
    read = frozenset(
        inner.id
        for part in (*call.args[:3], *words.values())
        for inner in everything_in(part)
        if isinstance(inner, ast.Name)
    )
    return MaskedCall(found, [mask], [*map(source, call.args[:3]), *rest], read, long)


def _as_long(facts: Facts, value: object, axis: Index) -> bool:
    """Whether an array certainly has as many rows as an axis."""
    if not isinstance(value, Value) or len(value.axes) < 2 or value.axes[-2].group:
        return False
    return facts.extent(value.axes[-2].extent) is facts.extent(axis.extent)
