"""Costly terms of a loop that no step changes, computed once before it.

Finds products, reductions, sorts, exponentials and softmaxes of arrays, solutions of equations and
arrays made anew, in ``for`` and ``while`` loops and comprehensions, whose value is the same at
every step: what they read is bound and written outside of the loop, or is given a name in it by
statements of which that holds as well. The largest such expression is taken, before the outermost
loop that leaves it alone. A fold of Python counts where the loop walks what it folds, which is
taken to be no iterator, and a function of the file where it calls others. Numbers, attributes and
arithmetic element by element are left where they are, and so is what nothing reads, such as a
product that is timed.

Legal because the term is a function of what the loop leaves alone.

Pays with the number of steps.

Safe means: the same values, results and errors. The term draws no random numbers; nothing in the
loop writes into the memory that it reads, under whatever name, and no call that may do anything
could; control does not leave the loop in between (``yield``). Its result was another object at each
step: it is not changed in place, nor kept step by step. Where a step may not come to the term,
which might raise, the fix is refused. A loop that takes no step could have taken one, so that the
term is assumed to raise nothing there, which is told; where it is made of what says how many steps
there are (the least of what is walked, say), it might raise just there, and the fix is unsafe.
Where gradients may be taken of what single steps leave the fix is unsafe, for they then share a
part of their graph. Two arrays that a caller gives are taken not to overlap where the loop writes
into one and the term reads the other.

Sources: Aho, Lam, Sethi and Ullman, "Compilers" (2nd ed. 2006), section 9.1.7; Cormen et al.,
"Introduction to Algorithms", on loops whose bounds are not known.
"""

from __future__ import annotations

import ast
import itertools
from functools import cached_property

from auditor.again.apart import assumed_apart
from auditor.again.candidates import COMPREHENSIONS, Invariant, Loop
from auditor.again.costs import costly_parts
from auditor.again.places import (
    begins_line,
    certainly_evaluated,
    comes_first,
    line_before,
    new_name,
)
from auditor.again.results import outputs
from auditor.again.steps import (
    cannot_raise,
    certainly_runs,
    counted_by,
    made_of_one,
    nothing_to_fold,
)
from auditor.again.takes_step import takes_step
from auditor.again.terms import Terms, terms
from auditor.again.walked import walked_again, walked_by_steps
from auditor.assumed import assuming
from auditor.lift.managers import swallows
from auditor.lift.own_layers import layers_in
from auditor.notation import Span, Value
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.syntax import mentions, renamed, same
from auditor.tree import ancestors, descendants, everything_in
from auditor.verdict import Edit, Verdict

_FOLDS = ("sum", "max", "min", "any", "all")
_LEAVES = (ast.Continue, ast.Break, ast.Return, ast.Raise, ast.Assert)


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    if not site.again or site.node is None:
        return None
    found = terms(site.lifted)
    invariant = found.invariants.get(site.node)
    return None if invariant is None else _Hoist(site, found, invariant).match()


def _position(statement: ast.Assign) -> tuple[int, int]:
    return statement.lineno, statement.col_offset


