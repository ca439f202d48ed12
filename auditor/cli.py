"""The command line: the only file that prints, writes files or sets an exit status.

Exit status: 0 nothing to report, 1 findings, 2 the audit could not do its work, 130 interrupted.
Everything heavy is imported where it is used, so that ``audit --help`` answers at once.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from auditor import __version__
from auditor.targets import TARGETS

if TYPE_CHECKING:
    from auditor.config import Resolver, Settings
    from auditor.discovery import Input
    from auditor.engine import Result
    from auditor.report.lines import Line
    from auditor.verdict import Problem

CLEAN, FINDINGS, FAILED, INTERRUPTED = 0, 1, 2, 130

F = TypeVar("F", bound=Callable[..., Any])


# What writing to a full disk, or to one that fails, is answered with.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


class UserError(Exception):
    """Something the user can put right: one line, saying what, where and what to do."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status."""
    from auditor.config import ConfigError
    from auditor.selection import UnknownRule

    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if not given:
            _complain(audit.get_help(click.Context(audit, info_name="audit")))
            return FAILED
        return int(audit.main(given, prog_name="audit", standalone_mode=False) or CLEAN)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "audit"
        _complain(f"error: {error.format_message()} (see '{command} --help')")
    except (click.ClickException, ConfigError, UnknownRule, UserError) as error:
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        _complain(f"error: {text}")
    except (click.Abort, KeyboardInterrupt):
        _complain("interrupted")
        return INTERRUPTED
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _FULL:
            _discard_output()
            _complain(f"error: standard output: {error.strerror}")
            return FAILED
        _complain(f"error: internal error, please report it:\n{traceback.format_exc().rstrip()}")
    return FAILED


def _complain(text: str) -> None:
    """A line on standard error, which may be closed."""
    with contextlib.suppress(OSError, ValueError):
        print(text.encode("utf-8", "backslashreplace").decode(), file=sys.stderr, flush=True)


