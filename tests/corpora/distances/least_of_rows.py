# expect: SEP205 safe scope=assign
# expect: SEP205 safe scope=assign2
# expect: SEP205 safe scope=nearest
# expect: SEP205 safe scope=listed
# expect: SEP205 advice scope=unknown
import numpy as np


def assign(points: np.ndarray, centroids: np.ndarray):
    n, d = points.shape
    k, d = centroids.shape
    labels = np.zeros(n, dtype=int)
    for i, p in enumerate(points):
        labels[i] = np.argmin(np.sum((centroids - p) ** 2, axis=1))
    return labels


def assign2(points: np.ndarray, centroids: np.ndarray):
    n, d = points.shape
    k, d = centroids.shape
    labels = np.zeros(n, dtype=int)
    for i in range(n):
        dist = np.linalg.norm(points[i] - centroids, axis=1)
        labels[i] = np.argmin(dist)
    return labels


def nearest(points: np.ndarray, centroids: np.ndarray):
    n, d = points.shape
    k, d = centroids.shape
    out = np.zeros(n)
    for i in range(n):
        out[i] = np.min(np.sum((centroids - points[i]) ** 2, axis=1))
    return out


def listed(points: np.ndarray, centroids: np.ndarray):
    n, d = points.shape
    k, d = centroids.shape
    return np.array([np.argmin(np.linalg.norm(centroids - p, axis=1)) for p in points])


def unknown(points, centroids):
    labels = np.zeros(len(points), dtype=int)
    for i, p in enumerate(points):
        labels[i] = np.argmin(np.linalg.norm(centroids - p, axis=1))
    return labels


def cases(rng):
    for f in ("assign", "assign2", "nearest", "listed", "unknown"):
        yield f, (rng.normal(size=(4, 5)), rng.normal(size=(3, 5))), {}
        yield f, (rng.normal(size=(1, 2)), rng.normal(size=(1, 2))), {}
