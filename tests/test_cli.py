"""The command line as other programs see it: real processes, their output and exit status."""

from __future__ import annotations

import json
import os
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fake_analysis
import pytest

from auditor import cli

FAKE = [sys.executable, str(Path(fake_analysis.__file__))]
REAL = [sys.executable, "-m", "auditor.cli"]
MODEL = """\
import torch


def scan(a, b):
    h = SLOW(a, b)
    k = UNSAFE(h)
    z = ADVICE(k)
    return h, k, z
"""


def run(
    *arguments: str, stdin: bytes | None = None, command: list[str] = FAKE, **variables: str
) -> subprocess.CompletedProcess[str]:
    """The audit in a process of its own, in the current folder."""
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [*command, *arguments],
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        env=kept | variables,
        timeout=120,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "clean.py").write_text("x = 1\n")
    return tmp_path


def document(*arguments: str, **more: Any) -> dict[str, Any]:
    done = run(*arguments, "--output-format", "json", **more)
    loaded: dict[str, Any] = json.loads(done.stdout)
    return loaded


@pytest.mark.parametrize(
    "arguments, status",
    [
        (("clean.py",), 0),
        (("check", "clean.py"), 0),
        (("model.py",), 1),
        (("check", "model.py"), 1),
        ((".",), 1),
        (("check",), 1),
        (("model.py", "--exit-zero"), 0),
        (("model.py", "--select", "ASC106"), 0),
        (("model.py", "--fix", "--unsafe-fixes", "--ignore", "LOC"), 0),
        (("model.py", "--fix"), 1),
        (("model.py", "--diff"), 1),
        (("clean.py", "--diff"), 0),
        (("nowhere.py",), 2),
        (("nowhere.py", "--exit-zero"), 2),
        (("model.py", "--no-such-option"), 2),
        (("model.py", "--select", "XYZ999"), 2),
        (("model.py", "--select", ""), 2),
        (("",), 2),
        (("model.py", "--output-format", "poem"), 2),
        (("model.py", "--config", "nonsense=1"), 2),
        (("model.py", "--config", "missing.toml"), 2),
        (("model.py", "--fix", "--diff"), 2),
        (("-", "model.py"), 2),
        (("explain",), 2),
        (("explain", "ASC999"), 2),
        (("explain", "asc101"), 0),
        (("catalog",), 0),
        (("verify", "model.py"), 1),
        (("verify", "model.py", "--ignore", "SEP206"), 0),
        (("verify", "model.py", "--exit-zero"), 0),
        (("verify", "clean.py"), 0),
        (("verify", "nowhere.py"), 2),
        (("verify", "-", "clean.py"), 2),
        (("--help",), 0),
        (("check", "--help"), 0),
        (("--version",), 0),
        ((), 2),
    ],
)
def test_exit_status(arguments: tuple[str, ...], status: int) -> None:
    done = run(*arguments)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    if status == 2 and arguments:
        assert len(done.stderr.splitlines()) == 1 or "internal" in done.stderr
        assert done.stderr.startswith("error: ")


def test_errors_say_what_where_and_what_to_do() -> None:
    assert run("x.py").stderr == "error: x.py:1:1: no such file or directory\n"
    wrong = run("model.py", "--sellect", "x").stderr
    assert "--sellect" in wrong
    assert "see 'audit check --help'" in wrong
    assert "linear-recurrence" in run("model.py", "--select", "linear-recurence").stderr


def test_a_first_argument_is_a_command_only_when_it_is_exactly_one(folder: Path) -> None:
    (folder / "catalog.py").write_text("a = SLOW(1)\n")
    (folder / "catalog").mkdir()
    (folder / "catalog" / "m.py").write_text("b = SLOW(1)\n")
    assert "catalog.py:1:5" in run("catalog.py").stdout.replace(":1:1", ":1:5")
    assert "linear-recurrence" in run("catalog").stdout
    assert "catalog/m.py" in run("./catalog").stdout
    assert "catalog/m.py" in run("check", "catalog").stdout
    assert "catalog/m.py" in run("--quiet", "catalog").stdout


