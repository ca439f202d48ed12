"""Functions that a compiler makes machine code of are left alone: their loops cost nothing."""

from __future__ import annotations

import pytest

from auditor import audit

BODY = """\
def smooth(x: np.ndarray):
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(1, n - 1):
        out[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return out
"""
IMPORTS = "import numpy as np\nimport numba as nb\nfrom numba import njit\nimport functools\n\n\n"
INNER = f"""\
@njit
def whole(x):
{"".join(f"    {line}" for line in BODY.splitlines(keepends=True))}
    return smooth(x)
"""


@pytest.mark.parametrize(
    "text",
    [
        IMPORTS + "@njit\n" + BODY,
        IMPORTS + "@nb.jit(nopython=True, parallel=True)\n" + BODY,
        IMPORTS + "@functools.lru_cache\n@nb.njit(cache=True)\n" + BODY,
        IMPORTS + INNER,
        "import numpy as np\n\n\n# pythran export smooth(float64[])\n" + BODY,
        IMPORTS + BODY + "\n\nfast = nb.njit(smooth)\n",
        IMPORTS + BODY + "\n\nfast = nb.jit(nopython=True)(smooth)\n",
        IMPORTS + BODY + "\n\nfast, other = map(njit, [smooth, abs])\n",
        IMPORTS + BODY + '\n\ntable = {"smooth": njit(smooth)}\n',
        IMPORTS + BODY + "\n\nplain = smooth\nfast = njit(plain)\n",
        IMPORTS + BODY + "\n\nfor each in (smooth,):\n    njit(each)\n",
        IMPORTS + BODY + "\n\ndef main(x):\n    return njit(smooth)(x)\n",
        IMPORTS + BODY + "\n\n@njit\ndef main(x):\n    return smooth(x)\n",
        IMPORTS + "fast = njit(cache=True)\n\n\n@fast\n" + BODY,
        IMPORTS + "fast = functools.partial(nb.jit, nopython=True)\n\n\n@fast\n" + BODY,
        IMPORTS + "@functools.partial(nb.jit, nopython=True)\n" + BODY,
        IMPORTS + "def fast(f):\n    return njit(f, cache=True)\n\n\n@fast\n" + BODY,
        "import numpy as np\nimport dace\n\n\n@dace.program\n" + BODY,
        "import numpy as np\nimport jax\n\n\n@jax.jit\n" + BODY,
        "import numpy as np\nfrom cupyx import jit\n\n\n@jit.rawkernel()\n" + BODY,
        "import numpy as np\nfrom settings import njit\n\n\n@njit\n" + BODY,
        "import numpy as np\n\n\n" + BODY + "\n\ndef main(x):\n    import numba\n\n"
        "    return numba.njit(smooth)(x)\n",
    ],
)
def test_a_compiled_function_is_left_alone(text: str) -> None:
    report = audit.audit_text(text, "program.py", audit.Options(everything=True))
    assert not report.problems
    assert not report.findings
    assert "the function is compiled to machine code" in {c.refused for c in report.computations}


@pytest.mark.parametrize(
    "text",
    [
        IMPORTS + BODY,
        IMPORTS + "@functools.lru_cache\n" + BODY,
        IMPORTS + "@njit\ndef other(x):\n    return x\n\n\n" + BODY,
        IMPORTS + "# faster than a pythran export of the same\n" + BODY,
        IMPORTS + BODY + "\n\ndef other(x):\n    return x\n\n\nfast = njit(other)\n"
        "y = fast(smooth(np.ones(5)))\n",
        IMPORTS + BODY + "\n\nkept = nb.typed.List(smooth(np.ones(5)))\n",
    ],
)
def test_a_function_beside_one_is_not(text: str) -> None:
    report = audit.audit_text(text, "program.py", audit.Options())
    assert [finding.code for finding in report.findings] == ["LOC302"]


ATTENTION = """\
import torch
from torch import nn


{before}def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    return torch.softmax(q @ k.transpose(-2, -1), dim=-1) @ v


class Layer(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        return attend(q, k, v)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Layer()

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        return self.layer(q, k, v)


{after}
"""
USED = "@torch.jit.script\ndef run(q, k, v):\n    return {called}(q, k, v)\n"
IGNORED = "@torch.jit.ignore\ndef apart(q, k, v):\n    return attend(q, k, v)\n\n\n"


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("@torch.jit.script\n", "", True),
        ("", USED.format(called="attend"), True),
        ("", "scripted = torch.jit.script(Layer())", True),
        ("", "def build():\n    model = Model()\n    return torch.jit.script(model)", True),
        ("", "", False),
        ("", "scripted = torch.jit.script(nn.ReLU())", False),
        ("", IGNORED + USED.format(called="apart"), False),
    ],
)
def test_what_torchscript_goes_on_to_read_is_left_alone(
    before: str, after: str, left: bool
) -> None:
    text = ATTENTION.format(before=before, after=after)
    report = audit.audit_text(text, "program.py", audit.Options())
    assert not report.problems
    assert ([finding.code for finding in report.findings] == []) is left
