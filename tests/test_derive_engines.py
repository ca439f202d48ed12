"""The generated programs on the engines themselves, in their local modes: data split unevenly, some
parts empty; the result is the loop's."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_derive import derived
from test_derive_scans import derived as scan

from auditor.derive.program import program

# name of the fold, its elements in parts, what its functions are given
CASES: list[tuple[str, list[list[Any]], dict[str, Any]]] = [
    ("total", [[1, 2, 3], [], [4], [5, 6, 7, 8, 9, 10, 11]], {}),
    ("kadane", [[3, -9, 4], [-1, 2], [], [1, -5, 4, 4, -2], [7]], {}),
    ("welford", [[], [1.5, 2.5], [4.0], [-3.0, 8.0, 8.0, 1.0], []], {}),
    ("horner", [[1, 2], [], [3], [4, 5, 6, 7]], {"t": 2}),
    ("wc", [["a", "b", "a"], [], ["c"], ["a", "c", "d", "b", "b"]], {}),
    ("longest", [[1, 1, 2], [2, 2], [], [2, 3, 3, 3], [3]], {}),
    ("is_sorted", [[1, 2], [], [3], [3, 9, 8]], {}),
    ("firstneg", [[(0, 4)], [], [(1, 2), (2, -1)], [(3, -5)]], {}),
    ("fsm", [[1, 0, 1], [], [1], [0, 0]], {}),
    ("counted_while", [[3, -9, 4], [], [2, -1], [1, -5, 4, 4]], {}),
    ("place_of_three", [[1, 2], [], [4], [7, 3, 3, 0]], {}),
    ("kept_in_a_dict", [[1, 2], [], [9], [-4, 3, 12, 0]], {}),
    ("everything_of_a_log", [[[1, 6, 30], [2, 0, 4]], [], [[1, 1, 9], [3, 7, 2]], [[2, 5, 5]]], {}),
    ("best_row", [[[1, 2], [3]], [], [[4, -2, 7]], [[1], [0, 1]]], {}),
]
# loops that keep running values
SCANS: list[tuple[str, list[list[Any]], dict[str, Any]]] = [
    ("smoothed", [[1.0, 2.0], [], [3.0], [4.0, 5.0, 6.0, 7.0]], {"a": 0.5}),
    ("some_of_them", [[], [3, 1, 4], [1, 5], [9, 2, 6], [5, 10]], {}),
    ("two_states", [[4], [5, 7], [], [1, 1, 8]], {}),
    ("by_places", [[5, 6], [], [1, 8, 3], [4]], {"k": 3}),
]
NAMES = [name for name, _, _ in (*CASES, *SCANS)]

DRIVER = """
import importlib, json, sys

def main():
    for name, parts, options in json.load(open("cases.json")):
        parts = [[tuple(e) if isinstance(e, list) else e for e in part] for part in parts]
        made = importlib.import_module("derived_" + name)
        expected = made.loop([e for part in parts for e in part], **options)
        got = run(made, parts, options)
        same = got == expected or len(got) == len(expected) and all(
            abs(a - b) < 1e-9 for a, b in zip(got, expected)
        )
        assert same, (name, got, expected)
        print("same", name)

if __name__ == "__main__":
    main()
"""


def folder(target: str, run: str, path: Path) -> Path:
    """The generated modules with a program that runs them."""
    for name, _, _ in CASES:
        text = program(derived(name), "folds.py", target)
        (path / f"derived_{name}.py").write_text(text, encoding="utf-8")
    for name, _, _ in SCANS:
        text = program(scan(name), "scans.py", target)
        (path / f"derived_{name}.py").write_text(text, encoding="utf-8")
    (path / "cases.json").write_text(json.dumps([*CASES, *SCANS]), encoding="utf-8")
    (path / "driver.py").write_text(run + DRIVER, encoding="utf-8")
    return path


def drive(path: Path, command: list[str] | None = None, **variables: str) -> None:
    done = subprocess.run(
        command or [sys.executable, "driver.py"],
        capture_output=True,
        text=True,
        cwd=path,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(path), **variables},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for name in NAMES:
        assert f"same {name}" in done.stdout


def needs(module: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")


@pytest.mark.parametrize("target", ["threads", "processes"])
def test_on_threads_and_processes(target: str, tmp_path: Path) -> None:
    run = """
