"""A product with a matrix whose entries depend on the distance of row and column, in an expression:
what takes its place."""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.arrays.facts import Arrays, leaves
from auditor.arrays.overwritten import written_after
from auditor.arrays.wrapping import may_wrap
from auditor.assumed import assuming
from auditor.expressions.filling import own_fills
from auditor.expressions.region import ExpressionRegion, Text, text_of
from auditor.lagged.convolved import (
    FASTER,
    Sizes,
    Written,
    doubted,
    fits,
    imaginary,
    kernel_text,
    longer,
    numpy_text,
    torch_text,
    with_transforms,
)
from auditor.lagged.lags import Lagged, integral, lagged
from auditor.lagged.two_sided import joined_text
from auditor.lift import extents
from auditor.lift.dtypes import WHOLE
from auditor.lift.objects import Collected
from auditor.notation import ZERO, Const, Index, Term, Value
from auditor.rewrite import Match, Refused, Site
from auditor.syntax import path_of, walks

_LISTED = "the sums in the list are those of a convolution, one element at a time"

_CALLED = "a long convolution is summed up term by term"


def lag_match(site: Site, circular: bool, message: str) -> Match | None:
    """The match of an expression that multiplies with such a matrix, or None."""
    value, node = site.value, site.node
    if site.loop is not None or value is None or node is None or site.statement is None:
        return None
    if value.span != site.lifted.module.span(node) or value.body is None:
        return None
    if value.library == "python":
        return None
    if any(axis.group for axis in value.axes):
        return None
    found = _lagged(site, value)
    if found is None or (found.period is not None) is not circular:
        return None
    region = _LagRegion(site)
    listed = walks(node) or region.of_a_list()
    if not found.opened and not listed and not region.called_long(found):
        return None
    return region.match(value, found, message)


def _lagged(site: Site, value: Value) -> Lagged | None:
    """The sum over a lag that a value is, which is asked for both kinds of convolution."""
    facts, key = site.lifted.facts, ("lagged", value)

    def bounds(index: Index) -> tuple[Term, Term]:
        return ZERO, extents.canonical(facts.extent(index.extent))

    def extent(length: Term) -> Term:
        return extents.canonical(facts.extent(length))

    if key not in site.lifted.once and value.body is not None:
        site.lifted.once[key] = lagged(
            value.body, value.axes, bounds, extent, may_wrap(site.lifted)
        )
    found: Lagged | None = site.lifted.once.get(key)
    return found


