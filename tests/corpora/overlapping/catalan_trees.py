# expect: RED503 safe scope=tribonacci
# expect: RED503 safe scope=steps


def tribonacci(n: int) -> int:
    if n <= 1:
        return 0
    elif n == 2:
        return 1
    a, b, c = tribonacci(n - 1), tribonacci(n - 2), tribonacci(n - 3)
    return a + b + c


def steps(n: int, most: int) -> int:
    if n <= 0:
        return int(n == 0)
    total = 0
    for k in range(1, most + 1):
        total += steps(n - k, most)
    return total


def both(n):
    return tribonacci(n), steps(n, 3)


def cases(rng):
    yield "both", (0,), {}
    yield "both", (9,), {}
