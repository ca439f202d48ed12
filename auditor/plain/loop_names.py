"""What the names in the conditions and places of a nest of loops stand for.

``for i in range(n)`` has all places of an axis where n is its length, ``for d in (-1, 0, 1)`` is a
step whose reach is spelled.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from auditor.plain.bounds import Place, Size, place_of, size_of
from auditor.plain.text import Written
from auditor.syntax import constant
from auditor.tree import everything_in

_Reach = tuple[int, int]
"""How far steps go, back and on."""


def outermost(written: Written) -> Iterator[ast.For]:
    """The loops of a function that stand in no other."""
    for block, place in written.own():
        loop = block[place]
        if isinstance(loop, ast.For) and not any(
            isinstance(above, ast.For) for above in written.ancestors(loop, written.node)
        ):
            yield loop


@dataclass
class LoopNames:
    """The names in a nest of loops: ``known`` says what they stand for, ``axes`` of which axis each
    loop variable has all places, ``reach`` how far the spelled steps go."""

    written: Written
    loop: ast.For
    known: dict[str, Place | ast.expr] = field(default_factory=dict)
    axes: dict[str, Size | str] = field(default_factory=dict)
    reach: dict[str, _Reach] = field(default_factory=dict)

    def sizes(self) -> None:
        """What the names that are bound to lengths stand for."""
        for node in self.written.nodes:
            if isinstance(node, ast.Assign) and node.lineno < self.loop.lineno:
                self._sizes(node)

    def read(self) -> None:
        """What the names in conditions and places stand for. Raises ``Unread``."""
        self.sizes()
        for node in everything_in(self.loop):
            if isinstance(node, ast.For):
                self._walked(node)

    def _sizes(self, node: ast.Assign) -> None:
        """``n = len(x)``, ``h, w = x.shape``."""
        (target, *more), value = node.targets, node.value
        if more:
            return
        if isinstance(target, ast.Name) and self.once(target.id) is value:
            if size_of(value) is not None:
                self.known[target.id] = place_of(value, {})
        of = value.value if isinstance(value, ast.Attribute) and value.attr == "shape" else None
        if not isinstance(target, ast.Tuple) or not isinstance(of, ast.Name):
            return
        for axis, each in enumerate(target.elts):
            if isinstance(each, ast.Name) and self.stored(each.id) == 1:
                self.known[each.id] = Place(frozenset({((of.id, axis), 1)}), 0)

    def _walked(self, node: ast.For) -> None:
        """``for i in range(n)``, ``for d in (-1, 0, 1)``, ``for a, b in ((0, 1), (1, 0))``."""
        targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
        words = [target.id for target in targets if isinstance(target, ast.Name)]
        if len(words) != len(targets) or any(self.stored(word) != 1 for word in words):
            return
        rows = self._rows(node.iter, len(words))
        if rows:
            for word, column in zip(words, zip(*rows, strict=True), strict=True):
                self.reach[word] = (min(column), max(column))
                self.known[word] = Place(frozenset({(word, 1)}), 0)
            return
        call = node.iter
        if not isinstance(call, ast.Call) or len(call.args) != 1 or not isinstance(
            call.func, ast.Name) or call.func.id != "range":  # fmt: skip
            return
        end = place_of(call.args[0], self.known)
        if end.number == 0 and list(end.sizes.values()) == [1] and len(end.times) == 1:
            (self.axes[words[0]],) = end.sizes
            self.known[words[0]] = Place(frozenset({(words[0], 1)}), 0)

    def _rows(self, node: ast.expr, count: int) -> list[tuple[int, ...]] | None:
        """The integers that a loop walks, where they are spelled."""
        module = self.written.module
        if isinstance(node, ast.Name):
            if node.id in self.written.stored:
                node = self.once(node.id) or node
            else:
                node = module.constants.get(node.id, node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            ends = [end for arg in node.args if type(end := constant(arg)) is int]
            if node.func.id != "range" or len(ends) != len(node.args) or not 1 <= len(ends) <= 2:
                return None
            return [(number,) for number in range(*ends)] if count == 1 else None
        if not isinstance(node, (ast.Tuple, ast.List)):
            return None
        rows = []
        for item in node.elts:
            parts = item.elts if isinstance(item, (ast.Tuple, ast.List)) else [item]
            numbers = tuple(number for part in parts if type(number := constant(part)) is int)
            if len(numbers) != len(parts) or len(numbers) != count:
                return None
            rows.append(numbers)
        return rows

    def once(self, word: str) -> ast.expr | None:
        """What a name is bound to, once in the function and alone, before the loop."""
        stores = [n for n in self.written.names.get(word, ()) if not isinstance(n.ctx, ast.Load)]
        if len(stores) != 1 or word in self.written.arguments:
            return None
        (store,) = stores
        return self.written.bound(store) if store.lineno < self.loop.lineno else None

    def stored(self, word: str) -> int:
        """How often the function binds a name, as a parameter too."""
        stores = [n for n in self.written.names.get(word, ()) if not isinstance(n.ctx, ast.Load)]
        return len(stores) + (word in self.written.arguments)

    def read_after(self, word: str) -> bool:
        """Whether a name is read outside of the nest: it may be of another type there."""
        inside = {id(node) for node in everything_in(self.loop)}
        return any(
            isinstance(n.ctx, ast.Load) and id(n) not in inside
            for n in self.written.names.get(word, ())
        )
