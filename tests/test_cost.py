"""What code costs and what a rewrite is predicted to gain."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from auditor.rewrites import CATALOG

from auditor.audit import Options, audit_text
from auditor.cost import kernels
from auditor.cost.calibrate import described
from auditor.cost.count import count
from auditor.cost.target import BadTarget, target
from auditor.cost.work import RESOURCES, evaluate, total
from auditor.lift import functions, lift, read
from auditor.notation import ZERO, Const
from auditor.verdict import Profit


def used(source: str, sizes: dict[str, float]) -> dict[str, float]:
    """All that the last function of a text uses, where it uses some of it."""
    module = read(source)
    scope, node, klass = list(functions(module))[-1]
    works = [work for _, found in count(lift(module, scope, node, klass), "cpu").statements
             for work in found]  # fmt: skip
    every = {name: evaluate(total(works, name), lambda term: sizes[str(term)])
             for name in RESOURCES}  # fmt: skip
    return {name: amount for name, amount in every.items() if amount}


def product(expression: str) -> str:
    return (
        "import torch\n\ndef f(a: torch.Tensor, b: torch.Tensor):\n"
        f"    (n, k), (k, m) = a.shape, b.shape\n    return {expression}\n"
    )


@pytest.mark.parametrize(
    "expression", ["a @ b", "torch.matmul(a, b)", "a.mm(b)", "torch.einsum('ij,jk->ik', a, b)"]
)
def test_a_product_costs_alike_however_it_is_spelt(expression: str) -> None:
    found = used(product(expression), {"a.shape[0]": 3, "a.shape[1]": 5, "b.shape[1]": 7})
    assert found["products"] == 3 * 5 * 7
    assert found["launches"] == 1
    assert found["bytes"] == 4 * (3 * 5 + 5 * 7 + 3 * 7)


def test_a_softmax_takes_one_exponential_for_each_element() -> None:
    source = """import torch

def f(x: torch.Tensor):
    n, d = x.shape
    return torch.softmax(x, dim=-1)
"""
    found = used(source, {"x.shape[0]": 10, "x.shape[1]": 20})
    assert 10 * 20 <= found["specials"] <= 3 * 10 * 20
    assert found["launches"] == 1


def test_a_square_is_a_product() -> None:
    source = "import torch\n\ndef f(x: torch.Tensor):\n    n, d = x.shape\n    return x ** {}\n"
    assert used(source.format(2), {"x.shape[0]": 10, "x.shape[1]": 20})["operations"] == 200
    assert used(source.format(2.5), {"x.shape[0]": 10, "x.shape[1]": 20})["specials"] == 200


@pytest.mark.parametrize("rows, columns", [(4, 8), (256, 1024)])
def test_a_variance_that_torch_takes_number_by_number_costs_more_than_the_kernel(
    rows: int, columns: int
) -> None:
    source = f"""import torch

def f():
    x = torch.randn({rows}, {columns})
    mean = x.mean(dim=-1)
    spread = x.var(dim=-1)
    return mean, spread
"""
    (found,) = audit_text(source, "f.py", Options(target="cpu")).findings
    assert found.code == "ASC108" and found.profit is not None
    # measured: 1.6 and 6.5 (two cores, torch 2.13)
    assert (found.profit.predicted_speedup or 0) >= (0.8 if rows == 4 else 2)


def test_what_a_loop_does_is_done_at_every_step() -> None:
    source = """import numpy as np

def f(x: np.ndarray):
    n, d = x.shape
    total = np.zeros(d)
    for i in range(n):
        total = total + np.exp(x[i])
    return total
"""
    once = used(source, {"x.shape[0]": 1, "x.shape[1]": 8})
    often = used(source, {"x.shape[0]": 100, "x.shape[1]": 8})
    assert often["specials"] == 100 * 8
    assert often["calls"] - once["calls"] == 99 * 2


def test_loops_within_loops_multiply() -> None:
    source = """def f(x: list[float], y: list[float]):
    total = 0.0
    for a in x:
        for b in y:
            total += a * b
    return total
"""
    sizes = {"x.shape[0]": 30.0, "y.shape[0]": 40.0}
    found = used(source, {**sizes, "x.shape[...]": 30.0, "y.shape[...]": 40.0})
    assert found["steps"] > 2 * 30 * 40
    assert "launches" not in found


def test_views_move_nothing() -> None:
    source = """import torch

