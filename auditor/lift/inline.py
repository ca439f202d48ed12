"""Expanding the values that a loop body defines, so that a term shows what it depends on."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.notation import Index, Read, Term, Value, children, definition, rebuild, walk


def depends(value: Value, step: Index, known: dict[Value, bool]) -> bool:
    """Whether a value's definition reads ``step``, through other values."""
    if value in known:
        return known[value]
    known[value] = False
    if value.kind == "state":
        known[value] = True
    elif value.body is not None:
        for term in walk(value.body):
            if term is step or (isinstance(term, Read) and depends(term.value, step, known)):
                known[value] = True
                break
    return known[value]


def inline(
    term: Term,
    step: Index,
    stop: dict[Value, Term] | None = None,
    varying: Iterable[Value] = (),
) -> Term:
    """Expand reads of derived values that depend on ``step``, on a state or on ``varying`` values.
    Reads of the values in ``stop`` stay."""
    known: dict[Value, bool] = dict.fromkeys(varying, True)
    done: dict[Term, Term] = {}

    def visit(node: Term) -> Term:
        found = done.get(node)
        if found is not None:
            return found
        if (
            isinstance(node, Read)
            and node.value.body is not None
            and not (stop and node.value in stop)
            and depends(node.value, step, known)
        ):
            inner = definition(node)
            result = visit(inner) if inner is not None else node
        else:
            below = children(node)
            parts = tuple(visit(part) for part in below)
            same = all(new is old for new, old in zip(parts, below, strict=True))
            result = node if same else rebuild(node, parts)
        done[node] = result
        return result

    return visit(term)
