"""The commands of ``audit`` and their options."""

from __future__ import annotations

import errno
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from auditor import __version__
from auditor.cli.checking import Check
from auditor.cli.screen import (
    Screen,
    UserError,
    complain,
    discard_output,
    read_in,
    show_problems,
)
from auditor.cli.session import Session, is_stdin
from auditor.cli.status import CLEAN, FAILED, FINDINGS, INTERRUPTED
from auditor.targets import DESCRIPTION, TARGETS

if TYPE_CHECKING:
    from auditor.discovery import Input
    from auditor.verdict import Problem

# What a shell sets when it asks how a command line goes on; click answers.
_COMPLETION = "_AUDIT_COMPLETE"

F = TypeVar("F", bound=Callable[..., Any])


# What writing to a full disk, or to one that fails, is answered with.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status."""
    from auditor.config import ConfigError
    from auditor.selection import UnknownRule

    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if not given and _COMPLETION not in os.environ:
            complain(audit.get_help(click.Context(audit, info_name="audit")))
            return FAILED
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the compiler says of a text, such as "\d"
            return int(audit.main(given, prog_name="audit", standalone_mode=False) or CLEAN)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "audit"
        complain(f"error: {error.format_message()} (see '{command} --help')")
    except (click.ClickException, ConfigError, UnknownRule, UserError) as error:
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        complain(f"error: {text}")
    except (click.Abort, KeyboardInterrupt):
        complain("interrupted")
        return INTERRUPTED
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _FULL:
            discard_output()
            complain(f"error: standard output: {error.strerror}")
            return FAILED
        complain(f"error: internal error, please report it:\n{traceback.format_exc().rstrip()}")
    return FAILED


