"""The page of a rule: its parts, as ``audit explain`` shows them, and as Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol


class Example(Protocol):
    """A program before and after a rewrite."""

    @property
    def before(self) -> str: ...
    @property
    def after(self) -> str: ...
    @property
    def title(self) -> str: ...


class Refused(Protocol):
    """A program that a rewrite leaves alone, because of one condition."""

    @property
    def condition(self) -> str: ...
    @property
    def source(self) -> str: ...


class Rewrite(Protocol):
    """What a rule page shows of a rewrite."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def doc(self) -> str: ...
    @property
    def properties(self) -> tuple[str, ...]: ...
    @property
    def kernel(self) -> str | None: ...
    @property
    def becomes(self) -> str: ...
    @property
    def applicability(self) -> str: ...
    @property
    def examples(self) -> Sequence[Example]: ...
    @property
    def refused(self) -> Sequence[Refused]: ...


@dataclass(frozen=True)
class Part:
    """A piece of a page: paragraphs, a title, a fact or code, the last two with a label."""

    kind: Literal["text", "title", "fact", "code"]
    text: str
    label: str = ""


def parts(rewrite: Rewrite) -> Iterator[Part]:
    """Everything that a page says, in its order."""
    yield Part("text", rewrite.summary)
    yield Part("fact", rewrite.becomes or "-", "becomes")
    yield Part("fact", ", ".join(rewrite.properties) or "-", "needs")
    yield Part("fact", rewrite.applicability, "fix")
    yield Part("fact", rewrite.kernel or "-", "kernel")
    yield Part("title", "About")
    yield Part("text", textwrap.dedent(rewrite.doc).strip())
    for example in rewrite.examples:
        yield Part("title", f"Example: {example.title}")
        yield Part("code", _code(example.before), "before")
        yield Part("code", _code(example.after), "after")
    if rewrite.refused:
        yield Part("title", "Left alone")
        yield Part("text", "Programs that one condition forbids to rewrite, each by its name.")
    for refused in rewrite.refused:
        yield Part("code", _code(refused.source), refused.condition)


def _code(text: str) -> str:
    return textwrap.dedent(text).strip("\n")


def markdown(rewrite: Rewrite) -> str:
    """The page as a Markdown document."""
    lines = [f"# {rewrite.code} {rewrite.name}", ""]
    facts = False
    for part in parts(rewrite):
        if facts and part.kind != "fact":
            lines.append("")
        if part.kind == "fact":
            if not facts:
                lines += ["| | |", "|---|---|"]
            code = part.label in ("becomes", "kernel") and part.text != "-"
            lines.append(f"| {part.label} | {f'`{part.text}`' if code else part.text} |")
        elif part.kind == "title":
            lines += [f"## {part.text}", ""]
        elif part.kind == "code":
            lines += [f"{part.label}:", "", "```python", part.text, "```", ""]
        else:
            lines += [part.text, ""]
        facts = part.kind == "fact"
    return "\n".join(lines).rstrip() + "\n"


def table(rewrites: Sequence[Rewrite], folder: str) -> str:
    """The catalog as a Markdown table whose codes link to the pages in ``folder``."""
    lines = ["| code | finds | becomes | fix | needs |", "|---|---|---|---|---|"]
    for rewrite in sorted(rewrites, key=lambda entry: entry.code):
        link = f"[{rewrite.code} {rewrite.name}]({folder}/{rewrite.code}.md)"
        becomes = f"`{rewrite.becomes}`" if rewrite.becomes else "-"
        needs = ", ".join(rewrite.properties)
        cells = (link, rewrite.summary, becomes, rewrite.applicability, needs)
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines) + "\n"
