# refuse: what is kept is no remainder, or is of another number at every step
def with_a_gap(seed: int, n: int) -> int:
    for _ in range(n):
        seed = (seed * 5 + 3) & 0b1101
    return seed


def of_a_negative(seed: int, n: int) -> int:
    for _ in range(n):
        seed = (seed * 5 + 3) & -4
    return seed


def wider(seed: int, n: int) -> int:
    for k in range(n):
        seed = (seed * 5 + 3) & ((1 << k) - 1)
    return seed


def either(seed: int, n: int) -> int:
    for _ in range(n):
        seed = (seed * 5 + 3) | 15
    return seed


def cases(rng):
    for name in ("with_a_gap", "of_a_negative", "wider", "either"):
        for n in (0, 1, 7):
            yield name, (11, n), {}