def f(x: torch.Tensor):
    n, d = x.shape
    return x.T[1:]
"""
    found = used(source, {"x.shape[0]": 10, "x.shape[1]": 20})
    assert "bytes" not in found and "launches" not in found
    assert found["views"] == 2


LOOP = """import torch

def smooth(x: torch.Tensor, alpha: float):
    length, channels = x.shape
    h = x[0]
    out = []
    for t in range(length):
        h = alpha * h + x[t]
        out.append(h)
    return torch.stack(out)
"""


def profit(text: str, **options: object) -> Profit:
    (finding,) = audit_text(text, "x.py", Options(**options)).findings  # type: ignore[arg-type]
    assert finding.profit is not None
    return finding.profit


def test_a_gain_is_that_of_one_text_over_the_other() -> None:
    short = profit(LOOP, sizes={"x": (100, 8)})
    long = profit(LOOP, sizes={"x": (10_000, 8)})
    assert long.predicted_speedup > short.predicted_speedup > 0
    assert short.bound == "launch"
    assert short.before is not None and short.after is not None
    assert "x.shape[0]" in short.before.launches
    assert "x.shape[0]" not in short.after.launches


def test_another_machine_gains_otherwise() -> None:
    sizes = {"x": (1000, 4096)}
    assert profit(LOOP, target="h200", sizes=sizes).predicted_speedup > 2 * (
        profit(LOOP, target="cpu", sizes=sizes).predicted_speedup
    )


@pytest.mark.parametrize("count, of_a_tree", [(1000, False), (1 << 18, False), (1 << 19, True)])
def test_a_gpu_sums_up_pairs_where_the_kernel_does(count: int, of_a_tree: bool) -> None:
    given = (Const(1), [(Const(count), Const(3)), (Const(count),)], [], Const(4))
    cpu, gpu = (kernels.kernel_work("barnes_hut", device, *given) for device in ("cpu", "cuda"))
    pairs = kernels.kernel_work("nbody", "cuda", *given)
    assert gpu.operations == (cpu if of_a_tree else pairs).operations


@pytest.mark.parametrize(("rows", "many"), [(50, False), (50000, True)])
def test_few_differences_are_in_memory_on_a_gpu(rows: int, many: bool) -> None:
    shapes = [(Const(rows), Const(1), Const(8)), (Const(70), Const(8))]
    cpu, gpu = (
        kernels.kernel_work("squared_distances", device, Const(1), shapes, [], Const(4))
        for device in ("cpu", "cuda")
    )
    assert cpu.operations == gpu.operations
    read, written = (evaluate(work.bytes, lambda _: 0) for work in (cpu, gpu))
    assert read < 4 * rows * 70 * 8
    assert many == (written < 4 * rows * 70 * 8)


def test_what_the_code_shows_not_to_pay_is_not_suggested(monkeypatch) -> None:
    # as where the scans are not compiled
    monkeypatch.setitem(kernels._STREAMS, "linear_scan", (200, 16, 8, 0))
    text = """import torch

def f():
    x = torch.ones({rows}, {columns})
    h = torch.zeros({columns})
    out = []
    for t in range({rows}):
        h = 0.5 * h + x[t]
        out.append(h)
    return torch.stack(out)
"""

    def of(rows: int, columns: int) -> str:
        return text.replace("{rows}", str(rows)).replace("{columns}", str(columns))

    few = audit_text(of(17, 20_000), "x.py", Options(everything=True))
    assert not few.findings
    assert any("not predicted to pay" in (one.refused or "") for one in few.computations)
    monkeypatch.setitem(kernels._STREAMS, "linear_scan", (200, 9, 8, 0))
    (perhaps,) = audit_text(of(60, 20_000), "x.py", Options()).findings
    assert perhaps.profit is not None and 0.5 < perhaps.profit.predicted_speedup < 1
    assert perhaps.fix is None and "not applied: predicted to be slower" in perhaps.message
    assert audit_text(of(4000, 200), "x.py", Options()).findings
    assert audit_text(of(4, 8), "x.py", Options()).findings, "too little is at stake to say so"


def test_an_array_that_is_filled_costs_alike_before_and_after() -> None:
    text = """import math

