"""Random loop bodies as Python: whatever ``audit derive`` finds of them is written as a program and
compared with the loop, on elements at every literal of the body, cut at random."""

from __future__ import annotations

import inspect
import itertools
import math
import random
import re
import sys
import types
from typing import Any

import pytest

from auditor.derive import found as finding
from auditor.derive.found import Nothing, derive_at
from auditor.derive.program import program

LITERALS = (0, 1, 2, 3, 7, 10, -1)
STARTS = ("0", "0", "0", "1", "5", "-math.inf")


class Bodies:
    """Random bodies over one to three carried values, ``f`` a truth value."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def function(self) -> str:
        """A function with one loop over ``xs``."""
        states = self.random.sample(["a", "b", "c", "f"], self.random.randint(1, 3))
        names = [*states, "x", "x", *(["k"] if self.random.random() < 0.3 else [])]
        flags, numbers = ("True", "False"), STARTS
        starts = "".join(
            f"    {s} = {self.random.choice(flags if s == 'f' else numbers)}\n" for s in states
        )
        body = self._statements(names, states, 2)
        return (
            f"import math\n\n\ndef g(xs, k, m):\n{starts}    for x in xs:\n{body}"
            f"    return {', '.join(states)}\n"
        )

    def _statements(self, names: list[str], states: list[str], level: int) -> str:
        count = self.random.randint(1, 2)
        return "".join(self._statement(names, states, level) for _ in range(count))

    def _statement(self, names: list[str], states: list[str], level: int) -> str:
        pad, roll = "    " * level, self.random.random()
        if roll < 0.3 and level < 4:
            out = f"{pad}if {self._condition(names)}:\n{self._statements(names, states, level + 1)}"
            if self.random.random() < 0.6:
                out += f"{pad}else:\n{self._statements(names, states, level + 1)}"
            return out
        state = self.random.choice(states)
        if state == "f":
            asked = self._condition(names)
            made = ("True", "not f", f"f and {asked}", f"f or {asked}", asked, f"f ^ ({asked})")
            return f"{pad}f = {self.random.choice(made)}\n"
        if roll < 0.5:
            return f"{pad}{state} {self.random.choice('+-+')}= {self._expression(names, 1)}\n"
        return f"{pad}{state} = {'x' if roll < 0.56 else self._expression(names)}\n"

    def _expression(self, names: list[str], depth: int = 0) -> str:
        roll = self.random.random()
        if depth > 2 or roll < 0.35:
            return self.random.choice(names)
        if roll < 0.5:
            return str(self.random.choice(LITERALS))
        a, b = (self._expression(names, depth + 1) for _ in range(2))
        kind = self.random.choice("+ - + - * max min % // if ^ & | and or abs".split())
        if kind in ("max", "min"):
            return f"{kind}({a}, {b})"
        if kind == "abs":
            return f"abs({a})"
        if kind == "if":
            return f"({a} if {self._condition(names, depth + 1)} else {b})"
        if kind in ("%", "//"):
            b = self.random.choice(("2", "3", "7", "10", "m"))
        if kind == "*":
            b = self.random.choice(("2", "3", "-1", "x", "k", b))
        return f"(({a}) {kind} {b})"

    def _condition(self, names: list[str], depth: int = 0) -> str:
        roll = self.random.random()
        if roll < 0.15 and "f" in names:
            return self.random.choice(("f", "not f"))
        if roll < 0.25 and depth < 3:
            word = self.random.choice(("and", "or"))
            return f"({self._condition(names, depth + 1)} {word} {self._condition(names, 3)})"
        left = self._expression(names, 2) if self.random.random() < 0.6 else "x"
        right = ("x", str(self.random.choice(LITERALS)), self._expression(names, 2))
        sign = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        return f"{left} {sign} {self.random.choice(right)}"


def compare(text: str, numbers: random.Random) -> bool:
    """Is a monoid found? If so pieces must give what the loop gives."""
    line = next(n for n, one in enumerate(text.split("\n"), 1) if one.startswith("    for"))
    found = derive_at(text, line)
    if isinstance(found, Nothing):
        return False
    made: Any = types.ModuleType("derived_from_random_body")
    sys.modules[made.__name__] = made
    exec(program(found, "g.py", "python").split("\nELEMENT = ")[0], made.__dict__)
    names = {
        of: [p for p, how in inspect.signature(getattr(made, of)).parameters.items()
             if how.kind is how.KEYWORD_ONLY]
        for of in ("loop", "piece", "finish")
    }  # fmt: skip
    literals = [int(n) for n in re.findall(r"\b\d+\b", text)]
    pool = [*range(-3, 5), *literals, *(-n for n in literals), *(n + 1 for n in literals)]
    for _ in range(40):
        xs = [numbers.choice(pool) for _ in range(numbers.randint(0, 9))]
        given = {name: numbers.choice((2, 3, 5, -2, 1)) for name in names["loop"]}
        try:
            wanted = made.loop(xs, **given)
        except (ArithmeticError, TypeError, ValueError):
            continue
        cuts = sorted((0, len(xs), *(numbers.randint(0, len(xs)) for _ in range(3))))
        options = {name: given[name] for name in names["piece"]}
        a, b, c, d = (made.piece(xs[i:j], **options) for i, j in itertools.pairwise(cuts))
        whole = made.merge((a, b, c, d))
        if numbers.random() < 0.5:
            whole = made.combine(made.combine(a, b), made.combine(c, d))
        got = made.finish(whole, **{name: given[name] for name in names["finish"]})
        assert alike(got, wanted), (text, xs, cuts, given)
    return True


def alike(a: Any, b: Any) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, float) or isinstance(b, float):
        return a == b or (a != a and b != b) or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    return bool(a == b)


@pytest.fixture(autouse=True)
def _without_counterexamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusals are not looked at here."""
    monkeypatch.setattr(finding, "refute", lambda place: None)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_found_of_random_bodies_is_true(seed: int) -> None:
    bodies, numbers = Bodies(seed), random.Random(seed)
    assert sum(compare(bodies.function(), numbers) for _ in range(20)) > 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 150))
def test_what_is_found_of_many_random_bodies_is_true(seed: int) -> None:
    bodies, numbers = Bodies(seed), random.Random(seed)
    assert sum(compare(bodies.function(), numbers) for _ in range(100)) > 20
