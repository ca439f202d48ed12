"""Zeros that are stored and multiplied like other numbers.

Finds products of an operand that is mostly zeros for a reason that the code states: a weight times
a mask that is kept as a buffer (``F.linear(x, self.weight * self.mask)``), a sparse matrix that is
made dense for the product (``a.to_dense() @ x``, ``a.toarray() @ x``), blocks put on a diagonal
(``block_diag(*weights) @ x``), numbers put on a few diagonals (``np.eye(n, k=1) - np.eye(n)``) or
at places that data lists (``A[src, dst] = 1; A @ x``), what a ReLU gave of more than the module's
own weights times a matrix (``relu(x @ w) @ u``); and embeddings of 100,000 rows or more whose
gradient is dense.

Legal because what is multiplied by zero adds nothing.

Pays by how many entries are not zero, which is not in the code. Counted in what is moved: a stored
entry takes its number and its place, 12 bytes instead of 4. So a product with one vector pays below
a third of entries that are not zero; one with many vectors, where a dense product makes some 30
multiplications for each number that it moves, below about one in 30. Zeros in blocks, or two of
every four (``torch.sparse.to_sparse_semi_structured``), pay earlier. For inference, a mask is
applied to the weight once and for all.

Advice only: how many zeros there are is in the data. The gradient of an embedding touches the rows
that were looked up: with ``sparse=True`` only those are stored, which some optimisers do not take.

Sources: Hoefler et al., "Sparsity in Deep Learning" (2021), section 7; the documentation of
``torch.sparse`` and ``torch.nn.Embedding``.
"""

from __future__ import annotations

import ast
import re

from auditor.matrices.zeros import stored_zeros
from auditor.notation import Computation
from auditor.rewrite import Match, Rewrite, Site
from auditor.verdict import Verdict

_WORDS = re.compile(
    r"block_diag|to_dense|toarray|todense|relu|Embedding|\*\s*self\.|zeros\(|eye\(|diag\("
)
_FEW = "pays below a third of entries that are not zero for one vector, one in 30 for many"
_SAID = {
    "densified": "`{}` stores the zeros of a sparse matrix for a product: the product with the"
    f" matrix as it was {_FEW}",
    "blocks": "`{}` is zero outside of the blocks on its diagonal: each multiplies its own part"
    " (`bmm`, where they are of one size)",
    "diagonals": "`{}` is zero but on a few diagonals: each adds a multiple of a part of what it is"
    " multiplied with (`y[:-1] += a * x[1:]`)",
    "listed": "`{}` is zero but at the places that are listed: what each adds goes to its row"
    f" (`index_add_`, `np.add.at`), or, stored sparse, the product {_FEW}",
    "masked": "`{}` stores what a mask leaves out, and makes it again at every call: for inference"
    f" once will do; stored sparse it {_FEW}",
    "rectified": f"`{{}}` is zero where the ReLU was not reached: skipping these {_FEW}",
    "gradients": "the gradient of `{}` is as large as the table and zero but at the rows that were"
    " looked up: with `sparse=True` only these are stored",
}


def find(site: Site) -> Match | None:
    """The match of a function, or None."""
    function, module = site.lifted.node, site.lifted.module
    if not site.again or site.node is not None or not isinstance(function, ast.FunctionDef):
        return None
    if _WORDS.search(module.source(function)) is None:
        return None
    found = next(stored_zeros(module, function, site.lifted.lifter.klass), None)
    if found is None:
        return None
    span = module.span(found.node)
    return Match(
        span=span,
        message=_SAID[found.kind].format(found.part),
        computation=Computation("expression", site.lifted.scope, span, ()),
        gains={"any": 2.0},
        verdicts={
            "sparsity": Verdict(
                "partial", "structure", f"`{found.part}` is zero in places that the data decides"
            )
        },
    )


_MASKED = """\
import torch
from torch import nn
import torch.nn.functional as F


class Pruned(nn.Module):
    def __init__(self, size: int, mask):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(size, size))
        self.register_buffer("mask", mask)

    def forward(self, x):
        return F.linear(x, self.weight * self.mask)
"""

REWRITE = Rewrite(
    code="SPA407",
    name="stored-zeros",
    summary="zeros that are stored and multiplied like other numbers",
    doc=__doc__,
    properties=("sparsity",),
    find=find,
    seeks=("zeros",),
    fix="advice",
    becomes="a sparse layout, sparse=True",
    unmatched=(
        _MASKED.replace("self.weight * self.mask", "self.weight"),
        _MASKED.replace("self.weight * self.mask", "self.weight + self.mask"),
        _MASKED.replace('register_buffer("mask", mask)', 'register_buffer("mask", scale)'),
        _MASKED.replace("F.linear(x, self.weight * self.mask)", "self.weight * self.mask"),
    ),
    again=True,
)
