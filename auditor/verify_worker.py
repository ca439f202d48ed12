"""The process that runs the code: original and rewritten, on the same inputs.

Started by ``auditor.verify`` with a job; writes what it learns to a file, line by line, so that
the parent knows how far it came if it has to be stopped.
"""

from __future__ import annotations

import contextlib
import json
import linecache
import os
import sys
import time
import types
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from auditor import verify_inputs as inputs
from auditor import verify_measure as measure
from auditor import verify_values as values
from auditor.verify_compare import (
    Agreement,
    Outcome,
    Rule,
    compare,
    finite,
    is_module,
    is_tensor,
    leaves,
)
from auditor.verify_inputs import Recipe, Signature
from auditor.verify_measure import Interrupted, at_most, reaches, run
from auditor.verify_values import Case

CASES = 7
SLOW = 3
"""After so many runs without an end the search is given up."""
SEARCH_SECONDS = 15.0
SMALL_SECONDS = 2.0
LARGE_SECONDS = 8.0
ENOUGH_SECONDS = 0.1
MOST_SCALE = 1024


@dataclass(frozen=True)
class Job:
    """What to verify: two texts of one file, and the region that differs."""

    path: str
    scope: str
    first: int
    last: int
    before: str
    after: str
    report: str
    numerics: str = "reassociated"
    memory: int | None = None
    timing: bool = True
    device: str = "auto"


@dataclass
class Report:
    """What is known so far. ``stage`` says what was being done."""

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
    done: bool = False


class NotVerified(Exception):
    """The two could not be compared; the text says why."""


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
        report.done = True
        say(report)


def _limit_memory(job: Job) -> None:
    if job.memory is None or (job.device != "cpu" and os.path.exists("/dev/nvidiactl")):
        return  # a CUDA driver reserves more addresses than there is memory
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (job.memory, hard))


# -- loading


def load(job: Job, side: str) -> types.ModuleType:
    """One of the two texts as a module, which believes that it lies where the file lies."""
    source = job.before if side == "before" else job.after
    path = Path(job.path).resolve()
    root, parts = path.parent, [path.stem]
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    name = ".".join([*parts[:-1], f"{parts[-1]}__{side}"])
    module = types.ModuleType(name)
    module.__file__ = str(path)
    module.__package__ = ".".join(parts[:-1])
    sys.modules[name] = module
    text = Path(source).read_text(encoding="utf-8")
    linecache.cache[source] = (len(text), None, text.splitlines(keepends=True), source)
    exec(compile(text, source, "exec", dont_inherit=True), module.__dict__)
    return module


def _loaded(job: Job, side: str) -> types.ModuleType:
    try:
        values.seed_all()
        return load(job, side)
    except BaseException as error:  # code may leave by sys.exit too
        what = "the file" if side == "before" else "the rewritten file"
        raise NotVerified(f"cannot run {what}: {_said(error)}") from error


def _said(error: BaseException) -> str:
    text = " ".join(str(error).split())
    name = type(error).__name__
    if isinstance(error, Interrupted):
        return text
    return f"{name}: {text[:200]}" if text else name


# -- what is called


@dataclass(frozen=True)
class Target:
    """The callable that holds the region: a function, or the method ``name`` of a class."""

    scope: str
    name: str
    owners: tuple[Any, Any] | None
    functions: tuple[Any, Any]

    def function(self, side: str) -> measure.Function:
        if self.owners is None:
            found = self.functions[0 if side == "before" else 1]
            return lambda holder: found
        return lambda holder: getattr(holder, self.name)


def resolve(scope: str, before: types.ModuleType, after: types.ModuleType) -> Target:
    """The outermost function of ``scope``: of a nested one, the one that contains it."""
    parts = scope.split(".")
    found: list[Any] = []
    for module in (before, after):
        owner: Any = None
        here: Any = module
        used = 0
        for part in parts:
            following = vars(here).get(part) if isinstance(here, type) else getattr(
                here, part, None)  # fmt: skip
            if following is None:
                raise NotVerified(f"`{scope}` is not there once the file has run")
            owner, here, used = here, following, used + 1
            if not isinstance(here, type):
                break
        found.append((owner, here, used))
    (owner, here, used), (owner2, here2, _) = found
    path = ".".join(parts[:used])
    if isinstance(owner, type) and not isinstance(here, staticmethod):
        name = parts[used - 1]
        if isinstance(here, classmethod):
            return Target(path, name, None, (getattr(owner, name), getattr(owner2, name)))
        return Target(path, name, (owner, owner2), (here, here2))
    if isinstance(here, staticmethod):
        here, here2 = here.__func__, here2.__func__
    if not callable(here):
        raise NotVerified(f"`{path}` is not a function once the file has run")
    return Target(path, parts[used - 1], None, (here, here2))


Offer = Callable[[str], tuple[Any, Any, Any]]
"""From a device to arguments and the instances before and after."""


