"""Evidence is a line that a person can check: its names are its own, its brackets close, and what
it says to have been run can be run again."""

from __future__ import annotations

import ast
import re

import pytest
from test_properties_programs import ALL, Program

from auditor.audit import Options, audit_text
from auditor.notation import Const, Index
from auditor.verdict import PROPERTIES, Finding
from auditor.writing.readable import Naming

_TORCH = "import numpy as np\nimport torch\n\n\n"


def told(text: str) -> list[Finding]:
    report = audit_text(text, "program.py", Options(everything=True))
    assert not report.problems
    return [*report.findings, *report.computations]


def evidence(text: str, name: str) -> list[str]:
    """What is said of one property at all places of a program."""
    return [finding.properties[name].evidence for finding in told(_TORCH + text)]


@pytest.mark.parametrize("program", ALL, ids=[program.name for program in ALL])
def test_brackets_close_and_no_element_has_elements(program: Program) -> None:
    for finding in told(program.text):
        for name in PROPERTIES:
            shown = finding.properties[name].evidence if finding.properties else ""
            said = re.sub(r"`[^`]*`", "code", shown)
            verdict = finding.properties[name].verdict if finding.properties else "unknown"
            if verdict == "unknown":
                continue
            assert [said.count(c) for c in "(["] == [said.count(c) for c in ")]"], shown
            assert not re.search(r"[a-z]\]\[(?!\[)[a-z]", said), shown


def test_a_result_without_a_name_has_none() -> None:
    shown = evidence(
        "def f(a: torch.Tensor, b: torch.Tensor):\n"
        "    return torch.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(-1))\n",
        "associativity",
    )
    assert any("; then the result = sqrt(" in line for line in shown), shown


def test_what_has_no_name_is_called_by_its_line() -> None:
    shown = evidence(
        "def f(x: torch.Tensor, a: float):\n"
        "    out = []\n"
        "    for i in range(x.shape[0]):\n"
        "        out.append(a * out[-1] + x[:, i] if out else x[:, i])\n"
        "        if i == 3:\n"
        "            break\n"
        "    return torch.stack(out, 0)\n",
        "redundancy",
    )
    assert "a result of line 8 has no notation" in shown, shown
    assert not any("expression at" in line for line in shown), shown


def test_a_place_that_is_a_sum_gets_a_letter() -> None:
    naming = Naming()
    place, inner = Index("i + j", Const(3)), Index("j", Const(3))
    assert naming.letter(place, place.name).isidentifier()
    assert naming.letter(inner, inner.name) != naming.letter(place, place.name)


def test_no_index_is_named_like_an_array_behind_a_name() -> None:
    shown = evidence(
        "def f(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):\n"
        "    n, d = q.shape\n"
        "    s = q @ k.T\n"
        "    return s @ v\n",
        "separability",
    )
    assert not any(re.search(r"\[[^]]*\b[qkv]\b", line) for line in shown), shown


def test_a_counterexample_shows_what_is_given_and_no_state() -> None:
    shown = evidence(
        "def f(x: torch.Tensor, a: float):\n"
        "    h = torch.zeros_like(x[0])\n"
        "    out = []\n"
        "    for xt in x:\n"
        "        h = a * h + xt\n"
        "        out.append(h)\n"
        "    return torch.stack(out)\n",
        "symmetry",
    )
    assert len(shown) == 2
    for line in shown:
        assert "a = " in line and "x = " in line and "h = " not in line, line


def test_a_counterexample_tells_two_numbers_apart() -> None:
    (shown,) = evidence(
        "def f(x: np.ndarray):\n"
        "    n = len(x) // 2\n"
        "    o = np.zeros(n)\n"
        "    d = np.zeros(n)\n"
        "    for i in range(n):\n"
        "        o[i] = x[2 * i] + x[2 * i + 1]\n"
        "        d[i] = x[2 * i] - x[2 * i + 1]\n"
        "    return o, d\n",
        "symmetry",
    )
    found = re.search(r"gives (\S+) instead of (\S+)", shown)
    assert found is not None and found[1] != found[2], shown


