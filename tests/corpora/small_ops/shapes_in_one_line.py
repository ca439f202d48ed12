# expect: LOC301 safe scope=moved
# expect: LOC306 safe scope=scaled
import numpy as np


def moved(R, t, pts):
    """R: (N, 3, 3), t: (N, 3), pts: (N, 3)"""
    out = np.zeros_like(pts)
    for i in range(len(pts)):
        out[i] = R[i].dot(pts[i]) + t[i]
    return out


def scaled(pos, mass):
    """pos is an N x 3 matrix of positions, mass is an N x 1 matrix of masses"""
    out = np.zeros(pos.shape)
    for i in range(len(pos)):
        out[i] = pos[i] * mass[i, 0]
    return out


def cases(rng):
    for n in (5, 1):
        points = rng.normal(size=(n, 3))
        yield "moved", (rng.normal(size=(n, 3, 3)), rng.normal(size=(n, 3)), points), {}
        yield "scaled", (points, rng.normal(size=(n, 1))), {}
