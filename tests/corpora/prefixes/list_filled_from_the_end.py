# expect: ASC105 safe scope=sums_from
# expect: ASC105 safe scope=highest_from
# expect: ASC105 safe scope=products_beside
# expect: ASC105 safe scope=lowest_from
def sums_from(a: list[int]):
    suffix = [0] * (len(a) + 1)
    for i in reversed(range(len(a))):
        suffix[i] = suffix[i + 1] + a[i]
    return suffix


def highest_from(heights: list[int]):
    n = len(heights)
    right = [0] * n
    right[n - 1] = heights[n - 1]
    for i in range(n - 2, -1, -1):
        right[i] = max(right[i + 1], heights[i])
    return right


def products_beside(a: list[int]):
    n = len(a)
    before = [1] * n
    behind = [1] * n
    for i in range(1, n):
        before[i] = before[i - 1] * a[i - 1]
    for i in range(n - 2, -1, -1):
        behind[i] = behind[i + 1] * a[i + 1]
    return [x * y for x, y in zip(before, behind)]


def lowest_from(a: list[float]):
    n = len(a)
    lowest = [0.0] * n
    low = float("inf")
    for i in range(n, 0, -1):
        low = min(low, a[i - 1])
        lowest[i - 1] = low
    return lowest


def cases(rng):
    for length in (0, 1, 2, 7):
        whole = [int(x) for x in rng.integers(-9, 9, length)]
        yield "sums_from", (whole,), {}
        yield "products_beside", (whole,), {}
        yield "lowest_from", (rng.random(length).tolist(),), {}
        if length:
            yield "highest_from", (whole,), {}
