"""A counterexample to every combine of what a loop carries: two pieces of data that leave the same,
and something before them after which they do not. No function of what two pieces leave can then
give what the whole leaves, whatever it is.

Where none is found, the loop's powers are looked at as functions of one carried value: that they
become polynomials of growing degree, or fall into more and more pieces, shows that no summary of
bounded size of such functions is enough.

The search goes through short inputs in a fixed order; what is found is made smaller and written as
Python that can be run.
"""

from __future__ import annotations

import ast
import copy
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from textwrap import indent
from typing import Any

from auditor.derive.interpreter import ANSWER, CannotRun, Env, Interpreter, stopped
from auditor.derive.places import Place
from auditor.derive.scopes import leading, local_names, stored_names, target_names, top_level_names
from auditor.tree import everything_in

_NUMBERS = (0, 1, 2, -1, 3, 5, 11, 101)
_MOST_ELEMENTS, _SHORT, _LONG, _DRAWN, _PREFIXES, _PAIRS = 9, 2, 6, 250, 50, 160
_FIRST, _ASKED = 20, 5_000
_OPTIONS = (7, 5, 3)
_DONE = "<stopped>"
_DEGREE = """
def degree(values):
    found = -1
    while any(values):
        found += 1
        values = [b - a for a, b in zip(values, values[1:])]
    return found

"""
Word = tuple[Any, ...]
_PLAIN = frozenset((bool, int, float, complex, str, bytes, Fraction))


@dataclass(frozen=True)
class Refutation:
    """What shows that there is no combine, in words and as Python to run."""

    said: str
    program: str


def refute(place: Place) -> Refutation | None:
    """A refutation of the ``for`` loop, or None where none is found or the loop cannot be run."""
    if not isinstance(place.loop, ast.For):
        return None
    try:
        loop = _Loop(place, place.loop)
        return loop.clash() or loop.growth()
    except (CannotRun, RecursionError):
        return None


