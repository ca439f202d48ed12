"""Lines that fit: a replacement is broken where formatters of the Black style would break it."""

from __future__ import annotations

WIDTH = 88


def width_of(lines: list[str]) -> int:
    """The line length that a file keeps to: the usual one, or its own longest line."""
    longest = max((len(line.rstrip()) for line in lines), default=0)
    return WIDTH if longest <= WIDTH else min(longest, 120)


def fit(prefix: str, text: str, suffix: str, indent: str, width: int) -> str:
    """``text`` between ``prefix`` and ``suffix``, broken in its last brackets when the line is too
    long. Texts without brackets at their end are put in parentheses."""
    if len(prefix) + len(text) + len(suffix) <= width or "\n" in text:
        return text
    at = _last_bracket(text)
    if at is None or len(prefix) + at + 1 > width:
        bracketed = not prefix.rstrip().endswith(("=", "return"))
        if bracketed or at == 0:
            return text
        return f"(\n{indent}    {text}\n{indent})"
    head, inner = text[: at + 1], text[at + 1 : -1]
    deeper = f"{indent}    "
    if len(deeper) + len(inner) <= width:
        return f"{head}\n{deeper}{inner}\n{indent}{text[-1]}"
    parts = _split(inner)
    body = "".join(f"{deeper}{fit(deeper, part, ',', deeper, width)},\n" for part in parts)
    return f"{head}\n{body}{indent}{text[-1]}"


def fit_line(line: str, indent: str, width: int) -> str:
    """A whole statement, its expression broken when too long."""
    for mark in (" = ", "return "):
        at = line.find(mark)
        if at >= 0 and "(" not in line[:at]:
            cut = at + len(mark)
            return line[:cut] + fit(indent + line[:cut], line[cut:], "", indent, width)
    return line


def _last_bracket(text: str) -> int | None:
    """Where the bracket opens that closes at the very end."""
    if not text.endswith((")", "]")):
        return None
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        if text[position] in ")]}":
            depth += 1
        elif text[position] in "([{":
            depth -= 1
            if depth == 0:
                return position
    return None


def _split(inner: str) -> list[str]:
    """Arguments at the top level."""
    parts, depth, start = [], 0, 0
    for position, letter in enumerate(inner):
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(inner[start:position].strip())
            start = position + 1
    parts.append(inner[start:].strip())
    return [part for part in parts if part]
