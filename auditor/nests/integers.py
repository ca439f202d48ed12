"""Bounds of loops and places in arrays as integers of notation, and back to source text."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from auditor.array_facts import Arrays
from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.notation import Apply, Const, Index, Symbol, Term
from auditor.purity import impurity
from auditor.region import Region
from auditor.signs import never_negative, total_stop
from auditor.syntax import constant
from auditor.tree import everything_in


class NoNest(Exception):
    """The loops do not fill arrays cell by cell, as far as can be read; the message says why."""


class CannotSay(Exception):
    """What a nest computes has no whole-array text here; ``condition`` names why."""

    def __init__(self, reason: str, condition: str = "arrays") -> None:
        super().__init__(reason)
        self.condition = condition


@dataclass
class Integers:
    """The integers of one nest, the loop ``before``. ``stored`` are the names that it binds;
    ``texts`` is how each known integer is written."""

    region: Region
    before: ast.stmt
    stored: frozenset[str]
    texts: dict[Term, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.arrays = Arrays(self.region)

    def term(self, node: ast.expr, known: Mapping[str, Term]) -> Term:
        """The integer that ``node`` is, given the loop variables. Raises ``NoNest``."""
        number = constant(node)
        if isinstance(number, int) and not isinstance(number, bool):
            return Const(number)
        if isinstance(node, ast.Name) and node.id in known:
            return known[node.id]
        if isinstance(node, ast.BinOp):
            way = _EXACT.get(type(node.op))
            if way is not None:
                return way(self.term(node.left, known), self.term(node.right, known))
        return self._fixed(node, known)

    def _fixed(self, node: ast.expr, known: Mapping[str, Term]) -> Term:
        """An integer that no step changes, as one atom where its value is not known."""
        text = self.region.module.source(node)
        for inner in everything_in(node):
            if isinstance(inner, ast.Name) and (inner.id in known or inner.id in self.stored):
                raise NoNest(f"`{text}` moves with the loops")
        if impurity(self.region.module, node) is not None:
            raise NoNest(f"`{text}` may do more than compute a number")
        if isinstance(node, ast.Constant):
            raise NoNest(f"`{text}` is no integer")
        found = self._value(node) or Symbol(text)
        tight = isinstance(node, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
        self.texts.setdefault(found, text if tight else f"({text})")
        return found

    def _value(self, node: ast.expr) -> Term | None:
        """The size that an expression was lifted to."""
        value = self.arrays.value(node)
        if value is None or value.axes:
            return None
        if value.body is None:
            return value.at() if value.dtype == "int" else None
        if value.dtype not in ("int", None) or not _counts(value.body):
            return None
        try:
            return self.region.lifted.facts.extent(self.region.lifted.lifter.as_size(value))
        except Unsupported:
            return None

    # -- text

    def text(self, term: Term) -> str:
        """``term`` as it may be written where the loop stands; brackets around sums are up to the
        caller. Raises ``CannotSay``."""
        known = self.texts.get(term)
        if known is not None:
            return known
        number = extents.constant(term)
        if number is not None:
            return str(number)
        for other, text in self.texts.items():
            more = extents.constant(extents.sub(term, other))
            if more is not None:
                return f"{text} {'+' if more > 0 else '-'} {abs(more)}"
        return self._sum(term)

    def _sum(self, term: Term) -> str:
        said = ""
        for monomial, factor in extents.polynomial(term).items():
            parts = [self._atom(atom) for atom in monomial]
            if abs(factor) != 1 or not parts:
                parts.insert(0, str(abs(factor)))
            product = " * ".join(parts)
            sign = "-" if factor < 0 else "+"
            said = f"{said} {sign} {product}" if said else (
                f"-{product}" if factor < 0 else product)  # fmt: skip
        return said

    def _atom(self, atom: Term) -> str:
        if atom not in self.texts:
            raise CannotSay(f"`{atom}` has no name here")
        return self.texts[atom]

    # -- slices

    def slice(self, low: Term, high: Term, extent: Term | None, stride: int = 1) -> str:
        """The places ``low .. high - 1`` of an axis of length ``extent``, where it is known; ``:``
        for all of them. Raises ``CannotSay`` where a place may be counted from the end."""
        first = extents.constant(low)
        if first is None:
            if not never_negative(self.region, self.before, low):
                raise CannotSay(f"`{self.text(low)}` may be negative", "bounds")
            begin = self.text(low)
        elif first < 0:
            raise CannotSay(
                "the first step reads at a negative place, which wraps around", "bounds"
            )
        else:
            begin = str(first) if first else ""
        rest = None if extent is None else extents.constant(extents.sub(high, extent))
        if rest is not None and rest <= 0:
            end = str(rest) if rest else ""
        else:
            end = total_stop(self.region, self.before, high, self.text(high))
        every = f":{stride}" if stride != 1 else ""
        plain = all(part.lstrip("-").isalnum() for part in (begin, end) if part)
        if plain or not begin or not end:
            wide = not plain and not every
            return (
                f"{begin}{' ' if begin and wide else ''}:{' ' if end and wide else ''}{end}{every}"
            )
        return f"{begin} : {end}{every}"


_EXACT: dict[type[ast.operator], Callable[[Term, Term], Term]] = {
    ast.Add: extents.add, ast.Sub: extents.sub, ast.Mult: extents.mul,
}  # fmt: skip


def _counts(body: Term) -> bool:
    """Whether a number is made of sizes alone."""
    if isinstance(body, Apply):
        return body.op in ("add", "mul", "sub", "floordiv", "mod", "max", "min") and all(
            map(_counts, body.args)
        )
    return isinstance(body, (Const, Symbol)) and not isinstance(body, Index)
