"""What is assumed of arrays that come from outside of a function: that what is written in between
is not what an expression reads, under another name."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from auditor.lift.call_effects import Does, does, written_into
from auditor.lift.changes import base, dotted, reads
from auditor.notation import Value
from auditor.surroundings.region import Region
from auditor.tree import descendants

_OUTSIDE = ("input", "attribute", "free")


def assumed_apart(
    region: Region, expressions: Iterable[ast.AST], between: Iterable[ast.AST]
) -> list[str]:
    """Of what ``expressions`` read and what executing ``between`` writes into or sets."""
    paths = {path for one in expressions for path in reads(region.module, one)}
    read = {name for path in paths for name in _from_outside(region, path)}
    wrote: set[str] = set()
    other: set[tuple[str, str]] = set()
    for node in (inner for root in between for inner in descendants(root)):
        for path in _written(region, node):
            wrote |= _from_outside(region, path)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            owner = dotted(node.value)
            same = (p.rpartition(".")[0] for p in read if p.rpartition(".")[2] == node.attr)
            other |= {(owner, one) for one in same if owner and one and owner != one}
    said = [
        f"`{a}` and `{b}` do not overlap"
        for a in sorted(wrote) for b in sorted(read)
        if a != b and not (a.startswith("self.") and b.startswith("self."))
    ]  # fmt: skip
    return [*said, *(f"`{a}` and `{b}` are two objects" for a, b in sorted(other))]


def _written(region: Region, node: ast.AST) -> Iterator[str]:
    """The paths of what a node changes in place."""
    found: list[ast.AST] = []
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        found = [node]
    elif isinstance(node, ast.AugAssign) and not _counts(region, node):
        found = [node.target]
    elif isinstance(node, ast.Call) and does(region.module, node) is Does.WRITES:
        found = [*written_into(region.module, node)]
    yield from (path for each in found if (path := base(each)))


def _counts(region: Region, node: ast.AugAssign) -> bool:
    """Whether ``n += 1`` gives a number another value, and nothing is written into."""
    if isinstance(node.target, ast.Name):
        values = [region.values.get(load) for load in region.loads.get(node.target.id, ())]
        held = [value for value in values if isinstance(value, Value)]
        return bool(held) and all(one.library == "python" or not one.axes for one in held)
    return isinstance(node.target, ast.Attribute) and isinstance(node.value, ast.Constant)


def _from_outside(region: Region, path: str) -> set[str]:
    """The names by which a path is known outside of the function, as far as it may be."""
    given = {node.arg for node in region.nodes if isinstance(node, ast.arg)}
    root, dot, _ = path.partition(".")
    if dot:
        return {path} if root in given else set()
    values = (region.values.get(load) for load in region.loads.get(root, ()))
    held = {value for value in values if isinstance(value, Value)}
    if held:
        memory = frozenset[Value]().union(*map(region.lifted.lifter.memory, held))
        return {value.name for value in memory if value.kind in _OUTSIDE}
    if root in given:
        return {root}
    walked = [node.iter for node in region.nodes
              if isinstance(node, ast.For) and root in _names(node.target)]  # fmt: skip
    return {name for each in walked for name in _names(each)} & given


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in descendants(node) if isinstance(inner, ast.Name)}
