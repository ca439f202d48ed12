"""The mean and the spread of the same entries, taken within one statement or in some that follow
each other, and not the whole of these: both are named before."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.again.places import (
    begins_line,
    certainly_evaluated,
    comes_first,
    has_effects,
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

_BINDS = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
_BEHIND = 3
"""How many statements behind the spread the mean is looked for."""
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)


def named_before(
    region: ExpressionRegion, found: Variance, x: Text, call: str
) -> tuple[list[Edit], tuple[Span, ...]] | None:
    """The edits that put ``mean, std = welford(...)`` before the first of the statements, and the
    places of the means; None where no mean is taken beside the spread."""
    statement, spread = region.statement, region.node
    if not certainly_evaluated(region, spread, statement):
        return None
    for other in _near(region, statement, x):
        means = [node for node in _means(region, found, other)
                 if certainly_evaluated(region, node, other)]  # fmt: skip
        if not means:
            continue
        later = other.lineno > statement.lineno
        first = statement if later else other
        if first is not statement and getattr(first, "value", None) in means:
            continue  # it has a name
        inside = [*means, spread] if other is statement else [spread] if later else means
        last = max(inside, key=lambda node: (node.lineno, node.col_offset))
        if not comes_first(region, last, first) or not begins_line(region, first):
            continue
        if later and not all(comes_first(region, node, other) for node in means):
            continue
        names = [new_name(region.lifted, word, (word, means[0]))
                 for word in ("mean", "std" if found.root else "variance")]  # fmt: skip
        edits = [line_before(region, first, f"{', '.join(names)} = {call}")]
        edits += [Edit(region.without_brackets(node), names[0]) for node in means]
        edits += [Edit(region.without_brackets(spread), names[1])]
        return edits, tuple(region.module.span(node) for node in means)
    return None


def _near(region: ExpressionRegion, statement: ast.stmt, x: Text) -> Iterator[ast.stmt]:
    """The statement, the one before it, and some behind it, as long as nothing in between may
    change ``x``."""
    if not isinstance(statement, _SIMPLE):
        return
    yield statement
    siblings = region.siblings(statement)
    place = siblings.index(statement) if statement in siblings else 0
    for before in siblings[max(place - 1, 0) : place]:
        if isinstance(before, _SIMPLE) and stored_in(before).isdisjoint(x.reads):
            yield before
    passed = statement
    for behind in siblings[place + 1 : place + 1 + _BEHIND]:
        if not _computes(region, passed) or not stored_in(passed).isdisjoint(x.reads):
            return
        if not isinstance(behind, _SIMPLE):
            return
        yield behind
        passed = behind


def _computes(region: ExpressionRegion, statement: ast.stmt) -> bool:
    """Whether a statement names what it computes, and does nothing besides."""
    if not isinstance(statement, ast.Assign):
        return False
    parts = everything_in(statement.value)
    return (
        all(isinstance(target, ast.Name) for target in statement.targets)
        and not any(isinstance(part, _BINDS) for part in parts)
        and not any(isinstance(part, ast.Call) and has_effects(region, part) for part in parts)
    )


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
