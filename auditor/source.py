"""Source files: the text exactly as it is on disk, and places in it."""

from __future__ import annotations

import bisect
import codecs
import io
import sys
import tokenize
from dataclasses import dataclass
from functools import lru_cache

from auditor.notation import Span


class Undecodable(ValueError):
    """Bytes that are not text in the encoding the file declares."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def not_python(error: SyntaxError) -> str:
    """What is wrong with a text, and by which Python's rules: files are read as the interpreter
    that runs the audit reads them, and a later one may know more syntax."""
    version = ".".join(map(str, sys.version_info[:2]))
    return f"syntax error: {error.msg} (read as Python {version})"


@dataclass(frozen=True)
class Source:
    """A file's text, its line endings untouched, a byte order mark left to the encoding."""

    path: str
    data: bytes
    text: str
    encoding: str

    @property
    def reproducible(self) -> bool:
        """Whether encoding the text gives the file's bytes back; an edit needs that."""
        return self.encode(self.text) == self.data

    def encode(self, text: str) -> bytes:
        """``text`` in the encoding of this file, with its byte order mark."""
        return text.encode(self.encoding)


def decode(data: bytes, path: str) -> Source:
    """The text of a Python file, by its byte order mark and its encoding cookie."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(unify_newlines(data)).readline)
    except SyntaxError as error:
        # Either an encoding nobody knows, or no declaration and bytes that are not UTF-8.
        _strictly(data, "utf-8")
        raise Undecodable(error.msg or "unknown encoding", 1) from error
    if (null := data.find(b"\0")) >= 0:
        line = unify_newlines(data[:null]).count(b"\n") + 1
        raise Undecodable("a Python file cannot contain null bytes", line)
    return Source(path, data, _strictly(data, encoding), encoding)


def _strictly(data: bytes, encoding: str) -> str:
    try:
        return codecs.decode(data, encoding)
    except UnicodeDecodeError as error:
        line = unify_newlines(data[: error.start]).count(b"\n") + 1
        raise Undecodable(f"not {encoding} text: {error.reason}", line) from error


def unify_newlines(data: bytes) -> bytes:
    """``data`` with every line ending as a line feed."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def split_lines(text: str) -> list[str]:
    """The lines of a Python text, each with its own ending. (``str.splitlines`` would also split at
    form feeds and U+2028, which end no line for Python.)"""
    return io.StringIO(text, newline="").readlines()


class Places:
    """Turns lines and columns (from 1, in characters) into offsets of one text, and back."""

    def __init__(self, text: str) -> None:
        self.lines = split_lines(text)
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line))

    def offset(self, line: int, column: int) -> int | None:
        """The offset of a place, or None where the text has no such place. The line after the
        last one has one place, the end of the text."""
        if line == len(self._starts) and column == 1:
            return self._starts[-1]
        if not 1 <= line <= len(self.lines) or column < 1:
            return None
        content = self.lines[line - 1].rstrip("\r\n")
        return self._starts[line - 1] + column - 1 if column <= len(content) + 1 else None

    def range(self, span: Span) -> tuple[int, int] | None:
        """Start and end offset of ``span``, or None where it is not a span of this text."""
        start = self.offset(span.line, span.column)
        end = self.offset(span.end_line, span.end_column)
        return None if start is None or end is None or end < start else (start, end)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = bisect.bisect_right(self._starts, offset)
        if line > len(self.lines) and self.lines and not self.lines[-1].endswith(("\r", "\n")):
            line = len(self.lines)
        return line, offset - self._starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span between two offsets."""
        return Span(*self.place(start), *self.place(end))

    def newline(self, line: int) -> str:
        """The line ending in use at ``line``: its own, else the first one of the text."""
        for text in (*self.lines[line - 1 : line], *self.lines[:1]):
            if ending := text[len(text.rstrip("\r\n")) :]:
                return ending
        return "\n"


@lru_cache(maxsize=8)
def places(text: str) -> Places:
    """The places of a text, kept while it is worked on: each finding of a file asks for them."""
    return Places(text)
