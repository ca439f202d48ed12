"""Entries that depend on the distance of row and column on both sides of the diagonal.

    T[i, k] = below[i - k] where i >= k, above[k - i] elsewhere        t[|i - k|] with one vector

The entries are those of one longer vector, ``above`` turned round with ``below`` behind it, at
``i - k + n - 1``; so that a product with ``T`` is a convolution with that vector.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from auditor.algebra.normal import expand
from auditor.lift import extents
from auditor.notation import ONE, ZERO, Apply, Const, Index, Read, Term, Value, transform


@dataclass(frozen=True)
class Halves:
    """What lies below the diagonal and what lies above it; ``upper`` says that the diagonal is the
    first of the latter, ``conjugate`` that the latter is conjugated."""

    below: Value
    above: Value
    upper: bool = False
    conjugate: bool = False

    @property
    def values(self) -> list[Value]:
        return list(dict.fromkeys((self.below, self.above)))


@dataclass(frozen=True)
class Square:
    """The rows and columns of a matrix; ``extent`` is the length of an axis, as the facts know
    it."""

    index: Index
    within: Index
    rows: Term
    columns: Term
    extent: Callable[[Term], Term]

    @property
    def apart(self) -> Term:
        return extents.sub(self.index, self.within)

    def joined(self, term: Term, found: dict[Value, Halves]) -> Term:
        """``term`` with such entries as those of one vector, which are put into ``found``."""

        def change(node: Term) -> Term:
            common, rest = _shared(node)
            if common:
                return Apply("mul", (*common, change(rest)))
            halves = self._halves(node)
            if halves is None:
                return node
            length = extents.sub(extents.add(self.rows, self.columns), ONE)
            both = result(halves)
            value = Value("both sides", (Index("p", length),), None, both, "derived",
                          halves.below.library)  # fmt: skip
            found[value] = halves
            place = extents.sub(extents.add(self.apart, self.columns), ONE)
            return Read(value, (place,))

        return transform(term, change)

    def _halves(self, node: Term) -> Halves | None:
        if isinstance(node, Read):
            return self._even(node)
        if not isinstance(node, Apply) or node.op != "where":
            return None
        at = self._side(node.args[0])
        if at is None:
            return None
        lower, strict = at
        below, above = node.args[1:] if lower else node.args[:0:-1]
        conjugate = isinstance(above, Apply) and above.op == "conj"
        above = above.args[0] if isinstance(above, Apply) and above.op == "conj" else above
        first = self._vector(below, self.apart, self.rows)
        second = self._vector(above, extents.neg(self.apart), self.columns)
        if first is None or second is None:
            return None
        # the diagonal is in the half whose condition lets it in
        return Halves(first, second, upper=lower is strict, conjugate=conjugate)

    def _side(self, condition: Term) -> tuple[bool, bool] | None:
        """Whether a condition asks for the places below the diagonal, and whether it leaves out
        the diagonal."""
        if not isinstance(condition, Apply) or condition.op not in _SIDES:
            return None
        left, right = (extents.canonical(expand(arg)) for arg in condition.args)
        for lower in (True, False):
            apart = self.apart if lower else extents.neg(self.apart)
            held = extents.sub(left, right)
            held = extents.neg(held) if condition.op in ("le", "lt") else held
            strict = condition.op in ("lt", "gt")
            for least in (0, 1):
                # held >= strict says the same as apart >= least
                if extents.sub(extents.sub(held, Const(int(strict))), apart) is Const(-least):
                    return lower, least == 1
        return None

    def _even(self, node: Read) -> Halves | None:
        """One vector, read at the distance without its sign."""
        if len(node.subs) != 1 or node.aligned or self.rows is not self.columns:
            return None
        (sub,) = node.subs
        if not (isinstance(sub, Apply) and sub.op == "abs"):
            return None
        apart = extents.canonical(expand(sub.args[0]))
        if apart not in (self.apart, extents.neg(self.apart)):
            return None
        same = self.extent(node.value.axes[0].extent) is self.rows
        return Halves(node.value, node.value) if same else None

    def _vector(self, node: Term, place: Term, length: Term) -> Value | None:
        """The vector of so many elements that is read at a place."""
        if not isinstance(node, Read) or len(node.subs) != 1 or node.aligned:
            return None
        place = extents.canonical(place)
        if not _is_place(node.subs[0], place):
            return None
        whole = self.extent(node.value.axes[0].extent) is length
        return node.value if whole else None


def _is_place(sub: Term, place: Term) -> bool:
    """Whether a subscript is a place wherever that is not negative."""
    if isinstance(sub, Apply) and sub.op == "abs":
        held = extents.canonical(expand(sub.args[0]))
        return held in (place, extents.neg(place))
    if isinstance(sub, Apply) and sub.op == "max" and ZERO in sub.args:
        return any(extents.canonical(expand(arg)) is place for arg in sub.args)
    return extents.canonical(sub) is place


def _shared(node: Term) -> tuple[list[Term], Term]:
    """The factors that both sides of a choice have, and the choice without them."""
    if not isinstance(node, Apply) or node.op != "where":
        return [], node
    one, other = (_factors(arg) for arg in node.args[1:])
    common: list[Term] = [factor for factor in one if factor in other and isinstance(factor, Read)]
    if not common or len(set(common)) < len(common):
        return [], node
    sides = ([each for each in side if each not in common] for side in (one, other))
    left, right = (side[0] if len(side) == 1 else None for side in sides)
    if left is None or right is None:
        return [], node
    return common, Apply("where", (node.args[0], left, right))


def _factors(term: Term) -> list[Term]:
    return list(term.args) if isinstance(term, Apply) and term.op == "mul" else [term]


_SIDES = ("ge", "gt", "le", "lt")


def result(halves: Halves) -> str | None:
    """The type of what both halves hold, where it is one."""
    types = {value.dtype for value in halves.values}
    return types.pop() if len(types) == 1 else None


def joined_text(halves: Halves, below: str, above: str, library: str, torch: bool) -> str:
    """The vector as code."""
    turned, rest = ("[1:]", "") if not halves.upper else ("", "[1:]")
    if torch:
        above = f"{above}{turned}.flip(-1)"
        above = f"{above}.conj()" if halves.conjugate else above
        return f"{library}.cat(({above}, {below}{rest}), -1)"
    above = f"{above}{'[:0:-1]' if turned else '[::-1]'}"
    above = f"{above}.conj()" if halves.conjugate else above
    return f"{library}.concatenate(({above}, {below}{rest}))"
