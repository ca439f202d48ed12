"""Verification: rewrites that are right pass, and every kind of wrong one is caught."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from auditor.audit import Options
from auditor.notation import Span
from auditor.verdict import Edit, Finding, Fix
from auditor.verify import assumed
from auditor.verify import verification as verify
from auditor.verify.compare import Outcome, References, Rule, compare, epsilon
from auditor.verify.inputs import EVENS, Recipe, recipes, shapes, signature, variations
from auditor.verify.verification import Limits, VerifyRow, verify_findings, verify_pair, verify_text

QUICK = Limits(seconds=50, device="cpu", timing=False)


def outcome(
    before: str,
    after: str,
    scope: str = "f",
    limits: Limits = QUICK,
    lines: tuple[int, int] | None = None,
    **options: Any,
) -> dict[str, Any]:
    before, after = textwrap.dedent(before), textwrap.dedent(after)
    lines = lines or (1, len(before.splitlines()))
    return verify_pair(before, after, "case.py", scope, lines, limits=limits, **options)


SCAN = """
import numpy as np

def f(a, b):
    h = np.zeros(b.shape[1])
    out = np.empty_like(b)
    for t in range(b.shape[0]):
        h = a[t] * h + b[t]
        out[t] = h
    return out
"""
SCAN_BACKWARDS = """
import numpy as np

def f(a, b):
    out = np.empty_like(b)
    for t in range(b.shape[0]):
        out[t] = b[t] + (a[t] * out[t - 1] if t else 0)
    return out
