# expect: LOC302 unsafe scope=heat
def heat(u0, alpha, dt, dx, steps):
    """Nothing says that the temperatures are an array, and not a list."""
    u = u0.copy()
    for _ in range(steps):
        un = u.copy()
        for i in range(1, len(u) - 1):
            u[i] = un[i] + alpha * dt / dx**2 * (un[i + 1] - 2 * un[i] + un[i - 1])
    return u


def cases(rng):
    for n in (9, 2, 1):
        yield "heat", (rng.normal(size=n), 0.3, 0.1, 0.7, 4), {}
    yield "heat", (list(rng.normal(size=5)), 0.3, 0.1, 0.7, 2), {}
