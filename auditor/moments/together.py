"""The mean and the spread of the same entries, taken within one statement or two that follow each
other, and not the whole of these: both are named before."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.again.places import (
    begins_line,
    certainly_evaluated,
    comes_first,
    line_before,
    new_name,
)
from auditor.expressions.region import ExpressionRegion, Text
from auditor.lift.bound import stored_in
from auditor.moments.standardised import Moments
from auditor.moments.variances import Variance, axes_of, reduced_by
from auditor.notation import Span, Value
from auditor.tree import everything_in
from auditor.verdict import Edit

_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)


def named_before(
    region: ExpressionRegion, found: Variance, x: Text, call: str
) -> tuple[list[Edit], tuple[Span, ...]] | None:
    """The edits that put ``mean, std = welford(...)`` before the first of the statements, and the
    places of the means; None where no mean is taken beside the spread."""
    statement, spread = region.statement, region.node
    siblings = region.siblings(statement)
    place = siblings.index(statement) if statement in siblings else 0
    for first in (statement, *siblings[max(place - 1, 0) : place]):
        if not isinstance(first, _SIMPLE) or not isinstance(statement, _SIMPLE):
            continue
        if first is not statement and not stored_in(first).isdisjoint(x.reads):
            continue
        means = [node for node in _means(region, found, first)
                 if certainly_evaluated(region, node, first)]  # fmt: skip
        if not means or not certainly_evaluated(region, spread, statement):
            continue
        if first is not statement and getattr(first, "value", None) in means:
            continue  # it has a name
        inside = [*means, spread] if first is statement else means
        last = max(inside, key=lambda node: (node.lineno, node.col_offset))
        if not comes_first(region, last, first) or not begins_line(region, first):
            continue
        names = [new_name(region.lifted, word, (word, means[0]))
                 for word in ("mean", "std" if found.root else "variance")]  # fmt: skip
        edits = [line_before(region, first, f"{', '.join(names)} = {call}")]
        edits += [Edit(region.without_brackets(node), names[0]) for node in means]
        edits += [Edit(region.without_brackets(spread), names[1])]
        return edits, tuple(region.module.span(node) for node in means)
    return None


def _means(region: ExpressionRegion, found: Variance, statement: ast.stmt) -> Iterator[ast.expr]:
    """Where a statement takes the mean of what the variance is of."""
    axes = axes_of(found.x, found.reduced)
    if axes is None:
        return
    forms = Moments(region, found.x, axes, found.reduced.keepdim)
    for node in everything_in(statement):
        if not isinstance(node, ast.Call) or region.within(node, region.node):
            continue
        taken, value = reduced_by(region, node), region.values.get(node)
        if taken is not None and taken.way == "mean" and isinstance(value, Value):
            if forms.is_mean(value):
                yield node
