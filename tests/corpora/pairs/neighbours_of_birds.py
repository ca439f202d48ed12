# expect: LOC305 safe scope=align
# expect: LOC305 safe scope=close
import numpy as np


def align(position, velocity, radius):
    turned = velocity.copy()
    for i in range(len(position)):
        for j in range(len(position)):
            if i != j:
                apart = np.linalg.norm(position[i] - position[j])
                if apart < radius:
                    turned[i] += 0.05 * (velocity[j] - velocity[i])
    return turned


def close(points, radius):
    found = 0
    for i in range(points.shape[0]):
        for j in range(points.shape[0]):
            if i != j and np.linalg.norm(points[i] - points[j]) <= radius:
                found += 1
    return found


def cases(rng):
    for n in (1, 2, 13):
        x, v = rng.standard_normal((2, n, 2))
        yield "align", (x, v, 1.2), {}
        yield "close", (x, 1.2), {}
        yield "close", (x, -1.0), {}
