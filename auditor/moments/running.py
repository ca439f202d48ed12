"""Running means and squared deviations, step by step (Welford's loop), as two sums over samples.

A loop is compared by what its carried values become: with n samples seen, the mean m goes on to
m + (x - m) / (n + 1), and the sum of squared deviations s to s + (x - m) (x - the new mean).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.algebra.normal import Normaliser
from auditor.arrays.facts import Arrays
from auditor.folds.iterables import Iterable, element_type, kind_of
from auditor.lift.loops import Loop
from auditor.notation import ONE, Apply, Carry, Index, Read, Term, Value, walk
from auditor.surroundings.region import Region
from auditor.syntax import constant, converts
from auditor.tree import everything_in
from auditor.verdict import Edit


@dataclass(frozen=True)
class Running:
    """The carried names of a loop over ``samples``; ``count`` is None where the step counts."""

    samples: Value
    count: str | None
    mean: str
    squares: str


def running(loop: Loop) -> Running | None:
    """The running moments that a loop carries, if it carries nothing else."""
    scan = loop.scan
    if loop.blocked is not None or loop.lost or loop.lists or loop.effects or loop.steps:
        return None
    normal = Normaliser().normal
    counts = [c for c in scan.carries if not c.state.axes and normal(c.update) == normal(
        Apply("add", (Read(c.state, ()), ONE)))]  # fmt: skip
    rest = [c for c in scan.carries if c not in counts]
    if len(counts) > 1 or len(rest) != 2:
        return None
    seen: Term = Read(counts[0].state, ()) if counts else scan.step
    for mean, squares in (rest, rest[::-1]):
        samples = _samples(mean, scan.step)
        if samples is None or len(mean.state.axes) != len(squares.state.axes):
            continue

        def goes_on(axes: tuple[Index, ...], mean: Carry = mean, samples: Value = samples) -> Term:
            before, x = Read(mean.state, axes), Read(samples, (scan.step, *axes))
            step = Apply("div", (Apply("sub", (x, before)), Apply("add", (seen, ONE))))
            return Apply("add", (before, step))

        axes = squares.state.axes
        x = Read(samples, (scan.step, *axes))
        deviations = Apply("mul", (
            Apply("sub", (x, Read(mean.state, axes))), Apply("sub", (x, goes_on(axes))),
        ))  # fmt: skip
        added = Apply("add", (Read(squares.state, axes), deviations))
        if normal(mean.update) == normal(goes_on(mean.state.axes)):
            if normal(squares.update) == normal(added):
                count = counts[0].name if counts else None
                return Running(samples, count, mean.name, squares.name)
    return None


def _samples(mean: Carry, step: Index) -> Value | None:
    """The array whose elements a step takes in, one after the other."""
    for node in walk(mean.update):
        if isinstance(node, Read) and node.subs and node.subs[0] is step:
            if node.subs[1:] == mean.state.axes:
                return node.value
    return None


def at_once(region: Region, loop: Loop, found: Running) -> list[Edit] | None:
    """The edits that compute the moments of all samples; None where the code does not say enough
    of them."""
    node = loop.node
    if not isinstance(node, ast.For) or node.orelse:
        return None
    name = region.name_at(found.samples, node)
    facts = region.lifted.facts
    whole = facts.extent(loop.scan.step.extent) is facts.extent(found.samples.axes[0].extent)
    if name is None or not name.isidentifier() or not whole:
        return None
    carried = {found.mean, found.squares, *([found.count] if found.count else [])}
    stored = {n.id for n in everything_in(node) if isinstance(n, ast.Name)
              and isinstance(n.ctx, ast.Store)}  # fmt: skip
    if any(region.read_after(node, other) for other in stored - carried):
        return None
    gone: list[ast.stmt] = []
    for each in carried:
        start = region.binding_before(node, each)
        literal = constant(start.value) if start is not None else ...
        if start is None or type(literal) not in (int, float):
            return None
        if each == found.count and not (literal == 0 and isinstance(literal, int)):
            return None
        if each == found.squares and literal != 0:
            return None
        if each == found.count and start.unread and start.alone:
            gone.append(start.statement)
    lines = _lines(region, node, found, name)
    if lines is None:
        return None
    return [*region.drops(gone), region.replace_lines(node, lines)]


def _lines(region: Region, node: ast.For, found: Running, name: str) -> list[str] | None:
    count = found.count or f"len({name})"
    lines = [f"{found.count} = len({name})"] if found.count else []
    lines.append(f"if {count}:")
    samples = ast.Name(name, ast.Load())
    if kind_of(region, samples, []) is Iterable.LIST:
        if element_type(region, samples) not in ("int", "float"):
            return None
        x = next(n for n in ("x", "value", "sample", "each") if n not in (name, *region.stores)
                 or (isinstance(node.target, ast.Name) and n == node.target.id))  # fmt: skip
        apart = f"({x} - {found.mean})"
        lines += [
            f"    {found.mean} = sum({name}) / {count}",
            # a power that is too large for a float raises, a product does not
            f"    {found.squares} = sum({apart} * {apart} for {x} in {name})",
        ]
        return lines
    if converts(node):
        return None  # numbers of Python are of double precision
    if found.samples.library == "numpy" or (
        found.samples.library == "torch" and Arrays(region).floating(samples)
    ):
        lines += [
            f"    {found.mean} = {name}.mean(0)",
            f"    {found.squares} = (({name} - {found.mean}) ** 2).sum(0)",
        ]
        return lines
    return None
