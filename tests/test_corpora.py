"""The corpora: programs as users write them, with what the audit should say about each.

Conventions are in tests/corpora/README.md. For each program: the header can be read, its cases
run as written, the audit reports what the header says and nothing more, and after the safe fixes
the cases give the same values, gradients, mutations, types, shapes and dtypes.
"""

from __future__ import annotations

import ast
import random
import re
import sys
import types
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import test_licence
import test_screening
import torch

from auditor import rewrites

CORPORA = Path(__file__).parent / "corpora"
# What the headers speak of; derived folds and contraction orders have tests of their own.
CODES = tuple(
    rewrite.code for rewrite in rewrites.CATALOG if rewrite.code not in ("ASC111", "ASC112")
)
LEVELS = ("safe", "unsafe", "advice")
FLOOR = 16
"""Multiple of eps * max|reference| that is always allowed; see `close`."""
KEPT = 4
"""How many programs' audits and runs are kept: the tests of a program follow each other."""

RELEASED = frozenset(CODES)
ADVICE = frozenset(rewrite.code for rewrite in rewrites.CATALOG if rewrite.fix == "advice")
needs_audit = pytest.mark.skipif(not RELEASED, reason="the catalog has none of these rewrites")


# ---------------------------------------------------------------- headers


@dataclass(frozen=True)
class Claim:
    """One `expect:` or `may:` line."""

    code: str
    levels: frozenset[str]
    scope: str


@dataclass(frozen=True)
class Program:
    path: Path
    text: str
    expected: tuple[Claim, ...]
    allowed: tuple[Claim, ...]
    refused: tuple[tuple[str, ...], ...]

    @property
    def refused_codes(self) -> frozenset[str]:
        return frozenset(code for codes in self.refused for code in (codes or CODES))


def read_claim(text: str) -> Claim:
    match = re.fullmatch(r"([A-Z]{3}\d+) (\S+) scope=(\S+)", text)
    if match is None:
        raise ValueError(f"not a claim: {text!r}")
    code, levels, scope = match.groups()
    chosen = frozenset(LEVELS if levels == "any" else levels.split("|"))
    if code not in CODES or not chosen <= set(LEVELS):
        raise ValueError(f"unknown code or level: {text!r}")
    return Claim(code, chosen, scope)


def read_program(path: Path, text: str) -> Program:
    expected: list[Claim] = []
    allowed: list[Claim] = []
    refused: list[tuple[str, ...]] = []
    for line in text.splitlines():
        match = re.fullmatch(r"# (expect|may|refuse): (.+)", line)
        if match is None:
            break
        kind, rest = match.groups()
        if kind == "expect":
            expected.append(read_claim(rest))
        elif kind == "may":
            allowed.append(read_claim(rest))
        else:
            words = rest.split()
            codes = []
            while words and re.fullmatch(r"[A-Z]{3}\d+", words[0]):
                codes.append(words.pop(0))
            if not words or not set(codes) <= set(CODES):
                raise ValueError(f"{path}: a refusal needs a reason: {line!r}")
            refused.append(tuple(codes))
    if not (expected or allowed or refused):
        raise ValueError(f"{path}: no header")
    return Program(path, text, tuple(expected), tuple(allowed), tuple(refused))


def paths() -> list[Path]:
    # the literature's loops have headers and a test of their own
    return sorted(p for p in CORPORA.glob("*/*.py") if p.parent.name != "literature")


def identifier(path: Path) -> str:
    return path.relative_to(CORPORA).with_suffix("").as_posix()


@cache
def program(path: Path) -> Program:
    return read_program(path, path.read_text(encoding="utf-8"))


def scopes(text: str) -> set[str]:
    """Qualified names of all functions, of lambdas that have one, and `<module>`."""
    found = {"<module>"}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = prefix + child.name
                found.add(name)
                visit(child, name + ".")
            elif isinstance(child, ast.Assign) and isinstance(child.value, ast.Lambda):
                found.add(prefix + ast.unparse(child.targets[0]))
            else:
                visit(child, prefix)

    visit(ast.parse(text), "")
    return found


def judge(
    expected: Program, findings: Iterable[Any], released: frozenset[str] = RELEASED
) -> list[str]:
    """What is wrong with the audit's answer, if anything."""
    complaints = []
    reported = []
    for finding in findings:
        if finding.code in CODES:
            level = "advice" if finding.fix is None else finding.fix.applicability
            reported.append((finding.code, level, finding.scope))
    for claim in expected.expected:
        place = (claim.code, claim.scope)
        found = any((code, scope) == place for code, _, scope in reported)
        if not found and claim.code in released:
            complaints.append(f"{claim.code} in {claim.scope} was not reported")
    claims = expected.expected + expected.allowed
    for code, level, scope in reported:
        mine = [claim for claim in claims if (claim.code, claim.scope) == (code, scope)]
        if any(level in claim.levels for claim in mine):
            continue
        if mine:
            complaints.append(f"{code} in {scope} was reported as {level}")
        elif code in ADVICE and any(code in codes for codes in expected.refused):
            complaints.append(f"{code} in {scope} was reported, but must not be")
        elif code in expected.refused_codes and level != "advice":
            complaints.append(f"{code} in {scope} has a fix, but must be refused")
        elif not expected.refused and level != "advice":
            complaints.append(f"{code} in {scope} has an unexpected fix")
    return complaints


