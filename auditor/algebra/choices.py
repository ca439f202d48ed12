"""What constants decide of a scalar term: branches, connectives, comparisons, small arithmetic.

A connective of plain Python gives back one of its sides, so that ``x or 3`` is no truth value; only
what is certainly True or False is treated as one.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from auditor.algebra.limits import tick
from auditor.notation import FALSE, TRUE, Apply, Const, Read, Reduce, Term, Value, transform

_LARGEST = 1 << 30
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt, "ge": operator.ge, "is": operator.is_,
}  # fmt: skip
_ARITHMETIC = frozenset(("add", "sub", "neg", "mul", "mod", "max", "min"))
_TRUTHS = frozenset((*_COMPARE, "not", "cast:bool"))
_OF_TRUTHS = frozenset(("and", "or", "xor", "bitxor", "bitand", "bitor"))


def leaves(term: Term) -> list[Term]:
    """What a tree of branches ends in."""
    if isinstance(term, Apply) and term.op == "where":
        return [leaf for arg in term.args[1:] for leaf in leaves(arg)]
    return [term]


def truth(term: Term, flags: frozenset[Value] | set[Value] = frozenset()) -> bool:
    """Is ``term`` True or False, rather than something that counts as it? ``flags`` are values
    that are."""
    if isinstance(term, Const):
        return isinstance(term.value, bool)
    if isinstance(term, Read):
        return term.value in flags or term.value.dtype == "bool" or _asks(term.value)
    if isinstance(term, Reduce):
        return term.op in ("any", "all")
    if not isinstance(term, Apply):
        return False
    if term.op in _OF_TRUTHS:
        return all(truth(arg, flags) for arg in term.args)
    if term.op == "where":
        return all(truth(arg, flags) for arg in term.args[1:])
    return term.op in _TRUTHS or (term.op.startswith("call:") and _asks_text(term.op[5:]))


_ANSWERS = frozenset(
    ("startswith", "endswith", "is_integer", "isfinite", "isinf", "isnan", "isclose")
    + tuple(name for kind in (str, set) for name in dir(kind) if name.startswith("is"))
)
"""Methods of texts, sets and numbers, and functions of numbers, that answer True or False."""


def _asks(value: Value) -> bool:
    """Is an opaque value, of which the name is its text, True or False?"""
    return value.kind == "input" and not value.name.isidentifier() and _asks_text(value.name)


def _asks_text(text: str) -> bool:
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:  # a name of the notation
        return False
    if isinstance(node, ast.Compare):
        return all(isinstance(op, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) for op in node.ops)
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        method = called.rpartition(".")[2]
        return called in ("isinstance", "bool", "any", "all", "callable", "hasattr") or (
            "." in called and method in _ANSWERS
        )
    return False


def settled(term: Term, by: Mapping[Value, Const]) -> Term:
    """``term`` with constants for some values, and what that decides decided."""

    def change(node: Term) -> Term:
        tick()
        if isinstance(node, Read):
            return by.get(node.value, node)
        return decided(node) if isinstance(node, Apply) else node

    return transform(term, change)


def asked_once(condition: Term, then: Term, other: Term) -> Term:
    """A branch of which the sides do not ask the same again."""
    then, other = (_known(t, condition, yes) for t, yes in ((then, TRUE), (other, FALSE)))
    return then if then is other else Apply("where", (condition, then, other))


def _known(term: Term, condition: Term, answer: Const) -> Term:
    """``term`` where the answer to a condition is known."""
    if not isinstance(term, Apply) or term.op.startswith("call:"):
        return term
    if term.op == "where" and term.args[0] is condition:
        return _known(term.args[1 if answer is TRUE else 2], condition, answer)
    return decided(Apply(term.op, tuple(_known(arg, condition, answer) for arg in term.args)))


def where_held(term: Term, by: Mapping[Term, Const]) -> Term:
    """``term`` where it is known of some terms whether they hold: a truth is that constant, what
    merely counts as true or false stays what it is, and the choices by it are made."""

    def change(node: Term) -> Term:
        if node in by and truth(node):
            return by[node]
        if not isinstance(node, Apply):
            return node
        asked = by.get(node.args[0]) if node.args else None
        if asked is not None and node.op == "where":
            return node.args[1] if asked.value else node.args[2]
        if asked is not None and node.op == "not":
            return FALSE if asked.value else TRUE
        if asked is not None and node.op in ("and", "or") and len(node.args) == 2:
            return node.args[1 if bool(asked.value) is (node.op == "and") else 0]
        return decided(node)

    return transform(term, change)


def decided(node: Apply) -> Term:
    """``node`` with what its own arguments decide: a branch taken, a side of a connective, a
    function of constants."""
    op, args = node.op, node.args
    if op == "where":
        if isinstance(args[0], Const):
            return args[1] if args[0].value else args[2]
        if isinstance(args[0], Apply) and args[0].op == "not":
            return decided(Apply("where", (args[0].args[0], args[2], args[1])))
        return _of_equals(node)
    if op in ("and", "or"):
        return _connected(node)
    if op == "not" and isinstance(args[0], Const):
        return FALSE if args[0].value else TRUE
    if op in ("xor", "bitxor"):
        return _exclusive(node)
    if not args or not all(isinstance(arg, Const) for arg in args):
        return _of_choice(node)
    values = [arg.value for arg in args if isinstance(arg, Const)]
    if op in _COMPARE:
        try:
            return TRUE if _COMPARE[op](*values) else FALSE
        except TypeError:
            return node
    if op == "cast:bool":
        return TRUE if values[0] else FALSE
    return _computed(node, values)


def _of_choice(node: Apply) -> Term:
    """A function of a choice between constants, and of constants, as a choice."""
    op, args = node.op, node.args
    if op not in _COMPARE and op not in _ARITHMETIC:
        return node
    places = [n for n, arg in enumerate(args) if not isinstance(arg, Const)]
    if len(places) != 1 or not all(isinstance(leaf, Const) for leaf in leaves(args[places[0]])):
        return node
    choice = args[places[0]]
    assert isinstance(choice, Apply)

    def of(leaf: Term) -> Term:
        if isinstance(leaf, Apply):
            condition, (then, other) = leaf.args[0], map(of, leaf.args[1:])
            if truth(condition) and (then, other) == (TRUE, FALSE):
                return condition
            if truth(condition) and (then, other) == (FALSE, TRUE):
                return Apply("not", (condition,))
            return then if then is other else Apply("where", (condition, then, other))
        return decided(Apply(op, (*args[: places[0]], leaf, *args[places[0] + 1 :])))

    made = of(choice)
    known = truth(made) or all(isinstance(leaf, Const) for leaf in leaves(made))
    return made if known else node


def _of_equals(node: Apply) -> Term:
    """A choice between what is the same: two sides alike, or ``a`` where it equals ``b``, else
    ``b``."""
    condition, then, other = node.args
    if then is other:
        return then
    if isinstance(condition, Apply) and condition.op in ("eq", "ne"):
        if set(condition.args) == {then, other}:
            return other if condition.op == "eq" else then
    return node


def _connected(node: Apply) -> Term:
    """A conjunction or disjunction, which gives back the first side that decides it, or the
    last one."""
    decides = node.op == "or"
    kept: list[Term] = []
    for place, arg in enumerate(node.args):
        last = place == len(node.args) - 1
        if not isinstance(arg, Const):
            kept.append(arg)
        elif bool(arg.value) == decides:
            if isinstance(arg.value, bool) and all(map(truth, kept)):
                return arg
            kept.append(arg)
            break
        elif last and not (kept and isinstance(arg.value, bool) and all(map(truth, kept))):
            kept.append(arg)
    if len(kept) == 1:
        return kept[0]
    return node if len(kept) == len(node.args) else Apply(node.op, tuple(kept))


def _exclusive(node: Apply) -> Term:
    """``^`` of truth values, of which one is known."""
    if len(node.args) != 2 or not all(map(truth, node.args)):
        return node
    for one, other in (node.args, node.args[::-1]):
        if one is FALSE:
            return other
        if one is TRUE:
            return decided(Apply("not", (other,)))
    return node


def _computed(node: Apply, values: Sequence[object]) -> Term:
    """Arithmetic of small integers."""
    numbers = [v for v in values if isinstance(v, int)]
    if len(numbers) != len(values):
        return node
    out: int
    if node.op == "add":
        out = sum(numbers)
    elif node.op == "sub":
        out = numbers[0] - numbers[1]
    elif node.op == "neg":
        out = -numbers[0]
    elif node.op == "mul":
        out = 1
        for number in numbers:
            out *= number
    elif node.op == "mod" and numbers[1] > 0:
        out = numbers[0] % numbers[1]
    elif node.op in ("max", "min"):
        out = max(numbers) if node.op == "max" else min(numbers)
    else:
        return node
    return node if abs(out) > _LARGEST else Const(int(out))


def plain_truths(term: Term, flags: set[Value]) -> Term:
    """``term`` with choices between truth values said with and, or and not; ``flags`` are values
    that are True or False."""

    def change(node: Term) -> Term:
        node = decided(node) if isinstance(node, Apply) else node
        if not isinstance(node, Apply) or node.op != "where":
            return node
        condition, then, other = node.args
        if not truth(condition, flags):
            return node
        if then is TRUE:
            return condition if other is FALSE else _flagged("or", condition, other, flags, node)
        if other is FALSE:
            return _flagged("and", condition, then, flags, node)
        if then is FALSE and other is TRUE:
            return Apply("not", (condition,))
        if then is FALSE:
            return _flagged("and", Apply("not", (condition,)), other, flags, node)
        if other is TRUE:
            return _flagged("or", Apply("not", (condition,)), then, flags, node)
        return node

    return transform(term, change)


def _flagged(op: str, a: Term, b: Term, flags: set[Value], node: Term) -> Term:
    return Apply(op, (a, b)) if truth(b, flags) else node
