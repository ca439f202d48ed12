"""Increasing functions under a comparison: applied once to what wins, or not at all.

Finds a square root, a logarithm, an exponential, a sigmoid, a softmax and the like of a whole
array of which only the largest or smallest elements are used: ``sqrt(d).min(1)[0]``,
``exp(x).amax(-1)``, ``sqrt(d).topk(3, largest=False).values``, ``softmax(x, -1).argmax(-1)``,
``log(p).argsort()``, ``norm(x - c, axis=1).argmin()``, ``(10 * log10(p)).max()``, in one expression
or through names. And those that are only compared with a
number: ``sigmoid(x) > 0.5``, ``norm(x - c, axis=1) < r``.

Legal because an increasing function keeps the order: the largest of the images is the image of the
largest, and it stands at the same place. A softmax divides exponentials by what is the same for all
that are compared.

Pays by the evaluations saved: one for each result instead of one for each element. Where anything
else reads the whole array, nothing would be saved and it stays.

Safe means, for values: equal up to rounding, gradients included (with equal elements there are
several). For places the fix is unsafe. Rounding makes equal what was not (two numbers that differ
in the last digit have one square root, all logits above 17 the sigmoid 1.0), and of equals the
first wins, so that the place found without the function may be another one: that of the element
that really is the largest. An element outside of the function's domain is NaN, which torch takes
for the largest: a fix says that it assumes none, and one of the smallest few, which come before
the NaN, is unsafe, unless the code shows that there is none.

Sources: Boyd and Vandenberghe, "Convex Optimization" (2004), section 4.1.3; the documentation of
``torch.argmax`` and ``torch.max``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.algebra.normal import TooLarge, normal
from auditor.arrays.complex_numbers import NO_COMPLEX, maybe_complex
from auditor.arrays.facts import Arrays
from auditor.arrays.overwritten import written_after
from auditor.assumed import assuming, assuming_too, reason_of
from auditor.expressions.region import ExpressionRegion, Text, text_of
from auditor.expressions.thresholds import Compared, compared, squares
from auditor.lift.objects import Record
from auditor.notation import (
    Apply,
    Const,
    Index,
    Order,
    Read,
    Reduce,
    Term,
    Value,
    free_indices,
)
from auditor.properties.redundancy import increasing, multiple_of
from auditor.recurrences.composed import not_negative
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.softmax.weighted import behind_names
from auditor.syntax import is_name, part_of, path_of
from auditor.tree import everything_in
from auditor.verdict import Edit, Verdict

_TURNED = "every element goes through an increasing function, and all that is asked of what that \
gives is on which side of a number it lies"


@dataclass(frozen=True)
class _Winner:
    """``call`` takes the extremum, the best places or the best values of ``operand``; ``compared``
    are the axes of what that is, over which elements are compared."""

    call: ast.Call
    operand: ast.expr
    compared: frozenset[Index]
    places: bool


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    node = site.node
    if site.loop is not None or node is None or site.statement is None:
        return None
    call = part_of(node)
    region = _Region(site)
    value = site.value if site.value is not None else region.unpacked(node)
    if value is None or not isinstance(call, ast.Call):
        return None
    winner = None
    if value.span == site.lifted.module.span(call):
        winner = region.winner(value, call)
    elif not region.helper(call):
        return None
    if winner is None:
        found = compared(region, value, call) if call is node else None
        return region.threshold(found) if found is not None else None
    return region.without(winner) if winner.places else region.afterwards(winner, value)


class _Region(ExpressionRegion):
    """The expression that takes an extremum of what an increasing function gave."""

    def helper(self, call: ast.Call) -> bool:
        """Whether a function of the file is called, or a method of the class, for its value."""
        if self.effects_in(call):
            return False
        own = isinstance(call.func, ast.Attribute) and is_name(call.func.value, "self")
        return own or (isinstance(call.func, ast.Name) and call.func.id in self.module.functions)

    def unpacked(self, node: ast.expr) -> Value | None:
        """The one part of ``values, places = x.min(dim)`` that something reads."""
        made, target = self.values.get(node), self._target()
        if not isinstance(made, Record) or target is None:
            return None
        read = [
            not isinstance(part, ast.Name)
            or part.id in self.module.shared_names
            or self.read_after(self.statement, part.id)
            for part in target.elts
        ]
        if all(read) or isinstance(self.lifted.node, ast.Module):
            return None
        return made.fields.get("indices" if read[1] else "values")

    def _target(self) -> ast.Tuple | None:
        """Where the statement puts both parts of what it unpacks."""
        targets = getattr(self.statement, "targets", [])
        if len(targets) == 1 and isinstance(targets[0], ast.Tuple) and len(targets[0].elts) == 2:
            return targets[0] if isinstance(targets[0].elts[0], ast.Name) else None
        return None

    def winner(self, value: Value, call: ast.Call) -> _Winner | None:
        """What is compared, and along which axes."""
        term, bound = value.body, set[Index]()
        places = False
        if isinstance(term, Order):
            if term.rank in bound or self._all_places(term):
                return None
            places = term.what == "indices"
            bound, term = {term.index}, term.body
        else:
            ops = set[str]()
            while isinstance(term, Reduce) and term.op in ("max", "min", "argmax", "argmin"):
                ops.add(term.op)
                bound.add(term.index)
                term = term.body
            if len(ops) != 1:
                return None
            places = next(iter(ops)).startswith("arg")
        operand = self._operand(call)
        if operand is None or not isinstance(term, Read):
            return None
        found = self.values.get(operand)
        if not isinstance(found, Value):
            return None
        if term.value is found and len(term.subs) == len(found.axes):
            over = [axis for axis, sub in zip(found.axes, term.subs, strict=True) if sub in bound]
        elif _view_of(term, found):
            over = list(found.axes)  # of everything, laid out in one row
        else:
            return None
        return _Winner(call, operand, frozenset(over), places)

    def _all_places(self, order: Order) -> bool:
        """Whether every place of an order is asked for: then none is saved."""
        if order.what == "indices" or not isinstance(order.rank, Index):
            return False
        extent = self.lifted.facts.extent
        return extent(order.rank.extent) is extent(order.index.extent)

    def _operand(self, call: ast.Call) -> ast.expr | None:
        """What the call is made on: the receiver of a method, or the first argument."""
        if isinstance(call.func, ast.Attribute) and path_of(self.module, call.func) is None:
            return call.func.value
        if call.args:
            return None if isinstance(call.args[0], ast.Starred) else call.args[0]
        return next((k.value for k in call.keywords if k.arg in ("input", "a")), None)

    # -- numbers: what the function gives is only compared

    def threshold(self, found: Compared) -> Match | None:
        names = [n for n in everything_in(found.call) if isinstance(n, ast.Name)]
        reads = frozenset(node.id for node in names if isinstance(node.ctx, ast.Load))
        text = Text(found.instead, reads)
        self._conditions([], [found.given] if found.given is not None else [], text)
        edits = [self.replace(found.call, found.instead)]
        edits += [self.replace(node, instead) for node, instead in found.numbers]
        return Match(
            span=self.site.computation.span,
            message="an increasing function is only compared with a number: its inverse can be"
            " applied to the number instead",
            computation=self.site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            safe=False,
            reason="; ".join((*found.doubts, *self._compared_complex(found))),
            verdicts={"redundancy": Verdict("holds", "structure", _TURNED)},
        )

    @staticmethod
    def _compared_complex(found: Compared) -> list[str]:
        untold = found.given is not None and maybe_complex(found.given)
        return ["complex numbers are compared otherwise, or not at all"] if untold else []

    # -- values: the function is applied to what wins

    def afterwards(self, winner: _Winner, value: Value) -> Match | None:
        mapped = self.values.get(winner.operand)
        if not isinstance(mapped, Value):
            return None
        passed = _scaled(mapped)
        inner = _mapped(passed[-1].body)
        if inner is None or _imaginary(mapped):
            return None
        given = self.say(inner.value)
        if given is None:
            return None
        chosen = self._instead(winner, given, inner.value)
        if chosen is not None and self.site.value is None:
            chosen = f"{chosen}[0]"
        text = self._again(passed, inner.value, chosen) if chosen is not None else None
        if text is None:
            return None
        if len(passed) > 1 and not self._loose():
            text = f"({text})"
        result = self.site.value or self.unpacked(self.node)
        self._conditions(passed, [inner.value, *([result] if result is not None else [])], given)
        doubt, safe = self._defined(value, passed[-1], inner)
        if len(passed) > 1 and mapped.library == "numpy" and not value.axes:
            if inner.value.dtype != "float64":  # a number of float32 times one of Python
                doubt = reason_of(doubt, "assumes NumPy 2, or float64")
        doubt = assuming_too(doubt, self._kinds(value, inner.value, given))
        return self._match(winner, text, passed, given, doubt, safe)

    def _kinds(self, value: Value, inner: Value, given: Text) -> list[str]:
        """What is assumed of the numbers that are compared without the function: NumPy orders
        complex ones by their real parts, and torch takes the best few of no truth values."""
        if not self.tensors([value, inner]):
            return [f"`{given.text}` holds {NO_COMPLEX}"] if maybe_complex(inner) else []
        few = isinstance(value.body, Order) and inner.dtype is None and inner.body is None
        return [f"`{given.text}` holds no truth values"] if few else []

    def _again(self, passed: list[Value], inner: Value, text: str) -> str | None:
        """What made the first of ``passed`` out of the next, and the last of ``inner``, made out of
        ``text`` instead."""
        made = self.origin(passed[0])
        if made is None:
            return None
        if len(passed) == 1:
            return self._applied(made, inner, text)
        within = self._again(passed[1:], inner, text)
        if within is None or not isinstance(made, ast.BinOp):
            return None
        if isinstance(made.op, (ast.Mult, ast.Div)) and _is_sum(within):
            within = f"({within})"
        sides = [within if self.values.get(side) is passed[1] else self.one_line(side)
                 for side in (made.left, made.right)]  # fmt: skip
        return f" {_SIGNS[type(made.op)]} ".join(sides)

    def _loose(self) -> bool:
        """Whether what takes the place of the expression needs no brackets."""
        parent = self.parents.get(self.node)
        return isinstance(parent, (ast.stmt, ast.Call, ast.keyword, ast.Tuple, ast.List))

    def _defined(self, value: Value, mapped: Value, inner: Read) -> tuple[str | None, bool]:
        """What is said where the function may be applied outside of its domain, and whether the fix
        is unsafe there: the smallest of all is NaN as before, of several the NaN come last."""
        assert isinstance(mapped.body, Apply)
        name = "sqrt" if mapped.body.op == "pow" else mapped.body.op
        smallest = isinstance(value.body, Reduce) and value.body.op == "min"
        if name not in _PARTIAL or smallest or not_negative(inner):
            return None, True
        if isinstance(value.body, Order):
            return f"where `{name}` is not defined the other elements come first", False
        return assuming([f"`{name}` is defined for all elements"]), True

    def _applied(self, made: ast.expr, inner: Value, text: str) -> str | None:
        """The function that ``made`` applies to ``inner``, applied to ``text``."""
        if isinstance(made, ast.BinOp) and isinstance(made.op, ast.Pow):
            if self.values.get(made.left) is not inner or not isinstance(made.right, ast.Constant):
                return None
            power = f"{text} ** {self.one_line(made.right)}"
            return power if self._loose() else f"({power})"
        if not isinstance(made, ast.Call) or made.keywords:
            return None
        if len(made.args) == 1 and self.values.get(made.args[0]) is inner:
            return f"{self.one_line(made.func)}({text})"
        function = made.func
        if isinstance(function, ast.Attribute) and self.values.get(function.value) is inner:
            rest = ", ".join(map(self.one_line, made.args))
            if all(isinstance(arg, ast.Constant) for arg in made.args):
                return f"{text}.{function.attr}({rest})"
        return None

    # -- places: the function is left out

    def without(self, winner: _Winner) -> Match | None:
        mapped = self.values.get(winner.operand)
        if not isinstance(mapped, Value):
            return None
        if _imaginary(mapped):
            return None
        best: tuple[Value, list[Value], Text, str] | None = None
        for inner, passed, costly in _layers(mapped, winner.compared):
            said = self._handed(inner, passed[-1]) if costly else None
            if said is not None:
                best = inner, passed, said, costly
        if best is None:
            return None
        inner, passed, said, name = best
        text = self._instead(winner, said, inner)
        if text is None:
            return None
        self._conditions(passed, [inner], said)
        doubt = (
            f"elements that `{name}` rounds to the same number tie, and the first of them wins:"
            f" without `{name}` the larger one does"
        )
        if self.say(inner) is None and inner.dtype is None:
            doubt += "; what is squared must be floating-point numbers"
        elif not self.tensors([inner]) and maybe_complex(inner):
            doubt += "; complex numbers are ordered otherwise without it"
        if name in _PARTIAL and not all(map(self._never_negative, passed)):
            doubt += f"; where `{name}` is not defined another place may win"
        if self.tensors([inner]) and inner.dtype is None and inner.body is None:
            doubt = assuming_too(doubt, [f"`{said.text}` holds no truth values"]) or doubt
        return self._match(winner, text, passed, said, doubt, safe=False)

    @staticmethod
    def _never_negative(mapped: Value) -> bool:
        """Whether nothing below zero is given to the partial function that makes a value, if one
        does."""
        body = mapped.body
        return not isinstance(body, Apply) or body.op not in _PARTIAL or not_negative(body.args[0])

    def _handed(self, inner: Value, mapped: Value) -> Text | None:
        """What an increasing function is given, as code: of a norm the squares summed up."""
        said, call = self.say(inner), self.origin(mapped)
        if said is not None or not isinstance(call, ast.Call) or not self.unchanged(call):
            return said
        if self._sorts():
            return None  # next to which the roots cost nothing
        text = squares(self, call)
        return None if text is None else text_of(text)

    def _sorts(self) -> bool:
        """Whether the whole array is put in order."""
        calls = (node.func for node in everything_in(self.node) if isinstance(node, ast.Call))
        return any(getattr(function, "attr", "") == "argsort" for function in calls)

    # -- both

    def _instead(self, winner: _Winner, said: Text, inner: Value) -> str | None:
        """The expression with ``said`` in place of the operand."""
        node, operand = self.node, winner.operand
        outer, span = self.module.span(node), self.without_brackets(operand)
        if outer.line != outer.end_line or span.line != outer.line:
            return None
        method = isinstance(winner.call.func, ast.Attribute) and (winner.call.func.value is operand)
        before = self.module.lines[outer.line - 1][outer.column - 1 : span.column - 1]
        behind = self.module.lines[outer.line - 1][span.end_column - 1 : outer.end_column - 1]
        if not method:
            return f"{before}{said.text}{behind}"
        if self._array(operand, inner):
            return f"{before}{said.dotted()}{behind}"
        return None

    def _array(self, operand: ast.expr, inner: Value) -> bool:
        """Whether what the function was given is an array, which has methods: NumPy's functions
        take lists as well."""
        mapped = self.values.get(operand)
        assert isinstance(mapped, Value)
        if any(map(Arrays(self).certain, self.origins.get(inner, [])[:1])):
            return True
        source = self.origin(mapped)
        path = path_of(self.module, source.func) if isinstance(source, ast.Call) else None
        return path is None or path.startswith("torch.") or inner.body is not None

    def _conditions(self, passed: list[Value], read: list[Value], said: Text) -> None:
        site = self.site
        site.require(
            self.same_gradients(passed),
            "gradients",
            "the function is applied under another `with` block",
        )
        site.require(
            self.steady(passed, [said]), "effects", "something in between may change what it reads"
        )
        site.require(
            not written_after(site, read),
            "written",
            "what the backward pass would need is changed in place later",
        )

    def _match(
        self, winner: _Winner, text: str, passed: list[Value], said: Text, reason: str | None,
        safe: bool,
    ) -> Match:  # fmt: skip
        removal = self.removal({self.node: text_of(text, said)})
        self.require_gone(removal, passed, self.node, "used")
        message = (
            "an increasing function does not change which place wins: it need not be applied"
            if winner.places
            else "an increasing function is applied to a whole array of which only the extremum is"
            " used: it can be applied to that alone"
        )
        site, edits = self.site, [self.replace(self.node, text), *removal.edits]
        target = self._target() if site.value is None and not winner.places else None
        if target is not None:
            edits.append(Edit(self.module.span(target), self.module.source(target.elts[0])))
        return Match(
            span=site.computation.span,
            message=message,
            computation=site.computation,
            edits=tuple(sorted(edits, key=lambda edit: edit.span)),
            safe=safe,
            reason=reason,
        )


_PARTIAL = frozenset(("sqrt", "log", "log2", "log10", "log1p"))
"""Functions that are not defined for all numbers, but where these are not negative."""


_SIGNS: dict[type[ast.operator], str] = {ast.Mult: "*", ast.Div: "/", ast.Add: "+", ast.Sub: "-"}


def _is_sum(text: str) -> bool:
    node = ast.parse(text, mode="eval").body
    return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))


def _scaled(value: Value) -> list[Value]:
    """A value, and what it is a positive multiple of, or that with a number added: in the same
    order, element by element."""
    found, body = [value], value.body
    while isinstance(body, Apply) and (inner := multiple_of(body)) is not None:
        if inner.subs != found[-1].axes or inner.value.axes == ():
            break
        found.append(inner.value)
        body = inner.value.body
    return found


def _imaginary(value: Value) -> bool:
    """Whether what is compared may be complex: those are ordered by their real parts."""
    try:
        return value.body is not None and normal(value.body).imaginary
    except TooLarge:
        return True


def _mapped(term: Term | None) -> Read | None:
    """What a term is a root, a logarithm, an exponential or a sigmoid of."""
    rare = isinstance(term, Apply) and term.op in ("tanh", "sinh", "erf")
    return None if rare else increasing(term)


def _view_of(term: Read, value: Value) -> bool:
    """Whether a read is one of a view that lays out ``value`` in one row."""
    body = term.value.body
    return (
        isinstance(body, Read) and body.value is value and len(term.subs) == 1
        and not any(isinstance(sub, Const) for sub in body.subs)
    )  # fmt: skip


def _layers(value: Value, compared: frozenset[Index]) -> Iterator[tuple[Value, list[Value], str]]:
    """The arrays that stand in the order of ``value``, outermost first, each with the values on the
    way and the name of a costly function that was passed."""
    passed, costly = [value], ""
    at, axes = value, compared
    while True:
        inner, name = _ordered_alike(at.body, axes)
        if inner is None or len(inner.subs) != len(inner.value.axes):
            return
        costly = costly or name
        axes = frozenset(
            axis for axis, sub in zip(inner.value.axes, inner.subs, strict=True) if sub in axes
        )
        at = inner.value
        yield at, list(passed), costly
        passed.append(at)


def _ordered_alike(term: Term | None, axes: frozenset[Index]) -> tuple[Read | None, str]:
    """What ``term`` is in the order of along ``axes``, and the function that is applied to it."""
    found = _mapped(term)
    if found is not None:
        assert isinstance(term, Apply)
        return found, "sqrt" if term.op == "pow" else term.op
    if isinstance(term, Apply) and len(term.args) == 2:
        one, other = term.args
        same = not free_indices(other) & axes
        if term.op in ("add", "sub") and isinstance(one, Read) and same:
            return one, "log_softmax" if term.op == "sub" and _log_of_sum(other) else ""
        if term.op == "div" and isinstance(one, Read) and same and _positive(other):
            return one, ""
        scaled = multiple_of(term)
        if scaled is not None:
            return scaled, ""
    return None, ""


def _positive(term: Term) -> bool:
    """An exponential, or a sum of them."""
    at = behind_names(term)
    while isinstance(at, Reduce) and at.op == "sum":
        at = behind_names(at.body)
    return isinstance(at, Apply) and at.op == "exp"


def _log_of_sum(term: Term) -> bool:
    at = behind_names(term)
    return isinstance(at, Apply) and at.op == "log" and isinstance(behind_names(at.args[0]), Reduce)


_BEFORE = """\
import torch


