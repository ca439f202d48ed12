"""Bounds of loops and places in arrays as integers of notation, and back to source text."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from auditor.arrays.facts import Arrays
from auditor.arrays.signs import never_negative, total_stop
from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.notation import Apply, Const, Index, Read, Symbol, Term, Value
from auditor.surroundings.purity import impurity
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, tight
from auditor.tree import everything_in


class NoNest(Exception):
    """The loops do not fill arrays cell by cell, as far as can be read; the message says why."""


class Unsure(NoNest):
    """What is not known may be supposed all the same, if it is said."""


class Unmeasured(NoNest):
    """An array has fewer axes than is asked of it, as far as this is known."""


class TooWide(NoNest):
    """A row, as far as is known, is put where a number goes."""


class CannotSay(Exception):
    """What a nest computes has no whole-array text here; ``condition`` names why."""

    def __init__(self, reason: str, condition: str = "arrays") -> None:
        super().__init__(reason)
        self.condition = condition


@dataclass
class Integers:
    """The integers of one nest, the loop ``before``. ``stored`` are the names that it binds or
    fills, of which it only fills ``filled``; ``texts`` is how each known integer is written,
    ``sizes`` how the lengths of arrays are that nothing names. ``wraps`` says that remainders are
    read as well."""

    region: Region
    before: ast.stmt
    stored: frozenset[str]
    filled: frozenset[str]
    texts: dict[Term, str] = field(default_factory=dict)
    sizes: dict[Term, str] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)
    _numbers: dict[str, Value] = field(default_factory=dict, repr=False)
    wraps: bool = False

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
            if self.wraps and isinstance(node.op, ast.Mod):
                way = extents.mod
            if way is not None:
                return way(self.term(node.left, known), self.term(node.right, known))
        if self.wraps and isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            if is_name(node.func, "abs") and "abs" not in self.region.module.bound:
                return Apply("abs", (self.term(node.args[0], known),))
        return self._fixed(node, known)

    def _fixed(self, node: ast.expr, known: Mapping[str, Term]) -> Term:
        """An integer that no step changes, as one atom where its value is not known."""
        text = self._still(node, known)
        if isinstance(node, ast.Constant):
            raise NoNest(f"`{text}` is no integer")
        sized = any(True for _ in _sized(node))
        found = self._value(node) or (self.size(text) if sized else self._number(text, "int"))
        self.texts.setdefault(found, tight(text))
        parts = dict(extents.polynomial(found))
        more = parts.pop((), 0)
        if more and len(parts) == 1:
            ((monomial, factor),) = parts.items()
            if factor == 1 and len(monomial) == 1:
                rest = f"({text} {'-' if more > 0 else '+'} {abs(more)})"
                self.texts.setdefault(monomial[0], rest)
        return found

    def number(self, node: ast.expr, known: Mapping[str, Term]) -> Term:
        """A number of Python's that no step changes, ``math.sqrt(d)`` for example."""
        text = self._still(node, known)
        found = self._number(text, "float")
        self.texts.setdefault(found, tight(text))
        return found

    def _still(self, node: ast.expr, known: Mapping[str, Term]) -> str:
        """The text of an expression that no step changes."""
        text = self.region.module.source(node)
        sized = set(_sized(node))
        for inner in everything_in(node):
            if not isinstance(inner, ast.Name) or (inner in sized and inner.id in self.filled):
                continue
            if inner.id in known or inner.id in self.stored:
                raise NoNest(f"`{text}` moves with the loops")
        if impurity(self.region.module, node) is not None:
            raise NoNest(f"`{text}` may do more than compute a number")
        return text

    def _number(self, text: str, dtype: str) -> Term:
        """What stands for a number that is not known and need not be a size: see ``size``."""
        name = self.size(text).name
        if name not in self._numbers:
            self._numbers[name] = Value(name, (), None, dtype, "free", "python")
        return self._numbers[name].at()

    def size(self, text: str) -> Symbol:
        """What stands for a number that is not known, by its text: another one where the
        name is bound twice, since what had it before may have been of another size."""
        name = re.match(r"\w*", text)
        again = name is not None and name[0] in self._bound_again
        return Symbol(f"{text} here" if again else text)

    @cached_property
    def _bound_again(self) -> frozenset[str]:
        """The names that the function binds twice, what it is given included."""
        bound = Counter(
            node.arg if isinstance(node, ast.arg) else node.id
            for node in self.region.nodes
            if isinstance(node, ast.arg)
            or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        )
        return frozenset(name for name, times in bound.items() if times > 1)

    def _value(self, node: ast.expr) -> Term | None:
        """The size that an expression was lifted to."""
        value = self.arrays.value(node)
        if self.region.lifted.facts.suspect is not None:
            return None  # sizes were found equal that hardly are: each is known by its text alone
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
        known = self.texts.get(term) or self.sizes.get(term)
        if known is not None:
            return known
        number = extents.constant(term)
        if number is not None:
            return str(number)
        for other, text in (*self.texts.items(), *self.sizes.items()):
            times = _times(term, other)
            more = extents.constant(extents.sub(term, extents.mul(Const(times), other)))
            if times > 0 and more is not None:
                said = text if times == 1 else f"{times} * {text}"
                return f"{said} {'+' if more > 0 else '-'} {abs(more)}" if more else said
        return self._sum(term)

    def _sum(self, term: Term) -> str:
        said = ""
        ordered = sorted(extents.polynomial(term).items(), key=lambda p: (not p[0], p[1] < 0))
        for monomial, factor in ordered:
            parts = [self._atom(atom) for atom in monomial]
            if abs(factor) != 1 or not parts:
                parts.insert(0, str(abs(factor)))
            product = " * ".join(parts)
            sign = "-" if factor < 0 else "+"
            said = f"{said} {sign} {product}" if said else (
                f"-{product}" if factor < 0 else product)  # fmt: skip
        return said

    def _atom(self, atom: Term) -> str:
        known = self.texts.get(atom) or self.sizes.get(atom)
        if known is None:
            raise CannotSay(f"`{atom}` has no name here")
        return known

    # -- slices

    def _at_least(self, low: Term) -> None:
        """Take it for granted that a size that the code does not state is not negative."""
        parts = extents.polynomial(low)
        named = [monomial for monomial in parts if monomial]
        behind = parts.get((), 0) == -1 and len(named) == 1 and parts[named[0]] == 1
        if len(named) != 1 or any(
            parts[monomial] < 0 for monomial in parts if monomial or not behind
        ):
            raise CannotSay(f"`{self.text(low)}` may be negative", "bounds")
        for atom in named[0]:
            name = self._atom(atom)
            sentences = [f"`{name}` is positive", f"`{name}` is not negative"]
            if behind and sentences[1] in self.assumed:
                self.assumed.remove(sentences[1])
            if not {sentences[0], sentences[not behind]} & {*self.assumed}:
                self.assumed.append(sentences[not behind])

    def length(self, length: Term) -> None:
        """A slice is taken not to end before it begins: it would count from the end. Said of one
        size alone; where there are several, they are those of arrays. Raises ``NoNest``."""
        number = extents.constant(length)
        if number is not None and number < 0:
            raise NoNest("a slice ends before it begins, or counts from the end")
        if number is None and not never_negative(self.region, self.before, length):
            with suppress(CannotSay):
                self._at_least(length)

    def slice(self, low: Term, high: Term, extent: Term | None, stride: int = 1) -> str:
        """The places ``low .. high - 1`` of an axis of length ``extent``, where it is known; ``:``
        for all of them. Raises ``CannotSay`` where a place may be counted from the end."""
        first = extents.constant(low)
        if first is None:
            if not never_negative(self.region, self.before, low):
                self._at_least(low)
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
        parts = [begin, end] if stride == 1 else [begin, end, str(stride)]
        plain = all(part.lstrip("-").isalnum() for part in parts if part)
        return (":" if plain else " : ").join(parts).strip(" " if not plain else "")


