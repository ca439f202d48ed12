"""Orderings of which only the first few places are used, as a selection of the k best.

Finds ``sort`` and ``argsort`` of torch whose result is only read through one slice ``[:k]`` or
``[-k:]``, ``sorted(...)[:k]``, lists kept short by sorting at every step, bounded heaps, the k
largest taken out one by one, and merges of the best of each chunk. The same for NumPy is advice.

Legal because the k best of a whole are the k best of the k bests of its parts (selection is a
monoid), so that the rest never needs an order. Values come out exactly. ``heapq.nlargest(k, xs,
key)`` is documented as equal to ``sorted(xs, key=key, reverse=True)[:k]``, ties included.
``torch.sort`` promises no order among equals unless ``stable=True``, and so does ``torch.topk``:
where a stable order's indices are used the sort stays.

Pays where k is small beside the length: one pass instead of n log n, and k entries written.

Safe means: the same values, the same type and shape, also where there are fewer than k (the kernel
reads k as the slice does). The whole order, a second slice of it or its length used elsewhere, a
key function with effects, and ``list.sort`` of a list that others see stay as they are.

Sources: the documentation of ``heapq``, ``torch.sort`` and ``torch.topk``.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from auditor.array_facts import Arrays
from auditor.folds import constant, impurity, infinite, is_name, path_of, same
from auditor.region import Region
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.verdict import Edit, Numerics


def find(site: Site) -> Match | None:
    """The match of a loop or an expression, or None. Raises ``Refused``."""
    region = Region(site.lifted)
    if site.loop is not None:
        if not isinstance(site.loop.node, ast.For):
            return None
        return _loop(site, region, site.loop.node)
    if isinstance(site.node, ast.Subscript):
        return _slice(site, region, site.node)
    return None


# ---------------------------------------------------------------- slices of an order


@dataclass(frozen=True)
class _Cut:
    """``[:k]`` (or ``[-k:]``, at the end) along one axis; negative axes count from the right."""

    axis: int
    k: ast.expr
    at_end: bool


@dataclass(frozen=True)
class _Ordering:
    """``what`` of a sort: its values or indices. ``node`` is the whole expression."""

    node: ast.expr
    call: ast.Call
    what: str
    library: str
    operand: ast.expr
    dim: ast.expr | None
    descending: bool
    stable: bool


def _cut(node: ast.Subscript) -> _Cut | None:
    items = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    last = items.pop()
    if not isinstance(last, ast.Slice) or last.step is not None:
        return None
    dots = [p for p, item in enumerate(items) if constant(item) is ... and isinstance(
        item, ast.Constant)]  # fmt: skip
    for position, item in enumerate(items):
        whole = isinstance(item, ast.Slice) and not (item.lower or item.upper or item.step)
        if position not in dots and not whole:
            return None
    if dots and dots != [0]:
        return None
    axis = -1 if dots else len(items)
    if dots and len(items) > 1:
        return None
    if last.lower is None or constant(last.lower) == 0:
        if last.upper is None or _negative(last.upper):
            return None
        return _Cut(axis, last.upper, False)
    if last.upper is None and isinstance(last.lower, ast.UnaryOp):
        if isinstance(last.lower.op, ast.USub):
            return _Cut(axis, last.lower.operand, True)
    return None


def _negative(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _ordering(region: Region, node: ast.expr) -> _Ordering | None:
    """The sort that an expression takes values or indices of."""
    picked: str | None = None
    call = node
    if isinstance(node, ast.Attribute) and node.attr in ("values", "indices"):
        picked, call = node.attr, node.value
    elif isinstance(node, ast.Subscript) and constant(node.slice) in (0, 1):
        if not isinstance(constant(node.slice), bool):
            picked = "values" if constant(node.slice) == 0 else "indices"
            call = node.value
    if not isinstance(call, ast.Call):
        return None
    path = path_of(region.module, call.func)
    if is_name(call.func, "sorted") and picked is None:
        return _sorted(node, call)
    name = path.rsplit(".", 1)[-1] if path else getattr(call.func, "attr", "")
    if name not in ("sort", "argsort"):
        return None
    args = list(call.args)
    if path in ("torch.sort", "torch.argsort", "numpy.sort", "numpy.argsort"):
        library = path.split(".")[0]
        if not args:
            return None
        operand = args.pop(0)
    elif path is None and isinstance(call.func, ast.Attribute):
        operand = call.func.value
        library = _library_of(region, call, operand, picked)
    else:
        return None
    if (name == "sort" and library == "torch") != (picked is not None):
        return None
    keywords = {k.arg: k.value for k in call.keywords}
    if None in keywords or any(isinstance(arg, ast.Starred) for arg in args):
        return None
    dim = keywords.pop("dim", None) or keywords.pop("axis", None)
    if args:
        dim = args.pop(0)
    flags = {"descending": False, "stable": False}
    for flag in flags:
        if flag in keywords:
            value = constant(keywords.pop(flag))
            if not isinstance(value, bool):
                return None
            flags[flag] = value
    if args and library == "torch":
        value = constant(args.pop(0))
        if not isinstance(value, bool):
            return None
        flags["descending"] = value
    if args or keywords:
        return None
    what = picked or ("indices" if name == "argsort" else "values")
    return _Ordering(node, call, what, library, operand, dim, flags["descending"], flags["stable"])


def _library_of(region: Region, call: ast.Call, operand: ast.expr, picked: str | None) -> str:
    """The library whose method is called. ``sort`` of arrays and lists returns None."""
    if picked is not None or any(k.arg in ("descending", "dim") for k in call.keywords):
        return "torch"
    return Arrays(region).library(operand) or "unknown"


def _sorted(node: ast.expr, call: ast.Call) -> _Ordering | None:
    keywords = {k.arg: k.value for k in call.keywords}
    if len(call.args) != 1 or not set(keywords) <= {"key", "reverse"}:
        return None
    reverse = constant(keywords["reverse"]) if "reverse" in keywords else False
    if not isinstance(reverse, bool) or isinstance(call.args[0], ast.Starred):
        return None
    return _Ordering(node, call, "values", "python", call.args[0], None, reverse, True)


@dataclass
class _Use:
    """The statement that names an ordering, the names it gives, and their slices."""

    statement: ast.stmt | None
    target: ast.expr | None
    slices: list[ast.Subscript]
    what: str


def _slice(site: Site, region: Region, node: ast.Subscript) -> Match | None:
    """``sort(...)[..., :k]``, in one expression or through a name."""
    cut = _cut(node)
    if cut is None:
        return None
    ordering = _ordering(region, node.value)
    use: _Use | None = _Use(None, None, [node], ordering.what) if ordering is not None else None
    if ordering is None and isinstance(node.value, ast.Name):
        found = _named(site, region, node, cut)
        if found is None:
            return None
        ordering, use = found
    if ordering is None or use is None:
        return None
    if constant(cut.k) in (0, 1) or (cut.at_end and not isinstance(constant(cut.k), int)):
        return None
    if ordering.library == "python":
        return _list_match(site, region, ordering, use, cut)
    if ordering.library == "numpy":
        return Match(
            region.module.span(node),
            f"only {region.module.source(cut.k)} places of a full order are used: "
            "np.partition or np.argpartition selects them in one pass",
            site.computation,
        )
    site.require(ordering.library == "torch", "tensors", "nothing says that a tensor is sorted")
    return _tensor_match(site, region, ordering, use, cut)


def _named(
    site: Site, region: Region, node: ast.Subscript, cut: _Cut
) -> tuple[_Ordering, _Use] | None:
    """The ordering behind a name, if the name is read through this cut alone."""
    assert isinstance(node.value, ast.Name)
    name = node.value.id
    statement = region.statement_of(node)
    holder = _assignment(region, statement, name)
    if holder is None:
        return None
    (target,) = holder.targets
    if is_name(target, name):
        ordering = _ordering(region, holder.value)
        if ordering is None or ordering.node is not holder.value:
            return None
        names = {name: ordering.what}
    elif isinstance(target, (ast.Tuple, ast.List)) and len(target.elts) == 2:
        parts = [part.id for part in target.elts if isinstance(part, ast.Name)]
        made = ast.Subscript(holder.value, ast.Constant(0), ast.Load())
        ordering = _ordering(region, made)
        if len(parts) != 2 or ordering is None or ordering.library != "torch":
            return None
        names = dict(zip(parts, ("values", "indices"), strict=True))
    else:
        return None
    slices: list[ast.Subscript] = []
    used: set[str] = set()
    for each, what in names.items():
        for load in region.reads_outside(each, (holder,)):
            parent = region.parents.get(load)
            fits = isinstance(parent, ast.Subscript) and parent.value is load
            fits = fits and isinstance(parent, ast.Subscript) and _same_cut(_cut(parent), cut)
            site.require(fits, "uses", f"`{each}` is used otherwise than through its first places")
            if fits and isinstance(parent, ast.Subscript):
                slices.append(parent)
                used.add(what)
    first = min(slices, key=lambda s: (s.lineno, s.col_offset), default=None)
    if first is not node:
        return None
    what = "both" if len(used) == 2 else next(iter(used))
    return ordering, _Use(holder, target, slices, what)


def _same_cut(one: _Cut | None, other: _Cut) -> bool:
    return (
        one is not None
        and (one.axis, one.at_end) == (other.axis, other.at_end)
        and same(one.k, other.k)
    )


def _assignment(region: Region, statement: ast.stmt, name: str) -> ast.Assign | None:
    """The only assignment of a name, in a block that leads to ``statement``."""
    stores = [
        n for n in region.nodes
        if isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
    ]  # fmt: skip
    if len(stores) != 1 or any(isinstance(n, ast.arg) and n.arg == name for n in region.nodes):
        return None
    holder = region.statement_of(stores[0])
    if not isinstance(holder, ast.Assign) or len(holder.targets) != 1:
        return None
    if (holder.lineno, holder.col_offset) >= (statement.lineno, statement.col_offset):
        return None
    return holder


def _axes_agree(region: Region, ordering: _Ordering, cut: _Cut) -> str | None:
    """Whether the slice cuts the sorted axis. Returns what that assumes; raises ``_Other``."""
    dim = -1 if ordering.dim is None else constant(ordering.dim)
    if not isinstance(dim, int) or isinstance(dim, bool):
        raise _Other
    if (dim < 0) == (cut.axis < 0):
        if dim != cut.axis:
            raise _Other
        return None
    rank = Arrays(region).rank(ordering.operand)
    low, high = min(dim, cut.axis), max(dim, cut.axis)
    if rank is not None:
        if rank + low != high:
            raise _Other
        return None
    count = high - low
    name = region.module.source(ordering.operand)
    return f"`{name}` has {count} {'axis' if count == 1 else 'axes'}"


class _Other(Exception):
    """The slice cuts another axis than the sorted one."""


def _tensor_match(
    site: Site, region: Region, ordering: _Ordering, use: _Use, cut: _Cut
) -> Match | None:
    try:
        assumed = _axes_agree(region, ordering, cut)
    except _Other:
        return None
    site.require(
        not (ordering.stable and use.what != "values"),
        "stable",
        "the order among equals is kept by this sort, not by a selection",
    )
    module = region.module
    call = _kernel_call(region, ordering, cut)
    if cut.at_end and use.what == "both":
        return None
    flip = f".flip({-1 if cut.axis < 0 else cut.axis})" if cut.at_end else ""
    edits: list[Edit] = []
    if use.statement is None:
        slot = 0 if ordering.what == "values" else 1
        edits.append(region.replace(use.slices[0], f"{call}[{slot}]{flip}"))
    else:
        assert isinstance(use.statement, ast.Assign) and use.target is not None
        inline = (
            len(use.slices) == 1
            and region.next_statement(use.statement) is region.statement_of(use.slices[0])
            and not isinstance(region.statement_of(use.slices[0]), _COMPOUND)
        )
        slot = 0 if use.what == "values" else 1
        if inline:
            edits.append(region.drop(use.statement))
            edits.append(region.replace(use.slices[0], f"{call}[{slot}]{flip}"))
        elif use.what == "both" or isinstance(use.target, (ast.Tuple, ast.List)):
            edits.append(region.replace(use.statement.value, call))
        else:
            edits.append(region.replace(use.statement.value, f"{call}[{slot}]"))
        if not inline:
            _local(site, region)
            for part in use.slices:
                edits.append(region.replace(part, module.source(part.value) + flip))
    return Match(
        span=module.span(use.slices[0]),
        message=f"of a full sort only {module.source(cut.k)} places are used",
        computation=site.computation,
        edits=tuple(sorted(edits)),
        imports=(("auditor.kernels", "streaming_topk"),),
        numerics="exact",
        reason=f"assumes that {assumed}" if assumed else None,
        kernel="auditor.kernels.streaming_topk",
        covers=() if use.statement is None else (module.span(use.statement),),
    )


def _local(site: Site, region: Region) -> None:
    """A name of a script may be read by whoever imports it."""
    script = isinstance(region.lifted.node, ast.Module)
    site.require(not script, "uses", "the whole order has a name that other files can import")


_COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try)


def _kernel_call(region: Region, ordering: _Ordering, cut: _Cut) -> str:
    source = region.module.source
    args = [source(ordering.operand), source(cut.k)]
    if ordering.dim is not None and constant(ordering.dim) != -1:
        args.append(f"dim={source(ordering.dim)}")
    if ordering.descending == cut.at_end:
        args.append("largest=False")
    return f"streaming_topk({', '.join(args)})"


def _list_match(
    site: Site, region: Region, ordering: _Ordering, use: _Use, cut: _Cut
) -> Match | None:
    """``sorted(xs)[:k]``."""
    if cut.at_end or cut.axis != 0:
        return None
    module = region.module
    k = constant(cut.k)
    known = isinstance(k, int) and not isinstance(k, bool)
    site.require(known, "k", f"`{module.source(cut.k)}` may be negative, which drops places")
    keys = [k.value for k in ordering.call.keywords if k.arg == "key"]
    for key in keys:
        site.require(_pure_key(region, key), "effects", "the key function may have effects")
    which = "nlargest" if ordering.descending else "nsmallest"
    args = [module.source(cut.k), module.source(ordering.operand)]
    args += [f"key={module.source(key)}" for key in keys]
    prefix, imports = _heapq(region)
    text = f"{prefix}{which}({', '.join(args)})"
    edits: list[Edit] = []
    if use.statement is None:
        edits.append(region.replace(use.slices[0], text))
    else:
        assert isinstance(use.statement, ast.Assign)
        _local(site, region)
        edits.append(region.replace(use.statement.value, text))
        for part in use.slices:
            edits.append(region.replace(part, module.source(part.value)))
    return _list_finding(site, region, use.slices[0], edits, imports, cut.k)


def _heapq(region: Region) -> tuple[str, tuple[tuple[str, str | None], ...]]:
    """How the file spells heapq, and the import it lacks."""
    for name, path in region.module.names.items():
        if path == "heapq":
            return f"{name}.", ()
    return "heapq.", (("heapq", None),)


def _list_finding(
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


def _pure_key(region: Region, key: ast.expr) -> bool:
    """A lambda without effects, a getter, or a builtin."""
    if isinstance(key, ast.Lambda):
        return impurity(region.module, key.body) is None
    if isinstance(key, ast.Call):
        path = path_of(region.module, key.func) or ""
        return path in ("operator.itemgetter", "operator.attrgetter")
    if isinstance(key, ast.Name):
        builtin = key.id in ("len", "abs", "str", "int", "float", "ord", "sum", "max", "min")
        return builtin and key.id not in region.module.functions
    text = ast.unparse(key)
    return text in ("str.lower", "str.casefold", "str.upper")


# ---------------------------------------------------------------- loops


def _loop(site: Site, region: Region, node: ast.For) -> Match | None:
    for pattern in (_bounded_heap, _short_list, _removals, _chunks):
        found = pattern(site, region, node)
        if found is not None:
            # A selection is not a scan: what the loop costs is not predicted from its steps.
            plain = replace(found.computation, kind="expression", scan=None, per_step=())
            return replace(found, computation=plain)
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
    site.require(not region.read_after(node, item), "names", f"`{item}` is used after the loop")
    if impurity(region.module, node.iter) is not None:
        return None
    assert isinstance(use, ast.Call)
    prefix, imports = _heapq(region)
    source = region.module.source
    text = f"{prefix}nlargest({source(k)}, {source(node.iter)})"
    edits = [region.drop(start)]
    if region.next_statement(node) is region.statement_of(use):
        edits += [region.replace_lines(node, []), region.replace(use, text)]
    else:
        edits += [region.replace_lines(node, [f"{heap} = {text}"]), region.replace(use, heap)]
    reason = "assumes that equal elements cannot be told apart"
    return _list_finding(site, region, node, edits, imports, k, reason)


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
    for key in keys.values():
        site.require(_pure_key(region, key), "effects", "the key function may have effects")
    site.require(not region.read_after(node, item), "names", f"`{item}` is used after the loop")
    if impurity(region.module, node.iter) is not None:
        return None
    prefix, imports = _heapq(region)
    source = region.module.source
    args = [source(k), source(node.iter), *(f"key={source(v)}" for v in keys.values())]
    text = f"{prefix}{'nlargest' if reverse else 'nsmallest'}({', '.join(args)})"
    target = name
    if isinstance(start, ast.AnnAssign):
        target = f"{name}: {source(start.annotation)}"
    edits = [region.drop(start), region.replace_lines(node, [f"{target} = {text}"])]
    return _list_finding(site, region, node, edits, imports, k)


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
            cut = _cut(node.value)
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
        computation=site.computation,
        edits=tuple(sorted(edits)),
        imports=(("auditor.kernels", "streaming_topk"),),
        numerics="exact",
        reason=f"assumes that `{operand}` has 1 axis, of at least {source(k)} entries that are "
        "not infinite",
        kernel="auditor.kernels.streaming_topk",
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
    cut = _cut(keep.value) if isinstance(keep.value, ast.Subscript) else None
    if array is None or cut is None or cut.at_end or not _positive(cut.k):
        return None
    assert isinstance(keep.value, ast.Subscript)
    ordering = _ordering(region, keep.value.value)
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
        computation=site.computation,
        edits=(region.drop(start.statement), region.replace_lines(node, [line])),
        imports=(("auditor.kernels", "streaming_topk"),),
        numerics="exact",
        reason="assumes that " + "; ".join(reasons) if reasons else None,
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

REWRITE = Rewrite(
    code="ASC110",
    name="streaming-top-k",
    summary="a full order of which the first few places are used is a selection",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    kernel="auditor.kernels.streaming_topk",
    becomes="streaming_topk(x, k, dim), heapq.nlargest(k, xs)",
    examples=(
        Example("a slice of a sort", _BEFORE, _AFTER,
                "((torch.randperm(42).reshape(3, 14) / 7,), (torch.randn(2, 3),))"),
        Example("a slice of a sorted list", _LIST, _LIST_AFTER, "(([3, 1, 4, 1, 5],), ([2],))"),
    ),
    refused=(
        RefusedExample("uses", _LIST.replace("ranked[:3]", "ranked[:3], len(ranked)")),
        RefusedExample(
            "effects",
            _LIST.replace("reverse=True", "reverse=True, key=lambda s: print(s) or s"),
        ),
        RefusedExample("k", _LIST.replace("[:3]", "[:k]").replace("list[int]", "list[int], k")),
        RefusedExample(
            "stable",
            _BEFORE.replace("descending=True).values", "descending=True, stable=True).indices"),
        ),
    ),
    unmatched=(
        _LIST.replace("[:3]", "[3:]"),
        _LIST.replace("[:3]", "[:-3]"),
        _LIST.replace("[:3]", "[:1]"),
        _LIST.replace("[:3]", "[::2]"),
        _BEFORE.replace("dim=1, descending", "dim=0, descending"),
    ),
)  # fmt: skip
