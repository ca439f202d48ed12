"""Following what a value depends on through the loops before it."""

from __future__ import annotations

import pytest

from auditor import lift
from auditor.lift import inline


def _chain(loops: int) -> str:
    """A function of ``loops`` loops, each over what the one before it left."""
    lines = ["import torch", "def f(x: torch.Tensor):"]
    for number in range(loops):
        lines += [
            f"    y{number} = torch.softmax(x @ x.T + {number}, -1) @ x",
            "    for t in range(1, x.shape[0]):",
            f"        x[t] = 0.5 * x[t - 1] + y{number}[t]",
        ]
    return "\n".join([*lines, "    return x", ""])


def test_work_does_not_double_with_each_loop_before(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    ask = inline._term_depends

    def counted(*arguments: object) -> bool:
        nonlocal asked
        asked += 1
        return ask(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(inline, "_term_depends", counted)

    def work(loops: int) -> int:
        nonlocal asked
        asked = 0
        parsed = lift.read(_chain(loops))
        ((scope, node, _),) = lift.functions(parsed)
        lift.lift(parsed, scope, node, None, {})
        return asked

    assert 0 < work(10) < 8 * work(5)