class _PathsFirst(click.Group):
    """A first argument that is not exactly a command's name is given to ``check``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {*self.commands, "--help", "-h", "--version", "-V"}
        return super().parse_args(ctx, args if args[:1] and args[0] in own else ["check", *args])


@click.group(cls=_PathsFirst, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", message="audit %(version)s")
def audit() -> None:
    """Find loops and tensor expressions whose algebra allows a faster program.

    `audit PATH...` is `audit check PATH...`; its options are listed by `audit check --help`.
    """


def _option(*names: str, **attributes: Any) -> Callable[[F], F]:
    return click.option(*names, **attributes)


def _together(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


_RULES = _together(
    _option("--select", multiple=True, metavar="RULE", help="Only these codes, prefixes, names."),
    _option("--extend-select", multiple=True, metavar="RULE", help="These as well."),
    _option("--ignore", multiple=True, metavar="RULE", help="Not these."),
)
_FILES = _together(
    _option("--per-file-ignores", multiple=True, metavar="PATTERN:RULE", help="Not there."),
    _option("--exclude", multiple=True, metavar="PATTERN", help="Files and folders to leave out."),
    _option("--extend-exclude", multiple=True, metavar="PATTERN", help="More to leave out."),
    _option("--force-exclude", is_flag=True, default=None, help="Even when named as a path."),
    _option(
        "--respect-gitignore/--no-respect-gitignore",
        default=None,
        help="Leave out what git ignores (default).",
    ),
)
_CONFIG = _together(
    _option("--config", multiple=True, metavar="KEY=VALUE|FILE", help="A setting, or a TOML file."),
    _option("--isolated", is_flag=True, help="Read no configuration file."),
)
_JUDGEMENT = _together(
    _option("--target", type=click.Choice(TARGETS), help="The device that profit is judged for."),
    _option(
        "--numerics",
        type=click.Choice(["exact", "reassociated"]),
        help="What a fix may do to rounding (default: reassociated).",
    ),
)
_OUTPUT = _together(
    _option("--output-file", "-o", metavar="FILE", help="Write the report there."),
    _option("--quiet", "-q", is_flag=True, help="Findings and errors only."),
    _option("--color", type=click.Choice(["auto", "always", "never"]), default="auto"),
)


def _format(*choices: str) -> Callable[[F], F]:
    return _option("--output-format", type=click.Choice(choices), help="Default: full.")


@audit.command()
@click.argument("paths", nargs=-1)
@_option("--fix", is_flag=True, help="Apply the safe rewrites in place.")
@_option("--unsafe-fixes", is_flag=True, default=None, help="Include rewrites marked unsafe.")
@_option("--diff", is_flag=True, help="Show what --fix would change; write nothing.")
@_option("--show-fixes", is_flag=True, default=None, help="List what --fix changed.")
@_option("--all", "everything", is_flag=True, help="Also what was analysed and has no rewrite.")
@_RULES
@_FILES
@_JUDGEMENT
@_format("full", "concise", "json", "svg")
@_OUTPUT
@_option("--statistics", is_flag=True, help="Count findings by rule.")
@_option("--verbose", "-v", is_flag=True, help="Say on standard error what is being done.")
@_CONFIG
@_option("--no-cache", is_flag=True, help="Do not use or fill the cache.")
@_option("--cache-dir", metavar="FOLDER", help="Where the cache is (default: .audit_cache).")
@_option("--stdin-filename", metavar="FILE", help="The name of standard input (path -).")
@_option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
@_option("--show-settings", is_flag=True, help="Print the settings in force.")
@_option("--show-files", is_flag=True, help="Print the files that would be audited.")
def check(paths: tuple[str, ...], **options: Any) -> int:
    """Scan files and folders (default: the current one); report, or fix."""
    return _Check(paths, options).run()


@audit.command()
@click.argument("paths", nargs=-1)
@_RULES
@_FILES
@_JUDGEMENT
@_format("full", "json")
@_OUTPUT
@_CONFIG
@_option("--exit-zero", is_flag=True, help="Exit with 0 even if a rewrite disagrees.")
def verify(paths: tuple[str, ...], **options: Any) -> int:
    """Run each rewrite against the original on generated inputs. This runs code of the files."""
    from auditor.report import verification

    session = _Session(options)
    inputs, problems = session.discover(paths or (".",))
    rows: list[Any] = []
    for item in inputs:
        if not options["quiet"]:
            _complain(f"running the rewritten code of {item.name} on generated inputs")
        found, failed = _verify_file(item)
        rows += found
        problems += failed
    if session.format == "json":
        session.write(verification.document(rows, problems))
    else:
        session.show([*verification.table(rows), verification.verdict(rows)])
        _show_problems(problems)
    if problems:
        return FAILED
    return CLEAN if options["exit_zero"] or all(row.ok for row in rows) else FINDINGS


def _verify_file(item: Input) -> tuple[tuple[Any, ...], tuple[Problem, ...]]:
    from auditor.engine import verify_file

    return verify_file(item)


@audit.command()
@click.argument("code")
@_format("full", "json", "markdown")
@_OUTPUT
def explain(code: str, **options: Any) -> int:
    """What a rule finds, why it is legal, when it pays; with examples."""
    from auditor.engine import rules
    from auditor.report import rules as pages
    from auditor.report.pages import markdown
    from auditor.rewrites import CATALOG
    from auditor.selection import find_rule

    rule = find_rule(code, rules())
    rewrite = next(entry for entry in CATALOG if entry.code == rule.code)
    session = _Session(options)
    if session.format == "json":
        session.write(pages.page_document(rewrite))
    elif options["output_format"] == "markdown":
        session.write(markdown(rewrite))
    else:
        session.show(pages.page(rewrite))
    return CLEAN


@audit.command()
@_RULES
@_format("full", "json")
@_OUTPUT
@_CONFIG
def catalog(**options: Any) -> int:
    """Every rewrite: code, name, what --fix may do, properties needed, kernel."""
    from auditor.report import rules as pages
    from auditor.rewrites import CATALOG
    from auditor.selection import Rule, enabled

    session = _Session(options)
    settings = session.settings
    chosen = [
        entry
        for entry in CATALOG
        if enabled(Rule(entry.code, entry.name), settings.selected, settings.ignore)
    ]
    if session.format == "json":
        session.write(pages.catalog_document(chosen))
    else:
        session.show(pages.catalog(chosen))
    return CLEAN


@audit.command()
@click.argument("place", metavar="PATH:LINE")
@_option(
    "--to",
    "target",
    type=click.Choice(
        ("python", "threads", "processes", "dask", "ray", "spark", "torch-distributed")
    ),
    help="Write the loop as a module for this engine instead of the account.",
)
@_option("--output-file", "-o", metavar="FILE", help="Write it there.")
def derive(place: str, target: str | None, output_file: str | None) -> int:
    """The monoid of the loop at PATH:LINE: state, identity, combine, finish, and the proof.

    With --to, a module that runs the loop on parts of its data. Exit status 1 if there is none.
    """
    from auditor.derive.found import Nothing, derive_at
    from auditor.derive.places import NoLoop
    from auditor.derive.program import program
    from auditor.derive.told import account, refusal

    path, text, line = _loop_place(place)
    try:
        found = derive_at(text, line)
    except NoLoop as error:
        raise UserError(f"{path}: {error}") from error
    except SyntaxError as error:
        raise UserError(f"{path}:{error.lineno or 1}: syntax error: {error.msg}") from error
    screen = _Screen("never", output_file)
    if isinstance(found, Nothing):
        told = refusal(found, path)
        if target is None:
            screen.write(told)
        else:
            _complain(told.rstrip())
        return FINDINGS
    screen.write(account(found, text, path) if target is None else program(found, path, target))
    return CLEAN


def _loop_place(place: str) -> tuple[str, str, int]:
    """The path, the text and the line of PATH:LINE."""
    from auditor.source import Undecodable, decode

    path, colon, number = place.rpartition(":")
    if not colon or not path or not number.isascii() or not number.isdigit():
        raise UserError(f"{place}: expected PATH:LINE, such as model.py:14")
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        return path, decode(data, path).text, int(number)
    except Undecodable as error:
        raise UserError(f"{path}:{error.line}: {error}") from error


_NAMES = ("select", "extend_select", "ignore", "exclude", "extend_exclude")
_PLAIN = (
    *("force_exclude", "respect_gitignore", "target", "numerics", "unsafe_fixes", "show_fixes"),
    *("output_format", "cache_dir"),
)


class _Session:
    """The settings of one run, and where its output goes."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.resolver = _resolver(options)
        self.settings: Settings = self.resolver.settings(Path.cwd())
        self.format = self.settings.output_format
        self._check_selectors(self.settings)
        self._screen = _Screen(options["color"], options["output_file"])

    def _check_selectors(self, settings: Settings) -> None:
        from auditor.engine import rules
        from auditor.selection import EVERY_RULE, check_selectors

        listed = (code for _, codes in settings.per_file_ignores for code in codes)
        selectors = {*settings.selected, *settings.ignore, *listed} - {EVERY_RULE}
        if selectors:
            check_selectors(sorted(selectors), rules())

    def discover(self, paths: Iterable[str]) -> tuple[tuple[Input, ...], tuple[Problem, ...]]:
        """The files to work on, their own settings checked too."""
        from auditor.discovery import discover

        inputs, problems = discover(paths, self.resolver)
        for settings in {item.settings.origin: item.settings for item in inputs}.values():
            self._check_selectors(settings)
        return inputs, problems

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
    if options.get("per_file_ignores"):
        overrides["per_file_ignores"] = tuple(map(_per_file, _split(options["per_file_ignores"])))
    return Resolver(overrides, file, options.get("isolated", False))


