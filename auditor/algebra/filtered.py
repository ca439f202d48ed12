"""Elements that a step leaves out: where a condition on the element alone keeps every carried value
as it is, the loop is that over the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from auditor.algebra.monoid import Part
from auditor.algebra.states import Dependence
from auditor.notation import FALSE, TRUE, Apply, Carry, Const, Read, Term, transform


def filtered(
    carries: list[Carry],
    dependence: Dependence,
    part_of: Callable[[list[Carry]], Part | None],
) -> Part | None:
    """The part of the elements that are not left out."""
    update = carries[0].update
    if not isinstance(update, Apply) or update.op != "where":
        return None
    condition = update.args[0]
    states = {carry.state for carry in carries}
    if dependence.mentions(condition, states):
        return None
    for answer in (TRUE, FALSE):
        left_out = FALSE if answer is TRUE else TRUE
        if any(_where(c.update, condition, left_out) is not Read(c.state, ()) for c in carries):
            continue
        taken = [replace(c, update=_where(c.update, condition, answer)) for c in carries]
        part = part_of(taken)
        if part is None:
            return None
        asked = condition if answer is TRUE else Apply("not", (condition,))
        own = [field.left for field in part.fields]
        steps = (
            Apply("where", (asked, new, old)) for new, old in zip(part.update, own, strict=True)
        )
        return replace(part, update=tuple(steps))
    return None


def _where(term: Term, condition: Term, answer: Const) -> Term:
    def change(node: Term) -> Term:
        if isinstance(node, Apply) and node.op == "where" and node.args[0] is condition:
            return node.args[1 if answer is TRUE else 2]
        return node

    return transform(term, change)
