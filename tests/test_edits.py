"""Edits that cannot corrupt: spans, overlaps, imports, line endings, atomic writes."""

# The cases of one table stand on one line each.
# ruff: noqa: E501

from __future__ import annotations

import ast
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.notation import Span
from auditor.source import Places
from auditor.verdict import Edit, Finding, Fix
from auditor.writing.brackets import bracketed
from auditor.writing.edits import (
    Unapplicable,
    apply_edits,
    apply_fixes,
    completed,
    joined,
    write_atomically,
)
from auditor.writing.imports import clash, import_edits

TEXTS = st.text(alphabet="ab( \t\r\n\x0cé\u2028𝔸", max_size=60)
CONTENTS = st.text(alphabet="xyé\n", max_size=8)
KERNEL = ("auditor.kernels", "linear_scan")


@st.composite
def texts_with_edits(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, str]]]:
    """A text and non-overlapping ranges of it with their replacements."""
    text = draw(TEXTS)
    inner = [n for n in range(len(text) + 1) if text[n - 1 : n + 1] != "\r\n"]
    cuts = sorted(draw(st.lists(st.sampled_from(inner), max_size=8)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return text, [(start, end, draw(CONTENTS)) for start, end in pairs]


@given(texts_with_edits(), st.randoms())
def test_everything_outside_the_edits_is_untouched(
    case: tuple[str, list[tuple[int, int, str]]], random: object
) -> None:
    text, ranges = case
    places = Places(text)
    edits = [Edit(places.span(start, end), content) for start, end, content in ranges]
    result = apply_edits(text, edits)
    position, done = 0, 0
    for start, end, content in ranges:
        kept = text[done:start]
        assert result[position : position + len(kept)] == kept
        position += len(kept)
        newline = places.newline(places.place(start)[0])
        new = content.replace("\n", newline)
        assert result[position : position + len(new)] == new
        position, done = position + len(new), end
    assert result[position:] == text[done:]


@given(
    TEXTS, st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 9)), max_size=4)
)
def test_wild_spans_are_refused_or_applied_but_never_crash(
    text: str, spans: list[tuple[int, int, int]]
) -> None:
    edits = [Edit(Span(line, column, line, column + n), "x") for line, column, n in spans]
    try:
        result = apply_edits(text, edits)
    except Unapplicable:
        return
    assert result.count("x") == len(edits)


def finding(
    span: tuple[int, int, int, int], content: str, *imports: tuple[str, str | None], code: str = "A"
) -> Finding:
    fix = Fix("safe", "exact", (Edit(Span(*span), content),), imports)
    return Finding("x.py", Span(*span), "", "m", {}, code=code, fix=fix)


def test_overlapping_fixes_wait_for_the_next_round() -> None:
    text = "x = abc + def_\n"
    first, second = finding((1, 5, 1, 14), "y"), finding((1, 11, 1, 15), "z")
    applied = apply_fixes(text, [second, first])
    assert applied.text == "x = y_\n"
    assert applied.applied == (first,)
    assert applied.deferred == (second,)


def test_a_fix_whose_result_is_not_python_is_taken_back_alone() -> None:
    text = "x = 1\ny = 2\n"
    good, bad = finding((1, 5, 1, 6), "3"), finding((2, 5, 2, 6), "(")
    applied = apply_fixes(text, [bad, good])
    assert applied.text == "x = 3\ny = 2\n"
    assert applied.applied == (good,)
    ((refused, reason),) = applied.refused
    assert refused == bad
    assert "compile" in reason


def test_a_file_that_cannot_be_reproduced_is_left_alone() -> None:
    applied = apply_fixes("\x0cx = 1\n", [finding((1, 6, 1, 7), "2")])
    assert applied.text in ("\x0cx = 1\n", "\x0cx = 2\n")
    assert applied.applied or "reproduced" in applied.refused[0][1]


def test_an_edit_outside_the_file_is_refused() -> None:
    applied = apply_fixes("x = 1\n", [finding((7, 1, 7, 2), "2")])
    assert applied.text == "x = 1\n"
    assert applied.refused[0][1] == "an edit lies outside the file"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_endings_are_those_of_the_file(newline: str) -> None:
    text = newline.join(["import torch", "", "x = 1", "y = 2"])
    applied = apply_fixes(text, [finding((3, 1, 3, 6), "x = linear_scan(\n    1\n)", KERNEL)])
    rows = ["import torch", "from auditor.kernels import linear_scan", ""]
    rows += ["x = linear_scan(", "    1", ")", "y = 2"]
    assert applied.text == newline.join(rows)


