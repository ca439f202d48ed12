# expect: LOC301 unsafe scope=turned
# expect: LOC301 safe scope=stated
import numpy as np


def turned(rotations, points):
    """Nothing but the use says how many axes the points have."""
    rotated = np.zeros_like(points)
    for k in range(len(points)):
        rotated[k] = rotations[k].dot(points[k])
    return rotated


def stated(rotations, points):
    count, size = points.shape
    rotated = np.zeros_like(points)
    for k in range(count):
        rotated[k] = rotations[k] @ points[k]
    return rotated


def cases(rng):
    for function in ("turned", "stated"):
        yield function, (rng.normal(size=(6, 3, 3)), rng.normal(size=(6, 3))), {}
    yield "turned", (rng.normal(size=(6, 3, 3)), rng.normal(size=(6, 3, 2))), {}
