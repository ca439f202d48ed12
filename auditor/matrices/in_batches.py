"""Products of three factors, of which each sample may have its own, in the cheaper order.

y[n, o] = sum_d (sum_r B[n, o, r] A[n, r, d]) x[n, d]
        = sum_r B[n, o, r] (sum_d A[n, r, d] x[n, d])

The matrices of all samples need not be built. Unlike the factors of a chain (``auditor.algebra.
chains``) these may have any axes, shared ones among them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from auditor.algebra.chains import Cost, saves, summed_pair
from auditor.arrays.facts import leaves
from auditor.arrays.stated_sizes import measured
from auditor.assumed import assuming
from auditor.expressions.region import ExpressionRegion, Text
from auditor.matrices.constant_factors import cost
from auditor.notation import Index, Read, Value, definition
from auditor.rewrite import Match, Site

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_GAINS = {"any": 8.0}
"""Of matrices of 64 places a side; more as they grow."""


@dataclass(frozen=True, eq=False)
class Nested:
    """``sum (outer inner) other``, of which ``inner`` and ``other`` may be multiplied first:
    ``made`` are the products of the first two, ``between`` the indices of the new one."""

    outer: Read
    inner: Read
    other: Read
    made: tuple[Value, ...]
    between: tuple[Index, ...]


def in_batches(site: Site) -> Match | None:
    """The match of such a product of tensors. Raises ``Refused``."""
    value = site.value
    if site.node is None or site.statement is None or not isinstance(value, Value):
        return None
    for found in _nested(value):
        if saves(*_costs(site, value, found)):
            return _Region(site).match(value, found)
    return None


def _nested(value: Value) -> Iterable[Nested]:
    """The ways in which a value is such a product."""
    pair = summed_pair(value.body) if value.body is not None else None
    if pair is None or not all(map(_plain, pair[:2])):
        return
    left, right, index = pair
    for matrix, other in ((left, right), (right, left)):
        at, made = matrix, [matrix.value]
        while isinstance(inside := definition(at), Read) and not inside.aligned:
            at = inside
            made.append(at.value)
        factors = summed_pair(inside) if inside is not None and not at.aligned else None
        if factors is None or not all(map(_plain, factors[:2])):
            continue
        for outer, inner in (factors[:2], factors[1::-1]):
            if index not in inner.subs or index in outer.subs or factors[2] in other.subs:
                continue
            axes = [*_indices(inner), *(i for i in _indices(other) if i not in inner.subs)]
            between = tuple(i for i in axes if i is not index)
            if {*value.axes} == {*_indices(outer), *between} - {factors[2]}:
                yield Nested(outer, inner, other, tuple(made), between)


def _plain(read: Read) -> bool:
    subs = [sub for sub in read.subs if isinstance(sub, Index) and not sub.group]
    return not read.aligned and len(subs) == len(set(subs)) == len(read.subs)


def _indices(read: Read) -> list[Index]:
    return [sub for sub in read.subs if isinstance(sub, Index)]


def _costs(site: Site, value: Value, found: Nested) -> tuple[Cost, Cost]:
    """How many multiplications it takes as it is, and in the other order."""
    outer, inner, other = map(_indices, (found.outer, found.inner, found.other))
    matrix = ({*outer} | {*inner}) & ({*value.axes} | {*other})
    return (
        _multiplied(site, ({*outer} | {*inner}, matrix | {*other})),
        _multiplied(site, ({*inner} | {*other}, {*outer} | {*found.between})),
    )


def _multiplied(site: Site, nests: Iterable[Collection[Index]]) -> Cost:
    return cost(*(tuple(measured(site.lifted, index.extent) for index in nest) for nest in nests))


class _Region(ExpressionRegion):
    """The expression that multiplies with the product of two."""

    def match(self, value: Value, found: Nested) -> Match | None:
        site, reads = self.site, (found.outer, found.inner, found.other)
        texts = [self.say(read.value) for read in reads]
        said = [text for text in texts if text is not None]
        torch = next((n for n, path in self.module.names.items() if path == "torch"), None)
        if len(said) < len(reads) or torch is None or self.autocast():
            return None
        if not self.tensors([read.value for read in reads]) or not self._in_order(value, found):
            return None
        if any(self.origin(made) is None for made in found.made):
            return None
        site.require(
            self.same_gradients(found.made),
            "gradients",
            "a part of it is under another `with` block",
        )
        site.require(
            self.steady(found.made, said), "effects", "something in between may change a factor"
        )
        text = self._einsums(torch, value, found, said)
        names = frozenset[str]().union(*(each.reads for each in said))
        removal = self.removal({self.node: Text(text, names)})
        self.require_gone(removal, found.made, self.node, "product-used")
        if site.inside and removal.edits:
            return None
        stated = self.lifted.facts.assumptions
        asked = dict.fromkeys(n for read in reads for n in sorted(leaves(read.value)))
        return Match(
            span=site.computation.span,
            message="two factors are multiplied before the third: the other order needs fewer"
            " multiplications",
            computation=site.computation,
            edits=tuple(sorted((self.replace(self.node, text), *removal.edits))),
            reason=assuming([stated[name] for name in asked if name in stated]),
            gains=_GAINS,
            counted=True,
        )

    def _in_order(self, value: Value, found: Nested) -> bool:
        """Whether the axes that both parts of the last product have come first, then those of the
        first part: others would be views of what is laid out so."""
        outer = _indices(found.outer)
        shared = [i for i in value.axes if i in outer and i in found.between]
        own = [i for i in value.axes if i in outer and i not in found.between]
        rest = [i for i in value.axes if i not in outer]
        return list(value.axes) == [*shared, *own, *rest]

    def _einsums(self, torch: str, value: Value, found: Nested, said: list[Text]) -> str:
        names: dict[Index, str] = {}
        reads = (found.outer, found.inner, found.other)
        for index in (i for read in reads for i in _indices(read)):
            names.setdefault(index, _LETTERS[len(names)])

        def letters(axes: Iterable[Index]) -> str:
            return "".join(names[axis] for axis in axes)

        outer, inner, other = map(letters, map(_indices, reads))
        between = letters(found.between)
        first = f'{torch}.einsum("{inner},{other}->{between}", {said[1].text}, {said[2].text})'
        pattern = f"{outer},{between}->{letters(value.axes)}"
        return f'{torch}.einsum("{pattern}", {said[0].text}, {first})'