class _Loop:
    """The loop as a function of its elements."""

    def __init__(self, place: Place, node: ast.For) -> None:
        self.node, self.place = node, place
        defined = {n for s in place.tree.body for n in top_level_names(s)} - {"math"}
        self.interpreter = Interpreter(defined | local_names(place.function))
        self.target, self.places = self._target()
        self.bind = self.interpreter.store(self.target)
        self.body = self.interpreter.block(node.body)
        self.before = self._before()
        self.carried = self._carried()
        self.options = self._options()
        self.start = self._start()
        self.containers = any(isinstance(v, (list, dict, set)) for v in self.start.values())
        self.answer = self._answer()
        self.returned = self._returned()

    # -- what it is made of

    def _target(self) -> tuple[ast.expr, bool]:
        """What an element is bound to; is it counted by ``enumerate``?"""
        walked, target = self.node.iter, self.node.target
        if isinstance(walked, ast.Call):
            name = ast.unparse(walked.func)
            if name == "enumerate" and len(walked.args) == 1 and isinstance(target, ast.Tuple):
                return target, True
            if name in ("range", "enumerate"):
                raise CannotRun(name)
        return target, False

    def _before(self) -> list[ast.stmt]:
        """The assignments above the loop that it can begin with."""
        function = self.place.function
        body = function.body if function is not None else self.place.tree.body
        return [s for s in leading(body, self.node) if isinstance(s, (ast.Assign, ast.AnnAssign))]

    def _carried(self) -> list[str]:
        names = set(target_names(self.node.target) or ())
        found = [n for n in dict.fromkeys(stored_names(self.node.body)) if n not in names]
        held = {
            n.value.id
            for s in self.node.body
            for n in everything_in(s)
            if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name)
            and isinstance(n.ctx, ast.Store)
        }  # fmt: skip
        begun = {
            n.id
            for s in self.before
            for n in everything_in(s)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        return [name for name in [*found, *sorted(held - set(found))] if name in begun]

    def _options(self) -> dict[str, Any]:
        """Values for what the loop reads from around it."""
        names = {*self.carried, *(target_names(self.node.target) or ()), *_known()}
        local = local_names(self.place.function)
        texts = [*self.node.body, *self.before]
        own = {n.id for s in texts for n in everything_in(s)
               if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}  # fmt: skip
        read = dict.fromkeys(
            n.id for s in self.node.body for n in everything_in(s)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
        )  # fmt: skip
        free = [n for n in read if n not in names and n not in own and n in local]
        return dict(zip(free, itertools.cycle(_OPTIONS), strict=False))

    def _start(self) -> Env:
        env: Env = dict(self.options)
        for statement in self.before:
            try:
                self.interpreter.block([statement])(env)
            except (CannotRun, ArithmeticError, TypeError, ValueError, LookupError):
                continue
        missing = [name for name in self.carried if name not in env]
        if missing or not self.carried:
            raise CannotRun(", ".join(missing))
        names = {*self.carried, *self.options, *self._read_in_body()}
        return {name: value for name, value in env.items() if name in names}

    def _read_in_body(self) -> set[str]:
        return {n.id for s in self.node.body for n in everything_in(s) if isinstance(n, ast.Name)}

    def _answer(self) -> ast.expr | None:
        """What the function returns right after the loop, where that can be computed."""
        body = self.place.function.body if self.place.function is not None else []
        for statement, following in itertools.pairwise([*body, ast.Return(ast.Constant(None))]):
            if statement is self.node and isinstance(following, ast.Return):
                return following.value or ast.Constant(None)
        return None

    def _returned(self) -> bool:
        """Is what is returned told apart, and not what the loop carries? Where a step may end it,
        what is carried stays as it was, and nobody need read it."""
        nodes = [node for statement in self.node.body for node in everything_in(statement)]
        if any(isinstance(node, ast.Return) for node in nodes) and self.answer is None:
            raise CannotRun("the answer")
        ends = any(isinstance(node, (ast.Return, ast.Break)) for node in nodes)
        return ends and self.answer is not None

    # -- running it

    def run(self, word: Sequence[Any], env: Env | None = None) -> Env | None:
        """The carried values after the elements; None where a step raises."""
        held = _copied(self.start if env is None else env)
        count = held.get("", 0)
        try:
            for element in word:
                if held.get(_DONE):
                    break
                self.bind(held, (count, element) if self.places else element)
                count += 1
                held[_DONE] = stopped(self.body(held))
        except (CannotRun, ArithmeticError, TypeError, ValueError, LookupError, AttributeError):
            return None
        held[""] = count
        return held

    def left(self, env: Env) -> Any:
        """What a piece leaves: all carried values, or of containers the answer."""
        if self.containers:
            return self.outcome(env)
        answer = self.outcome(env) if self.returned else None
        places = (env.get("", 0),) if self.places else ()
        return (*(env[name] for name in self.carried), bool(env.get(_DONE)), answer, *places)

    def outcome(self, env: Env) -> Any:
        """What the whole is told apart by."""
        if env.get(_DONE) and ANSWER in env:
            return env[ANSWER]
        if not (self.containers or self.returned):
            return self.left(env)
        if self._finish is None:
            raise CannotRun("the answer")
        try:
            return self._finish(env)
        except (CannotRun, ArithmeticError, TypeError, ValueError, LookupError):
            return "an error"

    @cached_property
    def _finish(self) -> Any:
        return None if self.answer is None else self.interpreter.expression(self.answer)

    # -- two pieces that leave the same

    def clash(self) -> Refutation | None:
        """The smallest input found that refutes every combine."""
        elements = self._elements()
        groups: dict[str, list[Word]] = {}
        words: list[tuple[Word, Env]] = []
        for word in _words(elements):
            env = self.run(word)
            if env is None:
                continue
            key = repr(self.left(env))
            words.append((word, env))
            if "nan" not in key:
                groups.setdefault(key, []).append(word)
        before = self._told_apart(words[:_PREFIXES] + words[-_PREFIXES:])
        pairs = [(group[0], other) for group in groups.values() for other in group[1:4]]
        pairs.sort(key=lambda pair: len(pair[0]) + len(pair[1]))
        found: tuple[Word, Word, Word] | None = None
        asked = 0
        for few in (before[:_FIRST], before[_FIRST:]):
            for one, other in pairs[:_PAIRS]:
                if found is not None and len(one) + len(other) >= sum(map(len, found)):
                    break
                for prefix, env in few:
                    asked += 1
                    if asked > _ASKED:
                        break
                    if self._apart(env, one, other):
                        size = len(prefix) + len(one) + len(other)
                        if found is None or size < sum(map(len, found)):
                            found = prefix, one, other
                        break
        if found is None:
            return None
        return self._told(*self._smaller(*found))

    def _told_apart(self, words: list[tuple[Word, Env]]) -> list[tuple[Word, Env]]:
        """The first of those that leave the same, where that is all that the rest goes on from."""
        if self.containers:
            return words
        first: dict[str, tuple[Word, Env]] = {}
        for word, env in words:
            first.setdefault(repr(self.left(env)), (word, env))
        return list(first.values())

    def _apart(self, env: Env, one: Word, other: Word) -> bool:
        first, second = self.run(one, env), self.run(other, env)
        if first is None or second is None:
            return False
        return not _alike(self.outcome(first), self.outcome(second))

    def _refutes(self, prefix: Word, one: Word, other: Word) -> bool:
        alone = [self.run(word) for word in (one, other, prefix)]
        if any(env is None for env in alone):
            return False
        first, second, env = alone
        assert first is not None and second is not None and env is not None
        if repr(self.left(first)) != repr(self.left(second)):
            return False
        return self._apart(env, one, other)

    def _smaller(self, *found: Word) -> tuple[Word, Word, Word]:
        """Without elements that are not needed, and with smaller ones."""
        parts = list(found)
        again = True
        while again:
            again = False
            for place, word in enumerate(parts):
                for less in _less(word):
                    tried = [*parts[:place], less, *parts[place + 1 :]]
                    if self._refutes(*tried):
                        parts, again = tried, True
                        break
        prefix, one, other = parts
        return prefix, one, other

    def _told(self, prefix: Word, one: Word, other: Word) -> Refutation:
        words = [list(word) for word in (one, other, (*prefix, *one), (*prefix, *other))]
        a, b, c, d = (self._shown(word) for word in words)
        what = "return" if self.containers or self.returned else "leave"
        said = (
            f"no combine of what two pieces {what} gives the whole: {words[0]} and {words[1]} "
            f"{what} the same, and after {list(prefix)} they do not"
        )
        lines = [
            self._function(),
            f"assert loop({words[0]!r}) == loop({words[1]!r})  # {a}",
            f"assert loop({words[2]!r}) != loop({words[3]!r})  # {c}, {d}",
        ]
        assert a == b
        return Refutation(said, "\n".join(lines))

    def _shown(self, word: Sequence[Any]) -> str:
        env = self.run(word)
        assert env is not None
        if self.containers or self.returned:
            return repr(self.outcome(env))
        values = [env[name] for name in self.carried]
        return repr(values[0] if len(values) == 1 else tuple(values))

    def _function(self, varied: str | None = None) -> str:
        """The loop as a function of its elements alone, or also of what one value begins as, which
        alone is then returned."""
        body: list[str] = []
        text = "\n".join(map(ast.unparse, [*self.node.body, *self.before]))
        lines = ["import math\n\n"] if "math." in text else []
        for name, value in self.options.items():
            body.append(f"{name} = {value!r}")
        own = {*self.carried, *self._read_in_body()}
        for statement in self.before:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]  # type: ignore[attr-defined]
            names = {n.id for t in targets for n in everything_in(t) if isinstance(n, ast.Name)}
            if names & own and names <= self.start.keys():
                body.append(ast.unparse(statement))
        if varied is not None:
            body.append(f"{varied} = begun")
        walked = "enumerate(elements)" if self.places else "elements"
        body.append(f"for {ast.unparse(self.target)} in {walked}:")
        body += [indent(ast.unparse(statement), "    ") for statement in self.node.body]
        if varied is not None:
            body.append(f"return {varied}")
        elif (self.containers or self.returned) and self.answer is not None:
            body.append(f"return {ast.unparse(self.answer)}")
        else:
            body.append(f"return {', '.join(self.carried)}")
        given = "elements" if varied is None else "elements, begun"
        lines.append(f"def loop({given}):\n" + indent("\n".join(body), "    ") + "\n\n")
        return "\n".join(lines)

    # -- functions that grow

    def growth(self) -> Refutation | None:
        """A carried value whose powers are polynomials of growing degree."""
        if self.containers or self.places or self.returned:
            return None
        for name in self.carried:
            for element in (1, 2, 3):
                degrees = [self._degree(name, (element,) * steps) for steps in (1, 2, 3)]
                if None not in degrees and degrees[0] < degrees[1] < degrees[2]:  # type: ignore[operator]
                    shown = ", ".join(map(str, degrees))
                    said = (
                        f"after 1, 2 and 3 steps on {element} `{name}` is a polynomial of degree "
                        f"{shown} in what it was: no summary of bounded size"
                    )
                    return Refutation(said, self._grown(name, element, degrees))
        return None

    def _grown(self, name: str, element: int, degrees: Sequence[int | None]) -> str:
        """Python that counts the degrees again."""
        asserted = [
            f"assert degree([loop([{element}] * {n}, Fraction(s)) for s in range(12)]) == {found}"
            for n, found in enumerate(degrees, 1)
        ]
        lines = ["from fractions import Fraction\n\n", self._function(name), _DEGREE, *asserted]
        return "\n".join(lines)

    def _degree(self, name: str, word: Word) -> int | None:
        """The degree of a carried value after some steps in what it was before them."""
        values = []
        for start in range(12):
            env = self.run(word, {**self.start, name: Fraction(start)})
            if env is None or not isinstance(env[name], (int, Fraction)):
                return None
            values.append(Fraction(env[name]))
        degree = -1
        while any(values):
            degree += 1
            values = [b - a for a, b in itertools.pairwise(values)]
        return degree if len(values) > 1 else None

    # -- elements

    def _elements(self) -> list[Any]:
        """Elements by how the body uses them: numbers, texts or tuples of them."""
        target = self.target
        if self.places and isinstance(target, ast.Tuple):
            target = target.elts[1]
        if isinstance(target, ast.Name):
            return self._values(target.id)[:_MOST_ELEMENTS]
        names = target_names(target) or ()
        columns = [self._values(name)[:3] for name in names]
        return list(itertools.product(*columns))[: 2 * _MOST_ELEMENTS]

    def _values(self, name: str) -> list[Any]:
        literals: list[Any] = []
        compared: list[Any] = []
        for statement in self.node.body:
            for node in everything_in(statement):
                if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
                    continue
                if isinstance(node.value, (int, str)):
                    literals.append(node.value)
        for statement in self.node.body:
            for node in everything_in(statement):
                if isinstance(node, ast.Compare):
                    sides = [node.left, *node.comparators]
                    if any(isinstance(s, ast.Name) and s.id == name for s in sides):
                        compared += [s.value for s in sides if isinstance(s, ast.Constant)]
        texts = [t for t in literals if isinstance(t, str)]
        if any(isinstance(c, str) for c in compared) or (texts and not compared):
            return list(dict.fromkeys([*texts, *(t[:1] for t in texts if t), "x", "7"]))
        if self._spelled(name):
            return ["0", "1", "7", "a"]
        near = [n + d for n in literals if isinstance(n, int) and abs(n) > 3 for d in (0, -1, 1)]
        return list(dict.fromkeys([*_NUMBERS[:5], *near[:6], *_NUMBERS[5:]]))

    def _spelled(self, name: str) -> bool:
        """Is the element a text, by what it is given to?"""
        return any(
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in ("ord", "len", "int")
            and any(isinstance(a, ast.Name) and a.id == name for a in node.args)
            for statement in self.node.body
            for node in everything_in(statement)
        )


