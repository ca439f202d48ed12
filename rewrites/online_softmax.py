"""Softmax, log-softmax and log-sum-exp written by hand, as the one operation that each is.

Finds ``exp(x - c) / sum exp(x - c)``, ``x - c - log sum exp(x - c)`` and ``c + log sum exp(x - c)``
(or the logarithm of their mean) for any ``c`` that does not move along the axis: the maximum,
detached or not, a mean, nothing at all. In two or three statements or in one, with the quotient as
a product or as an exponential of a difference, over any axis, several or all, scaled by a
temperature, over masked scores; exponentials times a mask or weights over the sum of that, which is
only told; and loops over the elements of a tensor that keep a running maximum and a running sum.

Legal because the shift cancels, and because (m, s), the maximum and the sum of exp(x - m), is the
state of a fold: (m1, s1) . (m2, s2) = (m, s1 exp(m1 - m) + s2 exp(m2 - m)) with m = max(m1, m2) and
identity (-inf, 0). One pass reads what three passes read.

Over arrays of NumPy it is what scipy.special has where the file imports that, and otherwise the
kernels, which take arrays; only lists are left as they are.

Pays by the passes over memory that it saves; it also does not overflow where the plain form does.

Safe means: the same values up to rounding wherever the original is finite, gradients included (that
of the shift is zero). Without a shift by the largest score, a log-sum-exp whose exponentials
overflow or vanish is finite afterwards, and the fix says so. Of a permuted view the result lies in
memory in another order: unsafe where the file depends on its strides.

Sources: Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018).
"""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.algebra.normal import TooLarge
from auditor.algebra.softmax import exponentiated
from auditor.arrays.reached import operations
from auditor.audit import expression_sites
from auditor.lift.loops import Loop
from auditor.lift.objects import Collected, Instance, Method, Named
from auditor.notation import (
    ONE,
    Apply,
    Read,
    Value,
    walk,
)
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.softmax.chosen_axis import only, parameters, with_axis
from auditor.softmax.forms import SoftmaxForm, softmax_form
from auditor.softmax.picked import logarithm_of_picked
from auditor.softmax.region import MESSAGES, SoftmaxRegion
from auditor.softmax.streaming import closed_results
from auditor.softmax.weighted import weighted

_WEIGHTED = (
    "exponentials with weights divided by their sum: where no weight is negative, the softmax of"
    " the scores plus the logarithms of the weights"
)
_ROOTS = frozenset({"div", "mul", "exp", "sub", "add", "log"})
_POINTWISE = frozenset(
    "div divide true_divide mul multiply exp log sub subtract add reciprocal einsum".split()
)


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    if site.loop is not None:
        return _loop(site)
    if isinstance(site.node, ast.ListComp):
        return _listed(site)
    if site.node is None or site.value is None or site.statement is None:
        return None
    body = site.value.body
    if not isinstance(body, Apply) or body.op not in _ROOTS:
        return None
    called = site.value.span != site.lifted.module.span(site.node)
    if not (_own(site) if called else _by_hand(site)):
        return None
    picked = _selected(site)
    if picked is not None:
        return picked
    used: dict[int, Loop] = {}
    try:
        closed = _closed(site, site.value, used)
        form = softmax_form(closed) if used or _may_be(site, site.value) else None
    except TooLarge:
        return None
    if form is None:
        if weighted(site.value):
            return Match(site.computation.span, _WEIGHTED, site.computation)
        return _chosen(site)
    if called and not _shared(site, form):
        return None
    if used:
        site = replace(site, computation=replace(site.computation, outputs=(closed,)))
    return SoftmaxRegion(site, form, tuple(used.values())).match()


def _own(site: Site) -> bool:
    """Whether a function of the file is called whose body is read in place of the call."""
    node = site.node
    functions = site.lifted.module.functions
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions
    )


def _shared(site: Site, form: SoftmaxForm) -> bool:
    """Whether what is called divides exponentials that it is given: were they its own, it would be
    a softmax itself."""
    module = site.lifted.module
    assert isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Name)
    home = module.span(module.functions[site.node.func.id])
    made = [
        value.span for value in form.opened.values
        if any(isinstance(at, Apply) and exponentiated(at) is not None
               for at in walk(value.body or ONE))
    ]  # fmt: skip
    return bool(made) and not any(span is None or home.covers(span) for span in made)


