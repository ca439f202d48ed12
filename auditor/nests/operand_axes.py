"""Operands of unknown axes, of which what they meet says how many they have."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from auditor.nests.parts import Part, Scope
from auditor.notation import Value

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions


def at_least(
    reading: Expressions,
    node: ast.expr,
    part: Part,
    most: int,
    known: Mapping[str, Value],
    scope: Scope,
) -> Part:
    """An operand of a sum with ``most`` axes, where all that says that it has fewer is what
    other places ask of it."""
    text = reading.region.module.source(node)
    value = reading.leaves.get(text)
    if value is None or text in known or not 0 < len(part.axes) < most:
        return part
    if value not in reading.guessed - reading.loose:
        return part
    _forget(reading, text)
    return reading.part(node, scope, most)


def as_row(
    reading: Expressions, node: ast.expr, part: Part, beside: Part, known: Mapping[str, Value]
) -> Part:
    """An array of unknown axes, beside a vector: it is one itreading."""
    text = reading.region.module.source(node)
    value = reading.leaves.get(text)
    if value is None or text in known or value not in reading.guessed:
        return part
    if part.axes or len(beside.axes) != 1 or not reading.is_array(node):
        return part
    del reading.leaves[text]
    reading.assumptions.remove(f"`{text}` is a number")
    row = reading.leaf(node, 0, 1)
    reading.fitted.discard(row)
    reading.loose.discard(row)
    return reading.array(row)


def as_bias(
    reading: Expressions,
    node: ast.expr,
    part: Part,
    beside: ast.expr,
    known: Mapping[str, Value],
    scope: Scope,
) -> Part:
    """``b[i]`` of an array of unknown axes that is added to a product of matrices: a row."""
    product = isinstance(beside, ast.BinOp) and isinstance(beside.op, ast.MatMult)
    if not product or part.axes or not isinstance(node, ast.Subscript):
        return part
    text = reading.region.module.source(node.value)
    value = reading.leaves.get(text)
    if value is None or text in known or value not in reading.guessed:
        return part
    _forget(reading, text)
    return reading.part(node, scope, 1)


def _forget(reading: Expressions, text: str) -> None:
    """Let an array be read anew, with what was said of its axes."""
    del reading.leaves[text]
    reading.assumptions[:] = [
        said for said in reading.assumptions if not said.startswith(f"`{text}` ")
    ]