"""


def test_a_correct_rewrite_agrees() -> None:
    found = outcome(SCAN, SCAN_BACKWARDS)
    assert found["ok"], found["note"]
    assert found["max_error"] <= found["tolerance"] < 1e-10
    assert "sets of inputs" in found["note"]
    assert found["inputs"].startswith("a f64(")


@pytest.mark.parametrize(
    "change, complaint",
    [
        (("range(b.shape[0])", "range(1, b.shape[0])"), "off by"),
        (("return out", "return out.astype(np.float32)"), "dtype float64 became float32"),
        (("return out", "return out[:-1]"), "shape"),
        (("return out", "return list(out)"), "another structure"),
        (("return out", "return out + 1e-9"), "off by"),
        (("return out", "a[0] = 0; return out"), "inputs after the call"),
        (("return out", "raise KeyError('x')"), "raises KeyError"),
        (("return out", "return None"), "became None"),
    ],
)
def test_a_wrong_rewrite_is_caught(change: tuple[str, str], complaint: str) -> None:
    found = outcome(SCAN, SCAN_BACKWARDS.replace(*change))
    assert not found["ok"]
    assert found["note"].startswith("differs:")
    assert complaint in found["note"]


def test_a_forgotten_mutation_is_caught() -> None:
    before = "def f(xs, a):\n    for i in range(len(xs)):\n        xs[i] *= a\n    return xs\n"
    after = "def f(xs, a):\n    return [x * a for x in xs]\n"
    found = outcome(before, after)
    assert not found["ok"]
    assert "the inputs after the call" in found["note"]


def test_exact_means_equal_bit_for_bit() -> None:
    before = "import numpy as np\n\ndef f(x: np.ndarray):\n    return x * 0.1 + x * 0.2\n"
    after = before.replace("x * 0.1 + x * 0.2", "x * (0.1 + 0.2)")
    assert outcome(before, after)["ok"]
    found = outcome(before, after, numerics="exact")
    assert not found["ok"]
    assert "bit for bit" in found["note"]


def test_a_difference_only_in_an_optional_argument_is_caught() -> None:
    before = """
    import numpy as np

    def f(x: np.ndarray, weight=None):
        y = np.exp(x)
        if weight is not None:
            y = y * weight
        return y
    """
    found = outcome(before, before.replace("y = y * weight", "y = y + weight"))
    assert not found["ok"]
    assert "weight" in found["inputs"]


def test_ties_are_among_the_inputs() -> None:
    before = "import numpy as np\n\ndef f(x: np.ndarray):\n    return np.argmax(x, axis=-1)\n"
    after = before.replace(
        "np.argmax(x, axis=-1)", "x.shape[-1] - 1 - np.argmax(x[..., ::-1], axis=-1)"
    )
    assert not outcome(before, after)["ok"]


def test_an_original_that_hangs_runs_into_the_limit() -> None:
    source = "def f(x):\n    while True:\n        pass\n"
    found = outcome(source, source, limits=replace(QUICK, seconds=2))
    assert not found["ok"]
    assert found["note"] == ("not verified: the original had not returned on any inputs after 2 s")
    loading = outcome(
        "while True: pass\ndef f(x): return x\n", "", limits=replace(QUICK, seconds=2)
    )
    assert loading["note"] == "not verified: the file was still being loaded after 2 s"


def test_a_rewrite_that_hangs_runs_into_the_limit() -> None:
    after = "def f(x):\n    while True:\n        pass\n"
    found = outcome("def f(x):\n    return x\n", after, limits=replace(QUICK, seconds=4))
    assert found["note"] == "not verified: the two were still being compared after 4 s"


@pytest.mark.parametrize(
    "source, why",
    [
        ("def f(x):\n    raise RuntimeError('never')\n", "no inputs found on which the original"),
        ("import nowhere_to_be_found\ndef f(x): return x\n", "cannot run the file: ModuleNotFound"),
        ("import sys; sys.exit(3)\ndef f(x): return x\n", "cannot run the file: SystemExit"),
        ("def f(x): return x\ndel f\n", "`f` is not there once the file has run"),
        ("import os; os.kill(os.getpid(), 9)\ndef f(x): return x\n", "ended by SIGKILL"),
    ],
)
def test_what_cannot_be_verified_says_why(source: str, why: str) -> None:
    found = outcome(source, source)
    assert not found["ok"]
    assert found["note"].startswith("not verified: ")
    assert why in found["note"]


def test_code_that_the_inputs_do_not_reach_is_not_verified() -> None:
    source = "def f(x):\n    if type(x) is set:\n        return 1\n    return x\n"
    found = verify_pair(source, source, "case.py", "f", (3, 3), limits=QUICK)
    assert found["note"] == "not verified: no generated inputs made the original reach this code"


def test_memory_is_limited() -> None:
    source = "import numpy as np\n\ndef f(x):\n    return np.ones(1 << 34) + x\n"
    found = outcome(source, source, limits=replace(QUICK, memory=4 << 30))
    assert "MemoryError" in found["note"]


def test_inputs_that_the_file_offers_are_used() -> None:
    before = """
    import numpy as np

    def f(text, n):
        return np.arange(n) * len(text.split(","))

    def f_inputs():
        return "a,b,c", 5
    """
    found = outcome(before, before.replace('","', '";"'))
    assert not found["ok"]
    assert found["inputs"] == "text 'a,b,c', n 5"
    found = outcome(before, before)
    assert found["ok"] and "sets of inputs of the file" in found["note"]


def test_inputs_that_the_file_offers_in_vain_are_named() -> None:
    before = """
    def f(x: float):
        return x + 1

    def f_inputs():
        raise RuntimeError("no data today")
    """
    found = outcome(before, before)
    assert found["ok"]
    assert "own inputs were not used: RuntimeError: no data today" in found["note"]
    assert "inputs of the file" not in found["note"]


def test_statements_outside_functions_are_run_with_their_file() -> None:
    before = """
    import numpy as np

    x = np.random.rand(100)
    s = np.float64(0.0)
    for t in range(100):
        s += x[t]
    """
    after = "import numpy as np\n\nx = np.random.rand(100)\ns = x.sum()\n"
    assert outcome(before, after, scope="")["ok"]
    found = outcome(before, after.replace("x.sum()", "x[1:].sum()"), scope="")
    assert "the result['s'] is off by" in found["note"]


def test_a_file_in_a_package_is_imported_as_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("")
    (tmp_path / "pack" / "other.py").write_text("factor = 3.0\n")
    source = "from .other import factor\n\ndef f(x: float):\n    return factor * x\n"
    path = str(tmp_path / "pack" / "mod.py")
    found = verify_pair(source, source, path, "f", (1, 4), limits=QUICK)
    assert found["ok"], found["note"]


def test_inputs_grow_until_time_can_be_measured() -> None:
    before = """
    import time
    import numpy as np

    def f(x: np.ndarray):
        total = np.zeros_like(x[0])
        for t in range(x.shape[0]):
            time.sleep(0.004)
            total = total + x[t]
        return total
    """
    after = "import numpy as np\n\ndef f(x: np.ndarray):\n    return x.sum(0)\n"
    found = outcome(before, after, limits=replace(QUICK, timing=True))
    assert found["ok"], found["note"]
    assert found["time_before"] > 0.05
    assert found["time_after"] < 0.5 * found["time_before"]


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_the_peak_of_memory_is_measured() -> None:
    before = """
    import numpy as np

    def f(x):
        total = np.zeros(len(x))
        for row in x.T:
            total += row * row
        return total

    def f_inputs():
        return [np.random.rand(4000, 100)]
    """
    after = before.replace("total += row * row", "pass").replace(
        "return total", "return (x * x).sum(-1)"
    )
    found = outcome(before, after, limits=replace(QUICK, timing=True))
    assert found["ok"], found["note"]
    assert found["memory_before"] < 1 << 20
    assert 5 << 19 < found["memory_after"] < 8 << 20


# -- torch


MIXER = """
import torch
from torch import nn

