"""What the audit says: verdicts on properties, findings, fixes. Plain frozen data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from auditor.notation import Span

Answer = Literal["holds", "partial", "fails", "unknown"]
Basis = Literal["proof", "structure", "counterexample", "probe"]
Numerics = Literal["exact", "reassociated", "conditioned"]
Applicability = Literal["safe", "unsafe"]

PROPERTIES = ("associativity", "separability", "locality", "sparsity", "redundancy", "symmetry")


def _on_one_line(said: object, attribute: str) -> None:
    """Join the lines of what is said: it may quote an expression that took several."""
    text = getattr(said, attribute)
    if text is not None and "\n" in text:
        object.__setattr__(said, attribute, " ".join(text.split()))


@dataclass(frozen=True)
class Verdict:
    """The answer to one property's question about one computation.

    ``basis`` is None exactly when the answer is unknown; ``fails`` never rests on a probe.
    ``evidence`` is one line that a person can check, however many lines of the program what it
    quotes took. ``numerics`` says what floating point does to
    a proof over the reals.
    """

    verdict: Answer
    basis: Basis | None
    evidence: str
    numerics: Numerics = "exact"

    def __post_init__(self) -> None:
        if (self.basis is None) != (self.verdict == "unknown"):
            raise ValueError(f"verdict {self.verdict!r} cannot rest on basis {self.basis!r}")
        if self.verdict == "fails" and self.basis == "probe":
            raise ValueError("a failure rests on a counterexample or on structure, not on a probe")
        if not self.evidence:
            raise ValueError("a verdict has evidence")
        _on_one_line(self, "evidence")


Verdicts = dict[str, Verdict]
"""All six, by name, in the order of ``PROPERTIES``."""


@dataclass(frozen=True, order=True)
class Edit:
    """Replace the text of ``span`` by ``content``; an empty span inserts."""

    span: Span
    content: str


@dataclass(frozen=True)
class Fix:
    """Edits of one finding. ``reason`` says why a fix is unsafe, or names a narrower assumption.

    ``imports`` are added once each, sorted into place when the fix is applied: either
    ``("module", "name")`` for ``from module import name`` or ``("module", None)`` for
    ``import module``.
    """

    applicability: Applicability
    numerics: Numerics
    edits: tuple[Edit, ...]
    imports: tuple[tuple[str, str | None], ...] = ()
    reason: str | None = None

    def __post_init__(self) -> None:
        _on_one_line(self, "reason")

    def doubted(self, doubt: str) -> Fix:
        """The fix where something speaks against it: not safe, for one more reason."""
        reason = "; ".join(filter(None, (self.reason, doubt)))
        return replace(self, applicability="unsafe", reason=reason)


@dataclass(frozen=True)
class Cost:
    """How much of each resource code uses, as expressions of the extents: steps of the interpreter,
    objects that builtins walk, calls of NumPy, launches of torch's operations, views of either,
    bytes moved, pointwise operations, exponentials and the like, multiplications of products."""

    steps: str
    items: str
    calls: str
    launches: str
    views: str
    numpy_views: str
    bytes: str
    operations: str
    specials: str
    products: str


@dataclass(frozen=True)
class Profit:
    """What a rewrite is predicted to gain on ``target``; ``bound`` is the resource that limits
    the code as it stands: ``interpreter``, ``launch``, ``bandwidth`` or ``compute``. ``before`` and
    ``after`` are what the code costs, where that was counted; ``certain`` where the code states
    all sizes that it rests on; ``lost`` are the seconds that the code as it would be takes more."""

    target: str
    bound: str
    predicted_speedup: float
    detail: str = ""
    before: Cost | None = None
    after: Cost | None = None
    certain: bool = False
    lost: float = 0.0


@dataclass(frozen=True)
class Finding:
    """One place where a rewrite applies (``code`` set), or one computation that was analysed and
    has none (``code`` None, ``refused`` says why). ``alternatives`` are other fixes of the same
    place, which have none themselves."""

    path: str
    span: Span
    scope: str
    message: str
    properties: Verdicts
    code: str | None = None
    rewrite: str | None = None
    kernel: str | None = None
    fix: Fix | None = None
    profit: Profit | None = None
    refused: str | None = None
    alternatives: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        _on_one_line(self, "message")
        _on_one_line(self, "refused")


@dataclass(frozen=True)
class Problem:
    """An input that could not be audited, or a bug met while auditing it."""

    path: str
    line: int
    column: int
    message: str


@dataclass(frozen=True)
class FileReport:
    """Everything the audit has to say about one file."""

    path: str
    findings: tuple[Finding, ...] = ()
    computations: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = field(default=())