def test_json_has_every_key_and_nothing_else_is_on_standard_output(folder: Path) -> None:
    (folder / "bad.py").write_text("x = (\n")
    done = run(".", "--output-format", "json", "--all", "--verbose")
    data = json.loads(done.stdout)
    assert done.returncode == 2
    assert data["version"] == 1
    assert data["files"] == 3
    assert [(e["path"], e["line"]) for e in data["errors"]] == [("bad.py", 1)]
    assert set(data) >= {"version", "files", "errors", "findings", "computations"}
    for finding in data["findings"]:
        assert set(finding) >= {
            *("path", "line", "column", "end_line", "end_column", "scope", "code", "rewrite"),
            *("message", "properties", "kernel", "fix", "profit"),
        }
        assert list(finding["properties"]) == [
            *("associativity", "separability", "locality"),
            *("sparsity", "redundancy", "symmetry"),
        ]
        for verdict in finding["properties"].values():
            assert verdict["verdict"] in ("holds", "partial", "fails", "unknown")
            assert (verdict["basis"] is None) == (verdict["verdict"] == "unknown")
            assert verdict["evidence"]
    safe, unsafe, advice = data["findings"]
    assert (safe["line"], safe["column"], safe["end_line"], safe["end_column"]) == (5, 5, 5, 19)
    assert safe["fix"]["edits"][0] == {
        "line": 2,
        "column": 1,
        "end_line": 2,
        "end_column": 1,
        "content": "from auditor.kernels import linear_scan\n",
    }
    assert set(safe["fix"]) == {"applicability", "numerics", "reason", "edits"}
    assert set(safe["profit"]) >= {"target", "bound", "predicted_speedup"}
    assert unsafe["fix"]["applicability"] == "unsafe"
    assert advice["fix"] is None


def test_all_lists_computations_with_the_reason(folder: Path) -> None:
    (folder / "plain.py").write_text("a = PLAIN(1)\n")
    assert document("plain.py")["computations"] == []
    (entry,) = document("plain.py", "--all")["computations"]
    assert entry["refused"] == "the state is not affine"
    assert not {"code", "rewrite", "kernel", "fix"} & set(entry)
    assert run("plain.py", "--all").returncode == 0
    assert "no rewrite: the state is not affine" in run("plain.py", "--all").stdout
    assert "the state is not affine" in run("plain.py", "--all", "--output-format=concise").stdout


def test_the_full_report_shows_code_verdicts_result_and_gain() -> None:
    out = run("model.py").stdout
    for part in (
        "model.py:5:5  ASC101 linear-recurrence  in Model.forward",
        "5 ▌ h = SLOW(a, b)",
        "✓ associativity  ✗ separability  ≈ locality  ✗ sparsity  ? redundancy  ✗ symmetry",
        "(a2, b2) . (a1, b1) = (a2 a1, a2 b1 + b2); identity (1, 0) (proof)",
        "2 + from auditor.kernels import linear_scan",
        "6 + h = linear_scan(a, b)",
        "about 12x on cpu",
        "--fix applies it",
        "unsafe (approximate); --fix --unsafe-fixes applies it",
        "advice only",
    ):
        assert part in out
    assert out.endswith("3 findings in 1 file, 1 fixable with --fix, 1 more with --unsafe-fixes.\n")


def test_the_concise_report_is_one_line_each() -> None:
    out = run("model.py", "--output-format", "concise", "--quiet").stdout
    assert out.splitlines() == [
        "model.py:5:5: ASC101 [*] h is a linear recurrence",
        "model.py:6:5: SEP206 k is a linear recurrence",
        "model.py:7:5: LOC307 z is a linear recurrence",
    ]


def test_a_terminal_without_unicode_gets_plain_signs() -> None:
    out = run("model.py", PYTHONIOENCODING="ascii").stdout
    assert "+ associativity  - separability  ~ locality" in out
    assert out.isascii()


