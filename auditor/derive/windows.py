"""The last few elements, however they are kept, as one assignment: ``a = (a + [x])[-3:]``, or as a
deque that keeps no more of them; the few largest as ``a = sorted(a + [x], reverse=True)[:3]``.

What the statements do is found by running them on numbers, from an empty list on: they keep the
last k if after each element the list holds the last k of them, and the largest k likewise.
"""

from __future__ import annotations

import ast
import copy
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from auditor.derive.begun import before, empty
from auditor.derive.calls import Purity
from auditor.derive.inner import loop_in_place
from auditor.derive.interpreter import CannotRun, Interpreter
from auditor.derive.places import Place
from auditor.derive.scopes import inner_blocks, stored_names, target_names
from auditor.tree import everything_in

_ITEM = "item_"
_SHORT, _LONG, _LIMITS = 40, 400, (1, 2, 3, 5)
"""How long windows are at the most of which the statements do not name the length, and all."""
_CUTTING = ("pop", "popleft", "sort")
_LAST = "({name} + [{item}])[-{most}:]"
_SHAPES: dict[str, Callable[[list[int], int], list[int]]] = {
    _LAST: lambda seen, most: seen[-most:],
    "sorted({name} + [{item}])[:{most}]": lambda seen, most: sorted(seen)[:most],
    "sorted({name} + [{item}])[-{most}:]": lambda seen, most: sorted(seen)[-most:],
    "sorted({name} + [{item}], reverse=True)[:{most}]":
        lambda seen, most: sorted(seen, reverse=True)[:most],
    "sorted({name} + [{item}], reverse=True)[-{most}:]":
        lambda seen, most: sorted(seen, reverse=True)[-most:],
}  # fmt: skip
"""What a list keeps of what was put into it, and how that is written."""


def sliced(place: Place) -> Place:
    """The place with lists that are kept short so, in a copy of the file; the same place where
    there are none."""
    if not isinstance(place.loop, ast.For) or not _windows(place, place.loop):
        return place
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, place.loop)
    if found is None or not isinstance(found.loop, ast.For):
        return place
    supposed = list(place.assumptions)
    for one in reversed(_windows(found, found.loop)):
        one.shorten()
        if not one.most.isdigit() and "[-" in one.shape:
            supposed.append(f"`{one.most}` is at least 1")
    for node in everything_in(found.loop):
        node.__dict__.setdefault("lineno", found.loop.lineno)
    ast.fix_missing_locations(found.loop)
    return replace(found, assumptions=tuple(dict.fromkeys(supposed)))


@dataclass(frozen=True)
class _Window:
    """Statements of a block that keep ``most`` of what is put into ``name``, which begins as what
    ``made`` is; ``shape`` is how that is written."""

    name: str
    block: list[ast.stmt]
    first: int
    end: int
    item: ast.expr
    most: str
    made: ast.expr
    shape: str

    def shorten(self) -> None:
        """One statement in the place of these."""
        item, old = ast.unparse(self.item), self.block[self.first]
        text = f"{self.name} = {self.shape.format(name=self.name, item=item, most=self.most)}"
        if isinstance(self.made, ast.Call) and empty(self.made) == "deque":
            text = f"{self.name}.append({item})"
            limit = ast.parse(self.most, mode="eval").body
            self.made.keywords = [ast.keyword("maxlen", limit)]
        made = ast.copy_location(ast.parse(text).body[0], old)
        self.block[self.first : self.end] = [made]


def _windows(place: Place, loop: ast.For) -> list[_Window]:
    """The lists that are kept short, where nothing else is done in between."""
    if not any(map(_cuts, everything_in(loop))):
        return []
    purity = Purity(place.tree, loop)
    if not (purity.means("len") and purity.means("sorted")):
        return []
    begun = before(place, loop)
    found = []
    moving = {*stored_names(loop.body), *(target_names(loop.target) or ())}
    for block in inner_blocks(loop):
        for name in dict.fromkeys(n for s in block if (n := _appended(s)) is not None):
            made = begun.get(name)
            if made is None or empty(made) not in ("list", "deque"):
                continue
            at = next(n for n, s in enumerate(block) if _appended(s) == name)
            first, end = _together(block, at, name)
            one = _kept(name, block, first, end, at, made, moving)
            if one is not None:
                found.append(one)
    return found


def _cuts(node: ast.AST) -> bool:
    """Is something taken out of a list, or a part of it, or is it put in order?"""
    if isinstance(node, ast.Attribute):
        return node.attr in _CUTTING
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "sorted"
    return isinstance(node, ast.Delete) or (
        isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    )


