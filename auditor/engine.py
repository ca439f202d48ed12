"""The order of the stages, over one file and over many.

Each file is read, audited, filtered by selection and suppressions, and (when asked) fixed until
nothing changes. Whatever goes wrong with a file stays with that file: it becomes a ``Problem`` in
its result. Nothing here prints or writes; a fixed file is handed back as bytes.
"""

from __future__ import annotations

import ast
import gc
import multiprocessing
import os
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from auditor.cache import Cache
from auditor.config import Settings, kernels_allowed
from auditor.discovery import Input, covers
from auditor.notation import Span
from auditor.selection import Rule, enabled
from auditor.source import Source, Undecodable, decode, not_python
from auditor.suppression import Caution, directives, idle_warnings, silence
from auditor.verdict import Edit, FileReport, Finding, Problem

if TYPE_CHECKING:
    from auditor.audit import Options
    from auditor.verify.verification import VerifyRow

T = TypeVar("T")

ROUNDS = 10
POOL_FROM = 50

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Request:
    """What is asked of every file; ``fix`` carries fixes out, ``cache_folder`` None keeps none."""

    fix: bool = False
    everything: bool = False
    cache_folder: Path | None = None


@dataclass(frozen=True)
class Reported:
    """A finding as it is shown: the complete edits of its fix, imports among them, and why
    ``--fix`` leaves it alone (None where it would be applied)."""

    finding: Finding
    edits: tuple[Edit, ...] = ()
    blocked: str | None = None


@dataclass(frozen=True)
class Result:
    """All there is to say about one file. ``text`` is what the findings' places refer to;
    ``before`` and ``after`` are the file's bytes where fixes changed it."""

    path: str
    text: str = ""
    reported: tuple[Reported, ...] = ()
    computations: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    cautions: tuple[Caution, ...] = ()
    fixed: tuple[Finding, ...] = ()
    before: bytes = b""
    after: bytes | None = None
    from_cache: bool = False


def rules() -> tuple[Rule, ...]:
    """Every rule of the catalog."""
    from auditor import rewrites

    return tuple(Rule(rewrite.code, rewrite.name) for rewrite in rewrites.CATALOG)


