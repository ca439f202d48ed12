"""Which arrays have the sizes of others as long as the function runs: copies of what is bound
once."""

from __future__ import annotations

import ast

from auditor.nests.evidence import Evidence
from auditor.nests.forms import copied_from
from auditor.tree import ancestors

_LOOPS = (ast.For, ast.While)


def sized_as(evidence: Evidence, name: ast.expr) -> ast.expr:
    """The first array of which ``name`` is a copy, or was made like, by way of others; or itself.
    Names that are bound again, or in a loop, may stand for another array later."""
    at = name
    while isinstance(at, ast.Name):
        made = evidence.arrays.assigned(at.id)
        source = evidence.like(at) or copied_from(evidence.region.module, made)
        if not isinstance(source, ast.Name) or not _is_steady(evidence, source.id):
            break
        at = source
    return at


def _is_steady(evidence: Evidence, name: str) -> bool:
    if name in evidence.region.lifted.parameters:
        return name not in evidence.region.bound
    made = evidence.arrays.assigned(name)
    return made is not None and not any(
        isinstance(above, _LOOPS) for above in ancestors(made, evidence.region.parents)
    )
