"""Styled text, and the ways to put it on a screen: plain, with terminal colours, or as a picture.

A line is a sequence of segments, each a text with the name of its style, so that one renderer
serves a terminal, a file and a README.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Literal

from auditor.verdict import Finding

Style = Literal["plain", "strong", "place", "code", "good", "fair", "bad", "dim", "title"]
Segment = tuple[str, Style]
Line = tuple[Segment, ...]

_ANSI: dict[Style, str] = {
    "strong": "1",
    "place": "1;36",
    "code": "1;35",
    "good": "32",
    "fair": "33",
    "bad": "31",
    "dim": "2",
    "title": "1;34",
}

_COLOURS: dict[Style, str] = {
    "plain": "#d8dee9",
    "strong": "#ffffff",
    "place": "#88c0d0",
    "code": "#d787d7",
    "good": "#8fca78",
    "fair": "#ebcb8b",
    "bad": "#e06c75",
    "dim": "#7d879a",
    "title": "#81a1f1",
}

_BOLD = ("strong", "place", "code", "title")


def line(*segments: str | Segment) -> Line:
    """A line from segments; a bare string is plain."""
    return tuple((part, "plain") if isinstance(part, str) else part for part in segments)


def plain(lines: Iterable[Line]) -> str:
    """The text alone."""
    return "".join("".join(text for text, _ in entry).rstrip() + "\n" for entry in lines)


def coloured(lines: Iterable[Line]) -> str:
    """The text with terminal escapes."""
    return "".join("".join(map(_escaped, entry)) + "\n" for entry in lines)


def _escaped(segment: Segment) -> str:
    text, style = segment
    return f"\x1b[{_ANSI[style]}m{text}\x1b[0m" if style in _ANSI and text.strip() else text


def picture(lines: Sequence[Line], title: str) -> str:
    """The text as an SVG image of a terminal, the same for the same lines."""
    advance, height, margin = 8.4, 19, 18
    columns = max((sum(len(text) for text, _ in entry) for entry in lines), default=1)
    width = round(columns * advance) + 2 * margin
    top = 3 * margin
    total = top + height * len(lines) + margin // 2
    body = []
    for number, entry in enumerate(lines):
        column = 0
        for text, style in entry:
            if text.strip():
                x, y = margin + column * advance, top + number * height
                body.append(_svg_text(text, style, x, y, len(text) * advance))
            column += len(text)
    dots = "".join(
        f'<circle cx="{margin + 4 + 18 * n}" cy="20" r="5.5" fill="{colour}"/>'
        for n, colour in enumerate(("#e06c75", "#ebcb8b", "#8fca78"))
    )
    heading = (
        f'<text x="{width / 2:g}" y="25" fill="{_COLOURS["dim"]}" text-anchor="middle">'
        f"{escape(title)}</text>"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {total}" '
        f'width="{width}" height="{total}" font-size="14" '
        'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace">\n'
        f'<rect width="{width}" height="{total}" rx="9" fill="#20242e"/>\n'
        f"{dots}\n{heading}\n" + "\n".join(body) + "\n</svg>\n"
    )


def _svg_text(text: str, style: Style, x: float, y: float, length: float) -> str:
    lead = len(text) - len(text.lstrip())
    bare = text.strip()
    x += lead * length / len(text)
    weight = ' font-weight="bold"' if style in _BOLD else ""
    # A fixed length keeps columns aligned whatever font the viewer has.
    return (
        f'<text x="{x:.1f}" y="{y:g}" fill="{_COLOURS[style]}"{weight} xml:space="preserve" '
        f'textLength="{length * len(bare) / len(text):.1f}" lengthAdjust="spacingAndGlyphs">'
        f"{escape(bare)}</text>"
    )


def told(finding: Finding) -> str:
    """What a finding says, its commands with the file's path in them."""
    return finding.message.replace("PATH:", f"{finding.path}:")


def columns(cells: Iterable[str], widths: Iterable[int]) -> str:
    """One line of a table."""
    pairs = zip(cells, widths, strict=True)
    return "  ".join(f"{cell:<{width}}" for cell, width in pairs).rstrip()
