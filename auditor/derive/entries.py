"""Containers of which a step changes one entry: which they are, what an absent entry counts as, and
whether a step has an entry at all."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import TypeGuard

from auditor.algebra.choices import decided, plain_truths, settled, where_held
from auditor.derive.begun import constant, empty, maker
from auditor.notation import FALSE, NONE, TRUE, Apply, Const, Read, Term, Value, transform
from auditor.tree import children, everything_in

ENTRY = "entry of "


def containers(loop: ast.For) -> set[str]:
    """The names of which the body of a loop stores entries."""
    found = set()
    for node in everything_in(loop):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            entry = node.value if isinstance(node.slice, ast.Constant) else node
            for whole in (node, entry):
                if isinstance(whole, ast.Subscript) and isinstance(whole.value, ast.Name):
                    found.add(whole.value.id)
        if isinstance(node, ast.Expr) and sets_default(node.value):
            found.add(node.value.func.value.id)  # type: ignore[attr-defined]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            base = node.func.value
            if node.func.attr in ("append", "add", "extend", "update"):
                if isinstance(base, ast.Subscript) and isinstance(base.value, ast.Name):
                    found.add(base.value.id)
                if sets_default(base):
                    found.add(base.func.value.id)  # type: ignore[attr-defined]
    return found


def member_sets(loop: ast.For, before: Mapping[str, ast.expr]) -> set[str]:
    """The sets that elements are taken out of again: of each it is carried whether it is there."""
    calls = (n for n in everything_in(loop) if isinstance(n, ast.Expr))
    found = (changed_member(call) for call in calls)
    names = {name for name, method, _ in filter(None, found) if method != "add"}
    return {name for name in names if empty(before.get(name)) == "set"}


def changed_member(statement: ast.stmt) -> tuple[str, str, ast.expr] | None:
    """The set, the method and the element of ``members.add(x)``."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    base, method = call.func.value, call.func.attr
    if not isinstance(base, ast.Name) or method not in ("add", "discard", "remove"):
        return None
    if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
        return None
    return base.id, method, call.args[0]


def is_there(loop: ast.For, statement: ast.stmt) -> bool:
    """Is an element that a statement takes out of a set there, by what its branch has asked?"""
    changed = changed_member(statement)
    for node in everything_in(loop):
        if not isinstance(node, ast.If) or changed is None:
            continue
        for block, op in ((node.body, ast.In), (node.orelse, ast.NotIn)):
            if not block or block[0] is not statement:
                continue
            both = isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And)
            asked = children(node.test) if both and op is ast.In else [node.test]
            return any(
                isinstance(one, ast.Compare) and len(one.ops) == 1 and isinstance(one.ops[0], op)
                and ast.unparse(one.left) == ast.unparse(changed[2])
                and ast.unparse(one.comparators[0]) == changed[0] for one in asked
            )  # fmt: skip
    return False


def sets_default(node: ast.expr) -> bool:
    """Is it ``d.setdefault(key, default)`` of a name?"""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "setdefault"
        and isinstance(node.func.value, ast.Name)
        and len(node.args) == 2
        and not node.keywords
    )


def default(made: ast.expr | None, atom: Callable[[str], Term]) -> Term | None:
    """What an absent entry of a container counts as, by its constructor; ``atom`` is a value that
    is written out."""
    if not isinstance(made, ast.Call):
        return None
    called = maker(made)
    if called == "Counter":
        return Const(0)
    if called == "set":
        return FALSE
    if called != "defaultdict" or not made.args:
        return None
    given = made.args[0]
    if isinstance(given, ast.Lambda):
        return constant(given.body)
    known: dict[str, Term] = {
        "int": Const(0), "float": Const(0.0), "bool": FALSE, "str": Const(""),
        "list": atom("[]"), "set": atom("set()"),
    }  # fmt: skip
    return known.get(ast.unparse(given))


def is_mapping(made: ast.expr) -> bool:
    """Is a container made as a dictionary of some kind, or as a set?"""
    if isinstance(made, ast.Call):
        return maker(made) in ("dict", "Counter", "OrderedDict", "defaultdict", "set")
    return isinstance(made, (ast.Dict, ast.DictComp))


def fresh(made: ast.expr | None) -> bool:
    """Is a container certainly empty when the loop begins?"""
    if empty(made) in ("dict", "set"):
        return True
    if not isinstance(made, ast.Call) or not is_mapping(made):
        return False
    return len(made.args) <= (maker(made) == "defaultdict")


def entry_of(container: str) -> str:
    """What an entry of a container is carried as, which is no name of Python."""
    return f"{ENTRY}{container}"


def touch_of(container: str) -> str:
    """Whether a step has an entry of the container so far."""
    return f"touch of {container}"


def only_better(update: Term, own: Value, touched: Term) -> bool:
    """Does a step have an entry where it puts a larger value into it, or always a smaller one, and
    nowhere else? One that was put in is then another than before."""
    return _put_in(update, own) is touched and len(set(_directions(update, own))) == 1


def _put_in(update: Term, own: Value) -> Term:
    """Whether something else than the entry itself is put into it."""
    if isinstance(update, Apply) and update.op == "where":
        test, then, other = update.args
        return decided(Apply("where", (test, _put_in(then, own), _put_in(other, own))))
    return FALSE if update is Read(own, ()) else TRUE


def _directions(update: Term, own: Value, asked: tuple[Term, ...] = ()) -> Iterator[str]:
    """How each value that is put in compares with the entry, by what was asked before."""
    mine = Read(own, ())
    if isinstance(update, Apply) and update.op == "where":
        test, then, other = update.args
        yield from _directions(then, own, (*asked, *_holding(test)))
        yield from _directions(other, own, asked)
    elif update is not mine:
        above = (Apply("gt", (update, mine)), Apply("lt", (mine, update)))
        below = (Apply("lt", (update, mine)), Apply("gt", (mine, update)))
        if set(above) & set(asked):
            yield "above"
        elif set(below) & set(asked):
            yield "below"
        else:
            yield from ("above", "below")


def _holding(test: Term) -> tuple[Term, ...]:
    """What holds where a condition does."""
    if isinstance(test, Apply) and test.op == "and":
        return tuple(one for arg in test.args for one in _holding(arg))
    return (test,)


def where_touched(update: Term, touched: Term) -> Term:
    """What becomes of an entry at the steps that have one, which are those where, of the element
    alone, something holds."""
    holds = _holding(as_condition(touched))
    by: dict[Term, Const] = {
        one.args[0] if _denied(one) else one: FALSE if _denied(one) else TRUE for one in holds
    }
    return where_held(update, by)


def as_condition(term: Term) -> Term:
    """A truth of which it only matters whether it holds."""
    term = plain_truths(term, set())
    if isinstance(term, Apply) and term.op == "where":
        test, then, other = term.args
        if (then, other) == (TRUE, FALSE):
            return test
        if (then, other) == (FALSE, TRUE):
            return Apply("not", (test,))
        if other is FALSE:
            return Apply("and", (test, as_condition(then)))
    return term


def _denied(term: Term) -> TypeGuard[Apply]:
    return isinstance(term, Apply) and term.op == "not"


def touched_when_absent(touched: Term, own: Value, absent: Term) -> Term:
    """Whether a step has an entry where it finds none."""
    nothing = Apply("is", (Read(own, ()), NONE))
    answer = TRUE if absent is NONE else FALSE
    return settled(transform(touched, lambda node: answer if node is nothing else node), {})
