"""``audit check``: audit, write what is fixed, report."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.cli.screen import Progress, UserError, complain, read_in, show_problems, write_out
from auditor.cli.session import Session, is_stdin
from auditor.cli.status import CLEAN, FAILED, FINDINGS

if TYPE_CHECKING:
    from auditor.discovery import Input
    from auditor.engine import Result
    from auditor.report.lines import Line
    from auditor.verdict import Problem


class Check:
    """One run of ``audit check``."""

    def __init__(self, paths: tuple[str, ...], options: dict[str, Any]) -> None:
        if options["fix"] and options["diff"]:
            raise UserError("--fix and --diff exclude each other: --diff shows, --fix writes")
        self._options = options
        self._paths = paths or (".",)
        self._session = Session(options)
        self._from_stdin = is_stdin(paths)

    def run(self) -> int:
        """Audit, write, report; the exit status."""
        started = time.perf_counter()
        if self._options["show_settings"]:
            return self._show_settings()
        inputs, problems = self._inputs()
        if self._options["show_files"]:
            self._session.write("".join(f"{item.name}\n" for item in inputs))
            show_problems(problems)
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
            return self._session.stdin(), ()
        inputs, problems = self._session.discover(self._paths)
        for origin in sorted({str(item.settings.origin or "defaults") for item in inputs}):
            self._tell(f"settings from {origin}")
        if not inputs and not problems and not self._options["quiet"]:
            complain(f"warning: no Python files to audit in {', '.join(self._paths)}")
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
            data = read_in()
            if not inputs and self._options["fix"]:
                write_out(data)
            results = tuple(audit_data(data, item, request) for item in inputs)
            return tuple(self._passed_on(data, result) for result in results)
        progress = Progress()
        try:
            return audit_files(inputs, request, progress)
        finally:
            progress.clear()

    def _passed_on(self, data: bytes, result: Result) -> Result:
        """Standard input, fixed as far as possible, goes to standard output."""
        if self._options["fix"]:
            write_out(data if result.after is None else result.after)
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
            show_problems(problems)
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
                complain(f"warning: {place}: {caution.message}")
        show_problems(problems)

    def _report_beside(self, results: Sequence[Result]) -> None:
        """Findings on standard error: the fixed text has standard output."""
        from auditor.report.concise import concise
        from auditor.report.lines import plain

        left = plain(concise(results)).rstrip()
        if left or not any(result.problems for result in results):
            complain(left or "Nothing left to report.")

    def _report_diff(self, results: Sequence[Result]) -> None:
        from auditor.report.diff import unified
        from auditor.report.summary import count

        self._session.write("".join(map(unified, results)))
        if not self._options["quiet"]:
            fixed = sum(len(result.fixed) for result in results)
            left = sum(len(result.reported) for result in results)
            rest = f", {left} without a fix that applies" if left else ""
            complain(f"Would fix {count(fixed, 'finding')}{rest}.")

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
            complain(text)


def _written(result: Result) -> Result:
    """The result after its fixed text is on disk; one that cannot be written has a problem."""
    from auditor.verdict import Problem
    from auditor.writing.edits import write_atomically

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
