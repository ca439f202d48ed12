"""``audit derive``: what is found, that it is right, what is refused, and the command itself."""

from __future__ import annotations

import ast
import importlib.util
import itertools
import pickle
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from auditor.algebra.derivation import derive
from auditor.algebra.laws import check
from auditor.algebra.trial import disagreement
from auditor.derive.found import Derived, Nothing, derive_at
from auditor.derive.program import TARGETS, program

HERE = Path(__file__).parent / "derive"
FOLDS = (HERE / "folds.py").read_text(encoding="utf-8")
REFUSED = (HERE / "refused.py").read_text(encoding="utf-8")
AUDIT = [sys.executable, "-m", "auditor.cli"]


def loops(text: str) -> Iterator[tuple[str, int, str]]:
    """Every function of a file that loops: its name, the line of its first loop, its docstring."""
    for node in ast.parse(text).body:
        lines = [n.lineno for n in ast.walk(node) if isinstance(n, (ast.For, ast.While))]
        if isinstance(node, ast.FunctionDef) and lines:
            yield node.name, min(lines), ast.get_docstring(node) or ""


# where the uses of an element do not tell what it is
ELEMENTS = {
    "best_pair": st.lists(st.tuples(st.integers(0, 9), st.integers(-2, 2)), max_size=12),
    "last_given": st.lists(st.none() | st.text(max_size=2), max_size=12),
    "last_above": st.lists(st.sampled_from((-1.0, 0.0, 2.5, float("inf"))), max_size=12),
    "since_reset": st.lists(
        st.tuples(st.booleans(), st.sampled_from((1.0, 0.5, float("inf")))), max_size=12
    ),
    "last_word_of_three": st.lists(st.text(max_size=5), max_size=12),
    # among the keys that the counts are drawn with
    "counter_imported_here": st.lists(st.integers(0, 4), max_size=12),
    **dict.fromkeys(
        ("attempted_sum", "attempted_good", "attempted_last", "attempted_branch"),
        st.lists(st.sampled_from(("1", "2", "-3", "x", "")), max_size=12),
    ),
    "first_parts": st.lists(st.sampled_from(("", "ba", "a", "bab", "b")), max_size=12),
    "attempted_lines": st.lists(st.sampled_from(("", "1", "a1", "2a3", "ax")), max_size=12),
    "longest_word": st.lists(st.text(max_size=3), max_size=12),
    # long ones too, without the elements that make the divisor 0
    "hmm_normalised": st.lists(st.floats(0.125, 0.875), min_size=2, max_size=12),
}
# what a divisor is made of, between 0 and 1, so that it is not nearly 0
OPTIONS = {"hmm_normalised": st.floats(0.125, 0.875), "in_all": st.sets(st.integers(0, 3))}
FOUND = {name: line for name, line, _ in loops(FOLDS)}


@cache
def derived(name: str) -> Derived:
    found = derive_at(FOLDS, FOUND[name])
    assert isinstance(found, Derived), found
    return found


