"""Recurrences whose steps compose in closed form, as one scan with the combine written out.

Finds loops that carry a value through steps that are, each of them, a function with a few
coefficients whose compositions have the same form:

- bounds around a shift or an affine map: leaky buckets, saturating counters, running maxima that
  decay, ReLU recurrences: ``h = min(high, max(low, scale * h + shift))``
- fractions: continued fractions, Moebius maps, ``h = (a * h + b) / (c * h + d)``
- sums of exponentials kept as logarithms: ``h = logaddexp(h + log_scale, log_shift)``
- up to three values that move jointly: filters of second and third order, level and trend, a state
  space with a small matrix: ``h = A h + b``

First-order linear recurrences are ASC101, running sums and extrema ASC105. Over arrays of NumPy
values that move jointly get a fix, and numbers that are kept within bounds (CUSUM charts, waiting
times, levels of a store); the other kinds are told, and so are sums or extrema over the
states of the step before (hidden Markov models, Viterbi): there a step of the scan is a product of
matrices.

Legal because the loop's body, run once on a generic state, stays in one of these forms; what two
steps do in turn is then a step with other coefficients, and composition is associative. ``combine``
computes them and ``step`` takes one step; both are written into the file, to be read and changed.

Pays where a step is small and there are many: the loop launches several operations a step, the
scan as many for all chunks together. Measured on one CPU core in float32 it runs 1.5 to 4 times as
fast as the loop from 256 steps of up to 2048 numbers on (all coefficients of a step counted), with
gradients 3 to 10 times. With fewer steps or larger rows the kernel takes the steps one by one: then
training still gains, and inference may lose up to 40 percent where ``step`` does more than the loop
did. Over arrays of NumPy the steps are taken one after the other in C: a second-order filter of
numbers gains from some hundred steps on and is 20 to 30 times as fast at 100,000, and twice with
rows of 64 numbers. A number within bounds gains from a thousand steps on, and is 20 times as fast
at 20,000.

Safe means: equal up to the order of floating-point operations, gradients and final state included.
Fractions are taken not to divide by zero on the way, which the fix says.

Sources: Blelloch, "Prefix Sums and Their Applications" (1990); Fisher and Ghuloum, "Parallelizing
Complex Scans and Reductions" (1994); Särkkä and García-Fernández, "Temporal Parallelization of
Bayesian Smoothers" (2021).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from auditor.algebra import summary
from auditor.algebra.domains import summarise
from auditor.algebra.summary import Summary
from auditor.assumed import hold, listed
from auditor.lift.dtypes import WHOLE
from auditor.notation import Apply, Const, Reduce, Trace, Value, walk
from auditor.recurrences.coefficients import NotLinear, gathered
from auditor.recurrences.composed import Composed, composed
from auditor.recurrences.distribution import LoopCode, plainest
from auditor.recurrences.extreme_types import arrays_in
from auditor.recurrences.initial_states import start_text
from auditor.recurrences.outputs import edits_of
from auditor.recurrences.recurrence import LoopRegion, reversed_step
from auditor.recurrences.walked_tensors import require_tensors, walks_numpy
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.tree import everything_in
from auditor.verdict import Edit
from auditor.writing.pieces import CannotRender, Piece

_LINEAR = ("affine", "sum", "product", "selection")
_PRODUCTS = ("max-plus product", "min-plus product", "log-semiring product", "max-times")
_EXTREMES = ("max", "min")
_SHORT = 160
"""Steps that the plain loop takes as fast."""


def find(site: Site) -> Match | None:
    """The match of a loop, or None. Raises ``Refused``."""
    if site.loop is None or not site.loop.finals:
        return None
    if any(key.endswith("[cell]") for key in site.loop.finals):
        return None
    region = LoopRegion(site)
    if not _walks(region):
        return None
    found = _stages(region)
    if not found:
        return _products(site, region)
    region.check_loop()
    forms = [one.form for one in found.values()]
    if region.of_numpy:
        return _of_numpy(site, region, found, forms)
    if not region.has_torch() or walks_numpy(region):
        return _advice(site, region, forms)
    return _rewritten(site, region, found)


def _of_numpy(
    site: Site, region: LoopRegion, found: dict[tuple[int, ...], Composed], forms: list[str]
) -> Match | None:
    """Arrays of NumPy: the kernel takes steps that multiply, add and keep numbers within bounds;
    else what it is. Rows NumPy keeps within bounds as fast itself."""
    bounded_rows = any(
        one.bounded and _starts_as_rows(region, slot)
        for slots, one in found.items()
        for slot in slots
    )
    if bounded_rows or not all(one.rows for one in found.values()):
        return _advice(site, region, forms)
    try:
        return _rewritten(site, region, found)
    except Refused:
        if (advice := _advice(site, region, forms)) is None:
            raise
        return advice


def _starts_as_rows(region: LoopRegion, slot: int) -> bool:
    carry = region.scan.carries[slot]
    start = region.init_of(carry.name)
    return bool(carry.state.axes if start is None else start.axes)


def _rewritten(
    site: Site, region: LoopRegion, found: dict[tuple[int, ...], Composed]
) -> Match | None:
    region.require_one_type(site)
    objection = next((one.objection for one in found.values() if one.objection), None)
    site.require(objection is None, "bounds", str(objection))
    few = _steps(region)
    site.require(few is None, "steps", f"the loop takes {few} steps, which pay as they are")
    try:
        code, edits = plainest(site, region, lambda code: _written(code, found))
    except NotLinear:
        return None
    except CannotRender as problem:
        site.require(False, "names", str(problem))
        raise AssertionError("a waived condition still needs code") from problem
    if not edits:
        return None
    number = _number(region, code, found)
    site.require(number is None, "type", f"`{number}` may end as a number instead of a tensor")
    updates = [carry.update for carry in region.scan.carries]
    code.assumptions.extend(require_tensors(region, site, *updates))
    code.assumptions.extend(region.floats_written())
    code.assumptions.extend(_floats(site, region, found))
    code.assumptions.extend(one.assumption for one in found.values() if one.assumption)
    names = listed(
        f"`{region.scan.carries[slot].name.partition('[')[0]}`" for slots in found for slot in slots
    )
    forms = ", ".join(dict.fromkeys(one.form for one in found.values()))
    conditioned = any(one.numerics == "conditioned" for one in found.values())
    imports = region.imports("associative_scan", edits)
    if any("linear_scan(" in edit.content for edit in edits):
        imports = (*imports, ("auditor.kernels", "linear_scan"))
    return Match(
        span=region.loop.span,
        message=f"{names}: each step is {forms}, and two steps in a row are again one of that form",
        computation=site.computation,
        edits=edits,
        imports=imports,
        numerics="conditioned" if conditioned else "reassociated",
        reason=region.stated_assumptions(code.assumptions, code.ranks),
        safe=code.ranks != "uncertain",
        kernel="auditor.kernels.associative_scan",
    )


def _floats(site: Site, region: LoopRegion, found: Iterable[tuple[int, ...]]) -> list[str]:
    """What is assumed of the states: the bounds of a scan, which may be infinite, make floats of
    whole numbers."""
    assumed: list[str] = []
    if region.of_numpy:
        return assumed  # no whole number is left out of what types are tried
    for slot in (slot for slots in found for slot in slots):
        name = region.scan.carries[slot].name.partition("[")[0]
        start = region.init_of(region.scan.carries[slot].name)
        if start is None or start.library == "python":
            continue
        whole = start.dtype in WHOLE
        site.require(not whole, "integers", f"`{name}` holds integers, the scan makes them floats")
        if start.dtype is None:
            assumed.append(f"`{name}` starts as floating-point numbers")
    return assumed


def _advice(site: Site, region: LoopRegion, forms: list[str]) -> Match | None:
    """Arrays without torch, and states that need a matrix: what it is and what would run it. Of
    several values that leave nothing but their last ones the fold is told (ASC111)."""
    loop = region.loop
    kept = loop.lists or loop.arrays or loop.written
    if not kept and len(region.scan.carries) > 1:
        return None
    names = listed(f"`{carry.name.partition('[')[0]}`" for carry in region.scan.carries)
    return Match(
        span=loop.span,
        message=f"{names}: each step is {', '.join(dict.fromkeys(forms))}, and two steps in a"
        " row are again one of that form; `associative_scan` takes all steps at once",
        computation=site.computation,
        kernel="auditor.kernels.associative_scan",
    )


def _products(site: Site, region: LoopRegion) -> Match | None:
    """Sums or extrema over the states of the step before, as hidden Markov models have them: a
    product of matrices, which costs a step of the scan as much as all states do together."""
    forms: list[str] = []
    for stage in summarise(region.scan):
        if isinstance(stage, summary.Refused):
            return None
        updates = [region.inlined(region.scan.carries[slot].update) for slot in stage.state]
        sums = any(isinstance(node, Reduce) for term in updates for node in walk(term))
        if stage.domain in _PRODUCTS and sums:
            semiring = stage.domain.partition(" ")[0]
            forms.append(f"a product over {semiring}, which pays for few states and many steps")
    if not forms:
        return None
    region.check_loop()
    return _advice(site, region, forms)


def _walks(region: LoopRegion) -> bool:
    """Whether a carried value meets something that the loop walks."""
    return any(
        node is region.step or (isinstance(node, Trace) and node.scan is region.scan)
        for carry in region.scan.carries
        for node in walk(region.inlined(carry.update))
    )


def _stages(region: LoopRegion) -> dict[tuple[int, ...], Composed] | None:
    """The stages that are scans of this kind; None where there is none, or one that is no scan."""
    found: dict[tuple[int, ...], Composed] = {}
    alone = False
    for stage in summarise(region.scan):
        if isinstance(stage, summary.Refused):
            return None
        code = composed(region, stage)
        if code is not None:
            found[stage.state] = code
            alone |= stage.domain not in _EXTREMES
        elif not _linear(stage):
            return None
    return found if alone else None


def _linear(stage: Summary) -> bool:
    return len(stage.state) == 1 and stage.domain in _LINEAR


def _steps(region: LoopRegion) -> int | None:
    """The number of steps where the code says it and it is small."""
    extent = region.step.extent
    if isinstance(extent, Const) and isinstance(extent.value, int) and extent.value <= _SHORT:
        return extent.value
    return None


def _number(
    region: LoopRegion, code: LoopCode, found: dict[tuple[int, ...], Composed]
) -> str | None:
    """A carried scalar whose last value is read and may be a plain number: the builtin maximum and
    a branch return one of the things that they compare, the first value or a bound."""
    plain = any(
        isinstance(node, (ast.If, ast.IfExp))
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("max", "min")
        )
        for node in everything_in(region.node)
    )
    for slots, stage in found.items():
        for slot in slots:
            carry = region.scan.carries[slot]
            if not plain or carry.state.axes or carry.name not in code.finals:
                continue
            start = region.init_of(carry.name)
            walked = all(
                region.step in set(walk(region.inlined(part.term))) for part in stage.parts
            )
            if not walked or start is None or start.library != "torch":
                return carry.name.partition("[")[0]
    return None


def _written(code: LoopCode, found: dict[tuple[int, ...], Composed]) -> tuple[Edit, ...]:
    """The edits, none where the outputs need no scan of this kind."""
    needed = code.needed_stages()
    if found.keys().isdisjoint(needed):
        return ()
    for slots in needed:
        if slots in found:
            _scan(code, slots, found[slots])
        else:
            code.sequence(slots[0])
    return edits_of(code)


def _scan(code: LoopCode, slots: tuple[int, ...], stage: Composed) -> None:
    """Write the elements, both functions and the call."""
    orders = dict(zip(slots, code.layouts.joint(slots), strict=True))
    order = orders[slots[0]]
    pieces: list[Piece] = []
    texts: list[str] = []
    for part in stage.parts:
        renderer = code.renderer(orders[part.slot])
        term = reversed_step(part.term, code.step) if code.reverse else part.term
        piece = renderer.array(term)
        texts.append(renderer.spread(piece, orders[part.slot]).text)
        code.collect(renderer)
        position = dict(zip(orders[part.slot], order, strict=True))
        axes = tuple(None if axis is None else position[axis] for axis in piece.axes)
        pieces.append(Piece(piece.text, axes, piece.strength, piece.tail))
    code.need_all(tuple(pieces), order)
    if code.region.of_numpy:
        code.assumptions.extend(code.region.array_types.assumed_jointly(slots, stage.rows))
        for slot in slots:
            code.assumptions.extend(gathered(code.region, slot, slots))
        code.assumptions.extend(_compared(code.region, slots, stage))
    step, combine = code.fresh("step"), code.fresh("combine")
    code.lines += _functions(stage, step, combine, code.region.words.module)
    starts = [start_text(code, slot) for slot in slots]
    start = starts[0] if len(starts) == 1 else f"({', '.join(starts)})"
    elements = f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
    args = [combine, elements, f"dim={code.layouts.dim(order)}"]
    if code.reverse:
        args.append("reverse=True")
    args += [f"step={step}", f"initial_state={start}"]
    code.jointly(slots, f"associative_scan({', '.join(args)})", list(orders.values()))


def _compared(region: LoopRegion, slots: Iterable[int], stage: Composed) -> list[str]:
    """What is assumed where a loop compares to keep within bounds: NaN is on neither side, and
    goes through NumPy's bounds as it is."""
    updates = [region.inlined(region.scan.carries[slot].update) for slot in slots]
    nodes = (node for update in updates for node in walk(update))
    chosen = any(isinstance(node, Apply) and node.op == "where" for node in nodes)
    if not stage.bounded or not (chosen or region.array_types.python_picks):
        return []
    arrays = set[Value]().union(*(arrays_in(region.inlined(part.term)) for part in stage.parts))
    return [hold(sorted(f"`{array.name}`" for array in arrays), "no NaN")] if arrays else []