class Mixer(nn.Module):
    def __init__(self, width, heads=2):
        super().__init__()
        self.heads = heads
        self.inner = nn.Linear(width, 3 * width)
        self.gain = nn.Parameter(torch.empty(width))

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.inner(x).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        w = (q @ k.transpose(-2, -1) / (c // self.heads) ** 0.5).softmax(-1)
        return (w @ v).transpose(1, 2).reshape(b, n, c) * self.gain
"""
ATTENTION = """        w = (q @ k.transpose(-2, -1) / (c // self.heads) ** 0.5).softmax(-1)
        return (w @ v)"""
FUSED = "        return nn.functional.scaled_dot_product_attention(q, k, v)"

MIXER_OFFERED = (
    MIXER
    + """
def Mixer_forward_inputs():
    return Mixer(12, heads=3), torch.randn(1, 17, 12)
"""
)

FROM_OUTSIDE = """
import torch
from torch import nn

class Norm(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.eps = config.eps
        self.weight = nn.Parameter(torch.ones(config.width))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
"""

KERNELBENCH = """
import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        y = torch.exp(self.layer(x))
        return y / y.sum(-1, keepdim=True)

def get_inputs():
    return [torch.randn(3, 16)]

def get_init_inputs():
    return [16]
"""

ACCUMULATE = """
import torch

def f(x, scale):
    out = []
    h = torch.zeros(x.shape[0], x.shape[2])
    for t in range(x.shape[1]):
        h = h + x[:, t].float() * torch.exp(scale)
        out.append(h)
    return torch.stack(out, 1)
"""


def test_inputs_offered_for_a_method_begin_with_its_object() -> None:
    fused = MIXER_OFFERED.replace(ATTENTION, FUSED)
    found = outcome(MIXER_OFFERED, fused, "Mixer.forward")
    assert found["ok"], found["note"]
    assert found["inputs"] == "x f32(1,17,12)"
    wrong = fused.replace("(q, k, v)", "(q, k, v, scale=1.0)")
    assert "off by" in outcome(MIXER_OFFERED, wrong, "Mixer.forward")["note"]
    other = MIXER_OFFERED.replace("return Mixer(12, heads=3)", "return nn.Identity()")
    assert outcome(other, other, "Mixer.forward")["inputs"] != found["inputs"]


@pytest.mark.parametrize(
    "before, after, scope, complaint",
    [
        (MIXER, MIXER.replace(ATTENTION, FUSED), "Mixer.forward", None),
        (
            MIXER,
            MIXER.replace(ATTENTION, FUSED.replace("q, k, v)", "q, k, v, scale=0.4)")),
            "Mixer.forward",
            "off by",
        ),
        (FROM_OUTSIDE, FROM_OUTSIDE.replace("x.pow(2)", "(x * x)"), "Norm.forward", None),
        (
            KERNELBENCH,
            KERNELBENCH.replace("y / y.sum(-1, keepdim=True)", "y / y.sum()"),
            "Model.forward",
            "off by",
        ),
        (
            ACCUMULATE,
            "import torch\n\ndef f(x, scale):\n    return torch.cumsum(x * scale.exp(), 1)\n",
            "f",
            None,
        ),
        (
            ACCUMULATE,
            "import torch\n\ndef f(x, scale):\n"
            "    return torch.cumsum(x * scale.detach().exp(), 1)\n",
            "f",
            "the gradient of scale is off by",
        ),
    ],
    ids=["method", "wrong method", "no constructor", "given model", "scan", "lost gradient"],
)
def test_torch(before: str, after: str, scope: str, complaint: str | None) -> None:
    found = outcome(before, after, scope)
    if complaint is None:
        assert found["ok"], found["note"]
        assert 0 < found["tolerance"] < 1e-3
    else:
        assert not found["ok"]
        assert complaint in found["note"]


MODEL = """import torch


def scan(x, delta, A, B, C):
    b, l, d = x.shape
    h = torch.zeros(b, d, A.shape[1])
    ys = []
    for t in range(l):
        h = torch.exp(delta[:, t, :, None] * A) * h + B[:, t, None, :] * x[:, t, :, None]
        ys.append((h * C[:, t, None, :]).sum(-1))
    return torch.stack(ys, dim=1)
"""


def test_the_fixes_of_a_file_are_verified_one_by_one(tmp_path: Path) -> None:
    path = str(tmp_path / "model.py")
    (row,) = verify_text(MODEL, path, Options(), replace(QUICK, seconds=100))
    assert isinstance(row, VerifyRow)
    assert (row.path, row.scope, row.code) == (path, "scan", "ASC102")
    assert row.ok, row.note
    assert row.max_error is not None
    assert row.tolerance is not None
    assert row.max_error <= row.tolerance
    assert row.speedup is None


def finding(line: int, end: int, content: str, **fix: Any) -> Finding:
    span = Span(line, 1, end, 1)
    options: dict[str, Any] = {"applicability": "safe", "numerics": "reassociated", **fix}
    made = Fix(edits=(Edit(span, content),), **options)
    return Finding("m.py", span, "f", "", {}, code="X", rewrite="x", fix=made)


def test_rows_come_from_findings() -> None:
    text = "def f(x: float):\n    y = x + x\n    return y\n"
    right = finding(2, 3, "    y = 2 * x\n")
    unsafe = finding(2, 3, "    y = 3 * x\n", applicability="unsafe", reason="approximate")
    broken = finding(2, 3, "    y = (\n")
    rows = verify_findings(text, "m.py", [right, unsafe, broken, replace(right, fix=None)], QUICK)
    assert [row.ok for row in rows] == [True, False, False]
    assert rows[1].note.startswith("differs: ")
    assert rows[1].note.endswith("; unsafe: approximate")
    assert rows[2].note.startswith("not verified: no fix: ")


def test_a_missing_library_is_an_error_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        verify, "_START", "import sys; sys.modules['torch'] = None\n" + verify._START
    )
    with pytest.raises(ModuleNotFoundError) as caught:
        outcome("def f(x): return x\n", "import torch\ndef f(x): return x\n")
    assert caught.value.name == "torch"


def test_importing_verification_needs_no_torch() -> None:
    modules = "auditor.verify.verification, auditor.verify.worker"
    code = f"import sys; sys.modules['torch'] = None\nimport {modules}\n"
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


# -- inputs


EXTENTS = MODEL.replace("C):", "C, n: int, mask=None):")


def test_generated_shapes_respect_the_equalities_that_the_code_implies() -> None:
    found = signature(EXTENTS, "scan")
    assert found is not None
    for recipe in islice(recipes(found), 60):
        made = {item.parameter.name: item for item in shapes(found, recipe, {})}
        x, delta, a, b, c = (made[name].shape or () for name in ("x", "delta", "A", "B", "C"))
        assert [len(shape) for shape in (x, delta, a, b, c)] == [3, 3, 2, 3, 3]
        assert x[0] == delta[0] == b[0] == c[0]
        assert x[2] == delta[2] == a[0]
        assert a[1] == b[2] == c[2]
        assert made["mask"].omitted or recipe.optional
        assert isinstance(made["n"].number, int)


def test_different_extents_get_different_sizes_and_grow_together() -> None:
    found = signature(EXTENTS, "scan")
    assert found is not None
    sizes = [item.shape for item in shapes(found, Recipe(policy="distinct"), {}) if item.shape]
    assert len(set(sizes[0])) == 3
    larger = Recipe(policy="distinct", scale=4, capped=False)
    grown = [item.shape for item in shapes(found, larger, {}) if item.shape]
    assert grown[0] == tuple(4 * size for size in sizes[0])


def test_recipes_are_repeatable() -> None:
    found = signature(EXTENTS, "scan")
    assert found is not None
    for recipe in variations(Recipe(pool=EVENS, seed=3)):
        assert shapes(found, recipe, {}) == shapes(found, recipe, {})


# -- comparing


def judged(before: Any, after: Any, wide: Any = None, **rule: Any) -> list[str]:
    references = References(Outcome(wide) if wide is not None else None)
    return compare(Outcome(before), Outcome(after), references, Rule(**rule)).problems


def test_the_tolerance_comes_from_the_original_in_double_precision() -> None:
    wide = np.linspace(0.1, 1, 10)
    before = (wide * (1 + 1e-5)).astype(np.float32)
    assert judged(before, (wide * (1 - 1.9e-5)).astype(np.float32), wide) == []
    assert judged(before, (wide * (1 - 3e-5)).astype(np.float32), wide) != []
    assert judged(before, (wide * (1 - 1.9e-5)).astype(np.float32)) != []


def test_errors_may_be_as_large_as_what_the_last_places_of_the_inputs_decide() -> None:
    x, y = np.ones(3), np.ones(3) + 1e-12
    nudged = References(nudged=Outcome(x + 1e-12))
    assert not compare(Outcome(x), Outcome(y), nudged, Rule()).problems
    assert compare(Outcome(x), Outcome(y + 1e-11), nudged, Rule()).problems
    assert compare(Outcome(x), Outcome(y), References(), Rule()).problems


SINGULAR = """
import numpy as np

def f(a: np.ndarray, b: np.ndarray):
    m = a[:, :1] @ a[:, :1].T + 1e-16 * np.eye(a.shape[0])
    return np.linalg.inv(m) @ b
"""


def test_what_rounding_decides_is_not_compared() -> None:
    solved = SINGULAR.replace("np.linalg.inv(m) @ b", "np.linalg.solve(m, b)")
    found = outcome(SINGULAR, solved)
    assert not found["ok"]
    assert "rounding decides what the original gives" in found["note"]
    by_chance = SINGULAR.replace("1e-16", "0")
    solved = by_chance.replace("np.linalg.inv(m) @ b", "np.linalg.solve(m, b)")
    assert not outcome(by_chance, solved)["note"].startswith("differs")
    regular = SINGULAR.replace("1e-16", "1.0")
    assert outcome(regular, regular.replace("np.linalg.inv(m) @ b", "np.linalg.solve(m, b)"))["ok"]
    wrong = regular.replace("@ b", "@ b + 1e-9")
    assert outcome(regular, wrong)["note"].startswith("differs")


def test_a_reference_that_computes_something_else_is_not_used() -> None:
    before = np.ones(4, np.float32)
    assert judged(before, before * 2, np.zeros(4)) != []


@pytest.mark.parametrize(
    "before, after",
    [
        (np.array([1.0, np.nan]), np.array([1.0, 2.0])),
        (np.array([1.0, np.inf]), np.array([1.0, -np.inf])),
        (np.array([1, 2]), np.array([1, 3])),
        ({"a": 1.0}, {"b": 1.0}),
        ((1.0, 2.0), [1.0, 2.0]),
        (1.0, 1),
        (np.float64(1.0), 1.0),
        ("a", "b"),
        (None, 0.0),
    ],
)
def test_unequal_things_differ(before: Any, after: Any) -> None:
    assert judged(before, after) != []
    assert judged(before, before) == []
    assert judged(after, after) == []


def test_no_gradient_and_a_gradient_of_zeros_are_the_same() -> None:
    zero, one = np.zeros(3), np.ones(3)

    def agree(before: Any, after: Any) -> bool:
        pair = [Outcome(1.0, None, {"x": value}) for value in (before, after)]
        return not compare(pair[0], pair[1], References(), Rule()).problems

    assert agree(None, zero)
    assert agree(zero, None)
    assert not agree(None, one)
    assert not agree(one, None)


def test_long_sums_get_room_in_wide_types_only() -> None:
    rule = Rule(length=10_000)
    assert rule.tolerance("float32", 0.0, 1.0, False) == pytest.approx(400 * epsilon("float32"))
    assert rule.tolerance("bfloat16", 0.0, 1.0, False) == 4 * epsilon("bfloat16")
    assert rule.tolerance("bfloat16", 1.0, 0.0, True) == 3.0


@pytest.mark.parametrize("inputs", [20, 8])
def test_a_module_that_was_built_is_given_what_its_weights_take(inputs: int) -> None:
    """And not taken for one whose parts do nothing: that has no weights to read."""
    before = f"""
        import torch

        class Block(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.up = torch.nn.Linear({inputs}, 5)

            def f(self, x: torch.Tensor):
                return self.up(x)
        """
    after = before.replace("self.up(x)", "x @ self.up.weight.T + self.up.bias")
    found = outcome(before, after, "Block.f")
    assert found["ok"], found["note"]


@pytest.mark.gpu
def test_on_a_gpu() -> None:
    if not os.path.exists("/dev/nvidia0"):
        pytest.skip("no CUDA device")
    before = (
        "import torch\n\ndef f(x: torch.Tensor):\n    y = x.exp()\n    return y / y.sum(-1, True)\n"
    )
    after = "import torch\n\ndef f(x: torch.Tensor):\n    return torch.softmax(x, -1)\n"
    found = outcome(before, after, limits=Limits(seconds=100))
    assert found["ok"], found["note"]
    assert found["memory_before"] > 0


def test_integers_of_any_size_are_compared_by_value() -> None:
    from auditor.verify.compare import _bits

    large, same = int("1" + "0" * 40), int("1" + "0" * 40)
    assert large is not same and _bits(large) == _bits(same) != _bits(large + 1)


_SCALED = """
    import numpy as np

    def f(x: np.ndarray, places: np.ndarray):
        out = np.zeros(len(x))
        for i in range(len(x)):
            out[i] = np.sum(x[i]) + places[i]
        return out
    """
_SCALED_AFTER = """
    import numpy as np

    def f(x: np.ndarray, places: np.ndarray):
        assert x.ndim == 2 and places.ndim == 1 and places.dtype.kind == "i"
        return x.sum(1) + places[: len(x)]
    """


@pytest.mark.parametrize(
    ("assumed", "agrees"),
    [
        ("assumes that `x` has 2 axes; `places` has 1 axis; `places` holds integers", True),
        ("assumes that `x` has 2 axes, as subscripted; `places` has 1 axis", False),
        ("assumes that `x` has 2 axes or more; `places` holds integers", False),
    ],
)
def test_inputs_are_what_the_fix_assumes(assumed: str, agrees: bool) -> None:
    found = outcome(_SCALED, _SCALED_AFTER, assumed=assumed)
    assert found["ok"] is agrees, found["note"]


def test_axes_that_are_assumed_are_those_that_inputs_have() -> None:
    """The function by itself would be read with three axes."""
    before = """
        import torch

        def f(a, b):
            out = torch.zeros(len(a), len(b))
            for i in range(len(a)):
                for j in range(len(b)):
                    out[i, j] = a[i] @ b[j]
            return out
        """
    after = """
        import torch

        def f(a, b):
            return a @ b.T
        """
    found = outcome(before, after, assumed="assumes that `a` and `b` have 2 axes")
    assert found["ok"], found["note"]


def test_kinds_that_a_fix_excludes_are_not_drawn() -> None:
    head = "def f(mask, x: torch.Tensor, idx: torch.Tensor):"
    text = f"import torch\n\n{head}\n    return (mask * x)[idx]\n"
    told = assumed.signature(
        text, "f", "assumes that `mask` holds floating-point numbers; `x` holds no truth values"
        "; `idx` holds integers",
    )  # fmt: skip
    assert told is not None
    mask, x, idx = told.parameters
    assert (mask.dtype, mask.dtypes) == (None, (None,))
    assert x.dtypes == ("int64", None)
    assert (idx.dtype, idx.dtypes) == ("int64", ("int64",))


@pytest.mark.parametrize(("size", "soon"), [(20, True), (1000, False)])
def test_gradients_that_would_take_long_are_those_of_smaller_inputs(size: int, soon: bool) -> None:
    torch = pytest.importorskip("torch")
    from auditor.verify.values import Case
    from auditor.verify.worker import _Trial

    def double(x: Any) -> Any:
        time.sleep(0.02)
        return 2 * x

    target: Any = SimpleNamespace(function=lambda side: lambda holder: double)
    small, large = (Case([torch.ones(n)], {}, ("x",)) for n in (10, size))
    trial = _Trial(*[cast(Any, None)] * 3)
    assert trial._soon_differentiated(target, small, large) is soon


_NEIGHBOURS = """
    import numpy as np

    def f(x: np.ndarray):
        n = len(x)
        rows = []
        for i in range(3, n - 3):
            rows.append(x[i - 3] + x[i + 3])
        return np.array(rows)
    """
_NEIGHBOURS_AFTER = """
    import numpy as np

    def f(x: np.ndarray):
        n = len(x)
        rows = x[:-6] + x[6:]
        assert len(rows) and x.ndim == 2
        return rows
    """


@pytest.mark.parametrize(
    ("assumed", "agrees"),
    [
        ("assumes that `n - 3` is more than 3; `x` has 2 axes", True),
        ("assumes that `x` has 2 axes", False),
        ("assumes that `n - 3` is more than 3", False),
    ],
)
def test_runs_that_are_not_as_the_fix_assumes_are_not_compared(assumed: str, agrees: bool) -> None:
    found = outcome(_NEIGHBOURS, _NEIGHBOURS_AFTER, lines=(6, 9), assumed=assumed)
    assert found["ok"] is agrees, found["note"]


def test_no_run_is_as_the_fix_assumes() -> None:
    assumed = "assumes that `n` is more than 1000000"
    found = outcome(_NEIGHBOURS, _NEIGHBOURS, lines=(6, 9), assumed=assumed)
    assert not found["ok"] and "what the fix assumes" in found["note"]


def test_conditions_only_read() -> None:
    from auditor.verify.holding import holding

    written: list[int] = []
    frame: Any = SimpleNamespace(f_globals={}, f_locals={"written": written, "n": 1})
    assert not holding("assumes that `n` is more than 1")(frame)
    assert holding("assumes that `unknown` is more than 1")(frame)
    assert holding("assumes that `written.append(1)` is more than 1")(frame) and not written


_KEYS_WITH_A_BIAS = """
    import torch

    def f(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, bias: torch.Tensor):
        assert q.ndim == k.ndim == v.ndim == 3 and bias.ndim == 1
        weights = torch.softmax(q @ (k + bias).mT, -1)
        return weights @ v
    """


def test_gradients_that_vanish_are_as_exact_as_those_that_do_not() -> None:
    """A bias of keys adds the same to all scores of a query: its gradient is rounding."""
    after = _KEYS_WITH_A_BIAS.replace(
        "weights @ v", "torch.nn.functional.scaled_dot_product_attention(q, k + bias, v, scale=1.0)"
    )
    found = outcome(_KEYS_WITH_A_BIAS, after)
    assert found["ok"], found["note"]
    wrong = after.replace("k + bias, v", "k + bias, v * bias.detach()[..., :1].exp() ** 1e-3")
    assert not outcome(_KEYS_WITH_A_BIAS, wrong)["ok"]


def test_a_gradient_that_is_small_beside_others_is_kept() -> None:
    before = """
        import torch

        def f(a: torch.Tensor, b: torch.Tensor):
            assert a.ndim == b.ndim == 1
            return 1e4 * a * a + 1e-2 * b
        """
    lost = before.replace("* b", "* b.detach()")
    assert outcome(before, before)["ok"]
    assert "gradient of b" in outcome(before, lost)["note"]
