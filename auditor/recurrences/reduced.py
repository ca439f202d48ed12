"""Loops over tensors that only fold, and leave nothing but the total behind, from the notation of
the loop: whatever a step makes of the tensors before it adds or multiplies it in."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from auditor.algebra.states import Dependence
from auditor.assumed import reason_of
from auditor.notation import (
    ONE,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    definition,
    free_indices,
    walk,
)
from auditor.recurrences.coefficients import NotLinear, coefficients, running_kind
from auditor.recurrences.cumulated import widened
from auditor.recurrences.distribution import LoopCode, plainest
from auditor.recurrences.outputs import edits_of
from auditor.recurrences.recurrence import LoopRegion, reversed_step
from auditor.recurrences.running import kinds_of, widths
from auditor.recurrences.walked_tensors import (
    loose_rows,
    require_tensors,
    stated_list,
    walks_numpy,
)
from auditor.rewrite import Match, Refused, Site
from auditor.tree import everything_in
from auditor.verdict import Edit
from auditor.writing.pieces import CannotRender

_WORDS = {"sum": "sum", "prod": "product"}
_SIGNS = {"sum": "+", "prod": "*"}


def reduced(site: Site) -> Match | None:
    """The match of a loop all of whose carried values are sums or products that start as tensors,
    or None."""
    loop = site.loop
    if loop is None or not loop.finals or loop.lists or loop.written or loop.blocked is not None:
        return None
    if any(key.endswith("[cell]") for key in loop.finals):
        return None
    region = LoopRegion(site)
    kinds = kinds_of(region)
    if kinds is None or not _WORDS.keys() >= set(kinds.values()):
        return None
    names = [region.scan.carries[slot].name for slot in kinds]
    starts = [region.init_of(name) for name in names]
    if not region.has_torch() or walks_numpy(region):
        return None
    if any(start is None or start.library != "torch" for start in starts):
        return None
    try:
        region.check_loop()
        region.require_one_type(site)
        code, edits = plainest(site, region, _totals)
        code.assumptions.extend(widths(code, site, kinds))
    except (CannotRender, NotLinear, Refused):
        return None
    if code.prefixes or code.scans or not edits or _guessed(region):
        return None
    updates = [carry.update for carry in region.scan.carries]
    code.assumptions.extend(require_tensors(region, site, *updates))
    loose = loose_rows(region, updates)
    if any(stated_list(region, value) for value in loose):
        return None
    listed = sorted(f"it raises where `{value.name}` is a list" for value in loose)
    words = " and a ".join(dict.fromkeys(_WORDS[kind] for kind in kinds.values()))
    stated = region.stated_assumptions(code.assumptions, code.ranks)
    said = ", ".join(f"`{name.partition('[')[0]}`" for name in names)
    return Match(
        span=region.loop.span,
        message=f"{said}: the loop computes a {words}, one step at a time",
        computation=site.computation,
        edits=edits,
        imports=region.other_imports(edits),
        reason=reason_of(stated, *listed),
        safe=not code.uncertain
        and not listed,  # no array is kept at every step, by which ranks are met
    )


def _guessed(region: LoopRegion) -> bool:
    """Whether only what they meet says how many axes some arrays have: one of them may hold a
    number a step where it is taken for rows."""
    facts = region.lifted.facts
    unsure = facts.guessed | facts.fewest.keys()
    arrays = {
        leaf.value
        for carry in region.scan.carries
        for leaf in _leaves(region.inlined(carry.update))
        if leaf.value.kind in ("input", "attribute")
    }
    loose = [value for value in arrays if any(axis.group for axis in value.axes)]
    return len(loose) > 1 or any(value.name in unsure for value in arrays)


def _totals(code: LoopCode) -> tuple[Edit, ...]:
    """The edits, with the total of each carried value added to what it starts from."""
    carries = code.scan.carries
    if set(code.finals) - {carries[slot].name for slot in code.needed()}:
        raise CannotRender("a value of the last step is used after the loop")
    for slot in code.needed():
        factor, rest = coefficients(code.region, slot)
        if factor is None or any(term in Dependence().states(rest) for term in _states(code)):
            raise CannotRender("a carried value is no total of its own")
        code.needs_a_step(slot)
        kind = running_kind(factor, rest)
        added = factor if kind == "prod" else rest
        if kind not in _SIGNS:
            raise CannotRender("a value is neither a sum nor a product")
        name, order = carries[slot].name, code.layouts.of(slot)
        text = widened(code, slot, _total(code, kind, added, order))
        sign = _SIGNS[kind]
        changed = name in _changed(code)
        code.lines.append(f"{name} {sign}= {text}" if changed else f"{name} = {name} {sign} {text}")
    return edits_of(code)


def _total(code: LoopCode, kind: str, term: Term, order: tuple[Index, ...]) -> str:
    """The fold of all steps. A product of arrays that share no more than the steps is contracted:
    what all steps make is never larger than an array of the program. Raises ``CannotRender``."""
    term = reversed_step(term, code.step) if code.reverse else term
    if kind == "sum":
        state = tuple(axis for axis in order if axis is not code.step)
        renderer = code.renderer(state)
        product = renderer.product(Reduce("sum", code.step, term))
        if product is not None and product.axes == state:
            code.collect(renderer)
            return product.inside(3)
    renderer = code.renderer(order)
    piece = renderer.array(term)
    axes = {axis for axis in piece.axes if axis is not None}
    held = (free_indices(leaf) for leaf in _leaves(code.region.inlined(term)))
    if not any(axes <= one for one in held):
        raise CannotRender("all steps at once would take more memory than the arrays do")
    code.collect(renderer)
    short = (axis for axis in order if axis.extent is ONE and axis is not code.step)
    ones = tuple(axis for axis in short if axis not in axes)
    code.need_all((replace(piece, axes=(*piece.axes, *ones)),), order)
    whole = renderer.spread(piece, order)
    return f"{whole.inside(6)}.{kind}({code.layouts.dim(order)})"


def _leaves(term: Term) -> Iterator[Read]:
    """The elements that a term reads of arrays which the program holds."""
    for node in walk(term):
        if isinstance(node, Read):
            inner = definition(node)
            if inner is None:
                yield node
            else:
                yield from _leaves(inner)


def _states(code: LoopCode) -> list[Value]:
    return [carry.state for carry in code.scan.carries]


def _changed(code: LoopCode) -> set[str]:
    """The names whose tensors the loop changes in place."""
    return {
        node.target.id
        for node in everything_in(code.region.node)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
    }
