"""Loops that keep the k best: bounded heaps, lists kept short by sorting, the largest taken out one
by one, merges of the best of each chunk."""

from __future__ import annotations

import ast

from auditor.array_facts import Arrays
from auditor.purity import impurity, pure_key
from auditor.region import Region
from auditor.rewrite import Match, Site, assuming
from auditor.syntax import constant, infinite, is_name, path_of, same
from auditor.topk.orderings import cut_of, ordering_of
from auditor.topk.selections import compared, heapq_spelling, list_finding, selection


def best_so_far(site: Site, region: Region, node: ast.For) -> Match | None:
    """The match of a loop that keeps the k best, or None. Raises ``Refused``."""
    for pattern in (_bounded_heap, _short_list, _removals, _chunks):
        found = pattern(site, region, node)
        if found is not None:
            return found
    return None


def _only_list(region: Region, node: ast.For, name: str) -> ast.stmt | None:
    """``name = []`` before the loop, unread in between."""
    binding = region.binding_before(node, name)
    if binding is None or not binding.alone or not binding.unread:
        return None
    empty = isinstance(binding.value, ast.List) and not binding.value.elts
    return binding.statement if empty else None


def _heap_call(region: Region, node: ast.AST, *names: str) -> ast.Call | None:
    if isinstance(node, ast.Expr):
        node = node.value
    if isinstance(node, ast.Call) and not node.keywords:
        path = path_of(region.module, node.func)
        if path in tuple(f"heapq.{name}" for name in names):
            return node
    return None


def _count(region: Region, node: ast.expr, heap: str) -> bool:
    """``len(heap)``."""
    return (
        isinstance(node, ast.Call) and is_name(node.func, "len") and len(node.args) == 1
        and is_name(node.args[0], heap)
    )  # fmt: skip


def _compares(node: ast.expr) -> tuple[ast.expr, type, ast.expr] | None:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return node.left, type(node.ops[0]), node.comparators[0]
    return None


_HEAP = 2.5
"""Gain over a heap that is only touched by what enters it."""


def _bounded_heap(site: Site, region: Region, node: ast.For) -> Match | None:
    """A heap that never holds more than k, and is sorted once at the end."""
    if not isinstance(node.target, ast.Name) or node.orelse:
        return None
    item = node.target.id
    found = _push_or_replace(region, node, item) or _push_and_pop(region, node, item)
    if found is None:
        return None
    heap, k = found
    start = _only_list(region, node, heap)
    reads = region.reads_outside(heap, (node,))
    if start is None:
        return None
    use = region.parents.get(reads[0]) if len(reads) == 1 else None
    descending = (
        isinstance(use, ast.Call) and is_name(use.func, "sorted") and len(use.args) == 1
        and len(use.keywords) == 1 and use.keywords[0].arg == "reverse"
        and constant(use.keywords[0].value) is True
    )  # fmt: skip
    site.require(descending, "uses", f"`{heap}` is used otherwise than sorted from the largest")
    total, _ = compared(region, node.iter, None)
    site.require(total, "order", "elements may differ though neither is smaller")
    site.require(not region.read_after(node, item), "names", f"`{item}` is used after the loop")
    if impurity(region.module, node.iter) is not None:
        return None
    assert isinstance(use, ast.Call)
    prefix, imports = heapq_spelling(region)
    source = region.module.source
    text = f"{prefix}nlargest({source(k)}, {source(node.iter)})"
    edits = [region.drop(start)]
    if region.next_statement(node) is region.statement_of(use):
        edits += [region.replace_lines(node, []), region.replace(use, text)]
    else:
        edits += [region.replace_lines(node, [f"{heap} = {text}"]), region.replace(use, heap)]
    computation = selection(site, region, node.iter, k, largest=True)
    message = f"a heap keeps the {source(k)} largest, one step at a time"
    reason = "assumes that equal elements cannot be told apart"
    return list_finding(region, node, computation, message, edits, imports, reason, _HEAP)


