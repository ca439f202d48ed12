"""Which integers are never negative where a statement stands.

``range(n - 1)`` makes no step where ``n`` is 0, and ``x[: n - 1]`` then drops an element from the
end: a stop that may be negative becomes ``max(n - 1, 0)``. And where no step is made ``x[0]`` need
not exist.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from auditor.lift import extents
from auditor.notation import ONE, Apply, Index, Read, Symbol, Term, Value
from auditor.surroundings.region import Region
from auditor.syntax import constant
from auditor.tree import children, descendants

_MAKERS = frozenset(
    "zeros ones empty full rand randn new_zeros new_ones new_empty new_full".split()
)
_LATER = (ast.Lambda, ast.comprehension, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)
_PERHAPS = (ast.IfExp, ast.BoolOp)
_PLAIN = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)


def total_stop(region: Region, before: ast.AST, term: Term, text: str) -> str:
    """The stop ``term``, spelled ``text``, as it may stand in a slice instead of ``before``."""
    return text if _Signs(region, before).never_negative(term) else f"max({text}, 0)"


def never_negative(region: Region, before: ast.AST, term: Term) -> bool:
    """Whether an integer is certainly no less than 0 where ``before`` stands."""
    return _Signs(region, before).never_negative(term)


def exists(region: Region, before: ast.AST, read: Read) -> bool:
    """Whether an element that only the steps of the loop ``before`` ask for is certainly there."""
    signs = _Signs(region, before)
    return all(
        isinstance(sub, Index)
        or (
            signs.never_negative(sub)
            and signs.never_negative(extents.sub(extents.sub(axis.extent, sub), ONE))
        )
        for sub, axis in zip(read.subs, read.value.axes, strict=True)
    )


class _Signs:
    """The least values that integers can have where ``before`` stands."""

    def __init__(self, region: Region, before: ast.AST) -> None:
        self.region, self.before = region, before
        self.facts = region.lifted.facts
        self.least: dict[Term, int] = {}
        for size, least in self._asked():
            self.least[size] = max(least, self.least.get(size, 0))

    def never_negative(self, term: Term) -> bool:
        least = self._least(term)
        return least is not None and least >= 0

    def _least(self, term: Term) -> int | None:
        """None where there is no least value."""
        bounds: list[int] = []
        for monomial, factor in extents.polynomial(term).items():
            bound = _product(map(self._atom, monomial)) if factor > 0 or not monomial else None
            if bound is None:
                return 0 if self._size(term) else None
            bounds.append(factor * bound)
        return sum(bounds)

    def _atom(self, atom: Term) -> int | None:
        if isinstance(atom, (Symbol, Index)) or self._size(atom):
            return self.least.get(atom, 0)
        if not isinstance(atom, Apply):
            return None
        if atom.op in ("max", "min"):
            bounds = [self._least(arg) for arg in atom.args]
            known = [bound for bound in bounds if bound is not None]
            if atom.op == "max":
                return max(known, default=None)
            return min(known) if len(known) == len(bounds) else None
        divisor = extents.constant(atom.args[1]) if atom.op in ("floordiv", "mod") else None
        if not divisor or divisor < 0:
            return None
        least = self._least(atom.args[0])
        return 0 if atom.op == "mod" else None if least is None else least // divisor

    def _size(self, term: Term) -> bool:
        """Whether an axis is as long."""
        if any(isinstance(e, Symbol) and self.facts.extent(e) is term for e in self.facts.extents):
            return True
        return any(self.facts.extent(extent) is term for extent in self._made())

    def _made(self) -> Iterator[Term]:
        """The extents of arrays that are made before, which raises where one is negative."""
        for held in self.region.lifted.lifter.attributes.values():
            yield from (axis.extent for axis in getattr(held, "axes", ()))
        for statement in self._done():
            for node in descendants(statement):
                if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                    continue
                value = self.region.values.get(node)
                if node.func.attr in _MAKERS and isinstance(value, Value):
                    yield from (axis.extent for axis in value.axes)

    def _asked(self) -> Iterator[tuple[Term, int]]:
        """Extents with how long they are at least, as an element that is asked for before shows."""
        for statement in self._done():
            for node in _run(statement):
                if not isinstance(node, ast.Subscript):
                    continue
                value = self.region.values.get(node.value)
                items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                for item, axis in zip(items, getattr(value, "axes", ()), strict=False):
                    place = constant(item)
                    if axis.group or not (type(place) is int or isinstance(item, ast.Slice)):
                        break
                    if isinstance(place, int):
                        yield self.facts.extent(axis.extent), max(place + 1, -place)

    def _done(self) -> Iterator[ast.stmt]:
        """Statements that have been executed."""
        at: ast.AST = self.before
        while at in self.region.parents:
            if isinstance(at, ast.stmt):
                block = self.region.siblings(at)
                yield from (s for s in block[: block.index(at)] if isinstance(s, _PLAIN))
            at = self.region.parents[at]


def _product(bounds: Iterable[int | None]) -> int | None:
    found = 1
    for bound in bounds:
        if bound is None or bound < 0:
            return None
        found *= bound
    return found


def _run(statement: ast.stmt) -> Iterator[ast.AST]:
    """The parts of a statement that are evaluated whenever it is executed."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*_LATER, *_PERHAPS)):
            waiting += children(node)
