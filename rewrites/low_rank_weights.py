"""Weights of a known low rank that are kept as whole matrices.

Finds the product of the first r singular vectors of a matrix where it is put where the matrix was,
given back, or multiplied with something else: ``U[:, :r] @ diag(S[:r]) @ Vh[:r]``, ``(U[:, :r] *
S[:r]) @ Vh[:r]``, an ``einsum``, a sum of outer products, what ``svd_lowrank`` gave. A product that
is only compared with the matrix, or that is made of all vectors, is none.

Why it pays: the product holds m n numbers that r (m + n) tell, and multiplies by as many. Two
layers, of ``Vh[:r]`` and of ``U[:, :r] * S[:r]``, give the same result.

Advice only: the layer becomes two, in the module and in what a checkpoint holds; and r has to be
below m n / (m + n). Whether weights that nobody has decomposed are of low rank is not in the code:
nothing is said of them.

Sources: Denton et al., "Exploiting Linear Structure Within Convolutional Networks for Efficient
Evaluation" (2014); Eckart and Young, "The approximation of one matrix by another of lower rank"
(1936), for the error: the first singular value that is left out.
"""

from __future__ import annotations

import ast

from auditor.matrices.singular_vectors import truncated
from auditor.notation import Computation
from auditor.rewrite import Match, Rewrite, Site


def find(site: Site) -> Match | None:
    """The match of a function, or None."""
    function = site.lifted.node
    if not site.again or site.node is not None or not isinstance(function, ast.FunctionDef):
        return None
    found = truncated(site.lifted, function)
    if found is None:
        return None
    return Match(
        span=found.span,
        message=f"`{found.matrix}` is decomposed and put together again from `{found.rank}` of its"
        f" singular vectors: two layers of `{found.rank}` hold the same in fewer numbers, and"
        f" multiply by fewer, where `{found.rank}` is below m n / (m + n)",
        computation=Computation("expression", site.lifted.scope, found.span, ()),
        gains={"any": 2.0},
    )


_CUT = """\
import torch


def compress(layer, rank):
    u, s, vh = torch.linalg.svd(layer.weight, full_matrices=False)
    layer.weight.data = u[:, :rank] @ torch.diag(s[:rank]) @ vh[:rank]
    return layer
"""

REWRITE = Rewrite(
    code="SEP207",
    name="low-rank-weights",
    summary="weights put together from a few singular vectors are two thin layers",
    doc=__doc__,
    properties=("separability",),
    find=find,
    seeks=("again",),
    fix="advice",
    becomes="nn.Sequential(nn.Linear(n, r, bias=False), nn.Linear(r, m))",
    unmatched=(
        _CUT.replace(":rank", ":"),
        _CUT.replace("layer.weight.data = ", "error = layer.weight - "),
        _CUT.replace("[:rank]) @ vh[:rank]", "[:rank]) @ (vh[:rank] @ x)"),
        _CUT.replace(":rank", ": len(s)"),
        _CUT.replace("linalg.svd", "linalg.eig"),
        _CUT.replace("vh[:rank]", "vh[rank:]"),
    ),
    again=True,
)
