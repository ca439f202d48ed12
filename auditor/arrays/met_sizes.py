"""Sizes of what several arrays are computed together to.

Arrays that meet element by element are as long as each other, or one of them has a single entry
that is stretched. A size is read off one of them: divided by that, a mean is another one where it
was that one which was stretched.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.algebra.subterms import everything
from auditor.lift.facts import Facts
from auditor.notation import Index, Read, Symbol, Term, Value, walk
from auditor.rewrite import Site
from auditor.syntax import mentions

_SIZE = re.compile(r"[A-Za-z_][\w.]*\.shape\[-?\d+\]")


def met_sizes(site: Site) -> list[str]:
    """What is assumed of the sizes that a loop computes with."""
    if site.loop is None:
        return []
    facts, scan = site.lifted.facts, site.loop.scan
    computed = [*everything(_terms(site), sizes=False)]
    read = {node.value for node in computed if isinstance(node, Read) and node.value.body is None}
    found: dict[Term, str] = {}
    for node in computed:
        if not isinstance(node, Symbol):
            continue
        size = facts.extent(node)
        if size is facts.extent(scan.step.extent) or facts.certain(size):
            continue
        met = {value for value in read if any(facts.extent(a.extent) is size for a in value.axes)}
        if len(met) > 1:
            found[size] = _equal(facts, size)
    walked = [
        f"the loop takes one step for each item of `{node.value.name}`"
        for node in computed
        if isinstance(node, Read)
        and _may_be_longer(facts, node, scan.step)
        and not _counts(site.loop.node, node.value.name)
    ]
    return list(dict.fromkeys((*found.values(), *walked)))


def _counts(loop: ast.AST, name: str) -> bool:
    """Whether a loop is said to be over an array, or over its places."""
    return isinstance(loop, ast.For) and mentions(loop.iter, name)


def _may_be_longer(facts: Facts, read: Read, step: Index) -> bool:
    """Whether the steps read along an axis that arrays met in, one of which counts the steps."""
    value, subs = read.value, read.subs
    if value.body is None or len(value.axes) != len(subs):
        return False
    for axis, sub in zip(value.axes, subs, strict=True):
        if step in walk(sub) and facts.extent(axis.extent) is facts.extent(step.extent):
            met = set(_met(value, axis))
            unknown = any(a.group for each in met for a in each.axes)
            return len(met) > 1 and (unknown or not facts.certain(axis.extent))
    return False


def _met(value: Value, axis: Index) -> Iterator[Value]:
    """The arrays that ``value`` is computed of and that are read along its ``axis``."""
    for node in walk(value.body) if value.body is not None else ():
        if not isinstance(node, Read) or axis not in node.subs:
            continue
        if node.value.body is None or len(node.value.axes) != len(node.subs):
            yield node.value
        else:
            yield from _met(node.value, node.value.axes[node.subs.index(axis)])


def _terms(site: Site) -> Iterator[Term]:
    """What a loop computes."""
    assert site.loop is not None
    for carry in site.loop.scan.carries:
        yield from (carry.init, carry.update)
    yield from site.computation.per_step
    yield from (value.body for value in site.computation.outputs if value.body is not None)


def _equal(facts: Facts, size: Term) -> str:
    names = sorted(
        str(term) for term in (*facts.extents, size)
        if facts.extent(term) is size and _SIZE.fullmatch(str(term))
    )  # fmt: skip
    if len(names) < 2:
        return "arrays that meet element by element are equally long"
    return f"{', '.join(f'`{name}`' for name in names[:-1])} and `{names[-1]}` are equal"