def test_diff_writes_nothing_and_can_be_applied(folder: Path) -> None:
    (folder / "windows.py").write_bytes(b"a = SLOW(1)\r\n# \xc3\xa9\r\n")
    (folder / "latin.py").write_bytes(b"# coding: latin-1\na = SLOW(1)  # \xe9")
    before = {path.name: path.read_bytes() for path in folder.glob("*.py")}
    done = subprocess.run([*FAKE, ".", "--diff", "--no-cache"], capture_output=True)
    assert {path.name: path.read_bytes() for path in folder.glob("*.py")} == before
    assert b"+    h = linear_scan(a, b)\n" in done.stdout
    assert b"Would fix 3 findings" in done.stderr
    subprocess.run(["git", "apply", "-p0", "-"], input=done.stdout, check=True)
    patched = {path.name: path.read_bytes() for path in folder.glob("*.py")}
    for name, data in before.items():
        (folder / name).write_bytes(data)
    run(".", "--fix")
    assert {path.name: path.read_bytes() for path in folder.glob("*.py")} == patched


def test_fix_is_idempotent_and_reports_what_is_left(folder: Path) -> None:
    done = run("model.py", "--fix", "--show-fixes")
    fixed = (folder / "model.py").read_text()
    assert "h = linear_scan(a, b)" in fixed
    assert "from auditor.kernels import linear_scan" in fixed
    assert "model.py: 1 x ASC101 linear-recurrence" in done.stdout
    assert "Fixed 1 finding, 2 findings left" in done.stdout
    again = run("model.py", "--fix")
    assert (folder / "model.py").read_text() == fixed
    assert "Fixed" not in again.stdout


def test_numerics_exact_keeps_rounding(folder: Path) -> None:
    run("model.py", "--fix", "--numerics", "exact")
    assert (folder / "model.py").read_text() == MODEL
    (entry, *_) = document("model.py", "--numerics", "exact")["findings"]
    assert "--numerics exact" in entry["not_fixed"]


def test_a_file_that_cannot_be_written_is_an_error(folder: Path) -> None:
    target = folder / "model.py"
    target.chmod(0o444)
    if os.access(target, os.W_OK):
        pytest.skip("this user may write everything")
    done = run("model.py", "--fix")
    assert done.returncode == 2
    assert "read-only" in done.stderr


def test_good_files_are_audited_beside_broken_ones(folder: Path) -> None:
    (folder / "bad.py").write_text("x = 1\n  y = 2\n")
    (folder / "buggy.py").write_text("x = BUG(1)\n")
    done = run(".")
    assert done.returncode == 2
    assert "ASC101" in done.stdout
    assert "error: bad.py:2:" in done.stderr
    assert "error: buggy.py:1:1: internal error" in done.stderr
    assert "ZeroDivisionError: a bug in a rule" in done.stderr


def test_the_summary_does_not_count_files_that_cannot_be_audited(folder: Path) -> None:
    (folder / "bad.py").write_text("x = (\n")
    assert run("bad.py", "clean.py").stdout == "Nothing to rewrite in 1 file, 1 file with errors.\n"
    assert "Nothing" not in run("-", "--fix", stdin=b"x = (\n").stderr


def test_what_the_compiler_warns_of_is_not_said(folder: Path) -> None:
    text = 'import re\nDIGITS = re.compile("\\d")\nfor x in range(3):\n    s = x\n'
    (folder / "clean.py").write_text(text)
    for command, place in ((("check", "--no-cache"), "clean.py"), (("derive",), "clean.py:3")):
        done = run(*command, place, command=REAL, PYTHONWARNINGS="always")
        assert "escape" not in done.stderr
    assert run("clean.py", command=REAL, PYTHONWARNINGS="error").returncode == 0


