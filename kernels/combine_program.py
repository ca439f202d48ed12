"""A function of tensors as a list of operations on registers, for kernels/native/recurrence.h.

What is recorded of the function (kernels/combine_source.py) becomes one instruction an operation,
of those that are the same to the last bit in C and in torch, but for the sign of a zero that
`torch.maximum` or `torch.minimum` makes of two zeros of different signs: torch itself takes one
within a vector and the other at its end. Other operations, and truth values where torch would take
them for whole numbers, give None, and the caller keeps to torch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import fx

from .combine_source import INFIX, METHODS, NAMES, Unsupported, traced

ARITHMETIC = {"+": 0, "-": 1, "*": 2, "/": 3, "maximum": 4, "minimum": 5}
_OF_ONE = {"abs": 6, "neg": 7}
_COMPARED = {">": 8, ">=": 9, "<": 10, "<=": 11, "==": 12, "!=": 13}
_LOGICAL = {"&": 14, "|": 15}
_WHERE = 16

LARGEST = 3e38
"""Numbers above may be infinite in single precision."""


@dataclass(frozen=True)
class Program:
    """``operations`` are (what, to, from, from, from), the last of them numbers of registers: those
    of the states come first, then those of the elements, the constants, and what is computed."""

    constants: tuple[float, ...]
    operations: tuple[tuple[int, int, int, int, int], ...]
    results: tuple[int, ...]
    registers: int


class _Writer:
    """Instructions one after the other. Registers are named until all constants are known."""

    def __init__(self, inputs: list[str]) -> None:
        self.inputs = inputs
        self.constants: list[float] = []
        self.operations: list[tuple[int, str, list[str]]] = []
        self.truths: set[str] = set()

    def constant(self, value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Unsupported(str(value))
        if not (abs(value) < LARGEST or value in (math.inf, -math.inf)):
            raise Unsupported(str(value))  # NaN, or infinite as float32
        number = float(value)
        if number not in self.constants or number == 0:  # zeros have signs
            self.constants.append(number)
            return f"constant {len(self.constants) - 1}"
        return f"constant {self.constants.index(number)}"

    def operand(self, value: Any) -> str:
        """The register of a node, of a number, or of that name."""
        if isinstance(value, str):
            return value
        return value.name if isinstance(value, fx.Node) else self.constant(value)

    def put(self, what: int, to: str, *given: str) -> None:
        self.operations.append((what, to, list(given)))

    def write(self, name: str, to: str, given: list[Any]) -> None:
        """One operation by its name in the tables of combine_source."""
        if name in ("square", "reciprocal", "relu"):
            (one,) = given
            name, given = {
                "square": ("*", [one, one]),
                "reciprocal": ("/", [1.0, one]),
                "relu": ("maximum", [0.0, one]),
            }[name]
        if name == "/" and not isinstance(given[0], (str, fx.Node)) and given[0] != 1:
            # torch divides a number by multiplying it with the reciprocal
            self.write("/", f"{to}, inverted", [1.0, given[1]])
            name, given = "*", [f"{to}, inverted", given[0]]
        names = [self.operand(each) for each in given]
        truths = [each in self.truths for each in names]
        if name == "where" and len(names) == 3 and truths == [True, False, False]:
            self.put(_WHERE, to, *names)
        elif name in _LOGICAL and truths == [True, True]:
            self.put(_LOGICAL[name], to, *names)
            self.truths.add(to)
        elif any(truths):
            raise Unsupported(name)  # a sum of truth values is none of numbers
        elif name in _COMPARED and len(names) == 2:
            self.put(_COMPARED[name], to, *names)
            self.truths.add(to)
        elif name in ARITHMETIC and len(names) == 2:
            self.put(ARITHMETIC[name], to, *names)
        elif name in _OF_ONE and len(names) == 1:
            self.put(_OF_ONE[name], to, *names)
        else:
            raise Unsupported(name)

    def clamp(self, to: str, value: Any, bounds: dict[str, Any]) -> None:
        if not bounds.keys() <= {"min", "max"}:
            raise Unsupported("clamp")
        ends = [
            (name, bounds[end])
            for end, name in (("min", "maximum"), ("max", "minimum"))
            if bounds.get(end) is not None
        ]
        if not ends:
            raise Unsupported("clamp")
        for place, (name, bound) in enumerate(ends, 1):
            below = to if place == len(ends) else f"{to}, bounded"
            self.write(name, below, [bound, value])  # of two zeros the second is kept
            value = below

    def node(self, node: fx.Node) -> None:
        if node.op == "call_method" and node.target in METHODS:
            name = str(node.target)
        elif node.op == "call_function":
            name = INFIX.get(node.target) or NAMES.get(node.target) or ""
        else:
            raise Unsupported(str(node.target))
        if name == "clamp":
            given = dict(zip(("min", "max"), node.args[1:], strict=False)) | dict(node.kwargs)
            self.clamp(node.name, node.args[0], given)
        elif node.kwargs:
            raise Unsupported(name)
        else:
            self.write(name, node.name, list(node.args))

    def program(self, results: list[Any]) -> Program:
        returned = [self.operand(each) for each in results]
        if any(each in self.truths for each in returned):
            raise Unsupported("a state that is a truth value")
        names = [*self.inputs, *(f"constant {n}" for n in range(len(self.constants)))]
        places = {name: place for place, name in enumerate(names)}
        for _, to, _ in self.operations:
            places.setdefault(to, len(places))
        operations = tuple(
            (what, places[to], *(places[each] for each in [*given, *[given[0]] * (3 - len(given))]))
            for what, to, given in self.operations
        )
        return Program(
            tuple(self.constants), operations, tuple(places[each] for each in returned), len(places)
        )


def program(step: Callable[..., Any], states: int, elements: int) -> Program | None:
    """What `step(state, element)` does, tuples of so many parts; or None."""
    groups = tuple(f"s{i}" for i in range(states)), tuple(f"e{i}" for i in range(elements))
    found = traced(step, *groups)
    if found is None or len(found[1]) != states:
        return None
    writer = _Writer([each for group in groups for each in group])
    try:
        for node in found[0]:
            if node.op != "placeholder":
                writer.node(node)
        return writer.program(found[1])
    except Unsupported:
        return None
