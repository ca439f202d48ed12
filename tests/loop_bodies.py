"""Random loop bodies: idioms of every domain, most of them changed in a place or two, so that many
are near misses."""

from __future__ import annotations

import random
from collections.abc import Callable

from notation_builders import E, T, ap, array, at, exp, idx, loop, maximum, minimum, where

from auditor.notation import (
    Apply,
    Computation,
    Const,
    Index,
    Read,
    Term,
    Value,
    children,
    rebuild,
    walk,
)

STEP = idx("t", T)
X, Y = array("x", T), array("y", T)
FLAG = array("flag", T, dtype="bool")
LOW = Const(float("-inf"))
HIGH = Const(float("inf"))

States = list[E]
Body = tuple[list[tuple[str, object, str | None]], Callable[[States], list[object]]]


def _inputs() -> tuple[E, E, E]:
    return at(X, STEP), at(Y, STEP), at(FLAG, STEP)


def _idioms() -> list[Body]:
    x, y, flag = _inputs()
    t = E(STEP)
    one = [("s", 0.5, None)]
    two = [("s", 0.0, None), ("r", 0.0, None)]
    extreme = [("m", LOW, None), ("p", 0, None)]
    return [
        (one, lambda s: [s[0] + x]),
        (one, lambda s: [s[0] * y + x]),
        (one, lambda s: [maximum(s[0] + x, y)]),
        (one, lambda s: [minimum(maximum(s[0] + x, -3), 4)]),
        (one, lambda s: [where(flag, s[0] + x, 0)]),
        (one, lambda s: [where(x > s[0], x, s[0])]),
        (one, lambda s: [(s[0] * 2 + x) / (s[0] + y)]),
        (one, lambda s: [ap("logaddexp", s[0] + y, x)]),
        ([("s", 0, "int")], lambda s: [(s[0] * 3 + t) % 7]),
        ([("s", False, "bool")], lambda s: [ap("or", s[0], x > 1)]),
        ([("s", False, "bool")], lambda s: [ap("xor", s[0], flag)]),
        ([("s", 0, None)], lambda s: [where(ap("eq", s[0], 0), where(flag, 1, 0), 2)]),
        ([("s", 0, None)], lambda s: [where(flag, (s[0] + 1) % 3, s[0])]),
        (two, lambda s: [s[0] + x, maximum(s[1], s[0] + x)]),
        (two, lambda s: [maximum(s[0] + x, 0), maximum(s[1], maximum(s[0] + x, 0))]),
        (two, lambda s: [s[0] + x, s[1] + (s[0] + x) * y]),
        (two, lambda s: [s[1], s[0] * y + s[1] + x]),
        (two, lambda s: [maximum(s[0] + x, s[1] + y), maximum(s[0] - y, s[1])]),
        ([("m", LOW, None), ("n", LOW, None)],
         lambda s: [where(x > s[0], x, s[0]), where(x > s[0], s[0], maximum(s[1], x))]),
        ([("m", HIGH, None), ("n", HIGH, None)],
         lambda s: [minimum(s[0], x), minimum(s[1], maximum(s[0], x))]),
        (extreme, lambda s: [where(x > s[0], x, s[0]), where(x > s[0], t, s[1])]),
        (extreme, lambda s: [where(x > s[0], x, s[0]),
                             where(x > s[0], 1, where(ap("eq", x, s[0]), s[1] + 1, s[1]))]),
        ([("s", 0.0, None), ("b", 0.0, None), ("p", 0, None)],
         lambda s: [s[0] + x, maximum(s[1], s[0] + x), where(s[0] + x > s[1], t, s[2])]),
        ([("s", 0, None), ("ok", True, None)],
         lambda s: [s[0] + x, where(s[0] + x < 0, False, s[1])]),
        ([("last", 0.0, None), ("ok", True, None)], lambda s: [x, ap("and", s[1], s[0] <= x)]),
        ([("last", 0.0, None), ("n", 0, None)],
         lambda s: [x, where(ap("eq", x, s[0]), s[1], s[1] + 1)]),
        ([("on", False, "bool"), ("n", 0, None)],
         lambda s: [x > 0, where(ap("and", x > 0, ap("not", s[0])), s[1] + 1, s[1])]),
        ([("on", True, "bool"), ("n", 0.0, None)],
         lambda s: [ap("not", s[0]), where(s[0], s[1] + x, s[1] * y)]),
        ([("m", LOW, None), ("l", 0.0, None)],
         lambda s: [maximum(s[0], x),
                    s[1] * exp(s[0] - maximum(s[0], x)) + exp(x - maximum(s[0], x))]),
        ([("n", 0, None), ("mean", 0.0, None)],
         lambda s: [s[0] + 1, s[1] + (x - s[1]) / (s[0] + 1)]),
        ([("m", LOW, None), ("seen", False, "bool")], lambda s: [maximum(s[0], x), x >= s[0]]),
        ([("low", HIGH, None), ("gain", 0.0, None)],
         lambda s: [minimum(s[0], x), maximum(s[1], x - s[0])]),
    ]  # fmt: skip