def test_standard_input(folder: Path) -> None:
    data = document("-", "--stdin-filename", "pkg/model.py", stdin=MODEL.encode())
    assert {finding["path"] for finding in data["findings"]} == {"pkg/model.py"}
    fixed = run("-", "--fix", stdin=MODEL.encode())
    assert fixed.stdout.startswith("import torch\nfrom auditor.kernels import linear_scan\n")
    assert "SEP206" in fixed.stderr
    assert fixed.returncode == 1
    assert run("-", stdin=b"x = 1\n").returncode == 0
    assert run("-", stdin=b"x = (\n").returncode == 2
    assert run("-", "--fix", stdin=b"x = (\n").stdout == "x = (\n"
    assert run("-", "--diff", stdin=MODEL.encode()).stdout.startswith("--- stdin.py\n")
    spaced = run("-", "--diff", "--stdin-filename", "my model.py", stdin=MODEL.encode())
    assert spaced.stdout.startswith("--- my model.py\t\n+++ my model.py\t\n")
    (folder / "pyproject.toml").write_text('[tool.audit]\nforce-exclude = true\nexclude = ["p"]\n')
    kept = run("-", "--fix", "--stdin-filename", "p/x.py", stdin=MODEL.encode())
    assert (kept.stdout, kept.returncode) == (MODEL, 0)


def test_settings_of_the_project_and_of_the_command_line(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.audit]\nselect = ["SEP"]\n')

    def found(*arguments: str) -> list[str]:
        return [finding["code"] for finding in document("model.py", *arguments)["findings"]]

    assert found() == ["SEP206"]
    assert found("--extend-select", "fuse-region") == ["SEP206", "LOC307"]
    assert found("--select", "ASC,LOC") == ["ASC101", "LOC307"]
    assert found("--isolated") == ["ASC101", "SEP206", "LOC307"]
    assert found("--config", "select=['LOC']") == ["LOC307"]
    (folder / "own.toml").write_text('ignore = ["SEP"]\n')
    assert found("--config", "own.toml") == ["ASC101", "LOC307"]
    assert found("--isolated", "--per-file-ignores", "model.py:ASC,*.py:LOC") == ["SEP206"]
    assert found("--select", "ALL", "--ignore", "ASC1") == ["SEP206", "LOC307"]
    shown = run("--show-settings").stdout
    assert 'select = ["SEP"]' in shown
    assert f'origin = "{folder / "pyproject.toml"}"' in shown


def test_a_wrong_setting_or_rule_in_the_project_is_one_line(folder: Path) -> None:
    for text, message in (("selct = []", "did you mean 'select'"), ('ignore = ["QQQ"]', "'QQQ'")):
        (folder / "pyproject.toml").write_text(f"[tool.audit]\n{text}\n")
        done = run("model.py")
        assert done.returncode == 2
        assert message in done.stderr
        assert str(folder / "pyproject.toml") in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert "pyproject.toml" not in run("model.py", "--select", "RRR", "--ignore", "QQQ").stderr


def test_which_files(folder: Path) -> None:
    (folder / "build").mkdir()
    (folder / "build" / "made.py").write_text(MODEL)
    assert run("--show-files").stdout.splitlines() == ["clean.py", "model.py"]
    assert run("--show-files", "--exclude", "clean.py").stdout.splitlines() == [
        *("model.py", "build/made.py"),
    ]
    assert run("--show-files", "--extend-exclude", "clean.py").stdout == "model.py\n"
    assert run("build/made.py").returncode == 1
    done = run("build/made.py", "--force-exclude")
    assert (done.returncode, "no Python files" in done.stderr) == (0, True)
    assert run("build/made.py", "--force-exclude", "--quiet").stderr == ""


def test_the_cache_can_be_placed_and_left_out(folder: Path) -> None:
    assert "0 of them from the cache" in run("model.py", "-v").stderr
    assert "1 of them from the cache" in run("model.py", "-v").stderr
    assert (folder / ".audit_cache" / ".gitignore").exists()
    assert "0 of them from the cache" in run("model.py", "-v", "--no-cache").stderr
    run("model.py", "--cache-dir", str(folder / "elsewhere"))
    assert any((folder / "elsewhere").rglob("*.json"))


