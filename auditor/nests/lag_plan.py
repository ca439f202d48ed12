"""The code that replaces a nest which fills an array with sums over lags."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from auditor.arrays.wrapping import may_wrap
from auditor.assumed import listed
from auditor.lagged.convolved import (
    Sizes,
    Written,
    doubted,
    fits,
    imaginary,
    longer,
    numpy_text,
    torch_text,
    with_transforms,
)
from auditor.lagged.lags import Lagged, lagged
from auditor.lagged.two_sided import joined_text
from auditor.lift import extents
from auditor.lift.dtypes import WHOLE
from auditor.nests.adding import added_to
from auditor.nests.code import Code
from auditor.nests.integers import CannotSay
from auditor.nests.parts import Filled
from auditor.nests.plan import Plan
from auditor.nests.reading import guarded_nest_of
from auditor.nests.said import Said
from auditor.notation import ONE, ZERO, Apply, Const, Index, Read, Reduce, Term
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.tree import descendants
from auditor.verdict import Verdict

_SHIFTED = Verdict(
    "holds",
    "structure",
    "what two places share depends on how far they are apart, wherever both lie",
)


def lag_plan(site: Site, circular: bool) -> LagPlan | None:
    """The plan for a nest that fills one array with sums over lags, modulo a period or not."""
    if site.loop is None or not isinstance(site.loop.node, ast.For) or not may_lag(site.loop.node):
        return None
    nest = guarded_nest_of(site)
    if nest is None or len(nest.filled) != 1 or nest.filled[0].scattered:
        return None
    (filled,) = nest.filled
    added = added_to(filled.term, filled.old)
    term = _without_zero(filled.term if added is None else added)

    def bounds(index: Index) -> tuple[Term, Term]:
        if index not in nest.expressions.walks:  # of a sum over slices
            return ZERO, extents.canonical(index.extent)
        held = nest.walk(index)
        return extents.canonical(held.low), extents.canonical(held.high)

    wraps = may_wrap(site.lifted)
    parts = {part: lagged(part, filled.axes, bounds, extents.canonical, wraps)
             for part in [term, *(_parts(term) if added is None else ())]}  # fmt: skip
    total = next((part for part, found in parts.items() if found is not None), term)
    found = parts[total]
    if found is None or (found.period is not None) is not circular:
        return None
    plan = LagPlan(
        site, Region(site.lifted), nest, nest.filled, found=found, total=total, whole=term
    )
    return plan if fits(found, plan.sizes) else None


def _parts(term: Term) -> Iterator[Term]:
    """The sums that a term scales or shifts."""
    if isinstance(term, Apply) and term.op in ("add", "sub", "mul", "div", "neg"):
        for part in term.args:
            yield from _parts(part)
    elif isinstance(term, Reduce):
        yield term


def _without_zero(term: Term) -> Term:
    """What is added to a start of 0."""
    if isinstance(term, Apply) and term.op == "add" and len(term.args) == 2:
        first, second = term.args
        if isinstance(first, Const) and first.value == 0:
            return second
    return term


def may_lag(node: ast.AST) -> bool:
    """Whether a loop within a loop, or one over slices, fills an array and reads or writes at a
    sum, difference or remainder."""
    inside = descendants(node)
    return (
        isinstance(node, ast.For)
        and any(isinstance(each, (ast.For, ast.Slice)) for each in inside if each is not node)
        and any(
            isinstance(each, ast.BinOp) and isinstance(each.op, (ast.Add, ast.Sub, ast.Mod))
            for each in inside
        )
        and any(
            isinstance(each, ast.AugAssign)
            or (isinstance(each, ast.Subscript) and not isinstance(each.ctx, ast.Load))
            for each in inside
        )
    )


def _named(dtype: str | None) -> str | None:
    """A type that has a name, as that of another array has not."""
    return None if dtype is None or dtype.startswith(("like ", "to ")) else dtype


@dataclass
class LagPlan(Plan):
    """The replacement of a nest by a convolution, which is ``total`` in the ``whole`` of what is
    put into a cell."""

    found: Lagged = field(kw_only=True)
    total: Term = field(kw_only=True)
    whole: Term = field(kw_only=True)
    written: Written | None = None

    @property
    def sizes(self) -> Sizes:
        found = self.found
        held = self.nest.walk(found.index)
        moving, still = (
            extents.canonical(read.value.axes[place].extent)
            for read, place in ((found.moving, found.at), (found.still, found.place))
        )
        count = extents.canonical(extents.sub(held.high, held.low))
        return Sizes(moving, still if found.taps is None else found.taps, count, self._number)

    def _number(self, length: Term) -> str:
        known = extents.constant(length)
        return self.nest.expressions.integers.text(length) if known is None else str(known)

    def replacement(self, message: str) -> Match:
        """The match. Raises ``Refused``."""
        (filled,) = self.filled
        self._numbers(filled)
        match = self.match(message, lambda code, _: self._said(code, filled))
        if not match.edits:
            return replace(match, verdicts={"symmetry": _SHIFTED})
        match = replace(match, verdicts={**match.verdicts, "symmetry": _SHIFTED})
        written = self.written
        assert written is not None
        torch = self.library(filled) == "torch"
        complex_ = imaginary(self.found.vectors, written, torch)
        self.site.require(not complex_, "complex", "the numbers are complex")
        return with_transforms(doubted(match, longer(self.found, self.sizes)), written, torch)

    def _numbers(self, filled: Filled) -> None:
        """Whether the types of the numbers are such that the sum comes out in the same one."""
        read = self.found.vectors
        self.site.require(
            all(value.dtype not in WHOLE for value in read),
            "integers", "the numbers are integers, which are summed exactly",
        )  # fmt: skip
        if self.library(filled) != "numpy":
            holders = [f"`{value.name}`" for value in read if value.dtype is None]
            if holders:
                what = _named(filled.array.dtype) or "floating-point numbers"
                ending = "" if len(holders) > 1 else "s"
                self.reasons.append(f"{' and '.join(holders)} hold{ending} {what}")
            return
        held = filled.array.dtype
        self.site.require(
            held is not None or filled.name not in self.site.lifted.parameters,
            "dtypes",
            f"the type of the numbers in `{filled.name}` is not known",
        )
        self.site.require(
            all(value.dtype in (None, held) for value in read) or held is None,
            "dtypes", f"`{filled.name}` is of another type than what is added up in it",
        )  # fmt: skip
        unknown = [f"`{value.name}`" for value in read if value.dtype is None]
        if unknown:
            names = listed(unknown)
            what = _named(held) or f"the type of `{filled.name}`"
            self.reasons.append(f"{names} hold{'' if len(unknown) > 1 else 's'} {what}")

    def _said(self, code: Code, filled: Filled) -> Said:
        if code.torch is None or code.library is None:
            raise CannotSay("the arrays may be of NumPy or of torch", "library")
        found, sizes = self.found, self.sizes
        still, other = self._operand(code, found.still, found.place, found.taps)
        if found.halves is None:
            moving, lead = self._operand(code, found.moving, found.at, found.period and found.reach)
        else:
            below, above = found.halves.below.name, found.halves.above.name
            moving = joined_text(found.halves, below, above, code.library, code.torch)
            lead = ()
        if found.taps is not None:
            least = self._number(found.taps)
            self.reasons.append(f"`{found.still.value.name}` has {least} elements or more")
        if code.torch:
            if other and lead and other != lead[len(lead) - len(other) :]:
                raise CannotSay("the rows of both operands are laid out differently", "rows")
            rows = len(lead), len(other)
            self.written = torch_text(found, moving, still, sizes, code.library, rows)
            return self._scaled(code, filled, (*(lead or other), found.index))
        if lead or other:
            raise CannotSay("NumPy convolves one row", "rows")
        self.written = numpy_text(found, moving, still, sizes, code.library)
        return self._scaled(code, filled, (found.index,))

    def _scaled(self, code: Code, filled: Filled, axes: tuple[Index, ...]) -> Said:
        """What is put into the cells, given the sums in all of them."""
        assert self.written is not None
        sums = Said(self.written.text, axes)
        if self.total is self.whole:
            return code.broadcast(sums, filled.axes)
        code.known[self.total] = sums
        return code.filled(self.whole)

    def _operand(
        self, code: Code, read: Read, place: int, taps: Term | None
    ) -> tuple[str, tuple[Index, ...]]:
        """An operand with the axis that moves behind the others, and those."""
        lead: list[Index] = []
        items: list[str] = []
        for position, sub in enumerate(read.subs):
            if position == place:
                items.append(":" if taps is None else self._up_to(taps))
                continue
            text, index = code.item(read.value, position, sub)
            items.append(text)
            lead += [index] if index is not None else []
        gone = sum(":" not in item for item in items[:place])
        whole = Said(read.value.name, (), 6, tuple(items)).whole
        if place - gone != len(lead):
            whole = f"{whole}.movedim({place - gone}, -1)"
        return whole, tuple(lead)

    def _up_to(self, end: Term) -> str:
        text = self._number(end)
        return f":{text}" if text.isidentifier() or text.isdigit() else f": {text}"

    def _may_be_none(self) -> bool:
        """Whether there may be nothing to fill though both operands hold something."""
        sizes = self.sizes
        whole = extents.sub(extents.add(sizes.moving, sizes.still), ONE)
        sure = (sizes.moving, sizes.still, whole)
        return extents.constant(sizes.count) is None and all(
            extents.sub(sizes.count, each) is not ZERO for each in sure
        )

    def _guarded(self, filled: Filled, line: str) -> list[str]:
        """The line where there is anything to add up: NumPy convolves nothing that is empty."""
        assert self.written is not None
        needed = [size for size in self.written.needed if (extents.constant(size) or 0) < 1]
        tests = [f"{self._number(size)} > 0" for size in dict.fromkeys(needed)]
        if tests and self._may_be_none():
            tests.insert(0, f"{self._number(self.sizes.count)} > 0")
        tests = list(dict.fromkeys(tests))
        return [f"if {' and '.join(tests)}:", f"    {line}"] if tests else [line]