# ---------------------------------------------------------------- execution


def load(text: str, path: Path) -> types.ModuleType:
    module = types.ModuleType("corpus_program")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look themselves up there
    seed_everything()
    exec(compiled(text, path), module.__dict__)
    return module


@lru_cache(maxsize=KEPT)
def compiled(text: str, path: Path) -> types.CodeType:
    return compile(text, str(path), "exec")


def seed_everything() -> None:
    random.seed(0)
    np.random.seed(0)
    torch.default_generator.manual_seed(0)  # `torch.manual_seed` walks the stack for every device


def upcast(value: Any) -> Any:
    """The same arguments in double precision."""
    if isinstance(value, torch.Tensor):
        wide = {torch.complex64: torch.complex128}.get(value.dtype, torch.float64)
        if not (value.is_floating_point() or value.is_complex()):
            return value
        return value.detach().to(wide).requires_grad_(value.requires_grad)
    if isinstance(value, np.ndarray | np.generic):
        if value.dtype.kind == "f":
            return value.astype(np.float64)
        return value.astype(np.complex128) if value.dtype.kind == "c" else value
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return type(value)(upcast(item) for item in value)
    if isinstance(value, dict):
        return {key: upcast(item) for key, item in value.items()}
    return value


def tensors(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [tensor for item in value for tensor in tensors(item)]
    return []


@dataclass(frozen=True)
class Run:
    output: Any
    arguments: Any
    state: Any
    gradients: list[torch.Tensor]


def execute(module: types.ModuleType, index: int, *, double: bool = False) -> Run:
    """Run one case on fresh arguments; gradients are those of a fixed random projection."""
    seed_everything()
    callee_text, args, kwargs = list(module.cases(np.random.default_rng(7)))[index]
    seed_everything()
    callee = eval(callee_text, module.__dict__)
    previous = torch.get_default_dtype()
    try:
        if double:
            args, kwargs = upcast(args), upcast(kwargs)
            torch.set_default_dtype(torch.float64)
            if isinstance(callee, torch.nn.Module):
                callee.double()
        seed_everything()
        output = callee(*args, **kwargs)
    finally:
        torch.set_default_dtype(previous)
    owner = callee if isinstance(callee, torch.nn.Module) else getattr(callee, "__self__", None)
    is_module = isinstance(owner, torch.nn.Module)
    leaves = [t for t in tensors([args, kwargs]) if t.requires_grad]
    leaves += list(owner.parameters()) if is_module else []
    generator = torch.Generator().manual_seed(11)
    objective = torch.zeros((), dtype=torch.float64)
    for tensor in tensors(output):
        if tensor.requires_grad:
            weight = torch.randn(tensor.shape, generator=generator, dtype=torch.float64)
            parts = [tensor.real, tensor.imag] if tensor.is_complex() else [tensor]
            objective = objective + sum((part.double() * weight).sum() for part in parts)
    gradients = []
    if objective.requires_grad and leaves:
        found = torch.autograd.grad(objective, leaves, allow_unused=True)
        gradients = [
            torch.zeros_like(leaf) if grad is None else grad
            for leaf, grad in zip(leaves, found, strict=True)
        ]
    state = dict(owner.state_dict()) if is_module else None
    return Run(output, (args, kwargs), state, gradients)


# ---------------------------------------------------------------- comparison


def array(value: Any) -> np.ndarray:
    if isinstance(value, torch.Tensor):
        value = value.detach().resolve_conj()
        return (value.float() if value.dtype == torch.bfloat16 else value).numpy()
    return np.asarray(value)


def close(new: Any, old: Any, ref: Any, *, factor: float, where: str) -> None:
    """max|new - ref| <= factor max|old - ref| + factor / 2 FLOOR eps scale.

    ref is the original in double precision. Where the original is double already the two are the
    same and the second term alone decides. The scale is max|ref|; for gradients at least 1, the
    size of the random weights of the objective, since small gradients come out of cancellation.
    """
    before, after, exact = array(old), array(new), array(ref)
    if before.dtype.kind not in "fc":
        assert np.array_equal(before, after), f"{where}: values differ"
        return
    if exact.shape != before.shape:
        exact = before
    wide = np.complex128 if before.dtype.kind == "c" else np.float64
    before, after, exact = before.astype(wide), after.astype(wide), exact.astype(wide)
    finite = np.isfinite(before)
    assert np.array_equal(before[~finite], after[~finite], equal_nan=True), f"{where}: inf or nan"
    if not finite.any():
        return
    before, after, exact = before[finite], after[finite], exact[finite]
    eps = np.finfo(array(old).dtype).eps
    allowed = factor * np.abs(before - exact).max()
    scale = max(np.abs(exact).max(), float("gradient" in where))
    allowed += factor / 2 * FLOOR * eps * scale
    error = np.abs(after - exact).max()
    assert error <= allowed, f"{where}: error {error:.3g}, allowed {allowed:.3g}"


def same(new: Any, old: Any, ref: Any, *, factor: float = 2, where: str = "output") -> None:
    """Same structure, types, shapes, dtypes, need for gradients, and values."""
    if type(old).__module__ == "corpus_program":  # each run has its own copy of the class
        assert type(new).__qualname__ == type(old).__qualname__, f"{where}: class changed"
        new, old, ref = vars(new), vars(old), vars(ref)
    assert type(new) is type(old), f"{where}: {type(old).__name__} became {type(new).__name__}"
    if isinstance(old, torch.Tensor | np.ndarray | np.generic):
        assert new.shape == old.shape, f"{where}: shape {old.shape} became {new.shape}"
        assert new.dtype == old.dtype, f"{where}: dtype {old.dtype} became {new.dtype}"
        if isinstance(old, torch.Tensor):
            assert new.requires_grad == old.requires_grad, f"{where}: requires_grad changed"
        close(new, old, ref, factor=factor, where=where)
    elif isinstance(old, list | tuple):
        assert len(new) == len(old), f"{where}: length {len(old)} became {len(new)}"
        for i, (n, o, r) in enumerate(zip(new, old, ref, strict=True)):
            same(n, o, r, factor=factor, where=f"{where}[{i}]")
    elif isinstance(old, dict):
        assert list(new) == list(old), f"{where}: keys differ"
        for key in old:
            same(new[key], old[key], ref[key], factor=factor, where=f"{where}[{key!r}]")
    elif isinstance(old, float | complex):
        close(new, old, ref, factor=factor, where=where)
    else:
        assert new == old, f"{where}: {old!r} became {new!r}"


@lru_cache(maxsize=KEPT)
def runs(text: str, path: Path) -> tuple[tuple[Run, Run], ...]:
    """Every case of a text, and the same in double precision."""
    count = len(list(load(text, path).cases(np.random.default_rng(7))))
    return tuple(twice(load(text, path), index) for index in range(count))


def twice(module: types.ModuleType, index: int) -> tuple[Run, Run]:
    run = execute(module, index)
    try:
        return run, execute(module, index, double=True)
    except (RuntimeError, TypeError, ValueError):
        return run, run  # the program insists on a dtype


def compare(before: str, after: str, path: Path) -> None:
    """Run every case of both texts; raise AssertionError where a caller could see a difference."""
    for index, (old, ref) in enumerate(runs(before, path)):
        new = execute(load(after, path), index)
        same(new.output, old.output, ref.output, where=f"case {index}: output")
        same(new.arguments, old.arguments, ref.arguments, where=f"case {index}: argument")
        same(new.state, old.state, ref.state, where=f"case {index}: state")
        same(new.gradients, old.gradients, ref.gradients, factor=3, where=f"case {index}: gradient")


# ---------------------------------------------------------------- the audit


@lru_cache(maxsize=KEPT)
def findings_of(text: str, path: Path) -> tuple[Any, ...]:
    from auditor import audit

    report = audit.audit_text(text, str(path), audit.Options())
    assert not report.problems, report.problems
    return report.findings


def safe(findings: Iterable[Any]) -> list[Any]:
    return [f for f in findings if f.fix is not None and f.fix.applicability == "safe"]


def fixed(text: str, path: Path) -> str:
    """The text after all safe fixes; overlapping ones need several rounds."""
    from auditor.writing import edits

    for _ in range(6):
        findings = safe(findings_of(text, path))
        if not findings:
            return text
        result = edits.apply_fixes(text, findings)
        assert not result.refused, result.refused
        assert result.applied, "a safe fix was offered and none applied"
        text = result.text
    raise AssertionError("the fixes do not reach an end")


# of the module's scope, so that the tests of a program follow each other
every_program = pytest.mark.parametrize("path", paths(), ids=identifier, scope="module")


@every_program
def test_header_names_real_scopes(path: Path) -> None:
    known = scopes(program(path).text)
    for claim in program(path).expected + program(path).allowed:
        assert claim.scope in known


@every_program
def test_program_runs_as_written(path: Path) -> None:
    text = program(path).text
    assert list(load(text, path).cases(np.random.default_rng(7))), "no cases"
    compare(text, text, path)


@needs_audit
@every_program
def test_audit_says_what_the_header_says(path: Path) -> None:
    wanted = program(path)
    if wanted.expected and not RELEASED & {claim.code for claim in wanted.expected}:
        pytest.skip("its rewrite is not in the catalog")
    complaints = judge(wanted, findings_of(wanted.text, path))
    assert not complaints, "\n".join(complaints)


@needs_audit
@every_program
def test_safe_fixes_keep_the_meaning(path: Path) -> None:
    before = program(path).text
    after = fixed(before, path)
    promised = [claim for claim in program(path).expected if claim.levels == {"safe"}]
    wanted = any(claim.code in RELEASED for claim in promised)
    assert after != before or not wanted, "a safe fix was promised"
    if after != before:
        compare(before, after, path)


@needs_audit
@every_program
def test_exact_fixes_round_as_before(path: Path) -> None:
    from auditor.writing import edits

    before = program(path).text
    exact = [f for f in safe(findings_of(before, path)) if f.fix.numerics == "exact"]
    if not exact:
        return
    after = edits.apply_fixes(before, exact).text
    for index, (old, _) in enumerate(runs(before, path)):
        new = execute(load(after, path), index)
        same(new.output, old.output, old.output, factor=0, where=f"case {index}: output")
        same(new.arguments, old.arguments, old.arguments, factor=0, where=f"case {index}: argument")
        same(new.state, old.state, old.state, factor=0, where=f"case {index}: state")


@needs_audit
@every_program
def test_what_a_safe_fix_rests_on_holds(path: Path, request: pytest.FixtureRequest) -> None:
    if gap := test_licence.GAPS.get(identifier(path)):
        request.applymarker(pytest.mark.xfail(reason=gap, strict=True))
    assert not test_licence.unlicensed(findings_of(program(path).text, path))


@needs_audit
@every_program
def test_nothing_that_is_found_is_left_out(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = program(path).text
    screened = findings_of(text, path)
    whole = test_screening.unscreened(text, monkeypatch)
    assert test_screening.places(screened) == test_screening.places(whole.findings)


# ---------------------------------------------------------------- these tests can fail


def finding(code: str, level: str, scope: str) -> Any:
    fix = None if level == "advice" else types.SimpleNamespace(applicability=level)
    return types.SimpleNamespace(code=code, fix=fix, scope=scope)


def test_judge_accepts_and_rejects() -> None:
    header = "# expect: ASC101 safe scope=f\n# may: ASC106 any scope=f\n"
    wanted = read_program(Path("a.py"), header)
    right = finding("ASC101", "safe", "f")
    assert judge(wanted, [right]) == []
    assert judge(wanted, [right, finding("ASC106", "unsafe", "f")]) == []
    assert judge(wanted, [], released=frozenset(CODES))
    assert judge(wanted, [], released=frozenset({"ASC106"})) == []
    assert judge(wanted, [finding("ASC101", "unsafe", "f")])
    assert judge(wanted, [finding("ASC101", "safe", "g")])
    assert judge(wanted, [right, finding("ASC107", "safe", "f")])


def test_judge_holds_refusals() -> None:
    nothing = read_program(Path("a.py"), "# refuse: the state passes through tanh\n")
    assert judge(nothing, []) == []
    assert judge(nothing, [finding("ASC101", "advice", "f")]) == []
    assert judge(nothing, [finding("ASC101", "unsafe", "f")])
    one = read_program(Path("a.py"), "# refuse: ASC102 the readout is not linear\n")
    assert judge(one, [finding("ASC101", "safe", "f")]) == []
    assert judge(one, [finding("ASC102", "safe", "f")])


def test_headers_must_be_exact() -> None:
    for text in ("", "# expect: ASC101 safe\n", "# expect: ASC101 sure scope=f\n", "# refuse: \n"):
        with pytest.raises(ValueError):
            read_program(Path("a.py"), text)


WRONG = {
    "value": ("1 - alpha", "1 - 0.99 * alpha"),
    "shape": ("dim=1)", "dim=0)"),
    "dtype": ("dim=1)", "dim=1).double()"),
    "gradient": ("x[:, t]", "x[:, t].detach() + 0 * x[:, t]"),
    "mutation": ("return", "x.detach().zero_()\n    return"),
}


@pytest.mark.parametrize("name", WRONG)
def test_comparison_sees_a_wrong_rewrite(name: str) -> None:
    path = CORPORA / "recurrence" / "ema_append_stack.py"
    text = path.read_text(encoding="utf-8")
    old, new = WRONG[name]
    assert old in text
    with pytest.raises(AssertionError):
        compare(text, text.replace(old, new), path)
    compare(text, text, path)