def _may_be(site: Site, value: Value) -> bool:
    """Whether a value is made with a sum and an exponential."""
    made = operations(site.lifted, value)
    return "fold sum" in made and not made.isdisjoint(("exp", "pow"))


def _chosen(site: Site) -> Match | None:
    """The match where the axis is a parameter of the function."""
    function = site.lifted.node
    if isinstance(function, ast.Module) or "exp" not in site.lifted.module.source(function):
        return None
    for name in parameters(site.lifted):
        last = _over(site, name, 1)
        if last is None:
            continue
        at, form, scores = last
        alone = len(scores.axes) == 1 and not scores.axes[0].group
        other = last if alone else _over(site, name, 2)
        if other is None or other[1].kind != form.kind:
            continue
        if (other[2].span, other[2].kind) == (scores.span, scores.kind):
            return SoftmaxRegion(at, form, (), name).match()
    return None


def _over(site: Site, name: str, place: int) -> tuple[Site, SoftmaxForm, Value] | None:
    """The softmax over the axis ``place``, counted from the last, where this is the one that the
    parameter ``name`` chooses, and the array of which it is one."""
    lifted = with_axis(site.lifted, name, place)
    for other in expression_sites(lifted) if lifted is not None else ():
        value = other.value
        if other.computation.span != site.computation.span or value is None:
            continue
        if not isinstance(value.body, Apply) or value.span != site.value.span:  # type: ignore[union-attr]
            continue
        try:
            form = softmax_form(value)
        except TooLarge:
            return None
        if form is None or not isinstance(form.scores, Read) or len(form.scores.subs) < place:
            continue
        if place == 1 and len(form.scores.subs) != 2:
            continue
        chosen = form.axes == (form.scores.subs[-place],)
        if chosen and only(value.body, form.scores.value):
            return replace(other, waived=site.waived), form, form.scores.value
    return None


def _selected(site: Site) -> Match | None:
    """The match of a logarithm of elements that are picked out of a softmax."""
    picked = logarithm_of_picked(site)
    if picked is None or not isinstance(value := site.lifted.lifter.values.get(picked), Value):
        return None
    try:
        # A cast after the softmax is no part of it.
        plain = isinstance(value.body, Apply) and value.body.op == "div"
        form = softmax_form(value) if plain else None
    except TooLarge:
        return None
    if form is None or form.kind != "softmax":
        return None
    return SoftmaxRegion(replace(site, value=value), replace(form, kind="log_softmax"), (),
                   picked=picked).match()  # fmt: skip


def _closed(site: Site, value: Value, used: dict[int, Loop]) -> Value:
    """``value`` with the results of loops that it reads said without the loops."""
    closed = closed_results(site.lifted) if site.lifted.lifter.loops else None
    if closed is None or not closed.values or value.body is None:
        return value
    body = closed.close(value.body, used)
    return replace(value, body=body) if used else value


def _loop(site: Site) -> Match | None:
    """A loop that is a softmax itself: the running maximum and the rescaled sum, or elements that
    are divided by the sum of all. What its results are used for is met as an expression."""
    assert site.loop is not None
    closed = closed_results(site.lifted)
    if any(loop is site.loop for loop in closed.online):
        sums = len(site.loop.scan.carries) - 1
        kept = "a sum that is" if sums == 1 else f"{sums} sums that are"
        what = "a log-sum-exp" if sums == 1 else "the sums of a softmax and of what it weights,"
        message = f"the loop keeps a maximum and {kept} rescaled to it: {what} in one pass"
        return Match(site.loop.span, message, site.computation)
    for items in site.loop.lists.values():
        if site.loop.blocked is None and _divided(site, items):
            return Match(site.loop.span, MESSAGES["softmax"], site.computation)
    return None


def _listed(site: Site) -> Match | None:
    """A comprehension whose items are a softmax over them all, or with sums that loops made."""
    items = site.lifted.lifter.values.get(site.node)  # type: ignore[arg-type]
    if isinstance(items, Collected) and _divided(site, items):
        return Match(site.computation.span, MESSAGES["softmax"], site.computation)
    return None


