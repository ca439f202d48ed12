"""A selection of the k best: what it computes, and the call of ``heapq`` that does it for lists."""

from __future__ import annotations

import ast

from auditor.arrays.facts import Arrays
from auditor.folds.iterables import stated_elements
from auditor.notation import Apply, Computation, Const, Index, Order, Read, Symbol, Term, Value
from auditor.rewrite import Match, Site
from auditor.surroundings.region import Region
from auditor.syntax import constant
from auditor.tree import everything_in
from auditor.verdict import Edit


def selection(
    site: Site, region: Region, operand: ast.expr, k: ast.expr, *, largest: bool,
    what: str = "values", dim: int = 0, rank: int | None = 1, key: ast.expr | None = None,
) -> Computation:  # fmt: skip
    """The k first places of ``operand`` in order along ``dim``, as a computation: what a sort of
    which a slice is read comes to, and a loop that keeps the k best. ``rank`` None is any number of
    axes, of which ``dim`` counts from the right."""
    array = _array(region, operand, rank)
    axes = [Index(axis.name, axis.extent, axis.group) for axis in array.axes]
    bound = axes[dim]
    element: Term = Read(array, tuple(axes))
    if key is not None:
        element = Apply(f"call:{region.module.source(key)[:40]}", (element,))
    number = constant(k)
    count: Term = Symbol(ast.unparse(k))
    if isinstance(number, int) and not isinstance(number, bool):
        count = Const(number)
    place = Index("r", count)
    order: Term = Order(
        bound, element, place, largest, "values" if what == "values" and key is None else "indices"
    )
    axes[dim] = place
    chosen = Value("the selection", tuple(axes), order)
    return Computation("expression", site.computation.scope, site.computation.span, (chosen,))


def _array(region: Region, operand: ast.expr, rank: int | None) -> Value:
    """``operand`` as the code knows it where that has this many axes, else a value that has."""
    found = Arrays(region).value(operand)
    groups = found is not None and any(axis.group for axis in found.axes)
    if found is not None and not groups and rank is not None and len(found.axes) == rank:
        return found
    text = region.module.source(operand)
    if rank == 1:
        return Value(text, (Index("i", Symbol(f"len({text})")),), None, None, "input")
    if rank is None:
        rest = Index("...", Symbol(f"{text}.shape[...]"), group=True)
        last = Index("i", Symbol(f"{text}.shape[-1]"))
        return Value(text, (rest, last), None, None, "input")
    axes = [Index("ijklmn"[p % 6], Symbol(f"{text}.shape[{p}]")) for p in range(rank)]
    return Value(text, tuple(axes), None, None, "input")


_TOTAL = frozenset(("int", "float", "str", "bool", "bytes", "Decimal", "Fraction", "date",
                    "datetime", "timedelta"))  # fmt: skip
_NUMBER_OR_TEXT = frozenset(("len", "abs", "str", "int", "float", "ord", "sum"))


def compared(region: Region, operand: ast.expr, key: ast.expr | None) -> tuple[bool, str | None]:
    """Whether what is ordered may be in a total order, and what that assumes. ``heapq`` takes
    elements for equal where ``==`` says so, a sort where neither is smaller."""
    own = any(
        isinstance(n, ast.FunctionDef) and n.name in ("__lt__", "__gt__", "__le__", "__ge__")
        for n in everything_in(region.module.tree)
    )
    if key is None:
        stated = stated_elements(region, operand)
        if stated is not None:
            return total_order(stated), None
    elif isinstance(key, ast.Name) and key.id in _NUMBER_OR_TEXT:
        return True, None
    elif isinstance(key, ast.Lambda) and isinstance(key.body, ast.Call):
        function = key.body.func
        if isinstance(function, ast.Name) and function.id in _NUMBER_OR_TEXT:
            return True, None
    what = "elements" if key is None else "keys"
    return not own, f"{what} of which neither is smaller are equal"


def total_order(stated: ast.expr) -> bool:
    """Numbers, texts, and tuples of them."""
    if isinstance(stated, ast.Subscript):
        name = stated.value.id if isinstance(stated.value, ast.Name) else ""
        if name not in ("tuple", "Tuple"):
            return False
        parts = stated.slice.elts if isinstance(stated.slice, ast.Tuple) else [stated.slice]
        dots = [p for p in parts if isinstance(p, ast.Constant) and p.value is ...]
        return all(total_order(part) for part in parts if part not in dots)
    name = stated.attr if isinstance(stated, ast.Attribute) else getattr(stated, "id", "")
    return name in _TOTAL


def heapq_spelling(region: Region) -> tuple[str, tuple[tuple[str, str | None], ...]]:
    """How the file spells heapq, and the import it lacks."""
    for name, path in region.module.names.items():
        if path == "heapq":
            return f"{name}.", ()
    return "heapq.", (("heapq", None),)


def list_finding(
    region: Region, node: ast.AST, computation: Computation, message: str, edits: list[Edit],
    imports: tuple[tuple[str, str | None], ...], reason: str | None = None,
) -> Match:  # fmt: skip
    """The match of a list's selection."""
    return Match(
        span=region.module.span(node),
        message=message,
        computation=computation,
        edits=tuple(sorted(edits)),
        imports=imports,
        numerics="exact",
        reason=reason,
    )
