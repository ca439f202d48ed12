"""Arrays that are changed in place after a rewrite has read or made them.

Autograd keeps some operands and results of an operation for its backward pass, and fails when they
have been changed in place by then. A rewrite exchanges operations, so that what could be changed
before may be kept now.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from auditor.arrays.held import changed_later, holders, written_by
from auditor.arrays.kept import kept_by, places_kept
from auditor.lift.objects import Obj, Unknown
from auditor.notation import Apply, Read, Term, Trace, Value, walk
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.tree import everything_in

_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_OWN = re.compile(r"(?<![\w.])self\.[A-Za-z_]\w*")


def overwritten_later(site: Site, match: Match) -> str | None:
    """Why the backward pass of the new code would fail where that of the old code did not."""
    if "torch" not in site.lifted.module.text:
        return None
    kinds, places = kept_by(match.edits), _places(site, match)
    if not kinds and not places:
        return None
    operands, own = places, {*places}
    if kinds & {"operands", "both"}:
        content = "\n".join(edit.content for edit in match.edits)
        operands = places | _read(site, content)
        own = {*operands, *_OWN.findall(content)}
    results = _made(site) if kinds & {"results", "both"} else []
    lines = [*_by_memory(site, match, [*results, *operands.values()])]
    lines += _by_name(site, operands.keys() - places.keys())
    lines += _by_text(site, bool(results), own)
    return f"line {lines[0]} changes in place what the backward pass would need" if lines else None


def written_after(site: Site, values: Iterable[Value]) -> bool:
    """Whether the memory of ``values`` is changed in place after the expression at ``site``."""
    lifter, end = site.lifted.lifter, site.computation.span
    memory = frozenset[Value]().union(*map(lifter.memory, values))
    return any(
        not memory.isdisjoint(touched)
        and (span.line, span.column) >= (end.end_line, end.end_column)
        for touched, span in lifter.overwritten
    )


def multiplied(term: Term, old: Value) -> bool:
    """Whether anything but sums and choices is computed with what an array held: where its place is
    overwritten with the result, the backward pass would need both."""
    if isinstance(term, Apply) and term.op in ("add", "sub", "neg"):
        return any(multiplied(arg, old) for arg in term.args)
    if isinstance(term, Apply) and term.op in ("choose", "where"):
        return any(multiplied(arg, old) for arg in term.args[1:])
    mentioned = any(isinstance(node, Read) and node.value is old for node in walk(term))
    return mentioned and not isinstance(term, Read)


def _by_memory(site: Site, match: Match, kept: list[Obj]) -> Iterator[int]:
    """Lines after the place that change memory of ``kept`` values."""
    lifter = site.lifted.lifter
    values = [obj for obj in kept if isinstance(obj, Value) and obj.library != "numpy"]
    memory = frozenset().union(*map(lifter.memory, values))
    replaced = [site.computation.span, *(edit.span for edit in match.edits)]
    for touched, span in lifter.overwritten:
        if span.line < site.computation.span.end_line or any(r.covers(span) for r in replaced):
            continue
        left = site.loop is not None and any(_left(value, site) for value in touched)
        if left or not memory.isdisjoint(touched):
            yield span.line


def _by_name(site: Site, names: set[str]) -> Iterator[int]:
    """Lines after the place that write into what has one of ``names``, or into a view made of it
    whose memory is not known."""
    region = Region(site.lifted)
    end = site.computation.span
    for node in region.nodes:
        if isinstance(node, ast.Assign) and _unknown(region.values.get(node.value)):
            if any(isinstance(n, ast.Name) and n.id in names for n in everything_in(node.value)):
                names |= {t.id for t in node.targets if isinstance(t, ast.Name)}
    for node in region.nodes:
        if not isinstance(node, (ast.stmt, ast.expr)) or node.lineno <= end.end_line:
            continue
        for written in written_by(node):
            if any(isinstance(n, ast.Name) and n.id in names for n in everything_in(written)):
                yield node.lineno


def _by_text(site: Site, made_too: bool, held: set[str]) -> Iterator[int]:
    """Lines that change what is ``held``, or also what holds the results, where memory is not
    known."""
    region = Region(site.lifted)
    made = site.node if site.loop is None else site.loop.node
    if made is None or any(value.library == "numpy" for value in _made(site)):
        return
    if made_too:
        results = () if site.loop is None else site.loop.results
        held = held | holders(region, made, [name.partition("[")[0] for name in results])
    yield from changed_later(region, held, made)


def _unknown(obj: Obj | None) -> bool:
    """Whether nothing is known of whose memory an object has."""
    return not isinstance(obj, Value) or obj.kind == "opaque"


def _read(site: Site, content: str) -> dict[str, Obj]:
    """The arrays that new code reads, by name."""
    statement = site.statement if site.loop is None else site.loop.node
    scope = site.lifted.lifter.scopes.get(statement, {})  # type: ignore[arg-type]
    found = {name: scope[name] for name in _NAME.findall(content) if name in scope}
    return {
        name: obj for name, obj in found.items()
        if isinstance(obj, Unknown) or (isinstance(obj, Value) and obj.axes
                                        and obj.library not in ("numpy", "python"))
    }  # fmt: skip


def _places(site: Site, match: Match) -> dict[str, Obj]:
    """The arrays by which new code looks up or chooses, by name."""
    region = Region(site.lifted)
    paths = places_kept(region, match.edits)
    if not paths:
        return {}
    own = (node for node in region.nodes if isinstance(node, ast.Attribute))
    found = _read(site, " ".join(paths)) | {
        path: value for node in own if (path := ast.unparse(node)) in paths
        if (value := region.values.get(node)) is not None
    }  # fmt: skip
    return {
        path: value for path, value in found.items()
        if isinstance(value, Value) and value.axes and value.library != "numpy"
    }  # fmt: skip


def _made(site: Site) -> list[Value]:
    if site.loop is not None:
        return list(site.loop.results.values())
    return [site.value] if site.value is not None else []


def _left(value: Value, site: Site) -> bool:
    """What a loop collected, made into an array."""
    assert site.loop is not None
    return isinstance(value.body, Trace) and value.body.scan is site.loop.scan
