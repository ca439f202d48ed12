"""The operands of an attention as code: queries, keys and values laid out as a kernel takes them,
and the numbers that the scores are multiplied by as one scale.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TypeGuard

from auditor.attention.reading import Attention, Scale
from auditor.expressions.rebound import ReboundRegion
from auditor.expressions.region import ExpressionRegion, Text, text_of
from auditor.expressions.suppositions import vector_perhaps
from auditor.lift.objects import Obj
from auditor.notation import (
    ONE,
    Apply,
    Const,
    Index,
    Read,
    Symbol,
    Term,
    Value,
    definition,
    walk,
)
from auditor.rewrite import Refused, Site
from auditor.writing.layout import literal

_HALF = Const(0.5)


class OperandRegion(ReboundRegion):
    """Attention at an expression. ``reasons`` collects what the code to be written rests on."""

    def __init__(self, site: Site, found: Attention) -> None:
        super().__init__(site)
        self.found = found
        self.reasons: list[str] = []
        self.laid_along: set[Term] = set()

    def say(self, value: Value) -> Text | None:
        """``value`` as code at the expression; where its name stands for the scores by then, which
        go, for what it stood for before."""
        said = ExpressionRegion.say(self, value)
        bound = self.scope(self.statement).get(value.name)
        return self._restored(value, bound) if said is None else said

    def means_the_same(self, name: ast.Name, here: Mapping[str, Obj]) -> bool:
        if super().means_the_same(name, here):
            return True
        known = self.values.get(name)
        said = self._restored(known, here.get(name.id)) if isinstance(known, Value) else None
        return said is not None and said.text == name.id

    def _restored(self, value: Value, bound: Obj | None) -> Text | None:
        """The name of ``value``, which stands for a part of the attention by then."""
        parts = self.found.opened.values
        passing = isinstance(bound, Value) and bound in parts and value not in parts
        return self.restored.say(value) if passing else None

    def target(self, row: Index, column: Index) -> list[Index]:
        return [*self.found.batch, row, column]

    def queries(self) -> tuple[Text, list[Scale]]:
        """The queries as an operand. One query gets an axis of its own here."""
        text, scales = self.query()
        return text.call(".unsqueeze(-2)") if self.found.single else text, scales

    def query(self) -> tuple[Text, list[Scale]]:
        """The queries as they are: one query has no axis of its own."""
        found, inner = self.found, self.found.score.inner
        if found.single:
            return self._laid(found.score.query, [*found.batch, inner])
        return self.operand(found.score.query, found.rows, inner)

    def operand(self, term: Term, row: Index, column: Index) -> tuple[Text, list[Scale]]:
        """The array that ``term`` reads, laid out (batch, row, column), and the numbers that it is
        multiplied by where it stands in the product."""
        return self._laid(term, self.target(row, column))

    def _laid(self, term: Term, target: list[Index]) -> tuple[Text, list[Scale]]:
        scales: list[Scale] = []
        best: Text | None = None
        along: tuple[Term, ...] = ()
        whole: tuple[Text, tuple[Term, ...], int] | None = None
        while True:
            if isinstance(term, Read):
                said = self.say(term.value)
                laid = self.arranged(term, target, said) if said is not None else None
                if laid is not None and (best is None or _rank(laid) < _rank(best)):
                    best, along = laid, term.subs[-len(term.value.axes) :]
                if said is not None and said.named:
                    break
                inner = self.behind(term)
                if inner is None:
                    break
                term = inner
                continue
            peeled = self._peel(term)
            if peeled is None or (best is not None and best.named):
                break
            # The product was made where it stands: its number becomes the scale.
            whole = whole if best is None else (best, along, len(scales))
            term, scale = peeled
            scales.append(scale)
            best = None
        if best is None and whole is not None:  # what is multiplied cannot be said, the product can
            best, along, count = whole
            del scales[count:]
        if best is None:
            raise Refused("layout", f"`{term}` cannot be said with its axes in the kernel's order")
        if best.moves and isinstance(term, Read) and vector_perhaps(self, term.value):
            raise Refused("layout", f"`{term.value.name}` may be a vector")
        self.laid_along.update(along)
        return best, scales

    def lost_axis(self) -> bool:
        """Whether the result has an axis of size 1 that none of the operands has as it is said."""
        return any(
            axis.extent is ONE and axis not in self.laid_along
            for axis in self.found.batch
            if not axis.group
        )

    def _peel(self, term: Term) -> tuple[Term, Scale] | None:
        if not isinstance(term, Apply) or term.op not in ("mul", "div") or len(term.args) != 2:
            return None
        for position in (0, 1) if term.op == "mul" else (0,):
            array, other = term.args[position], term.args[1 - position]
            scalar = not isinstance(other, Read) or not other.value.axes
            if isinstance(array, Read) and array.value.axes and scalar and _scalar(other):
                return array, Scale(other, term.op == "div")
        return None

    # -- the scale

    def scale(self, scales: Sequence[Scale]) -> Text:
        """All the numbers as one."""
        text: Text | None = None
        for scale in scales:
            said = self.number(scale.term)
            if said is None:
                raise Refused("scale", f"the scale `{scale.term}` cannot be said at the call")
            reads = said.reads | (text.reads if text is not None else frozenset())
            if scale.divides:
                start = text.multiplied() if text is not None else "1"
                made = f"{start} / {said.multiplied()}"
            elif text is None:
                made = said.text
            else:
                made = f"{text.multiplied()} * {said.multiplied()}"
            text = Text(made, reads, False, text is None and not scale.divides and said.factor)
        return text if text is not None else text_of("1.0")

    def no_zero(self, scales: Sequence[Scale]) -> None:
        """State of the numbers that are divided by that they are not 0: an array without entries
        can be divided by it, and 1 cannot."""
        for scale in scales:
            said = self.number(scale.term) if scale.divides else None
            if said is not None and not _divides_one(scale.term):
                self.reasons.append(f"`{said.text}` is not 0")

    def _made_a_tensor(self, term: Term) -> TypeGuard[Apply]:
        """Whether a number becomes a tensor that rounds it no more than the scores are rounded."""
        if not isinstance(term, Apply) or not term.op.startswith("cast:"):
            return False
        score = self.found.score
        operands = [read.value for read in (score.query, score.key) if isinstance(read, Read)]
        alike = {f"cast:like {value.uid}" for value in (*self.found.opened.values, *operands)}
        return term.op in _WIDE | alike

    def _number_of(self, term: Term) -> Term:
        """What a number was computed as, whatever holds it."""
        while self._made_a_tensor(term := _resolved(term)):
            term = term.args[0]
        return term

    def root_of_width(self, scale: Scale) -> bool:
        """Whether the scores are divided by the root of the queries' width, as attention does where
        no scale is given."""
        root = self._number_of(scale.term)
        if not scale.divides or not isinstance(root, Apply):
            return False
        if root.op != "sqrt" and not (root.op == "pow" and root.args[1] is _HALF):
            return False
        extent = self.lifted.facts.extent
        return extent(self._number_of(root.args[0])) is extent(self.found.score.inner.extent)

    def number(self, term: Term) -> Text | None:
        """A scalar as code."""
        if isinstance(term, Const):
            return text_of(literal(term.value))
        if isinstance(term, Read):
            said = self.say(term.value)
            if said is not None:
                if term.subs and not self._as_is(
                    term, self.target(self.found.rows, self.found.columns)
                ):
                    return None
                return said
            inner = definition(term)
            return self.number(inner) if inner is not None and not term.subs else None
        known = self.scalar_at(term, self.statement)
        if known is not None:
            return text_of(known)
        for value in self.origins:
            if isinstance(value, Value) and not value.axes and value.body is term:
                said = self.say(value)
                if said is not None:
                    return said
        return self._size(term) or self._computed(term)

    def _size(self, term: Term) -> Text | None:
        """The width of the queries, or how many keys there are, where nothing at the call has it by
        a name."""
        facts, score = self.lifted.facts, self.found.score
        if not isinstance(term, Symbol):
            return None
        if facts.extent(term) is facts.extent(score.inner.extent):
            query, _ = self.query()
            return text_of(f"{query.text}.shape[-1]") if query.named else None
        columns = self.found.columns
        if facts.extent(term) is facts.extent(columns.extent) and facts.certain(term):
            key, _ = self.operand(score.key, columns, score.inner)
            return text_of(f"{key.text}.shape[-2]") if key.named else None
        return None

    def _computed(self, term: Term) -> Text | None:
        """What is computed of numbers that can be said, as a function elsewhere does; what was made
        a tensor without axes, as the number that it was."""
        if self._made_a_tensor(term):
            return self.number(term.args[0])
        if not isinstance(term, Apply) or term.op not in _SPELLED:
            return None
        parts = [part for arg in term.args if (part := self.number(arg)) is not None]
        if len(parts) < len(term.args):
            return None
        reads = frozenset[str]().union(*(part.reads for part in parts))
        words = [part.multiplied() for part in parts]
        power = term.op in ("pow", "sqrt")
        if power:
            words = [parts[0].dotted(), *words[1:], *(["0.5"] if term.op == "sqrt" else [])]
        return Text(f" {_SPELLED[term.op]} ".join(words), reads, False, power)


_WIDE = frozenset(("cast:float", "cast:float32", "cast:float64"))
_SPELLED = {"mul": "*", "div": "/", "pow": "**", "sqrt": "**"}


def _rank(text: Text) -> tuple[int, bool, int]:
    """Fewer moves first, then names, then what is short."""
    return (text.moves, not text.named, len(text.text))


def _resolved(term: Term) -> Term:
    """What a number without axes was computed as."""
    while isinstance(term, Read) and not term.value.axes and term.value.body is not None:
        term = term.value.body
    return term


def _divides_one(term: Term) -> bool:
    """Whether 1 can certainly be divided by a number: a literal, or what torch computes."""
    if isinstance(term, Const):
        return bool(term.value)
    return any(isinstance(node, Read) and node.value.library == "torch" for node in walk(term))


def _scalar(term: Term) -> bool:
    return isinstance(term, Const) or not any(
        isinstance(node, Read) and node.value.axes for node in walk(term)
    )
