"""The scores of a softmax as code where its result is made, and the numbers of its axes."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from auditor.expressions.region import ExpressionRegion, Text, text_of
from auditor.lift.loops import Loop
from auditor.lift.objects import Method
from auditor.notation import Apply, Const, Index, Read, Term, Value
from auditor.rewrite import Refused, Site
from auditor.softmax.forms import SoftmaxForm, exponential
from auditor.softmax.picked import argument
from auditor.surroundings.restored import Restored
from auditor.tree import everything_in
from auditor.verdict import Edit
from auditor.writing.layout import literal

_SUMS = frozenset(("sum", "mean", "logsumexp", "softmax", "log_softmax"))


class ScoresRegion(ExpressionRegion):
    """A hand-written softmax and the code around it."""

    def __init__(
        self,
        site: Site,
        form: SoftmaxForm,
        loops: tuple[Loop, ...],
        chosen: str | None = None,
        picked: ast.expr | None = None,
    ) -> None:
        """``picked``: the node takes the logarithm of elements of this, which is the softmax."""
        super().__init__(site)
        self.form = form
        self.loops = loops
        self.chosen = chosen
        self.picked = picked
        self.value: Value = site.value  # type: ignore[assignment]
        self.restored = Restored(self)

    def picking(self, call: str) -> Edit:
        """The logarithm of elements of ``picked`` replaced by those of ``call``, one line if it
        fits."""
        outer, picked = argument(self.site), self.picked
        assert outer is not None and picked is not None
        whole, part = self.module.span(outer), self.without_brackets(picked)
        lines = self.module.lines
        before = _cut(lines, whole.line, whole.column, part.line, part.column)
        after = _cut(lines, part.end_line, part.end_column, whole.end_line, whole.end_column)
        return Edit(self.module.span(self.node), f"{before}{call}{after}")

    def around(self) -> frozenset[str]:
        """The names that are read where elements of ``picked`` are picked."""
        outer, picked = argument(self.site), self.picked
        assert outer is not None and picked is not None
        inside = set(everything_in(picked))
        return frozenset(n.id for n in everything_in(outer)
                         if isinstance(n, ast.Name) and n not in inside)  # fmt: skip

    # -- the scores

    def scores(self) -> tuple[Text, tuple[Index, ...]]:
        """The scores as code, with their axes. Raises ``Refused``."""
        for term in (self.form.scores, self.form.plain):
            found = self._array(term)
            if found is not None:
                return found
        raise Refused("layout", "what is exponentiated cannot be written where the result is made")

    def _array(self, term: Term) -> tuple[Text, tuple[Index, ...]] | None:
        """An array, or a multiple of one by numbers."""
        if isinstance(term, Read) and term.value.axes:
            return self._read(term)
        if not isinstance(term, Apply) or term.op not in ("mul", "div", "neg"):
            return None
        arrays = [p for p, arg in enumerate(term.args) if not self._is_number(arg)]
        if len(arrays) != 1 or (term.op == "div" and arrays[0] == 1):
            return None
        found = self._array(term.args[arrays[0]])
        if found is None:
            return None
        text, axes = found
        if term.op == "neg":
            return Text(f"-{text.multiplied()}", text.reads, False, False), axes
        parts, reads = [], text.reads
        for position, arg in enumerate(term.args):
            if position == arrays[0]:
                parts.append(text.multiplied())
                continue
            number = self._number(arg)
            if number is None:
                return None
            reads |= number.reads
            parts.append(number.multiplied() if not number.text.startswith("-") or not parts
                         else f"({number.text})")  # fmt: skip
        sign = " * " if term.op == "mul" else " / "
        return Text(sign.join(parts), reads, False, False), axes

    def _read(self, term: Read) -> tuple[Text, tuple[Index, ...]] | None:
        at: Term = term
        while isinstance(at, Read):
            subs = at.subs
            plain = all(isinstance(sub, Index) for sub in subs) and len(set(subs)) == len(subs)
            if plain and self._whole(subs, at.value):  # type: ignore[arg-type]
                said = self.say(at.value) or self.restored.say(at.value)
                if said is not None:
                    return said, subs  # type: ignore[return-value]
            inner = self.behind(at)
            if inner is None:
                return None
            at = inner
        return self._array(at)

    def _whole(self, subs: tuple[Index, ...], value: Value) -> bool:
        """Whether indices run over all of an array."""
        extent = self.lifted.facts.extent
        return len(subs) == len(value.axes) and all(
            sub.group or extent(sub.extent) is extent(axis.extent)
            for sub, axis in zip(subs, value.axes, strict=True)
        )

    def _is_number(self, term: Term) -> bool:
        if isinstance(term, Read):
            if not term.value.axes:
                return True
            return (
                term.aligned
                and term.value.body is None
                and all(axis.group for axis in term.value.axes)
                and term.value.kind in ("input", "attribute", "free")
                and self._array(term) is None
            )
        if isinstance(term, Apply):
            return all(self._is_number(arg) for arg in term.args)
        return isinstance(term, Const)

    def _number(self, term: Term) -> Text | None:
        if isinstance(term, Const):
            return text_of(literal(term.value))
        if isinstance(term, Read):
            return self.say(term.value)
        if isinstance(term, Apply) and term.op == "neg":
            inner = self._number(term.args[0])
            if inner is not None:
                return Text(f"-{inner.multiplied()}", inner.reads, False, True)
        return None

    # -- the axes

    @property
    def several(self) -> bool:
        """Whether it is over more than one axis, or over however many there are."""
        return len(self.form.axes) > 1 or self.form.axes[0].group

    def dim(self, axes: tuple[Index, ...]) -> str:
        """The axes, by the numbers that the code gives them where these are certain to be the same;
        ``None`` for all of them. Raises ``Refused``."""
        if self.chosen is not None:
            return self.chosen
        rank = len(axes)
        places = sorted(map(axes.index, self.form.axes))
        stated = self._stated()
        if stated and len(stated) == len(places) and self._are(stated, axes):
            return _numbers(stated)
        if stated == () and len(places) == rank and (self.several or self.guessed):
            return "None"
        if self.guessed:
            raise Refused("layout", "how many axes the scores have is only assumed")
        if any(axis.group for axis in self.form.axes):
            raise Refused("layout", "how many axes the scores have is not known")
        if any(axis.group for axis in axes[places[0] + 1 :]):
            before = any(axis.group for axis in axes[: places[-1]])
            self.site.require(not before, "layout", "how many axes lie between is not known")
            return _numbers(places)
        counted = [place - rank for place in places]
        first = not any(axis.group for axis in axes) and places[-1] < rank - 1
        return _numbers(places if first else counted)

    def _are(self, stated: Sequence[int], axes: tuple[Index, ...]) -> bool:
        """Whether these numbers are certain to be those of the axes."""
        rank, known = len(axes), not any(axis.group for axis in axes)
        found = set()
        for number in stated:
            beside = axes[: number + 1] if number >= 0 else axes[number:]
            told = -rank <= number < rank and not any(axis.group for axis in beside)
            if known or told:
                found.add(number % rank)
        return found == set(map(axes.index, self.form.axes))

    def _stated(self) -> tuple[int, ...] | None:
        """The dimensions that the sum of the exponentials is taken over, as written; none of them
        where it says none, which are all."""
        everything: tuple[int, ...] | None = None
        made = [node for v in self.form.opened.values if (node := self.origin(v)) is not None]
        for call in (inner for outer in (*made, self.node) for inner in everything_in(outer)):
            value = self.values.get(call) if isinstance(call, ast.Call) else None
            if not isinstance(call, ast.Call) or not isinstance(value, Value):
                continue
            if ast.unparse(call.func).split(".")[-1] not in _SUMS or not exponential(value):
                continue
            words = {k.arg: k.value for k in call.keywords}
            given = words.get("dim", words.get("axis"))
            if given is None:
                method = isinstance(self.values.get(call.func), Method)
                place = 0 if method else 1
                given = call.args[place] if len(call.args) > place else None
            if given is None and isinstance(call.func, ast.Attribute):
                everything = ()
            try:
                number = ast.literal_eval(given) if given is not None else None
            except ValueError:
                continue
            numbers = number if isinstance(number, (tuple, list)) else (number,)
            if all(isinstance(one, int) for one in numbers):
                return tuple(numbers)
        return everything


def _numbers(axes: Sequence[int]) -> str:
    """One number, or a tuple of them."""
    return str(axes[0]) if len(axes) == 1 else str(tuple(axes))


def _cut(lines: Sequence[str], line: int, column: int, end_line: int, end_column: int) -> str:
    """The text between two places."""
    if line == end_line:
        return lines[line - 1][column - 1 : end_column - 1]
    middle = lines[line : end_line - 1]
    return "".join([lines[line - 1][column - 1 :], *middle, lines[end_line - 1][: end_column - 1]])