def added(text: str, *wanted: tuple[str, str | None], first_party: tuple[str, ...] = ()) -> str:
    return apply_edits(text, import_edits(text, ast.parse(text), wanted, first_party))


IMPORT = "from auditor.kernels import linear_scan\n"


@pytest.mark.parametrize(
    "before, after",
    [
        ("x = 1\n", f"{IMPORT}\nx = 1\n"),
        ("", f"{IMPORT}\n"),
        ("#!/bin/sh\n# licence\nx = 1\n", f"#!/bin/sh\n# licence\n{IMPORT}\nx = 1\n"),
        ("# head\n\n# about f\n@g\ndef f(): pass\n", f"# head\n\n{IMPORT}\n\n# about f\n@g\ndef f(): pass\n"),
        ('"""Doc."""\n\nx = 1\n', f'"""Doc."""\n\n{IMPORT}\nx = 1\n'),
        ('"""Doc."""\nx = 1\n', f'"""Doc."""\n\n{IMPORT}\nx = 1\n'),
        ("from __future__ import annotations\n\nx = 1\n", f"from __future__ import annotations\n\n{IMPORT}\nx = 1\n"),
        ("import os\n\nx = 1\n", f"import os\n\n{IMPORT}\nx = 1\n"),
        ("import os\n\nfrom . import y\n", f"import os\n\n{IMPORT}\nfrom . import y\n"),
        ("from . import y\n", f"{IMPORT}\nfrom . import y\n"),
        ("import os\nimport torch\n", f"import os\nimport torch\n{IMPORT}"),
        ("import os\nfrom . import y\n", f"import os\n{IMPORT}from . import y\n"),
        ("import numpy\nimport torch\nfrom torch import nn\n", f"import numpy\nimport torch\n{IMPORT}from torch import nn\n"),
        ("from abc1 import x\nfrom zoo import y\n", f"from abc1 import x\n{IMPORT}from zoo import y\n"),
        ("from torch import nn  # n\n", f"{IMPORT}from torch import nn  # n\n"),
        ("# note\nfrom torch import nn\n", f"# note\nfrom torch import nn\n{IMPORT}"),
        ("from zoo import y\nfrom abc1 import x\n", f"from zoo import y\nfrom abc1 import x\n{IMPORT}"),
        ("import torch", f"import torch\n{IMPORT[:-1]}"),
        (IMPORT, IMPORT),
        ("from auditor.kernels import a, z\n", "from auditor.kernels import a, linear_scan, z\n"),
        ("from auditor.kernels import z\n", "from auditor.kernels import linear_scan, z\n"),
        ("from auditor.kernels import a as b  # é\n", "from auditor.kernels import a as b, linear_scan  # é\n"),
        ("from auditor.kernels import (\n    a,\n    z,  # last\n)\n", "from auditor.kernels import (\n    a,\n    linear_scan,\n    z,  # last\n)\n"),
        ("from auditor.kernels import (\n    a,\n)\n", "from auditor.kernels import (\n    a,\n    linear_scan,\n)\n"),
        ("from auditor.kernels import a, \\\n    z\n", "from auditor.kernels import a, \\\n    linear_scan, z\n"),
        ("from auditor.kernels import *\n", f"from auditor.kernels import *\n{IMPORT}"),
        ("try:\n    from auditor.kernels import linear_scan\nexcept ImportError:\n    linear_scan = None\n", None),
    ],
)  # fmt: skip
def test_where_an_import_goes(before: str, after: str | None) -> None:
    result = added(before, KERNEL)
    assert result == (before if after is None else after)
    assert added(result, KERNEL) == result


def test_several_imports_at_once() -> None:
    wanted = (KERNEL, ("torch", None), ("heapq", None), ("auditor.kernels", "online_softmax"))
    assert added("x = 1\n", *wanted) == (
        "import heapq\n\nimport torch\nfrom auditor.kernels import linear_scan, online_softmax\n\nx = 1\n"
    )
    assert added("import abc\n\nimport torch\n", *wanted) == (
        "import abc\nimport heapq\n\nimport torch\n"
        "from auditor.kernels import linear_scan, online_softmax\n"
    )


def test_modules_of_the_project_itself_come_after_third_party() -> None:
    text = "import torch\n\nfrom mine import y\n"
    assert (
        added(text, KERNEL, first_party=("mine",))
        == f"import torch\n{IMPORT}\nfrom mine import y\n"
    )
    text = "from mine import y\n"
    assert added(text, KERNEL, first_party=("mine",)) == f"{IMPORT}\n{text}"


