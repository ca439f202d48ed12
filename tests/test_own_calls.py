"""What a file passes to its own functions: lists are no arrays, arrays have as many axes."""

from __future__ import annotations

import textwrap

import pytest

from auditor.audit import Options, audit_text
from auditor.verdict import Finding

SCALED = """
    import numpy as np

    def scaled(x, w):
        out = np.zeros(len(x))
        for i in range(len(x)):
            out[i] = x[i] * w
        return out

"""
ROWS = """
    import numpy as np

    def weighted(x, w):
        out = np.empty_like(x)
        for i in range(len(x)):
            out[i] = w[i] * x[i]
        return out

"""
LAYER = """
    import torch
    from torch import nn

    class Decay(nn.Module):
        def forward(self, x, a):
            h = torch.zeros(x.shape[0], x.shape[2])
            out = []
            for t in range(x.shape[1]):
                h = a * h + x[:, t]
                out.append(h)
            return torch.stack(out, 1)

"""


def found(*parts: str) -> Finding:
    text = "\n".join(textwrap.dedent(part) for part in parts)
    report = audit_text(text, "program.py", Options(target="cpu"))
    assert not report.problems
    (finding,) = report.findings
    return finding


def is_safe(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.applicability == "safe"


def reason(finding: Finding) -> str:
    assert finding.fix is not None
    return finding.fix.reason or ""


@pytest.mark.parametrize(
    "calls",
    [
        "print(scaled([1, 2, 3], 2.0))",
        "data = [1.0, 2.0]\nscaled(data, 3.0)",
        "scaled([float(v) for v in '123'], w=2.0)",
        "scaled(x=(1, 2), w=2.0)",
        "scaled(np.zeros(3), 2.0)\nscaled(list(range(3)), 2.0)",
        "if __name__ == '__main__':\n    scaled(np.ones(3).tolist(), 2.0)",
        "def main():\n    values = []\n    for k in range(5):\n        values.append(k)\n"
        "    scaled(values, 2.0)",
        "def test_scaled(n=3):\n    assert scaled(sorted([3, 1]), 2.0)[0] == 2",
    ],
)
def test_a_list_that_is_passed_is_no_array(calls: str) -> None:
    assert is_safe(found(SCALED))
    assert not is_safe(found(SCALED, calls))


@pytest.mark.parametrize(
    "calls",
    [
        "scaled(np.arange(3), 2.0)",
        "rng = np.random.default_rng(0)\nscaled(rng.normal(size=5), 2.0)",
        "def main():\n    x = np.random.rand(7)\n    print(scaled(x, 2.0))",
        "def other(xs):\n    return scaled(xs, 2.0)\n\nscaled(np.zeros(4), 1.0)",
    ],
)
def test_an_array_that_is_passed_has_its_axes(calls: str) -> None:
    finding = found(SCALED, calls)
    assert is_safe(finding)
    assert "`x` has 1 axis, as line" in reason(finding)
    assert "`x` is an array" not in reason(finding)


def test_axes_that_nothing_says_but_a_call() -> None:
    assert not is_safe(found(ROWS))
    finding = found(ROWS, "weighted(np.zeros((4, 3)), np.ones(4))")
    assert is_safe(finding)
    assert "w[: len(x), None]" in finding.fix.edits[0].content  # type: ignore[union-attr]


def test_calls_that_do_not_agree() -> None:
    both = "weighted(np.zeros((4, 3)), np.ones(4))\nweighted(np.zeros(4), np.ones(4))"
    assert not is_safe(found(ROWS, both))
    either = """
        import numpy as np

        def doubled(x):
            out = np.empty_like(x)
            for i in range(len(x)):
                out[i] = 2.0 * x[i]
            return out

        doubled(np.zeros(3))
        doubled(np.zeros((3, 2)))
    """
    assert is_safe(found(either))  # the same for both


SUMS = """
    import torch

    def sums(x):
        s = torch.zeros(x.shape[0])
        for i in range(x.shape[0]):
            s[i] = x[i].sum(0)
        return s

"""


@pytest.mark.parametrize(
    "calls",
    [
        "a = torch.randn(3)\nsums(a)\na = torch.randn(3, 4)\nsums(a)",
        "for a in [torch.randn(3), torch.randn(3, 4)]:\n    sums(a)",
        "for a in [torch.randn(3, 4), torch.randn(3)]:\n    print(sums(x=a))",
        "print([sums(a) for a in (torch.randn(3), torch.randn(3, 4))])",
        "def main():\n    for a in [torch.randn(3), torch.randn(3, 4)]:\n        sums(a)",
    ],
)
def test_a_call_that_passes_what_no_assumption_allows(calls: str) -> None:
    assert is_safe(found(SUMS, "sums(torch.randn(3, 4))"))
    finding = found(SUMS, calls)
    assert not is_safe(finding)
    assert "the result differs for what line" in reason(finding)


@pytest.mark.parametrize("items", ["[1.0, 2.0], np.ones(3)", "np.ones(3), [1.0, 2.0]"])
def test_a_call_that_passes_a_list_in_some_run(items: str) -> None:
    assert not is_safe(found(SCALED, f"for a in [{items}]:\n    scaled(a, 2.0)"))


def test_a_call_that_passes_the_same_kind_in_each_run() -> None:
    finding = found(SCALED, "for a in [np.zeros(3), np.ones(5)]:\n    scaled(a, 2.0)")
    assert is_safe(finding)
    assert "`x` has 1 axis, as line" in reason(finding)


def test_what_the_function_says_itself_comes_first() -> None:
    said = SCALED.replace("(x, w):", '(x, w):\n        """x: (N,)"""')
    finding = found(said, "scaled(np.zeros((3, 2)), 2.0)")
    assert not is_safe(finding)
    assert "the result differs for what line" in reason(finding)


@pytest.mark.parametrize(
    "calls",
    [
        "Decay()(torch.randn(2, 5, 3), torch.rand(3))",
        "model = Decay().to('cpu')\nmodel(torch.randn(2, 5, 3), a=torch.rand(3))",
        "net = Decay()\nnet.eval()\nnet.forward(torch.randn(2, 5, 3), torch.rand(3))",
    ],
)
def test_methods_of_objects(calls: str) -> None:
    finding = found(LAYER, calls)
    assert is_safe(finding)
    assert "`a` has 1 axis, as line" in reason(finding)


@pytest.mark.parametrize(
    "calls",
    [
        "def scaled2(x, w):\n    pass\n\nscaled2([1], 2.0)",
        "class A:\n    def scaled(self, x, w):\n        return w\n\nA().scaled([1], 2.0)",
        "def user(scaled):\n    return scaled([1], 2.0)",
        "def inner():\n    def scaled(x, w):\n        return w\n    scaled([1], 2.0)",
    ],
)
def test_calls_of_others(calls: str) -> None:
    assert is_safe(found(SCALED, calls))