LOOPS = {
    "in place": "        A += 1\n",
    "through a view": "        B[0] = 0\n",
    "by a call": "        g(A)\n",
}


@pytest.mark.parametrize("change", LOOPS)
def test_an_array_that_the_loop_changes_is_no_factor_beside_its_steps(change: str) -> None:
    head = (
        "def f(xs: torch.Tensor, A: torch.Tensor, g):\n"
        "    out = []\n"
        "    B = A.T\n"
        "    for x in xs:\n"
        "        out.append(x @ (A @ A))\n"
    )
    steady = evidence(head + "    return out\n", "separability")
    assert any("rank 1" in line and "A[k" in line.replace("A[i", "A[k") for line in steady)
    for line in evidence(head + LOOPS[change] + "    return out\n", "separability"):
        for element in re.findall(r"A\[([^]]*)\]", line):
            assert element.startswith("t - 1"), line


@pytest.mark.parametrize("call", ["self.step()", "change()", "g(xs)"])
def test_what_a_call_of_the_loop_may_change_is_not_the_same_at_every_step(call: str) -> None:
    head = (
        "class A:\n"
        "    def f(self, xs: torch.Tensor, change):\n"
        "        s = 0.0\n"
        "        for x in xs:\n"
        "            s += x * torch.linalg.norm(self.w @ self.w.T)\n"
    )
    said = "does not depend on t"
    for harmless in ("", "            print(s)\n"):
        assert any(said in line for line in evidence(f"{head}{harmless}        return s\n",
                                                     "redundancy"))  # fmt: skip
    for line in evidence(f"{head}            {call}\n        return s\n", "redundancy"):
        assert "does not depend" not in line


def test_equal_extents_written_differently_are_not_fewer() -> None:
    text = (
        "def f(a: torch.Tensor, b: torch.Tensor):\n"
        "    n, m = a.shape\n"
        "    c = a @ b\n"
        "    return c[{}] + 1\n"
    )
    assert any(
        "rows or columns" in line for line in evidence(text.format(": n // 2"), "redundancy")
    )


def test_the_step_of_a_loop_around_is_called_what_the_source_calls_it() -> None:
    text = (
        "def f(n: int, k: int):\n"
        "    s = 0\n"
        "    for it in range(n):\n"
        "        for j in range(k):\n"
        "            s = 3 * s + it\n"
        "    return s\n"
    )
    assert any("b = it;" in line for line in evidence(text, "associativity"))


def test_an_inverse_of_an_expression_is_named_as_the_source_writes_it() -> None:
    text = (
        "import numpy as np\n\n\n"
        "def f(A: np.ndarray, b: np.ndarray):\n"
        "    return np.linalg.inv(A.T @ A + 0.1 * np.eye(A.shape[1])) @ b\n"
    )
    shown = evidence(text, "redundancy")
    assert any("inverse of `A.T @ A + 0.1 * np.eye(A.shape[1])` is" in line for line in shown)


def test_pairs_of_which_half_are_walked_are_shown_with_both_places() -> None:
    text = (
        "def f(p):\n"
        "    e = 0.0\n"
        "    for i in range(len(p)):\n"
        "        for j in range(i + 1, len(p)):\n"
        "            d = p[j] - p[i]\n"
        "            e += 1.0 / (d[0] ** 2 + d[1] ** 2)\n"
        "    return e\n"
    )
    (shown,) = (line for line in evidence(text, "symmetry") if "half" in line)
    assert "..." not in shown


def test_what_a_loop_leaves_may_mind_the_order_of_what_it_reads() -> None:
    text = (
        "import numpy as np\n\n\n"
        "def f(x: np.ndarray):\n"
        "    r = 0.0\n"
        "    for a in x:\n"
        "        r = 0.5 * r + a\n"
        "    return r / x.sum()\n"
    )
    assert not any("changes nothing" in line for line in evidence(text, "symmetry"))


