"""The benchmark of the kernels: that every case computes what it replaces, and what is written of a
result. What it measures is not tested."""

from __future__ import annotations

import functools
import json

import pytest
import torch

from auditor import kernels
from benchmarks import kernels as benchmark
from benchmarks.kernel_cases import Case, cases
from benchmarks.kernel_peers import PEERS
from benchmarks.kernel_report import failures, plots, table

APPROXIMATE = {"linear_int8": 0.02, "barnes_hut": 0.01}
NO_WORK = {"per_step", "int8_error", "int8_weights", "quantise_int8"}
"""Public functions that arrange views or prepare what another one is measured with."""


@functools.cache
def named():
    return {f"{case.family} {case.name}": case for case in cases("cpu", quick=True)}


def test_every_kernel_is_measured():
    families = {case.family for case in named().values()}
    assert families == set(kernels.__all__) - NO_WORK
    assert set(PEERS) <= families


@pytest.mark.parametrize("name", named())
def test_a_case_computes_what_it_replaces(name):
    case = named()[name]
    found, expected = case.kernel(*case.inputs), case.eager(*case.inputs)
    limit = APPROXIMATE.get(case.family, 1e-4) * expected.abs().max()
    assert found.shape == expected.shape
    assert (found - expected).abs().max() <= limit


def result(monkeypatch, peers):
    """One measured case, beside peers that a test gives."""
    monkeypatch.setitem(benchmark.PEERS, "double", peers)
    monkeypatch.setattr(benchmark, "compiled_eager", lambda case: case.eager)
    case = Case("double", "of 8", lambda x: x * 2, lambda x: x + x, (torch.ones(8),), operations=8)
    row = benchmark.measure(case, "cpu", seconds=0, limit=5, rate=1e6)
    about = {**benchmark.provenance("cpu"), "operations_per_second": 1e9}
    return json.loads(json.dumps({"provenance": about, "results": [row]}))


def missing(case):
    raise ModuleNotFoundError("No module named 'faster'")


def endless(case):
    while True:
        pass


def test_what_does_not_run_is_listed_with_the_reason(monkeypatch):
    peers = [
        benchmark.Peer("good", lambda case: lambda x: 2 * x, trains=False),
        benchmark.Peer("absent", missing),
        benchmark.Peer("wrong", lambda case: lambda x: 3 * x),
        benchmark.Peer("another case's", lambda case: unsuited()),
    ]
    found = result(monkeypatch, peers)
    (row,) = found["results"]
    assert set(row["forward"]["ms"]) == {"kernel", "eager", "torch.compile", "good", "copy"}
    assert set(row["training"]["ms"]) == {"kernel", "eager", "torch.compile"}
    assert set(row["failed"]) == {"absent", "wrong"}
    assert "- absent (double): ModuleNotFoundError: No module named 'faster'" in table(found)
    assert row["forward"]["floor_ms"] >= 8 / 1e6


def unsuited():
    raise benchmark.NotForThis


def test_what_takes_too_long_is_ended():
    with pytest.raises(benchmark.TooLong), benchmark.within(0.05):
        endless(None)


def test_a_busy_machine_is_said_to_be_busy(monkeypatch):
    found = result(monkeypatch, [])
    found["provenance"] |= {"idle": False, "at_work_before": 3.0}
    assert "The machine was busy (3.0 of" in table(found)
    found["provenance"]["idle"] = True
    assert "busy" not in table(found)
    assert list(failures(found["results"])) == []


def test_plots_are_drawn(monkeypatch, tmp_path):
    pytest.importorskip("matplotlib")
    found = result(monkeypatch, [])
    plots(found, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"speed-up.svg", "roofline.svg"}


@pytest.mark.parametrize("slow, measured", [("eager", {"kernel"}), ("kernel", set())])
def test_what_does_not_train_in_time_ends_no_run(monkeypatch, slow, measured):
    def stuck(function, inputs):
        return lambda: endless(None) if function is functions[slow] else None

    functions = {"kernel": lambda x: x * 2, "eager": lambda x: x + x}
    case = Case("double", "of 8", *functions.values(), (torch.ones(8),), operations=8)
    monkeypatch.setattr(benchmark, "compiled_eager", lambda case: unsuited())
    monkeypatch.setattr(benchmark, "training", stuck)
    row = benchmark.measure(case, "cpu", seconds=0, limit=0.2, rate=1e6)
    assert set(row.get("training", {"ms": {}})["ms"]) == measured
    assert f"{slow}, backward: no result" in benchmark.shown(row)
    about = {**benchmark.provenance("cpu"), "operations_per_second": 1e9}
    assert "double" in table({"provenance": about, "results": [row]})
