"""List comprehensions and generator expressions: their items one by one, or as an array over the
steps; lists of lists as arrays of which only the properties are asked."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.lift import keyed
from auditor.lift.arrays import Unsupported
from auditor.lift.objects import Collected, Obj, Sequence, Unknown
from auditor.lift.opaque import made_anew, of_each_item
from auditor.lift.passing import bound_in_passing
from auditor.lift.runs import Runs
from auditor.notation import Index, Term, Value, free_indices, substitute
from auditor.tree import everything_in

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter


def comprehension(lifter: Lifter, node: ast.ListComp | ast.GeneratorExp, env: Env) -> Obj:
    """What a comprehension makes. Raises ``Unsupported``."""
    element, generators = node.elt, node.generators
    target = generators[0].target
    if len(generators) != 1 or generators[0].ifs or generators[0].is_async:
        raise Unsupported("a comprehension with conditions or several loops")
    keyed.learn(lifter, target, generators[0].iter, (element,), env)
    source = lifter.eval(generators[0].iter, env)
    bind_in_passing(lifter, node, env)
    inner = dict(env)
    if isinstance(source, Sequence):
        items: list[Obj] = []
        runs = Runs(lifter, node, len(source.items))
        for place, item in enumerate(source.items):
            lifter.bind(target, runs.item(item, target), inner)
            lifter.walked[node] = _bound(target, inner)
            items.append(lifter.eval(element, inner))
            runs.after(place)
        return Sequence(tuple(items), "list")
    iteration = lifter.iterate(source)
    step = Index("t", lifter.facts.extent(iteration.extent))
    lifter.bind(target, iteration.element(step), inner)
    lifter.walked[node] = _bound(target, inner)
    made = lifter.eval(element, inner)
    row = lifter.rows.get(element) or (lifter.row(made) if isinstance(made, Collected) else None)
    item = row or lifter.as_value(made)
    axes = lifter.ops.fresh(item.axes)
    own = made_anew(lifter, element)
    term = lifter.inline(lifter.ops.element(item, axes), step, own)
    collected = Collected(
        step, axes, of_each_item(term, own, step), item.dtype, item.library,
        None, span=lifter.module.span(element),
    )  # fmt: skip
    if row is not None:
        # a list of lists is no array: only the properties are asked of it as of one
        lifter.rows[node] = lifter.row(collected)
        raise Unsupported("a list of lists")
    return collected


def bind_in_passing(lifter: Lifter, node: ast.expr, env: Env) -> None:
    """What a comprehension binds with ``:=`` is bound outside of it, anew at each step: what
    an item reads before binding it is the step's before."""
    for name in sorted(bound_in_passing(node)):
        reason = f"`{name}` is bound at each step of a comprehension"
        env[name] = Unknown(reason, lifter.module.span(node))


def row(lifter: Lifter, items: Collected) -> Value:
    """A list as an array over its places."""
    if items.reverse or items.prefix:
        raise Unsupported("a list within a list, in another order")
    (step, *axes) = lifter.ops.fresh((items.step, *items.axes))
    by: dict[Term, Term] = dict(zip((items.step, *items.axes), (step, *axes), strict=True))
    body = substitute(items.element, by)
    return Value("row", (step, *axes), body, items.dtype, "derived", "python", items.span)


def rows_at(lifter: Lifter, obj: Obj) -> Value | None:
    """The list of lists that is written out where it is used, so that nothing else has it."""
    used = lifter.ops.span
    if not isinstance(obj, Unknown) or obj.span is None or used is None:
        return None
    if (obj.span.line, obj.span.column) < (used.line, used.column) or (
        (obj.span.end_line, obj.span.end_column) > (used.end_line, used.end_column)
    ):
        return None
    for node, row in lifter.rows.items():
        lists = isinstance(node, ast.ListComp) and isinstance(node.elt, ast.ListComp)
        if lists and lifter.module.span(node) == obj.span:
            ragged = any(free_indices(axis.extent) for axis in row.axes)
            return None if ragged else row
    return None


def _bound(target: ast.expr, env: Env) -> Env:
    """What the names of a target stand for."""
    names = (n.id for n in everything_in(target) if isinstance(n, ast.Name))
    return {name: env[name] for name in names if name in env}