def test_typing_only_imports_do_not_count() -> None:
    guarded = "    from auditor.kernels import linear_scan\n"
    text = f"from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n{guarded}"
    assert added(text, KERNEL).startswith(f"from typing import TYPE_CHECKING\n\n{IMPORT}")


NAMES = st.sampled_from(["os", "abc", "torch", "numpy", "mine.x", "zoo"])
STATEMENTS = st.one_of(
    NAMES.map(lambda n: f"import {n}"),
    NAMES.map(lambda n: f"from {n} import y"),
    st.sampled_from(
        ["", "# c", "from . import y", "import a; import b", "from auditor.kernels import a"]
    ),
)


@given(st.lists(STATEMENTS, max_size=8), st.booleans(), st.sampled_from(["", "x = 1\n"]))
def test_adding_imports_keeps_every_line_and_is_idempotent(
    rows: list[str], doc: bool, rest: str
) -> None:
    text = ('"""Doc."""\n' if doc else "") + "".join(f"{row}\n" for row in rows) + rest
    wanted = (KERNEL, ("torch", None))
    result = added(text, *wanted, first_party=("mine",))
    ast.parse(result)
    kept = iter(result.splitlines())
    for row in text.splitlines():
        if "auditor.kernels" not in row:
            assert row in kept
    assert added(result, *wanted, first_party=("mine",)) == result


@pytest.mark.parametrize(
    "text, wanted, taken",
    [
        ("def linear_scan(): pass\n\ny = 1\n", KERNEL, True),
        ("from mine import linear_scan\n\ny = 1\n", KERNEL, True),
        (f"{IMPORT}\ny = 1\n", KERNEL, False),
        ("def f(linear_scan): pass\n\ny = 1\n", KERNEL, False),
        ("def f(linear_scan):\n  pass\n  y = 1\n", KERNEL, True),
        ("def f():\n  global linear_scan\n  linear_scan = 2\ny = 1\n", KERNEL, True),
        ("for linear_scan in x: pass\n\ny = 1\n", KERNEL, True),
        ("import torch.nn\n\ny = 1\n", ("torch", None), False),
        ("import jax as torch\n\ny = 1\n", ("torch", None), True),
        ("try:\n  import torch\nexcept E:\n  torch = None\n", ("torch", None), False),
        ("x.linear_scan = 1\nf(linear_scan=2)\n", KERNEL, False),
    ],
)
def test_names_that_are_taken(text: str, wanted: tuple[str, str | None], taken: bool) -> None:
    assert bool(clash(ast.parse(text), wanted, [3])) is taken


def test_a_taken_name_is_imported_under_another() -> None:
    text = "def linear_scan(a):\n    x = 1\n    return x\n"
    one = finding((2, 9, 2, 10), "linear_scan(a, linear_scan=2, b=c.linear_scan())", KERNEL)
    fixed = apply_fixes(text, [one]).text
    assert fixed == (
        "from auditor.kernels import linear_scan as linear_scan_kernel\n\n\n"
        "def linear_scan(a):\n"
        "    x = linear_scan_kernel(a, linear_scan=2, b=c.linear_scan())\n"
        "    return x\n"
    )
    assert one.fix is not None
    assert apply_edits(text, completed(text, ast.parse(text), one.fix)) == fixed
    again = apply_fixes(fixed, [finding((5, 9, 5, 60), "linear_scan(2)", KERNEL)])
    assert again.refused


@pytest.mark.parametrize(
    "text",
    ["linear_scan = linear_scan_kernel = 1\n\nx = 1\n", "linear_scan = 2\n\nx = linear_scan\n"],
)
def test_a_taken_name_that_cannot_be_avoided_refuses_the_fix(text: str) -> None:
    width = len(text.splitlines()[2]) + 1
    applied = apply_fixes(text, [finding((3, 5, 3, width), "linear_scan()", KERNEL)])
    assert applied.text == text
    assert applied.refused[0][1] == "the name linear_scan is already taken at line 1"


_ELSEWHERE = "def g():\n    {}\n    return 2\n\n\ndef f(x):\n    t = 1\n    return t\n"


