"""One run's settings, taken from files and from the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.cli.screen import Screen, UserError
from auditor.targets import DESCRIPTION

if TYPE_CHECKING:
    from auditor.config import Resolver, Settings
    from auditor.discovery import Input
    from auditor.report.lines import Line
    from auditor.verdict import Problem

_NAMES = ("select", "extend_select", "ignore", "exclude", "extend_exclude")
_PLAIN = (
    *("force_exclude", "respect_gitignore", "target", "numerics", "unsafe_fixes", "show_fixes"),
    *("output_format", "cache_dir"),
)


class Session:
    """The settings of one run, and where its output goes."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.resolver = _resolver(options)
        self.settings: Settings = self.resolver.settings(_here())
        self.format = self.settings.output_format
        self._check(self.settings)
        self._screen = Screen(options["color"], options["output_file"])

    def _check(self, settings: Settings) -> None:
        self._check_selectors(settings)
        if settings.target.endswith(DESCRIPTION):
            from auditor.cost.target import BadTarget, target

            try:
                target(settings.target)
            except BadTarget as error:
                raise UserError(str(error)) from error

    def _check_selectors(self, settings: Settings) -> None:
        from auditor.engine import rules
        from auditor.selection import UnknownRule, check_selectors

        if not (selectors := _selectors(vars(settings))):
            return
        try:
            check_selectors(sorted(selectors), rules())
        except UnknownRule as error:
            if error.selector in _selectors(self.resolver.overrides):
                raise
            raise UserError(f"{settings.origin}: [tool.audit]: {error}") from error

    def discover(self, paths: Iterable[str]) -> tuple[tuple[Input, ...], tuple[Problem, ...]]:
        """The files to work on, their own settings checked too."""
        from auditor.discovery import discover

        inputs, problems = discover(paths, self.resolver)
        for settings in {item.settings.origin: item.settings for item in inputs}.values():
            self._check(settings)
        return inputs, problems

    def stdin(self) -> tuple[Input, ...]:
        """Standard input as a file to work on, unless the settings leave its name out."""
        from auditor.discovery import explicit

        item = explicit(Path(self.options["stdin_filename"] or "stdin.py"), self.resolver)
        return (item,) if item else ()

    def show(self, lines: Sequence[Line]) -> None:
        """Styled lines, to the report's place."""
        self._screen.show(lines)

    def write(self, text: str) -> None:
        """Text as it is, to the report's place."""
        self._screen.write(text)

    @property
    def page(self) -> Any:
        """The width and the signs that the report's place has."""
        return self._screen.page()


def is_stdin(paths: tuple[str, ...]) -> bool:
    """Whether the one path is standard input."""
    if "-" in paths and len(paths) > 1:
        raise UserError("standard input (-) cannot be audited together with other paths")
    return paths == ("-",)


def _here() -> Path:
    """The current folder."""
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise UserError("the current folder does not exist any more") from error


def _resolver(options: dict[str, Any]) -> Resolver:
    """Settings from files, with those of the command line on top."""
    from auditor.config import Resolver, parse_override

    overrides: dict[str, Any] = {}
    file: Path | None = None
    for argument in options.get("config", ()):
        if "=" in argument and not Path(argument).is_file():
            overrides |= parse_override(argument)
        elif Path(argument).is_file():
            file = Path(argument)
        else:
            raise UserError(f"--config {argument}: no such file, and not KEY=VALUE")
    overrides |= {name: options[name] for name in _PLAIN if options.get(name) is not None}
    for name in _NAMES:
        if options.get(name):
            overrides[name] = tuple(_split(options[name]))
            if name == "select" and not overrides[name]:
                raise UserError("--select names no rule: nothing would be reported")
    if options.get("per_file_ignores"):
        overrides["per_file_ignores"] = tuple(map(_per_file, _split(options["per_file_ignores"])))
    return Resolver(overrides, file, options.get("isolated", False))


def _selectors(settings: Mapping[str, Any]) -> set[str]:
    """What settings name rules by."""
    from auditor.selection import EVERY_RULE

    lists = [settings.get(key, ()) for key in ("select", "extend_select", "ignore")]
    lists += [codes for _, codes in settings.get("per_file_ignores", ())]
    return {selector for selectors in lists for selector in selectors} - {EVERY_RULE}


def _split(values: Iterable[str]) -> list[str]:
    """The items of options that may be repeated and may hold commas."""
    return [item.strip() for value in values for item in value.split(",") if item.strip()]


def _per_file(item: str) -> tuple[str, tuple[str, ...]]:
    pattern, colon, selector = item.rpartition(":")
    if not colon:
        raise UserError(f"--per-file-ignores {item}: write PATTERN:RULE, such as 'tests/*:ASC'")
    return pattern, (selector,)
