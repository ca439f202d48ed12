"""Loops over groups of which each step goes through all rows for its own.

for j in range(k):                                   each row once, to the cell of its group:
    sums[j] = x[labels == j].sum(axis=0)                 np.add.at(sums, labels, x)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.arrays.facts import Arrays
from auditor.assumed import assuming
from auditor.folds.added_by_group import added_by_group, counted_by_group
from auditor.folds.counted_by_pair import counted_by_pair
from auditor.nests.listed import makes_array
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.syntax import is_name, mentions
from auditor.tree import everything_in
from auditor.verdict import Edit, Verdict

_ADDED_UP = frozenset(("sum", "mean", "count_nonzero"))


def grouped_rows(site: Site) -> Match | None:
    """What is said of a loop, or of an array made of a list, whose steps select rows by their
    group and add them up; None where it does something else."""
    pairs = _pairs(site)
    if pairs is not None:
        return pairs
    found = _steps(site)
    if found is None:
        return None
    place, body = found
    selected = next(_selected(place, body), None)
    if selected is None:
        return None
    said = site.lifted.module.source(selected)
    shown = f"a step uses those rows alone where `{said}` holds: all steps together each row once"
    region = Region(site.lifted)
    code, edits = added_by_group(site, region), tuple[Edit, ...]()
    if site.loop is not None and code is not None:
        edits = (region.replace_lines(site.loop.node, code.lines),)  # type: ignore[arg-type]
    elif isinstance(site.node, ast.Call):
        code = counted_by_group(region, site.node)
        edits = () if code is None else (region.replace(site.node, code.lines[0]),)
    every = "the cell of a group is the sum of its rows, in whatever order they come"
    added = {"associativity": Verdict("holds", "structure", every, "reassociated")} if edits else {}
    return Match(
        span=site.computation.span,
        message=f"every step goes through all rows for those where `{said}`: where each row is"
        " added to the cell of its own group (`np.add.at`, `np.bincount`, `index_add_`), each is"
        " read once",
        computation=site.computation,
        edits=edits,
        safe=code is None or not code.doubts,
        reason=None if code is None else "; ".join(code.doubts) or assuming(code.assumed),
        verdicts={"sparsity": Verdict("partial", "structure", shown)} | added,
    )


def _pairs(site: Site) -> Match | None:
    """What is said of a nest over two groups that counts the rows of both."""
    node = site.loop.node if site.loop is not None else None
    region = Region(site.lifted)
    found = counted_by_pair(region, node) if isinstance(node, ast.For) else None
    if found is None or not isinstance(node, ast.For):
        return None
    lines, assumed = found
    shown = "a step counts the rows of one pair of groups: all steps together each row once"
    return Match(
        span=region.module.span(node),
        message="every step goes through all rows to count those of its pair of groups: `np.add.at`"
        " goes through them once",
        computation=site.computation,
        edits=(region.replace_lines(node, lines),),
        numerics="exact",
        reason=assuming(assumed),
        gains={"any": 10.0},
        counted=True,
        verdicts={"sparsity": Verdict("partial", "structure", shown)},
    )


def _steps(site: Site) -> tuple[str, list[ast.AST]] | None:
    """The name of a step's group, and what a step does."""
    node = site.node
    if site.loop is not None and isinstance(site.loop.node, ast.For):
        target, walked = site.loop.node.target, site.loop.node.iter
        body: list[ast.AST] = list(site.loop.node.body)
    elif isinstance(node, ast.Call) and makes_array(site.lifted.module, node):
        (listed, *_) = node.args
        if not isinstance(listed, ast.ListComp) or len(listed.generators) != 1:
            return None
        (generator,) = listed.generators
        target, walked, body = generator.target, generator.iter, [listed.elt]
    else:
        return None
    if isinstance(walked, ast.Call) and is_name(walked.func, "enumerate") and walked.args:
        if isinstance(target, ast.Tuple) and len(target.elts) == 2:
            target, walked = target.elts[1], walked.args[0]
    apart = _all_apart(Region(site.lifted), walked)
    return (target.id, body) if apart and isinstance(target, ast.Name) else None


def _all_apart(region: Region, walked: ast.expr) -> bool:
    """Whether a walk meets no group twice: ``range(n)``, ``np.unique(labels)``,
    ``labels.unique()``, ``sorted(set(labels))``, or a name of one."""
    if isinstance(walked, ast.Name):
        held = Arrays(region).assigned(walked.id)
        walked = walked if held is None else held
    if not isinstance(walked, ast.Call):
        return False
    if isinstance(walked.func, ast.Attribute):
        return walked.func.attr in ("unique", "tolist") and not walked.keywords and (
            walked.func.attr == "unique" or _all_apart(region, walked.func.value)
        )  # fmt: skip
    if is_name(walked.func, "sorted") and len(walked.args) == 1:
        return _all_apart(region, walked.args[0])
    return is_name(walked.func, "range") or is_name(walked.func, "set")


def _selected(place: str, body: list[ast.AST]) -> Iterator[ast.expr]:
    """The comparisons that select the rows which a step adds up."""
    inside = [node for part in body for node in everything_in(part)]
    bound = {n.id for n in inside if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    named = {
        node.targets[0].id: node.value for node in inside
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }  # fmt: skip
    for node in inside:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr not in _ADDED_UP:
            continue
        for given in (node.func.value, *node.args[:1]):
            rows = named.get(given.id, given) if isinstance(given, ast.Name) else given
            mask = rows
            if isinstance(rows, ast.Subscript):
                first = rows.slice.elts[0] if isinstance(rows.slice, ast.Tuple) else rows.slice
                mask = named.get(first.id, first) if isinstance(first, ast.Name) else first
                if mentions(rows.value, place) or any(mentions(rows.value, n) for n in bound):
                    continue
            if _is_group(mask, place, bound):
                yield mask


def _is_group(mask: ast.expr, place: str, bound: set[str]) -> bool:
    """``labels == j``, of labels that no step changes."""
    if not isinstance(mask, ast.Compare) or len(mask.ops) != 1:
        return False
    sides = (mask.left, mask.comparators[0])
    labels = [side for side in sides if not is_name(side, place)]
    return (
        isinstance(mask.ops[0], ast.Eq) and len(labels) == 1
        and isinstance(labels[0], (ast.Name, ast.Attribute))
        and not any(mentions(labels[0], name) for name in (*bound, place))
    )  # fmt: skip