def _positive(node: ast.expr) -> bool:
    value = constant(node)
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _push_or_replace(region: Region, node: ast.For, item: str) -> tuple[str, ast.expr] | None:
    """``if len(heap) < k: push, elif item > heap[0]: replace``."""
    if len(node.body) != 1 or not isinstance(node.body[0], ast.If):
        return None
    test = node.body[0]
    sizes = _compares(test.test)
    if sizes is None or sizes[1] is not ast.Lt or not isinstance(sizes[0], ast.Call):
        return None
    push = _heap_call(region, test.body[0], "heappush") if len(test.body) == 1 else None
    if push is None or not isinstance(push.args[0], ast.Name) or not is_name(push.args[1], item):
        return None
    heap = push.args[0].id
    if not _count(region, sizes[0], heap) or not _positive(sizes[2]) or len(test.orelse) != 1:
        return None
    other = test.orelse[0]
    if isinstance(other, ast.If):
        least = _compares(other.test)
        if other.orelse or len(other.body) != 1 or least is None:
            return None
        left, op, right = least
        if op is ast.Lt:
            left, op, right = right, ast.Gt, left
        first = isinstance(right, ast.Subscript) and constant(right.slice) == 0
        if not (op in (ast.Gt, ast.GtE) and is_name(left, item) and first):
            return None
        assert isinstance(right, ast.Subscript)
        if not is_name(right.value, heap):
            return None
        other = other.body[0]
        names: tuple[str, ...] = ("heapreplace", "heappushpop")
    else:
        names = ("heappushpop",)
    call = _heap_call(region, other, *names)
    if call is None or not is_name(call.args[0], heap) or not is_name(call.args[1], item):
        return None
    return heap, sizes[2]


def _push_and_pop(region: Region, node: ast.For, item: str) -> tuple[str, ast.expr] | None:
    """``push; if len(heap) > k: pop``."""
    if len(node.body) != 2 or not isinstance(node.body[1], ast.If):
        return None
    push, test = _heap_call(region, node.body[0], "heappush"), node.body[1]
    if push is None or not isinstance(push.args[0], ast.Name) or not is_name(push.args[1], item):
        return None
    heap = push.args[0].id
    sizes = _compares(test.test)
    if sizes is None or sizes[1] is not ast.Gt or not _count(region, sizes[0], heap):
        return None
    if len(test.body) != 1 or test.orelse or not _positive(sizes[2]):
        return None
    pop = _heap_call(region, test.body[0], "heappop")
    if pop is None or not is_name(pop.args[0], heap):
        return None
    return heap, sizes[2]


def _method(node: ast.stmt, name: str, method: str) -> ast.Call | None:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        function = node.value.func
        if isinstance(function, ast.Attribute) and function.attr == method:
            if is_name(function.value, name):
                return node.value
    return None


