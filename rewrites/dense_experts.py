"""Mixtures of experts in which every expert runs on every token, as a call of those that a token
chose.

Finds sums over all modules of a list of what each gives for the tokens, times a gate that is zero
where a token did not choose the module: stacked and weighted (by a product and a sum, ``einsum``,
``bmm``), or added up by a loop or by ``sum``. The gate is zero elsewhere because a top-k, a maximum
or an ``argmax`` was scattered into zeros, because of a mask or one-hot vectors of these, because
minus infinity stands elsewhere under a softmax, or because the places of each token are compared
with the expert's number (``(weights * (chosen == e)).sum(-1)``, ``(best == e)[:, None]``). Or what
they give is picked at the chosen places (``gather``, ``outputs[arange(n), best]``).

Legal because what is multiplied by zero adds nothing, and because the experts treat each row on its
own: the constructor of the class says what they are made of, and their own classes what they
compute. k of n experts are applied to a token.

Pays as n to k, as soon as the tokens are many enough for the products to matter.

Safe means: equal up to the order of floating-point sums, gradients included. The gradient of a gate
at an expert that was not chosen goes nowhere in what was found. An expert that no token chose has
gradients of zero, as before. Where an expert gives infinity or NaN for a token that did not choose
it, zero times that is NaN, and here it is left out. Experts that draw random numbers (dropout),
take statistics over tokens (batch norm), write into them or are not made in this file stay; where
only that is in the way, the finding says so.

Experts may also be the slices of arrays that ``einsum`` multiplies with every token, with a second
product behind an activation, gated or not: these become a call of ``moe``.

A loop in which every expert is given its own tokens (one-hot vectors, ``torch.where``,
``index_add_``) is sparse already. What is gained is one sort instead of a look-up and a
synchronisation an expert, and without gradients the experts that nobody chose: much for few tokens
and many experts, as in generation, little for many tokens. Where it leaves out experts without
tokens, their parameters have no gradient, as before (``skip_empty``). A loop over tokens, of which
each calls the experts that it chose, gives each expert one row at a time, and all of its rows at
once afterwards.

Modules may be in a ``ModuleList`` or in a ``ModuleDict``. What they are is read through functions
and methods of the file that make them, and through lists of layers that are filled.

Source: Shazeer et al., "Outrageously Large Neural Networks: The Sparsely-Gated Mixture-of-Experts
Layer" (2017); Gale et al., "MegaBlocks" (2022).
"""

from __future__ import annotations

import ast
from dataclasses import replace

from auditor.assumed import assuming
from auditor.experts.each_row import Doubt
from auditor.experts.mixtures import Mixed, mixtures
from auditor.notation import Computation
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site
from auditor.verdict import Verdict


def find(site: Site) -> Match | None:
    """The match of a method, or None. Raises ``Refused``."""
    function, klass = site.lifted.node, site.lifted.lifter.klass
    if not site.again or site.node is not None or not isinstance(function, ast.FunctionDef):
        return None
    for mixed in mixtures(site, klass, function):
        match = _match(site, mixed)
        if match is not None:
            return match
    return None


def _match(site: Site, mixed: Mixed) -> Match | None:
    operands = mixed.operands()
    if operands is None:
        return None
    experts, tokens, places, weights = operands
    mixture = mixed.found.mixture
    doubt = mixed.doubt()
    if doubt is not None:
        advice = None
        if not mixture.sparse and doubt.condition in ("experts", "random"):
            advice = _told(site, mixed, experts, places, f"; left as it is: {doubt.reason}")
        _require(site, doubt, advice)
    site.require(
        not mixed.other_context(),
        "gradients",
        "the experts run in another block than what adds them up",
    )
    used, effect = mixed.elsewhere(), mixed.effect()
    site.require(used is None, "results-used", used or "")
    site.require(effect is None, "effects", effect or "")
    kernel = "routed_experts" if mixture.stack is None else "moe"
    if mixture.stack is None:
        skips = ", skip_empty=True" if mixture.skips else ""
        call = f"{kernel}({experts}, {tokens}, {places}, {weights}{skips})"
    else:
        autocast = "autocast" in site.lifted.module.text
        site.require(not autocast, "autocast", "under autocast products have another dtype")
        options = mixed.options()
        if options is None:
            return None
        call = f"{kernel}({tokens}, {places}, {weights}, {experts}{options})"
    return replace(
        _told(site, mixed, experts, places),
        edits=tuple(sorted(mixed.edits(call), key=lambda edit: edit.span)),
        imports=(("auditor.kernels", kernel),),
        reason=assuming(mixed.assumed),
        kernel=f"auditor.kernels.{kernel}",
    )


