"""Settings: defaults, then ``[tool.audit]`` of the nearest pyproject.toml, then options."""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from auditor.targets import DESCRIPTION, TARGETS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DEFAULT_EXCLUDE = (
    *(".audit_cache", ".bzr", ".direnv", ".eggs", ".git", ".hg", ".ipynb_checkpoints"),
    *(".mypy_cache", ".nox", ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox"),
    *(".venv", ".vscode", "__pycache__", "__pypackages__", "_build", "buck-out", "build", "dist"),
    *("node_modules", "site-packages", "venv"),
)

Format = Literal["full", "concise", "json", "svg"]


class ConfigError(ValueError):
    """A setting that cannot be used; its text is one line for the user."""


@dataclass(frozen=True)
class Settings:
    """Every setting with its default. ``root`` is where relative patterns start, ``origin`` the
    file that the settings came from."""

    root: Path
    origin: Path | None = None
    select: tuple[str, ...] = ("ALL",)
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    target: str = "auto"
    numerics: Literal["exact", "reassociated"] = "reassociated"
    kernels: bool | None = None
    unsafe_fixes: bool = False
    show_fixes: bool = False
    output_format: Format = "full"
    cache_dir: str | None = None

    @property
    def selected(self) -> tuple[str, ...]:
        """All selectors that switch rules on."""
        return self.select + self.extend_select


_CHOICES = {
    "target": TARGETS,
    "numerics": ("exact", "reassociated"),
    "output_format": ("full", "concise", "json", "svg"),
}
_STRINGS = ("cache_dir", *_CHOICES)
_SWITCHES = ("force_exclude", "respect_gitignore", "kernels", "unsafe_fixes", "show_fixes")
KEYS = tuple(f.name.replace("_", "-") for f in fields(Settings) if f.name not in ("root", "origin"))


def read_values(table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The settings in a TOML table, checked; ``where`` begins the message of an error."""
    return {key.replace("-", "_"): _checked(key, value, where) for key, value in table.items()}


def _checked(key: str, value: Any, where: str) -> Any:
    """``value`` in the type that the setting ``key`` has."""
    if key not in KEYS:
        near = difflib.get_close_matches(key, KEYS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(KEYS)}"
        raise ConfigError(f"{where}: unknown key {key!r}; {hint}")
    name = key.replace("-", "_")
    if name in _SWITCHES:
        return _expect(isinstance(value, bool), value, where, key, "true or false")
    if name in _STRINGS:
        return _checked_string(name, value, where, key)
    if name == "per_file_ignores":
        good = isinstance(value, dict) and all(map(_is_list, value.values()))
        _expect(good, value, where, key, 'a table such as {"tests/*" = ["ASC"]}')
        return tuple((pattern, tuple(codes)) for pattern, codes in value.items())
    return tuple(_expect(_is_list(value), value, where, key, "a list of strings"))


def _checked_string(name: str, value: Any, where: str, key: str) -> Any:
    choices = _CHOICES.get(name)
    if name == "target" and isinstance(value, str) and value.endswith(DESCRIPTION):
        return value
    wanted = " or ".join(f'"{choice}"' for choice in choices) if choices else "a string"
    good = isinstance(value, str) and (choices is None or value in choices)
    return _expect(good, value, where, key, wanted)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _expect(good: bool, value: Any, where: str, key: str, wanted: str) -> Any:
    if not good:
        raise ConfigError(f"{where}: {key} is {wanted}, not {value!r}")
    return value


def parse_override(argument: str) -> dict[str, Any]:
    """The setting in ``--config KEY=VALUE``; VALUE is TOML, bare words are taken as strings."""
    key, _, value = argument.partition("=")
    where = f"--config {argument}"
    try:
        table = tomllib.loads(f"value = {value}")
    except tomllib.TOMLDecodeError:
        if not re.fullmatch(r"\s*[\w./-]+\s*", value):
            raise ConfigError(f"{where}: {value!r} is not a TOML value") from None
        table = {"value": value.strip()}
    return read_values({key.strip(): table["value"]}, where)


def _table(path: Path) -> dict[str, Any] | None:
    """The settings table of a TOML file: ``[tool.audit]``, or all of a file of our own."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
    own = path.name != "pyproject.toml"
    if not own and "audit" not in text:
        return None
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from error
    table = _inner(document, "tool").get("audit")
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{path}: [tool.audit] is a table of settings, not {table!r}")
    return document if own and table is None else table


def _inner(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The table in a table; where something else stands there, an empty one."""
    inner = table.get(key)
    return inner if isinstance(inner, dict) else {}


def load(path: Path) -> Settings:
    """The settings of one file, for the folder it lies in."""
    values = read_values(_table(path) or {}, f"{path}: [tool.audit]")
    if values.get("target", "").endswith(DESCRIPTION):
        values["target"] = str(path.parent.absolute() / values["target"])
    return Settings(path.parent, path, **values)


class Resolver:
    """Finds the settings for a folder, and puts the command line's on top.

    With ``file`` every folder has that file's settings; with ``isolated`` no file is read.
    """

    def __init__(
        self,
        overrides: Mapping[str, Any] | None = None,
        file: Path | None = None,
        isolated: bool = False,
    ) -> None:
        self.overrides = dict(overrides or {})
        self._isolated = isolated
        self._fixed = load(file) if file else None
        self._known: dict[Path, Settings] = {}

    def settings(self, folder: Path) -> Settings:
        """The settings for files in ``folder`` (an absolute path)."""
        if folder not in self._known:
            self._known[folder] = self._merged(self._find(folder))
        return self._known[folder]

    def _find(self, folder: Path) -> Settings:
        if self._fixed is not None:
            return replace(self._fixed, root=Path.cwd())
        for place in () if self._isolated else (folder, *folder.parents):
            path = place / "pyproject.toml"
            if os.path.isfile(path) and _table(path) is not None:
                return load(path)
        return Settings(Path.cwd())

    def _merged(self, settings: Settings) -> Settings:
        """The command line on top. Selecting rules there starts afresh: a rule that a file
        ignores can be asked for; ignoring rules there adds to what the file ignores."""
        changes = dict(self.overrides)
        kept = () if "select" in changes else settings.ignore
        changes["ignore"] = kept + changes.get("ignore", ())
        for key in ("extend_select", "extend_exclude", "per_file_ignores"):
            changes[key] = getattr(settings, key) + changes.get(key, ())
        return replace(settings, **changes)


@cache
def kernels_allowed(folder: Path) -> bool | None:
    """Whether the project around ``folder`` depends on property-auditor; None if it declares no
    dependencies (a script, a notebook, requirements kept elsewhere)."""
    for place in (folder, *folder.parents):
        path = place / "pyproject.toml"
        if os.path.isfile(path):
            return _depends_on_us(path)
    return None


def _depends_on_us(path: Path) -> bool | None:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return None
    project = _inner(document, "project")
    declared: list[object] | None = project.get("dependencies")
    poetry = _inner(_inner(document, "tool"), "poetry").get("dependencies")
    if declared is None and poetry is None:
        return None
    names = {
        _project_name(entry)
        for entries in (declared, poetry)
        if isinstance(entries, (list, dict))
        for entry in entries
    }
    return "property-auditor" in names | {_project_name(project.get("name"))}


def _project_name(requirement: object) -> str:
    """The normalised project name that a requirement begins with, empty for what is none."""
    match = re.match(r"\s*([\w.-]+)", requirement) if isinstance(requirement, str) else None
    return re.sub(r"[-_.]+", "-", match[1]).lower() if match else ""
