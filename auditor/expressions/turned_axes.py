"""Views that bring axes into another order, as methods of an array. What torch calls ``transpose``
is ``swapaxes`` in NumPy, whose ``transpose`` takes the order of all axes, and which torch knows
too."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.notation import Index, Library

LAST_TWO = ".transpose(-2, -1)"
_OF_BOTH = ".swapaxes(-2, -1)"
_EXCHANGES = (LAST_TWO, _OF_BOTH, ".transpose(-1, -2)", ".swapaxes(-1, -2)", ".mT")


def last_two(library: Library | None) -> str:
    """The exchange of the last two axes; ``library`` is None where it may be either."""
    return LAST_TWO if library == "torch" else _OF_BOTH


def exchanges(text: str) -> str | None:
    """What ``text`` ends in that exchanges its last two axes."""
    return next((end for end in _EXCHANGES if text.endswith(end)), None)


def moved(known: Sequence[Index], wanted: Sequence[Index], library: Library | None) -> str | None:
    """The view that brings axes ``known`` into the order ``wanted``; None where the libraries have
    no word in common."""
    places = [p for p, (a, b) in enumerate(zip(known, wanted, strict=True)) if a is not b]
    if places == [len(known) - 2, len(known) - 1]:
        return last_two(library)
    if len(places) == 2:
        word = "transpose" if library == "torch" else "swapaxes"
        return f".{word}({places[0]}, {places[1]})"
    order = ", ".join(str(list(known).index(index)) for index in wanted)
    if library is None:
        return None
    return f".permute({order})" if library == "torch" else f".transpose({order})"


def exchanged(
    known: Sequence[Index], wanted: Sequence[Index], library: Library | None
) -> str | None:
    """The view that exchanges two axes, counted from the end, where that makes ``known`` what is
    ``wanted``; the first may stand for any number."""
    places = [p for p, (a, b) in enumerate(zip(known, wanted, strict=True)) if a is not b]
    if len(places) != 2 or 0 in places or set(known) != set(wanted):
        return None
    one, other = (place - len(known) for place in places)
    if (one, other) == (-2, -1):
        return last_two(library)
    return f".{'transpose' if library == 'torch' else 'swapaxes'}({one}, {other})"
