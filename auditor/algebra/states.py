"""Which carried values a term depends on, and in which order a loop's carries can be computed.

The dependence is read off the program text, through definitions and inner loops: an
over-approximation, so that what is called independent is independent.
"""

from __future__ import annotations

from collections.abc import Iterable

from auditor.notation import Order as OrderTerm
from auditor.notation import Read, Reduce, Scan, Term, Trace, Value, walk


class Dependence:
    """Remembers what each term mentions; one for each computation."""

    def __init__(self) -> None:
        self._terms: dict[Term, frozenset[Value]] = {}
        self._values: dict[Value, frozenset[Value]] = {}
        self._slots: dict[tuple[Scan, int], frozenset[Value]] = {}

    def states(self, term: Term) -> frozenset[Value]:
        """The carried values that ``term`` reads, itself or through what it reads."""
        known = self._terms.get(term)
        if known is not None:
            return known
        found: set[Value] = set()
        for node in walk(term):
            if isinstance(node, Read):
                found |= self._value(node.value)
            elif isinstance(node, Trace):
                found |= self._slot(node.scan, node.slot)
            elif isinstance(node, (Reduce, OrderTerm)):
                found |= self.states(node.index.extent)
        self._terms[term] = frozenset(found)
        return self._terms[term]

    def mentions(self, term: Term, states: Iterable[Value]) -> bool:
        return not self.states(term).isdisjoint(states)

    def _value(self, value: Value) -> frozenset[Value]:
        if value.kind == "state":
            return frozenset((value,))
        if value.body is None:
            return frozenset()
        if value not in self._values:
            self._values[value] = frozenset()  # a value does not define itself
            self._values[value] = self.states(value.body)
        return self._values[value]

    def _slot(self, scan: Scan, slot: int) -> frozenset[Value]:
        """What an inner loop's value rests on outside of the loop."""
        if (scan, slot) not in self._slots:
            self._slots[scan, slot] = frozenset()
            own = {carry.state: n for n, carry in enumerate(scan.carries)}
            found, reached, stack = set(self.states(scan.step.extent)), {slot}, [slot]
            while stack:
                carry = scan.carries[stack.pop()]
                found |= self.states(carry.init)
                for state in self.states(carry.update):
                    other = own.get(state)
                    if other is None:
                        found.add(state)
                    elif other not in reached:
                        reached.add(other)
                        stack.append(other)
            self._slots[scan, slot] = frozenset(found - own.keys())
        return self._slots[scan, slot]


def stages(scan: Scan, dependence: Dependence) -> list[tuple[int, ...]]:
    """The carries' strongly connected components, each after those that it depends on."""
    slots = {carry.state: slot for slot, carry in enumerate(scan.carries)}
    needs = [
        sorted(slots[s] for s in dependence.states(carry.update) if s in slots)
        for carry in scan.carries
    ]
    order: list[int] = []
    low: dict[int, int] = {}
    seen: dict[int, int] = {}
    found: list[tuple[int, ...]] = []

    def visit(slot: int) -> None:
        seen[slot] = low[slot] = len(seen)
        order.append(slot)
        for other in needs[slot]:
            if other not in seen:
                visit(other)
                low[slot] = min(low[slot], low[other])
            elif other in order:
                low[slot] = min(low[slot], seen[other])
        if low[slot] == seen[slot]:
            place = order.index(slot)
            found.append(tuple(sorted(order[place:])))
            del order[place:]

    for slot in range(len(scan.carries)):
        if slot not in seen:
            visit(slot)
    return found
