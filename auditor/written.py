"""What the source computes, place by place: notation shares equal terms, and so does not say that
one of them is written twice, or inside a loop that it does not depend on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.algebra.subterms import everything
from auditor.lift.late import late
from auditor.lift.loops import Loop
from auditor.lift.objects import Collected, Unknown
from auditor.lift.stored import stored_arrays
from auditor.notation import Index, Read, Value
from auditor.rewrite import Site
from auditor.tree import children, everything_in

_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
_TELLING = frozenset(("calls `print`",))  # changes no array
Branches = tuple[tuple[int, int], ...]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True)
class Written:
    """An expression's value where it stands: the step of the innermost loop around it that is
    known, with what that loop carries, and the branches that it is in; ``always`` says that none of
    these is within that loop. ``varies`` says that it was made from something without notation
    that a loop makes, or from an array that the loop writes, or what it calls may write;
    ``changes`` counts what may have changed any array before."""

    value: Value
    step: Index | None
    states: frozenset[Value]
    branches: Branches
    always: bool
    inside: bool
    varies: bool
    changes: int

    def apart(self, other: Written) -> bool:
        """Does at most one of both run?"""
        mine = dict(self.branches)
        return any(mine.get(test, side) != side for test, side in other.branches)


def written(site: Site) -> tuple[Written, ...]:
    """The calls and products of a site's function up to its end, in order; ``inside`` are those of
    the site itself."""
    node = site.loop.node if site.loop is not None else site.node
    if node is None:
        return ()
    function = site.lifted.node
    if isinstance(function, ast.Lambda):
        return ()
    end = (node.end_lineno or 0, node.end_col_offset or 0)
    own = set(everything_in(node))
    effects = site.lifted.lifter.effects
    changing = [e.span for e in effects if e.kind in ("call", "mutation")]
    varying = frozenset(site.lifted.lifter.origins.varying)
    walker = _Walker(site)
    found = []
    for statement in function.body:
        for inner, around, branches in walker.of(statement, _Around(), ()):
            value = site.lifted.lifter.values.get(inner)
            if not isinstance(value, Value) or value.kind != "derived":
                continue
            if (inner.lineno, inner.col_offset) < end:
                always = len(branches) == around.branches
                place = inner.lineno, inner.col_offset + 1
                varies = around.step is not None and (
                    not varying.isdisjoint(_read(value))
                    or walker.writes(around, value)
                    or _may_be_changed(around, value)
                )
                changes = sum((span.line, span.column) < place for span in changing)
                found.append(
                    Written(
                        value,
                        around.step,
                        around.states,
                        branches,
                        always,
                        inner in own,
                        varies,
                        changes,
                    )
                )
    return tuple(found)


def _read(value: Value) -> Iterator[Value]:
    """The values that one is made of, through their definitions."""
    if value.body is not None:
        for node in everything((value.body,)):
            if isinstance(node, Read):
                yield node.value


@dataclass(frozen=True)
class _Around:
    """The innermost loop around a place, and how many branches are around the loop."""

    step: Index | None = None
    states: frozenset[Value] = frozenset()
    branches: int = 0
    loop: Loop | None = None


def _may_be_changed(around: _Around, value: Value) -> bool:
    """Whether the loop around a place calls what may do anything, and the value there is made of
    arrays that others may hold."""
    if around.loop is None or not any(
        effect.kind == "call" and effect.reason not in _TELLING for effect in around.loop.effects
    ):
        return False
    return any(one.kind != "state" and one.axes and one.body is None for one in _read(value))


class _Walker:
    def __init__(self, site: Site) -> None:
        self._module = site.lifted.module
        self._lifter = site.lifted.lifter
        self._values = site.lifted.lifter.values
        self._loops = {loop.node: loop for loop in site.lifted.lifter.loops}

    def writes(self, around: _Around, value: Value) -> bool:
        """Whether the loop around a place may write an array that a value there is made of."""
        loop = around.loop
        if loop is None or not isinstance(loop.node, (ast.For, ast.While)):
            return False
        if not loop.changing.arrays.isdisjoint(_read(value)):
            return True
        held = [loop.before.get(name) for name in stored_arrays(loop.node.body)]
        memory = self._lifter.memory
        arrays = [one for one in held if isinstance(one, Value)]
        if any(one is None or isinstance(one, Unknown) for one in held):
            return True  # a row of something, or a list of rows
        changed = frozenset[Value]().union(*map(memory, arrays))
        return any(not changed.isdisjoint(memory(one)) for one in _read(value))

    def of(
        self, node: ast.AST, around: _Around, branches: Branches
    ) -> Iterator[tuple[ast.expr, _Around, Branches]]:
        """The calls, products and powers below ``node``."""
        if isinstance(node, _FUNCTIONS):
            return
        if isinstance(node, ast.Call) or (
            isinstance(node, ast.BinOp) and isinstance(node.op, (ast.MatMult, ast.Pow))
        ):
            yield node, around, branches
        parts: list[tuple[ast.AST, _Around, Branches]] = []
        if isinstance(node, (ast.If, ast.IfExp)):
            parts.append((node.test, around, branches))
            for side, part in enumerate((node.body, node.orelse)):
                inner: list[ast.AST] = [*part] if isinstance(part, list) else [part]
                parts += [(one, around, (*branches, (id(node), side))) for one in inner]
        elif isinstance(node, (ast.For, ast.While)):
            loop = self._loops.get(node)
            parts.append((node.iter if isinstance(node, ast.For) else node.test, around, branches))
            within = _Around(branches=len(branches))
            if loop is not None:
                states = frozenset(carry.state for carry in loop.scan.carries)
                within = _Around(loop.step, states, len(branches), loop)
            parts += [(one, within, branches) for one in (*node.body, *node.orelse)]
        elif isinstance(node, _COMPREHENSIONS):
            held = self._values.get(node)
            first, *others = node.generators
            parts.append((first.iter, around, branches))
            step = held.step if isinstance(held, Collected) and not others else None
            within = _Around(step, branches=len(branches) + bool(first.ifs))
            made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            if late(self._module, node) is None:
                parts += [(one, within, branches) for one in made]
        else:
            parts = [(child, around, branches) for child in children(node)]
        for child, loop_around, taken in parts:
            yield from self.of(child, loop_around, taken)
