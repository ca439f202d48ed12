"""Softmax, log-softmax and log-sum-exp by hand: the fixed program gives what the written one gave,
and what must be refused is."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import Any

import pytest
import torch
from auditor.rewrites import online_softmax

from auditor import audit
from auditor.rewrite import Refused
from auditor.writing import edits

CODE = "ASC107"
HEADER = "import math\n\nimport torch\n\n\n"


def findings(text: str, code: str = CODE) -> list[Any]:
    report = audit.audit_text(text, "program.py", audit.Options())
    assert not report.problems, report.problems
    return [finding for finding in report.findings if finding.code == code]


def fixed(text: str) -> str:
    """The program with its safe fixes; a second audit has nothing to say."""
    found = [f for f in findings(text) if f.fix is not None]
    assert found, f"nothing was found in\n{text}"
    assert {f.fix.applicability for f in found} == {"safe"}, found[0].fix.reason
    applied = edits.apply_fixes(text, found)
    assert not applied.refused, applied.refused
    assert not findings(applied.text), f"found again in\n{applied.text}"
    return applied.text


def program(body: str, parameters: str = "x") -> str:
    return f"{HEADER}def f({parameters}):\n{textwrap.indent(body, '    ')}\n"


def run(text: str, arguments: tuple[Any, ...], dtype: torch.dtype) -> list[torch.Tensor]:
    space: dict[str, Any] = {}
    exec(compile(text, "program.py", "exec"), space)
    mine = tuple(
        a.detach().to(dtype).requires_grad_()
        if isinstance(a, torch.Tensor) and a.is_floating_point()
        else a
        for a in arguments
    )
    output = space["f"](*mine)
    weight = torch.randn(output.shape, generator=torch.Generator().manual_seed(1))
    leaves = [a for a in mine if isinstance(a, torch.Tensor) and a.requires_grad]
    found = torch.autograd.grad((output * weight.to(output.dtype)).sum(), leaves, allow_unused=True)
    return [output, *(torch.zeros(()) if grad is None else grad for grad in found)]


def agree(before: str, after: str, arguments: tuple[Any, ...], dtype: torch.dtype) -> None:
    exact = run(before, arguments, torch.float64)
    old, new = run(before, arguments, dtype), run(after, arguments, dtype)
    for place, (a, b, c) in enumerate(zip(old, new, exact, strict=True)):
        assert a.shape == b.shape and a.dtype == b.dtype, (place, a.shape, b.shape)
        eager, ours = (a.double() - c).abs().max(), (b.double() - c).abs().max()
        limit = 3 * eager + 16 * torch.finfo(dtype).eps * c.abs().max()
        assert ours <= limit, f"{place}: error {ours:.2e}, eager {eager:.2e}\n{after}"


SHIFTS = {
    "none": "y = x",
    "amax": "y = x - x.amax(dim={d}, keepdim=True)",
    "max_values": "y = x - x.max(dim={d}, keepdim=True).values",
    "max_pair": "m, _ = x.max({d}, keepdim=True)\ny = x - m",
    "torch_max": "m = torch.max(x, {d}, keepdim=True)[0]\ny = x - m",
    "detached": "y = x - x.amax({d}, keepdim=True).detach()",
    "no_grad": "with torch.no_grad():\n    m = x.amax({d}, keepdim=True)\ny = x - m",
    "mean": "y = x - x.mean({d}, keepdim=True)",
    "unsqueezed": "y = x - x.max({d}).values.unsqueeze({d})",
    "subtracted": "y = torch.sub(x, torch.amax(x, {d}, True))",
    "rebound": "x = x - x.amax({d}, keepdim=True)\ny = x",
}
FORMS = {
    "ratio": "e = y.exp()\nreturn e / e.sum({d}, keepdim=True)",
    "names": "e = torch.exp(y)\ntotal = torch.sum(e, dim={d}, keepdim=True)\nreturn e / total",
    "twice": "return y.exp() / y.exp().sum(dim={d}, keepdim=True)",
    "div": "e = y.exp()\nreturn torch.div(e, e.sum({d}, keepdim=True))",
    "product": "e = y.exp()\nreturn e * (1.0 / e.sum({d}, keepdim=True))",
    "exponential": "return torch.exp(y - torch.logsumexp(y, {d}, keepdim=True))",
    "log": "return y - y.exp().sum({d}, keepdim=True).log()",
    "log_names": "lse = torch.log(torch.sum(torch.exp(y), {d}, keepdim=True))\nreturn y - lse",
}
DIMS = (-1, 0, 1)


@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("form", FORMS)
def test_softmax(shift: str, form: str) -> None:
    torch.manual_seed(0)
    dim = DIMS[(len(shift) + len(form)) % 3]
    before = program(f"{SHIFTS[shift]}\n{FORMS[form]}".format(d=dim))
    after = fixed(before)
    wanted = "log_softmax" if form.startswith("log") else "online_softmax"
    assert wanted in after and "exp(" not in after.replace("logsumexp(", "")
    for shape in ((3, 7), (1, 1), (5, 33)):
        agree(before, after, (torch.randn(shape),), torch.float32)
        agree(before, after, (torch.randn(*shape[::-1]).t(),), torch.float32)
        agree(before, after, (3 * torch.randn(shape),), torch.bfloat16)


SUMS = {
    "naive": "return x.exp().sum({d}).log()",
    "torch": "return torch.log(torch.sum(torch.exp(x), dim={d}))",
    "kept": "return x.exp().sum({d}, keepdim=True).log()",
    "shifted": "m = x.amax({d}, keepdim=True)\n"
    "return (m + (x - m).exp().sum({d}, keepdim=True).log())",
    "shifted_flat": "m = x.max({d}).values\n"
    "return m + torch.log((x - m.unsqueeze({d})).exp().sum({d}))",
    "squeezed": "m = x.amax({d}, keepdim=True)\n"
    "return m.squeeze({d}) + (x - m).exp().sum({d}).log()",
    "negated": "return -(-x).exp().sum({d}).log()",
    "tempered": "y = x / 0.5\nm = y.amax({d})\n"
    "return m + (y - m.unsqueeze({d})).exp().sum({d}).log()",
}


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("dim", (-1, 0, 1))
def test_logsumexp(name: str, dim: int) -> None:
    before = program(SUMS[name].format(d=dim))
    after = fixed(before)
    assert "logsumexp" in after
    torch.manual_seed(0)
    for shape in ((3, 7), (1, 1), (5, 33)):
        agree(before, after, (torch.randn(shape),), torch.float32)
        agree(before, after, (torch.randn(shape),), torch.bfloat16)


OTHERS = {
    "temperature": ("z = x / t\ne = torch.exp(z - z.amax(-1, keepdim=True))\n"
                    "return e / e.sum(-1, keepdim=True)", "x, t: float",
                    lambda: (torch.randn(3, 7), 0.7)),
    "softmin": ("e = torch.exp(-x)\nreturn e / e.sum(-1, keepdim=True)", "x",
                lambda: (torch.randn(3, 7),)),
    "masked": ("x = x.masked_fill(m == 0, -math.inf)\ne = torch.exp(x - x.amax(-1, keepdim=True))\n"
               "return e / e.sum(-1, keepdim=True)", "x, m",
               lambda: (torch.randn(3, 7), torch.tensor([[1, 0, 1, 1, 0, 1, 1]] * 3))),
    "middle": ("e = x.exp()\nreturn e / e.sum(1, keepdim=True)", "x",
               lambda: (torch.randn(2, 5, 3),)),
    "crossed": ("e = torch.exp(x - x.amax(0, keepdim=True))\nreturn e / e.sum(1, keepdim=True)",
                "x", lambda: (torch.randn(3, 7),)),
    "chosen": ("e = torch.exp(x - x.amax(dim=dim, keepdim=True))\n"
               "return e / e.sum(dim=dim, keepdim=True)", "x, dim: int = -1",
               lambda: (torch.randn(3, 7, 2), 1)),
    "used_later": ("e = x.exp()\np = e / e.sum(-1, keepdim=True)\nreturn p * p", "x",
                   lambda: (torch.randn(3, 7),)),
    "projected": ("e = (x @ w).exp()\nreturn e / e.sum(-1, keepdim=True)", "x, w",
                  lambda: (torch.randn(3, 7), torch.randn(7, 5))),
    "rows": ("out = []\nfor row in x:\n    e = torch.exp(row - row.amax(0, keepdim=True))\n"
             "    out.append(e / e.sum(0, keepdim=True))\nreturn torch.stack(out)", "x",
             lambda: (torch.randn(3, 7),)),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_others(name: str) -> None:
    body, parameters, arguments = OTHERS[name]
    before = program(body, parameters)
    after = fixed(before)
    torch.manual_seed(0)
    agree(before, after, arguments(), torch.float32)
    agree(before, after, arguments(), torch.bfloat16)


STREAMS = {
    "first": ("m = x[0]\ns = torch.ones_like(m)\nfor i in range(1, x.shape[0]):\n"
              "    new = torch.maximum(m, x[i])\n"
              "    s = s * torch.exp(m - new) + torch.exp(x[i] - new)\n    m = new\n", ""),
    "infinity": ("m = torch.full((), -math.inf)\ns = torch.zeros(())\n"
                 "for i in range(x.shape[0]):\n    new = torch.maximum(m, x[i])\n"
                 "    s = s * torch.exp(m - new) + torch.exp(x[i] - new)\n    m = new\n", ""),
}  # fmt: skip
ENDS = {
    "sum": "return m + torch.log(s)",
    "softmax": "return torch.exp(x - m) / s",
    "log": "return x - m - s.log()",
}


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("end", ENDS)
def test_streams_of_one_axis(stream: str, end: str) -> None:
    annotated = "x: torch.Tensor"
    before = program("assert x.dim() == 1\n" * 0 + STREAMS[stream][0] + ENDS[end], annotated)
    found = findings(before)
    assert found
    if not any(f.fix is not None for f in found):
        pytest.skip("advice only")
    after = fixed(before)
    assert "for " not in after
    torch.manual_seed(0)
    for length in (1, 2, 33):
        agree(before, after, (5 * torch.randn(length),), torch.float32)


REFUSED = {
    "numerator": "e = x.exp()\nreturn e, e / e.sum(-1, keepdim=True)",
    "mass": "e = x.exp()\nz = e.sum(-1, keepdim=True)\nprint(z)\nreturn e / z",
    "loop": "m = x[0]\ns = torch.ones_like(m)\nfor i in range(1, x.shape[0]):\n"
    "    new = torch.maximum(m, x[i])\n"
    "    s = s * torch.exp(m - new) + torch.exp(x[i] - new)\n    m = new\n"
    "return m + torch.log(s), m",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    assert not [f for f in findings(program(REFUSED[name], "x: torch.Tensor")) if f.fix]


UNMATCHED = {
    "epsilon": "e = x.exp()\nreturn e / (e.sum(-1, keepdim=True) + 1e-6)",
    "one": "e = x.exp()\nreturn e / (1 + e.sum(-1, keepdim=True))",
    "no_keepdim": "e = x.exp()\nreturn e / e.sum(-1)",
    "power": "e = 2**x\nreturn e / e.sum(-1, keepdim=True)",
    "mixed": "return torch.exp2(x) / x.exp().sum(-1, keepdim=True)",
    "detached_sum": "e = x.exp()\nreturn e / e.sum(-1, keepdim=True).detach()",
    "no_grad_sum": (
        "e = x.exp()\nwith torch.no_grad():\n    z = e.sum(-1, keepdim=True)\nreturn e / z"
    ),
    "detached_scores": "e = x.detach().exp()\nreturn x.exp() / e.sum(-1, keepdim=True)",
    "prefix": "e = x.exp()\nreturn e / e.cumsum(-1)",
    "square": "e = x**2\nreturn e / e.sum(-1, keepdim=True)",
    "moving_shift": "e = torch.exp(x - x.flip(-1))\nreturn e / x.exp().sum(-1, keepdim=True)",
    "noise": "return (x + torch.rand_like(x)).exp() / x.exp().sum(-1, keepdim=True)",
    "log_two": "return x.exp().sum(-1).log2()",
    "mean": "return (x.exp().sum(-1) / (x.shape[-1] - 1)).log()",
    "plain": "return torch.softmax(x, -1)",
    "plain_log": "return torch.log_softmax(x, dim=-1)",
    "plain_sum": "return torch.logsumexp(x, -1)",
    "module": "return torch.nn.functional.softmax(x, dim=-1) * 2",
    "sigmoid": "return 1 / (1 + (-x).exp())",
    "forgets_to_rescale": "m = x[0]\ns = torch.ones_like(m)\nfor i in range(1, x.shape[0]):\n"
    "    m = torch.maximum(m, x[i])\n    s = s + torch.exp(x[i] - m)\nreturn m + torch.log(s)",
}


@pytest.mark.parametrize("name", UNMATCHED)
def test_near_misses(name: str) -> None:
    assert not findings(program(UNMATCHED[name]))


def test_numpy_takes_the_function_that_the_file_has() -> None:
    body = "e = np.exp(x - x.max(axis=-1, keepdims=True))\nreturn e / e.sum(axis=-1, keepdims=True)"
    text = f"import numpy as np\n\n\ndef f(x):\n{textwrap.indent(body, '    ')}\n"
    assert "return online_softmax(x, -1)" in fixed(text)
    scipy = text.replace("import numpy as np\n", "import numpy as np\nfrom scipy import special\n")
    assert "return special.softmax(x, axis=-1)" in fixed(scipy)


def test_attention_takes_its_softmax_along() -> None:
    text = program(
        "s = q @ k.mT\ne = s.exp()\nw = e / e.sum(-1, keepdim=True)\nreturn w @ v", "q, k, v"
    )
    assert not findings(text)
    assert findings(text, "ASC109")


@pytest.mark.parametrize("example", online_softmax.REWRITE.examples, ids=lambda e: e.title)
def test_examples(example: Any) -> None:
    assert fixed(example.before) == example.after
    space: dict[str, Any] = {}
    exec(f"import torch\ntorch.manual_seed(0)\ncase = {example.cases}", space)
    name = example.before.split("def ")[1].split("(")[0]
    results = []
    for text in (example.before, example.after):
        scope: dict[str, Any] = {}
        exec(compile(text, "program.py", "exec"), scope)
        results.append(scope[name](*space["case"]))
    torch.testing.assert_close(results[1], results[0])


def refusals(source: str, waived: frozenset[str] = frozenset()) -> tuple[set[str], bool]:
    from auditor.lift import attributes_of, functions, lift, read

    text = read(source)
    conditions, matched = set(), False
    for scope, node, klass in functions(text):
        lifted = lift(text, scope, node, klass, attributes_of(text, klass) if klass else {})
        for site in audit.sites(lifted):
            try:
                match = online_softmax.find(replace(site, waived=waived))
                matched |= match is not None and bool(match.edits)
            except Refused as refusal:
                conditions.add(refusal.condition)
    return conditions, matched


@pytest.mark.parametrize("example", online_softmax.REWRITE.refused, ids=lambda e: e.condition)
def test_refused_by_one_condition_alone(example: Any) -> None:
    assert refusals(example.source) == ({example.condition}, False)
    assert refusals(example.source, frozenset((example.condition,)))[1]


@pytest.mark.parametrize("source", online_softmax.REWRITE.unmatched)
def test_unmatched(source: str) -> None:
    assert refusals(source) == (set(), False)


_OVERFLOWS = "where the sum of the exponentials overflows or is 0 the result is finite now"
_WRAPS = "assumes that `x` holds no unsigned integers and none of 8 or 16 bits"


@pytest.mark.parametrize(
    ("shift", "reason"),
    [
        ("m = x.amax(-1, keepdim=True)", _WRAPS),
        ("m = x.detach().amax(-1, keepdim=True)", _WRAPS),
        ("with torch.no_grad():\n        m = x.amax(-1, keepdim=True)", _WRAPS),
        ("m = x.mean(-1, keepdim=True)", _OVERFLOWS),
        ("m = 2 * x.amax(-1, keepdim=True)", f"{_WRAPS}; {_OVERFLOWS}"),
        ("m = x.amax(-1, keepdim=True)\n    x = 3 * x", f"{_WRAPS}; {_OVERFLOWS}"),
    ],
)
def test_what_a_shift_keeps_from_overflowing(shift: str, reason: str) -> None:
    end = "return m + (x - m).exp().sum(-1, keepdim=True).log()"
    (finding,) = findings(f"import torch\n\n\ndef f(x: torch.Tensor):\n    {shift}\n    {end}\n")
    assert finding.fix is not None and finding.fix.reason == reason


_SMALL = "where a weight is too small for its type the result is finite now"


@pytest.mark.parametrize(
    ("result", "stated"),
    [
        ("torch.log(e / e.sum(-1, keepdim=True))", True),
        ("torch.log(torch.softmax(x, -1))", True),
        ("x - m - torch.log(e.sum(-1, keepdim=True))", False),
    ],
)
def test_logarithms_of_weights_are_finite(result: str, stated: bool) -> None:
    before = "m = x.amax(-1, keepdim=True)\n    e = torch.exp(x - m)"
    (found,) = findings(
        f"import torch\n\n\ndef f(x: torch.Tensor):\n    {before}\n    return {result}\n"
    )
    assert found.fix is not None and found.fix.applicability == "safe"
    assert (_SMALL in (found.fix.reason or "")) is stated


def test_one_element_has_no_softmax() -> None:
    before = "e = np.exp(x - x.max(axis=None)[..., None])"
    result = "e / e.sum(axis=None)[..., None]"
    assert not findings(f"import numpy as np\n\n\ndef f(x):\n    {before}\n    return {result}\n")


@pytest.mark.parametrize("rounded", ["half().float()", "bfloat16().to(torch.float32)"])
@pytest.mark.parametrize(
    "body",
    [
        "e = torch.exp(x - x.amax(-1, keepdim=True)).{0}\nreturn e / e.sum(-1, keepdim=True)",
        "return torch.softmax(x @ x.mT, -1).{0} @ x",
    ],
)
def test_what_is_rounded_on_purpose_stays(rounded: str, body: str) -> None:
    report = audit.audit_text(program(body.format(rounded)), "program.py", audit.Options())
    assert not [one for one in report.findings if one.fix is not None]


@pytest.mark.parametrize(("before", "stated"), [("n = 3", True), ("(n,) = x.shape", False)])
def test_the_size_of_an_axis_is_asked_of_what_has_one(before: str, stated: bool) -> None:
    result = "torch.log(torch.mean(torch.exp(x), 0))"
    text = f"import torch\n\n\ndef f(x: torch.Tensor):\n    {before}\n    return {result}\n"
    (found,) = findings(text)
    assert found.fix is not None and found.fix.applicability == "safe"
    assert ("`x` is no tensor without axes" in (found.fix.reason or "")) is stated
