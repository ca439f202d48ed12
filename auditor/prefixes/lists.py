"""Running values in lists: what ``itertools.accumulate`` gives."""

from __future__ import annotations

import ast
import re

from auditor.arrays.facts import Arrays
from auditor.folds.iterables import Iterable, element_type, elements_of, kind_of, sliceable
from auditor.folds.loop import Generator
from auditor.prefixes.plan import Plan
from auditor.rewrite import Match, Site
from auditor.surroundings.purity import impurity
from auditor.surroundings.region import Binding, Region
from auditor.syntax import constant, infinite, is_name, mentions, path_of, same
from auditor.tree import children, everything_in

_BUILTINS = ("len", "int", "float", "ord", "bool")
_KEEPS_NUMBERS = ("abs", "max", "min", "pow", "round")
_REARRANGES = ("list", "tuple", "sorted", "reversed", "enumerate", "zip", "set", "iter")
_NUMBER = r"(?:int|float|bool|complex|Fraction|Decimal|fractions\.Fraction|decimal\.Decimal)"


def listed(plan: Plan) -> Match | None:
    """A list of running values of what a list, a range or a view holds."""
    region, fold, kept = plan.region, plan.fold, plan.kept
    assert fold.name is not None
    if not kept.appended or fold.op == "logsumexp" or fold.negative or fold.call is not None:
        return None
    source = plan.loop.generators[0].iter
    kind = kind_of(region, source, plan.loop.generators)
    plan.require(
        kind in (Iterable.LIST, Iterable.RANGE, Iterable.VIEW),
        "arrays",
        "nothing says that the loop walks a list",
    )
    plan.require(
        not _in_place(plan.loop.node, fold.name) or _adds_numbers(region, plan),
        "arrays",
        "nothing says that the elements are no arrays, which each step would change in place",
    )
    plan.require(
        fold.op not in ("max", "min") or fold.keeps_first,
        "ties",
        "of equal values, which may be of several types, the loop keeps the last",
    )
    if plan.loop.temporaries:
        return None
    start = region.binding_before(plan.loop.node, fold.name)
    first = constant(start.value) if start is not None else ...
    way = infinite(region.module, start.value) if start is not None else 0
    number = isinstance(first, (int, float)) and not isinstance(first, bool)
    assert isinstance(kept.target, ast.Name)
    out = kept.target.id
    held = region.binding_before(plan.loop.node, out)
    begun = (
        held is not None
        and isinstance(held.value, ast.List)
        and [ast.unparse(item) for item in held.value.elts] == [fold.name]
    )
    if begun and held is not None and held.alone and held.unread:
        return _begun_list(plan, held, out, source)
    own = start is not None and (fold.from_none or _first_of_all(plan, start, held, source))
    plan.require(
        number or way != 0 or own, "start", f"`{fold.name}` does not start as a literal number"
    )
    empty = held is not None and isinstance(held.value, ast.List) and not held.value.elts
    if held is None or not held.alone or not held.unread or not empty or start is None:
        return None
    plan.require(
        not region.read_after(plan.loop.node, fold.name)
        and not region.comes_round(plan.loop.node, fold.name),
        "outputs",
        f"the last `{fold.name}` is used after the loop",
    )
    text = region.module.source
    target = plan.loop.generators[0].target
    values = _values(region, target, source, fold.value)
    unit = (first == 0 and fold.op == "sum") or (first == 1 and fold.op == "prod")
    truths = _no_truth_values(plan, kind) if unit and isinstance(first, int) else None
    unit = truths is not None
    plan.reasons += truths or []
    unit = unit or own or way == {"max": -1, "min": 1}.get(fold.op, 0) != 0
    function = {"prod": ["operator.mul"], "max": ["max"], "min": ["min"]}.get(fold.op, [])
    args = [values, *function]
    assert start.value is not None
    if not unit:
        args.append(f"initial={text(start.value)}")
    made = f"itertools.accumulate({', '.join(args)})"
    made = f"list({made})" if unit else f"list({made})[1:]"
    imports: tuple[tuple[str, str | None], ...] = (("itertools", None),)
    if function == ["operator.mul"]:
        imports += (("operator", None),)
    left = out
    if isinstance(held.statement, ast.AnnAssign):
        left = f"{out}: {text(held.statement.annotation)}"
    edits = [region.drop(held.statement), *plan.dropped(fold.name)]
    edits.append(region.replace_lines(plan.loop.node, [f"{left} = {made}"]))
    return plan.finish(edits, imports)


def _first_of_all(plan: Plan, start: Binding, held: Binding | None, source: ast.expr) -> bool:
    """Whether a running extremum starts as the first of the items that it is one of."""
    region, loop = plan.region, plan.loop
    if plan.fold.op not in ("max", "min") or not isinstance(start.value, ast.Subscript):
        return False
    if not same(start.value.value, source) or constant(start.value.slice) != 0:
        return False
    block = region.siblings(loop.node)
    if start.statement not in block or not start.alone:
        return False
    between = block[block.index(start.statement) + 1 : block.index(loop.node)]
    if any(held is None or statement is not held.statement for statement in between):
        return False
    found = elements_of(region, loop.generators[0].target, source, plan.fold.value)
    return found is not None and not found[1] and same(found[0], source)


