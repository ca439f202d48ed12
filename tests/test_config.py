"""Settings: where they come from, what wins, and one-line errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.config import ConfigError, Resolver, kernels_allowed, parse_override


def project(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(text)
    return folder


def test_the_nearest_file_with_our_table_wins(tmp_path: Path) -> None:
    project(tmp_path, '[tool.audit]\ntarget = "cpu"\nselect = ["ASC"]\n')
    inner = project(tmp_path / "inner", "[tool.other]\nx = 1\n")
    nearer = project(tmp_path / "nearer", '[tool.audit]\ntarget = "h200"\n')
    resolver = Resolver()
    assert resolver.settings(inner).target == "cpu"
    assert resolver.settings(inner).select == ("ASC",)
    assert resolver.settings(nearer).target == "h200"
    assert resolver.settings(nearer).select == ("ALL",)
    assert Resolver(isolated=True).settings(inner).target == "auto"


def test_every_key_is_read(tmp_path: Path) -> None:
    project(
        tmp_path,
        """
        [tool.audit]
        select = ["ALL"]
        extend-select = ["ASC101"]
        ignore = ["SEP"]
        per-file-ignores = { "tests/*" = ["ASC", "online-softmax"] }
        exclude = ["a"]
        extend-exclude = ["b"]
        force-exclude = true
        respect-gitignore = false
        target = "h200"
        numerics = "exact"
        kernels = true
        unsafe-fixes = true
        show-fixes = true
        output-format = "concise"
        cache-dir = "c"
        """,
    )
    settings = Resolver().settings(tmp_path)
    assert settings.selected == ("ALL", "ASC101")
    assert settings.per_file_ignores == (("tests/*", ("ASC", "online-softmax")),)
    assert (settings.numerics, settings.kernels, settings.force_exclude) == ("exact", True, True)
    assert (settings.output_format, settings.cache_dir) == ("concise", "c")
    assert settings.root == tmp_path


@pytest.mark.parametrize(
    "text, message",
    [
        ("selct = []", "unknown key 'selct'; did you mean 'select'?"),
        ("zzz = 1", "unknown key 'zzz'; known keys:"),
        ('select = "ASC"', "select is a list of strings, not 'ASC'"),
        ('numerics = "sloppy"', 'numerics is "exact" or "reassociated", not \'sloppy\''),
        ("kernels = 1", "kernels is true or false, not 1"),
        ("target = 3", 'target is "auto" or "cpu" or "cuda" or "h200", not 3'),
        ('target = "h1000"', 'target is "auto" or "cpu" or "cuda" or "h200", not'),
        ('per-file-ignores = ["x"]', "per-file-ignores is a table"),
        ("select = [", "not valid TOML"),
    ],
)
def test_wrong_settings_are_one_line(tmp_path: Path, text: str, message: str) -> None:
    project(tmp_path, f"[tool.audit]\n{text}\n")
    with pytest.raises(ConfigError) as caught:
        Resolver().settings(tmp_path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "pyproject.toml" in str(caught.value)


@pytest.mark.parametrize(
    "text, message",
    [
        ('tool = "audit"\n', None),
        ("[tool]\naudit = 5\n", "[tool.audit] is a table of settings, not 5"),
        ("\ufeff[tool.audit]\nselct = []\n", "unknown key 'selct'"),
    ],
)
def test_files_of_other_shapes(tmp_path: Path, text: str, message: str | None) -> None:
    project(tmp_path, text)
    if message is None:
        assert Resolver().settings(tmp_path).origin is None
        return
    with pytest.raises(ConfigError) as caught:
        Resolver().settings(tmp_path)
    assert message in str(caught.value)


def test_a_broken_file_that_is_not_about_us_is_passed_over(tmp_path: Path) -> None:
    project(tmp_path, "[broken\n")
    assert Resolver().settings(tmp_path).origin is None


@pytest.mark.parametrize(
    "argument, expected",
    [
        ("target=cpu", {"target": "cpu"}),
        ("select=['ASC', 'SEP']", {"select": ("ASC", "SEP")}),
        ("force-exclude = true", {"force_exclude": True}),
        ('numerics="exact"', {"numerics": "exact"}),
    ],
)
def test_overrides(argument: str, expected: dict[str, object]) -> None:
    assert parse_override(argument) == expected


@pytest.mark.parametrize("argument", ["select=[", "nonsense=1", "=x", "target=a b"])
def test_wrong_overrides(argument: str) -> None:
    with pytest.raises(ConfigError, match="--config"):
        parse_override(argument)


def test_the_command_line_selects_afresh_but_ignores_in_addition(tmp_path: Path) -> None:
    project(tmp_path, '[tool.audit]\nselect = ["ASC"]\nignore = ["ASC101"]\n')
    selecting = Resolver({"select": ("ASC101",)}).settings(tmp_path)
    assert (selecting.select, selecting.ignore) == (("ASC101",), ())
    ignoring = Resolver({"ignore": ("ASC107",)}).settings(tmp_path)
    assert (ignoring.select, ignoring.ignore) == (("ASC",), ("ASC101", "ASC107"))


def test_a_file_given_by_path_replaces_the_search(tmp_path: Path) -> None:
    project(tmp_path, '[tool.audit]\ntarget = "cpu"\n')
    own = tmp_path / "audit.toml"
    own.write_text('target = "h200"\n')
    assert Resolver(file=own).settings(tmp_path).target == "h200"


@pytest.mark.parametrize(
    "text, allowed",
    [
        ("", None),
        ('[project]\nname = "x"\n', None),
        ('[project]\nname = "x"\ndependencies = ["torch"]\n', False),
        ('[project]\nname = "x"\ndependencies = ["Property_Auditor[kernels]>=0.1"]\n', True),
        ('[project]\nname = "property-auditor"\ndependencies = []\n', True),
        ('[tool.poetry.dependencies]\ntorch = "^2"\n', False),
        ('[tool.poetry.dependencies]\nproperty-auditor = "*"\n', True),
        ("[broken\n", None),
        ("project = 5\ntool = 5\n", None),
        ("[tool]\npoetry = 5\n", None),
        ('[project]\nname = 5\ndependencies = [1, "torch"]\n', False),
        ('[project]\nname = "x"\ndependencies = "property-auditor"\n', False),
    ],
)
def test_whether_a_project_depends_on_the_kernels(
    tmp_path: Path, text: str, allowed: bool | None
) -> None:
    assert kernels_allowed(project(tmp_path, text) / "src") is allowed