def _told(site: Site, mixed: Mixed, experts: str, places: str, more: str = "") -> Match:
    """What is said of a mixture, without a fix."""
    span, mixture = site.lifted.module.span(mixed.found.node), mixed.found.mixture
    sparse, stack = mixture.sparse, mixture.stack
    named = "`, `".join(f"self.{name}" for name in mixture.lists) if stack is None else experts
    message = _SPARSE if sparse else _DENSE if stack is None else _STACKED
    if mixture.one_by_one:
        message = _ONE_BY_ONE
    return Match(
        span=span,
        message=message.format(named) + more,
        computation=Computation("expression", site.lifted.scope, span, ()),
        gains={"any": 1.5 if sparse and not mixture.one_by_one else 4.0},
        counted=True,
        verdicts={
            "sparsity": Verdict(
                "holds", "structure", f"the gate is zero but at `{places}`: k of n terms are left"
            )
        },
    )


def _require(site: Site, doubt: Doubt, advice: Match | None) -> None:
    try:
        site.require(False, doubt.condition, doubt.reason)
    except Refused as refusal:
        refusal.advice = advice
        raise


_DENSE = (
    "every module of `{}` runs on every token, and all but those that a token chose are multiplied"
    " by zero: these need not run"
)
_SPARSE = (
    "the tokens of each module of `{}` are looked for one module after the other: sorted once, they"
    " are found for all"
)
_ONE_BY_ONE = (
    "the modules of `{}` are given one token at a time: sorted by these, each is called once with"
    " all of its tokens"
)
_STACKED = (
    "the matrices of all experts, `{}`, meet every token, and all but those that a token chose are"
    " multiplied by zero: these need not be"
)
_BEFORE = """\
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, size: int, count: int, chosen: int):
        super().__init__()
        self.chosen = chosen
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList(
            [nn.Sequential(nn.Linear(size, 8), nn.GELU(), nn.Linear(8, size)) for _ in range(count)]
        )

    def forward(self, x):
        scores = self.router(x)
        best, places = scores.topk(self.chosen, dim=-1)
        gates = torch.zeros_like(scores).scatter(-1, places, best.softmax(dim=-1))
        outputs = torch.stack([expert(x) for expert in self.experts], dim=-2)
        return (gates.unsqueeze(-1) * outputs).sum(dim=-2)


def run(x):
    torch.manual_seed(0)
    return Mixture(4, 5, 2)(x)
"""

_AFTER = (
    _BEFORE.replace(
        "import torch\n", "import torch\nfrom auditor.kernels import routed_experts\n", 1
    )
    .replace("        outputs = torch.stack([expert(x) for expert in self.experts], dim=-2)\n", "")
    .replace(
        "(gates.unsqueeze(-1) * outputs).sum(dim=-2)",
        "routed_experts(self.experts, x, places, gates.gather(-1, places))",
    )
)

_LOOP = """\
import torch
from torch import nn


class Expert(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.gate = nn.Linear(size, 8)
        self.up = nn.Linear(size, 8)
        self.down = nn.Linear(8, size)

    def forward(self, x):
        return self.down(nn.functional.silu(self.gate(x)) * self.up(x))


class Mixture(nn.Module):
    def __init__(self, size: int, count: int):
        super().__init__()
        self.router = nn.Linear(size, count)
        self.experts = nn.ModuleList([Expert(size) for _ in range(count)])

    def forward(self, x):
        weights, chosen = self.router(x).softmax(dim=-1).topk(2, dim=-1)
        weights = weights / weights.sum(dim=-1, keepdim=True)
        out = torch.zeros_like(x)
        for e, expert in enumerate(self.experts):
            share = (weights * (chosen == e)).sum(dim=-1, keepdim=True)
            out += share * expert(x)
        return out


def run(x):
    torch.manual_seed(0)
    return Mixture(4, 5)(x)
"""

