"""Loops of the literature on automatic parallelisation: what is proven of them, and how fast.

    python -m benchmarks.literature [SUITE ...] [--loops] [--rewrites] [--output FILE.json]

For every loop of tests/corpora/literature: is it proven to be a chain of scans (staged), is one
mergeable summary found (one pass), and with ``--rewrites`` is a fix offered that `audit verify`
confirms (each is run in a process of its own, which takes long). Times are processor time of one
cold question about the outermost loops of a function, in milliseconds, without reading its source
and with NumPy and sympy, which some proofs need, imported before; the published tools' times are
for synthesis of the same benchmark on their authors' machines.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib
import json
import re
import statistics
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from auditor.audit import Options, sites
from auditor.lift import TooLarge, functions, lift, read
from auditor.lift.module import Module
from auditor.notation import Computation
from auditor.plain import variants
from auditor.properties import associativity
from auditor.properties.subject import Subject

CORPUS = Path(__file__).parents[1] / "tests" / "corpora" / "literature"
PUBLISHED = {
    "farzan_nicolet_2017": "25 of 26 in 1.4 to 84 s (Parsynt)",
    "farzan_nicolet_2021": "24 of 36 (phased synthesis)",
    "autolifter": "82 of 96, 20 s on average (AutoLifter)",
}
_HEADER = re.compile(r"^# (\S.*): (one-pass|staged|fails)$")


@dataclass(frozen=True)
class Loop:
    """A function of the corpus: the benchmark that it is a guise of, and what is expected."""

    suite: str
    benchmark: str
    name: str
    expected: str
    source: str


@dataclass(frozen=True)
class Outcome:
    """What was found of a function's outermost loops; ``milliseconds`` for the question alone."""

    loop: Loop
    verdict: str
    one_pass: bool
    milliseconds: float
    evidence: str
    rewritten: bool | None = None

    @property
    def staged(self) -> bool:
        return self.verdict == "holds"

    @property
    def right(self) -> bool:
        """As expected; more than expected is right unless the loop is no scan at all."""
        if self.loop.expected == "fails":
            return not self.staged
        return self.staged and (self.one_pass or self.loop.expected == "staged")


def loops(suite: Path) -> Iterator[Loop]:
    """The functions of a suite, each with the imports that it needs."""
    text = suite.read_text()
    lines = text.splitlines()
    headers = {n: m.groups() for n, line in enumerate(lines, 1) if (m := _HEADER.match(line))}
    tree = ast.parse(text)
    kinds = (ast.Import, ast.ImportFrom)
    imports = "\n".join(ast.unparse(node) for node in tree.body if isinstance(node, kinds))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            above = max(n for n in headers if n < node.lineno)
            source = f"{imports}\n\n\n{ast.get_source_segment(text, node)}\n"
            yield Loop(suite.stem, headers[above][0], node.name, headers[above][1], source)


def outcome(loop: Loop) -> Outcome:
    """Lift the function and ask about its outermost loops."""
    try:
        computations = outermost(loop.source)
    except TooLarge as refusal:
        return Outcome(loop, "not lifted", False, 0.0, str(refusal))
    if not computations:
        return Outcome(loop, "not lifted", False, 0.0, "no loop is found")
    start = time.process_time()
    subjects = [Subject(computation) for computation in computations]
    verdicts = [associativity.ask(subject) for subject in subjects]
    spent = 1000 * (time.process_time() - start)
    worst = next((v for v in verdicts if v.verdict != "holds"), verdicts[0])
    together = all(associativity.one_pass_found(subject) for subject in subjects)
    return Outcome(loop, worst.verdict, together, spent, worst.evidence)


def outermost(source: str) -> list[Computation]:
    """The loops of the text that are in no other loop; where it spells none, those of its plainer
    spellings."""
    module = read(source)
    found = _outermost(module)
    if not found:
        for _, node, _ in functions(module):
            for variant in variants(module, node):
                found = found or _outermost(variant.module)
    return found


def _outermost(module: Module) -> list[Computation]:
    found: list[Computation] = []
    for scope, node, klass in functions(module):
        lifted = lift(module, scope, node, klass, {})
        mine = [site.computation for site in sites(lifted) if site.computation.kind == "loop"]
        for one in mine:
            around = [o.span for o in mine if o is not one and o.span != one.span]
            inside = any(
                (o.line, o.column) <= (one.span.line, one.span.column)
                and (one.span.end_line, one.span.end_column) <= (o.end_line, o.end_column)
                for o in around
            )
            if not inside:
                found.append(one)
    return found


def rewritten(loop: Loop) -> bool:
    """Is a fix offered, and verified by running both versions?"""
    from auditor.verify.verification import Limits, verify_text

    rows = verify_text(loop.source, f"{loop.name}.py", Options(), Limits(timing=False))
    return bool(rows) and all(row.ok for row in rows)


def table(outcomes: list[Outcome]) -> str:
    """One line a suite, and the totals."""
    rows = [("suite", "loops", "staged", "one pass", "rewritten", "median ms", "max ms", "false",
             "published")]  # fmt: skip
    suites = list(dict.fromkeys(o.loop.suite for o in outcomes))
    for suite in [*suites, "all"]:
        mine = [o for o in outcomes if suite in (o.loop.suite, "all")]
        good = [o for o in mine if o.loop.expected != "fails"]
        one = [o for o in good if o.loop.expected == "one-pass"]
        times = [o.milliseconds for o in mine]
        rows.append(
            (
                suite, str(len(mine)), f"{sum(o.staged for o in good)}/{len(good)}",
                f"{sum(o.staged and o.one_pass for o in one)}/{len(one)}",
                _share([o.rewritten for o in good if o.rewritten is not None]),
                f"{statistics.median(times):.1f}", f"{max(times):.1f}",
                str(sum(o.staged for o in mine if o.loop.expected == "fails")),
                PUBLISHED.get(suite, ""),
            )
        )  # fmt: skip
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return "\n".join(
        "  ".join(c.ljust(w) if n in (0, 8) else c.rjust(w)
                  for n, (c, w) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    )  # fmt: skip


def _share(answers: list[bool]) -> str:
    """How many of them are so; a dash where nothing was asked."""
    return f"{sum(answers)}/{len(answers)}" if answers else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("suites", nargs="*", help="names of suites; all when none is given")
    parser.add_argument("--loops", action="store_true", help="one line for each loop")
    parser.add_argument("--rewrites", action="store_true", help="verify the fixes that are offered")
    parser.add_argument("--output", type=Path, help="where to write the outcomes as JSON")
    given = parser.parse_args()
    files = [f for f in sorted(CORPUS.glob("*.py")) if not given.suites or f.stem in given.suites]
    for library in ("numpy", "sympy"):
        importlib.import_module(library)
    outcomes = []
    for loop in (loop for file in files for loop in loops(file)):
        gc.collect()  # so that what the last loop left is not looked for while this one is timed
        found = outcome(loop)
        if given.rewrites and found.staged:
            found = Outcome(**{**found.__dict__, "rewritten": rewritten(loop)})
        outcomes.append(found)
        if given.loops or not found.right:
            mark = " " if found.right else "!"
            kind = "one pass" if found.one_pass else ""
            print(f"{mark} {loop.suite}.{loop.name} [{loop.expected}] {found.verdict} {kind} "
                  f"{found.milliseconds:.1f} ms: {found.evidence[:150]}")  # fmt: skip
    print(table(outcomes))
    if given.output:
        given.output.write_text(json.dumps([asdict(o) for o in outcomes], indent=1) + "\n")


if __name__ == "__main__":
    main()