def _offers(
    target: Target, before: types.ModuleType, after: types.ModuleType
) -> Iterator[tuple[Target, Offer]]:
    """Inputs that the file itself offers: ``f_inputs()``, or ``Model`` with ``get_inputs()``."""
    maker = getattr(before, f"{target.name}_inputs", None)
    if callable(maker) and target.owners is None:
        yield target, lambda _: (maker(), None, None)
    models = (getattr(before, "Model", None), getattr(after, "Model", None))
    get_inputs = getattr(before, "get_inputs", None)
    if all(isinstance(model, type) for model in models) and callable(get_inputs):
        get_init = getattr(before, "get_init_inputs", list)
        forward = (getattr(models[0], "forward", None), getattr(models[1], "forward", None))

        def make(device: str) -> tuple[Any, Any, Any]:
            init = list(get_init())
            holders = values.instances(models, lambda klass: klass(*init), device)
            values.seed_all()
            return get_inputs(), *holders

        yield Target("Model", "__call__", models, forward), make


# -- the trial


@dataclass
class _Trial:
    job: Job
    report: Report
    say: Any
    error: str = ""
    unreached: bool = False
    slow: int = 0
    device: str = "cpu"

    def go(self) -> None:
        job, report = self.job, self.report
        if job.scope in ("", "<module>"):
            self._whole_module()
            return
        before = _loaded(job, "before")
        after = _loaded(job, "after")
        target = resolve(job.scope, before, after)
        report.stage = "original"
        self.say(report)
        target, cases = self._cases(target, before, after)
        report.stage = "rewritten"
        report.inputs = cases[0].describe()
        self.say(report)
        agreement = self._compare_all(target, cases)
        if agreement.problems:
            self._differs(agreement)
            return
        self._agrees(agreement, len(cases))
        report.stage = "timing"
        self.say(report)
        self._measure(target, _richest(cases), agreement, len(cases))

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
        if agreement.own_reference:
            report.note += "; the original's own result is the reference"

    # -- inputs

    def _cases(
        self, target: Target, before: types.ModuleType, after: types.ModuleType
    ) -> tuple[Target, list[Case]]:
        """What is called and the inputs for it: those that the file offers, else made-up ones."""
        for offered, make in _offers(target, before, after):
            cases = self._accepted(offered, make)
            if cases:
                return offered, cases
        signature = inputs.signature(self._text("before"), target.scope)
        if signature is None:
            raise NotVerified(f"`{target.scope}` is not a function of this file")
        for device in self._devices():
            self.device = device
            cases = self._searched(target, signature)
            if cases:
                return target, cases
        if self.unreached:
            raise NotVerified("no generated inputs made the original reach this code")
        raise NotVerified(f"no inputs found on which the original runs: {self.error}")

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
        names = _names(target.functions[0], target.owners is not None)
        for device in self._devices():
            self.device = device
            cases: list[Case] = []
            for seed in range(2):
                try:
                    values.seed_all(seed)
                    given, holder, twin = make(self.device)
                    args = list(given) if isinstance(given, (tuple, list)) else [given]
                    case = Case(_moved(args, self.device), {}, names, holder, twin)
                    with at_most(4 * LARGE_SECONDS):
                        _, reached = self._traced(target, case)
                except (Exception, Interrupted) as error:
                    self.error = _said(error)
                    continue
                if not reached:
                    self.unreached = True
                    return []
                cases.append(case)
            if cases:
                return cases
        return []

    def _traced(self, target: Target, case: Case) -> tuple[Outcome, bool]:
        return reaches(
            lambda: run(target.function("before"), case, "before"),
            self.job.before,
            self.job.first,
            self.job.last,
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
                values.build(target.owners[0], Recipe(width=values.WIDTH))
            except Exception as error:
                self.error = f"{target.owners[0].__name__}() cannot be built: {_said(error)}"
            else:
                yield from inputs.recipes(signature, width=values.WIDTH)
        yield from inputs.recipes(signature)

    def _try(self, target: Target, signature: Signature, recipe: Recipe) -> Case | None:
        """The case of a recipe if the original runs on it, with the first distribution of values
        that keeps its results finite."""
        styles: tuple[str, ...] = inputs.VALUES
        if recipe.values != "normal":
            styles = (recipe.values, *inputs.VALUES)
        for style in styles:
            try:
                with at_most(SMALL_SECONDS if recipe.scale == 1 else LARGE_SECONDS):
                    chosen = replace(recipe, values=style)
                    case = values.case(signature, chosen, self.device, target.owners)
                    if recipe.scale == 1:
                        outcome, reached = self._traced(target, case)
                    else:
                        reached = True
                        outcome = run(target.function("before"), case, "before")
            except (ArithmeticError, ValueError) as error:
                self.error = _said(error)
                continue
            except (Exception, Interrupted) as error:
                self.error = _said(error)
                self.slow += isinstance(error, Interrupted)
                return None
            if not reached:
                self.unreached = True
                return None
            if finite(outcome.result) and finite(outcome.inputs):
                return case
            self.error = "its results are not finite"
        return None

    # -- comparing

    def _compare_all(self, target: Target, cases: list[Case]) -> Agreement:
        total = Agreement()
        for case in cases:
            agreement = self._compare(target, case)
            total.note(agreement.error, agreement.tolerance)
            total.own_reference |= agreement.own_reference
            if agreement.problems:
                self.report.inputs = case.describe()
                total.problems += agreement.problems
                total.error, total.tolerance = agreement.error, agreement.tolerance
                break
        return total

    def _compare(self, target: Target, case: Case, gradients: bool = True) -> Agreement:
        """Values first; then gradients, where there are any and the values agree."""
        agreement = self._compare_runs(target, case, False)
        if agreement.problems or not gradients or not _differentiable(case):
            return agreement
        ties = case.recipe is not None and case.recipe.values == "ties"
        if ties:
            return agreement
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
            raise NotVerified(f"the original does not run twice: {_said(error)}") from error
        try:
            second = run(rewritten, case, "after", gradients=gradients)
        except Exception as error:
            return Agreement(problems=[f"the rewritten code raises {_said(error)}"])
        wide = narrow = None
        if _has_narrow(case):
            wide = self._reference(original, case, "float64", gradients)
        else:
            narrow = self._reference(original, case, "float32", gradients)
        rule = Rule(self.job.numerics, case.length)
        return compare(first, second, wide, narrow, rule)

    def _reference(
        self, original: measure.Function, case: Case, precision: str, gradients: bool
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
            signature = inputs.signature(self._text("before"), target.scope)
            assert signature is not None
            case = self._grown(target, signature, small, small.recipe)
            if case is not small:
                larger = self._compare(target, case)
                if larger.problems:
                    report.inputs = case.describe()
                    self._differs(larger)
                    return
                agreement.note(larger.error, larger.tolerance)
                agreement.own_reference |= larger.own_reference
                self._agrees(agreement, count + 1)
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

    def _grown(self, target: Target, signature: Signature, small: Case, recipe: Recipe) -> Case:
        """The same inputs, larger, until the original takes long enough to be timed."""
        best, function = small, target.function("before")
        scale, capped = 2, True
        while scale <= MOST_SCALE:
            larger = replace(recipe, scale=scale, capped=capped, values="normal")
            case = self._try(target, signature, larger)
            if case is None:
                if not capped:
                    break
                capped = False
                continue
            with contextlib.suppress(Interrupted), at_most(LARGE_SECONDS):
                seconds = measure.once(function, case, "before")
                if seconds > 10 * ENOUGH_SECONDS and best is not small:
                    break
                best = case
                if seconds < ENOUGH_SECONDS:
                    scale *= 2
                    continue
            break
        return best

    # -- module-level code

    def _whole_module(self) -> None:
        """Statements outside functions: the file is run as a whole, and its names compared."""
        job, report = self.job, self.report
        case = Case([], {}, ())

        def ran(side: str) -> dict[str, Any]:
            values.seed_all()
            return _names_bound(load(job, side))

        report.stage = "original"
        self.say(report)
        try:
            first, reached = reaches(lambda: ran("before"), job.before, job.first, job.last)
            again = ran("before")
        except BaseException as error:  # code may leave by sys.exit too
            raise NotVerified(f"cannot run the file: {_said(error)}") from error
        if not reached:
            raise NotVerified("running the file does not reach this code")
        report.stage, report.inputs = "rewritten", "none: the file is run as a whole"
        self.say(report)
        try:
            second = ran("after")
        except BaseException as error:  # code may leave by sys.exit too
            self._differs(Agreement(problems=[f"the rewritten code raises {_said(error)}"]))
            return
        rule = Rule(job.numerics, max([values.length(v) for v in first.values()], default=1))
        steady = compare(
            Outcome(first), Outcome(again), None, None, replace(rule, numerics="exact")
        )
        if steady.problems:
            raise NotVerified("the file gives another result each time it is run")
        agreement = compare(Outcome(_kept(first, second)), Outcome(_kept(second, first)),
                            None, None, rule)  # fmt: skip
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


def _names_bound(module: types.ModuleType) -> dict[str, Any]:
    """The data that a module binds: no modules, functions or classes."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("__")
        and not callable(value)
        and not isinstance(value, types.ModuleType)
        and (not hasattr(value, "__dict__") or hasattr(value, "shape"))
    }


def _names(function: Any, method: bool) -> tuple[str, ...]:
    import inspect

    try:
        found = tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()
    return found[1:] if method else found


def _moved(given: Any, device: str) -> Any:
    if is_tensor(given):
        return given.to(device)
    if type(given) in (list, tuple):
        return type(given)(_moved(item, device) for item in given)
    if isinstance(given, dict):
        return {key: _moved(item, device) for key, item in given.items()}
    return given


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
