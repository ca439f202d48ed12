"""What is remembered of a tree is what the tree holds once a file is read."""

from __future__ import annotations

import ast
import copy

import pytest

from auditor.lift.module import read
from auditor.tree import OfNodes, descendants, everything_in

RESPELLED = [
    "import numpy as np\ndef f(x, k, n):\n    for i in np.arange(0, k):\n        x[i] = n[i] / 2\n",
    "from numpy import arange\nfor i in reversed(arange(9)):\n    out[i] = x[i]\n",
    "def f(xs):\n    out = []\n    for x in xs:\n        out.extend([x])\n    return out\n",
    "import torch\ndef f(x, y):\n    x = torch.exp(x).add_(y)\n    return x\n",
]


@pytest.mark.parametrize("text", RESPELLED)
def test_what_is_below_a_node_is_what_it_holds(text: str) -> None:
    module = read(text)
    assert module.respelled
    for node in everything_in(module.tree):
        assert list(descendants(node)) == everything_in(node)


def test_what_is_kept_with_a_node_is_not_said_of_its_copy() -> None:
    kept = OfNodes[str]("spelling")
    node = ast.parse("x + y", mode="eval").body
    assert kept.get(node) is None
    assert kept.keep(node, "x + y") == kept.get(node) == "x + y"
    assert OfNodes[str]("another").get(node) is None
    for other in (copy.copy(node), copy.deepcopy(node)):
        assert kept.get(other) is None
        kept.keep(other, "its own")
    assert kept.get(node) == "x + y"
