"""A loop read as a fold: what it carries, how a step changes it, what it needs."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from auditor.derive.entry_records import Record
from auditor.notation import Scan, Term
from auditor.tree import everything_in

STOPPED, ANSWER = "stopped", "answer"
WITHOUT_LIBRARY = "any "
"""Of which library arrays are that only have operators."""


class NotAFold(Exception):
    """Why the loop has no reading as a fold, with the line that says so; ``running`` names the list
    that keeps what is carried, where that is why."""

    def __init__(self, reason: str, line: int, running: str | None = None) -> None:
        super().__init__(reason)
        self.reason, self.line, self.running = reason, line, running


@dataclass(frozen=True)
class Keyed:
    """A container of which each step changes one entry: its name, the entry's key, what an absent
    entry counts as (None: it must be there), whether the container begins empty, the condition, as
    source, under which a step has an entry at all (None: always), and whether it is a list, which
    counts negative keys from its end. An entry that is a ``record`` has several values; ``absent``
    is of the first one, ``others`` of those after it. Of a set of ``members`` an entry says whether
    the key is one; an entry that ``changes`` is there where it is not what an absent one counts as.
    Where keys are pairs of a container of containers, ``inner`` is how those are made, "" if they
    are made without being asked for.
    """

    name: str
    key: str
    absent: Term | None
    fresh: bool = True
    when: str | None = None
    listed: bool = False
    record: Record | None = None
    others: tuple[Term | None, ...] = ()
    members: bool = False
    changes: bool = False
    inner: str | None = None


@dataclass(frozen=True, eq=False)
class Fold:
    """A loop read as a fold.

    ``names`` are the element's parts as the loop's target binds them; ``prepare`` are statements
    of the body that only look at the element, kept as they are; ``parameters`` the free names
    that the body reads from around it; ``live`` the carried names that are used after the loop.
    ``keyed`` is set where the one carried value stands for each entry of a container; ``parts`` are
    the folds side by side of a loop that changes containers beside other things; ``result`` is
    what the function returns right after the loop, ``answer`` what it returns from inside of it,
    ``starts`` how the names that the body changes begin. ``running`` is the list that a step
    appends carried values to, if any: the loop is a scan. ``keys`` are what names of the element
    may be, where they are looked up in tables that are written out. ``rows`` says what the carried
    values are where they are taken place by place: arrays of a library under a name, or lists;
    ``chosen``, whether each place is chosen for itself. ``begun`` is what arrays of ``library``
    hold in every place as the loop begins. ``arrays`` is the library of carried arrays that are
    multiplied or reduced.
    """

    node: ast.For
    scope: str
    function: ast.FunctionDef | ast.AsyncFunctionDef | None
    tree: ast.Module
    scan: Scan
    names: tuple[str, ...]
    prepare: tuple[str, ...]
    parameters: tuple[str, ...]
    live: tuple[str, ...]
    assumptions: tuple[str, ...] = ()
    keyed: Keyed | None = None
    result: str | None = None
    answer: Term | None = None
    starts: dict[str, str] = field(default_factory=dict)
    running: str | None = None
    parts: tuple[Fold, ...] = ()
    keys: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    rows: str | None = None
    chosen: bool = False
    begun: dict[str, Term] = field(default_factory=dict)
    library: str | None = None
    arrays: str | None = None

    @property
    def containers(self) -> tuple[Keyed, ...]:
        """The containers that the loop changes, entry by entry."""
        return tuple(one.keyed for one in self.parts or (self,) if one.keyed is not None)

    @property
    def exits(self) -> bool:
        """Can the loop end before its elements do?"""
        return any(isinstance(node, (ast.Break, ast.Return)) for node in everything_in(self.node))

    @property
    def target(self) -> str:
        return ast.unparse(self.node.target)