def module(source: str, path: Path) -> ModuleType:
    """A generated module, imported from a file of its own."""
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = made
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("name", FOUND)
def test_pieces_give_what_the_loop_gives(name: str, tmp_path: Path) -> None:
    found = derived(name)
    made = module(program(found, "folds.py", "python"), tmp_path / f"derived_{name}.py")
    options = _options(made.loop)
    updating, finishing = _options(made.piece), _options(made.finish)

    @settings(
        max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    @given(elements=ELEMENTS.get(name, made.ELEMENTS), cuts=made.CUTS, data=st.data())
    def compare(elements: Any, cuts: Any, data: Any) -> None:
        given = {one: data.draw(OPTIONS.get(name, _option(one))) for one in options}
        try:
            expected = made.loop(elements, **given)
        except Exception:
            reject()
        compared.append(len(elements))
        places = sorted((0, len(elements), *(min(cut, len(elements)) for cut in cuts)))
        states = [
            made.piece(elements[start:stop], **{k: given[k] for k in updating})
            for start, stop in itertools.pairwise(places)
        ]
        states = [pickle.loads(pickle.dumps(state)) for state in states]
        whole = made.merge(states)
        assert made.alike(made.finish(whole, **{k: given[k] for k in finishing}), expected)

    compared: list[int] = []
    compare()
    assert len(compared) >= 20 and max(compared) > 3, "the strategy gives the loop too little"
    sys.modules.pop(f"derived_{name}")


def test_a_fold_without_a_loop(tmp_path: Path) -> None:
    """``reduce`` is a loop in other words."""
    text = (
        "from functools import reduce\n\n\n"
        "def best(xs):\n"
        "    return reduce(lambda s, x: (s[0] + x, max(s[1], s[0] + x)), xs, (0, 0))\n"
    )
    found = derive_at(text, 5)
    assert isinstance(found, Derived), found
    source = program(found, "best.py", "python")
    assert "(best.py:5)" in source
    made = module(source, tmp_path / "derived_reduce.py")
    xs = [3, -5, 4, 1, -2]
    for cut in range(len(xs) + 1):
        pieces = [made.piece(xs[:cut]), made.piece(xs[cut:])]
        assert tuple(made.finish(made.merge(pieces))) == (1, 3)


_PLACES = """\
def largest(xs):
    pos = {start}
    for i, x in enumerate(xs):
        if {nothing} or {element} > xs[pos]:
            pos = i
    return pos
"""


@pytest.mark.parametrize("start, nothing", [("-1", "pos == -1"), ("-1", "pos < 0"),
                                            ("None", "pos is None")])  # fmt: skip
@pytest.mark.parametrize("element", ["x", "xs[i]"])
def test_a_place_is_told_by_what_is_there(
    start: str, nothing: str, element: str, tmp_path: Path
) -> None:
    text = _PLACES.format(start=start, nothing=nothing, element=element)
    found = derive_at(text, 3)
    assert isinstance(found, Derived), found
    made = module(program(found, "places.py", "python"), tmp_path / "derived_places.py")
    for xs in itertools.product(range(3), repeat=4):
        elements = list(enumerate(xs))
        given = {"xs": xs} if "xs" in _options(made.piece) else {}
        states = [made.piece(elements[a:b], **given) for a, b in ((0, 1), (1, 1), (1, 4))]
        assert made.finish(made.merge(states)) == xs.index(max(xs))


def test_a_sentinel_that_an_element_may_be_says_nothing() -> None:
    text = _PLACES.format(start="-1", nothing="pos == -1", element="x")
    found = derive_at(text.replace("pos = i", "pos = x"), 3)
    assert isinstance(found, Nothing)


def _options(function: Any) -> list[str]:
    """The names of the keyword-only parameters."""
    code = function.__code__
    return list(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])


def _option(name: str) -> Any:
    if name == "counts":
        return st.dictionaries(st.integers(0, 4), st.integers(0, 9))
    if name == "out":
        return st.lists(st.integers(0, 9), max_size=4)
    if name in ("bins", "h"):
        return st.lists(st.integers(0, 9), min_size=10, max_size=10)
    return st.integers(-3, 3)


@pytest.mark.parametrize("name, line, said", list(loops(REFUSED)))
def test_what_has_no_monoid_is_refused_with_its_reason(name: str, line: int, said: str) -> None:
    found = derive_at(REFUSED, line)
    assert isinstance(found, Nothing), f"{name} has no monoid"
    assert said == "no monoid" or said in found.reason, found.reason
    assert found.reason and "\n" not in found.reason


@pytest.mark.parametrize(
    "name, fields",
    [
        ("kadane", ["here_shift", "here", "best_over_here", "best"]),
        ("mps", ["s", "best"]),
        ("horner", ["h_scale", "h"]),
        ("welford", ["n", "mean", "m2"]),
        ("soft", ["largest", "total"]),
        ("second", ["a", "b"]),
        ("total", ["s"]),
        ("balance", ["depth", "ok_margin"]),
        ("is_sorted", ["seen", "first_x", "last_prev", "ok"]),
        ("anyneg", ["found"]),
    ],
)
def test_a_state_keeps_what_varies_under_the_users_names(name: str, fields: list[str]) -> None:
    assert [field.name for field in derived(name).monoid.fields] == fields


