"""Everything that a term rests on: through definitions, loops and extents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from auditor.algebra.polynomial import Poly, parts
from auditor.notation import (
    Index,
    Order,
    Read,
    Reduce,
    Scan,
    Term,
    Trace,
    Value,
    definition,
    walk,
)


def everything(terms: Iterable[Term], sizes: bool = True) -> Iterator[Term]:
    """Every subterm, through definitions, loops and, with ``sizes``, extents; each once."""
    seen: set[Term] = set()
    done: set[Value | Scan] = set()
    stack = list(terms)
    while stack:
        for node in walk(stack.pop()):
            if node in seen:
                continue
            seen.add(node)
            yield node
            if isinstance(node, Index):
                stack += [node.extent] * sizes
            elif isinstance(node, (Reduce, Order)):
                stack.append(node.index)
            elif isinstance(node, Read) and node.value not in done:
                done.add(node.value)
                stack.extend(node.value.axes)
                if node.value.body is not None:
                    stack.append(node.value.body)
            elif isinstance(node, Trace) and node.scan not in done:
                done.add(node.scan)
                stack.append(node.scan.step)
                for carry in node.scan.carries:
                    stack.extend((*carry.state.axes, carry.init, carry.update))


def computed(term: Term) -> Term:
    """What is computed, through all names."""
    while isinstance(term, Read) and (body := definition(term)) is not None:
        term = body
    return term


def element(term: Term) -> Term:
    """The element of the array that a term is, through what only picks from that."""
    while isinstance(term, Read) and isinstance(body := definition(term), Read):
        term = body
    return term


def values_in(p: Any) -> set[Value]:
    """The values whose elements are atoms of a normal form."""
    found: set[Value] = set()
    seen: set[Any] = set()
    stack = [p]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, Poly):
            stack.extend(atom for factors in node.terms for atom, _ in factors)
        else:
            if node.kind == "read":
                found.add(node.args[0])
            stack.extend(parts(node.args))
            if node.kind in ("exp", "pow"):
                stack.extend(atom for atom, _ in node.args[-1])
    return found