def _functions(stage: Composed, step: str, combine: str, module: str) -> list[str]:
    """``step`` and ``combine`` as lines."""
    names = [part.name for part in stage.parts]
    joint = len(stage.states) > 1
    mark = "_" if names[0][-1].isdigit() else ""
    first, second = ([f"{name}{mark}{side}" for name in names] for side in "12")
    state = stage.states[0]
    lines = ["", f"def {step}({'state' if joint else state}, element):"]
    if joint:
        lines.append(f"    {', '.join(stage.states)} = state")
    lines.append(f"    {_tuple(names)} = element")
    lines += _returned(stage.step, joint)
    lines += ["", f"def {combine}(first, second):  # the element that does both in turn"]
    lines += [f"    {_tuple(first)} = first", f"    {_tuple(second)} = second"]
    lines += [f"    {line}" for line in stage.combine]
    lines += _returned(stage.combined, True)
    return [line.replace("{module}", module) for line in [*lines, ""]]


def _tuple(names: list[str]) -> str:
    return f"({names[0]},)" if len(names) == 1 else ", ".join(names)


def _returned(texts: tuple[str, ...], many: bool) -> list[str]:
    if not many:
        return [f"    return {texts[0]}"]
    whole = f"    return {', '.join(texts) if len(texts) > 1 else f'({texts[0]},)'}"
    if len(whole) <= 72:
        return [whole]
    return ["    return (", *(f"        {text}," for text in texts), "    )"]