import numpy as np
import torch

def kernel(x: float, y: float):
    return math.erf(abs(x - y)) / (1 + x * x + y * y)

def f(xs: np.ndarray):
    n = len(xs)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = kernel(xs[i], xs[j])
    return out
"""
    (finding,) = (one for one in audit_text(text, "x.py", Options()).findings)
    assert finding.code == "SYM601" and finding.profit is not None
    assert 1.2 < finding.profit.predicted_speedup < 2
    assert finding.profit.after is not None and finding.profit.after.launches == "0"


@pytest.mark.parametrize("code", [rewrite.code for rewrite in CATALOG if rewrite.examples])
def test_every_fix_has_a_gain(code: str) -> None:
    (rewrite,) = (one for one in CATALOG if one.code == code)
    for example in rewrite.examples:
        for finding in audit_text(example.before, "x.py", Options()).findings:
            if finding.code == code and finding.fix is not None:
                assert finding.profit is not None, example.title
                assert finding.profit.predicted_speedup > 0, example.title


@pytest.mark.parametrize("name", ["cpu", "cuda", "h200"])
def test_every_target_is_described_with_its_source(name: str) -> None:
    machine = target(name)
    assert machine.name == name and machine.source


def broken(tmp_path: Path, change: str) -> Path:
    """The description of the CPU with a line changed."""
    machine = target("cpu")
    lines = described({**machine.__dict__}).splitlines()
    key = change.split(" ", 1)[0]
    kept = [line for line in lines if not line.startswith(f"{key} ")]
    path = tmp_path / "machine.toml"
    path.write_text("\n".join([*kept, *([change] if "=" in change else [])]))
    return path


@pytest.mark.parametrize(
    "change, said",
    [
        ("launch", "`launch` is missing"),
        ("launch = 0", "`launch` has to be above 0"),
        ("launch = true", "`launch` has to be a number"),
        ("name = 3", "`name` has to be a text"),
        ('device = "tpu"', "`device` has to be cpu or cuda"),
        ("fans = 2", "`fans` is not known"),
        ("launch = = 2", "not a TOML file"),
    ],
)
def test_a_bad_description_is_told_in_one_line(tmp_path: Path, change: str, said: str) -> None:
    with pytest.raises(BadTarget, match=said):
        target(str(broken(tmp_path, change)))


def audit(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "auditor.cli", *arguments],
        capture_output=True, text=True, cwd=folder, check=False,
    )  # fmt: skip


def test_a_calibrated_machine_can_be_judged_for(tmp_path: Path) -> None:
    made = audit("calibrate", "-o", "here.toml", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    machine = target(str(tmp_path / "here.toml"))
    assert machine.device == "cpu" and 0 < machine.step < 1e-5
    (tmp_path / "model.py").write_text(LOOP)
    (tmp_path / "pyproject.toml").write_text('[tool.audit]\ntarget = "here.toml"\n')
    report = json.loads(audit("--output-format", "json", "model.py", folder=tmp_path).stdout)
    assert report["findings"][0]["profit"]["target"] == "measured"

    slower = (tmp_path / "here.toml").read_text().replace('"measured"', '"slower"')
    (tmp_path / "here.toml").write_text(slower)
    report = json.loads(audit("--output-format", "json", "model.py", folder=tmp_path).stdout)
    assert report["findings"][0]["profit"]["target"] == "slower", "an old answer was kept"


def test_a_target_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(LOOP)
    for wrong in ("toaster", "nowhere.toml"):
        done = audit("model.py", "--target", wrong, folder=tmp_path)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1 and wrong in done.stderr


def test_an_element_is_no_whole_array() -> None:
    found = used(
        "import numpy as np\n\ndef f(a: np.ndarray, lam: float):\n"
        "    for i in range(a.shape[0]):\n        a[i, i] += lam\n",
        {"a.shape[0]": 100, "a.shape[1]": 100},
    )
    assert found["bytes"] <= 100 * 2 * 8


def test_rows_that_numpy_reduces_cost_something_each() -> None:
    def rows(method: str, count: int) -> float:
        text = (
            "import numpy as np\n\ndef f(a: np.ndarray):\n    n, k = a.shape\n"
            f"    return a.{method}(axis=1)\n"
        )
        return used(text, {"a.shape[0]": count, "a.shape[1]": 4})["operations"]

    assert rows("max", 100) - rows("max", 1) >= 99 * 150
    assert rows("sum", 100) < rows("max", 100)


@pytest.mark.parametrize(("by", "items"), [("", 100), (", operator.mul", 200), (", max", 1000)])
def test_accumulating_costs_by_what_is_called(by: str, items: int) -> None:
    text = (
        "import operator\nfrom itertools import accumulate\n\n\ndef f(xs: list[float]):\n"
        f"    return list(accumulate(xs{by}))\n"
    )
    found = used(text, {"xs.shape[0]": 100, "xs.shape[...]": 100})
    assert items <= found["items"] <= items + 100


def test_a_list_that_a_loop_changes_is_as_long_as_at_first() -> None:
    text = (
        "def f(xs: list[float]):\n    rest = list(xs)\n    out = []\n    for _ in range(5):\n"
        "        best = max(rest)\n        out.append(best)\n        rest.remove(best)\n"
        "    return out\n"
    )
    assert used(text, {"xs.shape[0]": 100, "xs.shape[...]": 100})["items"] >= 600


def test_windows_are_short() -> None:
    """What is taken off the steps is how far a step looks, and not as long as they are."""
    gain = profit(
        "import numpy as np\n\n\ndef f(x: np.ndarray, k: int):\n    n = x.shape[0] - k + 1\n"
        "    out = np.empty(n)\n    for i in range(n):\n        m = x[i]\n"
        "        for j in range(k):\n            m = max(m, x[i + j])\n        out[i] = m\n"
        "    return out\n"
    )
    assert "k = 8" in gain.detail and gain.predicted_speedup > 3


def test_products_are_counted_with_the_axes_that_are_assumed() -> None:
    gain = profit(
        "import numpy as np\n\n\ndef f(a: np.ndarray, b: np.ndarray):\n"
        "    return np.array([[sum(a[i, k] * b[k, j] for k in range(b.shape[0]))"
        " for j in range(b.shape[1])] for i in range(a.shape[0])])\n"
    )
    assert 1e3 < gain.predicted_speedup < 1e5 and "a.shape[2]" not in gain.detail


@pytest.mark.parametrize(
    ("statement", "items"),
    [
        ("xs.remove(3)", 100),
        ("xs.sort()", 800),
        ("heapq.heapify(xs)", 200),
        ("return heapq.nsmallest(3, xs)", 200),
    ],
)
def test_what_walks_a_list_costs_its_length(statement: str, items: int) -> None:
    found = used(
        f"import heapq\n\ndef f(n: int):\n    xs = [i * 7 for i in range(n)]\n    {statement}\n",
        {"n": 100},
    )
    assert found["items"] == items


@pytest.mark.parametrize("call", ["x.cumsum({})", "torch.cummax(x, dim={}).values"])
def test_running_values_along_an_outer_axis_move_lines_where_rows_are_many_and_wide(
    call: str,
) -> None:
    def moved(axis: int, steps: int, columns: int) -> float:
        text = (
            "import torch\n\ndef f(x: torch.Tensor):\n    n, d = x.shape\n"
            f"    return {call.format(axis)}\n"
        )
        sizes = {"x.shape[0]": steps, "x.shape[1]": columns}
        return used(text, sizes)["bytes"] / (steps * columns)

    assert moved(0, 4000, 1000) == 15 * moved(1, 4000, 1000)
    assert moved(0, 4000, 64) == moved(0, 64, 60000) == moved(-1, 4000, 1000)


def test_a_running_maximum_of_wide_rows_is_predicted_to_lose() -> None:
    source = """import torch

