"""Orderings of which only the first few places are used, as a selection of the k best.

Finds ``sort`` and ``argsort`` of torch whose result is only read through one slice ``[:k]`` or
``[-k:]``, ``sorted(...)[:k]``, the same of a list of the function's own that is filled and sorted
in place, its first places read one by one (``s[0] + s[1]``, ``for i in range(k): s[i]``), lists
kept short by sorting at every step, bounded heaps, the k largest taken out one by one, and merges
of the best of each chunk. The values of ``np.sort`` as well; of the places in ``np.argsort`` it is
told.

Legal because the k best of a whole are the k best of the k bests of its parts (selection is a
monoid), so that the rest never needs an order. Values come out exactly. ``heapq.nlargest(k, xs,
key)`` is documented as equal to ``sorted(xs, key=key, reverse=True)[:k]``, ties included.
``torch.sort`` promises no order among equals unless ``stable=True``; the kernel takes the first of
equals where it is asked to, and on a CPU always. ``np.partition`` puts the k least before the
others along the sorted axis, which, cut off and sorted, are the same whatever axis is cut.

Pays where k is small beside the length: one pass instead of n log n, and k entries written. Lists
and arrays of NumPy that the code states to have a hundred entries or fewer stay.

Safe means: the same values, the same type and shape, also where there are fewer than k (the kernel
reads k as the slice does) and whatever the number of axes (where nothing says that the axis that is
cut is the sorted one, the kernel is told both). The whole order, a second slice of it or its length
used elsewhere, a key function with effects, and ``list.sort`` of a list that others see stay as
they are.

Sources: the documentation of ``heapq``, ``torch.sort``, ``torch.topk`` and ``numpy.partition``.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from auditor.arrays.facts import Arrays
from auditor.assumed import assuming, reason_of
from auditor.notation import Computation, Span
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.surroundings.purity import pure_key
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, same
from auditor.topk.best_so_far import best_so_far
from auditor.topk.cuts import Cut, remaining
from auditor.topk.list_calls import count_of, selected
from auditor.topk.orderings import (
    Ordering,
    OtherAxis,
    Use,
    axes_agree,
    backwards,
    count_text,
    cut_in,
    named,
    ordering_of,
    parts_of,
)
from auditor.topk.partitioned import NoPartition, partitioned
from auditor.topk.selections import list_finding, selection
from auditor.topk.short import is_short, takes_all
from auditor.tree import everything_in
from auditor.verdict import Edit


def find(site: Site) -> Match | None:
    """The match of a loop or an expression, or None. Raises ``Refused``."""
    region = Region(site.lifted)
    if site.loop is not None:
        if not isinstance(site.loop.node, ast.For):
            return None
        return best_so_far(site, region, site.loop.node)
    if isinstance(site.node, ast.Subscript):
        return _slice(site, region, site.node)
    return None


def _slice(site: Site, region: Region, node: ast.Subscript) -> Match | None:
    """``sort(...)[..., :k]``, in one expression or through a name."""
    cut = cut_in(region, node)
    if cut is None:
        return None
    ordering = ordering_of(region, node.value)
    use: Use | None = None
    if ordering is not None:
        use = Use(None, None, [node], ordering.what, cut)
    elif isinstance(node.value, ast.Name):
        found = named(site, region, node, cut)
        if found is None:
            return None
        ordering, use = found
    if ordering is None or use is None:
        return None
    cut = use.cut
    if constant(cut.k) in (0, 1) or takes_all(region, ordering, cut):
        return None
    if site.inside and not cut.walked and _keeps(region, node, ordering):
        return None
    if ordering.library != "torch" and is_short(region, ordering):
        return None
    if ordering.library == "python":
        if cut.part and not cut.walked and not _few_of_many(ordering, cut):
            return None
        return _list_match(site, region, ordering, use, cut)
    if cut.walked:
        return None  # each of them is read by itself
    if cut.at_end and cut.part:
        return None  # single places of an array are a selection of their own
    bound = cut.k.id if isinstance(cut.k, ast.Name) else ""
    may_lack = bound in site.lifted.lifter.optional and bound not in region.bound
    site.require(not may_lack, "k", f"`{bound}` may be None, which leaves all places")
    site.require(
        ordering.library in ("torch", "numpy"), "tensors", "nothing says that a tensor is sorted"
    )
    if ordering.library == "numpy":
        return _array_match(site, region, ordering, use, cut)
    counted = not cut.at_end or isinstance(constant(cut.k), int)
    if not counted:
        # Of no places from the end all are left.
        return _told(site, region, ordering, use, cut, "torch.topk selects")
    return _tensor_match(site, region, ordering, use, cut)


def _keeps(region: Region, node: ast.Subscript, ordering: Ordering) -> bool:
    """Whether the places are what the next step orders, together with little more."""
    statement = region.statement_of(node)
    kept = statement.targets if isinstance(statement, ast.Assign) else []
    return any(same(part, target) for part in everything_in(ordering.operand) for target in kept)


def _told(site: Site, region: Region, ordering: Ordering, use: Use, cut: Cut, way: str) -> Match:
    """What is used of the order, where no code is written for it."""
    count = _spoken(count_text(region, cut))
    message = f"only {count} places of a full order are used: {way} them in one pass"
    computation = _computation(site, region, ordering, use, cut)
    return Match(region.module.span(use.slices[0]), message, computation)


def _array_match(site: Site, region: Region, ordering: Ordering, use: Use, cut: Cut) -> Match:
    """Places of a sort of NumPy: values by a partition; which places they have is told, for that
    of several equal ones is left open."""
    way = "np.partition" if use.what == "values" else "np.argpartition"
    told = _told(site, region, ordering, use, cut, f"{way} selects")
    try:
        edits, assumed = partitioned(region, ordering, use, cut)
    except NoPartition:
        return told
    covers: tuple[Span, ...] = ()
    if use.statement is not None:
        _local(site, region, use)
        site.require(
            _early(region, cut.k, use),
            "k",
            f"`{count_text(region, cut)}` is known after the sort",
        )
        covers = (region.module.span(use.statement),)
    return replace(
        told, edits=tuple(sorted(edits)), numerics="exact", reason=assuming(assumed), covers=covers
    )


def _tensor_match(
    site: Site, region: Region, ordering: Ordering, use: Use, cut: Cut
) -> Match | None:
    try:
        agree = axes_agree(region, ordering, cut)
    except OtherAxis:
        return None
    # From the end the smallest are flipped, and with them the order among equals.
    site.require(
        not (cut.at_end and use.what != "values" and (ordering.stable or not agree)),
        "stable",
        "the order among equals is kept by this sort, not by a selection from its end",
    )
    site.require(
        use.what == "values" or ordering.stable or not Arrays(region).integer(ordering.operand),
        "ties",
        "whole numbers are often equal, and a selection may take others of them",
    )
    enough = [f"`{count_text(region, cut)}` is at least 1"] if cut.counted else []
    ties = "which of several equal values comes first is unspecified, as it is in the sort"
    open_ties = use.what != "values" and not ordering.stable
    module = region.module
    call = _kernel_call(region, ordering, cut, use.what != "values", agree)
    if cut.at_end and (use.what == "both" or not agree):
        return None
    flip = f".flip({-1 if cut.axis < 0 else cut.axis})" if cut.at_end else ""
    edits: list[Edit] = []
    if use.statement is None:
        slot = 0 if ordering.what == "values" else 1
        rest = remaining(module, use.slices[0], cut)
        edits.append(region.replace(use.slices[0], f"{call}[{slot}]{flip}{rest}"))
    else:
        assert isinstance(use.statement, (ast.Assign, ast.AnnAssign)) and use.target is not None
        made = use.statement.value
        assert made is not None
        inline = (
            len(use.slices) == 1
            and region.next_statement(use.statement) is region.statement_of(use.slices[0])
            and not isinstance(region.statement_of(use.slices[0]), _COMPOUND)
        )
        slot = 0 if use.what == "values" else 1
        if inline:
            edits.append(region.drop(use.statement))
            rest = remaining(module, use.slices[0], cut)
            edits.append(region.replace(use.slices[0], f"{call}[{slot}]{flip}{rest}"))
        elif use.what == "both" or isinstance(use.target, (ast.Tuple, ast.List)):
            edits.append(region.replace(made, call))
        else:
            edits.append(region.replace(made, f"{call}[{slot}]"))
        _local(site, region, use)
        if not inline:
            site.require(
                _early(region, cut.k, use),
                "k",
                f"`{count_text(region, cut)}` is known after the sort",
            )
            said = {part: f"{module.source(part.value)}{flip}{remaining(module, part, cut)}"
                    for part in use.slices}  # fmt: skip
            edits += _taken(region, said)
    return Match(
        span=module.span(use.slices[0]),
        message=f"only {_spoken(count_text(region, cut))} places of a full sort are used:"
        " `streaming_topk` finds them without sorting the rest",
        computation=_computation(site, region, ordering, use, cut),
        edits=tuple(sorted(edits)),
        imports=(("auditor.kernels", "streaming_topk"),),
        numerics="exact",
        reason=reason_of(assuming(enough), ties if open_ties else None),
        kernel="auditor.kernels.streaming_topk",
        covers=() if use.statement is None else (module.span(use.statement),),
    )


def _spoken(count: str) -> str:
    """A number in a sentence."""
    return count if count.isdigit() else f"`{count}`"


def _early(region: Region, k: ast.expr, use: Use) -> bool:
    """Whether k has its value where the sort stands already, in all of its slices."""
    assert use.statement is not None
    before = region.scope(use.statement)
    names = {node.id for node in everything_in(k) if isinstance(node, ast.Name)}
    plain = all(
        isinstance(n, (ast.Name, ast.Constant, ast.expr_context, ast.BinOp, ast.operator,
                       ast.UnaryOp, ast.unaryop))
        for n in everything_in(k)
    )  # fmt: skip
    arguments = {node.arg for node in region.nodes if isinstance(node, ast.arg)}
    names -= arguments - region.bound  # what a parameter is known to be may grow, not its value
    scopes = [region.scope(region.statement_of(part)) for part in use.slices]
    return not names or (
        plain and all(
            name in before and scope.get(name) is before[name] for name in names for scope in scopes
        )
    )  # fmt: skip


def _computation(site: Site, region: Region, ordering: Ordering, use: Use, cut: Cut) -> Computation:
    """The selection that the slice of the sort comes to."""
    dim = -1 if ordering.dim is None else constant(ordering.dim)
    if not isinstance(dim, int):
        raise Refused("axes", "no axis is sorted, but all entries of an array")
    rank = Arrays(region).rank(ordering.operand)
    if rank is None and (dim >= 0 or cut.axis >= 0):
        rank = max(dim, cut.axis) + 1 if (dim < 0) == (cut.axis < 0) else abs(dim - cut.axis)
    site.require(rank is None or -rank <= dim < rank, "axes", "what is sorted has no such axis")
    return selection(
        site, region, ordering.operand, cut.k, dim=dim, rank=rank, what=use.what,
        largest=ordering.descending != cut.at_end,
    )  # fmt: skip


def _local(site: Site, region: Region, use: Use) -> None:
    """A name of a script may be read by whoever imports it, one of another scope by its code."""
    script = isinstance(region.lifted.node, ast.Module)
    site.require(not script, "uses", "the whole order has a name that other files can import")
    names = {node.id for part in use.slices for node in everything_in(part.value)
             if isinstance(node, ast.Name)}  # fmt: skip
    shared = any(
        isinstance(node, (ast.Global, ast.Nonlocal)) and not names.isdisjoint(node.names)
        for node in region.nodes
    )
    site.require(not shared, "uses", "the whole order has a name of another scope")


_FEW = 10
"""How many places are few beside a list of unknown length, of which one or some are read."""

_COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try)


def _kernel_call(region: Region, ordering: Ordering, cut: Cut, places: bool, agree: bool) -> str:
    """The call of the kernel; ``places`` says that indices are used, ``agree`` that the cut axis
    certainly is the sorted one."""
    source = region.module.source
    args = [source(ordering.operand), count_text(region, cut)]
    if ordering.dim is not None and constant(ordering.dim) != -1:
        args.append(f"dim={source(ordering.dim)}")
    if ordering.descending == cut.at_end:
        args.append("largest=False")
    if ordering.stable and places:
        args.append("stable=True")
    if not agree:
        args.append(f"cut={cut.axis}")
    return f"streaming_topk({', '.join(args)})"


def _list_match(site: Site, region: Region, ordering: Ordering, use: Use, cut: Cut) -> Match | None:
    """``sorted(xs)[:k]``, ``sorted(xs)[-k:]``, ``ys.sort()`` and then a slice."""
    if cut.axis != 0:
        return None
    module = region.module
    keys = [k.value for k in ordering.call.keywords if k.arg == "key"]
    key = keys[0] if keys else None
    if key is not None:
        site.require(pure_key(region.module, key), "effects", "the key function may have effects")
    reasons: list[str] = []
    count = count_text(region, cut)
    if cut.walked:
        few = isinstance(constant(cut.k), int) or _counts_places(region, cut.k, use)
        site.require(few, "k", f"`{count}` may be how many there are")
    elif cut.k in region.parents:
        count, assumed = count_of(site, region, cut.k, ordering.operand, cut.at_end)
        reasons += [assumed] if assumed else []
    place: ast.expr = use.slices[0]
    whole = region.parents.get(place)
    turned = use.statement is None and isinstance(whole, ast.Subscript) and backwards(whole)
    behind = use.statement is None and cut.at_end and cut.part  # the least of the largest
    text, imports, more = selected(
        site, region, ordering.operand, count, key,
        largest=ordering.descending != cut.at_end, last=cut.at_end != ordering.turned,
        backwards=cut.at_end and not (turned or behind),
    )  # fmt: skip
    edits: list[Edit] = []
    if use.statement is None:
        if cut.at_end and turned and isinstance(whole, ast.Subscript):
            place = whole
        rest = f"[{int(count) - 1}]" if behind else remaining(module, use.slices[0], cut)
        edits.append(region.replace(place, f"{text}{rest}"))
    else:
        _local(site, region, use)
        if isinstance(use.statement, (ast.Assign, ast.AnnAssign)) and use.statement.value:
            edits.append(region.replace(use.statement.value, text))
        else:
            assert isinstance(use.target, ast.Name)
            edits.append(region.replace_lines(use.statement, [f"{use.target.id} = {text}"]))
        site.require(
            _early(region, cut.k, use), "k", f"`{count_text(region, cut)}` is known after the sort"
        )
        said = {part: module.source(part.value) + remaining(module, part, cut)
                for part in use.slices
                if not isinstance(part.slice, ast.Name)}  # fmt: skip # one step's place stays that
        edits += _taken(region, said)
    computation = selection(
        site, region, ordering.operand, cut.k, largest=ordering.descending != cut.at_end, key=key
    )
    return list_finding(
        region, use.slices[0], computation,
        f"only {_spoken(count)} places of a full sort are used: a heap finds them",
        edits, imports,
        assuming([*reasons, *more]),
    )  # fmt: skip


def _few_of_many(ordering: Ordering, cut: Cut) -> bool:
    """Whether single places of a list are a stated number of its first; of no places at all the
    last is another, and of a list of which each element is written out all are few."""
    number = constant(cut.k)
    written = isinstance(ordering.operand, (ast.List, ast.Tuple, ast.Set))
    return isinstance(number, int) and number <= _FEW and not cut.counted and not written


def _taken(region: Region, said: Mapping[ast.Subscript, str]) -> list[Edit]:
    """What is left of the slices; statements that only gave them their names go."""
    idle: list[ast.stmt] = []
    for statement in dict.fromkeys(map(region.statement_of, said)):
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            names = map(ast.unparse, parts_of(statement.targets[0]))
            values = parts_of(statement.value)
            if list(names) == [said.get(v) if isinstance(v, ast.Subscript) else v for v in values]:
                idle.append(statement)
    left = [region.replace(part, text) for part, text in said.items()
            if region.statement_of(part) not in idle]  # fmt: skip
    return [*map(region.drop, idle), *left]


def _counts_places(region: Region, k: ast.expr, use: Use) -> bool:
    """Whether the end of a walk over places is a parameter that no other walk ends at: what is
    bound here, or walked elsewhere, often is the number of all."""
    if not isinstance(k, ast.Name) or k.id in region.bound:
        return False
    within = [node for node in region.nodes
              if any(region.within(part, node) for part in use.slices)
              and not isinstance(node, (ast.FunctionDef, ast.Module))
              and not (use.statement and region.within(use.statement, node))]  # fmt: skip
    ends = [load for load in region.loads.get(k.id, ())
            if isinstance(call := region.parents.get(load), ast.Call)
            and is_name(call.func, "range")]  # fmt: skip
    return all(any(region.within(end, node) for node in within) for end in ends)


_BEFORE = """\
import torch