_BUCKET = """\
import torch


def fill(x, level):
    batch, length, width = x.shape
    out = []
    for t in range(length):
        level = torch.clamp(level + x[:, t], 0.0, 1.0)
        out.append(level)
    return torch.stack(out, dim=1)
"""

_BUCKET_AFTER = """\
import torch
from auditor.kernels import associative_scan


def fill(x, level):
    batch, length, width = x.shape

    def step(level, element):
        shift, low, high = element
        return torch.minimum(torch.maximum(level + shift, low), high)

    def combine(first, second):  # the element that does both in turn
        shift1, low1, high1 = first
        shift2, low2, high2 = second
        return (
            shift1 + shift2,
            torch.minimum(torch.maximum(low1 + shift2, low2), high2),
            torch.minimum(torch.maximum(high1 + shift2, low2), high2),
        )

    return associative_scan(
        combine, (x, 0.0, 1.0), dim=1, step=step, initial_state=level
    )
"""

_FILTER = """\
import torch


def resonate(x, a: float, b: float):
    one = torch.zeros_like(x[0])
    two = torch.zeros_like(x[0])
    y = torch.empty_like(x)
    for t in range(x.shape[0]):
        one, two = a * one - b * two + x[t], one
        y[t] = one
    return y
"""

_FILTER_AFTER = """\
import torch
from auditor.kernels import associative_scan


def resonate(x, a: float, b: float):
    one = torch.zeros_like(x[0])
    two = torch.zeros_like(x[0])
    y = torch.empty_like(x)

    def step(state, element):
        one, two = state
        a00, a01, a10, a11, b0, b1 = element
        return a00 * one + a01 * two + b0, a10 * one + a11 * two + b1

    def combine(first, second):  # the element that does both in turn
        a00_1, a01_1, a10_1, a11_1, b0_1, b1_1 = first
        a00_2, a01_2, a10_2, a11_2, b0_2, b1_2 = second
        return (
            a00_2 * a00_1 + a01_2 * a10_1,
            a00_2 * a01_1 + a01_2 * a11_1,
            a10_2 * a00_1 + a11_2 * a10_1,
            a10_2 * a01_1 + a11_2 * a11_1,
            a00_2 * b0_1 + a01_2 * b1_1 + b0_2,
            a10_2 * b0_1 + a11_2 * b1_1 + b1_2,
        )

    ones, _ = associative_scan(
        combine, (a, -b, 1, 0, x, 0), dim=0, step=step, initial_state=(one, two)
    )
    y[:] = ones
    return y
"""

