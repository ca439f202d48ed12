"""Sums of shifted parts of an array as one convolution of torch, and where they are spelled so."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.algebra.subterms import computed
from auditor.arrays.strides import as_stacked
from auditor.assumed import assuming
from auditor.expressions.region import Text, text_of
from auditor.lift import extents
from auditor.lift.loops import Loop
from auditor.notation import ONE, Apply, Index, Read, Reduce, Term, Value
from auditor.rewrite import Match, Site
from auditor.syntax import constant, is_name
from auditor.tree import everything_in
from auditor.verdict import Edit
from auditor.windows.reading import computed as computed_value
from auditor.windows.region import LOCAL, WindowRegion
from auditor.windows.taps import Taps, taps

_MESSAGE = "shifted parts of `{}` are weighted and added up one by one: a convolution takes all"
_FLOATS = "floating-point numbers of one type"


def tapped(site: Site) -> Match | None:
    """The match of a sum over a generator or of a loop that adds up, or None. Raises
    ``Refused``."""
    if site.loop is not None:
        return _added(site, site.loop)
    value, node = computed_value(site), site.node
    if value is None or value.body is None or not isinstance(node, ast.Call):
        return None
    if not is_name(node.func, "sum") or len(node.args) != 1 or node.keywords:
        return None
    term = computed(value.body)
    if not isinstance(term, Reduce) or term.op != "sum" or term.index.group:
        return None
    found = taps(site.lifted.facts, term.body, term.index)
    return None if found is None else _Region(site).summed(value, found)


@dataclass(frozen=True)
class _Step:
    """What a loop does to what it adds up: the statement, what is added, and whether in place."""

    statement: ast.Assign | ast.AugAssign
    added: ast.expr
    name: str

    @property
    def in_place(self) -> bool:
        return isinstance(self.statement, ast.AugAssign)


def _added(site: Site, loop: Loop) -> Match | None:
    """The match of a loop that does nothing but add to one name."""
    node, step = loop.node, _step(loop)
    if step is None or not isinstance(node, ast.For) or loop.blocked is not None:
        return None
    (carry,) = loop.scan.carries
    update = carry.update
    if carry.name != step.name or not isinstance(update, Apply) or update.op != "add":
        return None
    terms = [arg for arg in update.args if not _is(arg, carry.state)]
    result = loop.results.get(step.name)
    if len(terms) != 1 or len(update.args) != 2 or result is None:
        return None
    found = taps(site.lifted.facts, terms[0], loop.step)
    if found is None:
        return None
    within = Site(site.lifted, site.computation, None, step.added, None, node, site.waived)
    return _Region(within).added(loop, node, step, carry.state, found)


def _is(term: Term, state: Value) -> bool:
    return isinstance(term, Read) and term.value is state


def _step(loop: Loop) -> _Step | None:
    """The last statement of a loop, where that adds to a name and the others only name what is
    computed."""
    node = loop.node
    if not isinstance(node, ast.For) or node.orelse or not isinstance(node.target, ast.Name):
        return None
    if len(loop.scan.carries) != 1 or loop.lists or loop.written or loop.effects:
        return None
    *before, last = node.body
    named = all(isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)
                and len(each.targets) == 1 for each in before)  # fmt: skip
    if not named:
        return None
    if isinstance(last, ast.AugAssign) and isinstance(last.op, ast.Add):
        into = last.target
        return _Step(last, last.value, into.id) if isinstance(into, ast.Name) else None
    if not isinstance(last, ast.Assign) or len(last.targets) != 1:
        return None
    target, value = last.targets[0], last.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.BinOp):
        return None
    if not isinstance(value.op, ast.Add):
        return None
    for one, other in ((value.left, value.right), (value.right, value.left)):
        if is_name(one, target.id):
            return _Step(last, other, target.id)
    return None


class _Region(WindowRegion):
    """The sum, and the loop around it where there is one."""

    def summed(self, value: Value, found: Taps) -> Match | None:
        """The call of ``sum``, as a convolution."""
        written = self._convolved(found, value.axes)
        if written is None:
            return None
        text = as_stacked(self.lifted, self.node, written.text)
        removal = self.removal({self.node: text_of(text, written)})
        edits = (self.replace(self.node, text), *removal.edits)
        return self._match(found, tuple(sorted(edits, key=lambda edit: edit.span)))

    def added(
        self, loop: Loop, node: ast.For, step: _Step, state: Value, found: Taps
    ) -> Match | None:
        """The loop, as one convolution that is added."""
        written = self._convolved(found, state.axes)
        if written is None or (step.in_place and not self._apart(node, step.name, found)):
            return None
        for name in _bound(node):
            self.site.require(
                name == step.name or not self.read_after(node, name),
                "names",
                f"`{name}` is used after the loop",
            )
        started = self.binding_before(node, step.name)
        zero = started is not None and started.value is not None and _zero(started.value)
        text = as_stacked(self.lifted, step.added, written.text)
        edits = [self.replace_lines(node, [f"{step.name} = {text}"])]
        if zero and started is not None and started.alone and started.unread:
            edits.insert(0, self.drop(started.statement))
        elif not zero:
            sign = "+=" if step.in_place else f"= {step.name} +"
            edits = [self.replace_lines(node, [f"{step.name} {sign} {text}"])]
        return self._match(found, tuple(edits))

    def _apart(self, node: ast.For, name: str, found: Taps) -> bool:
        """Whether what is added to in place was made here, and is none of what is read."""
        held = self.scope(node).get(name)
        if not isinstance(held, Value):
            return False
        memory = self.lifted.lifter.memory
        own = memory(held)
        given = any(leaf.kind in ("input", "attribute", "free") for leaf in own)
        return not given and own.isdisjoint(memory(found.array) | memory(found.weights.value))

    # -- the convolution

    def _convolved(self, found: Taps, axes: tuple[Index, ...]) -> Text | None:
        """The convolution with its axes in the order of ``axes``; None where it cannot be said.
        Raises ``Refused``."""
        array, weights = found.array, found.weights
        if not self.tensors([array, weights.value]):
            return None
        x, w = self.say(array), self.say(weights.value)
        said = None if x is None or w is None else self._convolution(found, axes, x, w)
        if x is None or w is None or said is None:
            return None
        site = self.site
        site.require(not self.autocast(), "autocast", "under autocast a product has another dtype")
        site.require(
            self.same_gradients([array]), "gradients", "the array is made in another `with` block"
        )
        site.require(
            not self.effects_in(self.node), "effects", "computing a part does something else too"
        )
        return text_of(said, x, w)

    def _convolution(self, found: Taps, axes: tuple[Index, ...], x: Text, w: Text) -> str | None:
        batch, own, outs = found.batch, found.own, found.outs
        channels = [sub for sub in found.subs if sub in found.channels]
        if len(batch) > 1 or len(own) + len(channels) > 1 or len(outs) != len(channels):
            return None
        each = [*own, *channels]
        image = self.arranged(Read(found.array, found.subs), [*batch, *each, found.count], x)
        if found.part:
            long = self._number(found.tap.extent)
            if long is None:
                return None
            before = ":, " * found.weights.subs.index(found.tap)
            w = Text(f"{w.dotted()}[{before}: {long}]", w.reads)
        filters = self.arranged(found.weights, [*outs, *each, found.tap], w)
        turned = self.returned([*batch, *(own or outs), found.count], axes)
        if image is None or filters is None or turned is None:
            return None
        if not each:
            image = image.call(".unsqueeze(-2)")
            filters = filters.call("[None, None]")
            turned = f".squeeze(-2){turned}"
        elif own:
            filters = filters.call(".unsqueeze(1)")
        if found.turned:
            filters = filters.call(".flip(-1)")
        given = [image.text, filters.text]
        if found.apart is not ONE:
            apart = self._number(found.apart)
            if apart is None:
                return None
            given.append(f"dilation={apart}")
        if own:
            given.append(f"groups={x.dotted()}.shape[{found.subs.index(own[0])}]")
        return f"{self.functional()}.conv1d({', '.join(given)}){turned}"

    def _number(self, term: Term) -> str | None:
        """A number as code."""
        if isinstance(term, Read) and not term.subs:
            said = self.say(term.value)
            return None if said is None else said.text
        known = extents.constant(self.lifted.facts.extent(term))
        return self.scalar_at(term, self.statement) if known is None else str(known)

    def _match(self, found: Taps, edits: tuple[Edit, ...]) -> Match:
        x, w = self.say(found.array), self.say(found.weights.value)
        assert x is not None and w is not None
        sentences = [*self.assumed(found.array, found.weights.value), *self._sizes(found, x, w)]
        sentences.append(f"`{x.text}` and `{w.text}` hold {_FLOATS}")
        return Match(
            span=self.site.computation.span,
            message=_MESSAGE.format(x.text),
            computation=self.site.computation,
            edits=edits,
            reason=assuming(sentences),
            verdicts={"locality": LOCAL},
        )

    def _sizes(self, found: Taps, x: Text, w: Text) -> Iterator[str]:
        """What a convolution asks of sizes, where the sum takes any."""
        yield f"`{w.text}` is not empty"
        for sub in (*found.own, *(one for one in found.subs if one in found.channels)):
            at, place = found.subs.index(sub), found.weights.subs.index(sub)
            if not self.lifted.facts.certain(found.array.axes[at].extent):
                long, short = f"{w.dotted()}.shape[{place}]", f"{x.dotted()}.shape[{at}]"
                yield f"`{long}` is no less than `{short}`"
        count = self.lifted.facts.extent(found.count.extent)
        said = self.scalar_at(count, self.statement)
        yield f"`{said or count}` is more than 0"
        if found.apart is not ONE and (number := self._number(found.apart)) is not None:
            if not number.isdigit():
                yield f"`{number}` is positive"


def _bound(node: ast.For) -> set[str]:
    """The names that a loop binds."""
    names = (n for n in everything_in(node) if isinstance(n, ast.Name))
    return {n.id for n in names if not isinstance(n.ctx, ast.Load)}


def _zero(node: ast.expr) -> bool:
    number = constant(node)
    return type(number) in (int, float) and number == 0
