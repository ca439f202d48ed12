"""The code around a hand-written softmax, and the call that takes its place."""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.arrays.facts import Arrays
from auditor.arrays.strides import reordered
from auditor.assumed import assuming, reason_of
from auditor.expressions.region import Text
from auditor.expressions.suppositions import UNNEEDED, partial
from auditor.lift.dtypes import NO_WRAPPING
from auditor.lift.objects import Named
from auditor.nests.evidence import is_new_axis, items_of
from auditor.notation import ONE, Apply, Const, Index, Read, Span, Term, Trace, Value, children
from auditor.rewrite import Match
from auditor.softmax.forms import exponential
from auditor.softmax.largest import less_their_largest, of_weights
from auditor.softmax.scores import ScoresRegion
from auditor.softmax.starts import starting_types
from auditor.softmax.wrapping import differences, typed, wraps
from auditor.tree import everything_in
from auditor.verdict import Edit

_Imports = tuple[tuple[str, str | None], ...]
_FLOATS = ("float64", "float32", "float16", "bfloat16")
_LENGTH = 1024
"""Of rows of scores, where nothing says how long they are."""

MESSAGES = {
    "softmax": "this is a softmax: any shift cancels, and maximum and sum are one fold",
    "log_softmax": "this is a log-softmax: any shift cancels, and maximum and sum are one fold",
    "logsumexp": "this is a log-sum-exp: any shift cancels, and maximum and sum are one fold",
}


_SMALL = "where a weight is too small for its type the result is finite now"
_OVERFLOWS = "where the sum of the exponentials overflows or is 0 the result is finite now"


