"""The process that runs the code: original and rewritten, on the same inputs.

Started by ``auditor.verify.verification`` with a job; writes what it learns to a file, line by
line, so that the parent knows how far it came if it has to be stopped.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
import types
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from auditor.verify import inputs, measure, values
from auditor.verify.assumed import signature
from auditor.verify.compare import (
    Agreement,
    Outcome,
    References,
    Rule,
    compare,
    finite,
    is_module,
    is_tensor,
    leaves,
)
from auditor.verify.holding import Holds, holding
from auditor.verify.inputs import Recipe, Signature
from auditor.verify.measure import Interrupted, at_most, reaches, run
from auditor.verify.target import (
    Job,
    NotVerified,
    Offer,
    Target,
    load,
    loaded,
    moved,
    names_bound,
    offers,
    parameter_names,
    resolve,
    said,
)
from auditor.verify.values import Case, Precision

CASES = 7
SLOW = 3
"""After so many runs without an end the search is given up."""
SEARCH_SECONDS = 15.0
SMALL_SECONDS = 2.0
LARGE_SECONDS = 8.0
ENOUGH_SECONDS = 0.1
SLOWEST_SECONDS = 3.0
MOST_SCALE = 1024


@dataclass
class Report:
    """What is known so far. ``stage`` says what was being done, ``missing`` which of the libraries
    that the kernels need is not installed."""

    stage: str = "loading"
    inputs: str = ""
    max_error: float | None = None
    tolerance: float | None = None
    time_before: float | None = None
    time_after: float | None = None
    memory_before: int | None = None
    memory_after: int | None = None
    ok: bool = False
    note: str = ""
    missing: str | None = None
    done: bool = False


def main(job_path: str) -> None:
    with open(job_path, encoding="utf-8") as file:
        job = Job(**json.load(file))
    with open(job.report, "w", encoding="utf-8") as sink:

        def say(report: Report) -> None:
            sink.write(json.dumps(asdict(report)) + "\n")
            sink.flush()

        report = Report()
        say(report)
        try:
            _limit_memory(job)
            _Trial(job, report, say).go()
        except NotVerified as problem:
            report.ok, report.note = False, f"not verified: {problem}"
            cause = problem.__cause__
            if isinstance(cause, ModuleNotFoundError) and cause.name in ("torch", "triton"):
                report.missing = cause.name
        report.done = True
        say(report)


def _limit_memory(job: Job) -> None:
    if job.memory is None or (job.device != "cpu" and os.path.exists("/dev/nvidiactl")):
        return  # a CUDA driver reserves more addresses than there is memory
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (job.memory, hard))


# -- the trial


@dataclass
class _Trial:
    job: Job
    report: Report
    say: Any
    error: str = ""
    unreached: bool = False
    unpromised: bool = False
    slow: int = 0
    device: str = "cpu"
    passed_over: str = ""
    offered: bool = False

    def go(self) -> None:
        job, report = self.job, self.report
        if job.scope in ("", "<module>"):
            self._whole_module()
            return
        before = loaded(job, "before")
        after = loaded(job, "after")
        target = resolve(job.scope, before, after)
        report.stage = "original"
        self.say(report)
        target, cases = self._cases(target, before, after)
        report.stage = "rewritten"
        report.inputs = cases[0].describe()
        self.say(report)
        agreement, count = self._compare_all(target, cases)
        if agreement.problems:
            self._differs(agreement)
            return
        self._agrees(agreement, count)
        report.stage = "timing"
        self.say(report)
        self._measure(target, _richest(cases), agreement, count)

    def _differs(self, agreement: Agreement) -> None:
        self.report.ok = False
        self.report.max_error, self.report.tolerance = agreement.error, agreement.tolerance
        more = len(agreement.problems) - 1
        rest = f" (and {more} more differences)" if more else ""
        self.report.note = f"differs: {agreement.problems[0]}{rest}"

    def _agrees(self, agreement: Agreement, count: int) -> None:
        report = self.report
        report.ok, report.max_error = True, agreement.error
        report.tolerance = agreement.tolerance
        report.note = f"{count} sets of inputs" if count > 1 else "1 set of inputs"
        report.note += " of the file" if self.offered else ""
        if self.passed_over:
            report.note += f"; {self.passed_over}"
        if agreement.own_reference:
            report.note += "; the original's own result is the reference"

    def _failed(self, reason: str) -> None:
        """The first failure counts: what is tried first is the likeliest."""
        self.error = self.error or reason

    # -- inputs

    def _cases(
        self, target: Target, before: types.ModuleType, after: types.ModuleType
    ) -> tuple[Target, list[Case]]:
        """What is called and the inputs for it: those that the file offers, else made-up ones."""
        for offered, make in offers(target, before, after):
            cases = self._accepted(offered, make)
            if cases:
                self.offered = True
                return offered, cases
            why = "they do not reach this code" if self.unreached else self.error
            self.passed_over = f"the file's own inputs were not used: {why}"
        found = self._signature(target)
        if found is None:
            raise NotVerified(f"`{target.scope}` is not a function of this file")
        # The search stays off the GPU, where a subscript out of range ends all further work.
        cases = self._searched(target, found)
        if cases:
            return target, self._on_best_device(target, found, cases)
        if self.unpromised:
            raise NotVerified("no generated inputs are what the fix assumes")
        if self.unreached:
            raise NotVerified("no generated inputs made the original reach this code")
        raise NotVerified(f"no inputs found on which the original runs: {self.error}")

    def _on_best_device(
        self, target: Target, signature: Signature, cases: list[Case]
    ) -> list[Case]:
        """The same cases on a GPU, if there is one and the original runs on it."""
        for device in self._devices():
            if device == "cpu":
                break
            self.device = device
            again = [self._try(target, signature, c.recipe) for c in cases if c.recipe is not None]
            found = [case for case in again if case is not None]
            if found:
                return found
        self.device = "cpu"
        return cases

    def _signature(self, target: Target) -> Signature | None:
        """The function that is called, as what the fix assumes of its inputs narrows it."""
        return signature(self._text("before"), target.scope, self.job.assumed)

    def _text(self, side: str) -> str:
        path = self.job.before if side == "before" else self.job.after
        return Path(path).read_text(encoding="utf-8")

    def _devices(self) -> Iterator[str]:
        if self.job.device != "cpu" and "torch" in sys.modules:
            import torch

            if torch.cuda.is_available():
                yield "cuda"
        yield "cpu"

    def _accepted(self, target: Target, make: Offer) -> list[Case]:
        """Cases from inputs that the file offers, as they are, on the best device."""
        names = parameter_names(target.functions[0], target.owners is not None)
        for device in self._devices():
            self.device = device
            cases: list[Case] = []
            for seed in range(2):
                try:
                    values.seed_all(seed)
                    given, holder, twin = make(self.device)
                    args = list(given) if isinstance(given, (tuple, list)) else [given]
                    case = Case(moved(args, self.device), {}, names, holder, twin)
                    with at_most(4 * LARGE_SECONDS):
                        _, reached = self._traced(target, case, lambda _: True)
                except (Exception, Interrupted) as error:
                    self._failed(said(error))
                    continue
                if not reached:
                    self.unreached = True
                    return []
                cases.append(case)
            if cases:
                return cases
        return []

    def _traced(self, target: Target, case: Case, holds: Holds) -> tuple[Outcome, bool | None]:
        return reaches(
            lambda: run(target.function("before"), case, "before"),
            self.job.before,
            self.job.first,
            self.job.last,
            holds,
        )

    def _searched(self, target: Target, signature: Signature) -> list[Case]:
        """Several unlike cases on which the original runs and reaches the region."""
        start, self.slow = time.monotonic(), 0
        cases: list[Case] = []
        for recipe in self._recipes(target, signature):
            if time.monotonic() - start > SEARCH_SECONDS or self.slow >= SLOW:
                break
            case = self._try(target, signature, recipe)
            if case is not None:
                cases.append(case)
                break
        if not cases or cases[0].recipe is None:
            return cases
        seen = {_fingerprint(cases[0])}
        for recipe in inputs.variations(cases[0].recipe):
            if time.monotonic() - start > 2 * SEARCH_SECONDS or len(cases) >= CASES:
                break
            case = self._try(target, signature, recipe)
            if case is not None and _fingerprint(case) not in seen:
                seen.add(_fingerprint(case))
                cases.append(case)
        return cases

    def _recipes(self, target: Target, signature: Signature) -> Iterator[Recipe]:
        """For a method: on an instance that its class built, else on one with made-up state."""
        if target.owners is not None:
            try:
                built = values.build(target.owners[0], Recipe(width=values.WIDTH))
            except Exception as error:
                self._failed(f"{target.owners[0].__name__}() cannot be built: {said(error)}")
            else:
                widths = (values.WIDTH, *values.widths(built))
                for some in zip(*(inputs.recipes(signature, width=w) for w in widths), strict=True):
                    yield from some
        yield from inputs.recipes(signature)

    def _try(self, target: Target, signature: Signature, recipe: Recipe) -> Case | None:
        """The case of a recipe if the original runs on it, with the first distribution of values
        that keeps its results finite."""
        styles: tuple[str, ...] = inputs.VALUES
        if recipe.values in inputs.TIES:
            styles = (*inputs.TIES, *inputs.VALUES)
        elif recipe.values != "normal":
            styles = (recipe.values, *inputs.VALUES)
        for style in styles:
            try:
                with at_most(SMALL_SECONDS if recipe.scale == 1 else LARGE_SECONDS):
                    chosen = replace(recipe, values=style)
                    case = values.case(signature, chosen, self.device, target.owners)
                    if recipe.scale == 1:
                        outcome, reached = self._traced(target, case, holding(self.job.assumed))
                    else:
                        reached = True
                        outcome = run(target.function("before"), case, "before")
            except (ArithmeticError, ValueError) as error:
                self._failed(said(error))
                continue
            except (Exception, Interrupted) as error:
                self._failed(said(error))
                self.slow += isinstance(error, Interrupted)
                return None
            if not reached:
                self.unreached |= reached is False
                self.unpromised |= reached is None
                return None
            if finite(outcome.result) and finite(outcome.inputs):
                return case
            self._failed("its results are not finite")
        return None

    # -- comparing

    def _compare_all(self, target: Target, cases: list[Case]) -> tuple[Agreement, int]:
        """The worst of all cases, and how many of them say something."""
        total, count = Agreement(), 0
        for case in cases:
            agreement = self._compare(target, case)
            count += agreement.said
            total.note(agreement.error, agreement.tolerance)
            total.own_reference |= agreement.own_reference
            if agreement.problems:
                self.report.inputs = case.describe()
                total.problems += agreement.problems
                total.error, total.tolerance = agreement.error, agreement.tolerance
                break
        if not (count or total.problems):
            raise NotVerified("rounding decides what the original gives for the generated inputs")
        return total, count

    def _compare(self, target: Target, case: Case, gradients: bool = True) -> Agreement:
        """Values first; then gradients, where there are any and the values agree."""
        agreement = self._compare_runs(target, case, False)
        if agreement.problems or not gradients or not _differentiable(case):
            return agreement
        if case.recipe is not None and case.recipe.values in inputs.TIES:
            return agreement  # there may be no gradient at a tie
        derived = self._compare_runs(target, case, True)
        agreement.problems += derived.problems
        agreement.note(derived.error, derived.tolerance)
        if derived.problems:
            agreement.error, agreement.tolerance = derived.error, derived.tolerance
        return agreement

    def _compare_runs(self, target: Target, case: Case, gradients: bool) -> Agreement:
        original = target.function("before")
        rewritten = target.function("after")
        try:
            first = run(original, case, "before", gradients=gradients)
        except Exception as error:
            if gradients:
                return Agreement()  # what cannot be differentiated has no gradient to keep
            raise NotVerified(f"the original does not run twice: {said(error)}") from error
        try:
            second = run(rewritten, case, "after", gradients=gradients)
        except Exception as error:
            return Agreement(problems=[f"the rewritten code raises {said(error)}"])
        kind: Precision = "float64" if _has_narrow(case) else "float32"
        other = self._reference(original, case, kind, gradients)
        wide, narrow = (other, None) if kind == "float64" else (None, other)
        nudged = None
        if self.job.numerics != "exact":
            try:
                nudged = run(original, case, "before", "nudged", gradients)
            except Exception as error:
                if type(error).__name__ == "LinAlgError":  # regular by rounding alone
                    return Agreement(said=False)
        rule = Rule(self.job.numerics, case.length)
        return compare(first, second, References(wide, narrow, nudged), rule)

    def _reference(
        self, original: measure.Function, case: Case, precision: Precision, gradients: bool
    ) -> Outcome | None:
        try:
            return run(original, case, "before", precision, gradients)
        except Exception:
            return None

    # -- time and memory

    def _measure(self, target: Target, small: Case, agreement: Agreement, count: int) -> None:
        job, report = self.job, self.report
        if not job.timing:
            return
        case = small
        if small.recipe is not None:
            found = self._signature(target)
            assert found is not None
            earlier, case = self._grown(target, found, small, small.recipe)
            if case is not small:
                gradients = self._soon_differentiated(target, earlier, case)
                larger = self._compare(target, case, gradients)
                if larger.problems:
                    report.inputs = case.describe()
                    self._differs(larger)
                    return
                agreement.note(larger.error, larger.tolerance)
                agreement.own_reference |= larger.own_reference
                self._agrees(agreement, count + larger.said)
                if not gradients:
                    report.note += "; gradients of smaller ones only"
        report.inputs = case.describe()
        self.say(report)
        original, rewritten = target.function("before"), target.function("after")
        fresh = measure.changes_inputs(case, run(original, case, "before"))
        timing = measure.timing(original, rewritten, case, fresh)
        report.time_before, report.time_after = timing.before, timing.after
        self.say(report)
        report.memory_before = measure.memory(original, case, "before")
        report.memory_after = measure.memory(rewritten, case, "after")
        if report.memory_before is None or report.memory_after is None:
            report.memory_before = report.memory_after = None
            report.note += "; memory cannot be measured here"

    def _soon_differentiated(self, target: Target, earlier: Case, case: Case) -> bool:
        """Whether gradients of a case take no longer than it may, by those of a smaller one. Those
        of a loop may take time with the square of its inputs' size: each step of an array has one
        as large as the array. Nothing in Python could end them."""
        if not _differentiable(case):
            return True
        start = time.perf_counter()
        with contextlib.suppress(Exception):
            run(target.function("before"), earlier, "before", gradients=True)
        seconds = time.perf_counter() - start
        return seconds * (case.entries / max(earlier.entries, 1)) ** 2 < LARGE_SECONDS

    def _grown(
        self, target: Target, signature: Signature, small: Case, recipe: Recipe
    ) -> tuple[Case, Case]:
        """The same inputs, larger, until the original takes long enough to be timed; and those
        tried before."""
        earlier = best = small
        scale, capped = 2, True
        while scale <= MOST_SCALE:
            start = time.perf_counter()
            larger = replace(recipe, scale=scale, capped=capped, values="normal")
            case = self._try(target, signature, larger)
            if case is None:
                if not capped:
                    break
                capped = False
                continue
            # Making the inputs and copying them is in this too: the call itself takes less.
            bound = time.perf_counter() - start
            seconds = bound
            if bound > ENOUGH_SECONDS:
                # The best of a few, lest a busy machine passes for enough work.
                with contextlib.suppress(Interrupted), at_most(LARGE_SECONDS):
                    for _ in range(3):
                        again = measure.once(target.function("before"), case, "before")
                        seconds = min(seconds, again)
                        if seconds > 5 * ENOUGH_SECONDS:
                            break
            if seconds > 10 * ENOUGH_SECONDS and best is not small:
                break
            earlier, best = best, case
            if seconds >= ENOUGH_SECONDS or bound > SLOWEST_SECONDS:
                break
            scale *= 4 if bound < ENOUGH_SECONDS / 8 else 2
        return earlier, best

    # -- module-level code

    def _whole_module(self) -> None:
        """Statements outside functions: the file is run as a whole, and its names compared."""
        job, report = self.job, self.report
        case = Case([], {}, ())

        def ran(side: str) -> dict[str, Any]:
            values.seed_all()
            return names_bound(load(job, side))

        report.stage = "original"
        self.say(report)
        try:
            first, reached = reaches(
                lambda: ran("before"), job.before, job.first, job.last, lambda _: True
            )
            again = ran("before")
        except BaseException as error:  # code may leave by sys.exit too
            raise NotVerified(f"cannot run the file: {said(error)}") from error
        if not reached:
            raise NotVerified("running the file does not reach this code")
        report.stage, report.inputs = "rewritten", "none: the file is run as a whole"
        self.say(report)
        try:
            second = ran("after")
        except BaseException as error:  # code may leave by sys.exit too
            self._differs(Agreement(problems=[f"the rewritten code raises {said(error)}"]))
            return
        rule = Rule(job.numerics, max([values.length(v) for v in first.values()], default=1))
        steady = compare(
            Outcome(first), Outcome(again), References(), replace(rule, numerics="exact")
        )
        if steady.problems:
            raise NotVerified("the file gives another result each time it is run")
        agreement = compare(Outcome(_kept(first, second)), Outcome(_kept(second, first)),
                            References(), rule)  # fmt: skip
        lost = [name for name in first if name not in second and hasattr(first[name], "shape")]
        agreement.problems += [f"`{name}` is gone" for name in lost]
        if agreement.problems:
            self._differs(agreement)
            return
        self._agrees(agreement, 1)
        if job.timing:
            report.stage = "timing"
            self.say(report)
            timing = measure.timing(
                lambda _: lambda: ran("before"), lambda _: lambda: ran("after"), case, False
            )
            report.time_before, report.time_after = timing.before, timing.after
            report.note += "; the times are those of the whole file"


def _kept(names: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in names.items() if name in other}


def _richest(cases: list[Case]) -> Case:
    """The case with the most axes, up to four an array, the first of several: it is the one that
    is grown and timed."""

    def axes(case: Case) -> int:
        shapes = [getattr(value, "shape", ()) for value in case.args]
        return sum(len(shape) for shape in shapes) if max(map(len, shapes), default=0) <= 4 else 0

    plain = [c for c in cases if c.recipe is None or not (c.recipe.optional or c.recipe.broadcast)]
    return max(plain or cases, key=axes)


def _fingerprint(case: Case) -> tuple[str, str]:
    return case.describe(), case.recipe.values if case.recipe is not None else ""


def _floating(case: Case) -> Iterator[Any]:
    for _, leaf in leaves([case.args, case.kwargs, case.holder]):
        if hasattr(leaf, "dtype") and str(leaf.dtype).split(".")[-1].startswith(
            ("float", "bfloat", "complex")
        ):
            yield leaf


def _has_narrow(case: Case) -> bool:
    """Whether a floating input is narrower than double precision."""
    return any(not str(leaf.dtype).endswith(("float64", "complex128")) for leaf in _floating(case))


def _differentiable(case: Case) -> bool:
    return is_module(case.holder) or any(is_tensor(leaf) for leaf in _floating(case))
