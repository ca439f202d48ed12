"""Attention at an expression as the call of a kernel: its operands, scale and dropout, what goes
once the weights are gone, and what must not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from auditor.algebra.normal import expand
from auditor.algebra.subterms import everything
from auditor.assumed import assuming, has_axes
from auditor.attention.masks import Arguments, MaskRegion
from auditor.attention.on_demand import demand, under_flag
from auditor.attention.reading import Added, Attention, Filled, Scale, attention
from auditor.attention.sizes import typical_sizes
from auditor.expressions.region import Text, text_of
from auditor.expressions.removal import Removal
from auditor.expressions.suppositions import UNNEEDED, guessed_rank
from auditor.lift import Lifted, extents
from auditor.lift.loops import Loop
from auditor.lift.objects import Instance, Obj
from auditor.lift.offered import made_with
from auditor.notation import ZERO, Apply, Index, Read, Span, Symbol, Value, free_indices, walk
from auditor.rewrite import Match, Refused, Site
from auditor.softmax.starts import starting_types
from auditor.softmax.streaming import closed_results
from auditor.tree import descendants, everything_in
from auditor.verdict import Edit, Verdict

_Met = tuple[Attention, Value, tuple[Loop, ...]]
_FUSED = ("scaled_dot_product_attention", "flash_attn_func", "flash_attn_varlen_func",
          "memory_efficient_attention", "flash_attention")  # fmt: skip
_ROOTED = ("flash_attention", "local_attention")
"""Kernels that divide the scores by the root of their width where no scale is given."""
_OF_PRODUCTS = {
    "separability": Verdict(
        "partial", "structure", "scores are products of queries and keys, of rank as large as both"
    )
}


def attention_at(site: Site) -> AttentionRegion | None:
    """The attention of tensors that the expression of a site is, or None."""
    if site.node is None or site.value is None or site.statement is None:
        return None
    called = site.value.span != site.lifted.module.span(site.node)
    if called and not isinstance(site.node, ast.Call):
        return None
    if site.value.library in ("numpy", "python"):
        return None
    known: dict[Value, _Met | None] = site.lifted.once.setdefault("attention", {})
    if site.value not in known:  # several rewrites ask
        known[site.value] = _met(site.lifted, site.value)
    met = known[site.value]
    if met is None:
        return None
    found, said, loops = met
    if called and not _of_several_functions(site, found):
        return None
    if loops:
        site = replace(site, computation=replace(site.computation, outputs=(said,)))
    region = AttentionRegion(site, found, loops)
    if region.fused_beside() or region.scripted() or not region.tensors(found.opened.values):
        return None
    return region


def _of_several_functions(site: Site, found: Attention) -> bool:
    """Whether what is called only finishes an attention: its scores or its weights are of another
    function. Were they its own, it would be attention itself."""
    made = [value for value in (site.value, *found.opened.values) if value is not None]
    homes = [_function_at(site.lifted, value.span) for value in made if value.span is not None]
    return homes[0] not in (None, site.lifted.node) and len({*homes}) > 1


def _function_at(lifted: Lifted, place: Span) -> ast.AST | None:
    """The function that a place is in, the innermost."""
    module, functions = lifted.module, (ast.FunctionDef, ast.AsyncFunctionDef)
    around = [node for node in everything_in(module.tree)
              if isinstance(node, functions) and module.span(node).covers(place)]  # fmt: skip
    return around[-1] if around else None


def _met(lifted: Lifted, value: Value) -> _Met | None:
    """The attention that a value is, the value without the loops that keep its sums, and these."""
    used: dict[int, Loop] = {}
    if lifted.lifter.loops and value.body is not None:
        closed = closed_results(lifted)
        if closed.online:
            value = replace(value, body=closed.close(value.body, used))
    found = attention(value)
    return None if found is None else (found, value, tuple(used.values()))


class AttentionRegion(MaskRegion):
    """Attention at an expression, and the code around it: ``loops`` take the keys one by one."""

    def __init__(self, site: Site, found: Attention, loops: tuple[Loop, ...] = ()) -> None:
        super().__init__(site, found)
        self.loops = loops
        self.stepwise = False
        self.unsafe: str | None = None

    def fused_beside(self) -> bool:
        """The function calls a fused attention already: this is its fallback."""
        return any(
            isinstance(node, ast.Call)
            and (
                (isinstance(node.func, ast.Attribute) and node.func.attr in _FUSED)
                or (isinstance(node.func, ast.Name) and node.func.id in _FUSED)
            )
            for node in self.nodes
        )

    # -- the call

    def match(
        self, kernel: str, given: Callable[[], Arguments], message: str, scaled: bool = True
    ) -> Match:
        """The call of a kernel instead of the attention, with what is ``given`` it of the masks;
        the scale is left out where it is one, unless ``scaled``. Raises ``Refused``."""
        found = self.found
        query, on_query = self.queries()
        key, on_key = self.operand(found.score.key, found.columns, found.score.inner)
        value, on_value = self.operand(found.values, found.columns, found.channel)
        self.site.require(not on_value, "layout", "the values are scaled where they are summed")
        self.site.require(
            not self.lost_axis(), "layout", "the result has an axis that the operands have not"
        )
        self._one_at_a_time()
        self._as_supposed()
        self._rounded()
        self._of_one_type()
        self.reasons += starting_types(self, self.loops)
        widened = self._widened()
        if widened:
            query, key = query.call(widened), key.call(widened)
        scales = [*on_query, *on_key, *found.score.scales]
        told = self._told(scales, kernel) if scaled or on_query or on_key else []
        masked = given()
        query, key, value = self._unfolded(query, key, value)
        self._behind_masks()
        words = [*masked.words, *told, *self._dropout()]
        axes = self.site.value.axes  # type: ignore[union-attr]
        squeezed = found.single and found.rows not in axes
        rows = [] if squeezed else [found.rows]
        back = self.returned([*found.batch, *rows, found.channel], axes)
        self.site.require(back is not None, "layout", "the result's axes are out of order")
        if found.single:
            self._of_known_rank()
        if squeezed:
            back = f".squeeze(-2){back}"
        elif back and not self._einsum():
            back += ".contiguous()"
        if self.folded is not None:
            place = found.batch.index(self.folded.whole)
            back = f".flatten({place}, {place + 1}){back}"
        arguments = [query.text, key.text, value.text, *(f"{k}={t.text}" for k, t in words)]
        reads = frozenset().union(
            query.reads, key.reads, value.reads, *(t.reads for _, t in words)
        )  # fmt: skip
        spoken = Text("", reads)
        self.site.require(
            self.same_gradients(found.opened.values),
            "gradients",
            "a part of it is computed under another `with` block",
        )
        self.site.require(
            self.steady(found.opened.values, [query, key, value, *(text for _, text in words)]),
            "effects",
            "something in between may change what the attention reads",
        )
        extra, replaced = self._shapes_elsewhere(query, key)
        replaced = {self.node: spoken, **replaced}
        collecting = self.collecting(found.opened.values)
        steps = (ast.ListComp, ast.GeneratorExp)
        listed = any(isinstance(part, steps) for part in descendants(self.node))
        self.stepwise = bool(collecting or self.loops or listed)
        if self.stepwise:
            self._reached()
        streaming = [loop.node for loop in self.loops if isinstance(loop.node, ast.stmt)]
        self.site.require(
            len(streaming) == len(self.loops),
            "weights-used",
            "a part of it is built by a comprehension",
        )
        loops = [part for part in collecting if not isinstance(part, ast.Assign)] + streaming
        replaced = {**replaced, **masked.rebound}
        vanish = [
            value
            for value in found.opened.values
            if value.axes
            and not any(
                node is not None and self.within(node, part)
                for node in (self.origin(value),) for part in masked.rebound
            )
        ]  # fmt: skip
        removal = self.removal(replaced, masked.kept, loops)
        if not (loops or masked.edits or found.opened.dropouts):
            removal = self._on_demand(removal, vanish, replaced)
        for part in (*collecting, *streaming):
            self.site.require(
                part in removal.gone,
                "weights-used",
                f"line {part.lineno} computes something else as well",
            )
        self.require_gone(removal, vanish, self.node, "weights-used")
        extra = [
            (node, edit)
            for node, edit in extra
            if not any(self.within(node, part) for part in (*removal.gone, *masked.rebound))
        ]
        edits = [
            self.replacement(kernel, arguments, back or ""),
            *removal.edits,
            *masked.edits,
            *(edit for _, edit in extra),
        ]
        return Match(
            span=self.site.computation.span,
            message=message,
            computation=self.site.computation,
            edits=tuple(sorted(edits, key=lambda e: e.span)),
            imports=(("auditor.kernels", kernel),),
            safe=self.unsafe is None,
            reason=self._reason(),
            kernel=f"auditor.kernels.{kernel}",
            covers=tuple(
                self.module.span(node)
                for v in vanish
                if (node := self.origin(v)) is not None and not self.within(node, self.node)
            )
            + tuple(self.module.span(part) for part in (*collecting, *streaming)),
            typical=typical_sizes(found),
            verdicts=_OF_PRODUCTS if found.growing or found.single else {},
        )

    def _on_demand(
        self, removal: Removal, values: Sequence[Value], replaced: Mapping[ast.expr, Text]
    ) -> Removal:
        """What goes, where some of ``values`` are used under a flag alone that is off unless it is
        given: what computes them for that waits for the flag as well."""
        wanted = demand(self, values)
        if wanted is None:
            return removal
        unread = dict.fromkeys(wanted.reads, Text(""))
        without = self.removal({**replaced, **unread})
        waiting = without.gone - removal.gone
        edits = under_flag(self, waiting, wanted.flag)
        return removal if edits is None else Removal(without.gone, (*removal.edits, *edits))

    def _unfolded(self, *operands: Text) -> list[Text]:
        """Operands with batches and heads apart, where the masks have them apart."""
        if (axis := self.folded) is None:
            return [*operands]
        score, facts = self.found.score, self.lifted.facts
        terms = (score.query, score.key, self.found.values)
        self.site.require(
            all(axis.whole_of(term, facts) for term in terms),
            "layout",
            "batches and heads may be broadcast",
        )
        heads = self.number(axis.heads)
        if heads is None:
            raise Refused("layout", f"the heads `{axis.heads}` cannot be said at the call")
        place = self.found.batch.index(axis.whole)
        behind = len(self.found.batch) + 2 - place
        split = f".unflatten({-behind if place else 0}, (-1, {heads.text}))"
        return [replace(text.call(split), reads=text.reads | heads.reads) for text in operands]

    def _told(self, scales: Sequence[Scale], kernel: str) -> list[tuple[str, Text]]:
        """The scale as an argument, unless it is what the kernel takes without one."""
        if kernel in _ROOTED and len(scales) == 1 and self.root_of_width(scales[0]):
            return []
        self.no_zero(scales)
        return [("scale", self.scale(scales))]

    def _behind_masks(self) -> None:
        """A kernel adds minus infinity to what a mask hides, where the code puts it, or another
        number, in its place; and multiplies by zero what the code does not take at all."""
        if self.found.growing:
            self.reasons.append("the scores and values that a query does not take are finite")
        elif any(isinstance(mask, Filled) for mask in self.found.score.masks):
            self.reasons.append("the scores that the mask hides are finite")

    def _reached(self) -> None:
        """What is read step by step may be longer than the loop."""
        extent = self.lifted.facts.extent
        steps = (*self.found.batch, self.found.rows)
        if self.loops:
            steps = (*steps, self.found.columns)
        for term in (self.found.score.query, self.found.score.key, self.found.values):
            for node in walk(term):
                if not isinstance(node, Read):
                    continue
                for sub, axis in zip(node.subs, node.value.axes, strict=False):
                    if sub not in steps or not isinstance(sub, Index):
                        continue
                    left = extents.sub(extent(axis.extent), extent(sub.extent))
                    if left is not ZERO:
                        name = node.value.name
                        # a number that is computed (`range(n // 2)`) was meant to be another one
                        fewer = extents.constant(left) is not None
                        fewer = fewer or not isinstance(extent(sub.extent), Symbol)
                        self.site.require(not fewer, "steps", f"no step reads the end of `{name}`")
                        self.reasons.append(f"the loop covers all of `{name}`")

    def _of_known_rank(self) -> None:
        """One query gets an axis of its own before that of the keys. What meets its scores from
        the right would meet that, unless it is known which axes it has."""
        score = self.found.score
        met = [scale.term for scale in score.scales]
        for mask in score.masks:
            met += [mask.term] if isinstance(mask, Added) else [mask.condition, mask.fill]
        read = (node.value for term in met for node in walk(expand(term)) if isinstance(node, Read))
        unknown = next(
            (value for value in read
             if any(axis.group for axis in value.axes) or guessed_rank(self, value)), None
        )  # fmt: skip
        self.site.require(
            unknown is None,
            "layout",
            f"nothing says how many axes `{unknown and unknown.name}` has",
        )

    def _one_at_a_time(self) -> None:
        """Rows of values that are weighted alike, one after the other, may be vectors: a matrix of
        weights takes one as well, and all of them are a matrix then."""
        score = self.found.score
        shared = free_indices(score.query) | free_indices(score.key)
        if not any(
            not axis.group and axis not in shared and axis in free_indices(self.found.values)
            for axis in self.found.batch
        ):
            return
        for sentence in self.lifted.facts.assumptions.values():
            if sentence.endswith("2 axes or more, as `@` says"):
                what = sentence.split(" has ")[0]
                self.unsafe = f"the result differs if {what} is a vector"

    def _as_supposed(self) -> None:
        """A slice that ends where the queries do takes all keys, where these are as many."""
        extent = self.lifted.facts.extent
        for one, other in self.found.supposed:
            if extent(one) is not extent(other):
                self.unsafe = f"the result differs unless `{one}` is `{other}`"
        lengths = self.found.lengths
        if lengths is not None and extent(lengths[0]) is not extent(lengths[1]):
            self.reasons.append(f"`{lengths[0]}` is no less than `{lengths[1]}`")

    def _reason(self) -> str | None:
        if self.unsafe is not None:
            return self.unsafe
        facts = self.lifted.facts
        # a product of one step may be with a vector, where all steps at once are with a matrix
        unneeded = UNNEEDED - {"product"} if self.stepwise else UNNEEDED
        stated = [
            sentence
            for subject, sentence in facts.assumptions.items()
            if facts.grounds.get(subject) not in unneeded and _short_subject(sentence)
        ]
        counted = (
            has_axes(owner, facts.of(owner).rank or 0)
            for owner in sorted(facts.guessed)
            if facts.grounds.get(owner) == "product" and facts.of(owner).by_dim
        )  # that `@` asks for two does not say which of them a dimension's number means
        found = list(dict.fromkeys([*self.reasons, *stated, *counted]))
        return assuming(found)

    def _widened(self) -> str:
        """The scores are made float32 and the weights stay so: then the values are float32, and
        the queries and keys have to be."""
        casts = set(self.found.score_casts)
        if not casts or self.found.weight_casts:
            return ""
        call = {"float32": ".float()", "float64": ".double()"}.get(casts.pop())
        self.site.require(
            call is not None and not casts, "dtype", "the weights keep the dtype of a cast score"
        )
        return call or ""

    def _rounded(self) -> None:
        """A cast of the scores goes. One to half precision rounds them; one to float32 is there to
        widen them, unless they are wider."""
        read = [node.value for node in walk(self.found.score.query) if isinstance(node, Read)]
        known = next((value.dtype for value in read if value.dtype), None)
        narrowed = self.found.score_casts if self.found.weight_casts else []
        for cast in {*narrowed} - {known, "float64"}:
            self.site.require(
                cast not in ("float16", "bfloat16"), "rounding", f"the scores are rounded to {cast}"
            )
            if cast == "float32" and known not in ("float16", "bfloat16"):
                self.reasons.append("the scores are no wider than float32")

    def _of_one_type(self) -> None:
        """What `*` and a sum take and a product of matrices does not."""
        made = [node for v in self.found.opened.values if (node := self.origin(v)) is not None]
        read = (self.node, *made, *(loop.node for loop in self.lifted.lifter.loops))
        if any(_sums_a_product(part) for node in read for part in descendants(node)):
            self.reasons.append("queries, keys and values have one floating-point dtype")

    def _einsum(self) -> bool:
        node = self.node
        return isinstance(node, ast.Call) and "einsum" in ast.unparse(node.func)

    def _dropout(self) -> list[tuple[str, Text]]:
        """The probability of a dropout that may be active."""
        drops = self.found.opened.dropouts
        if not drops:
            return []
        self.site.require(len(drops) == 1, "dropout", "the weights are dropped out twice")
        text = self._dropout_text()
        self.site.require(
            text is not None, "dropout", "the weights pass through a dropout that may be active"
        )
        assert text is not None
        if self._made_without_dropout():
            self.reasons.append("no weight is dropped, as `get_init_inputs` says")
        else:
            self.unsafe = "in training other weights are dropped: the random numbers differ"
        return [("dropout_p", text)]

    def _made_without_dropout(self) -> bool:
        """Whether the file makes its model with a dropout of nothing."""
        klass = self.lifted.lifter.klass
        layers = [
            self.values.get(node.func)
            for value in self.found.opened.values
            if isinstance(value.body, Apply) and value.body.op == "call:dropout"
            and isinstance(node := self.origin(value), ast.Call)
        ]  # fmt: skip
        if klass is None or not layers:
            return False
        numbers = made_with(self.module, klass)
        return all(_rate(layer, numbers) == 0 for layer in layers)

    def _dropout_text(self) -> Text | None:
        for value in self.found.opened.values:
            body, node = value.body, self.origin(value)
            if not (isinstance(body, Apply) and body.op == "call:dropout"):
                continue
            if not isinstance(node, ast.Call):
                continue
            function = self.values.get(node.func)
            name = self.one_line(node.func)
            if isinstance(function, Instance):
                return text_of(f"{name}.p if {name}.training else 0.0")
            words = {k.arg: k.value for k in node.keywords}
            p = words.get("p") or (node.args[1] if len(node.args) > 1 else None)
            training = words.get("training") or (node.args[2] if len(node.args) > 2 else None)
            said = self.source_text(p) if p is not None else text_of("0.5")
            if said is None:
                return None
            if training is None:
                return said
            when = self.source_text(training)
            if when is None:
                return None
            made = text_of(f"{said.multiplied()} if {when.multiplied()} else 0.0")
            return replace(made, reads=said.reads | when.reads)
        return None

    # -- shapes that are asked of the scores

    def _shapes_elsewhere(
        self, query: Text, key: Text
    ) -> tuple[list[tuple[ast.expr, Edit]], dict[ast.expr, Text]]:
        """Code that only asks the scores for their last sizes, device or dtype asks q and k."""
        edits: list[tuple[ast.expr, Edit]] = []
        replaced: dict[ast.expr, Text] = {}
        names = [_asked_of(query), _asked_of(key)]
        if None in names:
            return edits, replaced
        q, k = (name or "" for name in names)
        for value in self.found.opened.values:
            if not self._is_scores(value):
                continue
            for load in self.reads_of(value):
                node, text = self._asked(load, q, k, self._of_one_dtype(value))
                if not self._same_there(load, q, k):
                    continue
                if node is not None and not self.within(node, self.node):
                    edits.append((node, self.replace(node, text)))
                    replaced[node] = replace(text_of(f"({text})"), reads=query.reads | key.reads)
        return edits, replaced

    def _same_there(self, load: ast.Name, *names: str) -> bool:
        """Whether names mean at ``load`` what they mean at the call."""
        there, here = self.scope(self.statement_of(load)), self.scope(self.statement)
        return all(there.get(name) is here.get(name) for name in names)

    def _is_scores(self, value: Value) -> bool:
        """An array over the scores' own axes: rows and columns last."""
        sizes = [axis.extent for axis in value.axes[-2:]]
        wanted = [self.found.rows.extent, self.found.columns.extent]
        extent = self.lifted.facts.extent
        return [extent(size) for size in sizes] == [extent(size) for size in wanted]

    def _of_one_dtype(self, value: Value) -> bool:
        """Whether the scores so far have the dtype of the queries: a cast comes later, if at
        all."""
        if not self.found.score_casts + self.found.weight_casts:
            return True
        score = self.found.score
        below = {*everything([value.body] if value.body is not None else [])}
        below -= {*everything([score.query, score.key])}
        return not self.found.score_casts and not any(
            isinstance(node, Apply) and node.op.startswith("cast:") for node in below
        )

    def _asked(
        self, load: ast.Name, query: str, key: str, typed: bool
    ) -> tuple[ast.expr | None, str]:
        parent = self.parents.get(load)
        if not isinstance(parent, ast.Attribute):
            return None, ""
        if parent.attr == "device":
            return parent, f"{query}.device"
        if parent.attr == "dtype" and typed:
            return parent, f"{query}.dtype"
        outer = self.parents.get(parent)
        if parent.attr == "shape" and isinstance(outer, ast.Subscript):
            texts = {
                "-1": f"{key}.shape[-2]",
                "-2": f"{query}.shape[-2]",
                "-2:": f"{query}.shape[-2], {key}.shape[-2]",
            }
            text = texts.get(ast.unparse(outer.slice), "")
            if "," in text and not isinstance(self.parents.get(outer), ast.Assign):
                text = f"({text})"
            return (outer, text) if text else (None, "")
        if parent.attr == "size" and isinstance(outer, ast.Call) and len(outer.args) == 1:
            at = ast.unparse(outer.args[0])
            text = {"-1": f"{key}.size(-2)", "-2": f"{query}.size(-2)"}.get(at, "")
            return (outer, text) if text else (None, "")
        return None, ""


def _asked_of(operand: Text) -> str | None:
    """The name whose last two sizes are those of an operand: its own, or that of what an axis was
    added to in front."""
    if operand.named:
        return operand.text
    found = re.fullmatch(r"([^\W\d]\w*)\.unsqueeze\([01]\)", operand.text)
    return found[1] if found is not None else None


def _short_subject(sentence: str) -> bool:
    """Whether an assumption is about something that the code names."""
    subject = sentence.split("`")[1] if sentence.startswith("`") else sentence.split(" ")[0]
    return len(subject) <= 40 and "(" not in subject


def _sums_a_product(node: ast.AST) -> bool:
    """``(a * b).sum(-1)``, ``torch.sum(a * b, -1)``."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    return node.func.attr == "sum" and any(
        isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult)
        for part in (node.func.value, *node.args[:1])
    )


def _rate(layer: Obj | None, numbers: Mapping[str, int | float]) -> int | float | None:
    """The rate of a dropout layer that is made with one of these numbers."""
    if not isinstance(layer, Instance):
        return None
    rate = layer.keywords.get("p", layer.args[0] if layer.args else None)
    return numbers.get(rate.name) if isinstance(rate, Value) and rate.kind == "input" else None
