"""Counters that go down by one only where they are not 0: whole numbers that are never negative, so
that `n - 1 if n > 0 else n` is `max(n - 1, 0)`, and whether `n` is 0 is `max(1 - n, 0)`."""

from __future__ import annotations

from auditor.notation import ONE, ZERO, Apply, Carry, Const, Read, Scan, Term, transform


def with_floors(scan: Scan) -> Scan:
    """The loop with the floor of each counter said as a maximum."""
    counters = [c for c in scan.carries if _natural(c.init) and _counts(c.update, c, False)]

    def change(node: Term) -> Term:
        for counter in counters:
            node = _floored(node, counter)
        return node

    carries = [
        Carry(carry.name, carry.state, carry.init, transform(carry.update, change))
        for carry in scan.carries
    ] if counters else scan.carries  # fmt: skip
    if all(one.update is other.update for one, other in zip(carries, scan.carries, strict=True)):
        return scan
    out = Scan(scan.step, scan.span)
    out.carries = tuple(carries)
    return out


def _natural(term: Term) -> bool:
    return isinstance(term, Const) and type(term.value) is int and term.value >= 0


def _counts(term: Term, carry: Carry, positive: bool) -> bool:
    """Does a counter stay a whole number that is not negative, where it is ``positive`` before?"""
    mine = Read(carry.state, ())
    if term is mine or _natural(term):
        return True
    if not isinstance(term, Apply):
        return False
    if term.op == "where":
        sides = _where_positive(term.args[0], carry)
        return all(
            _counts(arg, carry, positive or side)
            for arg, side in zip(term.args[1:], sides, strict=True)
        )
    if term.op == "add" and mine in term.args and len(term.args) == 2:
        return any(_natural(arg) for arg in term.args)
    return positive and term is Apply("sub", (mine, ONE))


def _where_positive(condition: Term, carry: Carry) -> tuple[bool, bool]:
    """Is the counter above 0 where a condition holds, and where it does not?"""
    mine = Read(carry.state, ())
    above = (mine, Apply("gt", (mine, ZERO)), Apply("lt", (ZERO, mine)), Apply("ne", (mine, ZERO)),
             Apply("ge", (mine, ONE)), Apply("le", (ONE, mine)))  # fmt: skip
    none = (Apply("eq", (mine, ZERO)), Apply("le", (mine, ZERO)), Apply("ge", (ZERO, mine)),
            Apply("lt", (mine, ONE)), Apply("gt", (ONE, mine)))  # fmt: skip
    return condition in above, condition in none


def _floored(node: Term, carry: Carry) -> Term:
    """A step down, where there is one, as a maximum."""
    if not isinstance(node, Apply) or node.op != "where":
        return node
    then, other = _where_positive(node.args[0], carry)
    if not then and not other:
        return node
    mine = Read(carry.state, ())
    down = Apply("sub", (mine, ONE))
    some, none = node.args[1:] if then else node.args[:0:-1]
    if some is down and none in (mine, ZERO):
        return Apply("max", (down, ZERO))
    if none is Apply("add", (some, ONE)):  # counts how often there was nothing
        return Apply("add", (some, Apply("max", (Apply("sub", (ONE, mine)), ZERO))))
    if some is Apply("add", (none, ONE)):  # and how often there was something
        return Apply("add", (none, Apply("min", (mine, ONE))))
    return node
