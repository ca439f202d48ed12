"""Products of two of a module's own matrices, taken once instead of at every call.

Finds ``W1 @ W2`` of parameters and buffers in a method, on its own or in a chain with an input, in
whichever association (``x @ W1 @ W2``, ``F.linear(F.linear(x, W1), W2)``, ``einsum``), and two
linear layers in a row with nothing between them.

Legal because the product is associative, and because the factors are the module's own: no method
but the constructor binds them anew.

Pays where nothing is trained: the product of n rows costs n d e multiplications instead of
n r (d + e), for matrices of d x r and r x e. A bottleneck is the better form: where r (d + e) is
not above d e, the two thin products stay. Where the sizes are not known nothing is said, unless the
code multiplies the two matrices with one another at every call as it stands.

The fix is unsafe. Its kernel takes the product anew wherever a gradient is wanted or a factor has
changed, so that training, loading and moving a module stay right. But a write that torch does not
count (through ``.data`` or ``.numpy()``) is not seen, the product takes memory of its own, and of
two layers the hooks are not run any more.

Sources: Cormen, Leiserson, Rivest and Stein, "Introduction to Algorithms", section 15.2; Hu et al.,
"LoRA" (2021), section 4.1, on merging weights for inference.
"""

from __future__ import annotations

import ast

from auditor.matrices.constant_factors import constant_pair, layers, two_steps
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.surroundings.region import Region


def find(site: Site) -> Match | None:
    """The match of an expression, or None. Raises ``Refused``."""
    if site.loop is not None or site.node is None or site.statement is None:
        return None
    klass = site.lifted.lifter.klass
    if klass is None or getattr(site.lifted.node, "name", "__init__") == "__init__":
        return None
    found = constant_pair(site) or two_steps(site) or layers(site)
    return None if found is None or _updates(site) else found


def _updates(site: Site) -> bool:
    """Whether the product is added to a matrix that the same expression multiplies: what is made
    once is then the sum, which SEP202 tells of."""
    parents, added = Region(site.lifted).parents, False
    at = site.node
    while at is not None and isinstance(above := parents.get(at), ast.expr):
        added |= isinstance(above, ast.BinOp) and isinstance(above.op, (ast.Add, ast.Sub))
        if added and isinstance(above, ast.BinOp) and isinstance(above.op, ast.MatMult):
            return True
        at = above
    return False


_BEFORE = """\
import torch
from torch import nn


class Expand(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Parameter(torch.randn(64, 256) / 16)
        self.down = nn.Parameter(torch.randn(256, 64) / 16)

    def forward(self, x):
        return x @ self.up @ self.down


def expand(x: torch.Tensor):
    torch.manual_seed(0)
    with torch.no_grad():
        return Expand()(x)
"""

_AFTER = _BEFORE.replace(
    "x @ self.up @ self.down", "x @ constant_product(self.up, self.down)"
).replace(
    "from torch import nn", "from auditor.kernels import constant_product\nfrom torch import nn"
)

_LAYERS = """\
import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(32, 128)
        self.out = nn.Linear(128, 16)

    def forward(self, x):
        h = self.hidden(x)
        return self.out(h)


def head(x: torch.Tensor):
    torch.manual_seed(0)
    with torch.no_grad():
        return Head()(x)
"""

_LAYERS_AFTER = (
    _LAYERS.replace("        h = self.hidden(x)\n", "")
    .replace(
        "return self.out(h)",
        "return F.linear(\n            x,\n"
        "            constant_product(self.out.weight, self.hidden.weight),\n"
        "            self.out(self.hidden.bias),\n        )",
    )
    .replace(
        "from torch import nn", "from auditor.kernels import constant_product\nfrom torch import nn"
    )
)

_PAIR = _BEFORE.replace("x @ self.up @ self.down", "torch.relu(self.up @ self.down) * x")

REWRITE = Rewrite(
    code="ASC113",
    name="constant-product",
    summary="a product of a module's own matrices is taken once for inference",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    fix="unsafe",
    kernel="auditor.kernels.constant_product",
    seeks=("products", "constants"),
    becomes="x @ constant_product(self.W1, self.W2)",
    examples=(
        Example("one matrix after the other", _BEFORE, _AFTER, "(torch.randn(5, 64),)"),
        Example("two layers in a row", _LAYERS, _LAYERS_AFTER, "(torch.randn(3, 5, 32),)"),
    ),
    refused=(
        RefusedExample("rank", _BEFORE.replace("256", "8")),
        RefusedExample("rank", _LAYERS.replace("128", "4")),
        RefusedExample("product-used", _BEFORE.replace(
            "return x @ self.up @ self.down",
            "h = x @ self.up\n        return h @ self.down, h",
        )),
        RefusedExample("effects", _BEFORE.replace(
            "return x @ self.up @ self.down",
            "h = x @ self.up\n        refresh(self)\n        return h @ self.down",
        )),
        RefusedExample("gradients", _BEFORE.replace(
            "return x @ self.up @ self.down",
            "h = x @ self.up\n        with torch.no_grad():\n            return h @ self.down",
        )),
        RefusedExample("returned", _PAIR.replace("torch.relu(self.up @ self.down) * x",
                                                 "self.up @ self.down")),
        RefusedExample("written", _PAIR.replace(
            "return torch.relu(self.up @ self.down) * x",
            "w = self.up @ self.down\n        w += 1\n        return torch.relu(w) * x",
        )),
    ),
    unmatched=(
        _BEFORE.replace("x @ self.up @ self.down", "torch.relu(x @ self.up) @ self.down"),
        _BEFORE.replace("    def forward", "    def reset(self):\n        self.up = None\n\n"
                        "    def forward"),
        _LAYERS.replace("self.out(h)", "self.out(F.relu(h))"),
        _LAYERS.replace("nn.Linear(128, 16)", "nn.LayerNorm(128)"),
        _BEFORE.replace("(nn.Module)", ""),
    ),
)  # fmt: skip
