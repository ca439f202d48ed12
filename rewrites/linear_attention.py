"""Linear attention and its relatives, in chunks of matrix products.

Finds loops whose state is a matrix that decays, takes in an outer product of a key and a value at
every step, ``S = a * S + k v^T``, and is read by a query, ``o = q S``: linear transformers,
retention, Mamba-2, gated linear attention, RWKV (with the state read before its update, and a
bonus for the step's own key); however the products are spelled, in whatever order the axes are,
batched or not, with a normaliser ``z = z + k`` beside it. What else is done with ``o`` stays.

The delta rule too (DeltaNet, gated DeltaNet, the rule of Widrow and Hoff), whose steps first take
back what the matrix answers to the key: ``S = a * S - beta k (k a S) + beta k v^T``. Its transition
is dense, but over a chunk of C steps it is the identity plus C outer products.

Legal because each step is an affine map of the state: (a2, b2) . (a1, b1) = (a2 a1, a2 b1 + b2) is
associative with identity (1, 0), so the sequence may be cut into chunks. The update is of rank 1
and the state is summed over as soon as it is read, so that inside a chunk only products of queries
with keys are needed, and the states of all steps are never there.

Pays nearly always: the loop reads and writes the whole matrix at every step.

Safe means: equal up to the order of floating-point sums, gradients and final state included.

Sources: Katharopoulos et al., "Transformers are RNNs" (2020); Sun et al., "Retentive Network"
(2023); Yang et al., "Gated Linear Attention Transformers with Hardware-Efficient Training" (2024);
Yang et al., "Parallelizing Linear Transformers with the Delta Rule over Sequence Length" (2024).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from auditor.algebra.affine import affine_in, divided, factors, is_number, plus, times
from auditor.algebra.normal import equal
from auditor.algebra.states import Dependence
from auditor.assumed import listed
from auditor.notation import ONE, Apply, Index, Read, Term, Value, free_indices, substitute, walk
from auditor.recurrences.coefficients import (
    NotLinear,
    coefficients,
    let_go,
    regrouped,
    summed_alike,
)
from auditor.recurrences.distribution import LoopCode, plainest
from auditor.recurrences.initial_states import initial_laid, turn_back
from auditor.recurrences.outputs import edits_of
from auditor.recurrences.readouts import (
    Readout,
    certain_indices,
    innermost_readouts,
    outer_factors,
    readout,
    without_ones,
)
from auditor.recurrences.recurrence import LoopRegion, reversed_step
from auditor.recurrences.walked_tensors import require_tensors, walks_numpy
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.verdict import Edit
from auditor.writing.emit import Renderer
from auditor.writing.pieces import CannotRender, Piece


@dataclass(frozen=True)
class _Memory:
    """A carried matrix: its axes by role, and the factors of its update over them. With a ``rate``
    each step corrects what the decayed matrix answers to the key."""

    slot: int
    batch: tuple[Index, ...]
    row: Index
    column: Index
    key: Term
    value: Term
    decay: Term | None
    rate: Term | None = None

    @property
    def kernel(self) -> str:
        return "linear_attention" if self.rate is None else "delta_rule"


def find(site: Site) -> Match | None:
    """The match of a loop, or None. Raises ``Refused``."""
    if site.loop is None or not any(len(s.axes) > 1 for s in site.loop.states.values()):
        return None
    if not site.loop.finals or any(key.endswith("[cell]") for key in site.loop.finals):
        return None
    region = LoopRegion(site)
    slots = [
        slot for slot, carry in enumerate(region.scan.carries)
        if len(carry.state.axes) > 1 and not any(axis.group for axis in carry.state.axes)
    ]  # fmt: skip
    if not slots:
        return None
    elements = region.elements()
    found = {slot: _readouts(region, elements, slot) for slot in slots}
    memories = [
        memory for slot, readouts in found.items()
        if readouts and (memory := _memory(region, slot, readouts)
                         or _corrected(region, slot, readouts)) is not None
    ]  # fmt: skip
    if not memories:
        dense = [slot for slot, readouts in found.items() if readouts and _dense(region, slot)]
        return _dense_advice(site, region, dense[0]) if dense else None
    region.check_loop()
    names = listed(f"`{_name(region, memory.slot)}`" for memory in memories)
    what = "linear attention" if memories[0].rate is None else "the delta rule"
    message = (
        f"{names}: {what}, a matrix that takes in outer products and is only read by"
        " queries; each step is an affine map of it, and chunks of steps are matrix products"
    )
    kernel = f"auditor.kernels.{memories[0].kernel}"
    if not region.has_torch() or walks_numpy(region):
        return Match(region.loop.span, message, site.computation, kernel=kernel)
    region.require_one_type(site)
    try:
        summed = [
            sentence for memory in memories
            for sentence in summed_alike(region, memory.slot, found[memory.slot] or [])
        ]  # fmt: skip
        code, edits = plainest(site, region, lambda code: _written(code, memories))
        for memory in memories:
            summed += [*let_go(region, memory.slot), *regrouped(region, memory.slot)]
    except NotLinear:
        return None
    except CannotRender as problem:
        site.require(False, "names", str(problem))
        raise AssertionError("a waived condition still needs code") from problem
    updates = [carry.update for carry in region.scan.carries]
    code.assumptions.extend(require_tensors(region, site, *updates))
    code.assumptions.extend(summed)
    return Match(
        span=region.loop.span,
        message=message,
        computation=site.computation,
        edits=edits,
        imports=_imports(region, code, edits, memories),
        reason=region.stated_assumptions(code.assumptions),
        kernel=kernel,
    )


def _name(region: LoopRegion, slot: int) -> str:
    return region.scan.carries[slot].name.partition("[")[0]


def _imports(
    region: LoopRegion, code: LoopCode, edits: tuple[Edit, ...], memories: list[_Memory]
) -> tuple[tuple[str, str | None], ...]:
    first, *others = dict.fromkeys(memory.kernel for memory in memories)
    others.extend(["linear_scan"] if code.scans else [])
    return (
        *region.imports(first, edits),
        *(("auditor.kernels", other) for other in others),
    )


# ---------------------------------------------------------------------------------- what is found


def _readouts(region: LoopRegion, elements: list[Term], slot: int) -> list[Readout] | None:
    """How the outputs read a carried value; None where something else does, or they do otherwise
    than by sums over one of its axes, with weights of their own."""
    state = region.scan.carries[slot].state
    mentions = Dependence().mentions
    for other, carry in enumerate(region.scan.carries):
        if other != slot and mentions(carry.update, [state]):
            return None
    found: list[Readout] = []
    for element in elements:
        some = innermost_readouts(element, region.scan, slot, region.step)
        if some is None:
            return None
        found.extend(one for _, one in some)
    if any(one.index not in free_indices(region.inlined(one.weights)) for one in found):
        return None  # a plain sum over the axis asks for nothing
    return found if all(region.whole(one.subs, state.axes) for one in found) else None


def _memory(region: LoopRegion, slot: int, readouts: list[Readout]) -> _Memory | None:
    """A carried value as a matrix of outer products of which all ``readouts`` sum one axis."""
    state = region.scan.carries[slot].state
    rows = {state.axes[one.subs.index(one.index)] for one in readouts}
    if len(rows) != 1:
        return None
    (row,) = rows
    try:
        decay, rest = coefficients(region, slot)
    except NotLinear:
        return None
    if decay is None:
        return None
    for column in reversed(state.axes):
        place = state.axes.index(column)
        if column is row or column in certain_indices(decay):
            continue
        if any(one.subs[place] in free_indices(one.weights) for one in readouts):
            continue
        parts = outer_factors(rest, (row,), (column,))
        if parts is None or row not in free_indices(parts[0]):
            continue
        if column not in free_indices(parts[1]):
            continue
        if region.step not in free_indices(region.inlined(parts[0])):
            continue  # a filter that does not change with the steps
        batch = tuple(axis for axis in state.axes if axis not in (row, column))
        one = None if is_number(decay, 1) else decay
        return _Memory(slot, batch, row, column, *parts, one)
    return None


def _corrected(region: LoopRegion, slot: int, readouts: list[Readout]) -> _Memory | None:
    """A carried value as a matrix M of which each step takes back what it answers to a key, at some
    rate: ``M = a M - a rate k (k M) + rate k v``."""
    carry = region.scan.carries[slot]
    state = carry.state
    form = affine_in(region.final_element(carry.name), [state])
    if form is None or len(form.coefficients) != 2 or carry.name in region.loop.born:
        return None
    decay = next((c for place, c in form.coefficients.items() if place.at(state.axes)), None)
    place, taken = next((p, c) for p, c in form.coefficients.items() if not p.at(state.axes))
    taken = without_ones(taken)
    changed = [(a, sub) for a, sub in zip(state.axes, place.subs, strict=True) if a is not sub]
    if decay is None or len(place.bound) != 1 or [sub for _, sub in changed] != [*place.bound]:
        return None
    row, other = changed[0][0], place.bound[0]
    if any(one.before or state.axes[one.subs.index(one.index)] is not row for one in readouts):
        return None
    read = outer_factors(taken, (row,), (other,))
    asked = None if read is None else _over(other, read[1])
    if asked is None:
        return None
    key = substitute(asked, {other: row})
    for column in reversed(state.axes):
        parts = None if column is row else outer_factors(form.constant, (row,), (column,))
        value = None if parts is None else _over(column, parts[1])
        if parts is None or value is None or value is ONE:
            continue
        written = times(parts[0], _beside(column, parts[1]))
        rate = _rate(region, written, key, row)
        once = region.inlined(times(decay, written, asked))
        if rate is None or not equal(region.inlined(taken), Apply("neg", (once,))):
            continue
        if not free_indices(region.inlined(times(decay, rate))).isdisjoint((row, column)):
            continue
        if column in free_indices(region.inlined(key)):
            continue
        batch = tuple(axis for axis in state.axes if axis not in (row, column))
        one = None if is_number(decay, 1) else decay
        return _Memory(slot, batch, row, column, key, value, one, rate)
    return None


def _over(index: Index, term: Term) -> Term | None:
    """The factors that depend on an index, None where one is a divisor."""
    moving = [factor for factor in factors(term) if index in free_indices(factor.term)]
    if any(factor.inverse for factor in moving):
        return None
    return times(*(factor.term for factor in moving))


def _beside(index: Index, term: Term) -> Term:
    """The factors that do not depend on an index."""
    kept = [factor for factor in factors(term) if index not in free_indices(factor.term)]
    above = times(*(factor.term for factor in kept if not factor.inverse))
    below = times(*(factor.term for factor in kept if factor.inverse))
    return above if is_number(below, 1) else divided(above, below)


def _rate(region: LoopRegion, written: Term, key: Term, row: Index) -> Term | None:
    """What ``written`` has beside the key, without the axis ``row``."""
    for term in (written, region.inlined(written)):
        moving = _over(row, term)
        if moving is not None and equal(region.inlined(moving), region.inlined(key)):
            return _beside(row, term)
    return None


def _dense(region: LoopRegion, slot: int) -> bool:
    """Whether each step multiplies the state by a matrix."""
    state = region.scan.carries[slot].state
    form = affine_in(region.scan.carries[slot].update, [state])
    return form is not None and any(place.bound for place in form.coefficients)


def _dense_advice(site: Site, region: LoopRegion, slot: int) -> Match | None:
    """Advice: the steps compose, in products of dense matrices."""
    if region.loop.blocked is not None:
        return None
    return Match(
        region.loop.span,
        f"`{_name(region, slot)}`: an affine recurrence whose transition is a dense matrix, as in"
        " the delta rule (I - beta k k^T); its steps compose, in products of matrices, for which"
        " there is no kernel here",
        site.computation,
    )


# --------------------------------------------------------------------------------- what is written


@dataclass
class _Calls:
    """The calls of the kernel, one for each way in which the outputs read a memory."""

    code: LoopCode
    memories: list[_Memory]
    names: dict[str, str] = field(default_factory=dict)
    ended: set[int] = field(default_factory=set)

    def special(self, term: Term, renderer: Renderer) -> Piece | None:
        """A read-out as the result of its call, and what is added to it."""
        code = self.code
        forward = reversed_step(term, code.step) if code.reverse else term
        for memory in self.memories:
            one = readout(forward, code.scan, memory.slot, code.step)
            if one is None:
                continue
            piece = renderer.arranged(self.call(memory, one, renderer.order))
            if is_number(one.rest, 0):
                return piece
            # what the step adds on its own, beside the state
            held = Value(piece.text, tuple(axis for axis in piece.axes if axis is not None))
            renderer.known[Read(held, held.axes)] = piece
            return renderer.array(plus(Read(held, held.axes), renderer.reindex(one.rest)))
        return None

    def call(self, memory: _Memory, one: Readout, order: tuple[Index, ...]) -> Piece:
        """The name of a read-out for all steps."""
        code = self.code
        state = code.scan.carries[memory.slot].state
        here = dict(zip(state.axes, one.subs, strict=True))
        column = here[memory.column]
        among = {code.step, *(here[axis] for axis in memory.batch)}
        lead = tuple(axis for axis in order if axis in among)
        if len(lead) != len(among):
            raise CannotRender("the axes of the state and of what is read differ")
        there: dict[Term, Term] = dict(here.items())
        key, value = (substitute(term, there) for term in (memory.key, memory.value))
        dim = lead.index(code.step)
        args = [
            self.array((*lead, one.index), one.weights),
            self.array((*lead, one.index), key),
            self.array((*lead, column), value),
        ]
        if memory.rate is not None:
            args.append(self.array(lead, substitute(memory.rate, there)))
        if memory.decay is not None:
            decay = substitute(memory.decay, there)
            plain = memory.rate is None
            text = self.decay(decay, lead, one.index, column) if plain else self.array(lead, decay)
            args.append(f"decay={text}")
        if dim != 1:
            args.append(f"dim={dim}")
        if code.reverse:
            args.append("reverse=True")
        if one.before:
            args.append("exclusive=True")
        back = {index: axis for axis, index in here.items()}
        laid = (*(back[axis] for axis in lead if axis is not code.step), memory.row, memory.column)
        args.extend(initial_laid(code, memory.slot, laid))
        call = f"{memory.kernel}({', '.join(args)})"
        if call not in self.names:
            self.names[call] = self.introduce(memory, call, laid)
        return Piece(self.names[call], (*lead, column))

    def introduce(self, memory: _Memory, call: str, laid: tuple[Index, ...]) -> str:
        """Bind what a call returns, with the last state where it is read after the loop."""
        code = self.code
        final = None if memory.slot in self.ended else code.final_name(memory.slot)
        if final is None:
            return code.introduce("o", call)
        self.ended.add(memory.slot)
        name = code.introduce("o", f"{call[:-1]}, output_final_state=True)", also=final)
        turn_back(code, final, memory.slot, laid)
        return name

    def array(self, order: tuple[Index, ...], term: Term) -> str:
        """An argument, laid out in ``order`` but for axes that broadcast."""
        renderer, piece = self.piece(order, term)
        if piece.tail and order[0] is not self.code.step:
            raise CannotRender(f"the axes of `{piece.text}` are not known")
        return renderer.spread(piece, order).text

    def decay(self, term: Term, lead: tuple[Index, ...], row: Index, column: Index) -> str:
        """The decay with all axes of the state, those that it does not have of extent 1. What may
        have any number of axes is taken for a number; rows that may, broadcast otherwise in a step
        than all of them do. Raises ``CannotRender``."""
        number = self._number(term, {row, column})
        if number is not None:
            return number
        inside, whole = free_indices(term), (*lead, row, column)
        if column in inside:
            return self.array(whole, term)
        renderer, piece = self.piece((*lead, row) if row in inside else lead, term)
        if piece.tail:
            raise CannotRender(f"the axes of `{piece.text}` are not known")
        return renderer.spread(piece, whole).text

    def _number(self, term: Term, matrix: set[Index]) -> str | None:
        code = self.code
        for node in walk(code.region.inlined(term)):
            if not isinstance(node, Read) or not any(axis.group for axis in node.value.axes):
                continue
            if matrix.isdisjoint(free_indices(node)):
                continue
            name = code.name_at(node.value)
            placed = not all(axis.group for axis in node.value.axes)
            if name is None or node is not term or placed or code.step in set(walk(node)):
                raise CannotRender(f"nothing says how many axes `{name or term}` has")
            code.assumptions.append(f"`{name}` is a number")
            return name
        return None

    def piece(self, order: tuple[Index, ...], term: Term) -> tuple[Renderer, Piece]:
        renderer = self.code.renderer(order)
        piece = renderer.array(renderer.reindex(term))
        self.code.collect(renderer)
        return renderer, renderer.dropping_ones(piece) if None in piece.axes else piece


def _written(code: LoopCode, memories: list[_Memory]) -> tuple[Edit, ...]:
    calls = _Calls(code, memories)
    mine = {memory.slot for memory in memories}
    for slot in code.needed():
        if slot not in mine:
            code.sequence(slot)
    return edits_of(code, calls.special)


_RETENTION = """\
import torch


