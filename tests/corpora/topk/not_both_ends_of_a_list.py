# refuse: ASC110 places from both ends are read
# may: RED505 any scope=largest_product


def largest_product(numbers: list[int]):
    ordered = sorted(numbers)
    return max(ordered[-1] * ordered[-2], ordered[0] * ordered[1])


def cases(rng):
    yield "largest_product", ([3, -9, 4, -8, 1],), {}