class _LagRegion(ExpressionRegion):
    """The expression that multiplies with the matrix."""

    def match(self, value: Value, found: Lagged, message: str) -> Match | None:
        site = self.site
        sizes = self._sizes(found)
        read = [found.moving, found.still]
        vectors = found.vectors
        numpy = not self.tensors(vectors)
        said = [self._said(found, each.value, numpy) for each in read]
        leads = [tuple(sub for p, sub in enumerate(each.subs) if p != place)
                 for each, place in zip(read, (found.at, found.place), strict=True)]  # fmt: skip
        rest = tuple(axis for axis in value.axes if axis is not found.index)
        if not fits(found, sizes) or not all(lead in ((), rest) for lead in leads):
            return None
        ends = found.reach if found.period is not None else None, found.taps
        if any(ends) and (found.opened or rest or any(map(len, leads))):
            return None  # of a matrix all is used
        if numpy and (rest or not Arrays(self).of_numpy(vectors, self.origins)):
            return None
        if said[0] is None or said[1] is None:
            return None
        site.require(numpy or not found.casts, "cast", "the matrix is converted to another dtype")
        loops = own_fills(self, found.opened)
        types = dict.fromkeys(filled.dtype for filled in loops if filled.dtype is not None)
        found = replace(found, casts=(*found.casts, *types))
        self._require(found, vectors, [text for text in said if text is not None])
        site.require(
            not self.effects_in(self.node), "effects", "computing an item does something else too"
        )
        try:
            one, other = (
                text if end is None else text.call(f"[:{self._length(found, end)}]")
                for text, end in zip((said[0], said[1]), ends, strict=True)
            )
            written = self._written(found, one, other, leads, sizes, numpy)
        except Refused:
            return None
        site.require(
            not imaginary(vectors, written, not numpy), "complex", "the numbers are complex"
        )
        text = written.text
        place = value.axes.index(found.index)
        if place != len(value.axes) - 1:
            text = f"{text}.movedim(-1, {place})"
        reads = text_of(text).reads
        collecting = self.collecting(())
        going = [*loops.values(), *(s for s in collecting if not isinstance(s, ast.Assign))]
        removal = self.removal({self.node: Text(text, reads)}, loops=going)
        self.require_gone(removal, found.opened, self.node, "matrix-used")
        for built in collecting:
            site.require(
                built in removal.gone,
                "matrix-used",
                f"line {built.lineno} computes something else as well",
            )
        for filled, loop in loops.items():
            site.require(loop in removal.gone, "matrix-used", f"`{filled.name}` is also used")
        edits = (self.replace(self.node, text), *removal.edits)
        match = Match(
            span=site.computation.span,
            message=self._message(found, message),
            computation=site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            reason=assuming(self._assumed(found, vectors, written)),
        )
        return with_transforms(doubted(match, longer(found, sizes)), written, not numpy)

    def _message(self, found: Lagged, message: str) -> str:
        if found.opened:
            return message
        return _LISTED if walks(self.node) or self.of_a_list() else _CALLED

    def of_a_list(self) -> bool:
        """Whether the expression makes an array of a list that a comprehension gave a name."""
        node = self.node
        given = node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 else None
        return isinstance(given, ast.Name) and isinstance(self.values.get(given), Collected)

    def called_long(self, found: Lagged) -> bool:
        """Whether the expression calls NumPy's convolution, of stated sizes from which transforms
        are faster."""
        node = self.node
        path = path_of(self.module, node.func) if isinstance(node, ast.Call) else None
        called = path in ("numpy.convolve", "numpy.correlate")
        return called and self._sizes(found).longer_than(FASTER)

    def _said(self, found: Lagged, value: Value, numpy: bool) -> Text | None:
        """An operand as code: one that is put together of both sides of a matrix is so there."""
        halves = found.halves
        if halves is None or value is not found.moving.value:
            return self.say(value)
        below, above = self.say(halves.below), self.say(halves.above)
        if below is None or above is None:
            return None
        name = self.module_name("numpy") if numpy else self.torch_name()
        return text_of(joined_text(halves, below.dotted(), above.dotted(), name, not numpy))

    def _require(self, found: Lagged, values: list[Value], said: list[Text]) -> None:
        site = self.site
        site.require(
            all(value.dtype not in WHOLE for value in values),
            "integers", "the numbers are integers, which are summed exactly",
        )  # fmt: skip
        types = {value.dtype for value in values} - {None}
        site.require(
            len(types) < 2 and all(cast in types or not types for cast in found.casts),
            "dtypes", "the vectors are of different types",
        )  # fmt: skip
        site.require(not self.autocast(), "autocast", "under autocast a product has another dtype")
        site.require(
            self.same_gradients(found.opened),
            "gradients", "the matrix is made under another `with` block",
        )  # fmt: skip
        site.require(
            self.steady(found.opened, said), "effects", "something in between may change a vector"
        )
        site.require(
            not written_after(site, values),
            "written",
            "a vector is changed in place later, which the backward pass would need",
        )

    def _written(
        self, found: Lagged, moving: Text, still: Text, leads: list[tuple[Term, ...]],
        sizes: Sizes, numpy: bool,
    ) -> Written:  # fmt: skip
        if numpy:
            name = self.module_name("numpy")
            return numpy_text(found, moving.dotted(), still.dotted(), sizes, name)
        one, other = (
            text.dotted() + ("" if place == len(each.subs) - 1 else f".movedim({place}, -1)")
            for text, each, place in ((moving, found.moving, found.at),
                                      (still, found.still, found.place))
        )  # fmt: skip
        rows = len(leads[0]), len(leads[1])
        if any(rows):  # a product of matrices is faster than torch's convolution of many rows
            return kernel_text(found, one, other, sizes)
        return torch_text(found, one, other, sizes, self.torch_name(), rows)

    def module_name(self, module: str) -> str:
        for name, path in self.module.names.items():
            if path == module:
                return name
        raise Refused(module, f"the file does not import {module}")

    def _sizes(self, found: Lagged) -> Sizes:
        facts = self.lifted.facts
        lengths = [
            extents.canonical(facts.extent(each.value.axes[place].extent))
            for each, place in ((found.moving, found.at), (found.still, found.place))
        ]
        if found.taps is not None:
            lengths[1] = found.taps
        count = extents.canonical(facts.extent(found.index.extent))
        return Sizes(lengths[0], lengths[1], count, lambda length: self._length(found, length))

    def _length(self, found: Lagged, length: Term) -> str:
        """A length as it may be written. Raises ``Refused``."""
        number = extents.constant(length)
        if number is not None:
            return str(number)
        for name, held in self.scope(self.statement).items():
            if isinstance(held, Value) and not held.axes and name.isidentifier():
                body = held.body
                if body is not None and extents.canonical(
                    self.lifted.facts.extent(integral(body))
                ) is extents.canonical(length):  # fmt: skip
                    return name
        for each, place in ((found.moving, found.at), (found.still, found.place)):
            extent = extents.canonical(self.lifted.facts.extent(each.value.axes[place].extent))
            said = self.say(each.value)
            if said is not None and extent is extents.canonical(length):
                return f"{said.dotted()}.shape[{place}]"
        parts = dict(extents.polynomial(length))
        if len(parts) == 1 and (factor := next(iter(parts.values()))) > 1:
            return f"{factor} * {self._length(found, extents.mul(*next(iter(parts))))}"
        rest = parts.pop((), 0)
        if rest and len(parts) == 1:
            base = self._length(found, extents.sub(length, Const(rest)))
            return f"{base} {'+' if rest > 0 else '-'} {abs(rest)}"
        if len(parts) == 2 and all(factor == 1 for factor in parts.values()):
            sides = [self._length(found, extents.mul(*monomial)) for monomial in parts]
            return f"{' + '.join(sides)}{f' {rest:+d}' if rest else ''}"
        raise Refused("sizes", "a length has no name here")

    def _assumed(self, found: Lagged, values: list[Value], written: Written) -> list[str]:
        stated = self.lifted.facts.assumptions
        names = dict.fromkeys(n for v in values for n in sorted(leaves(v)) if n in stated)
        sentences = [stated[name] for name in names]
        unknown = [f"`{value.name}`" for value in values if value.dtype is None]
        if unknown:
            ending = "" if len(unknown) > 1 else "s"
            what = found.casts[0] if found.casts else "floating-point numbers of one type"
            sentences.append(f"{' and '.join(unknown)} hold{ending} {what}")
        if found.taps is not None:
            least = self._length(found, found.taps)
            sentences.append(f"`{found.still.value.name}` has {least} elements or more")
        if any(extents.constant(size) is None for size in written.needed):
            ending = "are" if len(values) > 1 else "is"
            sentences.append(f"{' and '.join(f'`{v.name}`' for v in values)} {ending} not empty")
        return sentences
