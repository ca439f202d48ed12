"""The selective state-space loop of Mamba, as one fused scan.

Finds ``h = exp(delta * A) * h + B * x`` with ``y = sum_n C * h`` collected at every step, whatever
the order of the axes, however the discretised coefficients were built (broadcast, einsum, named
before the loop or inside it) and whatever is added to ``y`` afterwards.

Legal because each step is an affine map of the state: (a2, b2) . (a1, b1) = (a2 a1, a2 b1 + b2) is
associative with identity (1, 0), so the sequence may be cut anywhere. The coefficients are rank 1
over (sequence, channel) x state, so that the (B, L, D, N) arrays need not exist.

Pays nearly always: the loop launches some six operations a step, and writes what the fused kernel
keeps in registers.

Safe means: equal up to the order of floating-point sums, gradients included, final state included.

Sources: Gu and Dao, "Mamba: Linear-Time Sequence Modeling with Selective State Spaces" (2023);
Blelloch, "Prefix Sums and Their Applications" (1990).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from auditor.algebra.affine import affine_in
from auditor.notation import (
    Apply,
    Index,
    Read,
    Reduce,
    Term,
    Trace,
    Value,
    definition,
    free_indices,
    substitute,
    walk,
)
from auditor.recurrences.distribution import LoopCode, Special
from auditor.recurrences.initial_states import initial_laid, turn_back
from auditor.recurrences.layouts import Layouts
from auditor.recurrences.outputs import edits_of
from auditor.recurrences.read_later import ReadLater, read_later
from auditor.recurrences.recurrence import LoopRegion, reversed_step
from auditor.recurrences.walked_tensors import require_tensors, walks_numpy
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.writing.emit import Renderer
from auditor.writing.pieces import CannotRender, Piece, UnknownRank

_KERNEL = "auditor.kernels.selective_scan"


@dataclass(frozen=True)
class _Roles:
    """Which index is which: batch, sequence, channel, state."""

    batch: Index
    step: Index
    channel: Index
    state: Index


def _flat(term: Term, small: Iterable[frozenset[Index]]) -> list[Term]:
    """Multiplicative factors; a named value is opened only where it spans more than one of the
    index sets in ``small``."""
    allowed = list(small)
    if isinstance(term, Apply) and term.op == "mul":
        return [factor for arg in term.args for factor in _flat(arg, allowed)]
    if isinstance(term, Read) and term.value.body is not None:
        spans = free_indices(term)
        if not any(spans <= group for group in allowed):
            inner = definition(term)
            if inner is not None:
                return _flat(inner, allowed)
    return [term]


def _exponent(term: Term) -> Term | None:
    """``x`` of ``exp(x)``, through named values."""
    while isinstance(term, Read) and term.value.body is not None:
        inner = definition(term)
        if inner is None:
            return None
        term = inner
    return term.args[0] if isinstance(term, Apply) and term.op == "exp" else None


def _grouped(
    factors: list[Term], groups: list[frozenset[Index]], constants: int
) -> list[list[Term]] | None:
    """Each factor in the first group that holds all its indices; None when one fits nowhere."""
    found: list[list[Term]] = [[] for _ in groups]
    for factor in factors:
        spans = free_indices(factor)
        if not spans:
            found[constants].append(factor)
            continue
        for position, group in enumerate(groups):
            if spans <= group:
                found[position].append(factor)
                break
        else:
            return None
    return found


def _roles(axes: tuple[Index, ...], step: Index, rate: Term) -> _Roles | None:
    """Read the roles off the exponent: it is a product of something over the sequence and of
    something over (channel, state) alone."""
    for state in axes:
        for channel in axes:
            if channel is state:
                continue
            (batch,) = [axis for axis in axes if axis not in (state, channel)]
            sets = [frozenset((batch, step, channel)), frozenset((channel, state))]
            grouped = _grouped(_flat(rate, sets), sets, 1)
            if grouped is None:
                continue
            spans = [frozenset().union(*map(free_indices, group)) for group in grouped]
            if spans[0] == sets[0] and spans[1] == sets[1]:
                return _Roles(batch, step, channel, state)
    return None


def find(site: Site) -> Match | None:
    """The match of a loop, or None. Raises ``Refused``."""
    if site.loop is None or len(site.loop.finals) != 1:
        return None
    region = LoopRegion(site)
    ((key, state),) = [(k, site.loop.states[k]) for k in site.loop.finals]
    axes = state.axes
    if len(axes) != 3 or any(axis.group for axis in axes):
        return None
    form = affine_in(site.loop.scan.carries[0].update, [state])
    if form is None or not form.diagonal(state.axes) or len(form.coefficients) != 1:
        return None
    rate = _exponent(next(iter(form.coefficients.values())))
    if rate is None:
        return None
    roles = _roles(axes, region.step, rate)
    if roles is None:
        return None
    parts = _coefficients(rate, form.constant, roles)
    if parts is None:
        return None
    later: ReadLater | None = None
    output = _output(region, state, roles, region.elements())
    if output is None:
        later = read_later(region)
        output = _output(region, state, roles, [later.element]) if later is not None else None
    if output is None:
        return None
    return _emit(site, region, key, roles, parts, output, later)


def _coefficients(rate: Term, rest: Term, roles: _Roles) -> dict[str, list[Term]] | None:
    """delta, A, B and x as lists of factors."""
    b, t, d, n = roles.batch, roles.step, roles.channel, roles.state
    sets = [frozenset((b, t, d)), frozenset((d, n))]
    exponent = _grouped(_flat(rate, sets), sets, 1)
    entry_sets = [frozenset((b, t, d)), frozenset((b, t, n))]
    entry = _grouped(_flat(rest, entry_sets), entry_sets, 0)
    if exponent is None or entry is None:
        return None
    full = [frozenset().union(*map(free_indices, group)) for group in entry]
    if full != entry_sets:
        return None
    return {"delta": exponent[0], "A": exponent[1], "x": entry[0], "B": entry[1]}


@dataclass(frozen=True)
class _Output:
    """The output: the read-out ``sum_n C h`` inside it, the factors of C, and the indices under
    which it reads the state (role to index)."""

    readout: Reduce
    weights: list[Term]
    rename: dict[Index, Index]


def _output(
    region: LoopRegion, state: Value, roles: _Roles, elements: list[Term]
) -> _Output | None:
    """The one output that holds ``sum_n C h`` and does not read the state otherwise."""
    reading = [element for element in elements if _traces(element)]
    if len(reading) != 1:
        return None
    (element,) = reading
    readouts = [
        node
        for node in walk(element)
        if isinstance(node, Reduce) and node.op == "sum" and _traces(node.body)
    ]
    if len(readouts) != 1:
        return None
    readout = readouts[0]
    rename = _match_axes(readout, state, region, roles)
    if rename is None:
        return None
    within = set(walk(readout))
    if any(isinstance(node, Trace) and node not in within for node in walk(element)):
        return None
    sets = [frozenset((rename[roles.batch], roles.step, readout.index))]
    every = _flat(readout.body, sets)
    factors = [f for f in every if not isinstance(f, Trace)]
    if len(factors) != len(every) - 1 or any(map(_traces, factors)):
        return None  # the state is no factor, or one more than once
    grouped = _grouped(factors, sets, 0)
    if grouped is None or frozenset().union(*map(free_indices, grouped[0])) != sets[0]:
        return None
    return _Output(readout, grouped[0], rename)


def _traces(term: Term) -> bool:
    return any(isinstance(node, Trace) for node in walk(term))


def _match_axes(
    readout: Reduce, state: Value, region: LoopRegion, roles: _Roles
) -> dict[Index, Index] | None:
    """The indices under which the read-out reads the state: role -> index of the output."""
    traces = [node for node in walk(readout.body) if isinstance(node, Trace)]
    if len(traces) != 1 or traces[0].step is not region.step:
        return None
    subs = traces[0].subs
    if not region.whole(subs, state.axes) or len(set(subs)) != len(subs):
        return None
    rename = dict(zip(state.axes, subs, strict=True))
    if rename[roles.state] is not readout.index:
        return None
    return rename  # type: ignore[return-value]


def _emit(
    site: Site,
    region: LoopRegion,
    key: str,
    roles: _Roles,
    parts: dict[str, list[Term]],
    output: _Output,
    later: ReadLater | None,
) -> Match:
    region.check_loop()
    assert site.loop is not None
    message = (
        f"`{site.loop.states[key].name}` is a selective scan: each step is an affine map of the"
        " state, so the steps combine in any grouping"
    )
    if not region.has_torch() or walks_numpy(region):
        return Match(site.loop.span, message, site.computation, kernel=_KERNEL)
    region.require_one_type(site)
    try:
        try:
            code = _reading(LoopCode(site, region), later)
            edits = edits_of(code, _call(code, region, key, roles, parts, output))
        except UnknownRank:
            code = _reading(LoopCode(site, region, leading=True), later)
            edits = edits_of(code, _call(code, region, key, roles, parts, output))
    except CannotRender as problem:
        site.require(False, "names", str(problem))
        raise AssertionError("waived conditions still need code") from problem
    update = site.loop.scan.carries[0].update
    code.assumptions.extend(require_tensors(region, site, update))
    edits = later.edits(region, edits) if later is not None else edits
    return Match(
        span=site.loop.span,
        message=message,
        computation=site.computation,
        edits=edits,
        imports=region.imports("selective_scan", edits),
        reason=region.stated_assumptions(code.assumptions, code.ranks),
        safe=code.ranks != "uncertain",
        kernel=_KERNEL,
    )


def _reading(code: LoopCode, later: ReadLater | None) -> LoopCode:
    """The code of a loop as if it had read the states out itself."""
    if later is not None:
        if code.reverse:
            raise CannotRender("the states are read out backwards")
        code.stacks = [later.stacked]
        code.layouts = Layouts(code.region, code.stacks, code.writes, code.leading)
    return code


def _call(
    code: LoopCode,
    region: LoopRegion,
    key: str,
    roles: _Roles,
    parts: dict[str, list[Term]],
    output: _Output,
) -> Special:
    """Write the call; what reads ``sum_n C h`` reads its result."""
    b, t, d, n = roles.batch, roles.step, roles.channel, roles.state
    rename = output.rename
    backward = ".flip(1)" if code.reverse else ""
    args = [
        _array(code, (b, t, d), parts["x"], backward),
        _array(code, (b, t, d), parts["delta"], backward),
        _array(code, (d, n), parts["A"], ""),
        _array(code, (b, t, n), parts["B"], backward),
        _array(code, (rename[b], t, output.readout.index), output.weights, backward),
        *initial_laid(code, code.slots[key], (b, d, n)),
    ]
    final = key if key in code.finals else None
    if final is not None:
        args.append("output_final_state=True")
    call = f"selective_scan({', '.join(args)})"
    name = code.introduce("y", call, also=final)
    if final is not None:
        turn_back(code, final, code.slots[key], (b, d, n))
    readout = reversed_step(output.readout, t) if code.reverse else output.readout
    assert isinstance(readout, Reduce)

    def special(term: Term, renderer: Renderer) -> Piece | None:
        here = _as_read(readout, term, (rename[b], rename[d]))
        if here is None:
            return None
        return renderer.arranged(Piece(f"{name}{backward}", (here[0], t, here[1])))

    return special


def _as_read(readout: Reduce, term: Term, axes: tuple[Index, Index]) -> tuple[Index, Index] | None:
    """The indices under which ``term`` is the read-out, for those of the batch and the channel:
    what is written is traced anew with axes of its own."""
    if not isinstance(term, Reduce) or term.op != "sum":
        return None
    mine, others = _trace(readout), _trace(term)
    if mine is None or others is None or len(mine.subs) != len(others.subs):
        return None
    by: dict[Term, Term] = dict(zip(mine.subs, others.subs, strict=True))
    if by.get(readout.index) is not term.index or substitute(readout.body, by) is not term.body:
        return None
    first, second = (by[axis] for axis in axes)
    if not isinstance(first, Index) or not isinstance(second, Index):
        return None
    return first, second


def _trace(term: Reduce) -> Trace | None:
    traces = [node for node in walk(term.body) if isinstance(node, Trace)]
    return traces[0] if len(traces) == 1 else None


def _array(code: LoopCode, order: tuple[Index, ...], factors: list[Term], backward: str) -> str:
    """The product of ``factors`` as an argument, laid out in ``order``."""
    term = factors[0] if len(factors) == 1 else Apply("mul", tuple(factors))
    renderer = code.renderer(order)
    piece = renderer.array(renderer.reindex(term))
    code.collect(renderer)
    if piece.axes != order:
        raise CannotRender(f"`{piece.text}` has not all its axes")
    return f"{piece.inside(6)}{backward}" if backward else piece.text


_BEFORE = """\
import torch


