"""Replacing a loop by whole-array code: shared by the rewrites of recurrences and reductions.

``Recurrence`` answers what a rewrite of a loop needs to know (what leaves the loop and how it is
consumed) and writes the edits: the loop is replaced, the list that it filled and the call that
stacked it go, final values are bound again, everything else stays.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.algebra.states import Dependence
from auditor.emit import CannotRender, Piece, Renderer
from auditor.lift import extents
from auditor.lift.loops import ArrayWrite, Loop
from auditor.lift.objects import Collected
from auditor.notation import (
    ONE,
    ZERO,
    Const,
    Index,
    Read,
    Term,
    Trace,
    Value,
    definition,
    substitute,
    transform,
    walk,
)
from auditor.region import Region
from auditor.rewrite import Refused, Site
from auditor.verdict import Edit

_STACKS = {"torch.stack": 0, "torch.cat": 0, "torch.concat": 0}


@dataclass(frozen=True)
class Stacked:
    """A list that the loop filled and the one call that turns it into an array."""

    name: str
    items: Collected
    call: ast.Call
    result: Value


class LoopRegion(Region):
    """A loop, the code around it, and how what it computes is used."""

    def __init__(self, site: Site) -> None:
        super().__init__(site.lifted)
        assert site.loop is not None
        self.site = site
        self.loop: Loop = site.loop
        assert isinstance(self.loop.node, ast.stmt)
        self.node: ast.stmt = self.loop.node
        self.step: Index = self.loop.step
        self.scan = self.loop.scan

    # -- what leaves the loop

    def lists(self) -> list[Stacked]:
        """Lists that are consumed by one stack each. Raises ``Refused`` for any other use."""
        found = []
        for name, items in self.loop.lists.items():
            reads = self.reads_of(items, (self.node,))
            calls = [(load, self._stack_call(load)) for load in reads]
            result = None
            if len(calls) == 1 and calls[0][1] is not None:
                result = self.values.get(calls[0][1])
            self.site.require(
                isinstance(result, Value),
                "list-use",
                f"the list `{name}` is used other than by one torch.stack",
            )
            if isinstance(result, Value) and calls[0][1] is not None:
                found.append(Stacked(name, items, calls[0][1], result))
        return found

    def _stack_call(self, load: ast.Name) -> ast.Call | None:
        call = self.parents.get(load)
        if isinstance(call, ast.Call) and load in call.args:
            function = self.values.get(call.func)
            from auditor.lift.objects import Named

            if isinstance(function, Named) and function.path in _STACKS:
                return call
        return None

    def finals(self) -> list[str]:
        """Carried names whose last value is read after the loop."""
        return [
            name
            for name, result in self.loop.results.items()
            if name not in self.loop.written
            and (self.reads_of(result, (self.node,)) or self._captured(name))
        ]

    def _captured(self, name: str) -> bool:
        """Read by a nested function, which may run after the loop."""
        return any(load not in self.values for load in self.reads_outside(name, (self.node,)))

    def leaks(self) -> str | None:
        """A temporary or loop variable of the body that is read after the loop."""
        names = set(self.loop.temporaries)
        if isinstance(self.node, ast.For):
            names |= {n.id for n in ast.walk(self.node.target) if isinstance(n, ast.Name)}
        if self.loop.counter is not None:
            names.add(self.loop.counter)
        block = self.siblings(self.node)
        for name in sorted(names):
            for load in self.reads_outside(name, (self.node,)):
                if (load.lineno, load.col_offset) < (self.node.lineno, self.node.col_offset):
                    if not self._in_outer_loop():
                        continue
                if self._rebound_before(name, load, block):
                    continue
                return name
        return None

    def _in_outer_loop(self) -> bool:
        at = self.parents.get(self.node)
        while at is not None:
            if isinstance(at, (ast.For, ast.While)):
                return True
            at = self.parents.get(at)
        return False

    def _rebound_before(self, name: str, load: ast.Name, block: list[ast.stmt]) -> bool:
        """Whether a read after the loop sees a later binding."""
        for later in block[block.index(self.node) + 1 :]:
            if self.within(load, later):
                stores = [
                    n for n in ast.walk(later)
                    if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
                ]  # fmt: skip
                if isinstance(later, (ast.For, ast.comprehension)) and stores:
                    return True
                return self._own_binding(name, load)
            if isinstance(later, ast.Assign) and any(
                isinstance(t, ast.Name) and t.id == name for t in later.targets
            ):
                return True
            if isinstance(later, ast.For) and any(
                isinstance(n, ast.Name) and n.id == name for n in ast.walk(later.target)
            ):
                return True
        return self._own_binding(name, load)

    def _own_binding(self, name: str, load: ast.Name) -> bool:
        """A read inside a comprehension or lambda that binds the name itself."""
        at = self.parents.get(load)
        while at is not None and not isinstance(at, ast.stmt):
            if isinstance(at, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
                for generator in at.generators:
                    if any(
                        isinstance(n, ast.Name) and n.id == name for n in ast.walk(generator.target)
                    ):
                        return True
            at = self.parents.get(at)
        return False

    # -- terms

    def unfolded(self, term: Term) -> Term:
        """Expand the values of the body that depend on a state or have no name; the others keep
        their names."""
        states = frozenset(self.loop.states.values())
        mentions = Dependence().mentions

        known: dict[Value, bool] = {}

        def depends(value: Value) -> bool:
            if value not in known:
                known[value] = value.body is not None and (
                    mentions(value.body, states)
                    or (self._inside(value) and not value.name.isidentifier())
                )
            return known[value]

        def visit(node: Term) -> Term:
            def change(part: Term) -> Term:
                if isinstance(part, Read) and depends(part.value):
                    inner = definition(part)
                    if inner is not None:
                        return visit(inner)
                return part

            return transform(node, change)

        return visit(term)

    def final_element(self, key: str) -> Term:
        """The update of a carried value over its state's axes, the body's own names kept."""
        state, final = self.loop.states[key], self.loop.finals[key]
        from auditor.lift.loops import _broadcast_to

        return self.unfolded(_broadcast_to(self.lifted.lifter, final, state.axes))

    def inlined(self, term: Term) -> Term:
        """Everything that the body defines, expanded."""
        from auditor.lift.inline import inline

        return inline(term, self.step)

    def traced(self, value: Value, axes: tuple[Index, ...]) -> Term:
        """The element of a value of the body, with the states after the step as traces."""
        from auditor.lift.inline import inline
        from auditor.lift.loops import _traced

        lifter = self.lifted.lifter
        term = inline(lifter.ops.element(value, axes), self.step, self.loop.stop)
        states = {
            self.loop.states[carry.name]: slot for slot, carry in enumerate(self.scan.carries)
        }
        return _traced(term, self.scan, states, self.loop.stop)

    def written_slice(self, write: ArrayWrite, reverse: bool) -> str:
        """The subscript that covers what the loop writes, in memory order."""
        start = substitute(write.place, {self.step: ZERO})
        last = substitute(write.place, {self.step: extents.sub(self.step.extent, ONE)})
        low, high = (last, start) if reverse else (start, last)
        low, high = extents.canonical(low), extents.add(high, ONE)
        renderer = self.renderer((), self.node)
        axis = write.original.axes[write.axis]
        begin = "" if low is ZERO else renderer.scalar(low).text
        end = "" if high is self.lifted.facts.extent(axis.extent) else renderer.scalar(high).text
        subs = [":"] * write.axis + [f"{begin}:{end}"]
        return ", ".join(subs)

    def require_tensors(self, site: Site, *terms: Term) -> None:
        """The kernel takes tensors: something that the loop walks must certainly be one."""
        libraries = {
            node.value.library
            for term in terms
            for node in walk(self.inlined(term))
            if isinstance(node, Read) and node.subs
        }
        stacked = bool(self.loop.lists)
        file_torch = self.module.library == "torch"
        site.require(
            "numpy" not in libraries and ("torch" in libraries or stacked or file_torch),
            "tensors",
            "the loop is not known to walk tensors",
        )

    def renderer(self, order: tuple[Index, ...], statement: ast.stmt) -> Renderer:
        """A renderer for code that stands where ``statement`` stands now."""
        return Renderer(
            lambda value: self.name_at(value, statement),
            lambda term: self.scalar_at(term, statement),
            order,
            self.torch_name(),
            self.step,
            keeps=self.keeps,
            inline=self.inlined,
        )

    def keeps(self, value: Value) -> bool:
        """A named temporary of the body, which keeps its name."""
        return self._inside(value) and value.name.isidentifier()

    def _inside(self, value: Value) -> bool:
        span = self.loop.span
        return (
            value.span is not None
            and span.line <= value.span.line
            and value.span.end_line <= span.end_line
        )

    def torch_name(self) -> str:
        for name, path in self.module.names.items():
            if path == "torch":
                return name
        raise Refused("torch", "the file does not import torch")

    def init_of(self, key: str) -> Value | None:
        held = self.loop.before.get(key)
        return held if isinstance(held, Value) else None

    # -- conditions that every rewrite of a loop has

    def check_loop(self) -> None:
        """No effects, nothing of the body used afterwards. Raises ``Refused``."""
        blocked = self.loop.blocked
        self.site.require(blocked is None, "effects", f"the loop {blocked[0] if blocked else ''}")
        leak = self.leaks()
        self.site.require(leak is None, "names", f"`{leak}` of the loop is used after it")

    def stated_assumptions(self, more: list[str] | None = None) -> str | None:
        """What the proof took from the spelling rather than from certain facts."""
        found = [*self.site.assumptions, *dict.fromkeys(more or [])]
        return "assumes that " + "; ".join(found) if found else None

    # -- edits

    def adjoins(self, call: ast.Call) -> bool:
        """Whether the statement that holds ``call`` comes right after the loop."""
        block = self.siblings(self.node)
        position = block.index(self.node) + 1
        return position < len(block) and self.within(call, block[position])

    def initial_arguments(self, key: str, statement: ast.stmt) -> list[str]:
        """``initial_state=...`` unless the state starts as the number 0."""
        start = self.init_of(key)
        if start is None:
            raise CannotRender("the initial state has no name")
        if not start.axes and isinstance(start.body, Const) and start.body.value == 0:
            return []
        name = self.name_at(start, self.node)
        if name is None or (statement is not self.node and name == key.partition("[")[0]
                            and self.name_at(start, self.node) != name):  # fmt: skip
            raise CannotRender("the initial state has no name")
        return [f"initial_state={name}"]

    def element_text(
        self,
        stacked: Stacked,
        known: dict[Term, tuple[str, tuple[Index, ...]]],
        statement: ast.stmt,
        by_name: bool,
    ) -> tuple[str, list[str]]:
        """What replaces the stack call: the collected element over all steps, laid out as the
        stack lays it out. ``known`` gives code for subterms; with ``by_name`` the first of them is
        read through the list's name, because the call is made once before."""
        items = stacked.items
        position = self.stack_position(stacked)
        order = [*items.axes]
        order.insert(position, self.step)
        renderer = self.renderer(tuple(order), statement)
        for term, (text, axes) in known.items():
            renderer.known[term] = Piece(stacked.name if by_name else text, axes)
            sorted_piece = renderer.arranged(renderer.known[term])
            renderer.known[term] = sorted_piece
        piece = renderer.array(items.element)
        if piece.axes != tuple(order):
            raise CannotRender("an output without one of its axes")
        return piece.text, renderer.lines

    def stack_position(self, stacked: Stacked) -> int:
        """Where the stack puts the loop's axis."""
        for position, axis in enumerate(stacked.result.axes):
            if (
                axis.extent is self.lifted.facts.extent(self.step.extent)
                and axis.name == self.step.name
            ):
                return position
        raise CannotRender("the stacked axis has no certain place")

    def replace_loop(
        self,
        stacked: Stacked,
        text: str,
        lines: list[str],
        finals: list[str],
        call: str,
        key: str,
        inline: bool,
    ) -> tuple[Edit, ...]:
        """The edits: the loop goes, its list goes, the stack call becomes ``text``."""
        edits = self.drop_list(stacked)
        if inline:
            edits.append(self.replace_lines(self.node, lines))
            edits.append(self.replace(stacked.call, text))
        elif finals:
            edits.append(self.replace_lines(self.node, [*lines, f"{stacked.name}, {key} = {call}"]))
            edits.append(self.replace(stacked.call, text))
        else:
            edits.append(self.replace_lines(self.node, [*lines, f"{stacked.name} = {text}"]))
            edits.append(self.replace(stacked.call, stacked.name))
        return tuple(edits)

    def drop_list(self, stacked: Stacked) -> list[Edit]:
        """Drop ``outputs = []`` when nothing reads it any more."""
        return self.drop_binding(stacked.name, (self.node, stacked.call))

    def drop_binding(self, name: str, gone: tuple[ast.AST, ...]) -> list[Edit]:
        """Drop the assignment of ``name`` before the loop, where it is plain, pure and unread."""
        block = self.siblings(self.node)
        for statement in reversed(block[: block.index(self.node)]):
            if not _binds_only(statement, name):
                if any(
                    isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
                    for n in ast.walk(statement)
                ):
                    return []
                continue
            if self.effects_in(statement) or not self.unread(name, gone, statement):
                return []
            if (
                statement.lineno == (statement.end_lineno or 0)
                and ";" in self.module.lines[statement.lineno - 1]
            ):
                return []
            return [self.drop(statement)]
        return []


