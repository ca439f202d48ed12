"""What is large in a function, by sizes that the code states: arrays that pointwise operations
pass over, attention over long sequences."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.arrays.stated_layers import without_gradients
from auditor.lift import Lifted, extents
from auditor.lift.module import Module
from auditor.lift.offered import offered_sizes
from auditor.notation import Apply, Const, Read, Symbol, Term, Value, transform, walk
from auditor.syntax import path_of
from auditor.tree import descendants

_SIZES = "offered sizes"
ATTENDS = "scaled_dot_product_attention"


@dataclass(frozen=True)
class Attention:
    """A call that attends from each of ``queries`` places to each of ``keys``."""

    node: ast.Call
    queries: int
    keys: int


@dataclass(frozen=True)
class Chain:
    """Pointwise operations one on the result of the other, over arrays of so many elements."""

    node: ast.expr
    passes: int
    elements: int


# -- sizes of examples


def offered(lifted: Lifted) -> dict[str, int]:
    """The sizes that the file measures a function with (``offered_sizes``), by the names of
    extents; none where it says nothing of it."""
    if _SIZES not in lifted.once:
        node, found = lifted.node, dict[str, int]()
        if isinstance(node, ast.FunctionDef):
            found = offered_sizes(lifted.module, node, lifted.lifter.klass)
        lifted.once[_SIZES] = found
    kept: dict[str, int] = lifted.once[_SIZES]
    return kept


def measured(lifted: Lifted, extent: Term) -> Term:
    """An extent, as long as it is in what the file measures with."""
    extent, sizes = lifted.facts.extent(extent), offered(lifted)
    if not sizes:
        return extent

    def size(node: Term) -> Term:
        known = None if isinstance(node, (Apply, Const)) else sizes.get(str(node))
        return node if known is None else Const(known)

    return extents.canonical(transform(extent, size))


# -- attention


def may_attend(module: Module) -> bool:
    text = module.text
    return ATTENDS in text and ("no_grad" in text or "inference_mode" in text)


def attends(module: Module, function: ast.FunctionDef) -> list[ast.Call]:
    """Calls of torch's attention where no gradient is wanted, without a mask or dropout."""
    return [
        node
        for part in without_gradients(module, function)
        for node in descendants(part)
        if isinstance(node, ast.Call)
        and path_of(module, node.func) == f"torch.nn.functional.{ATTENDS}"
        and len(node.args) == 3
        and {word.arg for word in node.keywords} <= {"scale"}
    ]


def long_attention(lifted: Lifted, function: ast.FunctionDef, least: int) -> Attention | None:
    """The first attention over so many places or more, by stated sizes."""
    for node in attends(lifted.module, function):
        lengths = [_length(lifted, arg) for arg in node.args[:2]]
        queries, keys = lengths
        if queries is not None and keys is not None and min(queries, keys) >= least:
            return Attention(node, queries, keys)
    return None


def _length(lifted: Lifted, node: ast.expr) -> int | None:
    value = lifted.lifter.values.get(node)
    if not isinstance(value, Value) or len(value.axes) < 2:
        return None
    return _number(value.axes[-2].extent)


def _number(extent: Term) -> int | None:
    if isinstance(extent, Const) and isinstance(extent.value, int):
        return extent.value
    return None


# -- pointwise operations


def may_chain(module: Module) -> bool:
    """Whether the file says what its functions are given, and compiles nothing itself."""
    return "get_inputs" in module.text and "compile(" not in module.text


def chain(lifted: Lifted, function: ast.FunctionDef, least: int, passes: int) -> Chain | None:
    """The longest chain of at least so many pointwise operations of torch over at least so many
    elements."""
    offered = offered_sizes(lifted.module, function, lifted.lifter.klass)
    depths: dict[Value, int] = {}
    best: Chain | None = None
    for node in descendants(function) if offered else ():
        value = lifted.lifter.values.get(node) if isinstance(node, ast.expr) else None
        if not isinstance(value, Value) or not isinstance(node, (ast.BinOp, ast.Call)):
            continue
        elements = _elements(lifted, value, offered)
        if elements is None or elements < least:
            continue
        count = _depth(lifted, value, elements, offered, depths)
        if count >= passes and (best is None or count > best.passes):
            best = Chain(node, count, elements)
    return best


def _depth(
    lifted: Lifted,
    value: Value,
    elements: int,
    offered: dict[str, int],
    depths: dict[Value, int],
) -> int:
    """How many pointwise operations over so many elements end in a value, one on the other."""
    if value not in depths:
        depths[value] = 0  # of a value that is made of itself
        if isinstance(value.body, Apply) and _elements(lifted, value, offered) == elements:
            read = {node.value for node in walk(value.body) if isinstance(node, Read)}
            inner = (_depth(lifted, each, elements, offered, depths) for each in read)
            depths[value] = 1 + max(inner, default=0)
    return depths[value]


def _elements(lifted: Lifted, value: Value, offered: dict[str, int]) -> int | None:
    """The number of elements of a pointwise result, where all sizes are stated."""
    body = value.body
    if not isinstance(body, Apply) or not value.axes or body.op.startswith("cast:"):
        return None
    total = 1
    for axis in value.axes:
        extent = lifted.facts.extent(axis.extent)
        size = offered.get(extent.name) if isinstance(extent, Symbol) else _number(extent)
        if size is None:
            return None
        total *= size
    return total
