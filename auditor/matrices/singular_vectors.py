"""Matrices put together again from the first few of their singular vectors."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.lift import Lifted
from auditor.lift.tables.decompositions import RANK
from auditor.notation import (
    Apply,
    Index,
    Read,
    Reduce,
    Span,
    Symbol,
    Term,
    Value,
    definition,
)
from auditor.tree import descendants

_FACTORED = re.compile(r"\bsvd(?:_lowrank)?\(")
_DEEPEST = 12
_PRODUCTS = ("matmul", "mm", "bmm", "dot", "linear", "einsum", "tensordot")
_COPIES = ("copy_", "copyto")


@dataclass(frozen=True)
class Truncated:
    """``matrix``, decomposed at ``span``, is put together as a whole from ``rank`` of its singular
    vectors."""

    span: Span
    matrix: str
    rank: str


def may_truncate(text: str) -> bool:
    """Whether a text may hold a decomposition into singular vectors."""
    return "svd" in text and _FACTORED.search(text) is not None


def truncated(lifted: Lifted, function: ast.FunctionDef) -> Truncated | None:
    """The first product of a few singular vectors that is kept, given back or multiplied."""
    values = lifted.lifter.values
    kept: set[Value] | None = None
    if "svd" not in lifted.module.text:
        return None
    nodes = [node for node in descendants(function) if isinstance(node, (ast.BinOp, ast.Call))]
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset, -_end(node))):
        value = values.get(node)
        found = _few_vectors(lifted, value) if isinstance(value, Value) else None
        if found is None or not isinstance(value, Value):
            continue
        kept = set(_kept(lifted, function)) if kept is None else kept
        if value in kept:
            return found
    return None


def _end(node: ast.expr) -> int:
    return node.end_col_offset or 0


def _few_vectors(lifted: Lifted, value: Value) -> Truncated | None:
    """The matrix that ``value`` is a sum of outer products of, of a few of the singular vectors of
    each side; None where it is no such sum, or of all of them."""
    if not isinstance(value.body, Reduce) or value.body.op != "sum" or len(value.axes) < 2:
        return None
    sides: dict[str, Read] = {}
    for read in _leaves(value.body):
        side = _side(read.value)
        if side is not None:
            if side in sides:
                return None
            sides[side] = read
    left, right = sides.get("U"), sides.get("V")
    if left is None or right is None or left.value.made is None or right.value.made is None:
        return None
    matrix = left.value.made[1]
    if matrix is not right.value.made[1] or not _crossed(left, right, value.axes):
        return None
    thin = "thin" in left.value.made[0]
    ranks = [_rank(lifted, read, thin) for read in (left, right)]
    if None in ranks or ranks[0] != ranks[1] or left.value.span is None:
        return None
    return Truncated(left.value.span, matrix.name, str(ranks[0]))


def _side(value: Value) -> str | None:
    """U or V, where a value is one of the two factors of a decomposition."""
    if value.made is None or not value.made[0].startswith("svd"):
        return None
    letter = value.made[0].rpartition(" ")[2][0]
    return letter if letter in "UV" else None


def _leaves(term: Term, depth: int = 0) -> Iterator[Read]:
    """The arrays that a term is made of, at the subscripts that it reads them at."""
    if isinstance(term, Read):
        inner = definition(term) if depth < _DEEPEST else None
        if inner is None:
            yield term
        else:
            yield from _leaves(inner, depth + 1)
    elif isinstance(term, Reduce):
        if term.op == "sum":
            yield from _leaves(term.body, depth)
    elif isinstance(term, Apply):
        for arg in term.args:
            yield from _leaves(arg, depth)


def _crossed(left: Read, right: Read, axes: tuple[Index, ...]) -> bool:
    """Whether rows of one and columns of the other are the rows and columns of a result."""
    given = [[sub for sub in read.subs[-2:] if sub in axes] for read in (left, right)]
    return [len(one) for one in given] == [1, 1] and given[0] != given[1]


def _rank(lifted: Lifted, read: Read, thin: bool) -> str | None:
    """How many of the vectors are summed over; None where these are all, or not the first."""
    turned = _side(read.value) == "V" and "Vh" in (read.value.made or ("",))[0]
    turned = turned and "True Vh" not in str((read.value.made or ("",))[0])
    place = -2 if turned else -1  # counted from the end: a broadcast read has more in front
    sub, extent = read.subs[place], lifted.facts.extent
    if not isinstance(sub, Index):
        return None
    used, all_of_them = extent(sub.extent), extent(read.value.axes[place].extent)
    if not thin and (used is all_of_them or _whole(used)):
        return None
    return str(used)


def _whole(extent: Term) -> bool:
    """Whether an extent is the size of an array, or the smaller of two."""
    if isinstance(extent, Apply) and extent.op in ("min", "max"):
        return all(map(_whole, extent.args))
    return isinstance(extent, Symbol) and (".shape" in extent.name or extent.name.startswith(RANK))


# -- what becomes of it


def _kept(lifted: Lifted, function: ast.FunctionDef) -> Iterator[Value]:
    """The values that are given back, put away, or multiplied as matrices."""
    values = lifted.lifter.values
    for node in descendants(function):
        for part in (*_put_away(node), *_multiplied(node)):
            yield from _same(values.get(part))


def _multiplied(node: ast.AST) -> Iterator[ast.expr]:
    """The factors of a product of matrices."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield from (node.left, node.right)
    elif isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in _PRODUCTS:
            yield from (node.args if len(node.args) > 1 else [*node.args, _receiver(node)])


def _receiver(node: ast.Call) -> ast.expr:
    return node.func.value if isinstance(node.func, ast.Attribute) else node.func


def _put_away(node: ast.AST) -> Iterator[ast.expr]:
    """What a statement gives back or stores into something else than a name."""
    if isinstance(node, ast.Return) and node.value is not None:
        yield from node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    elif isinstance(node, ast.Assign) and not any(isinstance(t, ast.Name) for t in node.targets):
        value = node.value
        wrapped = isinstance(value, ast.Call) and ast.unparse(value.func).endswith("Parameter")
        yield value.args[0] if wrapped and isinstance(value, ast.Call) and value.args else value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in _COPIES and node.args:
            yield node.args[-1]


def _same(made: object) -> Iterator[Value]:
    """A value and those of which it is a view or a conversion."""
    at = made if isinstance(made, Value) else None
    while at is not None:
        yield at
        body = at.body
        while isinstance(body, Apply) and body.op.startswith("cast:"):
            (body,) = body.args
        at = body.value if isinstance(body, Read) else None