def _known() -> set[str]:
    return {"math", "abs", "min", "max", "len", "int", "float", "round", "ord", "chr", "bool"}


def _words(elements: list[Any]) -> Iterator[Word]:
    """All short words, then some longer ones, always the same."""
    for length in range(_SHORT + 1):
        yield from itertools.product(elements, repeat=length)
    for element, length in itertools.product(elements, range(_SHORT + 1, _LONG + 1)):
        yield (element,) * length
    numbers = random.Random(5)
    for _ in range(_DRAWN):
        yield tuple(numbers.choice(elements) for _ in range(numbers.randint(_SHORT + 1, _LONG)))


def _less(word: Word) -> Iterator[Word]:
    for place in range(len(word)):
        yield (*word[:place], *word[place + 1 :])
    for place, element in enumerate(word):
        if isinstance(element, int) and not isinstance(element, bool):
            for smaller in (0, 1, 2, element // 2):
                if abs(smaller) < abs(element):
                    yield (*word[:place], smaller, *word[place + 1 :])


def _copied(env: Env) -> Env:
    """A copy that shares nothing that can be changed."""
    made: dict[int, Any] = {}
    return {name: _copy_of(value, made) for name, value in env.items()}


def _copy_of(value: Any, made: dict[int, Any]) -> Any:
    """A copy of a value; what is in two places is one object in both, found again in ``made``."""
    kind = type(value)
    if value is None or kind in _PLAIN:
        return value
    if kind not in (list, dict, set, tuple):
        return copy.deepcopy(value, made)
    if id(value) in made:
        return made[id(value)]
    if kind is tuple:
        return tuple(_copy_of(one, made) for one in value)
    new = made[id(value)] = kind()
    if kind is list:
        new += [_copy_of(one, made) for one in value]
    elif kind is dict:
        new.update((key, _copy_of(one, made)) for key, one in value.items())
    else:
        new |= value
    return new


def _alike(a: Any, b: Any) -> bool:
    """Equal, floats up to rounding: what differs must differ for certain."""
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return all(map(_alike, a, b))
    if (isinstance(a, float) and isinstance(b, (int, float))) or isinstance(b, float):
        if isinstance(a, (int, float)) and isinstance(b, (int, float)):
            return a != a or b != b or a == b or abs(a - b) <= 1e-6 * (1 + abs(a) + abs(b))
    return bool(a == b)
