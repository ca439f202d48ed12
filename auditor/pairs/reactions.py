"""Sums over pairs of particles in which each pair can serve both: what acts on one acts on the
other the other way.

    for j in range(n):                       for j in range(i + 1, n):
        if i == j:                               pull = r / d**3
            continue                             force[i] += mass[j] * pull
        force[i] += mass[j] * r / d**3           force[j] -= mass[i] * pull
"""

from __future__ import annotations

import ast
import copy

from auditor.notation import Span
from auditor.pairs.loops import Pairs
from auditor.pairs.radial import NotRadial, radial
from auditor.surroundings.region import Region
from auditor.syntax import is_name, same
from auditor.verdict import Edit


def reactions(region: Region, pairs: Pairs) -> tuple[Edit, ...] | None:
    """The nest over half of the pairs; None where a pair does not turn its sign, up to a weight of
    the other particle, as its two are exchanged."""
    if len(pairs.sums) != 1 or pairs.kind not in ("all", "others") or pairs.row_sums or pairs.tests:
        return None
    (added,) = pairs.sums
    if added.part is not None:
        return None
    walks = pairs.inner.iter
    ranged = isinstance(walks, ast.Call) and is_name(walks.func, "range") and len(walks.args) == 1
    if not ranged or added.side != "rows" or added.start is not None:
        return None
    if not isinstance(pairs.outer.iter, ast.Call) or not same(walks, pairs.outer.iter):
        return None
    try:
        way = radial(region.module, pairs, added.value)
    except NotRadial:
        return None
    weights = way.factor.columns
    if way.factor.rows or len(weights) > 1:
        return None
    shared: ast.expr | None = added.value
    if weights:
        shared = _without(added.value, weights[0], pairs.column)
    statement = _statement(pairs, added.value)
    if shared is None or statement is None or not isinstance(walks, ast.Call):
        return None
    assert isinstance(statement.target, ast.Subscript)
    module = region.module
    name = region.free_name("pull")
    here = module.source(statement.target)
    there = ast.unparse(_At(pairs.row, pairs.column).visit(copy.deepcopy(statement.target)))
    other = "-" if added.sign == "+" else "+"
    indent = region.indent(statement)
    factors = [
        f"{weights[0]}[{place}] * " if weights else "" for place in (pairs.column, pairs.row)
    ]
    lines = (
        f"{name} = {ast.unparse(shared)}\n"
        f"{indent}{here} {added.sign}= {factors[0]}{name}\n"
        f"{indent}{there} {other}= {factors[1]}{name}"
    )
    begin = module.span(walks.args[0])
    start = Span(begin.line, begin.column, begin.line, begin.column)
    found = [Edit(start, f"{pairs.row} + 1, "), Edit(module.span(statement), lines)]
    first = pairs.inner.body[0]
    if isinstance(first, ast.If) and isinstance(first.body[0], ast.Continue):
        found.append(region.replace_lines(first, []))  # j is never i
    return tuple(found)


def _statement(pairs: Pairs, value: ast.expr) -> ast.AugAssign | None:
    """The statement that adds the value."""
    waiting: list[ast.stmt] = list(pairs.inner.body)
    for node in waiting:
        if isinstance(node, ast.AugAssign) and node.value is value:
            return node if isinstance(node.target, ast.Subscript) else None
        if isinstance(node, ast.If):
            waiting += node.body
    return None


def _without(value: ast.expr, array: str, place: str) -> ast.expr | None:
    """A product without its factor ``array[place]``; None where that is no factor of its own."""
    if not isinstance(value, ast.BinOp):
        return None
    for factor, rest in ((value.left, value.right), (value.right, value.left)):
        weight = isinstance(factor, ast.Subscript) and is_name(factor.slice, place)
        if weight and isinstance(value.op, ast.Mult) and isinstance(factor, ast.Subscript):
            if ast.unparse(factor.value) == array:
                return rest
    left = _without(value.left, array, place) if isinstance(value.op, (ast.Mult, ast.Div)) else None
    if left is not None:
        return ast.BinOp(left, value.op, value.right)
    right = _without(value.right, array, place) if isinstance(value.op, ast.Mult) else None
    return None if right is None else ast.BinOp(value.left, value.op, right)


class _At(ast.NodeTransformer):
    """The row's place as the column's."""

    def __init__(self, row: str, column: str) -> None:
        self.row, self.column = row, column

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.column, node.ctx) if node.id == self.row else node
