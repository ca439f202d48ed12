"""First-order linear recurrences, as one scan.

Finds loops that carry ``h = a * h + b`` along any axis, ``a`` and ``b`` free of ``h``: moving
averages, discounted returns, generalised advantage estimation, gated and diagonal linear
recurrences, decays, first-order filters; forward or reversed; with outputs collected in a list,
written into an array or in place, or only the last value used. Finds as well sums that are weighted
by powers of their distance, ``sum(g ** (k - t) * r[k] for k in range(t, n))``, anew for every t,
which are told.

Legal because each step is an affine map of the state: (a2, b2) . (a1, b1) = (a2 a1, a2 b1 + b2) is
associative with identity (1, 0). The coefficients are read off by interpreting the body once with
the state as a generic element; anything not affine in it (``tanh(h)``, ``h * h``) is no match.

Pays where a step is small: the loop launches several operations a step, the scan one for all. Of
arrays of NumPy a step takes 0.1 to 0.3 microseconds for each number that it computes, the call as
long as some hundred steps, and then some nanoseconds a step.

Safe means: equal up to the order of floating-point operations, gradients and final state included.
Arrays of NumPy give arrays of the very dtype that the loop gives: what nobody says the dtype of is
tried as each that it may be (NumPy 2's rules), and what would come out otherwise is excluded by an
assumption; states that are rounded or cut as they are written stay a loop.

Sources: Blelloch, "Prefix Sums and Their Applications" (1990); Martin and Cundy, "Parallelizing
Linear Recurrent Neural Nets Over Sequence Length" (2018).
"""

from __future__ import annotations

from auditor.algebra.affine import affine_in, is_number
from auditor.algebra.domains import cancelled
from auditor.algebra.states import Dependence, stages
from auditor.assumed import listed
from auditor.notation import Apply, Carry, Const, Read, Reduce, Term, Trace, substitute, walk
from auditor.recurrences.coefficients import NotLinear, coefficients
from auditor.recurrences.distribution import one_by_one, plainest
from auditor.recurrences.recurrence import LoopRegion
from auditor.recurrences.walked_tensors import require_tensors, walks_numpy
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.sums.decays import decaying
from auditor.writing.pieces import CannotRender


def find(site: Site) -> Match | None:
    """The match of a loop, or None. Raises ``Refused``."""
    if site.loop is None or not site.loop.scan.carries:
        return decaying(site)
    if not site.loop.finals:
        return None
    if any(key.endswith("[cell]") for key in site.loop.finals):
        return None
    region = LoopRegion(site)
    if any(_is_flag(carry) for carry in region.scan.carries):
        return None
    counts = next((carry.name for carry in region.scan.carries if _stays_number(carry)), None)
    site.require(
        counts is None,
        "numbers",
        f"`{counts}` is a plain number, which a scan would make a tensor",
    )
    factors = _factors(region)
    if factors is None:
        return _coupled(site, region)
    region.check_loop()
    if not region.of_numpy and (not region.has_torch() or walks_numpy(region)):
        return _advice(site, region) if _all_linear(region) else _coupled(site, region)
    region.require_one_type(site)
    try:
        code, edits = plainest(site, region, one_by_one)
        tensors = [*require_tensors(region, site, *(c.update for c in region.scan.carries))]
    except NotLinear:
        return None
    except (CannotRender, Refused) as problem:
        reason = problem.reason if isinstance(problem, Refused) else str(problem)
        found = _coupled(site, region)
        if found is None and _all_linear(region):
            found = _advice(site, region, f"; not applied here: {reason}")
        if found is None:
            site.require(False, "names", reason)
        return found
    if not code.scans:
        return None
    code.assumptions.extend(region.floats_written())
    code.assumptions.extend(tensors)
    names = listed(f"`{carry.name.partition('[')[0]}`" for carry in region.scan.carries)
    return Match(
        span=region.loop.span,
        message=f"{names}: a linear recurrence, each step an affine map of the one before",
        computation=site.computation,
        edits=edits,
        imports=region.imports("linear_scan", edits),
        numerics="conditioned" if any(map(_amplifies, factors)) else "reassociated",
        reason=region.stated_assumptions(code.assumptions, code.ranks),
        safe=code.ranks != "uncertain",
        kernel="auditor.kernels.linear_scan",
    )