@pytest.mark.parametrize("name", ["kadane", "horner", "words", "second", "mts", "mps", "fib"])
def test_the_laws_hold_on_symbols(name: str) -> None:
    for part in derived(name).monoid.parts:
        checked = check(part)
        assert checked.left == (), checked
        assert {"identity", "associativity", "update"} <= set(checked.laws)


@pytest.mark.parametrize("name", ["welford", "soft"])
def test_derived_coordinates_are_associative_on_symbols(name: str) -> None:
    (part,) = derived(name).monoid.parts
    assert "associativity" in check(part).laws


def test_a_factor_of_one_or_nothing_is_a_truth_value() -> None:
    for name, fields in (("since_reset", "total_kept"), ("horner", "h_scale")):
        (part,) = derived(name).monoid.parts
        assert part.fields[0].name == fields
    assert derived("since_reset").monoid.numerics == "reassociated"
    assert derived("horner").monoid.numerics == "conditioned"


def test_the_laws_can_fail() -> None:
    from dataclasses import replace

    from auditor.notation import Apply

    (part,) = derived("horner").monoid.parts
    scale, value = part.fields
    wrong = (part.combine[0], Apply("add", (value.left, value.right)))
    assert "update" in check(replace(part, combine=wrong)).left
    assert scale.name == "h_scale"


def test_a_wrong_combine_is_caught_by_running_it() -> None:
    from dataclasses import replace

    from auditor.notation import Apply

    found = derived("kadane")
    (part,) = found.monoid.parts
    wrong = [*part.combine]
    wrong[3] = Apply("max", (part.fields[3].left, part.fields[3].right))
    monoid = replace(found.monoid, parts=(replace(part, combine=tuple(wrong)),))
    assert disagreement(found.fold.scan, found.monoid) is None
    assert "best is" in (disagreement(found.fold.scan, monoid) or "")


def test_floating_point_is_graded() -> None:
    assert derived("second").monoid.numerics == "exact"
    assert derived("total").monoid.numerics == "reassociated"
    assert derived("welford").monoid.numerics == "conditioned"
    assert derived("total").monoid.commutes
    assert not derived("kadane").monoid.commutes


@pytest.mark.parametrize(
    "body, start, options, elements",
    [
        ("(v * 31 + x) % 1009", "v = 0", {}, [0.25, 0.5, 3]),
        ("(v * 31 + x) % m", "v = 0", {"m": 2.5}, [1, 2, 3]),
        ("(v * 31 + x) % 1009", "pass", {"v": 0.25}, [1, 2, 3]),
    ],
)
def test_a_scale_is_reduced_for_whole_numbers_alone(
    body: str, start: str, options: dict[str, float], elements: list[float], tmp_path: Path
) -> None:
    parameters = ", ".join(("xs", *options))
    text = (
        f"def f({parameters}):\n    {start}\n    for x in xs:\n        v = {body}\n    return v\n"
    )
    found = derive_at(text, 3)
    assert isinstance(found, Derived), found
    made = module(program(found, "f.py", "python"), tmp_path / "derived_scaled.py")

    def run(elements: list[float], options: dict[str, float]) -> object:
        given = {k: v for k, v in options.items() if k in _options(made.piece)}
        state = made.merge([made.piece([one], **given) for one in elements])
        return made.finish(state, **{k: options[k] for k in _options(made.finish) if k in options})

    whole = {name: int(4 * value) for name, value in options.items()}
    assert run([1, 2, 3], whole) == made.loop([1, 2, 3], **whole)
    with pytest.raises(TypeError):
        run(elements, options)