def _short_list(site: Site, region: Region, node: ast.For) -> Match | None:
    """``best.append(v); best.sort(); if len(best) > k: best.pop()``."""
    body = node.body
    if len(body) != 3 or not isinstance(node.target, ast.Name) or node.orelse:
        return None
    item = node.target.id
    first = body[0]
    if not (isinstance(first, ast.Expr) and isinstance(first.value, ast.Call)):
        return None
    function = first.value.func
    if not (isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)):
        return None
    name = function.value.id
    add, sort = _method(first, name, "append"), _method(body[1], name, "sort")
    if add is None or sort is None or len(add.args) != 1 or not is_name(add.args[0], item):
        return None
    keys = {k.arg: k.value for k in sort.keywords}
    reverse = constant(keys.pop("reverse")) if "reverse" in keys else False
    if sort.args or not isinstance(reverse, bool) or not set(keys) <= {"key"}:
        return None
    k = _shortened(region, body[2], name)
    start = _only_list(region, node, name)
    if k is None or start is None:
        return None
    key = keys.get("key")
    if key is not None:
        site.require(pure_key(region.module, key), "effects", "the key function may have effects")
    total, assumed = compared(region, node.iter, key)
    site.require(total, "order", "elements may differ though neither is smaller")
    site.require(not region.read_after(node, item), "names", f"`{item}` is used after the loop")
    if impurity(region.module, node.iter) is not None:
        return None
    prefix, imports = heapq_spelling(region)
    source = region.module.source
    args = [source(k), source(node.iter), *([f"key={source(key)}"] if key is not None else [])]
    text = f"{prefix}{'nlargest' if reverse else 'nsmallest'}({', '.join(args)})"
    target = name
    if isinstance(start, ast.AnnAssign):
        target = f"{name}: {source(start.annotation)}"
    edits = [region.drop(start), region.replace_lines(node, [f"{target} = {text}"])]
    reason = f"assumes that {assumed}" if assumed else None
    computation = selection(site, region, node.iter, k, largest=reverse, key=key)
    message = f"a list is sorted at every step to keep its first {source(k)}"
    return list_finding(region, node, computation, message, edits, imports, reason)


def _shortened(region: Region, node: ast.stmt, name: str) -> ast.expr | None:
    """k of ``if len(best) > k: best.pop()``, ``best = best[:k]`` or ``del best[k:]``."""
    if isinstance(node, ast.If) and len(node.body) == 1 and not node.orelse:
        sizes = _compares(node.test)
        pop = _method(node.body[0], name, "pop")
        if sizes is None or pop is None or sizes[1] is not ast.Gt:
            return None
        last = not pop.args or constant(pop.args[0]) == -1
        fits = _count(region, sizes[0], name) and _positive(sizes[2]) and last
        return sizes[2] if fits else None
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and is_name(node.targets[0], name):
        if isinstance(node.value, ast.Subscript) and is_name(node.value.value, name):
            cut = cut_of(node.value)
            if cut is not None and cut.axis == 0 and not cut.at_end and _positive(cut.k):
                return cut.k
    if isinstance(node, ast.Delete) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and is_name(target.value, name):
            part = target.slice
            if isinstance(part, ast.Slice) and part.upper is None and part.step is None:
                if part.lower is not None and _positive(part.lower):
                    return part.lower
    return None


def _removals(site: Site, region: Region, node: ast.For) -> Match | None:
    """The maximum taken k times, hidden after each."""
    source = region.module.source
    call = node.iter
    if not (isinstance(call, ast.Call) and is_name(call.func, "range") and len(call.args) == 1):
        return None
    k = call.args[0]
    body = list(node.body)
    if not _positive(k) or len(body) < 3 or node.orelse or not isinstance(node.target, ast.Name):
        return None
    taken = _extremum(region, body.pop(0))
    if taken is None:
        return None
    names, scores, largest = taken
    lists: dict[str, str] = {}
    hidden = False
    for statement in body:
        if _hides(region, statement, scores, names[1], largest) and not hidden:
            hidden = True
            continue
        added = _added(statement)
        if added is None or added[1] not in names or added[0] in lists:
            return None
        lists[added[0]] = "values" if added[1] == names[0] else "indices"
    if not hidden or not lists or len(set(lists.values())) != len(lists):
        return None
    start = region.binding_before(node, scores)
    owned = start is not None and start.alone and _copy_of(start.value) is not None
    site.require(
        owned and not region.read_after(node, scores),
        "mutation",
        f"`{scores}` is left without its largest entries, which others may see",
    )
    for name in (*names, node.target.id):
        site.require(not region.read_after(node, name), "names", f"`{name}` is used after the loop")
    if len(lists) != 1 or start is None:
        return None
    ((name, what),) = lists.items()
    first = _only_list(region, node, name)
    reads = region.reads_outside(name, (node,))
    stack = region.parents.get(reads[0]) if len(reads) == 1 else None
    if first is None or not (
        isinstance(stack, ast.Call) and path_of(region.module, stack.func) == "torch.stack"
        and len(stack.args) == 1 and not stack.keywords
    ):  # fmt: skip
        return None
    origin = _copy_of(start.value)
    assert origin is not None and isinstance(stack, ast.Call)
    operand, edits = scores, [region.drop(first)]
    if start.unread and isinstance(origin, ast.Name) and isinstance(start.statement, ast.Assign):
        between = region.siblings(node)
        if between.index(node) - between.index(start.statement) <= 2:
            operand = origin.id
            edits.append(region.drop(start.statement))
    args = [operand, source(k)] + ([] if largest else ["largest=False"])
    text = f"streaming_topk({', '.join(args)})[{0 if what == 'values' else 1}]"
    if region.next_statement(node) is region.statement_of(stack):
        edits += [region.replace_lines(node, []), region.replace(stack, text)]
    else:
        edits += [region.replace_lines(node, [f"{name} = {text}"]), region.replace(stack, name)]
    return Match(
        span=region.module.span(node),
        message=f"the {source(k)} {'largest' if largest else 'smallest'} entries, taken one by one",
        computation=selection(
            site,
            region,
            origin,
            k,
            largest=largest,
            what=what,
        ),
        edits=tuple(sorted(edits)),
        imports=(("auditor.kernels", "streaming_topk"),),
        numerics="exact",
        reason=f"assumes that `{operand}` has 1 axis, of at least {source(k)} entries that are "
        "not infinite",
        kernel="auditor.kernels.streaming_topk",
        gains={"cpu": 10.0},
    )