class _PathsFirst(click.Group):
    """A first argument that is not exactly a command's name is given to ``check``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {*self.commands, "--help", "-h", "--version", "-V"}
        return super().parse_args(ctx, args if not args or args[0] in own else ["check", *args])


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
    _option(
        "--select",
        multiple=True,
        metavar="RULE",
        help="Report these rules alone, by code, prefix or name.",
    ),
    _option("--extend-select", multiple=True, metavar="RULE", help="Report these rules as well."),
    _option("--ignore", multiple=True, metavar="RULE", help="Leave out these rules."),
)
_FILES = _together(
    _option(
        "--per-file-ignores",
        multiple=True,
        metavar="PATTERN:RULE",
        help="Leave out RULE in files that match PATTERN.",
    ),
    _option("--exclude", multiple=True, metavar="PATTERN", help="Files and folders to leave out."),
    _option(
        "--extend-exclude",
        multiple=True,
        metavar="PATTERN",
        help="More files and folders to leave out.",
    ),
    _option(
        "--force-exclude",
        is_flag=True,
        default=None,
        help="Leave them out even when named as a path.",
    ),
    _option(
        "--respect-gitignore/--no-respect-gitignore",
        default=None,
        help="Leave out what git ignores (default).",
    ),
)
_CONFIG = _together(
    _option(
        "--config",
        multiple=True,
        metavar="KEY=VALUE|FILE",
        help="A setting, or a TOML file of settings.",
    ),
    _option("--isolated", is_flag=True, help="Read no configuration file."),
)


_STDIN_NAME = _option(
    "--stdin-filename", metavar="FILE", help="The name of standard input (path -)."
)


def _machine(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """A target by name, or the file that describes one by its full path."""
    if value is None or value in TARGETS:
        return value
    if not value.endswith(DESCRIPTION):
        choices = ", ".join(map(repr, TARGETS))
        raise click.BadParameter(f"{value!r} is none of {choices} and no {DESCRIPTION} file.")
    return str(Path(value).absolute())


_JUDGEMENT = _together(
    _option(
        "--target",
        callback=_machine,
        metavar=f"[{'|'.join(TARGETS)}|FILE.toml]",
        help="The device that profit is judged for, or a file of audit calibrate.",
    ),
    _option(
        "--numerics",
        type=click.Choice(["exact", "reassociated"]),
        help="What a fix may do to rounding (default: reassociated).",
    ),
)
_OUTPUT = _together(
    _option("--output-file", "-o", metavar="FILE", help="Write the report to FILE."),
    _option("--quiet", "-q", is_flag=True, help="Print findings and errors only."),
    _option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        help="Whether to colour the report (default: auto).",
    ),
)


def _format(*choices: str) -> Callable[[F], F]:
    return _option(
        "--output-format",
        type=click.Choice(choices),
        help="The form of the report (default: full).",
    )


@audit.command()
@click.argument("paths", nargs=-1, type=click.Path())
@_option("--fix", is_flag=True, help="Apply the safe rewrites in place.")
@_option("--unsafe-fixes", is_flag=True, default=None, help="Include rewrites marked unsafe.")
@_option("--diff", is_flag=True, help="Show what --fix would change; write nothing.")
@_option("--show-fixes", is_flag=True, default=None, help="List what --fix changed.")
@_option(
    "--all", "everything", is_flag=True, help="Also list what was analysed and has no rewrite."
)
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
@_STDIN_NAME
@_option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings.")
@_option("--show-settings", is_flag=True, help="Print the settings in force.")
@_option("--show-files", is_flag=True, help="Print the files that would be audited.")
def check(paths: tuple[str, ...], **options: Any) -> int:
    """Scan files and folders (default: the current one); report, or fix."""
    return Check(paths, options).run()


@audit.command()
@click.argument("paths", nargs=-1, type=click.Path())
@_RULES
@_FILES
@_JUDGEMENT
@_format("full", "json")
@_OUTPUT
@_CONFIG
@_STDIN_NAME
@_option("--exit-zero", is_flag=True, help="Exit with 0 even if a rewrite disagrees.")
def verify(paths: tuple[str, ...], **options: Any) -> int:
    """Run each rewrite against the original, on inputs that the file makes or generated ones.

    This runs code of the files.
    """
    from auditor.report import verification

    session = Session(options)
    data = read_in() if is_stdin(paths) else None
    inputs, problems = session.discover(paths or (".",)) if data is None else (session.stdin(), ())
    rows: list[Any] = []
    for item in inputs:
        if not options["quiet"]:
            complain(f"running the rewritten code of {item.name}")
        found, failed = _verify_file(item, data)
        rows += found
        problems += failed
    if session.format == "json":
        session.write(verification.document(rows, problems))
    else:
        session.show([*verification.table(rows), verification.verdict(rows)])
        show_problems(problems)
    if problems:
        return FAILED
    return CLEAN if options["exit_zero"] or all(row.ok for row in rows) else FINDINGS


def _verify_file(item: Input, data: bytes | None) -> tuple[tuple[Any, ...], tuple[Problem, ...]]:
    from auditor.engine import verify_file

    return verify_file(item, data)


@audit.command()
@click.argument("code")
@_format("full", "json", "markdown")
@_OUTPUT
def explain(code: str, **options: Any) -> int:
    """Print what a rule finds, why it is legal and when it pays, with examples."""
    from auditor.engine import rules
    from auditor.report import rules as pages
    from auditor.report.pages import markdown
    from auditor.rewrites import CATALOG
    from auditor.selection import find_rule

    rule = find_rule(code, rules())
    rewrite = next(entry for entry in CATALOG if entry.code == rule.code)
    session = Session(options)
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
    """List every rewrite: code, name, what --fix may do, the properties it needs, kernel."""
    from auditor.report import rules as pages
    from auditor.rewrites import CATALOG
    from auditor.selection import Rule, enabled

    session = Session(options)
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
    help="Write the loop as a module for this engine instead of explaining it.",
)
@_option("--output-file", "-o", metavar="FILE", help="Write it to FILE.")
def derive(place: str, target: str | None, output_file: str | None) -> int:
    """Print the monoid of the loop at PATH:LINE: state, identity, combine, finish and the proof.

    With --to, a module that runs the loop on parts of its data. Exit status 1 if there is none.
    """
    path, text, line = _loop_place(place)

    from auditor.derive.found import Nothing, derive_at
    from auditor.derive.places import NoLoop
    from auditor.derive.program import program
    from auditor.derive.told import account, refusal
    from auditor.source import not_python

    try:
        found = derive_at(text, line)
    except NoLoop as error:
        raise UserError(f"{path}: {error}") from error
    except SyntaxError as error:
        raise UserError(f"{path}:{error.lineno or 1}: {not_python(error)}") from error
    screen = Screen("never", output_file)
    if isinstance(found, Nothing):
        told = refusal(found, text, path, line)
        if target is None:
            screen.write(told)
        else:
            complain(told.rstrip())
        return FINDINGS
    screen.write(account(found, text, path) if target is None else program(found, path, target))
    return CLEAN


@audit.command()
@_option("--output-file", "-o", metavar="FILE", help="Write it to FILE, for --target.")
def calibrate(output_file: str | None) -> int:
    """Measure this machine's rates, in some ten seconds, as a description for --target."""
    from auditor.cost.calibrate import calibrate as measure
    from auditor.cost.calibrate import described

    Screen("never", output_file).write(described(measure()))
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