_BINARY = ("add", "sub", "mul", "max", "min", "div", "mod", "floordiv")
_COMPARED = ("lt", "le", "gt", "ge", "eq", "ne")
LITERALS = (0, 1, 2, -1, 0.5, 3, 7, 10, 424242)


def body(seed: int) -> Computation:
    """A loop over scalars; the same for the same seed."""
    chance = random.Random(seed)
    shapes, made = chance.choice(_idioms())
    states = [Value(name, (), kind="state", dtype=dtype) for name, _, dtype in shapes]
    updates = [E(u).term for u in made([at(s) for s in states])]
    for _ in range(chance.choice((0, 0, 1, 1, 1, 2))):
        place = chance.randrange(len(updates))
        updates[place] = _changed(updates[place], states, chance)
    carries = [
        (state, init, update)
        for state, (_, init, _), update in zip(states, shapes, updates, strict=True)
    ]
    return loop(STEP, *carries)


def _changed(term: Term, states: list[Value], chance: random.Random) -> Term:
    """``term`` with one of its subterms replaced."""
    nodes = [node for node in walk(term) if not isinstance(node, Index)]
    target = chance.choice(nodes)
    return _replaced(term, target, _other(target, states, chance))


def _replaced(term: Term, target: Term, by: Term) -> Term:
    if term is target:
        return by
    if isinstance(term, Read):
        return term
    return rebuild(term, tuple(_replaced(part, target, by) for part in children(term)))


def _truth_valued(term: Term) -> bool:
    truths = (*_COMPARED, "and", "or", "xor", "not")
    if isinstance(term, Read):
        return term.value.dtype == "bool"
    if isinstance(term, Const):
        return isinstance(term.value, bool)
    return isinstance(term, Apply) and term.op in truths


def _other(term: Term, states: list[Value], chance: random.Random) -> Term:
    x, y, flag = (E(part).term for part in _inputs())
    numbers = [Read(s, ()) for s in states if s.dtype != "bool"] or [x]
    truths = [Read(s, ()) for s in states if s.dtype == "bool"] or [flag]
    leaf = chance.choice([*numbers, x, y, Const(chance.choice(LITERALS))])
    asked = Apply(chance.choice(_COMPARED), (chance.choice([*numbers, x]), leaf))
    if _truth_valued(term):
        kind = chance.choice(("and", "or", "not", "ask", "state"))
        if kind == "not":
            return Apply("not", (term,))
        if kind == "ask":
            return asked
        if kind == "state":
            return chance.choice([*truths, flag])
        return Apply(kind, (term, chance.choice([asked, flag, *truths])))
    kind = chance.choice(("where", "where", "rare", "binary", "binary", "leaf", "unary"))
    if kind == "leaf":
        return leaf
    if kind == "unary":
        return Apply(chance.choice(("neg", "abs", "relu", "exp", "square", "floor")), (term,))
    if kind == "where":
        condition = chance.choice([asked, flag, *truths])
        sides = (term, leaf) if chance.random() < 0.5 else (leaf, term)
        return Apply("where", (condition, *sides))
    if kind == "rare":
        source = chance.choice([*numbers, x, y])
        rare = Apply("eq", (source, Const(chance.choice((424242, 7, 100)))))
        return Apply("where", (rare, Apply("mul", (leaf, numbers[0])), term))
    return Apply(chance.choice(_BINARY), (term, leaf))
