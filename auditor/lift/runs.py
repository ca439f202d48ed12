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
    numbers among the items are any numbers, spoken of by the names that they are given."""

    runs: Mapping[ast.AST, int] = field(default_factory=dict)
    unknown: bool = False


LAST = Picked()

Passed = Mapping[ast.expr, "Obj | None"]
"""The arguments of a call, with what is known of each."""


def passed(values: Mapping[ast.expr, Obj], call: ast.Call) -> Passed:
    """What a call passes that was read."""
    given = (*call.args, *(word.value for word in call.keywords))
    return {node: values.get(node) for node in given}


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
        numbers = _numbers(item, target)
        for name, number in numbers:
            known = self._lifter.numbers.get(name, frozenset())
            self._lifter.numbers[name] = known | {number}
        return _unknown(item, target) if numbers and self._lifter.picked.unknown else item

    def after(self, place: int) -> None:
        """Remember what the ``place``-th run made if that is the one asked for, and what it passed
        in any case."""
        lifter = self._lifter
        for node in everything_in(self._node):
            if isinstance(node, ast.Call):
                before = lifter.passed.get(node, ())
                lifter.passed[node] = (*before, passed(lifter.values, node))
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


def _numbers(item: Obj, target: ast.expr) -> list[tuple[str, float]]:
    """The numbers of an item, with the names that they are given."""
    if _pairs(item, target):
        return [found for part, inner in _pairs(item, target) for found in _numbers(part, inner)]
    if isinstance(target, ast.Name) and isinstance(item, Value) and isinstance(item.body, Const):
        number = item.body.value
        if isinstance(number, (int, float)) and not isinstance(number, bool):
            return [(target.id, number)]
    return []


def _unknown(item: Obj, target: ast.expr) -> Obj:
    """An item with its numbers as any numbers."""
    if pairs := _pairs(item, target):
        assert isinstance(item, Sequence)
        return Sequence(tuple(_unknown(part, inner) for part, inner in pairs), item.kind)
    for name, number in _numbers(item, target):
        return Value(name, (), None, type(number).__name__, "opaque", "python")
    return item


def _pairs(item: Obj, target: ast.expr) -> list[tuple[Obj, ast.expr]]:
    """The parts of an item that is taken apart, with the targets that they are given to."""
    if not isinstance(target, (ast.Tuple, ast.List)) or not isinstance(item, Sequence):
        return []
    alike = len(item.items) == len(target.elts)
    return list(zip(item.items, target.elts, strict=True)) if alike else []
