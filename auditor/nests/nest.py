"""What a nest of loops does, once it is read."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.nests.expressions import Expressions
from auditor.nests.parts import (
    Filled,
    Walk,
)
from auditor.nests.triangles import Pairs
from auditor.notation import (
    Index,
)


@dataclass(frozen=True, eq=False)
class Nest:
    """What a nest of loops does: ``filled`` arrays, in the order of their first writes;
    ``names`` are all that it binds; ``loops`` the indices of its loops."""

    node: ast.stmt
    expressions: Expressions
    filled: tuple[Filled, ...]
    names: frozenset[str]
    loops: tuple[Index, ...]

    def walk(self, index: Index) -> Walk:
        return self.expressions.walks[index]


@dataclass(frozen=True)
class Copied:
    """A nest that copies cells of one array to those across its diagonal: ``name``, the cells that
    are written, by where their column is, and the walk of both loops."""

    name: str
    half: Pairs
    walk: Walk
