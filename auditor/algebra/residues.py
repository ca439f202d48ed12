"""Carried values that are remainders by a small number: with whole elements they take few values,
and what others ask of them is a table."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from auditor.algebra.choices import leaves
from auditor.algebra.finite import MOST_VALUES
from auditor.algebra.monoid import Part
from auditor.algebra.states import Dependence
from auditor.notation import Apply, Carry, Const, Read, Term, Value, transform, walk

_WHOLE = frozenset(("add", "sub", "neg", "mul"))


@dataclass(frozen=True, eq=False)
class Residues:
    """Carried values with remainders as choices among their few values."""

    carries: list[Carry]
    names: tuple[str, ...]

    def back(self, part: Part) -> Part:
        names = ", ".join(self.names)
        return replace(part, proof=f"{names} is a remainder of whole numbers: {part.proof}")


def residues(carries: Sequence[Carry], dependence: Dependence) -> Residues | None:
    """The carried values with the remainders that some of them are told apart, where others need
    these."""
    found: dict[Value, Carry] = {c.state: c for c in carries if _remains(c)}
    while True:
        kept = {s: c for s, c in found.items() if _inside(c, found.keys(), dependence)}
        if len(kept) == len(found):
            break
        found = kept
    if not found or len(found) == len(carries) == 1:
        return None

    def change(node: Term) -> Term:
        modulus = _modulus(node)
        if modulus is None or not dependence.mentions(node, found):
            return node
        return _told(_whole(node, dependence), modulus)

    told = [replace(carry, update=transform(carry.update, change)) for carry in carries]
    return Residues(told, tuple(carry.name for carry in found.values()))


def _remains(carry: Carry) -> bool:
    """Is a value always one of a few whole numbers from 0 on?"""
    ends = leaves(carry.update)
    moduli = [m for m in map(_modulus, ends) if m is not None]
    if not moduli or not isinstance(carry.init, Const) or type(carry.init.value) is not int:
        return False
    mine = Read(carry.state, ())
    return all(end is mine or _modulus(end) or _below(end, max(moduli)) for end in ends)


def _inside(carry: Carry, known: AbstractSet[Value], dependence: Dependence) -> bool:
    """Is each remainder one of whole numbers, as far as ``known`` values go?"""
    return all(
        dependence.states(end) <= known and all(_is_whole(node) for node in walk(end.args[0]))
        for end in leaves(carry.update)
        if isinstance(end, Apply) and _modulus(end) is not None
    )


def _is_whole(node: Term) -> bool:
    if isinstance(node, Const):
        return type(node.value) is int
    return isinstance(node, Read) or (isinstance(node, Apply) and node.op in _WHOLE)


def _modulus(term: Term) -> int | None:
    """By which small number a term is the remainder."""
    if not isinstance(term, Apply) or term.op not in ("mod", "bitand") or len(term.args) != 2:
        return None
    by = term.args[1].value if isinstance(term.args[1], Const) else None
    if type(by) is not int:
        return None
    number = by if term.op == "mod" else by + 1
    if term.op == "bitand" and number & by:
        return None
    return number if 2 <= number <= MOST_VALUES else None


def _below(term: Term, limit: int) -> bool:
    return isinstance(term, Const) and type(term.value) is int and 0 <= term.value < limit


def _whole(term: Term, dependence: Dependence) -> Term:
    """``term`` of inputs that are whole numbers: for others it raises."""

    def change(node: Term) -> Term:
        is_input = isinstance(node, Read) and not dependence.states(node)
        return Apply("index", (node,)) if is_input else node

    return transform(term, change)


def _told(remainder: Term, modulus: int) -> Term:
    """A remainder as a choice among what it can be."""
    out: Term = Const(modulus - 1)
    for number in reversed(range(modulus - 1)):
        out = Apply("where", (Apply("eq", (remainder, Const(number))), Const(number), out))
    return out
