"""Recurrences whose steps compose: programs in many spellings, each run as it is and as it is
rewritten, at lengths on both sides of where the kernel cuts the sequence, values and gradients."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
import torch

from auditor import audit
from auditor.writing import edits

kernel = importlib.import_module("auditor.kernels.associative_scan")

LENGTHS = (1, 2, 3, 7, 64, 65, 131)


def loop(body: str, start: str, signature: str = "x, h", out: str = "h", walk: str = "length"):
    """A program around the body of a loop over axis 1."""
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    starts = "".join(f"    {line}\n" for line in start.splitlines())
    return (
        f"import torch\nimport torch.nn.functional as F\n\n\ndef f({signature}):\n"
        f"    batch, length, width = x.shape\n{starts}    out = []\n"
        f"    for t in range({walk}):\n{lines}        out.append({out})\n"
        "    return torch.stack(out, dim=1)\n"
    )


def sequence(length: int, spread: float = 1.0) -> torch.Tensor:
    return (torch.randn(2, length, 3, dtype=torch.float64) * spread).requires_grad_()


def state() -> torch.Tensor:
    return torch.rand(2, 3, dtype=torch.float64).requires_grad_()


def positive(length: int) -> torch.Tensor:
    return (torch.rand(2, length, 3, dtype=torch.float64) + 0.5).requires_grad_()


def gates(length: int) -> torch.Tensor:
    return (torch.rand(2, length, 3, dtype=torch.float64) * 1.8 - 0.9).requires_grad_()


BUCKET = loop("h = torch.clamp(h + x[:, t], 0.0, 1.0)", "")

PROGRAMS: dict[str, tuple[str, Any]] = {
    "bucket": (BUCKET, lambda n: (sequence(n), state())),
    "bucket by maxima": (
        loop(
            "h = torch.minimum(torch.maximum(h + x[:, t], low), high)",
            "low, high = bounds[0], bounds[1]",
            "x, h, bounds: torch.Tensor",
        ).replace(
            "batch, length, width = x.shape",
            "batch, length, width = x.shape\n    two, width = bounds.shape",
        ),
        lambda n: (sequence(n), state(), torch.stack((torch.zeros(3), torch.ones(3))).double()),
    ),
    "bucket by branches": (
        loop("h = h + x[:, t]\nh = torch.where(h < 0, 0.0, h)\nh = torch.where(h > 1, 1.0, h)", ""),
        lambda n: (sequence(n), state()),
    ),
    "maximum that decays": (
        loop("h = torch.maximum(decay * h, x[:, t])", "", "x, h, decay: float"),
        lambda n: (sequence(n), state(), 0.9),
    ),
    "maximum that decays by gates": (
        loop("h = torch.maximum(torch.sigmoid(g[:, t]) * h, x[:, t])", "", "x, h, g"),
        lambda n: (sequence(n), state(), sequence(n)),
    ),
    "queue": (
        loop("h = F.relu(h + x[:, t] - 0.1)", ""),
        lambda n: (sequence(n), state()),
    ),
    "rectified recurrence": (
        loop("h = torch.relu(g[:, t] * h + x[:, t])", "h = torch.zeros_like(x[:, 0])", "x, g"),
        lambda n: (sequence(n), gates(n)),
    ),
    "rectified recurrence of negative gates": (
        loop("h = (x[:, t] - h * 0.7).clamp(min=0)", ""),
        lambda n: (sequence(n), state()),
    ),
    "reversed queue": (
        loop("h = torch.relu(h + x[:, t])", "", walk="length - 1, -1, -1").replace(
            "torch.stack(out, dim=1)", "torch.stack(out[::-1], dim=1)"
        ),
        lambda n: (sequence(n), state()),
    ),
    "continued fraction": (
        loop("h = x[:, t] + b[:, t] / h", "", "x, h, b"),
        lambda n: (positive(n), (state().detach() + 1).requires_grad_(), positive(n)),
    ),
    "moebius": (
        loop("h = (2 * h + x[:, t]) / (h + b[:, t])", "", "x, h, b"),
        lambda n: (positive(n), (state().detach() + 1).requires_grad_(), positive(n)),
    ),
    "logarithmic sum": (
        loop("h = torch.logaddexp(h + g[:, t], x[:, t])", "", "x, h, g"),
        lambda n: (sequence(n), state(), sequence(n)),
    ),
    "logarithmic sum by hand": (
        loop(
            "m = torch.maximum(h - 0.1, x[:, t])\n"
            "h = m + torch.log(torch.exp(h - 0.1 - m) + torch.exp(x[:, t] - m))",
            "",
        ),
        lambda n: (sequence(n), state()),
    ),
    "second-order filter": (
        loop(
            "y = x[:, t] + a1 * y1 + a2 * y2\ny2 = y1\ny1 = y",
            "y1 = torch.zeros_like(h)\ny2 = h",
            "x, h, a1: float, a2: float",
            "y",
        ),
        lambda n: (sequence(n), state(), 1.2, -0.5),
    ),
    "second-order filter swapped": (
        loop(
            "h, k = x[:, t] + a * h - 0.3 * k, h",
            "k = h * 0\na = g[0, 0]",
            "x, h, g",
        ).replace("x.shape\n", "x.shape\n    one, two, width = g.shape\n"),
        lambda n: (sequence(n), state(), sequence(1, 0.1)),
    ),
    "level and trend": (
        loop(
            "previous = level\nlevel = alpha * x[:, t] + (1 - alpha) * (level + trend)\n"
            "trend = beta * (level - previous) + (1 - beta) * trend",
            "level = x[:, 0]\ntrend = torch.zeros_like(level)",
            "x, alpha: float, beta: float",
            "level + trend",
        ),
        lambda n: (sequence(n), 0.6, 0.3),
    ),
    "third-order filter": (
        loop(
            "y = x[:, t] + 0.5 * a - 0.2 * b + 0.1 * c\na, b, c = y, a, b",
            "a = h\nb = torch.zeros_like(h)\nc = torch.zeros_like(h)",
            out="y",
        ),
        lambda n: (sequence(n), state()),
    ),
    "rotation by an angle of each step": (
        loop(
            "c, s = torch.cos(x[:, t]), torch.sin(x[:, t])\nu, v = c * u - s * v, s * u + c * v",
            "u = h\nv = torch.zeros_like(h)",
            out="u + v",
        ),
        lambda n: (sequence(n), state()),
    ),
    "written in place, last state read": (
        "import torch\n\n\ndef f(x, h):\n    out = torch.empty_like(x)\n"
        "    for t in range(x.shape[1]):\n        h = torch.clamp(h + x[:, t, :], -1, 1)\n"
        "        out[:, t, :] = h\n    return out, h\n",
        lambda n: (sequence(n), state()),
    ),
    "two last states": (
        "import torch\n\n\ndef f(x, h):\n    v = torch.zeros_like(h)\n"
        "    for t in range(x.shape[1]):\n        v = 0.9 * v + x[:, t] - 0.1 * h\n"
        "        h = h + 0.1 * v\n    return h, v\n",
        lambda n: (sequence(n), state()),
    ),
    "best segment": (
        "import torch\n\n\ndef f(x: torch.Tensor):\n    (n,) = x.shape\n"
        "    best = current = x[0]\n    for t in range(1, n):\n"
        "        current = max(current + x[t], x[t])\n        best = max(best, current)\n"
        "    return best\n",
        lambda n: (torch.randn(n + 1, dtype=torch.float64, requires_grad=True),),
    ),
    "a filter behind a queue": (
        loop("q = torch.relu(q + x[:, t])\nh = 0.9 * h + q", "q = torch.zeros_like(h)"),
        lambda n: (sequence(n), state()),
    ),
}


def rewritten(text: str, level: str = "safe") -> str:
    report = audit.audit_text(text, "program.py", audit.Options())
    found = [f for f in report.findings if f.code == "ASC104" and f.fix is not None]
    assert found, report.findings or report.problems
    assert found[0].fix.applicability == level
    return edits.apply_fixes(text, found).text


def function(text: str) -> Any:
    space: dict[str, Any] = {}
    exec(compile(text, "program.py", "exec"), space)
    return space["f"]


def flat(value: Any) -> list[torch.Tensor]:
    return [part for each in value for part in flat(each)] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_scan_is_the_loop(name, monkeypatch):
    monkeypatch.setattr(kernel, "SHORT_SEQUENCE", 0)
    text, cases = PROGRAMS[name]
    before, after = function(text), function(rewritten(text))
    torch.manual_seed(0)
    for length in LENGTHS:
        first = cases(length)
        second = [
            each.detach().clone().requires_grad_(each.requires_grad)
            if isinstance(each, torch.Tensor)
            else each
            for each in first
        ]
        sides = []
        for run, arguments in ((before, first), (after, second)):
            outputs = flat(run(*arguments))
            leaves = [a for a in arguments if isinstance(a, torch.Tensor) and a.is_leaf]
            leaves = [a for a in leaves if a.requires_grad]
            weights = [torch.linspace(-1, 2, o.numel()).view(o.shape).to(o) for o in outputs]
            made = torch.autograd.grad(outputs, leaves, weights, allow_unused=True)
            sides.append((outputs, made))
        for old, new in zip(*(side[0] for side in sides), strict=True):
            assert old.shape == new.shape and old.dtype == new.dtype
            assert old.is_contiguous() == new.is_contiguous()
            torch.testing.assert_close(new, old, rtol=1e-9, atol=1e-9)
        for old, new in zip(*(side[1] for side in sides), strict=True):
            assert (old is None) == (new is None)
            if old is not None:
                torch.testing.assert_close(new, old, rtol=1e-8, atol=1e-8)


LEFT_ALONE = {
    "one tensor appended again and again": "h.add_(x[:, t]).clamp_(0, 1)",
    "truncated gradients": "h = torch.relu(h.detach() + x[:, t])",
    "a slope on either side of zero": "h = F.leaky_relu(h + x[:, t], 0.1)",
    "a bound that is the state": "h = torch.clamp(h + x[:, t], -h, 1.0)",
    "a square": "h = torch.relu(h * h + x[:, t])",
    "a rounded state": "h = torch.relu(h + x[:, t]).half().float()",
    "an angle": "h = torch.relu(torch.sin(h) + x[:, t])",
    "random numbers": "h = torch.relu(h + x[:, t] * torch.rand(()))",
}


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_left_alone(name):
    report = audit.audit_text(loop(LEFT_ALONE[name], ""), "program.py", audit.Options())
    assert not report.problems
    assert not [each for each in report.findings if each.code == "ASC104" and each.fix is not None]


NAMED = {
    "a fraction": ("x, b", "torch.ones_like(x[0])", "x[t] / (b[t] + s)"),
    "a fraction by d": ("x, d", "torch.ones_like(x[0])", "x[t] / (d[t] + s)"),
    "a slope": ("scale, shift", "torch.zeros_like(scale[0])",
                "torch.relu(0.5 * scale[t] * s + shift[t])"),
    "a bound": ("x, low", "torch.zeros_like(x[0])", "torch.maximum(s + x[t], low[t])"),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_arrays_may_have_the_names_of_what_a_scan_binds(name, monkeypatch):
    """Those are widened first, under a name of their own."""
    monkeypatch.setattr(kernel, "SHORT_SEQUENCE", 0)
    given, start, step = NAMED[name]
    walked = given.partition(",")[0]
    text = (
        f"import torch\n\n\ndef f({given}):\n    s = {start}\n    out = []\n"
        f"    for t in range({walked}.shape[0]):\n        s = {step}\n"
        "        out.append(s)\n    return torch.stack(out)\n"
    )
    after = rewritten(text, "unsafe")
    assert "per_step" in after
    arguments = [torch.rand(40, 3, dtype=torch.float64) + 0.5 for _ in range(2)]
    torch.testing.assert_close(function(after)(*arguments), function(text)(*arguments))
