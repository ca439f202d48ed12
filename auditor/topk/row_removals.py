"""The k largest of every row taken out one by one: the maxima found, kept and hidden, k times.

``v, i = p.max(dim=-1)``, ``p = p.scatter(-1, i.unsqueeze(-1), float("-inf"))`` with the maxima
stacked along the same axis afterwards.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from auditor.assumed import assuming
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.syntax import constant, infinite, is_name, path_of
from auditor.topk.list_calls import not_negative
from auditor.topk.selections import selection
from auditor.verdict import Edit


@dataclass
class _Step:
    """What one step takes of the ``rows`` of a name, the lists that keep it (``kept``: a list to
    "values" or "places"), and how the maxima are hidden."""

    rows: ast.Name
    values: str | None
    places: str
    kept: dict[str, str] = field(default_factory=dict)
    hidden: str | None = None

    @property
    def pool(self) -> str:
        return self.rows.id


def row_removals(site: Site, region: Region, node: ast.For) -> Match | None:
    """The match of a loop that takes the k largest of every row out, or None. Raises
    ``Refused``."""
    call = node.iter
    if not (isinstance(call, ast.Call) and is_name(call.func, "range") and len(call.args) == 1):
        return None
    if node.orelse or call.keywords or not isinstance(node.target, ast.Name):
        return None
    step = _read(region, node.body)
    if step is None or step.hidden is None or not step.kept:
        return None
    if len(set(step.kept.values())) != len(step.kept):
        return None
    start = region.binding_before(node, step.pool)
    rows = _rows(step, start.value if start is not None and start.alone else None)
    if rows is None:
        return None
    for name in (step.pool, step.places, step.values or step.places, node.target.id):
        site.require(not region.read_after(node, name), "names", f"`{name}` is used after the loop")
    gone: list[ast.stmt] = []
    if start is not None and not is_name(rows, step.pool) and start.unread:
        gone.append(start.statement)
    elif start is not None and not is_name(rows, step.pool):
        return None
    stacks = []
    for name in step.kept:
        begun, stack = region.binding_before(node, name), _stack(region, node, name)
        empty = begun is not None and isinstance(begun.value, ast.List) and not begun.value.elts
        if begun is None or not (begun.alone and begun.unread and empty) or stack is None:
            return None
        gone.append(begun.statement)
        stacks.append(region.replace(stack, name))
    return _match(site, region, node, step, rows, call.args[0], [*region.drops(gone), *stacks])


def _match(
    site: Site, region: Region, node: ast.For, step: _Step, rows: ast.expr, k: ast.expr,
    edits: list[Edit],
) -> Match:  # fmt: skip
    source = region.module.source
    count = source(k) if not_negative(region, k) else f"max({source(k)}, 0)"
    made = f"streaming_topk({ast.unparse(rows)}, {count}, stable=True)"
    by = {what: name for name, what in step.kept.items()}
    if len(by) == 2:
        line = f"{by['values']}, {by['places']} = {made}"
    else:
        ((what, name),) = by.items()
        line = f"{name} = {made}[{0 if what == 'values' else 1}]"
    what = "values" if "values" in by else "indices"
    return Match(
        span=region.module.span(node),
        message=f"the {source(k)} largest entries of every row are taken one by one: a"
        " selection has all of them",
        computation=selection(site, region, rows, k, largest=True, what=what, dim=-1, rank=None),
        edits=tuple(sorted([*edits, region.replace_lines(node, [line])])),
        imports=(("auditor.kernels", "streaming_topk"),),
        numerics="exact",
        reason=assuming([f"every row has at least {source(k)} entries that are not infinite"]),
        kernel="auditor.kernels.streaming_topk",
    )


def _read(region: Region, body: list[ast.stmt]) -> _Step | None:
    step: _Step | None = None
    for statement in body:
        if step is None:
            step = _maxima(region, statement)
            if step is None:
                return None
        elif not (_keeps(statement, step) or _hides(region, statement, step)):
            return None
    return step


def _maxima(region: Region, node: ast.stmt) -> _Step | None:
    """``v, i = p.max(dim=-1)``, ``i = p.argmax(dim=-1)``."""
    if not (isinstance(node, ast.Assign) and len(node.targets) == 1):
        return None
    target, call = node.targets[0], node.value
    if not isinstance(call, ast.Call):
        return None
    args, path = list(call.args), path_of(region.module, call.func)
    if path in ("torch.max", "torch.argmax") and args:
        way, pool = path.removeprefix("torch."), args.pop(0)
    elif path is None and isinstance(call.func, ast.Attribute):
        way, pool = call.func.attr, call.func.value
    else:
        return None
    args += [k.value for k in call.keywords if k.arg == "dim"]
    if len(call.keywords) > 1 or len(args) != 1 or constant(args[0]) != -1:
        return None
    if not isinstance(pool, ast.Name):
        return None
    if way == "argmax" and isinstance(target, ast.Name):
        return _Step(pool, None, target.id)
    parts = target.elts if way == "max" and isinstance(target, ast.Tuple) else []
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    return _Step(pool, names[0], names[1]) if len(names) == len(parts) == 2 else None


def _keeps(node: ast.stmt, step: _Step) -> bool:
    """``values.append(v)``, ``places.append(i)``."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return False
    if call.func.attr != "append" or len(call.args) != 1 or call.keywords:
        return False
    held, item = call.func.value, call.args[0]
    if not isinstance(held, ast.Name) or not isinstance(item, ast.Name) or held.id in step.kept:
        return False
    if item.id not in (step.values, step.places) or held.id == step.pool:
        return False
    step.kept[held.id] = "values" if item.id == step.values else "places"
    return True


