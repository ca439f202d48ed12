"""What the entries of an array make of what is put into them: an array of whole numbers cuts, a
narrow one wraps around, at every step."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from auditor.algebra.choices import leaves
from auditor.algebra.summary import WIDTHS
from auditor.derive.begun import constant
from auditor.notation import Apply, Const, Read, Term

_OF_FLOATS = frozenset(("zeros", "ones", "empty", "eye", "linspace", "rand", "randn"))
_FLOATS = ("float", "double", "complex", "half")
_WHOLE = frozenset(("int", "int64", "int32", "long"))


def entries_of(made: ast.expr | None, modules: Mapping[str, str]) -> str | None:
    """What the entries of a container are: ``whole`` numbers, ``narrow`` ones, ``unknown`` ones, or
    (None) what is put into them, as in a list or an array of floats."""
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Attribute):
        return None
    base, maker = made.func.value, made.func.attr
    library = isinstance(base, ast.Name) and modules.get(base.id) in ("numpy", "torch")
    if not library and not maker.startswith("new_"):
        return None
    given = [k.value for k in made.keywords if k.arg == "dtype"]
    if not given and maker in _OF_FLOATS and (len(made.args) < 2 or modules.get(
            base.id if isinstance(base, ast.Name) else "") == "torch"):  # fmt: skip
        return None
    if not given and len(made.args) != 2:
        return "unknown"
    kind = given[0] if given else made.args[1]
    word = kind.value if isinstance(kind, ast.Constant) else ast.unparse(kind).rpartition(".")[2]
    if str(word).startswith(_FLOATS):
        return None
    if word in _WHOLE:
        return "whole"
    return "narrow" if word in WIDTHS or str(word).startswith(("bool", "uint")) else "unknown"


_FILLED = {"zeros": 0, "ones": 1, "zeros_like": 0, "ones_like": 1, "new_zeros": 0, "new_ones": 1}
_FILLED_WITH = frozenset(("full", "full_like", "new_full"))


def in_every_place(made: ast.expr | None, modules: Mapping[str, str]) -> tuple[str, Term] | None:
    """The library of an array that is made with one number in every place, and that number."""
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Attribute):
        return None
    base, word = made.func.value, made.func.attr
    kind = modules.get(base.id, "") if isinstance(base, ast.Name) else ""
    if word.startswith("new_"):
        kind = "torch"
    if kind not in ("numpy", "torch"):
        return None
    dtypes = [ast.unparse(k.value).rpartition(".")[2] for k in made.keywords if k.arg == "dtype"]
    if word in _FILLED and dtypes and dtypes[0] in ("bool", "bool_"):
        return kind, Const(bool(_FILLED[word]))
    if entries_of(made, modules) in ("whole", "narrow"):
        return None
    if word in _FILLED:
        return kind, Const(_FILLED[word])
    if word not in _FILLED_WITH:
        return None
    given = [k.value for k in made.keywords if k.arg == "fill_value"]
    given += made.args[1:2]
    value = constant(given[0]) if len(given) == 1 else None
    return None if value is None else (kind, value)


def stays_whole(updates: Iterable[Term]) -> bool:
    """Is nothing but a whole number that is written out put into an entry, or added to it?"""
    return all(map(_whole, (leaf for update in updates for leaf in leaves(update))))


def _whole(term: Term) -> bool:
    if isinstance(term, Const):
        return type(term.value) is int
    if isinstance(term, Apply) and term.op in ("add", "sub", "where"):
        return all(map(_whole, term.args[term.op == "where" :]))
    return isinstance(term, Read) and term.value.kind == "state"
