# expect: ASC106 safe scope=last_peak


def last_peak(heights: list[int]):
    best, where = heights[0], 0
    for i, h in enumerate(heights):
        if h >= best:
            best, where = h, i
    return where, best


def cases(rng):
    for values in ([1], [1, 3, 3, 2], [2, 2]):
        yield "last_peak", (values,), {}
