# expect: RED505 safe scope=elapsed
def elapsed(times: list[float]) -> float:
    ordered = sorted(times)
    return ordered[-1] - ordered[0]


def cases(rng):
    yield "elapsed", ([3.5, 1.25, 2.0, 7.0],), {}
    yield "elapsed", ([1.0],), {}
    yield "elapsed", ([0.0, -0.0],), {}
