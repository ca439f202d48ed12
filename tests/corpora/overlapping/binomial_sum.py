# expect: RED503 safe scope=paths


def paths(right: int, *, down: int = 3) -> int:
    if 0 in (right, down):
        return 1
    ways = sum(paths(right - step, down=down) for step in (1,))
    return ways + paths(right, down=down - 1)


def cases(rng):
    yield "lambda n: paths(n)", (4,), {}
    yield "lambda n: paths(n, down=0)", (2,), {}
