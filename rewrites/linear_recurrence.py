"""First-order linear recurrences, as one scan.

Finds loops that carry ``h = a * h + b`` along any axis, ``a`` and ``b`` free of ``h``: moving
averages, discounted returns, generalised advantage estimation, gated and diagonal linear
recurrences, decays, first-order filters; forward or reversed; with outputs collected in a list,
written into an array or in place, or only the last value used.

Legal because each step is an affine map of the state: (a2, b2) . (a1, b1) = (a2 a1, a2 b1 + b2) is
associative with identity (1, 0). The coefficients are read off by interpreting the body once with
the state as a generic element; anything not affine in it (``tanh(h)``, ``h * h``) is no match.

Pays where a step is small: the loop launches several operations a step, the scan one for all.

Safe means: equal up to the order of floating-point operations, gradients and final state included.

Sources: Blelloch, "Prefix Sums and Their Applications" (1990); Martin and Cundy, "Parallelizing
Linear Recurrent Neural Nets Over Sequence Length" (2018).
"""

from __future__ import annotations

from auditor.algebra.affine import affine_in
from auditor.algebra.states import Dependence
from auditor.emit import CannotRender, Piece, Renderer
from auditor.loop_rewrite import LoopRegion, reversed_step, steps_backward
from auditor.notation import ONE, ZERO, Const, Index, Read, Term, Trace, walk
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.verdict import Edit


def find(site: Site) -> Match | None:
    """The match of a loop, or None. Raises ``Refused``."""
    if site.loop is None:
        return None
    region = LoopRegion(site)
    key = _carried(region)
    if key is None:
        return None
    state = site.loop.states[key]
    form = affine_in(region.final_element(key), [state])
    if form is None or not form.diagonal or len(form.coefficients) != 1:
        return None
    (factor,) = form.coefficients.values()
    if factor is ONE or _is(factor, 1) or form.constant is ZERO:
        return None
    if not _walks(region, factor, form.constant):
        return None
    return _emit(site, region, key, factor, form.constant)


def _carried(region: LoopRegion) -> str | None:
    """The one carried value whose update reads a state; None when there are others."""
    states = frozenset(region.loop.states.values())
    mentions = Dependence().mentions
    reading = [c.name for c in region.scan.carries if mentions(c.update, states)]
    if len(reading) != 1:
        return None
    (key,) = reading
    others = states - {region.loop.states[key]}
    update = next(carry.update for carry in region.scan.carries if carry.name == key)
    return None if mentions(update, others) else key


def _is(term: Term, number: int) -> bool:
    return isinstance(term, Const) and term.value == number


def _walks(region: LoopRegion, *terms: Term) -> bool:
    """Whether the recurrence runs over something that moves with the loop."""
    return any(region.step in walk(region.inlined(term)) for term in terms)


def _emit(site: Site, region: LoopRegion, key: str, factor: Term, rest: Term) -> Match:
    region.check_loop()
    plan = _Plan(site, region, key, factor, rest)
    try:
        edits = plan.edits()
    except CannotRender as problem:
        site.require(False, "names", str(problem))
        raise AssertionError("a waived condition still needs code") from problem
    name = key.partition("[")[0]
    return Match(
        span=region.loop.span,
        message=f"`{name}` is a linear recurrence: each step is an affine map of the one before",
        computation=site.computation,
        edits=tuple(edits),
        imports=(("auditor.kernels", "linear_scan"),),
        numerics="conditioned" if _conditioned(factor) else "reassociated",
        reason=region.stated_assumptions(plan.assumptions),
        kernel="auditor.kernels.linear_scan",
    )


def _conditioned(factor: Term) -> bool:
    """A constant factor above one amplifies rounding from step to step."""
    if not isinstance(factor, Const) or not isinstance(factor.value, (int, float)):
        return False
    return abs(factor.value) > 1