def f(x: torch.Tensor):
    n, width = x.shape
    best = torch.full((width,), float("-inf"))
    out = []
    for t in range(n):
        best = torch.maximum(best, x[t])
        out.append(best)
    return torch.stack(out)
"""
    for sizes, pays in (((512, 64), True), ((4000, 1000), False)):
        (found,) = audit_text(source, "f.py", Options(sizes={"x": sizes})).findings
        assert found.profit is not None
        assert (found.profit.predicted_speedup > 1) is pays


FOLD = "def f(xs: list[float]):\n    s = 0.0\n    for x in xs:\n        s += x\n    return s\n"


@pytest.mark.parametrize(
    "text, bound",
    [
        (FOLD, "interpreter"),
        (f"import torch\n{FOLD}", "interpreter"),
        ("import torch\ndef f(x):\n    return torch.relu(x @ torch.block_diag(a, b))\n", "launch"),
    ],
)
def test_what_limits_code_of_which_the_gain_is_stated(text: str, bound: str) -> None:
    (found,) = audit_text(text, "m.py", Options()).findings
    assert found.profit is not None
    assert found.profit.bound == bound
    assert "counted for this code" in found.profit.detail


_HEADS = """import torch

class Attention(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = torch.nn.Linear(width, 3 * width)

    def forward(self, x):
        batch, length, width = x.shape
        split = (batch, length, self.heads, width // self.heads)
        q, k, v = self.qkv(x).split(width, dim=-1)
        q = q.view(split).transpose(1, 2)
        k = k.view(split).transpose(1, 2)
        v = v.view(split).transpose(1, 2)
        weights = torch.softmax(q @ k.transpose(-2, -1), -1)
        return weights @ v
"""


def test_an_attention_is_predicted_for_the_sizes_that_attentions_have() -> None:
    (found,) = audit_text(_HEADS, "a.py", Options()).findings
    said = found.profit.detail
    assert "self.heads = 8, x.shape[0] = 8, x.shape[1] = 1024, x.shape[2] = 512" in said
    assert said.count("self.heads") == 1
    stated = Options(sizes={"x": (2, 100, 64), "self.heads": 2})
    (found,) = audit_text(_HEADS, "a.py", stated).findings
    assert "x.shape[1] = 100" in found.profit.detail


def test_typical_sizes_are_those_of_every_name_of_an_axis() -> None:
    text = """import torch

def attend(q, k, v):
    scores = torch.einsum("bhid,bhjd->bhij", q, k)
    return torch.einsum("bhij,bhjd->bhid", torch.softmax(scores, -1), v)
"""
    (found,) = audit_text(text, "a.py", Options()).findings
    assert found.profit is not None
    assert 1 <= found.profit.predicted_speedup < 10


def test_a_softmax_is_predicted_for_rows_of_some_length() -> None:
    text = """import torch

def f(scores):
    weights = torch.exp(scores - scores.amax(-1, keepdim=True))
    return weights / weights.sum(-1, keepdim=True)
"""
    (found,) = audit_text(text, "a.py", Options()).findings
    assert "scores.shape[-1] = 1024" in found.profit.detail


def test_sizes_that_a_model_keeps_are_those_that_it_is_made_with() -> None:
    text = (
        "import math\nimport torch\nfrom torch import nn\n\n\nclass Model(nn.Module):\n"
        "    def __init__(self, heads, groups):\n        super().__init__()\n"
        "        self.repeated = heads // groups\n\n"
        "    def forward(self, q, k, v):\n"
        "        k = k.repeat_interleave(self.repeated, dim=1)\n"
        "        v = v.repeat_interleave(self.repeated, dim=1)\n"
        "        w = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(q.shape[-1]), dim=-1)\n"
        "        return (w @ v).transpose(1, 2).reshape(2, 128, -1)\n\n\n"
        "def get_inputs():\n    k = torch.randn(2, 2, 128, 32)\n"
        "    return [torch.randn(2, 8, 128, 32), k, k]\n\n\n"
        "def get_init_inputs():\n    return [8, 2]\n"
    )
    (found,) = audit_text(text, "t.py", Options()).findings
    assert found.code == "ASC109" and found.profit is not None
    assert 1 < found.profit.predicted_speedup < 4
    assert found.profit.detail.count("k.shape[0] = ") == 1


def test_a_scan_of_numpy_stays_on_the_cpu() -> None:
    given = Const(1), [(Const(1024),)], [Const(0)], Const(8), "numpy"
    cpu, gpu = (kernels.kernel_work("linear_scan", device, *given) for device in ("cpu", "cuda"))
    assert cpu == gpu
    assert cpu.launches is ZERO
