"""What a function says of the values that it is given, as far as it tells how their parts look."""

from __future__ import annotations

import ast

from auditor.lift.annotations import unquoted

Function = ast.FunctionDef | ast.AsyncFunctionDef


def annotated(function: Function | None) -> dict[str, ast.expr]:
    """The annotations of a function's parameters."""
    if function is None:
        return {}
    args = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    hints = {a.arg: unquoted(a.annotation) for a in args}
    return {name: hint for name, hint in hints.items() if hint is not None}


def says(hint: ast.expr | None, *names: str) -> bool:
    """Is a hint one of the types of these names, whatever it holds?"""
    if isinstance(hint, ast.Subscript):
        return says(hint.value, *names)
    return hint is not None and ast.unparse(hint).rpartition(".")[2].lower() in {
        name.lower() for name in names
    }


def held_by(hint: ast.expr | None) -> ast.expr | None:
    """What walking a value gives."""
    if says(hint, "str"):
        return hint
    if not isinstance(hint, ast.Subscript):
        return None
    if says(hint, "tuple") and isinstance(hint.slice, ast.Tuple):
        first, *rest = hint.slice.elts
        return first if rest and ast.unparse(rest[-1]) == "..." else None
    many = ("list", "Sequence", "Iterable", "Iterator", "Collection", "deque", "set", "frozenset")
    return hint.slice if says(hint, *many) else None


def part_of(hint: ast.expr | None, number: int) -> ast.expr | None:
    """One part of a value that is a tuple."""
    if isinstance(hint, ast.Subscript) and says(hint, "tuple"):
        hint = hint.slice
    if not isinstance(hint, ast.Tuple) or number >= len(hint.elts):
        return None
    return hint.elts[number]


def walked(iterated: ast.expr, hints: dict[str, ast.expr]) -> ast.expr | None:
    """What is said of the elements that walking an expression gives."""
    if isinstance(iterated, ast.Name):
        return held_by(hints.get(iterated.id))
    if isinstance(iterated, ast.Subscript) and isinstance(iterated.slice, ast.Slice):
        return walked(iterated.value, hints)
    if not isinstance(iterated, ast.Call) or not isinstance(iterated.func, ast.Name):
        return None
    parts = [walked(arg, hints) or ast.Constant(None) for arg in iterated.args]
    name = iterated.func.id
    if name == "enumerate" and parts:
        return ast.Tuple([ast.Name("int", ast.Load()), parts[0]], ast.Load())
    if name == "zip":
        return ast.Tuple(parts, ast.Load())
    return parts[0] if name in ("reversed", "sorted", "list", "iter", "set") and parts else None
