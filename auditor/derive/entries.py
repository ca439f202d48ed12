"""Containers of which a step changes one entry: which they are, what an absent entry counts as, and
whether a step has an entry at all."""

from __future__ import annotations

import ast
from collections.abc import Callable

from auditor.algebra.choices import settled
from auditor.derive.begun import constant, maker
from auditor.notation import FALSE, NONE, TRUE, Apply, Const, Read, Term, Value, transform
from auditor.tree import everything_in

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


def is_empty_set(node: ast.expr) -> bool:
    """Is it written out as a set of nothing?"""
    return ast.unparse(node) == "set()"


def default(made: ast.expr | None, atom: Callable[[str], Term]) -> Term | None:
    """What an absent entry of a container counts as, by its constructor; ``atom`` is a value that
    is written out."""
    if not isinstance(made, ast.Call):
        return None
    called = maker(made)
    if called == "Counter":
        return Const(0)
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
    """Is a container made as a dictionary of some kind?"""
    if isinstance(made, ast.Call):
        return maker(made) in ("dict", "Counter", "OrderedDict", "defaultdict")
    return isinstance(made, (ast.Dict, ast.DictComp))


def fresh(made: ast.expr | None) -> bool:
    """Is a container certainly empty when the loop begins?"""
    if isinstance(made, ast.Dict):
        return not made.keys
    if not isinstance(made, ast.Call) or not is_mapping(made):
        return False
    return len(made.args) <= (maker(made) == "defaultdict")


def entry_of(container: str) -> str:
    """What an entry of a container is carried as, which is no name of Python."""
    return f"{ENTRY}{container}"


def touch_of(container: str) -> str:
    """Whether a step has an entry of the container so far."""
    return f"touch of {container}"


def touched_when_absent(touched: Term, own: Value, absent: Term) -> Term:
    """Whether a step has an entry where it finds none."""
    nothing = Apply("is", (Read(own, ()), NONE))
    answer = TRUE if absent is NONE else FALSE
    return settled(transform(touched, lambda node: answer if node is nothing else node), {})
