"""Which operations an array is computed with, whatever names stand between.

Most patterns are told to be absent by one operation that they need, long before they are read.
"""

from __future__ import annotations

from auditor.lift import Lifted
from auditor.notation import Apply, Read, Reduce, Value, walk


def operations(lifted: Lifted, value: Value) -> frozenset[str]:
    """The operations in the definition of a value and of all that this reads, those that fold an
    axis as ``fold sum``. Worked out once for each value of a function."""
    known: dict[Value, frozenset[str]] = lifted.once.setdefault("operations", {})
    waiting = [value]
    while waiting:
        at = waiting[-1]
        terms = [] if at in known or at.body is None else list(walk(at.body))
        read = {term.value for term in terms if isinstance(term, Read)}
        more = [one for one in read if one not in known]
        if more:
            waiting += more
            continue
        if at not in known:
            own = {term.op for term in terms if isinstance(term, Apply)}
            own |= {f"fold {term.op}" for term in terms if isinstance(term, Reduce)}
            known[at] = frozenset(own).union(*(known[one] for one in read))
        waiting.pop()
    return known[value]