@pytest.mark.parametrize(
    "text, content, added",
    [
        (_ELSEWHERE.format("import heapq"), "heapq.nlargest(2, x)", "import heapq\n"),
        (
            _ELSEWHERE.format("from heapq import nlargest"),
            "nlargest(2, x)",
            "from heapq import nlargest\n",
        ),
        (_ELSEWHERE.format("import heapq"), "x.heapq(heapq=2)", ""),
        (_ELSEWHERE.format("heapq = 2"), "heapq(x)", ""),
        ("import heapq\n\n\n" + _ELSEWHERE.format("import heapq"), "heapq.nlargest(2, x)", ""),
        (
            "def f(x):\n    import heapq\n\n\n\n\n    t = 1\n    return t\n",
            "heapq.nlargest(2, x)",
            "",
        ),
    ],
)
def test_what_another_function_imports_is_imported_for_the_fix(
    text: str, content: str, added: str
) -> None:
    line = next(n for n, found in enumerate(text.splitlines(), 1) if found.endswith("t = 1"))
    applied = apply_fixes(text, [finding((line, 9, line, 10), content)])
    assert not applied.refused
    assert f"t = {content}" in applied.text
    assert applied.text.count("import") == text.count("import") + bool(added)
    assert applied.text.startswith(added)


@pytest.mark.parametrize(
    "text",
    [
        _ELSEWHERE.format("import numpy as np"),
        "if TYPE_CHECKING:\n    import numpy as np\n\n\n\n\n" + "def f(x):\n    t = 1\n",
    ],
)
def test_what_cannot_be_imported_as_elsewhere_refuses_the_fix(text: str) -> None:
    line = next(n for n, found in enumerate(text.splitlines(), 1) if found.endswith("t = 1"))
    applied = apply_fixes(text, [finding((line, 9, line, 10), "np.sum(x)")])
    assert applied.text == text
    assert "imported for other code only" in applied.refused[0][1]


@pytest.mark.parametrize(
    "text, shadowed",
    [
        ("def f(xs):\n    t = 1\n    return t\n", False),
        ("def f(xs):\n    t = 1\n    sum = t\n", True),
        ("def f(xs, sum=0):\n    t = 1\n    return t\n", True),
        ("def sum(xs): ...\nt = 1\n", True),
        ("try:\n    from builtins import abs as sum\nexcept ImportError:\n    pass\nt = 1\n", True),
        ("from torch import *\nt = 1\n", True),
        ("from math import *\nt = 1\n", False),
        ("def g(sum):\n    return sum\nt = 1\n", False),
        ("class C:\n    x = 0\n    t = 1\n", False),
        ("import builtins as b\nb.sum = None\nt = 1\n", True),
        ("import builtins\nsetattr(builtins, 'sum', None)\nt = 1\n", True),
        ("globals()['sum'] = None\nt = 1\n", True),
        ("import builtins\nbuiltins.max = None\nt = 1\n", False),
        ("x.sum = None\nt = 1\n", False),
    ],
)
@pytest.mark.parametrize("content", ["sum(xs)", "fold(xs, sum)"])
def test_a_builtin_that_is_something_else_refuses_the_fix(
    text: str, content: str, shadowed: bool
) -> None:
    line = next(n for n, found in enumerate(text.splitlines(), 1) if found.endswith("t = 1"))
    column = text.splitlines()[line - 1].index("1") + 1
    applied = apply_fixes(text, [finding((line, column, line, column + 1), content)])
    assert (applied.text == text) is shadowed
    assert bool(applied.refused) is shadowed


@pytest.mark.parametrize("name, text", [("pow", "pow(b, n, m)"), ("sum", "sum(b)")])
def test_of_the_builtins_math_has_pow(name: str, text: str) -> None:
    applied = apply_fixes("from math import *\nt = 1\n", [finding((2, 5, 2, 6), text)])
    assert bool(applied.refused) is (name == "pow")


@pytest.mark.parametrize(
    "first, refused",
    [
        ("try:\n    import torch\nexcept ImportError:\n    torch = None\n", True),
        ("def load():\n    import torch\n", True),
        ("if available():\n    from torch import nn\n", True),
        ("import torch\n", False),
        ("from torch.nn import functional as F\n", False),
        ("import numpy\n", False),
    ],
)
def test_kernels_are_not_imported_where_torch_is_optional(first: str, refused: bool) -> None:
    text = f"{first}x = 1\n"
    line = len(text.splitlines())
    applied = apply_fixes(text, [finding((line, 5, line, 6), "linear_scan(2)", KERNEL)])
    assert bool(applied.refused) is refused


