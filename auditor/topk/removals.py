"""The k largest taken out one by one: the maximum found, kept, and removed or hidden, k times."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.arrays.facts import Arrays
from auditor.assumed import assuming
from auditor.rewrite import Match, Site
from auditor.surroundings.purity import pure_key
from auditor.surroundings.region import Region
from auditor.syntax import constant, infinite, is_name, path_of, same
from auditor.topk.list_calls import is_sequence, not_negative, whole_number
from auditor.topk.orderings import fresh_list
from auditor.topk.selections import compared, heapq_spelling, list_finding, selection
from auditor.verdict import Edit


@dataclass
class _Taken:
    """One step: what is taken of ``pool`` (``values`` and ``places`` are expressions that name it),
    and whether as a number of Python (``item``)."""

    pool: str
    library: str
    largest: bool
    values: list[ast.expr]
    places: list[ast.expr]
    names: list[str]
    key: ast.expr | None = None
    item: bool = False
    gone: str | None = None
    kept: dict[str, str] | None = None


def removals(site: Site, region: Region, node: ast.For) -> Match | None:
    """The match of a loop that takes the k largest out, or None. Raises ``Refused``."""
    call = node.iter
    if not (isinstance(call, ast.Call) and is_name(call.func, "range") and len(call.args) == 1):
        return None
    if node.orelse or not isinstance(node.target, ast.Name) or call.keywords:
        return None
    taken = _read(region, node)
    if taken is None or taken.gone is None or not taken.kept:
        return None
    if len(taken.kept) != 1:
        return None
    ((target, what),) = taken.kept.items()
    start = region.binding_before(node, taken.pool)
    if not taken.library and start is not None and isinstance(start.value, ast.Call):
        copied = getattr(start.value.func, "attr", "")
        taken.library = {"clone": "torch", "copy": "numpy"}.get(copied, "")
    origin = _origin(region, start.value, taken.library) if start is not None else None
    owned = start is not None and start.alone and origin is not None
    site.require(
        owned and not region.read_after(node, taken.pool),
        "mutation",
        f"`{taken.pool}` is left without its largest entries, which others may see",
    )
    for name in (*taken.names, node.target.id):
        site.require(not region.read_after(node, name), "names", f"`{name}` is used after the loop")
    first = region.binding_before(node, target)
    if first is None or not first.alone or not first.unread or start is None or origin is None:
        return None
    if not (isinstance(first.value, ast.List) and not first.value.elts):
        return None
    between = region.siblings(node)
    near = between.index(node) - between.index(start.statement) <= 2
    operand: ast.expr = ast.Name(taken.pool, ast.Load())
    gone: list[ast.stmt] = [first.statement]
    if start.unread and near and isinstance(origin, (ast.Name, ast.Attribute)):
        operand = origin
        gone.append(start.statement)
    emit = _Emit(site, region, node, call.args[0], taken, target, what, origin)
    return emit.lists(operand, gone) if taken.library == "python" else emit.tensors(operand, gone)


def _read(region: Region, node: ast.For) -> _Taken | None:
    """The steps of the body, or None where it is anything else."""
    taken: _Taken | None = None
    for statement in node.body:
        if taken is None:
            taken = _extremum(region, statement)
            if taken is None:
                return None
            continue
        if not (_places(region, statement, taken) or _keeps(statement, taken)
                or _removes(region, statement, taken)):  # fmt: skip
            return None
    return taken


def _extremum(region: Region, node: ast.stmt) -> _Taken | None:
    """The statement that finds the largest: ``m = max(xs)``, ``i = s.argmax()``,
    ``value, index = s.max(dim=0)``."""
    if not (isinstance(node, ast.Assign) and len(node.targets) == 1):
        return None
    target, value = node.targets[0], node.value
    item = False
    if isinstance(value, ast.Call) and isinstance(target, ast.Name):
        if is_name(value.func, "int") and len(value.args) == 1:
            value, item = value.args[0], True
        elif isinstance(value.func, ast.Attribute) and value.func.attr == "item":
            value, item = value.func.value, True
    if not isinstance(value, ast.Call):
        return None
    if isinstance(target, ast.Name):
        return _of_list(region, target, value) or _argmax(region, target, value, item)
    if not (isinstance(target, ast.Tuple) and len(target.elts) == 2):
        return None
    args, path = list(value.args), path_of(region.module, value.func)
    names = [part.id for part in target.elts if isinstance(part, ast.Name)]
    if path in ("torch.max", "torch.min") and args:
        way, operand = path, args.pop(0)
    elif isinstance(value.func, ast.Attribute) and value.func.attr in ("max", "min"):
        way, operand = value.func.attr, value.func.value
    else:
        return None
    args += [k.value for k in value.keywords if k.arg == "dim"]
    if len(names) != 2 or len(args) != 1 or constant(args[0]) not in (0, -1):
        return None
    if len(value.keywords) > 1 or not isinstance(operand, ast.Name):
        return None
    return _Taken(operand.id, "torch", way.endswith("max"), [target.elts[0]], [target.elts[1]],
                  names)  # fmt: skip


def _of_list(region: Region, target: ast.Name, call: ast.Call) -> _Taken | None:
    """``m = max(xs)``, ``i = xs.index(max(xs))``, ``i = max(range(len(xs)), key=...)``."""
    inner, place = call, False
    if isinstance(call.func, ast.Attribute) and call.func.attr == "index" and len(call.args) == 1:
        argument = call.args[0]
        if not isinstance(argument, ast.Call) or call.keywords:
            return None
        inner, place = argument, True
    if not (isinstance(inner.func, ast.Name) and inner.func.id in ("max", "min")):
        return None
    if len(inner.args) != 1 or any(k.arg != "key" for k in inner.keywords):
        return None
    key = inner.keywords[0].value if inner.keywords else None
    pool, largest = inner.args[0], inner.func.id == "max"
    walked = _places_of(pool)
    if walked is not None and key is not None and not place and _looks_up(key, walked):
        return _Taken(walked, "python", largest, [], [target], [target.id])
    if not isinstance(pool, ast.Name) or (key is not None and not pure_key(region.module, key)):
        return None
    if not place:
        return _Taken(pool.id, "python", largest, [target], [], [target.id], key)
    assert isinstance(call.func, ast.Attribute)
    if key is not None or not same(call.func.value, pool):
        return None
    return _Taken(pool.id, "python", largest, [], [target], [target.id])


def _places_of(node: ast.expr) -> str | None:
    """xs of ``range(len(xs))``."""
    if isinstance(node, ast.Call) and is_name(node.func, "range") and len(node.args) == 1:
        size = node.args[0]
        if isinstance(size, ast.Call) and is_name(size.func, "len") and len(size.args) == 1:
            return size.args[0].id if isinstance(size.args[0], ast.Name) else None
    return None


def _looks_up(key: ast.expr, pool: str) -> bool:
    """``xs.__getitem__``, ``lambda i: xs[i]``."""
    if isinstance(key, ast.Attribute):
        return key.attr == "__getitem__" and is_name(key.value, pool)
    if isinstance(key, ast.Lambda) and len(key.args.args) == 1:
        body = key.body
        return (
            isinstance(body, ast.Subscript) and is_name(body.value, pool)
            and is_name(body.slice, key.args.args[0].arg)
        )  # fmt: skip
    return False


def _argmax(region: Region, target: ast.Name, call: ast.Call, item: bool) -> _Taken | None:
    """``i = torch.argmax(s)``, ``i = s.argmax()``."""
    path = path_of(region.module, call.func) or ""
    if path in ("torch.argmax", "torch.argmin", "numpy.argmax", "numpy.argmin"):
        if len(call.args) != 1 or call.keywords or not isinstance(call.args[0], ast.Name):
            return None
        pool, way, library = call.args[0], path, path.split(".")[0]
    elif isinstance(call.func, ast.Attribute) and call.func.attr in ("argmax", "argmin"):
        if call.args or call.keywords or not isinstance(call.func.value, ast.Name):
            return None
        pool, way = call.func.value, call.func.attr
        library = Arrays(region).library(pool) or ""
    else:
        return None
    return _Taken(pool.id, library, way.endswith("max"), [_element(pool.id, target)], [target],
                  [target.id], item=item)  # fmt: skip


def _element(pool: str, place: ast.expr) -> ast.expr:
    return ast.Subscript(ast.Name(pool, ast.Load()), place, ast.Load())


def _places(region: Region, node: ast.stmt, taken: _Taken) -> bool:
    """``m = xs[i]``, ``i = xs.index(m)``, ``m = xs.pop(i)``: more names of what is taken."""
    if not (isinstance(node, ast.Assign) and len(node.targets) == 1):
        return False
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Name) or target.id in taken.names or taken.gone is not None:
        return False
    if _is_value(value, taken):
        taken.values.append(target)
    elif _popped(value, taken):
        taken.values.append(target)
        taken.gone = "removed"
    elif _index_of(value, taken):
        taken.places.append(target)
    else:
        return False
    taken.names.append(target.id)
    return True


def _is_value(node: ast.expr, taken: _Taken) -> bool:
    if any(same(node, value) for value in taken.values):
        return True
    return any(same(node, _element(taken.pool, place)) for place in taken.places)


def _popped(node: ast.expr, taken: _Taken) -> bool:
    """``xs.pop(i)``."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and node.func.attr == "pop" and is_name(node.func.value, taken.pool)
        and len(node.args) == 1 and any(same(node.args[0], place) for place in taken.places)
    )  # fmt: skip


