"""A selection of the k best of a list, as code that calls ``heapq``."""

from __future__ import annotations

import ast

from auditor.region import Region
from auditor.rewrite import Match, Site
from auditor.verdict import Edit, Numerics


def heapq_spelling(region: Region) -> tuple[str, tuple[tuple[str, str | None], ...]]:
    """How the file spells heapq, and the import it lacks."""
    for name, path in region.module.names.items():
        if path == "heapq":
            return f"{name}.", ()
    return "heapq.", (("heapq", None),)


def list_finding(
    site: Site, region: Region, node: ast.AST, edits: list[Edit],
    imports: tuple[tuple[str, str | None], ...], k: ast.expr, reason: str | None = None,
) -> Match:  # fmt: skip
    numerics: Numerics = "exact"
    return Match(
        span=region.module.span(node),
        message=f"of a full order only {region.module.source(k)} places are used",
        computation=site.computation,
        edits=tuple(sorted(edits)),
        imports=imports,
        numerics=numerics,
        reason=reason,
    )
