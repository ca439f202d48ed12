"""Truth values that are put together bit by bit: ``ok &= x > 0`` is ``ok = ok and x > 0``."""

from __future__ import annotations

from auditor.algebra.choices import truth
from auditor.notation import FALSE, TRUE, Apply, Carry, Scan, Term, Value, transform

_CONNECTIVES = {"bitand": "and", "bitor": "or"}


def with_connectives(scan: Scan) -> Scan:
    """The loop with connectives where bits of truth values are put together."""
    flags = _flags(scan)

    def change(node: Term) -> Term:
        if not isinstance(node, Apply) or node.op not in _CONNECTIVES:
            return node
        if not all(truth(arg, flags) for arg in node.args):
            return node
        return Apply(_CONNECTIVES[node.op], node.args)

    updates = [transform(carry.update, change) for carry in scan.carries]
    if all(new is carry.update for new, carry in zip(updates, scan.carries, strict=True)):
        return scan
    out = Scan(scan.step, scan.span)
    out.carries = tuple(
        Carry(c.name, c.state, c.init, update)
        for c, update in zip(scan.carries, updates, strict=True)
    )
    return out


def _flags(scan: Scan) -> set[Value]:
    """The carried values that begin as a truth value and stay one."""
    found = {c.state for c in scan.carries if c.init in (TRUE, FALSE)}
    while True:
        kept = {c.state for c in scan.carries if c.state in found and truth(c.update, found)}
        if kept == found:
            return found
        found = kept