class _Plan:
    """The code that replaces the loop."""

    def __init__(self, site: Site, region: LoopRegion, key: str, factor: Term, rest: Term) -> None:
        self.site, self.region, self.key = site, region, key
        self.loop = region.loop
        self.state = self.loop.states[key]
        self.step = region.step
        self.factor, self.rest = factor, rest
        self.reverse = steps_backward([region.inlined(t) for t in (self.factor, self.rest)],
                                      self.step)  # fmt: skip
        self.assumptions: list[str] = []

    def edits(self) -> list[Edit]:
        region = self.region
        stacks = region.lists()
        self.site.require(
            len(stacks) + len(self.loop.written) <= 1, "outputs", "the loop has several outputs"
        )
        finals = [name for name in region.finals() if name == self.key]
        strange = [name for name in region.finals() if name != self.key]
        self.site.require(
            not strange,
            "outputs",
            f"`{', '.join(strange)}` of the last step is used after the loop",
        )
        position = self._position(stacks)
        order = list(self.state.axes)
        order.insert(position, self.step)
        inline = bool(stacks) and not finals and region.adjoins(stacks[0].call)
        statement = region.statement_of(stacks[0].call) if inline else region.node
        renderer = region.renderer(tuple(order), statement)
        call = self._call(renderer, tuple(order), position, finals)
        self.assumptions.extend(renderer.assumptions)
        region.require_tensors(self.site, self.factor, self.rest)
        if stacks:
            return self._into_list(stacks[0], call, order, renderer, finals, inline, position)
        if self.loop.written:
            return self._into_array(call, order, renderer, finals, position)
        region.site.require(bool(finals), "outputs", "nothing of the loop is used")
        lines = [*renderer.lines, f"_, {self.key} = {call}"]
        return [region.replace_lines(region.node, lines)]

    def _position(self, stacks) -> int:  # type: ignore[no-untyped-def]
        """Where the loop's axis goes among the state's: where the outputs have it, else where the
        inputs do."""
        if stacks and len(stacks[0].items.axes) == len(self.state.axes):
            return self.region.stack_position(stacks[0])
        for write in self.loop.written.values():
            return sum(1 for item in write.items[: write.axis])
        for term in (self.rest, self.factor):
            for node in walk(self.region.inlined(term)):
                if isinstance(node, Read) and len(node.subs) == len(self.state.axes) + 1:
                    for position, sub in enumerate(node.subs):
                        if self.step in set(walk(sub)):
                            return position
        return 0

    def _call(
        self, renderer: Renderer, order: tuple[Index, ...], position: int, finals: list[str]
    ) -> str:
        factor, rest = self.factor, self.rest
        if self.reverse:
            renderer.reindex = lambda term: reversed_step(term, self.step)
            factor, rest = renderer.reindex(factor), renderer.reindex(rest)
        a, b = renderer.array(factor), renderer.array(rest)
        axes = {axis for piece in (a, b) for axis in piece.axes}
        if axes != set(order):
            missing = [axis.name for axis in order if axis not in axes]
            raise CannotRender(f"the coefficients have no axis `{', '.join(missing)}`")
        first, second = renderer.spread(a, order).text, renderer.spread(b, order).text
        groups = [p for p, axis in enumerate(order) if axis.group]
        dim = position if not groups or position < groups[0] else position - len(order)
        args = [first, second, *self.region.initial_arguments(self.key, self.region.node)]
        args.append(f"dim={dim}")
        if self.reverse:
            args.append("reverse=True")
        if finals:
            args.append("output_final_state=True")
        return f"linear_scan({', '.join(args)})"

    def _into_list(self, stacked, call, order, renderer, finals, inline, position):  # type: ignore[no-untyped-def]
        items = stacked.items
        if self.reverse and not items.reverse:
            raise CannotRender("the list holds a reversed loop's outputs last to first")
        if items.reverse and not self.reverse:
            raise CannotRender("the list holds a forward loop's outputs last to first")
        trace = self._trace(items.element)
        known = {trace: (call, self._at(order, trace))}
        text, lines = self.region.element_text(
            stacked, known, self.region.statement_of(stacked.call) if inline else self.region.node,
            bool(finals),
        )  # fmt: skip
        return list(
            self.region.replace_loop(
                stacked, text, [*renderer.lines, *lines], finals, call, self.key, inline
            )
        )

    def _trace(self, element: Term) -> Trace:
        """The one way in which an output reads the state: after its step."""
        traces = {node for node in walk(element) if isinstance(node, Trace)}
        if len(traces) != 1:
            raise CannotRender("an output reads the state before and after a step")
        (trace,) = traces
        if trace.step is not self.step or not all(isinstance(s, Index) for s in trace.subs):
            raise CannotRender("an output reads the state of another step")
        return trace

    def _at(self, order, trace: Trace) -> tuple[Index, ...]:  # type: ignore[no-untyped-def]
        """The layout of the scan in the indices of the output."""
        rename = dict(zip(self.state.axes, trace.subs, strict=True))
        return tuple(rename.get(axis, axis) for axis in order)

    def _into_array(self, call, order, renderer, finals, position):  # type: ignore[no-untyped-def]
        ((name, write),) = self.loop.written.items()
        assert write.value is not None
        axes = self.region.lifted.lifter.ops.fresh(write.value.axes)
        element = self.region.traced(write.value, axes)
        trace = self._trace(element)
        layout = [*axes]
        layout.insert(write.axis, self.step)
        inner = self.region.renderer(tuple(layout), self.region.node)
        inner.known.update(renderer.known)
        hs = f"{self.key.partition('[')[0]}s" if finals else call
        inner.known[trace] = inner.arranged(Piece(hs, self._at(order, trace)))
        piece = inner.array(element)
        if piece.axes != tuple(layout):
            raise CannotRender("an output without one of its axes")
        target = f"{name}[{self.region.written_slice(write, self.reverse)}]"
        lines = [*renderer.lines, *inner.lines]
        if finals:
            lines.append(f"{hs}, {self.key} = {call}")
        lines.append(f"{target} = {piece.text}")
        return [self.region.replace_lines(self.region.node, lines)]


_EMA = """\
import torch


def smooth(x, alpha: float):
    batch, length, channels = x.shape
    h = x[:, 0]
    out = []
    for t in range(length):
        h = alpha * h + (1 - alpha) * x[:, t]
        out.append(h)
    return torch.stack(out, dim=1)
"""

_EMA_AFTER = """\
import torch
from auditor.kernels import linear_scan


def smooth(x, alpha: float):
    batch, length, channels = x.shape
    h = x[:, 0]
    return linear_scan(alpha, (1 - alpha) * x, initial_state=h, dim=1)
"""

_EMA_CASES = "(torch.rand(2, 7, 3), 0.9)"

REWRITE = Rewrite(
    code="ASC101",
    name="linear-recurrence",
    summary="a first-order linear recurrence runs as one scan",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    kernel="auditor.kernels.linear_scan",
    becomes="linear_scan(a, b, dim=...)",
    examples=(Example("a moving average", _EMA, _EMA_AFTER, _EMA_CASES),),
    refused=(
        RefusedExample(
            "effects", _EMA.replace("        out.append", "        print(t)\n        out.append")
        ),
        RefusedExample(
            "list-use", _EMA.replace("    return torch.stack(out, dim=1)", "    return out")
        ),
    ),
    unmatched=(
        _EMA.replace("alpha * h +", "torch.tanh(alpha * h) +"),
        _EMA.replace("alpha * h +", "h * h +"),
    ),
)