@pytest.mark.parametrize(
    "line, content, refused",
    [
        ("y = [e / s for x in xs]", "soft(x)", True),
        ("y = [e / s for z in xs]", "soft(x)", False),
        ("y = lambda x: e / s", "soft(x)", True),
        ("y = [x for x in e / s]", "soft(x)", False),
        ("y = {x: 1 for z in xs for x in e / s}", "soft(x)", True),
        ("y = [e / x for x in xs]", "soft(x)", False),
    ],
)
def test_names_that_are_something_else_inside(line: str, content: str, refused: bool) -> None:
    start = line.index("e /") + 1
    applied = apply_fixes(f"{line}\n", [finding((1, start, 1, start + 5), content)])
    assert bool(applied.refused) is refused


def test_complete_edits_of_one_fix_give_the_fixed_text() -> None:
    text = "import torch\n\nx = 1\n"
    one = finding((3, 5, 3, 6), "linear_scan()", KERNEL)
    assert one.fix is not None
    edits = completed(text, ast.parse(text), one.fix)
    assert apply_edits(text, edits) == apply_fixes(text, [one]).text


def test_writing_keeps_mode_and_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.py", tmp_path / "link.py"
    real.write_bytes(b"old")
    real.chmod(0o750)
    link.symlink_to(real)
    write_atomically(link, b"new", b"old")
    assert real.read_bytes() == b"new"
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o750
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.py", "real.py"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give files away")
def test_writing_keeps_the_owner(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"old")
    os.chown(path, 1234, 2345)
    write_atomically(path, b"new", b"old")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)


def test_nothing_is_written_over_somebody_elses_change(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"changed")
    with pytest.raises(OSError, match="changed while"):
        write_atomically(path, b"new", b"old")
    assert path.read_bytes() == b"changed"


def test_a_failed_write_leaves_the_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.py"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, b"new", b"old")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("line", "gone", "left"),
    [
        ("    a = 1; b = 2\n", [(4, 11), (9, 16)], ""),
        ("    a = 1; b = 2  # why\n", [(4, 11), (9, 16)], "      # why\n"),
        ("    a = 1; b = 2; c = 3\n", [(4, 11), (11, 18)], "    c = 3\n"),
        ("    a = 1; b = 2; c = 3\n", [(11, 18), (16, 23)], "    a = 1\n"),
    ],
)
def test_neighbours_on_a_line_go_together(
    line: str, gone: list[tuple[int, int]], left: str
) -> None:
    """Each removal takes the separator beside it with it."""
    edits = [Edit(Span(1, start + 1, 1, end + 1), "") for start, end in gone]
    assert apply_edits(line, joined([line], edits)) == left


def test_other_edits_stay_as_they_are() -> None:
    apart = [Edit(Span(1, 1, 1, 3), ""), Edit(Span(1, 5, 1, 6), "x"), Edit(Span(2, 1, 3, 1), "")]
    assert joined(["a = 1\n", "b = 2\n"], apart) == tuple(apart)


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("y = (a * b).sum()\n", "(a * b)", "c * d", "y = (c * d).sum()\n"),
        ("y = (a * b) ** 2\n", "(a * b)", "c * d", "y = (c * d) ** 2\n"),
        ("y = f(a) ** 2\n", "f(a)", "c * d", "y = (c * d) ** 2\n"),
        ("y = e / (a * b)\n", "(a * b)", "c / d", "y = e / (c / d)\n"),
        ("y = -(a * b)[0]\n", "(a * b)", "c + d", "y = -(c + d)[0]\n"),
        ("y = not f(a)\n", "f(a)", "c if d else e", "y = not (c if d else e)\n"),
        ("y = (a * b) + e\n", "(a * b)", "c * d", "y = c * d + e\n"),
        ("y = g((a * b), e)\n", "(a * b)", "c * d", "y = g(c * d, e)\n"),
        ("return (a * b)\n", "(a * b)", "c - d", "return c - d\n"),
        ("y = f(a)[0]\n", "f(a)", "g(c)", "y = g(c)[0]\n"),
        ("y = a + b\n", "+ b", "- c", "y = a - c\n"),
    ],
)
def test_an_expression_stays_whole_beside_what_is_done_to_it(
    text: str, old: str, new: str, expected: str
) -> None:
    text, expected = (f"def f():\n    {each}" for each in (text, expected))
    column = text.split("\n")[1].index(old) + 1
    edits = bracketed(text, (Edit(Span(2, column, 2, column + len(old)), new),))
    assert apply_edits(text, edits) == expected