def audit_files(
    inputs: Sequence[Input], request: Request, progress: Progress | None = None
) -> tuple[Result, ...]:
    """A result for each input, in their order."""
    if request.cache_folder is not None:
        Cache(request.cache_folder).prepare()
    workers = min(_processors(), len(inputs) // (POOL_FROM // 2))
    if len(inputs) > POOL_FROM and workers > 1:
        return _audit_in_processes(inputs, request, workers, progress)
    results = []
    for number, item in enumerate(inputs, 1):
        results.append(audit_file(item, request))
        if progress:
            progress(number, len(inputs))
    return tuple(results)


def _processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _audit_in_processes(
    inputs: Sequence[Input], request: Request, workers: int, progress: Progress | None
) -> tuple[Result, ...]:
    from auditor import audit, rewrites  # noqa: F401 - once, not in every process

    done: dict[int, Result] = {}
    # The largest first, so that no process is left with one at the end.
    order = sorted(range(len(inputs)), key=lambda n: _size(inputs[n]), reverse=True)
    with ProcessPoolExecutor(workers, initializer=collect_seldom) as pool:
        waiting: dict[Future[Result], int] = {
            pool.submit(_audit_in_turn, inputs[n], request): n for n in order
        }
        try:
            for future in as_completed(waiting):
                done[waiting[future]] = future.result()
                if progress:
                    progress(len(done), len(inputs))
        except BrokenProcessPool:
            pass
        except BaseException:
            # Leaving the pool waits for its processes, and one of them may be busy for long.
            for child in multiprocessing.active_children():
                child.terminate()
            raise
    for number, item in enumerate(inputs):
        if number not in done:
            # Some file took its process down (its nesting overflowed the C stack, say).
            done[number] = _audit_apart(item, request)
    return tuple(done[number] for number in range(len(inputs)))


def collect_seldom() -> None:
    """Look for garbage less often, and not in what is imported: what an audit makes lives as long
    as its file, and looking through it again and again would take a tenth of the time."""
    gc.freeze()
    gc.set_threshold(_GARBAGE, 100, 100)


_GARBAGE = 3_000_000
"""Objects after which garbage is looked for: some 300 MB of them. Most of what an audit makes is
gone with the last reference to it (``Lifted.release``)."""


def _audit_in_turn(item: Input, request: Request) -> Result:
    """The result of one file of many. Garbage is looked for between files, where hardly anything
    is alive; what is, is kept for others, and never looked through again."""
    result = audit_file(item, request)
    if gc.get_count()[0] > _GARBAGE:
        gc.collect()
        gc.freeze()
    return result


def _size(item: Input) -> int:
    try:
        return item.path.stat().st_size
    except OSError:
        return 0


def _audit_apart(item: Input, request: Request) -> Result:
    """The result of one file, audited in a process of its own that may die."""
    try:
        with ProcessPoolExecutor(1) as pool:
            return pool.submit(audit_file, item, request).result()
    except BrokenProcessPool:
        problem = Problem(item.name, 1, 1, "internal error: auditing it ended the process")
        return Result(item.name, problems=(problem,))


def audit_file(item: Input, request: Request) -> Result:
    """The result of one file on disk."""
    data = _bounded(item.name, item.path.read_bytes)
    if isinstance(data, Problem):
        return Result(item.name, problems=(data,))
    return audit_data(data, item, request)


def audit_data(data: bytes, item: Input, request: Request) -> Result:
    """The result of a file's bytes."""
    outcome = _bounded(item.name, lambda: _audit_source(decode(data, item.name), item, request))
    return Result(item.name, problems=(outcome,)) if isinstance(outcome, Problem) else outcome


def verify_file(
    item: Input, data: bytes | None = None
) -> tuple[tuple[VerifyRow, ...], tuple[Problem, ...]]:
    """What running the rewrites of one file measured; the only stage that runs code. ``data`` is
    what it holds, where that is not on disk."""
    outcome = _bounded(item.name, lambda: _verify(item, data))
    return ((), (outcome,)) if isinstance(outcome, Problem) else (outcome, ())


def _verify(item: Input, data: bytes | None) -> tuple[VerifyRow, ...]:
    from auditor.verify.verification import verify_text

    text = decode(item.path.read_bytes() if data is None else data, item.name).text
    select, ignore, found = item.settings.selected, ignored_in(item), directives(text)
    names = {rule.code: rule for rule in rules()}

    def wanted(row: VerifyRow) -> bool:
        rule = names.get(row.code, Rule(row.code, ""))
        silenced = any(directive.silences(row.line, rule) for directive in found)
        return enabled(rule, select, ignore) and not silenced

    return tuple(filter(wanted, verify_text(text, item.name, options_for(item))))


def _bounded(name: str, work: Callable[[], T]) -> T | Problem:
    """The one place where errors of a file become problems. What the compiler warns of in its text,
    or NumPy at sampled numbers, is not said, in no process."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return work()
    except OSError as error:
        return Problem(name, 1, 1, f"cannot be read: {error.strerror or error}")
    except Undecodable as error:
        return Problem(name, error.line, 1, str(error))
    except SyntaxError as error:
        place = max(error.lineno or 1, 1), max(error.offset or 1, 1)
        return Problem(name, *place, not_python(error))
    except (RecursionError, MemoryError):
        return Problem(name, 1, 1, "nested too deeply to be audited")
    except ModuleNotFoundError as error:
        if error.name not in ("torch", "triton"):
            return _bug(name)
        need = f"running it needs {error.name}: pip install 'property-auditor[kernels]'"
        return Problem(name, 1, 1, need)
    except Exception:
        return _bug(name)


def _bug(name: str) -> Problem:
    lines = traceback.format_exc().rstrip()
    return Problem(name, 1, 1, f"internal error, please report it:\n{lines}")


class _Analysis:
    """Audits texts of one file under its settings."""

    def __init__(self, item: Input, request: Request) -> None:
        self._name = item.name
        self._cache = Cache(request.cache_folder) if request.cache_folder else None
        self._options = options_for(item, request.everything)
        self.hits = 0

    def report(self, text: str) -> FileReport:
        """What the analysis says about a text, from the cache if it is there."""
        from auditor import audit

        if self._cache and (kept := self._cache.load(text, self._name, self._options)):
            self.hits += 1
            return kept
        fresh = audit.audit_text(text, self._name, self._options)
        if self._cache:
            self._cache.store(text, self._options, fresh)
        return fresh


def options_for(item: Input, everything: bool = False) -> Options:
    """The analysis' options under a file's settings."""
    from auditor.audit import Options

    settings = item.settings
    allowed = settings.kernels
    if allowed is None:
        allowed = kernels_allowed(Path(os.path.abspath(item.path)).parent)
    return Options(settings.target, settings.numerics, everything, allowed)


def _audit_source(source: Source, item: Input, request: Request) -> Result:
    analysis = _Analysis(item, request)
    repair = _Repair(source.text)
    if request.fix:
        repair = _fixpoint(source, item, analysis)
    report = analysis.report(repair.text)
    findings, idle = _visible(repair.text, report, item)
    after = source.encode(repair.text) if repair.text != source.text else None
    return Result(
        path=item.name,
        text=repair.text if findings or report.computations else "",
        reported=_settle(repair.text, findings, item, repair.refused),
        computations=report.computations,
        problems=report.problems,
        cautions=repair.cautions + idle,
        fixed=repair.fixed,
        before=source.data if after is not None else b"",
        after=after,
        from_cache=analysis.hits > 0,
    )


def _visible(
    text: str, report: FileReport, item: Input
) -> tuple[tuple[Finding, ...], tuple[Caution, ...]]:
    """The findings that selection and directives leave, in the order of the text."""
    select, ignore = item.settings.selected, ignored_in(item)
    asked = (_asked(f, select, ignore) for f in report.findings)
    chosen = [finding for finding in asked if finding is not None]
    chosen.sort(key=lambda f: (f.span, f.code or ""))
    found = directives(text)
    if not found:
        return tuple(chosen), ()
    kept, idle = silence(chosen, found)
    return kept, idle_warnings(report.path, idle, rules(), select, ignore)


def _asked(finding: Finding, select: Sequence[str], ignore: Sequence[str]) -> Finding | None:
    """The finding with the first of its fixes whose rule is on, and the others."""
    every = (finding, *finding.alternatives)
    ways = [f for f in every if enabled(Rule(f.code or "", f.rewrite or ""), select, ignore)]
    return replace(ways[0], alternatives=tuple(ways[1:])) if ways else None


def ignored_in(item: Input) -> tuple[str, ...]:
    """The selectors that are off for a file."""
    settings, path = item.settings, Path(os.path.abspath(item.path))
    extra = (
        selector
        for pattern, selectors in settings.per_file_ignores
        if covers(path, settings.root, (pattern,))
        for selector in selectors
    )
    return (*settings.ignore, *extra)


def obstacle(finding: Finding, settings: Settings) -> str | None:
    """Why ``--fix`` leaves a finding alone under these settings."""
    fix = finding.fix
    if fix is None:
        return "advice only, there is no automatic fix"
    if fix.applicability == "unsafe" and not settings.unsafe_fixes:
        return "unsafe, applied with --unsafe-fixes"
    if settings.numerics == "exact" and fix.numerics != "exact":
        return f"its result is {fix.numerics}, not applied under --numerics exact"
    return None


_Key = tuple[Span, str | None]


def _key(finding: Finding) -> _Key:
    return finding.span, finding.code


def _settle(
    text: str, findings: Sequence[Finding], item: Input, refused: Mapping[_Key, str]
) -> tuple[Reported, ...]:
    """The findings with their complete edits. A fix that cannot be made is advice that says why."""
    from auditor.writing.edits import Unapplicable, completed

    settled = []
    tree = ast.parse(text) if any(f.fix for f in findings) else None
    for finding in findings:
        blocked = refused.get(_key(finding)) or obstacle(finding, item.settings)
        edits: tuple[Edit, ...] = ()
        if finding.fix is not None and tree is not None:
            try:
                edits = completed(text, tree, finding.fix, _first_party(item))
            except Unapplicable as error:
                finding, blocked = replace(finding, fix=None), str(error)
        settled.append(Reported(finding, edits, blocked))
    return tuple(settled)


@dataclass(frozen=True)
class _Repair:
    """A text with fixes made, and the fixes of its findings that cannot be made."""

    text: str
    fixed: tuple[Finding, ...] = ()
    refused: Mapping[_Key, str] = field(default_factory=dict)
    cautions: tuple[Caution, ...] = ()


def _fixpoint(source: Source, item: Input, analysis: _Analysis) -> _Repair:
    """Audit and fix in turns until nothing changes."""
    from auditor.writing.edits import apply_fixes

    text, fixed = source.text, list[Finding]()
    for _ in range(ROUNDS):
        findings, _ = _visible(text, analysis.report(text), item)
        able = [f for f in findings if obstacle(f, item.settings) is None]
        if able and not source.reproducible:
            reason = "the file's encoding does not give its bytes back"
            return _Repair(text, refused={_key(f): reason for f in able})
        outcome = apply_fixes(text, able, _first_party(item))
        if outcome.text == text:
            refused = {_key(finding): reason for finding, reason in outcome.refused}
            return _Repair(text, tuple(fixed), refused)
        text = outcome.text
        fixed += outcome.applied
    message = f"stopped after {ROUNDS} rounds of fixes; run again for the rest"
    return _Repair(text, tuple(fixed), cautions=(Caution(item.name, 1, 1, message),))


def _first_party(item: Input) -> frozenset[str]:
    """The top-level names of the project's own modules: what lies beside the file, and beside the
    folders above it up to the project's root."""
    return _modules_around(Path(os.path.abspath(item.path)).parent)


@lru_cache(maxsize=256)
def _modules_around(folder: Path) -> frozenset[str]:
    names: set[str] = set()
    for place in (folder, *folder.parents):
        names |= _modules_in(place)
        if any(os.path.exists(place / mark) for mark in (".git", "pyproject.toml", "setup.py")):
            return frozenset(names | _modules_in(place / "src"))
    return _modules_in(folder)


@cache
def _modules_in(folder: Path) -> frozenset[str]:
    """The modules that a folder on the import path provides."""
    try:
        entries = list(folder.iterdir())
    except OSError:
        return frozenset()
    packages = {entry.name for entry in entries if os.path.exists(entry / "__init__.py")}
    return frozenset(packages | {entry.stem for entry in entries if entry.suffix == ".py"})
