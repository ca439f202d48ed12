"""Parts of an array that are shifted, weighted and added up: convolutions that are spelled tap by
tap.

sum(x[:, k : k + n] * w[:, k] for k in range(size))

is ``sum_k x[b, i + k, c] w[c, k]``, whose taps may be apart (``i + d k``) or be taken from the last
one on (``i + size - 1 - k``).
"""

from __future__ import annotations

from dataclasses import dataclass

from auditor.algebra.subterms import computed, element
from auditor.lift import extents
from auditor.lift.facts import Facts
from auditor.notation import ONE, Apply, Const, Index, Read, Reduce, Term, Value


@dataclass(frozen=True)
class Taps:
    """``sum array[.., count + apart * tap, ..] * weights[.., tap, ..]`` over ``tap`` and
    ``channels``; ``turned`` where the first weight belongs to the last place, ``part`` where there
    may be more weights than taps."""

    array: Value
    subs: tuple[Index, ...]
    count: Index
    tap: Index
    apart: Term
    turned: bool
    weights: Read
    channels: frozenset[Index]
    part: bool

    @property
    def batch(self) -> list[Index]:
        """The axes of the array that the weights know nothing of."""
        return [sub for sub in self.subs if sub is not self.count and sub not in self.weights.subs]

    @property
    def own(self) -> list[Index]:
        """The axes of which each has weights of its own."""
        kept = (sub for sub in self.subs if sub in self.weights.subs)
        return [sub for sub in kept if sub not in self.channels]

    @property
    def outs(self) -> list[Index]:
        """The axes that the weights alone have."""
        inner = {self.tap, *self.subs}
        return [sub for sub in self.weights.subs if isinstance(sub, Index) and sub not in inner]


def taps(facts: Facts, term: Term, tap: Index) -> Taps | None:
    """What adds up ``term`` over ``tap``, where that takes every place of an array."""
    channels: set[Index] = set()
    while isinstance(term := computed(term), Reduce) and term.op == "sum":
        channels.add(term.index)
        term = term.body
    if not isinstance(term, Apply) or term.op != "mul" or len(term.args) != 2:
        return None
    sides = tuple(_settled(element(arg)) for arg in term.args)
    for one, other in (sides, sides[::-1]):
        if isinstance(one, Read) and isinstance(other, Read):
            found = _of(facts, one, other, tap, frozenset(channels))
            if found is not None:
                return found
    return None


def _settled(term: Term) -> Term:
    """An element with its places in their one form."""
    if not isinstance(term, Read) or term.aligned:
        return term
    return Read(term.value, tuple(map(extents.canonical, term.subs)))


def _of(
    facts: Facts, read: Read, weights: Read, tap: Index, channels: frozenset[Index]
) -> Taps | None:
    """The taps that ``weights`` has for an array; None where some place is not reached."""
    if read.aligned or weights.aligned or list(weights.subs).count(tap) != 1:
        return None
    if any(axis.group for axis in (*read.value.axes, *weights.value.axes)):
        return None
    subs: list[Index] = []
    moved: tuple[Index, Term, Term] | None = None
    for sub in read.subs:
        if isinstance(sub, Index):
            subs.append(sub)
            continue
        if moved is not None or (moved := _moved(sub, tap)) is None:
            return None
        subs.append(moved[0])
    if moved is None or len({*subs}) != len(subs) or tap in subs:
        return None
    count, apart, rest = moved
    last = extents.sub(tap.extent, ONE)
    turned = extents.constant(apart) == -1
    if not _same(facts, rest, last if turned else Const(0)):
        return None
    apart = ONE if turned else apart
    places = extents.add(count.extent, extents.mul(apart, last))
    axis = read.value.axes[subs.index(count)]
    long = weights.value.axes[weights.subs.index(tap)]
    if not _same(facts, axis.extent, places):
        return None
    inner = [sub for sub in weights.subs if isinstance(sub, Index)]
    if len({*inner}) != len(weights.subs) or count in inner or not channels <= {*inner} & {*subs}:
        return None
    part = not _same(facts, long.extent, tap.extent)
    return Taps(read.value, tuple(subs), count, tap, apart, turned, weights, channels, part)


def _moved(sub: Term, tap: Index) -> tuple[Index, Term, Term] | None:
    """(i, d, c) of a place ``i + d * tap + c``."""
    parts = extents.polynomial(sub)
    counts = [atoms[0] for atoms, factor in parts.items()
              if len(atoms) == 1 and factor == 1 and isinstance(atoms[0], Index)
              and atoms[0] is not tap]  # fmt: skip
    steps = [atoms for atoms in parts if tap in atoms]
    if len(counts) != 1 or len(steps) != 1 or steps[0].count(tap) != 1:
        return None
    others = [atom for atom in steps[0] if atom is not tap]
    apart = extents.mul(Const(parts[steps[0]]), *others)
    (count,) = counts
    rest = extents.sub(sub, extents.add(count, extents.mul(apart, tap)))
    inside = (*extents.polynomial(apart), *extents.polynomial(rest))
    if not isinstance(count, Index) or any(isinstance(a, Index) for each in inside for a in each):
        return None
    return count, apart, rest


def _same(facts: Facts, one: Term, other: Term) -> bool:
    """Whether two lengths are certainly equal."""
    one, other = (extents.canonical(facts.extent(extents.canonical(each))) for each in (one, other))
    return one is other or extents.constant(extents.sub(one, other)) == 0
