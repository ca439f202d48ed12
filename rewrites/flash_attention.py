"""Attention whose weights are written to memory, as one call that never writes them.

Finds ``softmax(scale q k^T + mask) v`` by what it computes: einsum, ``@``, ``matmul``, ``bmm``,
``baddbmm`` or a broadcast product and a sum; the scale on the queries, the keys or the scores; the
softmax of torch, of a module, or written by hand, stable or not, normalised before or after it
meets the values; masks filled in, chosen by ``where`` or added, under a condition of the program or
not; dropout that is inactive. How heads are split before and merged after stays as it was.

Legal because a weight is an exponential of a score divided by the sum of all of them: the cascade
of maximum, sum and weighted sum is a fold over the keys with the state (m, s, o), whose combine
rescales both sides to the larger maximum. The keys can be taken in tiles.

Pays whenever the scores do not stay in cache: they are written and read four times.

Safe means: equal up to the order of floating-point sums, gradients included. A row that a boolean
mask leaves without any key is NaN in the original if it was filled with minus infinity, and then
nothing is promised; filled with a large negative number it is the mean of the values, and that is
kept (``fill=``). Weights that anything else needs are a refusal.

Sources: Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018); Dao et al.,
"FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness" (2022).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from auditor.algebra.normal import expand
from auditor.attention import (
    Added,
    Attention,
    Filled,
    Guard,
    Scale,
    attention,
    causal,
)
from auditor.expression_rewrite import ExpressionRegion, Text, text_of
from auditor.notation import Apply, Const, Index, Read, Term, Value, definition
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.verdict import Edit

_FUSED = ("scaled_dot_product_attention", "flash_attn_func", "flash_attn_varlen_func",
          "memory_efficient_attention", "flash_attention")  # fmt: skip


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    if site.node is None or site.value is None or site.statement is None:
        return None
    if site.value.span != site.lifted.module.span(site.node):
        return None
    found = attention(site.value)
    if found is None or "numpy" in (site.value.library, site.lifted.module.library):
        return None
    region = _Region(site, found)
    return None if region.fused_beside() else region.match()


@dataclass(frozen=True)
class _Mask:
    """What is done to the scores, as code: ``keeps`` for a boolean mask, else it is added."""

    text: Text
    keeps: bool
    finite: Text | None
    guards: tuple[Guard, ...]
    source: Added | Filled


@dataclass(frozen=True)
class _Arguments:
    """Keyword arguments of the call, with edits that they need elsewhere."""

    words: tuple[tuple[str, Text], ...] = ()
    edits: tuple[Edit, ...] = ()
    kept: tuple[ast.stmt, ...] = ()
    rebound: Mapping[ast.expr, Text] = field(default_factory=dict)


class _Region(ExpressionRegion):
    """Attention at an expression, and the code around it."""

    def __init__(self, site: Site, found: Attention) -> None:
        super().__init__(site)
        self.found = found
        self.reasons: list[str] = []
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

    # -- the operands

    def target(self, row: Index, column: Index) -> list[Index]:
        return [*self.found.batch, row, column]

    def operand(self, term: Term, row: Index, column: Index) -> tuple[Text, list[Scale]]:
        """The array that ``term`` reads, laid out (batch, row, column), and the numbers that it is
        multiplied by where it stands in the product."""
        target = self.target(row, column)
        scales: list[Scale] = []
        best: Text | None = None
        while True:
            if isinstance(term, Read):
                said = self.say(term.value)
                laid = self.arranged(term, target, said) if said is not None else None
                if laid is not None and (best is None or _rank(laid) < _rank(best)):
                    best = laid
                if said is not None and said.named:
                    break
                inner = definition(term)
                if inner is None:
                    break
                term = inner
                continue
            peeled = self._peel(term)
            if peeled is None or (best is not None and best.named):
                break
            # The product was made where it stands: its number becomes the scale.
            term, scale = peeled
            scales.append(scale)
            best = None
        if best is None:
            raise Refused("layout", f"`{term}` cannot be said with its axes in the kernel's order")
        return best, scales

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

    def number(self, term: Term) -> Text | None:
        """A scalar as code."""
        if isinstance(term, Const):
            return text_of(repr(term.value))
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
        return None

    # -- masks

    def masks(self) -> list[_Mask]:
        found = []
        for mask in self.found.score.masks:
            if isinstance(mask, Added):
                found.append(self._added(mask))
            else:
                found.append(self._filled(mask))
        return found

    def _placed(self, term: Term, what: str) -> Text:
        """An array over rows and columns as code, broadcast as the scores are."""
        target = self.target(self.found.rows, self.found.columns)
        sign = ""
        while isinstance(term, Apply) and term.op == "neg":
            sign, term = ("" if sign else "-"), term.args[0]
        if isinstance(term, Apply) and term.op == "mul" and len(term.args) == 2:
            number, array = term.args
            if isinstance(number, Const) and isinstance(array, Read) and not sign:
                placed = self._placed(array, what)
                if number.value == 1:
                    return placed
                made = f"{number.value} * {placed.multiplied()}"
                return Text(made, placed.reads, False, False)
        at = term
        while isinstance(at, Read):
            said = self.say(at.value)
            laid = self.arranged(at, target, said) if said is not None else None
            if laid is not None:
                if sign:
                    return Text(f"-{laid.multiplied()}", laid.reads, False, False)
                return laid
            inner = definition(at)
            if isinstance(inner, Apply) and inner.op in ("mul", "neg") and not sign:
                return self._placed(inner, what)
            if inner is None:
                break
            at = inner
        raise Refused("mask", f"the {what} `{term}` cannot be said at the call")

    def _added(self, mask: Added) -> _Mask:
        text = self._placed(mask.term, "bias")
        if mask.sign < 0:
            text = Text(f"-{text.multiplied()}", text.reads, False, False)
        elif isinstance(mask.term, Read) and mask.term.value.dtype is None:
            at = definition(mask.term)
            if at is None or isinstance(at, Read):
                self.reasons.append(f"`{text.text}` is not boolean")
        return _Mask(text, False, None, mask.guards, mask)

    def _filled(self, mask: Filled) -> _Mask:
        fill = None
        if mask.finite:
            fill = self._fill(mask.fill)
        condition = mask.condition
        wanted = not mask.where
        while isinstance(condition, Read) and not self._said(condition):
            inner = definition(condition)
            if inner is None:
                break
            condition = inner
        if isinstance(condition, Apply) and condition.op == "not":
            condition, wanted = condition.args[0], not wanted
        text = self._placed(condition, "mask")
        assert isinstance(condition, Read)
        kept = text if wanted else self._negated(condition, text)
        return _Mask(kept, True, fill, mask.guards, mask)

    def _said(self, read: Read) -> bool:
        said = self.say(read.value)
        node = self.origin(read.value)
        inverted = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)
        return said is not None and (said.named or not inverted)

    def _negated(self, condition: Read, text: Text) -> Text:
        """The complement of a boolean array, as a person would write it."""
        if text.moves == 0 and not text.named:
            node = ast.parse(text.text, mode="eval").body
            flips: dict[type[ast.cmpop], str] = {ast.Eq: "!=", ast.NotEq: "=="}
            if condition.value.dtype == "bool" and not self._floats(condition):
                flips |= {ast.Gt: "<=", ast.GtE: "<", ast.Lt: ">=", ast.LtE: ">"}
            if isinstance(node, ast.Compare) and len(node.ops) == 1:
                other = flips.get(type(node.ops[0]))
                if other is not None:
                    left = ast.get_source_segment(text.text, node.left)
                    right = ast.get_source_segment(text.text, node.comparators[0])
                    return Text(f"{left} {other} {right}", text.reads, False, False)
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
                inner = ast.get_source_segment(text.text, node.operand)
                if inner is not None:
                    return replace(text_of(inner), reads=text.reads)
        return Text(f"~{text.dotted()}", text.reads, False, False)

    def _floats(self, condition: Read) -> bool:
        """Whether what is compared may be NaN."""
        inner = definition(condition)
        return not (
            isinstance(inner, Apply)
            and all(
                isinstance(arg, Const)
                or (isinstance(arg, Read) and (arg.value.dtype or "").startswith("int"))
                for arg in inner.args
            )
        )

    def _fill(self, term: Term) -> Text:
        """The number that masked scores are replaced by."""
        if isinstance(term, Const):
            return text_of(repr(term.value))
        text = None
        if isinstance(term, Read):
            node = self.origin(term.value)
            if node is not None:
                text = self._retyped(node)
            text = text or self.say(term.value)
        text = text or self.number(term)
        if text is None:
            raise Refused("fill", f"the fill `{term}` cannot be said at the call")
        return text

    def _retyped(self, node: ast.expr) -> Text | None:
        """The text of a number that asks the scores for their dtype, which the queries have."""
        scores = {value.name for value in self.found.opened.values}
        source = self.one_line(node)
        tree = ast.parse(source, mode="eval").body
        query = self._query_name()
        changed = False
        for inner in ast.walk(tree):
            if isinstance(inner, ast.Attribute) and inner.attr in ("dtype", "device"):
                base = inner.value
                if isinstance(base, ast.Name) and base.id in scores and query is not None:
                    base.id, changed = query, True
        if not changed or self.found.score_casts:
            return None
        return text_of(ast.unparse(tree))

    def _query_name(self) -> str | None:
        text, _ = self.operand(self.found.score.query, self.found.rows, self.found.score.inner)
        return text.text if text.named else None

    def _is_causal(self, mask: Filled) -> bool:
        """Proven: exactly the keys up to the query's own place are kept, and no extent of the mask
        is 1 where that of the scores is not."""
        rows, columns = self.found.rows, self.found.columns
        if not causal(mask.condition, mask.where, rows, columns):
            return False
        condition = mask.condition
        if not isinstance(condition, Read) or len(condition.subs) != len(condition.value.axes):
            return False
        if not self._kept_from_init(mask.condition):
            return False
        for sub, axis in zip(condition.subs, condition.value.axes, strict=True):
            if sub in (rows, columns) and not self._same_extent(axis.extent, sub):
                return False
        return True

    def _kept_from_init(self, condition: Term) -> bool:
        """Name the attributes that the proof rests on: they are as ``__init__`` sets them."""
        for node in _nodes(expand(condition)):
            if isinstance(node, Read) and node.value.kind != "derived" and node.subs:
                return False
        at, seen = [condition], set()
        while at:
            term = at.pop()
            for node in _nodes(term):
                if not isinstance(node, Read) or node.value in seen or node.value.body is None:
                    continue
                seen.add(node.value)
                at.append(node.value.body)
                if node.value.name.removeprefix("self.").isidentifier() and "." in node.value.name:
                    reason = f"`{node.value.name}` is what `__init__` made it"
                    if reason not in self.reasons:
                        self.reasons.append(reason)
        return True

    def _same_extent(self, extent: Term, index: Term) -> bool:
        """Whether an axis is exactly as long as that of the queries or keys at ``index``."""
        facts = self.lifted.facts
        operand = self.found.score.query if index is self.found.rows else self.found.score.key
        if not isinstance(operand, Read) or len(operand.value.axes) != len(operand.subs):
            tail = operand.value.axes[-len(operand.subs) :] if isinstance(operand, Read) else ()
            pairs = zip(operand.subs[-len(tail) :], tail, strict=False) if tail else ()  # type: ignore[attr-defined]
        else:
            pairs = zip(operand.subs, operand.value.axes, strict=True)
        for sub, axis in pairs:
            if sub is index:
                return facts.extent(axis.extent) is facts.extent(extent) and facts.certain(extent)
        return False

    # -- the call

    def match(self) -> Match:
        found = self.found
        query, on_query = self.operand(found.score.query, found.rows, found.score.inner)
        key, on_key = self.operand(found.score.key, found.columns, found.score.inner)
        value, on_value = self.operand(found.values, found.columns, found.channel)
        self.site.require(not on_value, "layout", "the values are scaled where they are summed")
        widened = self._widened()
        if widened:
            query, key = query.call(widened), key.call(widened)
        scale = self.scale([*on_query, *on_key, *found.score.scales])
        masked = self._mask_arguments()
        words = [*masked.words, ("scale", scale), *self._dropout()]
        back = self.returned([*found.batch, found.rows, found.channel], self.site.value.axes)  # type: ignore[union-attr]
        self.site.require(back is not None, "layout", "the result's axes are out of order")
        if back and not self._einsum():
            back += ".contiguous()"
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
        extra, replaced = self._shapes_elsewhere(query, key)
        replaced = {self.node: spoken, **replaced}
        removal = self.removal({**replaced, **masked.rebound}, masked.kept)
        vanish = [
            value
            for value in found.opened.values
            if value.axes and self.origin(value) not in masked.rebound
        ]
        self.require_gone(removal, vanish, self.node, "weights-used")
        extra = [
            (node, edit)
            for node, edit in extra
            if not any(self.within(node, part) for part in (*removal.gone, *masked.rebound))
        ]
        edits = [
            self.replacement("flash_attention", arguments, back or ""),
            *removal.edits,
            *masked.edits,
            *(edit for _, edit in extra),
        ]
        return Match(
            span=self.site.computation.span,
            message=(
                "this is attention: the weights are exponentials divided by their sum, a fold"
                " over the keys, so that they need not exist"
            ),
            computation=self.site.computation,
            edits=tuple(sorted(edits, key=lambda e: e.span)),
            imports=(("auditor.kernels", "flash_attention"),),
            safe=self.unsafe is None,
            reason=self._reason(),
            kernel="auditor.kernels.flash_attention",
            covers=tuple(
                self.module.span(node)
                for v in vanish
                if (node := self.origin(v)) is not None and not self.within(node, self.node)
            ),
        )

    def _reason(self) -> str | None:
        if self.unsafe is not None:
            return self.unsafe
        stated = [
            sentence
            for sentence in self.lifted.facts.assumptions.values()
            if _short_subject(sentence)
        ]
        found = list(dict.fromkeys([*self.reasons, *stated]))
        return "assumes that " + "; ".join(found) if found else None

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
        self.unsafe = "in training other weights are dropped: the random numbers differ"
        return [("dropout_p", text)]

    def _dropout_text(self) -> Text | None:
        for value in self.found.opened.values:
            body, node = value.body, self.origin(value)
            if not (isinstance(body, Apply) and body.op == "call:dropout"):
                continue
            if not isinstance(node, ast.Call):
                continue
            from auditor.lift.objects import Instance

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

    # -- mask arguments

    def _mask_arguments(self) -> _Arguments:
        found = self.found.score.masks
        fills = [mask for mask in found if isinstance(mask, Filled)]
        if len(found) == 1 and fills and self._is_causal(fills[0]):
            return _Arguments((("is_causal", self._flag(fills[0].guards)),))
        if not found:
            return _Arguments()
        try:
            masks = self.masks()
        except Refused:
            inside = self._in_branch()
            if inside is None:
                raise
            return inside
        return self._combined(masks)

    def _flag(self, guards: tuple[Guard, ...]) -> Text:
        if not guards:
            return text_of("True")
        self.site.require(len(guards) == 1, "mask-guards", "the mask depends on two conditions")
        return self._guard(guards[0])

    def _guard(self, guard: Guard) -> Text:
        """The condition under which a mask applies, as code."""
        condition, holds = guard.condition, guard.holds
        while isinstance(condition, Apply) and condition.op == "not":
            condition, holds = condition.args[0], not holds
        said = None
        while isinstance(condition, Read) and said is None:
            said = self.say(condition.value)
            if said is None:
                inner = definition(condition)
                if isinstance(inner, Apply) and inner.op == "not":
                    holds, inner = not holds, inner.args[0]
                if inner is None:
                    break
                condition = inner
        if said is None:
            raise Refused("mask-guards", "the condition of a mask cannot be said at the call")
        if holds:
            return said
        node = ast.parse(said.text, mode="eval").body
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            word = "is not" if isinstance(node.ops[0], ast.Is) else "is"
            left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
            return Text(f"{left} {word} {right}", said.reads, False, False)
        return Text(f"not {said.multiplied()}", said.reads, False, False)

    def _combined(self, masks: list[_Mask]) -> _Arguments:
        """All masks as one argument."""
        plain = [mask for mask in masks if not mask.guards]
        guarded = [mask for mask in masks if mask.guards]
        conditions = {mask.guards for mask in guarded}
        self.site.require(
            len(conditions) <= 1 and all(len(mask.guards) == 1 for mask in guarded),
            "mask-guards",
            "the masks depend on two conditions",
        )
        fill = self._one_fill(masks)
        text = self._joined(masks)
        if guarded:
            text = self._conditional(plain, guarded, text)
        words = [("attn_mask", text)]
        if fill is not None:
            words.append(("fill", fill))
        return _Arguments(tuple(words))

    def _conditional(self, plain: list[_Mask], guarded: list[_Mask], text: Text) -> Text:
        """The joined mask where the condition holds, the plain ones elsewhere."""
        guard = self._guard(guarded[0].guards[0])
        otherwise = self._joined(plain) if plain else text_of("None")
        reads = guard.reads | text.reads | otherwise.reads
        if not plain and guard.text == f"{text.text} is not None":
            return text
        node = ast.parse(guard.text, mode="eval").body
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.IsNot):
            flipped = f"{ast.unparse(node.left)} is {ast.unparse(node.comparators[0])}"
            return Text(f"{otherwise.text} if {flipped} else {text.text}", reads, False, False)
        return Text(f"{text.text} if {guard.text} else {otherwise.text}", reads, False, False)

    def _one_fill(self, masks: list[_Mask]) -> Text | None:
        """The finite fill, where it makes a difference to minus infinity."""
        fills = [mask.finite for mask in masks if mask.finite is not None]
        if not fills:
            return None
        boolean = [mask for mask in masks if mask.keeps]
        everywhere = all(
            isinstance(mask.source, Filled) and self._is_causal(mask.source) for mask in boolean
        )
        if everywhere:
            return None
        self.site.require(
            len(boolean) == len(masks) == len(fills) and len({f.text for f in fills}) == 1,
            "finite-mask",
            "masked scores are a finite number beside another mask: a row that is masked"
            " everywhere would not be the mean of the values",
        )
        return fills[0]

    def _joined(self, masks: list[_Mask]) -> Text:
        """Masks that all apply: what is kept by each of them, and the sum of what is added, in the
        order in which they were applied."""
        result: Text | None = None
        boolean = False
        for mask in masks:
            if result is None:
                result, boolean = mask.text, mask.keeps
                continue
            reads = result.reads | mask.text.reads
            if mask.keeps and boolean:
                made = f"{_operand(result)} & {_operand(mask.text)}"
            elif mask.keeps or boolean:
                keep, add = (mask.text, result) if mask.keeps else (result, mask.text)
                torch = self.torch_name()
                made = f'{torch}.where({keep.text}, {add.text}, float("-inf"))'
                boolean = False
                result = Text(made, reads)
                continue
            else:
                made = f"{result.text} + {mask.text.text}"
            result = Text(made, reads, False, False)
        assert result is not None
        return result

    # -- a mask that exists under its condition only

    def _in_branch(self) -> _Arguments | None:
        """The statement that masks the scores inside an ``if`` binds the mask instead."""
        masks = self.found.score.masks
        if len(masks) != 1 or len(masks[0].guards) != 1 or masks[0].at is None:
            return None
        node = self.origin(masks[0].at)
        if node is None:
            return None
        update = self.statement_of(node)
        branch = self.parents.get(update)
        if not isinstance(branch, ast.If) or branch not in self.siblings(self.statement):
            return None
        if not isinstance(update, ast.Assign) or update.value is not node:
            return None
        outer = self.statement, self.node
        self.statement, self.node = update, node
        try:
            (mask,) = self.masks()
        except Refused:
            return None
        finally:
            self.statement, self.node = outer
        name = next(
            (n for n in ("attn_mask", "score_mask") if n not in self.stores | set(self.loads)), None
        )
        if name is None:
            return None
        indent, line = self.indent(branch), branch.lineno
        from auditor.notation import Span

        edits = (
            Edit(Span(line, 1, line, 1), f"{indent}{name} = None\n"),
            Edit(self.module.span(update.targets[0]), name),
            Edit(self.module.span(update.value), mask.text.text),
        )
        words = [("attn_mask", text_of(name))]
        if mask.finite is not None:
            words.append(("fill", mask.finite))
        return _Arguments(tuple(words), edits, (update,), {update.value: mask.text})

    # -- shapes that are asked of the scores

    def _shapes_elsewhere(
        self, query: Text, key: Text
    ) -> tuple[list[tuple[ast.expr, Edit]], dict[ast.expr, Text]]:
        """Code that only asks the scores for their last sizes, device or dtype asks q and k."""
        edits: list[tuple[ast.expr, Edit]] = []
        replaced: dict[ast.expr, Text] = {}
        if not (query.named and key.named):
            return edits, replaced
        for value in self.found.opened.values:
            if not self._is_scores(value):
                continue
            for load in self.reads_of(value):
                node, text = self._asked(load, query.text, key.text)
                if not self._same_there(load, query.text, key.text):
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

    def _asked(self, load: ast.Name, query: str, key: str) -> tuple[ast.expr | None, str]:
        parent = self.parents.get(load)
        if not isinstance(parent, ast.Attribute):
            return None, ""
        if parent.attr == "device":
            return parent, f"{query}.device"
        if parent.attr == "dtype" and not self.found.score_casts + self.found.weight_casts:
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


def _short_subject(sentence: str) -> bool:
    """Whether an assumption is about something that the code names, and is needed here: the kernel
    is total in the number of axes, and a slice beyond the end would not have fitted before."""
    if sentence.endswith(("elements there", "axes or more, as `@` says")):
        return False
    subject = sentence.split("`")[1] if sentence.startswith("`") else sentence.split(" ")[0]
    return len(subject) <= 40 and "(" not in subject


def _rank(text: Text) -> tuple[int, bool, int]:
    """Fewer moves first, then names, then what is short."""
    return (text.moves, not text.named, len(text.text))


def _scalar(term: Term) -> bool:
    return isinstance(term, Const) or not any(
        isinstance(node, Read) and node.value.axes for node in _nodes(term)
    )


def _nodes(term: Term) -> list[Term]:
    from auditor.notation import walk

    return list(walk(term))


def _operand(text: Text) -> str:
    """As an operand of ``&``."""
    return text.text if text.tight or text.text.startswith("~") else f"({text.text})"


_BEFORE = """\
import math

