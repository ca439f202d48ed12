"""Expanding the values that a loop body defines, so that a term shows what it depends on."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.lift.ranks import Unsupported
from auditor.notation import (
    Index,
    Order,
    Read,
    Reduce,
    Scan,
    Term,
    Trace,
    Value,
    children,
    definition,
    rebuild,
    through,
    walk,
)

Known = dict[Value | Scan, bool]


def depends(value: Value, step: Index, known: Known) -> bool:
    """Whether a value's definition reads ``step``, through other values. What was found out is
    kept in ``known``."""
    if value in known:
        return known[value]
    known[value] = False
    if value.kind == "state" or any(step in walk(axis.extent) for axis in value.axes):
        known[value] = True
    elif value.body is not None:
        known[value] = _term_depends(value.body, step, known)
    return known[value]


def _term_depends(body: Term, step: Index, known: Known) -> bool:
    for term in walk(body):
        if term is step or (isinstance(term, Read) and depends(term.value, step, known)):
            return True
        if isinstance(term, (Reduce, Order)) and step in walk(term.index.extent):
            return True
        if isinstance(term, Trace) and _scan_depends(term.scan, step, known):
            return True
    return False


def _scan_depends(scan: Scan, step: Index, known: Known) -> bool:
    """Whether a loop inside the loop over ``step`` reads it. Its own states, which nothing outside
    of it reads, do not count."""
    if scan.step is step:
        return False
    if scan not in known:
        known.update((carry.state, False) for carry in scan.carries)
        known[scan] = any(
            _term_depends(term, step, known)
            for term in (scan.step.extent, *(t for c in scan.carries for t in (c.init, c.update)))
        )
    return known[scan]


def inline(
    term: Term,
    step: Index,
    stop: dict[Value, Term] | None = None,
    within: Scan | None = None,
    varying: Iterable[Value] = (),
) -> Term:
    """Expand reads of derived values that depend on ``step``, on a state or on ``varying`` values.
    Reads of the values in ``stop`` stay, as do those of the states of ``within``."""
    return _Inlining(step, stop or {}, within, tuple(varying)).visit(term)


class _Inlining:
    """``inline`` for one step."""

    def __init__(
        self,
        step: Index,
        stop: dict[Value, Term],
        within: Scan | None,
        varying: tuple[Value, ...],
    ) -> None:
        self._step, self._stop, self._varying = step, stop, varying
        self._known: Known = dict.fromkeys(varying, True)
        if within is not None:
            self._known.update((carry.state, False) for carry in within.carries)
        self._done: dict[Term, Term] = {}
        self._scans: dict[Scan, Scan] = {}

    def visit(self, node: Term) -> Term:
        found = self._done.get(node)
        if found is not None:
            return found
        if (
            isinstance(node, Read)
            and node.value.body is not None
            and node.value not in self._stop
            and depends(node.value, self._step, self._known)
        ):
            inner = definition(node)
            result = self.visit(inner) if inner is not None else node
        else:
            below = children(node)
            parts = tuple([self.visit(part) for part in below])
            result = node if parts == below else rebuild(node, parts)
            if isinstance(result, Trace) and _scan_depends(result.scan, self._step, self._known):
                scan = self._through(result.scan)
                result = Trace(scan, result.slot, result.step, result.subs)
        self._done[node] = result
        return result

    def _through(self, scan: Scan) -> Scan:
        if scan not in self._scans:
            self._scans[scan] = through(
                scan, lambda part: inline(part, self._step, self._stop, scan, self._varying)
            )
        return self._scans[scan]


def settled(term: Term, step: Index) -> Term:
    """``term``, which must show all that it reads of ``step``: where it stands for every step at
    once, a definition that could not be expanded would go on reading one of them."""
    known: Known = {}
    for node in walk(term):
        if isinstance(node, Read) and node.value.kind != "state":
            if depends(node.value, step, known):
                raise Unsupported(f"`{node.value.name}` is read broadcast, its rank being unknown")
    return term