def nearest(offsets: torch.Tensor):
    squares = offsets**2
    distances = torch.sqrt(squares)
    return distances.min(dim=1)[0].mean()
"""

_AFTER = """\
import torch


def nearest(offsets: torch.Tensor):
    squares = offsets**2
    return torch.sqrt(squares.min(dim=1)[0]).mean()
"""

_LARGEST = """\
import numpy as np


def largest_gain(decibels: np.ndarray):
    return np.max(np.exp(decibels), axis=0)
"""

_LARGEST_AFTER = """\
import numpy as np


def largest_gain(decibels: np.ndarray):
    return np.exp(np.max(decibels, axis=0))
"""

_CLASS = """\
import torch.nn.functional as F


def predicted(logits):
    return F.softmax(logits, dim=-1).argmax(dim=-1)
"""

_CLASS_AFTER = """\
import torch.nn.functional as F


def predicted(logits):
    return logits.argmax(dim=-1)
"""

REWRITE = Rewrite(
    code="RED506",
    name="monotone-under-compare",
    summary="an increasing function under a comparison is applied to what wins, or not at all",
    doc=__doc__,
    properties=("redundancy",),
    find=find,
    seeks=(
        ("root", "extremum"), ("logarithm", "extremum"), ("exponential", "extremum"),
        ("softmax", "extremum"), ("norm", "extremum"), "threshold",
        ("exponential", "compared"),
    ),
    becomes="torch.sqrt(x.amin(-1)), x.argmax(-1)",
    examples=(
        Example("the distance to the nearest", _BEFORE, _AFTER,
                "((torch.randn(5, 3),), (torch.randn(1, 1),))"),
        Example("a largest exponential", _LARGEST, _LARGEST_AFTER,
                "((np.random.randn(5, 3),), (np.arange(4),))"),
        Example("the class of a softmax", _CLASS, _CLASS_AFTER,
                "((torch.randn(5, 3),), (torch.randn(1),))"),
    ),
    refused=(
        RefusedExample("used", _BEFORE.replace("mean()", "mean(), distances")),
        RefusedExample("gradients", _BEFORE.replace(
            "    distances =", "    with torch.autocast(\"cpu\"):\n        distances =")),
        RefusedExample("effects", _BEFORE.replace(
            "    return", "    record(squares)\n    return")),
        RefusedExample("written", _BEFORE.replace(
            "    return distances.min(dim=1)[0].mean()",
            "    nearest = distances.min(dim=1)[0]\n    nearest.mul_(2)\n    return nearest")),
    ),
    unmatched=(
        _BEFORE.replace("torch.sqrt", "torch.cos"),
        _BEFORE.replace("min(dim=1)[0].mean", "sum"),
        _BEFORE.replace("torch.sqrt", "torch.rsqrt"),
        _BEFORE.replace("torch.sqrt(squares)", "squares ** 2"),
        _CLASS.replace("logits, dim=-1", "logits, dim=0"),
        _CLASS.replace(".argmax", ".amax"),
        _CLASS.replace("F.softmax(logits, dim=-1)", "(F.softmax(logits, dim=-1) * prior)"),
        _AFTER,
    ),
    inside=True,
)  # fmt: skip
