"""Replacing an expression by a call: shared by the rewrites of array expressions.

``ExpressionRegion`` knows how a value can be said where the expression stands (by its name, or by
the text of the expression that made it, as long as nothing that text reads has changed since), lays
axes out by transposes, writes the call, and drops the statements that only served what was
replaced. A value of the replaced code that something else still needs is a refusal.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from auditor.again.aliases import aliases
from auditor.algebra.normal import expand
from auditor.algebra.subterms import everything
from auditor.expressions.removal import ServedRegion
from auditor.expressions.suppositions import taken_rank
from auditor.expressions.turned_axes import LAST_TWO, exchanged, exchanges, moved
from auditor.lift import extents, filled_elsewhere, written_elsewhere
from auditor.lift.changes import calls_that_write
from auditor.lift.facts import TAKEN_RANK
from auditor.lift.lifter import Effect
from auditor.lift.objects import Collected, Method, Named, Obj, Written
from auditor.lift.spoken import asks_for_sizes
from auditor.notation import (
    ONE,
    ZERO,
    Const,
    Index,
    Library,
    Read,
    Span,
    Term,
    Value,
    definition,
    walk,
)
from auditor.rewrite import Refused
from auditor.syntax import array_name, constant, is_expression
from auditor.tree import ancestors, everything_in
from auditor.verdict import Edit
from auditor.writing.layout import literal

# Calls that say something about arrays and leave them alone.
_REPORTS = re.compile(
    r"(print|warn|warnings\.\w+|log\w*\.\w+|(self\.)?_?logger\.\w+|[\w.]+\.(append|extend|insert))\("
)
_TENSOR_ONLY = frozenset(
    "softmax log_softmax logsumexp masked_fill exp log unsqueeze float amax matmul bmm".split()
)
_TENSOR_WORDS = frozenset(("dim", "keepdim", "unbiased"))
_TAKES_TENSORS = frozenset(f"torch.{name}" for name in "sqrt rsqrt exp log tanh softmax".split())
_ATOMS = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)
_REPEATING = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Text:
    """Source text of a value: ``tight`` where it needs no brackets before a dot, ``factor`` where
    it needs none in a product, ``reads`` the names it reads, ``named`` where it is a plain name."""

    text: str
    reads: frozenset[str] = frozenset()
    tight: bool = True
    factor: bool = True
    named: bool = False
    moves: int = 0

    def dotted(self) -> str:
        return self.text if self.tight else f"({self.text})"

    def multiplied(self) -> str:
        return self.text if self.factor else f"({self.text})"

    def call(self, suffix: str, matrix: bool = False) -> Text:
        """A view of it; one that takes back the last is none. ``matrix`` says that there are two
        axes."""
        done = ".T" if matrix and self.text.endswith(".T") else exchanges(self.text)
        if exchanges(suffix) == suffix and self.tight and done is not None:
            return Text(self.text.removesuffix(done), self.reads, moves=self.moves + 1)
        return Text(f"{self.dotted()}{suffix}", self.reads, moves=self.moves + 1)


def text_of(source: str, *more: Text) -> Text:
    """The text of a Python expression, with the names that it reads, and those that more do."""
    node = ast.parse(source, mode="eval").body
    reads = {n.id for n in everything_in(node) if isinstance(n, ast.Name)}
    reads |= {name for text in more for name in text.reads}
    tight = isinstance(node, _ATOMS) and not (
        isinstance(node, ast.Constant) and not isinstance(node.value, str)
    )
    power = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)
    negated = isinstance(node, ast.UnaryOp) and isinstance(node.operand, _ATOMS)
    factor = isinstance(node, _ATOMS) or power or negated
    return Text(source, frozenset(reads), tight, factor, isinstance(node, ast.Name))


def _ragged(sub: Term, steps: Collection[Index]) -> bool:
    """Whether an axis is of another length at each place of another one. The ``steps`` of the loops
    around are none: within these the length is a number."""
    if not isinstance(sub, Index) or not any(
        isinstance(n, Index) for n in everything([sub.extent])
    ):
        return False
    length = extents.canonical(expand(sub.extent))
    return any(isinstance(n, Index) and n not in steps for n in everything([length]))


class ExpressionRegion(ServedRegion):
    """An expression of a function and what serves it."""

    @cached_property
    def _steps(self) -> frozenset[Index]:
        """The steps of the loops that the expression stands in."""
        around = set(ancestors(self.node, self.parents))
        return frozenset(loop.step for loop in self.lifted.lifter.loops if loop.node in around)

    # -- saying a value where the expression stands

    def say(self, value: Value) -> Text | None:
        """``value`` as code at the expression, or None."""
        item = self._item(value)
        if item is not None:
            return text_of(item)
        name = self.name_at(value, self.statement)
        if name is not None and not is_expression(name):
            name = None
        if name is not None and value.kind in ("attribute", "free") and not name.isidentifier():
            node = self.origin(value)
            if not (self._kept_by_self(name) if node is None else self.unchanged(node)):
                return None
        if name is not None:
            return text_of(name)
        if isinstance(value.body, Const) and not value.axes:
            return text_of(literal(value.body.value))
        node = self.origin(value)
        return self.source_text(node) if node is not None else None

    def _kept_by_self(self, name: str) -> bool:
        """Whether what another method reads is an attribute that only the constructor sets."""
        owner, _, attribute = name.rpartition(".")
        known = owner == "self" and owner in self.scope(self.statement)
        return known and attribute not in self.changing

    def _item(self, value: Value) -> str | None:
        """The name of an item of the comprehension that the expression stands in."""
        at: ast.AST = self.node
        while at is not self.statement:
            at = self.parents[at]
            held = self.lifted.lifter.walked.get(at, {}) if isinstance(at, ast.expr) else {}
            for name, item in held.items():
                if item is value:
                    return name
        return None

    def source_text(self, node: ast.expr) -> Text | None:
        """The text of an expression, if it still means the same at the replaced one."""
        if not self.unchanged(node):
            return None
        return text_of(self.one_line(node))

    def unchanged(self, node: ast.expr) -> bool:
        """Whether evaluating ``node`` at the replaced expression gives what it gave where it
        stands: its names are bound to the same objects, and nothing in between has effects."""
        if node is self.node or self.within(node, self.statement):
            return self._only_in_statement(node)
        here = self.scope(self.statement)
        for inner in everything_in(node):
            if isinstance(inner, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda)):
                return False
            if isinstance(inner, ast.Name) and not self.means_the_same(inner, here):
                return False
        return not self._disturbed(node)

    def means_the_same(self, name: ast.Name, here: Mapping[str, Obj]) -> bool:
        """Whether a name stands for the same object where ``here`` is bound."""
        known = self.values.get(name)
        if name.id not in here:
            return known is not None and name.id not in self.stores
        return known is not None and here[name.id] is known

    def _only_in_statement(self, node: ast.expr) -> bool:
        return not any(isinstance(n, (ast.NamedExpr, ast.Await)) for n in everything_in(node))

    @cached_property
    def changing(self) -> frozenset[str]:
        """Attributes of self that a method besides ``__init__`` sets or writes into."""
        klass = self.lifted.lifter.klass
        return (
            frozenset(written_elsewhere(klass) | filled_elsewhere(klass))
            if klass is not None
            else frozenset()
        )

    def _disturbed(self, node: ast.expr) -> bool:
        """An effect between ``node`` and the replaced expression that could change what ``node``
        reads, or that ``node`` itself has and would then have later."""
        if self.effects_in(node):
            return True
        mine, end = self.module.span(node), self.module.span(self.node)
        words = set(re.findall(r"[^\W\d]\w*", self.module.source(node)))
        attributes = {
            inner.attr
            for inner in everything_in(node)
            if isinstance(inner, ast.Attribute)
            and isinstance(inner.value, ast.Name)
            and inner.value.id == "self"
        }
        if not attributes & self.changing:
            words.discard("self")
        for effect in self.lifted.lifter.effects:
            at = (effect.span.line, effect.span.column)
            if self._stored(effect, words, frozenset()):
                continue
            if (mine.line, mine.column) <= at < (end.line, end.column):
                touched = set(re.findall(r"\w+", self.module.slice(effect.span)))
                if effect.kind != "exception" and touched & words:
                    return True
        start, stop = (mine.line, mine.column - 1), (end.line, end.column - 1)
        if self._written_by_calls(words, start, stop) or aliases(self).changed(
            words, start, stop, words
        ):
            return True
        return self._overwritten(node, (end.line, end.column))

    def _written_by_calls(
        self, names: set[str], start: tuple[int, int], stop: tuple[int, int]
    ) -> bool:
        """Whether a call between two places changes what one of ``names`` stands for."""
        once, lifter = self.lifted.once, self.lifted.lifter
        if "calls that write" not in once:
            known = {(span.line, span.column - 1) for _, span in lifter.overwritten}
            found = calls_that_write(self.module, self.lifted.node)
            once["calls that write"] = [one for one in found if one[0] not in known]
        return any(
            start <= at < stop and any(path.partition(".")[0] in names for path in paths)
            for at, paths in once["calls that write"]
        )

    def _overwritten(self, node: ast.expr, end: tuple[int, int]) -> bool:
        """Whether memory that ``node`` reads is changed in place between it and ``end``, under
        whatever name."""
        mine, lifter = self.module.span(node), self.lifted.lifter
        held = frozenset[Value]()
        for inner in everything_in(node):
            obj = self.values.get(inner) if isinstance(inner, ast.Name) else None
            if not isinstance(obj, Written):  # which the steps follow
                held |= lifter.memory(obj)
        between = (
            memory for memory, span in lifter.overwritten
            if (mine.line, mine.column) <= (span.line, span.column) < end
        )  # fmt: skip
        return not all(map(held.isdisjoint, between))

    # -- layout

    def arranged(self, read: Read, target: Sequence[Index], said: Text) -> Text | None:
        """``said``, the text of the value that ``read`` reads, with its axes as in ``target``,
        broadcast from the right; None where that cannot be said by views."""
        subs = read.subs
        if any(_ragged(sub, self._steps) for sub in subs):
            return None  # of each row another part
        if self._as_is(read, target):
            return said
        known = [sub for sub in subs if isinstance(sub, Index)]
        ones = [
            position
            for position, (sub, axis) in enumerate(zip(subs, read.value.axes, strict=False))
            if sub is ZERO and axis.extent is ONE
        ]
        if len(known) + len(ones) != len(subs) or len(set(known)) != len(known):
            return None
        if not set(known) <= set(target) or (ones and len(known) < 2):
            return None
        if any(index.group for index in known):
            return self._arranged_group(read.value, known, ones, target, said)
        if ones:
            return None
        wanted = sorted(known, key=target.index)
        if wanted != known:
            move = moved(known, wanted, self.library_of(read.value))
            if move is None:
                return None
            if self.guessed and exchanges(move) != move and taken_rank(self, read.value):
                return None
            said = said.call(move, matrix=len(read.value.axes) == 2)
        first = target.index(wanted[0])
        for position, index in enumerate(target[first:]):
            if index not in wanted:
                if self.library_of(read.value) != "torch":
                    return None  # NumPy has no method that puts an axis in
                said = said.call(f".unsqueeze({position})")
        return said

    def library_of(self, value: Value) -> Library | None:
        """Whose methods a value has; None where that is not known."""
        return value.library or ("torch" if self.tensors([value]) else None)

    def behind(self, read: Read) -> Term | None:
        """What ``read`` stands for, None where that is an element of the first part of an axis:
        it would read as if the array had no more."""
        body, extent = read.value.body, self.lifted.facts.extent
        if isinstance(body, Read) and not body.aligned:
            axes = body.value.axes[-len(body.subs) :] if body.subs else ()
            for sub, axis in zip(body.subs, axes, strict=False):
                if isinstance(sub, Index) and extent(sub.extent) is not extent(axis.extent):
                    return None
        return definition(read)

    def _as_is(self, read: Read, target: Sequence[Index]) -> bool:
        subs = read.subs
        if len(subs) > len(target):
            return False
        for position in range(1, len(subs) + 1):
            sub = subs[-position]
            if sub is target[-position]:
                continue
            axis = read.value.axes[-position] if position <= len(read.value.axes) else None
            if sub is ZERO and axis is not None and axis.extent is ONE:
                continue
            return False
        return True

    def _arranged_group(
        self, value: Value, known: list[Index], ones: list[int], target: Sequence[Index], said: Text
    ) -> Text | None:
        """Axes of unknown number stay in front; two behind them may change places."""
        if ones or len(known) != len(target) or not known[0].group:
            return None
        exchange = exchanged(known, target, self.library_of(value))
        return said.call(exchange) if exchange is not None else None

    @cached_property
    def guessed(self) -> bool:
        """Whether how many axes some array has is only assumed: then places of axes that are
        counted from the front may be others."""
        return not TAKEN_RANK.isdisjoint(self.lifted.facts.grounds.values())

    def returned(self, have: Sequence[Index], want: Sequence[Index]) -> str | None:
        """The view that turns axes ``have`` into ``want``; empty where they are the same."""
        if list(have) == list(want):
            return ""
        if any(index.group for index in have):
            same = have[0].group and len(have) == len(want)
            return exchanged(have, want, "torch") if same else None
        if set(have) != set(want):
            return None
        move = moved(have, want, "torch")
        assumed = self.guessed and not self._says_its_axes()
        return None if move is None or (assumed and move != LAST_TWO) else move

    def _says_its_axes(self) -> bool:
        """Whether the expression names every axis of its operands and of its result, so that no
        operand has more or fewer."""
        if not isinstance(self.node, ast.Call):
            return False
        equation = constant(self.node.args[0]) if self.node.args else None
        called = self.values.get(self.node.func)
        einsum = isinstance(called, Named) and called.path in ("torch.einsum", "numpy.einsum")
        return einsum and isinstance(equation, str) and "..." not in equation

    # -- removal

    def scripted(self) -> bool:
        """The function is compiled by TorchScript, which knows none of the calls written here."""
        decorators = getattr(self.lifted.node, "decorator_list", [])
        return any("script" in ast.unparse(decorator) for decorator in decorators)

    def tensors(self, values: Iterable[Value]) -> bool:
        """Whether what is computed are certainly torch tensors: a function of torch or a method
        that only tensors have made one of ``values``, or the file knows no other arrays."""
        found = list(values)
        if any(value.library == "numpy" for value in found):
            return False
        if self.module.library == "torch" or any(value.library == "torch" for value in found):
            return True
        nodes = [self.node, *(node for value in found if (node := self.origin(value)) is not None)]
        calls = [
            inner for node in nodes for inner in everything_in(node) if isinstance(inner, ast.Call)
        ]
        if any(map(self._asks_for_tensor, calls)) or self._given_to_torch(found):
            return True
        return any(map(self._asks_for_tensor, self._methods_beside(found)))

    def _asks_for_tensor(self, call: ast.Call) -> bool:
        """A function of torch, or a method that only tensors have, by its name, by its words or by
        what it is given."""
        function = self.values.get(call.func)
        if isinstance(function, Named):
            return function.path.startswith("torch.")
        words = {word.arg for word in call.keywords}
        return isinstance(function, Method) and (
            function.name in _TENSOR_ONLY
            or not words.isdisjoint(_TENSOR_WORDS)
            or asks_for_sizes(call)
        )

    def _methods_beside(self, found: Sequence[Value]) -> Iterator[ast.Call]:
        """The methods of ``found``, or of what these are views of, called beside the expression."""
        memory = frozenset(found).union(*map(self.lifted.lifter.memory, found))
        for statement in self.siblings(self.statement):
            for call in everything_in(statement):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                    if self.values.get(call.func.value) in memory:
                        yield call

    def _given_to_torch(self, found: Sequence[Value]) -> bool:
        """Whether a statement beside the expression hands what is computed of ``found`` to a
        pointwise function of torch, which takes nothing but tensors."""
        for statement in self.siblings(self.statement):
            for call in everything_in(statement):
                function = self.values.get(call.func) if isinstance(call, ast.Call) else None
                if not isinstance(function, Named) or function.path not in _TAKES_TENSORS:
                    continue
                given = call.args[:1] if isinstance(call, ast.Call) else []
                if any(self.values.get(inner) in found
                       for each in given for inner in everything_in(each)
                       if isinstance(inner, (ast.BinOp, ast.Name))):  # fmt: skip
                    return True
        return False

    def steady(self, values: Iterable[Value], said: Iterable[Text]) -> bool:
        """Whether nothing between the first of ``values``, or the first that was computed of them,
        and the expression changes an array in place, hands what is ``said`` to a call that may, or
        is a call that may hold it: what the caller gave, or an attribute."""
        values = [*values]
        words = {name for text in said for name in text.reads} - {"self", "torch"}
        parts = [*values, *self._between(values, words)]
        nodes = [node for value in parts if (node := self.origin(value)) is not None]
        places = [(node.lineno, node.col_offset) for node in [self.node, *nodes]]
        parts_of = (n for node in [self.node, *nodes] for n in everything_in(node))
        lists = (self.values.get(n) for n in parts_of if isinstance(n, ast.expr))
        spans = [one.span for one in lists if isinstance(one, Collected) and one.span is not None]
        start = min([*places, *((span.line, span.column - 1) for span in spans)])
        end = self.module.span(self.node)
        memory = frozenset[Value]().union(*map(self.lifted.lifter.memory, values))
        around = [*ancestors(self.node, self.parents)]
        again = any(isinstance(node, _REPEATING) for node in around)
        calls = [node for node in around if isinstance(node, ast.Call) and not again]
        later = {self.module.span(node) for node in calls}
        for effect in self.lifted.lifter.effects:
            at = (effect.span.line, effect.span.column - 1)
            if not start <= at < (end.line, end.column - 1) or effect.span in later:
                continue  # a call that is given the expression comes after it
            if self._stored(effect, words, memory):
                continue
            source = self.module.slice(effect.span)
            if effect.kind == "mutation" and not source.startswith("self."):
                return False
            if effect.kind in ("mutation", "call") and words & set(re.findall(r"\w+", source)):
                return False
            if effect.kind == "call" and (
                self._for_effect(effect.span, source)
                or (
                    not (_REPORTS.match(source) or self.of_a_library(source))
                    and self._held_elsewhere(words)
                )
            ):
                return False
        meant = {
            name for name, loads in self.loads.items()
            if any(isinstance(value := self.values.get(load), Value)
                   and not memory.isdisjoint(self.lifted.lifter.memory(value)) for load in loads)
        }  # fmt: skip
        stop = (end.line, end.column - 1)
        return not (
            self._written_by_calls(words | meant, start, stop)
            or aliases(self).changed(words | meant, start, stop, words | meant)
        )

    def _between(self, values: Iterable[Value], words: Iterable[str]) -> Iterator[Value]:
        """What ``values`` were computed by, from what ``words`` name on, or from a write on that
        made a new version of an array."""
        here = self.scope(self.statement)
        seen = {held for word in words if isinstance(held := here.get(word), Value)}
        waiting = [*values]
        while waiting:
            at = waiting.pop()
            if at in seen or at.body is None or at in self.lifted.lifter.moved:
                continue
            seen.add(at)
            yield at
            waiting += [node.value for node in walk(at.body) if isinstance(node, Read)]

    def _stored(self, effect: Effect, words: set[str], memory: frozenset[Value]) -> bool:
        """Whether an effect is that the statement puts the expression's value into an array that
        is none of those named or held there: once it is computed, whatever stands first in the
        text."""
        statement = self.statement
        if effect.kind != "mutation" or not isinstance(statement, (ast.Assign, ast.AugAssign)):
            return False
        targets = [statement.target] if isinstance(statement, ast.AugAssign) else statement.targets
        spans = {self.module.span(target): array_name(target) or "" for target in targets}
        into = [root for span, root in spans.items() if span.covers(effect.span)]
        if not into or not self.within(self.node, statement.value):
            return False
        written = frozenset[Value]().union(
            *(held for held, span in self.lifted.lifter.overwritten
              if any(outer.covers(span) for outer in spans))
        )  # fmt: skip
        return words.isdisjoint(into) and "" not in into and written.isdisjoint(memory)

    def _held_elsewhere(self, names: Iterable[str]) -> bool:
        """Whether other code may hold an array that one of ``names`` stands for."""
        for name in names:
            for load in self.loads.get(name, ()):
                value = self.values.get(load)
                if isinstance(value, Value) and value.axes and any(
                    leaf.kind in ("input", "attribute", "free") and leaf.axes  # no size
                    for leaf in self.lifted.lifter.memory(value)
                ):  # fmt: skip
                    return True
        return False

    def _for_effect(self, span: Span, source: str) -> bool:
        """Whether a call is a statement of its own: made for what it does, which may be to change
        an array that it holds under another name."""
        line = self.module.lines[span.line - 1].strip()
        return source.startswith(line.rstrip(";")) and not _REPORTS.match(source)

    def same_gradients(self, values: Iterable[Value]) -> bool:
        """Whether ``values`` are computed under the same ``with`` blocks as the expression."""
        mine = self.withs(self.node)
        return all(
            self.withs(node) == mine for value in values if (node := self.origin(value)) is not None
        )

    def autocast(self) -> bool:
        """Whether torch may give products another dtype here than other operations."""
        return self.under_autocast(self.node)

    # -- the call

    def torch_name(self) -> str:
        for name, path in self.module.names.items():
            if path == "torch":
                return name
        raise Refused("torch", "the file does not import torch")

    def replacement(self, call: str, arguments: Sequence[str], suffix: str = "") -> Edit:
        """The expression replaced by ``call(arguments)suffix``."""
        span = self.without_brackets(self.node)
        return Edit(span, f"{call}({', '.join(arguments)}){suffix}")
