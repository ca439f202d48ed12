# expect: ASC114 safe scope=congruential
# expect: ASC114 safe scope=power
# expect: ASC114 safe scope=fibonacci
def congruential(seed: int, n: int) -> int:
    for _ in range(n):
        seed = (seed * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
    return seed


def power(base: int, n: int) -> int:
    result = 1
    while n > 0:
        result = 255 & (result * base)
        n -= 1
    return result


def fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, (a + b) & 0xFFFF
    return a


def cases(rng):
    for n in (-1, 0, 1, 2, 3, 50, 201):
        yield "congruential", (-7, n), {}
        yield "congruential", (2**70 + 5, n), {}
        yield "power", (-3, n), {}
        yield "fibonacci", (n,), {}
