"""The masks of an attention as one argument of a call: what is kept, what is added, and under which
condition of the program.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from auditor.algebra.normal import expand
from auditor.attention.bands import Band, band
from auditor.attention.fills import FillRegion
from auditor.attention.folded import Folded, folded
from auditor.attention.reading import Added, Filled, Guard, causal
from auditor.expressions.region import Text, text_of
from auditor.notation import Apply, Const, Index, Read, Span, Term, Value, definition, walk
from auditor.rewrite import Refused
from auditor.syntax import called_name
from auditor.verdict import Edit


@dataclass(frozen=True)
class Mask:
    """What is done to the scores, as code: ``keeps`` for a boolean mask, else it is added; then
    ``unsure`` where it may be boolean as well."""

    text: Text
    keeps: bool
    finite: Text | None
    guards: tuple[Guard, ...]
    source: Added | Filled
    unsure: bool = False


@dataclass(frozen=True)
class Arguments:
    """Keyword arguments of the call, with edits that they need elsewhere."""

    words: tuple[tuple[str, Text], ...] = ()
    edits: tuple[Edit, ...] = ()
    kept: tuple[ast.stmt, ...] = ()
    rebound: Mapping[ast.expr, Text] = field(default_factory=dict)

    def beside(self, other: Arguments) -> Arguments:
        """These and other arguments of the same call."""
        return Arguments(
            (*self.words, *other.words),
            (*self.edits, *other.edits),
            (*self.kept, *other.kept),
            {**self.rebound, **other.rebound},
        )


Masks = tuple[Added | Filled, ...]


@dataclass(frozen=True)
class _Update:
    """A statement in a branch that masks the scores, and the expression that does."""

    statement: ast.stmt
    branch: ast.If
    node: ast.expr


class MaskRegion(FillRegion):
    """Attention at an expression whose scores are masked."""

    @cached_property
    def folded(self) -> Folded | None:
        """How the masks see apart what is one batch axis of the operands."""
        return folded(self.found)

    def mask_arguments(self) -> Arguments:
        """All masks as keyword arguments. Raises ``Refused``."""
        found = self.found.score.masks
        fills = [mask for mask in found if isinstance(mask, Filled)]
        if len(found) == 1 and fills and self._is_causal(fills[0]):
            return Arguments((("is_causal", self._flag(fills[0].guards)),))
        if not found:
            return Arguments()
        self.require_keys(band(found, self.found.rows, self.found.columns))
        added, hidden_by = self._added_before_a_number()
        hidden = self._arguments(hidden_by, ("attn_mask", "score_mask"))
        if not added:
            return hidden
        return hidden.beside(self._arguments(added, ("bias", "score_bias"), whatever=True))

    def _added_before_a_number(self) -> tuple[Masks, Masks]:
        """What is added to the scores before a finite number replaces some of them, and what is
        replaced; nothing where these are not apart, or one argument says both."""
        found = self.found.score.masks
        first = next((n for n, mask in enumerate(found) if isinstance(mask, Filled)), len(found))
        added, fills = found[:first], found[first:]
        numbers = [mask for mask in fills if isinstance(mask, Filled) and mask.finite]
        if not numbers or len(numbers) < len(fills):
            return (), found
        if all(isinstance(mask, Filled) and self._is_causal(mask) for mask in fills):
            return (), found  # every query sees a key
        return added, fills

    def _arguments(self, found: Masks, names: tuple[str, ...], whatever: bool = False) -> Arguments:
        """Masks as one argument, of which statements in branches bind one of ``names`` where it
        cannot be said at the call. ``whatever`` says that it is added whatever its dtype."""
        try:
            return self._combined([self._mask(mask) for mask in found], whatever)
        except Refused:
            inside = self._in_branches(found, names, whatever)
            if inside is None:
                raise
            return inside

    def require_keys(self, kept: Band | None) -> None:
        """Refused where the weights of the first query are a softmax of nothing in every run."""
        self.site.require(
            kept is None or not kept.infinite or not kept.leaves_none_for_the_first(),
            "query-without-keys",
            "the mask hides every key from the first query, whose weights are NaN here",
        )

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

    def _combined(self, masks: list[Mask], whatever: bool) -> Arguments:
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
        unsure = [mask for mask in masks if mask.unsure]
        if len(masks) > 1 and len(unsure) == len(masks):
            self.reasons.append(f"`{unsure[0].text.text}` is not boolean")
        alone = len(masks) == len(unsure) == 1
        words = [("bias" if whatever or alone else "attn_mask", text)]
        if fill is not None:
            words.append(("fill", fill))
        return Arguments(tuple(words))

    def _conditional(self, plain: list[Mask], guarded: list[Mask], text: Text) -> Text:
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

    def _one_fill(self, masks: list[Mask]) -> Text | None:
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

    def _joined(self, masks: list[Mask]) -> Text:
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

    def _in_branches(
        self, found: Masks, names: tuple[str, ...], whatever: bool
    ) -> Arguments | None:
        """The statements that mask the scores inside an ``if`` bind the mask instead; what is done
        to them in any case is bound before."""
        fills = [mask for mask in found if isinstance(mask, Filled)]
        mixed = 0 < len(fills) < len(found)
        if mixed and (fills != [*found[-1:]] or fills[0].finite or not fills[0].guards):
            return None
        guarded = [mask for mask in found if mask.guards]
        updates = [update for mask in guarded if (update := self._update(mask)) is not None]
        name = next((n for n in names if n not in self.stores | set(self.loads)), None)
        if not updates or len(updates) < len(guarded) or name is None:
            return None
        first = min((update.branch for update in updates), key=lambda branch: branch.lineno)
        plain = [mask for mask in found if not mask.guards]
        always = self._masks_at(plain, first, first.test)
        if always is None:
            return None
        start = self._joined(always).text if always else "None"
        indent, line = self.indent(first), first.lineno
        edits = [Edit(Span(line, 1, line, 1), f"{indent}{name} = {start}\n")]
        masks, rebound = [*always], dict[ast.expr, Text]()
        for update, mask in zip(updates, guarded, strict=True):
            inside = self._masks_at([mask], update.statement, update.node)
            if inside is None:
                return None
            value = self._onto(name, inside[0], not always, mixed) if masks else inside[0].text
            masks += inside
            edits.append(Edit(self.module.span(update.statement), f"{name} = {value.text}"))
            reads = value.reads.union(*(each.text.reads for each in always))
            rebound[update.node] = replace(value, reads=reads)
        unsure = all(mask.unsure for mask in masks if not mask.keeps)
        if unsure and len(masks) > 1 and not masks[0].keeps:
            self.reasons.append(f"`{masks[0].text.text}` is not boolean")
        if mixed:
            unknown = [mask.text.text for mask in masks if mask.unsure]
            self.reasons += [f"`{text}` is an array" for text in unknown]
        added = whatever or (not fills and any(mask.unsure for mask in masks))
        words = [("bias" if added else "attn_mask", text_of(name))]
        # The call stands behind the branches: what only they bind cannot be said there.
        numbers = [self.finite(mask) if mask.finite else None for mask in fills]
        if len({number and number.text for number in numbers}) > 1:
            return None
        words += [("fill", number) for number in numbers[:1] if number is not None]
        kept = tuple(update.statement for update in updates)
        return Arguments(tuple(words), tuple(edits), kept, rebound)

    def _onto(self, name: str, mask: Mask, perhaps: bool, mixed: bool) -> Text:
        """A mask put onto what ``name`` holds: numbers, where they are ``mixed`` with what is kept,
        and ``perhaps`` none."""
        text = mask.text
        if not mask.keeps:
            joined = f"{name} + {text.text}"
        elif mixed:
            joined = f'{self.torch_name()}.where({text.text}, {name}, float("-inf"))'
        else:
            joined = f"{name} & {_operand(text)}"
        if perhaps:
            joined = f"{text.text} if {name} is None else {joined}"
        return Text(joined, text.reads | {name}, False, False)

    def _update(self, mask: Added | Filled) -> _Update | None:
        """Where a mask is put on the scores inside an ``if``."""
        if len(mask.guards) != 1 or mask.at is None:
            return None
        node = self.origin(mask.at) or self._written(mask.at)
        if node is None:
            return None
        statement = self.statement_of(node)
        branch = self.parents.get(statement)
        if not isinstance(branch, ast.If) or branch not in self.siblings(self.statement):
            return None
        if not isinstance(statement, (ast.Assign, ast.Expr)) or statement.value is not node:
            return None
        return _Update(statement, branch, node)

    def _masks_at(
        self, masks: Sequence[Added | Filled], statement: ast.stmt, node: ast.expr
    ) -> list[Mask] | None:
        """Masks as they are said at another statement; None where they cannot be."""
        outer = self.statement, self.node
        self.statement, self.node = statement, node
        try:
            return [self._mask(mask) for mask in masks]
        except Refused:
            return None
        finally:
            self.statement, self.node = outer

    def _written(self, value: Value) -> ast.Call | None:
        """The call of a method that made ``value`` out of its object, in place."""
        for node in self.nodes:
            if isinstance(node, ast.Call) and self.module.span(node) == value.span:
                return node
        return None

    # -- each mask

    def masks(self) -> list[Mask]:
        return [self._mask(mask) for mask in self.found.score.masks]

    def _mask(self, mask: Added | Filled) -> Mask:
        return self._added(mask) if isinstance(mask, Added) else self._filled(mask)

    def _placed(self, term: Term, what: str) -> Text:
        """An array over rows and columns as code, broadcast as the scores are."""
        target = self.target(self.found.rows, self.found.columns)
        if self.folded is not None:
            term = self.folded.apart(term)
            target = self.folded.among(target)
        return self.placed(term, what, target)

    def placed(self, term: Term, what: str, target: list[Index]) -> Text:
        """An array as code, broadcast as one over ``target`` is. Raises ``Refused``."""
        sign = ""
        while isinstance(term, Apply) and term.op == "neg":
            sign, term = ("" if sign else "-"), term.args[0]
        if isinstance(term, Apply) and term.op == "mul" and len(term.args) == 2:
            number, array = term.args
            if isinstance(number, Const) and isinstance(array, Read) and not sign:
                placed = self.placed(array, what, target)
                if number.value == 1:
                    return placed
                made = f"{number.value} * {placed.multiplied()}"
                return Text(made, placed.reads, False, False)
        at = term
        while isinstance(at, Read):
            at = self._narrow(at)
            said = self.say(at.value)
            laid = self.arranged(at, target, said) if said is not None else None
            if laid is not None:
                if sign:
                    return Text(f"-{laid.multiplied()}", laid.reads, False, False)
                return laid
            inner = self.behind(at)
            if isinstance(inner, Apply) and inner.op in ("mul", "neg") and not sign:
                return self.placed(inner, what, target)
            if inner is None:
                break
            at = inner
        raise Refused("mask", f"the {what} `{term}` cannot be said at the call")

    def _narrow(self, read: Read) -> Read:
        """What was made as large as the scores, before that: it is broadcast to them all the
        same, and asks nothing of them."""
        node, inner = self.origin(read.value), read
        while isinstance(node, ast.Call) and called_name(node) == "expand_as":
            behind = self.behind(inner)
            if not isinstance(behind, Read):
                return read
            inner, node = behind, self.origin(behind.value)
        return inner

    def _added(self, mask: Added) -> Mask:
        text = self._placed(mask.term, "bias")
        unsure = False
        if isinstance(mask.term, Read) and mask.term.value.dtype is None:
            at = definition(mask.term)
            unsure = at is None or isinstance(at, Read)
        if not any(node.value.axes or node.value.library == "torch"
                   for node in walk(mask.term) if isinstance(node, Read)):  # fmt: skip
            unsure = True  # a number
        if mask.sign < 0:
            made = f"-1 * {text.multiplied()}" if unsure else f"-{text.multiplied()}"
            text = Text(made, text.reads, False, False)
        if mask.scales:
            times = self.scale(mask.scales)
            over = times.text.startswith("1 / ")
            made = times.text.removeprefix("1 / ") if over else times.multiplied()
            text = Text(f"{text.multiplied()} {'/' if over else '*'} {made}",
                        text.reads | times.reads, False, False)  # fmt: skip
        return Mask(text, False, None, mask.guards, mask, unsure)

    def _filled(self, mask: Filled) -> Mask:
        fill = None
        if mask.finite:
            fill = self.finite(mask)
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
        return Mask(kept, True, fill, mask.guards, mask)

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
        for node in walk(expand(condition)):
            if isinstance(node, Read) and node.value.kind != "derived" and node.subs:
                return False
        self.rests_on_init(condition)
        return True

    def rests_on_init(self, condition: Term) -> None:
        """Say of every attribute that ``condition`` is made of that it is what ``__init__`` made
        it."""
        at, seen = [condition], set()
        while at:
            term = at.pop()
            for node in walk(term):
                if not isinstance(node, Read) or node.value in seen or node.value.body is None:
                    continue
                seen.add(node.value)
                at.append(node.value.body)
                if node.value.name.removeprefix("self.").isidentifier() and "." in node.value.name:
                    reason = f"`{node.value.name}` is what `__init__` made it"
                    if reason not in self.reasons:
                        self.reasons.append(reason)

    def _same_extent(self, extent: Term, index: Term) -> bool:
        """Whether an axis is exactly as long as that of the queries or keys at ``index``."""
        return self.as_long(extent, index) and self.lifted.facts.certain(extent)

    def as_long(self, extent: Term, index: Term) -> bool:
        """Whether an axis is as long as that of the queries or keys at ``index``, or has one
        element and is broadcast to it, or it to the axis."""
        facts = self.lifted.facts
        operand = self.found.score.query if index is self.found.rows else self.found.score.key
        if not isinstance(operand, Read) or len(operand.value.axes) != len(operand.subs):
            tail = operand.value.axes[-len(operand.subs) :] if isinstance(operand, Read) else ()
            pairs = zip(operand.subs[-len(tail) :], tail, strict=False) if tail else ()  # type: ignore[attr-defined]
        else:
            pairs = zip(operand.subs, operand.value.axes, strict=True)
        for sub, axis in pairs:
            if sub is index:
                return facts.extent(axis.extent) is facts.extent(extent)
        return False


def _operand(text: Text) -> str:
    """As an operand of ``&``."""
    return text.text if text.tight or text.text.startswith("~") else f"({text.text})"
