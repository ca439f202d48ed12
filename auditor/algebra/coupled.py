"""Domains of several carried values at once: one matrix, a table, maxima of minima."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from auditor.algebra.affine import NotAffine, interpret
from auditor.algebra.choices import leaves
from auditor.algebra.finite import valuations, values_of
from auditor.algebra.lattice import lattice
from auditor.algebra.piecewise import NEGATIVE_INF
from auditor.algebra.scalars import as_scalars
from auditor.algebra.states import Dependence
from auditor.algebra.summary import LONGEST, Summary, fixed_width, letters
from auditor.algebra.tropical import boolean, tropical
from auditor.notation import ONE, ZERO, Carry, Const, Index, Read, Term, Trace, Value, walk


def joint_matrix(slots: tuple[int, ...], carries: Sequence[Carry], updates: Sequence[Term],
                 dependence: Dependence, step: Index) -> Summary | None:  # fmt: skip
    """Jointly affine: a matrix for each element, or over the states' axes under a sum."""
    scalar = as_scalars(carries, updates)
    carries, updates = scalar or (carries, updates)
    states = frozenset(carry.state for carry in carries)
    naming = letters(carries, updates, step)
    elements: dict[str, Term] = {}
    rows: list[str] = []
    summed = False
    for row, (carry, update) in enumerate(zip(carries, updates, strict=True)):
        found = interpret(update, states, dependence)
        for place, coefficient in found.coefficients.items():
            column = next(n for n, c in enumerate(carries) if c.state is place.state)
            if place.bound:
                summed = True
            elif not _shared(place.subs, carry.state.axes):
                read = naming.show(Read(place.state, place.subs))
                raise NotAffine(update, f"{carry.name} reads another element of the state, {read},")
            name = f"a{row}{column}"
            elements[name + "_" * sum(key.startswith(name) for key in elements)] = coefficient
        elements[f"b{row}"] = found.constant
        rows.append(f"{carry.name}' = {naming.show(update, LONGEST)}")
    size = "the axes summed over" if summed else f"{len(carries)} by {len(carries)}"
    return Summary(
        "matrix", slots, f"(A2, b2) . (A1, b1) = (A2 A1, A2 b1 + b2), A {size}", "(I, 0)",
        "jointly affine: " + "; ".join(rows), "conditioned", elements,
    )  # fmt: skip


def _shared(subs: tuple[Term, ...], axes: tuple[Index, ...]) -> bool:
    """Do the subscripts name some of the axes, in order?"""
    places = [axes.index(sub) for sub in subs if isinstance(sub, Index) and sub in axes]
    return len(places) == len(subs) and places == sorted(places)


def finite_control(slots: tuple[int, ...], carries: Sequence[Carry], updates: Sequence[Term],
                    dependence: Dependence) -> Summary | None:  # fmt: skip
    """Carries that take a few known values: a table over them."""
    scalar = as_scalars(carries, updates)
    if scalar is None or any(fixed_width(carry) for carry in carries):
        return None
    carries, updates = scalar
    values = values_of(carries, updates, dependence)
    if values is None:
        return None
    naming = letters(carries, updates, Index("t", ONE))
    rows = len(valuations(values))
    names = ", ".join(carry.name for carry in carries)
    taken = "; ".join(
        f"{carry.name} is one of {', '.join(map(str, values[carry.state]))}" for carry in carries
    )
    return Summary(
        "finite", slots, f"composes the tables of {rows} rows", "the table that changes nothing",
        f"{taken}: a step is a table from ({names}) to "
        f"({', '.join(naming.show(update, LONGEST) for update in updates)})", "exact",
        {f"next{row}": update for row, update in enumerate(updates)},
    )  # fmt: skip


def max_plus(slots: tuple[int, ...], carries: Sequence[Carry], updates: Sequence[Term],
             dependence: Dependence, step: Index) -> Summary | None:  # fmt: skip
    """Jointly linear over max-plus, with booleans as margins."""
    scalar = as_scalars(carries, updates)
    carries, updates = scalar or (carries, updates)
    booleans = {c.state for c, u in zip(carries, updates, strict=True) if boolean(c, u)}
    inner = any(isinstance(node, Trace) for update in updates for node in walk(update))
    if len(booleans) == len(carries) and not inner:
        return None  # a table
    found = tropical(carries, updates, dependence, booleans)
    if any(fixed_width(carry) for carry in carries) and not _unmoved(found.rows):
        raise NotAffine(updates[0], "integers that wrap around under a maximum")
    naming = letters(carries, updates, step)
    elements: dict[str, Term] = {}
    for row, carry in enumerate(carries):
        for source, coefficient in found.rows[carry.state].items():
            column = next((n for n, c in enumerate(carries) if c.state is source), None)
            elements[f"b{row}" if column is None else f"a{row}{column}"] = coefficient
    signs = [found.roles.signs[carry.state] for carry in carries]
    negated = [c.name for c, sign in zip(carries, signs, strict=True) if sign < 0]
    shown = "; ".join(
        f"{carry.name}' = {naming.show(update, LONGEST)}"
        for carry, update in zip(carries, updates, strict=True)
    )
    margins = [c.name for c in carries if c.state in booleans]
    said = f", {' and '.join(margins)} as the sign of a margin" if margins else ""
    said += f", with {' and '.join(negated)} negated" if negated else ""
    elements |= {f"sign{n}": Const(sign) for n, sign in enumerate(signs)}
    elements |= {
        f"inclusive{n}": Const(found.roles.inclusive.get(c.state, True))
        for n, c in enumerate(carries) if c.state in booleans
    }  # fmt: skip
    return Summary(
        "max-plus matrix", slots,
        f"(A2, b2) . (A1, b1) = (A2 A1, A2 b1 + b2) over max-plus, A {len(carries)} by "
        f"{len(carries)}", "(0 on the diagonal and -inf elsewhere, -inf)",
        f"jointly linear over max-plus{said}: {shown}", "reassociated", elements,
    )  # fmt: skip


def _unmoved(rows: Mapping[Value, Mapping[Value | None, Term]]) -> bool:
    """Is nothing added to a state?"""
    limits = (ZERO, NEGATIVE_INF)
    return all(
        all(leaf in limits for leaf in leaves(coefficient))
        for row in rows.values() for source, coefficient in row.items() if source is not None
    )  # fmt: skip


def ordered(slots: tuple[int, ...], carries: Sequence[Carry], updates: Sequence[Term],
            dependence: Dependence, step: Index) -> Summary | None:  # fmt: skip
    """Jointly a lattice: values that only exchange places."""
    scalar = as_scalars(carries, updates)
    if scalar is None:
        return None
    carries, updates = scalar
    found = lattice(carries, updates, dependence)
    naming = letters(carries, updates, step)
    places = {carry.state: n for n, carry in enumerate(carries)}
    elements: dict[str, Term] = {}
    for row, carry in enumerate(carries):
        for states, limit in found.coefficients[carry.state].items():
            columns = "".join(str(n) for n in sorted(places[s] for s in states))
            elements[f"c{row}_{columns}"] = limit
    kept = [f"{low.name} <= {high.name}" for low, high in found.kept]
    shown = "; ".join(
        f"{carry.name}' = {naming.show(update, LONGEST)}"
        for carry, update in zip(carries, updates, strict=True)
    )
    given = f" where {' and '.join(kept)}, which every step keeps" if kept else ""
    return Summary(
        "joint lattice", slots, "maxima of minima of states and inputs compose",
        "each state itself",
        f"jointly maxima of minima{given}: {shown}", "exact", elements,
    )  # fmt: skip