def _hides(region: Region, node: ast.stmt, step: _Step) -> bool:
    """``p = p.scatter(-1, i.unsqueeze(-1), float("-inf"))``, ``p.scatter_(...)`` or ``p =
    p.masked_fill(F.one_hot(i, n).bool(), float("-inf"))``."""
    if step.hidden is not None:
        return False
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        if not is_name(node.targets[0], step.pool):
            return False
        call, ways = node.value, ("scatter", "masked_fill")
    elif isinstance(node, ast.Expr):
        call, ways = node.value, ("scatter_", "masked_fill_")
    else:
        return False
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return False
    if call.func.attr not in ways or not is_name(call.func.value, step.pool) or call.keywords:
        return False
    fill = call.args[-1] if call.args else None
    if infinite(region.module, fill) != -1:
        return False
    text = ast.unparse(ast.Tuple(call.args[:-1], ast.Load()))
    if call.func.attr.startswith("scatter"):
        fits = text == f"(-1, {step.places}.unsqueeze(-1))"
    else:
        one_hot = call.args[0]
        inner = one_hot.func.value if isinstance(one_hot, ast.Call) and isinstance(
            one_hot.func, ast.Attribute) and one_hot.func.attr == "bool" else None  # fmt: skip
        path = path_of(region.module, inner.func) if isinstance(inner, ast.Call) else None
        fits = isinstance(inner, ast.Call) and path == "torch.nn.functional.one_hot"
        fits = fits and isinstance(inner, ast.Call) and is_name(inner.args[0], step.places)
        fits = fits and isinstance(inner, ast.Call) and len(inner.args) == 2
    if fits:
        step.hidden = "in place" if call.func.attr.endswith("_") else "anew"
    return fits


def _rows(step: _Step, start: ast.expr | None) -> ast.expr | None:
    """What the rows were before the first step, by a name that still holds them."""
    if isinstance(start, ast.Call) and isinstance(start.func, ast.Attribute):
        cloned = start.func.attr == "clone" and not start.args and not start.keywords
        if cloned and isinstance(start.func.value, ast.Name):
            return start.func.value
    if step.hidden == "in place":
        return None
    return start if isinstance(start, ast.Name) else step.rows


def _stack(region: Region, node: ast.For, name: str) -> ast.Call | None:
    """The one use of a list, ``torch.stack(values, dim=-1)``."""
    reads = region.reads_outside(name, (node,))
    call = region.parents.get(reads[0]) if len(reads) == 1 else None
    if not isinstance(call, ast.Call) or path_of(region.module, call.func) != "torch.stack":
        return None
    dims = [*call.args[1:], *(k.value for k in call.keywords if k.arg == "dim")]
    return call if len(dims) == 1 and constant(dims[0]) == -1 else None