def _no_truth_values(plan: Plan, kind: Iterable | None) -> list[str] | None:
    """What must hold for nothing that is folded to be True or False, which a start of 0 or 1 makes
    a number of; None where nothing says so."""
    value = plan.fold.value
    if isinstance(value, ast.BinOp):
        return None if isinstance(value.op, (ast.BitAnd, ast.BitOr, ast.BitXor)) else []
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return [] if value.func.id in ("abs", "len", "int", "float") else None
    generator = plan.loop.generators[0]
    walked = elements_of(plan.region, generator.target, generator.iter, value)
    if walked is None:
        literal = constant(value)
        return [] if isinstance(literal, (int, float)) and not isinstance(literal, bool) else None
    if kind is Iterable.RANGE and walked[0] is generator.iter:
        return []
    for argument in plan.region.nodes:
        if isinstance(argument, ast.arg) and is_name(walked[0], argument.arg):
            stated = ast.unparse(argument.annotation) if argument.annotation else ""
            if re.search(r"\b(int|float)\b", stated):
                return [f"`{argument.arg}` holds no truth values"]
    return None


def _in_place(loop: ast.AST, name: str) -> bool:
    """Whether a step says ``name += x``, which changes an array that the list holds already."""
    nodes = (n for n in everything_in(loop) if isinstance(n, ast.AugAssign))
    return any(is_name(n.target, name) for n in nodes)


def _adds_numbers(region: Region, plan: Plan) -> bool:
    """Whether what a step adds is a number."""
    (walk, *_), value = plan.loop.generators, plan.fold.value
    found = elements_of(region, walk.target, walk.iter, value)
    if found is not None:
        return _of_numbers(region, found[0])
    names = [n.id for n in everything_in(walk.target) if isinstance(n, ast.Name)]
    return _reckons(region, value, names if _of_numbers(region, walk.iter) else [])


def _of_numbers(region: Region, source: ast.expr) -> bool:
    """Whether the elements are known to be numbers. What only rearranges elements says no more of
    them than what it was made of does."""
    if isinstance(source, ast.Subscript):
        return _of_numbers(region, source.value)
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Name):
        if source.func.id in _REARRANGES:
            return all(_of_numbers(region, given) for given in source.args)
        mapped = source.func.id == "map" and source.args[:1]
        return source.func.id == "range" or bool(mapped and _makes_number(mapped[0]))
    if isinstance(source, ast.Call):
        return isinstance(source.func, ast.Attribute) and source.func.attr == "tolist"
    if isinstance(source, (ast.ListComp, ast.GeneratorExp)):
        if isinstance(source.elt, ast.Call):
            return _makes_number(source.elt.func)
        walked = [each.target.id for each in source.generators if isinstance(each.target, ast.Name)]
        every = len(walked) == len(source.generators)
        numbers = every and all(_of_numbers(region, each.iter) for each in source.generators)
        return _makes_number(source.elt) or (numbers and _reckons(region, source.elt, walked))
    if isinstance(source, (ast.List, ast.Tuple)):
        return all(constant(element) is not ... for element in source.elts)
    if not isinstance(source, ast.Name):
        return False
    stated = element_type(region, source)
    if stated is not None:
        return re.fullmatch(rf"{_NUMBER}( *\| *{_NUMBER})*", stated) is not None
    assigned = Arrays(region).assigned(source.id)
    if assigned is None or mentions(assigned, source.id):
        return False
    reads = [region.parents.get(read) for read in region.loads.get(source.id, [])]
    filled = any(isinstance(read, (ast.Attribute, ast.Subscript)) for read in reads)
    return not filled and _of_numbers(region, assigned)


def _reckons(region: Region, node: ast.expr, numbers: list[str]) -> bool:
    """Whether an expression is made of names that are numbers and elements of what holds numbers,
    by arithmetic, comparisons and choices."""
    if isinstance(node, ast.Name):
        return node.id in numbers
    if isinstance(node, ast.Subscript):
        return not isinstance(node.slice, ast.Slice) and _of_numbers(region, node.value)
    if isinstance(node, ast.Call):
        path = path_of(region.module, node.func) or ""
        kept = any(is_name(node.func, name) for name in _KEEPS_NUMBERS)
        return (
            _makes_number(node.func)
            or path.startswith("math.")
            or (kept and all(_reckons(region, given, numbers) for given in node.args))
        )
    parts = [part for part in children(node) if isinstance(part, ast.expr)]
    return constant(node) is not ... or (
        isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp))
        and all(_reckons(region, part, numbers) for part in parts)
    )


def _makes_number(made: ast.expr) -> bool:
    """A builtin that gives numbers, or a number."""
    return constant(made) is not ... or any(is_name(made, name) for name in _BUILTINS)


