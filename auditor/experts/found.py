"""What is found in a method: mixtures of experts, and products with matrices that are zero but at
chosen places."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.experts.values import (
    Gathered,
    Mixture,
    Thing,
)

Names = dict[str, Thing]


@dataclass(frozen=True)
class Found:
    """A mixture: the value, the expression or the loop that computes it, and what the names are
    bound to there. ``total`` is what a loop adds up in."""

    mixture: Mixture
    node: ast.expr | ast.For
    statement: ast.stmt
    names: Names
    around: object
    total: ast.stmt | None = None
    chain: tuple[ast.stmt, ...] = ()


@dataclass(frozen=True)
class Product:
    """A product with a matrix that is zero but at chosen places, where it stands."""

    made: Gathered
    node: ast.expr
    statement: ast.stmt
    names: Names
    around: object
