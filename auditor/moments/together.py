"""The mean and the spread of the same entries, taken within one statement or two of a block between
which the array stays what it is, and not the whole of these: both are named before."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from auditor.again.places import (
    begins_line,
    certainly_evaluated,
    comes_first,
    line_before,
    new_name,
)
from auditor.algebra.normal import equal
from auditor.expressions.region import ExpressionRegion, Text
from auditor.lift.bound import stored_in
from auditor.lift.call_effects import Does, does
from auditor.moments.standardised import Moments
from auditor.moments.variances import Reduced, Variance, array_at, axes_of, reduced_by
from auditor.notation import Span, Value, substitute
from auditor.tree import everything_in
from auditor.verdict import Edit

_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)


def named_before(
    region: ExpressionRegion, found: Variance, x: Text, call: str
) -> tuple[list[Edit], tuple[Span, ...]] | None:
    """The edits that put ``mean, std = welford(...)`` before the first of the two statements, and
    the places of the means; None where no mean is taken beside the spread."""
    statement = region.statement
    if not isinstance(statement, _SIMPLE):
        return None
    if not certainly_evaluated(region, region.node, statement):
        return None
    for other, later in _beside(region, statement, x):
        means = [node for node in _means(region, found, other)
                 if certainly_evaluated(region, node, other)]  # fmt: skip
        if means:
            made = _named(region, found, call, means, other, later)
            if made is not None:
                return made
    return None


def _beside(
    region: ExpressionRegion, statement: ast.stmt, x: Text
) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements of the block from which on, or up to which, the array stays what it is, the
    nearest first, and whether each comes later."""
    siblings = region.siblings(statement)
    yield statement, False
    if statement not in siblings:
        return
    place = siblings.index(statement)
    for near in reversed(siblings[:place]):
        if not isinstance(near, _SIMPLE) or not stored_in(near).isdisjoint(x.reads):
            break
        yield near, False
        if not _computes(region, near):
            break
    for before, after in pairwise(siblings[place:]):
        if not _computes(region, before) or not stored_in(before).isdisjoint(x.reads):
            break
        if isinstance(after, _SIMPLE):
            yield after, True


def _computes(region: ExpressionRegion, statement: ast.stmt) -> bool:
    """Whether a statement does nothing but name what it computes."""
    return (
        isinstance(statement, ast.Assign)
        and all(isinstance(target, ast.Name) for target in statement.targets)
        and not region.effects_in(statement)
    )


def _named(
    region: ExpressionRegion,
    found: Variance,
    call: str,
    means: list[ast.expr],
    other: ast.stmt,
    later: bool,
) -> tuple[list[Edit], tuple[Span, ...]] | None:
    """The edits where ``other`` takes the means, in the statement itself, before it or later."""
    statement, spread = region.statement, region.node
    first = statement if later else other
    taken = [spread] if later else means if other is not statement else [*means, spread]
    last = max(taken, key=lambda node: (node.lineno, node.col_offset))
    if not comes_first(region, last, first) or not begins_line(region, first):
        return None
    if later and not comes_first(region, max(means, key=lambda node: node.lineno), other):
        return None
    spans = tuple(region.module.span(node) for node in means)
    name = _name_alone(other, means) if other is not statement else None
    if name is not None and later and _mentioned(region, name, statement, other):
        return None
    word = "std" if found.root else "variance"
    spread_name = new_name(region.lifted, word, (word, means[0]))
    mean_name = name or new_name(region.lifted, "mean", ("mean", means[0]))
    line = f"{mean_name}, {spread_name} = {call}"
    edits = [Edit(region.without_brackets(spread), spread_name)]
    if name is None:
        edits += [line_before(region, first, line)]
        edits += [Edit(region.without_brackets(node), mean_name) for node in means]
    elif later:
        edits += [line_before(region, first, line), region.drop(other)]
    else:
        edits += [region.replace_lines(other, [line])]
    return edits, spans


def _name_alone(statement: ast.stmt, means: list[ast.expr]) -> str | None:
    """The name that a statement gives to the mean, which is all that it does."""
    if not isinstance(statement, ast.Assign) or statement.value not in means:
        return None
    target = statement.targets[0]
    alone = len(statement.targets) == 1 and isinstance(target, ast.Name)
    return target.id if alone and isinstance(target, ast.Name) else None


def _mentioned(region: ExpressionRegion, name: str, statement: ast.stmt, other: ast.stmt) -> bool:
    """Whether statements from ``statement`` on, before ``other``, speak of ``name``."""
    siblings = region.siblings(statement)
    between = siblings[siblings.index(statement) : siblings.index(other)]
    return any(
        isinstance(node, ast.Name) and node.id == name
        for one in between
        for node in everything_in(one)
    )


def _means(region: ExpressionRegion, found: Variance, statement: ast.stmt) -> Iterator[ast.expr]:
    """Where a statement takes the mean of what the variance is of."""
    axes = axes_of(found.x, found.reduced)
    if axes is None:
        return
    for node in everything_in(statement):
        if not isinstance(node, ast.Call) or region.within(node, region.node):
            continue
        taken, value = reduced_by(region, node), region.values.get(node)
        if taken is None or taken.way != "mean" or not isinstance(value, Value):
            continue
        x = array_at(region, taken.operand)
        if x is None or not _alike(region, x, taken, found):
            x = found.x
        if Moments(region, x, axes, found.reduced.keepdim).is_mean(value):
            yield node


def _alike(region: ExpressionRegion, x: Value, taken: Reduced, found: Variance) -> bool:
    """Whether ``x`` is made of the same elements, as views of one array may be. Of an array whose
    number of axes is not known the text says so: none of its names is bound in between."""
    one, other = x.body, found.x.body
    if len(x.axes) != len(found.x.axes) or x.dtype != found.x.dtype:
        return False
    if one is None and other is None:
        node, operand = taken.operand, found.reduced.operand
        view = isinstance(node, ast.Call) and does(region.module, node) is Does.VIEW
        return view and ast.dump(node) == ast.dump(operand)
    axes = [*zip(x.axes, found.x.axes, strict=True)]
    if one is None or other is None or any(mine.group or theirs.group for mine, theirs in axes):
        return False
    if any(mine.extent != theirs.extent for mine, theirs in axes):
        return False
    return equal(one, substitute(other, {theirs: mine for mine, theirs in axes}))
