"""Whole numbers as rows of bits: a step that is linear over the field of two elements composes with
the next as matrices of bits do. Shift registers, checksums and xorshift generators are such.

The step is interpreted once for each width that the numbers may have, from narrow to wide, until
what it leaves is no wider than what it began with. Each bit is a polynomial modulo 2 in the bits of
the state and of what is given; no product of two bits of the state may be left.

Source: Marsaglia, "Xorshift RNGs" (2003); Warren, "Hacker's Delight", chapter 14, on checksums.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from auditor.algebra.bit_words import (
    YES,
    Bit,
    NotLinear,
    Word,
    added,
    both,
    chosen,
    compared,
    down,
    either,
    inverted,
    minus,
    number,
    times,
    truth_word,
    up,
    whole,
    xor,
)
from auditor.algebra.choices import truth
from auditor.algebra.limits import tick
from auditor.algebra.states import Dependence
from auditor.algebra.summary import fixed_width
from auditor.notation import (
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Reduce,
    Term,
    Trace,
    Value,
    definition,
    walk,
)

_WIDEST = 64
"""The widest word of the machines and of the published generators."""
_BYTE = 8
"""The narrowest word that is asked for: of one bit everything is linear."""
_MOST_ROUNDS = 64
"""Steps of an inner loop: one for each bit of the widest word."""
_OF_BITS = frozenset(f"bitwise_{op}" for op in "and or xor not left_shift right_shift".split())


@dataclass(frozen=True)
class LinearBits:
    """Carried values of ``width`` bits each. ``constant``: what a step does to them is the same at
    every step; ``asked``: the inputs that have to be of no more bits."""

    width: int
    constant: bool
    asked: tuple[Term, ...]


def takes_bits(updates: Iterable[Term]) -> bool:
    """Is there an operation on bits, also in a loop within the loop?"""
    for update in updates:
        for node in walk(update):
            if isinstance(node, Apply) and node.op.removeprefix("call:") in _OF_BITS:
                return True
            if isinstance(node, Trace) and takes_bits(c.update for c in node.scan.carries):
                return True
    return False


def linear_bits(
    carries: Sequence[Carry], updates: Sequence[Term], dependence: Dependence
) -> LinearBits | None:
    """The carried values as rows of bits, if a step is linear in these. What is said of their
    starts is asked of those that are not known."""
    if any(not axis.group for c in carries for axis in c.state.axes):
        return None
    if any(map(fixed_width, carries)):
        return None
    starts = [c.init.value for c in carries if isinstance(c.init, Const)]
    if not all(isinstance(n, int) and n >= 0 for n in starts):
        return None
    width = max(map(_length, starts), default=0)
    least = width if len(starts) == len(carries) else max(width, _BYTE)
    written = max(width, *(_length(n.value) for n in _constants(updates)), 0)
    for narrow, begun in ((False, least), (True, written)):
        if narrow and begun < _BYTE:
            continue
        try:
            return _at_some_width(carries, updates, begun, narrow, dependence)
        except NotLinear:
            continue
    return None


def _length(number: object) -> int:
    return number.bit_length() if isinstance(number, int) else 0


def _constants(updates: Iterable[Term]) -> Iterable[Const]:
    """The numbers that a step names, also in a loop within the loop."""
    for update in updates:
        for node in walk(update):
            if isinstance(node, Const):
                yield node
            elif isinstance(node, Trace):
                yield from _constants(carry.update for carry in node.scan.carries)


def _at_some_width(
    carries: Sequence[Carry],
    updates: Sequence[Term],
    width: int,
    narrow: bool,
    dependence: Dependence,
) -> LinearBits:
    """The same from a width on. Raises NotLinear where no width is kept."""
    while width <= _WIDEST:
        step = _Step(carries, width, narrow, dependence)
        words = [step.word(update, step.begun) for update in updates]
        left = max(word.width for word in words)
        if left <= width:
            pairs = zip(carries, words, strict=True)
            if any(c.state.dtype == "bool" and word.width > 1 for c, word in pairs):
                raise NotLinear
            return LinearBits(width, step.is_constant(words), tuple(step.asked))
        width = left
    raise NotLinear


class _Step:
    """A step on numbers of a width: what is carried and, if it is ``narrow``, what is given."""

    def __init__(
        self, carries: Sequence[Carry], width: int, narrow: bool, dependence: Dependence
    ) -> None:
        self.dependence, self.width, self.narrow = dependence, width, narrow
        self._numbers: dict[tuple[Hashable, int], int] = {}
        self.places: dict[Index, int] = {}
        """Where the loops within the loop are."""
        self.asked: dict[Term, None] = {}
        self.begun: dict[Value, Word] = {}
        for carry in carries:
            word = self.named(carry.state, 1 if carry.state.dtype == "bool" else width)
            self.begun[carry.state] = word
            for place in range(word.width):
                word[place]  # the bits of the states have the first numbers
        self._own = len(self._numbers)

    def named(self, name: Hashable, width: int | None) -> Word:
        """A number of which each bit is one of its own."""

        def bit(place: int) -> Bit:
            return Bit(1 << self._numbers.setdefault((name, place), len(self._numbers) + 1))

        return Word(bit, width)

    def is_constant(self, words: Sequence[Word]) -> bool:
        """Whether the matrix of the step is the same at every step. Raises NotLinear where there is
        none."""
        constant = True
        for word in words:
            for place in range(word.width):
                for product in word[place].products:
                    mine = sum(number <= self._own for number in product)
                    if mine > 1:
                        raise NotLinear
                    constant = constant and not mine
        return constant

    def word(self, term: Term, env: Mapping[Value, Word]) -> Word:
        """What a term is as a row of bits."""
        return _Reading(self, env).of(term)


class _Reading:
    """Terms where the carried values are those of ``env``."""

    def __init__(self, step: _Step, env: Mapping[Value, Word]) -> None:
        self._step, self._env = step, env
        self._made: dict[Term, Word] = {}

    def of(self, term: Term) -> Word:
        if term not in self._made:
            tick(5)
            self._made[term] = self._of(term)
        return self._made[term]

    def _of(self, term: Term) -> Word:
        if isinstance(term, Const):
            return number(whole(term.value))
        if isinstance(term, Index) and term in self._step.places:
            return number(self._step.places[term])
        if isinstance(term, Read):
            if term.value in self._env:
                return self._env[term.value]
            made = definition(term)
            if made is not None:
                return self.of(made)
        if not self._step.dependence.mentions(term, self._env):
            return self._given(term)
        if isinstance(term, Reduce) and term.op == "any" and term.index.group:
            return truth_word(self.of(term.body).truth)  # of one element
        if isinstance(term, Trace):
            return self._inner(term)
        if isinstance(term, Apply):
            return self._applied(term)
        raise NotLinear

    def _given(self, term: Term) -> Word:
        step = self._step
        if isinstance(term, Apply):
            try:
                return self._applied(term)
            except NotLinear:
                pass
        if truth(term):
            return step.named((term, *step.places.values()), 1)
        if step.narrow:
            if not isinstance(term, Read):
                raise NotLinear  # what is computed from inputs would seldom be so narrow
            step.asked[term] = None
        return step.named((term, *step.places.values()), step.width if step.narrow else None)

    def _inner(self, trace: Trace) -> Word:
        """What a loop within the loop leaves."""
        scan, last = trace.scan, trace.step
        if not isinstance(last, Const) or not 0 <= whole(last.value) < _MOST_ROUNDS:
            raise NotLinear
        if scan.step in self._step.places:
            raise NotLinear
        now = {carry.state: self.of(carry.init) for carry in scan.carries}
        for place in range(whole(last.value) + 1):
            self._step.places[scan.step] = place
            reading = _Reading(self._step, {**self._env, **now})
            now = {carry.state: reading.of(carry.update) for carry in scan.carries}
        del self._step.places[scan.step]
        return now[scan.carries[trace.slot].state]

    def _applied(self, term: Apply) -> Word:
        op, args = term.op.removeprefix("call:"), term.args
        if op in ("bitwise_left_shift", "bitwise_right_shift"):
            by = self._constant(args[1])
            return (up if op == "bitwise_left_shift" else down)(self.of(args[0]), by)
        if op in ("mod", "floordiv"):
            power = self._constant(args[1])
            if power < 1 or power & (power - 1):
                raise NotLinear
            one = self.of(args[0])
            if op == "mod":
                return both(one, number(power - 1))
            return down(one, power.bit_length() - 1)
        if op == "where":
            return chosen(self._asked(args[0]), *map(self.of, args[1:]))
        words = [self.of(arg) for arg in args]
        if op in ("eq", "ne") and all(word.bounded == 1 for word in words):
            differ = words[0][0] ^ words[1][0]
            return truth_word(differ if op == "ne" else differ ^ YES)
        if op in _COMPARED:
            return compared(_COMPARED[op], *words)
        if op in _JOINED:
            return reduce(_JOINED[op], words)
        if op in _TRUTHS:
            return reduce(_TRUTHS[op], (truth_word(word.truth) for word in words))
        if op == "not":
            return truth_word(words[0].truth ^ YES)
        if op in ("bool", "cast:bool"):
            return truth_word(words[0].truth)
        if len(words) != 1 or op not in _ALONE:
            raise NotLinear
        return _ALONE[op](words[0])

    def _asked(self, test: Term) -> Bit:
        """Whether a condition holds: one that reads no state may be any."""
        step = self._step
        if not step.dependence.mentions(test, self._env):
            return step.named((test, "holds", *step.places.values()), 1)[0]
        return self.of(test).truth

    def _constant(self, term: Term) -> int:
        """A number that is known. Raises NotLinear where a term is none."""
        return self.of(term).known


_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt,
    "ge": operator.ge,
}  # fmt: skip
_JOINED: dict[str, Callable[[Word, Word], Word]] = {
    "bitwise_xor": xor, "bitwise_and": both, "bitwise_or": either, "add": added, "mul": times,
}  # fmt: skip
_TRUTHS: dict[str, Callable[[Word, Word], Word]] = {"and": both, "or": either, "xor": xor}
_ALONE: dict[str, Callable[[Word], Word]] = {
    "bitwise_not": inverted, "neg": minus, "int": lambda one: one, "cast:int": lambda one: one,
    "index": lambda one: one,
}  # fmt: skip
