"""A ``match`` over values that are written out, and ``(a if c else b).append(x)``, as the branches
that they are."""

from __future__ import annotations

import ast
import copy

from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.tree import everything_in


def branching(place: Place) -> Place:
    """The place with ``match`` statements and chosen lists of its loop as ``if``, in a copy of the
    file; the same place where a case takes its subject apart."""
    found = [node for node in everything_in(place.loop) if isinstance(node, ast.Match)]
    either = any(map(_either, everything_in(place.loop)))
    if not (found or either) or not all(map(_simple, found)):
        return place
    tree = copy.deepcopy(place.tree)
    other = loop_in_place(tree, place.loop)
    if other is None:
        return place
    _Branches().visit(other.loop)
    ast.fix_missing_locations(other.loop)
    return other


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