def retention(q, k, v, gamma: float):
    batch, length, heads, width = q.shape
    S = torch.zeros(batch, heads, width, v.shape[3])
    outputs = []
    for t in range(length):
        S = gamma * S + k[:, t, :, :, None] * v[:, t, :, None, :]
        outputs.append(torch.einsum("bhd,bhde->bhe", q[:, t], S))
    return torch.stack(outputs, dim=1)
"""

_RETENTION_AFTER = """\
import torch
from auditor.kernels import linear_attention


def retention(q, k, v, gamma: float):
    batch, length, heads, width = q.shape
    S = torch.zeros(batch, heads, width, v.shape[3])
    return linear_attention(
        q, k[:, :length], v[:, :length], decay=gamma, initial_state=S
    )
"""

_DELTA_RULE = """\
import torch


def delta_net(q, k, v, beta):
    batch, length, heads, width = q.shape
    S = torch.zeros(batch, heads, width, v.shape[3])
    outputs = []
    for t in range(length):
        missing = v[:, t] - torch.einsum("bhd,bhde->bhe", k[:, t], S)
        written = beta[:, t, :, None] * missing
        S = S + k[:, t, :, :, None] * written[:, :, None, :]
        outputs.append(torch.einsum("bhd,bhde->bhe", q[:, t], S))
    return torch.stack(outputs, dim=1)
