"""Values that have the methods of tensors and arrays, and belong to other libraries."""

from __future__ import annotations

import pytest

from auditor.audit import Options, audit_text

ATTENTION = """
def attend(q{t}, k{t}, v{t}):
    s = q @ k.transpose(-1, -2) * 0.125
    return s.softmax(-1) @ v


def norm(x{t}):
    return x * (x.square().mean(-1, keepdim=True) + 1e-5).rsqrt()
"""

NEIGHBOURS = """
import numpy as np
import pandas as pd


def changes({given}):
    {before}
    out = np.zeros(len(x))
    for i in range(1, len(x)):
        out[i] = x[i] - x[i - 1]
    return out
"""


def applied(text: str) -> list[str]:
    """What is safe to apply."""
    report = audit_text(text, "name.py", Options())
    return [
        one.code or "" for one in report.findings
        if one.fix is not None and one.fix.applicability == "safe"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "imports",
    (
        "from tinygrad import Tensor, nn",
        "import mlx.core as mx",
        "import paddle",
        "from .tensor import Tensor",
        "",
    ),
)
@pytest.mark.parametrize("annotation", ("", ": Tensor"))
def test_tensors_of_other_libraries(imports: str, annotation: str) -> None:
    assert not applied(imports + "\n" + ATTENTION.format(t=annotation))


def test_a_class_of_the_file_with_the_methods_of_tensors() -> None:
    text = "\nclass Tensor:\n" + ATTENTION.format(t="").replace("\n", "\n    ")
    assert not applied(text)


@pytest.mark.parametrize(
    "imports",
    (
        "import torch",
        "import torch.nn.functional as F",
        "from torch import Tensor",
        "import torchvision",
    ),
)
def test_tensors_of_torch(imports: str) -> None:
    assert applied(imports + "\n" + ATTENTION.format(t="")) == ["ASC109", "ASC108"]


@pytest.mark.parametrize(
    ("given", "before"),
    (
        ("x: pd.Series", "pass"),
        ("x: 'np.ndarray | pd.Series'", "pass"),
        ("y", "x = pd.Series(y)"),
        ("y", "x = pd.DataFrame(y).mean(axis=1)"),
        ("df", "x = df['close']"),
        ("prices", "frame = pd.DataFrame(prices); x = frame['close'].diff()"),
        ("x", "smooth = x.rolling(5).mean()"),
    ),
)
def test_what_goes_by_labels_is_no_array(given: str, before: str) -> None:
    assert not applied(NEIGHBOURS.format(given=given, before=before))


@pytest.mark.parametrize(
    ("given", "before"),
    (
        ("x: np.ndarray", "pass"),
        ("x: pd.Series", "x = x.values"),
        ("df", "x = df['close'].to_numpy()"),
        ("y", "frame = pd.DataFrame(y); x = np.asarray(frame['close'])"),
        ("x: pl.Series", "x = np.asarray(x)"),
    ),
)
def test_what_is_made_an_array_is_one(given: str, before: str) -> None:
    assert applied(NEIGHBOURS.format(given=given, before=before)) == ["LOC302"]


def test_items_of_a_series_are_walked_as_before() -> None:
    text = """
import pandas as pd

def total(x: pd.Series):
    s = 0.0
    for c in x:
        s += c
    return s
"""
    assert applied(text) == ["ASC106"]


def test_the_values_of_a_series_are_an_array() -> None:
    text = """
import numpy as np
import pandas as pd

def grown(periods, x: pd.Series):
    out = np.array([0.0])
    for period in periods:
        y = x * period
        out = np.append(out, y{values})
    return out
"""
    assert applied(text.format(values=".values")) == ["RED511"]
    assert not applied(text.format(values=""))


def test_a_frame_stays_a_frame() -> None:
    text = """
import numpy as np
import pandas as pd

def scaled(cov):
    if not isinstance(cov, pd.DataFrame):
        cov = pd.DataFrame(cov)
    inverse = np.diag(1 / np.sqrt(np.diag(cov)))
    return np.dot(inverse, np.dot(cov, inverse))
"""
    assert not applied(text)


ROOT = """
import torch
import torch.nn.functional as F

HAS = {asked}


def norm(x):
    if HAS:
        return F.rms_norm(x, x.shape[-1:], eps=1e-5)
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5)
"""


@pytest.mark.parametrize(
    ("asked", "found"), (('hasattr(F, "rms_norm")', []), ("x_is_short()", ["ASC108"]))
)
def test_what_an_older_library_lacks(asked: str, found: list[str]) -> None:
    assert applied(ROOT.format(asked=asked)) == found
