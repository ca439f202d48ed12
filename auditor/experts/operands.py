"""A call, with its operands as values."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.experts.values import Layout, Thing
from auditor.syntax import constant

if TYPE_CHECKING:
    from auditor.experts.operations import Operations


@dataclass(frozen=True)
class Called:
    """A call: ``given`` are its operands, the array that a method is called on before them."""

    operations: Operations
    node: ast.Call
    word: str
    given: Sequence[ast.expr]
    method: bool

    def argument(self, place: int, *words: str) -> ast.expr | None:
        """An operand by its place, that of the array counted, or by its name."""
        for keyword in self.node.keywords:
            if keyword.arg in words:
                return keyword.value
        return self.given[place] if place < len(self.given) else None

    def thing(self, place: int, *words: str) -> Thing:
        found = self.argument(place, *words)
        return Thing() if found is None else self.operations.value(found)

    def dim(self, place: int = 1, otherwise: int | None = None) -> object:
        found = self.argument(place, "dim", "axis")
        return otherwise if found is None else constant(found)

    def flag(self, place: int, *words: str) -> bool:
        found = self.argument(place, *words)
        return found is not None and constant(found) is not False

    @property
    def words(self) -> list[str | None]:
        return [keyword.arg for keyword in self.node.keywords]

    @property
    def leading(self) -> Layout:
        return self.operations.reader.leading
