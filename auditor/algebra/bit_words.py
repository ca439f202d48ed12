"""Whole numbers of which each bit is a polynomial modulo 2 in bits that are not known, and what
operations make of them. Whatever has no such result raises ``NotLinear``."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass

_MOST_PRODUCTS = 256
"""Products of a polynomial by another one; a bit that chooses between two words has a handful."""


class NotLinear(Exception):
    """An operation does something else with bits, or there are too many."""


@dataclass(frozen=True)
class Bit:
    """A sum modulo 2 of bits by number, as the set bits of ``linear`` (0 is the constant 1), and of
    products of several."""

    linear: int = 0
    products: frozenset[frozenset[int]] = frozenset()

    def __xor__(self, other: Bit) -> Bit:
        return Bit(self.linear ^ other.linear, self.products ^ other.products)

    def __and__(self, other: Bit) -> Bit:
        if not self or not other:
            return NO
        if self == YES or other == YES:
            return other if self == YES else self
        if self == other:
            return self
        one, two = list(self.monomials()), list(other.monomials())
        if len(one) * len(two) > _MOST_PRODUCTS:
            raise NotLinear
        made = NO
        for left in one:
            for right in two:
                made ^= _monomial(left | right)
        return made

    def __bool__(self) -> bool:
        return bool(self.linear or self.products)

    def monomials(self) -> Iterable[frozenset[int]]:
        left = self.linear
        while left:
            lowest = left & -left
            number = lowest.bit_length() - 1
            yield frozenset((number,)) if number else frozenset()
            left ^= lowest
        yield from self.products


NO, YES = Bit(), Bit(1)


def _monomial(factors: frozenset[int]) -> Bit:
    if len(factors) < 2:
        return Bit(1 << next(iter(factors), 0))
    return Bit(0, frozenset((factors,)))


class Word:
    """A whole number from 0 on, of ``width`` bits; without one it may be negative, and the bits
    above are those of its sign (two's complement)."""

    def __init__(self, bit: Callable[[int], Bit], width: int | None) -> None:
        self._bit, self._width = bit, width
        self._known: dict[int, Bit] = {}

    def __getitem__(self, place: int) -> Bit:
        if self._width is not None and place >= self._width:
            return NO
        if place not in self._known:
            self._known[place] = self._bit(place)
        return self._known[place]

    @property
    def bounded(self) -> int | None:
        return self._width

    @property
    def width(self) -> int:
        """How many bits there are. Raises NotLinear where that is not known."""
        if self._width is None:
            raise NotLinear
        return self._width

    @property
    def single(self) -> tuple[int, Bit]:
        """The one place that may be set, and whether it is. Raises NotLinear where there are
        more."""
        places = [place for place in range(self.width) if self[place]]
        if len(places) > 1:
            raise NotLinear
        place = places[0] if places else 0
        return place, self[place]

    @property
    def truth(self) -> Bit:
        return self.single[1]

    @property
    def known(self) -> int:
        """The number that it is. Raises NotLinear where a bit is not known."""
        bits = [self[place] for place in range(self.width)]
        if any(bit not in (NO, YES) for bit in bits):
            raise NotLinear
        return sum(1 << place for place, bit in enumerate(bits) if bit)


def whole(value: object) -> int:
    if not isinstance(value, int):
        raise NotLinear
    return int(value)


def number(value: int) -> Word:
    return Word(
        lambda place: YES if value >> place & 1 else NO, value.bit_length() if value >= 0 else None
    )


def truth_word(bit: Bit) -> Word:
    return Word(lambda place: bit if place == 0 else NO, 1)


def _each(op: Callable[[Bit, Bit], Bit], one: Word, other: Word, width: int | None) -> Word:
    return Word(lambda place: op(one[place], other[place]), width)


def _wider(one: Word, other: Word) -> int | None:
    if one.bounded is None or other.bounded is None:
        return None
    return max(one.bounded, other.bounded)


def xor(one: Word, other: Word) -> Word:
    return _each(operator.xor, one, other, _wider(one, other))


def both(one: Word, other: Word) -> Word:
    widths = [word.bounded for word in (one, other) if word.bounded is not None]
    return _each(operator.and_, one, other, min(widths, default=None))


def either(one: Word, other: Word) -> Word:
    return _each(lambda a, b: a ^ b ^ (a & b), one, other, _wider(one, other))


def inverted(one: Word) -> Word:
    return Word(lambda place: one[place] ^ YES, None)


def up(one: Word, by: int) -> Word:
    width = None if one.bounded is None else one.bounded + by
    return Word(lambda place: one[place - by] if place >= by else NO, width)


def down(one: Word, by: int) -> Word:
    width = None if one.bounded is None else max(0, one.bounded - by)
    return Word(lambda place: one[place + by], width)


def added(one: Word, other: Word) -> Word:
    """A sum in which nothing is carried."""
    if any(one[place] and other[place] for place in range(min(one.width, other.width))):
        raise NotLinear
    return xor(one, other)


def times(one: Word, other: Word) -> Word:
    """A product of a number by a bit, wherever that stands."""
    try:
        place, bit = one.single
    except NotLinear:
        one, other = other, one
        place, bit = one.single
    chosen = Word(lambda at: bit & other[at], other.bounded)
    return up(chosen, place)


def minus(one: Word) -> Word:
    """The negative of a bit: none are set, or all."""
    place, bit = one.single
    if place:
        raise NotLinear
    return Word(lambda at: bit, None)


def compared(holds: Callable[[int, int], bool], one: Word, other: Word) -> Word:
    """Whether a bit compares so with a number that is known."""
    try:
        limit, (place, bit) = other.known, one.single
        without, within = holds(0, limit), holds(1 << place, limit)
    except NotLinear:
        limit, (place, bit) = one.known, other.single
        without, within = holds(limit, 0), holds(limit, 1 << place)
    return truth_word((bit if within != without else NO) ^ (YES if without else NO))


def chosen(test: Bit, then: Word, other: Word) -> Word:
    def bit(place: int) -> Bit:
        return other[place] ^ (test & (then[place] ^ other[place]))

    return Word(bit, _wider(then, other))
