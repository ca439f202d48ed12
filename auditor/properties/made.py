"""What is read and was made by a call that has no notation here."""

from __future__ import annotations

import ast
from collections.abc import Collection

from auditor.lift.opaque import Given
from auditor.notation import Read
from auditor.properties.subject import Subject
from auditor.syntax import called_name


def made_by(subject: Subject, calls: Collection[str]) -> str | None:
    """Something that is read and that one of some calls made, as is then said of it."""
    for node in subject.terms:
        given = node.value.given if isinstance(node, Read) else None
        if isinstance(given, Given) and isinstance(given.node, ast.Call):
            if node.value.kind == "opaque" and called_name(given.node) in calls:  # type: ignore[attr-defined]
                return f"{node.value.name} is made by `{ast.unparse(given.node.func)}`"  # type: ignore[attr-defined]
    return None