class _Hoist:
    """A term and the loop before which it may stand."""

    def __init__(self, site: Site, found: Terms, invariant: Invariant) -> None:
        self.site, self.terms = site, found
        self.node: ast.expr = invariant.node
        self.loop: Loop = invariant.loop
        self.through = invariant.through
        self.statement = found.statement_of(self.node)
        self.outer = self.loop if isinstance(self.loop, ast.stmt) else self.statement

    def match(self) -> Match | None:
        site, terms = self.site, self.terms
        word = self._word()
        if word is None or not self._stands_free():
            return None
        assumed = [*self._require_untouched(), *self._raises_nothing()]
        doubts = self._doubts()
        alike = self._alike()
        if any(one.place < self.place and one.taken(doubts) for one in alike):
            return None  # told with the first of them
        later = [one for one in alike if one.place > self.place and one.taken(doubts)]
        edits = self._edits(word, later)
        shown = terms.brief(self.node)
        return Match(
            span=site.computation.span,
            message=f"`{shown}` is computed at every step of the loop at line {self.loop.lineno},"
            " which does not change it",
            computation=site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            numerics="exact",
            safe=not doubts,
            reason="; ".join(doubts) or assuming(assumed),
            verdicts={
                "redundancy": Verdict("holds", "structure", f"`{shown}` is the same at every step")
            },
        )

    def _stands_free(self) -> bool:
        """Whether the term may stand before its loop, as far as its own text says."""
        terms = self.terms
        if not begins_line(terms, self.outer):
            return False
        around = self._around()
        module = self.terms.lifted.module
        if any(isinstance(at, (ast.Try, ast.Lambda)) or swallows(module, at) for at in around):
            return False
        if self._unread():
            return False
        parts = [self.node, *(s.value for s in self.through)]
        if any(mentions(part, word) for part in parts for word in self._bound_around()):
            return False
        if any(terms.effects_in(p) or terms.strangers([p]) or terms.asks(p) for p in parts):
            return False
        return isinstance(self.loop, ast.stmt) or comes_first(terms, self.loop, self.outer)

    @property
    def place(self) -> tuple[int, int]:
        return self.node.lineno, self.node.col_offset

    def _alike(self) -> list[_Hoist]:
        """The same term elsewhere in the loop, where neither is a statement that moves."""
        if self.through or self._moved() is not None:
            return []
        others = [
            _Hoist(self.site, self.terms, one)
            for one in self.terms.invariants.values()
            if one.node is not self.node and one.loop is self.loop and not one.through
            and same(one.node, self.node)
        ]  # fmt: skip
        return [one for one in others if one._moved() is None]

    def taken(self, doubts: list[str]) -> bool:
        """Whether the term may be hoisted with another one of which so much is doubted."""
        if not self._stands_free():
            return False
        try:
            self._require_untouched()
            return set(self._doubts()) == set(doubts)
        except Refused:
            return False

    def _word(self) -> str | None:
        """The operation that makes the term costly. A fold of Python is so in a loop over what it
        folds, for then the whole is quadratic."""
        for node, word in costly_parts(self.terms, self.node):
            name = node.func if isinstance(node, ast.Call) else None
            called = name.id if isinstance(name, ast.Name) else None
            if called == word and word in _FOLDS and not self._walks(node):
                continue
            return called or word
        return None

    def _walks(self, fold: ast.expr) -> bool:
        leaves = self.terms.candidates.leaves
        walked = leaves(fold.args[0]) if isinstance(fold, ast.Call) else frozenset[str]()
        if isinstance(self.loop, ast.While):
            return bool(walked & leaves(self.loop.test))
        over = [self.loop.iter] if isinstance(self.loop, ast.For) else [
            generator.iter for generator in self.loop.generators
        ]  # fmt: skip
        return any(walked & leaves(each) for each in over)

    def _around(self) -> list[ast.AST]:
        """What stands around the term within the loop."""
        around = ancestors(self.node, self.terms.parents)
        return list(itertools.takewhile(lambda at: at is not self.loop, around))

    def _bound_around(self) -> set[str]:
        """The names that comprehensions and lambdas around the loop bind, which mean nothing where
        the term would stand."""
        around: list[ast.AST] = []
        for at in ancestors(self.loop, self.terms.parents):
            if at is self.outer:
                break
            if isinstance(at, COMPREHENSIONS):
                around += [generator.target for generator in at.generators]
            elif isinstance(at, ast.Lambda):
                around.append(at.args)
        inside = [inner for each in around for inner in everything_in(each)]
        names = {inner.id for inner in inside if isinstance(inner, ast.Name)}
        return names | {inner.arg for inner in inside if isinstance(inner, ast.arg)}

    def _unread(self) -> bool:
        """Whether nothing reads the value, which is then computed for the time that it takes."""
        statement = self.statement
        if isinstance(statement, ast.Expr):
            return statement.value is self.node
        if not isinstance(statement, ast.Assign) or isinstance(self.terms.lifted.node, ast.Module):
            return False
        return all(
            isinstance(target, ast.Name) and target.id not in self.terms.loads
            for target in statement.targets
        )

    # -- whether the value stays

    def _require_untouched(self) -> list[str]:
        site, terms, loop = self.site, self.terms, self.loop
        changed = terms.candidates.changes(loop)
        site.require(
            not changed.hands_over,
            "generator",
            "the loop hands control to its caller, who may change what the term reads",
        )
        whole: list[ast.AST] = [loop]
        parts = [self.node, *(s.value for s in self.through)]
        calls = terms.strangers(whole)
        outside = any(terms.from_outside(part) for part in parts)
        words = {n.id for p in parts for n in descendants(p) if isinstance(n, ast.Name)}
        asked = terms.properties(loop)
        site.require(
            not asked or not (outside or "self" in words),
            "calls",
            f"reading `{', '.join(asked)}` calls a method, which may change what the term reads",
        )
        for call in calls:
            named = words & {n.id for n in descendants(call) if isinstance(n, ast.Name)}
            site.require(
                not outside and not named,
                "calls",
                f"`{terms.module.brief(call.func)}` (line {call.lineno}) may change what the term"
                " reads",
            )
        start, end = (
            (loop.lineno, loop.col_offset),
            (loop.end_lineno or 0, loop.end_col_offset or 0),
        )
        line = max(terms.overwritten(part, start, end) for part in parts)
        line = line or terms.written_within(words, start, end)
        held = terms.held_elsewhere(parts, changed) or self._unread_alias(changed.written, words)
        site.require(
            not line and held is None,
            "aliasing",
            f"line {line} changes in place what the term reads" if line
            else f"`{held}`, into which the loop writes, may hold what the term reads",
        )  # fmt: skip
        site.require(
            terms.withs(self.node) == terms.withs(loop),
            "gradients",
            "the term is computed under another `with` block than the loop",
        )
        return [*assumed_apart(terms, parts, whole), *walked_again(terms, parts)]

    def _unread_alias(self, written: set[str], words: set[str]) -> str | None:
        """In a loop that could not be read, a name that is written and may share its memory with
        one of ``words``."""
        terms = self.terms
        if self.node in terms.values or not written:
            return None
        roots = {path.partition(".")[0] for path in written}
        if self.outer not in terms.lifted.lifter.scopes:
            return min(roots)  # nor could what stands around it
        both = terms.overlapping(roots, words, self.outer)
        return both[0] if both is not None else None

    # -- whether it may be one object, computed whatever happens

    def _doubts(self) -> list[str]:
        site, terms = self.site, self.terms
        uses = terms.uses_of([self.node])
        line = min(uses.changed, default=0)
        site.require(not uses.changed, "mutated", f"line {line} changes the result in place")
        site.require(
            not (uses.leaves and (uses.kept or uses.collected)) or terms.is_number(self.node),
            "identity",
            "every step keeps a result of its own, which would be one object",
        )
        apart = min(uses.told_apart, default=0)
        site.require(not apart, "identity", f"line {apart} asks which object the result is")
        parts: list[ast.AST] = [self.node, *(s.value for s in self.through)]
        layers = [name for part in parts for name in layers_in(terms.module, part)]
        doubts = [f"`{name}` must have no hooks, which would run once" for name in
                  dict.fromkeys(layers)]  # fmt: skip
        doubts += [f"`{name}` must be no iterator" for name in walked_by_steps(terms, parts)]
        if uses.given:
            name = terms.module.brief(uses.given[0].func)
            doubts.append(f"`{name}` must not change in place what it is given")
        if terms.differentiated(self.node):
            out = outputs(terms.module, terms.lifted.node, [self.node])
            if any(terms.within(one, self.loop) for one in out):
                doubts.append("gradients of what single steps leave must not be taken one by one")
        if not cannot_raise(terms, self._said()):
            site.require(
                self._reached(),
                "conditional",
                "a step may not come to the term, which might raise",
            )
            if not self._runs() and self._told_by_counts() and self.condition is None:
                shown = terms.brief(self.node)
                doubts.append(f"`{shown}` is computed even where the loop takes no step")
        return doubts

    def _told_by_counts(self) -> bool:
        """Whether the term is made of what says how many steps there are: it might raise just
        where there are none."""
        terms, said = self.terms, self._said()
        counts = [
            count for loop in self._loops() for count in counted_by(loop)
            if not terms.within(self.node, count)
        ]  # fmt: skip
        return made_of_one(terms, said, counts) and not nothing_to_fold(terms, said, self.loop)

    @cached_property
    def condition(self) -> str | None:
        """Where the term alone may be computed: whether the one loop that may take no step takes
        one."""
        terms = self.terms
        if cannot_raise(terms, self._said()) or not self._told_by_counts():
            return None
        doubtful = [loop for loop in self._loops() if not certainly_runs(terms, loop)]
        if doubtful != [self.loop]:
            return None
        return takes_step(terms, self.loop)

    def _raises_nothing(self) -> list[str]:
        """What is assumed where the loop may take no step, of a term that might raise."""
        terms, said = self.terms, self._said()
        if self.condition is not None or cannot_raise(terms, said) or self._runs():
            return []
        if nothing_to_fold(terms, said, self.loop):
            return []
        return [f"`{terms.brief(self.node)}` raises nothing where the loop takes no step"]

    def _reached(self) -> bool:
        """Whether a step of the loop comes to the term, if the loops within it take one."""
        terms = self.terms
        if isinstance(self.loop, COMPREHENSIONS):
            first = self.loop.generators[0].ifs[:1]
            if first and terms.within(self.node, first[0]):
                return self._plainly(first[0])
            elements = (getattr(self.loop, name, None) for name in ("elt", "key", "value"))
            inside = next(
                (e for e in elements if e is not None and terms.within(self.node, e)), None
            )
            plain = not any(g.ifs for g in self.loop.generators)
            return inside is not None and plain and self._plainly(inside)
        if isinstance(self.loop, ast.While) and terms.within(self.node, self.loop.test):
            return self._plainly(self.loop.test)
        at: ast.AST = self.statement
        if not certainly_evaluated(terms, self.node, self.statement):
            holder = next((a for a in self._around() if isinstance(a, COMPREHENSIONS)), None)
            if holder is None or any(g.ifs for g in holder.generators):
                return False
            if not certainly_evaluated(terms, holder, self.statement):
                return False
        while at is not self.loop:
            if isinstance(at, ast.stmt):
                block = terms.siblings(at)
                for earlier in block[: block.index(at)]:
                    if any(isinstance(inner, _LEAVES) for inner in descendants(earlier)):
                        return False
            above = terms.parents[at]
            if isinstance(above, (ast.If, ast.Try, ast.ExceptHandler, ast.Match)):
                return False
            at = above
        return True

    def _plainly(self, whole: ast.expr) -> bool:
        at: ast.AST = self.node
        while at is not whole:
            below, at = at, self.terms.parents[at]
            if isinstance(at, (ast.IfExp, ast.Lambda, *COMPREHENSIONS)):
                return False
            if isinstance(at, ast.BoolOp) and at.values[0] is not below:
                return False
        return True

    def _runs(self) -> bool:
        terms = self.terms
        if isinstance(self.loop, ast.While) and terms.within(self.node, self.loop.test):
            return True
        return all(certainly_runs(terms, loop) for loop in self._loops())

    def _loops(self) -> list[Loop]:
        """The loop, and those within it that the term stands in."""
        kinds = (ast.For, ast.While, *COMPREHENSIONS)
        return [self.loop, *(at for at in self._around() if isinstance(at, kinds))]

    # -- the code

    def _said(self) -> ast.expr:
        """The term with the names that the loop gives replaced by what they stand for."""
        said = self.node
        # the last first: what it stands for may read what an earlier one gives
        for statement in sorted(self.through, key=_position, reverse=True):
            (target,) = statement.targets
            assert isinstance(target, ast.Name)
            if any(isinstance(n, ast.Name) and n.id == target.id for n in descendants(said)):
                said = renamed(said, target.id, statement.value)
        return said

    def _edits(self, word: str, alike: list[_Hoist]) -> list[Edit]:
        terms = self.terms
        moved = self._moved()
        if moved is not None:
            return moved
        name = new_name(terms.lifted, word, self.node)
        text = terms.module.source(self.node)
        if self.through or "\n" in text or "#" in text:
            text = ast.unparse(self._said())
        if self.condition is not None:
            chosen = isinstance(self._said(), (ast.IfExp, ast.Lambda))
            text = f"({text})" if chosen else text
            text = f"{text} if {self.condition} else {self._nothing()}"
        elif len(terms.indent(self.outer)) + len(name) + len(text) + 3 > terms.width:
            text = ast.unparse(self._said())
        uses = [Edit(terms.without_brackets(one.node), name) for one in (self, *alike)]
        return [line_before(terms, self.outer, f"{name} = {text}"), *uses]

    def _nothing(self) -> str:
        """What stands for the term where nothing reads it: a number for a number."""
        value = self.terms.values.get(self.node)
        return "0" if isinstance(value, Value) and not value.axes else "None"

    def _moved(self) -> list[Edit] | None:
        """A statement of the loop that gives the term a name goes before it as it is."""
        terms, statement = self.terms, self.statement
        if (
            self.through
            or not isinstance(statement, ast.Assign)
            or statement.value is not self.node
        ):
            return None
        (target, *others) = statement.targets
        if others or not isinstance(target, ast.Name) or self.loop is self.outer is statement:
            return None
        if terms.candidates.single.get(target.id) is not statement:
            return None
        body = getattr(self.loop, "body", None)
        if not isinstance(body, list) or statement not in body or len(body) == 1:
            return None
        if target.id in terms.module.shared_names or not begins_line(terms, statement):
            return None
        last = statement.end_lineno or statement.lineno
        place = body.index(statement)
        if place + 1 < len(body) and body[place + 1].lineno == last:
            return None
        old, new = terms.indent(statement), terms.indent(self.outer)
        lines = terms.module.lines[statement.lineno - 1 : last]
        if any(line.strip() and not line.startswith(old) for line in lines):
            return None
        text = "".join(new + line.removeprefix(old) for line in lines)
        if self.condition is not None:
            if len(lines) > 1 or "#" in text:
                return None
            text = f"{text.rstrip()} if {self.condition} else {self._nothing()}\n"
        at = self.outer.lineno
        return [Edit(Span(at, 1, at, 1), text), terms.drop(statement)]


