"""Arrays filled with running values element after element, each from the one before."""

from __future__ import annotations

import ast

from auditor.arrays.facts import Arrays
from auditor.assumed import assuming
from auditor.folds.loop import Generator
from auditor.folds.vectorise import Steps
from auditor.folds.walks import CannotVectorise
from auditor.nests.memory import paths_in
from auditor.prefixes.arrays import same_axes
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.syntax import constant, mentions, same


def table(site: Site, region: Region, node: ast.For | ast.While) -> Match | None:
    """``out[i] = out[i - 1] + x[i]`` and ``x[i] += x[i - 1]``."""
    if not isinstance(node, ast.For) or len(node.body) != 1 or node.orelse:
        return None
    statement = node.body[0]
    target: ast.expr
    if isinstance(statement, ast.AugAssign):
        target, op = statement.target, type(statement.op)
        parts = [target, statement.value]
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        if not isinstance(statement.value, ast.BinOp):
            return None
        target, op = statement.targets[0], type(statement.value.op)
        parts = [statement.value.left, statement.value.right]
    else:
        return None
    if op not in (ast.Add, ast.Mult) or not isinstance(target, ast.Subscript):
        return None
    before = [p for p in parts if isinstance(p, ast.Subscript) and same(p.value, target.value)
              and not same(p, target)]  # fmt: skip
    if len(before) != 1 or not isinstance(target.value, ast.Name):
        return None
    (previous,) = before
    (value,) = [p for p in parts if p is not previous]
    name = target.value.id
    if not same(value, target) and mentions(value, name):
        return None
    if region.read_after(node, ast.unparse(node.target)):
        site.require(False, "names", f"`{ast.unparse(node.target)}` is used after the loop")
    try:
        return _table_match(site, region, node, target, previous, value, op)
    except CannotVectorise as problem:
        site.require(False, problem.condition, str(problem))
        return None


def _table_match(
    site: Site, region: Region, node: ast.For, target: ast.Subscript, previous: ast.Subscript,
    value: ast.expr, op: type,
) -> Match | None:  # fmt: skip
    arrays = Arrays(region)
    if not arrays.certain(target.value):
        return None
    steps = Steps(region, [Generator(node.target, node.iter)], node)
    written = steps.shape(target)
    behind = steps.shape(previous)
    where, before = steps.spell(target), steps.spell(previous)
    if (
        written.lead is None
        or written.lead != behind.lead
        or steps.walked.strided
        or steps.walked.backward
    ):
        return None
    start = _first(where, before, written.lead)
    if start is None:
        return None
    shape = steps.shape(value)
    if shape.kind != "steps" or shape.lead != written.lead:
        return None
    stated = same_axes(written, shape)
    if stated is None:
        raise CannotVectorise("a step has another shape than what it is written to", "axes")
    base = region.module.source(target.value)
    site.require(not arrays.integer(target.value) or arrays.integer(value), "integers",
                 "each step is rounded to an integer")  # fmt: skip
    read = paths_in([*steps.bases, *steps.lengths]) - {base}
    met = region.overlapping([base], read, node)
    site.require(met is None, "aliasing", "`{}` may share memory with `{}`".format(*met or "  "))
    reasons = [*steps.assumptions, *stated, *region.apart([base], read, node)]
    method, sign = ("cumsum", "+") if op is ast.Add else ("cumprod", "*")
    if not arrays.floating(target.value) and not same(value, target):
        reasons.append(f"`{base}` holds numbers of the kind of what is added")
    # The table's own type is the one that each step is added in.
    table = arrays.value(target.value)
    added = {found.dtype for used in steps.bases if (found := arrays.value(used))}
    wider = table is None or table.dtype is None or added == {table.dtype}
    typed = "" if wider else f", dtype={base}.dtype"
    running = f"{steps.inside(value)}.{method}({shape.lead}{typed})"
    line = f"{where} = {base}[{start}] {sign} {running}"
    return Match(
        span=region.module.span(node),
        message=f"`{base}` is filled with running {'sums' if op is ast.Add else 'products'}",
        computation=site.computation,
        edits=(region.replace_lines(node, [line]),),
        numerics="reassociated",
        reason=assuming(reasons),
    )


def _first(where: str, before: str, lead: int) -> str | None:
    """The slice of the one element before those written: ``out[1:]`` after ``out[:-1]``."""
    one, other = (ast.parse(text, mode="eval").body for text in (where, before))
    lows = []
    for node in (one, other):
        if not isinstance(node, ast.Subscript):
            lows.append(0)
            continue
        items = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        moving = items[lead] if lead < len(items) else None
        if not isinstance(moving, ast.Slice) or len(items) > lead + 1:
            return None
        low = constant(moving.lower) if moving.lower is not None else 0
        if not isinstance(low, int):
            return None
        lows.append(low)
    if lows[0] - lows[1] != 1:
        return None
    return f"{':, ' * lead}{lows[1] or ''}:{lows[0]}"