def _index_of(node: ast.expr, taken: _Taken) -> bool:
    """``xs.index(m)``: the place of the first that equals the maximum."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and node.func.attr == "index" and is_name(node.func.value, taken.pool)
        and len(node.args) == 1 and taken.key is None and _is_value(node.args[0], taken)
    )  # fmt: skip


def _keeps(node: ast.stmt, taken: _Taken) -> bool:
    """``out.append(m)``."""
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        return False
    call = node.value
    if not (isinstance(call.func, ast.Attribute) and call.func.attr == "append"):
        return False
    if not isinstance(call.func.value, ast.Name) or len(call.args) != 1:
        return False
    name, item = call.func.value.id, call.args[0]
    kept = taken.kept or {}
    if name in kept or name == taken.pool:
        return False
    if any(same(item, place) for place in taken.places):
        kept[name] = "places"
    elif _popped(item, taken) and taken.gone is None:
        kept[name], taken.gone = "values", "removed"
    elif any(same(item, value) for value in taken.values if isinstance(value, ast.Name)) or (
        taken.gone is None and _is_value(item, taken)
    ):
        kept[name] = "values"
    else:
        return False
    taken.kept = kept
    return True


def _removes(region: Region, node: ast.stmt, taken: _Taken) -> bool:
    """``xs.remove(m)``, ``del xs[i]``, ``xs.pop(i)``, ``s[i] = -inf``."""
    if taken.gone is not None:
        return False
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        call = node.value
        if _popped(call, taken):
            taken.gone = "removed"
        elif (
            isinstance(call.func, ast.Attribute) and call.func.attr == "remove"
            and is_name(call.func.value, taken.pool) and len(call.args) == 1
            and taken.key is None and _is_value(call.args[0], taken)
        ):  # fmt: skip
            taken.gone = "removed"
    elif isinstance(node, ast.Delete) and len(node.targets) == 1:
        if any(same(node.targets[0], _element(taken.pool, place)) for place in taken.places):
            taken.gone = "removed"
    elif isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        hidden = infinite(region.module, node.value) == (-1 if taken.largest else 1)
        if hidden and any(same(target, _element(taken.pool, place)) for place in taken.places):
            taken.gone = "hidden"
    return taken.gone is not None


def _origin(region: Region, node: ast.expr | None, library: str) -> ast.expr | None:
    """x of ``x.clone()``, ``list(x)``, ``x[:]``: what a copy was made of. Where that has no name,
    the copy itself."""
    if node is None:
        return None
    if library == "python":
        if not fresh_list(region, node):
            return None
        if isinstance(node, ast.Subscript) and ast.unparse(node.slice) == ":":
            return node.value
        if isinstance(node, ast.Call) and is_name(node.func, "list") and len(node.args) == 1:
            return node.args[0] if is_sequence(region, node.args[0]) else node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return node.func.value if node.func.attr == "copy" else node
        return node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        copies = "clone" if library == "torch" else "copy"
        if node.func.attr == copies and not node.keywords:
            return node.func.value
    return None


@dataclass
class _Emit:
    site: Site
    region: Region
    node: ast.For
    k: ast.expr
    taken: _Taken
    target: str
    what: str
    origin: ast.expr

    def lists(self, operand: ast.expr, gone: list[ast.stmt]) -> Match | None:
        """``heapq.nlargest(k, xs)``; of places ``heapq.nlargest(k, range(len(xs)), key=...)``."""
        region, taken, source = self.region, self.taken, self.region.module.source
        total, assumed = compared(region, operand, taken.key)
        self.site.require(total, "order", "elements may differ though neither is smaller")
        reasons = [assumed] if assumed else []
        counted = whole_number(region, self.k)
        self.site.require(counted is not None, "k", f"`{source(self.k)}` may be no number")
        reasons += [counted] if counted else []
        text, key = ast.unparse(operand), taken.key
        prefix, imports = heapq_spelling(region)
        arguments = [source(self.k), text]
        if self.what == "places":
            if taken.gone != "hidden":
                return None  # places in what is left over
            arguments = [source(self.k), f"range(len({text}))", f"key={text}.__getitem__"]
        elif key is not None:
            arguments.append(f"key={source(key)}")
        if taken.gone == "hidden":
            reasons.append(f"`{text}` has at least {source(self.k)} entries that are not infinite")
        call = f"{prefix}{'nlargest' if taken.largest else 'nsmallest'}({', '.join(arguments)})"
        edits = [*region.drops(gone), region.replace_lines(self.node, [f"{self.target} = {call}"])]
        computation = selection(self.site, region, self.origin, self.k, largest=taken.largest,
                                key=key)  # fmt: skip
        return list_finding(region, self.node, computation, self._message(), edits, imports,
                            assuming(reasons))  # fmt: skip

    def tensors(self, operand: ast.expr, gone: list[ast.stmt]) -> Match | None:
        """``streaming_topk(x, k, stable=True)``, as a list or stacked."""
        region, taken, source = self.region, self.taken, self.region.module.source
        message = self._message()
        computation = selection(
            self.site, region, self.origin, self.k, largest=taken.largest,
            what="values" if self.what == "values" else "indices",
        )  # fmt: skip
        if taken.library != "torch":
            if taken.library != "numpy":
                return None
            return Match(region.module.span(self.node), message, computation)
        # The loop takes none of a negative number; a slice would leave some out.
        count = source(self.k) if not_negative(region, self.k) else f"max({source(self.k)}, 0)"
        arguments = [ast.unparse(operand), count]
        arguments += [] if taken.largest else ["largest=False"]
        arguments += ["stable=True"] if self.what == "places" else []
        text = f"streaming_topk({', '.join(arguments)})[{0 if self.what == 'values' else 1}]"
        edits: list[Edit] = region.drops(gone)
        reads = region.reads_outside(self.target, (self.node,))
        stack = region.parents.get(reads[0]) if len(reads) == 1 else None
        stacked = isinstance(stack, ast.Call) and len(stack.args) == 1 and not stack.keywords
        path = path_of(region.module, stack.func) if isinstance(stack, ast.Call) else None
        numbers = taken.item and self.what == "places"
        if stacked and path == ("torch.tensor" if numbers else "torch.stack"):
            assert isinstance(stack, ast.Call)
            if region.next_statement(self.node) is region.statement_of(stack):
                edits += [region.replace_lines(self.node, []), region.replace(stack, text)]
            else:
                edits += [region.replace_lines(self.node, [f"{self.target} = {text}"]),
                          region.replace(stack, self.target)]  # fmt: skip
        else:
            text = f"{text}.tolist()" if numbers else f"list({text})"
            edits.append(region.replace_lines(self.node, [f"{self.target} = {text}"]))
        name, k = arguments[0], source(self.k)
        enough = f"`{name}` has at least {k} entries that are not infinite"
        return Match(
            span=region.module.span(self.node),
            message=message,
            computation=computation,
            edits=tuple(sorted(edits)),
            imports=(("auditor.kernels", "streaming_topk"),),
            numerics="exact",
            reason=assuming([f"`{name}` has 1 axis", enough]),
            kernel="auditor.kernels.streaming_topk",
        )

    def _message(self) -> str:
        way = "largest" if self.taken.largest else "smallest"
        return (
            f"the {self.region.module.source(self.k)} {way} entries are taken one by one: a"
            " selection has all of them"
        )
