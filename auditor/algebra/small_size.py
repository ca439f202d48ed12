"""A loop over arrays at one small size, as a loop over their elements: what shows there that no
summary exists shows it of the loop, which has no other one at that size.

Axes of unknown length have two places. Every element of a carried array is a carried scalar, every
element of what is given an input; of the carried ones those are taken that the first is made from.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from auditor.algebra.as_fold import ScalarFold
from auditor.algebra.choices import truth
from auditor.algebra.limits import TooLarge
from auditor.algebra.nested import flattened
from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import Poly
from auditor.algebra.states import Dependence
from auditor.algebra.subterms import everything
from auditor.algebra.summary import fixed_width
from auditor.notation import (
    ZERO,
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Reduce,
    Scan,
    Symbol,
    Term,
    Trace,
    Value,
    definition,
    free_indices,
    substitute,
    walk,
)

_SIZE, _MOST_ELEMENTS, _MOST_NODES = 2, 6, 4000
_LONGEST = 30
_FOLDED = {"sum": "add", "prod": "mul", "max": "max", "min": "min", "any": "or", "all": "and"}
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt,
    "ge": operator.ge,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class SmallFold:
    """The scalar loop."""

    fold: ScalarFold
    elements: dict[int, tuple[Carry, ...]]
    """The scalars of each carried array."""


class _TooRich(Exception):
    """A step does more with arrays than is read here."""


def at_small_size(scan: Scan) -> SmallFold | None:
    """The loop at a small size; None where a step reads its arrays in another way than place by
    place and by reductions, or there are too many elements."""
    if any(fixed_width(carry) for carry in scan.carries):
        return None
    updates = [flattened(carry.update, scan) for carry in scan.carries]
    if any(isinstance(node, Trace) for node in everything(updates)):
        return None
    try:
        return _Small(scan, updates).fold()
    except (_TooRich, TooLarge):
        return None


def at_own_size(scan: Scan) -> SmallFold | None:
    """The loop over the elements of arrays whose sizes the code says, all of them: what is proven
    there is proven of the loop, of what lies under further axes place by place."""
    axes = [axis for carry in scan.carries for axis in carry.state.axes if not axis.group]
    sizes = [axis.extent.value for axis in axes if isinstance(axis.extent, Const)]
    if not sizes or len(sizes) < len(axes) or not all(type(size) is int for size in sizes):
        return None
    if any(map(fixed_width, scan.carries)):
        return None
    updates = [flattened(carry.update, scan) for carry in scan.carries]
    if any(isinstance(node, Trace) for node in everything(updates)):
        return None
    small = _Small(scan, updates)
    try:
        fold = small.fold(every=True)
    except (_TooRich, TooLarge):
        return None
    return None if small.supposed else fold


class _Small:
    def __init__(self, scan: Scan, updates: Sequence[Term]) -> None:
        self.scan, self.updates = scan, updates
        self.supposed = False
        """Was a length that the code does not say taken for a small one?"""
        self.states = {carry.state: slot for slot, carry in enumerate(scan.carries)}
        self.dependence = Dependence()
        self.moving: set[Value] = set()
        self.terms: dict[Value, Term] = {}
        self.inputs: dict[Poly, Value] = {}
        self.normaliser = Normaliser()
        self.elements: dict[tuple[int, tuple[int, ...]], Value] = {}
        self.wanted: list[tuple[int, tuple[int, ...]]] = []
        self.made = 0

    def fold(self, every: bool = False) -> SmallFold:
        """The first element of each carried array (or ``every`` one), and those that they are made
        from."""
        carries: dict[int, list[Carry]] = {}
        for slot, carry in enumerate(self.scan.carries):
            axes = carry.state.axes
            for place in itertools.product(*(range(self._extent(axis)) for axis in axes)):
                if every or not any(place):
                    self._element(slot, place)
            carries[slot] = []
        done = 0
        while done < len(self.wanted):  # a step may ask for more
            slot, place = self.wanted[done]
            state, axes = self.elements[slot, place], self.scan.carries[slot].state.axes
            update = self.of(self.updates[slot], dict(zip(axes, place, strict=True)))
            carries[slot].append(Carry(state.name, state, Read(state, ()), update))
            done += 1
        scan = Scan(Index(self.scan.step.name, Symbol("steps")))
        scan.carries = tuple(carry for several in carries.values() for carry in several)
        fold = ScalarFold(scan, frozenset(self.moving), self.terms)
        return SmallFold(fold, {slot: tuple(several) for slot, several in carries.items()})

    def _element(self, slot: int, place: tuple[int, ...]) -> Value:
        if (slot, place) not in self.elements:
            if len(self.elements) == _MOST_ELEMENTS:
                raise _TooRich
            carry = self.scan.carries[slot]
            for axis, at in zip(carry.state.axes, place, strict=True):
                if not 0 <= at < self._extent(axis):
                    raise _TooRich
            own = [at for at, axis in zip(place, carry.state.axes, strict=True) if not axis.group]
            name = f"{carry.name}[{', '.join(map(str, own))}]" if own else carry.name
            self.elements[slot, place] = Value(name, (), None, None, "state")
            self.wanted.append((slot, place))
        return self.elements[slot, place]

    def _extent(self, axis: Index) -> int:
        if axis.group:
            return 1
        size = self._number(axis.extent, {})
        if not 1 <= size <= _MOST_ELEMENTS:
            raise _TooRich
        return size

    def _number(self, term: Term, at: Mapping[Index, int]) -> int:
        """The whole number that a place or an extent is."""
        if isinstance(term, Const) and type(term.value) is int:
            return term.value
        if isinstance(term, Index) and term in at:
            return at[term]
        if isinstance(term, Symbol) or (isinstance(term, Read) and not term.value.axes):
            self.supposed = True
            return _SIZE  # a length, or a number that one is said with
        if isinstance(term, Apply) and term.op in ("add", "sub", "mul", "floordiv", "mod"):
            one, *others = (self._number(arg, at) for arg in term.args)
            for other in others:
                if term.op in ("floordiv", "mod") and other == 0:
                    raise _TooRich
                one = {
                    "add": one + other, "sub": one - other, "mul": one * other,
                    "floordiv": one // (other or 1), "mod": one % (other or 1),
                }[term.op]  # fmt: skip
            return one
        raise _TooRich

    def of(self, term: Term, at: Mapping[Index, int]) -> Term:
        """A term over elements, where its indices are at these places."""
        self.made += 1
        if self.made > _MOST_NODES:
            raise _TooRich
        if isinstance(term, Const):
            return term
        if not self.dependence.mentions(term, self.states):
            return self._given(term, at)
        if isinstance(term, Read):
            return self._read(term, at)
        if isinstance(term, Reduce):
            return self._reduced(term, at)
        if not isinstance(term, Apply) or term.op.startswith("call:value "):
            raise _TooRich
        if term.op.startswith("cast:") and not term.op.startswith("cast:float"):
            raise _TooRich
        if term.op == "where":
            return self._choice(term, at)
        args = tuple(self.of(arg, at) for arg in term.args)
        if term.op == "relu":
            return Apply("max", (*args, ZERO))
        if term.op == "square":
            return Apply("mul", (*args, *args))
        if term.op.startswith("cast:"):
            return args[0]
        return Apply(term.op, args)

    def _choice(self, term: Apply, at: Mapping[Index, int]) -> Term:
        """A branch, or the side that a place decides for."""
        condition = self.of(term.args[0], at)
        if isinstance(condition, Const) and isinstance(condition.value, bool):
            return self.of(term.args[1 if condition.value else 2], at)
        return Apply("where", (condition, *(self.of(arg, at) for arg in term.args[1:])))

    def _read(self, read: Read, at: Mapping[Index, int]) -> Term:
        if read.value in self.states:
            axes, subs = read.value.axes, read.subs
            if read.aligned:
                subs = subs[len(subs) - len(axes) :]
            if len(subs) != len(axes):
                raise _TooRich
            groups = [sub for axis, sub in zip(axes, subs, strict=True) if axis.group]
            if not all(isinstance(sub, Index) and sub.group for sub in groups):
                self.supposed = True
            place = tuple(
                0 if axis.group or (read.aligned and self._extent(axis) == 1)
                else self._number(sub, at)
                for axis, sub in zip(axes, subs, strict=True)
            )  # fmt: skip
            return Read(self._element(self.states[read.value], place), ())
        made = definition(read)
        if made is None:
            raise _TooRich
        return self.of(made, at)

    def _reduced(self, term: Reduce, at: Mapping[Index, int]) -> Term:
        body = term.body
        if term.op.startswith("call:") and isinstance(body, Apply) and body.op == "call:at":
            return self._layer(term.op.removeprefix("call:"), term.index, body, at)
        if term.op not in _FOLDED:
            raise _TooRich
        if term.index.group:
            self.supposed = True
        parts = [self.of(term.body, {**at, term.index: n}) for n in range(self._extent(term.index))]
        return parts[0] if len(parts) == 1 else Apply(_FOLDED[term.op], tuple(parts))

    def _layer(self, name: str, index: Index, body: Apply, at: Mapping[Index, int]) -> Term:
        """A linear layer, of weights that no step changes."""
        given, place = body.args
        out = self._number(place, at)
        parts: list[Term] = [self._weight(f"{name}.bias[{out}]")]
        for n in range(self._extent(index)):
            weight = self._weight(f"{name}.weight[{out}, {n}]")
            parts.append(Apply("mul", (weight, self.of(given, {**at, index: n}))))
        return Apply("add", tuple(parts))

    def _weight(self, name: str) -> Term:
        known = next((value for value in self.terms if value.name == name), None)
        if known is None:
            known = Value(name, (), None, None, "input")
            self.terms[known] = Read(Value(name, (), None, None, "attribute"), ())
        return Read(known, ())

    def _given(self, term: Term, at: Mapping[Index, int]) -> Term:
        """What does not depend on what is carried: one input each, and each element another."""
        if not any(isinstance(node, (Read, Trace, Symbol)) for node in walk(term)):
            known = self._known(term, at)
            if known is not None:
                return known
        places: dict[Term, Term] = {i: Const(at[i]) for i in free_indices(term) if i in at}
        here = substitute(term, places)
        key = self.normaliser.normal(here)
        if key not in self.inputs:
            name = str(here) if len(str(here)) < _LONGEST else f"u{len(self.inputs)}"
            value = Value(name, (), None, "bool" if truth(term) else None, "input")
            if self.scan.step in set(everything([here])):
                self.moving.add(value)
            self.inputs[key], self.terms[value] = value, here
        return Read(self.inputs[key], ())

    def _known(self, term: Term, at: Mapping[Index, int]) -> Const | None:
        """What places alone say: which one is meant, whether it is the first."""
        try:
            if isinstance(term, Apply) and term.op in _COMPARED:
                one, other = (self._number(arg, at) for arg in term.args)
                return Const(_COMPARED[term.op](one, other))
            return Const(self._number(term, at))
        except _TooRich:
            return None