"""

_DELTA_RULE_AFTER = """\
import torch
from auditor.kernels import delta_rule


def delta_net(q, k, v, beta):
    batch, length, heads, width = q.shape
    S = torch.zeros(batch, heads, width, v.shape[3])
    return delta_rule(
        q, k[:, :length], v[:, :length], beta[:, :length], initial_state=S
    )
"""

_RATED = (
    "(torch.randn(2, 20, 3, 4), torch.randn(2, 20, 3, 4) / 4, torch.randn(2, 20, 3, 5),"
    " torch.rand(2, 20, 3))"
)

_CASES = "(torch.randn(2, 7, 3, 4), torch.randn(2, 7, 3, 4), torch.randn(2, 7, 3, 5), 0.9)"

REWRITE = Rewrite(
    code="ASC103",
    name="linear-attention",
    summary="a loop over a matrix of outer products runs in chunks of matrix products",
    doc=__doc__,
    properties=("associativity", "separability"),
    find=find,
    seeks=("loop",),
    kernel="auditor.kernels.linear_attention",
    becomes="linear_attention(q, k, v, decay=a)",
    examples=(
        Example("retention", _RETENTION, _RETENTION_AFTER, _CASES),
        Example("delta_net", _DELTA_RULE, _DELTA_RULE_AFTER, _RATED),
    ),
    refused=(
        RefusedExample(
            "effects",
            _RETENTION.replace("        outputs.app", "        print(t)\n        outputs.app"),
        ),
        RefusedExample(
            "list-use",
            _RETENTION.replace("    return torch.stack(outputs, dim=1)", "    return outputs"),
        ),
        RefusedExample(
            "rounding",
            _RETENTION.replace("        outputs.app", "        S = S.half()\n        outputs.app"),
        ),
    ),
    unmatched=(
        _RETENTION.replace("gamma * S +", "torch.tanh(gamma * S) +"),
        _RETENTION.replace("gamma * S +", "gamma * S / S.norm() +"),
        _RETENTION.replace('bhd,bhde->bhe", q[:, t], S', 'bhd,bhde->bhde", q[:, t], S'),
    ),
)
