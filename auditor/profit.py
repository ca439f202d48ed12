"""What a rewrite is predicted to gain, from the notation: operations launched, bytes moved.

A roofline with a launch cost: each array operation of eager code costs one launch plus its bytes
over the bandwidth (Williams, Waterman and Patterson, "Roofline", 2009). A loop pays that at every
step, its replacement once. Extents that the code does not state are taken at typical sizes, which
``detail`` names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from auditor.notation import (
    Apply,
    Computation,
    Const,
    Index,
    Order,
    Read,
    Reduce,
    Term,
    Trace,
    walk,
)
from auditor.verdict import Profit


@dataclass(frozen=True)
class Target:
    """A machine: seconds for each eager operation, bytes a second, operations a second."""

    name: str
    launch: float
    bandwidth: float
    rate: float


TARGETS = {
    # A laptop-class CPU: eager dispatch and memory bandwidth as measured with torch on 2 cores.
    "cpu": Target("cpu", 4e-6, 1.5e10, 2e10),
    # Copy bandwidth as measured on the card; a launch from Python costs about 5 microseconds.
    "h200": Target("h200", 5e-6, 4.3e12, 6e13),
    "cuda": Target("cuda", 6e-6, 1.0e12, 2e13),
}

_STEPS, _AXIS = 1024, 64
_WIDTH = 4


_NONE: Mapping[str, float] = {}


def target(name: str) -> Target:
    """The machine of that name; ``auto`` is the CPU, since auditing does not look for a GPU."""
    return TARGETS["cpu" if name == "auto" else name]


def predict(
    computation: Computation, name: str, gains: Mapping[str, float] = _NONE
) -> Profit | None:
    """The gain of doing the computation at once, or None where there is nothing to compare.
    ``gains`` are measured ones, which go before the model."""
    machine = target(name)
    measured = gains.get(machine.name, gains.get("any"))
    if measured is not None:
        bound = "launch" if "any" in gains else "bandwidth"
        return Profit(machine.name, bound, measured, "as measured or counted")
    scan = computation.scan
    if scan is None:
        return _expression(computation, machine)
    steps = _size(scan.step.extent, _STEPS)
    terms = [carry.update for carry in scan.carries] + list(computation.per_step)
    if not terms:
        return None
    operations = sum(_operations(term) for term in terms) + len(terms)
    elements = max([_elements(carry.state.axes) for carry in scan.carries] or [1])
    step_bytes = 3 * elements * _WIDTH * max(1, operations // 2)
    before = steps * (operations * machine.launch + step_bytes / machine.bandwidth)
    after = 20 * machine.launch + steps * elements * _WIDTH * 3 / machine.bandwidth
    bound = (
        "launch" if operations * machine.launch > step_bytes / machine.bandwidth else "bandwidth"
    )
    return Profit(
        machine.name, bound, round(before / after, 1), f"{steps} steps of {elements} elements"
    )


def _expression(computation: Computation, machine: Target) -> Profit | None:
    terms = [value.body for value in computation.outputs if value.body is not None]
    passes, largest = 0, 1
    for term in terms:
        for node in walk(term):
            passes += isinstance(node, (Apply, Reduce, Order))
            if isinstance(node, (Read, Trace)):
                indices = [sub for sub in node.subs if isinstance(sub, Index)]
                largest = max(largest, _elements(tuple(indices)))
    if not passes:
        return None
    before = passes * (machine.launch + 2 * largest * _WIDTH / machine.bandwidth)
    after = 2 * machine.launch + 2 * largest * _WIDTH / machine.bandwidth
    return Profit(machine.name, "bandwidth", round(max(before / after, 1.0), 1),
                  f"{passes} passes over {largest} elements")  # fmt: skip


def _operations(term: Term) -> int:
    return sum(isinstance(node, (Apply, Reduce)) for node in walk(term))


def _elements(axes: tuple[Index, ...]) -> int:
    total = 1
    for axis in axes:
        total *= _size(axis.extent, _AXIS)
    return min(total, 1 << 24)


def _size(extent: Term, default: int) -> int:
    if isinstance(extent, Const) and isinstance(extent.value, int):
        return max(1, extent.value)
    return default
