"""Where the loop's axis stands among those of a carried value, for all steps together."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.lift.loop_arrays import ArrayWrite
from auditor.notation import ONE, Index, Read, Scan, Term, Trace, walk
from auditor.recurrences.recurrence import LoopRegion
from auditor.recurrences.stacked_lists import Stacked


@dataclass(frozen=True)
class Layouts:
    """The layouts of the carried values of a loop, given what it stacks and writes. With
    ``leading`` the steps come first."""

    region: LoopRegion
    stacks: list[Stacked]
    writes: dict[str, ArrayWrite]
    leading: bool

    @property
    def step(self) -> Index:
        return self.region.step

    @property
    def scan(self) -> Scan:
        return self.region.scan

    def of(self, slot: int) -> tuple[Index, ...]:
        """The state's axes with the step where an output has it, else where the inputs do."""
        carry = self.scan.carries[slot]
        flat = self.flat(slot)
        axes = tuple(axis for axis in carry.state.axes if axis not in flat)
        position = 0 if self.leading else self._output_position(slot)
        if position is None:
            position = self._input_position(carry.update, len(axes), bool(flat))
        result = list(axes)
        result.insert(position, self.step)
        return tuple(result)

    def joint(self, slots: tuple[int, ...]) -> list[tuple[Index, ...]]:
        """The layouts of carried values of one rank, the step in the same place in each."""
        leader = next((s for s in slots if self._output_position(s) is not None), slots[0])
        position = self.of(leader).index(self.step)
        axes = [self.scan.carries[slot].state.axes for slot in slots]
        return [(*each[:position], self.step, *each[position:]) for each in axes]

    def _output_position(self, slot: int) -> int | None:
        position = None
        for element, order in self._laid_out():
            for node in walk(element):
                if isinstance(node, Trace) and node.scan is self.scan and node.slot == slot:
                    before = order[: order.index(self.step)]
                    position = sum(sub in before for sub in node.subs)
        return position

    def _laid_out(self) -> list[tuple[Term, tuple[Index, ...]]]:
        found = [(s.items.element, s.order(self.step)) for s in self.stacks]
        for write in self.writes.values():
            assert write.value is not None
            axes = [*write.value.axes]
            axes.insert(write.axis, self.step)
            found.append((self.region.traced(write.value, write.value.axes), tuple(axes)))
        return found

    def _input_position(self, update: Term, rank: int, inlined: bool = False) -> int:
        for node in walk(self.region.inlined(update) if inlined else update):
            if isinstance(node, Read) and len(node.subs) == rank + 1:
                for position, sub in enumerate(node.subs):
                    if self.step in set(walk(sub)):
                        return position
        return 0

    def dim(self, order: tuple[Index, ...]) -> int:
        """The place of the step in a layout, counted from the end behind axes of unknown number."""
        position = order.index(self.step)
        groups = [p for p, axis in enumerate(order) if axis.group]
        return position if not groups or position < groups[0] else position - len(order)

    def flat(self, slot: int) -> tuple[Index, ...]:
        """Axes of extent 1 of a state that stand where its inputs have the steps, as where it is
        added to ``x[:, t : t + 1]``."""
        carry = self.scan.carries[slot]
        ones = [axis for axis in carry.state.axes if axis.extent is ONE]
        parts = [set(walk(sub)) for node in walk(self.region.inlined(carry.update)) if ones
                 and isinstance(node, Read) for sub in node.subs]  # fmt: skip
        return tuple(a for a in ones if any({a, self.step} <= part for part in parts))