def _values(region: Region, target: ast.expr, source: ast.expr, value: ast.expr) -> str:
    """What gives the values one by one: what is walked, or a part of it, where they are its own."""
    text = region.module.source
    found = elements_of(region, target, source, value)
    if found is not None and not found[1]:
        return text(found[0])
    if found is not None and sliceable(region, found[0]):
        return f"{text(found[0])}[1:]"
    # put together of several terms, a value has no text of its own
    item = text(value) if hasattr(value, "lineno") else ast.unparse(value)
    return f"({item} for {text(target)} in {text(source)})"


def _begun_with(region: Region, node: ast.For, value: ast.expr, start: ast.expr) -> str | None:
    """The list of which the first element stands before the others, which are walked."""
    found = elements_of(region, node.target, node.iter, value)
    if found is None or found[1] != 1:
        return None
    first = ast.Subscript(found[0], ast.Constant(0), ast.Load())
    return region.module.source(found[0]) if same(first, start) else None


def _begun_list(plan: Plan, held: Binding, out: str, source: ast.expr) -> Match | None:
    """``m = xs[0]``, ``out = [m]``, then ``m = max(m, x)``, ``out.append(m)`` for each x."""
    region, fold = plan.region, plan.fold
    name = fold.name
    block = region.siblings(plan.loop.node)
    if name is None or block[block.index(plan.loop.node) - 1] is not held.statement:
        return None
    plan.require(
        not region.read_after(plan.loop.node, name),
        "outputs",
        f"the last `{name}` is used after the loop",
    )
    values = _values(region, plan.loop.generators[0].target, source, fold.value)
    function = {"prod": ["operator.mul"], "max": ["max"], "min": ["min"]}.get(fold.op, [])
    args = ", ".join([values, *function, f"initial={name}"])
    imports: tuple[tuple[str, str | None], ...] = (("itertools", None),)
    if fold.op == "prod":
        imports += (("operator", None),)
    line = f"{out} = list(itertools.accumulate({args}))"
    edits = [region.drop(held.statement), region.replace_lines(plan.loop.node, [line])]
    return plan.finish(edits, imports)


def grown(site: Site, region: Region, node: ast.For | ast.While) -> Match | None:
    """``sums = [0]`` and ``sums.append(sums[-1] + x)`` for each x: what ``accumulate`` gives."""
    if not isinstance(node, ast.For) or len(node.body) != 1 or node.orelse:
        return None
    call = node.body[0].value if isinstance(node.body[0], ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    out = call.func.value
    if call.func.attr != "append" or not isinstance(out, ast.Name) or len(call.args) != 1:
        return None
    step, name = call.args[0], out.id
    if kind_of(region, node.iter, [Generator(node.target, node.iter)]) is Iterable.ARRAY:
        return None  # rows of an array have an operation of their own
    found = _step(region, step)
    if found is None or ast.unparse(found[0]) != f"{name}[-1]":
        return None
    value, function, word = found[1:]
    held = region.binding_before(node, name)
    block = region.siblings(node)
    if held is None or not isinstance(held.value, ast.List) or len(held.value.elts) != 1:
        return None
    (start,) = held.value.elts
    near = block[block.index(node) - 1] is held.statement or constant(start) is not ...
    if not (held.alone and held.unread and near) or mentions(value, name):
        return None
    if mentions(node.iter, name) or isinstance(start, ast.Starred):
        return None
    if any(
        region.read_after(node, n.id) for n in everything_in(node.target) if isinstance(n, ast.Name)
    ):
        site.require(False, "names", f"`{ast.unparse(node.target)}` is used after the loop")
    why = impurity(region.module, value)
    site.require(why is None, "effects", f"a step {why}")
    text = region.module.source
    whole = _begun_with(region, node, value, start)
    if whole is not None:
        args = ", ".join([whole, *function])
    else:
        values = _values(region, node.target, node.iter, value)
        args = ", ".join([values, *function, f"initial={text(start)}"])
    imports: tuple[tuple[str, str | None], ...] = (("itertools", None),)
    if any(path.startswith("operator.") for path in function):
        imports += (("operator", None),)
    edits = [
        region.drop(held.statement),
        region.replace_lines(node, [f"{name} = list(itertools.accumulate({args}))"]),
    ]
    return Match(
        span=region.module.span(node),
        message=f"`{name}` is filled with a running {word}",
        computation=site.computation,
        edits=tuple(sorted(edits)),
        imports=imports,
        numerics="exact",
    )


def _step(region: Region, node: ast.expr) -> tuple[ast.expr, ast.expr, list[str], str] | None:
    """What came before, what is new, the function of both for ``accumulate``, and its word."""
    if isinstance(node, ast.BinOp):
        function = {ast.Add: ([], "sum"), ast.Mult: (["operator.mul"], "product")}
        known = function.get(type(node.op))
        return None if known is None else (node.left, node.right, list(known[0]), known[1])
    if isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("max", "min") and name not in region.stores | region.module.bound.keys():
            return node.args[0], node.args[1], [name], f"{name}imum"
    return None
