"""From the paths a user gives to the files that are audited.

A folder is searched for ``*.py``, leaving out what .gitignore and the ``exclude`` setting name. A
file that is given by its own path is audited in any case, unless ``force-exclude`` is set.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from auditor.config import Resolver, Settings
from auditor.verdict import Problem


@dataclass(frozen=True)
class Input:
    """One file to audit: where it is, what it is called in reports, and its settings."""

    path: Path
    name: str
    settings: Settings


def discover(
    arguments: Iterable[str], resolver: Resolver
) -> tuple[tuple[Input, ...], tuple[Problem, ...]]:
    """The files behind the arguments, each once, and the arguments that lead nowhere."""
    found: dict[str, Input] = {}
    problems: list[Problem] = []
    ignores = _GitIgnores()
    for argument in arguments:
        path = Path(argument)
        if (missing := _missing(argument)) is not None:
            problems.append(Problem(argument, 1, 1, missing))
            continue
        if os.path.isdir(path):
            inputs: Iterable[Input] = _search(path, resolver, ignores, problems)
        elif path.suffix == ".ipynb":
            # Its JSON may well be a Python expression: without this it would count as clean.
            advice = f"run 'jupyter nbconvert --to script {argument}' first"
            problems.append(Problem(argument, 1, 1, f"notebooks are not supported; {advice}"))
            continue
        else:
            item = explicit(path, resolver, ignores)
            inputs = (item,) if item else ()
        for item in inputs:
            found.setdefault(os.path.realpath(item.path), item)
    return tuple(found.values()), tuple(problems)


def _missing(argument: str) -> str | None:
    """Why an argument leads nowhere: of its text, for ``Path("")`` would be the current folder."""
    try:
        os.stat(argument)
    except FileNotFoundError:
        return "no such file or directory"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return None


def explicit(path: Path, resolver: Resolver, ignores: _GitIgnores | None = None) -> Input | None:
    """A file that is given by its own path, or None where it is excluded all the same."""
    folder = Path(os.path.abspath(path)).parent
    settings = resolver.settings(folder)
    if _forced_out(folder / path.name, settings, ignores or _GitIgnores()):
        return None
    return Input(path, str(path), settings)


def _forced_out(entry: Path, settings: Settings, ignores: _GitIgnores) -> bool:
    """Whether a path is left out even though the user gave it."""
    if not settings.force_exclude:
        return False
    return covers(entry, settings.root, settings.exclude + settings.extend_exclude) or (
        settings.respect_gitignore and ignores.ignores(entry)
    )


def _search(
    top: Path, resolver: Resolver, ignores: _GitIgnores, problems: list[Problem]
) -> Iterator[Input]:
    """The files below a folder, in order."""

    def unreadable(error: OSError) -> None:
        name = str(error.filename)
        problems.append(Problem(name, 1, 1, f"cannot be read: {error.strerror}"))

    base = Path(os.path.abspath(top))
    if _forced_out(base, resolver.settings(base), ignores):
        return
    for folder_name, subfolders, files in os.walk(top, onerror=unreadable):
        shown = Path(folder_name)
        folder = Path(os.path.abspath(shown))
        settings = resolver.settings(folder)
        rules = ignores.rules(folder, base) if settings.respect_gitignore else ()
        subfolders[:] = sorted(
            name for name in subfolders if not _left_out(folder / name, True, settings, rules)
        )
        for name in sorted(files):
            entry = folder / name
            wanted = name.endswith(".py") and not _is_pipe(entry)
            if wanted and not _left_out(entry, False, settings, rules):
                yield Input(shown / name, str(shown / name), settings)


def _is_pipe(entry: Path) -> bool:
    """Whether a search had better not open it: a pipe or device, which has no end."""
    return os.path.exists(entry) and not os.path.isfile(entry)


def _left_out(
    entry: Path, is_folder: bool, settings: Settings, rules: Sequence[IgnoreRule]
) -> bool:
    patterns = settings.exclude + settings.extend_exclude
    return matches(entry, settings.root, patterns) or _ignored(entry, is_folder, rules)


def matches(entry: Path, root: Path, patterns: tuple[str, ...]) -> bool:
    """Whether a pattern names the entry, by its own name or by its path from ``root``."""
    if not patterns:
        return False
    expression = _globs(patterns)
    if expression.match(entry.name):
        return True
    return entry.is_relative_to(root) and bool(expression.match(entry.relative_to(root).as_posix()))


def covers(entry: Path, root: Path, patterns: tuple[str, ...]) -> bool:
    """Whether a pattern names the entry or a folder between it and ``root``."""
    above = [place for place in entry.parents if place != root and place.is_relative_to(root)]
    return any(matches(place, root, patterns) for place in (entry, *above))


@cache
def _globs(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{_expression(p.rstrip('/'))}\\Z)" for p in patterns))


@dataclass(frozen=True)
class IgnoreRule:
    """One line of a .gitignore."""

    base: Path
    expression: re.Pattern[str]
    negated: bool
    only_folders: bool


def _ignored(entry: Path, is_folder: bool, rules: Iterable[IgnoreRule]) -> bool:
    """The last rule that names the entry decides."""
    answer = False
    for rule in rules:
        if rule.only_folders and not is_folder:
            continue
        if rule.expression.match(entry.relative_to(rule.base).as_posix()):
            answer = not rule.negated
    return answer


class _GitIgnores:
    """The .gitignore files of one search, each read once."""

    def __init__(self) -> None:
        self._roots: dict[Path, Path | None] = {}
        self._known: dict[Path, tuple[IgnoreRule, ...]] = {}

    def rules(self, folder: Path, top: Path) -> tuple[IgnoreRule, ...]:
        """The rules in force in ``folder``, outermost first, from the repository's root, or from
        ``top`` where there is no repository."""
        if folder not in self._known:
            root = self._repository(folder) or top
            outermost = folder == root or not folder.is_relative_to(root)
            path = folder / ".git/info/exclude"
            above = _read_rules(path, folder) if outermost else self.rules(folder.parent, top)
            self._known[folder] = (*above, *_read_rules(folder / ".gitignore", folder))
        return self._known[folder]

    def ignores(self, entry: Path) -> bool:
        """Whether the entry or a folder above it, inside its git repository, is ignored."""
        top = self._repository(entry.parent)
        if top is None:
            return False
        above = [place for place in entry.parents if place != top and place.is_relative_to(top)]
        return _ignored(entry, os.path.isdir(entry), self.rules(entry.parent, top)) or any(
            _ignored(place, True, self.rules(place.parent, top)) for place in above
        )

    def _repository(self, folder: Path) -> Path | None:
        """The root of the git repository around ``folder``."""
        if folder not in self._roots:
            if os.path.exists(folder / ".git"):
                self._roots[folder] = folder
            else:
                at_top = folder == folder.parent
                self._roots[folder] = None if at_top else self._repository(folder.parent)
        return self._roots[folder]


def _read_rules(path: Path, base: Path) -> tuple[IgnoreRule, ...]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    return tuple(rule for line in lines if (rule := parse_rule(line, base)) is not None)


def parse_rule(line: str, base: Path) -> IgnoreRule | None:
    """A line of a .gitignore, or None for a blank line or a comment."""
    pattern = re.sub(r"(?<!\\)[ \t\r]+\Z", "", line)
    if not pattern or pattern.startswith("#"):
        return None
    negated = pattern.startswith("!")
    body = pattern[1:] if negated else pattern
    bare = body.rstrip("/")
    anywhere = "" if "/" in bare else "(?:.*/)?"
    expression = re.compile(f"{anywhere}{_expression(bare.lstrip('/'))}\\Z", re.DOTALL)
    return IgnoreRule(base, expression, negated, body.endswith("/"))


def _expression(glob: str) -> str:
    """A glob as a regular expression: ``*`` stays inside one path component, ``**`` does not."""
    tidy = re.sub(r"\*{2,}", "**", glob)
    tidy = re.sub(r"(?:(?<=/)|\A)(?:\*\*/)+", "**/", tidy)
    parts = re.split(r"(\A\*\*/|/\*\*/|/\*\*\Z|\*+|\?|\[[!^]?\]?[^\]]*\]|\\.)", tidy)
    return "".join(map(_piece, parts))


def _piece(part: str) -> str:
    fixed = {"**/": "(?:.*/)?", "/**/": "/(?:.*/)?", "/**": "/.*", "?": "[^/]"}
    if part in fixed:
        return fixed[part]
    if part.startswith("*"):
        return "[^/]*"
    if part.startswith("[") and part.endswith("]") and len(part) > 2:
        inside = part[1:-1]
        negated = inside[:1] in ("!", "^")
        return f"[{'^/' if negated else ''}{inside[negated:].replace(chr(92), chr(92) * 2)}]"
    return re.escape(part[1:] if part.startswith("\\") and len(part) == 2 else part)
