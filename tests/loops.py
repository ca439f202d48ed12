"""Loops as the lifter encodes them, by name; used by the tests of domains and of properties."""

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
    idx,
    log,
    loop,
    maximum,
    minimum,
    red,
    state,
    value,
    where,
)  # fmt: skip

from auditor.notation import INF, Apply, Computation, Const, Order, Read, Trace, Value

LOW = Const(float("-inf"))


def _input(*extents: object, name: str = "x", dtype: str | None = None) -> Value:
    return array(name, *(extents or (T,)), dtype=dtype)


def simple() -> dict[str, Computation]:
    """Loops over x[t] with scalar states."""
    x = _input()
    out: dict[str, Computation] = {}

    def one(name: str, update: object, init: object = 0.0, dtype: str | None = None) -> None:
        t = idx("t", T)
        s = Value("s", (), kind="state", dtype=dtype)
        out[name] = loop(t, (s, init, update(at(s), at(x, t), t)))  # type: ignore[operator]

    one("sum", lambda s, v, t: s + v)
    one("product", lambda s, v, t: s * v, 1.0)
    one("ema", lambda s, v, t: s * 0.9 + v * 0.1)
    one("horner", lambda s, v, t: s * 2 + v)
    one("running mean", lambda s, v, t: s + (v - s) / (E(t) + 1))
    one("max", lambda s, v, t: maximum(s, v), LOW)
    one("max by branch", lambda s, v, t: where(v > s, v, s), LOW)
    one("min by branch", lambda s, v, t: where(s > v, v, s), INF)
    one("bits", lambda s, v, t: ap("call:bitwise_xor", v, s))
    one("mixed bits", lambda s, v, t: ap("call:bitwise_and", ap("call:bitwise_xor", s, v), s))
    one("kadane", lambda s, v, t: maximum(s + v, v))
    one("relu walk", lambda s, v, t: ap("relu", s + v))
    one("bucket", lambda s, v, t: minimum(maximum(s + v, 0), 10))
    one("last seen", lambda s, v, t: where(v > 0, v, s))
    one("count", lambda s, v, t: where(v > 0, s + 1, s))
    one("previous", lambda s, v, t: v)
    one("logsumexp", lambda s, v, t: ap("logaddexp", s, v), LOW)
    one("log of exps", lambda s, v, t: log(exp(s + v) + exp(v)))
    one("fraction", lambda s, v, t: 1 / (s + v))
    one("moebius", lambda s, v, t: (s * v + 1) / (s + v))
    one("parity", lambda s, v, t: ap("xor", s, v > 0), False)
    one("any", lambda s, v, t: ap("or", s, v > 0), False)
    one("wheel", lambda s, v, t: (s * 3 + t) % 7, 0)
    # none of these is a scan
    one("tanh", lambda s, v, t: ap("tanh", s + v))
    one("logistic", lambda s, v, t: s * 3.9 * (1 - s))
    one("rare branch", lambda s, v, t: where(v.eq(424242), s * s, s + v))
    one("reset", lambda s, v, t: where(s > 10, 0, s + v))
    one("opaque", lambda s, v, t: ap("call:step", s, v))
    one("saturating int", lambda s, v, t: maximum(s + v, 0), 0, "int32")
    half = lambda s, v, t: ap("cast:float32", ap("cast:float16", s + v))  # noqa: E731
    one("rounded", half, 0.0, "float32")
    t, s = idx("t", T), state("s")
    out["pointer"] = loop(t, (s, 0, at(x, at(s))))
    y, c = state("s"), state("c")
    t = idx("t", T)
    shifted = at(x, t) - at(c)
    total = at(y) + shifted
    out["kahan"] = loop(t, (y, 0.0, total), (c, 0.0, (total - at(y)) - shifted))
    u = state("u", a := idx("a", N))
    t = idx("t", N)
    new = (at(u, E(t) - 1) + at(u, E(t) + 1)) / 2
    out["gauss-seidel"] = loop(t, (u, at(_input(N), a), where(E(a).eq(t), new, at(u, a))))
    return out