def _is_flag(carry: Carry) -> bool:
    """Whether a truth value is carried: replacing it is affine, but its result is no number."""
    return any(
        isinstance(node, Const) and isinstance(node.value, bool)
        for term in (carry.init, carry.update) for node in walk(term)
    )  # fmt: skip


def _stays_number(carry: Carry) -> bool:
    """Whether tensors only choose the numbers by which a value changes, as ``if x[t] > 0: n += 1``
    does: it stays what it began as, and numbers that tensors choose are tensors."""
    if carry.state.axes or not isinstance(carry.init, Const):
        return False
    waiting, chosen = [carry.update], False
    while waiting:
        term = waiting.pop()
        if (
            isinstance(term, Read)
            and (term.subs or term.value.library == "torch")
            and term.value is not carry.state
        ):
            return False
        if isinstance(term, Apply):
            chosen |= term.op == "where"
            waiting.extend(term.args[term.op == "where" :])
        elif isinstance(term, Reduce):
            return False
    return chosen


def _advice(site: Site, region: LoopRegion, why: str = "") -> Match:
    """Arrays without torch in the file, or what cannot be written in its names: what it is and
    what would run it, nothing to apply."""
    names = listed(f"`{carry.name.partition('[')[0]}`" for carry in region.scan.carries)
    return Match(
        span=region.loop.span,
        message=(
            f"{names}: a linear recurrence, each step an affine map of the one before;"
            " scipy.signal.lfilter runs it for constant coefficients, linear_scan for any"
            f"{why}"
        ),
        computation=site.computation,
        kernel="auditor.kernels.linear_scan",
    )


def _coupled(site: Site, region: LoopRegion) -> Match | None:
    """Values that are linear in one another, such as a level and its trend or the last two outputs
    of a filter: one recurrence with a small matrix, which is only told."""
    scan, dependence = region.scan, Dependence()
    dropped = (cancelled(c, c.update, scan, dependence) for c in scan.carries)
    order = next(filter(None, dropped), None)
    site.require(order is None, "rounding", str(order))
    for stage in stages(scan, dependence):
        states = [scan.carries[slot].state for slot in stage]
        if len(stage) < 2 or len({len(state.axes) for state in states}) > 1:
            continue
        for slot in stage:
            carry = scan.carries[slot]
            here = dict(zip(carry.state.axes, states[0].axes, strict=True))
            update = substitute(carry.update, here)  # type: ignore[arg-type]
            form = affine_in(update, states, dependence)
            if form is None or not form.diagonal(states[0].axes):
                return None
        if region.loop.blocked is not None:
            return None
        names = listed(f"`{scan.carries[slot].name.partition('[')[0]}`" for slot in stage)
        return Match(
            span=region.loop.span,
            message=(
                f"{names}: one linear recurrence of {len(stage)} values, each step an affine map"
                " of the ones before; matrices of that size compose under an associative scan"
            ),
            computation=site.computation,
        )
    return None if region.loop.blocked is not None else _dense(site, region)


def _dense(site: Site, region: LoopRegion) -> Match | None:
    """A vector that a matrix is applied to at every step and something is added to, such as the
    state of an observer or of a filter with given gains: only told."""
    dependence = Dependence()
    for carry in region.scan.carries:
        axes = carry.state.axes
        form = affine_in(carry.update, [carry.state], dependence)
        if form is None or form.diagonal(axes) or not any(p.bound for p in form.coefficients):
            continue
        moves = any(region.step in walk(region.inlined(c)) for c in form.coefficients.values())
        if not moves and is_number(form.constant, 0):
            continue  # a power of the matrix
        name = carry.name.partition("[")[0]
        return Match(
            span=region.loop.span,
            message=(
                f"`{name}`: a linear recurrence whose step is a matrix, an affine map of the one"
                " before; such maps compose under an associative scan"
            ),
            computation=site.computation,
        )
    return None


