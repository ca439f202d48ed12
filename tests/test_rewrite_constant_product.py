"""Products of a module's own matrices: the fix, which is unsafe, keeps values and gradients, and
follows the parameters through training, loading and casting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from test_corpora import CORPORA, compare

from auditor import audit
from auditor.writing import edits

FOUND = sorted(p for p in (CORPORA / "constants").glob("*.py") if not p.stem.startswith("not_"))


def rewritten(text: str) -> str:
    report = audit.audit_text(text, "example.py", audit.Options())
    found = [finding for finding in report.findings if finding.code == "ASC113"]
    assert found and all(finding.fix.applicability == "unsafe" for finding in found)
    return edits.apply_fixes(text, found).text


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_values_and_gradients_stay(path: Path) -> None:
    before = path.read_text(encoding="utf-8")
    compare(before, rewritten(before), path)


def made(text: str) -> Any:
    space: dict[str, Any] = {}
    exec(compile(text, "example.py", "exec"), space)
    torch.manual_seed(0)
    return space["Block"]()


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_follows_what_happens_to_the_module(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    old, new = made(text), made(rewritten(text))
    assert old.state_dict().keys() == new.state_dict().keys()
    x = torch.randn(5, 32)

    def same() -> None:
        for _ in range(2):
            with torch.inference_mode():
                torch.testing.assert_close(new(x), old(x), rtol=2e-4, atol=2e-5)

    same()
    for module in (old, new):
        parameters = list(module.parameters())
        if parameters:
            module(x).square().mean().backward()
            torch.optim.SGD(parameters, lr=0.1).step()
    same()
    state = {name: value * 0.5 for name, value in old.state_dict().items()}
    for module in (old, new):
        module.load_state_dict(state)
    same()
    x = x.double()
    for module in (old, new):
        module.double()
    same()
    assert new(x).dtype == torch.float64
