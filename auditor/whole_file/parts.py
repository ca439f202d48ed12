"""Modules that are parts of another, read in place of their calls.

``self.norm(x)`` runs the hooks of the part as well, and whatever was put in its place since the
constructor ran. A fix that rests on what the part's class says leaves both out.
"""

from __future__ import annotations

from dataclasses import replace

from auditor.lift import Lifted
from auditor.verdict import Finding


def doubted(findings: list[Finding], lifted: Lifted) -> list[Finding]:
    """The findings of a function; fixes that may rest on such a part are not safe."""
    return [_doubted(finding, lifted) for finding in findings]


def _doubted(finding: Finding, lifted: Lifted) -> Finding:
    if finding.fix is None or finding.fix.applicability != "safe":
        return finding
    parts = {f"`{name}`" for name, line in lifted.lifter.parts if line <= finding.span.end_line}
    if not parts:
        return finding
    doubt = f"hooks on {', '.join(sorted(parts))}, or other modules in their place, are left out"
    return replace(finding, fix=finding.fix.doubted(doubt))
