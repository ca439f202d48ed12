"""Products with a matrix of which k entries a row were chosen, as products with these alone.

Finds ``weights @ values``, ``matmul``, ``bmm`` and ``einsum`` where each row of the weights is zero
but at the places of a top-k: the others were set to minus infinity before a softmax (by a mask that
the places were scattered into, by scattering the values into minus infinity, by comparing the
scores with the last of the best, where they stand or not), multiplied by a mask of zeros and ones,
or the values were scattered into zeros. So attention to the k best keys is written, and the
decoding of sparse autoencoders.

Legal because what is multiplied by zero adds nothing, and the softmax of what is left is that of
the chosen scores alone: ``exp(-inf)`` is zero, and so is that of ``-1e9`` or ``finfo.min`` beside a
score that lies far above, which is assumed then.

Pays where k is a small part of the row: k rows of the values are gathered instead of multiplying
all. The kernel decides by the sizes and multiplies otherwise. The scores are still all computed, to
choose from.

Safe means: equal up to the order of floating-point sums, gradients included; the gradient of a
score that was not chosen is zero in both. Where the scores are compared with the last of the best
(``scores < best[..., -1:]``) all that equal it are kept, here only the k of the top-k: unsafe. So
is a finite fill where the scores may be filled with another one before.
Where a value that is not chosen is infinite or NaN, zero times it is NaN, and here it is left out.
Weights that go through a dropout are no longer known to be zero elsewhere and stay.

Source: Gupta et al., "Memory-efficient Transformers via Top-k Attention" (2021); Gao et al.,
"Scaling and evaluating sparse autoencoders" (2024).
"""

from __future__ import annotations

import ast

from auditor.assumed import assuming
from auditor.experts.chosen import Chosen, chosen
from auditor.experts.mixtures import far_above
from auditor.notation import Computation
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.syntax import constant, infinite, lowest
from auditor.tree import everything_in
from auditor.verdict import Verdict

_LOW = -1e3
_MASKED_BEFORE = "a row whose scores are all masked keeps more than those that are chosen"
_TIES = "the original keeps every score that ties with the k-th best, the new code k scores in all"


def find(site: Site) -> Match | None:
    """The match of a function, or None. Raises ``Refused``."""
    function = site.lifted.node
    if not site.again or site.node is not None or not isinstance(function, ast.FunctionDef):
        return None
    module = site.lifted.module
    if "topk" not in module.text or "topk" not in module.source(function):
        return None
    for one in chosen(site, function):
        match = _match(site, one)
        if match is not None:
            return match
    return None


def _match(site: Site, one: Chosen) -> Match | None:
    operands = one.operands()
    if operands is None:
        return _unsaid(site, one)
    weights, places, values = operands
    autocast = one.region.under_autocast(one.product.node)
    site.require(not autocast, "autocast", "under autocast a product has another dtype")
    span = site.lifted.module.span(one.product.node)
    gate = one.product.made.gate
    tied = gate.tied
    masked = bool(gate.low) and _masked_before(site)
    low = assuming([far_above(gate.low)]) if gate.low else None
    return Match(
        span=span,
        message=f"of each row of the weights all but the entries at `{places}` are zero: only those"
        f" rows of `{values}` are needed",
        computation=Computation("expression", site.lifted.scope, span, ()),
        edits=tuple(sorted(one.edits(f"gather_matmul({weights}, {places}, {values})"))),
        imports=(("auditor.kernels", "gather_matmul"),),
        safe=not tied and not masked and one.supposed is None,
        reason=_TIES if tied else _MASKED_BEFORE if masked else _axes(one, places) or low,
        kernel="auditor.kernels.gather_matmul",
        gains={"any": 2.0},
        counted=True,
        verdicts={
            "sparsity": Verdict(
                "holds", "structure", f"zero but at `{places}`: k of n terms of each sum are left"
            )
        },
    )


def _axes(one: Chosen, places: str) -> str | None:
    """What is supposed of the numbers of axes."""
    if one.supposed is None:
        return None
    return f"nothing says that `{places}` has {one.supposed + 1} axes"


