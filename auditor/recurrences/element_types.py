"""Types of the elements of arrays of NumPy, by NumPy 2's promotion, from terms."""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from auditor.lift.dtypes import PYTHON_SCALARS, result_dtype, summed
from auditor.lift.module import Module
from auditor.notation import (
    Apply,
    Const,
    Index,
    Library,
    Read,
    Reduce,
    Symbol,
    Term,
    Value,
    definition,
    transform,
    walk,
)
from auditor.syntax import called_name
from auditor.tree import everything_in

_FROM_NUMBERS = frozenset(
    ("exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "sinh", "cosh", "log1p", "expm1")
)
"""Functions of numbers that the math module has as well, whose results are numbers of Python."""
_STRONG = {"truth": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
"""What an array of numbers of Python is of."""
_TRUTHS = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "and", "or", "xor", "not")) | {
    "call:isnan", "call:isinf", "call:isfinite",
}  # fmt: skip
_EXTREMES = ("max", "min")
OF_NUMPY = -1
"""Stands for all functions of numbers of which it is open whose they are."""

Types = frozenset[str]
"""What an element may be: types of NumPy, and of Python, which are those of numbers."""


class Raises(Exception):
    """The operation is an error for these types."""


class Open(Exception):
    """Nothing is known of the types."""


@lru_cache(maxsize=4096)
def result_of(op: str, types: tuple[str, ...]) -> str:
    """The type of an operation on elements. Raises ``Raises`` and ``Open``."""
    values = [Value("", (), dtype=one, library=_library(one)) for one in types]
    found = result_dtype(op, values)
    if found is None and op in ("sub", "neg") and set(types) == {"bool"}:
        raise Raises
    if found is None and op == "pow" and all(map(is_weak, types)):
        return "float"
    if found is None:
        raise Open
    return found


def _library(dtype: str) -> Library:
    return "python" if is_weak(dtype) else "numpy"


def is_weak(dtype: str) -> bool:
    """Whether a type is that of a number of Python, spelled apart from NumPy's truth values."""
    return dtype in ("int", "float", "complex", "truth")


class Typing:
    """Types of terms where what is unknown has the types ``given``, by the value's identity;
    ``chosen``: a choice gives one of both types, as a branch does, and not their common one.
    ``weak`` says that numbers stay such where a condition chooses them: not if NumPy chooses.
    ``picked``: an extremum is one of its operands, as Python's is."""

    def __init__(
        self,
        given: Mapping[int, str],
        states: Mapping[Value, Types],
        *,
        chosen: bool = False,
        weak: bool = False,
        picked: bool = False,
    ) -> None:
        self.given, self.states, self.chosen, self.weak = given, states, chosen, weak
        self.picked = picked
        self.known: dict[Term, Types] = {}

    def of(self, term: Term) -> Types:
        """What an element of a term may be. Raises ``Raises`` and ``Open``."""
        if term not in self.known:
            self.known[term] = frozenset(self._of(term))
        return self.known[term]

    def _of(self, term: Term) -> Iterable[str]:
        if isinstance(term, Const):
            kind = type(term.value).__name__
            return {"truth" if kind == "bool" else kind if kind in PYTHON_SCALARS else "float"}
        if isinstance(term, (Index, Symbol)):
            return {"int"}
        if isinstance(term, Read):
            return self._read(term)
        if isinstance(term, Reduce):
            return {summed(one, "numpy") or one for one in self.of(term.body)}
        if isinstance(term, Apply):
            return self._apply(term)
        raise Open

    def _read(self, term: Read) -> Iterable[str]:
        value = term.value
        if value in self.states:
            return self.states[value]
        if value.uid in self.given:
            return {self.given[value.uid]}
        if is_stated(value):
            return {stated(value)}
        inner = definition(term) or value.body
        if inner is None or (value.axes and isinstance(inner, Const)):
            raise Open
        # the body's own values are expanded: this one was made as a whole
        found = Typing(self.given, self.states, weak=True).of(inner)
        made = value.library == "numpy"
        return {_STRONG.get(one, one) for one in found} if made else found

    def _apply(self, term: Apply) -> Iterable[str]:
        if term.op.startswith("cast:"):
            return {term.op.removeprefix("cast:")}
        parts = [self.of(arg) for arg in typing_args(term)]
        if term.op in _EXTREMES and self.picked:
            return frozenset[str]().union(*parts)
        if term.op == "where" and self.chosen:
            either = frozenset[str]().union(*parts)
            numbers = all(map(is_weak, either)) and not self.weak
            return either | {_STRONG[_widest(either)]} if numbers else either
        return {self._one(term.op, types) for types in itertools.product(*parts)}

    def _one(self, op: str, types: tuple[str, ...]) -> str:
        """The type of an operation on elements of some types."""
        numbers = all(map(is_weak, types))
        if op == "where" and numbers:
            return _widest(types) if self.weak else _STRONG[_widest(types)]
        if numbers and op in _FROM_NUMBERS and "complex" not in types:
            return self.given.get(OF_NUMPY, "float64")
        if numbers and types:
            plain = tuple("int" if one == "truth" else one for one in types)
        else:
            plain = tuple("bool" if one == "truth" else one for one in types)
        found = result_of(op, ("bool", *plain) if op == "where" else plain)
        return "truth" if numbers and found == "bool" else found


