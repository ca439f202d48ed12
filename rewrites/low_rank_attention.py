"""Full attention over long sequences in inference code.

Finds ``scaled_dot_product_attention`` without a mask over 16384 places or more, by sizes that the
code states, where it says itself that no gradient is wanted.

Why it may pay: n places cost n^2 products. Where a softmax of scores has a low numerical rank, keys
and values projected to r places (Linformer) or features of the exponential (Performer) give nearly
the same for n r.

Advice only: how low the rank is lies in the weights and the data, not in the code. Projections have
to be trained; random features of r have an error that falls with the root of r.

Sources: Wang et al., "Linformer: Self-Attention with Linear Complexity" (2020); Choromanski et al.,
"Rethinking Attention with Performers" (2021).
"""

from __future__ import annotations

import ast

from auditor.arrays.stated_sizes import long_attention
from auditor.notation import Computation
from auditor.rewrite import Match, Rewrite, Site

LEAST = 16384
"""Places from which on n^2 products take most of the time beside the layers around them."""


def find(site: Site) -> Match | None:
    """The match of a function, or None."""
    function = site.lifted.node
    if not site.again or site.node is not None or not isinstance(function, ast.FunctionDef):
        return None
    found = long_attention(site.lifted, function, LEAST)
    if found is None:
        return None
    span = site.lifted.module.span(found.node)
    return Match(
        span=span,
        message=f"each of {found.queries} places attends to {found.keys}: where the scores have a"
        f" low rank, 256 projected places (Linformer) or random features (Performer) do with"
        f" {found.keys // 256} times fewer products, at an error that has to be measured",
        computation=Computation("expression", site.lifted.scope, span, ()),
        gains={"any": found.keys / 512},
    )


_LONG = """\
import torch
import torch.nn.functional as F


@torch.no_grad()
def attend():
    q = torch.randn(1, 8, 32768, 64)
    k = torch.randn(1, 8, 32768, 64)
    v = torch.randn(1, 8, 32768, 64)
    return F.scaled_dot_product_attention(q, k, v)
"""

REWRITE = Rewrite(
    code="SEP208",
    name="low-rank-attention",
    summary="full attention over long sequences in inference code may have a low rank",
    doc=__doc__,
    properties=("separability",),
    find=find,
    seeks=("again",),
    fix="advice",
    becomes="projected keys and values, or random features",
    unmatched=(
        _LONG.replace("@torch.no_grad()\n", ""),
        _LONG.replace("32768", "2048"),
        _LONG.replace("q, k, v)\n", "q, k, v, is_causal=True)\n"),
        _LONG.replace("k = torch.randn(1, 8, 32768, 64)", "k = torch.randn(1, 8, 77, 64)"),
    ),
    again=True,
)
