"""Names of a loop that clash with the module that is written of it, whatever they are called."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_derive import module

from auditor.audit import Options, audit_text
from auditor.derive import found
from auditor.derive.found import Derived, derive_at
from auditor.derive.program import program

TEXT = """
def f(stats, arms, bandits):
    sums_by_name = {}
    labels = {}
    for bandit in bandits:
        for arm in arms:
            name = str(bandit) + "_" + str(arm)
            labels[name] = []
            sums = []
            sums_by_name[name] = []
            for key in stats[bandit].keys():
                if key != "total":
                    labels[name].append(key)
                    sums.append(stats[bandit][key][arm]["sum"])
            total = 0
            for item in sums:
                total += item
                sums_by_name[name].append(total)
    return labels, sums_by_name
"""


def test_renaming_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    under_another_name = found.under_another_name

    def counted(place: found.Place, name: str) -> found.Place | None:
        names.append(name)
        return under_another_name(place, name)

    monkeypatch.setattr(found, "under_another_name", counted)
    audit_text(TEXT, "program.py", Options(everything=True))
    assert names
    assert len(names) < 40


@pytest.mark.parametrize("name", ["stopped", "answer"])
def test_what_the_loop_carries_is_no_exit(name: str, tmp_path: Path) -> None:
    text = (
        f"def f(xs):\n    {name} = best = 0\n    for x in xs:\n        {name} += x\n"
        f"        best = max(best, {name})\n    return best, {name}\n"
    )
    found = derive_at(text, 3)
    assert isinstance(found, Derived), found
    made = module(program(found, "f.py", "python"), tmp_path / f"derived_{name}.py")
    pieces = [made.piece([3, -5, 4]), made.piece([2, -1])]
    assert tuple(made.finish(made.merge(pieces))) == (4, 3)
