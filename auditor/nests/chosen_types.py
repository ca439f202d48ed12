"""What has to hold of types where a step chooses, for all steps at once to give the same.

A loop puts one number after the other into a cell, of which each keeps its value. Of an array and a
number the libraries make one array, in the array's type: that has to hold the number as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from auditor.assumed import listed
from auditor.lift.dtypes import WHOLE
from auditor.nests.choices import CHOICES, values, ways
from auditor.nests.parts import Filled
from auditor.notation import Apply, Const, Read, Term, Value, walk
from auditor.rewrite import Site

_EXTREMA = frozenset(("max", "min"))
_WIDE = {"numpy": ("float64", "int64", "int"), "torch": ("float64",)}


def of_numbers(site: Site, filled: Filled, library: str | None, listed: bool) -> list[str]:
    """What is assumed of the types of what steps choose from. Raises ``Refused``."""
    said: list[str] = []
    for term, bare in _choices(filled.term, True):
        every = _ways(term)
        numbers = [way for way in every if not _arrays(way) and not _state(way)]
        alone = len(numbers) == len(every)
        if library == "torch":
            said += _of_one_type(_arrays(term))
            said += _of_gradients(term, every)
            exact = bare and (term.op == "where" or all(map(_exact, numbers)))
            site.require(
                not alone or exact or (bare and filled.array.dtype == "float32"), "types",
                "torch holds one of two numbers in its default type, which may not be wide enough",
            )  # fmt: skip
        kept = bare and (alone or all(map(_exact, numbers)))
        if not numbers or kept or term.op == "where" or (term.op in _EXTREMA and not bare):
            continue
        site.require(not listed, "types", "numbers that a step chooses have no type of their own")
        said += _of_no_narrower(site, _arrays(term if bare else filled.term), filled, library)
    return said


def _choices(term: Term, bare: bool) -> Iterator[tuple[Apply, bool]]:
    """What is chosen in a term, and whether it is then put into the cell as it is."""
    if not isinstance(term, Apply):
        return
    chosen = term.op in CHOICES or term.op in _EXTREMA
    if chosen:
        yield term, bare
    for arg in term.args:
        yield from _choices(arg, bare and chosen)


def _ways(term: Apply) -> list[Term]:
    """What is chosen between."""
    if term.op == "choose":
        return ways(term)
    return list(term.args[1:] if term.op == "where" else term.args)


def _of_no_narrower(
    site: Site, arrays: list[Value], filled: Filled, library: str | None
) -> list[str]:
    held = filled.array.dtype
    wide = (*_WIDE.get(library or "", ()), *([held] if held else []))
    names = [f"`{value.name}`" for value in arrays if value.dtype not in wide]
    site.require(
        all(value.dtype is None or value.dtype in wide for value in arrays), "types",
        f"a number may have no place in the type of {' and '.join(names)}",
    )  # fmt: skip
    are = "are" if len(names) > 1 else "is"
    joined = listed(names)
    return [f"{joined} {are} of no narrower type than `{filled.name}`"] if names else []


def _of_one_type(arrays: list[Value]) -> list[str]:
    """torch's choice between two types may be narrower than one of them."""
    if len({value.dtype for value in arrays}) < 2 and (
        len(arrays) < 2 or arrays[0].dtype is not None
    ):
        return []
    return [f"{' and '.join(f'`{value.name}`' for value in arrays)} are of one type"]


def _of_gradients(term: Apply, every: list[Term]) -> list[str]:
    """What no step takes gives the result no gradient in a loop."""
    gradients = [any(v.dtype not in WHOLE for v in _arrays(way)) for way in every]
    if term.op != "choose" or all(gradients) or not any(gradients):
        return []
    return ["some step takes what has a gradient, if anything has"]


def _arrays(term: Term) -> list[Value]:
    """The arrays that give a term its type."""
    read = {node.value for node in values(term) if isinstance(node, Read)}
    return sorted((v for v in read if v.axes and v.kind == "input"), key=lambda v: v.name)


def _state(term: Term) -> bool:
    return any(isinstance(node, Read) and node.value.kind == "state" for node in walk(term))


def _exact(term: Term) -> bool:
    """Whether every type of numbers holds a number: halves, and integers without a sign."""
    sign = 1
    if isinstance(term, Apply) and term.op == "neg":
        term, sign = term.args[0], -1
    if not isinstance(term, Const) or not isinstance(term.value, (int, float)):
        return False
    value = sign * term.value
    if isinstance(value, int):
        return 0 <= value <= 127
    if not math.isfinite(value) or value == 0:
        return True
    digits, power = math.frexp(value)
    return (digits * 256).is_integer() and -13 <= power <= 15
