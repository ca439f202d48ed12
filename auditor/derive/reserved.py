"""Names of the modules that are written, which those of a loop may not have."""

from __future__ import annotations

import ast

from auditor.derive.array_functions import NAMES
from auditor.derive.fold import Fold
from auditor.derive.scopes import stored_names
from auditor.tree import everything_in

_FUNCTIONS = frozenset("init update combine finish merge outputs scan piece loop carried".split())
_TYPES = frozenset("State Entry Any Iterable Callable Mapping dataclass replace copy".split())
_INSIDE = frozenset("element elements left right entry key both".split())
"""What a function of the module calls what it is given, or goes through."""


def clashing(fold: Fold) -> str | None:
    """A name of a loop that means something else in the module written of it."""
    folds = (fold, *fold.parts)
    made = {name for one in folds for text in one.prepare for name in _bound(text)}
    steps = {*(name for one in folds for name in one.names), *made}
    held = {one.keyed.name for one in folds if one.keyed is not None}
    carried = {carry.name for one in folds for carry in one.scan.carries}
    read = {n.id for s in fold.node.body for n in everything_in(s) if isinstance(n, ast.Name)}
    given = (
        {*(name for one in folds for name in one.parameters), *read} - steps - held - {*fold.live}
    )
    fixed = steps | given | held
    helping = {*fixed, *carried, *read} & NAMES if fold.arrays is not None else set()
    bad = (fixed | carried) & _TYPES | fixed & _FUNCTIONS | (given | held) & _INSIDE
    bad |= {name for name in carried if name.startswith("_")}  # fields would be private
    bad |= {one.keyed.key for one in folds if one.keyed and one.names == ("key",)} - {"key"}
    bad |= helping
    if fold.parts:
        bad |= fixed & {"values"}
    return min(bad, default=None)


def _bound(text: str) -> list[str]:
    return stored_names(ast.parse(text).body)
