"""A loop under other names, where its own mean something else in the module that is written."""

from __future__ import annotations

import ast
import copy
from dataclasses import replace

from auditor.derive.inner import loop_in_place
from auditor.derive.places import Place
from auditor.derive.scopes import local_names
from auditor.tree import everything_in

_FAR = (ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, ast.Lambda, ast.FunctionDef,
        ast.AsyncFunctionDef, ast.ClassDef, ast.MatchAs, ast.MatchStar, ast.MatchMapping,
        ast.ExceptHandler)  # fmt: skip


def under_another_name(place: Place, name: str) -> Place | None:
    """The place with a name of its function as another one, in a copy of the file; None where the
    name is not the function's alone."""
    function = place.function
    if function is None or name not in local_names(function):
        return None
    if any(isinstance(node, _FAR) and node is not function for node in everything_in(function)):
        return None
    tree = copy.deepcopy(place.tree)
    found = loop_in_place(tree, place.loop)
    if found is None or found.function is None:
        return None
    taken = {n.id for n in everything_in(tree) if isinstance(n, ast.Name)} | {name}
    taken |= {n.arg for n in everything_in(tree) if isinstance(n, ast.arg)}
    other = f"{name.strip('_') or 'value'}_"
    while other in taken:
        other += "_"
    for node in everything_in(found.function):
        if isinstance(node, ast.Name) and node.id == name:
            node.id = other
        elif isinstance(node, ast.arg) and node.arg == name:
            node.arg = other
    return replace(found, assumptions=place.assumptions)
