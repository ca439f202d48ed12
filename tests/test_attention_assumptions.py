"""What attention rests on: each program with what its fix states, and what is exact without."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from auditor import audit
from auditor.writing import edits

HEADER = "import math\n\nimport torch\n\n\ndef f(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor"


def program(scores: str, more: str = "", product: str = "weights @ v") -> str:
    lines = [*scores.splitlines(), "weights = torch.softmax(scores, dim=-1)", f"return {product}"]
    return f"{HEADER}{more}):\n" + "".join(f"    {line}\n" for line in lines)


def fix_of(text: str) -> tuple[Any, str]:
    report = audit.audit_text(text, "program.py", audit.Options())
    assert not report.problems
    (finding,) = [f for f in report.findings if f.code in ("ASC109", "LOC304", "SPA404")]
    assert finding.fix is not None and finding.fix.applicability == "safe"
    return edits.apply_fixes(text, [finding]).text, finding.fix.reason or ""


def run(text: str, *arguments: Any) -> torch.Tensor:
    space: dict[str, Any] = {}
    exec(compile(text, "program.py", "exec"), space)
    return space["f"](*arguments)


HIDDEN = "the scores that the mask hides are finite"
PLAIN = "scores = q @ k.mT"
BAND = f"""\
place = torch.arange(q.size(-2))
{PLAIN}
scores = scores.masked_fill((place[:, None] - place).abs() > 2, float("-inf"))"""


@pytest.mark.parametrize(
    ("scores", "more", "stated"),
    [
        (f"{PLAIN}\nscores = scores.masked_fill(mask == 0, -1e9)", ", mask", HIDDEN),
        (f"{PLAIN}\nscores = torch.where(mask, scores, float('-inf'))", ", mask", HIDDEN),
        (BAND, "", HIDDEN),
        (f"{PLAIN} + mask", ", mask", None),
        (PLAIN, "", None),
    ],
)
def test_what_a_mask_hides_is_finite(scores, more, stated):
    _, reason = fix_of(program(scores, more))
    assert (stated in reason) if stated else "finite" not in reason


def test_keys_that_no_query_before_takes_are_finite():
    text = HEADER + (
        "):\n    n, d = q.shape\n    n, d = k.shape\n    n, e = v.shape\n    out = []\n"
        "    for i in range(n):\n        weights = torch.softmax(k[: i + 1] @ q[i], dim=0)\n"
        "        out.append(weights @ v[: i + 1])\n    return torch.stack(out)\n"
    )
    assert "values that a query does not take are finite" in fix_of(text)[1]


@pytest.mark.parametrize(
    ("divisor", "more", "stated"),
    [
        ("math.sqrt(q.size(-1))", "", None),
        ("q.shape[-1] ** 0.5", "", None),
        ("math.sqrt(k.size(-1))", "", None),
        ("8", "", None),
        ("torch.tensor(2.0)", "", None),
        ("k.size(-2) ** 0.5", "", "`k.size(-2) ** 0.5` is not 0"),
        ("heat", ", heat: float", "`heat` is not 0"),
    ],
)
def test_a_divisor_is_not_zero(divisor, more, stated):
    text = program(f"{PLAIN} / {divisor}", more)
    after, reason = fix_of(text)
    assert (stated in reason) if stated else "is not 0" not in reason
    if "heat" in more or stated:
        return
    for q, k, v in (
        (torch.ones(1, 2, 0), torch.ones(1, 3, 0), torch.ones(1, 3, 0)),
        (torch.ones(1, 0, 0), torch.ones(1, 3, 0), torch.ones(1, 3, 4)),
        (torch.randn(1, 2, 4), torch.ones(1, 0, 4), torch.ones(1, 0, 4)),
        (torch.randn(1, 2, 4), torch.randn(1, 3, 4), torch.randn(1, 3, 5)),
    ):
        torch.testing.assert_close(run(after, q, k, v), run(text, q, k, v))


LETTERS = "axes of one letter in an einsum have one length"


@pytest.mark.parametrize(
    ("scores", "product", "stated"),
    [
        (
            'scores = torch.einsum("bid,bjd->bij", q, k)',
            'torch.einsum("bij,bjd->bid", weights, v)',
            True,
        ),
        (PLAIN, "weights @ v", False),
    ],
)
def test_an_einsum_stretches_no_axis(scores, product, stated):
    assert (LETTERS in fix_of(program(scores, product=product))[1]) is stated


@pytest.mark.parametrize(
    ("body", "stated"),
    [
        ('return torch.einsum("ij,jk,k->i", a, b, c)', True),
        ('return torch.einsum("ij,j->i", torch.linalg.inv(a), c)', True),
        (
            's = torch.einsum("ij,jk->ik", a, b)\n    return s + torch.einsum("ij,jk->ik", a, b)',
            False,
        ),
        ("return a @ b @ c", False),
    ],
)
def test_what_takes_the_place_of_an_einsum_states_it(body, stated):
    text = (
        f"import torch\n\n\ndef f(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor):\n    {body}\n"
    )
    report = audit.audit_text(text, "program.py", audit.Options())
    reasons = [f.fix.reason or "" for f in report.findings if f.fix is not None]
    assert reasons or not stated
    assert all((LETTERS in reason) is stated for reason in reasons)


def test_loops_over_an_axis_of_one_letter_state_it():
    text = """\
