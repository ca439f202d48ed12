"""What a finding says of a loop that the stream reader follows and the lifter does not: records,
texts, what is compared with an element before."""

from __future__ import annotations

import ast

from auditor.derive.found import Derived, derive_loop, varies
from auditor.derive.places import NoLoop, loop_in
from auditor.notation import Read, walk


def derived_combine(tree: ast.Module, loop: ast.For) -> tuple[tuple[str, ...], str] | None:
    """The carried values that depend on one another, and the algebra in which they have a combine
    that the loop does not spell out; None where there is none."""
    try:
        place = loop_in(tree, loop.lineno)
    except NoLoop:
        return None
    if place.loop is not loop or not _plain(loop):
        return None
    found = derive_loop(place)
    if not isinstance(found, Derived) or found.fold.exits or found.fold.assumptions:
        return None  # what comes after an exit may be left for another reader
    if not _looks_at_elements(found):
        return None
    parts = [p for p in found.monoid.parts if len(p.carries) > 1 and len(p.fields) > 1]
    if not parts:
        return None
    names = tuple(carry.name for part in parts for carry in part.carries)
    return names, "; ".join(dict.fromkeys(part.algebra for part in parts))


def _looks_at_elements(found: Derived) -> bool:
    """Does a step depend on its element, or is it the same one again and again?"""
    varying = varies(found.fold)
    return any(
        isinstance(node, Read) and node.value.kind == "input" and varying(node.value)
        for carry in found.fold.scan.carries
        for node in walk(carry.update)
    )


def _plain(loop: ast.For) -> bool:
    """Is there nothing in the body that the reader is certain to refuse?"""
    refused = (ast.For, ast.While, ast.With, ast.Try, ast.Raise, ast.Assert, ast.Yield, ast.Await,
               ast.Delete, ast.Lambda, ast.MatMult, ast.NamedExpr)  # fmt: skip
    return not any(isinstance(node, refused) for part in loop.body for node in ast.walk(part))
