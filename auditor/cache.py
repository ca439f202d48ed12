"""Reports of files that have not changed since, kept as JSON.

An entry is named by a hash of the file's text, its name, the options and the auditor itself; an
entry that cannot be read is no entry. JSON, not pickle: a cache folder may come with a repository,
and reading it must not run anything.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import re
import shutil
import sys
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor import __version__
from auditor.notation import Span
from auditor.targets import DESCRIPTION
from auditor.verdict import Cost, Edit, FileReport, Finding, Fix, Profit, Verdict

if TYPE_CHECKING:
    from auditor.audit import Options


class Cache:
    """The reports kept in one folder; a folder that cannot be written keeps nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / fingerprint()

    def prepare(self) -> None:
        """Make the folder, and drop what other versions left in it. Anything else in it is the
        user's: any folder can be named as the place of the cache."""
        with contextlib.suppress(OSError):
            top = self._folder.parent
            if not top.exists():
                top.mkdir(parents=True, exist_ok=True)
                (top / ".gitignore").write_text("*\n", encoding="utf-8")
            for old in top.iterdir():
                if _OWN.fullmatch(old.name) and old != self._folder:
                    shutil.rmtree(old, ignore_errors=True)
            self._folder.mkdir(exist_ok=True)

    def load(self, text: str, path: str, options: Options) -> FileReport | None:
        """The report of this very text, if it is there."""
        entry = self._entry(text, path, options)
        try:
            return _report(path, json.loads(entry.read_bytes()))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def store(self, text: str, options: Options, report: FileReport) -> None:
        """Keep a report; one with problems is made anew each time."""
        if report.problems:
            return
        entry = self._entry(text, report.path, options)
        temporary = entry.with_suffix(f".{os.getpid()}")
        data = json.dumps(asdict(report), separators=(",", ":"))
        with contextlib.suppress(OSError):
            temporary.write_text(data, encoding="utf-8")
            os.replace(temporary, entry)

    def _entry(self, text: str, path: str, options: Options) -> Path:
        parts = (path, repr(options), _described(options.target), text)
        content = "\0".join(parts).encode("utf-8", "surrogatepass")
        return self._folder / f"{hashlib.sha256(content).hexdigest()}.json"


_OWN = re.compile(r"\d[\w.+]*-[0-9a-f]{16}")
"""Names as ``fingerprint`` makes them."""


@cache
def _described(target: str) -> str:
    """What the file says that describes a machine; nothing for those known by name."""
    if not target.endswith(DESCRIPTION):
        return ""
    return Path(target).read_text(encoding="utf-8")


@cache
def fingerprint() -> str:
    """The version of the auditor and of Python, and the state of the auditor's own files: in a
    checkout these change without the version changing."""
    state = hashlib.sha256(repr(sys.version_info).encode())
    for package in ("auditor", "auditor.rewrites", "auditor.kernels"):
        # Found, not imported: the kernels need torch, and the audit reads only their text.
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            for path in sorted(Path(folder).rglob("*.*")):
                if path.suffix not in (".py", ".toml"):
                    continue
                status = path.stat()
                state.update(f"{path.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return f"{__version__}-{state.hexdigest()[:16]}"


def _report(path: str, data: dict[str, Any]) -> FileReport:
    findings, computations = (
        tuple(_finding(entry) for entry in data[key]) for key in ("findings", "computations")
    )
    return FileReport(path, findings, computations)


def _finding(data: dict[str, Any]) -> Finding:
    parts = {
        "span": Span(**data["span"]),
        "properties": {name: Verdict(**verdict) for name, verdict in data["properties"].items()},
        "fix": _fix(data["fix"]) if data["fix"] else None,
        "profit": _profit(data["profit"]) if data["profit"] else None,
        "alternatives": tuple(_finding(entry) for entry in data["alternatives"]),
    }
    return Finding(**{**data, **parts})


def _profit(data: dict[str, Any]) -> Profit:
    costs = {side: Cost(**data[side]) if data[side] else None for side in ("before", "after")}
    return Profit(**{**data, **costs})


def _fix(data: dict[str, Any]) -> Fix:
    parts = {
        "edits": tuple(Edit(Span(**e["span"]), e["content"]) for e in data["edits"]),
        "imports": tuple((module, name) for module, name in data["imports"]),
    }
    return Fix(**{**data, **parts})
