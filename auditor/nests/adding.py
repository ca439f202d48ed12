"""What a cell is made of that steps add to: ``old + e``, its terms and factors."""

from __future__ import annotations

from auditor.notation import ZERO, Apply, Const, Read, Reduce, Term, Value, transform, walk


def subs_of(term: Term, old: Value) -> tuple[Term, ...]:
    """Where a term reads what the cell held."""
    return next(n.subs for n in walk(term) if isinstance(n, Read) and n.value is old)


def given(term: Term, old: Value, before: Term) -> Term:
    """``term`` where ``old`` is what another term says."""

    def change(node: Term) -> Term:
        return before if isinstance(node, Read) and node.value is old else node

    return transform(term, change)


def summands(term: Term) -> list[Term]:
    """What a sum adds or subtracts."""
    if isinstance(term, Apply) and term.op == "add":
        return [part for arg in term.args for part in summands(arg)]
    if isinstance(term, Apply) and term.op == "sub":
        return [*summands(term.args[0]), *summands(term.args[1])]
    if isinstance(term, Apply) and term.op == "neg":
        return summands(term.args[0])
    return [term]


def factors(term: Term) -> list[Term]:
    """The factors and divisors of a product."""
    if isinstance(term, Apply) and term.op in ("mul", "neg"):
        return [part for arg in term.args for part in factors(arg)]
    if isinstance(term, Apply) and term.op == "div":
        return [*factors(term.args[0]), term.args[1]]
    return [term]


def nested_sums(term: Term) -> list[Reduce]:
    """Sums of sums, from the outermost on."""
    found = []
    at = term
    while isinstance(at, Reduce):
        found.append(at)
        at = at.body
    return found


def added_to(term: Term, old: Value) -> Term | None:
    """e of ``old + e``; None where the term is no such sum."""
    if isinstance(term, Read) and term.value is old:
        return ZERO
    if not isinstance(term, Apply) or term.op not in ("add", "sub"):
        return None
    left, right = term.args
    if mentions(left, old) and not mentions(right, old):
        inner = added_to(left, old)
        more = right if term.op == "add" else Apply("neg", (right,))
    elif mentions(right, old) and not mentions(left, old) and term.op == "add":
        inner, more = added_to(right, old), left
    else:
        return None
    if inner is None:
        return None
    return more if inner is ZERO else Apply("add", (inner, more))


def added_at_times(term: Term, old: Value) -> Term | None:
    """e of ``old + e`` where steps choose whether to add, and what: e is 0 where they do not."""
    if isinstance(term, Read) and term.value is old:
        return ZERO
    if not mentions(term, old) or not isinstance(term, Apply):
        return None
    if term.op == "choose" and not mentions(term.args[0], old):
        ways = [added_at_times(way, old) for way in term.args[1:]]
        if ways[0] is None or ways[1] is None:
            return None
        test, one, other = term.args[0], ways[0], ways[1]
        return Apply("choose", (test, one, other))
    if term.op not in ("add", "sub") or mentions(term.args[1], old):
        return None
    inner, more = added_at_times(term.args[0], old), term.args[1]
    if inner is None:
        return None
    if inner is ZERO:
        return more if term.op == "add" else Apply("neg", (more,))
    return Apply(term.op, (inner, more))


def or_nothing(term: Term) -> Term:
    """What is added, where that is chosen to be something or 0, as what a condition leaves."""
    if not isinstance(term, Apply) or term.op != "choose":
        return term
    test, one, other = term.args
    nothing = isinstance(other, Const) and type(other.value) in (int, float) and other.value == 0
    return Apply("choose", (test, one, ZERO)) if nothing else term


def combined(term: Term, old: Value) -> tuple[str, Term] | None:
    """(op, e) of ``old op e``, where any order of steps gives the same, or ``set`` to one number;
    None if there is none."""
    if isinstance(term, Const):
        return "set", term
    added = added_to(term, old)
    if added is not None:
        return "add", added
    if isinstance(term, Apply) and term.op in ("max", "min") and len(term.args) == 2:
        for mine, other in (term.args, term.args[::-1]):
            if isinstance(mine, Read) and mine.value is old and not mentions(other, old):
                return term.op, other
    return None


def mentions(term: Term, old: Value) -> bool:
    """Whether a term reads what the cell held."""
    return any(isinstance(node, Read) and node.value is old for node in walk(term))
