"""The first few elements that meet a condition, kept in a list until it is full."""

from __future__ import annotations

from collections.abc import Callable

from auditor.algebra.monoid import Field, Part, field, free
from auditor.algebra.semirings import SUMS
from auditor.algebra.sequences import EMPTY
from auditor.algebra.states import Dependence
from auditor.notation import NONE, ONE, TRUE, Apply, Carry, Const, Read, Term, Value, walk

FIRST_FEW = "the first few elements"
_LENGTH, _CUT = "call:len(_0)", "call:_0[:_1]"
_NEGATED = {"lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}
_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def capped(
    carries: list[Carry], dependence: Dependence, varying: Callable[[Value], bool], taken: set[str]
) -> Part | None:
    """A list that grows while it is shorter than a limit."""
    if len(carries) != 1:
        return None
    (carry,) = carries
    if not isinstance(carry.init, Read) or carry.init.value.name != "[]":
        return None
    found = _grown(carry, dependence)
    if found is None:
        return None
    condition, limit, added = found
    read = [node for node in walk(limit) if isinstance(node, Read)]
    if any(varying(node.value) for node in read) or dependence.mentions(added, (carry.state,)):
        return None
    kept = field(carry.name, f"the first of the piece, as many as {carry.name} may hold", EMPTY)
    grown = Apply("concat", (kept.left, added))
    full = Apply("lt", (Apply(_LENGTH, (kept.left,)), limit))
    asked = full if condition is TRUE else Apply("and", (condition, full))
    fields, most = [kept], limit
    update: list[Term] = [Apply("where", (asked, grown, kept.left))]
    if not isinstance(limit, Const):
        said = field(free(f"{carry.name}_limit", taken), f"how many {carry.name} may hold", NONE)
        fields, update = [kept, said], [*update, limit]
        most = _either(said)
    both = Apply(_CUT, (Apply("concat", (kept.left, kept.right)), most))
    combine = [both, *(_either(one) for one in fields[1:])]
    return Part(
        (carry.state,), tuple(fields), tuple(update), tuple(combine), (kept.left,),
        FIRST_FEW,
        f"{carry.name} grows until it is full: of two pieces it holds the first of both together",
        "exact",
    )  # fmt: skip


def _either(one: Field) -> Term:
    """What the piece that has elements says."""
    return Apply("where", (Apply("is", (one.left, NONE)), one.right, one.left))


def _grown(carry: Carry, dependence: Dependence) -> tuple[Term, Term, Term] | None:
    """When an element is looked at, how long the list may be, and what is put after it."""
    update, mine = carry.update, Read(carry.state, ())
    if not isinstance(update, Apply) or update.op != "where":
        return None
    test, then, other = update.args
    if then is mine:
        test, then, other = Apply("not", (test,)), other, then
    if other is not mine:
        return None
    if isinstance(then, Apply) and then.op == "where":
        inner = _grown(Carry(carry.name, carry.state, carry.init, then), dependence)
        if inner is None or dependence.mentions(test, (carry.state,)):
            return None
        condition, limit, added = inner
        return test if condition is TRUE else Apply("and", (test, condition)), limit, added
    if not isinstance(then, Apply) or then.op != "concat" or then.args[0] is not mine:
        return None
    found = _asked(test, mine, dependence)
    return None if found is None else (*found, then.args[1])


def _asked(test: Term, mine: Read, dependence: Dependence) -> tuple[Term, Term] | None:
    """A condition on the element alone, and the length from which on the list is full."""
    if not isinstance(test, Apply):
        return None
    if test.op == "and":
        for free_one, other in (test.args, test.args[::-1]):
            if not dependence.mentions(free_one, (mine.value,)):
                found = _asked(other, mine, dependence)
                if found is None:
                    return None
                condition, limit = found
                whole = free_one if condition is TRUE else Apply("and", (free_one, condition))
                return whole, limit
        return None
    op, inner = test.op, test
    if op == "not" and isinstance(test.args[0], Apply):
        inner = test.args[0]
        if inner.op == "or":
            sides = (Apply("not", (arg,)) for arg in inner.args)
            return _asked(Apply("and", tuple(sides)), mine, dependence)
        op = _NEGATED.get(inner.op, "")
    if op not in _MIRRORED or len(inner.args) != 2:
        return None
    length = Apply(_LENGTH, (mine,))
    a, b = inner.args
    if b is length:
        a, b, op = b, a, _MIRRORED[op]
    if a is not length or op not in ("lt", "le") or dependence.mentions(b, (mine.value,)):
        return None
    return TRUE, b if op == "lt" else SUMS.add(b, ONE)
