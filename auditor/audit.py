"""One file in, its report out: the analysis as the engine sees it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal

from auditor.verdict import FileReport


@dataclass(frozen=True)
class Options:
    """What the analysis is asked to do; ``everything`` fills ``FileReport.computations``."""

    target: str = "auto"
    numerics: Literal["exact", "reassociated"] = "reassociated"
    everything: bool = False
    kernels_allowed: bool | None = None


def audit_text(text: str, path: str, options: Options) -> FileReport:
    """Audit one file's text; raises SyntaxError where it is not Python."""
    ast.parse(text, path)
    return FileReport(path)
