"""What the elements of each domain do to a state, with NumPy: a step of a loop that was proven to
be in a domain must be that function. That such functions compose is tested for each domain in
tests/test_algebra_fuzz.py."""

from __future__ import annotations

import numpy as np

from auditor.algebra.summary import Summary

Numbers = dict[str, np.ndarray]


def single(stage: Summary, e: Numbers, old: np.ndarray) -> np.ndarray:
    """The next value of a stage of one carry."""
    if stage.domain in ("max", "min"):
        return (np.maximum if stage.domain == "max" else np.minimum)(old, e["x"])
    if "high" in e:
        return np.minimum(e["high"], np.maximum(e["low"], e.get("a", 1) * old + e.get("b", 0)))
    if "modulus" in e:
        return (e["a"] * old + e["b"]) % e["modulus"]
    if "if_true" in e:
        return np.where(old.astype(bool), e["if_true"], e["if_false"])
    if "power" in e:
        return e["factor"] * old ** e["power"]
    if "root" in e:
        return (e["a"] * old ** e["root"] + e["b"]) ** (1 / e["root"])
    if stage.domain == "quotients":
        return (old + e["b"]) // e["m"]
    if stage.domain == "log-semiring":
        return np.logaddexp(old + e["a"], e["b"])
    if "c" in e:
        return (e["a"] * old + e["b"]) / (e["c"] * old + e["d"])
    return e["x"] if "x" in e else e["a"] * old + e["b"]


def matrix(e: Numbers, old: list[np.ndarray]) -> list[np.ndarray]:
    """The next values of jointly affine carries."""
    out = []
    for row in range(len(old)):
        total = e[f"b{row}"]
        for column, value in enumerate(old):
            total = total + e.get(f"a{row}{column}", np.array(0.0)) * value
        out.append(total)
    return out


def max_plus(e: Numbers, old: list[np.ndarray]) -> list[np.ndarray]:
    """The next values of carries that are jointly linear over max-plus."""
    booleans = [f"inclusive{n}" in e for n in range(len(old))]
    inner = []
    for n, value in enumerate(old):
        number = np.where(value.astype(bool), np.inf, -np.inf) if booleans[n] else value
        inner.append(e[f"sign{n}"] * number)
    out = []
    for row in range(len(old)):
        best = e.get(f"b{row}", np.array(-np.inf))
        for column, value in enumerate(inner):
            if f"a{row}{column}" in e:
                a = e[f"a{row}{column}"]
                best = np.maximum(best, np.where(np.isneginf(a), -np.inf, a + value))
        number = e[f"sign{row}"] * best
        if booleans[row]:
            number = np.where(e[f"inclusive{row}"].astype(bool), number >= 0, number > 0)
        out.append(number)
    return out


def lattice(e: Numbers, old: list[np.ndarray]) -> list[np.ndarray]:
    """The next values of carries that exchange places with inputs."""
    out = []
    for row in range(len(old)):
        best = None
        for name, limit in e.items():
            if not name.startswith(f"c{row}_"):
                continue
            part = limit
            for column in name.partition("_")[2]:
                part = np.minimum(part, old[int(column)])
            best = part if best is None else np.maximum(best, part)
        assert best is not None
        out.append(best)
    return out