def test_statistics_count_by_rule(folder: Path) -> None:
    (folder / "more.py").write_text("a = SLOW(1)\nb = SLOW(2)\n")
    out = run(".", "--statistics", "--quiet").stdout
    assert out.splitlines() == [
        "3  ASC101  [*]  linear-recurrence",
        "1  LOC307  [ ]  fuse-region",
        "1  SEP206  [ ]  far-field",
    ]
    counts = document(".", "--statistics")["statistics"]
    assert counts[0] == {
        "code": "ASC101", "rewrite": "linear-recurrence", "count": 3, "fixable": True,
    }  # fmt: skip


def test_reports_can_go_to_a_file(folder: Path) -> None:
    done = run("model.py", "--output-format", "json", "--output-file", "report.json")
    assert done.stdout == ""
    assert len(json.loads((folder / "report.json").read_text())["findings"]) == 3
    assert run("model.py", "--output-file", "no/such/folder").returncode == 2


def test_the_picture_is_an_image_and_always_the_same() -> None:
    import xml.etree.ElementTree

    first = run("model.py", "--output-format", "svg", "--no-cache").stdout
    assert run("model.py", "--output-format", "svg").stdout == first
    root = xml.etree.ElementTree.fromstring(first)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "h = linear_scan(a, b)" in "".join(root.itertext())


