"""New code made shorter: what is bound to a name and read once is put where it is read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from auditor.syntax import tight

_READABLE = 70
"""How long an expression may get by putting another one inside it."""


def folded(
    introduced: list[str], lines: list[str], outputs: list[str]
) -> tuple[list[str], list[str]]:
    """Put sequences that are read once where they are read."""
    for name in reversed(introduced):
        (at,) = [p for p, line in enumerate(lines) if line.startswith(f"{name} = ")]
        word = re.compile(rf"\b{re.escape(name)}\b")
        reads = [p for p, line in enumerate(lines) if p != at and word.search(line)]
        uses = sum(len(word.findall(text)) for text in [*outputs, *(lines[p] for p in reads)])
        if uses == 0:
            del lines[at]
        elif uses == 1 and not reads:
            text = lines[at].partition(" = ")[2]
            (holder,) = [output for output in outputs if word.search(output)]
            alone = word.fullmatch(holder.partition(" = ")[2] or holder) is not None
            if set(re.findall(r"\w+", lines[at].partition(" = ")[2])) & bound_names(
                [*lines[at + 1 :], *outputs[: outputs.index(holder)]]
            ):
                continue
            if not alone and len(holder) + len(text) > _READABLE:
                continue
            del lines[at]
            text = text if alone else tight(text)
            outputs = [_put(word, text, output) for output in outputs]
    return lines, outputs


def bound_names(lines: Iterable[str]) -> set[str]:
    """The names that lines of code bind, but for those local to a function."""
    found: set[str] = set()
    for line in lines:
        if line.startswith(" "):
            continue
        targets, equals, _ = line.partition(" = ")
        if equals and re.fullmatch(r"[\w, ()]+", targets):
            found.update(re.findall(r"\w+", targets))
    return found


def _put(word: re.Pattern[str], text: str, where: str) -> str:
    """``text`` for each occurrence of ``word``."""
    return word.sub(lambda _: text, where)
