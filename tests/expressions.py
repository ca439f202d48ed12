"""Whole-array computations as the lifter encodes them, by name."""

from __future__ import annotations

from notation_builders import (
    D,
    E,
    K,
    M,
    N,
    T,
    ap,
    array,
    at,
    exp,
    expression,
    idx,
    red,
    value,
    where,
)  # fmt: skip

from auditor.notation import INF, Computation, Order, Read, Term, Value


def _out(name: str, axes: tuple[object, ...], body: object) -> Computation:
    return expression(value(name, axes, body))  # type: ignore[arg-type]


def reductions() -> dict[str, Computation]:
    x = array("x", N)
    k = idx("k", N)
    out = {
        "sum": _out("s", (), red("sum", k, at(x, k))),
        "max": _out("s", (), red("max", k, at(x, k))),
        "mean": _out("s", (), red("sum", k, at(x, k)) / N),
        "argmax": _out("s", (), red("argmax", k, at(x, k))),
        "argmin of sqrt": _out("s", (), red("argmin", k, ap("sqrt", at(x, k)))),
    }
    k1, k2, k3 = (idx("k", N) for _ in range(3))
    mean = value("mean", (), red("sum", k1, at(x, k1)) / N)
    out["variance"] = _out("s", (), red("sum", k2, (at(x, k2) - at(mean)) ** 2) / N)
    deviation = red("sum", k3, ap("abs", at(x, k3) - at(mean)))
    out["mean deviation"] = _out("s", (), deviation / N)
    rank = ap("floordiv", N, 2).term
    out["median"] = _out("s", (), E(Order(idx("k", N), Read(x, ()), rank, False, "values")))
    index = idx("k", N)
    out["median"] = _out("s", (), E(Order(index, at(x, index).term, rank, False, "values")))
    r, index = idx("r", K), idx("k", N)
    out["top-k"] = _out("best", (r,), E(Order(index, at(x, index).term, r, True, "values")))
    return out


def softmax(across: bool = False) -> Computation:
    """exp(x - max) / sum; ``across`` takes the maximum over the other axis."""
    x = array("x", N, M)
    a, b = idx("a", N), idx("b", M)
    if across:
        l = idx("l", N)
        m = value("m", (b,), red("max", l, at(x, l, b)))
    else:
        l = idx("l", M)
        m = value("m", (a,), red("max", l, at(x, a, l)))
    i, j, k = idx("i", N), idx("j", M), idx("k", M)
    shift = (lambda p, q: at(m, q)) if across else (lambda p, q: at(m, p))
    total = red("sum", k, exp(at(x, i, k) - shift(i, k)))
    return _out("y", (i, j), exp(at(x, i, j) - shift(i, j)) / total)


def attention(causal: bool = True) -> Computation:
    q, kk, v = array("q", T, D), array("k", T, D), array("v", T, D)
    i, j, d, e = idx("i", T), idx("j", T), idx("d", D), idx("e", D)
    body = red("sum", d, at(q, i, d) * at(kk, j, d)) / ap("sqrt", D)
    if causal:
        body = where(E(j) <= i, body, -E(INF))
    s = value("scores", (i, j), body)
    i2, j2, l, j3 = idx("i", T), idx("j", T), idx("l", T), idx("j", T)
    weight = exp(at(s, i2, j2) - red("max", l, at(s, i2, l)))
    p = value(
        "p", (i2, j2), weight / red("sum", j3, exp(at(s, i2, j3) - red("max", l, at(s, i2, l))))
    )
    t, j4 = idx("t", T), idx("j", T)
    return _out("y", (t, e), red("sum", j4, at(p, t, j4) * at(v, j4, e)))


def matmul() -> Computation:
    a, b = array("A", N, K), array("B", K, M)
    i, j, k = idx("i", N), idx("j", M), idx("k", K)
    return _out("C", (i, j), red("sum", k, at(a, i, k) * at(b, k, j)))


def gram() -> Computation:
    a = array("A", N, K)
    i, j, k = idx("i", N), idx("j", N), idx("k", K)
    return _out("G", (i, j), red("sum", k, at(a, i, k) * at(a, j, k)))


def nbody() -> Computation:
    """force[i] = sum_j m[j] (x[j] - x[i]) / (|x[j] - x[i]|^3 + eps)."""
    x, m = array("x", N, 3), array("m", N)
    i, j, c, e = idx("i", N), idx("j", N), idx("c", 3), idx("e", 3)
    square = red("sum", e, (at(x, j, e) - at(x, i, e)) ** 2)
    r = at(x, j, c) - at(x, i, c)
    return _out("F", (i, c), red("sum", j, at(m, j) * r / (square + 0.01) ** 1.5))


def stencil() -> Computation:
    x = array("x", N)
    i = idx("i", (E(N) - 2).term)
    return _out("y", (i,), (at(x, i) + at(x, E(i) + 1) + at(x, E(i) + 2)) / 3)


def convolution() -> Computation:
    x, w = array("x", N), array("w", 5)
    i, k = idx("i", (E(N) - 4).term), idx("k", 5)
    return _out("y", (i,), red("sum", k, at(w, k) * at(x, E(i) + k)))


def toeplitz() -> Computation:
    x, w = array("x", N), array("w", N)
    i, j = idx("i", N), idx("j", N)
    return _out("y", (i,), red("sum", j, where(E(j) <= i, at(w, E(i) - j), 0) * at(x, j)))


def banded() -> Computation:
    s, x = array("S", N, N), array("x", N)
    i, j = idx("i", N), idx("j", N)
    near = ap("le", ap("abs", E(i) - j), 4)
    return _out("y", (i,), red("sum", j, where(near, at(s, i, j), 0) * at(x, j)))


def one_hot() -> Computation:
    w, c = array("W", N, M), array("c", T, dtype="int64")
    t, n, m = idx("t", T), idx("n", N), idx("m", M)
    hot = where(at(c, t).eq(n), 1.0, 0.0)
    return _out("y", (t, m), red("sum", n, hot * at(w, n, m)))


def prefix_sums() -> Computation:
    x = array("x", N)
    i = idx("i", N)
    k = idx("k", (E(i) + 1).term)
    return _out("y", (i,), red("sum", k, at(x, k)))


def pairwise() -> Computation:
    x, y = array("x", N, D), array("y", M, D)
    i, j, d = idx("i", N), idx("j", M), idx("d", D)
    return _out("d", (i, j), red("sum", d, (at(x, i, d) - at(y, j, d)) ** 2))


def pointwise() -> Computation:
    x = array("x", N)
    i = idx("i", N)
    return _out("y", (i,), at(x, i) * 2 + 1)


def every() -> dict[str, Computation]:
    single = [
        softmax, attention, matmul, gram, nbody, stencil, convolution, toeplitz, banded, one_hot,
        prefix_sums, pairwise, pointwise,
    ]  # fmt: skip
    return {**reductions(), **{make.__name__: make() for make in single}}


__all__ = ["Term", "Value", "every"]
