"""Replacing a loop by whole-array code: shared by the rewrites of recurrences and reductions.

``Recurrence`` answers what a rewrite of a loop needs to know (what leaves the loop and how it is
consumed) and writes the edits: the loop is replaced, the list that it filled and the call that
stacked it go, final values are bound again, everything else stays.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property

from auditor.algebra.states import Dependence
from auditor.algebra.subterms import everything
from auditor.arrays.signs import total_stop
from auditor.assumed import about_ranks, assuming
from auditor.lift import extents
from auditor.lift.dtypes import WHOLE
from auditor.lift.loop_arrays import ArrayWrite
from auditor.lift.loop_results import broadcast_to, traced
from auditor.lift.loops import Loop
from auditor.nests.memory import paths_in
from auditor.notation import (
    ONE,
    ZERO,
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Symbol,
    Term,
    Trace,
    Value,
    definition,
    substitute,
    transform,
    walk,
)
from auditor.recurrences.after_loop import leaks
from auditor.recurrences.array_types import ArrayTypes
from auditor.recurrences.cast_states import cast_to, supposed
from auditor.recurrences.kept_cells import keeps_cells
from auditor.recurrences.kept_in_double import put_together
from auditor.recurrences.merged_axes import parted
from auditor.recurrences.stacked_lists import Stacked
from auditor.recurrences.walked_tensors import walks_numpy
from auditor.rewrite import Refused, Site
from auditor.surroundings.rebinding import is_target
from auditor.surroundings.region import Region
from auditor.syntax import without_idle
from auditor.tree import everything_in
from auditor.verdict import Edit
from auditor.writing.emit import Renderer
from auditor.writing.named_arrays import slice_text
from auditor.writing.pieces import CannotRender
from auditor.writing.words import Numpy, Torch, Words

_ASKED = ("shape", "dtype", "device", "size", "ndim", "dim", "numel")


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

    # -- terms

    def unfolded(self, term: Term, *own: Value) -> Term:
        """Expand the values of the body that depend on a state or have no name; the others keep
        their names, and so do the new values of carried names that do not depend on ``own``."""
        states = frozenset(self.loop.states.values())
        others = {
            value for value in self.loop.finals.values()
            if value.body is not None and not Dependence().mentions(value.body, own)
        }  # fmt: skip
        mentions = Dependence().mentions

        known: dict[Value, bool] = {}

        def depends(value: Value) -> bool:
            if value not in known:
                known[value] = (
                    value.body is not None
                    and value not in others
                    and (
                        mentions(value.body, states)
                        or (self._inside(value) and not value.name.isidentifier())
                    )
                )
            return known[value]

        return self._unfolded(term, depends)

    def _unfolded(self, term: Term, depends: Callable[[Value], bool]) -> Term:
        def change(part: Term) -> Term:
            if isinstance(part, Read) and depends(part.value):
                inner = definition(part)
                if inner is not None:
                    return self._unfolded(inner, depends)
            return part

        return transform(term, change)

    def final_element(self, key: str, *jointly: Value) -> Term:
        """The update of a carried value over its state's axes, the body's own names kept, but for
        those that depend on a state that moves ``jointly`` with it."""
        state, final = self.loop.states[key], self.loop.finals[key]
        element = broadcast_to(self.lifted.lifter, final, state.axes)
        return canonical_subscripts(self.unfolded(element, state, *jointly))

    def require_one_type(self, site: Site) -> None:
        """All steps at once give the types that one after the other does."""
        if self.of_numpy:
            return  # each value's are worked out
        self.require_uncast(site)
        starts = self._starts().items()
        name = put_together((c, start, self.final_element(c.name)) for c, start in starts)
        said = f"`{name}` is kept in double precision, and what it is combined with may not be"
        site.require(name is None, "rounding", said)
        for value, state in self._numbers().items():
            site.require(
                None in (value.dtype, state.dtype) or value.dtype == state.dtype,
                "dtypes",
                f"a number of `{value.name}` leaves the type of `{state.name}` as it is, all of"
                " them at once do not",
            )
        for value, dtype_of_state in self._taken_out():
            site.require(
                None in (value.dtype, dtype_of_state)
                or (value.dtype == dtype_of_state and value.dtype not in WHOLE),
                "dtypes",
                f"a number that is taken out of `{value.name}` has no type of its own",
            )

    def require_uncast(self, site: Site) -> None:
        """No carried value is cast to another type at every step."""
        dtype = cast_to(self._starts())
        site.require(dtype is None, "rounding", f"the state is cast to {dtype} at every step")

    def _taken_out(self) -> list[tuple[Value, str | None]]:
        """The arrays whose numbers are taken out (``float(x[t])``) and added to a state, each with
        the type of that, which such a number takes."""
        found = []
        for carry in self.scan.carries:
            start = self.init_of(carry.name)
            dtype = carry.state.dtype or (start.dtype if start is not None else None)
            for node in everything([carry.update]):
                if isinstance(node, Apply) and node.op == "call:detach":
                    read = [n.value for n in everything([node]) if isinstance(n, Read)]
                    found += [(value, dtype) for value in read if value.axes]
        return [*dict.fromkeys(found)]

    def _numbers(self) -> dict[Value, Value]:
        """The arrays of which a step reads one number beside rows of the state, which they are
        given with: torch lets a number widen no array."""
        found: dict[Value, Value] = {}
        for carry in self.scan.carries:
            if not carry.state.axes or not self.has_torch():
                continue
            start = self.init_of(carry.name)
            dtype = carry.state.dtype or (start.dtype if start is not None else None)
            for node in everything([carry.update]):
                if (
                    not isinstance(node, Read)
                    or len(node.value.axes) != 1
                    or node.value.axes[0].group
                ):
                    continue
                value = node.value
                real = value.dtype is None or value.dtype.startswith(("float", "bfloat"))
                leaf = value.body is None or value.name.isidentifier()
                stepped = any(self.step in walk(sub) for sub in node.subs)
                if real and leaf and stepped and value is not carry.state:
                    found[value] = replace(carry.state, dtype=dtype)
        return found

    def floats_written(self) -> list[str]:
        """What is assumed of arrays that the loop writes its states into: whole numbers would cut
        each of them."""
        return [
            f"`{name}` holds floating-point numbers"
            for name, write in self.loop.written.items()
            if write.original.dtype is None or write.original.dtype.startswith("like ")
        ]

    def _starts(self) -> dict[Carry, Value | None]:
        """What each carried value starts as."""
        return {carry: self.init_of(carry.name) for carry in self.scan.carries}

    def inlined(self, term: Term) -> Term:
        """Everything that the body defines, expanded."""
        from auditor.lift.inline import inline

        return inline(term, self.step)

    def traced(self, value: Value, axes: tuple[Index, ...]) -> Term:
        """The element of a value of the body, with the states after the step as traces."""
        from auditor.lift.inline import inline

        lifter = self.lifted.lifter
        term = inline(lifter.ops.element(value, axes), self.step, self.loop.stop)
        states = {
            self.loop.states[carry.name]: slot for slot, carry in enumerate(self.scan.carries)
        }
        return traced(term, self.scan, states, self.loop.stop)

    def elements(self) -> list[Term]:
        """What the loop leaves at every step."""
        found = [parted(items)[0].element for items in self.loop.lists.values()]
        for write in self.loop.written.values():
            if write.value is not None:
                found.append(self.traced(write.value, write.value.axes))
        return found

    def written_slice(self, write: ArrayWrite, reverse: bool, renderer: Renderer) -> str:
        """The subscript that covers what the loop writes, in memory order."""
        stride = extents.polynomial(write.place).get((self.step,), 0)
        if stride != (-1 if reverse else 1):
            raise CannotRender("the array is written in steps that are no slice")
        start = substitute(write.place, {self.step: ZERO})
        last = substitute(write.place, {self.step: extents.sub(self.step.extent, ONE)})
        low, high = (last, start) if reverse else (start, last)
        low, high = extents.canonical(low), extents.add(high, ONE)
        axis = write.original.axes[write.axis]
        begin = "" if low is ZERO else renderer.scalar(low).text
        whole = high is self.lifted.facts.extent(axis.extent)
        end = "" if whole else renderer.stop(high, axis, low)
        covered = slice_text(begin, end)
        if any(isinstance(item, Value) and p != write.item for p, item in enumerate(write.items)):
            raise CannotRender("only a part of the array's other axes is written")
        subs = ["..." if item is Ellipsis else ":" for item in write.items]
        subs[write.item] = covered
        return ", ".join(without_idle(subs)) or ":"

    def renderer(self, order: tuple[Index, ...], statement: ast.stmt) -> Renderer:
        """A renderer for code that stands where ``statement`` stands now."""
        return Renderer(
            lambda value: self.name_at(value, statement),
            lambda term: self.scalar_at(term, statement) or self._length(term, statement),
            order,
            self.words,
            self.step,
            dtype_of=lambda dtype: self.dtype_at(dtype, statement),
            keeps=self.keeps,
            is_array=self.is_array,
            sliced=self._sliced,
            opened=self.opened,
            total=lambda term, text: total_stop(self, self.node, term, text),
            alike=self._alike,
        )

    def whole(self, subs: Iterable[Term], axes: Iterable[Index]) -> bool:
        """Whether all of an array is read under the indices ``subs``, no part of it."""
        return all(
            isinstance(sub, Index) and (axis.group or self._alike(sub, axis))
            for sub, axis in zip(subs, axes, strict=True)
        )

    def _alike(self, sub: Index, axis: Index) -> bool:
        """Whether an axis is read as a whole, not a part of it that a slice took: its size is what
        it met, or is no number that code could say."""
        extent = self.lifted.facts.extent
        said = all(
            re.fullmatch(r"[\w.\[\]-]+", node.name) is not None
            for node in walk(sub.extent) if isinstance(node, Symbol)
        )  # fmt: skip
        return not said or extent(sub.extent) is extent(axis.extent)

    def _length(self, term: Term, statement: ast.stmt) -> str | None:
        """The size of an axis of an argument: as a length where the function uses it as no array,
        since it may be a list. Raises ``CannotRender`` where its name is bound to another one."""
        found = re.fullmatch(r"([\w.]+)\.shape\[(\d+)\]", getattr(term, "name", ""))
        if found is None or not isinstance(term, Symbol):
            return None
        owner, axis = found[1], int(found[2])
        held = self.scope(statement).get(owner, self.lifted.lifter.leaves.get(owner))
        if held is not self.lifted.lifter.leaves.get(owner):
            axes = held.axes if isinstance(held, Value) else ()
            extent = self.lifted.facts.extent
            if axis >= len(axes) or extent(axes[axis].extent) is not extent(term):
                return self._length_of_another(term, statement, owner)
        text = self.module.source(self.lifted.node)
        array = re.search(rf"(?<![\w.]){re.escape(owner)}\.(shape|size|ndim|dim)\b", text)
        return f"len({owner})" if axis == 0 and not array else None

    def _length_of_another(self, term: Term, statement: ast.stmt, owner: str) -> str:
        """A size of an array whose name is bound to something else by then, as that of what has it
        there. Raises ``CannotRender`` where nothing has."""
        extent, scope = self.lifted.facts.extent, self.scope(statement)
        for name in sorted(scope, key=lambda name: name != owner):
            held = scope[name]
            made = isinstance(held, Value) and (held.library == "torch" or held.body is not None)
            for place, axis in enumerate(held.axes if isinstance(held, Value) and made else ()):
                if axis.group:
                    break
                if extent(axis.extent) is extent(term):
                    return f"{name}.shape[{place}]"
        raise CannotRender(f"`{owner}` is bound to something else by then")

    def is_array(self, value: Value) -> bool:
        """A value of unknown rank that the code elsewhere treats as an array."""
        groups = [axis for axis in value.axes if axis.group]
        owners = [str(axis.extent).removesuffix(".shape[...]") for axis in groups]
        return any(owner in self.lifted.facts.arrays for owner in owners)

    def opened(self, term: Term) -> Term:
        """Expand the values of the body that have no name."""

        def change(part: Term) -> Term:
            if isinstance(part, Read) and self._inside(part.value):
                if part.value.body is not None and not part.value.name.isidentifier():
                    inner = definition(part)
                    if inner is not None:
                        return self.opened(inner)
            return part

        return transform(term, change)

    def _sliced(self, axis: Index) -> bool:
        """Whether the owner of a group of axes is subscripted."""
        owner = str(axis.extent).removesuffix(".shape[...]")
        return self.lifted.facts.of(owner).sliced

    def keeps(self, value: Value) -> bool:
        """A named temporary of the body, which keeps its name; one of a function that is read in
        place of its call does, where the name is free."""
        if not value.name.isidentifier() or value.span is None:
            return False
        node = self.lifted.node
        if isinstance(node, ast.Module) or self.module.span(node).covers(value.span):
            return self._inside(value)
        return value.name not in self.loads and value.name not in self.stores

    def _inside(self, value: Value) -> bool:
        span = self.loop.span
        return (
            value.span is not None
            and span.line <= value.span.line
            and value.span.end_line <= span.end_line
        )

    def has_torch(self) -> bool:
        """Whether the file imports torch or something of it."""
        return any(path.split(".")[0] == "torch" for path in self.module.names.values())

    @cached_property
    def words(self) -> Words:
        """What the library that the loop computes with calls its operations."""
        if not self.of_numpy:
            return Torch(self.torch_name())
        maths = any(path.split(".")[0] in ("math", "cmath") for path in self.module.names.values())
        return Numpy(self._numpy_name() or "np", of_numbers=not maths)

    @cached_property
    def array_types(self) -> ArrayTypes:
        """The types of the carried values, where these are NumPy's."""
        return ArrayTypes(self)

    @cached_property
    def of_numpy(self) -> bool:
        """Whether the loop computes with arrays of NumPy: the file has a name for that and nothing
        of torch, or the loop certainly walks or fills such arrays."""
        return self._numpy_name() is not None and (not self.has_torch() or walks_numpy(self))

    def _numpy_name(self) -> str | None:
        bound = self.module.bound_at_top.items()
        return next((name for name, path in bound if path == "numpy"), None)

    def torch_name(self) -> str:
        for name, path in self.module.bound_at_top.items():
            if path == "torch":
                return name
        if "torch" in self.stores or "torch" in self.module.constants:
            raise Refused("torch", "the name `torch` means something else in this file")
        return "torch"

    def imports(self, kernel: str, edits: tuple[Edit, ...]) -> tuple[tuple[str, str | None], ...]:
        """What the new code needs: the kernel, and torch where the file has no name for it."""
        return (("auditor.kernels", kernel), *self.other_imports(edits))

    def other_imports(self, edits: tuple[Edit, ...]) -> tuple[tuple[str, str | None], ...]:
        """torch, where the new code needs it and the file has no name for it, and what widens
        arrays."""
        found: list[tuple[str, str | None]] = []
        named = "torch" in self.module.bound_at_top.values()
        if not named and any(re.search(r"\btorch\.", edit.content) for edit in edits):
            found.append(("torch", None))
        if any("per_step(" in edit.content for edit in edits):
            found.append(("auditor.kernels", "per_step"))
        return tuple(found)

    def init_of(self, key: str) -> Value | None:
        """The value that a carried name starts from."""
        return self.loop.initial(self.loop.before, key)

    # -- conditions that every rewrite of a loop has

    def check_loop(self) -> None:
        """No effects, certain shapes, nothing of the body used afterwards. Raises ``Refused``."""
        self.check_surroundings()
        facts = self.lifted.facts
        doubt = facts.suspect if facts.assumptions else None
        self.site.require(doubt is None, "shapes", f"the shapes are not certain: {doubt}")

    def check_surroundings(self) -> None:
        """No effects, nothing of the body used afterwards. Raises ``Refused``."""
        blocked = self.loop.blocked
        self.site.require(blocked is None, "effects", f"the loop {blocked[0] if blocked else ''}")
        doubt = self.loop.doubt
        self.site.require(doubt is None, "shapes", f"the shapes are not certain: {doubt}")
        outer = self._outer_name()
        self.site.require(outer is None, "names", f"`{outer}` of the loop is not local")
        shared = self._shared_list()
        self.site.require(shared is None, "list-use", f"the list `{shared}` has another name")
        kept = self._kept_before()
        self.site.require(
            kept is None, "effects", f"the loop changes `{kept}` in place, which may be kept"
        )
        met = self.overlapping(self.loop.written, self._others_read(), self.node)
        self.site.require(
            met is None, "effects", "`{}` may share memory with `{}`".format(*met or "  ")
        )
        two = self._of_two_libraries()
        self.site.require(
            two is None, "tensors", "`{}` and `{}` are arrays of two libraries".format(*two or "  ")
        )
        leak = leaks(self)
        self.site.require(leak is None, "names", f"`{leak}` of the loop is used after it")

    def _outer_name(self) -> str | None:
        """A name that the loop binds for a scope further out."""
        outer = {
            name for node in self.nodes if isinstance(node, (ast.Global, ast.Nonlocal))
            for name in node.names
        }  # fmt: skip
        bound = {n.id for n in everything_in(self.node) if isinstance(n, ast.Name)
                 and isinstance(n.ctx, ast.Store)}  # fmt: skip
        return next(iter(sorted(outer & (bound | set(self.loop.lists)))), None)

    def _kept_before(self) -> str | None:
        """An array that the loop changes in place and that something was given before."""
        lifter = self.lifted.lifter
        for key in self.loop.mutated:
            held = self.loop.before.get(key.partition("[")[0])
            if isinstance(held, Value) and held.library == "python" and not held.axes:
                continue  # a number, in whose place the first step puts something else
            memory = lifter.memory(held) if isinstance(held, Value) else frozenset()
            for load in (load for loads in self.loads.values() for load in loads):
                value = self.values.get(load)
                if value is None and load.id == key:
                    return key
                if not isinstance(value, Value) or memory.isdisjoint(lifter.memory(value)):
                    continue
                if self.within(load, self.node) or load.lineno > self.node.lineno:
                    continue
                parent = self.parents.get(load)
                if not (isinstance(parent, ast.Attribute) and parent.attr in _ASKED):
                    return key
        return None

    def _shared_list(self) -> str | None:
        """A list that the loop fills and that something else refers to as well."""
        for name in self.loop.lists:
            held = self.loop.before.get(name)
            if any(obj is held for other, obj in self.loop.before.items() if other != name):
                return name
            for load in self.reads_of(held, (self.node,)) if held is not None else ():
                parent = self.parents.get(load)
                if not (isinstance(parent, ast.Attribute) and parent.value is load):
                    return name
            block = self.siblings(self.node)
            for statement in block[: block.index(self.node)]:
                if isinstance(statement, ast.Assign) and len(statement.targets) > 1:
                    if any(is_target(target, name) for target in statement.targets):
                        return name
        return None

    def stated_assumptions(self, more: list[str], ranks: str = "known") -> str | None:
        """What the proof took from the spelling rather than from certain facts; with ``aligned``
        ranks of arrays it took nothing from those."""
        every = [*self.site.assumptions, *more, *self._overlaps(), *self._widths()]
        if ranks in ("aligned", "assumed") and self.has_torch():
            every.append(
                "in each step an operand with fewer axes is of no wider type than the others"
            )
        return assuming(s for s in every if ranks != "aligned" or not about_ranks(s))

    def _widths(self) -> list[str]:
        if self.of_numpy:
            return []
        taken = [
            f"`{value.name}` is {'of' if value.library == 'torch' else 'a tensor of'} the"
            " floating-point type that the states have"
            for value, dtype in self._taken_out() if None in (value.dtype, dtype)
        ]  # fmt: skip
        taken += [
            f"`{value.name}` is of no wider type than `{state.name}`"
            for value, state in self._numbers().items() if None in (value.dtype, state.dtype)
        ]  # fmt: skip
        return [*dict.fromkeys([*taken, *supposed(self._starts())])]

    def _overlaps(self) -> list[str]:
        return self.apart(self.loop.written, self._arrays_read(), self.node)

    def _of_two_libraries(self) -> tuple[str, str] | None:
        """A tensor and an array of NumPy that the loop reads or writes: each number may be put into
        the other, a whole array may not."""
        arrays = [write.original for write in self.loop.written.values()]
        for loads in self.loads.values():
            inner = (self.values.get(load) for load in loads if self.within(load, self.node))
            arrays += [value for value in inner if isinstance(value, Value) and value.axes]
        named = {value.library: value.name for value in arrays}
        return (named["torch"], named["numpy"]) if {"torch", "numpy"} <= named.keys() else None

    def _others_read(self) -> list[str]:
        """The names of arrays that the loop reads, but for cells that its steps have written."""
        scope, memory = self.scope(self.node), self.lifted.lifter.memory
        return [
            name for name in self._arrays_read()
            if not any(
                keeps_cells(self, self.node, array, name)
                and memory(scope.get(array)).isdisjoint(memory(scope.get(name)))
                for array in self.loop.written
            )
        ]  # fmt: skip

    def _arrays_read(self) -> list[str]:
        """The names of arrays that the loop reads."""
        arrays = []
        for name, loads in self.loads.items():
            inner = [self.values.get(load) for load in loads if self.within(load, self.node)]
            if any(isinstance(value, Value) and value.axes for value in inner):
                arrays.append(name)
        return [*arrays, *(path for path in paths_in(everything_in(self.node)) if "." in path)]

    # -- edits

    def adjoins(self, call: ast.expr) -> bool:
        """Whether the statement that holds ``call`` comes right after the loop."""
        block = self.siblings(self.node)
        position = block.index(self.node) + 1
        return position < len(block) and self.within(call, block[position])

    def drop_dead(self, gone: tuple[ast.AST, ...], code: list[str]) -> list[Edit]:
        """Drop the pure definitions before the loop that only the loop read: coefficients for all
        steps that the new code never builds. Asking such a value for its device is asking one of
        its operands."""
        block = self.siblings(self.node)
        edits: list[Edit] = []
        dropped: list[ast.AST] = [*gone]
        for statement in reversed(block[: block.index(self.node)]):
            target = self._defined(statement)
            if target is None or self.effects_in(statement):
                continue
            if any(re.search(rf"\b{re.escape(target)}\b", text) for text in code):
                continue
            reads = [load for load in self.loads.get(target, [])
                     if not self.within(load, statement)]  # fmt: skip
            inside = [load for load in reads if any(self.within(load, g) for g in dropped)]
            devices = [self._device_read(load) for load in reads if load not in inside]
            other = self._operand(statement)
            if not inside or None in devices or (devices and other is None):
                continue
            edits.append(self.drop(statement))
            edits.extend(
                Edit(self.module.span(node), f"{other}.device") for node in devices if node
            )
            dropped.append(statement)
        return edits

    def _defined(self, statement: ast.stmt) -> str | None:
        """The name that a plain assignment of an understood array binds, if nothing else does."""
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        target = statement.targets[0]
        value = self.values.get(statement.value)
        if not isinstance(target, ast.Name) or not isinstance(value, Value) or not value.axes:
            return None
        stores = [
            node for node in self.nodes
            if isinstance(node, ast.Name) and node.id == target.id
            and isinstance(node.ctx, ast.Store)
        ]  # fmt: skip
        one_line = ";" not in self.module.slice(self.line_span(statement))
        local = isinstance(self.lifted.node, ast.FunctionDef)
        return target.id if len(stores) == 1 and one_line and local else None

    def _device_read(self, load: ast.Name) -> ast.Attribute | None:
        parent = self.parents.get(load)
        if isinstance(parent, ast.Attribute) and parent.attr == "device":
            return parent
        return None

    def _operand(self, statement: ast.stmt) -> str | None:
        """An array with axes of its own that the statement reads: it is on the same device."""
        for node in everything_in(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                value = self.values.get(node)
                if isinstance(value, Value) and any(not axis.group for axis in value.axes):
                    if self.scope(self.node).get(node.id) is value:
                        return node.id
        return None

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
                    for n in everything_in(statement)
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
