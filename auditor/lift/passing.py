"""What expressions bind in passing (``:=``): from item to item of a comprehension, or only at
times."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.lift.bound import COMPREHENSIONS
from auditor.lift.objects import Obj, Unknown
from auditor.tree import children, everything_in

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter


def bound_in_passing(node: ast.AST) -> frozenset[str]:
    """The names that anything within an expression binds with ``:=``."""
    return frozenset(
        inner.target.id for inner in everything_in(node) if isinstance(inner, ast.NamedExpr)
    )


def carried_along(node: ast.expr) -> str | None:
    """A name that a comprehension binds at an item and reads at the next: it is a loop with a
    state, in other words."""
    if not isinstance(node, COMPREHENSIONS):
        return None
    names = bound_in_passing(node)
    if not names:
        return None
    reads = _Reads(names)
    reads.item(node, set())
    return min(reads.early, default=None)


class _Reads:
    """Which of ``names`` are read where nothing of the same item surely bound them before."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self.early: set[str] = set()

    def item(self, node: ast.expr, bound: set[str]) -> None:
        """One item of a comprehension, in the order in which its parts are evaluated."""
        for place, generator in enumerate(node.generators):  # type: ignore[attr-defined]
            for part in ([generator.iter] if place else []) + generator.ifs:
                self.read(part, bound)
        kept = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)  # type: ignore[attr-defined]
        for part in kept:
            self.read(part, bound)

    def read(self, node: ast.AST, bound: set[str]) -> None:
        """An expression, given what is ``bound`` before it; adds what it surely binds."""
        if isinstance(node, ast.Name):
            if node.id in self.names and node.id not in bound:
                self.early.add(node.id)
        elif isinstance(node, ast.NamedExpr):
            self.read(node.value, bound)
            bound.add(node.target.id)
        elif isinstance(node, COMPREHENSIONS):
            self.read(node.generators[0].iter, bound)
            self.item(node, set(bound))
        else:
            sure = _SURE.get(type(node))
            for place, part in enumerate(children(node)):
                self.read(part, bound if sure is None or place < sure else set(bound))


_SURE: dict[type[ast.AST], int] = {ast.BoolOp: 1, ast.IfExp: 1, ast.Compare: 2, ast.Lambda: 1}
"""How many of the parts are evaluated whatever they are."""


def at_times(lifter: Lifter, node: ast.expr, env: Env) -> Obj:
    """What an expression evaluates to that may be left out: what it binds may be as it was."""
    result = lifter.eval(node, env)
    for name in sorted(bound_in_passing(node)):
        env[name] = Unknown(f"`{name}` is bound at times", lifter.module.span(node))
        lifter.origins.anything(lifter, env[name])
    return result