def _unsaid(site: Site, one: Chosen) -> Match:
    """What is said where the code keeps the best scores and not their places."""
    span = site.lifted.module.span(one.product.node)
    shown = "zero but where a score is one of the best: few terms of each sum are left"
    return Match(
        span=span,
        message="of each row of the weights all but those of the best scores are zero: only as many"
        " rows of what they multiply are needed, at the places that the top-k gives too",
        computation=Computation("expression", site.lifted.scope, span, ()),
        gains={"any": 2.0},
        verdicts={"sparsity": Verdict("holds", "structure", shown)},
    )


def _masked_before(site: Site) -> bool:
    """Whether the function may fill a whole row with the finite number that stands for minus
    infinity, or with another: those that are chosen then are no better than the others."""
    module, function = site.lifted.module, site.lifted.node
    fills = [node for node in everything_in(function) if isinstance(node, ast.expr)
             and ((isinstance(number := constant(node), (int, float)) and number < _LOW)
                  or lowest(module, node) or infinite(module, node) < 0)]  # fmt: skip
    inner = {child for node in fills for child in everything_in(node) if child is not node}
    return len([node for node in fills if node not in inner]) > 1


_BEFORE = """\
import torch


def attend(q, k, v, count: int):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    best, places = scores.topk(count, dim=-1)
    kept = torch.full_like(scores, float("-inf")).scatter(-1, places, best)
    weights = kept.softmax(dim=-1)
    return weights @ v
"""

_AFTER = """\
import torch
from auditor.kernels import gather_matmul


def attend(q, k, v, count: int):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    best, places = scores.topk(count, dim=-1)
    return gather_matmul(best.softmax(dim=-1), places, v)
"""

_MASKED = """\
import torch


def attend(q, k, v, count: int):
    scores = torch.matmul(q, k.transpose(-2, -1))
    places = torch.topk(scores, count, dim=-1).indices
    mask = torch.zeros_like(scores, dtype=torch.bool).scatter(-1, places, True)
    scores = scores.masked_fill(~mask, float("-inf"))
    return torch.matmul(torch.softmax(scores, dim=-1), v)
"""

_MASKED_AFTER = """\
import torch
from auditor.kernels import gather_matmul


def attend(q, k, v, count: int):
    scores = torch.matmul(q, k.transpose(-2, -1))
    places = torch.topk(scores, count, dim=-1).indices
    mask = torch.zeros_like(scores, dtype=torch.bool).scatter(-1, places, True)
    scores = scores.masked_fill(~mask, float("-inf"))
    return gather_matmul(scores.gather(-1, places).softmax(dim=-1), places, v)
"""

_CASES = (
    "((torch.randn(2, 3, 4, requires_grad=True), torch.randn(2, 70, 4), torch.randn(2, 70, 5), 2),"
    " (torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2), 3))"
)

REWRITE = Rewrite(
    code="SPA405",
    name="top-k-attention",
    summary="a product with k entries a row gathers what they meet",
    doc=__doc__,
    properties=("sparsity",),
    find=find,
    seeks=("chosen",),
    kernel="auditor.kernels.gather_matmul",
    becomes="gather_matmul(best.softmax(-1), places, v)",
    examples=(
        Example("scattered into minus infinity", _BEFORE, _AFTER, _CASES),
        Example("masked", _MASKED, _MASKED_AFTER, _CASES),
    ),
    refused=(
        RefusedExample("autocast", _BEFORE.replace(
            "    return", "    with torch.autocast('cpu'):\n        return")),
    ),
    unmatched=(
        _AFTER,
        _MASKED_AFTER,
        _BEFORE.replace('float("-inf")', "0.0"),
        _BEFORE.replace("kept.softmax(dim=-1)", "kept.softmax(dim=-2)"),
        _BEFORE.replace("kept.softmax(dim=-1)", "torch.dropout(kept.softmax(dim=-1), 0.1, True)"),
        _MASKED.replace("masked_fill(~mask", "masked_fill(mask"),
    ),
    again=True,
)  # fmt: skip
