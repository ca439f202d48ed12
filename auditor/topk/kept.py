"""The code for a loop that keeps the k best: one call of ``heapq``, wherever what is kept is read
in no more detail than the call settles."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.assumed import assuming
from auditor.folds.iterables import stated_elements
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, mentions, path_of, same
from auditor.topk.bounded import Bounded, bounded, is_positive
from auditor.topk.list_calls import indistinct, is_sequence, not_negative, whole_number
from auditor.topk.seeded import seeded
from auditor.topk.selections import compared, heapq_spelling, list_finding, selection, total_order
from auditor.tree import everything_in
from auditor.verdict import Edit


def kept(site: Site, region: Region, node: ast.For) -> Match | None:
    """The match of a loop that keeps the k best, or None. Raises ``Refused``."""
    read = _from_nothing(region, node) or seeded(region, node)
    if read is None:
        return None
    found, start = read
    uses = _uses(region, (*start, node), found)
    site.require(
        found.sorted != "heap" or uses is not None,
        "uses",
        f"`{found.name}` is read in the order in which a heap lies",
    )
    for name in _bound(node):
        site.require(not region.read_after(node, name), "names", f"`{name}` is used after the loop")
    return _match(site, region, node, found, start, uses or _Uses())


def _from_nothing(region: Region, node: ast.For) -> tuple[Bounded, tuple[ast.stmt]] | None:
    """What a loop keeps that starts with nothing, and the statement that makes it."""
    found = bounded(region, node)
    start = region.binding_before(node, found.name) if found is not None else None
    if found is None or start is None or not start.alone or not start.unread:
        return None
    value = start.value
    empty = isinstance(value, ast.List) and not value.elts
    empty |= isinstance(value, ast.Call) and is_name(value.func, "list") and not value.args
    return (found, (start.statement,)) if empty else None


@dataclass
class _Uses:
    """How what a heap keeps is read: ``falling`` are the sorts that put it in falling order,
    ``heap`` says that it has to be a heap."""

    falling: tuple[ast.Call, ...] = ()
    heap: bool = False


_ANY_ORDER = ("len", "max", "min", "set", "frozenset", "any", "all")


def _uses(region: Region, made: tuple[ast.stmt, ...], found: Bounded) -> _Uses | None:
    """How what the statements ``made``, the last of which is the loop, is read; None where a read
    could see the order in which a heap holds its items."""
    uses = _Uses()
    for load in region.reads_outside(found.name, made):
        holder: ast.AST | None = region.parents.get(load)
        generator = holder if isinstance(holder, ast.comprehension) else None
        if generator is not None:
            # `sorted(-v for v in heap)`
            inner = region.parents.get(generator)
            holder = region.parents.get(inner) if inner is not None else None
            if generator.iter is not load or not isinstance(inner, (ast.GeneratorExp, ast.SetComp,
                                                                    ast.ListComp)):  # fmt: skip
                return None
            if isinstance(inner, ast.SetComp):
                continue
        if isinstance(holder, ast.Call) and isinstance(holder.func, ast.Name):
            name = holder.func.id
            if name in _ANY_ORDER and not holder.keywords:
                continue
            keys = {k.arg: k.value for k in holder.keywords}
            if name == "sorted" and set(keys) <= {"reverse"} and len(holder.args) == 1:
                if generator is None and constant(keys.get("reverse")) is True:
                    uses.falling += (holder,)
                continue
        if generator is not None:
            return None
        if isinstance(holder, ast.Call) and holder.args and holder.args[0] is load:
            path = path_of(region.module, holder.func) or ""
            if path in ("heapq.heappop", "heapq.heappush", "heapq.heapreplace"):
                uses.heap = True
                continue
        if isinstance(holder, ast.Call) and holder.args and holder.args[-1] is load:
            path = path_of(region.module, holder.func) or ""
            if path in ("heapq.nlargest", "heapq.nsmallest") and not holder.keywords:
                continue
        if isinstance(holder, ast.Subscript) and constant(holder.slice) == 0:
            if isinstance(holder.ctx, ast.Load) and not isinstance(constant(holder.slice), bool):
                uses.heap = True
                continue
        if isinstance(holder, ast.Attribute) and holder.attr == "sort":
            call = region.parents.get(holder)
            if isinstance(call, ast.Call) and all(k.arg == "reverse" for k in call.keywords):
                if _first_use(region, made[-1], call, found.name):
                    return uses
        if isinstance(holder, (ast.While, ast.If)) and holder.test is load:
            continue
        return None
    return uses


def _first_use(region: Region, node: ast.stmt, call: ast.Call, name: str) -> bool:
    """Whether a sort comes before all other reads, in the block of the loop: then they see a
    sorted list."""
    block = region.siblings(node)
    for statement in block[block.index(node) + 1 :]:
        if isinstance(statement, ast.Expr) and statement.value is call:
            return True
        if mentions(statement, name):
            return False
    return False


def _bound(node: ast.For) -> list[str]:
    """Names that the loop binds besides what it keeps."""
    kept_names = {n.id for n in everything_in(node) if isinstance(n, ast.Name)
                  and isinstance(n.ctx, ast.Store)}  # fmt: skip
    inner = {n.id for n in everything_in(node.target) if isinstance(n, ast.Name)}
    direct = {t.id for s in node.body if isinstance(s, ast.Assign) for t in s.targets
              if isinstance(t, ast.Name)}  # fmt: skip
    return sorted(inner | (direct & kept_names - _kept_by(node)))


def _kept_by(node: ast.For) -> set[str]:
    """The target of a last statement that cuts what is kept."""
    last = node.body[-1]
    if isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
        return {last.targets[0].id}
    return set()


def _items(region: Region, node: ast.For, found: Bounded) -> tuple[str, ast.expr | None]:
    """What is offered, as an argument of ``heapq``; the iterable itself where it is that."""
    source = region.module.source
    if found.walked is not None:
        named = isinstance(found.walked, ast.Name)
        return ast.unparse(found.walked), found.walked if named else None
    plain = isinstance(node.target, ast.Name) and is_name(found.item, node.target.id)
    if plain and not found.conditions and not found.chunks:
        return source(node.iter), node.iter
    if plain and not found.conditions:
        return f"itertools.chain.from_iterable({source(node.iter)})", None
    item = _said(region, found.item)
    tests = "".join(f" if {_said(region, test)}" for test in found.conditions)
    target = source(node.target)
    if found.chunks:
        fresh = next(n for n in ("item", "each", "one") if n not in region.stores)
        return f"({fresh} for {target} in {source(node.iter)}{tests} for {fresh} in {item})", None
    return f"({item} for {target} in {source(node.iter)}{tests})", None


def _said(region: Region, node: ast.expr) -> str:
    original = node in region.parents
    text = region.module.source(node) if original else ast.unparse(node)
    text = ast.unparse(node) if "\n" in text else text
    return f"({text})" if isinstance(node, (ast.IfExp, ast.Lambda)) else text


def _known_order(region: Region, node: ast.For, found: Bounded) -> tuple[bool, str | None]:
    """Whether items may be in a total order, and what that assumes."""
    if isinstance(found.walked, ast.Name):
        return compared(region, found.walked, None)
    if isinstance(node.target, ast.Name) and is_name(found.item, node.target.id):
        if not found.chunks:
            return compared(region, node.iter, found.key)
    stated = stated_elements(region, node.iter)
    if found.chunks and isinstance(stated, ast.Subscript) and found.key is None:
        return total_order(stated.slice), None
    numbers = isinstance(stated, ast.Name) and stated.id in ("int", "float", "str")
    arithmetic = isinstance(found.item, (ast.BinOp, ast.UnaryOp)) or (
        isinstance(found.item, ast.Call) and found.key is None
    )
    if numbers and arithmetic:
        return True, None
    total, assumed = compared(region, found.item, found.key)
    return total, assumed


def _match(
    site: Site,
    region: Region,
    node: ast.For,
    found: Bounded,
    start: tuple[ast.stmt, ...],
    uses: _Uses,
) -> Match | None:
    source = region.module.source
    total, assumed = _known_order(region, node, found)
    site.require(total, "order", "elements may differ though neither is smaller")
    counted = whole_number(region, found.k)
    site.require(counted is not None, "k", f"`{source(found.k)}` may be no number")
    text, iterable = _items(region, node, found)
    reasons = [reason for reason in (assumed, counted) if reason]
    if (found.walked is not None or found.sliced) and not not_negative(region, found.k):
        reasons.append(f"`{source(found.k)}` is not negative")
    if found.compared and not is_positive(found.k):
        reasons.append(f"`{source(found.k)}` is at least 1")
    same_to_all = iterable is not None and indistinct(region, iterable)
    if found.sorted == "heap":
        if not (same_to_all or _counted(node, found.item)):
            reasons.append("equal elements cannot be told apart")
    elif found.last and not same_to_all:
        if iterable is not None and is_sequence(region, iterable):
            text = f"reversed({text})"
        else:
            site.require(found.key is None, "ties", "of equal keys the loop keeps the last")
            reasons.append("equal elements cannot be told apart")
    prefix, imports = heapq_spelling(region)
    if "itertools.chain" in text and not any(
        path == "itertools" for path in region.module.names.values()
    ):
        imports = (*imports, ("itertools", None))
    arguments = [_said(region, found.k), text]
    if found.key is not None:
        arguments.append(f"key={source(found.key)}")
    call = f"{prefix}{'nlargest' if found.largest else 'nsmallest'}({', '.join(arguments)})"
    way = "ascending" if found.sorted == "heap" and uses.heap else found.sorted
    if way == ("ascending" if found.largest else "descending"):
        call += "[::-1]"
    edits = [*region.drops([*start]), *_written(region, node, found, start, call, uses)]
    walked = found.walked if isinstance(found.walked, ast.Name) else node.iter
    computation = selection(site, region, walked, found.k, largest=found.largest, key=found.key)
    what = "largest" if found.largest else "smallest"
    return list_finding(
        region, node, computation, f"the loop keeps the {source(found.k)} {what}, step by step",
        edits, imports, assuming(reasons),
    )  # fmt: skip


def _counted(node: ast.For, item: ast.expr) -> bool:
    """Whether items differ in the count of their step, so that no two are equal."""
    if not isinstance(item, ast.Tuple) or not isinstance(node.iter, ast.Call):
        return False
    target = node.target
    if is_name(node.iter.func, "enumerate") and isinstance(target, ast.Tuple):
        target = target.elts[0]
    elif not is_name(node.iter.func, "range"):
        return False
    return any(
        same(part, target)
        or (isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub)
            and same(part.operand, target))
        for part in item.elts
    )  # fmt: skip


def _written(
    region: Region,
    node: ast.For,
    found: Bounded,
    start: tuple[ast.stmt, ...],
    call: str,
    uses: _Uses,
) -> list[Edit]:
    """The loop's lines replaced; the call put where a sort reads what it gives, if only that
    does."""
    reads = region.reads_outside(found.name, (*start, node))
    falling = uses.falling
    if found.sorted == "heap" and not uses.heap and len(falling) == len(reads) == 1:
        statement = region.statement_of(falling[0])
        if region.next_statement(node) is statement and not isinstance(statement, _COMPOUND):
            return [region.replace_lines(node, []), region.replace(falling[0], call)]
    target = found.name
    if isinstance(start[0], ast.AnnAssign):
        target = f"{target}: {region.module.source(start[0].annotation)}"
    edits = [region.replace_lines(node, [f"{target} = {call}"])]
    if found.sorted == "heap" and not uses.heap:
        # It comes in falling order: a sort into that order has nothing left to do.
        after = region.next_statement(node)
        if isinstance(after, ast.Expr) and _sorts_down(after.value, found.name):
            edits += region.drops([after])
    return edits


_COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try)


def _sorts_down(node: ast.expr, name: str) -> bool:
    """``name.sort(reverse=True)``."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and node.func.attr == "sort" and is_name(node.func.value, name) and not node.args
        and len(node.keywords) == 1 and node.keywords[0].arg == "reverse"
        and constant(node.keywords[0].value) is True
    )  # fmt: skip
