"""Text that is read several times, each time with other values: the body of a loop over known
items, the element of a comprehension over them. What is remembered of its expressions is what one
of these runs made of them: the last, unless another one is asked for.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from auditor.lift.objects import Obj, Sequence
from auditor.notation import Const, Value
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.lift.lifter import Lifter


@dataclass(frozen=True)
class Picked:
    """The ``runs`` of texts that are asked about, where that is not the last; ``unknown`` says that
    numbers among the items are any numbers, spoken of by the names that they are given; ``numbers``
    collects those, by name."""

    runs: Mapping[ast.AST, int] = field(default_factory=dict)
    unknown: bool = False
    numbers: dict[str, set[float]] = field(default_factory=dict)


LAST = Picked()


class Runs:
    """The runs of one text: ``after`` is to be called behind each of them."""

    def __init__(self, lifter: Lifter, node: ast.AST, number: int) -> None:
        self._lifter, self._node, self._last = lifter, node, number - 1
        self._loops = len(lifter.loops)
        self._asked = min(lifter.picked.runs.get(node, self._last), self._last)
        self._kept: list[tuple[dict[Any, Any], dict[Any, Any]]] = []
        if number > 1:
            lifter.repeated[node] = max(number, lifter.repeated.get(node, 0))

    def item(self, item: Obj, target: ast.expr) -> Obj:
        """An item as it is to be bound to ``target``."""
        picked = self._lifter.picked
        return _nameless(item, target, picked.numbers) if picked.unknown else item

    def after(self, place: int) -> None:
        """Remember what the ``place``-th run made if that is the one asked for."""
        lifter = self._lifter
        if place != self._asked:
            del lifter.loops[self._loops :]
        self._loops = len(lifter.loops)
        if self._asked == self._last:
            return  # which leaves what it made
        if place == self._asked:
            nodes = everything_in(self._node)
            for remembered in (lifter.values, lifter.scopes, lifter.rows, lifter.walked):
                held: dict[Any, Any] = remembered
                self._kept.append((held, {node: held[node] for node in nodes if node in held}))
        elif place == self._last:
            for held, made in self._kept:
                held.update(made)


def _nameless(item: Obj, target: ast.expr, numbers: dict[str, set[float]]) -> Obj:
    """An item with its numbers as any numbers."""
    if isinstance(target, (ast.Tuple, ast.List)) and isinstance(item, Sequence):
        if len(item.items) == len(target.elts):
            parts = (
                _nameless(part, inner, numbers)
                for part, inner in zip(item.items, target.elts, strict=True)
            )
            return Sequence(tuple(parts), item.kind)
    if isinstance(target, ast.Name) and isinstance(item, Value) and isinstance(item.body, Const):
        number = item.body.value
        if isinstance(number, (int, float)) and not isinstance(number, bool):
            kind = type(number).__name__
            numbers.setdefault(target.id, set()).add(number)
            return Value(target.id, (), None, kind, "opaque", "python")
    return item
