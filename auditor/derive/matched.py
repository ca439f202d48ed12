"""A ``match`` over values that are written out, and ``(a if c else b).append(x)``, as the branches
that they are."""

from __future__ import annotations

import ast
import copy
import itertools

from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.tree import everything_in


def branching(place: Place) -> Place:
    """The place with ``match`` statements and chosen lists of its loop as ``if``, in a copy of the
    file; the same place where a case takes its subject apart."""
    found = [node for node in everything_in(place.loop) if isinstance(node, ast.Match)]
    named = _named(place)
    either = any(map(_either, everything_in(place.loop)))
    if not (found or either or named) or not all(map(_simple, found)):
        return place
    tree = copy.deepcopy(place.tree)
    other = loop_in_place(tree, place.loop)
    if other is None:
        return place
    for name, chosen in named.items():
        _Put(name, chosen).visit(other.loop)
    _Branches().visit(other.loop)
    ast.fix_missing_locations(other.loop)
    return other


def _named(place: Place) -> dict[str, ast.IfExp]:
    """The names that one of two lists is given, to be appended to in the next statement alone."""
    found = {}
    around = everything_in(place.function or place.tree)
    words = [node.id for node in around if isinstance(node, ast.Name)]
    for node in everything_in(place.loop):
        body = node.body if isinstance(node, (ast.For, ast.If)) else []
        for one, then in itertools.pairwise(body):
            if not isinstance(one, ast.Assign) or not isinstance(one.value, ast.IfExp):
                continue
            name, call = ast.unparse(one.targets[0]), ast.unparse(then)
            lists = isinstance(one.value.body, ast.Name) and isinstance(one.value.orelse, ast.Name)
            if lists and call.startswith(f"{name}.append(") and words.count(name) == 2:
                found[name] = one.value
    return found


class _Put(ast.NodeTransformer):
    """A choice in the place of its name."""

    def __init__(self, name: str, chosen: ast.IfExp) -> None:
        self._name, self._chosen = name, chosen

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node) if self._sets(node) else node

    def _sets(self, node: ast.Assign) -> bool:
        return ast.unparse(node.targets[0]) == self._name

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self._chosen) if node.id == self._name else node


def _either(node: ast.AST) -> bool:
    """Is it ``(a if c else b).append(x)``, of names?"""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and isinstance(chosen := node.value.func.value, ast.IfExp)
        and isinstance(chosen.body, ast.Name)
        and isinstance(chosen.orelse, ast.Name)
    )


def _simple(node: ast.Match) -> bool:
    """Is the subject a name, and each case a question to its value?"""
    return isinstance(node.subject, ast.Name) and all(
        _question(node.subject, case.pattern) is not None for case in node.cases
    )


def _question(subject: ast.expr, pattern: ast.pattern) -> ast.expr | None:
    """Whether a subject matches, or None where the pattern does more than ask."""
    if isinstance(pattern, ast.MatchValue):
        return ast.Compare(subject, [ast.Eq()], [pattern.value])
    if isinstance(pattern, ast.MatchSingleton):
        return ast.Compare(subject, [ast.Is()], [ast.Constant(pattern.value)])
    if isinstance(pattern, ast.MatchAs) and pattern.name is None:
        return ast.Constant(True)
    if isinstance(pattern, ast.MatchOr):
        sides = [_question(subject, one) for one in pattern.patterns]
        asked = [side for side in sides if side is not None]
        return ast.BoolOp(ast.Or(), asked) if len(asked) == len(sides) else None
    return None


class _Branches(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        if not _either(node):
            return node
        chosen: ast.IfExp = node.value.func.value  # type: ignore[attr-defined]
        sides = []
        for name in (chosen.body, chosen.orelse):
            call = copy.deepcopy(node)
            call.value.func.value = name  # type: ignore[attr-defined]
            sides.append(call)
        return ast.copy_location(ast.If(chosen.test, [sides[0]], [sides[1]]), node)

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        self.generic_visit(node)
        rest: list[ast.stmt] = []
        for case in reversed(node.cases):
            test = _question(node.subject, case.pattern)
            assert test is not None
            if case.guard is not None:
                test = ast.BoolOp(ast.And(), [test, case.guard])
            rest = [ast.copy_location(ast.If(test, case.body, rest), node)]
        return rest[0]