def run(made, parts, options):
    whole = getattr(made, "fold", None) or made.scan
    return whole(parts, workers=2, **options)
"""
    drive(folder(target, run, tmp_path))


def test_on_dask(tmp_path: Path) -> None:
    needs("dask")
    run = """
import dask
from dask import bag

def run(made, parts, options):
    stored = bag.from_delayed([dask.delayed(list)(part) for part in parts])
    whole = made.scan if hasattr(made, "scan") else made.fold
    return whole(stored, **options).compute(scheduler="threads", num_workers=2)
"""
    drive(folder("dask", run, tmp_path))


def test_on_ray(tmp_path: Path) -> None:
    needs("ray")
    run = """
import os
import ray

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False,
         runtime_env={"env_vars": {"PYTHONPATH": os.getcwd()}})

def run(made, parts, options):
    whole = made.scan if hasattr(made, "scan") else made.fold
    return whole([ray.put(part) for part in parts], **options)
"""
    drive(folder("ray", run, tmp_path), RAY_USAGE_STATS_ENABLED="0")


def test_on_spark(tmp_path: Path) -> None:
    needs("pyspark")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("there is no Java for Spark")
    run = """
from pyspark.sql import SparkSession

session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
context = session.sparkContext

def run(made, parts, options):
    whole = context.parallelize(list(enumerate(parts)), len(parts))
    placed = whole.partitionBy(len(parts), lambda number: number)
    elements = placed.flatMap(lambda pair: pair[1])
    if hasattr(made, "scan"):
        return made.scan(elements, **options).collect()
    return made.fold(elements, **options)
"""
    variables = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    drive(folder("spark", run, tmp_path), **variables)


RANKS = """
import importlib, json, os, sys
import torch.distributed as dist
import torch.multiprocessing as mp


def close(a, b):
    return a == b or all(abs(x - y) < 1e-9 for x, y in zip(a, b))


def worker(rank, ranks, without):
    store = "file://" + os.path.join(os.getcwd(), "store")
    dist.init_process_group("gloo", init_method=store, rank=rank, world_size=ranks)
    group = dist.new_group(range(without, ranks)) if without else None
    rank, ranks = dist.get_rank(group), ranks - without
    for name, parts, options in json.load(open("cases.json")) if rank >= 0 else ():
        parts = [[tuple(e) if isinstance(e, list) else e for e in part] for part in parts]
        made = importlib.import_module("derived_" + name)
        # parts go to the ranks in order, some ranks get several of them and some none
        mine = [[] for _ in range(ranks)]
        for number, part in enumerate(parts):
            mine[number * ranks // len(parts)] += part
        whole = [e for part in parts for e in part]
        before = sum(map(len, mine[:rank]))
        held = made.scan(mine[rank], **options, group=group)
        if not hasattr(made, "fold"):
            assert made.scan([], **options, group=group) == [], name
            earlier = len(made.loop(whole[:before], **options))
            both = made.loop(whole[: before + len(mine[rank])], **options)
            assert close(held, both[earlier:]), name
            if rank == 0:
                print("same", name, flush=True)
            continue
        got = made.fold(mine[rank], **options, group=group)
        assert close(got, made.loop(whole, **options)), name
        assert len(held) == len(mine[rank]), name
        for place, value in enumerate(held):
            assert close(value, made.loop(whole[: before + place + 1], **options)), (name, place)
        if rank == 0:
            print("same", name, flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    ranks, without = map(int, sys.argv[1:])
    mp.spawn(worker, (ranks, without), nprocs=ranks)
"""


@pytest.mark.parametrize("ranks, without", [(2, 0), (4, 0), (3, 1)])
def test_on_torch_distributed(ranks: int, without: int, tmp_path: Path) -> None:
    """On all processes, and on a group without the first."""
    pytest.importorskip("torch")
    path = folder("torch-distributed", "", tmp_path)
    (path / "ranks.py").write_text(RANKS, encoding="utf-8")
    command = [sys.executable, "ranks.py", str(ranks), str(without)]
    drive(path, command, OMP_NUM_THREADS="1", GLOO_SOCKET_IFNAME="lo")


def test_an_engine_is_not_imported_by_the_audit() -> None:
    code = "import sys, auditor.derive.program; print([m for m in sys.modules if m in " \
           "('dask', 'ray', 'pyspark', 'torch', 'hypothesis')])"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
