"""A monoid from derived coordinates: functions of the carried values that a step merely adds to.

``auditor.algebra.lifting`` finds and proves the coordinates; here they are solved for the carried
values, so that a combine says what each is after two pieces.
"""

from __future__ import annotations

from typing import Any

from auditor.algebra.domains import summarise
from auditor.algebra.joint import one_pass
from auditor.algebra.monoid import Part, field, renamed
from auditor.algebra.summary import Refused, Summary
from auditor.algebra.symbols import Symbols
from auditor.notation import ZERO, Apply, Carry, Const, Read, Scan, Term, Value, walk


def coordinates(scan: Scan, carries: list[Carry]) -> Part | None:
    """The summary of some carried values by coordinates, or None."""
    sub = Scan(scan.step)
    sub.carries = tuple(carries)
    stages = summarise(sub)
    if any(isinstance(stage, Refused) for stage in stages):
        return None
    if all(isinstance(stage, Summary) and stage.domain in ("max", "min") for stage in stages):
        return None  # nothing is added to
    found = one_pass(sub, [stage for stage in stages if isinstance(stage, Summary)])
    if found is None or found.domain != "lifted":
        return None
    kinds = {
        stage.state[0]: stage.domain
        for stage in stages
        if isinstance(stage, Summary) and stage.domain in ("max", "min") and len(stage.state) == 1
    }
    solved = [name[len("coordinate ") :] for name in found.elements if name.startswith("coord")]
    keys = {c.name: kinds[n] for n, c in enumerate(carries) if c.name not in solved}
    identities: dict[str, Term] = {
        **{name: Const(float("-inf" if kind == "max" else "inf")) for name, kind in keys.items()},
        **dict.fromkeys(solved, ZERO),
    }
    by_name = {carry.name: carry for carry in carries}
    for name, identity in identities.items():
        init = by_name[name].init
        if not isinstance(init, Const) or init.value != identity.value:  # type: ignore[attr-defined]
            return None
        identities[name] = init
    fields = {
        c.name: field(c.name, f"{c.name} of the piece alone", identities[c.name]) for c in carries
    }
    combined: dict[str, Term] = {
        name: Apply(kind, (fields[name].left, fields[name].right)) for name, kind in keys.items()
    }
    for name in solved:
        phi = found.elements[f"coordinate {name}"]
        term = _solved(phi, name, list(fields), fields, combined)
        if term is None:
            return None
        combined[name] = term
    order = [*keys, *solved]
    own = {by_name[name].state: fields[name].left for name in order}
    return Part(
        tuple(by_name[name].state for name in order),
        tuple(fields[name] for name in order),
        tuple(renamed(by_name[name].update, own) for name in order),
        tuple(combined[name] for name in order),
        tuple(fields[name].left for name in order),
        "derived coordinates",
        found.proof.removeprefix("one pass: "),
        "conditioned" if _divides(combined) else "reassociated",
        guarded=True,
    )


def _divides(combined: dict[str, Term]) -> bool:
    return any(
        isinstance(node, Apply) and node.op in ("div", "exp")
        for term in combined.values()
        for node in walk(term)
    )


def _solved(
    phi: Term, name: str, names: list[str], fields: dict[str, Any], combined: dict[str, Term]
) -> Term | None:
    """The carried value after two pieces, from phi(both) = phi(left) + phi(right)."""
    import sympy

    symbols = Symbols()
    values = _values(phi)
    left = {values[n]: fields[n].left for n in names if n in values}
    right = {values[n]: fields[n].right for n in names if n in values}
    whole = {values[n]: combined[n] for n in names if n in values and n in combined}
    unknown = symbols.symbol(Read(values[name], ()))
    both = symbols.of(renamed(phi, left)) + symbols.of(renamed(phi, right))
    # what is known of both pieces stays one symbol, so that the solution can use its name
    named = {state: Read(Value(f"both_{state.name}", (), kind="state"), ()) for state in whole}
    equation = symbols.of(renamed(phi, dict(named))) - both
    lead = sympy.diff(equation, unknown)
    if lead == 0 or lead.has(unknown):
        return None
    rest = sympy.expand(-(equation - lead * unknown) / lead)
    own = symbols.of(fields[name].left) + symbols.of(fields[name].right)
    back = {symbols.symbol(new): symbols.of(whole[state]) for state, new in named.items()}
    rational = not rest.has(sympy.exp)
    if rational and lead == 1:
        # what is not the two values themselves, in one fraction: Chan's form of Welford's squares
        beside = sympy.factor(sympy.together((rest - own).subs(back)))
        rest = own + beside
        for symbol, meaning in back.items():
            rest = rest.subs(meaning, symbol)
    elif rational:
        rest = sympy.together(rest)
    else:
        rest = sympy.powsimp(rest)
    for state, new in named.items():
        symbols.mean(symbols.symbol(new), whole[state])
    return symbols.term(rest)


def _values(phi: Term) -> dict[str, Value]:
    return {node.value.name: node.value for node in walk(phi) if isinstance(node, Read)}