def _binds_only(statement: ast.stmt, name: str) -> bool:
    if isinstance(statement, ast.Assign):
        return (
            len(statement.targets) == 1
            and isinstance(statement.targets[0], ast.Name)
            and statement.targets[0].id == name
        )
    return (
        isinstance(statement, ast.AnnAssign)
        and isinstance(statement.target, ast.Name)
        and statement.target.id == name
        and statement.value is not None
    )


def reversed_step(term: Term, step: Index) -> Term:
    """``term`` with the step counted from the end."""
    last = extents.sub(step.extent, ONE)
    flipped = substitute(term, {step: extents.sub(last, step)})
    return canonical_subscripts(flipped)


def canonical_subscripts(term: Term) -> Term:
    """Integer arithmetic in subscripts and traces, folded."""

    def change(node: Term) -> Term:
        if isinstance(node, Read):
            subs = tuple(_folded(sub) for sub in node.subs)
            return Read(node.value, subs, node.aligned)
        if isinstance(node, Trace):
            return Trace(node.scan, node.slot, _folded(node.step), node.subs)
        return node

    return transform(term, change)


def _folded(term: Term) -> Term:
    return term if isinstance(term, (Index, Const)) else extents.canonical(term)


def steps_backward(terms: list[Term], step: Index) -> bool:
    """Whether reads walk their arrays from the end to the start."""
    forward = backward = 0
    for term in terms:
        for node in walk(term):
            if not isinstance(node, Read):
                continue
            for sub in node.subs:
                factor = extents.polynomial(sub).get((step,), 0)
                forward += factor > 0
                backward += factor < 0
    return backward > forward