_EXACT: dict[type[ast.operator], Callable[[Term, Term], Term]] = {
    ast.Add: extents.add, ast.Sub: extents.sub, ast.Mult: extents.mul,
}  # fmt: skip


def _times(term: Term, other: Term) -> int:
    """How often ``other`` is in ``term``, by one of its parts; 0 where it is not."""
    parts = extents.polynomial(term)
    for monomial, factor in extents.polynomial(other).items():
        if monomial:
            times, rest = divmod(parts.get(monomial, 0), factor)
            return times if rest == 0 else 0
    return 0


def _sized(node: ast.expr) -> Iterator[ast.expr]:
    """The arrays whose sizes an expression asks for, and nothing else of them."""
    for inner in everything_in(node):
        if isinstance(inner, ast.Attribute) and inner.attr in ("shape", "ndim", "size"):
            yield inner.value
        elif isinstance(inner, ast.Call) and is_name(inner.func, "len"):
            yield from inner.args


def _counts(body: Term) -> bool:
    """Whether a number is made of sizes and of whole numbers that the function is given."""
    if isinstance(body, Read):
        value = body.value
        return not value.axes and value.body is None and value.dtype == "int"
    if isinstance(body, Apply):
        return body.op in ("add", "mul", "sub", "floordiv", "mod", "max", "min") and all(
            map(_counts, body.args)
        )
    return isinstance(body, (Const, Symbol)) and not isinstance(body, Index)
