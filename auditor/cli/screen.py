"""Where output goes: standard output or the file that stands in for it, and standard error."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.report.lines import Line
    from auditor.verdict import Problem


class UserError(Exception):
    """Something the user can put right: one line, saying what, where and what to do."""


def complain(text: str) -> None:
    """A line on standard error, which may be closed."""
    with contextlib.suppress(OSError, ValueError):
        print(text.encode("utf-8", "backslashreplace").decode(), file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Screen:
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
        write_out(text.encode(self._encoding(), "surrogateescape" if utf8 else "backslashreplace"))

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


def read_in() -> bytes:
    """All of standard input."""
    if sys.stdin is None:
        raise UserError("standard input (-) is closed")
    return sys.stdin.buffer.read()


def write_out(data: bytes) -> None:
    if sys.stdout is None:
        raise UserError("standard output is closed; --output-file FILE writes the report to a file")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        discard_output()


def discard_output() -> None:
    """Python flushes standard output once more at exit; let that go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show_problems(problems: Iterable[Problem]) -> None:
    for problem in problems:
        place = f"{problem.path}:{problem.line}:{problem.column}"
        complain(f"error: {place}: {problem.message}")


class Progress:
    """A bar on standard error, for scans that take a while on a terminal."""

    def __init__(self) -> None:
        self._shown = False
        self._next = time.monotonic() + 0.5
        self._enabled = sys.stderr is not None and sys.stderr.isatty()

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
