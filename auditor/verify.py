"""Runs a rewritten region against the original on generated inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.audit import Options


@dataclass(frozen=True)
class VerifyRow:
    """One rewrite run on one set of inputs, before and after; times in seconds, memory in bytes."""

    path: str
    line: int
    code: str
    scope: str
    inputs: str
    max_error: float | None
    tolerance: float | None
    time_before: float | None
    time_after: float | None
    memory_before: float | None
    memory_after: float | None
    ok: bool
    note: str


def verify_text(text: str, path: str, options: Options) -> list[VerifyRow]:
    """A row for each applicable rewrite of one file and each set of inputs."""
    return []
