"""The k best of a list as a call of ``heapq``: how many, in which order, and which of equals."""

from __future__ import annotations

import ast

from auditor.folds.iterables import Iterable, element_type, kind_of
from auditor.rewrite import Site
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name
from auditor.topk.selections import compared, heapq_spelling

_SAME = ("int", "str", "bool", "bytes")
"""Types of which equal objects cannot be told apart (0.0 and -0.0 can)."""
_SEQUENCES = (Iterable.LIST, Iterable.RANGE)


def is_sequence(region: Region, node: ast.expr) -> bool:
    """Whether an expression certainly is a list or the like: sized, and readable backwards."""
    return kind_of(region, node, []) in _SEQUENCES


def indistinct(region: Region, operand: ast.expr) -> bool:
    """Whether equal elements of a list are the same for all that a program can see."""
    return element_type(region, operand) in _SAME


def whole_number(region: Region, k: ast.expr) -> str | None:
    """What has to be assumed for ``k`` to be an integer; an empty text for nothing, None where it
    may well be something else."""
    if isinstance(constant(k), int) or isinstance(k, (ast.BinOp, ast.Call)):
        return ""
    for node in region.nodes:
        if not (isinstance(node, ast.arg) and is_name(k, node.arg)):
            continue
        if node.annotation is not None:
            return "" if ast.unparse(node.annotation) == "int" else None
        arguments = getattr(region.lifted.node, "args", None)
        default = ... if arguments is None else _default(arguments, node)
        if default is not ... and type(default) is not int:
            return None
    return f"`{region.module.source(k)}` is a whole number"


def _default(arguments: ast.arguments, node: ast.arg) -> object:
    """The literal that an argument has when it is not given; ``Ellipsis`` where it must be."""
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    for each, value in zip([*plain, *arguments.kwonlyargs], [*defaults, *arguments.kw_defaults],
                           strict=True):  # fmt: skip
        if each is node:
            return ... if value is None else constant(value)
    return ...


def not_negative(region: Region, k: ast.expr) -> bool:
    """Whether ``k`` certainly is none of the numbers that leave places out at the end of a slice:
    by what it is, or by a test that leaves the function."""
    number = constant(k)
    if isinstance(number, int) and not isinstance(number, bool):
        return number >= 0
    if isinstance(k, ast.Call) and isinstance(k.func, ast.Name):
        if k.func.id in ("len", "abs"):
            return True
        if k.func.id == "max":
            return any(not_negative(region, arg) for arg in k.args)
        if k.func.id == "min" and k.args:
            return all(not_negative(region, arg) for arg in k.args)
    if not isinstance(k, ast.Name) or k.id in _assigned(region):
        return False
    return any(_rules_out(node, k.id) for node in region.nodes)


def _assigned(region: Region) -> set[str]:
    return {n.id for n in region.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _rules_out(node: ast.AST, name: str) -> bool:
    """``if k <= 0: raise``, ``if k < 1: return []``, ``assert k > 0``."""
    if isinstance(node, ast.Assert):
        test, small = node.test, (ast.Gt, ast.GtE)
        value = _bound(test, name, small)
        return value is not None and value[1] + (value[0] is ast.Gt) >= 0
    if isinstance(node, ast.If) and isinstance(node.body[-1], (ast.Raise, ast.Return)):
        value = _bound(node.test, name, (ast.Lt, ast.LtE))
        return value is not None and value[1] + (value[0] is ast.LtE) >= 0
    return False


def _bound(test: ast.expr, name: str, kinds: tuple[type, ...]) -> tuple[type, int] | None:
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and is_name(test.left, name):
        number, kind = constant(test.comparators[0]), type(test.ops[0])
        if kind in kinds and isinstance(number, int) and not isinstance(number, bool):
            return kind, number
    return None


def count_of(
    site: Site, region: Region, k: ast.expr, operand: ast.expr, at_end: bool = False
) -> tuple[str, str]:
    """How many ``[:k]``, or ``[-k:]``, takes of a list, as code, and what that assumes. A negative
    k drops places, and from the end 0 takes all."""
    source = region.module.source
    text = source(k)
    assumed = whole_number(region, k)
    site.require(assumed is not None, "k", f"`{text}` may be no number, which takes all places")
    if isinstance(constant(k), int) if at_end else not_negative(region, k):
        return text, assumed or ""
    length = _length(region, operand)
    why = "0, which takes all places" if at_end else "negative, which drops places"
    site.require(isinstance(k, ast.Name) and length is not None, "k", f"`{text}` may be {why}")
    reasons = [assumed] if assumed else []
    if length is not None and length.startswith("len(") and not _sized(region, operand):
        reasons.append(f"`{source(operand)}` has a length")
    enough = f"{text} {'>' if at_end else '>='} 0"
    return f"{text} if {enough} else {length} + {text}", "; ".join(reasons)


def _length(region: Region, operand: ast.expr) -> str | None:
    """How many elements ``operand`` has, as code that may stand a second time."""
    source = region.module.source
    if isinstance(operand, (ast.Name, ast.Attribute)):
        return f"len({source(operand)})"
    if not isinstance(operand, ast.Call) or operand.keywords:
        return None
    if isinstance(operand.func, ast.Attribute) and isinstance(operand.func.value, ast.Name):
        views = operand.func.attr in ("items", "keys", "values") and not operand.args
        return f"len({operand.func.value.id})" if views else None
    if is_name(operand.func, "enumerate") and len(operand.args) == 1:
        return _length(region, operand.args[0])
    if is_name(operand.func, "range") and len(operand.args) == 1:
        stop = operand.args[0]
        counted = isinstance(stop, ast.Call) and is_name(stop.func, "len")
        return source(stop) if counted else None
    plain = is_name(operand.func, "set") and [type(arg) for arg in operand.args] == [ast.Name]
    return f"len({source(operand)})" if plain else None


def _sized(region: Region, operand: ast.expr) -> bool:
    """Whether an operand certainly has a length."""
    return is_sequence(region, operand) or isinstance(operand, ast.Call)


def selected(
    site: Site,
    region: Region,
    operand: ast.expr,
    count: str,
    key: ast.expr | None,
    *,
    largest: bool,
    last: bool = False,
    backwards: bool = False,
) -> tuple[str, tuple[tuple[str, str | None], ...], list[str]]:
    """``heapq.nlargest(count, operand)``, the imports that it needs and what is assumed.

    ``last``: of equal elements the last are taken, the last first, as from the end of a stable
    sort. ``backwards``: in the opposite order.
    """
    reasons: list[str] = []
    total, assumed = compared(region, operand, key)
    site.require(total, "order", "elements may differ though neither is smaller")
    if assumed:
        reasons.append(assumed)
    text = region.module.source(operand)
    if last and not (key is None and indistinct(region, operand)):
        if is_sequence(region, operand):
            text = f"reversed({text})"
        else:
            site.require(key is None, "ties", "of equal keys the sort takes the last")
            reasons.append("equal elements cannot be told apart")
    arguments = [count, text]
    if key is not None:
        arguments.append(f"key={region.module.source(key)}")
    prefix, imports = heapq_spelling(region)
    call = f"{prefix}{'nlargest' if largest else 'nsmallest'}({', '.join(arguments)})"
    return call + ("[::-1]" if backwards else ""), imports, reasons