def _divided(site: Site, items: Collected) -> bool:
    """Whether the items of a list are a softmax over them all, or with sums that loops made."""
    if items.prefix:
        return False
    used: dict[int, Loop] = {}
    element = closed_results(site.lifted).close(items.element, used)
    axes = (items.step, *items.axes)
    made = Value("elements", axes, element, items.dtype, "derived", None, items.span)
    try:
        form = softmax_form(made)
    except TooLarge:
        return False
    if form is None or form.kind != "softmax":
        return False
    return bool(used) or form.axes == (items.step,)


def _by_hand(site: Site) -> bool:
    """An operator or a pointwise function, not a call of softmax itself."""
    if not isinstance(site.node, ast.Call) or _stacked(site.node, site):
        return True
    function = site.lifted.lifter.values.get(site.node.func)
    if isinstance(function, Named):
        return function.path.split(".")[-1] in _POINTWISE
    if isinstance(function, Instance):
        return False
    return isinstance(function, Method) and function.name in _POINTWISE


def _stacked(node: ast.Call, site: Site) -> bool:
    """Whether a call puts together what a loop or a comprehension made row by row."""
    known = site.lifted.lifter.values
    return len(node.args) > 0 and isinstance(known.get(node.args[0]), Collected)


_BEFORE = """\
import torch


def weights(scores):
    top = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - top)
    return e / e.sum(dim=-1, keepdim=True)
"""

_AFTER = """\
import torch
from auditor.kernels import online_softmax


def weights(scores):
    return online_softmax(scores, -1)
"""

_LOG_BEFORE = """\
import torch


def log_probabilities(logits):
    shifted = logits - logits.amax(1, keepdim=True)
    return shifted - shifted.exp().sum(1, keepdim=True).log()
"""

_LOG_AFTER = """\
import torch


def log_probabilities(logits):
    return torch.log_softmax(logits, 1)
"""

_SUM_BEFORE = """\
import torch


def free_energy(energies, beta: float):
    x = -beta * energies
    c = x.amax(dim=-1)
    return (c + (x - c[..., None]).exp().sum(dim=-1).log()) / beta
"""

_SUM_AFTER = """\
import torch
from auditor.kernels import logsumexp


def free_energy(energies, beta: float):
    x = -beta * energies
    return logsumexp(x, -1) / beta
"""

_STREAM = """\
import torch


def log_sum(scores):
    m = scores[0]
    s = torch.ones_like(m)
    for i in range(1, len(scores)):
        higher = torch.maximum(m, scores[i])
        s = s * torch.exp(m - higher) + torch.exp(scores[i] - higher)
        m = higher
    return m + torch.log(s)
"""

REWRITE = Rewrite(
    code="ASC107",
    name="online-softmax",
    summary="a softmax, log-softmax or log-sum-exp by hand is one operation",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop", ("exponential", "sums"), ("softmax", "logarithm")),
    kernel="auditor.kernels.online_softmax",
    becomes="online_softmax(x, dim)",
    examples=(
        Example("three passes", _BEFORE, _AFTER, "(torch.randn(3, 7),)"),
        Example("log-softmax", _LOG_BEFORE, _LOG_AFTER, "(torch.randn(3, 7),)"),
        Example("log-sum-exp", _SUM_BEFORE, _SUM_AFTER, "(torch.randn(5, 7), 0.5)"),
    ),
    refused=(
        RefusedExample("terms-used", _BEFORE.replace("return e /", "return e, e /")),
        RefusedExample("effects", _BEFORE.replace("    return", "    scores.zero_()\n    return")),
        RefusedExample(
            "gradients",
            _BEFORE.replace("    e =", "    with torch.autocast('cpu'):\n        e ="),
        ),
        RefusedExample("tensors", _STREAM),
    ),
    unmatched=(
        _BEFORE.replace("e / e.sum(dim=-1, keepdim=True)", "e / (e.sum(dim=-1, keepdim=True) + 1)"),
        _BEFORE.replace("e.sum(dim=-1, keepdim=True)", "e.sum(dim=-1)"),
        _BEFORE.replace("return e / e.sum", "return e / e.detach().sum"),
    ),
    inside=True,
)
