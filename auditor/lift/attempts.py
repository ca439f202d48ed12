"""``try`` and ``match`` statements: blocks that are read although what follows may not know that
they ran.

What a ``try`` does is what its body does where every handler raises in turn: whoever comes behind
it has its body behind them. A handler that goes on is another way there, of which nothing is known.
The cases of a ``match`` are read one by one, each as if it were the one; behind it nothing is known
of what any of them binds or changes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from auditor.lift.bound import names_bound
from auditor.lift.forgotten import forget
from auditor.tree import descendants, everything_in

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter

_Block = Callable[["Lifter", list[ast.stmt], "Env"], bool]

_LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)


def only_raises(node: ast.Try) -> bool:
    """Whether whoever comes behind a ``try`` has all of its body behind them: each handler raises,
    and what is done at last lets that go on."""
    raising = all(isinstance(handler.body[-1], ast.Raise) for handler in node.handlers)
    beside = [*node.handlers, *node.finalbody]
    return raising and not any(
        isinstance(inner, _LEAVING) for part in beside for inner in everything_in(part)
    )


def attempt(lifter: Lifter, node: ast.Try, env: Env, block: _Block) -> bool:
    """A ``try`` that ``only_raises``."""
    lifter.effect("exception", "has a `try` statement", node)
    reached = block(lifter, node.body, env) and block(lifter, node.orelse, env)
    for statement in node.finalbody:
        forget(statement, env, "assigned in a `finally` block", lifter)
    return reached


def plain_cases(node: ast.Match) -> bool:
    """Whether no pattern binds a name."""
    return not any(names_bound(part) for case in node.cases for part in descendants(case.pattern))


def cases(lifter: Lifter, node: ast.Match, env: Env, branch: _Block) -> bool:
    """A ``match`` with ``plain_cases``: False where none of the cases reaches its end, and one of
    them is met."""
    lifter.eval(node.subject, env)
    ends = False
    for case in node.cases:
        within = dict(env)
        if case.guard is not None:
            lifter.eval(case.guard, within)
        lifter.branches += 1
        lifter.joined.append(True)
        ends |= branch(lifter, case.body, within)
        lifter.joined.pop()
        lifter.branches -= 1
    last = node.cases[-1]
    certain = last.guard is None and ast.unparse(last.pattern) == "_"
    if certain and not ends:
        return False
    forget(node, env, "assigned in a `match` statement", lifter)
    return True
