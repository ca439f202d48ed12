"""What notation says of windows: of which array they are, along which axes, in which steps.

A window is an element ``x[.., i * step + w, ..]``: ``i`` counts the windows, ``w`` goes through
each.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.lift import extents
from auditor.lift.tables.windows import WINDOWS
from auditor.notation import Apply, Const, Index, Read, Reduce, Term, Value, definition
from auditor.rewrite import Site


@dataclass(frozen=True)
class Window:
    """Windows along one axis of an array."""

    count: Index
    within: Index
    step: Term


@dataclass(frozen=True)
class Slid:
    """An element of windows of ``array``: what its axes are read at, and the views that laid the
    windows out, the first one last. ``across`` says that the sizes are others than those of the
    views: what is gone through are not the elements of each window but the windows, with one
    element of each."""

    array: Value
    subs: tuple[Index | Window, ...]
    views: tuple[Value, ...]
    across: bool

    @property
    def windows(self) -> tuple[Window, ...]:
        return tuple(sub for sub in self.subs if isinstance(sub, Window))

    @property
    def kept(self) -> tuple[Index, ...]:
        """The axes along which there are no windows."""
        return tuple(sub for sub in self.subs if isinstance(sub, Index))

    @property
    def places(self) -> list[int]:
        """The axes along which there are."""
        return [place for place, sub in enumerate(self.subs) if isinstance(sub, Window)]

    @property
    def axes(self) -> tuple[Index, ...]:
        """Those of an array with an element for each window, as they come."""
        return tuple(sub.count if isinstance(sub, Window) else sub for sub in self.subs)

    @property
    def within(self) -> frozenset[Index]:
        return frozenset(window.within for window in self.windows)

    @property
    def counts(self) -> tuple[Index, ...]:
        return tuple(window.count for window in self.windows)


def slid(term: Term, within: frozenset[Index]) -> Slid | None:
    """The windows that an element is of, or None; ``within`` are the indices that may go through
    them, and nothing else does."""
    if not isinstance(term, Read) or term.aligned:
        return None
    views: list[Value] = []
    across = False
    at: Term | None = term
    while isinstance(at, Read) and not at.aligned:
        if at.value.made is not None and at.value.made[0] == WINDOWS:
            views.append(at.value)
            across |= not within.issuperset(at.subs[len(at.value.made[1].axes) :])
        elif views:
            break
        at = definition(at)
    if not isinstance(at, Read) or at.aligned or not views:
        return None
    subs: list[Index | Window] = []
    for sub in at.subs:
        read = sub if isinstance(sub, Index) and not sub.group else _window(sub, within)
        if read is None:
            return None
        subs.append(read)
    found = Slid(at.value, tuple(subs), tuple(views), across)
    indices = [*found.axes, *(window.within for window in found.windows)]
    return found if found.windows and len(set(indices)) == len(indices) else None


def _window(sub: Term, within: frozenset[Index]) -> Window | None:
    """``i * step + w`` with ``w`` among ``within``."""
    parts = extents.polynomial(sub)
    inner = [atoms[0] for atoms in parts if len(atoms) == 1 and atoms[0] in within]
    if len(parts) != 2 or len(inner) != 1 or parts[(inner[0],)] != 1:
        return None
    ((atoms, factor),) = (part for part in parts.items() if part[0] != (inner[0],))
    counts = [atom for atom in atoms if isinstance(atom, Index)]
    if len(counts) != 1 or counts[0] in within or not isinstance(inner[0], Index):
        return None
    rest = [atom for atom in atoms if atom is not counts[0]]
    return Window(counts[0], inner[0], extents.mul(Const(factor), *rest))


def computed(site: Site) -> Value | None:
    """The value that an expression outside of loops computes, or takes out of a pair, as
    ``x.max(-1).values`` does; None where it only names one."""
    node, value, module = site.node, site.value, site.lifted.module
    if site.loop is not None or node is None or site.statement is None or value is None:
        return None
    spans = [module.span(node)]
    if isinstance(node, (ast.Attribute, ast.Subscript)):
        spans.append(module.span(node.value))
    return value if value.span in spans else None


def folded(term: Term, op: str) -> tuple[Term, tuple[Index, ...]]:
    """What a term folds by ``op``, by whatever names, and over which indices."""
    term = opened(term)
    indices: list[Index] = []
    while isinstance(term, Reduce) and term.op == op:
        indices.append(term.index)
        term = term.body
    return term, tuple(indices)


def opened(term: Term) -> Term:
    """What a term reads that has a definition; itself where it reads what has none."""
    at: Term | None = term
    while isinstance(at, Read) and not at.aligned:
        at = definition(at)
    return term if at is None else at


def product(term: Term) -> tuple[Term, Term] | None:
    """The two factors that a term is the product of, by whatever names."""
    at = opened(term)
    if isinstance(at, Apply) and at.op == "mul" and len(at.args) == 2:
        return at.args[0], at.args[1]
    return None