_BUCKET_CASES = "(torch.randn(2, 200, 3), torch.rand(2, 3)), (torch.randn(1, 1, 2), torch.rand(2))"
_FILTER_CASES = "(torch.randn(200, 3), 1.2, 0.5), (torch.randn(1), 0.3, 0.1)"

_RING = """\
import numpy as np


def resonate(x: np.ndarray, a: float, b: float):
    one = two = 0.0
    y = np.empty(len(x))
    for t in range(len(x)):
        one, two = a * one - b * two + x[t], one
        y[t] = one
    return y
"""

_RING_AFTER = """\
import numpy as np
from auditor.kernels import associative_scan


def resonate(x: np.ndarray, a: float, b: float):
    one = two = 0.0
    y = np.empty(len(x))

    def step(state, element):
        one, two = state
        a00, a01, a10, a11, b0, b1 = element
        return a00 * one + a01 * two + b0, a10 * one + a11 * two + b1

    def combine(first, second):  # the element that does both in turn
        a00_1, a01_1, a10_1, a11_1, b0_1, b1_1 = first
        a00_2, a01_2, a10_2, a11_2, b0_2, b1_2 = second
        return (
            a00_2 * a00_1 + a01_2 * a10_1,
            a00_2 * a01_1 + a01_2 * a11_1,
            a10_2 * a00_1 + a11_2 * a10_1,
            a10_2 * a01_1 + a11_2 * a11_1,
            a00_2 * b0_1 + a01_2 * b1_1 + b0_2,
            a10_2 * b0_1 + a11_2 * b1_1 + b1_2,
        )

    ones, _ = associative_scan(
        combine, (a, -b, 1, 0, x, 0), dim=0, step=step, initial_state=(0.0, 0.0)
    )
    y[:] = ones
    return y
"""
_RING_CASES = "(np.sin(np.arange(150.0)), 1.2, 0.5), (np.ones(1), 0.3, 0.1)"