def _split(values: Iterable[str]) -> list[str]:
    """The items of options that may be repeated and may hold commas."""
    return [item.strip() for value in values for item in value.split(",") if item.strip()]


def _per_file(item: str) -> tuple[str, tuple[str, ...]]:
    pattern, colon, selector = item.rpartition(":")
    if not colon:
        raise UserError(f"--per-file-ignores {item}: write PATTERN:RULE, such as 'tests/*:ASC'")
    return pattern, (selector,)


@dataclass(frozen=True)
class _Screen:
    """Standard output, or the file that stands in for it."""

    color: str
    file: str | None

    def show(self, lines: Sequence[Line]) -> None:
        """Styled lines, with colours where they can be seen."""
        from auditor.report.lines import coloured, plain

        self.write(coloured(lines) if self._wants_colour() else plain(lines))

    def write(self, text: str) -> None:
        """Text as it is; a reader that has gone away is no error."""
        if self.file is not None:
            try:
                Path(self.file).write_bytes(text.encode("utf-8", "surrogateescape"))
            except OSError as error:
                raise UserError(f"--output-file {self.file}: {error.strerror}") from error
            return
        utf8 = self._encoding() == "utf-8"
        _write_out(text.encode(self._encoding(), "surrogateescape" if utf8 else "backslashreplace"))

    def page(self) -> Any:
        """What the place can show."""
        from auditor.report.full import Page

        if self.file is not None:
            return Page()
        try:
            "✓≈✗▌…".encode(self._encoding())
        except UnicodeEncodeError:
            return Page(unicode=False, width=self._width())
        return Page(width=self._width())

    def _encoding(self) -> str:
        return ((sys.stdout and sys.stdout.encoding) or "utf-8").lower()

    def _width(self) -> int | None:
        return min(shutil.get_terminal_size().columns, 110) if _is_terminal() else None

    def _wants_colour(self) -> bool:
        if self.file is not None or self.color == "never":
            return False
        if self.color == "always":
            return True
        if os.environ.get("NO_COLOR"):
            return False
        if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
            return True
        return _is_terminal() and os.environ.get("TERM") != "dumb"


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _write_out(data: bytes) -> None:
    if sys.stdout is None:
        raise UserError("standard output is closed; --output-file FILE writes the report to a file")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _discard_output()