import torch


def f(x: torch.Tensor, u: torch.Tensor):
    y = torch.einsum("bld,bld->bld", x, u)
    h = torch.zeros(x.shape[0], x.shape[2])
    out = []
    for i in range(u.shape[1]):
        h = 0.5 * h + y[:, i]
        out.append(h)
    return torch.stack(out, 1)
"""
    report = audit.audit_text(text, "program.py", audit.Options())
    (reason,) = [f.fix.reason or "" for f in report.findings if f.fix is not None]
    assert LETTERS in reason


REPEATED = """\
b, h, n, d = q.shape
k = k.repeat_interleave(h // k.shape[1], dim=1)
v = v.repeat_interleave(h // v.shape[1], dim=1)
scores = q @ k.transpose(-2, -1) / math.sqrt(d)"""
EXPANDED = """\
b, h, n, d = q.shape
g = k.shape[1]
k = k[:, :, None].expand(b, g, h // g, k.shape[2], d).reshape(b, h, -1, d)
v = v[:, :, None].expand(b, g, h // g, v.shape[2], d).reshape(b, h, -1, d)
scores = q @ k.transpose(2, 3) * d**-0.5"""


@pytest.mark.parametrize("scores", [REPEATED, EXPANDED])
def test_heads_that_are_shared_have_as_many_axes(scores):
    text = program(scores)
    after, reason = fix_of(text)
    assert "2 axes" not in reason
    given = torch.randn(2, 4, 5, 8), torch.randn(2, 2, 6, 8), torch.randn(2, 2, 6, 8)
    torch.testing.assert_close(run(after, *given), run(text, *given))


@pytest.mark.parametrize(
    ("scores", "stated"),
    [("k[: t + 1] @ q[t]", False), ("(q[t] * k[: t + 1]).sum(-1)", True)],
)
def test_products_element_by_element_in_a_loop_take_other_types(scores, stated):
    text = HEADER + (
        "):\n    n, d = q.shape\n    n, d = k.shape\n    n, e = v.shape\n    out = []\n"
        f"    for t in range(n):\n        weights = torch.softmax({scores}, -1)\n"
        "        out.append(weights @ v[: t + 1])\n    return torch.stack(out)\n"
    )
    assert ("queries, keys and values have one floating-point dtype" in fix_of(text)[1]) is stated


def test_a_slice_of_unknown_bounds_is_no_place():
    text = HEADER + (
        ", size: int):\n    n = q.shape[1]\n    out = torch.zeros_like(q)\n"
        "    for i in range(0, n, size):\n        j = min(i + size, n)\n"
        "        weights = torch.softmax(q[:, i:j] @ k.transpose(1, 2), -1)\n"
        "        out[:, i:j] = weights @ v\n    return out\n"
    )
    after, reason = fix_of(text)
    assert "is an integer" not in reason
    given = torch.randn(2, 5, 8), torch.randn(2, 6, 8), torch.randn(2, 6, 8), 2
    torch.testing.assert_close(run(after, *given), run(text, *given))


@pytest.mark.parametrize(("dim", "stated"), [(1, True), (-1, False)])
def test_a_dimension_counted_from_the_front_is_the_last_of_two(dim, stated):
    text = (
        "import torch\n\n\ndef f(q, k, v):\n"
        f"    return torch.softmax(q @ k.transpose(0, 1), dim={dim}) @ v\n"
    )
    assert ("`q` has 2 axes;" in f"{fix_of(text)[1]};") is stated


SHARED_HEADS = """\
import torch


def attend(q, k, v, n: int):
    b, h, t, d = q.shape
    k = k[:, :, None].expand({sizes}).flatten(1, 2)
    v = v[:, :, None].expand({sizes}).flatten(1, 2)
    return torch.softmax(q @ k.mT / d**0.5, -1) @ v
"""


@pytest.mark.parametrize(
    ("sizes", "stated"),
    [("-1, -1, n, -1, -1", ""), ("b, h // n, n, t, d", "`k` has 4 axes, as its expansion says")],
)
def test_a_subscript_leaves_axes_to_an_expansion(sizes: str, stated: str) -> None:
    text = SHARED_HEADS.format(sizes=sizes)
    (found,) = audit.audit_text(text, "program.py", audit.Options()).findings
    assert found.fix is not None and found.fix.applicability == "safe"
    reason = found.fix.reason or ""
    assert "2 axes" not in reason and stated in reason
