"""A piece of whole-array code, and the axes that it has."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.notation import Index
from auditor.syntax import without_idle


@dataclass(frozen=True)
class Said:
    """A text and the indices of its axes. ``strength`` is how tightly it binds: 2 a sum, 3 a
    product, 4 a sign, 5 a power, 6 a name or call. ``items`` are the entries of a subscript that
    ``text`` does not have yet, one of them for each axis."""

    text: str
    axes: tuple[Index, ...]
    strength: int = 6
    items: tuple[str, ...] | None = None

    def inside(self, strength: int) -> str:
        text = self.whole
        return text if self.strength >= strength else f"({text})"

    @property
    def whole(self) -> str:
        items = without_idle(list(self.items or ()))
        return f"{self.text}[{', '.join(items)}]" if items else self.text
