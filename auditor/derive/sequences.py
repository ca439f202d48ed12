"""Sums of text, lists and tuples: ``+`` puts them one after the other, so that their order counts,
and ``*`` repeats them. Unions and intersections of sets: ``|`` and ``&`` are of no bits there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import replace

from auditor.notation import Apply, Carry, Const, Read, Term, Value, transform

_MAKERS = frozenset("str bytes list tuple sorted repr".split())
_DISPLAYS = (ast.List, ast.ListComp, ast.Tuple, ast.JoinedStr)
_HINT = re.compile(r"(typing\.)?([Ll]ist|[Tt]uple|str|bytes|Sequence)\b")
_INNER = re.compile(r"[\w.]+\[(?P<inner>.*)\]")


_Function = ast.FunctionDef | ast.AsyncFunctionDef


def in_order(
    carries: tuple[Carry, ...], function: _Function | None, loop: ast.For
) -> tuple[Carry, ...]:
    """The carried values with sums of sequences told from sums of numbers."""
    known = _hinted(function, loop)
    carries = _of_sets(carries)
    found: set[Value] = set()
    while True:
        told = _Sequences(known, found)
        more = {c.state for c in carries if told.one(c.init) or told.one(c.update)}
        if more <= found:
            break
        found |= more
    if not found and not known:
        return carries
    return tuple(replace(c, update=told.spelled(c.update, _joins(c.init))) for c in carries)


_SETS = {"bitor": "union", "bitand": "common"}


def _of_sets(carries: tuple[Carry, ...]) -> tuple[Carry, ...]:
    """The carried values with operations of sets told from those of bits."""

    def holds(term: Term) -> bool:
        return isinstance(term, Read) and _is_set(term.value.name)

    def change(node: Term) -> Term:
        if isinstance(node, Apply) and node.op in _SETS and any(map(holds, node.args)):
            return Apply(_SETS[node.op], node.args)
        return node

    return tuple(replace(c, update=transform(c.update, change)) for c in carries)


def _is_set(text: str) -> bool:
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return False
    called = isinstance(node, ast.Call) and ast.unparse(node.func) in ("set", "frozenset")
    return called or isinstance(node, (ast.Set, ast.SetComp))


def _joins(start: Term) -> str:
    """Only of what begins as text, or as an empty list or tuple, is it known what a piece begins
    as."""
    text = isinstance(start, Const) and isinstance(start.value, str)
    empty = isinstance(start, Read) and start.value.name in ("[]", "()")
    return "concat" if text or empty else "joined"


class _Sequences:
    """Which terms are sequences."""

    def __init__(self, known: set[str], states: set[Value]) -> None:
        self.known, self.states = known, states

    def one(self, term: Term) -> bool:
        if isinstance(term, Const):
            return isinstance(term.value, (str, bytes))
        if isinstance(term, Read):
            return term.value in self.states or self._by_text(term.value.name)
        if not isinstance(term, Apply):
            return False
        args = term.args[1:] if term.op == "where" else term.args
        return term.op in ("where", "add", "mul", "concat", "joined", "repeat") and any(
            map(self.one, args)
        )

    def _by_text(self, text: str) -> bool:
        try:
            node = ast.parse(text, mode="eval").body
        except SyntaxError:
            return False
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id in _MAKERS
        if isinstance(node, ast.BinOp):
            return any(self._by_text(ast.unparse(side)) for side in (node.left, node.right))
        literal = isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
        return literal or isinstance(node, _DISPLAYS) or text in self.known

    def spelled(self, term: Term, joins: str) -> Term:
        """``term`` with the sums and products of sequences under names of their own."""

        def change(node: Term) -> Term:
            if isinstance(node, Apply) and node.op in ("add", "mul") and self.one(node):
                return Apply(joins if node.op == "add" else "repeat", node.args)
            return node

        return transform(term, change)


def _hinted(function: _Function | None, loop: ast.For) -> set[str]:
    """The parameters, and the loop's variable, that annotations call sequences."""
    hints: dict[str, str] = {}
    if function is not None:
        given = function.args
        every: Iterable[ast.arg] = (*given.posonlyargs, *given.args, *given.kwonlyargs)
        hints = {a.arg: ast.unparse(a.annotation).strip("'\"") for a in every if a.annotation}
    found = {name for name, hint in hints.items() if _HINT.match(hint)}
    if isinstance(loop.iter, ast.Name) and isinstance(loop.target, ast.Name):
        inner = _INNER.fullmatch(hints.get(loop.iter.id, ""))
        if inner is not None and _HINT.match(inner["inner"]):
            found.add(loop.target.id)
    return found