def test_sizes_of_results_without_a_name_are_said_by_their_line() -> None:
    text = (
        "import torch\n\n\n"
        "def f(p, t, gamma):\n"
        "    pt = p * t + (1 - p) * (1 - t)\n"
        "    return -((1 - pt) ** gamma * torch.log(pt)).mean()\n"
    )
    shown = evidence(text, "associativity")
    assert not any("expression at" in line for line in shown)


def test_numbers_that_a_generator_draws_are_supposed_no_function() -> None:
    text = (
        "def f(x, n, rng):\n"
        "    out = []\n"
        "    for b in range(n):\n"
        "        out.append(x[rng.integers(0, len(x), len(x))].mean())\n"
        "    return out\n"
    )
    assert not any("supposes" in line for line in evidence(text, "associativity"))


@pytest.mark.parametrize(
    "loop",
    [
        "for k in d:\n        t += d[k]",
        "for k in list(d):\n        t += d[k]",
        "for k in sorted(d):\n        t += d[k]",
        "for n, k in enumerate(d):\n        t += n * d[k]",
        "for k, v in zip(d, w):\n        t += v * d[k]",
        "t = sum(d[k] for k in d)",
    ],
)
def test_the_keys_of_a_dictionary_are_none_of_its_elements(loop: str) -> None:
    for given in ("d", "d: dict[str, float]"):
        text = f"def total({given}, w):\n    t = 0.0\n    {loop}\n    return t\n"
        for finding in told(text):
            for name in PROPERTIES:
                assert "d[d[" not in finding.properties[name].evidence
                assert "of d[" not in finding.properties[name].evidence


def test_an_annotation_says_that_walking_gives_keys() -> None:
    body = "    n = 0.0\n    for k in d:\n        n = n + k\n    return n\n"
    (finding,) = told(f"def total(d: 'dict[float, str] | None'):\n{body}")
    assert "d.keys()" in finding.properties["associativity"].evidence


def test_an_element_whose_place_is_cut_is_an_element() -> None:
    text = """
def luhn(num: str) -> bool:
    s = 0
    for i, c in enumerate(reversed(num)):
        d = int(c)
        if i % 2:
            d *= 2
            if d > 9:
                d -= 9
        s += d
    return s % 10 == 0
"""
    (shown,) = evidence(text, "associativity")
    assert "int(num)" not in shown and "int(num[...])" in shown


@pytest.mark.parametrize(
    ("step", "numerics", "said"),
    [
        ("total += v", "reassociated", "identity 0"),
        ("total += 2", "exact", "identity 0"),
        ("total = total | v", "exact", "identity 0, of whole numbers"),
    ],
)
def test_sums_of_what_need_not_be_whole_round(step: str, numerics: str, said: str) -> None:
    text = f"def f(x):\n    total = 0\n    for v in x:\n        {step}\n    return total\n"
    report = audit_text(text, "m.py", Options(everything=True))
    (loop,) = (one for one in (*report.findings, *report.computations) if one.span.line == 3)
    found = loop.properties["associativity"]
    assert (found.verdict, found.numerics) == ("holds", numerics)
    assert said in found.evidence


TYPED = {
    "whole numbers": "def f(xs: list[int]):\n    s = 0\n    for x in xs:\n"
    "        s = (s * 5 + x) % 64\n    return s\n",
    "about a literal": "def f(xs: list[int]):\n    s = 0\n    for x in xs:\n"
    "        s = s + (x & 1) if s < 3 else 0\n    return s\n",
    "a whole number beside": "def f(xs: list[int], k: int):\n    s = 0\n    for x in xs:\n"
    "        s = k * s + x\n    return s\n",
    "texts": "def f(ws: list[str], key: str):\n    n = 0\n    for w in ws:\n"
    "        n = n * 2 + 1 if w == key else n * 3\n    return n\n",
    "texts in order": "def f(ws: list[str]):\n    n = 0\n    prev = ws[0]\n    for w in ws:\n"
    "        if w < prev:\n            n = n * n + 1\n        prev = w\n    return n\n",
}


