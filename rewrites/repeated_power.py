"""Loops that apply one map n times, by repeated squaring.

Finds loops that multiply a carried value by the same factor at every step (numbers, arrays element
by element, square matrices from the left or the right, batches of them), reduced by a modulus or
not, over ``range`` or counting up or down; loops that take the same linear step of integers; folds
of one repeated item; a matrix that is multiplied by itself three times or more in one expression.

Legal because the product is associative: n equal factors are one power, whatever the grouping, and
a power takes about log2(n) products (Egyptian doubling). Powers of one factor commute, so that the
side on which each step multiplies does not matter either.

Pays by the products saved: at most 2 log2(n) instead of n. A matrix that is applied to a vector, or
to fewer columns than it has, stays: n products with a vector cost less than the powers.

Safe means: the same value of the same type. Integers come out exactly, also modulo m and where they
wrap; floats up to rounding, and a product that overflows may do so earlier. Where the loop may make
no step the new code is guarded, so that the start keeps its own type. Partial products that are
kept make it a scan and no power.

Sources: Stepanov and Rose, "From Mathematics to Generic Programming" (2014), chapters 2 and 7;
Knuth, "The Art of Computer Programming", section 4.6.3; the documentation of ``pow``,
``numpy.linalg.matrix_power`` and ``torch.linalg.matrix_power``.
"""

from __future__ import annotations

import ast

from auditor.powers.code import PowerCode
from auditor.powers.folds import FoldCode, fold
from auditor.recurrences.recurrence import LoopRegion
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site


def find(site: Site) -> Match | None:
    """The match of a loop, or None. Raises ``Refused``."""
    if site.loop is None:
        repeated = fold(site)
        return None if repeated is None else FoldCode(site).match(repeated)
    if not isinstance(site.loop.node, (ast.For, ast.While)):
        return None
    if not site.loop.finals or any(key.endswith("[cell]") for key in site.loop.finals):
        return None  # a cell of an array is no name that a power could be given
    return PowerCode(site, LoopRegion(site)).match()


_MATRIX = """\
import torch


def walks(step: torch.Tensor, n: int):
    nodes, _ = step.shape
    reach = torch.eye(nodes, dtype=step.dtype)
    for _ in range(n):
        reach = reach @ step
    return reach
"""

_MATRIX_AFTER = """\
import torch


def walks(step: torch.Tensor, n: int):
    nodes, _ = step.shape
    reach = torch.eye(nodes, dtype=step.dtype)
    if n > 0:
        reach = torch.linalg.matrix_power(step, n)
    return reach
"""

_NUMPY = """\
import numpy as np


def after_a_year(transition: np.ndarray):
    states, _ = transition.shape
    year = np.eye(states)
    for _ in range(365):
        year = np.dot(transition, year)
    return year
"""

_NUMPY_AFTER = """\
import numpy as np


def after_a_year(transition: np.ndarray):
    states, _ = transition.shape
    year = np.eye(states)
    year = np.linalg.matrix_power(transition @ year, 365)
    return year
"""

_GROWTH = """\
def grown(balance: float, rate: float, years: int) -> float:
    for _ in range(years):
        balance *= 1 + rate
    return balance
"""

_GROWTH_AFTER = """\
def grown(balance: float, rate: float, years: int) -> float:
    if years > 0:
        balance *= (1 + rate) ** years
    return balance
"""

_MODULAR = """\
def exponentiate(base: int, exponent: int, modulus: int) -> int:
    result = 1
    while exponent > 0:
        result = result * base % modulus
        exponent -= 1
    return result
"""

_MODULAR_AFTER = """\
def exponentiate(base: int, exponent: int, modulus: int) -> int:
    result = 1
    if exponent > 0:
        result = pow(base, exponent, modulus)
    return result
"""

_FIBONACCI = """\
def fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
"""

_FIBONACCI_AFTER = """\
def fibonacci(n: int) -> int:
    a, b = 0, 1
    p, q = 0, 1
    left = n
    while left > 0:
        if left % 2:
            a, b = p * a + q * b, p * b + q * (a + b)
        if left > 1:
            p, q = p * p + q * q, q * (2 * p + q)
        left //= 2
    return a
"""

_GENERATOR = """\
def skipped(state: int, n: int) -> int:
    for _ in range(n):
        state = (1103515245 * state + 12345) % 2**31
    return state
"""

