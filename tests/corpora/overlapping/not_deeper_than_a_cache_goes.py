# expect: RED503 unsafe scope=ways


def ways(n, k):
    if n <= 0:
        return 1
    if k == 0:
        return ways(n - 1, k)
    return ways(n - 1, k - 1) + ways(n - 2, k - 1)


def many():
    return ways(850, 2)


def cases(rng):
    yield "many", (), {}
