"""Heads that are folded into the batch where products are taken, and apart where masks are applied.

``torch.bmm`` wants one axis of batches and heads, ``(b h) i d``. Masks speak of the two, so scores
are viewed as ``b h i j``, masked and viewed back; there an element of a mask is read at ``a // h``
and ``a % h``. A kernel that broadcasts masks takes operands whose axis is apart from the start.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from auditor.attention.reading import Added, Attention
from auditor.lift import extents
from auditor.lift.facts import Facts
from auditor.notation import Apply, Index, Read, Term, substitute, transform, walk

_DIVISIONS = {"floordiv": extents.floordiv, "mod": extents.mod}


@dataclass(frozen=True)
class Folded:
    """The axis ``whole`` of the operands is ``batch * heads + head`` of the masks."""

    whole: Index
    batch: Index
    head: Index

    @property
    def heads(self) -> Term:
        return self.head.extent

    def among(self, axes: Sequence[Index]) -> list[Index]:
        """``axes`` with the two in the place of the one."""
        both = (self.batch, self.head)
        return [part for axis in axes for part in (both if axis is self.whole else (axis,))]

    def apart(self, term: Term) -> Term:
        """A term of ``whole`` as one of ``batch`` and ``head``."""
        place = extents.add(extents.mul(self.batch, self.heads), self.head)
        return transform(substitute(term, {self.whole: place}), _divided)

    def whole_of(self, term: Term, facts: Facts) -> bool:
        """Whether an operand certainly has all of the axis, not one element that is broadcast."""
        return isinstance(term, Read) and any(
            sub is self.whole and facts.certain(axis.extent)
            for sub, axis in zip(term.subs, term.value.axes, strict=False)
        )


def folded(found: Attention) -> Folded | None:
    """How the masks divide one of the batch axes, or None."""
    if any(axis.group for axis in found.batch):
        return None
    parts = [(axis, by) for axis in found.batch for by in {*_divisors(found, axis)}]
    if len(parts) != 1:
        return None
    ((whole, count),) = parts
    batches = extents.floordiv(whole.extent, count)
    return Folded(whole, Index("batch", batches), Index("head", count))


def _divisors(found: Attention, whole: Index) -> Iterator[Term]:
    """By what the masks divide the place along an axis."""
    for mask in found.score.masks:
        term = mask.term if isinstance(mask, Added) else mask.condition
        for node in walk(term):
            if isinstance(node, Apply) and node.op in _DIVISIONS and node.args[0] is whole:
                yield node.args[1]


def _divided(term: Term) -> Term:
    if isinstance(term, Apply) and term.op in _DIVISIONS:
        return _DIVISIONS[term.op](*term.args)
    return term
