"""What may be computed at every step though a step of the loop computes it only at times: it has a
value whatever it is given, warns of nothing, and has a gradient that is a number."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.lift import extents
from auditor.nests.parts import lookups
from auditor.notation import Apply, Const, Read, Reduce, Symbol, Term, Value, walk

_TOTAL = frozenset(
    "add sub mul neg abs max min clamp relu sign square choose where "
    "lt le gt ge eq ne and or not".split()
)


def everywhere(term: Term, always: frozenset[Term] = frozenset()) -> bool:
    """Whether a term may be computed at every step, given what ``always`` is computed."""
    if term in always or isinstance(term, (Const, Symbol)):
        return True
    if isinstance(term, Read):
        places = zip(term.subs, term.value.axes, strict=True)
        return all(not lookups(sub) or goes_round(sub, axis.extent) for sub, axis in places)
    if not isinstance(term, Apply) or not (term.op in _TOTAL or _whole_power(term)):
        return False
    return all(everywhere(arg, always) for arg in term.args)


def _whole_power(term: Apply) -> bool:
    """``x**2``, ``x**3``: a product, by another name."""
    power = term.args[-1] if term.op == "pow" else None
    return isinstance(power, Const) and type(power.value) is int and power.value > 0


def goes_round(place: Term, size: Term) -> bool:
    """Whether a place is counted modulo the length of its axis, ``(i + 1) % n``: it is always one
    of the axis."""
    if not isinstance(place, Apply) or place.op != "mod":
        return False
    reads = any(isinstance(node, Read) and node.subs for node in walk(place))
    return not reads and extents.canonical(place.args[1]) == extents.canonical(size)


def surely(term: Term) -> frozenset[Term]:
    """The parts of a term of which it is made at every step; conditions are none of them, as what
    it is made of has a gradient."""
    if not isinstance(term, Apply):
        return frozenset((term,))
    if term.op == "choose":
        return surely(term.args[1]) & surely(term.args[2])
    made = term.args[1:] if term.op == "where" else term.args
    return frozenset((term,)).union(*map(surely, made))


def protected(term: Term) -> set[Read]:
    """The elements that not every step reads."""
    made = set(_read(term))
    return {node for node in walk(term) if isinstance(node, Read)} - made


def untouched(term: Term, old: Value) -> set[Read]:
    """What some step leaves as it is, ``old``, and need not have a place for."""
    choices = (node for node in walk(term) if isinstance(node, Apply) and node.op == "choose")
    return {
        way for node in choices for way in node.args[1:]
        if isinstance(way, Read) and way.value is old
    }  # fmt: skip


def _read(term: Term) -> Iterator[Read]:
    """The elements that every step reads."""
    if isinstance(term, Read):
        yield term
        yield from (node for sub in term.subs for node in walk(sub) if isinstance(node, Read))
    elif isinstance(term, Reduce):
        yield from _read(term.body)
    elif isinstance(term, Apply) and term.op == "choose":
        yield from _read(term.args[0])
        yield from set(_read(term.args[1])) & set(_read(term.args[2]))
    elif isinstance(term, Apply):
        for arg in term.args[:1] if term.op in ("and", "or") else term.args:
            yield from _read(arg)