@pytest.mark.parametrize("text", TYPED.values(), ids=TYPED)
def test_a_counterexample_is_of_the_declared_types_and_can_be_run(text: str) -> None:
    (shown,) = [finding.properties["symmetry"].evidence for finding in told(text)]
    found = re.fullmatch(
        r"with (.*): with steps (\d) and (\d) exchanged \w+ ends at (\S+) instead of (\S+)", shown
    )
    assert found is not None, shown
    given, one, other, after, before = found.groups()
    inputs = dict(part.split(" = ") for part in given.split("; "))
    values = {name: ast.literal_eval(written) for name, written in inputs.items()}
    held = [v for value in values.values() for v in (value if isinstance(value, list) else [value])]
    assert len({type(value) for value in held} & {int, str}) == 1, shown
    names: dict[str, object] = {}
    exec(text, names)
    f = names["f"]
    assert callable(f)
    assert f"{f(**values):g}" == before
    (walked,) = [value for value in values.values() if isinstance(value, list)]
    place, place2 = int(one), int(other)
    walked[place], walked[place2] = walked[place2], walked[place]
    assert f"{f(**values):g}" == after


def guarded(guard: str) -> list[Finding]:
    """What is told of products of all pairs, those that the guard leaves."""
    return told(
        _TORCH + "def f(x: np.ndarray):\n    n = x.shape[0]\n    out = np.zeros((n, n))\n"
        "    for i in range(n):\n        for j in range(n):\n"
        f"            out[i, j] = x[i] * x[j] if {guard} else 0.0\n    return out\n"
    )


@pytest.mark.parametrize(
    ("guard", "part"),
    [("i % 3 == 0", "1/3"), ("(i + j) % 4 == 1", "1/4"), ("(i + j) % 2 != 0", "1/2")],
)
def test_of_places_that_a_number_divides_one_in_so_many_is_left(guard: str, part: str) -> None:
    finding = guarded(guard)[0]
    verdict = finding.properties["sparsity"]
    assert verdict.verdict == "holds" and f"only {part} of (" in verdict.evidence
    assert f"{part[2:]}*(" in verdict.evidence, "3*t//3 is t itself"


@pytest.mark.parametrize(
    ("guard", "verdict"),
    [("i != j", "holds"), ("i + j != 7", "holds"), ("i * j != 12", "partial"),
     ("(i + j) % 3 != 0", "fails")],
)  # fmt: skip
def test_a_product_of_factors_less_a_line_of_places(guard: str, verdict: str) -> None:
    finding = guarded(guard)[0]
    assert finding.properties["separability"].verdict == verdict


def test_what_took_several_lines_is_quoted_on_one() -> None:
    text = """\
import networkx as nx


def shortest(graph, goal):
    return sorted(nx.all_simple_paths(graph, source=(),
                                      target=goal))[0]
"""
    (finding,) = told(text)
    said = [verdict.evidence for verdict in finding.properties.values()]
    assert any("source=(), target=goal" in evidence for evidence in said)


def test_a_sample_that_is_too_large_for_floats_is_no_error() -> None:
    text = """\
import numpy as np


def density(points, centres, widths):
    count, size = centres.shape
    widths = np.maximum(widths, np.finfo(float).tiny)
    gaps = ((points[:, None, :] - centres) ** 2 / widths).sum(axis=-1)
    return size * np.log(2 * np.pi) + np.log(widths).sum(axis=-1) + gaps
"""
    assert told(text)


def test_an_array_that_is_written_at_two_places_is_named_once() -> None:
    text = """\
import numpy as np


def pheromone(routes: np.ndarray, lengths: np.ndarray, n: int):
    total = np.zeros((n, n))
    for j in range(routes.shape[0]):
        for k in range(routes.shape[1] - 1):
            a, b = routes[j, k], routes[j, k + 1]
            total[a, b] += 1 / lengths[j]
        a, b = routes[j, -1], routes[j, 0]
        total[a, b] += 1 / lengths[j]
    return total
"""
    (finding,) = [one for one in told(text) if one.code == "SPA406"]
    assert finding.message.startswith("`total`: the loop adds")