def coupled() -> dict[str, Computation]:
    x = _input()
    y = _input(name="y")
    out: dict[str, Computation] = {}
    t, a, b = idx("t", T), state("a"), state("b")
    out["fibonacci"] = loop(t, (a, 0, at(b)), (b, 1, at(a) + at(b)))
    t, a, b = idx("t", T), state("y1"), state("y2")
    out["iir"] = loop(t, (a, 0.0, at(x, t) - at(a) * 0.5 - at(b) * 0.2), (b, 0.0, at(a)))
    h, w = state("h", i := idx("i", N)), array("W", N, N)
    t, k = idx("t", T), idx("k", N)
    out["linear rnn"] = loop(t, (h, 0.0, red("sum", k, at(w, i, k) * at(h, k)) + at(x, t)))
    m, p = state("m"), state("p")
    t = idx("t", T)
    better = at(x, t) > at(m)
    out["argmax"] = loop(
        t, (m, LOW, where(better, at(x, t), at(m))), (p, 0, where(better, t, at(p)))
    )
    m, p = state("m"), state("p")
    t = idx("t", T)
    v = at(x, t)
    out["second largest"] = loop(
        t,
        (m, LOW, where(v > at(m), v, at(m))),
        (p, LOW, where(v > at(m), at(m), where(v > at(p), v, at(p)))),
    )
    out["online softmax"] = online_softmax(branch=False)
    out["online softmax by branch"] = online_softmax(branch=True)
    m, l, o = state("m"), state("l"), state("o", e := idx("e", D))
    t, vals = idx("t", T), array("v", T, D)
    new = maximum(at(m), at(x, t))
    out["online attention"] = loop(
        t,
        (m, LOW, new),
        (l, 0.0, at(l) * exp(at(m) - new) + exp(at(x, t) - new)),
        (o, 0.0, at(o, e) * exp(at(m) - new) + exp(at(x, t) - new) * at(vals, t, e)),
    )
    n, mean, m2 = state("n"), state("mean"), state("M2")
    t = idx("t", T)
    count = at(n) + 1
    delta = at(x, t) - at(mean)
    updated = at(mean) + delta / count
    out["welford"] = loop(
        t, (n, 0, count), (mean, 0.0, updated), (m2, 0.0, at(m2) + delta * (at(x, t) - updated))
    )
    t, s, q = idx("t", T), state("s"), state("q")
    out["moments"] = loop(t, (s, 0.0, at(s) + at(x, t)), (q, 0.0, at(q) + at(x, t) * at(x, t)))
    t, s, r = idx("t", T), state("s"), state("r")
    out["two nonlinear"] = loop(t, (s, 0.1, at(r) * at(s)), (r, 0.2, at(s) + at(x, t)))
    t, s, r = (
        idx("t", T),
        state(
            "in_word",
        ),
        state("words"),
    )
    out["dot"] = loop(idx("t", T), (r, 0.0, at(r) + at(x, t) * at(y, t)))
    out["dot"] = loop(t, (r, 0.0, at(r) + at(x, t) * at(y, t)))
    return out


def online_softmax(branch: bool) -> Computation:
    x = _input()
    t, m, l = idx("t", T), state("m"), state("l")
    v = at(x, t)
    if branch:
        better = v > at(m)
        return loop(
            t,
            (m, LOW, where(better, v, at(m))),
            (l, 0.0, where(better, at(l) * exp(at(m) - v) + 1, at(l) + exp(v - at(m)))),
        )
    new = maximum(at(m), v)
    return loop(t, (m, LOW, new), (l, 0.0, at(l) * exp(at(m) - new) + exp(v - new)))


def mamba() -> Computation:
    """The loop of a selective state space model."""
    batch, width, size = N, D, M
    delta, a = array("delta", batch, T, width), array("A", width, size)
    b_in, c_in = array("B", batch, T, size), array("C", batch, T, size)
    x = array("x", batch, T, width)
    t, i, d, n = idx("t", T), idx("b", batch), idx("d", width), idx("n", size)
    h = state("h", i, d, n)
    step = value("A_bar", (i2 := idx("b", batch), d2 := idx("d", width), n2 := idx("n", size)),
                 exp(at(delta, i2, t, d2) * at(a, d2, n2)))  # fmt: skip
    update = at(step, i, d, n) * at(h, i, d, n) + at(b_in, i, t, n) * at(x, i, t, d)

    def outputs(scan: object) -> list[object]:
        k = idx("n", size)
        after = Trace(scan, 0, t, (i, d, k))  # type: ignore[arg-type]
        return [red("sum", k, at(c_in, i, t, k) * E(after))]

    made = loop(t, (h, 0.0, update), per_step=outputs)
    y = Value("y", (i, t, d), made.per_step[0])
    return Computation("loop", "f", made.span, (y,), made.scan, made.per_step)


def streaming_top_k() -> Computation:
    """The K largest so far, merged with each new element."""
    x = _input()
    t, r, j = idx("t", T), idx("r", K), idx("j", Apply("add", (K, Const(1))))
    best = state("best", r)
    kept = where(E(j) < K, at(best, j), at(x, t))
    update = Order(j, kept.term, r, True, "values")
    return loop(t, (best, LOW, update))


__all__ = ["Read", "coupled", "mamba", "online_softmax", "simple", "streaming_top_k"]
