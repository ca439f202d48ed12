"""Products of matrices that a comprehension makes entry by entry, or row by row.

np.array([[a @ b for b in y] for a in x])        x @ y.T
np.stack([x @ row for row in x])                 x @ x.T
"""

from __future__ import annotations

from auditor.algebra.subterms import computed, element
from auditor.arrays.facts import Arrays, leaves
from auditor.assumed import assuming, listed
from auditor.expressions.region import ExpressionRegion, Text, text_of
from auditor.lagged.lags import integral
from auditor.lift import extents
from auditor.lift.dtypes import WHOLE
from auditor.notation import Apply, Index, Read, Reduce, Value
from auditor.rewrite import Match, Site
from auditor.syntax import converts, walks
from auditor.verdict import Verdict


def listed_product(site: Site, same: bool, message: str) -> Match | None:
    """The match of an array that is made of a list of the entries of a product, of one matrix with
    itself (``same``) or of two, or None. Raises ``Refused``."""
    value, node = site.value, site.node
    if site.loop is not None or value is None or node is None or site.statement is None:
        return None
    if not walks(node) or value.span != site.lifted.module.span(node) or len(value.axes) != 2:
        return None
    if value.library not in ("torch", "numpy") or any(axis.group for axis in value.axes):
        return None
    factors = _factors(value, site)
    if factors is None or (factors[0] is factors[1]) is not same:
        return None
    return _Listed(site).match(value, factors, message)


def _factors(value: Value, site: Site) -> tuple[Value, Value] | None:
    """The matrices of which ``value`` holds the products of all rows."""
    if value.body is None:
        return None
    facts, total = site.lifted.facts, computed(value.body)
    if not isinstance(total, Reduce) or total.op != "sum":
        return None
    product = computed(total.body)
    if not isinstance(product, Apply) or product.op != "mul" or len(product.args) != 2:
        return None
    rows: dict[Index, Value] = {}
    for factor in map(element, product.args):
        if not isinstance(factor, Read) or len(factor.subs) != 2 or factor.aligned:
            return None
        row, inner = (extents.canonical(integral(sub)) for sub in factor.subs)
        whole = all(
            isinstance(index, Index)
            and not index.group
            and not axis.group
            and facts.extent(index.extent) is facts.extent(axis.extent)
            and facts.certain(axis.extent)
            for index, axis in zip((row, inner), factor.value.axes, strict=True)
        )
        if not whole or inner is not total.index or not isinstance(row, Index):
            return None
        rows[row] = factor.value
    first, second = value.axes
    return (rows[first], rows[second]) if rows.keys() == {first, second} else None


class _Listed(ExpressionRegion):
    """The expression that makes the array."""

    def match(self, value: Value, factors: tuple[Value, Value], message: str) -> Match | None:
        site, both = self.site, list(dict.fromkeys(factors))
        numpy = value.library == "numpy"
        arrays = Arrays(self)
        known = arrays.of_numpy(both, self.origins) if numpy else self.tensors(both)
        texts = [self.say(each) for each in factors]
        if not known or texts[0] is None or texts[1] is None:
            return None
        site.require(
            all(each.dtype not in WHOLE for each in both),
            "integers", "sums of integers may have another type than their product",
        )  # fmt: skip
        site.require(
            not self.effects_in(self.node), "effects", "computing an item does something else too"
        )
        site.require(not converts(self.node), "types", "the items are made another type on the way")
        site.require(not self.autocast(), "autocast", "under autocast a product has another dtype")
        text = f"{texts[0].dotted()} @ {texts[1].dotted()}.T"
        removal = self.removal({self.node: Text(text, text_of(text).reads, False)})
        edits = (self.replace(self.node, text), *removal.edits)
        return Match(
            span=site.computation.span,
            message=message,
            computation=site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            reason=assuming(self._assumed(both)),
            verdicts={
                "symmetry": Verdict("holds", "structure", "an entry is that of its row and column")
            },
        )

    def _assumed(self, both: list[Value]) -> list[str]:
        stated = self.lifted.facts.assumptions
        found = [stated[n] for each in both for n in sorted(leaves(each)) if n in stated]
        names = listed(f"`{each.name}`" for each in both)
        many = len(both) > 1
        if any(each.dtype is None for each in both):
            found.append(f"{names} hold{'' if many else 's'} floating-point numbers")
        return [*found, f"{names} {'are' if many else 'is'} not empty"]