_BEFORE = """\
import torch


def mix(x: torch.Tensor, logits: torch.Tensor, layers: int):
    assert layers > 0
    h = x
    for _ in range(layers):
        weights = torch.softmax(logits, dim=-1)
        h = torch.tanh(h @ weights)
    return h
"""

_AFTER = """\
import torch


def mix(x: torch.Tensor, logits: torch.Tensor, layers: int):
    assert layers > 0
    h = x
    weights = torch.softmax(logits, dim=-1)
    for _ in range(layers):
        h = torch.tanh(h @ weights)
    return h
"""

_PART = """\
import numpy as np


def relax(a: np.ndarray, b: np.ndarray, x: np.ndarray):
    for _ in range(20):
        r = b - a @ x
        x = x + r / np.linalg.norm(a, 2)
    return x
"""

_PART_AFTER = """\
import numpy as np


def relax(a: np.ndarray, b: np.ndarray, x: np.ndarray):
    norm = np.linalg.norm(a, 2)
    for _ in range(20):
        r = b - a @ x
        x = x + r / norm
    return x
"""

_LISTED = """\
def shares(xs: list[float]):
    return [x / sum(xs) for x in xs]
"""

REWRITE = Rewrite(
    code="RED501",
    name="loop-invariant",
    summary="a costly term that no step of a loop changes is computed once before it",
    doc=__doc__,
    properties=("redundancy",),
    find=find,
    seeks=("again",),
    becomes="term = ...; for ...: ... term ...",
    examples=(
        Example("a softmax of what the loop only reads", _BEFORE, _AFTER,
                "((torch.randn(4, 3), torch.randn(3, 3), 3),"
                " (torch.randn(1, 1), torch.ones(1, 1), 1))"),
        Example("a part of an expression", _PART, _PART_AFTER,
                "((np.eye(3) + 0.1, np.ones(3), np.zeros(3)), (np.ones((1, 1)), np.ones(1),"
                " np.ones(1)))"),
    ),
    refused=(
        RefusedExample("aliasing", _PART.replace(
            "    for _", "    row = a[0]\n    for _").replace(
            "    return x", "        row += 1\n    return x")),
        RefusedExample("calls", _PART.replace("    return x", "        refresh(a)\n    return x")),
        RefusedExample("generator", _PART.replace("    return x", "        yield x")),
        RefusedExample("mutated", _BEFORE.replace(
            "        h =", "        weights[0] = 0\n        h =")),
        RefusedExample("identity", _BEFORE.replace(
            "    h = x\n", "    h, kept = x, []\n").replace(
            "        h =", "        kept.append(weights)\n        h =").replace(
            "return h", "return h, kept")),
        RefusedExample("identity", _BEFORE.replace(
            "    h = x\n", "    h, last, same = x, None, 0\n").replace(
            "        h =",
            "        same += weights is last\n        last = weights\n        h =").replace(
            "return h", "return h, same")),
        RefusedExample("conditional", _PART.replace(
            "        x = x", "        if r.sum() < 1e-6:\n            break\n        x = x")),
        RefusedExample("gradients", _BEFORE.replace(
            "        weights =", "        with torch.no_grad():\n            weights =")),
    ),
    unmatched=(
        _BEFORE.replace("torch.softmax(logits, dim=-1)", "torch.softmax(h, dim=-1)"),
        _BEFORE.replace("torch.softmax(logits, dim=-1)", "logits * 2"),
        _BEFORE.replace("torch.softmax(logits, dim=-1)", "torch.randn(3, 3)"),
        _PART.replace("np.linalg.norm(a, 2)", "np.linalg.norm(r)"),
        _PART.replace("np.linalg.norm(a, 2)", "len(a)"),
        _LISTED.replace("list[float]", "Iterator[float]"),
        _AFTER,
    ),
    again=True,
)  # fmt: skip
