"""Functions that are other words for arithmetic and for choices: of places of rows, as
``torch.where`` and ``np.logaddexp``, and of numbers, as ``operator.xor``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from auditor.algebra.choices import decided
from auditor.derive.calls import Purity
from auditor.notation import FALSE, ONE, TRUE, Apply, Const, Term

Made = Callable[..., Term]


@dataclass(frozen=True)
class Called:
    """What a call computes of its arguments, and of which library's rows, if of any."""

    arguments: tuple[ast.expr, ...]
    made: Made
    library: str | None = None

    def term(self, given: Sequence[Term]) -> Term:
        return self.made(*given)


def called(node: ast.Call, purity: Purity) -> Called | None:
    """A call as what it computes, where there are other words for it."""
    if any(isinstance(arg, ast.Starred) for arg in node.args):
        return None
    module, _, word = (path_of(node.func, purity) or "").rpartition(".")
    if module == "operator":
        made = _OPERATORS.get(word)
        given = arguments(made[0], node.args, node.keywords) if made else None
        return None if given is None or made is None else Called(given, made[1])
    kind, args = module, list(node.args)
    if not module:
        if not isinstance(node.func, ast.Attribute):
            return None
        kind, word, args = "torch", node.func.attr, [node.func.value, *args]
        if word not in _METHODS:
            return None
    library = named(kind, purity) if kind in ("numpy", "torch") else None
    made = _ROWS.get(word)
    if library is None or made is None or word in _OF_ONE_LIBRARY.get(kind, ()):
        return None
    given = arguments(made[0], args, node.keywords)
    return None if given is None else Called(given, made[1], library)


def path_of(node: ast.expr, purity: Purity) -> str | None:
    """What a function is called where it comes from, if it comes from a module."""
    head, dot, rest = ast.unparse(node).partition(".")
    if head not in purity.modules or head in purity.defined:
        return None
    return f"{purity.modules[head]}{dot}{rest}"


def named(kind: str, purity: Purity) -> str | None:
    """A library with the name that it has in the file."""
    names = (n for n, module in purity.modules.items() if module == kind)
    return next((f"{kind} {name}" for name in names if name not in purity.defined), None)


def arguments(
    names: str, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]
) -> tuple[ast.expr, ...] | None:
    """The arguments of a call in the order of their ``names``; those that are named with what
    they are otherwise may be left out, and are given by name alone."""
    by_place = [name for name in names.split() if "=" not in name]
    given: dict[str, ast.expr] = dict(zip(by_place, args, strict=False))
    for one in names.split():
        if "=" in one:
            name, _, otherwise = one.partition("=")
            by_place.append(name)
            given[name] = ast.Constant(int(otherwise))
    for keyword in keywords:
        if keyword.arg not in by_place or keyword.arg in by_place[: len(args)]:
            return None
        given[keyword.arg] = keyword.value
    if len(args) > len([n for n in names.split() if "=" not in n]) or len(given) < len(by_place):
        return None
    return tuple(given[name] for name in by_place)


def _of(op: str) -> Made:
    return lambda *given: Apply(op, given)


def _chosen(condition: Term, then: Term, other: Term) -> Term:
    return decided(Apply("where", (condition, then, other)))


def _truth(a: Term) -> Term:
    return _chosen(a, TRUE, FALSE)


def _both(a: Term, b: Term) -> Term:
    """True or False, and not one of the sides."""
    return _chosen(a, _truth(b), FALSE)


def _either(a: Term, b: Term) -> Term:
    return _chosen(a, TRUE, _truth(b))


def _times(a: Term, b: Term) -> Term:
    return b if a is ONE else Apply("mul", (a, b))


def _between(a: Term, b: Term, weight: Term) -> Term:
    return Apply("add", (a, Apply("mul", (weight, Apply("sub", (b, a))))))


def _same(value: Term) -> Term:
    return value


def log_of_one_more(number: Term) -> Term:
    """log1p(x), by the functions that the algebras know."""
    return Apply("log", (Apply("add", (ONE, number)),))


def _whole(number: int) -> Made:
    return lambda _: Const(number)


_COMPARED = {
    word: ("input other", _of(word)) for word in ("eq", "ne", "lt", "le", "gt", "ge")
}  # fmt: skip
_OPERATORS: dict[str, tuple[str, Made]] = {
    **{
        word: ("a b", _of(op))
        for word, op in {
            "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "floordiv": "floordiv",
            "mod": "mod", "pow": "pow", "xor": "bitxor", "or_": "bitor", "and_": "bitand",
            "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
        }.items()
    },
    "neg": ("a", _of("neg")), "not_": ("a", _of("not")), "abs": ("a", _of("abs")),
}  # fmt: skip
_ROWS: dict[str, tuple[str, Made]] = {
    "where": ("condition input other", _chosen),
    "masked_fill": ("input mask value", lambda row, mask, value: _chosen(mask, value, row)),
    "logaddexp": ("input other", _of("logaddexp")),
    "lerp": ("input end weight", _between),
    "addcmul": (
        "input tensor1 tensor2 value=1",
        lambda row, a, b, value: Apply("add", (row, _times(value, Apply("mul", (a, b))))),
    ),
    "add": ("input other alpha=1", lambda a, b, k: Apply("add", (a, _times(k, b)))),
    "sub": ("input other alpha=1", lambda a, b, k: Apply("sub", (a, _times(k, b)))),
    "subtract": ("input other alpha=1", lambda a, b, k: Apply("sub", (a, _times(k, b)))),
    "mul": ("input other", _of("mul")), "multiply": ("input other", _of("mul")),
    "div": ("input other", _of("div")), "divide": ("input other", _of("div")),
    "true_divide": ("input other", _of("div")),
    "neg": ("input", _of("neg")), "negative": ("input", _of("neg")),
    "exp": ("input", _of("exp")), "log": ("input", _of("log")), "sqrt": ("input", _of("sqrt")),
    "abs": ("input", _of("abs")), "log1p": ("input", log_of_one_more),
    "logical_and": ("input other", _both), "logical_or": ("input other", _either),
    "logical_not": ("input", _of("not")),
    "clone": ("input", _same), "contiguous": ("input", _same),
    "zeros_like": ("input", _whole(0)), "ones_like": ("input", _whole(1)),
    **_COMPARED,
    "greater": _COMPARED["gt"], "less": _COMPARED["lt"], "equal": _COMPARED["eq"],
    "greater_equal": _COMPARED["ge"], "less_equal": _COMPARED["le"],
}  # fmt: skip
_OF_ONE_LIBRARY = {
    # torch.equal says whether all places are; the others numpy does not have
    "torch": ("equal",),
    "numpy": ("masked_fill", "lerp", "addcmul", "sub", "mul", "div", "neg", "clone", "contiguous",
              "eq", "ne", "lt", "le", "gt", "ge"),
}  # fmt: skip
_METHODS = frozenset((
    "masked_fill", "lerp", "addcmul", "add", "sub", "mul", "div", "neg", "exp", "log", "sqrt",
    "log1p", "abs", "logaddexp", "clone", "contiguous", "logical_and", "logical_or", "logical_not",
    *_COMPARED,
))  # fmt: skip
