"""Loops that keep the k best: those that hold no more than k items, the largest taken out one by
one, merges of the best of each chunk."""

from __future__ import annotations

import ast

from auditor.arrays.facts import Arrays
from auditor.assumed import assuming
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, path_of, same
from auditor.topk.bounded import is_positive
from auditor.topk.cuts import cut_of
from auditor.topk.kept import kept
from auditor.topk.merged import merged
from auditor.topk.orderings import ordering_of
from auditor.topk.removals import removals
from auditor.topk.row_removals import row_removals
from auditor.topk.selections import selection


def best_so_far(site: Site, region: Region, node: ast.For) -> Match | None:
    """The match of a loop that keeps the k best, or None. Raises ``Refused``."""
    for pattern in (kept, removals, row_removals, _chunks):
        found = pattern(site, region, node)
        if found is not None:
            return found
    return merged(site, node)


def _chunks(site: Site, region: Region, node: ast.For) -> Match | None:
    """The best of the best so far and one more chunk, chunk after chunk."""
    call, source = node.iter, region.module.source
    if not (isinstance(call, ast.Call) and is_name(call.func, "range") and len(call.args) == 3):
        return None
    if constant(call.args[0]) != 0 or not isinstance(node.target, ast.Name) or node.orelse:
        return None
    if len(node.body) != 2:
        return None
    join, keep = node.body
    if not all(isinstance(s, ast.Assign) and len(s.targets) == 1 for s in (join, keep)):
        return None
    assert isinstance(join, ast.Assign) and isinstance(keep, ast.Assign)
    merged, best = join.targets[0], keep.targets[0]
    if not (isinstance(merged, ast.Name) and isinstance(best, ast.Name)):
        return None
    array = _joined(region, join.value, best.id, node.target.id, call.args[2])
    cut = cut_of(keep.value) if isinstance(keep.value, ast.Subscript) else None
    if array is None or cut is None or cut.at_end or not is_positive(cut.k):
        return None
    assert isinstance(keep.value, ast.Subscript)
    ordering = ordering_of(region, keep.value.value)
    if ordering is None or ordering.what != "values" or ordering.library != "torch":
        return None
    if not is_name(ordering.operand, merged.id) or cut.axis != 0:
        return None
    if not _whole_length(call.args[1], array):
        return None
    start = region.binding_before(node, best.id)
    if start is None or not start.alone or not start.unread or start.value is None:
        return None
    empty = isinstance(start.value, ast.Subscript) and same(start.value.value, array)
    if not empty or ast.unparse(start.value).replace(" ", "") != f"{ast.unparse(array)}[:0]":
        return None
    for name in (merged.id, node.target.id):
        site.require(not region.read_after(node, name), "names", f"`{name}` is used after the loop")
    dim = -1 if ordering.dim is None else constant(ordering.dim)
    reasons = [] if constant(call.args[2]) is not ... else [f"`{source(call.args[2])}` is positive"]
    rank = Arrays(region).rank(array)
    if dim not in (0, -1) or (rank is not None and rank != 1 and dim == -1):
        return None
    if rank is None and dim == -1:
        reasons.append(f"`{source(array)}` has 1 axis")
    args = [source(array), source(cut.k)]
    if dim == 0:
        args.append("dim=0")
    if not ordering.descending:
        args.append("largest=False")
    line = f"{best.id} = streaming_topk({', '.join(args)})[0]"
    return Match(
        span=region.module.span(node),
        message=f"the best {source(cut.k)} of each chunk are sorted together again and again",
        computation=selection(
            site, region, array, cut.k, largest=ordering.descending, dim=0, rank=rank or 1
        ),
        edits=(region.drop(start.statement), region.replace_lines(node, [line])),
        imports=(("auditor.kernels", "streaming_topk"),),
        numerics="exact",
        reason=assuming(reasons),
        kernel="auditor.kernels.streaming_topk",
    )


def _joined(
    region: Region, node: ast.expr, best: str, start: str, size: ast.expr
) -> ast.expr | None:
    """x of ``torch.cat([best, x[start : start + size]])``."""
    if not (isinstance(node, ast.Call) and path_of(region.module, node.func) == "torch.cat"):
        return None
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], (ast.List, ast.Tuple)):
        return None
    parts = node.args[0].elts
    if len(parts) != 2 or not is_name(parts[0], best) or not isinstance(parts[1], ast.Subscript):
        return None
    part = parts[1].slice
    if not isinstance(part, ast.Slice) or part.step is not None:
        return None
    upper = part.upper
    if not (part.lower is not None and is_name(part.lower, start)):
        return None
    if not (isinstance(upper, ast.BinOp) and isinstance(upper.op, ast.Add)):
        return None
    if not (is_name(upper.left, start) and same(upper.right, size)):
        return None
    return parts[1].value if isinstance(parts[1].value, ast.Name) else None


def _whole_length(node: ast.expr, array: ast.expr) -> bool:
    text = ast.unparse(node)
    name = ast.unparse(array)
    return text in (f"len({name})", f"{name}.shape[0]", f"{name}.size(0)")
