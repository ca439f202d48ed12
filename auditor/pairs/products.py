"""Products of elements that broadcasting pairs, summed over an axis that both have: reading them,
and the product of matrices that takes their place.

(a[:, None, :] * b[None, :, :]).sum(-1)          a @ b.T
(a[:, :, None] * b[None]).sum(1)                 a @ b
"""

from __future__ import annotations

from dataclasses import dataclass

from auditor.algebra.subterms import everything
from auditor.arrays.facts import Arrays, leaves
from auditor.assumed import assuming, listed
from auditor.expressions.region import ExpressionRegion, Text, text_of
from auditor.expressions.suppositions import made_of
from auditor.lift.dtypes import HALF, WHOLE
from auditor.notation import ONE, Apply, Index, Read, Reduce, Term, Value, definition
from auditor.rewrite import Match, Site
from auditor.syntax import walks
from auditor.verdict import Verdict


@dataclass(frozen=True)
class _Paired:
    """``sum_k left[.., k] right[.., k]``, or with ``averaged`` its share of each k; ``passed`` are
    the arrays made on the way."""

    inner: Index
    left: Read
    right: Read
    passed: tuple[Value, ...]
    averaged: bool


def paired_product(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    value, node = site.value, site.node
    if site.loop is not None or value is None or node is None or site.statement is None:
        return None
    if value.span != site.lifted.module.span(node) or walks(node) or len(value.axes) < 2:
        return None
    if value.library == "python" or any(axis.group for axis in value.axes):
        return None
    found = _paired(value)
    if found is None or _of_attention(site, value):
        return None
    return _Region(site).match(value, found)


def _of_attention(site: Site, value: Value) -> bool:
    """Whether it gives the scores or the result of an attention, which has a rewrite of its own."""
    others = dict.fromkeys(
        other for other in site.lifted.lifter.values.values()
        if isinstance(other, Value) and other is not value and _is_product(other)
    )  # fmt: skip
    return _weighs(value) or any(_weighs(other) and value in made_of(other) for other in others)


def _weighs(value: Value) -> bool:
    """Whether exponentials are summed up."""
    terms = everything([value.body] if value.body is not None else [])
    return any(isinstance(term, Apply) and term.op == "exp" for term in terms)


def _is_product(value: Value) -> bool:
    """Whether a value sums products of two."""
    total = value.body
    if not isinstance(total, Reduce) or total.op != "sum":
        return False
    product = definition(total.body) if isinstance(total.body, Read) else total.body
    return isinstance(product, Apply) and product.op == "mul"


def _paired(value: Value) -> _Paired | None:
    """The sum of products that were made as an array of their own."""
    total = value.body
    averaged = isinstance(total, Apply) and total.op == "div"
    if isinstance(total, Apply) and averaged:
        summed, count = total.args
        if not isinstance(summed, Read) or summed.value.span != value.span:
            return None
        total = definition(summed)
        if not isinstance(total, Reduce) or count is not total.index.extent:
            return None
    if not (isinstance(total, Reduce) and total.op == "sum"):
        return None
    passed: list[Value] = []
    product: Term | None = total.body
    while isinstance(product, Read):
        passed.append(product.value)
        product = definition(product)
    if not passed or not isinstance(product, Apply) or product.op != "mul":
        return None
    left, right = (product.args * 2)[:2]
    if len(product.args) != 2 or not isinstance(left, Read) or not isinstance(right, Read):
        return None
    return _Paired(total.index, left, right, tuple(passed), averaged)


class _Region(ExpressionRegion):
    """The expression that sums."""

    def match(self, value: Value, found: _Paired) -> Match | None:
        site, axes, inner = self.site, value.axes, found.inner
        sides = [self._bare(side) for side in (found.left, found.right)]
        row, column = axes[-2:]
        if sides[0] is None or sides[1] is None:
            return None
        first, second = sides if row in sides[0].subs else sides[::-1]
        assert first is not None and second is not None
        if not self._whole(inner, (first, second)):
            return None
        one = self._operand(first, (*axes[:-2], row, inner), column)
        other = self._operand(second, (*axes[:-2], inner, column), row)
        if one is None or other is None or not self._arrays((first, second)):
            return None
        both = list(dict.fromkeys((first.value, second.value)))
        passed = [*found.passed, found.left.value, found.right.value]
        passed = [each for each in passed if each not in both]
        site.require(
            all(each.dtype not in WHOLE for each in both),
            "integers",
            "sums of integers may have another type than their product",
        )
        site.require(not self.autocast(), "autocast", "under autocast a product has another dtype")
        site.require(
            self.same_gradients(passed),
            "gradients",
            "the products are made under another `with` block",
        )
        site.require(
            self.steady(passed, [one, other]), "effects", "something in between may change them"
        )
        text = f"{one.multiplied()} @ {other.multiplied()}"
        doubt: str | None = None
        if found.averaged:
            text = f"{text} / {one.dotted()}.shape[-1]"
            if any(each.dtype in HALF or not each.dtype for each in both) and self.tensors(both):
                doubt = "a sum in half precision may be too large where a mean is not"
        counted = self._counted_by_uses(both)
        if counted:
            # of vectors these are other pairs: the axis that was put in is the one summed over
            names = listed(f"`{name}`" for name in counted)
            doubt = f"only its uses suggest the number of axes of {names}"
        removal = self.removal({self.node: text_of(text, one, other)})
        self.require_gone(removal, list(found.passed), self.node, "products-used")
        edits = (self.replace(self.node, text), *removal.edits)
        return Match(
            span=site.computation.span,
            message="all products of pairs of rows are written out to be summed: a product of"
            " matrices needs no more than the rows",
            computation=site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            safe=doubt is None,
            reason=doubt or assuming(self._assumed(both, found)),
            verdicts={
                "locality": Verdict("partial", "structure", "a cell reads its own row and column")
            },
        )

    def _bare(self, read: Read) -> Read | None:
        """What is read, without the axes of length one that were put in."""
        at: Term | None = read
        while isinstance(at, Read):
            if all(axis.extent is not ONE for axis in at.value.axes) and not at.aligned:
                known = [sub for sub in at.subs if isinstance(sub, Index)]
                plain = len(set(known)) == len(at.subs) == len(at.value.axes)
                return at if plain and not any(axis.group for axis in at.value.axes) else None
            at = self.behind(at)
        return None

    def _whole(self, inner: Index, sides: tuple[Read, Read]) -> bool:
        """Whether the sum goes over all of an axis of both."""
        extent = self.lifted.facts.extent
        for side in sides:
            if inner not in side.subs:
                return False
            axis = side.value.axes[side.subs.index(inner)]
            if extent(axis.extent) is not extent(inner.extent):
                return False
        return True

    def _operand(self, read: Read, target: tuple[Index, ...], without: Index) -> Text | None:
        """One of the matrices, or a batch of them."""
        if without in read.subs or not set(target[-2:]) <= set(read.subs):
            return None
        lead = [axis for axis in target[:-2] if axis in read.subs]
        if lead != list(target[len(target) - 2 - len(lead) : -2]):
            return None
        said = self.say(read.value)
        return None if said is None else self.arranged(read, (*lead, *target[-2:]), said)

    def _arrays(self, sides: tuple[Read, Read]) -> bool:
        values = [side.value for side in sides]
        return self.tensors(values) or Arrays(self).of_numpy(values, self.origins)

    def _counted_by_uses(self, both: list[Value]) -> list[str]:
        """What has so many axes only because they are counted from the front here, from the end
        there."""
        return sorted(self.lifted.facts.guessed & {n for each in both for n in leaves(each)})

    def _assumed(self, both: list[Value], paired: _Paired) -> list[str]:
        stated = self.lifted.facts.assumptions
        found = [stated[n] for each in both for n in sorted(leaves(each)) if n in stated]
        names = listed(f"`{each.name}`" for each in both)
        many = len(both) > 1
        if any(each.dtype is None for each in both):
            kind = "floating-point numbers" + " of single precision or more" * paired.averaged
            found.append(f"{names} hold{'' if many else 's'} {kind}")
        if many and self.tensors(both) and len({each.dtype for each in both} - {None}) != 1:
            found.append(f"{names} are of one type")
        if many and not self.lifted.facts.certain(paired.inner.extent):
            found.append(f"{names} are equally long where they are added up")
        return found