@pytest.mark.parametrize(
    "arguments, variables, coloured",
    [
        ((), {}, False),
        (("--color", "always"), {}, True),
        ((), {"FORCE_COLOR": "1"}, True),
        ((), {"FORCE_COLOR": "0"}, False),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colours(arguments: tuple[str, ...], variables: dict[str, str], coloured: bool) -> None:
    assert ("\x1b[" in run("model.py", *arguments, **variables).stdout) is coloured


def test_warnings_do_not_change_the_exit_status(folder: Path) -> None:
    (folder / "idle.py").write_text("x = 1  # audit: ignore[ASC101]\n")
    done = run("idle.py")
    assert done.returncode == 0
    assert "warning: idle.py:1:8: unused ignore: [ASC101] silences nothing" in done.stderr
    assert document("idle.py")["warnings"][0]["line"] == 1
    assert run("idle.py", "--quiet").stderr == ""


def test_verify_reads_standard_input() -> None:
    done = run("verify", "-", "--stdin-filename", "pkg/model.py", stdin=MODEL.encode())
    assert "pkg/model.py:5" in done.stdout


def test_verify_prints_a_table_or_json() -> None:
    done = run("verify", "model.py")
    assert "ok    model.py:5  ASC101  a: (3, 5)  1e-07" in done.stdout
    assert "12 ms -> 1.1 ms (10.9x)" in done.stdout
    assert "2 of 3 runs agree" in done.stdout
    assert "running the rewritten code of model.py" in done.stderr
    data = json.loads(run("verify", "model.py", "--output-format", "json").stdout)
    assert [row["ok"] for row in data["rows"]] == [True, False, True]
    assert data["rows"][1]["max_error"] is None


def test_catalog_and_explain() -> None:
    rewrites = json.loads(run("catalog", "--output-format", "json").stdout)["rewrites"]
    assert [entry["code"] for entry in rewrites] == ["ASC101", "ASC106", "SEP206", "LOC307"]
    assert len(run("catalog", "--select", "ASC").stdout.splitlines()) == 3
    page = run("explain", "linear-recurrence").stdout
    assert "Why it is legal." in page
    assert "x = linear_scan(a)" in page
    assert json.loads(run("explain", "ASC101", "--output-format", "json").stdout)["examples"]


def test_a_closed_pipe_is_no_error(folder: Path) -> None:
    (folder / "many.py").write_text("".join(f"a = SLOW({n})\n" for n in range(800)))
    command = [*FAKE, "many.py", "--no-cache"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full here")
@pytest.mark.parametrize("arguments", ["a.py", "--version", "explain ASC101"])
def test_a_full_disk_is_one_line(folder: Path, arguments: str) -> None:
    (folder / "a.py").write_text("a = SLOW(1)\n")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*FAKE, *arguments.split()], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("error: standard output: ")


@pytest.mark.parametrize(
    "arguments, status, said",
    [
        ("clean.py >&-", 2, "error: standard output is closed; --output-file"),
        ("- <&-", 2, "error: standard input (-) is closed"),
        ("clean.py 2>&-", 0, ""),
        ("nowhere.py 2>&-", 2, ""),
    ],
)
def test_streams_may_be_closed(arguments: str, status: int, said: str) -> None:
    command = " ".join([*map(shlex.quote, FAKE), arguments])
    done = subprocess.run(command, shell=True, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (status, bool(said))
    assert done.stderr.startswith(said)


def test_a_folder_that_is_gone_is_one_line(folder: Path) -> None:
    (folder / "gone").mkdir()
    command = " ".join(["cd gone && rmdir ../gone &&", *map(shlex.quote, FAKE), "../clean.py"])
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("error: the current folder ")


@pytest.mark.parametrize(
    "words, answers",
    [
        (["ca"], ["plain,calibrate", "plain,catalog"]),
        (["check", "--output-f"], ["plain,--output-format", "plain,--output-file"]),
        (["check", "mod"], ["file,mod"]),
    ],
)
def test_a_shell_can_complete(words: list[str], answers: list[str]) -> None:
    asked = {
        "_AUDIT_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["audit", *words]),
        "COMP_CWORD": str(len(words)),
    }
    assert run(**asked).stdout.splitlines() == answers


@pytest.mark.parametrize("files", [1, 60])
def test_an_interrupt_ends_everything_with_130(folder: Path, files: int) -> None:
    (folder / "slow").mkdir()
    for number in range(files):
        (folder / "slow" / f"m{number}.py").write_text("a = SLEEP(1)\n")
    command = [*FAKE, "slow", "--no-cache"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    for _ in range(300):
        if (folder / "asleep").exists():
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors.decode().splitlines()[-1] == "interrupted"
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.parametrize("arguments", [("--help",), ("check", "--help"), ("--version",)])
def test_help_imports_nothing_heavy(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "auditor.cli", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {row.rpartition("|")[2].strip().split(".")[0] for row in done.stderr.splitlines()}
    assert "click" in imported
    assert not imported & {"sympy", "torch", "libcst", "numpy", "triton", "rich", "hypothesis"}


def test_help_is_fast() -> None:
    """Measured in processor time, which other work on the machine does not stretch as much."""

    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def once() -> float:
        before = used()
        run("--help", command=REAL)
        return used() - before

    assert min(once() for _ in range(4)) < 0.25


def test_a_bug_of_the_shell_shows_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("auditor.cli.session._resolver", fail)
    assert cli.main(["catalog"]) == 2
    assert "ZeroDivisionError: oops" in capsys.readouterr().err


@pytest.fixture
def real(folder: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The real analysis on a loop that is a linear recurrence."""
    (folder / "loop.py").write_text(
        "import torch\n\n\n"
        "def run(a, b):\n"
        "    B, T, D = a.shape\n"
        "    h = torch.zeros(B, D)\n"
        "    out = []\n"
        "    for t in range(T):\n"
        "        h = a[:, t] * h + b[:, t]\n"
        "        out.append(h)\n"
        "    return torch.stack(out, dim=1)\n"
    )
    return lambda *arguments: run(*arguments, command=REAL)


def test_the_real_analysis_runs_behind_the_shell(
    real: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = real("loop.py", "--output-format", "json", "--all")
    data = json.loads(done.stdout)
    assert data["errors"] == []
    assert done.returncode == (1 if data["findings"] else 0)


def test_the_package_is_the_command(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("x = 1\n")
    for package in ("auditor", "auditor.cli"):
        command = [sys.executable, "-m", package, "check", "--isolated", "--no-cache", "plain.py"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), package
        assert "Nothing to rewrite" in done.stdout
