# expect: LOC305 safe scope=forces
# expect: LOC305 safe scope=put_away
# expect: LOC305 safe scope=apart
import numpy as np


def forces(places):
    n = len(places)
    force = np.zeros((n, 2))
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            dx = places[j, 0] - places[i, 0]
            dy = places[j, 1] - places[i, 1]
            square = dx**2 + dy**2 + 0.01
            force[i, 0] += dx / square
            force[i, 1] -= dy / square
    return force


def put_away(places, masses):
    n = places.shape[0]
    pull = np.empty((n, 3))
    for i in range(n):
        fx = fy = fz = 0.0
        for j in range(n):
            dx = places[j, 0] - places[i, 0]
            dy = places[j, 1] - places[i, 1]
            dz = places[j, 2] - places[i, 2]
            share = masses[j] / (dx * dx + dy * dy + dz * dz + 0.1) ** 1.5
            fx += share * dx
            fy += share * dy
            fz += share * dz
        pull[i] = [fx, fy, fz]
    return pull


def apart(x, y, m):
    n = x.shape[0]
    ax, ay = np.zeros(n), np.zeros(n)
    for i in range(n):
        for j in range(n):
            if j != i:
                dx, dy = x[j] - x[i], y[j] - y[i]
                cube = (dx**2 + dy**2 + 0.01) ** 1.5
                ax[i] += m[j] * dx / cube
                ay[i] += m[j] * dy / cube
    return np.stack([ax, ay], 1)


def cases(rng):
    for n in (1, 2, 11):
        yield "forces", (rng.normal(size=(n, 2)),), {}
        yield "put_away", (rng.normal(size=(n, 3)), rng.random(n)), {}
        yield "apart", (rng.normal(size=n), rng.normal(size=n), rng.random(n)), {}
