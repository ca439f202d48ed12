"""Arrays filled with running values element after element, each from the one before."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.arrays.facts import Arrays
from auditor.assumed import assuming, hold
from auditor.folds.loop import Generator
from auditor.folds.vectorise import Steps
from auditor.folds.walks import CannotVectorise
from auditor.nests.memory import paths_in
from auditor.prefixes.arrays import same_axes
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.syntax import constant, mentions, path_of, same

_SIGNS = {ast.Add: "+", ast.Mult: "*"}
_EXTREMA = {"min": "minimum", "max": "maximum", "minimum": "minimum", "maximum": "maximum"}
_CHOSEN = {ast.Gt: "maximum", ast.GtE: "maximum", ast.Lt: "minimum", ast.LtE: "minimum"}


@dataclass(frozen=True)
class _Step:
    """``target = parts[0] op parts[1]``, where ``op`` is ``+``, ``*`` or the name of an extremum in
    NumPy; ``compared`` says that Python chooses it, to which a NaN is neither more nor less."""

    target: ast.expr
    parts: tuple[ast.expr, ast.expr]
    op: str
    compared: bool = False


def table(site: Site, region: Region, node: ast.For | ast.While) -> Match | None:
    """``out[i] = out[i - 1] + x[i]``, ``x[i] += x[i - 1]``, ``out[i] = max(out[i - 1], x[i])``."""
    if not isinstance(node, ast.For) or len(node.body) != 1 or node.orelse:
        return None
    step = _read(region, node.body[0])
    if step is None or not isinstance(step.target, ast.Subscript):
        return None
    target = step.target
    before = [p for p in step.parts if isinstance(p, ast.Subscript) and same(p.value, target.value)
              and not same(p, target)]  # fmt: skip
    if len(before) != 1 or not isinstance(target.value, ast.Name):
        return None
    (previous,) = before
    (value,) = [p for p in step.parts if p is not previous]
    name = target.value.id
    if not same(value, target) and mentions(value, name):
        return None
    if region.read_after(node, ast.unparse(node.target)):
        site.require(False, "names", f"`{ast.unparse(node.target)}` is used after the loop")
    try:
        return _table_match(site, region, node, target, previous, value, step)
    except CannotVectorise as problem:
        site.require(False, problem.condition, str(problem))
        return None


def _read(region: Region, statement: ast.stmt) -> _Step | None:
    if isinstance(statement, ast.AugAssign):
        sign = _SIGNS.get(type(statement.op))
        parts = (statement.target, statement.value)
        return None if sign is None else _Step(statement.target, parts, sign)
    if isinstance(statement, ast.If):
        return _chosen(statement)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target, value = statement.targets[0], statement.value
    if isinstance(value, ast.BinOp):
        sign = _SIGNS.get(type(value.op))
        return None if sign is None else _Step(target, (value.left, value.right), sign)
    if not isinstance(value, ast.Call) or len(value.args) != 2 or value.keywords:
        return None
    path = path_of(region.module, value.func)
    library, _, word = (path or "").rpartition(".")
    if path is None and isinstance(value.func, ast.Name) and region.means_builtin(value.func.id):
        library, word = "numpy", value.func.id
    if library != "numpy" or word not in _EXTREMA:
        return None
    return _Step(target, (value.args[0], value.args[1]), _EXTREMA[word], path is None)


def _chosen(node: ast.If) -> _Step | None:
    """``if x[i - 1] > x[i]: x[i] = x[i - 1]``."""
    test = node.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or node.orelse:
        return None
    match node.body:
        case [ast.Assign(targets=[target], value=value)]:
            word = _CHOSEN.get(type(test.ops[0]))
            if word is None:
                return None
            left, right = test.left, test.comparators[0]
            if same(left, target) and same(right, value):
                word = "minimum" if word == "maximum" else "maximum"
            elif not (same(left, value) and same(right, target)):
                return None
            return _Step(target, (target, value), word, True)
    return None


def _table_match(
    site: Site, region: Region, node: ast.For, target: ast.Subscript, previous: ast.Subscript,
    value: ast.expr, step: _Step,
) -> Match | None:  # fmt: skip
    arrays, op = Arrays(region), step.op
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
    if op not in _SIGNS.values():
        site.require(arrays.library(target.value) == "numpy", "ties",
                     "of equal values another gets the gradient")  # fmt: skip
    if step.compared:
        reasons.append(hold((f"`{region.module.source(one)}`" for one in steps.bases), "no NaN"))
    if not arrays.floating(target.value) and not same(value, target):
        reasons.append(f"`{base}` holds numbers of the kind of what is added")
    # The table's own type is the one that each step is added in.
    table = arrays.value(target.value)
    added = {found.dtype for used in steps.bases if (found := arrays.value(used))}
    wider = table is None or table.dtype is None or added == {table.dtype}
    typed = "" if wider else f", dtype={base}.dtype"
    first = f"{base}[{start}]"
    if op in _SIGNS.values():
        method, kind = ("cumsum", "sums") if op == "+" else ("cumprod", "products")
        running = f"{first} {op} {steps.inside(value)}.{method}({shape.lead}{typed})"
    else:
        kind, extremum = op.replace("mum", "ma"), f"{steps.library()}.{op}"
        running = f"{extremum}({first}, {extremum}.accumulate({steps.spell(value)}, {shape.lead}))"
    return Match(
        span=region.module.span(node),
        message=f"`{base}` is filled with running {kind}",
        computation=site.computation,
        edits=(region.replace_lines(node, [f"{where} = {running}"]),),
        numerics="reassociated" if op in _SIGNS.values() else "exact",
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
