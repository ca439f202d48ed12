"""Names of a loop that clash with the module that is written of it, whatever they are called."""

from __future__ import annotations

import pytest

from auditor.audit import Options, audit_text
from auditor.derive import found

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