def _appended(statement: ast.stmt) -> str | None:
    """The name of the list that a statement appends to."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    base = call.func.value
    plain = call.func.attr == "append" and len(call.args) == 1 and not call.keywords
    return base.id if plain and isinstance(base, ast.Name) else None


def _together(block: Sequence[ast.stmt], at: int, name: str) -> tuple[int, int]:
    """The statements beside one that look at nothing but a list."""
    first, end = at, at + 1
    while first > 0 and _alone(block[first - 1], name):
        first -= 1
    while end < len(block) and _alone(block[end], name):
        end += 1
    return first, end


def _alone(statement: ast.stmt, name: str) -> bool:
    """Does a statement change a list and nothing else?"""
    if not isinstance(statement, (ast.If, ast.While, ast.Expr, ast.Assign, ast.Delete)):
        return False
    if not any(map(_cuts, everything_in(statement))):
        return False
    stored = {n.id for n in everything_in(statement)
              if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}  # fmt: skip
    leaves = any(isinstance(n, (ast.Break, ast.Continue, ast.Return))
                 for n in everything_in(statement))  # fmt: skip
    read = {n.id for n in everything_in(statement) if isinstance(n, ast.Name)}
    return stored <= {name} and name in read and not leaves


def _kept(
    name: str, block: list[ast.stmt], first: int, end: int, at: int, made: ast.expr,
    moving: set[str],
) -> _Window | None:  # fmt: skip
    """What some statements keep of what is appended to a list, if they are to keep the last few."""
    if end - first < 2:
        return None
    append = copy.deepcopy(block[at])
    item = append.value.args[0]  # type: ignore[attr-defined]
    if any(isinstance(n, ast.Name) and n.id == name for n in everything_in(item)):
        return None
    append.value.args = [ast.Name(_ITEM, ast.Load())]  # type: ignore[attr-defined]
    statements = [append if n == at else block[n] for n in range(first, end)]
    read = {n.id for s in statements for n in everything_in(s) if isinstance(n, ast.Name)}
    if not all(_by_size(statement, name) for statement in statements):
        return None
    limits = sorted(read - {name, _ITEM, "len", "sorted"})
    if len(limits) > 1 or moving & set(limits):
        return None
    try:
        run = Interpreter().block(statements)
    except CannotRun:
        return None
    kind = deque if empty(made) == "deque" else list
    given = [{limits[0]: limit} for limit in _LIMITS] if limits else [{}]
    longest = _longest(statements)
    for shape, wanted in _SHAPES.items():
        held = [_held(run, name, kind(), one, wanted, longest) for one in given]
        fits = held == list(_LIMITS) if limits else held != [None]
        if fits and (kind is list or shape == _LAST):
            most = limits[0] if limits else str(held[0])
            return _Window(name, block, first, end, item, most, made, shape)
    return None


def _by_size(statement: ast.stmt, name: str) -> bool:
    """Do statements ask of a list no more than how long it is, in numbers that are only added? What
    they do to some elements, and for some limits, they do to all."""
    for node in everything_in(statement):
        if isinstance(node, (ast.If, ast.While)) and not _of_length(node.test, name):
            return False
        if isinstance(node, ast.BinOp) and not isinstance(node.op, (ast.Add, ast.Sub)):
            return False
        if isinstance(node, (ast.BoolOp, ast.IfExp, ast.NamedExpr, ast.Lambda)):
            return False
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            if not isinstance(node.slice, ast.Slice):
                return False
        if isinstance(node, ast.Call) and any(isinstance(a, ast.Subscript) for a in node.args):
            return False
    return True


def _of_length(test: ast.expr, name: str) -> bool:
    """Is the length of a list compared with a number?"""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _of_length(test.operand, name)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return False
    sides = [test.left, *test.comparators]
    lengths = [ast.unparse(side) == f"len({name})" for side in sides]
    words = [n.id for side, length in zip(sides, lengths, strict=True) if not length
             for n in everything_in(side) if isinstance(n, ast.Name)]  # fmt: skip
    order = isinstance(test.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq))
    return sum(lengths) == 1 and name not in words and order


def _longest(statements: Sequence[ast.stmt]) -> int:
    """How long a list may get by the numbers in statements that keep it short."""
    named = [
        node.value for statement in statements for node in everything_in(statement)
        if isinstance(node, ast.Constant) and type(node.value) is int
    ]  # fmt: skip
    return min(max([_SHORT, *(number + 2 for number in named)]), _LONG)


def _held(
    run: Any, name: str, empty: Any, given: dict[str, int],
    wanted: Callable[[list[int], int], list[int]], longest: int,
) -> int | None:  # fmt: skip
    """How many elements a list holds whenever some statements were run on one more, if these are
    the wanted ones."""
    env: dict[str, Any] = {**given, name: empty}
    seen: list[int] = []
    states = []
    for number in range(2 * longest):
        env[_ITEM] = number * 37 % 61  # neither rising nor falling, the first ones again at last
        seen.append(env[_ITEM])
        try:
            run(env)
        except (CannotRun, ArithmeticError, TypeError, ValueError, LookupError, AttributeError):
            return None
        states.append(list(env[name]))
    most = max(map(len, states))
    if not 0 < most <= longest:
        return None
    fits = all(one == wanted(seen[:n], min(n, most)) for n, one in enumerate(states, 1))
    return most if fits else None