_CHART = """\
import numpy as np


def cusum(x: np.ndarray, slack: float):
    chart = np.zeros_like(x)
    high = 0.0
    for t in range(len(x)):
        high = np.maximum(high + x[t] - slack, 0)
        chart[t] = high
    return chart
"""

_CHART_AFTER = """\
import numpy as np
from auditor.kernels import associative_scan


def cusum(x: np.ndarray, slack: float):
    chart = np.zeros_like(x)
    high = 0.0

    def step(high, element):
        shift, low = element
        return np.maximum(high + shift, low)

    def combine(first, second):  # the element that does both in turn
        shift1, low1 = first
        shift2, low2 = second
        return shift1 + shift2, np.maximum(low1 + shift2, low2)

    chart[:] = associative_scan(
        combine, (x - slack, 0), dim=0, step=step, initial_state=0.0
    )
    return chart
"""
_CHART_CASES = "(np.sin(np.arange(150.0)), 0.1), (np.ones(1), 0.3)"

_QUEUE = """\
import torch


def wait(x: torch.Tensor):
    (length,) = x.shape
    queue = torch.zeros(())
    for t in range(length):
        queue = max(queue + x[t], 0)
    return queue
"""

REWRITE = Rewrite(
    code="ASC104",
    name="associative-scan",
    summary="a recurrence whose steps compose in closed form runs as one scan",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop",),
    kernel="auditor.kernels.associative_scan",
    becomes="associative_scan(combine, elements, dim=..., step=step)",
    examples=(
        Example("a bucket that overflows and runs dry", _BUCKET, _BUCKET_AFTER, _BUCKET_CASES),
        Example("a second-order filter", _FILTER, _FILTER_AFTER, _FILTER_CASES),
        Example("the same of arrays", _RING, _RING_AFTER, _RING_CASES),
        Example("a control chart of an array", _CHART, _CHART_AFTER, _CHART_CASES),
    ),
    refused=(
        RefusedExample(
            "effects",
            _BUCKET.replace("        out.append", "        print(t)\n        out.append"),
        ),
        RefusedExample(
            "rounding",
            _BUCKET.replace(
                "        out.append", "        level = level.half()\n        out.append"
            ),
        ),
        RefusedExample("steps", _BUCKET.replace("range(length)", "range(16)")),
        RefusedExample("type", _QUEUE),
        RefusedExample(
            "bounds",
            _BUCKET.replace("x, level", "x, starts, level").replace(
                "torch.clamp(level + x[:, t], 0.0, 1.0)",
                "torch.where(starts[:, t], x[:, t], torch.maximum(level, x[:, t]))",
            ),
        ),
        RefusedExample(
            "list-use",
            _BUCKET.replace("    return torch.stack(out, dim=1)", "    return out, level"),
        ),
    ),
    unmatched=(
        _BUCKET.replace("level + x[:, t]", "torch.tanh(level) + x[:, t]"),
        _BUCKET.replace("level + x[:, t]", "level * level + x[:, t]"),
        _BUCKET.replace("level + x[:, t], 0.0, 1.0", "level + x[:, t], -level, 1.0"),
        _FILTER.replace("b * two", "b * two * one"),
        _CHART.replace("x[t] - slack", "high * high"),
    ),
)
