"""Powers are spaced as formatters space them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from auditor.writing.powers import spaced

WRITTEN = """\
x**2
x.shape[0] ** 2
a[:, 1] ** 2 + b.c**-n
f(x) ** 2
f(x).y ** 2
2 ** f(x)
x ** y[0]
x**-1
x**y**2
(x + 1) ** 2
f(**kwargs)
f(a, **kwargs)
{**a, "b": c**2}
lambda **k: k
"a ** b" + c**2
x  # x ** 2
(a[0] ** 2 + f(
[i**2 for i in x]"""


@pytest.mark.parametrize("text", WRITTEN.splitlines())
def test_powers_are_spaced_as_formatters_do(text: str) -> None:
    assert spaced(text) == text
    if text.count("(") == text.count(")"):
        formatted = subprocess.run(
            [sys.executable, "-m", "ruff", "format", "--isolated", "-"],
            input=f"{text}\n", capture_output=True, text=True,
        )  # fmt: skip
        if formatted.returncode == 0:
            assert formatted.stdout == f"{text}\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a[0]**2", "a[0] ** 2"),
        ("(M ** 2).sum()", "(M**2).sum()"),
        ("y = f(x)**2 + b ** 2\n", "y = f(x) ** 2 + b**2\n"),
        ("x**(n - 1)", "x ** (n - 1)"),
        ("g(\n    a[0]**2,\n    b ** -1\n)", "g(\n    a[0] ** 2,\n    b**-1\n)"),
        ("a[0]**2 + g(", "a[0] ** 2 + g("),
    ],
)
def test_others_are_put_right(text: str, wanted: str) -> None:
    assert spaced(text) == wanted
