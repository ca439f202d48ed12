"""Attention in many dialects: the fixed program gives what the written one gave, and what must be
refused is."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import Any

import pytest
import torch
from auditor.rewrites import flash_attention

from auditor import audit
from auditor.rewrite import Refused
from auditor.writing import edits

CODE = "ASC109"
HEADER = """\
import math

import torch
import torch.nn.functional as F
from einops import rearrange
from torch import einsum, nn


"""


def findings(text: str, code: str = CODE) -> list[Any]:
    report = audit.audit_text(text, "program.py", audit.Options())
    assert not report.problems, report.problems
    return [finding for finding in report.findings if finding.code == code]


def fixed(text: str, level: str = "safe") -> str:
    """The program with its fixes; a second audit has nothing to say."""
    found = [f for f in findings(text) if f.fix is not None]
    assert found, f"nothing was found in\n{text}"
    assert {f.fix.applicability for f in found} == {level}, found[0].fix.reason
    applied = edits.apply_fixes(text, found)
    assert not applied.refused, applied.refused
    assert not findings(applied.text), f"found again in\n{applied.text}"
    assert not findings(applied.text, "ASC107"), f"a softmax is left in\n{applied.text}"
    assert "softmax" not in applied.text.replace("self.softmax = ", ""), applied.text
    return applied.text


def load(text: str) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(compile(text, "program.py", "exec"), space)
    return space


def cast(value: Any, dtype: torch.dtype) -> Any:
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.detach().to(dtype).requires_grad_()
    return value


def run(text: str, arguments: tuple[Any, ...], dtype: torch.dtype) -> list[torch.Tensor]:
    """The output and the gradients of a fixed projection."""
    torch.manual_seed(0)
    function = load(text)["f"]
    if isinstance(function, type):
        function = function().to(dtype)
    mine = tuple(cast(value, dtype) for value in arguments)
    output = function(*mine)
    weight = torch.randn(output.shape, generator=torch.Generator().manual_seed(1))
    leaves = [v for v in mine if isinstance(v, torch.Tensor) and v.requires_grad]
    found = torch.autograd.grad((output * weight.to(output.dtype)).sum(), leaves, allow_unused=True)
    return [output, *(torch.zeros(()) if grad is None else grad for grad in found)]


def agree(before: str, after: str, arguments: tuple[Any, ...], dtype: torch.dtype) -> None:
    """Half precision and single: as near to double precision as the original, up to a factor."""
    exact = run(before, arguments, torch.float64)
    old, new = run(before, arguments, dtype), run(after, arguments, dtype)
    for place, (a, b, c) in enumerate(zip(old, new, exact, strict=True)):
        assert a.shape == b.shape and a.dtype == b.dtype, (place, a.shape, b.shape)
        assert a.is_contiguous() == b.is_contiguous() or place or not a.is_contiguous()
        eager, ours = (a.double() - c).abs().max(), (b.double() - c).abs().max()
        limit = 3 * eager + 16 * torch.finfo(dtype).eps * c.abs().max()
        assert ours <= limit, f"{place}: error {ours:.2e}, eager {eager:.2e}\n{after}"


def draw(*shape: int) -> torch.Tensor:
    return torch.randn(*shape)


def heads(lq: int = 5, lk: int = 7, d: int = 4, e: int = 6) -> tuple[torch.Tensor, ...]:
    return draw(2, 3, lq, d), draw(2, 3, lk, d), draw(2, 3, lk, e)


def strided(lq: int = 5, lk: int = 7, d: int = 4, e: int = 6) -> tuple[torch.Tensor, ...]:
    """(batch, heads, length, channels) as views of (batch, length, heads, channels)."""
    return tuple(draw(2, n, 3, c).transpose(1, 2) for n, c in ((lq, d), (lk, d), (lk, e)))


PRODUCTS = {
    "at": "q @ k.transpose(-2, -1)",
    "matmul": "torch.matmul(q, k.transpose(-1, -2))",
    "mT": "q @ k.mT",
    "einsum": 'torch.einsum("bhid,bhjd->bhij", q, k)',
    "words": 'einsum("b h i d, b h j d -> b h i j", q, k)',
    "dots": 'torch.einsum("...id,...jd->...ij", q, k)',
    "transpose23": "torch.matmul(q, k.transpose(2, 3))",
    "permute": "q @ k.permute(0, 1, 3, 2)",
    "broadcast": "(q[:, :, :, None, :] * k[:, :, None, :, :]).sum(-1)",
}
SCALES = {
    "none": "{p}",
    "divided": "({p}) / math.sqrt(q.size(-1))",
    "times": "({p}) * q.shape[-1] ** -0.5",
    "inverse": "({p}) * (1.0 / math.sqrt(k.size(-1)))",
    "number": "0.3 * ({p})",
    "twice": "({p}) * 2 / 5",
}
SOFTMAXES = {
    "functional": "w = F.softmax(s, dim=-1)",
    "method": "w = s.softmax(-1)",
    "torch": "w = torch.softmax(s, dim=3)",
    "float": "w = F.softmax(s, dim=-1, dtype=torch.float32).to(q.dtype)",
    "upcast": "w = F.softmax(s.float(), dim=-1).type_as(s)",
    "naive": "e = s.exp()\nw = e / e.sum(dim=-1, keepdim=True)",
    "stable": "e = torch.exp(s - s.amax(-1, keepdim=True))\nw = e / e.sum(-1, keepdim=True)",
    "max_values": (
        "s = s - s.max(dim=-1, keepdim=True)[0]\nw = torch.exp(s)\n"
        "w = w / torch.sum(w, dim=-1, keepdim=True)"
    ),
    "logsumexp": "w = (s - torch.logsumexp(s, -1, keepdim=True)).exp()",
    "log_softmax": "w = F.log_softmax(s, dim=-1).exp()",
}
OUTPUTS = {
    "at": "return w @ v",
    "matmul": "o = torch.matmul(w, v)\nreturn o",
    "einsum": 'return torch.einsum("bhij,bhjd->bhid", w, v)',
    "merged": "return (w @ v).transpose(1, 2).flatten(2)",
    "channels_last": 'return torch.einsum("bhij,bhjd->bihd", w, v)',
    "rearranged": 'o = einsum("b h i j, b h j d -> b h i d", w, v)\n'
    'return rearrange(o, "b h n d -> b n (h d)")',
}


def written(product: str, scale: str, softmax: str, output: str, mask: str = "") -> str:
    lines = [f"s = {SCALES[scale].format(p=PRODUCTS[product])}", mask, SOFTMAXES[softmax],
             OUTPUTS[output]]  # fmt: skip
    extra = ", mask" if "mask" in mask else ""
    body = textwrap.indent("\n".join(line for line in lines if line), "    ")
    return f"{HEADER}def f(q, k, v{extra}):\n{body}\n"


def dialects() -> list[tuple[str, str, str, str]]:
    """Each choice of each kind with some of the others."""
    kinds = [list(PRODUCTS), list(SCALES), list(SOFTMAXES), list(OUTPUTS)]
    found = [tuple(kind[(7 * n + place) % len(kind)] for place, kind in enumerate(kinds))
             for n in range(max(map(len, kinds)))]  # fmt: skip
    for place, kind in enumerate(kinds):
        for choice in kind:
            one = ["at", "divided", "functional", "at"]
            one[place] = choice
            found.append(tuple(one))
    return list(dict.fromkeys(found))  # type: ignore[arg-type]


@pytest.mark.parametrize("dialect", dialects(), ids="-".join)
def test_dialects(dialect: tuple[str, str, str, str]) -> None:
    before = written(*dialect)
    after = fixed(before)
    torch.manual_seed(0)
    agree(before, after, heads(), torch.float32)
    agree(before, after, strided(1, 9), torch.float32)
    agree(before, after, heads(33, 17, 8, 8), torch.bfloat16)


MASKS = {
    "zero": 's = s.masked_fill(mask == 0, float("-inf"))',
    "not": "s = s.masked_fill(~mask, -math.inf)",
    "in_place": 's.masked_fill_(mask == 0, float("-inf"))',
    "logical_not": 's = torch.masked_fill(s, mask.logical_not(), float("-inf"))',
    "where": "s = torch.where(mask, s, -math.inf)",
    "where_tensor": "s = torch.where(mask, s, torch.tensor(float('-inf'), dtype=s.dtype))",
    "large": "s = s.masked_fill(mask == 0, -1e9)",
    "finfo": "s = s.masked_fill(~mask, torch.finfo(s.dtype).min)",
    "finfo_max": "low = -torch.finfo(s.dtype).max\ns = s.masked_fill(~mask, low)",
    "guarded": 'if mask is not None:\n    s = s.masked_fill(mask == 0, float("-inf"))',
    "guarded_large": "if mask is not None:\n    s = s.masked_fill(mask == 0, -1e9)",
}
SHAPES = ((5, 7), (2, 1, 1, 7), (2, 3, 5, 7), (1, 1, 5, 7))


def keeping(shape: tuple[int, ...], empty: bool) -> torch.Tensor:
    mask = torch.rand(shape) < 0.6
    mask[..., 0] = True
    if empty:
        mask[..., 0, :] = False
    return mask


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_boolean_masks(name: str, shape: tuple[int, ...]) -> None:
    before = written("at", "divided", "functional", "at", MASKS[name])
    after = fixed(before)
    torch.manual_seed(0)
    # A row that a finite number masks everywhere is the mean of the values.
    for empty in (False, True) if "large" in name or "finfo" in name else (False,):
        mask = keeping(shape, empty)
        agree(before, after, (*heads(), mask), torch.float32)
        agree(before, after, (*strided(), mask), torch.bfloat16)
    if "guarded" in name:
        agree(before, after, (*heads(), None), torch.float32)


ADDED = {
    "mask": "s = s + mask",
    "in_place": "s += mask",
    "first": "s = mask + s",
    "subtracted": "s = s - mask",
    "guarded": "if mask is not None:\n    s = s + mask",
    "sliced": "s = s + mask[:, :, :, : k.shape[-2]]",
    "large": "s = s + (1 - mask) * -1e9",
    "before_scale": "s = s + 0.5 * mask",
}


@pytest.mark.parametrize("name", ADDED)
def test_added_masks(name: str) -> None:
    before = written("at", "divided", "functional", "at", ADDED[name])
    after = fixed(before)
    torch.manual_seed(0)
    for shape in ((2, 3, 5, 7), (2, 1, 1, 7), (1, 3, 5, 7)):
        mask = (torch.rand(shape) < 0.5).float() if name == "large" else torch.randn(shape)
        agree(before, after, (*heads(), mask), torch.float32)
        agree(before, after, (*heads(), mask), torch.bfloat16)


def module(init: str, forward: str) -> str:
    return HEADER + "\n".join([
        "class f(nn.Module):",
        "    def __init__(self):",
        "        super().__init__()",
        textwrap.indent(textwrap.dedent(init).strip("\n"), "        "),
        "",
        textwrap.indent(textwrap.dedent(forward).strip("\n"), "    "),
    ]) + "\n"  # fmt: skip


GPT = module(
    """
    self.c_attn = nn.Linear(12, 36)
    self.n_head = 3
    self.register_buffer("bias", torch.tril(torch.ones(16, 16)).view(1, 1, 16, 16))
    """,
    """
    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(12, dim=2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        # causal
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        y = att @ v
        return y.transpose(1, 2).contiguous().view(B, T, C)
    """,
)

SEQUENCES = {
    "gpt": (GPT, "is_causal=True"),
    "gpt_large": (GPT.replace('float("-inf")', "-1e9"), "is_causal=True"),
    "gpt_finfo": (
        GPT.replace('float("-inf")', "torch.finfo(att.dtype).min"), "is_causal=True"
    ),
    "gpt_where": (
        GPT.replace(
            'att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))',
            "torch.where(self.bias[:, :, :T, :T] > 0, att, torch.finfo(att.dtype).min)",
        ),
        "is_causal=True",
    ),
    "inline": (
        GPT.replace(
            "self.bias[:, :, :T, :T] == 0",
            "torch.triu(torch.ones(T, T, device=x.device), diagonal=1).bool()",
        ),
        "is_causal=True",
    ),
    "ones_like": (
        GPT.replace(
            "att = att.masked_fill(self.bias[:, :, :T, :T] == 0",
            "future = torch.arange(T)[None, :] > torch.arange(T)[:, None]\n"
            "        att = att.masked_fill(future",
        ),
        "is_causal=True",
    ),
    # One step too many: not causal.
    "off_by_one": (GPT.replace("torch.ones(16, 16))", "torch.ones(16, 16), 1)"), "attn_mask"),
    "strict_fill": (
        GPT.replace("torch.ones(16, 16))", "torch.ones(16, 16), -1)").replace(
            'float("-inf")', "-1e9"
        ),
        "fill=",
    ),
    "upper": (GPT.replace("torch.tril(", "torch.triu("), "attn_mask"),
}  # fmt: skip


@pytest.mark.parametrize("name", SEQUENCES)
def test_causal(name: str) -> None:
    before, wanted = SEQUENCES[name]
    after = fixed(before)
    assert wanted in after, after
    assert ("# causal" in before) == ("# causal" in after)
    torch.manual_seed(0)
    for length in (1, 2, 11):
        agree(before, after, (draw(2, length, 12),), torch.float32)
        agree(before, after, (draw(2, length, 12),), torch.bfloat16)


def test_a_buffer_that_is_written_elsewhere_is_no_proof() -> None:
    text = GPT + "\n    def widen(self):\n        self.bias = torch.ones(1, 1, 16, 16)\n"
    assert "is_causal" not in fixed(text)


def test_a_mask_that_may_broadcast_is_passed() -> None:
    before = HEADER + textwrap.dedent("""\
        def f(q, k, v):
            n = q.shape[-2]
            keep = torch.tril(torch.ones(n, n, dtype=torch.bool))
            s = (q @ k.transpose(-2, -1)).masked_fill(~keep, float("-inf"))
            return s.softmax(-1) @ v
        """)
    after = fixed(before)
    assert "is_causal" not in after
    agree(before, after, heads(1, 7), torch.float32)
    agree(before, after, heads(7, 7), torch.float32)


LAYOUTS = {
    "channels_last": (
        """
        def f(q, k, v):
            s = torch.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
            return torch.einsum("bhqk,bkhd->bqhd", s.softmax(-1), v)
        """,
        lambda: (draw(2, 5, 3, 4), draw(2, 7, 3, 4), draw(2, 7, 3, 6)),
    ),
    "channels_last_viewed": (
        """
        def f(q, k, v):
            s = torch.einsum("bqhd,bkhd->bhqk", q, k)
            w = torch.softmax(s / 2.0, dim=3)
            return torch.einsum("bhqk,bkhd->bqhd", w, v).reshape(q.shape[0], q.shape[1], -1)
        """,
        lambda: (draw(2, 5, 3, 4), draw(2, 7, 3, 4), draw(2, 7, 3, 6)),
    ),
    "channels_first": (
        """
        def f(q, k, v):
            s = torch.bmm(k.transpose(1, 2), q)
            w = torch.softmax(s, dim=1)
            return torch.bmm(v, w).view(2, -1)
        """,
        lambda: (draw(2, 4, 5), draw(2, 4, 7), draw(2, 6, 7)),
    ),
    "queries_on_columns": (
        """
        def f(q, k, v):
            s = torch.einsum("bkd,bqd->bkq", k, q)
            w = F.softmax(s, dim=1)
            return torch.einsum("bkq,bkd->bqd", w, v)
        """,
        lambda: (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 6)),
    ),
    "one_key_head": (
        """
        def f(q, k, v):
            s = torch.einsum("bhid,bjd->bhij", q, k) / 2
            return torch.einsum("bhij,bjd->bhid", s.softmax(dim=-1), v)
        """,
        lambda: (draw(2, 3, 5, 4), draw(2, 7, 4), draw(2, 7, 6)),
    ),
    "two_axes": (
        """
        def f(q, k, v):
            weights = torch.softmax(torch.mm(q, k.t()), dim=1)
            return torch.mm(weights, v)
        """,
        lambda: (draw(5, 4), draw(7, 4), draw(7, 6)),
    ),
    "grouped": (
        """
        def f(q, k, v):
            k = k.repeat_interleave(2, dim=1)
            v = v.repeat_interleave(2, dim=1)
            s = torch.matmul(q, k.transpose(2, 3)) * 0.5
            return torch.matmul(F.softmax(s, dim=-1), v)
        """,
        lambda: (draw(2, 4, 5, 4), draw(2, 2, 7, 4), draw(2, 2, 7, 6)),
    ),
    "expanded": (
        """
        def f(q, k, v):
            b, h, n, d = k.shape
            k = k[:, :, None, :, :].expand(b, h, 2, n, d).reshape(b, h * 2, n, d)
            v = v[:, :, None, :, :].expand(b, h, 2, n, d).reshape(b, h * 2, n, d)
            s = torch.matmul(q, k.transpose(2, 3)) * d**-0.5
            return torch.matmul(F.softmax(s, dim=-1), v)
        """,
        lambda: (draw(2, 4, 5, 4), draw(2, 2, 7, 4), draw(2, 2, 7, 4)),
    ),
    "baddbmm": (
        """
        def f(q, k, v, bias):
            s = torch.baddbmm(bias, q, k.transpose(1, 2), beta=1, alpha=0.5)
            return torch.bmm(s.softmax(dim=-1), v)
        """,
        lambda: (draw(2, 5, 4), draw(2, 7, 4), draw(2, 7, 6), draw(2, 5, 7)),
    ),
    "scaled_query": (
        """
        def f(q, k, v):
            q = q * q.shape[-1] ** -0.5
            s = q @ k.transpose(-2, -1)
            return s.softmax(dim=-1) @ v
        """,
        lambda: heads(),
    ),
    "scaled_query_inline": (
        """
        def f(q, k, v):
            s = (q * 0.25) @ (k / 2).transpose(-2, -1)
            return s.softmax(dim=-1) @ v
        """,
        lambda: heads(),
    ),
    "scaled_both": (
        """
        def f(q, k, v):
            scale = q.shape[-1] ** -0.25
            s = (q * scale) @ (k * scale).transpose(-2, -1)
            return s.softmax(dim=-1) @ v
        """,
        lambda: heads(),
    ),
    "divided_late": (
        """
        def f(q, k, v):
            e = torch.exp(q @ k.transpose(-2, -1))
            return (e @ v) / e.sum(-1, keepdim=True)
        """,
        lambda: heads(),
    ),
    "expression": (
        """
        def f(q, k, v):
            return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)), dim=-1) @ v
        """,
        lambda: heads(),
    ),
    "wide": (
        """
        def f(q, k, v):
            s = q.float() @ k.float().transpose(-2, -1)
            return (s.softmax(dim=-1) @ v.float()).to(v.dtype)
        """,
        lambda: heads(),
    ),
    "wide_scores": (
        """
        def f(q, k, v):
            s = (q @ k.transpose(-2, -1)).float()
            return s.softmax(dim=-1) @ v.float()
        """,
        lambda: heads(),
    ),
    "cast_to_values": (
        """
        def f(q, k, v):
            s = q @ k.transpose(-2, -1)
            w = F.softmax(s, dim=-1, dtype=torch.float32).to(v.dtype)
            return w @ v
        """,
        lambda: heads(),
    ),
    "loop_over_heads": (
        """
        def f(q, k, v):
            out = []
            for h in range(q.shape[1]):
                s = torch.bmm(q[:, h], k[:, h].transpose(1, 2)) * 0.5
                out.append(torch.bmm(F.softmax(s, dim=-1), v[:, h]))
            return torch.stack(out, dim=1)
        """,
        lambda: heads(),
    ),
    "bias_and_mask": (
        """
        def f(q, k, v, bias):
            n = q.shape[-2]
            future = torch.ones(n, n, dtype=torch.bool).triu(1)
            s = q @ k.transpose(-2, -1) + bias
            s = s.masked_fill(future, float("-inf"))
            return s.softmax(dim=-1) @ v
        """,
        lambda: (*heads(7, 7), draw(3, 7, 7)),
    ),
    "two_masks": (
        """
        def f(q, k, v, mask):
            n = q.shape[-2]
            future = torch.ones(n, n, dtype=torch.bool).triu(1)
            s = q @ k.transpose(-2, -1)
            s = s.masked_fill(future, float("-inf"))
            s = s.masked_fill(mask[:, None, None, :] == 0, float("-inf"))
            return s.softmax(dim=-1) @ v
        """,
        lambda: (*heads(7, 7), torch.tensor([[1, 1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1, 1]])),
    ),
    "two_masks_large": (
        """
        def f(q, k, v, mask):
            n = q.shape[-2]
            future = torch.ones(n, n, dtype=torch.bool).triu(1)
            s = q @ k.transpose(-2, -1)
            s = s.masked_fill(future, -1e9)
            s = s.masked_fill(mask[:, None, None, :] == 0, -1e9)
            return s.softmax(dim=-1) @ v
        """,
        lambda: (*heads(7, 7), torch.tensor([[0, 0, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1, 1]])),
    ),
    "flag": (
        """
        def f(q, k, v, causal=True):
            s = torch.einsum("bhid,bhjd->bhij", q, k) * 0.5
            if causal:
                i, j = s.shape[-2:]
                mask = torch.ones((i, j), dtype=torch.bool, device=q.device).triu(j - i + 1)
                s = s.masked_fill(mask, -torch.finfo(s.dtype).max)
            return torch.einsum("bhij,bhjd->bhid", s.softmax(dim=-1), v)
        """,
        lambda: heads(6, 6),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts(name: str) -> None:
    source, arguments = LAYOUTS[name]
    before = HEADER + textwrap.dedent(source).strip("\n") + "\n"
    after = fixed(before)
    torch.manual_seed(0)
    for dtype in (torch.float32, torch.bfloat16):
        agree(before, after, arguments(), dtype)


def test_a_flag_off_and_rectangles() -> None:
    before = HEADER + textwrap.dedent(LAYOUTS["flag"][0]).strip("\n") + "\n"
    after = fixed(before)
    torch.manual_seed(0)
    for lq, lk in ((1, 1), (3, 8), (8, 3)):
        for flag in (True, False):
            agree(before, after, (*heads(lq, lk), flag), torch.float32)


REFUSED = {
    "returned": "w = s.softmax(-1)\nreturn w @ v, w",
    "stored": "w = s.softmax(-1)\nfound.append(w)\nreturn w @ v",
    "printed": "print(s)\nreturn s.softmax(-1) @ v",
    "entropy": "w = s.softmax(-1)\nh = -(w * w.log()).sum()\nreturn w @ v + h",
    "maximum": "w = s.softmax(-1)\ntop = s.max()\nreturn w @ v, top",
    "captured": "w = s.softmax(-1)\nlook = lambda: w\nreturn w @ v, look",
}


@pytest.mark.parametrize("name", REFUSED)
def test_weights_that_are_needed(name: str) -> None:
    body = textwrap.indent("s = q @ k.transpose(-2, -1)\n" + REFUSED[name], "    ")
    text = f"{HEADER}def f(q, k, v, found=[]):\n{body}\n"
    assert not findings(text)
    report = audit.audit_text(text, "program.py", audit.Options(everything=True))
    assert any("also used at line" in (c.refused or "") for c in report.computations)


UNMATCHED = {
    "axis": "return s.softmax(-2) @ v",
    "both": "return (s.softmax(-1) * s.softmax(-2)) @ v",
    "sigmoid": "return torch.sigmoid(s) @ v",
    "tanh": "return (10 * torch.tanh(s / 10)).softmax(-1) @ v",
    "row_scale": "return (s / s.std(-1, keepdim=True)).softmax(-1) @ v",
    "gated": "return (s.softmax(-1) * g) @ v",
    "renormalised": "w = s.softmax(-1) ** 2\nreturn (w / w.sum(-1, keepdim=True)) @ v",
    "epsilon": "e = s.exp()\nreturn (e / (e.sum(-1, keepdim=True) + 1e-6)) @ v",
    "extra_one": "e = s.exp()\nreturn (e / (1 + e.sum(-1, keepdim=True))) @ v",
    "detached": "return s.softmax(-1).detach() @ v",
    "no_grad": "with torch.no_grad():\n    w = s.softmax(-1)\nreturn w @ v",
    "detached_scores": "return s.detach().softmax(-1) @ v",
    "detached_sum": "e = s.exp()\nreturn (e / e.sum(-1, keepdim=True).detach()) @ v",
    "small_fill": "return s.masked_fill(g == 0, -10.0).softmax(-1) @ v",
    "zero_fill": "return s.softmax(-1).masked_fill(g == 0, 0.0) @ v",
    "talking": 'return torch.einsum("bhij,hg->bgij", s.softmax(-1), g) @ v',
    "dropped_scores": "return F.dropout(s, 0.1).softmax(-1) @ v",
    "gumbel": "return (s + torch.rand_like(s).log()).softmax(-1) @ v",
    "other_values": "return s.softmax(-1) @ v.softmax(-1).transpose(-2, -1) @ v",
    "topk": "return s.topk(2, dim=-1).values.softmax(-1) @ v[..., :2, :]",
}


@pytest.mark.parametrize("name", UNMATCHED)
def test_near_misses(name: str) -> None:
    body = textwrap.indent("s = q @ k.transpose(-2, -1)\n" + UNMATCHED[name], "    ")
    text = f"{HEADER}def f(q, k, v, g):\n{body}\n"
    for finding in findings(text):
        # What is added to the scores may be anything that is computed before.
        assert name in ("gumbel", "other_values"), finding
        assert finding.fix is not None
        after = edits.apply_fixes(text, [finding]).text
        if name == "other_values":
            agree(text, after, (*heads(7, 7, 7, 7), None), torch.float32)


def test_a_fallback_beside_the_fused_call_is_silent() -> None:
    text = HEADER + textwrap.dedent("""\
        def f(q, k, v, fused):
            if fused:
                return F.scaled_dot_product_attention(q, k, v)
            return (q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))).softmax(-1) @ v
        """)
    assert not findings(text)


DROPOUTS = {
    "functional": ("", "F.dropout(w, p=0.1, training=self.training)",
                   "dropout_p=0.1 if self.training else 0.0"),
    "module": ("self.drop = nn.Dropout(0.1)", "self.drop(w)",
               "dropout_p=self.drop.p if self.drop.training else 0.0"),
}  # fmt: skip


@pytest.mark.parametrize("name", DROPOUTS)
def test_dropout_that_may_be_active_is_unsafe(name: str) -> None:
    init, call, wanted = DROPOUTS[name]
    before = module(
        init or "self.n = 1",
        f"""
        def forward(self, q, k, v):
            w = F.softmax(q @ k.transpose(-2, -1), dim=-1)
            w = {call}
            return w @ v
        """,
    )
    after = fixed(before, "unsafe")
    assert wanted in " ".join(after.split()), after
    # The kernel draws as the program does.
    torch.manual_seed(0)
    agree(before, after, heads(), torch.float32)


@pytest.mark.parametrize("call", ["F.dropout(w, 0.0)", "F.dropout(w, 0.3, training=False)"])
def test_dropout_that_is_inactive_is_none(call: str) -> None:
    before = f"{HEADER}def f(q, k, v):\n    w = (q @ k.mT).softmax(-1)\n    return {call} @ v\n"
    agree(before, fixed(before), heads(), torch.float32)


@pytest.mark.parametrize("example", flash_attention.REWRITE.examples, ids=lambda e: e.title)
def test_examples(example: Any) -> None:
    assert fixed(example.before) == example.after
    space = load(f"import torch\ntorch.manual_seed(0)\ncase = {example.cases}")
    name = example.before.split("def ")[1].split("(")[0]
    old, new = load(example.before)[name], load(example.after)[name]
    torch.testing.assert_close(new(*space["case"]), old(*space["case"]))


def refusals(source: str, waived: frozenset[str] = frozenset()) -> tuple[set[str], bool]:
    """The conditions that refuse somewhere in a program; whether anything matches."""
    from auditor.lift import attributes_of, functions, lift, read

    text = read(source)
    conditions, matched = set(), False
    for scope, node, klass in functions(text):
        lifted = lift(text, scope, node, klass, attributes_of(text, klass) if klass else {})
        for site in audit.sites(lifted):
            try:
                found = flash_attention.find(replace(site, waived=waived))
                matched |= found is not None
            except Refused as refusal:
                conditions.add(refusal.condition)
    return conditions, matched


@pytest.mark.parametrize("example", flash_attention.REWRITE.refused, ids=lambda e: e.condition)
def test_refused_by_one_condition_alone(example: Any) -> None:
    assert refusals(example.source) == ({example.condition}, False)
    assert refusals(example.source, frozenset((example.condition,)))[1]


@pytest.mark.parametrize("source", flash_attention.REWRITE.unmatched)
def test_unmatched(source: str) -> None:
    assert refusals(source) == (set(), False)


MOVED = {
    "alias": "s = q @ k.mT\nother = q\nother.zero_()\nreturn s.softmax(-1) @ v",
    "in_place": "s = q @ k.mT\nq.zero_()\nreturn s.softmax(-1) @ v",
    "element": "s = q @ k.mT\nk[:, 0] = 0\nreturn s.softmax(-1) @ v",
    "rebound": "s = q @ k.mT\nq = q + 1\nreturn s.softmax(-1) @ v",
    "given_away": "s = q @ k.mT\ng(q)\nreturn s.softmax(-1) @ v",
}


@pytest.mark.parametrize("name", MOVED)
def test_operands_that_may_change_in_between(name: str) -> None:
    body = textwrap.indent(MOVED[name], "    ")
    assert not findings(f"{HEADER}def f(q, k, v, g):\n{body}\n")


@pytest.mark.parametrize("other", ["import numpy as np\n", ""])
def test_a_file_that_imports_numpy_too(other: str) -> None:
    before = other + written("at", "divided", "stable", "at")
    agree(before, fixed(before), heads(), torch.float32)


def test_arrays_of_numpy_are_left_alone() -> None:
    text = (
        HEADER
        + "import numpy as np\n"
        + textwrap.dedent("""\
        def f(q, k, v):
            e = np.exp(q @ k.T)
            return e / e.sum(-1, keepdims=True) @ v
        """)
    )
    assert not findings(text)


def test_masks_of_rows_are_kept() -> None:
    """Adding a large number to a whole row rounds its scores away: so does the fix."""
    before = written("at", "none", "functional", "at", "s = s + mask[:, None, :, None] * -1e9")
    after = fixed(before)
    assert "attn_mask=mask[:, None, :, None] * -1e9" in after
    agree(before, after, (*heads(), (torch.rand(2, 5) < 0.5).float()), torch.float32)


def test_a_mask_bound_again_under_its_condition() -> None:
    mask = "if mask is not None:\n    mask = mask[:, None]\n    s = s.masked_fill(mask == 0, -1e9)"
    before = written("at", "divided", "functional", "at", mask)
    after = fixed(before)
    assert "attn_mask = None" in after
    agree(before, after, (*heads(), keeping((2, 5, 7), True)), torch.float32)
    agree(before, after, (*heads(), None), torch.float32)


def test_line_width_follows_the_file() -> None:
    name = "attention_scores_of_this_block"
    text = f"{HEADER}def f({name}, k, v):\n    s = {name} @ k.transpose(-2, -1) * 0.125\n" \
        f"    return s.softmax(dim=-1) @ v\n"  # fmt: skip
    after = fixed(text)
    assert max(map(len, after.splitlines())) <= 88