def _extremum(region: Region, node: ast.stmt) -> tuple[tuple[str, str], str, bool] | None:
    """``value, index = scores.max(dim=0)``."""
    if not (isinstance(node, ast.Assign) and len(node.targets) == 1):
        return None
    target, call = node.targets[0], node.value
    if not (isinstance(target, ast.Tuple) and len(target.elts) == 2 and isinstance(call, ast.Call)):
        return None
    names = [part.id for part in target.elts if isinstance(part, ast.Name)]
    args = list(call.args)
    path = path_of(region.module, call.func)
    if path in ("torch.max", "torch.min") and args:
        way, operand = path, args.pop(0)
    elif isinstance(call.func, ast.Attribute) and call.func.attr in ("max", "min"):
        way, operand = call.func.attr, call.func.value
    else:
        return None
    args += [k.value for k in call.keywords if k.arg == "dim"]
    if len(names) != 2 or len(args) != 1 or constant(args[0]) not in (0, -1):
        return None
    if len(call.keywords) > 1 or not isinstance(operand, ast.Name):
        return None
    return (names[0], names[1]), operand.id, way.endswith("max")


def _hides(region: Region, node: ast.stmt, scores: str, index: str, largest: bool) -> bool:
    """``scores[index] = -inf``."""
    if not (isinstance(node, ast.Assign) and len(node.targets) == 1):
        return False
    target = node.targets[0]
    return (
        isinstance(target, ast.Subscript) and is_name(target.value, scores)
        and is_name(target.slice, index)
        and infinite(region.module, node.value) == (-1 if largest else 1)
    )  # fmt: skip


def _added(node: ast.stmt) -> tuple[str, str] | None:
    """(list, item) of ``picked.append(value)``."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        call = node.value
        if isinstance(call.func, ast.Attribute) and call.func.attr == "append":
            if isinstance(call.func.value, ast.Name) and len(call.args) == 1:
                if isinstance(call.args[0], ast.Name):
                    return call.func.value.id, call.args[0].id
    return None


def _copy_of(node: ast.expr | None) -> ast.expr | None:
    """x of ``x.clone()``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        if node.func.attr == "clone" and not node.keywords:
            return node.func.value
    return None


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
    if array is None or cut is None or cut.at_end or not _positive(cut.k):
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
        gains={"cpu": 10.0},
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
