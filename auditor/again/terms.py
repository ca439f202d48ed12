"""The terms of a function that are computed again, and what else happens where they are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cached_property

from auditor.again.aliases import aliases
from auditor.again.candidates import Candidates, Invariant
from auditor.again.costly import CALLED
from auditor.again.costs import is_costly
from auditor.again.results import Uses, harmless, uses
from auditor.again.same import Numbers
from auditor.lift import Lifted
from auditor.lift.call_effects import Does, does
from auditor.lift.changes import Changes, calls_that_write, changes, dotted, reads
from auditor.lift.objects import Obj
from auditor.nests.memory import bound, views
from auditor.notation import Span, Value
from auditor.surroundings.purity import changes_when_read
from auditor.surroundings.region import Region
from auditor.syntax import is_name, path_of, same
from auditor.tree import ancestors, descendants, everything_in

_OUTSIDE = ("input", "attribute", "free", "opaque")


class Terms(Region):
    """The costly terms of a function."""

    def __init__(self, lifted: Lifted) -> None:
        super().__init__(lifted)
        assert isinstance(lifted.node, (ast.FunctionDef, ast.Module))
        self.candidates = Candidates(lifted.module, lifted.node)
        self._memories: dict[str, frozenset[Value]] = {}

    @cached_property
    def invariants(self) -> dict[ast.expr, Invariant]:
        """What may be hoisted, by its expression."""
        return {one.node: one for one in self.candidates.invariants()}

    @cached_property
    def groups(self) -> dict[ast.expr, list[ast.expr]]:
        """Equal costly terms in the order of the text, by the first of them."""
        words = {term.node: term.word for term in self.candidates.terms}
        found: dict[ast.expr, list[ast.expr]] = {}
        numbers: Numbers | None = None
        for group in self.candidates.alike():
            costly = [node for node in group if self._costs(node, words[node])]
            if len(costly) < 2:
                continue
            numbers = numbers or Numbers(self.lifted)
            alike: dict[int, list[ast.expr]] = {}
            for node in costly:
                number = numbers.of(node)
                if number is not None:
                    alike.setdefault(number, []).append(node)
            for nodes in alike.values():
                later = [n for n in nodes[1:] if self.candidates.goes_before(nodes[0], n)]
                if later:
                    found[nodes[0]] = [nodes[0], *later]
        return found

    def _costs(self, node: ast.expr, word: str) -> bool:
        if word == CALLED:
            return False  # twice is not often
        if word == "share":
            assert isinstance(node, ast.BinOp)
            return any(
                is_costly(self, term.node, term.word)
                for term in self.candidates.terms
                if term.node is not node and self.within(term.node, node.right)
            )
        return is_costly(self, node, word)

    def brief(self, node: ast.expr) -> str:
        """The text of an expression on one line, its beginning where it is long."""
        return ast.unparse(node)[:60]

    def uses_of(self, nodes: list[ast.expr]) -> Uses:
        return uses(self, nodes)

    def is_number(self, node: ast.expr) -> bool:
        """Whether an expression certainly gives a number of Python or NumPy, which nothing changes:
        one of torch is an array."""
        value = self.values.get(node)
        known = isinstance(value, Value) and value.library in ("numpy", "python")
        return known and not value.axes  # type: ignore[union-attr]

    # -- what happens meanwhile

    def strangers(self, roots: list[ast.AST]) -> list[ast.Call]:
        """The calls in ``roots`` that may do anything."""
        calls = changes(self.module, roots).calls
        return [call for call in calls if not harmless(self, call)]

    def memory(self, node: ast.AST) -> frozenset[Value]:
        """The arrays whose memory evaluating ``node`` may read."""
        found = frozenset[Value]()
        for inner in descendants(node):
            named = isinstance(inner, (ast.Name, ast.Attribute)) and dotted(inner) is not None
            if named:
                found |= self.lifted.lifter.memory(self.values.get(inner))  # type: ignore[call-overload]
        return found

    def overwritten(self, node: ast.AST, start: tuple[int, int], end: tuple[int, int]) -> int:
        """The first line from ``start`` to ``end`` that changes in place what ``node`` reads, or
        may read by another name; 0 where there is none."""
        mine = self.memory(node)
        for touched, span in self.lifted.lifter.overwritten:
            if start <= (span.line, span.column - 1) < end:
                if not mine.isdisjoint(touched | self._before(touched)):
                    return span.line
        return 0

    def _before(self, touched: frozenset[Value]) -> frozenset[Value]:
        """The arrays that the states of loops among ``touched`` start as."""
        found = frozenset[Value]()
        for loop in self.lifted.lifter.loops:
            for key, state in loop.states.items():
                held = loop.before.get(key.partition("[")[0]) if state in touched else None
                if isinstance(held, Value):
                    found |= self.lifted.lifter.memory(held)
        return found

    def objects(self, node: ast.AST) -> frozenset[Obj | None]:
        """What the names in an expression stand for, imported ones left out."""
        return frozenset(
            self.values.get(inner) for inner in descendants(node)
            if isinstance(inner, ast.Name) and inner.id not in self.module.names
            and inner.id not in self.module.functions
        )  # fmt: skip

    def from_outside(self, node: ast.AST) -> bool:
        """Whether other code may reach what an expression reads."""
        for path in reads(self.module, node):
            if "." in path and not path.endswith((".shape", ".dtype", ".device")):
                return True
        memory = self.memory(node)
        known = {n.id for n in descendants(node) if isinstance(n, ast.Name) and n in self.values}
        names = {p.partition(".")[0] for p in reads(self.module, node)}
        outside = any(v.kind in _OUTSIDE or v in self.lifted.lifter.stored for v in memory)
        return outside or not names <= known

    def disturbed(self, first: ast.expr, later: ast.expr) -> int:
        """The line of something between two expressions (or after the second, in a loop that
        brings it back) that may change what they read; 0 where there is none."""
        start = (first.end_lineno or first.lineno, first.end_col_offset or 0)
        if not same(first, later):
            start = min(start, self._made(first, later))
        end = self._end(first, later)
        words = self._words(first) | self._words(later)
        for effect in self.lifted.lifter.effects:
            at = (effect.span.line, effect.span.column - 1)
            if not start <= at < end or effect.kind not in ("call", "mutation"):
                continue
            source = self.module.slice(effect.span)
            alone = effect.kind == "call" and self._for_effect(effect.span, source)
            if alone or words & set(re.findall(r"\w+", source)):
                return effect.span.line
        if line := self.written_within(words, start, end):
            return line
        line = max(self.overwritten(first, start, end), self.overwritten(later, start, end))
        return line or self._written(first, later, start, end)

    @cached_property
    def _calls_that_write(self) -> list[tuple[tuple[int, int], set[str]]]:
        return calls_that_write(self.module, self.lifted.node)

    def written_within(self, words: set[str], start: tuple[int, int], end: tuple[int, int]) -> int:
        """The line of a call that may be of a function made within this one, or of one that changes
        what it is given, where that may be what ``words`` name; 0 where there is none."""
        for at, paths in self._calls_that_write:
            if start <= at < end and any(path.partition(".")[0] in words for path in paths):
                return at[0]
        return 0

    def reached(self, first: ast.expr, later: ast.expr) -> str | None:
        """What is called between two expressions that may hold, and change, an array that both
        read: one that the function was given, or gave to another call."""
        start = (first.end_lineno or first.lineno, first.end_col_offset or 0)
        end = self._end(first, later)
        calls = [
            ((effect.span.line, effect.span.column - 1), self.module.slice(effect.span))
            for effect in self.lifted.lifter.effects if effect.kind == "call"
        ]  # fmt: skip
        between = [
            source for at, source in calls if start <= at < end and not self.of_a_library(source)
        ]
        if not between:
            return None
        words = self._words(first)
        told = any(at < end and words & set(re.findall(r"\w+", source)) for at, source in calls)
        if not told and not self.from_outside(first):
            return None
        return " ".join(between[0].partition("(")[0].split())

    def _made(self, *nodes: ast.expr) -> tuple[int, int]:
        """Where the first of the names is bound that expressions rest on: what is changed after
        that may differ, though both started as the same."""
        names: set[str] = set()
        places = [(node.lineno, node.col_offset) for node in nodes]
        waiting: list[ast.AST] = [*nodes]
        while waiting:
            for inner in descendants(waiting.pop()):
                if not isinstance(inner, ast.Name) or inner.id in names:
                    continue
                names.add(inner.id)
                made = self.candidates.single.get(inner.id)
                if made is not None:
                    places.append((made.lineno, made.col_offset))
                    waiting.append(made.value)
        return min(places)

    def asks(self, node: ast.AST) -> bool:
        """Whether reading an expression calls a method of the class, a property, or reads what
        other functions bind again, or see bound again, whenever one is called."""
        if any(isinstance(inner, ast.Name) and inner.id in self._bound_within
               for inner in descendants(node)):  # fmt: skip
            return True
        if self.module.answering and self.properties(node):
            return True
        klass = self.lifted.lifter.klass
        return klass is not None and any(
            isinstance(inner, ast.Attribute) and inner.attr in klass.methods
            and isinstance(inner.value, ast.Name) and inner.value.id in ("self", "cls")
            for inner in descendants(node)
        )  # fmt: skip

    @cached_property
    def _bound_within(self) -> frozenset[str]:
        """The names that this function binds for others, or functions within it bind again."""
        return frozenset(
            name for node in self.nodes if isinstance(node, (ast.Global, ast.Nonlocal))
            for name in node.names
        )  # fmt: skip

    def properties(self, root: ast.AST) -> list[str]:
        """The attributes that ``root`` reads and that may be properties which do more than that."""
        return [
            ast.unparse(inner) for inner in descendants(root)
            if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Load)
            and changes_when_read(self.module, inner.attr)
        ]  # fmt: skip

    def between(self, first: ast.expr, later: ast.expr) -> list[ast.AST]:
        """What is executed after the one and before the other, in whole statements or
        expressions."""
        start = (first.end_lineno or first.lineno, first.end_col_offset or 0)
        found = self._within(start, self._end(first, later))
        inside = set(found)
        return [node for node in found if self.parents.get(node) not in inside]

    def _within(self, start: tuple[int, int], end: tuple[int, int]) -> list[ast.AST]:
        return [
            node for node in self.nodes
            if isinstance(node, (ast.expr, ast.stmt)) and start <= (node.lineno, node.col_offset)
            and (node.end_lineno or 0, node.end_col_offset or 0) <= end
        ]  # fmt: skip

    def held_elsewhere(self, nodes: Iterable[ast.AST], changed: Changes) -> str | None:
        """A name of what is changed, no array itself, that may hold one that ``nodes`` read (a list
        of arrays, an object) or be another name of a list."""
        nodes = list(nodes)
        unknown = self._unknown_alias(nodes, changed)
        if unknown is not None:
            return unknown
        memory = frozenset[Value]().union(*map(self.memory, nodes))
        stored = frozenset[Value]().union(
            *map(self.lifted.lifter.memory, self.lifted.lifter.stored)
        )
        inside = not memory.isdisjoint(stored)
        leaves = frozenset[str]().union(
            *(self.candidates.leaves(node) for node in nodes if isinstance(node, ast.expr))
        )
        words = {path.partition(".")[0] for node in nodes for path in reads(self.module, node)}
        for path in sorted(changed.written | changed.grown):
            root, _, part = path.partition(".")
            made = self.candidates.single.get(root)
            if part and root not in words and aliases(self).meet([root], words):
                return root  # an object that was given what the term reads, and may have kept it
            if any(isinstance(self.values.get(load), Value) for load in self.loads.get(root, ())):
                continue  # an array, known by its memory
            if (inside and path in changed.written) or (
                made is not None and self.candidates.leaves(made.value) & leaves
            ):
                return root
        return None

    def _unknown_alias(self, nodes: list[ast.AST], changed: Changes) -> str | None:
        """What is written of which nothing is known but the text that made it, where that may lead
        to what ``nodes`` read: the result of a call, an element of a container, a choice."""
        words = {path.partition(".")[0] for node in nodes for path in reads(self.module, node)}
        read = frozenset[Value]().union(
            *map(self.memory, nodes), *(self._ever(word) for word in words)
        )
        inner = {
            arg.arg for node in self.nodes
            if isinstance(node, (ast.Lambda, ast.FunctionDef)) and node is not self.lifted.node
            for arg in everything_in(node.args) if isinstance(arg, ast.arg)
        }  # fmt: skip
        for path in sorted(changed.written):
            root = path.partition(".")[0]
            if not root or root in inner:
                return root or "what a call gives"
            made = [
                node.value for node in self.nodes if isinstance(node, ast.Assign)
                and any(is_name(target, root) for target in node.targets)
            ] or [*self.loads.get(root, ())]  # fmt: skip
            if root in words:
                continue
            if made and all(map(self._known, made)):
                if not self._ever(root).isdisjoint(read):
                    return root
                if all(map(self._followed, (root, *words))):
                    continue
            if not aliases(self).reached([root]).isdisjoint(aliases(self).reached(words)):
                return root
        return None

    def _ever(self, name: str) -> frozenset[Value]:
        """The memory of what is given a name anywhere in the function, as far as it is known:
        which of it a statement meets in a branch or a later step is not followed."""
        if name not in self._memories:
            self._memories[name] = frozenset()  # a name that is given to itself adds nothing
            found = frozenset[Value]()
            for node in (*bound(self, name), *self.loads.get(name, ())):
                found |= self.lifted.lifter.memory(self.values.get(node))
                if isinstance(node, (ast.Name, ast.Subscript, ast.Attribute, ast.IfExp)):
                    found |= frozenset[Value]().union(*map(self._ever, views(self, node)))
            self._memories[name] = found
        return self._memories[name]

    def _followed(self, name: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether all that a name is given, by way of other names too, is known by its memory, and
        nothing is put into it."""
        return name in seen or (
            aliases(self).alone(name)
            and all(
                self._known(node)
                and all(self._followed(v, seen | {name}) for v in views(self, node))
                for node in bound(self, name)
            )
        )

    def _known(self, node: ast.expr) -> bool:
        """Whether what an expression gives is known by its memory, or is made anew."""
        value = self.values.get(node)
        if isinstance(node, ast.Call) and does(self.module, node) is Does.FRESH:
            shallow = isinstance(node.func, ast.Attribute) and node.func.attr == "copy"
            return not shallow or isinstance(value, Value)  # a list's copy holds the same arrays
        if not isinstance(value, Value):
            return False
        return all(one.kind != "opaque" for one in self.lifted.lifter.memory(value))

    def _words(self, node: ast.expr) -> set[str]:
        paths = reads(self.module, node) | self.candidates.leaves(node)
        return {word for path in paths for word in path.split(".")} - {"self", "shape"}

    def _end(self, first: ast.expr, later: ast.expr) -> tuple[int, int]:
        """Where the second is evaluated for the last time."""
        end = (later.lineno, later.col_offset)
        for above in ancestors(later, self.parents):
            if isinstance(above, (ast.For, ast.While)) and not self.within(first, above):
                end = (above.end_lineno or above.lineno, above.end_col_offset or 0)
        return end

    def _for_effect(self, span: Span, source: str) -> bool:
        """Whether a call is a statement of its own, made for what it does."""
        line = self.module.lines[span.line - 1].strip()
        return source.startswith(line.rstrip(";")) and "print(" not in source

    def _written(
        self, first: ast.expr, later: ast.expr, start: tuple[int, int], end: tuple[int, int]
    ) -> int:
        """A statement in between that by its text writes into something of that name."""
        between = self._within(start, end)
        paths = {
            path for node in (first, later)
            for path in reads(self.module, node) | self.candidates.leaves(node)
        }  # fmt: skip
        for node in between:
            if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)):
                return node.lineno
            if not isinstance(node, ast.stmt):
                continue
            found = changes(self.module, [node])
            if not same(first, later):
                found.bound.clear()  # what the names stand for is known by the terms
            if any(found.touches(path) for path in paths):
                return node.lineno
            if self.held_elsewhere((first, later), found):
                return node.lineno
        return 0

    def differentiated(self, node: ast.expr) -> bool:
        """Whether a gradient may be taken of an expression: it may be a tensor of torch."""
        value = self.values.get(node)
        if isinstance(value, Value):
            if value.library in ("numpy", "python"):
                return False
            if (value.dtype or "").startswith(("int", "bool", "uint")):
                return False
        if isinstance(node, ast.Call):
            path = path_of(self.module, node.func) or ""
            if path.startswith(("numpy.", "scipy.", "math.")):
                return False
        calls = [inner for inner in descendants(node) if isinstance(inner, ast.Call)]
        if calls and all(isinstance(c.func, ast.Name) and c.func.id not in self.module.functions
                         for c in calls):  # fmt: skip
            return False  # sums and sorts of Python
        if not any(path.split(".")[0] == "torch" for path in self.module.names.values()):
            return False
        decorators = getattr(self.lifted.node, "decorator_list", [])
        around = [*decorators, *(i.context_expr for w in self.withs(node) for i in w.items)]
        return not any("no_grad" in ast.unparse(a) or "inference_mode" in ast.unparse(a)
                       for a in around)  # fmt: skip


def terms(lifted: Lifted) -> Terms:
    """The terms of a function, worked out once."""
    if "terms" not in lifted.once:
        lifted.once["terms"] = Terms(lifted)
    found: Terms = lifted.once["terms"]
    return found
