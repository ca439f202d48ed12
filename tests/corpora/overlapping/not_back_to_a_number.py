# refuse: calls that begin again at a number meet in no further arguments


def countdown(n: int) -> int:
    if n <= 0:
        return 1
    return countdown(0) + countdown(n - 1)


def cases(rng):
    yield "countdown", (6,), {}
    yield "countdown", (0,), {}
