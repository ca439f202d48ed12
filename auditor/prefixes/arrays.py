"""Running values of arrays: cumulative operations of their library."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from auditor.arrays.facts import Arrays
from auditor.arrays.strides import as_stacked
from auditor.arrays.wider_start import more_axes, stated_type, type_of_start
from auditor.assumed import hold, listed
from auditor.folds.shaped import Shaped
from auditor.folds.vectorise import Steps
from auditor.folds.walks import CannotVectorise
from auditor.lift.dtypes import NO_NARROW, WHOLE, fits
from auditor.nests.every_step import still_may_raise
from auditor.nests.memory import paths_in
from auditor.notation import Value
from auditor.prefixes.plan import Plan
from auditor.rewrite import Match
from auditor.syntax import constant, infinite, path_of, same, subscripted
from auditor.tree import everything_in
from auditor.verdict import Edit

_STACKS = ("torch.stack", "numpy.stack", "numpy.array", "numpy.asarray")
_METHODS = {"sum": "cumsum", "prod": "cumprod", "logsumexp": "logcumsumexp"}
_ROWS = {"cpu": 0.3}
"""What ``logcumsumexp`` gains where a step takes a row: on a CPU it goes element by element, in
some 60 ns, where the loop adds whole rows."""


def cumulative(plan: Plan) -> Match | None:
    """Running values of the steps of arrays. Raises ``CannotVectorise``."""
    region, fold, kept = plan.region, plan.fold, plan.kept
    assert fold.name is not None
    steps = Steps(region, plan.loop.generators, plan.loop.node)
    lines: list[str] = []
    for name, value in plan.loop.temporaries.items():
        steps.temporaries[name] = steps.shape(value)
        lines.append(f"{name} = {steps.spell(value)}")
    shape = steps.shape(fold.value)
    if shape.kind != "steps" or shape.lead is None or steps.walked.backward:
        return None
    if not steps.libraries and _stack(plan)[1] == "torch.stack":
        steps.libraries.add("torch")  # which stacks nothing else
    begun = region.binding_before(plan.loop.node, fold.name)
    number = begun is not None and isinstance(constant(begun.value), (int, float))
    plan.require(
        not fold.augmented or number,
        "mutation",
        f"`{fold.name}` is changed in place, which keeps its dtype and shape",
    )
    scalars = shape.right == 0 and shape.lead == 0 and steps.libraries == {"numpy"}
    plan.require(
        not fold.augmented or kept.copied or scalars,
        "mutation",
        f"`{fold.name}` is changed in place, and what is kept are names of one array",
    )
    plan.require(
        not region.read_after(plan.loop.node, fold.name)
        and not region.comes_round(plan.loop.node, fold.name),
        "outputs",
        f"the last `{fold.name}` is used after the loop",
    )
    text, dropped = _running(plan, steps, shape)
    if text is None:
        return None
    _integers(plan, steps, shape)
    edits: list[Edit] | None
    if kept.appended:
        edits = _stacked(plan, steps, shape, text, lines)
    else:
        target = steps.shape(kept.target)
        if target.lead != shape.lead or steps.walked.strided:
            return None
        stated = same_axes(target, shape)
        if stated is None:
            return None
        plan.reasons.extend(stated)
        written = [n.id for n in everything_in(kept.target) if isinstance(n, ast.Name)]
        read = paths_in([*steps.bases, *steps.lengths])
        shared = region.overlapping(written, read, plan.loop.node)
        plan.require(
            shared is None, "effects", "`{}` shares memory with `{}`".format(*shared or "  ")
        )
        plan.reasons.extend(region.apart(written, read - {*written}, plan.loop.node))
        where = steps.spell(kept.target)
        where = where if where.endswith("]") else f"{where}[:]"
        edits = [region.replace_lines(plan.loop.node, [*lines, f"{where} = {text}"])]
    if edits is None:
        return None
    for sentence in steps.assumptions:
        plan.reasons.append(sentence)
    once = "the loop runs at least once"
    if once not in plan.reasons and still_may_raise(fold.value, plan.loop.node):
        plan.reasons.append(once)
    match = plan.finish([*edits, *dropped])
    rows = fold.op == "logsumexp" and (shape.lead, shape.right) != (0, 0)
    return replace(match, gains=_ROWS, counted=True) if rows else match


def _running(plan: Plan, steps: Steps, shape: Shaped) -> tuple[str | None, list[Edit]]:
    """The values after each step, the start included."""
    region, fold = plan.region, plan.fold
    assert fold.name is not None and shape.lead is not None
    inner = steps.inside(fold.value)
    if fold.op in ("max", "min"):
        if steps.libraries == {"torch"}:
            text = f"{inner}.cum{fold.op}({shape.lead}).values"
        elif steps.libraries == {"numpy"}:
            numpy = _spelling(plan, "numpy")
            text = f"{numpy}.{fold.op}imum.accumulate({steps.spell(fold.value)}, {shape.lead})"
        else:
            return None, []
    elif fold.op == "logsumexp" and steps.libraries != {"torch"}:
        return None, []
    else:
        text = f"{inner}.{_METHODS[fold.op]}({shape.lead})"
    if fold.from_none:
        return text, plan.dropped(fold.name)
    start = region.binding_before(plan.loop.node, fold.name)
    value = start.value if start is not None else None
    first = constant(value)
    if fold.op in ("max", "min"):
        way = infinite(region.module, value)
        if fold.call is None and way == (-1 if fold.op == "max" else 1):
            return text, plan.dropped(fold.name)
    elif isinstance(first, (int, float)) and not isinstance(first, bool):
        unit = 0 if fold.op == "sum" else 1
        sign = "-" if fold.negative else "+" if fold.op == "sum" else "*"
        if fold.op == "logsumexp":
            return None, []
        if first == unit and (shape.floating or isinstance(first, int)) and not fold.negative:
            return text, plan.dropped(fold.name)
        assert value is not None
        return f"{region.module.source(value)} {sign} {text}", plan.dropped(fold.name)
    name = _start_text(plan, steps, shape, value)
    arrays = Arrays(region)
    held = arrays.value(value) if value is not None else None
    if fold.op in ("max", "min") and fold.call is None:
        # a number that Python chooses stays one of Python's
        if steps.libraries != {"numpy"} or held is None or held.library != "numpy":
            return None, []
        walked = [f"`{region.module.source(base)}`" for base in steps.bases]
        plan.reasons.append(hold(walked, "no NaN"))
        if not _of_one_type(arrays, value, steps.bases):
            plan.reasons.append(f"{listed((f'`{fold.name}`', *walked))} are of one type")
        return f"{_spelling(plan, 'numpy')}.{fold.op}imum({name}, {text})", []
    added = [arrays.value(base) for base in steps.bases]
    wide = [] if _fits(arrays, held, added, shape) else [more_axes(fold.name)]
    stated = type_of_start(fold.name, held, [one.dtype for one in added if one])
    if fold.selected:
        raise CannotVectorise("a choice between arrays at each step")
    if fold.call is not None:
        if held is not None and not held.axes and shape.right in (0, None):
            given = stated_type(held, value)
            if given is not None:  # beside numbers that counts, beside all of them it does not
                raise CannotVectorise(f"`{fold.name}` is kept in {given}", "types")
            wide += stated
        if fold.op == "logsumexp":
            wide += [*stated, *_floating(plan, steps.bases, added)]
        plan.reasons += wide
        return f"{fold.call}({name}, {text})", []
    sign = "-" if fold.negative else "+" if fold.op == "sum" else "*"
    typed = steps.told(text, fold.name, shape, value) if stated else None
    if typed is not None:
        text, stated = typed[0], [*typed[1:]]
    plan.reasons += filter(None, [*stated, *wide])
    return f"{name} {sign} {text}", []


def _of_one_type(arrays: Arrays, start: ast.expr | None, bases: Iterable[ast.expr]) -> bool:
    """Whether a start certainly has the type of all that it may give way to: it is an element."""
    held = arrays.value(start) if start is not None else None
    owner = subscripted(start) if isinstance(start, ast.Subscript) else None
    return all(
        (owner is not None and same(owner, base))
        or (
            held is not None and held.dtype is not None
            and (one := arrays.value(base)) is not None and one.dtype == held.dtype
        )
        for base in bases
    )  # fmt: skip


def _floating(plan: Plan, bases: Iterable[ast.expr], values: list[Value | None]) -> list[str]:
    """What must hold for ``logcumsumexp`` to take what is walked."""
    names = [plan.region.module.source(base) for base in bases]
    dtypes = [value.dtype if value is not None else None for value in values]
    plan.require(
        WHOLE.isdisjoint(filter(None, dtypes)), "dtypes",
        "`logcumsumexp` takes floating-point numbers only",
    )  # fmt: skip
    return [
        f"`{name}` holds floating-point numbers"
        for name, dtype in zip(names, dtypes, strict=True) if dtype is None
    ]  # fmt: skip


def _fits(arrays: Arrays, start: Value | None, met: list[Value | None], shape: Shaped) -> bool:
    """Whether a start certainly has no more axes than a step."""
    rank = arrays.rank_of(start)
    if rank == 0:
        return True
    if shape.right == 0 and arrays.shaped(start):
        raise CannotVectorise("the start may have more axes than a step", "axes")
    if rank is not None and isinstance(shape.right, int):
        if rank > (shape.lead or 0) + shape.right:
            raise CannotVectorise("the start has more axes than a step", "axes")
        return all(arrays.rank_of(one) is not None for one in met)
    groups = {one and tuple(a.extent for a in one.axes if a.group) for one in (start, *met)}
    return len(groups) == 1 and not groups & {None, ()} and bool(met)


def _start_text(plan: Plan, steps: Steps, shape: Shaped, value: ast.expr | None) -> str:
    """The start, with an axis for the steps where broadcasting would not put it."""
    name = plan.fold.name
    assert name is not None and shape.lead is not None
    if shape.lead == 0:
        return name
    arrays = Arrays(plan.region)
    rank = arrays.rank(value) if value is not None else None
    exact = isinstance(shape.right, int) and rank == shape.lead + shape.right
    if not exact:
        raise CannotVectorise(f"`{name}` starts with an unknown number of axes", "axes")
    return f"{name}[{':, ' * shape.lead}None]"


def _spelling(plan: Plan, library: str) -> str:
    for name, path in plan.region.module.names.items():
        if path == library:
            return name
    raise CannotVectorise(f"the file does not import {library}", "library")


def _integers(plan: Plan, steps: Steps, shape: Shaped) -> None:
    arrays = Arrays(plan.region)
    binding = plan.region.binding_before(plan.loop.node, plan.fold.name or "")
    by_float = binding is not None and isinstance(constant(binding.value), float)
    if plan.fold.op not in ("sum", "prod") or shape.floating:
        return
    begun = binding.value if binding is not None else None
    number = isinstance(constant(begun), (int, float))
    typed = begun is not None and not number and arrays.integer(begun)
    plan.require(
        not typed and not any(arrays.integer(base) for base in steps.bases),
        "integers",
        "the loop adds integers as wide as the array's, the library wider ones",
    )
    names = (f"`{plan.region.module.source(base)}`" for base in steps.bases)
    plan.reasons.append(hold(names, fits(plan.fold.op) if by_float else NO_NARROW))


def _stacked(
    plan: Plan, steps: Steps, shape: Shaped, text: str, lines: list[str]
) -> list[Edit] | None:
    """The list and the call that stacks it give way to the running values."""
    region, kept = plan.region, plan.kept
    assert isinstance(kept.target, ast.Name)
    out = kept.target.id
    held = region.binding_before(plan.loop.node, out)
    if held is None or not held.alone or not held.unread:
        return None
    if not (isinstance(held.value, ast.List) and not held.value.elts):
        return None
    call, path = _stack(plan)
    plan.require(path in _STACKS, "list-use", f"the list `{out}` is used other than by one stack")
    assert path is not None
    if call is None or path.split(".")[0] not in steps.libraries:
        return None
    plan.require(
        not region.records_elsewhere(plan.loop.node, call),
        "gradients",
        f"gradients are recorded otherwise where `{out}` is stacked",
    )
    given = [*call.args[1:], *(k.value for k in call.keywords if k.arg in ("dim", "axis"))]
    if len(given) > 1 or len(call.keywords) > 1 or (call.keywords and not given):
        return None
    dim = constant(given[0]) if given else 0
    if not isinstance(dim, int):
        return None
    if dim < 0:
        if not isinstance(shape.right, int) or dim != -shape.right - 1:
            return None
    elif dim != shape.lead:
        return None
    if path in ("numpy.array", "numpy.asarray") and given:
        return None
    if path.startswith("numpy"):
        plan.reasons.append("the loop runs at least once")
    else:
        text = as_stacked(region.lifted, call, text)
    edits = [region.drop(held.statement)]
    if region.next_statement(plan.loop.node) is region.statement_of(call):
        edits += [region.replace_lines(plan.loop.node, lines), region.replace(call, text)]
    else:
        lines = [*lines, f"{out} = {text}"]
        edits += [region.replace_lines(plan.loop.node, lines), region.replace(call, out)]
    return edits


def _stack(plan: Plan) -> tuple[ast.Call | None, str | None]:
    """The call that is given the list, where there is no other use of it, and its path."""
    region, target = plan.region, plan.kept.target
    if not plan.kept.appended or not isinstance(target, ast.Name):
        return None, None
    reads = region.reads_outside(target.id, (plan.loop.node,))
    call = region.parents.get(reads[0]) if len(reads) == 1 else None
    if not isinstance(call, ast.Call) or call.args[:1] != reads:
        return None, None
    return call, path_of(region.module, call.func)


def same_axes(one: Shaped, other: Shaped) -> list[str] | None:
    """What must be assumed for two shapes to be one; None where they certainly are not."""
    left, right = one.right, other.right
    if left == right:
        return []
    if isinstance(left, int) and isinstance(right, int):
        return None
    if not isinstance(left, int) and not isinstance(right, int):
        if left[1] != right[1]:
            return None
        return [f"`{left[0]}` and `{right[0]}` have equally many axes"]
    known, unknown = (left, right) if isinstance(left, int) else (right, left)
    assert isinstance(known, int) and not isinstance(unknown, int)
    count = known + unknown[1]
    return [f"`{unknown[0]}` has {count} {'axis' if count == 1 else 'axes'}"]
