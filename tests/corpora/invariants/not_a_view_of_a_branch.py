# refuse: what the loop writes is, in some branch or from the second step on, a part of what is read
import numpy as np


def relax(a: np.ndarray, x: np.ndarray, damped: bool):
    diagonal = np.zeros(3)
    if damped:
        diagonal = np.einsum("ii->i", a)
    for _ in range(4):
        x = np.sin(x) / np.linalg.norm(a)
        diagonal += 1
    return x


def row2(a: np.ndarray, x: np.ndarray):
    diagonal = np.zeros(3)
    for i in range(2):
        diagonal = a[i]
    for _ in range(4):
        x = np.sin(x) / np.linalg.norm(a)
        diagonal += 1
    return x


def twice2(a: np.ndarray, x: np.ndarray):
    row = np.zeros(3)
    for _ in range(3):
        x = np.sin(x) / np.linalg.norm(a)
        row += 1
        row = a[0]
    return x


def straight(a: np.ndarray, x: np.ndarray):
    row = a[0]
    for _ in range(4):
        row += 1
    for _ in range(4):
        x = np.sin(x) / np.linalg.norm(a)
        row += 1
    return x


def copied(a: np.ndarray, x: np.ndarray, damped: bool):
    if not damped:
        b = a
    else:
        b = a.copy()
    for _ in range(3):
        x = np.sin(x) / np.linalg.norm(a)
        b.fill(3)
    return x


def whiles(a: np.ndarray, x: np.ndarray):
    b = np.zeros(3)
    n = 0
    while n < 3:
        x = np.sin(x) / np.linalg.norm(a)
        b += 1
        b = a
        n += 1
    return x


def later(a: np.ndarray, x: np.ndarray):
    c = np.zeros(3)
    for k in range(3):
        b = c
        x = np.sin(x) / np.linalg.norm(a)
        c = a[k]
        b += 1
    return x


def collected(a: np.ndarray, x: np.ndarray):
    c = np.zeros(3)
    out = []
    for k in range(3):
        out.append(c)
        x = np.sin(x) / np.linalg.norm(a)
        out[-1] += 1
        c = a[k]
    return x


def cases(rng):
    for damped in (True, False):
        for name in ("relax", "copied"):
            yield name, (rng.normal(size=(3, 3)), rng.normal(size=4), damped), {}
    for name in ("row2", "twice2", "straight", "whiles", "later", "collected"):
        yield name, (rng.normal(size=(3, 3)), rng.normal(size=4)), {}
