"""Where a slice ends that stands for the steps of a loop.

``range(n - 1)`` makes no step where ``n`` is 0; ``x[: n - 1]`` then drops an element from the end.
A stop that may be negative for sensible inputs becomes ``max(n - 1, 0)``. That a number which the
caller gives is not negative is assumed, and said; a size never is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.lift import extents
from auditor.notation import Apply, Index, Read, Symbol, Term, Value
from auditor.region import Region
from auditor.tree import descendants

_MAKERS = frozenset(
    "zeros ones empty full rand randn new_zeros new_ones new_empty new_full".split()
)


def total_stop(region: Region, before: ast.AST, term: Term, text: str) -> tuple[str, list[str]]:
    """The stop ``term``, spelled ``text``, as it may stand in a slice instead of ``before``; and
    what is assumed of it."""
    given = _Signs(region, before).given(term)
    if given is None:
        return f"max({text}, 0)", []
    return text, [f"`{value.name}` is not negative" for value in given]


class _Signs:
    """Which integers are never negative where ``before`` stands."""

    def __init__(self, region: Region, before: ast.AST) -> None:
        self.region, self.before = region, before
        self.facts = region.lifted.facts

    def given(self, term: Term) -> list[Value] | None:
        """The numbers that the function is given and that must not be negative for ``term`` not to
        be; None where it may be nevertheless."""
        found: list[Value] = []
        for monomial, factor in extents.polynomial(term).items():
            if not monomial and factor >= 0:
                continue
            parts = [self._atom(atom) for atom in monomial] if factor > 0 else [None]
            for part in parts:
                if part is None:
                    return [] if self._size(term) else None
                found.extend(value for value in part if value not in found)
        return [] if found and self._size(term) else found

    def _atom(self, atom: Term) -> list[Value] | None:
        if isinstance(atom, (Symbol, Index)):
            return []
        if isinstance(atom, Read):
            plain = not atom.subs and atom.value.kind in ("input", "attribute", "free")
            if self._size(atom):
                return []
            return [atom.value] if plain and atom.value.body is None else None
        if not isinstance(atom, Apply):
            return None
        if atom.op == "max":
            return [] if any(self.given(arg) == [] for arg in atom.args) else None
        if atom.op == "min":
            parts = [self.given(arg) for arg in atom.args]
            return None if None in parts else [v for part in parts if part for v in part]
        if atom.op in ("floordiv", "mod") and (extents.constant(atom.args[1]) or 0) > 0:
            return self.given(atom.args[0]) if atom.op == "floordiv" else []
        return None

    def _size(self, term: Term) -> bool:
        """Whether an axis is as long."""
        if any(isinstance(e, Symbol) and self.facts.extent(e) is term for e in self.facts.extents):
            return True
        return any(self.facts.extent(extent) is term for extent in self._made())

    def _made(self) -> Iterator[Term]:
        """The extents of arrays that are made before, which raises where one is negative."""
        at: ast.AST = self.before
        while at in self.region.parents:
            if isinstance(at, ast.stmt):
                block = self.region.siblings(at)
                for statement in block[: block.index(at)]:
                    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
                        yield from self._of_calls(statement)
            at = self.region.parents[at]

    def _of_calls(self, statement: ast.stmt) -> Iterator[Term]:
        for node in descendants(statement):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else None
            value = self.region.values.get(node)
            if name in _MAKERS and isinstance(value, Value):
                yield from (axis.extent for axis in value.axes)
