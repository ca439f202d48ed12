"""Sums over the rows of one-hot vectors, which add up what falls on each place: ``hot.T @ x`` is
what ``index_add`` does, ``hot.sum(0)`` counts."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.arrays.facts import leaves
from auditor.arrays.overwritten import written_after
from auditor.assumed import assuming
from auditor.expressions.rebound import ReboundRegion
from auditor.expressions.region import Text, text_of
from auditor.expressions.removal import Removal
from auditor.expressions.suppositions import cut, made_of
from auditor.lift import extents
from auditor.lift.dtypes import kind_of
from auditor.lift.facts import GUESSED_RANK
from auditor.lift.subscripts import PLACED
from auditor.lift.tables.orders import ONE_HOT
from auditor.matrices.placed import Placed, placed
from auditor.notation import ONE, Apply, Const, Index, Read, Reduce, Term, Value
from auditor.rewrite import Match, Site
from auditor.syntax import walks
from auditor.verdict import Verdict

_WITHIN = "holds only places within range: the original leaves out others without an error"
_MESSAGES = {
    True: "rows of zeros with a single 1 are added up: that counts the places",
    False: "a product over rows of zeros with a single 1 adds up what falls on each place",
}


@dataclass(frozen=True)
class Scattered:
    """Over all rows, what ``other`` has of them (1, where that is None), at ``place`` along
    ``axis``, one of its ``axes``. A sum over ``inner``, divided by ``by`` where that is
    something."""

    axis: Index
    placed: Placed
    place: Read
    axes: tuple[Index, ...]
    inner: tuple[Index, ...]
    other: Read | None
    by: Term | None


def scattered(value: Value) -> Scattered | None:
    """The sum of this form that ``value`` is."""
    term, by, axes = value.body, None, value.axes
    if isinstance(term, Apply) and term.op == "div" and isinstance(term.args[0], Read):
        summed, by = term.args[0], term.args[1]
        if summed.aligned or summed.subs != axes:
            return None
        term, axes = summed.value.body, summed.value.axes
    inner = list[Index]()
    while isinstance(term, Reduce) and term.op == "sum":
        inner.append(term.index)
        term = term.body
    if not inner or not axes:
        return None
    pairs: list[tuple[Term, Term | None]] = [(term, None)] if isinstance(term, Read) else []
    if isinstance(term, Apply) and term.op == "mul" and len(term.args) == 2:
        left, right = term.args
        pairs = [(left, right), (right, left)]
    for factor, other in pairs:
        for axis in axes:
            found = placed(factor, axis)
            if found is None or not isinstance(found.place, Read) or not found.one:
                continue
            if not found.passed:
                continue  # a comparison by itself, as in one step of a loop: no rows are built
            place = found.place
            if place.aligned or set(place.subs) != set(inner) or len(place.subs) != len(inner):
                continue
            if other is None or isinstance(other, Read):
                return Scattered(axis, found, place, axes, tuple(inner), other, by)
    return None


def added_at_places(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    value, node = site.value, site.node
    if site.loop is not None or value is None or node is None or site.statement is None:
        return None
    if value.span != site.lifted.module.span(node) or walks(node):
        return None
    found = scattered(value)
    return _Region(site).match(value, found) if found is not None else None


class _Region(ReboundRegion):
    """The expression that adds up."""

    def match(self, value: Value, found: Scattered) -> Match | None:
        site, place = self.site, found.place.value
        index = self.say(place)
        size = self._size(found)
        if index is None or size is None or len(place.axes) != len(found.inner):
            return None
        if any(axis.group for axis in place.axes):
            return None
        if cut(self, found.placed.passed):
            return None
        stated = self.lifted.facts.assumptions
        assumed = [stated[name] for name in sorted(leaves(place)) if name in stated]
        torch = self.tensors([value, *found.placed.passed])
        if found.other is None:
            made = self._counts(found, index, size, torch)
        elif value.library == "numpy":
            return self._told()
        else:
            made = self._sums(found, index, size, assumed) if torch else None
        if made is None:
            return None
        text, said = made
        doubts = self._doubts(found, index, torch)
        site.require(not self.autocast(), "autocast", "under autocast a product has another dtype")
        passed = [one for one in found.placed.passed if one is not place]
        site.require(
            self.same_gradients(passed),
            "gradients",
            "the one-hot vectors are made under another `with` block",
        )
        site.require(
            self.steady(passed, said), "effects", "something in between may change the places"
        )
        site.require(
            not torch or not written_after(site, [place]),
            "written",
            "the places are changed later, which the backward pass would need",
        )
        reads = frozenset[str]().union(*(part.reads for part in said))
        removal = self.removal({self.node: Text(text, reads)})
        if found.other is None and self._stays(found.placed.passed[-1], removal):
            return None  # the rows are there anyway
        message = _MESSAGES[found.other is None]
        return Match(
            span=self.module.span(self.node),
            message=message,
            computation=site.computation,
            edits=tuple(
                sorted((self.replace(self.node, text), *removal.edits), key=lambda e: e.span)
            ),
            numerics="exact" if found.other is None else "reassociated",
            reason="; ".join(doubts) or assuming(assumed),
            safe=not doubts,
            verdicts={"sparsity": Verdict("holds", "structure", message)},
        )

    def _told(self) -> Match:
        """NumPy's own additions at places change an array, which no expression does."""
        message = f"{_MESSAGES[False]}: `np.add.at` adds these to zeros, `np.bincount` its columns"
        return Match(
            span=self.module.span(self.node),
            message=message,
            computation=self.site.computation,
            verdicts={"sparsity": Verdict("holds", "structure", message)},
        )

    def _stays(self, value: Value, removal: Removal) -> bool:
        """Whether something else uses what was made."""
        node = self.origin(value)
        if node is None or self.within(node, self.node):
            return False
        return not any(self.within(node, gone) for gone in removal.gone)

    def _doubts(self, found: Scattered, index: Text, torch: bool) -> list[str]:
        """Why the places may be none of those that there are."""
        place = found.place.value
        doubts = list[str]()
        if not torch or not self._kept(found):
            doubts.append(f"the result differs unless `{index.text}` {_WITHIN}")
            if place.dtype is None or kind_of(place.dtype) != 1:
                doubts.append(f"the result differs unless `{index.text}` holds integers")
        facts = self.lifted.facts
        guessed = {n.name for n in made_of(place) if facts.grounds.get(n.name) in GUESSED_RANK}
        if found.other is None:  # else a product had to fit
            doubts += [
                f"the result differs unless {facts.assumptions[name]}" for name in sorted(guessed)
            ]
        return doubts

    def _size(self, found: Scattered) -> Text | None:
        """How many places there are, as code."""
        for value in found.placed.passed:
            call = self.origin(value)
            if isinstance(call, ast.Call) and value.made is not None and value.made[0] == ONE_HOT:
                words = {word.arg: word.value for word in call.keywords}
                node = call.args[1] if len(call.args) > 1 else words.get("num_classes")
                if node is not None:
                    return self.source_text(node)
        extent = found.axis.extent
        if isinstance(extent, Const):
            return Text(repr(extent.value))
        name = self.scalar_at(extent, self.statement)
        if name is None and isinstance(extent, Read) and not extent.subs:
            return self.say(extent.value)
        return text_of(name) if name is not None else None

    def _sums(
        self, found: Scattered, index: Text, size: Text, assumed: list[str]
    ) -> tuple[str, list[Text]] | None:
        """``index_add`` into zeros."""
        other = found.other
        if other is None or found.by is not None or len(found.inner) != 1 or other.aligned:
            return None
        said = self.say(other.value)
        if said is None or not said.text.replace(".", "_").isidentifier():
            return None
        many = [sub for sub in other.subs if isinstance(sub, Index) and sub.group]
        subs = tuple(sub for sub in other.subs if sub not in many)
        axes = tuple(axis for axis in found.axes if axis not in many)
        rest = subs[1:]
        if subs[:1] != found.inner or len(rest) > 1 or len(other.value.axes) != len(other.subs):
            return None
        if axes not in ((found.axis, *rest), (*rest, found.axis)):
            return None
        turned = ".T" if rest and axes != (found.axis, *rest) else ""
        sizes = [size.text, *(f"{said.text}.shape[1]" for _ in rest)]
        if many:
            if turned or other.subs[:1] != tuple(many):
                return None
            assumed.append(f"`{said.text}` has no more than 2 axes")
            sizes = [size.text, f"*{said.text}.shape[1:]"]
        zeros = f"{said.text}.new_zeros({', '.join(sizes)})"
        return f"{zeros}.index_add(0, {index.text}, {said.text}){turned}", [index, size, said]

    def _counts(
        self, found: Scattered, index: Text, size: Text, torch: bool
    ) -> tuple[str, list[Text]] | None:
        """How often each place is named."""
        imported = {path: name for name, path in self.module.names.items()}
        library = imported.get("torch" if torch else "numpy")
        if library is None or found.axes != (found.axis,) or not self._divides(found):
            return None
        flat = index.text
        if len(found.inner) > 1:
            flat = f"{index.dotted()}.{'flatten' if torch else 'ravel'}()"
        if not torch or not self._kept(found):
            text = f"{library}.bincount({flat}, minlength={size.text})[: {size.text}]"
        elif index.named:
            ones = f"{library}.ones_like({flat})"
            text = f"{index.text}.new_zeros({size.text}).index_add(0, {flat}, {ones})"
        else:
            return None
        dtype = found.placed.cast or found.placed.passed[-1].dtype
        if dtype in ("float32", "float64"):
            text += f".{'to' if torch else 'astype'}({library}.{dtype})"
        elif dtype is not None and dtype.startswith("like ") and torch and found.by is None:
            name = self.dtype_at(dtype, self.statement)
            if name is None:
                return None
            text += f".to({name})"
            return text, [index, size, Text("", frozenset((name.partition(".")[0],)))]
        elif dtype not in ("bool", "int64"):
            return None
        if found.by is None:
            return text, [index, size]
        text += f" / {index.dotted()}.{'numel()' if torch else 'size'}"
        parent = self.parents.get(self.node)
        tight = isinstance(parent, (ast.Attribute, ast.Subscript, ast.UnaryOp, ast.BinOp))
        return f"({text})" if tight else text, [index, size]

    def _kept(self, found: Scattered) -> bool:
        """Whether a place out of range is an error, in both."""
        extent, last = self.lifted.facts.extent, found.placed.passed[-1]
        made = last.made is not None and last.made[0] in (ONE_HOT, PLACED)
        return made and extent(last.axes[-1].extent) is extent(found.axis.extent)

    def _divides(self, found: Scattered) -> bool:
        """Whether a sum that is divided is an average over the rows."""
        if found.by is None:
            return True
        extent = self.lifted.facts.extent
        count = extents.mul(ONE, *(extent(axis.extent) for axis in found.inner))
        return isinstance(self.node, ast.Call) and extent(found.by) is extent(count)
