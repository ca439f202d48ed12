"""A flag that is raised once an element is beyond the most that was reached before it: how far one
can jump, and the first place that is out of reach.

Of a piece it is enough to know the most that it reaches, and the largest of its elements' values
that it does not reach by itself: what is reached before it may still be enough for that one, and
then for all.
"""

from __future__ import annotations

import math

from auditor.algebra.choices import plain_truths
from auditor.algebra.extremes import with_extremes
from auditor.algebra.monoid import Part, field
from auditor.algebra.states import Dependence
from auditor.notation import FALSE, TRUE, Apply, Carry, Const, Read, Term

_OPPOSITE = {"gt": "le", "ge": "lt", "lt": "ge", "le": "gt"}
_MIRRORED = {"gt": "lt", "lt": "gt", "ge": "le", "le": "ge"}
_NOTHING = Const(float("-inf"))


def overtaken(carries: list[Carry], dependence: Dependence) -> Part | None:
    """A running maximum, and whether some element was beyond it."""
    if len(carries) != 2:
        return None
    carries = with_extremes(carries)
    for reach, flag in (carries, carries[::-1]):
        added = _added(reach, dependence)
        asked = _asked(flag, reach, added, dependence) if added is not None else None
        if added is not None and asked is not None:
            return _part(reach, flag, added, *asked)
    return None


def _added(reach: Carry, dependence: Dependence) -> Term | None:
    """What a maximum is taken with."""
    update, mine = reach.update, Read(reach.state, ())
    if not isinstance(update, Apply) or update.op != "max" or mine not in update.args:
        return None
    others = [arg for arg in update.args if arg is not mine]
    alone = len(others) == 1 and not dependence.states(others[0])
    return others[0] if alone else None


def _asked(
    flag: Carry, reach: Carry, added: Term, dependence: Dependence
) -> tuple[str, Term] | None:
    """How an element's value is beyond what was reached (``gt`` or ``ge``), and that value."""
    own = Read(reach.state, ())
    found = _raised(flag)
    if found is None or found[1] not in _OPPOSITE:
        return None
    condition, op = found
    value, limit = condition.args
    if dependence.states(value):
        value, limit, op = limit, value, _MIRRORED[op]
    if dependence.states(value) or not (op == "gt" or (op == "ge" and _finite(reach.init))):
        return None  # nothing is as large as what is infinite
    if limit is own:
        return op, value
    if limit is reach.update:
        return op, Apply("where", (Apply(op, (value, added)), value, _NOTHING))
    return None


def _finite(term: Term) -> bool:
    number = term.value if isinstance(term, Const) else None
    return isinstance(number, (int, float)) and math.isfinite(number)


def _raised(flag: Carry) -> tuple[Apply, str] | None:
    """The comparison for which a flag changes, and how it comes out then."""
    if flag.init not in (TRUE, FALSE):
        return None
    update, mine = plain_truths(flag.update, {flag.state}), Read(flag.state, ())
    rises = flag.init is FALSE
    if not isinstance(update, Apply) or update.op != ("or" if rises else "and"):
        return None
    others = [arg for arg in update.args if arg is not mine]
    if len(others) != 1 or len(update.args) != 2:
        return None
    (asked,) = others
    if isinstance(asked, Apply) and asked.op == "not":
        (asked,), rises = asked.args, not rises
    if not isinstance(asked, Apply) or asked.op not in _OPPOSITE:
        return None
    return asked, asked.op if rises else _OPPOSITE[asked.op]


def _part(reach: Carry, flag: Carry, added: Term, op: str, value: Term) -> Part:
    most = field(reach.name, f"{reach.name} of the piece alone", _NOTHING)
    beyond = field(f"{reach.name}_needed", "the largest that the piece does not reach by itself",
                   _NOTHING)  # fmt: skip

    def more(new: Term) -> Term:
        left = Apply("where", (Apply(op, (new, most.left)), new, _NOTHING))
        return Apply("max", (beyond.left, left))

    start = Read(reach.state, ()) if not isinstance(reach.init, Const) else reach.init
    raised: Term = Apply(op, (beyond.left, start))
    raised = raised if flag.init is FALSE else Apply("not", (raised,))
    return Part(
        (reach.state, flag.state), (most, beyond),
        (Apply("max", (most.left, added)), more(value)),
        (Apply("max", (most.left, most.right)), more(beyond.right)),
        (Apply("max", (start, most.left)), raised),
        "the largest that is out of reach",
        f"{flag.name} asks whether an element is beyond {reach.name}: what a piece does not reach "
        "by itself is out of reach where what was reached before it is less than the largest such",
        "exact",
    )  # fmt: skip