def test_the_same_loop_gives_the_same_monoid_under_any_name() -> None:
    text = "def f(v):\n    a = 0\n    for w in v:\n        a = a * 3 + w\n    return a\n"
    found = derive_at(text, 3)
    assert isinstance(found, Derived)
    again = derive(found.fold.scan, lambda value: True)
    assert [f.name for f in found.monoid.fields] == ["a_scale", "a"]
    assert not hasattr(again, "reason")


@pytest.mark.parametrize("target", TARGETS)
def test_every_module_is_python_and_imports_nothing_of_the_audit(target: str) -> None:
    for name in ("kadane", "wc", "welford", "ema", "groups2", "started"):
        text = program(derived(name), "folds.py", target)
        tree = ast.parse(text)
        names = [n for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom))]
        assert not any("auditor" in ast.unparse(n) for n in names)


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*AUDIT, *arguments], capture_output=True, text=True, cwd=cwd, timeout=120
    )


def test_the_command_tells_of_the_loop(tmp_path: Path) -> None:
    (tmp_path / "stream.py").write_text(FOLDS, encoding="utf-8")
    done = run("derive", f"stream.py:{FOUND['kadane']}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for said in ("`kadane` folds here, best", "best_over_here", "def combine(", "Floating point:",
                 "matrices over (max, +)", "staged scan", "one-pass summary", "verified rewrite",
                 "update(combine(a, b), x) = combine(a, update(b, x))"):  # fmt: skip
        assert said in done.stdout, said


def test_the_command_names_the_rewrite(tmp_path: Path) -> None:
    (tmp_path / "stream.py").write_text(FOLDS, encoding="utf-8")
    done = run("derive", f"stream.py:{FOUND['total']}", cwd=tmp_path)
    assert "ASC106 reduction-loop" in done.stdout


def test_the_command_says_why_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "stream.py"
    path.write_text(REFUSED, encoding="utf-8")
    line = next(line for name, line, _ in loops(REFUSED) if name == "logistic")
    done = run("derive", f"{path}:{line}")
    assert done.returncode == 1
    assert "no monoid: a product of states" in done.stdout
    done = run("derive", f"{path}:{line}", "--to", "dask")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no monoid: a product of states" in done.stderr


@pytest.mark.parametrize(
    "place, said",
    [
        ("stream.py", "expected PATH:LINE"),
        ("stream.py:", "expected PATH:LINE"),
        ("stream.py:x", "expected PATH:LINE"),
        (":3", "expected PATH:LINE"),
        ("missing.py:3", "missing.py: cannot be read"),
        ("stream.py:1", "there is no loop on line 1; loops begin on lines"),
        ("stream.py:0", "there is no line 0"),
        ("stream.py:99999", "there is no line 99999"),
        ("broken.py:1", "broken.py:1: syntax error"),
        ("folder:1", "folder: cannot be read"),
    ],
)
def test_a_bad_place_gets_one_clear_line(place: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "stream.py").write_text(FOLDS, encoding="utf-8")
    (tmp_path / "broken.py").write_text("for x in\n", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    done = run("derive", place, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_module_is_written_and_its_test_passes(tmp_path: Path) -> None:
    (tmp_path / "stream.py").write_text(FOLDS, encoding="utf-8")
    place = f"stream.py:{FOUND['log_lines']}"
    done = run("derive", place, "--to", "python", "-o", "test_written.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_written.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert tested.returncode == 0, tested.stdout
    assert "1 passed" in tested.stdout


def test_a_loop_of_a_script_is_read_too() -> None:
    text = "import sys\n\ntotal = 0\nfor line in sys.stdin:\n    total += len(line)\nprint(total)\n"
    found = derive_at(text, 4)
    assert isinstance(found, Derived)
    assert [field.name for field in found.monoid.fields] == ["total"]


def test_what_a_container_held_before_is_not_lost(tmp_path: Path) -> None:
    text = (
        "def f(xs):\n    out = []\n    out.append(7)\n    for x in xs:\n"
        "        out.append(x)\n    return out\n"
    )
    found = derive_at(text, 4)
    assert isinstance(found, Derived)
    made = module(program(found, "f.py", "python"), tmp_path / "derived_before.py")
    assert made.finish(made.piece([1, 2]), out=[7]) == [7, 1, 2]


def test_what_is_supposed_of_what_is_taken_is_said() -> None:
    text = (
        "def largest(xs):\n    best = None\n    for x in xs:\n"
        "        if best is None or str(x) > str(best):\n            best = x\n    return best\n"
    )
    found = derive_at(text, 3)
    assert isinstance(found, Derived), found
    assert found.fold.assumptions == ("`x` is not None",)


@pytest.mark.parametrize(
    "start, step, elements, wanted",
    [
        ("0j", "v = v * 2 + x", [1, 2j, 3], 7 + 4j),
        ("1 - 2j", "v = v * 2 + x", [], 1 - 2j),
        ("(-1, 0)", "v = max(v, x)", [(-1, -5), (-1, 3)], (-1, 3)),
        ("(-1, 0)", "v = max(v, x)", [(-2, 7)], (-1, 0)),
    ],
)
def test_what_is_no_number_is_kept_as_the_start(
    start: str, step: str, elements: list[Any], wanted: object, tmp_path: Path
) -> None:
    text = f"def f(xs):\n    v = {start}\n    for x in xs:\n        {step}\n    return v\n"
    found = derive_at(text, 3)
    assert isinstance(found, Derived), found
    made = module(program(found, "f.py", "python"), tmp_path / "derived_begun.py")
    assert _options(made.finish) == _options(made.loop) == []
    assert made.finish(made.merge(made.piece([one]) for one in elements)) == wanted
    assert made.loop(elements) == wanted


NAMED = """\
def f({head}):
    {held} = {{}}
    total = 0
    for {k}, v in rows:
        {held}[{k}] = {held}.get({k}, 0) * {by} + v
        total += v
    return {held}, total
"""


@pytest.mark.parametrize(
    "k, held, by, given",
    [
        ("k", "sums", "2", {}),
        ("key", "state", "2", {}),
        ("k", "values", "2", {}),
        ("k", "sums", "entry", {"entry_": 2}),
        ("k", "sums", "init", {"init_": 2}),
        ("State", "sums", "2", {}),
    ],
)
def test_names_that_the_module_needs_itself(
    k: str, held: str, by: str, given: dict[str, int], tmp_path: Path
) -> None:
    head = f"rows, {by}" if by.isidentifier() else "rows"
    text = NAMED.format(head=head, k=k, held=held, by=by)
    found = derive_at(text, 4)
    assert isinstance(found, Derived)
    made = module(program(found, "names.py", "python"), tmp_path / f"derived_{held}.py")
    assert made.finish(made.piece([(0, 1), (1, 5), (0, 2)], **given)) == ({0: 4, 1: 5}, 8)


def test_names_of_the_file_that_the_module_needs_itself() -> None:
    text = NAMED.format(head="rows", k="k", held="sums", by="init(2)")
    found = derive_at(
        f"{text}\n\ndef init(n):\n    while n > 9:\n        n -= 1\n    return n\n", 4
    )
    assert isinstance(found, Nothing) and "`init`" in found.reason


def test_what_is_read_of_a_step_is_said_of_its_elements() -> None:
    text = (
        "from itertools import accumulate\n\n\ndef f(xs):\n    return list(accumulate(xs, max))\n"
    )
    found = derive_at(text, 5)
    assert isinstance(found, Derived)
    assert "the elements are what `for" in found.fold.assumptions[-1]
    plain = derive_at("def f(xs):\n    s = 0\n    for x in xs:\n        s += x\n    return s\n", 3)
    assert isinstance(plain, Derived) and not plain.fold.assumptions


def test_places_of_a_comprehension_are_nothing_from_around() -> None:
    text = (
        "def f(rows, m):\n    for row in rows:\n"
        "        m = [max(a, b) for a, b in zip(m, row)]\n    return m\n"
    )
    found = derive_at(text, 2)
    assert isinstance(found, Derived) and found.fold.parameters == ()
