"""Tables that are linear over the field of two elements: the entry of a number is the sum modulo 2
of the entries of its bits, as in every checksum that takes a byte at a time.

Source: Sarwate, "Computation of cyclic redundancy checks via table look-up", CACM 31 (1988).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from auditor.algebra.states import Dependence
from auditor.notation import ONE, Apply, Const, Read, Term, Value, transform, walk

Tables = Mapping[str, Sequence[int]]


def columns(table: Sequence[int]) -> tuple[int, ...] | None:
    """The entries of the powers of two, if every entry is the sum of those of its bits and of the
    first one; None otherwise, also where there are not a power of two."""
    places = len(table).bit_length() - 1
    if len(table) != 1 << places or min(table) < 0:
        return None
    found = tuple(table[1 << place] ^ table[0] for place in range(places))
    for number, entry in enumerate(table):
        set_bits = (column for place, column in enumerate(found) if number >> place & 1)
        if reduce(int.__xor__, set_bits, table[0]) != entry:
            return None
    return found


def tables_in(term: Term, states: frozenset[Value]) -> set[str]:
    """The names of what is looked up with a key that rests on the state."""
    dependence = Dependence()
    return {
        node.value.name
        for node in walk(term)
        if isinstance(node, Read) and node.value.kind == "free" and len(node.subs) == 1
        and dependence.mentions(node.subs[0], states)
    }  # fmt: skip


def as_bits(term: Term, tables: Tables) -> Term:
    """``term`` with each lookup in a linear table as a sum over the bits of the key: those above
    the table's, which no list has an entry for, are those of a key that counts from the end."""

    def looked_up(node: Term) -> Term:
        if not isinstance(node, Read) or node.value.kind != "free" or len(node.subs) != 1:
            return node
        table = tables.get(node.value.name)
        found = None if table is None else columns(table)
        if table is None or found is None:
            return node
        (key,) = node.subs
        parts: list[Term] = [Const(table[0])]
        for place, column in enumerate(found):
            bit = Apply("bitwise_and", (Apply("bitwise_right_shift", (key, Const(place))), ONE))
            parts.append(Apply("mul", (bit, Const(column))))
        return reduce(lambda one, other: Apply("bitwise_xor", (one, other)), parts)

    return transform(term, looked_up)
