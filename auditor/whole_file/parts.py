"""Modules that are parts of another, read in place of their calls.

``self.norm(x)`` runs the hooks of the part as well, and whatever was put in its place since the
constructor ran. A fix that rests on what the part's class says leaves both out; one that is made
all the same where the part is only called rests on nothing that it says.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from auditor.lift import Contradiction, Lifted, TooLarge
from auditor.notation import Span
from auditor.verdict import Edit, Finding

Sealed = Callable[[tuple[str, ...]], list[Finding]]
"""The findings of some codes where parts are called and not read."""


def doubted(findings: list[Finding], lifted: Lifted, sealed: Sealed) -> list[Finding]:
    """The findings of a function; fixes that may rest on such a part are not safe."""
    resting = [one for one in findings if _safe(one) and _parts(one, lifted)]
    if not resting:
        return findings
    without: list[Finding] = []
    with suppress(Contradiction, TooLarge):
        without = sealed(tuple(sorted({one.code for one in resting if one.code is not None})))
    twins = {_what(one): one for one in without if _safe(one)}
    return [
        twins.get(_what(one), _doubted(one, lifted)) if one in resting else one for one in findings
    ]


def _what(finding: Finding) -> tuple[str | None, Span, tuple[Edit, ...]]:
    """What is found where, and what becomes of it."""
    return finding.code, finding.span, finding.fix.edits if finding.fix is not None else ()


def _safe(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.applicability == "safe"


def _parts(finding: Finding, lifted: Lifted) -> list[str]:
    """The parts that are read before the end of a finding."""
    named = {name for name, line in lifted.lifter.parts if line <= finding.span.end_line}
    return sorted(f"`{name}`" for name in named)


def _doubted(finding: Finding, lifted: Lifted) -> Finding:
    parts = ", ".join(_parts(finding, lifted))
    assert finding.fix is not None
    doubt = f"hooks on {parts}, or other modules in their place, are left out"
    return replace(finding, fix=finding.fix.doubted(doubt))
