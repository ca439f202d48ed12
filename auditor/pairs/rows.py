"""Sums of squared differences of rows that broadcasting pairs: reading them, and the call that
takes their place."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from auditor.algebra.normal import depends, equal
from auditor.algebra.subterms import everything
from auditor.arrays.facts import leaves
from auditor.assumed import assuming
from auditor.expressions.region import ExpressionRegion, text_of
from auditor.expressions.suppositions import counted_alike
from auditor.lift.dtypes import HALF, WHOLE
from auditor.nests.pairs import KERNEL
from auditor.notation import ONE, Apply, Const, Index, Read, Reduce, Term, Value, definition
from auditor.rewrite import Match, Site
from auditor.verdict import Edit


@dataclass(frozen=True)
class Paired:
    """``sum_k (left - right)^2``, or with ``root`` its root, as one function gives it, or with
    ``averaged`` its share of each k. ``apart`` is the array of differences, of which ``place`` is
    the axis that is summed over; ``passed`` are the arrays that were made on the way."""

    left: Read
    right: Read
    apart: Value
    place: int
    root: bool
    passed: tuple[Value, ...]
    averaged: bool


def paired(value: Value) -> Paired | None:
    """What ``value`` is such a sum of."""
    body, passed, root = value.body, list[Value](), False
    over: Term | None = None
    if isinstance(body, Apply) and body.op == "div":
        (inner, over) = body.args
        if not isinstance(inner, Read) or inner.value.span != value.span:
            return None
        body = definition(inner)
    elif isinstance(body, Apply) and _is_root(body):
        inner = body.args[0]
        if not isinstance(inner, Read) or inner.value.span != value.span:
            return None
        root, body = True, definition(inner)
    if not (isinstance(body, Reduce) and body.op == "sum"):
        return None
    if over is not None and over is not body.index.extent:
        return None
    squared = _squared(body.body, passed)
    if squared is None:
        return None
    sides = _difference(squared[0], passed)
    again = sides if len(squared) == 1 else _difference(squared[1], passed)
    if sides is None or again is None or not _same(sides, again):
        return None
    apart, left, right = sides
    rest = tuple(sub for sub in apart.subs if sub is not body.index)
    if rest != value.axes or len(rest) + 1 != len(apart.subs):
        return None
    place = apart.subs.index(body.index)
    return Paired(left, right, apart.value, place, root, tuple(passed), over is not None)


def _is_root(term: Apply) -> bool:
    return term.op == "sqrt" or (term.op == "pow" and term.args[1] is Const(0.5))


def _squared(term: Term | None, passed: list[Value]) -> tuple[Term, ...] | None:
    """What is squared: once, or the two factors of a product."""
    while isinstance(term, Read):
        passed.append(term.value)
        term = definition(term)
    if not isinstance(term, Apply):
        return None
    if term.op == "square":
        return term.args
    if term.op == "pow" and isinstance(term.args[1], Const) and term.args[1].value == 2:
        return term.args[:1]
    return term.args if term.op == "mul" and len(term.args) == 2 else None


def _difference(term: Term | None, passed: list[Value]) -> tuple[Read, Read, Read] | None:
    """The array of differences, and the elements of two arrays that one of its own is made of."""
    apart: Read | None = None
    while isinstance(term, Read):
        passed.append(term.value)
        apart, term = term, definition(term)
    if apart is None or not (isinstance(term, Apply) and term.op == "sub"):
        return None
    left, right = term.args
    if not (isinstance(left, Read) and isinstance(right, Read)):
        return None
    return apart, left, right


def _same(one: tuple[Read, Read, Read], other: tuple[Read, Read, Read]) -> bool:
    return all(a is b or equal(a, b) for a, b in zip(one[1:], other[1:], strict=True))


def _is_table(found: Paired, axes: tuple[Index, ...]) -> bool:
    """Whether each side lacks an axis that the other has, before the one that is summed over. Axes
    of unknown number do not count: which of them the sides share is not known."""
    known = [axis for axis in axes if not axis.group]
    has = [{axis for axis in known if _along(side, axis)} for side in (found.left, found.right)]
    return bool(has[0] - has[1] and has[1] - has[0])


def _is_table_perhaps(found: Paired, axes: tuple[Index, ...]) -> Value | None:
    """The array of an unknown number of axes that makes it a table unless it has as many as the
    other, which has one of one entry between its two."""
    if found.place != 2 or any(not axis.group for axis in axes[2:]):
        return None
    for side, other in ((found.left, found.right), (found.right, found.left)):
        own = side.value.axes
        inserted = len(own) > 2 and own[1].extent is ONE and own[0].extent is not ONE
        unknown = other.value.body is None or any(axis.group for axis in other.value.axes)
        if inserted and unknown and other.subs[:2] == axes[:2]:
            return other.value
    return None


def _along(side: Read, axis: Index) -> bool:
    """Whether the elements differ along an axis, as far as the shapes tell."""
    if axis in side.subs:
        behind = len(side.subs) - side.subs.index(axis)
        own = side.value.axes
        if behind <= len(own) and own[-behind].extent is ONE:
            return False
    return depends(side, axis)


class _Region(ExpressionRegion):
    """The expression that sums."""

    def match(self, value: Value, found: Paired) -> Match | None:
        site = self.site
        sides = [self.say(side.value) for side in (found.left, found.right)]
        dim = self._dim(value, found)
        if dim is None:
            return None
        left, right = sides
        site.require(
            found.apart.dtype not in WHOLE or not self._widens(value, found),
            "dtypes",
            "of whole numbers it has another type",
        )
        site.require(not self.autocast(), "autocast", "under autocast a product has another dtype")
        site.require(
            self.same_gradients(found.passed),
            "gradients",
            "the differences are made under another `with` block",
        )
        site.require(
            left is not None and right is not None and self.steady(found.passed, [left, right]),
            "effects",
            "something in between may change what the differences are of",
        )
        if left is None or right is None:
            return None
        words = [f"dim={dim}"] if dim != -1 else []
        words += ["root=True"] if found.root else []
        arguments = [left.text, right.text, *words]
        assumed = self._assumed(value, found, [left.text, right.text])
        count: str | None = None
        if found.averaged:
            counted = self._counted(found)
            if counted is None:
                return None
            count, certain = counted
            assumed += (
                [] if certain else [f"`{left.text}` and `{right.text}` have equally many columns"]
            )
        text = replace(text_of(f"{KERNEL}()"), reads=left.reads | right.reads | {KERNEL})
        removal = self.removal({self.node: text})
        self.require_gone(removal, found.passed, self.node, "differences-used")
        edits = (self._call(arguments, count), *removal.edits)
        doubt = "a sum in half precision may be too large where a mean is not"
        dtype, tensors = found.apart.dtype, value.library != "numpy"
        unsafe = found.averaged and (dtype in HALF or (dtype is None and tensors))
        what = "distances" if found.root else "squared distances"
        return Match(
            span=site.computation.span,
            message=f"all differences of pairs of rows are written out: their {what} need no more"
            " than the rows",
            computation=site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            imports=(("auditor.kernels", KERNEL),),
            kernel=f"auditor.kernels.{KERNEL}",
            safe=not unsafe,
            reason=doubt if unsafe else assuming(assumed),
        )

    def _call(self, arguments: list[str], count: str | None) -> Edit:
        """The new code, in brackets where it is a part of what binds as tight."""
        if count is None:
            return self.replacement(KERNEL, arguments)
        parent = self.parents.get(self.node)
        tight = isinstance(parent, (ast.BinOp, ast.Attribute, ast.Subscript))
        text = f"{KERNEL}({', '.join(arguments)}) / {count}"
        return self.replace(self.node, f"({text})" if tight else text)

    def _counted(self, found: Paired) -> tuple[str, bool] | None:
        """How many squares there are to a sum, as code, and whether that is certain; None where
        they are not those of the last axis."""
        facts = self.lifted.facts
        if found.place != len(found.apart.axes) - 1:
            return None
        counts, lengths = list[str](), list[Term]()
        for side in (found.left, found.right):
            at: Term | None = side
            while isinstance(at, Read) and any(axis.extent is ONE for axis in at.value.axes):
                at = self.behind(at)
            said = self.say(at.value) if isinstance(at, Read) else None
            if not isinstance(at, Read) or said is None or at.subs[-1:] != side.subs[-1:]:
                return None
            counts.append(f"{said.dotted()}.shape[-1]")
            lengths.append(at.value.axes[-1].extent)
        one, other = map(facts.extent, lengths)
        return counts[0], one is other and all(map(facts.certain, lengths))

    def _widens(self, value: Value, found: Paired) -> bool:
        """Whether whole numbers would get another type than the kernel's: `einsum` keeps theirs,
        a mean and a power that is a float make them floats."""
        if self._by_einsum or found.averaged:
            return True
        powers = everything([] if value.body is None else [value.body])
        return any(
            isinstance(term, Apply) and term.op == "pow" and isinstance(term.args[1], Const)
            and isinstance(term.args[1].value, float) and term.args[1].value == 2
            for term in powers
        )  # fmt: skip

    @property
    def _by_einsum(self) -> bool:
        return isinstance(self.node, ast.Call) and "einsum" in ast.unparse(self.node.func)

    def _assumed(self, value: Value, found: Paired, texts: list[str]) -> list[str]:
        if found.apart.dtype is not None or not self._widens(value, found):
            return []
        said = f"{' and '.join(f'`{text}`' for text in texts)} hold floating-point numbers"
        return [f"{said} of single precision or more" if found.averaged else said]

    def asked_for_shape(self, value: Value) -> bool:
        """Whether the function asks an array for its sizes, so that how many axes it has is no
        guess."""
        return any(
            isinstance(above := self.parents.get(load), ast.Attribute)
            and above.attr in ("shape", "size", "ndim", "dim")
            for load in self.reads_of(value)
        )

    def _dim(self, value: Value, found: Paired) -> int | None:
        """The axis that is summed over, so that it is right however many axes there are; None
        where that is not known."""
        axes, stated = found.apart.axes, self.lifted.facts.assumptions
        behind = found.place - len(axes)
        written = self._by_einsum
        guessed = any(leaf in stated for leaf in leaves(value))
        sign = -1 if written or not guessed else counted_alike(self, value)
        if sign is None:
            return None
        passed = axes[: found.place] if sign > 0 else axes[found.place :]
        if any(axis.group for axis in passed):
            return None
        return behind if sign < 0 else found.place


def distances_match(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    value, node = site.value, site.node
    if site.loop is not None or value is None or node is None or site.statement is None:
        return None
    if value.span != site.lifted.module.span(node) or value.library == "python":
        return None
    found = paired(value)
    if found is None:
        return None
    region = _Region(site)
    if not _is_table(found, value.axes):
        other = _is_table_perhaps(found, value.axes)
        if other is None or region.asked_for_shape(other):
            return None
    return region.match(value, found)