_LOOP_AFTER = _LOOP.replace(
    "import torch\n", "import torch\nfrom auditor.kernels import routed_experts\n", 1
).replace(
    """\
        for e, expert in enumerate(self.experts):
            share = (weights * (chosen == e)).sum(dim=-1, keepdim=True)
            out += share * expert(x)
""",
    "        out += routed_experts(self.experts, x, chosen, weights)\n",
)

_STACK = """\
import torch
import torch.nn.functional as F


def mixed(x, w1, w2, router):
    scores = x @ router
    best, places = scores.topk(2, dim=-1)
    gates = torch.zeros_like(scores).scatter(-1, places, best.softmax(dim=-1))
    hidden = F.gelu(torch.einsum("td,ndh->tnh", x, w1))
    outputs = torch.einsum("tnh,nho->tno", hidden, w2)
    return (gates.unsqueeze(-1) * outputs).sum(dim=-2)
"""

_STACK_AFTER = """\
import torch
import torch.nn.functional as F
from auditor.kernels import moe


def mixed(x, w1, w2, router):
    scores = x @ router
    best, places = scores.topk(2, dim=-1)
    gates = torch.zeros_like(scores).scatter(-1, places, best.softmax(dim=-1))
    return moe(x, places, gates.gather(-1, places), w1, w2, activation=F.gelu)
"""

REWRITE = Rewrite(
    code="SPA403",
    name="dense-experts",
    summary="a mixture of experts runs those that a token chose, not all of them",
    doc=__doc__,
    properties=("sparsity",),
    find=find,
    seeks=("routing",),
    kernel="auditor.kernels.routed_experts",
    becomes="routed_experts(self.experts, x, places, weights)",
    examples=(
        Example("stacked and weighted", _BEFORE, _AFTER,
                "((torch.randn(3, 4, requires_grad=True),), (torch.randn(2, 1, 4),))"),
        Example("a loop of shares", _LOOP, _LOOP_AFTER, "((torch.randn(2, 3, 4),),)"),
        Example("experts in arrays", _STACK, _STACK_AFTER,
                "((torch.randn(6, 4), torch.randn(5, 4, 3), torch.randn(5, 3, 2),"
                " torch.randn(4, 5)),)"),
    ),
    refused=(
        RefusedExample("random", _BEFORE.replace("nn.GELU()", "nn.Dropout(0.1)")),
        RefusedExample("rows", _BEFORE.replace("nn.GELU()", "nn.BatchNorm1d(8)")),
        RefusedExample("experts", _BEFORE.replace("nn.GELU()", "Gated()")),
        RefusedExample("experts", _LOOP.replace("* self.up(x)", "* self.up(x).mean(0)")),
        RefusedExample("hooks", _LOOP.replace(
            "\n\ndef run(x):", "\n\nMixture.register_forward_hook\n\n\ndef run(x):")),
        RefusedExample("written", _BEFORE.replace(
            "nn.Linear(size, 8), nn.GELU()", "nn.ReLU(inplace=True), nn.Linear(size, 8)")),
        RefusedExample("results-used", _BEFORE.replace("sum(dim=-2)", "sum(dim=-2), outputs")),
        RefusedExample("gradients", _BEFORE.replace(
            "        outputs =", "        with torch.no_grad():\n            outputs =")),
        RefusedExample("autocast", _STACK.replace(
            "def mixed", "@torch.autocast('cpu')\ndef mixed")),
        RefusedExample("effects", _LOOP.replace(
            "            out +=", "            seen = self.note()\n            out +=")),
    ),
    unmatched=(
        _AFTER,
        _LOOP_AFTER,
        _STACK_AFTER,
        _STACK.replace("F.gelu(torch.einsum", "F.softmax(torch.einsum").replace("w1))", "w1), -1)"),
        _STACK.replace("best.softmax(dim=-1))", "best.softmax(dim=-1)) + 1"),
        _BEFORE.replace("torch.zeros_like(scores).scatter", "scores.scatter"),
        _BEFORE.replace("gates.unsqueeze(-1) *", "scores.softmax(-1).unsqueeze(-1) *"),
        _LOOP.replace("chosen == e", "chosen >= e"),
        _LOOP.replace("enumerate(self.experts)", "enumerate(self.experts[:2])"),
    ),
    again=True,
)  # fmt: skip