def stated(value: Value) -> str:
    """The type of a value whose type is known."""
    assert value.dtype is not None
    if value.library == "python" and not value.axes:
        return "truth" if value.dtype == "bool" else value.dtype
    return _STRONG.get(value.dtype, value.dtype)


def _widest(types: Iterable[str]) -> str:
    return max(types, key=("truth", "int", "float", "complex").index)


def is_stated(value: Value) -> bool:
    """Whether the type of a value is known, and not only when the code runs."""
    return value.dtype is not None and " " not in value.dtype


def typing_args(term: Apply) -> tuple[Term, ...]:
    """The operands on whose types that of the result rests."""
    if term.op.startswith("cast:") or term.op in _TRUTHS:
        return ()
    return term.args[term.op == "where" :]


def of_numbers(term: Term) -> bool:
    """Whether a term holds a function of numbers, which may be NumPy's or the math module's."""
    waiting, seen = [term], set[Term]()
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, Apply) and node.op in _FROM_NUMBERS:
                return True
            inner = definition(node) if isinstance(node, Read) and node not in seen else None
            seen.add(node)
            if inner is not None:
                waiting.append(inner)
    return False


def chosen_from_numbers(term: Term) -> bool:
    """Whether a term is made of numbers that conditions choose, and of nothing else."""
    waiting, chosen = [term], False
    while waiting:
        node = waiting.pop()
        if isinstance(node, Read):
            inner = definition(node)
            if node.value.axes and inner is None:
                return False
            waiting += [inner] if inner is not None else []
        elif isinstance(node, Apply):
            chosen |= node.op == "where"
            waiting += typing_args(node)
        elif not isinstance(node, (Const, Index, Symbol)):
            return False
    return chosen


def picked_by_python(module: Module, loop: ast.AST) -> bool:
    """Whether a loop, or what it calls of the file, takes extrema as Python does: one of the very
    operands, of whichever type."""
    if not any(map(_picks, everything_in(module.tree))):
        return False
    calls = [node for node in everything_in(loop) if isinstance(node, ast.Call)]
    return any(_picks(call) or _of_the_file(module, call.func) for call in calls)


def _picks(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    of_python = isinstance(node.func, ast.Name) and node.func.id in (*_EXTREMES, "sorted")
    return of_python or called_name(node) == "median"


def _of_the_file(module: Module, called: ast.expr) -> bool:
    if isinstance(called, ast.Name):
        return called.id not in module.names and not hasattr(builtins, called.id)
    return isinstance(called, ast.Attribute) and any(
        isinstance(node, ast.FunctionDef) and node.name == called.attr
        for node in everything_in(module.tree)
    )


def cast_of(term: Term, states: Collection[Value]) -> str | None:
    """The type that a term casts what is made of a state to, None where it does not."""
    if not isinstance(term, Apply) or not term.op.startswith("cast:"):
        return None
    reads = (node.value for node in walk(term) if isinstance(node, Read))
    return term.op.removeprefix("cast:") if any(value in states for value in reads) else None


def bare(term: Term) -> Term:
    """A term with everything defined expanded and without its places, which no type depends on."""

    def change(node: Term) -> Term:
        if not isinstance(node, Read):
            return node
        inner = definition(node)
        return Read(node.value, ()) if inner is None else bare(inner)

    return transform(term, change)
