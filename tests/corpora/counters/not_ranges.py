# refuse: the loop ends where a step says, or the counter is used otherwise
import numpy as np


def unknown(u, stop):
    """A stop of 4.5 is no end of a range."""
    v = u.copy()
    i = 1
    while i < stop:
        v[i] = 0.5 * (u[i - 1] + u[i + 1])
        i += 1
    return v


def counted(u):
    v = u.copy()
    i = 1
    while i < len(u) - 1:
        v[i] = 0.5 * (u[i - 1] + u[i + 1])
        i += 1
    return v, i


def growing(found):
    total = np.zeros(8)
    i = 0
    while i < len(found):
        total[found[i]] += 1
        if found[i] > 2:
            found.append(found[i] // 2)
        i += 1
    return total


def skipping(u, keep):
    v = u.copy()
    i = 1
    while i < len(u) - 1:
        if keep[i]:
            i += 1
            continue
        v[i] = 0.5 * (u[i - 1] + u[i + 1])
        i += 1
    return v


def shrinking(u):
    v = u.copy()
    n = len(u)
    i = 1
    while i < n - 1:
        v[i] = 0.5 * (u[i - 1] + u[i + 1])
        n -= 1
        i += 1
    return v


def counted_before(u):
    v = u.copy()
    i = 0
    while i < len(u) - 2:
        i += 1
        v[i] = 0.5 * (u[i - 1] + u[i + 1])
    return v


def cases(rng):
    n = rng.standard_normal
    yield "unknown", (n(9), 4.5), {}
    yield "counted", (n(9),), {}
    yield "growing", ([1, 5, 3],), {}
    yield "skipping", (n(9), n(9) > 0), {}
    yield "shrinking", (n(9),), {}
    yield "counted_before", (n(9),), {}
