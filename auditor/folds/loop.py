"""Loops that fold: every carried name is combined with one value a step.

``auditor.folds.reader`` reads the statements of a loop into these; what the values are is the
business of ``auditor.folds.vectorise`` and of the rewrites.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Literal

Operation = Literal["sum", "prod", "max", "min", "set", "any", "all", "argmax", "argmin",
                    "logsumexp"]  # fmt: skip


@dataclass(frozen=True)
class Condition:
    """A guard of a step; ``holds`` is False where the step happens when the test does not."""

    test: ast.expr
    holds: bool = True


@dataclass
class Generator:
    """One ``for`` of the loop nest, with the conditions that stand directly inside it."""

    target: ast.expr
    iter: ast.expr
    conditions: list[Condition] = field(default_factory=list)


@dataclass
class Fold:
    """``name = name op value`` at each step where ``conditions`` hold.

    ``set`` binds a constant; ``any`` and ``all`` are ``or`` and ``and``. For argmax and argmin
    ``name`` is the extremum (None when only the place is kept), ``place`` the name of the payload
    and ``payload`` what it is bound to. ``keeps_first`` says what happens among equals;
    ``from_none`` that the first value is taken whatever it is. ``call`` is the two-argument
    function that the code calls (``torch.maximum``), ``selected`` that it chooses by a comparison
    instead (``torch.where``), for which the start may be a number, ``augmented`` whether it is
    ``op=``, ``turned`` whether it is ``name = value op name``.
    """

    op: Operation
    name: str | None
    value: ast.expr
    statement: ast.stmt
    conditions: tuple[Condition, ...] = ()
    negative: bool = False
    keeps_first: bool = True
    from_none: bool = False
    augmented: bool = False
    turned: bool = False
    call: str | None = None
    selected: bool = False
    place: str | None = None
    payload: ast.expr | None = None
    stops: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in (self.name, self.place) if name is not None)


@dataclass
class FoldLoop:
    """A loop whose carried names are all folds. ``objections`` are (condition, reason)."""

    node: ast.For | ast.While
    generators: list[Generator]
    folds: list[Fold]
    temporaries: dict[str, ast.expr]
    statements: list[ast.stmt]
    objections: list[tuple[str, str]]
    returns: bool | None = None
    counter_start: ast.stmt | None = None
    innermost: ast.AST | None = None
    collected: list[Collected] = field(default_factory=list)


@dataclass(frozen=True)
class Collected:
    """What a step leaves behind of the fold so far: appended to a list (``target`` is its name) or
    written into an element of an array. ``copied`` where it is a copy that is kept."""

    target: ast.expr
    name: str
    copied: bool
    appended: bool


class NotAFold(Exception):
    """The loop carries something that is no fold."""