import torch
import torch.nn.functional as F


def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    return weights @ v
"""

_AFTER = """\
import math

import torch
import torch.nn.functional as F
from auditor.kernels import flash_attention


def attend(q, k, v, mask=None):
    return flash_attention(
        q,
        k,
        v,
        attn_mask=None if mask is None else mask != 0,
        scale=1 / math.sqrt(q.size(-1)),
    )
"""

_EINSUM_BEFORE = """\
import torch


def attend(q, k, v, bias):
    # (batch, length, heads, channels)
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) + bias
    scores = scores - scores.amax(dim=-1, keepdim=True)
    weights = scores.exp()
    weights = weights / weights.sum(dim=-1, keepdim=True)
    out = torch.einsum("bhqk,bkhd->bqhd", weights, v)
    return out.flatten(2)
"""

_EINSUM_AFTER = """\
import torch
from auditor.kernels import flash_attention


def attend(q, k, v, bias):
    # (batch, length, heads, channels)
    out = flash_attention(
        q.transpose(1, 2),
        k.transpose(1, 2),
        v.transpose(1, 2),
        attn_mask=bias,
        scale=1.0,
    ).transpose(1, 2)
    return out.flatten(2)
"""

_CASES = "(torch.randn(2, 3, 5, 4), torch.randn(2, 3, 7, 4), torch.randn(2, 3, 7, 6))"
_EINSUM_CASES = (
    "(torch.randn(2, 5, 3, 4), torch.randn(2, 7, 3, 4), torch.randn(2, 7, 3, 6),"
    " torch.randn(3, 5, 7))"
)

REWRITE = Rewrite(
    code="ASC109",
    name="flash-attention",
    summary="attention runs without writing its weights to memory",
    doc=__doc__,
    properties=("associativity", "separability"),
    find=find,
    inside=True,
    kernel="auditor.kernels.flash_attention",
    becomes="flash_attention(q, k, v)",
    examples=(
        Example("with a mask that may be absent", _BEFORE, _AFTER, _CASES),
        Example("by hand, channels last", _EINSUM_BEFORE, _EINSUM_AFTER, _EINSUM_CASES),
    ),
    refused=(
        RefusedExample(
            "weights-used", _BEFORE.replace("return weights @ v", "return weights @ v, weights")
        ),
        RefusedExample(
            "finite-mask",
            _BEFORE.replace('float("-inf")', "-1e9")
            .replace("    weights =", "    scores = scores + v.mean()\n    weights =")
            .replace("v.mean()", "(k.mean(-1)[..., None, :] > 0).float()"),
        ),
    ),
    unmatched=(
        _BEFORE.replace("dim=-1)", "dim=-2)"),
        _BEFORE.replace("weights @ v", "(weights * mask) @ v"),
        _BEFORE.replace("F.softmax(scores, dim=-1)", "torch.sigmoid(scores)"),
        _BEFORE.replace("F.softmax(scores, dim=-1)", "F.softmax(torch.tanh(scores), dim=-1)"),
    ),
)
