"""Conditions on what a step reads: comparisons of elements, ``and``, ``or`` and ``not``, as terms
that say whether they hold. NaN aside, ``not a < b`` is ``a >= b``.

Each comparison must be of something that moves with the loops: what does not is asked once, and
mostly whether something is there at all. Loop variables are compared in NumPy alone: in torch they
would be tensors on no device in particular.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.nests import harmless
from auditor.nests.counting import NUMBERS, counts
from auditor.nests.integers import NoNest
from auditor.nests.parts import Part, Scope
from auditor.notation import ZERO, Apply, Read, Term, free_indices, walk

if TYPE_CHECKING:
    from auditor.nests.expressions import Expressions

_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne",
}  # fmt: skip
_OPPOSITE = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}
_BITWISE = {ast.BitAnd: "and", ast.BitOr: "or"}
NAMED = {"logical_and": "and", "logical_or": "or"}
"""Functions of the libraries that combine conditions."""
TRUTHS = frozenset((*_OPPOSITE, "and", "or", "not"))
"""Operations that give truth values."""


def is_condition(node: ast.expr) -> bool:
    """Whether an expression gives a truth value by its form."""
    if isinstance(node, ast.UnaryOp):
        inverts = isinstance(node.op, ast.Invert) and is_condition(node.operand)
        return isinstance(node.op, ast.Not) or inverts
    if isinstance(node, ast.BoolOp):
        return all(map(is_condition, node.values))
    if isinstance(node, ast.BinOp):
        return type(node.op) in _BITWISE and is_condition(node.left) and is_condition(node.right)
    return isinstance(node, ast.Compare)


def condition(reading: Expressions, node: ast.expr, scope: Scope) -> Part:
    """Whether something holds, of an element or of each of a row. Raises ``NoNest``."""
    node = _compared_with_each(node)
    if isinstance(node, ast.BinOp) and type(node.op) in _BITWISE:
        sides = [condition(reading, side, scope) for side in (node.left, node.right)]
        return reading.pointwise(_BITWISE[type(node.op)], *sides)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        inner = condition(reading, node.operand, scope)
        return Part(inner.axes, negated(inner.term))
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        sides = [reading.part(side, scope) for side in (node.left, *node.comparators)]
        return _asked(reading, reading.pointwise(_way(node.ops[0]), *sides))
    if isinstance(node, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
        return Part((), holds(reading, node, scope))
    return _true(reading, reading.part(node, scope))


def combined(reading: Expressions, name: str, given: list[ast.expr], scope: Scope) -> Part:
    """What one of ``NAMED`` gives."""
    return reading.pointwise(NAMED[name], *(condition(reading, each, scope) for each in given))


def holds(reading: Expressions, node: ast.expr, scope: Scope) -> Term:
    """Whether a step takes the way that a condition of single elements opens. What comes after
    another one is not asked at every step. Raises ``NoNest``."""
    node = _compared_with_each(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return negated(holds(reading, node.operand, scope))
    if isinstance(node, ast.BoolOp):
        asked = [holds(reading, each, scope) for each in node.values]
        return _in_turn("and" if isinstance(node.op, ast.And) else "or", asked)
    if isinstance(node, ast.Compare):
        sides = [reading.part(s, scope, 0, True) for s in (node.left, *node.comparators)]
        if any(side.axes for side in sides):
            raise NoNest("a condition of many elements")
        pairs = zip(node.ops, sides, sides[1:], strict=False)
        asked = [
            _asked(reading, reading.pointwise(_way(op), left, right)).term
            for op, left, right in pairs
        ]
        return _in_turn("and", asked)
    found = condition(reading, node, scope)
    if found.axes:
        raise NoNest("a condition of many elements")
    return found.term


def _compared_with_each(node: ast.expr) -> ast.expr:
    """``x in (a, b)`` as ``x == a or x == b``; a set would ask for the same hash as well."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
        return node
    items = node.comparators[0]
    if len(node.ops) > 1 or not isinstance(items, (ast.Tuple, ast.List)) or not items.elts:
        return node
    same: list[ast.expr] = [
        ast.copy_location(ast.Compare(node.left, [ast.Eq()], [item]), node) for item in items.elts
    ]
    found = same[0] if len(same) == 1 else ast.copy_location(ast.BoolOp(ast.Or(), same), node)
    if isinstance(node.ops[0], ast.In):
        return found
    return ast.copy_location(ast.UnaryOp(ast.Not(), found), node)


def negated(term: Term) -> Term:
    """That a condition does not hold."""
    if isinstance(term, Apply):
        if term.op == "not":
            return term.args[0]
        if term.op in _OPPOSITE:
            return Apply(_OPPOSITE[term.op], term.args)
        if term.op in ("and", "or"):
            return Apply("or" if term.op == "and" else "and", tuple(map(negated, term.args)))
    return Apply("not", (term,))


def is_truth(term: Term) -> bool:
    """Whether a term gives truth values."""
    if isinstance(term, Read):
        return term.value.dtype == "bool"
    return isinstance(term, Apply) and term.op in TRUTHS


def _way(op: ast.cmpop) -> str:
    found = _COMPARED.get(type(op))
    if found is None:
        raise NoNest("a condition of another kind")
    return found


def _in_turn(op: str, asked: list[Term]) -> Term:
    """Conditions of which each is asked where those before it leave it open."""
    if not all(harmless.everywhere(term) for term in asked[1:]):
        raise NoNest("a condition that another one protects")
    return asked[0] if len(asked) == 1 else Apply(op, tuple(asked))


def _true(reading: Expressions, part: Part) -> Part:
    """Truth values as they are, other numbers where they are not 0."""
    if not is_truth(part.term):
        part = Part(part.axes, Apply("ne", (part.term, ZERO)))
    return _asked(reading, part)


def _bounds(term: Term) -> bool:
    """Whether a condition says from where or how far loops go, which slices and triangles say."""
    linear = {*_OPPOSITE, *NUMBERS, "add", "sub", "neg", "mul"}
    return all(node.op in linear for node in walk(term) if isinstance(node, Apply))


def _asked(reading: Expressions, part: Part) -> Part:
    """A condition that may be asked of all elements at once: a list is compared as a whole."""
    for value in {node.value for node in walk(part.term) if isinstance(node, Read)}:
        node = reading.nodes.get(value)
        if value.axes and node is not None and not reading.is_array(node):
            reading.unsure(f"whether `{value.name}` is an array is not known", True)
    if counts(part.term) and (reading.region.module.library != "numpy" or _bounds(part.term)):
        raise NoNest("a condition on a loop variable")
    state = any(isinstance(n, Read) and n.value.kind == "state" for n in walk(part.term))
    if not state and not free_indices(part.term):
        raise NoNest("a condition that no step changes")
    return part