def hardest(losses: torch.Tensor):
    batch, steps = losses.shape
    return losses.sort(dim=1, descending=True).values[:, :4].mean(dim=1)
"""

_AFTER = """\
import torch
from auditor.kernels import streaming_topk


def hardest(losses: torch.Tensor):
    batch, steps = losses.shape
    return streaming_topk(losses, 4, dim=1)[0].mean(dim=1)
"""

_LIST = """\
import heapq


def best(scores: list[int]):
    ranked = sorted(scores, reverse=True)
    return ranked[:3]
"""

_LIST_AFTER = """\
import heapq


def best(scores: list[int]):
    ranked = heapq.nlargest(3, scores)
    return ranked
"""

_ROWS = """\
import numpy as np


def nearest(x, k):
    return np.sort(x, axis=1)[:, :k]
"""

_ROWS_AFTER = """\
import numpy as np


def nearest(x, k):
    return np.sort(np.partition(x, min(k, np.shape(x)[1]) - 1, axis=1)[:, :k], axis=1)
"""

REWRITE = Rewrite(
    code="ASC110",
    name="streaming-top-k",
    summary="a full order of which the first few places are used is a selection",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop", "order"),
    kernel="auditor.kernels.streaming_topk",
    becomes="streaming_topk(x, k, dim), heapq.nlargest(k, xs), np.sort(np.partition(x, k)[:k])",
    examples=(
        Example("a slice of a sort", _BEFORE, _AFTER,
                "((torch.randperm(42).reshape(3, 14) / 7,), (torch.randn(2, 3),))"),
        Example("a slice of a sorted list", _LIST, _LIST_AFTER, "(([3, 1, 4, 1, 5],), ([2],))"),
        Example("a slice of sorted rows", _ROWS, _ROWS_AFTER,
                "((np.random.default_rng(0).random((4, 9)), 3), (np.ones((2, 1)), 5))"),
    ),
    refused=(
        RefusedExample("uses", _LIST.replace("ranked[:3]", "ranked[:3], len(ranked)")),
        RefusedExample(
            "effects",
            _LIST.replace("reverse=True", "reverse=True, key=lambda s: print(s) or s"),
        ),
        RefusedExample(
            "k", _LIST.replace("[:3]", "[:k]").replace("list[int]", "list[int], k=None")
        ),
        RefusedExample(
            "stable",
            _BEFORE.replace("descending=True).values[:, :4]", "stable=True).indices[:, -4:]"),
        ),
    ),
    unmatched=(
        _LIST.replace("[:3]", "[3:]"),
        _LIST.replace("[:3]", "[:-3]"),
        _LIST.replace("[:3]", "[:1]"),
        _LIST.replace("[:3]", "[::2]"),
        _BEFORE.replace("dim=1, descending", "dim=0, descending"),
        _LIST.replace("[:3]", "[:len(scores)]"),
        _BEFORE.replace(":4", ":steps"),
    ),
    inside=True,
)  # fmt: skip
