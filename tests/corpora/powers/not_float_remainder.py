# refuse: ASC114 remainders of floats are rounded
def angle(theta: float, n: int) -> float:
    for _ in range(n):
        theta = theta * 1.25 % 6.28
    return theta


def cases(rng):
    yield "angle", (1.0, 4), {}