_REDUCED = """\
import functools
import operator


def power(x: int, n: int) -> int:
    return functools.reduce(operator.mul, [x] * n, 1)
"""

_REDUCED_AFTER = """\
import functools
import operator


def power(x: int, n: int) -> int:
    return x**n if n > 0 else 1
"""

_START = "torch.eye(nodes, dtype=step.dtype)"

REWRITE = Rewrite(
    code="ASC114",
    name="repeated-power",
    summary="the same factor multiplied in n times is a power",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop", "repetition", "products"),
    becomes="x**n, pow(x, n, m), matrix_power(A, n)",
    examples=(
        Example("powers of a matrix", _MATRIX, _MATRIX_AFTER,
                "((torch.rand(4, 4, requires_grad=True) / 2, 9), (torch.rand(3, 3), 1),"
                " (torch.rand(3, 3), 0), (torch.rand(3, 3), -2))"),
        Example("a matrix, so many times", _NUMPY, _NUMPY_AFTER,
                "((np.random.default_rng(0).dirichlet(np.ones(5), 5),),"
                " (np.array([[0, 1], [1, 0]]),))"),
        Example("growth", _GROWTH, _GROWTH_AFTER, "((100.0, 0.05, 30), (2.5, -0.1, 0))"),
        Example("modulo m", _MODULAR, _MODULAR_AFTER, "((7, 100, 13), (3, 0, 1), (3, 5, 1))"),
        Example("Fibonacci numbers", _FIBONACCI, _FIBONACCI_AFTER,
                "((0,), (1,), (2,), (90,), (1000,), (-3,))"),
        Example("a fold of one item", _REDUCED, _REDUCED_AFTER, "((3, 40), (3, 0), (3, -1))"),
    ),
    refused=(
        RefusedExample("effects", _MATRIX.replace("@ step\n", "@ step\n        print(reach)\n")),
        RefusedExample(
            "kept",
            _MATRIX.replace("    for", "    every = []\n    for").replace(
                "@ step\n", "@ step\n        every.append(reach)\n"
            ).replace("return reach", "return torch.stack(every)"),
        ),
        RefusedExample(
            "names", _MATRIX.replace("for _", "for i").replace("return reach", "return reach, i")
        ),
        RefusedExample(
            "thin", _MATRIX.replace(_START, "torch.ones(nodes)").replace("reach @ step",
                                                                         "step @ reach"),
        ),
        RefusedExample(
            "library", _MATRIX.replace("import torch\n", "import numpy as np\nimport torch\n")
            .replace(": torch.Tensor", "").replace(_START, "step").replace("nodes, _ = step.shape",
                                                                           "assert n > 3"),
        ),
        RefusedExample("dtypes", _NUMPY.replace("np.eye(states)", "np.ones((states, states))")
                       .replace("states, _ = transition.shape",
                                "transition = transition.astype(np.int64)\n"
                                "    states, _ = transition.shape")),
        RefusedExample(
            "integers",
            _MATRIX.replace(_START, "torch.ones(nodes)").replace(
                "reach @ step", "reach * torch.arange(nodes)"
            ),
        ),
        RefusedExample("integers", _MODULAR.replace("base %", "base / 3 %")),
        RefusedExample("integers", _MODULAR.replace("base %", "10**base %")),
        RefusedExample("integers", _MODULAR.replace("result = 1", "result = 0.5")),
        RefusedExample("profit", _FIBONACCI.replace("range(n)", "range(40)")),
    ),
    unmatched=(
        _MATRIX.replace("reach @ step", "reach @ step + step"),
        _MATRIX.replace("reach @ step", "reach @ reach"),
        _MATRIX.replace("for _", "for i").replace("reach @ step", "reach @ (step * i)"),
        _MATRIX.replace("reach @ step", "torch.relu(reach @ step)"),
        _GROWTH.replace("balance *= 1 + rate", "balance *= 1 + rate\n        rate *= 0.9"),
        _GROWTH.replace("balance *= 1 + rate", "balance = round(balance * (1 + rate), 2)"),
        _FIBONACCI.replace("a, b = 0, 1", "a, b = 0.0, 1.0"),
        _FIBONACCI.replace("a + b\n", "a * b\n"),
        _GENERATOR.replace("12345) %", "12345 + n) // 3 %"),
    ),
)  # fmt: skip