class SoftmaxRegion(ScoresRegion):
    """A hand-written softmax and the code around it."""

    def match(self) -> Match:
        form = self.form
        if self.scripted():
            return self._advice()
        self._check_tensor()
        self._check_types()
        self._check_gradients()
        text, axes = self.scores()
        self._check_axes(axes)
        part = partial(self, self.value)
        self.site.require(part is None, "parts", f"`{part}` may be a part of its array")
        dim = self.dim(axes)
        library = self._library()
        scipy = self._scipy(form.kind) if library == "numpy" else None
        call, imports, kernel = (scipy, (), None) if scipy else self._call(library)
        words = [text.text, f"axis={dim}" if scipy else dim]
        of_sum = form.kind == "log_softmax" and kernel is not None
        if of_sum and self.several:
            self._check_own()
        if of_sum or (form.kind == "logsumexp" and len(self.value.axes) == len(axes)):
            words.append("keepdims=True" if scipy else "keepdim=True")
        vanish = [value for value in form.opened.values if value.axes and exponential(value)]
        if self.picked is not None:
            vanish.append(self.value)
        self.site.require(
            self.same_gradients(vanish),
            "gradients",
            "a part of it is computed under another `with` block",
        )
        loops: list[ast.stmt] = [
            loop.node for loop in self.loops if isinstance(loop.node, ast.stmt)
        ]
        self.site.require(
            len(loops) == len(self.loops), "terms-used", "a part of it is built by a comprehension"
        )
        self.site.require(
            self.steady(vanish, [text]), "effects", "something in between may change the scores"
        )
        collecting = self.collecting(form.opened.values)
        loops += [part for part in collecting if not isinstance(part, ast.Assign)]
        types = starting_types(self, self.loops)
        spoken = text if self.picked is None else replace(text, reads=text.reads | self.around())
        removal = self.removal({self.node: spoken}, self.restored.alive, loops)
        if call is None:
            return self._advice()
        self.require_gone(removal, vanish, self.node, "terms-used")
        for built in (*loops, *collecting):
            self.site.require(
                built in removal.gone,
                "terms-used",
                f"line {built.lineno} computes something else as well",
            )
        self.restored.require_unbound(removal.gone)
        made = self.replacement(call, words)
        if of_sum:
            self.site.require(text.named, "names", "the scores have no name to be read twice by")
            made = self._less_the_sum(made, text)
        if form.mean:
            made, more = self._less_the_count(made, text, dim)
            imports = (*imports, *more)
        if self.picked is not None:
            self.site.require(not of_sum, "layout", "weights are picked along several axes")
            made = self.picking(f"{call}({', '.join(words)})")
        edits = [made, *removal.edits]
        doubt = assumed = None
        if library == "torch":
            doubt, assumed = reordered(self.lifted, self.picked or self.node)
        stated = [*types, *([assumed] if assumed else [])]
        return Match(
            span=self.site.computation.span,
            message=MESSAGES[form.kind],
            computation=self.site.computation,
            edits=tuple(sorted(edits, key=lambda e: e.span)),
            imports=imports,
            reason=reason_of(self._reason(stated), doubt),
            safe=doubt is None,
            kernel=kernel,
            computing=self._computing(),
            typical=self._typical(),
            covers=tuple(
                self.module.span(node)
                for v in vanish
                if (node := self.origin(v)) is not None and not self.within(node, self.node)
            )
            + tuple(loop.span for loop in self.loops)
            + tuple(self.module.span(built) for built in collecting),
        )

    def _typical(self) -> dict[Term, int]:
        length = round(_LENGTH ** (1 / len(self.form.axes)))
        return {axis.extent: length for axis in self.form.axes if not axis.group}

    def _computing(self) -> frozenset[Span]:
        """The calls that have a meaning with the axis that stands for the chosen one."""
        if self.chosen is None:
            return frozenset()
        calls = (part for part in everything_in(self.node) if isinstance(part, ast.Call))
        return frozenset(
            self.module.span(call) for call in calls
            if isinstance(self.values.get(call), Value) and not self.effects_in(call)
        )  # fmt: skip

    def _less_the_count(self, made: Edit, text: Text, dim: str) -> tuple[Edit, _Imports]:
        """The logarithm of a mean, from that of a sum."""
        self.site.require(text.named, "names", "the scores have no name whose size could be asked")
        self.site.require(dim != "None", "layout", "a mean over however many axes")
        self._check_own()
        names = self.module.names.items()
        short = next((name for name, path in names if path == "math"), None)
        count = " * ".join(f"{text.text}.shape[{axis}]" for axis in dim.strip("()").split(", "))
        whole = f"{made.content} - {short or 'math'}.log({count})"
        return self._as_difference(made, whole), () if short else (("math", None),)

    def _check_own(self) -> None:
        made_of = [self.node, *filter(None, map(self.origin, self.form.opened.values))]
        own = all("logsumexp" not in self.module.source(node) for node in made_of)
        self.site.require(own, "library", "it is the library's own sum")

    def _less_the_sum(self, made: Edit, text: Text) -> Edit:
        """The logarithm of a softmax, from that of a sum."""
        return self._as_difference(made, f"{text.text} - {made.content}")

    def _as_difference(self, made: Edit, difference: str) -> Edit:
        outer = self.parents.get(self.node)
        if isinstance(outer, (ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Subscript)):
            difference = f"({difference})"
        return replace(made, content=difference)

    def _check_tensor(self) -> None:
        """What a loop walks may be a list; the kernel takes a tensor."""
        scores = self.form.scores
        if not self.loops or not isinstance(scores, Read):
            return
        name = scores.value.name
        asked = any(
            isinstance(node, ast.Attribute)
            and node.attr in ("shape", "size", "device", "dtype", "numel", "ndim")
            and isinstance(node.value, ast.Name)
            and node.value.id == name
            for node in self.nodes
        )
        self.site.require(
            asked or scores.value.library == "torch", "tensors", f"`{name}` may be a list"
        )

    def _check_types(self) -> None:
        """Nothing between the scores and the result is of another type than both."""
        scores = self.form.scores
        self._wrapping()
        own = scores.value.dtype if isinstance(scores, Read) else None
        wide = {v.dtype for v in (*self.form.opened.values, self.value)} & {*_FLOATS} - {own}
        self.site.require(
            not wide, "types", f"a part of it is computed in {', '.join(sorted(map(str, wide)))}"
        )

    def _wrapping(self) -> list[str]:
        """The arrays of unknown type of which the shift is taken off before anything makes
        floating-point numbers of them."""
        found: list[str] = []
        for difference in differences(self.form.plain, self.form.axes):
            for value in wraps(difference) or ():
                self.site.require(
                    not typed(value), "integers", f"differences of {value.dtype} may wrap around"
                )
                found.append(value.name)
        return list(dict.fromkeys(found))

    def _check_gradients(self) -> None:
        """What is cut off from the scores alone still passes gradients on, if only zeros."""
        assert self.value.body is not None
        cut = not _passes_gradients(self.form.scores)
        self.site.require(
            not cut or not _passes_gradients(self.value.body),
            "gradients",
            "the scores are detached, and what is taken off them is not",
        )

    def _advice(self) -> Match:
        message = MESSAGES[self.form.kind]
        if self._library() == "numpy":
            message += f"; `scipy.special.{self.form.kind}` computes it in one call"
        return Match(self.site.computation.span, message, self.site.computation)

    def _check_axes(self, axes: tuple[Index, ...]) -> None:
        """The result is laid out as the scores are, its axes kept, of extent 1, or gone."""
        mine = self.value.axes
        facts = self.lifted.facts
        many = any(facts.extent(axis.extent) is not ONE for axis in self.form.axes)
        alone = len(axes) == len(self.form.axes) and bool(facts.narrow)
        self.site.require(many or not alone, "layout", "there may be more to sum than one element")
        rest = [axis for axis in axes if axis not in self.form.axes]
        if self.form.kind != "logsumexp":
            same = tuple(axes) == tuple(mine)
            self.site.require(same, "layout", "the result's axes are not those of the scores")
            return
        kept = list(mine)
        if len(mine) == len(axes):
            kept = [
                one for one, axis in zip(mine, axes, strict=True)
                if axis not in self.form.axes or self.lifted.facts.extent(one.extent) is not ONE
            ]  # fmt: skip
        self.site.require(kept == rest, "layout", "the result's axes are not those of the scores")

    def _library(self) -> str:
        return "torch" if self.tensors([self.value, *self.form.opened.values]) else "numpy"

    def _call(self, library: str) -> tuple[str | None, _Imports, str | None]:
        kind = self.form.kind
        if library == "numpy" and self.module.library != "numpy" and not self._of_numpy():
            return None, (), None
        if kind == "log_softmax" and library == "torch" and not self.several:
            return f"{self.torch_name()}.log_softmax", (), None
        name = "online_softmax" if kind == "softmax" else "logsumexp"
        return name, (("auditor.kernels", name),), f"auditor.kernels.{name}"

    def _of_numpy(self) -> bool:
        """Whether a function of NumPy makes a part."""
        made = [self.node, *filter(None, map(self.origin, self.form.opened.values))]
        named = (self.values.get(call.func) for node in made for call in everything_in(node)
                 if isinstance(call, ast.Call))  # fmt: skip
        return any(isinstance(each, Named) and each.path.startswith("numpy.") for each in named)

    def _scipy(self, kind: str) -> str | None:
        for name, path in self.module.names.items():
            if path == "scipy.special":
                return f"{name}.{kind}"
            if path == f"scipy.special.{kind}":
                return name
        return None

    def _reason(self, assumed: list[str]) -> str | None:
        facts = self.lifted.facts
        found = [
            sentence
            for subject, sentence in facts.assumptions.items()
            if sentence.startswith("`") and len(sentence.split("`")[1]) <= 40
            and facts.grounds.get(subject) not in UNNEEDED
        ]  # fmt: skip
        if self.chosen is not None:
            found.append(f"`{self.chosen}` is one number")
        scores = self.form.scores
        if self.form.kind == "log_softmax" and isinstance(scores, Read):
            if not typed(scores.value) and (of := wraps(scores)):
                either = " or ".join(f"`{value.name}`" for value in of)
                found.append(f"{either} holds floating-point numbers")  # ints have no log-softmax
        found.extend(f"`{name}` holds {NO_WRAPPING}" for name in self._wrapping())
        if isinstance(scores, Read) and self._made_an_axis(scores):
            found.append(f"`{scores.value.name}` is no tensor without axes")
        if self._library() == "numpy" and self._may_be_of_nothing():
            alone = len(self.form.axes) == 1
            summed = "axis has at least 1 element" if alone else "axes have at least 1 element each"
            found.append(f"the summed {summed}")
        found.extend(assumed)
        text = assuming(found)
        plain = self.form.kind == "softmax" or less_their_largest(self.form.plain, self.form.axes)
        small = self.picked is not None or (self.form.kind == "log_softmax" and self._of_weights())
        more = [_SMALL] if small else []
        more += [_OVERFLOWS] if self.picked is None and not plain else []
        return reason_of(text, *more)

    def _of_weights(self) -> bool:
        assert self.value.body is not None
        return of_weights(self.value.body)

    def _may_be_of_nothing(self) -> bool:
        """Whether the code sums exponentials up of nothing as well, of which no largest is taken:
        NumPy has none."""
        form = self.form
        sizes = [self.lifted.facts.extent(axis.extent) for axis in form.axes]
        stated = all(isinstance(size, Const) for size in sizes)
        return not stated and not less_their_largest(form.plain, form.axes)

    def _made_an_axis(self, scores: Read) -> bool:
        """Whether the sums get their axis back as a new one, which a number would not have had, or
        how long an axis is has to be asked."""
        axes = scores.value.axes
        if self._library() == "numpy" or sum(not axis.group for axis in axes) > 1:
            return False
        if self.form.mean:
            return Arrays(self).rank_of(scores.value) is None
        parts = [self.node, *filter(None, map(self.origin, self.form.opened.values))]
        return any(
            (isinstance(node, ast.Subscript) and any(map(is_new_axis, items_of(node))))
            or (isinstance(node, ast.Attribute) and node.attr == "unsqueeze")
            for part in parts for node in everything_in(part)
        )  # fmt: skip


def _passes_gradients(term: Term) -> bool:
    """Whether a term reads an array of which it is not detached."""
    waiting, seen = [term], set[Term]()
    while waiting:
        at = waiting.pop()
        if at in seen or (isinstance(at, Apply) and at.op == "call:detach"):
            continue
        seen.add(at)
        if isinstance(at, Trace) or (isinstance(at, Read) and at.value.body is None):
            return True
        if isinstance(at, Read) and at.value.body is not None:
            waiting.append(at.value.body)
        else:
            waiting.extend(children(at))
    return False
