"""Types of a recurrence over arrays of NumPy: whether all steps at once give what the loop gives.

NumPy promotes an element as it promotes an array; numbers of Python take the type of what they
meet. But all steps at once group otherwise: of ``h + rate * (x[t] - h)``, kept in double precision
beside ``x`` in single precision, ``rate * x`` rounds what the loop did not, and of
``h * rate * done[t]`` with truth values ``rate * done`` is in double precision where ``h`` is not.
What nobody says the type of is therefore tried as each type that it may have: the step and its
coefficients are typed, and what differs is excluded by an assumption.
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from auditor.algebra.affine import is_number
from auditor.assumed import listed
from auditor.lift.dtypes import NO_NARROW, WHOLE, kind_of
from auditor.notation import (
    Apply,
    Const,
    Read,
    Reduce,
    Term,
    Value,
    definition,
    transform,
    walk,
)
from auditor.recurrences.after_loop import finals
from auditor.recurrences.element_types import (
    OF_NUMPY,
    Open,
    Raises,
    Types,
    Typing,
    bare,
    cast_of,
    chosen_from_numbers,
    is_stated,
    is_weak,
    of_numbers,
    picked_by_python,
    result_of,
    stated,
    typing_args,
)
from auditor.syntax import called_name, path_of
from auditor.tree import everything_in
from auditor.writing.named_arrays import may_be_number
from auditor.writing.pieces import CannotRender

if TYPE_CHECKING:
    from auditor.recurrences.recurrence import LoopRegion

_ARRAYS = ("float64", "float32", "int64", "int8", "bool")
_NUMBERS = ("float", "float64", "float32", "int")
_NARROW = frozenset(("int8", "bool"))
_FLOATS = frozenset(("float64", "float32"))
_NUMBER_OF: dict[str | None, int | float] = {"int": 2, "float": 0.5}
_LISTED = "list"
"""What a list holds: numbers of Python to the loop, an array of doubles to the new code."""
_LIKE = ("zeros_like", "empty_like", "ones_like", "full_like", "copy", "flip", "abs")

AffineRow = tuple[Sequence[tuple[Term, int]], Term, Sequence[Term]]
"""What a carried value becomes: factors, each with the slot of the value that it multiplies, what
is added, and the bounds that the sum is kept within."""
_Holds = Callable[[Mapping[int, str]], bool]
_Narrowed = tuple[list[str], _Holds]
"""What is assumed, and whether it holds of an assignment of types."""


@dataclass(frozen=True)
class _Unknown:
    """Something of which nobody says the type: by its name, and what it may hold."""

    name: str
    array: bool
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class _TypedRow:
    """A row of a matrix of values that move together: the value's slot, its factors, each with the
    slot of what it multiplies, what is added and what bounds it; the types that the loop casts to,
    the operations that the loop does not do, and those that it alone does."""

    slot: int
    factors: tuple[tuple[Term, int], ...]
    rest: Term
    bounds: tuple[Term, ...]
    casts: frozenset[str]
    regrouped: tuple[Apply, ...]
    left_out: frozenset[Term]

    @property
    def counts(self) -> bool:
        """Whether sums are kept within bounds, which after one has wrapped around mean another."""
        moved = any(not is_number(factor, 1) for factor, _ in self.factors)
        return bool(self.bounds) and (moved or not is_number(self.rest, 0))


def _of_elements(term: Term) -> bool:
    """Whether a term is made of elements of arrays."""
    reads = (node.value for node in walk(term) if isinstance(node, Read))
    return any(read.axes and read.library != "python" for read in reads)


class ArrayTypes:
    """The types of the carried values of a loop over arrays."""

    def __init__(self, region: LoopRegion) -> None:
        self.region = region
        self.carries = region.scan.carries
        self.updates = [region.inlined(carry.update) for carry in self.carries]
        self.typed = self._with_conversions()
        self.begins = [self._beginning(slot) for slot in range(len(self.carries))]
        self.numpy_chooses = any(
            isinstance(node, ast.Call) and called_name(node) in ("where", "select", "choose")
            for node in everything_in(region.lifted.node)
        )
        self.python_picks = picked_by_python(region.module, region.node)
        step = region.scan.step
        self.walked = {
            node.value
            for update in self.updates
            for node in walk(update)
            if isinstance(node, Read) and any(step in walk(sub) for sub in node.subs)
        }
        self.alike: dict[int, int] = {}
        self.jointly: dict[tuple[int, ...], list[str]] = {}
        self.unknown = self._unknown()

    def assumed(self, slot: int, factor: Term, rest: Term) -> list[str]:
        """What is assumed of types for ``factor * h + rest`` to give what the loop does. Raises
        ``CannotRender`` where it does not by what is known."""
        terms = [self.region.inlined(term) for term in (factor, rest)]
        return self._excluded(slot, lambda world: self._same(slot, world, *terms))

    def assumed_jointly(self, slots: tuple[int, ...], rows: Sequence[AffineRow]) -> list[str]:
        """The same of values that move together, by ``sum(factor * h of another) + rest`` each,
        within bounds."""
        if slots not in self.jointly:
            typed = [self._typed_row(slot, row) for slot, row in zip(slots, rows, strict=True)]
            found = self._excluded(slots[0], lambda world: self._same_jointly(world, typed))
            self.jointly[slots] = found
        return self.jointly[slots]

    def _excluded(self, slot: int, same: Callable[[dict[int, str]], bool]) -> list[str]:
        """What is assumed for no assignment of types to be left in which the new code is not the
        ``same``. Those that differ in two types are only asked about within what the others make
        it assume, which leaves few of them."""
        said: list[str] = []
        holds: list[_Holds] = []
        for differing in (range(2), range(2, 3)):
            bad = [
                world
                for world in self._worlds(differing)
                if all(one(world) for one in holds) and not same(world)
            ]
            for narrowing in (
                self._wide, self._floating, self._as_arrays, self._of_one_type, self._of_python
            ):  # fmt: skip
                if not bad:
                    break
                sentences, within = narrowing(bad)
                left = [world for world in bad if within(world)]
                if len(left) < len(bad):
                    said, holds, bad = [*said, *sentences], [*holds, within], left
            if bad:
                name = self._name(slot)
                raise CannotRender(f"the steps of `{name}` have other types than all at once")
        return [*dict.fromkeys(said)]

    def _of_numbers(self, world: Mapping[int, str]) -> bool:
        """Whether steps compute with numbers of Python: of a list, or made of elements."""
        return _LISTED in world.values() or self.typed is not self.updates

    def _with_conversions(self) -> list[Term]:
        """The updates, in which what a step makes a number of Python stays one: all steps at once
        have elements of arrays in its place."""
        made: dict[Term, Term] = {}
        for node in everything_in(self.region.node):
            value = self.region.values.get(node) if isinstance(node, ast.expr) else None
            if not isinstance(value, Value) or value.axes or value.body is None:
                continue
            item = isinstance(node, ast.Call) and called_name(node) == "item"
            if item or (value.library == "python" and value.dtype in _NUMBER_OF):
                term = self.region.inlined(value.body)
                if _of_elements(term):
                    made[term] = Const(_NUMBER_OF["float" if item else value.dtype])
        if not made:
            return self.updates
        return [transform(update, lambda term: made.get(term, term)) for update in self.updates]

    # -- what is unknown

    def _beginning(self, slot: int) -> Value | None:
        """What a carried value starts as; where it is an element of an array that the loop writes,
        that array, whose type each step takes."""
        key = self.carries[slot].name
        written = self._written(key)
        return written if written is not None else self.region.init_of(key)

    def _written(self, key: str) -> Value | None:
        name, bracket, _ = key.partition("[previous")
        write = self.region.loop.written.get(name) if bracket else None
        return write.original if write is not None else None

    def _reads(self) -> Iterator[Value]:
        """What a step computes with or starts from: values of a stated type, and those that are
        made of nothing else."""
        states = {carry.state for carry in self.carries}
        waiting: list[Term] = [*self.updates]
        waiting += [Read(v, v.axes) for v in self.begins if v is not None]
        seen: set[Term] = set()
        while waiting:
            term = waiting.pop()
            if term in seen:
                continue
            seen.add(term)
            if isinstance(term, Read):
                value, inner = term.value, definition(term) or term.value.body
                if value in states:
                    continue
                if is_stated(value) or inner is None or self._made_like(value) is not None:
                    yield value
                else:
                    waiting.append(inner)
            elif isinstance(term, Apply):
                waiting += typing_args(term)
            elif isinstance(term, Reduce):
                waiting.append(term.body)

    def _unknown(self) -> dict[int, _Unknown]:
        found: dict[int, _Unknown] = {}
        if any(of_numbers(term) for term in self.updates):
            found[OF_NUMPY] = _Unknown("", False, ("float64", "float"))
        for value in self._reads():
            if is_stated(value):
                continue
            other = self._made_like(value)
            if isinstance(other, str):
                found[value.uid] = _Unknown(value.name, True, (other,))
                continue
            if other is not None:
                self.alike[value.uid] = other.uid
                value = other
                if is_stated(value):
                    found[value.uid] = _Unknown(value.name, True, (stated(value),))
                    continue
            number = not value.axes and value.library in (None, "python")
            either = may_be_number(value, self.region.is_array)
            kinds = _NUMBERS if number else (*_NUMBERS[:1], *_ARRAYS) if either else _ARRAYS
            if self._may_be_list(value):
                kinds = (*kinds, _LISTED)
            found[value.uid] = _Unknown(value.name, not number, kinds)
        return found

    def _may_be_list(self, value: Value) -> bool:
        """Whether what the loop walks may be a list."""
        written = value.name in self.region.loop.written
        return value in self.walked and value.library != "numpy" and not written

    def _made_like(self, value: Value) -> Value | str | None:
        """The array whose type another one is made in: ``zeros_like(x)``, ``x.copy()``,
        ``zeros(n, dtype=x.dtype)``."""
        if not value.name.isidentifier() or value.kind == "input":
            return None
        binding = self.region.binding_before(self.region.node, value.name, unchanged=False)
        call = binding.value if binding is not None else None
        if not isinstance(call, ast.Call):
            return None
        path = path_of(self.region.module, call.func) or ""
        given = next((word.value for word in call.keywords if word.arg == "dtype"), None)
        source: ast.expr | None = None
        if isinstance(given, ast.Attribute) and given.attr == "dtype":
            source = given.value
        elif given is None and path.partition(".")[0] == "numpy" and path.endswith(_LIKE):
            source = call.args[0] if call.args else None
        elif given is None and not path and isinstance(call.func, ast.Attribute):
            source = call.func.value if call.func.attr == "copy" and not call.args else None
        held = self.region.values.get(source) if source is not None else None
        return held if isinstance(held, Value) and held is not value else None

    # -- worlds

    def _worlds(self, differing: Iterable[int]) -> Iterator[dict[int, str]]:
        """Types of everything unknown: all in double or all in single precision with Python's
        numbers but for so many of them."""
        keys = [*self.unknown]
        for base in ("float64", "float32"):
            plain = {
                key: base if one.candidates[0] in _ARRAYS and one.array else one.candidates[0]
                for key, one in self.unknown.items()
            }
            for count in differing:
                for some in itertools.combinations(keys, count):
                    others = [
                        [kind for kind in self.unknown[key].candidates if kind != plain[key]]
                        for key in some
                    ]
                    for kinds in itertools.product(*others):
                        yield plain | dict(zip(some, kinds, strict=True))

    def _given(self, world: Mapping[int, str], listed: str) -> dict[int, str]:
        """The types in a world, of what a list holds that which is ``listed``."""
        held = {key: listed if kind == _LISTED else kind for key, kind in world.items()}
        return held | {key: held[other] for key, other in self.alike.items()}

    def _same(self, slot: int, world: Mapping[int, str], factor: Term, rest: Term) -> bool:
        """Whether loop and new code give the same types, and round alike."""
        given = self._given(world, "float64")
        try:
            old = self._states(self._given(world, "float"))
        except Raises:
            return True  # the loop itself is an error
        except Open:
            return False
        carry = self.carries[slot]
        written = self._written(carry.name)
        kinds = old[carry.state]
        if len(kinds) != 1:
            return False
        (kind,) = kinds
        try:
            new = Typing(given, old, weak=chosen_from_numbers(factor))
            (found,) = self._start(slot, given)
            begin = self.begins[slot]
            if begin is not None and not begin.axes and isinstance(begin.body, Const):
                found = "int" if begin.body.value == 0 else found  # it is left out
            (gate,), (drive,) = new.of(factor), Typing(given, old).of(rest)
            for _ in range(2):
                found = result_of("add", (result_of("mul", (gate, found)), drive))
        except (Raises, Open, ValueError):
            return False
        if self._of_numbers(world) and kind == "float" and found == "float64":
            # every step is Python's: what is kept of them in an array is in doubles
            return carry.name not in finals(self.region)
        if found != kind or is_weak(kind) or (written is not None and self._rounds(slot, given)):
            return False
        computed = set(walk(bare(self.updates[slot])))
        if any(cast_of(part, old.keys()) not in (None, kind) for part in computed):
            return False
        kept = {p for term in (factor, rest) for p in walk(bare(term)) if isinstance(p, Apply)}
        if self._wrap(given, old, computed - kept, kind):
            return False
        return all(part in computed or not self._narrower(new, part, kind) for part in kept)

    def _typed_row(self, slot: int, row: AffineRow) -> _TypedRow:
        factors = tuple((self.region.inlined(factor), by) for factor, by in row[0])
        rest, *bounds = map(self.region.inlined, (row[1], *row[2]))
        computed = set(walk(bare(self.updates[slot])))
        states = {carry.state for carry in self.carries}
        terms = (*(factor for factor, _ in factors), rest, *bounds)
        made = [part for term in terms for part in walk(bare(term)) if isinstance(part, Apply)]
        return _TypedRow(
            slot,
            factors,
            rest,
            tuple(bounds),
            frozenset(filter(None, (cast_of(part, states) for part in computed))),
            tuple(part for part in made if part not in computed),
            frozenset(computed.difference(made)),
        )

    def _same_jointly(self, world: Mapping[int, str], rows: Sequence[_TypedRow]) -> bool:
        """As ``_same``, of values that move together: they have the same types after each of the
        first steps, from which on they keep them."""
        given = self._given(world, "float64")
        try:
            old = self._typed_steps(self._given(world, "float"))
        except Raises:
            return True  # the loop itself is an error
        except Open:
            return False
        try:
            new = self._new_steps(given, old[-1], rows, len(old))
        except (Raises, Open, ValueError):
            return False
        for row in rows:
            state = self.carries[row.slot].state
            before, now = [types[state] for types in old], [types[row.slot] for types in new]
            if not self._row_is_same(world, given, row, before, now, old[-1]):
                return False
        return True

    def _row_is_same(
        self, world: Mapping[int, str], given: Mapping[int, str], row: _TypedRow,
        before: Sequence[Types], now: Sequence[str], states: Mapping[Value, Types],
    ) -> bool:  # fmt: skip
        key = self.carries[row.slot].name
        if len(before[-1]) > 1:
            return self._bounds_are_kept(row, before[-1], now[-1])
        (kind,) = before[-1]
        if self._of_numbers(world) and kind == "float" and now[-1] == "float64":
            return key not in finals(self.region)  # every step is Python's
        if any(types != {one} for types, one in zip(before, now, strict=True)) or is_weak(kind):
            return False
        if (self._written(key) is not None and self._rounds(row.slot, given)) or row.casts - {kind}:
            return False
        if (row.counts and kind in _NARROW) or self._wrap(given, states, row.left_out, kind):
            return False
        typing = Typing(given, states)
        return not any(self._narrower(typing, part, kind) for part in row.regrouped)

    def _bounds_are_kept(self, row: _TypedRow, before: Types, now: str) -> bool:
        """Whether a value that is a bound at times, a number of Python then, comes to the same
        where it is kept: in an array, or in a list from which one is made."""
        if self.carries[row.slot].name in finals(self.region) or before - {"int", "float"} != {now}:
            return False
        if now == "float64":
            return not self.region.loop.lists or "int" not in before
        whole = (isinstance(bound, Const) and bound.value in (0, 1) for bound in row.bounds)
        return now == "float32" and not self.region.loop.lists and all(whole)

    def _new_steps(
        self, given: Mapping[int, str], states: Mapping[Value, Types], rows: Sequence[_TypedRow],
        count: int,
    ) -> list[dict[int, str]]:  # fmt: skip
        """The types of the values after each of the first steps in the new code, which leaves out
        what is multiplied with 1, multiplied with 0 or added as 0."""
        gates, added, bounds = {}, {}, {}
        for row in rows:
            bounds[row.slot] = [*chain.from_iterable(map(Typing(given, states).of, row.bounds))]
            for factor, by in row.factors:
                whole = isinstance(factor, Const) and factor.value == 1
                weak = chosen_from_numbers(factor)
                found = [] if whole else [*Typing(given, states, weak=weak).of(factor)]
                gates[row.slot, by] = found
            nothing = isinstance(row.rest, Const) and row.rest.value == 0
            added[row.slot] = [] if nothing else [*Typing(given, states).of(row.rest)]
        steps = [{row.slot: next(iter(self._start(row.slot, given))) for row in rows}]
        for _ in range(count):
            after = {}
            for row in rows:
                parts = [*added[row.slot]]
                for _, by in row.factors:
                    factors = (*gates[row.slot, by], steps[-1][by])
                    parts.append(functools.reduce(lambda a, b: result_of("mul", (a, b)), factors))
                moved = functools.reduce(lambda a, b: result_of("add", (a, b)), parts)
                bounded = (moved, *bounds[row.slot])
                after[row.slot] = functools.reduce(lambda a, b: result_of("max", (a, b)), bounded)
            steps.append(after)
        return steps[1:]

    def _typed_steps(self, given: Mapping[int, str]) -> list[dict[Value, Types]]:
        """What each carried value is after one step of the loop, after the next, and so on, up to
        the one after which all keep their types."""
        steps = [{c.state: self._start(slot, given) for slot, c in enumerate(self.carries)}]
        while len(steps) < 3 or (steps[-1] != steps[-2] and len(steps) < 2 + len(self.carries)):
            types, after = steps[-1], {}
            for slot, carry in enumerate(self.carries):
                kept = self._written(carry.name) is not None
                after[carry.state] = types[carry.state] if kept else (
                    self._stepped(given, types).of(self.typed[slot])
                )  # fmt: skip
            steps.append(after)
        return steps[1:]

    def _narrower(self, typing: Typing, part: Term, kind: str) -> bool:
        """Whether an operation may round, or wrap around, where the loop did neither."""
        try:
            kinds = typing.of(part)
        except (Raises, Open, ValueError):
            return True
        return any(
            not is_weak(one) and one != kind and (kind_of(one) != 0 or kind in WHOLE)
            and not (one == "float64" and kind == "float32")
            for one in kinds
        )  # fmt: skip

    def _wrap(
        self, given: Mapping[int, str], states: Mapping[Value, Types], parts: Iterable[Term],
        kind: str,
    ) -> bool:  # fmt: skip
        """Whether one of some operations of the loop does, at the first step or later."""
        first = {carry.state: self._start(slot, given) for slot, carry in enumerate(self.carries)}
        typings = (Typing(given, first), Typing(given, states))
        return any(self._wraps(typing, part, kind) for part in parts for typing in typings)

    def _wraps(self, typing: Typing, part: Term, kind: str) -> bool:
        """Whether an operation of the loop may wrap around, or add truth values up to one, where
        the new code computes with the numbers themselves."""
        if not isinstance(part, Apply) or part.op not in ("add", "sub", "mul", "neg", "pow"):
            return False
        try:
            return kind not in _NARROW and not _NARROW.isdisjoint(typing.of(part))
        except (Raises, Open, ValueError):
            return False

    def _rounds(self, slot: int, given: Mapping[int, str]) -> bool:
        """Whether a step is cut to the type of the array that it is written into."""
        written = self._written(self.carries[slot].name)
        assert written is not None
        kept = next(iter(self._start(slot, given)))
        states = {carry.state: self._start(p, given) for p, carry in enumerate(self.carries)}
        found = self._stepped(given, states).of(self.typed[slot])
        return any(one != kept and not is_weak(one) for one in found)

    def _stepped(self, given: Mapping[int, str], states: Mapping[Value, Types]) -> Typing:
        """Types within a step of the loop."""
        weak, picked = not self.numpy_chooses, self.python_picks
        return Typing(given, states, chosen=True, weak=weak, picked=picked)

    def _start(self, slot: int, given: Mapping[int, str]) -> Types:
        value = self.begins[slot]
        if value is None:
            raise Open
        return Typing(given, {}).of(Read(value, value.axes))

    def _states(self, given: Mapping[int, str]) -> dict[Value, Types]:
        """What each carried value is after any step of the loop."""
        types = {carry.state: self._start(slot, given) for slot, carry in enumerate(self.carries)}
        for turn in range(4):
            after = {}
            for slot, carry in enumerate(self.carries):
                kept = self._written(carry.name) is not None
                found = types[carry.state] if kept else (
                    self._stepped(given, types).of(self.typed[slot])
                )  # fmt: skip
                after[carry.state] = found if turn == 0 or kept else found | types[carry.state]
            if turn and after == types:
                break
            types = after
        return types

    # -- assumptions

    def _wide(self, bad: list[dict[int, str]]) -> _Narrowed:
        """Arrays of no narrow integers, where wide ones spoil nothing."""
        arrays = {key for key, one in self.unknown.items() if one.array}
        if any(world[key] == "int64" for world in bad for key in arrays):
            return [], lambda _: True
        accused = {key for key in arrays if any(world[key] in _NARROW for world in bad)}
        names = sorted({self.unknown[key].name for key in accused})
        said = [f"`{name}` holds {NO_NARROW}" for name in names]
        return said, lambda world: all(world[key] not in _NARROW for key in accused)

    def _floating(self, bad: list[dict[int, str]]) -> _Narrowed:
        """Arrays of floating-point numbers: those that alone, and then all that spoil it."""
        arrays = {key for key, one in self.unknown.items() if one.array}

        def whole(world: Mapping[int, str]) -> set[int]:
            return {key for key in arrays if world[key] in WHOLE}

        accused: set[int] = set().union(*(found for w in bad if len(found := whole(w)) == 1))
        left = [world for world in bad if whole(world).isdisjoint(accused)]
        accused |= set().union(*map(whole, left))
        names = sorted({self.unknown[key].name for key in accused})
        said = [f"`{name}` holds floating-point numbers" for name in names]
        return said, lambda world: whole(world).isdisjoint(accused)

    def _as_arrays(self, bad: list[dict[int, str]]) -> _Narrowed:
        """Arrays, not lists."""
        accused = {key for world in bad for key, kind in world.items() if kind == _LISTED}
        names = sorted({self.unknown[key].name for key in accused})
        said = [f"`{name}` is an array" for name in names]
        return said, lambda world: all(world[key] != _LISTED for key in accused)

    def _of_one_type(self, bad: list[dict[int, str]]) -> _Narrowed:
        """Arrays of one type, those of a stated one included."""
        arrays = {key: one for key, one in self.unknown.items() if one.array}
        known = {value.name: stated(value) for value in (*self._reads(), *self._starting())
                 if is_stated(value) and value.library != "python" and value.name.isidentifier()
                 and stated(value) in _FLOATS}  # fmt: skip

        def alike(world: Mapping[int, str]) -> bool:
            kinds = {world[key] for key in arrays if not is_weak(world[key])}
            return len(kinds | set(known.values())) < 2

        names = {one.name for one in arrays.values() if len(one.candidates) > 1} | known.keys()
        said = [f"{listed(f'`{name}`' for name in sorted(names))} are of one type"]
        return said if len(names) > 1 else [], alike

    def _of_python(self, bad: list[dict[int, str]]) -> _Narrowed:
        """Numbers of Python."""
        numbers = [key for key, one in self.unknown.items() if one.name and not one.array]
        accused = [key for key in numbers if any(not is_weak(world[key]) for world in bad)]
        names = sorted({self.unknown[key].name for key in accused})
        said = [f"`{name}` is a number of Python" for name in names]
        return said, lambda world: all(is_weak(world[key]) for key in accused)

    def _starting(self) -> Iterator[Value]:
        """The arrays that carried values start as, by the names that those have."""
        for slot, value in enumerate(self.begins):
            if value is not None and value.axes:
                yield replace(value, name=self._name(slot))

    def _name(self, slot: int) -> str:
        return self.carries[slot].name.partition("[")[0]