def _all_linear(region: LoopRegion) -> bool:
    """Whether every carried value is a recurrence of its own."""
    try:
        for slot in range(len(region.scan.carries)):
            coefficients(region, slot)
    except NotLinear:
        return False
    return all(len(stage) == 1 for stage in stages(region.scan, Dependence()))


def _factors(region: LoopRegion) -> list[Term] | None:
    """The coefficients of the loop's carried values, None unless one of them is a recurrence over
    something that the loop walks."""
    found: list[Term] = []
    walks = False
    for slot, carry in enumerate(region.scan.carries):
        if carry.state.dtype == "bool":
            return None  # truths are set and kept, not scaled
        try:
            factor, rest = coefficients(region, slot)
        except NotLinear:
            continue
        if factor is None or is_number(factor, 1) or is_number(rest, 0):
            continue
        found.append(factor)
        inlined = [region.inlined(term) for term in (factor, rest)]
        walks |= any(
            node is region.step or (isinstance(node, Trace) and node.scan is region.scan)
            for term in inlined
            for node in walk(term)
        ) or bool(Dependence().mentions(rest, region.loop.states.values()))
    return found if walks else None


def _amplifies(factor: Term) -> bool:
    """A constant factor above one amplifies rounding from step to step."""
    if not isinstance(factor, Const) or not isinstance(factor.value, (int, float)):
        return False
    return abs(factor.value) > 1


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

_COUNT = """\
import torch


def tally(x: torch.Tensor, alpha: float):
    length, channels = x.shape
    h, n, out = torch.zeros(channels), 0, []
    for t in range(length):
        h = alpha * h + x[t]
        if x[t].sum() > 0:
            n += 1
        out.append(h * n)
    return torch.stack(out)
"""
_COMPENSATED = """\
def total(xs: list[float]) -> float:
    s, lost = 0.0, 0.0
    for x in xs:
        y = x - lost
        t = s + y
        lost = (t - s) - y
        s = t
    return s
"""
_EMA_CASES = "(torch.rand(2, 7, 3), 0.9)"

_RETURNS = """\
import numpy as np


def returns(rewards: np.ndarray, gamma: float):
    out = np.zeros(len(rewards))
    running = 0.0
    for t in reversed(range(len(rewards))):
        running = rewards[t] + gamma * running
        out[t] = running
    return out
"""
_RETURNS_AFTER = """\
import numpy as np
from auditor.kernels import linear_scan


def returns(rewards: np.ndarray, gamma: float):
    out = np.zeros(len(rewards))
    running = 0.0
    out[:] = linear_scan(gamma, rewards, dim=0, reverse=True)
    return out
"""
_RETURNS_CASES = "(np.arange(40.0), 0.9)"

REWRITE = Rewrite(
    code="ASC101",
    name="linear-recurrence",
    summary="a first-order linear recurrence runs as one scan",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop", "exponential"),
    inside=True,
    kernel="auditor.kernels.linear_scan",
    becomes="linear_scan(a, b, dim=...)",
    examples=(
        Example("a moving average", _EMA, _EMA_AFTER, _EMA_CASES),
        Example("discounted returns of arrays", _RETURNS, _RETURNS_AFTER, _RETURNS_CASES),
    ),
    refused=(
        RefusedExample(
            "effects", _EMA.replace("        out.append", "        print(t)\n        out.append")
        ),
        RefusedExample(
            "rounding",
            _EMA.replace("        out.append", "        h = h.half()\n        out.append"),
        ),
        RefusedExample("rounding", _COMPENSATED),
        RefusedExample("numbers", _COUNT),
    ),
    unmatched=(
        _EMA.replace("alpha * h +", "torch.tanh(alpha * h) +"),
        _EMA.replace("alpha * h +", "h * h +"),
    ),
)