def scan(x, delta, A, B, C):
    batch, length, channels = x.shape
    h = torch.zeros(batch, channels, A.shape[1])
    outputs = []
    for t in range(length):
        A_bar = torch.exp(delta[:, t, :, None] * A)
        h = A_bar * h + B[:, t, None, :] * x[:, t, :, None]
        outputs.append((C[:, t, None, :] * h).sum(dim=-1))
    return torch.stack(outputs, dim=1)
"""

_AFTER = """\
import torch
from auditor.kernels import selective_scan


def scan(x, delta, A, B, C):
    batch, length, channels = x.shape
    h = torch.zeros(batch, channels, A.shape[1])
    return selective_scan(
        x, delta[:, :length], A, B[:, :length], C[:, :length], initial_state=h
    )
"""

_RATES = (
    "(torch.rand(2, 7, 3), torch.rand(2, 7, 3), -torch.rand(3, 4), torch.rand(2, 7, 4),"
    " torch.rand(2, 7, 4))"
)

REWRITE = Rewrite(
    code="ASC102",
    name="selective-scan",
    summary="a selective state-space loop runs as one fused scan",
    doc=__doc__,
    properties=("associativity", "separability"),
    find=find,
    seeks=("loop",),
    kernel=_KERNEL,
    becomes="selective_scan(x, delta, A, B, C)",
    examples=(Example("the loop of the paper", _BEFORE, _AFTER, _RATES),),
    refused=(
        RefusedExample(
            "effects",
            _BEFORE.replace("        outputs.append", "        print(t)\n        outputs.append"),
        ),
        RefusedExample(
            "rounding", _BEFORE.replace("        outputs", "        h = h.half()\n        outputs")
        ),
        RefusedExample(
            "list-use",
            _BEFORE.replace("    return torch.stack(outputs, dim=1)", "    return outputs"),
        ),
        RefusedExample(
            "names",
            _BEFORE.replace("    return torch", "    x = A_bar\n    return torch"),
        ),
    ),
    unmatched=(
        _BEFORE.replace("A_bar * h +", "torch.tanh(h) +"),
        _BEFORE.replace("A_bar * h +", "A_bar * (h + 1).abs() +"),
    ),
)