def _discard_output() -> None:
    """Python flushes standard output once more at exit; let that go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_problems(problems: Iterable[Problem]) -> None:
    for problem in problems:
        place = f"{problem.path}:{problem.line}:{problem.column}"
        _complain(f"error: {place}: {problem.message}")


class _Check:
    """One run of ``audit check``."""

    def __init__(self, paths: tuple[str, ...], options: dict[str, Any]) -> None:
        if options["fix"] and options["diff"]:
            raise UserError("--fix and --diff exclude each other: --diff shows, --fix writes")
        if "-" in paths and len(paths) > 1:
            raise UserError("standard input (-) cannot be audited together with other paths")
        self._options = options
        self._paths = paths or (".",)
        self._session = _Session(options)
        self._from_stdin = paths == ("-",)

    def run(self) -> int:
        """Audit, write, report; the exit status."""
        started = time.perf_counter()
        if self._options["show_settings"]:
            return self._show_settings()
        inputs, problems = self._inputs()
        if self._options["show_files"]:
            self._session.write("".join(f"{item.name}\n" for item in inputs))
            _show_problems(problems)
            return FAILED if problems else CLEAN
        results = self._results(inputs)
        if self._options["fix"] and not self._from_stdin:
            results = tuple(map(_written, results))
        problems += tuple(problem for result in results for problem in result.problems)
        self._report(results, problems)
        self._tell(f"audited {len(results)} files in {time.perf_counter() - started:.2f} s")
        self._tell(f"{sum(result.from_cache for result in results)} of them from the cache")
        return self._status(results, problems)

    def _show_settings(self) -> int:
        """The settings for the first path."""
        first = Path(os.path.abspath(self._options["stdin_filename"] or self._paths[0]))
        settings = self._session.resolver.settings(first if first.is_dir() else first.parent)
        names = [field.name for field in fields(settings)]
        rows = (f"{name.replace('_', '-')} = {_shown(getattr(settings, name))}\n" for name in names)
        self._session.write("".join(rows))
        return CLEAN

    def _inputs(self) -> tuple[tuple[Input, ...], tuple[Problem, ...]]:
        if self._from_stdin:
            from auditor.discovery import explicit

            item = explicit(
                Path(self._options["stdin_filename"] or "stdin.py"), self._session.resolver
            )
            return (item,) if item else (), ()
        inputs, problems = self._session.discover(self._paths)
        for origin in sorted({str(item.settings.origin or "defaults") for item in inputs}):
            self._tell(f"settings from {origin}")
        if not inputs and not problems and not self._options["quiet"]:
            _complain(f"warning: no Python files to audit in {', '.join(self._paths)}")
        return inputs, problems

    def _results(self, inputs: Sequence[Input]) -> tuple[Result, ...]:
        from auditor.engine import Request, audit_data, audit_files, collect_seldom

        request = Request(
            fix=self._options["fix"] or self._options["diff"],
            everything=self._options["everything"],
            cache_folder=None if self._from_stdin else self._cache_folder(),
        )
        collect_seldom()
        if self._from_stdin:
            data = sys.stdin.buffer.read()
            if not inputs and self._options["fix"]:
                _write_out(data)
            results = tuple(audit_data(data, item, request) for item in inputs)
            return tuple(self._passed_on(data, result) for result in results)
        progress = _Progress()
        try:
            return audit_files(inputs, request, progress)
        finally:
            progress.clear()

    def _passed_on(self, data: bytes, result: Result) -> Result:
        """Standard input, fixed as far as possible, goes to standard output."""
        if self._options["fix"]:
            _write_out(data if result.after is None else result.after)
        return result

    def _cache_folder(self) -> Path | None:
        if self._options["no_cache"]:
            return None
        settings = self._session.settings
        folder = settings.root / (settings.cache_dir or ".audit_cache")
        self._tell(f"cache in {folder}")
        return folder

    def _report(self, results: Sequence[Result], problems: Sequence[Problem]) -> None:
        if self._options["diff"]:
            self._report_diff(results)
            _show_problems(problems)
            return
        if self._from_stdin and self._options["fix"]:
            self._report_beside(results)
        elif self._session.format == "json":
            from auditor.report.json import document

            self._session.write(document(results, problems, self._options["statistics"]))
            return
        else:
            self._report_text(results)
        if not self._options["quiet"]:
            for caution in (c for result in results for c in result.cautions):
                place = f"{caution.path}:{caution.line}:{caution.column}"
                _complain(f"warning: {place}: {caution.message}")
        _show_problems(problems)

    def _report_beside(self, results: Sequence[Result]) -> None:
        """Findings on standard error: the fixed text has standard output."""
        from auditor.report.concise import concise
        from auditor.report.lines import plain

        _complain(plain(concise(results)).rstrip() or "Nothing left to report.")

    def _report_diff(self, results: Sequence[Result]) -> None:
        from auditor.report.diff import unified
        from auditor.report.summary import count

        self._session.write("".join(map(unified, results)))
        if not self._options["quiet"]:
            fixed = sum(len(result.fixed) for result in results)
            left = sum(len(result.reported) for result in results)
            rest = f", {left} without a fix that applies" if left else ""
            _complain(f"Would fix {count(fixed, 'finding')}{rest}.")

    def _report_text(self, results: Sequence[Result]) -> None:
        from auditor.report.concise import concise
        from auditor.report.summary import fixes, statistics, summary

        closing = [] if self._options["quiet"] else [summary(results, self._options["fix"])]
        if self._session.settings.show_fixes:
            closing = fixes(results) + closing
        if self._options["statistics"]:
            self._session.show([*statistics(results), *closing])
        elif self._session.format == "concise":
            self._session.show([*concise(results), *closing])
        else:
            self._report_full(results, closing)

    def _report_full(self, results: Sequence[Result], closing: list[Line]) -> None:
        from auditor.report.full import Page, full
        from auditor.report.lines import picture

        if self._session.format == "svg":
            title = f"audit {' '.join(self._paths)}"
            self._session.write(picture([*full(results, Page(width=100)), *closing], title))
        else:
            self._session.show([*full(results, self._session.page), *closing])

    def _status(self, results: Sequence[Result], problems: Sequence[Problem]) -> int:
        if problems:
            return FAILED
        shown = any(r.reported or (self._options["diff"] and r.fixed) for r in results)
        return FINDINGS if shown and not self._options["exit_zero"] else CLEAN

    def _tell(self, text: str) -> None:
        if self._options["verbose"]:
            _complain(text)


def _written(result: Result) -> Result:
    """The result after its fixed text is on disk; one that cannot be written has a problem."""
    from auditor.edits import write_atomically
    from auditor.verdict import Problem

    if result.after is None:
        return result
    try:
        write_atomically(Path(result.path), result.after, result.before)
    except OSError as error:
        problem = Problem(result.path, 1, 1, f"cannot be written: {error.strerror or error}")
        return replace(result, problems=(*result.problems, problem), fixed=(), after=None)
    return result


def _shown(value: Any) -> str:
    """A setting as TOML would have it."""
    import json

    if isinstance(value, Path) or value is None:
        return json.dumps(str(value) if value else "")
    return json.dumps(value)


class _Progress:
    """A bar on standard error, for scans that take a while on a terminal."""

    def __init__(self) -> None:
        self._shown = False
        self._next = time.monotonic() + 0.5
        self._enabled = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        if not self._enabled or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.1
        self._shown = True
        filled = 30 * done // total
        bar = "=" * filled + " " * (30 - filled)
        with contextlib.suppress(OSError):
            print(f"\r[{bar}] {done}/{total} files", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the bar away."""
        if self._shown:
            with contextlib.suppress(OSError):
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
